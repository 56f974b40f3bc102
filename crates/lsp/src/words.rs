//! The words of the languages, with what they mean.

use crate::language::Language;

/// What the words of UPPAAL's languages mean.
const UPPAAL: &[(&str, &str)] = &[
    (
        "A<>",
        "`A<> p`: on every maximal run, `p` holds at some time.",
    ),
    ("A[]", "`A[] p`: `p` holds in every reachable state."),
    ("E<>", "`E<> p`: some reachable state satisfies `p`."),
    (
        "E[]",
        "`E[] p`: on some maximal run, `p` holds all the time.",
    ),
    (
        "after_update",
        "`after_update { … }`: updates that run after those of every transition.",
    ),
    ("and", "Conjunction, as `&&`."),
    (
        "assert",
        "`assert(e);`: the model is at fault where `e` is false.",
    ),
    (
        "assign",
        "`assign e, …;`: the updates of an edge, in order.",
    ),
    (
        "before_update",
        "`before_update { … }`: updates that run before those of every transition.",
    ),
    ("bool", "`false` or `true`, which are 0 and 1."),
    (
        "bounds",
        "`bounds{p}: e`: the smallest and greatest value of `e` in reachable states with `p`.",
    ),
    (
        "branchpoint",
        "`branchpoint b;`: a point from which an edge goes on in one of several ways.",
    ),
    (
        "broadcast",
        "`broadcast chan c;`: one sender, and every process that can receive does; the sender never waits.",
    ),
    (
        "chan",
        "A channel. `c!` and `c?` are taken together by two processes.",
    ),
    (
        "clock",
        "A real number that grows with time at rate 1, or as an invariant `x' == 0` says. Set by `x = 0`, tested in guards and invariants.",
    ),
    (
        "commit",
        "`commit A;`: a committed location. Time stops, and the next transition leaves a committed location.",
    ),
    ("const", "A value that never changes."),
    (
        "deadlock",
        "No transition can be taken, now or after any delay.",
    ),
    ("else", "The other branch of `if`."),
    (
        "exists",
        "`exists (i : T) p`: `p` holds for some value of the type.",
    ),
    (
        "extern",
        "`extern Name;`: imports a lattice from the library.",
    ),
    ("false", "0, of type `bool`."),
    (
        "for",
        "`for (start; condition; step) …`, or `for (i : T) …` over all values of a type.",
    ),
    (
        "forall",
        "`forall (i : T) p`: `p` holds for all values of the type.",
    ),
    (
        "gantt",
        "A chart of UPPAAL's simulator; it does not matter to queries.",
    ),
    ("guard", "`guard e;`: when the edge can be taken."),
    (
        "hybrid",
        "A clock for statistical model checking, which symbolic queries cannot see.",
    ),
    ("if", "`if (condition) … else …`"),
    ("imply", "`p imply q`: `not p or q`."),
    (
        "inf",
        "`inf{p}: e`: the smallest value of `e` in reachable states with `p`.",
    ),
    ("init", "`init A;`: where the process starts."),
    (
        "int",
        "An integer. `int[a, b]` has a range; without one it is -32768 to 32767. Leaving the range is a fault.",
    ),
    (
        "lattice",
        "`lattice Name { fields; functions }`: a type with an order and a join, for covering states.",
    ),
    (
        "meta",
        "A variable whose value matters within a transition only.",
    ),
    ("not", "Negation, as `!`."),
    ("or", "Disjunction, as `||`."),
    (
        "priority",
        "`chan priority a < default;`: transitions over higher channels go first.",
    ),
    ("process", "`process P(parameters) { … }`: a template."),
    (
        "progress",
        "`progress { guard : measure; }`: a hint for the sweep-line method of UPPAAL.",
    ),
    ("query", "`query { formula }`: a query inside of the model."),
    ("return", "Ends a function, with its value."),
    (
        "scalar",
        "`scalar[n]`: a set of n interchangeable values, which can only be compared and assigned.",
    ),
    (
        "select",
        "`select i : T;`: the edge stands for one for each value.",
    ),
    (
        "state",
        "`state A { invariant }, B;`: the locations of a process.",
    ),
    ("struct", "`struct { int a; bool b; }`: a record."),
    (
        "sum",
        "`sum (i : T) e`: the sum over all values of the type.",
    ),
    (
        "sup",
        "`sup{p}: e`: the greatest value of `e` in reachable states with `p`.",
    ),
    (
        "sync",
        "`sync c!;` or `sync c?;`: what the edge is taken together with.",
    ),
    (
        "system",
        "`system A, B;`: the processes of the model; `<` between them gives priorities.",
    ),
    ("trans", "`trans A -> B { … };`: the edges of a process."),
    ("true", "1, of type `bool`."),
    ("typedef", "`typedef type name;`: a name for a type."),
    (
        "urgent",
        "`urgent chan c;`: no delay while a synchronisation over it is possible. `urgent A;`: time stops in A.",
    ),
    ("void", "The type of functions without a value."),
    ("while", "`while (condition) …`"),
];

