//! The merkhet command.
fn main() {}
