//! Follows the transitions with exact zones; where zones split, the parts are tried one after the other. A part from which
//! nothing leads on is remembered, since no smaller one leads on either: otherwise k splits would make 2^k ways.

use std::ops::ControlFlow;

use merkhet_semantics::{EdgeIndex, Explorer, Origin, State, Stay, Successor, System};
use merkhet_zones::bound::Bound;
use merkhet_zones::zone;

use super::grid::{Grid, INFINITE};
use super::{NotConcrete, Target};
use crate::liveness::arrival;

/// One state on the way, and how it was entered.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub memory: Vec<i32>,
    /// The part of the state before from which the transition is taken; empty for the initial state.
    pub source: Vec<Bound>,
    /// Where the clocks' values at arrival come from; empty for the initial state.
    pub origins: Vec<Origin>,
    /// The zone at arrival.
    pub entry: Vec<Bound>,
    /// The zone after the delay; at the end of the path cut down to the target.
    pub zone: Vec<Bound>,
    pub stopped: Vec<bool>,
    /// No transition leads here: it is the same state, further on in time (a moment in between that matters).
    pub continues: bool,
}

/// The number of legs that may be tried, for each transition: zones split rarely and into few parts.
const TRIES: usize = 1000;

/// A discrete part and a zone from which the rest of the transitions cannot be taken.
type Failed = (Vec<i32>, Vec<Bound>);

/// A path of exact zones along the transitions to the target. A state may take two legs.
pub(super) fn follow(
    system: &System,
    transitions: &[Vec<EdgeIndex>],
    target: Target<'_>,
) -> Result<Vec<Leg>, NotConcrete> {
    let tries = TRIES * (transitions.len() + 1);
    follow_within(system, transitions, target, tries)
}

/// Follows transitions with a limited number of tries.
pub(super) fn follow_within(
    system: &System,
    transitions: &[Vec<EdgeIndex>],
    target: Target<'_>,
    mut tries: usize,
) -> Result<Vec<Leg>, NotConcrete> {
    let mut explorer = Explorer::exact(system);
    let mut path: Vec<Vec<Leg>> = Vec::with_capacity(transitions.len() + 1);
    // By depth, what remains to be tried; the next one last.
    let mut initial = legs(|sink| explorer.initial(sink))?;
    hold(&mut explorer, &mut initial)?;
    let mut choices: Vec<Vec<Vec<Leg>>> = vec![shaped(&mut explorer, initial, 0, target)?];
    let mut failed: Vec<Vec<Failed>> = vec![Vec::new(); transitions.len() + 1];
    while let Some(options) = choices.last_mut() {
        let Some(mut stay) = options.pop() else {
            choices.pop();
            let last = path.pop().and_then(|mut stay| stay.pop());
            if let Some(leg) = last {
                failed[path.len()].push((leg.memory, leg.zone));
            }
            continue;
        };
        let Some(leg) = stay.last_mut() else { continue };
        let covers =
            |(memory, zone): &Failed| *memory == leg.memory && zone::includes(zone, &leg.zone);
        if failed[path.len()].iter().any(covers) {
            continue;
        }
        if tries == 0 {
            return Err(NotConcrete::TooManyParts);
        }
        tries -= 1;
        let state = State {
            memory: &leg.memory,
            zone: &leg.zone,
        };
        if path.len() == transitions.len() {
            if let Some(zone) = aim(&mut explorer, state, target)? {
                leg.zone = zone;
                path.push(stay);
                return Ok(path.into_iter().flatten().collect());
            }
            continue;
        }
        let edges = &transitions[path.len()];
        let mut next = legs(|sink| explorer.follow(state, edges, sink))?;
        hold(&mut explorer, &mut next)?;
        path.push(stay);
        choices.push(shaped(&mut explorer, next, path.len(), target)?);
    }
    Err(super::failure(system))
}

