//! What the targets do with a model that was read: lower it, lint it, print it.
use merkhet_lower::{lint, lower_model};
use merkhet_network::print;
use merkhet_syntax::{FileId, SourceMap, read_model};

/// Reads and lowers any bytes; checks that what comes out hangs together.
pub fn load(name: &str, bytes: &[u8]) {
    let (model, diagnostics) = read_model(name, bytes);
    for diagnostic in &diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end);
    }
    for template in &model.templates {
        assert!(
            template
                .initial
                .is_none_or(|(index, _)| index < template.locations.len())
        );
    }
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, name, bytes);
    let (lowered, diagnostics) = lower_model(&model, &sources);
    assert!(
        lowered.is_some() || !diagnostics.is_empty(),
        "refused without a message"
    );
    if let Some(lowered) = &lowered {
        lint(&model, lowered);
        print::text(&lowered.network);
    }
}
