//! Families of asynchronous circuits with an injected error, as SMV text: every gate is a process, so that one gate
//! switches at a time.
//!
//! They stand for the two families of Table 2 of Qian and Nymeyer (TACAS 2004), after the circuits of Dill's thesis: the
//! tree arbiter and the ring for distributed mutual exclusion.

mod dme;
mod tree_arbiter;

pub use dme::{DmeFault, dme};
pub use tree_arbiter::{tree_arbiter, tree_arbiter_with};

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

/// The gates that both families use. A gate that is switched on takes the value of its function.
const GATES: &str = "\
MODULE and-gate(left, right, start)
VAR out : boolean;
ASSIGN
  init(out) := start;
  next(out) := left & right;

MODULE or-gate(left, right)
VAR out : boolean;
ASSIGN
  init(out) := FALSE;
  next(out) := left | right;

-- Muller's C-element: follows its inputs where they agree.
MODULE c-element(left, right)
VAR out : boolean;
ASSIGN
  init(out) := FALSE;
  next(out) := case left = right : left; TRUE : out; esac;

-- One side of a mutual exclusion element.
MODULE mutex-side(request, other)
VAR out : boolean;
ASSIGN
  init(out) := FALSE;
  next(out) := request & !other;

-- The same with an error: it does not wait for the other side.
MODULE broken-mutex-side(request, other)
VAR out : boolean;
ASSIGN
  init(out) := FALSE;
  next(out) := request;
";
