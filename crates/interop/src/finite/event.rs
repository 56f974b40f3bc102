//! Transitions of the network as events, one for each combination of edges; and the passing of time.

use merkhet_finite::{Event, ExpressionId, Kind, Node, Type, VariableId};
use merkhet_network::{
    Address, ChannelId, ChannelKind, EdgeId, LocationKind, ProcessId, Region, Sync, Transition,
};
use std::collections::BTreeSet;

use super::expression::Scope;
use super::{Meaning, Translate, Translator};

/// More combinations of edges are refused.
const MOST_EVENTS: usize = 100_000;

type EdgeOf = (ProcessId, EdgeId);

/// Edges that are taken together, and those that must not be possible for that.
struct Together {
    edges: Vec<EdgeOf>,
    impossible: Vec<EdgeOf>,
}

impl Translator<'_> {
    pub(super) fn events(&mut self) -> Translate<Vec<Event>> {
        let mut events = Vec::new();
        for together in self.combinations()? {
            events.push(self.event(&together)?);
            self.meanings.push(Meaning::Take(Transition {
                edges: together.edges,
            }));
        }
        if !self.clocks.is_empty() {
            events.push(self.tick()?);
            self.meanings.push(Meaning::Tick);
        }
        Ok(events)
    }

    fn edges_with(&self, wanted: impl Fn(Sync) -> bool) -> Vec<EdgeOf> {
        let mut found = Vec::new();
        for process in self.network.process_ids() {
            for (edge, data) in self.network.process(process).edges.iter().enumerate() {
                if wanted(data.sync) {
                    found.push((process, EdgeId::from(edge)));
                }
            }
        }
        found
    }

    fn combinations(&self) -> Translate<Vec<Together>> {
        let alone = self.edges_with(|sync| sync == Sync::Internal);
        let mut all: Vec<Together> = alone
            .into_iter()
            .map(|edge| Together {
                edges: vec![edge],
                impossible: Vec::new(),
            })
            .collect();
        for (index, channel) in self.network.channels.iter().enumerate() {
            let id = ChannelId::from(index);
            let senders = self.edges_with(|sync| sync == Sync::Send(id));
            let receivers = self.edges_with(|sync| sync == Sync::Receive(id));
            for sender in senders {
                match channel.kind {
                    ChannelKind::Binary => {
                        let partners = receivers.iter().filter(|receiver| receiver.0 != sender.0);
                        all.extend(partners.map(|receiver| Together {
                            edges: vec![sender, *receiver],
                            impossible: Vec::new(),
                        }));
                    }
                    ChannelKind::Broadcast => {
                        // That a receiver cannot take part would be an open condition on clocks.
                        let timed = |(process, edge): &EdgeOf| {
                            !self.network.edge(*process, *edge).guard.clocks.is_empty()
                        };
                        if receivers.iter().any(timed) {
                            return Err("a receiver of a broadcast has a guard on clocks".into());
                        }
                        all.extend(broadcast(sender, &receivers)?);
                    }
                }
                if all.len() > MOST_EVENTS {
                    return Err("there are too many combinations of edges".into());
                }
            }
        }
        Ok(all)
    }

    /// The condition under which an edge is possible, without the rule of committed locations.
    fn possible(&mut self, (process, edge): EdgeOf, scope: &mut Scope) -> Translate<ExpressionId> {
        let network = self.network;
        let edge = network.edge(process, edge);
        let here = self.at(process, edge.source.index());
        let guard = &edge.guard;
        let mut parts = vec![here];
        if let Some(data) = &guard.data {
            let data = self.under(scope, here, |this, scope| this.condition(data, scope))?;
            parts.push(data);
        }
        let so_far = self.system.expressions.and(parts.clone());
        for constraint in &guard.clocks {
            let bound = self.under(scope, so_far, |this, scope| {
                this.clock_constraint(constraint, scope)
            })?;
            parts.push(bound);
        }
        Ok(self.system.expressions.and(parts))
    }

    fn event(&mut self, together: &Together) -> Translate<Event> {
        let network = self.network;
        let mut scope = Scope::default();
        let mut relation = Vec::new();
        let mut names = Vec::new();
        for &(process, edge) in &together.edges {
            relation.push(self.possible((process, edge), &mut scope)?);
            names.push(network.process(process).name.clone());
        }
        for &edge in &together.impossible {
            let possible = self.possible(edge, &mut scope)?;
            relation.push(self.system.expressions.not(possible));
        }
        relation.extend(self.commitment(&together.edges));
        let enabled = self.system.expressions.and(relation.iter().copied());
        self.enabled.push(enabled);
        scope.path = None;
        let guards = std::mem::take(&mut scope.faults);
        self.faults.extend(guards);
        self.statements(&network.before_update, &mut scope)?;
        for &(process, edge) in &together.edges {
            self.statements(&network.edge(process, edge).update, &mut scope)?;
        }
        self.statements(&network.after_update, &mut scope)?;
        for fault in std::mem::take(&mut scope.faults) {
            let reached = self.system.expressions.and([enabled, fault]);
            self.faults.push(reached);
        }
        let mut changed = BTreeSet::new();
        for &(process, edge) in &together.edges {
            let target = network.edge(process, edge).target.index() as i64;
            let target = self.number(target);
            self.assign(
                self.locations[process.index()],
                target,
                &mut relation,
                &mut changed,
            );
        }
        let mut cells: Vec<(Address, ExpressionId)> = scope
            .cells
            .iter()
            .map(|(address, (value, _))| (*address, *value))
            .collect();
        cells.sort_unstable();
        for (address, value) in cells {
            if address.region == Region::State {
                self.assign(
                    self.cells[address.offset as usize],
                    value,
                    &mut relation,
                    &mut changed,
                );
            }
        }
        let mut clocks: Vec<_> = scope
            .clocks
            .iter()
            .map(|(clock, value)| (*clock, *value))
            .collect();
        clocks.sort_unstable();
        for (clock, value) in clocks {
            self.assign(
                self.clocks[clock.index()],
                value,
                &mut relation,
                &mut changed,
            );
        }
        let name = names.join(", ");
        Ok(self.with_rest_unchanged(
            Event {
                name,
                choice: None,
                relation,
                unchanged: Vec::new(),
            },
            &changed,
        ))
    }

    fn assign(
        &mut self,
        variable: VariableId,
        value: ExpressionId,
        relation: &mut Vec<ExpressionId>,
        changed: &mut BTreeSet<VariableId>,
    ) {
        let next = self.variable(variable, true);
        relation.push(self.system.expressions.equal(next, value));
        changed.insert(variable);
    }

    fn with_rest_unchanged(&self, mut event: Event, changed: &BTreeSet<VariableId>) -> Event {
        event.unchanged = self
            .system
            .variable_ids()
            .filter(|id| !changed.contains(id))
            .collect();
        event
    }

    /// If a process is at a committed location, one such process takes part.
    fn commitment(&mut self, edges: &[EdgeOf]) -> Option<ExpressionId> {
        let network = self.network;
        let committed = |(process, edge): &EdgeOf| {
            let source = network.edge(*process, *edge).source;
            network.location(*process, source).kind == LocationKind::Committed
        };
        if edges.iter().any(committed) {
            return None;
        }
        let waiting = self.at_kinds(&[LocationKind::Committed]);
        (!waiting.is_empty()).then(|| {
            let some = self.system.expressions.or(waiting);
            self.system.expressions.not(some)
        })
    }

    /// For each location of the kinds, that its process is there.
    fn at_kinds(&mut self, kinds: &[LocationKind]) -> Vec<ExpressionId> {
        let mut found = Vec::new();
        for process in self.network.process_ids() {
            for (number, location) in self.network.process(process).locations.iter().enumerate() {
                if kinds.contains(&location.kind) {
                    found.push(self.at(process, number));
                }
            }
        }
        found
    }

    /// A time unit passes: not at urgent or committed locations, nor while an urgent synchronisation is possible.
    fn tick(&mut self) -> Translate<Event> {
        let mut hurry = self.at_kinds(&[LocationKind::Urgent, LocationKind::Committed]);
        for together in self.combinations()? {
            let network = self.network;
            let urgent = together.edges.iter().any(|(process, edge)| {
                match network.edge(*process, *edge).sync {
                    Sync::Send(channel) => network.channels[channel.index()].urgent,
                    _ => false,
                }
            });
            if !urgent {
                continue;
            }
            let mut parts = Vec::new();
            for &(process, edge) in &together.edges {
                if !network.edge(process, edge).guard.clocks.is_empty() {
                    return Err("an urgent channel has a guard on clocks".into());
                }
                parts.push(self.possible((process, edge), &mut Scope::default())?);
            }
            hurry.push(self.system.expressions.and(parts));
        }
        let some = self.system.expressions.or(hurry);
        let mut relation = vec![self.system.expressions.not(some)];
        let mut changed = BTreeSet::new();
        for (index, clock) in self.clocks.clone().into_iter().enumerate() {
            let now = self.variable(clock, false);
            let most = self.number(self.ceilings.of(index));
            let one = self.number(1);
            let ty = Type {
                kind: Kind::Scalar,
                set: false,
            };
            let expressions = &mut self.system.expressions;
            let later = expressions.add(
                Node::Arithmetic(merkhet_finite::Arithmetic::Add, now, one),
                ty,
            );
            let below = expressions.relation(Node::Less(now, most));
            let always = expressions.boolean(true);
            let value = expressions.case(vec![(below, later), (always, most)], ty);
            self.assign(clock, value, &mut relation, &mut changed);
        }
        let event = Event {
            name: "time".into(),
            choice: None,
            relation,
            unchanged: Vec::new(),
        };
        Ok(self.with_rest_unchanged(event, &changed))
    }
}

/// A sender with every choice of receivers: each process takes one of its edges, or none if none is possible.
fn broadcast(sender: EdgeOf, receivers: &[EdgeOf]) -> Translate<Vec<Together>> {
    let mut all = vec![Together {
        edges: vec![sender],
        impossible: Vec::new(),
    }];
    let processes: BTreeSet<ProcessId> = receivers
        .iter()
        .map(|receiver| receiver.0)
        .filter(|process| *process != sender.0)
        .collect();
    for process in processes {
        let own: Vec<EdgeOf> = receivers
            .iter()
            .filter(|receiver| receiver.0 == process)
            .copied()
            .collect();
        let mut longer = Vec::new();
        for together in &all {
            for edge in &own {
                let edges = [together.edges.as_slice(), &[*edge]].concat();
                longer.push(Together {
                    edges,
                    impossible: together.impossible.clone(),
                });
            }
            let impossible = [together.impossible.as_slice(), &own].concat();
            longer.push(Together {
                edges: together.edges.clone(),
                impossible,
            });
        }
        if longer.len() > MOST_EVENTS {
            return Err("a broadcast has too many combinations of receivers".into());
        }
        all = longer;
    }
    Ok(all)
}
