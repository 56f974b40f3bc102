//! How much memory the process has used.

use std::sync::OnceLock;

/// The largest resident size of this process so far, in bytes; 0 where the system does not tell.
pub fn peak_bytes() -> u64 {
    status("VmHWM:")
}

/// The resident size of this process, in bytes; 0 where the system does not tell.
pub fn resident_bytes() -> u64 {
    status("VmRSS:")
}

/// What is left of a limit for the states of a search: program and model were there before the first one.
pub(crate) fn for_states(limit: u64) -> u64 {
    static BEFORE: OnceLock<u64> = OnceLock::new();
    let before = *BEFORE.get_or_init(resident_bytes);
    limit.saturating_sub(before).max(1)
}

fn status(field: &str) -> u64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return 0;
    };
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kibibytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
