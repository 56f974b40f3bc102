//! What is asked of every process for every successor, close together in memory.

use merkhet_lattice::zone::Constraint;
use merkhet_network::LocationKind;

use crate::data::Test;
use crate::system::{BoundsCode, LocationCode, Start};

/// The frequently used part of a location; lists are ranges of the flat ones in [`Spots`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub flags: u32,
    bounds: (u32, u32),
    fixed: (u32, u32),
    starts: (u32, u32),
}

impl Spot {
    /// Time does not pass.
    pub const STOPS_TIME: u32 = 1;
    /// The next transition must involve a process at such a location.
    pub const COMMITTED: u32 = 2;
    /// The invariant has a condition on data.
    pub const DATA: u32 = 4;
    /// The invariant has constraints on clocks that depend on data.
    pub const DYNAMIC: u32 = 8;
    /// The invariant must be asked before time passes, too.
    pub const ASK_AT_ENTRY: u32 = 16;
    /// Clocks may stand still.
    pub const RATES: u32 = 32;
    /// An edge sends over an urgent channel.
    pub const SENDS_URGENTLY: u32 = 64;
}

/// All spots of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spots {
    spots: Vec<Spot>,
    /// The first spot of each process.
    first: Vec<u32>,
    bounds: Vec<BoundsCode>,
    fixed: Vec<Constraint>,
    starts: Vec<Start>,
    /// The processes that have an invariant or stop time somewhere: the others need not be asked at arrival.
    pub asked: Vec<u32>,
    /// The processes that contribute bounds somewhere.
    pub bounding: Vec<u32>,
}

impl Spots {
    pub fn new(locations: &[Vec<LocationCode>]) -> Spots {
        let mut spots = Spots::default();
        for (index, process) in locations.iter().enumerate() {
            let first = spots.spots.len();
            spots.first.push(first as u32);
            for location in process {
                spots.add(location);
            }
            let own = &spots.spots[first..];
            if own
                .iter()
                .any(|spot| spot.flags != 0 || !spots.fixed(spot).is_empty())
            {
                spots.asked.push(index as u32);
            }
            if own.iter().any(|spot| !spots.bounds(spot).is_empty()) {
                spots.bounding.push(index as u32);
            }
        }
        spots
    }

    fn add(&mut self, location: &LocationCode) {
        let mut flags = match location.kind {
            LocationKind::Normal => 0,
            LocationKind::Urgent => Spot::STOPS_TIME,
            LocationKind::Committed => Spot::STOPS_TIME | Spot::COMMITTED,
        };
        let mut flag = |holds: bool, flag: u32| flags |= if holds { flag } else { 0 };
        flag(!matches!(location.data, Test::True), Spot::DATA);
        flag(!location.clocks.dynamic.is_empty(), Spot::DYNAMIC);
        flag(location.ask_at_entry, Spot::ASK_AT_ENTRY);
        flag(!location.rates.is_empty(), Spot::RATES);
        flag(location.sends_urgently, Spot::SENDS_URGENTLY);
        self.spots.push(Spot {
            flags,
            bounds: append(&mut self.bounds, &location.bounds),
            fixed: append(&mut self.fixed, &location.clocks.fixed),
            starts: append(&mut self.starts, &location.starts),
        });
    }

    /// The spot of a process in a discrete state.
    #[inline(always)]
    pub fn at(&self, process: usize, memory: &[i32]) -> &Spot {
        &self.spots[self.first[process] as usize + memory[process] as usize]
    }

    /// All spots of a discrete state, by process.
    #[inline(always)]
    pub fn of<'a>(&'a self, memory: &'a [i32]) -> impl Iterator<Item = &'a Spot> {
        (self.first.iter().zip(memory))
            .map(|(first, location)| &self.spots[*first as usize + *location as usize])
    }

    /// The bounds that count at a spot.
    #[inline(always)]
    pub fn bounds(&self, spot: &Spot) -> &[BoundsCode] {
        &self.bounds[spot.bounds.0 as usize..spot.bounds.1 as usize]
    }

    /// The constant constraints of its invariant.
    #[inline(always)]
    pub fn fixed(&self, spot: &Spot) -> &[Constraint] {
        &self.fixed[spot.fixed.0 as usize..spot.fixed.1 as usize]
    }

    /// The edges that start a transition.
    #[inline(always)]
    pub fn starts(&self, spot: &Spot) -> &[Start] {
        &self.starts[spot.starts.0 as usize..spot.starts.1 as usize]
    }
}

fn append<T: Clone>(all: &mut Vec<T>, some: &[T]) -> (u32, u32) {
    let start = all.len() as u32;
    all.extend_from_slice(some);
    (start, all.len() as u32)
}
