"""New arrays: from numbers, sequences and ndarrays, of constants and of ranges."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy

from ..errors import ArgumentError, DeviceError, DTypeError
from ..frame import Frame, LazyValue, call, current_frame, frame_of, holds_lazy, operand, plain_array
from ..functions import creation
from ..functions import elementwise as nodes
from ..functions.operands import cast, strong
from ..ir.node import Graph, Node
from ..ir.types import F64, DType
from ..promotion import NUMBERS, Number, from_numpy, result_dtype
from .movement import duplicate
from .signature import optional_dtype, refuse


def check_device(device: Any) -> None:
    """Raises unless arrays can be made on `device`."""
    if device not in (None, "cpu"):
        raise DeviceError(f"device {device!r} is not available; this process has: cpu")


def asarray(
    obj: Any, /, dtype: Any = None, order: str = "K", *, device: Any = None, copy: bool | None = None
) -> Any:
    """A lazy array of `obj`: a number, nested sequence, ndarray or lazy array.

    An ndarray is copied,
    unless nobody can write to it or `copy=False`: a later write would change a lazy result.
    """
    check_device(device)
    refuse("asarray", "order", "K" if order == "C" else order)
    wanted = optional_dtype(dtype)
    if isinstance(obj, LazyValue):
        if wanted is None or wanted is obj._dtype:
            return duplicate(obj) if copy else obj
        if copy is False:
            raise ArgumentError(
                f"asarray: a cast from {obj._dtype.numpy_name} to {wanted.numpy_name} needs a copy"
            )
        return astype(obj, wanted)
    if isinstance(obj, (list, tuple)) and holds_lazy(obj):
        made = call(strong, (obj,))
        return made if wanted is None else astype(made, wanted, copy=False)
    if copy is False and not isinstance(obj, numpy.ndarray):
        raise ArgumentError(f"asarray: a {type(obj).__name__} cannot be taken without a copy")
    array = plain_array(obj) if wanted is None else _plain_as(obj, wanted)
    if copy is False and array is not obj and not numpy.shares_memory(array, obj):
        raise ArgumentError("asarray: the cast needs a copy")
    fresh = array is not obj and not isinstance(obj, numpy.ndarray)
    return current_frame().array(array, False if fresh else copy)


def _plain_as(obj: Any, dtype: DType) -> numpy.ndarray:
    source = plain_array(obj) if isinstance(obj, (numpy.ndarray, numpy.generic)) else obj
    try:
        with numpy.errstate(invalid="ignore", over="ignore"):
            return numpy.asarray(source, dtype=dtype.numpy_name)
    except (TypeError, ValueError) as error:
        raise DTypeError(f"asarray: {error}") from None


def array(
    object: Any, dtype: Any = None, *, copy: bool | None = True, order: str = "K", **options: Any
) -> Any:
    """`np.array`: as `asarray`, and always a new array."""
    for name, value in options.items():
        if name != "ndmin" or value != 0:
            refuse("array", name, value)
    return asarray(object, dtype, order, copy=copy)


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """`x` cast to a dtype, by NumPy's unsafe casting."""
    check_device(device)
    wanted = from_numpy(dtype)
    if isinstance(x, LazyValue) and x._dtype is wanted and not copy:
        return x

    def converted(graph: Graph, node: Any) -> Node:
        return cast(graph, strong(graph, node), wanted)

    return call(converted, (x,))


def _made(frame: Frame, function: Callable[..., Node], *arguments: Any) -> Any:
    graph = frame.begin()
    return frame.wrap(graph, function(graph, *arguments))


def _constant(function: Callable[..., Node], name: str) -> Callable[..., Any]:
    def public(
        shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None
    ) -> Any:
        check_device(device)
        return _made(frame_of((like,)), function, shape, F64 if dtype is None else from_numpy(dtype))

    def public_like(
        x: Any,
        /,
        dtype: Any = None,
        order: str = "K",
        subok: bool = True,
        shape: Any = None,
        *,
        device: Any = None,
    ) -> Any:
        check_device(device)
        extents, found = _like(x, shape, dtype)
        return _made(frame_of((x,)), function, extents, found)

    public.__name__ = public.__qualname__ = name
    public.__doc__ = function.__doc__
    public_like.__name__ = public_like.__qualname__ = f"{name}_like"
    public_like.__doc__ = f"As `{name}`, in the shape and dtype of `x`."
    public.like = public_like  # type: ignore[attr-defined]
    return public


