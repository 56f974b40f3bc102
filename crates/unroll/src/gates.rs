//! Boolean functions as literals of a SAT solver: each gate gets a variable and its clauses (Tseitin)
//! when it is first asked for; equal gates are one.

use crate::{Interrupt, Stop};
use batsat::{Callbacks, Lit, ProgressStatus, Solver, SolverInterface, SolverOpts, lbool};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// The solver asks whether to stop at each decision; the interrupt is asked once in this number of them.
const DECISIONS_PER_LOOK: u64 = 256;

/// Bytes that a literal in a clause takes, with its part of watches: a rough count of 4 for itself and twice as much
/// around it; and a variable with its gate. Guesses.
const BYTES_PER_LITERAL: u64 = 12;
const BYTES_PER_VARIABLE: u64 = 120;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Choose(Lit, Lit, Lit),
}

/// What the solver asks while it runs.
struct Watch {
    interrupt: Interrupt,
    decisions: Cell<u64>,
    /// The run ends at this many decisions.
    end: u64,
    interrupted: Cell<bool>,
    /// Literals in learnt clauses.
    learnt: u64,
}

impl Callbacks for Watch {
    fn stop(&self) -> bool {
        let decisions = self.decisions.get() + 1;
        self.decisions.set(decisions);
        if decisions.is_multiple_of(DECISIONS_PER_LOOK) && (self.interrupt)() {
            self.interrupted.set(true);
        }
        self.interrupted.get() || decisions >= self.end
    }

    fn on_new_clause(&mut self, clause: &[Lit], _: batsat::ClauseKind) {
        self.learnt += clause.len() as u64;
    }

    /// Some clauses go without a word: the solver's own count, where it tells.
    fn on_progress<F: FnOnce() -> ProgressStatus>(&mut self, status: F) {
        let status = status();
        if status.n_learnt > 0 {
            self.learnt = (status.n_learnt as f64 * status.n_learnt_lits) as u64;
        }
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.learnt = self.learnt.saturating_sub(clause.len() as u64);
    }
}

/// Gates over the variables of one solver.
pub(crate) struct Gates {
    solver: Solver<Watch>,
    known: FxHashMap<Gate, Lit>,
    yes: Lit,
    literals: u64,
    memory: u64,
}

