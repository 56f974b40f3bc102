//! Updates: statements one after the other, as values of cells in terms of the state before.

use merkhet_network::interval::Interval;
use merkhet_network::{Address, Expr, OutOfRange, Place, Stmt};

use super::expression::{Ranged, Scope};
use super::{Translate, Translator};

impl Translator<'_> {
    pub(super) fn statements(&mut self, statements: &[Stmt], scope: &mut Scope) -> Translate<()> {
        statements
            .iter()
            .try_for_each(|statement| self.statement(statement, scope))
    }

    /// The body of a function: `return` may stand at the end of it, or of both branches of an `if` at its end.
    pub(super) fn body(
        &mut self,
        body: &[Stmt],
        result: Option<(Address, u32)>,
        scope: &mut Scope,
    ) -> Translate<()> {
        let Some((last, before)) = body.split_last() else {
            return Ok(());
        };
        self.statements(before, scope)?;
        match (last, result) {
            (Stmt::Return(Some(value)), Some((cell, _))) => {
                let value = self.value(value, scope)?;
                self.write(cell, value, scope)
            }
            (Stmt::Return(None), _) => Ok(()),
            (Stmt::ReturnCopy(place, cells), Some((first, _))) => {
                self.copy(&Place::cell(first), place, *cells, scope)
            }
            (
                Stmt::If {
                    condition,
                    then,
                    otherwise,
                },
                _,
            ) => {
                let condition = self.condition(condition, scope)?;
                let not = self.system.expressions.not(condition);
                self.under(scope, condition, |this, scope| {
                    this.body(then, result, scope)
                })?;
                self.under(scope, not, |this, scope| {
                    this.body(otherwise, result, scope)
                })
            }
            _ => self.statement(last, scope),
        }
    }

    fn statement(&mut self, statement: &Stmt, scope: &mut Scope) -> Translate<()> {
        match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                ..
            } => {
                let value = self.value(value, scope)?;
                // With `Disable` there is no successor outside the range, and that is all.
                let interval = match self.network.out_of_range {
                    OutOfRange::Fault => self.check_range(value, *low, *high, scope),
                    OutOfRange::Disable => value.1.clamped(*low, *high),
                };
                self.store(target, (value.0, interval), scope)
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => self.copy(target, source, *cells, scope),
            Stmt::Reset { clock, value, .. } => {
                let value = self.value(value, scope)?;
                self.check_range(value, 0, i32::MAX, scope);
                for (index, condition) in
                    self.candidates(clock.base.index() as u32, &clock.indices, scope)?
                {
                    let id = merkhet_network::ClockId::from(index as usize);
                    let old = self.clock_now(id, scope);
                    let reached = self.reached(condition, scope);
                    let new = match reached {
                        Some(reached) => self.choose(reached, value, (old, Interval::FULL)).0,
                        None => value.0,
                    };
                    scope.clocks.insert(id, new);
                }
                Ok(())
            }
            Stmt::CopyClock { .. } => Err("copies of clocks are not supported".into()),
            Stmt::Evaluate(expr) => match expr {
                Expr::Then(statements, _) => self.statements(statements, scope),
                other => self.value(other, scope).map(|_| ()),
            },
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition, scope)?;
                let not = self.system.expressions.not(condition);
                self.under(scope, condition, |this, scope| this.statements(then, scope))?;
                self.under(scope, not, |this, scope| this.statements(otherwise, scope))
            }
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => {
                self.rounds(*low, *high)?;
                for value in *low..=*high {
                    let number = self.number(value.into());
                    scope
                        .cells
                        .insert(*variable, (number, Interval::point(value)));
                    self.statements(body, scope)?;
                }
                Ok(())
            }
            Stmt::While { .. } => Err("`while` loops are not supported".into()),
            Stmt::Return(_) | Stmt::ReturnCopy(..) => {
                Err("a function returns before its end, which is not supported".into())
            }
        }
    }

    pub(super) fn clock_now(
        &mut self,
        id: merkhet_network::ClockId,
        scope: &Scope,
    ) -> merkhet_finite::ExpressionId {
        match scope.clocks.get(&id) {
            Some(known) => *known,
            None => self.variable(self.clocks[id.index()], false),
        }
    }

    fn reached(
        &mut self,
        condition: Option<merkhet_finite::ExpressionId>,
        scope: &Scope,
    ) -> Option<merkhet_finite::ExpressionId> {
        match (condition, scope.path) {
            (Some(a), Some(b)) => Some(self.system.expressions.and([a, b])),
            (a, b) => a.or(b),
        }
    }

    fn copy(
        &mut self,
        target: &Place,
        source: &Place,
        cells: u32,
        scope: &mut Scope,
    ) -> Translate<()> {
        let mut values = Vec::new();
        for by in 0..cells {
            values.push(self.value(&Expr::Load(source.plus(by)), scope)?);
        }
        for (by, value) in values.into_iter().enumerate() {
            self.store(&target.plus(by as u32), value, scope)?;
        }
        Ok(())
    }

    fn store(&mut self, target: &Place, value: Ranged, scope: &mut Scope) -> Translate<()> {
        if let Some(address) = target.fixed() {
            return self.write(address, value, scope);
        }
        let region = target.base.region;
        for (offset, condition) in self.candidates(target.base.offset, &target.indices, scope)? {
            let address = Address { region, offset };
            let old = self.cell(address, scope)?;
            let new = match condition {
                Some(condition) => self.choose(condition, value, old),
                None => value,
            };
            self.write(address, new, scope)?;
        }
        Ok(())
    }

    /// Writes a cell on the condition of the path; a local cell that nothing was written to before has any value.
    fn write(&mut self, address: Address, value: Ranged, scope: &mut Scope) -> Translate<()> {
        let new = match (scope.path, self.cell(address, scope)) {
            (Some(path), Ok(old)) => self.choose(path, value, old),
            _ => value,
        };
        scope.cells.insert(address, new);
        Ok(())
    }
}
