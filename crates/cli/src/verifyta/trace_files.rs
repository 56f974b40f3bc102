//! Trace files: the symbolic states along an accepted run, in one of the forms that other tools read.

use merkhet::explore::Exploration;
use merkhet::network::{Network, Transition};
use merkhet::replay::Replayed;
use merkhet::{Failure, Model};

use super::numbering::Numbering;
use super::{xml_trace, xtr};

/// A run as a file with the ending `xtr` or `xml`; the error is a sentence.
pub fn render(numbering: &Numbering<'_>, ending: &str, run: &Replayed) -> Result<String, String> {
    let words = |failure: Failure| failure.to_string();
    let exploration = Exploration::exact(numbering.network).map_err(words)?;
    let transitions: Vec<Transition> = run
        .steps
        .iter()
        .map(|step| Transition {
            edges: step
                .edges
                .iter()
                .map(|taken| (taken.process, taken.edge))
                .collect(),
        })
        .collect();
    let states = exploration.along(&transitions).map_err(words)?;
    let states = states.ok_or("internal error: the trace cannot be followed symbolically")?;
    Ok(match ending {
        "xtr" => xtr::render(numbering, run, &states),
        _ => xml_trace::render(numbering, run, &states, &exploration.value_names()),
    })
}

/// A run as an `.xtr` file; the error is a sentence.
pub fn xtr_file(model: &Model, network: &Network, run: &Replayed) -> Result<String, String> {
    render(&Numbering::new(model, network), "xtr", run)
}
