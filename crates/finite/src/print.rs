//! A finite system as text, in the notation of SMV. Expressions that are used more than once, and long ones, get a
//! name of their own, so that the text is no longer than the graph of expressions.

use crate::{Arithmetic, Assignment, AssignmentTime, Domain, ExpressionId, Node, Role, System};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Longer expressions get a name.
const LONGEST: usize = 120;

/// Domains with more values are shown by their ends.
const MOST_VALUES: usize = 64;

/// The values of a domain.
pub fn domain(system: &System, domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "boolean".into(),
        Domain::Word { signed, width } => {
            format!(
                "{} word[{width}]",
                if *signed { "signed" } else { "unsigned" }
            )
        }
        Domain::Values(values) => {
            let shown: Vec<String> = values
                .iter()
                .take(MOST_VALUES)
                .map(|v| system.show(*v))
                .collect();
            match values.last().filter(|_| values.len() > MOST_VALUES) {
                Some(last) => format!("{{{}, …, {}}}", shown.join(", "), system.show(*last)),
                None => format!("{{{}}}", shown.join(", ")),
            }
        }
    }
}

/// An assignment as it is written, if that is short: what it was written as may have been definitions and instances.
pub fn assignment(system: &System, assignment: &Assignment) -> Option<String> {
    const LONGEST: usize = 120;
    let name = &system.variable(assignment.variable).name;
    let target = match assignment.time {
        AssignmentTime::Initial => format!("init({name})"),
        AssignmentTime::Always => name.clone(),
        AssignmentTime::Next(_) => format!("next({name})"),
    };
    let mut printer = Printer {
        system,
        texts: FxHashMap::default(),
        definitions: String::new(),
        named: 0,
    };
    printer.add(&[assignment.value]);
    let text = format!("{target} := {}", printer.of(assignment.value));
    (printer.definitions.is_empty() && text.len() <= LONGEST).then_some(text)
}

/// The whole system.
pub fn text(system: &System) -> String {
    let mut text = String::new();
    for (role, title) in [
        (Role::State, "VAR"),
        (Role::Frozen, "FROZENVAR"),
        (Role::Input, "IVAR"),
    ] {
        let mut of_role = system
            .variables
            .iter()
            .filter(|variable| variable.role == role)
            .peekable();
        if of_role.peek().is_some() {
            let _ = writeln!(text, "{title}");
        }
        for variable in of_role {
            let _ = writeln!(
                text,
                "  {} : {};",
                variable.name,
                domain(system, &variable.domain)
            );
        }
    }
    let mut roots = system.initial.clone();
    roots.extend(&system.invariants);
    roots.extend(&system.justice);
    for (premise, conclusion) in &system.compassion {
        roots.extend([premise, conclusion]);
    }
    roots.extend(system.events.iter().flat_map(|event| &event.relation));
    let mut printer = Printer {
        system,
        texts: FxHashMap::default(),
        definitions: String::new(),
        named: 0,
    };
    printer.add(&roots);
    if !printer.definitions.is_empty() {
        let _ = write!(text, "DEFINE\n{}", printer.definitions);
    }
    for (title, ids) in [
        ("INIT", &system.initial),
        ("INVAR", &system.invariants),
        ("FAIRNESS", &system.justice),
    ] {
        for id in ids {
            let _ = writeln!(text, "{title} {}", printer.of(*id));
        }
    }
    for &(premise, conclusion) in &system.compassion {
        let (premise, conclusion) = (printer.of(premise), printer.of(conclusion));
        let _ = writeln!(text, "COMPASSION ({premise}, {conclusion})");
    }
    for event in &system.events {
        let name = if event.name.is_empty() {
            "main"
        } else {
            &event.name
        };
        let _ = writeln!(text, "TRANS -- {name}");
        for id in &event.relation {
            let _ = writeln!(text, "  & {}", printer.of(*id));
        }
        if !event.unchanged.is_empty() {
            let _ = writeln!(
                text,
                "  -- {} variables keep their values",
                event.unchanged.len()
            );
        }
    }
    for specification in &system.specifications {
        let _ = writeln!(text, "SPEC {}", specification.text);
    }
    text
}

