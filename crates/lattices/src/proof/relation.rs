//! How the cells of two states compare when the elements of one are below those of the other.
//!
//! Orders of the library go cell by cell. Of an order that comes with the model the same is read off its code, if it is a
//! conjunction of comparisons of one cell of both elements each. Any other order says nothing of single cells: then
//! elements are tried one by one ([`super::exhaust`]).

use merkhet_network::visit::{Visitor, walk_indices, walk_stmts};
use merkhet_network::{
    Address, Argument, BinaryOp, Direction, Expr, Index, LatticeType, Network, Place, Quantifier,
    Region, Stmt,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::value::Polarity;
use Polarity::{Falls, Fixed, Rises, Unknown};

/// Comparisons that are read off one order.
const MOST_PARTS: usize = 1 << 20;

/// Calls are followed so deep.
const MOST_DEPTH: u32 = 16;

/// For each cell of the state.
pub(crate) struct Relations {
    cells: Vec<Polarity>,
    /// The lattice variable that a cell belongs to, where its order does not go cell by cell.
    opaque: FxHashMap<usize, usize>,
    /// Locals that more than one function touches: one lends them to another by reference.
    lent: FxHashSet<Address>,
}

impl Relations {
    pub fn new(network: &Network) -> Relations {
        let mut relations = Relations {
            cells: vec![Fixed; network.state_cells.len()],
            opaque: FxHashMap::default(),
            lent: lent(network),
        };
        let kinds: Vec<Option<Vec<Polarity>>> = (network.lattices.iter())
            .map(|lattice| cell_by_cell(network, lattice))
            .collect();
        for (index, variable) in network.lattice_variables.iter().enumerate() {
            let cells = network.lattice_cells(variable);
            match &kinds[variable.lattice as usize] {
                Some(polarities) => relations.cells[cells].copy_from_slice(polarities),
                None => {
                    relations.cells[cells.clone()].fill(Unknown);
                    relations.opaque.extend(cells.map(|cell| (cell, index)));
                }
            }
        }
        relations
    }

    /// How the content of a cell changes when elements grow.
    pub fn of(&self, cell: usize) -> Polarity {
        self.cells.get(cell).copied().unwrap_or(Unknown)
    }

    /// Whether a local is lent from one function to another, so that what the one does to it the other sees.
    pub fn is_lent(&self, cell: Address) -> bool {
        self.lent.contains(&cell)
    }

    /// The lattice variable around a cell that can only be compared as a whole.
    pub fn opaque(&self, cell: usize) -> Option<usize> {
        self.opaque.get(&cell).copied()
    }
}

fn lent(network: &Network) -> FxHashSet<Address> {
    let mut touches = Touches {
        function: 0,
        by: FxHashMap::default(),
        lent: FxHashSet::default(),
    };
    for (number, function) in network.functions.iter().enumerate() {
        touches.function = number;
        walk_stmts(&mut touches, &function.body);
    }
    touches.lent
}

/// Which function touches a local first, and which locals several do.
struct Touches {
    function: usize,
    by: FxHashMap<Address, usize>,
    lent: FxHashSet<Address>,
}

impl Touches {
    fn touch(&mut self, place: &Place, cells: u32) {
        walk_indices(self, &place.indices);
        if place.base.region != Region::Local {
            return;
        }
        let reach = |index: &Index| index.length.saturating_sub(1) * index.stride;
        let last = place.indices.iter().map(reach).sum::<u32>() + cells.max(1);
        for offset in 0..last {
            let cell = place.base.plus(offset);
            if *self.by.entry(cell).or_insert(self.function) != self.function {
                self.lent.insert(cell);
            }
        }
    }
}

impl Visitor for Touches {
    fn read(&mut self, place: &Place, cells: u32) {
        self.touch(place, cells);
    }

    fn write(&mut self, place: &Place, cells: u32) {
        self.touch(place, cells);
    }
}

/// The order of each cell, if two elements compare exactly where all their cells do.
pub(crate) fn cell_by_cell(network: &Network, lattice: &LatticeType) -> Option<Vec<Polarity>> {
    if lattice.native.is_some() {
        return None;
    }
    if let Some(directions) = &lattice.cellwise {
        let polarity = |direction: &Direction| match direction {
            Direction::Up => Rises,
            Direction::Down => Falls,
        };
        return Some(directions.iter().map(polarity).collect());
    }
    let mut reader = OrderReader {
        network,
        lattice,
        constants: FxHashMap::default(),
        found: vec![None; lattice.cells()],
        parts: 0,
        depth: 0,
    };
    reader.conjunct(&lattice.leq)?;
    let found = reader.found.into_iter();
    Some(found.map(|cell| cell.unwrap_or(Unknown)).collect())
}

struct OrderReader<'n> {
    network: &'n Network,
    lattice: &'n LatticeType,
    /// Loop variables and parameters.
    constants: FxHashMap<Address, i32>,
    found: Vec<Option<Polarity>>,
    parts: usize,
    depth: u32,
}

