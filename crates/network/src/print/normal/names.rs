//! Names that are identifiers, different from each other and from keywords.

use std::collections::HashSet;

use crate::ids::ProcessId;
use crate::network::Network;

/// Words that UPPAAL reserves or declares itself.
const RESERVED: &[&str] = &[
    "chan",
    "clock",
    "bool",
    "int",
    "double",
    "string",
    "const",
    "meta",
    "hybrid",
    "urgent",
    "broadcast",
    "void",
    "struct",
    "typedef",
    "scalar",
    "state",
    "commit",
    "branchpoint",
    "init",
    "trans",
    "select",
    "guard",
    "sync",
    "assign",
    "probability",
    "process",
    "system",
    "priority",
    "default",
    "before_update",
    "after_update",
    "progress",
    "gantt",
    "query",
    "for",
    "while",
    "do",
    "if",
    "else",
    "return",
    "break",
    "continue",
    "switch",
    "case",
    "assert",
    "forall",
    "exists",
    "sum",
    "and",
    "or",
    "xor",
    "not",
    "imply",
    "true",
    "false",
    "deadlock",
    "abs",
    "import",
    "dynamic",
    "INT8_MIN",
    "INT8_MAX",
    "UINT8_MAX",
    "INT16_MIN",
    "INT16_MAX",
    "UINT16_MAX",
    "INT32_MIN",
    "INT32_MAX",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
];

/// Hands out identifiers that have not been used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mangler {
    taken: HashSet<String>,
}

impl Mangler {
    /// Never hands out this one.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.into());
    }

    /// An identifier as near to the name as possible: `Q(0)` becomes `Q_0_`.
    pub fn name(&mut self, wanted: &str) -> String {
        let mut base: String = wanted
            .chars()
            .map(|letter| match letter {
                letter if letter.is_ascii_alphanumeric() => letter,
                _ => '_',
            })
            .collect();
        if base.is_empty() || base.starts_with(|first: char| first.is_ascii_digit()) {
            base.insert(0, '_');
        }
        let mut name = base.clone();
        let mut number = 2;
        while RESERVED.contains(&name.as_str()) || self.taken.contains(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }
}

/// The part of a name after the process that owns it.
pub(crate) fn own_part<'a>(name: &'a str, process: &str) -> &'a str {
    name.strip_prefix(process)
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(name)
}

/// Renames everything in a network. Processes come first: queries refer to them.
pub(super) fn rename(network: &mut Network) {
    let mut global = Mangler::default();
    let old: Vec<String> = network
        .processes
        .iter()
        .map(|process| process.name.clone())
        .collect();
    for process in &mut network.processes {
        process.name = global.name(&process.name);
        process.template = process.name.clone();
    }
    for channel in &mut network.channels {
        channel.name = global.name(&channel.name);
    }
    for variable in network
        .variables
        .iter_mut()
        .filter(|variable| variable.owner.is_none())
    {
        variable.name = global.name(&variable.name);
    }
    for clock in network
        .clocks
        .iter_mut()
        .filter(|clock| clock.owner.is_none())
    {
        clock.name = global.name(&clock.name);
    }
    let mut names = global.clone();
    for (index, old) in old.iter().enumerate() {
        let mut local = global.clone();
        let owner = Some(ProcessId::from(index));
        let process = network.processes[index].name.clone();
        let mut own = HashSet::new();
        let mut rename = |name: &mut String| {
            let short = local.name(own_part(name, old));
            *name = format!("{process}.{short}");
            own.insert(short);
        };
        for variable in network
            .variables
            .iter_mut()
            .filter(|variable| variable.owner == owner)
        {
            rename(&mut variable.name);
        }
        for clock in network
            .clocks
            .iter_mut()
            .filter(|clock| clock.owner == owner)
        {
            rename(&mut clock.name);
        }
        names.taken.extend(own.iter().cloned());
        let mut locations = Mangler { taken: own };
        for location in &mut network.processes[index].locations {
            location.name = locations.name(&location.name);
        }
    }
    // Locals may stand in any scope: their names differ from all others.
    for local in &mut network.locals {
        let wanted = if local.name.is_empty() {
            "t"
        } else {
            &local.name
        };
        local.name = names.name(wanted);
    }
}
