//! One model and the specifications that are checked on it.

use super::complete::complete;
use super::invariant::{self, ByClauses};
use super::shorten::{Lasso, shorten};
use super::unrolled::{Question, Unrolled, by_induction};
use super::{Options, SpecResult, Statistics, TraceKind, Verdict};
use crate::bdd::{Bdd, DiagramStatistics};
use crate::ctl::CtlChecker;
use crate::encode::{Encoding, Evaluator};
use crate::explain::path::State;
use crate::explain::{Evidence, Explainer};
use crate::guided::{Guidance, GuidedReport, check_invariant};
use crate::limits::{Limits, Stop};
use crate::order::variable_order;
use crate::relation::Model;
use crate::system::replay::{Judgement, judge, shows};
use crate::system::trace::Trace;
use crate::system::{Ctl, ExpressionId, Formula, Role, System, VariableId};
use merkhet_unroll::certificate::{Certificate, Diagram, Node};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// After this time a trace need not be a shortest one any more.
const SHORTEST_BUDGET: Duration = Duration::from_secs(60);

/// A model of the part of a system that matters, with what is known of it so far.
pub(super) struct Session {
    /// The system with all its variables: traces are told in its terms.
    whole: Rc<System>,
    /// The variables of the model.
    pub(super) cone: BTreeSet<VariableId>,
    model: Rc<Model>,
    reachable: Option<Bdd>,
    checker: Option<Rc<CtlChecker>>,
    options: Rc<Options>,
    /// A search by clauses that has begun before the model was built.
    pub(super) pending: Option<Unrolled>,
}

/// Builds the model of a system by a moment, and with so much work at most. Without success, the figures about the diagrams come with the reason.
pub(super) fn build_model(
    system: System,
    options: &Options,
    deadline: Option<Instant>,
    budget: Option<u64>,
) -> Result<Model, (Stop, DiagramStatistics)> {
    let system = Rc::new(system);
    let order = variable_order(&system, &options.order);
    let limits = Limits {
        deadline,
        ..options.limits.clone()
    };
    let encoding = Encoding::new(&system, &order, &limits);
    let encoding = encoding.map_err(|stop| (stop, DiagramStatistics::default()))?;
    encoding.diagrams.reorder_when(options.reorder);
    Model::new(system, encoding, &options.relation, budget)
}

/// An answer before it is dressed up.
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    pub(super) evidence: Option<Evidence>,
    pub(super) judgement: Judgement,
    pub(super) notes: Vec<String>,
    pub(super) guided: Option<GuidedReport>,
    pub(super) unrolled: Option<merkhet_unroll::Report>,
    pub(super) proof: Option<Certificate>,
}

impl Answer {
    pub(super) fn new(holds: bool) -> Answer {
        Answer {
            verdict: if holds {
                Verdict::Holds
            } else {
                Verdict::Fails
            },
            evidence: None,
            judgement: Judgement::Path,
            notes: Vec::new(),
            guided: None,
            unrolled: None,
            proof: None,
        }
    }
}

impl Session {
    pub(super) fn new(
        whole: Rc<System>,
        cone: BTreeSet<VariableId>,
        model: Model,
        options: Rc<Options>,
    ) -> Session {
        Session {
            whole,
            cone,
            model: Rc::new(model),
            reachable: None,
            checker: None,
            options,
            pending: None,
        }
    }

    /// The moment at which all operations stop.
    pub(super) fn set_deadline(&self, deadline: Option<Instant>) {
        self.model.encoding.diagrams.set_deadline(deadline);
    }

    /// The memory of the diagrams.
    pub(super) fn bytes(&self) -> usize {
        self.model.encoding.diagrams.bytes()
    }

