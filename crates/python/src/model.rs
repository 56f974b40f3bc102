//! Models and their queries.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use merkhet::explore::SymbolicState;
use merkhet::network::{Network, QueryKind};
use merkhet::{Checker, Config, Failure, Model as LibraryModel, ModelQuery, Remark, Work};
use pyo3::prelude::*;

use crate::errors::{Kind, Message, Wrong, messages};
use crate::lattice::{Trouble, externals};
use crate::report::{Came, Report};
use crate::run::{Names, Run};
use crate::settings::Settings;
use crate::space::{Symbolic, Taken};
use crate::work::{Ends, Outcome, unlocked, watched};

/// A model in any of the languages.
///
/// What is asked of it changes it (texts that messages point into, specifications of finite systems), while checks of other
/// threads may still look at it: these keep the one that they began with.
#[pyclass(frozen, module = "merkhet._merkhet")]
pub struct Model {
    model: Arc<Mutex<Arc<LibraryModel>>>,
    names: Arc<Names>,
    network: OnceLock<Arc<Network>>,
    trouble: Arc<Trouble>,
}

/// Ends checks from another thread.
#[pyclass(frozen, module = "merkhet._merkhet")]
pub struct Cancel {
    flag: Arc<AtomicBool>,
}

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Cancel {
        Cancel {
            flag: Arc::default(),
        }
    }

    /// Ends the checks that have it, and those that get it later.
    fn set(&self) {
        self.flag.store(true, Ordering::SeqCst);
    }

    fn is_set(&self) -> bool {
        self.flag.load(Ordering::SeqCst)
    }
}

/// A query of a model.
#[pyclass(frozen, module = "merkhet._merkhet")]
pub struct Query {
    pub query: ModelQuery,
    #[pyo3(get)]
    diagnostics: Vec<Py<PyAny>>,
}

/// How far a search is, as Python sees it.
#[derive(Clone, Copy, Default, IntoPyObject)]
struct Progress {
    explored: u64,
    stored: u64,
    waiting: u64,
    memory: u64,
    depth: u64,
    best_estimate: Option<u32>,
    nodes: u64,
    elapsed: f64,
}

impl Progress {
    fn of(work: Work<'_>, since: Instant) -> Progress {
        let elapsed = since.elapsed().as_secs_f64();
        match work {
            Work::States(progress) => Progress {
                explored: progress.explored,
                stored: progress.stored,
                waiting: progress.waiting,
                memory: progress.memory,
                depth: progress.depth.into(),
                best_estimate: progress.best_estimate,
                nodes: 0,
                elapsed,
            },
            Work::Diagrams(progress) => Progress {
                nodes: progress.nodes.load(Ordering::Relaxed),
                depth: progress.depth.load(Ordering::Relaxed),
                elapsed,
                ..Progress::default()
            },
        }
    }
}

/// How often progress is told, at most.
const TELL: Duration = Duration::from_millis(100);

fn lock(slot: &Mutex<Arc<LibraryModel>>) -> MutexGuard<'_, Arc<LibraryModel>> {
    match slot.lock() {
        Ok(model) => model,
        Err(poisoned) => poisoned.into_inner(),
    }
}

impl Model {
    /// The model as it is now.
    pub fn now(&self) -> Arc<LibraryModel> {
        Arc::clone(&lock(&self.model))
    }

    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    /// The network of the model, which is not changed by queries.
    pub fn network(&self) -> Result<Arc<Network>, Wrong> {
        if let Some(network) = self.network.get() {
            return Ok(Arc::clone(network));
        }
        let model = self.now();
        let network = model.network().ok_or_else(|| {
            let message =
                "finite systems in SMV's language have no processes, clocks and runs of automata";
            Wrong::new(Kind::Undecidable, message)
        })?;
        Ok(Arc::clone(
            self.network.get_or_init(|| Arc::new(network.clone())),
        ))
    }

    /// Does something with the model that may change it, on a large stack.
    pub fn changing<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut LibraryModel) -> T + Send + 'static,
    ) -> PyResult<T> {
        let slot = Arc::clone(&self.model);
        unlocked(py, move || work(Arc::make_mut(&mut lock(&slot))))
    }

    fn config(
        &self,
        py: Python<'_>,
        settings: &Settings,
        cancel: &Arc<AtomicBool>,
    ) -> PyResult<Config> {
        let smv = self.now().is_smv();
        let config = settings.config(smv, Arc::clone(cancel));
        let mut config = config.map_err(|wrong| wrong.raise(py))?;
        for rule in settings.joining_rules() {
            let text = rule.to_owned();
            let rule = self.changing(py, move |model| {
                (model.joining_rule(&text))
                    .map_err(|complaints| messages(&complaints, &model.sources))
            })?;
            let wrong = |list| Wrong::with(Kind::Option, "a joining rule cannot be read", list);
            config
                .joining_rules
                .push(rule.map_err(|list| wrong(list).raise(py))?);
        }
        if !config.joining_rules.is_empty() {
            let refused = |error: merkhet::ConfigError| Wrong::new(Kind::Option, error.to_string());
            config
                .validate()
                .map_err(|error| refused(error).raise(py))?;
        }
        Ok(config)
    }
}

