//! Taking a transition: first its data, which tell when it can be taken, then the moment.
//!
//! Data do not depend on clocks. So updates are run before the moment is chosen, and what the target's invariants ask is
//! known while it still can be; where they leave no moment the transition does not exist, and the memory is put back.

use merkhet_network::code::{ClockUpdate, CodeId, Fault, FaultKind};

use crate::model::{Model, UpdateCode, span};
use crate::state::windows::Value;
use crate::state::{ABSENT, State};
use crate::time::{Moment, NEVER, Window};

/// The buffers of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    /// Slots that may have been written, with what they held.
    undo: Vec<(u32, i32)>,
    /// The clocks that are set, with their values as time passes before the transition.
    set: Vec<(u32, Value)>,
    /// By row: its place among these.
    set_at: Vec<u32>,
    /// The processes whose invariants must be asked, each once: those asked in this turn carry its number.
    affected: Vec<u32>,
    asked: Vec<u32>,
    turn: u32,
    /// Clocks that began to run or to stand still.
    pub turned: Vec<u32>,
    /// Channels that have got a sender while receivers waited for one.
    pub woken: Vec<u32>,
}

impl Work {
    pub fn new(model: &Model) -> Work {
        Work {
            set_at: vec![ABSENT; model.clocks + 1],
            asked: vec![0; model.processes],
            ..Work::default()
        }
    }

    fn begin(&mut self) {
        self.undo.clear();
        self.affected.clear();
        self.forget_sets();
        self.turn = self.turn.wrapping_add(1);
        if self.turn == 0 {
            self.asked.fill(0);
            self.turn = 1;
        }
    }

    fn forget_sets(&mut self) {
        for (row, _) in self.set.drain(..) {
            self.set_at[row as usize] = ABSENT;
        }
    }

    #[inline]
    fn affect(&mut self, process: u32) {
        let asked = &mut self.asked[process as usize];
        if *asked != self.turn {
            *asked = self.turn;
            self.affected.push(process);
        }
    }
}

/// What running a transition's updates shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fired {
    /// It can be taken at these moments, as far as its target is concerned. The memory is the target's: the transition is to
    /// be taken or taken back.
    Within(Window),
    /// It does not exist; the memory is as before.
    Never,
}

