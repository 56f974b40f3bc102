//! What there is beside checking: conversion, pictures, reductions, explanations, certificates.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use merkhet::finite::{Ctl, Formula};
use merkhet::network::print::{Labels, xta};
use merkhet::network::{LocationKind, QueryKind};
use merkhet::{Config, Model as LibraryModel, SystemProof};
use merkhet_interop::convert::{Form, Original, convert};
use merkhet_interop::draw::{self, Curve, Picture};
use merkhet_interop::generate;
use pyo3::prelude::*;

use crate::errors::{Kind, Wrong};
use crate::model::{Model, Query};
use crate::settings::{Settings, reductions};
use crate::work::unlocked;

/// A process, as Python sees it.
#[derive(IntoPyObject)]
struct Process {
    name: String,
    template: String,
    initial: String,
    locations: Vec<Location>,
    edges: Vec<Edge>,
}

#[derive(IntoPyObject)]
struct Location {
    name: String,
    kind: &'static str,
    invariant: String,
}

#[derive(IntoPyObject)]
struct Edge {
    source: String,
    target: String,
    guard: String,
    sync: String,
    update: String,
    select: Vec<(String, i32)>,
    origin: u32,
}

fn process(labels: &Labels<'_>, of: &merkhet::network::Process) -> Process {
    let name = |at: merkhet::network::LocationId| of.locations[at.index()].name.clone();
    let location = |one: &merkhet::network::Location| Location {
        name: one.name.clone(),
        kind: match one.kind {
            LocationKind::Normal => "normal",
            LocationKind::Urgent => "urgent",
            LocationKind::Committed => "committed",
        },
        invariant: labels.invariant(one),
    };
    let edge = |one: &merkhet::network::Edge| Edge {
        source: name(one.source),
        target: name(one.target),
        guard: labels.guard(one),
        sync: labels.sync(one),
        update: labels.update(one),
        select: one.select.clone(),
        origin: one.origin,
    };

    Process {
        name: of.name.clone(),
        template: of.template.clone(),
        initial: name(of.initial),
        locations: of.locations.iter().map(location).collect(),
        edges: of.edges.iter().map(edge).collect(),
    }
}

fn original(model: &LibraryModel) -> Result<Original<'_>, Wrong> {
    let network = model.network().ok_or_else(|| {
        Wrong::new(
            Kind::Conversion,
            "finite systems in SMV's language have no such form",
        )
    })?;
    Ok(Original {
        tree: model.tree(),
        sources: &model.sources,
        network,
    })
}

#[pymethods]
impl Model {
    /// The processes, instantiated.
    fn processes(&self, py: Python<'_>) -> PyResult<Vec<Process>> {
        let network = self.network().map_err(|wrong| wrong.raise(py))?;
        let labels = Labels::new(&network);
        let all = network.processes.iter();
        Ok(all.map(|one| process(&labels, one)).collect())
    }

    /// Names of the variables' cells, of clocks, and of channels; of a finite system, its variables.
    fn symbols(&self) -> (Vec<String>, Vec<String>, Vec<String>) {
        let model = self.now();
        if let Some(system) = model.system() {
            let names = system.variables.iter().map(|one| one.name.clone());
            return (names.collect(), Vec::new(), Vec::new());
        }
        let channels = model.network().map_or(Vec::new(), |network| {
            network
                .channels
                .iter()
                .map(|one| one.name.clone())
                .collect()
        });
        let (_, _, cells, clocks) = self.names().lists();
        (cells, clocks, channels)
    }

    /// The model in another language (`xml`, `xta`, `tck`), with what its author should know.
    fn convert(&self, py: Python<'_>, name: String, form: &str) -> PyResult<(String, Vec<String>)> {
        let form = match form {
            "xml" => Form::Xml,
            "xta" => Form::Xta,
            "tck" => Form::Tck,
            other => {
                let message = format!("unknown form '{other}'; known are xml, xta, tck");
                return Err(Wrong::new(Kind::Option, message).raise(py));
            }
        };
        let model = self.now();
        let converted = unlocked(py, move || {
            let converted = convert(original(&model)?, &name, form);
            converted.map_err(|error| Wrong::new(Kind::Conversion, error.to_string()))
        })?;
        let converted = converted.map_err(|wrong| wrong.raise(py))?;
        Ok((converted.text, converted.warnings))
    }

