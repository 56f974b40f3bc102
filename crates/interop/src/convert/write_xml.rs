//! A document as UPPAAL's XML, with a layout.

use std::collections::BTreeSet;

use merkhet_syntax::tree::Point;

use super::document::{Document, Edge, End, Label, Template};
use super::layout;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
";

/// The whole document.
pub(super) fn render(document: &mut Document) -> String {
    let mut text = String::from(HEAD);
    let declarations = escape(document.declarations.trim());
    text += &format!("\t<declaration>{declarations}\n</declaration>\n");
    let mut numbers = Ids::default();
    for one in &mut document.templates {
        layout::complete(one);
        template(one, &mut numbers, &mut text);
    }
    let system = escape(document.system.trim());
    text += &format!("\t<system>{system}\n</system>\n\t<queries>\n");
    for query in &document.queries {
        text += &format!(
            "\t\t<query>\n\t\t\t<formula>{}</formula>\n\t\t\t<comment>{}</comment>\n\t\t</query>\n",
            escape(&query.formula),
            escape(&query.comment)
        );
    }
    text + "\t</queries>\n</nta>\n"
}

/// Ids, which are unique in the file; those that the model has are kept where they are.
#[derive(Default)]
struct Ids {
    taken: BTreeSet<String>,
    next: usize,
}

impl Ids {
    fn get(&mut self, wanted: &str) -> String {
        let plain = wanted
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_');
        if plain && wanted.starts_with("id") && self.taken.insert(wanted.to_string()) {
            return wanted.to_string();
        }
        loop {
            let id = format!("id{}", self.next);
            self.next += 1;
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

fn template(template: &Template, ids: &mut Ids, text: &mut String) {
    let locations: Vec<String> = template
        .locations
        .iter()
        .map(|one| ids.get(&one.id))
        .collect();
    let points: Vec<String> = template
        .branchpoints
        .iter()
        .map(|one| ids.get(&one.id))
        .collect();
    *text += &format!(
        "\t<template>\n\t\t<name>{}</name>\n",
        escape(&template.name)
    );
    if !template.parameters.is_empty() {
        *text += &format!(
            "\t\t<parameter>{}</parameter>\n",
            escape(&template.parameters)
        );
    }
    if !template.declarations.trim().is_empty() {
        let declarations = escape(template.declarations.trim());
        *text += &format!("\t\t<declaration>{declarations}\n</declaration>\n");
    }
    for (location, id) in template.locations.iter().zip(&locations) {
        let at = location.position.unwrap_or(Point { x: 0, y: 0 });
        *text += &format!("\t\t<location id=\"{id}\" x=\"{}\" y=\"{}\">\n", at.x, at.y);
        if let Some(name) = &location.name {
            let (x, y) = (at.x + 8, at.y - 34);
            *text += &format!("\t\t\t<name x=\"{x}\" y=\"{y}\">{}</name>\n", escape(name));
        }
        let below = |lines: i32| Point {
            x: at.x + 8,
            y: at.y + 17 * lines,
        };
        label("invariant", location.invariant.as_ref(), below(1), text);
        label("exponentialrate", location.rate.as_ref(), below(2), text);
        comment(location.comment.as_deref(), below(3), text);
        *text += if location.urgent {
            "\t\t\t<urgent/>\n"
        } else {
            ""
        };
        *text += if location.committed {
            "\t\t\t<committed/>\n"
        } else {
            ""
        };
        *text += "\t\t</location>\n";
    }
    for (point, id) in template.branchpoints.iter().zip(&points) {
        let at = point.position.unwrap_or(Point { x: 0, y: 0 });
        *text += &format!(
            "\t\t<branchpoint id=\"{id}\" x=\"{}\" y=\"{}\"/>\n",
            at.x, at.y
        );
    }
    if let Some(initial) = template.initial.and_then(|index| locations.get(index)) {
        *text += &format!("\t\t<init ref=\"{initial}\"/>\n");
    }
    let end = |end: End| match end {
        End::Location(index) => &locations[index],
        End::Branchpoint(index) => &points[index],
    };
    for edge in &template.edges {
        let controllable = if edge.controllable {
            ""
        } else {
            " controllable=\"false\""
        };
        *text += &format!(
            "\t\t<transition{controllable}>\n\t\t\t<source ref=\"{}\"/>\n\t\t\t<target ref=\"{}\"/>\n",
            end(edge.source),
            end(edge.target)
        );
        labels(template, edge, text);
        *text += "\t\t</transition>\n";
    }
    *text += "\t</template>\n";
}

fn labels(template: &Template, edge: &Edge, text: &mut String) {
    let middle = layout::middle(template, edge);
    let mut line = 0;
    for (kind, one) in [
        ("select", &edge.select),
        ("guard", &edge.guard),
        ("synchronisation", &edge.synchronisation),
        ("assignment", &edge.update),
        ("probability", &edge.probability),
    ] {
        let at = Point {
            x: middle.x - 17,
            y: middle.y - 17 + 17 * line,
        };
        line += i32::from(one.is_some());
        label(kind, one.as_ref(), at, text);
    }
    comment(edge.comment.as_deref(), middle, text);
    for nail in &edge.nails {
        *text += &format!("\t\t\t<nail x=\"{}\" y=\"{}\"/>\n", nail.x, nail.y);
    }
}

fn label(kind: &str, label: Option<&Label>, otherwise: Point, text: &mut String) {
    if let Some(label) = label {
        let at = label.position.unwrap_or(otherwise);
        *text += &format!(
            "\t\t\t<label kind=\"{kind}\" x=\"{}\" y=\"{}\">{}</label>\n",
            at.x,
            at.y,
            escape(&label.text)
        );
    }
}

fn comment(words: Option<&str>, at: Point, text: &mut String) {
    let comment = words.map(|words| Label {
        text: words.to_string(),
        position: Some(at),
    });
    label("comments", comment.as_ref(), at, text);
}

fn escape(text: &str) -> String {
    let plain = |c: &char| {
        matches!(c, '\n' | '\t' | '\r') || (*c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
    };
    let text: String = text.chars().filter(plain).collect();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
