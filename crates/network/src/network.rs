//! Networks of timed automata, instantiated: no templates, no names to look up.

use crate::constraint::{Guard, Invariant};
use crate::expression::{Function, Stmt};
use crate::ids::{ChannelId, ClockId, EdgeId, EventId, LocationId, ProcessId, SiteId};
use crate::lattice::{LatticeSource, LatticeType, LatticeVariable};
use crate::memory::{Address, Cell, Local, Region, Variable};

/// A network: processes that run side by side over shared clocks, variables and channels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Network {
    /// The automata, in the order of the system line (it decides the order of broadcast receivers' updates).
    pub processes: Vec<Process>,
    /// The clocks.
    pub clocks: Vec<Clock>,
    /// The channels, one for each element of a channel array.
    pub channels: Vec<Channel>,
    /// Declared variables, in order of declaration (state, meta and constant ones).
    pub variables: Vec<Variable>,
    /// The cells of [`Region::State`].
    pub state_cells: Vec<Cell>,
    /// The cells of [`Region::Meta`].
    pub meta_cells: Vec<Cell>,
    /// The cells of [`Region::Constant`].
    pub constant_cells: Vec<Cell>,
    /// The number of cells of [`Region::Local`].
    pub local_cells: u32,
    /// Names and layouts of cells of [`Region::Local`], in ascending order of their cells; they need not cover all. What
    /// is assigned to a local is within its layout's ranges.
    pub locals: Vec<Local>,
    /// The functions that edges, invariants or queries call.
    pub functions: Vec<Function>,
    /// Runs before the updates of every transition.
    pub before_update: Vec<Stmt>,
    /// Runs after the updates of every transition.
    pub after_update: Vec<Stmt>,
    /// The priority of transitions that synchronise over no channel.
    pub default_priority: i32,
    /// Names of the synchronisation events (flat models).
    pub events: Vec<String>,
    /// n-ary synchronisations (flat models).
    pub vectors: Vec<SyncVector>,
    /// What an assignment outside the declared range does.
    pub out_of_range: OutOfRange,
    /// Source positions that faults refer to.
    pub sites: Vec<Site>,
    /// The lattices of the lattice variables.
    pub lattices: Vec<LatticeType>,
    /// The parts of the state that are elements of lattices, in ascending order of their cells.
    pub lattice_variables: Vec<LatticeVariable>,
    /// How the lattices were declared.
    pub lattice_source: Option<LatticeSource>,
}

/// What happens when an assignment leaves the declared range of its target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum OutOfRange {
    /// The verification ends with an error (UPPAAL).
    #[default]
    Fault,
    /// The transition does not exist (TChecker).
    Disable,
}

/// A clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Its name; of a process's own clock `Process.name`; of an array element with its index.
    pub name: String,
    /// The process that declares it, if it is not global.
    pub owner: Option<ProcessId>,
}

/// How many take part in a synchronisation over a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChannelKind {
    /// One sender and one receiver.
    Binary,
    /// One sender and every receiver that can.
    Broadcast,
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its name, with indices.
    pub name: String,
    /// How many take part.
    pub kind: ChannelKind,
    /// No delay while a synchronisation over it is possible.
    pub urgent: bool,
    /// Its priority; larger goes first. Without declarations all are equal to the default.
    pub priority: i32,
}

/// An automaton.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    /// Its name as queries write it: `P`, `Q(0)`.
    pub name: String,
    /// The template that it is an instance of.
    pub template: String,
    /// Its locations.
    pub locations: Vec<Location>,
    /// Where it starts.
    pub initial: LocationId,
    /// Its edges, in the order of the source; select values and branches unrolled.
    pub edges: Vec<Edge>,
    /// Its priority; larger goes first.
    pub priority: i32,
}

/// How time and others are constrained while a process is at a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    /// No special rule.
    Normal,
    /// Time does not pass.
    Urgent,
    /// Time does not pass and the next transition involves a process at a committed location.
    Committed,
}

/// A location.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Its name; made up where the source has none.
    pub name: String,
    /// Whether the source names it.
    pub named: bool,
    /// Urgent, committed or neither.
    pub kind: LocationKind,
    /// What must hold here.
    pub invariant: Invariant,
    /// Labels that goals of flat models refer to.
    pub labels: Vec<String>,
    /// Where the editor draws it.
    pub position: Option<(i32, i32)>,
    /// Where it stands in the source.
    pub site: SiteId,
}

