//! Proving that larger elements can do what smaller ones can.
//!
//! Covering and joining (algorithms 3 to 5 of Dalsgaard et al. 2011) are right for lattice transition systems only, that
//! is under the monotonicity property of definition 2:
//!
//! > for all s₁, s₂ and ℓ₁, ℓ₂, ℓ′₁: if (s₁, ℓ₁) → (s₂, ℓ₂) and ℓ₁ ⊑ ℓ′₁, then (s₁, ℓ′₁) → (s₂, ℓ′₂) for some ℓ′₂ with
//! > ℓ₂ ⊑ ℓ′₂.
//!
//! A test on pairs that a search meets is no proof: a difference may show two steps later. Here the property is proved
//! from the text of the model, for all pairs of states at once, in the weaker form that the larger element may also stay
//! where it is: (s₂, ℓ₂) ⊑ (s₁, ℓ′₁). Sending a message that is in the pool already may be left out.
//!
//! # What is shown of each edge
//!
//! Write (s, ℓ) ⊑ (s, ℓ′) if ℓ ⊑ ℓ′ for every lattice variable, and let both states have a zone, that of the second one
//! including that of the first one. Then, for each edge:
//!
//! 1. its guard holds at (s, ℓ′) wherever it does at (s, ℓ); its clock bounds permit at least as much;
//! 2. its update gives, from both, equal values of all that is no lattice variable, sets the same clocks to the same
//!    numbers, and leaves the elements ordered;
//! 3. the invariants of all locations permit at least as much to larger elements, and rates do not depend on them;
//! 4. who must take part in a broadcast, what stops time and what has priority does not depend on elements;
//! 5. or, in place of 1: the edge is a loop that nobody takes part in and that sets no clock, and where its guard holds at
//!    (s, ℓ) and fails at (s, ℓ′), its result from (s, ℓ) is below (s, ℓ′).
//!
//! # Why that is enough
//!
//! A transition is made of edges whose guards are read in its source; by 1 and 4 the same edges can be taken from the
//! larger state (or, by 5, none is needed). Updates run one after the other: by 2, used once for each edge, the order is
//! kept to the end. By 3 the targets' invariants hold, and what can be delayed, can be delayed. That is definition 2.
//!
//! By induction over the length n of a run (s₀, ℓ₀) … (sₙ, ℓₙ) of the model: whatever a search by covering or joining
//! stores at its end includes a state above (sₙ, ℓₙ). For n = 0 the initial state is stored, or one above it. For the
//! step let (sₙ, ℓ) with ℓₙ ⊑ ℓ be stored; what is stored was expanded with this element, or with a smaller one before it
//! grew and again after that. So the search has added a state above (sₙ₊₁, ℓₙ₊₁), by definition 2; it dropped it only
//! for one above it, and it only ever replaces elements by larger ones: ⊑ composes along such a chain, since each link
//! is itself one that definition 2 holds of. So a search that ends without the goal proves that no run reaches it,
//! *if larger elements keep the goal*: that is proved of the query in the same way ([`of_formula`]).
//!
//! Faults (an overflow, an index outside its array) end a run. A fault from (s, ℓ) asks for nothing; a fault from
//! (s, ℓ′) is met by the search, which then has no verdict. So no evaluation that fails stands in the way.
//!
//! What is not understood is not proved: then elements are explored one by one. Two methods are tried. The first follows
//! code in two runs at once and notes which values rise, fall or stay (`evaluate`, `execute`); methods of lattices,
//! those of the library too, are read like any other code. The second tries all pairs where few cells are touched
//! (`exhaust`); it is the only one for orders that do not go cell by cell.

mod below;
mod edge;
mod evaluate;
mod execute;
mod exhaust;
mod relation;
mod state;
mod value;

use merkhet_network::print::Labels;
use merkhet_network::{Expr, Formula, Network, SiteId, UnaryOp};

pub use below::Below;
use evaluate::Reader;
use exhaust::Exhaust;
use relation::Relations;
pub(crate) use relation::cell_by_cell;
use state::Memory;
pub use value::Polarity;

/// What stands in the way of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// A clause that names the expression.
    pub what: String,
    /// Where it stands.
    pub site: SiteId,
}

impl Obstacle {
    /// The clause, with the file and the line if they are known.
    pub fn describe(&self, network: &Network) -> String {
        match network.site(self.site) {
            Some(site) if site.line > 0 => format!("{} ({}:{})", self.what, site.file, site.line),
            _ => self.what.clone(),
        }
    }
}

/// Proves that what a smaller element can do in a network, a larger one can do too.
pub fn prove(network: &Network) -> Result<(), Obstacle> {
    if network.lattice_variables.is_empty() {
        return Ok(());
    }
    let relations = Relations::new(network);
    Prover::new(network, &relations).network()
}

