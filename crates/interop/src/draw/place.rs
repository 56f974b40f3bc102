//! Where the parts of a template stand: where the file puts them, or where a layout does.

use super::layers::{Graph, layered};
use super::svg::CHARACTER;
use crate::convert::document::{Edge, End, Label, Template};
use crate::convert::layout::complete;

/// The height of a line of text.
pub(super) const LINE: f64 = 15.0;

/// The radius of a location.
pub(super) const RADIUS: f64 = 14.0;

pub(super) type Spot = (f64, f64);

/// A label with its lines.
pub(super) struct Words {
    /// What it is, as in UPPAAL: it decides the colour.
    pub kind: &'static str,
    pub lines: Vec<String>,
    /// Its left upper corner, where the file has one.
    pub at: Option<Spot>,
}

impl Words {
    pub fn width(&self) -> f64 {
        let longest = self.lines.iter().map(|line| line.chars().count()).max();
        longest.unwrap_or(0) as f64 * CHARACTER
    }

    pub fn height(&self) -> f64 {
        self.lines.len() as f64 * LINE
    }
}

/// The most characters of a line that is drawn.
const LONGEST: usize = 60;

fn words(kind: &'static str, label: Option<&Label>, placed: bool) -> Option<Words> {
    let label = label?;
    let at = label.position.filter(|_| placed);
    Some(Words {
        kind,
        lines: lines(&label.text),
        at: at.map(|at| (at.x.into(), at.y.into())),
    })
}

fn lines(text: &str) -> Vec<String> {
    let short = |line: &str| match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    };
    text.lines().map(|line| short(line.trim_end())).collect()
}

/// The labels of an edge, in the order in which they are drawn.
pub(super) fn edge_words(edge: &Edge, placed: bool) -> Vec<Words> {
    let labels = [
        ("select", &edge.select),
        ("guard", &edge.guard),
        ("synchronisation", &edge.synchronisation),
        ("update", &edge.update),
        ("probability", &edge.probability),
    ];
    let found = labels.into_iter();
    found
        .filter_map(|(kind, label)| words(kind, label.as_ref(), placed))
        .collect()
}

/// The name and the labels of a location.
pub(super) fn location_words(template: &Template, index: usize, placed: bool) -> Vec<Words> {
    let location = &template.locations[index];
    let name = location.name.as_ref().map(|name| Words {
        kind: "name",
        lines: lines(name),
        at: None,
    });
    let rest = [
        words("invariant", location.invariant.as_ref(), placed),
        words("rate", location.rate.as_ref(), placed),
    ];
    name.into_iter().chain(rest.into_iter().flatten()).collect()
}

/// Where everything stands.
pub(super) struct Places {
    /// Locations, and then branch points.
    pub nodes: Vec<Spot>,
    /// The points within each edge.
    pub nails: Vec<Vec<Spot>>,
    /// Where the labels of an edge begin that the file puts nowhere: the middle of the uppermost line.
    pub labels: Vec<Option<Spot>>,
    /// Whether the file says where things stand.
    pub by_author: bool,
}

/// Whether a template says where its locations are: not all at one point.
fn has_places(template: &Template) -> bool {
    let locations = template.locations.iter().map(|one| one.position);
    let points = template.branchpoints.iter().map(|one| one.position);
    let all: Vec<_> = locations.chain(points).collect();
    let Some(first) = all.first() else {
        return true;
    };
    all.iter().all(Option::is_some) && (all.len() < 2 || all.iter().any(|at| at != first))
}

fn node(template: &Template, end: End) -> usize {
    match end {
        End::Location(index) => index,
        End::Branchpoint(index) => template.locations.len() + index,
    }
}

/// Finds a place for everything.
pub(super) fn places(template: &mut Template) -> Places {
    if has_places(template) {
        return of_author(template);
    }
    let nodes = (0..template.locations.len()).map(|index| {
        let words = location_words(template, index, false);
        let width = words.iter().map(Words::width).fold(0.0, f64::max);
        let height: f64 = words.iter().map(Words::height).sum();
        // The words stand to the right of the circle.
        (2.0 * (RADIUS + 6.0 + width), height.max(2.0 * RADIUS))
    });
    let points = template.branchpoints.iter().map(|_| (12.0, 12.0));
    let edges = template.edges.iter().map(|edge| {
        let words = edge_words(edge, false);
        let width = words.iter().map(Words::width).fold(0.0, f64::max);
        let height: f64 = words.iter().map(Words::height).sum();
        let (source, target) = (node(template, edge.source), node(template, edge.target));
        (source, target, width, height)
    });
    let graph = Graph {
        nodes: nodes.chain(points).collect(),
        edges: edges.collect(),
        first: template.initial.unwrap_or(0),
    };
    match layered(&graph) {
        Some(placed) => {
            let labels = placed
                .edges
                .iter()
                .enumerate()
                .map(|(index, (points, at))| {
                    let height = graph.edges[index].3;
                    (!points.is_empty()).then_some((at.0, at.1 - height / 2.0))
                });
            Places {
                labels: labels.collect(),
                nails: placed.edges.iter().map(|edge| edge.0.clone()).collect(),
                nodes: placed.nodes,
                by_author: false,
            }
        }
        None => {
            for location in &mut template.locations {
                location.position = None;
            }
            complete(template);
            of_author(template)
        }
    }
}

fn of_author(template: &Template) -> Places {
    let spot = |at: Option<merkhet_syntax::tree::Point>| {
        at.map_or((0.0, 0.0), |at| (f64::from(at.x), f64::from(at.y)))
    };
    let locations = template.locations.iter().map(|one| spot(one.position));
    let points = template.branchpoints.iter().map(|one| spot(one.position));
    let nails = |edge: &Edge| edge.nails.iter().map(|nail| spot(Some(*nail))).collect();
    Places {
        nodes: locations.chain(points).collect(),
        nails: template.edges.iter().map(nails).collect(),
        labels: vec![None; template.edges.len()],
        by_author: true,
    }
}
