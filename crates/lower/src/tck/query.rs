//! Goals of flat models: labels, locations, conditions on variables and clocks.

use super::constraint::Conjuncts;
use super::expression::Translator;
use super::names::Symbol;
use super::{Broken, Lower};
use merkhet_network::{
    ClockId, Expr, Formula, LocationId, Network, ProcessId, Query, QueryKind, Region, Shape, SiteId,
};
use merkhet_syntax::{Diagnostic, FileId, Span, nearest_name};
use merkhet_tck::read_tck_query;
use merkhet_tck::tree::{Expression, ExpressionKind, Goal};
use rustc_hash::FxHashMap;

/// The query of a flat model without a goal: visit everything and count.
pub fn explore_query() -> Query {
    Query {
        text: "explore".into(),
        comment: String::new(),
        kind: QueryKind::Explore,
        site: SiteId::NONE,
    }
}

/// Lowers a goal such as `E<> error`, `E<> cs1,cs2` or `A[] !(cs1 && cs2)`.
///
/// A label holds where some process is at a location with that label; several labels ask for all of them at once, as
/// `tck-reach -l` does. A name that is both a label and a variable means the label where it stands alone.
///
/// Spans get [`FileId::TYPED`].
pub fn lower_label_query(network: &Network, text: &str) -> (Option<Query>, Vec<Diagnostic>) {
    lower_label_query_as(network, FileId::TYPED, text)
}

/// As [`lower_label_query`], with a file id of the caller's choice.
pub fn lower_label_query_as(
    network: &Network,
    file: FileId,
    text: &str,
) -> (Option<Query>, Vec<Diagnostic>) {
    let (goal, mut diagnostics) = read_tck_query(file, text);
    let Some(goal) = goal else {
        return (None, diagnostics);
    };
    let symbols = symbols(network);
    let mut lowering = GoalLowering {
        network,
        translator: Translator::new(network, &symbols, SiteId::NONE),
    };
    let query = lowering.query(&goal);
    diagnostics.append(&mut lowering.translator.diagnostics);
    let good = !diagnostics.iter().any(Diagnostic::is_error);
    (query.ok().filter(|_| good), diagnostics)
}

/// The variables and clocks of a network by name.
fn symbols(network: &Network) -> FxHashMap<String, Symbol> {
    let mut symbols = FxHashMap::default();
    for variable in &network.variables {
        let (length, range) = match &variable.shape {
            Shape::Array { length, element } => (*length, element.range()),
            shape => (1, shape.range()),
        };
        if let Some((low, high)) = range
            && variable.base.region == Region::State
        {
            let base = variable.base;
            let symbol = Symbol::Int {
                base,
                length,
                low,
                high,
            };
            symbols.insert(variable.name.clone(), symbol);
        }
    }
    for (index, clock) in network.clocks.iter().enumerate() {
        let array = clock.name.split_once('[').map(|(name, _)| name);
        let name = array.unwrap_or(&clock.name).to_owned();
        let symbol = symbols.entry(name).or_insert(Symbol::Clock {
            base: ClockId::from(index),
            length: 0,
        });
        if let Symbol::Clock { length, .. } = symbol {
            *length += 1;
        }
    }
    symbols
}

struct GoalLowering<'a> {
    network: &'a Network,
    translator: Translator<'a>,
}

