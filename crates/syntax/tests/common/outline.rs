//! Prints trees in a short form that tests can compare: every expression fully in parentheses.
#![allow(dead_code)]

use merkhet_syntax::tree::*;

pub fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Double(value) => format!("{value:?}"),
        ExprKind::String(value) => format!("{value:?}"),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Deadlock => "DEADLOCK".into(),
        ExprKind::Unary { op, operand } => {
            let symbol = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Not => "!",
                UnaryOp::Complement => "~",
            };
            format!("({symbol}{})", expr(operand))
        }
        ExprKind::Binary { op, left, right } => {
            format!("({} {} {})", expr(left), op.symbol(), expr(right))
        }
        ExprKind::Assign { op, target, value } => {
            format!(
                "({} {}= {})",
                expr(target),
                op.map_or("", |op| op.symbol()),
                expr(value)
            )
        }
        ExprKind::Increment {
            target,
            decrement,
            postfix,
        } => {
            let symbol = if *decrement { "--" } else { "++" };
            if *postfix {
                format!("({}{symbol})", expr(target))
            } else {
                format!("({symbol}{})", expr(target))
            }
        }
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            format!(
                "({} ? {} : {})",
                expr(condition),
                expr(then),
                expr(otherwise)
            )
        }
        ExprKind::Call {
            function,
            arguments,
        } => format!("{}({})", expr(function), list(arguments, expr)),
        ExprKind::Index { array, index } => format!("{}[{}]", expr(array), expr(index)),
        ExprKind::Field { object, field } => format!("{}.{}", expr(object), field.text),
        ExprKind::Rate(clock) => format!("{}'", expr(clock)),
        ExprKind::Quantified {
            quantifier,
            variable,
            range,
            body,
        } => {
            let word = match quantifier {
                Quantifier::ForAll => "forall",
                Quantifier::Exists => "exists",
                Quantifier::Sum => "sum",
            };
            format!(
                "({word} {}:{} {})",
                variable.text,
                type_spec(range),
                expr(body)
            )
        }
        ExprKind::Comma(parts) => format!("<{}>", list(parts, expr)),
        ExprKind::Unsupported { what } => format!("UNSUPPORTED {what}"),
        ExprKind::Broken => "BROKEN".into(),
    }
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

pub fn type_spec(spec: &TypeSpec) -> String {
    let mut words = Vec::new();
    for (set, word) in [
        (spec.constant, "const"),
        (spec.meta, "meta"),
        (spec.urgent, "urgent"),
        (spec.broadcast, "broadcast"),
        (spec.hybrid, "hybrid"),
    ] {
        words.extend(set.then(|| word.to_string()));
    }
    words.push(match &spec.kind {
        TypeKind::Int(None) => "int".into(),
        TypeKind::Int(Some(range)) => {
            let bound = |bound: &Option<Expr>| bound.as_ref().map_or(String::new(), expr);
            format!("int[{},{}]", bound(&range.lower), bound(&range.upper))
        }
        TypeKind::Bool => "bool".into(),
        TypeKind::Clock => "clock".into(),
        TypeKind::Channel => "chan".into(),
        TypeKind::Double => "double".into(),
        TypeKind::String => "string".into(),
        TypeKind::Void => "void".into(),
        TypeKind::Scalar(size) => format!("scalar[{}]", expr(size)),
        TypeKind::Struct(fields) => {
            let field = |f: &StructField| {
                format!(
                    "{} {}{}",
                    type_spec(&f.type_spec),
                    f.name.text,
                    dims(&f.dimensions)
                )
            };
            format!("struct {{{}}}", list(fields, field))
        }
        TypeKind::Named(name) => format!("`{name}`"),
        TypeKind::Broken => "BROKEN".into(),
    });
    words.join(" ")
}

fn dims(dimensions: &[Dimension]) -> String {
    let show = |dimension: &Dimension| match dimension {
        Dimension::Size(size) => format!("[{}]", expr(size)),
        Dimension::Index(index) => format!("[:{}]", type_spec(index)),
    };
    dimensions.iter().map(show).collect()
}

fn initialiser(value: &Initialiser) -> String {
    match value {
        Initialiser::Expr(value) => expr(value),
        Initialiser::List(items, _) => {
            let item = |item: &InitialiserItem| match &item.field {
                Some(field) => format!("{}: {}", field.text, initialiser(&item.value)),
                None => initialiser(&item.value),
            };
            format!("{{{}}}", list(items, item))
        }
    }
}

