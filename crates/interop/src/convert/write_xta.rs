//! A document as XTA.

use std::collections::BTreeSet;

use super::document::{Document, Edge, End, Label, Template};
use super::xta_queries;

/// The whole text.
pub(super) fn render(document: &mut Document, warnings: &mut Vec<String>) -> String {
    let mut text = String::new();
    if !document.declarations.trim().is_empty() {
        text += document.declarations.trim();
        text += "\n\n";
    }
    for template in &mut document.templates {
        process(template, &mut text);
    }
    text += document.system.trim();
    text.push('\n');
    let queries =
        (document.queries.iter()).map(|query| (query.formula.as_str(), query.comment.as_str()));
    text + &xta_queries::render(queries, warnings)
}

/// Names for all locations and branch points: XTA has no nameless ones.
fn names(template: &Template) -> (Vec<String>, Vec<String>) {
    let mut taken: BTreeSet<String> = template
        .locations
        .iter()
        .filter_map(|location| location.name.clone())
        .collect();
    // A made-up name must not hide a variable that the template uses.
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_owned)
            .collect()
    };
    taken.extend(words(&template.declarations));
    taken.extend(words(&template.parameters));
    for edge in &template.edges {
        for label in [
            &edge.select,
            &edge.guard,
            &edge.synchronisation,
            &edge.update,
        ] {
            taken.extend(label.iter().flat_map(|label| words(&label.text)));
        }
    }
    let mut fresh = |id: &str| {
        let plain: String = id
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let mut name = match plain.starts_with(|c: char| c.is_ascii_digit()) || plain.is_empty() {
            true => format!("_{plain}"),
            false => plain,
        };
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        name
    };
    let locations = template
        .locations
        .iter()
        .map(|location| location.name.clone().unwrap_or_else(|| fresh(&location.id)))
        .collect();
    let points = template
        .branchpoints
        .iter()
        .map(|point| fresh(&point.id))
        .collect();
    (locations, points)
}

fn process(template: &Template, text: &mut String) {
    let (locations, points) = names(template);
    *text += &format!("process {}({}) {{\n", template.name, template.parameters);
    for line in template.declarations.trim().lines() {
        *text += &format!("    {}\n", line.trim_end());
    }
    let states: Vec<String> = template
        .locations
        .iter()
        .zip(&locations)
        .map(
            |(location, name)| match (&location.invariant, &location.rate) {
                (None, None) => name.clone(),
                (invariant, rate) => {
                    let invariant = invariant.as_ref().map_or(String::new(), safe);
                    let rate = rate.as_ref().map(|label| format!("; {}", safe(label)));
                    format!("{name} {{ {invariant}{} }}", rate.unwrap_or_default())
                }
            },
        )
        .collect();
    *text += &format!("    state {};\n", states.join(", "));
    if !points.is_empty() {
        *text += &format!("    branchpoint {};\n", points.join(", "));
    }
    for (word, wanted) in [("commit", true), ("urgent", false)] {
        let chosen =
            template
                .locations
                .iter()
                .zip(&locations)
                .filter(|(location, _)| match wanted {
                    true => location.committed,
                    false => location.urgent,
                });
        let chosen: Vec<&str> = chosen.map(|(_, name)| name.as_str()).collect();
        if !chosen.is_empty() {
            *text += &format!("    {word} {};\n", chosen.join(", "));
        }
    }
    if let Some(initial) = template.initial.and_then(|index| locations.get(index)) {
        *text += &format!("    init {initial};\n");
    }
    let end = |end: End| match end {
        End::Location(index) => locations[index].as_str(),
        End::Branchpoint(index) => points[index].as_str(),
    };
    let edges: Vec<String> = template
        .edges
        .iter()
        .map(|edge| {
            let arrow = if edge.controllable { "->" } else { "-u->" };
            format!(
                "        {} {arrow} {} {}",
                end(edge.source),
                end(edge.target),
                labels(edge)
            )
        })
        .collect();
    if !edges.is_empty() {
        *text += &format!("    trans\n{};\n", edges.join(",\n"));
    }
    *text += "}\n\n";
}

fn labels(edge: &Edge) -> String {
    let parts = [
        ("select", &edge.select),
        ("guard", &edge.guard),
        ("sync", &edge.synchronisation),
        ("assign", &edge.update),
        ("probability", &edge.probability),
    ];
    let mut text = String::from("{ ");
    for (word, label) in parts {
        if let Some(label) = label {
            text += &format!("{word} {}; ", safe(label));
        }
    }
    text + "}"
}

/// A label's text; a comment at its end must not swallow what follows, and a semicolon, which ends a label here, must not
/// be there twice.
fn safe(label: &Label) -> String {
    let text = without_semicolon(&label.text);
    match text.lines().last() {
        Some(line) if line.contains("//") => format!("{text}\n"),
        _ => text,
    }
}

/// A text without the semicolon at its end, which may have comments after it.
fn without_semicolon(text: &str) -> String {
    let mut last = None;
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            if !next.is_whitespace() {
                last = Some((at, next));
            }
            next.len_utf8()
        };
    }
    match last {
        Some((at, ';')) => format!("{}{}", &text[..at], &text[at + 1..]),
        _ => text.to_owned(),
    }
}
