"""Tables and pictures for notebooks. Pictures of automata, runs and curves are drawn by the library, as for the command line."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Mapping, Sequence

from . import _merkhet

if TYPE_CHECKING:
    from ._result import Result
    from ._trace import Trace

#: Steps of a run that a picture shows.
SHOWN = 200


def table(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as a table; columns that are empty everywhere are left out."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    columns = [key for key in columns if any(row.get(key) not in (None, "") for row in rows)]
    head = "".join(f"<th>{escape(key)}</th>" for key in columns)
    body = "".join("<tr>" + "".join(f"<td>{_cell(row.get(key))}</td>" for key in columns) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


_COLOURS = {"satisfied": "#1b7f3b", "violated": "#b3261e", "unknown": "#8a6d00", "error": "#b3261e"}


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = escape(f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value))
    colour = _COLOURS.get(text)
    return f'<b style="color:{colour}">{text}</b>' if colour else text


def result(of: "Result") -> str:
    """A result as a table, with its progress and its run."""
    from ._trace import Trace

    parts = [table([of.row()])]
    if of.values:
        parts.append(table([{"expression": one.expression, "inf": one.inf, "sup": one.sup} for one in of.values]))
    if len(of.progress) > 1:
        parts.append(progress(of))
    if isinstance(of.trace, Trace):
        parts.append(of.trace._repr_html_())
    return "\n".join(parts)


def progress(of: "Result") -> str:
    """The figures of a search over time."""
    curves = []
    for name in ("explored", "stored", "waiting", "nodes"):
        points = [(float(one.elapsed), float(getattr(one, name))) for one in of.progress]
        if any(point[1] for point in points):
            curves.append((name, points))
    return _merkhet.plot(f"progress of {of.query}", "seconds", curves)


def run(trace: "Trace", kind: str, title: str) -> str:
    """The first steps of a run as a picture."""
    chosen = trace._chosen
    first = chosen[0] if chosen else 0
    end = min(chosen[-1] + 1 if chosen else 0, first + SHOWN)
    return trace._run.svg(kind, title, first, end)


def trace(of: "Trace") -> str:
    """A run as a sequence chart and a Gantt chart."""
    head = f"<p>{len(of)} steps, time {of.duration}"
    if len(of) > SHOWN:
        head += f"; the first {SHOWN} are drawn: slices of the trace show others"
    return "\n".join([head + "</p>", of._repr_svg_(), of.gantt()])
