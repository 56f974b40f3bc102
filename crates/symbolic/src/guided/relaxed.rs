//! Which variables a way to the error needs, by a relaxation: variables keep all values that they
//! ever had, so that each is looked at by itself (Hoffmann, Nebel: "The FF planning system", JAIR
//! 14, 2001; the abstract transition graphs of this project's h^L and h^U do the same for networks).
//!
//! The paper chose patterns by hand. The variables that change on a relaxed way to the error are
//! those that a person would keep, and finding them costs less than one small database.

use super::variables_of;
use crate::bdd::{Bdd, Renaming};
use crate::limits::Stop;
use crate::relation::Model;
use crate::system::{Role, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Relations that change more variables are not local enough for the relaxation to be cheap.
const MOST_CHANGED: usize = 16;

/// Most variables that a relation is looked at together with.
const MOST_READ: usize = 48;

/// The first way in which a variable gets some values.
struct Achiever {
    layer: usize,
    values: Bdd,
    relation: usize,
}

/// A value that the way needs: the variable gets it by its achiever with this number.
#[derive(Clone)]
struct Need {
    variable: VariableId,
    achiever: usize,
    values: Bdd,
}

/// A relaxed way to the error.
pub(super) struct RelaxedWay {
    /// By group of the error's variables: what changes on the way to their values.
    pub(super) patterns: Vec<BTreeSet<VariableId>>,
    /// Different relations on the way: no fewer steps are needed if the relaxation is right.
    pub(super) steps: usize,
}

struct Relaxation<'a> {
    model: &'a Model,
    initial: Vec<Bdd>,
    reached: Vec<Bdd>,
    achievers: Vec<Vec<Achiever>>,
    /// The state variables that each relation mentions with their values now.
    reads: Vec<Vec<VariableId>>,
    to_current: Vec<Renaming>,
    to_next: Vec<Renaming>,
}

/// The way to a state of `bad`, for groups of its variables. `None` if the relaxation does not get
/// there or does not fit the model.
pub(super) fn relaxed_way(
    model: &Model,
    bad: &Bdd,
    groups: &[BTreeSet<VariableId>],
) -> Result<Option<RelaxedWay>, Stop> {
    let Some(mut relaxation) = Relaxation::new(model)? else {
        return Ok(None);
    };
    let Some(layer) = relaxation.reach(bad)? else {
        return Ok(None);
    };
    let needs = relaxation.choose(bad.clone(), layer, &BTreeSet::new())?;
    let mut way = RelaxedWay {
        patterns: Vec::new(),
        steps: 0,
    };
    let (mut taken, mut relations) = (BTreeSet::new(), BTreeSet::new());
    for group in groups {
        let own = needs
            .iter()
            .filter(|need| group.contains(&need.variable))
            .cloned();
        let (mut pattern, own_relations) = relaxation.support(own.collect())?;
        pattern.extend(group);
        pattern.retain(|id| group.contains(id) || !taken.contains(id));
        taken.extend(pattern.iter().copied());
        relations.extend(own_relations);
        way.patterns.push(pattern);
    }
    way.steps = relations.len();
    Ok(Some(way))
}

impl<'a> Relaxation<'a> {
    fn new(model: &'a Model) -> Result<Option<Relaxation<'a>>, Stop> {
        let diagrams = &model.encoding.diagrams;
        let mut relaxation = Relaxation {
            model,
            initial: Vec::new(),
            reached: Vec::new(),
            achievers: Vec::new(),
            reads: Vec::new(),
            to_current: Vec::new(),
            to_next: Vec::new(),
        };
        for relation in &model.relations {
            let mentioned = relation
                .clusters()
                .iter()
                .flat_map(|part| variables_of(model, part));
            let reads: BTreeSet<VariableId> = mentioned
                .filter(|id| model.system.variable(*id).role != Role::Input)
                .collect();
            if relation.changed.len() > MOST_CHANGED || reads.len() > MOST_READ {
                return Ok(None);
            }
            relaxation.reads.push(reads.into_iter().collect());
        }
        for id in model.system.variable_ids() {
            let bits = model.encoding.bits_of(id);
            let values = relaxation.values_now(&model.initial, id)?;
            relaxation.initial.push(values.clone());
            relaxation.reached.push(values);
            relaxation.achievers.push(Vec::new());
            relaxation
                .to_current
                .push(diagrams.renaming(&bits.next, &bits.current, true));
            relaxation
                .to_next
                .push(diagrams.renaming(&bits.current, &bits.next, true));
        }
        Ok(Some(relaxation))
    }

    /// The values of a variable in a set, with all other bits hidden.
    fn values_now(&self, set: &Bdd, id: VariableId) -> Result<Bdd, Stop> {
        self.project(set, &self.model.encoding.bits_of(id).current)
    }

    fn project(&self, set: &Bdd, kept: &[u32]) -> Result<Bdd, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let gone = diagrams
            .support(set)
            .into_iter()
            .filter(|bit| !kept.contains(bit));
        diagrams.exists(set, &diagrams.cube(gone)?)
    }

