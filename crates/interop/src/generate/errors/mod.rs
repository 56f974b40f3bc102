//! Families with an error to be found, in sizes from a toy to one that nobody explores, each with a variant without it.
//!
//! They are there to look for errors in models that no constant was tuned for (`cargo xtask auto`). The query stands in the
//! file. What is wrong with the flawed variant stands in the first line.

pub(super) mod locks;
pub(super) mod networks;
pub(super) mod puzzles;
pub(super) mod schedules;

use super::{Generator, Language, Model, Parameter};

/// The second parameter of all of them.
const SAFE: Parameter = Parameter {
    name: "S",
    summary: "1 for the variant without the error",
    low: 0,
    high: 1,
    default: Some(0),
};

/// The size of a family.
const fn size(summary: &'static str, low: u32, high: u32) -> Parameter {
    Parameter {
        name: "N",
        summary,
        low,
        high,
        default: None,
    }
}

/// A family in UPPAAL's language.
const fn family(
    name: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    build: fn(&[u32]) -> Result<Model, String>,
) -> Generator {
    Generator {
        name,
        summary,
        language: Language::Xta,
        parameters,
        build,
    }
}

/// A model: a line about it, constants, the rest of it, and what is looked for.
fn model(title: &str, constants: &[(&str, u32)], body: &str, query: String) -> Model {
    let constants: String = (constants.iter())
        .map(|(name, value)| format!("const int {name} = {value};\n"))
        .collect();
    Model {
        text: format!("// {title}\n\n{constants}{body}\nquery {{\n{query}\n}}\n"),
        query: Some(query),
    }
}

/// Numbers as an array's initial value.
fn array(numbers: impl IntoIterator<Item = u32>) -> String {
    let numbers: Vec<String> = numbers
        .into_iter()
        .map(|number| number.to_string())
        .collect();
    format!("{{ {} }}", numbers.join(", "))
}