    pub(super) fn check(&mut self, index: usize, start: Instant) -> SpecResult {
        let whole = Rc::clone(&self.whole);
        let answer = match &whole.specifications[index].formula {
            Formula::Invariant(id) => self.invariant(*id),
            Formula::Ctl(formula) => self.ctl(formula),
            Formula::PathLength { longest, from, to } => self.path_length(*longest, *from, *to),
            Formula::Ltl(_) => Err(Stop::Unsupported("linear time needs a tableau".into())),
        };
        let answer = answer.map(|answer| self.note_emptiness(answer));
        self.result(&whole, index, answer, start)
    }

    /// `G p` with a plain condition, as an invariant: that holds on more paths than the endless ones. Where it fails, an
    /// endless path must go through the error; `None` where none was found quickly, or fairness counts.
    pub(super) fn check_globally(
        &mut self,
        index: usize,
        id: ExpressionId,
        start: Instant,
    ) -> Option<SpecResult> {
        let answer = match self.invariant(id) {
            Ok(answer) if answer.verdict == Verdict::Holds => Ok(self.note_emptiness(answer)),
            Ok(mut answer) => {
                let evidence = answer.evidence.take()?;
                let end = evidence.states.last()?.clone();
                let unfair = self.model.justice.is_empty() && self.whole.compassion.is_empty();
                let on = match unfair {
                    true => self.model.endless_path(end),
                    false => Ok(None),
                };
                on.map(|on| {
                    on.map(|on| Answer {
                        evidence: Some(evidence.then(on)),
                        judgement: Judgement::Path,
                        ..answer
                    })
                })
                .transpose()?
            }
            Err(stop) => Err(stop),
        };
        let whole = Rc::clone(&self.whole);
        Some(self.result(&whole, index, answer, start))
    }

    /// Whether a condition on steps holds, which a variable of the model remembers.
    pub(super) fn check_steps(
        &mut self,
        system: &System,
        index: usize,
        good: ExpressionId,
        start: Instant,
    ) -> SpecResult {
        let answer = self.invariant(good).map(|answer| Answer {
            judgement: Judgement::Path,
            proof: None, // it would speak of another system
            ..self.note_emptiness(answer)
        });
        self.result(system, index, answer, start)
    }

    /// Whether a fair path starts in an initial state that satisfies the negated formula.
    pub(super) fn check_linear(
        &mut self,
        system: &System,
        index: usize,
        violation: ExpressionId,
        start: Instant,
    ) -> SpecResult {
        let answer = self.linear(violation, system.justice.is_empty());
        self.result(system, index, answer, start)
    }

    /// `unfair`: the system asks for no fairness of its own.
    fn linear(&mut self, violation: ExpressionId, unfair: bool) -> Result<Answer, Stop> {
        let checker = self.checker()?;
        let diagrams = &self.model.encoding.diagrams;
        let fair = checker.eg(checker.space())?;
        let violating = checker.states(&Ctl::Atom(violation))?;
        let bad = diagrams.and(&diagrams.and(&self.model.initial, &violating)?, &fair)?;
        let Some(state) = self.model.pick(&bad) else {
            let mut answer = self.note_emptiness(Answer::new(true));
            // Every path has its valuation of the tableau's variables: without a path here there is none at all.
            if answer.notes.is_empty() && diagrams.disjoint(&self.model.initial, &fair)? {
                let note = match unfair {
                    true => "no endless path starts in an initial state",
                    false => "no fair path starts in an initial state",
                };
                answer
                    .notes
                    .push(format!("{note}, so that every LTL formula holds"));
            }
            return Ok(answer);
        };
        let explainer = Explainer {
            model: &self.model,
            checker: &checker,
        };
        let endless = Ctl::Eg(None, Box::new(Ctl::And(Vec::new())));
        let evidence = explainer.explain(&endless, true, state)?;
        Ok(Answer {
            evidence: Some(evidence),
            ..Answer::new(false)
        })
    }

    /// Says so where an answer is true of nothing.
    fn note_emptiness(&self, mut answer: Answer) -> Answer {
        if self.model.encoding.diagrams.is_false(&self.model.initial) {
            answer.notes.push("there is no initial state".into());
        }
        answer
    }

