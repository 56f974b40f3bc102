//! Arguments of `merkhet check`.

mod cluster;
mod lattice;
mod options;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use merkhet::HeuristicSpec;

pub use self::cluster::{ClusterArgs, NUMBERS};
pub use self::lattice::{LatticeArgs, LatticeUpdate};
use self::options::parse_abstraction;
pub use self::options::{
    Abstraction, Engine, Extrapolation, Inclusion, Patterns, Prune, Reduction, ReportFormat,
    Symmetry, Tie, TraceKind,
};
use crate::progress::ProgressForm;
use crate::view::human::TraceStyle;

use super::values::heuristic::{heuristic_help, heuristic_long_help, parse_heuristic};
use super::values::{parse_cache, parse_duration, parse_memory};

const AFTER_HELP: &str = "\
Examples:
  merkhet check examples/fischer.xml
      Check the queries that stand in the model.
  merkhet check model.xta queries.q
      Check the queries of a file.
  merkhet check model.xml -q 'A[] not deadlock' -q 'E<> Train(0).Bridge'
      Check these queries instead.
  merkhet check examples/fischer-flawed.xml --trace shortest
      Show a run with as few transitions as possible.
  merkhet check examples/fischer-flawed.xml --trace-style diagram --trace-out run.svg
      Show a run as a message-sequence chart, in the terminal and as a picture.
  merkhet check model.xml -q 'A[] safe' --checkpoint run.ckpt --timeout 1h
  merkhet check model.xml -q 'A[] safe' --checkpoint run.ckpt --resume
      Work for an hour, and go on another day. A killed run goes on from its last checkpoint.
  merkhet check models/ 'more/*.xta' --jobs 4 --format junit
      Check all models of a folder and those of a pattern, four at a time, for a CI system.
  merkhet check model.xml --timeout 5m --memory-limit 8GiB --format json
      Give up in time, and report to a program. A query that was not decided is `unknown`.

  merkhet check model.xta queries.q --search greedy --heuristic pa --pdb-out model.pdb
      Follow pattern databases to the goal, and keep them for the next time (--pdb-in model.pdb).

  merkhet check arbiter.smv -q 'AG (request -> AF granted)'
      Check a finite model with decision diagrams: CTL, LTL and invariants.
  merkhet check arbiter.smv --search guided --abstract 'keep=c0.*,c1.*'
      Find an error by a pattern database of these variables; without --abstract the program chooses.
  merkhet check examples/lattice/database.xta examples/lattice/database.q --lattice cegar
      Join lattice elements and take joins back that lead astray (see docs/book/src/lattices.md).
  merkhet check models --expect
      Tell where a verdict is not the one that a model's file records.

Verdicts: `satisfied`, `violated`, or `unknown` with the reason. Giving up never reads as `violated`.
Exit codes: 0 all satisfied, 1 some violated, 2 bad usage, model or query, or a fault at run time, 3 some unknown and none violated.";

