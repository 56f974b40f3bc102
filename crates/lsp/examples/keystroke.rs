//! What a keystroke costs: `cargo run --profile quick -p merkhet-lsp --example keystroke MODEL…` changes each model in its
//! middle, and prints milliseconds of CPU time until its names, a hover, a completion, the colours and the messages are there.

use merkhet_lsp::document::Document;
use merkhet_lsp::facts::facts;
use merkhet_lsp::features::{colours, completion, hover};
use merkhet_lsp::index::place;
use merkhet_lsp::language::Language;

/// Milliseconds of CPU time of this thread.
fn spent() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: f64 = (text.split(' ').next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0.0);
    nanoseconds / 1e6
}

/// Runs a few times; the median of what it cost.
fn median(mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..9)
        .map(|_| {
            let before = spent();
            work();
            spent() - before
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[4]
}

fn main() {
    println!("bytes names hover completion colours messages file");
    for file in std::env::args().skip(1) {
        let (Some(language), Ok(text)) = (Language::of(&file), std::fs::read_to_string(&file))
        else {
            eprintln!("{file}: not read");
            continue;
        };
        let mut document = Document::new(language, text);
        let middle = document.text.as_str().len() as u32 / 2;
        let names = median(|| {
            document.edit(|text| {
                let at = text.place(middle);
                text.replace(at, at, " ");
            });
            document.index();
        });
        let index = document.index();
        let hovered = median(|| {
            hover::hover(
                &document,
                middle,
                place(&index.references, middle),
                index,
                None,
            );
        });
        let completed = median(|| {
            completion::complete(&document, middle, index);
        });
        let coloured = median(|| {
            colours::colours(&document, &index.references, index);
        });
        let read = median(|| {
            facts(language, document.text.as_str(), None);
        });
        let size = document.text.as_str().len();
        println!("{size} {names:.1} {hovered:.1} {completed:.1} {coloured:.1} {read:.1} {file}");
    }
}
