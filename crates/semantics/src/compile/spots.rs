//! What is asked of every process for every successor, close together in memory.

use merkhet_network::LocationKind;
use merkhet_zones::zone::Constraint;

use crate::data::Test;
use crate::system::{BoundsCode, LocationCode, ParticipantCode, Start};

/// The frequently used part of a location; lists are ranges of the flat ones in [`Spots`].
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
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
    /// By spot, a bit for each vector: whether the process may take part there or need not. All spots have the same number of words.
    vectors: Vec<u64>,
    vector_words: usize,
}

impl Spots {
    pub fn new(locations: &[Vec<LocationCode>], vectors: &[Vec<ParticipantCode>]) -> Spots {
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
        spots.mark_vectors(locations, vectors);
        spots
    }

    /// Marks at which spots a process keeps a vector from happening: it must take part and no edge has the event.
    fn mark_vectors(&mut self, locations: &[Vec<LocationCode>], vectors: &[Vec<ParticipantCode>]) {
        self.vector_words = vectors.len().div_ceil(64);
        self.vectors = vec![u64::MAX; self.spots.len() * self.vector_words];
        for (index, vector) in vectors.iter().enumerate() {
            for participant in vector.iter().filter(|participant| !participant.weak) {
                let process = participant.process as usize;
                let first = self.first[process] as usize;
                for (spot, location) in locations[process].iter().enumerate() {
                    if location.taking_part(participant.event).next().is_none() {
                        let word = (first + spot) * self.vector_words + index / 64;
                        self.vectors[word] &= !(1 << (index % 64));
                    }
                }
            }
        }
    }

    /// The vectors for which every process that must take part has an edge in a discrete state, in their order.
    #[inline]
    pub fn vectors<'a>(
        &'a self,
        memory: &'a [i32],
        count: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let words = self.vector_words;
        (0..words).flat_map(move |word| {
            let used = count - word * 64;
            let mut left = u64::MAX >> (64 - used.min(64));
            for (first, location) in self.first.iter().zip(memory) {
                left &= self.vectors[(*first as usize + *location as usize) * words + word];
            }
            std::iter::from_fn(move || {
                let lowest = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(word * 64 + lowest)
            })
        })
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
