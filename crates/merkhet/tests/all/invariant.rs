//! What is known of a few variables whatever most of the network does. Each case is asked with a search that ends after one
//! state, so that only this is left to decide it, and with a whole search, which must say the same.

use merkhet::{Answer, Config, Model, StopReason, Why, check};

/// The search has ended after one state.
const UNKNOWN: Answer = Answer::Unknown(Why::Limit(StopReason::States));

fn decide(text: &str, query: &str, states: Option<u64>) -> Answer {
    let mut model = Model::read("model.xta", text.as_bytes());
    assert!(!model.has_errors(), "{:#?}\n{text}", model.diagnostics);
    let lowered = model.query(query);
    let network = model.network().expect("a network");
    let query = lowered.query.as_ref().expect("a query");
    let mut config = Config {
        search: Some("bfs".parse().unwrap()),
        reduce: Some(Vec::new()),
        ..Config::default()
    };
    config.limits.states = states;
    let report = check(network, query, &config, &mut |_| {}).expect("a verdict");
    report.answer
}

/// `known`: what is known without a search; `answer`: what a search finds.
#[track_caller]
fn expect(text: &str, query: &str, known: Answer, answer: Answer) {
    assert_eq!(decide(text, query, Some(1)), known, "{query}\n{text}");
    assert_eq!(decide(text, query, None), answer, "{query}\n{text}");
}

/// A walker that goes up to 5 and starts anew, another process that hits it, and a clock for both.
fn walker(guard: &str, step: &str) -> String {
    format!(
        "int pos; int hp = 3; int[0,9] other; clock x;
        bool at_end() {{ return pos >= 5; }}
        bool alive() {{ return hp > 0; }}
        int place() {{ if (hp <= 0) return -1; return pos; }}
        void walk() {{ {step} }}
        process Walker() {{ state on, off; init on; trans
            on -> on {{ guard x >= 1 && {guard}; assign walk(), x = 0; }},
            on -> off {{ guard at_end(); assign pos = 0; }},
            off -> on {{ guard other < 5; }}; }}
        process Archer() {{ state ready; init ready; trans
            ready -> ready {{ guard hp > 0; assign hp = hp - 1, other = 9 - other; }}; }}
        system Walker, Archer;"
    )
}

/// A process that takes some steps before it does something, so that one state is not enough for a search.
fn late(declarations: &str, effect: &str) -> String {
    format!(
        "{declarations}
        process P() {{ state A, B, C, D; init A; trans A -> B {{ }}, B -> C {{ }}, C -> D {{ {effect} }}; }}
        system P;"
    )
}

/// What a function does to its caller's variables by reference is seen within junctions and quantifiers, where it may not
/// take place: their effects were lost, and the rest was taken for proved.
#[test]
fn references_within_junctions_are_effects() {
    use Answer::{Satisfied, Violated};
    let increment = |body: &str| {
        let declarations = format!(
            "int[0,10] v; int[0,1] o; bool inc(int &x, int k) {{ x = x + 1; return k + o > 0; }}
            int deep(int &x) {{ x += 1; return 0; }} int middle(int &x) {{ return deep(x); }}
            int f() {{ int x = 0; bool b = {body}; return x; }}"
        );
        late(&declarations, "assign v = f();")
    };
    for body in [
        "inc(x, 1) && inc(x, 1)",
        "inc(x, 0) || inc(x, 0)",
        "forall (i : int[0,2]) inc(x, i + 1)",
        "(middle(x) == 0) && true",
    ] {
        let model = increment(body);
        expect(&model, "A[] v == 0", UNKNOWN, Violated);
        expect(&model, "E<> v == 0", Satisfied, Satisfied);
    }
    let guarded = late(
        "int[0,9] v; bool bump(int &a[3], int k) { a[k] = a[k] + 1; return true; }
        bool counts(int k) { int a[3]; bool r = bump(a, 1) || bump(a, 1); return a[1] == k; }",
        "guard counts(1); assign v = 5;",
    );
    expect(&guarded, "E<> v == 5", UNKNOWN, Satisfied);
    expect(&guarded, "E<> v == 5 && counts(1)", UNKNOWN, Satisfied);
    // Nor is anything known where such a call decides.
    expect(&guarded, "E<> v == 6", UNKNOWN, Violated);
}

