//! Compiles a case of a transition against a set of predicates; see [`crate::pa::regress`].

use std::collections::BTreeMap;

use crate::pa::cases::Case;
use crate::pa::decide::Truth;
use crate::pa::linear::Linear;
use crate::pa::predicate::{self, Condition, Literal, Predicate};
use crate::pa::regress::weakest_precondition;
use crate::pa::slots::Slots;
use crate::pa::vector;
use merkhet_network::BinaryOp;

/// A case, compiled. Two cases that are equal here have the same predecessors.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Compiled {
    /// Values that vectors after the case cannot have.
    pub never: Vec<u64>,
    /// Predicates whose value does not change.
    pub keep: Vec<u64>,
    /// Slots with few values, each on its own.
    pub slots: Vec<SlotStep>,
    /// Slots that are related to each other, by number among the general steps of the abstraction.
    pub general: Vec<u32>,
    /// What it does to clocks, with the delay afterwards.
    pub clock: u32,
    /// What it does to clocks, without delay.
    pub instant: u32,
}

/// What becomes of the predicates on one slot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SlotStep {
    /// The values that the case allows.
    pub base: u64,
    /// What predicates of the successor say of the slot.
    pub inputs: Vec<SlotInput>,
    /// Predicates on the slot, with their values.
    pub outputs: Vec<(u16, u64)>,
}

/// A predicate of the successor, as sets of values of a slot before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SlotInput {
    /// The predicate.
    pub predicate: u16,
    /// The values before for which it is true afterwards.
    pub if_true: u64,
    /// The values before for which it is false afterwards.
    pub if_false: u64,
}

/// What becomes of predicates on slots that are related to each other.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct GeneralStep {
    /// The values that the case allows.
    pub masks: Vec<(u32, u64)>,
    /// Further conditions of the case.
    pub literals: Vec<Literal>,
    /// What predicates of the successor ask for.
    pub inputs: Vec<GeneralInput>,
    /// The predicates to be decided.
    pub outputs: Vec<u16>,
    /// The bits of the inputs.
    pub relevant: Vec<u64>,
}

/// A predicate of the successor, as a literal before.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GeneralInput {
    /// The predicate.
    pub predicate: u16,
    /// What it means before; its negation if it is false.
    pub literal: Literal,
}

/// The weakest precondition of a predicate on slots some of which the case assigns.
pub fn precondition(slots: &Slots, case: &Case, predicate: &Predicate) -> Option<Condition> {
    let value = |slot: u32| match case.effects.binary_search_by_key(&slot, |(slot, _)| *slot) {
        Ok(at) => case.effects[at].1.clone(),
        Err(_) => Some(Linear::slot(slot)),
    };
    match predicate {
        Predicate::AtMost(form) => {
            let form = form.substitute(value)?;
            Some(predicate::of_comparison(slots, BinaryOp::LessEqual, &form))
        }
        Predicate::Zero(form) => {
            let form = form.substitute(value)?;
            Some(predicate::of_comparison(slots, BinaryOp::Equal, &form))
        }
        Predicate::Values { slot, mask } => of_values(slots, *slot, *mask, &value(*slot)?),
        Predicate::Clock { .. } => None,
    }
}

/// `form ∈ set`, where the set is one of values of `slot`.
fn of_values(slots: &Slots, slot: u32, mask: u64, form: &Linear) -> Option<Condition> {
    let (low, _) = slots.range(slot);
    let holds = |value: i64| (0..64).contains(&(value - low)) && mask >> (value - low) & 1 == 1;
    if let Some(number) = form.as_number() {
        return Some(match holds(number) {
            true => Condition::Always,
            false => Condition::Never,
        });
    }
    if let [(source, by)] = form.terms[..]
        && slots.is_dense(source)
    {
        let before = slots.mask(source, |value| holds(by * value + form.constant));
        return Some(predicate::of_mask(slots, source, before));
    }
    // Over several slots only intervals that start or end with the range, and single values, are linear.
    let first = low + i64::from(mask.trailing_zeros());
    let last = low + 63 - i64::from(mask.leading_zeros());
    let against = |value: i64| form.plus(&Linear::number(value), -1);
    let span = slots.mask(slot, |value| (first..=last).contains(&value));
    if mask != span {
        return None;
    }
    let (op, value) = match () {
        () if first == last => (BinaryOp::Equal, first),
        () if first == low => (BinaryOp::LessEqual, last),
        () if last == slots.range(slot).1 => (BinaryOp::GreaterEqual, first),
        () => return None,
    };
    Some(predicate::of_comparison(slots, op, &against(value)?))
}

