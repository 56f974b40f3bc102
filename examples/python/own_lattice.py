"""A lattice of one's own: sets of small numbers, larger ones allow more, with a joining strategy as a function."""

from __future__ import annotations

import merkhet


class Seen(merkhet.Lattice, dimensions="N"):
    """Which numbers may have been seen."""

    N: int
    bits: list[int] = merkhet.cells(0, 1, size="N")

    def leq(self, other: Seen) -> bool:
        return all(self.bits[i] <= other.bits[i] for i in range(self.N))

    def join(self, other: Seen) -> None:
        for i in range(self.N):
            self.bits[i] = max(self.bits[i], other.bits[i])

    def insert(self, i: int) -> None:
        self.bits[i] = 1

    def count(self) -> int:
        return sum(self.bits[i] for i in range(self.N))


def same_number(one: Seen, other: Seen) -> bool:
    """Joins only sets of the same size."""
    return one.count() == other.count()


MODEL = """
    extern Seen;
    Seen seen[6];
    process P() {
        state Draw;
        init Draw;
        trans Draw -> Draw { select i : int[0,5]; assign seen.insert(i); };
    }
    system P;
"""


def main() -> None:
    for lattice in (Seen, Seen.joined_by(same_number)):
        model = merkhet.loads(MODEL, "draw.xta", lattices=[lattice])
        for update in ("simple", "cover", "join"):
            result = model.check("A[] seen.count() <= 6", lattice=update)
            print(update, result.verdict, result.statistics.explored)


if __name__ == "__main__":
    main()
