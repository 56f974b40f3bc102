//! Evaluating single expressions while a network is still being built.

use crate::code::compile::builder::ProgramBuilder;
use crate::code::machine::Machine;
use crate::code::machine::fault::Fault;
use crate::expression::Expr;
use crate::network::Network;

/// The value of an expression over constants (and initial values), calling functions where it must; `fuel` bounds the
/// number of steps.
///
/// A mere number costs nothing; anything else costs time and memory in proportion to the network's cells.
pub fn evaluate_constant(network: &Network, expr: &Expr, fuel: u64) -> Result<i32, Fault> {
    if let Expr::Const(value) = expr {
        return Ok(*value);
    }
    let mut builder = ProgramBuilder::new(network);
    let code = builder.expression(expr);
    let program = builder.finish();
    let mut machine = Machine::new(&program);
    machine.fuel = fuel;
    machine.evaluate(&program, code)
}
