//! Texts that are opened, changed and closed, and what is found out about them.

use super::worker::{Job, Read, Source};
use super::{Open, Server, convert};
use crate::document::Document;
use crate::language::Language;
use crate::text::{Place, Text};
use lsp_server::Notification;
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, Position,
    PublishDiagnosticsParams, WorkDoneProgressCancelParams,
};
use merkhet_syntax::Diagnostic;
use serde::de::DeserializeOwned;
use std::rc::Rc;

impl Server {
    pub(super) fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => with(params, |one| self.opened(one)),
            "textDocument/didChange" => with(params, |one| self.changed(one)),
            "textDocument/didClose" => with(params, |one| self.closed(one)),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.read_all(),
            "window/workDoneProgress/cancel" => {
                with(params, |one: WorkDoneProgressCancelParams| {
                    if let lsp_types::NumberOrString::String(token) = one.token {
                        self.checks.cancel_token(&token);
                    }
                });
            }
            _ => {}
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let one = params.text_document;
        let uri = one.uri.as_str().to_owned();
        // A client may know better than the name says.
        let named = Language::of(&uri).or_else(|| Language::of(&format!("x.{}", one.language_id)));
        let language = named.or(match one.language_id.as_str() {
            "uppaal" | "timed-automata" => Some(Language::Xta),
            "uppaal-query" => Some(Language::Queries),
            _ => None,
        });
        let Some(language) = language else { return };
        let open = Open {
            document: Document::new(language, one.text),
            version: one.version,
            facts: None,
            asked: Vec::new(),
            messages: Vec::new(),
            read: None,
            places: None,
        };
        self.open.insert(uri.clone(), open);
        self.read(&uri);
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.as_str().to_owned();
        let Some(open) = self.open.get_mut(&uri) else {
            return;
        };
        open.version = params.text_document.version;
        open.places = None;
        open.document.edit(|text| {
            for change in params.content_changes {
                match change.range {
                    Some(range) => {
                        text.replace(place(range.start), place(range.end), &change.text);
                    }
                    None => *text = Text::new(change.text),
                }
            }
        });
        self.read(&uri);
    }

    fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.as_str().to_owned();
        self.open.remove(&uri);
        self.checks.forget(&uri);
        self.publish(&uri, None, &[]);
        // Queries beside it now mean what the file says.
        let queries: Vec<String> = (self.open.iter())
            .filter(|(_, open)| open.document.language == Language::Queries)
            .map(|(uri, _)| uri.clone())
            .collect();
        queries.iter().for_each(|uri| self.read(uri));
    }

    fn read_all(&mut self) {
        let all: Vec<String> = self.open.keys().cloned().collect();
        all.iter().for_each(|uri| self.read(uri));
    }

    /// Has a text read, with what stands beside it.
    fn read(&mut self, uri: &str) {
        let Some(open) = self.open.get(uri) else {
            return;
        };
        let language = open.document.language;
        let own = source(uri, open);
        let job = if language == Language::Queries {
            let model = self.beside(uri);
            Job {
                model: model
                    .and_then(|model| Some((Language::of(&model)?, self.source_of(&model)?))),
                queries: Some(own),
            }
        } else {
            let beside = uri.rsplit_once('.').map(|(stem, _)| format!("{stem}.q"));
            let queries = beside.filter(|beside| self.open.contains_key(beside));
            Job {
                model: Some((language, own)),
                queries: queries.and_then(|queries| self.source_of(&queries)),
            }
        };
        self.worker.take(job);
    }

    fn source_of(&mut self, uri: &str) -> Option<Source> {
        if let Some(open) = self.open.get(uri) {
            return Some(source(uri, open));
        }
        let document = self.load(uri)?;
        Some(Source {
            uri: uri.to_owned(),
            version: None,
            text: document.text.as_str().to_owned(),
        })
    }

    /// Takes in what was found out, unless the text has changed again.
    pub(super) fn was_read(&mut self, read: Read) {
        let Read {
            job,
            facts,
            queries,
        } = read;
        if let (Some((_, source)), Some(facts)) = (&job.model, facts)
            && let Some(open) = self.open.get_mut(&source.uri)
            && source.version == Some(open.version)
        {
            open.messages.clone_from(&facts.messages);
            open.asked.clone_from(&facts.queries);
            open.read = source.version;
            // While a model is broken, what was known of its values is better than nothing.
            if open.facts.is_none() || !facts.processes.is_empty() {
                open.facts = Some(Rc::new(facts));
            }
            let (messages, version) = (open.messages.clone(), open.version);
            self.publish(&source.uri, Some(version), &messages);
        }
        if let (Some(source), Some(queries)) = (&job.queries, queries)
            && let Some(open) = self.open.get_mut(&source.uri)
            && source.version == Some(open.version)
        {
            open.messages = queries.messages;
            open.asked = queries.queries;
            open.read = source.version;
            let (messages, version) = (open.messages.clone(), open.version);
            self.publish(&source.uri, Some(version), &messages);
        }
        self.refresh();
    }

    /// Asks the client to look again at what depends on more than its text.
    pub(super) fn refresh(&mut self) {
        if self.client.refreshes_lenses {
            self.ask("workspace/codeLens/refresh", ());
        }
        if self.client.refreshes_hints {
            self.ask("workspace/inlayHint/refresh", ());
        }
    }

    fn publish(&self, uri: &str, version: Option<i32>, messages: &[Diagnostic]) {
        let Ok(address) = uri.parse::<lsp_types::Uri>() else {
            return;
        };
        let text = self.open.get(uri).map(|open| &open.document.text);
        let shown = |message| Some(convert::diagnostic(message, text?, &address));
        let params = PublishDiagnosticsParams {
            diagnostics: messages.iter().filter_map(shown).collect(),
            uri: address.clone(),
            version,
        };
        self.notify("textDocument/publishDiagnostics", params);
    }
}

fn source(uri: &str, open: &Open) -> Source {
    Source {
        uri: uri.to_owned(),
        version: Some(open.version),
        text: open.document.text.as_str().to_owned(),
    }
}

pub(super) fn place(position: Position) -> Place {
    Place {
        line: position.line,
        column: position.character,
    }
}

/// Does something with the parameters of a notification, if they are what they should be.
fn with<T: DeserializeOwned>(params: serde_json::Value, work: impl FnOnce(T)) {
    if let Ok(params) = serde_json::from_value(params) {
        work(params);
    }
}
