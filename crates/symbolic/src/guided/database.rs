//! Symbolic pattern databases (definition 3): sets of abstract states by their distance to the
//! error.

use super::DatabaseReport;
use super::abstraction::AbstractModel;
use crate::bdd::Bdd;
use crate::limits::{Budget, Stop};
use crate::relation::Model;
use crate::system::VariableId;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Abstract states by distance.
pub struct Database {
    kept: BTreeSet<VariableId>,
    /// `layers[i]`: the abstract states at distance `i`.
    layers: Vec<Bdd>,
    /// Whether states in no layer cannot reach the error at all.
    complete: bool,
    /// The least distance of an abstract initial state, or what it is at least; none if there is no way.
    initial_estimate: Option<usize>,
    time: Duration,
}

/// Between which states distances are estimated; variables that no pattern keeps may be hidden.
#[derive(Clone)]
pub(super) struct Ends {
    pub(super) initial: Bdd,
    pub(super) bad: Bdd,
}

/// How far the backward search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Until the abstract initial states are met, or the fixed point.
    ToInitial,
    /// A little further than the initial states: farther states are of no use to the search.
    Beyond,
}

impl Database {
    /// Builds the database of an abstraction, as far as that is allowed.
    pub(super) fn build(
        model: &Model,
        ends: &Ends,
        kept: &BTreeSet<VariableId>,
        budget: Budget,
        extent: Extent,
    ) -> Result<Database, Stop> {
        let start = Instant::now();
        let diagrams = &model.encoding.diagrams;
        let abstracted = diagrams.allowed(budget, || {
            let abstracted = AbstractModel::new(model, kept)?;
            let initial = abstracted.project(model, &ends.initial)?;
            let goal = abstracted.project(model, &ends.bad)?;
            Ok((abstracted, initial, goal))
        })?;
        let Some((abstracted, initial, goal)) = abstracted else {
            return Ok(Database::uninformed(model, kept, start));
        };
        let mut database = Database {
            kept: kept.clone(),
            layers: vec![goal.clone()],
            complete: false,
            initial_estimate: None,
            time: Duration::ZERO,
        };
        let mut reached = goal;
        let mut last_depth = usize::MAX;
        loop {
            let depth = database.layers.len() - 1;
            let last = &database.layers[depth];
            if database.initial_estimate.is_none() && !diagrams.disjoint(last, &initial)? {
                database.initial_estimate = Some(depth);
                last_depth = match extent {
                    Extent::ToInitial => depth,
                    Extent::Beyond => depth + depth / 8 + 1,
                };
            }
            if depth >= last_depth {
                break;
            }
            let step = diagrams.allowed(budget, || {
                let before = abstracted.preimage(model, last)?;
                let layer = diagrams.minus(&before, &reached)?;
                let union = diagrams.or(&reached, &layer)?;
                Ok((layer, union))
            })?;
            match step {
                None => break,
                Some((layer, _)) if diagrams.is_false(&layer) => {
                    database.complete = true;
                    break;
                }
                Some((layer, union)) => {
                    database.layers.push(layer);
                    reached = union;
                }
            }
        }
        if !database.complete && database.initial_estimate.is_none() {
            // No layer so far has them.
            database.initial_estimate = Some(database.layers.len());
        }
        database.time = start.elapsed();
        Ok(database)
    }

    /// Where not even the abstraction could be built: all states have estimate 0.
    fn uninformed(model: &Model, kept: &BTreeSet<VariableId>, start: Instant) -> Database {
        Database {
            kept: kept.clone(),
            layers: vec![model.encoding.diagrams.constant(true)],
            complete: false,
            initial_estimate: Some(0),
            time: start.elapsed(),
        }
    }

    /// The variables that the abstraction keeps.
    pub fn kept(&self) -> &BTreeSet<VariableId> {
        &self.kept
    }

    /// Time of construction.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// The least distance of an abstract initial state; if there is none and the database is
    /// complete, no initial state can reach the error.
    pub fn initial_estimate(&self) -> Option<usize> {
        self.initial_estimate
    }

