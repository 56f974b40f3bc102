//! Which way a formula or measure goes with the elements of lattice variables.
//!
//! Covering is exact for goals that larger elements keep: if a goal holds for an element, it holds for all larger ones.
//! This reads off expressions whether that is certain. Functions that only return an expression are looked into.

use merkhet_network::{
    Argument, BinaryOp, Direction, Expr, Formula, Network, Place, Quantifier, Region, Stmt, UnaryOp,
};
use rustc_hash::FxHashMap;

/// How a value changes when elements grow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Polarity {
    /// It does not depend on lattice variables.
    Fixed,
    /// It stays or becomes larger (a condition: stays or becomes true).
    Rises,
    /// It stays or becomes smaller.
    Falls,
    /// Nothing is certain.
    Unknown,
}

use Polarity::{Falls, Fixed, Rises, Unknown};

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Rises => Falls,
            Falls => Rises,
            other => other,
        }
    }

    fn and(self, other: Polarity) -> Polarity {
        match (self, other) {
            (Fixed, other) | (other, Fixed) => other,
            (one, other) if one == other => one,
            _ => Unknown,
        }
    }
}

/// The polarity of a formula's truth.
pub fn of_formula(network: &Network, formula: &Formula) -> Polarity {
    match formula {
        Formula::Data(expr) => of_expr(network, expr),
        Formula::Clock(constraint) => {
            let bound = of_expr(network, &constraint.bound);
            if bound == Fixed { Fixed } else { Unknown }
        }
        // More behaviour means fewer deadlocks, and a step may lead into one: nothing is certain.
        Formula::Deadlock if network.lattice_variables.is_empty() => Fixed,
        Formula::Deadlock => Unknown,
        Formula::Not(inner) => of_formula(network, inner).flipped(),
        Formula::And(parts) | Formula::Or(parts) => (parts.iter())
            .map(|part| of_formula(network, part))
            .fold(Fixed, Polarity::and),
    }
}

/// The polarity of an expression's value.
pub fn of_expr(network: &Network, expr: &Expr) -> Polarity {
    let directions = Directions::new(network);
    Reader {
        network,
        directions: &directions,
        depth: 0,
    }
    .expr(expr, &FxHashMap::default())
}

/// The polarity of each cell of the state; empty without lattice variables.
struct Directions(Vec<Polarity>);

impl Directions {
    fn new(network: &Network) -> Directions {
        if network.lattice_variables.is_empty() {
            return Directions(Vec::new());
        }
        let mut cells = vec![Fixed; network.state_cells.len()];
        for variable in &network.lattice_variables {
            let lattice = &network.lattices[variable.lattice as usize];
            for offset in 0..lattice.cells() {
                cells[variable.base as usize + offset] = match &lattice.cellwise {
                    None => Unknown,
                    Some(directions) => match directions[offset] {
                        Direction::Up => Rises,
                        Direction::Down => Falls,
                    },
                };
            }
        }
        Directions(cells)
    }
}

/// Calls are followed so deep.
const MAX_DEPTH: u32 = 16;

#[derive(Clone, Copy)]
struct Reader<'n> {
    network: &'n Network,
    directions: &'n Directions,
    depth: u32,
}

/// What is known of cells of [`Region::Local`].
type Locals = FxHashMap<u32, Polarity>;

