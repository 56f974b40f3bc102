//! Writes an accepted certificate for Munta's certificate checker.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use merkhet::network::{Network, Query};
use merkhet::replay::{self, Certificate};
use merkhet_interop::munta::{States, munta};

use crate::input;
use crate::output::{self, AtomicFile};

/// Writes PREFIX.muntax, PREFIX.renaming and PREFIX.cert; says how they are checked.
pub(super) fn export(
    network: &Network,
    query: &Query,
    certificate: &Path,
    prefix: &Path,
) -> Result<(), String> {
    let cannot = |why: &str| format!("the certificate cannot be written for Munta: {why}");
    let munta = munta(network, query).map_err(|problem| cannot(&problem.to_string()))?;
    let certificate = replay::read(BufReader::new(input::open(certificate)?))
        .map_err(|error| cannot(&error.to_string()))?;
    if certificate.entries.iter().any(|entry| entry.tops.is_some()) {
        return Err(cannot(
            "it has boxes; --lattice simple makes one of single states",
        ));
    }
    closed_by_inclusion(network, query, &certificate).map_err(|why| cannot(&why))?;
    let named = |ending: &str| {
        let mut name = OsString::from(prefix);
        name.push(ending);
        PathBuf::from(name)
    };
    let (model, renaming, states) = (named(".muntax"), named(".renaming"), named(".cert"));
    output::write_file(&model, &munta.model)?;
    output::write_file(&renaming, &munta.renaming)?;
    let write = || -> io::Result<()> {
        let mut file = AtomicFile::create(&states)?;
        let entries = certificate.entries.iter().map(|entry| States {
            locations: &entry.locations,
            cells: &entry.cells,
            zones: &entry.zones,
        });
        munta.certificate(entries, &mut file)?;
        file.flush()?;
        file.commit()
    };
    write().map_err(|error| format!("cannot write {}: {error}", states.display()))?;
    let deadlock = if munta.deadlock { " -dc" } else { "" };
    output::message(&format!(
        "to be checked by: muntac{deadlock} -m {} -r {} -c {}",
        model.display(),
        renaming.display(),
        states.display()
    ));
    Ok(())
}

/// Munta compares zones by inclusion: the certificate must do without its bounds of clocks.
fn closed_by_inclusion(
    network: &Network,
    query: &Query,
    certificate: &Certificate,
) -> Result<(), String> {
    let mut plain = certificate.clone();
    for entry in &mut plain.entries {
        entry.bounds = None;
    }
    replay::certify(network, query, &plain).map_err(|refusal| {
        format!("its zones are not closed under plain inclusion ({refusal}); make it with --inclusion zone")
    })
}
