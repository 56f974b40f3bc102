//! Joining strategies and counter-example guided refinement for lattice automata.
