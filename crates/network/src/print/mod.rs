//! Networks as text: a listing for people, XTA that reads back, Graphviz, and counts.

mod declare;
mod dot;
mod expression;
mod labels;
mod normal;
mod objects;
mod statement;
mod summary;
mod text;
mod xta;

pub use dot::dot;
pub use labels::Labels;
pub use normal::{INLINE, normalised};
pub use summary::{Summary, summary};
pub use text::text;
pub use xta::{Unprintable, xta};

use crate::network::Network;
use objects::Objects;

/// How the names of a network are written, and what the printers share.
pub(crate) struct Writer<'n> {
    pub network: &'n Network,
    pub objects: Objects,
    /// What the printed form cannot say; the first such thing.
    pub problem: std::cell::RefCell<Option<String>>,
    /// How clocks, channels, functions and processes are called.
    pub names: Names,
    /// For each function the local variables of others that it gets by reference, as written by its callers.
    pub references: Vec<Vec<usize>>,
    /// Those of them that are variables of loops: they are passed as constants.
    pub constant_references: std::collections::BTreeSet<usize>,
    /// Names of structure types; without them they are written out.
    pub structures: Vec<(crate::memory::Shape, String)>,
}

/// The names of a network as they are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub variables: Vec<String>,
    pub clocks: Vec<String>,
    pub channels: Vec<String>,
    pub functions: Vec<String>,
    /// First clock, name, and stride and length of each dimension of arrays of clocks that are indexed at run time.
    pub clock_arrays: Vec<ClockArray>,
}

/// Clocks that are written as elements of an array.
#[derive(Clone, Debug)]
pub(crate) struct ClockArray {
    pub first: u32,
    pub count: u32,
    pub name: String,
    /// Outermost first.
    pub dimensions: Vec<(u32, u32)>,
}

impl<'n> Writer<'n> {
    /// Writes names as they are in the network.
    pub fn plain(network: &'n Network) -> Writer<'n> {
        let names = Names {
            variables: network
                .variables
                .iter()
                .map(|variable| variable.name.clone())
                .collect(),
            clocks: network
                .clocks
                .iter()
                .map(|clock| clock.name.clone())
                .collect(),
            channels: network
                .channels
                .iter()
                .map(|channel| channel.name.clone())
                .collect(),
            functions: network
                .functions
                .iter()
                .map(|function| function.name.clone())
                .collect(),
            clock_arrays: Vec::new(),
        };
        Writer {
            network,
            objects: Objects::of(network),
            problem: std::cell::RefCell::new(None),
            names,
            references: vec![Vec::new(); network.functions.len()],
            constant_references: Default::default(),
            structures: Vec::new(),
        }
    }

    /// Remembers that something cannot be said.
    pub fn complain(&self, what: impl FnOnce() -> String) {
        self.problem.borrow_mut().get_or_insert_with(what);
    }
}
