//! `merkhet lsp` and `merkhet fmt`: what editors start.

use std::path::{Path, PathBuf};

use merkhet_lsp::format::{Unformatted, format as laid_out};
use merkhet_lsp::language::Language;
use merkhet_lsp::server;

use crate::args::{FmtArgs, LspArgs};
use crate::commands::targets;
use crate::exit::Exit;
use crate::{input, output};

/// Serves an editor until it says goodbye.
pub fn serve(_: &LspArgs) -> Exit {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            output::error(&format!("cannot find this program: {error}"));
            return Exit::BadInput;
        }
    };
    let options = server::Options {
        program,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    match server::run(options) {
        Ok(()) => Exit::Satisfied,
        Err(message) => {
            output::error(&message);
            Exit::BadInput
        }
    }
}

/// How one text fared.
enum Done {
    Same,
    Changed,
    Failed,
}

/// Lays models out.
pub fn format(args: &FmtArgs) -> Exit {
    if args.models.iter().any(|path| path.as_os_str() == "-") {
        return standard_input(args);
    }
    if args.language.is_some() {
        output::error("--language is for standard input: the ending of a file tells its language");
        return Exit::BadInput;
    }
    let models = match targets::models(&args.models) {
        Ok(models) => models,
        Err(message) => {
            output::error(&message);
            return Exit::BadInput;
        }
    };
    // Of a folder, what has no formatter is none of our business.
    let named = |path: &PathBuf| args.models.contains(path);
    let mut exit = Exit::Satisfied;
    for model in models {
        if Language::of(&model.display().to_string()) == Some(Language::Tck) && !named(&model) {
            continue;
        }
        match one(&model, args.check) {
            Done::Same => {}
            Done::Changed if args.check && exit == Exit::Satisfied => exit = Exit::Violated,
            Done::Changed => {}
            Done::Failed => exit = Exit::BadInput,
        }
    }
    exit
}

fn one(path: &Path, check: bool) -> Done {
    let name = path.display();
    let failed = |why: &str| {
        output::error(&format!("{name}: {why}"));
        Done::Failed
    };
    let Some(language) = Language::of(&name.to_string()) else {
        return failed(&Unformatted::Language.to_string());
    };
    let text = match input::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => return failed("this is not text in UTF-8"),
        Err(message) => {
            output::error(&message);
            return Done::Failed;
        }
    };
    match laid_out(language, &text) {
        Ok(written) if written == text => Done::Same,
        Ok(_) if check => {
            output::message(&format!("{name} is not in the standard form"));
            Done::Changed
        }
        Ok(written) => match output::write_file(path, &written) {
            Ok(()) => {
                output::message(&format!("{name} is in the standard form now"));
                Done::Changed
            }
            Err(problem) => failed(&problem),
        },
        Err(why) => failed(&why.to_string()),
    }
}

fn standard_input(args: &FmtArgs) -> Exit {
    let Some(language) = args.language.as_deref().filter(|_| args.models.len() == 1) else {
        output::error(
            "standard input stands alone, and --language says what it is: xml, xta, ta or smv",
        );
        return Exit::BadInput;
    };
    let language = Language::of(&format!("x.{language}")).unwrap_or(Language::Xta);
    let mut bytes = Vec::new();
    if let Err(error) = std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes) {
        output::error(&format!("standard input: {error}"));
        return Exit::BadInput;
    }
    let Ok(text) = String::from_utf8(bytes) else {
        output::error("standard input is not text in UTF-8");
        return Exit::BadInput;
    };
    match laid_out(language, &text) {
        Ok(written) if args.check && written == text => Exit::Satisfied,
        Ok(_) if args.check => {
            output::message("standard input is not in the standard form");
            Exit::Violated
        }
        Ok(written) => match output::print_plain(&written) {
            Ok(()) => Exit::Satisfied,
            Err(problem) => {
                output::report(&problem);
                Exit::BadInput
            }
        },
        Err(why) => {
            output::error(&why.to_string());
            Exit::BadInput
        }
    }
}
