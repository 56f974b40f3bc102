"""Walking through a model: symbolic states, and concrete ones with exact times."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from . import _merkhet
from ._trace import Move, State, Trace
from .errors import Error, OptionError

if TYPE_CHECKING:
    import networkx

__all__ = ["Simulation", "StateSpace", "SymbolicState", "Transition"]

#: The most transitions of a state that are looked at: a broadcast may have 2^31 of them.
CHOICES = 10_000


class _Layout:
    """The names of a model's parts by number, shared by all its symbolic states."""

    __slots__ = ("processes", "locations", "cells", "clocks", "index")

    def __init__(self, raw: _merkhet.Symbolic) -> None:
        self.processes, self.locations, self.cells, self.clocks = raw.names()
        self.index: Dict[str, Tuple[bool, int]] = {name: (True, at) for at, name in enumerate(self.processes)}
        for position, name in enumerate(self.cells):
            self.index.setdefault(name, (False, position))


class SymbolicState(Mapping[str, Union[str, int]]):
    """Locations and values as a mapping from names, with a zone: a set of clock values, as :attr:`zone` describes it.

    Two are equal where locations, values and zones are.
    """

    __slots__ = ("_raw", "_layout")

    def __init__(self, raw: _merkhet.Symbolic, layout: Optional[_Layout] = None) -> None:
        self._raw = raw
        self._layout = layout or _Layout(raw)

    def __getitem__(self, name: str) -> Union[str, int]:
        is_process, number = self._layout.index[name]
        found = self._raw.place(number) if is_process else self._raw.value(number)
        if found is None:
            raise KeyError(name)
        return self._layout.locations[number][found] if is_process else found

    def __iter__(self) -> Iterator[str]:
        return iter(self._layout.index)

    def __len__(self) -> int:
        return len(self._layout.index)

    @property
    def locations(self) -> Dict[str, str]:
        """Where each process is."""
        layout = self._layout
        return {layout.processes[one]: layout.locations[one][at] for one, at in enumerate(self._raw.places())}

    @property
    def variables(self) -> Dict[str, int]:
        """The value of each variable."""
        return dict(zip(self._layout.cells, self._raw.values()))

    @property
    def zone(self) -> List[str]:
        """Few constraints that describe the zone, such as ``x <= 3`` or ``x - y < 2``."""
        return self._raw.zone()

    def bound(self, first: Optional[str], second: Optional[str] = None) -> Optional[Tuple[int, bool]]:
        """The bound on ``first - second`` in the zone: the number, and whether it is strict; ``None`` where there is none.
        No name is the constant zero."""
        clocks = self._layout.clocks
        numbers = [0 if name is None else clocks.index(name) + 1 for name in (first, second)]
        return self._raw.bound(*numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SymbolicState) and self._raw == other._raw

    def __hash__(self) -> int:
        return hash(self._raw)

    def __repr__(self) -> str:
        places = ", ".join(f"{process}.{at}" for process, at in self.locations.items())
        values = "".join(f", {name}={value}" for name, value in self.variables.items())
        zone = "".join(f", {one}" for one in self.zone)
        return f"<SymbolicState {places}{values}{zone}>"


class Transition:
    """Edges that are taken together."""

    __slots__ = ("_raw",)

    def __init__(self, raw: _merkhet.Taken) -> None:
        self._raw = raw

    @property
    def moves(self) -> List[Move]:
        """Who moves; a sender comes first."""
        return [Move._of(one) for one in self._raw.moves()]

    @property
    def sync(self) -> Optional[str]:
        """The channel, if it synchronises."""
        return self._raw.sync

    def __str__(self) -> str:
        channel = f" [{self.sync}]" if self.sync else ""
        return ", ".join(map(str, self.moves)) + channel

    def __repr__(self) -> str:
        return f"<Transition {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transition) and self._raw == other._raw

    def __hash__(self) -> int:
        return hash(self._raw)


