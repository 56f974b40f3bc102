"""Models and queries."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, fields, replace
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

from . import _merkhet, _build, _extend, _lattice
from ._build import Builder
from ._extend import Heuristic, Stage, Task
from ._options import Options, text_of
from ._result import Certificate, Progress, Removed, Result
from ._simulate import Simulation, StateSpace
from .errors import CertificateError, Diagnostic, Error, ExtensionError, FaultError, ModelError, OptionError, QueryError

__all__ = [
    "Explanation", "Judgement", "Model", "Process", "Query", "Reduction", "certify", "generate", "load", "loads", "parse",
]  # fmt: skip

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


@dataclass(frozen=True)
class Process:
    """An instance of a template: locations (name, kind, invariant) and edges, as dictionaries."""

    name: str
    template: str
    initial: str
    locations: Tuple[Dict[str, Any], ...]
    edges: Tuple[Dict[str, Any], ...]

    def __repr__(self) -> str:
        return f"<Process {self.name}: {len(self.locations)} locations, {len(self.edges)} edges>"


@dataclass(frozen=True)
class Explanation:
    """What a heuristic sees: its value at the start, the abstract solution there, and its values along a run to the goal."""

    heuristic: str
    start: Optional[int]
    rule: str
    #: Layer, how often the step is taken, and its edges.
    solution: Tuple[Tuple[int, int, Tuple[str, ...]], ...]
    #: The transition that leads to a state, and the value there.
    run: Tuple[Tuple[Tuple[str, ...], Optional[int]], ...]
    remark: Optional[str]

    @classmethod
    def _of(cls, raw: Mapping[str, Any]) -> "Explanation":
        solution = tuple((layer, times, tuple(edges)) for layer, times, edges in raw["solution"])
        run = tuple((tuple(edges), value) for edges, value in raw["run"])
        return cls(raw["heuristic"], raw["start"], raw["rule"], solution, run, raw["remark"])


@dataclass(frozen=True)
class Reduction:
    """What can be left out for a query, with the reasons, and the model that is left."""

    removed: Tuple[Removed, ...]
    model: "Model"


@dataclass(frozen=True)
class Judgement:
    """What the judge says of a certificate; true where it accepts it."""

    accepted: bool
    query: str
    #: What it proves: ``satisfied`` or ``violated``.
    verdict: str
    why: Optional[str] = None

    def __bool__(self) -> bool:
        return self.accepted


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

    def __init__(
        self, raw: _merkhet.Model, name: str, text: bytes, lattices: Sequence[Type[_lattice.Lattice]] = ()
    ) -> None:
        self._raw = raw
        self._bytes = text
        self._lattices = {one.__name__: one for one in lattices}
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
    def processes(self) -> List[Process]:
        """The automata, instantiated."""
        return [
            Process(one["name"], one["template"], one["initial"], tuple(one["locations"]), tuple(one["edges"]))
            for one in self._raw.processes()
        ]

    @property
    def templates(self) -> List[str]:
        """The names of the templates that processes are instances of."""
        return list(dict.fromkeys(one.template for one in self.processes))

    @property
    def variables(self) -> List[str]:
        """The variables; of arrays and structures each cell."""
        return self._raw.symbols()[0]

    @property
    def clocks(self) -> List[str]:
        """The clocks."""
        return self._raw.symbols()[1]

    @property
    def channels(self) -> List[str]:
        """The channels."""
        return self._raw.symbols()[2]

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
        heuristic: Union[str, Heuristic, None] = None,
        stages: Sequence[Stage] = (),
        progress: Union[Callable[[Progress], object], bool, None] = None,
        certify: bool = True,
        cancel: Optional[_merkhet.Cancel] = None,
        **keywords: Any,
    ) -> Result:
        """Decides a query: a text, one of :attr:`queries`, or nothing where the model has only one.

        Options are keywords as in :class:`Options`; ``heuristic`` may be one of your own, and ``stages`` are searches of your own
        that come first. ``progress`` is called about ten times a second with the figures so far, or ``True`` for a bar of
        ``tqdm``; :attr:`Result.progress` keeps them. ``certify=False`` leaves a certificate unchecked. The interpreter's lock is
        free meanwhile; Ctrl-C ends the search, and so does ``cancel.set()`` of a :class:`Cancel` from another thread.
        """
        asked = self._asked(query)
        if heuristic is not None and (isinstance(heuristic, str) or not hasattr(heuristic, "estimate")):
            keywords["heuristic"] = heuristic
        chosen = _with(options, keywords)
        seen: List[Progress] = []
        begun = time.monotonic()
        remarks: List[str] = []
        with _watching(progress, seen) as observe:
            try:
                for stage in stages:
                    found = self._stage(stage, asked, chosen, begun, remarks)
                    if found is not None:
                        return found
                estimate = None
                if heuristic is not None and "heuristic" not in keywords:
                    _plain(chosen)
                    estimate = _extend.guide(heuristic)
                raw = _left(chosen, begun)._raw()
                report = self._raw.check(asked._raw, raw, certify, observe, cancel, estimate)
            except (FaultError, ModelError, OptionError) as error:
                raise self._own(error) from None
        result = Result(asked.text, asked.comment, report, self.name)
        if estimate is not None:
            result.heuristic = type(heuristic).__name__
        result.remarks += remarks
        result.progress = seen
        return result

    def _stage(
        self, stage: Stage, asked: Query, options: Options, begun: float, remarks: List[str]
    ) -> Optional[Result]:
        if asked.kind not in ("E<>", "A[]"):
            raise OptionError("stages have no effect here: they are for E<> and A[]")
        name = getattr(stage, "__name__", type(stage).__name__)
        deadline = None if options.timeout is None else begun + options.timeout
        taken = _extend.proposed(stage, Task(self, asked, deadline))
        if taken is None:
            return None
        report = self._raw.check_run(asked._raw, Options(timeout=options.timeout)._raw(), taken)
        if report is None:
            remarks.append(f"the run of the stage {name} shows no answer, and was not taken")
            return None
        result = Result(asked.text, asked.comment, report, self.name)
        result.search = result.found_by = name
        return result

    def _own(self, error: Error) -> Error:
        """What is wrong with a lattice of one's own names its class and line."""
        found = re.search(r"lattice `(\w+)", error.message)
        cls = self._lattices.get(found.group(1)) if found else None
        if cls is None:
            return error
        named = re.search(r"`(leq|join|joinable)`", error.message)
        function = getattr(cls, named.group(1) if named else "leq")
        code = function.__code__
        made = ExtensionError(f"{code.co_filename}:{code.co_firstlineno}: {cls.__name__}.{function.__name__}: {error.message}")
        made.file, made.line = code.co_filename, code.co_firstlineno
        return made

    def simulate(self, concrete: bool = False) -> Simulation:
        """A walk through the model: symbolic states, or ``concrete`` ones with exact times."""
        return Simulation(self._raw, concrete)

    def states(self, exact: bool = False) -> StateSpace:
        """The symbolic states: an iterator, breadth first; ``states().to_networkx()`` gives the graph.

        >>> import merkhet
        >>> model = merkhet.loads("process P() { state A, B; init A; trans A -> B { }; } system P;", "p.xta")
        >>> [state["P"] for state in model.states()]
        ['A', 'B']
        """
        return StateSpace(self._raw, exact)

    def explain(
        self, query: Union[str, Query, None] = None, *, heuristic: Optional[str] = None, search: Optional[str] = None
    ) -> Explanation:
        """What a heuristic sees of a query about reachability (``"hu"`` if none is named)."""
        raw = Options(heuristic=heuristic, search=search)._raw()
        return Explanation._of(self._raw.explain(self._asked(query)._raw, raw))

    def reduce(
        self, query: Union[str, Query, None] = None, kinds: Union[str, Sequence[str]] = ("safe", "coi")
    ) -> Reduction:
        """What can be left out without changing the answer to a query: by safe abstraction (``safe``) and the cone of
        influence (``coi``)."""
        names = [kinds] if isinstance(kinds, str) else list(kinds)
        removed, text = self._raw.reduce(self._asked(query)._raw, names)
        left = _read("reduced.xta", text.encode(), list(self._lattices.values()))
        return Reduction(tuple(Removed(*one) for one in removed), left)

    def to_xml(self) -> str:
        """The model in UPPAAL's XML; what the language cannot say is a :class:`merkhet.ConversionError`."""
        return self._raw.convert(self.name, "xml")[0]

    def to_xta(self) -> str:
        """The model in UPPAAL's textual language."""
        return self._raw.convert(self.name, "xta")[0]

    def to_tck(self) -> str:
        """The model in TChecker's language, which has no queries."""
        return self._raw.convert("model", "tck")[0]

    def edit(self) -> Builder:
        """The model as templates, locations and edges that can be changed, for :meth:`Builder.build`."""
        return _build.parse(self.to_xml())

    def certify(self, certificate: Union[Certificate, bytes, AnyPath]) -> Judgement:
        """Has the judge look at a certificate, which shares no code with the search."""
        if isinstance(certificate, Certificate):
            data = certificate.data
        elif isinstance(certificate, (bytes, bytearray)):
            data = bytes(certificate)
        else:
            data = text_of(certificate)
        return Judgement(*self._raw.certify(data))

    def draw(self, template: Optional[str] = None) -> str:
        """The automata as SVG: where their author put them, or in layers."""
        return self._raw.svg(os.path.basename(self.name), template)

    def _repr_svg_(self) -> Optional[str]:
        return None if self._raw.is_smv() else self.draw()

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


