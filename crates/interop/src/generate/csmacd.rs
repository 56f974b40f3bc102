//! CSMA/CD: stations that share a bus, listen before they send, and start again after a collision.
//!
//! Sending takes exactly LAMBDA; the first bit needs up to SIGMA to reach everybody, so that another station may start in
//! that time. A collision reaches all stations at once, in one synchronisation of all of them.

use super::{Generator, Language, Model, Parameter, wrong_number};
use std::fmt::Write as _;

/// The family.
pub(super) const CSMACD: Generator = Generator {
    name: "csmacd",
    summary: "stations on a bus with collision detection, to explore fully",
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
            name: "LAMBDA",
            summary: "the time to send a message",
            low: 1,
            high: 100_000,
            default: Some(808),
        },
        Parameter {
            name: "SIGMA",
            summary: "the time to reach everybody",
            low: 1,
            high: 10_000,
            default: Some(26),
        },
    ],
    build,
};

fn build(values: &[u32]) -> Result<Model, String> {
    let &[n, lambda, sigma] = values else {
        return wrong_number();
    };
    let again = 2 * sigma;
    let mut text = format!(
        "\
# CSMA/CD with {n} stations. The label sendI holds while station I sends.

system:csmacd_{n}_{lambda}_{sigma}
event:begin
event:busy
event:end
event:collide
event:detect

process:Bus
clock:1:y
location:Bus:idle{{initial:}}
location:Bus:active
location:Bus:jammed{{invariant: y < {sigma}}}
edge:Bus:idle:active:begin{{do: y = 0}}
edge:Bus:active:jammed:begin{{provided: y < {sigma} : do: y = 0}}
edge:Bus:active:active:busy{{provided: y >= {sigma}}}
edge:Bus:active:idle:end{{do: y = 0}}
edge:Bus:jammed:idle:collide{{do: y = 0}}
"
    );
    for i in 1..=n {
        let _ = write!(
            text,
            "
process:Station{i}
clock:1:x{i}
location:Station{i}:wait{{initial:}}
location:Station{i}:send{{invariant: x{i} <= {lambda} : labels: send{i}}}
location:Station{i}:retry{{invariant: x{i} < {again}}}
edge:Station{i}:wait:send:begin{{do: x{i} = 0}}
edge:Station{i}:wait:retry:busy{{do: x{i} = 0}}
edge:Station{i}:wait:wait:detect
edge:Station{i}:send:wait:end{{provided: x{i} == {lambda} : do: x{i} = 0}}
edge:Station{i}:send:retry:detect{{provided: x{i} < {again} : do: x{i} = 0}}
edge:Station{i}:retry:send:begin{{do: x{i} = 0}}
edge:Station{i}:retry:retry:busy{{do: x{i} = 0}}
edge:Station{i}:retry:retry:detect{{do: x{i} = 0}}
"
        );
    }
    text.push('\n');
    for i in 1..=n {
        for event in ["begin", "busy", "end"] {
            let _ = writeln!(text, "sync:Bus@{event}:Station{i}@{event}");
        }
    }
    let all: Vec<String> = (1..=n).map(|i| format!("Station{i}@detect")).collect();
    let _ = writeln!(text, "sync:Bus@collide:{}", all.join(":"));
    Ok(Model { text, query: None })
}
