//! The frame of compilation: units of code, labels, temporaries, literals, tables.
//!
//! While code is made, slots carry marks: temporaries are numbered from 0 in each unit, and literals in the order of
//! their appearance. Units that are called keep temporaries of their own, since their caller's are still needed; units
//! that are entered from outside share theirs. [`ProgramBuilder::finish`] turns the marks into slots.

use std::collections::HashMap;

use crate::bounds::Bounds;
use crate::code::compile::quick::Quick;
use crate::code::compile::value::{Operand, Value};
use crate::code::machine::fault::FaultKind;
use crate::code::machine::instruction::{Access, CopyAccess, Instruction, Slot};
use crate::code::machine::layout::Layout;
use crate::code::machine::program::{CodeId, Entry, FunctionEntry, Program};
use crate::expression::{Expr, Stmt};
use crate::footprint::Footprints;
use crate::ids::{FunctionId, SiteId};
use crate::interval::Interval;
use crate::memory::Address;
use crate::network::Network;
use crate::tuning::{self, Tuning};

const MARK: u32 = 3 << 30;
const LITERAL: u32 = 1 << 30;
const TEMPORARY: u32 = 2 << 30;
/// A temporary of a called function, in the frame that all of them have together.
const FRAME: u32 = 3 << 30;

/// A jump's destination that may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(u32);

const UNBOUND: u32 = u32::MAX;

/// Where `return` goes to, and where its value is put.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    pub label: Label,
    pub result: Option<(Address, u32)>,
}

/// Compiles expressions, statements and the functions that they call.
///
/// It is made when the network is complete: [`Layout`] depends on the number of cells of each region.
#[derive(Debug)]
pub struct ProgramBuilder<'n> {
    pub(crate) network: &'n Network,
    /// [`tuning::INLINED`].
    pub(crate) most_inlined: usize,
    /// [`tuning::UNROLLED`].
    pub(crate) most_unrolled: usize,
    pub(crate) layout: Layout,
    pub(crate) footprints: Footprints<'n>,
    /// Inlined size of each function, once known.
    pub(crate) sizes: Vec<Option<usize>>,
    /// Cells whose values are known here: loop variables, parameters of inlined functions.
    pub(crate) known: Vec<(Address, Interval)>,
    pub(crate) bounds: Bounds<'n>,
    /// Functions whose inlined bodies are being compiled.
    pub(crate) inlining: Vec<FunctionId>,
    pub(crate) exits: Vec<Exit>,
    pub(crate) code: Vec<Instruction>,
    sites: Vec<[SiteId; 2]>,
    ranges: Table<(i32, i32)>,
    accesses: Table<Access>,
    copies: Vec<CopyAccess>,
    literals: Table<i32>,
    labels: Vec<u32>,
    /// The instruction before which a label was bound last.
    bound_at: usize,
    pub(crate) temporary: u32,
    most_temporaries: u32,
    shared_temporaries: u32,
    frame: u32,
    /// For each function of the network its row in `functions`, if it is called.
    called: HashMap<FunctionId, u32>,
    functions: Vec<FunctionEntry>,
    waiting: Vec<FunctionId>,
    entries: Vec<Entry>,
}

/// Rows without repetition.
#[derive(Debug)]
struct Table<T> {
    rows: Vec<T>,
    index: HashMap<T, u32>,
}

impl<T: Copy + Eq + std::hash::Hash> Table<T> {
    fn new() -> Self {
        Table {
            rows: Vec::new(),
            index: HashMap::new(),
        }
    }

    fn row(&mut self, value: T) -> u32 {
        *self.index.entry(value).or_insert_with(|| {
            self.rows.push(value);
            self.rows.len() as u32 - 1
        })
    }
}

impl<'n> ProgramBuilder<'n> {
    /// A builder without code.
    pub fn new(network: &'n Network) -> Self {
        ProgramBuilder::tuned(network, &Tuning::default())
    }

