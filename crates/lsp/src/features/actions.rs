//! Changes of the text that answer a message.

use crate::document::Document;
use crate::language::Language;
use merkhet_syntax::{Diagnostic, Span};

/// A change that is offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// What is replaced, with what.
    pub edits: Vec<(Span, String)>,
    /// Whether it is the one to take where there are several.
    pub preferred: bool,
}

/// What may be done about a message.
pub fn fixes(document: &Document, message: &Diagnostic) -> Vec<Fix> {
    let mut found = Vec::new();
    let hint = message.hint.as_deref().unwrap_or("");
    let written = document.text.slice(message.span.start, message.span.end);
    let escape = |text: &str| match document.language {
        Language::Xml => text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;"),
        _ => text.to_owned(),
    };
    let mut replace = |title: String, span: Span, with: String, preferred| {
        found.push(Fix {
            title,
            edits: vec![(span, with)],
            preferred,
        });
    };
    if let Some(name) = quoted(hint, "did you mean `") {
        // The message may be about `P.name`; the name is then its end.
        let old = written.rsplit('.').next().unwrap_or(written);
        let start = message.span.end - old.len() as u32;
        let span = Span::new(message.span.file, start, message.span.end);
        replace(format!("Change to `{name}`"), span, escape(name), true);
    }
    if hint == "add a `;` here" || hint.contains("add a `;`") {
        let place = message
            .labels
            .first()
            .map_or(message.span, |(span, _)| *span);
        let at = end_of_word(document, place);
        replace(
            "Add `;`".into(),
            Span::new(place.file, at, at),
            ";".into(),
            true,
        );
    }
    if hint == "`=` assigns, `==` compares" || hint == "equality is written `=` in SMV" {
        let (old, new) = if hint.ends_with("SMV") {
            ("==", "=")
        } else {
            ("=", "==")
        };
        if let Some(at) = written.find(old) {
            let start = message.span.start + at as u32;
            let span = Span::new(message.span.file, start, start + old.len() as u32);
            replace(format!("Change to `{new}`"), span, new.into(), true);
        }
    }
    for (ctl, ours) in [("AG", "A[]"), ("AF", "A<>"), ("EF", "E<>"), ("EG", "E[]")] {
        if hint.starts_with(&format!("`{ctl} p` of CTL")) && written.starts_with(ctl) {
            let end = message.span.start + ctl.len() as u32;
            let span = Span::new(message.span.file, message.span.start, end);
            replace(format!("Write `{ours}`"), span, escape(ours), true);
        }
    }
    found.extend(of_lint(document, message));
    found
}

/// Lints whose advice is one word, or less.
fn of_lint(document: &Document, message: &Diagnostic) -> Option<Fix> {
    if !document.language.is_uppaal() {
        return None;
    }
    let index = document.index();
    let declared = || {
        let place = index.at(message.span.start)?;
        let definition = index.definition(place.definition)?;
        place.declares.then_some(definition)
    };
    match message.code {
        "variable-never-written" => {
            let whole = declared()?.whole;
            let alone = alone(document, whole);
            let initialised = document.text.slice(whole.start, whole.end).contains('=');
            let at = Span::new(whole.file, whole.start, whole.start);
            (alone && initialised).then(|| Fix {
                title: "Declare it `const`".into(),
                edits: vec![(at, "const ".into())],
                preferred: true,
            })
        }
        "variable-never-read" => {
            let whole = declared()?.whole;
            let at = Span::new(whole.file, whole.start, whole.start);
            alone(document, whole).then(|| Fix {
                title: "Declare it `meta`".into(),
                edits: vec![(at, "meta ".into())],
                preferred: false,
            })
        }
        "variable-unused" | "channel-unused" | "unused-function" => {
            let definition = declared()?;
            let whole = definition.whole;
            let used = index
                .places(index.at(message.span.start)?.definition)
                .count()
                > 1;
            if used || !(alone(document, whole) || message.code == "unused-function") {
                return None;
            }
            // With the line break, where nothing else stands on the line.
            let after = document
                .text
                .slice(whole.end, document.text.as_str().len() as u32);
            let breaks = u32::from(after.starts_with('\n'));
            Some(Fix {
                title: format!("Remove `{}`", definition.name),
                edits: vec![(
                    Span::new(whole.file, whole.start, whole.end + breaks),
                    String::new(),
                )],
                preferred: false,
            })
        }
        "channel-never-received" => {
            let whole = declared()?.whole;
            let text = document.text.slice(whole.start, whole.end);
            let at = whole.start + text.find("chan")? as u32;
            alone(document, whole).then(|| Fix {
                title: "Declare it `broadcast`".into(),
                edits: vec![(Span::new(whole.file, at, at), "broadcast ".into())],
                preferred: false,
            })
        }
        _ => None,
    }
}

/// Whether a declaration declares one name only.
fn alone(document: &Document, whole: Span) -> bool {
    let index = document.index();
    let same = index.definitions.iter().filter(|one| one.whole == whole);
    same.count() == 1
}

/// What stands between the mark and the next backquote.
fn quoted<'a>(hint: &'a str, mark: &str) -> Option<&'a str> {
    let start = hint.find(mark)? + mark.len();
    hint.get(start..)?
        .split('`')
        .next()
        .filter(|name| !name.is_empty())
}

/// The end of the last word before a place: where a missing `;` belongs.
fn end_of_word(document: &Document, place: Span) -> u32 {
    let before = document.text.slice(0, place.start);
    before.trim_end().len() as u32
}
