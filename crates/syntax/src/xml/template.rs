//! Templates: locations, branch points and edges.

use super::reader::Tag;
use super::{Counter, Document};
use crate::Span;
use crate::parser::Reported;
use crate::source::section::SectionKind;
use crate::tree::{
    Branchpoint, Edge, Endpoint, EndpointTarget, Location, Name, Template, TemplateKind,
};
use std::collections::HashMap;

/// What is known of a template only by ids until all of it has been read.
#[derive(Default)]
struct Pending {
    /// The id of the initial location and where it is named.
    initial: Option<(String, Span)>,
    /// The section of each edge.
    edge_sections: Vec<u32>,
}

impl Document<'_, '_> {
    pub(super) fn template(&mut self, tag: &Tag, step: Option<String>) -> Template {
        let section = self.open(SectionKind::Template(String::new()), tag, step);
        let mut template = empty_template(tag, TemplateKind::Automaton);
        let mut pending = Pending::default();
        let mut counter = Counter::default();
        while let Some(child) = self.xml.next_child() {
            match child.name.as_str() {
                "name" => {
                    let content = self.section(SectionKind::TemplateName, &child, "name");
                    if let Some(name) = self.name(&content, "a template") {
                        self.sections
                            .rename(section, SectionKind::Template(name.text.clone()));
                        template.name = name;
                    }
                }
                "parameter" => self.parameters(&child, &mut template),
                "declaration" => {
                    let errors = self.xml.diagnostics.errors();
                    let content = self.section(SectionKind::Declarations, &child, "declaration");
                    let declarations = self.parse(&content, |parser| parser.declarations());
                    template.declarations.extend(declarations);
                    template.broken |= self.xml.diagnostics.errors() > errors;
                }
                "location" => {
                    let step = counter.step("location");
                    let location = self.location(&child, step);
                    template.locations.push(location);
                }
                "branchpoint" => {
                    let id = child.attribute("id").unwrap_or("").to_string();
                    let (position, span) = (child.position(), child.span);
                    self.xml.skip();
                    template
                        .branchpoints
                        .push(Branchpoint { id, position, span });
                }
                "init" => {
                    pending.initial = child
                        .attribute("ref")
                        .map(|id| (id.to_string(), child.span));
                    self.xml.skip();
                }
                "transition" => {
                    let step = counter.step("transition");
                    let edge = self.edge(&child, step, &mut pending);
                    template.edges.push(edge);
                }
                _ => self.xml.skip(),
            }
        }
        self.close();
        template.span.end = self.xml.offset();
        if template.name.text.is_empty() {
            self.xml
                .error("missing-name", "this template has no name", tag.span);
            template.broken = true;
        }
        self.resolve(&mut template, pending);
        template
    }

    /// A live sequence chart: only its name is read.
    pub(super) fn sequence_chart(&mut self, tag: &Tag, step: Option<String>) -> Template {
        let section = self.open(SectionKind::Template(String::new()), tag, step);
        let mut template = empty_template(tag, TemplateKind::SequenceChart);
        while let Some(child) = self.xml.next_child() {
            if child.name == "name" {
                let content = self.section(SectionKind::TemplateName, &child, "name");
                if let Some(name) = self.name(&content, "a sequence chart") {
                    self.sections
                        .rename(section, SectionKind::Template(name.text.clone()));
                    template.name = name;
                }
            } else {
                self.xml.skip();
            }
        }
        self.close();
        template.span.end = self.xml.offset();
        template
    }

    fn parameters(&mut self, tag: &Tag, template: &mut Template) {
        let content = self.section(SectionKind::Parameters, tag, "parameter");
        match self.parse(&content, |parser| parser.whole_parameters()) {
            Ok(parameters) => template.parameters.extend(parameters),
            Err(Reported) => template.broken = true,
        }
    }

    fn location(&mut self, tag: &Tag, step: Option<String>) -> Location {
        let id = tag.attribute("id").unwrap_or("").to_string();
        let section = self.open(SectionKind::Location(id.clone()), tag, step);
        let mut location = Location {
            id,
            name: None,
            invariant: None,
            exponential_rate: None,
            urgent: false,
            committed: false,
            comment: None,
            position: tag.position(),
            span: tag.span,
        };
        let mut counter = Counter::default();
        while let Some(child) = self.xml.next_child() {
            match child.name.as_str() {
                "name" => {
                    let content = self.xml.content();
                    location.name = self.name(&content, "a location");
                    self.sections.rename(
                        section,
                        SectionKind::Location(location.display_name().to_string()),
                    );
                }
                "label" => {
                    let step = counter.step("label");
                    self.location_label(&child, step, &mut location);
                }
                name => {
                    location.urgent |= name == "urgent";
                    location.committed |= name == "committed";
                    self.xml.skip();
                }
            }
        }
        self.close();
        location.span.end = self.xml.offset();
        location
    }

