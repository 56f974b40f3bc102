//! Locations and edges of one process; select values, branches and run-time channel indices are unrolled.

use super::TemplateFacts;
use crate::data::types::Type;
use crate::data::value::Value;
use crate::fold;
use crate::naming::scope::{Env, Purpose, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported, UNSUPPORTED};
use merkhet_network::{
    ChannelId, Edge, Expr as NetExpr, Guard, Invariant, Location, LocationId, LocationKind,
    ProcessId, Stmt, Sync,
};
use merkhet_syntax::tree;
use merkhet_syntax::tree::{Direction, EndpointTarget, SelectBinding, Synchronisation};

/// Branch points behind branch points behind…
const MAX_BRANCH_DEPTH: usize = 16;

/// An edge while it is being put together.
struct Draft<'t> {
    /// The edge that leaves the location.
    first: &'t tree::Edge,
    /// The branches taken behind it.
    branches: Vec<&'t tree::Edge>,
    origin: u32,
    source: LocationId,
    target: LocationId,
}

impl<'t> Lowerer<'_> {
    /// The locations and edges of a process.
    pub fn unfold(&mut self, facts: &TemplateFacts<'t>, process: ProcessId) {
        let Some(names) = self.tables.processes.get(process.index()) else {
            return;
        };
        let mut env = Env::new(names.scope, Purpose::Invariant);
        let mut locations = Vec::with_capacity(facts.tree.locations.len());
        for (location, name) in facts.tree.locations.iter().zip(&facts.location_names) {
            locations.push(self.location(&mut env, location, name));
        }
        let mut edges = Vec::new();
        for (origin, edge) in facts.tree.edges.iter().enumerate() {
            if self.report.is_hopeless() {
                break;
            }
            let EndpointTarget::Location(source) = edge.source.target else {
                continue;
            };
            let mut draft = Draft {
                first: edge,
                branches: Vec::new(),
                origin: origin as u32,
                source: LocationId::from(source),
                target: LocationId(0),
            };
            self.branch(&mut env, facts, &mut draft, &mut edges).ok();
        }
        let process = &mut self.network.processes[process.index()];
        process.locations = locations;
        process.edges = edges;
    }

    fn location(&mut self, env: &mut Env, location: &tree::Location, name: &str) -> Location {
        env.purpose = Purpose::Invariant;
        let invariant = match &location.invariant {
            Some(label) if !label.broken => self.invariant(env, &label.value).unwrap_or_default(),
            _ => Invariant::default(),
        };
        Location {
            name: name.to_string(),
            named: location.name.is_some(),
            kind: match (location.committed, location.urgent) {
                (true, _) => LocationKind::Committed,
                (false, true) => LocationKind::Urgent,
                _ => LocationKind::Normal,
            },
            invariant,
            labels: Vec::new(),
            position: location.position.map(|point| (point.x, point.y)),
            site: self.site(location.span),
        }
    }

    /// Follows an edge through branch points to its target locations.
    fn branch(
        &mut self,
        env: &mut Env,
        facts: &TemplateFacts<'t>,
        draft: &mut Draft<'t>,
        out: &mut Vec<Edge>,
    ) -> Lower<()> {
        let last = draft.branches.last().copied().unwrap_or(draft.first);
        match last.target.target {
            EndpointTarget::Location(target) => {
                draft.target = LocationId::from(target);
                let depth = env.locals.len();
                let result = self
                    .check_selects(env, draft)
                    .and_then(|()| self.select(env, draft, 0, 0, &mut Vec::new(), out));
                env.locals.truncate(depth);
                result
            }
            EndpointTarget::Branchpoint(point) => {
                if draft.branches.len() >= MAX_BRANCH_DEPTH {
                    return self.error(
                        "too-large",
                        "branch points follow each other without end",
                        last.target.span,
                    );
                }
                let leaves =
                    |edge: &&tree::Edge| edge.source.target == EndpointTarget::Branchpoint(point);
                for edge in facts.tree.edges.iter().filter(leaves) {
                    draft.branches.push(edge);
                    let result = self.branch(env, facts, draft, out);
                    draft.branches.pop();
                    result?;
                }
                Ok(())
            }
            EndpointTarget::Unknown(_) => Err(Reported),
        }
    }

