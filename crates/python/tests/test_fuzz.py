"""Nothing but `merkhet.Error` comes out, whatever goes in: no panic, no crash. `MERKHET_FUZZ` is the number of seconds for each
test (600 / 4 for ten minutes); the ordinary tests take a second or two."""

import os
import random
import string
import time

import merkhet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SECONDS = float(os.environ.get("MERKHET_FUZZ", "1.5"))

MODELS = [
    "clock x; chan c; int[0,5] a[3]; process P(const int k) { state A { x <= 5 }, B; urgent B; init A; trans A -> B { select i : int[0,2]; guard x >= 1 && a[i] < k; sync c!; assign a[i]++, x = 0; }, B -> A { }; } process Q() { state A; init A; trans A -> A { sync c?; }; } P1 = P(2); system P1, Q; query { E<> a[0] == 2 }",
    "extern UnionBitVector; UnionBitVector v[3]; process P() { state A; init A; trans A -> A { select i : int[0,2]; assign v.insert(i); }; } system P;",
    "system:s\nclock:1:x\nint:1:0:3:0:n\nevent:e\nprocess:P\nlocation:P:a{initial:}\nlocation:P:b{labels:goal}\nedge:P:a:b:e{provided: x>1 && n<2 : do: n=n+1}\n",
    "MODULE main\nVAR s : {a, b, c}; n : 0..3;\nASSIGN init(s) := a; next(s) := case s = a : b; TRUE : {a, c}; esac;\nSPEC AG (s = a -> EF n = 2)\nINVARSPEC n < 3\n",
]
ENDINGS = ["m.xta", "m.xml", "m.tck", "m.smv", "m", "m.ta"]

bounded = settings(
    deadline=None, max_examples=10**6, suppress_health_check=list(HealthCheck), database=None, print_blob=False
)


class Clock:
    """Ends a test quietly when its time is over."""

    def __init__(self):
        self.end = time.monotonic() + SECONDS

    def over(self):
        return time.monotonic() > self.end


def allowed(work):
    """Does something that may only raise what is promised."""
    try:
        return work()
    except (merkhet.Error, KeyError, IndexError):
        return None


def mutated(text, seed):
    chance = random.Random(seed)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(5)
        piece = text[at : at + chance.randrange(1, 20)]
        if kind == 0:
            text = text[:at] + chance.choice(string.printable) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + len(piece) :]
        elif kind == 2:
            text = text[:at] + piece * chance.randrange(1, 5) + text[at:]
        elif kind == 3:
            text = text[:at] + str(chance.choice([-1, 0, 2**31 - 1, -(2**31), 2**31, 2**63, 10**40])) + text[at:]
        else:
            text = text[:at] + chance.choice("({[]});:=<>!&|'\"\\\x00é\U0001f600") + text[at + 1 :]
    return text


def use(model):
    """Everything that a model can be asked."""
    quick = {"timeout": 0.2, "max_states": 200}
    allowed(model.lint), allowed(lambda: model.diagnostics), allowed(lambda: model.processes), allowed(model._repr_svg_)
    for query in (allowed(lambda: model.queries) or [])[:2]:
        result = allowed(lambda: model.check(query, **quick))
        if result is not None and result.trace is not None:
            result._repr_html_(), list(result.trace[:5]), repr(result.trace[0:0])
    for form in (model.to_xml, model.to_xta, model.to_tck):
        allowed(form)
    walk = allowed(model.simulate)
    for _ in range(3):
        if walk is not None and allowed(walk.enabled):
            allowed(lambda: walk.step(0))


def timed(strategies, check):
    clock = Clock()

    @bounded
    @given(**strategies)
    def run(**arguments):
        if clock.over():
            raise StopTest
        check(**arguments)

    try:
        run()
    except StopTest:
        pass


class StopTest(BaseException):
    """The time is over."""


def test_texts_of_any_kind():
    def check(text, ending):
        model = allowed(lambda: merkhet.loads(text, ending))
        if model is not None:
            use(model)

    timed({"text": st.one_of(st.text(), st.binary()), "ending": st.sampled_from(ENDINGS)}, check)


def test_models_with_mistakes():
    def check(which, seed, ending):
        text = mutated(MODELS[which], seed)
        model = allowed(lambda: merkhet.loads(text, [ENDINGS[0], ENDINGS[0], ENDINGS[2], ENDINGS[3]][which] if ending else "m"))
        if model is not None:
            use(model)

    timed({"which": st.integers(0, 3), "seed": st.integers(0, 2**64), "ending": st.booleans()}, check)


WORDS = ["auto", "bfs", "greedy", "astar", "wastar:1.5", "walk", "hu", "hl", "pa", "none", "full", "cover", "join", "cegar", "all"]
anything = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from(WORDS), st.lists(st.text(max_size=4), max_size=2)
)


def test_options_and_queries_of_any_kind():
    model = merkhet.loads(MODELS[0], "m.xta")
    names = sorted(one for one in merkhet.Options.__dataclass_fields__ if one not in ("timeout", "max_states", "threads"))

    def check(options, query, seed):
        text = mutated("E<> P1.A && a[0] + a[1] == 3", seed) if query is None else query
        try:
            allowed(lambda: model.check(text, timeout=0.2, max_states=300, **options))
        except TypeError as error:
            pytest.fail(f"{options}: {error}")

    strategies = {
        "options": st.dictionaries(st.sampled_from(names), anything, max_size=3),
        "query": st.one_of(st.none(), st.text(max_size=30)),
        "seed": st.integers(0, 2**64),
    }
    timed(strategies, check)


def test_walks_builders_and_certificates_of_any_kind():
    model = merkhet.loads(MODELS[0], "m.xta")
    proof = model.check("A[] a[0] <= 5", certificate=True).certificate.data

    def check(moves, label, where, cut, byte):
        walk = model.simulate(concrete=len(moves) % 2 == 1)
        for move in moves:
            allowed(lambda: walk.step(move) if isinstance(move, int) else walk.delay(move))
            allowed(lambda: walk.state)
        allowed(walk.undo)
        net = merkhet.Builder(label if where == 0 else "clock x;")
        template = net.template(label if where == 1 else "T", label if where == 2 else "")
        template.location("a" if where != 3 else label, invariant=label if where == 4 else "")
        template.edge(template.locations[0], template.locations[0], guard=label if where == 5 else "", update=label if where == 6 else "")
        made = allowed(lambda: net.build(label if where == 7 else "A[] not deadlock"))
        if made is not None:
            allowed(made.draw)
        at = cut % len(proof)
        allowed(lambda: model.certify(proof[:at] + bytes([byte]) + proof[at + 1 :]))
        allowed(lambda: model.certify(proof[:at]))

    strategies = {
        "moves": st.lists(st.one_of(st.integers(-3, 5), st.fractions(), st.text(max_size=5)), max_size=6),
        "label": st.text(max_size=20),
        "where": st.integers(0, 7),
        "cut": st.integers(0, 10**6),
        "byte": st.integers(0, 255),
    }
    timed(strategies, check)
