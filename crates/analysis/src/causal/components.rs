//! Strongly connected components (Tarjan 1972), without recursion.

/// For each vertex the number of its strongly connected component, in a topological order: no arc leads from a larger
/// number to a smaller one.
pub fn components(vertices: usize, arcs: &[(u32, u32)]) -> Vec<u32> {
    let mut start = vec![0u32; vertices + 1];
    for (from, _) in arcs {
        start[*from as usize + 1] += 1;
    }
    for vertex in 0..vertices {
        start[vertex + 1] += start[vertex];
    }
    let mut at = start.clone();
    let mut targets = vec![0u32; arcs.len()];
    for (from, to) in arcs {
        targets[at[*from as usize] as usize] = *to;
        at[*from as usize] += 1;
    }
    let mut search = Search {
        next: start[..vertices].to_vec(),
        start,
        targets,
        index: vec![UNSEEN; vertices],
        low: vec![0; vertices],
        stack: Vec::new(),
        component: vec![UNSEEN; vertices],
        seen: 0,
        found: 0,
    };
    for vertex in 0..vertices as u32 {
        if search.index[vertex as usize] == UNSEEN {
            search.from(vertex);
        }
    }
    // Tarjan finds the last component first.
    let last = search.found.wrapping_sub(1);
    search
        .component
        .iter()
        .map(|number| last - number)
        .collect()
}

const UNSEEN: u32 = u32::MAX;

struct Search {
    start: Vec<u32>,
    targets: Vec<u32>,
    next: Vec<u32>,
    index: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    component: Vec<u32>,
    seen: u32,
    found: u32,
}

impl Search {
    fn from(&mut self, root: u32) {
        let mut path = vec![root];
        self.enter(root);
        while let Some(&at) = path.last() {
            let here = at as usize;
            if self.next[here] < self.start[here + 1] {
                let target = self.targets[self.next[here] as usize];
                self.next[here] += 1;
                if self.index[target as usize] == UNSEEN {
                    self.enter(target);
                    path.push(target);
                } else if self.component[target as usize] == UNSEEN {
                    self.low[here] = self.low[here].min(self.index[target as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&parent) = path.last() {
                self.low[parent as usize] = self.low[parent as usize].min(self.low[here]);
            }
            if self.low[here] == self.index[here] {
                while let Some(member) = self.stack.pop() {
                    self.component[member as usize] = self.found;
                    if member == at {
                        break;
                    }
                }
                self.found += 1;
            }
        }
    }

    fn enter(&mut self, vertex: u32) {
        self.index[vertex as usize] = self.seen;
        self.low[vertex as usize] = self.seen;
        self.seen += 1;
        self.stack.push(vertex);
    }
}