def _like(x: Any, shape: Any, dtype: Any) -> tuple[Any, DType]:
    if isinstance(x, LazyValue):
        own_shape, own_dtype = x.shape, x._dtype
    else:
        plain = plain_array(x)
        own_shape, own_dtype = plain.shape, from_numpy(plain.dtype)
    return own_shape if shape is None else shape, own_dtype if dtype is None else from_numpy(dtype)


zeros = _constant(creation.zeros, "zeros")
ones = _constant(creation.ones, "ones")
empty = _constant(creation.empty, "empty")
zeros_like = zeros.like  # type: ignore[attr-defined]
ones_like = ones.like  # type: ignore[attr-defined]
empty_like = empty.like  # type: ignore[attr-defined]


def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Any:
    """An array of one value."""
    check_device(device)
    frame = frame_of((fill_value, like))
    graph = frame.begin()
    value = operand(frame, graph, fill_value)
    return frame.wrap(graph, creation.full(graph, shape, value, optional_dtype(dtype)))


def full_like(
    x: Any,
    /,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    """An array of one value in the shape and dtype of `x`."""
    extents, found = _like(x, shape, dtype)
    return full(extents, fill_value, found, device=device)


def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None, like: Any = None
) -> Any:
    """`start`, `start + step`, … up to but without `stop`."""
    check_device(device)
    numbers = (
        _known(start, "arange"),
        None if stop is None else _known(stop, "arange"),
        _known(step, "arange"),
    )
    return _made(frame_of((like,)), creation.arange, *numbers, optional_dtype(dtype))


def linspace(
    start: Any,
    stop: Any,
    /,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """`num` numbers evenly spaced from `start` to `stop`."""
    check_device(device)
    refuse("linspace", "retstep", retstep)
    bounds = _known(start, "linspace"), _known(stop, "linspace")
    computed = result_dtype((*map(_strong_dtype, (start, stop)), 1.0))
    count, wanted = operator.index(num), optional_dtype(dtype)
    return _made(current_frame(), creation.linspace, *bounds, count, bool(endpoint), wanted, computed)


def _strong_dtype(value: Any) -> DType | float:
    """The dtype of an array or NumPy scalar; a weak number for a Python one."""
    if isinstance(value, LazyValue):
        return value._dtype
    return from_numpy(value.dtype) if isinstance(value, (numpy.generic, numpy.ndarray)) else 1.0


def eye(
    N: int, M: int | None = None, /, k: int = 0, dtype: Any = None, order: str = "C", *, device: Any = None,
    like: Any = None,
) -> Any:  # fmt: skip
    """Ones on a diagonal, zeros elsewhere."""
    check_device(device)
    found = F64 if dtype is None else from_numpy(dtype)
    columns = None if M is None else operator.index(M)
    return _made(frame_of((like,)), creation.eye, operator.index(N), columns, operator.index(k), found)


def identity(n: int, dtype: Any = None, *, like: Any = None) -> Any:
    """A square matrix of ones on the diagonal, zeros elsewhere."""
    return eye(n, dtype=dtype, like=like)


def tril(x: Any, /, k: int = 0) -> Any:
    """`x` with zeros above a diagonal."""
    return call(creation.triangle, (x,), operator.index(k), nodes.less_equal)


def triu(x: Any, /, k: int = 0) -> Any:
    """`x` with zeros below a diagonal."""
    return call(creation.triangle, (x,), operator.index(k) - 1, nodes.greater)


def _known(value: Any, function: str) -> Number:
    """A number known now, as a Python number; arrays are asked for their value."""
    if value.__class__ in NUMBERS:
        return value  # type: ignore[return-value]
    if isinstance(value, LazyValue):
        value = value._concrete(f"the bounds of {function}")
    if isinstance(value, (numpy.generic, numpy.ndarray)):
        return value.item()  # type: ignore[no-any-return]
    return float(value) if not hasattr(value, "__index__") else operator.index(value)
