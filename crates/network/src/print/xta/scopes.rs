//! Which function declares which local variable, which ones it gets by reference, and where functions stand.

use std::collections::{BTreeSet, HashMap};

use super::Unprintable;
use crate::expression::{ClockPlace, Expr, Place, Stmt};
use crate::ids::{FunctionId, ProcessId};
use crate::memory::Region;
use crate::network::Network;
use crate::print::objects::{Objects, for_each_code};
use crate::visit::{Visitor, walk_expr, walk_indices, walk_stmt, walk_stmts};

/// The scopes of functions and local variables; objects are numbered as in [`Objects`].
pub(super) struct Scopes {
    /// Callees before callers.
    pub order: Vec<FunctionId>,
    /// The process in whose template a function stands.
    pub owners: Vec<Option<ProcessId>>,
    /// Local variables of callers that a function gets by reference.
    pub references: Vec<Vec<usize>>,
    /// Local variables that a function declares itself.
    pub declared: Vec<BTreeSet<usize>>,
    /// Objects that are variables of loops and quantifiers.
    pub loop_variables: BTreeSet<usize>,
}

/// What one function, or all code outside functions, uses directly.
#[derive(Default)]
struct Uses {
    objects: BTreeSet<usize>,
    bound: BTreeSet<usize>,
    calls: BTreeSet<FunctionId>,
    owners: BTreeSet<ProcessId>,
}

struct Collector<'a> {
    network: &'a Network,
    objects: &'a Objects,
    uses: Uses,
}

impl Collector<'_> {
    fn note(&mut self, place: &Place) {
        if place.base.region == Region::Local {
            self.uses
                .objects
                .extend(self.objects.find(place.base.offset));
        } else if let Some(cell) = self
            .network
            .cells(place.base.region)
            .get(place.base.offset as usize)
        {
            self.uses
                .owners
                .extend(self.network.variables[cell.variable.index()].owner);
        }
        walk_indices(self, &place.indices);
    }
}

impl Visitor for Collector<'_> {
    fn expr(&mut self, expr: &Expr) {
        if let Expr::Quantified { variable, .. } = expr {
            self.uses.bound.extend(self.objects.find(variable.offset));
        }
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::For { variable, .. } = stmt {
            self.uses.bound.extend(self.objects.find(variable.offset));
        }
        walk_stmt(self, stmt);
    }

    fn read(&mut self, place: &Place, _: u32) {
        self.note(place);
    }

    fn write(&mut self, place: &Place, _: u32) {
        self.note(place);
    }

    fn reset(&mut self, clock: &ClockPlace) {
        self.uses
            .owners
            .extend(self.network.clocks[clock.base.index()].owner);
        walk_indices(self, &clock.indices);
    }

    fn call(&mut self, function: FunctionId) {
        self.uses.calls.insert(function);
    }
}

impl Scopes {
    pub fn of(network: &Network, objects: &Objects) -> Result<Scopes, Unprintable> {
        let collector = || Collector {
            network,
            objects,
            uses: Uses::default(),
        };
        let mut functions: Vec<Uses> = Vec::new();
        for function in &network.functions {
            let mut collector = collector();
            walk_stmts(&mut collector, &function.body);
            functions.push(collector.uses);
        }
        let order = order(&functions);
        let mut outside = collector();
        let rest = Network {
            functions: Vec::new(),
            processes: network.processes.clone(),
            before_update: network.before_update.clone(),
            after_update: network.after_update.clone(),
            ..Network::default()
        };
        for_each_code(&rest, &mut outside);
        let mut scopes = Scopes {
            owners: owners(network, &functions, &order)?,
            references: vec![Vec::new(); functions.len()],
            declared: vec![BTreeSet::new(); functions.len()],
            loop_variables: BTreeSet::new(),
            order,
        };
        scopes.check_callers(network)?;
        let bound = functions
            .iter()
            .chain([&outside.uses])
            .flat_map(|uses| &uses.bound);
        scopes.loop_variables = bound.copied().collect();
        scopes.place_objects(network, objects, &functions)?;
        Ok(scopes)
    }

