//! How a model is understood: diagnostics, queries, processes, and a drawing.

use merkhet::finite::{Domain, Role, System};
use merkhet::network::{Address, Network, Region};
use merkhet::{Model, ModelQuery};
use merkhet_interop::convert::{Form, Original, convert};
use merkhet_interop::generate;
use merkhet_syntax::tree::Format;
use merkhet_syntax::{Severity, SourceMap};

use crate::protocol::{
    Diagnostic, GenerateRequest, ModelView, NamedText, ProcessView, QueryView, SystemView, Text,
};

/// The view of a model.
pub fn view(text: &Text) -> ModelView {
    let model = Model::read(&text.name, text.text.as_bytes());
    let queries = model.queries();
    let network = model.network();
    ModelView {
        language: language(&model).into(),
        usable: !model.has_errors(),
        diagnostics: diagnostics(&model, &queries),
        queries: queries.iter().map(query).collect(),
        processes: network.map_or(Vec::new(), processes),
        variables: network.map_or(Vec::new(), variables),
        clocks: network.map_or(Vec::new(), |network| {
            network.clocks.iter().map(|one| one.name.clone()).collect()
        }),
        drawing: drawing(&model, &text.name),
        system: model.system().map(|system| system_view(system)),
        lattices: Vec::new(),
    }
}

/// The model in UPPAAL's textual language.
pub fn as_xta(text: &Text) -> Result<Text, String> {
    let model = Model::read(&text.name, text.text.as_bytes());
    let original = original(&model).ok_or("the model has errors")?;
    let converted = convert(original, &text.name, Form::Xta).map_err(|error| error.to_string())?;
    Ok(Text {
        name: text.name.clone(),
        text: converted.text,
    })
}

/// A member of a family.
pub fn generate(request: &GenerateRequest) -> Result<Text, String> {
    let family = generate::find(&request.family)
        .ok_or_else(|| format!("there is no family `{}`", request.family))?;
    let model = family.generate(&[request.size])?;
    Ok(Text {
        name: format!(
            "{}-{}.{}",
            family.name,
            request.size,
            family.language.extension()
        ),
        text: model.text,
    })
}

fn language(model: &Model) -> &'static str {
    match model.tree().map(|tree| tree.format) {
        Some(Format::Xml) => "xml",
        Some(_) => "xta",
        None if model.is_smv() => "smv",
        None => "tck",
    }
}

fn original(model: &Model) -> Option<Original<'_>> {
    Some(Original {
        tree: model.tree(),
        sources: &model.sources,
        network: model.network()?,
    })
}

/// Languages without coordinates are drawn by way of UPPAAL's XML.
fn drawing(model: &Model, name: &str) -> Option<String> {
    if language(model) == "xml" {
        return None;
    }
    let converted = convert(original(model)?, name, Form::Xml).ok()?;
    Some(converted.text)
}

fn diagnostics(model: &Model, queries: &[ModelQuery]) -> Vec<Diagnostic> {
    let of_model = model.diagnostics.iter().map(|one| (one, None));
    let lint = model.lint();
    let of_queries = queries.iter().flat_map(|query| {
        query
            .diagnostics
            .iter()
            .map(|one| (one, Some(query.number)))
    });
    let all = of_model
        .chain(lint.iter().map(|one| (one, None)))
        .chain(of_queries);
    all.map(|(one, number)| diagnostic(one, number, &model.sources))
        .collect()
}

fn diagnostic(
    one: &merkhet_syntax::Diagnostic,
    query: Option<u32>,
    sources: &SourceMap,
) -> Diagnostic {
    let place = (sources.file(one.span.file)).map(|file| file.position(one.span.start));
    let context = one.context.as_ref();
    Diagnostic {
        severity: match one.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
        .into(),
        code: one.code.into(),
        message: one.message.clone(),
        hint: one.hint.clone(),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        template: context.and_then(|context| context.template.clone()),
        xpath: context.and_then(|context| context.xpath.clone()),
        query,
    }
}

fn query(query: &ModelQuery) -> QueryView {
    QueryView {
        text: query.text.clone(),
        comment: query.comment.clone(),
        readable: query.query.is_some() || query.specification.is_some(),
    }
}

fn processes(network: &Network) -> Vec<ProcessView> {
    let view = |id| {
        let process = network.process(id);
        let names = process.locations.iter().map(|one| one.name.clone());
        ProcessView {
            name: process.name.clone(),
            template: process.template.clone(),
            locations: names.collect(),
        }
    };
    network.process_ids().map(view).collect()
}

/// Names in the order of [`merkhet::explore::SymbolicState::values`].
fn variables(network: &Network) -> Vec<String> {
    let cells = |region: Region| {
        (0..network.cells(region).len() as u32)
            .map(move |offset| network.cell_name(Address { region, offset }))
    };
    cells(Region::State).chain(cells(Region::Meta)).collect()
}

fn system_view(system: &System) -> SystemView {
    let kind = |role| match role {
        Role::State => "",
        Role::Frozen => "frozen ",
        Role::Input => "input ",
    };
    let line = |variable: &merkhet::finite::Variable| NamedText {
        name: variable.name.clone(),
        text: format!("{}{}", kind(variable.role), domain(&variable.domain)),
    };
    SystemView {
        variables: system.variables.iter().map(line).collect(),
    }
}

fn domain(domain: &Domain) -> String {
    match domain.size() {
        Some(size) => format!("{size} values"),
        None => "very many values".into(),
    }
}
