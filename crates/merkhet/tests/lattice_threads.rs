//! Covering and joining with several threads, with restarts, and written down in the middle: the same answers, and where the order
//! does not matter the same counts, as with one thread in one go.

use std::io::{self, Read, Write};

use merkhet::{
    Answer, Config, Failure, Joining, Keeper, Limits, Model, Report, Update, check, check_resumable,
};
use merkhet_interop::generate;

fn generated(family: &str, value: u32) -> (Model, merkhet::network::Query) {
    let generator = generate::find(family).expect("a family");
    let written = generator.generate(&[value]).expect("a model");
    asked(&written.text, &written.query.expect("a query"))
}

fn asked(text: &str, query: &str) -> (Model, merkhet::network::Query) {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let query = model.query(query).query.expect("a query");
    (model, query)
}

fn run(model: &Model, query: &merkhet::network::Query, config: &Config) -> Report {
    let network = model.network().expect("a network");
    check(network, query, config, &mut |_| {}).unwrap_or_else(|failure| panic!("{failure:?}"))
}

fn with(update: Option<Update>, joining: Joining, threads: usize) -> Config {
    Config {
        lattice: update,
        joining,
        threads,
        ..Config::default()
    }
}

/// The elements that no other one covers are the same, whoever finds them.
#[test]
fn threads_cover_the_same_elements() {
    for (family, value) in [("lattice-login", 5), ("lattice-database", 8)] {
        let (model, query) = generated(family, value);
        let one = run(
            &model,
            &query,
            &with(Some(Update::Cover), Joining::Model, 1),
        );
        for threads in 2..5 {
            let config = Config {
                certificate: true,
                ..with(Some(Update::Cover), Joining::Model, threads)
            };
            let many = run(&model, &query, &config);
            assert_eq!(many.answer, one.answer, "{family}");
            assert_eq!(many.figures.stored, one.figures.stored, "{family}");
            let proof = many.certificate.as_ref().expect("a certificate");
            let network = model.network().expect("a network");
            assert_eq!(merkhet::replay::certify(network, &query, proof), Ok(()));
        }
    }
}

/// Joins that lead astray are told from those that do not with several threads as with one, and a run that is found exists.
#[test]
fn threads_join_and_refine() {
    let (model, query) = generated("lattice-database", 8);
    let naive = run(&model, &query, &with(Some(Update::Join), Joining::All, 3));
    let reason = naive.reason().expect("a reason");
    assert!(
        reason.contains("to blame is a join at (Session"),
        "{reason}"
    );
    for (update, joining) in [
        (Some(Update::Join), Joining::Model),
        (Some(Update::Cegar), Joining::All),
        (None, Joining::Model),
    ] {
        for threads in [2, 4] {
            let report = run(&model, &query, &with(update, joining, threads));
            assert_eq!(report.answer, Answer::Violated.not(), "{update:?}");
        }
    }
    let text = "
        extern MaxInteger; MaxInteger v; extern UnionBitVector; UnionBitVector s[4];
        process P(const int[0,3] me) { state A, B; init A; trans
            A -> B { guard v.value < 40; assign v = v + 1; }, B -> A { assign s[me] = 1; }; }
        system P;";
    let text = text.replace(
        "guard v.value < 40; assign v = v + 1;",
        "assign v = v < 40 ? v + 1 : 40;",
    );
    let (model, query) = asked(&text, "E<> v >= 30 && s.num1s() == 4 && P(2).B");
    for update in [
        None,
        Some(Update::Cover),
        Some(Update::Join),
        Some(Update::Cegar),
    ] {
        for threads in [2, 3] {
            let report = run(&model, &query, &with(update, Joining::Model, threads));
            assert_eq!(report.answer, Answer::Satisfied, "{:?}", report.reason());
            assert!(report.trace.expect("a run").steps.len() >= 30);
        }
    }
}

trait Not {
    fn not(self) -> Answer;
}

impl Not for Answer {
    /// `A[]` that holds is "satisfied".
    fn not(self) -> Answer {
        match self {
            Answer::Violated => Answer::Satisfied,
            other => other,
        }
    }
}

#[test]
fn limits_hold_for_all_threads_together() {
    let (model, query) = generated("lattice-login", 7);
    for (update, threads) in [
        (Some(Update::Cover), 3),
        (Some(Update::Cegar), 2),
        (None, 2),
    ] {
        let config = Config {
            limits: Limits {
                states: Some(2000),
                ..Limits::default()
            },
            ..with(update, Joining::Model, threads)
        };
        let report = run(&model, &query, &config);
        assert!(report.answer.is_unknown());
        assert!(
            report.figures.explored <= 2000,
            "{}",
            report.figures.explored
        );
        let config = Config {
            limits: Limits {
                memory: Some(1 << 16),
                ..Limits::default()
            },
            ..with(update, Joining::Model, threads)
        };
        let report = run(&model, &query, &config);
        let reason = report.reason().unwrap_or_default();
        assert!(reason.contains("memory"), "{update:?}: {reason}");
    }
}

