//! A stable fingerprint of a network: equal for equal behaviour as written, whatever the places in the source.
//!
//! Names that a person sees (processes, clocks, variables, locations) count, source positions and drawing positions
//! do not. It tells a certificate of another model apart; soundness does not rest on it, because a certificate is
//! checked against the network itself.

use merkhet_network::{
    Argument, Cell, ClockConstraint, Edge, Expr, Function, Guard, Index, Invariant, Location,
    Network, Place, Process, Shape, Stmt, Sync,
};

/// FNV-1a, 64 bits.
#[derive(Clone)]
pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }

    fn number(&mut self, value: i64) {
        self.bytes(&value.to_le_bytes());
    }

    /// A tag that keeps different shapes with equal contents apart.
    fn tag(&mut self, tag: &str) {
        self.text(tag);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as i64);
        self.bytes(text.as_bytes());
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Fnv, &T)) {
        self.number(items.len() as i64);
        for item in items {
            each(self, item);
        }
    }

    fn option<T>(&mut self, item: Option<&T>, each: impl Fn(&mut Fnv, &T)) {
        match item {
            Some(item) => {
                self.number(1);
                each(self, item);
            }
            None => self.number(0),
        }
    }
}

/// The fingerprint of a network.
pub fn fingerprint(network: &Network) -> u64 {
    let mut hash = Fnv::new();
    hash.list(&network.processes, process);
    hash.list(&network.clocks, |hash, clock| hash.text(&clock.name));
    hash.list(&network.channels, |hash, channel| {
        hash.text(&channel.name);
        hash.tag(&format!("{:?}", channel.kind));
        hash.number(channel.urgent.into());
        hash.number(channel.priority.into());
    });
    hash.list(&network.variables, |hash, variable| {
        hash.text(&variable.name);
        shape(hash, &variable.shape);
        hash.tag(&format!("{:?}", variable.base));
    });
    hash.list(&network.state_cells, cell);
    hash.list(&network.meta_cells, cell);
    hash.list(&network.constant_cells, cell);
    hash.number(network.local_cells.into());
    hash.list(&network.functions, function);
    statements(&mut hash, &network.before_update);
    statements(&mut hash, &network.after_update);
    hash.number(network.default_priority.into());
    hash.list(&network.events, |hash, event| hash.text(event));
    hash.list(&network.vectors, |hash, vector| {
        hash.list(&vector.participants, |hash, participant| {
            hash.number(participant.process.0.into());
            hash.number(participant.event.0.into());
            hash.number(participant.weak.into());
        });
    });
    hash.tag(&format!("{:?}", network.out_of_range));
    hash.value()
}

fn cell(hash: &mut Fnv, cell: &Cell) {
    for value in [cell.low, cell.high, cell.initial] {
        hash.number(value.into());
    }
    hash.number(cell.variable.0.into());
}

fn shape(hash: &mut Fnv, shape: &Shape) {
    hash.tag(&format!("{shape:?}"));
}

fn process(hash: &mut Fnv, process: &Process) {
    hash.text(&process.name);
    hash.list(&process.locations, location);
    hash.number(process.initial.0.into());
    hash.list(&process.edges, edge);
    hash.number(process.priority.into());
}

fn location(hash: &mut Fnv, location: &Location) {
    hash.text(&location.name);
    hash.tag(&format!("{:?}", location.kind));
    invariant(hash, &location.invariant);
    hash.list(&location.labels, |hash, label| hash.text(label));
}

fn invariant(hash: &mut Fnv, invariant: &Invariant) {
    hash.option(invariant.data.as_ref(), expression);
    hash.list(&invariant.clocks, constraint);
    hash.list(&invariant.rates, |hash, rate| {
        hash.number(rate.clock.0.into());
        expression(hash, &rate.value);
    });
}

fn guard(hash: &mut Fnv, guard: &Guard) {
    hash.option(guard.data.as_ref(), expression);
    hash.list(&guard.clocks, constraint);
}

fn constraint(hash: &mut Fnv, constraint: &ClockConstraint) {
    hash.option(constraint.condition.as_ref(), expression);
    hash.option(constraint.left.as_ref(), |hash, clock| {
        hash.number(clock.0.into());
    });
    hash.option(constraint.right.as_ref(), |hash, clock| {
        hash.number(clock.0.into());
    });
    hash.number(constraint.strict.into());
    expression(hash, &constraint.bound);
}

fn edge(hash: &mut Fnv, edge: &Edge) {
    hash.number(edge.source.0.into());
    hash.number(edge.target.0.into());
    guard(hash, &edge.guard);
    let (tag, id) = match edge.sync {
        Sync::Internal => ("internal", 0),
        Sync::Send(channel) => ("send", channel.0),
        Sync::Receive(channel) => ("receive", channel.0),
        Sync::Event(event) => ("event", event.0),
    };
    hash.tag(tag);
    hash.number(id.into());
    statements(hash, &edge.update);
}

