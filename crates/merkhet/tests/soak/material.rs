//! What a row of the soak looks at: a network with queries, or the text of a model; and its making smaller.

use std::time::{Duration, Instant};

use merkhet::Model;
use merkhet::network::{ClockConstraint, Formula, Network, Query, QueryKind, print};
use merkhet_testing::minimise;

/// A model with what is asked of it.
#[derive(Clone, Debug)]
pub enum Material {
    /// An instantiated network.
    Network(Box<Network>, Vec<Query>),
    /// A text in the row's language, and a query if it has none in itself.
    Text(String, String),
}

impl Material {
    /// A text with queries, one a line, as a network.
    pub fn read_network(text: &str, queries: &str) -> Result<Material, String> {
        let mut model = Model::read("found.xta", text.as_bytes());
        if model.has_errors() {
            return Err(format!("{:?}\n{text}", model.diagnostics));
        }
        let mut read = Vec::new();
        for query in queries.lines().filter(|line| !line.trim().is_empty()) {
            let asked = model.query(query);
            read.push(asked.query.ok_or(format!("{:?}", asked.diagnostics))?);
        }
        let network = model.network().ok_or("no network")?;
        Ok(Material::Network(Box::new(network.clone()), read))
    }

    /// The model and its queries as text, where that can be said in XTA.
    pub fn text(&self) -> Result<(String, String), String> {
        match self {
            Material::Text(text, query) => Ok((text.clone(), query.clone())),
            Material::Network(network, queries) => {
                let text = print::xta(network).map_err(|problem| problem.to_string())?;
                let queries: Option<Vec<String>> = (queries.iter())
                    .map(|query| query_text(network, query))
                    .collect();
                let queries = queries.ok_or("a query that has no text")?;
                Ok((text, queries.join("\n")))
            }
        }
    }

    /// A smaller one for which `fails` still holds; what is found when the time is over.
    pub fn smaller(&self, time: Duration, fails: &dyn Fn(&Material) -> bool) -> Material {
        let start = Instant::now();
        let fails = |candidate: &Material| start.elapsed() < time && fails(candidate);
        match self {
            Material::Network(network, queries) => {
                let with = |network: &Network, queries: &[Query]| {
                    Material::Network(Box::new(network.clone()), queries.to_vec())
                };
                // Of the queries none may be needed, or one is enough.
                let single = std::iter::once(&[][..])
                    .chain(queries.iter().map(std::slice::from_ref))
                    .find(|few| fails(&with(network, few)));
                let queries = single.unwrap_or(queries);
                let least = minimise(network, |candidate| fails(&with(candidate, queries)));
                with(&least, queries)
            }
            Material::Text(text, query) => {
                let lines: Vec<&str> = text.lines().collect();
                let joined = |lines: &[&str]| Material::Text(lines.join("\n"), query.clone());
                joined(&fewer(lines, &|lines| fails(&joined(lines))))
            }
        }
    }
}

/// Lines are left out, by halves and ever smaller parts, as long as the rest fails.
fn fewer<'t>(mut lines: Vec<&'t str>, fails: &dyn Fn(&[&'t str]) -> bool) -> Vec<&'t str> {
    let mut part = lines.len() / 2;
    while part > 0 {
        let mut start = 0;
        while start < lines.len() {
            let end = (start + part).min(lines.len());
            let rest = [&lines[..start], &lines[end..]].concat();
            match fails(&rest) {
                true => lines = rest,
                false => start = end,
            }
        }
        part /= 2;
    }
    lines
}

/// A query in UPPAAL's language; random ones have no text of their own.
fn query_text(network: &Network, query: &Query) -> Option<String> {
    let of = |formula: &Formula| formula_text(network, formula);
    Some(match &query.kind {
        QueryKind::Possibly(p) => format!("E<> {}", of(p)),
        QueryKind::Invariantly(p) => format!("A[] {}", of(p)),
        QueryKind::PotentiallyAlways(p) => format!("E[] {}", of(p)),
        QueryKind::Eventually(p) => format!("A<> {}", of(p)),
        QueryKind::LeadsTo(p, q) => format!("{} --> {}", of(p), of(q)),
        QueryKind::Bounds { .. } | QueryKind::Explore => return None,
    })
}

fn formula_text(network: &Network, formula: &Formula) -> String {
    let labels = print::Labels::new(network);
    let all = |parts: &[Formula], sign: &str, none: &str| match parts {
        [] => none.to_string(),
        _ => {
            let parts = parts.iter().map(|part| formula_text(network, part));
            format!("({})", parts.collect::<Vec<_>>().join(sign))
        }
    };
    match formula {
        Formula::Data(expr) => format!("({})", labels.expr(expr)),
        Formula::Clock(ClockConstraint {
            left,
            right,
            strict,
            bound,
            ..
        }) => {
            let clock = |clock: merkhet::network::ClockId| &network.clocks[clock.index()].name;
            let sign = if *strict { "<" } else { "<=" };
            let bound = labels.expr(bound);
            match (left, right) {
                (Some(left), Some(right)) => {
                    format!("({} - {} {sign} {bound})", clock(*left), clock(*right))
                }
                (Some(left), None) => format!("({} {sign} {bound})", clock(*left)),
                (None, Some(right)) => {
                    let sign = if *strict { ">" } else { ">=" };
                    format!("({} {sign} -({bound}))", clock(*right))
                }
                (None, None) => format!("(0 {sign} {bound})"),
            }
        }
        Formula::Deadlock => "deadlock".into(),
        Formula::Not(inner) => format!("(not {})", formula_text(network, inner)),
        Formula::And(parts) => all(parts, " and ", "true"),
        Formula::Or(parts) => all(parts, " or ", "false"),
    }
}
