//! Functions: their signatures, and their bodies once somebody calls them.

use super::variable::Owner;
use crate::data::object::Object;
use crate::data::types::Type;
use crate::naming::scope::{Env, Purpose, ScopeId, Symbol};
use crate::run::limits::MAX_CALL_DEPTH;
use crate::run::lowerer::FunctionWork;
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use crate::run::tables::{FunctionDeclaration, Parameter, Unusable};
use merkhet_network::{FunctionId, Stmt};
use merkhet_syntax::tree;
use std::collections::HashSet;
use std::sync::Arc;

/// The name by which methods of lattices know their element.
pub const THIS: &str = "this";

impl Lowerer<'_> {
    /// Declares a function in a scope.
    pub fn declare_function(
        &mut self,
        scope: ScopeId,
        owner: &Owner,
        function: &Arc<tree::Function>,
    ) {
        let prefix = owner.prefix.clone();
        self.declare_callable(scope, prefix, function, None);
    }

    /// Declares a method of a lattice, given with the type of its elements, in the lattice's own scope.
    pub fn declare_method(
        &mut self,
        scope: ScopeId,
        lattice: &str,
        function: &Arc<tree::Function>,
        element: Type,
    ) {
        self.declare_callable(scope, format!("{lattice}."), function, Some(element));
        if let Some(declared) = self.tables.functions.last() {
            let depth = declared.depth;
            let depths = &mut self.tables.method_depths;
            let longest = depths.entry(function.name.text.clone()).or_default();
            *longest = depth.max(*longest);
        }
    }

    fn declare_callable(
        &mut self,
        scope: ScopeId,
        prefix: String,
        function: &Arc<tree::Function>,
        element: Option<Type>,
    ) {
        let name = &function.name;
        let id = self.tables.functions.len() as u32;
        let is_method = element.is_some();
        let mut signature = self.signature(scope, function);
        if let (Ok((parameters, _)), Some(ty)) = (&mut signature, element) {
            let this = Parameter {
                name: THIS.into(),
                ty,
                reference: true,
                constant: false,
            };
            parameters.insert(0, this);
        }
        let (parameters, result, unusable) = match signature {
            Ok((parameters, result)) => {
                let what = parameters
                    .iter()
                    .map(|parameter| &parameter.ty)
                    .chain([&result])
                    .find_map(Type::unsupported);
                (parameters, result, what.map(Unusable::Unsupported))
            }
            Err(Reported) => (Vec::new(), Type::Void, Some(Unusable::Broken)),
        };
        let mut unusable = match unusable {
            None if function.broken => Some(Unusable::Broken),
            other => other,
        };
        let depth = self.call_depth(&Env::new(scope, Purpose::Function), &function.body);
        if depth > MAX_CALL_DEPTH {
            let message = format!("calls are nested more than {MAX_CALL_DEPTH} deep");
            self.error::<()>("too-large", message, name.span).ok();
            unusable = Some(Unusable::Broken);
        }
        self.declare(scope, &name.text, Symbol::Function(id), name.span);
        self.tables.functions.push(FunctionDeclaration {
            tree: function.clone(),
            scope,
            order: self.tables.order,
            parameters,
            result,
            full_name: format!("{prefix}{}", name.text),
            specialisations: 0,
            depth,
            unusable,
            is_method,
        });
    }

    fn signature(
        &mut self,
        scope: ScopeId,
        function: &tree::Function,
    ) -> Lower<(Vec<Parameter>, Type)> {
        let mut env = Env::new(scope, Purpose::Function);
        let result = self.type_spec(&mut env, &function.return_type);
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut failed = false;
        for parameter in &function.parameters {
            let ty = self.declared_type(&mut env, &parameter.type_spec, &parameter.dimensions);
            let Ok(ty) = ty else {
                failed = true;
                continue;
            };
            let name = &parameter.name;
            if parameters.iter().any(|other| other.name == name.text) {
                self.error::<()>(
                    "duplicate-name",
                    format!("there are two parameters `{}`", name.text),
                    name.span,
                )
                .ok();
                failed = true;
            }
            let timed = ty.counts().clocks + ty.counts().channels > 0;
            parameters.push(Parameter {
                name: name.text.clone(),
                reference: parameter.reference || timed,
                constant: parameter.type_spec.constant,
                ty,
            });
        }
        let result = result?;
        if result.counts().clocks + result.counts().channels > 0 {
            return self.error(
                "type",
                format!("a function cannot return a value of type `{result}`"),
                function.return_type.span,
            );
        }
        if failed {
            return Err(Reported);
        }
        Ok((parameters, result))
    }

    /// Lowers the bodies of all functions that have been called so far.
    pub fn drain(&mut self) {
        while let Some(work) = self.queue.pop_front() {
            let index = work.function.index();
            if let Ok(body) = self.body(work)
                && let Some(function) = self.network.functions.get_mut(index)
            {
                function.body = body;
            }
        }
    }

    fn body(&mut self, work: FunctionWork) -> Lower<Vec<Stmt>> {
        let declared = (self.tables.functions.get(work.declaration as usize)).ok_or(Reported)?;
        let function = declared.tree.clone();
        let mut env = Env {
            visible: declared.order,
            locals: work.parameters,
            result: declared.result.clone(),
            ..Env::new(declared.scope, Purpose::Function)
        };
        let method = (declared.is_method).then(|| format!("method {}", declared.full_name));
        self.method = method;
        let lowered = self.body_in(&mut env, work.function, &function);
        self.method = None;
        lowered
    }

    fn body_in(
        &mut self,
        env: &mut Env,
        id: FunctionId,
        function: &tree::Function,
    ) -> Lower<Vec<Stmt>> {
        let mut out = Vec::new();
        let result = self.network.functions[id.index()].result;
        if let Some((base, _)) = result
            && !always_returns(&function.body)
        {
            // What it gives where no `return` is reached must not depend on earlier calls.
            let object = Object::in_memory(env.result.clone(), base, true);
            self.assign_default(&object, function.name.span, &mut out)?;
        }
        self.block(env, &function.body, &mut out)?;
        Ok(out)
    }

    /// Type-checks the functions that nobody calls, each once.
    pub fn check_unused_functions(&mut self) {
        let mut seen = HashSet::new();
        for declared in &self.tables.functions {
            if declared.specialisations > 0 {
                seen.insert(declared.tree.span);
            }
        }
        for id in 0..self.tables.functions.len() {
            let declared = &self.tables.functions[id];
            if declared.unusable.is_some() || !seen.insert(declared.tree.span) {
                continue;
            }
            let (parameters, span) = (declared.parameters.clone(), declared.tree.span);
            let mark = self.mark();
            self.check_only(|this| {
                let Ok(references) = this.stand_ins(&parameters, span) else {
                    return;
                };
                if this
                    .specialise(id as u32, &parameters, &references, span)
                    .is_ok()
                {
                    this.drain();
                }
            });
            self.rollback(mark);
        }
    }
}

/// Whether a block cannot end without `return`.
fn always_returns(block: &tree::Block) -> bool {
    block.statements.iter().any(returns)
}

fn returns(statement: &tree::Statement) -> bool {
    match &statement.kind {
        tree::StatementKind::Return(_) => true,
        tree::StatementKind::Block(block) => always_returns(block),
        tree::StatementKind::If {
            branches,
            otherwise: Some(otherwise),
        } => branches.iter().all(|(_, then)| returns(then)) && returns(otherwise),
        tree::StatementKind::DoWhile { body, .. } => returns(body),
        _ => false,
    }
}
