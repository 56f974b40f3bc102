//! The list agrees with itself.

use merkhet_heuristics::HeuristicSpec;

use crate::{all, entries};

#[test]
fn facts_and_defaults_are_those_of_the_heuristics() {
    let entries = entries();
    let read = |name: &str| HeuristicSpec::read(&entries, name);
    for entry in &entries {
        let plain = read(entry.name).expect("a heuristic");
        assert_eq!(plain.facts(), entry.facts, "{}", entry.name);
        assert_eq!(plain.to_string(), entry.name);
        assert!(read(&format!("{}:nonsense", entry.name)).is_err());
        assert!(read(&format!("{}(nonsense=1)", entry.name)).is_err());
        for option in entry
            .options
            .iter()
            .filter(|option| !option.default.is_empty())
        {
            let given = read(&format!(
                "{}({}={})",
                entry.name, option.name, option.default
            ));
            assert_eq!(given, Ok(plain.clone()), "{} {}", entry.name, option.name);
        }
        if let Some(option) = entry.inadmissible_with {
            let with = read(&format!("{}({option})", entry.name)).expect("an option");
            assert!(
                plain.is_admissible() && !with.is_admissible(),
                "{}",
                entry.name
            );
        }
    }
}

/// Every variant and every option is one that can be given, and no two heuristics have the same name.
#[test]
fn names_are_read_and_printed() {
    let entries = entries();
    let all = all();
    for entry in &entries {
        assert_eq!(
            entries
                .iter()
                .filter(|other| other.name == entry.name)
                .count(),
            1
        );
        let names: Vec<String> = all.iter().map(HeuristicSpec::to_string).collect();
        for variant in entry.variants {
            assert!(
                names.contains(&format!("{}:{}", entry.name, variant.name)),
                "{}",
                variant.name
            );
        }
        for option in entry.options {
            let given = format!("{}=", option.name);
            assert!(
                names.iter().any(|name| name.contains(&given)),
                "{}",
                option.name
            );
        }
    }
    for spec in &all {
        let again = HeuristicSpec::read(&entries, &spec.to_string());
        assert_eq!(again.as_ref(), Ok(spec));
    }
}
