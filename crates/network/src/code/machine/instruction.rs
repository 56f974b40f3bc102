//! The instructions of the machine.

/// A place in the machine's memory.
pub(crate) type Slot = u32;

/// One instruction. `to`, `a`, `b`, `value`, `index`, … are slots, `target` is an instruction's number; `range`, `access`
/// and `copy` are rows of the program's tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instruction {
    Move {
        to: Slot,
        from: Slot,
    },
    Set {
        to: Slot,
        value: i32,
    },
    MoveChecked {
        to: Slot,
        from: Slot,
        range: u32,
    },
    Check {
        value: Slot,
        range: u32,
    },

    Add {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Subtract {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Multiply {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Divide {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Remainder {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Power {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    BitAnd {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    BitOr {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    BitXor {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    ShiftLeft {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    ShiftRight {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Minimum {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Maximum {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Less {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    LessEqual {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Equal {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    NotEqual {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Negate {
        to: Slot,
        a: Slot,
    },
    Not {
        to: Slot,
        a: Slot,
    },
    BitNot {
        to: Slot,
        a: Slot,
    },
    Abs {
        to: Slot,
        a: Slot,
    },
    /// `cell += by`, within the range.
    AddChecked {
        cell: Slot,
        by: Slot,
        range: u32,
    },

    Jump {
        target: u32,
    },
    /// Backwards: costs the steps of the loop.
    Repeat {
        target: u32,
    },
    JumpEqual {
        a: Slot,
        b: Slot,
        target: u32,
    },
    JumpNotEqual {
        a: Slot,
        b: Slot,
        target: u32,
    },
    JumpLess {
        a: Slot,
        b: Slot,
        target: u32,
    },
    JumpGreaterEqual {
        a: Slot,
        b: Slot,
        target: u32,
    },
    JumpIs {
        a: Slot,
        value: i32,
        target: u32,
    },
    JumpIsNot {
        a: Slot,
        value: i32,
        target: u32,
    },
    JumpBelow {
        a: Slot,
        value: i32,
        target: u32,
    },
    JumpNotBelow {
        a: Slot,
        value: i32,
        target: u32,
    },
    /// Counts the variable up and goes back to `target`, unless it is at its last value.
    Next {
        variable: Slot,
        last: i32,
        target: u32,
    },

    /// `to = memory[base + memory[offset]]`, the offset being known to be inside.
    Load {
        to: Slot,
        base: Slot,
        offset: Slot,
    },
    /// `to = array[index]`.
    LoadIndexed {
        to: Slot,
        index: Slot,
        access: u32,
    },
    /// `memory[base + memory[offset]] = value`, the offset being known to be inside.
    Store {
        base: Slot,
        offset: Slot,
        value: Slot,
    },
    /// `array[index] = value`, the value within the access's range.
    StoreIndexed {
        index: Slot,
        value: Slot,
        access: u32,
    },
    /// `to = index * stride`, the index being checked.
    Offset {
        to: Slot,
        index: Slot,
        access: u32,
    },
    /// `to += index * stride`, the index being checked.
    OffsetMore {
        to: Slot,
        index: Slot,
        access: u32,
    },
    Copy {
        to: Slot,
        from: Slot,
        cells: u32,
    },
    CopyIndexed {
        copy: u32,
    },

    SetClock {
        clock: u32,
        value: Slot,
    },
    SetClockIndexed {
        base: u32,
        offset: Slot,
        value: Slot,
    },
    CopyClock {
        target: u32,
        source: u32,
        offset: i32,
    },

    Call {
        function: u32,
    },
    Return {
        function: u32,
    },
    Halt {
        value: Slot,
    },
    HaltWith {
        value: i32,
    },
}

/// An array access with one run-time index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Access {
    pub base: Slot,
    pub stride: u32,
    pub length: u32,
    /// The range of a stored value.
    pub low: i32,
    pub high: i32,
}

/// A copy with run-time indices on some side; an absent offset is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CopyAccess {
    pub to: Slot,
    pub to_offset: Option<Slot>,
    pub from: Slot,
    pub from_offset: Option<Slot>,
    pub cells: u32,
}

impl Instruction {
    /// Calls `each` on every slot that stands in the instruction itself.
    pub fn slots(&mut self, mut each: impl FnMut(&mut Slot)) {
        use Instruction::*;
        match self {
            Move { to, from } | MoveChecked { to, from, .. } | Copy { to, from, .. } => {
                each(to);
                each(from);
            }
            Set { to, .. } => each(to),
            Check { value, .. } | SetClock { value, .. } | Halt { value } => each(value),
            Add { to, a, b }
            | Subtract { to, a, b }
            | Multiply { to, a, b }
            | Divide { to, a, b }
            | Remainder { to, a, b }
            | Power { to, a, b }
            | BitAnd { to, a, b }
            | BitOr { to, a, b }
            | BitXor { to, a, b }
            | ShiftLeft { to, a, b }
            | ShiftRight { to, a, b }
            | Minimum { to, a, b }
            | Maximum { to, a, b }
            | Less { to, a, b }
            | LessEqual { to, a, b }
            | Equal { to, a, b }
            | NotEqual { to, a, b } => {
                each(to);
                each(a);
                each(b);
            }
            Negate { to, a } | Not { to, a } | BitNot { to, a } | Abs { to, a } => {
                each(to);
                each(a);
            }
            AddChecked { cell, by, .. } => {
                each(cell);
                each(by);
            }
            JumpEqual { a, b, .. }
            | JumpNotEqual { a, b, .. }
            | JumpLess { a, b, .. }
            | JumpGreaterEqual { a, b, .. } => {
                each(a);
                each(b);
            }
            JumpIs { a, .. }
            | JumpIsNot { a, .. }
            | JumpBelow { a, .. }
            | JumpNotBelow { a, .. } => each(a),
            Next { variable, .. } => each(variable),
            Load { to, base, offset } => {
                each(to);
                each(base);
                each(offset);
            }
            LoadIndexed { to, index, .. }
            | Offset { to, index, .. }
            | OffsetMore { to, index, .. } => {
                each(to);
                each(index);
            }
            Store {
                base,
                offset,
                value,
            } => {
                each(base);
                each(offset);
                each(value);
            }
            StoreIndexed { index, value, .. } => {
                each(index);
                each(value);
            }
            SetClockIndexed { offset, value, .. } => {
                each(offset);
                each(value);
            }
            Jump { .. }
            | Repeat { .. }
            | CopyIndexed { .. }
            | CopyClock { .. }
            | Call { .. }
            | Return { .. }
            | HaltWith { .. } => {}
        }
    }

    /// The instruction's jump target, if it has one.
    pub fn target(&mut self) -> Option<&mut u32> {
        use Instruction::*;
        match self {
            Jump { target }
            | Repeat { target }
            | JumpEqual { target, .. }
            | JumpNotEqual { target, .. }
            | JumpLess { target, .. }
            | JumpGreaterEqual { target, .. }
            | JumpIs { target, .. }
            | JumpIsNot { target, .. }
            | JumpBelow { target, .. }
            | JumpNotBelow { target, .. }
            | Next { target, .. } => Some(target),
            _ => None,
        }
    }

    /// The slot that a value-making instruction writes as its last act, having read all operands.
    pub fn result(&mut self) -> Option<&mut Slot> {
        use Instruction::*;
        match self {
            Move { to, .. }
            | Set { to, .. }
            | MoveChecked { to, .. }
            | Add { to, .. }
            | Subtract { to, .. }
            | Multiply { to, .. }
            | Divide { to, .. }
            | Remainder { to, .. }
            | Power { to, .. }
            | BitAnd { to, .. }
            | BitOr { to, .. }
            | BitXor { to, .. }
            | ShiftLeft { to, .. }
            | ShiftRight { to, .. }
            | Minimum { to, .. }
            | Maximum { to, .. }
            | Less { to, .. }
            | LessEqual { to, .. }
            | Equal { to, .. }
            | NotEqual { to, .. }
            | Negate { to, .. }
            | Not { to, .. }
            | BitNot { to, .. }
            | Abs { to, .. }
            | Load { to, .. }
            | LoadIndexed { to, .. } => Some(to),
            _ => None,
        }
    }
}
