//! Whether an exchange is an automorphism: the network with everything in its new place reads as it did.
//!
//! The text holds all that has a meaning. Edges, constraints on clocks and vectors of synchronisation are compared as multisets:
//! their order decides nothing but the order in which successors come. The order of statements is kept. A loop over ids goes
//! through them in another order; it is let pass where its rounds do not see each other.
//!
//! By induction over the texts: an expression of a type of ids has, in the state with everything in its new place, the value
//! that the exchange makes of its value; one of plain numbers has its value. So guards hold where they held, updates write what
//! they wrote, and faults arise where they did.

use std::fmt::Write;

use merkhet_network::visit::{Visitor, walk_expr};
use merkhet_network::{
    Address, Argument, BinaryOp, ChannelId, ClockConstraint, ClockId, Expr, Formula, FunctionId,
    Index, Network, Place, Process, ProcessId, Region, Stmt, Sync,
};

use super::commute::Receivers;
use super::pairs::{Pairs, Reason};
use super::types::{Class, Types, offsets};

/// The network and the formulas, as they are.
pub(super) struct Verifier<'n> {
    network: &'n Network,
    formulas: Vec<&'n Formula>,
    receivers: Receivers,
    size: usize,
}

impl<'n> Verifier<'n> {
    pub fn new<'f: 'n>(network: &'n Network, formulas: &[&'f Formula]) -> Verifier<'n> {
        let mut size = 0;
        for process in &network.processes {
            size += 200 * (process.edges.len() + process.locations.len());
        }
        size += 200 * network.functions.len();
        for formula in formulas {
            let mut parts = Parts(0);
            parts.formula(formula);
            size += 20 * parts.0;
        }
        Verifier {
            network,
            formulas: formulas.to_vec(),
            receivers: Receivers::of(network),
            size,
        }
    }

    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// About the number of characters of the text.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether the exchange changes nothing.
    pub fn check(&self, types: &Types, pairs: &Pairs) -> Result<(), Reason> {
        let network = self.network;
        self.data(types, pairs)?;
        self.channels(pairs)?;
        self.receivers.commute(pairs)?;
        let moved = Text {
            types,
            pairs: Some(pairs),
        };
        let kept = Text { types, pairs: None };
        for id in network.process_ids() {
            let there = pairs.process(id);
            let one = moved.process(network.process(id))?;
            let other = kept.process(network.process(there))?;
            self.compare(&one, &other, || format!("{} differs", self.name(id)))?;
        }
        for id in (0..network.functions.len()).map(FunctionId::from) {
            let one = moved.function(network, id)?;
            let other = kept.function(network, pairs.function(id))?;
            let name = &network.functions[id.index()].name;
            self.compare(&one, &other, || format!("the function {name} differs"))?;
        }
        for block in [&network.before_update, &network.after_update] {
            let (one, other) = (moved.block(block)?, kept.block(block)?);
            self.compare(&one, &other, || "the updates of every step differ".into())?;
        }
        let vectors = |text: &Text<'_>| {
            let mut all: Vec<String> = (network.vectors.iter())
                .map(|vector| text.vector(vector))
                .collect();
            all.sort();
            all.concat()
        };
        let (one, other) = (vectors(&moved), vectors(&kept));
        self.compare(&one, &other, || "the synchronisations differ".into())?;
        for formula in &self.formulas {
            let (one, other) = (moved.formula(formula)?, kept.formula(formula)?);
            self.compare(&one, &other, || "the query tells them apart".into())?;
        }
        Ok(())
    }

    fn compare(
        &self,
        one: &str,
        other: &str,
        reason: impl FnOnce() -> String,
    ) -> Result<(), Reason> {
        match one == other {
            true => Ok(()),
            false => Err(reason()),
        }
    }

    fn name(&self, process: ProcessId) -> &str {
        &self.network.process(process).name
    }

    /// Ranges and constants fit.
    fn data(&self, types: &Types, pairs: &Pairs) -> Result<(), Reason> {
        let network = self.network;
        for region in [Region::State, Region::Meta, Region::Constant] {
            for offset in 0..network.cells(region).len() as u32 {
                let address = Address { region, offset };
                let there = pairs.cell(address);
                let cell = &network.cells(region)[offset as usize];
                let Some(other) = network.cells(there.region).get(there.offset as usize) else {
                    return Err("an index leaves its array".into());
                };
                let class = types.cell(address);
                let name = || network.cell_name(address);
                if there.region != region
                    || (cell.low, cell.high) != (other.low, other.high)
                    || types.cell(there) != class
                {
                    return Err(format!("{} has another range", name()));
                }
                // States are packed by ranges, which an initial value outside would widen for this cell alone.
                let inside = (cell.low..=cell.high).contains(&cell.initial);
                if !inside && (there != address || pairs.ids(class).is_some()) {
                    return Err(format!("{} begins outside its range", name()));
                }
                if !fits(pairs, class, cell.low, cell.high) {
                    return Err(format!("{} may hold the id of one only", name()));
                }
                if region == Region::Constant && pairs.value(class, cell.initial) != other.initial {
                    return Err(format!("the constant {} differs", name()));
                }
            }
        }
        let shapes = (pairs.moved_cells())
            .filter(|(cell, _)| cell.region == Region::Local)
            .any(|(cell, other)| {
                other.region != cell.region || types.cell(cell) != types.cell(other)
            });
        match shapes {
            true => Err("local variables differ".into()),
            false => Ok(()),
        }
    }

    fn channels(&self, pairs: &Pairs) -> Result<(), Reason> {
        for (one, other) in pairs.moved_channels() {
            let channel = |id: ChannelId| {
                let channel = &self.network.channels[id.index()];
                (channel.kind, channel.urgent, channel.priority)
            };
            if channel(one) != channel(other) {
                return Err("their channels differ".into());
            }
        }
        for (one, other) in (self.network.process_ids()).map(|id| (id, pairs.process(id))) {
            let priority = |id: ProcessId| self.network.process(id).priority;
            if priority(one) != priority(other) {
                return Err("their priorities differ".into());
            }
        }
        Ok(())
    }
}

