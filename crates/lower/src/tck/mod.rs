//! TChecker's flat models to networks.
//!
//! The meaning is that of TChecker 0.8 (its file-format document and its sources):
//!
//! - **Asynchronous and synchronous.** An edge whose event occurs in no vector together with its process goes alone.
//!   Otherwise it only goes as part of a vector: one edge of each strong participant, their updates in the order of the
//!   vector. See `synchronise.rs` for how vectors of two become channels.
//! - **Weak participants** take part if their location has an edge with the event, whatever its guard says; TChecker
//!   therefore refuses guards on such edges, and so do we.
//! - **Urgent** locations stop time. **Committed** ones do too, and the next transition involves a process that is at
//!   one: the same as in UPPAAL.
//! - **Out of range.** An assignment that leaves its variable's range does not exist, by the document
//!   ([`OutOfRange::Disable`]); `tck-reach` 0.8 itself stops with an error there. An index out of range, a division by
//!   zero and an arithmetic overflow are faults for us; `tck-reach` stops, crashes and wraps.
//! - **Guards** are evaluated before any update, all data first; **invariants** after all updates. Both may read data.
//! - **Several initial locations** of a process are possible. A network has one, so a start location is put in front,
//!   and one transition of all processes concerned chooses (`initial.rs`): one state and one transition more.
//! - Clock conditions cannot be negated nor be used in `if`, `while` or conditional expressions. TChecker accepts the
//!   latter and takes them for true; we report an error.

mod constraint;
mod expression;
mod initial;
mod names;
mod port;
mod query;
mod statement;
mod synchronise;
#[cfg(test)]
mod tests;

pub use query::{explore_query, lower_label_query, lower_label_query_as};

use merkhet_network::{Network, OutOfRange, Owner, Site, SiteId};
use merkhet_syntax::{Diagnostic, FileId, SourceMap, Span};
use merkhet_tck::tree::System;
use names::Symbol;
use rustc_hash::FxHashMap;

/// After this many messages a broken model is given up.
const MAX_DIAGNOSTICS: usize = 100;

/// The most clocks: a zone is a matrix of their square.
const MAX_CLOCKS: usize = 1 << 10;

/// The most cells of variables, and of local variables of one edge.
const MAX_CELLS: usize = 1 << 20;

/// The most edges, with the copies that synchronisation makes.
const MAX_EDGES: usize = 1 << 21;

/// A part could not be lowered; the reason has been reported.
#[derive(Debug)]
struct Broken;

type Lower<T> = Result<T, Broken>;

/// Lowers a model; `sources` holds its text, for the positions that run-time faults refer to.
///
/// The network is `Some` if no diagnostic is an error.
pub fn lower_tck(system: &System, sources: &SourceMap) -> (Option<Network>, Vec<Diagnostic>) {
    let mut lowering = Lowering {
        system,
        sources,
        network: Network {
            out_of_range: OutOfRange::Disable,
            ..Network::default()
        },
        symbols: FxHashMap::default(),
        processes: FxHashMap::default(),
        locations: FxHashMap::default(),
        events: FxHashMap::default(),
        diagnostics: Vec::new(),
        failed: false,
    };
    // Every part reports what is wrong with it; the ones that do not depend on it go on.
    let declared = lowering.declare();
    if declared.is_ok() {
        lowering.fill_locations();
        if lowering.fill_edges().is_ok() && !lowering.failed {
            initial::choose(&mut lowering);
        }
    }
    let good = declared.is_ok() && !lowering.failed;
    (good.then_some(lowering.network), lowering.diagnostics)
}

/// The state of lowering one model.
struct Lowering<'t> {
    system: &'t System,
    sources: &'t SourceMap,
    network: Network,
    /// Variables and clocks by name.
    symbols: FxHashMap<String, Symbol>,
    /// Processes by name.
    processes: FxHashMap<&'t str, usize>,
    /// Locations by process and name.
    locations: FxHashMap<(usize, &'t str), usize>,
    /// Events by name.
    events: FxHashMap<&'t str, usize>,
    diagnostics: Vec<Diagnostic>,
    /// Whether there was an error, kept or not.
    failed: bool,
}

impl Lowering<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.failed |= diagnostic.is_error();
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    fn fail<T>(&mut self, code: &'static str, message: impl Into<String>, span: Span) -> Lower<T> {
        self.report(Diagnostic::error(code, message, span));
        Err(Broken)
    }

    /// A source position for run-time faults.
    fn site(&mut self, span: Span, context: &str) -> SiteId {
        let id = SiteId::from(self.network.sites.len());
        let position = self.sources.start(span);
        let file = self.sources.file(FileId::MODEL);
        self.network.sites.push(Site {
            file: file.map_or_else(String::new, |file| file.name().to_owned()),
            line: position.map_or(0, |position| position.line),
            column: position.map_or(0, |position| position.column),
            context: context.to_owned(),
            text: self.sources.text(span).unwrap_or("").to_owned(),
            owner: Owner::Process,
        });
        id
    }
}
