//! The language server: one loop that answers requests, a thread that reads models, a process for each check.

mod check;
mod convert;
mod lenses;
mod queue;
mod requests;
mod sync;
mod uri;
mod worker;

use crate::document::Document;
use crate::facts::{Asked, Facts};
use crate::index::{Index, Reference};
use crate::language::Language;
use check::Checks;
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use merkhet_syntax::Diagnostic;
use queue::Queue;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use worker::{Read, Worker};

/// What the server is told when it starts.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program whose `check` decides queries.
    pub program: PathBuf,
    /// Its version.
    pub version: String,
}

/// What other threads report.
enum Event {
    /// A model has been read.
    Read(Box<Read>),
    /// A check has ended.
    Checked(check::Ended),
}

/// A text that the client has opened.
struct Open {
    document: Document,
    version: i32,
    /// What was known when the text was read last; names may have moved since.
    facts: Option<Rc<Facts>>,
    /// Its queries, as of the version that was read last.
    asked: Vec<Asked>,
    /// Its messages, as of the same version.
    messages: Vec<Diagnostic>,
    /// That version.
    read: Option<i32>,
    /// Where a file of queries names its model's definitions; with the index that they belong to.
    places: Option<(Rc<Index>, Rc<Vec<Reference>>)>,
}

/// The server's state.
struct Server {
    sender: Sender<Message>,
    events: Sender<Event>,
    open: HashMap<String, Open>,
    /// Models that are not open, which a file of queries belongs to.
    closed: HashMap<String, (std::time::SystemTime, Rc<Document>)>,
    worker: Worker,
    checks: Checks,
    options: Options,
    client: Client,
    /// The number of the next request of ours.
    asked: i32,
}

/// What the client can do.
#[derive(Clone, Copy, Default)]
struct Client {
    shows_documents: bool,
    refreshes_lenses: bool,
    refreshes_hints: bool,
    progress: bool,
}

/// Serves on standard input and output until the client says goodbye; the error is a sentence.
pub fn run(options: Options) -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    serve(connection, options)?;
    threads.join().map_err(|error| error.to_string())
}

/// Serves a connection until the client says goodbye.
pub fn serve(connection: Connection, options: Options) -> Result<(), String> {
    let (id, asked) = connection
        .initialize_start()
        .map_err(|error| error.to_string())?;
    let capabilities = asked.get("capabilities").cloned().unwrap_or_default();
    let client = convert::client(&capabilities);
    let info = serde_json::json!({
        "capabilities": convert::capabilities(),
        "serverInfo": { "name": "merkhet", "version": options.version },
    });
    connection
        .initialize_finish(id, info)
        .map_err(|error| error.to_string())?;
    let (events, reports) = unbounded();
    let mut server = Server {
        sender: connection.sender.clone(),
        worker: Worker::start(events.clone()),
        events,
        open: HashMap::new(),
        closed: HashMap::new(),
        checks: Checks::new(asked.get("initializationOptions")),
        options,
        client,
        asked: 0,
    };
    server.work(&connection, &reports);
    Ok(())
}

impl Server {
    /// Answers until the client says goodbye or goes away.
    fn work(&mut self, connection: &Connection, reports: &Receiver<Event>) {
        let mut queue = Queue::default();
        loop {
            while let Some(message) = queue.next(&connection.receiver, &self.sender) {
                match message {
                    Message::Request(request) => {
                        // After this only `exit` counts, and it is waited for there.
                        if connection.handle_shutdown(&request).unwrap_or(true) {
                            return;
                        }
                        self.request(request);
                    }
                    Message::Notification(one) if one.method == "exit" => return,
                    Message::Notification(one) => self.notification(one),
                    Message::Response(_) => {}
                }
            }
            select! {
                recv(connection.receiver) -> message => match message {
                    Ok(message) => queue.push(message),
                    Err(_) => return,
                },
                recv(reports) -> event => match event {
                    Ok(Event::Read(read)) => self.was_read(*read),
                    Ok(Event::Checked(ended)) => self.was_checked(ended),
                    Err(_) => return,
                },
            }
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that went away is noticed where messages are received.
        let _ = self.sender.send(message.into());
    }

    fn notify(&self, method: &str, params: impl serde::Serialize) {
        self.send(Notification::new(method.to_owned(), params));
    }

    /// Asks the client for something; answers are not waited for.
    fn ask(&mut self, method: &str, params: impl serde::Serialize) {
        self.asked += 1;
        let id = RequestId::from(format!("merkhet-{}", self.asked));
        self.send(Request::new(id, method.to_owned(), params));
    }

    /// The model that a text belongs to: itself, or that beside a file of queries.
    fn model_of(&mut self, uri: &str) -> Option<String> {
        match self.open.get(uri)?.document.language {
            Language::Queries => self.beside(uri),
            _ => Some(uri.to_owned()),
        }
    }

    /// The model beside a file of queries, open or in the folder.
    fn beside(&mut self, uri: &str) -> Option<String> {
        let stem = uri.strip_suffix(".q")?;
        let endings = ["xml", "xta", "ta", "smv", "tck"];
        let candidates: Vec<String> = endings.iter().map(|one| format!("{stem}.{one}")).collect();
        let open = candidates.iter().find(|one| self.open.contains_key(*one));
        if let Some(open) = open {
            return Some(open.clone());
        }
        candidates.into_iter().find(|one| self.load(one).is_some())
    }

    /// A model that is not open, read from its file unless it is known and has not changed.
    fn load(&mut self, uri: &str) -> Option<Rc<Document>> {
        let path = uri::path(uri)?;
        let changed = std::fs::metadata(&path).ok()?.modified().ok()?;
        if let Some((known, document)) = self.closed.get(uri)
            && *known == changed
        {
            return Some(Rc::clone(document));
        }
        let bytes = std::fs::read(&path).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let document = Rc::new(Document::new(Language::of(uri)?, text));
        self.closed
            .insert(uri.to_owned(), (changed, Rc::clone(&document)));
        Some(document)
    }

    /// The index of a model that is open or can be read.
    fn index_of(&mut self, uri: &str) -> Option<Rc<Index>> {
        if let Some(open) = self.open.get(uri) {
            return Some(Rc::clone(open.document.index()));
        }
        Some(Rc::clone(self.load(uri)?.index()))
    }

    /// The index that the names of a text belong to, and where the text names what.
    fn names(&mut self, uri: &str) -> Option<(Rc<Index>, Rc<Vec<Reference>>)> {
        if self.open.get(uri)?.document.language != Language::Queries {
            let index = Rc::clone(self.open.get(uri)?.document.index());
            let places = Rc::new(index.references.clone());
            return Some((index, places));
        }
        let model = self.beside(uri)?;
        let index = self.index_of(&model)?;
        let open = self.open.get_mut(uri)?;
        if let Some((of, places)) = &open.places
            && Rc::ptr_eq(of, &index)
        {
            return Some((index, Rc::clone(places)));
        }
        let language = Language::of(&model)?;
        let places = Rc::new(index.of_queries(language, open.document.text.as_str()));
        open.places = Some((Rc::clone(&index), Rc::clone(&places)));
        Some((index, places))
    }
}
