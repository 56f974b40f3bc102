//! Families of asynchronous circuits with an injected error, as SMV text: every gate is a process,
//! so that one gate switches at a time.
//!
//! They stand for the two families of Table 2 of Qian and Nymeyer (TACAS 2004), after the circuits
//! of Dill's thesis: the tree arbiter and the ring for distributed mutual exclusion.

mod dme;
mod tree_arbiter;

pub use dme::{DmeFault, dme};
pub use tree_arbiter::{tree_arbiter, tree_arbiter_with};

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