/// What the words of SMV mean.
const SMV: &[(&str, &str)] = &[
    (
        "ASSIGN",
        "Assignments: `init(x) := …`, `next(x) := …`, `x := …`.",
    ),
    (
        "COMPASSION",
        "`COMPASSION(p, q)`: where `p` holds infinitely often, so does `q`.",
    ),
    ("CTLSPEC", "A specification in CTL."),
    (
        "DEFINE",
        "Names for expressions; they are no part of the state.",
    ),
    (
        "FAIRNESS",
        "Only paths count on which the formula holds infinitely often.",
    ),
    ("FROZENVAR", "Variables that keep their initial value."),
    ("INIT", "A formula that initial states satisfy."),
    ("INVAR", "A formula that all states satisfy."),
    (
        "INVARSPEC",
        "A specification: the formula holds in all reachable states.",
    ),
    ("IVAR", "Inputs: they label transitions."),
    (
        "JUSTICE",
        "Only paths count on which the formula holds infinitely often.",
    ),
    ("LTLSPEC", "A specification in LTL."),
    (
        "MODULE",
        "`MODULE name(parameters)`: `main` is the system; others are instantiated.",
    ),
    ("SPEC", "A specification in CTL."),
    (
        "TRANS",
        "A formula over current and `next` values that all transitions satisfy.",
    ),
    ("VAR", "The variables of the state."),
    ("boolean", "`FALSE` or `TRUE`."),
    (
        "case",
        "`case condition : value; … esac`: the value of the first condition that holds.",
    ),
    ("next", "`next(x)`: the value in the next state."),
    ("init", "`init(x)`: the value in the first state."),
    (
        "process",
        "`process module(…)`: an instance that moves by itself (old style).",
    ),
    ("union", "A choice between two values or sets."),
    ("word", "`word[n]`: a number of n bits."),
    ("AG", "`AG p`: `p` holds in all reachable states."),
    ("AF", "`AF p`: on all paths, `p` holds at some time."),
    ("AX", "`AX p`: `p` holds in all next states."),
    ("EF", "`EF p`: some reachable state satisfies `p`."),
    ("EG", "`EG p`: on some path, `p` holds always."),
    ("EX", "`EX p`: `p` holds in some next state."),
    ("G", "`G p`: `p` holds from now on."),
    ("F", "`F p`: `p` holds now or later."),
    ("X", "`X p`: `p` holds in the next state."),
    ("U", "`p U q`: `q` holds at some time, and `p` until then."),
];

/// What the words of TChecker's language mean.
const FLAT: &[(&str, &str)] = &[
    ("system", "`system:name`: the first declaration."),
    ("process", "`process:name`"),
    ("event", "`event:name`"),
    ("clock", "`clock:size:name`"),
    ("int", "`int:size:low:high:initial:name`"),
    (
        "location",
        "`location:process:name{initial: : invariant: x<=5 : labels: a}`",
    ),
    (
        "edge",
        "`edge:process:source:target:event{provided: guard : do: statements}`",
    ),
    (
        "sync",
        "`sync:P@a:Q@b`: the edges with these events are taken together; `Q@b?` takes part where it can.",
    ),
    ("initial", "The process starts here."),
    (
        "invariant",
        "`invariant: x<=5`: must hold while the process is here.",
    ),
    ("labels", "`labels: a, b`: names that queries ask for."),
    ("provided", "`provided: guard`: when the edge can be taken."),
    ("do", "`do: x=0; n=n+1`: the updates, in order."),
    (
        "committed",
        "Time stops, and the next transition leaves a committed location.",
    ),
    ("urgent", "Time stops here."),
];

/// The words of a language with what they mean.
pub fn words(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::Smv => SMV,
        Language::Tck => FLAT,
        _ => UPPAAL,
    }
}

/// What a word means.
pub fn meaning(language: Language, word: &str) -> Option<&'static str> {
    let found = words(language).iter().find(|(known, _)| *known == word);
    found.map(|(_, meaning)| *meaning)
}
