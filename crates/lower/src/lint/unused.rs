//! Templates, functions and parameters that nothing uses.

use super::facts::Facts;
use crate::naming::names::Names;
use merkhet_syntax::Diagnostic;
use merkhet_syntax::tree::{Declaration, Function, Name, TemplateKind};
use std::collections::HashSet;

/// Templates without a process.
pub fn templates(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let used: HashSet<u32> = (facts.lowered.tables.processes.iter())
        .map(|process| process.template)
        .collect();
    for (index, template) in facts.model.templates.iter().enumerate() {
        if template.kind == TemplateKind::Automaton && !used.contains(&(index as u32)) {
            let message = format!(
                "no process is made of the template `{}`",
                template.name.text
            );
            let span = template.name.span;
            out.push(Diagnostic::warning("unused-template", message, span));
        }
    }
}

/// All functions of a model, with the template that they are declared in.
fn all_functions<'m>(facts: &Facts<'m>) -> impl Iterator<Item = &'m Function> {
    let model = facts.model;
    let own = model
        .templates
        .iter()
        .flat_map(|template| &template.declarations);
    let global = model.declarations.iter().chain(&model.system.declarations);
    global
        .chain(own)
        .filter_map(|declaration| match declaration {
            Declaration::Function(function) => Some(function),
            _ => None,
        })
}

/// Functions that are called nowhere in the text (of the model or of its queries).
pub fn functions(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let mut names = Names::default();
    names.model(facts.model);
    for function in all_functions(facts) {
        // Joining strategies are called by the search.
        let strategy = function.name.text.starts_with(crate::lattice::STRATEGY);
        if !names.contains(&function.name.text) && !strategy {
            let message = format!("`{}` is never called", function.name.text);
            let span = function.name.span;
            out.push(Diagnostic::warning("unused-function", message, span));
        }
    }
}

/// Parameters whose name does not occur in the template or function.
pub fn parameters(facts: &Facts<'_>, out: &mut Vec<Diagnostic>) {
    let mut report = |name: &Name| {
        let message = format!("the parameter `{}` is never used", name.text);
        out.push(Diagnostic::warning("unused-parameter", message, name.span));
    };
    for template in &facts.model.templates {
        let mut names = Names::default();
        names.template(template);
        for parameter in &template.parameters {
            if !names.contains(&parameter.name.text) {
                report(&parameter.name);
            }
        }
    }
    for function in all_functions(facts) {
        let mut names = Names::default();
        names.block(&function.body);
        for parameter in &function.parameters {
            if !names.contains(&parameter.name.text) {
                report(&parameter.name);
            }
        }
    }
}