    fn result(
        &self,
        system: &System,
        index: usize,
        answer: Result<Answer, Stop>,
        start: Instant,
    ) -> SpecResult {
        let mut result = super::unknown(system, index, Stop::Cancelled);
        match answer {
            Err(stop) => result.verdict = Verdict::Unknown(stop),
            Ok(answer) => {
                result.verdict = answer.verdict;
                result.notes = answer.notes;
                result.statistics.guided = answer.guided;
                result.statistics.unrolled = answer.unrolled;
                result.proof = answer.proof;
                let wanted = self.options.trace != TraceKind::None;
                if let Some(evidence) = answer.evidence.filter(|_| wanted) {
                    let complete = evidence
                        .complete
                        .then_some(result.verdict == Verdict::Holds);
                    let formula = &system.specifications[index].formula;
                    let finish = |part| self.finished(system, part, answer.judgement);
                    let agreed = |trace: &Trace| confirmed(system, trace, formula, complete);
                    match self.lasso(evidence, finish) {
                        Ok(lasso) => match agreed(&lasso.whole) {
                            Ok(()) => {
                                let shown = |part| {
                                    let whole = finish(part).ok()?;
                                    agreed(&whole).is_ok().then_some(whole)
                                };
                                result.trace = Some(match complete {
                                    Some(_) => shorten(lasso, &self.matters(system), shown),
                                    None => lasso.whole,
                                });
                            }
                            Err(stop) => result.verdict = Verdict::Unknown(stop),
                        },
                        Err(Stop::Internal(error)) => {
                            result.verdict = Verdict::Unknown(Stop::Internal(error));
                        }
                        Err(stop) => result.notes.push(format!("no trace: {stop}")),
                    }
                }
            }
        }
        let diagrams = &self.model.encoding.diagrams;
        let bits = self.model.encoding.state_bits().len() as u32;
        result.statistics = Statistics {
            time: start.elapsed(),
            variables: self.cone.len(),
            diagrams: diagrams.statistics(),
            reachable_states: self.reachable.as_ref().map(|set| diagrams.count(set, bits)),
            ..result.statistics
        };
        result
    }

    /// Evidence with the inputs of its steps, and what it is in all variables.
    fn lasso(
        &self,
        mut evidence: Evidence,
        finish: impl Fn(Trace) -> Result<Trace, Stop>,
    ) -> Result<Lasso, Stop> {
        self.model.fill_inputs(&mut evidence)?;
        let part = Trace {
            states: evidence.states,
            loop_start: evidence.loop_start,
        };
        let whole = finish(part.clone())?;
        Ok(Lasso { part, whole })
    }

    /// The trace in terms of the whole system, if the judge accepts it.
    fn finished(&self, system: &System, part: Trace, judgement: Judgement) -> Result<Trace, Stop> {
        let mut trace = complete(&self.whole, &self.cone, part).map_err(Stop::Unsupported)?;
        // A tableau's variables come last and are nobody's business.
        for state in &mut trace.states {
            state.truncate(system.variables.len());
        }
        match judge(system, &trace, judgement) {
            Ok(()) => Ok(trace),
            Err(error) => Err(Stop::Internal(format!(
                "the judge does not accept the trace: {error}"
            ))),
        }
    }

    /// The variables by which states of a lasso are told apart: inputs belong to the step that follows.
    fn matters(&self, system: &System) -> Vec<bool> {
        let ids = system.variable_ids();
        ids.map(|id| self.cone.contains(&id) && system.variable(id).role != Role::Input)
            .collect()
    }

    fn reachable(&mut self) -> Result<Bdd, Stop> {
        if let Some(reachable) = &self.reachable {
            return Ok(reachable.clone());
        }
        let reachable = self.model.reachable()?;
        self.reachable = Some(reachable.clone());
        Ok(reachable)
    }

