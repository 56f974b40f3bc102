//! Transitions that are worked out once for all zones of a discrete state lead where the explorer's own lead, in the same
//! order.

use std::ops::ControlFlow;

use merkhet_semantics::{
    EdgeIndex, Explorer, Extrapolation, Moves, Options, State, Successor, System,
};
use merkhet_testing::{Profile, generate};
use merkhet_zones::zone::subset::Subset;

/// A successor, kept.
#[derive(Clone, PartialEq, Debug)]
struct Kept {
    edges: Vec<EdgeIndex>,
    memory: Vec<i32>,
    zone: Vec<i32>,
    bounds: (Vec<i32>, Vec<i32>),
}

impl Kept {
    /// A successor with the rows alone that are kept at it is put back into a whole zone.
    fn new(system: &System, successor: Successor<'_>) -> Kept {
        let mut zone = successor.state.zone.to_vec();
        if !successor.reduced.is_empty() {
            assert!(zone.is_empty());
            zone.resize(system.dimension() * system.dimension(), 0);
            let (lower, upper) = (successor.lower, successor.upper);
            let kept = Subset::new(system.dimension(), |row| system.keeps(row, lower, upper));
            kept.spread(successor.reduced, &mut zone);
        }
        Kept {
            edges: successor.edges.to_vec(),
            memory: successor.state.memory.to_vec(),
            zone,
            bounds: (successor.lower.to_vec(), successor.upper.to_vec()),
        }
    }
}

/// Walks through some states; says how many transitions were compared.
fn check(system: &System, name: &str, states: usize) -> usize {
    let (mut explorer, mut moves) = (Explorer::new(system), Moves::default());
    let mut waiting = Vec::new();
    let keep = |states: &mut Vec<Kept>, successor: Successor<'_>| {
        states.push(Kept::new(system, successor));
        ControlFlow::Continue(())
    };
    let _ = explorer.initial(&mut |successor| keep(&mut waiting, successor));
    let mut compared = 0;
    for index in 0..states {
        let Some(state) = waiting.get(index).cloned() else {
            break;
        };
        let (memory, zone) = (&*state.memory, &*state.zone);
        let mut expected = Vec::new();
        let result = explorer.successors(State { memory, zone }, &mut |successor| {
            keep(&mut expected, successor)
        });
        let before = moves.len();
        let Some(numbers) = explorer.work_out(memory, &mut moves) else {
            assert_eq!(moves.len(), before, "{name}: something is left");
            continue;
        };
        assert!(result.is_ok(), "{name}: a fault is lost");
        let mut found = Vec::new();
        let (lower, upper) = &state.bounds;
        let kept = Subset::new(system.dimension(), |row| system.keeps(row, lower, upper));
        let mut reduced = vec![0; zone.len() + Subset::PADDING];
        kept.gather(zone, &mut reduced);
        let reduced = &reduced[..kept.rows().len().pow(2)];
        let flow = explorer.take_moves(reduced, &moves, numbers, &mut |_, successor| {
            keep(&mut found, successor)
        });
        assert!(flow.is_continue());
        assert_eq!(found, expected, "{name}, state {index}");
        // For the zone alone, and with room for the targets or without.
        let mut alone = Moves::default();
        let refused = (explorer.work_out_for(memory, reduced, 0, &mut alone)).is_none();
        assert!(!refused || alone.is_empty(), "{name}: something is left");
        let numbers = explorer.work_out_for(memory, reduced, 1 << 30, &mut alone);
        let numbers = numbers.expect("what can be worked out for all zones can be for one");
        let mut found = Vec::new();
        let flow = explorer.take_moves(reduced, &alone, numbers, &mut |_, successor| {
            keep(&mut found, successor)
        });
        assert!(flow.is_continue());
        assert_eq!(found, expected, "{name}, state {index}, by itself");
        compared += found.len();
        waiting.extend(found);
    }
    compared
}

#[test]
fn moves_lead_where_transitions_lead() {
    let mut compared = 0;
    for (name, profile) in Profile::named() {
        for seed in 0..60 {
            let (network, _) = generate(seed, &profile);
            let extrapolation = [
                Extrapolation::LuPlus,
                Extrapolation::MPlus,
                Extrapolation::None,
            ][seed as usize % 3];
            let options = Options {
                extrapolation,
                ..Options::default()
            };
            let system = match System::new(&network, &options) {
                Ok(system) if system.permits_moves() => system,
                _ => continue,
            };
            compared += check(&system, &format!("{name} {seed}"), 60);
        }
    }
    assert!(compared > 2000, "only {compared} transitions were compared");
}

/// Networks with 20 to 60 processes, of which few move in each step: as many as `MERKHET_RANDOM` says.
#[test]
fn moves_of_wide_networks_lead_where_transitions_lead() {
    let random = std::env::var("MERKHET_RANDOM").ok();
    let networks = random.and_then(|random| random.parse().ok()).unwrap_or(100);
    let profile = Profile {
        processes: 60,
        clocks: 40,
        variables: 4,
        ..Profile::default()
    };
    let (mut compared, mut met) = (0, 0);
    for seed in 0.. {
        let (network, _) = generate(seed, &profile);
        if network.processes.len() < 20 {
            continue;
        }
        met += 1;
        let system = System::new(&network, &Options::default()).expect("a system");
        if system.permits_moves() {
            compared += check(&system, &format!("wide {seed}"), 4);
        }
        if met == networks {
            break;
        }
    }
    assert!(
        compared > 20 * networks,
        "only {compared} transitions were compared"
    );
}