/// Arguments of `merkhet check`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct CheckArgs {
    /// The model: .xml, .xta, .ta, .tck or .smv; or a folder or a pattern such as 'models/*.xml', for many models.
    pub model: PathBuf,

    /// A file of queries (.q), used instead of those in the model; or a further model. Without it and -q, MODEL.q beside
    /// a model of UPPAAL is used only where the model has no queries.
    pub queries: Option<PathBuf>,

    /// Further models, folders and patterns.
    pub more: Vec<PathBuf>,

    /// A query, used instead of those in the model; may be repeated.
    #[arg(short, long, value_name = "QUERY")]
    pub query: Vec<String>,

    /// The trace to show for a query that has one.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = TraceKind::Some)]
    pub trace: TraceKind,

    /// Show up to N different traces, short ones first (E<> and A[]).
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub all_traces: Option<u32>,

    /// Compare each verdict with the one that the model's file records for its query: that of `<expect>`, or else UPPAAL's last
    /// result. Exit code 1 where one differs, 0 where none does, 3 where a recorded one could not be decided.
    #[arg(long, conflicts_with = "query")]
    pub expect: bool,

    /// How a trace is shown to people; `full` also puts whole states into JSON.
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = TraceStyle::Short)]
    pub trace_style: TraceStyle,

    /// Write the trace to a file; its ending decides the form: .svg (a message-sequence chart), .txt, .json, .xtr.
    ///
    /// With several queries each file's name gets the number of its query.
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<PathBuf>,

    /// With several models, a folder or a pattern: how many are checked at the same time; by default one for each core.
    #[arg(long, short, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,

    /// Say which searches were made one after the other, what each did and why it ended.
    #[arg(long, short)]
    pub verbose: bool,

    /// How progress is told on standard error.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ProgressForm::Auto)]
    pub progress: ProgressForm,

    /// Take options that have no effect: the model is one of many, and they may have one on others.
    #[arg(long, hide = true)]
    pub one_of_many: bool,

    /// Set a number that was measured, for experiments.
    #[arg(long = "set", value_name = "NAME=VALUE", hide = true)]
    pub set: Vec<String>,

    /// The form of the report.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ReportFormat::Human)]
    pub format: ReportFormat,

    /// The order in which states are explored, by name.
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    #[arg(help = search_help(false), long_help = search_help(true))]
    pub search: Option<String>,

    /// The estimate of the distance to the goal.
    #[arg(long, value_name = "NAME", value_parser = parse_heuristic, help_heading = "Search")]
    #[arg(help = heuristic_help(), long_help = heuristic_long_help())]
    pub heuristic: Option<HeuristicSpec>,

    /// Save the pattern databases that --heuristic pa makes to this file.
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub pdb_out: Option<PathBuf>,

    /// Use the pattern databases of this file; those of another model or goal are refused.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Search",
        conflicts_with = "pdb_out"
    )]
    pub pdb_in: Option<PathBuf>,

    /// Which of several states with the same estimate comes first.
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Search")]
    pub tie: Option<Tie>,

    /// The entries of the table of heuristic values, or off; 256000 by default, none for astar.
    #[arg(long, value_name = "N", value_parser = parse_cache, help_heading = "Search")]
    pub heuristic_cache: Option<usize>,

    /// Start anew after this many states, then after twice as many, and so on, each time with another seed and ties broken
    /// at random: for rdfs, greedy and preferred search.
    #[arg(long, value_name = "STATES", help_heading = "Search")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub restarts: Option<u64>,

    /// The seed of random choices: those of auto, rdfs and walk, of --tie random and --restarts, and of shorter traces. The
    /// same seed and one thread give the same run.
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub seed: Option<u64>,

    /// The number of threads that search for a goal or explore everything; other queries use one. The verdict does not
    /// depend on it, the trace and the number of states may.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// How zones are made finitely many; the default fits the model and the query.
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Search")]
    pub extrapolation: Option<Extrapolation>,

    /// When a stored zone covers a new one; by default `adaptive`, and `zone` where the query asks about deadlock or the model
    /// compares clocks with each other.
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Search")]
    pub inclusion: Option<Inclusion>,

    /// Remember only hashes of states: less memory, but a state may be missed, and then the verdict is `unknown`.
    #[arg(long, help_heading = "Search")]
    pub bitstate: bool,

    /// Put off transitions in greedy search: `useless`, those that do not bring the goal nearer; `context`, those that have
    /// little to do with the transition before, in as many levels as `context:5` says. What they lead to comes later, not
    /// never.
    #[arg(long, value_name = "WHICH", help_heading = "Search")]
    pub prune: Option<Prune>,

    /// Remove parts of the model that cannot matter, first: `safe`, `coi`, both as `coi,safe`, or `none`. Runs are of
    /// the whole model all the same. By default `--search auto` removes what is safe.
    #[arg(long, value_enum, value_name = "KINDS", help_heading = "Search")]
    #[arg(num_args = 0..=1, value_delimiter = ',', default_missing_value = "safe")]
    pub reduce: Option<Vec<Reduction>>,

    /// Tell states apart that differ only in variables whose values are not read any more before they are written.
    #[arg(long, help_heading = "Search")]
    pub keep_dead_variables: bool,

    /// One state for all that differ only by a permutation of interchangeable processes (E<> and A[]), which are found
    /// without a scalar type. Traces are of the model as it is. Not with --certificate. By default `none`.
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Search")]
    pub symmetry: Option<Symmetry>,

    /// What sets of states are stored as; the default fits the model.
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Search")]
    pub engine: Option<Engine>,

    /// A file with the order of the variables in decision diagrams, one name a line.
    #[arg(long, value_name = "FILE", help_heading = "Decision diagrams")]
    pub order: Option<PathBuf>,

    /// Look for a better order of the variables (by sifting) as soon as the diagrams grow.
    ///
    /// Without it, that is done when they are very large, unless --order gives one. Worth a try where the diagrams are
    /// large: it costs time, and may save much more.
    #[arg(long, help_heading = "Decision diagrams")]
    pub reorder: bool,

    /// What a pattern database keeps: keep=NAME,… (PREFIX* for many), once for each database, or auto.
    #[arg(
        long = "abstract",
        value_name = "WHAT",
        help_heading = "Decision diagrams"
    )]
    #[arg(value_parser = parse_abstraction)]
    pub abstraction: Vec<Abstraction>,

    /// The time for building pattern databases: 60s if nothing is said.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = "Decision diagrams")]
    pub abstract_time: Option<Duration>,

    /// How pattern databases are stored: `list` if nothing is said.
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        help_heading = "Decision diagrams"
    )]
    pub patterns: Option<Patterns>,

    /// Options for models with lattice variables.
    #[command(flatten)]
    pub lattices: LatticeArgs,

    /// Options for several processes.
    #[command(flatten)]
    pub cluster: ClusterArgs,

    /// Write the search down in this file (with --hosts, in this folder, which all processes must see) now and then, and when a limit ends it; needs a single query, E<> or A[]. A
    /// checkpoint that is there already is kept: go on from it with --resume, or remove it.
    #[arg(long, value_name = "FILE", help_heading = "Limits")]
    pub checkpoint: Option<PathBuf>,

    /// How often the search is written down.
    #[arg(long, value_name = "DURATION", default_value = "5m", value_parser = parse_duration)]
    #[arg(requires = "checkpoint", help_heading = "Limits")]
    pub every: Duration,

    /// Go on from what the checkpoint file holds; the same model, query and options are needed.
    #[arg(long, requires = "checkpoint", help_heading = "Limits")]
    pub resume: bool,

    /// Give up on a query after this time, such as 250ms, 60s, 5m, 1h30m or 2d; a bare number counts seconds.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// Give up on a query beyond this much memory, such as 500MB (10^6 bytes) or 8GiB (2^30); K, M, G and T alone are
    /// powers of 1024, a bare number counts bytes; at least 16MiB. The program ends at the latest when it takes a tenth
    /// more, or 8 MiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, help_heading = "Limits")]
    pub memory_limit: Option<u64>,

    /// Give up on a query after exploring (expanding) this many states.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<u64>,

    /// Write the proof of a query that is decided by exhausting the state space, once the checker of `merkhet certify` has
    /// accepted it; needs a single query.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Do not check the certificate before it is written; the report says so.
    #[arg(long, requires = "certificate")]
    pub no_certify: bool,
}

