//! One local relation: what an event reads and changes.

use super::RelationOptions;
use super::cluster::{Schedule, cluster, schedule};
use super::split::SplitEvent;
use crate::bdd::{Bdd, Bit, Diagrams, Renaming};
use crate::encode::{Encoding, Evaluator};
use crate::limits::Stop;
use crate::system::{Role, System, VariableId};
use std::collections::BTreeSet;

/// A relation between states that differ only in some variables.
pub struct LocalRelation {
    /// The variables that may change.
    pub changed: Vec<VariableId>,
    /// The input value that this relation stands for, as a cube of literals; true if none.
    pub choice: Bdd,
    pub(super) forward: Schedule,
    pub(super) backward: Schedule,
    /// The quantified inputs belong to both schedules.
    pub(super) to_current: Renaming,
    pub(super) to_next: Renaming,
    /// All clusters, in no order.
    pub(super) parts: Vec<Bdd>,
    /// The bits that the clusters mention.
    support: Vec<Bit>,
    reads_inputs: bool,
    /// The values now of the variables that may change, and the inputs.
    pub(super) cube: Bdd,
}

impl LocalRelation {
    /// Builds the relation of an event; `None` if it is empty.
    pub(super) fn build(
        event: &SplitEvent,
        evaluator: &mut Evaluator<'_>,
        encoding: &Encoding,
        invariants: &[Bdd],
        care: &Bdd,
        options: &RelationOptions,
    ) -> Result<Option<LocalRelation>, Stop> {
        let diagrams = &encoding.diagrams;
        let system = evaluator.system();
        let choice = match event.choice {
            Some((input, code)) => encoding.code_cube(&encoding.bits_of(input).current, code)?,
            None => diagrams.constant(true),
        };
        let mut parts = Vec::new();
        for &id in &event.relation {
            let part = evaluator.condition(id, care)?;
            parts.push(diagrams.restrict(&part, &choice)?);
        }
        if !event.alternatives.is_empty() {
            let mut union = Vec::with_capacity(event.alternatives.len());
            for conditions in &event.alternatives {
                let mut conjuncts = Vec::with_capacity(conditions.len());
                for &id in conditions {
                    conjuncts.push(evaluator.condition(id, care)?);
                }
                union.push(diagrams.and_all(conjuncts)?);
            }
            parts.push(diagrams.restrict(&diagrams.or_all(union)?, &choice)?);
        }
        let changed = changed_variables(system, event);
        let keep = keep_renaming(system, encoding, event);
        for part in &mut parts {
            *part = diagrams.rename(part, &keep)?;
        }
        add_target_conditions(system, encoding, &changed, invariants, &keep, &mut parts)?;
        add_input_conditions(system, encoding, event, &mut parts)?;
        if parts.iter().any(|part| diagrams.is_false(part)) {
            return Ok(None);
        }
        parts.retain(|part| !diagrams.is_true(part));
        let parts = cluster(diagrams, parts, options.cluster_nodes)?;
        Ok(Some(LocalRelation::schedule(
            encoding, changed, choice, parts,
        )?))
    }

    fn schedule(
        encoding: &Encoding,
        changed: Vec<VariableId>,
        choice: Bdd,
        parts: Vec<Bdd>,
    ) -> Result<LocalRelation, Stop> {
        let diagrams = &encoding.diagrams;
        let side = |next: bool| -> Vec<Bit> {
            let mut bits = Vec::new();
            for &id in &changed {
                let of = encoding.bits_of(id);
                bits.extend(if next { &of.next } else { &of.current });
            }
            bits
        };
        let (current_bits, next_bits) = (side(false), side(true));
        let with_inputs = |bits: &[Bit]| [bits, encoding.input_bits()].concat();
        let support: BTreeSet<Bit> = parts
            .iter()
            .flat_map(|part| diagrams.support(part))
            .collect();
        Ok(LocalRelation {
            forward: schedule(diagrams, &parts, &with_inputs(&current_bits))?,
            backward: schedule(diagrams, &parts, &with_inputs(&next_bits))?,
            to_current: diagrams.renaming(&next_bits, &current_bits, true),
            to_next: diagrams.renaming(&current_bits, &next_bits, true),
            cube: diagrams.cube(with_inputs(&current_bits))?,
            reads_inputs: encoding
                .input_bits()
                .iter()
                .any(|bit| support.contains(bit)),
            support: support.into_iter().collect(),
            changed,
            choice,
            parts,
        })
    }

