"""What can go wrong, as exceptions with places.

>>> import merkhet
>>> try:
...     merkhet.loads("clock x; process P() { state A; init A; trans A -> B; } system P;", "p.xta")
... except merkhet.ModelError as error:
...     print(error.file, error.line, error.diagnostics[0].message)
p.xta 1 there is no location `B` in this process
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Sequence, Tuple

__all__ = [
    "CertificateError",
    "ConversionError",
    "Diagnostic",
    "Error",
    "ExtensionError",
    "FaultError",
    "InternalError",
    "ModelError",
    "OptionError",
    "QueryError",
    "UndecidableError",
    "UndecidedError",
]


@dataclass(frozen=True)
class Diagnostic:
    """A message about a text, with its place; lines and columns count from 1."""

    severity: str
    code: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    end_line: Optional[int] = None
    end_column: Optional[int] = None
    text: Optional[str] = None
    hint: Optional[str] = None
    template: Optional[str] = None
    element: Optional[str] = None
    label: Optional[str] = None
    xpath: Optional[str] = None
    related: Tuple[str, ...] = ()

    @classmethod
    def _of(cls, raw: Mapping[str, Any]) -> "Diagnostic":
        fields = dict(raw)
        fields["related"] = tuple(fields.get("related", ()))
        return cls(**fields)

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}:{self.line}:{self.column}: "
        parts = [part for part in (self.template, self.element, self.label) if part]
        around = f" ({', '.join(parts)})" if parts else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{place}{self.severity}: {self.message} [{self.code}]{around}{hint}"


class Error(Exception):
    """The root of everything that this package raises about models, queries and options.

    ``file``, ``line``, ``column`` and ``hint`` are those of the first error among ``diagnostics``.
    """

    def __init__(
        self, message: str, *, diagnostics: Sequence[Mapping[str, Any]] = (), hint: Optional[str] = None
    ) -> None:
        self.message = message
        self.diagnostics: List[Diagnostic] = [Diagnostic._of(raw) for raw in diagnostics]
        errors = [one for one in self.diagnostics if one.severity == "error"]
        first = next(iter(errors or self.diagnostics), None)
        self.file: Optional[str] = first.file if first else None
        self.line: Optional[int] = first.line if first else None
        self.column: Optional[int] = first.column if first else None
        self.hint: Optional[str] = first.hint if first and first.hint else hint
        super().__init__(message)

    def __str__(self) -> str:
        shown = [str(one) for one in self.diagnostics if one.severity == "error"]
        lines = shown[:5] or [str(one) for one in self.diagnostics[:1]]
        if len(shown) > 5:
            lines.append(f"... and {len(shown) - 5} more")
        if not lines:
            return self.message if not self.hint else f"{self.message}\n  hint: {self.hint}"
        return "\n".join([self.message, *lines])


class ModelError(Error, ValueError):
    """A model that cannot be read."""


class QueryError(Error, ValueError):
    """A query that cannot be read."""


class OptionError(Error, ValueError):
    """An option that is unknown or has no effect, or options that do not go together."""


class FaultError(Error, ArithmeticError):
    """An evaluation in the model fails in a state that can be reached; ``trace`` leads there, where it is known."""

    run: Any = None

    @property
    def trace(self) -> Any:
        """The run to the fault, as :class:`merkhet.Trace`; ``None`` where it could not be made concrete."""
        if self.run is None:
            return None
        from ._trace import Trace

        return Trace(self.run)


class UndecidableError(Error):
    """Nothing is wrong with what was asked, but the methods at hand cannot decide it for this kind of model."""


class UndecidedError(Error):
    """The truth value of a result that was not decided was asked for."""


class CertificateError(Error, ValueError):
    """A certificate that cannot be read, or is one of something else."""


class ConversionError(Error, ValueError):
    """A model that cannot be written in the language that was asked for."""


class ExtensionError(Error):
    """A heuristic, lattice, strategy or stage written in Python does not keep what it promises."""


class InternalError(Error, RuntimeError):
    """The program is wrong: please report it. This is no verdict."""
