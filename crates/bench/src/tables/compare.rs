//! Ours against theirs.

use super::{Published, Results};
use crate::race::geometric_mean;

/// Papers round times to tenths of a second: below this many, a rate of states says nothing.
const TIME_FOR_RATES: f64 = 0.5;

/// What that rounding hides.
const TIME_ROUNDING: f64 = 0.05;

/// The geometric mean of ours divided by theirs, over the comparable rows of a configuration that both solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Mean {
    /// The configuration.
    pub configuration: String,
    /// The figure, or `explored per second`.
    pub figure: String,
    /// The mean; below 1 ours is smaller.
    pub mean: f64,
    /// The number of rows.
    pub rows: usize,
}

/// Ours divided by the paper's, where both exist.
pub fn ratio(results: &Results, row: usize, figure: usize) -> Option<f64> {
    let Published::Value(theirs) = results.table.rows.get(row)?.published.get(figure)? else {
        return None;
    };
    let ours = results.ours(row, figure)?;
    (*theirs > 0.0).then(|| ours / theirs)
}

/// Whether ours is worse than the paper's: larger, or missing where the paper has one.
pub fn worse(results: &Results, row: usize, figure: usize) -> bool {
    let known = &results.table.rows[row];
    if !known.is_comparable() || results.measured[row].skipped {
        return false;
    }
    match (known.published[figure], results.ours(row, figure)) {
        (Published::Value(theirs), Some(ours)) if results.table.figures[figure] == "time" => {
            ours > theirs + TIME_ROUNDING
        }
        (Published::Value(theirs), Some(ours)) => ours > theirs,
        (Published::Value(_), None) => results.measured[row].problem.is_some(),
        _ => false,
    }
}

/// All means, by configuration.
pub fn means(results: &Results) -> Vec<Mean> {
    let mut list = Vec::new();
    for configuration in results.configurations() {
        for (figure, name) in results.table.figures.iter().enumerate() {
            let ratios = rows(results, configuration).filter_map(|row| ratio(results, row, figure));
            list.extend(mean(
                configuration,
                name,
                ratios.filter(|ratio| *ratio > 0.0),
            ));
        }
        if let (Some(explored), Some(time)) = (results.figure("explored"), results.figure("time")) {
            let rates = rows(results, configuration)
                .filter_map(|row| rate_ratio(results, row, explored, time));
            list.extend(mean(configuration, "explored per second", rates));
        }
    }
    list
}

fn rows<'a>(results: &'a Results, configuration: &'a str) -> impl Iterator<Item = usize> + 'a {
    (0..results.table.rows.len()).filter(move |row| {
        let row = &results.table.rows[*row];
        row.configuration == configuration && row.is_comparable()
    })
}

fn rate_ratio(results: &Results, row: usize, explored: usize, time: usize) -> Option<f64> {
    let published = &results.table.rows[row].published;
    let (Published::Value(states), Published::Value(seconds)) =
        (published[explored], published[time])
    else {
        return None;
    };
    let (our_states, our_seconds) = (results.ours(row, explored)?, results.ours(row, time)?);
    let good = seconds >= TIME_FOR_RATES && states > 0.0 && our_seconds > 0.0 && our_states > 0.0;
    good.then(|| (our_states / our_seconds) / (states / seconds))
}

fn mean(configuration: &str, figure: &str, ratios: impl Iterator<Item = f64>) -> Option<Mean> {
    let ratios: Vec<f64> = ratios.collect();
    Some(Mean {
        configuration: configuration.to_owned(),
        figure: figure.to_owned(),
        mean: geometric_mean(ratios.iter().copied())?,
        rows: ratios.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::{means, ratio, worse};
    use crate::tables::testing::sample;

    #[test]
    fn only_comparable_rows_count() {
        let results = sample();
        assert_eq!(ratio(&results, 0, 0), Some(0.25));
        assert_eq!(ratio(&results, 1, 0), None, "unsolved there");
        assert!(!worse(&results, 0, 0) && worse(&results, 3, 0));
        assert!(!worse(&results, 2, 0), "not comparable");
        let list = means(&results);
        let of = |configuration: &str, figure: &str| {
            list.iter()
                .find(|mean| mean.configuration == configuration && mean.figure == figure)
                .map(|mean| (mean.mean, mean.rows))
        };
        assert_eq!(of("hU", "explored"), Some((0.25, 1)));
        assert_eq!(of("hL", "explored"), Some((4.0, 1)));
        let (rate, _) = of("hL", "explored per second").expect("a rate");
        assert!((rate - 40.0).abs() < 1e-9);
    }

    #[test]
    fn a_row_that_fails_is_worse() {
        let mut results = sample();
        results.measured[0].figures = vec![None, None];
        results.measured[0].problem = Some("out of time".into());
        assert!(worse(&results, 0, 0));
        results.measured[0].skipped = true;
        assert!(!worse(&results, 0, 0));
    }
}
