//! Takes a model's file apart into the pieces of a [`Document`].

use merkhet_syntax::section::{Section, SectionKind};
use merkhet_syntax::tree::{self, Declaration, EndpointTarget, Format, TemplateKind};
use merkhet_syntax::{FileId, SourceMap, Span, unescape};

use super::NotConvertible;
use super::document::{Branchpoint, Document, Edge, End, Label, Location, Query, Template};

/// The pieces of a model that was read from XML or XTA.
pub(super) fn document(
    tree: &tree::Model,
    sources: &SourceMap,
) -> Result<Document, NotConvertible> {
    let pieces = Pieces { sources, tree };
    let xml = tree.format == Format::Xml;
    let mut templates = Vec::new();
    for template in &tree.templates {
        templates.push(pieces.template(template, xml)?);
    }
    Ok(Document {
        declarations: match xml {
            true => pieces.sections(&SectionKind::Declarations, None),
            false => pieces.global_text(),
        },
        templates,
        system: match xml {
            true => {
                let mut text = pieces.sections(&SectionKind::Instantiation, None);
                text += &pieces.sections(&SectionKind::System, None);
                text
            }
            false => pieces.system_text(),
        },
        queries: tree
            .queries
            .iter()
            .map(|query| Query {
                formula: query.text.clone(),
                comment: query.comment.clone().unwrap_or_default(),
            })
            .collect(),
    })
}

struct Pieces<'m> {
    sources: &'m SourceMap,
    tree: &'m tree::Model,
}

