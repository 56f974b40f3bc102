//! Random texts of small finite systems.

use merkhet_lower::smv::lower_smv;
use merkhet_smv::read_smv;
use merkhet_symbolic::system::System;
use std::fmt::Write;

/// A small generator of numbers, the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    pub fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

const BOOLEANS: [&str; 3] = ["a", "b", "c"];
const NUMBERS: [&str; 2] = ["n", "m"];

pub fn condition(random: &mut Random, depth: u32) -> String {
    let number = |random: &mut Random| random.pick(&NUMBERS).to_owned();
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 => random.pick(&BOOLEANS).to_owned(),
        1 => format!("({} = {})", number(random), random.below(4)),
        2 => format!("({} < {})", number(random), number(random)),
        3 => format!("!{}", condition(random, depth - 1)),
        4 => format!(
            "({} & {})",
            condition(random, depth - 1),
            condition(random, depth - 1)
        ),
        _ => format!(
            "({} | {})",
            condition(random, depth - 1),
            condition(random, depth - 1)
        ),
    }
}

fn boolean(random: &mut Random) -> String {
    match random.below(4) {
        0 => "{TRUE, FALSE}".into(),
        _ => condition(random, 2),
    }
}

fn number(random: &mut Random) -> String {
    let name = random.pick(&NUMBERS);
    match random.below(4) {
        0 => format!("{{{}, {}}}", random.below(4), random.below(4)),
        1 => format!("({name} + 1) mod 4"),
        2 => format!(
            "case {} : {}; TRUE : {name}; esac",
            condition(random, 1),
            random.below(4)
        ),
        _ => format!("case {name} > 0 : {name} - 1; TRUE : 3; esac"),
    }
}

/// A system of a few variables: synchronous, or with processes that take turns.
/// Without specifications; and the numbers that are still to come.
pub fn model(seed: u64) -> (String, Random) {
    let mut numbers = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let random = &mut numbers;
    let mut text = String::new();
    let interleaved = random.below(2) == 0;
    let mut assignments = Vec::new();
    for name in BOOLEANS {
        assignments.push(format!("next({name}) := {};", boolean(random)));
    }
    for name in NUMBERS {
        assignments.push(format!("next({name}) := {};", number(random)));
    }
    if random.below(3) == 0 {
        assignments.remove(random.below(5) as usize); // changes as it likes, or not at all
    }
    let formal = "a, b, c, n, m";
    if interleaved {
        for (index, line) in assignments.iter().enumerate() {
            let _ = writeln!(text, "MODULE p{index}({formal})\nASSIGN {line}");
        }
    }
    text += "MODULE main\nVAR a : boolean; b : boolean; c : boolean; n : 0..3; m : 0..3;\n";
    if interleaved {
        for index in 0..assignments.len() {
            let _ = writeln!(text, "  q{index} : process p{index}({formal});");
        }
    }
    text += "ASSIGN init(a) := FALSE; init(n) := 0; init(b) := FALSE;\n";
    if random.below(3) > 0 {
        text += "  init(c) := FALSE; init(m) := 3;\n";
    }
    if !interleaved {
        assignments
            .iter()
            .for_each(|line| text += &format!("  {line}\n"));
    }
    if random.below(4) == 0 {
        let _ = writeln!(text, "INVAR {}", condition(random, 1));
    }
    (text, numbers)
}

pub fn system(text: &str) -> System {
    let (program, diagnostics) = read_smv(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let lowered = lower_smv(&program);
    lowered
        .system
        .unwrap_or_else(|| panic!("{:?}\n{text}", lowered.diagnostics))
}
