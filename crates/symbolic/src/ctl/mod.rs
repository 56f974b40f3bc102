//! Branching time by fixed points, under fairness.

mod backward;
mod fair;

use crate::bdd::Bdd;
use crate::encode::Evaluator;
use crate::limits::Stop;
use crate::relation::Model;
use crate::system::{Ctl, ExpressionId};
use backward::Backward;
use std::cell::OnceCell;
use std::rc::Rc;

/// Evaluates branching-time formulas within a set of states that no step leaves.
pub struct CtlChecker {
    model: Rc<Model>,
    space: Bdd,
    fair: OnceCell<Bdd>,
    backward: OnceCell<Backward>,
}

impl CtlChecker {
    /// A checker for the states in `space`, which must be closed under steps.
    pub fn new(model: Rc<Model>, space: Bdd) -> CtlChecker {
        CtlChecker {
            model,
            space,
            fair: OnceCell::new(),
            backward: OnceCell::new(),
        }
    }

    /// The states that are looked at.
    pub fn space(&self) -> &Bdd {
        &self.space
    }

    fn diagrams(&self) -> &crate::bdd::Diagrams {
        &self.model.encoding.diagrams
    }

    /// The states that satisfy a formula.
    pub fn states(&self, formula: &Ctl) -> Result<Bdd, Stop> {
        match formula {
            Ctl::Atom(id) => self.atom(*id),
            Ctl::Not(a) => self.complement(&self.states(a)?),
            Ctl::And(parts) => {
                let mut result = self.space.clone();
                for part in parts {
                    result = self.diagrams().and(&result, &self.states(part)?)?;
                }
                Ok(result)
            }
            Ctl::Or(parts) => {
                let mut result = self.diagrams().constant(false);
                for part in parts {
                    result = self.diagrams().or(&result, &self.states(part)?)?;
                }
                Ok(result)
            }
            Ctl::Ex(a) => self.ex(&self.states(a)?),
            Ctl::Ef(None, a) => self.eu(&self.space, &self.states(a)?),
            Ctl::Eg(None, a) => self.eg(&self.states(a)?),
            Ctl::Eu(None, a, b) => self.eu(&self.states(a)?, &self.states(b)?),
            Ctl::Ax(a) => self.complement(&self.ex(&self.not(a)?)?),
            Ctl::Af(None, a) => self.complement(&self.eg(&self.not(a)?)?),
            Ctl::Ag(None, a) => self.complement(&self.eu(&self.space, &self.not(a)?)?),
            Ctl::Au(None, a, b) => {
                let not_b = self.not(b)?;
                let neither = self.diagrams().and(&self.not(a)?, &not_b)?;
                let broken = self.eu(&not_b, &neither)?;
                let never = self.eg(&not_b)?;
                self.complement(&self.diagrams().or(&broken, &never)?)
            }
            Ctl::Ef(Some(steps), a) => self.ebu(*steps, &self.space, &self.states(a)?),
            Ctl::Eu(Some(steps), a, b) => self.ebu(*steps, &self.states(a)?, &self.states(b)?),
            Ctl::Eg(Some(steps), a) => self.ebg(*steps, &self.states(a)?),
            Ctl::Af(Some(steps), a) => self.complement(&self.ebg(*steps, &self.not(a)?)?),
            Ctl::Ag(Some(steps), a) => {
                self.complement(&self.ebu(*steps, &self.space, &self.not(a)?)?)
            }
            Ctl::Au(Some(steps), a, b) => self.abu(*steps, &self.states(a)?, &self.states(b)?),
        }
    }

    fn not(&self, formula: &Ctl) -> Result<Bdd, Stop> {
        self.complement(&self.states(formula)?)
    }

    fn atom(&self, id: ExpressionId) -> Result<Bdd, Stop> {
        let mut evaluator = Evaluator::new(&self.model.system, &self.model.encoding);
        let set = evaluator.condition(id, &self.space)?;
        self.diagrams().and(&set, &self.space)
    }

    /// The states of the space outside a set.
    pub fn complement(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.diagrams().minus(&self.space, set)
    }

