//! Errors as verifyta writes them: `model.xml:/nta/template[4]/transition[4]/label[1]:1: [error] …`.

use merkhet::{Failure, Model};
use merkhet_syntax::Diagnostic;

use crate::output;

/// Writes the errors among the messages to standard error, and says whether there was one.
pub fn print(model: &Model, messages: &[Diagnostic]) -> bool {
    let mut any = false;
    for message in messages.iter().filter(|message| message.is_error()) {
        output::message(&line(model, message));
        any = true;
    }
    any
}

/// Writes what ended a run to standard error.
pub fn print_failure(failure: &Failure) {
    output::message(&format!("[error] {failure}"));
}

fn line(model: &Model, message: &Diagnostic) -> String {
    let sources = &model.sources;
    let file = sources.file(message.span.file);
    let name = file.map_or("", |file| file.name());
    let context = message.context.as_ref();
    let place = match context.and_then(|context| Some((context.xpath.as_ref()?, context.section?)))
    {
        Some((xpath, section)) => {
            let line = sources.line_within(section, message.span).unwrap_or(1);
            format!("{xpath}:{line}")
        }
        None => sources
            .start(message.span)
            .map_or("1".into(), |position| position.line.to_string()),
    };
    let sort = if message.code == "expected-token" {
        "syntax error: "
    } else {
        ""
    };
    let hint = message.hint.as_ref().map(|hint| format!(" ({hint})"));
    format!(
        "{name}:{place}: [error] {sort}{}{}",
        message.message,
        hint.unwrap_or_default()
    )
}
