//! An instantiated network as XTA, also one of the flat language.
//!
//! There an assignment that leaves its range disables the transition, where in UPPAAL it ends the verification. Such
//! transitions are disabled by a guard instead, wherever the value is already known before the transition.

use merkhet_network::{BinaryOp, Expr, Network, OutOfRange, SiteId, Stmt, Sync, print};

use super::NotConvertible;

/// The text; `flat` tells that the network comes from the flat language.
pub(super) fn render(network: &Network, flat: bool) -> Result<String, NotConvertible> {
    let mut network = network.clone();
    if flat {
        disable(&mut network)?;
        if network.vectors.is_empty() {
            network.events.clear();
        }
    }
    print::xta(&network).map_err(|problem| NotConvertible(problem.to_string()))
}

fn disable(network: &mut Network) -> Result<(), NotConvertible> {
    if network.out_of_range != OutOfRange::Disable {
        return Ok(());
    }
    for process in &mut network.processes {
        for edge in &mut process.edges {
            // A receiver's values depend on what the sender assigns.
            let first = !matches!(edge.sync, Sync::Receive(_) | Sync::Event(_));
            let conditions = conditions(&edge.update, first).map_err(|what| {
                NotConvertible(format!(
                    "an edge of process {} {what}: UPPAAL's languages cannot disable a transition by its update",
                    process.name
                ))
            })?;
            if !conditions.is_empty() {
                let mut all: Vec<Expr> = edge.guard.data.take().into_iter().collect();
                all.extend(conditions);
                edge.guard.data = Some(Expr::And(all));
            }
        }
    }
    network.out_of_range = OutOfRange::Fault;
    Ok(())
}

/// What must hold before an update so that it stays within its ranges.
fn conditions(update: &[Stmt], first: bool) -> Result<Vec<Expr>, &'static str> {
    let mut conditions = Vec::new();
    let mut assigned = !first;
    for statement in update {
        match statement {
            Stmt::Reset { .. } | Stmt::CopyClock { .. } => {}
            Stmt::Assign {
                value, low, high, ..
            } => {
                match value {
                    Expr::Const(value) if (low..=high).contains(&value) => {}
                    _ if assigned => {
                        return Err("assigns a value that depends on another assignment");
                    }
                    _ => {
                        let bound = |op, limit: i32| {
                            let limit = Box::new(Expr::Const(limit));
                            Expr::Binary(op, Box::new(value.clone()), limit, SiteId::NONE)
                        };
                        conditions.push(bound(BinaryOp::GreaterEqual, *low));
                        conditions.push(bound(BinaryOp::LessEqual, *high));
                    }
                }
                assigned = true;
            }
            _ => return Err("has a conditional update"),
        }
    }
    Ok(conditions)
}