    /// Refuses selects with too many combinations before the first one is unrolled.
    fn check_selects(&mut self, env: &mut Env, draft: &Draft<'t>) -> Lower<()> {
        let mut copies = 1u64;
        for edge in std::iter::once(&draft.first).chain(&draft.branches) {
            for variable in edge.select.iter().flat_map(|label| &label.value) {
                // A range that depends on an earlier variable is not known here; it is counted as it is unrolled.
                let outer = self.report.begin();
                let range = self.loop_range(env, &variable.range);
                self.report.end(outer);
                if let Ok((_, low, high)) = range {
                    copies = copies.saturating_mul((high as i64 - low as i64 + 1) as u64);
                }
            }
        }
        let before = self.tables.unrolled;
        self.unroll(copies, draft.first.span)?;
        self.tables.unrolled = before;
        Ok(())
    }

    /// Runs over the values of the select variables of the edge and then of its branches.
    fn select(
        &mut self,
        env: &mut Env,
        draft: &Draft<'t>,
        part: usize,
        binding: usize,
        selected: &mut Vec<(String, i32)>,
        out: &mut Vec<Edge>,
    ) -> Lower<()> {
        let edge: &'t tree::Edge = match part.checked_sub(1) {
            None => draft.first,
            Some(index) => match draft.branches.get(index) {
                Some(branch) => branch,
                None => return self.edge(env, draft, selected, out),
            },
        };
        let bindings: &[SelectBinding] = match &edge.select {
            Some(label) if !label.broken => &label.value,
            _ => &[],
        };
        let Some(variable) = bindings.get(binding) else {
            return self.select(env, draft, part + 1, 0, selected, out);
        };
        env.purpose = Purpose::Guard;
        let (ty, low, high) = self.loop_range(env, &variable.range)?;
        let depth = env.locals.len();
        for value in low..=high {
            env.locals.truncate(depth);
            let symbol = Symbol::Constant(value, ty.clone());
            env.locals.push((variable.name.text.clone(), symbol));
            selected.push((variable.name.text.clone(), value));
            let result = self.select(env, draft, part, binding + 1, selected, out);
            selected.pop();
            result?;
        }
        env.locals.truncate(depth);
        Ok(())
    }

    /// One copy of an edge; several where its channel depends on a run-time index.
    fn edge(
        &mut self,
        env: &mut Env,
        draft: &Draft<'t>,
        selected: &[(String, i32)],
        out: &mut Vec<Edge>,
    ) -> Lower<()> {
        let first = draft.first;
        self.unroll(1, first.span)?;
        let guard = self.edge_guard(env, draft);
        let syncs = self.edge_synchronisation(env, draft);
        let update = self.edge_update(env, draft);
        let (guard, syncs, update) = (guard?, syncs?, update?);
        let site = self.site(first.span);
        for (condition, sync) in syncs {
            let mut guard = guard.clone();
            if condition.as_const() != Some(1) {
                guard.data = Some(fold::all(guard.data.into_iter().chain([condition])));
            }
            // A copy for select values that its guard excludes can never be taken.
            if guard.data == Some(NetExpr::FALSE) && !selected.is_empty() {
                continue;
            }
            out.push(Edge {
                source: draft.source,
                target: draft.target,
                guard,
                sync,
                update: update.clone(),
                select: selected.to_vec(),
                origin: draft.origin,
                site,
            });
        }
        Ok(())
    }

    /// The guard of an edge and its branches. UPPAAL's editor has no guards on branches; they count where they are.
    fn edge_guard(&mut self, env: &mut Env, draft: &Draft<'t>) -> Lower<Guard> {
        env.purpose = Purpose::Guard;
        let mut all = Guard::default();
        for edge in std::iter::once(&draft.first).chain(&draft.branches) {
            let Some(label) = edge.guard.as_ref().filter(|label| !label.broken) else {
                continue;
            };
            let guard = self.guard(env, &label.value)?;
            let constant = match (&guard.data, guard.clocks.is_empty()) {
                (None, true) => Some(true),
                (Some(NetExpr::Const(_)), _) => Some(false),
                _ => None,
            };
            self.tables
                .constant_guards
                .entry(label.span)
                .and_modify(|known| *known = if *known == constant { constant } else { None })
                .or_insert(constant);
            if let Some(data) = guard.data {
                all.data = Some(fold::all(all.data.into_iter().chain([data])));
            }
            all.clocks.extend(guard.clocks);
        }
        Ok(all)
    }

    /// The synchronisation of an edge or of one of its branches.
    fn edge_synchronisation(
        &mut self,
        env: &mut Env,
        draft: &Draft<'t>,
    ) -> Lower<Vec<(NetExpr, Sync)>> {
        let has_label = |edge: &&tree::Edge| edge.synchronisation.is_some();
        let mut branches = draft.branches.iter().copied().filter(has_label);
        let Some(branch) = branches.next() else {
            return self.synchronisation(env, draft.first);
        };
        let span = branch
            .synchronisation
            .as_ref()
            .map_or(branch.span, |label| label.span);
        if draft.first.synchronisation.is_some() || branches.next().is_some() {
            return self.error(
                "branch",
                "the edge to the branch point already synchronises",
                span,
            );
        }
        self.warn(
            "branch-synchronisation",
            "a branch that synchronises is taken as an edge of its own",
            span,
        );
        self.synchronisation(env, branch)
    }

    fn edge_update(&mut self, env: &mut Env, draft: &Draft<'t>) -> Lower<Vec<Stmt>> {
        env.purpose = Purpose::Update;
        let mut statements = Vec::new();
        let mut result = Ok(());
        for edge in std::iter::once(&draft.first).chain(&draft.branches) {
            let Some(label) = edge.update.as_ref().filter(|label| !label.broken) else {
                continue;
            };
            for expr in &label.value {
                result = result.and(self.effect(env, expr, &mut statements));
            }
        }
        result.map(|()| statements)
    }

    /// With whom an edge synchronises: one case for each value of run-time indices.
    fn synchronisation(&mut self, env: &mut Env, edge: &tree::Edge) -> Lower<Vec<(NetExpr, Sync)>> {
        env.purpose = Purpose::Synchronisation;
        let Some(label) = edge.synchronisation.as_ref().filter(|label| !label.broken) else {
            return Ok(vec![(NetExpr::TRUE, Sync::Internal)]);
        };
        let Synchronisation { channel, direction } = &label.value;
        let object = match self.expression(env, channel)? {
            Value::Object(object) if matches!(object.ty, Type::Channel { .. }) => object,
            Value::Unsupported(what, span) => return self.unsupported(what, span),
            Value::Object(object) => {
                return self.error(
                    "type",
                    format!("a channel is expected here, not `{}`", object.ty),
                    channel.span,
                );
            }
            _ => return self.error("type", "a channel is expected here", channel.span),
        };
        let strides: Vec<u32> = object.indices.iter().map(|index| index.channels).collect();
        let cases = self.index_cases(&object, object.channel, &strides, channel.span)?;
        let mut syncs = Vec::with_capacity(cases.len());
        for (condition, channel) in cases {
            let channel = ChannelId(channel);
            syncs.push((
                condition,
                match direction {
                    Direction::Send => Sync::Send(channel),
                    Direction::Receive => Sync::Receive(channel),
                    Direction::Both => {
                        return self.error_with_hint(
                            UNSUPPORTED,
                            "a synchronisation without `!` or `?` is outside the symbolic language and cannot be \
                             checked here",
                            label.span,
                            "add `!` to send or `?` to receive",
                        );
                    }
                },
            ));
        }
        Ok(syncs)
    }
}
