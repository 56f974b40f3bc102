//! Lattices: the order and join of symbolic states, zones among them.
