//! What the processes of a search tell each other beside the states.

use merkhet_network::SiteId;
use merkhet_semantics::{EdgeIndex, Fault, FaultKind};

use super::exchange::Share;
use super::wire::{Reader, put, put_signed};
use crate::parallel::links::GlobalId;
use crate::statistics::Statistics;
use crate::store::StateId;
use crate::verdict::StopReason;

/// A word.
#[derive(Clone, PartialEq, Debug)]
pub enum Word {
    /// The number of bytes of packets that have been dealt with.
    Dealt(u64),
    /// How far the sender is.
    Far(Share),
    /// The sender has reached a limit.
    Limit(StopReason),
    /// All are to come to an end, for this reason.
    Stop(StopReason),
    /// The sender found a goal.
    Found(GlobalId, Option<u64>),
    /// An evaluation failed, at this depth; everything ends if nothing is searched for.
    Fault(Fault, u32, Option<GlobalId>, bool),
    /// The search is to be written down.
    Pause,
    /// The sender has written its part; what is to be known of it.
    Written(Vec<u8>),
    /// What the sender has seen before the others come in, as a digest.
    Begun(u64),
    /// Whether all have seen the same.
    Agreed(bool),
    /// What the sender did, at the end; whether dead ends were pruned without certainty; and why an expansion was broken off.
    Did(Box<Statistics>, Share, bool, Option<StopReason>),
    /// How was this state found?
    Ask(StateId),
    /// By these transitions, the last one first, from this state.
    Way(Vec<Vec<EdgeIndex>>, Option<GlobalId>),
    /// Nothing more is asked; how it ended.
    Done(Ended),
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The goal was found.
    Reached,
    /// Everything was seen.
    Exhausted,
    /// Neither.
    Undecided,
    /// An evaluation failed.
    Fault,
}

const REASONS: [StopReason; 5] = [
    StopReason::Timeout,
    StopReason::Memory,
    StopReason::States,
    StopReason::Cancelled,
    StopReason::Incomplete,
];

const ENDED: [Ended; 4] = [
    Ended::Reached,
    Ended::Exhausted,
    Ended::Undecided,
    Ended::Fault,
];

fn place<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).unwrap_or(0) as u64
}

impl Word {
    /// As bytes, for a search with this number.
    pub fn encode(&self, search: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let out = &mut bytes;
        put(out, search);
        match self {
            Word::Dealt(bytes) => tagged(out, 0, &[*bytes]),
            Word::Far(share) => {
                tagged(out, 1, &[]);
                put_share(out, share);
            }
            Word::Limit(reason) => tagged(out, 2, &[place(&REASONS, reason)]),
            Word::Stop(reason) => tagged(out, 3, &[place(&REASONS, reason)]),
            Word::Found(at, cost) => {
                tagged(out, 4, &[]);
                put_id(out, Some(*at));
                put(out, cost.map_or(0, |cost| cost + 1));
            }
            Word::Fault(fault, depth, at, ends) => {
                tagged(out, 5, &[u64::from(*depth), u64::from(*ends)]);
                put_fault(out, fault);
                put_id(out, *at);
            }
            Word::Pause => tagged(out, 6, &[]),
            Word::Written(known) => {
                tagged(out, 7, &[]);
                out.extend_from_slice(known);
            }
            Word::Begun(digest) => tagged(out, 8, &[*digest]),
            Word::Agreed(yes) => tagged(out, 9, &[u64::from(*yes)]),
            Word::Did(statistics, share, pruned, cut) => {
                let cut = cut.map_or(0, |reason| place(&REASONS, &reason) + 1);
                tagged(out, 10, &[u64::from(*pruned), cut]);
                for number in numbers(statistics) {
                    put(out, number);
                }
                put_share(out, share);
            }
            Word::Ask(state) => tagged(out, 11, &[state.0.into()]),
            Word::Way(transitions, from) => {
                tagged(out, 12, &[]);
                put_id(out, *from);
                put(out, transitions.len() as u64);
                for edges in transitions {
                    put(out, edges.len() as u64);
                    edges.iter().for_each(|edge| put(out, edge.0.into()));
                }
            }
            Word::Done(how) => tagged(out, 13, &[place(&ENDED, how)]),
        }
        bytes
    }

    /// The number of the search that a word is about.
    pub fn search(bytes: &[u8]) -> Option<u64> {
        Reader(bytes).get()
    }

