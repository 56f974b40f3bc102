//! Indices, fields, and what belongs to a process.

use crate::lowerer::Lowerer;
use crate::report::{Lower, Reported};
use crate::scope::{Env, Purpose, Symbol};
use crate::tables::MadeOf;
use crate::types::Type;
use crate::value::Value;
use merkhet_network::{self as net, ProcessId};
use merkhet_syntax::tree::{Expr, Name};
use merkhet_syntax::{Diagnostic, Span, nearest_name};

impl Lowerer<'_> {
    pub(super) fn index(
        &mut self,
        env: &mut Env,
        array: &Expr,
        index: &Expr,
        span: Span,
    ) -> Lower<Value> {
        let object = match self.expression(env, array)? {
            Value::Object(object) => object,
            Value::Unsupported(what, span) => return Ok(Value::Unsupported(what, span)),
            Value::Instance(id) => {
                return self.process_with(env, id, std::slice::from_ref(index), span);
            }
            _ => return self.error("type", "only arrays have elements", array.span),
        };
        let Type::Array(layout) = object.ty.clone() else {
            return self.error(
                "type",
                format!("only arrays have elements; this is of type `{}`", object.ty),
                array.span,
            );
        };
        let (value, ty) = self.data(env, index)?;
        if let (Some(expected), Type::Scalar { set, .. }) = (layout.scalar, &ty)
            && expected != *set
        {
            return self.error(
                "type",
                "this array is indexed by another scalar set",
                index.span,
            );
        }
        let site = self.site(index.span);
        let element = object.element(value, site).ok_or(Reported)?;
        Ok(Value::Object(element))
    }

    pub(super) fn field(&mut self, env: &mut Env, object: &Expr, field: &Name) -> Lower<Value> {
        match self.expression(env, object)? {
            Value::Object(structure) => {
                let ty = structure.ty.clone();
                match structure.field(&field.text) {
                    Some(part) => Ok(Value::Object(part)),
                    None => self.unknown_field(&ty, field),
                }
            }
            Value::Process(process) => self.member(env, process, field),
            Value::Instance(instance) => {
                let process = self.only_process(instance, object.span)?;
                self.member(env, process, field)
            }
            Value::Unsupported(what, span) => Ok(Value::Unsupported(what, span)),
            _ => self.error(
                "type",
                "only structures and processes have fields",
                object.span,
            ),
        }
    }

    fn unknown_field(&mut self, ty: &Type, field: &Name) -> Lower<Value> {
        let names: Vec<String> = match ty {
            Type::Struct(structure) => structure.fields.iter().map(|f| f.name.clone()).collect(),
            _ => Vec::new(),
        };
        let message = match ty {
            Type::Struct(_) => format!("there is no field `{}`", field.text),
            _ => format!("a value of type `{ty}` has no fields"),
        };
        let near = nearest_name(&field.text, names.iter().map(String::as_str));
        self.say(Diagnostic::error("unknown-name", message, field.span).with_suggestion(near));
        Err(Reported)
    }

    /// The process of an instance without open parameters, or the only process of a template.
    fn only_process(&mut self, instance: u32, span: Span) -> Lower<ProcessId> {
        if let Some(&process) = self.tables.process_index.get(&(instance, Vec::new())) {
            return Ok(process);
        }
        let declared = self
            .tables
            .instances
            .get(instance as usize)
            .ok_or(Reported)?;
        let name = declared.name.clone();
        let template = match declared.made_of {
            MadeOf::Template(template) => Some(template),
            MadeOf::Instance(..) => None,
        };
        let mut of_template = (self.tables.processes.iter().enumerate())
            .filter(|(_, process)| Some(process.template) == template);
        if let (Some((only, _)), None) = (of_template.next(), of_template.next()) {
            return Ok(ProcessId::from(only));
        }
        let with_arguments = (self.tables.process_index.keys()).any(|(id, _)| *id == instance);
        if with_arguments {
            return self.error(
                "arguments",
                format!(
                    "`{name}` stands for several processes: write `{name}(…)` with its arguments"
                ),
                span,
            );
        }
        self.error(
            "unknown-name",
            format!("`{name}` is not a process of the system"),
            span,
        )
    }

    /// `P(arguments)` as a process.
    pub(super) fn process_with(
        &mut self,
        env: &mut Env,
        instance: u32,
        arguments: &[Expr],
        span: Span,
    ) -> Lower<Value> {
        let mut values = Vec::new();
        for argument in arguments {
            let (value, _) = self.data(env, argument)?;
            values.push(self.constant_value(&value, argument.span)?);
        }
        if let Some(&process) = self.tables.process_index.get(&(instance, values.clone())) {
            return Ok(Value::Process(process));
        }
        let declared = self
            .tables
            .instances
            .get(instance as usize)
            .ok_or(Reported)?;
        let (name, count) = (declared.name.clone(), declared.parameters.len());
        let values: Vec<String> = values.iter().map(i32::to_string).collect();
        let message = if count == arguments.len() {
            format!("there is no process `{name}({})`", values.join(","))
        } else {
            format!(
                "`{name}` takes {count} argument(s), not {}",
                arguments.len()
            )
        };
        self.error("unknown-name", message, span)
    }

    /// A location, variable or clock of a process.
    fn member(&mut self, env: &Env, process: ProcessId, field: &Name) -> Lower<Value> {
        if env.purpose != Purpose::Query {
            return self.error("type", "only queries can look into processes", field.span);
        }
        let names = self.tables.processes.get(process.index()).ok_or(Reported)?;
        let (scope, template) = (names.scope, names.template as usize);
        let locations = self.tables.templates.get(template).map(|t| &t.locations);
        if let Some(&location) = locations.and_then(|names| names.get(&field.text)) {
            let at = net::Expr::At(process, location);
            return Ok(Value::Data(at, Type::Bool));
        }
        let own = self.tables.scopes.get(scope.0 as usize);
        let symbol = own.and_then(|own| own.names.get(&field.text));
        match symbol.map(|declared| declared.symbol.clone()) {
            Some(Symbol::Object(object)) => Ok(Value::Object(object)),
            Some(Symbol::Constant(value, ty)) => Ok(Value::Data(net::Expr::Const(value), ty)),
            Some(Symbol::Unsupported(what)) => Ok(Value::Unsupported(what, field.span)),
            Some(Symbol::Broken) => Err(Reported),
            _ => self.unknown_member(process, field),
        }
    }

    fn unknown_member(&mut self, process: ProcessId, field: &Name) -> Lower<Value> {
        let names = self.tables.processes.get(process.index()).ok_or(Reported)?;
        let locations = self.tables.templates.get(names.template as usize);
        let own = self.tables.scopes.get(names.scope.0 as usize);
        let mut known: Vec<&str> = locations
            .into_iter()
            .flat_map(|template| template.locations.keys())
            .chain(own.into_iter().flat_map(|own| own.names.keys()))
            .map(String::as_str)
            .collect();
        known.sort_unstable();
        let near = nearest_name(&field.text, known).map(str::to_string);
        let name = &self.network.process(process).name;
        let message = format!(
            "`{name}` has no location, variable or clock `{}`",
            field.text
        );
        self.say(
            Diagnostic::error("unknown-name", message, field.span).with_suggestion(near.as_deref()),
        );
        Err(Reported)
    }
}
