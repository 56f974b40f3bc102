//! `--trace-out`: the trace of a query as a file.

use std::path::{Path, PathBuf};

use merkhet::Model;
use merkhet::network::Network;
use merkhet::replay::Replayed;

use crate::output;
use crate::verifyta::xtr_file;
use crate::view::human::{TraceStyle, trace_text};
use crate::view::trace::TraceSource;
use crate::view::{ResultView, json, svg};

/// The endings that decide the form.
const ENDINGS: [&str; 4] = ["svg", "txt", "json", "xtr"];

/// Where a trace goes.
pub struct TraceFile<'a> {
    /// The file as it was asked for.
    pub path: &'a Path,
    /// The number of the query, where there are several.
    pub number: Option<usize>,
}

fn ending(path: &Path) -> Option<&'static str> {
    let given = path.extension()?;
    ENDINGS.into_iter().find(|known| given == *known)
}

/// What is wrong with the name of a file.
pub fn refuse(path: &Path) -> Option<String> {
    match ending(path) {
        Some(_) => None,
        None => Some(format!(
            "--trace-out {}: the ending decides the form; use .{}",
            path.display(),
            ENDINGS.join(", .")
        )),
    }
}

/// What is wrong with the name of a picture.
pub fn refuse_but_svg(path: &Path) -> Option<String> {
    let drawn = ending(path) == Some("svg");
    (!drawn).then(|| format!("--splits-out {}: it is a picture; use .svg", path.display()))
}

/// Whether a file of this name that begins so is a trace in the form of its ending.
pub fn is_trace(path: &Path, beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let words = ["Counter-example: ", "Example: ", "The run to the fault: "];
    match ending(path) {
        Some("svg") => text.starts_with("<svg ") && text.contains(svg::FONT),
        Some("xtr") => (text.chars()).all(|c| c.is_ascii_digit() || " \r\n.;-".contains(c)),
        Some("json") => text.starts_with("{\n  \"length\":"),
        _ => words.iter().any(|word| text.trim_start().starts_with(word)),
    }
}

impl TraceFile<'_> {
    /// The file's name, with the number of its query.
    pub fn name(&self) -> PathBuf {
        match (self.number, self.path.file_stem(), ending(self.path)) {
            (Some(number), Some(stem), Some(ending)) => self
                .path
                .with_file_name(format!("{}-{number}.{ending}", stem.to_string_lossy())),
            _ => self.path.to_owned(),
        }
    }

    /// Writes the file whole or not at all.
    pub fn write(
        &self,
        model: &Model,
        network: &Network,
        run: &Replayed,
        result: &ResultView,
    ) -> Result<(), String> {
        let full = TraceSource::new(model, network, true).view(run);
        let text = match ending(self.path) {
            Some("svg") => svg::render(&result.query, &full),
            Some("xtr") => xtr_file(model, network, run)?,
            Some("json") => json::render(&full).map_err(|_| "cannot write the trace as JSON")?,
            _ => {
                let text = trace_text(result.verdict, &full, TraceStyle::Full);
                anstream::adapter::strip_str(&text).to_string()
            }
        };
        output::write_file(&self.name(), &text)
    }
}
