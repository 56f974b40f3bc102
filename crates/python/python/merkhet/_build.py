"""Building and editing models in code.

>>> import merkhet
>>> net = merkhet.Builder("clock x;")
>>> lamp = net.template("Lamp")
>>> off, on = lamp.location("off", initial=True), lamp.location("on", invariant="x <= 5")
>>> _ = lamp.edge(off, on, update="x = 0")
>>> _ = lamp.edge(on, off, guard="x >= 2")
>>> model = net.build("E<> Lamp.on")
>>> [result.verdict for result in model.check_all()]
['satisfied']
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple, Union

from .errors import ConversionError, OptionError

if TYPE_CHECKING:
    from ._model import Model

__all__ = ["Branchpoint", "Builder", "Edge", "Location", "Template"]

Point = Tuple[int, int]


@dataclass(eq=False)
class Location:
    """A location of a template."""

    name: str
    invariant: str = ""
    urgent: bool = False
    committed: bool = False
    rate: str = ""
    position: Optional[Point] = None
    comment: str = ""


@dataclass(eq=False)
class Branchpoint:
    """Where an edge forks by chance."""

    position: Optional[Point] = None


Node = Union[Location, Branchpoint]


@dataclass(eq=False)
class Edge:
    """An edge of a template."""

    source: Node
    target: Node
    guard: str = ""
    sync: str = ""
    update: str = ""
    select: str = ""
    probability: str = ""
    nails: List[Point] = field(default_factory=list)
    comment: str = ""


@dataclass(eq=False)
class Template:
    """An automaton with parameters; change its lists as you like."""

    name: str
    parameters: str = ""
    declarations: str = ""
    locations: List[Location] = field(default_factory=list)
    branchpoints: List[Branchpoint] = field(default_factory=list)
    edges: List[Edge] = field(default_factory=list)
    initial: Optional[Location] = None

    def location(
        self,
        name: str,
        *,
        invariant: str = "",
        initial: bool = False,
        urgent: bool = False,
        committed: bool = False,
        rate: str = "",
        position: Optional[Point] = None,
    ) -> Location:
        """Adds a location."""
        made = Location(name, invariant, urgent, committed, rate, position)
        self.locations.append(made)
        if initial:
            self.initial = made
        return made

    def branchpoint(self, position: Optional[Point] = None) -> Branchpoint:
        """Adds a branch point."""
        made = Branchpoint(position)
        self.branchpoints.append(made)
        return made

    def edge(
        self,
        source: Union[str, Node],
        target: Union[str, Node],
        *,
        guard: str = "",
        sync: str = "",
        update: str = "",
        select: str = "",
        probability: str = "",
    ) -> Edge:
        """Adds an edge between locations or their names."""
        made = Edge(self._node(source), self._node(target), guard, sync, update, select, probability)
        self.edges.append(made)
        return made

    def _node(self, given: Union[str, Node]) -> Node:
        if isinstance(given, (Location, Branchpoint)):
            return given
        for one in self.locations:
            if one.name == given:
                return one
        raise OptionError(f"{self.name} has no location {given!r}")

    def __getitem__(self, name: str) -> Location:
        for one in self.locations:
            if one.name == name:
                return one
        raise KeyError(name)


class Builder:
    """A model in the making: declarations, templates, the system line and queries.

    :meth:`merkhet.Model.edit` gives one with what a model has. :meth:`build` reads it like any other model, so that mistakes
    are exceptions with the same messages.
    """

    def __init__(self, declarations: str = "", system: str = "", queries: Sequence[str] = ()) -> None:
        self.declarations = declarations
        self.templates: List[Template] = []
        #: The system line, such as ``"P = T(1); system P;"``; empty: one process for each template.
        self.system = system
        #: Formulas, each with a comment.
        self.queries: List[Tuple[str, str]] = [(formula, "") for formula in queries]

    def template(self, name: str, parameters: str = "", declarations: str = "") -> Template:
        """Adds a template."""
        made = Template(name, parameters, declarations)
        self.templates.append(made)
        return made

    def __getitem__(self, name: str) -> Template:
        for one in self.templates:
            if one.name == name:
                return one
        raise KeyError(name)

    def to_xml(self) -> str:
        """The model in UPPAAL's XML."""
        root = ET.Element("nta")
        _text(root, "declaration", self.declarations)
        for number, template in enumerate(self.templates):
            root.append(_template(template, number))
        names = ", ".join(template.name for template in self.templates)
        _text(root, "system", self.system or f"system {names};")
        queries = ET.SubElement(root, "queries")
        for formula, comment in self.queries:
            query = ET.SubElement(queries, "query")
            ET.SubElement(query, "formula").text = _clean(formula)
            ET.SubElement(query, "comment").text = _clean(comment)
        head = (
            '<?xml version="1.0" encoding="utf-8"?>\n'
            "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_2.dtd'>\n"
        )
        ET.indent(root)
        return head + ET.tostring(root, encoding="unicode") + "\n"

    def build(self, *queries: str, name: str = "model.xml") -> "Model":
        """Reads the model, with further queries; what is wrong with it is a :class:`merkhet.ModelError`."""
        from ._model import loads

        known = list(self.queries)
        self.queries = known + [(formula, "") for formula in queries]
        try:
            return loads(self.to_xml(), name)
        finally:
            self.queries = known


