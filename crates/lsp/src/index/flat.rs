//! The names of TChecker's language.

use super::{
    Definition, DefinitionId, Index, Kind, Reference, ScopeId, plain, remark, settle, words,
};
use merkhet_syntax::{FileId, Span};
use merkhet_tck::tree::{Expression, ExpressionKind, Name, Statement, StatementKind, System};
use merkhet_tck::{read_tck, read_tck_query};

/// The index of a system.
pub(super) fn index(text: &str) -> Index {
    let (system, _) = read_tck(text.as_bytes());
    let mut indexer = Indexer {
        index: Index::default(),
        text,
    };
    let global = indexer.index.new_scope(None);
    indexer.index.queries = Some(global);
    indexer.declare(global, &system);
    indexer.uses(global, &system);
    indexer.index.settle(text);
    indexer.index
}

/// The places of a file of queries, one a line.
pub(super) fn queries(model: &Index, text: &str) -> Vec<Reference> {
    let before = model.references.len();
    let mut indexer = Indexer {
        index: model.clone(),
        text,
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or("");
        let code = code.split('#').next().unwrap_or("");
        let formula = code.trim();
        let offset = (start + code.len() - code.trim_start().len()) as u32;
        start += line.len();
        if let (Some(goal), _) = read_tck_query(FileId::QUERIES, formula) {
            indexer.expression(ScopeId(0), &goal.formula, offset);
        }
    }
    let mut found = indexer.index.references.split_off(before);
    settle(&mut found);
    found
}

struct Indexer<'a> {
    index: Index,
    text: &'a str,
}

impl Indexer<'_> {
    fn add(
        &mut self,
        scope: ScopeId,
        kind: Kind,
        name: &Name,
        whole: Span,
        members: Option<ScopeId>,
        owner: Option<DefinitionId>,
    ) -> DefinitionId {
        let line = line_around(self.text, whole);
        let definition = Definition {
            detail: words(self.text, line),
            remark: remark(self.text, line.start, line.end, "#"),
            scope: owner.is_none().then_some(scope),
            owner,
            members,
            ..plain(&name.text, kind, name.span, line)
        };
        self.index.define(scope, definition)
    }

    fn declare(&mut self, global: ScopeId, system: &System) {
        for name in &system.processes {
            let members = self.index.new_scope(None);
            self.add(global, Kind::Template, name, name.span, Some(members), None);
        }
        for name in &system.events {
            self.add(global, Kind::Channel, name, name.span, None, None);
        }
        for clock in &system.clocks {
            self.add(
                global,
                Kind::Clock,
                &clock.name,
                clock.name.span,
                None,
                None,
            );
        }
        for int in &system.ints {
            self.add(global, Kind::Variable, &int.name, int.name.span, None, None);
        }
        for location in &system.locations {
            let process = self.index.member(global, &location.process.text);
            let members = self.members(process);
            let (Some(process), Some(members)) = (process, members) else {
                continue;
            };
            let name = &location.name;
            self.add(
                members,
                Kind::Location,
                name,
                name.span,
                None,
                Some(process),
            );
            for label in &location.labels {
                match self.index.member(global, &label.text) {
                    Some(known) => self.index.refer(label.span, known),
                    None => {
                        self.add(global, Kind::Label, label, label.span, None, None);
                    }
                }
            }
        }
    }

    fn members(&self, process: Option<DefinitionId>) -> Option<ScopeId> {
        self.index.definition(process?)?.members
    }

    fn refer(&mut self, scope: ScopeId, name: &Name) -> Option<DefinitionId> {
        let id = self.index.member(scope, &name.text)?;
        self.index.refer(name.span, id);
        Some(id)
    }

    fn uses(&mut self, global: ScopeId, system: &System) {
        for location in &system.locations {
            self.refer(global, &location.process);
            for invariant in &location.invariants {
                self.expression(global, invariant, 0);
            }
        }
        for edge in &system.edges {
            let process = self.refer(global, &edge.process);
            if let Some(members) = self.members(process) {
                self.refer(members, &edge.source);
                self.refer(members, &edge.target);
            }
            self.refer(global, &edge.event);
            for guard in &edge.guards {
                self.expression(global, guard, 0);
            }
            self.statements(global, &edge.statements);
        }
        for participant in system
            .synchronisations
            .iter()
            .flat_map(|one| &one.participants)
        {
            self.refer(global, &participant.process);
            self.refer(global, &participant.event);
        }
    }

    fn statements(&mut self, scope: ScopeId, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Nop => {}
                StatementKind::Assign { target, value } => {
                    self.expression(scope, target, 0);
                    self.expression(scope, value, 0);
                }
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.expression(scope, condition, 0);
                    self.statements(scope, then);
                    self.statements(scope, otherwise);
                }
                StatementKind::While { condition, body } => {
                    self.expression(scope, condition, 0);
                    self.statements(scope, body);
                }
                StatementKind::Local { value, .. } => {
                    value.iter().for_each(|one| self.expression(scope, one, 0));
                }
                StatementKind::LocalArray { size, .. } => self.expression(scope, size, 0),
            }
        }
    }

    /// The names in an expression whose text begins at `offset`.
    fn expression(&mut self, scope: ScopeId, expression: &Expression, offset: u32) {
        let moved = |span: Span| Span::new(span.file, span.start + offset, span.end + offset);
        match &expression.kind {
            ExpressionKind::Name(name) => self.name(scope, name, moved(expression.span)),
            ExpressionKind::Index(name, index) => {
                self.name(scope, &name.text, moved(name.span));
                self.expression(scope, index, offset);
            }
            ExpressionKind::Negate(a) | ExpressionKind::Not(a) => {
                self.expression(scope, a, offset);
            }
            ExpressionKind::Binary(_, a, b) => {
                self.expression(scope, a, offset);
                self.expression(scope, b, offset);
            }
            ExpressionKind::Conjunction(parts) | ExpressionKind::Disjunction(parts) => {
                parts
                    .iter()
                    .for_each(|one| self.expression(scope, one, offset));
            }
            ExpressionKind::Conditional(a, b, c) => {
                for part in [a, b, c] {
                    self.expression(scope, part, offset);
                }
            }
            ExpressionKind::Integer(_) => {}
        }
    }

    /// A name, also `Process.location`.
    fn name(&mut self, scope: ScopeId, name: &str, span: Span) {
        let written = self
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("");
        let Some(skipped) = written.find(name) else {
            return;
        };
        let start = span.start + skipped as u32;
        let part = |from: u32, length: usize| Span::new(span.file, from, from + length as u32);
        if let Some(id) = self.index.member(scope, name) {
            return self.index.refer(part(start, name.len()), id);
        }
        if let Some((process, location)) = name.split_once('.')
            && let Some(id) = self.index.member(scope, process)
        {
            self.index.refer(part(start, process.len()), id);
            if let Some(id) = self
                .members(Some(id))
                .and_then(|one| self.index.member(one, location))
            {
                let from = start + process.len() as u32 + 1;
                self.index.refer(part(from, location.len()), id);
            }
        }
    }
}

/// The line on which a span stands.
fn line_around(text: &str, span: Span) -> Span {
    let before = text.get(..span.start as usize).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let after = text.get(span.end as usize..).unwrap_or("");
    let end = span.end as usize + after.find('\n').unwrap_or(after.len());
    Span::new(span.file, start as u32, end as u32)
}
