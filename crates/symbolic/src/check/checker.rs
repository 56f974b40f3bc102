//! Checks specifications one after another; what is known of a model is kept from one to the next.

use super::session::{Session, build_model};
use super::unrolled::{Question, Unrolled, globally, interrupt, told};
use super::{Options, SpecResult, Verdict, tell, unknown};
use crate::cone::{cone_of_influence, restrict_to_cone};
use crate::guided::Guidance;
use crate::limits::{Limits, Progress, Stop};
use crate::ltl::{with_monitor, with_tableau};
use crate::system::{ExpressionId, Formula, System, VariableId};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Deep diagrams recurse deeply.
const STACK_BYTES: usize = 512 << 20;

/// The time between two looks at the progress.
const TICK: Duration = Duration::from_millis(50);

/// Models that wait for a further specification keep their diagrams while all together take less than this share of the
/// memory.
const SHARE_OF_IDLE: usize = 4;

/// Checks the specifications of a system. The work is done by a thread of its own, which has enough stack.
pub struct Checker {
    asked: Option<Sender<usize>>,
    answers: Receiver<SpecResult>,
    worker: Option<JoinHandle<()>>,
    progress: Arc<Progress>,
    system: Arc<System>,
}

impl Checker {
    /// A checker for the specifications of a system.
    pub fn new(system: Arc<System>, options: Options) -> Checker {
        let (asked, questions) = channel::<usize>();
        let (answer, answers) = channel();
        let progress = Arc::clone(&options.limits.progress);
        let shared = Arc::clone(&system);
        let work = move || {
            let mut desk = Desk::new(System::clone(&shared), options);
            for index in questions {
                if answer.send(desk.check(index)).is_err() {
                    break;
                }
            }
        };
        let worker = Builder::new().stack_size(STACK_BYTES).spawn(work).ok();
        Checker {
            asked: Some(asked),
            answers,
            worker,
            progress,
            system,
        }
    }

    /// Decides the specification with this number. `observe` is called now and then.
    pub fn check(&mut self, index: usize, observe: &mut dyn FnMut(&Progress)) -> SpecResult {
        let sent = self.asked.as_ref().map(|asked| asked.send(index));
        if self.worker.is_none() || !matches!(sent, Some(Ok(()))) {
            return self.without_thread(index);
        }
        loop {
            match self.answers.recv_timeout(TICK) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => observe(&self.progress),
                Err(RecvTimeoutError::Disconnected) => return self.without_thread(index),
            }
        }
    }

    fn without_thread(&mut self, index: usize) -> SpecResult {
        if let Some(Err(panic)) = self.worker.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        let message = "no thread for the check".to_owned();
        unknown(&self.system, index, Stop::Unsupported(message))
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        self.asked = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join(); // its panic was handed on, or nobody waits for it
        }
    }
}

/// Checks all specifications of a system, in their order.
pub fn check_system(system: &System, options: &Options) -> Vec<SpecResult> {
    let all = 0..system.specifications.len();
    let mut checker = Checker::new(Arc::new(system.clone()), options.clone());
    all.map(|index| checker.check(index, &mut |_| ())).collect()
}

/// Where the worker keeps the models.
struct Desk {
    system: Rc<System>,
    options: Rc<Options>,
    /// The models so far, that of the last specification at the end; specifications with the same cone share one.
    sessions: Vec<Session>,
    /// The fault of the system, once it was looked for.
    fault: Option<Result<(), Stop>>,
}

impl Desk {
    fn new(system: System, options: Options) -> Desk {
        Desk {
            system: Rc::new(system),
            options: Rc::new(options),
            sessions: Vec::new(),
            fault: None,
        }
    }

    fn check(&mut self, index: usize) -> SpecResult {
        let start = Instant::now();
        tell(&self.options, index);
        if let Err(stop) = self.fault(start) {
            return unknown(&self.system, index, stop);
        }
        let system = Rc::clone(&self.system);
        let formula = &system.specifications[index].formula;
        if let Formula::Invariant(id) = formula
            && system.speaks_of_steps(*id)
        {
            return self.on_steps(*id, index, start);
        }
        let question = Question::new(&system, formula);
        if let (Guidance::Clauses, Some(question)) = (&self.options.guidance, question)
            && let Some(result) = self.by_clauses(question, index, start)
        {
            return result;
        }
        if let Formula::Ltl(formula) = formula {
            let plain = globally(&system, formula);
            let quick = plain.and_then(|id| self.globally(index, id, start));
            return quick.unwrap_or_else(|| self.linear(index, start));
        }
        self.with_session(formula, question, index, start, |session| {
            Some(session.check(index, start))
        })
        .unwrap_or_else(|| unknown(&system, index, Stop::Cancelled))
    }

