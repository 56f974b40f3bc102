//! Updates: all assignments of an edge at once, each with what was assigned before it put in.

use std::collections::BTreeMap;

use merkhet_network::visit::Footprints;
use merkhet_network::{Address, BinaryOp, ChannelKind, Expr, Place, Region, Stmt, Sync};

use super::{Exporter, refuse};
use crate::convert::NotConvertible;

/// The cases of an expression that cannot be written otherwise.
const MOST: i64 = 64;

/// What has been assigned so far, in terms of the values before the edge.
#[derive(Clone, Default)]
struct Assigned {
    cells: BTreeMap<usize, String>,
    clocks: Vec<String>,
}

impl Exporter<'_> {
    /// Refuses networks in which a sender and a receiver touch the same variable: Munta's receiver goes first.
    pub(super) fn independent_updates(&self) -> Result<(), NotConvertible> {
        let mut footprints = Footprints::new(self.network);
        let edges = |wanted: fn(Sync) -> Option<usize>| {
            let processes = self.network.processes.iter().enumerate();
            processes.flat_map(move |(process, automaton)| {
                let edges = automaton.edges.iter();
                edges.filter_map(move |edge| Some((process, edge, wanted(edge.sync)?)))
            })
        };
        let senders = edges(|sync| match sync {
            Sync::Send(channel) => Some(channel.index()),
            _ => None,
        });
        for (sender, send, channel) in senders {
            if self.network.channels[channel].kind == ChannelKind::Broadcast {
                continue;
            }
            let first = footprints.stmts(&send.update);
            let receivers = edges(|sync| match sync {
                Sync::Receive(channel) => Some(channel.index()),
                _ => None,
            });
            for (receiver, receive, other) in receivers {
                if other != channel || receiver == sender {
                    continue;
                }
                let second = footprints.stmts(&receive.update);
                if first.writes.intersects(&second.reads)
                    || first.writes.intersects(&second.writes)
                    || first.reads.intersects(&second.writes)
                {
                    return refuse(format!(
                        "sender and receiver over {} touch the same variable, and Munta's receiver goes first",
                        self.network.channels[channel].name
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn update(&self, statements: &[Stmt]) -> Result<String, NotConvertible> {
        let mut assigned = Assigned::default();
        self.run(statements, &mut assigned)?;
        let mut texts = assigned.clocks;
        for (cell, value) in assigned.cells {
            self.cells.borrow_mut().insert(cell);
            let initial = self.network.state_cells[cell].initial;
            let value = match initial {
                0 => value,
                _ => format!("({value} - {initial})"),
            };
            texts.push(format!("{} := {value}", self.names.cells[cell]));
        }
        Ok(texts.join(", "))
    }

    fn run(&self, statements: &[Stmt], assigned: &mut Assigned) -> Result<(), NotConvertible> {
        for statement in statements {
            match statement {
                Stmt::Assign { target, value, .. } => {
                    let value = self.value(value, assigned)?;
                    self.assign(target, &value, assigned)?;
                }
                Stmt::Reset { clock, value, .. } => {
                    if !clock.indices.is_empty() || self.constant(value) != Some(0) {
                        return refuse("clocks can be set to 0 only");
                    }
                    let clock = clock.base.index();
                    self.clocks.borrow_mut().insert(clock);
                    let text = format!("{} := 0", self.names.clocks[clock]);
                    if !assigned.clocks.contains(&text) {
                        assigned.clocks.push(text);
                    }
                }
                Stmt::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let condition = self.test(condition, assigned)?;
                    let (mut yes, mut no) = (assigned.clone(), assigned.clone());
                    self.run(then, &mut yes)?;
                    self.run(otherwise, &mut no)?;
                    if yes.clocks != no.clocks {
                        return refuse("resets under a condition cannot be said");
                    }
                    let cells: Vec<usize> =
                        yes.cells.keys().chain(no.cells.keys()).copied().collect();
                    for cell in cells {
                        let of = |one: &Assigned| match one.cells.get(&cell) {
                            Some(value) => value.clone(),
                            None => self.before(cell),
                        };
                        let (yes, no) = (of(&yes), of(&no));
                        let value = match yes == no {
                            true => yes,
                            false => format!("({yes} ? {condition} : {no})"),
                        };
                        assigned.cells.insert(cell, value);
                    }
                    assigned.clocks = yes.clocks;
                }
                Stmt::Evaluate(expr) if !Footprints::new(self.network).expr(expr).has_effects() => {
                }
                _ => return refuse("loops and functions with effects cannot be said"),
            }
        }
        Ok(())
    }

    /// The value before the edge.
    fn before(&self, cell: usize) -> String {
        self.cells.borrow_mut().insert(cell);
        let name = &self.names.cells[cell];
        match self.network.state_cells[cell].initial {
            0 => name.clone(),
            initial => format!("({name} + {initial})"),
        }
    }

    /// The cells that a place can be, each with the condition on the indices.
    fn targets(
        &self,
        place: &Place,
        assigned: &Assigned,
    ) -> Result<Vec<(usize, Vec<String>)>, NotConvertible> {
        if place.base.region != Region::State {
            return refuse("only variables of the state can be assigned");
        }
        let mut all = vec![(place.base.offset as usize, Vec::new())];
        for index in &place.indices {
            let value = self.value(&index.value, assigned)?;
            let at = |(base, tests): &(usize, Vec<String>)| {
                (0..index.length as usize)
                    .map(|number| {
                        let test = format!("{value} == {number}");
                        (
                            base + number * index.stride as usize,
                            [&tests[..], &[test]].concat(),
                        )
                    })
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(at).collect();
        }
        Ok(all)
    }

    fn assign(
        &self,
        target: &Place,
        value: &str,
        assigned: &mut Assigned,
    ) -> Result<(), NotConvertible> {
        let targets = self.targets(target, assigned)?;
        for (cell, tests) in targets {
            let old = match assigned.cells.get(&cell) {
                Some(old) => old.clone(),
                None => self.before(cell),
            };
            let value = match &tests[..] {
                [] => value.to_string(),
                _ => format!("({value} ? {} : {old})", tests.join(" && ")),
            };
            assigned.cells.insert(cell, value);
        }
        Ok(())
    }

    fn load(&self, cell: usize, assigned: &Assigned) -> String {
        match assigned.cells.get(&cell) {
            Some(value) => value.clone(),
            None => self.before(cell),
        }
    }

    /// A value, in brackets where it must be.
    fn value(&self, expr: &Expr, assigned: &Assigned) -> Result<String, NotConvertible> {
        if let Some(value) = self.constant(expr) {
            return Ok(value.to_string());
        }
        let number = |expr| self.value(expr, assigned);
        Ok(match expr {
            Expr::Load(place) if place.base.region == Region::State => {
                let mut value = String::new();
                for (index, (cell, tests)) in self.targets(place, assigned)?.into_iter().enumerate()
                {
                    let here = self.load(cell, assigned);
                    value = match index {
                        0 => here,
                        _ => format!("({here} ? {} : {value})", tests.join(" && ")),
                    };
                }
                value
            }
            Expr::Checked { value, .. } => number(value)?,
            Expr::Binary(op, left, right, _) => {
                let sign = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Subtract => "-",
                    BinaryOp::Multiply => "*",
                    BinaryOp::Minimum | BinaryOp::Maximum => {
                        let (left, right) = (number(left)?, number(right)?);
                        let sign = if *op == BinaryOp::Minimum { "<=" } else { ">=" };
                        return Ok(format!("({left} ? {left} {sign} {right} : {right})"));
                    }
                    _ if op.opposite().is_some() => {
                        return Ok(format!("(1 ? {} : 0)", self.test(expr, assigned)?));
                    }
                    _ => return self.value_by_cases(expr, assigned),
                };
                format!("({} {sign} {})", number(left)?, number(right)?)
            }
            Expr::Conditional(condition, then, otherwise) => {
                let condition = self.test(condition, assigned)?;
                format!("({} ? {condition} : {})", number(then)?, number(otherwise)?)
            }
            Expr::And(_) | Expr::Or(_) | Expr::Unary(merkhet_network::UnaryOp::Not, ..) => {
                format!("(1 ? {} : 0)", self.test(expr, assigned)?)
            }
            _ => return self.value_by_cases(expr, assigned),
        })
    }

    /// A condition on values.
    fn test(&self, expr: &Expr, assigned: &Assigned) -> Result<String, NotConvertible> {
        if let Some(value) = self.constant(expr) {
            return Ok(if value != 0 { "true" } else { "!(true)" }.into());
        }
        let join = |parts: &[Expr], sign: &str| {
            let parts = parts.iter().map(|part| self.test(part, assigned));
            Ok(format!(
                "({})",
                parts.collect::<Result<Vec<_>, _>>()?.join(sign)
            ))
        };
        match expr {
            Expr::And(parts) => join(parts, " && "),
            Expr::Or(parts) => join(parts, " || "),
            Expr::Unary(merkhet_network::UnaryOp::Not, inner, _) => {
                Ok(format!("!({})", self.test(inner, assigned)?))
            }
            Expr::Binary(op, left, right, _) if op.opposite().is_some() => {
                let (left, right) = (self.value(left, assigned)?, self.value(right, assigned)?);
                let sign = match op {
                    BinaryOp::Less => "<",
                    BinaryOp::LessEqual => "<=",
                    BinaryOp::Equal => "==",
                    BinaryOp::GreaterEqual => ">=",
                    BinaryOp::Greater => ">",
                    _ => return Ok(format!("!({left} == {right})")),
                };
                Ok(format!("{left} {sign} {right}"))
            }
            _ => Ok(format!("!({} == 0)", self.value(expr, assigned)?)),
        }
    }

    /// A value of any form, for each value of what it reads.
    fn value_by_cases(&self, expr: &Expr, assigned: &Assigned) -> Result<String, NotConvertible> {
        let mut text = String::new();
        for (values, interval) in self.cases(expr, MOST)? {
            let Some(value) = interval.as_point() else {
                return refuse("an expression is too involved");
            };
            let equal = |(cell, value): &(Address, i32)| {
                format!("{} == {value}", self.load(cell.offset as usize, assigned))
            };
            let tests: Vec<String> = values.iter().map(equal).collect();
            text = match text.is_empty() {
                true => value.to_string(),
                false => format!("({value} ? {} : {text})", tests.join(" && ")),
            };
        }
        Ok(text)
    }
}
