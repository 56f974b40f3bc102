//! Invariants of few variables, without the rest of the network.
//!
//! Whether `pos[i]` stays on the path is decided by what the process does that writes `pos[i]`, whatever the others do. So
//! each conjunct of the formula is looked at by itself: its cells have values, the processes that write them have
//! locations; all other cells may have any value of their declared range (`interpret`), clocks any value, partners of
//! synchronisations are always there. What is reached so contains everything that the network reaches: if the conjunct
//! holds everywhere there, it does in the network. (A projection by cells, as in Clarke, Grumberg and Long, Model checking
//! and abstraction, TOPLAS 16, 1994, with intervals for what is left out.)
//!
//! A synchronisation is taken apart: the sender's edge, then the receivers'. The guards of receivers are those of the
//! state before the sender's update, of which nothing is known any more then: they count as true. An evaluation that fails
//! in an update leads to no state, so that its outcome does not matter here; one in the formula is left to the search.

mod interpret;

use std::collections::{BTreeMap, BTreeSet};

use merkhet_network::footprint::Footprints;
use merkhet_network::interval::Interval;
use merkhet_network::{
    Address, Edge, Expr, Formula, Network, ProcessId, Quantifier, Sync, Tuning, UnaryOp,
};

use crate::tuning;

use self::interpret::{Inconclusive, Interpreter, Known};

/// Conjuncts about more cells are not looked at.
const MOST_CELLS: usize = 8;
/// The steps for one update, when nothing is known.
const STEPS_OF_EDGE: u64 = 100_000;
/// More parts of a formula are not looked at.
const MOST_CONJUNCTS: usize = 4096;

/// Whether it is certain that a formula about variables holds in every reachable state (or does not hold in any, if that
/// is what is `wanted`). The number of `steps`, of some tens of nanoseconds each, is limited.
pub fn is_always(
    network: &Network,
    formula: &Formula,
    wanted: bool,
    steps: u64,
    tuning: &Tuning,
) -> bool {
    let plain = network.before_update.is_empty()
        && network.after_update.is_empty()
        && network.lattice_variables.is_empty();
    let mut conjuncts = Vec::new();
    if !plain || !split(formula, wanted, &mut conjuncts) || conjuncts.is_empty() {
        return false;
    }
    let mut prover = Prover::new(network, steps, tuning);
    let proof = (prover.find_cells(&mut conjuncts))
        .and_then(|()| prover.find_writers())
        .and_then(|()| prover.prove(&conjuncts));
    proof == Ok(true)
}

/// A part of a formula, with the values of the quantified variables around it.
struct Conjunct<'f> {
    expr: &'f Expr,
    /// Whether it is to be true everywhere, or false.
    wanted: bool,
    variables: Vec<(Address, i32)>,
    /// The cells that it is about.
    cells: Vec<Address>,
}

fn split<'f>(formula: &'f Formula, wanted: bool, conjuncts: &mut Vec<Conjunct<'f>>) -> bool {
    match formula {
        Formula::And(parts) if wanted => parts.iter().all(|part| split(part, true, conjuncts)),
        Formula::Or(parts) if !wanted => parts.iter().all(|part| split(part, false, conjuncts)),
        Formula::Not(inner) => split(inner, !wanted, conjuncts),
        Formula::Data(expr) => {
            divide(expr, wanted, &mut Vec::new(), conjuncts);
            conjuncts.len() <= MOST_CONJUNCTS
        }
        _ => false,
    }
}

fn divide<'f>(
    expr: &'f Expr,
    wanted: bool,
    variables: &mut Vec<(Address, i32)>,
    conjuncts: &mut Vec<Conjunct<'f>>,
) {
    if conjuncts.len() > MOST_CONJUNCTS {
        return;
    }
    match expr {
        Expr::And(items) if wanted => {
            (items.iter()).for_each(|item| divide(item, true, variables, conjuncts));
        }
        Expr::Or(items) if !wanted => {
            (items.iter()).for_each(|item| divide(item, false, variables, conjuncts));
        }
        Expr::Unary(UnaryOp::Not, inner, _) => divide(inner, !wanted, variables, conjuncts),
        Expr::Quantified {
            quantifier,
            variable,
            low,
            high,
            body,
            ..
        } if *quantifier
            == if wanted {
                Quantifier::Forall
            } else {
                Quantifier::Exists
            } =>
        {
            for value in *low..=*high {
                if conjuncts.len() > MOST_CONJUNCTS {
                    return;
                }
                variables.push((*variable, value));
                divide(body, wanted, variables, conjuncts);
                variables.pop();
            }
        }
        _ => conjuncts.push(Conjunct {
            expr,
            wanted,
            variables: variables.clone(),
            cells: Vec::new(),
        }),
    }
}

/// Looks at conjuncts one after the other.
struct Prover<'n> {
    network: &'n Network,
    interpreter: Interpreter<'n>,
    /// By cell of the state: the processes that may write it.
    writers: BTreeMap<Address, BTreeSet<ProcessId>>,
    most_writers: usize,
    most_states: usize,
    most_successors: i64,
}

/// The locations of the writers and the values of the cells.
type Abstract = (Vec<u32>, Vec<i32>);

