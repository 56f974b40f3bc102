//! Testing the laws of lattices that come with a model, on samples from the run.

use crate::describe::element;
use crate::order::{Broken, Orders};

/// The elements of each lattice that are kept as samples: all pairs and triples of them are tested.
const SAMPLES: usize = 20;

/// Further elements for each one that replaces a sample.
const RARELY: u64 = 4096;

/// Samples of elements.
#[derive(Default)]
pub(crate) struct Laws {
    samples: Vec<Vec<Box<[i32]>>>,
    seen: u64,
}

impl Laws {
    pub fn new(orders: &Orders<'_>) -> Laws {
        Laws {
            samples: vec![Vec::new(); orders.network.lattices.len()],
            seen: 0,
        }
    }

    /// Looks at the elements of a new state.
    pub fn observe(&mut self, orders: &mut Orders<'_>, memory: &[i32]) -> Result<(), Broken> {
        self.seen += 1;
        let rare = self.seen.is_multiple_of(RARELY);
        for index in 0..orders.slots.len() {
            let slot = &orders.slots[index];
            let lattice = slot.lattice;
            if !orders.lattice(lattice).foreign {
                continue;
            }
            let full = self.samples[lattice].len() >= SAMPLES;
            let cells = &memory[slot.cells.clone()];
            if full && !rare || self.samples[lattice].iter().any(|known| **known == *cells) {
                continue;
            }
            let new: Box<[i32]> = cells.into();
            if full {
                let oldest = (self.seen / RARELY) as usize % SAMPLES;
                self.samples[lattice].remove(oldest);
            }
            self.samples[lattice].push(new);
            self.test(orders, lattice)?;
        }
        Ok(())
    }

    /// Tests the last sample with all others.
    fn test(&self, orders: &mut Orders<'_>, lattice: usize) -> Result<(), Broken> {
        let samples = &self.samples[lattice];
        let Some(new) = samples.last() else {
            return Ok(());
        };
        let count = samples.len();
        let mut below = vec![vec![false; count]; count];
        for (i, a) in samples.iter().enumerate() {
            for (j, b) in samples.iter().enumerate() {
                below[i][j] = if i == j {
                    reflexive(orders, lattice, a)?
                } else {
                    orders.element_leq(lattice, a, b)?
                };
            }
        }
        for i in 0..count {
            if !below[i][i] {
                let what = format!(
                    "is not reflexive: {} is not below itself",
                    element(&samples[i])
                );
                return Err(leq(orders, lattice, &what));
            }
            for j in 0..count {
                if i != j && below[i][j] && below[j][i] {
                    let what = format!(
                        "is not antisymmetric: {} and {} are below each other",
                        element(&samples[i]),
                        element(&samples[j])
                    );
                    return Err(leq(orders, lattice, &what));
                }
                for k in 0..count {
                    if below[i][j] && below[j][k] && !below[i][k] {
                        let what = format!(
                            "is not transitive: {} is below {}, which is below {}, but the first is not below the last",
                            element(&samples[i]),
                            element(&samples[j]),
                            element(&samples[k])
                        );
                        return Err(leq(orders, lattice, &what));
                    }
                }
            }
        }
        for other in samples {
            let mut joined = new.to_vec();
            orders.element_join(lattice, &mut joined, other)?;
            upper_bound(orders, lattice, new, other, &joined)?;
        }
        Ok(())
    }
}

/// Asks the lattice's own code, without the short cut for equal elements.
fn reflexive(orders: &mut Orders<'_>, lattice: usize, cells: &[i32]) -> Result<bool, Broken> {
    orders.element_leq_asked(lattice, cells, cells)
}

/// Whether a join is above both elements.
pub(crate) fn upper_bound(
    orders: &mut Orders<'_>,
    lattice: usize,
    one: &[i32],
    other: &[i32],
    joined: &[i32],
) -> Result<(), Broken> {
    for part in [one, other] {
        if !orders.element_leq(lattice, part, joined)? {
            let name = &orders.lattice(lattice).name;
            return Err(Broken {
                message: format!(
                    "`join` of the lattice `{name}` is no upper bound: {} joined with {} gives {}, which is not above {}",
                    element(one),
                    element(other),
                    element(joined),
                    element(part)
                ),
                site: orders.join_site(lattice),
            });
        }
    }
    Ok(())
}

/// Of two different elements below each other, neither may stand for the other: tested wherever a state is covered.
pub(crate) fn antisymmetric(
    orders: &mut Orders<'_>,
    small: &[i32],
    large: &[i32],
) -> Result<(), Broken> {
    for index in 0..orders.slots.len() {
        let slot = &orders.slots[index];
        let lattice = slot.lattice;
        let (small, large) = (&small[slot.cells.clone()], &large[slot.cells.clone()]);
        if orders.lattice(lattice).foreign
            && small != large
            && orders.element_leq(lattice, large, small)?
        {
            let (a, b) = (element(small), element(large));
            let what = format!("is not antisymmetric: {a} and {b} are below each other");
            return Err(leq(orders, lattice, &what));
        }
    }
    Ok(())
}

fn leq(orders: &Orders<'_>, lattice: usize, what: &str) -> Broken {
    let name = &orders.lattice(lattice).name;
    Broken {
        message: format!("`leq` of the lattice `{name}` {what}"),
        site: orders.leq_site(lattice),
    }
}