#[pymethods]
impl Model {
    /// Reads a model; the name decides between languages where the text does not. Lattices are declarations, each with what
    /// compares and joins elements, where the declaration does not say that.
    #[new]
    fn new(
        py: Python<'_>,
        name: String,
        bytes: Vec<u8>,
        lattices: Vec<(String, Option<Py<PyAny>>)>,
    ) -> PyResult<Model> {
        let trouble = Arc::new(Trouble::default());
        let externals = externals(lattices, &trouble);
        let read = unlocked(py, move || {
            let model = LibraryModel::read_with(&name, &bytes, &externals);
            if model.has_errors() {
                let list = messages(&model.diagnostics, &model.sources);
                return Err(Wrong::with(Kind::Model, "the model cannot be read", list));
            }
            let names = match model.network() {
                Some(network) => Names::new(&model, network),
                None => Names::default(),
            };
            Ok((model, names))
        })?;
        let (model, names) = read.map_err(|wrong| wrong.raise(py))?;
        Ok(Model {
            model: Arc::new(Mutex::new(Arc::new(model))),
            names: Arc::new(names),
            network: OnceLock::new(),
            trouble,
        })
    }

    /// Warnings and notes of the reader.
    fn diagnostics(&self) -> Vec<Message> {
        let model = self.now();
        messages(&model.diagnostics, &model.sources)
    }

    /// What looks like a mistake.
    fn lint(&self, py: Python<'_>) -> PyResult<Vec<Message>> {
        let model = self.now();
        unlocked(py, move || messages(&model.lint(), &model.sources))
    }

    fn is_smv(&self) -> bool {
        self.now().is_smv()
    }

    /// The queries that come with the model.
    fn queries(&self, py: Python<'_>) -> PyResult<Vec<Query>> {
        let model = self.now();
        (model.queries().into_iter())
            .map(|query| Query::new(py, query, &model))
            .collect()
    }

    /// Reads queries, one or several; those that cannot be read raise an exception.
    fn ask(&self, py: Python<'_>, text: String) -> PyResult<Query> {
        let (query, complaints) = self.changing(py, move |model| {
            let query = model.query(&text);
            let complaints = messages(&query.diagnostics, &model.sources);
            (query, complaints)
        })?;
        if query.query.is_none() && query.specification.is_none() {
            return Err(unreadable(&query, complaints).raise(py));
        }
        Query::new(py, query, &self.now())
    }

    /// The queries of a file's text, those that cannot be read included.
    fn ask_file(&self, py: Python<'_>, name: String, bytes: Vec<u8>) -> PyResult<Vec<Query>> {
        let (queries, rest) = self.changing(py, move |model| {
            let (queries, rest) = model.query_file(&name, &bytes);
            let errors = rest.iter().any(merkhet::syntax::Diagnostic::is_error);
            (queries, errors.then(|| messages(&rest, &model.sources)))
        })?;
        if let Some(list) = rest {
            return Err(Wrong::with(Kind::Query, "the queries cannot be read", list).raise(py));
        }
        let model = self.now();
        (queries.into_iter())
            .map(|query| Query::new(py, query, &model))
            .collect()
    }