    fn edge(&mut self, tag: &Tag, step: Option<String>, pending: &mut Pending) -> Edge {
        let unnamed = SectionKind::Edge {
            from: String::new(),
            to: String::new(),
        };
        pending.edge_sections.push(self.open(unnamed, tag, step));
        let nowhere = Endpoint {
            target: EndpointTarget::Unknown(String::new()),
            span: tag.span,
        };
        let mut edge = Edge {
            source: nowhere.clone(),
            target: nowhere,
            select: None,
            guard: None,
            synchronisation: None,
            update: None,
            probability: None,
            comment: None,
            controllable: tag.attribute("controllable") != Some("false"),
            nails: Vec::new(),
            span: tag.span,
        };
        let mut counter = Counter::default();
        while let Some(child) = self.xml.next_child() {
            match child.name.as_str() {
                "source" => edge.source = reference(&child),
                "target" => edge.target = reference(&child),
                "nail" => edge.nails.extend(child.position()),
                "label" => {
                    let step = counter.step("label");
                    self.edge_label(&child, step, &mut edge);
                    continue;
                }
                _ => {}
            }
            self.xml.skip();
        }
        self.close();
        edge.span.end = self.xml.offset();
        edge
    }

    /// Finds the locations that edges and the initial reference name.
    fn resolve(&mut self, template: &mut Template, pending: Pending) {
        let mut places: HashMap<&str, EndpointTarget> = HashMap::new();
        let mut duplicates = Vec::new();
        self.check_ids(template);
        for (index, location) in template.locations.iter().enumerate() {
            if places
                .insert(&location.id, EndpointTarget::Location(index))
                .is_some()
            {
                duplicates.push((location.id.clone(), location.span));
            }
        }
        for (index, point) in template.branchpoints.iter().enumerate() {
            if places
                .insert(&point.id, EndpointTarget::Branchpoint(index))
                .is_some()
            {
                duplicates.push((point.id.clone(), point.span));
            }
        }
        let mut unknown = Vec::new();
        for end in template
            .edges
            .iter_mut()
            .flat_map(|edge| [&mut edge.source, &mut edge.target])
        {
            let EndpointTarget::Unknown(id) = &end.target else {
                continue;
            };
            match places.get(id.as_str()).filter(|_| !id.is_empty()) {
                Some(target) => end.target = target.clone(),
                None => unknown.push((id.clone(), end.span)),
            }
        }
        if let Some((id, span)) = pending.initial {
            match places.get(id.as_str()) {
                Some(EndpointTarget::Location(index)) => template.initial = Some((*index, span)),
                _ => unknown.push((id, span)),
            }
        }
        template.broken |= !unknown.is_empty() || !duplicates.is_empty();
        for (id, span) in duplicates {
            self.xml.error(
                "duplicate-location",
                format!("two locations have the id `{id}`"),
                span,
            );
        }
        for (id, span) in unknown {
            self.xml
                .error("unknown-location", unknown_location(&id), span);
        }
        self.name_edges(template, &pending.edge_sections);
    }

    /// Reports locations and branch points without an id: no edge can lead there.
    fn check_ids(&mut self, template: &Template) {
        let locations = template
            .locations
            .iter()
            .map(|location| (&location.id, location.span));
        let points = template
            .branchpoints
            .iter()
            .map(|point| (&point.id, point.span));
        for (_, span) in locations.chain(points).filter(|(id, _)| id.is_empty()) {
            self.xml
                .error("missing-id", "this location has no id", span);
        }
    }

    /// Says in the sections which edges they are.
    fn name_edges(&mut self, template: &Template, sections: &[u32]) {
        for (edge, &section) in template.edges.iter().zip(sections) {
            let from = place_name(template, &edge.source);
            let to = place_name(template, &edge.target);
            self.sections
                .rename(section, SectionKind::Edge { from, to });
        }
    }
}

fn empty_template(tag: &Tag, kind: TemplateKind) -> Template {
    Template {
        name: Name {
            text: String::new(),
            span: tag.span,
        },
        kind,
        parameters: Vec::new(),
        declarations: Vec::new(),
        locations: Vec::new(),
        branchpoints: Vec::new(),
        initial: None,
        flagged: Vec::new(),
        edges: Vec::new(),
        broken: false,
        span: tag.span,
    }
}

fn reference(tag: &Tag) -> Endpoint {
    let id = tag.attribute("ref").unwrap_or("").to_string();
    Endpoint {
        target: EndpointTarget::Unknown(id),
        span: tag.span,
    }
}

fn unknown_location(id: &str) -> String {
    if id.is_empty() {
        "an end of this edge is missing".to_string()
    } else {
        format!("there is no location with the id `{id}` in this template")
    }
}

fn place_name(template: &Template, end: &Endpoint) -> String {
    let name = match &end.target {
        EndpointTarget::Location(index) => {
            template.locations.get(*index).map(Location::display_name)
        }
        EndpointTarget::Branchpoint(index) => template
            .branchpoints
            .get(*index)
            .map(|point| point.id.as_str()),
        EndpointTarget::Unknown(id) => Some(id.as_str()),
    };
    name.unwrap_or("").to_string()
}