    /// A builder without code that inlines and unrolls as it is told.
    pub fn tuned(network: &'n Network, tuning: &Tuning) -> Self {
        ProgramBuilder {
            network,
            most_inlined: tuning.count(&tuning::INLINED),
            most_unrolled: tuning.count(&tuning::UNROLLED),
            layout: Layout::of(network),
            footprints: Footprints::new(network),
            sizes: vec![None; network.functions.len()],
            known: Vec::new(),
            bounds: Bounds::new(network),
            inlining: Vec::new(),
            exits: Vec::new(),
            code: Vec::new(),
            sites: Vec::new(),
            ranges: Table::new(),
            accesses: Table::new(),
            copies: Vec::new(),
            literals: Table::new(),
            labels: Vec::new(),
            bound_at: usize::MAX,
            temporary: 0,
            most_temporaries: 0,
            shared_temporaries: 0,
            frame: 0,
            called: HashMap::new(),
            functions: Vec::new(),
            waiting: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Where the regions will lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Compiles an expression, for [`crate::code::Machine::evaluate`].
    pub fn expression(&mut self, expr: &Expr) -> CodeId {
        let quick = self.quick_expression(expr);
        let start = self.begin();
        if matches!(expr, Expr::Load(_) | Expr::Const(_)) || !expr.is_boolean() {
            let value = self.value(expr);
            match value.operand {
                Operand::Const(value) => self.emit(Instruction::HaltWith { value }),
                Operand::Slot(value) => self.emit(Instruction::Halt { value }),
            }
        } else {
            let no = self.label();
            self.jump_unless(expr, no);
            self.emit(Instruction::HaltWith { value: 1 });
            self.bind(no);
            self.emit(Instruction::HaltWith { value: 0 });
        }
        self.end(start, false);
        // Folding may have found more than the form of the tree shows.
        let first = match self.code[start] {
            Instruction::Jump { target } => target as usize,
            _ => start,
        };
        let quick = match self.code[first] {
            Instruction::HaltWith { value } => Quick::Constant(value),
            _ => quick,
        };
        self.enter(start, quick)
    }

    /// Compiles statements, for [`crate::code::Machine::run`].
    pub fn statements(&mut self, statements: &[Stmt]) -> CodeId {
        let quick = self.quick_statements(statements);
        let start = self.begin();
        let label = self.label();
        self.exits.push(Exit {
            label,
            result: None,
        });
        self.stmts(statements);
        self.exits.pop();
        self.bind(label);
        self.emit(Instruction::HaltWith { value: 0 });
        self.end(start, false);
        self.enter(start, quick)
    }

    fn enter(&mut self, start: usize, quick: Quick) -> CodeId {
        self.compile_waiting();
        self.entries.push(Entry {
            start: start as u32,
            quick,
        });
        CodeId(self.entries.len() as u32 - 1)
    }

    /// Compiles the functions that have been called but not compiled, which may call others.
    fn compile_waiting(&mut self) {
        while let Some(id) = self.waiting.pop() {
            let row = self.called[&id];
            let start = self.begin();
            self.function_body(id);
            self.emit(Instruction::Return { function: row });
            self.end(start, true);
            self.functions[row as usize] = FunctionEntry {
                start: start as u32,
                cost: (self.code.len() - start) as u32,
            };
        }
    }

    /// The row of a function that is called.
    pub(crate) fn called_function(&mut self, id: FunctionId) -> u32 {
        if let Some(&row) = self.called.get(&id) {
            return row;
        }
        let row = self.functions.len() as u32;
        self.functions.push(FunctionEntry::default());
        self.called.insert(id, row);
        self.waiting.push(id);
        row
    }

    /// The finished program.
    pub fn finish(mut self) -> Program {
        let cells = self.layout.len() as u32;
        let frame = cells + self.literals.rows.len() as u32;
        let shared = frame + self.frame;
        let place = |slot: &mut Slot| {
            *slot = match *slot & MARK {
                LITERAL => cells + (*slot & !MARK),
                FRAME => frame + (*slot & !MARK),
                TEMPORARY => shared + (*slot & !MARK),
                _ => *slot,
            }
        };
        for instruction in &mut self.code {
            instruction.slots(place);
        }
        for copy in &mut self.copies {
            copy.to_offset.iter_mut().for_each(place);
            copy.from_offset.iter_mut().for_each(place);
            place(&mut copy.from);
            place(&mut copy.to);
        }
        let mut initial = self.layout.initial_memory(self.network);
        initial.extend_from_slice(&self.literals.rows);
        initial.resize((shared + self.shared_temporaries) as usize, 0);
        let program = Program {
            layout: self.layout,
            code: self.code,
            sites: self.sites,
            ranges: self.ranges.rows,
            accesses: self.accesses.rows,
            copies: self.copies,
            functions: self.functions,
            entries: self.entries,
            initial,
        };
        crate::code::machine::verify::verify(&program);
        program
    }

    fn begin(&mut self) -> usize {
        self.labels.clear();
        self.bound_at = usize::MAX;
        self.temporary = 0;
        self.most_temporaries = 0;
        self.code.len()
    }

    /// Ends a unit: labels become instructions' numbers, jumps to jumps are shortened, temporaries get their frame.
    fn end(&mut self, start: usize, called: bool) {
        for at in start..self.code.len() {
            if let Some(target) = self.code[at].target() {
                *target = self.labels[*target as usize];
            }
        }
        for at in start..self.code.len() {
            // Jumps back stay as they are: what they cost is the distance.
            if let Instruction::Repeat { .. } | Instruction::Next { .. } = self.code[at] {
                continue;
            }
            let Some(&mut first) = self.code[at].target() else {
                continue;
            };
            let mut last = first;
            while let Instruction::Jump { target } = self.code[last as usize] {
                last = target;
            }
            if let Some(target) = self.code[at].target() {
                *target = last;
            }
        }
        if called {
            let base = self.frame;
            let relocate = |slot: &mut Slot| {
                if *slot & MARK == TEMPORARY {
                    *slot = FRAME | (base + (*slot & !MARK));
                }
            };
            for at in start..self.code.len() {
                if let Instruction::CopyIndexed { copy } = self.code[at] {
                    let copy = &mut self.copies[copy as usize];
                    copy.to_offset.iter_mut().for_each(relocate);
                    copy.from_offset.iter_mut().for_each(relocate);
                    relocate(&mut copy.from);
                    relocate(&mut copy.to);
                }
                self.code[at].slots(relocate);
            }
            self.frame += self.most_temporaries;
        } else {
            self.shared_temporaries = self.shared_temporaries.max(self.most_temporaries);
        }
    }

    pub(crate) fn emit(&mut self, instruction: Instruction) {
        self.emit_at(instruction, SiteId::NONE);
    }

    pub(crate) fn emit_at(&mut self, instruction: Instruction, site: SiteId) {
        self.emit_at_both(instruction, site, SiteId::NONE);
    }

    pub(crate) fn emit_at_both(&mut self, instruction: Instruction, first: SiteId, second: SiteId) {
        self.code.push(instruction);
        self.sites.push([first, second]);
    }

    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label means the next instruction.
    pub(crate) fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.code.len() as u32;
        self.bound_at = self.code.len();
    }

    pub(crate) fn target(&self, label: Label) -> u32 {
        label.0
    }

    /// Makes a row of new temporaries.
    pub(crate) fn temporaries(&mut self, count: u32) -> Slot {
        let first = self.temporary;
        self.temporary += count;
        self.most_temporaries = self.most_temporaries.max(self.temporary);
        TEMPORARY | first
    }

    pub(crate) fn is_temporary(slot: Slot) -> bool {
        slot & MARK == TEMPORARY
    }

    /// The slot that always holds a number.
    pub(crate) fn literal(&mut self, value: i32) -> Slot {
        LITERAL | self.literals.row(value)
    }

    pub(crate) fn range(&mut self, low: i32, high: i32) -> u32 {
        self.ranges.row((low, high))
    }

    pub(crate) fn access(&mut self, access: Access) -> u32 {
        self.accesses.row(access)
    }

    /// Copies are not shared between instructions: their slots belong to one unit's frame.
    pub(crate) fn copy_access(&mut self, copy: CopyAccess) -> u32 {
        self.copies.push(copy);
        self.copies.len() as u32 - 1
    }

    /// The slot of a cell.
    pub(crate) fn slot(&self, cell: Address) -> Slot {
        self.layout.address(cell) as Slot
    }

    /// The cell at a slot, if it is not a literal or temporary.
    pub(crate) fn cell_at(&self, slot: Slot) -> Option<Address> {
        match slot & MARK {
            0 => self.layout.cell(slot as usize),
            _ => None,
        }
    }

    /// What is known of a cell's value here.
    pub(crate) fn cell_interval(&self, cell: Address) -> Interval {
        match self.known.iter().rev().find(|(known, _)| *known == cell) {
            Some((_, interval)) => *interval,
            None => Bounds::new(self.network).of_cell(cell),
        }
    }

    /// Lets the last instruction write somewhere else, if it is the one that made this temporary.
    fn retarget(&mut self, from: Slot, to: Slot) -> bool {
        if !Self::is_temporary(from) || self.bound_at == self.code.len() {
            return false;
        }
        match self.code.last_mut().and_then(Instruction::result) {
            Some(result) if *result == from => {
                *result = to;
                true
            }
            _ => false,
        }
    }

    /// Puts a value into a slot.
    pub(crate) fn store(&mut self, to: Slot, value: Value) {
        match value.operand {
            Operand::Const(value) => self.emit(Instruction::Set { to, value }),
            Operand::Slot(from) if from == to || self.retarget(from, to) => {}
            Operand::Slot(from) => self.emit(Instruction::Move { to, from }),
        }
    }

    /// Puts a value into a slot, a fault if it is outside the range.
    pub(crate) fn store_checked(
        &mut self,
        to: Slot,
        value: Value,
        low: i32,
        high: i32,
        site: SiteId,
    ) {
        if value.interval.within(low, high) {
            return self.store(to, value);
        }
        let from = self.operand(value);
        let range = self.range(low, high);
        self.emit_at(Instruction::MoveChecked { to, from, range }, site);
    }

    /// Checks a value's range, if that is not known to hold.
    pub(crate) fn check(&mut self, value: Value, low: i32, high: i32, site: SiteId) {
        if !value.interval.within(low, high) {
            let slot = self.operand(value);
            let range = self.range(low, high);
            self.emit_at(Instruction::Check { value: slot, range }, site);
        }
    }

    /// The slot that holds a value.
    pub(crate) fn operand(&mut self, value: Value) -> Slot {
        match value.operand {
            Operand::Const(value) => self.literal(value),
            Operand::Slot(slot) => slot,
        }
    }

    /// Whether a number folds; a fault is left to the moment of evaluation.
    pub(crate) fn folded(result: Result<i32, FaultKind>) -> Option<i32> {
        result.ok()
    }
}