/// Whether a range holds both ids of a type or none.
fn fits(pairs: &Pairs, class: Class, low: i32, high: i32) -> bool {
    pairs.ids(class).is_none_or(|(one, other)| {
        let range = low..=high;
        range.contains(&one) == range.contains(&other)
    })
}

/// Prints with everything in its new place, or where it is.
struct Text<'a> {
    types: &'a Types,
    pairs: Option<&'a Pairs>,
}

type Printed = Result<String, Reason>;

impl Text<'_> {
    fn cell(&self, cell: Address) -> Address {
        self.pairs.map_or(cell, |pairs| pairs.cell(cell))
    }

    fn clock(&self, clock: Option<ClockId>) -> i64 {
        let moved = |clock| self.pairs.map_or(clock, |pairs| pairs.clock(clock));
        clock.map_or(-1, |clock| i64::from(moved(clock).0))
    }

    fn value(&self, class: Class, value: i32) -> i32 {
        self.pairs.map_or(value, |pairs| pairs.value(class, value))
    }

    /// A range is the same after the exchange.
    fn range(&self, class: Class, low: i32, high: i32) -> Result<(), Reason> {
        match self.pairs {
            Some(pairs) if !fits(pairs, class, low, high) => {
                Err("a range holds the id of one only".into())
            }
            _ => Ok(()),
        }
    }

    fn is_id(&self, class: Class) -> bool {
        self.pairs.is_some_and(|pairs| pairs.ids(class).is_some())
    }

    fn process(&self, process: &Process) -> Printed {
        let mut text = format!("{} {};", process.initial.0, process.priority);
        for location in &process.locations {
            let invariant = &location.invariant;
            write!(text, "{:?} ", location.kind).expect("a string");
            text += &self.option(invariant.data.as_ref())?;
            text += &self.clocks(&invariant.clocks)?;
            let mut rates = Vec::new();
            for rate in &invariant.rates {
                rates.push(format!(
                    "{}'={} ",
                    self.clock(Some(rate.clock)),
                    self.expr(&rate.value)?
                ));
            }
            rates.sort();
            text += &rates.concat();
            text.push(';');
        }
        let mut edges = Vec::new();
        for edge in &process.edges {
            let sync = match edge.sync {
                Sync::Internal => "tau".to_string(),
                Sync::Send(channel) => format!("{}!", self.channel(channel)),
                Sync::Receive(channel) => format!("{}?", self.channel(channel)),
                Sync::Event(event) => {
                    format!(
                        "@{}",
                        self.pairs.map_or(event, |pairs| pairs.event(event)).0
                    )
                }
            };
            edges.push(format!(
                "{}-{} {} {} {sync} {};",
                edge.source.0,
                edge.target.0,
                self.option(edge.guard.data.as_ref())?,
                self.clocks(&edge.guard.clocks)?,
                self.block(&edge.update)?
            ));
        }
        edges.sort();
        text += &edges.concat();
        Ok(text)
    }

    fn channel(&self, channel: ChannelId) -> u32 {
        self.pairs.map_or(channel, |pairs| pairs.channel(channel)).0
    }

    fn vector(&self, vector: &merkhet_network::SyncVector) -> String {
        let mut text = String::new();
        for participant in &vector.participants {
            let process = (self.pairs).map_or(participant.process, |pairs| {
                pairs.process(participant.process)
            });
            let event =
                (self.pairs).map_or(participant.event, |pairs| pairs.event(participant.event));
            write!(text, "{}@{}{} ", process.0, event.0, participant.weak).expect("a string");
        }
        text + ";"
    }

    fn function(&self, network: &Network, id: FunctionId) -> Printed {
        let function = &network.functions[id.index()];
        let mut text = String::new();
        for (first, cells) in function.parameters.iter().chain(&function.result) {
            for cell in 0..*cells {
                write!(text, "{:?} ", self.cell(first.plus(cell))).expect("a string");
            }
            text.push(',');
        }
        Ok(text + &self.block(&function.body)?)
    }

    fn formula(&self, formula: &Formula) -> Printed {
        let all = |items: &[Formula], op: &str| -> Printed {
            let mut texts = Vec::new();
            for item in items {
                texts.push(self.formula(item)?);
            }
            texts.sort();
            texts.dedup();
            Ok(format!("({op} {})", texts.join(" ")))
        };
        Ok(match formula {
            Formula::Data(expr) => self.condition(expr)?,
            Formula::Clock(constraint) => self.constraint(constraint)?,
            Formula::Deadlock => "deadlock".into(),
            Formula::Not(inner) => format!("!{}", self.formula(inner)?),
            Formula::And(items) => all(items, "and")?,
            Formula::Or(items) => all(items, "or")?,
        })
    }

    /// An expression of a formula, whose evaluation has no effects: the order of what is joined or added decides nothing but which
    /// fault comes first.
    fn condition(&self, expr: &Expr) -> Printed {
        let (items, op): (Vec<&Expr>, _) = match expr {
            Expr::And(items) => (items.iter().collect(), "and"),
            Expr::Or(items) => (items.iter().collect(), "or"),
            Expr::Binary(BinaryOp::Add, ..) => (terms(expr), "add"),
            Expr::Unary(op, inner, _) => {
                return Ok(format!("({op:?} {})", self.condition(inner)?));
            }
            Expr::Binary(op, left, right, _) => {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                return Ok(format!("({op:?} {left} {right})"));
            }
            _ => return self.expr(expr),
        };
        let mut texts = Vec::new();
        for item in items {
            texts.push(self.condition(item)?);
        }
        texts.sort();
        if op != "add" {
            texts.dedup();
        }
        Ok(format!("({op} {})", texts.join(" ")))
    }

    fn clocks(&self, constraints: &[ClockConstraint]) -> Printed {
        let mut texts = Vec::new();
        for constraint in constraints {
            texts.push(self.constraint(constraint)?);
        }
        texts.sort();
        Ok(texts.concat())
    }

    fn constraint(&self, constraint: &ClockConstraint) -> Printed {
        Ok(format!(
            "[{} {}-{}{}{}]",
            self.option(constraint.condition.as_ref())?,
            self.clock(constraint.left),
            self.clock(constraint.right),
            if constraint.strict { "<" } else { "<=" },
            self.expr(&constraint.bound)?
        ))
    }

    fn option(&self, expr: Option<&Expr>) -> Printed {
        expr.map_or(Ok("-".into()), |expr| self.expr(expr))
    }

    /// Elements of an array: the first one's place, after the exchange, as if all indices were 0. Each element has to be where
    /// the new values of the indices say.
    fn elements(
        &self,
        base: i64,
        indices: &[Index],
        there: impl Fn(u32) -> Option<i64>,
    ) -> Printed {
        let mut text = String::new();
        for index in indices {
            write!(
                text,
                "[{}]*{}<{}",
                self.expr(&index.value)?,
                index.stride,
                index.length
            )
            .expect("a string");
        }
        let Some(pairs) = self.pairs else {
            return Ok(format!("{base}{text}"));
        };
        let classes: Vec<Class> = (indices.iter())
            .map(|index| self.types.node(&index.value))
            .collect();
        for (index, class) in indices.iter().zip(&classes) {
            self.range(*class, 0, index.length as i32 - 1)?;
        }
        let mut first = None;
        for (values, offset) in offsets(indices).ok_or("an array is too large")? {
            let moved = pairs.offset(self.types, indices, &classes, &values);
            let place = there(offset).ok_or("an index leaves its array")?;
            let from = place - i64::from(moved);
            if *first.get_or_insert(from) != from {
                return Err(
                    "an array is used with numbers that are no ids, or with ids of others".into(),
                );
            }
        }
        Ok(format!("{}{text}", first.unwrap_or(base)))
    }

    fn place(&self, place: &Place, cells: u32) -> Printed {
        let region = place.base.region;
        let mut text = format!("{region:?}");
        for cell in 0..cells {
            let base = place.base.plus(cell);
            let there = |offset: u32| {
                let there = self.cell(base.plus(offset));
                (there.region == region).then(|| i64::from(there.offset))
            };
            text += " ";
            text += &match place.indices.is_empty() {
                true => there(0).ok_or("regions differ")?.to_string(),
                false => self.elements(base.offset.into(), &place.indices, there)?,
            };
        }
        Ok(text)
    }

    fn expr(&self, expr: &Expr) -> Printed {
        Ok(match expr {
            Expr::Const(value) => self.value(self.types.node(expr), *value).to_string(),
            Expr::Load(place) => self.place(place, 1)?,
            Expr::At(process, location) => {
                let process = self.pairs.map_or(*process, |pairs| pairs.process(*process));
                format!("{}.{}", process.0, location.0)
            }
            Expr::Unary(op, operand, _) => format!("({op:?} {})", self.expr(operand)?),
            Expr::Binary(op, left, right, _) => {
                format!("({op:?} {} {})", self.expr(left)?, self.expr(right)?)
            }
            Expr::And(items) => format!("(and {})", self.all(items)?),
            Expr::Or(items) => format!("(or {})", self.all(items)?),
            Expr::Conditional(condition, then, otherwise) => format!(
                "({} ? {} : {})",
                self.expr(condition)?,
                self.expr(then)?,
                self.expr(otherwise)?
            ),
            Expr::Quantified {
                quantifier,
                variable,
                low,
                high,
                body,
                ..
            } => {
                let class = self.types.cell(*variable);
                self.range(class, *low, *high)?;
                if self.is_id(class) && !is_plain(body, &mut vec![(*variable, *low, *high)]) {
                    return Err("a quantifier over ids calls functions or calculates".into());
                }
                let variable = self.cell(*variable);
                format!(
                    "({quantifier:?} {variable:?} {low} {high} {})",
                    self.expr(body)?
                )
            }
            Expr::Call {
                function,
                arguments,
                ..
            } => {
                let function = self
                    .pairs
                    .map_or(*function, |pairs| pairs.function(*function));
                let mut text = format!("(call {}", function.0);
                for argument in arguments {
                    text.push(' ');
                    text += &match argument {
                        Argument::Value(value) => self.expr(value)?,
                        Argument::Copy(place, cells) => self.place(place, *cells)?,
                    };
                }
                text + ")"
            }
            Expr::Checked {
                value, low, high, ..
            } => {
                self.range(self.types.node(value), *low, *high)?;
                format!("({} in {low} {high})", self.expr(value)?)
            }
            Expr::Then(statements, value) => {
                format!("({{{}}} {})", self.block(statements)?, self.expr(value)?)
            }
        })
    }

    fn all(&self, items: &[Expr]) -> Printed {
        let mut text = String::new();
        for item in items {
            text += &self.expr(item)?;
            text.push(' ');
        }
        Ok(text)
    }

    fn block(&self, statements: &[Stmt]) -> Printed {
        let mut text = String::new();
        for statement in statements {
            text += &self.statement(statement)?;
            text.push(';');
        }
        Ok(text)
    }

    fn statement(&self, statement: &Stmt) -> Printed {
        Ok(match statement {
            Stmt::Assign {
                target,
                value,
                low,
                high,
                ..
            } => {
                self.range(self.types.node(value), *low, *high)?;
                format!(
                    "{}={} {low} {high}",
                    self.place(target, 1)?,
                    self.expr(value)?
                )
            }
            Stmt::Copy {
                target,
                source,
                cells,
            } => format!(
                "{} copy {}",
                self.place(target, *cells)?,
                self.place(source, *cells)?
            ),
            Stmt::Reset { clock, value, .. } => {
                let there = |offset: u32| Some(self.clock(Some(ClockId(clock.base.0 + offset))));
                let target = match clock.indices.is_empty() {
                    true => self.clock(Some(clock.base)).to_string(),
                    false => self.elements(clock.base.0.into(), &clock.indices, there)?,
                };
                format!("clock {target}={}", self.expr(value)?)
            }
            Stmt::CopyClock {
                target,
                source,
                offset,
            } => format!(
                "clock {}={}+{offset}",
                self.clock(Some(*target)),
                self.clock(Some(*source))
            ),
            Stmt::Evaluate(expr) => self.expr(expr)?,
            Stmt::If {
                condition,
                then,
                otherwise,
            } => format!(
                "if {} {{{}}}{{{}}}",
                self.expr(condition)?,
                self.block(then)?,
                self.block(otherwise)?
            ),
            Stmt::While {
                condition,
                body,
                test_first,
                ..
            } => format!(
                "while {test_first} {} {{{}}}",
                self.expr(condition)?,
                self.block(body)?
            ),
            Stmt::For {
                variable,
                low,
                high,
                body,
                ..
            } => {
                let class = self.types.cell(*variable);
                self.range(class, *low, *high)?;
                if self.is_id(class) && !rounds_are_apart((*variable, *low, *high), body) {
                    return Err("the order of a loop over ids shows".into());
                }
                let variable = self.cell(*variable);
                format!("for {variable:?} {low} {high} {{{}}}", self.block(body)?)
            }
            Stmt::Return(value) => format!("return {}", self.option(value.as_ref())?),
            Stmt::ReturnCopy(place, cells) => format!("return {}", self.place(place, *cells)?),
        })
    }
}

