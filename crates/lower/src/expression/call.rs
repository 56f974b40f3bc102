//! Function calls. A function is specialised to the targets of its reference parameters: there are no pointers.

use crate::data::memory::then;
use crate::data::object::{Object, Root};
use crate::data::types::{Type, WIDE};
use crate::data::value::Value;
use crate::declaration::THIS;
use crate::fold;
use crate::naming::scope::{Env, Purpose, Symbol};
use crate::run::limits::MAX_FUNCTIONS;
use crate::run::lowerer::{FunctionWork, Lowerer};
use crate::run::report::{Lower, Reported};
use crate::run::tables::{Parameter, Unusable};
use merkhet_network::{
    self as net, Address, Argument, Expr as NetExpr, FunctionId, Region, Stmt, UnaryOp,
};
use merkhet_syntax::Span;
use merkhet_syntax::tree::{Expr, ExprKind};

/// Arguments as far as they have been lowered.
#[derive(Default)]
struct Arguments {
    /// For the visible value parameters, then the indices of reference parameters.
    values: Vec<Argument>,
    /// What reference parameters stand for.
    references: Vec<Object>,
    /// Runs before the call.
    before: Vec<Stmt>,
}

impl Lowerer<'_> {
    pub(super) fn call(
        &mut self,
        env: &mut Env,
        function: &Expr,
        arguments: &[Expr],
        span: Span,
    ) -> Lower<Value> {
        let ExprKind::Name(name) = &function.kind else {
            return self.call_member(env, function, arguments, span);
        };
        match self.resolve(env, name) {
            Some(Symbol::Function(id)) if self.is_method(id) => match self.resolve(env, THIS) {
                Some(Symbol::Object(this)) => self.call_method(env, this, id, arguments, span),
                _ => Err(Reported),
            },
            Some(Symbol::Function(id)) => self.call_function(env, id, arguments, span),
            Some(Symbol::Instance(id)) => self.process_with(env, id, arguments, span),
            Some(Symbol::Unsupported(what)) => Ok(Value::Unsupported(what, span)),
            Some(Symbol::Broken) => Err(Reported),
            None if name == "abs" => self.absolute(env, arguments, span),
            None => self.lookup(env, name, function.span).and(Err(Reported)),
            Some(_) => self.error("type", format!("`{name}` is not a function"), function.span),
        }
    }

    fn is_method(&self, id: u32) -> bool {
        (self.tables.functions.get(id as usize)).is_some_and(|function| function.is_method)
    }

    /// `element.method(…)`, and `P.f(…)` in queries.
    fn call_member(
        &mut self,
        env: &mut Env,
        function: &Expr,
        arguments: &[Expr],
        span: Span,
    ) -> Lower<Value> {
        if let ExprKind::Field { object, field } = &function.kind {
            let process = match self.expression(env, object)? {
                Value::Object(element) if self.lattice_of(&element.ty).is_some() => {
                    return self.method(env, element, field, arguments, span);
                }
                _ if env.purpose != Purpose::Query => None,
                Value::Process(processes) => match processes.as_slice() {
                    [(_, process)] => Some(*process),
                    _ => None,
                },
                Value::Instance(id) => self.tables.process_index.get(&(id, Vec::new())).copied(),
                Value::Unsupported(what, span) => return Ok(Value::Unsupported(what, span)),
                _ => None,
            };
            let names = process.and_then(|process| self.tables.processes.get(process.index()));
            let scope = names.and_then(|names| self.tables.scopes.get(names.scope.0 as usize));
            let declared = scope.and_then(|scope| scope.names.get(&field.text));
            if let Some(Symbol::Function(id)) = declared.map(|declared| &declared.symbol) {
                let id = *id;
                return self.call_function(env, id, arguments, span);
            }
        }
        self.error("type", "only functions can be called", function.span)
    }

    fn absolute(&mut self, env: &mut Env, arguments: &[Expr], span: Span) -> Lower<Value> {
        let [argument] = arguments else {
            return self.error("arguments", "`abs` takes one argument", span);
        };
        let value = self.expression(env, argument)?;
        if let Value::Unsupported(..) = value {
            return Ok(value);
        }
        let (value, _) = self.as_data(value, argument.span)?;
        let site = self.site(span);
        Ok(Value::Data(fold::unary(UnaryOp::Abs, value, site), WIDE))
    }

    fn call_function(
        &mut self,
        env: &mut Env,
        id: u32,
        arguments: &[Expr],
        span: Span,
    ) -> Lower<Value> {
        let declared = self.tables.functions.get(id as usize).ok_or(Reported)?;
        match declared.unusable {
            Some(Unusable::Broken) => return Err(Reported),
            Some(Unusable::Unsupported(what)) => return Ok(Value::Unsupported(what, span)),
            None => {}
        }
        if declared.order == env.visible {
            return self.error(
                "recursion",
                format!(
                    "`{}` calls itself; functions cannot recurse",
                    declared.tree.name.text
                ),
                span,
            );
        }
        let (parameters, result) = (declared.parameters.clone(), declared.result.clone());
        if parameters.len() != arguments.len() {
            let name = declared.tree.name.text.clone();
            return self.error(
                "arguments",
                format!(
                    "`{name}` takes {} argument(s), not {}",
                    parameters.len(),
                    arguments.len()
                ),
                span,
            );
        }
        let arguments = self.arguments(env, &parameters, arguments)?;
        self.call_specialised(env, id, &parameters, arguments, result, span)
    }

    /// The call of a method on an element of its lattice.
    pub fn call_method(
        &mut self,
        env: &mut Env,
        mut this: Object,
        id: u32,
        arguments: &[Expr],
        span: Span,
    ) -> Lower<Value> {
        let declared = self.tables.functions.get(id as usize).ok_or(Reported)?;
        match declared.unusable {
            Some(Unusable::Broken) => return Err(Reported),
            Some(Unusable::Unsupported(what)) => return Ok(Value::Unsupported(what, span)),
            None => {}
        }
        let name = declared.tree.name.text.clone();
        if declared.order >= env.visible {
            let message = format!(
                "the method `{name}` is called before it is declared; methods cannot recurse"
            );
            return self.error("recursion", message, span);
        }
        let (parameters, result) = (declared.parameters.clone(), declared.result.clone());
        let visible = parameters.get(1..).unwrap_or_default();
        if visible.len() != arguments.len() {
            let message = format!(
                "`{name}` takes {} argument(s), not {}",
                visible.len(),
                arguments.len()
            );
            return self.error("arguments", message, span);
        }
        let mut lowered = Arguments {
            before: std::mem::take(&mut this.before),
            ..Arguments::default()
        };
        let indices = this.indices.iter().map(|index| {
            let last = index.length as i32 - 1;
            Argument::Value(fold::checked(index.value.clone(), 0, last, index.site))
        });
        let indices: Vec<Argument> = indices.collect();
        lowered.references.push(this);
        let rest = self.arguments_after(env, visible, arguments, lowered, indices)?;
        self.call_specialised(env, id, &parameters, rest, result, span)
    }

    fn call_specialised(
        &mut self,
        env: &Env,
        id: u32,
        parameters: &[Parameter],
        arguments: Arguments,
        result: Type,
        span: Span,
    ) -> Lower<Value> {
        let function = self.specialise(id, parameters, &arguments.references, span)?;
        if matches!(
            env.purpose,
            Purpose::Guard | Purpose::Invariant | Purpose::Query | Purpose::Synchronisation
        ) {
            self.must_be_pure.push((span, function, env.purpose));
        }
        let call = NetExpr::Call {
            function,
            arguments: arguments.values,
            site: self.site(span),
        };
        self.called(function, call, arguments.before, result, span)
    }

    /// The value of a call.
    fn called(
        &mut self,
        function: FunctionId,
        call: NetExpr,
        mut before: Vec<Stmt>,
        result: Type,
        span: Span,
    ) -> Lower<Value> {
        if result == Type::Void {
            return Ok(Value::Nothing(then(before, call)));
        }
        if result.is_cell() {
            return Ok(Value::Data(then(before, call), result));
        }
        // The result's cells are overwritten by the next call of the function.
        let cells = self.network.functions[function.index()].result;
        let (from, _) = cells.ok_or(Reported)?;
        let mut object = self.temporary(result, span)?;
        let source = Object::in_memory(object.ty.clone(), from, false);
        before.push(Stmt::Evaluate(call));
        before.extend(self.copy(&object, &source, span)?);
        object.before = before;
        object.mutable = false;
        Ok(Value::Object(object))
    }

    fn arguments(
        &mut self,
        env: &mut Env,
        parameters: &[Parameter],
        arguments: &[Expr],
    ) -> Lower<Arguments> {
        self.arguments_after(env, parameters, arguments, Arguments::default(), Vec::new())
    }

    fn arguments_after(
        &mut self,
        env: &mut Env,
        parameters: &[Parameter],
        arguments: &[Expr],
        mut lowered: Arguments,
        mut hidden: Vec<Argument>,
    ) -> Lower<Arguments> {
        let mut result = Ok(());
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let one = if parameter.reference {
                self.reference_argument(env, parameter, argument, &mut lowered, &mut hidden)
            } else {
                self.value_argument(env, parameter, argument, &mut lowered)
            };
            result = result.and(one);
        }
        result?;
        lowered.values.append(&mut hidden);
        Ok(lowered)
    }

    fn value_argument(
        &mut self,
        env: &mut Env,
        parameter: &Parameter,
        argument: &Expr,
        lowered: &mut Arguments,
    ) -> Lower<()> {
        let span = argument.span;
        let value = self.expression(env, argument)?;
        if parameter.ty.is_cell() {
            let (value, ty) = self.as_data(value, span)?;
            let value = self.fitted(value, &ty, &parameter.ty, span)?;
            lowered.values.push(Argument::Value(value));
            return Ok(());
        }
        let found = match value {
            Value::Object(object) if parameter.ty.accepts(&object.ty) => {
                return self.copied_argument(parameter, object, span, lowered);
            }
            Value::Unsupported(what, span) => return self.unsupported(what, span),
            Value::Object(object) => format!(", not `{}`", object.ty),
            _ => String::new(),
        };
        self.error(
            "type",
            format!("an argument of type `{}` is expected{found}", parameter.ty),
            span,
        )
    }

    /// An array or structure by value.
    fn copied_argument(
        &mut self,
        parameter: &Parameter,
        mut object: Object,
        span: Span,
        lowered: &mut Arguments,
    ) -> Lower<()> {
        if !object.before.is_empty() || !parameter.ty.contains(&object.ty) {
            // Statements have to run for this argument: those before it must be evaluated first.
            self.spill(lowered, span)?;
            let copy = self.temporary(parameter.ty.clone(), span)?;
            lowered.before.extend(self.copy(&copy, &object, span)?);
            object = copy;
        }
        let place = self.place(&object, span)?;
        lowered
            .values
            .push(Argument::Copy(place, parameter.ty.cells()));
        Ok(())
    }

    /// Evaluates the arguments so far into temporary cells, to keep the order of evaluation.
    fn spill(&mut self, lowered: &mut Arguments, span: Span) -> Lower<()> {
        for argument in &mut lowered.values {
            if let Argument::Value(value) = argument
                && value.as_const().is_none()
            {
                let cell = self.local_cells("", &WIDE, span)?;
                let copy = Object::in_memory(WIDE, cell, true);
                let value = std::mem::replace(value, NetExpr::load(cell));
                lowered.before.push(self.store(&copy, value, span)?);
            }
        }
        Ok(())
    }

    fn reference_argument(
        &mut self,
        env: &mut Env,
        parameter: &Parameter,
        argument: &Expr,
        lowered: &mut Arguments,
        hidden: &mut Vec<Argument>,
    ) -> Lower<()> {
        let span = argument.span;
        let mut object = match self.expression(env, argument)? {
            Value::Object(object) => object,
            Value::Data(value, ty) if parameter.constant && parameter.ty.is_cell() => {
                let value = self.fitted(value, &ty, &parameter.ty, span)?;
                let copy = self.temporary(parameter.ty.clone(), span)?;
                self.spill(lowered, span)?;
                lowered.before.push(self.store(&copy, value, span)?);
                copy
            }
            Value::Unsupported(what, span) => return self.unsupported(what, span),
            _ => {
                return self.error(
                    "type",
                    format!(
                        "`{}` is a reference: a variable is expected here",
                        parameter.name
                    ),
                    span,
                );
            }
        };
        if !parameter.ty.accepts(&object.ty) {
            return self.error(
                "type",
                format!(
                    "an argument of type `{}` is expected, not `{}`",
                    parameter.ty, object.ty
                ),
                span,
            );
        }
        if !parameter.constant && !object.mutable && !matches!(object.ty, Type::Channel { .. }) {
            return self.error(
                "assign-constant",
                format!(
                    "`{}` is a reference: a constant cannot be passed",
                    parameter.name
                ),
                span,
            );
        }
        if !object.before.is_empty() {
            self.spill(lowered, span)?;
            lowered.before.append(&mut object.before);
        }
        for index in &object.indices {
            let last = index.length as i32 - 1;
            let value = fold::checked(index.value.clone(), 0, last, index.site);
            hidden.push(Argument::Value(value));
        }
        object.mutable &= !parameter.constant;
        lowered.references.push(object);
        Ok(())
    }

    /// The function for these targets of the reference parameters.
    pub fn specialise(
        &mut self,
        id: u32,
        parameters: &[Parameter],
        references: &[Object],
        span: Span,
    ) -> Lower<FunctionId> {
        let mut key = Vec::new();
        references.iter().for_each(|object| object.key(&mut key));
        if let Some(&function) = self.tables.specialised.get(&(id, key.clone())) {
            return Ok(function);
        }
        if self.network.functions.len() >= MAX_FUNCTIONS {
            return self.error("too-large", "too many functions after specialisation", span);
        }
        let declared = self.tables.functions.get(id as usize).ok_or(Reported)?;
        let name = match declared.specialisations {
            0 => declared.full_name.clone(),
            n => format!("{}@{}", declared.full_name, n + 1),
        };
        let result = declared.result.clone();
        let (cells, bound) = self.bind(parameters, references, span)?;
        let result = match result {
            Type::Void => None,
            ty => Some((self.local_cells("", &ty, span)?, ty.cells())),
        };
        let function = FunctionId::from(self.network.functions.len());
        self.tables.functions[id as usize].specialisations += 1;
        self.tables.specialised_order.push((id, key.clone()));
        self.tables.specialised.insert((id, key), function);
        self.network.functions.push(net::Function {
            name,
            parameters: cells,
            result,
            body: Vec::new(),
        });
        self.queue.push_back(FunctionWork {
            function,
            declaration: id,
            parameters: bound,
        });
        Ok(function)
    }

    /// Cells for the value parameters and for the indices of reference parameters, and what each name stands for.
    #[allow(clippy::type_complexity)]
    fn bind(
        &mut self,
        parameters: &[Parameter],
        references: &[Object],
        span: Span,
    ) -> Lower<(Vec<(Address, u32)>, Vec<(String, Symbol)>)> {
        let mut cells = Vec::new();
        let mut bound = Vec::new();
        for parameter in parameters.iter().filter(|parameter| !parameter.reference) {
            let size = parameter.ty.cells();
            let base = self.local_cells(&parameter.name, &parameter.ty, span)?;
            cells.push((base, size));
            let object = Object::in_memory(parameter.ty.clone(), base, !parameter.constant);
            bound.push((parameter.name.clone(), Symbol::Object(object)));
        }
        let by_reference = parameters.iter().filter(|parameter| parameter.reference);
        for (parameter, target) in by_reference.zip(references) {
            let mut object = target.clone();
            for index in &mut object.indices {
                let ty = Type::Int {
                    low: 0,
                    high: index.length as i32 - 1,
                };
                let cell = self.local_cells("", &ty, span)?;
                cells.push((cell, 1));
                index.value = NetExpr::load(cell);
            }
            if parameter.name == THIS
                && let Type::Struct(structure) = &object.ty
                && structure.lattice.is_some()
            {
                // Parameters hide fields.
                let fields = structure.fields.iter().filter_map(|field| {
                    let part = object.clone().field(&field.name)?;
                    Some((field.name.clone(), Symbol::Object(part)))
                });
                bound.splice(0..0, fields.collect::<Vec<_>>());
            }
            bound.push((parameter.name.clone(), Symbol::Object(object)));
        }
        Ok((cells, bound))
    }

    /// Stand-ins for reference arguments, to type-check a function that nobody calls.
    pub fn stand_ins(&mut self, parameters: &[Parameter], span: Span) -> Lower<Vec<Object>> {
        let mut objects = Vec::new();
        for parameter in parameters.iter().filter(|parameter| parameter.reference) {
            let base = self.local_cells(&parameter.name, &parameter.ty, span)?;
            objects.push(Object {
                root: Root::Memory(Address {
                    region: Region::Local,
                    offset: base.offset,
                }),
                ..Object::in_memory(parameter.ty.clone(), base, !parameter.constant)
            });
        }
        Ok(objects)
    }
}
