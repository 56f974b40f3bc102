//! Which functions change the state or depend on it.

use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use merkhet_network::code::{FaultKind, evaluate_constant};
use merkhet_network::visit::{Visitor, walk_expr, walk_indices, walk_stmts};
use merkhet_network::{ClockPlace, Expr, Function, FunctionId, Place, Region};
use merkhet_syntax::{Diagnostic, Span};
use std::time::{Duration, Instant};

/// The steps that the computation of a constant may take.
const CONSTANT_FUEL: u64 = 5_000_000;

/// The time that all constants together may take: each costs in proportion to the size of the model.
const CONSTANT_TIME: Duration = Duration::from_secs(10);

/// What a piece of code does to the state.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effects {
    /// It writes variables or resets clocks.
    pub writes: bool,
    /// It reads variables.
    pub reads: bool,
}

impl Effects {
    fn join(&mut self, other: Effects) -> bool {
        let before = *self;
        self.writes |= other.writes;
        self.reads |= other.reads;
        *self != before
    }
}

/// Collects the effects of a piece of code, without those of the functions that it calls.
#[derive(Default)]
struct Collector {
    effects: Effects,
    calls: Vec<FunctionId>,
    /// First cell in [`Region::Local`] of each read.
    local_reads: Vec<u32>,
    /// First cell in [`Region::Local`] and number of cells of each write.
    local_writes: Vec<(u32, u32)>,
}

impl Visitor for Collector {
    fn expr(&mut self, expr: &Expr) {
        self.effects.reads |= matches!(expr, Expr::At(..));
        walk_expr(self, expr);
    }

    fn read(&mut self, place: &Place, _cells: u32) {
        match place.base.region {
            Region::State | Region::Meta => self.effects.reads = true,
            Region::Local => self.local_reads.push(place.base.offset),
            Region::Constant => {}
        }
        walk_indices(self, &place.indices);
    }

    fn write(&mut self, place: &Place, cells: u32) {
        match place.base.region {
            Region::Local => self.local_writes.push((place.base.offset, cells)),
            _ => self.effects.writes = true,
        }
        walk_indices(self, &place.indices);
    }

    fn reset(&mut self, clock: &ClockPlace) {
        self.effects.writes = true;
        walk_indices(self, &clock.indices);
    }

    fn call(&mut self, function: FunctionId) {
        self.calls.push(function);
    }
}

impl Collector {
    /// Whether a parameter or variable of a function around the code is read (not one of its own).
    fn reads_outer_local(&self) -> bool {
        let own = |cell: &u32| {
            (self.local_writes.iter()).any(|(start, cells)| (*start..start + cells).contains(cell))
        };
        !self.local_reads.iter().all(own)
    }
}

/// The effects of all functions, with those of the functions that they call.
pub fn function_effects(functions: &[Function]) -> Vec<Effects> {
    let mut effects = vec![Effects::default(); functions.len()];
    let mut calls = vec![Vec::new(); functions.len()];
    for (index, function) in functions.iter().enumerate() {
        let mut collector = Collector::default();
        walk_stmts(&mut collector, &function.body);
        effects[index] = collector.effects;
        calls[index] = collector.calls;
    }
    let mut callers = vec![Vec::new(); functions.len()];
    for (caller, called) in calls.iter().enumerate() {
        for callee in called {
            if let Some(list) = callers.get_mut(callee.index()) {
                list.push(caller);
            }
        }
    }
    let mut waiting: Vec<usize> = (0..functions.len()).collect();
    while let Some(callee) = waiting.pop() {
        let found = effects[callee];
        for &caller in &callers[callee] {
            if effects[caller].join(found) {
                waiting.push(caller);
            }
        }
    }
    effects
}

impl Lowerer<'_> {
    /// Reports calls of functions with side effects where these are not allowed.
    pub fn check_purity(&mut self) {
        if self.must_be_pure.is_empty() {
            return;
        }
        let effects = function_effects(&self.network.functions);
        for (span, function, purpose) in std::mem::take(&mut self.must_be_pure) {
            if effects.get(function.index()).is_some_and(|e| e.writes) {
                let message = format!(
                    "this function changes variables or clocks, which has no place in {}",
                    purpose.name()
                );
                self.say(Diagnostic::error("side-effect", message, span));
            }
        }
    }

    /// The value of an expression over constants.
    pub fn constant_value(&mut self, expr: &Expr, span: Span) -> Lower<i32> {
        if let Expr::Const(value) = expr {
            return Ok(*value);
        }
        self.drain();
        let mut collector = Collector::default();
        collector.expr(expr);
        let mut own = collector.effects;
        if !collector.calls.is_empty() {
            let effects = function_effects(&self.network.functions);
            for function in &collector.calls {
                own.join(effects.get(function.index()).copied().unwrap_or_default());
                // A call writes the cells of its result.
                let called = self.network.functions.get(function.index());
                if let Some((base, cells)) = called.and_then(|called| called.result) {
                    collector.local_writes.push((base.offset, cells));
                }
            }
        }
        if own.reads || own.writes || collector.reads_outer_local() {
            return self.error(
                "not-constant",
                "a value that is known when the model is loaded is expected here",
                span,
            );
        }
        if self.constant_time > CONSTANT_TIME {
            return self.error(
                "too-large",
                "the model's constants take too long to compute",
                span,
            );
        }
        let start = Instant::now();
        let value = evaluate_constant(&self.network, expr, CONSTANT_FUEL);
        self.constant_time += start.elapsed();
        match value {
            Ok(value) => Ok(value),
            Err(fault) => {
                let what = match fault.kind {
                    FaultKind::StepLimit => "this takes too long to compute".to_string(),
                    _ => format!("this has no value: {fault}"),
                };
                self.error("constant-fault", what, span)
                    .map_err(|_: Reported| Reported)
            }
        }
    }
}
