//! Requests and their answers.

use super::sync::place;
use super::{Server, convert};
use crate::features::{actions, colours, completion, hints, hover, outline, rename};
use crate::index::{DefinitionId, Index, Reference, place as place_at};
use crate::language::Language;
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeLensParams,
    CompletionItem, CompletionParams, DocumentFormattingParams, DocumentHighlight,
    DocumentSymbolParams, ExecuteCommandParams, GotoDefinitionParams, Hover, HoverContents,
    HoverParams, InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, Location,
    MarkupContent, MarkupKind, Position, PrepareRenameResponse, Range, ReferenceParams,
    RenameParams, SemanticTokensParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
    WorkspaceSymbolParams,
};
use merkhet_syntax::Span;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// An answer, or a sentence for the person who asked.
type Answer = Result<Value, String>;

impl Server {
    /// Answers a request; a bug in the answer must not end the server.
    pub(super) fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
        let failed =
            |code: ErrorCode, message: String| Response::new_err(id.clone(), code as i32, message);
        let response = match answer {
            Ok(Some(Ok(value))) => Response::new_ok(id, value),
            Ok(Some(Err(message))) => failed(ErrorCode::RequestFailed, message),
            Ok(None) => failed(ErrorCode::MethodNotFound, "not supported".into()),
            Err(_) => failed(
                ErrorCode::InternalError,
                "internal error: please report it, with the text if you can".into(),
            ),
        };
        self.send(response);
    }

    fn answer(&mut self, request: Request) -> Option<Answer> {
        let Request { method, params, .. } = request;
        Some(match method.as_str() {
            "textDocument/hover" => with(params, |one| self.hover(one)),
            "textDocument/completion" => with(params, |one| self.complete(one)),
            "textDocument/definition" => with(params, |one| self.define(one)),
            "textDocument/references" => with(params, |one| self.uses(one)),
            "textDocument/documentHighlight" => with(params, |one| self.highlight(one)),
            "textDocument/prepareRename" => with(params, |one| self.prepare_rename(one)),
            "textDocument/rename" => {
                return Some(parsed(params).and_then(|one| self.rename(one)));
            }
            "textDocument/documentSymbol" => with(params, |one| self.outline(one)),
            "workspace/symbol" => with(params, |one| self.symbols(one)),
            "textDocument/semanticTokens/full" => with(params, |one| self.colours(one)),
            "textDocument/formatting" => {
                return Some(parsed(params).and_then(|one| self.format(one)));
            }
            "textDocument/codeAction" => with(params, |one| self.actions(one)),
            "textDocument/codeLens" => with(params, |one: CodeLensParams| {
                self.lenses(one.text_document.uri.as_str())
            }),
            "textDocument/inlayHint" => with(params, |one| self.hints(one)),
            "workspace/executeCommand" => {
                return Some(parsed(params).and_then(|one: ExecuteCommandParams| {
                    self.command(&one.command, &one.arguments)
                }));
            }
            _ => return None,
        })
    }

    /// What stands at a place: the index that its names belong to, the offset, and what is named there.
    fn at(&mut self, uri: &str, position: Position) -> Option<(Rc<Index>, u32, Option<Reference>)> {
        let offset = self.open.get(uri)?.document.text.offset(place(position));
        let (index, places) = self.names(uri).unwrap_or_default();
        let found = place_at(&places, offset);
        Some((index, offset, found))
    }

    fn hover(&mut self, params: HoverParams) -> Option<Hover> {
        let one = params.text_document_position_params;
        let uri = one.text_document.uri.as_str();
        let (index, offset, found) = self.at(uri, one.position)?;
        let model = self.model_of(uri).unwrap_or_default();
        let facts = self.open.get(&model).and_then(|open| open.facts.clone());
        let document = &self.open.get(uri)?.document;
        let shown = hover::hover(document, offset, found, &index, facts.as_deref())?;
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: shown.markdown,
            }),
            range: Some(convert::range(&document.text, shown.span)),
        })
    }

    fn complete(&mut self, params: CompletionParams) -> Option<Vec<CompletionItem>> {
        let one = params.text_document_position;
        let uri = one.text_document.uri.as_str();
        let (index, offset, _) = self.at(uri, one.position)?;
        let document = &self.open.get(uri)?.document;
        let items = completion::complete(document, offset, &index);
        let shown = items
            .into_iter()
            .enumerate()
            .map(|(rank, item)| CompletionItem {
                kind: Some(convert::item_kind(item.kind)),
                detail: Some(item.detail),
                sort_text: Some(format!("{}{rank:05}", u8::from(item.kind.is_none()))),
                label: item.label,
                ..CompletionItem::default()
            });
        Some(shown.collect())
    }

    /// Places of a definition in the texts of its model, with their addresses.
    fn locations(
        &mut self,
        uri: &str,
        id: DefinitionId,
        filter: impl Fn(&Reference) -> bool,
    ) -> Option<Vec<(String, Span, Range)>> {
        let model = self.model_of(uri)?;
        let mut texts = vec![model.clone()];
        let queries = model.rsplit_once('.').map(|(stem, _)| format!("{stem}.q"));
        texts.extend(queries.filter(|queries| self.open.contains_key(queries)));
        let mut found = Vec::new();
        for text in texts {
            let places = match self.open.contains_key(&text) {
                true => self.names(&text)?.1,
                false => Rc::new(self.index_of(&text)?.references.clone()),
            };
            let wanted = places
                .iter()
                .filter(|one| one.definition == id && filter(one));
            let spans: Vec<Span> = wanted.map(|one| one.span).collect();
            let closed = (!self.open.contains_key(&text))
                .then(|| self.load(&text))
                .flatten();
            for span in spans {
                let range = match &closed {
                    Some(document) => convert::range(&document.text, span),
                    None => convert::range(&self.open.get(&text)?.document.text, span),
                };
                found.push((text.clone(), span, range));
            }
        }
        Some(found)
    }

    fn define(&mut self, params: GotoDefinitionParams) -> Option<Vec<Location>> {
        let one = params.text_document_position_params;
        let uri = one.text_document.uri.as_str();
        let (index, _, found) = self.at(uri, one.position)?;
        let id = found?.definition;
        // What a lattice of the library declares is shown where it is imported.
        let span = index.definition(id)?.span;
        let model = self.model_of(uri)?;
        let range = match self.open.get(&model) {
            Some(open) => convert::range(&open.document.text, span),
            None => convert::range(&self.load(&model)?.text, span),
        };
        Some(vec![Location::new(model.parse().ok()?, range)])
    }

    fn uses(&mut self, params: ReferenceParams) -> Option<Vec<Location>> {
        let one = params.text_document_position;
        let uri = one.text_document.uri.as_str();
        let (_, _, found) = self.at(uri, one.position)?;
        let declared = params.context.include_declaration;
        let places = self.locations(uri, found?.definition, |one| declared || !one.declares)?;
        let location =
            |(uri, _, range): (String, Span, Range)| Some(Location::new(uri.parse().ok()?, range));
        places.into_iter().map(location).collect()
    }

    fn highlight(&mut self, params: TextDocumentPositionParams) -> Option<Vec<DocumentHighlight>> {
        let uri = params.text_document.uri.as_str();
        let (_, _, found) = self.at(uri, params.position)?;
        let places = self.locations(uri, found?.definition, |one| one.by_name)?;
        let own = places.into_iter().filter(|(one, _, _)| one == uri);
        Some(
            own.map(|(_, _, range)| DocumentHighlight { range, kind: None })
                .collect(),
        )
    }

    fn prepare_rename(
        &mut self,
        params: TextDocumentPositionParams,
    ) -> Option<PrepareRenameResponse> {
        let uri = params.text_document.uri.as_str();
        let (index, _, found) = self.at(uri, params.position)?;
        let found = found.filter(|one| one.by_name)?;
        let declared = index
            .places(found.definition)
            .any(|one| one.declares && one.by_name);
        let range = convert::range(&self.open.get(uri)?.document.text, found.span);
        let placeholder = index.definition(found.definition)?.name.clone();
        declared.then_some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
    }

    fn rename(&mut self, params: RenameParams) -> Answer {
        let one = params.text_document_position;
        let uri = one.text_document.uri.as_str();
        let at = self.at(uri, one.position);
        let (index, _, found) = at.ok_or("this text is not open")?;
        let id = found.ok_or("there is no name here")?.definition;
        let language = self.model_of(uri).and_then(|model| Language::of(&model));
        let language = language.unwrap_or(Language::Xta);
        if let Some(why) = rename::refused(language, &index, id, &params.new_name) {
            return Err(why);
        }
        let places = self
            .locations(uri, id, |one| one.by_name)
            .unwrap_or_default();
        let mut changes: HashMap<String, Vec<TextEdit>> = HashMap::new();
        for (uri, _, range) in places {
            let edit = TextEdit::new(range, params.new_name.clone());
            changes.entry(uri).or_default().push(edit);
        }
        Ok(json!({ "changes": changes }))
    }

    fn outline(&mut self, params: DocumentSymbolParams) -> Option<Value> {
        let open = self.open.get(params.text_document.uri.as_str())?;
        let text = &open.document.text;
        let entries = outline::outline(open.document.index());
        let symbols: Vec<_> = entries
            .iter()
            .map(|one| convert::symbol(one, text))
            .collect();
        serde_json::to_value(symbols).ok()
    }

    #[allow(deprecated)]
    fn symbols(
        &mut self,
        params: WorkspaceSymbolParams,
    ) -> Option<Vec<lsp_types::SymbolInformation>> {
        const MOST: usize = 500;
        let wanted = params.query.to_lowercase();
        let mut found = Vec::new();
        for (uri, open) in &self.open {
            let index = open.document.index();
            for place in index.references.iter().filter(|one| one.declares) {
                let Some(one) = index.definition(place.definition) else {
                    continue;
                };
                if one.name.to_lowercase().contains(&wanted) && found.len() < MOST {
                    let range = convert::range(&open.document.text, place.span);
                    let owner = one.owner.and_then(|owner| index.definition(owner));
                    found.push(lsp_types::SymbolInformation {
                        name: one.name.clone(),
                        kind: convert::symbol_kind(one.kind),
                        tags: None,
                        deprecated: None,
                        location: Location::new(uri.parse().ok()?, range),
                        container_name: owner.map(|owner| owner.name.clone()),
                    });
                }
            }
        }
        Some(found)
    }

    fn colours(&mut self, params: SemanticTokensParams) -> Option<Value> {
        let uri = params.text_document.uri.as_str();
        let (index, places) = self.names(uri).unwrap_or_default();
        let document = &self.open.get(uri)?.document;
        let pieces = colours::colours(document, &places, &index);
        Some(json!({ "data": convert::tokens(&pieces, &document.text) }))
    }

    fn format(&mut self, params: DocumentFormattingParams) -> Answer {
        let open = self.open.get(params.text_document.uri.as_str());
        let text = &open.ok_or("this text is not open")?.document;
        let written = crate::format::format(text.language, text.text.as_str());
        let written = written.map_err(|why| why.to_string())?;
        if written == text.text.as_str() {
            return Ok(json!([]));
        }
        let range = Range::new(Position::new(0, 0), convert::position(text.text.end()));
        Ok(json!([TextEdit::new(range, written)]))
    }

    fn actions(&mut self, params: CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
        let uri = &params.text_document.uri;
        let open = self.open.get(uri.as_str())?;
        // Messages of an older text stand elsewhere.
        if open.read != Some(open.version) {
            return Some(Vec::new());
        }
        let text = &open.document.text;
        let start = text.offset(place(params.range.start));
        let end = text.offset(place(params.range.end));
        let near = open
            .messages
            .iter()
            .filter(|one| one.span.start <= end && start <= one.span.end);
        let mut found = Vec::new();
        for message in near {
            for fix in actions::fixes(&open.document, message) {
                let edits = fix.edits.into_iter();
                let edits =
                    edits.map(|(span, with)| TextEdit::new(convert::range(text, span), with));
                found.push(CodeActionOrCommand::CodeAction(CodeAction {
                    title: fix.title,
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![convert::diagnostic(message, text, uri)]),
                    edit: Some(workspace_edit(uri, edits.collect())),
                    is_preferred: fix.preferred.then_some(true),
                    ..CodeAction::default()
                }));
            }
        }
        Some(found)
    }

    fn hints(&mut self, params: InlayHintParams) -> Option<Vec<InlayHint>> {
        let open = self.open.get(params.text_document.uri.as_str())?;
        let text = &open.document.text;
        // Values that were found in an older text may stand elsewhere.
        let facts = open
            .facts
            .as_deref()
            .filter(|_| open.read == Some(open.version));
        let (start, end) = (
            text.offset(place(params.range.start)),
            text.offset(place(params.range.end)),
        );
        let shown = hints::hints(&open.document, facts).into_iter();
        let shown = shown.filter(|hint| start <= hint.offset && hint.offset <= end);
        let hint = |hint: hints::Hint| InlayHint {
            position: convert::position(text.place(hint.offset)),
            label: InlayHintLabel::String(hint.label),
            kind: Some(match hint.before {
                true => InlayHintKind::PARAMETER,
                false => InlayHintKind::TYPE,
            }),
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        };
        Some(shown.map(hint).collect())
    }
}

#[allow(clippy::mutable_key_type)] // the address is not changed
fn workspace_edit(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit {
        changes: Some(HashMap::from([(uri.clone(), edits)])),
        ..WorkspaceEdit::default()
    }
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

fn with<T: DeserializeOwned, A: Serialize>(
    params: Value,
    work: impl FnOnce(T) -> Option<A>,
) -> Answer {
    let answer = work(parsed(params)?);
    serde_json::to_value(answer).map_err(|error| error.to_string())
}
