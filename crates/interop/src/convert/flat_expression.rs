//! Expressions and statements of a network in TChecker's language.
//!
//! That language has conjunctions only; `a || b` is written as a conditional value that must be 1.

use merkhet_network::memory::Variable;
use merkhet_network::{
    Argument, BinaryOp, ClockConstraint, ClockPlace, Expr, Network, Place, Region, Stmt, UnaryOp,
};

use super::NotConvertible;
use super::flat::{Names, refuse};

/// Writes expressions of a network.
pub(super) struct Flat<'n> {
    pub network: &'n Network,
    pub names: &'n Names,
    /// Whether a variable is indexed by something that is not a constant.
    pub indexed: Vec<bool>,
}

type Written = Result<String, NotConvertible>;

impl<'n> Flat<'n> {
    pub fn new(network: &'n Network, names: &'n Names) -> Result<Flat<'n>, NotConvertible> {
        let mut flat = Flat {
            network,
            names,
            indexed: vec![false; network.variables.len()],
        };
        let mut places = Vec::new();
        for process in &network.processes {
            for location in &process.locations {
                constraint_places(
                    location.invariant.data.as_ref(),
                    &location.invariant.clocks,
                    &mut places,
                );
            }
            for edge in &process.edges {
                constraint_places(edge.guard.data.as_ref(), &edge.guard.clocks, &mut places);
                edge.update
                    .iter()
                    .for_each(|statement| statement_places(statement, &mut places));
            }
        }
        for place in places.into_iter().filter(|place| !place.indices.is_empty()) {
            if let Some((index, _)) = flat.variable(place) {
                flat.indexed[index] = true;
            }
        }
        Ok(flat)
    }

    fn variable(&self, place: &Place) -> Option<(usize, &'n Variable)> {
        let base = place.base;
        self.network
            .variables
            .iter()
            .enumerate()
            .find(|(_, variable)| {
                let first = variable.base.offset;
                variable.base.region == base.region
                    && (first..first + variable.shape.cells()).contains(&base.offset)
            })
    }

    /// The name of a single cell.
    pub fn cell_name(&self, variable: usize, offset: usize, cells: usize) -> String {
        let name = &self.names.variables[variable];
        match (self.indexed[variable], cells) {
            (true, _) => format!("{name}[{offset}]"),
            (false, 1) => name.clone(),
            (false, _) => format!("{name}_at_{offset}"),
        }
    }

    fn place(&self, place: &Place) -> Written {
        if place.base.region == Region::Local {
            return refuse("local variables of functions and quantifiers");
        }
        let Some((index, variable)) = self.variable(place) else {
            return refuse("a place that belongs to no variable");
        };
        if place.base.region == Region::Constant {
            return refuse(format!("the constant array {}", variable.name));
        }
        let offset = place.base.offset - variable.base.offset;
        if place.indices.is_empty() {
            let cells = variable.shape.cells() as usize;
            return Ok(self.cell_name(index, offset as usize, cells));
        }
        let mut terms = Vec::new();
        if offset != 0 {
            terms.push(offset.to_string());
        }
        for index in &place.indices {
            let value = self.value(&index.value)?;
            terms.push(match index.stride {
                1 => format!("({value})"),
                stride => format!("({value}) * {stride}"),
            });
        }
        Ok(format!(
            "{}[{}]",
            self.names.variables[index],
            terms.join(" + ")
        ))
    }

    fn clock(&self, clock: &ClockPlace) -> Written {
        match clock.indices.is_empty() {
            true => Ok(self.names.clocks[clock.base.index()].clone()),
            false => refuse("an index of a clock"),
        }
    }

    /// A number.
    fn value(&self, expr: &Expr) -> Written {
        let pair = |a: &Expr, sign: &str, b: &Expr| -> Written {
            Ok(format!("({} {sign} {})", self.value(a)?, self.value(b)?))
        };
        match expr {
            Expr::Const(value) if *value < 0 => Ok(format!("({value})")),
            Expr::Const(value) => Ok(value.to_string()),
            Expr::Load(place) => self.place(place),
            Expr::Checked { value, .. } => self.value(value),
            Expr::Unary(UnaryOp::Negate, operand, _) => Ok(format!("(-{})", self.value(operand)?)),
            Expr::Unary(UnaryOp::Abs, operand, _) => {
                let value = self.value(operand)?;
                Ok(format!("(if {value} < 0 then (-{value}) else {value})"))
            }
            Expr::Binary(op, a, b, _) => match op {
                BinaryOp::Add => pair(a, "+", b),
                BinaryOp::Subtract => pair(a, "-", b),
                BinaryOp::Multiply => pair(a, "*", b),
                BinaryOp::Divide => pair(a, "/", b),
                BinaryOp::Remainder => pair(a, "%", b),
                BinaryOp::Minimum | BinaryOp::Maximum => {
                    let (a, b) = (self.value(a)?, self.value(b)?);
                    let sign = if *op == BinaryOp::Minimum { "<" } else { ">" };
                    Ok(format!("(if {a} {sign} {b} then {a} else {b})"))
                }
                _ if comparison(*op).is_some() => self.truth_as_number(expr),
                _ => refuse("shifts, powers and operations on bits"),
            },
            Expr::Conditional(condition, then, otherwise) => Ok(format!(
                "(if {} then {} else {})",
                self.truth(condition)?,
                self.value(then)?,
                self.value(otherwise)?
            )),
            Expr::And(_) | Expr::Or(_) | Expr::Unary(UnaryOp::Not, ..) => {
                self.truth_as_number(expr)
            }
            Expr::Unary(UnaryOp::BitNot, ..) => refuse("operations on bits"),
            Expr::Quantified { .. } => refuse("quantifiers"),
            Expr::Call { function, .. } => {
                let name = &self.network.functions[function.index()].name;
                refuse(format!("a call of the function {name}"))
            }
            Expr::Then(..) => refuse("assignments inside expressions"),
            Expr::At(..) => refuse("where another process is"),
        }
    }

    fn truth_as_number(&self, expr: &Expr) -> Written {
        Ok(format!("(if {} then 1 else 0)", self.truth(expr)?))
    }

    /// A condition: a conjunction of comparisons.
    fn truth(&self, expr: &Expr) -> Written {
        match expr {
            Expr::And(items) if items.is_empty() => Ok("1 == 1".into()),
            Expr::And(items) => {
                let parts: Result<Vec<String>, _> =
                    items.iter().map(|item| self.truth(item)).collect();
                Ok(parts?.join(" && "))
            }
            Expr::Or(items) => {
                let mut text = "0".to_string();
                for item in items.iter().rev() {
                    text = format!("(if {} then 1 else {text})", self.truth(item)?);
                }
                Ok(format!("{text} == 1"))
            }
            Expr::Unary(UnaryOp::Not, operand, _) => {
                Ok(format!("(if {} then 1 else 0) == 0", self.truth(operand)?))
            }
            Expr::Binary(op, a, b, _) => match comparison(*op) {
                Some(sign) => Ok(format!("{} {sign} {}", self.value(a)?, self.value(b)?)),
                None => Ok(format!("{} != 0", self.value(expr)?)),
            },
            Expr::Const(value) => Ok(if *value == 0 { "0 == 1" } else { "1 == 1" }.into()),
            other => Ok(format!("{} != 0", self.value(other)?)),
        }
    }

    /// A guard or an invariant; empty if nothing is asked for.
    pub fn condition(&self, data: Option<&Expr>, clocks: &[ClockConstraint]) -> Written {
        let mut parts = Vec::new();
        if let Some(data) = data {
            parts.push(self.truth(data)?);
        }
        for constraint in clocks {
            parts.push(self.constraint(constraint)?);
        }
        Ok(parts.join(" && "))
    }

    fn constraint(&self, constraint: &ClockConstraint) -> Written {
        if constraint.condition.is_some() {
            return refuse("a constraint on a clock that holds only under a condition");
        }
        let bound = self.value(&constraint.bound)?;
        let name = |clock: merkhet_network::ClockId| &self.names.clocks[clock.index()];
        let less = if constraint.strict { "<" } else { "<=" };
        let more = if constraint.strict { ">" } else { ">=" };
        Ok(match (constraint.left, constraint.right) {
            (Some(left), None) => format!("{} {less} {bound}", name(left)),
            (None, Some(right)) => match &constraint.bound {
                Expr::Const(value) => format!("{} {more} {}", name(right), -i64::from(*value)),
                _ => format!("{} {more} (-{bound})", name(right)),
            },
            (Some(left), Some(right)) => format!("{} - {} {less} {bound}", name(left), name(right)),
            (None, None) => format!("0 {less} {bound}"),
        })
    }

    /// Statements, separated as in an attribute.
    pub fn statements(&self, statements: &[Stmt]) -> Written {
        let parts: Result<Vec<String>, _> =
            statements.iter().map(|one| self.statement(one)).collect();
        Ok(parts?.join("; "))
    }

    fn statement(&self, statement: &Stmt) -> Written {
        match statement {
            Stmt::Assign { target, value, .. } => {
                Ok(format!("{} = {}", self.place(target)?, self.value(value)?))
            }
            Stmt::Reset { clock, value, .. } => match value.as_const() {
                Some(value) => Ok(format!("{} = {value}", self.clock(clock)?)),
                None => refuse("a clock that is set to a value of variables"),
            },
            Stmt::CopyClock {
                target,
                source,
                offset,
            } => {
                let name = |clock: &merkhet_network::ClockId| &self.names.clocks[clock.index()];
                Ok(match offset {
                    0 => format!("{} = {}", name(target), name(source)),
                    offset => format!("{} = {} + {offset}", name(target), name(source)),
                })
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.truth(condition)?;
                let then = if then.is_empty() {
                    "nop".into()
                } else {
                    self.statements(then)?
                };
                Ok(match otherwise.is_empty() {
                    true => format!("if {condition} then {then} end"),
                    false => format!(
                        "if {condition} then {then} else {} end",
                        self.statements(otherwise)?
                    ),
                })
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => {
                let fixed = target.indices.is_empty() && source.indices.is_empty();
                if !fixed {
                    return refuse("a copy of an array or structure at a variable index");
                }
                let part = |offset| {
                    Ok(format!(
                        "{} = {}",
                        self.place(&target.plus(offset))?,
                        self.place(&source.plus(offset))?
                    ))
                };
                let parts: Result<Vec<String>, NotConvertible> = (0..*cells).map(part).collect();
                Ok(parts?.join("; "))
            }
            Stmt::Evaluate(expr) => {
                // Only functions have effects here, and they cannot be said; the rest does nothing.
                self.value(expr)?;
                Ok("nop".into())
            }
            Stmt::While { .. } | Stmt::For { .. } => refuse("loops"),
            Stmt::Return(_) | Stmt::ReturnCopy(..) => refuse("`return`"),
        }
    }
}

