//! When constraints on clocks hold, as windows of time.

use merkhet_network::MAX_CLOCK_CONSTANT;
use merkhet_network::code::{Fault, FaultKind};

use crate::model::{Atom, BoundCode, Span};
use crate::state::State;
use crate::time::{Moment, NEVER, Window};

/// A clock's value as time passes: it runs since a moment, or it is a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub runs: bool,
    /// The moment at which it was (or would have been) 0, or its value.
    pub base: Moment,
}

impl State<'_> {
    /// The value of a row as it is now.
    #[inline]
    pub fn value(&self, row: u32) -> Value {
        let row = row as usize;
        Value {
            runs: self.stops[row] == 0,
            base: self.base[row],
        }
    }

    /// When a constraint holds.
    #[inline]
    pub fn atom(&mut self, atom: &Atom) -> Result<Window, Fault> {
        let (left, right) = (self.value(atom.left), self.value(atom.right));
        self.atom_of(atom, left, right)
    }

    /// When a constraint holds, the clocks having these values.
    #[inline]
    pub fn atom_of(&mut self, atom: &Atom, left: Value, right: Value) -> Result<Window, Fault> {
        if let Some(condition) = atom.condition
            && !self.holds(condition)?
        {
            return Ok(Window::ALWAYS);
        }
        let bound = match atom.bound {
            BoundCode::Fixed(bound) => bound,
            BoundCode::Code(code) => {
                let value = self.machine.evaluate(&self.model.program, code)?;
                self.bound(value, atom)?
            }
        };
        let strict = Moment::from(atom.strict);
        Ok(match (left.runs, right.runs) {
            (true, false) => Window {
                low: -NEVER,
                high: bound + left.base + right.base - strict,
            },
            (false, true) => Window {
                low: left.base + right.base - bound + strict,
                high: NEVER,
            },
            (false, false) => always_if(left.base - right.base <= bound - strict),
            (true, true) => always_if(right.base - left.base <= bound - strict),
        })
    }

    fn bound(&self, value: i32, atom: &Atom) -> Result<Moment, Fault> {
        let (low, high) = (-MAX_CLOCK_CONSTANT, MAX_CLOCK_CONSTANT);
        if !(low..=high).contains(&value) {
            return Err(Fault {
                kind: FaultKind::OutOfRange { value, low, high },
                site: atom.site,
            });
        }
        Ok(Moment::from(value) * 2 * self.model.scale)
    }

    /// When all constraints of a list hold.
    #[inline]
    pub fn atoms(&mut self, list: Span) -> Result<Window, Fault> {
        let model = self.model;
        let mut window = Window::ALWAYS;
        for atom in &model.atoms[list.0 as usize..list.1 as usize] {
            window = window.and(self.atom(atom)?);
        }
        Ok(window)
    }

    /// When the clocks permit an edge.
    #[inline]
    pub fn guard(&mut self, edge: u32) -> Result<Window, Fault> {
        self.atoms(self.model.edges[edge as usize].clocks)
    }
}

fn always_if(holds: bool) -> Window {
    match holds {
        true => Window::ALWAYS,
        false => Window::EMPTY,
    }
}
