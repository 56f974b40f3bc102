//! A layered layout of a graph, after Sugiyama, Tagawa and Toda (1981): layers from the first node, nodes within a layer in an
//! order with few crossings, and coordinates that keep edges straight.
//!
//! Every edge has a node of its own in the middle, as wide as its label, so that labels neither meet each other nor cover
//! nodes, and edges between the same two nodes go different ways.

/// Distances between neighbours in a layer, and between layers of nodes.
const BESIDE: f64 = 30.0;
const BELOW: f64 = 64.0;

/// How often the order within layers, and the coordinates, are improved.
const SWEEPS: usize = 12;

/// More nodes than this, those within edges included, are not worth a layered drawing.
const MOST: usize = 6_000;

/// A point.
type Spot = (f64, f64);

/// A graph to be laid out.
pub(super) struct Graph {
    /// Width and height of each node.
    pub nodes: Vec<(f64, f64)>,
    /// Ends, and width and height of the label.
    pub edges: Vec<(usize, usize, f64, f64)>,
    /// The node to begin with.
    pub first: usize,
}

/// Where things stand.
pub(super) struct Placed {
    /// The middle of each node.
    pub nodes: Vec<Spot>,
    /// The points that each edge goes through between its ends, and the middle of its label.
    pub edges: Vec<(Vec<Spot>, Spot)>,
}

/// Lays a graph out; nothing for one that is too large.
pub(super) fn layered(graph: &Graph) -> Option<Placed> {
    if graph.nodes.len() + 2 * graph.edges.len() > MOST {
        return None;
    }
    let forward = forward(graph);
    let layers = ranks(graph, &forward);
    let mut net = Net::new(graph, &forward, &layers)?;
    net.untangle();
    net.straighten();
    Some(net.placed(graph, &forward))
}

/// Whether each edge leads downwards; the others close circles. Loops lead nowhere.
fn forward(graph: &Graph) -> Vec<bool> {
    let count = graph.nodes.len();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, edge) in graph.edges.iter().enumerate() {
        out[edge.0].push(index);
    }
    let mut forward = vec![true; graph.edges.len()];
    // 0: not seen, 1: on the way, 2: done.
    let mut seen = vec![0u8; count];
    let roots = std::iter::once(graph.first).chain(0..count);
    for root in roots.filter(|root| *root < count) {
        if seen[root] != 0 {
            continue;
        }
        let mut way = vec![(root, 0)];
        seen[root] = 1;
        while let Some((node, next)) = way.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                seen[*node] = 2;
                way.pop();
                continue;
            };
            *next += 1;
            let target = graph.edges[edge].1;
            match seen[target] {
                0 => {
                    seen[target] = 1;
                    way.push((target, 0));
                }
                1 => forward[edge] = false,
                _ => {}
            }
        }
    }
    forward
}

/// The layer of each node: below all that lead to it. Even numbers are for nodes, odd ones for the middles of edges.
fn ranks(graph: &Graph, forward: &[bool]) -> Vec<usize> {
    let count = graph.nodes.len();
    let down = |index: usize| {
        let (source, target, ..) = graph.edges[index];
        match forward[index] {
            true => (source, target),
            false => (target, source),
        }
    };
    let mut waiting = vec![0usize; count];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
    for index in 0..graph.edges.len() {
        let (source, target) = down(index);
        if source != target {
            waiting[target] += 1;
            below[source].push(target);
        }
    }
    let mut ready: Vec<usize> = (0..count).filter(|node| waiting[*node] == 0).collect();
    let mut ranks = vec![0; count];
    while let Some(node) = ready.pop() {
        for &target in &below[node] {
            ranks[target] = ranks[target].max(ranks[node] + 2);
            waiting[target] -= 1;
            if waiting[target] == 0 {
                ready.push(target);
            }
        }
    }
    ranks
}

/// The graph with nodes within edges.
struct Net {
    widths: Vec<f64>,
    heights: Vec<f64>,
    rank: Vec<usize>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// The nodes within each edge, from above.
    chains: Vec<Vec<usize>>,
    layers: Vec<Vec<usize>>,
    x: Vec<f64>,
}

