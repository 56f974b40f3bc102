//! Networks and inductive sets in the languages of Munta, a checker of certificates that is verified in Isabelle/HOL.
//!
//! S. Wimmer and J. von Mutius, "Verified Certification of Reachability Checking for Timed Automata" (TACAS 2020). Three files
//! go to its certificate checker: the model with a formula (JSON), the numbers of names in the certificate (JSON), and the
//! certificate, a list of discrete states with zones (64-bit numbers, the most significant byte first):
//!
//! > 42, processes, clocks + 1, variables, number of discrete states; for each: a location for each process, a value for each
//! > variable, number of zones; for each zone a row-major matrix of bounds, 2·v + 1 for ≤ v, 2·v for < v, 2^63 − 1 for none.
//!
//! Its networks have clocks that are compared with numbers and set to 0, and integers that start at 0; ours start anywhere
//! and are written less their start. Where its rules differ from UPPAAL's, the network is changed or refused:
//!
//! - Time passes in committed locations: they are urgent as well.
//! - A receiver writes before its sender: refused where that matters.
//! - Assignments of an edge happen at once: what was assigned before is put in.
//! - An edge that leaves a range is not there: the certificate proves that none does.
//! - Locations, clocks and variables that no edge mentions do not exist; where a process starts there must be an edge.

mod condition;
mod names;
mod update;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;

use merkhet_network::{
    ChannelKind, ClockConstraint, Edge, Formula, LocationId, LocationKind, Network, ProcessId,
    Query, QueryKind, Sync,
};

use crate::convert::NotConvertible;
use condition::Truth;
use names::Names;

/// A network and a query for Munta.
#[derive(Clone, Debug)]
pub struct Munta {
    /// The model with the formula that the certificate proves wrong.
    pub model: String,
    /// The numbers of names in the certificate.
    pub renaming: String,
    /// Whether it is asked for deadlocks, in place of the formula.
    pub deadlock: bool,
    layout: Layout,
}

/// What of a network's states stands in a certificate, and in which order.
#[derive(Clone, Debug, Default)]
struct Layout {
    /// By process and location its number; none for locations without edges.
    locations: Vec<Vec<Option<u32>>>,
    /// The cells, each with its value at the start.
    cells: Vec<(usize, i32)>,
    clocks: Vec<usize>,
}

/// All states with the same discrete part, with zones as certificates have them; `i32::MAX` for no bound.
pub struct States<'s> {
    /// The location of each process.
    pub locations: &'s [u32],
    /// The values of the cells.
    pub cells: &'s [i32],
    /// Row-major matrices over all clocks.
    pub zones: &'s [Vec<i32>],
}

/// What writes a network: it notes which variables and clocks occur.
struct Exporter<'n> {
    network: &'n Network,
    names: Names,
    cells: RefCell<BTreeSet<usize>>,
    clocks: RefCell<BTreeSet<usize>>,
}

fn refuse<T>(what: impl Into<String>) -> Result<T, NotConvertible> {
    Err(NotConvertible(what.into()))
}

/// Writes a network for Munta; the query must be one about reachable states. What Munta cannot say is an error.
pub fn munta(network: &Network, query: &Query) -> Result<Munta, NotConvertible> {
    let exporter = Exporter {
        network,
        names: Names::of(network),
        cells: RefCell::default(),
        clocks: RefCell::default(),
    };
    exporter.permitted()?;
    let (bad, positive) = match &query.kind {
        QueryKind::Possibly(formula) => (formula, true),
        QueryKind::Invariantly(formula) => (formula, false),
        _ => return refuse("its certificates are about E<> and A[] only"),
    };
    let mut locations = Vec::new();
    let mut automata = Vec::new();
    for process in network.process_ids() {
        let (text, numbers) = exporter.automaton(process)?;
        automata.push(text);
        locations.push(numbers);
    }
    let deadlock = asks_deadlock(bad, positive);
    let formula = match deadlock {
        true => exporter.somewhere(true),
        false => exporter.formula(bad, positive, &locations)?,
    };
    let cells: Vec<usize> = exporter.cells.borrow().iter().copied().collect();
    let clocks: Vec<usize> = exporter.clocks.borrow().iter().copied().collect();
    let layout = Layout {
        locations,
        cells: (cells.iter())
            .map(|&cell| (cell, network.state_cells[cell].initial))
            .collect(),
        clocks,
    };
    Ok(Munta {
        model: exporter.model(&automata, &layout, &formula),
        renaming: exporter.renaming(&layout),
        deadlock,
        layout,
    })
}