pub fn parameter(p: &Parameter) -> String {
    let reference = if p.reference { "&" } else { "" };
    format!(
        "{} {reference}{}{}",
        type_spec(&p.type_spec),
        p.name.text,
        dims(&p.dimensions)
    )
}

fn variables(v: &VariableDeclaration) -> String {
    let one = |d: &Declarator| {
        let value = d
            .initialiser
            .as_ref()
            .map_or(String::new(), |value| format!(" = {}", initialiser(value)));
        format!("{}{}{value}", d.name.text, dims(&d.dimensions))
    };
    format!("{} {}", type_spec(&v.type_spec), list(&v.declarators, one))
}

pub fn declaration(d: &Declaration) -> String {
    match d {
        Declaration::Variables(v) => variables(v),
        Declaration::Typedef(v) => format!("typedef {}", variables(v)),
        Declaration::Function(f) => function(f),
        Declaration::Instantiation(i) => {
            let parameters = list(&i.parameters, parameter);
            format!(
                "{}({parameters}) = {}({})",
                i.name.text,
                i.template.text,
                list(&i.arguments, expr)
            )
        }
        Declaration::ChannelPriority(p) => {
            let item = |item: &ChannelPriorityItem| match item {
                ChannelPriorityItem::Default(_) => "DEFAULT".to_string(),
                ChannelPriorityItem::Channel(channel) => expr(channel),
            };
            let groups: Vec<_> = p.groups.iter().map(|group| list(group, item)).collect();
            format!("priority {}", groups.join(" < "))
        }
        Declaration::BeforeUpdate(updates, _) => format!("before {}", list(updates, expr)),
        Declaration::AfterUpdate(updates, _) => format!("after {}", list(updates, expr)),
        Declaration::Progress(measures, _) => {
            let one = |m: &ProgressMeasure| match &m.guard {
                Some(guard) => format!("{} : {}", expr(guard), expr(&m.measure)),
                None => expr(&m.measure),
            };
            format!("progress {}", list(measures, one))
        }
        Declaration::Gantt(_) => "gantt".into(),
        Declaration::Extern(name, _) => format!("extern {}", name.text),
        Declaration::Lattice(l) => {
            let fields = list(&l.fields, |f| {
                format!("{} {}", type_spec(&f.type_spec), f.name.text)
            });
            format!(
                "lattice {} {{{fields}; {}}}",
                l.name.text,
                list(&l.functions, function)
            )
        }
        Declaration::Unsupported { what, names, .. } => {
            format!(
                "UNSUPPORTED {what}: {}",
                list(names, |name| name.text.clone())
            )
        }
        Declaration::Broken(_) => "BROKEN".into(),
    }
}

fn function(f: &Function) -> String {
    let broken = if f.broken { " BROKEN" } else { "" };
    let head = format!(
        "{} {}({})",
        type_spec(&f.return_type),
        f.name.text,
        list(&f.parameters, parameter)
    );
    format!("{head} {}{broken}", block(&f.body))
}

fn block(b: &Block) -> String {
    let mut parts: Vec<String> = b.declarations.iter().map(declaration).collect();
    parts.extend(b.statements.iter().map(statement));
    format!("{{ {} }}", parts.join("; "))
}

fn statement(s: &Statement) -> String {
    let optional = |e: &Option<Expr>| e.as_ref().map_or(String::new(), expr);
    match &s.kind {
        StatementKind::Empty => "EMPTY".into(),
        StatementKind::Expr(e) => expr(e),
        StatementKind::Block(b) => block(b),
        StatementKind::If {
            branches,
            otherwise,
        } => {
            let mut parts: Vec<_> = branches
                .iter()
                .map(|(c, s)| format!("if {} {}", expr(c), statement(s)))
                .collect();
            parts.extend(otherwise.as_ref().map(|s| statement(s)));
            parts.join(" else ")
        }
        StatementKind::For {
            start,
            condition,
            step,
            body,
        } => {
            let boxed = |e: &Option<Box<Expr>>| e.as_ref().map_or(String::new(), |e| expr(e));
            format!(
                "for ({}; {}; {}) {}",
                boxed(start),
                boxed(condition),
                boxed(step),
                statement(body)
            )
        }
        StatementKind::Iteration {
            variable,
            range,
            body,
        } => {
            format!(
                "for {}:{} {}",
                variable.text,
                type_spec(range),
                statement(body)
            )
        }
        StatementKind::While { condition, body } => {
            format!("while {} {}", expr(condition), statement(body))
        }
        StatementKind::DoWhile { body, condition } => {
            format!("do {} while {}", statement(body), expr(condition))
        }
        StatementKind::Return(value) => format!("return {}", optional(value)),
        StatementKind::Assert(claim) => format!("assert {}", expr(claim)),
        StatementKind::Break => "break".into(),
        StatementKind::Continue => "continue".into(),
        StatementKind::Broken => "BROKEN".into(),
    }
}

