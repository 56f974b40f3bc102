//! A model as pieces of its author's text.

use merkhet_syntax::tree::Point;

/// A whole model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub declarations: String,
    pub templates: Vec<Template>,
    pub system: String,
    pub queries: Vec<Query>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Template {
    pub name: String,
    pub parameters: String,
    pub declarations: String,
    pub locations: Vec<Location>,
    pub branchpoints: Vec<Branchpoint>,
    pub initial: Option<usize>,
    pub edges: Vec<Edge>,
}

/// A label's text with its place in the drawing.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub text: String,
    pub position: Option<Point>,
}

#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub id: String,
    pub name: Option<String>,
    pub invariant: Option<Label>,
    pub rate: Option<Label>,
    pub urgent: bool,
    pub committed: bool,
    pub comment: Option<String>,
    pub position: Option<Point>,
}

#[derive(Clone, Debug)]
pub(crate) struct Branchpoint {
    pub id: String,
    pub position: Option<Point>,
}

/// An end of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Location(usize),
    Branchpoint(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub source: End,
    pub target: End,
    pub select: Option<Label>,
    pub guard: Option<Label>,
    pub synchronisation: Option<Label>,
    pub update: Option<Label>,
    pub probability: Option<Label>,
    pub comment: Option<String>,
    pub nails: Vec<Point>,
    pub controllable: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub formula: String,
    pub comment: String,
}
