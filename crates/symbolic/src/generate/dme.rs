//! The ring for distributed mutual exclusion: each cell serves one user, and a token goes around.
//!
//! A cell without the token asks its right neighbour for it; a request from the left neighbour or
//! from the own user goes through a mutual exclusion element. Seventeen gates and a user of two bits
//! make 19 Boolean variables a cell, as in the paper's table (114 for 6 cells, 152 for 8).

use super::{GATES, pairwise_exclusive};
use std::fmt::Write;

/// Which gate is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DmeFault {
    /// None.
    None,
    /// The user's side of the mutual exclusion element of one cell does not wait for the other.
    UserSide(usize),
    /// The neighbour's side does not wait.
    NeighbourSide(usize),
    /// The gate that tells "the token is not here" of one cell forgets to look at the other half of
    /// its latch.
    Latch(usize),
}

/// The ring with the injected error. At least two cells are made.
pub fn dme(cells: usize) -> String {
    dme_with(cells, DmeFault::Latch(0))
}

/// The ring with a chosen error.
pub fn dme_with(cells: usize, fault: DmeFault) -> String {
    let cells = cells.max(2);
    let mut text = format!("-- Ring of {cells} cells for mutual exclusion.\n\n{GATES}\n{USER}\n");
    text += &cell_module("cell", "mutex-side", "mutex-side", "!away.out");
    let broken = match fault {
        DmeFault::None => None,
        DmeFault::UserSide(cell) => {
            text += &cell_module(
                "broken-cell",
                "broken-mutex-side",
                "mutex-side",
                "!away.out",
            );
            Some(cell)
        }
        DmeFault::NeighbourSide(cell) => {
            text += &cell_module(
                "broken-cell",
                "mutex-side",
                "broken-mutex-side",
                "!away.out",
            );
            Some(cell)
        }
        DmeFault::Latch(cell) => {
            text += &cell_module("broken-cell", "mutex-side", "mutex-side", "TRUE");
            Some(cell)
        }
    };
    text += "MODULE main\nVAR\n";
    let mut acknowledged = Vec::new();
    for cell in 0..cells {
        let module = if broken == Some(cell) {
            "broken-cell"
        } else {
            "cell"
        };
        let (left, right) = ((cell + cells - 1) % cells, (cell + 1) % cells);
        let token = if cell == 0 { "TRUE" } else { "FALSE" };
        let _ = writeln!(
            text,
            "  c{cell} : {module}(c{left}.ask.out, c{right}.pass.out, {token});"
        );
        acknowledged.push(format!("c{cell}.give.out"));
    }
    let _ = write!(
        text,
        "\nINVARSPEC\n  {}\n",
        pairwise_exclusive(&acknowledged)
    );
    text
}

const USER: &str = "\
-- Requests, notices the acknowledgement, and then takes the request back.
MODULE user(acknowledged)
VAR
  request : boolean;
  inside : boolean;
ASSIGN
  init(request) := FALSE;
  next(request) := !inside;

MODULE user-memory(person, acknowledged)
ASSIGN
  init(person.inside) := FALSE;
  next(person.inside) := acknowledged;
";

/// `here` and `away` are the two halves of the latch that remembers the token.
fn cell_module(name: &str, user_side: &str, neighbour_side: &str, latch: &str) -> String {
    format!(
        "\
MODULE {name}(left-request, right-ack, token)
VAR
  user : process user(give.out);
  memory : process user-memory(user, give.out);
  own : process {user_side}(user.request, other.out);
  other : process {neighbour_side}(left-request, own.out);
  own-go : process and-gate(own.out, !pass.out, FALSE);
  other-go : process and-gate(other.out, !give.out, FALSE);
  go : process or-gate(own-go.out, other-go.out);
  own-done : process c-element(own-go.out, served.out);
  other-done : process c-element(other-go.out, served.out);
  busy : process c-element(go.out, got.out);
  start : process and-gate(go.out, !busy.out, FALSE);
  served : process and-gate(busy.out, !got.out, FALSE);
  local : process and-gate(start.out, here.out, FALSE);
  got : process or-gate(local.out, right-ack);
  ask : process and-gate(start.out, away.out, FALSE);
  away : process and-gate(!own-done.out, !here.out, !token);
  here : process and-gate(!other-done.out, {latch}, token);
  give : process and-gate(own-done.out, here.out, FALSE);
  pass : process and-gate(other-done.out, away.out, FALSE);

"
    )
}
