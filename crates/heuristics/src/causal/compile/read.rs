//! Transitions with what they read and write as compiled code.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use merkhet_network::code::{CodeId, ProgramBuilder};
use merkhet_network::footprint::{Footprint, Footprints};
use merkhet_network::{Expr, Network, Region, Stmt};

use crate::causal::labels::{Label, Taken};
use crate::causal::model::VertexModel;

/// A transition, with compiled code.
pub(in crate::causal) struct ReadLabel {
    /// Process, location before, location after.
    pub moves: Vec<(u32, u16, u16)>,
    /// Conditions on one cell.
    pub single: BTreeMap<u32, Vec<CodeId>>,
    /// Conditions on several cells.
    pub several: Vec<(CodeId, Vec<u32>)>,
    /// For each written cell: the statements that it depends on, and the cells that they read; `None` if those are not
    /// all looked at.
    pub effects: BTreeMap<u32, Option<(CodeId, Vec<u32>)>>,
}

/// Reads transitions.
pub(in crate::causal) struct Reader<'a, 'n> {
    prints: Footprints<'n>,
    builder: &'a mut ProgramBuilder<'n>,
    vertices: &'a [VertexModel],
    processes: u32,
    /// By the address of the expression: labels share their edges.
    conditions: HashMap<*const Expr, Option<(CodeId, Vec<u32>)>>,
    slices: HashMap<Vec<*const Stmt>, CodeId>,
    statements: HashMap<*const Stmt, Footprint>,
}

impl<'a, 'n> Reader<'a, 'n> {
    pub fn new(
        network: &'n Network,
        builder: &'a mut ProgramBuilder<'n>,
        vertices: &'a [VertexModel],
    ) -> Reader<'a, 'n> {
        Reader {
            prints: Footprints::new(network),
            builder,
            vertices,
            processes: network.processes.len() as u32,
            conditions: HashMap::new(),
            slices: HashMap::new(),
            statements: HashMap::new(),
        }
    }

    pub fn label(&mut self, label: &Label<'n>) -> ReadLabel {
        let mut read = ReadLabel {
            moves: Vec::new(),
            single: BTreeMap::new(),
            several: Vec::new(),
            effects: BTreeMap::new(),
        };
        for Taken { process, edge, .. } in &label.edges {
            let (source, target) = (edge.source.0 as u16, edge.target.0 as u16);
            read.moves.push((process.0, source, target));
        }
        for guard in &label.guards {
            match self.condition(guard) {
                Some((code, cells)) if cells.len() == 1 => {
                    read.single.entry(cells[0]).or_default().push(code);
                }
                Some((code, cells)) => read.several.push((code, cells)),
                None => {}
            }
        }
        let prints: Vec<Footprint> = label
            .statements
            .iter()
            .map(|statement| self.statement(statement))
            .collect();
        let mut written: BTreeSet<u32> = BTreeSet::new();
        for print in &prints {
            let cells = print.writes.iter();
            written.extend(
                cells
                    .filter(|cell| cell.region == Region::State)
                    .map(|cell| cell.offset),
            );
        }
        for cell in written {
            let effect = self.slice(label, &prints, cell);
            read.effects.insert(cell, effect);
        }
        read
    }

    fn statement(&mut self, statement: &'n Stmt) -> Footprint {
        let key: *const Stmt = statement;
        if let Some(known) = self.statements.get(&key) {
            return known.clone();
        }
        let found = self.prints.stmts(std::slice::from_ref(statement));
        self.statements.insert(key, found.clone());
        found
    }

    /// The code of a condition with the cells that it reads; `None` if it reads what is not looked at.
    fn condition(&mut self, expr: &'n Expr) -> Option<(CodeId, Vec<u32>)> {
        let key: *const Expr = expr;
        if let Some(known) = self.conditions.get(&key) {
            return known.clone();
        }
        let found = self.prints.expr(expr);
        let cells = self.tracked(&found).filter(|cells| !cells.is_empty());
        let condition = cells.map(|cells| (self.builder.expression(expr), cells));
        self.conditions.insert(key, condition.clone());
        condition
    }

    /// The state cells that code reads, if all of them are looked at and nothing else of the state is read.
    fn tracked(&self, found: &Footprint) -> Option<Vec<u32>> {
        if !found.locations.is_empty() {
            return None;
        }
        let mut cells = Vec::new();
        for cell in found.reads.iter() {
            match cell.region {
                Region::Meta => return None,
                Region::State => {
                    if cells.len() > 16 || !self.tracks(cell.offset) {
                        return None;
                    }
                    cells.push(cell.offset);
                }
                Region::Constant | Region::Local => {}
            }
        }
        Some(cells)
    }

    fn tracks(&self, cell: u32) -> bool {
        self.vertices[(self.processes + cell) as usize].tracked()
    }

    /// The statements that decide a cell's value after the transition.
    fn slice(
        &mut self,
        label: &Label<'n>,
        prints: &[Footprint],
        cell: u32,
    ) -> Option<(CodeId, Vec<u32>)> {
        let mut needed = Footprint::default();
        let target = merkhet_network::Address {
            region: Region::State,
            offset: cell,
        };
        needed.reads.insert(target, 1);
        let mut chosen: Vec<usize> = Vec::new();
        let mut found = Footprint::default();
        for (index, print) in prints.iter().enumerate().rev() {
            if print.writes.intersects(&needed.reads) {
                needed.reads.extend(&print.reads);
                found.extend(print);
                chosen.push(index);
            }
        }
        chosen.reverse();
        let cells = self.tracked(&found)?;
        let key: Vec<*const Stmt> = chosen
            .iter()
            .map(|index| label.statements[*index] as *const Stmt)
            .collect();
        let code = match self.slices.get(&key) {
            Some(code) => *code,
            None => {
                let statements: Vec<Stmt> = chosen
                    .iter()
                    .map(|index| label.statements[*index].clone())
                    .collect();
                let code = self.builder.statements(&statements);
                self.slices.insert(key, code);
                code
            }
        };
        Some((code, cells))
    }
}