def _left(options: Options, begun: float) -> Options:
    """The options with what is left of the time."""
    spent = time.monotonic() - begun
    if not isinstance(options.timeout, (int, float)) or not options.timeout > 0 or spent < 0.01:
        return options
    return replace(options, timeout=max(0.0, options.timeout - spent))


#: What a search takes that follows a heuristic in Python.
_GUIDED = {"search", "tie", "timeout", "memory_limit", "max_states", "seed", "extrapolation", "inclusion", "tunables"}


def _plain(options: Options) -> None:
    default = Options()
    for name in sorted(_NAMES - _GUIDED):
        if getattr(options, name) != getattr(default, name):
            raise OptionError(f"{name} has no effect here: a heuristic in Python guides greedy, astar and wastar:W alone")


class _watching:
    """What is called with the progress, and closed at the end."""

    def __init__(self, wanted: Union[Callable[[Progress], object], bool, None], seen: List[Progress]) -> None:
        if wanted not in (None, False, True) and not callable(wanted):
            raise OptionError(f"progress {wanted!r}: True, or what is to be called")
        self._wanted, self._seen = wanted, seen
        self._bar: Any = None

    def __enter__(self) -> Optional[Callable[[Mapping[str, Any]], None]]:
        if not self._wanted:
            return None
        if self._wanted is True:
            from tqdm.auto import tqdm

            self._bar = tqdm(unit=" states")
        return self._observe

    def _observe(self, raw: Mapping[str, Any]) -> None:
        now = Progress(**raw)
        self._seen.append(now)
        if self._bar is not None:
            self._bar.update(now.explored - self._bar.n)
            self._bar.set_postfix(stored=now.stored, waiting=now.waiting, refresh=False)
        elif callable(self._wanted):
            self._wanted(now)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