    /// The number of the search, and the word.
    pub fn decode(bytes: &[u8]) -> Option<(u64, Word)> {
        let mut input = Reader(bytes);
        let search = input.get()?;
        let reason = |input: &mut Reader<'_>| Some(*REASONS.get(input.small::<usize>()?)?);
        let word = match input.get()? {
            0 => Word::Dealt(input.get()?),
            1 => Word::Far(get_share(&mut input)?),
            2 => Word::Limit(reason(&mut input)?),
            3 => Word::Stop(reason(&mut input)?),
            4 => Word::Found(get_id(&mut input)??, input.get()?.checked_sub(1)),
            5 => {
                let (depth, ends) = (input.small()?, input.get()? != 0);
                Word::Fault(get_fault(&mut input)?, depth, get_id(&mut input)?, ends)
            }
            6 => Word::Pause,
            7 => Word::Written(std::mem::take(&mut input.0).to_vec()),
            8 => Word::Begun(input.get()?),
            9 => Word::Agreed(input.get()? != 0),
            10 => {
                let pruned = input.get()? != 0;
                let cut = match input.small::<usize>()? {
                    0 => None,
                    place => Some(*REASONS.get(place - 1)?),
                };
                let statistics = Box::new(get_statistics(&mut input)?);
                Word::Did(statistics, get_share(&mut input)?, pruned, cut)
            }
            11 => Word::Ask(StateId(input.small()?)),
            12 => {
                let from = get_id(&mut input)?;
                let mut transitions = Vec::new();
                for _ in 0..input.get()? {
                    let mut edges = Vec::new();
                    for _ in 0..input.get()? {
                        edges.push(EdgeIndex(input.small()?));
                    }
                    transitions.push(edges);
                }
                Word::Way(transitions, from)
            }
            13 => Word::Done(*ENDED.get(input.small::<usize>()?)?),
            _ => return None,
        };
        input.0.is_empty().then_some((search, word))
    }
}

fn tagged(out: &mut Vec<u8>, tag: u64, numbers: &[u64]) {
    put(out, tag);
    numbers.iter().for_each(|number| put(out, *number));
}

fn put_id(out: &mut Vec<u8>, at: Option<GlobalId>) {
    match at {
        None => put(out, 0),
        Some(at) => {
            put(out, u64::from(at.owner) + 1);
            put(out, at.id.0.into());
        }
    }
}

fn get_id(input: &mut Reader<'_>) -> Option<Option<GlobalId>> {
    Some(match input.get()?.checked_sub(1) {
        None => None,
        Some(owner) => Some(GlobalId {
            owner: u16::try_from(owner).ok()?,
            id: StateId(input.small()?),
        }),
    })
}

fn put_share(out: &mut Vec<u8>, share: &Share) {
    let Share {
        explored,
        stored,
        waiting,
        generated,
        memory,
        depth,
        best_estimate,
        sent,
        sent_bytes,
        received,
        processor,
    } = *share;
    let best = best_estimate.map_or(0, |best| u64::from(best) + 1);
    let depth = depth.into();
    for number in [
        explored, stored, waiting, generated, memory, depth, best, sent, sent_bytes, received,
        processor,
    ] {
        put(out, number);
    }
}

fn get_share(input: &mut Reader<'_>) -> Option<Share> {
    Some(Share {
        explored: input.get()?,
        stored: input.get()?,
        waiting: input.get()?,
        generated: input.get()?,
        memory: input.get()?,
        depth: input.small()?,
        best_estimate: input.get()?.checked_sub(1).map(|best| best as u32),
        sent: input.get()?,
        sent_bytes: input.get()?,
        received: input.get()?,
        processor: input.get()?,
    })
}

/// What of the figures is added up.
fn numbers(statistics: &Statistics) -> [u64; 11] {
    [
        statistics.explored,
        statistics.generated,
        statistics.stored,
        statistics.inserted,
        statistics.discrete,
        statistics.pruned,
        statistics.peak_waiting,
        statistics.max_depth.into(),
        statistics
            .best_estimate
            .map_or(0, |best| u64::from(best) + 1),
        statistics.estimates,
        statistics.memory,
    ]
}

fn get_statistics(input: &mut Reader<'_>) -> Option<Statistics> {
    Some(Statistics {
        explored: input.get()?,
        generated: input.get()?,
        stored: input.get()?,
        inserted: input.get()?,
        discrete: input.get()?,
        pruned: input.get()?,
        peak_waiting: input.get()?,
        max_depth: input.small()?,
        best_estimate: input.get()?.checked_sub(1).map(|best| best as u32),
        estimates: input.get()?,
        memory: input.get()?,
        ..Statistics::default()
    })
}

