//! Micro-benchmarks of the store: all successors of a full exploration of Fischer's protocol, inserted again in their
//! order, and the stored states loaded. The figures are for one state.

use std::ops::ControlFlow;

use divan::{Bencher, black_box, counter::ItemsCount};
use merkhet_explore::store::{Covering, Insertion};
use merkhet_explore::{Blind, Config, Inclusion, StateId, Store, search};
use merkhet_semantics::{Explorer, Options, State, Successor, System};
use merkhet_zones::bound::Bound;

#[path = "../tests/support/mod.rs"]
mod support;

const PROCESSES: [u32; 2] = [4, 5];

fn main() {
    divan::Divan::from_args().sample_count(20).main();
}

/// The successors of an exploration, in flat arrays.
struct Record {
    system: System,
    cells: Vec<i32>,
    zones: Vec<Bound>,
    lower: Vec<i32>,
    upper: Vec<i32>,
    len: usize,
}

impl Record {
    fn new(processes: u32) -> Record {
        let (network, _) = support::fischer(processes, 2, 2);
        let system = System::new(&network, &Options::default()).expect("a network that compiles");
        let mut record = Record {
            cells: Vec::new(),
            zones: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            len: 0,
            system,
        };
        let outcome = search(&record.system, &Config::default(), &mut Blind, &mut |_| {});
        let store = outcome
            .unwrap_or_else(|failure| panic!("{failure:?}"))
            .store;
        let mut memory = vec![0; record.system.cells().len()];
        let mut zone = vec![0; record.system.dimension() * record.system.dimension()];
        let mut explorer = Explorer::new(&record.system);
        for id in store.live_states() {
            store.load(id, &mut memory, &mut zone);
            let state = State {
                memory: &memory,
                zone: &zone,
            };
            let flow = explorer.successors(state, &mut |successor| {
                record.cells.extend_from_slice(successor.state.memory);
                record.zones.extend_from_slice(successor.state.zone);
                record.lower.extend_from_slice(successor.lower);
                record.upper.extend_from_slice(successor.upper);
                record.len += 1;
                ControlFlow::Continue(())
            });
            assert!(flow.is_ok());
        }
        record
    }

    fn insert_all(&self, inclusion: Inclusion) -> (Store, Vec<StateId>) {
        let mut store = Store::new(&self.system, inclusion, Covering::Always);
        let (cells, n) = (self.system.cells().len(), self.system.dimension());
        let mut ids = Vec::new();
        for index in 0..self.len {
            let successor = Successor {
                edges: &[],
                state: State {
                    memory: &self.cells[index * cells..][..cells],
                    zone: &self.zones[index * n * n..][..n * n],
                },
                reduced: &[],
                lower: &self.lower[index * n..][..n],
                upper: &self.upper[index * n..][..n],
                source: &[],
                entry: &[],
                origins: &[],
                stopped: &[],
            };
            if let Insertion::New(id) = store.insert(&successor, None, 0) {
                ids.push(id);
            }
        }
        (store, ids)
    }
}

fn insert(bencher: Bencher, processes: u32, inclusion: Inclusion) {
    let record = Record::new(processes);
    bencher
        .counter(ItemsCount::new(record.len))
        .bench_local(|| black_box(record.insert_all(inclusion)).0.live());
}

#[divan::bench(args = PROCESSES)]
fn insert_by_inclusion(bencher: Bencher, processes: u32) {
    insert(bencher, processes, Inclusion::Zone);
}

#[divan::bench(args = PROCESSES)]
fn insert_by_simulation(bencher: Bencher, processes: u32) {
    insert(bencher, processes, Inclusion::Alu);
}

#[divan::bench(args = PROCESSES)]
fn load(bencher: Bencher, processes: u32) {
    let record = Record::new(processes);
    let (store, mut ids) = record.insert_all(Inclusion::Zone);
    ids.retain(|id| !store.is_removed(*id));
    let mut memory = vec![0; record.system.cells().len()];
    let mut zone = vec![0; record.system.dimension() * record.system.dimension()];
    bencher.counter(ItemsCount::new(ids.len())).bench_local(|| {
        for id in &ids {
            store.load(*id, black_box(&mut memory), black_box(&mut zone));
        }
    });
}
