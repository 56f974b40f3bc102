//! Reads goals: `E<> formula`, `A[] formula`.

use super::expression::Parser;
use super::span;
use super::tree::{Expression, ExpressionKind, Goal};
use merkhet_syntax::Diagnostics;
use merkhet_syntax::{Diagnostic, FileId};

/// Reads one goal.
pub(super) fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Goal> {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let (invariant, body) = if let Some(body) = trimmed.strip_prefix("E<>") {
        (false, body)
    } else if let Some(body) = trimmed.strip_prefix("A[]") {
        (true, body)
    } else {
        let diagnostic = Diagnostic::error(
            "expected-token",
            "a goal of this language starts with `E<>` or `A[]`",
            span(file, start, start + trimmed.len()),
        );
        diagnostics.push(diagnostic.with_hint(
            "TChecker models are asked `E<> label`, `E<> P.location`, `A[] …` or `explore`",
        ));
        return None;
    };
    let base = start + (trimmed.len() - body.len());
    Some(Goal {
        text: trimmed.to_owned(),
        invariant,
        formula: formula(file, body, base, diagnostics)?,
    })
}

/// Formulas with commas between them; all must hold.
fn formula(
    file: FileId,
    text: &str,
    base: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Expression> {
    let mut parser = Parser::new(file, text, base, true, diagnostics);
    let first = parser.formula().ok()?;
    let mut parts = vec![first];
    while parser.take_symbol(",") {
        parts.push(parser.formula().ok()?);
    }
    parser.end().ok()?;
    if parts.len() == 1 {
        return parts.pop();
    }
    let height = parts.iter().map(|part| part.height).max().unwrap_or(0) + 1;
    Some(Expression {
        span: parts[0].span.to(parts[parts.len() - 1].span),
        kind: ExpressionKind::Conjunction(parts),
        height,
    })
}
