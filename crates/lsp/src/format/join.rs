//! Lines of pieces.

use super::blanks::between;
use super::page::{Page, Piece};
use merkhet_syntax::{LexemeKind, lexemes};

/// Writes pieces one after the other; where their author broke the line, so do we, `step` blanks further in.
pub(super) fn statement(page: &mut Page, pieces: &[Piece<'_>], indent: usize, step: usize) {
    let mut depth = 0_usize;
    for (index, piece) in pieces.iter().enumerate() {
        let closes = matches!(piece.text, ")" | "]" | "}") && !piece.is_comment();
        if closes {
            depth = depth.saturating_sub(1);
        }
        let inner = match (depth, closes) {
            (0, true) => indent,
            (depth, _) => indent + step * depth.max(1),
        };
        if index > 0 && piece.breaks > 0 {
            page.end_line();
        }
        let margin = if index == 0 { indent } else { inner };
        if piece.is_comment() {
            page.comment(piece, margin);
        } else {
            page.put(piece.text, margin, blank(pieces, index));
        }
        if matches!(piece.text, "(" | "[" | "{") && !piece.is_comment() {
            depth += 1;
        }
    }
}

/// The pieces on one line.
pub(super) fn line(pieces: &[Piece<'_>]) -> String {
    let mut text = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 && blank(pieces, index) {
            text.push(' ');
        }
        text.push_str(piece.text);
    }
    text
}

/// Whether a blank stands before a piece.
pub(super) fn blank(pieces: &[Piece<'_>], index: usize) -> bool {
    let (Some(right), Some(left)) = (
        pieces.get(index),
        index.checked_sub(1).and_then(|left| pieces.get(left)),
    ) else {
        return index == 0;
    };
    let before = index.checked_sub(2).and_then(|before| pieces.get(before));
    between(before, left, right, pieces.get(index + 1)) || merges(left, right)
}

/// Whether two pieces would become others if nothing stood between them.
fn merges(left: &Piece<'_>, right: &Piece<'_>) -> bool {
    let safe = |text: &str| matches!(text, "(" | ")" | "[" | "]" | ";" | "," | "." | "{" | "}");
    if safe(left.text) && left.text != "." || safe(right.text) && right.text != "." {
        return false;
    }
    if left.kind == LexemeKind::Name && right.text == "." {
        return false;
    }
    let joined = format!("{}{}", left.text, right.text);
    let cut = lexemes(&joined);
    cut.len() != 2
        || cut
            .first()
            .is_none_or(|first| first.end as usize != left.text.len())
}
