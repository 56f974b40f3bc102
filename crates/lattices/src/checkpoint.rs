//! Covering, joining and refinement, written down in the middle and taken up again.
//!
//! What is written of a configuration is how it was found, how it grew, and while it lives its state; then what was learnt.
//! The index over elements is made anew. A search that goes on covers, joins and counts what it would have covered, joined
//! and counted without a stop; only which of several elements a smaller one is held to be covered by may differ, and with it
//! what refinement takes back.
//!
//! Numbers are little-endian. As with other searches, whoever keeps the bytes sees to it that they come back unchanged and to
//! the same model: here only what would break the program is looked at.

use std::io::{self, Read, Write};

use merkhet_explore::{Budget, Heuristic, Keeper, Progress, StateId, StopReason};
use merkhet_network::Network;
use merkhet_semantics::{EdgeIndex, GoalId, System};

use crate::refine::{Learnt, Split};
use crate::run::{Configurations, Failure, Options, Outcome, Run, Verdict};

/// As [`crate::explore`], for an exploration that is written down now and then, or goes on from where one was written down.
/// An error is one of the keeper or of what it had saved.
pub fn explore_resumable(
    network: &Network,
    system: &System,
    options: &Options<'_>,
    heuristic: &mut dyn Heuristic,
    observe: &mut dyn FnMut(&Progress),
    keeper: &mut dyn Keeper,
) -> io::Result<Result<Outcome, Box<Failure>>> {
    let mut run = Run::stopping_between_expansions(network, system, options, heuristic);
    if let Some(mut input) = keeper.resumed()? {
        run.resume(input.as_mut())?;
    }
    let mut budget = Budget::expansions(0);
    let verdict = loop {
        match run.advance(budget, observe) {
            Err(failure) => return Ok(Err(failure)),
            Ok(Some(verdict)) => break verdict,
            Ok(None) => {}
        }
        let stop = run.stops();
        if stop.is_some() || keeper.due() {
            keeper.keep(&mut |out| run.write(out))?;
        }
        if let Some(reason) = stop {
            break Verdict::Unknown(reason);
        }
        budget = Budget::STEP;
    };
    Ok(Ok(run.outcome(verdict)))
}

impl Run<'_, '_> {
    /// The limit that is reached, if one is.
    fn stops(&mut self) -> Option<StopReason> {
        self.search.stops()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.search
            .write_down(out, &mut |seen, out| seen.write(out))
    }

    fn resume(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let edges = self.search.edges();
        self.search
            .take_up(input, &mut |seen, input| seen.read(edges, input))
    }
}

impl Configurations<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.store.write(out)?;
        for number in [self.joins, self.pairs, self.work] {
            put64(out, number)?;
        }
        put32(out, u32::from(self.records))?;
        put32(out, u32::from(self.unrecorded))?;
        self.refinement.learnt().write(out)
    }

    /// Takes up what was written; gives the number of configurations.
    fn read(&mut self, edges: usize, input: &mut dyn Read) -> io::Result<u32> {
        let cells = self.system.cells();
        let in_range = |memory: &[i32]| {
            let mut both = memory.iter().zip(cells);
            both.all(|(cell, range)| (range.low..=range.high).contains(cell))
        };
        self.store.read(&self.orders, edges, &in_range, input)?;
        self.joins = get64(input)?;
        self.pairs = get64(input)?;
        self.work = get64(input)?;
        self.records = get32(input)? != 0;
        self.unrecorded = get32(input)? != 0;
        self.refinement.restore(Learnt::read(edges, input)?);
        Ok(self.store.nodes.len() as u32)
    }
}

