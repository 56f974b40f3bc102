//! Durations and sizes as people write them.

pub mod heuristic;

use std::time::Duration;

const DURATION_UNITS: &[(&str, f64)] = &[
    ("ms", 1e-3),
    ("s", 1.0),
    ("m", 60.0),
    ("min", 60.0),
    ("h", 3600.0),
    ("d", 86400.0),
];

/// `KB` is a thousand bytes and `KiB` 1024; a single letter means the latter, as for `ulimit` and `docker`.
const SIZE_UNITS: &[(&str, f64)] = &[
    ("", 1.0),
    ("b", 1.0),
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("tb", 1e12),
    ("k", 1024.0),
    ("m", 1048576.0),
    ("g", 1073741824.0),
    ("t", 1099511627776.0),
    ("kib", 1024.0),
    ("mib", 1048576.0),
    ("gib", 1073741824.0),
    ("tib", 1099511627776.0),
];

/// A thousand years: more than any run takes, and far from the limits of [`Duration`].
const LONGEST: f64 = 1000.0 * 366.0 * 86400.0;

/// The largest table of heuristic values: its entries take some tens of bytes each.
const LARGEST_CACHE: usize = 1 << 28;

/// Reads a number of entries, or `off`.
pub fn parse_cache(text: &str) -> Result<usize, String> {
    match text.trim() {
        "off" => Ok(0),
        number => match number.parse() {
            Ok(entries) if entries <= LARGEST_CACHE => Ok(entries),
            _ => Err(format!(
                "expected a number of entries up to {LARGEST_CACHE}, or off"
            )),
        },
    }
}

/// Reads `60s`, `5m`, `1h30m`, `1.5s`, `250ms`; a bare number counts seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a duration such as 60s, 5m or 1h30m";
    let text = text.trim();
    if let Some(seconds) = number(text) {
        return seconds_to_duration(seconds);
    }
    let mut rest = text;
    let mut seconds = 0.0;
    let mut smallest = f64::INFINITY;
    while !rest.is_empty() {
        let (amount, after) = split_number(rest).ok_or(EXPECTED)?;
        let end = after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let &(_, factor) = DURATION_UNITS
            .iter()
            .find(|(name, _)| *name == unit)
            .ok_or_else(|| format!("unknown unit `{unit}`; use ms, s, m, h or d, as in 1h30m"))?;
        if factor >= smallest {
            return Err(format!(
                "`{unit}` must come before smaller units, as in 1h30m"
            ));
        }
        smallest = factor;
        seconds += amount * factor;
        rest = after;
    }
    if smallest.is_infinite() {
        Err(EXPECTED.into())
    } else {
        seconds_to_duration(seconds)
    }
}

fn seconds_to_duration(seconds: f64) -> Result<Duration, String> {
    if seconds > LONGEST {
        return Err("that is more than a thousand years".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Reads `8GiB`, `500MB`, `2g`, `1048576`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a size such as 500MB or 8GiB";
    let (amount, unit) = split_number(text.trim()).ok_or(EXPECTED)?;
    let unit = unit.trim().to_ascii_lowercase();
    let &(_, factor) = SIZE_UNITS
        .iter()
        .find(|(name, _)| *name == unit)
        .ok_or_else(|| format!("unknown unit `{unit}`; use KB, MB, GB or KiB, MiB, GiB"))?;
    let bytes = amount * factor;
    if bytes < 1.0 {
        return Err("must be at least one byte".into());
    }
    if bytes > (1u64 << 60) as f64 {
        return Err("that is more than any machine has".into());
    }
    Ok(bytes as u64)
}

/// The least limit of memory: what the program takes with a small model.
pub const LEAST_MEMORY: u64 = 16 << 20;

/// Reads a limit of memory.
pub fn parse_memory(text: &str) -> Result<u64, String> {
    match parse_size(text)? {
        bytes if bytes < LEAST_MEMORY => Err(format!(
            "the least limit is {} MiB, which the program itself takes",
            LEAST_MEMORY >> 20
        )),
        bytes => Ok(bytes),
    }
}

/// A whole text that is a plain decimal number: digits with at most one point, no sign and no exponent.
fn number(text: &str) -> Option<f64> {
    split_number(text).and_then(|(value, rest)| rest.is_empty().then_some(value))
}

/// The decimal number at the start of a text, and what follows it.
fn split_number(text: &str) -> Option<(f64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let value: f64 = digits.parse().ok()?;
    value.is_finite().then_some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::{parse_duration, parse_size};

    fn check_duration(text: &str, expected: Option<f64>) {
        assert_eq!(
            parse_duration(text).ok().map(|d| d.as_secs_f64()),
            expected,
            "{text}"
        );
    }

    fn check_size(text: &str, expected: Option<u64>) {
        assert_eq!(parse_size(text).ok(), expected, "{text}");
    }

    #[test]
    fn durations() {
        check_duration("60s", Some(60.0));
        check_duration("5m", Some(300.0));
        check_duration("1h30m", Some(5400.0));
        check_duration("1.5s", Some(1.5));
        check_duration("250ms", Some(0.25));
        check_duration("2d", Some(172800.0));
        check_duration("90", Some(90.0));
        check_duration("0s", Some(0.0));
        for bad in [
            "", "s", "-5s", "5x", "1m2h", "1m1m", "5 s", "1e9s", "nan", "inf", ".", "1..5s", "٣s",
        ] {
            check_duration(bad, None);
        }
        check_duration(&"9".repeat(400), None);
        check_duration("999999999999d", None);
    }

    #[test]
    fn sizes() {
        check_size("8GiB", Some(8 << 30));
        check_size("500MB", Some(500_000_000));
        check_size("500 MB", Some(500_000_000));
        check_size("2g", Some(2 << 30));
        check_size("1.5KiB", Some(1536));
        check_size("1048576", Some(1 << 20));
        for bad in [
            "",
            "GiB",
            "-1",
            "0",
            "0.1",
            "5PB",
            "1e9",
            "99999999999TiB",
            "8 Gi B",
        ] {
            check_size(bad, None);
        }
    }
}
