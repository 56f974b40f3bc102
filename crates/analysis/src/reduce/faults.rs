//! Whether evaluating an edge can fail, by trying all values of what it reads.

use merkhet_network::code::{CodeId, Fault, FaultKind, Layout, Machine, Program, ProgramBuilder};
use merkhet_network::{Edge, MAX_CLOCK_CONSTANT, Network, Region, Sync};

use super::facts::EdgeFacts;

/// An evaluation that takes longer counts as a failure.
const FUEL: u64 = 10_000;

/// Whether an edge can be evaluated in every state, reachable or not, without a failure. With `disabling`, leaving a
/// range counts as a failure even where it only disables the edge.
pub(super) fn cannot_fail(
    network: &Network,
    edge: &Edge,
    facts: &EdgeFacts,
    disabling: bool,
    most_combinations: u64,
) -> bool {
    let guarded = edge.guard.data.is_some() || !edge.guard.clocks.is_empty();
    if !guarded && edge.update.is_empty() {
        return true;
    }
    let Some(cells) = cells(network, facts, most_combinations) else {
        return false;
    };
    let mut trial = Trial::new(network, edge, disabling);
    let layout = Layout::of(network);
    let slots: Vec<usize> = cells
        .iter()
        .map(|cell| layout.state.start + *cell as usize)
        .collect();
    let range = |cell: &u32| {
        let known = network.state_cells[*cell as usize];
        (known.low, known.high)
    };
    let ranges: Vec<(i32, i32)> = cells.iter().map(range).collect();
    let mut values: Vec<i32> = ranges.iter().map(|(low, _)| *low).collect();
    loop {
        if !trial.passes(&slots, &values) {
            return false;
        }
        let Some(turn) = (0..values.len()).find(|at| values[*at] < ranges[*at].1) else {
            return true;
        };
        values[turn] += 1;
        for (value, (low, _)) in values[..turn].iter_mut().zip(&ranges) {
            *value = *low;
        }
    }
}

/// The state cells that the edge reads, if all combinations of their values can be tried.
fn cells(network: &Network, facts: &EdgeFacts, most: u64) -> Option<Vec<u32>> {
    if !facts.guard.locations.is_empty() || !facts.update.locations.is_empty() {
        return None;
    }
    let mut cells = Vec::new();
    let mut combinations = 1u64;
    for address in facts.guard.reads.iter().chain(facts.update.reads.iter()) {
        match address.region {
            Region::Meta => return None,
            Region::State if !cells.contains(&address.offset) => {
                let known = network.state_cells[address.offset as usize];
                let size = i64::from(known.high) - i64::from(known.low) + 1;
                combinations = combinations.saturating_mul(size.max(1) as u64);
                cells.push(address.offset);
            }
            _ => {}
        }
        if combinations > most {
            return None;
        }
    }
    Some(cells)
}

struct Trial {
    program: Program,
    machine: Machine,
    initial: Vec<i32>,
    guard: Option<CodeId>,
    /// Bounds of clock constraints with their conditions.
    bounds: Vec<(Option<CodeId>, CodeId)>,
    update: CodeId,
    /// The update runs right after the guard was found true: no partner changes anything in between.
    internal: bool,
    disabling: bool,
}

impl Trial {
    fn new(network: &Network, edge: &Edge, disabling: bool) -> Trial {
        let mut builder = ProgramBuilder::new(network);
        let data = edge.guard.data.as_ref();
        let guard = data.map(|data| builder.expression(data));
        let bounds = edge
            .guard
            .clocks
            .iter()
            .map(|constraint| {
                let condition = constraint.condition.as_ref();
                let condition = condition.map(|condition| builder.expression(condition));
                (condition, builder.expression(&constraint.bound))
            })
            .collect();
        let update = builder.statements(&edge.update);
        let program = builder.finish();
        let mut machine = Machine::new(&program);
        machine.fuel = FUEL;
        Trial {
            initial: machine.memory.clone(),
            program,
            machine,
            guard,
            bounds,
            update,
            internal: edge.sync == Sync::Internal,
            disabling,
        }
    }

    fn passes(&mut self, slots: &[usize], values: &[i32]) -> bool {
        match self.attempt(slots, values) {
            Ok(fine) => fine,
            Err(fault) => !self.disabling && matches!(fault.kind, FaultKind::OutOfRange { .. }),
        }
    }

    fn attempt(&mut self, slots: &[usize], values: &[i32]) -> Result<bool, Fault> {
        self.machine.memory.copy_from_slice(&self.initial);
        for (slot, value) in slots.iter().zip(values) {
            self.machine.memory[*slot] = *value;
        }
        let machine = &mut self.machine;
        let mut enabled = true;
        if let Some(guard) = self.guard {
            enabled = machine.holds(&self.program, guard)?;
        }
        if !enabled && self.internal {
            return Ok(true);
        }
        for (condition, bound) in &self.bounds {
            let counts = match condition {
                Some(condition) => machine.holds(&self.program, *condition)?,
                None => true,
            };
            if counts {
                let bound = machine.evaluate(&self.program, *bound)?;
                if !(-MAX_CLOCK_CONSTANT..=MAX_CLOCK_CONSTANT).contains(&bound) {
                    return Ok(false);
                }
            }
        }
        machine.clock_updates.clear();
        machine.run(&self.program, self.update)?;
        Ok(true)
    }
}
