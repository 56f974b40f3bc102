//! Names and options: `hl`, `hu`, `hl:clocks`, `hu:clocks`.

use std::sync::Arc;

use merkhet_explore::HeuristicFacts;

use crate::choice::{Choice, Made, Preparation, PrepareError, Problem};
use crate::entry::{Build, Entry, Variant};
use crate::named::{Named, OptionError};

/// Which estimate of the abstract transition graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// h^U rather than h^L.
    pub upper: bool,
    /// With clocks.
    pub clocks: bool,
}

const VARIANTS: &[Variant] = &[Variant {
    name: "clocks",
    meaning: "with resets and time that guards and invariants ask for",
}];

/// `hl`.
pub static LOWER: Entry = Entry {
    name: "hl",
    summary: "h^L: layers of the abstract transition graph until the goal; with hl:clocks also the resets and the time \
              that guards and invariants ask for",
    description: "Every variable keeps each value that it once had (the monotonicity abstraction). Layer k holds what k \
                  rounds of all enabled transitions can reach; h^L is the first layer that meets the goal. It never exceeds the \
                  distance: for shortest traces.",
    variants: VARIANTS,
    options: &[],
    facts: facts(false),
    inadmissible_with: None,
    citation: "Kupferschmid, Hoffmann, Dierks, Behrmann 2006",
    databases: false,
    build: Build::Chosen {
        default: || {
            Arc::new(Options {
                upper: false,
                clocks: false,
            })
        },
        read: |named| read(named, false),
    },
};

/// `hu`.
pub static UPPER: Entry = Entry {
    name: "hu",
    summary: "h^U: length of an abstract solution; hu:clocks as hl:clocks",
    description: "An abstract solution is read off the layers of h^L backwards; h^U is its length, and its transitions are \
                  preferred. It is the guide of the automatic search, and the first one to try for errors.",
    variants: VARIANTS,
    options: &[],
    facts: facts(true),
    inadmissible_with: None,
    citation: "Kupferschmid, Hoffmann, Dierks, Behrmann 2006",
    databases: false,
    build: Build::Chosen {
        default: || {
            Arc::new(Options {
                upper: true,
                clocks: false,
            })
        },
        read: |named| read(named, true),
    },
};

/// What clocks add is admissible too.
const fn facts(upper: bool) -> HeuristicFacts {
    HeuristicFacts {
        admissible: !upper,
        consistent: false,
        safe_dead_ends: true,
    }
}

fn read(named: &Named<'_>, upper: bool) -> Result<Arc<dyn Choice>, OptionError> {
    let clocks = named.variant()?.is_some();
    Ok(Arc::new(Options { upper, clocks }))
}

impl Choice for Options {
    fn facts(&self) -> HeuristicFacts {
        facts(self.upper)
    }

    fn prepare(&self, _: &Problem<'_>, _: &Preparation<'_>) -> Result<Made, PrepareError> {
        Ok(Made::at_once(*self))
    }
}

#[cfg(test)]
mod tests {
    use super::Options;
    use crate::HeuristicSpec;

    #[test]
    fn names_are_read() {
        let check = |text: &str, expected: Option<(bool, bool)>| {
            let spec: Result<HeuristicSpec, _> = text.parse();
            let found = spec
                .ok()
                .and_then(|spec| spec.options::<Options>().copied());
            let found = found.map(|options| (options.upper, options.clocks));
            assert_eq!(found, expected, "{text}");
        };
        check("hl", Some((false, false)));
        check("hu", Some((true, false)));
        check("hl:clocks", Some((false, true)));
        check("hu:clocks", Some((true, true)));
        for other in ["h", "hull", "hl:", "hl:clock", "hu(n=1)", "hu:clocks("] {
            check(other, None);
        }
    }
}
