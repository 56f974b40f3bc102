//! Names and options: `hcg`, `hcg:paper`, `hcg:goal`, `hcg:dynamic`.

use std::fmt;

/// How cycles of the causal graph are dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// `paper`: a total order that ignores the arcs which the fewest transitions induce (sections 4.3 and 5.1).
    Fewest,
    /// `goal`: a total order towards the goal; the one of the paper decides between parts that are equally far from it.
    Goal,
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
}

impl Default for Options {
    fn default() -> Options {
        Options { order: Order::Goal }
    }
}

/// What an option's text should have been.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionError(pub String);

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OptionError {}

impl Options {
    /// Reads a name of the family; `None` if it is of another family.
    pub fn parse(text: &str) -> Option<Result<Options, OptionError>> {
        match text.strip_prefix("hcg")? {
            "" => Some(Ok(Options::default())),
            rest => rest.strip_prefix(':').map(parse_order),
        }
    }
}

fn parse_order(name: &str) -> Result<Options, OptionError> {
    let known = ORDERS.iter().find(|(known, ..)| *known == name);
    match known {
        Some((_, order, _)) => Ok(Options { order: *order }),
        None => {
            let names: Vec<&str> = ORDERS.iter().map(|(name, ..)| *name).collect();
            Err(OptionError(format!(
                "no way to cut cycles is called '{name}'; known are {}",
                names.join(", ")
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, Order};

    #[test]
    fn names_and_options_are_read() {
        let order = |order| Some(Options { order });
        let cases = [
            ("hcg", Some(Options::default())),
            ("hcg:paper", order(Order::Fewest)),
            ("hcg:goal", order(Order::Goal)),
            ("hcg:dynamic", order(Order::Dynamic)),
            ("hcg:", None),
            ("hcg:fast", None),
        ];
        for (text, expected) in cases {
            let read = Options::parse(text).map(Result::ok);
            assert_eq!(read, Some(expected), "{text}");
        }
        for other in ["hl", "hc", "hcgx", "hcg(2)", ""] {
            assert!(Options::parse(other).is_none(), "{other}");
        }
    }
}
