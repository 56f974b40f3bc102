//! Two processes of the same form side by side: what would change places if they did.

use std::collections::{BTreeMap, BTreeSet};

use merkhet_network::visit::{Visitor, walk_indices, walk_stmts};
use merkhet_network::{
    Address, Argument, ChannelId, ClockConstraint, ClockId, ClockPlace, Edge, EventId, Expr,
    FunctionId, Index, Network, Place, ProcessId, Region, Shape, Stmt, Sync,
};

use super::types::{Class, Types, offsets};

/// Why two processes do not fit.
pub(super) type Reason = String;

/// What goes with the one and with the other, in both directions.
#[derive(Clone, Debug)]
struct Exchange<T> {
    partners: BTreeMap<T, T>,
    /// What goes with the first process.
    own: BTreeSet<T>,
}

impl<T> Default for Exchange<T> {
    fn default() -> Self {
        Exchange {
            partners: BTreeMap::new(),
            own: BTreeSet::new(),
        }
    }
}

impl<T: Copy + Ord> Exchange<T> {
    fn get(&self, one: T) -> T {
        self.partners.get(&one).copied().unwrap_or(one)
    }

    /// Notes a pair; false if one of the two has another partner.
    fn insert(&mut self, one: T, other: T) -> bool {
        let new = !self.partners.contains_key(&one);
        let fits = *self.partners.entry(one).or_insert(other) == other
            && *self.partners.entry(other).or_insert(one) == one;
        if new && one != other {
            self.own.insert(one);
        }
        fits
    }
}

/// An exchange of two processes, and of all that goes with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    processes: Exchange<ProcessId>,
    cells: Exchange<Address>,
    clocks: Exchange<ClockId>,
    channels: Exchange<ChannelId>,
    events: Exchange<EventId>,
    functions: Exchange<FunctionId>,
    /// By type: the id of the first and that of the second.
    values: BTreeMap<Class, (i32, i32)>,
    /// Constants at the same place, with their type.
    constants: Vec<(Class, i32, i32)>,
    /// Places with indices at the same place, and how many elements are meant.
    places: Vec<(Place, Place, u32, Vec<Class>)>,
    clock_places: Vec<(ClockPlace, ClockPlace, Vec<Class>)>,
}

impl Pairs {
    /// Lays two members side by side, which may be made of several processes each. Their types become one.
    pub fn of(
        network: &Network,
        types: &mut Types,
        first: &[ProcessId],
        second: &[ProcessId],
    ) -> Result<Pairs, Reason> {
        let mut zip = Zip {
            network,
            types,
            pairs: Pairs::default(),
            waiting: Vec::new(),
        };
        for (one, other) in first.iter().zip(second) {
            if !zip.pairs.processes.insert(*one, *other) {
                return Err("a process belongs to both".into());
            }
            zip.process(*one, *other)?;
        }
        zip.functions()?;
        let alone = zip.pairs.clone();
        // Copies of an edge for the values of a variable are a guess: one that may be wrong.
        let guessed = zip
            .copies(first[0], second[0])
            .and_then(|()| zip.functions());
        let with_copies = zip.pairs;
        let complete = |mut pairs: Pairs| -> Result<Pairs, Reason> {
            pairs.settle(types)?;
            pairs.close(network, types)?;
            Ok(pairs)
        };
        if guessed.is_ok()
            && let Ok(pairs) = complete(with_copies)
        {
            return Ok(pairs);
        }
        complete(alone)
    }

