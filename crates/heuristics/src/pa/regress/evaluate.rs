//! Follows expressions and statements symbolically, splitting into [`World`]s where their outcome depends on the state.
//!
//! Everything here over-approximates: what is not understood (products of variables, long loops, too many ways) may have
//! any value and asks for nothing. A way that certainly ends in a fault is dropped, since no transition comes of it.

use merkhet_network::code::arithmetic;
use merkhet_network::tuning::Tuning;
use merkhet_network::visit::{Footprint, Footprints};
use merkhet_network::{
    Address, Argument, BinaryOp, Expr, Index, Network, Place, Quantifier, Region, Stmt, UnaryOp,
};

use crate::pa::linear::Linear;
use crate::pa::predicate;
use crate::pa::slots::Slots;
use crate::pa::world::{ClockSymbol, Symbol, World};
use crate::tuning::{CHOICES, PAIRS, VALUES, WORLDS};

/// Most rounds of a loop that are followed.
pub(in crate::pa) const MOST_ROUNDS: i64 = 24;

/// How many cases are told apart; beyond, what they may do is forgotten.
#[derive(Clone, Copy, Debug)]
pub(in crate::pa) struct Most {
    /// Of the code of one transition.
    worlds: u32,
    /// Of the receivers of a broadcast.
    pub choices: usize,
    /// Of pairs over one channel, or of a vector.
    pub pairs: usize,
    /// Of a slot, where an operator is not linear.
    pub values: i64,
}

impl Most {
    fn of(tuning: &Tuning) -> Most {
        Most {
            worlds: tuning.count(&WORLDS) as u32,
            choices: tuning.count(&CHOICES),
            pairs: tuning.count(&PAIRS),
            values: tuning.get(&VALUES),
        }
    }
}

/// Follows code.
pub struct Evaluator<'n> {
    /// The network.
    pub network: &'n Network,
    /// Its slots.
    pub slots: Slots,
    pub(in crate::pa) footprints: Footprints<'n>,
    /// Rows of clocks that may stand still: nothing is said of them.
    pub(in crate::pa) stopwatches: Vec<u16>,
    /// What is told apart.
    pub(in crate::pa) most: Most,
    spent: u32,
    /// The result cells of the function that is being followed.
    pub(in crate::pa) result: Option<(Address, u32)>,
    /// How many functions deep.
    pub(in crate::pa) depth: u32,
}

pub(in crate::pa) type Worlds = Vec<World>;

impl<'n> Evaluator<'n> {
    /// For a network.
    pub fn new(network: &'n Network) -> Self {
        let rates = (network.processes.iter())
            .flat_map(|process| &process.locations)
            .flat_map(|location| &location.invariant.rates);
        let stopwatches = rates.map(|rate| rate.clock.0 as u16 + 1).collect();
        Evaluator {
            network,
            slots: Slots::of(network),
            footprints: Footprints::new(network),
            stopwatches,
            most: Most::of(&Tuning::default()),
            spent: 0,
            result: None,
            depth: 0,
        }
    }

    /// With other numbers.
    pub fn tuned(mut self, tuning: &Tuning) -> Self {
        self.most = Most::of(tuning);
        self
    }

    /// Starts on a new transition.
    pub fn start(&mut self) {
        self.spent = 0;
        self.result = None;
    }

    pub(in crate::pa) fn exhausted(&mut self, more: usize) -> bool {
        self.spent = self.spent.saturating_add(more as u32);
        self.spent > self.most.worlds
    }

    /// Forgets everything that code may write.
    pub fn havoc(&self, world: &mut World, footprint: &Footprint) {
        for cell in footprint.writes.iter() {
            world.assign(&self.slots, cell, None);
        }
        for clock in &footprint.clocks_set {
            world
                .clocks
                .insert(clock.0 as u16 + 1, ClockSymbol::Unknown);
        }
    }

    /// Forgets everything that statements may write.
    pub fn havoc_stmts(&mut self, world: &mut World, statements: &[Stmt]) {
        let footprint = self.footprints.stmts(statements);
        self.havoc(world, &footprint);
    }

    pub(in crate::pa) fn unknown(&mut self, mut world: World, expr: &Expr) -> Vec<(World, Symbol)> {
        let footprint = self.footprints.expr(expr);
        self.havoc(&mut world, &footprint);
        vec![(world, None)]
    }