fn function(hash: &mut Fnv, function: &Function) {
    hash.text(&function.name);
    hash.tag(&format!("{:?} {:?}", function.parameters, function.result));
    statements(hash, &function.body);
}

fn place(hash: &mut Fnv, place: &Place) {
    hash.tag(&format!("{:?}", place.base));
    hash.list(&place.indices, index);
}

fn index(hash: &mut Fnv, index: &Index) {
    expression(hash, &index.value);
    hash.number(index.stride.into());
    hash.number(index.length.into());
}

fn expressions(hash: &mut Fnv, list: &[Expr]) {
    hash.list(list, expression);
}

fn expression(hash: &mut Fnv, expr: &Expr) {
    match expr {
        Expr::Const(value) => {
            hash.tag("const");
            hash.number((*value).into());
        }
        Expr::Load(from) => {
            hash.tag("load");
            place(hash, from);
        }
        Expr::At(process, location) => {
            hash.tag("at");
            hash.number(process.0.into());
            hash.number(location.0.into());
        }
        Expr::Unary(op, operand, _) => {
            hash.tag(&format!("{op:?}"));
            expression(hash, operand);
        }
        Expr::Binary(op, left, right, _) => {
            hash.tag(&format!("{op:?}"));
            expression(hash, left);
            expression(hash, right);
        }
        Expr::And(parts) => {
            hash.tag("and");
            expressions(hash, parts);
        }
        Expr::Or(parts) => {
            hash.tag("or");
            expressions(hash, parts);
        }
        Expr::Conditional(condition, then, otherwise) => {
            hash.tag("conditional");
            for part in [condition, then, otherwise] {
                expression(hash, part);
            }
        }
        Expr::Quantified {
            quantifier,
            variable,
            low,
            high,
            body,
            site: _,
        } => {
            hash.tag(&format!("{quantifier:?} {variable:?} {low} {high}"));
            expression(hash, body);
        }
        Expr::Call {
            function,
            arguments,
            site: _,
        } => {
            hash.tag("call");
            hash.number(function.0.into());
            hash.list(arguments, |hash, argument| match argument {
                Argument::Value(value) => {
                    hash.tag("value");
                    expression(hash, value);
                }
                Argument::Copy(from, cells) => {
                    hash.tag("copy");
                    place(hash, from);
                    hash.number((*cells).into());
                }
            });
        }
        Expr::Checked {
            value,
            low,
            high,
            site: _,
        } => {
            hash.tag(&format!("checked {low} {high}"));
            expression(hash, value);
        }
        Expr::Then(first, value) => {
            hash.tag("then");
            statements(hash, first);
            expression(hash, value);
        }
    }
}

fn statements(hash: &mut Fnv, list: &[Stmt]) {
    hash.list(list, statement);
}

fn statement(hash: &mut Fnv, stmt: &Stmt) {
    match stmt {
        Stmt::Assign {
            target,
            value,
            low,
            high,
            site: _,
        } => {
            hash.tag(&format!("assign {low} {high}"));
            place(hash, target);
            expression(hash, value);
        }
        Stmt::Copy {
            target,
            source,
            cells,
        } => {
            hash.tag(&format!("copy {cells}"));
            place(hash, target);
            place(hash, source);
        }
        Stmt::Reset {
            clock,
            value,
            site: _,
        } => {
            hash.tag(&format!("reset {}", clock.base.0));
            hash.list(&clock.indices, index);
            expression(hash, value);
        }
        Stmt::CopyClock {
            target,
            source,
            offset,
        } => hash.tag(&format!("clock {} {} {offset}", target.0, source.0)),
        Stmt::Evaluate(value) => {
            hash.tag("evaluate");
            expression(hash, value);
        }
        Stmt::If {
            condition,
            then,
            otherwise,
        } => {
            hash.tag("if");
            expression(hash, condition);
            statements(hash, then);
            statements(hash, otherwise);
        }
        Stmt::While {
            condition,
            body,
            test_first,
            site: _,
        } => {
            hash.tag(&format!("while {test_first}"));
            expression(hash, condition);
            statements(hash, body);
        }
        Stmt::For {
            variable,
            low,
            high,
            body,
            site: _,
        } => {
            hash.tag(&format!("for {variable:?} {low} {high}"));
            statements(hash, body);
        }
        Stmt::Return(value) => {
            hash.tag("return");
            hash.option(value.as_ref(), expression);
        }
        Stmt::ReturnCopy(from, cells) => {
            hash.tag(&format!("return {cells}"));
            place(hash, from);
        }
    }
}
