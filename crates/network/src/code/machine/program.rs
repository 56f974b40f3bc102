//! Compiled code.

use crate::code::compile::quick::Quick;
use crate::code::machine::fault::{Fault, FaultKind};
use crate::code::machine::instruction::{Access, CopyAccess, Instruction};
use crate::code::machine::layout::Layout;
use crate::ids::SiteId;

/// A piece of code of a [`Program`]: an expression or a list of statements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CodeId(pub u32);

impl CodeId {
    /// The index as a `usize`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Code ready to run; immutable and shared between machines.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub(crate) layout: Layout,
    pub(crate) code: Vec<Instruction>,
    /// For each instruction: where its first and its second kind of fault stand.
    pub(crate) sites: Vec<[SiteId; 2]>,
    pub(crate) ranges: Vec<(i32, i32)>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) copies: Vec<CopyAccess>,
    pub(crate) functions: Vec<FunctionEntry>,
    pub(crate) entries: Vec<Entry>,
    /// The memory at the start, literals included.
    pub(crate) initial: Vec<i32>,
}

/// A function that is called rather than inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FunctionEntry {
    pub start: u32,
    /// Steps that a call costs: the length of its code.
    pub cost: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub start: u32,
    pub quick: Quick,
}

impl Program {
    /// Where the regions lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The memory at the start: initial locations and values, constants, literals, zeros elsewhere.
    pub fn initial_memory(&self) -> &[i32] {
        &self.initial
    }

    /// The number of slots that a machine needs.
    pub fn memory_size(&self) -> usize {
        self.initial.len()
    }

    /// What a piece of code amounts to, where that is so simple that a caller may do it without the machine.
    #[inline]
    pub fn quick(&self, code: CodeId) -> Quick {
        self.entries[code.index()].quick
    }

    /// The value, if it is the same in all states (and has no effects).
    pub fn constant(&self, code: CodeId) -> Option<i32> {
        match self.quick(code) {
            Quick::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The number of instructions, for statistics.
    pub fn length(&self) -> usize {
        self.code.len()
    }

    #[cold]
    pub(crate) fn fault(&self, at: usize, which: usize, kind: FaultKind) -> Fault {
        Fault {
            kind,
            site: self.sites[at][which],
        }
    }
}
