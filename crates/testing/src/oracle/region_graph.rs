//! The region graph: every reachable region of every reachable discrete state.

use std::collections::HashMap;

use merkhet_network::{
    BinaryOp, ClockConstraint, ClockId, EdgeId, Expr, Formula, Measure, Network, ProcessId, Query,
    QueryKind, Region as Memory, Stmt,
};

use crate::oracle::discrete::{Discrete, Obstacle, State, check_supported};
use crate::oracle::region::{Caps, Region};

/// A region of a discrete state.
#[derive(Clone, Debug)]
pub struct Node {
    /// Locations and variables.
    pub discrete: Discrete,
    /// The region of the clocks.
    pub region: Region,
    /// The transitions, with the nodes that they lead to.
    pub actions: Vec<(Vec<(ProcessId, EdgeId)>, usize)>,
    /// The next region that delay leads to, if delay is allowed.
    pub delay: Option<usize>,
    /// Whether time can pass here without end.
    pub endless: bool,
}

/// All reachable regions.
pub struct RegionGraph<'n> {
    pub(crate) network: &'n Network,
    /// The nodes; the first is the initial one. Empty if the initial state violates an invariant.
    pub nodes: Vec<Node>,
    pub(crate) deadlocks: Vec<bool>,
    pub(crate) caps: Caps,
}

impl<'n> RegionGraph<'n> {
    /// Builds the graph, fine enough for the queries, with a limited number of nodes.
    pub fn build(
        network: &'n Network,
        queries: &[Query],
        limit: usize,
    ) -> Result<RegionGraph<'n>, Obstacle> {
        RegionGraph::with_margin(network, queries, limit, &[])
    }

    /// Builds the graph with some clocks kept exact up to a distance beyond any constant.
    pub(crate) fn with_margin(
        network: &'n Network,
        queries: &[Query],
        limit: usize,
        margins: &[(ClockId, i32)],
    ) -> Result<RegionGraph<'n>, Obstacle> {
        let caps = caps(network, queries, margins)?;
        RegionGraph::with_caps(network, limit, caps)
    }

    /// Builds the graph with all differences of clocks kept up to a distance beyond any constant; says up to what.
    pub(crate) fn with_differences(
        network: &'n Network,
        queries: &[Query],
        limit: usize,
        margin: i32,
    ) -> Result<(RegionGraph<'n>, i32), Obstacle> {
        let mut caps = caps(network, queries, &[])?;
        let Some((cap, most)) = &mut caps.difference else {
            return Err(Obstacle::Unsupported("no difference in the queries"));
        };
        *cap += margin;
        *most += margin;
        let most = *most;
        Ok((RegionGraph::with_caps(network, limit, caps)?, most))
    }

    fn with_caps(
        network: &'n Network,
        limit: usize,
        caps: Caps,
    ) -> Result<RegionGraph<'n>, Obstacle> {
        check_supported(network)?;
        let mut graph = RegionGraph {
            network,
            nodes: Vec::new(),
            deadlocks: Vec::new(),
            caps,
        };
        graph.explore(limit)?;
        graph.deadlocks = (0..graph.nodes.len()).map(|n| graph.stuck(n)).collect();
        Ok(graph)
    }

    fn explore(&mut self, limit: usize) -> Result<(), Obstacle> {
        let initial = State::initial(self.network, Region::origin(self.network.clocks.len()));
        if !initial.invariant()? {
            return Ok(());
        }
        let mut index = HashMap::new();
        self.intern(&mut index, &initial);
        let mut next = 0;
        while next < self.nodes.len() {
            if self.nodes.len() > limit {
                return Err(Obstacle::TooLarge);
            }
            let state = self.state(next);
            for (edges, target) in state.successors()? {
                let target = self.intern(&mut index, &target);
                self.nodes[next].actions.push((edges, target));
            }
            if !state.frozen() && !state.hurried()? {
                match state.clocks.later(&self.caps) {
                    None => self.nodes[next].endless = true,
                    Some(clocks) => {
                        let instant = clocks.is_instant(&self.caps);
                        let later = State { clocks, ..state };
                        // To be inside a region that lasts is to have been inside it before: it must not be urgent.
                        if later.invariant()? && (instant || !later.hurried()?) {
                            let target = self.intern(&mut index, &later);
                            self.nodes[next].delay = Some(target);
                        }
                    }
                }
            }
            next += 1;
        }
        Ok(())
    }

    fn intern(
        &mut self,
        index: &mut HashMap<(Discrete, Vec<i32>), usize>,
        state: &State<'n, Region>,
    ) -> usize {
        let key = (state.discrete.clone(), state.clocks.signature(&self.caps));
        let nodes = &mut self.nodes;
        *index.entry(key).or_insert_with(|| {
            nodes.push(Node {
                discrete: state.discrete.clone(),
                region: state.clocks.clone(),
                actions: Vec::new(),
                delay: None,
                endless: false,
            });
            nodes.len() - 1
        })
    }

    pub(crate) fn state(&self, node: usize) -> State<'n, Region> {
        State {
            network: self.network,
            discrete: self.nodes[node].discrete.clone(),
            clocks: self.nodes[node].region.clone(),
        }
    }

    /// The node of a concrete state, its clock values in units of 1/scale.
    pub fn find(&self, discrete: &Discrete, values: &[i64], scale: i64) -> Option<usize> {
        let signature = Region::of(values, scale).signature(&self.caps);
        self.nodes.iter().position(|node| {
            node.discrete == *discrete && node.region.signature(&self.caps) == signature
        })
    }

    /// Whether no transition is possible at a node nor after any delay.
    fn stuck(&self, node: usize) -> bool {
        let mut at = Some(node);
        while let Some(node) = at {
            if !self.nodes[node].actions.is_empty() {
                return false;
            }
            at = self.nodes[node].delay;
        }
        true
    }
}

