//! The papers' tables as data: instances, configurations, the papers' figures, and ours next to them.
//!
//! A table is a list of files with tabs, entered in [`TABLES`]. Each file starts with a header line:
//!
//! > `instance  configuration  model  query  options  note`, then one column for each figure.
//!
//! * `model`: a path below the workspace, `shared:PATH` below the folder of shared collections, or
//!   `generate:FAMILY VALUES` for a model that `merkhet generate` writes;
//! * `query`: `-` takes the generator's query, the file next to the model that ends in `.q`, or the queries inside;
//! * `options`: what `merkhet check` gets besides;
//! * `note`: `-`, or a remark; one that begins with `not comparable` keeps the row out of all means;
//! * figures: `time` is in seconds (ours: CPU time of the whole program), `memory` in MB, `trace` the number of
//!   transitions; any other name is a field of the JSON report's result, such as `explored`. The cell holds the paper's
//!   figure, `-` if it gives none, `>` if the paper's program ran out of time or memory there.
//!
//! `parse` reads the files, `compare` sets ours against theirs, `markdown`, `csv`, `html` and `figure` show it.

mod compare;
mod csv;
mod figure;
mod html;
mod markdown;
mod parse;

pub use compare::{Mean, means, ratio, worse};
pub use csv::csv;
pub use figure::figure;
pub use html::html;
pub use markdown::{body, markdown};
pub use parse::parse;

/// A table's entry in the list: its name, what it is, and its files.
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// What the table shows.
    pub title: &'static str,
    /// Where the figures come from.
    pub paper: &'static str,
    /// The files, as name and text.
    pub files: &'static [(&'static str, &'static str)],
}

/// Every table.
pub const TABLES: &[Entry] = &[
    Entry {
        name: "004",
        title: "d^L, d^U, h^L, h^U, h^CG and safe abstraction with greedy search",
        paper: "Wehrle, Helmert: The Causal Graph Revisited for Directed Model Checking (SAS 2009), Tables 1 and 2",
        files: &[
            ("004.tsv", include_str!("../../data/tables/004.tsv")),
            (
                "004-ours.tsv",
                include_str!("../../data/tables/004-ours.tsv"),
            ),
        ],
    },
    Entry {
        name: "001",
        title: "the abstract transition graph: greedy, A* and the automatic choice",
        paper: "Kupferschmid, Hoffmann, Dierks, Behrmann: Adapting an AI Planning Heuristic for Directed Model \
                Checking (SPIN 2006), section 5; figures where its text gives them",
        files: &[("001.tsv", include_str!("../../data/tables/001.tsv"))],
    },
    Entry {
        name: "002",
        title: "symbolic pattern databases: invariants of two asynchronous circuits with an error",
        paper: "Qian, Nymeyer: Guided Invariant Model Checking Based on Abstraction and Symbolic Pattern Databases \
                (TACAS 2004), Table 2",
        files: &[("002.tsv", include_str!("../../data/tables/002.tsv"))],
    },
    Entry {
        name: "003",
        title: "lattice automata: explicit, cover, join and refined joins",
        paper: "Dalsgaard, Hansen, Jørgensen, Larsen, Olesen, Olsen, Srba: opaal: A Lattice Model Checker (NFM 2011), \
                figures 4, 5 and 6, section 2.3",
        files: &[("003.tsv", include_str!("../../data/tables/003.tsv"))],
    },
    Entry {
        name: "000",
        title: "predicate abstraction heuristics next to h^L and h^U",
        paper: "Smaus, Hoffmann: Relaxation Refinement: A New Method to Generate Heuristic Functions, Tables 1 to 3",
        files: &[
            (
                "000-monotone.tsv",
                include_str!("../../data/tables/000-monotone.tsv"),
            ),
            (
                "000-abstraction.tsv",
                include_str!("../../data/tables/000-abstraction.tsv"),
            ),
        ],
    },
];

/// Where a model comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A path below the workspace.
    Workspace(String),
    /// A path below the folder of shared collections.
    Shared(String),
    /// The arguments of `merkhet generate`.
    Generated(Vec<String>),
}

/// What a paper says about a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Published {
    /// Nothing.
    Unknown,
    /// Its program ran out of time or memory.
    Unsolved,
    /// This.
    Value(f64),
}

/// One instance with one configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The instance, such as `C1`.
    pub instance: String,
    /// The configuration, such as `hU`.
    pub configuration: String,
    /// The model.
    pub model: Source,
    /// The query, if it does not come with the model.
    pub query: Option<String>,
    /// Options of `merkhet check`.
    pub options: Vec<String>,
    /// A remark.
    pub note: Option<String>,
    /// The paper's figures, in the order of [`Table::figures`].
    pub published: Vec<Published>,
}

impl Row {
    /// Whether the paper's figures are for the same model and question.
    pub fn is_comparable(&self) -> bool {
        let note = self.note.as_deref().unwrap_or("");
        !note.starts_with("not comparable")
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name on the command line.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Where the figures come from.
    pub paper: String,
    /// The names of the figures.
    pub figures: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// What came of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Our figures, in the order of [`Table::figures`].
    pub figures: Vec<Option<f64>>,
    /// Why there are none, or what is wrong with them.
    pub problem: Option<String>,
    /// Not run: the model is not here.
    pub skipped: bool,
}

/// Rows that were run, with what came of them.
#[derive(Clone, Debug)]
pub struct Results {
    /// The table, with the rows that were run only.
    pub table: Table,
    /// One for each row.
    pub measured: Vec<Measured>,
}

impl Results {
    /// The index of a figure.
    pub fn figure(&self, name: &str) -> Option<usize> {
        self.table.figures.iter().position(|known| known == name)
    }

    /// Our figure in a row.
    pub fn ours(&self, row: usize, figure: usize) -> Option<f64> {
        let measured = self.measured.get(row)?;
        measured.figures.get(figure).copied().flatten()
    }

    /// Instances in order of appearance.
    pub fn instances(&self) -> Vec<&str> {
        unique(self.table.rows.iter().map(|row| row.instance.as_str()))
    }

    /// Configurations in order of appearance.
    pub fn configurations(&self) -> Vec<&str> {
        unique(self.table.rows.iter().map(|row| row.configuration.as_str()))
    }
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

#[cfg(test)]
pub(crate) mod testing {
    use super::{Measured, Results, parse::parse_files};

    /// Two configurations on three instances; the paper's program fails on one row, ours on another.
    pub fn sample() -> Results {
        let text = "instance\tconfiguration\tmodel\tquery\toptions\tnote\texplored\ttime\n\
            C1\thU\tshared:C1.xta\t-\t--heuristic hu\t-\t100\t2.0\n\
            C2\thU\tshared:C2.xta\t-\t--heuristic hu\t-\t>\t>\n\
            C3\thU\tshared:C3.xta\t-\t--heuristic hu\tnot comparable: other model\t10\t-\n\
            C1\thL\tshared:C1.xta\t-\t--heuristic hl\t-\t50\t1.0\n";
        let table = parse_files("t", "a title", "a <paper>", &[("t.tsv", text)]).expect("good");
        let figures = |explored: f64, time: f64| Measured {
            figures: vec![Some(explored), Some(time)],
            ..Measured::default()
        };
        Results {
            table,
            measured: vec![
                figures(25.0, 0.1),
                figures(1000.0, 0.5),
                figures(1000.0, 0.5),
                figures(200.0, 0.1),
            ],
        }
    }
}
