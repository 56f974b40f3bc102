//! A network compiled for exploration.

use merkhet_analysis::{ClockBounds, Differences, Symmetry};
use merkhet_network::code::{CodeId, Layout, Program};
use merkhet_network::{EdgeId, LocationKind, Network, OutOfRange, ProcessId, Transition};
use merkhet_zones::bound::NO_BOUND;

use crate::compile::forget::Forgetting;
use crate::compile::memo::{Limits, Plan};
use crate::compile::spots::Spots;
use crate::compile::{self, CompileError};
use crate::data::{ClockPart, Test, Update, Value};
use crate::goal::Goal;
use crate::symmetry::Families;
use crate::{EdgeIndex, Extrapolation, Options};

/// The range of a discrete cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellRange {
    /// Smallest value.
    pub low: i32,
    /// Largest value.
    pub high: i32,
}

/// A network compiled for exploration under given options. Immutable; an [`crate::Explorer`] works on it.
pub struct System {
    pub(crate) dimension: usize,
    pub(crate) layout: Layout,
    pub(crate) program: Program,
    pub(crate) initial: Vec<i32>,
    pub(crate) ranges: Vec<CellRange>,
    pub(crate) key_cells: usize,
    /// By process, by location.
    pub(crate) locations: Vec<Vec<LocationCode>>,
    /// What is frequently asked of locations.
    pub(crate) spots: Spots,
    /// All edges, numbered through the network.
    pub(crate) edges: Vec<EdgeCode>,
    /// What the guards that take long are remembered by.
    pub(crate) plans: Vec<Plan>,
    pub(crate) memo_limits: Limits,
    /// [`crate::tuning::TRANSITIONS`].
    pub(crate) most_moves: usize,
    /// The first edge of each process, and the number of all.
    pub(crate) first_edge: Vec<u32>,
    pub(crate) channels: Vec<ChannelCode>,
    pub(crate) vectors: Vec<Vec<ParticipantCode>>,
    pub(crate) before_update: Option<CodeId>,
    pub(crate) after_update: Option<CodeId>,
    pub(crate) out_of_range: OutOfRange,
    pub(crate) default_priority: i32,
    pub(crate) process_priorities: Vec<i32>,
    /// Bounds that hold everywhere, as (row, lower, upper) in the zones' encoding.
    pub(crate) everywhere: Vec<BoundsCode>,
    /// The bounds of all rows: lower and upper ones, or none.
    pub(crate) everywhere_by_row: (Vec<i32>, Vec<i32>),
    pub(crate) differences: Differences,
    pub(crate) extrapolation: Extrapolation,
    pub(crate) goals: Vec<Goal>,
    pub(crate) expressions: Vec<Value>,
    pub(crate) facts: Facts,
    /// Variables that get a fixed value where they are not read any more, if that is asked for.
    pub(crate) forgetting: Forgetting,
    /// What can be permuted, if that is asked for.
    pub(crate) families: Option<Families>,
    pub(crate) symmetry: Symmetry,
}

/// What is known of the whole network and decides which rules need to be looked at.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Facts {
    pub has_committed: bool,
    pub has_urgent_channels: bool,
    /// Some edge over an urgent channel has clocks in its guard.
    pub has_urgent_clock_guards: bool,
    pub has_priorities: bool,
    pub has_stopwatches: bool,
}

/// Bounds of a clock, by its row in the zones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundsCode {
    pub row: u32,
    pub lower: i32,
    pub upper: i32,
}

impl BoundsCode {
    /// Lower and upper bounds for all rows.
    pub fn by_row(bounds: &[BoundsCode], rows: usize) -> (Vec<i32>, Vec<i32>) {
        use merkhet_zones::bound::NO_BOUND;
        let (mut lower, mut upper) = (vec![NO_BOUND; rows], vec![NO_BOUND; rows]);
        for bound in bounds {
            lower[bound.row as usize] = bound.lower;
            upper[bound.row as usize] = bound.upper;
        }
        (lower, upper)
    }
}

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct LocationCode {
    pub kind: LocationKind,
    pub data: Test,
    pub clocks: ClockPart,
    /// The invariant has lower bounds or differences: it must be asked at arrival, too.
    pub ask_at_entry: bool,
    pub rates: Vec<(u16, Value, merkhet_network::SiteId)>,
    pub bounds: Vec<BoundsCode>,
    /// Edges without synchronisation and those that send, in the order of the source.
    pub starts: Vec<Start>,
    /// Edges that receive, by channel and then in the order of the source.
    pub receives: Vec<(u32, EdgeIndex)>,
    /// Edges that take part in vectors, by event and then in the order of the source.
    pub events: Vec<(u32, EdgeIndex)>,
    /// Whether one of `starts` sends over an urgent channel.
    pub sends_urgently: bool,
}

/// An edge that starts a transition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub edge: EdgeIndex,
    /// The channel that it sends over, or [`Start::INTERNAL`].
    pub channel: u32,
}

impl Start {
    pub const INTERNAL: u32 = u32::MAX;
}

/// An edge.
#[derive(Clone, Debug)]
pub(crate) struct EdgeCode {
    pub process: u32,
    pub target: i32,
    pub data: Test,
    pub clocks: ClockPart,
    pub update: Update,
}