    /// Once all types are known: which constants are ids, and which elements of arrays change places.
    fn settle(&mut self, types: &Types) -> Result<(), Reason> {
        for (class, one, other) in std::mem::take(&mut self.constants) {
            if one == other {
                continue;
            }
            let class = types.root(class);
            if types.is_plain(class) {
                return Err(format!(
                    "the one has the number {one} where the other has {other}, and it is more than an id that is compared for \
                     equality, passed on and used as an index"
                ));
            }
            let known = *self.values.entry(class).or_insert((one, other));
            if known != (one, other) {
                return Err(format!(
                    "the one has the id {one} where the other has {other}, and {} where it has {}",
                    known.0, known.1
                ));
            }
        }
        for (one, other, cells, classes) in std::mem::take(&mut self.places) {
            for (values, offset) in self.elements(types, &one.indices, &classes)? {
                let there = self.offset(types, &one.indices, &classes, &values);
                for cell in 0..cells {
                    let there = there.checked_add(cell).and_then(|there| {
                        let offset = other.base.offset.checked_add(there)?;
                        Some(Address {
                            offset,
                            ..other.base
                        })
                    });
                    let one = one.base.plus(offset + cell);
                    if there.is_none_or(|there| !self.cells.insert(one, there)) {
                        return Err(
                            "an element of an array would have to change places with two others"
                                .into(),
                        );
                    }
                }
            }
        }
        for (one, other, classes) in std::mem::take(&mut self.clock_places) {
            for (values, offset) in self.elements(types, &one.indices, &classes)? {
                let there = self.offset(types, &one.indices, &classes, &values);
                let one = ClockId(one.base.0 + offset);
                let there = other.base.0.checked_add(there).map(ClockId);
                if there.is_none_or(|there| !self.clocks.insert(one, there)) {
                    return Err("a clock would have to change places with two others".into());
                }
            }
        }
        Ok(())
    }

    /// The elements that indices may mean, with their offsets: those of the first member first, so that they count as its own.
    fn elements(
        &self,
        types: &Types,
        indices: &[Index],
        classes: &[Class],
    ) -> Result<Vec<(Vec<u32>, u32)>, Reason> {
        let mut all = offsets(indices).ok_or("an array is too large")?;
        let own = |values: &Vec<u32>| {
            values.iter().zip(classes).any(|(value, class)| {
                self.ids(types.root(*class))
                    .is_some_and(|(one, _)| one == *value as i32)
            })
        };
        all.sort_by_key(|(values, _)| !own(values));
        Ok(all)
    }

    /// Elements of arrays that are indexed by ids elsewhere change places, too.
    fn close(&mut self, network: &Network, types: &Types) -> Result<(), Reason> {
        let mut places = Places {
            types,
            pairs: self,
            failed: false,
        };
        for id in network.process_ids() {
            if places.pairs.processes.get(id) == id {
                places.process(network.process(id));
            }
        }
        for (id, function) in network.functions.iter().enumerate() {
            if places.pairs.functions.get(id.into()).index() == id {
                walk_stmts(&mut places, &function.body);
            }
        }
        walk_stmts(&mut places, &network.before_update);
        walk_stmts(&mut places, &network.after_update);
        match places.failed {
            true => {
                Err("an element of an array would have to change places with two others".into())
            }
            false => Ok(()),
        }
    }

    /// The offset of the element that the indices mean when ids have changed places.
    pub fn offset(
        &self,
        types: &Types,
        indices: &[Index],
        classes: &[Class],
        values: &[u32],
    ) -> u32 {
        let terms = indices.iter().zip(classes).zip(values);
        terms
            .map(|((index, class), value)| {
                let value = self.value(types.root(*class), *value as i32);
                // Ids beyond the array are found out when the elements are compared.
                u32::try_from(value)
                    .unwrap_or(u32::MAX)
                    .wrapping_mul(index.stride)
            })
            .fold(0, u32::wrapping_add)
    }

    /// Whether the same things go with the first member next to another one, and other things with that one.
    pub fn is_alike(&self, other: &Pairs) -> bool {
        let cells = |cell: &Address| self.cell(*cell) != other.cell(*cell);
        let clocks = |clock: &ClockId| self.clock(*clock) != other.clock(*clock);
        let ids =
            |(class, (one, there)): (&Class, &(i32, i32))| other.value(*class, *one) != *there;
        let first = |pairs: &Pairs| -> Vec<(Class, i32)> {
            (pairs.values.iter())
                .map(|(class, (one, _))| (*class, *one))
                .collect()
        };
        self.cells.own == other.cells.own
            && self.clocks.own == other.clocks.own
            && first(self) == first(other)
            && self.cells.own.iter().all(cells)
            && self.clocks.own.iter().all(clocks)
            && self.values.iter().all(ids)
    }

    pub fn own_cells(&self) -> impl Iterator<Item = Address> {
        self.cells.own.iter().copied()
    }

    pub fn own_clocks(&self) -> impl Iterator<Item = ClockId> {
        self.clocks.own.iter().copied()
    }

