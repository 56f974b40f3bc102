//! Bounds on what a model may unfold to, checked before anything is allocated.

/// Cells, clocks and channels together.
pub const MAX_CELLS: u64 = 16_000_000;
/// Processes.
pub const MAX_PROCESSES: u64 = 100_000;
/// Clocks: difference bound matrices are quadratic in them.
pub const MAX_CLOCKS: u64 = 10_000;
/// Edges, constraints, and parts of unrolled quantifiers, over the whole network.
pub const MAX_UNROLLED: u64 = 2_000_000;
/// Expressions that are looked at during lowering, over all instances.
pub const MAX_WORK: u64 = 20_000_000;
/// Specialised functions.
pub const MAX_FUNCTIONS: usize = 200_000;
/// Nesting of arrays and structures in a type.
pub const MAX_TYPE_DEPTH: u32 = 64;
/// Messages kept in one run.
pub const MAX_DIAGNOSTICS: usize = 500;
/// Functions that call each other in a chain.
pub const MAX_CALL_DEPTH: u32 = 128;
