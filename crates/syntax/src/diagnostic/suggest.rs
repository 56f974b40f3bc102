//! Finds the name that the author probably meant.

/// The candidate nearest to `wanted`, if any is near enough to be worth suggesting.
///
/// Near enough is an edit distance (optimal string alignment, letters' case costing half) of at most a third of
/// the length, or a difference in letters' case alone; ties go to the earlier candidate.
pub fn nearest_name<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let wanted: Vec<char> = wanted.chars().take(MAX_LENGTH + 1).collect();
    if wanted.is_empty() || wanted.len() > MAX_LENGTH {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let letters: Vec<char> = candidate.chars().take(MAX_LENGTH + 1).collect();
        let limit = 2 * (wanted.len().max(letters.len()) / 3).max(1);
        if letters.len() > MAX_LENGTH || 2 * wanted.len().abs_diff(letters.len()) > limit {
            continue;
        }
        let only_case = letters
            .iter()
            .map(char::to_ascii_lowercase)
            .eq(wanted.iter().map(char::to_ascii_lowercase));
        let distance = if only_case {
            1
        } else {
            edit_distance(&wanted, &letters)
        };
        let worth_it = distance <= limit && distance < 2 * wanted.len().min(letters.len());
        if worth_it && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

const MAX_LENGTH: usize = 64;

/// Twice the number of insertions, deletions, substitutions and swaps of neighbours; a change of case counts one.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).map(|j| 2 * j).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = 2 * i;
        for j in 1..=b.len() {
            let substitution = match (a[i - 1], b[j - 1]) {
                (x, y) if x == y => 0,
                (x, y) if x.eq_ignore_ascii_case(&y) => 1,
                _ => 2,
            };
            let mut least = (last[j - 1] + substitution)
                .min(last[j] + 2)
                .min(row[j - 1] + 2);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before_last[j - 2] + 2);
            }
            row[j] = least;
        }
        (before_last, last, row) = (last, row, before_last);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest_name;

    #[test]
    fn suggests_only_near_names() {
        let check = |wanted: &str, expected: Option<&str>| {
            let names = ["Train", "trains", "gate", "x", "approaching"];
            assert_eq!(nearest_name(wanted, names), expected, "{wanted}");
        };
        check("Trian", Some("Train"));
        check("train", Some("Train"));
        check("GATE", Some("gate"));
        check("aproaching", Some("approaching"));
        check("y", None);
        check("X", Some("x"));
        check("elephant", None);
        check("", None);
        check(&"a".repeat(1000), None);
    }
}
