//! The report as one JSON object.

use serde::Serialize;

use crate::output::OutputError;

/// Any view as indented JSON with a line break at the end.
pub fn render(view: &impl Serialize) -> Result<String, OutputError> {
    let text = serde_json::to_string_pretty(view).map_err(std::io::Error::from)?;
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::view::samples;

    #[test]
    fn report_for_programs() {
        insta::assert_snapshot!(render(&samples::report()).expect("JSON"));
    }

    #[test]
    fn odd_numbers_are_still_json() {
        let mut report = samples::report();
        report.results[0].time_s = f64::NAN;
        assert!(render(&report).expect("JSON").contains("\"time_s\": null"));
    }
}
