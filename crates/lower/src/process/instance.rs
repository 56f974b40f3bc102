//! From the system line to processes: open parameters run over their values, chains of instances are followed.

use super::TemplateFacts;
use crate::data::types::Type;
use crate::data::value::Value;
use crate::declaration::Owner;
use crate::naming::scope::{Env, Purpose, ScopeId, Symbol};
use crate::run::limits::MAX_PROCESSES;
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use crate::run::tables::{MadeOf, ProcessNames};
use merkhet_network::{LocationId, Process, ProcessId, Region};
use merkhet_syntax::tree::{Declaration, Expr, Parameter, ProcessReference};
use merkhet_syntax::{Diagnostic, Span};
use std::sync::Arc;

/// The most open parameters of a name on the system line.
const MAX_OPEN_PARAMETERS: usize = 64;

impl<'t> Lowerer<'_> {
    /// Makes the processes for one name of the system line.
    pub fn instantiate(&mut self, templates: &[TemplateFacts<'t>], reference: &ProcessReference) {
        let name = &reference.name;
        let env = Env::new(crate::run::tables::Tables::SYSTEM, Purpose::Declaration);
        let instance = match self.lookup(&env, &name.text, name.span) {
            Ok(Symbol::Instance(instance)) => instance,
            Ok(Symbol::Unsupported(what)) => {
                self.unsupported::<()>(what, name.span).ok();
                return;
            }
            Ok(_) => {
                let message = format!("`{}` is not a template or process", name.text);
                self.error::<()>("type", message, name.span).ok();
                return;
            }
            Err(Reported) => return,
        };
        let Some(declared) = self.tables.instances.get_mut(instance as usize) else {
            return;
        };
        if std::mem::replace(&mut declared.in_system, true) {
            let message = format!("`{}` is already part of the system", name.text);
            self.error::<()>("duplicate-name", message, name.span).ok();
            return;
        }
        let (parameters, scope) = (declared.parameters.clone(), declared.scope);
        if parameters.len() > MAX_OPEN_PARAMETERS {
            let message = format!("`{}` has too many open parameters", name.text);
            self.error::<()>("too-large", message, name.span).ok();
            return;
        }
        let mut open = Open {
            instance,
            parameters,
            scope,
            values: Vec::new(),
            priority: reference.priority as i32,
            span: name.span,
        };
        self.enumerate(templates, &mut open).ok();
    }

    /// Runs over the values of the open parameters, one after the other.
    fn enumerate(&mut self, templates: &[TemplateFacts<'t>], open: &mut Open) -> Lower<()> {
        let Some(parameter) = open.parameters.get(open.values.len()).cloned() else {
            return self.process(templates, open);
        };
        let mut env = Env::new(open.scope, Purpose::Declaration);
        for (value, earlier) in open.values.iter().zip(open.parameters.iter()) {
            let symbol = Symbol::Constant(value.0, value.1.clone());
            env.locals.push((earlier.name.text.clone(), symbol));
        }
        let ty = self.declared_type(&mut env, &parameter.type_spec, &parameter.dimensions)?;
        let bounded =
            ty.is_cell() && ty != crate::data::types::INT && ty != crate::data::types::WIDE;
        if parameter.reference || !bounded {
            return self.error(
                "open-parameter",
                format!(
                    "the parameter `{}` has no value: only bounded integers and scalars may be left open",
                    parameter.name.text
                ),
                open.span,
            );
        }
        let (low, high) = ty.range().ok_or(Reported)?;
        let count = (high as i64 - low as i64 + 1) as u64;
        if count.saturating_add(self.network.processes.len() as u64) > MAX_PROCESSES {
            return self.error(
                "too-large",
                format!("the system has more than {MAX_PROCESSES} processes"),
                open.span,
            );
        }
        for value in low..=high {
            open.values.push((value, ty.clone()));
            let result = self.enumerate(templates, open);
            open.values.pop();
            result?;
        }
        Ok(())
    }

    /// Makes one process.
    fn process(&mut self, templates: &[TemplateFacts<'t>], open: &Open) -> Lower<()> {
        if self.network.processes.len() as u64 >= MAX_PROCESSES {
            return self.error(
                "too-large",
                format!("the system has more than {MAX_PROCESSES} processes"),
                open.span,
            );
        }
        self.work(open.span)?;
        let declared = (self.tables.instances.get(open.instance as usize)).ok_or(Reported)?;
        let values: Vec<i32> = open.values.iter().map(|(value, _)| *value).collect();
        let mut name = declared.name.clone();
        if !values.is_empty() {
            let values: Vec<String> = values.iter().map(i32::to_string).collect();
            name = format!("{name}({})", values.join(","));
        }
        let id = ProcessId::from(self.network.processes.len());
        let owner = Owner {
            process: Some(id),
            prefix: format!("{name}."),
        };
        let arguments = open.values.iter().map(|(value, ty)| {
            let value = merkhet_network::Expr::Const(*value);
            (Value::Data(value, ty.clone()), open.span)
        });
        let (template, scope) =
            self.follow(templates, open.instance, arguments.collect(), &owner)?;
        let facts = templates.get(template as usize).ok_or(Reported)?;
        let Some((initial, _)) = facts.tree.initial else {
            return self.error(
                "no-initial-location",
                format!(
                    "the template `{}` has no initial location",
                    facts.tree.name.text
                ),
                facts.tree.name.span,
            );
        };
        self.network.processes.push(Process {
            name,
            template: facts.tree.name.text.clone(),
            locations: Vec::new(),
            initial: LocationId::from(initial),
            edges: Vec::new(),
            priority: open.priority,
        });
        self.tables.processes.push(ProcessNames { scope, template });
        self.tables
            .process_index
            .insert((open.instance, values), id);
        self.declare_template(facts, scope, &owner);
        Ok(())
    }

    /// Follows the chain of instances to the template; gives it and the scope with its parameters.
    fn follow(
        &mut self,
        templates: &[TemplateFacts<'t>],
        mut instance: u32,
        mut arguments: Vec<(Value, Span)>,
        owner: &Owner,
    ) -> Lower<(u32, ScopeId)> {
        loop {
            let declared = (self.tables.instances.get_mut(instance as usize)).ok_or(Reported)?;
            declared.used = true;
            let declared = declared.clone();
            let scope = self.tables.new_scope(Some(declared.scope));
            let template = match &declared.made_of {
                MadeOf::Template(template) => templates.get(*template as usize),
                MadeOf::Instance(..) => None,
            };
            let mut env = Env::new(scope, Purpose::Declaration);
            let parameters = declared.parameters.iter().zip(arguments);
            for (parameter, argument) in parameters {
                let assigned =
                    template.is_some_and(|facts| facts.assigned.contains(&*parameter.name.text));
                let owner = Some(owner).filter(|_| assigned);
                let symbol = self.bind_parameter(&mut env, parameter, argument, owner)?;
                self.declare(scope, &parameter.name.text, symbol, parameter.name.span);
            }
            match &declared.made_of {
                MadeOf::Template(template) => return Ok((*template, scope)),
                MadeOf::Instance(made_of, expressions) => {
                    arguments = self.evaluate_arguments(&mut env, *made_of, expressions)?;
                    instance = *made_of;
                }
            }
        }
    }

    fn evaluate_arguments(
        &mut self,
        env: &mut Env,
        instance: u32,
        expressions: &[Expr],
    ) -> Lower<Vec<(Value, Span)>> {
        let mut values = Vec::new();
        let mut result = Ok(());
        let declared = self
            .tables
            .instances
            .get(instance as usize)
            .ok_or(Reported)?;
        if declared.parameters.len() != expressions.len() {
            // Reported where the instance is declared.
            return Err(Reported);
        }
        for expr in expressions {
            match self.expression(env, expr) {
                Ok(value) => values.push((value, expr.span)),
                Err(error) => result = Err(error),
            }
        }
        result.map(|()| values)
    }

    /// What a parameter stands for, given its argument; with an owner it becomes a variable of the process.
    fn bind_parameter(
        &mut self,
        env: &mut Env,
        parameter: &Parameter,
        (argument, span): (Value, Span),
        owner: Option<&Owner>,
    ) -> Lower<Symbol> {
        let ty = self.declared_type(env, &parameter.type_spec, &parameter.dimensions)?;
        if let Value::Unsupported(what, _) = argument {
            return Ok(Symbol::Unsupported(what));
        }
        if let Some(what) = ty.unsupported() {
            return Ok(Symbol::Unsupported(what));
        }
        let timed = ty.counts().clocks + ty.counts().channels > 0;
        if parameter.reference || timed {
            match argument {
                Value::Object(mut object) if ty.accepts(&object.ty) => {
                    let constant = parameter.type_spec.constant;
                    if !object.indices.is_empty() {
                        return self.error("not-constant", "the index must be known here", span);
                    }
                    if !object.mutable && !constant && object.ty.counts().cells > 0 {
                        return self.error(
                            "assign-constant",
                            format!(
                                "`{}` is a reference: a constant cannot be passed",
                                parameter.name.text
                            ),
                            span,
                        );
                    }
                    object.mutable &= !constant;
                    return Ok(Symbol::Object(object));
                }
                Value::Data(..) if parameter.type_spec.constant => {}
                _ => return self.wrong_argument(parameter, &ty, &argument, span),
            }
        }
        let mut values = Vec::new();
        if ty.is_cell() {
            let (value, from) = self.as_data(argument, span)?;
            let value = self.fitted(value, &from, &ty, span)?;
            values.push(self.constant_value(&value, span)?);
        } else {
            match &argument {
                Value::Object(object) if ty.accepts(&object.ty) => {
                    self.object_values(object, span, &mut values)?;
                }
                _ => return self.wrong_argument(parameter, &ty, &argument, span),
            }
        }
        let name = &parameter.name;
        match owner {
            Some(owner) if !parameter.type_spec.constant => {
                let full_name = format!("{}{}", owner.prefix, name.text);
                let object = self.allocate(
                    &full_name,
                    owner.process,
                    ty,
                    Region::State,
                    &values,
                    name.span,
                )?;
                Ok(Symbol::Object(object))
            }
            _ => Ok(self.new_constant(name.text.clone(), None, ty, values, name.span)),
        }
    }

    fn wrong_argument<T>(
        &mut self,
        parameter: &Parameter,
        ty: &Type,
        argument: &Value,
        span: Span,
    ) -> Lower<T> {
        let found = match argument {
            Value::Object(object) => format!(", not `{}`", object.ty),
            Value::Data(_, from) => format!(", not a value of type `{from}`"),
            _ => String::new(),
        };
        let kind = if parameter.reference {
            "a variable"
        } else {
            "an argument"
        };
        self.say(
            Diagnostic::error(
                "type",
                format!("{kind} of type `{ty}` is expected{found}"),
                span,
            )
            .with_label(parameter.span, "the parameter"),
        );
        Err(Reported)
    }

    /// Declares the variables, types and functions of a template for one of its processes.
    pub(super) fn declare_template(
        &mut self,
        facts: &TemplateFacts<'t>,
        scope: ScopeId,
        owner: &Owner,
    ) {
        let mut functions = facts.functions.iter();
        let mut env = Env::new(scope, Purpose::Declaration);
        for declaration in &facts.tree.declarations {
            match declaration {
                Declaration::Function(_) => {
                    if let Some(function) = functions.next() {
                        let function: &Arc<_> = function;
                        self.declare_function(scope, owner, function);
                    }
                }
                other => self.declare_any(&mut env, owner, other),
            }
        }
    }
}

/// A name of the system line while its open parameters are being given values.
struct Open {
    instance: u32,
    parameters: Arc<[Parameter]>,
    scope: ScopeId,
    values: Vec<(i32, Type)>,
    priority: i32,
    span: Span,
}
