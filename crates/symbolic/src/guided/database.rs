//! Symbolic pattern databases (definition 3): sets of abstract states by their distance to the
//! error.

use super::DatabaseReport;
use super::abstraction::AbstractModel;
use crate::bdd::{Bdd, MultiTerminal};
use crate::limits::Stop;
use crate::relation::Model;
use crate::system::VariableId;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How a database is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Representation {
    /// A list of diagrams, one per distance, as in the paper.
    #[default]
    Layers,
    /// One multi-terminal diagram, as the paper proposes for later.
    MultiTerminal,
}

/// Abstract states by distance.
pub struct Database {
    kept: BTreeSet<VariableId>,
    /// `layers[i]`: the abstract states at distance `i`.
    layers: Vec<Bdd>,
    /// Whether states in no layer cannot reach the error at all.
    complete: bool,
    /// The abstract initial states.
    initial: Bdd,
    multi: Option<MultiTerminal>,
    time: Duration,
}

impl Database {
    /// Builds the database of an abstraction, as far as the budget reaches.
    pub(super) fn build(
        model: &Model<'_>,
        bad: &Bdd,
        kept: &BTreeSet<VariableId>,
        budget: Duration,
    ) -> Result<Database, Stop> {
        let start = Instant::now();
        let diagrams = &model.encoding.diagrams;
        let abstracted = diagrams.within(budget, || {
            let abstracted = AbstractModel::new(model, kept)?;
            let initial = abstracted.project(model, &model.initial)?;
            let goal = abstracted.project(model, bad)?;
            Ok((abstracted, initial, goal))
        })?;
        let Some((abstracted, initial, goal)) = abstracted else {
            // Not even the abstraction could be built: all states have estimate 0.
            let yes = diagrams.constant(true);
            return Ok(Database {
                kept: kept.clone(),
                layers: vec![yes.clone()],
                complete: false,
                initial: yes,
                multi: None,
                time: start.elapsed(),
            });
        };
        let mut layers = vec![goal.clone()];
        let mut reached = goal;
        let complete = loop {
            let rest = budget.saturating_sub(start.elapsed());
            let last = &layers[layers.len() - 1];
            let step = diagrams.within(rest, || {
                let before = abstracted.preimage(model, last)?;
                let layer = diagrams.minus(&before, &reached)?;
                let union = diagrams.or(&reached, &layer)?;
                Ok((layer, union))
            })?;
            match step {
                None => break false,
                Some((layer, _)) if diagrams.is_false(&layer) => break true,
                Some((layer, union)) => {
                    layers.push(layer);
                    reached = union;
                }
            }
        };
        let time = start.elapsed();
        Ok(Database {
            kept: kept.clone(),
            layers,
            complete,
            initial,
            multi: None,
            time,
        })
    }

    /// Whether the backward search came to its end.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Time of construction.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Whether the abstraction proves that no initial state can reach the error.
    pub(super) fn excludes(&self, model: &Model<'_>) -> Result<bool, Stop> {
        Ok(self.complete && self.initial_estimate(model)?.is_none())
    }

    /// The least distance of an abstract initial state, if one is in a layer.
    pub(super) fn initial_estimate(&self, model: &Model<'_>) -> Result<Option<usize>, Stop> {
        for (distance, layer) in self.layers.iter().enumerate() {
            if !model.encoding.diagrams.disjoint(&self.initial, layer)? {
                return Ok(Some(distance));
            }
        }
        Ok(None)
    }

    pub(super) fn stored_as(
        mut self,
        model: &Model<'_>,
        representation: Representation,
    ) -> Database {
        if representation == Representation::MultiTerminal {
            let sets: Vec<(Bdd, u32)> = self
                .layers
                .iter()
                .enumerate()
                .map(|(i, layer)| (layer.clone(), i as u32))
                .collect();
            let beyond = self.layers.len() as u32;
            self.multi = Some(model.encoding.diagrams.multi_terminal(&sets, beyond));
        }
        self
    }

    /// The states of a set by their estimates. States that cannot reach the error are left out.
    pub(super) fn partition(
        &self,
        model: &Model<'_>,
        set: &Bdd,
    ) -> Result<Vec<(usize, Bdd)>, Stop> {
        let diagrams = &model.encoding.diagrams;
        let beyond = self.layers.len();
        if let Some(multi) = &self.multi {
            let parts = diagrams.partition(set, multi)?.into_iter();
            let parts = parts.map(|(estimate, part)| (estimate as usize, part));
            return Ok(parts
                .filter(|part| part.0 < beyond || !self.complete)
                .collect());
        }
        // From large estimates to small ones, as in `QueueImage` of figure 5.
        let mut rest = set.clone();
        let mut parts = Vec::new();
        for (distance, layer) in self.layers.iter().enumerate().rev() {
            if diagrams.is_false(&rest) {
                return Ok(parts);
            }
            let part = diagrams.and(&rest, layer)?;
            if !diagrams.is_false(&part) {
                rest = diagrams.minus(&rest, layer)?;
                parts.push((distance, part));
            }
        }
        if !self.complete && !diagrams.is_false(&rest) {
            parts.push((beyond, rest));
        }
        Ok(parts)
    }

    pub(super) fn report(&self, model: &Model<'_>) -> DatabaseReport {
        let diagrams = &model.encoding.diagrams;
        let nodes = match &self.multi {
            Some(multi) => multi.size(),
            None => self.layers.iter().map(|layer| diagrams.size(layer)).sum(),
        };
        DatabaseReport {
            kept: self.kept.len(),
            depth: self.layers.len() - 1,
            complete: self.complete,
            nodes,
            initial_estimate: self.initial_estimate(model).ok().flatten(),
            time: self.time,
        }
    }
}
