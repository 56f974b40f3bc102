//! The models of the paper's examples: verdicts, counts next to the paper's, printing and reading back.

use merkhet::network::print::{normalised, xta};
use merkhet::{Answer, Bound, Config, Joining, Model, Report, Update, check};
use merkhet_interop::generate;

fn generated(family: &str, values: &[u32]) -> (String, String) {
    let generator = generate::find(family).expect("a family");
    let model = generator.generate(values).expect("a model");
    (model.text, model.query.expect("a query"))
}

fn run(text: &str, query: &str, config: &Config) -> Report {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:?}\n{text}", model.diagnostics);
    let query = model.query(query);
    let asked = (query.query.as_ref()).unwrap_or_else(|| panic!("{:?}", query.diagnostics));
    let network = model.network().expect("a network");
    let report = check(network, asked, config, &mut |_| {});
    report.unwrap_or_else(|failure| panic!("{failure:?}\n{text}"))
}

fn with(update: Update, joining: Joining, search: Option<&str>) -> Config {
    Config {
        lattice: Some(update),
        joining,
        search: search.map(|search| search.parse().unwrap()),
        ..Config::default()
    }
}

#[track_caller]
fn explores(family: &str, values: &[u32], config: &Config, answer: Option<bool>, most: u64) {
    let (text, query) = generated(family, values);
    let report = run(&text, &query, config);
    assert_eq!(report.answer.holds(), answer, "{:?}", report.reason());
    let explored = report.figures.explored;
    assert!(
        explored <= most,
        "{explored} states explored, more than {most}"
    );
}

/// Figure 4.
#[test]
fn users_work_alone() {
    let explicit = with(Update::Simple, Joining::Model, None);
    let cover = with(Update::Cover, Joining::Model, Some("bfs"));
    for (users, by_hand, covered) in [(2, 224, 56), (3, 2352, 336), (4, 21952, 1792)] {
        explores("lattice-login", &[users], &explicit, Some(true), by_hand);
        explores("lattice-login", &[users], &cover, Some(true), covered);
    }
}

/// Figure 4 counts transitions: 16·N·7^(N-1) explicitly and 7·N·4^(N-1) by covering. Ours count the initial state as one.
#[test]
fn sessions_have_the_transitions_of_figure_4() {
    for users in 2u32..6 {
        let (text, query) = generated("lattice-sessions", &[users]);
        let others = users - 1;
        for (update, count) in [
            (Update::Simple, u64::from(16 * users * 7u32.pow(others))),
            (Update::Cover, u64::from(7 * users * 4u32.pow(others))),
        ] {
            let report = run(&text, &query, &with(update, Joining::Model, Some("bfs")));
            assert_eq!(report.answer, Answer::Satisfied);
            assert_eq!(report.figures.transitions, count + 1);
        }
    }
}

/// Figure 5.
#[test]
fn the_database_cannot_become_full() {
    let explicit = with(Update::Simple, Joining::Model, None);
    let naive = with(Update::Join, Joining::All, None);
    let refined = with(Update::Join, Joining::Model, None);
    let cegar = with(Update::Cegar, Joining::All, None);
    for (users, by_hand, inconclusive, joined) in [(8, 6312, 51, 787), (9, 14228, 57, 1238)] {
        explores("lattice-database", &[users], &explicit, Some(true), by_hand);
        explores("lattice-database", &[users], &naive, None, inconclusive);
        explores("lattice-database", &[users], &refined, Some(true), joined);
    }
    explores("lattice-database", &[6], &cegar, Some(true), u64::MAX);
    let (text, query) = generated("lattice-database", &[8]);
    let reason = run(&text, &query, &naive).reason().expect("a reason");
    assert!(reason.starts_with("inconclusive"), "{reason}");
    assert!(
        reason.contains("to blame is a join at (Session"),
        "{reason}"
    );
}

