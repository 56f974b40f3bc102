//! Images and preimages.

use super::{LocalRelation, Model};
use crate::bdd::{Bdd, Diagrams};
use crate::limits::Stop;

impl LocalRelation {
    /// The states that one step of this relation leads to.
    pub fn image(&self, diagrams: &Diagrams, set: &Bdd) -> Result<Bdd, Stop> {
        if let [relation] = self.parts.as_slice() {
            return diagrams.image(set, relation, &self.cube);
        }
        let mut product = set.clone();
        if !diagrams.is_true(&self.forward.before) {
            product = diagrams.exists(&product, &self.forward.before)?;
        }
        for (cluster, gone) in &self.forward.steps {
            product = diagrams.and_exists(&product, cluster, gone)?;
            if diagrams.is_false(&product) {
                return Ok(product);
            }
        }
        diagrams.rename(&product, &self.to_current)
    }

    /// The states from which one step of this relation can lead into the set.
    ///
    /// `condition` restricts states and inputs at the start of the step.
    pub fn preimage(
        &self,
        diagrams: &Diagrams,
        set: &Bdd,
        condition: Option<&Bdd>,
    ) -> Result<Bdd, Stop> {
        if let ([relation], None) = (self.parts.as_slice(), condition) {
            return diagrams.preimage(set, relation, &self.cube);
        }
        let mut product = diagrams.rename(set, &self.to_next)?;
        if let Some(condition) = condition {
            let condition = diagrams.restrict(condition, &self.choice)?;
            product = diagrams.and(&product, &condition)?;
        }
        if !diagrams.is_true(&self.backward.before) {
            product = diagrams.exists(&product, &self.backward.before)?;
        }
        for (cluster, gone) in &self.backward.steps {
            product = diagrams.and_exists(&product, cluster, gone)?;
            if diagrams.is_false(&product) {
                return Ok(product);
            }
        }
        Ok(product)
    }
}

impl Model {
    /// All states that one step leads to.
    pub fn image(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.image_by(set, |_| true)
    }

    /// All states that one step of the chosen relations (by number) leads to.
    pub fn image_by(&self, set: &Bdd, choose: impl Fn(usize) -> bool) -> Result<Bdd, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut images = Vec::new();
        for (number, relation) in self.relations.iter().enumerate() {
            if choose(number) {
                let image = relation.image(diagrams, set)?;
                if !diagrams.is_false(&image) {
                    images.push(image);
                }
            }
        }
        diagrams.or_all(images)
    }

    /// All states that one step leads to, with the condition (on states and inputs) true at its
    /// start.
    pub fn image_under(&self, set: &Bdd, condition: &Bdd) -> Result<Bdd, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut union = diagrams.constant(false);
        for relation in &self.relations {
            let condition = diagrams.restrict(condition, &relation.choice)?;
            let start = diagrams.and(set, &condition)?;
            union = diagrams.or(&union, &relation.image(diagrams, &start)?)?;
        }
        Ok(union)
    }

    /// All states from which one step can lead into the set.
    pub fn preimage(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.preimage_under(set, None)
    }

    /// All states from which one step, with the condition true at its start (states and inputs),
    /// can lead into the set.
    pub fn preimage_under(&self, set: &Bdd, condition: Option<&Bdd>) -> Result<Bdd, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut union = diagrams.constant(false);
        for relation in &self.relations {
            union = diagrams.or(&union, &relation.preimage(diagrams, set, condition)?)?;
        }
        diagrams.and(&union, &self.invariant)
    }
}
