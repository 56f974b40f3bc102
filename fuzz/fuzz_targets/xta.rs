//! Any bytes as a textual model, in the new language and in the old one, read and lowered.
#![no_main]

mod lower;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for name in ["model.xta", "model.ta"] {
        lower::load(name, bytes);
    }
});
