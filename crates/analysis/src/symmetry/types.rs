//! Which cells and constants may hold ids.
//!
//! One type for all that is assigned to each other, compared for equality, passed or returned; plain numbers for what is
//! calculated with, ordered or taken as a truth value. All that one dimension of an array is indexed by has one type.

use std::collections::HashMap;

use merkhet_network::code::Layout;
use merkhet_network::{
    Address, Argument, BinaryOp, ClockConstraint, Expr, Formula, FunctionId, Index, Network, Place,
    Region, Stmt,
};

/// A type, before its representative is looked up.
pub(super) type Class = u32;

/// What holds plain numbers.
const PLAIN: Class = 0;

/// More elements than these are not told apart.
const MOST_ELEMENTS: usize = 1 << 14;

/// Types of cells and of expressions.
#[derive(Clone, Debug)]
pub(super) struct Types {
    layout: Layout,
    /// Union-find.
    parents: Vec<Class>,
    /// By the address of the expression in the network, which does not move meanwhile.
    nodes: HashMap<usize, Class>,
    /// The types of what dimensions of arrays are indexed by: by the first cell of the variable and the cells from one element to
    /// the next.
    dimensions: HashMap<(Address, u32), Class>,
    /// By slot of the memory, the first cell of the variable.
    variables: Vec<Option<Address>>,
    /// The result cell of the function that is being read.
    result: Option<(Address, u32)>,
    too_large: bool,
    unions: usize,
}

fn address_of(expr: &Expr) -> usize {
    std::ptr::from_ref(expr) as usize
}

impl Types {
    /// The types of a network and of formulas; `None` if there are too many elements of arrays.
    pub fn of(network: &Network, formulas: &[&Formula]) -> Option<Types> {
        let layout = Layout::of(network);
        let cells = layout.len() as Class;
        let mut types = Types {
            layout,
            parents: (0..=cells).collect(),
            nodes: HashMap::new(),
            dimensions: HashMap::new(),
            variables: Vec::new(),
            result: None,
            too_large: false,
            unions: 0,
        };
        types.variables = types.variables_of(network);
        for process in &network.processes {
            for location in &process.locations {
                types.plain_option(location.invariant.data.as_ref());
                types.clocks(&location.invariant.clocks);
                let rates = location.invariant.rates.iter();
                rates.for_each(|rate| types.plain(&rate.value));
            }
            for edge in &process.edges {
                types.plain_option(edge.guard.data.as_ref());
                types.clocks(&edge.guard.clocks);
                types.block(&edge.update);
            }
        }
        for function in &network.functions {
            types.result = function.result;
            types.block(&function.body);
        }
        types.result = None;
        // Parameters get their types from calls: those are read once more, now that bodies are known.
        types.block(&network.before_update);
        types.block(&network.after_update);
        types.calls(network);
        for formula in formulas {
            types.formula(network, formula);
        }
        (!types.too_large).then_some(types)
    }

    fn fresh(&mut self) -> Class {
        let class = self.parents.len() as Class;
        self.parents.push(class);
        class
    }

    /// The representative of a type.
    pub fn root(&self, mut class: Class) -> Class {
        while self.parents[class as usize] != class {
            class = self.parents[class as usize];
        }
        class
    }

    /// Makes two types one. Plain numbers stay at the root.
    pub fn unify(&mut self, one: Class, other: Class) -> Class {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        self.parents[high as usize] = low;
        self.unions += usize::from(low != high);
        low
    }

    /// How often two types have become one.
    pub fn unions(&self) -> usize {
        self.unions
    }

    /// Whether what has this type is plain numbers.
    pub fn is_plain(&self, class: Class) -> bool {
        self.root(class) == PLAIN
    }

    /// The type of a cell.
    pub fn cell(&self, cell: Address) -> Class {
        self.root(self.layout.address(cell) as Class + 1)
    }

    /// The type of an expression of the network.
    pub fn node(&self, expr: &Expr) -> Class {
        self.nodes
            .get(&address_of(expr))
            .map_or(PLAIN, |class| self.root(*class))
    }

    /// The cells of the state that have a type.
    pub fn cells_of(&self, network: &Network, class: Class) -> Vec<Address> {
        let class = self.root(class);
        [Region::State, Region::Meta]
            .into_iter()
            .flat_map(|region| {
                (0..network.cells(region).len() as u32)
                    .map(move |offset| Address { region, offset })
            })
            .filter(|cell| self.cell(*cell) == class)
            .collect()
    }

    fn plain(&mut self, expr: &Expr) {
        let class = self.expr(expr);
        self.unify(class, PLAIN);
    }

