//! A trace drawn as a message-sequence chart.

use merkhet_interop::draw::sequence;

use crate::view::TraceView;
use crate::view::chart::moves;

pub use merkhet_interop::draw::FONT;

/// The whole document.
pub fn render(title: &str, trace: &TraceView) -> String {
    sequence(title, &moves(trace))
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::view::samples;

    #[test]
    fn a_chart_as_a_picture() {
        let report = samples::report();
        let trace = report.results[1].trace.as_ref().expect("a trace");
        insta::assert_snapshot!(render("Lamp <1>", trace));
    }
}
