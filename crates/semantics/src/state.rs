//! States and successors as the caller sees them.

use merkhet_network::code::ClockUpdate;
use merkhet_zones::bound::Bound;

/// An edge, numbered through the whole network: processes in order, each one's edges in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeIndex(pub u32);

impl EdgeIndex {
    /// As an index of slices.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A symbolic state, in memory that the caller owns.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// Locations, state cells, meta cells: [`crate::System::cells`] of them.
    pub memory: &'a [i32],
    /// The zone, closed and not empty.
    pub zone: &'a [Bound],
}

/// A successor, valid until the sink returns.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a> {
    /// The edges that are taken together, in the order of their updates; empty for initial states.
    pub edges: &'a [EdgeIndex],
    /// The state that they lead to.
    pub state: State<'a>,
    /// The zone of the clocks with bounds at its locations alone ([`crate::System::keeps`]), if that is what was computed;
    /// the state's zone is empty then. Else this is empty.
    pub reduced: &'a [Bound],
    /// The lower bounds of the clocks at its locations, by row of the zone (for comparison by simulation).
    pub lower: &'a [i32],
    /// The upper bounds, likewise.
    pub upper: &'a [i32],
    /// The part of the source's zone from which the transition is taken; empty for initial states and unless
    /// [`crate::Explorer::exact`] was asked for.
    pub source: &'a [Bound],
    /// The zone at the moment of arrival, before time passes; empty unless [`crate::Explorer::exact`] was asked for.
    pub entry: &'a [Bound],
    /// By row of the zone, where the value of the clock at arrival comes from; empty like `source`.
    pub origins: &'a [Origin],
    /// By row of the zone, whether the clock stands still at this state; empty if none does.
    pub stopped: &'a [bool],
}

/// The value of a clock after the updates of a transition: that of a row of the zone before, plus an offset. Row 0 is
/// the constant zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The row.
    pub row: u32,
    /// What is added.
    pub offset: i64,
}

impl Origin {
    /// Makes each clock keep its value.
    pub(crate) fn identity(origins: &mut Vec<Origin>, dimension: usize) {
        origins.clear();
        origins.extend((0..dimension).map(|row| Origin {
            row: row as u32,
            offset: 0,
        }));
    }

    /// Follows an update of a clock.
    pub(crate) fn follow(origins: &mut [Origin], update: ClockUpdate) {
        match update {
            ClockUpdate::Set { clock, value } => {
                let offset = value.into();
                origins[clock.index() + 1] = Origin { row: 0, offset };
            }
            ClockUpdate::Copy {
                target,
                source,
                offset,
            } => {
                let mut origin = origins[source.index() + 1];
                origin.offset += i64::from(offset);
                origins[target.index() + 1] = origin;
            }
        }
    }
}