    /// Decides who declares each object; who else uses it gets it by reference.
    fn place_objects(
        &mut self,
        network: &Network,
        objects: &Objects,
        functions: &[Uses],
    ) -> Result<(), Unprintable> {
        let mut fixed: HashMap<usize, FunctionId> = HashMap::new();
        for (index, function) in network.functions.iter().enumerate() {
            for (base, _) in function.parameters.iter().chain(&function.result) {
                if let Some(object) = objects.find(base.offset) {
                    fixed.insert(object, FunctionId::from(index));
                }
            }
        }
        let results: BTreeSet<usize> = (network.functions.iter())
            .filter_map(|function| objects.find(function.result?.0.offset))
            .collect();
        let mut users: HashMap<usize, Vec<FunctionId>> = HashMap::new();
        for (index, uses) in functions.iter().enumerate() {
            for object in &uses.objects {
                users
                    .entry(*object)
                    .or_default()
                    .push(FunctionId::from(index));
            }
        }
        for (object, users) in &users {
            if fixed.contains_key(object) || self.loop_variables.contains(object) {
                continue;
            }
            let declarer = users.iter().find(|user| {
                let reached = reachable(functions, **user);
                users.iter().all(|other| reached.contains(other))
            });
            let Some(declarer) = declarer else {
                return Err(Unprintable("a local variable that functions share".into()));
            };
            self.declared[declarer.index()].insert(*object);
            fixed.insert(*object, *declarer);
        }
        for id in self.order.clone() {
            let uses = &functions[id.index()];
            let mut needed: BTreeSet<usize> = uses.objects.clone();
            for callee in &uses.calls {
                needed.extend(&self.references[callee.index()]);
            }
            needed.retain(|object| {
                !uses.bound.contains(object)
                    && fixed.get(object) != Some(&id)
                    && !results.contains(object)
            });
            self.references[id.index()] = needed.into_iter().collect();
        }
        Ok(())
    }

    /// Functions of a template are called from there only.
    fn check_callers(&self, network: &Network) -> Result<(), Unprintable> {
        struct Calls<'s> {
            owners: &'s [Option<ProcessId>],
            here: Option<ProcessId>,
            wrong: bool,
        }
        impl Visitor for Calls<'_> {
            fn call(&mut self, function: FunctionId) {
                let owner = self.owners[function.index()];
                self.wrong |= owner.is_some() && owner != self.here;
            }
        }
        let mut calls = Calls {
            owners: &self.owners,
            here: None,
            wrong: false,
        };
        walk_stmts(&mut calls, &network.before_update);
        walk_stmts(&mut calls, &network.after_update);
        for (index, process) in network.processes.iter().enumerate() {
            calls.here = Some(ProcessId::from(index));
            let alone = Network {
                processes: vec![process.clone()],
                ..Network::default()
            };
            for_each_code(&alone, &mut calls);
        }
        match calls.wrong {
            true => Err(Unprintable(
                "a function that uses variables of another process".into(),
            )),
            false => Ok(()),
        }
    }
}

/// The functions that a function calls, directly or not, and itself.
fn reachable(functions: &[Uses], from: FunctionId) -> BTreeSet<FunctionId> {
    let mut seen = BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(next) = waiting.pop() {
        for callee in &functions[next.index()].calls {
            if seen.insert(*callee) {
                waiting.push(*callee);
            }
        }
    }
    seen
}

/// Callees first, otherwise by number.
fn order(functions: &[Uses]) -> Vec<FunctionId> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for index in 0..functions.len() {
        // Each entry is a function and whether its callees have been put before it.
        let mut stack = vec![(FunctionId::from(index), false)];
        while let Some((id, ready)) = stack.pop() {
            if ready {
                order.push(id);
            } else if seen.insert(id) {
                stack.push((id, true));
                stack.extend(
                    functions[id.index()]
                        .calls
                        .iter()
                        .map(|callee| (*callee, false)),
                );
            }
        }
    }
    order
}

fn owners(
    network: &Network,
    functions: &[Uses],
    order: &[FunctionId],
) -> Result<Vec<Option<ProcessId>>, Unprintable> {
    let mut owners: Vec<BTreeSet<ProcessId>> =
        functions.iter().map(|uses| uses.owners.clone()).collect();
    for id in order {
        for callee in &functions[id.index()].calls {
            let more = owners[callee.index()].clone();
            owners[id.index()].extend(more);
        }
    }
    let one = |(index, owners): (usize, BTreeSet<ProcessId>)| match owners.len() {
        0 | 1 => Ok(owners.into_iter().next()),
        _ => {
            let name = &network.functions[index].name;
            Err(Unprintable(format!(
                "the function `{name}`, which uses variables of several processes"
            )))
        }
    };
    owners.into_iter().enumerate().map(one).collect()
}