    /// The automata as a picture: one template, or all.
    fn svg(&self, py: Python<'_>, title: String, template: Option<String>) -> PyResult<String> {
        let model = self.now();
        let drawn = unlocked(py, move || {
            let pictures = draw::templates(original(&model)?)
                .map_err(|error| Wrong::new(Kind::Conversion, error.to_string()))?;
            match template {
                None => Ok(Picture::sheet(&title, &pictures)),
                Some(name) => (pictures.iter().find(|one| one.name == name))
                    .map(Picture::svg)
                    .ok_or_else(|| {
                        let message = format!("there is no template `{name}`");
                        Wrong::new(Kind::Conversion, message)
                    }),
            }
        })?;
        drawn.map_err(|wrong| wrong.raise(py))
    }

    /// What can be left out for a query (kind, part, name and reason of each), and the network that is left, as XTA.
    fn reduce(
        &self,
        py: Python<'_>,
        query: &Query,
        kinds: Vec<String>,
    ) -> PyResult<(Vec<[String; 4]>, String)> {
        let network = self.network().map_err(|wrong| wrong.raise(py))?;
        let kinds = reductions(&kinds).map_err(|wrong| wrong.raise(py))?;
        let asked = query.query.query.clone();
        let reduced = unlocked(py, move || {
            let asked = asked.ok_or_else(|| Wrong::new(Kind::Query, "the query cannot be read"))?;
            let reduction = merkhet::Reduction::new(&network, &asked, &kinds)
                .map_err(|why| Wrong::new(Kind::Option, why.to_string()))?;
            let text = xta(&reduction.network)
                .map_err(|problem| Wrong::new(Kind::Conversion, problem.to_string()))?;
            let part = |one: &merkhet::Removed| {
                let (kind, part) = (one.kind.name().into(), one.part.name().into());
                [kind, part, one.name.clone(), one.reason.clone()]
            };
            Ok((reduction.removed.iter().map(part).collect(), text))
        })?;
        reduced.map_err(|wrong: Wrong| wrong.raise(py))
    }

    /// What a heuristic sees.
    fn explain(&self, py: Python<'_>, query: &Query, settings: Settings) -> PyResult<Explanation> {
        let network = self.network().map_err(|wrong| wrong.raise(py))?;
        let config = settings.config(false, Arc::new(AtomicBool::new(false)));
        let config: Config = config.map_err(|wrong| wrong.raise(py))?;
        let asked = query.query.query.clone();
        let explained = unlocked(py, move || {
            let asked = asked.ok_or_else(|| Wrong::new(Kind::Query, "the query cannot be read"))?;
            merkhet::explain::explain(&network, &asked, &config)
                .map_err(|failure| Wrong::of(&failure))
        })?;
        let explained = explained.map_err(|wrong| wrong.raise(py))?;
        let step = |one: merkhet::explain::SolutionStep| (one.layer, one.times, one.edges);
        let point = |one: merkhet::explain::Point| (one.transition, one.value);
        Ok(Explanation {
            heuristic: explained.heuristic,
            start: explained.start,
            rule: explained.rule,
            solution: explained.solution.into_iter().map(step).collect(),
            run: explained.run.into_iter().map(point).collect(),
            remark: explained.remark,
        })
    }

    /// Has the judge look at a certificate: whether it is accepted, the query, what it proves, and why not.
    fn certify(
        &self,
        py: Python<'_>,
        bytes: Vec<u8>,
    ) -> PyResult<(bool, String, &'static str, Option<String>)> {
        let judged = self.changing(py, move |model| match model.system().is_some() {
            true => proof(model, &bytes),
            false => certificate(model, &bytes),
        })?;
        judged.map_err(|wrong| wrong.raise(py))
    }
}

