//! Any bytes as a textual model, in the new language and in the old one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use merkhet_syntax::read_model;

fuzz_target!(|bytes: &[u8]| {
    for name in ["model.xta", "model.ta"] {
        let (model, diagnostics) = read_model(name, bytes);
        for diagnostic in &diagnostics {
            assert!(diagnostic.span.start <= diagnostic.span.end);
        }
        for template in &model.templates {
            assert!(template.initial.is_none_or(|(index, _)| index < template.locations.len()));
        }
    }
});
