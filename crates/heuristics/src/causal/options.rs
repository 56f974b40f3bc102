//! Names and options: `hcg`, `hcg:paper`, `hcg:goal`, `hcg:dynamic`, `hcg:dynamic(window=2)`.

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
    /// How many parts may be looked at as one (section 6 calls for larger local subproblems).
    pub window: usize,
}

/// The largest window.
pub const MOST_PARTS: usize = 4;

impl Default for Options {
    fn default() -> Options {
        Options {
            order: Order::Goal,
            window: 1,
        }
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
            rest if rest.starts_with([':', '(']) => Some(parse_rest(rest)),
            _ => None,
        }
    }
}

fn parse_rest(rest: &str) -> Result<Options, OptionError> {
    let mut options = Options::default();
    let (name, arguments) = match rest.split_once('(') {
        None => (rest, ""),
        Some((name, arguments)) => match arguments.strip_suffix(')') {
            Some(arguments) => (name, arguments),
            None => return Err(OptionError("the closing ')' is missing".into())),
        },
    };
    if let Some(name) = name.strip_prefix(':') {
        let known = ORDERS.iter().find(|(known, ..)| *known == name);
        let Some((_, order, _)) = known else {
            let names: Vec<&str> = ORDERS.iter().map(|(name, ..)| *name).collect();
            return Err(OptionError(format!(
                "no way to cut cycles is called '{name}'; known are {}",
                names.join(", ")
            )));
        };
        options.order = *order;
    }
    for argument in arguments.split(',').map(str::trim) {
        match argument.split_once('=') {
            None if argument.is_empty() => {}
            Some(("window", value)) => match value.parse() {
                Ok(window) if (1..=MOST_PARTS).contains(&window) => options.window = window,
                _ => {
                    return Err(OptionError(format!(
                        "window is a number from 1 to {MOST_PARTS}, not '{value}'"
                    )));
                }
            },
            _ => {
                return Err(OptionError(format!(
                    "'{argument}' is no option; known is window=N"
                )));
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::{Options, Order};

    #[test]
    fn names_and_options_are_read() {
        let plain = Options::default();
        let cases = [
            ("hcg", Some(plain)),
            (
                "hcg:paper",
                Some(Options {
                    order: Order::Fewest,
                    ..plain
                }),
            ),
            (
                "hcg:dynamic(window=2)",
                Some(Options {
                    order: Order::Dynamic,
                    window: 2,
                }),
            ),
            ("hcg(window=3)", Some(Options { window: 3, ..plain })),
            ("hcg()", Some(plain)),
            ("hcg:", None),
            ("hcg:fast", None),
            ("hcg(window=0)", None),
            ("hcg(window=2", None),
            ("hcg(speed=2)", None),
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
