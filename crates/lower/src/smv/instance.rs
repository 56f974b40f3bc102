//! The tree of module instances and their members.

use super::{Broken, Lower, Lowering, nowhere};
use merkhet_finite::{Domain, Role, SymbolId, Value, Variable, VariableId};
use merkhet_smv::tree::*;
use merkhet_syntax::{Diagnostic, Span, nearest_name};
use rustc_hash::FxHashMap;

/// The input that chooses the process of a step.
pub(super) const PROCESS_SELECTOR: &str = "_process_selector_";

/// More instances than this are taken for a mistake.
const MAX_INSTANCES: usize = 200_000;

/// Deeper trees of instances are taken for modules that contain themselves.
const MAX_INSTANCE_DEPTH: usize = 200;

/// One use of a module.
pub(super) struct Instance<'t> {
    /// The full name, empty for `main`.
    pub(super) path: String,
    /// The number of the process it belongs to.
    pub(super) process: usize,
    /// Actual parameters, each with the instance in which it is to be read.
    pub(super) arguments: FxHashMap<&'t str, (usize, &'t Expression)>,
    /// Everything that has a name in it.
    pub(super) members: FxHashMap<&'t str, Member<'t>>,
    /// Its sections, those taken over by `ISA` included.
    pub(super) items: Vec<&'t Item>,
}