    /// The relation and the variables it changes (and inputs), if it is one cluster.
    pub fn single_cluster(&self) -> Option<(Bdd, Bdd)> {
        match self.parts.as_slice() {
            [relation] => Some((relation.clone(), self.cube.clone())),
            _ => None,
        }
    }

    /// The relation with some bits (by number) hidden: some values of them allow the step.
    pub(crate) fn project(&self, diagrams: &Diagrams, hidden: &[bool]) -> Result<Bdd, Stop> {
        let gone = self
            .support
            .iter()
            .copied()
            .filter(|&bit| hidden[bit as usize]);
        let gone: Vec<Bit> = gone.collect();
        if let [relation] = self.parts.as_slice() {
            return diagrams.exists(relation, &diagrams.cube(gone)?);
        }
        let plan = schedule(diagrams, &self.parts, &gone)?;
        let mut product = diagrams.constant(true);
        for (cluster, gone) in &plan.steps {
            product = diagrams.and_exists(&product, cluster, gone)?;
        }
        Ok(product)
    }

    /// The relation for starts within `care` only, with clusters that are hopefully smaller.
    pub(crate) fn simplified(
        &self,
        encoding: &Encoding,
        care: &Bdd,
    ) -> Result<LocalRelation, Stop> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            parts.push(encoding.diagrams.simplify(part, care)?);
        }
        LocalRelation::schedule(encoding, self.changed.clone(), self.choice.clone(), parts)
    }

    /// The values now of the variables that may change, and the inputs.
    pub(crate) fn cube(&self) -> &Bdd {
        &self.cube
    }

    /// The conjuncts in the order in which images multiply them.
    pub(crate) fn clusters_in_order(&self) -> impl Iterator<Item = &Bdd> {
        self.forward.steps.iter().map(|(cluster, _)| cluster)
    }

    /// Whether the relation depends on inputs (other than by the choice that it stands for).
    pub(crate) fn reads_inputs(&self) -> bool {
        self.reads_inputs
    }

    /// The conjuncts of the relation.
    pub fn clusters(&self) -> &[Bdd] {
        &self.parts
    }

    /// The number of nodes of all parts.
    pub fn size(&self, diagrams: &Diagrams) -> usize {
        self.parts.iter().map(|part| diagrams.size(part)).sum()
    }
}

fn changed_variables(system: &System, event: &SplitEvent) -> Vec<VariableId> {
    let is_state = |id: &VariableId| system.variable(*id).role != Role::Input;
    system
        .variable_ids()
        .filter(|id| is_state(id) && !event.unchanged.contains(id))
        .collect()
}

/// `next(v)` of a variable that keeps its value is `v`.
fn keep_renaming(system: &System, encoding: &Encoding, event: &SplitEvent) -> Renaming {
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for &id in &event.unchanged {
        if system.variable(id).role != Role::Input {
            from.extend(&encoding.bits_of(id).next);
            to.extend(&encoding.bits_of(id).current);
        }
    }
    encoding.diagrams.renaming(&from, &to, false)
}

/// The target state has valid codes and satisfies the invariants that mention what changes.
fn add_target_conditions(
    system: &System,
    encoding: &Encoding,
    changed: &[VariableId],
    invariants: &[Bdd],
    keep: &Renaming,
    parts: &mut Vec<Bdd>,
) -> Result<(), Stop> {
    let diagrams = &encoding.diagrams;
    for &id in changed {
        parts.push(encoding.prime(&encoding.valid_codes(system, id)?)?);
    }
    let mut is_changed = vec![false; diagrams.bits() as usize];
    for &id in changed {
        for &bit in &encoding.bits_of(id).current {
            is_changed[bit as usize] = true;
        }
    }
    for invariant in invariants {
        if diagrams
            .support(invariant)
            .iter()
            .any(|&bit| is_changed[bit as usize])
        {
            parts.push(diagrams.rename(&encoding.prime(invariant)?, keep)?);
        }
    }
    Ok(())
}

/// Inputs that the event does not fix have valid codes.
fn add_input_conditions(
    system: &System,
    encoding: &Encoding,
    event: &SplitEvent,
    parts: &mut Vec<Bdd>,
) -> Result<(), Stop> {
    for id in system.variable_ids() {
        let fixed = event.choice.is_some_and(|(input, _)| input == id);
        if system.variable(id).role == Role::Input && !fixed {
            parts.push(encoding.valid_codes(system, id)?);
        }
    }
    Ok(())
}
