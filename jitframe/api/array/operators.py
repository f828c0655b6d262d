"""The implementations of lazy arrays' operators and methods, by functions on nodes and public ones."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from ... import api
from ...arrays.promotion import NUMBERS, Operand
from ...base.arguments import shown
from ...errors import DTypeError, UnsupportedError
from ...ir.node import Graph, Node
from ..calls import call
from ..frame import LazyValue, SymbolicExtents
from ..index import METHODS
from ..namespace import FUNCTIONS

if TYPE_CHECKING:
    from .lazy_array import LazyArray

OPERATORS: dict[Callable[..., Any], tuple[Callable[..., Node], bool, bool]] = {}
"""For each method of two operands its function on nodes, whether it is reflected, and whether the result is
stored in the first operand."""
_OPERAND_TYPES = (LazyValue, numpy.ndarray, numpy.generic, int, float, complex, list, tuple, range)


def binary(
    function: Callable[..., Node],
) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Returns the operator, the reflected one and the one in place."""

    def forward(self: LazyArray, other: Any) -> Any:
        kind = type(other)
        if kind in NUMBERS or kind is type(self):
            return self._frame.binary(function, self, other)
        if not isinstance(other, _OPERAND_TYPES) and self._yields(other):
            return NotImplemented
        return call(function, (self, other), key=function)

    def reflected(self: LazyArray, other: Any) -> Any:
        if type(other) in NUMBERS:
            return self._frame.binary(function, other, self)
        if not isinstance(other, _OPERAND_TYPES) and self._yields(other):
            return NotImplemented
        return call(function, (other, self), key=function)

    def in_place(self: LazyArray, other: Any) -> Any:
        kind = type(other)
        if kind in NUMBERS or kind is type(self):
            return self._in_place(function, other)
        if isinstance(other, SymbolicExtents) and not self._is_one_number:
            return other.stored_in(self, function)
        if not isinstance(other, _OPERAND_TYPES) and not converts(other):
            return NotImplemented
        return self._in_place(function, other)

    OPERATORS[forward] = function, False, False
    OPERATORS[reflected] = function, True, False
    OPERATORS[in_place] = function, False, True
    return forward, reflected, in_place


def converts(other: Any) -> bool:
    """Whether NumPy makes an array of an object, whose own operators do not answer."""
    return hasattr(other, "__array__") and not isinstance(other, type) and not _answers(other)


def _answers(other: Any) -> bool:
    """Whether the object's own operators answer: a graph of Dask's, an array of unknown length."""
    return hasattr(other, "__dask_graph__") or isinstance(other, SymbolicExtents)


def yields(other: Any, is_number: bool, is_array: bool) -> bool:
    """Whether an operand of another class uses its own operators, beside Python's number or a NumPy array or
    scalar. Raises UnsupportedError where NumPy makes an array of objects of it."""
    if is_array:
        check_no_text(other)
    if is_number or _answers(other) or not _is_of_others(other):
        return is_number or not converts(other)
    protocol = getattr(other, "__array_ufunc__", other)
    if protocol is None or (protocol is other and getattr(other, "__array_priority__", 0) > 0):
        return True
    if is_array and not hasattr(other, "__array__"):
        raise UnsupportedError(
            f"NumPy makes an array of objects of an array and a {type(other).__name__}; give its class "
            "__array_ufunc__ = None, so that its own operators answer"
        )
    return not converts(other)


def check_no_text(other: Any) -> None:
    """Raises DTypeError for texts, which Python would repeat by an array of one integer."""
    if isinstance(other, (str, bytes, bytearray)):
        raise DTypeError(f"arrays of numbers do not compute with texts: {shown(other)}")


def _is_of_others(other: Any) -> bool:
    """Whether its class is neither Python's nor jitframe's."""
    module = str(type(other).__module__)  # of what stands for classes in a trace it is a property
    return module.partition(".")[0] not in ("builtins", "jitframe")


def compared(function: Callable[..., Node], different: bool) -> Callable[..., Any]:
    """Makes `==` or `!=`: every element differs from an object that is no number, such as None."""
    compare = binary(function)[0]

    def method(self: LazyArray, other: Any) -> Any:
        if not isinstance(other, _OPERAND_TYPES) and (self._is_number or not converts(other)):
            if _answers(other) or (self._is_number and _is_of_others(other)):
                return NotImplemented
            if isinstance(other, numbers.Number):
                raise UnsupportedError(
                    f"an array is not compared with a {type(other).__name__}; write float(y)"
                )
            return api.creation.constructors.full(self.shape, different, device=self.device)
        return compare(self, other)

    OPERATORS[method] = function, False, False
    return method


def unary(function: Callable[..., Node]) -> Callable[..., Any]:
    def method(self: LazyArray) -> Any:
        return self._frame.unary(function, self, function)

    return method


class _Like:
    """Shows the parameters of the function for its method; loads the function's module for that."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def __signature__(self) -> Any:
        import inspect

        signature = inspect.signature(FUNCTIONS[self._name].call)
        first, *rest = signature.parameters.values()
        return signature.replace(parameters=[first.replace(name="self", kind=first.POSITIONAL_ONLY), *rest])


def _method(name: str, example: str) -> Callable[..., Any]:
    """Makes the method that calls the function of that name."""

    def method(self: Any, *arguments: Any, **options: Any) -> Any:
        return FUNCTIONS[name].call(self, *arguments, **options)

    method.__name__ = method.__qualname__ = name
    method.__wrapped__ = _Like(name)  # type: ignore[attr-defined]
    method.__doc__ = f"`jf.{name}` of this array, with its other parameters.\n\n{example}"
    return method


class FunctionMethods:
    """The methods that call functions of the same name, as the registry declares them."""

    __slots__ = ()
    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


for _name, _example in METHODS.items():
    setattr(FunctionMethods, _name, _method(_name, _example))


def matmul(graph: Graph, x: Operand, y: Operand) -> Node:
    from ...functions.products import matmul  # 8 ms that most programs need not

    return matmul(graph, x, y)
