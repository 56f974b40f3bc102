"""Checking queries: verdicts, figures, traces, options."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import merkhet
import pytest


def test_verdicts_of_the_examples(examples):
    flawed = merkhet.load(examples / "fischer-flawed.xml")
    assert [result.verdict for result in flawed.check_all()] == ["satisfied", "violated", "satisfied"]
    handshake = merkhet.load(examples / "handshake.smv")
    assert [result.verdict for result in handshake.check_all()] == ["satisfied", "satisfied", "violated"]


def test_a_result_is_true_only_where_it_is_decided(examples):
    model = merkhet.load(examples / "fischer.xml")
    assert model.check("E<> Process(1).Critical")
    assert not model.check("E<> Process(1).Critical && Process(2).Critical")
    unknown = model.check("A[] not deadlock", max_states=10, search="bfs")
    assert unknown.holds is None and "state limit" in unknown.why
    with pytest.raises(merkhet.UndecidedError, match="state limit"):
        bool(unknown)


def test_a_trace_is_a_lazy_sequence_with_exact_times(examples):
    model = merkhet.load(examples / "fischer-flawed.xml")
    trace = model.check(model.queries[1]).trace
    assert len(trace) == 6 and trace.duration == Fraction(4)
    assert [str(step.moves[0]) for step in trace][:2] == ["Process(1): Idle -> Trying", "Process(2): Idle -> Trying"]
    assert [step.time for step in trace] == sorted(step.time for step in trace)
    assert trace[2].changes == [merkhet.Change("turn", 0, 1)]
    part = trace[1:5:2]
    assert isinstance(part, merkhet.Trace) and [step.index for step in part] == [1, 3]
    assert trace[-1].index == 5 and list(reversed(trace))[0].index == 5
    # States in any order are those of the run.
    forward = [dict(state) for state in trace.states]
    assert [dict(trace.states[index]) for index in (6, 0, 3, 5, 1)] == [forward[index] for index in (6, 0, 3, 5, 1)]
    assert forward[0]["Process(1)"] == "Idle" and forward[0]["Process(1).x"] == 0
    assert trace.last["Process(1)"] == trace.last["Process(2)"] == "Critical"
    with pytest.raises(IndexError):
        trace[6]
    with pytest.raises(KeyError):
        trace.last["nobody"]


def test_half_units(examples):
    model = merkhet.loads(
        "clock x; process P() { state A, B; init A; trans A -> B { guard x > 1 && x < 2; }; } system P;", "p.xta"
    )
    assert model.check("E<> P.B").trace[0].time == Fraction(3, 2)


def test_ranges(examples):
    model = merkhet.loads(
        "clock x; int[0,5] n; process P() { state A; init A; trans A -> A { guard n < 3; assign n++; }; } system P;", "p.xta"
    )
    value = model.check("sup: n").values[0]
    assert (value.expression, value.sup) == ("n", merkhet.Bound("reached", 3))
    assert model.check("sup: x").values[0].sup.kind == "infinite"


@pytest.mark.parametrize(
    "options, words",
    [
        ({"search": "dijkstra"}, "dijkstra"),
        ({"heuristic": "oracle"}, "oracle"),
        ({"speed": 1}, "speed"),
        ({"timeout": -1}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"threads": "two"}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**70}, "seed"),
        ({"trace": "longest"}, "longest"),
        ({"search": "bfs", "heuristic": "hu"}, "no heuristic"),
        ({"joining": "all"}, "lattice"),
        ({"lattice": "join", "joining": ["all", "model"]}, "one"),
        ({"engine": "steam"}, "steam"),
        ({"order": "a b"}, "decision diagrams"),
        ({"reduce": ["everything"]}, "everything"),
        ({"memory_limit": "much"}, "memory_limit"),
        ({"prune": "context:x"}, "prune"),
        ({"tunables": {"nothing": 1}}, "nothing"),
        ({"search": "walk", "certificate": True}, "certificate"),
        ({"bitstate": 1}, "bitstate"),
        ({"trace": None}, "trace"),
        ({"joining": None}, "joining"),
        ({"keep": None}, "keep"),
        ({"keep": [1]}, "keep"),
        ({"tunables": None}, "tunables"),
        ({"tunables": "0"}, "tunables"),
    ],
)
def test_options_are_typed_and_never_ignored(examples, options, words):
    model = merkhet.load(examples / "fischer.xml")
    with pytest.raises(merkhet.OptionError, match=words):
        model.check("E<> Process(1).Critical", **options)


def test_an_option_without_effect_is_refused(examples):
    model = merkhet.load(examples / "fischer.xml")
    with pytest.raises(merkhet.OptionError, match="no effect"):
        model.check("Process(1).Trying --> Process(1).Waiting", search="greedy", heuristic="hu")


def test_decision_diagrams(examples):
    model = merkhet.loads("int[0,9] n; process P() { state A; init A; trans A -> A { guard n < 7; assign n++; }; } system P;", "p.xta")
    result = model.check("E<> n == 8", engine="bdd")
    assert not result and result.diagrams["variables"] > 0
    assert model.check("E<> n == 7", engine="bdd", search="bfs")


def test_errors_have_places():
    with pytest.raises(merkhet.ModelError) as caught:
        merkhet.loads("int n = ;\nprocess P() { state A; init A; } system P;", "broken.xta")
    error = caught.value
    assert (error.file, error.line) == ("broken.xta", 1) and error.diagnostics
    assert "broken.xta:1:" in str(error)
    model = merkhet.loads("int count; process P() { state A; init A; } system P;", "p.xta")
    with pytest.raises(merkhet.QueryError) as caught:
        model.check("E<> cuont == 1")
    assert caught.value.line == 1 and "count" in caught.value.hint
    with pytest.raises(FileNotFoundError):
        merkhet.load("nowhere.xml")


def test_a_fault_of_the_model_comes_with_the_run_to_it():
    model = merkhet.loads(
        "int[0,2] n;\nprocess P() { state A; init A; trans A -> A { assign n = n + 1; }; } system P;", "p.xta"
    )
    with pytest.raises(merkhet.FaultError) as caught:
        model.check("A[] n < 10")
    assert caught.value.line == 2 and len(caught.value.trace) == 2


def test_the_program_is_in_the_wheel(examples):
    program = Path(sys.executable).with_name("merkhet")
    done = subprocess.run([program, "check", examples / "fischer.xml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_certificate_is_proof(examples):
    model = merkhet.load(examples / "fischer.xml")
    result = model.check(model.queries[0], certificate=True)
    assert result and len(result.certificate.data) > 1000
