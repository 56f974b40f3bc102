//! Order files: one variable a line, from the top of the diagrams down.

use crate::system::{System, VariableId};
use rustc_hash::FxHashMap;

/// The order that a file asks for. Lines may name a bit (`x.2` for `x`): the first one counts.
/// Unknown names are ignored; variables that are not named follow in the order of declaration.
pub fn order_from_file(system: &System, text: &str) -> Vec<VariableId> {
    let names: FxHashMap<&str, VariableId> = system
        .variable_ids()
        .map(|id| (system.variable(id).name.as_str(), id))
        .collect();
    let mut placed = vec![false; system.variables.len()];
    let mut order = Vec::with_capacity(placed.len());
    let mut place = |id: VariableId| {
        if !std::mem::replace(&mut placed[id.index()], true) {
            order.push(id);
        }
    };
    for line in text.lines() {
        let name = line.trim();
        let bit_of = || {
            let (base, bit) = name.rsplit_once('.')?;
            bit.bytes()
                .all(|byte| byte.is_ascii_digit())
                .then_some(base)
        };
        let found = names.get(name).or_else(|| names.get(bit_of()?));
        if let Some(&id) = found {
            place(id);
        }
    }
    system.variable_ids().for_each(place);
    order
}

/// The lines of an order file that name no variable of the system.
pub fn unknown_names<'t>(system: &System, text: &'t str) -> Vec<&'t str> {
    let names: rustc_hash::FxHashSet<&str> = system
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    let known = |name: &str| {
        let base = name.rsplit_once('.').map(|(base, _)| base);
        names.contains(name) || base.is_some_and(|base| names.contains(base))
    };
    let lines = text.lines().map(str::trim).filter(|name| !name.is_empty());
    lines.filter(|name| !known(name)).collect()
}
