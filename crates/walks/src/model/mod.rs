//! A network compiled for walking: flat arrays, and who has to be asked anew when something changes.

mod compile;
mod readers;
mod switches;

use merkhet_network::code::{CodeId, Program};
use merkhet_network::{LocationKind, SiteId, Tuning};

use crate::goal::Goal;
use crate::near::Near;
use crate::time::Moment;
use crate::tuning::Numbers;

pub(crate) use compile::Compiler;
pub use compile::TooLarge;
pub(crate) use readers::Lists;

/// A range of one of the flat arrays.
pub(crate) type Span = (u32, u32);

pub(crate) fn span<T>(all: &[T], (start, end): Span) -> &[T] {
    &all[start as usize..end as usize]
}

/// A network and a goal, compiled for walking.
#[derive(Debug)]
pub struct Model {
    pub(crate) program: Program,
    pub(crate) processes: usize,
    pub(crate) clocks: usize,
    /// The slots that make up a discrete state: locations first, then variables.
    pub(crate) cells: usize,
    /// The edges of all processes.
    pub(crate) edges: Vec<EdgeCode>,
    /// The locations of all processes.
    pub(crate) locations: Vec<LocationCode>,
    pub(crate) first_location: Vec<u32>,
    pub(crate) process_priorities: Vec<i32>,
    pub(crate) atoms: Vec<Atom>,
    pub(crate) rates: Vec<RateCode>,
    /// Lists of edges that locations refer to.
    pub(crate) lists: Vec<u32>,
    pub(crate) channels: Vec<ChannelCode>,
    pub(crate) vectors: Vec<Vec<ParticipantCode>>,
    /// First slot and number of slots that updates may write.
    pub(crate) writes: Vec<(u32, u32)>,
    /// Code that runs before and after the updates of every transition, and what it may write.
    pub(crate) before_update: Option<CodeId>,
    pub(crate) after_update: Option<CodeId>,
    pub(crate) shared_writes: Span,
    pub(crate) switches: Vec<SwitchCode>,
    /// The values of switches and the edges that ask for them.
    pub(crate) cases: Vec<(i32, u32)>,
    /// By slot: the edges whose condition reads it, if their readiness is kept one by one.
    pub(crate) edge_readers: Lists,
    /// By slot: the switches whose expression reads it.
    pub(crate) switch_readers: Lists,
    /// By slot: the rates that read it.
    pub(crate) rate_readers: Lists,
    /// By slot: the locations whose invariant reads it.
    pub(crate) location_readers: Lists,
    /// By clock: the locations whose invariant mentions it.
    pub(crate) clock_locations: Lists,
    pub(crate) goal: Option<Goal>,
    pub(crate) near: Option<Near>,
    pub(crate) default_priority: i32,
    pub(crate) has_priorities: bool,
    pub(crate) has_urgent_channels: bool,
    /// An assignment that leaves its range disables the transition.
    pub(crate) disables: bool,
    /// The number of ticks in a time unit.
    pub(crate) scale: i64,
    /// The longest wait where nothing bounds it: all constants are exceeded then.
    pub(crate) longest_delay: Moment,
    pub(crate) numbers: Numbers,
}

impl Model {
    /// For walks with other numbers.
    pub fn tuned(mut self, tuning: &Tuning) -> Model {
        self.numbers = Numbers::of(tuning);
        self
    }
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeCode {
    pub process: u32,
    /// Its number within its process.
    pub edge: u32,
    pub source: i32,
    pub target: i32,
    pub sync: SyncCode,
    /// The condition on data (`None`: true).
    pub data: Option<CodeId>,
    pub clocks: Span,
    pub update: UpdateCode,
    pub writes: Span,
}

/// How an edge synchronises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SyncCode {
    Internal,
    Send(u32),
    Receive(u32),
    Event(u32),
}

/// What an edge does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum UpdateCode {
    Nothing,
    Code(CodeId),
}

/// A constraint `left − right ≺ bound`; rows are clocks counted from 1, row 0 is the constant 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom {
    pub condition: Option<CodeId>,
    pub left: u32,
    pub right: u32,
    pub strict: bool,
    pub bound: BoundCode,
    pub site: SiteId,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum BoundCode {
    /// In half ticks.
    Fixed(Moment),
    Code(CodeId),
}

/// Edges that one expression chooses from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchCode {
    /// The location, among all.
    pub location: u32,
    pub value: CodeId,
    /// In ascending order of their values.
    pub cases: Span,
}

/// The rate of a clock at a location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RateCode {
    /// The location, among all.
    pub location: u32,
    pub row: u32,
    pub value: CodeId,
    pub site: SiteId,
}

/// A location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocationCode {
    pub process: u32,
    pub kind: LocationKind,
    pub data: Option<CodeId>,
    pub clocks: Span,
    pub rates: Span,
    /// Edges whose readiness is kept: internal ones, senders, receivers of binary channels. In the order of the source,
    /// without those of switches.
    pub kept: Span,
    /// The switches of such edges.
    pub switches: Span,
    /// Receivers of broadcast channels, by channel, then in the order of the source.
    pub listens: Span,
    /// Edges with events, by event, likewise.
    pub events: Span,
}

/// A channel.
#[derive(Clone, Debug)]
pub(crate) struct ChannelCode {
    pub broadcast: bool,
    pub urgent: bool,
    pub priority: i32,
    /// The processes with receiving edges, ascending.
    pub listeners: Box<[u32]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ParticipantCode {
    pub process: u32,
    pub event: u32,
    pub weak: bool,
}

impl Model {
    /// The number of ticks in a time unit of the model.
    pub fn scale(&self) -> i64 {
        self.scale
    }

    /// The location of a process in a memory.
    #[inline]
    pub(crate) fn location(&self, process: u32, memory: &[i32]) -> (u32, &LocationCode) {
        let index = self.first_location[process as usize] + memory[process as usize] as u32;
        (index, &self.locations[index as usize])
    }

    /// The edges of a list sorted by label that have this label.
    #[inline]
    pub(crate) fn labelled(&self, list: Span, label: u32) -> &[u32] {
        let list = span(&self.lists, list);
        let key = |edge: &u32| match self.edges[*edge as usize].sync {
            SyncCode::Internal => u32::MAX,
            SyncCode::Send(label) | SyncCode::Receive(label) | SyncCode::Event(label) => label,
        };
        // Most locations have few of them.
        let start = match list.len() {
            0..=8 => list.iter().take_while(|edge| key(edge) < label).count(),
            _ => list.partition_point(|edge| key(edge) < label),
        };
        let count = list[start..].iter().take_while(|edge| key(edge) == label);
        &list[start..start + count.count()]
    }
}
