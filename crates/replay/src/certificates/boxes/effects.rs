//! Which code changes nothing that outlasts it: what is read twice here, or in some states only, must be such code.

use std::collections::HashMap;

use merkhet_network::visit::{Visitor, walk_expr, walk_stmts};
use merkhet_network::{Address, ClockPlace, Expr, FunctionId, Index, Network, Place, Region};

/// What is known of the functions of a network.
pub(super) struct Effects {
    /// By function: whether a call may change what the caller sees.
    impure: Vec<bool>,
}

impl Effects {
    pub fn new(network: &Network) -> Effects {
        let mut mentions = Mentions::default();
        for (number, function) in network.functions.iter().enumerate() {
            mentions.function = number;
            walk_stmts(&mut mentions, &function.body);
        }
        let mut effects = Effects {
            impure: vec![false; network.functions.len()],
        };
        // A function that calls an impure one is impure: until nothing changes.
        loop {
            let mut changed = false;
            for (number, function) in network.functions.iter().enumerate() {
                if effects.impure[number] {
                    continue;
                }
                let mut finder = Finder {
                    effects: &effects,
                    own: Some(&mentions.by),
                    found: false,
                };
                walk_stmts(&mut finder, &function.body);
                if finder.found {
                    effects.impure[number] = true;
                    changed = true;
                }
            }
            if !changed {
                return effects;
            }
        }
    }

    /// Whether the evaluation of an expression changes nothing but locals of the functions that it calls.
    pub fn are_none(&self, expr: &Expr) -> bool {
        let mut finder = Finder {
            effects: self,
            own: None,
            found: false,
        };
        finder.expr(expr);
        !finder.found
    }
}

/// The locals that each function mentions: of those that several do, one lends them to another by reference.
#[derive(Default)]
struct Mentions {
    function: usize,
    /// The only function that mentions a local; `None` where there are several.
    by: HashMap<Address, Option<usize>>,
}

impl Mentions {
    fn mention(&mut self, place: &Place, cells: u32) {
        for index in &place.indices {
            self.expr(&index.value);
        }
        let function = self.function;
        for cell in reach(place, cells) {
            let known = self.by.entry(cell).or_insert(Some(function));
            *known = known.filter(|known| *known == function);
        }
    }
}

/// The locals that a place may stand for.
fn reach(place: &Place, cells: u32) -> impl Iterator<Item = Address> + use<'_> {
    let beyond = |index: &Index| index.length.saturating_sub(1) * index.stride;
    let last = place.indices.iter().map(beyond).sum::<u32>() + cells.max(1);
    let local = place.base.region == Region::Local;
    (0..last).filter(move |_| local).map(|k| place.base.plus(k))
}

impl Visitor for Mentions {
    fn read(&mut self, place: &Place, cells: u32) {
        self.mention(place, cells);
    }

    fn write(&mut self, place: &Place, cells: u32) {
        self.mention(place, cells);
    }
}

/// Looks for what outlasts the code.
struct Finder<'e> {
    effects: &'e Effects,
    /// For the body of a function: it may write the locals that it alone mentions.
    own: Option<&'e HashMap<Address, Option<usize>>>,
    found: bool,
}

impl Visitor for Finder<'_> {
    fn expr(&mut self, expr: &Expr) {
        match expr {
            // The variable of a quantifier is seen by its body only.
            Expr::Quantified { body, .. } => self.expr(body),
            _ => walk_expr(self, expr),
        }
    }

    fn write(&mut self, place: &Place, cells: u32) {
        for index in &place.indices {
            self.expr(&index.value);
        }
        let own = self.own.is_some_and(|own| {
            let alone = |cell: Address| own.get(&cell).is_none_or(Option::is_some);
            place.base.region == Region::Local && reach(place, cells).all(alone)
        });
        self.found |= !own;
    }

    fn reset(&mut self, _: &ClockPlace) {
        self.found = true;
    }

    fn call(&mut self, function: FunctionId) {
        let impure = self.effects.impure.get(function.index());
        self.found |= impure.copied().unwrap_or(true);
    }
}
