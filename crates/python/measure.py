"""What Python costs, in CPU time of one run: a check through the package next to the program, and code of one's own in the search.

`python crates/python/measure.py [ROUNDS]`, with the wheel installed. Ratios, since machines differ.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import merkhet

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PROGRAM = Path(sys.executable).with_name("merkhet")


def fischer(processes: int) -> str:
    """Fischer's protocol for a number of processes."""
    text = (EXAMPLES / "fischer.xml").read_text()
    return text.replace("const int N = 4;", f"const int N = {processes};")


def spent_by_children(command: "list[str]") -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spent(work: "object") -> float:
    begun = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - begun


def overhead(processes: int) -> None:
    query = "A[] forall (i : id_t) forall (j : id_t) Process(i).Critical && Process(j).Critical imply i == j"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fischer.xml")
        Path(path).write_text(fischer(processes))
        script = f"import merkhet; merkhet.load({path!r}).check({query!r}, search='bfs')"
        program = inside = whole = 0.0
        for _ in range(ROUNDS):
            program += spent_by_children([str(PROGRAM), "check", path, "-q", query, "--search", "bfs"])
            inside += spent(lambda: merkhet.load(path).check(query, search="bfs"))
            whole += spent_by_children([sys.executable, "-c", script])
    print(f"fischer, {processes} processes: program {program / ROUNDS:.3f} s")
    print(f"  load and check in Python: {inside / program:.3f} times that; with the interpreter's start: {whole / program:.3f}")


class Hamming(merkhet.Heuristic):
    def estimate(self, state: merkhet.SymbolicState) -> int:
        return sum(state[name] != "Critical" for name in ("Process(1)", "Process(2)"))


def own_heuristic() -> None:
    model = merkhet.loads(fischer(6))
    query = "E<> Process(1).Critical && Process(2).Critical"
    results = []
    for heuristic in ("hamming", Hamming()):
        begun = time.process_time()
        result = model.check(query, search="greedy", heuristic=heuristic, max_states=20_000)
        results.append((time.process_time() - begun) / result.statistics.transitions)
    print(f"a heuristic in Python: {1e6 * results[1]:.1f} us a successor, {results[1] / results[0]:.1f} times hamming's {1e6 * results[0]:.1f}")


def own_lattice() -> None:
    class Seen(merkhet.Lattice, dimensions="N"):
        bits = merkhet.cells(0, 1, size="N")

        def leq(self, other):  # type: ignore[no-untyped-def]
            return all(self.bits[i] <= other.bits[i] for i in range(self.N))

        def join(self, other):  # type: ignore[no-untyped-def]
            for i in range(self.N):
                self.bits[i] = max(self.bits[i], other.bits[i])

        def insert(self, i):  # type: ignore[no-untyped-def]
            self.bits[i] = 1

    class Interpreted(Seen, interpreted=True):
        pass

    Interpreted.__name__ = "Seen"
    text = "extern Seen; Seen s[10]; process P() { state A; init A; trans A -> A { select i : int[0,9]; assign s.insert(i); }; } system P;"
    times = []
    for cls in (Seen, Interpreted):
        model = merkhet.loads(text, "seen.xta", lattices=[cls])
        times.append(spent(lambda: model.check("E<> false", lattice="cover", assume_monotone=True, search="bfs")))
    print(f"an interpreted lattice: {times[1] / times[0]:.0f} times a translated one ({times[1]:.2f} s)")


if __name__ == "__main__":
    overhead(int(os.environ.get("MERKHET_FISCHER", "8")))
    own_heuristic()
    own_lattice()
