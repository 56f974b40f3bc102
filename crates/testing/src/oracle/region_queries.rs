//! Answers read off the region graph.
//!
//! Liveness follows UPPAAL's documentation: `E[] p` holds if a run with p all along is infinite, or ends where no
//! transition is possible now or after any delay, or ends where time can pass without end with p. Zeno runs are not
//! excluded.

use std::collections::{BTreeSet, VecDeque};

use merkhet_network::{
    Clock, ClockConstraint, ClockId, ClockPlace, Edge, Expr, Formula, Guard, Invariant, Location,
    LocationId, LocationKind, Measure, Network, Process, Query, QueryKind, SiteId, Stmt, Sync,
};

use crate::oracle::discrete::{Discrete, Obstacle};
use crate::oracle::region_graph::RegionGraph;

/// One end of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The value is reached.
    Closed(i32),
    /// Values come arbitrarily close without reaching it.
    Open(i32),
    /// There is no end.
    Infinite,
}

/// The values that a measure takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The infimum.
    pub low: End,
    /// The supremum.
    pub high: End,
}

/// What an oracle says about a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Whether it holds.
    Verdict(bool),
    /// For `sup`, `inf` and `bounds`: each measure's range, `None` if no state counts.
    Ranges(Vec<Option<Range>>),
    /// For exploration: the number of reachable discrete states.
    Explored(usize),
}

