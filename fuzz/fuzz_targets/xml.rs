//! Any bytes as an XML model, read and lowered.
#![no_main]

mod lower;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| lower::load("model.xml", bytes));