impl Learnt {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        put32(out, self.tests.len() as u32)?;
        for (transitions, goal) in &self.tests {
            put32(out, transitions.len() as u32)?;
            for edges in transitions {
                put_edges(out, edges)?;
            }
            put32(out, goal.map_or(u32::MAX, |goal| goal.0))?;
        }
        put32(out, self.again.len() as u32)?;
        for (key, times) in &self.again {
            put32(out, *key)?;
            put32(out, *times)?;
        }
        put_all(out, &self.forbidden)?;
        put32(out, u32::from(self.hopeless))?;
        put32(out, self.rounds)?;
        put32(out, self.splits.len() as u32)?;
        for split in &self.splits {
            put32(out, split.after as u32)?;
            put_text(out, &split.at)?;
            put_text(out, &split.element)?;
            put32(out, split.path.len() as u32)?;
            for step in &split.path {
                put_text(out, step)?;
            }
        }
        Ok(())
    }

    fn read(edges: usize, input: &mut dyn Read) -> io::Result<Learnt> {
        let mut learnt = Learnt::default();
        for _ in 0..get32(input)? {
            let mut transitions = Vec::new();
            for _ in 0..get32(input)? {
                transitions.push(get_edges(edges, input)?);
            }
            let goal = get32(input)?;
            if goal != u32::MAX && goal != 0 {
                return Err(damaged("a goal that is not there"));
            }
            let goal = (goal != u32::MAX).then_some(GoalId(goal));
            learnt.tests.push((transitions, goal));
        }
        for _ in 0..get32(input)? {
            learnt.again.push((get32(input)?, get32(input)?));
        }
        learnt.forbidden = get_all(input)?;
        learnt.hopeless = get32(input)? != 0;
        learnt.rounds = get32(input)?;
        for _ in 0..get32(input)? {
            let after = get32(input)? as usize;
            let (at, element) = (get_text(input)?, get_text(input)?);
            let mut path = Vec::new();
            for _ in 0..get32(input)? {
                path.push(get_text(input)?);
            }
            learnt.splits.push(Split {
                path,
                after,
                at,
                element,
            });
        }
        Ok(learnt)
    }
}

pub(crate) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_string())
}

pub(crate) fn put32(out: &mut dyn Write, number: u32) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

pub(crate) fn put64(out: &mut dyn Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

pub(crate) fn get32(input: &mut dyn Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

pub(crate) fn get64(input: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Numbers, and how many they are.
pub(crate) fn put_all(out: &mut dyn Write, numbers: &[u32]) -> io::Result<()> {
    put32(out, numbers.len() as u32)?;
    numbers.iter().try_for_each(|number| put32(out, *number))
}

pub(crate) fn get_all(input: &mut dyn Read) -> io::Result<Vec<u32>> {
    (0..get32(input)?).map(|_| get32(input)).collect()
}

pub(crate) fn put_edges(out: &mut dyn Write, edges: &[EdgeIndex]) -> io::Result<()> {
    put32(out, edges.len() as u32)?;
    edges.iter().try_for_each(|edge| put32(out, edge.0))
}

/// Edges, of as many as there are.
pub(crate) fn get_edges(known: usize, input: &mut dyn Read) -> io::Result<Vec<EdgeIndex>> {
    let edges = get_all(input)?;
    match edges.iter().all(|edge| (*edge as usize) < known) {
        true => Ok(edges.into_iter().map(EdgeIndex).collect()),
        false => Err(damaged("an edge that is not there")),
    }
}

/// The number of a configuration of so many, or none.
pub(crate) fn get_parent(count: u32, input: &mut dyn Read) -> io::Result<Option<StateId>> {
    match get32(input)? {
        u32::MAX => Ok(None),
        parent if parent < count => Ok(Some(StateId(parent))),
        _ => Err(damaged("a parent that is not there")),
    }
}

fn put_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    put32(out, text.len() as u32)?;
    out.write_all(text.as_bytes())
}

fn get_text(input: &mut dyn Read) -> io::Result<String> {
    let length = u64::from(get32(input)?);
    let mut text = String::new();
    input.take(length).read_to_string(&mut text)?;
    match text.len() as u64 == length {
        true => Ok(text),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
