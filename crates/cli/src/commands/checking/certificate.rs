//! Certificates beside the report: judged, and written where they are accepted.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use merkhet::finite::System;
use merkhet::network::{Network, Query, QueryKind};
use merkhet::{Phase, Remark, Report, SystemProof, replay};

use super::last_words::LastWords;
use crate::guard::Guard;
use crate::output::{self, AtomicFile};
use crate::view::ResultView;

/// Why a certificate is not there.
pub(super) enum Problem {
    /// The judge does not accept it.
    Refused(String),
    /// The file cannot be written.
    NotWritten(String),
}

/// Where certificates go, and what happens to them before.
pub(super) struct Desk<'d> {
    pub path: &'d Path,
    /// Whether they are judged.
    pub checked: bool,
    pub threads: usize,
    pub guard: &'d Guard,
    /// When the query began.
    pub begun: Instant,
}

impl Desk<'_> {
    /// Writes a certificate about a network, if there is one; whether it did.
    ///
    /// An ordinary file is written first, out of sight; then the judge takes the certificate apart, so that there is one list
    /// of states at a time; and only what it accepts gets its name. What goes into a pipe cannot be taken back: it is judged
    /// before.
    pub fn certificate(
        &self,
        report: &mut Report,
        network: &Network,
        query: &Query,
        view: &ResultView,
        words: &LastWords<'_>,
    ) -> Result<bool, Problem> {
        let Some(certificate) = report.certificate.take() else {
            output::message(none(&query.kind, report));
            return Ok(false);
        };
        let judged = |judge: &dyn Fn() -> Result<(), replay::Refusal>| {
            if !self.checked {
                return Ok(());
            }
            (self.guard).watch_since(self.begun, Phase::Checking, words.unproved(view));
            let judged = judge();
            self.guard.rest();
            judged.map_err(|refusal| {
                Problem::Refused(format!("the certificate is refused: {refusal}"))
            })
        };
        if !self.checked {
            report.remarks.push(Remark::Unchecked);
        }
        let written = |file: &mut AtomicFile| {
            replay::write(&certificate, &mut *file)?;
            file.flush()
        };
        if output::is_special(self.path) {
            judged(&|| replay::certify(network, query, &certificate))?;
            let write = || {
                let mut file = AtomicFile::create(self.path).map_err(|error| self.words(&error))?;
                written(&mut file).map_err(|error| self.words(&error))
            };
            let lost = words.lost(view);
            let done = (self.guard).while_writing(self.path, self.begun, lost, write);
            return done.map(|()| true).map_err(Problem::NotWritten);
        }
        let failed = |error: std::io::Error| Problem::NotWritten(self.words(&error));
        let mut file = AtomicFile::create(self.path).map_err(failed)?;
        written(&mut file).map_err(failed)?;
        let certificate = std::cell::Cell::new(Some(certificate));
        judged(&|| match certificate.take() {
            Some(certificate) => replay::certify_owned(network, query, certificate, self.threads),
            None => Ok(()),
        })?;
        file.commit().map_err(failed)?;
        Ok(true)
    }

    /// Writes the proof about a finite system, if there is one; whether it did.
    pub fn proof(
        &self,
        report: &mut Report,
        system: &System,
        specification: usize,
    ) -> Result<bool, Problem> {
        let Some(proof) = &report.proof else {
            output::message(
                "no certificate was written: there is one only where INVARSPEC, AG p, G p and !EF p hold, and EF p fails",
            );
            return Ok(false);
        };
        if self.checked {
            proof
                .judge(system, specification)
                .map_err(|why| Problem::Refused(format!("the certificate is refused: {why}")))?;
        }
        let write = |proof: &SystemProof| {
            let mut file = AtomicFile::create(self.path)?;
            file.write_all(proof.write(system).as_bytes())?;
            file.flush()?;
            file.commit()
        };
        write(proof).map_err(|error| Problem::NotWritten(self.words(&error)))?;
        if !self.checked {
            report.remarks.push(Remark::Unchecked);
        }
        Ok(true)
    }

    fn words(&self, error: &std::io::Error) -> String {
        format!(
            "cannot write the certificate {}: {error}",
            self.path.display()
        )
    }
}

/// Why there is no certificate.
fn none(kind: &QueryKind, report: &Report) -> &'static str {
    let by = |remark: &Remark| matches!(remark, Remark::By(..));
    match kind {
        _ if report.remarks.iter().any(by) => {
            "no certificate was written: the answer rests on what is known of the variables, not on the states seen"
        }
        QueryKind::Bounds { .. } => {
            "no certificate was written: there is one only where every end is finite, and within the limits"
        }
        _ => {
            "no certificate was written: there is one only where nothing was found in the whole state space"
        }
    }
}
