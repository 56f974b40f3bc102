//! Facts of a template that all its instances share.

use super::assigned::assigned_names;
use crate::run::tables::TemplateNames;
use merkhet_network::LocationId;
use merkhet_syntax::tree::{Declaration, Function, Template};
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::sync::Arc;

/// A template, prepared for its instances.
pub struct TemplateFacts<'t> {
    /// As written.
    pub tree: &'t Template,
    /// Its functions, in the order of its declarations.
    pub functions: Vec<Arc<Function>>,
    /// The names of its locations: made up where there are none.
    pub location_names: Vec<String>,
    /// Names that it assigns to.
    pub assigned: HashSet<&'t str>,
}

impl<'t> TemplateFacts<'t> {
    /// Collects the facts.
    pub fn new(tree: &'t Template) -> TemplateFacts<'t> {
        let functions = tree
            .declarations
            .iter()
            .filter_map(|declaration| match declaration {
                Declaration::Function(function) => Some(Arc::new(function.clone())),
                _ => None,
            });
        TemplateFacts {
            tree,
            functions: functions.collect(),
            location_names: location_names(tree),
            assigned: assigned_names(tree),
        }
    }

    /// What queries need to know of it.
    pub fn names(&self) -> TemplateNames {
        let mut locations = FxHashMap::default();
        for (index, name) in self.location_names.iter().enumerate() {
            locations
                .entry(name.clone())
                .or_insert(LocationId::from(index));
        }
        TemplateNames {
            name: self.tree.name.text.clone(),
            locations,
        }
    }
}

/// Locations without a name are called by their id, or else by something that no other one is called by.
fn location_names(tree: &Template) -> Vec<String> {
    let mut taken: HashSet<String> = (tree.locations.iter())
        .filter_map(|location| Some(location.name.as_ref()?.text.clone()))
        .collect();
    let mut names = Vec::with_capacity(tree.locations.len());
    for location in &tree.locations {
        let name = match &location.name {
            Some(name) => name.text.clone(),
            None => {
                let mut name = location.id.clone();
                while name.is_empty() || !taken.insert(name.clone()) {
                    name.push('_');
                }
                name
            }
        };
        names.push(name);
    }
    names
}
