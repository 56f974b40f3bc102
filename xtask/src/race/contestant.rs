//! A program in a race: how it is called and how its output is read.

use std::path::{Path, PathBuf};

use merkhet_bench::race::Row;

use crate::program::Run;

/// A program in a race.
pub struct Contestant {
    pub name: String,
    pub program: PathBuf,
    kind: Kind,
}

enum Kind {
    /// Ours, with further arguments.
    Merkhet(Vec<String>),
    /// Another one, by its column in the table of rows.
    Peer(Peer),
}

/// The peers that we know how to read.
#[derive(Clone, Copy)]
enum Peer {
    TChecker,
}

/// What a program reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub explored: Option<u64>,
    pub stored: Option<u64>,
    pub answer: Option<String>,
    pub problem: Option<String>,
}

impl Contestant {
    /// A program of ours.
    pub fn merkhet(name: &str, program: &Path, arguments: &[String]) -> Contestant {
        Contestant {
            name: name.to_owned(),
            program: program.to_owned(),
            kind: Kind::Merkhet(arguments.to_vec()),
        }
    }

    /// Another program.
    pub fn peer(name: &str, program: &Path) -> Result<Contestant, String> {
        let peer = match name {
            "tchecker" => Peer::TChecker,
            _ => return Err(format!("no peer is called `{name}`; known is: tchecker")),
        };
        if !program.is_file() {
            return Err(format!("{} is not there", program.display()));
        }
        Ok(Contestant {
            name: name.to_owned(),
            program: program.to_owned(),
            kind: Kind::Peer(peer),
        })
    }

    /// The arguments of each of its algorithms for a row, the model included.
    pub fn commands(&self, row: &Row, model: &Path) -> Vec<Vec<String>> {
        let model = model.display().to_string();
        match &self.kind {
            Kind::Merkhet(further) => {
                let mut arguments = vec!["check".to_owned(), model];
                if let Some(query) = &row.query {
                    arguments.extend(["-q".to_owned(), query.clone()]);
                }
                arguments.extend(["--format", "json", "--trace", "none"].map(str::to_owned));
                arguments.extend(row.ours.iter().chain(further).cloned());
                vec![arguments]
            }
            Kind::Peer(_) => {
                let algorithms = row.peers.get(&self.name).into_iter().flatten();
                algorithms
                    .map(|algorithm| {
                        let mut arguments = algorithm.clone();
                        arguments.push(model.clone());
                        arguments
                    })
                    .collect()
            }
        }
    }

    /// The arguments as the table shows them.
    pub fn shown(&self, row: &Row, command: usize) -> String {
        match &self.kind {
            Kind::Merkhet(further) => {
                let query = row.query.iter().map(|query| format!("-q '{query}'"));
                let others = row.ours.iter().chain(further).cloned();
                query.chain(others).collect::<Vec<_>>().join(" ")
            }
            Kind::Peer(_) => row
                .peers
                .get(&self.name)
                .and_then(|algorithms| algorithms.get(command))
                .map(|algorithm| algorithm.join(" "))
                .unwrap_or_default(),
        }
    }

    /// What a run reported; `goal`: a query was asked.
    pub fn read(&self, run: &Run, goal: bool) -> Outcome {
        match &self.kind {
            Kind::Merkhet(_) => read_merkhet(run, goal),
            Kind::Peer(Peer::TChecker) => read_tchecker(run, goal),
        }
    }
}

/// The JSON report of `merkhet check`.
fn read_merkhet(run: &Run, goal: bool) -> Outcome {
    let report = run.json();
    let result = &report["results"][0];
    let verdict = result["verdict"].as_str();
    let mut problem = run.problem(&[0, 1]);
    if problem.is_none() && !matches!(verdict, Some("satisfied" | "violated")) {
        problem = Some(format!("verdict {}", verdict.unwrap_or("missing")));
    }
    Outcome {
        explored: result["explored"].as_u64(),
        stored: result["stored"].as_u64(),
        answer: match (&problem, goal) {
            (Some(_), _) => None,
            (None, true) => verdict.map(str::to_owned),
            (None, false) => Some("explored".into()),
        },
        problem,
    }
}

/// Lines such as `VISITED_STATES 12` of `tck-reach`. Its labels stand for `E<>` goals.
fn read_tchecker(run: &Run, goal: bool) -> Outcome {
    let value = |name: &str| {
        run.stdout.lines().find_map(|line| {
            let (key, value) = line.split_once(' ')?;
            (key == name).then(|| value.trim())
        })
    };
    let number = |name: &str| value(name).and_then(|value| value.parse().ok());
    let reachable = value("REACHABLE");
    let problem = run.problem(&[0]).or_else(|| match reachable {
        None => Some("no result".into()),
        Some(_) => None,
    });
    Outcome {
        explored: number("VISITED_STATES"),
        stored: number("STORED_STATES"),
        answer: match (&problem, goal, reachable) {
            (Some(_), ..) => None,
            (None, false, _) => Some("explored".into()),
            (None, true, Some("true")) => Some("satisfied".into()),
            (None, true, _) => Some("violated".into()),
        },
        problem,
    }
}

#[cfg(test)]
mod tests {
    use super::{read_merkhet, read_tchecker};
    use crate::program::{End, Run};
    use merkhet_bench::race::Sample;

    fn run(code: i32, stdout: &str) -> Run {
        Run {
            end: End::Code(code),
            stdout: stdout.into(),
            stderr: String::new(),
            sample: Sample {
                cpu: 1.0,
                wall: 1.0,
                memory: 1,
            },
            time: 1.0,
        }
    }

    #[test]
    fn our_report_is_read() {
        let text = r#"{"results": [{"verdict": "violated", "explored": 7, "stored": 5}]}"#;
        let outcome = read_merkhet(&run(1, text), true);
        assert_eq!((outcome.explored, outcome.stored), (Some(7), Some(5)));
        assert_eq!(outcome.answer.as_deref(), Some("violated"));
        let unknown = text.replace("violated", "unknown");
        let outcome = read_merkhet(&run(3, &unknown), true);
        assert!(outcome.answer.is_none() && outcome.problem.is_some());
        assert!(read_merkhet(&run(0, "no JSON"), false).problem.is_some());
    }

    #[test]
    fn tcheckers_report_is_read() {
        let text = "MEMORY_MAX_RSS 9\nREACHABLE true\nSTORED_STATES 4\nVISITED_STATES 6\n";
        let outcome = read_tchecker(&run(0, text), true);
        assert_eq!((outcome.explored, outcome.stored), (Some(6), Some(4)));
        assert_eq!(outcome.answer.as_deref(), Some("satisfied"));
        let outcome = read_tchecker(&run(0, text), false);
        assert_eq!(outcome.answer.as_deref(), Some("explored"));
        // It ends with 0 after some errors, without a result.
        assert!(read_tchecker(&run(0, ""), true).problem.is_some());
    }
}
