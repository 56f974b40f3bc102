//! Fischer's protocol for mutual exclusion: the three flawed variants of paper [Kupferschmid et al., SPIN 2006], section
//! 5, and the correct protocol in TChecker's language for full exploration.
//!
//! A process that wants to enter sets a shared variable within K time units, waits, and enters if the variable is still
//! its own. It has to wait for more than K; "we made the error possible by weakening one of the temporal conditions in
//! the automata (from > to ≥)". The error is that two processes are in the critical section at once. The variants
//! differ in how the error is told:
//!
//! - A: additional automata detect it by synchronisation. Graph distances are 1 all the time, as in the paper.
//! - B: two selected processes are both in the critical section.
//! - C: a variable counts the processes in the critical section.

use super::{Generator, Language, Model, Parameter, wrong_number};
use std::fmt::Write as _;

const PROCESSES: Parameter = Parameter {
    name: "N",
    summary: "the number of processes",
    low: 2,
    high: 1000,
    default: None,
};

const DELAY: Parameter = Parameter {
    name: "K",
    summary: "the longest time between reading and writing",
    low: 1,
    high: 100_000,
    default: Some(2),
};

/// Variant A.
pub(super) const FISCHER_A: Generator = Generator {
    name: "fischer-a",
    summary: "Fischer's protocol with an error that additional automata detect",
    language: Language::Xta,
    parameters: &[PROCESSES, DELAY],
    build: build_a,
};

/// Variant B.
pub(super) const FISCHER_B: Generator = Generator {
    name: "fischer-b",
    summary: "Fischer's protocol with an error of two selected processes",
    language: Language::Xta,
    parameters: &[PROCESSES, DELAY],
    build: build_b,
};

/// Variant C.
pub(super) const FISCHER_C: Generator = Generator {
    name: "fischer-c",
    summary: "Fischer's protocol with an error that a variable counts",
    language: Language::Xta,
    parameters: &[PROCESSES, DELAY],
    build: build_c,
};

/// The correct protocol.
pub(super) const FISCHER: Generator = Generator {
    name: "fischer",
    summary: "Fischer's protocol without error, to explore fully",
    language: Language::Tck,
    parameters: &[
        PROCESSES,
        Parameter {
            default: Some(10),
            ..DELAY
        },
    ],
    build: build_flat,
};

/// What a variant adds to the common protocol.
struct Variant {
    name: &'static str,
    /// Declarations.
    globals: &'static str,
    /// Locations next to the common ones.
    locations: &'static str,
    /// What happens on entering the critical section, after a comma.
    enter: &'static str,
    /// Edges that leave the critical section, and others.
    edges: &'static str,
    /// Further processes.
    processes: &'static str,
    /// Their names for the system line.
    system: &'static str,
}

fn build_a(values: &[u32]) -> Result<Model, String> {
    let variant = Variant {
        name: "A",
        globals: "chan seen, gone, found;\n",
        locations: ", reported",
        enter: "",
        edges: "        critical -> idle { assign turn = 0; },
        critical -> reported { sync seen?; },
        reported -> idle { sync gone!; assign turn = 0; };",
        processes: "
// Learns of processes in the critical section one after the other; knows when the first of them has left it.
process Witness() {
    state nobody, one, two, told;
    init nobody;
    trans
        nobody -> one { sync seen!; },
        one -> nobody { sync gone?; },
        one -> two { sync seen!; },
        two -> told { sync found!; };
}

process Alarm() {
    state quiet, error;
    init quiet;
    trans
        quiet -> error { sync found?; };
}
",
        system: ", Witness, Alarm",
    };
    xta(values, &variant, |_| "E<> Alarm.error".into())
}

fn build_b(values: &[u32]) -> Result<Model, String> {
    let variant = Variant {
        name: "B",
        globals: "",
        locations: "",
        enter: "",
        edges: "        critical -> idle { assign turn = 0; };",
        processes: "",
        system: "",
    };
    xta(values, &variant, |n| {
        format!("E<> P{}.critical && P{n}.critical", n - 1)
    })
}

fn build_c(values: &[u32]) -> Result<Model, String> {
    let variant = Variant {
        name: "C",
        globals: "int[0, N] inside = 0;\n",
        locations: "",
        enter: " assign inside = inside + 1;",
        edges: "        critical -> idle { assign turn = 0, inside = inside - 1; };",
        processes: "",
        system: "",
    };
    xta(values, &variant, |_| "E<> inside >= 2".into())
}

fn xta(
    values: &[u32],
    variant: &Variant,
    query: impl FnOnce(u32) -> String,
) -> Result<Model, String> {
    let &[n, k] = values else {
        return wrong_number();
    };
    let query = query(n);
    let mut text = format!(
        "\
// Fischer's protocol, {n} processes, variant {name}. The wait should be longer than K; it may be just K.
// {query}

const int N = {n};
const int K = {k};
int[0, N] turn = 0;
{globals}
process Process(const int me) {{
    clock x;
    state idle, trying {{ x <= K }}, waiting, critical{locations};
    init idle;
    trans
        idle -> trying {{ guard turn == 0; assign x = 0; }},
        trying -> waiting {{ guard x <= K; assign x = 0, turn = me; }},
        waiting -> trying {{ guard turn == 0; assign x = 0; }},
        waiting -> critical {{ guard x >= K && turn == me;{enter} }},
{edges}
}}
{processes}
",
        name = variant.name,
        globals = variant.globals,
        locations = variant.locations,
        enter = variant.enter,
        edges = variant.edges,
        processes = variant.processes,
    );
    let names: Vec<String> = (1..=n).map(|me| format!("P{me}")).collect();
    for me in 1..=n {
        let _ = writeln!(text, "P{me} = Process({me});");
    }
    let _ = writeln!(text, "system {}{};", names.join(", "), variant.system);
    Ok(Model {
        text,
        query: Some(query),
    })
}

fn build_flat(values: &[u32]) -> Result<Model, String> {
    let &[n, k] = values else {
        return wrong_number();
    };
    let mut text = format!(
        "# Fischer's protocol, {n} processes. No two labels in1 … in{n} hold at once.\n\n\
         system:fischer_{n}_{k}\nevent:step\nint:1:0:{n}:0:turn\n"
    );
    for me in 1..=n {
        let _ = write!(
            text,
            "
process:P{me}
clock:1:x{me}
location:P{me}:idle{{initial:}}
location:P{me}:trying{{invariant: x{me} <= {k}}}
location:P{me}:waiting
location:P{me}:critical{{labels: in{me}}}
edge:P{me}:idle:trying:step{{provided: turn == 0 : do: x{me} = 0}}
edge:P{me}:trying:waiting:step{{provided: x{me} <= {k} : do: x{me} = 0; turn = {me}}}
edge:P{me}:waiting:trying:step{{provided: turn == 0 : do: x{me} = 0}}
edge:P{me}:waiting:critical:step{{provided: x{me} > {k} && turn == {me}}}
edge:P{me}:critical:idle:step{{do: turn = 0}}
"
        );
    }
    Ok(Model { text, query: None })
}
