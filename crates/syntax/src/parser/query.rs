//! Queries.

use super::{Parsed, Parser, Reported};
use crate::Diagnostic;
use crate::parser::token::TokenKind;
use crate::tree::{Measure, QueryKind};

impl Parser<'_, '_> {
    /// The whole text as one query.
    pub(crate) fn whole_query(&mut self) -> QueryKind {
        let errors = self.errors();
        let kind = self.formula().and_then(|kind| {
            self.eat(TokenKind::Semicolon);
            match kind {
                QueryKind::Unsupported { .. } => Ok(kind),
                _ if self.at(TokenKind::End) => Ok(kind),
                _ => Err(self.expected("the end of the query")),
            }
        });
        match kind {
            Ok(kind) if self.errors() == errors => kind,
            _ => QueryKind::Broken,
        }
    }

    /// A query up to a token that cannot belong to it. One outside the symbolic language is not read at all.
    pub(super) fn formula(&mut self) -> Parsed<QueryKind> {
        if self.at(TokenKind::End) || self.at(TokenKind::Semicolon) {
            return Ok(QueryKind::Empty);
        }
        if let Some(what) = self.unsupported_query() {
            return Ok(QueryKind::Unsupported { what });
        }
        let kind = match self.path_quantifier() {
            Some(quantifier) => {
                for _ in 0..3 {
                    self.advance();
                }
                if self.at_word("control") && self.kind_at(1) == TokenKind::Colon {
                    return Ok(QueryKind::Unsupported { what: STRATEGY });
                }
                quantifier(self.expression()?)
            }
            None => match self.measure_query()? {
                Some(kind) => kind,
                None => self.leads_to()?,
            },
        };
        if self.at_word("under") {
            return Ok(QueryKind::Unsupported {
                what: "a query under a strategy",
            });
        }
        Ok(kind)
    }

    /// `A[]`, `A<>`, `E[]` or `E<>`.
    fn path_quantifier(&mut self) -> Option<fn(crate::tree::Expr) -> QueryKind> {
        let word = self.peek();
        if word.kind != TokenKind::Name {
            return None;
        }
        match (self.letters(word), self.kind_at(1), self.kind_at(2)) {
            ("A", TokenKind::LeftBracket, TokenKind::RightBracket) => Some(QueryKind::Invariantly),
            ("A", TokenKind::Less, TokenKind::Greater) => Some(QueryKind::Eventually),
            ("E", TokenKind::LeftBracket, TokenKind::RightBracket) => {
                Some(QueryKind::PotentiallyAlways)
            }
            ("E", TokenKind::Less, TokenKind::Greater) => Some(QueryKind::Possibly),
            _ => None,
        }
    }

    /// `sup{p}: e, …` and the like.
    fn measure_query(&mut self) -> Parsed<Option<QueryKind>> {
        let word = self.peek();
        let make = match (self.letters(word), self.kind_at(1)) {
            ("sup", TokenKind::Colon | TokenKind::LeftBrace) => QueryKind::Supremum,
            ("inf", TokenKind::Colon | TokenKind::LeftBrace) => QueryKind::Infimum,
            ("bounds", TokenKind::Colon | TokenKind::LeftBrace) => QueryKind::Bounds,
            _ => return Ok(None),
        };
        self.advance();
        let mut predicate = None;
        if self.eat(TokenKind::LeftBrace) {
            predicate = Some(self.expression()?);
            self.expect(TokenKind::RightBrace, "after the predicate")?;
        }
        self.expect(TokenKind::Colon, "before what is measured")?;
        let expressions = self.comma_separated(Self::expression)?;
        Ok(Some(make(Measure {
            predicate,
            expressions,
        })))
    }

    /// `p --> q`; where that fails, the text is no query at all, and it is said in one message.
    fn leads_to(&mut self) -> Parsed<QueryKind> {
        let start = self.peek();
        let mark = self.diagnostics.mark();
        if let Ok(premise) = self.expression()
            && self.eat(TokenKind::LeadsTo)
        {
            return Ok(QueryKind::LeadsTo(premise, self.expression()?));
        }
        self.diagnostics.rewind(mark);
        Err(self.not_a_query(start.start))
    }

    fn not_a_query(&mut self, start: u32) -> Reported {
        let end = if self.braces > 0 {
            self.skip_query();
            self.previous_end
        } else {
            self.text.text.trim_end().len() as u32
        };
        let span = self.text.span(start, end);
        let diagnostic = Diagnostic::error("not-a-query", "this is not a query", span);
        let rest = self.text.text.get(start as usize..).unwrap_or_default();
        let word = rest.split(|c: char| !c.is_ascii_alphanumeric()).next();
        let hint = match word {
            Some("AG") => "`AG p` of CTL is written `A[] p` here",
            Some("AF") => "`AF p` of CTL is written `A<> p` here",
            Some("EF") => "`EF p` of CTL is written `E<> p` here",
            Some("EG") => "`EG p` of CTL is written `E[] p` here",
            _ => "queries look like `E<> p`, `A[] p`, `E[] p`, `A<> p`, `p --> q` or `sup: e`",
        };
        self.report(diagnostic.with_hint(hint))
    }

    /// What the query is, if its first words show that it is not a symbolic one.
    fn unsupported_query(&mut self) -> Option<&'static str> {
        let word = self.peek();
        if word.kind == TokenKind::LeftBrace {
            return Some(STRATEGY);
        }
        if word.kind != TokenKind::Name {
            return None;
        }
        use TokenKind::{
            Assign, Colon, Int, LeftBracket, LeftParen, Less, Name, RightBracket, Star,
        };
        match (self.letters(word), self.kind_at(1)) {
            ("Pr", LeftBracket | LeftParen | Less)
            | ("simulate", LeftBracket | Int)
            | ("Pmax", _) => Some(STATISTICAL),
            ("E", LeftBracket) if self.kind_at(2) != RightBracket => Some(STATISTICAL),
            ("A", LeftBracket) if self.kind_at(2) != RightBracket => Some("an until query"),
            ("control", Colon) | ("control_t", Star) | ("strategy", Name) => Some(STRATEGY),
            ("minE" | "maxE" | "minPr" | "maxPr", LeftParen | LeftBracket) => Some(STRATEGY),
            ("saveStrategy" | "loadStrategy", _) => Some(STRATEGY),
            ("sat" | "scenario", Colon) => Some("a scenario query"),
            (
                "refinement" | "consistency" | "specification" | "implementation" | "determinism",
                Colon,
            ) => Some("a query about specifications"),
            ("save" | "get" | "prune" | "bisim", Colon) | ("load", Assign) => {
                Some("a query about specifications")
            }
            _ => None,
        }
    }
}

const STATISTICAL: &str = "a statistical query";
const STRATEGY: &str = "a strategy query";
