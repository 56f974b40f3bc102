//! Static facts about a network: clock bounds, active clocks, causal graph, reductions.
