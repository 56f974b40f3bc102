//! The labels of locations and edges.

use super::reader::Tag;
use super::{Content, Document};
use crate::Diagnostic;
use crate::parser::{Parsed, Parser, broken_synchronisation};
use crate::source::section::{LabelKind, SectionKind};
use crate::tree::{Edge, Expr, Label, Location};

/// The sort of a label, from its attribute `kind`.
fn label_kind(tag: &Tag) -> LabelKind {
    match tag.attribute("kind").map(str::trim).unwrap_or("") {
        "invariant" => LabelKind::Invariant,
        "exponentialrate" => LabelKind::ExponentialRate,
        "select" => LabelKind::Select,
        "guard" => LabelKind::Guard,
        "synchronisation" | "synchronization" => LabelKind::Synchronisation,
        "assignment" => LabelKind::Update,
        "probability" => LabelKind::Probability,
        "comments" => LabelKind::Comment,
        _ => LabelKind::Other,
    }
}

impl Document<'_, '_> {
    /// The text of a label, as a section of its own.
    fn label_content(&mut self, tag: &Tag, step: Option<String>) -> (LabelKind, Content) {
        let kind = label_kind(tag);
        self.open(SectionKind::Label(kind), tag, step);
        let content = self.xml.content();
        self.close();
        (kind, content)
    }

    /// Parses a label into its place, which must be free.
    fn fill<T>(
        &mut self,
        place: &mut Option<Label<T>>,
        tag: &Tag,
        content: &Content,
        parse: impl FnOnce(&mut Parser<'_, '_>) -> Parsed<T>,
        broken: impl FnOnce(Expr) -> T,
    ) {
        let label = self.parse(content, |parser| {
            parser.whole_label(tag.position(), parse, broken)
        });
        let Some(mut label) = label else { return };
        if let Some(first) = place {
            let message = "there is more than one label of this kind; only one is allowed";
            let diagnostic = Diagnostic::error("duplicate-label", message, label.span);
            self.xml
                .diagnostics
                .push(diagnostic.with_label(first.span, "the first one"));
            label.broken = true;
        }
        *place = Some(label);
    }

    pub(super) fn location_label(
        &mut self,
        tag: &Tag,
        step: Option<String>,
        location: &mut Location,
    ) {
        let (kind, content) = self.label_content(tag, step);
        match kind {
            LabelKind::Invariant => {
                self.fill(
                    &mut location.invariant,
                    tag,
                    &content,
                    |parser| parser.constraint(),
                    |broken| broken,
                );
            }
            LabelKind::ExponentialRate => {
                let place = &mut location.exponential_rate;
                self.fill(
                    place,
                    tag,
                    &content,
                    |parser| parser.exponential_rate(),
                    |broken| vec![broken],
                );
            }
            LabelKind::Comment => location.comment = comment(&content),
            _ => {}
        }
    }

    pub(super) fn edge_label(&mut self, tag: &Tag, step: Option<String>, edge: &mut Edge) {
        let (kind, content) = self.label_content(tag, step);
        match kind {
            LabelKind::Select => self.fill(
                &mut edge.select,
                tag,
                &content,
                |parser| parser.select(),
                |_| Vec::new(),
            ),
            LabelKind::Guard => self.fill(
                &mut edge.guard,
                tag,
                &content,
                |parser| parser.constraint(),
                |broken| broken,
            ),
            LabelKind::Synchronisation => {
                let place = &mut edge.synchronisation;
                self.fill(
                    place,
                    tag,
                    &content,
                    |parser| parser.synchronisation(),
                    broken_synchronisation,
                );
            }
            LabelKind::Update => self.fill(
                &mut edge.update,
                tag,
                &content,
                |parser| parser.update(),
                |broken| vec![broken],
            ),
            LabelKind::Probability => {
                self.fill(
                    &mut edge.probability,
                    tag,
                    &content,
                    |parser| parser.probability(),
                    |broken| broken,
                );
            }
            LabelKind::Comment => edge.comment = comment(&content),
            _ => {}
        }
    }
}

/// The text of a comment; `None` if it is empty.
pub(super) fn comment(content: &Content) -> Option<String> {
    let text = content.trimmed();
    (!text.is_empty()).then(|| text.to_string())
}
