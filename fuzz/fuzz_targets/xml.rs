//! Any bytes as an XML model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use merkhet_syntax::read_model;

fuzz_target!(|bytes: &[u8]| {
    let (model, diagnostics) = read_model("model.xml", bytes);
    for diagnostic in &diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end);
    }
    for template in &model.templates {
        assert!(template.initial.is_none_or(|(index, _)| index < template.locations.len()));
    }
});
