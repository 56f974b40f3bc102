//! What the value is made of: what it costs each part that the goal constrains to get to where the goal wants it.

use merkhet_network::{Address, LocationId, Network, ProcessId, Region};

use super::goal::{self, Wanted};
use super::{CausalGraphHeuristic, Solver};
use crate::explanation::{Part, finite};

impl CausalGraphHeuristic {
    /// The parts with their costs, on the cheapest way to meet the goal.
    pub fn parts(&mut self, network: &Network, memory: &[i32]) -> Vec<Part> {
        let wanted = match &mut self.solver {
            Solver::Dynamic(goal, problems) => problems.wanted(&self.model, memory, goal),
            Solver::Ordered(targets, costs) => {
                costs.begin(&self.model, memory);
                goal::wanted(&self.model, targets, costs)
            }
        };
        let part = |wanted: &Wanted| Part {
            what: self.describe(network, wanted),
            value: finite(wanted.cost),
            counts: wanted.cost > 0,
        };
        wanted.iter().map(part).collect()
    }

    fn describe(&self, network: &Network, wanted: &Wanted) -> String {
        let Wanted {
            vertex, from, to, ..
        } = *wanted;
        let processes = network.processes.len() as u32;
        if vertex < processes {
            let process = network.process(ProcessId(vertex));
            let name = |at: u16| {
                let location = LocationId(at.into());
                process.locations[location.index()].name.as_str()
            };
            return format!("{}: {} → {}", process.name, name(from), name(to));
        }
        let name = network.cell_name(Address {
            region: Region::State,
            offset: vertex - processes,
        });
        let low = self.model.vertices[vertex as usize].low;
        format!(
            "{name}: {} → {}",
            low + i32::from(from),
            low + i32::from(to)
        )
    }
}
