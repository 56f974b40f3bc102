//! Reads attributes: `{key: value : key: value}`.

use super::cursor::Cursor;
use super::expression::{Broken, Parsed, Parser};
use super::token::name;
use super::tree::{Expression, Name, Statement};
use super::{span, tree};
use merkhet_syntax::{Diagnostic, nearest_name};

/// One attribute; the value without blanks around it.
pub(super) struct Attribute<'t> {
    pub(super) key: Name,
    pub(super) value: &'t str,
    /// Where the value starts.
    pub(super) offset: usize,
}

/// The attributes that a location may have.
const LOCATION: [&str; 5] = ["initial", "labels", "invariant", "urgent", "committed"];
/// The attributes that an edge may have.
const EDGE: [&str; 2] = ["provided", "do"];

impl<'t> Cursor<'t, '_> {
    /// The attributes, if there are any.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute<'t>>> {
        let mut list = Vec::new();
        if !self.take('{') {
            return Ok(list);
        }
        self.skip_white();
        if self.take('}') {
            return Ok(list);
        }
        loop {
            self.skip_white();
            let key = self.name("an attribute or `}`")?;
            self.skip_white();
            self.expect(':')?;
            let start = self.position;
            let rest = self.rest();
            self.position += rest.find([':', '{', '}', '#']).unwrap_or(rest.len());
            let value = &self.text[start..self.position];
            let trimmed = value.trim_start();
            list.push(Attribute {
                key,
                offset: start + (value.len() - trimmed.len()),
                value: trimmed.trim_end(),
            });
            match self.next() {
                Some('}') => {
                    self.position += 1;
                    return Ok(list);
                }
                Some(':') => self.position += 1,
                _ => return self.fail_expected("`:` or `}`"),
            }
        }
    }

    /// Warns of attributes of declarations that have none.
    pub(super) fn no_attributes(&mut self) -> Parsed<()> {
        for attribute in self.attributes()? {
            self.unknown(&attribute.key, &[]);
        }
        Ok(())
    }

    fn unknown(&mut self, key: &Name, known: &[&str]) {
        let message = format!(
            "the attribute `{}` is not known and has no effect",
            key.text
        );
        let diagnostic = Diagnostic::warning("unknown-attribute", message, key.span)
            .with_suggestion(nearest_name(&key.text, known.iter().copied()));
        self.diagnostics.push(diagnostic);
    }

    /// Reads a location's attributes into it.
    pub(super) fn location_attributes(
        &mut self,
        attributes: &[Attribute<'t>],
        location: &mut tree::Location,
    ) {
        for attribute in attributes {
            match attribute.key.text.as_str() {
                "initial" => location.initial = self.flag(attribute),
                "committed" => location.committed = self.flag(attribute),
                "urgent" => location.urgent = self.flag(attribute),
                "labels" => location.labels.extend(self.labels(attribute)),
                "invariant" => location.invariants.extend(self.expression(attribute)),
                _ => self.unknown(&attribute.key, &LOCATION),
            }
        }
    }

    /// Reads an edge's attributes into it.
    pub(super) fn edge_attributes(&mut self, attributes: &[Attribute<'t>], edge: &mut tree::Edge) {
        for attribute in attributes {
            match attribute.key.text.as_str() {
                "provided" => edge.guards.extend(self.expression(attribute)),
                "do" => edge.statements.extend(self.statements(attribute)),
                _ => self.unknown(&attribute.key, &EDGE),
            }
        }
    }

    /// An attribute without a value: its presence counts, as in TChecker, whatever its text says.
    fn flag(&mut self, attribute: &Attribute<'t>) -> bool {
        if !attribute.value.is_empty() {
            let message = format!(
                "`{}` takes no value; it holds because it is there",
                attribute.key.text
            );
            let start = attribute.offset;
            let span = span(self.file, start, start + attribute.value.len());
            self.diagnostics
                .push(Diagnostic::warning("value-ignored", message, span));
        }
        true
    }

    fn labels(&self, attribute: &Attribute<'t>) -> Vec<Name> {
        let mut offset = attribute.offset;
        let mut labels = Vec::new();
        for part in attribute.value.split(',') {
            let text = part.trim();
            let start = offset + (part.len() - part.trim_start().len());
            if !text.is_empty() {
                labels.push(name(text, span(self.file, start, start + text.len())));
            }
            offset += part.len() + 1;
        }
        labels
    }

    fn expression(&mut self, attribute: &Attribute<'t>) -> Option<Expression> {
        let mut parser = self.parser(attribute)?;
        let expression = parser.formula().ok()?;
        parser.end().ok()?;
        Some(expression)
    }

    fn statements(&mut self, attribute: &Attribute<'t>) -> Vec<Statement> {
        let Some(mut parser) = self.parser(attribute) else {
            return Vec::new();
        };
        match parser.statements() {
            Ok(list) => parser.end().map(|()| list).unwrap_or_default(),
            Err(Broken) => Vec::new(),
        }
    }

    /// A parser of the value, unless that is missing.
    fn parser(&mut self, attribute: &Attribute<'t>) -> Option<Parser<'_>> {
        if attribute.value.is_empty() {
            let message = format!("`{}` needs a value", attribute.key.text);
            let span = attribute.key.span;
            self.diagnostics
                .push(Diagnostic::error("missing-value", message, span));
            return None;
        }
        Some(Parser::new(
            self.file,
            attribute.value,
            attribute.offset,
            false,
            self.diagnostics,
        ))
    }
}
