//! The transition relation, partitioned: a disjunction of local relations (one per process or
//! per group of alternatives), each a conjunction of clusters with early quantification.
//!
//! A local relation speaks only of the variables that it changes or reads; all others keep their
//! values without a word about them in the diagrams.

mod cluster;
mod image;
mod local;
mod split;

pub use local::LocalRelation;

use crate::bdd::{Bdd, DiagramStatistics};
use crate::encode::{Encoding, Evaluator};
use crate::limits::{Budget, Stop};
use crate::system::{ExpressionId, Role, System, VariableId};
use split::split_events;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How the relation is built.
#[derive(Clone, Copy, Debug)]
pub struct RelationOptions {
    /// Conjuncts are joined while the result has at most this many nodes.
    pub cluster_nodes: usize,
}

impl Default for RelationOptions {
    fn default() -> RelationOptions {
        RelationOptions {
            cluster_nodes: 2000,
        }
    }
}

/// A system over bits: initial states, invariant, transition relation, fairness.
pub struct Model {
    /// The system that it was made from.
    pub system: Rc<System>,
    /// Its variables as bits.
    pub encoding: Encoding,
    /// The states that are allowed at all.
    pub invariant: Bdd,
    /// The initial states.
    pub initial: Bdd,
    /// The transition relation as a union.
    pub relations: Vec<LocalRelation>,
    /// For each fairness condition, the states (and inputs) where it holds.
    pub justice: Vec<Bdd>,
}

impl Model {
    /// Builds all diagrams of a system, with so much work at most; checks assignments and cases on the way. Without success, the figures about the
    /// diagrams come with the reason.
    pub fn new(
        system: Rc<System>,
        encoding: Encoding,
        options: &RelationOptions,
        budget: Option<u64>,
    ) -> Result<Model, (Stop, DiagramStatistics)> {
        let diagrams = &encoding.diagrams;
        let end = Budget::Work(diagrams.work().saturating_add(budget.unwrap_or(u64::MAX)));
        let parts = diagrams.allowed(end, || Parts::new(&system, &encoding, options));
        match parts.and_then(|parts| parts.ok_or(Stop::Budget)) {
            Ok(parts) => {
                encoding.diagrams.collect();
                Ok(Model {
                    system,
                    encoding,
                    invariant: parts.invariant,
                    initial: parts.initial,
                    relations: parts.relations,
                    justice: parts.justice,
                })
            }
            Err(stop) => Err((stop, encoding.diagrams.statistics())),
        }
    }
}

/// The diagrams of a model.
struct Parts {
    invariant: Bdd,
    initial: Bdd,
    relations: Vec<LocalRelation>,
    justice: Vec<Bdd>,
}

impl Parts {
    fn new(system: &System, encoding: &Encoding, options: &RelationOptions) -> Result<Parts, Stop> {
        let mut evaluator = Evaluator::new(system, encoding);
        let diagrams = &encoding.diagrams;
        let care = diagrams.and(encoding.universe(), &encoding.prime(encoding.universe())?)?;
        let care = diagrams.and(&care, &valid_inputs(system, encoding)?)?;
        let mut invariants = Vec::new();
        for &id in &system.invariants {
            invariants.push(evaluator.condition(id, &care)?);
        }
        let invariant = diagrams.and_all(invariants.iter().cloned())?;
        let invariant = diagrams.and(&invariant, encoding.universe())?;
        let mut initial = vec![invariant.clone()];
        for &id in &system.initial {
            initial.push(evaluator.condition(id, &care)?);
        }
        let initial = diagrams.and_all(initial)?;
        for assignment in &system.assignments {
            evaluator.check_assignment(assignment, &care)?;
        }
        let mut justice = Vec::new();
        for &id in &system.justice {
            justice.push(evaluator.condition(id, &care)?);
        }
        let mut relations = Vec::new();
        for event in split_events(system) {
            let relation = LocalRelation::build(
                &event,
                &mut evaluator,
                encoding,
                &invariants,
                &care,
                options,
            )?;
            relations.extend(relation);
        }
        Ok(Parts {
            invariant,
            initial,
            relations,
            justice,
        })
    }
}

/// The sets of variables that the conjuncts of the events mention, for the static order. Of a
/// disjunction of local changes, each group counts by itself.
pub(crate) fn event_supports(system: &System) -> Vec<Vec<VariableId>> {
    let mut supports = Vec::new();
    for event in split_events(system) {
        let mut add = |roots: &[ExpressionId]| {
            let support = system.support(roots);
            supports.push(support.current.union(&support.next).copied().collect());
        };
        for &id in &event.relation {
            add(&[id]);
        }
        let alternatives: Vec<ExpressionId> = event.alternatives.concat();
        if !alternatives.is_empty() {
            add(&alternatives);
        }
    }
    supports
}

/// For each variable, those that its value after a transition depends on.
pub(crate) fn dependencies(system: &System) -> Vec<BTreeSet<VariableId>> {
    let mut needs = vec![BTreeSet::new(); system.variables.len()];
    let mut add = |roots: &[ExpressionId]| {
        let support = system.support(roots);
        for &id in &support.next {
            needs[id.index()].extend(support.current.union(&support.next));
        }
    };
    for event in split_events(system) {
        for &id in &event.relation {
            add(&[id]);
        }
        add(&event.alternatives.concat());
    }
    for &id in &system.invariants {
        let support = system.support(&[id]).current;
        for &member in &support {
            needs[member.index()].extend(&support);
        }
    }
    needs
}

/// The codes of inputs that number a value.
pub(crate) fn valid_inputs(system: &System, encoding: &Encoding) -> Result<Bdd, Stop> {
    let mut parts = Vec::new();
    for id in system.variable_ids() {
        if system.variable(id).role == Role::Input {
            parts.push(encoding.valid_codes(system, id)?);
        }
    }
    encoding.diagrams.and_all(parts)
}
