//! Adds up what the test programs of `cargo test` print: the closing line of each, and the tests that left something out.

use std::collections::BTreeMap;

/// How tests announce that they leave something out; `merkhet_testing::skip` writes it.
const SKIPPED: &str = "[skipped] ";

/// How many tests passed and failed, and which were skipped, with the reasons.
#[derive(Debug, Default)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: Vec<(String, String)>,
    /// Skipped tests of the program that is running.
    running: BTreeMap<String, String>,
}

impl Counts {
    /// Takes in one line of output.
    pub fn line(&mut self, line: &str) {
        let line = line.trim();
        if let Some((test, why)) = line.strip_prefix(SKIPPED).and_then(|l| l.split_once(": ")) {
            self.running
                .entry(test.into())
                .or_insert_with(|| why.into());
        } else if let Some((test, end)) = line
            .strip_prefix("test ")
            .and_then(|line| line.split_once(" ... "))
        {
            if end == "FAILED" {
                self.running.remove(test);
            } else if end.starts_with("ignored") {
                self.skipped.push((test.into(), end.into()));
            }
        } else if let Some((_, numbers)) = line
            .strip_prefix("test result: ")
            .and_then(|line| line.split_once(". "))
        {
            self.close(numbers);
        }
    }

    /// Takes in the closing line of a program: `3 passed; 0 failed; …`.
    fn close(&mut self, numbers: &str) {
        for part in numbers.split(';') {
            let Some((number, what)) = part.trim().split_once(' ') else {
                continue;
            };
            match (what, number.parse::<usize>()) {
                ("passed", Ok(number)) => {
                    self.passed += number.saturating_sub(self.running.len());
                }
                ("failed", Ok(number)) => self.failed += number,
                _ => {}
            }
        }
        self.skipped.extend(std::mem::take(&mut self.running));
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    fn counted(lines: &[&str]) -> (usize, usize, Vec<String>) {
        let mut counts = Counts::default();
        lines.iter().for_each(|line| counts.line(line));
        let names = counts.skipped.into_iter().map(|(test, _)| test).collect();
        (counts.passed, counts.failed, names)
    }

    #[test]
    fn closing_lines_are_added_up() {
        let lines = [
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s",
            "test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured",
            "running 12 tests",
            "",
        ];
        assert_eq!(counted(&lines), (14, 4, Vec::new()));
    }

    #[test]
    fn a_test_that_leaves_something_out_is_not_passed() {
        let lines = [
            "[skipped] corpus: there is no ../shared/corpus",
            "[skipped] corpus: there is no ../shared/benchmarks",
            "test corpus ... ok",
            "[skipped] broken: there is no ../shared/corpus",
            "test broken ... FAILED",
            "test lexer::slow ... ignored, takes an hour",
            "test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured",
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured",
        ];
        let names = vec!["lexer::slow".to_owned(), "corpus".to_owned()];
        assert_eq!(counted(&lines), (7, 1, names));
    }
}
