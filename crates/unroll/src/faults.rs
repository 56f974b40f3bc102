//! Faults of a system: expressions without a value, and values outside domains, for any values of
//! the variables. They are looked for in all of the system, so that every question about it gets
//! the same answer, whichever variables matter for it.

use crate::encode::{Encoder, members, within};
use crate::gates::Gates;
use crate::{Interrupt, Stop, frame};
use merkhet_finite::replay::{Situation, possible_values};
use merkhet_finite::{Assignment, ExpressionId, Place, System, Value, print};

/// An expression that has no value, or none that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, with the values of variables where it is.
    pub message: String,
    /// The value that is assigned, or the condition.
    pub expression: ExpressionId,
    /// Where it stands in the text of the model, if that is known.
    pub place: Option<Place>,
}

/// Work that is spent on all expressions before the rest is left to those who need them.
const WORK: u64 = 1 << 19;

/// The first fault, in the order of assignments, then of other conditions.
pub fn first_fault(
    system: &System,
    interrupt: &Interrupt,
    memory: u64,
) -> Result<Option<Fault>, Stop> {
    let mut gates = Gates::new(interrupt.clone(), memory);
    let now = frame::any(system, &mut gates);
    let after = frame::any(system, &mut gates);
    for assignment in &system.assignments {
        let mut encoder = Encoder::new(system, &mut gates, &now, Some(&after));
        let symbolic = match encoder.evaluate(assignment.value) {
            Ok(symbolic) => symbolic,
            Err(Stop::Unsupported(_)) => continue, // for those who can say it
            Err(Stop::Model(message)) => {
                return Ok(Some(Fault {
                    message,
                    expression: assignment.value,
                    place: assignment.place,
                }));
            }
            Err(stop) => return Err(stop),
        };
        let declared = system.variable(assignment.variable);
        let text = print::assignment(system, assignment);
        let written = text.map_or(String::new(), |text| format!(" in `{text}`"));
        if possible(&mut gates, symbolic.undefined)? {
            let message = format!(
                "the value for `{}` is undefined (no case applies, an index outside its array, or a division by zero){written}, \
                 where {}",
                declared.name,
                place(system, &gates, &now, &after, assignment.value)?,
            );
            return Ok(Some(Fault {
                message,
                expression: assignment.value,
                place: assignment.place,
            }));
        }
        let mut outside = Vec::new();
        for (guard, single) in members(&symbolic.shape) {
            let fits = within(&mut gates, single, &declared.domain)?;
            outside.push(match guard {
                Some(guard) => gates.and(guard, !fits),
                None => !fits,
            });
        }
        let outside = gates.any(outside);
        let outside = gates.and(outside, !symbolic.undefined);
        if possible(&mut gates, outside)? {
            let situation = (
                frame::values(system, &gates, &now)?,
                frame::values(system, &gates, &after)?,
            );
            let message = format!(
                "`{}` can be assigned {}, outside its domain {}{written}, where {}",
                declared.name,
                misfit(system, assignment, &situation),
                print::domain(system, &declared.domain),
                place(system, &gates, &now, &after, assignment.value)?,
            );
            return Ok(Some(Fault {
                message,
                expression: assignment.value,
                place: assignment.place,
            }));
        }
    }
    let assigned = |id: &ExpressionId| system.assignments.iter().any(|a| a.constraint == *id);
    let conditions = (system.initial.iter())
        .chain(&system.invariants)
        .chain(&system.justice)
        .chain(
            system
                .compassion
                .iter()
                .flat_map(|(premise, conclusion)| [premise, conclusion]),
        )
        .chain(system.events.iter().flat_map(|event| &event.relation));
    for &id in conditions.filter(|id| !assigned(id)) {
        let mut encoder = Encoder::new(system, &mut gates, &now, Some(&after));
        let symbolic = match encoder.evaluate(id) {
            Ok(symbolic) => symbolic,
            Err(Stop::Unsupported(_)) => continue,
            Err(Stop::Model(message)) => {
                return Ok(Some(Fault {
                    message,
                    expression: id,
                    place: None,
                }));
            }
            Err(stop) => return Err(stop),
        };
        if possible(&mut gates, symbolic.undefined)? {
            let message = format!(
                "a condition has no value (no case applies, an index is outside its array, or a division by zero) where {}",
                place(system, &gates, &now, &after, id)?,
            );
            return Ok(Some(Fault {
                message,
                expression: id,
                place: None,
            }));
        }
    }
    Ok(None)
}

/// Whether a literal can be true; no where that is not seen soon.
fn possible(gates: &mut Gates, literal: batsat::Lit) -> Result<bool, Stop> {
    if gates.constant_of(literal) == Some(false) {
        return Ok(false);
    }
    let left = WORK.saturating_sub(gates.work());
    if left == 0 {
        return Ok(false);
    }
    match gates.satisfiable(&[literal], left) {
        Err(Stop::Budget) => Ok(false),
        other => other,
    }
}

/// A value that does not belong to the domain it is assigned to.
fn misfit(
    system: &System,
    assignment: &Assignment,
    (now, after): &(Vec<Value>, Vec<Value>),
) -> String {
    let after = Some(after.as_slice());
    let values = possible_values(system, assignment.value, Situation { now, after });
    let domain = &system.variable(assignment.variable).domain;
    let mut values = values.unwrap_or_default().into_iter();
    match values.find(|value| domain.code(*value).is_none()) {
        Some(value) => system.show(value),
        None => "a value".into(),
    }
}

/// The values of the variables of an expression.
fn place(
    system: &System,
    gates: &Gates,
    now: &crate::encode::Codes,
    after: &crate::encode::Codes,
    id: ExpressionId,
) -> Result<String, Stop> {
    let (now, after) = (
        frame::values(system, gates, now)?,
        frame::values(system, gates, after)?,
    );
    let support = system.support(&[id]);
    let name = |id: &merkhet_finite::VariableId| &system.variable(*id).name;
    let mut parts = Vec::new();
    for id in &support.current {
        let value = system.show(now[id.index()]);
        parts.push(format!("{} = {value}", name(id)));
    }
    for id in &support.next {
        let value = system.show(after[id.index()]);
        parts.push(format!("next({}) = {value}", name(id)));
    }
    match parts.is_empty() {
        true => Ok("any values hold".into()),
        false => Ok(parts.join(", ")),
    }
}