/// What a name in an instance stands for.
#[derive(Clone)]
pub(super) enum Member<'t> {
    Variable(VariableId),
    Array(i64, Vec<Member<'t>>),
    Instance(usize),
    /// A definition, with the instance in which it is to be read.
    Definition(usize, &'t Expression),
}

impl<'t> Lowering<'t> {
    /// Every name in an enumeration or under `CONSTANTS` is a symbol everywhere.
    pub(super) fn collect_symbols(&mut self) {
        let program = self.program;
        for item in program.modules.iter().flat_map(|module| &module.items) {
            match item {
                Item::Variable { ty, .. } => self.collect_type_symbols(ty),
                Item::Constants(names) => names.iter().for_each(|name| {
                    self.symbol(&name.text);
                }),
                _ => {}
            }
        }
    }

    fn collect_type_symbols(&mut self, ty: &'t Type) {
        match &ty.kind {
            TypeKind::Enumeration(values) => {
                for value in values {
                    if let ExpressionKind::Name(name) = &value.kind {
                        self.symbol(name);
                    }
                }
            }
            TypeKind::Array { element, .. } => self.collect_type_symbols(element),
            _ => {}
        }
    }

    pub(super) fn symbol(&mut self, name: &'t str) -> SymbolId {
        let next = SymbolId(self.system.symbols.len() as u32);
        let id = *self.symbols.entry(name).or_insert(next);
        if id == next {
            self.system.symbols.push(name.to_owned());
        }
        id
    }

    pub(super) fn instantiate_main(&mut self) -> Lower<()> {
        let main = Name {
            text: "main".into(),
            span: nowhere(),
        };
        let module = self.module(&main)?;
        if let Some(parameter) = module.parameters.first() {
            return self.fail(
                "main-parameters",
                "`main` takes no parameters",
                parameter.span,
            );
        }
        self.processes.push(0);
        self.instantiate(module, String::new(), 0, FxHashMap::default(), 0)?;
        Ok(())
    }

    fn module(&mut self, name: &Name) -> Lower<&'t Module> {
        let program = self.program;
        let found = program
            .modules
            .iter()
            .find(|module| module.name.text == name.text);
        if let Some(module) = found {
            return Ok(module);
        }
        let names = program
            .modules
            .iter()
            .map(|module| module.name.text.as_str());
        let message = format!("there is no module `{}`", name.text);
        let diagnostic = Diagnostic::error("unknown-module", message, name.span)
            .with_suggestion(nearest_name(&name.text, names));
        self.report(diagnostic);
        Err(Broken)
    }

    fn instantiate(
        &mut self,
        module: &'t Module,
        path: String,
        process: usize,
        arguments: FxHashMap<&'t str, (usize, &'t Expression)>,
        depth: usize,
    ) -> Lower<usize> {
        if depth > MAX_INSTANCE_DEPTH || self.instances.len() >= MAX_INSTANCES {
            let message = "too many module instances (does a module contain itself?)";
            return self.fail("endless-instances", message, module.name.span);
        }
        let mut items = Vec::new();
        self.collect_items(module, &mut items, 0)?;
        let number = self.instances.len();
        self.instances.push(Instance {
            path,
            process,
            arguments,
            members: FxHashMap::default(),
            items: items.clone(),
        });
        // Definitions first: the bounds of types may refer to them.
        for item in &items {
            if let Item::Define { target, value } = *item
                && let ExpressionKind::Name(name) = &target.kind
            {
                self.add_member(number, name, Member::Definition(number, value), target.span)?;
            }
        }
        for item in &items {
            if let Item::Variable { kind, name, ty } = *item {
                let full_name = join(&self.instances[number].path, &name.text);
                let member = self.declare(number, *kind, full_name, ty, depth)?;
                self.add_member(number, &name.text, member, name.span)?;
            }
        }
        Ok(number)
    }

    /// The sections of a module; those of `ISA` modules stand where `ISA` stands.
    fn collect_items(
        &mut self,
        module: &'t Module,
        items: &mut Vec<&'t Item>,
        depth: usize,
    ) -> Lower<()> {
        for item in &module.items {
            match item {
                Item::Isa(name) if depth < MAX_INSTANCE_DEPTH => {
                    let base = self.module(name)?;
                    self.collect_items(base, items, depth + 1)?;
                }
                Item::Isa(name) => {
                    let message = "`ISA` leads back to the same module";
                    return self.fail("endless-instances", message, name.span);
                }
                _ => items.push(item),
            }
        }
        Ok(())
    }

    fn add_member(
        &mut self,
        instance: usize,
        name: &'t str,
        member: Member<'t>,
        span: Span,
    ) -> Lower<()> {
        let target = &mut self.instances[instance];
        if target.arguments.contains_key(name) || target.members.contains_key(name) {
            let message = format!("`{name}` is declared twice");
            return self.fail("declared-twice", message, span);
        }
        target.members.insert(name, member);
        Ok(())
    }

    /// Creates the variable, array or instance that a declaration stands for.
    fn declare(
        &mut self,
        scope: usize,
        kind: VariableKind,
        name: String,
        ty: &'t Type,
        depth: usize,
    ) -> Lower<Member<'t>> {
        match &ty.kind {
            TypeKind::Array { low, high, element } => {
                let (low, high) = self.range(scope, low, high, ty.span)?;
                let mut elements = Vec::new();
                for index in low..=high {
                    let name = format!("{name}[{index}]");
                    elements.push(self.declare(scope, kind, name, element, depth)?);
                }
                Ok(Member::Array(low, elements))
            }
            TypeKind::Instance {
                process,
                module,
                arguments,
            } => {
                let number = self.instance(scope, name, *process, module, arguments, depth)?;
                Ok(Member::Instance(number))
            }
            _ => {
                let domain = self.domain(scope, ty)?;
                let role = match kind {
                    VariableKind::State => Role::State,
                    VariableKind::Input => Role::Input,
                    VariableKind::Frozen => Role::Frozen,
                };
                let id = VariableId(self.system.variables.len() as u32);
                self.system.variables.push(Variable { name, domain, role });
                Ok(Member::Variable(id))
            }
        }
    }

    fn instance(
        &mut self,
        scope: usize,
        path: String,
        process: bool,
        module: &'t Name,
        arguments: &'t [Expression],
        depth: usize,
    ) -> Lower<usize> {
        let declared = self.module(module)?;
        if declared.parameters.len() != arguments.len() {
            let message = format!(
                "module `{}` takes {} parameters, {} are given",
                module.text,
                declared.parameters.len(),
                arguments.len()
            );
            return self.fail("wrong-parameters", message, module.span);
        }
        let names = declared
            .parameters
            .iter()
            .map(|parameter| parameter.text.as_str());
        let bound = names
            .zip(arguments.iter().map(|argument| (scope, argument)))
            .collect();
        let number = if process {
            self.processes.push(self.instances.len());
            self.processes.len() - 1
        } else {
            self.instances[scope].process
        };
        self.instantiate(declared, path, number, bound, depth + 1)
    }

    /// With `process` instances, an input selects which process (or `main`) runs.
    pub(super) fn declare_selector(&mut self) {
        if self.processes.len() < 2 {
            return;
        }
        let mut values = Vec::new();
        for &instance in &self.processes {
            let path = &self.instances[instance].path;
            let name = if path.is_empty() { "main" } else { path };
            // Not interned: a process is no symbol of the language.
            values.push(Value::Symbol(SymbolId(self.system.symbols.len() as u32)));
            self.system.symbols.push(name.to_owned());
        }
        let id = VariableId(self.system.variables.len() as u32);
        self.system.variables.push(Variable {
            name: PROCESS_SELECTOR.into(),
            domain: Domain::Values(values),
            role: Role::Input,
        });
        self.selector = Some(id);
    }

    /// Definitions of members of other instances (`left.ack := …`), once all instances exist.
    pub(super) fn place_definitions(&mut self) {
        for scope in 0..self.instances.len() {
            for item in self.instances[scope].items.clone() {
                if let Item::Define { target, value } = item {
                    // An error has been reported; the others are placed all the same.
                    let _ = self.place_definition(scope, target, value);
                }
            }
        }
    }

    fn place_definition(
        &mut self,
        scope: usize,
        target: &'t Expression,
        value: &'t Expression,
    ) -> Lower<()> {
        match &target.kind {
            ExpressionKind::Name(_) => Ok(()),
            ExpressionKind::Member(base, name) => {
                let instance = self.resolve_instance(scope, base)?;
                let member = Member::Definition(scope, value);
                self.add_member(instance, &name.text, member, name.span)
            }
            _ => self.fail("bad-definition", "only names can be defined", target.span),
        }
    }
}

pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
