//! Reports of a program that is ended in the middle of a query.

use merkhet::ModelQuery;

use super::check::{Form, finish};
use crate::exit::Exit;
use crate::guard::Farewell;
use crate::output;
use crate::view::{ReportView, ResultView, results};

/// What is written if the program must be ended in the middle of the first of these queries.
pub(super) struct LastWords<'a> {
    pub form: &'a Form,
    /// What was decided before.
    pub known: &'a ReportView,
    /// The query under way and those after it.
    pub queries: &'a [ModelQuery],
}

impl LastWords<'_> {
    /// Before the query is decided.
    pub fn undecided(&self) -> Farewell {
        let (form, mut known) = (self.form.clone(), self.known.clone());
        let begun = known.results.len();
        known.results.extend(self.queries.iter().map(not_begun));
        Box::new(move |overrun| {
            if let Some(query) = known.results.get_mut(begun) {
                results::overrun(query, overrun);
            }
            if let Some(message) = form.stale_certificate() {
                output::warning(&message);
            }
            finish_all(&form, &known)
        })
    }

    /// When only further traces are missing.
    pub fn decided(&self, result: &ResultView) -> Farewell {
        let (form, known) = (self.form.clone(), self.with(result));
        Box::new(move |overrun| {
            output::message(&overrun.reason());
            finish_all(&form, &known)
        })
    }

    /// When the certificate is being checked: it is not written.
    pub fn unproved(&self, result: &ResultView) -> Farewell {
        let lost = self.lost(result);
        Box::new(move |overrun| {
            output::error(&format!(
                "no certificate was written: {} (--no-certify writes it unchecked)",
                overrun.reason()
            ));
            lost()
        })
    }

    /// When a file beside the report cannot be written: the verdict stands, and the exit code says that not all was done.
    pub fn lost(&self, result: &ResultView) -> Box<dyn FnOnce() -> Exit + Send> {
        let (form, known) = (self.form.clone(), self.with(result));
        Box::new(move || match finish_all(&form, &known) {
            Exit::Violated => Exit::Violated,
            _ => Exit::BadInput,
        })
    }

    /// What is known with the result of the query under way.
    fn with(&self, result: &ResultView) -> ReportView {
        let mut known = self.known.clone();
        known.results.push(result.clone());
        known
            .results
            .extend(self.queries.iter().skip(1).map(not_begun));
        known
    }
}

fn not_begun(query: &ModelQuery) -> ResultView {
    results::unknown(query, "not begun: an earlier query overran its limit")
}

/// Writes the report; its verdicts give the exit code.
fn finish_all(form: &Form, report: &ReportView) -> Exit {
    let verdicts = report.results.iter().map(|result| result.verdict);
    finish(form, report, Exit::from_verdicts(verdicts))
}
