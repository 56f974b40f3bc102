//! The symbolic transition system of a network: successors over discrete part and zone.
