//! Processes of XTA and TA files.

use super::{Parsed, Parser, Reported};
use crate::parser::token::{Token, TokenKind};
use crate::source::section::{LabelKind, SectionKind};
use crate::tree::{
    Branchpoint, Edge, Endpoint, EndpointTarget, Expr, ExprKind, Label, Location, Name,
    Synchronisation, Template, TemplateKind,
};
use crate::{Diagnostic, nearest_name};
use std::collections::HashMap;

/// A process while it is being read.
struct Process {
    template: Template,
    /// What the names of locations and branch points stand for.
    places: HashMap<String, EndpointTarget>,
}

impl Parser<'_, '_> {
    /// `process Name(parameters) { … }`
    pub(super) fn process(&mut self) -> Parsed<Template> {
        let start = self.advance();
        let errors = self.errors();
        let name = self.name("the name of a process")?;
        self.open_section(SectionKind::Template(name.text.clone()), start);
        let mut process = Process {
            template: Template {
                name,
                kind: TemplateKind::Automaton,
                parameters: Vec::new(),
                declarations: Vec::new(),
                locations: Vec::new(),
                branchpoints: Vec::new(),
                initial: None,
                flagged: Vec::new(),
                edges: Vec::new(),
                broken: false,
                span: self.span(start),
            },
            places: HashMap::new(),
        };
        let result = self.process_body(&mut process, errors);
        process.template.span = self.span_from(start);
        self.close_section();
        result.map(|()| process.template)
    }

    fn process_body(&mut self, process: &mut Process, errors: usize) -> Parsed<()> {
        if self.eat(TokenKind::LeftParen) {
            process.template.parameters = self.parameters()?;
        }
        self.expect(TokenKind::LeftBrace, "before the body of the process")?;
        process.template.broken = self.errors() > errors;
        loop {
            match self.kind() {
                TokenKind::RightBrace => break,
                TokenKind::End => return Err(self.expected("`}` after the process")),
                _ => self.process_part(process),
            }
        }
        self.advance();
        self.eat(TokenKind::Semicolon);
        Ok(())
    }

    /// One clause or declaration; takes at least one token.
    fn process_part(&mut self, process: &mut Process) {
        let start = self.peek();
        let (errors, level) = (self.errors(), self.braces);
        let next = self.kind_at(1);
        let word = if start.kind == TokenKind::Name {
            self.letters(start)
        } else {
            ""
        };
        let urgent = start.kind == TokenKind::Urgent && next == TokenKind::Name;
        let clause = match word {
            "state" if next == TokenKind::Name => self.states(process),
            "branchpoint" if next == TokenKind::Name => self.branchpoints(process),
            "commit" if next == TokenKind::Name => {
                self.flags(process, |location| location.committed = true)
            }
            "init" if next == TokenKind::Name => self.initial(process),
            "trans"
                if matches!(
                    next,
                    TokenKind::Name | TokenKind::Arrow | TokenKind::Semicolon
                ) =>
            {
                self.edges(process);
                return;
            }
            _ if urgent => self.flags(process, |location| location.urgent = true),
            _ => {
                process
                    .template
                    .declarations
                    .extend(self.recovering_declaration());
                process.template.broken |= self.errors() > errors;
                return;
            }
        };
        if clause.is_err() {
            self.skip_to_semicolon(level);
        }
        process.template.broken |= self.errors() > errors;
    }

    /// `state A { invariant ; rate }, B, …;`
    fn states(&mut self, process: &mut Process) -> Parsed<()> {
        self.advance();
        loop {
            let start = self.peek();
            let name = self.name("the name of a location")?;
            let target = EndpointTarget::Location(process.template.locations.len());
            self.declare_place(process, &name, target);
            self.open_section(SectionKind::Location(name.text.clone()), start);
            let (invariant, exponential_rate) = self.state_labels();
            self.close_section();
            process.template.locations.push(Location {
                id: name.text.clone(),
                span: name.span,
                name: Some(name),
                invariant,
                exponential_rate,
                urgent: false,
                committed: false,
                comment: None,
                position: None,
            });
            if !self.eat(TokenKind::Comma) {
                return self.expect_semicolon("after the locations");
            }
        }
    }

