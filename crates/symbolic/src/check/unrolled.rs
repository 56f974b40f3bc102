//! Questions of reachability by clauses: bounded model checking and induction. Needs no diagrams.

use super::complete::complete;
use super::session::confirmed;
use super::{Options, SpecResult, Statistics, TraceKind, Verdict, unknown};
use crate::cone::restrict_to_cone;
use crate::limits::{Limits, Stop};
use crate::system::replay::{Judgement, judge};
use crate::system::trace::Trace;
use crate::system::{Ctl, ExpressionId, Formula, Ltl, Role, System, Value, VariableId};
use merkhet_unroll::certificate::Certificate;
use merkhet_unroll::{Interrupt, Outcome, Proof, Report, Unrolling};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// Work after which a search of its own looks around.
const TURN: u64 = 1 << 20;

/// A specification as the question whether a state is reachable.
#[derive(Clone, Copy)]
pub(super) struct Question {
    /// The condition on states that is asked for, and whether states that satisfy it are.
    condition: ExpressionId,
    wanted: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Holds if none is reachable; otherwise a path shows that it fails.
    Never,
    /// `G p`: as `Never`, but a path to a state alone does not show that it fails.
    Globally,
    /// `EF p`: holds if one is reachable from the only initial state, fails if none is.
    Possible,
}

impl Question {
    /// The question that a specification amounts to, if it does.
    pub(super) fn new(system: &System, formula: &Formula) -> Option<Question> {
        let question = |condition, wanted, kind| Question {
            condition,
            wanted,
            kind,
        };
        let fair = !system.justice.is_empty();
        match formula {
            Formula::Invariant(id) if system.speaks_of_steps(*id) => None,
            Formula::Invariant(id) => Some(question(*id, false, Kind::Never)),
            Formula::Ctl(_) if fair => None,
            Formula::Ctl(Ctl::Ag(None, inner)) => match **inner {
                Ctl::Atom(id) => Some(question(id, false, Kind::Never)),
                _ => None,
            },
            Formula::Ctl(Ctl::Not(inner)) => match &**inner {
                Ctl::Ef(None, inner) => match **inner {
                    Ctl::Atom(id) => Some(question(id, true, Kind::Never)),
                    _ => None,
                },
                _ => None,
            },
            Formula::Ctl(Ctl::Ef(None, inner)) => match **inner {
                Ctl::Atom(id) => Some(question(id, true, Kind::Possible)),
                _ => None,
            },
            Formula::Ltl(formula) => {
                globally(system, formula).map(|id| question(id, false, Kind::Globally))
            }
            _ => None,
        }
    }

    /// The question alone whether a state is reachable.
    pub(super) fn plain(condition: ExpressionId, wanted: bool) -> Question {
        Question {
            condition,
            wanted,
            kind: Kind::Never,
        }
    }

    /// The formula that mentions what matters for it.
    pub(super) fn formula(&self) -> Formula {
        Formula::Invariant(self.condition)
    }

    /// Whether another question has the same answer, and the same paths show it.
    pub(super) fn same_search(&self, other: &Question) -> bool {
        self.condition == other.condition && self.wanted == other.wanted
    }

    /// What a path to a state must show.
    fn judgement(&self) -> Judgement {
        match self.wanted {
            true => Judgement::EndsIn(self.condition),
            false => Judgement::Violates(self.condition),
        }
    }
}