    fn plain_option(&mut self, expr: Option<&Expr>) {
        expr.into_iter().for_each(|expr| self.plain(expr));
    }

    fn clocks(&mut self, constraints: &[ClockConstraint]) {
        for constraint in constraints {
            self.plain_option(constraint.condition.as_ref());
            self.plain(&constraint.bound);
        }
    }

    fn formula(&mut self, network: &Network, formula: &Formula) {
        match formula {
            Formula::Data(expr) => self.plain(expr),
            Formula::Clock(constraint) => self.clocks(std::slice::from_ref(constraint)),
            Formula::Deadlock => {}
            Formula::Not(inner) => self.formula(network, inner),
            Formula::And(items) | Formula::Or(items) => {
                items.iter().for_each(|item| self.formula(network, item));
            }
        }
        let mut finder = Calls {
            network,
            types: self,
        };
        finder.formula(formula);
    }

    fn variables_of(&self, network: &Network) -> Vec<Option<Address>> {
        let mut variables = vec![None; self.layout.len()];
        let declared = network.variables.iter().map(|v| (v.base, v.shape.cells()));
        let locals = network.locals.iter().map(|v| (v.base, v.shape.cells()));
        for (base, cells) in declared.chain(locals) {
            let first = self.layout.address(base);
            for slot in variables.iter_mut().skip(first).take(cells as usize) {
                *slot = Some(base);
            }
        }
        variables
    }

    /// The type of what a dimension of the array with this cell is indexed by.
    pub fn dimension(&mut self, cell: Address, stride: u32) -> Option<Class> {
        let variable = (*self.variables.get(self.layout.address(cell))?)?;
        if let Some(class) = self.dimensions.get(&(variable, stride)) {
            return Some(*class);
        }
        let class = self.fresh();
        self.dimensions.insert((variable, stride), class);
        Some(class)
    }

    /// The types of consecutive elements of a place, by their position; all of what the indices may mean are one.
    fn place(&mut self, place: &Place, cells: u32) -> Vec<Class> {
        for index in &place.indices {
            let class = self.expr(&index.value);
            if let Some(dimension) = self.dimension(place.base, index.stride) {
                self.unify(class, dimension);
            }
        }
        let Some(offsets) = offsets(&place.indices) else {
            self.too_large = true;
            return vec![PLAIN; cells as usize];
        };
        if offsets.len().saturating_mul(cells as usize) > MOST_ELEMENTS {
            self.too_large = true;
            return vec![PLAIN; cells as usize];
        }
        (0..cells)
            .map(|cell| {
                let mut class = self.cell(place.base.plus(cell));
                for (_, offset) in &offsets {
                    let other = self.cell(place.base.plus(offset + cell));
                    class = self.unify(class, other);
                }
                class
            })
            .collect()
    }

    fn unify_cells(&mut self, one: &Place, other: &Place, cells: u32) {
        let (one, other) = (self.place(one, cells), self.place(other, cells));
        for (one, other) in one.into_iter().zip(other) {
            self.unify(one, other);
        }
    }

    fn expr(&mut self, expr: &Expr) -> Class {
        let class = self.class(expr);
        match self.nodes.get(&address_of(expr)) {
            Some(known) => self.unify(*known, class),
            None => {
                self.nodes.insert(address_of(expr), class);
                class
            }
        }
    }