fn label<T>(word: &str, label: &Option<Label<T>>, show: impl Fn(&T) -> String) -> String {
    label.as_ref().map_or(String::new(), |label| {
        let broken = if label.broken { "BROKEN " } else { "" };
        format!(" {word} {broken}{};", show(&label.value))
    })
}

fn end(template: &Template, end: &Endpoint) -> String {
    match &end.target {
        EndpointTarget::Location(index) => template.locations[*index].display_name().to_string(),
        EndpointTarget::Branchpoint(index) => template.branchpoints[*index].id.clone(),
        EndpointTarget::Unknown(id) => format!("UNKNOWN {id}"),
    }
}

fn edge(template: &Template, e: &Edge) -> String {
    let arrow = if e.controllable { "->" } else { "-u->" };
    let mut text = format!(
        "{} {arrow} {}",
        end(template, &e.source),
        end(template, &e.target)
    );
    let binding = |b: &SelectBinding| format!("{}:{}", b.name.text, type_spec(&b.range));
    text += &label("select", &e.select, |bindings| list(bindings, binding));
    text += &label("guard", &e.guard, expr);
    text += &label("sync", &e.synchronisation, |s| {
        let direction = match s.direction {
            Direction::Send => "!",
            Direction::Receive => "?",
            Direction::Both => "",
        };
        format!("{}{direction}", expr(&s.channel))
    });
    text += &label("assign", &e.update, |updates| list(updates, expr));
    text += &label("probability", &e.probability, expr);
    text
}

pub fn query(q: &Query) -> String {
    let measure = |m: &Measure| {
        let predicate = m
            .predicate
            .as_ref()
            .map_or(String::new(), |p| format!("{{{}}}", expr(p)));
        format!("{predicate}: {}", list(&m.expressions, expr))
    };
    match &q.kind {
        QueryKind::Possibly(p) => format!("E<> {}", expr(p)),
        QueryKind::Invariantly(p) => format!("A[] {}", expr(p)),
        QueryKind::PotentiallyAlways(p) => format!("E[] {}", expr(p)),
        QueryKind::Eventually(p) => format!("A<> {}", expr(p)),
        QueryKind::LeadsTo(p, q) => format!("{} --> {}", expr(p), expr(q)),
        QueryKind::Supremum(m) => format!("sup{}", measure(m)),
        QueryKind::Infimum(m) => format!("inf{}", measure(m)),
        QueryKind::Bounds(m) => format!("bounds{}", measure(m)),
        QueryKind::Empty => "EMPTY".into(),
        QueryKind::Unsupported { what } => format!("UNSUPPORTED {what}"),
        QueryKind::Broken => "BROKEN".into(),
    }
}

/// A whole model, a line for each part.
pub fn model(m: &Model) -> String {
    let mut lines: Vec<String> = m.declarations.iter().map(declaration).collect();
    for t in &m.templates {
        let broken = if t.broken { " BROKEN" } else { "" };
        lines.push(format!(
            "{:?} {}({}){broken}",
            t.kind,
            t.name.text,
            list(&t.parameters, parameter)
        ));
        lines.extend(
            t.declarations
                .iter()
                .map(|d| format!("  {}", declaration(d))),
        );
        for (index, l) in t.locations.iter().enumerate() {
            let mut line = format!("  location {}", l.display_name());
            for (set, word) in [
                (
                    t.initial.is_some_and(|(initial, _)| initial == index),
                    " initial",
                ),
                (l.urgent, " urgent"),
                (l.committed, " committed"),
            ] {
                line += if set { word } else { "" };
            }
            line += &label("invariant", &l.invariant, expr);
            line += &label("rate", &l.exponential_rate, |parts| list(parts, expr));
            lines.push(line);
        }
        lines.extend(t.edges.iter().map(|e| format!("  {}", edge(t, e))));
    }
    lines.extend(m.system.declarations.iter().map(declaration));
    if m.system.span.is_some() {
        let process = |p: &ProcessReference| format!("{}@{}", p.name.text, p.priority);
        lines.push(format!("system {}", list(&m.system.processes, process)));
    }
    lines.extend(m.queries.iter().map(|q| format!("query {}", query(q))));
    lines.join("\n")
}