    /// The types of ids, with the first and the second one's.
    pub fn values(&self) -> impl Iterator<Item = (Class, i32, i32)> {
        (self.values.iter()).map(|(class, (one, other))| (*class, *one, *other))
    }

    /// Cells that change places.
    pub fn moved_cells(&self) -> impl Iterator<Item = (Address, Address)> {
        (self.cells.partners.iter())
            .map(|(one, other)| (*one, *other))
            .filter(|(one, other)| one != other)
    }

    /// Channels that change places.
    pub fn moved_channels(&self) -> impl Iterator<Item = (ChannelId, ChannelId)> {
        (self.channels.partners.iter())
            .map(|(one, other)| (*one, *other))
            .filter(|(one, other)| one != other)
    }

    pub fn process(&self, process: ProcessId) -> ProcessId {
        self.processes.get(process)
    }

    /// The processes that change places.
    pub fn moved_processes(&self) -> impl Iterator<Item = ProcessId> {
        self.processes.partners.keys().copied()
    }

    /// The processes of the first member.
    pub fn own_processes(&self) -> impl Iterator<Item = ProcessId> {
        self.processes.own.iter().copied()
    }

    pub fn cell(&self, cell: Address) -> Address {
        self.cells.get(cell)
    }

    /// Whether a cell goes with the first member, or with the second.
    pub fn side(&self, cell: Address) -> Option<bool> {
        let partner = self
            .cells
            .partners
            .get(&cell)
            .filter(|other| **other != cell);
        partner.map(|_| self.cells.own.contains(&cell))
    }

    /// As [`Pairs::side`], for clocks.
    pub fn clock_side(&self, clock: ClockId) -> Option<bool> {
        let partner = self
            .clocks
            .partners
            .get(&clock)
            .filter(|other| **other != clock);
        partner.map(|_| self.clocks.own.contains(&clock))
    }

    pub fn clock(&self, clock: ClockId) -> ClockId {
        self.clocks.get(clock)
    }

    pub fn channel(&self, channel: ChannelId) -> ChannelId {
        self.channels.get(channel)
    }

    pub fn event(&self, event: EventId) -> EventId {
        self.events.get(event)
    }

    pub fn function(&self, function: FunctionId) -> FunctionId {
        self.functions.get(function)
    }

    /// What stands for a value of a type (its representative) after the exchange.
    pub fn value(&self, class: Class, value: i32) -> i32 {
        match self.values.get(&class) {
            Some((one, other)) if value == *one => *other,
            Some((one, other)) if value == *other => *one,
            _ => value,
        }
    }

    /// The two ids of a type (its representative).
    pub fn ids(&self, class: Class) -> Option<(i32, i32)> {
        self.values.get(&class).copied()
    }
}

/// Finds places that are indexed by ids, outside the processes that change places.
struct Places<'a> {
    types: &'a Types,
    pairs: &'a mut Pairs,
    failed: bool,
}

impl Places<'_> {
    fn process(&mut self, process: &merkhet_network::Process) {
        for location in &process.locations {
            let invariant = &location.invariant;
            invariant.data.iter().for_each(|expr| self.expr(expr));
            self.clocks(&invariant.clocks);
        }
        for edge in &process.edges {
            edge.guard.data.iter().for_each(|expr| self.expr(expr));
            self.clocks(&edge.guard.clocks);
            walk_stmts(self, &edge.update);
        }
    }

    fn clocks(&mut self, constraints: &[ClockConstraint]) {
        for constraint in constraints {
            constraint.condition.iter().for_each(|expr| self.expr(expr));
            self.expr(&constraint.bound);
        }
    }

    /// The elements that change places, as pairs of offsets.
    fn moved(&mut self, indices: &[Index]) -> Vec<(u32, u32)> {
        let classes: Vec<Class> = (indices.iter())
            .map(|index| self.types.node(&index.value))
            .collect();
        let is_id = |class: &Class| self.pairs.ids(self.types.root(*class)).is_some();
        if !classes.iter().any(is_id) {
            return Vec::new();
        }
        let Ok(all) = self.pairs.elements(self.types, indices, &classes) else {
            self.failed = true;
            return Vec::new();
        };
        (all.into_iter())
            .map(|(values, offset)| {
                let there = self.pairs.offset(self.types, indices, &classes, &values);
                (offset, there)
            })
            .filter(|(offset, there)| offset != there)
            .collect()
    }

    fn cells(&mut self, place: &Place, cells: u32) {
        walk_indices(self, &place.indices);
        for (offset, there) in self.moved(&place.indices) {
            for cell in 0..cells {
                let (one, other) = (offset.wrapping_add(cell), there.wrapping_add(cell));
                let (Some(_), Some(_)) = (
                    place.base.offset.checked_add(one),
                    place.base.offset.checked_add(other),
                ) else {
                    self.failed = true;
                    return;
                };
                let pair = (place.base.plus(one), place.base.plus(other));
                self.failed |= !self.pairs.cells.insert(pair.0, pair.1);
            }
        }
    }
}