/// A formula that has no value in a state that is reached is a fault, whatever its other values are.
#[test]
fn formulas_that_fail_are_not_proved() {
    let model = late("int[0,9] i; int a[3];", "assign i = 7;");
    for query in [
        "A[] a[i] == 0",
        "E<> a[i] == 4",
        "A[] (i == 7 imply a[i] == 0)",
        "E<> 10 / (i - 7) > 20",
    ] {
        assert_eq!(decide(&model, query, Some(1)), UNKNOWN, "{query}");
    }
}

#[test]
fn walkers_stay_on_their_path() {
    use Answer::{Satisfied, Violated};
    let stays = walker("!at_end()", "pos = pos + 1;");
    expect(&stays, "A[] pos >= 0 && pos <= 5", Satisfied, Satisfied);
    expect(&stays, "A[] pos <= 4", UNKNOWN, Violated);
    expect(&stays, "E<> pos == 6", Violated, Violated);
    expect(&stays, "E<> pos == 5", UNKNOWN, Satisfied);
    // What the archer does is not known, nor how the variables go together.
    expect(&stays, "A[] hp <= 3", Satisfied, Satisfied);
    expect(
        &stays,
        "A[] not (hp == 0 && pos == 6)",
        Satisfied,
        Satisfied,
    );
    expect(&stays, "A[] Walker.on or pos == 0", UNKNOWN, Satisfied);
}

#[test]
fn conditions_are_made_use_of() {
    use Answer::{Satisfied, Violated};
    // `place` is -1 for the dead only, and the guard asks for the living.
    let asks = walker("hp > 0 && place() < 5", "pos = pos + 1;");
    expect(&asks, "A[] pos <= 5", Satisfied, Satisfied);
    let does_not = walker("place() < 5", "pos = pos + 1;");
    expect(&does_not, "A[] pos <= 5", UNKNOWN, Violated);
    let branches = walker(
        "!at_end()",
        "if (other == 3) pos = pos + 2; else pos = pos + 1;",
    );
    expect(&branches, "A[] pos <= 6", Satisfied, Satisfied);
    expect(&branches, "A[] pos <= 5", UNKNOWN, Satisfied);
    let loops = walker("!at_end()", "int i; for (i = 0; i < other; i++) pos = 1;");
    expect(&loops, "A[] pos <= 1", UNKNOWN, Satisfied);
}

/// The receiver's guard holds before the sender's update, which makes it false.
#[test]
fn guards_of_receivers_are_those_before() {
    use Answer::Violated;
    let text = "int[0,9] v; chan c;
        process Sender() { state o, a, b; init o; trans o -> a { }, a -> b { sync c!; assign v = 5; }; }
        process Receiver() { state a, b; init a; trans a -> b { guard v == 0; sync c?; assign v = v + 1; }; }
        system Sender, Receiver;";
    expect(text, "A[] v != 6", UNKNOWN, Violated);
}

/// Arrays whose index is a parameter of a function, and an index that is not known.
#[test]
fn elements_are_told_apart() {
    use Answer::{Satisfied, Violated};
    let text = "const int N = 3; int pos[N]; int[0,2] some;
        void step(int i) { pos[i] = pos[i] + 1; }
        bool may(int i) { return pos[i] < 4; }
        process P(const int id) { state a; init a; trans a -> a { guard may(id); assign step(id); }; }
        process Chooser() { state a; init a; trans a -> a { select i : int[0,2]; assign some = i; }; }
        A = P(0); B = P(1);
        system A, B, Chooser;";
    expect(
        text,
        "A[] forall (i : int[0,2]) pos[i] <= 4",
        Satisfied,
        Satisfied,
    );
    expect(text, "A[] pos[2] == 0", Satisfied, Satisfied);
    expect(text, "A[] true", UNKNOWN, Satisfied);
    expect(text, "A[] some < 3", Satisfied, Satisfied);
    expect(text, "A[] pos[0] <= 3", UNKNOWN, Violated);
    let wild = text.replace(
        "state a; init a; trans a -> a { select",
        "state o, a; init o; trans o -> a { }, a -> a { assign pos[some] = 7; }, a -> a { select",
    );
    expect(
        &wild,
        "A[] forall (i : int[0,2]) pos[i] <= 4",
        UNKNOWN,
        Violated,
    );
}
