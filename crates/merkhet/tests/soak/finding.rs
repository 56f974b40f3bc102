//! A finding as a test that is ready to be kept.

use std::time::Duration;

use crate::material::Material;
use crate::rows::Row;

/// Something that two ways of looking at a model disagree on.
pub struct Finding {
    pub row: &'static str,
    pub seed: u64,
    /// What is wrong, with the model as small as it could be made.
    pub what: String,
    pub material: Material,
}

impl Finding {
    /// Makes what shows a problem smaller, as long as it is a problem of the same kind.
    pub fn minimised(
        row: &Row,
        seed: u64,
        material: &Material,
        what: &str,
        time: Duration,
    ) -> Finding {
        let same = |candidate: &Material| matches!(row.caught(candidate, seed), Err(other) if kind(&other) == kind(what));
        let smaller = material.smaller(time, &same);
        let what = row.caught(&smaller, seed).err().unwrap_or(what.to_string());
        Finding {
            row: row.name,
            seed,
            what,
            material: smaller,
        }
    }

    /// The name of the test's file.
    pub fn file(&self) -> String {
        format!("found_{}_{}.rs", self.row, self.seed)
    }

    /// The test, for `crates/merkhet/tests/soak/`.
    pub fn test(&self) -> String {
        let words: String = (self.what.lines())
            .map(|line| format!("//! {line}\n"))
            .collect();
        let (row, seed) = (self.row, self.seed);
        let head = format!(
            "//! Found by `cargo xtask soak`: row {row}, number {seed}. Put this file into `crates/merkhet/tests/soak/`, \
             with its `mod` line in\n//! `main.rs`, and name it after what was wrong.\n//!\n{words}\n"
        );
        let body = match self.material.text() {
            Ok((text, queries)) => format!(
                "    crate::rows::Row::recheck(\n        {row:?},\n        {},\n        {},\n        {seed},\n    );\n",
                raw(&text),
                raw(&queries)
            ),
            // No text says it: the number makes the network again, as it was.
            Err(why) => format!(
                "    // As text it cannot be written: {why}.\n    let row = crate::rows::named({row:?}).expect(\"a row\");\n    \
                 let material = (row.make)({seed});\n    assert_eq!(row.caught(&material, {seed}).err(), None);\n"
            ),
        };
        format!("{head}#[test]\nfn {row}_{seed}() {{\n{body}}}\n")
    }
}

/// A problem without what differs from one model to the next: numbers, and all but the first line.
fn kind(what: &str) -> String {
    let line = what.lines().next().unwrap_or_default();
    let words = line.chars().filter(|letter| !letter.is_ascii_digit());
    words.take(60).collect()
}

/// A raw string, with as many signs as it needs.
fn raw(text: &str) -> String {
    let mut signs = String::from("#");
    while text.contains(&format!("\"{signs}")) {
        signs.push('#');
    }
    format!("r{signs}\"{text}\"{signs}")
}
