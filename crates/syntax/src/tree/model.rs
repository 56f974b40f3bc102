//! A whole model file.

use super::{Declaration, Expr, Name, Parameter, Query, Template};
use crate::{Sections, Span};

/// The language a model was written in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// UPPAAL's XML.
    Xml,
    /// UPPAAL's textual language since 4.0.
    Xta,
    /// The textual language of UPPAAL 3.4 and before.
    Ta,
}

/// A network of automata as written, with the queries embedded in its file.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The language it was written in.
    pub format: Format,
    /// The global declarations.
    pub declarations: Vec<Declaration>,
    /// The templates, in the order of the file.
    pub templates: Vec<Template>,
    /// What stands after the templates.
    pub system: System,
    /// The embedded queries, in the order of the file, also those that are empty or cannot be read.
    pub queries: Vec<Query>,
    /// The extents of XTA's `query { … }`, also of those that hold no query.
    pub query_blocks: Vec<Span>,
    /// The parts of the file: finds the template, edge and label around a span.
    pub sections: Sections,
}

/// The system declarations: what stands after the templates.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct System {
    /// Instantiations, channel priorities, progress measures and, in XML, variables that the templates do not see,
    /// in the order of the file. (In XTA all variables, types and functions are global.)
    pub declarations: Vec<Declaration>,
    /// The processes of the `system` line, in its order.
    pub processes: Vec<ProcessReference>,
    /// The `system` line, if there is one.
    pub span: Option<Span>,
    /// Whether the `system` line could not be read entirely.
    pub broken: bool,
}

/// A name on the `system` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessReference {
    /// The template or instance.
    pub name: Name,
    /// Its group among those that `<` separates, counted from 0, the lowest priority.
    pub priority: u32,
}

/// `Name(parameters) = Template(arguments);`
#[derive(Clone, PartialEq, Debug)]
pub struct Instantiation {
    /// The new name.
    pub name: Name,
    /// The parameters that it leaves open.
    pub parameters: Vec<Parameter>,
    /// The template (or instance) that it is made of.
    pub template: Name,
    /// The arguments.
    pub arguments: Vec<Expr>,
    /// The whole declaration.
    pub span: Span,
}
