//! A total order of the vertices that loses few arcs (sections 4.3 and 5.1).

use std::cmp::Reverse;

use super::{CausalGraph, Vertex};

impl CausalGraph {
    /// An order with a goal in view: what the goal constrains comes last, what may have to change before it earlier, and
    /// so on; the order above decides between vertices that are equally far from the goal.
    ///
    /// Where every part is on a cycle with its neighbours, the plain order may put the goal first, and nothing would be
    /// known of what has to happen before.
    pub fn order_towards(&self, goals: &[u32]) -> Vec<u32> {
        let plain = self.order();
        let mut distance = vec![u32::MAX; self.vertices.len()];
        let mut queue: Vec<u32> = Vec::new();
        for goal in goals {
            if std::mem::replace(&mut distance[*goal as usize], 0) != 0 {
                queue.push(*goal);
            }
        }
        let mut incoming = vec![Vec::new(); self.vertices.len()];
        for arc in &self.arcs {
            incoming[arc.to as usize].push(arc.from);
        }
        let mut next = 0;
        while next < queue.len() {
            let at = queue[next];
            next += 1;
            for from in &incoming[at as usize] {
                if distance[*from as usize] == u32::MAX {
                    distance[*from as usize] = distance[at as usize] + 1;
                    queue.push(*from);
                }
            }
        }
        let automaton = |vertex: u32| matches!(self.vertices[vertex as usize], Vertex::Process(_));
        let mut all: Vec<u32> = (0..self.vertices.len() as u32).collect();
        all.sort_by_key(|vertex| {
            let far = u32::MAX - distance[*vertex as usize];
            (automaton(*vertex), far, plain[*vertex as usize])
        });
        ranks(&all)
    }

    /// The order in which a top-down computation that starts from the goal finishes: depth first along the arcs, those of
    /// most transitions first. An arc is ignored where it comes from a part that is being computed already, so that the
    /// chain of what has to happen before is kept as long as it is, even where every part is on a cycle with its
    /// neighbours. As in the paper, variables come before automata.
    pub fn order_depth_first(&self, goals: &[u32]) -> Vec<u32> {
        let count = self.vertices.len();
        let mut incoming = vec![Vec::new(); count];
        for arc in &self.arcs {
            incoming[arc.to as usize].push((Reverse(arc.weight), arc.from));
        }
        incoming.iter_mut().for_each(|arcs| arcs.sort_unstable());
        let mut seen = vec![false; count];
        let mut finished: Vec<u32> = Vec::with_capacity(count);
        for start in goals.iter().copied().chain(0..count as u32) {
            if std::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            let mut path = vec![(start, 0)];
            while let Some((at, next)) = path.last_mut() {
                match incoming[*at as usize].get(*next) {
                    Some((_, from)) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[*from as usize], true) {
                            path.push((*from, 0));
                        }
                    }
                    None => {
                        finished.push(*at);
                        path.pop();
                    }
                }
            }
        }
        let automaton = |vertex: u32| matches!(self.vertices[vertex as usize], Vertex::Process(_));
        finished.sort_by_key(|vertex| automaton(*vertex));
        ranks(&finished)
    }

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

/// The place of each vertex in a list of all.
fn ranks(order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; order.len()];
    for (place, vertex) in order.iter().enumerate() {
        ranks[*vertex as usize] = place as u32;
    }
    ranks
}
