//! The asynchronous circuits of Qian and Nymeyer (Table 2), as interleaving SMV models with an injected error.

use merkhet_symbolic::generate::{DmeFault, dme, tree_arbiter};

use super::{Generator, Language, Model, Parameter, wrong_number};

/// A tree of arbiter cells.
pub(super) const TREE_ARBITER: Generator = Generator {
    name: "tree-arbiter",
    summary: "a tree of arbiter cells with a mutual exclusion element that does not wait",
    language: Language::Smv,
    parameters: &[Parameter {
        name: "N",
        summary: "arbiter cells",
        low: 1,
        high: 1023,
        default: None,
    }],
    build: |values| match values {
        [cells] => Ok(smv(tree_arbiter(*cells as usize))),
        _ => wrong_number(),
    },
};

/// A ring of cells for distributed mutual exclusion.
pub(super) const DME: Generator = Generator {
    name: "dme",
    summary: "a ring for distributed mutual exclusion with a faulty gate",
    language: Language::Smv,
    parameters: &[
        Parameter {
            name: "N",
            summary: "cells of the ring",
            low: 2,
            high: 1000,
            default: None,
        },
        Parameter {
            name: "E",
            summary: "the error: 0 none, 1 a grant without the token, 2 an answer too soon, 3 a forgetful latch",
            low: 0,
            high: 3,
            default: Some(1),
        },
    ],
    build: |values| match values {
        [cells, error] => {
            let fault = match error {
                0 => DmeFault::None,
                1 => DmeFault::Local,
                2 => DmeFault::Busy,
                _ => DmeFault::Latch,
            };
            Ok(smv(dme(*cells as usize, fault)))
        }
        _ => wrong_number(),
    },
};

/// The invariant stands in the model itself.
fn smv(text: String) -> Model {
    let query = text
        .find("INVARSPEC")
        .map(|start| text[start..].trim().to_owned());
    Model { text, query }
}