/// How the truth of a formula changes when elements grow.
pub fn of_formula(network: &Network, formula: &Formula) -> Polarity {
    let relations = Relations::new(network);
    Prover::new(network, &relations).formula(formula)
}

/// How the value of an expression changes when elements grow.
pub fn of_expr(network: &Network, expr: &Expr) -> Polarity {
    let relations = Relations::new(network);
    Prover::new(network, &relations).value(expr)
}

/// The part of a formula that larger elements may lose.
pub fn lost_by_larger(network: &Network, formula: &Formula) -> Option<Obstacle> {
    let relations = Relations::new(network);
    Prover::new(network, &relations).lost(formula, true)
}

struct Prover<'n> {
    network: &'n Network,
    relations: &'n Relations,
    exhaust: Option<Exhaust<'n>>,
}

impl<'n> Prover<'n> {
    fn new(network: &'n Network, relations: &'n Relations) -> Prover<'n> {
        Prover {
            network,
            relations,
            exhaust: None,
        }
    }

    fn exhaust(&mut self) -> &mut Exhaust<'n> {
        let (network, relations) = (self.network, self.relations);
        (self.exhaust).get_or_insert_with(|| Exhaust::new(network, relations))
    }

    fn value(&mut self, expr: &Expr) -> Polarity {
        let mut reader = Reader::new(self.network, self.relations);
        let value = reader.expr(&mut Memory::default(), expr);
        match reader.lost || reader.effects() > 0 {
            true => Polarity::Unknown,
            false => value.polarity,
        }
    }

    /// How the truth of a condition changes when elements grow.
    fn condition(&mut self, expr: &Expr) -> Polarity {
        match expr {
            Expr::And(parts) | Expr::Or(parts) => (parts.iter())
                .map(|part| self.condition(part))
                .fold(Polarity::Fixed, Polarity::and),
            Expr::Unary(UnaryOp::Not, inner, _) => self.condition(inner).flipped(),
            _ => {
                let mut reader = Reader::new(self.network, self.relations);
                let value = reader.expr(&mut Memory::default(), expr).truth();
                let understood = !reader.lost && reader.effects() == 0;
                match value.polarity {
                    known if understood && known != Polarity::Unknown => known,
                    _ if reader.effects() > 0 => Polarity::Unknown,
                    _ => self.exhaust().condition(expr),
                }
            }
        }
    }

    fn formula(&mut self, formula: &Formula) -> Polarity {
        match formula {
            Formula::Data(expr) => self.condition(expr),
            Formula::Clock(constraint) => {
                if self.is_fixed(constraint) {
                    Polarity::Fixed
                } else {
                    Polarity::Unknown
                }
            }
            // More behaviour means fewer deadlocks, and a step may lead into one: nothing is certain.
            Formula::Deadlock if self.network.lattice_variables.is_empty() => Polarity::Fixed,
            Formula::Deadlock => Polarity::Unknown,
            Formula::Not(inner) => self.formula(inner).flipped(),
            Formula::And(parts) | Formula::Or(parts) => (parts.iter())
                .map(|part| self.formula(part))
                .fold(Polarity::Fixed, Polarity::and),
        }
    }

    /// The smallest part of a formula (or of its negation) that is not kept.
    fn lost(&mut self, formula: &Formula, positive: bool) -> Option<Obstacle> {
        match formula {
            Formula::Not(inner) => self.lost(inner, !positive),
            Formula::And(parts) | Formula::Or(parts) => {
                (parts.iter()).find_map(|part| self.lost(part, positive))
            }
            Formula::Data(expr) => self.lost_expr(expr, positive),
            other => {
                let polarity = self.formula(other);
                let what = match other {
                    Formula::Deadlock => "`deadlock`",
                    _ => "a bound of a clock in the query",
                };
                (!polarity.is_kept()).then(|| Obstacle {
                    what: what.into(),
                    site: SiteId::NONE,
                })
            }
        }
    }

    fn lost_expr(&mut self, expr: &Expr, positive: bool) -> Option<Obstacle> {
        match expr {
            Expr::And(parts) | Expr::Or(parts) => {
                (parts.iter()).find_map(|part| self.lost_expr(part, positive))
            }
            Expr::Unary(UnaryOp::Not, inner, _) => self.lost_expr(inner, !positive),
            _ => {
                let polarity = self.condition(expr);
                let polarity = if positive {
                    polarity
                } else {
                    polarity.flipped()
                };
                (!polarity.is_kept()).then(|| {
                    let text = Labels::new(self.network).expr(expr);
                    let what = match positive {
                        true => format!("`{text}`"),
                        false => format!("`!({text})`"),
                    };
                    Obstacle {
                        what,
                        site: edge::site_of(expr).unwrap_or(SiteId::NONE),
                    }
                })
            }
        }
    }
}
