//! From an accepted run to its view.

use merkhet::network::{Address, Ending, Network, Owner, Region, Site};
use merkhet::replay::{ConcreteState, Replayed, ReplayedStep, TakenEdge};
use merkhet::{EdgeText, Model};

use crate::view::results::ratio;
use crate::view::{ChangeView, EndingView, FaultView, MoveView, StateView, StepView, TraceView};

/// Where a trace's words come from, and how much of it is kept.
pub struct TraceSource<'m> {
    model: &'m Model,
    network: &'m Network,
    full: bool,
}

impl<'m> TraceSource<'m> {
    /// For traces of a model; `full` ones hold whole states.
    pub fn new(model: &'m Model, network: &'m Network, full: bool) -> TraceSource<'m> {
        TraceSource {
            model,
            network,
            full,
        }
    }

    /// The view of a run.
    pub fn view(&self, run: &Replayed) -> TraceView {
        let state = |state: &ConcreteState| self.state(state, run.scale);
        let mut at = run.initial.clone();
        let step = |one: &ReplayedStep| {
            if self.full {
                Replayed::advance(&mut at, one);
            }
            self.step(one, &at, run.scale)
        };
        TraceView {
            length: run.steps.len(),
            duration: ratio(run.end_time + run.last_delay, run.scale),
            initial: self.full.then(|| state(&run.initial)),
            steps: run.steps.iter().map(step).collect(),
            last_delay: (run.last_delay != 0).then(|| ratio(run.last_delay, run.scale)),
            ending: match run.ending {
                Ending::State => EndingView::State,
                Ending::Loop(from) => EndingView::Loop { from: from + 1 },
                Ending::Deadlock => EndingView::Deadlock,
                Ending::Diverges => EndingView::Diverges,
            },
            fault: FaultView::default(),
        }
    }

    /// The view of a run to a fault that lies there.
    pub fn view_to_fault(&self, run: &Replayed, fault: &Site) -> TraceView {
        TraceView {
            fault: match fault.owner {
                Owner::Query => FaultView::Query,
                Owner::Process => FaultView::Move,
                Owner::Shared => FaultView::Shared,
            },
            ..self.view(run)
        }
    }

    fn step(&self, step: &ReplayedStep, after: &ConcreteState, scale: i64) -> StepView {
        StepView {
            time: ratio(step.time + step.delay, scale),
            delay: ratio(step.delay, scale),
            sync: step.sync.clone(),
            moves: step.edges.iter().map(|edge| self.one_move(edge)).collect(),
            changes: step
                .changes
                .iter()
                .map(|change| ChangeView {
                    variable: change.name.clone(),
                    before: change.old.into(),
                    after: change.new.into(),
                })
                .collect(),
            after: self.full.then(|| self.state(after, scale)),
        }
    }

    fn one_move(&self, taken: &TakenEdge) -> MoveView {
        let edge = self.network.edge(taken.process, taken.edge);
        let template = &self.network.process(taken.process).template;
        let text = self.model.edge_text(template, edge.origin);
        let EdgeText { guard, update, .. } = text.unwrap_or_default();
        MoveView {
            process: taken.process_name.clone(),
            source: taken.source.clone(),
            target: taken.target.clone(),
            guard,
            update,
            select: edge
                .select
                .iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect(),
            edge: self.full.then_some(taken.edge.0),
            origin: self.full.then_some(edge.origin),
        }
    }

    fn state(&self, state: &ConcreteState, scale: i64) -> StateView {
        let network = self.network;
        let place = |(process, location): (merkhet::network::ProcessId, &_)| {
            let location: &merkhet::network::LocationId = location;
            let name = &network.location(process, *location).name;
            (network.process(process).name.clone(), name.clone())
        };
        let cell = |(offset, value): (usize, &i32)| {
            let address = Address {
                region: Region::State,
                offset: offset as u32,
            };
            (network.cell_name(address), i64::from(*value))
        };
        let clock = |(clock, value): (&merkhet::network::network::Clock, &i128)| {
            (clock.name.clone(), ratio(*value, scale))
        };
        StateView {
            locations: network
                .process_ids()
                .zip(&state.locations)
                .map(place)
                .collect(),
            variables: state.cells.iter().enumerate().map(cell).collect(),
            clocks: network
                .clocks
                .iter()
                .zip(&state.clocks)
                .map(clock)
                .collect(),
        }
    }
}
