//! Lists by number, in two flat arrays.

use crate::model::Span;

/// For each number a list of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    spans: Vec<Span>,
    entries: Vec<u32>,
}

impl Lists {
    /// From pairs (list, entry); the entries of a list are ascending and different.
    pub fn new(lists: usize, mut pairs: Vec<(u32, u32)>) -> Lists {
        pairs.sort_unstable();
        pairs.dedup();
        let mut spans = vec![(0, 0); lists];
        let mut start = 0;
        while let Some((list, _)) = pairs.get(start) {
            let same = pairs[start..].iter().take_while(|pair| pair.0 == *list);
            let end = start + same.count();
            spans[*list as usize] = (start as u32, end as u32);
            start = end;
        }
        let entries = pairs.into_iter().map(|(_, entry)| entry).collect();
        Lists { spans, entries }
    }

    #[inline]
    pub fn of(&self, list: usize) -> &[u32] {
        let (start, end) = self.spans[list];
        &self.entries[start as usize..end as usize]
    }
}
