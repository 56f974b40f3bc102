//! The verdict lines.

use merkhet::network::QueryKind;
use merkhet::{Answer, Bound, Report, Value};

/// The line for a verdict, without what clears the progress.
pub fn line(kind: &QueryKind, report: &Report) -> String {
    let reason = report.reason.as_deref().unwrap_or_default();
    let words = match report.answer {
        Answer::Satisfied => "Formula is satisfied.",
        Answer::Violated => "Formula is NOT satisfied.",
        Answer::Unknown => match (approximate(reason), exists(kind)) {
            (Some(Approximate::FoundPerhaps), true) => "Formula MAY be satisfied.",
            (Some(Approximate::FoundPerhaps), false) => "Formula MAY NOT be satisfied.",
            (Some(Approximate::MissedPerhaps), true) => "Formula MAY NOT be satisfied.",
            (Some(Approximate::MissedPerhaps), false) => "Formula MAY be satisfied.",
            (None, _) => return format!(" -- Formula is undecided: {reason}."),
        },
    };
    format!(" -- {words}")
}

/// Whether a run that is found makes the query true.
fn exists(kind: &QueryKind) -> bool {
    matches!(
        kind,
        QueryKind::Possibly(_) | QueryKind::PotentiallyAlways(_)
    )
}

/// Why an answer is not certain.
enum Approximate {
    /// Zones are too large: what was found may not be there.
    FoundPerhaps,
    /// States were left out: what was not found may be there.
    MissedPerhaps,
}

fn approximate(reason: &str) -> Option<Approximate> {
    if reason.starts_with("may hold") {
        Some(Approximate::FoundPerhaps)
    } else if reason.contains("may have been missed") {
        Some(Approximate::MissedPerhaps)
    } else {
        None
    }
}

/// The lines of `sup`, `inf` and `bounds`, such as `x <= 250000`.
pub fn values(values: &[Value]) -> String {
    let mut text = String::new();
    for value in values {
        let expression = &value.expression;
        if let Some(bound) = value.infimum {
            let end = match bound {
                Bound::Reached(value) => format!(">= {value}"),
                Bound::NotReached(value) => format!("> {value}"),
                Bound::Infinite => "> -inf".into(),
            };
            text += &format!("{expression} {end}\n");
        }
        if let Some(bound) = value.supremum {
            let end = match bound {
                Bound::Reached(value) => format!("<= {value}"),
                Bound::NotReached(value) => format!("< {value}"),
                Bound::Infinite => "< inf".into(),
            };
            text += &format!("{expression} {end}\n");
        }
    }
    text
}