    fn state_labels(&mut self) -> (Option<Label<Expr>>, Option<Label<Vec<Expr>>>) {
        let (mut invariant, mut rate) = (None, None);
        if !self.eat(TokenKind::LeftBrace) {
            return (None, None);
        }
        if !matches!(self.kind(), TokenKind::Semicolon | TokenKind::RightBrace) {
            invariant = Some(self.clause(LabelKind::Invariant, Self::constraint, |broken| broken));
        }
        if self.eat(TokenKind::Semicolon) && !self.at(TokenKind::RightBrace) {
            rate = Some(self.clause(
                LabelKind::ExponentialRate,
                Self::exponential_rate,
                |broken| vec![broken],
            ));
        }
        if !self.eat(TokenKind::RightBrace) {
            self.expected("`}` after the invariant");
            self.skip_to_closing_brace();
        }
        (invariant, rate)
    }

    fn declare_place(&mut self, process: &mut Process, name: &Name, target: EndpointTarget) {
        if process.places.insert(name.text.clone(), target).is_some() {
            let message = format!("there are two locations with the name `{}`", name.text);
            self.report(Diagnostic::error("duplicate-location", message, name.span));
        }
    }

    /// `branchpoint a, b;`
    fn branchpoints(&mut self, process: &mut Process) -> Parsed<()> {
        self.advance();
        loop {
            let name = self.name("the name of a branch point")?;
            let target = EndpointTarget::Branchpoint(process.template.branchpoints.len());
            self.declare_place(process, &name, target);
            process.template.branchpoints.push(Branchpoint {
                id: name.text,
                position: None,
                span: name.span,
            });
            if !self.eat(TokenKind::Comma) {
                return self.expect_semicolon("after the branch points");
            }
        }
    }

    /// `commit A, B;` or `urgent A, B;`
    fn flags(&mut self, process: &mut Process, set: impl Fn(&mut Location)) -> Parsed<()> {
        self.advance();
        loop {
            let name = self.name("the name of a location")?;
            if let Some(index) = self.location(process, &name)
                && let Some(location) = process.template.locations.get_mut(index)
            {
                set(location);
                process.template.flagged.push(name);
            }
            if !self.eat(TokenKind::Comma) {
                return self.expect_semicolon("after the locations");
            }
        }
    }

    /// `init A;`
    fn initial(&mut self, process: &mut Process) -> Parsed<()> {
        self.advance();
        let name = self.name("the name of a location")?;
        process.template.initial = self
            .location(process, &name)
            .map(|index| (index, name.span));
        self.expect_semicolon("after the initial location")
    }

    fn location(&mut self, process: &Process, name: &Name) -> Option<usize> {
        match process.places.get(&name.text) {
            Some(EndpointTarget::Location(index)) => Some(*index),
            _ => {
                self.unknown_place(process, name);
                None
            }
        }
    }

    fn unknown_place(&mut self, process: &Process, name: &Name) {
        let message = format!("there is no location `{}` in this process", name.text);
        let near = nearest_name(
            &name.text,
            process
                .template
                .locations
                .iter()
                .map(Location::display_name),
        );
        self.report(
            Diagnostic::error("unknown-location", message, name.span).with_suggestion(near),
        );
    }

    /// `trans s -> t { … }, -> u { … };`
    fn edges(&mut self, process: &mut Process) {
        self.advance();
        let mut source: Option<Name> = None;
        while !self.eat(TokenKind::Semicolon) {
            if matches!(self.kind(), TokenKind::End | TokenKind::RightBrace) {
                self.expected("`;` after the edges");
                return;
            }
            let start = self.peek();
            if let Err(Reported) = self.edge(process, &mut source) {
                process.template.broken = true;
                self.skip_edge();
            }
            if !self.eat(TokenKind::Comma) && !self.at(TokenKind::Semicolon) {
                self.expected("`,` or `;` after the edge");
                process.template.broken = true;
                if self.peek() == start {
                    self.skip_edge();
                    self.eat(TokenKind::Comma);
                }
            }
        }
    }

