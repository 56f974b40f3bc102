"""What came of a query."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

from ._trace import Path, Trace
from .errors import UndecidedError

if TYPE_CHECKING:
    import pandas

    from . import _merkhet

__all__ = ["Bound", "Certificate", "Progress", "Removed", "Result", "Split", "Stage", "Statistics", "Value"]


@dataclass(frozen=True)
class Statistics:
    """Figures of a search; ``time`` in seconds, ``peak_memory`` of the whole process in bytes."""

    explored: int
    stored: int
    transitions: int
    work: int
    discrete: int
    time: float
    peak_memory: int
    joins: Optional[int] = None
    refinements: Optional[int] = None


@dataclass(frozen=True)
class Progress:
    """How far a search is: ``elapsed`` in seconds, ``memory`` of its states in bytes, ``nodes`` of decision diagrams."""

    explored: int
    stored: int
    waiting: int
    memory: int
    depth: int
    best_estimate: Optional[int]
    nodes: int
    elapsed: float


@dataclass(frozen=True)
class Stage:
    """A search that was made on the way to the answer."""

    stage: str
    engine: str
    guide: str
    threads: int
    budget: Optional[int]
    explored: int
    ended: str
    time: float


@dataclass(frozen=True)
class Bound:
    """An end of a range of values: ``reached``, ``open`` (approached only), ``infinite`` or ``undefined``."""

    kind: str
    value: Optional[int] = None

    def __str__(self) -> str:
        return {"reached": f"{self.value}", "open": f"{self.value} (not reached)"}.get(self.kind, self.kind)


@dataclass(frozen=True)
class Value:
    """The answer to ``sup``, ``inf`` or ``bounds`` for one expression."""

    expression: str
    inf: Optional[Bound] = None
    sup: Optional[Bound] = None


@dataclass(frozen=True)
class Removed:
    """What a reduction left out, with the reason."""

    reduction: str
    part: str
    name: str
    reason: str


@dataclass(frozen=True)
class Split:
    """A path that joined lattice elements only have, with the join that was to blame."""

    path: Tuple[str, ...]
    after: int
    at: str
    element: str


@dataclass(frozen=True)
class Certificate:
    """The proof of a "no": :func:`merkhet.certify` checks it, as does ``merkhet certify``."""

    data: bytes

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it to a file."""
        with open(path, "wb") as file:
            file.write(self.data)

    def __repr__(self) -> str:
        return f"<Certificate of {len(self.data)} bytes>"


class Result:
    """What came of a query.

    It is true where the query holds; where it was not decided, its truth value is an error, and :attr:`why` says why.
    """

    def __init__(self, query: str, comment: Optional[str], raw: "_merkhet.Report", model: str) -> None:
        data: Dict[str, Any] = raw.data()
        self.query = query
        self.comment = comment
        self.model = model
        self.verdict: str = data["verdict"]
        self._reason: Optional[str] = data["reason"]
        self.remarks: List[str] = data["remarks"]
        self.values: List[Value] = [_value(one) for one in data["values"]]
        self.statistics = Statistics(**data["figures"])
        self.search: str = data["search"]
        self.heuristic: Optional[str] = data["heuristic"]
        self.found_by: Optional[str] = data["found_by"]
        self.schedule: List[Stage] = [Stage(**one) for one in data["schedule"]]
        self.splits: List[Split] = [
            Split(tuple(one["path"]), one["after"], one["at"], one["element"]) for one in data["splits"]
        ]
        self.removed: List[Removed] = [Removed(*one) for one in data["removed"] or ()]
        self.databases: Optional[str] = data["databases"]
        self.diagrams: Optional[Dict[str, Any]] = data["diagrams"]
        run, path = raw.run, raw.path
        self.trace: Union[Trace, Path, None] = None
        if run is not None:
            self.trace = Trace(run)
        elif path is not None:
            self.trace = Path(path)
        self.certificate: Optional[Certificate] = None if raw.certificate is None else Certificate(raw.certificate)
        #: What was told while the query was checked with ``progress``.
        self.progress: List[Progress] = []

    @property
    def decided(self) -> bool:
        """Whether there is an answer."""
        return self.verdict != "unknown"

    @property
    def holds(self) -> Optional[bool]:
        """Whether the query holds; ``None`` where that is not known."""
        return {"satisfied": True, "violated": False}.get(self.verdict)

    @property
    def why(self) -> Optional[str]:
        """Why it is not decided, and what else there is to say of the answer."""
        parts = ([self._reason] if self._reason else []) + self.remarks
        return "; ".join(parts) or None

    def __bool__(self) -> bool:
        holds = self.holds
        if holds is None:
            raise UndecidedError(f"`{self.query}` was not decided: {self.why}", hint="look at .verdict or .holds first")
        return holds

    def __repr__(self) -> str:
        why = f" ({self.why})" if self.why else ""
        return f"<Result {self.verdict}: {self.query}{why}>"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.result(self)

    def row(self) -> Dict[str, object]:
        """The result in a line of a table."""
        figures = self.statistics
        return {
            "model": self.model,
            "query": self.query,
            "verdict": self.verdict,
            "why": self.why,
            "search": self.search,
            "heuristic": self.heuristic,
            "explored": figures.explored,
            "stored": figures.stored,
            "transitions": figures.transitions,
            "time": figures.time,
            "peak_memory": figures.peak_memory,
            "trace_length": None if self.trace is None else len(self.trace),
        }

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame of one row."""
        import pandas

        return pandas.DataFrame([self.row()])


def _value(raw: Dict[str, Any]) -> Value:
    ends = [None if raw[end] is None else Bound(*raw[end]) for end in ("inf", "sup")]
    return Value(raw["expression"], *ends)
