//! Random concrete runs, and whether a trace is a run: by sampling every moment of a grid.
//!
//! Clock values that are whole numbers of units stay so, and constraints have integer constants, so along a delay
//! truth changes at whole units only: looking at every half unit is exact.

use merkhet_network::{ClockId, Ending, Network, Step, Trace, Transition};

use crate::oracle::discrete::{Clocks, Discrete, Obstacle, State};
use crate::random::Random;

/// Clock values in half units.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Exact {
    values: Vec<i64>,
    scale: i64,
}

impl Clocks for Exact {
    fn satisfies(
        &self,
        left: Option<ClockId>,
        right: Option<ClockId>,
        strict: bool,
        bound: i32,
    ) -> bool {
        let value = |clock: Option<ClockId>| clock.map_or(0, |c| self.values[c.index()]);
        let difference = value(left) - value(right);
        let bound = i64::from(bound) * self.scale;
        difference < bound || (!strict && difference == bound)
    }

    fn set(&mut self, clock: ClockId, value: i32) {
        self.values[clock.index()] = i64::from(value) * self.scale;
    }

    fn copy(&mut self, target: ClockId, source: ClockId, offset: i32) {
        self.values[target.index()] = self.values[source.index()] + i64::from(offset) * self.scale;
    }
}

type Moment<'n> = State<'n, Exact>;

fn start(network: &Network, scale: i64) -> Moment<'_> {
    let clocks = Exact {
        values: vec![0; network.clocks.len()],
        scale: scale * 2,
    };
    State::initial(network, clocks)
}

/// The state after a delay, in units; `None` if it is not allowed.
fn delayed<'n>(state: &Moment<'n>, delay: i64) -> Result<Option<Moment<'n>>, Obstacle> {
    let mut now = state.clone();
    if delay > 0 && now.frozen() {
        return Ok(None);
    }
    for _ in 0..delay * 2 {
        if now.hurried()? {
            return Ok(None);
        }
        now.clocks.values.iter_mut().for_each(|value| *value += 1);
        if !now.invariant()? {
            return Ok(None);
        }
    }
    Ok(Some(now))
}

/// A random run of a limited number of steps with delays in units of 1/scale, with the discrete state and the clock values
/// (in units) before each step and at the end.
#[allow(clippy::type_complexity)]
pub fn walk(
    network: &Network,
    seed: u64,
    scale: i64,
    steps: usize,
) -> Result<(Trace, Vec<(Discrete, Vec<i64>)>), Obstacle> {
    let mut random = Random::new(seed ^ 0x7777);
    let mut trace = Trace {
        scale,
        steps: Vec::new(),
        last_delay: 0,
        ending: Ending::State,
    };
    let mut state = start(network, scale);
    let mut visited = vec![position(&state)];
    while trace.steps.len() < steps {
        let mut delay = 0;
        let wanted = if random.chance(40) {
            0
        } else {
            random.below(3 * scale as usize + 1)
        };
        let mut ready = state.clone();
        while delay < wanted as i64 {
            match delayed(&ready, 1)? {
                Some(next) => ready = next,
                None => break,
            }
            delay += 1;
        }
        let successors = ready.successors()?;
        let Some((edges, next)) = random.pick(&successors) else {
            if random.chance(30) {
                break;
            }
            continue;
        };
        let edges = edges.clone();
        trace.steps.push(Step {
            delay,
            transition: Transition { edges },
        });
        state = next.clone();
        visited.push(position(&state));
    }
    Ok((trace, visited))
}

fn position(state: &Moment<'_>) -> (Discrete, Vec<i64>) {
    let values = state.clocks.values.iter().map(|value| value / 2);
    (state.discrete.clone(), values.collect())
}

/// Whether the steps and the last delay of a trace are a run of the network.
pub fn is_run(network: &Network, trace: &Trace) -> Result<bool, Obstacle> {
    let mut state = start(network, trace.scale);
    for step in &trace.steps {
        if step.delay < 0 {
            return Ok(false);
        }
        let Some(ready) = delayed(&state, step.delay)? else {
            return Ok(false);
        };
        let successors = ready.successors()?;
        let taken = successors
            .into_iter()
            .find(|(edges, _)| *edges == step.transition.edges);
        match taken {
            Some((_, next)) => state = next,
            None => return Ok(false),
        }
    }
    Ok(trace.last_delay >= 0 && delayed(&state, trace.last_delay)?.is_some())
}
