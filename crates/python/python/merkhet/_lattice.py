"""Lattices as Python classes, after opaal (Dalsgaard et al. 2011): fields, an order, a join, and methods that models call.

A class is translated into the models' own language, as the library's lattices are written: the search then runs no Python, its
laws are tested, and whether larger elements allow more can be proved. What cannot be translated is an error that names the class
and the line. ``interpreted=True`` keeps ``leq`` and ``join`` in Python: they may then do anything, are called for every pair of
elements, and nothing is proved about them.

>>> import merkhet
>>> class Union(merkhet.Lattice, dimensions="N"):
...     bits = merkhet.cells(0, 1, size="N")
...     def leq(self, other):
...         return all(self.bits[i] <= other.bits[i] for i in range(self.N))
...     def join(self, other):
...         for i in range(self.N):
...             self.bits[i] = max(self.bits[i], other.bits[i])
...     def insert(self, i):
...         self.bits[i] = 1
...     def ones(self) -> int:
...         return sum(self.bits[i] for i in range(self.N))
>>> model = merkhet.loads('''
...     extern Union;
...     Union seen[3];
...     process P() { state A; init A; trans A -> A { select i : int[0,2]; assign seen.insert(i); }; }
...     system P;''', "p.xta", lattices=[Union])
>>> result = model.check("E<> seen.ones() == 3")
>>> result.verdict
'satisfied'
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple, Type, Union

from ._extend import failure
from .errors import ExtensionError

__all__ = ["Cells", "Lattice", "cells"]


@dataclass(frozen=True)
class Cells:
    """A field of a lattice: numbers in a range."""

    low: int
    high: int
    size: Union[int, str, None] = None


def cells(low: int = -32768, high: int = 32767, *, size: Union[int, str, None] = None) -> Any:
    """A field of a lattice: a number from ``low`` to ``high``, or a list of them; ``size`` may name a dimension."""
    return Cells(low, high, size)


class Lattice:
    """The base of lattices; the module's documentation shows one.

    ``leq(self, other)`` says whether whatever is possible from ``self`` is possible from ``other``; ``join(self, other)`` makes
    ``self`` the least upper bound of both. ``joinable(self, other)``, if there is one, is the joining strategy.
    """

    _fields: Dict[str, Cells] = {}
    _dimensions: Tuple[str, ...] = ()
    _interpreted = False

    def __init_subclass__(
        cls, dimensions: Union[str, Sequence[str], None] = None, interpreted: Optional[bool] = None, **rest: Any
    ) -> None:
        super().__init_subclass__(**rest)
        own = {name: one for name, one in vars(cls).items() if isinstance(one, Cells)}
        cls._fields = {**cls._fields, **own}
        if dimensions is not None:
            cls._dimensions = tuple(dimensions.split()) if isinstance(dimensions, str) else tuple(dimensions)
        if interpreted is not None:
            cls._interpreted = interpreted

    @classmethod
    def joined_by(cls, strategy: Callable[..., Any]) -> "Type[Lattice]":
        """The same lattice with a function as its joining strategy: of two elements, whether they may be joined."""
        return type(cls.__name__, (cls,), {"joinable": strategy, "__module__": cls.__module__})

    @classmethod
    def declaration(cls) -> str:
        """The class in the models' own language."""
        return _Writer(cls).lattice()


def external(cls: Type[Lattice]) -> Tuple[str, Optional[object]]:
    """What the reader of models needs of a class."""
    if not (isinstance(cls, type) and issubclass(cls, Lattice)):
        raise ExtensionError(f"{cls!r} is no lattice: it is a subclass of merkhet.Lattice")
    if not cls._fields:
        raise ExtensionError(f"{cls.__name__} has no fields", hint="bits = merkhet.cells(0, 1, size='N')")
    for method in ("leq", "join"):
        if not callable(getattr(cls, method, None)):
            raise ExtensionError(f"{cls.__name__} has no method `{method}`")
    return cls.declaration(), (_Interpreted(cls) if cls._interpreted else None)


