//! Checking a certificate of boxes: the answer of a search that covered or joined lattice elements.
//!
//! An entry with a row of largest values stands for all states of its locations whose cells lie between its two rows.
//! Checked is that
//!
//! 1. the initial state is in a box;
//! 2. no state of a box that satisfies the invariants is bad;
//! 3. every state that a transition reaches from a state of a box is in a box.
//!
//! *Then every reachable state is in a box, and none is bad*: by induction over the length of a run. The search found the
//! boxes with the order of the lattices: a box holds an element and all that are below it. The check knows nothing of
//! orders, joins or monotonicity: it follows guards and updates with all states of a box at once ([`values`]), and takes
//! for possible whatever it cannot rule out. So it can refuse a right certificate, and it never accepts a wrong one.
//!
//! With clocks, an entry stands for its box with the valuations of its zones. A zone is followed as a whole: of bounds that
//! differ from state to state the weakest counts ([`clocks`]), urgent channels stop no time, and checked besides is that
//!
//! 4. every state that a delay reaches from a state of a box is in a box.
//!
//! It rests on the interval arithmetic of [`merkhet_network::interval`], and on this: an evaluation that fails ends a
//! run. What is proved is that no run in which every evaluation ends well reaches a bad state. Not looked into are clocks
//! that stand still, priorities, n-ary synchronisation and queries about deadlock: they are refused.

mod clocks;
mod effects;
mod values;

use std::collections::HashMap;

use merkhet_network::{
    ChannelKind, Edge, Formula, LocationId, LocationKind, Network, OutOfRange, ProcessId, Sync,
};

use super::certificate::{Certificate, INFINITY};
use super::certify::Refusal;
use super::zone::{NO_BOUND, Zone};
use effects::Effects;
use values::{Part, Reader, TooMuch};

/// Ways to combine the edges of one synchronisation.
const MOST_COMBINATIONS: usize = 1 << 16;

/// Checks a certificate with boxes.
pub(super) fn check(
    network: &Network,
    bad: Option<(&Formula, bool)>,
    certificate: &Certificate,
) -> Result<(), Refusal> {
    let refuse = |reason: &str| Refusal {
        entry: None,
        reason: reason.into(),
    };
    let mut locations = network
        .processes
        .iter()
        .flat_map(|process| &process.locations);
    if locations.any(|location| !location.invariant.rates.is_empty()) {
        return Err(refuse("boxes are for models whose clocks run at one rate"));
    }
    if network.has_priorities() || !network.vectors.is_empty() {
        return Err(refuse(
            "boxes are for models without priorities and n-ary synchronisation",
        ));
    }
    if network.out_of_range == OutOfRange::Disable {
        return Err(refuse(
            "boxes are for models in which values outside their ranges are faults",
        ));
    }
    let checker = Checker::new(network, bad, certificate)?;
    checker.initial()?;
    for (number, one) in checker.boxes.iter().enumerate() {
        checker.entry(one).map_err(|reason| Refusal {
            entry: Some(number),
            reason,
        })?;
    }
    Ok(())
}

struct Boxed {
    locations: Vec<LocationId>,
    low: Vec<i32>,
    high: Vec<i32>,
    zones: Vec<Zone>,
}

struct Checker<'n> {
    network: &'n Network,
    bad: Option<(&'n Formula, bool)>,
    boxes: Vec<Boxed>,
    /// Boxes by locations and by the cells that have one value in each of them.
    index: HashMap<(Vec<LocationId>, Vec<i32>), Vec<usize>>,
    plain: Vec<usize>,
    effects: Effects,
}

type Checked<T> = Result<T, String>;

fn given_up(_: TooMuch) -> String {
    "it takes more steps than are made, or something that is not looked into".into()
}

