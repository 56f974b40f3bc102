//! All names that occur in a part of a model, outside of the places where they are declared.

use merkhet_syntax::tree::{
    Block, ChannelPriorityItem, Declaration, Dimension, Expr, ExprKind, Function, IntRange,
    Lattice, Model, Parameter, Part, QueryKind, Statement, StatementKind, Template, TypeKind,
    TypeSpec, VariableDeclaration,
};
use std::collections::HashSet;

/// Names that occur.
#[derive(Default)]
pub struct Names<'m> {
    names: HashSet<&'m str>,
}

impl<'m> Names<'m> {
    /// Whether the name occurs.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Adds those of a whole model and its queries.
    pub fn model(&mut self, model: &'m Model) {
        self.declarations(&model.declarations);
        model
            .templates
            .iter()
            .for_each(|template| self.template(template));
        self.declarations(&model.system.declarations);
        for query in &model.queries {
            match &query.kind {
                QueryKind::Possibly(p)
                | QueryKind::Invariantly(p)
                | QueryKind::PotentiallyAlways(p)
                | QueryKind::Eventually(p) => self.expression(p),
                QueryKind::LeadsTo(p, q) => {
                    self.expression(p);
                    self.expression(q);
                }
                QueryKind::Supremum(measure)
                | QueryKind::Infimum(measure)
                | QueryKind::Bounds(measure) => {
                    let parts = measure.predicate.iter().chain(&measure.expressions);
                    parts.for_each(|part| self.expression(part));
                }
                QueryKind::Empty | QueryKind::Unsupported { .. } | QueryKind::Broken => {}
            }
        }
    }

    /// All of them, in order.
    pub fn sorted(self) -> Vec<&'m str> {
        let mut names: Vec<&str> = self.names.into_iter().collect();
        names.sort_unstable();
        names
    }

    /// Adds those of a lattice.
    pub fn lattice(&mut self, lattice: &'m Lattice) {
        for field in &lattice.fields {
            self.type_spec(&field.type_spec);
            self.dimensions(&field.dimensions);
        }
        for function in &lattice.functions {
            self.function(function);
        }
    }

    /// Adds those of a function.
    pub fn function(&mut self, function: &'m Function) {
        self.type_spec(&function.return_type);
        self.parameters(&function.parameters);
        self.block(&function.body);
    }

    /// Adds those of a template.
    pub fn template(&mut self, template: &'m Template) {
        self.parameters(&template.parameters);
        self.declarations(&template.declarations);
        for location in &template.locations {
            location
                .invariant
                .iter()
                .for_each(|label| self.expression(&label.value));
            let rates = location
                .exponential_rate
                .iter()
                .flat_map(|label| &label.value);
            rates.for_each(|rate| self.expression(rate));
        }
        for edge in &template.edges {
            for binding in edge.select.iter().flat_map(|label| &label.value) {
                self.type_spec(&binding.range);
            }
            edge.guard
                .iter()
                .for_each(|label| self.expression(&label.value));
            let synchronisation = edge.synchronisation.iter();
            synchronisation.for_each(|label| self.expression(&label.value.channel));
            let updates = edge.update.iter().flat_map(|label| &label.value);
            updates.for_each(|update| self.expression(update));
            edge.probability
                .iter()
                .for_each(|label| self.expression(&label.value));
        }
    }

    fn parameters(&mut self, parameters: &'m [Parameter]) {
        for parameter in parameters {
            self.type_spec(&parameter.type_spec);
            self.dimensions(&parameter.dimensions);
        }
    }

    fn declarations(&mut self, declarations: &'m [Declaration]) {
        for declaration in declarations {
            match declaration {
                Declaration::Variables(variables) | Declaration::Typedef(variables) => {
                    self.variables(variables);
                }
                Declaration::Function(function) => self.function(function),
                Declaration::Lattice(lattice) => self.lattice(lattice),
                Declaration::Instantiation(instantiation) => {
                    self.parameters(&instantiation.parameters);
                    self.names.insert(&instantiation.template.text);
                    let arguments = instantiation.arguments.iter();
                    arguments.for_each(|argument| self.expression(argument));
                }
                Declaration::ChannelPriority(priority) => {
                    for item in priority.groups.iter().flatten() {
                        if let ChannelPriorityItem::Channel(channel) = item {
                            self.expression(channel);
                        }
                    }
                }
                Declaration::BeforeUpdate(list, _) | Declaration::AfterUpdate(list, _) => {
                    list.iter().for_each(|expr| self.expression(expr));
                }
                Declaration::Progress(measures, _) => {
                    for measure in measures {
                        measure
                            .guard
                            .iter()
                            .for_each(|guard| self.expression(guard));
                        self.expression(&measure.measure);
                    }
                }
                _ => {}
            }
        }
    }

    fn variables(&mut self, variables: &'m VariableDeclaration) {
        self.type_spec(&variables.type_spec);
        for declarator in &variables.declarators {
            self.dimensions(&declarator.dimensions);
            if let Some(value) = &declarator.initialiser {
                value.for_each_expr(&mut |expr| self.expression(expr));
            }
        }
    }

    fn dimensions(&mut self, dimensions: &'m [Dimension]) {
        for dimension in dimensions {
            match dimension {
                Dimension::Size(size) => self.expression(size),
                Dimension::Index(index) => self.type_spec(index),
            }
        }
    }

    fn type_spec(&mut self, spec: &'m TypeSpec) {
        match &spec.kind {
            TypeKind::Int(Some(range)) => {
                let IntRange { lower, upper } = &**range;
                [lower, upper]
                    .into_iter()
                    .flatten()
                    .for_each(|bound| self.expression(bound));
            }
            TypeKind::Scalar(size) => self.expression(size),
            TypeKind::Struct(fields) => {
                for field in fields {
                    self.type_spec(&field.type_spec);
                    self.dimensions(&field.dimensions);
                }
            }
            TypeKind::Named(name) => {
                self.names.insert(name);
            }
            _ => {}
        }
    }

    /// Adds those of a block.
    pub fn block(&mut self, block: &'m Block) {
        self.declarations(&block.declarations);
        block
            .statements
            .iter()
            .for_each(|inner| self.statement(inner));
    }

    fn statement(&mut self, statement: &'m Statement) {
        if let StatementKind::Iteration { range, .. } = &statement.kind {
            self.type_spec(range);
        }
        statement.kind.for_each_part(|part| match part {
            Part::Expr(expr) => self.expression(expr),
            Part::Statement(inner) => self.statement(inner),
            Part::Block(block) => self.block(block),
        });
    }

    fn expression(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.names.insert(name);
            }
            ExprKind::Field { field, .. } => {
                // `P.f(…)` calls a function of a process.
                self.names.insert(&field.text);
            }
            ExprKind::Quantified { range, .. } => self.type_spec(range),
            _ => {}
        }
        expr.kind.for_each_child(|child| self.expression(child));
    }
}