/// Compiles; `None` if the case can never be taken. General steps come apart from the rest.
pub fn compile(
    slots: &Slots,
    case: &Case,
    predicates: &[Predicate],
) -> Option<(Compiled, Vec<GeneralStep>)> {
    let half = vector::words(predicates.len());
    let mut draft = Draft {
        slots,
        case,
        predicates,
        never: vec![0; 2 * half],
        keep: vec![0; half],
        inputs: Vec::new(),
        groups: Groups::default(),
    };
    draft.preconditions();
    draft.relate();
    draft.finish()
}

struct Draft<'a> {
    slots: &'a Slots,
    case: &'a Case,
    predicates: &'a [Predicate],
    never: Vec<u64>,
    keep: Vec<u64>,
    /// Predicate, its literal before, and whether it is the predicate itself.
    inputs: Vec<(u16, Literal, bool)>,
    groups: Groups,
}

impl Draft<'_> {
    fn preconditions(&mut self) {
        for (number, predicate) in self.predicates.iter().enumerate() {
            if predicate.is_clock() {
                continue;
            }
            match weakest_precondition(self.slots, self.case, predicate) {
                None => {}
                Some(Condition::Always) => vector::set(&mut self.never, number, Truth::False),
                Some(Condition::Never) => vector::set(&mut self.never, number, Truth::True),
                Some(Condition::Literal(literal)) => {
                    let same = literal.positive && literal.predicate == *predicate;
                    let assigned = self.assigns(predicate);
                    self.inputs
                        .push((number as u16, literal, same && !assigned));
                }
            }
        }
    }

    fn assigns(&self, predicate: &Predicate) -> bool {
        let read = predicate.slots();
        (self.case.effects.iter()).any(|(slot, _)| read.contains(slot))
    }

    /// Joins the slots of everything that relates several, or one with many values.
    fn relate(&mut self) {
        for predicate in self.predicates.iter().filter(|p| p.is_general()) {
            self.groups.join(&predicate.slots());
        }
        for (_, literal, _) in &self.inputs {
            if literal.predicate.is_general() {
                self.groups.join(&literal.predicate.slots());
            }
        }
        for literal in self.case.literals.iter().chain(&self.case.implicit) {
            if literal.predicate.is_general() {
                self.groups.join(&literal.predicate.slots());
            }
        }
    }

    fn finish(mut self) -> Option<(Compiled, Vec<GeneralStep>)> {
        let mut groups: BTreeMap<u32, Group> = BTreeMap::new();
        for (slot, mask) in &self.case.masks {
            if *mask == 0 {
                return None;
            }
            let group = groups.entry(self.groups.of(*slot)).or_default();
            group.masks.push((*slot, *mask));
        }
        for literal in self.case.literals.iter().chain(&self.case.implicit) {
            let Some(slot) = literal.predicate.slots().first().copied() else {
                continue;
            };
            let group = groups.entry(self.groups.of(slot)).or_default();
            match literal.mask(self.slots) {
                Some(mask) => group.masks.push(mask),
                None => group.literals.push(literal.clone()),
            }
        }
        for (predicate, literal, same) in std::mem::take(&mut self.inputs) {
            let Some(slot) = literal.predicate.slots().first().copied() else {
                continue;
            };
            let group = groups.entry(self.groups.of(slot)).or_default();
            group.changed |= !same;
            group.inputs.push((predicate, literal));
        }
        for (number, predicate) in self.predicates.iter().enumerate() {
            let Some(slot) = predicate.slots().first().copied() else {
                continue;
            };
            let assigned = self.assigns(predicate);
            let group = groups.entry(self.groups.of(slot)).or_default();
            group.changed |= assigned;
            group.outputs.push(number as u16);
        }
        let (mut steps, mut general) = (Vec::new(), Vec::new());
        for (root, group) in groups {
            if group.inputs.is_empty() && group.outputs.is_empty() {
                continue; // nothing of this shows in the abstraction
            }
            let asked = !group.masks.is_empty() || !group.literals.is_empty();
            if !group.changed && !asked {
                for predicate in group.outputs {
                    self.keep[predicate as usize / 64] |= 1 << (predicate % 64);
                }
                continue;
            }
            match self.groups.is_related(root) {
                true => general.push(group.general(self.never.len())),
                false => steps.push(self.slot_step(root, group)?),
            }
        }
        let compiled = Compiled {
            never: self.never,
            keep: self.keep,
            slots: steps,
            general: Vec::new(),
            clock: 0,
            instant: 0,
        };
        Some((compiled, general))
    }

    fn slot_step(&mut self, slot: u32, group: Group) -> Option<SlotStep> {
        let full = self.slots.full(slot);
        let base = (group.masks.iter()).fold(full, |base, (_, mask)| base & mask);
        if base == 0 {
            return None;
        }
        let mut inputs = Vec::new();
        for (predicate, literal) in &group.inputs {
            let (_, if_true) = literal.mask(self.slots)?;
            let if_false = full & !if_true;
            if base & if_true == 0 {
                vector::set(&mut self.never, *predicate as usize, Truth::True);
            }
            if base & if_false == 0 {
                vector::set(&mut self.never, *predicate as usize, Truth::False);
            }
            inputs.push(SlotInput {
                predicate: *predicate,
                if_true,
                if_false,
            });
        }
        let outputs = group.outputs.iter().map(|number| {
            let Predicate::Values { mask, .. } = self.predicates[*number as usize] else {
                return (*number, 0);
            };
            (*number, mask)
        });
        Some(SlotStep {
            base,
            inputs,
            outputs: outputs.collect(),
        })
    }
}

