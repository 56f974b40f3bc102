//! How the program ends, as scripts see it.

use std::process::ExitCode;

use merkhet::Failure;

use crate::view::Verdict;

/// The program's exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Every query is satisfied (or the command has nothing to decide and did its work).
    Satisfied,
    /// Some query is not satisfied.
    Violated,
    /// Bad usage, a bad model, or a file that cannot be read or written.
    BadInput,
    /// Some query is undecided and none is violated.
    Undecided,
    /// The exit code of another program whose part is played.
    Foreign(u8),
    /// A bug in the program; what it printed must not be taken as a verdict.
    Internal,
}

impl Exit {
    /// The number that the program ends with.
    pub fn code(self) -> u8 {
        match self {
            Exit::Satisfied => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Undecided => 3,
            Exit::Foreign(code) => code,
            Exit::Internal => 101,
        }
    }

    /// The exit code of a query that could not be checked.
    pub fn of(failure: &Failure) -> Exit {
        match failure {
            Failure::Internal(_) => Exit::Internal,
            // What was asked for is wrong, or the model is.
            Failure::NotPermitted(_) | Failure::Fault { limit: false, .. } => Exit::BadInput,
            Failure::Undecidable(_) | Failure::Fault { limit: true, .. } => Exit::Undecided,
        }
    }

    /// The exit code of a run with these verdicts: a violation outweighs what is undecided.
    pub fn from_verdicts(verdicts: impl IntoIterator<Item = Verdict>) -> Exit {
        let mut exit = Exit::Satisfied;
        for verdict in verdicts {
            match verdict {
                Verdict::Satisfied => {}
                Verdict::Violated => return Exit::Violated,
                Verdict::Unknown => exit = Exit::Undecided,
            }
        }
        exit
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;
    use crate::view::Verdict::{self, Satisfied, Unknown, Violated};

    fn check(verdicts: &[Verdict], code: u8) {
        assert_eq!(
            Exit::from_verdicts(verdicts.iter().copied()).code(),
            code,
            "{verdicts:?}"
        );
    }

    #[test]
    fn verdicts_give_the_agreed_codes() {
        check(&[], 0);
        check(&[Satisfied, Satisfied], 0);
        check(&[Satisfied, Violated], 1);
        check(&[Satisfied, Unknown], 3);
        check(&[Unknown, Violated, Satisfied], 1);
        check(&[Violated, Unknown], 1);
    }
}
