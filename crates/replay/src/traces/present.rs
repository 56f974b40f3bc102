//! The state that a trace is at, changed in place: a step costs what it changes, not what the network has.
//!
//! Clocks are kept as the moment at which they would have been zero, so that time passes for all of them at once. What the
//! present location of a process asks for (its invariant and rates) is worked out once and kept until something that the
//! evaluation looked at has changed: the interpreter says what that was. An invariant that held at arrival can only
//! fail by time at a moment that is known then, its deadline, or because one of its clocks is set.

use std::collections::{BTreeSet, HashMap};

use merkhet_network::{Address, EdgeId, LocationKind, Network, ProcessId, Region};

use crate::fault::{Fault, Stop};
use crate::interpreter::{Interpreter, Kept, Read};
use crate::rules::{Atom, Discrete, Rules, conjunction, row, stops, updates};
use crate::traces::hurry::Hurry;
use crate::traces::outlook::Point;

/// What the present location of a process asks for.
#[derive(Default)]
struct Held {
    /// Counts how often it was worked out: what was noted for an earlier time no longer counts.
    version: u32,
    /// The invariant's constraints; `None` where its data do not hold.
    atoms: Option<Vec<Atom>>,
    /// The rows of the clocks that it stops.
    stops: Vec<usize>,
    /// When its constraints end to hold, as they are in [`Present::deadlines`].
    deadlines: Vec<i128>,
}

/// Who is to be asked again when something changes.
#[derive(Default)]
struct Watchers {
    /// What evaluations of invariants looked at: processes with the versions of what they hold.
    reads: HashMap<Read, Vec<(u32, u32)>>,
    /// Likewise the clocks that they speak of, by row.
    rows: Vec<Vec<(u32, u32)>>,
    /// What guards over urgent channels looked at.
    guards: HashMap<Read, Vec<u32>>,
}

/// The state after a part of a trace.
pub(crate) struct Present<'n> {
    pub rules: Rules<'n>,
    /// The locations, cells and `meta` cells; evaluations are undone.
    run: Interpreter<'n>,
    scale: i128,
    /// Time since the start.
    pub now: i128,
    /// By row, when it would have been zero. That of a clock that stands still moves on with time.
    since: Vec<i128>,
    held: Vec<Held>,
    watchers: Watchers,
    /// What is urgent, if any channel is.
    hurry: Option<Hurry>,
    /// When constraints of invariants end to hold: twice the last moment at which they do, or one less if they end to
    /// hold just before; then the process.
    deadlines: BTreeSet<(i128, u32)>,
    /// By row, how many processes stop the clock; and the rows that some do.
    stopping: Vec<u32>,
    stopped: BTreeSet<usize>,
    /// How many processes are at locations that are urgent or committed, and committed.
    frozen: usize,
    committed: usize,
}

/// What a transition did.
pub(crate) struct Done {
    /// The cells that were written, with what stood there before.
    pub kept: Kept,
    /// The rows of the clocks that were set.
    pub rows: Vec<usize>,
    /// The rows of the clocks that stood still before.
    pub stood_still: Vec<usize>,
}

/// Why a transition cannot be carried out.
pub(crate) enum Impossible {
    Fault(Fault),
    /// An assignment leaves its range.
    Disabled,
    /// An invariant does not hold afterwards, by its data or by its clocks.
    Data,
    Clocks,
}

impl From<Fault> for Impossible {
    fn from(fault: Fault) -> Impossible {
        Impossible::Fault(fault)
    }
}

impl<'n> Present<'n> {
    /// The initial state.
    pub(crate) fn new(rules: Rules<'n>, scale: i64) -> Result<Present<'n>, Impossible> {
        let network = rules.network;
        let Discrete {
            locations,
            cells,
            meta,
        } = rules.initial();
        let rows = rules.dimension();
        let mut present = Present {
            rules,
            run: Interpreter::new(network, locations, &cells, &meta),
            scale: scale.into(),
            now: 0,
            since: vec![0; rows],
            held: network.processes.iter().map(|_| Held::default()).collect(),
            watchers: Watchers {
                rows: vec![Vec::new(); rows],
                ..Watchers::default()
            },
            hurry: Hurry::new(network),
            deadlines: BTreeSet::new(),
            stopping: vec![0; rows],
            stopped: BTreeSet::new(),
            frozen: 0,
            committed: 0,
        };
        for process in network.process_ids() {
            present.count(process, 1);
        }
        present.settle((0..network.processes.len() as u32).collect())?;
        Ok(present)
    }

    pub(crate) fn network(&self) -> &'n Network {
        self.rules.network
    }