    /// A fault of the system, wherever it is: all questions get the same answer.
    fn fault(&mut self, start: Instant) -> Result<(), Stop> {
        if let Some(known) = &self.fault {
            return known.clone();
        }
        let limits = &self.options.limits;
        let interrupt = interrupt(limits, self.options.deadline(start));
        let memory = limits.memory_bytes as u64;
        let found = match merkhet_unroll::first_fault(&self.system, &interrupt, memory) {
            Ok(None) => Ok(()),
            Ok(Some(fault)) => Err(Stop::Model(match fault.place {
                Some(place) => format!("line {}: {}", place.line, fault.message),
                None => fault.message,
            })),
            Err(merkhet_unroll::Stop::Model(message)) => Err(Stop::Model(message)),
            // What matters is looked at again when the model is built.
            Err(merkhet_unroll::Stop::Memory | merkhet_unroll::Stop::Unsupported(_)) => Ok(()),
            Err(stop) => return Err(told(stop, limits)),
        };
        self.fault.insert(found).clone()
    }

    /// By clauses alone; `None` if they do not decide it.
    fn by_clauses(
        &mut self,
        question: Question,
        index: usize,
        start: Instant,
    ) -> Option<SpecResult> {
        let cone = self.cone(&self.system, &question.formula());
        let limits = self.limits(start);
        let deadline = limits.deadline;
        let mut unrolled = match Unrolled::new(&self.system, &cone, question, &limits, deadline) {
            Ok(unrolled) => unrolled,
            Err(stop) => return Some(unknown(&self.system, index, stop)),
        };
        match unrolled.run(&limits) {
            Ok(outcome) => unrolled.result(&self.system, index, &outcome, &self.options, start),
            Err(stop) => {
                let mut result = unknown(&self.system, index, stop);
                unrolled.dress(&mut result, start);
                Some(result)
            }
        }
    }

    fn limits(&self, start: Instant) -> Limits {
        Limits {
            deadline: self.options.deadline(start),
            ..self.options.limits.clone()
        }
    }

    /// `G p` as a question of reachability, where that answers it.
    fn globally(&mut self, index: usize, id: ExpressionId, start: Instant) -> Option<SpecResult> {
        let formula = &self.system.specifications[index].formula;
        let question = Question::new(&self.system, formula);
        self.with_session(&Formula::Invariant(id), question, index, start, |session| {
            session.check_globally(index, id, start)
        })
    }

    /// Does some work with the model that matters for a formula. Where a question of reachability is answered before
    /// the model is built, that is the result.
    fn with_session(
        &mut self,
        formula: &Formula,
        question: Option<Question>,
        index: usize,
        start: Instant,
        work: impl FnOnce(&mut Session) -> Option<SpecResult>,
    ) -> Option<SpecResult> {
        let cone = self.cone(&self.system, formula);
        let known = self.sessions.iter().position(|one| one.cone == cone);
        let session = match known {
            Some(known) => Ok(self.sessions.remove(known)),
            None => {
                let schedule = matches!(self.options.guidance, Guidance::Schedule);
                let question = question.filter(|_| schedule);
                self.session_or_answer(cone, question, index, start)
            }
        };
        match session {
            Ok(mut session) => {
                session.set_deadline(self.options.deadline(start));
                let result = work(&mut session);
                self.sessions.push(session);
                result
            }
            Err(result) => Some(*result),
        }
    }

