"""New arrays: from numbers, sequences and ndarrays, of constants and of ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ...arrays.layout import element_strides, kept_order, ordered_strides
from ...arrays.promotion import from_numpy
from ...base.arguments import C_OR_F, MOST_AXES, flag, integer, order_of, shown
from ...errors import ArgumentError, DTypeError, KindError, UnsupportedError
from ...functions import arranging, creation
from ...functions import elementwise as nodes
from ...functions.complex_numbers import converted_to
from ...functions.operands import strong
from ...ir.node import Graph, Node
from ...ir.types import BY_NUMPY_NAME, F64, DType
from ...runtime.device import CPU
from ...runtime.memory.foreign import host_array, is_foreign, is_on_device
from ..calls import call, operand
from ..frame import (
    Frame,
    LazyValue,
    current_frame,
    dtype_there,
    entered_frame,
    frame_of,
    frame_on,
    holds_lazy,
    plain_array,
)
from ..movement import duplicate
from ..registry import public
from ..signature import optional_dtype

_KNOWN_TYPES = (numpy.ndarray, numpy.generic, list, tuple, int, float)


@public("creation", numpy=("asarray", "asanyarray"), sample=lambda s: (numpy.ones(3, s.dtype),))
def asarray(
    a: Any,
    dtype: Any = None,
    order: Any = None,
    *,
    device: Any = None,
    copy: bool | None = None,
    like: Any = None,
) -> Any:
    """A lazy array of `a`: a number, nested sequence, ndarray or lazy array.

    An ndarray is copied, unless nobody can write to it or `copy=False`: a later write would change a lazy
    result. So is an array of CuPy, Numba or PyTorch in a GPU's memory, where it stays. On a device that
    lacks 64 bits, numbers and sequences become float32 and int32.

    Raises DTypeError for what is no array, ArgumentError where `copy=False` and one is needed.

    >>> jf.asarray([1.0, 2.0], dtype="float32")
    Tensor(shape=(2,), dtype=float32, device=cpu, [1., 2.])
    """
    if order_of(order) in ("C", "F"):
        return asarray(a, dtype, device=device, copy=copy, like=like)._in_order(order)
    wanted = optional_dtype(dtype)
    if isinstance(copy, str):
        raise ArgumentError(f"asarray: copy is True, False or None, not {copy!r}")
    if isinstance(copy, numpy._CopyMode):  # what libraries pass that serve several versions of NumPy
        copy = _COPY_MODES[copy.name]
    if like is not None:
        frame_like(device, "asarray", like)
    if isinstance(a, LazyValue):
        return _as_lazy(a, wanted, device, copy)
    if isinstance(a, (list, tuple)) and holds_lazy(a):
        if copy is False:
            raise ArgumentError(f"asarray: a {type(a).__name__} cannot be taken without a copy")
        made = call(strong, (a,), dtype=wanted)
        return _as_lazy(made, wanted, device, None)
    if not isinstance(a, _KNOWN_TYPES) and (
        hasattr(a, "__cuda_array_interface__") or (hasattr(a, "__dlpack_device__") and is_on_device(a))
    ):
        return _as_lazy(_adopted(a, copy), wanted, device, copy)
    if entered_frame() is not None and _may_be_lazy(a):
        given = a.__array__()
        if isinstance(given, LazyValue):  # of a mask, or of an object of the user's, whose method is traced
            return _as_lazy(given, wanted, device, copy)
    if is_foreign(a):
        a = host_array(a, copy)
    elif copy is False and not isinstance(a, numpy.ndarray):
        a = _without_copy(a, wanted)
    frame = frame_like(device, "asarray", like)
    frame.check(wanted)
    array = frame.plain(a) if wanted is None else _plain_as(a, wanted)
    if copy is False and array is not a and not numpy.shares_memory(array, a):
        raise ArgumentError("asarray: the cast needs a copy")
    if copy is False and not frame.device.is_host:
        raise ArgumentError(f"asarray: an ndarray needs a copy on {frame.device.name}; copy=False was given")
    # What `__array__` gives may be the memory that its object goes on writing to.
    fresh = array is not a and not hasattr(a, "__array__") and array.base is None
    return frame.array(array, False if fresh else copy)


_COPY_MODES = {"ALWAYS": True, "IF_NEEDED": None, "NEVER": False}


def placed(values: numpy.ndarray, like: LazyValue) -> Any:
    """Moves an ndarray to the device of another array, in that device's equivalent of its dtype."""
    return asarray(values.astype(dtype_there(like, values.dtype), copy=False), device=like.device)


def _without_copy(value: Any, dtype: DType | None) -> numpy.ndarray:
    """An ndarray of the memory of what is no ndarray: a column of a table, a buffer.

    Raises ArgumentError where it has none that NumPy can read.
    """
    try:
        return numpy.array(value, None if dtype is None else dtype.numpy_name, copy=False)
    except ValueError:
        raise ArgumentError(f"asarray: a {type(value).__name__} cannot be taken without a copy") from None


