//! Cuts a text into tokens.

use crate::token::{Token, TokenKind};

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
        for &(spelling, kind) in PUNCTUATION {
            if rest.starts_with(spelling) {
                self.offset += spelling.len();
                return kind;
            }
        }
        self.offset += rest.chars().next().map_or(1, char::len_utf8);
        TokenKind::BadCharacter
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

/// All punctuation, longer before shorter.
const PUNCTUATION: &[(&str, TokenKind)] = {
    use TokenKind::*;
    &[
        ("-u->", UncontrollableArrow),
        ("-->", LeadsTo),
        ("<<=", ShiftLeftAssign),
        (">>=", ShiftRightAssign),
        ("->", Arrow),
        (":=", Assign),
        ("+=", PlusAssign),
        ("-=", MinusAssign),
        ("*=", StarAssign),
        ("/=", SlashAssign),
        ("%=", PercentAssign),
        ("&=", AmpersandAssign),
        ("|=", BarAssign),
        ("^=", CaretAssign),
        ("++", PlusPlus),
        ("--", MinusMinus),
        ("**", Power),
        ("&&", AmpersandAmpersand),
        ("||", BarBar),
        ("==", EqualEqual),
        ("!=", ExclamationEqual),
        ("<=", LessEqual),
        (">=", GreaterEqual),
        // Spellings of the old language; they mean nothing in the new one.
        ("=<", LessEqual),
        ("=>", GreaterEqual),
        ("<?", Min),
        (">?", Max),
        ("<<", ShiftLeft),
        (">>", ShiftRight),
        ("(", LeftParen),
        (")", RightParen),
        ("[", LeftBracket),
        ("]", RightBracket),
        ("{", LeftBrace),
        ("}", RightBrace),
        (";", Semicolon),
        (",", Comma),
        (":", Colon),
        (".", Dot),
        ("'", Apostrophe),
        ("?", Question),
        ("!", Exclamation),
        ("~", Tilde),
        ("#", Hash),
        ("=", Assign),
        ("+", Plus),
        ("-", Minus),
        ("*", Star),
        ("/", Slash),
        ("%", Percent),
        ("&", Ampersand),
        ("|", Bar),
        ("^", Caret),
        ("<", Less),
        (">", Greater),
    ]
};

#[cfg(test)]
mod tests {
    use super::Lexer;
    use crate::token::TokenKind;

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
