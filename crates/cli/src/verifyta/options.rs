//! The options of verifyta.

use std::ffi::OsString;
use std::path::PathBuf;

use merkhet::TraceKind;

/// What is asked for.
#[derive(Debug)]
pub enum Request {
    /// The help.
    Help,
    /// The version.
    Version,
    /// To check a model.
    Verify(Box<Options>),
}

/// The order of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// `-o 0`.
    Breadth,
    /// `-o 1`.
    Depth,
    /// `-o 2`.
    Random,
}

/// How a model is to be checked.
#[derive(Debug)]
pub struct Options {
    /// The model.
    pub model: PathBuf,
    /// The file of queries; `-` is standard input.
    pub queries: Option<PathBuf>,
    /// `-o`.
    pub order: Order,
    /// `-t`.
    pub trace: TraceKind,
    /// `-f`.
    pub xtr: Option<String>,
    /// `-X`.
    pub xml: Option<String>,
    /// `-r`.
    pub seed: Option<u64>,
    /// `-S`: 0, 1 or 2.
    pub space: u8,
    /// `-C`.
    pub matrices: bool,
    /// `-Z`.
    pub bitstate: bool,
    /// `-n`: 0 to 4.
    pub extrapolation: u8,
    /// `-u`.
    pub summary: bool,
    /// `-s` makes it false.
    pub progress: bool,
    /// `-q` makes it false.
    pub show_options: bool,
    /// `--query-index`, counted from 0.
    pub query_index: Option<usize>,
}

/// Single letters that take a value.
const WITH_VALUE: &str = "ofXrtSHnz";
/// Letters and words of statistical model checking and other things that are not here.
const REFUSED: &str = "abBcdDeEFgGiIjJkKlLmMNOpPQRUVwWx";

/// Reads the arguments; the error is a sentence.
pub fn parse(arguments: &[OsString]) -> Result<Request, String> {
    let mut options = Options {
        model: PathBuf::new(),
        queries: None,
        order: Order::Breadth,
        trace: TraceKind::None,
        xtr: None,
        xml: None,
        seed: None,
        space: 1,
        matrices: false,
        bitstate: false,
        extrapolation: 0,
        summary: false,
        progress: true,
        show_options: true,
        query_index: None,
    };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut rest = arguments.iter();
    let mut only_files = false;
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        if only_files || text == "-" || !text.starts_with('-') {
            files.push(argument.into());
        } else if text == "--" {
            only_files = true;
        } else if let Some(word) = text.strip_prefix("--") {
            let mut next = || {
                rest.next()
                    .map(|value| value.to_string_lossy().into_owned())
            };
            if let Some(request) = long(word, &mut next, &mut options)? {
                return Ok(request);
            }
        } else {
            let mut next = || {
                rest.next()
                    .map(|value| value.to_string_lossy().into_owned())
            };
            if let Some(request) = short(&text[1..], &mut next, &mut options)? {
                return Ok(request);
            }
        }
    }
    let mut files = files.into_iter();
    options.model = files.next().ok_or("no model is given")?;
    options.queries = files.next();
    if let Some(more) = files.next() {
        return Err(format!("one file too many: {}", more.display()));
    }
    if options.trace == TraceKind::None && (options.xtr.is_some() || options.xml.is_some()) {
        return Err(
            "-f and -X write traces, which only -t asks for: add -t 0, -t 1 or -t 2".into(),
        );
    }
    Ok(Request::Verify(Box::new(options)))
}

type Next<'n> = &'n mut dyn FnMut() -> Option<String>;

fn long(word: &str, next: Next<'_>, options: &mut Options) -> Result<Option<Request>, String> {
    let (name, given) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (word, None),
    };
    let mut value = || {
        let found = given.clone().or_else(&mut *next);
        found.ok_or_else(|| format!("option --{name} needs a value"))
    };
    match name {
        "help" => return Ok(Some(Request::Help)),
        "version" => return Ok(Some(Request::Version)),
        "query-index" => options.query_index = Some(number(&format!("--{name}"), &value()?)?),
        "search-order" => options.order = order(&value()?)?,
        "trace" | "generate-trace" => options.trace = trace(&value()?)?,
        "seed" => options.seed = Some(number("--seed", &value()?)?),
        "summary" | "show-summary" => options.summary = true,
        "no-summary" => options.summary = false,
        "no-progress" | "silence-progress" => options.progress = false,
        "quiet" | "no-options" => options.show_options = false,
        "keep-tmp" => {}
        "key" | "lease" => {
            return Err(format!(
                "option --{name}: no licence is needed; leave it out"
            ));
        }
        _ => return Err(format!("option --{name} is not known here")),
    }
    Ok(None)
}

