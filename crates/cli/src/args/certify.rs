//! Arguments of `merkhet certify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::values::{parse_duration, parse_memory};

const AFTER_HELP: &str = "\
Examples:
  merkhet check model.xml -q 'A[] not P.error' --certificate proof.cert
  merkhet certify model.xml proof.cert
  merkhet certify model.xml proof.cert --export-munta proof

Exit codes: 0 the certificate proves its query, 1 it does not, 2 bad usage, model or file, 3 a limit was reached.";

/// Arguments of `merkhet certify`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct CertifyArgs {
    /// The model: .xml, .xta, .ta or .tck.
    pub model: PathBuf,

    /// The certificate.
    pub certificate: PathBuf,

    /// Once it is accepted, also write it for Munta's certificate checker, which is verified in Isabelle/HOL: PREFIX.muntax,
    /// PREFIX.renaming and PREFIX.cert. For E<> and A[] about locations and variables; what Munta cannot say is refused.
    #[arg(long, value_name = "PREFIX")]
    pub export_munta: Option<PathBuf>,

    /// Give up after this time, such as 250ms, 60s, 5m, 1h30m or 2d; a bare number counts seconds.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Check with this many threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,

    /// Give up beyond this much memory, such as 500MB (10^6 bytes) or 8GiB (2^30); a bare number counts bytes; at least
    /// 16MiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory_limit: Option<u64>,
}
