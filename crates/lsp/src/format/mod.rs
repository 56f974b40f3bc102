//! A stable formatter for XTA, TA, SMV, and for the declarations inside XML.
//!
//! It moves blanks and line breaks and nothing else: what it writes has the same words, punctuation and comments in the
//! same order, which is compared before anything is returned. So the text means what it meant.

mod blanks;
mod join;
mod page;
mod smv;
mod xml;
mod xta;

use crate::language::Language;
use merkhet_syntax::{Lexeme, LexemeKind};

/// The longest line that short clauses are joined to.
const WIDTH: usize = 100;

/// Why a text was not formatted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unformatted {
    /// There is no formatter for its language.
    Language,
    /// It could not be read; the message is the first error's.
    Broken(String),
    /// The result would not have been the same text; a bug.
    Changed,
}

impl std::fmt::Display for Unformatted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unformatted::Language => {
                f.write_str("only XML, XTA, TA and SMV models can be formatted")
            }
            Unformatted::Broken(message) => {
                write!(f, "it cannot be read, so it stays as it is: {message}")
            }
            Unformatted::Changed => f.write_str(
                "internal error: the formatted text would not be the same model; please report it",
            ),
        }
    }
}

/// The text in its standard form.
pub fn format(language: Language, text: &str) -> Result<String, Unformatted> {
    if let Some(message) = broken(language, text) {
        return Err(Unformatted::Broken(message));
    }
    match language {
        Language::Xta | Language::Ta => uppaal(text),
        Language::Smv => smv(text),
        Language::Xml => xml::format(text),
        Language::Tck | Language::Queries => Err(Unformatted::Language),
    }
}

/// The first error of a text that cannot be read.
fn broken(language: Language, text: &str) -> Option<String> {
    let messages = match language {
        Language::Smv => merkhet_smv::read_smv(text).1,
        Language::Tck | Language::Queries => return None,
        _ => merkhet_syntax::read_model(language.extension(), text.as_bytes()).1,
    };
    let first = messages.into_iter().find(|message| message.is_error())?;
    Some(first.message)
}

/// XTA or TA, or a block of declarations.
fn uppaal(text: &str) -> Result<String, Unformatted> {
    let pieces = page::pieces(text, &merkhet_syntax::lexemes(text));
    let written = xta::write(&pieces);
    same(text, &written, merkhet_syntax::lexemes)?;
    Ok(written)
}

fn smv(text: &str) -> Result<String, Unformatted> {
    let pieces = page::pieces(text, &merkhet_smv::lexemes(text));
    let written = smv::write(&pieces);
    same(text, &written, merkhet_smv::lexemes)?;
    Ok(written)
}

/// Whether two texts consist of the same lexemes.
fn same(before: &str, after: &str, cut: fn(&str) -> Vec<Lexeme>) -> Result<(), Unformatted> {
    let (old, new) = (cut(before), cut(after));
    let equal = old.len() == new.len()
        && old.iter().zip(&new).all(|(old, new)| {
            old.kind == new.kind
                && old.kind != LexemeKind::Stray
                && alike(old, old.text(before), new.text(after))
        });
    equal.then_some(()).ok_or(Unformatted::Changed)
}

/// Comments may be moved to the right or left as a whole, and lose blanks at the ends of lines.
fn alike(lexeme: &Lexeme, old: &str, new: &str) -> bool {
    if !lexeme.is_comment() {
        return old == new;
    }
    let mut lines = old.lines().map(str::trim);
    let mut others = new.lines().map(str::trim);
    loop {
        match (lines.next(), others.next()) {
            (None, None) => return true,
            (old, new) if old == new => {}
            _ => return false,
        }
    }
}
