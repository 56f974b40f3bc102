"""Many checks at once: models × queries × configurations, in parallel."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import _merkhet
from ._model import Model, Query, load
from ._options import Options
from ._result import Result
from .errors import Error, OptionError

if TYPE_CHECKING:
    import pandas

__all__ = ["Run", "Sweep", "check_many"]

AnyModel = Union[Model, str, "os.PathLike[str]"]
Configuration = Union[Options, Mapping[str, Any]]


@dataclass(frozen=True)
class Run:
    """A check of a sweep: what came of it, or the error."""

    model: str
    query: str
    configuration: str
    result: Optional[Result]
    error: Optional[Error]

    def row(self) -> Dict[str, object]:
        """The check in a line of a table."""
        row: Dict[str, object] = {"model": self.model, "query": self.query, "configuration": self.configuration}
        if self.result is not None:
            row.update({key: value for key, value in self.result.row().items() if key not in row})
        else:
            row.update(verdict="error", why=str(self.error))
        return row


class Sweep(Sequence[Run]):
    """The checks of a sweep, in the order of models, queries and configurations."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = list(runs)

    def __len__(self) -> int:
        return len(self._runs)

    @overload
    def __getitem__(self, index: int) -> Run: ...

    @overload
    def __getitem__(self, index: slice) -> "Sweep": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Run, "Sweep"]:
        return Sweep(self._runs[index]) if isinstance(index, slice) else self._runs[index]

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each check."""
        import pandas

        return pandas.DataFrame([run.row() for run in self._runs])

    def __repr__(self) -> str:
        return f"<Sweep of {len(self)} checks>"

    def _repr_html_(self) -> str:
        from ._html import table

        return table([run.row() for run in self._runs])


def check_many(
    models: Union[AnyModel, Iterable[AnyModel]],
    queries: Union[str, Sequence[str], None] = None,
    configurations: Union[Configuration, Sequence[Configuration], Mapping[str, Configuration], None] = None,
    *,
    jobs: Optional[int] = None,
    progress: Union[Callable[[int, int], object], bool, None] = None,
) -> Sweep:
    """Checks every query of every model in every configuration, ``jobs`` at a time.

    Without ``queries`` each model's own are checked. Configurations are :class:`Options` or dictionaries of them, named if they
    are values of a dictionary. What goes wrong in one check is an entry of its row, and the others go on; Ctrl-C ends all.
    ``progress`` is called with how many are done and how many there are, or ``True`` for a bar of ``tqdm``.

    >>> import merkhet
    >>> model = merkhet.loads("process P() { state A, B; init A; trans A -> B { }; } system P;", "p.xta")
    >>> sweep = merkhet.check_many(model, ["E<> P.B", "A[] P.A"], {"wide": {"search": "bfs"}, "deep": {"search": "dfs"}})
    >>> [(run.query, run.configuration, run.result.verdict) for run in sweep]
    [('E<> P.B', 'wide', 'satisfied'), ('E<> P.B', 'deep', 'satisfied'), ('A[] P.A', 'wide', 'violated'), ('A[] P.A', 'deep', 'violated')]
    """
    if not isinstance(models, (Model, str, os.PathLike, Iterable)):
        raise OptionError(f"{models!r}: models, or names of files")
    given = [models] if isinstance(models, (Model, str, os.PathLike)) else list(models)
    loaded = [one if isinstance(one, Model) else load(one) for one in given]
    texts = [queries] if isinstance(queries, str) else queries
    named = _named(configurations)
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= 4096):
        raise OptionError(f"jobs {jobs!r}: a number from 1 to 4096")
    work: List[Tuple[Model, Union[str, Query], str, Options]] = []
    for model in loaded:
        asked: Sequence[Union[str, Query]] = model.queries if texts is None else texts
        work += [(model, query, name, options) for query in asked for name, options in named]
    return Sweep(_run(work, jobs or os.cpu_count() or 1, _bar(progress, len(work))))


def _named(given: Any) -> List[Tuple[str, Options]]:
    if given is None:
        return [("", Options())]
    if isinstance(given, Mapping) and any(isinstance(one, (Options, Mapping)) for one in given.values()):
        pairs = list(given.items())
    else:
        several = [given] if isinstance(given, (Options, Mapping)) else list(given)
        pairs = [(_name(one), one) for one in several]
    return [(str(name), one if isinstance(one, Options) else _options(one)) for name, one in pairs]


def _name(given: Any) -> str:
    if isinstance(given, Options):
        default = Options()
        given = {one.name: getattr(given, one.name) for one in fields(Options)}
        given = {name: value for name, value in given.items() if value != getattr(default, name)}
    return ", ".join(f"{name}={value}" for name, value in dict(given).items())


def _options(given: Any) -> Options:
    try:
        return Options(**dict(given))
    except (TypeError, ValueError) as error:
        raise OptionError(f"{given!r} is no configuration: {error}") from None


def _bar(progress: Any, total: int) -> Callable[[int], None]:
    if callable(progress):
        return lambda done: progress(done, total) and None
    if not progress:
        return lambda done: None
    from tqdm.auto import tqdm

    bar = tqdm(total=total, unit="check")

    def show(done: int) -> None:
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    return show


def _run(work: List[Any], jobs: int, show: Callable[[int], None]) -> List[Run]:
    cancel = _merkhet.Cancel()
    runs: Dict[int, Run] = {}

    def one(number: int) -> None:
        model, query, name, options = work[number]
        result: Optional[Result] = None
        problem: Optional[Error] = None
        try:
            result = model.check(query, options=options, cancel=cancel)
        except Error as error:
            problem = error
        runs[number] = Run(model.name, str(query), name, result, problem)

    with ThreadPoolExecutor(max_workers=min(jobs, max(1, len(work)))) as pool:
        pending: "set[Future[None]]" = {pool.submit(one, number) for number in range(len(work))}
        try:
            show(0)
            while pending:
                done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                show(len(work) - len(pending))
        except BaseException:
            cancel.set()
            for future in pending:
                future.cancel()
            raise
    return [runs[number] for number in range(len(work))]
