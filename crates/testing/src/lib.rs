//! Random networks and brute-force oracles for the tests of the other crates; it shares no code with the engine.