class _Interpreted:
    """An order whose code is called as it is, on elements made from cells."""

    def __init__(self, cls: Type[Lattice]) -> None:
        self.cls = cls

    def element(self, numbers: Sequence[int]) -> Lattice:
        made = self.cls.__new__(self.cls)
        sizes = _sizes(self.cls, len(numbers))
        for name, value in sizes.items():
            setattr(made, name, value)
        at = 0
        for name, field in self.cls._fields.items():
            size = sizes.get(field.size, field.size) if isinstance(field.size, str) else field.size
            if size is None:
                setattr(made, name, numbers[at])
                at += 1
            else:
                setattr(made, name, list(numbers[at : at + int(size)]))
                at += int(size)
        return made

    def leq(self, left: Sequence[int], right: Sequence[int]) -> bool:
        try:
            return bool(self.element(left).leq(self.element(right)))  # type: ignore[attr-defined]
        except Exception as error:
            raise failure(error, self.cls, "leq") from error

    def join(self, left: Sequence[int], right: Sequence[int]) -> List[int]:
        try:
            element = self.element(left)
            element.join(self.element(right))  # type: ignore[attr-defined]
            return self.numbers(element, len(left))
        except ExtensionError:
            raise
        except Exception as error:
            raise failure(error, self.cls, "join") from error

    def numbers(self, element: Lattice, count: int) -> List[int]:
        numbers: List[int] = []
        for name, field in self.cls._fields.items():
            value = getattr(element, name)
            for number in [value] if field.size is None else list(value):
                number = int(number)
                if not field.low <= number <= field.high:
                    raise ExtensionError(
                        f"{self.cls.__name__}.join makes {name} {number}, which is not in [{field.low},{field.high}]"
                    )
                numbers.append(number)
        if len(numbers) != count:
            raise ExtensionError(f"{self.cls.__name__}.join changes the number of cells from {count} to {len(numbers)}")
        return numbers