    /// Whether the abstraction proves that no initial state can reach the error.
    pub(super) fn excludes(&self) -> bool {
        self.complete && self.initial_estimate.is_none()
    }

    /// Disjoint sets by estimate: the layers and, for what an incomplete search has not met, one
    /// more. States in none of them cannot reach the error.
    pub(super) fn estimates(&self, model: &Model) -> Result<Vec<Bdd>, Stop> {
        let diagrams = &model.encoding.diagrams;
        let mut sets = self.layers.clone();
        if !self.complete {
            let met = diagrams.or_all(sets.iter().cloned())?;
            sets.push(diagrams.not(&met));
        }
        Ok(sets)
    }

    pub(super) fn report(&self, model: &Model) -> DatabaseReport {
        let diagrams = &model.encoding.diagrams;
        DatabaseReport {
            kept: self
                .kept
                .iter()
                .map(|id| model.system.variable(*id).name.clone())
                .collect(),
            depth: self.layers.len() - 1,
            complete: self.complete,
            nodes: self.layers.iter().map(|layer| diagrams.size(layer)).sum(),
            initial_estimate: self.initial_estimate,
            time: self.time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Database, Ends, Extent};
    use crate::encode::{Encoding, Evaluator};
    use crate::limits::{Budget, Limits};
    use crate::order::{Order, variable_order};
    use crate::relation::{Model, RelationOptions};
    use crate::system::Formula;
    use std::rc::Rc;

    /// Table 1 and figure 2 of the paper: three bits of which the last is abstracted away, an abstract system
    /// 01 → 00 → 10 → 11 with the start 00, and the error where all bits are true. The figure that draws the concrete system
    /// leaves open what the last bit does: here it flips.
    const EXAMPLE: &str = "MODULE main\nVAR x0 : boolean; x1 : boolean; x2 : boolean;\n\
                           ASSIGN init(x0) := FALSE; init(x1) := FALSE; init(x2) := FALSE;\n\
                           next(x0) := x0 | !x1; next(x1) := x0; next(x2) := !x2;\n\
                           INVARSPEC !(x0 & x1 & x2)\n";

    #[test]
    fn the_papers_example_has_the_papers_database() {
        let (program, _) = merkhet_smv::read_smv(EXAMPLE);
        let system = merkhet_lower::smv::lower_smv(&program)
            .system
            .expect("a system");
        let system = Rc::new(system);
        let order = variable_order(&system, &Order::Structure);
        let encoding = Encoding::new(&system, &order, &Limits::default()).expect("bits");
        let options = RelationOptions::default();
        let model = Model::new(Rc::clone(&system), encoding, &options, None);
        let model = model.map_err(|(stop, _)| stop).expect("a model");
        let diagrams = &model.encoding.diagrams;
        let Formula::Invariant(good) = system.specifications[0].formula else {
            panic!("an invariant");
        };
        let good = Evaluator::new(&system, &model.encoding).condition(good, &model.invariant);
        let ends = Ends {
            initial: model.initial.clone(),
            bad: diagrams.not(&good.expect("a condition")),
        };
        let kept = system.variable_ids().take(2).collect();
        let everything = Budget::Work(u64::MAX);
        let database = Database::build(&model, &ends, &kept, everything, Extent::Beyond);
        let database = database.expect("a database");
        let bit = |number: usize| {
            let id = system.variable_ids().nth(number).expect("three bits");
            diagrams
                .literal(model.encoding.bits_of(id).current[0])
                .expect("a literal")
        };
        let literal = |number: usize, value: bool| match value {
            true => bit(number),
            false => diagrams.not(&bit(number)),
        };
        // b_0 to b_3 of figure 2, by the values of the two bits that are kept.
        let table = [(true, true), (true, false), (false, false), (false, true)];
        assert_eq!(database.layers.len(), table.len());
        for (layer, (first, second)) in database.layers.iter().zip(table) {
            let expected = diagrams.and(&literal(0, first), &literal(1, second));
            assert!(*layer == expected.expect("a set"), "{first} {second}");
        }
        assert_eq!(database.initial_estimate, Some(2));
    }
}
