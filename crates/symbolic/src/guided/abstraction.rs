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
    /// The hidden bits, now.
    hidden: Bdd,
    /// Local relations over the kept variables, each with the variables that it changes.
    relations: Vec<(Bdd, Bdd)>,
}

impl AbstractModel {
    /// Hides all variables but the kept ones.
    pub fn new(model: &Model<'_>, kept: &BTreeSet<VariableId>) -> Result<AbstractModel, Stop> {
        let diagrams = &model.encoding.diagrams;
        let (mut hidden, mut hidden_both) = (Vec::new(), Vec::new());
        for id in model.system.variable_ids() {
            let bits = model.encoding.bits_of(id);
            let is_input = model.system.variable(id).role == Role::Input;
            if is_input || !kept.contains(&id) {
                hidden_both.extend(bits.current.iter().chain(&bits.next));
                if !is_input {
                    hidden.extend(&bits.current);
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
            let visible = relation.project(diagrams, &hidden_both)?;
            let cube = diagrams.cube(changed)?;
            // Relations that change the same variables become one.
            match relations.iter_mut().find(|(_, known)| *known == cube) {
                Some((known, _)) => *known = diagrams.or(known, &visible)?,
                None => relations.push((visible, cube)),
            }
        }
        let hidden = diagrams.cube(hidden)?;
        Ok(AbstractModel {
            kept: kept.clone(),
            hidden,
            relations,
        })
    }

    /// The abstract states of some concrete ones.
    pub fn project(&self, model: &Model<'_>, set: &Bdd) -> Result<Bdd, Stop> {
        model.encoding.diagrams.exists(set, &self.hidden)
    }

    /// The abstract states from which a step leads into the set.
    pub fn preimage(&self, model: &Model<'_>, set: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = &model.encoding.diagrams;
        let mut union = diagrams.constant(false);
        for (relation, changed) in &self.relations {
            let before = diagrams.preimage(set, relation, changed)?;
            union = diagrams.or(&union, &before)?;
        }
        Ok(union)
    }
}