    pub(in crate::pa) fn is_pure(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::At(..) => true,
            Expr::Load(place) if place.indices.is_empty() => true,
            _ => !self.footprints.expr(expr).has_effects(),
        }
    }

    /// The value of an expression, world by world.
    pub fn value(&mut self, world: World, expr: &Expr) -> Vec<(World, Symbol)> {
        match expr {
            Expr::Const(value) => vec![(world, Some(Linear::number((*value).into())))],
            Expr::Load(place) => self.load(world, place),
            Expr::Unary(UnaryOp::Negate, operand, _) => {
                let values = self.value(world, operand);
                let negate = |form: Linear| Linear::number(0).plus(&form, -1);
                (values.into_iter())
                    .map(|(world, value)| (world, self.exact(value.and_then(negate))))
                    .collect()
            }
            Expr::Unary(op @ (UnaryOp::Abs | UnaryOp::BitNot), operand, _) => {
                let fold = |value: i32| arithmetic::unary(*op, value).ok();
                let mut all = Vec::new();
                for (world, value) in self.value(world, operand) {
                    self.fold_one(world, value, fold, &mut all);
                }
                all
            }
            Expr::Binary(op, left, right, _) if !is_comparison(*op) => {
                let mut all = Vec::new();
                for (world, left) in self.value(world, left) {
                    for (world, right) in self.value(world, right) {
                        self.arithmetic(*op, world, &left, right, &mut all);
                    }
                }
                all
            }
            Expr::At(..)
            | Expr::Unary(UnaryOp::Not, ..)
            | Expr::Binary(..)
            | Expr::And(_)
            | Expr::Or(_) => self.truth_value(world, expr),
            Expr::Conditional(condition, then, otherwise) => {
                if self.exhausted(1) || !self.is_pure(condition) {
                    return self.unknown(world, expr);
                }
                let mut all = Vec::new();
                for (polarity, branch) in [(true, then), (false, otherwise)] {
                    for world in self.assume(world.clone(), condition, polarity) {
                        all.extend(self.value(world, branch));
                    }
                }
                all
            }
            Expr::Quantified {
                quantifier: Quantifier::Sum,
                variable,
                low,
                high,
                body,
                ..
            } => self.sum(world, expr, *variable, (*low, *high), body),
            Expr::Quantified { .. } => self.truth_value(world, expr),
            Expr::Call { .. } => self.call(world, expr),
            Expr::Checked {
                value, low, high, ..
            } => {
                let mut all = Vec::new();
                for (mut world, value) in self.value(world, value) {
                    if world.within(&self.slots, &value, *low, *high) {
                        all.push((world, value));
                    }
                }
                all
            }
            Expr::Then(statements, value) => {
                let worlds = self.run(vec![world], statements);
                let mut all = Vec::new();
                for world in worlds {
                    all.extend(self.value(world, value));
                }
                all
            }
        }
    }

    fn truth_value(&mut self, world: World, expr: &Expr) -> Vec<(World, Symbol)> {
        if self.exhausted(1) || !self.is_pure(expr) {
            return self.unknown(world, expr);
        }
        let number = |number| Some(Linear::number(number));
        let holds = self.assume(world.clone(), expr, true);
        let fails = self.assume(world, expr, false);
        let holds = holds.into_iter().map(|world| (world, number(1)));
        holds
            .chain(fails.into_iter().map(|world| (world, number(0))))
            .collect()
    }

    fn load(&mut self, world: World, place: &Place) -> Vec<(World, Symbol)> {
        let places = self.resolve(world, place.base, &place.indices);
        (places.into_iter())
            .map(|(world, address)| {
                let value = address.and_then(|address| self.read(&world, address));
                (world, value)
            })
            .collect()
    }

    fn read(&self, world: &World, address: Address) -> Symbol {
        if address.region == Region::Constant {
            let cell = self.network.constant_cells.get(address.offset as usize)?;
            return Some(Linear::number(cell.initial.into()));
        }
        world.cell(&self.slots, address)
    }

    /// The cell that a place means, world by world; `None` where it may be too many.
    pub(in crate::pa) fn resolve(
        &mut self,
        world: World,
        base: Address,
        indices: &[Index],
    ) -> Vec<(World, Option<Address>)> {
        let mut all = vec![(world, Some(base))];
        for index in indices {
            let mut next = Vec::new();
            for (world, address) in all {
                for (world, value) in self.value(world, &index.value) {
                    let Some(form) = value else {
                        next.push((world, None));
                        continue;
                    };
                    for (world, value) in self.numbers(world, form) {
                        let at = value.map(|value| u32::try_from(value).unwrap_or(u32::MAX));
                        match (address, at) {
                            (Some(address), Some(at)) if at < index.length => {
                                next.push((world, Some(address.plus(at * index.stride))));
                            }
                            (_, Some(at)) if at >= index.length => {} // a fault
                            _ => next.push((world, None)),
                        }
                    }
                }
            }
            all = next;
        }
        all
    }

    fn call(&mut self, world: World, expr: &Expr) -> Vec<(World, Symbol)> {
        let Expr::Call {
            function,
            arguments,
            ..
        } = expr
        else {
            return vec![(world, None)];
        };
        let network = self.network;
        let Some(function) = network.functions.get(function.index()) else {
            return self.unknown(world, expr);
        };
        let copies = |argument: &Argument| matches!(argument, Argument::Copy(..));
        if self.exhausted(1) || arguments.iter().any(copies) {
            return self.unknown(world, expr);
        }
        let mut ready = vec![(world, Vec::new())];
        for argument in arguments {
            let Argument::Value(value) = argument else {
                continue;
            };
            let mut next = Vec::new();
            for (world, values) in ready {
                for (world, value) in self.value(world, value) {
                    let mut values: Vec<Symbol> = values.clone();
                    values.push(value);
                    next.push((world, values));
                }
            }
            ready = next;
        }
        let mut worlds = Vec::new();
        for (mut world, values) in ready {
            for ((cell, _), value) in function.parameters.iter().zip(values) {
                world.assign(&self.slots, *cell, value);
            }
            if let Some((cell, count)) = function.result {
                for more in 0..count {
                    world.assign(&self.slots, cell.plus(more), Some(Linear::number(0)));
                }
            }
            worlds.push(world);
        }
        let outer = std::mem::replace(&mut self.result, function.result);
        self.depth += 1;
        let done = self.run(worlds, &function.body);
        self.depth -= 1;
        self.result = outer;
        (done.into_iter())
            .map(|mut world| {
                world.returned = false;
                let value = match function.result {
                    Some((cell, _)) => self.read(&world, cell),
                    None => Some(Linear::number(0)),
                };
                (world, value)
            })
            .collect()
    }
}

pub(in crate::pa) fn is_comparison(op: BinaryOp) -> bool {
    merkhet_network::bounds::is_comparison(op)
}

/// The predicate "process p is at location ℓ".
pub fn at_location(slots: &Slots, process: u32, location: u32) -> predicate::Condition {
    let form = Linear {
        terms: vec![(process, 1)],
        constant: -i64::from(location),
    };
    predicate::of_comparison(slots, BinaryOp::Equal, &form)
}
