"""`LazyArray`: NumPy's operators, methods and protocols on top of the hooks of `LazyValue`."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy

from . import public
from .errors import ArgumentError, DTypeError, TraceError, UnsupportedError
from .frame import LazyValue, call, frame_of, operand, store
from .functions import elementwise, late
from .ir.node import Graph, Node
from .layout import contiguous_strides
from .namespace import BY_NUMPY, FUNCTIONS, lookup, unsupported
from .promotion import NUMBERS, Operand, cast_error, from_numpy

if TYPE_CHECKING:
    from .views import View

UNROLL_LIMIT = 1024
"""The most elements that iterating over an array makes arrays of."""

_ABOUT: dict[Any, Callable[..., Any]] = {
    numpy.ndim: lambda a: a.ndim,
    numpy.shape: lambda a: a.shape,
    numpy.size: lambda a, axis=None: a.size if axis is None else a.shape[axis],
    numpy.iscomplexobj: lambda x: False,
    numpy.isrealobj: lambda x: True,
    numpy.may_share_memory: lambda *_arrays, max_work=None: True,
    numpy.iterable: lambda y: bool(y.shape),
}
"""Functions of NumPy's about arrays rather than of their values."""

_OPERAND_TYPES = (LazyValue, numpy.ndarray, numpy.generic, int, float, list, tuple)
_DTYPES: dict[str, numpy.dtype[Any]] = {}


class MissingAttributeError(UnsupportedError, AttributeError):
    """An attribute of ndarray that lazy arrays do not have."""


def _binary(
    function: Callable[..., Node],
) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """The operator, the reflected one and the one in place."""

    def forward(self: LazyArray, other: Any) -> Any:
        kind = other.__class__
        if kind in NUMBERS or kind is self.__class__:
            return self._frame.binary(function, self, other)
        if not isinstance(other, _OPERAND_TYPES):
            return _foreign(other)
        return call(function, (self, other))

    def reflected(self: LazyArray, other: Any) -> Any:
        if other.__class__ in NUMBERS:
            return self._frame.binary(function, other, self)
        if not isinstance(other, _OPERAND_TYPES):
            return _foreign(other)
        return call(function, (other, self))

    def in_place(self: LazyArray, other: Any) -> Any:
        if not isinstance(other, _OPERAND_TYPES):
            return _foreign(other)
        return self._in_place(function, other)

    return forward, reflected, in_place


def _foreign(other: Any) -> Any:
    if isinstance(other, complex):
        raise UnsupportedError(
            "complex numbers are not supported; keep the real and imaginary parts in two arrays"
        )
    return NotImplemented


def _compared(function: Callable[..., Node], different: bool) -> Callable[..., Any]:
    """`==` or `!=`: every element differs from what is no number, such as None."""
    compare = _binary(function)[0]

    def method(self: LazyArray, other: Any) -> Any:
        if other is None or isinstance(other, (str, bytes)):
            return public.creation.full(self.shape, different, device=self.device)
        return compare(self, other)

    return method


def _unary(function: Callable[..., Node]) -> Callable[..., Any]:
    def method(self: LazyArray) -> Any:
        return call(function, (self,), key=function)

    return method


def _method(name: str) -> Callable[..., Any]:
    """The method that does what the function of that name does."""

    def method(self: Any, *arguments: Any, **options: Any) -> Any:
        return FUNCTIONS[name].call(self, *arguments, **options)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"`jf.{name}` of this array."
    return method


def _matmul(graph: Graph, x: Operand, y: Operand) -> Node:
    from .functions.products import matmul

    return matmul(graph, x, y)


