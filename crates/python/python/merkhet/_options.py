"""The options of a check, with their types: those of ``merkhet check``."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from .errors import OptionError

__all__ = ["Options"]


@dataclass(frozen=True)
class Options:
    """How a query is to be checked. :meth:`merkhet.Model.check` takes the same as keywords.

    ``engine``
        ``"zones"`` or ``"bdd"`` (decision diagrams, which decide SMV models anyway).
    ``search``, ``heuristic``
        By name, as ``merkhet heuristics`` lists them: ``"auto"``, ``"bfs"``, ``"greedy"``, ``"astar"``, ``"walk"``, …;
        ``"hu"``, ``"hl"``, ``"pa"``, ….
    ``trace``
        ``"none"``, ``"some"``, ``"short"``, ``"shortest"`` or ``"fastest"``.
    ``timeout``, ``memory_limit``, ``max_states``
        Limits: seconds, bytes of the whole process (or ``"512MiB"``), states.
    ``lattice``, ``joining``
        How lattice elements are covered or joined, and which may be.
    ``certificate``
        Keep the proof of a "no".

    >>> Options(search="bfs", timeout=10).search
    'bfs'
    """

    engine: Optional[str] = None
    search: Optional[str] = None
    heuristic: Optional[str] = None
    heuristic_cache: Optional[int] = None
    tie: Optional[str] = None
    restarts: Optional[int] = None
    trace: str = "some"
    extrapolation: Optional[str] = None
    inclusion: Optional[str] = None
    bitstate: bool = False
    timeout: Optional[float] = None
    memory_limit: Union[int, str, None] = None
    max_states: Optional[int] = None
    seed: int = 0
    threads: int = 1
    certificate: bool = False
    lattice: Optional[str] = None
    joining: Union[str, Sequence[str]] = ()
    assume_monotone: bool = False
    check_monotone: bool = False
    prune: Optional[str] = None
    reduce: Union[str, Sequence[str], None] = None
    keep_dead_variables: bool = False
    symmetry: Optional[str] = None
    tunables: Tuple[Tuple[str, object], ...] = ()
    databases: Optional[str] = None
    save_databases: bool = False
    order: Optional[str] = None
    reorder: bool = False
    keep: Sequence[Sequence[str]] = ()
    abstract_time: Optional[float] = None
    patterns: Optional[str] = None

    def _raw(self) -> Dict[str, Any]:
        raw: Dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        raw["joining"] = _words("joining", self.joining)
        raw["reduce"] = None if self.reduce is None else _words("reduce", self.reduce)
        raw["memory_limit"] = _bytes(self.memory_limit)
        raw["tunables"] = _tunables(self.tunables)
        if isinstance(self.keep, str) or not isinstance(self.keep, Iterable):
            raise OptionError(f"keep {self.keep!r}: lists of names")
        raw["keep"] = [_words("keep", names) for names in self.keep]
        for field in fields(self):
            _typed(field.name, raw[field.name])
        return raw


_NUMBERS = {
    "heuristic_cache": 2**63, "restarts": 2**63, "memory_limit": 2**63, "max_states": 2**63, "seed": 2**64, "threads": 4097,
}
_SECONDS = {"timeout", "abstract_time"}
_FLAGS = {
    "bitstate", "certificate", "assume_monotone", "check_monotone", "keep_dead_variables", "save_databases", "reorder",
}
_NEEDED = {"trace", "seed", "threads"}
_LISTS = {"joining", "reduce", "tunables", "keep"}


def _typed(name: str, value: object) -> None:
    """Refuses what the library could not take, in words."""
    if name in _FLAGS:
        if not isinstance(value, bool):
            raise OptionError(f"{name} {value!r}: True or False")
    elif name in _LISTS or value is None and name not in _NEEDED:
        return
    elif name in _NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _NUMBERS[name]:
            raise OptionError(f"{name} {value!r}: a number from 0 to {_NUMBERS[name] - 1}")
    elif name in _SECONDS:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise OptionError(f"{name} {value!r}: a number of seconds")
    elif not isinstance(value, str):
        raise OptionError(f"{name} {value!r}: a name")


def _words(name: str, given: object) -> List[str]:
    if isinstance(given, str):
        return [given]
    words: List[str] = []
    for word in given if isinstance(given, Iterable) else [given]:
        if not isinstance(word, str):
            raise OptionError(f"{name} {word!r}: a name, or several")
        words.append(word)
    return words


def _tunables(given: object) -> List[str]:
    try:
        pairs = dict(given)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise OptionError(f"tunables {given!r}: a dictionary from names to numbers") from None
    return [f"{name}={value}" for name, value in pairs.items()]


_UNITS = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def _bytes(given: Union[int, str, None]) -> Optional[int]:
    if not isinstance(given, str):
        return given
    digits = given.rstrip("BKMGkib").strip()
    unit = given[len(digits) :].strip()
    if not digits.isdecimal() or unit not in _UNITS:
        raise OptionError(f"memory_limit {given!r}: a number of bytes, or such as '512MiB'")
    return int(digits) * _UNITS[unit]


def text_of(path: Union[str, "os.PathLike[str]"]) -> bytes:
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()