impl<'n> Prover<'n> {
    fn new(network: &'n Network, steps: u64, tuning: &Tuning) -> Prover<'n> {
        let mut interpreter = Interpreter::new(network);
        interpreter.fuel = steps;
        Prover {
            network,
            interpreter,
            writers: BTreeMap::new(),
            most_writers: tuning.count(&tuning::WRITERS),
            most_states: tuning.count(&tuning::ABSTRACT_STATES),
            most_successors: tuning.get(&tuning::ABSTRACT_SUCCESSORS),
        }
    }

    /// Finds the cells that the conjuncts are about.
    fn find_cells(&mut self, conjuncts: &mut [Conjunct<'_>]) -> Result<(), Inconclusive> {
        let interpreter = &mut self.interpreter;
        interpreter.collects = true;
        for conjunct in conjuncts {
            interpreter.value(conjunct.expr, &mut known(conjunct, &[]))?;
            conjunct.cells = std::mem::take(&mut interpreter.read);
            conjunct.cells.sort_unstable();
            conjunct.cells.dedup();
            // Who asks whether `true` always holds wants to see everything.
            let unfit = conjunct.cells.is_empty() || conjunct.cells.len() > MOST_CELLS;
            if unfit || interpreter.locations_read {
                return Err(Inconclusive);
            }
        }
        interpreter.collects = false;
        Ok(())
    }

    /// Finds the processes that may write cells. Where that takes long, or loops have no certain end, what the code
    /// names is what it may write.
    fn find_writers(&mut self) -> Result<(), Inconclusive> {
        let mut footprints = Footprints::new(self.network);
        for (id, process) in self.network.process_ids().zip(&self.network.processes) {
            for edge in &process.edges {
                self.interpreter.written.clear();
                let left = self.interpreter.fuel;
                self.interpreter.fuel = left.min(STEPS_OF_EDGE);
                let given = self.interpreter.fuel;
                let run = self.interpreter.update(&edge.update, Known::default());
                self.interpreter.fuel = left - (given - self.interpreter.fuel);
                let mut written = std::mem::take(&mut self.interpreter.written);
                if run.is_err() {
                    self.interpreter.recover();
                    written = footprints.stmts(&edge.update).writes.iter().collect();
                }
                for cell in written {
                    self.writers.entry(cell).or_default().insert(id);
                }
            }
        }
        Ok(())
    }

    fn prove(&mut self, conjuncts: &[Conjunct<'_>]) -> Result<bool, Inconclusive> {
        for conjunct in conjuncts {
            if !self.explore(conjunct)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes through everything that the writers of a conjunct's cells may do.
    fn explore(&mut self, conjunct: &Conjunct<'_>) -> Result<bool, Inconclusive> {
        let cells = &conjunct.cells;
        let writers: BTreeSet<ProcessId> = (cells.iter())
            .filter_map(|cell| self.writers.get(cell))
            .flatten()
            .copied()
            .collect();
        let writers: Vec<ProcessId> = writers.into_iter().collect();
        let tells = writers.len() <= self.most_writers;
        let initial = |cell: &Address| {
            let declared = self.network.cells(cell.region).get(cell.offset as usize);
            declared.map_or(0, |declared| declared.initial)
        };
        let start: Abstract = (
            (writers.iter().filter(|_| tells))
                .map(|writer| self.network.process(*writer).initial.0)
                .collect(),
            cells.iter().map(initial).collect(),
        );
        let mut seen = BTreeSet::from([start.clone()]);
        let mut waiting = vec![start];
        while let Some(state) = waiting.pop() {
            let mut known = known(conjunct, &state.1);
            // Where the formula itself may fail, nothing is proved.
            self.interpreter.strict = true;
            let holds = self.interpreter.value(conjunct.expr, &mut known)?;
            self.interpreter.strict = false;
            if holds.truth() != Some(conjunct.wanted) {
                return Ok(false);
            }
            for (number, writer) in writers.iter().enumerate() {
                for edge in &self.network.process(*writer).edges {
                    if tells && edge.source.0 != state.0[number] {
                        continue;
                    }
                    let mut next = state.clone();
                    if tells {
                        next.0[number] = edge.target.0;
                    }
                    for values in self.follow(edge, cells, &state.1)? {
                        next.1 = values;
                        if seen.insert(next.clone()) {
                            waiting.push(next.clone());
                        }
                    }
                }
            }
            if seen.len() > self.most_states {
                return Err(Inconclusive);
            }
        }
        Ok(true)
    }

    /// The values that the cells may have after an edge.
    fn follow(
        &mut self,
        edge: &Edge,
        cells: &[Address],
        values: &[i32],
    ) -> Result<Vec<Vec<i32>>, Inconclusive> {
        let mut known = known_cells(cells, values);
        let begins = matches!(edge.sync, Sync::Internal | Sync::Send(_));
        if let (true, Some(guard)) = (begins, &edge.guard.data) {
            if self.interpreter.value(guard, &mut known)?.truth() == Some(false) {
                return Ok(Vec::new());
            }
            self.interpreter.assume_true(guard, &mut known);
        }
        let after = self.interpreter.update(&edge.update, known)?;
        self.interpreter.written.clear();
        let mut all = vec![Vec::new()];
        for cell in cells {
            let Interval { low, high } = self.interpreter.cell(*cell, &after);
            let most = self.most_successors;
            if high - low >= most || all.len() as i64 * (high - low + 1) > most {
                return Err(Inconclusive);
            }
            let more = |values: &Vec<i32>| {
                let values = values.clone();
                (low..=high).map(move |value| {
                    let mut values = values.clone();
                    values.push(value as i32);
                    values
                })
            };
            all = all.iter().flat_map(more).collect();
        }
        Ok(all)
    }
}

fn known_cells(cells: &[Address], values: &[i32]) -> Known {
    let points = values.iter().map(|value| Interval::point(*value));
    Known(cells.iter().copied().zip(points).collect())
}

/// What is known with these values of the first cells of a conjunct.
fn known(conjunct: &Conjunct<'_>, values: &[i32]) -> Known {
    let mut known = known_cells(&conjunct.cells, values);
    for (variable, value) in &conjunct.variables {
        known.0.insert(*variable, Interval::point(*value));
    }
    known
}