/// Counts expressions.
struct Parts(usize);

impl Parts {
    fn formula(&mut self, formula: &Formula) {
        self.0 += 1;
        match formula {
            Formula::Data(expr) => self.expr(expr),
            Formula::Not(inner) => self.formula(inner),
            Formula::And(items) | Formula::Or(items) => {
                items.iter().for_each(|item| self.formula(item));
            }
            Formula::Clock(_) | Formula::Deadlock => {}
        }
    }
}

impl Visitor for Parts {
    fn expr(&mut self, expr: &Expr) {
        self.0 += 1;
        walk_expr(self, expr);
    }
}

/// What is added up.
fn terms(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Binary(BinaryOp::Add, left, right, _) => {
            let mut all = terms(left);
            all.extend(terms(right));
            all
        }
        _ => vec![expr],
    }
}

/// Whether an expression only looks at cells and compares: it has no effects and no faults. `loops`: variables of quantifiers
/// and loops, with their ranges.
fn is_plain(expr: &Expr, loops: &mut Vec<(Address, i32, i32)>) -> bool {
    use merkhet_network::BinaryOp::*;
    match expr {
        Expr::Const(_) | Expr::At(..) => true,
        Expr::Load(place) => place.indices.iter().all(|index| {
            loops.iter().any(|(variable, low, high)| {
                index.value == Expr::load(*variable)
                    && *low >= 0
                    && i64::from(*high) < i64::from(index.length)
            })
        }),
        Expr::Unary(_, operand, _) => is_plain(operand, loops),
        Expr::Binary(op, left, right, _) => {
            !matches!(op, Divide | Remainder | Power | ShiftLeft | ShiftRight)
                && is_plain(left, loops)
                && is_plain(right, loops)
        }
        Expr::And(items) | Expr::Or(items) => items.iter().all(|item| is_plain(item, loops)),
        Expr::Conditional(condition, then, otherwise) => [condition, then, otherwise]
            .into_iter()
            .all(|part| is_plain(part, loops)),
        Expr::Quantified {
            variable,
            low,
            high,
            body,
            ..
        } => {
            loops.push((*variable, *low, *high));
            let plain = is_plain(body, loops);
            loops.pop();
            plain
        }
        Expr::Call { .. } | Expr::Checked { .. } | Expr::Then(..) => false,
    }
}

