//! The interpreter loop, and all of the unsafe code of this crate: memory and code are accessed without bounds checks,
//! which takes a quarter to a third off the time of an evaluation. [`crate::code::machine::verify`] establishes what that rests on when a
//! program is finished. Indices that are computed at run time are checked here.

use crate::code::machine::arithmetic;
use crate::code::machine::fault::{Fault, FaultKind};
use crate::code::machine::instruction::{Access, Instruction};
use crate::code::machine::program::Program;
use crate::code::machine::{ClockUpdate, Machine};
use crate::constraint::MAX_CLOCK_CONSTANT;
use crate::ids::ClockId;

/// Runs code from an instruction on.
pub(crate) fn execute(machine: &mut Machine, program: &Program, start: u32) -> Result<i32, Fault> {
    assert!(
        machine.memory.len() >= program.memory_size()
            && machine.returns.len() >= program.functions.len(),
        "the machine was made for another program"
    );
    let memory = machine.memory.as_mut_slice();
    let mut fuel = machine.fuel;
    let mut at = start as usize;

    macro_rules! cell {
            ($slot:expr) => {
                // SAFETY: `verify` has seen that all slots of all instructions are below the program's memory size, and the
            // memory is no smaller.
            (*unsafe { memory.get_unchecked_mut($slot as usize) })
            };
        }
    macro_rules! fail {
        ($which:expr, $kind:expr) => {
            return Err(program.fault(at, $which, $kind))
        };
    }
    macro_rules! result {
        ($to:expr, $result:expr) => {
            match $result {
                Ok(value) => cell!($to) = value,
                Err(kind) => fail!(0, kind),
            }
        };
    }
    macro_rules! jump_if {
        ($condition:expr, $target:expr) => {
            if $condition {
                at = $target as usize;
                continue;
            }
        };
    }
    macro_rules! pay {
        ($steps:expr) => {
            match fuel.checked_sub($steps as u64) {
                Some(rest) => fuel = rest,
                None => {
                    machine.used = machine.fuel;
                    fail!(0, FaultKind::StepLimit)
                }
            }
        };
    }

    loop {
        // SAFETY: `verify` has seen that all targets are instructions and that the last one does not go on to the next;
        // where a call returns to is checked.
        match *unsafe { program.code.get_unchecked(at) } {
            Instruction::Move { to, from } => cell!(to) = cell!(from),
            Instruction::Set { to, value } => cell!(to) = value,
            Instruction::MoveChecked { to, from, range } => {
                let value = cell!(from);
                let (low, high) = program.ranges[range as usize];
                if value < low || value > high {
                    fail!(0, FaultKind::OutOfRange { value, low, high });
                }
                cell!(to) = value;
            }
            Instruction::Check { value, range } => {
                let value = cell!(value);
                let (low, high) = program.ranges[range as usize];
                if value < low || value > high {
                    fail!(0, FaultKind::OutOfRange { value, low, high });
                }
            }
            Instruction::Add { to, a, b } => cell!(to) = cell!(a).wrapping_add(cell!(b)),
            Instruction::Subtract { to, a, b } => cell!(to) = cell!(a).wrapping_sub(cell!(b)),
            Instruction::Multiply { to, a, b } => cell!(to) = cell!(a).wrapping_mul(cell!(b)),
            Instruction::Divide { to, a, b } => {
                result!(to, arithmetic::divide(cell!(a), cell!(b)))
            }
            Instruction::Remainder { to, a, b } => {
                result!(to, arithmetic::remainder(cell!(a), cell!(b)))
            }
            Instruction::Power { to, a, b } => {
                result!(to, arithmetic::power(cell!(a), cell!(b)))
            }
            Instruction::BitAnd { to, a, b } => cell!(to) = cell!(a) & cell!(b),
            Instruction::BitOr { to, a, b } => cell!(to) = cell!(a) | cell!(b),
            Instruction::BitXor { to, a, b } => cell!(to) = cell!(a) ^ cell!(b),
            Instruction::ShiftLeft { to, a, b } => {
                result!(to, arithmetic::shift_left(cell!(a), cell!(b)))
            }
            Instruction::ShiftRight { to, a, b } => {
                result!(to, arithmetic::shift_right(cell!(a), cell!(b)))
            }
            Instruction::Minimum { to, a, b } => cell!(to) = cell!(a).min(cell!(b)),
            Instruction::Maximum { to, a, b } => cell!(to) = cell!(a).max(cell!(b)),
            Instruction::Less { to, a, b } => cell!(to) = i32::from(cell!(a) < cell!(b)),
            Instruction::LessEqual { to, a, b } => cell!(to) = i32::from(cell!(a) <= cell!(b)),
            Instruction::Equal { to, a, b } => cell!(to) = i32::from(cell!(a) == cell!(b)),
            Instruction::NotEqual { to, a, b } => cell!(to) = i32::from(cell!(a) != cell!(b)),
            Instruction::Negate { to, a } => cell!(to) = cell!(a).wrapping_neg(),
            Instruction::Not { to, a } => cell!(to) = i32::from(cell!(a) == 0),
            Instruction::BitNot { to, a } => cell!(to) = !cell!(a),
            Instruction::Abs { to, a } => cell!(to) = cell!(a).wrapping_abs(),
            Instruction::AddChecked { cell, by, range } => {
                let (low, high) = program.ranges[range as usize];
                let value = cell!(cell).wrapping_add(cell!(by));
                if value < low || value > high {
                    fail!(1, FaultKind::OutOfRange { value, low, high });
                }
                cell!(cell) = value;
            }
            Instruction::Jump { target } => jump_if!(true, target),
            Instruction::Repeat { target } => {
                pay!(at - target as usize + 1);
                jump_if!(true, target);
            }
            Instruction::JumpEqual { a, b, target } => jump_if!(cell!(a) == cell!(b), target),
            Instruction::JumpNotEqual { a, b, target } => {
                jump_if!(cell!(a) != cell!(b), target)
            }
            Instruction::JumpLess { a, b, target } => jump_if!(cell!(a) < cell!(b), target),
            Instruction::JumpGreaterEqual { a, b, target } => {
                jump_if!(cell!(a) >= cell!(b), target)
            }
            Instruction::JumpIs { a, value, target } => jump_if!(cell!(a) == value, target),
            Instruction::JumpIsNot { a, value, target } => jump_if!(cell!(a) != value, target),
            Instruction::JumpBelow { a, value, target } => jump_if!(cell!(a) < value, target),
            Instruction::JumpNotBelow { a, value, target } => {
                jump_if!(cell!(a) >= value, target)
            }
            Instruction::Next {
                variable,
                last,
                target,
            } => {
                let value = cell!(variable);
                if value < last {
                    pay!(at - target as usize + 1);
                    cell!(variable) = value + 1;
                    jump_if!(true, target);
                }
            }
            Instruction::Load { to, base, offset } => {
                let offset = cell!(offset);
                cell!(to) = memory[base as usize + offset as usize];
            }
            Instruction::LoadIndexed { to, index, access } => {
                let access = &program.accesses[access as usize];
                match offset(access, cell!(index)) {
                    Ok(offset) => cell!(to) = memory[access.base as usize + offset as usize],
                    Err(kind) => fail!(0, kind),
                }
            }
            Instruction::Store {
                base,
                offset,
                value,
            } => {
                let offset = cell!(offset);
                memory[base as usize + offset as usize] = cell!(value);
            }
            Instruction::StoreIndexed {
                index,
                value,
                access,
            } => {
                let access = &program.accesses[access as usize];
                let offset = match offset(access, cell!(index)) {
                    Ok(offset) => offset,
                    Err(kind) => fail!(0, kind),
                };
                let (value, low, high) = (cell!(value), access.low, access.high);
                if value < low || value > high {
                    fail!(1, FaultKind::OutOfRange { value, low, high });
                }
                memory[access.base as usize + offset as usize] = value;
            }
            Instruction::Offset { to, index, access } => {
                match offset(&program.accesses[access as usize], cell!(index)) {
                    Ok(offset) => cell!(to) = offset as i32,
                    Err(kind) => fail!(0, kind),
                }
            }
            Instruction::OffsetMore { to, index, access } => {
                match offset(&program.accesses[access as usize], cell!(index)) {
                    Ok(offset) => cell!(to) += offset as i32,
                    Err(kind) => fail!(0, kind),
                }
            }
            Instruction::Copy { to, from, cells } => {
                let from = from as usize;
                memory.copy_within(from..from + cells as usize, to as usize);
            }
            Instruction::CopyIndexed { copy } => {
                let copy = &program.copies[copy as usize];
                let mut more = |offset: Option<u32>| offset.map_or(0, |slot| cell!(slot) as usize);
                let from = copy.from as usize + more(copy.from_offset);
                let to = copy.to as usize + more(copy.to_offset);
                memory.copy_within(from..from + copy.cells as usize, to);
            }
            Instruction::SetClock { clock, value } => match clock_value(cell!(value)) {
                Ok(value) => machine.clock_updates.push(ClockUpdate::Set {
                    clock: ClockId(clock),
                    value,
                }),
                Err(kind) => fail!(0, kind),
            },
            Instruction::SetClockIndexed {
                base,
                offset,
                value,
            } => match clock_value(cell!(value)) {
                Ok(value) => machine.clock_updates.push(ClockUpdate::Set {
                    clock: ClockId(base + cell!(offset) as u32),
                    value,
                }),
                Err(kind) => fail!(0, kind),
            },
            Instruction::CopyClock {
                target,
                source,
                offset,
            } => machine.clock_updates.push(ClockUpdate::Copy {
                target: ClockId(target),
                source: ClockId(source),
                offset,
            }),
            Instruction::Call { function } => {
                let entry = program.functions[function as usize];
                pay!(entry.cost);
                machine.returns[function as usize] = at as u32 + 1;
                jump_if!(true, entry.start);
            }
            Instruction::Return { function } => {
                // A recursive function, which no network has, would go round here for ever.
                pay!(1u32);
                let target = machine.returns[function as usize];
                assert!((target as usize) < program.code.len());
                jump_if!(true, target);
            }
            Instruction::Halt { value } => {
                machine.used = machine.fuel - fuel;
                return Ok(cell!(value));
            }
            Instruction::HaltWith { value } => {
                machine.used = machine.fuel - fuel;
                return Ok(value);
            }
        }
        at += 1;
    }
}

/// `index * stride`, if the index is inside.
#[inline(always)]
fn offset(access: &Access, index: i32) -> Result<u32, FaultKind> {
    if (index as u32) < access.length {
        Ok(index as u32 * access.stride)
    } else {
        Err(FaultKind::IndexOutOfRange {
            index,
            length: access.length,
        })
    }
}

#[inline(always)]
fn clock_value(value: i32) -> Result<i32, FaultKind> {
    match value {
        0..=MAX_CLOCK_CONSTANT => Ok(value),
        i32::MIN..=-1 => Err(FaultKind::NegativeClock { value }),
        _ => Err(FaultKind::ClockTooLarge { value }),
    }
}
