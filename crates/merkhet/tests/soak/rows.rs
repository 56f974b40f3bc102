//! The rows of the soak: each makes something of a number, and compares all ways of looking at it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use merkhet_testing::{Profile, generate};

use crate::material::Material;
use crate::networks::{Extent, check_queries};
use crate::{conversions, forgeries, lattices, resumed, systems, threads};

/// A kind of comparison.
pub struct Row {
    pub name: &'static str,
    pub about: &'static str,
    /// The material of a number, always the same.
    pub make: fn(u64) -> Material,
    /// How many answers were compared, or what is wrong.
    pub check: fn(&Material, u64) -> Result<u64, String>,
}

pub const ALL: &[Row] = &[
    Row {
        name: "networks",
        about: "random networks in every way against regions and digital clocks; traces and certificates judged and damaged",
        make: network,
        check: networks,
    },
    Row {
        name: "forgeries",
        about: "certificates of wrong claims, changed at random and after each refusal, and damaged traces",
        make: network,
        check: forgeries::check,
    },
    Row {
        name: "threads",
        about: "random networks with two to four threads against regions",
        make: crowded,
        check: threads::check,
    },
    Row {
        name: "checkpoints",
        about: "searches written down in the middle, taken up again and compared with regions",
        make: network,
        check: resumed::check,
    },
    Row {
        name: "conversions",
        about: "random networks written as XTA, XML and in TChecker's language, read again and compared",
        make: network,
        check: conversions::check,
    },
    Row {
        name: "lattices",
        about: "random lattice automata: covering, joining and refining against single elements",
        make: lattices::make,
        check: lattices::check,
    },
    Row {
        name: "smv",
        about: "random SMV models: decision diagrams and clauses against all states one by one",
        make: systems::make,
        check: systems::check,
    },
];

/// The row of a name.
pub fn named(name: &str) -> Option<&'static Row> {
    ALL.iter().find(|row| row.name == name)
}

impl Row {
    /// The check; a panic is a finding like others.
    pub fn caught(&self, material: &Material, seed: u64) -> Result<u64, String> {
        let checked = catch_unwind(AssertUnwindSafe(|| (self.check)(material, seed)));
        checked.unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or(payload.downcast_ref::<&str>().map(|text| text.to_string()));
            Err(format!("panic: {}", text.unwrap_or_default()))
        })
    }

    /// Checks a finding once more, as it stands in a test.
    #[allow(dead_code)] // until there is one
    pub fn recheck(name: &str, text: &str, queries: &str, seed: u64) {
        let row = named(name).expect("a row");
        let material = match (row.make)(seed) {
            Material::Text(..) => Material::Text(text.into(), queries.into()),
            Material::Network(..) => Material::read_network(text, queries).expect("a model"),
        };
        if let Err(what) = row.caught(&material, seed) {
            panic!("{what}");
        }
    }
}

fn profile(seed: u64) -> Profile {
    let all = Profile::named();
    all[(seed % all.len() as u64) as usize].1.clone()
}

fn network(seed: u64) -> Material {
    let (network, queries) = generate(seed, &profile(seed));
    Material::Network(Box::new(network), queries)
}

fn crowded(seed: u64) -> Material {
    let profile = match seed % 2 {
        0 => Profile::crowded(),
        _ => Profile::everything(),
    };
    let (network, queries) = generate(seed, &profile);
    Material::Network(Box::new(network), queries)
}

fn networks(material: &Material, seed: u64) -> Result<u64, String> {
    let Material::Network(network, queries) = material else {
        return Err("no network".into());
    };
    let closed = profile(seed).closed_only;
    let tally = check_queries(network, queries, closed, seed, Extent::Sample)?;
    Ok(tally.answers + tally.certificates + tally.rejected)
}
