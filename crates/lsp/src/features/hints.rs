//! Small texts between the words: what instances are of, and what arguments are for.

use crate::document::Document;
use crate::facts::Facts;
use crate::features::hover::listed;
use crate::index::Kind;
use merkhet_syntax::read_model;
use merkhet_syntax::tree::Declaration;

/// A text that is shown at an offset, and is no part of the document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Where.
    pub offset: u32,
    /// What.
    pub label: String,
    /// Whether it stands in front of what follows, rather than behind what comes before.
    pub before: bool,
}

/// The hints of a document.
pub fn hints(document: &Document, facts: Option<&Facts>) -> Vec<Hint> {
    if !document.language.is_uppaal() {
        return Vec::new();
    }
    let name = document.language.extension();
    let (model, _) = read_model(name, document.text.as_str().as_bytes());
    let index = document.index();
    let mut found = Vec::new();
    let declarations = model.declarations.iter().chain(&model.system.declarations);
    for declaration in declarations {
        let Declaration::Instantiation(one) = declaration else {
            continue;
        };
        let of = index.at(one.template.span.start);
        let of = of.and_then(|place| index.definition(place.definition));
        let parameters = of.map_or(&[][..], |one| &one.parameters);
        for (argument, parameter) in one.arguments.iter().zip(parameters) {
            let name = parameter.rsplit([' ', '&']).next().unwrap_or(parameter);
            let name = name.split('[').next().unwrap_or(name);
            let written = document.text.slice(argument.span.start, argument.span.end);
            if written != name {
                found.push(Hint {
                    offset: argument.span.start,
                    label: format!("{name}: "),
                    before: true,
                });
            }
        }
    }
    let Some(facts) = facts else { return found };
    for process in &model.system.processes {
        let names = facts.processes.values().flatten();
        let own: Vec<String> = names
            .filter(|name| {
                let rest = name.strip_prefix(process.name.text.as_str());
                rest.is_some_and(|rest| rest.starts_with('('))
            })
            .cloned()
            .collect();
        if !own.is_empty() {
            found.push(Hint {
                offset: process.name.span.end,
                label: format!(" {}", listed(&own)),
                before: false,
            });
        }
    }
    for place in index.references.iter().filter(|place| place.declares) {
        let definition = index.definition(place.definition);
        let constant = definition.filter(|one| one.kind == Kind::Constant);
        if let Some(value) = constant.and_then(|one| facts.values.get(&one.span.start)) {
            let literal = constant.is_some_and(|one| one.detail.ends_with(value.as_str()));
            if !literal && value.len() <= 24 {
                found.push(Hint {
                    offset: place.span.end,
                    label: format!(" {value}"),
                    before: false,
                });
            }
        }
    }
    found.sort_by_key(|hint| hint.offset);
    found
}