impl State<'_> {
    /// Runs the updates of a transition. After a fault the memory is as before.
    pub fn fire(&mut self, edges: &[u32]) -> Result<Fired, Fault> {
        self.work.begin();
        match self.run_updates(edges) {
            Ok(()) => {}
            Err(fault) => {
                self.take_back();
                return match self.disables(&fault) {
                    true => Ok(Fired::Never),
                    false => Err(fault),
                };
            }
        }
        match self.entry(edges) {
            Ok(window) if !window.is_empty() => Ok(Fired::Within(window)),
            Ok(_) => {
                self.take_back();
                Ok(Fired::Never)
            }
            Err(fault) => {
                self.take_back();
                Err(fault)
            }
        }
    }

    fn disables(&self, fault: &Fault) -> bool {
        self.model.disables && matches!(fault.kind, FaultKind::OutOfRange { .. })
    }

    /// Puts the memory back to what it was before the updates.
    pub fn take_back(&mut self) {
        for (slot, value) in self.work.undo.drain(..).rev() {
            self.machine.memory[slot as usize] = value;
        }
    }

    fn save(&mut self, writes: (u32, u32)) {
        for (first, count) in span(&self.model.writes, writes) {
            for slot in *first..*first + *count {
                let value = self.machine.memory[slot as usize];
                self.work.undo.push((slot, value));
            }
        }
    }

    fn run_updates(&mut self, edges: &[u32]) -> Result<(), Fault> {
        let model = self.model;
        self.save(model.shared_writes);
        for edge in edges {
            let code = &model.edges[*edge as usize];
            self.save(code.writes);
            self.work.undo.push((code.process, code.source));
        }
        self.machine.clock_updates.clear();
        self.run(model.before_update)?;
        for edge in edges {
            match model.edges[*edge as usize].update {
                UpdateCode::Nothing => {}
                UpdateCode::Code(code) => self.run(Some(code))?,
            }
        }
        self.run(model.after_update)?;
        for edge in edges {
            let code = &model.edges[*edge as usize];
            self.machine.memory[code.process as usize] = code.target;
        }
        Ok(())
    }

    #[inline]
    fn run(&mut self, code: Option<CodeId>) -> Result<(), Fault> {
        match code {
            None => Ok(()),
            Some(code) => {
                let result = self.machine.run(&self.model.program, code);
                self.effort += self.machine.used;
                result
            }
        }
    }

    /// When the clocks permit the invariants afterwards. Only those are asked that the transition can have changed.
    fn entry(&mut self, edges: &[u32]) -> Result<Window, Fault> {
        let model = self.model;
        let mut window = self.set_clocks();
        for edge in edges {
            self.work.affect(model.edges[*edge as usize].process);
        }
        for index in 0..self.work.undo.len() {
            let (slot, old) = self.work.undo[index];
            if self.machine.memory[slot as usize] != old {
                for location in model.location_readers.of(slot as usize) {
                    self.affect_location(*location);
                }
            }
        }
        for index in 0..self.work.set.len() {
            let row = self.work.set[index].0 as usize;
            for location in model.clock_locations.of(row) {
                self.affect_location(*location);
            }
        }
        for index in 0..self.work.affected.len() {
            let process = self.work.affected[index];
            let (_, location) = model.location(process, &self.machine.memory);
            if !self.permits(location.data)? {
                return Ok(Window::EMPTY);
            }
            for atom in span(&model.atoms, location.clocks) {
                let (left, right) = (self.value_after(atom.left), self.value_after(atom.right));
                window = window.and(self.atom_of(atom, left, right)?);
            }
        }
        Ok(window)
    }

    fn affect_location(&mut self, location: u32) {
        let model = self.model;
        if self.is_at(location) {
            self.work.affect(model.locations[location as usize].process);
        }
    }

    /// Collects what the updates did to clocks, in order; when that leaves no clock below zero.
    fn set_clocks(&mut self) -> Window {
        let mut window = Window::ALWAYS;
        for index in 0..self.machine.clock_updates.len() {
            let (row, value) = match self.machine.clock_updates[index] {
                ClockUpdate::Set { clock, value } => {
                    let base = Moment::from(value) * 2 * self.model.scale;
                    (clock.0 + 1, Value { runs: false, base })
                }
                ClockUpdate::Copy {
                    target,
                    source,
                    offset,
                } => {
                    let mut value = self.value_after(source.0 + 1);
                    let by = Moment::from(offset) * 2 * self.model.scale;
                    value.base += if value.runs { -by } else { by };
                    window = window.and(match value.runs {
                        true => Window {
                            low: value.base,
                            high: NEVER,
                        },
                        false if value.base >= 0 => Window::ALWAYS,
                        false => Window::EMPTY,
                    });
                    (target.0 + 1, value)
                }
            };
            match self.work.set_at[row as usize] {
                ABSENT => {
                    self.work.set_at[row as usize] = self.work.set.len() as u32;
                    self.work.set.push((row, value));
                }
                place => self.work.set[place as usize].1 = value,
            }
        }
        window
    }

    /// The value of a row after the updates, as it would be if they were run at each moment.
    #[inline]
    fn value_after(&self, row: u32) -> Value {
        match self.work.set_at[row as usize] {
            ABSENT => self.value(row),
            place => self.work.set[place as usize].1,
        }
    }

    /// Takes the transition whose updates have been run, at a moment at which it can be. After a fault the state is of no
    /// use any more.
    pub fn take(&mut self, edges: &[u32], at: Moment) -> Result<(), Fault> {
        let model = self.model;
        debug_assert!(at >= self.now && at & 1 == 0);
        self.now = at;
        for index in 0..self.work.set.len() {
            let (row, value) = self.work.set[index];
            let worth = match value.runs {
                true => at - value.base,
                false => value.base,
            };
            let runs = self.stops[row as usize] == 0;
            self.base[row as usize] = if runs { at - worth } else { worth };
        }
        self.work.turned.clear();
        self.work.woken.clear();
        for edge in edges {
            let code = &model.edges[*edge as usize];
            if code.source != code.target {
                self.leave(code.process, code.source);
            }
        }
        for edge in edges {
            let code = &model.edges[*edge as usize];
            if code.source != code.target {
                self.arrive(code.process)?;
            }
        }
        self.mend()?;
        for index in 0..self.work.turned.len() {
            let row = self.work.turned[index] as usize;
            for location in model.clock_locations.of(row) {
                self.affect_location(*location);
            }
        }
        for index in 0..self.work.affected.len() {
            self.settle_deadline(self.work.affected[index])?;
        }
        Ok(())
    }

    /// Asks the readers of what has changed.
    fn mend(&mut self) -> Result<(), Fault> {
        let model = self.model;
        for index in 0..self.work.undo.len() {
            let (slot, old) = self.work.undo[index];
            if self.machine.memory[slot as usize] == old {
                continue;
            }
            for edge in model.edge_readers.of(slot as usize) {
                let code = &model.edges[*edge as usize];
                if self.machine.memory[code.process as usize] == code.source {
                    self.refresh(*edge)?;
                }
            }
            for switch in model.switch_readers.of(slot as usize) {
                if self.is_at(model.switches[*switch as usize].location) {
                    self.settle_switch(*switch)?;
                }
            }
            for rate in model.rate_readers.of(slot as usize) {
                if self.is_at(model.rates[*rate as usize].location) {
                    self.settle_rate(*rate)?;
                }
            }
        }
        self.wake()
    }

    /// Whether a location's process is there.
    #[inline]
    fn is_at(&self, location: u32) -> bool {
        let process = self.model.locations[location as usize].process;
        self.model.location(process, &self.machine.memory).0 == location
    }
}