    /// The interpreter over this state, at the beginning of an evaluation.
    pub(crate) fn evaluation(&mut self) -> &mut Interpreter<'n> {
        self.run.begin();
        &mut self.run
    }

    /// The number of units in one time unit.
    pub(crate) fn scale(&self) -> i128 {
        self.scale
    }

    /// The location of a process.
    pub(crate) fn location(&self, process: ProcessId) -> merkhet_network::LocationId {
        self.run.locations[process.index()]
    }

    /// The value of a row.
    pub(crate) fn value(&self, row: usize) -> i128 {
        match row {
            0 => 0,
            row => self.now - self.since[row],
        }
    }

    /// Whether a clock grows with time.
    pub(crate) fn runs(&self, row: usize) -> bool {
        row != 0 && self.stopping[row] == 0
    }

    /// The value of a cell of the state; 0 for a `meta` one that is not known.
    pub(crate) fn cell(&self, address: Address) -> i32 {
        let offset = address.offset as usize;
        match address.region {
            Region::State => self.run.state[offset],
            _ => self.run.meta[offset].unwrap_or(0),
        }
    }

    /// Whether a constraint on clocks holds now.
    pub(crate) fn holds(&self, atom: &Atom) -> bool {
        atom.holds_for(self.value(atom.left) - self.value(atom.right), self.scale)
    }

    /// Whether some process is at a committed location.
    pub(crate) fn any_committed(&self) -> bool {
        self.committed > 0
    }

    /// The whole state, as data.
    pub(crate) fn point(&mut self) -> Point {
        self.run.begin();
        Point {
            discrete: Discrete {
                locations: self.run.locations.to_vec(),
                cells: self.run.state.clone(),
                meta: self.run.meta.clone(),
            },
            values: (0..self.since.len()).map(|row| self.value(row)).collect(),
        }
    }

    /// Whether locations, invariants and urgent channels let so much time pass.
    pub(crate) fn lets_pass(&mut self, delay: i128) -> Result<bool, Fault> {
        if delay == 0 {
            return Ok(true);
        }
        let met = |(deadline, _): &(i128, u32)| 2 * (self.now + delay) <= *deadline;
        if self.frozen > 0 || !self.deadlines.first().is_none_or(met) {
            return Ok(false);
        }
        self.look_for_urgent()?;
        let meanwhile = |atoms: &[&Atom]| self.holds_within(atoms, delay);
        let hurry = self.hurry.as_ref();
        Ok(!hurry.is_some_and(|hurry| hurry.any(self.rules.network, meanwhile)))
    }

    /// Works out anew which edges over urgent channels data permit, where that may have changed.
    fn look_for_urgent(&mut self) -> Result<(), Fault> {
        let Some(hurry) = &mut self.hurry else {
            return Ok(());
        };
        for process in std::mem::take(&mut hurry.stale) {
            let id = ProcessId(process);
            let mut ready = Vec::new();
            self.run.begin();
            for edge in hurry.edges_at(id, self.run.locations[id.index()]) {
                let edge = self.rules.network.edge(id, edge);
                let guard = &edge.guard;
                if let Some(atoms) = conjunction(&mut self.run, guard.data.as_ref(), &guard.clocks)?
                {
                    ready.push((edge.sync, atoms));
                }
            }
            for read in self.run.reads() {
                self.watchers.guards.entry(*read).or_default().push(process);
            }
            hurry.set(process, ready);
        }
        Ok(())
    }

    /// Whether constraints hold together at some moment before so much time has passed.
    fn holds_within(&self, atoms: &[&Atom], delay: i128) -> bool {
        // The moments at which they do, from one on (itself or not) up to another one.
        let (mut from, mut after) = (0, false);
        let (mut until, mut before) = (delay, true);
        for atom in atoms {
            let room = i128::from(atom.bound) * self.scale
                - (self.value(atom.left) - self.value(atom.right));
            match (self.runs(atom.left), self.runs(atom.right)) {
                (true, false) if room < until => (until, before) = (room, atom.strict),
                (true, false) if room == until => before |= atom.strict,
                (false, true) if -room > from => (from, after) = (-room, atom.strict),
                (false, true) if -room == from => after |= atom.strict,
                (true, false) | (false, true) => {}
                _ if !self.holds(atom) => return false,
                _ => {}
            }
        }
        from < until || (from == until && !after && !before)
    }

    /// Lets time pass.
    pub(crate) fn pass(&mut self, delay: i128) {
        self.now += delay;
        for row in &self.stopped {
            self.since[*row] += delay;
        }
    }

    /// Carries out a transition, whatever its guards say.
    pub(crate) fn execute(&mut self, edges: &[(ProcessId, EdgeId)]) -> Result<Done, Impossible> {
        let network = self.rules.network;
        let stood_still = self.stopped.iter().copied().collect();
        self.run.begin();
        match updates(&mut self.run, network, edges) {
            Ok(()) => {}
            Err(Stop::Fault(fault)) => return Err(fault.into()),
            Err(Stop::Disabled) => return Err(Impossible::Disabled),
        }
        let kept = self.run.keep();
        let mut again = BTreeSet::new();
        let values: Vec<i128> = (kept.clocks.iter())
            .map(|(_, value)| {
                let from = row(value.source);
                self.value(from) + i128::from(value.offset) * self.scale
            })
            .collect();
        let rows: Vec<usize> = kept.clocks.iter().map(|(clock, _)| clock + 1).collect();
        for (row, value) in rows.iter().zip(values) {
            self.since[*row] = self.now - value;
            self.wake_row(*row, &mut again);
        }
        for (address, _) in &kept.cells {
            let read = match address.region {
                Region::State => Read::State(address.offset),
                _ => Read::Meta(address.offset),
            };
            self.wake(read, &mut again);
        }
        for &(process, edge) in edges {
            self.count(process, -1);
            self.run.locations.to_mut()[process.index()] = network.edge(process, edge).target;
            self.count(process, 1);
            self.wake(Read::Location(process.0), &mut again);
            again.insert(process.0);
            if let Some(hurry) = &mut self.hurry {
                hurry.stale.insert(process.0);
            }
        }
        self.settle(again)?;
        Ok(Done {
            kept,
            rows,
            stood_still,
        })
    }

    fn count(&mut self, process: ProcessId, by: isize) {
        let at = self.location(process);
        let kind = self.rules.network.location(process, at).kind;
        let add = |count: &mut usize| *count = count.wrapping_add_signed(by);
        if kind != LocationKind::Normal {
            add(&mut self.frozen);
        }
        if kind == LocationKind::Committed {
            add(&mut self.committed);
        }
    }

    /// Who looked at something that has changed.
    fn wake(&mut self, read: Read, again: &mut BTreeSet<u32>) {
        for (process, version) in self.watchers.reads.remove(&read).unwrap_or_default() {
            if self.held[process as usize].version == version {
                again.insert(process);
            }
        }
        let guards = self.watchers.guards.remove(&read).unwrap_or_default();
        if let Some(hurry) = &mut self.hurry {
            hurry.stale.extend(guards);
        }
    }

    /// Whose constraints speak of a clock that was set, stopped or started.
    fn wake_row(&mut self, row: usize, again: &mut BTreeSet<u32>) {
        for (process, version) in std::mem::take(&mut self.watchers.rows[row]) {
            if self.held[process as usize].version == version {
                again.insert(process);
            }
        }
    }

    /// Works out anew what processes hold, and sees that their invariants hold now.
    fn settle(&mut self, mut again: BTreeSet<u32>) -> Result<(), Impossible> {
        let mut clocks = true;
        while !again.is_empty() {
            let mut flipped = BTreeSet::new();
            for process in &again {
                self.ask(*process, &mut flipped)?;
            }
            for process in &again {
                let held = &self.held[*process as usize];
                let Some(atoms) = &held.atoms else {
                    return Err(Impossible::Data);
                };
                clocks &= atoms.iter().all(|atom| self.holds(atom));
            }
            // Clocks that stopped or started move deadlines.
            let mut more = BTreeSet::new();
            for process in std::mem::take(&mut again) {
                self.set_deadlines(process);
            }
            for row in flipped {
                self.wake_row(row, &mut more);
            }
            again = more;
        }
        match clocks {
            true => Ok(()),
            false => Err(Impossible::Clocks),
        }
    }

    /// Evaluates the invariant and the rates of a process's location.
    fn ask(&mut self, process: u32, flipped: &mut BTreeSet<usize>) -> Result<(), Fault> {
        let id = ProcessId(process);
        let network = self.rules.network;
        let invariant = &network.location(id, self.location(id)).invariant;
        let held = &mut self.held[process as usize];
        held.version += 1;
        for deadline in held.deadlines.drain(..) {
            self.deadlines.remove(&(deadline, process));
        }
        self.run.begin();
        held.atoms = conjunction(&mut self.run, invariant.data.as_ref(), &invariant.clocks)?;
        let mut stop = Vec::new();
        for rate in &invariant.rates {
            if stops(&mut self.run, rate)? {
                stop.push(row(Some(rate.clock)));
            }
        }
        for read in self.run.reads() {
            let watchers = self.watchers.reads.entry(*read).or_default();
            watchers.push((process, held.version));
        }
        for row in (held.atoms.iter().flatten()).flat_map(|atom| [atom.left, atom.right]) {
            if row != 0 {
                self.watchers.rows[row].push((process, held.version));
            }
        }
        for row in &stop {
            self.stopping[*row] += 1;
            if self.stopped.insert(*row) {
                flipped.insert(*row);
            }
        }
        for row in std::mem::replace(&mut held.stops, stop) {
            self.stopping[row] -= 1;
            if self.stopping[row] == 0 {
                self.stopped.remove(&row);
                flipped.insert(row);
            }
        }
        Ok(())
    }

    /// When the constraints of a process's invariant end to hold.
    fn set_deadlines(&mut self, process: u32) {
        let mut deadlines = Vec::new();
        for atom in self.held[process as usize].atoms.iter().flatten() {
            if self.runs(atom.left) && !self.runs(atom.right) {
                let left = self.value(atom.left) - self.value(atom.right);
                let moment = self.now + i128::from(atom.bound) * self.scale - left;
                deadlines.push(2 * moment - i128::from(atom.strict));
            }
        }
        self.deadlines
            .extend(deadlines.iter().map(|deadline| (*deadline, process)));
        self.held[process as usize].deadlines = deadlines;
    }
}