/// Whether the rounds of a loop do not see each other: each one assigns elements that the loop's variable is the only index of,
/// and reads of what is assigned that element only.
fn rounds_are_apart(round: (Address, i32, i32), body: &[Stmt]) -> bool {
    let mut written = Vec::new();
    writes(round.0, body, &mut written) && reads(round, body, &written)
}

fn is_element(variable: Address, place: &Place) -> bool {
    match &place.indices[..] {
        [index] => index.value == Expr::load(variable),
        _ => false,
    }
}

fn writes(variable: Address, body: &[Stmt], written: &mut Vec<(Address, u32)>) -> bool {
    body.iter().all(|statement| match statement {
        Stmt::Assign { target, .. } => {
            let Some(index) = target.indices.first() else {
                return false;
            };
            let cells = index.stride.saturating_mul(index.length);
            written.push((target.base, cells));
            is_element(variable, target)
        }
        Stmt::If {
            then, otherwise, ..
        } => writes(variable, then, written) && writes(variable, otherwise, written),
        _ => false,
    })
}

fn reads(round: (Address, i32, i32), body: &[Stmt], written: &[(Address, u32)]) -> bool {
    let fits = |expr: &Expr| is_plain(expr, &mut vec![round]) && sees_own(round.0, expr, written);
    body.iter().all(|statement| match statement {
        Stmt::Assign {
            value, low, high, ..
        } => {
            // What may leave its range is a fault, which one order meets before another.
            let constant = |value: i32| (*low..=*high).contains(&value);
            fits(value) && value.as_const().is_none_or(constant)
        }
        Stmt::If {
            condition,
            then,
            otherwise,
        } => fits(condition) && reads(round, then, written) && reads(round, otherwise, written),
        _ => false,
    })
}

fn sees_own(variable: Address, expr: &Expr, written: &[(Address, u32)]) -> bool {
    struct Sees<'a> {
        variable: Address,
        written: &'a [(Address, u32)],
        fits: bool,
    }
    impl merkhet_network::visit::Visitor for Sees<'_> {
        fn read(&mut self, place: &Place, cells: u32) {
            merkhet_network::visit::walk_indices(self, &place.indices);
            let reach = |index: &Index| index.stride.saturating_mul(index.length);
            let cells = place
                .indices
                .iter()
                .map(reach)
                .fold(cells, u32::saturating_add);
            let touches = |(base, count): &(Address, u32)| {
                base.region == place.base.region
                    && base.offset < place.base.offset.saturating_add(cells)
                    && place.base.offset < base.offset.saturating_add(*count)
            };
            let same = |(base, _): &(Address, u32)| *base == place.base;
            let touched: Vec<_> = self.written.iter().filter(|range| touches(range)).collect();
            self.fits &= touched.is_empty()
                || touched.iter().all(|range| same(range)) && is_element(self.variable, place);
        }
    }
    let mut sees = Sees {
        variable,
        written,
        fits: true,
    };
    merkhet_network::visit::Visitor::expr(&mut sees, expr);
    sees.fits
}
