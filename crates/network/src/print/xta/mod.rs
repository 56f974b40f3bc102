//! XTA that reads back into an equal network.
//!
//! The normal form of the network is printed ([`super::normalised`]): one template without parameters for each process.
//! What UPPAAL's syntax cannot say in place (statements inside a condition, loops in an update, the check of a range in
//! the middle of an expression) goes into functions whose names begin with [`super::INLINE`]; the normal form of what is
//! read back has them inlined again.

mod body;
mod clocks;
mod outline;
mod scopes;

use std::fmt;

use super::normal::{self, Mangler, own_part};
use super::objects::Objects;
use super::{Names, Writer};
use crate::ids::{FunctionId, LocationId, ProcessId};
use crate::memory::Shape;
use crate::network::{Edge, LocationKind, Network, OutOfRange, Process, Sync};
use scopes::Scopes;

/// Why a network has no XTA form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unprintable(pub String);

impl fmt::Display for Unprintable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "XTA has no way to write {}", self.0)
    }
}

impl std::error::Error for Unprintable {}

/// The network as XTA.
pub fn xta(network: &Network) -> Result<String, Unprintable> {
    if !network.vectors.is_empty() || !network.events.is_empty() {
        return Err(Unprintable("synchronisation vectors".into()));
    }
    if network.out_of_range != OutOfRange::Fault {
        return Err(Unprintable(
            "assignments that disable their transition".into(),
        ));
    }
    let normal = outline::outlined(&normal::with_function_names(network));
    let objects = Objects::of(&normal);
    let scopes = Scopes::of(&normal, &objects)?;
    let source = network.lattice_source.clone().unwrap_or_default();
    if let Some(problem) = source.problem {
        return Err(Unprintable(problem));
    }
    let (names, structures) = names(&normal, &source.names)?;
    let writer = Writer {
        network: &normal,
        objects,
        problem: std::cell::RefCell::new(None),
        names,
        references: scopes.references.clone(),
        constant_references: scopes.loop_variables.clone(),
        structures,
    };
    let text = Printer {
        writer: &writer,
        scopes: &scopes,
    }
    .all(source.text);
    match writer.problem.into_inner() {
        Some(problem) => Err(Unprintable(problem)),
        None => Ok(text),
    }
}

/// All names as they stand in declarations, functions and types included.
#[allow(clippy::type_complexity)]
fn names(
    network: &Network,
    taken: &[String],
) -> Result<(Names, Vec<(Shape, String)>), Unprintable> {
    let own = |name: &str, owner: Option<ProcessId>| match owner {
        Some(process) => own_part(name, &network.process(process).name).to_string(),
        None => name.to_string(),
    };
    let mut names = Names {
        variables: (network.variables.iter())
            .map(|variable| own(&variable.name, variable.owner))
            .collect(),
        clocks: network
            .clocks
            .iter()
            .map(|clock| own(&clock.name, clock.owner))
            .collect(),
        channels: network
            .channels
            .iter()
            .map(|channel| channel.name.clone())
            .collect(),
        functions: Vec::new(),
        clock_arrays: Vec::new(),
    };
    let mut mangler = Mangler::default();
    taken.iter().for_each(|name| mangler.take(name));
    let processes = network.processes.iter().map(|process| &process.name);
    let locals = network.locals.iter().map(|local| &local.name);
    let declared = names
        .variables
        .iter()
        .chain(&names.clocks)
        .chain(&names.channels);
    declared
        .chain(processes)
        .chain(locals)
        .for_each(|name| mangler.take(name));
    for function in &network.functions {
        let short = function.name.rsplit('.').next().unwrap_or_default();
        names.functions.push(mangler.name(short));
    }
    names.clock_arrays = clocks::arrays(network, &names.clocks, &mut mangler)?;
    let mut structures = Vec::new();
    let variables = network.variables.iter().map(|variable| &variable.shape);
    for shape in variables.chain(network.locals.iter().map(|local| &local.shape)) {
        add_structures(shape, &mut mangler, &mut structures);
    }
    Ok((names, structures))
}

/// Structure types, inner ones first.
fn add_structures(shape: &Shape, mangler: &mut Mangler, into: &mut Vec<(Shape, String)>) {
    match shape {
        Shape::Array { element, .. } => add_structures(element, mangler, into),
        Shape::Struct { fields } => {
            fields
                .iter()
                .for_each(|(_, field)| add_structures(field, mangler, into));
            if !into.iter().any(|(known, _)| known == shape) {
                let name = mangler.name(&format!("struct_{}", into.len() + 1));
                into.push((shape.clone(), name));
            }
        }
        _ => {}
    }
}

struct Printer<'w, 'n> {
    writer: &'w Writer<'n>,
    scopes: &'w Scopes,
}

impl Printer<'_, '_> {
    /// Everything, after declarations that are given as they are.
    fn all(&self, first: String) -> String {
        let network = self.writer.network;
        let mut out = first;
        for (shape, name) in &self.writer.structures {
            if let Shape::Struct { fields } = shape {
                out += &format!("typedef {} {name};\n", self.writer.structure(fields));
            }
        }
        for channel in &network.channels {
            out += &format!("{} {};\n", Writer::channel_kind(channel), channel.name);
        }
        self.channel_priorities(&mut out);
        self.declarations(None, "", &mut out);
        for (word, statements) in [
            ("before_update", &network.before_update),
            ("after_update", &network.after_update),
        ] {
            if !statements.is_empty() {
                out += &format!("{word} {{ {} }}\n", self.writer.update(statements));
            }
        }
        for index in 0..network.processes.len() {
            self.process(ProcessId::from(index), &mut out);
        }
        self.system(&mut out);
        out
    }