class StateSpace:
    """The symbolic states of a model, computed as they are asked for.

    Iterating visits them breadth first. With ``exact`` zones there may be infinitely many; without, zones are enlarged by the
    largest constants, so that there are finitely many.
    """

    def __init__(self, model: _merkhet.Model, exact: bool = False) -> None:
        self._space = _merkhet.Space(model, exact)
        self._layout: Optional[_Layout] = None

    def _state(self, raw: _merkhet.Symbolic) -> SymbolicState:
        if self._layout is None:
            self._layout = _Layout(raw)
        return SymbolicState(raw, self._layout)

    def initial(self) -> List[SymbolicState]:
        """The initial states: one, unless urgency splits its zone."""
        return [self._state(raw) for raw in self._space.initial()]

    def successors(self, state: SymbolicState, most: int = CHOICES) -> List[Tuple[Transition, SymbolicState]]:
        """What a state leads to; a state with more than ``most`` successors is an error."""
        found, more = self._space.successors(state._raw, most)
        if more:
            raise Error(f"the state has more than {len(found)} successors", hint="ask for `most` of them")
        return [(Transition(taken), self._state(raw)) for taken, raw in found]

    def __iter__(self) -> Iterator[SymbolicState]:
        seen = set()
        layer = self.initial()
        while layer:
            following: List[SymbolicState] = []
            for state in layer:
                if state in seen:
                    continue
                seen.add(state)
                yield state
                following.extend(target for _, target in self.successors(state))
            layer = following

    def to_networkx(self, most: int = 10_000) -> "networkx.MultiDiGraph[int]":
        """The states as nodes, numbered breadth first (attributes ``state``, ``initial``, ``label``), and the transitions as
        edges (``transition``, ``label``). The graph's attribute ``missing`` says why it is not the whole one, if so."""
        import networkx

        states, initial, edges, missing = self._space.graph(most)
        graph: "networkx.MultiDiGraph[int]" = networkx.MultiDiGraph(missing=missing)
        for number, raw in enumerate(states):
            state = self._state(raw)
            label = ", ".join(state.locations.values())
            graph.add_node(number, state=state, initial=number < initial, label=label)
        for source, taken, target in edges:
            transition = Transition(taken)
            graph.add_edge(source, target, transition=transition, label=str(transition))
        return graph


