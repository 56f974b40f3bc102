//! Clocks that are indexed at run time are written as arrays.

use std::collections::BTreeSet;

use super::Unprintable;
use crate::expression::ClockPlace;
use crate::network::Network;
use crate::print::ClockArray;
use crate::print::normal::Mangler;
use crate::print::objects::for_each_code;
use crate::visit::{Visitor, walk_indices};

/// A run of clocks and the strides and lengths by which it is indexed.
struct Group {
    first: u32,
    end: u32,
    steps: BTreeSet<(u32, u32)>,
}

/// The arrays that run-time indices ask for.
pub(super) fn arrays(
    network: &Network,
    names: &[String],
    mangler: &mut Mangler,
) -> Result<Vec<ClockArray>, Unprintable> {
    #[derive(Default)]
    struct Search(Vec<Group>);
    impl Visitor for Search {
        fn reset(&mut self, clock: &ClockPlace) {
            walk_indices(self, &clock.indices);
            if clock.indices.is_empty() {
                return;
            }
            let reach: u32 = clock
                .indices
                .iter()
                .map(|index| index.length.saturating_sub(1) * index.stride)
                .sum();
            let steps: BTreeSet<(u32, u32)> = clock
                .indices
                .iter()
                .map(|index| (index.stride, index.length))
                .collect();
            self.0.push(Group {
                first: clock.base.0,
                end: clock.base.0 + reach + 1,
                steps,
            });
        }
    }
    let mut search = Search::default();
    for_each_code(network, &mut search);
    search.0.sort_by_key(|group| group.first);
    let mut groups: Vec<Group> = Vec::new();
    for group in search.0 {
        match groups.last_mut() {
            Some(last) if group.first < last.end => {
                last.end = last.end.max(group.end);
                last.steps.extend(group.steps);
            }
            _ => groups.push(group),
        }
    }
    groups
        .into_iter()
        .map(|group| array(group, names, mangler))
        .collect()
}

fn array(group: Group, names: &[String], mangler: &mut Mangler) -> Result<ClockArray, Unprintable> {
    let mut dimensions: Vec<(u32, u32)> = group.steps.into_iter().rev().collect();
    // A dimension whose index is never known at run time only does not show.
    match dimensions.last() {
        Some((stride, _)) if *stride > 1 => dimensions.push((1, *stride)),
        _ => {}
    }
    let fits = dimensions
        .windows(2)
        .all(|pair| pair[0].0 == pair[1].0 * pair[1].1);
    let count = dimensions
        .first()
        .map_or(0, |(stride, length)| stride * length);
    if !fits || (group.first + count) as usize > names.len() {
        let name = names.get(group.first as usize).cloned().unwrap_or_default();
        return Err(Unprintable(format!(
            "the way in which the clock `{name}` is indexed"
        )));
    }
    let first = names.get(group.first as usize).cloned().unwrap_or_default();
    let suffix = "_0_".repeat(dimensions.len());
    let joined = "_0__0_".repeat(dimensions.len());
    let stem = first
        .strip_suffix(&suffix)
        .or(first.strip_suffix(&joined))
        .unwrap_or(&first);
    Ok(ClockArray {
        first: group.first,
        count,
        name: mangler.name(stem),
        dimensions,
    })
}
