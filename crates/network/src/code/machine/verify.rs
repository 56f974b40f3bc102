//! What the interpreter loop relies on, checked once for each program.

use crate::code::machine::instruction::Instruction;
use crate::code::machine::program::Program;

/// Panics if any slot, target or row of a table is outside: that would be a fault of the compiler.
pub(crate) fn verify(program: &Program) {
    let (slots, length) = (program.memory_size(), program.code.len());
    let inside = |slot: u32| {
        assert!(
            (slot as usize) < slots,
            "slot {slot} is outside a memory of {slots}"
        )
    };
    for instruction in &program.code {
        let mut instruction = *instruction;
        instruction.slots(|slot| inside(*slot));
        if let Some(target) = instruction.target() {
            assert!(
                (*target as usize) < length,
                "instruction {target} does not exist"
            );
        }
        match instruction {
            Instruction::CopyIndexed { copy } => {
                let copy = &program.copies[copy as usize];
                copy.to_offset
                    .into_iter()
                    .chain(copy.from_offset)
                    .for_each(inside);
            }
            Instruction::Call { function } | Instruction::Return { function } => {
                assert!((function as usize) < program.functions.len());
            }
            _ => {}
        }
    }
    let starts = program.functions.iter().map(|function| function.start);
    for start in starts.chain(program.entries.iter().map(|entry| entry.start)) {
        assert!(
            (start as usize) < length,
            "instruction {start} does not exist"
        );
    }
    let ends = matches!(
        program.code.last(),
        None | Some(
            Instruction::Halt { .. }
                | Instruction::HaltWith { .. }
                | Instruction::Return { .. }
                | Instruction::Jump { .. }
        )
    );
    assert!(ends, "the last instruction has no successor");
    assert_eq!(program.sites.len(), length);
}