impl Net {
    fn new(graph: &Graph, forward: &[bool], ranks: &[usize]) -> Option<Net> {
        let mut net = Net {
            widths: graph.nodes.iter().map(|node| node.0).collect(),
            heights: graph.nodes.iter().map(|node| node.1).collect(),
            rank: ranks.to_vec(),
            above: vec![Vec::new(); ranks.len()],
            below: vec![Vec::new(); ranks.len()],
            chains: Vec::new(),
            layers: Vec::new(),
            x: Vec::new(),
        };
        for (index, &(source, target, width, height)) in graph.edges.iter().enumerate() {
            let (from, to) = match forward[index] {
                true => (source, target),
                false => (target, source),
            };
            let mut chain = Vec::new();
            if from == to {
                // A loop hangs beside its node.
                net.widths[from] += 2.0 * (width + 34.0);
                net.heights[from] = net.heights[from].max(height + 34.0);
                net.chains.push(chain);
                continue;
            }
            let (first, last) = (ranks[from] + 1, ranks[to]);
            let middle = usize::midpoint(ranks[from], ranks[to]);
            let mut before = from;
            for rank in first..last {
                let (width, height) = match rank == middle {
                    true => (width + 12.0, height),
                    false => (8.0, 0.0),
                };
                let node = net.node(rank, width, height)?;
                net.link(before, node);
                chain.push(node);
                before = node;
            }
            net.link(before, to);
            net.chains.push(chain);
        }
        let depth = net.rank.iter().max().map_or(0, |rank| rank + 1);
        net.layers = vec![Vec::new(); depth];
        // Neighbours in the order in which a walk from the first node comes by.
        let mut seen = vec![false; net.rank.len()];
        for root in std::iter::once(graph.first).chain(0..net.rank.len()) {
            let mut stack = vec![root];
            while let Some(node) = stack.pop().filter(|node| *node < seen.len()) {
                if std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                net.layers[net.rank[node]].push(node);
                stack.extend(net.below[node].iter().rev());
            }
        }
        net.x = vec![0.0; net.rank.len()];
        Some(net)
    }

    fn node(&mut self, rank: usize, width: f64, height: f64) -> Option<usize> {
        let index = self.rank.len();
        self.widths.push(width);
        self.heights.push(height);
        self.rank.push(rank);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        (index < MOST).then_some(index)
    }

