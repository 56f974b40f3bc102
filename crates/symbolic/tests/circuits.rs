//! The generated circuits: sizes, depths, and that the injected error is what breaks them.

use merkhet_interop::generate::circuits::{DmeFault, dme, tree_arbiter_with};
use merkhet_lower::smv::lower_smv;
use merkhet_smv::read_smv;
use merkhet_symbolic::check::{Options, SpecResult, Verdict, check_system};
use merkhet_symbolic::guided::{Abstraction, Guidance, Representation};
use merkhet_symbolic::limits::Limits;
use merkhet_symbolic::system::{Role, System};
use std::time::{Duration, Instant};

fn system(text: &str) -> System {
    let (program, diagnostics) = read_smv(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let lowered = lower_smv(&program);
    lowered
        .system
        .unwrap_or_else(|| panic!("{:?}", lowered.diagnostics))
}

fn state_bits(system: &System) -> u32 {
    let states = system
        .variables
        .iter()
        .filter(|variable| variable.role != Role::Input);
    states.map(|variable| variable.domain.bits()).sum()
}

fn guided(representation: Representation) -> Guidance {
    Guidance::On {
        abstraction: Abstraction::Automatic,
        budget: Duration::from_secs(20),
        representation,
    }
}

fn check(text: &str, guidance: Guidance) -> SpecResult {
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_secs(60)),
        ..Limits::default()
    };
    let options = Options {
        guidance,
        limits,
        ..Options::default()
    };
    let mut results = check_system(&system(text), &options);
    assert_eq!(results.len(), 1);
    results.remove(0)
}

/// Checks a circuit's number of bits, and the number of steps to its error.
fn check_error(text: &str, bits: u32, depth: usize, guidances: &[Guidance]) {
    assert_eq!(state_bits(&system(text)), bits);
    for guidance in guidances {
        let result = check(text, guidance.clone());
        assert_eq!(result.verdict, Verdict::Fails, "{guidance:?}");
        let steps = result.trace.map(|trace| trace.steps());
        assert_eq!(steps, Some(depth), "{guidance:?}: {:?}", result.notes);
    }
}

#[test]
fn tree_arbiters_have_the_sizes_and_depths_of_the_table() {
    let (list, multi) = (
        guided(Representation::Layers),
        guided(Representation::MultiTerminal),
    );
    let all = [
        Guidance::Schedule,
        Guidance::BreadthFirst,
        Guidance::Off,
        list.clone(),
        multi.clone(),
    ];
    check_error(&tree_arbiter_with(3, true), 22, 14, &all);
    check_error(&tree_arbiter_with(7, true), 50, 20, &all);
    for (cells, depth) in [(9, 20), (11, 23), (15, 26), (19, 26)] {
        let bits = 7 * cells as u32 + 1;
        check_error(
            &tree_arbiter_with(cells, true),
            bits,
            depth,
            std::slice::from_ref(&list),
        );
    }
    check_error(&tree_arbiter_with(13, true), 92, 23, &[multi]);
}

#[test]
fn rings_have_the_sizes_and_depths_of_the_table() {
    let list = [guided(Representation::Layers)];
    check_error(&dme(6, DmeFault::Busy), 114, 26, &list);
    check_error(&dme(8, DmeFault::Local), 152, 30, &list);
    check_error(&dme(3, DmeFault::Local), 57, 30, &list);
}

/// Where breadth first and saturation find the error far too late, guided search ends the schedule.
#[test]
fn the_schedule_finds_deep_errors_of_large_circuits() {
    let schedule = [Guidance::Schedule];
    check_error(&tree_arbiter_with(31, true), 218, 32, &schedule);
    for cells in [2, 4, 12] {
        check_error(
            &dme(cells, DmeFault::Local),
            19 * cells as u32,
            30,
            &schedule,
        );
    }
}

#[test]
fn without_the_error_the_invariants_hold() {
    for cells in [1, 3, 7] {
        let text = tree_arbiter_with(cells, false);
        assert_eq!(
            check(&text, Guidance::Off).verdict,
            Verdict::Holds,
            "{cells}"
        );
    }
    let text = tree_arbiter_with(3, false);
    let result = check(&text, guided(Representation::Layers));
    assert_eq!(result.verdict, Verdict::Holds);
}
