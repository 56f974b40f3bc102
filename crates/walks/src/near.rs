//! How far a discrete state is from the goal, counted over its parts: what is not yet as it must be, and how far processes
//! are from their places in their own graphs. Cheap, and blind to everything that links the parts.

use std::collections::VecDeque;

use merkhet_network::code::{CodeId, Fault};
use merkhet_network::{BinaryOp, Expr, Formula, LocationId, Network, Process, ProcessId, unrolled};

use crate::model::Compiler;
use crate::state::State;

/// The distance of a process from a place that it cannot reach, and the most that a comparison counts.
const FAR: u64 = 1 << 20;

/// Quantifiers with more instances count as one part.
const MOST_INSTANCES: usize = 1024;

/// A measure of the distance to a goal; 0 where the goal may hold.
#[derive(Clone, Debug)]
pub(crate) enum Near {
    /// Says nothing.
    Free,
    /// By location, the number of edges from there.
    Place { process: u32, distances: Box<[u64]> },
    /// The cell is to compare so with the number.
    Compare { slot: u32, op: BinaryOp, value: i32 },
    /// 0 if it holds, else 1.
    Test(CodeId),
    /// All parts are wanted.
    Sum(Vec<Near>),
    /// One of the parts is wanted.
    Least(Vec<Near>),
}

/// The measure of a formula.
pub(crate) fn compile(compiler: &mut Compiler<'_>, formula: &Formula, positive: bool) -> Near {
    match formula {
        Formula::Data(expr) => data(compiler, expr, positive),
        Formula::Clock(_) | Formula::Deadlock => Near::Free,
        Formula::Not(inner) => compile(compiler, inner, !positive),
        Formula::And(parts) | Formula::Or(parts) => {
            let conjunction = matches!(formula, Formula::And(_)) == positive;
            let parts = parts.iter().map(|part| compile(compiler, part, positive));
            joined(parts.collect(), conjunction)
        }
    }
}

fn data(compiler: &mut Compiler<'_>, expr: &Expr, positive: bool) -> Near {
    use merkhet_network::UnaryOp;
    match expr {
        Expr::And(parts) | Expr::Or(parts) => {
            let conjunction = matches!(expr, Expr::And(_)) == positive;
            let parts = parts.iter().map(|part| data(compiler, part, positive));
            joined(parts.collect(), conjunction)
        }
        Expr::Unary(UnaryOp::Not, inner, _) => data(compiler, inner, !positive),
        Expr::Quantified { .. } => match unrolled(compiler.network(), expr, MOST_INSTANCES) {
            Some(parts) => data(compiler, &parts, positive),
            None if positive => Near::Test(compiler.data(expr)),
            None => Near::Test(compiler.data(&expr.clone().negated())),
        },
        Expr::At(process, location) if positive => place(compiler.network(), *process, *location),
        Expr::Binary(op, left, right, _) if positive => match (&**left, &**right) {
            (Expr::Load(place), Expr::Const(value)) => match compiler.slot(place) {
                Some(slot) if is_comparison(*op) => Near::Compare {
                    slot,
                    op: *op,
                    value: *value,
                },
                _ => Near::Test(compiler.data(expr)),
            },
            _ => Near::Test(compiler.data(expr)),
        },
        expr if positive => Near::Test(compiler.data(expr)),
        expr => Near::Test(compiler.data(&expr.clone().negated())),
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | Less | LessEqual | Greater | GreaterEqual)
}

fn joined(parts: Vec<Near>, conjunction: bool) -> Near {
    match conjunction {
        true => Near::Sum(parts),
        false => Near::Least(parts),
    }
}

/// Distances in the graph of a process, whatever its edges ask for.
fn place(network: &Network, process: ProcessId, goal: LocationId) -> Near {
    let code = network.process(process);
    Near::Place {
        process: process.0,
        distances: distances(code, goal),
    }
}

fn distances(process: &Process, goal: LocationId) -> Box<[u64]> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); process.locations.len()];
    for edge in &process.edges {
        if edge.guard.data.as_ref().and_then(Expr::as_const) != Some(0) {
            into[edge.target.index()].push(edge.source.index());
        }
    }
    let mut distances = vec![FAR; process.locations.len()];
    let mut waiting = VecDeque::from([goal.index()]);
    distances[goal.index()] = 0;
    while let Some(at) = waiting.pop_front() {
        for source in &into[at] {
            if distances[*source] == FAR {
                distances[*source] = distances[at] + 1;
                waiting.push_back(*source);
            }
        }
    }
    distances.into()
}

impl State<'_> {
    /// The distance to the goal.
    pub fn nearness(&mut self, near: &Near) -> Result<u64, Fault> {
        Ok(match near {
            Near::Free => 0,
            Near::Place { process, distances } => {
                distances[self.machine.memory[*process as usize] as usize]
            }
            Near::Compare { slot, op, value } => {
                let (cell, value) = (
                    i64::from(self.machine.memory[*slot as usize]),
                    i64::from(*value),
                );
                let missing = match op {
                    BinaryOp::Less => cell - value + 1,
                    BinaryOp::LessEqual => cell - value,
                    BinaryOp::Greater => value - cell + 1,
                    BinaryOp::GreaterEqual => value - cell,
                    _ => (cell - value).abs(),
                };
                (missing.max(0) as u64).min(FAR)
            }
            // What cannot be evaluated here was guarded by what stands before it.
            Near::Test(code) => u64::from(!self.holds(*code).unwrap_or(false)),
            Near::Sum(parts) => {
                let mut sum = 0;
                for part in parts {
                    sum += self.nearness(part)?;
                }
                sum
            }
            Near::Least(parts) => {
                let mut least = FAR;
                for part in parts {
                    least = least.min(self.nearness(part)?);
                }
                least
            }
        })
    }
}
