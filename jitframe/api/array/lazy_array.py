"""`LazyArray`: NumPy's operators, methods and protocols on top of the hooks of `LazyValue`."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from ... import api
from ...arrays.indexing import view_at
from ...arrays.views import View
from ...errors import ArgumentError, DTypeError, KindError, TraceError, UnsupportedError
from ...functions import elementwise, late
from ...ir.node import Node
from ..calls import call, operand, store
from ..frame import frame_of
from ..indexing.selection import (
    assigned,
    check_single,
    is_basic,
    names_element,
    read_selection,
    select,
    write_selection,
)
from ..namespace import BY_NUMPY, lookup, unsupported
from .array_methods import ArrayMethods
from .operators import binary, check_no_text, compared, converts, matmul, unary

UNROLL_LIMIT = 1024
"""The most elements for which iteration over an array makes arrays."""
_API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


class MissingAttributeError(UnsupportedError, AttributeError):
    """An attribute of ndarray that lazy arrays do not have."""


class _Missing:
    """The descriptor of such an attribute. NumPy would call a `__getattr__` at every look-up of an array
    protocol, which takes longer than reading the value."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, array: Any, owner: type) -> Any:
        raise MissingAttributeError(str(unsupported(f"ndarray.{self._name}").args[0]).split("\n")[0])


