//! Statements, guards, invariants and synchronisations in UPPAAL's syntax.

use super::Writer;
use super::expression::{alike, level};
use crate::constraint::{ClockConstraint, Guard, Invariant};
use crate::expression::{Expr, Stmt, UnaryOp};
use crate::network::Sync;

impl Writer<'_> {
    /// A statement as an expression with an effect, the way updates are written.
    pub fn effect(&self, statement: &Stmt) -> String {
        match statement {
            Stmt::Assign { target, value, .. } => {
                format!(
                    "{} = {}",
                    self.place(target),
                    self.expr(value, level::ASSIGN)
                )
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => {
                let sources = self.parts(source, *cells);
                for (to, shape) in self.parts(target, *cells) {
                    if let Some((from, _)) = sources.iter().find(|(_, other)| alike(&shape, other))
                    {
                        return format!("{to} = {from}");
                    }
                }
                self.complain(|| "a copy between variables of different types".into());
                format!(
                    "copy({}, {}, {cells})",
                    self.place(target),
                    self.place(source)
                )
            }
            Stmt::Reset { clock, value, .. } => {
                format!(
                    "{} = {}",
                    self.clock_place(clock),
                    self.expr(value, level::ASSIGN)
                )
            }
            Stmt::CopyClock {
                target,
                source,
                offset,
            } => {
                self.complain(|| "a clock that is set to another one".into());
                match offset {
                    0 => format!("{} = {}", self.clock(*target), self.clock(*source)),
                    offset => format!(
                        "{} = {} + {offset}",
                        self.clock(*target),
                        self.clock(*source)
                    ),
                }
            }
            Stmt::Evaluate(expr) => self.expr(expr, level::ASSIGN),
            Stmt::Return(value) => {
                self.complain(|| "`return` outside a function".into());
                value.as_ref().map_or("return".into(), |value| {
                    format!("return {}", self.expr(value, level::ASSIGN))
                })
            }
            Stmt::If { .. } | Stmt::While { .. } | Stmt::For { .. } | Stmt::ReturnCopy(..) => {
                self.complain(|| "a control statement outside a function".into());
                let mut text = String::new();
                self.statement(statement, 0, &mut text);
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Statements of a function, one line each.
    pub fn block(&self, statements: &[Stmt], depth: usize, out: &mut String) {
        for statement in statements {
            self.statement(statement, depth, out);
        }
    }

    fn statement(&self, statement: &Stmt, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        match statement {
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                *out += &format!("{indent}if ({}) {{\n", self.expr(condition, level::ANY));
                self.block(then, depth + 1, out);
                if !otherwise.is_empty() {
                    *out += &format!("{indent}}} else {{\n");
                    self.block(otherwise, depth + 1, out);
                }
                *out += &format!("{indent}}}\n");
            }
            Stmt::While {
                condition,
                body,
                test_first,
                ..
            } => {
                let condition = self.expr(condition, level::ANY);
                match test_first {
                    true => *out += &format!("{indent}while ({condition}) {{\n"),
                    false => *out += &format!("{indent}do {{\n"),
                }
                self.block(body, depth + 1, out);
                match test_first {
                    true => *out += &format!("{indent}}}\n"),
                    false => *out += &format!("{indent}}} while ({condition});\n"),
                }
            }
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => {
                let variable = self.local_name(variable.offset);
                *out += &format!("{indent}for ({variable} : int[{low},{high}]) {{\n");
                self.block(body, depth + 1, out);
                *out += &format!("{indent}}}\n");
            }
            Stmt::Return(None) => *out += &format!("{indent}return;\n"),
            Stmt::Return(Some(value)) => {
                *out += &format!("{indent}return {};\n", self.expr(value, level::ANY))
            }
            Stmt::ReturnCopy(place, cells) => {
                let parts = self.parts(place, *cells);
                let text = match parts.first() {
                    Some((text, _)) => text.clone(),
                    None => self.place(place),
                };
                *out += &format!("{indent}return {text};\n");
            }
            other => *out += &format!("{indent}{};\n", self.effect(other)),
        }
    }

    /// A clock constraint.
    pub fn constraint(&self, constraint: &ClockConstraint) -> String {
        let bare = self.bare_constraint(constraint);
        match &constraint.condition {
            None => bare,
            Some(condition) => {
                format!("(!{} || {bare})", self.expr(condition, level::UNARY + 1))
            }
        }
    }

    fn bare_constraint(&self, constraint: &ClockConstraint) -> String {
        let (less, more) = match constraint.strict {
            true => ("<", ">"),
            false => ("<=", ">="),
        };
        let bound = |expr: &Expr| self.expr(expr, 10);
        match (constraint.left, constraint.right) {
            (Some(left), None) => {
                format!("{} {less} {}", self.clock(left), bound(&constraint.bound))
            }
            (Some(left), Some(right)) => {
                format!(
                    "{} - {} {less} {}",
                    self.clock(left),
                    self.clock(right),
                    bound(&constraint.bound)
                )
            }
            (None, Some(right)) => {
                let least = match &constraint.bound {
                    Expr::Const(value) if *value != i32::MIN => bound(&Expr::Const(-value)),
                    Expr::Unary(UnaryOp::Negate, inner, _) => bound(inner),
                    other => format!("-{}", self.expr(other, level::UNARY + 1)),
                };
                format!("{} {more} {least}", self.clock(right))
            }
            (None, None) => format!("0 {less} {}", bound(&constraint.bound)),
        }
    }

    fn conjunction(&self, data: &Option<Expr>, clocks: &[ClockConstraint]) -> Vec<String> {
        let data = data.iter().map(|data| match data {
            Expr::Const(0) => "false".into(),
            data => self.expr(data, level::AND),
        });
        data.chain(clocks.iter().map(|constraint| self.constraint(constraint)))
            .collect()
    }

    /// A guard; empty if nothing is asked for.
    pub fn guard(&self, guard: &Guard) -> String {
        self.conjunction(&guard.data, &guard.clocks).join(" && ")
    }

    /// An invariant; empty if nothing is asked for.
    pub fn invariant(&self, invariant: &Invariant) -> String {
        let mut parts = self.conjunction(&invariant.data, &invariant.clocks);
        for rate in &invariant.rates {
            parts.push(format!(
                "{}' == {}",
                self.clock(rate.clock),
                self.expr(&rate.value, 9)
            ));
        }
        parts.join(" && ")
    }

    /// An update; empty if nothing is done.
    pub fn update(&self, statements: &[Stmt]) -> String {
        let parts: Vec<String> = statements
            .iter()
            .map(|statement| self.effect(statement))
            .collect();
        parts.join(", ")
    }

    /// A synchronisation; empty if there is none.
    pub fn sync(&self, sync: Sync) -> String {
        match sync {
            Sync::Internal => String::new(),
            Sync::Send(channel) => format!("{}!", self.names.channels[channel.index()]),
            Sync::Receive(channel) => format!("{}?", self.names.channels[channel.index()]),
            Sync::Event(event) => {
                self.complain(|| "a synchronisation vector".into());
                format!("event {}", self.network.events[event.index()])
            }
        }
    }
}