/// Cuts the legs of a state down to what must hold there, see [`super::Throughout`]; each result is one or two legs.
fn shaped(
    explorer: &mut Explorer<'_>,
    legs: Vec<Leg>,
    depth: usize,
    target: Target<'_>,
) -> Result<Vec<Vec<Leg>>, NotConcrete> {
    let Some(throughout) = target
        .throughout
        .filter(|throughout| depth >= throughout.from)
    else {
        return Ok(legs.into_iter().map(|leg| vec![leg]).collect());
    };
    let mut stays = Vec::new();
    for (index, leg) in legs.iter().enumerate() {
        match throughout.trigger.filter(|_| depth == throughout.from) {
            None => {
                // What differs in its zone only is another part of the same stay.
                let again = |other: &Leg| other.entry == leg.entry && other.source == leg.source;
                if legs[..index].iter().any(again) {
                    continue;
                }
                for stay in explorer.stays_of(&leg.memory, &leg.entry, &leg.zone)? {
                    let keep = throughout.keep;
                    let parts = arrival::within(explorer, keep, &leg.memory, &stay)?.parts;
                    stays.extend(parts.into_iter().rev().map(|part| {
                        let (entry, zone) = (part.entry, part.zone);
                        let stopped = stopped_in(&stay, leg);
                        vec![Leg {
                            entry,
                            zone,
                            stopped,
                            ..leg.clone()
                        }]
                    }));
                }
            }
            Some(trigger) => {
                let mut moments = Vec::new();
                let state = State {
                    memory: &leg.memory,
                    zone: &leg.zone,
                };
                explorer
                    .where_satisfied(trigger, state, &mut |zone| moments.push(zone.to_vec()))?;
                for moment in moments.into_iter().rev() {
                    for stay in explorer.stays(&leg.memory, &moment)? {
                        let keep = throughout.keep;
                        let parts = arrival::within(explorer, keep, &leg.memory, &stay)?.parts;
                        for part in parts.into_iter().rev() {
                            let before = Leg {
                                zone: part.entry.clone(),
                                ..leg.clone()
                            };
                            let mut after = further_on(leg, part.entry, part.zone);
                            after.stopped = stopped_in(&stay, leg);
                            stays.push(vec![before, after]);
                        }
                    }
                }
            }
        }
    }
    Ok(stays)
}

/// Which clocks stand still in a stay.
fn stopped_in(stay: &Stay, leg: &Leg) -> Vec<bool> {
    match stay.time_passes {
        true => leg.stopped.clone(),
        false => vec![true; leg.zone.len().isqrt()],
    }
}

/// The state from a moment after arrival on.
fn further_on(leg: &Leg, moment: Vec<Bound>, zone: Vec<Bound>) -> Leg {
    let rows = leg.origins.len().max(zone.len().isqrt());
    Leg {
        source: moment.clone(),
        origins: (0..rows as u32)
            .map(|row| Origin { row, offset: 0 })
            .collect(),
        entry: moment,
        zone,
        continues: true,
        ..leg.clone()
    }
}

/// The part of the last state's zone in which the target holds.
fn aim(
    explorer: &mut Explorer<'_>,
    state: State<'_>,
    target: Target<'_>,
) -> Result<Option<Vec<Bound>>, NotConcrete> {
    let mut found = state.zone.to_vec();
    if let Some(goal) = target.goal
        && !explorer.satisfies(goal, state, Some(&mut found))?
    {
        return Ok(None);
    }
    let Some(zones) = target.zones else {
        return Ok(Some(found));
    };
    let n = explorer.system().dimension();
    Ok(zones.zones().find_map(|zone| {
        let mut part = found.clone();
        zone::intersect(&mut part, zone, n).then_some(part)
    }))
}

/// Where time does not pass, all clocks stand still: on the grid a zone may be a little larger than its entry.
fn hold(explorer: &mut Explorer<'_>, legs: &mut [Leg]) -> Result<(), NotConcrete> {
    let n = explorer.system().dimension();
    for leg in legs {
        if !explorer.time_passes(&leg.memory, &leg.entry)? {
            leg.stopped = vec![true; n];
        }
    }
    Ok(())
}

