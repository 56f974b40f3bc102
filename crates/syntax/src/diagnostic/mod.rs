//! What the readers and later stages have to say about a text.

pub(crate) mod diagnostics;
pub mod suggest;

use std::fmt;

use crate::{Context, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Something worth knowing.
    Note,
    /// Probably not what the author meant.
    Warning,
    /// The text cannot be taken as it is.
    Error,
}

/// One message with the place it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name for this sort of message, such as `expected-token`; it can be silenced or matched by scripts.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// The offending text.
    pub span: Span,
    /// Other places that matter, each with a short remark.
    pub labels: Vec<(Span, String)>,
    /// What the author may do about it.
    pub hint: Option<String>,
    /// The template, edge or location and label around the place, as far as there is one.
    pub context: Option<Context>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}[{}]: {}", self.code, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl Diagnostic {
    /// A message without labels, hint and context.
    pub fn new(
        severity: Severity,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
    ) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            span,
            labels: Vec::new(),
            hint: None,
            context: None,
        }
    }

    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message, span)
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message, span)
    }

    /// Adds another place with a remark.
    pub fn with_label(mut self, span: Span, remark: impl Into<String>) -> Diagnostic {
        self.labels.push((span, remark.into()));
        self
    }

    /// Adds a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the hint "did you mean `…`?" if there is a near enough name.
    pub fn with_suggestion(mut self, name: Option<&str>) -> Diagnostic {
        if let Some(name) = name {
            self.hint = Some(format!("did you mean `{name}`?"));
        }
        self
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
