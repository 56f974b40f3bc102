//! Declares processes, events, variables, clocks and locations.

use super::{Broken, Lower, Lowering, MAX_CELLS, MAX_CLOCKS};
use merkhet_network::{
    Address, Cell, Clock, ClockId, Invariant, Location, LocationId, LocationKind, Process,
    ProcessId, Region, Shape, SiteId, Variable, VariableId,
};
use merkhet_syntax::{Diagnostic, nearest_name};
use merkhet_tck::tree;
use merkhet_tck::tree::Name;

/// What a name in an expression stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    /// Integers in consecutive cells.
    Int {
        base: Address,
        length: u32,
        low: i32,
        high: i32,
    },
    /// Consecutive clocks.
    Clock { base: ClockId, length: u32 },
}

impl<'t> Lowering<'t> {
    /// Declares everything that has a name.
    pub(super) fn declare(&mut self) -> Lower<()> {
        let system = self.system;
        for event in &system.events {
            let next = self.events.len();
            if self.events.insert(&event.text, next).is_some() {
                self.declared_twice(event);
            }
            self.network.events.push(event.text.clone());
        }
        let clocks = self.declare_clocks();
        let ints = self.declare_ints();
        for process in &system.processes {
            let next = self.network.processes.len();
            if self.processes.insert(&process.text, next).is_some() {
                self.declared_twice(process);
            }
            self.network.processes.push(Process {
                name: process.text.clone(),
                template: process.text.clone(),
                locations: Vec::new(),
                initial: LocationId(0),
                edges: Vec::new(),
                priority: 0,
            });
        }
        for location in &system.locations {
            // An error has been reported; the others are declared all the same.
            let _ = self.declare_location(location);
        }
        clocks.and(ints)
    }

    pub(super) fn declared_twice(&mut self, name: &Name) {
        let message = format!("`{}` is declared twice", name.text);
        self.report(Diagnostic::error("declared-twice", message, name.span));
    }

    fn declare_symbol(&mut self, name: &Name, symbol: Symbol) {
        if self.symbols.insert(name.text.clone(), symbol).is_some() {
            self.declared_twice(name);
        }
    }

    fn declare_clocks(&mut self) -> Lower<()> {
        let system = self.system;
        for clock in &system.clocks {
            let base = self.network.clocks.len();
            if clock.size as usize > MAX_CLOCKS - base {
                let message = format!("more than {MAX_CLOCKS} clocks");
                return self.fail("too-many-clocks", message, clock.size_span);
            }
            for index in 0..clock.size {
                let name = match clock.size {
                    1 => clock.name.text.clone(),
                    _ => format!("{}[{index}]", clock.name.text),
                };
                self.network.clocks.push(Clock { name, owner: None });
            }
            let symbol = Symbol::Clock {
                base: ClockId::from(base),
                length: clock.size,
            };
            self.declare_symbol(&clock.name, symbol);
        }
        Ok(())
    }

    fn declare_ints(&mut self) -> Lower<()> {
        let system = self.system;
        for int in &system.ints {
            let offset = self.network.state_cells.len();
            if int.size as usize > MAX_CELLS - offset {
                let message = format!("more than {MAX_CELLS} integers");
                return self.fail("too-many-variables", message, int.size_span);
            }
            let base = Address {
                region: Region::State,
                offset: offset as u32,
            };
            let cell = Cell {
                low: int.low,
                high: int.high,
                initial: int.initial,
                variable: VariableId::from(self.network.variables.len()),
            };
            let cells = std::iter::repeat_n(cell, int.size as usize);
            self.network.state_cells.extend(cells);
            let element = Shape::Int {
                low: int.low,
                high: int.high,
            };
            self.network.variables.push(Variable {
                name: int.name.text.clone(),
                owner: None,
                shape: match int.size {
                    1 => element,
                    length => Shape::Array {
                        length,
                        element: Box::new(element),
                    },
                },
                base,
            });
            let symbol = Symbol::Int {
                base,
                length: int.size,
                low: int.low,
                high: int.high,
            };
            self.declare_symbol(&int.name, symbol);
        }
        Ok(())
    }

    fn declare_location(&mut self, location: &'t tree::Location) -> Lower<()> {
        let process = self.process(&location.process)?;
        let next = self.network.processes[process].locations.len();
        let key = (process, location.name.text.as_str());
        if self.locations.insert(key, next).is_some() {
            self.declared_twice(&location.name);
        }
        let mut labels: Vec<String> = Vec::new();
        for label in &location.labels {
            if !labels.contains(&label.text) {
                labels.push(label.text.clone());
            }
        }
        let kind = match (location.committed, location.urgent) {
            (true, _) => LocationKind::Committed,
            (_, true) => LocationKind::Urgent,
            _ => LocationKind::Normal,
        };
        self.network.processes[process].locations.push(Location {
            name: location.name.text.clone(),
            named: true,
            kind,
            invariant: Invariant::default(),
            labels,
            position: None,
            site: SiteId::NONE,
        });
        Ok(())
    }

    /// The process of a name.
    pub(super) fn process(&mut self, name: &Name) -> Lower<usize> {
        if let Some(&process) = self.processes.get(name.text.as_str()) {
            return Ok(process);
        }
        let candidates = self.system.processes.iter().map(|name| name.text.as_str());
        let suggestion = nearest_name(&name.text, candidates);
        self.unknown("process", name, suggestion)
    }

    /// The event of a name.
    pub(super) fn event(&mut self, name: &Name) -> Lower<usize> {
        if let Some(&event) = self.events.get(name.text.as_str()) {
            return Ok(event);
        }
        let candidates = self.system.events.iter().map(|name| name.text.as_str());
        let suggestion = nearest_name(&name.text, candidates);
        self.unknown("event", name, suggestion)
    }

    /// The location of a name in a process.
    pub(super) fn location(&mut self, process: usize, name: &Name) -> Lower<LocationId> {
        if let Some(&location) = self.locations.get(&(process, name.text.as_str())) {
            return Ok(LocationId::from(location));
        }
        let network = &self.network;
        let candidates = network.processes[process].locations.iter();
        let nearest = nearest_name(&name.text, candidates.map(|l| l.name.as_str()));
        let suggestion = nearest.map(str::to_owned);
        self.unknown("location", name, suggestion.as_deref())
    }

    fn unknown<T>(&mut self, what: &str, name: &Name, suggestion: Option<&str>) -> Lower<T> {
        let message = format!("there is no {what} `{}`", name.text);
        let diagnostic = Diagnostic::error("unknown-name", message, name.span);
        self.report(diagnostic.with_suggestion(suggestion));
        Err(Broken)
    }

    /// Lowers the invariants, once everything is declared.
    pub(super) fn fill_locations(&mut self) {
        let system = self.system;
        for location in &system.locations {
            let process = self.processes.get(location.process.text.as_str()).copied();
            let Some(process) = process else { continue };
            let key = (process, location.name.text.as_str());
            let Some(&index) = self.locations.get(&key) else {
                continue;
            };
            let context = format!(
                "process {}, location {}",
                location.process.text, location.name.text
            );
            let site = self.site(location.name.span, &context);
            let context = format!("{context}, invariant");
            let guard = self.guard(&location.invariants, &context);
            let target = &mut self.network.processes[process].locations[index];
            target.site = site;
            if let Ok(guard) = guard {
                target.invariant = Invariant {
                    data: guard.data,
                    clocks: guard.clocks,
                    rates: Vec::new(),
                };
            }
        }
    }

    /// All processes with their ids.
    pub(super) fn process_ids(&self) -> impl Iterator<Item = ProcessId> + use<> {
        self.network.process_ids()
    }
}