/// How an edge synchronises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sync {
    /// It does not.
    Internal,
    /// `c!`.
    Send(ChannelId),
    /// `c?`.
    Receive(ChannelId),
    /// It takes part in the vectors that name this event for its process (flat models).
    Event(EventId),
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// From.
    pub source: LocationId,
    /// To.
    pub target: LocationId,
    /// What it asks for.
    pub guard: Guard,
    /// With whom.
    pub sync: Sync,
    /// What it does, in order.
    pub update: Vec<Stmt>,
    /// The values that select variables have in this copy of the source's edge, by name.
    pub select: Vec<(String, i32)>,
    /// The edge of the template that this one is a copy of (several copies for select values, branches, channel indices).
    pub origin: u32,
    /// Where it stands in the source.
    pub site: SiteId,
}

/// An n-ary synchronisation: every strong participant takes an edge with its event; a weak one does where its location
/// has such an edge (then the guards of one of them must hold), and at least one takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyncVector {
    /// Who takes part, in the order in which updates are run.
    pub participants: Vec<Participant>,
}

/// A participant of a [`SyncVector`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// The process.
    pub process: ProcessId,
    /// The event that its edge carries.
    pub event: EventId,
    /// Whether the synchronisation goes without it where it cannot take part.
    pub weak: bool,
}

/// A source position, for faults at run time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Site {
    /// The file's name.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What stands there: `template P, edge A -> B, update`.
    pub context: String,
    /// The text.
    pub text: String,
    /// Whose text it is.
    pub owner: Owner,
}

/// Whose text a place lies in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Owner {
    /// Nobody's alone: global declarations, libraries.
    #[default]
    Shared,
    /// A template's, or a process's.
    Process,
    /// A query's.
    Query,
}

impl Network {
    /// The process.
    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.index()]
    }

    /// The edge of a process.
    pub fn edge(&self, process: ProcessId, edge: EdgeId) -> &Edge {
        &self.processes[process.index()].edges[edge.index()]
    }

    /// The location of a process.
    pub fn location(&self, process: ProcessId, location: LocationId) -> &Location {
        &self.processes[process.index()].locations[location.index()]
    }

    /// All processes with their ids.
    pub fn process_ids(&self) -> impl ExactSizeIterator<Item = ProcessId> + use<> {
        (0..self.processes.len()).map(ProcessId::from)
    }

    /// All clocks' ids.
    pub fn clock_ids(&self) -> impl ExactSizeIterator<Item = ClockId> + use<> {
        (0..self.clocks.len()).map(ClockId::from)
    }

    /// The dimension of its DBMs: one more than the clocks.
    pub fn dimension(&self) -> usize {
        self.clocks.len() + 1
    }

    /// The cells of a region that have declarations (none for [`Region::Local`]).
    pub fn cells(&self, region: Region) -> &[Cell] {
        match region {
            Region::State => &self.state_cells,
            Region::Meta => &self.meta_cells,
            Region::Constant => &self.constant_cells,
            Region::Local => &[],
        }
    }

    /// The cells of the state that hold an element of a lattice.
    pub fn lattice_cells(&self, variable: &LatticeVariable) -> std::ops::Range<usize> {
        let start = variable.base as usize;
        start..start + self.lattices[variable.lattice as usize].cells()
    }

    /// Whether a cell is a part of an element of a lattice.
    pub fn is_in_lattice(&self, cell: Address) -> bool {
        let mut all = self.lattice_variables.iter();
        cell.region == Region::State
            && all.any(|variable| {
                self.lattice_cells(variable)
                    .contains(&(cell.offset as usize))
            })
    }

    /// The full name of a declared cell: `queue[2]`, `P.n`.
    pub fn cell_name(&self, address: Address) -> String {
        let Some(cell) = self.cells(address.region).get(address.offset as usize) else {
            return format!("local#{}", address.offset);
        };
        let variable = &self.variables[cell.variable.index()];
        format!(
            "{}{}",
            variable.name,
            variable.shape.path(address.offset - variable.base.offset)
        )
    }

    /// The source position, if it is known.
    pub fn site(&self, id: SiteId) -> Option<&Site> {
        self.sites.get(id.index())
    }

    /// Whether any transition can be put off by a more urgent one: some channel or process has its own priority.
    pub fn has_priorities(&self) -> bool {
        self.channels
            .iter()
            .any(|channel| channel.priority != self.default_priority)
            || self
                .processes
                .iter()
                .any(|process| process.priority != self.processes[0].priority)
    }
}
