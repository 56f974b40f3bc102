//! The trait that every symbolic state obeys.

/// A join semi-lattice whose order is behaviour: if `a ⊑ b`, whatever is possible from `a` is possible from `b`.
///
/// Laws, tested for every implementation of this crate: among elements that are not empty, `less_or_equal` is a
/// partial order that agrees with `Eq`; an empty element is below every other; `join` is the least upper bound, so
/// `a ⊑ a ⊔ b` and `b ⊑ a ⊔ b`.
pub trait Lattice: Clone + Eq {
    /// The order `self ⊑ other`.
    fn less_or_equal(&self, other: &Self) -> bool;

    /// Replaces `self` by the least upper bound `self ⊔ other`; says whether `self` grew.
    fn join(&mut self, other: &Self) -> bool;

    /// Whether the element stands for no concrete state at all.
    fn is_empty(&self) -> bool;
}
