//! Where blanks stand between two pieces of one line of UPPAAL's languages.

use super::page::Piece;
use merkhet_syntax::LexemeKind::{self, Keyword, Name, Number};

/// Words after which an operand follows, not an operator.
const BEFORE_OPERANDS: &[&str] = &["and", "or", "not", "imply", "return", "else", "do", "xor"];

/// Words that have a blank before their bracket, unlike a function.
const BEFORE_BRACKETS: &[&str] = &[
    "if", "for", "while", "forall", "exists", "sum", "return", "and", "or", "not", "imply", "xor",
    "else", "do", "guard", "assign", "assert",
];

/// Whether a piece ends an operand, so that what follows is an operator.
fn ends_operand(piece: &Piece<'_>) -> bool {
    match piece.kind {
        Name | Number | LexemeKind::String => !BEFORE_OPERANDS.contains(&piece.text),
        Keyword => matches!(piece.text, "true" | "false"),
        _ => matches!(piece.text, ")" | "]" | "'"),
    }
}

/// Whether `!` or `?` after an operand is the direction of a synchronisation.
pub(super) fn is_direction(
    piece: &Piece<'_>,
    before: Option<&Piece<'_>>,
    after: Option<&Piece<'_>>,
) -> bool {
    (piece.is("!") || piece.is("?"))
        && before.is_some_and(ends_operand)
        && after.is_none_or(|after| matches!(after.text, ";" | "," | "}") || after.is_comment())
}

/// Whether an operator stands before its only operand.
fn is_prefix(piece: &Piece<'_>, before: Option<&Piece<'_>>) -> bool {
    let sign = matches!(piece.text, "!" | "-" | "+" | "~" | "#" | "++" | "--");
    piece.kind == LexemeKind::Punctuation && sign && !before.is_some_and(ends_operand)
}

/// Whether a blank stands between `left` and `right`; `before` is what stands before `left`, `after` behind `right`.
pub(super) fn between(
    before: Option<&Piece<'_>>,
    left: &Piece<'_>,
    right: &Piece<'_>,
    after: Option<&Piece<'_>>,
) -> bool {
    if left.is_comment() || right.is_comment() {
        return true;
    }
    if is_prefix(left, before) {
        return false;
    }
    match right.text {
        ";" | "," | ")" | "]" | "." | "'" => return false,
        "++" | "--" if ends_operand(left) => return false,
        "!" | "?" if is_direction(right, Some(left), after) => return false,
        "(" => {
            let call = matches!(left.kind, Name) && !BEFORE_BRACKETS.contains(&left.text);
            return !(call || matches!(left.text, "(" | "[" | ")" | "]"));
        }
        "[" => {
            return matches!(left.kind, LexemeKind::Punctuation)
                && !matches!(left.text, ")" | "]" | "(" | "[");
        }
        // `E<>` and `A<>` are one sign.
        "<" if matches!(left.text, "E" | "A") && after.is_some_and(|after| after.is(">")) => {
            return false;
        }
        ">" if left.is("<") && before.is_some_and(|before| matches!(before.text, "E" | "A")) => {
            return false;
        }
        "&" if left.kind == Keyword && !ends_operand(left) => return true,
        // A parameter by reference keeps the side on which its author wrote the sign.
        "&" if right.adjacent && after.is_some_and(|after| !after.adjacent) => return false,
        _ => {}
    }
    match left.text {
        "(" | "[" | "." => false,
        "&" if before.is_some_and(|before| before.kind == Keyword && !ends_operand(before)) => {
            false
        }
        "&" if !left.adjacent && right.adjacent => false,
        _ => true,
    }
}