impl<'n> Checker<'n> {
    fn new(
        network: &'n Network,
        bad: Option<(&'n Formula, bool)>,
        certificate: &Certificate,
    ) -> Result<Checker<'n>, Refusal> {
        let mut boxes = Vec::new();
        for (number, entry) in certificate.entries.iter().enumerate() {
            let high = entry.tops.as_ref().unwrap_or(&entry.cells);
            let fits = entry.locations.len() == network.processes.len()
                && entry.cells.len() == network.state_cells.len()
                && high.len() == entry.cells.len()
                && entry.cells.iter().zip(high).all(|(low, high)| low <= high)
                && (entry.locations.iter().zip(&network.processes))
                    .all(|(&at, process)| (at as usize) < process.locations.len());
            let zones = match fits {
                true => zones(network, &entry.zones),
                false => None,
            };
            let Some(zones) = zones else {
                return Err(Refusal {
                    entry: Some(number),
                    reason: "a box that the model does not have".into(),
                });
            };
            boxes.push(Boxed {
                locations: entry.locations.iter().map(|&at| LocationId(at)).collect(),
                low: entry.cells.clone(),
                high: high.clone(),
                zones,
            });
        }
        let plain: Vec<usize> = (0..network.state_cells.len())
            .filter(|&cell| boxes.iter().all(|one| one.low[cell] == one.high[cell]))
            .collect();
        let mut index: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, one) in boxes.iter().enumerate() {
            let key = plain.iter().map(|&cell| one.low[cell]).collect();
            index
                .entry((one.locations.clone(), key))
                .or_default()
                .push(number);
        }
        Ok(Checker {
            network,
            effects: Effects::new(network),
            bad,
            boxes,
            index,
            plain,
        })
    }

    fn initial(&self) -> Result<(), Refusal> {
        let cells: Vec<i32> = self
            .network
            .state_cells
            .iter()
            .map(|cell| cell.initial)
            .collect();
        let locations: Vec<LocationId> = self.network.processes.iter().map(|p| p.initial).collect();
        let refuse = |reason: String| Refusal {
            entry: None,
            reason,
        };
        let origin = Zone::origin(network_dimension(self.network));
        let mut start = Part::new(&cells, &cells, origin);
        let mut reader = Reader::new(self.network, &self.effects, &locations);
        let starts = self.invariants(&mut reader, &mut start).map_err(refuse)?;
        match !starts || self.held(&locations, &start) {
            true => Ok(()),
            false => Err(refuse("the initial state is in no box".into())),
        }
    }

    /// Whether all states of a part are in one box.
    fn held(&self, locations: &[LocationId], part: &Part<'_>) -> bool {
        let mut key = Vec::with_capacity(self.plain.len());
        for &cell in &self.plain {
            match part.cell(cell).and_then(|values| values.as_point()) {
                Some(value) => key.push(value),
                None => return false,
            }
        }
        let Some(candidates) = self.index.get(&(locations.to_vec(), key)) else {
            return false;
        };
        candidates.iter().any(|&number| {
            let one = &self.boxes[number];
            (0..self.network.state_cells.len()).all(|cell| {
                part.cell(cell)
                    .is_some_and(|values| values.within(one.low[cell], one.high[cell]))
            }) && one.zones.iter().any(|zone| zone.includes(&part.zone))
        })
    }

    fn entry(&self, one: &Boxed) -> Checked<()> {
        (one.zones.iter()).try_for_each(|zone| self.entry_with(one, zone))
    }

    fn entry_with(&self, one: &Boxed, zone: &Zone) -> Checked<()> {
        let network = self.network;
        let mut here = Part::new(&one.low, &one.high, zone.clone());
        let mut reader = Reader::new(network, &self.effects, &one.locations);
        if !self.invariants(&mut reader, &mut here)? {
            return Ok(());
        }
        if let Some((formula, positive)) = self.bad
            && self.may_hold(&mut reader, &mut here.clone(), formula, positive)?
        {
            return Err("a state of the box may be bad".into());
        }
        self.delays(one, &here)?;
        let kind = |process: ProcessId| {
            network
                .location(process, one.locations[process.index()])
                .kind
        };
        let committed = |process| kind(process) == LocationKind::Committed;
        let hurry = network.process_ids().any(committed);
        for process in network.process_ids() {
            for edge in self.leaving(one, process) {
                let alone = !hurry || committed(process);
                match edge.sync {
                    Sync::Internal if alone => self.moved(one, &here, &[(process, edge)])?,
                    Sync::Send(channel) => {
                        for moved in self.synchronised(one, process, edge, channel)? {
                            if !hurry || moved.iter().any(|(process, _)| committed(*process)) {
                                self.moved(one, &here, &moved)?;
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Where delays lead is in a box.
    fn delays(&self, one: &Boxed, here: &Part<'_>) -> Checked<()> {
        let stopped = (self.network.process_ids()).any(|process| {
            let location = self
                .network
                .location(process, one.locations[process.index()]);
            location.kind != LocationKind::Normal
        });
        if stopped || self.network.clocks.is_empty() {
            return Ok(());
        }
        let mut later = here.clone();
        later.zone = here.zone.up(&here.zone.all_running());
        let mut reader = Reader::new(self.network, &self.effects, &one.locations);
        match !self.invariants(&mut reader, &mut later)? || self.held(&one.locations, &later) {
            true => Ok(()),
            false => Err("a delay leads out of all boxes".into()),
        }
    }

    fn leaving(&self, one: &Boxed, process: ProcessId) -> impl Iterator<Item = &'n Edge> + use<'n> {
        let at = one.locations[process.index()];
        let edges = &self.network.process(process).edges;
        edges.iter().filter(move |edge| edge.source == at)
    }

    /// The edges that may be taken together, the sender's first. That a receiver of a broadcast stays out is always
    /// taken for possible.
    fn synchronised(
        &self,
        one: &Boxed,
        sender: ProcessId,
        edge: &'n Edge,
        channel: merkhet_network::ChannelId,
    ) -> Checked<Vec<Vec<(ProcessId, &'n Edge)>>> {
        let broadcast = self.network.channels[channel.index()].kind == ChannelKind::Broadcast;
        let others = self
            .network
            .process_ids()
            .filter(|process| *process != sender);
        let start = vec![(sender, edge)];
        let mut all = vec![start.clone()];
        let mut pairs = Vec::new();
        for process in others {
            let receivers = || {
                self.leaving(one, process)
                    .filter(|edge| edge.sync == Sync::Receive(channel))
            };
            if !broadcast {
                pairs.extend(receivers().map(|receiver| vec![(sender, edge), (process, receiver)]));
                continue;
            }
            let mut next = all.clone();
            for taken in &all {
                for receiver in receivers() {
                    let mut taken = taken.clone();
                    taken.push((process, receiver));
                    next.push(taken);
                }
            }
            if next.len() > MOST_COMBINATIONS {
                return Err(given_up(TooMuch));
            }
            all = next;
        }
        Ok(if broadcast { all } else { pairs })
    }

    /// Where edges taken together lead is in a box.
    fn moved(&self, one: &Boxed, here: &Part<'_>, edges: &[(ProcessId, &Edge)]) -> Checked<()> {
        let network = self.network;
        let mut reader = Reader::new(network, &self.effects, &one.locations);
        let mut part = here.clone();
        for (_, edge) in edges {
            if let Some(guard) = &edge.guard.data
                && !reader.assume(&mut part, guard, true).map_err(given_up)?
            {
                return Ok(());
            }
            for constraint in &edge.guard.clocks {
                if !reader.constrain(&mut part, constraint).map_err(given_up)? {
                    return Ok(());
                }
            }
        }
        let mut ways = reader
            .run(vec![part], &network.before_update)
            .map_err(given_up)?;
        for (_, edge) in edges {
            ways = reader.run(ways, &edge.update).map_err(given_up)?;
        }
        ways = reader.run(ways, &network.after_update).map_err(given_up)?;
        let mut locations = one.locations.clone();
        for (process, edge) in edges {
            locations[process.index()] = edge.target;
        }
        for mut way in ways {
            let mut reader = Reader::new(network, &self.effects, &locations);
            if self.invariants(&mut reader, &mut way)? && !self.held(&locations, &way) {
                let names: Vec<&str> = (edges.iter())
                    .map(|(process, _)| network.process(*process).name.as_str())
                    .collect();
                return Err(format!(
                    "a transition of {} leads out of all boxes",
                    names.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Keeps of a part what may satisfy the invariants; says whether anything may.
    fn invariants(&self, reader: &mut Reader<'_>, part: &mut Part<'_>) -> Checked<bool> {
        for process in self.network.process_ids() {
            let at = reader.locations[process.index()];
            let invariant = &self.network.location(process, at).invariant;
            if let Some(data) = &invariant.data
                && !reader.assume(part, data, true).map_err(given_up)?
            {
                return Ok(false);
            }
            for constraint in &invariant.clocks {
                if !reader.constrain(part, constraint).map_err(given_up)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether a formula (or its negation) may hold somewhere in a part, of which the rest is dropped.
    fn may_hold(
        &self,
        reader: &mut Reader<'_>,
        part: &mut Part<'_>,
        formula: &Formula,
        positive: bool,
    ) -> Checked<bool> {
        match formula {
            Formula::Data(expr) => reader.assume(part, expr, positive).map_err(given_up),
            Formula::Not(inner) => self.may_hold(reader, part, inner, !positive),
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(formula, Formula::And(_)) == positive;
                for one in parts {
                    let mut alone = part.clone();
                    let holds = match all {
                        true => self.may_hold(reader, part, one, positive)?,
                        false => self.may_hold(reader, &mut alone, one, positive)?,
                    };
                    if holds != all {
                        return Ok(holds);
                    }
                }
                Ok(all)
            }
            Formula::Clock(constraint) => match positive {
                true => reader.constrain(part, constraint).map_err(given_up),
                false => reader.violate(part, constraint).map_err(given_up),
            },
            Formula::Deadlock => Err("boxes are for queries without deadlock".into()),
        }
    }
}

fn network_dimension(network: &Network) -> usize {
    network.clocks.len() + 1
}

/// The zones of an entry, of which empty ones stand for nothing; without clocks there is one. Nothing if they are of another
/// size.
fn zones(network: &Network, matrices: &[Vec<i32>]) -> Option<Vec<Zone>> {
    let dimension = network_dimension(network);
    if network.clocks.is_empty() && matrices.is_empty() {
        return Some(vec![Zone::origin(dimension)]);
    }
    let mut zones = Vec::new();
    for matrix in matrices {
        if matrix.len() != dimension * dimension {
            return None;
        }
        let widen = |&bound: &i32| match bound {
            INFINITY => NO_BOUND,
            _ => i64::from(bound),
        };
        let matrix: Vec<i64> = matrix.iter().map(widen).collect();
        zones.extend(Zone::from_matrix(dimension, &matrix));
    }
    Some(zones)
}
