//! Walks along steps, and says what can come next.

use merkhet::explore::{Exploration, SymbolicState};
use merkhet::network::{EdgeId, Network, ProcessId, Sync, Transition};
use merkhet::{Failure, Model};

use crate::protocol::{EnabledView, Move, SimulateRequest, Simulation, SymbolicView};

/// The most transitions that are offered: a broadcast may have 2^31.
const CHOICES: usize = 500;

/// Walks along the steps.
pub fn walk(request: &SimulateRequest) -> Result<Simulation, String> {
    let model = Model::read(&request.name, request.text.as_bytes());
    let network = match (model.network(), model.is_smv()) {
        (Some(network), _) => network,
        (None, true) => return Err("an SMV model is not simulated here".into()),
        (None, false) => return Err("the model has errors".into()),
    };
    let said = |failure: Failure| failure.to_string();
    let exploration = Exploration::exact(network).map_err(said)?;
    let run = (request.steps.iter())
        .map(|moves| transition(network, moves))
        .collect::<Result<Vec<_>, _>>()?;
    let states = exploration.along(&run).map_err(said)?;
    let Some(states) = states else {
        return Err("these steps cannot be taken in this model".into());
    };
    let Some(last) = states.last() else {
        return Err("there is no initial state: an invariant does not hold at the start".into());
    };
    let (enabled, more, remark) = match exploration.successors(last, CHOICES) {
        Ok(found) => (found.all, found.more, None),
        Err(failure) => (Vec::new(), false, Some(failure.to_string())),
    };
    let stuck = enabled.is_empty() && remark.is_none();
    let times = exploration.concrete(&run).ok().map(|run| {
        let at = |step: &merkhet::replay::ReplayedStep| ratio(step.time + step.delay, run.scale);
        run.steps.iter().map(at).collect()
    });
    Ok(Simulation {
        states: states
            .iter()
            .map(|state| symbolic(network, state))
            .collect(),
        enabled: enabled.iter().map(|(one, _)| view(network, one)).collect(),
        more,
        times,
        remark: match stuck {
            true => Some("nothing can happen any more".into()),
            false => remark,
        },
    })
}

fn transition(network: &Network, moves: &[Move]) -> Result<Transition, String> {
    let edge = |one: &Move| -> Result<(ProcessId, EdgeId), String> {
        let process = network
            .process_ids()
            .find(|&id| network.process(id).name == one.process)
            .ok_or_else(|| format!("there is no process `{}`", one.process))?;
        let edges = network.process(process).edges.len();
        match (one.edge as usize) < edges {
            true => Ok((process, EdgeId(one.edge))),
            false => Err(format!("`{}` has {edges} edges", one.process)),
        }
    };
    let edges = moves.iter().map(edge).collect::<Result<_, _>>()?;
    Ok(Transition { edges })
}

fn symbolic(network: &Network, state: &SymbolicState) -> SymbolicView {
    let location = |process| {
        let location = network.location(process, state.location(process));
        location.name.clone()
    };
    SymbolicView {
        locations: network.process_ids().map(location).collect(),
        values: state.values().to_vec(),
        zone: state.describe_zone(network),
    }
}

fn view(network: &Network, transition: &Transition) -> EnabledView {
    let one = |&(process, edge): &(ProcessId, EdgeId)| Move {
        process: network.process(process).name.clone(),
        edge: edge.0,
        origin: network.edge(process, edge).origin,
    };
    let words = |&(process, edge): &(ProcessId, EdgeId)| {
        let edge = network.edge(process, edge);
        let place = |at| &network.location(process, at).name;
        let select: Vec<String> = (edge.select.iter())
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let select = match select.is_empty() {
            true => String::new(),
            false => format!(" [{}]", select.join(", ")),
        };
        let name = &network.process(process).name;
        format!(
            "{name}: {} → {}{select}",
            place(edge.source),
            place(edge.target)
        )
    };
    let channel = transition.edges.iter().find_map(|&(process, edge)| {
        match network.edge(process, edge).sync {
            Sync::Send(channel) => Some(network.channels[channel.index()].name.clone()),
            _ => None,
        }
    });
    EnabledView {
        moves: transition.edges.iter().map(one).collect(),
        words: transition
            .edges
            .iter()
            .map(words)
            .collect::<Vec<_>>()
            .join(", "),
        channel,
    }
}

/// A time as an integer or a fraction in lowest terms.
fn ratio(units: i128, scale: impl Into<i128>) -> String {
    let scale = scale.into();
    let (mut a, mut b) = (units.abs(), scale);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    match scale / divisor {
        1 => (units / divisor).to_string(),
        below => format!("{}/{below}", units / divisor),
    }
}