impl GoalLowering<'_> {
    fn query(&mut self, goal: &Goal) -> Lower<Query> {
        let formula = self.formula(&goal.formula)?;
        let kind = match goal.invariant {
            true => QueryKind::Invariantly(formula),
            false => QueryKind::Possibly(formula),
        };
        Ok(Query {
            text: goal.text.clone(),
            comment: String::new(),
            kind,
            site: SiteId::NONE,
        })
    }

    fn formula(&mut self, formula: &Expression) -> Lower<Formula> {
        match &formula.kind {
            ExpressionKind::Conjunction(parts) => self.formulas(parts).map(Formula::And),
            ExpressionKind::Disjunction(parts) => self.formulas(parts).map(Formula::Or),
            ExpressionKind::Not(inner) => Ok(match self.formula(inner)? {
                Formula::Data(expr) => Formula::Data(expr.negated()),
                inner => Formula::Not(Box::new(inner)),
            }),
            ExpressionKind::Name(name) => self.name(name, formula.span),
            _ => self.condition(formula),
        }
    }

    fn formulas(&mut self, parts: &[Expression]) -> Lower<Vec<Formula>> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    /// A condition on variables or clocks.
    fn condition(&mut self, formula: &Expression) -> Lower<Formula> {
        let mut conjuncts = Conjuncts::default();
        self.translator.conjunct(formula, &mut conjuncts)?;
        let mut parts: Vec<Formula> = conjuncts.data.into_iter().map(Formula::Data).collect();
        for mut constraint in conjuncts.clocks {
            // A constraint of a formula has no condition of its own: `condition imply constraint`.
            let condition = constraint.condition.take();
            let clock = Formula::Clock(constraint);
            parts.push(match condition {
                None => clock,
                Some(condition) => Formula::Or(vec![Formula::Data(condition.negated()), clock]),
            });
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Formula::And(parts),
        })
    }

    /// A label, a location, `deadlock` or a variable that must not be 0.
    fn name(&mut self, name: &str, span: Span) -> Lower<Formula> {
        let labelled: Vec<Expr> = locations(self.network)
            .filter(|&(p, l)| {
                let labels = &self.network.location(p, l).labels;
                labels.iter().any(|label| label == name)
            })
            .map(|(p, l)| Expr::At(p, l))
            .collect();
        if !labelled.is_empty() {
            return Ok(Formula::Data(match <[Expr; 1]>::try_from(labelled) {
                Ok([one]) => one,
                Err(several) => Expr::Or(several),
            }));
        }
        let network = self.network;
        let at = locations(network).find(|&(p, l)| {
            let (process, location) = (network.process(p), network.location(p, l));
            let rest = name.strip_prefix(process.name.as_str());
            let own = rest.and_then(|rest| rest.strip_prefix('.'));
            location.named && own == Some(location.name.as_str())
        });
        if let Some((p, l)) = at {
            return Ok(Formula::Data(Expr::At(p, l)));
        }
        if name == "deadlock" {
            return Ok(Formula::Deadlock);
        }
        if self.translator.symbols.contains_key(name) {
            let variable = Expression {
                kind: ExpressionKind::Name(name.to_owned()),
                span,
                height: 1,
            };
            return self.translator.data(&variable).map(Formula::Data);
        }
        self.unknown(name, span)
    }

    fn unknown<T>(&mut self, name: &str, span: Span) -> Lower<T> {
        let all = locations(self.network).map(|(p, l)| self.network.location(p, l));
        let mut labels: Vec<&str> = all
            .flat_map(|location| location.labels.iter().map(String::as_str))
            .collect();
        labels.sort_unstable();
        labels.dedup();
        let places: Vec<String> = locations(self.network)
            .filter(|&(p, l)| self.network.location(p, l).named)
            .map(|(p, l)| {
                let (process, location) = (self.network.process(p), self.network.location(p, l));
                format!("{}.{}", process.name, location.name)
            })
            .collect();
        let known = (labels.iter().copied())
            .chain(places.iter().map(String::as_str))
            .chain(self.translator.symbols.keys().map(String::as_str));
        let suggestion = nearest_name(name, known);
        let message = format!("there is no label, location or variable `{name}`");
        let mut diagnostic = Diagnostic::error("unknown-name", message, span);
        if suggestion.is_none() {
            let places: Vec<&str> = places.iter().map(String::as_str).collect();
            diagnostic = diagnostic.with_hint(match labels.is_empty() {
                true => format!("locations are {}", some(&places)),
                false => format!(
                    "labels are {}; locations are {}",
                    some(&labels),
                    some(&places)
                ),
            });
        }
        self.translator
            .diagnostics
            .push(diagnostic.with_suggestion(suggestion));
        Err(Broken)
    }
}

/// The first few of a list of names.
fn some(names: &[&str]) -> String {
    const FEW: usize = 6;
    let shown: Vec<String> = (names.iter().take(FEW))
        .map(|name| format!("`{name}`"))
        .collect();
    match names.len() > FEW {
        true => format!("{}, …", shown.join(", ")),
        false => shown.join(", "),
    }
}

/// All locations of all processes.
fn locations(network: &Network) -> impl Iterator<Item = (ProcessId, LocationId)> + '_ {
    network.process_ids().flat_map(|process| {
        let count = network.process(process).locations.len();
        (0..count).map(move |location| (process, LocationId::from(location)))
    })
}
