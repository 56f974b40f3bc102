//! The layers of the abstract transition graph, built event by event (section 4, figure 1).
//!
//! Each condition has a flag and each edge counts the conditions that it still waits for. A new location or value wakes
//! only the conditions that read it; a condition that becomes true wakes only the edges that need it. Nothing is
//! allocated for a state.

use merkhet_network::Network;
use merkhet_network::code::{Layout, Machine, Program};

use super::compile::{compare, compile};
use super::enumerate::Enumerated;
use super::model::{Action, Condition, DENSE, EdgeRef, Model, Partner};
use super::solution::Step;
use super::values::{Entry, INITIAL, NEVER, Wide};
use crate::DEAD_END;
use crate::goal::Goal;

const NO_EDGE: u32 = u32::MAX;

/// The ready edges of a channel's end: the first, and the first of another process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ready {
    pub first: u32,
    pub other: u32,
}

impl Ready {
    const NONE: Ready = Ready {
        first: NO_EDGE,
        other: NO_EDGE,
    };
}

/// The abstract transition graph of one goal; building it for a state gives h^L, extracting a solution h^U.
pub struct Graph {
    pub(super) model: Model,
    pub(super) program: Program,
    pub(super) layout: Layout,
    pub(super) machine: Machine,
    // Layers of facts and values, with the edge or effect that brought them.
    pub(super) fact_layer: Vec<u16>,
    pub(super) fact_edge: Vec<u32>,
    pub(super) sets: Vec<u64>,
    next_sets: Vec<u64>,
    pub(super) entries: Vec<Entry>,
    pub(super) wides: Vec<Wide>,
    // Progress.
    satisfied: Vec<bool>,
    waiting: Vec<u16>,
    fired: Vec<bool>,
    /// The edge that each fired edge synchronises with.
    pub(super) partner: Vec<u32>,
    senders: Vec<Ready>,
    receivers: Vec<Ready>,
    ready: Vec<Vec<u32>>,
    // Events of the current layer.
    new_facts: Vec<u32>,
    next_facts: Vec<u32>,
    changed: Vec<u32>,
    next_changed: Vec<u32>,
    cell_marked: Vec<bool>,
    to_fire: Vec<u32>,
    to_evaluate: Vec<u32>,
    late: Vec<u32>,
    /// The goal's disjunct that was met first.
    pub(super) met: Option<u32>,
    pub(super) layer: u16,
    needs: Vec<u16>,
    // Buffers of the enumeration.
    pub(super) pool: Vec<i32>,
    pub(super) pool_starts: Vec<usize>,
    pub(super) position: Vec<usize>,
    values: Vec<i32>,
    pub(super) extraction: super::solution::Extraction,
}

impl Graph {
    /// Compiles the network for the goal.
    pub fn new(network: &Network, goal: &Goal) -> Graph {
        let compiled = compile(network, goal);
        let model = compiled.model;
        let machine = Machine::new(&compiled.program);
        let needs = model
            .edges
            .iter()
            .map(|edge| edge.needs)
            .chain(model.goals.iter().map(|goal| goal.needs))
            .collect();
        let edges = model.edges.len();
        Graph {
            fact_layer: vec![NEVER; model.facts],
            fact_edge: vec![NO_EDGE; model.facts],
            sets: vec![0; model.cells.len()],
            next_sets: vec![0; model.cells.len()],
            entries: vec![Entry::ABSENT; model.entries],
            wides: vec![Wide::default(); model.wides],
            satisfied: vec![false; model.conditions.len()],
            waiting: vec![0; edges + model.goals.len()],
            fired: vec![false; edges],
            partner: vec![NO_EDGE; edges],
            senders: vec![Ready::NONE; model.channels],
            receivers: vec![Ready::NONE; model.channels],
            ready: vec![Vec::new(); model.channels],
            new_facts: Vec::new(),
            next_facts: Vec::new(),
            changed: Vec::new(),
            next_changed: Vec::new(),
            cell_marked: vec![false; model.cells.len()],
            to_fire: Vec::new(),
            to_evaluate: Vec::new(),
            late: Vec::new(),
            met: None,
            layer: 0,
            needs,
            pool: Vec::new(),
            pool_starts: Vec::new(),
            position: Vec::new(),
            values: Vec::new(),
            extraction: super::solution::Extraction::default(),
            machine,
            layout: compiled.layout,
            program: compiled.program,
            model,
        }
    }

