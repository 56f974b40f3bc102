//! `cargo xtask auto --families`: the automatic search next to every single configuration on families with an error, with
//! the best of these for each model (the virtual best): training families, and test families that nothing was tuned on.

mod render;

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::run::Cell;
use super::{Options, run::fingerprint};
use crate::corpus::target_folder;
use crate::program::{End, Limit, run as run_program};
use crate::progress::Progress;
use crate::publish::Published;
use crate::race::{shared, write};

/// The models, with the part that each belongs to.
const MODELS: &str = include_str!("../../families.tsv");

/// The single configurations, with their arguments; auto comes last.
pub const CONFIGURATIONS: &[(&str, &[&str])] = &[
    ("bfs", &["--search=bfs"]),
    ("dfs", &["--search=dfs"]),
    ("rdfs", &["--search=rdfs", "--seed=1"]),
    ("largest", &["--search=largest"]),
    ("greedy hu", &["--search=greedy", "--heuristic=hu"]),
    ("greedy hl", &["--search=greedy", "--heuristic=hl"]),
    ("greedy hcg", &["--search=greedy", "--heuristic=hcg"]),
    ("preferred hu", &["--search=preferred", "--heuristic=hu"]),
    ("walk ret", &["--search=walk:ret", "--seed=1"]),
    ("walk guided", &["--search=walk:guided", "--seed=1"]),
    ("auto", &["--search=auto", "--seed=1"]),
];

/// The summary of each part.
pub const PUBLISHED: Published = Published {
    document: "docs/tables/families.md",
    task: "auto --families",
    header: &[
        "families",
        "models",
        "found by auto",
        "by the virtual best",
        "CPU: geometric mean",
        "worst",
        "states: geometric mean",
        "worst",
    ],
    key: 1,
};

/// A model with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub part: String,
    pub family: String,
    /// What it is called in tables.
    pub name: String,
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// The arguments of `merkhet generate`.
    Generated(Vec<String>),
    /// A path below the folder of shared collections.
    Shared(String),
}

/// A model with what each configuration did.
pub struct Row {
    pub instance: Instance,
    pub cells: Vec<Cell>,
}

/// Runs the configurations on the models.
pub(super) fn run(options: &Options, program: &Path) -> Result<(), String> {
    let mut instances = parse(MODELS)?;
    instances.retain(|instance| instance.name.contains(&options.filter));
    if options.smallest {
        instances = smallest();
    }
    let folder = target_folder().join("auto-families");
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let progress = Progress::open(
        &target_folder().join("auto-families.tsv"),
        options.go_on,
        2,
        CONFIGURATIONS.len(),
    )?;
    let build = fingerprint(program)?;
    let mut rows = Vec::new();
    for (at, instance) in instances.iter().enumerate() {
        let name = [&*build, &*instance.name];
        let known = progress.known(&name).and_then(|cells| {
            let cells = cells.iter().map(|cell| Cell::parse(cell));
            cells.collect::<Option<Vec<Cell>>>()
        });
        let cells = match known {
            Some(cells) => cells,
            None if options.known => continue,
            None => {
                let Some(path) = instance.path(program, &folder)? else {
                    println!("{}: the model is not here", instance.name);
                    continue;
                };
                let cells = measure(program, &path, options.timeout)?;
                let texts: Vec<String> = cells.iter().map(Cell::text).collect();
                progress.add(&name, &texts)?;
                cells
            }
        };
        let row = Row {
            instance: instance.clone(),
            cells,
        };
        println!("{}/{} {}", at + 1, instances.len(), render::line(&row));
        rows.push(row);
    }
    let (text, summary) = render::markdown(&rows, options.timeout);
    let path = target_folder().join("auto-families.md");
    write(&path, &text)?;
    println!("\n{text}\nIn {}", path.display());
    if rows.is_empty() {
        return Err("no model was run".into());
    }
    match options.publish {
        true => PUBLISHED.write(&summary, program),
        false => Ok(()),
    }
}

