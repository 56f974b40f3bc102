//! A small system with known distances.

use merkhet_network::{
    Edge, EventId, Expr, Formula, Guard, Invariant, Location, LocationId, LocationKind, Network,
    Participant, Process, ProcessId, Query, QueryKind, SiteId, Sync, SyncVector,
};

/// The running example of Wehrle and Helmert (The causal graph revisited for directed model checking, SPIN 2009, figure
/// 2), with n-ary synchronisation for its labels. Two processes go round freely; the third needs the first at location
/// 2 for its first step, the second at 2 for the second, and both at 0 for the third. The goal is eleven steps away.
pub fn running_example() -> (Network, Query) {
    let mut network = Network {
        events: ["a", "b", "c"].map(String::from).to_vec(),
        ..Network::default()
    };
    for (index, event) in [0, 1].into_iter().enumerate() {
        let mut process = process(&format!("p{}", index + 1));
        for location in 0..4 {
            let next = (location + 1) % 4;
            process.edges.push(edge(location, next, Sync::Internal));
        }
        process.edges.push(edge(2, 2, Sync::Event(EventId(event))));
        process.edges.push(edge(0, 0, Sync::Event(EventId(2))));
        network.processes.push(process);
    }
    let mut third = process("p3");
    for location in 0..3 {
        let sync = Sync::Event(EventId(location));
        third.edges.push(edge(location, location + 1, sync));
    }
    network.processes.push(third);
    network.vectors = [(0, vec![0, 2]), (1, vec![1, 2]), (2, vec![0, 1, 2])]
        .map(|(event, processes)| SyncVector {
            participants: processes
                .into_iter()
                .map(|process| Participant {
                    process: ProcessId(process),
                    event: EventId(event),
                    weak: false,
                })
                .collect(),
        })
        .to_vec();
    let goal = Formula::Data(Expr::At(ProcessId(2), LocationId(3)));
    let query = Query {
        text: "E<> p3.l3".into(),
        comment: String::new(),
        kind: QueryKind::Possibly(goal),
        site: SiteId::NONE,
    };
    (network, query)
}

fn process(name: &str) -> Process {
    let location = |index: u32| Location {
        name: format!("l{index}"),
        named: true,
        kind: LocationKind::Normal,
        invariant: Invariant::default(),
        labels: Vec::new(),
        position: None,
        site: SiteId::NONE,
    };
    Process {
        name: name.into(),
        template: name.into(),
        locations: (0..4).map(location).collect(),
        initial: LocationId(0),
        edges: Vec::new(),
        priority: 0,
    }
}

fn edge(source: u32, target: u32, sync: Sync) -> Edge {
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        guard: Guard::default(),
        sync,
        update: Vec::new(),
        select: Vec::new(),
        origin: 0,
        site: SiteId::NONE,
    }
}