    fn link(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    fn positions(&self) -> Vec<usize> {
        let mut position = vec![0; self.rank.len()];
        for layer in &self.layers {
            for (index, node) in layer.iter().enumerate() {
                position[*node] = index;
            }
        }
        position
    }

    /// Orders the layers so that few edges cross: each node goes to the mean of its neighbours, from above and from below in
    /// turns, as long as that helps.
    fn untangle(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..SWEEPS {
            if best.0 == 0 {
                break;
            }
            let downwards = sweep % 2 == 0;
            let mut order: Vec<usize> = (0..self.layers.len()).collect();
            if !downwards {
                order.reverse();
            }
            for layer in order {
                let position = self.positions();
                let neighbours = if downwards { &self.above } else { &self.below };
                let mean = |node: usize| {
                    let around = &neighbours[node];
                    match around.is_empty() {
                        true => position[node] as f64,
                        false => {
                            let sum: usize = around.iter().map(|one| position[*one]).sum();
                            sum as f64 / around.len() as f64
                        }
                    }
                };
                let mut keyed: Vec<(f64, usize)> =
                    (self.layers[layer].iter().map(|node| (mean(*node), *node))).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.layers[layer] = keyed.into_iter().map(|(_, node)| node).collect();
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    /// The number of crossings between neighbouring layers: pairs of edges in different order above and below.
    fn crossings(&self) -> u64 {
        let position = self.positions();
        let mut crossings = 0;
        for layer in &self.layers {
            let mut ends: Vec<usize> = Vec::new();
            for node in layer {
                let mut targets: Vec<usize> =
                    self.below[*node].iter().map(|one| position[*one]).collect();
                targets.sort_unstable();
                ends.extend(targets);
            }
            // Inversions, by a tree of counts.
            let most = ends.iter().max().map_or(0, |most| most + 1);
            let mut counts = vec![0u64; most + 1];
            for (seen, end) in ends.iter().enumerate() {
                let mut at = end + 1;
                let mut smaller = 0;
                while at > 0 {
                    smaller += counts[at];
                    at &= at - 1;
                }
                crossings += seen as u64 - smaller;
                let mut at = end + 1;
                while at < counts.len() {
                    counts[at] += 1;
                    at += at & at.wrapping_neg();
                }
            }
        }
        crossings
    }

    /// Coordinates to the right: each node as near to the mean of its neighbours as its layer's order and widths permit.
    fn straighten(&mut self) {
        for layer in &self.layers {
            let mut at = 0.0;
            for node in layer {
                self.x[*node] = at + self.widths[*node] / 2.0;
                at += self.widths[*node] + BESIDE;
            }
            for node in layer {
                self.x[*node] -= at / 2.0;
            }
        }
        for sweep in 0..2 * SWEEPS {
            let downwards = sweep % 2 == 0;
            for step in 0..self.layers.len() {
                let index = match downwards {
                    true => step,
                    false => self.layers.len() - 1 - step,
                };
                let layer = std::mem::take(&mut self.layers[index]);
                self.settle(&layer, downwards);
                self.layers[index] = layer;
            }
        }
    }

    /// The coordinates of a layer that are nearest to what its nodes want, in least squares: neighbours that would overlap
    /// are merged into blocks that move together (pool adjacent violators).
    fn settle(&mut self, layer: &[usize], downwards: bool) {
        struct Block {
            sum: f64,
            weight: f64,
            nodes: usize,
        }
        let mut offsets = Vec::with_capacity(layer.len());
        let mut offset = 0.0;
        let mut blocks: Vec<Block> = Vec::new();
        for (index, &node) in layer.iter().enumerate() {
            if index > 0 {
                let before = layer[index - 1];
                offset += self.widths[before].midpoint(self.widths[node]) + BESIDE;
            }
            offsets.push(offset);
            let around = match downwards {
                true => &self.above[node],
                false => &self.below[node],
            };
            let sum: f64 = around.iter().map(|one| self.x[*one]).sum();
            let (want, weight) = match around.len() {
                0 => (self.x[node], 0.2),
                several => (sum / several as f64, several as f64),
            };
            blocks.push(Block {
                sum: (want - offset) * weight,
                weight,
                nodes: 1,
            });
            while let [.., one, other] = &blocks[..]
                && one.sum / one.weight > other.sum / other.weight
            {
                let merged = Block {
                    sum: one.sum + other.sum,
                    weight: one.weight + other.weight,
                    nodes: one.nodes + other.nodes,
                };
                blocks.truncate(blocks.len() - 2);
                blocks.push(merged);
            }
        }
        let mut next = 0;
        for block in blocks {
            let at = block.sum / block.weight;
            for _ in 0..block.nodes {
                self.x[layer[next]] = at + offsets[next];
                next += 1;
            }
        }
    }

    fn placed(&self, graph: &Graph, forward: &[bool]) -> Placed {
        let mut y = vec![0.0; self.layers.len()];
        let mut at = 0.0;
        for (rank, layer) in self.layers.iter().enumerate() {
            let highest = layer.iter().map(|node| self.heights[*node]);
            let height = highest.fold(0.0, f64::max);
            y[rank] = at + height / 2.0;
            at += height + BELOW / 2.0;
        }
        let point = |node: usize| (self.x[node], y[self.rank[node]]);
        let edges = self.chains.iter().enumerate().map(|(index, chain)| {
            let (source, target, ..) = graph.edges[index];
            let mut points: Vec<Spot> = chain.iter().map(|node| point(*node)).collect();
            let middle = points.get(points.len() / 2).copied();
            if !forward[index] {
                points.reverse();
            }
            let label = middle.unwrap_or_else(|| {
                let (a, b) = (point(source), point(target));
                (a.0.midpoint(b.0), a.1.midpoint(b.1))
            });
            (points, label)
        });
        Placed {
            nodes: (0..graph.nodes.len()).map(point).collect(),
            edges: edges.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Graph, layered};

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        Graph {
            nodes: vec![(40.0, 40.0); nodes],
            edges: edges.iter().map(|(a, b)| (*a, *b, 50.0, 15.0)).collect(),
            first: 0,
        }
    }

    /// Nodes do not overlap, labels do not either, and edges lead from their source to their target.
    fn check(nodes: usize, edges: &[(usize, usize)]) {
        let graph = graph(nodes, edges);
        let placed = layered(&graph).expect("small enough");
        let mut boxes: Vec<(f64, f64, f64, f64)> = placed
            .nodes
            .iter()
            .map(|at| (at.0, at.1, 20.0, 20.0))
            .collect();
        for (edge, (_, label)) in edges.iter().zip(&placed.edges) {
            if edge.0 != edge.1 {
                boxes.push((label.0, label.1, 25.0, 7.5));
            }
        }
        for (index, one) in boxes.iter().enumerate() {
            for other in &boxes[index + 1..] {
                let apart = (one.0 - other.0).abs() >= one.2 + other.2 - 0.01
                    || (one.1 - other.1).abs() >= one.3 + other.3 - 0.01;
                assert!(apart, "{one:?} {other:?} in {edges:?}");
            }
        }
    }

    #[test]
    fn nothing_overlaps() {
        check(1, &[]);
        check(1, &[(0, 0), (0, 0)]);
        check(2, &[(0, 1), (0, 1), (1, 0), (1, 1)]);
        check(4, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)]);
        check(3, &[]);
        // Numbers that only look random.
        for seed in 1..40usize {
            let nodes = 2 + seed % 9;
            let edges: Vec<(usize, usize)> = (0..seed)
                .map(|i| ((i * 7 + seed * 3) % nodes, (i * i * 5 + seed) % nodes))
                .collect();
            check(nodes, &edges);
        }
    }

    #[test]
    fn a_chain_is_straight_and_goes_down() {
        let placed = layered(&graph(4, &[(0, 1), (1, 2), (2, 3)])).expect("small");
        for pair in placed.nodes.windows(2) {
            assert!((pair[0].0 - pair[1].0).abs() < 1.0 && pair[0].1 < pair[1].1);
        }
    }

    #[test]
    fn what_is_too_large_is_left() {
        let edges: Vec<(usize, usize)> = (0..5000).map(|i| (i, (i * 31 + 7) % 5001)).collect();
        assert!(layered(&graph(5001, &edges)).is_none());
    }
}
