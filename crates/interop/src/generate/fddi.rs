//! FDDI: stations on a ring that hand a token round.
//!
//! A station that gets the token sends its urgent messages for exactly SYNC. Then, if the token came early (less than TTRT
//! after the last time), it may send others until TTRT + SYNC after the time before: two clocks take turns at
//! remembering when the token came.

use super::{Generator, Language, Model, Parameter, wrong_number};
use std::fmt::Write as _;

/// The family.
pub(super) const FDDI: Generator = Generator {
    name: "fddi",
    summary: "stations on a ring with a token, to explore fully",
    language: Language::Tck,
    parameters: &[
        Parameter {
            name: "N",
            summary: "the number of stations",
            low: 1,
            high: 200,
            default: None,
        },
        Parameter {
            name: "TTRT",
            summary: "the target time for one round, 0 for 50 for each station",
            low: 0,
            high: 1_000_000,
            default: Some(0),
        },
        Parameter {
            name: "SYNC",
            summary: "the time for urgent messages of each station",
            low: 1,
            high: 10_000,
            default: Some(20),
        },
    ],
    build,
};

fn build(values: &[u32]) -> Result<Model, String> {
    let &[n, target, sync] = values else {
        return wrong_number();
    };
    let target = if target == 0 { 50 * n } else { target };
    let mut text = format!(
        "\
# A ring of {n} stations. The label othersI holds while station I sends messages that are not urgent.

system:fddi_{n}_{target}_{sync}
event:take
event:hand
event:go
"
    );
    for i in 1..=n {
        let _ = writeln!(text, "event:take{i}\nevent:hand{i}");
    }
    ring(n, &mut text);
    for i in 1..=n {
        station(i, target, sync, &mut text);
    }
    text.push('\n');
    for i in 1..=n {
        let _ = writeln!(
            text,
            "sync:Ring@take{i}:Station{i}@take\nsync:Ring@hand{i}:Station{i}@hand"
        );
    }
    Ok(Model { text, query: None })
}

/// The token: on its way to a station, which takes no time, or with it.
fn ring(n: u32, text: &mut String) {
    *text += "\nprocess:Ring\nclock:1:way\n";
    for i in 1..=n {
        let initial = if i == 1 { "initial: : " } else { "" };
        let _ = writeln!(
            text,
            "location:Ring:to{i}{{{initial}invariant: way <= 0}}\nlocation:Ring:with{i}"
        );
    }
    for i in 1..=n {
        let next = i % n + 1;
        let _ = writeln!(
            text,
            "edge:Ring:to{i}:with{i}:take{i}\nedge:Ring:with{i}:to{next}:hand{i}{{do: way = 0}}"
        );
    }
}

fn station(i: u32, target: u32, sync: u32, text: &mut String) {
    let limit = target + sync;
    let _ = write!(
        text,
        "\nprocess:Station{i}\nclock:1:since{i}\nclock:1:a{i}\nclock:1:b{i}\n"
    );
    for (phase, initial, before) in [("even", "initial:", "a"), ("odd", "", "b")] {
        let _ = write!(
            text,
            "\
location:Station{i}:{phase}_idle{{{initial}}}
location:Station{i}:{phase}_late{{invariant: since{i} <= {sync}}}
location:Station{i}:{phase}_early{{invariant: since{i} <= {sync}}}
location:Station{i}:{phase}_others{{invariant: {before}{i} <= {limit} : labels: others{i}}}
"
        );
    }
    for (phase, other, arrival) in [("even", "odd", "b"), ("odd", "even", "a")] {
        let _ = write!(
            text,
            "\
edge:Station{i}:{phase}_idle:{phase}_late:take{{provided: since{i} >= {target} : do: since{i} = 0; {arrival}{i} = 0}}
edge:Station{i}:{phase}_idle:{phase}_early:take{{provided: since{i} < {target} : do: since{i} = 0; {arrival}{i} = 0}}
edge:Station{i}:{phase}_late:{other}_idle:hand{{provided: since{i} == {sync}}}
edge:Station{i}:{phase}_early:{phase}_others:go{{provided: since{i} == {sync}}}
edge:Station{i}:{phase}_others:{other}_idle:hand
"
        );
    }
}