/// The condition of `G p`.
pub(super) fn globally(system: &System, formula: &Ltl) -> Option<ExpressionId> {
    let constant = |id| system.expressions.constant_of(id);
    let Ltl::Not(inner) = formula else {
        return None;
    };
    let Ltl::Until(always, never) = &**inner else {
        return None;
    };
    let state = |id: &ExpressionId| !system.speaks_of_steps(*id);
    match (&**always, &**never) {
        (Ltl::Atom(always), Ltl::Not(inner)) if constant(*always) == Some(Value::Boolean(true)) => {
            match **inner {
                Ltl::Atom(id) => Some(id).filter(state),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A search by clauses for one specification.
pub(super) struct Unrolled {
    question: Question,
    cone: BTreeSet<VariableId>,
    unrolling: Unrolling,
}

impl Unrolled {
    pub(super) fn new(
        system: &System,
        cone: &BTreeSet<VariableId>,
        question: Question,
        limits: &Limits,
        deadline: Option<Instant>,
    ) -> Result<Unrolled, Stop> {
        let mut reduced = restrict_to_cone(system, cone);
        let bad = match question.wanted {
            true => question.condition,
            false => reduced.expressions.not(question.condition),
        };
        let interrupt = interrupt(limits, deadline);
        let memory = limits.memory_bytes as u64;
        let unrolling = Unrolling::new(Arc::new(reduced), bad, &interrupt, memory);
        Ok(Unrolled {
            question,
            cone: cone.clone(),
            unrolling: unrolling.map_err(|stop| told(stop, limits))?,
        })
    }

    /// Goes on for about so much work.
    pub(super) fn advance(&mut self, work: u64, limits: &Limits) -> Result<Option<Outcome>, Stop> {
        let outcome = self.unrolling.advance(work);
        outcome.map_err(|stop| told(stop, limits))
    }

    pub(super) fn question(&self) -> &Question {
        &self.question
    }

    pub(super) fn report(&self) -> Report {
        self.unrolling.report()
    }

    /// Searches to the end.
    pub(super) fn run(&mut self, limits: &Limits) -> Result<Outcome, Stop> {
        loop {
            if let Some(outcome) = self.advance(TURN, limits)? {
                return Ok(outcome);
            }
            let depth = self.report().depth as u64;
            limits
                .progress
                .depth
                .store(depth, std::sync::atomic::Ordering::Relaxed);
        }
    }

    /// The answer to the specification, if what was found is one.
    pub(super) fn result(
        &self,
        whole: &Rc<System>,
        index: usize,
        outcome: &Outcome,
        options: &Options,
        start: Instant,
    ) -> Option<SpecResult> {
        let found = matches!(outcome, Outcome::Path(_));
        let verdict = match (self.question.kind, found) {
            (Kind::Never, true) | (Kind::Possible, false) => Verdict::Fails,
            (Kind::Never | Kind::Globally, false) => Verdict::Holds,
            (Kind::Globally | Kind::Possible, true) => return None,
        };
        let mut result = unknown(whole, index, Stop::Cancelled);
        result.verdict = verdict;
        if let Outcome::Path(states) = outcome
            && options.trace != TraceKind::None
        {
            match self.shown(whole, index, states.clone()) {
                Ok(trace) => result.trace = Some(trace),
                Err(Stop::Unsupported(message)) => result.notes.push(message),
                Err(stop) => result.verdict = Verdict::Unknown(stop),
            }
        }
        if let Outcome::Proof(proof) = outcome {
            result.proof = options
                .certificate
                .then(|| by_induction(*proof, &self.cone));
        }
        self.dress(&mut result, start);
        Some(result)
    }

    /// Puts the figures of the search into a result.
    pub(super) fn dress(&self, result: &mut SpecResult, start: Instant) {
        result.statistics = Statistics {
            time: start.elapsed(),
            variables: self.cone.len(),
            unrolled: Some(self.report()),
            ..Statistics::default()
        };
    }

    /// The path in all variables of the system, if the judge accepts it.
    fn shown(&self, whole: &System, index: usize, states: Vec<Vec<Value>>) -> Result<Trace, Stop> {
        let part = Trace {
            states,
            loop_start: None,
        };
        let mut trace = complete(whole, &self.cone, part).map_err(Stop::Unsupported)?;
        // No step leaves the last state: its inputs mean nothing.
        if let Some(last) = trace.states.last_mut() {
            for id in whole.variable_ids() {
                if whole.variable(id).role == Role::Input
                    && let Some(first) = whole.variable(id).domain.value(0)
                {
                    last[id.index()] = first;
                }
            }
        }
        judge(whole, &trace, self.question.judgement()).map_err(|error| {
            Stop::Internal(format!("the judge does not accept the trace: {error}"))
        })?;
        let formula = &whole.specifications[index].formula;
        confirmed(whole, &trace, formula, Some(false))?;
        Ok(trace)
    }
}

/// What a proof by clauses comes to.
pub(super) fn by_induction(proof: Proof, cone: &BTreeSet<VariableId>) -> Certificate {
    let variables = cone.iter().copied().collect();
    match proof {
        Proof::Induction(depth) => Certificate::Induction { depth, variables },
        Proof::NoPath(steps) => Certificate::NoPath { steps, variables },
    }
}

/// Accepts a certificate for a specification, or says what is wrong with it. The specification must be a question of
/// reachability.
pub fn judge_certificate(
    system: &System,
    specification: usize,
    certificate: &Certificate,
    limits: &Limits,
) -> Result<Result<(), String>, Stop> {
    let Some(question) = Question::new(system, &system.specifications[specification].formula)
    else {
        return Ok(Err(
            "the specification asks for more than states that are reached".into(),
        ));
    };
    let mut system = system.clone();
    let bad = match question.wanted {
        true => question.condition,
        false => system.expressions.not(question.condition),
    };
    let interrupt = interrupt(limits, limits.deadline);
    let memory = limits.memory_bytes as u64;
    merkhet_unroll::certificate::judge(&system, bad, certificate, &interrupt, memory)
        .map_err(|stop| told(stop, limits))
}

/// What the solver asks now and then.
pub(super) fn interrupt(limits: &Limits, deadline: Option<Instant>) -> Interrupt {
    let limits = Limits {
        deadline,
        ..limits.clone()
    };
    Arc::new(move || limits.check().is_err())
}

/// Why a search by clauses ended, in the words of all searches.
pub(super) fn told(stop: merkhet_unroll::Stop, limits: &Limits) -> Stop {
    match stop {
        merkhet_unroll::Stop::Interrupted => match limits.check() {
            Err(stop) => stop,
            Ok(()) => Stop::Deadline,
        },
        merkhet_unroll::Stop::Memory => Stop::Memory,
        merkhet_unroll::Stop::Budget => Stop::Budget,
        merkhet_unroll::Stop::Model(message) => Stop::Model(message),
        merkhet_unroll::Stop::Unsupported(message) => Stop::Unsupported(message),
    }
}
