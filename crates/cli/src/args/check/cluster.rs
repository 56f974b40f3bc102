//! Arguments of `merkhet check` for several processes.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::args::values::parse_duration;

/// The variables in which launchers tell a process its number: Slurm, Kubernetes' indexed jobs, Open MPI, others.
pub const NUMBERS: [&str; 4] = [
    "SLURM_PROCID",
    "JOB_COMPLETION_INDEX",
    "OMPI_COMM_WORLD_RANK",
    "PMI_RANK",
];

/// Options for several processes.
#[derive(Debug, Args)]
pub struct ClusterArgs {
    /// Decide the queries together with other processes: a file with their addresses, one `host:port` a line, the same for
    /// all. `merkhet cluster run` does all this on one machine.
    #[arg(long, value_name = "FILE", help_heading = "Several processes")]
    pub hosts: Option<PathBuf>,

    /// The number of this process: its line in the file of hosts, from 0. Process 0 reports. Where it is not given, Slurm,
    /// Kubernetes and MPI are asked (SLURM_PROCID, JOB_COMPLETION_INDEX, OMPI_COMM_WORLD_RANK, PMI_RANK).
    #[arg(
        long,
        value_name = "I",
        requires = "hosts",
        help_heading = "Several processes"
    )]
    pub process: Option<usize>,

    /// How long the others have to come.
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_duration)]
    #[arg(requires = "hosts", help_heading = "Several processes")]
    pub wait: Duration,
}