/// Whether a query looks for a deadlock and nothing else.
fn asks_deadlock(formula: &Formula, positive: bool) -> bool {
    match formula {
        Formula::Deadlock => positive,
        Formula::Not(inner) => asks_deadlock(inner, !positive),
        _ => false,
    }
}

impl Munta {
    /// Writes the certificate of these states.
    pub fn certificate<'s>(
        &self,
        states: impl ExactSizeIterator<Item = States<'s>>,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        let layout = &self.layout;
        let mut number = |value: i64| out.write_all(&value.to_be_bytes());
        number(42)?;
        number(layout.locations.len() as i64)?;
        number(layout.clocks.len() as i64 + 1)?;
        number(layout.cells.len() as i64)?;
        number(states.len() as i64)?;
        for state in states {
            for (numbers, &location) in layout.locations.iter().zip(state.locations) {
                let Some(Some(at)) = numbers.get(location as usize) else {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidInput,
                        "a location without edges is said to be reached",
                    ));
                };
                number(i64::from(*at))?;
            }
            for &(cell, initial) in &layout.cells {
                number(i64::from(state.cells[cell]) - i64::from(initial))?;
            }
            number(state.zones.len() as i64)?;
            for zone in state.zones {
                let dimension = zone.len().isqrt();
                let rows = || std::iter::once(0).chain(layout.clocks.iter().map(|clock| clock + 1));
                for row in rows() {
                    for column in rows() {
                        number(match zone[row * dimension + column] {
                            i32::MAX => i64::MAX,
                            bound => i64::from(bound),
                        })?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Exporter<'_> {
    /// Refuses what stands outside processes and has no counterpart.
    fn permitted(&self) -> Result<(), NotConvertible> {
        let network = self.network;
        if network.has_priorities() {
            return refuse("priorities cannot be said");
        }
        if network.channels.iter().any(|channel| channel.urgent) {
            return refuse("urgent channels cannot be said");
        }
        if !network.before_update.is_empty() || !network.after_update.is_empty() {
            return refuse("updates of every transition cannot be said");
        }
        if !network.vectors.is_empty() {
            return refuse("synchronisation vectors cannot be said");
        }
        self.independent_updates()
    }

    /// A process, and the numbers of its locations.
    fn automaton(&self, process: ProcessId) -> Result<(String, Vec<Option<u32>>), NotConvertible> {
        let automaton = self.network.process(process);
        let mut edges = Vec::new();
        let mut used = vec![false; automaton.locations.len()];
        for edge in &automaton.edges {
            if let Some(text) = self.edge(edge)? {
                used[edge.source.index()] = true;
                used[edge.target.index()] = true;
                edges.push(text);
            }
        }
        let initial = automaton.initial;
        let leaves = |edge: &&Edge| edge.source == initial;
        if !used[initial.index()] || !automaton.edges.iter().any(|edge| leaves(&edge)) {
            // An edge that is never taken: nobody else knows its channel.
            used[initial.index()] = true;
            edges.push(edge_text(
                initial,
                initial,
                "",
                &format!("{}!", self.names.never),
                "",
            ));
        }
        let mut numbers = Vec::new();
        let mut next = 0;
        for used in &used {
            numbers.push(used.then_some(next));
            next += u32::from(*used);
        }
        let (mut nodes, mut committed, mut urgent) = (Vec::new(), Vec::new(), Vec::new());
        for (index, location) in automaton.locations.iter().enumerate() {
            if !used[index] {
                continue;
            }
            let invariant = &location.invariant;
            if !invariant.rates.is_empty() {
                return refuse("clocks that stand still cannot be said");
            }
            if invariant.data.is_some() {
                return refuse("invariants on variables cannot be said");
            }
            let Some(constraints) = self.constraints(&invariant.clocks)? else {
                return refuse("an invariant that never holds cannot be said");
            };
            let name = &self.names.locations[process.index()][index];
            nodes.push(format!(
                "{{\"id\": {index}, \"name\": \"{name}\", \"invariant\": \"{}\"}}",
                constraints.join(" && ")
            ));
            match location.kind {
                LocationKind::Normal => {}
                LocationKind::Urgent => urgent.push(index.to_string()),
                LocationKind::Committed => {
                    committed.push(index.to_string());
                    urgent.push(index.to_string());
                }
            }
        }
        let text = format!(
            "    {{\n      \"name\": \"{}\",\n      \"initial\": {},\n      \"committed\": [{}],\n      \"urgent\": [{}],\n      \
             \"nodes\": [\n        {}\n      ],\n      \"edges\": [\n        {}\n      ]\n    }}",
            self.names.processes[process.index()],
            initial.index(),
            committed.join(", "),
            urgent.join(", "),
            nodes.join(",\n        "),
            edges.join(",\n        ")
        );
        Ok((text, numbers))
    }

    /// An edge, unless it can never be taken.
    fn edge(&self, edge: &Edge) -> Result<Option<String>, NotConvertible> {
        let mut guard = match &edge.guard.data {
            None => Vec::new(),
            Some(data) => match self.data_guard(data)? {
                Truth::Never => return Ok(None),
                Truth::Always => Vec::new(),
                Truth::Where(text) => vec![text],
            },
        };
        let Some(constraints) = self.constraints(&edge.guard.clocks)? else {
            return Ok(None);
        };
        let label = match edge.sync {
            Sync::Internal => String::new(),
            Sync::Event(_) => return refuse("events cannot be said"),
            Sync::Send(channel) => format!("{}!", self.names.channels[channel.index()]),
            Sync::Receive(channel) => {
                let broadcast =
                    self.network.channels[channel.index()].kind == ChannelKind::Broadcast;
                if broadcast && !constraints.is_empty() {
                    return refuse("clock guards of broadcast receivers cannot be said");
                }
                format!("{}?", self.names.channels[channel.index()])
            }
        };
        guard.extend(constraints);
        let update = self.update(&edge.update)?;
        let (source, target) = (edge.source, edge.target);
        Ok(Some(edge_text(
            source,
            target,
            &guard.join(" && "),
            &label,
            &update,
        )))
    }

    /// Constraints of clocks; `None` if they never hold.
    fn constraints(&self, all: &[ClockConstraint]) -> Result<Option<Vec<String>>, NotConvertible> {
        let mut texts = Vec::new();
        for constraint in all {
            if let Some(condition) = &constraint.condition {
                match self.data_guard(condition)? {
                    Truth::Always => {}
                    Truth::Never => continue,
                    Truth::Where(_) => {
                        return refuse(
                            "constraints of clocks that depend on variables cannot be said",
                        );
                    }
                }
            }
            let Some(bound) = self.constant(&constraint.bound) else {
                return refuse("bounds of clocks that depend on variables cannot be said");
            };
            let (clock, text) = match (constraint.left, constraint.right) {
                (Some(clock), None) => {
                    if bound < 0 || bound == 0 && constraint.strict {
                        return Ok(None);
                    }
                    (
                        clock,
                        format!("{} {bound}", if constraint.strict { "<" } else { "<=" }),
                    )
                }
                (None, Some(clock)) => {
                    if bound > 0 || bound == 0 && !constraint.strict {
                        continue;
                    }
                    (
                        clock,
                        format!("{} {}", if constraint.strict { ">" } else { ">=" }, -bound),
                    )
                }
                _ => return refuse("differences of clocks cannot be said"),
            };
            self.clocks.borrow_mut().insert(clock.index());
            texts.push(format!("{} {text}", self.names.clocks[clock.index()]));
        }
        Ok(Some(texts))
    }

    /// A formula about locations and variables.
    fn formula(
        &self,
        formula: &Formula,
        positive: bool,
        locations: &[Vec<Option<u32>>],
    ) -> Result<String, NotConvertible> {
        Ok(match self.state_formula(formula, positive, locations)? {
            Truth::Always => self.somewhere(true),
            Truth::Never => self.somewhere(false),
            Truth::Where(text) => text,
        })
    }

    fn state_formula(
        &self,
        formula: &Formula,
        positive: bool,
        locations: &[Vec<Option<u32>>],
    ) -> Result<Truth, NotConvertible> {
        let all = |parts: &[Formula]| {
            let parts = parts
                .iter()
                .map(|part| self.state_formula(part, positive, locations));
            parts.collect::<Result<Vec<_>, _>>()
        };
        match formula {
            Formula::Data(expr) => self.condition(expr, positive, Some(locations)),
            Formula::Clock(_) => refuse("formulas about clocks cannot be said"),
            Formula::Deadlock => refuse("deadlock inside a formula cannot be said"),
            Formula::Not(inner) => self.state_formula(inner, !positive, locations),
            Formula::And(parts) => Ok(Truth::joined(all(parts)?, positive)),
            Formula::Or(parts) => Ok(Truth::joined(all(parts)?, !positive)),
        }
    }

    /// A formula that holds everywhere, or nowhere: there is no word for it.
    fn somewhere(&self, everywhere: bool) -> String {
        let first = &self.network.processes[0];
        let name = &self.names.locations[0][first.initial.index()];
        let at = format!("{}.{name}", self.names.processes[0]);
        let sign = if everywhere { "||" } else { "&&" };
        format!("({at} {sign} !({at}))")
    }

    fn model(&self, automata: &[String], layout: &Layout, formula: &str) -> String {
        let network = self.network;
        let clocks: Vec<&str> = (layout.clocks.iter())
            .map(|&clock| &self.names.clocks[clock][..])
            .collect();
        let vars: Vec<String> = (layout.cells.iter())
            .map(|&(cell, initial)| {
                let known = &network.state_cells[cell];
                let (low, high) = (i64::from(known.low), i64::from(known.high));
                let initial = i64::from(initial);
                format!(
                    "{}[{}:{}]",
                    self.names.cells[cell],
                    low - initial,
                    high - initial
                )
            })
            .collect();
        let broadcast: Vec<String> = (network.channels.iter().zip(&self.names.channels))
            .filter(|(channel, _)| channel.kind == ChannelKind::Broadcast)
            .map(|(_, name)| format!("\"{name}\""))
            .collect();
        format!(
            "{{\n  \"automata\": [\n{}\n  ],\n  \"clocks\": \"{}\",\n  \"vars\": \"{}\",\n  \"broadcast\": [{}],\n  \
             \"formula\": \"E<> {formula}\"\n}}\n",
            automata.join(",\n"),
            clocks.join(", "),
            vars.join(", "),
            broadcast.join(", "),
        )
    }

    fn renaming(&self, layout: &Layout) -> String {
        let object = |rows: Vec<(String, usize)>| {
            let rows: Vec<String> = (rows.into_iter())
                .map(|(name, number)| format!("\"{name}\": {number}"))
                .collect();
            format!("{{{}}}", rows.join(", "))
        };
        let cells = layout
            .cells
            .iter()
            .map(|(cell, _)| self.names.cells[*cell].clone());
        let clocks = layout
            .clocks
            .iter()
            .map(|clock| self.names.clocks[*clock].clone());
        let processes = self.names.processes.iter().cloned();
        let mut locations = String::new();
        for (index, numbers) in layout.locations.iter().enumerate() {
            let rows = numbers.iter().enumerate();
            let rows = rows.filter_map(|(id, number)| Some((id.to_string(), (*number)? as usize)));
            let comma = if index > 0 { ",\n    " } else { "" };
            let name = &self.names.processes[index];
            let _ = write!(locations, "{comma}\"{name}\": {}", object(rows.collect()));
        }
        format!(
            "{{\n  \"vars\": {},\n  \"clocks\": {},\n  \"processes\": {},\n  \"locations\": {{\n    {locations}\n  }}\n}}\n",
            object(cells.zip(0..).collect()),
            object(clocks.zip(1..).collect()),
            object(processes.zip(0..).collect()),
        )
    }
}

fn edge_text(
    source: LocationId,
    target: LocationId,
    guard: &str,
    label: &str,
    update: &str,
) -> String {
    format!(
        "{{\"source\": {}, \"target\": {}, \"guard\": \"{guard}\", \"label\": \"{label}\", \"update\": \"{update}\"}}",
        source.index(),
        target.index()
    )
}
