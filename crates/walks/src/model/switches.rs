//! Edges of one location that ask an expression for its value, each for another one: what a channel index or a `select`
//! becomes when it is unrolled. The expression is evaluated once for all of them.

use merkhet_network::{BinaryOp, Edge, Expr};

/// Fewer edges are asked one by one.
const FEWEST: usize = 4;

/// Edges, by their position among those given, with the value that each asks for.
pub(crate) struct Switch<'n> {
    pub expression: &'n Expr,
    pub cases: Vec<(i32, usize)>,
}

/// The switches among edges that leave one location: runs of edges with the same expression.
pub(crate) fn switches<'n>(edges: &[&'n Edge]) -> Vec<Switch<'n>> {
    let mut found: Vec<Switch<'n>> = Vec::new();
    let mut last: Option<Switch<'n>> = None;
    for (position, edge) in edges.iter().enumerate() {
        let Some((expression, value)) = asked(edge) else {
            found.extend(last.take());
            continue;
        };
        match &mut last {
            Some(switch) if switch.expression == expression => {
                switch.cases.push((value, position));
            }
            _ => {
                let cases = vec![(value, position)];
                found.extend(last.replace(Switch { expression, cases }));
            }
        }
    }
    found.extend(last);
    found.retain(|switch| switch.cases.len() >= FEWEST);
    found
        .iter_mut()
        .for_each(|switch| switch.cases.sort_unstable());
    found
}

/// The expression and the value that it must have, where that is all that an edge asks of the data.
fn asked(edge: &Edge) -> Option<(&Expr, i32)> {
    let Some(Expr::Binary(BinaryOp::Equal, left, right, _)) = &edge.guard.data else {
        return None;
    };
    match (&**left, &**right) {
        (Expr::Const(_), Expr::Const(_)) => None,
        (expression, Expr::Const(value)) | (Expr::Const(value), expression) => {
            Some((expression, *value))
        }
        _ => None,
    }
}
