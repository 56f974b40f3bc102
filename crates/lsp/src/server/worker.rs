//! The thread that reads models: it takes the newest text of each, so that it never lags behind.

use super::Event;
use crate::facts::{Facts, QueryFacts, facts};
use crate::language::Language;
use crossbeam_channel::{Receiver, Sender, unbounded};
use merkhet_syntax::read_queries;
use std::collections::VecDeque;

/// Models nest, and are read by recursion.
const STACK: usize = 256 << 20;

/// A text with its version; one of a file that is not open has none.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) uri: String,
    pub(super) version: Option<i32>,
    pub(super) text: String,
}

/// A model to read, a file of queries, or both.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) model: Option<(Language, Source)>,
    pub(super) queries: Option<Source>,
}

/// What came out.
pub(super) struct Read {
    pub(super) job: Job,
    pub(super) facts: Option<Facts>,
    pub(super) queries: Option<QueryFacts>,
}

/// The way to the thread.
pub(super) struct Worker {
    jobs: Sender<Job>,
}

impl Worker {
    pub(super) fn start(events: Sender<Event>) -> Worker {
        let (jobs, received) = unbounded();
        let work = move || work(&received, &events);
        let thread = std::thread::Builder::new().name("reader".into());
        // Without the thread there are no messages, but everything else works.
        let _ = thread.stack_size(STACK).spawn(work);
        Worker { jobs }
    }

    pub(super) fn take(&self, job: Job) {
        let _ = self.jobs.send(job);
    }
}

fn work(jobs: &Receiver<Job>, events: &Sender<Event>) {
    let mut waiting: VecDeque<Job> = VecDeque::new();
    loop {
        match waiting.is_empty() {
            true => match jobs.recv() {
                Ok(job) => waiting.push_back(job),
                Err(_) => return,
            },
            false => waiting.extend(jobs.try_iter()),
        }
        waiting.extend(jobs.try_iter());
        let Some(job) = waiting.pop_front() else {
            continue;
        };
        if waiting.iter().any(|later| replaces(later, &job)) {
            continue;
        }
        let copy = job.clone();
        // A bug in the reader must not end the server; the text then keeps its old messages.
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| read(job)));
        let read = read.unwrap_or(Read {
            job: copy,
            facts: None,
            queries: None,
        });
        if events.send(Event::Read(Box::new(read))).is_err() {
            return;
        }
    }
}

fn replaces(later: &Job, earlier: &Job) -> bool {
    let uris = |job: &Job| {
        let model = job.model.as_ref().map(|(_, source)| source.uri.clone());
        (model, job.queries.as_ref().map(|source| source.uri.clone()))
    };
    uris(later) == uris(earlier)
}

fn read(job: Job) -> Read {
    let text = job.queries.as_ref().map(|source| source.text.as_str());
    let (facts, queries) = match (&job.model, text) {
        (Some((language, source)), text) => {
            let (facts, queries) = facts(*language, &source.text, text);
            (Some(facts), queries)
        }
        // Without a model only what is no query at all can be told.
        (None, Some(text)) => {
            let queries = QueryFacts {
                messages: read_queries(text.as_bytes()).1,
                queries: Vec::new(),
            };
            (None, Some(queries))
        }
        (None, None) => (None, None),
    };
    Read {
        job,
        facts,
        queries,
    }
}
