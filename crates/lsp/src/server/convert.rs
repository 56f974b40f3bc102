//! Our words in the protocol's.

use super::Client;
use crate::features::colours::{Colour, Coloured};
use crate::features::outline::Entry;
use crate::index::Kind;
use crate::text::{Place, Text};
use lsp_types::{
    CompletionItemKind, Diagnostic as Message, DiagnosticRelatedInformation, DiagnosticSeverity,
    DiagnosticTag, DocumentSymbol, Location, NumberOrString, Position, Range, SymbolKind, Uri,
};
use merkhet_syntax::{Diagnostic, Severity, Span};
use serde_json::{Value, json};

/// The sorts of coloured words, in the order of their numbers.
pub(super) const COLOURS: &[&str] = &[
    "namespace",
    "class",
    "enumMember",
    "variable",
    "parameter",
    "property",
    "function",
    "type",
    "event",
    "keyword",
    "number",
    "string",
    "comment",
    "macro",
];

/// The commands that clients may ask for.
pub(super) const COMMANDS: &[&str] = &[
    "merkhet.check",
    "merkhet.checkAll",
    "merkhet.cancel",
    "merkhet.showRun",
];

/// What the server can do.
pub(super) fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["."] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": { "resolveProvider": false },
        "inlayHintProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": COLOURS, "tokenModifiers": ["declaration", "readonly"] },
            "full": true,
        },
        "executeCommandProvider": { "commands": COMMANDS, "workDoneProgress": true },
    })
}

/// What the client can do.
pub(super) fn client(capabilities: &Value) -> Client {
    let can = |path: &str| capabilities.pointer(path).and_then(Value::as_bool) == Some(true);
    Client {
        shows_documents: can("/window/showDocument/support"),
        refreshes_lenses: can("/workspace/codeLens/refreshSupport"),
        refreshes_hints: can("/workspace/inlayHint/refreshSupport"),
        progress: can("/window/workDoneProgress"),
    }
}

pub(super) fn position(place: Place) -> Position {
    Position::new(place.line, place.column)
}

pub(super) fn range(text: &Text, span: Span) -> Range {
    Range::new(
        position(text.place(span.start)),
        position(text.place(span.end)),
    )
}

pub(super) fn diagnostic(message: &Diagnostic, text: &Text, uri: &Uri) -> Message {
    let related = (message.labels.iter())
        .filter(|(span, _)| span.file == message.span.file)
        .map(|(span, remark)| DiagnosticRelatedInformation {
            location: Location::new(uri.clone(), range(text, *span)),
            message: remark.clone(),
        });
    let related: Vec<_> = related.collect();
    let hint = message.hint.as_ref();
    let hint = hint.map_or(String::new(), |hint| format!("\n{hint}"));
    let unused = message.code.ends_with("-unused") || message.code.starts_with("unused-");
    Message {
        range: range(text, message.span),
        severity: Some(match message.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(message.code.into())),
        source: Some("merkhet".into()),
        message: format!("{}{hint}", message.message),
        related_information: (!related.is_empty()).then_some(related),
        tags: unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Message::default()
    }
}

pub(super) fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Template | Kind::Module => SymbolKind::CLASS,
        Kind::Instance => SymbolKind::OBJECT,
        Kind::Location => SymbolKind::ENUM_MEMBER,
        Kind::Branchpoint => SymbolKind::ENUM_MEMBER,
        Kind::Variable => SymbolKind::VARIABLE,
        Kind::Parameter => SymbolKind::VARIABLE,
        Kind::Constant | Kind::Value => SymbolKind::CONSTANT,
        Kind::Clock => SymbolKind::NUMBER,
        Kind::Channel => SymbolKind::EVENT,
        Kind::Type => SymbolKind::TYPE_PARAMETER,
        Kind::Lattice => SymbolKind::STRUCT,
        Kind::Function | Kind::Definition => SymbolKind::FUNCTION,
        Kind::Field => SymbolKind::FIELD,
        Kind::Label => SymbolKind::KEY,
    }
}

pub(super) fn item_kind(kind: Option<Kind>) -> CompletionItemKind {
    match kind {
        None => CompletionItemKind::KEYWORD,
        Some(Kind::Template | Kind::Module) => CompletionItemKind::CLASS,
        Some(Kind::Instance) => CompletionItemKind::MODULE,
        Some(Kind::Location | Kind::Branchpoint | Kind::Value) => CompletionItemKind::ENUM_MEMBER,
        Some(Kind::Constant) => CompletionItemKind::CONSTANT,
        Some(Kind::Channel | Kind::Label) => CompletionItemKind::EVENT,
        Some(Kind::Type | Kind::Lattice) => CompletionItemKind::STRUCT,
        Some(Kind::Function | Kind::Definition) => CompletionItemKind::FUNCTION,
        Some(Kind::Field) => CompletionItemKind::FIELD,
        Some(Kind::Variable | Kind::Clock | Kind::Parameter) => CompletionItemKind::VARIABLE,
    }
}

pub(super) fn symbol(entry: &Entry, text: &Text) -> DocumentSymbol {
    let children: Vec<_> = entry.children.iter().map(|one| symbol(one, text)).collect();
    #[allow(deprecated)]
    DocumentSymbol {
        name: match entry.name.is_empty() {
            true => "(no name)".into(),
            false => entry.name.clone(),
        },
        detail: Some(entry.detail.clone()),
        kind: symbol_kind(entry.kind),
        tags: None,
        deprecated: None,
        range: range(text, entry.whole),
        selection_range: range(text, entry.span),
        children: (!children.is_empty()).then_some(children),
    }
}

/// The number of a colour in [`COLOURS`].
fn colour(colour: Colour) -> u32 {
    let name = match colour {
        Colour::Name(kind) => match kind {
            Kind::Template | Kind::Module => "class",
            Kind::Instance => "namespace",
            Kind::Location | Kind::Branchpoint | Kind::Value => "enumMember",
            Kind::Variable | Kind::Clock | Kind::Constant => "variable",
            Kind::Channel | Kind::Label => "event",
            Kind::Type | Kind::Lattice => "type",
            Kind::Function => "function",
            Kind::Definition => "macro",
            Kind::Parameter => "parameter",
            Kind::Field => "property",
        },
        Colour::Keyword => "keyword",
        Colour::Number => "number",
        Colour::Text => "string",
        Colour::Comment => "comment",
    };
    let at = COLOURS.iter().position(|one| *one == name);
    at.unwrap_or(0) as u32
}

/// Coloured pieces as the protocol counts them: each relative to the one before, none over a line break.
pub(super) fn tokens(pieces: &[Coloured], text: &Text) -> Vec<u32> {
    let mut data = Vec::with_capacity(5 * pieces.len());
    let mut last = Place { line: 0, column: 0 };
    for piece in pieces {
        let mut start = piece.start;
        for line in text
            .slice(piece.start, piece.end)
            .split_inclusive(['\n', '\r'])
        {
            let letters = line.trim_end_matches(['\n', '\r']);
            let from = text.place(start);
            let length: usize = letters.chars().map(char::len_utf16).sum();
            start += line.len() as u32;
            if length == 0 {
                continue;
            }
            let column = match from.line == last.line {
                true => from.column - last.column,
                false => from.column,
            };
            let constant = matches!(piece.colour, Colour::Name(Kind::Constant));
            let modifiers = u32::from(piece.declares) + 2 * u32::from(constant);
            data.extend([from.line - last.line, column, length as u32]);
            data.extend([colour(piece.colour), modifiers]);
            last = from;
        }
    }
    data
}
