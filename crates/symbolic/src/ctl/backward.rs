//! Steps backwards within a set of states.
//!
//! Backwards, a relation leads to states that are of no interest because nothing reaches them. So a
//! relation that is not local is first restricted to the states that matter: as one diagram if that
//! stays small, otherwise cluster by cluster.

use crate::bdd::Bdd;
use crate::limits::Stop;
use crate::relation::{LocalRelation, Model};
use std::time::Duration;

/// A restricted relation larger than this is not worth it.
const MAX_NODES: usize = 1 << 18;

/// Time for the attempt.
const BUDGET: Duration = Duration::from_secs(5);

/// How steps backwards are computed.
pub(super) enum Backward {
    /// One diagram of all steps within the space, and the variables to quantify.
    Whole(Bdd, Bdd),
    /// One relation with simplified clusters.
    Simplified(Box<LocalRelation>),
    /// The local relations of the model.
    Local,
}

impl Backward {
    pub(super) fn new(model: &Model, space: &Bdd) -> Result<Backward, Stop> {
        let [relation] = model.relations.as_slice() else {
            return Ok(Backward::Local);
        };
        let diagrams = &model.encoding.diagrams;
        let whole = diagrams.within(BUDGET, || {
            let mut product = space.clone();
            for cluster in relation.clusters_in_order() {
                product = diagrams.and(&product, cluster)?;
                if diagrams.size(&product) > MAX_NODES {
                    return Ok(None);
                }
            }
            Ok(Some(product))
        });
        match whole {
            Ok(Some(Some(product))) => Ok(Backward::Whole(product, relation.cube().clone())),
            Ok(_) | Err(Stop::Memory) => {
                let simplified = relation.simplified(&model.encoding, space)?;
                Ok(Backward::Simplified(Box::new(simplified)))
            }
            Err(stop) => Err(stop),
        }
    }

    /// The states of the space from which a step, with the condition true at its start, leads into
    /// the set.
    pub(super) fn preimage(
        &self,
        model: &Model,
        space: &Bdd,
        set: &Bdd,
        condition: Option<&Bdd>,
    ) -> Result<Bdd, Stop> {
        let diagrams = &model.encoding.diagrams;
        match (self, condition) {
            (Backward::Whole(relation, changed), None) => diagrams.preimage(set, relation, changed),
            (Backward::Whole(relation, changed), Some(condition)) => {
                let relation = diagrams.and(relation, condition)?;
                diagrams.preimage(set, &relation, changed)
            }
            (Backward::Simplified(relation), _) => {
                diagrams.and(&relation.preimage(diagrams, set, condition)?, space)
            }
            (Backward::Local, _) => diagrams.and(&model.preimage_under(set, condition)?, space),
        }
    }
}
