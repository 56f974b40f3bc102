//! Objects: what a name with its indices and fields denotes, before it is read, written or synchronised over.

use crate::data::types::Type;
use crate::fold;
use merkhet_network::{Address, Expr, SiteId, Stmt};

/// An index that is known at run time only (or a constant one that is out of range: a fault if it is ever used).
#[derive(Clone, PartialEq, Debug)]
pub struct DynamicIndex {
    /// The index.
    pub value: Expr,
    /// The number of elements.
    pub length: u32,
    /// Cells from one element to the next.
    pub cells: u32,
    /// Clocks from one element to the next.
    pub clocks: u32,
    /// Channels from one element to the next.
    pub channels: u32,
    /// Where it stands.
    pub site: SiteId,
}

/// Where the cells of an object are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    /// In memory.
    Memory(Address),
    /// In the table of constants, which get memory only where an index at run time needs it.
    Constant {
        /// Which constant.
        id: u32,
        /// First cell within it.
        offset: u32,
    },
}

/// A variable, clock, channel, array or structure, or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// Its type.
    pub ty: Type,
    /// Its first cell.
    pub root: Root,
    /// Its first clock.
    pub clock: u32,
    /// Its first channel.
    pub channel: u32,
    /// Indices still to be added.
    pub indices: Vec<DynamicIndex>,
    /// Whether it may be assigned to.
    pub mutable: bool,
    /// What has to run before it can be used (a function that returns a structure).
    pub before: Vec<Stmt>,
}

impl Object {
    /// An object in memory without clocks and channels.
    pub fn in_memory(ty: Type, base: Address, mutable: bool) -> Object {
        Object {
            ty,
            root: Root::Memory(base),
            clock: 0,
            channel: 0,
            indices: Vec::new(),
            mutable,
            before: Vec::new(),
        }
    }

    /// The part of it that starts at these numbers of cells, clocks and channels further on.
    fn part(mut self, ty: Type, cells: u64, clocks: u64, channels: u64) -> Object {
        let cells = cells as u32;
        self.root = match self.root {
            Root::Memory(base) => Root::Memory(base.plus(cells)),
            Root::Constant { id, offset } => Root::Constant {
                id,
                offset: offset + cells,
            },
        };
        self.clock += clocks as u32;
        self.channel += channels as u32;
        self.ty = ty;
        self
    }

    /// The field with that name, if it is a structure with one.
    pub fn field(self, name: &str) -> Option<Object> {
        let Type::Struct(structure) = self.ty.clone() else {
            return None;
        };
        let (mut cells, mut clocks, mut channels) = (0, 0, 0);
        for field in &structure.fields {
            if field.name == name {
                return Some(self.part(field.ty.clone(), cells, clocks, channels));
            }
            let counts = field.ty.counts();
            cells += counts.cells;
            clocks += counts.clocks;
            channels += counts.channels;
        }
        None
    }

    /// The element at an index; `None` if it is not an array.
    pub fn element(self, index: Expr, site: SiteId) -> Option<Object> {
        let low = match &self.ty {
            Type::Array(array) => array.low,
            _ => return None,
        };
        self.nth(fold::difference(index, Expr::Const(low), site), site)
    }

    /// The element at a position counted from 0, whatever type indexes the array; `None` if it is not one. A constant
    /// position in range is folded into the base.
    pub fn nth(mut self, position: Expr, site: SiteId) -> Option<Object> {
        let Type::Array(array) = self.ty.clone() else {
            return None;
        };
        let counts = array.element.counts();
        match position {
            Expr::Const(k) if k >= 0 && (k as u32) < array.length => {
                let k = k as u64;
                Some(self.part(
                    array.element.clone(),
                    k * counts.cells,
                    k * counts.clocks,
                    k * counts.channels,
                ))
            }
            value => {
                self.indices.push(DynamicIndex {
                    value,
                    length: array.length,
                    cells: counts.cells as u32,
                    clocks: counts.clocks as u32,
                    channels: counts.channels as u32,
                    site,
                });
                self.ty = array.element.clone();
                Some(self)
            }
        }
    }

    /// What a function that takes it by reference must be specialised to: equal keys, equal code.
    pub fn key(&self, into: &mut Vec<u64>) {
        let (kind, id, offset) = match self.root {
            Root::Memory(address) => (address.region as u64, 0, address.offset),
            Root::Constant { id, offset } => (9, id, offset),
        };
        into.extend([kind, id as u64, offset as u64]);
        into.extend([self.clock as u64, self.channel as u64, self.mutable as u64]);
        into.push(self.indices.len() as u64);
        for index in &self.indices {
            into.extend([index.length, index.cells, index.clocks, index.channels].map(u64::from));
        }
    }
}
