//! The layout of SMV.

use super::page::{Page, Piece};
use merkhet_syntax::LexemeKind::{Keyword, Name, Number};

/// Blanks by which a section and the branches of a `case` are indented.
const STEP: usize = 2;

/// Sections that are lists of declarations.
const LISTS: &[&str] = &["VAR", "IVAR", "FROZENVAR", "DEFINE", "ASSIGN", "CONSTANTS"];

/// Sections that hold one formula, or the head of a module.
const LINES: &[&str] = &[
    "MODULE",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "PSLSPEC",
    "COMPUTE",
    "INVARSPEC",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "PRED",
    "MIRROR",
    "ISA",
];

/// Lays the pieces out.
pub(super) fn write(pieces: &[Piece<'_>]) -> String {
    let mut page = Page::new();
    // How many `case` are open, and whether the last section is a list.
    let (mut cases, mut list) = (0_usize, false);
    let mut first = true;
    for (index, piece) in pieces.iter().enumerate() {
        let section = LISTS.contains(&piece.text) || LINES.contains(&piece.text);
        if section && piece.kind == Keyword && cases == 0 {
            page.end_line();
            if piece.breaks > 1 {
                page.blank_line();
            }
            page.put(piece.text, 0, false);
            list = LISTS.contains(&piece.text);
            first = true;
            continue;
        }
        let margin = STEP + 2 * STEP * cases;
        if piece.is_comment() {
            // Above a section, a comment belongs to that.
            let margin = if above_section(&pieces[index..]) {
                0
            } else {
                margin
            };
            page.comment(piece, margin);
            continue;
        }
        if piece.breaks > 1 && (first || cases == 0) && ends_statement(pieces, index) {
            page.blank_line();
        }
        if first && list {
            page.end_line();
        }
        if piece.is("esac") {
            cases = cases.saturating_sub(1);
            page.end_line();
        }
        let begins = piece.breaks > 0 && !first;
        if begins || piece.breaks > 0 && list && ends_statement(pieces, index) {
            page.end_line();
        }
        let continued =
            usize::from(!ends_statement(pieces, index) && !piece.is("esac") && cases == 0);
        let margin = STEP + 2 * STEP * cases + STEP * continued * usize::from(list);
        page.put(piece.text, margin, blank(pieces, index));
        first = false;
        if piece.is("case") {
            cases += 1;
            if !pieces
                .get(index + 1)
                .is_some_and(|next| next.is_comment() && !next.is_own_line())
            {
                page.end_line();
            }
        }
        let closes = piece.is(";") && (list || cases > 0);
        let remark = pieces
            .get(index + 1)
            .is_some_and(|next| next.is_comment() && !next.is_own_line());
        if closes && !remark {
            page.end_line();
        }
    }
    page.finish()
}

/// Whether a section's keyword follows, with nothing but comments before it.
fn above_section(pieces: &[Piece<'_>]) -> bool {
    let next = pieces.iter().find(|piece| !piece.is_comment());
    next.is_none_or(|piece| {
        piece.kind == Keyword && (LISTS.contains(&piece.text) || LINES.contains(&piece.text))
    })
}

/// Whether a statement has ended before a piece.
fn ends_statement(pieces: &[Piece<'_>], index: usize) -> bool {
    let before = pieces[..index]
        .iter()
        .rev()
        .find(|piece| !piece.is_comment());
    before.is_none_or(|piece| {
        piece.is(";") || piece.is("case") || piece.kind == Keyword && LISTS.contains(&piece.text)
    })
}

fn ends_operand(piece: &Piece<'_>) -> bool {
    matches!(piece.kind, Name | Number)
        || matches!(
            piece.text,
            ")" | "]" | "}" | "TRUE" | "FALSE" | "self" | "esac"
        )
}

/// Whether a blank stands before a piece.
fn blank(pieces: &[Piece<'_>], index: usize) -> bool {
    let (Some(left), Some(right)) = (
        index.checked_sub(1).and_then(|left| pieces.get(left)),
        pieces.get(index),
    ) else {
        return false;
    };
    let before = index.checked_sub(2).and_then(|before| pieces.get(before));
    wanted(before, left, right) || merges(left, right)
}

fn wanted(before: Option<&Piece<'_>>, left: &Piece<'_>, right: &Piece<'_>) -> bool {
    if left.is_comment() || right.is_comment() {
        return true;
    }
    let sign = matches!(left.text, "-" | "+" | "!");
    if sign && left.kind != Name && (left.is("!") || !before.is_some_and(ends_operand)) {
        return false;
    }
    match right.text {
        ";" | "," | ")" | "]" | "}" | "." | ".." => return false,
        // A function, an instance or an index; a quantifier of paths keeps its bracket too.
        "(" => {
            return !(left.kind == Name
                || is_function(left)
                || matches!(left.text, "(" | "[" | "{" | "next" | "init" | "EX"));
        }
        "[" => {
            return !(matches!(left.kind, Name)
                || matches!(left.text, "E" | "A" | "]" | ")" | "[" | "(" | "word"));
        }
        _ => {}
    }
    !matches!(left.text, "(" | "[" | "{" | "." | "..")
}

fn is_function(piece: &Piece<'_>) -> bool {
    matches!(
        piece.text,
        "bool"
            | "word1"
            | "signed"
            | "unsigned"
            | "extend"
            | "resize"
            | "toint"
            | "sizeof"
            | "uwconst"
            | "swconst"
            | "count"
            | "abs"
            | "max"
            | "min"
    )
}

/// Whether two pieces would become others, or a comment, if nothing stood between them.
fn merges(left: &Piece<'_>, right: &Piece<'_>) -> bool {
    let joined = format!("{}{}", left.text, right.text);
    let cut = merkhet_smv::lexemes(&joined);
    cut.len() != 2
        || cut
            .first()
            .is_none_or(|first| first.end as usize != left.text.len())
}
