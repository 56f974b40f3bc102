//! Diagnostics as plain data.

use merkhet_syntax::{Context, Diagnostic, Severity, SourceMap, Span};
use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeverityView {
    /// Something worth knowing.
    Note,
    /// Probably not what the author meant.
    Warning,
    /// The text cannot be taken as it is.
    Error,
}

/// A message, with its place where it has one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DiagnosticView {
    /// How bad it is.
    pub severity: SeverityView,
    /// A stable name for this sort of message.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub place: Option<PlaceView>,
    /// The part of the model around it.
    pub context: Option<ContextView>,
    /// What the author may do about it.
    pub hint: Option<String>,
    /// Other places that matter.
    pub related: Vec<PlaceView>,
}

/// A range of a file's text; lines and columns count from 1, the end is behind the last character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaceView {
    /// The file.
    pub file: String,
    /// Line of the start.
    pub line: u32,
    /// Column of the start.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column of the end.
    pub end_column: u32,
    /// The text there, shortened if it is long.
    pub text: String,
    /// A remark about this place.
    pub remark: Option<String>,
}

/// The part of a model that a message is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ContextView {
    /// The template.
    pub template: Option<String>,
    /// The edge, location or other part.
    pub element: Option<String>,
    /// The label.
    pub label: Option<String>,
    /// The path of the XML element.
    pub xpath: Option<String>,
}

/// The most characters of a place's text that are kept.
const LONGEST_TEXT: usize = 200;

impl DiagnosticView {
    /// The message behind its place, for a single line behind the name of the file and a colon.
    pub fn sentence(&self) -> String {
        match &self.place {
            Some(place) => format!("{}:{}: {}", place.line, place.column, self.message),
            None => format!(" {}", self.message),
        }
    }

    /// A message without a place.
    pub fn plain(severity: SeverityView, code: &str, message: &str) -> DiagnosticView {
        DiagnosticView {
            severity,
            code: code.into(),
            message: message.into(),
            place: None,
            context: None,
            hint: None,
            related: Vec::new(),
        }
    }

    /// The view of a diagnostic whose spans lie in `sources`.
    pub fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> DiagnosticView {
        DiagnosticView {
            severity: match diagnostic.severity {
                Severity::Note => SeverityView::Note,
                Severity::Warning => SeverityView::Warning,
                Severity::Error => SeverityView::Error,
            },
            code: diagnostic.code.into(),
            message: diagnostic.message.clone(),
            place: place(diagnostic.span, None, sources),
            context: diagnostic.context.as_ref().map(context),
            hint: diagnostic.hint.clone(),
            related: diagnostic
                .labels
                .iter()
                .filter_map(|(span, remark)| place(*span, Some(remark), sources))
                .collect(),
        }
    }

    /// `file:line:column: severity: message [code]`, as compilers write it.
    pub fn line_form(&self) -> String {
        let place = self.place.as_ref();
        let place = place.map(|p| format!("{}:{}:{}: ", p.file, p.line, p.column));
        let severity = match self.severity {
            SeverityView::Note => "note",
            SeverityView::Warning => "warning",
            SeverityView::Error => "error",
        };
        format!(
            "{}{severity}: {} [{}]",
            place.unwrap_or_default(),
            self.message,
            self.code
        )
    }
}

fn place(span: Span, remark: Option<&str>, sources: &SourceMap) -> Option<PlaceView> {
    let file = sources.file(span.file)?;
    let (start, end) = (file.position(span.start), file.position(span.end));
    Some(PlaceView {
        file: file.name().to_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text: file
            .slice(span.start, span.end)
            .chars()
            .take(LONGEST_TEXT)
            .collect(),
        remark: remark.map(str::to_owned),
    })
}

fn context(context: &Context) -> ContextView {
    ContextView {
        template: context.template.clone(),
        element: context.element.clone(),
        label: context.label.map(|label| label.to_string()),
        xpath: context.xpath.clone(),
    }
}