/// Figure 6.
#[test]
fn the_agent_with_the_largest_number_is_elected() {
    let explicit = with(Update::Simple, Joining::Model, None);
    let cover = with(Update::Cover, Joining::Model, None);
    let join = with(Update::Join, Joining::Model, None);
    for (agents, by_hand, covered, joined) in [(5, 840, 37, 17), (6, 5760, 58, 23)] {
        explores("lattice-leader", &[agents], &explicit, Some(true), by_hand);
        explores("lattice-leader", &[agents], &cover, Some(true), covered);
        explores("lattice-leader", &[agents], &join, Some(true), joined);
    }
}

/// Section 2.3: one search takes the same time however it is explored.
#[test]
fn a_binary_search_has_a_worst_case_execution_time() {
    worst_case(&[100, 1]);
}

/// With a second search joins forget what the first one left in the cache.
#[test]
fn two_searches_have_a_safe_bound_that_is_refined() {
    let times = worst_case(&[20, 2]);
    assert!(times[2] > times[0], "nothing to refine: {times:?}");
}

fn worst_case(values: &[u32]) -> Vec<i64> {
    let (text, query) = generated("lattice-cache", values);
    let mut times = Vec::new();
    for update in [Update::Simple, Update::Cover, Update::Join, Update::Cegar] {
        let report = run(&text, &query, &with(update, Joining::Model, None));
        assert_eq!(report.answer, Answer::Satisfied);
        match report.values[0].supremum {
            Some(Bound::Reached(time)) => times.push(time),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(times[0], times[1], "covering is exact");
    assert!(times[2] >= times[0], "joining is safe");
    assert_eq!(times[3], times[0], "refinement is exact");
    times
}

/// Section 2.4, the queries in the example's comment.
#[test]
fn zones_are_one_lattice_among_others() {
    let text = include_str!("../../../../examples/lattice/timed.xta");
    let queries: Vec<&str> = (text.lines())
        .filter_map(|line| line.strip_prefix("// "))
        .filter(|line| ["A[]", "E<>"].iter().any(|start| line.starts_with(start)))
        .collect();
    assert_eq!(queries.len(), 3);
    for update in [Update::Simple, Update::Cover] {
        for query in &queries {
            let report = run(text, query, &with(update, Joining::Model, None));
            let reason = &report.reason();
            assert_eq!(
                report.answer,
                Answer::Satisfied,
                "{query} {update:?} {reason:?}"
            );
        }
    }
}

/// Lattices, their dimensions and the model's joining strategy survive printing.
#[test]
fn printed_models_read_back() {
    let families = [
        ("lattice-login", 3),
        ("lattice-database", 6),
        ("lattice-leader", 4),
        ("lattice-cache", 12),
    ];
    for (family, value) in families {
        let (text, _) = generated(family, &[value]);
        let first = Model::read("first.xta", text.as_bytes());
        let network = first.network().expect("a network");
        let printed = xta(network).unwrap_or_else(|problem| panic!("{family}: {problem}"));
        let second = Model::read("second.xta", printed.as_bytes());
        let again = second
            .network()
            .unwrap_or_else(|| panic!("{:?}\n{printed}", second.diagnostics));
        let (one, two) = (normalised(network), normalised(again));
        assert_eq!(one.lattice_variables, two.lattice_variables, "{printed}");
        assert_eq!(one.lattices, two.lattices, "{printed}");
        assert!(one == two, "{family}:\n{printed}");
        let strategies = |network: &merkhet::network::Network| {
            network
                .lattices
                .iter()
                .any(|lattice| lattice.joinable.is_some())
        };
        assert_eq!(strategies(network), strategies(again));
        assert_eq!(strategies(network), family == "lattice-database");
    }
}

/// Products, arrays of lattices and lattices in lattices; the program's code and the cells' order agree.
#[test]
fn products_are_ordered_field_by_field() {
    let text = "
        extern UnionBitVector;
        extern MinInteger;
        lattice Pair { UnionBitVector seen[3]; MinInteger least[2]; void note(const int i) { seen[i] = 1; } }
        Pair p[2];
        process P() {
            state A;
            init A;
            trans A -> A { select i : int[0, 2]; assign p[0].note(i), p[1].least[0] = 0 - i; };
        }
        system P;";
    for update in [Update::Simple, Update::Cover, Update::Join, Update::Cegar] {
        let report = run(
            text,
            "E<> p[0].seen[0] == 1 && p[0].seen[2] == 1 && p[1].least[0] <= 0 - 2",
            &with(update, Joining::Model, None),
        );
        assert_eq!(
            report.answer,
            Answer::Satisfied,
            "{update:?} {:?}",
            report.reason()
        );
    }
}

/// The lattices of the library are compared and joined cell by cell; that is what their declarations say.
#[test]
fn the_library_goes_cell_by_cell() {
    use merkhet::network::Direction;
    use merkhet::network::code::{Machine, ProgramBuilder};
    let text = "
        extern UnionBitVector; extern IntersectionBitVector; extern MaxInteger; extern MinInteger;
        extern IntRange; extern AbstractCache; extern DiscreteClock; extern MessagePool; extern PresentAbsentSet;
        UnionBitVector a[3]; IntersectionBitVector b[3]; MaxInteger c; MinInteger d; IntRange e;
        AbstractCache f[2][2][4]; DiscreteClock g[5]; MessagePool h[3]; PresentAbsentSet i[2];
        extern Sign; extern Parity; extern Octagon; Sign j; Parity k; Octagon l;
        process P() { state A; init A; }
        system P;";
    let model = Model::read("library.xta", text.as_bytes());
    let network = model
        .network()
        .unwrap_or_else(|| panic!("{:?}", model.diagnostics));
    assert_eq!(network.lattices.len(), 12);
    let mut seed = 1u64;
    let mut random = move |limit: i32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((seed >> 33) % limit as u64) as i32
    };
    for lattice in &network.lattices {
        let directions = lattice.cellwise.clone().expect("cell by cell");
        let mut builder = ProgramBuilder::new(network);
        let (left, right) = (
            builder.layout().address(lattice.left),
            builder.layout().address(lattice.right),
        );
        let (leq, join) = (
            builder.expression(&lattice.leq),
            builder.statements(&lattice.join),
        );
        let program = builder.finish();
        let mut machine = Machine::new(&program);
        let count = lattice.cells();
        for _ in 0..200 {
            let mut one = Vec::new();
            let mut other = Vec::new();
            for offset in 0..count {
                let (low, high) = lattice.shape.cell_range(offset as u32).expect("a cell");
                let width = high.saturating_sub(low).min(3) + 1;
                one.push(low.max(0) + random(width));
                other.push(low.max(0) + random(width));
            }
            let cells = || one.iter().zip(&other).zip(directions.iter());
            let below = cells().all(|((a, b), way)| match way {
                Direction::Up => a <= b,
                Direction::Down => a >= b,
            });
            let joined: Vec<i32> = cells()
                .map(|((a, b), way)| match way {
                    Direction::Up => *a.max(b),
                    Direction::Down => *a.min(b),
                })
                .collect();
            machine.memory[left..left + count].copy_from_slice(&one);
            machine.memory[right..right + count].copy_from_slice(&other);
            let name = &lattice.name;
            assert_eq!(
                machine.holds(&program, leq),
                Ok(below),
                "{name} {one:?} {other:?}"
            );
            machine.run(&program, join).expect("a join");
            assert_eq!(
                machine.memory[left..left + count],
                joined[..],
                "{name} {one:?} {other:?}"
            );
        }
    }
}

/// Clocks that are lattice elements and elapse, in an array and a product, next to real ones with the same answers.
#[test]
fn clocks_of_the_library_elapse() {
    let text = "extern DiscreteClock; extern Octagon; extern MaxInteger; extern UnionBitVector;
        DiscreteClock c[2][9];
        lattice Timed { Octagon both; UnionBitVector seen[2]; }
        Timed t;
        MaxInteger turns;
        clock x; clock y;
        process P() { state A, Wait { x <= 5 }, B; init A; trans
            A -> Wait { assign c[0].reset(), c[0].elapseTo(5), c[1].elapse(), x = 0, t.both.resetX(), t.both.elapse(); },
            Wait -> A { guard x >= 3 && c[0].ge(3);
                assign c[0].atLeast(3), t.seen[0] = 1, turns = turns.value < 3 ? turns.value + 1 : 3; },
            Wait -> B { guard x >= 4 && c[0].ge(4) && t.both.xMayReach(4); assign t.seen[1] = 1, y = 0; }; }
        system P;";
    for (query, expected) in [
        ("E<> P.Wait && c[0].gt(5)", Answer::Violated),
        ("E<> P.Wait && c[0].ge(5) && x >= 5", Answer::Satisfied),
        ("E<> P.B && c[1].ge(8)", Answer::Satisfied),
        ("E<> P.A && t.seen[0] == 1 && c[0].lt(3)", Answer::Violated),
        ("E<> P.B && t.both.differenceMayReach(1)", Answer::Violated),
        (
            "E<> P.B && t.seen[0] == 1 && turns.value >= 3",
            Answer::Satisfied,
        ),
    ] {
        for update in [Update::Simple, Update::Cover, Update::Join, Update::Cegar] {
            let report = run(text, query, &with(update, Joining::Model, None));
            let (answer, reason) = (&report.answer, report.reason());
            let fits = *answer == expected || update == Update::Join && answer.is_unknown();
            assert!(fits, "{query} {update:?} {answer:?} {reason:?}");
        }
    }
    for update in [Update::Simple, Update::Cover, Update::Cegar] {
        let report = run(
            text,
            "sup{P.B}: turns.value",
            &with(update, Joining::Model, None),
        );
        assert_eq!(
            report.values[0].supremum,
            Some(Bound::Reached(3)),
            "{update:?}"
        );
    }
}

/// What is known of two numbers together, of signs and of parities: covered, and with the answers that arithmetic gives.
#[test]
fn numbers_in_several_lattices() {
    let text = "extern IntRange; extern Sign; extern Parity; extern Octagon;
        IntRange r; IntRange q; Sign s; Parity p; Octagon o; int[0, 5] k;
        process P() { state A, B; init A;
        trans A -> B { assign s.set(0), p.set(0), o.set(0, 0), q.set(1, 2); },
        B -> B { guard k < 5; assign k = k + 1, r += q, s.increment(), p.add(2), o.addX(1), o.addY(1); }; }
        system P;";
    for (query, expected) in [
        ("E<> k == 5 && r >= 10", Answer::Satisfied),
        ("E<> k == 5 && r > 10", Answer::Violated),
        ("E<> k == 5 && r <= 5", Answer::Satisfied),
        ("E<> k == 5 && r < 5", Answer::Violated),
        ("E<> P.B && s.mayBeNegative()", Answer::Violated),
        ("E<> P.B && s.mayBePositive()", Answer::Satisfied),
        ("E<> P.B && p.mayBeOdd()", Answer::Violated),
        ("E<> P.B && o.differenceMayReach(1)", Answer::Violated),
        ("E<> P.B && o.sumMayReach(10)", Answer::Satisfied),
        ("E<> P.B && o.sumMayReach(11)", Answer::Violated),
    ] {
        for update in [Update::Simple, Update::Cover, Update::Join, Update::Cegar] {
            let report = run(text, query, &with(update, Joining::Model, None));
            assert_eq!(
                report.answer,
                expected,
                "{query} {update:?} {:?}",
                report.reason()
            );
        }
    }
}
