//! The tree arbiter: cells in a binary tree, users at its leaves, the shared resource at its root.
//!
//! A cell takes the requests of two sides, lets one through its mutual exclusion element, requests
//! the resource from the cell above, and passes the acknowledgement down to the side that was let
//! through. Six gates a cell and one for each of the `cells + 1` users make `7 * cells + 1` Boolean
//! variables, as in the paper's table. The error sits in the root: one side of its mutual exclusion
//! element does not wait for the other. With users `l` cells below the resource on both sides, the
//! shortest way to two acknowledgements takes `2 + 6 l` steps, and three more for each cell that one
//! of them is lower: 20 for 7 and 9 cells, as in the paper, 23 for 11 and 13, 26 for 15 to 19. The
//! paper has 21 and 24 steps there; in our circuits every cell on the way counts alike.
//!
//! The invariant: the uppermost users of both sides never hold the resource at the same time. A
//! user holds it while it requests and is acknowledged. (Acknowledgements alone may overlap: one
//! that is being taken back can be slow.)

use super::GATES;
use std::fmt::Write;

/// The tree arbiter with the injected error. At least one cell is made.
pub fn tree_arbiter(cells: usize) -> String {
    tree_arbiter_with(cells, true)
}

/// The tree arbiter with or without the error.
pub fn tree_arbiter_with(cells: usize, broken: bool) -> String {
    let cells = cells.max(1);
    let mut text = format!("-- Tree arbiter with {cells} cells.\n\n{GATES}\n{USER}\n");
    text += &cell_module("cell", "mutex-side");
    if broken {
        text += &cell_module("broken-cell", "broken-mutex-side");
    }
    text += "MODULE main\nVAR\n";
    for cell in 0..cells {
        let child = |side: usize| 2 * cell + side;
        let request = |side: usize| match child(side) {
            child if child < cells => format!("c{child}.request"),
            _ => format!("u{cell}-{side}.request"),
        };
        let granted = if cell == 0 {
            "c0.request".to_owned() // the resource answers at once
        } else {
            format!("c{}.a{}.out", (cell - 1) / 2, (cell - 1) % 2 + 1)
        };
        let module = if broken && cell == 0 {
            "broken-cell"
        } else {
            "cell"
        };
        let _ = writeln!(
            text,
            "  c{cell} : {module}({}, {}, {granted});",
            request(1),
            request(2)
        );
        for side in 1..=2 {
            if child(side) >= cells {
                let _ = writeln!(
                    text,
                    "  u{cell}-{side} : process user(c{cell}.a{side}.out);"
                );
            }
        }
    }
    let (left, right) = (uppermost_user(cells, 1), uppermost_user(cells, 2));
    let _ = write!(text, "\nINVARSPEC\n  !({left}.served & {right}.served)\n");
    text
}

/// The user on a side of the root with the fewest cells above: cells are numbered level by level.
fn uppermost_user(cells: usize, side: usize) -> String {
    let below = |mut cell: usize| {
        while cell > 2 {
            cell = (cell - 1) / 2;
        }
        cell == side
    };
    match (side..cells).find(|&cell| below(cell) && 2 * cell + 2 >= cells) {
        Some(cell) if 2 * cell + 1 >= cells => format!("u{cell}-1"),
        Some(cell) => format!("u{cell}-2"),
        None => format!("u0-{side}"),
    }
}

const USER: &str = "\
-- Requests, and takes the request back once it is acknowledged.
MODULE user(acknowledged)
VAR request : boolean;
ASSIGN
  init(request) := FALSE;
  next(request) := !acknowledged;
DEFINE served := request & acknowledged;
";

fn cell_module(name: &str, mutex: &str) -> String {
    format!(
        "\
MODULE {name}(request1, request2, granted)
VAR
  g1 : process {mutex}(request1, g2.out);
  g2 : process mutex-side(request2, g1.out);
  x1 : process and-gate(g1.out, !a2.out, FALSE);
  x2 : process and-gate(g2.out, !a1.out, FALSE);
  a1 : process c-element(x1.out, granted);
  a2 : process c-element(x2.out, granted);
DEFINE
  request := x1.out | x2.out;

"
    )
}
