//! Names and options: `hcg`, `hcg:paper`, `hcg:goal`, `hcg:depth`, `hcg:dynamic`, `hcg:depth(contexts=4)`.

use crate::named::{Named, OptionError, wrong};

/// How cycles of the causal graph are dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// `paper`: a total order that ignores the arcs which the fewest transitions induce (sections 4.3 and 5.1).
    Fewest,
    /// `goal`: a total order towards the goal; the one of the paper decides between parts that are equally far from it.
    Goal,
    /// `depth`: a total order in which a top-down computation from the goal, depth first, finishes.
    Depth,
    /// `dynamic`: no order. Costs become known the cheapest first, for each state anew, so that no arc is ignored
    /// (section 6; Helmert, Geffner: Unifying the causal graph and additive heuristics, ICAPS 2008).
    Dynamic,
}

/// The names of the orders, with what they do.
pub const ORDERS: &[(&str, Order, &str)] = &[
    (
        "paper",
        Order::Fewest,
        "ignores the arcs of cycles that the fewest transitions induce",
    ),
    (
        "goal",
        Order::Goal,
        "ignores the arcs of cycles that lead away from the goal",
    ),
    (
        "depth",
        Order::Depth,
        "ignores the arcs of cycles that lead back on the way from the goal, depth first",
    ),
    (
        "dynamic",
        Order::Dynamic,
        "ignores no arc: costs become known the cheapest first",
    ),
];

/// Everything that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// How cycles are dealt with.
    pub order: Order,
    /// How many contexts each value keeps: 1 in the paper; more make larger local problems (section 6).
    pub contexts: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            order: Order::Depth,
            contexts: 1,
        }
    }
}

const HINT: &str = "the option is contexts=N";

impl Options {
    /// Reads a name of the family; `None` if it is of another family.
    pub fn parse(text: &str) -> Option<Result<Options, OptionError>> {
        let named = Named::parse("hcg", text, HINT)?;
        Some(named.and_then(|named| read(&named)))
    }
}

fn read(named: &Named<'_>) -> Result<Options, OptionError> {
    let mut options = Options::default();
    if let Some(name) = named.variant {
        let known = ORDERS.iter().find(|(known, ..)| *known == name);
        let Some((_, order, _)) = known else {
            let names: Vec<&str> = ORDERS.iter().map(|(name, ..)| *name).collect();
            return wrong(format!(
                "no way to cut cycles is called '{name}'; known are {}",
                names.join(", ")
            ));
        };
        options.order = *order;
    }
    for argument in &named.arguments {
        match (argument.key, options.order) {
            ("contexts", Order::Dynamic) => {
                return wrong("contexts is for orders, not for hcg:dynamic".into());
            }
            ("contexts", _) => options.contexts = argument.number(1, 1000)? as u32,
            (other, _) => return wrong(format!("there is no option '{other}'; {HINT}")),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::{Options, Order};

    #[test]
    fn names_and_options_are_read() {
        let order = |order| Some(Options { order, contexts: 1 });
        let cases = [
            ("hcg", Some(Options::default())),
            ("hcg:paper", order(Order::Fewest)),
            ("hcg:goal", order(Order::Goal)),
            ("hcg:depth", order(Order::Depth)),
            ("hcg:dynamic", order(Order::Dynamic)),
            (
                "hcg:goal( contexts = 4 )",
                Some(Options {
                    order: Order::Goal,
                    contexts: 4,
                }),
            ),
            ("hcg(contexts=0)", None),
            ("hcg(contexts)", None),
            ("hcg(places=2)", None),
            ("hcg:dynamic(contexts=2)", None),
            ("hcg:", None),
            ("hcg:fast", None),
        ];
        for (text, expected) in cases {
            let read = Options::parse(text).map(Result::ok);
            assert_eq!(read, Some(expected), "{text}");
        }
        for other in ["hl", "hc", "hcgx", ""] {
            assert!(Options::parse(other).is_none(), "{other}");
        }
    }
}