    fn checker(&mut self) -> Result<Rc<CtlChecker>, Stop> {
        if let Some(checker) = &self.checker {
            return Ok(checker.clone());
        }
        let checker = Rc::new(CtlChecker::new(Rc::clone(&self.model), self.reachable()?));
        self.checker = Some(checker.clone());
        Ok(checker)
    }

    fn condition(&self, id: ExpressionId) -> Result<Bdd, Stop> {
        let mut evaluator = Evaluator::new(&self.model.system, &self.model.encoding);
        evaluator.condition(id, &self.model.invariant)
    }

    /// A condition that must hold in all reachable states.
    fn invariant(&mut self, id: ExpressionId) -> Result<Answer, Stop> {
        let good = self.condition(id)?;
        let diagrams = &self.model.encoding.diagrams;
        let bad = diagrams.minus(&self.model.invariant, &good)?;
        let mut answer = self.unreachable(&bad, Question::plain(id, false))?;
        answer.judgement = Judgement::Violates(id);
        Ok(answer)
    }

    /// Whether no state of a set is reachable, by the search that was asked for; with a proof where one is wanted.
    fn unreachable(&mut self, bad: &Bdd, question: Question) -> Result<Answer, Stop> {
        let mut answer = self.decided(bad, question)?;
        if !self.options.certificate {
            answer.proof = None;
        } else if answer.verdict == Verdict::Holds && answer.proof.is_none() {
            match self.reachable() {
                Ok(reachable) => answer.proof = self.as_invariant(&reachable),
                Err(stop) => answer.notes.push(format!("no certificate: {stop}")),
            }
        }
        Ok(answer)
    }

    /// A set of states in the terms of those who know no diagrams.
    fn as_invariant(&self, set: &Bdd) -> Option<Certificate> {
        let encoding = &self.model.encoding;
        let mut bits = vec![None; encoding.diagrams.bits() as usize];
        for variable in self.model.system.variable_ids() {
            let codes = encoding.bits_of(variable).current.iter().rev();
            for (bit, &number) in codes.enumerate() {
                bits[number as usize] = Some((variable, bit as u32));
            }
        }
        let (rows, root) = encoding.diagrams.table(set)?;
        let rows = rows.into_iter();
        let nodes = rows.map(|(number, low, high)| {
            let (variable, bit) = bits[number as usize]?;
            Some(Node {
                variable,
                bit,
                low,
                high,
            })
        });
        let nodes = nodes.collect::<Option<Vec<Node>>>()?;
        Some(Certificate::Invariant(Diagram { nodes, root }))
    }

    fn decided(&mut self, bad: &Bdd, question: Question) -> Result<Answer, Stop> {
        if let Some(reachable) = &self.reachable
            && diagrams_disjoint(&self.model, reachable, bad)?
        {
            return Ok(Answer::new(true));
        }
        match self.options.guidance {
            Guidance::Schedule => self.by_schedule(bad, question),
            // What clauses do not decide is left to the diagrams.
            Guidance::Clauses | Guidance::Off => self.by_saturation(bad),
            _ => {
                let outcome = check_invariant(&self.model, bad, &self.options.guidance)?;
                Ok(Answer {
                    evidence: outcome.path.map(|states| Evidence::path(states, true)),
                    guided: Some(outcome.report),
                    ..Answer::new(outcome.holds)
                })
            }
        }
    }

