//! Follows statements, world by world; see [`crate::pa::evaluate`].

use merkhet_network::{Address, Region, Stmt};

use crate::pa::evaluate::{Evaluator, MOST_ROUNDS, Worlds};
use crate::pa::linear::Linear;
use crate::pa::world::{ClockSymbol, World};

impl Evaluator<'_> {
    /// Runs statements.
    pub fn run(&mut self, mut worlds: Worlds, statements: &[Stmt]) -> Worlds {
        for statement in statements {
            let mut next = Vec::new();
            for world in worlds {
                match world.returned {
                    true => next.push(world),
                    false => self.step(world, statement, &mut next),
                }
            }
            worlds = next;
        }
        worlds
    }

    fn step(&mut self, world: World, statement: &Stmt, into: &mut Worlds) {
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                ..
            } => {
                for (world, value) in self.value(world, value) {
                    for (mut world, address) in self.resolve(world, target.base, &target.indices) {
                        if !world.within(&self.slots, &value, *low, *high) {
                            continue;
                        }
                        match address {
                            Some(address) => world.assign(&self.slots, address, value.clone()),
                            None => self.havoc_stmts(&mut world, std::slice::from_ref(statement)),
                        }
                        into.push(world);
                    }
                }
            }
            Stmt::Reset { clock, value, .. } => {
                let base = Address {
                    region: Region::Local,
                    offset: clock.base.0,
                };
                for (world, value) in self.value(world, value) {
                    for (mut world, address) in self.resolve(world, base, &clock.indices) {
                        let number = value.as_ref().and_then(Linear::as_number);
                        match (
                            address,
                            number.and_then(|number| i32::try_from(number).ok()),
                        ) {
                            (Some(at), Some(number)) => {
                                let symbol = ClockSymbol::Row(0, number);
                                world.clocks.insert(at.offset as u16 + 1, symbol);
                            }
                            _ => self.havoc_stmts(&mut world, std::slice::from_ref(statement)),
                        }
                        into.push(world);
                    }
                }
            }
            Stmt::CopyClock {
                target,
                source,
                offset,
            } => {
                let mut world = world;
                let symbol = match world.clock(source.0 as u16 + 1) {
                    ClockSymbol::Row(row, by) if !self.stopwatches.contains(&row) => by
                        .checked_add(*offset)
                        .map_or(ClockSymbol::Unknown, |by| ClockSymbol::Row(row, by)),
                    _ => ClockSymbol::Unknown,
                };
                world.clocks.insert(target.0 as u16 + 1, symbol);
                into.push(world);
            }
            Stmt::Evaluate(expr) => {
                let worlds = self.value(world, expr);
                into.extend(worlds.into_iter().map(|(world, _)| world));
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                if self.exhausted(1) || !self.is_pure(condition) {
                    self.give_up(world, statement, into);
                    return;
                }
                for (polarity, branch) in [(true, then), (false, otherwise)] {
                    let worlds = self.assume(world.clone(), condition, polarity);
                    into.extend(self.run(worlds, branch));
                }
            }
            Stmt::While { .. } => self.repeat(world, statement, into),
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => {
                if i64::from(*high) - i64::from(*low) >= MOST_ROUNDS {
                    self.give_up(world, statement, into);
                    return;
                }
                let mut worlds = vec![world];
                for value in *low..=*high {
                    for world in worlds.iter_mut().filter(|world| !world.returned) {
                        let number = Some(Linear::number(value.into()));
                        world.assign(&self.slots, *variable, number);
                    }
                    worlds = self.run(worlds, body);
                }
                into.extend(worlds);
            }
            Stmt::Return(value) => {
                let Some(value) = value else {
                    let mut world = world;
                    world.returned = true;
                    into.push(world);
                    return;
                };
                for (mut world, value) in self.value(world, value) {
                    if let Some((cell, _)) = self.result {
                        world.assign(&self.slots, cell, value);
                    }
                    world.returned = true;
                    into.push(world);
                }
            }
            Stmt::Copy { .. } | Stmt::ReturnCopy(..) => self.give_up(world, statement, into),
        }
    }

    /// Forgets all that a statement may write. Within a function it may have returned, so that what follows is not run.
    fn give_up(&mut self, mut world: World, statement: &Stmt, into: &mut Worlds) {
        self.havoc_stmts(&mut world, std::slice::from_ref(statement));
        if self.depth > 0 {
            if let Some((cell, count)) = self.result {
                (0..count).for_each(|more| world.assign(&self.slots, cell.plus(more), None));
            }
            let mut returned = world.clone();
            returned.returned = true;
            into.push(returned);
        }
        into.push(world);
    }

    fn repeat(&mut self, world: World, statement: &Stmt, into: &mut Worlds) {
        let Stmt::While {
            condition,
            body,
            test_first,
            ..
        } = statement
        else {
            return;
        };
        if !self.is_pure(condition) {
            self.give_up(world, statement, into);
            return;
        }
        let mut active = vec![world];
        if !test_first {
            active = self.run(active, body);
        }
        for _ in 0..MOST_ROUNDS {
            let mut next = Vec::new();
            for world in active {
                if world.returned {
                    into.push(world);
                    continue;
                }
                if self.exhausted(0) {
                    self.give_up(world, statement, into);
                    continue;
                }
                let goes_on = self.assume(world.clone(), condition, true);
                let ends = self.assume(world, condition, false);
                if !goes_on.is_empty() && !ends.is_empty() {
                    self.exhausted(1);
                }
                into.extend(ends);
                next.extend(goes_on);
            }
            if next.is_empty() {
                return;
            }
            active = self.run(next, body);
        }
        for world in active {
            match world.returned {
                true => into.push(world),
                false => self.give_up(world, statement, into),
            }
        }
    }
}
