//! The typed, instantiated, compiled form of a network of timed automata.
