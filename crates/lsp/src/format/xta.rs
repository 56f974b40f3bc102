//! The layout of XTA, TA and declarations.

use super::WIDTH;
use super::join::{line, statement};
use super::page::{Page, Piece};

/// Blanks by which a block is indented.
const STEP: usize = 4;

/// Lays the pieces out.
pub(super) fn write(pieces: &[Piece<'_>]) -> String {
    let mut writer = Writer {
        pieces,
        at: 0,
        page: Page::new(),
    };
    while writer.at < pieces.len() {
        writer.body(0, true);
        // A bracket too many; texts that could be read have none.
        if let Some(piece) = writer.next() {
            writer.page.put(piece.text, 0, true);
        }
    }
    writer.page.finish()
}

struct Writer<'p, 'a> {
    pieces: &'p [Piece<'a>],
    at: usize,
    page: Page,
}

impl<'p, 'a> Writer<'p, 'a> {
    fn peek(&self) -> Option<&'p Piece<'a>> {
        self.pieces.get(self.at)
    }

    fn next(&mut self) -> Option<&'p Piece<'a>> {
        let piece = self.pieces.get(self.at);
        self.at += 1;
        piece
    }

    /// Statements up to the `}` that closes the block. `clauses`: `state`, `trans` and the like mean something.
    fn body(&mut self, indent: usize, clauses: bool) {
        while let Some(piece) = self.peek() {
            if piece.is("}") {
                return;
            }
            if piece.is_comment() {
                if piece.is_own_line() || self.page.is_fresh() {
                    self.new_line(piece);
                }
                self.page.comment(piece, indent);
                self.at += 1;
                continue;
            }
            self.new_line(piece);
            let word = piece.text;
            let named = self.pieces.get(self.at + 1).is_some_and(|next| {
                next.kind == merkhet_syntax::LexemeKind::Name || next.is_comment() || next.is("->")
            });
            match word {
                "state" if clauses && named => self.states(indent),
                "trans" if clauses && named => self.edges(indent),
                _ => self.statement(indent),
            }
        }
    }

    /// Begins a line for a piece, with an empty one before it if its author left one.
    fn new_line(&mut self, piece: &Piece<'_>) {
        self.page.end_line();
        if piece.breaks > 1 {
            self.page.blank_line();
        }
    }

    /// A statement or declaration, up to its `;` or with its blocks.
    fn statement(&mut self, indent: usize) {
        let start = self.at;
        let mut brackets = 0_usize;
        let mut values = 0_usize;
        let clauses = self.peek().is_some_and(|piece| piece.is("process"));
        while let Some(piece) = self.peek() {
            if piece.is_comment() {
                self.at += 1;
                continue;
            }
            match piece.text {
                "(" | "[" => brackets += 1,
                ")" | "]" => brackets = brackets.saturating_sub(1),
                "{" if values > 0 || brackets > 0 || self.is_value(start) => values += 1,
                "{" => {
                    let head = self.cut(start);
                    statement(&mut self.page, head, indent, STEP);
                    self.block(indent, clauses);
                    return self.after_block(start, indent);
                }
                "}" if values > 0 => values -= 1,
                "}" => break,
                ";" if brackets == 0 && values == 0 => {
                    self.at += 1;
                    break;
                }
                _ => {}
            }
            self.at += 1;
        }
        // Comments before a `}` are the block's.
        while self.at > start + 1
            && self.peek().is_some_and(|piece| piece.is("}"))
            && self.pieces.get(self.at - 1).is_some_and(Piece::is_own_line)
        {
            self.at -= 1;
        }
        let whole = self.cut(start);
        statement(&mut self.page, whole, indent, STEP);
    }