    /// The states with a successor in the set from which a fair path starts.
    pub fn ex(&self, set: &Bdd) -> Result<Bdd, Stop> {
        let target = self.diagrams().and(set, self.fair()?)?;
        self.before(&target)
    }

    /// The states without any successor.
    pub fn deadlocks(&self) -> Result<Bdd, Stop> {
        self.complement(&self.before(&self.space)?)
    }

    /// The states with a successor in the set.
    fn before(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.before_under(set, None)
    }

    /// The states from which a step, with the condition true at its start, leads into the set.
    fn before_under(&self, set: &Bdd, condition: Option<&Bdd>) -> Result<Bdd, Stop> {
        let backward = match self.backward.get() {
            Some(backward) => backward,
            None => {
                let built = Backward::new(&self.model, &self.space)?;
                self.backward.get_or_init(|| built)
            }
        };
        backward.preimage(&self.model, &self.space, set, condition)
    }

    /// Through `through` until `goal`, and from there on a fair path.
    pub fn eu(&self, through: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        let goal = self.diagrams().and(goal, self.fair()?)?;
        self.reach_back(through, &goal)
    }

    /// Through `through` until `goal`.
    fn reach_back(&self, through: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = self.diagrams();
        let mut reached = goal.clone();
        if self.model.relations.len() > 1 {
            return self.reach_back_by_chaining(through, reached);
        }
        let mut frontier = goal.clone();
        while !diagrams.is_false(&frontier) {
            let before = diagrams.and(&self.before(&frontier)?, through)?;
            frontier = diagrams.minus(&before, &reached)?;
            reached = diagrams.or(&reached, &frontier)?;
        }
        Ok(reached)
    }

    fn reach_back_by_chaining(&self, through: &Bdd, mut reached: Bdd) -> Result<Bdd, Stop> {
        let diagrams = self.diagrams();
        let mut applied: Vec<Option<Bdd>> = vec![None; self.model.relations.len()];
        loop {
            let before = reached.clone();
            for (relation, applied) in self.model.relations.iter().zip(&mut applied).rev() {
                if applied.as_ref() == Some(&reached) {
                    continue;
                }
                let image = relation.preimage(diagrams, &reached, None)?;
                *applied = Some(reached.clone());
                let image = diagrams.and(&image, through)?;
                reached = diagrams.or(&reached, &image)?;
            }
            if reached == before {
                return Ok(reached);
            }
        }
    }

    /// `goal` after a number of steps within the interval, `through` before that.
    fn ebu(&self, (low, high): (u32, u32), through: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = self.diagrams();
        let goal = diagrams.and(goal, self.fair()?)?;
        let mut set = goal.clone();
        for _ in low..high {
            let step = diagrams.and(&self.before(&set)?, through)?;
            let next = diagrams.or(&goal, &step)?;
            if next == set {
                break;
            }
            set = next;
        }
        for _ in 0..low {
            let next = diagrams.and(&self.before(&set)?, through)?;
            if next == set {
                break;
            }
            set = next;
        }
        Ok(set)
    }

    /// A path on which the set holds at all steps within the interval.
    fn ebg(&self, (low, high): (u32, u32), set: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = self.diagrams();
        let mut result = diagrams.and(set, self.fair()?)?;
        for _ in low..high {
            let next = diagrams.and(&self.before(&result)?, set)?;
            if next == result {
                break;
            }
            result = next;
        }
        for _ in 0..low {
            let next = self.before(&result)?;
            if next == result {
                break;
            }
            result = next;
        }
        Ok(result)
    }

    /// All paths: `goal` after a number of steps within the interval, `through` before that.
    fn abu(&self, (low, high): (u32, u32), through: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = self.diagrams();
        let ax = |set: &Bdd| self.complement(&self.ex(&self.complement(set)?)?);
        let mut set = goal.clone();
        for _ in low..high {
            let next = diagrams.or(goal, &diagrams.and(through, &ax(&set)?)?)?;
            if next == set {
                break;
            }
            set = next;
        }
        for _ in 0..low {
            let next = diagrams.and(through, &ax(&set)?)?;
            if next == set {
                break;
            }
            set = next;
        }
        Ok(set)
    }
}
