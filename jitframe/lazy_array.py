"""`LazyArray`: NumPy's operators, methods and protocols on top of the hooks of `LazyValue`."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from . import public
from .arguments import order_of, shown
from .boundary import guarded
from .errors import ArgumentError, DTypeError, TraceError, UnsupportedError
from .frame import LazyValue, call, frame_of, operand, store
from .functions import elementwise, late
from .indexing import view_at
from .ir.node import Node
from .layout import contiguous_strides
from .namespace import BY_NUMPY, lookup, unsupported
from .operators import binary, compared, matmul, method, unary
from .promotion import cast_error, from_numpy
from .selection import assigned, is_basic, read_selection, select, write_selection
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

_DTYPES: dict[str, numpy.dtype[Any]] = {}


class MissingAttributeError(UnsupportedError, AttributeError):
    """An attribute of ndarray that lazy arrays do not have."""


class LazyArray(LazyValue):
    """An array whose value is a node of a graph. Behaves as an ndarray of the same shape and dtype.

    Subclasses give the hooks of `LazyValue`; none of the methods here is overridden, but `_in_place`,
    `_element` and what a subclass does not have.
    """

    __slots__ = ()
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]

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

    @guarded
    def item(self, *position: Any) -> Any:
        if not position and self.size != 1:
            raise ArgumentError("can only convert an array of size 1 to a Python scalar")
        return self._concrete(".item()").item(*position)

    @guarded
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

    @guarded
    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        name = from_numpy(dtype).numpy_name
        if casting != "unsafe" and not numpy.can_cast(self.dtype, name, casting):  # type: ignore[arg-type]
            raise cast_error(self.dtype, name, casting)
        return public.creation.astype(self, dtype, copy=copy)

    @guarded
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

    @guarded
    def view(self, dtype: Any = numpy._NoValue, type: Any = None) -> Any:
        """The same bytes as another dtype, whose last axis grows or shrinks where the sizes differ."""
        if dtype is numpy._NoValue and type is None:
            return self._view(View.of(self.shape))
        if type is not None:
            raise UnsupportedError("view: the argument type= is not supported; there are no subclasses here")
        target = from_numpy(dtype)
        self._frame.check(target)
        from .reinterpret import reinterpreted

        step = reinterpreted(self.shape, self._strides, self._dtype, target)
        return self._view(View.of(self.shape).then(step))

    @guarded
    def copy(self, order: Any = "C") -> Any:
        order_of(order)
        return public.movement.duplicate(self)

    def __copy__(self) -> Any:
        return public.movement.duplicate(self)

    def __deepcopy__(self, _memory: Any) -> Any:
        return public.movement.duplicate(self)

    @guarded
    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        return public.movement.reshape(self, shape[0] if len(shape) == 1 else shape, order, copy=copy)

    @guarded
    def ravel(self, order: str = "C") -> Any:
        return public.movement.ravel(self, order)

    @guarded
    def flatten(self, order: str = "C") -> Any:
        return public.movement.duplicate(public.movement.ravel(self, order))

    @guarded
    def transpose(self, *axes: Any) -> Any:
        if len(axes) == 1 and not hasattr(axes[0], "__index__"):
            return public.movement.transpose(self, axes[0])
        return public.movement.transpose(self, axes or None)

    @guarded
    def swapaxes(self, axis1: Any, axis2: Any) -> Any:
        return public.movement.swapaxes(self, axis1, axis2)

    @guarded
    def squeeze(self, axis: Any = None) -> Any:
        return public.movement.squeeze(self, axis)

    @guarded
    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Any:
        return public.elementwise.clip(self, min, max, out=out)

    @guarded
    def round(self, decimals: int = 0, out: Any = None) -> Any:
        return public.elementwise.round(self, decimals, out=out)

    @guarded
    def dot(self, b: Any, out: Any = None) -> Any:
        return public.products.dot(self, b, out=out)

    @guarded
    def fill(self, value: Any) -> None:
        if isinstance(value, (list, tuple)) or (hasattr(value, "__array__") and numpy.shape(value) != ()):
            raise ArgumentError(
                f"fill takes one value, not {shown(value)}: setting an array element with a sequence"
            )
        self[...] = value

    @guarded
    def compress(self, condition: Any, axis: Any = None, out: Any = None, **options: Any) -> Any:
        return public.indexing.compress(condition, self, axis, out, **options)

    @guarded
    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        public.writing.put(self, indices, values, mode)

    @guarded
    def conj(self) -> Any:
        return self

    conjugate = conj

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

    sum = method("sum")
    prod = method("prod")
    mean = method("mean")
    var = method("var")
    std = method("std")
    max = method("max")
    min = method("min")
    all = method("all")
    any = method("any")
    argmax = method("argmax")
    argmin = method("argmin")
    cumsum = method("cumsum")
    cumprod = method("cumprod")
    searchsorted = method("searchsorted")
    take = method("take")
    repeat = method("repeat")
    choose = method("choose")
    diagonal = method("diagonal")
    trace = method("trace")
    nonzero = method("nonzero")
