//! Random queries for random networks.

use merkhet_network::{
    Address, BinaryOp, ClockConstraint, ClockId, Expr, Extremum, Formula, Measure, Network, Query,
    QueryKind, Region, SiteId,
};

use crate::random::Random;
use crate::random::generate::random_location;
use crate::random::profile::Profile;

/// Queries of all kinds that the profile allows.
pub(crate) fn random_queries(
    network: &Network,
    profile: &Profile,
    random: &mut Random,
) -> Vec<Query> {
    let mut maker = Maker {
        network,
        profile,
        random,
    };
    let mut kinds = Vec::new();
    for _ in 0..profile.queries {
        kinds.push(QueryKind::Possibly(maker.formula(2, Some(true))));
        kinds.push(QueryKind::Invariantly(maker.formula(2, Some(false))));
        kinds.push(QueryKind::PotentiallyAlways(maker.formula(2, None)));
        kinds.push(QueryKind::Eventually(maker.formula(2, None)));
        let from = maker.formula(1, None);
        kinds.push(QueryKind::LeadsTo(from, maker.formula(1, None)));
    }
    kinds.push(QueryKind::Possibly(Formula::Deadlock));
    let other = maker.formula(1, None);
    kinds.push(QueryKind::Possibly(Formula::And(vec![
        Formula::Deadlock,
        other,
    ])));
    kinds.push(QueryKind::Invariantly(Formula::Not(Box::new(
        Formula::Deadlock,
    ))));
    let extremum = [Extremum::Supremum, Extremum::Infimum, Extremum::Both];
    kinds.push(QueryKind::Bounds {
        extremum: extremum[maker.random.below(3)],
        predicate: if maker.random.chance(50) {
            Formula::Data(Expr::TRUE)
        } else {
            maker.formula(1, Some(true))
        },
        measures: maker.measures(),
    });
    kinds
        .into_iter()
        .enumerate()
        .map(|(index, kind)| Query {
            text: format!("query {index}"),
            comment: String::new(),
            kind,
            site: SiteId::NONE,
        })
        .collect()
}

struct Maker<'a> {
    network: &'a Network,
    profile: &'a Profile,
    random: &'a mut Random,
}

impl Maker<'_> {
    fn cell(&mut self) -> Option<Expr> {
        let cells = self.network.state_cells.len();
        if cells == 0 {
            return None;
        }
        Some(Expr::load(Address {
            region: Region::State,
            offset: self.random.below(cells) as u32,
        }))
    }

    fn clock(&mut self) -> Option<ClockId> {
        let clocks: Vec<ClockId> = self.network.clock_ids().collect();
        self.random.pick(&clocks).copied()
    }

    /// A formula. For closed networks it (`Some(true)`) or its negation (`Some(false)`) describes a closed set;
    /// without either it has no clocks there.
    fn formula(&mut self, depth: usize, closed: Option<bool>) -> Formula {
        if depth > 0 && self.random.chance(55) {
            let parts = (0..2).map(|_| self.formula(depth - 1, closed)).collect();
            return match self.random.below(5) {
                0 => {
                    let inner = self.formula(depth - 1, closed.map(|closed| !closed));
                    Formula::Not(Box::new(inner))
                }
                1 | 2 => Formula::Or(parts),
                _ => Formula::And(parts),
            };
        }
        match self.random.below(4) {
            0 => self.clock_formula(closed),
            1 => self.data_formula(),
            _ => None,
        }
        .unwrap_or_else(|| {
            let (process, location) = random_location(self.network, self.random);
            Formula::Data(Expr::At(process, location))
        })
    }

    fn data_formula(&mut self) -> Option<Formula> {
        let cell = self.cell()?;
        let constant = Expr::Const(self.random.between(0, 2));
        let operator = [BinaryOp::Equal, BinaryOp::LessEqual, BinaryOp::NotEqual];
        let operator = operator[self.random.below(3)];
        Some(Formula::Data(Expr::binary(operator, cell, constant)))
    }

    fn clock_formula(&mut self, closed: Option<bool>) -> Option<Formula> {
        let strict = match (self.profile.closed_only, closed) {
            (true, None) => return None,
            (true, Some(closed)) => !closed,
            (false, _) => self.random.chance(50),
        };
        let clock = self.clock()?;
        let mut other = None;
        if self.profile.diagonals && self.random.chance(30) {
            other = self.clock().filter(|other| *other != clock);
        }
        let value = self.random.between(0, self.profile.constant);
        let lower = other.is_none() && self.random.chance(50);
        Some(Formula::Clock(ClockConstraint {
            condition: None,
            left: (!lower).then_some(clock),
            right: if lower { Some(clock) } else { other },
            strict,
            bound: Expr::Const(if lower { -value } else { value }),
            site: SiteId::NONE,
        }))
    }

    fn measures(&mut self) -> Vec<(Measure, String)> {
        let mut measures = Vec::new();
        if let Some(clock) = self.clock() {
            let measure = Measure::Clock {
                left: Some(clock),
                right: None,
            };
            measures.push((measure, format!("x{}", clock.0)));
        }
        if let Some(cell) = self.cell() {
            let sum = Expr::binary(BinaryOp::Add, cell, Expr::Const(1));
            measures.push((Measure::Data(sum), "v + 1".into()));
        }
        measures
    }
}
