//! The goal as heuristics see it: a disjunction of conjunctions over locations and data.
//!
//! `deadlock` counts as true here, and so do clock constraints unless they are asked for: what an estimate ignores can
//! only lower it.

use merkhet_network::{
    ClockConstraint, Expr, Formula, LocationId, Network, ProcessId, SiteId, UnaryOp, unrolled,
};

/// More disjuncts than this are not told apart: the part of the goal that would need them counts as one condition if it is
/// about data, and as true if not.
const MAX_DISJUNCTS: usize = 256;

/// Quantifiers with more instances count as one condition.
const MOST_INSTANCES: usize = 1024;

/// One way to meet the goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conjunct {
    /// For each process that is constrained: the locations that it may be at, ascending.
    pub locations: Vec<(ProcessId, Vec<LocationId>)>,
    /// Conditions on data (locations may occur inside them, in arithmetic).
    pub data: Vec<Expr>,
    /// Constraints on clocks, if the goal is one with clocks.
    pub clocks: Vec<ClockConstraint>,
}

/// The goal in disjunctive form.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The ways to meet it; none if it is plainly false.
    pub disjuncts: Vec<Conjunct>,
}

impl Goal {
    /// The goal of reaching a state that satisfies `formula`, whatever the clocks are.
    pub fn of(network: &Network, formula: &Formula) -> Goal {
        Goal::expanded(network, formula, false)
    }

    /// The goal with what is asked of the clocks.
    pub fn with_clocks(network: &Network, formula: &Formula) -> Goal {
        Goal::expanded(network, formula, true)
    }

    fn expanded(network: &Network, formula: &Formula, clocks: bool) -> Goal {
        let mut disjuncts = expand_formula(network, formula, true, clocks);
        disjuncts.retain(|conjunct| conjunct.locations.iter().all(|(_, set)| !set.is_empty()));
        Goal { disjuncts }
    }
}

fn truth() -> Vec<Conjunct> {
    vec![Conjunct::default()]
}

fn expand_formula(
    network: &Network,
    formula: &Formula,
    positive: bool,
    clocks: bool,
) -> Vec<Conjunct> {
    match formula {
        Formula::Data(expr) => expand_expr(network, expr, positive),
        Formula::Clock(constraint) if clocks => vec![Conjunct {
            clocks: vec![match positive {
                true => constraint.clone(),
                false => negated(constraint),
            }],
            ..Conjunct::default()
        }],
        Formula::Clock(_) | Formula::Deadlock => truth(),
        Formula::Not(inner) => expand_formula(network, inner, !positive, clocks),
        Formula::And(parts) | Formula::Or(parts) => {
            let parts = parts.iter().map(|part| Part {
                ways: expand_formula(network, part, positive, clocks),
                whole: None,
            });
            let conjunction = matches!(formula, Formula::And(_)) == positive;
            combine(network, conjunction, parts).unwrap_or_else(truth)
        }
    }
}

fn expand_expr(network: &Network, expr: &Expr, positive: bool) -> Vec<Conjunct> {
    match expr {
        Expr::Const(value) if (*value != 0) == positive => truth(),
        Expr::Const(_) => Vec::new(),
        Expr::Unary(UnaryOp::Not, inner, _) => expand_expr(network, inner, !positive),
        Expr::And(parts) | Expr::Or(parts) => {
            let parts = parts.iter().map(|part| Part {
                ways: expand_expr(network, part, positive),
                whole: Some((part, positive)),
            });
            let conjunction = matches!(expr, Expr::And(_)) == positive;
            combine(network, conjunction, parts).unwrap_or_else(|| condition(expr, positive))
        }
        Expr::Quantified { .. } => match unrolled(network, expr, MOST_INSTANCES) {
            Some(parts) => expand_expr(network, &parts, positive),
            None => condition(expr, positive),
        },
        Expr::At(process, location) => {
            let all = 0..network.process(*process).locations.len();
            let set = all
                .map(LocationId::from)
                .filter(|at| (at == location) == positive)
                .collect();
            vec![Conjunct {
                locations: vec![(*process, set)],
                ..Conjunct::default()
            }]
        }
        other => condition(other, positive),
    }
}

/// An expression, or its negation, as one condition.
fn condition(expr: &Expr, positive: bool) -> Vec<Conjunct> {
    let condition = match positive {
        true => expr.clone(),
        false => expr.clone().negated(),
    };
    vec![Conjunct {
        data: vec![condition],
        ..Conjunct::default()
    }]
}

/// A part of a conjunction or disjunction.
struct Part<'e> {
    /// The ways to meet it.
    ways: Vec<Conjunct>,
    /// What it is as a whole, and whether that is wanted, if it is about data.
    whole: Option<(&'e Expr, bool)>,
}

/// The ways to meet all parts or one of them; `None` if a disjunction has too many.
fn combine<'e>(
    network: &Network,
    conjunction: bool,
    parts: impl Iterator<Item = Part<'e>>,
) -> Option<Vec<Conjunct>> {
    if !conjunction {
        let all = parts.flat_map(|part| part.ways).collect();
        let all: Vec<Conjunct> = merge_single_process(network, all);
        if all.contains(&Conjunct::default()) {
            return Some(truth());
        }
        return (all.len() <= MAX_DISJUNCTS).then_some(all);
    }
    let mut product = truth();
    for Part { mut ways, whole } in parts {
        if product.len() * ways.len() > MAX_DISJUNCTS {
            let Some((expr, positive)) = whole else {
                continue; // that part counts as true
            };
            ways = condition(expr, positive);
        }
        product = product
            .iter()
            .flat_map(|left| ways.iter().map(|right| conjoin(left, right)))
            .filter(|conjunct| conjunct.locations.iter().all(|(_, set)| !set.is_empty()))
            .collect();
    }
    Some(product)
}

/// `P.a or P.b` is one set of locations, not two disjuncts.
fn merge_single_process(_network: &Network, disjuncts: Vec<Conjunct>) -> Vec<Conjunct> {
    let mut merged: Vec<Conjunct> = Vec::new();
    for conjunct in disjuncts {
        let twin = merged.iter_mut().find(|other| {
            conjunct.data.is_empty()
                && other.data.is_empty()
                && conjunct.clocks.is_empty()
                && other.clocks.is_empty()
                && conjunct.locations.len() == 1
                && other.locations.len() == 1
                && conjunct.locations[0].0 == other.locations[0].0
        });
        match twin {
            Some(other) => {
                let set = &mut other.locations[0].1;
                set.extend(&conjunct.locations[0].1);
                set.sort_unstable();
                set.dedup();
            }
            None => merged.push(conjunct),
        }
    }
    merged
}

fn conjoin(left: &Conjunct, right: &Conjunct) -> Conjunct {
    let mut result = left.clone();
    for (process, set) in &right.locations {
        match result
            .locations
            .iter_mut()
            .find(|(other, _)| other == process)
        {
            Some((_, known)) => known.retain(|location| set.contains(location)),
            None => result.locations.push((*process, set.clone())),
        }
    }
    result.data.extend(right.data.iter().cloned());
    result.clocks.extend(right.clocks.iter().cloned());
    result
}

/// What holds where the constraint, which has no condition of its own here, does not.
fn negated(constraint: &ClockConstraint) -> ClockConstraint {
    let bound = Box::new(constraint.bound.clone());
    ClockConstraint {
        condition: None,
        left: constraint.right,
        right: constraint.left,
        strict: !constraint.strict,
        bound: Expr::Unary(UnaryOp::Negate, bound, SiteId::NONE),
        site: constraint.site,
    }
}
