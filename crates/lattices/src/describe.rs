//! Configurations in words.

use merkhet_network::Network;

use crate::order::Orders;

/// The locations of a state, as `P.a, Q.b`.
pub(crate) fn locations(network: &Network, memory: &[i32]) -> String {
    let names = network
        .processes
        .iter()
        .zip(memory)
        .map(|(process, location)| {
            let location = process.locations.get(*location as usize);
            let location = location.map_or("?", |location| location.name.as_str());
            format!("{}.{location}", process.name)
        });
    shortened(names.collect(), 12)
}

/// The lattice variables of a state, as `v = {1,0}`: those with one of the cells that a join has changed, or all if that is not
/// known.
pub(crate) fn elements(orders: &Orders<'_>, memory: &[i32], changed: &[usize]) -> String {
    let names = &orders.network.lattice_variables;
    let all =
        (changed.iter()).all(|cell| !orders.slots.iter().any(|slot| slot.cells.contains(cell)));
    let values = orders.slots.iter().zip(names);
    let values =
        values.filter(|(slot, _)| all || changed.iter().any(|cell| slot.cells.contains(cell)));
    let values = values.map(|(slot, variable)| {
        format!(
            "{} = {}",
            variable.name,
            element(&memory[slot.cells.clone()])
        )
    });
    shortened(values.collect(), 6)
}

/// The cells of an element.
pub(crate) fn element(cells: &[i32]) -> String {
    let cells: Vec<String> = cells.iter().map(i32::to_string).collect();
    match &cells[..] {
        [one] => one.clone(),
        _ => format!("{{{}}}", shortened(cells, 24)),
    }
}

fn shortened(mut parts: Vec<String>, most: usize) -> String {
    if parts.len() > most {
        parts.truncate(most);
        parts.push("…".into());
    }
    parts.join(", ")
}
