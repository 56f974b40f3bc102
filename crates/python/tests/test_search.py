"""Searches: progress, interruption, threads, sweeps, heuristics and stages of one's own, very long runs."""

import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc

import merkhet
import pytest

COUNTER = """
    int[0,{most}] n;
    process P() {{ state A; init A; trans A -> A {{ guard n < {most}; assign n++; }}, A -> A {{ guard n > 0; assign n--; }}; }}
    system P;
"""


def counter(most):
    return merkhet.loads(COUNTER.format(most=most), "counter.xta")


def heavy():
    """A model that takes long to see as a whole."""
    return merkhet.generate("fischer-b", 9)


def test_progress_is_told_and_kept():
    seen = []
    result = heavy().check("A[] not deadlock", search="bfs", timeout=1.5, progress=seen.append)
    assert result.verdict == "unknown" and "time limit" in result.why
    assert len(seen) > 2 and seen == result.progress
    assert [one.explored for one in seen] == sorted(one.explored for one in seen)
    assert "<polyline" in result._repr_html_()


def test_an_exception_of_the_callback_ends_the_search():
    class Enough(Exception):
        pass

    def stop(progress):
        raise Enough

    begun = time.monotonic()
    with pytest.raises(Enough):
        heavy().check("A[] not deadlock", search="bfs", timeout=60, progress=stop)
    assert time.monotonic() - begun < 20


def test_the_lock_is_released_and_another_thread_can_cancel():
    cancel, ticks = merkhet.Cancel(), []

    def work():
        for _ in range(20):
            ticks.append(sum(range(1000)))
            time.sleep(0.01)
        cancel.set()

    thread = threading.Thread(target=work)
    thread.start()
    result = heavy().check("A[] not deadlock", search="bfs", timeout=60, cancel=cancel)
    thread.join()
    assert result.verdict == "unknown" and "interrupted" in result.why and len(ticks) == 20


def test_ctrl_c_ends_a_search():
    script = (
        "import merkhet, sys\n"
        "model = merkhet.generate('fischer-b', 9)\n"
        "print('begun', flush=True)\n"
        "try:\n    model.check('A[] not deadlock', search='bfs', timeout=100)\n"
        "except KeyboardInterrupt:\n    print('ended', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.5)
    begun = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=30)[0] == "ended\n"
    assert child.returncode == 0 and time.monotonic() - begun < 20


def test_several_threads():
    model = merkhet.generate("fischer-b", 5)
    query = "A[] not (P1.critical && P2.critical)"
    assert model.check(query, threads=2).verdict == model.check(query).verdict


def test_many_checks(examples):
    shown = []
    sweep = merkhet.check_many(
        [examples / "fischer.xml", examples / "fischer-flawed.xml"],
        ["A[] not (Process(1).Critical && Process(2).Critical)", "E<> Process(1).Nowhere"],
        {"guided": {}, "wide": {"search": "bfs"}, "wrong": {"search": "fast"}},
        jobs=2,
        progress=lambda done, all: shown.append((done, all)),
    )
    assert len(sweep) == 12 and shown[0] == (0, 12) and shown[-1] == (12, 12)
    frame = sweep.to_pandas()
    assert list(frame["verdict"]) == ["satisfied"] * 2 + ["error"] * 4 + ["violated"] * 2 + ["error"] * 4
    assert isinstance(sweep[2].error, merkhet.OptionError) and isinstance(sweep[3].error, merkhet.QueryError)
    assert list(frame["explored"].dropna()) == [run.result.statistics.explored for run in sweep if run.result is not None]
    assert "<table>" in sweep._repr_html_() and len(sweep[:2]) == 2
    with pytest.raises(merkhet.OptionError):
        merkhet.check_many(examples / "fischer.xml", jobs=0)
    with pytest.raises(merkhet.OptionError):
        merkhet.check_many(examples / "fischer.xml", configurations=[{"colour": 1}])