/// Collects what an exploration hands on, the first last.
fn legs(
    mut explore: impl FnMut(
        &mut dyn FnMut(Successor<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, merkhet_semantics::Fault>,
) -> Result<Vec<Leg>, NotConcrete> {
    let mut found = Vec::new();
    let _ = explore(&mut |successor| {
        found.push(Leg {
            memory: successor.state.memory.to_vec(),
            source: successor.source.to_vec(),
            origins: successor.origins.to_vec(),
            entry: successor.entry.to_vec(),
            zone: successor.state.zone.to_vec(),
            stopped: successor.stopped.to_vec(),
            continues: false,
        });
        ControlFlow::Continue(())
    })?;
    found.reverse();
    Ok(found)
}

/// The zones of a path on the grid.
pub(super) struct OnGrid {
    /// By leg: at arrival.
    pub entries: Vec<Grid>,
    /// By leg: when it is left (by the next transition, or at the end).
    pub exits: Vec<Grid>,
}

/// Computes the zones of the path on the grid; `None` if one is empty.
pub(super) fn on_grid(path: &[Leg], n: usize, scale: i64) -> Option<OnGrid> {
    let mut entries = Vec::with_capacity(path.len());
    let mut exits: Vec<Grid> = Vec::with_capacity(path.len());
    for (index, leg) in path.iter().enumerate() {
        let mut zone = match exits.last() {
            None => Grid::zero(n),
            Some(before) => updated(before, &leg.origins, scale),
        };
        zone.intersect(&leg.entry, scale).then_some(())?;
        entries.push(zone.clone());
        zone.up(&leg.stopped);
        zone.intersect(&leg.zone, scale).then_some(())?;
        if let Some(next) = path.get(index + 1) {
            zone.intersect(&next.source, scale).then_some(())?;
        }
        exits.push(zone);
    }
    Some(OnGrid { entries, exits })
}

/// The zone after updates. Bounds of differences of moved values are those of what they were moved from.
fn updated(before: &Grid, origins: &[Origin], scale: i64) -> Grid {
    let n = before.n;
    let mut after = before.clone();
    for (i, left) in origins.iter().enumerate() {
        for (j, right) in origins.iter().enumerate() {
            let bound = before.get(left.row as usize, right.row as usize);
            let shift = (left.offset - right.offset) * scale;
            after.entries[i * n + j] = match bound {
                INFINITE => INFINITE,
                bound => bound + shift,
            };
        }
    }
    after
}

#[cfg(test)]
mod tests {
    use merkhet_analysis::Demand;
    use merkhet_network::{Expr, Formula};
    use merkhet_semantics::{GoalId, Options, System};
    use merkhet_testing::{Profile, generate};

    use super::{NotConcrete, Target, follow_within};

    /// Tries that ran out say nothing about the run; a target that nothing reaches does.
    #[test]
    fn too_many_parts_are_no_impossibility() {
        let (network, _) = generate(0, &Profile::timed());
        let nothing = Formula::Data(Expr::FALSE);
        let options = Options {
            demand: Demand {
                formulas: &[&nothing],
                ..Demand::default()
            },
            ..Options::default()
        };
        let system = System::new(&network, &options).expect("a system");
        let follow =
            |target, tries| follow_within(&system, &[], target, tries).map(|legs| legs.len());
        let anywhere = Target::default();
        assert_eq!(follow(anywhere, 1), Ok(1));
        assert_eq!(follow(anywhere, 0), Err(NotConcrete::TooManyParts));
        let nowhere = Target {
            goal: Some(GoalId(0)),
            ..Target::default()
        };
        assert_eq!(follow(nowhere, 1), Err(NotConcrete::Infeasible));
    }
}