    fn cut(&self, start: usize) -> &'p [Piece<'a>] {
        let end = self.at.min(self.pieces.len());
        self.pieces.get(start..end).unwrap_or(&[])
    }

    /// Whether the `{` here begins a list of values: `=` stands before it.
    fn is_value(&self, start: usize) -> bool {
        let before = self.cut(start).iter().rev();
        let last = before.clone().find(|piece| !piece.is_comment());
        last.is_some_and(|piece| piece.is("=") || piece.is(":="))
    }

    /// `{ … }` with a statement a line.
    fn block(&mut self, indent: usize, clauses: bool) {
        let begins = self.page.is_fresh();
        if let Some(open) = self.next() {
            self.page.put(open.text, indent, !begins);
        }
        if self.peek().is_some_and(|piece| piece.is("}")) {
            self.page.put("}", indent, true);
            self.at += 1;
            return;
        }
        // What is said behind the bracket stays behind it.
        while let Some(comment) = self
            .peek()
            .filter(|piece| piece.is_comment() && !piece.is_own_line())
        {
            self.page.comment(comment, indent + STEP);
            self.at += 1;
        }
        self.page.end_line();
        self.body(indent + STEP, clauses);
        self.page.end_line();
        self.page.no_blank_line();
        if let Some(close) = self.next() {
            self.page.put(close.text, indent, false);
        }
    }

    /// What may follow the `}` of a block on its line.
    fn after_block(&mut self, start: usize, indent: usize) {
        let Some(piece) = self.peek() else { return };
        let first = self.pieces.get(start);
        let loops = first.is_some_and(|first| first.is("do"));
        let typed = self
            .cut(start)
            .iter()
            .take(8)
            .any(|piece| piece.is("struct"));
        let goes_on = piece.is("else") || loops && piece.is("while") || typed && !piece.is("}");
        if piece.is(";") {
            self.page.put(";", indent, false);
            self.at += 1;
        } else if goes_on && !piece.is_comment() {
            self.statement_after(indent);
        }
    }

    /// The rest of a statement that goes on behind a block.
    fn statement_after(&mut self, indent: usize) {
        let start = self.at;
        let Some(first) = self.peek() else { return };
        self.page.put(first.text, indent, true);
        self.at += 1;
        // `else` begins a statement of its own on the same line.
        if first.is("else") {
            match self.peek() {
                Some(piece) if piece.is("{") => {
                    self.block(indent, false);
                    return self.after_block(start, indent);
                }
                Some(piece) if piece.breaks > 0 && !piece.is_comment() => {
                    self.page.end_line();
                    return self.statement(indent + STEP);
                }
                _ => return self.rest(indent),
            }
        }
        self.rest(indent);
    }

    /// A statement whose line has been begun.
    fn rest(&mut self, indent: usize) {
        let Some(piece) = self.peek() else { return };
        if piece.is(";") || piece.is(",") || piece.is("[") {
            self.page.put(piece.text, indent, false);
            self.at += 1;
            if piece.is(";") {
                return;
            }
        }
        if self.peek().is_some_and(|piece| piece.is("}")) {
            return;
        }
        self.statement(indent);
    }

    /// `state A { … }, B;`: on one line if they fit.
    fn states(&mut self, indent: usize) {
        let clause = self.clause();
        let short = line(clause);
        if indent + short.chars().count() <= WIDTH && !clause.iter().any(Piece::is_comment) {
            self.page.put(&short, indent, true);
            return;
        }
        self.list(clause, indent, |page, item, margin| {
            statement(page, &joined(item), margin, STEP);
        });
    }

    /// `trans A -> B { … }, …;`: an edge a line, and a label a line where that is too long.
    fn edges(&mut self, indent: usize) {
        let clause = self.clause();
        self.list(clause, indent, edge);
    }

    /// The pieces of a clause with its `;`.
    fn clause(&mut self) -> &'p [Piece<'a>] {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(piece) = self.next() {
            if piece.is_comment() {
                continue;
            }
            match piece.text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => break,
                _ => {}
            }
        }
        self.cut(start)
    }

    /// A word with a list behind it, an item a line.
    fn list(
        &mut self,
        clause: &[Piece<'_>],
        indent: usize,
        item: impl Fn(&mut Page, &[Piece<'_>], usize),
    ) {
        let Some((word, rest)) = clause.split_first() else {
            return;
        };
        self.page.put(word.text, indent, true);
        let margin = indent + STEP;
        let (mut start, mut depth) = (0, 0_usize);
        for (index, piece) in rest.iter().enumerate() {
            if piece.is_comment() {
                if start == index {
                    self.page.comment(piece, margin);
                    start = index + 1;
                }
                continue;
            }
            if start == index {
                self.page.end_line();
                if piece.breaks > 1 && index > 0 {
                    self.page.blank_line();
                }
            }
            match piece.text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "," | ";" if depth == 0 => {
                    item(&mut self.page, &rest[start..=index], margin);
                    start = index + 1;
                }
                _ => {}
            }
        }
        if start < rest.len() {
            item(&mut self.page, &rest[start..], margin);
        }
    }
}

/// The pieces without the line breaks of their author.
fn joined<'a>(pieces: &[Piece<'a>]) -> Vec<Piece<'a>> {
    let mut pieces = pieces.to_vec();
    let mut commented = true;
    for piece in &mut pieces {
        if !commented && !piece.is_own_line() {
            piece.breaks = 0;
        }
        commented = piece.is_comment();
    }
    pieces
}

/// `A -> B { … },`
fn edge(page: &mut Page, pieces: &[Piece<'_>], indent: usize) {
    let whole = line(pieces);
    if indent + whole.chars().count() <= WIDTH && !pieces.iter().any(Piece::is_comment) {
        return page.put(&whole, indent, true);
    }
    let open = pieces.iter().position(|piece| piece.is("{"));
    let close = pieces.iter().rposition(|piece| piece.is("}"));
    let (Some(open), Some(close)) = (open, close) else {
        return statement(page, &joined(pieces), indent, STEP);
    };
    statement(page, &joined(&pieces[..=open]), indent, STEP);
    let (mut start, mut depth) = (open + 1, 0_usize);
    let labels = &pieces[..close];
    for (index, piece) in labels.iter().enumerate().skip(open + 1) {
        if piece.is_comment() {
            if start == index {
                page.comment(piece, indent + STEP);
                start = index + 1;
            }
            continue;
        }
        if start == index {
            page.end_line();
        }
        match piece.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => {
                statement(page, &labels[start..=index], indent + STEP, STEP);
                start = index + 1;
            }
            _ => {}
        }
    }
    if start < labels.len() {
        statement(page, &labels[start..], indent + STEP, STEP);
    }
    page.end_line();
    page.put(&line(&pieces[close..close + 1]), indent, false);
    for (index, piece) in pieces.iter().enumerate().skip(close + 1) {
        if piece.is_comment() {
            page.comment(piece, indent);
        } else {
            page.put(piece.text, indent, super::join::blank(pieces, index));
        }
    }
}
