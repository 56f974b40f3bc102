//! What a piece of code reads before it writes it, and what it writes in any case.

use std::collections::BTreeSet;

use merkhet_network::footprint::{CellSet, Footprints};
use merkhet_network::{Address, Argument, Expr, FunctionId, Index, Network, Place, Region, Stmt};

/// Cells of one region, by offset.
pub(super) type Cells = BTreeSet<u32>;

/// The effect of code on the question which values still matter.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    /// Cells that may be read while they still have the value from before.
    pub exposed: Cells,
    /// Cells that are written on every way through.
    pub definite: Cells,
}

/// Computes flows of the cells of one region; remembers those of functions.
pub(super) struct Flows<'n> {
    network: &'n Network,
    region: Region,
    footprints: Footprints<'n>,
    functions: Vec<Option<Flow>>,
}

/// The state of a walk over statements.
#[derive(Clone)]
struct Walk {
    region: Region,
    flow: Flow,
    /// Loops that run at least once: their variables with first and last value.
    loops: Vec<(Address, i32, i32)>,
    /// Cells that are written once the loops around have ended.
    pending: Cells,
    /// What was definite before the first statement that may end the function.
    at_return: Option<Cells>,
}

impl<'n> Flows<'n> {
    pub fn new(network: &'n Network, region: Region) -> Flows<'n> {
        Flows {
            network,
            region,
            footprints: Footprints::new(network),
            functions: vec![None; network.functions.len()],
        }
    }

    /// The cells that an expression may read.
    pub fn reads(&mut self, expr: &Expr) -> Cells {
        cells_of(self.region, &self.footprints.expr(expr).reads).collect()
    }

    /// The cells that statements may read.
    pub fn all_reads(&mut self, statements: &[Stmt]) -> Cells {
        cells_of(self.region, &self.footprints.stmts(statements).reads).collect()
    }

    /// The flow of an update.
    pub fn update(&mut self, statements: &[Stmt]) -> Flow {
        let mut walk = Walk::new(self.region);
        self.statements(statements, &mut walk);
        walk.flow
    }

    /// The flow of a function's body, from call to return. Functions do not recurse.
    fn function(&mut self, id: FunctionId) -> Flow {
        if let Some(Some(flow)) = self.functions.get(id.index()) {
            return flow.clone();
        }
        let Some(function) = self.network.functions.get(id.index()) else {
            return Flow::default();
        };
        let mut walk = Walk::new(self.region);
        self.statements(&function.body, &mut walk);
        let mut flow = walk.flow;
        if let Some(definite) = walk.at_return {
            flow.definite = definite;
        }
        self.functions[id.index()] = Some(flow.clone());
        flow
    }

    fn statements(&mut self, statements: &[Stmt], walk: &mut Walk) {
        for statement in statements {
            if walk.at_return.is_none() && statement.may_return() {
                walk.at_return = Some(walk.flow.definite.clone());
            }
            self.statement(statement, walk);
        }
    }

    fn statement(&mut self, statement: &Stmt, walk: &mut Walk) {
        match statement {
            Stmt::Assign { target, value, .. } => {
                self.expression(value, walk);
                self.indices(&target.indices, walk);
                walk.write(target, 1);
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => {
                self.place(source, *cells, walk);
                self.indices(&target.indices, walk);
                walk.write(target, *cells);
            }
            Stmt::Evaluate(expr) | Stmt::Return(Some(expr)) => self.expression(expr, walk),
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                self.expression(condition, walk);
                let mut other = walk.clone();
                self.statements(then, walk);
                self.statements(otherwise, &mut other);
                walk.meet(other);
            }
            Stmt::While {
                condition,
                body,
                test_first,
                ..
            } => {
                let mut inner = walk.clone();
                if *test_first {
                    self.expression(condition, &mut inner);
                }
                self.statements(body, &mut inner);
                self.expression(condition, &mut inner);
                // The body may not run, or not to its end before it runs again: only its reads count.
                walk.flow.exposed = inner.flow.exposed;
            }
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } if low <= high => {
                walk.loops.push((*variable, *low, *high));
                self.statements(body, walk);
                walk.loops.pop();
                if walk.loops.is_empty() {
                    walk.flow.definite.append(&mut walk.pending);
                }
            }
            other => {
                let reads = self.footprints.stmts(std::slice::from_ref(other)).reads;
                walk.read(cells_of(self.region, &reads));
            }
        }
    }

