//! Cuts a text into tokens.

use crate::parser::token::{Token, TokenKind};

/// Reads tokens one by one; comments, blanks and `\` before a line break are skipped.
#[derive(Clone, Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, offset: 0 }
    }

    /// The next token; after the end of the text `End` for ever.
    pub(crate) fn next_token(&mut self) -> Token {
        if let Err(start) = self.skip_blanks() {
            return self.token(TokenKind::UnclosedComment, start);
        }
        let start = self.offset;
        let kind = match self.peek() {
            None => TokenKind::End,
            Some(b'0'..=b'9') => self.number(),
            Some(b'"') => self.string(),
            Some(b) if b == b'_' || b.is_ascii_alphabetic() => self.word(),
            Some(_) => self.punctuation(),
        };
        self.token(kind, start)
    }

    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token {
            kind,
            start: start as u32,
            end: self.offset as u32,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.offset..).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&accept) {
            self.offset += 1;
        }
    }

    /// Skips blanks and comments; fails with the start of a comment that is never closed.
    fn skip_blanks(&mut self) -> Result<(), usize> {
        loop {
            self.skip_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
            let rest = self.rest();
            let Some(first) = rest.chars().next() else {
                return Ok(());
            };
            if first.is_whitespace() || first == '\u{FEFF}' {
                self.offset += first.len_utf8();
            } else if rest.starts_with("//") {
                self.offset += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let start = self.offset;
                let length = rest.get(2..).and_then(|comment| comment.find("*/"));
                self.offset += length.map_or(rest.len(), |length| length + 4);
                if length.is_none() {
                    return Err(start);
                }
            } else if let Some(length) = continuation(rest) {
                self.offset += length;
            } else {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> TokenKind {
        let start = self.offset;
        self.skip_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#'));
        let word = self.text.get(start..self.offset).unwrap_or("");
        TokenKind::reserved(word).unwrap_or(TokenKind::Name)
    }

    fn number(&mut self) -> TokenKind {
        let digit = |b: &u8| b.is_ascii_digit();
        if self.rest().starts_with("0x") || self.rest().starts_with("0X") {
            return self.hexadecimal();
        }
        self.skip_while(|b| b.is_ascii_digit());
        let mut kind = TokenKind::Int;
        let bytes = self.text.as_bytes();
        if self.peek() == Some(b'.') && bytes.get(self.offset + 1).is_some_and(digit) {
            kind = TokenKind::Double;
            self.offset += 1;
            self.skip_while(|b| b.is_ascii_digit());
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(self.offset + 1), Some(b'+' | b'-')));
            if bytes.get(self.offset + 1 + sign).is_some_and(digit) {
                kind = TokenKind::Double;
                self.offset += 1 + sign;
                self.skip_while(|b| b.is_ascii_digit());
            }
        }
        if self
            .peek()
            .is_some_and(|b| b == b'_' || b.is_ascii_alphabetic())
        {
            kind = TokenKind::BadNumber;
            self.skip_while(|b| b == b'_' || b.is_ascii_alphanumeric());
        }
        kind
    }

    /// `0xff`, which newer versions of UPPAAL accept.
    fn hexadecimal(&mut self) -> TokenKind {
        self.offset += 2;
        let start = self.offset;
        self.skip_while(|b| b.is_ascii_hexdigit());
        if self.offset > start
            && !self
                .peek()
                .is_some_and(|b| b == b'_' || b.is_ascii_alphabetic())
        {
            return TokenKind::Int;
        }
        self.skip_while(|b| b == b'_' || b.is_ascii_alphanumeric());
        TokenKind::BadNumber
    }

    fn string(&mut self) -> TokenKind {
        self.offset += 1;
        self.skip_while(|b| b != b'"' && b != b'\n');
        if self.peek() == Some(b'"') {
            self.offset += 1;
            TokenKind::String
        } else {
            TokenKind::UnclosedString
        }
    }

    fn punctuation(&mut self) -> TokenKind {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let at = |n: usize| bytes.get(n).copied().unwrap_or(0);
        let (kind, length) = punctuation(at(0), at(1), at(2), at(3));
        self.offset += match kind {
            TokenKind::BadCharacter => rest.chars().next().map_or(1, char::len_utf8),
            _ => length,
        };
        kind
    }
}

/// The length of `\`, blanks and a line break at the start of a text.
fn continuation(text: &str) -> Option<usize> {
    let blanks = text.strip_prefix('\\')?;
    let line_break = blanks.trim_start_matches([' ', '\t', '\r']);
    line_break
        .starts_with('\n')
        .then(|| 1 + blanks.len() - line_break.len() + 1)
}

