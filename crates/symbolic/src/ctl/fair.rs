//! Fair paths: the fixed point of Emerson and Lei ("Efficient model checking in fragments of the
//! propositional mu-calculus", LICS 1986).
//!
//! A fairness condition may mention inputs (such as which process runs): it then holds of steps
//! rather than of states. Both cases are one here: a condition holds at the start of a step.

use super::CtlChecker;
use crate::bdd::Bdd;
use crate::limits::Stop;

impl CtlChecker {
    /// The states from which a fair path starts; without fairness conditions, all states.
    pub fn fair(&self) -> Result<&Bdd, Stop> {
        if let Some(fair) = self.fair.get() {
            return Ok(fair);
        }
        let fair = if self.model.justice.is_empty() {
            self.space.clone()
        } else {
            self.fair_path_within(&self.space)?
        };
        Ok(self.fair.get_or_init(|| fair))
    }

    /// The states from which a fair path starts that stays within the set for ever.
    pub fn eg(&self, set: &Bdd) -> Result<Bdd, Stop> {
        if self.model.justice.is_empty() {
            return self.endless_path_within(set);
        }
        self.fair_path_within(&self.diagrams().and(set, self.fair()?)?)
    }

    fn endless_path_within(&self, set: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = self.diagrams();
        let mut current = set.clone();
        loop {
            let next = diagrams.and(&current, &self.before(&current)?)?;
            if next == current {
                return Ok(current);
            }
            current = next;
        }
    }

    /// νZ. ⋀ₖ E[set U (set ∧ Jₖ-step into Z)]
    fn fair_path_within(&self, set: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = self.diagrams();
        let mut current = self.endless_path_within(set)?;
        loop {
            let before = current.clone();
            for condition in &self.model.justice {
                let step = self.before_under(&current, Some(condition))?;
                let step = diagrams.and(&step, &current)?;
                let reached = self.reach_back(&current, &step)?;
                // Every state must also have a successor that is left.
                current = self.endless_path_within(&reached)?;
            }
            if current == before {
                return Ok(current);
            }
        }
    }
}
