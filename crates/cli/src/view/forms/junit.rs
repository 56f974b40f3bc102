//! The report as JUnit XML: a suite for the model and a test case for each query, so that CI systems show it.
//!
//! A violated query is a failure and an undecided one an error: neither may look as if it had passed.

use crate::diagnostics::{DiagnosticView, SeverityView};
use crate::view::batch::is_not_begun;
use crate::view::human::{TraceStyle, trace_text};
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
            report
                .results
                .iter()
                .filter(|r| r.verdict == verdict)
                .count()
        };
        let counts = Counts {
            tests: report.results.len() + usize::from(broken),
            failures: number(Verdict::Violated),
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
    let body = match result.verdict {
        Verdict::Satisfied if reason.is_empty() => String::new(),
        // What the verdict rests on.
        Verdict::Satisfied => format!("      <system-out>{}</system-out>\n", escape_text(reason)),
        Verdict::Violated => element("failure", "violated", &format!("{reason}{trace}")),
        Verdict::Unknown => element("error", reason, "undecided"),
    };
    format!(
        "    <testcase name=\"{}\" classname=\"{model}\" time=\"{:.3}\">\n{body}    </testcase>\n",
        escape(&result.query),
        result.time_s,
    )
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