/// The longest punctuation that four bytes start with, and its length.
fn punctuation(first: u8, second: u8, third: u8, fourth: u8) -> (TokenKind, usize) {
    use TokenKind::*;
    match (first, second, third, fourth) {
        (b'-', b'u', b'-', b'>') => (UncontrollableArrow, 4),
        (b'-', b'-', b'>', _) => (LeadsTo, 3),
        (b'<', b'<', b'=', _) => (ShiftLeftAssign, 3),
        (b'>', b'>', b'=', _) => (ShiftRightAssign, 3),
        (b'-', b'>', ..) => (Arrow, 2),
        (b':', b'=', ..) => (Assign, 2),
        (b'+', b'=', ..) => (PlusAssign, 2),
        (b'-', b'=', ..) => (MinusAssign, 2),
        (b'*', b'=', ..) => (StarAssign, 2),
        (b'/', b'=', ..) => (SlashAssign, 2),
        (b'%', b'=', ..) => (PercentAssign, 2),
        (b'&', b'=', ..) => (AmpersandAssign, 2),
        (b'|', b'=', ..) => (BarAssign, 2),
        (b'^', b'=', ..) => (CaretAssign, 2),
        (b'+', b'+', ..) => (PlusPlus, 2),
        (b'-', b'-', ..) => (MinusMinus, 2),
        (b'*', b'*', ..) => (Power, 2),
        (b'&', b'&', ..) => (AmpersandAmpersand, 2),
        (b'|', b'|', ..) => (BarBar, 2),
        (b'=', b'=', ..) => (EqualEqual, 2),
        (b'!', b'=', ..) => (ExclamationEqual, 2),
        // `=<` and `=>` are spellings of the old language; they mean nothing in the new one.
        (b'<', b'=', ..) | (b'=', b'<', ..) => (LessEqual, 2),
        (b'>', b'=', ..) | (b'=', b'>', ..) => (GreaterEqual, 2),
        (b'<', b'?', ..) => (Min, 2),
        (b'>', b'?', ..) => (Max, 2),
        (b'<', b'<', ..) => (ShiftLeft, 2),
        (b'>', b'>', ..) => (ShiftRight, 2),
        _ => (single(first), 1),
    }
}

/// The punctuation that is one byte.
fn single(byte: u8) -> TokenKind {
    use TokenKind::*;
    match byte {
        b'(' => LeftParen,
        b')' => RightParen,
        b'[' => LeftBracket,
        b']' => RightBracket,
        b'{' => LeftBrace,
        b'}' => RightBrace,
        b';' => Semicolon,
        b',' => Comma,
        b':' => Colon,
        b'.' => Dot,
        b'\'' => Apostrophe,
        b'?' => Question,
        b'!' => Exclamation,
        b'~' => Tilde,
        b'#' => Hash,
        b'=' => Assign,
        b'+' => Plus,
        b'-' => Minus,
        b'*' => Star,
        b'/' => Slash,
        b'%' => Percent,
        b'&' => Ampersand,
        b'|' => Bar,
        b'^' => Caret,
        b'<' => Less,
        b'>' => Greater,
        _ => BadCharacter,
    }
}

#[cfg(test)]
mod tests {
    use super::Lexer;
    use crate::parser::token::TokenKind;

    #[test]
    fn tokens() {
        let check = |text: &str, expected: &str| {
            let mut lexer = Lexer::new(text);
            let mut found = Vec::new();
            loop {
                let token = lexer.next_token();
                if token.kind == TokenKind::End {
                    break;
                }
                let spelling = &text[token.start as usize..token.end as usize];
                found.push(match token.kind {
                    kind if kind.spelling() == spelling => spelling.to_string(),
                    kind => format!("{kind:?}({spelling})"),
                });
            }
            assert_eq!(found.join(" "), expected, "{text}");
        };
        check("x<=5&&y'==1", "Name(x) <= Int(5) && Name(y) ' == Int(1)");
        check("a-->b a-- >b", "Name(a) --> Name(b) Name(a) -- > Name(b)");
        check("A[] E<>!p", "Name(A) [ ] Name(E) < > ! Name(p)");
        check(
            "x=<5 y=>3",
            "Name(x) LessEqual(=<) Int(5) Name(y) GreaterEqual(=>) Int(3)",
        );
        check(
            "x:=y<?z>?1",
            "Name(x) Assign(:=) Name(y) <? Name(z) >? Int(1)",
        );
        check(
            "1.5e-3 2e4 3.x 12ab",
            "Double(1.5e-3) Double(2e4) Int(3) . Name(x) BadNumber(12ab)",
        );
        check("0xfF 0x 0x1g", "Int(0xfF) BadNumber(0x) BadNumber(0x1g)");
        check("a//b\nc/*d\n*/e\\ \n f", "Name(a) Name(c) Name(e) Name(f)");
        check("a /* b", "Name(a) UnclosedComment(/* b)");
        check(
            "\"ab\" \"c\nd",
            "String(\"ab\") UnclosedString(\"c) Name(d)",
        );
        check(
            "int x$1#; ä\u{a0}\\",
            "int Name(x$1#) ; BadCharacter(ä) BadCharacter(\\)",
        );
        check("s -u-> t -> u", "Name(s) -u-> Name(t) -> Name(u)");
    }
}
