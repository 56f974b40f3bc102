//! The posts of n-ary synchronisation: a process with an event.

use std::collections::HashMap;

use merkhet_network::{EventId, Network, ProcessId};

use crate::atg::model::{Lists, NO_VECTOR, Vectors};

/// The posts that edges stand at, numbered.
#[derive(Default)]
pub(in crate::atg) struct Posts {
    numbers: HashMap<(ProcessId, EventId), u32>,
}

impl Posts {
    /// The number of a post.
    pub fn number(&mut self, process: ProcessId, event: EventId) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry((process, event)).or_insert(next)
    }

    /// Who has to be ready for which vector. A vector with a strong participant that has no edge for its event never
    /// takes place; a weak one without an edge does not count.
    pub fn vectors(&self, network: &Network) -> Vectors {
        let (mut strong_of, mut strong, mut all) = (Vec::new(), Vec::new(), Vec::new());
        let mut needs = Vec::new();
        let mut free = vec![NO_VECTOR; self.numbers.len()];
        for vector in &network.vectors {
            let post = |participant: &merkhet_network::Participant| {
                let post = (participant.process, participant.event);
                self.numbers.get(&post).copied()
            };
            let (strict, weak): (Vec<_>, Vec<_>) =
                vector.participants.iter().partition(|one| !one.weak);
            let Some(strict) = strict.into_iter().map(post).collect::<Option<Vec<u32>>>() else {
                continue;
            };
            let weak: Vec<u32> = weak.into_iter().filter_map(post).collect();
            let number = needs.len() as u32;
            needs.push(strict.len() as u16);
            strong_of.extend(strict.iter().map(|post| (*post, number)));
            strong.extend(strict.iter().map(|post| (number, *post)));
            all.extend(strict.iter().chain(&weak).map(|post| (number, *post)));
            if strict.is_empty() {
                weak.iter().for_each(|post| free[*post as usize] = number);
            }
        }
        Vectors {
            strong_of: Lists::of(free.len(), &strong_of),
            strong: Lists::of(needs.len(), &strong),
            all: Lists::of(needs.len(), &all),
            needs,
            free,
        }
    }
}
