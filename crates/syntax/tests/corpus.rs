//! Every model of the corpus that uses only the symbolic language reads without an error.

mod common;

use common::{files_below, shared, show};
use merkhet_syntax::read_model;

#[test]
fn dump() {
    let Some(corpus) = shared("corpus/models") else {
        return;
    };
    let mut bad = 0;
    for path in files_below(&corpus) {
        let bytes = std::fs::read(&path).unwrap();
        let start = std::time::Instant::now();
        let (_, diagnostics) = read_model(path.to_str().unwrap(), &bytes);
        let took = start.elapsed();
        if took.as_millis() > 100 {
            println!("SLOW {took:?} {}", path.display());
        }
        let diagnostics: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
        if !diagnostics.is_empty() {
            bad += 1;
            println!("{}", path.strip_prefix(&corpus).unwrap().display());
            for d in diagnostics.iter().take(6) {
                println!("    {}", show(d, &bytes));
            }
        }
    }
    println!("bad {bad}");
}
