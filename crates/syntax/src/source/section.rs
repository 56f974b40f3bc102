//! The parts of a model file: which template, edge and label a span lies in, and its XPath.

use crate::Span;
use std::fmt;

/// The sort of an XML label, or of the XTA clause that corresponds to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LabelKind {
    /// A location's invariant.
    Invariant,
    /// A location's rate of exponential delay.
    ExponentialRate,
    /// An edge's select bindings.
    Select,
    /// An edge's guard.
    Guard,
    /// An edge's synchronisation.
    Synchronisation,
    /// An edge's update.
    Update,
    /// An edge's probability weight.
    Probability,
    /// A comment.
    Comment,
    /// Anything else.
    Other,
}

impl fmt::Display for LabelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LabelKind::Invariant => "invariant",
            LabelKind::ExponentialRate => "exponential rate",
            LabelKind::Select => "select",
            LabelKind::Guard => "guard",
            LabelKind::Synchronisation => "synchronisation",
            LabelKind::Update => "update",
            LabelKind::Probability => "probability",
            LabelKind::Comment => "comment",
            LabelKind::Other => "label",
        })
    }
}

/// What a section of a model file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SectionKind {
    /// The whole file.
    File,
    /// A block of declarations, global or of the template around it.
    Declarations,
    /// A template or XTA process, with its name.
    Template(String),
    /// The name of the template around it.
    TemplateName,
    /// The parameters of the template around it.
    Parameters,
    /// A location, with its name or else its id.
    Location(String),
    /// A branch point, with its id or name.
    Branchpoint(String),
    /// An edge, with the names (else ids) of its ends.
    Edge {
        /// Source.
        from: String,
        /// Target.
        to: String,
    },
    /// A label of the location or edge around it.
    Label(LabelKind),
    /// The instantiation block of old files.
    Instantiation,
    /// The system declarations.
    System,
    /// The query with this number, counted from 1.
    Query(u32),
}

/// A part of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// What it holds.
    pub kind: SectionKind,
    /// Its extent: of an element from its start tag to its end tag, of a label its content.
    pub span: Span,
    /// Its step in the XPath, such as `template[4]`; `None` outside XML.
    pub step: Option<String>,
    parent: Option<u32>,
}

/// Where in the model something is, in the author's words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// The template or process.
    pub template: Option<String>,
    /// The location, as `location A`, the edge, as `edge A → B`, or another part, as `declarations`, `query 3`.
    pub element: Option<String>,
    /// The label.
    pub label: Option<LabelKind>,
    /// The XPath, such as `/nta/template[4]/transition[4]/label[1]`; `None` outside XML.
    pub xpath: Option<String>,
    /// Where the innermost section begins: the line within the label is counted from there.
    pub section: Option<Span>,
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let template = self
            .template
            .as_ref()
            .map(|name| format!("template {name}"));
        let label = self.label.map(|kind| kind.to_string());
        let parts: Vec<String> = [template, self.element.clone(), label]
            .into_iter()
            .flatten()
            .collect();
        f.write_str(&parts.join(", "))
    }
}

/// All sections of a file, nested.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sections {
    /// In the order of their starts.
    sections: Vec<Section>,
    /// The sections that are still open while the file is being read.
    open: Vec<u32>,
}

impl Sections {
    /// Begins a section inside the innermost open one; its end is given by [`Sections::close`].
    pub(crate) fn open(&mut self, kind: SectionKind, span: Span, step: Option<String>) -> u32 {
        let parent = self.open.last().copied();
        let index = self.sections.len() as u32;
        self.sections.push(Section {
            kind,
            span,
            step,
            parent,
        });
        self.open.push(index);
        index
    }

    /// Ends the innermost open section at the offset `end`.
    pub(crate) fn close(&mut self, end: u32) {
        if let Some(section) = self
            .open
            .pop()
            .and_then(|index| self.sections.get_mut(index as usize))
        {
            section.span.end = end.max(section.span.start);
        }
    }

    /// Changes what a section is said to hold, once its name is known.
    pub(crate) fn rename(&mut self, index: u32, kind: SectionKind) {
        if let Some(section) = self.sections.get_mut(index as usize) {
            section.kind = kind;
        }
    }

    /// All sections, in the order of their starts.
    pub fn iter(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter()
    }

    /// The innermost section around a span.
    pub fn find(&self, span: Span) -> Option<&Section> {
        let after = self
            .sections
            .partition_point(|section| section.span.start <= span.start);
        let mut candidate = after
            .checked_sub(1)
            .and_then(|index| self.sections.get(index));
        while let Some(section) = candidate {
            if section.span.contains(span) {
                return Some(section);
            }
            candidate = self.parent(section);
        }
        None
    }

    /// Whether a span lies in a query.
    pub fn is_query(&self, span: Span) -> bool {
        let innermost = self.find(span);
        innermost.is_some_and(|section| matches!(section.kind, SectionKind::Query(_)))
    }

    /// The template, edge or location, label and XPath around a span; `None` where there is nothing to say.
    pub fn context(&self, span: Span) -> Option<Context> {
        let innermost = self.find(span)?;
        let mut context = Context {
            section: Some(innermost.span),
            ..Context::default()
        };
        let mut steps = Vec::new();
        let mut candidate = Some(innermost);
        while let Some(section) = candidate {
            steps.extend(section.step.as_deref());
            describe(&section.kind, &mut context);
            candidate = self.parent(section);
        }
        if !steps.is_empty() {
            context.xpath = Some(steps.iter().rev().map(|step| format!("/{step}")).collect());
        }
        let says_something = context.template.is_some()
            || context.element.is_some()
            || context.label.is_some()
            || context.xpath.is_some();
        says_something.then_some(context)
    }

    fn parent(&self, section: &Section) -> Option<&Section> {
        self.sections.get(section.parent? as usize)
    }
}

fn describe(kind: &SectionKind, context: &mut Context) {
    let mut element = |text: String| {
        context.element.get_or_insert(text);
    };
    match kind {
        SectionKind::File => {}
        SectionKind::Template(name) => context.template = Some(name.clone()),
        SectionKind::Label(kind) => context.label = Some(*kind),
        SectionKind::Declarations => element("declarations".into()),
        SectionKind::TemplateName => element("name".into()),
        SectionKind::Parameters => element("parameters".into()),
        SectionKind::Location(name) => element(format!("location {name}")),
        SectionKind::Branchpoint(name) => element(format!("branch point {name}")),
        SectionKind::Edge { from, to } => element(format!("edge {from} → {to}")),
        SectionKind::Instantiation => element("instantiation".into()),
        SectionKind::System => element("system declarations".into()),
        SectionKind::Query(number) => element(format!("query {number}")),
    }
}
