//! The rules of a network, state by state: guards, invariants, rates and updates of one discrete state.

use merkhet_network::{
    ClockConstraint, ClockId, EdgeId, Expr, LocationId, LocationKind, MAX_CLOCK_CONSTANT, Network,
    ProcessId, Rate, Sync,
};

use crate::fault::{Fault, FaultKind, Stop};
use crate::interpreter::{ClockValue, Interpreter};

/// The discrete part of a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Discrete {
    pub locations: Vec<LocationId>,
    pub cells: Vec<i32>,
    /// `None` where a certificate does not say.
    pub meta: Vec<Option<i32>>,
}

/// `x(left) − x(right) ≺ bound` over the rows of a DBM: row 0 is the constant 0, row i + 1 is clock i.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Atom {
    pub left: usize,
    pub right: usize,
    pub strict: bool,
    pub bound: i64,
}

impl Atom {
    /// The constraint that holds exactly where this one does not.
    pub(crate) fn negated(self) -> Atom {
        Atom {
            left: self.right,
            right: self.left,
            strict: !self.strict,
            bound: -self.bound,
        }
    }

    /// Whether it holds for values (row 0 first) in units of 1/scale.
    pub(crate) fn holds(self, values: &[i128], scale: i128) -> bool {
        self.holds_for(values[self.left] - values[self.right], scale)
    }

    /// Whether it holds for a difference of the two values.
    pub(crate) fn holds_for(self, difference: i128, scale: i128) -> bool {
        let bound = i128::from(self.bound) * scale;
        difference < bound || (!self.strict && difference == bound)
    }

    /// What must hold before a transition for this to hold after it.
    pub(crate) fn before(self, clocks: &[ClockValue]) -> Atom {
        let (left, plus) = source_of(self.left, clocks);
        let (right, minus) = source_of(self.right, clocks);
        Atom {
            left,
            right,
            strict: self.strict,
            bound: self.bound - plus + minus,
        }
    }
}

fn source_of(row: usize, clocks: &[ClockValue]) -> (usize, i64) {
    if row == 0 {
        return (0, 0);
    }
    let value = clocks[row - 1];
    (
        value.source.map_or(0, |clock| clock.index() + 1),
        value.offset,
    )
}

/// Whether all of them hold.
pub(crate) fn all_hold(atoms: &[Atom], values: &[i128], scale: i128) -> bool {
    atoms.iter().all(|atom| atom.holds(values, scale))
}

/// A network with the questions that the judge asks of it.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'n> {
    pub network: &'n Network,
}

impl<'n> Rules<'n> {
    pub(crate) fn initial(&self) -> Discrete {
        let network = self.network;
        Discrete {
            locations: network.processes.iter().map(|p| p.initial).collect(),
            cells: network.state_cells.iter().map(|c| c.initial).collect(),
            meta: network.meta_cells.iter().map(|c| Some(c.initial)).collect(),
        }
    }

    pub(crate) fn dimension(&self) -> usize {
        self.network.dimension()
    }

    /// Whether an edge with this synchronisation leaves the process's location, whatever its guard says.
    pub(crate) fn offers(&self, state: &Discrete, process: ProcessId, sync: Sync) -> bool {
        let here = state.locations[process.index()];
        let edges = &self.network.process(process).edges;
        edges
            .iter()
            .any(|edge| edge.sync == sync && edge.source == here)
    }