@public("creation", sample=lambda s: (numpy.ones(3, s.dtype),))
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """A lazy array of another library's array, by DLPack; on its device unless another is named.

    It is a copy on the same device, as with `asarray`; with `copy=False` that memory itself, which must not
    be written to any more.

    Raises DTypeError for what has no `__dlpack__`.

    >>> jf.from_dlpack(np.array([1, 2])).numpy()
    array([1, 2])
    """
    if isinstance(x, (LazyValue, numpy.ndarray)):
        return asarray(x, device=device, copy=copy)
    if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
        raise DTypeError(f"from_dlpack: a {type(x).__name__} has no __dlpack__; use jf.asarray(x)")
    if is_on_device(x):
        return _as_lazy(_adopted(x, copy), None, device, copy)
    return asarray(host_array(x), device=device, copy=copy)


def _adopted(array: Any, copy: bool | None) -> LazyValue:
    """Makes an array from one of another library in device memory."""
    frame = current_frame()
    if frame.priority:
        raise UnsupportedError(
            f"asarray: a {type(array).__name__} inside a jitted function; pass jf.asarray(x) as an argument"
        )
    return frame.adopted(array, copy)


def _as_lazy(x: LazyValue, dtype: DType | None, device: Any, copy: bool | None) -> Any:
    """A lazy array as asked for; itself where it is so already and no copy is."""
    frame = x._frame if device is None else frame_on(device, "asarray")
    frame.check(dtype)
    cast_needed = dtype is not None and dtype is not x._dtype
    if cast_needed and copy is False:
        raise ArgumentError(
            f"asarray: a cast from {x._dtype.numpy_name} to {dtype.numpy_name} needs a copy"  # type: ignore[union-attr]
        )
    if frame.device is not x._frame.device:
        if cast_needed and not frame.device.has(x._dtype):
            x = astype(x, dtype)
        x, copy = x.to_device(frame.device, copy=copy), None
    if cast_needed and dtype is not x._dtype:
        return astype(x, dtype)
    return duplicate(x) if copy else x


def _may_be_lazy(value: Any) -> bool:
    """Whether an object provides an array by one of its methods."""
    known = isinstance(value, (*_KNOWN_TYPES, type)) or is_foreign(value)
    return not known and hasattr(value, "__array__")


def _plain_as(obj: Any, dtype: DType) -> numpy.ndarray:
    source = plain_array(obj) if isinstance(obj, (numpy.ndarray, numpy.generic)) else obj
    try:
        with numpy.errstate(invalid="ignore", over="ignore"):
            return numpy.asarray(source, dtype=dtype.numpy_name)
    except (TypeError, ValueError) as error:
        raise KindError(f"asarray: {error}") from None


@public("creation", sample=lambda s: (numpy.ones(3, s.dtype),))
def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: bool | None = True,
    order: Any = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = MOST_AXES,
    like: Any = None,
) -> Any:
    """`np.array`: as `asarray`, and always a new array.

    `ndmin`: so many axes at least, new ones first; `ndmax`: ArgumentError for sequences, and for arrays of
    other dtypes, in more of them.

    >>> jf.array([1, 2], ndmin=2).shape
    (1, 2)
    """
    rank, most = integer(ndmin, "ndmin"), integer(ndmax, "ndmax")
    if not 0 <= most <= MOST_AXES:
        raise ArgumentError(f"array: ndmax is from 0 to {MOST_AXES}, not {most}")
    if rank > most:
        raise ArgumentError(f"array: ndmin must be <= ndmax ({most}), and {rank} was given")
    made = asarray(object, dtype, copy=copy, like=like)
    if order_of(order) != "A" or copy is True:
        made = made._in_order(order)
    if len(made.shape) > most and getattr(object, "dtype", None) != made.dtype:
        raise ArgumentError(f"array: {len(made.shape)} axes, and ndmax={most} was given")
    missing = rank - len(made.shape)
    return made if missing <= 0 else made.reshape((*(1,) * missing, *made.shape))


@public("elementwise", sample=lambda s: (s.x, s.dtype), makes_arrays=True, keeps_scalars=True)
def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """`x` cast to a dtype, by NumPy's unsafe casting.

    Shape: that of `x`; `x` itself where it has the dtype and `copy=False`.

    >>> jf.astype([1.5, -2.5], "int32").numpy()
    array([ 1, -2], dtype=int32)
    """
    wanted = from_numpy(dtype)
    if device is not None:
        x = asarray(x, wanted, device=device)
    if isinstance(x, LazyValue) and x._dtype is wanted and not copy:
        return x

    def as_wanted(graph: Graph, node: Any) -> Node:
        return converted_to(graph, strong(graph, node), wanted)

    return call(as_wanted, (x,), dtype=wanted)