/// A channel.
#[derive(Clone, Debug)]
pub(crate) struct ChannelCode {
    pub broadcast: bool,
    pub urgent: bool,
    pub priority: i32,
    /// The processes that have an edge that receives from it.
    pub receivers: Vec<u32>,
}

/// A participant of a vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParticipantCode {
    pub process: u32,
    pub event: u32,
    pub weak: bool,
}

impl System {
    /// Compiles a network for exploration.
    pub fn new(network: &Network, options: &Options<'_>) -> Result<System, CompileError> {
        let bounds = ClockBounds::new(network, &options.demand);
        compile::system(network, options, &bounds)
    }

    /// What was found out about permutations, if that was asked for.
    pub fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// The dimension of the zones: the number of clocks and one.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number of processes; as many cells at the start of a state are their locations.
    pub fn processes(&self) -> usize {
        self.locations.len()
    }

    /// The ranges of the cells of a state: locations, state variables, meta variables.
    pub fn cells(&self) -> &[CellRange] {
        &self.ranges
    }

    /// The number of cells that make up a state's identity: locations and state variables, without meta variables.
    pub fn key_cells(&self) -> usize {
        self.key_cells
    }

    /// Where the values of variables are within a state: the slots of the layout are indices of its memory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The process and edge behind a number.
    pub fn edge(&self, edge: EdgeIndex) -> (ProcessId, EdgeId) {
        let process = self.edges[edge.index()].process;
        let first = self.first_edge[process as usize];
        (ProcessId(process), EdgeId(edge.0 - first))
    }

    /// The number of an edge.
    pub fn edge_index(&self, process: ProcessId, edge: EdgeId) -> EdgeIndex {
        EdgeIndex(self.first_edge[process.index()] + edge.0)
    }

    /// The number of edges of all processes.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges of a transition in the form of traces.
    pub fn transition(&self, edges: &[EdgeIndex]) -> Transition {
        Transition {
            edges: edges.iter().map(|edge| self.edge(*edge)).collect(),
        }
    }

    /// Zones are over-approximated (some clock may stand still): what is found reachable must be confirmed.
    pub fn over_approximate(&self) -> bool {
        self.facts.has_stopwatches
    }

    /// Whether states may be compared by the simulation of lower and upper bounds: not with differences of clocks.
    pub fn permits_simulation(&self) -> bool {
        self.differences.constraints.is_empty() && !self.differences.unabstracted
    }

    /// Whether zones leave clocks without bounds at a state's locations free: ExtraLU+ and ExtraM+ do.
    pub fn frees_clocks(&self) -> bool {
        use Extrapolation::{LuPlus, MPlus};
        self.permits_simulation() && matches!(self.extrapolation, LuPlus | MPlus)
    }

    /// Whether a row of the zones says anything at locations with these bounds: not that of a free clock.
    #[inline]
    pub fn keeps(&self, row: usize, lower: &[i32], upper: &[i32]) -> bool {
        row == 0 || !self.frees_clocks() || lower[row] != NO_BOUND || upper[row] != NO_BOUND
    }

    /// Whether `deadlock` is exact: not with stopwatches, whose delays are over-approximated.
    pub fn permits_deadlock(&self) -> bool {
        !self.facts.has_stopwatches
    }

    /// How zones are enlarged.
    pub fn extrapolation(&self) -> Extrapolation {
        self.extrapolation
    }

    /// The largest constant that some clock is compared with.
    pub fn largest_bound(&self) -> i32 {
        let rows = self
            .locations
            .iter()
            .flatten()
            .flat_map(|location| &location.bounds);
        let finite = |bound: &i32| *bound < merkhet_zones::bound::MAX_CONSTANT;
        (rows.chain(&self.everywhere))
            .flat_map(|row| [row.lower, row.upper])
            .filter(finite)
            .fold(0, i32::max)
    }

    /// The bounds of the clocks at a state's locations, by row of the zones, in the zones' encoding.
    pub fn bounds_at(&self, memory: &[i32], lower: &mut [i32], upper: &mut [i32]) {
        let (lowest, highest) = &self.everywhere_by_row;
        lower.copy_from_slice(lowest);
        upper.copy_from_slice(highest);
        for process in &self.spots.bounding {
            let spot = self.spots.at(*process as usize, memory);
            for row in self.spots.bounds(spot) {
                let at = row.row as usize;
                lower[at] = lower[at].max(row.lower);
                upper[at] = upper[at].max(row.upper);
            }
        }
    }

    #[inline]
    pub(crate) fn location(&self, process: usize, memory: &[i32]) -> &LocationCode {
        &self.locations[process][memory[process] as usize]
    }

    /// The priority of a transition: its channel's first, then the highest of its processes'.
    pub(crate) fn priority(&self, channel: u32, edges: &[EdgeIndex]) -> (i32, i32) {
        let channel = match self.channels.get(channel as usize) {
            Some(channel) => channel.priority,
            None => self.default_priority,
        };
        let process =
            |edge: &EdgeIndex| self.process_priorities[self.edges[edge.index()].process as usize];
        (channel, edges.iter().map(process).max().unwrap_or(0))
    }
}
