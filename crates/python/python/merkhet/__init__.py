"""Merkhet: a directed model checker for real-time systems.

>>> import merkhet
>>> model = merkhet.loads("process P() { state A, B; init A; trans A -> B; } system P;", "p.xta")
>>> bool(model.check("E<> P.B"))
True
"""

from ._model import Model, Query, load, loads
from ._options import Options
from ._result import Bound, Certificate, Removed, Result, Split, Stage, Statistics, Value
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