class LazyArray(ArrayMethods):
    """An array whose value is a node of a graph. Behaves as an ndarray of the same shape and dtype.

    Subclasses implement the hooks of `LazyValue`; they override none of the methods here, except `_in_place`,
    `_indexed`, `_element`, `__iter__`, `_by_numpy` and missing attributes.
    """

    __slots__ = ()
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]
    _is_number = False
    """Whether it represents a Python number."""

    __add__, __radd__, __iadd__ = binary(elementwise.add)
    __sub__, __rsub__, __isub__ = binary(elementwise.subtract)
    __mul__, __rmul__, __imul__ = binary(elementwise.multiply)
    __truediv__, __rtruediv__, __itruediv__ = binary(elementwise.divide)
    __floordiv__, __rfloordiv__, __ifloordiv__ = binary(late("division", "floor_divide"))
    __mod__, __rmod__, __imod__ = binary(late("division", "remainder"))
    __pow__, __rpow__, __ipow__ = binary(late("division", "power_operator"))
    __matmul__, __rmatmul__, __imatmul__ = binary(matmul)
    __and__, __rand__, __iand__ = binary(elementwise.bitwise_and)
    __or__, __ror__, __ior__ = binary(elementwise.bitwise_or)
    __xor__, __rxor__, __ixor__ = binary(elementwise.bitwise_xor)
    __lshift__, __rlshift__, __ilshift__ = binary(elementwise.left_shift)
    __rshift__, __rrshift__, __irshift__ = binary(elementwise.right_shift)
    __lt__ = binary(elementwise.less)[0]
    __le__ = binary(elementwise.less_equal)[0]
    __gt__ = binary(elementwise.greater)[0]
    __ge__ = binary(elementwise.greater_equal)[0]
    __eq__ = compared(elementwise.equal, False)
    __ne__ = compared(elementwise.not_equal, True)
    __neg__ = unary(elementwise.negative)
    __pos__ = unary(elementwise.positive)
    __abs__ = unary(elementwise.absolute)
    __invert__ = unary(elementwise.invert)

    def __divmod__(self, other: Any) -> Any:
        return api.elementwise.division.divmod(self, other)

    def __rdivmod__(self, other: Any) -> Any:
        return api.elementwise.division.divmod(other, self)

    def _yields(self, other: Any) -> bool:
        """Whether the operators of an operand that is neither an array nor a number take precedence."""
        check_no_text(other)
        return not converts(other)

    def _in_place(self, function: Callable[..., Node], other: Any) -> LazyArray:
        """`self = function(self, other)` in the same array, by NumPy's rules for outputs."""
        frame = frame_of((self, other))
        graph = frame.begin()
        operands = operand(frame, graph, self), operand(frame, graph, other)
        store(graph, graph.result(function, function, operands, ()), self)
        return self

    def __len__(self) -> int:
        if not self.shape:
            raise DTypeError("len() of unsized object")
        return self.shape[0]

    # Elements

    def __getitem__(self, index: Any) -> Any:
        if is_basic(index):
            view = view_at(index, self.shape)
            if not names_element(index, view.shape):
                return self._indexed(view)
            # NumPy makes a scalar here, which later writes do not change.
            return self._element(view)
        selection = select(index, self.shape)
        return read_selection(self._view(selection.view), selection)

    def _indexed(self, view: View) -> Any:
        """Returns the view of an index without arrays: NumPy never copies it."""
        return self._view(view)

    def _element(self, view: View) -> Any:
        """Returns the one element of a view, as it is now."""
        lazy_value = self._view(view)
        frame = self._frame
        graph = frame.begin()
        return frame.wrap(graph, operand(frame, graph, lazy_value))  # type: ignore[arg-type]

    def __setitem__(self, index: Any, value: Any) -> None:
        if not is_basic(index):
            selection = select(index, self.shape)
            if names_element(index, selection.result):
                check_single(value, self._dtype)
            write_selection(self, selection, value)
            return
        view = view_at(index, self.shape)
        frame = frame_of((self, value))
        graph = frame.begin()
        given = operand(frame, graph, value)
        if names_element(index, view.shape):
            check_single(value, self._dtype)
        self._assign_view(graph, view, assigned(graph, given, self._dtype, view.shape))

    def __delitem__(self, index: Any) -> None:
        raise ArgumentError("cannot delete array elements; np.delete(x, index) gives an array without them")

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise DTypeError("iteration over a 0-d array")
        if self.shape[0] > UNROLL_LIMIT:
            raise TraceError(
                f"iterating over an axis of {self.shape[0]} elements makes a program of as many parts (the "
                f"limit is "
                f"{UNROLL_LIMIT}); write it with whole arrays, or with jf.fori_loop"
            )
        return iter(api.movement.unstack(self))

    def __contains__(self, value: Any) -> bool:
        return bool(api.reductions.any(self == value))

    # Values

    def __bool__(self) -> bool:
        size = self.size if self.shape else 1
        if size > 1:
            raise ArgumentError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        if size == 0:
            raise ArgumentError(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
                "array is not empty."
            )
        return bool(self._concrete("a condition (if, while, and, or, not, bool())"))

    def _scalar(self, purpose: str) -> Any:
        if self.shape:
            raise DTypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self._concrete(purpose)[()]

    def __float__(self) -> float:
        return float(self._scalar("float()"))

    def __int__(self) -> int:
        return int(self._scalar("int()"))

    def __format__(self, specification: str) -> str:
        if not specification:
            return str(self)
        if self.shape:
            raise DTypeError(
                f"an array takes no format specification, and {specification!r} was given; format its "
                'numbers, as in f"{x[0]:.3f}"'
            )
        return format(self._scalar("format()"), specification)

    def __round__(self, digits: Any = None) -> Any:
        if self.shape:
            raise DTypeError("type numpy.ndarray doesn't define __round__ method; write np.round(x)")
        return (
            int(call(elementwise.rint, (self,)))
            if digits is None
            else api.elementwise.arithmetic.round(self, digits)
        )

    def __complex__(self) -> complex:
        return complex(self._scalar("complex()"))

    def __index__(self) -> int:
        if self.shape or not self._dtype.is_integer:
            raise KindError("only integer scalar arrays can be converted to a scalar index")
        return operator.index(self._scalar("an index or a size"))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray:
        value = self._concrete("np.asarray()")
        if copy is False and dtype is not None and value.dtype != dtype:
            raise ArgumentError("a cast needs a copy, and copy=False was given")
        return numpy.array(value, dtype=dtype) if copy else numpy.asarray(value, dtype=dtype)

    # NumPy's protocols

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__":
            function = lookup(ufunc)
            if function is None:
                library = "np" if getattr(numpy, ufunc.__name__, None) is ufunc else "ufunc"
                return self._by_numpy(f"{library}.{ufunc.__name__}", ufunc, inputs, options)
            return function(*inputs, **options)
        from .ufunc_methods import find  # few programs name a ufunc's methods

        function = find(ufunc, method)
        if function is not None:
            return function(*inputs, **options)
        return self._by_numpy(f"np.{ufunc.__name__}.{method}", getattr(ufunc, method), inputs, options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        record = BY_NUMPY.get(function)
        if record is None:
            module = function.__module__.replace("numpy", "np").removesuffix("._core.multiarray")
            return self._by_numpy(f"{module}.{function.__name__}", function, arguments, options)
        return record.call(*arguments, **options)

    def _by_numpy(self, name: str, function: Any, arguments: Any, options: Any) -> Any:
        """Computes a function that jitframe lacks."""
        raise unsupported(name)

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        if api_version not in (None, *_API_VERSIONS):
            raise ArgumentError(
                f"array API version {api_version!r} is not known; the newest here is {_API_VERSIONS[-1]}"
            )
        return sys.modules["jitframe"]


for _name in dir(numpy.ndarray):
    if not _name.startswith("__") and not hasattr(LazyArray, _name):
        setattr(LazyArray, _name, _Missing(_name))
