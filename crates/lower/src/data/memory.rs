//! Reading objects, and giving constants memory where an index at run time needs it.

use crate::data::object::{Object, Root};
use crate::data::types::Type;
use crate::fold;
use crate::run::lowerer::Lowerer;
use crate::run::report::{Lower, Reported};
use merkhet_network::{
    Address, Cell, ClockId, ClockPlace, Expr, Index, Place, Region, Stmt, Variable, VariableId,
};
use merkhet_syntax::Span;

impl Lowerer<'_> {
    /// The place of an object's first cell.
    pub fn place(&mut self, object: &Object, span: Span) -> Lower<Place> {
        let base = match object.root {
            Root::Memory(address) => address,
            Root::Constant { id, offset } => self.materialise(id, span)?.plus(offset),
        };
        let indices = object
            .indices
            .iter()
            .map(|index| Index {
                value: index.value.clone(),
                stride: index.cells,
                length: index.length,
                site: index.site,
            })
            .collect();
        Ok(Place { base, indices })
    }

    /// The place of a clock.
    pub fn clock_place(&self, object: &Object) -> ClockPlace {
        let indices = object.indices.iter().map(|index| Index {
            value: index.value.clone(),
            stride: index.clocks,
            length: index.length,
            site: index.site,
        });
        ClockPlace {
            base: ClockId(object.clock),
            indices: indices.collect(),
        }
    }

    /// The value of an object of one cell.
    pub fn load(&mut self, mut object: Object, span: Span) -> Lower<Expr> {
        let before = std::mem::take(&mut object.before);
        let value = match object.root {
            Root::Constant { id, offset } if object.indices.is_empty() => {
                let constant = self.tables.constants.get(id as usize);
                let value = constant.and_then(|c| c.values.get(offset as usize));
                Expr::Const(*value.ok_or(Reported)?)
            }
            _ => Expr::Load(self.place(&object, span)?),
        };
        Ok(then(before, value))
    }

    /// The address of a constant's first cell.
    fn materialise(&mut self, id: u32, span: Span) -> Lower<Address> {
        let constant = self.tables.constants.get(id as usize).ok_or(Reported)?;
        let at = |offset| Address {
            region: Region::Constant,
            offset,
        };
        if let Some(offset) = constant.address {
            return Ok(at(offset));
        }
        let constant = constant.clone();
        self.check_room(constant.values.len() as u64, span)?;
        let offset = self.network.constant_cells.len() as u32;
        let variable = VariableId::from(self.network.variables.len());
        let mut ranges = Vec::with_capacity(constant.values.len());
        cell_ranges(&constant.ty, &mut ranges);
        let cells = constant.values.iter().zip(&ranges);
        (self.network.constant_cells).extend(cells.map(|(&initial, &(low, high))| Cell {
            low,
            high,
            initial,
            variable,
        }));
        self.network.variables.push(Variable {
            name: constant.name,
            owner: constant.owner,
            shape: constant.ty.shape().ok_or(Reported)?,
            base: at(offset),
        });
        self.tables.variable_spans.push(constant.span);
        self.tables.constants[id as usize].address = Some(offset);
        self.tables.materialised.push(id);
        Ok(at(offset))
    }

    /// Statements that copy an array or structure, each cell checked where the ranges differ.
    pub fn copy(&mut self, target: &Object, source: &Object, span: Span) -> Lower<Vec<Stmt>> {
        let mut statements = source.before.clone();
        statements.extend(target.before.iter().cloned());
        if target.ty.contains(&source.ty) {
            statements.push(Stmt::Copy {
                target: self.place(target, span)?,
                source: self.place(source, span)?,
                cells: target.ty.cells(),
            });
            return Ok(statements);
        }
        // The source is copied first: the two may overlap.
        let copy = self.temporary(source.ty.clone(), span)?;
        statements.push(Stmt::Copy {
            target: self.place(&copy, span)?,
            source: self.place(source, span)?,
            cells: source.ty.cells(),
        });
        self.copy_cells(target, &copy, span, &mut statements)?;
        Ok(statements)
    }

    fn copy_cells(
        &mut self,
        target: &Object,
        source: &Object,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Lower<()> {
        match target.ty.clone() {
            Type::Array(array) => {
                self.unroll(array.length as u64, span)?;
                let site = self.site(span);
                for k in 0..array.length as i32 {
                    let (Some(to), Some(from)) = (
                        target.clone().nth(Expr::Const(k), site),
                        source.clone().nth(Expr::Const(k), site),
                    ) else {
                        continue;
                    };
                    self.copy_cells(&to, &from, span, out)?;
                }
            }
            Type::Struct(structure) => {
                for field in &structure.fields {
                    if let (Some(to), Some(from)) = (
                        target.clone().field(&field.name),
                        source.clone().field(&field.name),
                    ) {
                        self.copy_cells(&to, &from, span, out)?;
                    }
                }
            }
            ty => {
                let value = self.load(source.clone(), span)?;
                let (low, high) = ty.range().ok_or(Reported)?;
                let value = convert(value, &source.ty, &ty);
                out.push(Stmt::Assign {
                    target: self.place(target, span)?,
                    value,
                    low,
                    high,
                    site: self.site(span),
                });
            }
        }
        Ok(())
    }
}

/// The value after statements.
pub fn then(before: Vec<Stmt>, value: Expr) -> Expr {
    if before.is_empty() {
        return value;
    }
    Expr::Then(before, Box::new(value))
}

/// A value of one cell as one of another type: what is not 0 is `true`.
pub fn convert(value: Expr, from: &Type, to: &Type) -> Expr {
    match to {
        Type::Bool if *from != Type::Bool => fold::boolean(value),
        _ => value,
    }
}

/// The ranges of a type's cells.
pub fn cell_ranges(ty: &Type, into: &mut Vec<(i32, i32)>) {
    match ty {
        Type::Array(array) => {
            let start = into.len();
            if array.length > 0 {
                cell_ranges(&array.element, into);
            }
            let size = into.len() - start;
            for _ in 1..array.length {
                into.extend_from_within(start..start + size);
            }
        }
        Type::Struct(structure) => {
            for field in &structure.fields {
                cell_ranges(&field.ty, into);
            }
        }
        other => into.extend(other.range()),
    }
}