    fn indices(&mut self, indices: &[Index], walk: &mut Walk) {
        for index in indices {
            self.expression(&index.value, walk);
        }
    }

    fn place(&mut self, place: &Place, cells: u32, walk: &mut Walk) {
        if place.base.region != self.region {
            return self.indices(&place.indices, walk);
        }
        let copy = Stmt::Copy {
            target: Place::cell(Address {
                region: Region::Local,
                offset: 0,
            }),
            source: place.clone(),
            cells,
        };
        let reads = self.footprints.stmts(std::slice::from_ref(&copy)).reads;
        walk.read(cells_of(self.region, &reads));
    }

    fn expression(&mut self, expr: &Expr, walk: &mut Walk) {
        match expr {
            Expr::Const(_) => {}
            Expr::Call {
                function,
                arguments,
                ..
            } => {
                for argument in arguments {
                    match argument {
                        Argument::Value(value) => self.expression(value, walk),
                        Argument::Copy(place, cells) => self.place(place, *cells, walk),
                    }
                }
                let flow = self.function(*function);
                walk.read(flow.exposed.into_iter());
                walk.flow.definite.extend(flow.definite);
            }
            Expr::Then(statements, value) => {
                self.statements(statements, walk);
                self.expression(value, walk);
            }
            Expr::Checked { value, .. } => self.expression(value, walk),
            // What other expressions call may depend on what they find: their writes are not counted on.
            other => {
                let reads = self.footprints.expr(other).reads;
                walk.read(cells_of(self.region, &reads));
            }
        }
    }
}

impl Walk {
    fn new(region: Region) -> Walk {
        Walk {
            region,
            flow: Flow::default(),
            loops: Vec::new(),
            pending: Cells::new(),
            at_return: None,
        }
    }

    fn read(&mut self, cells: impl Iterator<Item = u32>) {
        let Flow { exposed, definite } = &mut self.flow;
        exposed.extend(cells.filter(|cell| !definite.contains(cell)));
    }

    fn write(&mut self, target: &Place, cells: u32) {
        if target.base.region != self.region {
            return;
        }
        let mut starts = vec![target.base.offset];
        for index in &target.indices {
            // An index that is a variable of a loop around takes all of its values by the end of the loop.
            let Some((low, high)) = self.range_of(&index.value) else {
                return;
            };
            if low < 0 || high >= index.length as i32 || starts.len() as i64 > MOST_CELLS {
                return;
            }
            let values = low as u32..=high as u32;
            let step = |start: &u32| {
                let start = *start;
                values
                    .clone()
                    .map(move |value| start + value * index.stride)
            };
            starts = starts.iter().flat_map(step).collect();
        }
        let written = starts.iter().flat_map(|start| *start..start + cells);
        match target.indices.is_empty() {
            true => self.flow.definite.extend(written),
            false => self.pending.extend(written),
        }
    }

    fn range_of(&self, index: &Expr) -> Option<(i32, i32)> {
        match index {
            Expr::Checked { value, .. } => self.range_of(value),
            Expr::Load(place) => {
                let address = place.fixed()?;
                let found = self.loops.iter().find(|(at, ..)| *at == address);
                found.map(|(_, low, high)| (*low, *high))
            }
            _ => None,
        }
    }

    /// Goes on after two branches.
    fn meet(&mut self, other: Walk) {
        self.flow.exposed.extend(other.flow.exposed);
        self.flow
            .definite
            .retain(|c| other.flow.definite.contains(c));
        self.pending.retain(|cell| other.pending.contains(cell));
    }
}

/// Larger arrays are not followed cell by cell.
const MOST_CELLS: i64 = 1 << 16;

fn cells_of(region: Region, cells: &CellSet) -> impl Iterator<Item = u32> + '_ {
    let inside = move |cell: Address| (cell.region == region).then_some(cell.offset);
    cells.iter().filter_map(inside)
}
