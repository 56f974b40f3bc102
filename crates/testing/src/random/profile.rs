//! What may occur in a random network.

/// The size and the features of random networks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// Most processes (at least one).
    pub processes: usize,
    /// Most clocks.
    pub clocks: usize,
    /// Most locations in a process (at least two).
    pub locations: usize,
    /// Most edges from a location.
    pub edges: usize,
    /// The largest constant that clocks are compared with.
    pub constant: i32,
    /// Most variables.
    pub variables: usize,
    /// Most queries of each kind.
    pub queries: usize,
    /// Only non-strict bounds, and queries that are decided by closed sets: what digital clocks need.
    pub closed_only: bool,
    /// Constraints on differences of clocks.
    pub diagonals: bool,
    /// Priorities of channels and processes.
    pub priorities: bool,
    /// Clock guards on edges that receive on a broadcast channel.
    pub broadcast_clock_guards: bool,
    /// Clock guards on edges over urgent channels.
    pub urgent_clock_guards: bool,
    /// Clocks that stand still. The oracles refuse such networks.
    pub stopwatches: bool,
    /// Synchronisation vectors next to channels.
    pub vectors: bool,
    /// Assignments that may leave their range.
    pub faults: bool,
    /// Variables that a process of their own changes at will, and processes that go round at will: what reductions
    /// remove.
    pub independent: bool,
}

impl Default for Profile {
    /// Everything that the language allows without a warning, except priorities and differences of clocks.
    fn default() -> Profile {
        Profile {
            processes: 3,
            clocks: 2,
            locations: 4,
            edges: 3,
            constant: 4,
            variables: 2,
            queries: 2,
            closed_only: false,
            diagonals: false,
            priorities: false,
            broadcast_clock_guards: false,
            urgent_clock_guards: false,
            stopwatches: false,
            vectors: false,
            faults: false,
            independent: false,
        }
    }
}

impl Profile {
    /// Closed networks, for digital clocks.
    pub fn closed() -> Profile {
        Profile {
            closed_only: true,
            ..Profile::default()
        }
    }

    /// With differences of clocks.
    pub fn diagonal() -> Profile {
        Profile {
            diagonals: true,
            clocks: 3,
            processes: 2,
            constant: 3,
            ..Profile::default()
        }
    }

    /// Everything that the oracles can decide.
    pub fn everything() -> Profile {
        Profile {
            diagonals: true,
            priorities: true,
            broadcast_clock_guards: true,
            urgent_clock_guards: true,
            vectors: true,
            constant: 3,
            ..Profile::default()
        }
    }

    /// Parts that reductions can remove, next to everything that may keep them from it.
    pub fn independent() -> Profile {
        Profile {
            independent: true,
            processes: 2,
            variables: 1,
            constant: 3,
            ..Profile::default()
        }
    }

    /// One or two processes with three clocks and few data: the hard cases for zones.
    pub fn timed() -> Profile {
        Profile {
            processes: 2,
            clocks: 3,
            variables: 0,
            ..Profile::default()
        }
    }

    /// Up to four small processes.
    pub fn crowded() -> Profile {
        Profile {
            processes: 4,
            locations: 3,
            edges: 2,
            clocks: 1,
            variables: 1,
            constant: 2,
            ..Profile::default()
        }
    }

    /// Assignments may leave their range.
    pub fn faulty() -> Profile {
        Profile {
            faults: true,
            ..Profile::default()
        }
    }

    /// The profiles of long runs, by name.
    pub fn named() -> [(&'static str, Profile); 8] {
        [
            ("default", Profile::default()),
            ("timed", Profile::timed()),
            ("diagonal", Profile::diagonal()),
            ("everything", Profile::everything()),
            ("closed", Profile::closed()),
            ("crowded", Profile::crowded()),
            ("independent", Profile::independent()),
            ("faulty", Profile::faulty()),
        ]
    }
}