    fn channel_priorities(&self, out: &mut String) {
        let channels = &self.writer.network.channels;
        let mut levels: Vec<i32> = channels
            .iter()
            .map(|channel| channel.priority)
            .chain([0])
            .collect();
        levels.sort_unstable();
        levels.dedup();
        if levels.len() == 1 {
            return;
        }
        let groups: Vec<String> = levels
            .iter()
            .map(|level| match level {
                0 => "default".into(),
                level => {
                    let members = channels.iter().filter(|channel| channel.priority == *level);
                    members
                        .map(|channel| channel.name.as_str())
                        .collect::<Vec<_>>()
                        .join(", ")
                }
            })
            .collect();
        *out += &format!("chan priority {};\n", groups.join(" < "));
    }

    /// Variables, clocks and functions of a process, or the global ones.
    fn declarations(&self, owner: Option<ProcessId>, indent: &str, out: &mut String) {
        let network = self.writer.network;
        for (variable, name) in network.variables.iter().zip(&self.writer.names.variables) {
            if variable.owner == owner {
                *out += &format!("{indent}{}\n", self.writer.variable(name, variable));
            }
        }
        let mut index = 0;
        while index < network.clocks.len() {
            let array =
                (self.writer.names.clock_arrays.iter()).find(|array| array.first as usize == index);
            if network.clocks[index].owner == owner {
                *out += &match array {
                    Some(array) => {
                        let dimensions: Vec<String> = array
                            .dimensions
                            .iter()
                            .map(|(_, length)| format!("[{length}]"))
                            .collect();
                        format!("{indent}clock {}{};\n", array.name, dimensions.concat())
                    }
                    None => format!("{indent}clock {};\n", self.writer.names.clocks[index]),
                };
            }
            index += array.map_or(1, |array| array.count as usize);
        }
        for id in &self.scopes.order {
            if self.scopes.owners[id.index()] == owner {
                self.function(*id, indent, out);
            }
        }
    }

    fn function(&self, id: FunctionId, indent: &str, out: &mut String) {
        *out += &format!("{indent}{} {{\n", self.writer.function_head(id));
        body::body(self.writer, self.scopes, id, indent.len() / 4 + 1, out);
        *out += &format!("{indent}}}\n");
    }

    fn process(&self, id: ProcessId, out: &mut String) {
        let process = self.writer.network.process(id);
        *out += &format!("process {}() {{\n", process.name);
        self.declarations(Some(id), "    ", out);
        let states: Vec<String> = process
            .locations
            .iter()
            .map(
                |location| match self.writer.invariant(&location.invariant) {
                    invariant if invariant.is_empty() => location.name.clone(),
                    invariant => format!("{} {{ {invariant} }}", location.name),
                },
            )
            .collect();
        *out += &format!("    state\n        {};\n", states.join(",\n        "));
        for (word, kind) in [
            ("commit", LocationKind::Committed),
            ("urgent", LocationKind::Urgent),
        ] {
            let members = process
                .locations
                .iter()
                .filter(|location| location.kind == kind);
            let members: Vec<&str> = members.map(|location| location.name.as_str()).collect();
            if !members.is_empty() {
                *out += &format!("    {word} {};\n", members.join(", "));
            }
        }
        *out += &format!(
            "    init {};\n",
            process.locations[process.initial.index()].name
        );
        let edges: Vec<String> = process
            .edges
            .iter()
            .map(|edge| self.edge(process, edge))
            .collect();
        if !edges.is_empty() {
            *out += &format!("    trans\n        {};\n", edges.join(",\n        "));
        }
        *out += "}\n";
    }

    fn edge(&self, process: &Process, edge: &Edge) -> String {
        let name = |location: LocationId| &process.locations[location.index()].name;
        let mut labels = String::new();
        let guard = self.writer.guard(&edge.guard);
        if !guard.is_empty() {
            labels += &format!(" guard {guard};");
        }
        if edge.sync != Sync::Internal {
            labels += &format!(" sync {};", self.writer.sync(edge.sync));
        }
        if !edge.update.is_empty() {
            labels += &format!(" assign {};", self.writer.update(&edge.update));
        }
        format!(
            "{} -> {} {{{labels} }}",
            name(edge.source),
            name(edge.target)
        )
    }

    fn system(&self, out: &mut String) {
        let processes = &self.writer.network.processes;
        if !processes.is_sorted_by_key(|process| process.priority) {
            self.writer
                .complain(|| "priorities of processes that do not follow their order".into());
        }
        let mut line = String::new();
        for (index, process) in processes.iter().enumerate() {
            if index > 0 {
                let rises = processes[index - 1].priority < process.priority;
                line += if rises { " < " } else { ", " };
            }
            line += &process.name;
        }
        *out += &format!("system {line};\n");
    }
}