impl RegionGraph<'_> {
    /// The answer to a query; the graph must have been built for it.
    pub fn answer(&self, query: &Query, limit: usize) -> Result<Answer, Obstacle> {
        Ok(match &query.kind {
            QueryKind::Possibly(p) => Answer::Verdict(self.satisfying(p)?.contains(&true)),
            QueryKind::Invariantly(p) => Answer::Verdict(!self.satisfying(p)?.contains(&false)),
            QueryKind::PotentiallyAlways(p) => Answer::Verdict(self.stays(&self.satisfying(p)?)),
            QueryKind::Eventually(p) => Answer::Verdict(!self.stays(&negate(&self.satisfying(p)?))),
            QueryKind::LeadsTo(p, q) => {
                let trapped = self.trapped(&negate(&self.satisfying(q)?));
                let from = self.satisfying(p)?;
                Answer::Verdict(!from.iter().zip(&trapped).any(|(p, trapped)| *p && *trapped))
            }
            QueryKind::Bounds {
                predicate,
                measures,
                ..
            } => {
                let ranges = measures.iter().map(|(measure, _)| {
                    self.range(std::slice::from_ref(query), predicate, measure, limit)
                });
                Answer::Ranges(ranges.collect::<Result<_, _>>()?)
            }
            QueryKind::Explore => Answer::Explored(self.discrete_states().len()),
        })
    }

    /// The reachable discrete states.
    pub fn discrete_states(&self) -> BTreeSet<Discrete> {
        self.nodes
            .iter()
            .map(|node| node.discrete.clone())
            .collect()
    }

    /// For each node, whether the formula holds there.
    pub fn satisfying(&self, formula: &Formula) -> Result<Vec<bool>, Obstacle> {
        (0..self.nodes.len())
            .map(|node| self.state(node).formula(formula, self.deadlocks[node]))
            .collect()
    }

    /// Whether a node is a deadlock: no transition now nor after any delay.
    pub fn is_deadlock(&self, node: usize) -> bool {
        self.deadlocks[node]
    }

    fn stays(&self, allowed: &[bool]) -> bool {
        self.trapped(allowed).first() == Some(&true)
    }

    /// The nodes from which a maximal run stays within the allowed nodes: those that are left when nodes without a
    /// reason to go on are taken away again and again.
    fn trapped(&self, allowed: &[bool]) -> Vec<bool> {
        let count = self.nodes.len();
        let mut left = allowed.to_vec();
        let mut exits: Vec<usize> = vec![0; count];
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (index, node) in self.nodes.iter().enumerate() {
            // A maximal run includes the time that still passes: it ends where neither a transition nor a delay is left.
            if (self.deadlocks[index] && node.delay.is_none()) || node.endless {
                exits[index] += 1;
            }
            let targets = node.actions.iter().map(|action| action.1).chain(node.delay);
            for target in targets.filter(|target| allowed[*target]) {
                exits[index] += 1;
                sources[target].push(index);
            }
        }
        let mut queue: Vec<usize> = (0..count)
            .filter(|&index| left[index] && exits[index] == 0)
            .collect();
        while let Some(index) = queue.pop() {
            left[index] = false;
            for &source in &sources[index] {
                exits[source] -= 1;
                if exits[source] == 0 && left[source] {
                    queue.push(source);
                }
            }
        }
        left
    }

    /// The fewest transitions from the initial state to a state with the formula; delays count nothing.
    pub fn distance(&self, goal: &Formula) -> Result<Option<u32>, Obstacle> {
        Ok(self.distances(goal)?.first().copied().flatten())
    }

    /// The fewest transitions from each node to a state with the formula.
    pub fn distances(&self, goal: &Formula) -> Result<Vec<Option<u32>>, Obstacle> {
        let mut sources: Vec<Vec<(usize, u32)>> = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for (_, target) in &node.actions {
                sources[*target].push((index, 1));
            }
            if let Some(target) = node.delay {
                sources[target].push((index, 0));
            }
        }
        let mut distances: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut queue = VecDeque::new();
        for (index, reached) in self.satisfying(goal)?.into_iter().enumerate() {
            if reached {
                distances[index] = Some(0);
                queue.push_back((index, 0));
            }
        }
        while let Some((index, distance)) = queue.pop_front() {
            if distances[index] != Some(distance) {
                continue;
            }
            for &(source, cost) in &sources[index] {
                let there = distance + cost;
                if distances[source].is_none_or(|known| there < known) {
                    distances[source] = Some(there);
                    if cost == 0 {
                        queue.push_front((source, there));
                    } else {
                        queue.push_back((source, there));
                    }
                }
            }
        }
        Ok(distances)
    }

    fn range(
        &self,
        queries: &[Query],
        predicate: &Formula,
        measure: &Measure,
        limit: usize,
    ) -> Result<Option<Range>, Obstacle> {
        match measure {
            Measure::Data(expr) => {
                let mut values = Vec::new();
                for (node, counts) in self.satisfying(predicate)?.into_iter().enumerate() {
                    if counts {
                        values.push(self.state(node).number(expr)?);
                    }
                }
                let (low, high) = (values.iter().min(), values.iter().max());
                Ok(low.zip(high).map(|(low, high)| Range {
                    low: End::Closed(*low),
                    high: End::Closed(*high),
                }))
            }
            Measure::Clock {
                left: Some(clock),
                right: None,
            } => self.clock_range(queries, predicate, *clock, limit),
            Measure::Clock {
                left: Some(left),
                right: Some(right),
            } => self.difference_range(queries, predicate, (*left, *right), limit),
            Measure::Clock { .. } => Err(Obstacle::Unsupported("a negated clock as measure")),
        }
    }

    /// The range of a difference, in a graph that keeps differences further and further; not known if it has no end.
    fn difference_range(
        &self,
        queries: &[Query],
        predicate: &Formula,
        (left, right): (ClockId, ClockId),
        limit: usize,
    ) -> Result<Option<Range>, Obstacle> {
        for margin in [4, 16] {
            let (graph, most) =
                RegionGraph::with_differences(self.network, queries, limit, margin)?;
            let mut values = Vec::new();
            for (node, counts) in graph.satisfying(predicate)?.into_iter().enumerate() {
                if counts {
                    let region = &graph.nodes[node].region;
                    values.push(region.difference(Some(left), Some(right)));
                }
            }
            let (Some(low), Some(high)) = (values.iter().min(), values.iter().max()) else {
                return Ok(None);
            };
            if -2 * most <= *low && *high <= 2 * most {
                return Ok(Some(Range {
                    low: lower_end(*low),
                    high: upper_end(*high),
                }));
            }
        }
        Err(Obstacle::TooLarge)
    }

    fn clock_range(
        &self,
        queries: &[Query],
        predicate: &Formula,
        clock: ClockId,
        limit: usize,
    ) -> Result<Option<Range>, Obstacle> {
        let unbounded = self.is_unbounded(queries, predicate, clock, limit)?;
        for margin in [0, 8, 30, 100] {
            let margins = [(clock, margin)];
            let graph = RegionGraph::with_margin(self.network, queries, limit, &margins)?;
            let mut values = Vec::new();
            let mut beyond = false;
            for (node, counts) in graph.satisfying(predicate)?.into_iter().enumerate() {
                if !counts {
                    continue;
                }
                let region = &graph.nodes[node].region;
                let value = region.difference(Some(clock), None);
                if value > 2 * graph.caps.cap(clock.index()) {
                    beyond = true;
                } else {
                    values.push(value);
                }
            }
            let (low, high) = (values.iter().min(), values.iter().max());
            match (low.zip(high), beyond) {
                (None, false) => return Ok(None),
                (Some((low, high)), false) => {
                    return Ok(Some(Range {
                        low: lower_end(*low),
                        high: upper_end(*high),
                    }));
                }
                (Some((low, _)), true) if unbounded => {
                    return Ok(Some(Range {
                        low: lower_end(*low),
                        high: End::Infinite,
                    }));
                }
                _ => {}
            }
        }
        Err(Obstacle::TooLarge)
    }

    /// Whether the clock takes arbitrarily large values in states that count.
    ///
    /// A process that ticks once in every time unit is added. If the clock can grow beyond every bound, some state
    /// of the region graph repeats at two ticks on the way while the clock is beyond all constants; and such a cycle
    /// with a tick can be repeated at will.
    fn is_unbounded(
        &self,
        queries: &[Query],
        predicate: &Formula,
        clock: ClockId,
        limit: usize,
    ) -> Result<bool, Obstacle> {
        let run_by_ticks =
            !self.network.before_update.is_empty() || !self.network.after_update.is_empty();
        if self.network.has_priorities() || mentions_deadlock(predicate) || run_by_ticks {
            return Err(Obstacle::Unsupported(
                "sup or inf of a clock with priorities, deadlock, or updates of every transition",
            ));
        }
        let ticking = with_ticks(self.network);
        let graph = RegionGraph::with_margin(&ticking, queries, limit, &[(clock, 0)])?;
        let cap = 2 * graph.caps.cap(clock.index());
        let beyond: Vec<bool> = (graph.nodes.iter())
            .map(|node| node.region.difference(Some(clock), None) > cap)
            .collect();
        let ticker = self.network.processes.len();
        let inside = |node: usize| {
            let node = &graph.nodes[node];
            let actions = node.actions.iter();
            let ticks = |edges: &[(merkhet_network::ProcessId, _)]| edges[0].0.index() == ticker;
            let steps = actions.map(move |(edges, target)| (*target, ticks(edges)));
            steps.chain(node.delay.map(|target| (target, false)))
        };
        let counts = graph.satisfying(predicate)?;
        for start in (0..graph.nodes.len()).filter(|node| beyond[*node]) {
            for (target, ticks) in inside(start) {
                if !ticks || !beyond[target] {
                    continue;
                }
                // What the tick leads to, without leaving the nodes where the clock is beyond its constants.
                let mut seen = vec![false; graph.nodes.len()];
                let mut stack = vec![target];
                let mut counted = false;
                while let Some(node) = stack.pop() {
                    if std::mem::replace(&mut seen[node], true) {
                        continue;
                    }
                    counted |= counts[node];
                    stack.extend(inside(node).map(|s| s.0).filter(|next| beyond[*next]));
                }
                if seen[start] && counted {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

fn negate(truth: &[bool]) -> Vec<bool> {
    truth.iter().map(|t| !t).collect()
}

fn lower_end(value: i32) -> End {
    match value.rem_euclid(2) {
        0 => End::Closed(value / 2),
        _ => End::Open(value.div_euclid(2)),
    }
}

fn upper_end(value: i32) -> End {
    match value.rem_euclid(2) {
        0 => End::Closed(value / 2),
        _ => End::Open(value.div_euclid(2) + 1),
    }
}

fn mentions_deadlock(formula: &Formula) -> bool {
    match formula {
        Formula::Deadlock => true,
        Formula::Data(_) | Formula::Clock(_) => false,
        Formula::Not(inner) => mentions_deadlock(inner),
        Formula::And(list) | Formula::Or(list) => list.iter().any(mentions_deadlock),
    }
}

/// The network with a process that ticks once in every time unit. It can always do so, because where a committed
/// process holds it up no time passes either.
fn with_ticks(network: &Network) -> Network {
    let mut ticking = network.clone();
    let tick = ClockId::from(network.clocks.len());
    ticking.clocks.push(Clock {
        name: "tick".into(),
        owner: None,
    });
    let constraint = |left, right, bound| ClockConstraint {
        condition: None,
        left,
        right,
        strict: false,
        bound: Expr::Const(bound),
        site: SiteId::NONE,
    };
    ticking.processes.push(Process {
        name: "Ticker".into(),
        template: "Ticker".into(),
        locations: vec![Location {
            name: "L".into(),
            named: true,
            kind: LocationKind::Normal,
            invariant: Invariant {
                clocks: vec![constraint(Some(tick), None, 1)],
                ..Invariant::default()
            },
            labels: Vec::new(),
            position: None,
            site: SiteId::NONE,
        }],
        initial: LocationId(0),
        edges: vec![Edge {
            source: LocationId(0),
            target: LocationId(0),
            guard: Guard {
                data: None,
                clocks: vec![constraint(None, Some(tick), -1)],
            },
            sync: Sync::Internal,
            update: vec![Stmt::Reset {
                clock: ClockPlace {
                    base: tick,
                    indices: Vec::new(),
                },
                value: Expr::Const(0),
                site: SiteId::NONE,
            }],
            select: Vec::new(),
            origin: 0,
            site: SiteId::NONE,
        }],
        priority: network.processes[0].priority,
    });
    ticking
}