impl OrderReader<'_> {
    fn conjunct(&mut self, expr: &Expr) -> Option<()> {
        self.parts += 1;
        if self.parts > MOST_PARTS || self.depth > MOST_DEPTH {
            return None;
        }
        match expr {
            Expr::Const(value) => (*value != 0).then_some(()),
            Expr::And(parts) => parts.iter().try_for_each(|part| self.conjunct(part)),
            Expr::Checked { value, .. } => self.conjunct(value),
            Expr::Quantified {
                quantifier: Quantifier::Forall,
                variable,
                low,
                high,
                body,
                ..
            } => {
                for k in *low..=*high {
                    self.constants.insert(*variable, k);
                    self.conjunct(body)?;
                }
                self.constants.remove(variable);
                Some(())
            }
            Expr::Call {
                function,
                arguments,
                ..
            } => {
                let function = self.network.functions.get(function.index())?;
                let [Stmt::Return(Some(value))] = &function.body[..] else {
                    return None;
                };
                for ((cell, _), argument) in function.parameters.iter().zip(arguments) {
                    let Argument::Value(argument) = argument else {
                        return None;
                    };
                    let argument = self.constant(argument)?;
                    self.constants.insert(*cell, argument);
                }
                self.depth += 1;
                let read = self.conjunct(value);
                self.depth -= 1;
                read
            }
            Expr::Binary(op, left, right, _) => self.comparison(*op, left, right),
            _ => None,
        }
    }

    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<()> {
        let (first, one) = self.part(left)?;
        let (second, other) = self.part(right)?;
        if one != other || first == second {
            return None;
        }
        let rises = match op {
            BinaryOp::LessEqual => first,
            BinaryOp::GreaterEqual => second,
            BinaryOp::Equal => {
                self.found[one] = Some(Fixed);
                return Some(());
            }
            _ => return None,
        };
        let new = if rises { Rises } else { Falls };
        let both = match self.found[one] {
            None => new,
            Some(old) if old == new => new,
            Some(_) => Fixed,
        };
        self.found[one] = Some(both);
        Some(())
    }

    /// Which cell of which element is read: true for the first one.
    fn part(&self, expr: &Expr) -> Option<(bool, usize)> {
        let place = match expr {
            Expr::Load(place) => place,
            Expr::Checked { value, .. } => return self.part(value),
            _ => return None,
        };
        let cell = self.cell(place)?;
        let within = |base: Address| {
            let offset = cell.offset.checked_sub(base.offset)? as usize;
            (cell.region == base.region && offset < self.lattice.cells()).then_some(offset)
        };
        match (within(self.lattice.left), within(self.lattice.right)) {
            (Some(offset), _) => Some((true, offset)),
            (None, Some(offset)) => Some((false, offset)),
            (None, None) => None,
        }
    }

    fn cell(&self, place: &Place) -> Option<Address> {
        let mut offset = 0;
        for index in &place.indices {
            let value = u32::try_from(self.constant(&index.value)?).ok()?;
            if value >= index.length {
                return None;
            }
            offset += value * index.stride;
        }
        Some(place.base.plus(offset))
    }

    fn constant(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Checked {
                value, low, high, ..
            } => self.constant(value).filter(|v| (low..=high).contains(&v)),
            Expr::Load(place) if place.base.region == Region::Local => {
                self.constants.get(&place.fixed()?).copied()
            }
            Expr::Binary(op, left, right, _) => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                merkhet_network::code::arithmetic::binary(*op, left, right).ok()
            }
            _ => None,
        }
    }
}
