//! The report as JUnit XML: a suite for the model and a test case for each query, so that CI systems show it.
//!
//! A violated query is a failure and an undecided one an error: neither may look as if it had passed.

use crate::diagnostics::{DiagnosticView, SeverityView};
use crate::view::batch::is_not_begun;
use crate::view::human::{self, TraceStyle, trace_text};
use crate::view::{ReportView, ResultView, Verdict};

/// The document of one model.
pub fn render(report: &ReportView) -> String {
    document(std::slice::from_ref(report))
}

/// The document of many models.
pub fn document(reports: &[ReportView]) -> String {
    let suites: Vec<Suite> = reports.iter().map(Suite::new).collect();
    let mut all = Counts::default();
    suites.iter().for_each(|suite| all.add(&suite.counts));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n",
        all.attributes()
    );
    suites.iter().for_each(|suite| text.push_str(&suite.text));
    text + "</testsuites>\n"
}

#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    time: f64,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.time += other.time;
    }

    fn attributes(&self) -> String {
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3}\"",
            self.tests, self.failures, self.errors, self.time
        )
    }
}

struct Suite {
    counts: Counts,
    text: String,
}

impl Suite {
    fn new(report: &ReportView) -> Suite {
        let errors: Vec<&DiagnosticView> = report
            .diagnostics
            .iter()
            .filter(|one| one.severity == SeverityView::Error || is_not_begun(report))
            .collect();
        // A model that could not be used has no results, and must not look like a suite without failures.
        let broken = report.results.is_empty() && !errors.is_empty();
        let number = |verdict| {
            let wrong = report.results.iter().filter(|result| !is_expected(result));
            wrong.filter(|result| result.verdict == verdict).count()
        };
        let counts = Counts {
            tests: report.results.len() + usize::from(broken),
            failures: number(Verdict::Violated) + number(Verdict::Satisfied),
            errors: number(Verdict::Unknown) + usize::from(broken),
            time: report
                .results
                .iter()
                .fold(0.0, |sum, result| sum + result.time_s),
        };
        let model = escape(&report.model);
        let mut text = format!("  <testsuite name=\"{model}\" {}>\n", counts.attributes());
        if broken {
            let lines: Vec<String> = errors.iter().map(|error| error.line_form()).collect();
            let body = element("error", "the model cannot be used", &lines.join("\n"));
            text.push_str(&format!(
                "    <testcase name=\"load\" classname=\"{model}\">\n{body}    </testcase>\n"
            ));
        }
        for result in &report.results {
            text.push_str(&test_case(&model, result));
        }
        text.push_str("  </testsuite>\n");
        Suite { counts, text }
    }
}

fn test_case(model: &str, result: &ResultView) -> String {
    let reason = result.reason.as_deref().unwrap_or_default();
    let trace = result.trace.as_ref().map_or(String::new(), |trace| {
        anstream::adapter::strip_str(&trace_text(result.verdict, trace, TraceStyle::Short))
            .to_string()
    });
    let path = result.path.as_ref().map_or(String::new(), |path| {
        anstream::adapter::strip_str(&path.text(result.verdict, false)).to_string()
    });
    let trace = trace + &path;
    let values: Vec<String> = result.values.iter().map(human::plain_value).collect();
    // The values that were asked for, and what the verdict rests on.
    let said = [values.join("\n"), reason.to_owned()];
    let said: Vec<String> = said.into_iter().filter(|part| !part.is_empty()).collect();
    let said = said.join("\n");
    let passes = is_expected(result);
    let body = match result.verdict {
        _ if passes && said.is_empty() => String::new(),
        _ if passes => format!("      <system-out>{}</system-out>\n", escape_text(&said)),
        Verdict::Satisfied => element("failure", "satisfied, and violated is expected", &said),
        Verdict::Violated => element("failure", "violated", &format!("{reason}{trace}")),
        Verdict::Unknown => element("error", reason, "undecided"),
    };
    format!(
        "    <testcase name=\"{}\" classname=\"{model}\" time=\"{:.3}\">\n{body}    </testcase>\n",
        escape(&result.query),
        result.time_s,
    )
}

/// Whether a query came out as it should: as its file records, where that is compared, or else satisfied.
fn is_expected(result: &ResultView) -> bool {
    result.verdict == result.expected.unwrap_or(Verdict::Satisfied)
}

fn element(name: &str, message: &str, body: &str) -> String {
    format!(
        "      <{name} message=\"{}\">{}</{name}>\n",
        escape(message),
        escape_text(body)
    )
}

/// Text for an attribute, where line breaks need to be escaped too.
pub(crate) fn escape(text: &str) -> String {
    escape_text(text)
        .replace('\n', "&#10;")
        .replace('\t', "&#9;")
}

/// Text for an element; characters that XML cannot hold become U+FFFD.
fn escape_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{escape, render};
    use crate::view::samples;

    #[test]
    fn report_for_ci() {
        insta::assert_snapshot!(render(&samples::report()));
    }

    #[test]
    fn a_broken_model_is_an_error() {
        insta::assert_snapshot!(render(&samples::broken_report()));
    }

    #[test]
    fn no_text_breaks_the_document() {
        assert_eq!(
            escape("a<b> & \"c\"\n\u{0}\u{1b}é"),
            "a&lt;b&gt; &amp; &quot;c&quot;&#10;\u{fffd}\u{fffd}é"
        );
    }
}
