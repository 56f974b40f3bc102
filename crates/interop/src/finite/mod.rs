//! Networks of automata as finite systems.
//!
//! A network without clocks is a finite system; one whose clock bounds are all closed (`<=`, `>=`) and compare single
//! clocks has the same reachable locations and values with integer times ("digital clocks", Henzinger, Manna, Pnueli
//! 1992), and clocks above their largest bound need not be told apart. What does not fit is refused with the reason.

mod clock;
mod event;
mod expression;
mod formula;
mod statement;

use merkhet_finite::{
    Domain, ExpressionId, Formula as FiniteFormula, Role, Specification, SpecificationKind, System,
    Value, Variable, VariableId,
};
use merkhet_network::{Address, Formula, Network, ProcessId, Region, Transition};

use clock::Ceilings;

/// Larger domains would make diagrams of values that nobody can afford.
const MOST_VALUES: i64 = 4096;

/// What is refused, and why.
pub type Translate<T> = Result<T, String>;

/// What an event of the finite system stands for.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A time unit passes.
    Tick,
    /// Edges are taken.
    Take(Transition),
}

/// A network as a finite system.
pub struct Translated {
    /// The system; its only specification is that neither goal nor fault is reachable.
    pub system: System,
    /// The goal in terms of the system.
    pub goal: ExpressionId,
    meanings: Vec<Meaning>,
    selector: VariableId,
}

impl Translated {
    /// What the step that leaves a state stands for.
    pub fn event_of(&self, state: &[Value]) -> Option<&Meaning> {
        let value = *state.get(self.selector.index())?;
        let code = self.system.variable(self.selector).domain.code(value)?;
        self.meanings.get(code as usize)
    }
}

/// The work in progress.
struct Translator<'n> {
    network: &'n Network,
    system: System,
    locations: Vec<VariableId>,
    cells: Vec<VariableId>,
    clocks: Vec<VariableId>,
    ceilings: Ceilings,
    meanings: Vec<Meaning>,
    /// Conditions on states in which an evaluation fails.
    faults: Vec<ExpressionId>,
    /// For each event, that it is possible.
    enabled: Vec<ExpressionId>,
}

/// Translates a network for the question whether the goal is reachable.
pub fn translate(network: &Network, goal: &Formula) -> Translate<Translated> {
    if network.has_priorities() {
        return Err("priorities are not supported".into());
    }
    if !network.vectors.is_empty() {
        return Err("synchronisation vectors are not supported".into());
    }
    if !network.meta_cells.is_empty() {
        return Err("meta variables are not supported".into());
    }
    let ceilings = Ceilings::new(network, goal)?;
    let mut translator = Translator {
        network,
        system: System::default(),
        locations: Vec::new(),
        cells: Vec::new(),
        clocks: Vec::new(),
        ceilings,
        meanings: Vec::new(),
        faults: Vec::new(),
        enabled: Vec::new(),
    };
    translator.declare()?;
    translator.invariants()?;
    let events = translator.events()?;
    let goal = translator.formula(goal, true)?;
    Ok(translator.finish(events, goal))
}

impl Translator<'_> {
    fn add_variable(
        &mut self,
        name: String,
        low: i64,
        high: i64,
        initial: i64,
    ) -> Translate<VariableId> {
        if high - low >= MOST_VALUES {
            return Err(format!(
                "`{name}` has too many values ({low} to {high}): declare a smaller range"
            ));
        }
        let id = VariableId(self.system.variables.len() as u32);
        let domain = Domain::Values((low..=high).map(Value::Integer).collect());
        self.system.variables.push(Variable {
            name,
            domain,
            role: Role::State,
        });
        let start = self.system.expressions.constant(Value::Integer(initial));
        let now = self.variable(id, false);
        let equal = self.system.expressions.equal(now, start);
        self.system.initial.push(equal);
        Ok(id)
    }

    fn declare(&mut self) -> Translate<()> {
        for process in &self.network.processes {
            let last = process.locations.len() as i64 - 1;
            let initial = process.initial.index() as i64;
            let id = self.add_variable(process.name.clone(), 0, last.max(0), initial)?;
            self.locations.push(id);
        }
        for (offset, cell) in self.network.state_cells.iter().enumerate() {
            let name = self.network.cell_name(Address {
                region: Region::State,
                offset: offset as u32,
            });
            let id =
                self.add_variable(name, cell.low.into(), cell.high.into(), cell.initial.into())?;
            self.cells.push(id);
        }
        for (index, clock) in self.network.clocks.iter().enumerate() {
            let id = self.add_variable(clock.name.clone(), 0, self.ceilings.of(index), 0)?;
            self.clocks.push(id);
        }
        Ok(())
    }

    /// A variable now or after the step.
    fn variable(&mut self, id: VariableId, next: bool) -> ExpressionId {
        let variable = &self.system.variables[id.index()];
        self.system.expressions.variable(id, variable, next)
    }

    fn number(&mut self, value: i64) -> ExpressionId {
        self.system.expressions.constant(Value::Integer(value))
    }

    /// A process is at a location now.
    fn at(&mut self, process: ProcessId, location: usize) -> ExpressionId {
        let variable = self.variable(self.locations[process.index()], false);
        let number = self.number(location as i64);
        self.system.expressions.equal(variable, number)
    }

    fn finish(mut self, events: Vec<merkhet_finite::Event>, goal: ExpressionId) -> Translated {
        let selector = VariableId(self.system.variables.len() as u32);
        let count = events.len().max(1) as i64;
        self.system.variables.push(Variable {
            name: "_event_".into(),
            domain: Domain::Values((0..count).map(Value::Integer).collect()),
            role: Role::Input,
        });
        self.system.events = events;
        for (number, event) in self.system.events.iter_mut().enumerate() {
            event.choice = Some((selector, number as u64));
        }
        let faults = std::mem::take(&mut self.faults);
        let expressions = &mut self.system.expressions;
        let bad = expressions.or(faults.into_iter().chain([goal]));
        let good = expressions.not(bad);
        self.system.specifications.push(Specification {
            text: String::new(),
            name: None,
            kind: SpecificationKind::Invariant,
            formula: FiniteFormula::Invariant(good),
        });
        Translated {
            system: self.system,
            goal,
            meanings: self.meanings,
            selector,
        }
    }
}
