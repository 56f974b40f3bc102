//! Towers of Hanoi: "an example containing excessively many repetitions in its solution" (paper [Kupferschmid et al.,
//! SPIN 2006], section 6).
//!
//! A disc is an automaton with three locations. It moves from one peg to another while all smaller discs are on the
//! third. The shortest solution has 2^N − 1 transitions.

use super::{Generator, Language, Model, Parameter, wrong_number};
use std::fmt::Write as _;

/// The family.
pub(super) const HANOI: Generator = Generator {
    name: "hanoi",
    summary: "Towers of Hanoi",
    language: Language::Xta,
    parameters: &[Parameter {
        name: "N",
        summary: "the number of discs",
        low: 1,
        high: 64,
        default: None,
    }],
    build,
};

fn build(values: &[u32]) -> Result<Model, String> {
    let &[n] = values else {
        return wrong_number();
    };
    let goal: Vec<String> = (1..=n).map(|disc| format!("Disc{disc}.peg2")).collect();
    let query = format!("E<> {}", goal.join(" && "));
    let mut text = format!(
        "// Towers of Hanoi with {n} discs, from peg 0 to peg 2. Disc 1 is the smallest.\n// {query}\n\n"
    );
    for disc in 1..=n {
        let _ = writeln!(text, "int[0, 2] on{disc} = 0;");
    }
    for disc in 1..=n {
        let _ = write!(
            text,
            "\nprocess Disc{disc}() {{\n    state peg0, peg1, peg2;\n    init peg0;\n    trans\n"
        );
        let moves = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];
        for (index, (from, to)) in moves.into_iter().enumerate() {
            let third = 3 - from - to;
            let smaller: Vec<String> = (1..disc).map(|j| format!("on{j} == {third}")).collect();
            let guard = match smaller.is_empty() {
                true => String::new(),
                false => format!("guard {}; ", smaller.join(" && ")),
            };
            let end = if index + 1 < moves.len() { "," } else { ";" };
            let _ = writeln!(
                text,
                "        peg{from} -> peg{to} {{ {guard}assign on{disc} = {to}; }}{end}"
            );
        }
        text += "}\n";
    }
    let names: Vec<String> = (1..=n).map(|disc| format!("Disc{disc}")).collect();
    let _ = writeln!(text, "\nsystem {};", names.join(", "));
    Ok(Model {
        text,
        query: Some(query),
    })
}