class Simulation:
    """A walk through a model, step by step.

    It goes through symbolic states; with ``concrete`` it has one exact valuation, and time passes by :meth:`delay` only.

    >>> import merkhet
    >>> lamp = merkhet.loads('''
    ...     clock x;
    ...     process Lamp() {
    ...         state off, on { x <= 5 };
    ...         init off;
    ...         trans off -> on { assign x = 0; }, on -> off { guard x >= 2; };
    ...     }
    ...     system Lamp;''', "lamp.xta")
    >>> walk = lamp.simulate(concrete=True)
    >>> walk.step(0)
    <Transition Lamp: off -> on>
    >>> walk.enabled()
    []
    >>> walk.delay("5/2")
    >>> walk.enabled()
    [<Transition Lamp: on -> off>]
    >>> walk.delay(3)
    Traceback (most recent call last):
        ...
    merkhet.errors.Error: no delay of 3 here: the delay is not allowed (invariant, urgent or committed location, or urgent channel)
    >>> walk.undo()
    >>> walk.state["x"], walk.time
    (Fraction(0, 1), Fraction(0, 1))
    """

    def __init__(self, model: _merkhet.Model, concrete: bool = False) -> None:
        self._space = StateSpace(model, exact=True)
        self.concrete = concrete
        #: The transitions taken so far.
        self.taken: List[Transition] = []
        initial = self._space.initial()
        if not initial:
            raise Error("there is no initial state: an invariant does not hold at the start")
        self._symbolic: List[SymbolicState] = initial[:1]
        #: The delay before each step, and the one after the last.
        self._delays: List[Fraction] = [Fraction(0)]
        self._undo: List[str] = []

    @property
    def symbolic(self) -> SymbolicState:
        """The symbolic state: all clock values that the steps so far may lead to."""
        return self._symbolic[-1]

    @property
    def state(self) -> Union[SymbolicState, State]:
        """Where the walk is."""
        return self.trace().last if self.concrete else self.symbolic

    @property
    def time(self) -> Fraction:
        """The time that has passed in a concrete walk."""
        return sum(self._delays, Fraction(0))

    def possible(self) -> List[Transition]:
        """What may come next in the symbolic state, now or after a delay."""
        return [transition for transition, _ in self._space.successors(self.symbolic)]

    def enabled(self) -> List[Transition]:
        """What can be done next: in a concrete walk, without a delay."""
        possible = self.possible()
        if not self.concrete:
            return possible
        return [one for one in possible if self._judge(self._delays + [Fraction(0)], self.taken + [one])[0] is not None]

    def step(self, choice: Union[int, Transition]) -> Transition:
        """Takes a transition: one of :meth:`enabled`, or its number there."""
        if isinstance(choice, int):
            enabled = self.enabled()
            if not -len(enabled) <= choice < len(enabled):
                raise OptionError(f"there is no transition {choice}: {len(enabled)} are enabled")
            choice = enabled[choice]
        elif not isinstance(choice, Transition):
            raise OptionError(f"a step is a transition or its number, not {choice!r}")
        targets = [target for transition, target in self._space.successors(self.symbolic) if transition == choice]
        if not targets:
            raise Error(f"{choice} cannot be taken here")
        if self.concrete:
            run, why = self._judge(self._delays + [Fraction(0)], self.taken + [choice])
            if run is None:
                raise Error(f"{choice} cannot be taken now: {why}")
            self._delays.append(Fraction(0))
        self.taken.append(choice)
        self._symbolic.append(targets[0])
        self._undo.append("step")
        return choice

    def delay(self, time: Union[int, str, Fraction]) -> None:
        """Lets time pass in a concrete walk: a number, or a fraction such as ``"5/2"``."""
        if not self.concrete:
            raise Error("a symbolic state holds all delays", hint="simulate(concrete=True) has single ones")
        try:
            passed = Fraction(time)
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            raise OptionError(f"{time!r} is no time") from None
        if passed < 0:
            raise OptionError(f"time does not go back: {passed}")
        delays = self._delays[:-1] + [self._delays[-1] + passed]
        run, why = self._judge(delays, self.taken)
        if run is None:
            raise Error(f"no delay of {passed} here: {why}")
        self._undo.append(str(self._delays[-1]))
        self._delays = delays

    def undo(self) -> None:
        """Takes the last step or delay back."""
        if not self._undo:
            raise Error("there is nothing to undo")
        last = self._undo.pop()
        if last != "step":
            self._delays[-1] = Fraction(last)
            return
        self.taken.pop()
        self._symbolic.pop()
        if self.concrete:
            self._delays.pop()

    def trace(self) -> Trace:
        """The run so far with exact times, accepted by the judge: in a symbolic walk, one of those that there are."""
        if not self.concrete:
            return Trace(self._space._space.concrete([one._raw for one in self.taken]))
        run, why = self._judge(self._delays, self.taken)
        if run is None:
            raise Error(f"the walk is no run: {why}")
        return Trace(run)

    def _judge(self, delays: List[Fraction], taken: List[Transition]) -> Tuple[Optional[_merkhet.Run], Optional[str]]:
        scale = lcm(*(delay.denominator for delay in delays))
        units = [int(delay * scale) for delay in delays]
        if scale >= 1 << 31 or any(unit >= 1 << 61 for unit in units):
            raise OptionError("times as fine or as large as these cannot be computed with")
        steps = [(unit, one._raw) for unit, one in zip(units, taken)]
        return self._space._space.judge(steps, scale, units[-1])

    def __repr__(self) -> str:
        kind = "concrete" if self.concrete else "symbolic"
        return f"<Simulation, {kind}, {len(self.taken)} steps>"