    /// `AG p`, `!EF p` and `EF p` with a plain condition are questions of reachability, for the searches of invariants.
    fn reachability(&mut self, formula: &Ctl) -> Result<Option<Answer>, Stop> {
        match formula {
            Ctl::Ag(None, inner) => match **inner {
                Ctl::Atom(id) => self.invariant(id).map(Some),
                _ => Ok(None),
            },
            Ctl::Not(inner) => match &**inner {
                Ctl::Ef(None, inner) => match **inner {
                    Ctl::Atom(id) => self.meets(id).map(Some),
                    _ => Ok(None),
                },
                _ => Ok(None),
            },
            Ctl::Ef(None, inner) => match **inner {
                Ctl::Atom(id) => self.possible(id),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Fails with a path if some reachable state satisfies the condition.
    fn meets(&mut self, id: ExpressionId) -> Result<Answer, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let wanted = diagrams.and(&self.model.invariant, &self.condition(id)?)?;
        let mut answer = self.unreachable(&wanted, Question::plain(id, true))?;
        answer.judgement = Judgement::EndsIn(id);
        Ok(answer)
    }

    /// `EF p`. With several initial states, a path from one of them says nothing of the others.
    fn possible(&mut self, id: ExpressionId) -> Result<Option<Answer>, Stop> {
        let Some(first) = self.model.pick(&self.model.initial) else {
            return Ok(None);
        };
        let alone = self.model.singleton(&first)? == self.model.initial;
        let mut answer = self.meets(id)?;
        if answer.verdict == Verdict::Holds {
            // No path shows that there is none.
            answer.verdict = Verdict::Fails;
            answer.judgement = Judgement::Path;
            let evidence = Evidence::path(vec![first], false);
            note_incomplete(&evidence, &mut answer);
            answer.evidence = Some(evidence);
            return Ok(Some(answer));
        }
        answer.verdict = Verdict::Holds;
        Ok(alone.then_some(answer))
    }

    fn by_schedule(&mut self, bad: &Bdd, question: Question) -> Result<Answer, Stop> {
        let shortest = self.options.trace == TraceKind::Shortest;
        let pending = self.pending.take();
        let pending = pending.filter(|begun| begun.question().same_search(&question));
        let (whole, cone, limits) = (&self.whole, &self.cone, &self.options.limits);
        let deadline = self.model.encoding.diagrams.deadline();
        let clauses = ByClauses {
            begun: pending,
            begin: &|| Unrolled::new(whole, cone, question, limits, deadline),
            limits: &Limits {
                deadline,
                ..limits.clone()
            },
            from: 0,
        };
        let turns = &self.options.turns;
        let found = invariant::search(&self.model, bad, clauses, turns, shortest)?;
        let mut answer = Answer {
            guided: found.guided,
            unrolled: found.unrolled,
            proof: found.proof.map(|proof| by_induction(proof, &self.cone)),
            ..Answer::new(found.holds)
        };
        if found.reachable.is_some() {
            self.reachable = found.reachable;
        }
        let wanted = self.options.trace != TraceKind::None;
        answer.evidence = match found.path {
            Some(path) => Some(Evidence::path(path, true)),
            None if found.holds || !wanted => None,
            None => match self.model.some_path(&self.model.initial, bad) {
                Ok(path) => {
                    answer
                        .notes
                        .push("the trace may not be a shortest one".into());
                    path.map(|path| Evidence::path(path, true))
                }
                Err(stop) => {
                    answer.notes.push(format!("no trace: {stop}"));
                    None
                }
            },
        };
        Ok(answer)
    }

    fn by_saturation(&mut self, bad: &Bdd) -> Result<Answer, Stop> {
        let reachable = self.reachable()?;
        if diagrams_disjoint(&self.model, &reachable, bad)? {
            return Ok(Answer::new(true));
        }
        Ok(self.failure(bad, |_| Ok(None)))
    }

    /// The verdict stands already: a failure with a path to a bad state, if there is time for it.
    fn failure(
        &self,
        bad: &Bdd,
        explain: impl Fn(State) -> Result<Option<Evidence>, Stop>,
    ) -> Answer {
        let mut answer = Answer::new(false);
        if self.options.trace == TraceKind::None {
            return answer;
        }
        let found = self.path_to(bad).and_then(|(states, shortest)| {
            let end = states[states.len() - 1].clone();
            let path = Evidence::path(states, true);
            let evidence = match explain(end)? {
                Some(rest) => path.then(rest),
                None => path,
            };
            Ok((evidence, shortest))
        });
        match found {
            Ok((evidence, shortest)) => {
                if !shortest {
                    answer
                        .notes
                        .push("the trace may not be a shortest one".into());
                }
                note_incomplete(&evidence, &mut answer);
                answer.evidence = Some(evidence);
            }
            Err(stop) => answer.notes.push(format!("no trace: {stop}")),
        }
        answer
    }

    /// A path to a state of the set, which is reachable: a shortest one if that does not take too
    /// long.
    fn path_to(&self, bad: &Bdd) -> Result<(Vec<State>, bool), Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let space = &self.model.invariant;
        let attempt = || self.model.shortest_path(&self.model.initial, space, bad);
        if self.options.trace == TraceKind::Shortest {
            return match attempt()? {
                Some(path) => Ok((path, true)),
                None => Err(Stop::Model("no path to a reachable state".into())),
            };
        }
        let end = self.options.deadline(Instant::now());
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let budget = left.map_or(SHORTEST_BUDGET, |left| SHORTEST_BUDGET.min(left / 2));
        let (path, shortest) = match diagrams.within(budget, attempt) {
            Ok(Some(path)) => (path, true),
            Ok(None) | Err(Stop::Memory) => {
                (self.model.some_path(&self.model.initial, bad)?, false)
            }
            Err(stop) => return Err(stop),
        };
        match path {
            Some(path) => Ok((path, shortest)),
            None => Err(Stop::Model("no path to a reachable state".into())),
        }
    }

    fn ctl(&mut self, formula: &Ctl) -> Result<Answer, Stop> {
        if self.model.justice.is_empty()
            && let Some(answer) = self.reachability(formula)?
        {
            return Ok(answer);
        }
        let checker = self.checker()?;
        let mut answer = self.branching(formula, &checker)?;
        if self.model.justice.is_empty() && needs_totality(formula) {
            self.note_deadlocks(&checker, &mut answer);
        }
        if !self.model.justice.is_empty() {
            let fair = checker.fair()?;
            if !self.model.encoding.diagrams.is_false(&self.model.initial)
                && diagrams_disjoint(&self.model, &self.model.initial, fair)?
            {
                answer
                    .notes
                    .push("no fair path starts in an initial state".into());
            }
        }
        Ok(answer)
    }

    /// Says so where some paths end.
    fn note_deadlocks(&self, checker: &CtlChecker, answer: &mut Answer) {
        let stuck = checker.deadlocks();
        match stuck.map(|stuck| self.model.encoding.diagrams.is_false(&stuck)) {
            Ok(true) => {}
            Ok(false) => answer
                .notes
                .push("some reachable states have no successor: only endless paths count".into()),
            // The verdict does not depend on it.
            Err(stop) => answer
                .notes
                .push(format!("totality was not checked: {stop}")),
        }
    }

    fn branching(&self, formula: &Ctl, checker: &CtlChecker) -> Result<Answer, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let explainer = Explainer {
            model: &self.model,
            checker,
        };
        // For `AG p` and `!EF p` on all reachable states, one look suffices instead of a search
        // backwards.
        if let Some((inner, expected)) = always(formula) {
            let wanted = checker.states(inner)?;
            let wanted = if expected {
                wanted
            } else {
                checker.complement(&wanted)?
            };
            let bad = diagrams.and(&checker.complement(&wanted)?, checker.fair()?)?;
            if diagrams.is_false(&bad) {
                return Ok(Answer::new(true));
            }
            let explain = |end| explainer.explain(inner, !expected, end).map(Some);
            return Ok(self.failure(&bad, explain));
        }
        if let Ctl::And(parts) = formula {
            for part in parts {
                let answer = self.branching(part, checker)?;
                if answer.verdict != Verdict::Holds {
                    return Ok(answer);
                }
            }
            return Ok(Answer::new(true));
        }
        let states = checker.states(formula)?;
        // As in NuSMV, initial states without a fair path do not count.
        let initial = match self.model.justice.is_empty() {
            true => self.model.initial.clone(),
            false => diagrams.and(&self.model.initial, checker.fair()?)?,
        };
        let bad = diagrams.minus(&initial, &states)?;
        let holds = diagrams.is_false(&bad);
        let shown = if holds { &initial } else { &bad };
        let Some(state) = self.model.pick(shown) else {
            // That there is no initial state, or none with a fair path, is said by the callers.
            return Ok(Answer::new(true));
        };
        let silent = self.options.trace == TraceKind::None;
        if silent || (holds && !is_existential(formula)) {
            return Ok(Answer::new(holds));
        }
        let mut answer = Answer::new(holds);
        match explainer.explain(formula, holds, state) {
            Ok(evidence) if evidence.complete || evidence.states.len() > 1 || !holds => {
                note_incomplete(&evidence, &mut answer);
                answer.evidence = Some(evidence);
            }
            Ok(_) => {}
            Err(stop) => answer.notes.push(format!("no trace: {stop}")),
        }
        Ok(answer)
    }

