//! The compiled abstract model: what the graph is built over.

use super::clocks::TimeModel;
use merkhet_network::code::{CodeId, Layout, Program};
use merkhet_network::{BinaryOp, EdgeId, ProcessId};

/// An edge of the network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EdgeRef {
    /// Its process.
    pub process: ProcessId,
    /// Its index there.
    pub edge: EdgeId,
}

/// A state cell.
#[derive(Clone, Debug)]
pub(super) struct CellModel {
    pub low: i32,
    pub high: i32,
    /// Index into the wide sets, or `DENSE`.
    pub wide: u32,
    /// The atom of its lowest value; the others follow (dense cells).
    pub atoms: u32,
}

/// The mark of a dense cell.
pub(super) const DENSE: u32 = u32::MAX;

/// A dimension of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Dimension {
    Cell(u32),
    Process(u32),
}

/// A range of a list.
pub(super) type Span = (u32, u32);

/// What an edge or the goal needs besides its source location, each tested on its own (section 3.2).
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// Some value of a dense cell whose bit is in the mask.
    Mask { cell: u32, mask: u64 },
    /// A wide cell compared with a number.
    Compare { cell: u32, op: BinaryOp, value: i32 },
    /// Some of these location facts.
    Facts(Vec<u32>),
    /// Some pair of values of two dense cells: for each value of `left`, from its lowest on, the table holds the mask of
    /// the values of `right` that go with it.
    Pair { left: u32, right: u32, table: u32 },
    /// Some combination of values for which the code is non-zero.
    Code { code: CodeId, dimensions: Span },
}

/// What an edge does to a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// `v := c`.
    Set(i32),
    /// `v := w + c`.
    Copy { from: u32, offset: i32 },
    /// `v := v + c` with c > 0: by the shortcut, everything above the smallest value.
    Increase,
    /// `v := v − c` with c > 0: everything below the largest value.
    Decrease,
    /// `v := f(…)`, enumerated.
    Code { code: CodeId, dimensions: Span },
    /// Anything within the range.
    Any,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Effect {
    pub edge: u32,
    pub cell: u32,
    pub action: Action,
    /// Reads what an earlier part of the same transition may have written: evaluated against the layer that is being
    /// made, after the other effects.
    pub late: bool,
}

/// How an abstract edge finds its partners.
///
/// A channel c has the ends 2c, where edges send, and 2c + 1, where they receive. A post is a process with an event of
/// n-ary synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Partner {
    /// Needs none.
    None,
    /// Stands at this end and needs an edge of another process at the opposite one.
    End(u32),
    /// Stands at this end, but goes alone too (broadcast).
    Offer(u32),
    /// Stands at this post and needs all strong posts of one of its vectors.
    Post(u32),
}

/// The other end of a channel.
pub(super) fn opposite(end: u32) -> u32 {
    end ^ 1
}

#[derive(Clone, Debug)]
pub(super) struct EdgeModel {
    pub process: u32,
    pub source: u32,
    pub partner: Partner,
    pub conditions: Span,
    /// The atoms that it brings whatever the values are: its target first.
    pub adds: Span,
    /// What else it does.
    pub effects: Span,
}

/// N-ary synchronisation: who has to be ready for a vector.
#[derive(Clone, Debug, Default)]
pub(super) struct Vectors {
    /// Post → vectors in which it is strong.
    pub strong_of: Lists,
    /// Vector → its strong posts.
    pub strong: Lists,
    /// Vector → all its posts.
    pub all: Lists,
    /// By vector, the number of its strong posts.
    pub needs: Vec<u16>,
    /// By post, a vector that needs nobody else, or `NO_VECTOR`.
    pub free: Vec<u32>,
}

/// No vector.
pub(super) const NO_VECTOR: u32 = u32::MAX;

/// Lists of numbers, one for each key, in one allocation.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub fn of(keys: usize, pairs: &[(u32, u32)]) -> Lists {
        let mut start = vec![0u32; keys + 1];
        for (key, _) in pairs {
            start[*key as usize + 1] += 1;
        }
        for key in 0..keys {
            start[key + 1] += start[key];
        }
        let mut at = start.clone();
        let mut items = vec![0; pairs.len()];
        for (key, item) in pairs {
            items[at[*key as usize] as usize] = *item;
            at[*key as usize] += 1;
        }
        Lists { start, items }
    }

    #[inline]
    pub fn get(&self, key: u32) -> &[u32] {
        &self.items[self.start[key as usize] as usize..self.start[key as usize + 1] as usize]
    }
}

/// A way to meet the goal: ready when its conditions are.
#[derive(Clone, Debug)]
pub(super) struct GoalModel {
    pub needs: u16,
    pub conditions: Span,
}

/// The whole model.
///
/// An atom is a location of a process or a value of a dense cell: locations come first, process by process. A slot is
/// what conditions and effects read as a whole: cells come first, then processes.
pub(super) struct Model {
    pub processes: usize,
    /// First atom of each process, and the number of all locations.
    pub first_fact: Vec<u32>,
    pub atoms: usize,
    /// By atom, its slot.
    pub slot_of: Vec<u32>,
    pub cells: Vec<CellModel>,
    pub wides: usize,
    pub conditions: Vec<Condition>,
    pub effects: Vec<Effect>,
    pub edges: Vec<EdgeModel>,
    pub goals: Vec<GoalModel>,
    /// By user, what it waits for at first: its conditions, and the source location of an edge. Users are the edges, then
    /// the goals.
    pub needs: Vec<u16>,
    /// Which conditions each edge, then each goal needs.
    pub needed: Vec<u32>,
    /// The atoms of [`EdgeModel::adds`].
    pub adds: Vec<u32>,
    pub ends: usize,
    pub vectors: Vectors,
    /// Atom → users that need this atom and no other in its place.
    pub direct: Lists,
    /// Atom → conditions that it satisfies, next to others that would.
    pub satisfying: Lists,
    /// Condition → its users, unless they are told directly.
    pub users: Lists,
    /// Slot → conditions that must be tested when it grows.
    pub watching: Lists,
    /// Slot → effects that read it.
    pub reading: Lists,
    /// By slot, whether one of the two lists has an entry.
    pub observed: Vec<bool>,
    /// Edge → the edges of the network that it stands for, as indices into `network_edges`.
    pub origins: Lists,
    pub network_edges: Vec<EdgeRef>,
    /// The dimensions of all enumerations.
    pub dimensions: Vec<Dimension>,
    /// The tables of [`Condition::Pair`].
    pub pairs: Vec<u64>,
    /// Conditions without any dimension, tested once.
    pub constant: Vec<u32>,
    pub program: Program,
    pub layout: Layout,
    /// How many of the cells are cells of states; those of clocks come after them.
    pub variables: usize,
    /// What waits for time.
    pub time: TimeModel,
}

impl Model {
    /// The atom of a value of a dense cell.
    #[inline]
    pub fn atom(&self, cell: u32, value: i32) -> Option<u32> {
        let model = &self.cells[cell as usize];
        (model.wide == DENSE && value >= model.low && value <= model.high)
            .then(|| model.atoms + (value - model.low) as u32)
    }

    /// The slot of a dimension.
    pub fn slot(cells: usize, dimension: Dimension) -> u32 {
        match dimension {
            Dimension::Cell(cell) => cell,
            Dimension::Process(process) => cells as u32 + process,
        }
    }
}
