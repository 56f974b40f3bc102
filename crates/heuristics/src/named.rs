//! Names with options, as they are written on the command line: `family`, `family:variant`, `family:variant(key=value,…)`.

use std::fmt;

use crate::entry::{Entry, OptionInfo, Values};

/// What an option's text should have been.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionError(pub String);

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OptionError {}

/// An error with this text.
pub fn wrong<T>(text: String) -> Result<T, OptionError> {
    Err(OptionError(text))
}

/// A name, taken apart.
#[derive(Clone, Debug)]
pub struct Named<'t> {
    /// What the list says of the heuristic.
    pub entry: &'static Entry,
    /// What stands after the colon.
    pub variant: Option<&'t str>,
    /// What stands between the parentheses.
    pub arguments: Vec<Argument<'t>>,
}

/// `key=value`, where the key is an option of the heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument<'t> {
    /// What the list says of the option.
    pub option: &'static OptionInfo,
    /// Its value, not yet read.
    pub value: &'t str,
}

impl<'t> Named<'t> {
    /// Takes a name that begins with that of the entry apart.
    pub(crate) fn parse(entry: &'static Entry, text: &'t str) -> Result<Named<'t>, OptionError> {
        let rest = text.strip_prefix(entry.name).unwrap_or_default();
        let (name, arguments) = match rest.split_once('(') {
            Some((name, arguments)) => match arguments.strip_suffix(')') {
                Some(arguments) => (name, arguments),
                None => return wrong("the closing ')' is missing".into()),
            },
            None => (rest, ""),
        };
        let arguments = arguments.split(',').filter(|argument| !argument.is_empty());
        let pair = |argument: &'t str| {
            let Some((key, value)) = argument.split_once('=') else {
                return wrong(format!("'{argument}' has no value; {}", hint(entry)));
            };
            match entry.options.iter().find(|option| option.name == key) {
                Some(option) => Ok(Argument { option, value }),
                None => wrong(format!("there is no option '{key}'; {}", hint(entry))),
            }
        };
        Ok(Named {
            entry,
            variant: name.strip_prefix(':'),
            arguments: arguments.map(pair).collect::<Result<_, _>>()?,
        })
    }

    /// The variant, by its place in the entry's list; `None` where there is none.
    pub fn variant(&self) -> Result<Option<usize>, OptionError> {
        let Some(name) = self.variant else {
            return Ok(None);
        };
        let variants = self.entry.variants;
        match variants.iter().position(|variant| variant.name == name) {
            Some(place) => Ok(Some(place)),
            None => {
                let family = self.entry.name;
                let known = variants.iter().map(|variant| variant.name);
                let known: Vec<&str> = std::iter::once(family).chain(known).collect();
                let known = known.join(&format!(", {family}:"));
                wrong(format!("there is no {family}:{name}; known are {known}"))
            }
        }
    }
}

/// Which options a heuristic has.
fn hint(entry: &Entry) -> String {
    let option = |option: &OptionInfo| match option.values {
        Values::Number(..) => format!("{}=N", option.name),
        Values::Words(words) => format!("{}={}", option.name, words.join("|")),
    };
    let options: Vec<String> = entry.options.iter().map(option).collect();
    match &options[..] {
        [] => format!("{} has no options", entry.name),
        [one] => format!("the option is {one}"),
        several => format!("options are {}", several.join(", ")),
    }
}

impl Argument<'_> {
    /// A number within the option's range.
    pub fn number(&self) -> Result<usize, OptionError> {
        let OptionInfo { name, values, .. } = self.option;
        let within = |number: &usize| match values {
            Values::Number(low, high) => (low..=high).contains(&number),
            Values::Words(_) => false,
        };
        match self.value.parse::<usize>() {
            Ok(number) if within(&number) => Ok(number),
            _ => wrong(format!("{name} is {values}, not '{}'", self.value)),
        }
    }

    /// One of the option's words, by its place among them.
    pub fn word(&self) -> Result<usize, OptionError> {
        let OptionInfo { name, values, .. } = self.option;
        let place = match values {
            Values::Words(words) => words.iter().position(|word| *word == self.value),
            Values::Number(..) => None,
        };
        match place {
            Some(place) => Ok(place),
            None => wrong(format!("{name} is {values}, not '{}'", self.value)),
        }
    }
}
