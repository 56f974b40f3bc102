//! The families are what they claim to be.

use super::{ALL, Language, find};
use merkhet_smv::read_smv;
use merkhet_syntax::read_model;
use merkhet_tck::read_tck;

#[test]
fn names_are_unique_and_defaults_come_last() {
    for (index, generator) in ALL.iter().enumerate() {
        assert!(
            ALL[..index]
                .iter()
                .all(|other| other.name != generator.name)
        );
        let defaults: Vec<bool> = generator
            .parameters
            .iter()
            .map(|parameter| parameter.default.is_some())
            .collect();
        assert!(defaults.is_sorted(), "{}", generator.name);
        for parameter in generator.parameters {
            let default = parameter.default.unwrap_or(parameter.low);
            assert!((parameter.low..=parameter.high).contains(&default));
        }
        assert_eq!(
            find(generator.name).map(|found| found.name),
            Some(generator.name)
        );
    }
}

/// Smallest, small and larger members of every family are read without a message.
#[test]
fn models_are_well_formed() {
    for generator in ALL {
        let low: Vec<u32> = generator.parameters.iter().map(|p| p.low).collect();
        for given in [low.clone(), vec![low[0] + 1], vec![20]] {
            let model = generator
                .generate(&given)
                .unwrap_or_else(|error| panic!("{error}"));
            let diagnostics = match generator.language {
                Language::Xta => read_model("model.xta", model.text.as_bytes()).1,
                Language::Tck => read_tck(model.text.as_bytes()).1,
                Language::Smv => {
                    let (program, mut diagnostics) = read_smv(&model.text);
                    diagnostics.extend(program.unread().flat_map(|one| one.diagnostics.clone()));
                    diagnostics
                }
            };
            assert!(
                diagnostics.is_empty(),
                "{} {given:?}: {diagnostics:?}\n{}",
                generator.name,
                model.text
            );
            if let Some(query) = &model.query {
                assert!(model.text.contains(query), "the query stands in a comment");
            }
        }
    }
}

#[test]
fn bad_values_are_refused() {
    let check = |name: &str, given: &[u32], expected: &str| {
        let generator = find(name).expect("a family");
        let error = generator.generate(given).expect_err("bad values");
        assert!(error.contains(expected), "{error}");
    };
    check("fischer-a", &[], "needs N: the number of processes");
    check("fischer-a", &[1], "goes from 2 to 1000, not 1");
    check("hanoi", &[3, 4], "takes 1 parameters, 2 are given");
    for generator in ALL {
        assert!((generator.build)(&[]).is_err());
    }
    assert_eq!(
        find("circles").map(|g| g.usage()).as_deref(),
        Some("circles N [C]")
    );
}
