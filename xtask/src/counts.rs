//! Adds up the closing lines of `cargo test`, one of which appears for each test binary.

use std::ops::AddAssign;

/// How many tests passed, failed and were ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub ignored: u64,
}

impl Counts {
    /// Reads a line such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    pub fn from_line(line: &str) -> Option<Counts> {
        let rest = line.trim().strip_prefix("test result: ")?;
        let (_, numbers) = rest.split_once(". ")?;
        let mut counts = Counts::default();
        for part in numbers.split(';') {
            let Some((number, what)) = part.trim().split_once(' ') else {
                continue;
            };
            let Ok(number) = number.parse() else { continue };
            match what {
                "passed" => counts.passed = number,
                "failed" => counts.failed = number,
                "ignored" => counts.ignored = number,
                _ => {}
            }
        }
        Some(counts)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    fn check(line: &str, expected: Option<(u64, u64, u64)>) {
        let counts = Counts::from_line(line).map(|c| (c.passed, c.failed, c.ignored));
        assert_eq!(counts, expected, "{line}");
    }

    #[test]
    fn closing_lines_are_read() {
        check(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s",
            Some((12, 0, 1)),
        );
        check(
            "test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured",
            Some((2, 4, 0)),
        );
    }

    #[test]
    fn other_lines_are_not() {
        check("test lexer::numbers ... ok", None);
        check("running 12 tests", None);
        check("", None);
    }
}