impl Visitor for Places<'_> {
    fn read(&mut self, place: &Place, cells: u32) {
        self.cells(place, cells);
    }

    fn write(&mut self, place: &Place, cells: u32) {
        self.cells(place, cells);
    }

    fn reset(&mut self, clock: &ClockPlace) {
        walk_indices(self, &clock.indices);
        for (offset, there) in self.moved(&clock.indices) {
            let base = clock.base.0;
            let (Some(one), Some(other)) = (base.checked_add(offset), base.checked_add(there))
            else {
                self.failed = true;
                return;
            };
            self.failed |= !self.pairs.clocks.insert(ClockId(one), ClockId(other));
        }
    }
}

/// Walks through two trees at once.
struct Zip<'a, 'n> {
    network: &'n Network,
    types: &'a mut Types,
    pairs: Pairs,
    /// Functions that are still to be compared.
    waiting: Vec<(FunctionId, FunctionId)>,
}

/// The number in the name of an instance: `P(3)`, `P3`.
fn number(name: &str) -> Option<i32> {
    let name = name.strip_suffix(')').unwrap_or(name);
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    name[name.len() - digits..].parse().ok()
}

/// The indices of a cell of an array, with the cells from one element to the next.
fn elements(shape: &Shape, offset: u32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let (mut shape, mut offset) = (shape, offset);
    loop {
        match shape {
            Shape::Array { element, .. } => {
                let stride = element.cells().max(1);
                found.push((stride, offset / stride));
                (shape, offset) = (element, offset % stride);
            }
            Shape::Struct { fields } => {
                let mut rest = offset;
                let field = fields.iter().find(|(_, field)| {
                    let here = rest < field.cells();
                    rest -= if here { 0 } else { field.cells() };
                    here
                });
                match field {
                    Some((_, field)) => (shape, offset) = (field, rest),
                    None => return found,
                }
            }
            _ => return found,
        }
    }
}

fn differ() -> Reason {
    "they are written differently".into()
}

/// The two are the same.
fn same<T: PartialEq>(one: T, other: T) -> Result<(), Reason> {
    match one == other {
        true => Ok(()),
        false => Err(differ()),
    }
}

