//! Names with options, as they are written on the command line: `family`, `family:variant`, `family:variant(key=value,…)`.

use std::fmt;

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
pub(crate) fn wrong<T>(text: String) -> Result<T, OptionError> {
    Err(OptionError(text))
}

/// A name, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named<'t> {
    /// After the colon.
    pub variant: Option<&'t str>,
    /// Between the parentheses.
    pub arguments: Vec<Argument<'t>>,
}

/// `key=value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Argument<'t> {
    pub key: &'t str,
    pub value: &'t str,
}

impl<'t> Named<'t> {
    /// Takes a name of a family apart; `None` if it is of another family. The hint says which options there are.
    pub fn parse(
        family: &str,
        text: &'t str,
        hint: &str,
    ) -> Option<Result<Named<'t>, OptionError>> {
        let rest = text.strip_prefix(family)?;
        if !rest.is_empty() && !rest.starts_with([':', '(']) {
            return None;
        }
        let (name, arguments) = match rest.split_once('(') {
            Some((name, arguments)) => match arguments.strip_suffix(')') {
                Some(arguments) => (name, arguments),
                None => return Some(wrong("the closing ')' is missing".into())),
            },
            None => (rest, ""),
        };
        let arguments = arguments.split(',').map(str::trim);
        let arguments = arguments.filter(|argument| !argument.is_empty());
        let pair = |argument: &'t str| match argument.split_once('=') {
            Some((key, value)) => Ok(Argument {
                key: key.trim(),
                value: value.trim(),
            }),
            None => wrong(format!("'{argument}' has no value; {hint}")),
        };
        Some(
            arguments
                .map(pair)
                .collect::<Result<_, _>>()
                .map(|arguments| Named {
                    variant: name.strip_prefix(':'),
                    arguments,
                }),
        )
    }
}

impl Argument<'_> {
    /// A number within bounds.
    pub fn number(&self, low: usize, high: usize) -> Result<usize, OptionError> {
        let Argument { key, value } = self;
        match value.parse::<usize>() {
            Ok(number) if (low..=high).contains(&number) => Ok(number),
            _ => wrong(format!(
                "{key} is a number from {low} to {high}, not '{value}'"
            )),
        }
    }

    /// One of several words.
    pub fn one_of<T: Copy>(&self, known: &[(&str, T)]) -> Result<T, OptionError> {
        let Argument { key, value } = self;
        if let Some((_, found)) = known.iter().find(|(name, _)| name == value) {
            return Ok(*found);
        }
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let (last, others) = names.split_last().map_or(("", &[][..]), |(l, o)| (*l, o));
        wrong(format!(
            "{key} is {} or {last}, not '{value}'",
            others.join(", ")
        ))
    }
}
