//! Small models as text, and one way to check them.
#![allow(dead_code)]

use merkhet::{Answer, Config, Failure, Model, Report, TraceKind, check, replay};

/// What is expected of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    Satisfied,
    Violated,
    /// The model goes wrong, with these words.
    Fault(&'static str),
}

/// Decides a query on a model in XTA; a proof must be certified.
pub fn decide(text: &str, query: &str) -> Result<Report, Failure> {
    let mut model = Model::read("model.xta", text.as_bytes());
    let errors = |messages: &[merkhet::syntax::Diagnostic]| format!("{messages:#?}\n{text}");
    assert!(!model.has_errors(), "{}", errors(&model.diagnostics));
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered
        .query
        .as_ref()
        .unwrap_or_else(|| panic!("{query}: {:#?}", lowered.diagnostics));
    let config = Config {
        trace: TraceKind::Some,
        certificate: true,
        threads: 1,
        ..Config::default()
    };
    let report = check(network, query, &config, &mut |_| {})?;
    if let Some(certificate) = &report.certificate {
        replay::certify(network, query, certificate).expect("the certificate holds");
    }
    Ok(report)
}

/// Checks queries on a model in XTA.
pub fn check_all(text: &str, rows: &[(&str, Expected)]) {
    use Expected::{Fault, Satisfied, Violated};
    for (query, expected) in rows {
        let found = decide(text, query);
        let agrees = match (expected, &found) {
            (Satisfied, Ok(report)) => report.answer == Answer::Satisfied,
            (Violated, Ok(report)) => report.answer == Answer::Violated,
            (Fault(words), Err(Failure::Fault { message, .. })) => message.contains(words),
            _ => false,
        };
        let found = found.map(|report| (report.reason(), report.answer));
        assert!(
            agrees,
            "{query}: expected {expected:?}, found {found:?}\n{text}"
        );
    }
}
