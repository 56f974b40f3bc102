//! Names and options: `hcg`, `hcg:paper`, `hcg:goal`, `hcg:depth`, `hcg:dynamic`, `hcg:depth(contexts=4)`.

use std::sync::Arc;

use merkhet_explore::HeuristicFacts;

use crate::choice::{Choice, Made, Preparation, PrepareError, Problem};
use crate::entry::{Build, Entry, OptionInfo, Values, Variant};
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

/// By variant, the order.
pub const ORDERS: [Order; 4] = [Order::Fewest, Order::Goal, Order::Depth, Order::Dynamic];

/// `hcg`.
pub static ENTRY: Entry = Entry {
    name: "hcg",
    summary: "h^CG: costs of small subsystems, combined along the causal graph; hcg:depth (the same), hcg:goal, \
              hcg:paper and hcg:dynamic cut its cycles in different ways; hcg(contexts=N) looks at larger subsystems",
    description: "Every automaton and every variable is a small graph of its own. What a step in it costs includes what the \
                  parts that it depends on need to be brought to where they allow it; the value is the sum over the parts \
                  that the goal constrains. Good where processes have long ways that depend on few others.",
    variants: &[
        Variant {
            name: "paper",
            meaning: "ignores the arcs of cycles that the fewest transitions induce",
        },
        Variant {
            name: "goal",
            meaning: "ignores the arcs of cycles that lead away from the goal",
        },
        Variant {
            name: "depth",
            meaning: "ignores the arcs of cycles that lead back on the way from the goal, depth first; the default",
        },
        Variant {
            name: "dynamic",
            meaning: "ignores no arc: costs become known the cheapest first",
        },
    ],
    options: &[OptionInfo {
        name: "contexts",
        values: Values::Number(1, 1000),
        default: "1",
        meaning: "how many contexts each value keeps; more make larger local problems (not for hcg:dynamic)",
    }],
    facts: HeuristicFacts {
        admissible: false,
        consistent: false,
        safe_dead_ends: false,
    },
    inadmissible_with: None,
    citation: "Wehrle, Helmert 2009",
    databases: false,
    build: Build::Chosen {
        default: || Arc::new(Options::default()),
        read: |named| Ok(Arc::new(read(named)?)),
    },
};

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

impl Choice for Options {
    fn facts(&self) -> HeuristicFacts {
        ENTRY.facts
    }

    fn prepare(&self, _: &Problem<'_>, _: &Preparation<'_>) -> Result<Made, PrepareError> {
        Ok(Made::at_once(*self))
    }
}

fn read(named: &Named<'_>) -> Result<Options, OptionError> {
    let mut options = Options::default();
    if let Some(variant) = named.variant()? {
        options.order = ORDERS[variant];
    }
    for argument in &named.arguments {
        if options.order == Order::Dynamic {
            return wrong("contexts is for orders, not for hcg:dynamic".into());
        }
        options.contexts = argument.number()? as u32;
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::{Options, Order};
    use crate::HeuristicSpec;

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
            ("hcgx", None),
        ];
        for (text, expected) in cases {
            let spec: Result<HeuristicSpec, _> = text.parse();
            let read = spec
                .ok()
                .map(|spec| *spec.options::<Options>().expect("hcg"));
            assert_eq!(read, expected, "{text}");
        }
    }
}
