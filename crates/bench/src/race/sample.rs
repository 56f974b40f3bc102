//! Measurements and what is made of them.

/// One run of one program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// User and system time, in seconds.
    pub cpu: f64,
    /// Time by the clock, in seconds.
    pub wall: f64,
    /// Peak resident memory, in bytes.
    pub memory: u64,
}

/// The median of some values with the smallest and the largest of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

/// The median; of an even number of values the mean of the two in the middle.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    spread(values).map(|spread| spread.median)
}

fn spread(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let (&low, &high) = (values.first()?, values.last()?);
    let middle = values.len() / 2;
    let median = match values.len() % 2 {
        1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    };
    Some(Spread { median, low, high })
}

/// The quotients of runs that were made next to each other.
pub fn ratios(theirs: &[Sample], ours: &[Sample], of: fn(&Sample) -> f64) -> Option<Spread> {
    let pairs = theirs.iter().zip(ours);
    spread(
        pairs
            .map(|(theirs, ours)| of(theirs) / of(ours))
            .filter(|ratio| ratio.is_finite()),
    )
}

/// The geometric mean of positive values.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.into_iter().map(f64::ln).collect();
    if logarithms.is_empty() {
        return None;
    }
    Some((logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::{Sample, geometric_mean, median, ratios};

    #[test]
    fn medians() {
        assert_eq!(median([]), None);
        assert_eq!(median([3.0]), Some(3.0));
        assert_eq!(median([5.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 8.0]), Some(3.0));
    }

    #[test]
    fn ratios_are_taken_run_by_run() {
        let sample = |cpu| Sample {
            cpu,
            wall: 1.0,
            memory: 1,
        };
        let theirs = [sample(10.0), sample(40.0), sample(9.0)];
        let ours = [sample(1.0), sample(2.0), sample(3.0)];
        let spread = ratios(&theirs, &ours, |sample| sample.cpu).expect("pairs");
        assert_eq!((spread.low, spread.median, spread.high), (3.0, 10.0, 20.0));
        assert_eq!(ratios(&theirs, &[], |sample| sample.cpu), None);
    }

    #[test]
    fn geometric_means() {
        assert_eq!(geometric_mean([]), None);
        let mean = geometric_mean([2.0, 8.0]).expect("values");
        assert!((mean - 4.0).abs() < 1e-12);
    }
}
