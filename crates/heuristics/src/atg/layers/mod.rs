//! The layers of the abstract transition graph, built event by event (section 4, figure 1).
//!
//! Each condition has a flag and each edge counts the conditions that it still waits for. A new atom wakes only the
//! users and conditions that wait for it; a condition that becomes true wakes only the edges that need it. Nothing is
//! allocated for a state, and starting anew is a few copies of small tables.

pub(in crate::atg) mod enumerate;
pub(in crate::atg) mod fire;
pub(in crate::atg) mod gather;
pub(in crate::atg) mod meeting;
pub(in crate::atg) mod values;

use merkhet_zones::bound::Bound;

use crate::DEAD_END;
use crate::atg::clocks::{ClockCell, Clocks, Timer};
use crate::atg::enumerate::Enumerator;
use crate::atg::gather::{Counters, Gather};
use crate::atg::meeting::Meeting;
use crate::atg::model::{CellModel, Condition, DENSE, Model, Partner};
use crate::atg::values::{Entry, INITIAL, NEVER, Wide};

/// No edge.
pub(in crate::atg) const NO_EDGE: u32 = u32::MAX;

/// Entries of a table that are filled in the time in which one is looked at.
pub(in crate::atg) const FILLED_AT_ONCE: usize = 16;

/// What grows layer by layer.
pub(in crate::atg) struct Layers {
    /// The layer that is complete.
    pub depth: u16,
    /// By atom: the first layer that has it, and what brought it (see [`crate::atg::values`]).
    pub layer: Vec<u16>,
    pub cause: Vec<u32>,
    /// By dense cell: the values of the complete layers, as bits.
    pub sets: Vec<u64>,
    pub wides: Vec<Wide>,
    satisfied: Vec<bool>,
    counters: Counters,
    pub fired: Vec<bool>,
    pub meeting: Meeting,
    // What is new in the last complete layer.
    new_atoms: Gather,
    changed: Vec<u32>,
    // What the next layer has beyond it.
    next_atoms: Gather,
    pub(in crate::atg) next_changed: Vec<u32>,
    marked: Vec<bool>,
    pub(in crate::atg) to_fire: Vec<u32>,
    pub(in crate::atg) to_evaluate: Vec<u32>,
    pub(in crate::atg) late: Vec<u32>,
    pub(in crate::atg) values: Vec<i32>,
    /// The goal's disjunct that was met first.
    pub met: Option<u32>,
    pub enumerator: Enumerator,
    /// What was touched for the present state: a measure of the time that it took.
    pub touched: usize,
    pub timer: Timer,
    pub(in crate::atg) released: Vec<u32>,
    /// The cells of clocks.
    pub clocks: Vec<ClockCell>,
}

impl Layers {
    /// Room for the model.
    pub fn new(model: &Model, clocks: Option<&Clocks>) -> Layers {
        let edges = model.edges.len();
        let slots = model.cells.len() + model.processes;
        Layers {
            depth: 0,
            layer: vec![NEVER; model.atoms],
            cause: vec![INITIAL; model.atoms],
            sets: vec![0; model.cells.len()],
            wides: vec![Wide::default(); model.wides],
            satisfied: vec![false; model.conditions.len()],
            counters: Counters::new(&model.needs),
            fired: vec![false; edges],
            meeting: Meeting::new(model),
            new_atoms: Gather::new(model.atoms),
            changed: Vec::with_capacity(slots),
            next_atoms: Gather::new(model.atoms),
            next_changed: Vec::with_capacity(slots),
            marked: vec![false; slots],
            to_fire: Vec::with_capacity(edges),
            to_evaluate: Vec::new(),
            late: Vec::new(),
            values: Vec::new(),
            met: None,
            enumerator: Enumerator::new(model),
            touched: 0,
            timer: Timer::new(&model.time),
            released: Vec::new(),
            clocks: clocks.map_or(Vec::new(), |clocks| clocks.cells.clone()),
        }
    }

    /// Layer 0: the state itself. The zone counts for the cells of clocks only.
    pub fn start(&mut self, model: &Model, memory: &[i32], zone: &[Bound]) {
        self.depth = 0;
        self.enumerator.reset();
        // Whole tables are filled much faster than single entries are looked at.
        let entries = model.atoms + model.conditions.len() + 4 * model.edges.len();
        self.touched = entries / FILLED_AT_ONCE;
        self.met = None;
        self.layer.fill(NEVER);
        self.satisfied.fill(false);
        self.counters.reset(&model.needs);
        self.fired.fill(false);
        self.meeting.reset(model);
        self.marked.fill(false);
        self.new_atoms.clear();
        self.next_atoms.clear();
        for list in [
            &mut self.changed,
            &mut self.next_changed,
            &mut self.to_fire,
            &mut self.to_evaluate,
            &mut self.late,
        ] {
            list.clear();
        }
        self.initial_values(model, memory);
        self.initial_clocks(model, zone);
        for condition in &model.constant {
            self.test(model, *condition);
        }
        for (number, _) in (model.goals.iter().enumerate()).filter(|(_, goal)| goal.needs == 0) {
            self.ready(model, (model.edges.len() + number) as u32);
        }
    }

