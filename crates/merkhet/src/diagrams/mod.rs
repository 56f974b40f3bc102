//! Questions decided by decision diagrams: specifications of finite systems, and queries of networks as such systems.

mod network;
mod options;
mod proof;

pub use network::check_with_diagrams;
pub use options::{DIAGRAM_SEARCHES, DiagramOptions, DiagramSearch};
pub use proof::SystemProof;

use merkhet_finite::{Formula, System};
use merkhet_symbolic::check::{Checker, SpecResult, Verdict};
use merkhet_symbolic::limits::{Progress, Stop};
use std::sync::Arc;

use crate::config::Config;
use crate::failure::Failure;
use crate::memory::peak_bytes;
use crate::report::{Answer, Figures, Length, Report};
use crate::why::{Remark, Why};

/// The specifications of one system, decided one after another: what is known of the system is kept.
pub(crate) struct Specifications {
    system: Arc<System>,
    options: DiagramOptions,
    checker: Checker,
}

impl Specifications {
    pub(crate) fn new(system: &Arc<System>, config: &Config) -> Result<Specifications, Failure> {
        permit(config)?;
        let options = config.diagrams.clone().unwrap_or_default();
        let resolved = options.resolve(config);
        Ok(Specifications {
            system: Arc::clone(system),
            checker: Checker::new(Arc::clone(system), resolved),
            options,
        })
    }

    /// Whether these are the specifications of this very system.
    pub(crate) fn are_of(&self, system: &Arc<System>) -> bool {
        Arc::ptr_eq(&self.system, system)
    }

    pub(crate) fn check(
        &mut self,
        specification: usize,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Report, Failure> {
        let result = self.checker.check(specification, observe);
        report(&self.system, specification, &self.options, &result)
    }
}

/// Refuses options that would have no effect.
fn permit(config: &Config) -> Result<(), Failure> {
    match config.meaningless_to_diagrams() {
        Some(option) => {
            let message = format!("{option} means nothing to decision diagrams");
            Err(Failure::NotPermitted(message))
        }
        None => Ok(()),
    }
}

/// What came of a specification.
fn report(
    system: &System,
    specification: usize,
    options: &DiagramOptions,
    result: &SpecResult,
) -> Result<Report, Failure> {
    let guided = result.statistics.guided.as_ref();
    let figures = Figures {
        time: result.statistics.time,
        peak_memory: peak_bytes(),
        ..Figures::default()
    };
    let mut path_length = None;
    let answer = match &result.verdict {
        Verdict::Holds => Answer::Satisfied,
        Verdict::Fails => Answer::Violated,
        Verdict::Length(steps) => {
            let formula = &system.specifications[specification].formula;
            path_length = Some(Length {
                longest: matches!(formula, Formula::PathLength { longest: true, .. }),
                steps: *steps,
            });
            Answer::Satisfied
        }
        Verdict::Unknown(stop) => Answer::Unknown(unknown(stop, figures)?),
    };
    let mut notes = result.notes.clone();
    if guided.is_some_and(|report| report.proved_by_abstraction) {
        notes.push("the abstraction alone proves it".into());
    }
    Ok(Report {
        remarks: notes.into_iter().map(Remark::Note).collect(),
        path_length,
        figures,
        heuristic: guided
            .filter(|report| !report.databases.is_empty())
            .map(|_| "pdb".into()),
        path: result.trace.clone(),
        proof: (result.proof.clone()).map(|proof| SystemProof::new(system, specification, proof)),
        diagrams: Some(result.statistics.clone()),
        ..Report::new(answer, options.search().to_string())
    })
}

/// Why there is no verdict; a failure where the question cannot be answered at all.
fn unknown(stop: &Stop, figures: Figures) -> Result<Why, Failure> {
    match stop {
        Stop::Internal(message) => Err(Failure::Internal(message.clone())),
        Stop::Options(message) => Err(Failure::NotPermitted(message.clone())),
        Stop::Model(_) => Err(Failure::Fault {
            message: stop.to_string(),
            site: None,
            trace: None,
            figures: Some(Box::new(figures)),
            limit: false,
        }),
        limit => Ok(Why::from(limit)),
    }
}
