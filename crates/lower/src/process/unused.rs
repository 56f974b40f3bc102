//! Templates without processes are looked at too: their faults are warnings, for nothing depends on them.

use super::TemplateFacts;
use crate::declaration::Owner;
use crate::naming::scope::{Env, Purpose, ScopeId, Symbol};
use crate::run::lowerer::Lowerer;
use crate::run::report::Lower;
use crate::run::tables::{ProcessNames, Tables};
use merkhet_network::{LocationId, Process, ProcessId, Region};
use merkhet_syntax::Severity;
use merkhet_syntax::tree::{Parameter, TemplateKind};

/// The code of these warnings.
pub const UNUSED_TEMPLATE_FAULT: &str = "unused-template-fault";

/// Errors that do not depend on the values of parameters, which are not known here.
const CERTAIN: &[&str] = &[
    "unknown-name",
    "duplicate-name",
    "assign-constant",
    "side-effect",
    "clock",
    "clock-disjunction",
    "recursion",
    "arguments",
];

impl<'t> Lowerer<'_> {
    /// Checks the templates that have no process.
    pub fn check_unused_templates(&mut self, templates: &[TemplateFacts<'t>]) {
        let mut used = vec![false; templates.len()];
        for process in &self.tables.processes {
            if let Some(used) = used.get_mut(process.template as usize) {
                *used = true;
            }
        }
        for (index, facts) in templates.iter().enumerate() {
            if used[index] || facts.tree.kind != TemplateKind::Automaton || facts.tree.broken {
                continue;
            }
            let mark = self.mark();
            let guards = std::mem::take(&mut self.tables.constant_guards);
            let outer = self.report.begin();
            self.trial(facts, index as u32);
            let messages = self.report.end(outer);
            self.tables.constant_guards = guards;
            self.rollback(mark);
            for mut message in messages {
                if message.is_error() && CERTAIN.contains(&message.code) {
                    message.severity = Severity::Warning;
                    message.code = UNUSED_TEMPLATE_FAULT;
                    self.report.push(message);
                }
            }
        }
    }

    fn trial(&mut self, facts: &TemplateFacts<'t>, template: u32) {
        let process = ProcessId::from(self.network.processes.len());
        let owner = Owner {
            process: Some(process),
            prefix: format!("{}.", facts.tree.name.text),
        };
        let scope = self.tables.new_scope(Some(Tables::GLOBAL));
        for parameter in &facts.tree.parameters {
            let symbol = self.stand_in(scope, parameter, &owner);
            let name = &parameter.name;
            self.declare(
                scope,
                &name.text,
                symbol.unwrap_or(Symbol::Broken),
                name.span,
            );
        }
        self.network.processes.push(Process {
            name: facts.tree.name.text.clone(),
            template: facts.tree.name.text.clone(),
            locations: Vec::new(),
            initial: LocationId(0),
            edges: Vec::new(),
            priority: 0,
        });
        self.tables.processes.push(ProcessNames { scope, template });
        self.declare_template(facts, scope, &owner);
        self.unfold(facts, process);
        self.drain();
        self.check_purity();
    }

    /// Something of the parameter's type.
    fn stand_in(&mut self, scope: ScopeId, parameter: &Parameter, owner: &Owner) -> Lower<Symbol> {
        let mut env = Env::new(scope, Purpose::Declaration);
        let ty = self.declared_type(&mut env, &parameter.type_spec, &parameter.dimensions)?;
        if let Some(what) = ty.unsupported() {
            return Ok(Symbol::Unsupported(what));
        }
        let mut values = Vec::new();
        self.initial_values(&mut env, &ty, None, &mut values)?;
        let name = &parameter.name;
        let timed = ty.counts().clocks + ty.counts().channels > 0;
        if parameter.type_spec.constant && !timed {
            return Ok(self.new_constant(name.text.clone(), None, ty, values, name.span));
        }
        let object = self.allocate(
            &name.text,
            owner.process,
            ty,
            Region::State,
            &values,
            name.span,
        )?;
        Ok(Symbol::Object(object))
    }
}