    fn initial_values(&mut self, model: &Model, memory: &[i32]) {
        for (process, location) in memory[..model.processes].iter().enumerate() {
            self.initial_atom(model.first_fact[process] + *location as u32);
        }
        let cells = &memory[model.processes..];
        let variables = model.cells[..model.variables].iter();
        for (index, (cell, value)) in variables.zip(cells).enumerate() {
            if cell.wide == DENSE {
                let bit = (value - cell.low) as u32;
                self.sets[index] = 1 << bit;
                self.initial_atom(cell.atoms + bit);
            } else {
                self.wides[cell.wide as usize].reset(*value);
            }
        }
        let observed = model.observed.iter().enumerate();
        let slots = observed.filter(|(_, observed)| **observed);
        self.changed.extend(slots.map(|(slot, _)| slot as u32));
    }

    fn initial_clocks(&mut self, model: &Model, zone: &[Bound]) {
        for at in 0..self.clocks.len() {
            let clock = &self.clocks[at];
            let (cell, mut bits) = (clock.cell as usize, clock.permitted(zone));
            self.sets[cell] = bits;
            while bits != 0 {
                self.initial_atom(model.cells[cell].atoms + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    fn initial_atom(&mut self, atom: u32) {
        self.layer[atom as usize] = 0;
        self.cause[atom as usize] = INITIAL;
        self.new_atoms.offer(atom, true);
    }

    /// The edge never fires.
    pub fn forbid(&mut self, edge: u32) {
        self.counters.forbid(edge);
    }

    /// Adds layers until the goal is met or nothing is new; the number of the last one, or [`DEAD_END`].
    pub fn build(&mut self, model: &Model) -> u32 {
        loop {
            self.wake(model);
            if self.met.is_some() || self.depth >= NEVER - 2 {
                // Too many layers to count: what is known is that the distance is at least this.
                return u32::from(self.depth);
            }
            self.depth += 1;
            if !self.spread(model) {
                return DEAD_END;
            }
            self.advance(model);
        }
    }

    /// Fires what is ready; whether that brings anything new.
    pub(in crate::atg) fn spread(&mut self, model: &Model) -> bool {
        self.fire(model);
        !self.next_atoms.list().is_empty() || !self.next_changed.is_empty()
    }

    /// Lets what is new satisfy conditions and make edges ready.
    pub(in crate::atg) fn wake(&mut self, model: &Model) {
        let atoms = std::mem::take(&mut self.new_atoms);
        let mut touched = atoms.list().len();
        for &atom in atoms.list() {
            let (direct, satisfying) = (model.direct.get(atom), model.satisfying.get(atom));
            touched += direct.len() + satisfying.len();
            self.counters.tell(direct);
            for &condition in satisfying {
                if !self.satisfied[condition as usize] {
                    self.satisfy(model, condition);
                }
            }
        }
        self.new_atoms = atoms;
        let changed = std::mem::take(&mut self.changed);
        for &slot in &changed {
            let (watching, reading) = (model.watching.get(slot), model.reading.get(slot));
            touched += watching.len() + reading.len();
            for &condition in watching {
                self.test(model, condition);
            }
            for &effect in reading {
                if self.fired[model.effects[effect as usize].edge as usize] {
                    self.to_evaluate.push(effect);
                }
            }
        }
        self.changed = changed;
        let ready = self.counters.take_ready();
        self.touched += touched + ready.list().len();
        for &user in ready.list() {
            self.ready(model, user);
        }
        self.counters.give_back(ready);
    }

    fn test(&mut self, model: &Model, condition: u32) {
        if !self.satisfied[condition as usize] && self.holds(model, condition) {
            self.satisfy(model, condition);
        }
    }

    fn satisfy(&mut self, model: &Model, condition: u32) {
        self.satisfied[condition as usize] = true;
        self.counters.tell(model.users.get(condition));
    }

    /// Whether a condition holds in the complete layers.
    fn holds(&mut self, model: &Model, condition: u32) -> bool {
        match &model.conditions[condition as usize] {
            Condition::Mask { cell, mask } => self.sets[*cell as usize] & mask != 0,
            Condition::Facts(facts) => facts
                .iter()
                .any(|fact| self.layer[*fact as usize] <= self.depth),
            Condition::Compare { cell, op, value } => {
                let cell = &model.cells[*cell as usize];
                let wide = &self.wides[cell.wide as usize];
                self.enumerator.work(wide.listed.len());
                self.enumerator.is_tired()
                    || wide.satisfies(self.depth + 1, (cell.low, cell.high), *op, *value)
            }
            Condition::Pair { left, right, table } => {
                let (mut bits, others) = (self.sets[*left as usize], self.sets[*right as usize]);
                while bits != 0 {
                    let bit = bits.trailing_zeros();
                    bits &= bits - 1;
                    if model.pairs[(table + bit) as usize] & others != 0 {
                        return true;
                    }
                }
                false
            }
            Condition::Code { code, dimensions } => {
                self.some_combination(model, *code, *dimensions, self.depth + 1, |value| {
                    value != 0
                })
            }
        }
    }

    /// A user whose conditions are there: a goal is met, an edge fires if it needs no partner or has one.
    fn ready(&mut self, model: &Model, user: u32) {
        if !self.timer.delays(&model.time, user) {
            self.go(model, user);
        }
    }

    /// Lets it go once it has waited long enough.
    #[inline]
    pub(in crate::atg) fn go(&mut self, model: &Model, user: u32) {
        let Some(edge) = model.edges.get(user as usize) else {
            let goal = user - model.edges.len() as u32;
            self.met = self.met.or(Some(goal));
            return;
        };
        match edge.partner {
            Partner::None => self.to_fire.push(user),
            partner => self.meeting.arrive(model, user, partner, &mut self.to_fire),
        }
    }

    /// What was made becomes the last complete layer.
    pub(in crate::atg) fn advance(&mut self, model: &Model) {
        std::mem::swap(&mut self.new_atoms, &mut self.next_atoms);
        self.next_atoms.clear();
        for &atom in self.new_atoms.list() {
            let slot = model.slot_of[atom as usize];
            if let Some(cell) = model.cells.get(slot as usize) {
                self.sets[slot as usize] |= 1 << (atom - cell.atoms);
            }
            if model.observed[slot as usize] && !self.marked[slot as usize] {
                self.marked[slot as usize] = true;
                self.next_changed.push(slot);
            }
        }
        std::mem::swap(&mut self.changed, &mut self.next_changed);
        self.next_changed.clear();
        for &slot in &self.changed {
            self.marked[slot as usize] = false;
        }
    }

    /// Adds an atom to the layer in the making; true if it is new.
    #[inline]
    pub(in crate::atg) fn add(&mut self, atom: u32, cause: u32) -> bool {
        let before = self.next_atoms.list().len();
        self.add_all(&[atom], cause);
        self.next_atoms.list().len() > before
    }

    /// Adds atoms to the layer in the making.
    #[inline]
    pub(in crate::atg) fn add_all(&mut self, atoms: &[u32], cause: u32) {
        let (layers, causes) = (&mut self.layer[..], &mut self.cause[..]);
        let depth = self.depth;
        self.next_atoms.offer_all(atoms, |atom| {
            let layer = &mut layers[atom as usize];
            let new = *layer == NEVER;
            *layer = (*layer).min(depth);
            let known = &mut causes[atom as usize];
            *known = if new { cause } else { *known };
            new
        });
    }

    /// A wide cell grows.
    pub(in crate::atg) fn mark(&mut self, model: &Model, slot: u32) {
        if model.observed[slot as usize] && !self.marked[slot as usize] {
            self.marked[slot as usize] = true;
            self.next_changed.push(slot);
        }
    }

    /// Since when a value is there, and by what.
    pub fn entry(&self, model: &Model, cell: u32, value: i32) -> Entry {
        let cell = &model.cells[cell as usize];
        if value < cell.low || value > cell.high {
            return Entry::ABSENT;
        }
        if cell.wide == DENSE {
            self.atom_entry(cell.atoms + (value - cell.low) as u32)
        } else {
            let entry = self.wides[cell.wide as usize].entry(value);
            entry.unwrap_or(Entry::ABSENT)
        }
    }

    /// When an atom becomes true.
    pub fn atom_entry(&self, atom: u32) -> Entry {
        Entry {
            layer: self.layer[atom as usize],
            cause: self.cause[atom as usize],
        }
    }

    /// The values of a dense cell that were there before a layer, as bits.
    pub(in crate::atg) fn values_before(&self, cell: &CellModel, before: u16) -> u64 {
        let size = (cell.high - cell.low) as usize + 1;
        let layers = &self.layer[cell.atoms as usize..][..size];
        let there = layers.iter().enumerate();
        there.fold(0, |set, (bit, layer)| {
            set | u64::from(*layer < before) << bit
        })
    }
}
