"""Runs with exact times, walked lazily: nothing is copied whole."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

if TYPE_CHECKING:
    import pandas

    from . import _merkhet

__all__ = ["Change", "Move", "Path", "State", "States", "Step", "Trace"]


class _Names:
    """The names of a model's parts, shared by all states of its runs."""

    __slots__ = ("processes", "locations", "cells", "clocks", "index")

    def __init__(self, raw: "_merkhet.Run") -> None:
        self.processes, self.locations, self.cells, self.clocks = raw.names()
        self.index: Dict[str, Tuple[int, int]] = {}
        for kind, names in enumerate((self.processes, self.cells, self.clocks)):
            for position, name in enumerate(names):
                self.index.setdefault(name, (kind, position))


Value = Union[str, int, Fraction]


class State(Mapping[str, Value]):
    """A state of a run, as a mapping from names: of a process to its location, of a variable to its value, of a clock to its
    exact value."""

    __slots__ = ("_names", "_parts", "_scale")

    def __init__(self, names: _Names, parts: Tuple[List[int], List[int], List[int]], scale: int) -> None:
        self._names, self._parts, self._scale = names, parts, scale

    def __getitem__(self, name: str) -> Value:
        kind, position = self._names.index[name]
        value = self._parts[kind][position]
        if kind == 0:
            return self._names.locations[position][value]
        return value if kind == 1 else Fraction(value, self._scale)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names.index)

    def __len__(self) -> int:
        return len(self._names.index)

    @property
    def locations(self) -> Dict[str, str]:
        """Where each process is."""
        numbered = enumerate(self._parts[0])
        return {self._names.processes[process]: self._names.locations[process][at] for process, at in numbered}

    @property
    def variables(self) -> Dict[str, int]:
        """The value of each variable; of arrays and structures each cell."""
        return dict(zip(self._names.cells, self._parts[1]))

    @property
    def clocks(self) -> Dict[str, Fraction]:
        """The exact value of each clock."""
        return {name: Fraction(value, self._scale) for name, value in zip(self._names.clocks, self._parts[2])}

    def __repr__(self) -> str:
        places = ", ".join(f"{process}.{at}" for process, at in self.locations.items())
        values = "".join(f", {name}={value}" for name, value in self.variables.items())
        clocks = "".join(f", {name}={value}" for name, value in self.clocks.items())
        return f"<State {places}{values}{clocks}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Move:
    """An edge that a process takes."""

    process: str
    source: str
    target: str
    guard: Optional[str] = None
    update: Optional[str] = None
    select: Tuple[Tuple[str, int], ...] = ()
    edge: int = 0
    origin: int = 0

    @classmethod
    def _of(cls, raw: Mapping[str, Any]) -> "Move":
        fields = dict(raw)
        fields["select"] = tuple((name, value) for name, value in fields["select"])
        return cls(**fields)

    def __str__(self) -> str:
        return f"{self.process}: {self.source} -> {self.target}"


@dataclass(frozen=True)
class Change:
    """A variable that a step changes."""

    variable: str
    before: int
    after: int


class Step:
    """A step of a run: the delay before it, the moves, and the states around it."""

    __slots__ = ("_trace", "_raw", "index")

    def __init__(self, trace: "Trace", index: int) -> None:
        self._trace = trace
        self.index = index
        self._raw = trace._run.step(index)

    @property
    def time(self) -> Fraction:
        """When it is taken, since the start."""
        return Fraction(self._raw["time"], self._trace._scale)

    @property
    def delay(self) -> Fraction:
        """How long the state before it lasts."""
        return Fraction(self._raw["delay"], self._trace._scale)

    @property
    def moves(self) -> List[Move]:
        """Who moves, in the order of the updates; a sender comes first."""
        return [Move._of(raw) for raw in self._raw["moves"]]

    @property
    def sync(self) -> Optional[str]:
        """The channel, if it synchronises."""
        sync: Optional[str] = self._raw["sync"]
        return sync

    @property
    def changes(self) -> List[Change]:
        """The variables that it changes."""
        return [Change(*raw) for raw in self._raw["changes"]]

    @property
    def before(self) -> State:
        """The state in which the delay begins."""
        return self._trace.states[self.index]

    @property
    def state(self) -> State:
        """The state after the step."""
        return self._trace.states[self.index + 1]

    def __repr__(self) -> str:
        moves = ", ".join(map(str, self.moves))
        changes = "".join(f", {one.variable} = {one.after}" for one in self.changes)
        return f"<Step {self.index + 1} at {self.time}: {moves}{changes}>"


