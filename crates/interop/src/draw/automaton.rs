//! Automata as UPPAAL draws them: coordinates, nails, and labels where they were put.

use std::collections::HashMap;
use std::fmt::Write;

use super::place::{LINE, Places, RADIUS, Spot, Words, edge_words, location_words, places};
use super::svg::{escape, n, open, text};
use crate::convert::document::{Document, End, Template};
use crate::convert::{NotConvertible, Original, as_document};

/// A template as a picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The template's name with its parameters.
    pub title: String,
    /// The template's name.
    pub name: String,
    /// Where it lies: the left upper corner, width and height.
    area: Area,
    body: String,
}

#[derive(Clone, Copy, Debug)]
struct Area {
    low: Spot,
    high: Spot,
}

impl Area {
    const NOTHING: Area = Area {
        low: (f64::INFINITY, f64::INFINITY),
        high: (f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    fn add(&mut self, x: f64, y: f64, width: f64, height: f64) {
        self.low = (self.low.0.min(x), self.low.1.min(y));
        self.high = (self.high.0.max(x + width), self.high.1.max(y + height));
    }
}

/// Around each picture.
const MARGIN: f64 = 24.0;
/// For its title.
const HEAD: f64 = 22.0;

impl Picture {
    /// A document of its own.
    pub fn svg(&self) -> String {
        Picture::sheet(&self.title, std::slice::from_ref(self))
    }

    /// All pictures below each other in one document.
    pub fn sheet(title: &str, pictures: &[Picture]) -> String {
        let size = |picture: &Picture| {
            let Area { low, high } = picture.area;
            let named = picture.title.chars().count() as f64 * 8.0;
            ((high.0 - low.0).max(named), high.1 - low.1 + HEAD)
        };
        let width = pictures.iter().map(|one| size(one).0).fold(120.0, f64::max);
        let height: f64 = pictures.iter().map(|one| size(one).1 + MARGIN).sum();
        let mut out = open(
            0.0,
            0.0,
            width + 2.0 * MARGIN,
            height.max(40.0) + MARGIN,
            title,
        );
        let mut top = MARGIN;
        for picture in pictures {
            let bold = " font-weight=\"bold\"";
            text(&mut out, MARGIN, top + 4.0, bold, &picture.title);
            let (x, y) = (MARGIN - picture.area.low.0, top + HEAD - picture.area.low.1);
            let _ = writeln!(out, "<g transform=\"translate({} {})\">", n(x), n(y));
            out += &picture.body;
            out += "</g>\n";
            top += size(picture).1 + MARGIN;
        }
        out + "</svg>\n"
    }
}

/// A picture for each template of a model.
pub fn templates(original: Original<'_>) -> Result<Vec<Picture>, NotConvertible> {
    let Document { templates, .. } = as_document(original, &mut Vec::new())?;
    Ok(templates.into_iter().map(picture).collect())
}

fn picture(mut template: Template) -> Picture {
    let places = places(&mut template);
    let mut drawing = Drawing {
        area: Area::NOTHING,
        body: String::new(),
        between: HashMap::new(),
    };
    for index in 0..template.edges.len() {
        drawing.edge(&template, &places, index);
    }
    for index in 0..template.locations.len() {
        drawing.location(&template, &places, index);
    }
    let points = template.locations.len()..places.nodes.len();
    for (x, y) in places.nodes[points].iter().copied() {
        drawing.area.add(x - 5.0, y - 5.0, 10.0, 10.0);
        drawing.circle((x, y), 5.0, "fill=\"#445\"");
    }
    if drawing.area.low.0 > drawing.area.high.0 {
        drawing.area.add(0.0, 0.0, 60.0, 20.0);
    }
    let parameters = template.parameters.split_whitespace();
    let parameters = parameters.collect::<Vec<_>>().join(" ");
    Picture {
        title: match parameters.is_empty() {
            true => template.name.clone(),
            false => format!("{}({parameters})", template.name),
        },
        name: template.name,
        area: drawing.area,
        body: drawing.body,
    }
}

struct Drawing {
    area: Area,
    body: String,
    /// How many edges there are already between two nodes.
    between: HashMap<(usize, usize), usize>,
}

impl Drawing {
    fn circle(&mut self, (x, y): Spot, radius: f64, attributes: &str) {
        let (x, y, radius) = (n(x), n(y), n(radius));
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {attributes}/>"
        );
    }

    fn words(&mut self, words: &Words, (x, y): Spot, anchor: &str) {
        let (width, height) = (words.width(), words.height());
        let left = if anchor == "middle" {
            x - width / 2.0
        } else {
            x
        };
        self.area.add(left, y, width, height);
        let colour = match words.kind {
            "name" => "#7f0000",
            "invariant" | "rate" => "#7f007f",
            "select" => "#7f7f00",
            "guard" => "#007f00",
            "synchronisation" => "#007f7f",
            "update" => "#00007f",
            _ => "#555",
        };
        let bold = match words.kind {
            "name" => " font-weight=\"bold\"",
            _ => "",
        };
        // A white border keeps words readable where a line crosses them.
        let border = "paint-order=\"stroke\" stroke=\"white\" stroke-width=\"3\"";
        let attributes = format!(" text-anchor=\"{anchor}\" fill=\"{colour}\" {border}{bold}");
        for (index, line) in words.lines.iter().enumerate() {
            let base = y + 12.0 + LINE * index as f64;
            text(&mut self.body, x, base, &attributes, line);
        }
    }

    fn location(&mut self, template: &Template, places: &Places, index: usize) {
        let at @ (x, y) = places.nodes[index];
        let location = &template.locations[index];
        let diameter = 2.0 * RADIUS;
        self.area.add(x - RADIUS, y - RADIUS, diameter, diameter);
        let name = location.name.as_deref().unwrap_or(&location.id);
        let _ = writeln!(self.body, "<g><title>{}</title>", escape(name));
        self.circle(
            at,
            RADIUS,
            "fill=\"#e6ecf7\" stroke=\"#334\" stroke-width=\"1.3\"",
        );
        if template.initial == Some(index) {
            self.circle(at, RADIUS - 4.0, "fill=\"none\" stroke=\"#334\"");
        }
        let letter = match (location.committed, location.urgent) {
            (true, _) => Some("C"),
            (false, true) => Some("U"),
            (false, false) => None,
        };
        if let Some(letter) = letter {
            let middle = " text-anchor=\"middle\"";
            text(&mut self.body, x, y + 4.5, middle, letter);
        }
        self.body += "</g>\n";
        let words = location_words(template, index, places.by_author);
        let height: f64 = words.iter().map(Words::height).sum();
        let mut next = y - height / 2.0;
        for one in &words {
            match one.at {
                Some(at) => self.words(one, at, "start"),
                // As UPPAAL puts them by default.
                None if places.by_author && one.kind == "name" => {
                    let above = y - RADIUS - 6.0 - one.height();
                    self.words(one, (x - 10.0, above), "start");
                    next = y + RADIUS + 3.0;
                }
                None if places.by_author => {
                    self.words(one, (x - 10.0, next), "start");
                    next += one.height();
                }
                None => {
                    self.words(one, (x + RADIUS + 5.0, next), "start");
                    next += one.height();
                }
            }
        }
    }

    fn edge(&mut self, template: &Template, places: &Places, index: usize) {
        let edge = &template.edges[index];
        let node = |end| match end {
            End::Location(index) => index,
            End::Branchpoint(index) => template.locations.len() + index,
        };
        let (source, target) = (node(edge.source), node(edge.target));
        let radius = |node: usize| match node < template.locations.len() {
            true => RADIUS,
            false => 5.0,
        };
        let key = (source.min(target), source.max(target));
        let twin = self.between.entry(key).or_default();
        *twin += 1;
        let nails = &places.nails[index];
        let mut points = vec![places.nodes[source]];
        match nails.is_empty() {
            true => points.extend(bend(places.nodes[source], places.nodes[target], *twin - 1)),
            false => points.extend(nails),
        }
        points.push(places.nodes[target]);
        let last = points.len() - 1;
        points[0] = towards(points[0], points[1], radius(source));
        points[last] = towards(points[last], points[last - 1], radius(target));
        for (x, y) in &points {
            self.area.add(*x, *y, 0.0, 0.0);
        }
        self.line(&points, !places.by_author && !nails.is_empty());
        let words = edge_words(edge, places.by_author);
        let (mut at, anchor) = match places.labels[index] {
            Some(at) => (at, "middle"),
            None => {
                let middle = halfway(&points);
                ((middle.0 + 6.0, middle.1 - 2.0), "start")
            }
        };
        for one in &words {
            match one.at {
                Some(at) => self.words(one, at, "start"),
                None => {
                    self.words(one, at, anchor);
                    at.1 += one.height();
                }
            }
        }
    }

    /// A way with an arrowhead at its end; a smooth one where the points are those of a layout.
    fn line(&mut self, points: &[Spot], smooth: bool) {
        let mut path = format!("M{} {}", n(points[0].0), n(points[0].1));
        let last = points.len() - 1;
        for index in 1..=last {
            let (from, to) = (points[index - 1], points[index]);
            match smooth {
                false => {
                    let _ = write!(path, "L{} {}", n(to.0), n(to.1));
                }
                true => {
                    // Through each point in the direction from the one before to the one after it.
                    let before = points[index.saturating_sub(2)];
                    let after = points[(index + 1).min(last)];
                    let lean = |at: Spot, a: Spot, b: Spot, part: f64| {
                        (at.0 + (b.0 - a.0) * part, at.1 + (b.1 - a.1) * part)
                    };
                    let straight_from = lean(from, before, to, 0.2);
                    let straight_to = lean(to, from, after, -0.2);
                    let _ = write!(
                        path,
                        "C{} {} {} {} {} {}",
                        n(straight_from.0),
                        n(straight_from.1),
                        n(straight_to.0),
                        n(straight_to.1),
                        n(to.0),
                        n(to.1)
                    );
                }
            }
        }
        let _ = writeln!(
            self.body,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#334\" stroke-width=\"1.2\" stroke-linejoin=\"round\"/>"
        );
        let (tip, before) = (points[last], points[last - 1]);
        let (dx, dy) = (tip.0 - before.0, tip.1 - before.1);
        let length = dx.hypot(dy).max(1e-9);
        let (dx, dy) = (dx / length, dy / length);
        let wing = |side: f64| {
            let (x, y) = (
                tip.0 - 9.0 * dx - side * 4.0 * dy,
                tip.1 - 9.0 * dy + side * 4.0 * dx,
            );
            format!("{} {}", n(x), n(y))
        };
        let (left, right) = (wing(1.0), wing(-1.0));
        let _ = writeln!(
            self.body,
            "<path d=\"M{} {}L{left}L{right}Z\" fill=\"#334\"/>",
            n(tip.0),
            n(tip.1)
        );
    }
}

/// The points within an edge that has no nails: a loop above its node, or a bend beside others between the same two.
fn bend(from: Spot, to: Spot, twin: usize) -> Vec<Spot> {
    let further = twin as f64;
    if from == to {
        let wide = 26.0 + 14.0 * further;
        let high = 44.0 + 16.0 * further;
        return vec![
            (from.0 - wide, from.1 - high),
            (from.0 + wide, from.1 - high),
        ];
    }
    if twin == 0 {
        return Vec::new();
    }
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let side = if twin.is_multiple_of(2) { -1.0 } else { 1.0 };
    let by = side * 26.0 * (further / 2.0).ceil();
    vec![(
        from.0.midpoint(to.0) - dy / length * by,
        from.1.midpoint(to.1) + dx / length * by,
    )]
}

/// The point on the circle around a centre that is nearest to another point.
fn towards(centre: Spot, other: Spot, radius: f64) -> Spot {
    let (dx, dy) = (other.0 - centre.0, other.1 - centre.1);
    let length = dx.hypot(dy).max(1e-9);
    let part = (radius / length).min(1.0);
    (centre.0 + dx * part, centre.1 + dy * part)
}

fn halfway(points: &[Spot]) -> Spot {
    let index = (points.len() - 1) / 2;
    let (a, b) = (points[index], points[(index + 1).min(points.len() - 1)]);
    (a.0.midpoint(b.0), a.1.midpoint(b.1))
}