/// The constants of a network and its queries.
fn caps(
    network: &Network,
    queries: &[Query],
    margins: &[(ClockId, i32)],
) -> Result<Caps, Obstacle> {
    let mut found = Constants {
        network,
        single: vec![0; network.clocks.len()],
        most: 0,
        assigned: 0,
        differences: false,
    };
    for process in &network.processes {
        for location in &process.locations {
            found.constraints(&location.invariant.clocks)?;
        }
        for edge in &process.edges {
            found.constraints(&edge.guard.clocks)?;
            found.statements(&edge.update)?;
        }
    }
    found.statements(&network.before_update)?;
    found.statements(&network.after_update)?;
    for function in &network.functions {
        found.statements(&function.body)?;
    }
    for query in queries {
        found.query(&query.kind)?;
    }
    let cap = found.most + found.assigned;
    for &(clock, margin) in margins {
        found.single[clock.index()] = cap + margin;
    }
    Ok(Caps {
        single: found.single,
        difference: found.differences.then_some((cap, found.most)),
    })
}

struct Constants<'n> {
    network: &'n Network,
    single: Vec<i32>,
    most: i32,
    assigned: i32,
    differences: bool,
}

impl Constants<'_> {
    fn constraints(&mut self, list: &[ClockConstraint]) -> Result<(), Obstacle> {
        for constraint in list {
            let most = self.magnitude(&constraint.bound)?;
            self.most = self.most.max(most);
            self.differences |= constraint.left.is_some() && constraint.right.is_some();
            for clock in [constraint.left, constraint.right].into_iter().flatten() {
                let known = &mut self.single[clock.index()];
                *known = (*known).max(most);
            }
        }
        Ok(())
    }

    fn statements(&mut self, list: &[Stmt]) -> Result<(), Obstacle> {
        for statement in list {
            match statement {
                Stmt::Reset { value, .. } => {
                    self.assigned = self.assigned.max(self.magnitude(value)?);
                }
                Stmt::CopyClock { .. } => return Err(Obstacle::Unsupported("clock copies")),
                Stmt::If {
                    then, otherwise, ..
                } => {
                    self.statements(then)?;
                    self.statements(otherwise)?;
                }
                Stmt::While { body, .. } | Stmt::For { body, .. } => self.statements(body)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn query(&mut self, kind: &QueryKind) -> Result<(), Obstacle> {
        match kind {
            QueryKind::Possibly(p)
            | QueryKind::Invariantly(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Eventually(p) => self.formula(p),
            QueryKind::LeadsTo(p, q) => {
                self.formula(p)?;
                self.formula(q)
            }
            QueryKind::Bounds {
                predicate,
                measures,
                ..
            } => {
                self.differences |= measures.iter().any(|(measure, _)| {
                    matches!(
                        measure,
                        Measure::Clock {
                            left: Some(_),
                            right: Some(_)
                        }
                    )
                });
                self.formula(predicate)
            }
            QueryKind::Explore => Ok(()),
        }
    }

    fn formula(&mut self, formula: &Formula) -> Result<(), Obstacle> {
        match formula {
            Formula::Data(_) | Formula::Deadlock => Ok(()),
            Formula::Clock(constraint) => self.constraints(std::slice::from_ref(constraint)),
            Formula::Not(inner) => self.formula(inner),
            Formula::And(list) | Formula::Or(list) => {
                list.iter().try_for_each(|part| self.formula(part))
            }
        }
    }

    /// A bound on the absolute value of an expression, for those that the generator makes.
    fn magnitude(&self, expr: &Expr) -> Result<i32, Obstacle> {
        let cells = self.network.state_cells.iter();
        let most = cells.map(|cell| cell.low.abs().max(cell.high.abs())).max();
        let most = most.unwrap_or(0);
        Ok(match expr {
            Expr::Const(value) => value.abs(),
            Expr::Load(place) if place.base.region == Memory::State => most,
            Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right, _) => {
                self.magnitude(left)? + self.magnitude(right)?
            }
            Expr::Binary(BinaryOp::Multiply, left, right, _) => {
                self.magnitude(left)? * self.magnitude(right)?
            }
            // The sum of i·v for i in 0..1.
            Expr::Quantified {
                low: 0, high: 1, ..
            } => most,
            // The generator's function gives at most one more than its argument.
            Expr::Call { .. } if self.network.functions[0].name == "next" => most + 1,
            _ => return Err(Obstacle::Unsupported("an expression in a clock bound")),
        })
    }
}