    /// h^L: the first layer that meets the goal, or [`DEAD_END`].
    pub fn lower(&mut self, memory: &[i32]) -> u32 {
        self.start(memory);
        self.layers()
    }

    /// The same if these edges, numbered through the whole network, could not be taken.
    pub fn lower_without(&mut self, memory: &[i32], edges: impl Iterator<Item = usize>) -> u32 {
        self.start(memory);
        for edge in edges {
            // It waits for something that never comes.
            self.waiting[edge] = u16::MAX;
        }
        self.layers()
    }

    fn layers(&mut self) -> u32 {
        loop {
            self.wake();
            if self.met.is_some() {
                return u32::from(self.layer);
            }
            if self.layer >= NEVER - 2 {
                // Too many layers to count: what is known is that the distance is at least this.
                return u32::from(self.layer);
            }
            self.layer += 1;
            self.fire();
            if self.next_facts.is_empty() && self.next_changed.is_empty() {
                return DEAD_END;
            }
            self.advance();
        }
    }

    /// The edges of the last extracted solution, and whether each is enabled in the first layer.
    pub fn planned(&self) -> impl Iterator<Item = (bool, EdgeRef)> + '_ {
        let origins = move |(first, edge): (bool, u32)| {
            let origins = self.model.origins.get(edge).iter();
            origins.map(move |at| (first, self.model.network_edges[*at as usize]))
        };
        self.extraction
            .chosen
            .iter()
            .flat_map(|chosen| [chosen.edge, chosen.partner].map(|edge| (chosen.layer == 1, edge)))
            .filter(|(_, edge)| *edge != NO_EDGE)
            .flat_map(origins)
    }

    /// The steps of the last extracted solution, last first.
    pub fn solution(&self) -> impl Iterator<Item = Step> + '_ {
        self.extraction.chosen.iter().map(|chosen| Step {
            layer: chosen.layer,
            times: chosen.times,
            edge: self.representative(chosen.edge),
            partner: (chosen.partner != NO_EDGE).then(|| self.representative(chosen.partner)),
        })
    }

    /// The first of the network's edges that an abstract edge stands for: they do the same as far as is seen here.
    fn representative(&self, edge: u32) -> EdgeRef {
        self.model.network_edges[self.model.origins.get(edge)[0] as usize]
    }

    /// The number of abstract edges, as a measure of what an evaluation costs.
    pub fn size(&self) -> usize {
        self.model.edges.len()
    }

    fn start(&mut self, memory: &[i32]) {
        self.fact_layer.fill(NEVER);
        self.entries.fill(Entry::ABSENT);
        self.satisfied.fill(false);
        self.waiting.copy_from_slice(&self.needs);
        self.fired.fill(false);
        self.senders.fill(Ready::NONE);
        self.receivers.fill(Ready::NONE);
        self.ready.iter_mut().for_each(Vec::clear);
        for list in [
            &mut self.next_facts,
            &mut self.next_changed,
            &mut self.to_fire,
            &mut self.to_evaluate,
            &mut self.late,
        ] {
            list.clear();
        }
        self.cell_marked.fill(false);
        self.met = None;
        self.layer = 0;
        self.new_facts.clear();
        self.changed.clear();
        for (first, location) in self.model.first_fact.iter().zip(memory) {
            let fact = first + *location as u32;
            self.fact_layer[fact as usize] = 0;
            self.fact_edge[fact as usize] = NO_EDGE;
            self.new_facts.push(fact);
        }
        for (cell, model) in self.model.cells.iter().enumerate() {
            let value = memory[self.model.processes + cell];
            if model.wide == DENSE {
                let bit = (value - model.low) as u32;
                self.sets[cell] = 1 << bit;
                self.next_sets[cell] = 1 << bit;
                self.entries[(model.entries + bit) as usize] = Entry {
                    layer: 0,
                    effect: INITIAL,
                };
            } else {
                self.wides[model.wide as usize].reset(value);
            }
            self.changed.push(cell as u32);
        }
        for at in 0..self.model.constant_true.len() {
            let condition = self.model.constant_true[at];
            self.test(condition);
        }
        for (goal, model) in self.model.goals.iter().enumerate() {
            if model.needs == 0 {
                self.met = Some(goal as u32);
            }
        }
    }

    /// Lets the new facts and values of this layer satisfy conditions and make edges ready.
    fn wake(&mut self) {
        for at in 0..self.new_facts.len() {
            let fact = self.new_facts[at];
            for index in 0..self.model.watching_fact.get(fact).len() {
                let condition = self.model.watching_fact.get(fact)[index];
                self.test(condition);
            }
            for index in 0..self.model.edges_from.get(fact).len() {
                let edge = self.model.edges_from.get(fact)[index];
                self.one_less(edge);
            }
        }
        for at in 0..self.changed.len() {
            let cell = self.changed[at];
            for index in 0..self.model.watching_cell.get(cell).len() {
                let condition = self.model.watching_cell.get(cell)[index];
                self.test(condition);
            }
            for index in 0..self.model.reading.get(cell).len() {
                let effect = self.model.reading.get(cell)[index];
                if self.fired[self.model.effects[effect as usize].edge as usize] {
                    self.to_evaluate.push(effect);
                }
            }
        }
    }

    fn test(&mut self, condition: u32) {
        if self.satisfied[condition as usize] || !self.holds(condition) {
            return;
        }
        self.satisfied[condition as usize] = true;
        for index in 0..self.model.users.get(condition).len() {
            let user = self.model.users.get(condition)[index];
            self.one_less(user);
        }
    }

    fn holds(&mut self, condition: u32) -> bool {
        let before = self.layer + 1;
        match &self.model.conditions[condition as usize] {
            Condition::Mask { cell, mask } => self.sets[*cell as usize] & mask != 0,
            Condition::Facts(_) => true, // woken by one of the facts
            Condition::Compare { cell, op, value } => {
                let model = &self.model.cells[*cell as usize];
                let wide = &self.wides[model.wide as usize];
                let Some((low, high)) = wide.extremes(before, model.low, model.high) else {
                    return false;
                };
                use merkhet_network::BinaryOp::*;
                match op {
                    Less | LessEqual => compare(*op, low.into(), (*value).into()),
                    Greater | GreaterEqual => compare(*op, high.into(), (*value).into()),
                    Equal => {
                        (model.low..=model.high).contains(value)
                            && wide.entry(*value).is_some_and(|entry| entry.layer < before)
                    }
                    NotEqual => low != high || low != *value,
                    _ => true,
                }
            }
            Condition::Pair { left, right, table } => {
                let (mut bits, others) = (self.sets[*left as usize], self.sets[*right as usize]);
                while bits != 0 {
                    let bit = bits.trailing_zeros();
                    bits &= bits - 1;
                    if self.model.pairs[(table + bit) as usize] & others != 0 {
                        return true;
                    }
                }
                false
            }
            Condition::Code { code, dimensions } => {
                let (code, dimensions) = (*code, *dimensions);
                self.enumerate(code, dimensions, before, |value| value != 0) != Enumerated::All
            }
        }
    }

    fn one_less(&mut self, user: u32) {
        let left = &mut self.waiting[user as usize];
        *left -= 1;
        if *left > 0 {
            return;
        }
        match (user as usize).checked_sub(self.model.edges.len()) {
            Some(goal) => self.met = self.met.or(Some(goal as u32)),
            None => self.edge_ready(user),
        }
    }

    /// An edge whose source and conditions are there: it fires if it needs no partner or has one.
    fn edge_ready(&mut self, edge: u32) {
        let model = &self.model.edges[edge as usize];
        let process = model.process;
        match model.partner {
            Partner::None => self.schedule(edge, NO_EDGE),
            Partner::Receiver(channel) => {
                self.note_ready(true, channel, edge);
                self.wake_partners(channel, edge);
                match self.partner_of(self.receivers[channel as usize], process) {
                    Some(partner) => self.schedule(edge, partner),
                    None => self.ready[channel as usize].push(edge),
                }
            }
            Partner::Sender(channel) => {
                self.note_ready(false, channel, edge);
                self.wake_partners(channel, edge);
                match self.partner_of(self.senders[channel as usize], process) {
                    Some(partner) => self.schedule(edge, partner),
                    None => self.ready[channel as usize].push(edge),
                }
            }
            Partner::Offer(channel) => {
                self.note_ready(true, channel, edge);
                self.wake_partners(channel, edge);
                self.schedule(edge, NO_EDGE);
            }
        }
    }

    fn note_ready(&mut self, sends: bool, channel: u32, edge: u32) {
        let ends = if sends {
            &mut self.senders
        } else {
            &mut self.receivers
        };
        let ready = &mut ends[channel as usize];
        let process = self.model.edges[edge as usize].process;
        if ready.first == NO_EDGE {
            ready.first = edge;
        } else if ready.other == NO_EDGE
            && self.model.edges[ready.first as usize].process != process
        {
            ready.other = edge;
        }
    }

    fn partner_of(&self, ready: Ready, process: u32) -> Option<u32> {
        [ready.first, ready.other]
            .into_iter()
            .find(|edge| *edge != NO_EDGE && self.model.edges[*edge as usize].process != process)
    }

    /// Edges at the other end of the channel that waited for a partner fire with this one.
    fn wake_partners(&mut self, channel: u32, edge: u32) {
        let process = self.model.edges[edge as usize].process;
        let sends = !matches!(self.model.edges[edge as usize].partner, Partner::Sender(_));
        let mut waiting = std::mem::take(&mut self.ready[channel as usize]);
        waiting.retain(|other| {
            let model = &self.model.edges[*other as usize];
            let receives = matches!(model.partner, Partner::Sender(_));
            let fits = receives == sends && model.process != process;
            if fits {
                self.fired[*other as usize] = true;
                self.partner[*other as usize] = edge;
                self.to_fire.push(*other);
            }
            !fits
        });
        self.ready[channel as usize] = waiting;
    }

    fn schedule(&mut self, edge: u32, partner: u32) {
        self.fired[edge as usize] = true;
        self.partner[edge as usize] = partner;
        self.to_fire.push(edge);
    }

    /// Fires the edges that became ready, and the effects of earlier ones that read something new.
    fn fire(&mut self) {
        let layer = self.layer;
        for at in 0..self.to_fire.len() {
            let edge = self.to_fire[at];
            let model = &self.model.edges[edge as usize];
            let (target, effects) = (model.target, model.effects);
            if self.fact_layer[target as usize] == NEVER {
                self.fact_layer[target as usize] = layer;
                self.fact_edge[target as usize] = edge;
                self.next_facts.push(target);
            }
            for effect in effects.0..effects.1 {
                if self.model.effects[effect as usize].late {
                    self.late.push(effect);
                } else {
                    self.apply(effect, layer);
                }
            }
        }
        self.to_fire.clear();
        for at in 0..self.to_evaluate.len() {
            let effect = self.to_evaluate[at];
            if self.model.effects[effect as usize].late {
                self.late.push(effect);
            } else {
                self.apply(effect, layer);
            }
        }
        self.to_evaluate.clear();
        self.fire_late();
    }

    /// Effects that read what their own transition wrote see the layer in the making, until nothing more comes of it.
    fn fire_late(&mut self) {
        if self.late.is_empty() {
            return;
        }
        let late = std::mem::take(&mut self.late);
        loop {
            let mut changed = false;
            for effect in &late {
                changed |= self.apply(*effect, self.layer + 1);
            }
            if !changed {
                break;
            }
        }
        self.late = late;
        self.late.clear();
    }

    /// Adds what the effect yields from values that were there before layer `before`; true if something is new.
    fn apply(&mut self, effect: u32, before: u16) -> bool {
        let model = &self.model.effects[effect as usize];
        let cell = model.cell;
        match &model.action {
            Action::Set(value) => {
                let value = *value;
                self.insert(cell, value, effect)
            }
            Action::Copy { from, offset } => {
                let (from, offset) = (*from, *offset);
                self.copy(cell, from, offset, effect, before)
            }
            Action::Increase => self.open(cell, true, effect, before),
            Action::Decrease => self.open(cell, false, effect, before),
            Action::Any => self.any(cell, effect),
            Action::Code { code, dimensions } => {
                let (code, dimensions) = (*code, *dimensions);
                let mut values = std::mem::take(&mut self.values);
                values.clear();
                let outcome = self.enumerate(code, dimensions, before, |value| {
                    values.push(value);
                    false
                });
                let new = match outcome {
                    Enumerated::TooMany => self.any(cell, effect),
                    _ => values
                        .iter()
                        .fold(false, |new, value| self.insert(cell, *value, effect) | new),
                };
                self.values = values;
                new
            }
        }
    }

    fn insert(&mut self, cell: u32, value: i32, effect: u32) -> bool {
        let model = &self.model.cells[cell as usize];
        if value < model.low || value > model.high {
            return false;
        }
        let entry = Entry {
            layer: self.layer,
            effect,
        };
        let new = if model.wide == DENSE {
            let bit = (value - model.low) as u32;
            let new = self.next_sets[cell as usize] & (1 << bit) == 0;
            if new {
                self.next_sets[cell as usize] |= 1 << bit;
                self.entries[(model.entries + bit) as usize] = entry;
            }
            new
        } else {
            self.wides[model.wide as usize].insert(value, entry)
        };
        if new {
            self.mark(cell);
        }
        new
    }

    fn mark(&mut self, cell: u32) {
        if !self.cell_marked[cell as usize] {
            self.cell_marked[cell as usize] = true;
            self.next_changed.push(cell);
        }
    }

    fn copy(&mut self, cell: u32, from: u32, offset: i32, effect: u32, before: u16) -> bool {
        let source = &self.model.cells[from as usize];
        let mut new = false;
        if source.wide == DENSE {
            let (low, late) = (source.low, before > self.layer);
            let mut bits = if late {
                self.next_sets[from as usize]
            } else {
                self.sets[from as usize]
            };
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                if let Some(value) = (low + bit as i32).checked_add(offset) {
                    new |= self.insert(cell, value, effect);
                }
            }
            return new;
        }
        let wide = source.wide as usize;
        for at in 0..self.wides[wide].listed.len() {
            let Some(&(value, entry)) = self.wides[wide].listed.get(at) else {
                break;
            };
            if entry.layer < before
                && let Some(value) = value.checked_add(offset)
            {
                new |= self.insert(cell, value, effect);
            }
        }
        let up = self.wides[wide]
            .up
            .filter(|(_, entry)| entry.layer < before);
        let down = self.wides[wide]
            .down
            .filter(|(_, entry)| entry.layer < before);
        if let Some((start, _)) = up {
            new |= self.open_from(cell, true, start.saturating_add(offset), effect);
        }
        if let Some((start, _)) = down {
            new |= self.open_from(cell, false, start.saturating_add(offset), effect);
        }
        new
    }

    /// The shortcut of figure 1: everything above the smallest (below the largest) value.
    fn open(&mut self, cell: u32, up: bool, effect: u32, before: u16) -> bool {
        let model = &self.model.cells[cell as usize];
        let extremes = if model.wide == DENSE {
            let bits = if before > self.layer {
                self.next_sets[cell as usize]
            } else {
                self.sets[cell as usize]
            };
            (bits != 0).then(|| {
                (
                    model.low + bits.trailing_zeros() as i32,
                    model.low + 63 - bits.leading_zeros() as i32,
                )
            })
        } else {
            self.wides[model.wide as usize].extremes(before, model.low, model.high)
        };
        match extremes {
            Some((low, _)) if up => self.open_from(cell, true, low.saturating_add(1), effect),
            Some((_, high)) => self.open_from(cell, false, high.saturating_sub(1), effect),
            None => false,
        }
    }

    fn open_from(&mut self, cell: u32, up: bool, from: i32, effect: u32) -> bool {
        let model = &self.model.cells[cell as usize];
        let (low, high, wide) = (model.low, model.high, model.wide);
        if wide == DENSE {
            let range = if up {
                from.max(low)..=high
            } else {
                low..=from.min(high)
            };
            return range.fold(false, |new, value| self.insert(cell, value, effect) | new);
        }
        let entry = Entry {
            layer: self.layer,
            effect,
        };
        let new = match up {
            true => from <= high && self.wides[wide as usize].open_up(from.max(low), entry),
            false => from >= low && self.wides[wide as usize].open_down(from.min(high), entry),
        };
        if new {
            self.mark(cell);
        }
        new
    }

    fn any(&mut self, cell: u32, effect: u32) -> bool {
        let low = self.model.cells[cell as usize].low;
        self.open_from(cell, true, low, effect)
    }

    /// What was made becomes the current layer.
    fn advance(&mut self) {
        std::mem::swap(&mut self.new_facts, &mut self.next_facts);
        self.next_facts.clear();
        std::mem::swap(&mut self.changed, &mut self.next_changed);
        self.next_changed.clear();
        for cell in &self.changed {
            self.cell_marked[*cell as usize] = false;
            self.sets[*cell as usize] = self.next_sets[*cell as usize];
        }
    }
}
