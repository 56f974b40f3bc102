//! `merkhet generate`: models of a family, as text.

use merkhet_interop::generate::{ALL, find};
use merkhet_syntax::nearest_name;

use crate::args::GenerateArgs;
use crate::exit::Exit;
use crate::output::{self, OutputError};

/// Runs the command.
pub fn run(args: &GenerateArgs) -> Exit {
    match text(args).map(|text| output::print_plain(&text)) {
        Ok(Ok(()) | Err(OutputError::Closed)) => Exit::Satisfied,
        Ok(Err(problem)) => {
            output::report(&problem);
            Exit::BadInput
        }
        Err(message) => {
            output::error(&message);
            Exit::BadInput
        }
    }
}

fn text(args: &GenerateArgs) -> Result<String, String> {
    let Some(name) = &args.family else {
        return Ok(list());
    };
    let generator = find(name).ok_or_else(|| unknown(name))?;
    let model = generator.generate(&args.values)?;
    match (args.query, model.query) {
        (false, _) => Ok(model.text),
        (true, Some(query)) => Ok(query + "\n"),
        (true, None) => Err(format!(
            "`{name}` has no query: its models are for full exploration"
        )),
    }
}

fn unknown(name: &str) -> String {
    let names = ALL.iter().map(|generator| generator.name);
    match nearest_name(name, names) {
        Some(near) => format!("there is no family `{name}`; did you mean `{near}`?"),
        None => format!("there is no family `{name}`; `merkhet generate` lists them"),
    }
}

/// Every family with its parameters.
fn list() -> String {
    let mut text = String::new();
    for generator in ALL {
        let extension = generator.language.extension();
        text += &format!(
            "{}\n    {} (.{extension})\n",
            generator.usage(),
            generator.summary
        );
        for parameter in generator.parameters {
            let default = parameter
                .default
                .map(|value| format!(", by default {value}"))
                .unwrap_or_default();
            text += &format!(
                "    {}: {}, {} to {}{default}\n",
                parameter.name, parameter.summary, parameter.low, parameter.high
            );
        }
    }
    text
}
