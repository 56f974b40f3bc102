//! The generated circuits: sizes, depths, and that the injected error is what breaks them.

use merkhet_lower::smv::lower_smv;
use merkhet_symbolic::check::{Options, SpecResult, check_system};
use merkhet_symbolic::generate::{DmeFault, dme_with, tree_arbiter_with};
use merkhet_symbolic::guided::Guidance;
use merkhet_symbolic::system::{Role, System};
use merkhet_syntax::smv::read_smv;

fn system(text: &str) -> System {
    let (program, diagnostics) = read_smv(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (system, diagnostics) = lower_smv(&program, None);
    system.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn state_bits(system: &System) -> usize {
    let states = system
        .variables
        .iter()
        .filter(|variable| variable.role != Role::Input);
    states.map(|variable| variable.domain.bits() as usize).sum()
}

fn check(text: &str, guidance: Guidance) -> SpecResult {
    let options = Options {
        guidance,
        ..Options::default()
    };
    let mut results = check_system(&system(text), &options);
    assert_eq!(results.len(), 1);
    results.remove(0)
}

#[test]
#[ignore]
fn explore_faults() {
    for cells in [3, 4] {
        for fault in [
            DmeFault::None,
            DmeFault::UserSide(0),
            DmeFault::NeighbourSide(0),
            DmeFault::Latch(0),
            DmeFault::UserSide(1),
            DmeFault::NeighbourSide(1),
            DmeFault::Latch(1),
            DmeFault::Latch(2),
        ] {
            let r = check(&dme_with(cells, fault), Guidance::Off);
            println!(
                "{cells} {fault:?} {} {:?} {:?} {:?} {:?}",
                state_bits(&system(&dme_with(cells, fault))),
                r.verdict,
                r.trace.map(|t| t.steps()),
                r.statistics.time,
                r.notes
            );
        }
    }
    for cells in [1, 3, 7] {
        for broken in [false, true] {
            let t = tree_arbiter_with(cells, broken);
            let r = check(&t, Guidance::Off);
            println!(
                "tree {cells} {broken} {} {:?} {:?} {:?} {:?} {:?}",
                state_bits(&system(&t)),
                r.verdict,
                r.trace.map(|t| t.steps()),
                r.statistics.time,
                r.notes,
                r.statistics.reachable_states
            );
        }
    }
}