    /// Skips to before the `,` or `;` after an edge, or to before the end of the process.
    fn skip_edge(&mut self) {
        loop {
            match self.kind() {
                TokenKind::End
                | TokenKind::RightBrace
                | TokenKind::Comma
                | TokenKind::Semicolon => return,
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

    fn edge(&mut self, process: &mut Process, source: &mut Option<Name>) -> Parsed<()> {
        let start = self.peek();
        if start.kind == TokenKind::Name {
            *source = Some(self.take_name());
        }
        let controllable = !self.at(TokenKind::UncontrollableArrow);
        if !self.eat(TokenKind::Arrow) && !self.eat(TokenKind::UncontrollableArrow) {
            return Err(self.expected("`->` between the ends of the edge"));
        }
        let Some(from) = source.clone() else {
            return Err(self.expected("an edge with a source before this one"));
        };
        let to = self.name("the target of the edge")?;
        self.open_section(
            SectionKind::Edge {
                from: from.text.clone(),
                to: to.text.clone(),
            },
            start,
        );
        let mut edge = Edge {
            source: self.endpoint(process, &from),
            target: self.endpoint(process, &to),
            select: None,
            guard: None,
            synchronisation: None,
            update: None,
            probability: None,
            comment: None,
            controllable,
            nails: Vec::new(),
            span: self.span(start),
        };
        let result = self.edge_clauses(&mut edge);
        self.close_section();
        edge.span = self.span_from(start);
        process.template.edges.push(edge);
        result
    }

    fn endpoint(&mut self, process: &mut Process, name: &Name) -> Endpoint {
        let target = process.places.get(&name.text).cloned().unwrap_or_else(|| {
            self.unknown_place(process, name);
            process.template.broken = true;
            EndpointTarget::Unknown(name.text.clone())
        });
        Endpoint {
            target,
            span: name.span,
        }
    }

    fn edge_clauses(&mut self, edge: &mut Edge) -> Parsed<()> {
        if !self.at(TokenKind::LeftBrace) {
            let reported = self.expected("`{` before the labels of the edge");
            self.hint("an edge without labels is written `A -> B { }`");
            return Err(reported);
        }
        self.advance();
        while !self.eat(TokenKind::RightBrace) {
            let word = self.peek();
            let letters = if word.kind == TokenKind::Name {
                self.letters(word)
            } else {
                ""
            };
            let known = matches!(
                letters,
                "select" | "guard" | "sync" | "assign" | "probability"
            );
            if !known {
                let error =
                    self.expected("`select`, `guard`, `sync`, `assign`, `probability` or `}`");
                self.skip_to_closing_brace();
                return Err(error);
            }
            self.advance();
            if self.eat(TokenKind::Semicolon) {
                continue;
            }
            match letters {
                "select" => {
                    edge.select = Some(self.clause(LabelKind::Select, Self::select, |_| Vec::new()))
                }
                "guard" => {
                    edge.guard =
                        Some(self.clause(LabelKind::Guard, Self::constraint, |broken| broken))
                }
                "sync" => edge.synchronisation = Some(self.synchronisation_clause()),
                "assign" => {
                    edge.update =
                        Some(self.clause(LabelKind::Update, Self::update, |broken| vec![broken]))
                }
                _ => {
                    edge.probability =
                        Some(
                            self.clause(LabelKind::Probability, Self::probability, |broken| broken),
                        )
                }
            }
            if !self.eat(TokenKind::Semicolon) && !self.at(TokenKind::RightBrace) {
                let error = self.expected("`;` after the label");
                self.skip_to_closing_brace();
                return Err(error);
            }
        }
        Ok(())
    }

    fn synchronisation_clause(&mut self) -> Label<Synchronisation> {
        self.clause(
            LabelKind::Synchronisation,
            Self::synchronisation,
            broken_synchronisation,
        )
    }

    /// A label up to `;` or `}`; where it cannot be read, those are skipped to.
    fn clause<T>(
        &mut self,
        kind: LabelKind,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
        broken: impl FnOnce(Expr) -> T,
    ) -> Label<T> {
        let start = self.peek();
        let errors = self.errors();
        self.open_section(SectionKind::Label(kind), start);
        let result = parse(self).and_then(|value| match self.kind() {
            TokenKind::Semicolon | TokenKind::RightBrace => Ok(value),
            _ => Err(self.expected("`;` after the label")),
        });
        if result.is_err() {
            while !matches!(
                self.kind(),
                TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::End
            ) {
                self.advance();
            }
        }
        // What is said about the `;` is about the label.
        let terminator = self.peek();
        self.sections.close(self.text.span(0, terminator.end).end);
        let span = self.span_from(start);
        let value = result.unwrap_or_else(|Reported| broken(Expr::new(ExprKind::Broken, span)));
        Label {
            value,
            broken: self.errors() > errors,
            span,
            position: None,
        }
    }

    pub(super) fn open_section(&mut self, kind: SectionKind, start: Token) {
        let span = self.span(start);
        self.sections.open(kind, span, None);
    }

    pub(super) fn close_section(&mut self) {
        let end = self.text.span(0, self.previous_end).end;
        self.sections.close(end);
    }
}

/// What stands for a synchronisation that could not be read.
pub(crate) fn broken_synchronisation(broken: Expr) -> Synchronisation {
    Synchronisation {
        channel: broken,
        direction: crate::tree::Direction::Both,
    }
}
