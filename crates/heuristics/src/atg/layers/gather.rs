//! Lists that are filled without branches, and the counters of who still waits.
//!
//! Whether a location or value is new, or an edge has all that it needs, is true about every second time: a branch on it
//! is guessed wrong as often, which costs more than the rest of the step.

/// A list with a fixed room: every candidate is written, only those that are taken count.
#[derive(Default)]
pub(in crate::atg) struct Gather {
    /// One place more than can be taken, for the candidate that is not.
    items: Vec<u32>,
    len: usize,
}

impl Gather {
    /// Room for a number of items.
    pub fn new(most: usize) -> Gather {
        Gather {
            items: vec![0; most + 1],
            len: 0,
        }
    }

    #[inline]
    pub fn offer(&mut self, item: u32, taken: bool) {
        self.items[self.len] = item;
        self.len += usize::from(taken);
    }

    /// Offers several; the length stays in a register meanwhile.
    #[inline]
    pub fn offer_all(&mut self, candidates: &[u32], mut taken: impl FnMut(u32) -> bool) {
        let (items, mut len) = (&mut self.items[..], self.len);
        for &item in candidates {
            items[len] = item;
            len += usize::from(taken(item));
        }
        self.len = len;
    }

    #[inline]
    pub fn list(&self) -> &[u32] {
        &self.items[..self.len]
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}

/// By user, how much it still waits for; and who has become ready.
pub(in crate::atg) struct Counters {
    waiting: Vec<u16>,
    ready: Gather,
}

impl Counters {
    /// Counters for users with these needs.
    pub fn new(needs: &[u16]) -> Counters {
        Counters {
            waiting: needs.to_vec(),
            ready: Gather::new(needs.len()),
        }
    }

    /// Nobody has anything yet.
    pub fn reset(&mut self, needs: &[u16]) {
        self.waiting.copy_from_slice(needs);
        self.ready.clear();
    }

    /// The user waits for something that never comes.
    pub fn forbid(&mut self, user: u32) {
        self.waiting[user as usize] = u16::MAX;
    }

    /// Each of these users waits for one thing less.
    #[inline]
    pub fn tell(&mut self, users: &[u32]) {
        let (waiting, ready) = (&mut self.waiting[..], &mut self.ready);
        ready.offer_all(users, |user| {
            let left = &mut waiting[user as usize];
            *left -= 1;
            *left == 0
        });
    }

    /// Those who have become ready, in the order in which they did.
    pub fn take_ready(&mut self) -> Gather {
        std::mem::take(&mut self.ready)
    }

    /// The list that was taken, to be filled anew.
    pub fn give_back(&mut self, mut ready: Gather) {
        ready.clear();
        self.ready = ready;
    }
}