def converted(x: LazyValue, target: tuple[Any, ...], device: Any, dtype: Any, copy: bool) -> Any:
    """`x.to(*target)`: see `LazyArray.to`."""
    wanted = [("device", device), ("dtype", dtype)]
    for number, each in enumerate(target):
        if isinstance(each, LazyValue):
            wanted += [("device", frame_of((each,)).device), ("dtype", each._dtype)]
        elif isinstance(each, numpy.ndarray):
            wanted += [("device", CPU), ("dtype", each.dtype)]
        else:
            wanted.append(("dtype" if number or _names_dtype(each) else "device", each))
    found: dict[str, Any] = {}
    for name, each in wanted:
        if each is not None and found.setdefault(name, each) is not each:
            raise ArgumentError(
                f"to: the {name} is given more than once; write x.to(device), x.to(dtype), x.to(device, "
                "dtype) or x.to(other)"
            )
    asked = found.get("device")
    here = None if asked is None else frame_on(asked, "to").device
    return asarray(x, found.get("dtype"), device=here, copy=copy or None)


def _names_dtype(given: Any) -> bool:
    """Whether an argument is a dtype rather than a device: a string is one by its whole name only."""
    if isinstance(given, str):
        return given in BY_NUMPY_NAME
    return isinstance(given, (type, numpy.dtype, DType))


def new_array(frame: Frame, dtype: Any, function: Callable[..., Node], *arguments: Any) -> Any:
    """Makes a new array in a frame; `dtype` is the one that the user requested."""
    if dtype is not None:
        frame.check(from_numpy(dtype))
    graph = frame.begin()
    return frame.wrap(graph, function(graph, *arguments))


def _laid(made: LazyValue, order: str, a: Any = None) -> Any:
    """A new array in a memory order; "A" and "K" are that of `a`."""
    if order in ("A", "K") and not isinstance(a, LazyValue):
        known = element_strides(plain_array(a))
        if order == "K" and known is not None and len(known) == len(made.shape):
            made._lay(kept_order(made.shape, [(a.shape, known)]), 0 not in known)
            return made
        order = "F" if known is not None and known == ordered_strides(a.shape, "F") else "C"
    if order == "K":
        return made._keep_order(a)
    if order == "F" or (order == "A" and a._is_fortran("A")):
        made._lay(ordered_strides(made.shape, "F"))
    return made


def _constant(function: Callable[..., Node], name: str, what: str, shown: str) -> Callable[..., Any]:
    """Makes the function of arrays with constant content, and as its `like` the one that takes shape and
    dtype from an array. `shown`: the printed result of their example."""

    def constant(
        shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
    ) -> Any:
        frame = frame_like(device, name, like)
        found = F64 if dtype is None else from_numpy(dtype)
        return _laid(new_array(frame, dtype, function, shape, found), order_of(order, C_OR_F))

    def constant_like(
        a: Any,
        dtype: Any = None,
        order: Any = "K",
        subok: bool = True,
        shape: Any = None,
        *,
        device: Any = None,
    ) -> Any:
        flag(subok, "subok")
        extents, found = _like(a, shape, dtype)
        frame = frame_on(device, f"{name}_like", (a,))
        return _laid(new_array(frame, found, function, extents, found), order_of(order), a)

    constant.__name__ = constant.__qualname__ = name
    constant.__doc__ = (
        f"A new array of {what}.\n\nShape: `shape`. Dtype: `dtype`, by default float64.\n"
        f"Raises ArgumentError for negative extents.\n\n>>> jf.{name}((2, 3)){shown}\n"
    )
    constant_like.__name__ = constant_like.__qualname__ = f"{name}_like"
    constant_like.__doc__ = (
        f"A new array of {what}.\n\nShape and dtype: those of `a`, unless `shape` or `dtype` name others.\n\n"
        f">>> jf.{name}_like(np.ones((2, 3))){shown}\n"
    )
    constant.like = constant_like  # type: ignore[attr-defined]
    public("creation")(constant_like)
    return public("creation", sample=lambda s: ((3,), s.dtype))(constant)


def frame_like(device: Any, function: str, like: Any, *values: Any) -> Frame:
    """Returns the frame of a new array: that of `like=`, which is an array."""
    if like is not None and not hasattr(like, "__array_function__"):
        raise KindError(f"{function}: like= is an array, not {shown(like)}")
    return frame_on(device, function, (*values, like))


def _like(x: Any, shape: Any, dtype: Any) -> tuple[Any, DType]:
    if isinstance(x, LazyValue):
        own_shape, own_dtype = x.shape, x._dtype
    else:
        plain = plain_array(x)
        own_shape, own_dtype = plain.shape, from_numpy(plain.dtype)
    return own_shape if shape is None else shape, own_dtype if dtype is None else from_numpy(dtype)