def _clean(text: str) -> str:
    if not isinstance(text, str):
        raise OptionError(f"{text!r} is no text")
    # What XML cannot hold would make it unreadable.
    return "".join(letter if letter in "\t\n\r" or letter >= " " and letter not in "\ufffe\uffff" and not "\ud800" <= letter <= "\udfff" else "\ufffd" for letter in text)


def _text(parent: ET.Element, tag: str, text: str) -> None:
    if text:
        ET.SubElement(parent, tag).text = _clean(text)


def _label(parent: ET.Element, kind: str, text: str) -> None:
    if text:
        ET.SubElement(parent, "label", kind=kind).text = _clean(text)


def _template(template: Template, number: int) -> ET.Element:
    element = ET.Element("template")
    ET.SubElement(element, "name").text = _clean(template.name)
    _text(element, "parameter", template.parameters)
    _text(element, "declaration", template.declarations)
    ids = {}
    for index, location in enumerate(template.locations):
        ids[id(location)] = f"id{number}_{index}"
        node = ET.SubElement(element, "location", {"id": ids[id(location)], **_at(location.position)})
        ET.SubElement(node, "name").text = _clean(location.name)
        _label(node, "invariant", location.invariant)
        _label(node, "exponentialrate", location.rate)
        _label(node, "comments", location.comment)
        if location.urgent:
            ET.SubElement(node, "urgent")
        if location.committed:
            ET.SubElement(node, "committed")
    for index, point in enumerate(template.branchpoints):
        ids[id(point)] = f"id{number}_b{index}"
        ET.SubElement(element, "branchpoint", {"id": ids[id(point)], **_at(point.position)})
    initial = template.initial or (template.locations[0] if template.locations else None)
    if initial is not None:
        ET.SubElement(element, "init", ref=_ref(ids, initial, template))
    for edge in template.edges:
        node = ET.SubElement(element, "transition")
        ET.SubElement(node, "source", ref=_ref(ids, edge.source, template))
        ET.SubElement(node, "target", ref=_ref(ids, edge.target, template))
        _label(node, "select", edge.select)
        _label(node, "guard", edge.guard)
        _label(node, "synchronisation", edge.sync)
        _label(node, "assignment", edge.update)
        _label(node, "probability", edge.probability)
        _label(node, "comments", edge.comment)
        for nail in edge.nails:
            ET.SubElement(node, "nail", _at(nail))
    return element


def _at(position: Optional[Point]) -> "dict[str, str]":
    return {} if position is None else {"x": str(int(position[0])), "y": str(int(position[1]))}


def _ref(ids: "dict[int, str]", node: Node, template: Template) -> str:
    try:
        return ids[id(node)]
    except KeyError:
        name = getattr(node, "name", "a branch point")
        raise OptionError(f"{name} is not in the template {template.name}") from None


def parse(text: str) -> Builder:
    """The builder of a model in UPPAAL's XML."""
    try:
        root = ET.fromstring(text.split("?>", 1)[-1] if text.startswith("<?xml") else text)
    except ET.ParseError as error:
        raise ConversionError(f"the model cannot be edited: {error}") from None
    made = Builder(_content(root, "declaration"))
    instantiation = _content(root, "instantiation")
    made.system = "\n".join(part for part in (instantiation, _content(root, "system")) if part)
    for element in root.iter("template"):
        made.templates.append(_parsed(element))
    for query in root.iter("query"):
        made.queries.append((_content(query, "formula"), _content(query, "comment")))
    return made


def _content(element: ET.Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()


def _labels(element: ET.Element) -> "dict[str, str]":
    return {label.get("kind", ""): (label.text or "").strip() for label in element.iter("label")}


def _point(element: ET.Element) -> Optional[Point]:
    try:
        return (int(element.get("x", "")), int(element.get("y", "")))
    except ValueError:
        return None


def _parsed(element: ET.Element) -> Template:
    template = Template(_content(element, "name"), _content(element, "parameter"), _content(element, "declaration"))
    nodes: "dict[str, Node]" = {}
    for one in element.iter("location"):
        labels = _labels(one)
        location = Location(
            _content(one, "name") or one.get("id", ""),
            labels.get("invariant", ""),
            one.find("urgent") is not None,
            one.find("committed") is not None,
            labels.get("exponentialrate", ""),
            _point(one),
            labels.get("comments", ""),
        )
        nodes[one.get("id", "")] = location
        template.locations.append(location)
    for one in element.iter("branchpoint"):
        point = Branchpoint(_point(one))
        nodes[one.get("id", "")] = point
        template.branchpoints.append(point)
    init = element.find("init")
    initial = nodes.get(init.get("ref", "")) if init is not None else None
    template.initial = initial if isinstance(initial, Location) else None
    for one in element.iter("transition"):
        labels = _labels(one)
        ends = [one.find(tag) for tag in ("source", "target")]
        refs = ["" if end is None else end.get("ref", "") for end in ends]
        nails = [point for nail in one.iter("nail") for point in [_point(nail)] if point is not None]
        template.edges.append(
            Edge(
                nodes[refs[0]],
                nodes[refs[1]],
                labels.get("guard", ""),
                labels.get("synchronisation", ""),
                labels.get("assignment", ""),
                labels.get("select", ""),
                labels.get("probability", ""),
                nails,
                labels.get("comments", ""),
            )
        )
    return template
