//! A lattice written in Rust that models import: which signs a number may have.
//!
//! The fields and methods are in the models' language; the order (fewer signs below more) and the join (all signs of
//! either) are Rust. `extern Signs;` in a model finds it once it is given to [`Model::read_with`].

use merkhet::lattice::{Lattice, ModelLattice, external};
use merkhet::{Answer, Config, Failure, Model, check};

/// The signs that a number may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signs {
    negative: bool,
    zero: bool,
    positive: bool,
}

impl Lattice for Signs {
    fn less_or_equal(&self, other: &Self) -> bool {
        self.negative <= other.negative
            && self.zero <= other.zero
            && self.positive <= other.positive
    }

    fn join(&mut self, other: &Self) -> bool {
        let before = *self;
        self.negative |= other.negative;
        self.zero |= other.zero;
        self.positive |= other.positive;
        *self != before
    }

    fn is_empty(&self) -> bool {
        !(self.negative || self.zero || self.positive)
    }
}

impl ModelLattice for Signs {
    const DECLARATION: &'static str = "
        lattice Signs {
            bool negative;
            bool zero;
            bool positive;
            void start() { negative = false; zero = true; positive = false; }
            void increment() {
                positive = positive || zero;
                zero = negative;
            }
            void decrement() {
                negative = negative || zero;
                zero = positive;
            }
            bool mayBeNegative() { return negative; }
        }";

    fn from_cells(cells: &[i32]) -> Self {
        Signs {
            negative: cells[0] != 0,
            zero: cells[1] != 0,
            positive: cells[2] != 0,
        }
    }

    fn to_cells(&self, cells: &mut [i32]) {
        cells[0] = self.negative.into();
        cells[1] = self.zero.into();
        cells[2] = self.positive.into();
    }
}

/// A number that goes up, and down only after it went up: is it ever negative?
pub const MODEL: &str = include_str!("../counter.model");

/// A number and the set of what happened to it: a lattice in Rust and one of the library as a product.
pub const PRODUCT: &str = "
    extern Signs;
    extern UnionBitVector;
    lattice History { Signs n[1]; UnionBitVector seen[2]; void note(const int i) { seen[i] = 1; } }
    History h;
    process Counter() {
        state Start, Low, High, Error;
        urgent Start;
        init Start;
        trans
            Start -> Low { assign h.n[0].start(); },
            Low -> High { assign h.n[0].increment(), h.note(0); },
            High -> High { assign h.n[0].increment(); },
            High -> Low { assign h.n[0].decrement(), h.note(1); },
            Low -> Error { guard h.n[0].mayBeNegative(); };
    }
    system Counter;
";

/// The answer to a query about [`MODEL`].
pub fn answer(query: &str, config: &Config) -> Result<Answer, String> {
    ask(MODEL, query, config)
}

/// The answer to a query about a model that may use [`Signs`].
pub fn ask(text: &str, query: &str, config: &Config) -> Result<Answer, String> {
    let mut model = Model::read_with("counter.xta", text.as_bytes(), &[external::<Signs>()]);
    let query = model.query(query);
    let (Some(network), Some(query)) = (model.network(), &query.query) else {
        let messages = model.diagnostics.iter().chain(&query.diagnostics);
        return Err(messages.map(|m| m.message.as_str()).collect());
    };
    match check(network, query, config, &mut |_| {}) {
        Ok(report) => Ok(report.answer),
        Err(Failure::Fault { message, .. }) => Err(message),
        Err(other) => Err(format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{PRODUCT, answer, ask};
    use merkhet::{Answer, Config, Update};

    #[test]
    fn a_lattice_in_rust_is_used_by_a_model() {
        for update in [Update::Simple, Update::Cover, Update::Join, Update::Cegar] {
            let config = Config {
                lattice: Some(update),
                check_monotone: true,
                ..Config::default()
            };
            let found = answer("E<> Counter.Error", &config);
            assert_eq!(found, Ok(Answer::Violated), "{update:?}");
            let found = answer("E<> Counter.Low && n.positive", &config);
            assert_eq!(found, Ok(Answer::Satisfied), "{update:?}");
        }
    }

    #[test]
    fn a_lattice_in_rust_is_a_part_of_a_product() {
        for update in [Update::Simple, Update::Cover, Update::Join, Update::Cegar] {
            let config = Config {
                lattice: Some(update),
                check_monotone: true,
                ..Config::default()
            };
            let found = ask(PRODUCT, "E<> Counter.Error", &config);
            assert_eq!(found, Ok(Answer::Violated), "{update:?}");
            let query = "E<> Counter.Low && h.n[0].positive && h.seen[1] == 1";
            assert_eq!(
                ask(PRODUCT, query, &config),
                Ok(Answer::Satisfied),
                "{update:?}"
            );
        }
    }

    #[test]
    fn an_order_in_the_model_cannot_call_one_in_rust() {
        let text = PRODUCT.replace(
            "void note",
            "bool leq(const History &o) { return n[0].leq(o.n[0]); } void join(const History &o) { } void note",
        );
        let error = ask(&text, "E<> Counter.Error", &Config::default()).expect_err("refused");
        assert!(error.contains("leq"), "{error}");
        let text = PRODUCT.replace(
            "void note",
            "bool joinable(const History &o) { return true; } void note",
        );
        let error = ask(&text, "E<> Counter.Error", &Config::default()).expect_err("refused");
        assert!(error.contains("`Signs` is written in Rust"), "{error}");
    }
}
