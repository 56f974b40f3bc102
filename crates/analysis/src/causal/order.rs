//! A total order of the vertices that loses few arcs (sections 4.3 and 5.1).

use super::{CausalGraph, Vertex};

impl CausalGraph {
    /// The rank of each vertex. Arcs from a higher rank to a lower one are to be ignored.
    ///
    /// Variables come before automata. Within each kind, the next one is always that for which the ignored arcs, from
    /// those that are still to come, are induced by the fewest transitions. Without cycles, and where no automaton
    /// precedes a variable, it is a topological order.
    pub fn order(&self) -> Vec<u32> {
        let count = self.vertices.len();
        let automaton = |vertex: usize| matches!(self.vertices[vertex], Vertex::Process(_));
        let mut ignored = vec![0u64; count];
        for arc in &self.arcs {
            // Among the variables, arcs from automata are lost whatever the order.
            if automaton(arc.from as usize) == automaton(arc.to as usize) {
                ignored[arc.to as usize] += arc.weight;
            }
        }
        let mut outgoing = vec![Vec::new(); count];
        for arc in &self.arcs {
            outgoing[arc.from as usize].push((arc.to as usize, arc.weight));
        }
        let mut rank = vec![u32::MAX; count];
        let mut next = 0;
        for automata in [false, true] {
            while let Some(first) = (0..count)
                .filter(|vertex| rank[*vertex] == u32::MAX && automaton(*vertex) == automata)
                .min_by_key(|vertex| ignored[*vertex])
            {
                rank[first] = next;
                next += 1;
                for (to, weight) in &outgoing[first] {
                    if automaton(*to) == automata && rank[*to] == u32::MAX {
                        ignored[*to] -= weight;
                    }
                }
            }
        }
        rank
    }
}