fn measure(program: &Path, path: &Path, seconds: u64) -> Result<Vec<Cell>, String> {
    let cell = |(name, arguments): &(&str, &[&str])| {
        let words = [
            "check".to_owned(),
            path.display().to_string(),
            "--format=json".to_owned(),
            "--trace=none".to_owned(),
            "--memory-limit=2GiB".to_owned(),
        ];
        let words = words
            .into_iter()
            .chain(arguments.iter().map(|word| (*word).to_owned()));
        let limit = Limit::Cpu(Duration::from_secs(seconds));
        let run = run_program(program, words, limit, None)?;
        match run.end {
            End::Code(2) => Err(format!("{} {name}: {}", path.display(), run.stderr.trim())),
            _ => Ok(Cell::of(&run)),
        }
    };
    CONFIGURATIONS.iter().map(cell).collect()
}

impl Instance {
    /// The file, which is written first where it is generated; `None` if it is not here.
    fn path(&self, program: &Path, folder: &Path) -> Result<Option<PathBuf>, String> {
        match &self.place {
            Place::Shared(path) => {
                let path = shared().join(path);
                Ok(path.is_file().then_some(path))
            }
            Place::Generated(words) => {
                let generate = |further: &[&str]| {
                    let words = words.iter().map(String::as_str);
                    let words = ["generate"]
                        .into_iter()
                        .chain(words)
                        .chain(further.iter().copied());
                    let run =
                        run_program(program, words, Limit::Clock(Duration::from_secs(60)), None)?;
                    match run.problem(&[0]) {
                        None => Ok(run.stdout),
                        Some(problem) => Err(format!("{}: {problem}", self.name)),
                    }
                };
                let path = folder.join(format!("{}.xta", words.join("-")));
                let mut text = generate(&[])?;
                if !text.contains("\nquery {") {
                    text += &format!("\nquery {{\n{}}}\n", generate(&["--query"])?);
                }
                write(&path, &text)?;
                Ok(Some(path))
            }
        }
    }
}

/// Two models that need nothing but the program.
fn smallest() -> Vec<Instance> {
    let text = "training\tfischer-a\tgenerate fischer-a 3\ntest\tdining\tgenerate dining 3\n";
    parse(text).unwrap_or_default()
}

fn parse(text: &str) -> Result<Vec<Instance>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| parse_line(line).ok_or(format!("families.tsv: {line}")))
        .collect()
}

fn parse_line(line: &str) -> Option<Instance> {
    let mut cells = line.split('\t');
    let (part, family, place) = (cells.next()?, cells.next()?, cells.next()?);
    let (kind, rest) = place.split_once(' ')?;
    let (name, place) = match kind {
        "generate" => {
            let words = rest.split(' ').map(str::to_owned).collect();
            (rest, Place::Generated(words))
        }
        "shared" => (rest.rsplit('/').next()?, Place::Shared(rest.to_owned())),
        _ => return None,
    };
    ["training", "test"].contains(&part).then(|| Instance {
        part: part.to_owned(),
        family: family.to_owned(),
        name: name.to_owned(),
        place,
    })
}

#[cfg(test)]
mod tests {
    use super::{MODELS, Place, parse, smallest};

    #[test]
    fn no_family_is_in_both_parts() {
        let all = parse(MODELS).expect("a good file");
        for one in &all {
            let other =
                |other: &&super::Instance| other.family == one.family && other.part != one.part;
            assert_eq!(all.iter().find(other), None, "{one:?}");
        }
        let repositories = |part: &str| -> Vec<String> {
            let paths = all.iter().filter_map(|one| match &one.place {
                Place::Shared(path) if one.part == part => {
                    path.split('/').nth(2).map(str::to_owned)
                }
                _ => None,
            });
            paths.collect()
        };
        let training = repositories("training");
        assert!(
            repositories("test")
                .iter()
                .all(|name| !training.contains(name))
        );
        assert_eq!(smallest().len(), 2);
    }
}