fn put_fault(out: &mut Vec<u8>, fault: &Fault) {
    let (tag, numbers) = match fault.kind {
        FaultKind::OutOfRange { value, low, high } => (0, [value, low, high]),
        FaultKind::IndexOutOfRange { index, length } => (1, [index, length as i32, 0]),
        FaultKind::DivisionByZero => (2, [0; 3]),
        FaultKind::NegativeShift { count } => (3, [count, 0, 0]),
        FaultKind::Overflow => (4, [0; 3]),
        FaultKind::NegativeClock { value } => (5, [value, 0, 0]),
        FaultKind::ClockTooLarge { value } => (6, [value, 0, 0]),
        FaultKind::NegativeExponent { exponent } => (7, [exponent, 0, 0]),
        FaultKind::StepLimit => (8, [0; 3]),
        FaultKind::Ended => (9, [0; 3]),
    };
    put(out, tag);
    put(out, fault.site.0.into());
    (numbers.iter()).for_each(|number| put_signed(out, (*number).into()));
}

fn get_fault(input: &mut Reader<'_>) -> Option<Fault> {
    let tag = input.get()?;
    let site = SiteId(input.small()?);
    let mut next = || Some(input.signed()? as i32);
    let (first, second, third) = (next()?, next()?, next()?);
    let kind = match tag {
        0 => FaultKind::OutOfRange {
            value: first,
            low: second,
            high: third,
        },
        1 => FaultKind::IndexOutOfRange {
            index: first,
            length: second as u32,
        },
        2 => FaultKind::DivisionByZero,
        3 => FaultKind::NegativeShift { count: first },
        4 => FaultKind::Overflow,
        5 => FaultKind::NegativeClock { value: first },
        6 => FaultKind::ClockTooLarge { value: first },
        7 => FaultKind::NegativeExponent { exponent: first },
        8 => FaultKind::StepLimit,
        9 => FaultKind::Ended,
        _ => return None,
    };
    Some(Fault { kind, site })
}

#[cfg(test)]
mod tests {
    use super::{ENDED, Ended, REASONS, Share, Word};
    use crate::parallel::links::GlobalId;
    use crate::statistics::Statistics;
    use crate::store::StateId;
    use crate::verdict::StopReason;
    use merkhet_network::SiteId;
    use merkhet_semantics::{EdgeIndex, Fault, FaultKind};

    #[test]
    fn words_come_back() {
        let at = GlobalId {
            owner: 65_535,
            id: StateId(u32::MAX - 1),
        };
        let fault = |kind| Fault {
            kind,
            site: SiteId::NONE,
        };
        let share = Share {
            explored: u64::MAX,
            best_estimate: Some(0),
            depth: 9,
            ..Share::default()
        };
        let statistics = Statistics {
            explored: 5,
            best_estimate: Some(7),
            ..Statistics::default()
        };
        let mut words = vec![
            Word::Dealt(300),
            Word::Far(share),
            Word::Found(at, None),
            Word::Found(at, Some(0)),
            Word::Pause,
            Word::Written(vec![1, 2, 3]),
            Word::Begun(u64::MAX),
            Word::Agreed(true),
            Word::Did(Box::new(statistics), share, true, None),
            Word::Did(
                Box::new(statistics),
                share,
                false,
                Some(StopReason::Timeout),
            ),
            Word::Ask(StateId(7)),
            Word::Way(vec![vec![], vec![EdgeIndex(3), EdgeIndex(900)]], Some(at)),
            Word::Way(Vec::new(), None),
        ];
        words.extend(REASONS.map(Word::Limit));
        words.extend(REASONS.map(Word::Stop));
        words.extend(ENDED.map(Word::Done));
        let kinds = [
            FaultKind::OutOfRange {
                value: i32::MIN,
                low: -1,
                high: 5,
            },
            FaultKind::IndexOutOfRange {
                index: -1,
                length: u32::MAX,
            },
            FaultKind::DivisionByZero,
            FaultKind::NegativeShift { count: -3 },
            FaultKind::Overflow,
            FaultKind::NegativeClock { value: -1 },
            FaultKind::ClockTooLarge { value: i32::MAX },
            FaultKind::NegativeExponent { exponent: -1 },
            FaultKind::StepLimit,
            FaultKind::Ended,
        ];
        words.extend(kinds.map(|kind| Word::Fault(fault(kind), 3, Some(at), false)));
        for word in words {
            let bytes = word.encode(12);
            assert_eq!(Word::decode(&bytes), Some((12, word.clone())));
            for cut in 0..bytes.len() {
                assert_ne!(Word::decode(&bytes[..cut]), Some((12, word.clone())));
            }
        }
        assert_eq!(ENDED[2], Ended::Undecided);
    }
}
