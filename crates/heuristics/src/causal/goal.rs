//! What the goal asks of each part.

use std::collections::BTreeMap;

use merkhet_network::code::ProgramBuilder;
use merkhet_network::footprint::Footprints;
use merkhet_network::{Network, Region};

use super::costs::Costs;
use super::labels::conjuncts;
use super::model::Model;
use super::trial::Trial;
use crate::goal::Conjunct;
use crate::{DEAD_END, combine_sum};

/// Most combinations of values that conditions over several variables are tried for; beyond they count as true.
const MOST_COMBINATIONS: usize = 4096;

/// What must be met together: parts, each with the values that it may have, as pairs before and after.
pub(super) type Alternative = Vec<(u32, Vec<(u16, u16)>)>;

/// A value that a part is to have.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub vertex: u32,
    /// The value that it has.
    pub from: u16,
    pub to: u16,
    /// The cost of getting there.
    pub cost: u32,
}

/// One way to meet the goal.
pub(super) struct Target {
    /// Parts with the values that they may have.
    parts: Vec<(u32, Vec<u16>)>,
    /// Conditions over several parts, with the combinations of values that satisfy them.
    together: Vec<(Vec<u32>, Vec<u16>)>,
}

impl Target {
    pub fn new(network: &Network, model: &Model, conjunct: &Conjunct) -> Target {
        let mut target = Target {
            parts: Vec::new(),
            together: Vec::new(),
        };
        for (process, locations) in &conjunct.locations {
            if model.vertices[process.index()].tracked() {
                let values = locations.iter().map(|location| location.0 as u16);
                target.parts.push((process.0, values.collect()));
            }
        }
        for expr in &conjunct.data {
            let mut parts = Vec::new();
            conjuncts(expr, &mut parts);
            for part in parts {
                target.condition(network, model, part);
            }
        }
        target
    }

    fn condition(&mut self, network: &Network, model: &Model, expr: &merkhet_network::Expr) {
        let found = Footprints::new(network).expr(expr);
        let processes = network.processes.len() as u32;
        let mut cells = Vec::new();
        let mut combinations = 1usize;
        for cell in found.reads.iter() {
            match cell.region {
                Region::State => {
                    let vertex = &model.vertices[(processes + cell.offset) as usize];
                    combinations = combinations.saturating_mul(vertex.size as usize);
                    cells.push(cell.offset);
                }
                Region::Meta => return,
                Region::Constant | Region::Local => {}
            }
            if combinations == 0 || combinations > MOST_COMBINATIONS {
                return;
            }
        }
        if !found.locations.is_empty() {
            return;
        }
        let mut builder = ProgramBuilder::new(network);
        let code = builder.expression(expr);
        let mut trial = Trial::new(builder.finish());
        let vertices: Vec<u32> = cells.iter().map(|cell| processes + cell).collect();
        let mut rows = Vec::new();
        for number in 0..combinations {
            let mut rest = number;
            let mut row = Vec::new();
            for (cell, vertex) in cells.iter().zip(&vertices) {
                let part = &model.vertices[*vertex as usize];
                let value = rest % part.size as usize;
                rest /= part.size as usize;
                trial.set(*cell, part.low + value as i32);
                row.push(value as u16);
            }
            if trial.holds(code) {
                rows.extend(row);
            }
        }
        match vertices[..] {
            [vertex] => self.parts.push((vertex, rows)),
            _ => self.together.push((vertices, rows)),
        }
    }