    fn class(&mut self, expr: &Expr) -> Class {
        match expr {
            Expr::Const(_) => self.fresh(),
            Expr::Load(place) => self.place(place, 1)[0],
            Expr::At(..) => PLAIN,
            Expr::Unary(_, operand, _) => {
                self.plain(operand);
                PLAIN
            }
            Expr::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right, _) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.unify(left, right);
                PLAIN
            }
            Expr::Binary(_, left, right, _) => {
                self.plain(left);
                self.plain(right);
                PLAIN
            }
            Expr::And(items) | Expr::Or(items) => {
                items.iter().for_each(|item| self.plain(item));
                PLAIN
            }
            Expr::Conditional(condition, then, otherwise) => {
                self.plain(condition);
                let (then, otherwise) = (self.expr(then), self.expr(otherwise));
                self.unify(then, otherwise)
            }
            Expr::Quantified { body, .. } => {
                self.plain(body);
                PLAIN
            }
            // The result's type comes with the calls.
            Expr::Call { arguments, .. } => {
                for argument in arguments {
                    match argument {
                        Argument::Value(value) => {
                            self.expr(value);
                        }
                        Argument::Copy(place, cells) => {
                            self.place(place, *cells);
                        }
                    }
                }
                self.fresh()
            }
            Expr::Checked { value, .. } => self.expr(value),
            Expr::Then(statements, value) => {
                self.block(statements);
                self.expr(value)
            }
        }
    }

    fn block(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Assign { target, value, .. } => {
                let (target, value) = (self.place(target, 1)[0], self.expr(value));
                self.unify(target, value);
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => self.unify_cells(target, source, *cells),
            Stmt::Reset { clock, value, .. } => {
                for index in &clock.indices {
                    self.expr(&index.value);
                }
                self.plain(value);
            }
            Stmt::CopyClock { .. } => {}
            Stmt::Evaluate(expr) => {
                self.expr(expr);
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                self.plain(condition);
                self.block(then);
                self.block(otherwise);
            }
            Stmt::While {
                condition, body, ..
            } => {
                self.plain(condition);
                self.block(body);
            }
            Stmt::For { body, .. } => self.block(body),
            Stmt::Return(value) => {
                if let Some(value) = value {
                    let value = self.expr(value);
                    if let Some((result, _)) = self.result {
                        let result = self.cell(result);
                        self.unify(result, value);
                    }
                }
            }
            Stmt::ReturnCopy(place, cells) => match self.result {
                Some((result, _)) => self.unify_cells(&Place::cell(result), place, *cells),
                None => self.too_large = true,
            },
        }
    }

    fn call(&mut self, network: &Network, expr: &Expr) {
        let Expr::Call {
            function,
            arguments,
            ..
        } = expr
        else {
            return;
        };
        let function = &network.functions[function.index()];
        for (argument, (parameter, cells)) in arguments.iter().zip(&function.parameters) {
            match argument {
                Argument::Value(value) => {
                    let (value, parameter) = (self.node(value), self.cell(*parameter));
                    self.unify(value, parameter);
                }
                Argument::Copy(place, _) => {
                    self.unify_cells(&Place::cell(*parameter), place, *cells);
                }
            }
        }
        if let Some((result, _)) = function.result {
            let (node, result) = (self.node(expr), self.cell(result));
            self.unify(node, result);
        }
    }

    fn calls(&mut self, network: &Network) {
        let mut finder = Calls {
            network,
            types: self,
        };
        finder.network();
    }
}

/// The values of indices with the offset of the element, for all that they may mean; `None` if they are too many.
pub(super) fn offsets(indices: &[Index]) -> Option<Vec<(Vec<u32>, u32)>> {
    let mut all = vec![(Vec::new(), 0u32)];
    for index in indices {
        if all.len().saturating_mul(index.length as usize) > MOST_ELEMENTS {
            return None;
        }
        all = (all.iter())
            .flat_map(|(values, offset)| {
                (0..index.length).map(move |value| {
                    let mut values = values.clone();
                    values.push(value);
                    (values, offset + value * index.stride)
                })
            })
            .collect();
    }
    Some(all)
}

/// Unifies arguments with parameters and calls with results.
struct Calls<'a> {
    network: &'a Network,
    types: &'a mut Types,
}

impl Calls<'_> {
    fn network(&mut self) {
        use merkhet_network::visit::{Visitor, walk_stmts};
        let network = self.network;
        for process in &network.processes {
            for location in &process.locations {
                let invariant = &location.invariant;
                invariant.data.iter().for_each(|expr| self.expr(expr));
                self.clocks(&invariant.clocks);
                let rates = invariant.rates.iter();
                rates.for_each(|rate| self.expr(&rate.value));
            }
            for edge in &process.edges {
                edge.guard.data.iter().for_each(|expr| self.expr(expr));
                self.clocks(&edge.guard.clocks);
                walk_stmts(self, &edge.update);
            }
        }
        for function in &network.functions {
            walk_stmts(self, &function.body);
        }
        walk_stmts(self, &network.before_update);
        walk_stmts(self, &network.after_update);
    }

    fn clocks(&mut self, constraints: &[ClockConstraint]) {
        use merkhet_network::visit::Visitor;
        for constraint in constraints {
            constraint.condition.iter().for_each(|expr| self.expr(expr));
            self.expr(&constraint.bound);
        }
    }

    fn formula(&mut self, formula: &Formula) {
        use merkhet_network::visit::Visitor;
        match formula {
            Formula::Data(expr) => self.expr(expr),
            Formula::Clock(constraint) => self.clocks(std::slice::from_ref(constraint)),
            _ => {}
        }
    }
}

impl merkhet_network::visit::Visitor for Calls<'_> {
    fn expr(&mut self, expr: &Expr) {
        merkhet_network::visit::walk_expr(self, expr);
        self.types.call(self.network, expr);
    }

    fn call(&mut self, _function: FunctionId) {}
}
