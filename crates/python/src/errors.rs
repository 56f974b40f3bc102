//! From what went wrong in the library to the exceptions of `merkhet.errors`.

use merkhet::Failure;
use merkhet::network::Site;
use merkhet::syntax::{Context, Diagnostic, Severity, SourceMap};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A message about a model with its place, as Python sees it.
#[derive(Clone, Debug, Default, IntoPyObject)]
pub struct Message {
    pub severity: &'static str,
    pub code: String,
    pub message: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
    pub text: Option<String>,
    pub hint: Option<String>,
    pub template: Option<String>,
    pub element: Option<String>,
    pub label: Option<String>,
    pub xpath: Option<String>,
    pub related: Vec<String>,
}

/// The most characters of a place's text that are kept.
const LONGEST_TEXT: usize = 200;

impl Message {
    /// A diagnostic whose spans lie in `sources`.
    pub fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> Message {
        let mut message = Message {
            severity: match diagnostic.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Error => "error",
            },
            code: diagnostic.code.into(),
            message: diagnostic.message.clone(),
            hint: diagnostic.hint.clone(),
            ..Message::default()
        };
        if let Some(file) = sources.file(diagnostic.span.file) {
            let span = diagnostic.span;
            let (start, end) = (file.position(span.start), file.position(span.end));
            let text = file.slice(span.start, span.end);
            message.file = Some(file.name().to_owned());
            (message.line, message.column) = (Some(start.line), Some(start.column));
            (message.end_line, message.end_column) = (Some(end.line), Some(end.column));
            message.text = Some(text.chars().take(LONGEST_TEXT).collect());
        }
        for (span, remark) in &diagnostic.labels {
            let place = sources.file(span.file).map(|file| {
                let start = file.position(span.start);
                format!("{}:{}:{}: ", file.name(), start.line, start.column)
            });
            let related = place.unwrap_or_default() + remark;
            message.related.push(related);
        }
        if let Some(Context {
            template,
            element,
            label,
            xpath,
            ..
        }) = &diagnostic.context
        {
            message.template.clone_from(template);
            message.element.clone_from(element);
            message.label = label.map(|label| label.to_string());
            message.xpath.clone_from(xpath);
        }
        message
    }

    fn at(site: &Site, message: &str) -> Message {
        Message {
            severity: "error",
            code: "fault".into(),
            message: message.into(),
            file: Some(site.file.clone()),
            line: Some(site.line),
            column: Some(site.column),
            text: Some(site.text.clone()),
            element: (!site.context.is_empty()).then(|| site.context.clone()),
            ..Message::default()
        }
    }
}

/// The messages about a model, as Python sees them.
pub fn messages(diagnostics: &[Diagnostic], sources: &SourceMap) -> Vec<Message> {
    let one = |diagnostic| Message::new(diagnostic, sources);
    diagnostics.iter().map(one).collect()
}

/// The exceptions of `merkhet.errors`.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The model cannot be read.
    Model,
    /// The query cannot be read.
    Query,
    /// An option, or options that do not go together.
    Option,
    /// An evaluation in the model fails.
    Fault,
    /// The methods at hand cannot decide it.
    Undecidable,
    /// A certificate cannot be read.
    Certificate,
    /// A model has no such form.
    Conversion,
    /// The program is wrong.
    Internal,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Model => "ModelError",
            Kind::Query => "QueryError",
            Kind::Option => "OptionError",
            Kind::Fault => "FaultError",
            Kind::Undecidable => "UndecidableError",
            Kind::Certificate => "CertificateError",
            Kind::Conversion => "ConversionError",
            Kind::Internal => "InternalError",
        }
    }
}

/// What is to become an exception: made where there is no interpreter.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub kind: Kind,
    pub message: String,
    pub messages: Vec<Message>,
}

impl Wrong {
    pub fn new(kind: Kind, message: impl Into<String>) -> Wrong {
        Wrong {
            kind,
            message: message.into(),
            messages: Vec::new(),
        }
    }

    /// With messages about a text; the first error among them is what the exception says.
    pub fn with(kind: Kind, message: impl Into<String>, messages: Vec<Message>) -> Wrong {
        Wrong {
            messages,
            ..Wrong::new(kind, message)
        }
    }

    /// A query that could not be checked.
    pub fn of(failure: &Failure) -> Wrong {
        match failure {
            Failure::Fault { message, site, .. } => {
                let place = site.as_ref().map(|site| Message::at(site, message));
                Wrong::with(Kind::Fault, message, place.into_iter().collect())
            }
            Failure::NotPermitted(message) => Wrong::new(Kind::Option, message),
            Failure::Undecidable(message) => Wrong::new(Kind::Undecidable, message),
            Failure::Internal(_) => Wrong::new(Kind::Internal, failure.to_string()),
        }
    }

    /// The exception.
    pub fn raise(self, py: Python<'_>) -> PyErr {
        self.build(py).unwrap_or_else(|error| error)
    }

    fn build(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py.import("merkhet.errors")?.getattr(self.kind.name())?;
        let keywords = PyDict::new(py);
        keywords.set_item("diagnostics", self.messages)?;
        Ok(PyErr::from_value(
            class.call((self.message,), Some(&keywords))?,
        ))
    }
}

/// The exception for what must not happen.
pub fn internal(message: &str) -> PyErr {
    Python::attach(|py| Wrong::new(Kind::Internal, message).raise(py))
}

/// A thread could not be started.
pub fn no_thread() -> PyErr {
    PyRuntimeError::new_err("cannot start a thread: out of memory or of threads")
}
