//! Values with the places where an expression has them.

use crate::bdd::{Bdd, Diagrams};
use crate::limits::Stop;
use crate::system::Value;
use rustc_hash::FxHashMap;

/// For each value, where an expression has it (or may have it, for sets). Sorted by value.
pub(super) struct Leaves(Vec<(Value, Bdd)>);

impl Leaves {
    pub(super) fn new(mut leaves: Vec<(Value, Bdd)>) -> Leaves {
        leaves.sort_unstable_by_key(|leaf| leaf.0);
        Leaves(leaves)
    }

    pub(super) fn single(value: Value, place: Bdd) -> Leaves {
        Leaves(vec![(value, place)])
    }

    /// Joins the places of equal values and drops values that are nowhere.
    pub(super) fn merge(diagrams: &Diagrams, leaves: Vec<(Value, Bdd)>) -> Result<Leaves, Stop> {
        let mut places: FxHashMap<Value, Vec<Bdd>> = FxHashMap::default();
        for (value, place) in leaves {
            if !diagrams.is_false(&place) {
                places.entry(value).or_default().push(place);
            }
        }
        let mut merged = Vec::with_capacity(places.len());
        for (value, parts) in places {
            merged.push((value, diagrams.or_all(parts)?));
        }
        Ok(Leaves::new(merged))
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, (Value, Bdd)> {
        self.0.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Where the expression has this value, if anywhere.
    pub(super) fn get(&self, value: Value) -> Option<&Bdd> {
        let position = self.0.binary_search_by_key(&value, |leaf| leaf.0).ok()?;
        Some(&self.0[position].1)
    }

    /// Where the expression has a value that passes the test.
    pub(super) fn place_of(
        &self,
        diagrams: &Diagrams,
        test: impl Fn(Value) -> bool,
    ) -> Result<Bdd, Stop> {
        let places = self.0.iter().filter(|leaf| test(leaf.0));
        diagrams.or_all(places.map(|leaf| leaf.1.clone()))
    }
}
