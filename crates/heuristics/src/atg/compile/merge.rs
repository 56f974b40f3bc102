//! Fewer abstract edges that say the same.
//!
//! Clocks do not count here and every condition is tested on its own (section 3.2), so that many edges of a network
//! differ in a value only, or not at all. Edges between the same locations with the same partner and the same effects
//! are joined where one's conditions imply the other's, and where they differ in the permitted values of one cell: then
//! the values are united. Both leave each layer as it was: the joined edge is enabled exactly when one of the two was.

use std::collections::{BTreeMap, HashMap};

use crate::atg::clocks::Timing;
use crate::atg::model::{EdgeRef, Effect, Partner};

/// An abstract edge in the making.
#[derive(Clone, Debug)]
pub(in crate::atg) struct Draft {
    pub origins: Vec<EdgeRef>,
    pub process: u32,
    pub source: u32,
    pub target: u32,
    pub partner: Partner,
    /// Permitted values of dense cells: at most one mask for each, never all values.
    pub masks: BTreeMap<u32, u64>,
    /// Other conditions, ascending.
    pub others: Vec<u32>,
    pub effects: Vec<Effect>,
    /// Empty unless clocks count.
    pub timing: Timing,
}

impl Draft {
    /// Goes nowhere, does nothing and helps nobody.
    fn is_idle(&self) -> bool {
        self.source == self.target && self.effects.is_empty() && self.partner == Partner::None
    }

    /// Whether this edge is enabled wherever the other is.
    fn covers(&self, other: &Draft) -> bool {
        let masks = self.masks.iter().all(|(cell, mask)| {
            other
                .masks
                .get(cell)
                .is_some_and(|narrow| narrow & !mask == 0)
        });
        masks
            && self.others.iter().all(|need| other.others.contains(need))
            && self.timing.waits_no_longer(&other.timing)
    }

    /// The only cell whose permitted values differ, if all else is equal.
    fn only_difference(&self, other: &Draft) -> Option<u32> {
        if self.timing.waits != other.timing.waits || self.others != other.others {
            return None;
        }
        if !self.masks.keys().eq(other.masks.keys()) {
            return None;
        }
        let pairs = self.masks.iter().zip(other.masks.values());
        let mut different = pairs.filter(|((_, left), right)| left != right);
        let ((cell, _), _) = different.next()?;
        different.next().is_none().then_some(*cell)
    }
}

/// Joins what can be joined; `full` gives the mask of all values of a dense cell. Groups of more than `most` similar edges
/// are left alone: joining looks at pairs.
pub(in crate::atg) fn merge(
    drafts: Vec<Draft>,
    most: usize,
    full: &dyn Fn(u32) -> u64,
) -> Vec<Draft> {
    let mut groups: Vec<Vec<Draft>> = Vec::new();
    let mut known: HashMap<(u32, u32, Partner), Vec<usize>> = HashMap::new();
    for draft in drafts {
        if draft.is_idle() {
            continue;
        }
        let candidates = known
            .entry((draft.source, draft.target, draft.partner))
            .or_default();
        // Of very many that differ (a `select` over a large range) only the last are looked at: joining saves time later
        // and must not take more than that now.
        let same = (candidates.iter().rev().take(most)).find(|group| {
            let known = &groups[**group][0];
            same_effects(&known.effects, &draft.effects)
                && known.timing.resets == draft.timing.resets
        });
        match same {
            Some(group) => groups[*group].push(draft),
            None => {
                candidates.push(groups.len());
                groups.push(vec![draft]);
            }
        }
    }
    groups
        .into_iter()
        .flat_map(|group| merge_group(group, most, full))
        .collect()
}

fn same_effects(left: &[Effect], right: &[Effect]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            left.cell == right.cell && left.late == right.late && left.action == right.action
        })
}

fn merge_group(mut group: Vec<Draft>, most: usize, full: &dyn Fn(u32) -> u64) -> Vec<Draft> {
    if group.len() > most {
        return group;
    }
    let mut at = 0;
    while at < group.len() {
        // What comes of a joining may join again, with those before it too: start over from the first.
        match join_with_a_later_one(&mut group, at, full) {
            true => at = 0,
            false => at += 1,
        }
    }
    group
}

fn join_with_a_later_one(group: &mut Vec<Draft>, at: usize, full: &dyn Fn(u32) -> u64) -> bool {
    for other in at + 1..group.len() {
        let (left, right) = (&group[at], &group[other]);
        if left.covers(right) {
            let covered = group.remove(other);
            group[at].origins.extend(covered.origins);
            return true;
        }
        if right.covers(left) {
            let mut wide = group.remove(other);
            wide.origins.append(&mut group[at].origins);
            group[at] = wide;
            return true;
        }
        if let Some(cell) = left.only_difference(right) {
            let joined = group.remove(other);
            let kept = &mut group[at];
            kept.origins.extend(joined.origins);
            let mask = kept.masks.get(&cell).copied().unwrap_or(0)
                | joined.masks.get(&cell).copied().unwrap_or(0);
            if mask == full(cell) {
                kept.masks.remove(&cell);
            } else {
                kept.masks.insert(cell, mask);
            }
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Draft, merge};
    use crate::atg::clocks::Timing;
    use crate::atg::model::{Action, EdgeRef, Effect, Partner};
    use merkhet_network::{EdgeId, ProcessId};

    fn draft(number: u32, masks: &[(u32, u64)], set: i32) -> Draft {
        Draft {
            origins: vec![EdgeRef {
                process: ProcessId(0),
                edge: EdgeId(number),
            }],
            process: 0,
            source: 0,
            target: 1,
            partner: Partner::None,
            masks: masks.iter().copied().collect(),
            others: Vec::new(),
            effects: vec![Effect {
                edge: number,
                cell: 9,
                action: Action::Set(set),
                late: false,
            }],
            timing: Timing::default(),
        }
    }

    #[test]
    fn a_table_of_cases_becomes_one_edge() {
        // Two cells with the values 0, 1, 2; all nine pairs lead to the same, so nothing is needed.
        let all: Vec<Draft> = (0..9)
            .map(|at| draft(at, &[(0, 1 << (at / 3)), (1, 1 << (at % 3))], 4))
            .collect();
        let merged = merge(all, 512, &|_| 0b111);
        assert_eq!(merged.len(), 1);
        assert!(merged[0].masks.is_empty());
        assert_eq!(merged[0].origins.len(), 9);
    }

    #[test]
    fn different_effects_stay_apart() {
        let merged = merge(
            vec![draft(0, &[(0, 1)], 4), draft(1, &[(0, 2)], 5)],
            512,
            &|_| 0b111,
        );
        assert_eq!(merged.len(), 2);
    }

    #[test]
    fn what_is_implied_goes() {
        let merged = merge(
            vec![
                draft(0, &[(0, 1), (1, 1)], 4),
                draft(1, &[(0, 3)], 4),
                draft(2, &[(1, 6), (2, 1)], 4),
            ],
            512,
            &|_| 0b111,
        );
        assert_eq!(merged.len(), 2);
        assert_eq!(merged[0].origins.len(), 2);
    }
}
