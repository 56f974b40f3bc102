"""Heuristics and search stages of one's own, as Python.

Neither can make a verdict wrong: estimates only choose the order of a complete search, and a run is judged like any other. Both
are slower than what is built in: a call of Python for every state takes a few microseconds, where the engine takes one or less.
"""

from __future__ import annotations

import time
import traceback
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Sequence, Union

from . import _merkhet
from ._simulate import Simulation, StateSpace, SymbolicState, Transition, _Layout
from .errors import ExtensionError

if TYPE_CHECKING:
    from ._model import Model, Query

__all__ = ["Heuristic", "Stage", "Task"]


class Heuristic:
    """A heuristic: give it a method :meth:`estimate`, and :meth:`merkhet.Model.check` an instance.

    >>> import merkhet
    >>> class Countdown(merkhet.Heuristic):
    ...     def estimate(self, state):
    ...         return 7 - state["n"]
    >>> model = merkhet.loads('''
    ...     int[0,7] n;
    ...     process P() { state A; init A; trans A -> A { guard n < 7; assign n++; }, A -> A { assign n = 0; }; }
    ...     system P;''', "p.xta")
    >>> result = model.check("E<> n == 7", heuristic=Countdown())
    >>> result.verdict, result.heuristic, result.statistics.explored
    ('satisfied', 'Countdown', 7)
    """

    def estimate(self, state: SymbolicState) -> Optional[int]:
        """About how many transitions the goal is away; ``None`` for very far. It need not be right."""
        raise NotImplementedError(f"{type(self).__name__}.estimate")


def where(error: BaseException, code_of: object) -> str:
    """The place in a class's code that an exception comes from: ``file:line``."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(_HERE)]
    frame = next(reversed(own or list(frames)), None)
    return f"{frame.filename}:{frame.lineno}" if frame is not None else type(code_of).__name__


_HERE = __file__.rsplit("_extend.py", 1)[0]


def failure(error: Exception, owner: object, method: str) -> ExtensionError:
    """What a method of an extension raised, with its class and line."""
    name = owner.__name__ if isinstance(owner, type) else type(owner).__name__
    place = where(error, owner)
    made = ExtensionError(f"{name}.{method} failed at {place}: {type(error).__name__}: {error}")
    file, _, line = place.rpartition(":")
    made.file, made.line = (file or None), (int(line) if line.isdigit() else None)
    made.__cause__ = error
    return made


def guide(heuristic: Any) -> Callable[[_merkhet.Symbolic], Optional[int]]:
    """What the search calls."""
    if not callable(getattr(heuristic, "estimate", None)):
        raise ExtensionError(f"{heuristic!r} is no heuristic: it has no method `estimate`")
    layout: List[_Layout] = []

    def estimate(raw: _merkhet.Symbolic) -> Optional[int]:
        if not layout:
            layout.append(_Layout(raw))
        try:
            value = heuristic.estimate(SymbolicState(raw, layout[0]))
        except Exception as error:
            raise failure(error, heuristic, "estimate") from error
        if value is None:
            return None
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            number = -1
        if number < 0 or isinstance(value, str):
            raise ExtensionError(f"{type(heuristic).__name__}.estimate gave {value!r}: it is a number from 0, or None")
        return min(number, 1 << 30)

    return estimate


class Task:
    """What a search stage is asked: to find a run that shows the answer to a query."""

    def __init__(self, model: "Model", query: "Query", deadline: Optional[float]) -> None:
        self.model = model
        self.query = query
        self._deadline = deadline
        #: Exact symbolic states: ``initial()`` and ``successors(state)``.
        self.space = StateSpace(model._raw, exact=True)

    @property
    def left(self) -> Optional[float]:
        """The seconds that are left; ``None`` for any number."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def simulate(self) -> Simulation:
        """A walk from the start."""
        return self.model.simulate()


#: A search stage: a callable that returns a run (the transitions from the start, or a :class:`merkhet.Simulation`), or ``None``
#: where it has found none. The run is judged; without one the search goes on with the next stage.
Stage = Callable[[Task], Union[Simulation, Sequence[Transition], None]]


def proposed(stage: Stage, task: Task) -> Optional[List[_merkhet.Taken]]:
    """The run that a stage proposes."""
    name = getattr(stage, "__name__", type(stage).__name__)
    try:
        run = stage(task)
    except Exception as error:
        raise failure(error, stage, "__call__" if not hasattr(stage, "__name__") else name) from error
    if run is None:
        return None
    taken = run.taken if isinstance(run, Simulation) else list(run)
    if not all(isinstance(one, Transition) for one in taken):
        raise ExtensionError(f"the stage {name} gave {run!r}: a run is a list of transitions, a simulation or None")
    return [one._raw for one in taken]
