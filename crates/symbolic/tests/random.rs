//! Random finite systems: breadth first, saturation and guided searches against an explicit search
//! by the judge's interpreter. Verdicts and lengths of shortest traces are equal.
//!
//! `MERKHET_RANDOM=N` checks N systems instead of the ordinary few.

use merkhet_lower::smv::lower_smv;
use merkhet_symbolic::check::{Options, TraceKind, Verdict, check_system};
use merkhet_symbolic::guided::{Abstraction, Guidance, Representation};
use merkhet_symbolic::system::replay::{Situation, possible_values};
use merkhet_symbolic::system::{ExpressionId, Formula, Role, System, Value};
use merkhet_syntax::smv::read_smv;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

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

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

const BOOLEANS: [&str; 3] = ["a", "b", "c"];
const NUMBERS: [&str; 2] = ["n", "m"];

fn condition(random: &mut Random, depth: u32) -> String {
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
fn model(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let random = &mut random;
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
    let parts: Vec<String> = (0..3).map(|_| condition(random, 1)).collect();
    let _ = writeln!(text, "INVARSPEC !({})", parts.join(" & "));
    text
}

fn system(text: &str) -> System {
    let (program, diagnostics) = read_smv(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let (system, diagnostics) = lower_smv(&program, None);
    system.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

fn holds(system: &System, id: ExpressionId, now: &[Value], after: Option<&[Value]>) -> bool {
    let values = possible_values(system, id, Situation { now, after });
    values.is_ok_and(|values| values == [Value::Boolean(true)])
}

/// All valuations of the variables that a filter accepts; the others have their first value.
fn valuations(system: &System, wanted: impl Fn(Role) -> bool) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for variable in &system.variables {
        let size = variable.domain.size().expect("small");
        let codes = if wanted(variable.role) { 0..size } else { 0..1 };
        all = all
            .iter()
            .flat_map(|start| {
                codes.clone().map(|code| {
                    let value = variable.domain.value(code).expect("in the domain");
                    [start.as_slice(), &[value]].concat()
                })
            })
            .collect();
    }
    all
}

/// The length of a shortest path to a violation, by trying all pairs of states.
fn explicit(system: &System) -> Option<usize> {
    let Formula::Invariant(good) = system.specifications[0].formula else {
        panic!("an invariant");
    };
    let fits = |state: &Vec<Value>| {
        system
            .invariants
            .iter()
            .all(|&id| holds(system, id, state, None))
    };
    let states: Vec<Vec<Value>> = valuations(system, |role| role != Role::Input)
        .into_iter()
        .filter(fits)
        .collect();
    let inputs = valuations(system, |role| role == Role::Input);
    let mut distance: BTreeMap<usize, usize> = BTreeMap::new();
    let mut layer: Vec<usize> = (0..states.len())
        .filter(|&at| {
            system
                .initial
                .iter()
                .all(|&id| holds(system, id, &states[at], None))
        })
        .collect();
    layer.iter().for_each(|&at| {
        distance.insert(at, 0);
    });
    for depth in 0.. {
        if layer
            .iter()
            .any(|&at| !holds(system, good, &states[at], None))
        {
            return Some(depth);
        }
        let mut next = Vec::new();
        for &at in &layer {
            for (target, after) in states.iter().enumerate() {
                if !distance.contains_key(&target) && steps(system, &states[at], after, &inputs) {
                    distance.insert(target, depth + 1);
                    next.push(target);
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    None
}

fn steps(system: &System, before: &[Value], after: &[Value], inputs: &[Vec<Value>]) -> bool {
    inputs.iter().any(|choice| {
        let pairs = system.variables.iter().zip(before.iter().zip(choice));
        let now: Vec<Value> = pairs
            .map(|(variable, (state, input))| {
                if variable.role == Role::Input {
                    *input
                } else {
                    *state
                }
            })
            .collect();
        system.events.iter().any(|event| {
            let chosen = event.choice.is_none_or(|(input, code)| {
                system.variable(input).domain.code(now[input.index()]) == Some(code)
            });
            chosen
                && event
                    .unchanged
                    .iter()
                    .all(|id| before[id.index()] == after[id.index()])
                && event
                    .relation
                    .iter()
                    .all(|&id| holds(system, id, &now, Some(after)))
        })
    })
}

fn guided(abstraction: Abstraction, representation: Representation) -> Guidance {
    Guidance::On {
        abstraction,
        budget: Duration::from_secs(10),
        representation,
    }
}

fn check(seed: u64) {
    let text = model(seed);
    let system = system(&text);
    let expected = explicit(&system);
    let keep = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    let lists = Abstraction::Keep(vec![keep(&["a", "n"]), keep(&["b", "n", "m"])]);
    let disjoint = Abstraction::Keep(vec![keep(&["a", "b"]), keep(&["c", "n"])]);
    let guidances = [
        Guidance::Off,
        Guidance::BreadthFirst,
        guided(Abstraction::Automatic, Representation::Layers),
        guided(Abstraction::Automatic, Representation::MultiTerminal),
        guided(lists, Representation::Layers),
        guided(disjoint, Representation::MultiTerminal),
    ];
    for guidance in guidances {
        for whole_system in [false, true] {
            let options = Options {
                guidance: guidance.clone(),
                trace: TraceKind::Shortest,
                whole_system,
                ..Options::default()
            };
            let result = check_system(&system, &options).remove(0);
            if let Verdict::Unknown(stop) = &result.verdict {
                // A kept variable may be outside the cone.
                assert!(
                    stop.to_string().contains("to keep"),
                    "{seed}: {stop} {guidance:?}\n{text}"
                );
                continue;
            }
            let found = result.trace.as_ref().map(|trace| trace.steps());
            assert_eq!(
                found, expected,
                "{seed}: {guidance:?} {:?}\n{text}",
                result.notes
            );
            assert_eq!(
                result.verdict == Verdict::Fails,
                expected.is_some(),
                "{seed}\n{text}"
            );
        }
    }
}

#[test]
fn guided_and_unguided_searches_agree_with_an_explicit_one() {
    let count = std::env::var("MERKHET_RANDOM")
        .ok()
        .and_then(|text| text.parse().ok());
    for seed in 0..count.unwrap_or(60) {
        check(seed);
    }
}
