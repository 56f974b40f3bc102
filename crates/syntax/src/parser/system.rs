//! What stands after the templates: instantiations, priorities, progress measures and the `system` line.

use super::{Parsed, Parser, Reported};
use crate::parser::token::{Token, TokenKind};
use crate::tree::{
    ChannelPriority, ChannelPriorityItem, Declaration, Instantiation, ProcessReference,
    ProgressMeasure, System,
};

impl Parser<'_, '_> {
    /// The system declarations of an XML file.
    pub(crate) fn system_declarations(&mut self, system: &mut System) {
        while !self.at(TokenKind::End) {
            if self.at(TokenKind::System) {
                self.system_line(system);
            } else {
                system.declarations.extend(self.recovering_declaration());
            }
        }
    }

    /// `system A, B < C;`
    pub(super) fn system_line(&mut self, system: &mut System) {
        let start = self.advance();
        let (errors, level) = (self.errors(), self.braces);
        let first_line = system.span.is_none();
        if self.process_list(system).is_err() {
            self.skip_to_semicolon(level);
        }
        system.broken |= self.errors() > errors;
        let span = self.span_from(start);
        if first_line {
            system.span = Some(span);
        } else {
            let message = "there is more than one `system` line";
            let diagnostic = crate::Diagnostic::error("duplicate-system", message, span);
            self.report(diagnostic);
            system.broken = true;
        }
    }

    fn process_list(&mut self, system: &mut System) -> Parsed<()> {
        let mut priority = 0;
        loop {
            let start = self.peek();
            let name = self.name("the name of a process")?;
            system.processes.push(ProcessReference { name, priority });
            if self.eat(TokenKind::Less) {
                priority += 1;
            } else if self.at(TokenKind::LeftParen) {
                return Err(self.instance_on_the_line(start));
            } else if !self.eat(TokenKind::Comma) {
                return self.expect_semicolon("after the list of processes");
            }
        }
    }

    /// `system Client(0);`, which would be an instance without a name.
    fn instance_on_the_line(&mut self, start: Token) -> Reported {
        let name = self.letters(start).to_owned();
        let message = "the `system` line takes names, not arguments";
        let place = self.peek();
        let diagnostic = crate::Diagnostic::error("expected-token", message, self.span(place));
        self.report(diagnostic.with_hint(format!(
            "give the instance a name before: `P = {name}(…);` and `system P;`; a parameter that is left out is an instance for each value"
        )))
    }

    /// `Name(parameters) = Template(arguments);`
    pub(super) fn instantiation(&mut self) -> Parsed<Declaration> {
        let start = self.peek();
        let name = self.name("a name")?;
        let parameters = if self.eat(TokenKind::LeftParen) {
            self.parameters()?
        } else {
            Vec::new()
        };
        self.expect(TokenKind::Assign, "between an instance and its template")?;
        let template = self.name("the name of a template")?;
        self.expect(TokenKind::LeftParen, "before the arguments")?;
        let arguments = self.arguments()?;
        self.expect_semicolon("after the instantiation")?;
        let span = self.span_from(start);
        Ok(Declaration::Instantiation(Instantiation {
            name,
            parameters,
            template,
            arguments,
            span,
        }))
    }

    /// Whether `chan priority` starts a declaration of priorities, not a channel of that name.
    pub(super) fn at_channel_priority(&mut self) -> bool {
        let word = self.peek_at(1);
        word.kind == TokenKind::Name
            && self.letters(word) == "priority"
            && self.kind_at(2) == TokenKind::Name
    }

    /// `chan priority a < default, b[1] < c;`
    pub(super) fn channel_priority(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        self.advance();
        let mut groups = vec![Vec::new()];
        loop {
            let item = self.channel_priority_item()?;
            if let Some(group) = groups.last_mut() {
                group.push(item);
            }
            if self.eat(TokenKind::Less) {
                groups.push(Vec::new());
            } else if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_semicolon("after the priorities")?;
        Ok(Declaration::ChannelPriority(ChannelPriority {
            groups,
            span: self.span_from(start),
        }))
    }

    fn channel_priority_item(&mut self) -> Parsed<ChannelPriorityItem> {
        if self.at_word("default") {
            let token = self.advance();
            return Ok(ChannelPriorityItem::Default(self.span(token)));
        }
        Ok(ChannelPriorityItem::Channel(self.postfix()?))
    }

    /// `progress { guard : measure; measure; }`
    pub(super) fn progress(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        self.advance();
        let mut measures = Vec::new();
        while !self.eat(TokenKind::RightBrace) {
            let first = self.expression()?;
            let (guard, measure) = if self.eat(TokenKind::Colon) {
                (Some(first), self.expression()?)
            } else {
                (None, first)
            };
            measures.push(ProgressMeasure { guard, measure });
            self.expect_semicolon("after the progress measure")?;
        }
        Ok(Declaration::Progress(measures, self.span_from(start)))
    }

    /// `gantt { … }`, which is skipped.
    pub(super) fn gantt(&mut self) -> Parsed<Declaration> {
        let start = self.advance();
        self.advance();
        if self.skip_to_closing_brace() {
            return Ok(Declaration::Gantt(self.span_from(start)));
        }
        Err(self.gantt_unclosed())
    }

    fn gantt_unclosed(&mut self) -> Reported {
        self.expected("`}` after the gantt chart")
    }
}