    pub(super) fn path_length(
        &mut self,
        longest: bool,
        from: ExpressionId,
        to: ExpressionId,
    ) -> Result<Answer, Stop> {
        let checker = self.checker()?;
        let (from, to) = (self.condition(from)?, self.condition(to)?);
        let length = super::compute::path_length(&self.model, &checker, longest, &from, &to)?;
        let mut answer = Answer {
            verdict: Verdict::Length(length),
            ..Answer::new(true)
        };
        self.note_deadlocks(&checker, &mut answer);
        Ok(answer)
    }
}

/// The judge's second question: a trace that is said to show the verdict (`expected`) must do so,
/// and none may show the contrary.
pub(super) fn confirmed(
    system: &System,
    trace: &Trace,
    formula: &Formula,
    expected: Option<bool>,
) -> Result<(), Stop> {
    let wrong =
        |error: String| Stop::Internal(format!("the judge reads the trace otherwise: {error}"));
    let shown = shows(system, trace, formula).map_err(wrong)?;
    match (shown, expected) {
        (_, None) => Ok(()),
        (Some(shown), Some(expected)) if shown == expected => Ok(()),
        (Some(_), Some(_)) => Err(wrong("it shows the contrary".into())),
        (None, Some(_)) => Err(wrong("it shows nothing".into())),
    }
}

