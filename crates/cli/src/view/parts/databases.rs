//! The pattern databases that guided a search.

use merkhet::{Databases, Summary};
use serde::{Deserialize, Serialize};

/// The pattern databases of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DatabasesView {
    /// The processor time that making them took, in seconds.
    pub preparation_s: f64,
    /// The memory that they take.
    pub memory_bytes: u64,
    /// Each of them.
    pub list: Vec<DatabaseView>,
}

/// A pattern database.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DatabaseView {
    /// Its predicates.
    pub predicates: Vec<PredicateView>,
    /// The number of its abstract states.
    pub states: usize,
    /// The number of abstract states at each distance, from 0 on.
    pub layers: Vec<usize>,
    /// Whether it holds all abstract states.
    pub complete: bool,
    /// The memory that it takes.
    pub memory_bytes: usize,
}

/// A predicate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PredicateView {
    /// Its text.
    pub text: String,
    /// Whether it stands in the text of the system, as a guard, invariant, location or condition of the goal.
    pub in_text: bool,
}

impl DatabasesView {
    /// The view of what the library reports.
    pub fn of(databases: &Databases) -> DatabasesView {
        DatabasesView {
            preparation_s: databases.time.as_secs_f64(),
            memory_bytes: databases.bytes,
            list: databases.list.iter().map(one).collect(),
        }
    }

    /// How many, how large and how far they see.
    pub fn line(&self) -> String {
        let layers = self.list.iter().map(|database| database.layers.len());
        let states: usize = self.list.iter().map(|database| database.states).sum();
        format!(
            "{} with {states} abstract states in up to {} layers, {}, made in {:.2} s",
            match self.list.len() {
                1 => "1 database".to_owned(),
                count => format!("{count} databases"),
            },
            layers.max().unwrap_or(0),
            crate::view::quantity::bytes(self.memory_bytes),
            self.preparation_s
        )
    }
}

impl DatabaseView {
    /// Its size, its layers and its predicates, line by line; a star marks those that the model's text does not contain.
    pub fn lines(&self) -> String {
        let sizes: Vec<String> = self.layers.iter().map(usize::to_string).collect();
        let rest = if self.complete { "" } else { ", cut off there" };
        let mut text = format!(
            "{} predicates, {} abstract states in {} layers{rest}, {}\n  layers: {}\n",
            self.predicates.len(),
            self.states,
            self.layers.len(),
            crate::view::quantity::bytes(self.memory_bytes as u64),
            sizes.join(" ")
        );
        for predicate in &self.predicates {
            let mark = if predicate.in_text { ' ' } else { '*' };
            text += &format!("  {mark} {}\n", predicate.text);
        }
        text
    }
}

/// The view of a database.
pub fn one(summary: &Summary) -> DatabaseView {
    let predicates = summary.predicates.iter();
    DatabaseView {
        predicates: predicates
            .map(|(text, in_text)| PredicateView {
                text: text.clone(),
                in_text: *in_text,
            })
            .collect(),
        states: summary.layers.iter().sum(),
        layers: summary.layers.clone(),
        complete: summary.complete,
        memory_bytes: summary.bytes,
    }
}
