//! Prints expressions fully bracketed: two texts of one formula print alike.

use super::tree::*;
use std::fmt::{self, Display, Formatter};

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        use ExpressionKind::*;
        match &self.kind {
            Boolean(true) => f.write_str("TRUE"),
            Boolean(false) => f.write_str("FALSE"),
            Integer(value) => write!(f, "{value}"),
            Word(word) => {
                let sign = if word.signed { 's' } else { 'u' };
                write!(f, "0{sign}d{}_{}", word.width, word.bits)
            }
            Name(name) => f.write_str(name),
            SelfInstance => f.write_str("self"),
            Member(base, name) => write!(f, "{base}.{}", name.text),
            Index(base, index) => write!(f, "{base}[{index}]"),
            Select(base, high, low) => write!(f, "{base}[{high}:{low}]"),
            Unary(UnaryOperator::Not, a) => write!(f, "!{a}"),
            Unary(UnaryOperator::Negate, a) => write!(f, "-{a}"),
            Binary(BinaryOperator::Union, ..) | Set(_) => self.fmt_set(f),
            Binary(operator, a, b) => write!(f, "({a} {} {b})", operator.text()),
            Chain(ChainOperator::And, parts) => fmt_joined(f, "(", parts, " & ", ")"),
            Chain(ChainOperator::Or, parts) => fmt_joined(f, "(", parts, " | ", ")"),
            Conditional(c, a, b) => write!(f, "({c} ? {a} : {b})"),
            Case(branches) => {
                f.write_str("case ")?;
                for (condition, value) in branches {
                    write!(f, "{condition} : {value}; ")?;
                }
                f.write_str("esac")
            }
            Range(low, high) => write!(f, "({low}..{high})"),
            Next(a) => write!(f, "next({a})"),
            Init(a) => write!(f, "init({a})"),
            Call(function, arguments) => fmt_joined(
                f,
                &format!("{}(", function_name(*function)),
                arguments,
                ", ",
                ")",
            ),
            Temporal(operator, a) => write!(f, "({} {a})", format!("{operator:?}").to_uppercase()),
            Within(operator, interval, a) => {
                let (name, low, high) = (format!("{operator:?}"), interval.low, interval.high);
                write!(f, "({name} [{low}, {high}] {a})")
            }
            Array(parts) => fmt_joined(f, "[", parts, ", ", "]"),
            Until(operator, a, b) => fmt_until(f, *operator, a, b),
            Bounded(operator, interval, a) => {
                let name = format!("{operator:?}").to_uppercase();
                write!(f, "({name} {}..{} {a})", interval.low, interval.high)
            }
            BoundedUntil(exists, interval, a, b) => {
                let path = if *exists { 'E' } else { 'A' };
                write!(f, "{path} [{a} BU {}..{} {b}]", interval.low, interval.high)
            }
            PathLength(false, a, b) => write!(f, "MIN [{a}, {b}]"),
            PathLength(true, a, b) => write!(f, "MAX [{a}, {b}]"),
        }
    }
}

impl Expression {
    /// Sets and unions of the same members print alike.
    fn fmt_set(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut members = Vec::new();
        self.collect_members(&mut members);
        let texts: Vec<String> = members.iter().map(|member| member.to_string()).collect();
        write!(f, "{{{}}}", texts.join(", "))
    }

    fn collect_members<'a>(&'a self, members: &mut Vec<&'a Expression>) {
        match &self.kind {
            ExpressionKind::Binary(BinaryOperator::Union, a, b) => {
                a.collect_members(members);
                b.collect_members(members);
            }
            ExpressionKind::Set(parts) => {
                parts.iter().for_each(|part| part.collect_members(members));
            }
            _ => members.push(self),
        }
    }
}

fn fmt_joined(
    f: &mut Formatter<'_>,
    open: &str,
    parts: &[Expression],
    between: &str,
    close: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        write!(f, "{part}")?;
    }
    f.write_str(close)
}

fn fmt_until(
    f: &mut Formatter<'_>,
    operator: UntilOperator,
    a: &Expression,
    b: &Expression,
) -> fmt::Result {
    match operator {
        UntilOperator::ExistsUntil => write!(f, "E [{a} U {b}]"),
        UntilOperator::ForAllUntil => write!(f, "A [{a} U {b}]"),
        UntilOperator::Until => write!(f, "({a} U {b})"),
        UntilOperator::Releases => write!(f, "({a} V {b})"),
        UntilOperator::Since => write!(f, "({a} S {b})"),
        UntilOperator::Triggered => write!(f, "({a} T {b})"),
    }
}

fn function_name(function: Function) -> &'static str {
    match function {
        Function::Bool => "bool",
        Function::Word1 => "word1",
        Function::Signed => "signed",
        Function::Unsigned => "unsigned",
        Function::Extend => "extend",
        Function::Resize => "resize",
        Function::ToInt => "toint",
        Function::Sizeof => "sizeof",
        Function::Uwconst => "uwconst",
        Function::Swconst => "swconst",
        Function::Count => "count",
        Function::Abs => "abs",
        Function::Max => "max",
        Function::Min => "min",
    }
}
