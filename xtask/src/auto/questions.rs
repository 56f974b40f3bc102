//! What is asked: the papers' instances, the rows of the race, and the collection of real models.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use merkhet_bench::race::{Place, ROWS, parse};

use super::Options;
use crate::corpus::table::{get, read};
use crate::corpus::{corpus_folder, model_path, target_folder};
use crate::race::{shared, write};
use crate::steps::workspace_root;

/// Where a question comes from. Each group has tables of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The instances of the papers, all with an error.
    Papers,
    /// The rows of the race, and proofs about the same models.
    Race,
    /// The real models.
    Corpus,
    /// The project's own example.
    Own,
}

impl Group {
    pub const ALL: [Group; 4] = [Group::Papers, Group::Race, Group::Corpus, Group::Own];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Group::Papers => "The papers' instances",
            Group::Race => "The models of the race",
            Group::Corpus => "The corpus",
            Group::Own => "The project's own example",
        }
    }
}

/// A query of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub group: Group,
    pub file: String,
    pub path: PathBuf,
    /// Empty: everything is to be seen.
    pub query: String,
    pub repository: String,
}

/// The papers' instances.
const PAPERS: [&str; 17] = [
    "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "M1", "M2", "M3", "M4", "N1", "N2", "N3",
    "N4",
];

/// Proofs that need all states of models of the race: where nothing is asked, the automatic search follows nothing.
const PROOFS: [(&str, &str); 12] = [
    ("fischer_8_10_10", "A[] not (cs1 and cs2)"),
    ("fischer_9_10_10", "A[] not (cs1 and cs2)"),
    ("csmacd_9_808_26", BUS_IDLE),
    ("csmacd_10_808_26", BUS_IDLE),
    ("csmacd_9_808_26", BOTH_SEND),
    ("csmacd_10_808_26", BOTH_SEND),
    ("fddi_10_500_20_0", "A[] not deadlock"),
    ("fddi_11_550_20_0", "A[] not deadlock"),
    ("fddi_20_1000_20_0", "A[] not deadlock"),
    ("mutexloop_2_1_6", "A[] not deadlock"),
    ("scheduler_3_1_1", "A[] not deadlock"),
    ("scheduler_3_2_1", "A[] not deadlock"),
];
const BUS_IDLE: &str =
    "A[] not (Station1.Start and Station2.Start and Station3.Start and Bus.Idle)";
const BOTH_SEND: &str = "A[] not (Station1.Start and Station2.Start and x1 > 52 and x2 > 52)";

/// All questions that were asked for.
pub fn questions(options: &Options) -> Result<Vec<Question>, String> {
    if options.smallest {
        return Ok(own());
    }
    let mut list = race()?;
    list.push(flawed_fischer()?);
    list.extend(papers());
    list.retain(|question| question.file.contains(&options.filter));
    list.extend(corpus(options)?);
    Ok(list)
}

fn own() -> Vec<Question> {
    let queries = [
        "A[] not (Process(1).Critical and Process(2).Critical)",
        "E<> Process(1).Critical",
    ];
    let question = |query: &str| Question {
        group: Group::Own,
        file: "examples/fischer.xml".to_owned(),
        path: workspace_root().join("examples/fischer.xml"),
        query: query.to_owned(),
        repository: "merkhet".to_owned(),
    };
    queries.map(question).to_vec()
}

/// The project's flawed Fischer protocol with six processes: depth first in the store of a proof doubled its time.
fn flawed_fischer() -> Result<Question, String> {
    let original = workspace_root().join("examples/fischer-flawed.xml");
    let text = std::fs::read_to_string(&original)
        .map_err(|error| format!("{}: {error}", original.display()))?;
    let larger = text.replace("const int N = 4;", "const int N = 6;");
    if larger == text {
        return Err("examples/fischer-flawed.xml does not begin with four processes".into());
    }
    let path = target_folder().join("fischer-flawed-6.xml");
    write(&path, &larger)?;
    Ok(Question {
        group: Group::Race,
        file: "fischer-flawed-6.xml".to_owned(),
        path,
        query: "A[] not deadlock".to_owned(),
        repository: "merkhet".to_owned(),
    })
}

fn race() -> Result<Vec<Question>, String> {
    let mut list: Vec<Question> = Vec::new();
    let question = |path: &Path, file: &str, query: &str| Question {
        group: Group::Race,
        file: file.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        repository: "race".to_owned(),
    };
    for row in parse(ROWS)? {
        let Place::Shared(file) = &row.model else {
            continue;
        };
        let path = shared().join(file);
        let query = row.query.as_deref().unwrap_or_default();
        let new = question(&path, file, query);
        // Rows differ in what other programs do.
        if path.is_file() && !list.contains(&new) {
            list.push(new);
        }
    }
    for (name, query) in PROOFS {
        let file = format!("peers/models/{name}.tck");
        let path = shared().join(&file);
        if path.is_file() {
            list.push(question(&path, &file, query));
        }
    }
    Ok(list)
}

fn papers() -> Vec<Question> {
    let question = |name: &str| {
        let file = format!("benchmarks/{name}.xta");
        let path = shared().join(&file);
        let query = std::fs::read_to_string(path.with_extension("q")).ok()?;
        Some(Question {
            group: Group::Papers,
            file,
            path,
            query: query.trim().to_owned(),
            repository: "papers".to_owned(),
        })
    };
    PAPERS.into_iter().filter_map(question).collect()
}

fn corpus(options: &Options) -> Result<Vec<Question>, String> {
    let Some(corpus) = corpus_folder() else {
        return Err("the collection of models is not here; set MERKHET_SHARED".into());
    };
    let mut taken = HashMap::new();
    let mut list = Vec::new();
    for row in read(&corpus.join("oracle.tsv"))? {
        let (file, query) = (get(&row, "file"), get(&row, "query").trim());
        let reachability = query.starts_with("A[]") || query.starts_with("E<>");
        if !reachability || get(&row, "symbolic") != "yes" || !file.contains(&options.filter) {
            continue;
        }
        let repository = get(&row, "repo").to_owned();
        let count: &mut usize = taken.entry(repository.clone()).or_default();
        *count += 1;
        if *count <= options.per_repository {
            list.push(Question {
                group: Group::Corpus,
                file: file.to_owned(),
                path: model_path(&corpus, file),
                query: query.to_owned(),
                repository,
            });
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::{flawed_fischer, own, race};

    #[test]
    fn questions_have_models() {
        for question in own() {
            assert!(question.path.is_file(), "{question:?}");
        }
        assert!(flawed_fischer().is_ok_and(|question| question.path.is_file()));
        // Rows that differ in other programs' algorithms only come once.
        let list = race().expect("good rows");
        for (at, question) in list.iter().enumerate() {
            assert!(!list[..at].contains(question), "{question:?}");
        }
    }
}
