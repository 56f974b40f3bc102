//! A system's variables as bits of decision diagrams.
//!
//! Each variable has as many bits as number its values; the bit for the value now and the bit for
//! the value after the transition stand next to each other in the order of the diagrams. Codes
//! that number no value are excluded by [`Encoding::universe`].

mod arithmetic;
mod evaluate;
mod leaves;
mod word;

pub use evaluate::Evaluator;

use crate::bdd::{Bdd, Bit, Diagrams, Renaming};
use crate::limits::{Limits, Stop};
use crate::system::{Role, System, Value, VariableId};

/// The bits of one variable, the highest first.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    /// The value now.
    pub current: Vec<Bit>,
    /// The value after the transition; empty for inputs.
    pub next: Vec<Bit>,
}

/// A system's variables as bits.
pub struct Encoding {
    /// The diagrams over these bits.
    pub diagrams: Diagrams,
    bits: Vec<Bits>,
    /// Codes now that number a value, for all state variables.
    universe: Bdd,
    state_bits: Vec<Bit>,
    next_bits: Vec<Bit>,
    input_bits: Vec<Bit>,
    to_next: Renaming,
    to_current: Renaming,
}

impl Encoding {
    /// Lays the bits out in the given order of variables (all of them, each once).
    pub fn new(system: &System, order: &[VariableId], limits: &Limits) -> Result<Encoding, Stop> {
        let mut bits = vec![Bits::default(); system.variables.len()];
        let mut paired = Vec::new();
        for &id in order {
            let variable = system.variable(id);
            for _ in 0..variable.domain.bits() {
                let is_state = variable.role != Role::Input;
                bits[id.index()].current.push(paired.len() as Bit);
                paired.push(is_state);
                if is_state {
                    bits[id.index()].next.push(paired.len() as Bit);
                    paired.push(false);
                }
            }
        }
        let diagrams = Diagrams::new(paired, limits);
        let mut encoding = Encoding {
            universe: diagrams.constant(true),
            state_bits: Vec::new(),
            next_bits: Vec::new(),
            input_bits: Vec::new(),
            to_next: diagrams.renaming(&[], &[], true),
            to_current: diagrams.renaming(&[], &[], true),
            diagrams,
            bits,
        };
        encoding.collect_bits(system);
        encoding.universe = encoding.build_universe(system)?;
        Ok(encoding)
    }

    fn collect_bits(&mut self, system: &System) {
        for id in system.variable_ids() {
            let bits = &self.bits[id.index()];
            if system.variable(id).role == Role::Input {
                self.input_bits.extend(&bits.current);
            } else {
                self.state_bits.extend(&bits.current);
                self.next_bits.extend(&bits.next);
            }
        }
        self.to_next = self
            .diagrams
            .renaming(&self.state_bits, &self.next_bits, true);
        self.to_current = self
            .diagrams
            .renaming(&self.next_bits, &self.state_bits, true);
    }

    fn build_universe(&self, system: &System) -> Result<Bdd, Stop> {
        let mut parts = Vec::new();
        for id in system.variable_ids() {
            if system.variable(id).role != Role::Input {
                parts.push(self.valid_codes(system, id)?);
            }
        }
        self.diagrams.and_all(parts)
    }

    /// The codes of a variable (now) that number a value.
    pub fn valid_codes(&self, system: &System, id: VariableId) -> Result<Bdd, Stop> {
        let domain = &system.variable(id).domain;
        match domain.size() {
            Some(size) if size < 1 << domain.bits().min(63) => {
                self.below(&self.bits[id.index()].current, size)
            }
            _ => Ok(self.diagrams.constant(true)),
        }
    }

    /// The numbers below `bound` in binary, the highest bit first.
    fn below(&self, bits: &[Bit], bound: u64) -> Result<Bdd, Stop> {
        let diagrams = &self.diagrams;
        let mut less = diagrams.constant(false);
        for (position, &bit) in bits.iter().rev().enumerate() {
            let literal = diagrams.literal(bit)?;
            less = if bound >> position & 1 == 1 {
                let no_literal = diagrams.not(&literal);
                diagrams.or(&no_literal, &less)?
            } else {
                let no_literal = diagrams.not(&literal);
                diagrams.and(&no_literal, &less)?
            };
        }
        Ok(less)
    }

    /// The bits of a variable.
    pub fn bits_of(&self, id: VariableId) -> &Bits {
        &self.bits[id.index()]
    }

    /// The states whose codes number values.
    pub fn universe(&self) -> &Bdd {
        &self.universe
    }

    /// The bits of all state variables now.
    pub fn state_bits(&self) -> &[Bit] {
        &self.state_bits
    }

    /// The bits of all state variables after the transition.
    pub fn next_bits(&self) -> &[Bit] {
        &self.next_bits
    }

    /// The bits of all inputs.
    pub fn input_bits(&self) -> &[Bit] {
        &self.input_bits
    }

    /// A set of states, about the state after the transition.
    pub fn prime(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.diagrams.rename(set, &self.to_next)
    }

    /// The conjunction of literals that says "the bits have this code".
    pub fn code_cube(&self, bits: &[Bit], code: u64) -> Result<Bdd, Stop> {
        let highest = bits.len().saturating_sub(1);
        let literal =
            |(position, &bit): (usize, &Bit)| (bit, code >> (highest - position) & 1 == 1);
        self.diagrams
            .literals_cube(bits.iter().enumerate().map(literal))
    }

    /// The value of a variable in a valuation of all bits.
    pub fn decode(
        &self,
        system: &System,
        id: VariableId,
        valuation: &[bool],
        next: bool,
    ) -> Option<Value> {
        let bits = &self.bits[id.index()];
        let bits = if next { &bits.next } else { &bits.current };
        let code = bits.iter().fold(0, |code, &bit| {
            code << 1 | u64::from(valuation[bit as usize])
        });
        system.variable(id).domain.value(code)
    }

    /// One state of a set, as the values of all state variables (inputs get their first value).
    pub fn pick_state(&self, system: &System, set: &Bdd) -> Option<Vec<Value>> {
        let valuation = self.diagrams.pick(set)?;
        system
            .variable_ids()
            .map(|id| self.decode(system, id, &valuation, false))
            .collect()
    }

    /// The set that holds one state only; inputs are ignored.
    pub fn state_set(&self, system: &System, state: &[Value]) -> Result<Bdd, Stop> {
        let mut literals = Vec::new();
        for id in system.variable_ids() {
            let variable = system.variable(id);
            if variable.role == Role::Input {
                continue;
            }
            let code = variable.domain.code(state[id.index()]).ok_or_else(|| {
                Stop::Model(format!(
                    "`{}` has a value outside its domain",
                    variable.name
                ))
            })?;
            let bits = &self.bits[id.index()].current;
            let highest = bits.len().saturating_sub(1);
            for (position, &bit) in bits.iter().enumerate() {
                literals.push((bit, code >> (highest - position) & 1 == 1));
            }
        }
        self.diagrams.literals_cube(literals)
    }
}
