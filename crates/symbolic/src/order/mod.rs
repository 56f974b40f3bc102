//! Static orders of variables: from the model's structure, or from a file.

mod file;
mod force;

pub use file::{order_from_file, unknown_names};

use crate::system::{System, VariableId};

/// Where the order of variables comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From the model's structure: variables that constrain each other stand near each other.
    #[default]
    Structure,
    /// The order of the declarations.
    Declared,
    /// The text of an order file: one variable a line.
    File(String),
}

/// The variables in the chosen order.
pub fn variable_order(system: &System, order: &Order) -> Vec<VariableId> {
    match order {
        Order::Declared => system.variable_ids().collect(),
        Order::Structure => force::structural_order(system),
        Order::File(text) => order_from_file(system, text),
    }
}