impl Pieces<'_> {
    fn text(&self, span: Span) -> String {
        let text = self.sources.text(span).unwrap_or_default();
        match self.tree.format {
            Format::Xml => unescape(text),
            _ => text.to_string(),
        }
    }

    /// The contents of the XML elements of a kind: global ones, or those inside a template.
    fn sections(&self, kind: &SectionKind, template: Option<Span>) -> String {
        let wanted = |section: &&Section| {
            let inside = self
                .tree
                .templates
                .iter()
                .find(|one| one.span.contains(section.span))
                .map(|one| one.span);
            section.kind == *kind && inside == template
        };
        let contents = self.tree.sections.iter().filter(wanted).map(|section| {
            let raw = self.sources.text(section.span).unwrap_or_default();
            unescape(content(raw))
        });
        contents.collect::<Vec<_>>().join("\n")
    }

    fn template(&self, template: &tree::Template, xml: bool) -> Result<Template, NotConvertible> {
        let name = &template.name.text;
        if template.kind != TemplateKind::Automaton {
            let message = format!("template {name} is dynamic or a sequence chart");
            return Err(NotConvertible(message));
        }
        let (parameters, declarations) = match xml {
            true => (
                self.sections(&SectionKind::Parameters, Some(template.span)),
                self.sections(&SectionKind::Declarations, Some(template.span)),
            ),
            false => self.process_head(template),
        };
        let mut edges = Vec::new();
        for edge in &template.edges {
            edges.push(self.edge(name, edge)?);
        }
        Ok(Template {
            name: name.clone(),
            parameters: parameters.trim().to_string(),
            declarations,
            locations: template
                .locations
                .iter()
                .map(|location| self.location(location))
                .collect(),
            branchpoints: template
                .branchpoints
                .iter()
                .map(|point| Branchpoint {
                    id: point.id.clone(),
                    position: point.position,
                })
                .collect(),
            initial: template.initial.map(|(index, _)| index),
            edges,
        })
    }

    fn label<T>(&self, label: Option<&tree::Label<T>>) -> Option<Label> {
        let label = label?;
        let text = self.text(label.span).trim().to_string();
        (!text.is_empty()).then_some(Label {
            text,
            position: label.position,
        })
    }

    fn location(&self, location: &tree::Location) -> Location {
        Location {
            id: location.id.clone(),
            name: location.name.as_ref().map(|name| name.text.clone()),
            invariant: self.label(location.invariant.as_ref()),
            rate: self.label(location.exponential_rate.as_ref()),
            urgent: location.urgent,
            committed: location.committed,
            comment: location.comment.clone(),
            position: location.position,
        }
    }

    fn edge(&self, template: &str, edge: &tree::Edge) -> Result<Edge, NotConvertible> {
        let end = |target: &EndpointTarget| match target {
            EndpointTarget::Location(index) => Ok(End::Location(*index)),
            EndpointTarget::Branchpoint(index) => Ok(End::Branchpoint(*index)),
            EndpointTarget::Unknown(name) => {
                let message = format!("an edge of {template} leads to `{name}`, which is nowhere");
                Err(NotConvertible(message))
            }
        };
        Ok(Edge {
            source: end(&edge.source.target)?,
            target: end(&edge.target.target)?,
            select: self.label(edge.select.as_ref()),
            guard: self.label(edge.guard.as_ref()),
            synchronisation: self.label(edge.synchronisation.as_ref()),
            update: self.label(edge.update.as_ref()),
            probability: self.label(edge.probability.as_ref()),
            comment: edge.comment.clone(),
            nails: edge.nails.clone(),
            controllable: edge.controllable,
        })
    }

    /// Parameters and declarations of an XTA process: what stands before `state`.
    fn process_head(&self, template: &tree::Template) -> (String, String) {
        let first = template
            .locations
            .first()
            .map(|location| location.span.start);
        let end = first.unwrap_or(template.span.end);
        let head = Span::new(template.span.file, template.name.span.end, end);
        let text = self.text(head);
        let Some((parameters, rest)) = text.split_once('{') else {
            return (String::new(), String::new());
        };
        let parameters = parameters.trim();
        let inner = parameters
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let declarations = rest.rfind("state").map_or(rest, |at| &rest[..at]);
        (
            inner.unwrap_or(parameters).to_string(),
            declarations.to_string(),
        )
    }

    /// What belongs to the system in XTA: instantiations, priorities, progress measures, the `system` line.
    fn system_spans(&self) -> Vec<Span> {
        let system = &self.tree.system;
        let declared = system.declarations.iter().map(span_of);
        declared
            .chain(system.span)
            .map(|span| self.with_semicolon(span))
            .collect()
    }

    fn system_text(&self) -> String {
        let mut text = String::new();
        for span in self.system_spans() {
            text += self.text(span).trim();
            if !text.ends_with([';', '}']) {
                text.push(';');
            }
            text.push('\n');
        }
        text
    }

    /// What is left of an XTA file without processes, system and queries: global declarations with their comments.
    fn global_text(&self) -> String {
        let mut taken: Vec<Span> = self.tree.templates.iter().map(|one| one.span).collect();
        taken.extend(self.system_spans());
        taken.extend(&self.tree.query_blocks);
        taken.sort_by_key(|span| span.start);
        let whole = self
            .sources
            .file(FileId::MODEL)
            .map_or("", |file| file.text());
        let mut text = String::new();
        let mut at = 0;
        for span in taken {
            text += whole.get(at..span.start as usize).unwrap_or_default();
            at = at.max(span.end as usize);
        }
        text += whole.get(at..).unwrap_or_default();
        let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
        lines.join("\n").trim().to_string() + "\n"
    }

    fn with_semicolon(&self, span: Span) -> Span {
        let whole = self.sources.file(span.file).map_or("", |file| file.text());
        let rest = whole.get(span.end as usize..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start().len();
        let end = match rest.trim_start().starts_with(';') {
            true => span.end + blank as u32 + 1,
            false => span.end,
        };
        Span::new(span.file, span.start, end)
    }
}

/// The content of an element's text.
fn content(element: &str) -> &str {
    let text = element.trim();
    if !text.starts_with('<') || text.starts_with("<!") {
        return text;
    }
    let start = text.find('>').map_or(0, |at| at + 1);
    let end = text
        .rfind("</")
        .filter(|end| *end >= start)
        .unwrap_or(text.len());
    if text[..start].ends_with("/>") {
        ""
    } else {
        &text[start..end]
    }
}

fn span_of(declaration: &Declaration) -> Span {
    match declaration {
        Declaration::Variables(one) | Declaration::Typedef(one) => one.span,
        Declaration::Function(one) => one.span,
        Declaration::Instantiation(one) => one.span,
        Declaration::ChannelPriority(one) => one.span,
        Declaration::Lattice(one) => one.span,
        Declaration::BeforeUpdate(_, span)
        | Declaration::AfterUpdate(_, span)
        | Declaration::Progress(_, span)
        | Declaration::Gantt(span)
        | Declaration::Extern(_, span)
        | Declaration::Unsupported { span, .. }
        | Declaration::Broken(span) => *span,
    }
}
