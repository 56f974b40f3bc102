//! The steps in flat arrays.

use std::collections::{BTreeSet, HashMap};

use crate::causal::model::{Model, Need, Step, VertexModel};
use crate::causal::steps::{Demand, Steps};

/// Puts everything into flat arrays.
pub(in crate::causal) fn assemble(
    mut vertices: Vec<VertexModel>,
    rank: Option<&[u32]>,
    steps: Vec<Steps>,
) -> Model {
    let mut model = Model::default();
    let mut known: HashMap<Vec<(u16, u16)>, (u32, u32)> = HashMap::new();
    let tracked: Vec<bool> = vertices.iter().map(VertexModel::tracked).collect();
    for (vertex, own) in steps.into_iter().enumerate() {
        if !tracked[vertex] {
            continue;
        }
        let mut predecessors: Vec<u32> = Vec::new();
        vertices[vertex].steps = vec![(0, 0); vertices[vertex].size as usize];
        let mut last: Option<u16> = None;
        for ((from, to, demands), labels) in own {
            if last != Some(from) {
                let start = model.steps.len() as u32;
                vertices[vertex].steps[from as usize] = (start, start);
                last = Some(from);
            }
            let first = model.needs.len() as u32;
            for (other, demand) in demands {
                if !tracked[other as usize] {
                    continue;
                }
                let position = predecessors.iter().position(|known| *known == other);
                let slot = position.unwrap_or_else(|| {
                    predecessors.push(other);
                    predecessors.len() - 1
                }) as u16;
                model.needs.push(match demand {
                    Demand::Set(after) => Need::Set { slot, after },
                    Demand::Pairs(pairs) => {
                        let all = &mut model.pairs;
                        let (first, last) = *known.entry(pairs).or_insert_with_key(|pairs| {
                            let first = all.len() as u32;
                            all.extend_from_slice(pairs);
                            (first, all.len() as u32)
                        });
                        Need::Pairs { slot, first, last }
                    }
                });
            }
            let needs = (first, model.needs.len() as u32);
            let start = model.step_labels.len() as u32;
            model.step_labels.extend(labels);
            let labels = (start, model.step_labels.len() as u32);
            model.steps.push(Step { to, needs, labels });
            vertices[vertex].steps[from as usize].1 = model.steps.len() as u32;
        }
        vertices[vertex].predecessors = predecessors;
    }
    if let Some(rank) = rank {
        find_ancestors(&mut vertices, rank);
    }
    model.vertices = vertices;
    model
}

fn find_ancestors(vertices: &mut [VertexModel], rank: &[u32]) {
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by_key(|vertex| rank[*vertex]);
    for vertex in order {
        let mut ancestors: BTreeSet<u32> = BTreeSet::new();
        for predecessor in &vertices[vertex].predecessors {
            ancestors.insert(*predecessor);
            ancestors.extend(&vertices[*predecessor as usize].ancestors);
        }
        vertices[vertex].ancestors = ancestors.into_iter().collect();
    }
}
