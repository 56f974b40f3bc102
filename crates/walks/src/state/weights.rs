//! Choosing a channel with the weight of its synchronisations: sums of ranges, as Fenwick's tree keeps them.

#[derive(Debug)]
pub(crate) struct Weights {
    /// Sums of ranges; entry 0 is not used.
    sums: Vec<u64>,
    weights: Vec<u64>,
    total: u64,
}

impl Clone for Weights {
    fn clone(&self) -> Self {
        Weights {
            sums: self.sums.clone(),
            weights: self.weights.clone(),
            total: self.total,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.sums.clone_from(&other.sums);
        self.weights.clone_from(&other.weights);
        self.total = other.total;
    }
}

impl Weights {
    pub fn new(entries: usize) -> Weights {
        Weights {
            sums: vec![0; entries.next_power_of_two() + 1],
            weights: vec![0; entries],
            total: 0,
        }
    }

    #[inline]
    pub fn total(&self) -> u64 {
        self.total
    }

    #[inline]
    pub fn set(&mut self, entry: usize, weight: u64) {
        let change = weight.wrapping_sub(self.weights[entry]);
        if change == 0 {
            return;
        }
        self.weights[entry] = weight;
        self.total = self.total.wrapping_add(change);
        let mut node = entry + 1;
        while node < self.sums.len() {
            self.sums[node] = self.sums[node].wrapping_add(change);
            node += node & node.wrapping_neg();
        }
    }

    /// The entry at a place below the total, and the place within its weight.
    #[inline]
    pub fn find(&self, mut place: u64) -> (usize, u64) {
        let mut node = 0;
        let mut step = self.sums.len() - 1;
        while step > 0 {
            let next = node + step;
            if next < self.sums.len() && self.sums[next] <= place {
                place -= self.sums[next];
                node = next;
            }
            step /= 2;
        }
        (node, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_belongs_to_the_entry_whose_weight_covers_it() {
        for entries in [1usize, 2, 3, 8, 11] {
            let mut weights = Weights::new(entries);
            let mut plain = vec![0; entries];
            for turn in 0..100u64 {
                let entry = (turn * 31 % entries as u64) as usize;
                let weight = turn * 17 % 5;
                weights.set(entry, weight);
                plain[entry] = weight;
                let all = plain.iter().enumerate();
                let places: Vec<(usize, u64)> = all
                    .flat_map(|(entry, weight)| (0..*weight).map(move |place| (entry, place)))
                    .collect();
                assert_eq!(weights.total(), places.len() as u64);
                for (place, expected) in places.into_iter().enumerate() {
                    assert_eq!(weights.find(place as u64), expected);
                }
            }
        }
    }
}
