//! The verdict lines.

use merkhet::network::QueryKind;
use merkhet::{Answer, Bound, Report, StopReason, Value, Why};

/// The line for a verdict, without what clears the progress.
pub fn line(kind: &QueryKind, report: &Report) -> String {
    let words = match (&report.answer, exists(kind)) {
        (Answer::Satisfied, _) => "Formula is satisfied.",
        (Answer::Violated, _) => "Formula is NOT satisfied.",
        // Zones are too large: what was found may not be there.
        (Answer::Unknown(Why::MayHold), true) => "Formula MAY be satisfied.",
        (Answer::Unknown(Why::MayHold), false) => "Formula MAY NOT be satisfied.",
        // States were left out: what was not found may be there.
        (Answer::Unknown(Why::Limit(StopReason::Incomplete)), true) => {
            "Formula MAY NOT be satisfied."
        }
        (Answer::Unknown(Why::Limit(StopReason::Incomplete)), false) => "Formula MAY be satisfied.",
        (Answer::Unknown(_), _) => {
            let reason = report.reason().unwrap_or_default();
            return format!(" -- Formula is undecided: {reason}.");
        }
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