def _sizes(cls: Type[Lattice], count: int) -> Dict[str, int]:
    """The values of the dimensions in an element of a number of cells."""
    fixed = sum(1 if one.size is None else one.size for one in cls._fields.values() if not isinstance(one.size, str))
    named = [one.size for one in cls._fields.values() if isinstance(one.size, str)]
    if len(set(named)) > 1:
        raise ExtensionError(f"{cls.__name__}: an interpreted lattice has at most one dimension")
    return {named[0]: (count - fixed) // len(named)} if named else {}


_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_FIXED = ("leq", "join", "joinable")


class _Writer:
    """Translates a class."""

    def __init__(self, cls: Type[Lattice]) -> None:
        self.cls = cls
        self.name = cls.__name__

    def lattice(self) -> str:
        dimensions = "".join(f"[{name}]" for name in self.cls._dimensions)
        lines = [f"lattice {self.name}{dimensions} {{"]
        for name, field in self.cls._fields.items():
            size = "" if field.size is None else f"[{field.size}]"
            if isinstance(field.size, str) and field.size not in self.cls._dimensions:
                raise ExtensionError(f"{self.name}.{name}: `{field.size}` is no dimension of the class")
            lines.append(f"    int[{field.low},{field.high}] {name}{size};")
        for name, method in self._methods().items():
            if name in ("leq", "join") and self.cls._interpreted:
                continue
            lines.append(_Method(self, name, method).text())
        return "\n".join(lines + ["}"])

    def _methods(self) -> Dict[str, Callable[..., Any]]:
        found: Dict[str, Callable[..., Any]] = {}
        for base in reversed(self.cls.__mro__):
            if base in (object, Lattice):
                continue
            for name, value in vars(base).items():
                if inspect.isfunction(value) and not (name.startswith("__") and name.endswith("__")):
                    found[name] = value
        # Methods can call those before them only.
        return found


class _Method:
    def __init__(self, writer: _Writer, name: str, function: Callable[..., Any]) -> None:
        self.writer, self.name, self.function = writer, name, function
        self.file = function.__code__.co_filename
        self.first = function.__code__.co_firstlineno
        try:
            source = textwrap.dedent(inspect.getsource(function))
            tree = ast.parse(source).body[0]
        except (OSError, TypeError, SyntaxError, IndexError) as error:
            raise ExtensionError(f"{writer.name}.{name}: its source is not at hand ({error})") from error
        if not isinstance(tree, ast.FunctionDef):
            raise ExtensionError(f"{writer.name}.{name}: only a `def` can be translated")
        self.tree = tree
        arguments = [argument.arg for argument in tree.args.args]
        if not arguments or tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or tree.args.defaults:
            self.refuse(tree, "a method has `self` and plain arguments")
        self.self_name = arguments[0]
        self.others: Set[str] = set()
        self.locals: Set[str] = set(arguments[1:])
        self.bound: List[str] = []

    def refuse(self, node: ast.AST, what: str) -> Any:
        line = self.first + getattr(node, "lineno", 1) - 1
        hint = "interpreted=True keeps leq and join in Python" if self.name in ("leq", "join") else None
        error = ExtensionError(f"{self.file}:{line}: {self.writer.name}.{self.name}: {what}", hint=hint)
        error.file, error.line = self.file, line
        raise error

    def text(self) -> str:
        arguments = self.tree.args.args[1:]
        parameters = []
        for argument in arguments:
            kind = ast.unparse(argument.annotation) if argument.annotation else ""
            if self.name in _FIXED or kind.strip("'\"") == self.writer.name:
                self.others.add(argument.arg)
                parameters.append(f"const {self.writer.name} &{argument.arg}")
            elif kind in ("", "int"):
                parameters.append(f"const int {argument.arg}")
            elif kind == "bool":
                parameters.append(f"const bool {argument.arg}")
            else:
                self.refuse(argument, f"arguments are int, bool or {self.writer.name}, not {kind}")
        if self.name in _FIXED and len(arguments) != 1:
            self.refuse(self.tree, "it has `self` and the other element")
        result = {"leq": "bool", "join": "void", "joinable": "bool"}.get(self.name) or self.result()
        body = self.tree.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
            body = body[1:]
        names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        loops = {one for node in ast.walk(self.tree) if isinstance(node, (ast.For, ast.comprehension)) for one in self.targets(node)}
        declared = sorted(names - loops - self.locals)
        self.locals |= set(declared)
        lines = [f"    {result} {self.name}({', '.join(parameters)}) {{"]
        lines += [f"        int {name} = 0;" for name in declared]
        lines += self.block(body, 2)
        return "\n".join(lines + ["    }"])

    def targets(self, node: Union[ast.For, ast.comprehension]) -> List[str]:
        return [node.target.id] if isinstance(node.target, ast.Name) else []

    def result(self) -> str:
        if self.tree.returns is not None:
            kind = ast.unparse(self.tree.returns)
            known = {"int": "int", "bool": "bool", "None": "void"}
            return known.get(kind) or str(self.refuse(self.tree, f"it gives int, bool or None, not {kind}"))
        values = [node.value for node in ast.walk(self.tree) if isinstance(node, ast.Return) and node.value is not None]
        if not values:
            return "void"
        return "bool" if all(isinstance(one, (ast.Compare, ast.BoolOp)) or self.is_truth(one) for one in values) else "int"

    def is_truth(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, bool)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.Not)
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("all", "any", "bool")

    def block(self, body: Sequence[ast.stmt], depth: int) -> List[str]:
        return [line for statement in body for line in self.statement(statement, depth)]

    def statement(self, node: ast.stmt, depth: int) -> List[str]:
        pad = "    " * depth
        if isinstance(node, ast.Pass):
            return []
        if isinstance(node, ast.Return):
            return [f"{pad}return{'' if node.value is None else ' ' + self.expr(node.value)};"]
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return [f"{pad}{self.place(node.targets[0])} = {self.expr(node.value)};"]
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return [f"{pad}{self.place(node.target)} = {self.expr(node.value)};"]
        if isinstance(node, ast.AugAssign):
            place = self.place(node.target)
            combined = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
            return [f"{pad}{place} = {self.binary(combined, place)};"]
        if isinstance(node, ast.If):
            lines = [f"{pad}if ({self.expr(node.test)}) {{", *self.block(node.body, depth + 1), f"{pad}}}"]
            if node.orelse:
                lines += [f"{pad}else {{", *self.block(node.orelse, depth + 1), f"{pad}}}"]
            return lines
        if isinstance(node, ast.While) and not node.orelse:
            return [f"{pad}while ({self.expr(node.test)}) {{", *self.block(node.body, depth + 1), f"{pad}}}"]
        if isinstance(node, ast.For) and not node.orelse:
            name, low, high = self.range(node.target, node.iter)
            self.bound.append(name)
            body = self.block(node.body, depth + 1)
            self.bound.pop()
            return [f"{pad}for ({name} : int[{low},{high}]) {{", *body, f"{pad}}}"]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return [f"{pad}{self.expr(node.value)};"]
        return list(self.refuse(node, f"`{ast.unparse(node).splitlines()[0]}` cannot be translated"))

    def range(self, target: ast.expr, iterator: ast.expr) -> Tuple[str, str, str]:
        if not isinstance(target, ast.Name):
            self.refuse(target, "a loop has one variable")
        call = iterator
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range" and not call.keywords):
            self.refuse(iterator, "loops go over `range(…)`")
        assert isinstance(target, ast.Name) and isinstance(call, ast.Call)
        if len(call.args) > 2:
            self.refuse(iterator, "a range has no step")
        low = "0" if len(call.args) == 1 else self.expr(call.args[0])
        return target.id, low, f"{self.expr(call.args[-1])} - 1"

    def place(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            if node.id in self.bound:
                self.refuse(node, f"`{node.id}` is the variable of a loop")
            return node.id
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.self_name:
            return self.expr(node)
        if isinstance(node, ast.Subscript):
            return f"{self.place(node.value)}[{self.expr(node.slice)}]"
        return str(self.refuse(node, f"`{ast.unparse(node)}` cannot be assigned to"))

    def expr(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool):
                return "true" if node.value else "false"
            if isinstance(node.value, int):
                return str(node.value)
        elif isinstance(node, ast.Name):
            if node.id in self.locals or node.id in self.bound or node.id in self.writer.cls._dimensions:
                return node.id
            value = self.function.__globals__.get(node.id)
            if isinstance(value, int):
                return str(int(value))
            return str(self.refuse(node, f"`{node.id}` is no argument, local variable or number"))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return self.attribute(node, node.value.id)
        elif isinstance(node, ast.Subscript):
            return f"{self.expr(node.value)}[{self.expr(node.slice)}]"
        elif isinstance(node, ast.BinOp):
            return self.binary(node, self.expr(node.left))
        elif isinstance(node, ast.UnaryOp):
            sign = {ast.Not: "!", ast.USub: "-", ast.UAdd: "+"}.get(type(node.op))
            if sign:
                return f"({sign}{self.expr(node.operand)})"
        elif isinstance(node, ast.BoolOp):
            word = " && " if isinstance(node.op, ast.And) else " || "
            return "(" + word.join(self.expr(one) for one in node.values) + ")"
        elif isinstance(node, ast.Compare):
            return self.compare(node)
        elif isinstance(node, ast.IfExp):
            return f"({self.expr(node.test)} ? {self.expr(node.body)} : {self.expr(node.orelse)})"
        elif isinstance(node, ast.Call) and not node.keywords:
            return self.call(node)
        return str(self.refuse(node, f"`{ast.unparse(node)}` cannot be translated"))

    def attribute(self, node: ast.Attribute, owner: str) -> str:
        cls = self.writer.cls
        if owner == self.self_name or owner in self.others:
            if node.attr in cls._dimensions:
                return node.attr
            if node.attr in cls._fields:
                return node.attr if owner == self.self_name else f"{owner}.{node.attr}"
        return str(self.refuse(node, f"{self.writer.name} has no field `{node.attr}`"))

    def binary(self, node: ast.BinOp, left: str) -> str:
        right = self.expr(node.right)
        sign = _OPERATORS.get(type(node.op))
        if sign:
            return f"({left} {sign} {right})"
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            # The models' language rounds towards zero, and Python downwards.
            uneven = f"({left} % {right} != 0 && ({left} < 0) != ({right} < 0))"
            if isinstance(node.op, ast.FloorDiv):
                return f"({left} / {right} - ({uneven} ? 1 : 0))"
            return f"({left} % {right} + ({uneven} ? {right} : 0))"
        return str(self.refuse(node, f"`{ast.unparse(node)}` cannot be translated"))

    def compare(self, node: ast.Compare) -> str:
        parts = []
        left = node.left
        for operator, right in zip(node.ops, node.comparators):
            sign = _COMPARISONS.get(type(operator))
            if sign is None:
                self.refuse(node, f"`{ast.unparse(node)}` cannot be translated")
            parts.append(f"({self.expr(left)} {sign} {self.expr(right)})")
            left = right
        return parts[0] if len(parts) == 1 else "(" + " && ".join(parts) + ")"

    def call(self, node: ast.Call) -> str:
        function = node.func
        if isinstance(function, ast.Name):
            name = function.id
            if name in ("all", "any", "sum") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
                return self.quantifier(name, node.args[0])
            arguments = [self.expr(one) for one in node.args]
            if name in ("min", "max") and len(arguments) >= 2:
                sign = "<=" if name == "min" else ">="
                found = arguments[0]
                for one in arguments[1:]:
                    found = f"({found} {sign} {one} ? {found} : {one})"
                return found
            if name == "abs" and len(arguments) == 1:
                return f"({arguments[0]} < 0 ? -({arguments[0]}) : {arguments[0]})"
            if name == "int" and len(arguments) == 1:
                return f"({arguments[0]} ? 1 : 0)" if self.is_truth(node.args[0]) else arguments[0]
            if name == "bool" and len(arguments) == 1:
                return f"({arguments[0]} != 0)"
        elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            owner = function.value.id
            if owner == self.self_name and callable(getattr(self.writer.cls, function.attr, None)):
                return f"{function.attr}({', '.join(self.expr(one) for one in node.args)})"
            if owner in self.others and callable(getattr(self.writer.cls, function.attr, None)):
                return f"{owner}.{function.attr}({', '.join(self.expr(one) for one in node.args)})"
        return str(self.refuse(node, f"`{ast.unparse(node)}` cannot be translated"))

    def quantifier(self, name: str, node: ast.GeneratorExp) -> str:
        word = {"all": "forall", "any": "exists", "sum": "sum"}[name]
        head = ""
        opened = []
        for loop in node.generators:
            variable, low, high = self.range(loop.target, loop.iter)
            if loop.ifs:
                self.refuse(node, "write a condition into the expression: `all(not c or e for …)`")
            head += f"{word} ({variable} : int[{low},{high}]) "
            self.bound.append(variable)
            opened.append(variable)
        body = self.expr(node.elt)
        del self.bound[len(self.bound) - len(opened) :]
        return f"({head}({body}))"
