"""A heuristic and a search stage of one's own. Neither can make a verdict wrong; both are slower than what is built in."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Dict, Optional

import merkhet


class CriticalProcesses(merkhet.Heuristic):
    """How many of two processes are not in the critical section."""

    def estimate(self, state: merkhet.SymbolicState) -> Optional[int]:
        return sum(state[name] != "Critical" for name in ("Process(1)", "Process(2)"))


def straight(task: merkhet.Task) -> merkhet.Simulation:
    """Takes the first transition forty times: it finds nothing, and the search goes on."""
    walk = task.simulate()
    for _ in range(40):
        walk.step(0)
    return walk


def main() -> None:
    model = merkhet.load(Path(__file__).resolve().parents[1] / "fischer-flawed.xml")
    query = "E<> Process(1).Critical && Process(2).Critical"
    ways: Dict[str, Dict[str, Any]] = {"hamming": {"heuristic": "hamming"}, "own": {"heuristic": CriticalProcesses()}}
    for name, options in ways.items():
        begun = time.perf_counter()
        result = model.check(query, search="greedy", **options)
        spent = time.perf_counter() - begun
        print(f"{name}: {result.verdict}, {result.statistics.explored} states, {spent:.4f} s")
    print(model.check(query, stages=[straight]).why)


if __name__ == "__main__":
    main()
