//! Random expressions: what the literals say is what the judge's interpreter says, also where there is no value.

use crate::encode::{Encoder, Shape};
use crate::frame;
use crate::gates::Gates;
use batsat::Lit;
use merkhet_finite::replay::{Situation, possible_values};
use merkhet_finite::{Formula, System, Value};
use std::sync::Arc;

/// A small generator of numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn pick(&mut self, choices: &[&str]) -> String {
        choices[self.below(choices.len() as u64) as usize].to_owned()
    }
}

const VARIABLES: &str = "MODULE main\nVAR p : boolean; q : boolean; u : unsigned word[4]; v : unsigned word[4];\n\
                         s : signed word[4]; t : signed word[4]; n : -3..4; m : 0..5; e : {a, b, 2, -1}; f : {a, b, c};\n";

/// A word of four bits, signed or not.
fn word(random: &mut Random, signed: bool, depth: u64) -> String {
    if depth == 0 {
        return match signed {
            true => random.pick(&["s", "t", "0sd4_3", "-0sd4_2"]),
            false => random.pick(&["u", "v", "0ud4_5", "0ud4_1"]),
        };
    }
    let a = word(random, signed, depth - 1);
    match random.below(12) {
        0 => format!("(-{a})"),
        1 => format!("(!{a})"),
        2 => format!("({a} << {})", integer(random, 0)),
        3 => format!("({a} >> {})", random.pick(&["m", "2", "u", "4"])),
        4 if signed => format!("signed({})", word(random, false, depth - 1)),
        4 => format!("unsigned({})", word(random, true, depth - 1)),
        5 if !signed => format!("({a})[3:2] :: ({})[1:0]", word(random, false, depth - 1)),
        5 | 6 => format!("resize(resize({a}, {}), 4)", 2 + random.below(5)),
        7 => {
            let c = boolean(random, depth - 1);
            format!("({c} ? {a} : {})", word(random, signed, depth - 1))
        }
        _ => {
            let operator = random.pick(&["+", "-", "*", "/", "mod", "&", "|", "xor"]);
            format!("({a} {operator} {})", word(random, signed, depth - 1))
        }
    }
}

fn integer(random: &mut Random, depth: u64) -> String {
    if depth == 0 {
        return random.pick(&["n", "m", "0", "3", "-2"]);
    }
    let a = integer(random, depth - 1);
    match random.below(9) {
        0 => format!("(-{a})"),
        1 => format!("toint({})", word(random, random.0 & 1 == 0, depth - 1)),
        2 => format!("count({}, p, q)", boolean(random, depth - 1)),
        3 => format!("max({a}, {})", integer(random, depth - 1)),
        4 => {
            let [c, d] = [boolean(random, depth - 1), boolean(random, depth - 1)];
            format!("case {c} : {a}; {d} : {}; esac", integer(random, depth - 1))
        }
        _ => {
            let operator = random.pick(&["+", "-", "*", "/", "mod"]);
            format!("({a} {operator} {})", integer(random, depth - 1))
        }
    }
}

fn boolean(random: &mut Random, depth: u64) -> String {
    if depth == 0 {
        return random.pick(&[
            "p",
            "q",
            "e = a",
            "f = e",
            "f in {a, c}",
            "e != 2",
            "e in {-1, b}",
        ]);
    }
    let deeper = depth - 1;
    match random.below(9) {
        0 => format!("!({})", boolean(random, deeper)),
        1 => format!(
            "({} & {})",
            boolean(random, deeper),
            boolean(random, deeper)
        ),
        2 => format!(
            "({} | {})",
            boolean(random, deeper),
            boolean(random, deeper)
        ),
        3 => format!(
            "({} xor {})",
            boolean(random, deeper),
            boolean(random, deeper)
        ),
        4 => format!(
            "({} in {{0, {}}})",
            integer(random, deeper),
            integer(random, deeper)
        ),
        5 => format!("bool({})", integer(random, deeper)),
        6 => {
            let operator = random.pick(&["=", "<", "<="]);
            format!(
                "({} {operator} {})",
                integer(random, deeper),
                integer(random, deeper)
            )
        }
        _ => {
            let signed = random.below(2) == 0;
            let operator = random.pick(&["=", "<", ">="]);
            let [a, b] = [word(random, signed, deeper), word(random, signed, deeper)];
            format!("({a} {operator} {b})")
        }
    }
}

fn system(text: &str) -> Option<System> {
    let (program, diagnostics) = merkhet_smv::read_smv(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let lowered = merkhet_lower::smv::lower_smv(&program);
    lowered
        .system
        .filter(|system| !system.specifications.is_empty())
}

/// How many values there were, and how many places without one.
fn check(seed: u64) -> (u32, u32) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let text = format!("{VARIABLES}INVARSPEC {}\n", boolean(&mut random, 4));
    let Some(system) = system(&text) else {
        return (0, 0); // a shift or a division that the reader refuses
    };
    let Formula::Invariant(id) = system.specifications[0].formula else {
        panic!("an invariant");
    };
    let mut gates = Gates::new(Arc::new(|| false), u64::MAX);
    let codes = frame::any(&system, &mut gates);
    let symbolic = Encoder::new(&system, &mut gates, &codes, None).evaluate(id);
    let symbolic = symbolic.unwrap_or_else(|stop| panic!("{stop:?}\n{text}"));
    let Shape::Boolean(truth) = symbolic.shape else {
        panic!("a truth value");
    };
    let mut seen = (0, 0);
    for _ in 0..12 {
        let mut now = Vec::new();
        let mut fixed: Vec<Lit> = Vec::new();
        for (variable, bits) in system.variables.iter().zip(&codes) {
            let code = random.below(variable.domain.size().expect("small"));
            now.push(variable.domain.value(code).expect("in the domain"));
            let literals = bits.iter().enumerate();
            fixed.extend(literals.map(|(at, &bit)| if code >> at & 1 == 1 { bit } else { !bit }));
        }
        let situation = Situation {
            now: &now,
            after: None,
        };
        let expected = possible_values(&system, id, situation);
        assert_eq!(
            gates.satisfiable(&fixed, u64::MAX),
            Ok(true),
            "{now:?}\n{text}"
        );
        match expected.as_deref() {
            Ok([Value::Boolean(value)]) => {
                assert!(!gates.value(symbolic.undefined), "{now:?}\n{text}");
                assert_eq!(gates.value(truth), *value, "{now:?}\n{text}");
                seen.0 += 1;
            }
            _ => {
                assert!(
                    gates.value(symbolic.undefined),
                    "{expected:?} {now:?}\n{text}"
                );
                seen.1 += 1;
            }
        }
    }
    seen
}

#[test]
fn literals_say_what_the_interpreter_says() {
    let wanted = std::env::var("MERKHET_RANDOM").ok();
    let seeds = wanted.and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut seen = (0, 0);
    for seed in 0..seeds {
        let more = check(seed);
        seen = (seen.0 + more.0, seen.1 + more.1);
    }
    assert!(
        seen.0 > 3 * seeds as u32 && seen.1 > seeds as u32 / 4,
        "{seen:?}"
    );
}
