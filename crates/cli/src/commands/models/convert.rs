//! `merkhet convert`: a model in another language.

use merkhet_interop::convert::{Form, Original, convert};

use crate::args::{ConvertArgs, ConvertForm};
use crate::commands::load;
use crate::exit::Exit;
use crate::output::{self, OutputError};

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Exit {
    let form = match form(args) {
        Ok(form) => form,
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    if let Some(target) = &args.target
        && !args.force
        && target.is_file()
    {
        output::error(&format!(
            "{} is there already; --force replaces it",
            target.display()
        ));
        return Exit::BadInput;
    }
    let Ok(model) = load::usable(&args.model) else {
        return Exit::BadInput;
    };
    let name = args.model.file_stem().unwrap_or_default().to_string_lossy();
    let Some(network) = model.network() else {
        return Exit::BadInput;
    };
    let original = Original {
        tree: model.tree(),
        sources: &model.sources,
        network,
    };
    let text = match convert(original, &name, form) {
        Ok(converted) => {
            converted
                .warnings
                .iter()
                .for_each(|one| output::warning(one));
            converted.text
        }
        Err(problem) => {
            output::error(&format!(
                "{} cannot be converted: {problem}",
                args.model.display()
            ));
            return Exit::BadInput;
        }
    };
    let written = match &args.target {
        Some(target) => output::write_file(target, &text),
        None => match output::print_plain(&text) {
            Ok(()) | Err(OutputError::Closed) => Ok(()),
            Err(OutputError::Failed(error)) => Err(format!("cannot write the output: {error}")),
        },
    };
    match written {
        Ok(()) => Exit::Satisfied,
        Err(message) => {
            output::error(&message);
            Exit::BadInput
        }
    }
}

fn form(args: &ConvertArgs) -> Result<Form, String> {
    if let Some(form) = args.to {
        return Ok(match form {
            ConvertForm::Xml => Form::Xml,
            ConvertForm::Xta => Form::Xta,
            ConvertForm::Tck => Form::Tck,
        });
    }
    let Some(target) = args.target.as_deref() else {
        let model = args.model.display();
        let other = match args.model.extension().and_then(|ending| ending.to_str()) {
            Some("xta") => "xml",
            _ => "xta",
        };
        let named = args.model.with_extension(other);
        return Err(format!(
            "what is {model} to be converted to? Name the new file (merkhet convert {model} {}), or the language with --to",
            named.display()
        ));
    };
    match target.extension().and_then(|ending| ending.to_str()) {
        Some("xml") => Ok(Form::Xml),
        Some("xta") => Ok(Form::Xta),
        Some("tck") => Ok(Form::Tck),
        _ => Err(format!(
            "{}: the ending does not tell the language; use .xml, .xta or .tck, or --to",
            target.display()
        )),
    }
}
