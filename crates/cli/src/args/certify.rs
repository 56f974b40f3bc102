//! Arguments of `merkhet certify`.

use std::path::PathBuf;

use clap::Args;

const AFTER_HELP: &str = "\
Examples:
  merkhet check model.xml -q 'A[] not P.error' --certificate proof.cert
  merkhet certify model.xml proof.cert

Exit codes: 0 the certificate proves its query, 1 it does not, 2 bad usage, model or file.";

/// Arguments of `merkhet certify`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct CertifyArgs {
    /// The model: .xml, .xta, .ta or .tck.
    pub model: PathBuf,

    /// The certificate.
    pub certificate: PathBuf,
}
