//! What the page and the server say to each other: JSON bodies of `POST /api/…`, answers alike.
//!
//! `page/src/protocol.ts` holds these types in TypeScript; a test fails where it is stale, and renews it where
//! `MERKHET_PROTOCOL=update` is set. Another
//! engine can stand behind the same page: it has to answer these messages.

use serde::{Deserialize, Serialize};

/// Derives what every message has: serde, and its twin in TypeScript where tests are built.
macro_rules! messages {
    ($($(#[$attribute:meta])* $visibility:vis $kind:ident $name:ident $body:tt)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        $visibility $kind $name $body
    )*

    /// All messages but [`RunEvent`], in TypeScript.
    #[cfg(test)]
    fn in_typescript(config: &ts_rs::Config) -> Vec<String> {
        vec![$(<$name as ts_rs::TS>::decl(config)),*]
    }};
}

messages! {
    /// `POST /api/session`: the token of the printed address, which serves once.
    pub struct SessionRequest {
        /// The token.
        pub token: String,
    }

    /// The key that every other request carries as `Authorization: Bearer KEY`.
    pub struct Session {
        /// The key; it lives as long as the server.
        pub key: String,
    }

    /// Any request that could not be met.
    pub struct Problem {
        /// What is wrong, as a sentence.
        pub error: String,
        /// What to do about it.
        pub hint: Option<String>,
    }

    /// `POST /api/hello`: what this server is.
    pub struct Hello {
        /// The program's version.
        pub version: String,
        /// The folder that is open, for people.
        pub folder: String,
        /// The model to show first, if one was named.
        pub model: Option<String>,
        /// The searches that `check` knows.
        pub searches: Vec<Choice>,
        /// The heuristics that `check` knows.
        pub heuristics: Vec<Choice>,
        /// The families that `generate` knows.
        pub families: Vec<String>,
    }

    /// Something that can be chosen by name, with its help.
    pub struct Choice {
        /// The name as the command line takes it.
        pub name: String,
        /// One sentence.
        pub help: String,
    }

    /// `POST /api/files`: the models in the folder.
    pub struct Listing {
        /// The files, by path.
        pub files: Vec<ListedFile>,
        /// There are more than are listed.
        pub more: bool,
    }

    /// A model in the folder.
    pub struct ListedFile {
        /// The path from the folder, with `/`.
        pub path: String,
        /// The size in bytes.
        #[cfg_attr(test, ts(type = "number"))]
        pub bytes: u64,
    }

    /// `POST /api/open`: a file of the folder.
    pub struct OpenRequest {
        /// The path from the folder.
        pub path: String,
    }

    /// The text of a file.
    pub struct Opened {
        /// The path from the folder.
        pub path: String,
        /// The text.
        pub text: String,
        /// Names this content; saving asks for it.
        pub digest: String,
        /// Whether the text is the file to the letter: one that is not UTF-8 cannot be saved in place.
        pub exact: bool,
    }

    /// `POST /api/save`: writes a file of the folder, whole or not at all.
    pub struct SaveRequest {
        /// The path from the folder.
        pub path: String,
        /// The new text.
        pub text: String,
        /// The content that it replaces; none for a file that must not be there yet.
        pub was: Option<String>,
    }

    /// A file that was written.
    pub struct Saved {
        /// Names the new content.
        pub digest: String,
    }

    /// A model's text with the name that decides its language.
    pub struct Text {
        /// The file's name.
        pub name: String,
        /// The text.
        pub text: String,
    }

    /// How a model is understood: the answer to `POST /api/model`.
    pub struct ModelView {
        /// The language: `xml`, `xta`, `tck` or `smv`.
        pub language: String,
        /// Whether queries can be asked.
        pub usable: bool,
        /// Errors and warnings, lint included.
        pub diagnostics: Vec<Diagnostic>,
        /// The queries inside, in order.
        pub queries: Vec<QueryView>,
        /// The processes of the network.
        pub processes: Vec<ProcessView>,
        /// The variables of a state.
        pub variables: Vec<String>,
        /// The clocks.
        pub clocks: Vec<String>,
        /// The model in UPPAAL's XML, for a language that has no drawing of its own.
        pub drawing: Option<String>,
        /// What an SMV model consists of.
        pub system: Option<SystemView>,
        /// Names of the lattice types that the model uses.
        pub lattices: Vec<String>,
    }

    /// A finite system.
    pub struct SystemView {
        /// The variables with their types.
        pub variables: Vec<NamedText>,
    }

    /// A name with a text.
    pub struct NamedText {
        /// The name.
        pub name: String,
        /// The text.
        pub text: String,
    }

    /// A message about the model's text.
    pub struct Diagnostic {
        /// `error`, `warning` or `note`.
        pub severity: String,
        /// A stable name for this sort of message.
        pub code: String,
        /// What is wrong.
        pub message: String,
        /// What the author may do about it.
        pub hint: Option<String>,
        /// Line of the text, from 1.
        pub line: Option<u32>,
        /// Column of the text, from 1.
        pub column: Option<u32>,
        /// The template.
        pub template: Option<String>,
        /// The XML element.
        pub xpath: Option<String>,
        /// The query's number from 1, where it is about one.
        pub query: Option<u32>,
    }

    /// A query of a model.
    pub struct QueryView {
        /// The formula.
        pub text: String,
        /// The author's comment.
        pub comment: Option<String>,
        /// Whether it can be asked.
        pub readable: bool,
    }

    /// A process of the network.
    pub struct ProcessView {
        /// Its name.
        pub name: String,
        /// The template that it comes from.
        pub template: String,
        /// The names of its locations, in the template's order.
        pub locations: Vec<String>,
    }

    /// `POST /api/simulate`: walk along these steps and say what can come next.
    pub struct SimulateRequest {
        /// The model's name.
        pub name: String,
        /// The model's text.
        pub text: String,
        /// The steps taken so far.
        pub steps: Vec<Vec<Move>>,
    }

    /// A process takes an edge.
    pub struct Move {
        /// The process.
        pub process: String,
        /// The edge's number among those of the process, which has copies for the values of `select`.
        pub edge: u32,
        /// Its number among the edges of the template, from 0.
        pub origin: u32,
    }

    /// Where a walk has come to.
    pub struct Simulation {
        /// The states on the way, the initial one first.
        pub states: Vec<SymbolicView>,
        /// The transitions that can be taken in the last state.
        pub enabled: Vec<EnabledView>,
        /// There are more than are listed.
        pub more: bool,
        /// The exact time at which each step was taken, in a run that the judge accepted; absent where there is none.
        pub times: Option<Vec<String>>,
        /// Why nothing can come next, or a fault of the model there.
        pub remark: Option<String>,
    }

    /// A symbolic state.
    pub struct SymbolicView {
        /// The location of every process, in the order of the network.
        pub locations: Vec<String>,
        /// The value of every variable.
        pub values: Vec<i32>,
        /// The zone's constraints.
        pub zone: Vec<String>,
    }

    /// A transition that can be taken.
    pub struct EnabledView {
        /// The edges taken together.
        pub moves: Vec<Move>,
        /// In words.
        pub words: String,
        /// The channel, if two or more synchronise.
        pub channel: Option<String>,
    }

    /// `POST /api/run`: check one query. The answer is a stream of [`RunEvent`], one a line.
    pub struct RunRequest {
        /// The model's name.
        pub name: String,
        /// The model's text.
        pub text: String,
        /// The formula.
        pub query: String,
        /// The search, by default `auto`.
        pub search: Option<String>,
        /// The heuristic.
        pub heuristic: Option<String>,
        /// The trace wanted: `none`, `some`, `shortest` or `fastest`.
        pub trace: Option<String>,
        /// Most seconds.
        pub timeout: Option<f64>,
        /// Most memory, as `512MiB`.
        pub memory: Option<String>,
        /// Threads.
        pub threads: Option<u32>,
        /// The seed of random choices.
        #[cfg_attr(test, ts(type = "number | null"))]
        pub seed: Option<u64>,
    }

    /// `POST /api/cancel`.
    pub struct CancelRequest {
        /// The run's number.
        pub run: u32,
    }

    /// Nothing to say but that it was done.
    pub struct Done {
        /// Whether there was something to do.
        pub done: bool,
    }

    /// How far a run has come.
    pub struct Figures {
        /// Seconds since the start.
        pub time_s: f64,
        /// States expanded.
        #[cfg_attr(test, ts(type = "number"))]
        pub explored: u64,
        /// States stored.
        #[cfg_attr(test, ts(type = "number"))]
        pub stored: u64,
        /// States that wait.
        #[cfg_attr(test, ts(type = "number"))]
        pub waiting: u64,
        /// The depth reached.
        #[cfg_attr(test, ts(type = "number"))]
        pub depth: u64,
        /// Bytes in use.
        #[cfg_attr(test, ts(type = "number"))]
        pub memory_bytes: u64,
        /// The best estimate of the distance so far.
        #[cfg_attr(test, ts(type = "number | null"))]
        pub best_estimate: Option<u64>,
        /// Nodes of decision diagrams.
        #[cfg_attr(test, ts(type = "number"))]
        pub nodes: u64,
    }

    /// A family and a size.
    pub struct GenerateRequest {
        /// The family's name.
        pub family: String,
        /// The size.
        pub size: u32,
    }
}

/// A line of a run's stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum RunEvent {
    /// It has begun.
    Started {
        /// Its number, for cancelling.
        run: u32,
    },
    /// How far it has come.
    Progress {
        /// The figures.
        figures: Figures,
    },
    /// It has ended; `report` is what `merkhet check --format json` prints.
    Ended {
        /// The report, described by `docs/schema/report-1.schema.json`.
        #[cfg_attr(test, ts(type = "import('./report').Report"))]
        report: serde_json::Value,
        /// The program's exit code.
        exit: Option<i32>,
        /// What it said on standard error.
        messages: String,
    },
    /// It came to no report.
    Failed {
        /// Why.
        error: String,
    },
}

#[cfg(test)]
mod tests {
    use super::{RunEvent, in_typescript};
    use ts_rs::{Config, TS};

    #[test]
    fn the_page_knows_these_types() {
        let config = Config::default();
        let mut text =
            "// The messages of crates/web/src/protocol.rs, made by its test.\n".to_owned();
        for one in in_typescript(&config)
            .into_iter()
            .chain([RunEvent::decl(&config)])
        {
            text += &format!("\nexport {one}\n");
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/page/src/protocol.ts");
        if std::env::var_os("MERKHET_PROTOCOL").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let there = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(
            there, text,
            "`MERKHET_PROTOCOL=update cargo test -p merkhet-web` renews it"
        );
    }
}
