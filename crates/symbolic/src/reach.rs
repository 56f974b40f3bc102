//! Reachable states.

use crate::bdd::{Bdd, Relations};
use crate::limits::Stop;
use crate::relation::Model;

impl Model {
    /// All states that the initial states lead to, in any order of exploration.
    pub fn reachable(&self) -> Result<Bdd, Stop> {
        if self.relations.len() > 1 {
            self.reachable_with(self.saturation_relations().as_ref())
        } else {
            self.reachable_by_layers()
        }
    }

    /// All reachable states by relations for saturation, which may have been stopped before: what was saturated by the same ones is
    /// known, as long as the cache holds it.
    pub(crate) fn reachable_with(&self, relations: Option<&Relations>) -> Result<Bdd, Stop> {
        match relations {
            Some(relations) => self.encoding.diagrams.saturate(&self.initial, relations),
            None => self.reachable_by_chaining(),
        }
    }

    /// All relations for saturation, if each of them is one cluster.
    pub(crate) fn saturation_relations(&self) -> Option<Relations> {
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
        let mut search = BreadthFirst::new(from);
        loop {
            match search.step(self, goal)? {
                Some(true) => return Ok(Ok(search.layers)),
                Some(false) => return Ok(Err(search.reached)),
                None => {}
            }
        }
    }
}

/// A breadth-first search that is advanced layer by layer.
pub(crate) struct BreadthFirst {
    /// The layers so far, disjoint.
    pub(crate) layers: Vec<Bdd>,
    /// All states so far.
    pub(crate) reached: Bdd,
    /// Any set between the last layer and all states so far has the same new successors; a
    /// simple one is taken (Coudert, Berthet, Madre 1989).
    simple: Bdd,
    /// How many layers are known not to meet the goal.
    looked: usize,
}

impl BreadthFirst {
    pub(crate) fn new(from: &Bdd) -> BreadthFirst {
        BreadthFirst {
            layers: vec![from.clone()],
            reached: from.clone(),
            simple: from.clone(),
            looked: 0,
        }
    }

    /// The next layer, unless the last one meets the goal (`true`) or there is none (`false`). A step that is stopped has
    /// changed nothing.
    pub(crate) fn step(&mut self, model: &Model, goal: &Bdd) -> Result<Option<bool>, Stop> {
        let diagrams = &model.encoding.diagrams;
        if self.looked < self.layers.len() {
            if !diagrams.disjoint(&self.layers[self.layers.len() - 1], goal)? {
                return Ok(Some(true));
            }
            self.looked = self.layers.len();
        }
        let image = model.image(&self.simple)?;
        let frontier = diagrams.minus(&image, &self.reached)?;
        if diagrams.is_false(&frontier) {
            return Ok(Some(false));
        }
        let mut simple = diagrams.simplify(&frontier, &diagrams.not(&self.reached))?;
        if diagrams.size(&simple) >= diagrams.size(&frontier) {
            simple = frontier.clone();
        }
        self.reached = diagrams.or(&self.reached, &frontier)?;
        self.simple = simple;
        self.layers.push(frontier);
        diagrams.report_depth(self.layers.len() - 1);
        Ok(None)
    }
}