impl<'n> Zip<'_, 'n> {
    fn process(&mut self, one: ProcessId, other: ProcessId) -> Result<(), Reason> {
        let (one, other) = (self.network.process(one), self.network.process(other));
        same(one.locations.len(), other.locations.len())?;
        same(one.edges.len(), other.edges.len())?;
        for (one, other) in one.locations.iter().zip(&other.locations) {
            let (one, other) = (&one.invariant, &other.invariant);
            self.option(one.data.as_ref(), other.data.as_ref())?;
            self.clocks(&one.clocks, &other.clocks)?;
            same(one.rates.len(), other.rates.len())?;
            for (one, other) in one.rates.iter().zip(&other.rates) {
                self.clock(one.clock, other.clock)?;
                self.expr(&one.value, &other.value)?;
            }
        }
        (one.edges.iter().zip(&other.edges)).try_for_each(|(one, other)| self.edge(one, other))
    }

    fn edge(&mut self, one: &Edge, other: &Edge) -> Result<(), Reason> {
        self.option(one.guard.data.as_ref(), other.guard.data.as_ref())?;
        self.clocks(&one.guard.clocks, &other.guard.clocks)?;
        self.block(&one.update, &other.update)?;
        let fits = match (one.sync, other.sync) {
            (Sync::Internal, Sync::Internal) => true,
            (Sync::Send(one), Sync::Send(other)) | (Sync::Receive(one), Sync::Receive(other)) => {
                self.pairs.channels.insert(one, other)
            }
            (Sync::Event(one), Sync::Event(other)) => self.pairs.events.insert(one, other),
            _ => return Err(differ()),
        };
        match fits {
            true => Ok(()),
            false => Err("a channel would have to change places with two others".into()),
        }
    }

    /// Other processes have copies of an edge for each id that they may mean: those of the two are laid side by side.
    fn copies(&mut self, one: ProcessId, other: ProcessId) -> Result<(), Reason> {
        let network = self.network;
        let mut ids: BTreeSet<(i32, i32)> = (self.pairs.constants.iter())
            .filter(|(class, one, other)| one != other && !self.types.is_plain(*class))
            .map(|(_, one, other)| (*one, *other))
            .collect();
        let number = |process: ProcessId| number(&network.process(process).name);
        ids.extend(number(one).zip(number(other)));
        let values =
            |edge: &Edge| -> Vec<i32> { edge.select.iter().map(|(_, value)| *value).collect() };
        for process in network.process_ids() {
            if self.pairs.processes.partners.contains_key(&process) {
                continue;
            }
            let edges = &network.process(process).edges;
            for (own, there) in &ids {
                for edge in edges {
                    let mut selected = values(edge);
                    let once = selected.iter().filter(|value| *value == own).count() == 1;
                    if !once || selected.contains(there) {
                        continue;
                    }
                    let mine = selected.iter_mut().filter(|value| *value == own);
                    mine.for_each(|value| *value = *there);
                    let fits =
                        |other: &&Edge| other.origin == edge.origin && values(other) == selected;
                    if let Some(partner) = edges.iter().find(fits) {
                        self.edge(edge, partner)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn functions(&mut self) -> Result<(), Reason> {
        while let Some((one, other)) = self.waiting.pop() {
            let all: &'n [merkhet_network::Function] = &self.network.functions;
            let (one, other) = (&all[one.index()], &all[other.index()]);
            same(one.parameters.len(), other.parameters.len())?;
            let results = one.result.iter().zip(&other.result);
            same(one.result.is_some(), other.result.is_some())?;
            for ((one, cells), (other, others)) in
                one.parameters.iter().zip(&other.parameters).chain(results)
            {
                same(cells, others)?;
                for cell in 0..*cells {
                    self.cell(one.plus(cell), other.plus(cell))?;
                }
            }
            self.block(&one.body, &other.body)?;
        }
        Ok(())
    }

    fn cell(&mut self, one: Address, other: Address) -> Result<(), Reason> {
        let (a, b) = (self.types.cell(one), self.types.cell(other));
        self.types.unify(a, b);
        self.folded(one, other);
        match self.pairs.cells.insert(one, other) {
            true => Ok(()),
            false => Err(format!(
                "{} would have to change places with two others",
                self.network.cell_name(one)
            )),
        }
    }

    /// Constant indices are folded into the places of cells: different elements of an array stand for different indices.
    fn folded(&mut self, one: Address, other: Address) {
        if one.region != other.region || one.region == Region::Local {
            return;
        }
        let variable = |cell: Address| {
            let cell = self.network.cells(cell.region).get(cell.offset as usize)?;
            Some(cell.variable)
        };
        let (Some(first), Some(second)) = (variable(one), variable(other)) else {
            return;
        };
        let declared = &self.network.variables[first.index()];
        if first != second || one == other {
            return;
        }
        let elements =
            |cell: Address| elements(&declared.shape, cell.offset - declared.base.offset);
        for ((stride, here), (_, there)) in elements(one).into_iter().zip(elements(other)) {
            if let (true, Some(class)) = (here != there, self.types.dimension(one, stride)) {
                let pair = (class, here as i32, there as i32);
                self.pairs.constants.push(pair);
            }
        }
    }

    fn clock(&mut self, one: ClockId, other: ClockId) -> Result<(), Reason> {
        match self.pairs.clocks.insert(one, other) {
            true => Ok(()),
            false => Err(format!(
                "the clock {} would have to change places with two others",
                self.network.clocks[one.index()].name
            )),
        }
    }

    fn indices(&mut self, one: &[Index], other: &[Index]) -> Result<Vec<Class>, Reason> {
        same(one.len(), other.len())?;
        let mut classes = Vec::new();
        for (one, other) in one.iter().zip(other) {
            same((one.stride, one.length), (other.stride, other.length))?;
            self.expr(&one.value, &other.value)?;
            classes.push(self.types.node(&one.value));
        }
        Ok(classes)
    }

    fn place(&mut self, one: &Place, other: &Place, cells: u32) -> Result<(), Reason> {
        same(one.base.region, other.base.region)?;
        let classes = self.indices(&one.indices, &other.indices)?;
        if one.indices.is_empty() {
            return (0..cells)
                .try_for_each(|cell| self.cell(one.base.plus(cell), other.base.plus(cell)));
        }
        for cell in 0..cells {
            let (a, b) = (one.base.plus(cell), other.base.plus(cell));
            let (a, b) = (self.types.cell(a), self.types.cell(b));
            self.types.unify(a, b);
        }
        (self.pairs.places).push((one.clone(), other.clone(), cells, classes));
        Ok(())
    }

    fn clocks(&mut self, one: &[ClockConstraint], other: &[ClockConstraint]) -> Result<(), Reason> {
        same(one.len(), other.len())?;
        for (one, other) in one.iter().zip(other) {
            same(one.strict, other.strict)?;
            for (one, other) in [(one.left, other.left), (one.right, other.right)] {
                match (one, other) {
                    (Some(one), Some(other)) => self.clock(one, other)?,
                    (None, None) => {}
                    _ => return Err(differ()),
                }
            }
            self.option(one.condition.as_ref(), other.condition.as_ref())?;
            self.expr(&one.bound, &other.bound)?;
        }
        Ok(())
    }

    fn option(&mut self, one: Option<&Expr>, other: Option<&Expr>) -> Result<(), Reason> {
        match (one, other) {
            (Some(one), Some(other)) => self.expr(one, other),
            (None, None) => Ok(()),
            _ => Err(differ()),
        }
    }

    fn all(&mut self, one: &[Expr], other: &[Expr]) -> Result<(), Reason> {
        same(one.len(), other.len())?;
        (one.iter().zip(other)).try_for_each(|(one, other)| self.expr(one, other))
    }

    fn expr(&mut self, one: &Expr, other: &Expr) -> Result<(), Reason> {
        let (a, b) = (self.types.node(one), self.types.node(other));
        let class = self.types.unify(a, b);
        match (one, other) {
            (Expr::Const(one), Expr::Const(other)) => {
                self.pairs.constants.push((class, *one, *other));
                Ok(())
            }
            (Expr::Load(one), Expr::Load(other)) => self.place(one, other, 1),
            (Expr::At(one, at), Expr::At(other, there)) => {
                same(at, there)?;
                match self.pairs.processes.get(*one) == *other {
                    true => Ok(()),
                    false => Err(differ()),
                }
            }
            (Expr::Unary(op, one, _), Expr::Unary(others, other, _)) => {
                same(op, others)?;
                self.expr(one, other)
            }
            (Expr::Binary(op, left, right, _), Expr::Binary(others, left2, right2, _)) => {
                same(op, others)?;
                self.expr(left, left2)?;
                self.expr(right, right2)
            }
            (Expr::And(one), Expr::And(other)) | (Expr::Or(one), Expr::Or(other)) => {
                self.all(one, other)
            }
            (Expr::Conditional(a, b, c), Expr::Conditional(d, e, f)) => {
                self.expr(a, d)?;
                self.expr(b, e)?;
                self.expr(c, f)
            }
            (
                Expr::Quantified {
                    quantifier,
                    variable,
                    low,
                    high,
                    body,
                    ..
                },
                Expr::Quantified {
                    quantifier: quantifier2,
                    variable: variable2,
                    low: low2,
                    high: high2,
                    body: body2,
                    ..
                },
            ) => {
                same((quantifier, low, high), (quantifier2, low2, high2))?;
                self.cell(*variable, *variable2)?;
                self.expr(body, body2)
            }
            (
                Expr::Call {
                    function,
                    arguments,
                    ..
                },
                Expr::Call {
                    function: function2,
                    arguments: arguments2,
                    ..
                },
            ) => {
                same(arguments.len(), arguments2.len())?;
                for pair in arguments.iter().zip(arguments2) {
                    match pair {
                        (Argument::Value(one), Argument::Value(other)) => self.expr(one, other)?,
                        (Argument::Copy(one, cells), Argument::Copy(other, others)) => {
                            same(cells, others)?;
                            self.place(one, other, *cells)?;
                        }
                        _ => return Err(differ()),
                    }
                }
                self.call(*function, *function2)
            }
            (
                Expr::Checked {
                    value, low, high, ..
                },
                Expr::Checked {
                    value: value2,
                    low: low2,
                    high: high2,
                    ..
                },
            ) => {
                same((low, high), (low2, high2))?;
                self.expr(value, value2)
            }
            (Expr::Then(one, value), Expr::Then(other, value2)) => {
                self.block(one, other)?;
                self.expr(value, value2)
            }
            _ => Err(differ()),
        }
    }

    fn call(&mut self, one: FunctionId, other: FunctionId) -> Result<(), Reason> {
        let known = self.pairs.functions.partners.contains_key(&one);
        if !self.pairs.functions.insert(one, other) {
            return Err("a function would have to change places with two others".into());
        }
        if !known {
            self.waiting.push((one, other));
        }
        Ok(())
    }

    fn block(&mut self, one: &[Stmt], other: &[Stmt]) -> Result<(), Reason> {
        same(one.len(), other.len())?;
        (one.iter().zip(other)).try_for_each(|(one, other)| self.statement(one, other))
    }

    fn statement(&mut self, one: &Stmt, other: &Stmt) -> Result<(), Reason> {
        match (one, other) {
            (
                Stmt::Assign { target, value, .. },
                Stmt::Assign {
                    target: target2,
                    value: value2,
                    ..
                },
            ) => {
                self.expr(value, value2)?;
                self.place(target, target2, 1)
            }
            (
                Stmt::Copy {
                    target,
                    source,
                    cells,
                },
                Stmt::Copy {
                    target: target2,
                    source: source2,
                    cells: cells2,
                },
            ) => {
                same(cells, cells2)?;
                self.place(source, source2, *cells)?;
                self.place(target, target2, *cells)
            }
            (
                Stmt::Reset { clock, value, .. },
                Stmt::Reset {
                    clock: clock2,
                    value: value2,
                    ..
                },
            ) => {
                self.expr(value, value2)?;
                let classes = self.indices(&clock.indices, &clock2.indices)?;
                if clock.indices.is_empty() {
                    return self.clock(clock.base, clock2.base);
                }
                (self.pairs.clock_places).push((clock.clone(), clock2.clone(), classes));
                Ok(())
            }
            (
                Stmt::CopyClock {
                    target,
                    source,
                    offset,
                },
                Stmt::CopyClock {
                    target: target2,
                    source: source2,
                    offset: offset2,
                },
            ) => {
                same(offset, offset2)?;
                self.clock(*source, *source2)?;
                self.clock(*target, *target2)
            }
            (Stmt::Evaluate(one), Stmt::Evaluate(other)) => self.expr(one, other),
            (
                Stmt::If {
                    condition,
                    then,
                    otherwise,
                },
                Stmt::If {
                    condition: condition2,
                    then: then2,
                    otherwise: otherwise2,
                },
            ) => {
                self.expr(condition, condition2)?;
                self.block(then, then2)?;
                self.block(otherwise, otherwise2)
            }
            (
                Stmt::While {
                    condition, body, ..
                },
                Stmt::While {
                    condition: condition2,
                    body: body2,
                    ..
                },
            ) => {
                self.expr(condition, condition2)?;
                self.block(body, body2)
            }
            (
                Stmt::For {
                    variable,
                    low,
                    high,
                    body,
                    ..
                },
                Stmt::For {
                    variable: variable2,
                    low: low2,
                    high: high2,
                    body: body2,
                    ..
                },
            ) => {
                same((low, high), (low2, high2))?;
                self.cell(*variable, *variable2)?;
                self.block(body, body2)
            }
            (Stmt::Return(one), Stmt::Return(other)) => self.option(one.as_ref(), other.as_ref()),
            (Stmt::ReturnCopy(one, cells), Stmt::ReturnCopy(other, cells2)) => {
                same(cells, cells2)?;
                self.place(one, other, *cells)
            }
            _ => Err(differ()),
        }
    }
}