fn comparison(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Greater => ">",
        _ => return None,
    })
}

fn constraint_places<'e>(
    data: Option<&'e Expr>,
    clocks: &'e [ClockConstraint],
    found: &mut Vec<&'e Place>,
) {
    data.into_iter().for_each(|expr| expr_places(expr, found));
    clocks
        .iter()
        .for_each(|constraint| expr_places(&constraint.bound, found));
}

fn place_places<'e>(place: &'e Place, found: &mut Vec<&'e Place>) {
    found.push(place);
    place
        .indices
        .iter()
        .for_each(|index| expr_places(&index.value, found));
}

fn expr_places<'e>(expr: &'e Expr, found: &mut Vec<&'e Place>) {
    match expr {
        Expr::Const(_) | Expr::At(..) => {}
        Expr::Load(place) => place_places(place, found),
        Expr::Unary(_, operand, _) => expr_places(operand, found),
        Expr::Checked { value, .. } => expr_places(value, found),
        Expr::Binary(_, a, b, _) => [a, b].into_iter().for_each(|one| expr_places(one, found)),
        Expr::And(items) | Expr::Or(items) => items.iter().for_each(|one| expr_places(one, found)),
        Expr::Conditional(a, b, c) => [a, b, c]
            .into_iter()
            .for_each(|one| expr_places(one, found)),
        Expr::Quantified { body, .. } => expr_places(body, found),
        Expr::Call { arguments, .. } => arguments.iter().for_each(|argument| match argument {
            Argument::Value(value) => expr_places(value, found),
            Argument::Copy(place, _) => place_places(place, found),
        }),
        Expr::Then(statements, value) => {
            statements
                .iter()
                .for_each(|one| statement_places(one, found));
            expr_places(value, found);
        }
    }
}

fn statement_places<'e>(statement: &'e Stmt, found: &mut Vec<&'e Place>) {
    match statement {
        Stmt::Assign { target, value, .. } => {
            place_places(target, found);
            expr_places(value, found);
        }
        Stmt::Copy { target, source, .. } => [target, source]
            .into_iter()
            .for_each(|one| place_places(one, found)),
        Stmt::Reset { value, .. } => expr_places(value, found),
        Stmt::CopyClock { .. } => {}
        Stmt::Evaluate(expr) => expr_places(expr, found),
        Stmt::If {
            condition,
            then,
            otherwise,
        } => {
            expr_places(condition, found);
            then.iter()
                .chain(otherwise)
                .for_each(|one| statement_places(one, found));
        }
        Stmt::While {
            condition, body, ..
        } => {
            expr_places(condition, found);
            body.iter().for_each(|one| statement_places(one, found));
        }
        Stmt::For { body, .. } => body.iter().for_each(|one| statement_places(one, found)),
        Stmt::Return(value) => value.iter().for_each(|one| expr_places(one, found)),
        Stmt::ReturnCopy(place, _) => place_places(place, found),
    }
}