    /// A set with its variables limited to the values of a layer.
    fn limited(&self, set: &Bdd, ids: &[VariableId], layer: usize) -> Result<Bdd, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let mut limited = set.clone();
        for &id in ids {
            let achievers = self.achievers[id.index()].iter();
            let early = achievers
                .filter(|achiever| achiever.layer <= layer)
                .map(|a| a.values.clone());
            let values = diagrams.or_all(early.chain([self.initial[id.index()].clone()]))?;
            limited = diagrams.and(&limited, &values)?;
        }
        Ok(limited)
    }

    /// Adds layers until the goal is possible; the number of the last one.
    fn reach(&mut self, goal: &Bdd) -> Result<Option<usize>, Stop> {
        let model = self.model;
        let diagrams = &model.encoding.diagrams;
        let wanted = self.states_of(goal);
        let mut fresh: BTreeSet<VariableId> = model.system.variable_ids().collect();
        for layer in 0.. {
            diagrams.check_limits()?;
            if !diagrams.is_false(&self.limited(goal, &wanted, layer)?) {
                return Ok(Some(layer));
            }
            let mut new = Vec::new();
            for (number, relation) in model.relations.iter().enumerate() {
                if !self.reads[number].iter().any(|id| fresh.contains(id)) {
                    continue;
                }
                let possible = self.possible(number, layer)?;
                for &id in &relation.changed {
                    let next = self.project(&possible, &model.encoding.bits_of(id).next)?;
                    let values = diagrams.rename(&next, &self.to_current[id.index()])?;
                    let values = diagrams.minus(&values, &self.reached[id.index()])?;
                    if !diagrams.is_false(&values) {
                        new.push((id, values, number));
                    }
                }
            }
            fresh.clear();
            for (id, values, relation) in new {
                let reached = &mut self.reached[id.index()];
                let values = diagrams.minus(&values, reached)?; // another relation may have been first
                if diagrams.is_false(&values) {
                    continue;
                }
                *reached = diagrams.or(reached, &values)?;
                self.achievers[id.index()].push(Achiever {
                    layer: layer + 1,
                    values,
                    relation,
                });
                fresh.insert(id);
            }
            if fresh.is_empty() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The steps of a relation from values of a layer.
    fn possible(&self, number: usize, layer: usize) -> Result<Bdd, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let start = self.limited(&diagrams.constant(true), &self.reads[number], layer)?;
        let mut product = start;
        for part in self.model.relations[number].clusters() {
            product = diagrams.and(&product, part)?;
        }
        Ok(product)
    }

    fn states_of(&self, set: &Bdd) -> Vec<VariableId> {
        let mut ids = variables_of(self.model, set);
        ids.retain(|id| self.model.system.variable(*id).role != Role::Input);
        ids
    }

    /// Values of a layer that lie in the set: those that are planned already, otherwise initial
    /// ones, as far as possible. What of them is neither.
    fn choose(
        &self,
        set: Bdd,
        layer: usize,
        planned: &BTreeSet<(VariableId, usize)>,
    ) -> Result<Vec<Need>, Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let mut ids = self.states_of(&set);
        let mut set = self.limited(&set, &ids, layer)?;
        for &(id, number) in planned {
            let achiever = &self.achievers[id.index()][number];
            if achiever.layer <= layer && ids.contains(&id) {
                let as_planned = diagrams.and(&set, &achiever.values)?;
                if !diagrams.is_false(&as_planned) {
                    set = as_planned;
                    ids.retain(|other| *other != id);
                }
            }
        }
        let mut later = Vec::new();
        for &id in &ids {
            let initially = diagrams.and(&set, &self.initial[id.index()])?;
            if diagrams.is_false(&initially) {
                later.push(id);
            } else {
                set = initially;
            }
        }
        let mut needs = Vec::new();
        for id in later {
            for (number, achiever) in self.achievers[id.index()].iter().enumerate() {
                let by_it = diagrams.and(&set, &achiever.values)?;
                if !diagrams.is_false(&by_it) {
                    set = by_it;
                    let values = self.values_now(&set, id)?;
                    needs.push(Need {
                        variable: id,
                        achiever: number,
                        values,
                    });
                    break;
                }
            }
        }
        Ok(needs)
    }

    /// All variables that change on the way to some values, and the relations that do it. What comes
    /// late is explained first, so that what it needs is planned when there is a choice.
    fn support(&self, needs: Vec<Need>) -> Result<(BTreeSet<VariableId>, BTreeSet<usize>), Stop> {
        let diagrams = &self.model.encoding.diagrams;
        let layer = |need: &Need| self.achievers[need.variable.index()][need.achiever].layer;
        let mut planned = BTreeSet::new();
        let mut waiting: BTreeMap<usize, Vec<Need>> = BTreeMap::new();
        let mut new = needs;
        loop {
            for need in new.drain(..) {
                if planned.insert((need.variable, need.achiever)) {
                    waiting.entry(layer(&need)).or_default().push(need);
                }
            }
            let Some(mut latest) = waiting.last_entry() else {
                break;
            };
            let Some(need) = latest.get_mut().pop() else {
                latest.remove();
                continue;
            };
            let achiever = &self.achievers[need.variable.index()][need.achiever];
            let before = achiever.layer - 1;
            let target = diagrams.rename(&need.values, &self.to_next[need.variable.index()])?;
            let steps = diagrams.and(&self.possible(achiever.relation, before)?, &target)?;
            let start = self.project(&steps, self.model.encoding.state_bits())?;
            new = self.choose(start, before, &planned)?;
        }
        let changing = planned.iter().map(|(id, _)| *id).collect();
        let relation =
            |(id, number): &(VariableId, usize)| self.achievers[id.index()][*number].relation;
        Ok((changing, planned.iter().map(relation).collect()))
    }
}
