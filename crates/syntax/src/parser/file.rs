//! Whole XTA and TA files.

use super::{Parser, Reported};
use crate::parser::token::TokenKind;
use crate::source::section::SectionKind;
use crate::tree::{Declaration, Model, Query, QueryKind};

impl Parser<'_, '_> {
    /// Everything up to the end of the text, into `model`.
    pub(crate) fn file(&mut self, model: &mut Model) {
        let first = self.peek();
        self.open_section(SectionKind::File, first);
        while !self.at(TokenKind::End) {
            let next = self.kind_at(1);
            // Inputs and outputs are those of a process: only where processes are known does its name mean something.
            let of_process = self.at_io_declaration();
            if self.at(TokenKind::System) {
                self.system_line(&mut model.system);
            } else if self.at_word("process") && next == TokenKind::Name {
                self.recovering_process(model);
            } else if self.at_word("query") && next == TokenKind::LeftBrace {
                self.query_block(model);
            } else if let Some(declaration) = self.recovering_declaration() {
                match declaration {
                    Declaration::Instantiation(_)
                    | Declaration::ChannelPriority(_)
                    | Declaration::Progress(..)
                    | Declaration::Gantt(_) => model.system.declarations.push(declaration),
                    _ if of_process => model.system.declarations.push(declaration),
                    _ => model.declarations.push(declaration),
                }
            }
        }
        self.close_section();
    }

    fn recovering_process(&mut self, model: &mut Model) {
        let (start, level) = (self.peek(), self.braces);
        match self.process() {
            Ok(template) => model.templates.push(template),
            Err(Reported) => {
                self.skip_to_semicolon(level);
                model
                    .declarations
                    .push(Declaration::Broken(self.span_from(start)));
            }
        }
    }

    /// `query { formula }`, also with several formulas that end with `;`.
    fn query_block(&mut self, model: &mut Model) {
        let word = self.advance();
        self.advance();
        let outer = std::mem::replace(&mut self.dialect, super::Dialect::Query);
        while !self.at(TokenKind::RightBrace) && !self.at(TokenKind::End) {
            let start = self.peek();
            self.open_section(SectionKind::Query(model.queries.len() as u32 + 1), start);
            let kind = self.query_in_block();
            self.close_section();
            let text = self
                .text
                .text
                .get(start.start as usize..self.previous_end as usize)
                .unwrap_or("");
            let span = self.span_from(start);
            model.queries.push(Query {
                kind,
                text: text.trim().to_string(),
                span,
                comment: None,
                options: Vec::new(),
                expectation: None,
                result: None,
            });
            self.eat(TokenKind::Semicolon);
        }
        self.dialect = outer;
        if !self.eat(TokenKind::RightBrace) {
            self.expected("`}` after the query");
        }
        model.query_blocks.push(self.span_from(word));
    }

    fn query_in_block(&mut self) -> QueryKind {
        let errors = self.errors();
        let kind = self.formula();
        let unread = match &kind {
            Ok(QueryKind::Unsupported { .. }) => true,
            Ok(_) => !matches!(self.kind(), TokenKind::Semicolon | TokenKind::RightBrace),
            Err(Reported) => true,
        };
        if unread {
            if matches!(&kind, Ok(kind) if !matches!(kind, QueryKind::Unsupported { .. })) {
                self.expected("`}` after the query");
            }
            self.skip_query();
        }
        match kind {
            Ok(kind) if self.errors() == errors => kind,
            _ => QueryKind::Broken,
        }
    }

    /// Skips to before the `;` or `}` after a query, over nested braces.
    pub(super) fn skip_query(&mut self) {
        loop {
            match self.kind() {
                TokenKind::End | TokenKind::RightBrace | TokenKind::Semicolon => return,
                TokenKind::LeftBrace => {
                    self.advance();
                    self.skip_to_closing_brace();
                }
                _ => {
                    self.advance();
                }
            }
        }
    }
}
