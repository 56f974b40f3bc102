//! Places for what has none: locations on a circle, labels in the middle of their edges.

use merkhet_syntax::tree::Point;

use super::document::{Edge, End, Template};

/// The distance between neighbours on the circle.
const SPACING: f64 = 170.0;

/// Gives every location and branch point of a template a place, and edges that would hide each other a bend.
pub(crate) fn complete(template: &mut Template) {
    let count = template.locations.len() + template.branchpoints.len();
    let radius =
        (count as f64 * SPACING / std::f64::consts::TAU).max(if count > 1 { 120.0 } else { 0.0 });
    let place = |index: usize| {
        let angle = std::f64::consts::TAU * index as f64 / count.max(1) as f64;
        // The first one at the top left, then clockwise, on the grid of the editor.
        let snap = |value: f64| (value / 17.0).round() as i32 * 17;
        Point {
            x: snap(-radius * angle.cos()),
            y: snap(-radius * angle.sin()),
        }
    };
    let placed = template
        .locations
        .iter()
        .all(|location| location.position.is_some());
    if !placed {
        for (index, location) in template.locations.iter_mut().enumerate() {
            location.position = Some(place(index));
        }
    }
    let locations = template.locations.len();
    for (index, point) in template.branchpoints.iter_mut().enumerate() {
        if point.position.is_none() || !placed {
            point.position = Some(place(locations + index));
        }
    }
    if !placed {
        bend(template);
    }
}

/// The place of an edge's end.
pub(crate) fn end(template: &Template, end: End) -> Point {
    let found = match end {
        End::Location(index) => template.locations[index].position,
        End::Branchpoint(index) => template.branchpoints[index].position,
    };
    found.unwrap_or(Point { x: 0, y: 0 })
}

/// The middle of an edge, where its labels go.
pub(crate) fn middle(template: &Template, edge: &Edge) -> Point {
    if let Some(nail) = edge.nails.get(edge.nails.len() / 2) {
        return *nail;
    }
    let (a, b) = (end(template, edge.source), end(template, edge.target));
    Point {
        x: a.x.midpoint(b.x),
        y: a.y.midpoint(b.y),
    }
}

fn bend(template: &mut Template) {
    for index in 0..template.edges.len() {
        let edge = &template.edges[index];
        let (source, target) = (edge.source, edge.target);
        let before = template.edges[..index].iter().filter(|other| {
            (other.source, other.target) == (source, target)
                || (other.source, other.target) == (target, source)
        });
        let rank = before.count() as i32;
        let (a, b) = (end(template, source), end(template, target));
        let nails = if source == target {
            let high = 51 + 34 * rank;
            vec![
                Point {
                    x: a.x - 34,
                    y: a.y - high,
                },
                Point {
                    x: a.x + 34,
                    y: a.y - high,
                },
            ]
        } else if rank > 0 {
            // To the side of the straight line, further out for each further edge.
            let (dx, dy) = (f64::from(b.x - a.x), f64::from(b.y - a.y));
            let length = dx.hypot(dy).max(1.0);
            let by = 40.0 * f64::from(rank);
            let shift =
                |from: i32, to: i32, part: f64| from.midpoint(to) + (part * by / length) as i32;
            vec![Point {
                x: shift(a.x, b.x, -dy),
                y: shift(a.y, b.y, dx),
            }]
        } else {
            Vec::new()
        };
        template.edges[index].nails = nails;
    }
}
