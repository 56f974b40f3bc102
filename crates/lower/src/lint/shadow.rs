//! Names that hide others.

use super::facts::Facts;
use merkhet_syntax::tree::{
    Block, Declaration, Expr, ExprKind, Name, Parameter, Part, Statement, StatementKind,
};
use merkhet_syntax::{Diagnostic, Span};
use std::collections::HashMap;

/// Names of the scopes around a place, innermost last.
struct Scopes<'m, 'o> {
    names: HashMap<&'m str, Vec<Span>>,
    out: &'o mut Vec<Diagnostic>,
}

/// A name of a parameter, variable, select or quantifier that hides another one.
pub fn shadowed_names(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let mut scopes = Scopes {
        names: HashMap::new(),
        out,
    };
    let mut global = Vec::new();
    scopes.declarations(&facts.model.declarations, &mut global);
    for template in &facts.model.templates {
        let mut own = Vec::new();
        scopes.parameters(&template.parameters, &mut own);
        scopes.declarations(&template.declarations, &mut own);
        for location in &template.locations {
            location
                .invariant
                .iter()
                .for_each(|label| scopes.expression(&label.value));
        }
        for edge in &template.edges {
            let mut selected = Vec::new();
            for binding in edge.select.iter().flat_map(|label| &label.value) {
                scopes.enter(&binding.name, &mut selected);
            }
            edge.guard
                .iter()
                .for_each(|label| scopes.expression(&label.value));
            let updates = edge.update.iter().flat_map(|label| &label.value);
            updates.for_each(|expr| scopes.expression(expr));
            scopes.leave(selected);
        }
        scopes.leave(own);
    }
    scopes.leave(global);
}

impl<'m> Scopes<'m, '_> {
    fn enter(&mut self, name: &'m Name, entered: &mut Vec<&'m str>) {
        let hidden = self.names.entry(&name.text).or_default();
        if let Some(first) = hidden.last() {
            let message = format!("`{}` hides another declaration", name.text);
            self.out.push(
                Diagnostic::warning("shadowed-name", message, name.span)
                    .with_label(*first, "the one that is hidden"),
            );
        }
        hidden.push(name.span);
        entered.push(&name.text);
    }

    fn leave(&mut self, entered: Vec<&'m str>) {
        for name in entered {
            if let Some(spans) = self.names.get_mut(name) {
                spans.pop();
            }
        }
    }

    fn parameters(&mut self, parameters: &'m [Parameter], entered: &mut Vec<&'m str>) {
        for parameter in parameters {
            self.enter(&parameter.name, entered);
        }
    }

    fn declarations(&mut self, declarations: &'m [Declaration], entered: &mut Vec<&'m str>) {
        for declaration in declarations {
            match declaration {
                Declaration::Variables(variables) | Declaration::Typedef(variables) => {
                    for declarator in &variables.declarators {
                        self.enter(&declarator.name, entered);
                    }
                }
                Declaration::Function(function) => {
                    self.enter(&function.name, entered);
                    let mut own = Vec::new();
                    self.parameters(&function.parameters, &mut own);
                    self.block(&function.body);
                    self.leave(own);
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &'m Block) {
        let mut own = Vec::new();
        self.declarations(&block.declarations, &mut own);
        block
            .statements
            .iter()
            .for_each(|inner| self.statement(inner));
        self.leave(own);
    }

    fn statement(&mut self, statement: &'m Statement) {
        let mut own = Vec::new();
        if let StatementKind::Iteration { variable, .. } = &statement.kind {
            self.enter(variable, &mut own);
        }
        statement.kind.for_each_part(|part| match part {
            Part::Expr(expr) => self.expression(expr),
            Part::Statement(inner) => self.statement(inner),
            Part::Block(block) => self.block(block),
        });
        self.leave(own);
    }

    fn expression(&mut self, expr: &'m Expr) {
        let mut own = Vec::new();
        if let ExprKind::Quantified { variable, .. } = &expr.kind {
            self.enter(variable, &mut own);
        }
        expr.kind.for_each_child(|child| self.expression(child));
        self.leave(own);
    }
}