class States(Sequence[State]):
    """The states of a run: the initial one, and one after each step. Each is made when it is asked for."""

    def __init__(self, trace: "Trace", chosen: range) -> None:
        self._trace, self._chosen = trace, chosen

    def __len__(self) -> int:
        return len(self._chosen)

    @overload
    def __getitem__(self, index: int) -> State: ...

    @overload
    def __getitem__(self, index: slice) -> "States": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[State, "States"]:
        if isinstance(index, slice):
            return States(self._trace, self._chosen[index])
        trace = self._trace
        return State(trace._names, trace._run.state(self._chosen[index]), trace._scale)

    def __repr__(self) -> str:
        return f"<{len(self)} states>"


class Trace(Sequence[Step]):
    """A run that shows an answer, accepted by the judge: a sequence of steps.

    A slice of it is a view of the same run, and steps and states are made when they are asked for.
    """

    def __init__(
        self, run: "_merkhet.Run", chosen: Optional[range] = None, names: Optional[_Names] = None
    ) -> None:
        self._run = run
        self._scale = run.scale
        self._chosen = range(len(run)) if chosen is None else chosen
        self._names = names or _Names(run)

    def __len__(self) -> int:
        return len(self._chosen)

    @overload
    def __getitem__(self, index: int) -> Step: ...

    @overload
    def __getitem__(self, index: slice) -> "Trace": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Step, "Trace"]:
        if isinstance(index, slice):
            return Trace(self._run, self._chosen[index], self._names)
        return Step(self, self._chosen[index])

    @property
    def states(self) -> States:
        """The initial state and the one after each step of the whole run."""
        return States(self, range(len(self._run) + 1))

    @property
    def last(self) -> State:
        """The state at the end, after the last delay."""
        return State(self._names, self._run.state(len(self._run) + 1), self._scale)

    @property
    def duration(self) -> Fraction:
        """The time that the run takes, the last delay included."""
        return Fraction(self._run.duration, self._scale)

    @property
    def last_delay(self) -> Fraction:
        """How long its last state lasts until the answer is seen."""
        return Fraction(self._run.last_delay, self._scale)

    @property
    def ending(self) -> str:
        """``state``, ``loop`` (for ever from :attr:`loop_start` on), ``deadlock`` or ``diverges`` (time goes on for ever)."""
        return self._run.ending[0]

    @property
    def loop_start(self) -> Optional[int]:
        """The number of the step from which on the run repeats for ever."""
        return self._run.ending[1]

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each step: time, delay, moves, channel, and after it the locations, variables and clocks."""
        import pandas

        names = self._names
        rows = []
        for step in self:
            state = step.state
            row: Dict[str, object] = {
                "step": step.index + 1,
                "time": step.time,
                "delay": step.delay,
                "sync": step.sync,
                "moves": "; ".join(map(str, step.moves)),
            }
            row.update((name, state[name]) for name in names.index)
            rows.append(row)
        columns = ["step", "time", "delay", "sync", "moves", *names.index]
        return pandas.DataFrame(rows, columns=columns)

    def sequence_chart(self, title: str = "run") -> str:
        """The run as a message-sequence chart, in SVG."""
        from . import _html

        return _html.run(self, "sequence", title)

    def gantt(self, title: str = "run") -> str:
        """Who was where and when, in SVG."""
        from . import _html

        return _html.run(self, "gantt", title)

    def _repr_svg_(self) -> str:
        return self.sequence_chart()

    def _repr_html_(self) -> str:
        from . import _html

        return _html.trace(self)

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} steps, time {self.duration}>"


class Path(Sequence[Dict[str, str]]):
    """A path of a finite system: a sequence of states, each a dictionary from names to values."""

    def __init__(self, path: "_merkhet.Path", chosen: Optional[range] = None) -> None:
        self._path = path
        self._chosen = range(len(path)) if chosen is None else chosen

    def __len__(self) -> int:
        return len(self._chosen)

    @overload
    def __getitem__(self, index: int) -> Dict[str, str]: ...

    @overload
    def __getitem__(self, index: slice) -> "Path": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Dict[str, str], "Path"]:
        if isinstance(index, slice):
            return Path(self._path, self._chosen[index])
        return dict(self._path.state(self._chosen[index]))

    @property
    def loop_start(self) -> Optional[int]:
        """The state that the last one is again, if the path goes on for ever."""
        return self._path.loop_start

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each state."""
        import pandas

        return pandas.DataFrame(list(self))

    def __repr__(self) -> str:
        return f"<Path of {len(self)} states>"