    /// The model of a question, or its answer by clauses while that is being built.
    fn session_or_answer(
        &mut self,
        cone: BTreeSet<VariableId>,
        question: Option<Question>,
        index: usize,
        start: Instant,
    ) -> Result<Session, Box<SpecResult>> {
        let whole = Rc::clone(&self.system);
        let Some(question) = question else {
            return self.session(whole, cone, None, index, start);
        };
        let limits = self.limits(start);
        let mut pending: Option<Unrolled> = None;
        let mut budget = self.options.turns.first_build;
        loop {
            let built = self.session(Rc::clone(&whole), cone.clone(), Some(budget), index, start);
            let mut result = match built {
                Ok(mut session) => {
                    session.pending = pending;
                    return Ok(session);
                }
                Err(result) => result,
            };
            let last = match &result.verdict {
                Verdict::Unknown(Stop::Budget) => false,
                // Clauses may do with less, and can say more.
                Verdict::Unknown(Stop::Memory | Stop::Unsupported(_)) => true,
                _ => return Err(result),
            };
            let unrolled = match &mut pending {
                Some(unrolled) => unrolled,
                None => match Unrolled::new(&whole, &cone, question, &limits, limits.deadline) {
                    Ok(unrolled) => pending.insert(unrolled),
                    Err(_) if last => return Err(result),
                    Err(_) => return self.session(whole, cone, None, index, start),
                },
            };
            let outcome = match last {
                true => unrolled.run(&limits).map(Some),
                false => unrolled.advance(budget, &limits),
            };
            match outcome {
                Ok(Some(outcome)) => {
                    let answer = unrolled.result(&whole, index, &outcome, &self.options, start);
                    match answer {
                        Some(answer) => return Err(Box::new(answer)),
                        None if last => return Err(result),
                        None => return self.session(whole, cone, None, index, start),
                    }
                }
                Ok(None) => {}
                Err(Stop::Memory | Stop::Unsupported(_)) if !last => {
                    return self.session(whole, cone, None, index, start);
                }
                Err(_) if last => return Err(result),
                Err(stop) => {
                    result.verdict = Verdict::Unknown(stop);
                    return Err(result);
                }
            }
            budget = budget.saturating_mul(self.options.turns.next_build);
        }
    }

    /// A condition on steps: the system with a variable that remembers whether all steps were as they must be.
    fn on_steps(&mut self, id: ExpressionId, index: usize, start: Instant) -> SpecResult {
        let (extended, good) = with_monitor(&self.system, id);
        let cone = self.cone(&extended, &Formula::Invariant(good));
        match self.session(Rc::new(extended), cone, None, index, start) {
            Ok(mut session) => session.check_steps(&self.system, index, good, start),
            Err(result) => *result,
        }
    }

    /// Linear time: the system with a tableau for the negated formula has no fair path.
    fn linear(&mut self, index: usize, start: Instant) -> SpecResult {
        let (extended, violation) = match with_tableau(&self.system, index) {
            Ok(extended) => extended,
            Err(stop) => return unknown(&self.system, index, stop),
        };
        let cone = self.cone(&extended, &Formula::Invariant(violation));
        match self.session(Rc::new(extended), cone, None, index, start) {
            Ok(mut session) => session.check_linear(&self.system, index, violation, start),
            Err(result) => *result,
        }
    }

    fn cone(&self, system: &System, formula: &Formula) -> BTreeSet<VariableId> {
        match self.options.whole_system {
            true => system.variable_ids().collect(),
            false => cone_of_influence(system, formula),
        }
    }

    /// A model of the part of a system that matters, if it is built with so much work.
    fn session(
        &mut self,
        whole: Rc<System>,
        cone: BTreeSet<VariableId>,
        budget: Option<u64>,
        index: usize,
        start: Instant,
    ) -> Result<Session, Box<SpecResult>> {
        let reduced = restrict_to_cone(&whole, &cone);
        let mut options = Options::clone(&self.options);
        options.limits.memory_bytes -= self.make_room();
        match build_model(reduced, &options, options.deadline(start), budget) {
            Ok(model) => {
                let options = Rc::clone(&self.options);
                Ok(Session::new(whole, cone, model, options))
            }
            Err((stop, diagrams)) => {
                let mut result = unknown(&self.system, index, stop);
                result.statistics.time = start.elapsed();
                result.statistics.variables = cone.len();
                result.statistics.diagrams = diagrams;
                Err(Box::new(result))
            }
        }
    }

    /// Gives the largest part of the memory to a new model; what the others keep is the result.
    fn make_room(&mut self) -> usize {
        let idle = |sessions: &[Session]| sessions.iter().map(Session::bytes).sum::<usize>();
        while idle(&self.sessions) > self.options.limits.memory_bytes / SHARE_OF_IDLE {
            self.sessions.remove(0);
        }
        idle(&self.sessions)
    }
}
