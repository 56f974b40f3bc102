//! Homomorphic abstraction by hiding variables (definition 2): an abstract step exists where some
//! values of the hidden variables allow a step.

use crate::bdd::Bdd;
use crate::limits::Stop;
use crate::relation::Model;
use crate::system::{Role, VariableId};
use std::collections::BTreeSet;

/// An abstraction of a model: some variables are hidden.
pub struct AbstractModel {
    /// The variables that are kept.
    pub kept: BTreeSet<VariableId>,
    /// Which bits are hidden.
    hidden: Vec<bool>,
    /// Local relations over the kept variables, each with the variables that it changes.
    relations: Vec<(Bdd, Bdd)>,
}

impl AbstractModel {
    /// Hides all variables but the kept ones.
    pub fn new(model: &Model, kept: &BTreeSet<VariableId>) -> Result<AbstractModel, Stop> {
        let diagrams = &model.encoding.diagrams;
        let mut hidden = vec![false; diagrams.bits() as usize];
        for id in model.system.variable_ids() {
            if model.system.variable(id).role == Role::Input || !kept.contains(&id) {
                let bits = model.encoding.bits_of(id);
                for &bit in bits.current.iter().chain(&bits.next) {
                    hidden[bit as usize] = true;
                }
            }
        }
        let mut relations: Vec<(Bdd, Bdd)> = Vec::new();
        for relation in &model.relations {
            let changed: Vec<u32> = relation
                .changed
                .iter()
                .filter(|id| kept.contains(id))
                .flat_map(|&id| model.encoding.bits_of(id).current.iter().copied())
                .collect();
            if changed.is_empty() {
                continue; // nothing visible happens
            }
            let visible = relation.project(diagrams, &hidden)?;
            let cube = diagrams.cube(changed)?;
            // Relations that change the same variables become one.
            match relations.iter_mut().find(|(_, known)| *known == cube) {
                Some((known, _)) => *known = diagrams.or(known, &visible)?,
                None => relations.push((visible, cube)),
            }
        }
        Ok(AbstractModel {
            kept: kept.clone(),
            hidden,
            relations,
        })
    }

    /// The abstract states of some concrete ones.
    pub fn project(&self, model: &Model, set: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = &model.encoding.diagrams;
        let gone = diagrams
            .support(set)
            .into_iter()
            .filter(|&bit| self.hidden[bit as usize]);
        diagrams.exists(set, &diagrams.cube(gone)?)
    }

    /// The abstract states from which a step leads into the set.
    pub fn preimage(&self, model: &Model, set: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = &model.encoding.diagrams;
        let mut union = diagrams.constant(false);
        for (relation, changed) in &self.relations {
            let before = diagrams.preimage(set, relation, changed)?;
            union = diagrams.or(&union, &before)?;
        }
        Ok(union)
    }
}
