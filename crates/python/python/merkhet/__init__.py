"""Merkhet: a directed model checker for real-time systems.

>>> import merkhet
>>> model = merkhet.loads("process P() { state A, B; init A; trans A -> B { }; } system P;", "p.xta")
>>> bool(model.check("E<> P.B"))
True

:func:`load` and :func:`loads` read models, :meth:`Model.check` decides queries, :class:`Trace` is the run that shows the answer.
:func:`check_many` is for sweeps, :class:`Builder` for models made in code, :class:`Heuristic`, :class:`Lattice` and ``stages`` for
what you write yourself. Everything that can go wrong is an :class:`Error`.
"""

from ._build import Branchpoint, Builder, Edge, Location, Template
from ._extend import Heuristic, Stage, Task
from ._lattice import Lattice, cells
from ._merkhet import Cancel, heuristics, searches
from ._model import (
    Explanation,
    Judgement,
    Model,
    Process,
    Query,
    Reduction,
    certify,
    generate,
    load,
    loads,
    parse,
)
from ._options import Options
from ._result import Bound, Certificate, Progress, Removed, Result, Split, Statistics, Value
from ._result import Stage as RanStage
from ._simulate import Simulation, StateSpace, SymbolicState, Transition
from ._sweep import Run, Sweep, check_many
from ._trace import Change, Move, Path, State, States, Step, Trace
from .errors import (
    CertificateError,
    ConversionError,
    Diagnostic,
    Error,
    ExtensionError,
    FaultError,
    InternalError,
    ModelError,
    OptionError,
    QueryError,
    UndecidableError,
    UndecidedError,
)

__all__ = [
    "Bound",
    "Branchpoint",
    "Builder",
    "Cancel",
    "cells",
    "Certificate",
    "CertificateError",
    "certify",
    "Change",
    "check_many",
    "ConversionError",
    "Diagnostic",
    "Edge",
    "Error",
    "Explanation",
    "ExtensionError",
    "FaultError",
    "generate",
    "Heuristic",
    "heuristics",
    "InternalError",
    "Judgement",
    "Lattice",
    "load",
    "loads",
    "Location",
    "Model",
    "ModelError",
    "Move",
    "OptionError",
    "Options",
    "parse",
    "Path",
    "Process",
    "Progress",
    "Query",
    "QueryError",
    "RanStage",
    "Reduction",
    "Removed",
    "Result",
    "Run",
    "searches",
    "Simulation",
    "Split",
    "Stage",
    "State",
    "States",
    "StateSpace",
    "Statistics",
    "Step",
    "Sweep",
    "SymbolicState",
    "Task",
    "Template",
    "Trace",
    "Transition",
    "UndecidableError",
    "UndecidedError",
    "Value",
]
