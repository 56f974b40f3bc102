//! Names and options: `hl`, `hu`, `hl:clocks`, `hu:clocks`.

use crate::named::{Named, OptionError, wrong};

/// Which estimate of the abstract transition graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// h^U rather than h^L.
    pub upper: bool,
    /// With clocks.
    pub clocks: bool,
}

const HINT: &str =
    "h^L and h^U have no options but the variant with clocks, hl:clocks and hu:clocks";

impl Options {
    /// Reads a name of the family; `None` if it is of another family.
    pub fn parse(text: &str) -> Option<Result<Options, OptionError>> {
        let of = |family, upper| {
            let named = Named::parse(family, text, HINT)?;
            Some(named.and_then(|named| read(&named, upper)))
        };
        of("hl", false).or_else(|| of("hu", true))
    }
}

fn read(named: &Named<'_>, upper: bool) -> Result<Options, OptionError> {
    if let Some(argument) = named.arguments.first() {
        return wrong(format!("there is no option '{}'; {HINT}", argument.key));
    }
    let clocks = match named.variant {
        None => false,
        Some("clocks") => true,
        Some(other) => return wrong(format!("there is no variant '{other}'; {HINT}")),
    };
    Ok(Options { upper, clocks })
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn names_are_read() {
        let check = |text: &str, expected: Option<(bool, bool)>| {
            let parsed = Options::parse(text).and_then(Result::ok);
            let found = parsed.map(|options| (options.upper, options.clocks));
            assert_eq!(found, expected, "{text}");
        };
        check("hl", Some((false, false)));
        check("hu", Some((true, false)));
        check("hl:clocks", Some((false, true)));
        check("hu:clocks", Some((true, true)));
        for other in [
            "hcg",
            "h",
            "hull",
            "hl:",
            "hl:clock",
            "hu(n=1)",
            "hu:clocks(",
        ] {
            check(other, None);
        }
        assert!(Options::parse("hull").is_none());
        assert!(matches!(Options::parse("hl:clock"), Some(Err(_))));
    }
}