fn short(letters: &str, next: Next<'_>, options: &mut Options) -> Result<Option<Request>, String> {
    let mut rest = letters.chars();
    while let Some(letter) = rest.next() {
        if WITH_VALUE.contains(letter) {
            let attached = rest.as_str();
            let value = if attached.is_empty() {
                next()
            } else {
                Some(attached.to_string())
            };
            let value = value.ok_or_else(|| format!("option -{letter} needs a value"))?;
            set(letter, &value, options)?;
            return Ok(None);
        }
        match letter {
            'h' => return Ok(Some(Request::Help)),
            'v' => return Ok(Some(Request::Version)),
            'u' => options.summary = true,
            's' => options.progress = false,
            'q' => options.show_options = false,
            'C' => options.matrices = true,
            'Z' => options.bitstate = true,
            'A' | 'T' | 'y' | 'Y' => {}
            other if REFUSED.contains(other) => {
                return Err(format!(
                    "option -{other} belongs to statistical model checking, strategies or priced models, which are not supported"
                ));
            }
            other => return Err(format!("option -{other} is not known here")),
        }
    }
    Ok(None)
}

fn set(letter: char, value: &str, options: &mut Options) -> Result<(), String> {
    match letter {
        'o' => options.order = order(value)?,
        't' => options.trace = trace(value)?,
        'f' => options.xtr = Some(value.to_string()),
        'X' => options.xml = Some(value.to_string()),
        'r' => options.seed = Some(number("-r", value)?),
        'S' => {
            options.space = number("-S", value)
                .ok()
                .filter(|n| *n <= 2)
                .ok_or("-S takes 0, 1 or 2")?
        }
        'n' => {
            let kind = number("-n", value).ok().filter(|n| *n <= 4);
            options.extrapolation = kind.ok_or("-n takes a number from 0 to 4")?;
        }
        // Sizes of tables: ours grow.
        _ => {
            number::<u64>(&format!("-{letter}"), value)?;
        }
    }
    Ok(())
}

fn order(value: &str) -> Result<Order, String> {
    match value {
        "0" => Ok(Order::Breadth),
        "1" => Ok(Order::Depth),
        "2" => Ok(Order::Random),
        "3" | "4" | "5" | "6" => Err(format!(
            "-o {value} orders the states of priced models and games, which are not supported; use 0, 1 or 2"
        )),
        _ => Err(format!("-o takes 0, 1 or 2, not `{value}`")),
    }
}

fn trace(value: &str) -> Result<TraceKind, String> {
    match value {
        "0" => Ok(TraceKind::Some),
        "1" => Ok(TraceKind::Shortest),
        "2" => Ok(TraceKind::Fastest),
        _ => Err(format!("-t takes 0, 1 or 2, not `{value}`")),
    }
}

fn number<T: std::str::FromStr>(option: &str, value: &str) -> Result<T, String> {
    let found = value.parse();
    found.map_err(|_| format!("option {option} takes a number, not `{value}`"))
}

#[cfg(test)]
mod tests {
    use super::{Options, Order, Request, parse};
    use merkhet::TraceKind;

    fn check(line: &str) -> Result<Box<Options>, String> {
        let arguments: Vec<_> = line.split_whitespace().map(Into::into).collect();
        match parse(&arguments)? {
            Request::Verify(options) => Ok(options),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn values_stand_next_to_their_letters_or_apart() {
        for line in [
            "-t1 -o2 -f base -suq m.xml q.q",
            "m.xml -t 1 -suqo2 -fbase q.q",
        ] {
            let options = check(line).expect(line);
            assert_eq!(
                (options.trace, options.order),
                (TraceKind::Shortest, Order::Random)
            );
            assert_eq!(options.xtr.as_deref(), Some("base"));
            assert!(options.summary && !options.progress && !options.show_options);
            assert!(options.queries.is_some());
        }
    }

    #[test]
    fn what_cannot_be_done_is_refused() {
        for (line, part) in [
            ("", "no model"),
            ("-f base m.xml", "-t"),
            ("-o 4 m.xml", "priced"),
            ("-o 9 m.xml", "not `9`"),
            ("-E 5 m.xml", "statistical"),
            ("--frob m.xml", "--frob"),
            ("-t", "needs a value"),
            ("-t5 m.xml", "not `5`"),
            ("a b c", "too many"),
            ("--key 123 m.xml", "licence"),
            ("-S7 m.xml", "-S takes"),
        ] {
            let message = check(line).expect_err(line);
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