/// What a heuristic sees, as Python sees it.
#[derive(IntoPyObject)]
struct Explanation {
    heuristic: String,
    start: Option<u32>,
    rule: &'static str,
    solution: Vec<(u16, u32, Vec<String>)>,
    run: Vec<(Vec<String>, Option<u32>)>,
    remark: Option<String>,
}

type Judgement = Result<(bool, String, &'static str, Option<String>), Wrong>;

fn certificate(model: &mut LibraryModel, bytes: &[u8]) -> Judgement {
    let certificate = merkhet::replay::read(bytes)
        .map_err(|error| Wrong::new(Kind::Certificate, error.to_string()))?;
    let query = model.query(&certificate.query);
    let (Some(network), Some(asked)) = (model.network(), &query.query) else {
        let message = format!(
            "the certificate's query cannot be read in this model: {}",
            certificate.query
        );
        return Err(Wrong::new(Kind::Certificate, message));
    };
    let proved = match asked.kind {
        QueryKind::Possibly(_) | QueryKind::PotentiallyAlways(_) => "violated",
        _ => "satisfied",
    };
    let refusal = merkhet::replay::certify(network, asked, &certificate).err();
    let why = refusal.map(|refusal| match refusal.entry {
        Some(entry) => format!("entry {entry}: {}", refusal.reason),
        None => refusal.reason,
    });
    Ok((why.is_none(), certificate.query, proved, why))
}

fn proof(model: &mut LibraryModel, bytes: &[u8]) -> Judgement {
    let unreadable = |message: String| Wrong::new(Kind::Certificate, message);
    let Some(system) = model.system().cloned() else {
        return Err(unreadable("the model is no finite system".into()));
    };
    let proof = SystemProof::read(&String::from_utf8_lossy(bytes), &system).map_err(unreadable)?;
    let query = model.query(&proof.query);
    let (Some(system), Some(specification)) = (model.system(), query.specification) else {
        let message = format!(
            "the certificate's query cannot be read in this model: {}",
            proof.query
        );
        return Err(unreadable(message));
    };
    let possible = matches!(
        &system.specifications[specification].formula,
        Formula::Ctl(Ctl::Ef(..))
    );
    let why = proof.judge(system, specification).err();
    let proved = if possible { "violated" } else { "satisfied" };
    Ok((why.is_none(), proof.query, proved, why))
}

/// The model of a family, the query that belongs to it, and the ending of its language.
#[pyfunction]
pub fn generated(
    py: Python<'_>,
    family: &str,
    values: Vec<u32>,
) -> PyResult<(String, Option<String>, &'static str)> {
    let refused = |message: String| Wrong::new(Kind::Option, message).raise(py);
    let found = generate::ALL.iter().find(|one| one.name == family);
    let found = found.ok_or_else(|| {
        let names: Vec<&str> = generate::ALL.iter().map(|one| one.name).collect();
        refused(format!(
            "there is no family `{family}`; there are {}",
            names.join(", ")
        ))
    })?;
    let model = found.generate(&values).map_err(refused)?;
    Ok((model.text, model.query, found.language.extension()))
}

/// Curves as a picture.
#[pyfunction]
pub fn plot(title: &str, axis: &str, curves: Vec<(String, Vec<(f64, f64)>)>) -> String {
    let curve = |(name, points)| Curve { name, points };
    let curves: Vec<Curve> = curves.into_iter().map(curve).collect();
    draw::plot(title, axis, &curves)
}

/// The heuristics: name, summary, citation.
#[pyfunction]
pub fn heuristics() -> Vec<(String, String, String)> {
    crate::settings::heuristics()
}

/// The searches: name, summary, what is guaranteed, citation.
#[pyfunction]
pub fn searches() -> Vec<[&'static str; 4]> {
    (merkhet::ALL_SEARCHES.iter())
        .map(|spec| [spec.name, spec.summary, spec.facts, spec.citation])
        .collect()
}
