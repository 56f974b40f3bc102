//! Bounds and footprints hold for what the tree interpreter really does.

use super::generate::Generator;
use super::interpret::Interpreter;
use crate::visit::{Footprints, bounds};
use crate::{Address, Cell, Network, Region};

fn interpreter(network: &Network) -> Interpreter<'_> {
    let initial = |cells: &[Cell]| cells.iter().map(|cell| cell.initial).collect::<Vec<i32>>();
    Interpreter {
        network,
        locations: network
            .processes
            .iter()
            .map(|process| process.initial.0 as i32)
            .collect(),
        state: initial(&network.state_cells),
        meta: initial(&network.meta_cells),
        local: vec![0; network.local_cells as usize],
        clock_updates: Vec::new(),
        steps: 4_000,
    }
}

fn state(offset: usize) -> Address {
    Address {
        region: Region::State,
        offset: offset as u32,
    }
}

#[test]
fn random_expressions_stay_within_bounds_and_footprints() {
    let (mut values, mut changes) = (0, 0);
    for seed in 0..2_000 {
        let mut generator = Generator::new(seed);
        let expr = generator.expr(5);
        let mut network = generator.network;
        let (low, high) = bounds(&network, &expr);
        let footprint = Footprints::new(&network).expr(&expr);
        let mut first = interpreter(&network);
        let outcome = first.expr(&expr);
        if let Ok(value) = outcome {
            assert!(
                (low..=high).contains(&value.into()),
                "seed {seed}: {value} is outside {low}..={high}"
            );
            values += 1;
        }
        for (offset, cell) in network.state_cells.iter().enumerate() {
            if first.state[offset] != cell.initial {
                assert!(
                    footprint.writes.contains(state(offset)),
                    "seed {seed}: cell {offset}"
                );
                changes += 1;
            }
        }
        for update in &first.clock_updates {
            if let crate::code::ClockUpdate::Set { clock, .. } = update {
                assert!(
                    footprint.clocks_set.contains(clock),
                    "seed {seed}: {clock:?}"
                );
            }
        }
        // What is not read does not matter.
        for offset in 0..network.state_cells.len() {
            if !footprint.reads.contains(state(offset)) {
                let cell = &mut network.state_cells[offset];
                cell.initial = if cell.initial == cell.low {
                    cell.high
                } else {
                    cell.low
                };
            }
        }
        assert_eq!(interpreter(&network).expr(&expr), outcome, "seed {seed}");
    }
    assert!(
        values > 500 && changes > 100,
        "{values} values, {changes} changes"
    );
}