    /// Decides a query. `observe` is called with the progress now and then; what it raises ends the search. `estimate` is a
    /// heuristic: it is called with symbolic states.
    #[allow(clippy::too_many_arguments)] // what a check needs, from all sides
    fn check(
        &self,
        py: Python<'_>,
        query: &Query,
        settings: Settings,
        certify: bool,
        observe: Option<Py<PyAny>>,
        cancel: Option<PyRef<'_, Cancel>>,
        estimate: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let given = cancel.map(|cancel| Arc::clone(&cancel.flag));
        let cancel = given.unwrap_or_default();
        let config = self.config(py, &settings, &cancel)?;
        let model = self.now();
        let asked = query.query.clone();
        if asked.query.is_none() && asked.specification.is_none() {
            let complaints = messages(&asked.diagnostics, &model.sources);
            return Err(unreadable(&asked, complaints).raise(py));
        }
        let phase = config.limits.phase.clone();
        let begun = Instant::now();
        let ends = Ends {
            cancel: &|| cancel.store(true, Ordering::SeqCst),
            deadline: config.limits.timeout.map(|limit| begun + limit),
        };
        let told = observe.is_some();
        let mut show = |py: Python<'_>, progress: Progress| match &observe {
            Some(observe) => observe.call1(py, (progress,)).map(|_| ()),
            None => Ok(()),
        };
        let shared = Arc::clone(&model);
        let guide = match estimate {
            None => None,
            Some(estimate) => Some(Guide {
                estimate,
                network: self.network().map_err(|wrong| wrong.raise(py))?,
                names: Arc::clone(&self.names),
                trouble: Arc::clone(&self.trouble),
            }),
        };
        self.trouble.begin(&cancel);
        let outcome = watched(py, &ends, &mut show, move |teller| {
            let mut last: Option<Instant> = None;
            let mut observe = |work: Work<'_>| {
                if told && last.is_none_or(|last| last.elapsed() >= TELL) {
                    last = Some(Instant::now());
                    teller.tell(Progress::of(work, begun));
                }
            };
            match guide {
                None => decide(&shared, &asked, &config, certify, &mut observe),
                Some(guide) => guide.decide(&asked, &config, &mut observe),
            }
        });
        if let Some(error) = self.trouble.end(&cancel) {
            return Err(error);
        }
        match outcome? {
            Outcome::Done(Ok(came)) => Report::new(py, *came, &model, &self.names),
            Outcome::Done(Err(Problem::Wrong(wrong))) => Err(wrong.raise(py)),
            Outcome::Done(Err(Problem::Failure(failure))) => {
                let error = Wrong::of(&failure).raise(py);
                if let Failure::Fault {
                    trace: Some(run), ..
                } = *failure
                {
                    let run = Run::new(Arc::from(run), Arc::clone(&self.names));
                    error.value(py).setattr("run", Py::new(py, run)?)?;
                }
                Err(error)
            }
            Outcome::Left => Ok(Report::left(phase.get().words(), begun.elapsed())),
        }
    }
}

#[pymethods]
impl Model {
    /// Has a run judged that was found elsewhere: the report, if it shows the answer to a query about reachability.
    fn check_run(
        &self,
        py: Python<'_>,
        query: &Query,
        settings: Settings,
        transitions: Vec<PyRef<'_, Taken>>,
    ) -> PyResult<Option<Report>> {
        let config = self.config(py, &settings, &Arc::default())?;
        let network = self.network().map_err(|wrong| wrong.raise(py))?;
        let run: Vec<_> = transitions
            .iter()
            .map(|one| one.transition.clone())
            .collect();
        let asked = query.query.query.clone();
        let judged = unlocked(py, move || {
            let asked = asked.ok_or_else(|| Wrong::new(Kind::Query, "the query cannot be read"))?;
            merkhet::check_run(&network, &asked, &config, &run)
                .map_err(|failure| Wrong::of(&failure))
        })?;
        let report = judged.map_err(|wrong| wrong.raise(py))?;
        let came = report.map(|report| Came {
            report,
            certificate: None,
        });
        came.map(|came| Report::new(py, came, &self.now(), &self.names))
            .transpose()
    }
}

/// A heuristic written in Python.
struct Guide {
    estimate: Py<PyAny>,
    network: Arc<Network>,
    names: Arc<Names>,
    trouble: Arc<Trouble>,
}

/// What is farther than everything that a heuristic says.
const FAR: u32 = u32::MAX / 4;

impl Guide {
    fn decide(
        &self,
        query: &ModelQuery,
        config: &Config,
        observe: &mut dyn FnMut(Work<'_>),
    ) -> Result<Box<Came>, Problem> {
        let Some(asked) = &query.query else {
            return Err(Wrong::new(Kind::Query, "the query cannot be read").into());
        };
        let mut distance = |state: &SymbolicState| self.distance(state);
        let mut states = |progress: &merkhet::Progress| observe(Work::States(progress));
        let report =
            merkhet::check_guided(&self.network, asked, config, &mut distance, &mut states)?;
        Ok(Box::new(Came {
            report,
            certificate: None,
        }))
    }

    fn distance(&self, state: &SymbolicState) -> u32 {
        let estimated = Python::attach(|py| -> PyResult<Option<u32>> {
            let state = Symbolic {
                state: state.clone(),
                network: Arc::clone(&self.network),
                names: Arc::clone(&self.names),
            };
            let value = self.estimate.call1(py, (Py::new(py, state)?,))?;
            value.extract(py)
        });
        match estimated {
            Ok(value) => value.unwrap_or(FAR).min(FAR),
            Err(error) => {
                self.trouble.raise(error);
                FAR
            }
        }
    }
}

/// Why there is no report.
enum Problem {
    Failure(Box<Failure>),
    Wrong(Box<Wrong>),
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        Problem::Failure(Box::new(failure))
    }
}

