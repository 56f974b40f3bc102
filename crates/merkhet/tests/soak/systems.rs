//! SMV models: decision diagrams and clauses against all states one by one.

use std::fmt::Write;

use merkhet_symbolic::bdd::Reordering;
use merkhet_symbolic::check::{Options, Verdict, check_system};
use merkhet_symbolic::guided::Guidance;
use merkhet_symbolic::limits::Limits;
use merkhet_symbolic::system::Formula;

use crate::explicit::{Graph, holds};
use crate::material::Material;
use crate::model::{condition, model, system};

pub fn make(seed: u64) -> Material {
    let (mut text, mut random) = model(seed);
    for _ in 0..2 {
        let _ = writeln!(text, "INVARSPEC {}", condition(&mut random, 2));
    }
    for _ in 0..4 {
        let (outer, inner) = (
            random.pick(&["AG", "AF", "EF", "EG"]).to_string(),
            random.pick(&["AX", "EX", "AF", "EF"]).to_string(),
        );
        let (p, q) = (condition(&mut random, 1), condition(&mut random, 1));
        let _ = writeln!(text, "CTLSPEC {outer} (({p}) -> {inner} ({q}))");
    }
    Material::Text(text, String::new())
}

pub fn check(material: &Material, seed: u64) -> Result<u64, String> {
    let Material::Text(text, _) = material else {
        return Err("no text".into());
    };
    let (program, diagnostics) = merkhet_smv::read_smv(text);
    if !diagnostics.is_empty() || merkhet_lower::smv::lower_smv(&program).system.is_none() {
        return Ok(0);
    }
    let system = system(text);
    let graph = Graph::new(&system);
    let reachable: Vec<usize> = graph.layers().into_iter().flatten().collect();
    let mut compared = 0;
    for guidance in [
        Guidance::Schedule,
        Guidance::BreadthFirst,
        Guidance::Clauses,
    ] {
        for whole_system in [false, true] {
            let options = Options {
                guidance: guidance.clone(),
                whole_system,
                reorder: Reordering::At(40),
                certificate: true,
                limits: Limits {
                    memory_bytes: 1 << 24,
                    ..Limits::default()
                },
                ..Options::default()
            };
            let results = check_system(&system, &options);
            for (specification, result) in system.specifications.iter().zip(&results) {
                let expected = match &specification.formula {
                    Formula::Ctl(formula) => graph.satisfies(formula),
                    Formula::Invariant(good) => {
                        (reachable.iter()).all(|at| holds(&system, *good, &graph.states[*at], None))
                    }
                    _ => continue,
                };
                let found = match &result.verdict {
                    Verdict::Holds => true,
                    Verdict::Fails => false,
                    Verdict::Unknown(_) | Verdict::Length(_) => continue,
                };
                if found != expected {
                    return Err(format!(
                        "{guidance:?}, whole {whole_system}, seed {seed}: {found} instead of {expected}: {}\n{text}",
                        result.text
                    ));
                }
                compared += 1;
            }
        }
    }
    Ok(compared)
}