impl Reader<'_> {
    fn expr(self, expr: &Expr, locals: &Locals) -> Polarity {
        match expr {
            Expr::Const(_) | Expr::At(..) => Fixed,
            Expr::Load(place) => self.load(place, locals),
            Expr::Unary(op, operand, _) => {
                let inner = self.expr(operand, locals);
                match op {
                    UnaryOp::Negate => inner.flipped(),
                    UnaryOp::Not if self.range(operand).is_some_and(|(low, _)| low >= 0) => {
                        inner.flipped()
                    }
                    _ if inner == Fixed => Fixed,
                    _ => Unknown,
                }
            }
            Expr::Binary(op, left, right, _) => self.binary(*op, left, right, locals),
            // Conditions: a negative number that rises may become 0.
            Expr::And(parts) | Expr::Or(parts) => (parts.iter())
                .map(|part| self.truth(part, locals))
                .fold(Fixed, Polarity::and),
            Expr::Conditional(test, then, otherwise) => match self.expr(test, locals) {
                Fixed => self.expr(then, locals).and(self.expr(otherwise, locals)),
                _ => Unknown,
            },
            Expr::Quantified {
                quantifier,
                variable,
                body,
                ..
            } => {
                let mut inner = locals.clone();
                inner.insert(variable.offset, Fixed);
                match quantifier {
                    Quantifier::Sum => self.expr(body, &inner),
                    _ => self.truth(body, &inner),
                }
            }
            Expr::Call {
                function,
                arguments,
                ..
            } => self.call(function.index(), arguments, locals),
            Expr::Checked { value, .. } => self.expr(value, locals),
            Expr::Then(..) => Unknown,
        }
    }

    fn truth(self, expr: &Expr, locals: &Locals) -> Polarity {
        match self.expr(expr, locals) {
            Fixed => Fixed,
            other if self.range(expr).is_some_and(|(low, _)| low >= 0) => other,
            _ => Unknown,
        }
    }

    fn load(self, place: &Place, locals: &Locals) -> Polarity {
        for index in &place.indices {
            if self.expr(&index.value, locals) != Fixed {
                return Unknown;
            }
        }
        match place.base.region {
            Region::Constant | Region::Meta => Fixed,
            Region::Local if place.indices.is_empty() => {
                locals.get(&place.base.offset).copied().unwrap_or(Unknown)
            }
            Region::Local => Unknown,
            Region::State if self.directions.0.is_empty() => Fixed,
            Region::State => {
                let mut cells = self.cells(place).map(|cell| self.directions.0[cell]);
                let first = cells.next().unwrap_or(Fixed);
                if cells.all(|other| other == first) {
                    first
                } else {
                    Unknown
                }
            }
        }
    }

    /// All cells of the state that a place may stand for, and perhaps some between them.
    fn cells(self, place: &Place) -> impl Iterator<Item = usize> + use<> {
        let reach: usize = (place.indices.iter())
            .map(|index| (index.length.saturating_sub(1) as usize) * index.stride as usize)
            .sum();
        let step = (place.indices.iter())
            .map(|index| index.stride as usize)
            .fold(0, greatest_common_divisor)
            .max(1);
        let base = place.base.offset as usize;
        let end = (base + reach).min(self.network.state_cells.len().saturating_sub(1));
        (base..=end).step_by(step)
    }

    fn binary(self, op: BinaryOp, left: &Expr, right: &Expr, locals: &Locals) -> Polarity {
        use BinaryOp::*;
        let (a, b) = (self.expr(left, locals), self.expr(right, locals));
        if a == Fixed && b == Fixed {
            return Fixed;
        }
        match op {
            Add | Minimum | Maximum => a.and(b),
            Subtract => a.and(b.flipped()),
            Less | LessEqual => a.flipped().and(b),
            Greater | GreaterEqual => a.and(b.flipped()),
            Multiply => match (left.as_const(), right.as_const()) {
                (Some(k), _) => signed(k, b),
                (_, Some(k)) => signed(k, a),
                _ => Unknown,
            },
            Equal | NotEqual => {
                let (value, polarity, constant) = match (left.as_const(), right.as_const()) {
                    (None, Some(k)) => (left, a, k),
                    (Some(k), None) => (right, b, k),
                    _ => return Unknown,
                };
                // At the end of its range, equality is an inequality.
                let equal = match self.range(value) {
                    Some((_, high)) if constant >= high => polarity,
                    Some((low, _)) if constant <= low => polarity.flipped(),
                    _ => return Unknown,
                };
                if op == Equal { equal } else { equal.flipped() }
            }
            _ => Unknown,
        }
    }

    fn call(self, function: usize, arguments: &[Argument], locals: &Locals) -> Polarity {
        let Some(function) = self.network.functions.get(function) else {
            return Unknown;
        };
        let ([Stmt::Return(Some(value))], true) = (&function.body[..], self.depth < MAX_DEPTH)
        else {
            return Unknown;
        };
        let mut inner = Locals::default();
        for ((cell, count), argument) in function.parameters.iter().zip(arguments) {
            match argument {
                Argument::Value(value) if *count == 1 => {
                    inner.insert(cell.offset, self.expr(value, locals));
                }
                _ => return Unknown,
            }
        }
        let deeper = Reader {
            depth: self.depth + 1,
            ..self
        };
        deeper.expr(value, &inner)
    }

    /// The range of an expression's values, where it is plain.
    fn range(self, expr: &Expr) -> Option<(i32, i32)> {
        match expr {
            Expr::Const(value) => Some((*value, *value)),
            Expr::Load(place) if place.base.region == Region::State => {
                let cells = self
                    .cells(place)
                    .map(|cell| &self.network.state_cells[cell]);
                cells
                    .map(|cell| (cell.low, cell.high))
                    .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            }
            Expr::Quantified {
                quantifier: Quantifier::Sum,
                low,
                high,
                body,
                ..
            } => {
                let (least, most) = self.range(body)?;
                let count = i64::from(*high) - i64::from(*low) + 1;
                let count = i32::try_from(count.max(0)).ok()?;
                Some((
                    least.min(0).checked_mul(count)?,
                    most.max(0).checked_mul(count)?,
                ))
            }
            Expr::Call { function, .. } => {
                let function = self.network.functions.get(function.index())?;
                match &function.body[..] {
                    [Stmt::Return(Some(value))] if self.depth < MAX_DEPTH => Reader {
                        depth: self.depth + 1,
                        ..self
                    }
                    .range(value),
                    _ => None,
                }
            }
            Expr::Checked { low, high, .. } => Some((*low, *high)),
            other => other.is_boolean().then_some((0, 1)),
        }
    }
}

fn signed(factor: i32, polarity: Polarity) -> Polarity {
    match factor {
        0 => Fixed,
        1.. => polarity,
        _ => polarity.flipped(),
    }
}

fn greatest_common_divisor(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