struct Printer<'a> {
    system: &'a System,
    texts: FxHashMap<ExpressionId, String>,
    definitions: String,
    named: usize,
}

impl Printer<'_> {
    fn add(&mut self, roots: &[ExpressionId]) {
        let all = self.system.reachable_expressions(roots);
        let mut uses: FxHashMap<ExpressionId, usize> = FxHashMap::default();
        for &id in &all {
            self.system
                .expressions
                .for_each_part(id, |part| *uses.entry(part).or_default() += 1);
        }
        for id in all {
            let text = self.expression(id);
            let leaf = matches!(
                self.system.expressions.node(id),
                Node::Constant(_) | Node::Variable(_) | Node::Next(_) | Node::Not(_)
            );
            let shared = uses.get(&id).copied().unwrap_or(0) > 1;
            let text = if !leaf && (shared || text.len() > LONGEST) {
                self.named += 1;
                let _ = writeln!(self.definitions, "  _e{} := {text};", self.named);
                format!("_e{}", self.named)
            } else {
                text
            };
            self.texts.insert(id, text);
        }
    }

    fn of(&self, id: ExpressionId) -> &str {
        self.texts.get(&id).map_or("?", String::as_str)
    }

    fn expression(&self, id: ExpressionId) -> String {
        let of = |id: &ExpressionId| self.of(*id);
        let all = |parts: &[ExpressionId], between: &str| {
            parts.iter().map(of).collect::<Vec<_>>().join(between)
        };
        match self.system.expressions.node(id) {
            Node::Constant(value) => self.system.show(*value),
            Node::Variable(variable) => self.system.variable(*variable).name.clone(),
            Node::Next(variable) => format!("next({})", self.system.variable(*variable).name),
            Node::Not(a) => format!("!{}", of(a)),
            Node::And(parts) => format!("({})", all(parts, " & ")),
            Node::Or(parts) => format!("({})", all(parts, " | ")),
            Node::Xor(a, b) => format!("({} xor {})", of(a), of(b)),
            Node::Equal(a, b) => format!("({} = {})", of(a), of(b)),
            Node::Less(a, b) => format!("({} < {})", of(a), of(b)),
            Node::LessEqual(a, b) => format!("({} <= {})", of(a), of(b)),
            Node::Arithmetic(operator, a, b) => {
                let sign = match operator {
                    Arithmetic::Add => "+",
                    Arithmetic::Subtract => "-",
                    Arithmetic::Multiply => "*",
                    Arithmetic::Divide => "/",
                    Arithmetic::Modulo => "mod",
                };
                format!("({} {sign} {})", of(a), of(b))
            }
            Node::Negate(a) => format!("(-{})", of(a)),
            Node::Case(branches) => {
                let branch = |pair: &[ExpressionId]| match pair {
                    [condition, value] => format!("{} : {};", of(condition), of(value)),
                    _ => String::new(),
                };
                let branches: Vec<String> = branches.chunks(2).map(branch).collect();
                format!("case {} esac", branches.join(" "))
            }
            Node::Set(parts) => format!("{{{}}}", all(parts, ", ")),
            Node::In(a, b) => format!("({} in {})", of(a), of(b)),
            Node::Count(parts) => format!("count({})", all(parts, ", ")),
            Node::Concatenate(a, b) => format!("({} :: {})", of(a), of(b)),
            Node::Select(a, high, low) => format!("{}[{high}:{low}]", of(a)),
            Node::ShiftLeft(a, b) => format!("({} << {})", of(a), of(b)),
            Node::ShiftRight(a, b) => format!("({} >> {})", of(a), of(b)),
            Node::Resize(a, width) => format!("resize({}, {width})", of(a)),
            Node::Reinterpret(a, signed) => {
                format!("{}({})", if *signed { "signed" } else { "unsigned" }, of(a))
            }
            Node::ToBoolean(a) => format!("bool({})", of(a)),
            Node::ToWord(a) => format!("word1({})", of(a)),
            Node::ToInteger(a) => format!("toint({})", of(a)),
        }
    }
}
