//! The compiled abstract model: what the graph is built over.

use merkhet_network::code::CodeId;
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
    /// First of the cell's per-value entries (dense cells).
    pub entries: u32,
}

/// The mark of a dense cell.
pub(super) const DENSE: u32 = u32::MAX;

/// A dimension of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Dimension {
    Cell(u32),
    Process(u32),
}

/// A range of [`Model::dimensions`].
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

/// How an abstract edge finds its partner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Partner {
    /// Needs none.
    None,
    /// Sends on a channel that needs a receiver.
    Receiver(u32),
    /// Receives on a channel.
    Sender(u32),
    /// Offers a send that others may need, but goes alone too (broadcast).
    Offer(u32),
}

#[derive(Clone, Debug)]
pub(super) struct EdgeModel {
    pub process: u32,
    pub target: u32,
    pub partner: Partner,
    /// Conditions plus one for the source location.
    pub needs: u16,
    pub conditions: (u32, u32),
    pub effects: (u32, u32),
    pub source: u32,
}

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
    pub conditions: (u32, u32),
}

/// The whole model.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub processes: usize,
    /// First fact of each process.
    pub first_fact: Vec<u32>,
    pub facts: usize,
    pub cells: Vec<CellModel>,
    pub entries: usize,
    pub wides: usize,
    pub conditions: Vec<Condition>,
    pub effects: Vec<Effect>,
    pub edges: Vec<EdgeModel>,
    pub goals: Vec<GoalModel>,
    /// Which conditions each edge, then each goal needs.
    pub needed: Vec<u32>,
    pub channels: usize,
    /// Fact → edges that start there.
    pub edges_from: Lists,
    /// Condition → edges, with goals numbered after the edges.
    pub users: Lists,
    /// Cell → conditions that read it.
    pub watching_cell: Lists,
    /// Fact → conditions that it can satisfy.
    pub watching_fact: Lists,
    /// Cell → effects that read it.
    pub reading: Lists,
    /// Edge → the edges of the network that it stands for, as indices into `network_edges`.
    pub origins: Lists,
    pub network_edges: Vec<EdgeRef>,
    /// The dimensions of all enumerations.
    pub dimensions: Vec<Dimension>,
    /// The tables of [`Condition::Pair`].
    pub pairs: Vec<u64>,
    /// Conditions without any dimension that hold or are assumed, checked once.
    pub constant_true: Vec<u32>,
}