impl Gates {
    pub(crate) fn new(interrupt: Interrupt, memory: u64) -> Gates {
        let watch = Watch {
            interrupt,
            decisions: Cell::new(0),
            end: u64::MAX,
            interrupted: Cell::new(false),
            learnt: 0,
        };
        let mut solver = Solver::new(SolverOpts::default(), watch);
        let yes = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![yes]);
        Gates {
            solver,
            known: FxHashMap::default(),
            yes,
            literals: 0,
            memory,
        }
    }

    pub(crate) fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    /// The constant that a literal is, if it is one of the two.
    pub(crate) fn constant_of(&self, a: Lit) -> Option<bool> {
        match a {
            a if a == self.yes => Some(true),
            a if a == !self.yes => Some(false),
            _ => None,
        }
    }

    pub(crate) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// At least one of the literals holds.
    pub(crate) fn clause(&mut self, clause: &[Lit]) {
        self.literals += clause.len() as u64;
        self.solver.add_clause_reuse(&mut clause.to_vec());
    }

    /// The literal holds.
    pub(crate) fn assert(&mut self, a: Lit) {
        self.clause(&[a]);
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == !b || a == !self.yes || b == !self.yes {
            return !self.yes;
        }
        if a == b || b == self.yes {
            return a;
        }
        if a == self.yes {
            return b;
        }
        let gate = Gate::And(a.min(b), a.max(b));
        if let Some(&known) = self.known.get(&gate) {
            return known;
        }
        let c = self.fresh();
        self.clause(&[!c, a]);
        self.clause(&[!c, b]);
        self.clause(&[c, !a, !b]);
        self.known.insert(gate, c);
        c
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a == self.yes || a == !self.yes {
            return if a == self.yes { !b } else { b };
        }
        if b == self.yes || b == !self.yes {
            return if b == self.yes { !a } else { a };
        }
        if a.var() == b.var() {
            return self.constant(a != b);
        }
        // Signs go outside, so that one gate serves all four.
        let negated = a.sign() != b.sign();
        let (a, b) = (Lit::new(a.var(), true), Lit::new(b.var(), true));
        let gate = Gate::Xor(a.min(b), a.max(b));
        let c = match self.known.get(&gate) {
            Some(&known) => known,
            None => {
                let c = self.fresh();
                self.clause(&[!c, a, b]);
                self.clause(&[!c, !a, !b]);
                self.clause(&[c, !a, b]);
                self.clause(&[c, a, !b]);
                self.known.insert(gate, c);
                c
            }
        };
        if negated { !c } else { c }
    }

    pub(crate) fn same(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `if condition then a else b`.
    pub(crate) fn choose(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if condition == self.yes || a == b {
            return a;
        }
        if condition == !self.yes {
            return b;
        }
        if a == !b {
            return self.same(condition, a);
        }
        if self.constant_of(a).is_some() || a.var() == condition.var() {
            let a = self.constant_of(a).unwrap_or(a == condition);
            return match a {
                true => self.or(condition, b),
                false => self.and(!condition, b),
            };
        }
        if self.constant_of(b).is_some() || b.var() == condition.var() {
            let b = self.constant_of(b).unwrap_or(b != condition);
            return match b {
                true => self.or(!condition, a),
                false => self.and(condition, a),
            };
        }
        let gate = Gate::Choose(condition, a, b);
        if let Some(&known) = self.known.get(&gate) {
            return known;
        }
        let c = self.fresh();
        self.clause(&[!condition, !a, c]);
        self.clause(&[!condition, a, !c]);
        self.clause(&[condition, !b, c]);
        self.clause(&[condition, b, !c]);
        // Where both agree the choice does not matter: propagates before the condition is known.
        self.clause(&[!a, !b, c]);
        self.clause(&[a, b, !c]);
        self.known.insert(gate, c);
        c
    }

    /// Conjunction of all as one gate.
    pub(crate) fn all(&mut self, parts: impl IntoIterator<Item = Lit>) -> Lit {
        let mut parts: Vec<Lit> = parts.into_iter().filter(|&part| part != self.yes).collect();
        parts.sort_unstable();
        parts.dedup();
        let contrary = parts.windows(2).any(|pair| pair[0] == !pair[1]);
        if contrary || parts.contains(&!self.yes) {
            return !self.yes;
        }
        match parts.as_slice() {
            [] => self.yes,
            [single] => *single,
            [a, b] => self.and(*a, *b),
            _ => {
                let c = self.fresh();
                let mut long: Vec<Lit> = parts.iter().map(|&part| !part).collect();
                long.push(c);
                self.clause(&long);
                for &part in &parts {
                    self.clause(&[!c, part]);
                }
                c
            }
        }
    }

    /// Disjunction of all as one gate.
    pub(crate) fn any(&mut self, parts: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(parts.into_iter().map(|part| !part).collect::<Vec<_>>())
    }

    /// The work so far: what was propagated, and what was written.
    pub(crate) fn work(&self) -> u64 {
        self.solver.num_propagations() + self.literals
    }

    pub(crate) fn conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let learnt = self.solver.cb().learnt;
        (self.literals + learnt) * BYTES_PER_LITERAL
            + u64::from(self.solver.num_vars()) * BYTES_PER_VARIABLE
    }

    pub(crate) fn check_limits(&self) -> Result<(), Stop> {
        if (self.solver.cb().interrupt)() {
            return Err(Stop::Interrupted);
        }
        match self.bytes() > self.memory {
            true => Err(Stop::Memory),
            false => Ok(()),
        }
    }

    /// Whether all clauses and assumptions can hold together, with about so much work.
    pub(crate) fn satisfiable(&mut self, assumptions: &[Lit], work: u64) -> Result<bool, Stop> {
        self.check_limits()?;
        if !self.solver.is_ok() {
            return Ok(false);
        }
        // The solver counts decisions while it runs, we count work: by what a decision has cost so far.
        let decisions = self.solver.cb().decisions.get();
        let cost = (self.solver.num_propagations() + 1) / (decisions + 1) + 1;
        self.solver.cb_mut().end = (decisions + 1).saturating_add(work / cost);
        let result = self.solver.solve_limited(assumptions);
        if result == lbool::TRUE {
            Ok(true)
        } else if result == lbool::FALSE {
            Ok(false)
        } else if self.solver.cb().interrupted.get() {
            Err(Stop::Interrupted)
        } else {
            Err(Stop::Budget)
        }
    }

    /// Whether the clauses contradict each other.
    pub(crate) fn is_contradictory(&self) -> bool {
        !self.solver.is_ok()
    }

    /// The value of a literal where all clauses and assumptions held.
    pub(crate) fn value(&self, a: Lit) -> bool {
        self.solver.value_lit(a) == lbool::TRUE
    }
}