Lattices = Sequence[Type[_lattice.Lattice]]


def load(path: AnyPath, *, lattices: Lattices = ()) -> Model:
    """Reads a model from a file: UPPAAL's XML, XTA or TA, TChecker's ``.tck``, or ``.smv``. It may import ``lattices``, classes of
    yours, by ``extern``."""
    return _read(os.fspath(path), text_of(path), lattices)


def loads(text: Union[str, bytes], name: str = "model.xml", *, lattices: Lattices = ()) -> Model:
    """Reads a model from a text. The ending of the name decides between languages where the text does not."""
    if not isinstance(text, (str, bytes, bytearray)):
        raise ModelError(f"a model is a text, not {type(text).__name__}")
    return _read(name, text.encode("utf-8", "replace") if isinstance(text, str) else bytes(text), lattices)


def _read(name: str, text: bytes, lattices: Lattices = ()) -> Model:
    externals = [_lattice.external(one) for one in lattices]
    try:
        return Model(_merkhet.Model(str(name), text, externals), str(name), text, lattices)
    except ModelError as error:
        if not lattices or error.file != "lattice library":
            raise
        names = ", ".join(one.__name__ for one in lattices)
        raise ExtensionError(f"a lattice of {names} is none: {error}") from None


def parse(text: str) -> Builder:
    """The builder of a model in UPPAAL's XML."""
    return _build.parse(text)


def certify(model: Union[Model, AnyPath], certificate: Union[Certificate, bytes, AnyPath]) -> Judgement:
    """Has the judge look at a certificate of a model."""
    return (model if isinstance(model, Model) else load(model)).certify(certificate)


def generate(family: str, *values: int) -> Model:
    """A model of a family, with the query that belongs to it: Fischer's protocol, CSMA/CD, lattice examples, …

    >>> import merkhet
    >>> merkhet.generate("fischer-b", 3).check().verdict
    'satisfied'
    """
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 32:
            raise OptionError(f"{value!r}: parameters are numbers from 0")
    text, query, ending = _merkhet.generated(family, list(values))
    name = f"{family}-{'-'.join(map(str, values))}.{ending}"
    if ending == "xta" and query:
        text += f"\nquery {{\n    {query}\n}}\n"
    return loads(text, name)
