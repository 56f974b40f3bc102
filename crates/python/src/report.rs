//! What came of a query, as Python sees it.

use std::sync::Arc;
use std::time::Duration;

use merkhet::symbolic::check::PathLength;
use merkhet::{Answer, Bound, Model, Report as LibraryReport, Value};
use pyo3::prelude::*;

use crate::run::{Names, Path, Run};

/// An end of a range: the kind (`reached`, `open`, `infinite`) and the number.
type End = (&'static str, Option<i64>);

#[derive(Clone, Default, IntoPyObject)]
struct Values {
    expression: String,
    inf: Option<End>,
    sup: Option<End>,
}

#[derive(Clone, Default, IntoPyObject)]
struct Figures {
    explored: u64,
    stored: u64,
    transitions: u64,
    work: u64,
    discrete: u64,
    time: f64,
    peak_memory: u64,
    joins: Option<u64>,
    refinements: Option<u32>,
}

#[derive(Clone, IntoPyObject)]
struct Stage {
    stage: &'static str,
    engine: String,
    guide: String,
    threads: usize,
    budget: Option<u64>,
    explored: u64,
    ended: String,
    time: f64,
}

#[derive(Clone, IntoPyObject)]
struct Split {
    path: Vec<String>,
    after: usize,
    at: String,
    element: String,
}

#[derive(Clone, Default, IntoPyObject)]
struct Diagrams {
    variables: usize,
    reachable_states: Option<f64>,
}

#[derive(Clone, Default, IntoPyObject)]
struct Data {
    verdict: &'static str,
    reason: Option<String>,
    remarks: Vec<String>,
    values: Vec<Values>,
    figures: Figures,
    search: String,
    heuristic: Option<String>,
    found_by: Option<String>,
    schedule: Vec<Stage>,
    splits: Vec<Split>,
    removed: Option<Vec<[String; 4]>>,
    diagrams: Option<Diagrams>,
    databases: Option<String>,
}

/// A report of plain data, with the evidence beside it.
#[pyclass(frozen, module = "merkhet._merkhet")]
pub struct Report {
    data: Data,
    run: Option<Py<Run>>,
    path: Option<Py<Path>>,
    certificate: Option<Vec<u8>>,
}

/// What the working thread hands on.
pub struct Came {
    pub report: LibraryReport,
    /// The certificate or proof as bytes, accepted by its judge unless that was not wanted.
    pub certificate: Option<Vec<u8>>,
}

impl Report {
    pub fn new(py: Python<'_>, came: Came, model: &Model, names: &Arc<Names>) -> PyResult<Report> {
        let Came {
            report,
            certificate,
        } = came;
        let data = data(&report);
        let run = report.trace.map(|run| {
            let run = Run::new(Arc::new(run), Arc::clone(names));
            Py::new(py, run)
        });
        let path = (model.system().zip(report.path)).map(|(system, path)| {
            let path = Path::new(Arc::clone(system), path);
            Py::new(py, path)
        });
        Ok(Report {
            data,
            run: run.transpose()?,
            path: path.transpose()?,
            certificate,
        })
    }

    /// The report of work that was left behind: the time was long over.
    pub fn left(while_doing: &str, time: Duration) -> Report {
        let figures = Figures {
            time: time.as_secs_f64(),
            peak_memory: merkhet::peak_memory(),
            ..Figures::default()
        };
        Report {
            data: Data {
                verdict: "unknown",
                reason: Some(format!("time limit reached while {while_doing}")),
                figures,
                ..Data::default()
            },
            run: None,
            path: None,
            certificate: None,
        }
    }
}

#[pymethods]
impl Report {
    /// Everything but the evidence, as dictionaries and lists.
    fn data(&self) -> Data {
        self.data.clone()
    }

    #[getter]
    fn run(&self, py: Python<'_>) -> Option<Py<Run>> {
        self.run.as_ref().map(|run| run.clone_ref(py))
    }

    #[getter]
    fn path(&self, py: Python<'_>) -> Option<Py<Path>> {
        self.path.as_ref().map(|path| path.clone_ref(py))
    }

    #[getter]
    fn certificate(&self) -> Option<&[u8]> {
        self.certificate.as_deref()
    }
}

fn data(report: &LibraryReport) -> Data {
    let figures = &report.figures;
    let stage = |ran: &merkhet::Ran| Stage {
        stage: ran.stage,
        engine: ran.engine.clone(),
        guide: ran.guide.clone(),
        threads: ran.threads,
        budget: ran.budget,
        explored: ran.explored,
        ended: ran.ended.clone(),
        time: ran.time.as_secs_f64(),
    };
    let split = |split: &merkhet::Split| Split {
        path: split.path.clone(),
        after: split.after,
        at: split.at.clone(),
        element: split.element.clone(),
    };
    let mut values: Vec<Values> = report.values.iter().map(value).collect();
    values.extend(report.path_length.map(length));
    Data {
        verdict: match report.answer {
            Answer::Satisfied => "satisfied",
            Answer::Violated => "violated",
            Answer::Unknown(_) => "unknown",
        },
        reason: match &report.answer {
            Answer::Unknown(why) => Some(why.to_string()),
            _ => None,
        },
        remarks: report.remarks.iter().map(ToString::to_string).collect(),
        values,
        figures: Figures {
            explored: figures.explored,
            stored: figures.stored,
            transitions: figures.transitions,
            work: figures.work,
            discrete: figures.discrete,
            time: figures.time.as_secs_f64(),
            peak_memory: figures.peak_memory,
            joins: figures.joins,
            refinements: figures.refinements,
        },
        search: report.search.clone(),
        heuristic: report.heuristic.clone(),
        found_by: report.found_by.clone(),
        schedule: report.schedule.iter().map(stage).collect(),
        splits: report.splits.iter().map(split).collect(),
        removed: (report.reduced.as_ref()).map(|reduced| {
            let part = |one: &merkhet::Removed| {
                let (kind, part) = (one.kind.name().into(), one.part.name().into());
                [kind, part, one.name.clone(), one.reason.clone()]
            };
            reduced.removed.iter().map(part).collect()
        }),
        diagrams: report.diagrams.as_ref().map(|figures| Diagrams {
            variables: figures.variables,
            reachable_states: figures.reachable_states,
        }),
        databases: (report.databases.as_ref()).and_then(|made| made.text.clone()),
    }
}

fn end(bound: Bound) -> End {
    match bound {
        Bound::Reached(value) => ("reached", Some(value)),
        Bound::NotReached(value) => ("open", Some(value)),
        Bound::Infinite => ("infinite", None),
    }
}

fn value(value: &Value) -> Values {
    Values {
        expression: value.expression.clone(),
        inf: value.infimum.map(end),
        sup: value.supremum.map(end),
    }
}

fn length(length: merkhet::Length) -> Values {
    let steps = match length.steps {
        PathLength::Steps(steps) => ("reached", i64::try_from(steps).ok()),
        PathLength::Infinite => ("infinite", None),
        PathLength::Undefined => ("undefined", None),
    };
    Values {
        expression: "steps".into(),
        inf: (!length.longest).then_some(steps),
        sup: length.longest.then_some(steps),
    }
}