/// Searches that start anew break ties in another way each time, and end.
#[test]
fn greedy_covering_starts_anew() {
    let (model, query) = generated("lattice-login", 4);
    let config = Config {
        search: Some("greedy".parse().expect("a search")),
        restarts: Some(50),
        ..with(Some(Update::Cover), Joining::Model, 1)
    };
    let report = run(&model, &query, &config);
    assert_eq!(report.answer, Answer::Satisfied);
    let runs = report.schedule.iter().filter(|ran| ran.stage == "search");
    assert!(runs.count() > 2, "{:?}", report.schedule);
}

/// Asks for a checkpoint at every n-th question, and stops the search after the given number of them.
struct Kept {
    every: u32,
    asked: u32,
    saved: Vec<u8>,
    kept: u32,
}

impl Keeper for Kept {
    fn due(&mut self) -> bool {
        self.asked += 1;
        self.asked.is_multiple_of(self.every)
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        self.saved.clear();
        self.kept += 1;
        write(&mut self.saved)
    }

    fn resumed(&mut self) -> io::Result<Option<Box<dyn Read + '_>>> {
        match self.saved.is_empty() {
            true => Ok(None),
            false => Ok(Some(Box::new(&self.saved[..]))),
        }
    }
}

fn in_pieces(
    model: &Model,
    query: &merkhet::network::Query,
    config: &Config,
    states: u64,
) -> Result<(Report, u32), Failure> {
    let network = model.network().expect("a network");
    let mut kept = Kept {
        every: 5,
        asked: 0,
        saved: Vec::new(),
        kept: 0,
    };
    for piece in 1.. {
        let config = Config {
            limits: Limits {
                states: Some(piece * states),
                ..Limits::default()
            },
            ..config.clone()
        };
        let report = check_resumable(network, query, &config, &mut |_| {}, &mut kept)?;
        if !report.answer.is_unknown() || piece > 1000 {
            return Ok((report, kept.kept));
        }
    }
    unreachable!("pieces have an end")
}

#[test]
fn a_search_in_pieces_is_the_same_search() {
    for (family, value, update, joining) in [
        ("lattice-login", 4, Update::Cover, Joining::Model),
        ("lattice-database", 8, Update::Join, Joining::Model),
        ("lattice-database", 6, Update::Cegar, Joining::All),
        ("lattice-leader", 8, Update::Join, Joining::Model),
    ] {
        let (model, query) = generated(family, value);
        let config = with(Some(update), joining, 1);
        let (whole, _) = in_pieces(&model, &query, &config, u64::MAX / 2).expect("a report");
        let (pieces, kept) = in_pieces(&model, &query, &config, 7).expect("a report");
        assert!(kept > 1, "{kept}");
        assert_eq!(
            pieces.answer,
            whole.answer,
            "{family} {:?}",
            pieces.reason()
        );
        let counts = |report: &Report| {
            let figures = &report.figures;
            (figures.explored, figures.stored, figures.transitions)
        };
        assert_eq!(counts(&pieces), counts(&whole), "{family}");
        assert_eq!(pieces.figures.joins, whole.figures.joins, "{family}");
        assert_eq!(pieces.figures.refinements, whole.figures.refinements);
    }
}

/// A damaged checkpoint is an error or another search, and never the end of the program.
#[test]
fn damaged_checkpoints_do_no_harm() {
    let (model, query) = generated("lattice-database", 6);
    let network = model.network().expect("a network");
    let config = Config {
        limits: Limits {
            states: Some(60),
            ..Limits::default()
        },
        ..with(Some(Update::Cegar), Joining::All, 1)
    };
    let mut kept = Kept {
        every: 1000,
        asked: 0,
        saved: Vec::new(),
        kept: 0,
    };
    let report = check_resumable(network, &query, &config, &mut |_| {}, &mut kept);
    assert!(report.expect("a report").answer.is_unknown());
    let good = kept.saved.clone();
    let mut refused = 0;
    for at in 0..400 {
        kept.saved = good.clone();
        match at % 4 {
            0 => kept.saved.truncate(at * good.len() / 400),
            _ => kept.saved[at * good.len() / 400] ^= 0x41,
        }
        if kept.saved.is_empty() {
            continue;
        }
        let report = check_resumable(network, &query, &config, &mut |_| {}, &mut kept);
        refused += usize::from(report.is_err());
    }
    assert!(refused > 150, "{refused} refused");
}

#[test]
fn what_does_not_go_together_is_said() {
    let (model, query) = generated("lattice-database", 6);
    let network = model.network().expect("a network");
    let mut kept = Kept {
        every: 1,
        asked: 0,
        saved: Vec::new(),
        kept: 0,
    };
    for (config, words) in [
        (with(Some(Update::Cover), Joining::Model, 2), "one thread"),
        (
            Config {
                check_monotone: true,
                ..with(Some(Update::Cover), Joining::Model, 1)
            },
            "--check-monotone",
        ),
    ] {
        let refused = check_resumable(network, &query, &config, &mut |_| {}, &mut kept);
        match refused {
            Err(Failure::NotPermitted(why)) => assert!(why.contains(words), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    let config = Config {
        search: Some("greedy".parse().expect("a search")),
        restarts: Some(50),
        ..with(Some(Update::Cover), Joining::Model, 2)
    };
    match check(network, &query, &config, &mut |_| {}) {
        Err(Failure::NotPermitted(why)) => assert!(why.contains("restarts"), "{why}"),
        other => panic!("{other:?}"),
    }
}
