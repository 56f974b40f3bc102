//! Queries with what their authors and UPPAAL noted about them.

use super::Expr;
use crate::Span;

/// A query.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// What it asks.
    pub kind: QueryKind,
    /// The formula as the author typed it (entities decoded, without the blanks around it).
    pub text: String,
    /// The formula.
    pub span: Span,
    /// The author's comment; of a `.q` file the comment lines directly before the formula.
    pub comment: Option<String>,
    /// The settings stored with it, as key and value.
    pub options: Vec<(String, String)>,
    /// The outcome that the author expects.
    pub expectation: Option<Outcome>,
    /// The outcome that UPPAAL recorded last.
    pub result: Option<Outcome>,
}

/// What a query asks.
#[derive(Clone, PartialEq, Debug)]
pub enum QueryKind {
    /// `E<> p`
    Possibly(Expr),
    /// `A[] p`
    Invariantly(Expr),
    /// `E[] p`
    PotentiallyAlways(Expr),
    /// `A<> p`
    Eventually(Expr),
    /// `p --> q`
    LeadsTo(Expr, Expr),
    /// `sup{p}: e, …`
    Supremum(Measure),
    /// `inf{p}: e, …`
    Infimum(Measure),
    /// `bounds{p}: e, …`
    Bounds(Measure),
    /// No formula: a heading or an empty line of the editor.
    Empty,
    /// A query outside the symbolic part of the language. There is no diagnostic for it.
    Unsupported {
        /// What it is, as `a statistical query`.
        what: &'static str,
    },
    /// A formula that could not be read; there is a diagnostic for it.
    Broken,
}

/// The parts of a `sup`, `inf` or `bounds` query.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// The states that count; all, where left out.
    pub predicate: Option<Expr>,
    /// What is measured.
    pub expressions: Vec<Expr>,
}

/// An expected or recorded outcome: the attributes of `<expect>` or `<result>`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// `success`, `failure`, …
    pub outcome: Option<String>,
    /// `symbolic`, `quality`, `probability`, …
    pub kind: Option<String>,
    /// The value, of `sup` and the like.
    pub value: Option<String>,
    /// When it was recorded.
    pub timestamp: Option<String>,
}
