//! Reachable states.

use crate::bdd::{Bdd, Relations};
use crate::limits::Stop;
use crate::relation::Model;

impl Model {
    /// All states that the initial states lead to, in any order of exploration.
    pub fn reachable(&self) -> Result<Bdd, Stop> {
        if self.relations.len() > 1 {
            if let Some(relations) = self.saturation_relations() {
                return self.encoding.diagrams.saturate(&self.initial, &relations);
            }
            self.reachable_by_chaining()
        } else {
            self.reachable_by_layers()
        }
    }

    /// All relations for saturation, if each of them is one cluster.
    fn saturation_relations(&self) -> Option<Relations> {
        let parts: Option<Vec<(Bdd, Bdd)>> = self
            .relations
            .iter()
            .map(|relation| relation.single_cluster())
            .collect();
        self.encoding.diagrams.relations(&parts?)
    }

    /// Breadth first, from the frontier only.
    fn reachable_by_layers(&self) -> Result<Bdd, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut reached = self.initial.clone();
        let mut frontier = self.initial.clone();
        while !diagrams.is_false(&frontier) {
            let image = self.image(&frontier)?;
            frontier = diagrams.minus(&image, &reached)?;
            reached = diagrams.or(&reached, &frontier)?;
        }
        Ok(reached)
    }

    /// Each local relation is applied to what the ones before it have reached: few rounds, and
    /// smaller diagrams in between than breadth first (Ravi, Somenzi: "High-density reachability
    /// analysis", ICCAD 1995, call it chaining).
    fn reachable_by_chaining(&self) -> Result<Bdd, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut reached = self.initial.clone();
        // What each relation was last applied to: nothing new, nothing to do.
        let mut applied: Vec<Option<Bdd>> = vec![None; self.relations.len()];
        loop {
            let before = reached.clone();
            for (relation, applied) in self.relations.iter().zip(&mut applied) {
                if applied.as_ref() == Some(&reached) {
                    continue;
                }
                let image = relation.image(diagrams, &reached)?;
                *applied = Some(reached.clone());
                reached = diagrams.or(&reached, &image)?;
            }
            if reached == before {
                return Ok(reached);
            }
        }
    }

    /// Breadth-first layers from `from` up to and including the first that meets `goal`; if none
    /// does, all states that were reached. Layers are disjoint. This is `InvarCheck`, figure 3 of
    /// Qian and Nymeyer, with the goal also tested in the first layer.
    pub fn layers_to(&self, from: &Bdd, goal: &Bdd) -> Result<Result<Vec<Bdd>, Bdd>, Stop> {
        let diagrams = &self.encoding.diagrams;
        let mut reached = from.clone();
        let mut layers = vec![from.clone()];
        // Any set between the last layer and all states so far has the same new successors; a
        // simple one is taken (Coudert, Berthet, Madre 1989).
        let mut simple = from.clone();
        loop {
            let last = &layers[layers.len() - 1];
            if !diagrams.disjoint(last, goal)? {
                return Ok(Ok(layers));
            }
            let image = self.image(&simple)?;
            let frontier = diagrams.minus(&image, &reached)?;
            if diagrams.is_false(&frontier) {
                return Ok(Err(reached));
            }
            simple = diagrams.simplify(&frontier, &diagrams.not(&reached))?;
            if diagrams.size(&simple) >= diagrams.size(&frontier) {
                simple = frontier.clone();
            }
            reached = diagrams.or(&reached, &frontier)?;
            layers.push(frontier);
            diagrams.report_depth(layers.len() - 1);
        }
    }
}