    fn interpreter<'d>(&self, state: &'d Discrete) -> Interpreter<'d>
    where
        'n: 'd,
    {
        let locations = &state.locations[..];
        Interpreter::new(self.network, locations, &state.cells, &state.meta)
    }

    /// Whether the condition holds (`None`: it does).
    pub(crate) fn truth(&self, state: &Discrete, condition: Option<&Expr>) -> Result<bool, Fault> {
        truth(&mut self.interpreter(state), condition)
    }

    /// The constraint in this state; `None` where its condition does not hold.
    pub(crate) fn atom(
        &self,
        state: &Discrete,
        constraint: &ClockConstraint,
    ) -> Result<Option<Atom>, Fault> {
        atom(&mut self.interpreter(state), constraint)
    }

    /// The clock constraints of an edge's guard, or `None` where its condition on data does not hold.
    pub(crate) fn guard(
        &self,
        state: &Discrete,
        process: ProcessId,
        edge: EdgeId,
    ) -> Result<Option<Vec<Atom>>, Fault> {
        let guard = &self.network.edge(process, edge).guard;
        let run = &mut self.interpreter(state);
        conjunction(run, guard.data.as_ref(), &guard.clocks)
    }

    /// The clock constraints of all invariants, or `None` where one does not hold by its data.
    pub(crate) fn invariant(&self, state: &Discrete) -> Result<Option<Vec<Atom>>, Fault> {
        let mut atoms = Vec::new();
        for process in self.network.process_ids() {
            match self.invariant_of(state, process)? {
                None => return Ok(None),
                Some(more) => atoms.extend(more),
            }
        }
        Ok(Some(atoms))
    }

    /// The constraints on clocks of one process's invariant; nothing if its data do not hold.
    pub(crate) fn invariant_of(
        &self,
        state: &Discrete,
        process: ProcessId,
    ) -> Result<Option<Vec<Atom>>, Fault> {
        let at = state.locations[process.index()];
        let invariant = &self.network.location(process, at).invariant;
        let run = &mut self.interpreter(state);
        conjunction(run, invariant.data.as_ref(), &invariant.clocks)
    }

    /// Which rows grow with time; a clock stands still where any process's location says so.
    pub(crate) fn running(&self, state: &Discrete) -> Result<Vec<bool>, Fault> {
        let mut running = vec![true; self.dimension()];
        running[0] = false;
        for (process, &at) in state.locations.iter().enumerate() {
            let location = self.network.location(ProcessId::from(process), at);
            for rate in &location.invariant.rates {
                if stops(&mut self.interpreter(state), rate)? {
                    running[row(Some(rate.clock))] = false;
                }
            }
        }
        Ok(running)
    }

    fn kind(&self, state: &Discrete, process: ProcessId) -> LocationKind {
        let at = state.locations[process.index()];
        self.network.location(process, at).kind
    }

    /// Whether the process is at a committed location.
    pub(crate) fn committed(&self, state: &Discrete, process: ProcessId) -> bool {
        self.kind(state, process) == LocationKind::Committed
    }

    /// Whether any process is at a committed location.
    pub(crate) fn any_committed(&self, state: &Discrete) -> bool {
        self.network.process_ids().any(|p| self.committed(state, p))
    }

    /// Whether no time may pass because of an urgent or committed location.
    pub(crate) fn frozen(&self, state: &Discrete) -> bool {
        let mut ids = self.network.process_ids();
        ids.any(|p| self.kind(state, p) != LocationKind::Normal)
    }

    /// Takes edges together: the discrete state and the clocks afterwards. Invariants are not looked at.
    pub(crate) fn apply(
        &self,
        state: &Discrete,
        edges: &[(ProcessId, EdgeId)],
    ) -> Result<(Discrete, Vec<ClockValue>), Stop> {
        let mut run = self.interpreter(state);
        updates(&mut run, self.network, edges)?;
        let mut locations = state.locations.clone();
        for &(process, edge) in edges {
            locations[process.index()] = self.network.edge(process, edge).target;
        }
        let (cells, meta, clocks) = (run.state, run.meta, run.clocks);
        let after = Discrete {
            locations,
            cells,
            meta,
        };
        Ok((after, clocks))
    }
}

/// Whether the condition holds (`None`: it does).
pub(crate) fn truth(run: &mut Interpreter<'_>, condition: Option<&Expr>) -> Result<bool, Fault> {
    match condition {
        Some(condition) => run.truth(condition).map_err(fault_of),
        None => Ok(true),
    }
}

/// The constraint in the present state; `None` where its condition does not hold.
pub(crate) fn atom(
    run: &mut Interpreter<'_>,
    constraint: &ClockConstraint,
) -> Result<Option<Atom>, Fault> {
    if !truth(run, constraint.condition.as_ref())? {
        return Ok(None);
    }
    let bound = run.value(&constraint.bound).map_err(fault_of)?;
    if bound.unsigned_abs() > MAX_CLOCK_CONSTANT.unsigned_abs() {
        return Err(Fault::at(FaultKind::ClockConstant, constraint.site));
    }
    Ok(Some(Atom {
        left: row(constraint.left),
        right: row(constraint.right),
        strict: constraint.strict,
        bound: i64::from(bound),
    }))
}

/// The constraints on clocks of a guard or an invariant; `None` where its condition on data does not hold.
pub(crate) fn conjunction(
    run: &mut Interpreter<'_>,
    data: Option<&Expr>,
    clocks: &[ClockConstraint],
) -> Result<Option<Vec<Atom>>, Fault> {
    if !truth(run, data)? {
        return Ok(None);
    }
    let mut atoms = Vec::new();
    for constraint in clocks {
        atoms.extend(atom(run, constraint)?);
    }
    Ok(Some(atoms))
}

/// Whether a rate makes its clock stand still.
pub(crate) fn stops(run: &mut Interpreter<'_>, rate: &Rate) -> Result<bool, Fault> {
    match run.value(&rate.value).map_err(fault_of)? {
        0 => Ok(true),
        1 => Ok(false),
        _ => Err(Fault::at(FaultKind::Rate, rate.site)),
    }
}

/// Runs the updates of edges that are taken together.
pub(crate) fn updates(
    run: &mut Interpreter<'_>,
    network: &Network,
    edges: &[(ProcessId, EdgeId)],
) -> Result<(), Stop> {
    run.block(&network.before_update)?;
    for &(process, edge) in edges {
        run.block(&network.edge(process, edge).update)?;
    }
    run.block(&network.after_update)
}

/// The row of a clock in a DBM.
pub(crate) fn row(clock: Option<ClockId>) -> usize {
    clock.map_or(0, |clock| clock.index() + 1)
}

/// Conditions have no effects, so nothing in them can disable a transition: an assignment there is a fault.
fn fault_of(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(fault) => fault,
        Stop::Disabled => Fault::new(FaultKind::Range),
    }
}
