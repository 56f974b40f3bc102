//! Templates: locations, branch points and edges.

use super::{Declaration, Expr, Name, Parameter, TypeSpec};
use crate::Span;

/// A template or XTA process.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// Its name.
    pub name: Name,
    /// Automaton, or something that is not read further.
    pub kind: TemplateKind,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its own declarations.
    pub declarations: Vec<Declaration>,
    /// Its locations, in the order of the file.
    pub locations: Vec<Location>,
    /// Its branch points, in the order of the file.
    pub branchpoints: Vec<Branchpoint>,
    /// The initial location, as an index into `locations`, and where it is named.
    pub initial: Option<(usize, Span)>,
    /// Where XTA's `commit` and `urgent` name its locations.
    pub flagged: Vec<Name>,
    /// Its edges, in the order of the file.
    pub edges: Vec<Edge>,
    /// Whether its name, parameters, declarations, initial location or an edge's end could not be read (labels are
    /// marked themselves).
    pub broken: bool,
    /// The whole template.
    pub span: Span,
}

/// The sort of a template.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TemplateKind {
    /// An automaton.
    Automaton,
    /// An automaton that is only spawned at run time (`dynamic`).
    Dynamic,
    /// A live sequence chart; only its name is read.
    SequenceChart,
}

/// A point of the drawing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

/// The content of a label or clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Label<T> {
    /// What it says; where `broken`, what could be understood of it.
    pub value: T,
    /// Whether it could not be read: there is a diagnostic for it, and the value must not be relied on.
    pub broken: bool,
    /// The text of the label.
    pub span: Span,
    /// Where it is drawn.
    pub position: Option<Point>,
}

/// A location.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// Its id in XML; in XTA its name.
    pub id: String,
    /// Its name; anonymous locations are normal in XML.
    pub name: Option<Name>,
    /// Its invariant.
    pub invariant: Option<Label<Expr>>,
    /// Its rate of exponential delay (statistical model checking).
    pub exponential_rate: Option<Label<Vec<Expr>>>,
    /// Whether time stops in it.
    pub urgent: bool,
    /// Whether it is committed.
    pub committed: bool,
    /// The author's comment.
    pub comment: Option<String>,
    /// Where it is drawn.
    pub position: Option<Point>,
    /// The whole element, or the name in XTA.
    pub span: Span,
}

impl Location {
    /// The name, or else the id.
    pub fn display_name(&self) -> &str {
        self.name.as_ref().map_or(&self.id, |name| &name.text)
    }
}

/// A branch point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branchpoint {
    /// Its id in XML; in XTA its name.
    pub id: String,
    /// Where it is drawn.
    pub position: Option<Point>,
    /// The whole element, or the name in XTA.
    pub span: Span,
}

/// An end of an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// What it names.
    pub target: EndpointTarget,
    /// Where it is named.
    pub span: Span,
}

/// What an end of an edge names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndpointTarget {
    /// The location with this index in [`Template::locations`].
    Location(usize),
    /// The branch point with this index in [`Template::branchpoints`].
    Branchpoint(usize),
    /// Nothing in the template has this id or name (there is a diagnostic for it).
    Unknown(String),
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: Endpoint,
    /// Where it leads.
    pub target: Endpoint,
    /// The select bindings.
    pub select: Option<Label<Vec<SelectBinding>>>,
    /// The guard; comma lists are read as conjunctions.
    pub guard: Option<Label<Expr>>,
    /// The synchronisation.
    pub synchronisation: Option<Label<Synchronisation>>,
    /// The update: expressions in order.
    pub update: Option<Label<Vec<Expr>>>,
    /// The probability weight, on edges from branch points.
    pub probability: Option<Label<Expr>>,
    /// The author's comment.
    pub comment: Option<String>,
    /// `false` for the environment's edges of timed games.
    pub controllable: bool,
    /// The bends of its drawing.
    pub nails: Vec<Point>,
    /// The whole element or clause.
    pub span: Span,
}

impl Edge {
    /// Whether one of its labels that matter to its behaviour could not be read.
    pub fn broken(&self) -> bool {
        self.select.as_ref().is_some_and(|label| label.broken)
            || self.guard.as_ref().is_some_and(|label| label.broken)
            || self
                .synchronisation
                .as_ref()
                .is_some_and(|label| label.broken)
            || self.update.as_ref().is_some_and(|label| label.broken)
    }
}

/// `name : type` in a select label.
#[derive(Clone, PartialEq, Debug)]
pub struct SelectBinding {
    /// The variable.
    pub name: Name,
    /// What it ranges over.
    pub range: TypeSpec,
}

/// `channel!` or `channel?`.
#[derive(Clone, PartialEq, Debug)]
pub struct Synchronisation {
    /// The channel.
    pub channel: Expr,
    /// Which end.
    pub direction: Direction,
}

/// The ends of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// `!`
    Send,
    /// `?`
    Receive,
    /// Neither: the symmetric synchronisation of a few experimental models.
    Both,
}