zeros = _constant(
    creation.zeros, "zeros", "zeros",
    ".numpy()\narray([[0., 0., 0.],\n       [0., 0., 0.]])",
)  # fmt: skip
ones = _constant(
    creation.ones, "ones", "ones",
    ".numpy()\narray([[1., 1., 1.],\n       [1., 1., 1.]])",
)  # fmt: skip
empty = _constant(
    creation.empty, "empty", "elements that are to be written before they are read",
    ".shape\n(2, 3)",
)  # fmt: skip
zeros_like = zeros.like  # type: ignore[attr-defined]
ones_like = ones.like  # type: ignore[attr-defined]
empty_like = empty.like  # type: ignore[attr-defined]


@public("creation", sample=lambda s: ((3,), 1, s.dtype))
def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Any:
    """An array of one value.

    Shape: `shape`. Dtype: `dtype`, or that of `fill_value`.

    >>> jf.full((2, 2), 7).numpy()
    array([[7, 7],
           [7, 7]])
    """
    frame = frame_like(device, "full", like, fill_value)
    frame.check(optional_dtype(dtype))
    graph = frame.begin()
    value = operand(frame, graph, fill_value)
    made = frame.wrap(graph, creation.full(graph, shape, value, optional_dtype(dtype)))
    return _laid(made, order_of(order, C_OR_F))


@public("creation", sample=lambda s: (s.x, 1))
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    """An array of one value in the shape and dtype of `a`.

    `dtype` and `shape` in place of its own.

    >>> jf.full_like([1, 2], 7).numpy()
    array([7, 7])
    """
    flag(subok, "subok")
    extents, found = _like(a, shape, dtype)
    frame = frame_on(device, "full_like", (a, fill_value))
    frame.check(found)
    graph = frame.begin()
    made = frame.wrap(graph, creation.full(graph, extents, operand(frame, graph, fill_value), found))
    return _laid(made, order_of(order), a)


@public("creation", sample=lambda s: (3, 3, 0, s.dtype))
def eye(
    N: int, M: int | None = None, k: int = 0, dtype: Any = None, order: Any = "C", *, device: Any = None,
    like: Any = None,
) -> Any:  # fmt: skip
    """Ones on a diagonal, zeros elsewhere.

    Shape: [N, M], by default [N, N]. `k`: how far above (positive) or below the main diagonal. Dtype:
    float64.

    >>> jf.eye(2).numpy()
    array([[1., 0.],
           [0., 1.]])
    """
    found = F64 if dtype is None else from_numpy(dtype)
    columns = None if M is None else integer(M, "M")
    frame = frame_like(device, "eye", like)
    made = new_array(frame, dtype, creation.eye, integer(N, "N"), columns, integer(k, "k"), found)
    return _laid(made, order_of(order, C_OR_F))


@public("creation", sample=lambda s: (3, s.dtype))
def identity(n: int, dtype: Any = None, *, like: Any = None) -> Any:
    """A square matrix of ones on the diagonal, zeros elsewhere.

    Shape: [n, n]. Dtype: `dtype`, or float64.

    >>> jf.identity(2).numpy()
    array([[1., 0.],
           [0., 1.]])
    """
    return eye(n, dtype=dtype, like=like)


@public("creation", sample=lambda s: (3, 3, 0, s.dtype))
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = float, *, like: Any = None) -> Any:
    """Ones at and below a diagonal, zeros above.

    Shape: [N, M], by default [N, N]. `k`: how far above (positive) or below the main diagonal.

    >>> jf.tri(2, 3).numpy()
    array([[1., 0., 0.],
           [1., 1., 0.]])
    """
    frame = frame_like(None, "tri", like)
    default = dtype is None or dtype is float
    found = F64 if default else from_numpy(dtype)
    frame.check(None if default else found)
    graph = frame.begin()
    columns = None if M is None else integer(M, "M")
    return frame.wrap(graph, arranging.tri(graph, integer(N, "N"), columns, integer(k, "k"), found))


@public("creation")
def tril(m: Any, k: int = 0) -> Any:
    """`m` with zeros above a diagonal.

    Shape and dtype: those of `m`. `k`: how far above (positive) or below the main diagonal.

    >>> jf.tril([[1, 2], [3, 4]]).numpy()
    array([[1, 0],
           [3, 4]])
    """
    return call(creation.triangle, (m,), integer(k, "k"), nodes.less_equal)


@public("creation")
def triu(m: Any, k: int = 0) -> Any:
    """`m` with zeros below a diagonal.

    Shape and dtype: those of `m`. `k`: how far above (positive) or below the main diagonal.

    >>> jf.triu([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [0, 4]])
    """
    return call(creation.triangle, (m,), integer(k, "k") - 1, nodes.greater)
