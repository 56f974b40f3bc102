//! Pictures as SVG, without scripts or outside resources: the same for the command line, for notebooks and for files.
//!
//! [`templates`] draws the automata of a model where their author put them, with nails and labels; what has no coordinates is
//! laid out in layers from the initial location (`layers`). [`sequence()`] draws a run as a message-sequence chart, [`gantt`]
//! who was where, and when; [`plot`] draws curves.

mod automaton;
mod gantt;
mod layers;
mod place;
mod plot;
pub mod sequence;
mod svg;

pub use automaton::{Picture, templates};
pub use gantt::gantt;
pub use plot::{Curve, plot};
pub use sequence::{Chart, Moved, Moves, Row, sequence};
pub use svg::{FONT, escape};