impl From<Wrong> for Problem {
    fn from(wrong: Wrong) -> Problem {
        Problem::Wrong(Box::new(wrong))
    }
}

/// Decides a query, and has the judge look at what is proved.
fn decide(
    model: &LibraryModel,
    query: &ModelQuery,
    config: &Config,
    certify: bool,
    observe: &mut dyn FnMut(Work<'_>),
) -> Result<Box<Came>, Problem> {
    let network = model.network().zip(query.query.as_ref());
    if let (Some((network, asked)), None) = (network, &config.diagrams) {
        let idle = merkhet::without_effect(network, [asked], config, false);
        if let Some(option) = idle.first() {
            let name = option.name.trim_start_matches('-').replace('-', "_");
            let message = format!("{name} has no effect here: it is for {}", option.is_for);
            return Err(Wrong::new(Kind::Option, message).into());
        }
    }
    let mut report = Checker::new(model, config).check(query, None, observe)?;
    let mut bytes = None;
    let refused = |why: String| Failure::Internal(format!("the certificate is refused: {why}"));
    if let (Some((network, asked)), Some(certificate)) = (network, &report.certificate) {
        if certify {
            merkhet::replay::certify(network, asked, certificate)
                .map_err(|refusal| refused(refusal.to_string()))?;
        }
        let mut written = Vec::new();
        merkhet::replay::write(certificate, &mut written)
            .map_err(|error| Wrong::new(Kind::Internal, error.to_string()))?;
        bytes = Some(written);
    } else if let (Some(system), Some(specification), Some(proof)) =
        (model.system(), query.specification, &report.proof)
    {
        if certify {
            proof.judge(system, specification).map_err(refused)?;
        }
        bytes = Some(proof.write(system).into_bytes());
    }
    if bytes.is_some() && !certify {
        report.remarks.push(Remark::Unchecked);
    }
    Ok(Box::new(Came {
        report,
        certificate: bytes,
    }))
}

/// Why a query cannot be checked.
fn unreadable(query: &ModelQuery, complaints: Vec<Message>) -> Wrong {
    let unsupported = |message: &merkhet::syntax::Diagnostic| message.code == merkhet::UNSUPPORTED;
    match query.diagnostics.iter().any(unsupported) {
        true => Wrong::with(Kind::Undecidable, "not supported", complaints),
        false => Wrong::with(Kind::Query, "the query cannot be read", complaints),
    }
}

impl Query {
    fn new(py: Python<'_>, query: ModelQuery, model: &LibraryModel) -> PyResult<Query> {
        let list = messages(&query.diagnostics, &model.sources);
        let object = |message: Message| -> PyResult<Py<PyAny>> {
            Ok(message.into_pyobject(py)?.into_any().unbind())
        };
        Ok(Query {
            query,
            diagnostics: list.into_iter().map(object).collect::<PyResult<_>>()?,
        })
    }
}

#[pymethods]
impl Query {
    #[getter]
    fn text(&self) -> &str {
        &self.query.text
    }

    #[getter]
    fn comment(&self) -> Option<&str> {
        self.query.comment.as_deref()
    }

    #[getter]
    fn number(&self) -> u32 {
        self.query.number
    }

    /// The outcome that the author expects.
    #[getter]
    fn expectation(&self) -> Option<&str> {
        self.query.expectation.as_ref()?.outcome.as_deref()
    }

    /// Whether it can be checked.
    #[getter]
    fn readable(&self) -> bool {
        self.query.query.is_some() || self.query.specification.is_some()
    }

    /// What it asks: `E<>`, `A[]`, …; nothing for specifications of finite systems.
    #[getter]
    fn kind(&self) -> Option<&'static str> {
        Some(match self.query.query.as_ref()?.kind {
            QueryKind::Possibly(_) => "E<>",
            QueryKind::Invariantly(_) => "A[]",
            QueryKind::Eventually(_) => "A<>",
            QueryKind::PotentiallyAlways(_) => "E[]",
            QueryKind::LeadsTo(..) => "-->",
            QueryKind::Bounds { .. } => "bounds",
            QueryKind::Explore => "explore",
        })
    }
}
