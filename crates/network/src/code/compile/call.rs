//! Function calls: small functions are inlined, others have one return address each, since nothing recurses.

use crate::code::compile::builder::{Exit, ProgramBuilder};
use crate::code::compile::value::{Operand, Value, may_write};
use crate::code::machine::instruction::{Instruction, Slot};
use crate::expression::{Argument, Expr, Function, Place, Stmt};
use crate::ids::FunctionId;
use crate::interval::Interval;
use crate::visit::{Visitor, walk_stmt, walk_stmts};

/// An argument that has been evaluated but not been put into its parameter.
enum Pending {
    Done,
    Value(Value),
    Cells((Slot, Option<Slot>)),
}

impl ProgramBuilder<'_> {
    /// A call for its value.
    pub(crate) fn call(&mut self, id: FunctionId, arguments: &[Argument]) -> Value {
        let Some(function) = self.network.functions.get(id.index()) else {
            return Value::constant(0);
        };
        let mark = self.temporary;
        let specialise = self.is_inlined(id);
        let known = self.arguments(id, function, arguments, specialise);
        self.temporary = mark;
        if !specialise {
            let row = self.called_function(id);
            self.emit(Instruction::Call { function: row });
            return self.result_of(function);
        }
        let depth = self.known.len();
        self.known.extend(known);
        self.inlining.push(id);
        let value = match single_result(function) {
            Some((statements, value)) => {
                self.stmts(statements);
                self.value(value)
            }
            None => {
                self.function_body(id);
                self.result_of(function)
            }
        };
        self.inlining.pop();
        self.known.truncate(depth);
        value
    }

    /// A call for its effects; the result is left in the function's result cells, from where structures are read.
    pub(crate) fn call_statement(&mut self, id: FunctionId, arguments: &[Argument]) {
        let value = self.call(id, arguments);
        let result = self
            .network
            .functions
            .get(id.index())
            .and_then(|function| function.result);
        if let Some((result, 1)) = result {
            let slot = self.slot(result);
            self.store(slot, value);
        }
    }

    fn result_of(&self, function: &Function) -> Value {
        match function.result {
            None => Value::constant(0),
            Some((cell, _)) => Value::slot(self.slot(cell), Interval::FULL),
        }
    }

    /// The body, which ends by going on after it.
    pub(crate) fn function_body(&mut self, id: FunctionId) {
        let function = &self.network.functions[id.index()];
        let label = self.label();
        if let Some((result, cells)) = function.result
            && !always_returns(&function.body)
        {
            for cell in 0..cells {
                let to = self.slot(result.plus(cell));
                self.emit(Instruction::Set { to, value: 0 });
            }
        }
        self.exits.push(Exit {
            label,
            result: function.result,
        });
        self.stmts(&function.body);
        self.exits.pop();
        self.bind(label);
    }

    /// Evaluates the arguments and fills the parameters. Gives the parameters whose values are numbers and that are never
    /// changed; these are not stored.
    fn arguments(
        &mut self,
        id: FunctionId,
        function: &Function,
        arguments: &[Argument],
        specialise: bool,
    ) -> Vec<(crate::memory::Address, Interval)> {
        let mut known = Vec::new();
        let mut pending = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate().take(function.parameters.len()) {
            let later = &arguments[position + 1..];
            let is_last_effect = !later.iter().any(argument_may_write);
            let (parameter, cells) = function.parameters[position];
            pending.push(match argument {
                Argument::Value(expr) => {
                    let value = self.value(expr);
                    if specialise && value.as_const().is_some() && self.is_read_only(id, parameter)
                    {
                        known.push((parameter, value.interval));
                        Pending::Done
                    } else if is_last_effect {
                        let slot = self.slot(parameter);
                        self.store(slot, value);
                        Pending::Done
                    } else {
                        Pending::Value(self.kept(value))
                    }
                }
                Argument::Copy(place, count) => {
                    let count = (*count).min(cells);
                    let source = self.place_slots(place);
                    if is_last_effect {
                        let to = (self.slot(parameter), None);
                        self.copy_slots(to, source, count);
                        Pending::Done
                    } else {
                        let to = self.temporaries(count);
                        self.copy_slots((to, None), source, count);
                        Pending::Cells((to, None))
                    }
                }
            });
        }
        for (&(parameter, cells), pending) in function.parameters.iter().zip(pending) {
            let slot = self.slot(parameter);
            match pending {
                Pending::Done => {}
                Pending::Value(value) => self.store(slot, value),
                Pending::Cells(source) => self.copy_slots((slot, None), source, cells),
            }
        }
        known
    }

    /// A value that no later code changes.
    fn kept(&mut self, value: Value) -> Value {
        match value.operand {
            Operand::Slot(from) if !Self::is_temporary(from) => {
                let to = self.temporaries(1);
                self.emit(Instruction::Move { to, from });
                Value {
                    operand: Operand::Slot(to),
                    ..value
                }
            }
            _ => value,
        }
    }

    /// Whether a function never writes its parameter, nor lets another function read it.
    fn is_read_only(&mut self, id: FunctionId, parameter: crate::memory::Address) -> bool {
        let body = &self.network.functions[id.index()].body;
        let footprint = self.footprints.stmts(body);
        !footprint.writes.contains(parameter)
            && !footprint.functions.iter().any(|function| {
                self.footprints
                    .function(*function)
                    .reads
                    .contains(parameter)
            })
    }
}

fn argument_may_write(argument: &Argument) -> bool {
    let place_may_write = |place: &Place| place.indices.iter().any(|index| may_write(&index.value));
    match argument {
        Argument::Value(expr) => may_write(expr),
        Argument::Copy(place, _) => place_may_write(place),
    }
}

/// The statements and the value of a function whose only `return` is its last statement.
fn single_result(function: &Function) -> Option<(&[Stmt], &Expr)> {
    let (Some((_, 1)), Some((Stmt::Return(Some(value)), statements))) =
        (function.result, function.body.split_last())
    else {
        return None;
    };
    (!contains_return(statements)).then_some((statements, value))
}

fn contains_return(statements: &[Stmt]) -> bool {
    struct Search(bool);
    impl Visitor for Search {
        fn stmt(&mut self, stmt: &Stmt) {
            match stmt {
                Stmt::Return(_) | Stmt::ReturnCopy(..) => self.0 = true,
                _ => walk_stmt(self, stmt),
            }
        }
    }
    let mut search = Search(false);
    walk_stmts(&mut search, statements);
    search.0
}

/// Whether no run reaches the end, by the form of the statements.
fn always_returns(statements: &[Stmt]) -> bool {
    statements.iter().any(|statement| match statement {
        Stmt::Return(_) | Stmt::ReturnCopy(..) => true,
        Stmt::If {
            then, otherwise, ..
        } => always_returns(then) && always_returns(otherwise),
        _ => false,
    })
}
