//! Numbers as people read them.

/// `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 state`, `2 states`.
pub fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// `12.3 MiB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{number} B")
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

/// `0.03 s`, `12.3 s`, `4 min 20 s`, `2 h 5 min`.
pub fn seconds(time: f64) -> String {
    // The sum of no times is -0.
    let time = time + 0.0;
    let whole = time.round() as u64;
    match time {
        t if t < 10.0 => format!("{time:.2} s"),
        t if t < 100.0 => format!("{time:.1} s"),
        t if t < 3600.0 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, plural, seconds};

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let numbers = [0, 7, 999, 1000, 1_234_567, u64::MAX].map(count);
        assert_eq!(
            numbers,
            [
                "0",
                "7",
                "999",
                "1,000",
                "1,234,567",
                "18,446,744,073,709,551,615"
            ]
        );
        assert_eq!(
            [0, 1, 2].map(|n| plural(n, "state", "states")),
            ["0 states", "1 state", "2 states"]
        );
    }

    #[test]
    fn sizes_have_units() {
        let sizes = [0, 1023, 1024, 12_900_000, u64::MAX].map(bytes);
        assert_eq!(
            sizes,
            ["0 B", "1023 B", "1.0 KiB", "12.3 MiB", "16777216.0 TiB"]
        );
    }

    #[test]
    fn times_have_units() {
        let times = [0.0, 0.031, 12.34, 260.0, 7500.0].map(seconds);
        assert_eq!(
            times,
            ["0.00 s", "0.03 s", "12.3 s", "4 min 20 s", "2 h 5 min"]
        );
    }
}