fn note_incomplete(evidence: &Evidence, answer: &mut Answer) {
    if !evidence.complete {
        answer
            .notes
            .push("the trace shows only a part: one path cannot show all of it".into());
    }
}

fn diagrams_disjoint(model: &Model, a: &Bdd, b: &Bdd) -> Result<bool, Stop> {
    model.encoding.diagrams.disjoint(a, b)
}

/// `AG p` (true) or `!EF p` (false).
fn always(formula: &Ctl) -> Option<(&Ctl, bool)> {
    match formula {
        Ctl::Ag(None, inner) => Some((inner, true)),
        Ctl::Not(inner) => match &**inner {
            Ctl::Ef(None, inner) => Some((inner, false)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the truth of the formula can be shown by a path.
fn is_existential(formula: &Ctl) -> bool {
    match formula {
        Ctl::Ex(_) | Ctl::Ef(None, _) | Ctl::Eg(None, _) | Ctl::Eu(None, ..) => true,
        Ctl::And(parts) | Ctl::Or(parts) => parts.iter().any(is_existential),
        _ => false,
    }
}

/// Whether states without successors matter for the meaning of the formula.
fn needs_totality(formula: &Ctl) -> bool {
    match formula {
        Ctl::Atom(_) => false,
        Ctl::Not(a) | Ctl::Ef(None, a) | Ctl::Ag(None, a) => needs_totality(a),
        Ctl::Eu(None, a, b) => needs_totality(a) || needs_totality(b),
        Ctl::And(parts) | Ctl::Or(parts) => parts.iter().any(needs_totality),
        _ => true,
    }
}