    /// Every way to meet it part by part. Conditions over several parts that would make too many are left out.
    pub fn alternatives(&self) -> Vec<Alternative> {
        let mut ways: Vec<BTreeMap<u32, Vec<u16>>> = vec![BTreeMap::new()];
        for (vertex, values) in &self.parts {
            restrict(&mut ways[0], *vertex, values);
        }
        for (vertices, rows) in &self.together {
            let width = vertices.len().max(1);
            if ways.len() * (rows.len() / width) > MOST_COMBINATIONS {
                continue;
            }
            let combined = ways.iter().flat_map(|way| {
                rows.chunks_exact(width).map(move |row| {
                    let mut way = way.clone();
                    for (vertex, value) in vertices.iter().zip(row) {
                        restrict(&mut way, *vertex, &[*value]);
                    }
                    way
                })
            });
            ways = combined.collect();
        }
        let possible = |way: &BTreeMap<u32, Vec<u16>>| !way.values().any(Vec::is_empty);
        let pairs = |values: Vec<u16>| values.into_iter().map(|value| (value, value)).collect();
        let listed = |way: BTreeMap<u32, Vec<u16>>| {
            let parts = way.into_iter();
            parts
                .map(|(vertex, values)| (vertex, pairs(values)))
                .collect()
        };
        ways.into_iter().filter(possible).map(listed).collect()
    }

    /// The cost of meeting it.
    pub fn cost(&self, model: &Model, costs: &mut Costs) -> u32 {
        let mut total = 0;
        for (vertex, values) in &self.parts {
            let at = costs.value(*vertex);
            let best = if values.contains(&at) {
                0
            } else {
                let row = costs.row(model, *vertex, at);
                let all = values.iter().map(|value| costs.at(row, *value));
                all.min().unwrap_or(DEAD_END)
            };
            total = combine_sum(total, best);
        }
        for (vertices, rows) in &self.together {
            total = combine_sum(total, cheapest(model, costs, vertices, rows));
        }
        total
    }
}

/// The values that the parts are to have on the cheapest way to meet one of several targets, with what each costs.
pub(super) fn wanted(model: &Model, targets: &[Target], costs: &mut Costs) -> Vec<Wanted> {
    let all = targets.iter().map(|target| target.cost(model, costs));
    let all: Vec<u32> = all.collect();
    let Some(at) = (0..targets.len()).min_by_key(|at| all[*at]) else {
        return Vec::new();
    };
    let mut wanted = Vec::new();
    for (vertex, values) in &targets[at].parts {
        let from = costs.value(*vertex);
        if !values.contains(&from) {
            let row = costs.row(model, *vertex, from);
            let cheapest = values.iter().min_by_key(|value| costs.at(row, **value));
            wanted.extend(cheapest.map(|value| Wanted {
                vertex: *vertex,
                from,
                to: *value,
                cost: costs.at(row, *value),
            }));
        }
    }
    for (vertices, rows) in &targets[at].together {
        let rows = rows.chunks_exact(vertices.len().max(1));
        let cost = |row: &&[u16]| cheapest(model, costs, vertices, row);
        if let Some(row) = rows.min_by_key(cost) {
            for (vertex, to) in vertices.iter().zip(row) {
                let from = costs.value(*vertex);
                let known = costs.row(model, *vertex, from);
                wanted.push(Wanted {
                    vertex: *vertex,
                    from,
                    to: *to,
                    cost: costs.at(known, *to),
                });
            }
        }
    }
    wanted
}

/// Leaves a part only those of its values that are among these too.
fn restrict(way: &mut BTreeMap<u32, Vec<u16>>, vertex: u32, values: &[u16]) {
    match way.get_mut(&vertex) {
        Some(known) => known.retain(|value| values.contains(value)),
        None => {
            way.insert(vertex, values.to_vec());
        }
    }
}

/// The cheapest of several combinations of values.
fn cheapest(model: &Model, costs: &mut Costs, vertices: &[u32], rows: &[u16]) -> u32 {
    let mut best = if vertices.is_empty() { 0 } else { DEAD_END };
    for row in rows.chunks_exact(vertices.len().max(1)) {
        let mut total = 0;
        for (vertex, value) in vertices.iter().zip(row) {
            let from = costs.value(*vertex);
            let known = costs.row(model, *vertex, from);
            total = combine_sum(total, costs.at(known, *value));
        }
        best = best.min(total);
    }
    best
}
