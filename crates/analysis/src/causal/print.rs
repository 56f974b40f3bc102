//! The graph as text, for Graphviz and as SVG.

use std::cmp::Ordering;

use merkhet_network::Network;

use super::{CausalGraph, Vertex};

impl CausalGraph {
    /// A line for each vertex with what may have to change before it; `~` marks arcs on cycles.
    pub fn text(&self, network: &Network) -> String {
        let cyclic = self.arcs.iter().filter(|arc| arc.cyclic).count();
        let mut text = format!(
            "causal graph: {} vertices, {} arcs, {cyclic} of them on cycles\n",
            self.vertices.len(),
            self.arcs.len(),
        );
        for vertex in 0..self.vertices.len() as u32 {
            let kind = match self.vertices[vertex as usize] {
                Vertex::Process(_) => "process ",
                Vertex::Variable(_) | Vertex::Cell(_) => "variable",
            };
            text += &format!("{kind} {}", self.name(network, vertex));
            let before: Vec<String> = self
                .into(vertex)
                .map(|arc| {
                    let mark = if arc.cyclic { "~" } else { "" };
                    format!("{mark}{} ({})", self.name(network, arc.from), arc.weight)
                })
                .collect();
            match before.is_empty() {
                true => text += ": independent\n",
                false => text += &format!(" <- {}\n", before.join(", ")),
            }
        }
        text
    }

    /// For Graphviz: automata are boxes, variables ellipses; arcs on cycles are red and dashed.
    pub fn dot(&self, network: &Network) -> String {
        let mut text = String::from("digraph causal_graph {\n  rankdir=LR;\n");
        for vertex in 0..self.vertices.len() as u32 {
            let shape = match self.vertices[vertex as usize] {
                Vertex::Process(_) => "box",
                Vertex::Variable(_) | Vertex::Cell(_) => "ellipse",
            };
            let name = self.name(network, vertex).replace('\\', "\\\\");
            let name = name.replace('"', "\\\"");
            text += &format!("  v{vertex} [label=\"{name}\", shape={shape}];\n");
        }
        for arc in &self.arcs {
            let style = if arc.cyclic {
                ", color=red, style=dashed"
            } else {
                ""
            };
            let (from, to, weight) = (arc.from, arc.to, arc.weight);
            text += &format!("  v{from} -> v{to} [label=\"{weight}\"{style}];\n");
        }
        text + "}\n"
    }

    /// A drawing: columns in the order of the strongly connected components, so that arcs without cycles lead to the
    /// right; arcs on cycles are red and dashed.
    pub fn svg(&self, network: &Network) -> String {
        let places = self.places(network);
        let width = places.iter().map(|place| place.x + place.width).max();
        let height = places.iter().map(|place| place.y + HEIGHT).max();
        let (width, height) = (width.unwrap_or(0) + MARGIN, height.unwrap_or(0) + MARGIN);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n{MARKERS}"
        );
        for arc in &self.arcs {
            let (from, to) = (&places[arc.from as usize], &places[arc.to as usize]);
            let (x1, y1, x2, y2) = from.line_to(to);
            let (dx, dy) = bend(from, to);
            let (x, y) = ((x1 + x2) / 2 + dx, (y1 + y2) / 2 + dy);
            let style = if arc.cyclic {
                "stroke=\"#c00\" stroke-dasharray=\"4 3\" marker-end=\"url(#red)\""
            } else {
                "stroke=\"#444\" marker-end=\"url(#grey)\""
            };
            text += &format!(
                "<path d=\"M{x1} {y1} Q{x} {y} {x2} {y2}\" fill=\"none\" {style}><title>{} -> {}: {} \
                 transitions</title></path>\n",
                escaped(&self.name(network, arc.from)),
                escaped(&self.name(network, arc.to)),
                arc.weight,
            );
        }
        for (vertex, place) in places.iter().enumerate() {
            let radius = match self.vertices[vertex] {
                Vertex::Process(_) => 2,
                Vertex::Variable(_) | Vertex::Cell(_) => HEIGHT / 2,
            };
            let name = escaped(&self.name(network, vertex as u32));
            text += &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{HEIGHT}\" rx=\"{radius}\" fill=\"#fff\" \
                 stroke=\"#222\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{name}</text>\n",
                place.x,
                place.y,
                place.width,
                place.x + place.width / 2,
                place.y + 17,
            );
        }
        text + "</svg>\n"
    }

    fn places(&self, network: &Network) -> Vec<Place> {
        // The column is the longest way to the component over other components.
        let mut column = vec![0usize; self.vertices.len() + 1];
        let mut arcs: Vec<_> = self.arcs.iter().filter(|arc| !arc.cyclic).collect();
        arcs.sort_by_key(|arc| self.components[arc.from as usize]);
        for arc in arcs {
            let from = column[self.components[arc.from as usize] as usize];
            let to = &mut column[self.components[arc.to as usize] as usize];
            *to = (*to).max(from + 1);
        }
        let mut columns: Vec<Vec<usize>> = Vec::new();
        for vertex in 0..self.vertices.len() {
            let at = column[self.components[vertex] as usize];
            columns.resize_with(columns.len().max(at + 1), Vec::new);
            columns[at].push(vertex);
        }
        let mut places = vec![Place::default(); self.vertices.len()];
        let mut x = MARGIN;
        for members in columns.iter().filter(|members| !members.is_empty()) {
            let length = |vertex: &usize| self.name(network, *vertex as u32).chars().count() as i64;
            let width = members.iter().map(length).max().unwrap_or(0) * 8 + 20;
            for (row, vertex) in members.iter().enumerate() {
                let y = MARGIN + row as i64 * (HEIGHT + 26);
                places[*vertex] = Place { x, y, width };
            }
            x += width + 90;
        }
        places
    }
}

#[derive(Clone, Default)]
struct Place {
    x: i64,
    y: i64,
    width: i64,
}

const HEIGHT: i64 = 26;
const MARGIN: i64 = 40;

const MARKERS: &str = "<defs>\
<marker id=\"grey\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
<path d=\"M0 0L8 4L0 8z\" fill=\"#444\"/></marker>\
<marker id=\"red\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
<path d=\"M0 0L8 4L0 8z\" fill=\"#c00\"/></marker></defs>\n";

impl Place {
    /// The ends of an arc: between the facing sides, or between the right sides within a column.
    fn line_to(&self, to: &Place) -> (i64, i64, i64, i64) {
        let (y1, y2) = (self.y + HEIGHT / 2, to.y + HEIGHT / 2);
        if self.x < to.x {
            (self.x + self.width, y1, to.x, y2)
        } else if self.x > to.x {
            (self.x, y1, to.x + to.width, y2)
        } else {
            // Each direction has its side, so that a pair of arcs stays apart.
            let side = if self.y < to.y { self.width } else { 0 };
            (self.x + side, y1, to.x + side, y2)
        }
    }
}

/// How far the middle of an arc is off the straight line.
fn bend(from: &Place, to: &Place) -> (i64, i64) {
    match from.x.cmp(&to.x) {
        Ordering::Less => (0, -14),
        Ordering::Greater => (0, 14),
        Ordering::Equal if from.y < to.y => (36, 0),
        Ordering::Equal => (-36, 0),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
