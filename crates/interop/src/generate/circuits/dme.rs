//! The ring for distributed mutual exclusion: each cell serves one user, and a token goes around.
//!
//! A cell without the token asks its right neighbour for it; a request from the left neighbour or
//! from the own user goes through a mutual exclusion element. Seventeen gates and a user of two bits
//! make 19 Boolean variables a cell, as in the paper's table (114 for 6 cells, 152 for 8).
//!
//! The invariant: two users that stand opposite each other are never served at the same time. The
//! paper does not tell its errors; its depths are 26 for 6 cells and 30 for 8. Of our errors, one
//! has depth 26 and one 30, for any number of cells: the user with the token needs 14 steps, the
//! one at the faulty cell 10 or 16, and with [`DmeFault::Busy`] each user takes one step more, to
//! notice.

use super::GATES;
use std::fmt::Write;

/// Which gate is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DmeFault {
    /// None.
    None,
    /// The gate that grants a request in the cell itself forgets to look for the token: depth 30.
    Local,
    /// The gate that remembers that a request is being served does not wait for the grant: depth
    /// 26.
    Busy,
    /// The gate that tells "the token is here" forgets to look at the other half of its latch:
    /// depth 73, after the token has gone around.
    Latch,
}

/// Gates of a cell that an error may replace.
struct Gates {
    local: &'static str,
    busy: &'static str,
    here: &'static str,
}

const SOUND: Gates = Gates {
    local: "and-gate(start.out, here.out, FALSE)",
    busy: "c-element(go.out, got.out)",
    here: "and-gate(!other-done.out, !away.out, token)",
};

/// The ring with an error, which is in the cell opposite to the one with the token. At least two
/// cells are made.
pub fn dme(cells: usize, fault: DmeFault) -> String {
    let cells = cells.max(2);
    let opposite = cells / 2;
    let mut text = format!("-- Ring of {cells} cells for mutual exclusion.\n\n{GATES}\n{USER}\n");
    text += &cell_module("cell", &SOUND);
    let (broken, faulty) = match fault {
        DmeFault::None => (None, SOUND),
        DmeFault::Local => {
            let local = "and-gate(start.out, TRUE, FALSE)";
            (Some(opposite), Gates { local, ..SOUND })
        }
        DmeFault::Busy => {
            let busy = "c-element(go.out, go.out)";
            (Some(opposite), Gates { busy, ..SOUND })
        }
        DmeFault::Latch => {
            let here = "and-gate(!other-done.out, TRUE, token)";
            (Some(0), Gates { here, ..SOUND })
        }
    };
    if broken.is_some() {
        text += &cell_module("broken-cell", &faulty);
    }
    text += "MODULE main\nVAR\n";
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
    }
    let served = match fault {
        DmeFault::Busy => "user.inside",
        _ => "give.out",
    };
    let _ = write!(
        text,
        "\nINVARSPEC\n  !(c0.{served} & c{opposite}.{served})\n"
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
fn cell_module(name: &str, gates: &Gates) -> String {
    let Gates { local, busy, here } = gates;
    format!(
        "\
MODULE {name}(left-request, right-ack, token)
VAR
  user : process user(give.out);
  memory : process user-memory(user, give.out);
  own : process mutex-side(user.request, other.out);
  other : process mutex-side(left-request, own.out);
  own-go : process and-gate(own.out, !pass.out, FALSE);
  other-go : process and-gate(other.out, !give.out, FALSE);
  go : process or-gate(own-go.out, other-go.out);
  own-done : process c-element(own-go.out, served.out);
  other-done : process c-element(other-go.out, served.out);
  busy : process {busy};
  start : process and-gate(go.out, !busy.out, FALSE);
  served : process and-gate(busy.out, !got.out, FALSE);
  local : process {local};
  got : process or-gate(local.out, right-ack);
  ask : process and-gate(start.out, away.out, FALSE);
  away : process and-gate(!own-done.out, !here.out, !token);
  here : process {here};
  give : process and-gate(own-done.out, here.out, FALSE);
  pass : process and-gate(other-done.out, away.out, FALSE);

"
    )
}
