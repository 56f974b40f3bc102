//! Indices, fields, and what belongs to a process.

use crate::data::types::Type;
use crate::data::value::Value;
use crate::fold;
use crate::naming::scope::{Env, Purpose, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use crate::run::tables::MadeOf;
use merkhet_network::{self as net, ProcessId};
use merkhet_syntax::tree::{Expr, Name};
use merkhet_syntax::{Diagnostic, Span, nearest_name};

/// The most processes that arguments known at run time only may choose from.
const MAX_CANDIDATES: usize = 100;

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
        let object = match self.only_field(&object) {
            Some(field) => field,
            None => object,
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
            Value::Process(processes) => self.member_of_any(env, processes, field),
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
            values.push(value);
        }
        let processes = self.processes_for(instance, &values, span)?;
        if !processes.is_empty() {
            return Ok(Value::Process(processes));
        }
        let declared = self
            .tables
            .instances
            .get(instance as usize)
            .ok_or(Reported)?;
        let (name, count) = (declared.name.clone(), declared.parameters.len());
        let there = self.instances_of(instance, &name);
        let values = values.iter().map(|value| match value.as_const() {
            Some(value) => value.to_string(),
            None => "…".into(),
        });
        let values: Vec<String> = values.collect();
        let message = if count == arguments.len() {
            format!("there is no process `{name}({})`", values.join(","))
        } else {
            format!(
                "`{name}` takes {count} argument(s), not {}",
                arguments.len()
            )
        };
        let diagnostic = Diagnostic::error("unknown-name", message, span);
        self.say(match there {
            Some(there) => diagnostic.with_hint(format!("there are {there}")),
            None => diagnostic,
        });
        Err(Reported)
    }

    /// The first few processes of an instance with open parameters, by name.
    fn instances_of(&self, instance: u32, name: &str) -> Option<String> {
        const FEW: usize = 6;
        let mut all: Vec<(ProcessId, &Vec<i32>)> = (self.tables.process_index.iter())
            .filter(|((id, _), _)| *id == instance)
            .map(|((_, values), process)| (*process, values))
            .collect();
        all.sort_unstable();
        let mut names: Vec<String> = (all.iter().take(FEW))
            .map(|(_, values)| {
                let values: Vec<String> = values.iter().map(i32::to_string).collect();
                format!("`{name}({})`", values.join(","))
            })
            .collect();
        if let [.., (_, last)] = all[..]
            && all.len() > FEW
        {
            let values: Vec<String> = last.iter().map(i32::to_string).collect();
            names.push(format!("… `{name}({})`", values.join(",")));
        }
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// The processes that `P(arguments)` may be, each with its condition on the arguments.
    fn processes_for(
        &mut self,
        instance: u32,
        arguments: &[net::Expr],
        span: Span,
    ) -> Lower<Vec<(net::Expr, ProcessId)>> {
        let known: Option<Vec<i32>> = arguments.iter().map(net::Expr::as_const).collect();
        if let Some(values) = known {
            let process = self.tables.process_index.get(&(instance, values));
            return Ok(process
                .map(|&id| (net::Expr::TRUE, id))
                .into_iter()
                .collect());
        }
        let mut candidates: Vec<(Vec<i32>, ProcessId)> = (self.tables.process_index.iter())
            .filter(|((id, values), _)| *id == instance && values.len() == arguments.len())
            .map(|((_, values), process)| (values.clone(), *process))
            .collect();
        candidates.sort_unstable_by_key(|(_, process)| *process);
        self.unroll(candidates.len() as u64, span)?;
        let site = self.site(span);
        let mut checked = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            let values = || {
                candidates
                    .iter()
                    .filter_map(|(values, _)| values.get(position))
            };
            let (Some(&low), Some(&high)) = (values().min(), values().max()) else {
                return Ok(Vec::new());
            };
            checked.push(fold::checked(argument.clone(), low, high, site));
        }
        let mut processes = Vec::new();
        for (values, process) in candidates {
            let equal = checked.iter().zip(values).map(|(argument, value)| {
                let value = net::Expr::Const(value);
                fold::binary(net::BinaryOp::Equal, argument.clone(), value, site)
            });
            processes.push((fold::and(equal), process));
        }
        Ok(processes)
    }

    /// A location or variable of one of several processes.
    fn member_of_any(
        &mut self,
        env: &Env,
        mut processes: Vec<(net::Expr, ProcessId)>,
        field: &Name,
    ) -> Lower<Value> {
        if let ([_], Some((_, process))) = (processes.as_slice(), processes.last().cloned()) {
            return self.member(env, process, field);
        }
        if processes.len() > MAX_CANDIDATES {
            return self.error("too-large", "too many processes to choose from", field.span);
        }
        let mut chosen: Option<(net::Expr, Type)> = None;
        while let Some((condition, process)) = processes.pop() {
            let value = self.member(env, process, field)?;
            let (value, ty) = self.as_data(value, field.span)?;
            let value = match chosen {
                Some((otherwise, _)) => fold::conditional(condition, value, otherwise),
                None => value,
            };
            chosen = Some((value, ty));
        }
        let (value, ty) = chosen.ok_or(Reported)?;
        Ok(Value::Data(value, ty))
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
