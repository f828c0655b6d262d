"""Optional values: a traced flag that says whether the value is None, and the value.

The flag answers `is None`, `==` and the truth of such a value. All other uses add a check that the value is
there: where it is None, Python answers the call and raises its own exception.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy

from ...api.calls import operand
from ...api.frame import innermost_frame
from ...arrays.promotion import Operand, Weak
from ...errors import NumberError, TraceError
from ...functions.elementwise import logical_not
from ...functions.operands import strong, truth
from ...ir.node import Graph, Node
from .cells import Cell
from .python_numbers import BEYOND, look_at
from .traced import ARRAY, TracedArray

_USED = "None is used as a value"


class OptionalNumber(TracedArray):
    """A number, or None."""

    __slots__ = ("_inner", "_present")
    _may_be_none = True

    def __init__(self, present: Any, value: TracedArray) -> None:
        super().__init__(value._cell, value._path, value._kind)
        self._present = present
        self._inner = value
        """The number, without a check."""

    def _certain(self) -> TracedArray:
        """Returns the number, and checks at run time that it is there."""
        frame: Any = innermost_frame()
        graph = frame.begin()
        given = operand(frame, graph, self._inner)
        node = given.node if isinstance(given, Weak) else strong(graph, given)
        present = truth(graph, strong(graph, operand(frame, graph, self._present)))
        made = look_at(frame, node, logical_not(graph, present), BEYOND, _USED)
        return TracedArray(Cell(frame, made), None, self._kind)

    def _operand(self, graph: Graph) -> Operand:
        return self._certain()._operand(graph)

    def _node(self, graph: Graph) -> Node:
        if innermost_frame() is not self._cell.frame:
            raise TraceError("a number that may be None is used in another loop or branch")
        return self._certain()._node(graph)

    def _known(self) -> numpy.ndarray | None:
        return None

    def _value_by_arguments(self) -> numpy.ndarray | None:
        return None

    def _concrete(self, purpose: str, lasting: bool = False) -> numpy.ndarray:
        raise TraceError(f"a number that may be None is needed now for {purpose}")

    def __eq__(self, other: object) -> Any:
        return _compared("==", self, other)

    def __ne__(self, other: object) -> Any:
        return _compared("!=", self, other)

    __hash__ = TracedArray.__hash__


class OptionalObject:
    """A tuple, list or array, or None."""

    __slots__ = ("_inner", "_present")
    _may_be_none = True

    def __init__(self, present: Any, value: Any) -> None:
        self._present = present
        self._inner = value

    def _certain(self) -> Any:
        """Returns the value, and checks at run time that it is there."""
        frame: Any = innermost_frame()
        frame.root.hooks.raise_unless(self._present, NumberError(_USED))
        return self._inner

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._certain(), name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._certain())

    def __eq__(self, other: object) -> Any:
        return _compared("==", self, other)

    def __ne__(self, other: object) -> Any:
        return _compared("!=", self, other)

    __hash__ = None  # type: ignore[assignment]

    def _refuse(self, *_arguments: Any, **_options: Any) -> NoReturn:
        raise TraceError("an array or sequence that may be None is given to a function of NumPy's")

    __array__ = __array_ufunc__ = __array_function__ = _refuse


def _forwarded(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: OptionalObject, *arguments: Any) -> Any:
        return function(self._certain(), *arguments)

    return method


def _reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: OptionalObject, other: Any) -> Any:
        return function(other, self._certain())

    return method


for _name in ("getitem", "setitem", "contains", "lt", "le", "gt", "ge", "neg", "len"):
    _function = len if _name == "len" else getattr(operator, f"__{_name}__")
    setattr(OptionalObject, f"__{_name}__", _forwarded(_function))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    _function = getattr(operator, f"__{_name}__")
    setattr(OptionalObject, f"__{_name}__", _forwarded(_function))
    setattr(OptionalObject, f"__r{_name}__", _reflected(_function))


def _compared(symbol: str, value: Any, other: Any) -> Any:
    frame: Any = innermost_frame()
    return frame.root.hooks.compare(value, symbol, other)


def may_be_none(value: Any) -> bool:
    """Whether it is a traced value that may be None."""
    return getattr(type(value), "_may_be_none", False)


def certain(value: Any) -> Any:
    """Returns a tuple, list or array after a check at run time that it is there; other values unchanged."""
    return value._certain() if type(value) is OptionalObject else value


def optional(present: Any, value: Any) -> Any:
    """Returns a value that is None where a flag is false."""
    if isinstance(value, TracedArray) and value._kind != ARRAY and not value._shape:
        return OptionalNumber(present, value)
    return OptionalObject(present, value)