/// What `--search` takes: the names, or a line about each.
pub fn search_help(long: bool) -> String {
    let names = |list: &[merkhet::Spec]| {
        let names: Vec<&str> = list.iter().map(|spec| spec.name).collect();
        names.join(", ")
    };
    let short = format!(
        "The search: {}; with decision diagrams {}",
        names(merkhet::ALL_SEARCHES),
        names(merkhet::DIAGRAM_SEARCHES)
    );
    let lines = |list: &[merkhet::Spec]| -> String {
        let line = |spec: &merkhet::Spec| format!("\n  {}: {}", spec.name, spec.summary);
        list.iter().map(line).collect()
    };
    match long {
        false => short,
        true => format!(
            "The search, `auto` where nothing is said:{}\n\nWith decision diagrams:{}",
            lines(merkhet::ALL_SEARCHES),
            lines(merkhet::DIAGRAM_SEARCHES)
        ),
    }
}

impl CheckArgs {
    /// The file by which a checkpoint is known: with several processes the head in their folder.
    pub fn checkpoint_file(&self) -> Option<PathBuf> {
        let path = self.checkpoint.as_ref()?;
        Some(match self.cluster.hosts {
            Some(_) => crate::checkpoint::parts::head_of(path),
            None => path.clone(),
        })
    }

    /// All files of the command line.
    pub fn files(&self) -> Vec<PathBuf> {
        let first = std::iter::once(&self.model).chain(&self.queries);
        first.chain(&self.more).cloned().collect()
    }
}
