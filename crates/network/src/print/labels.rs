//! Single labels of an instantiated network as text.

use super::Writer;
use crate::expression::Expr;
use crate::network::{Edge, Location, Network};

/// Writes labels of a network's edges and locations in UPPAAL's syntax, with instantiated names.
pub struct Labels<'n> {
    writer: Writer<'n>,
}

impl<'n> Labels<'n> {
    /// A writer for this network.
    pub fn new(network: &'n Network) -> Labels<'n> {
        Labels {
            writer: Writer::plain(network),
        }
    }

    /// An expression.
    pub fn expr(&self, expr: &Expr) -> String {
        self.writer.expr(expr, 0)
    }

    /// The guard; empty if nothing is asked for.
    pub fn guard(&self, edge: &Edge) -> String {
        self.writer.guard(&edge.guard)
    }

    /// The synchronisation; empty if there is none.
    pub fn sync(&self, edge: &Edge) -> String {
        self.writer.sync(edge.sync)
    }

    /// The update; empty if nothing is done.
    pub fn update(&self, edge: &Edge) -> String {
        self.writer.update(&edge.update)
    }

    /// The invariant; empty if nothing is asked for.
    pub fn invariant(&self, location: &Location) -> String {
        self.writer.invariant(&location.invariant)
    }
}
