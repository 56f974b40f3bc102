//! The variables of a system at one moment, and the steps between two moments.

use crate::Stop;
use crate::encode::{Codes, Encoder};
use crate::gates::Gates;
use crate::word;
use batsat::Lit;
use merkhet_finite::{ExpressionId, Role, System, Value};

/// Fresh variables for one moment, inputs included, which number values and satisfy the invariants.
pub(crate) fn allowed(system: &System, gates: &mut Gates) -> Result<Codes, Stop> {
    let codes = any(system, gates);
    hold(system, gates, &codes, &system.invariants)?;
    Ok(codes)
}

/// Fresh variables for one moment, which number values.
pub(crate) fn any(system: &System, gates: &mut Gates) -> Codes {
    let mut codes = Codes::new();
    for variable in &system.variables {
        let bits: Vec<Lit> = (0..variable.domain.bits()).map(|_| gates.fresh()).collect();
        if let Some(size) = variable.domain.size()
            && bits.len() < 64
            && size < 1 << bits.len()
        {
            let most = word::constant(gates, size - 1, bits.len());
            let valid = word::less(gates, false, &bits, &most, true);
            gates.assert(valid);
        }
        codes.push(bits);
    }
    codes
}

/// Asserts conditions on one moment.
pub(crate) fn hold(
    system: &System,
    gates: &mut Gates,
    codes: &Codes,
    conditions: &[ExpressionId],
) -> Result<(), Stop> {
    for &id in conditions {
        let condition = Encoder::new(system, gates, codes, None).condition(id)?;
        gates.assert(condition);
    }
    Ok(())
}

/// Asserts that a step leads from one moment to the next.
pub(crate) fn step(
    system: &System,
    gates: &mut Gates,
    now: &Codes,
    after: &Codes,
) -> Result<(), Stop> {
    let mut encoder = Encoder::new(system, gates, now, Some(after));
    let mut events = Vec::with_capacity(system.events.len());
    for event in &system.events {
        let mut parts = Vec::new();
        if let Some((input, code)) = event.choice {
            let bits = &now[input.index()];
            let code = word::constant(encoder.gates, code, bits.len());
            parts.push(word::equal(encoder.gates, bits, &code));
        }
        for id in &event.unchanged {
            let (before, kept) = (&now[id.index()], &after[id.index()]);
            parts.push(word::equal(encoder.gates, before, kept));
        }
        for &id in &event.relation {
            parts.push(encoder.condition(id)?);
        }
        events.push(parts);
    }
    if let [parts] = events.as_slice() {
        parts.iter().for_each(|&part| gates.assert(part));
        return Ok(());
    }
    let whole: Vec<Lit> = events.into_iter().map(|parts| gates.all(parts)).collect();
    gates.clause(&whole);
    Ok(())
}

/// Where some state variable differs.
pub(crate) fn differ(system: &System, gates: &mut Gates, a: &Codes, b: &Codes) -> Lit {
    let mut differences = Vec::new();
    for (id, variable) in system.variables.iter().enumerate() {
        if matches!(variable.role, Role::State) {
            let pairs = a[id].iter().zip(&b[id]);
            differences.extend(pairs.map(|(&a, &b)| gates.xor(a, b)));
        }
    }
    gates.any(differences)
}

/// The values of all variables where the clauses held.
pub(crate) fn values(system: &System, gates: &Gates, codes: &Codes) -> Result<Vec<Value>, Stop> {
    let pairs = system.variables.iter().zip(codes);
    pairs
        .map(|(variable, bits)| {
            let bits = bits.iter().rev();
            let code = bits.fold(0, |code, &bit| code << 1 | u64::from(gates.value(bit)));
            let value = variable.domain.value(code);
            value.ok_or_else(|| Stop::Model(format!("`{}` has no such value", variable.name)))
        })
        .collect()
}