class LazyArray(LazyValue):
    """An array whose value is a node of a graph. Behaves as an ndarray of the same shape and dtype.

    Subclasses give the hooks of `LazyValue`; none of the methods here is overridden, but `_in_place`,
    `_element` and what a subclass does not have.
    """

    __slots__ = ()
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]

    __add__, __radd__, __iadd__ = _binary(elementwise.add)
    __sub__, __rsub__, __isub__ = _binary(elementwise.subtract)
    __mul__, __rmul__, __imul__ = _binary(elementwise.multiply)
    __truediv__, __rtruediv__, __itruediv__ = _binary(elementwise.divide)
    __floordiv__, __rfloordiv__, __ifloordiv__ = _binary(late("division", "floor_divide"))
    __mod__, __rmod__, __imod__ = _binary(late("division", "remainder"))
    __pow__, __rpow__, __ipow__ = _binary(late("division", "power_operator"))
    __matmul__, __rmatmul__, __imatmul__ = _binary(_matmul)
    __and__, __rand__, __iand__ = _binary(elementwise.bitwise_and)
    __or__, __ror__, __ior__ = _binary(elementwise.bitwise_or)
    __xor__, __rxor__, __ixor__ = _binary(elementwise.bitwise_xor)
    __lshift__, __rlshift__, __ilshift__ = _binary(elementwise.left_shift)
    __rshift__, __rrshift__, __irshift__ = _binary(elementwise.right_shift)
    __lt__ = _binary(elementwise.less)[0]
    __le__ = _binary(elementwise.less_equal)[0]
    __gt__ = _binary(elementwise.greater)[0]
    __ge__ = _binary(elementwise.greater_equal)[0]
    __eq__ = _compared(elementwise.equal, False)
    __ne__ = _compared(elementwise.not_equal, True)
    __neg__ = _unary(elementwise.negative)
    __pos__ = _unary(elementwise.positive)
    __abs__ = _unary(elementwise.absolute)
    __invert__ = _unary(elementwise.invert)

    def __divmod__(self, other: Any) -> Any:
        return public.division.divmod(self, other)

    def __rdivmod__(self, other: Any) -> Any:
        return public.division.divmod(other, self)

    def _in_place(self, function: Callable[..., Node], other: Any) -> LazyArray:
        """`self = function(self, other)` in the same array, by NumPy's rules for outputs."""
        frame = frame_of((self, other))
        graph = frame.begin()
        result = function(graph, operand(frame, graph, self), operand(frame, graph, other))
        store(graph, result, self)
        return self

    # Shape and dtype

    @property
    def dtype(self) -> numpy.dtype[Any]:
        name = self._dtype.numpy_name
        found = _DTYPES.get(name)
        if found is None:
            found = _DTYPES[name] = numpy.dtype(name)
        return found

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        return self._dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """NumPy's strides, in bytes. They tell views from copies, not how a device keeps the elements."""
        known = self._strides
        if known is None:
            return contiguous_strides(self.shape, self.itemsize)
        return tuple(stride * self.itemsize for stride in known)

    @property
    def nbytes(self) -> int:
        return self.size * self._dtype.itemsize

    @property
    def device(self) -> str:
        return self._frame.device.name

    @property
    def T(self) -> Any:
        return public.movement.transpose(self)

    @property
    def mT(self) -> Any:
        return public.movement.matrix_transpose(self)

    def __len__(self) -> int:
        if not self.shape:
            raise DTypeError("len() of unsized object")
        return self.shape[0]

    # Elements

    def __getitem__(self, index: Any) -> Any:
        from .indexing import view_at  # many functions index nothing
        from .selection import is_basic, read_selection, select

        if is_basic(index):
            view = view_at(index, self.shape)
            if view.shape or index is Ellipsis or (index.__class__ is tuple and ... in index):
                return self._view(view)
            # NumPy makes a scalar here, which later writes do not change.
            return self._element(view)
        selection = select(index, self.shape)
        return read_selection(self._view(selection.view), selection)

    def _element(self, view: View) -> Any:
        """The one element that a view shows, as it is now."""
        found = self._view(view)
        frame = self._frame
        graph = frame.begin()
        return frame.wrap(graph, operand(frame, graph, found))  # type: ignore[arg-type]

    def __setitem__(self, index: Any, value: Any) -> None:
        from .indexing import view_at  # as above
        from .selection import assigned, is_basic, select, write_selection

        if not is_basic(index):
            write_selection(self, select(index, self.shape), value)
            return
        view = view_at(index, self.shape)
        frame = frame_of((self, value))
        graph = frame.begin()
        given = operand(frame, graph, value)
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
        return iter(public.movement.unstack(self))

    def __contains__(self, value: Any) -> bool:
        return bool(public.reductions.any(self == value))

    # Values

    def __bool__(self) -> bool:
        if self.size > 1:
            raise ArgumentError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        if self.size == 0:
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
            int(call(elementwise.rint, (self,))) if digits is None else public.elementwise.round(self, digits)
        )

    def __complex__(self) -> complex:
        return complex(self._scalar("complex()"))

    def __index__(self) -> int:
        if self.shape or not self._dtype.is_integer:
            raise DTypeError("only integer scalar arrays can be converted to a scalar index")
        return operator.index(self._scalar("an index or a size"))

    def item(self, *position: Any) -> Any:
        if not position and self.size != 1:
            raise ArgumentError("can only convert an array of size 1 to a Python scalar")
        return self._concrete(".item()").item(*position)

    def tolist(self) -> Any:
        return self._concrete(".tolist()").tolist()

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
                raise unsupported(f"np.{ufunc.__name__}")
            return function(*inputs, **options)
        if method == "at":
            from .public.writing import combine_at  # it is made of this module's functions

            return combine_at(ufunc, *inputs)
        from .public.ufunc_methods import find  # few programs name a ufunc's methods

        function = find(ufunc, method)
        if function is not None:
            return function(*inputs, **options)
        raise unsupported(f"np.{ufunc.__name__}.{method}")

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        record = BY_NUMPY.get(function)
        if record is None and function in _ABOUT:
            return _ABOUT[function](*arguments, **options)
        if record is None:
            module = function.__module__.replace("numpy", "np").removesuffix("._core.multiarray")
            raise unsupported(f"{module}.{function.__name__}")
        return record.call(*arguments, **options)

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
            raise ArgumentError(f"array API version {api_version!r} is not known; the newest here is 2024.12")
        return sys.modules["jitframe"]

    def __getattr__(self, name: str) -> Any:
        if hasattr(type(self), name):  # a property's own AttributeError: raised again, not hidden
            return object.__getattribute__(self, name)
        if hasattr(numpy.ndarray, name) and not name.startswith("__"):
            raise MissingAttributeError(str(unsupported(f"ndarray.{name}").args[0]).split("\n")[0])
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # Methods of ndarray

    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        name = from_numpy(dtype).numpy_name
        if casting != "unsafe" and not numpy.can_cast(self.dtype, name, casting):  # type: ignore[arg-type]
            raise cast_error(self.dtype, name, casting)
        return public.creation.astype(self, dtype, copy=copy)

    def to(
        self,
        *target: Any,
        device: Any = None,
        dtype: Any = None,
        copy: bool = False,
        non_blocking: bool = False,
    ) -> Any:
        """The array on a device, in a dtype, or both, as PyTorch writes it: `x.to("opencl")`,
        `x.to(jf.float32)`, `x.to("opencl", jf.float32)`, `x.to(other)` for another array's device and dtype.

        The array itself where it is so already and `copy` is not set. Nothing is waited for in any case.
        A device is named as in `device=`. Raises what `to_device` and `astype` raise, ArgumentError for what
        is given twice.
        """
        return public.creation.converted(self, target, device, dtype, copy)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """The same bytes as another dtype, whose last axis grows or shrinks where the sizes differ."""
        from .views import View  # a rare method

        if dtype is None and type is None:
            return self._view(View.of(self.shape))
        if type is not None:
            raise UnsupportedError("view: the argument type= is not supported; there are no subclasses here")
        target = from_numpy(dtype)
        self._frame.check(target)
        from .reinterpret import reinterpreted

        step = reinterpreted(self.shape, self._strides, self._dtype, target)
        return self._view(View.of(self.shape).then(step))

    def copy(self, order: str = "C") -> Any:
        return public.movement.duplicate(self)

    def __copy__(self) -> Any:
        return public.movement.duplicate(self)

    def __deepcopy__(self, _memory: Any) -> Any:
        return public.movement.duplicate(self)

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        return public.movement.reshape(self, shape[0] if len(shape) == 1 else shape, order, copy=copy)

    def ravel(self, order: str = "C") -> Any:
        return public.movement.ravel(self, order)

    def flatten(self, order: str = "C") -> Any:
        return public.movement.duplicate(public.movement.ravel(self, order))

    def transpose(self, *axes: Any) -> Any:
        order = axes[0] if len(axes) == 1 and not hasattr(axes[0], "__index__") else axes
        return public.movement.transpose(self, order or None)

    def swapaxes(self, axis1: Any, axis2: Any) -> Any:
        return public.movement.swapaxes(self, axis1, axis2)

    def squeeze(self, axis: Any = None) -> Any:
        return public.movement.squeeze(self, axis)

    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Any:
        return public.elementwise.clip(self, min, max, out=out)

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        return public.elementwise.round(self, decimals, out=out)

    def dot(self, other: Any, out: Any = None) -> Any:
        return public.products.dot(self, other, out=out)

    def fill(self, value: Any) -> None:
        self[...] = value

    def compress(self, condition: Any, axis: Any = None, out: Any = None, **options: Any) -> Any:
        return public.indexing.compress(condition, self, axis, out, **options)

    @property
    def real(self) -> Any:
        return self

    @property
    def imag(self) -> Any:
        return public.numeric.imag(self)

    @property
    def flat(self) -> Any:
        from .flat import Flat  # few programs want it

        return Flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        self.flat[:] = value

    sum = _method("sum")
    prod = _method("prod")
    mean = _method("mean")
    var = _method("var")
    std = _method("std")
    max = _method("max")
    min = _method("min")
    all = _method("all")
    any = _method("any")
    argmax = _method("argmax")
    argmin = _method("argmin")
    cumsum = _method("cumsum")
    cumprod = _method("cumprod")
    searchsorted = _method("searchsorted")
    take = _method("take")
    put = _method("put")
    repeat = _method("repeat")
    choose = _method("choose")
    diagonal = _method("diagonal")
    trace = _method("trace")
    nonzero = _method("nonzero")
    conj = conjugate = _method("conj")