def test_a_run_of_a_million_steps_is_walked_without_being_copied():
    # A depth-first run of a counter that is split over two digits.
    model = merkhet.loads(
        """int[0,999] low, high;
        process P() { state A; init A; trans
            A -> A { guard low < 999; assign low++; },
            A -> A { guard low == 999 && high < 999; assign low = 0, high++; }; }
        system P;""",
        "million.xta",
    )
    trace = model.check("E<> high == 999 && low == 999", search="dfs").trace
    assert len(trace) == 999_999
    assert sum(1 for step in trace) == 999_999
    tracemalloc.start()
    assert sum(1 for step in trace[-20_000:] if step.changes) == 20_000
    for number, state in enumerate(trace.states[::997]):
        assert state["low"] + 1000 * state["high"] == 997 * number
    assert trace.states[777_777]["high"] == 777 and len(trace[500_000:]) == 499_999
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 << 20, peak


class Distance(merkhet.Heuristic):
    def __init__(self, goal):
        self.goal = goal

    def estimate(self, state):
        return abs(self.goal - state["n"])


def test_a_heuristic_of_ones_own_guides():
    model = counter(300)
    result = model.check("E<> n == 200", heuristic=Distance(200))
    assert result and result.statistics.explored == 200 and result.heuristic == "Distance"
    away = model.check("E<> n == 200", heuristic=Distance(0))
    assert away and away.statistics.explored >= result.statistics.explored
    # A wrong estimate costs time, and never the answer.
    none = model.check("E<> n == 301", heuristic=type("Blind", (), {"estimate": lambda self, state: None})())
    assert none.verdict == "violated" and none.statistics.explored == 301
    shortest = model.check("E<> n == 200", heuristic=Distance(200), search="astar")
    assert len(shortest.trace) == 200


@pytest.mark.parametrize(
    "estimate, words",
    [
        (lambda self, state: 1 // 0, "ZeroDivisionError"),
        (lambda self, state: state["nobody"], "KeyError"),
        (lambda self, state: "far", "gave 'far'"),
        (lambda self, state: -1, "gave -1"),
        (lambda self, state: float("inf"), "gave inf"),
        (lambda self: 1, "TypeError"),
    ],
)
def test_a_heuristic_that_goes_wrong_names_its_class(estimate, words):
    heuristic = type("Mine", (merkhet.Heuristic,), {"estimate": estimate})()
    with pytest.raises(merkhet.ExtensionError, match=words) as caught:
        counter(9).check("E<> n == 5", heuristic=heuristic)
    assert "Mine.estimate" in str(caught.value)


def test_what_means_nothing_to_a_heuristic_of_ones_own_is_refused():
    for options in ({"threads": 2}, {"certificate": True}, {"search": "bfs"}, {"trace": "shortest"}, {"reduce": "coi"}):
        with pytest.raises(merkhet.OptionError):
            counter(9).check("E<> n == 5", heuristic=Distance(5), **options)
    with pytest.raises(merkhet.OptionError):
        counter(9).check("A<> n == 5", heuristic=Distance(5))


def test_a_stage_of_ones_own():
    def upwards(task):
        walk = task.simulate()
        while walk.state["n"] < 5:
            walk.step(next(one for one in walk.enabled() if "n++" in one.moves[0].update))
        return walk

    def lost(task):
        return task.space.successors(task.space.initial()[0])[0][:1]

    model = counter(9)
    result = model.check("E<> n == 5", stages=[upwards])
    assert result and result.found_by == "upwards" and len(result.trace) == 5
    # A run that shows nothing is not taken, and the search goes on.
    result = model.check("E<> n == 5", stages=[lambda task: None, lost])
    assert result and result.found_by != "lost" and "lost" in result.why
    assert not model.check("E<> n == 10", stages=[upwards])
    with pytest.raises(merkhet.ExtensionError, match="ZeroDivisionError"):
        model.check("E<> n == 5", stages=[lambda task: 1 // 0])
    with pytest.raises(merkhet.ExtensionError, match="a run is"):
        model.check("E<> n == 5", stages=[lambda task: [1, 2]])
    with pytest.raises(merkhet.OptionError):
        model.check("A<> n == 5", stages=[upwards])
