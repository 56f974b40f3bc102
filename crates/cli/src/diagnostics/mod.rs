//! What there is to say about a model's text: drawn for people, or as data for programs.

mod excerpt;
mod human;
mod view;

pub use human::draw;
pub use view::{ContextView, DiagnosticView, PlaceView, SeverityView};

use merkhet_syntax::{Diagnostic, SourceMap};

/// The most messages that are drawn; the rest is counted.
const MOST: usize = 50;

/// Draws diagnostics on standard error, errors first, and says how many there are.
pub fn print(diagnostics: &[Diagnostic], sources: &SourceMap) {
    let mut ordered: Vec<&Diagnostic> = diagnostics.iter().collect();
    ordered.sort_by_key(|diagnostic| std::cmp::Reverse(diagnostic.severity));
    for diagnostic in ordered.iter().take(MOST) {
        crate::output::message(&draw(diagnostic, sources));
        crate::output::message("");
    }
    if let Some(more) = ordered.len().checked_sub(MOST).filter(|&more| more > 0) {
        crate::output::message(&format!("… and {more} more"));
    }
}
