"""Models and queries."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union

from . import _merkhet
from ._options import Options, text_of
from ._result import Result
from .errors import Diagnostic, OptionError, QueryError

__all__ = ["Model", "Query", "load", "loads"]

AnyPath = Union[str, "os.PathLike[str]"]


class Query:
    """A query of a model."""

    def __init__(self, raw: _merkhet.Query) -> None:
        self._raw = raw
        self.text: str = raw.text
        self.comment: Optional[str] = raw.comment
        self.kind: Optional[str] = raw.kind
        self.expectation: Optional[str] = raw.expectation
        self.readable: bool = raw.readable
        self.diagnostics: List[Diagnostic] = [Diagnostic._of(one) for one in raw.diagnostics]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Query {self.text}>"


class Model:
    """A model: a network of timed or lattice automata, or a finite system. :func:`load` and :func:`loads` make one.

    >>> import merkhet
    >>> lamp = merkhet.loads('''
    ...     clock x;
    ...     process Lamp() {
    ...         state off, on { x <= 5 };
    ...         init off;
    ...         trans off -> on { assign x = 0; }, on -> off { guard x >= 2; };
    ...     }
    ...     system Lamp;''', "lamp.xta")
    >>> result = lamp.check("E<> Lamp.on && x == 4")
    >>> result.verdict, result.trace.duration
    ('satisfied', Fraction(4, 1))
    """

    def __init__(self, raw: _merkhet.Model, name: str, text: bytes) -> None:
        self._raw = raw
        self._bytes = text
        #: The name of the file, or what was given in its place.
        self.name = name

    @property
    def text(self) -> str:
        """What was read."""
        return self._bytes.decode("utf-8", "replace")

    @property
    def queries(self) -> List[Query]:
        """The queries that come with the model."""
        return [Query(one) for one in self._raw.queries()]

    @property
    def diagnostics(self) -> List[Diagnostic]:
        """What the reader has to say: warnings and notes."""
        return [Diagnostic._of(one) for one in self._raw.diagnostics()]

    def lint(self) -> List[Diagnostic]:
        """What looks like a mistake."""
        return [Diagnostic._of(one) for one in self._raw.lint()]

    def query(self, text: str) -> Query:
        """Reads a query; raises :class:`merkhet.QueryError` if it cannot be checked."""
        return Query(self._raw.ask(str(text)))

    def query_file(self, path: AnyPath) -> List[Query]:
        """Reads a file of queries."""
        return [Query(one) for one in self._raw.ask_file(os.fspath(path), text_of(path))]

    def check(
        self,
        query: Union[str, Query, None] = None,
        *,
        options: Optional[Options] = None,
        progress: Union[Callable[[Any], object], bool, None] = None,
        certify: bool = True,
        **keywords: Any,
    ) -> Result:
        """Decides a query: a text, one of :attr:`queries`, or nothing where the model has only one.

        Options are keywords as in :class:`Options`. ``progress`` is called about ten times a second with the figures so far,
        or ``True`` for a bar of ``tqdm``. The interpreter's lock is free meanwhile, and Ctrl-C ends the search.
        """
        asked = self._asked(query)
        raw = _with(options, keywords)._raw()
        seen: List[Any] = []
        report = self._raw.check(asked._raw, raw, certify, None)
        result = Result(asked.text, asked.comment, report, self.name)
        result.progress = seen
        return result

    def check_all(self, *, options: Optional[Options] = None, **keywords: Any) -> List[Result]:
        """Decides all queries that come with the model."""
        return [self.check(query, options=options, **keywords) for query in self.queries]

    def _asked(self, query: Union[str, Query, None]) -> Query:
        if isinstance(query, Query):
            return query
        if isinstance(query, str):
            return self.query(query)
        if query is not None:
            raise QueryError(f"a query is a text, not {query!r}")
        queries = self.queries
        if len(queries) != 1:
            raise QueryError(f"the model comes with {len(queries)} queries: say which one, or use check_all")
        return queries[0]

    def __repr__(self) -> str:
        return f"<Model {self.name}>"


_NAMES = frozenset(field.name for field in fields(Options))


def _with(options: Optional[Options], keywords: Any) -> Options:
    unknown = [name for name in keywords if name not in _NAMES]
    if unknown:
        raise OptionError(f"unknown option {unknown[0]!r}; known are {', '.join(sorted(_NAMES))}")
    return replace(options or Options(), **keywords)


def load(path: AnyPath) -> Model:
    """Reads a model from a file: UPPAAL's XML, XTA or TA, TChecker's ``.tck``, or ``.smv``."""
    return _read(os.fspath(path), text_of(path))


def loads(text: Union[str, bytes], name: str = "model.xml") -> Model:
    """Reads a model from a text. The ending of the name decides between languages where the text does not."""
    return _read(name, text.encode() if isinstance(text, str) else bytes(text))


def _read(name: str, text: bytes) -> Model:
    return Model(_merkhet.Model(name, text), name, text)