#[derive(Default)]
struct Group {
    masks: Vec<(u32, u64)>,
    literals: Vec<Literal>,
    inputs: Vec<(u16, Literal)>,
    outputs: Vec<u16>,
    changed: bool,
}

impl Group {
    fn general(self, words: usize) -> GeneralStep {
        let mut relevant = vec![0; words];
        for (predicate, _) in &self.inputs {
            vector::set(&mut relevant, *predicate as usize, Truth::True);
            vector::set(&mut relevant, *predicate as usize, Truth::False);
        }
        let inputs = self.inputs.into_iter();
        GeneralStep {
            masks: self.masks,
            literals: self.literals,
            inputs: inputs
                .map(|(predicate, literal)| GeneralInput { predicate, literal })
                .collect(),
            outputs: self.outputs,
            relevant,
        }
    }
}

/// Which slots are related: each points towards the representative of its group.
#[derive(Default)]
struct Groups {
    parents: BTreeMap<u32, u32>,
}

impl Groups {
    fn of(&self, slot: u32) -> u32 {
        let mut at = slot;
        while let Some(parent) = self.parents.get(&at) {
            if *parent == at {
                break;
            }
            at = *parent;
        }
        at
    }

    fn join(&mut self, slots: &[u32]) {
        for slot in slots {
            self.parents.entry(*slot).or_insert(*slot);
        }
        for pair in slots.windows(2) {
            let (a, b) = (self.of(pair[0]), self.of(pair[1]));
            if a != b {
                self.parents.insert(a.max(b), a.min(b));
            }
        }
    }

    /// Whether the slot was joined with others, or with a form over itself.
    fn is_related(&self, slot: u32) -> bool {
        self.parents.contains_key(&slot)
    }
}
