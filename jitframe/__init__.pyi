"""What `jitframe` has, for editors and type checkers; made by `tools/make_stubs.py`."""

import builtins
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import (
    Any, ClassVar, Concatenate, Generic, Literal, ParamSpec, Protocol, Self, SupportsIndex, TypeAlias, TypeVar,
    overload,
)

import numpy as np
from numpy.typing import DTypeLike

from . import backends as backends
from . import cache as cache
from . import errors as errors
from . import fft as fft
from . import lib as lib
from . import linalg as linalg
from . import nn as nn
from . import onnx as onnx
from . import quant as quant
from . import random as random
from . import settings as settings
from . import signal as signal
from . import sparse as sparse
from . import special as special
from .backends.estimates import ArraySpec as ArraySpec
from .backends.inspection import __array_namespace_info__ as __array_namespace_info__
from .tracing.standins.callbacks import callback as callback
from .tracing.loops.control_flow import cond as cond
from .backends.kernels.custom import custom_kernel as custom_kernel
from .tracing.standins.callbacks import debug_print as debug_print
from .backends.devices import device as device
from .backends.devices import devices as devices
from .backends.estimates import estimate_inference_memory as estimate_inference_memory
from .backends.estimates import estimate_memory as estimate_memory
from .explanation import explain as explain
from .tracing.loops.control_flow import fori_loop as fori_loop
from .tracing.lists.ranges import prange as prange
from .profiling.session import profile as profile
from .tracing.arguments.trees import register_container as register_container
from .tracing.loops.control_flow import scan as scan
from .tracing.elements.vectorize import vectorize as vectorize
from .tracing.loops.control_flow import while_loop as while_loop

_bool: TypeAlias = builtins.bool
_Array: TypeAlias = np.ndarray[Any, Any]

class _SupportsArray(Protocol):
    def __array__(self) -> Any: ...

ArrayLike: TypeAlias = (
    Tensor | _Array | np.generic | builtins.bool | int | float | list[Any] | tuple[Any, ...] | range
    | _SupportsArray
)
_Axis: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | list[SupportsIndex] | None
_Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Out: TypeAlias = Tensor | _Array | tuple[Tensor | _Array | None, ...] | None
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order: TypeAlias = Literal["K", "A", "C", "F"] | None

class Tensor:
    """An array on some device, computed when its value is asked for.

    Slices and transposes are views, as NumPy's are: what is written to one shows in the array that it was
    taken from.

    >>> x = jf.asarray([1.0, 2.0, 3.0])
    >>> y = x * 2 + 1          # nothing ran yet
    >>> y.numpy()
    array([3., 5., 7.])
    >>> y[1:][y[1:] > 5] = 0
    >>> y.numpy()
    array([3., 5., 0.])
    """
    def __getitem__(self, index: Any, /) -> Tensor: ...
    def __setitem__(self, index: Any, value: ArrayLike, /) -> None: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    def __contains__(self, value: object, /) -> _bool: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __round__(self, digits: int | None = None) -> Any: ...
    def __divmod__(self, other: ArrayLike, /) -> tuple[Tensor, Tensor]: ...
    def __rdivmod__(self, other: ArrayLike, /) -> tuple[Tensor, Tensor]: ...
    def __eq__(self, other: object, /) -> Tensor: ...  # type: ignore[override]
    def __ne__(self, other: object, /) -> Tensor: ...  # type: ignore[override]
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __array__(self, dtype: DTypeLike | None = None, copy: _bool | None = None) -> _Array: ...
    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any: ...
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: _bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __await__(self) -> Generator[Any, None, Tensor]: ...
    def __add__(self, other: ArrayLike, /) -> Tensor: ...
    def __radd__(self, other: ArrayLike, /) -> Tensor: ...
    def __iadd__(self, other: ArrayLike, /) -> Tensor: ...
    def __sub__(self, other: ArrayLike, /) -> Tensor: ...
    def __rsub__(self, other: ArrayLike, /) -> Tensor: ...
    def __isub__(self, other: ArrayLike, /) -> Tensor: ...
    def __mul__(self, other: ArrayLike, /) -> Tensor: ...
    def __rmul__(self, other: ArrayLike, /) -> Tensor: ...
    def __imul__(self, other: ArrayLike, /) -> Tensor: ...
    def __truediv__(self, other: ArrayLike, /) -> Tensor: ...
    def __rtruediv__(self, other: ArrayLike, /) -> Tensor: ...
    def __itruediv__(self, other: ArrayLike, /) -> Tensor: ...
    def __floordiv__(self, other: ArrayLike, /) -> Tensor: ...
    def __rfloordiv__(self, other: ArrayLike, /) -> Tensor: ...
    def __ifloordiv__(self, other: ArrayLike, /) -> Tensor: ...
    def __mod__(self, other: ArrayLike, /) -> Tensor: ...
    def __rmod__(self, other: ArrayLike, /) -> Tensor: ...
    def __imod__(self, other: ArrayLike, /) -> Tensor: ...
    def __pow__(self, other: ArrayLike, /) -> Tensor: ...
    def __rpow__(self, other: ArrayLike, /) -> Tensor: ...
    def __ipow__(self, other: ArrayLike, /) -> Tensor: ...
    def __matmul__(self, other: ArrayLike, /) -> Tensor: ...
    def __rmatmul__(self, other: ArrayLike, /) -> Tensor: ...
    def __imatmul__(self, other: ArrayLike, /) -> Tensor: ...
    def __and__(self, other: ArrayLike, /) -> Tensor: ...
    def __rand__(self, other: ArrayLike, /) -> Tensor: ...
    def __iand__(self, other: ArrayLike, /) -> Tensor: ...
    def __or__(self, other: ArrayLike, /) -> Tensor: ...
    def __ror__(self, other: ArrayLike, /) -> Tensor: ...
    def __ior__(self, other: ArrayLike, /) -> Tensor: ...
    def __xor__(self, other: ArrayLike, /) -> Tensor: ...
    def __rxor__(self, other: ArrayLike, /) -> Tensor: ...
    def __ixor__(self, other: ArrayLike, /) -> Tensor: ...
    def __lshift__(self, other: ArrayLike, /) -> Tensor: ...
    def __rlshift__(self, other: ArrayLike, /) -> Tensor: ...
    def __ilshift__(self, other: ArrayLike, /) -> Tensor: ...
    def __rshift__(self, other: ArrayLike, /) -> Tensor: ...
    def __rrshift__(self, other: ArrayLike, /) -> Tensor: ...
    def __irshift__(self, other: ArrayLike, /) -> Tensor: ...
    def __lt__(self, other: ArrayLike, /) -> Tensor: ...
    def __le__(self, other: ArrayLike, /) -> Tensor: ...
    def __gt__(self, other: ArrayLike, /) -> Tensor: ...
    def __ge__(self, other: ArrayLike, /) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    @property
    def T(self) -> Tensor:
        """The array with its axes reversed: a view."""
    def all(self, /, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, *, where: ArrayLike = True) -> Tensor:
        """`jf.all` of this array, with its other parameters.

        >>> jf.asarray([[1, 0], [3, 4]]).all(axis=0).numpy()
        array([ True, False])
        """
    def any(self, /, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, *, where: ArrayLike = True) -> Tensor:
        """`jf.any` of this array, with its other parameters.

        >>> jf.asarray([[0, 0], [3, 0]]).any(axis=0).numpy()
        array([ True, False])
        """
    def argmax(self, /, axis: _Axis = None, out: _Out = None, *, keepdims: _bool = False) -> Tensor:
        """`jf.argmax` of this array, with its other parameters.

        >>> jf.asarray([[1, 9], [7, 2]]).argmax(axis=1).numpy()
        array([1, 0])
        """
    def argmin(self, /, axis: _Axis = None, out: _Out = None, *, keepdims: _bool = False) -> Tensor:
        """`jf.argmin` of this array, with its other parameters.

        >>> jf.asarray([[1, 9], [7, 2]]).argmin(axis=1).numpy()
        array([0, 1])
        """
    def argpartition(self, /, kth: Any, axis: _Axis = -1, kind: Any = 'introselect', order: _Order = None) -> Tensor:
        """`jf.argpartition` of this array, with its other parameters.

        >>> int(jf.asarray(np.array([7, 1, 5, 3])).argpartition(2)[2])
        2
        """
    def argsort(self, /, axis: _Axis = -1, kind: Any = None, order: _Order = None, *, stable: Any = None, descending: Any = False) -> Tensor:
        """`jf.argsort` of this array, with its other parameters.

        >>> jf.asarray(np.array([3, 1, 2, 1])).argsort().numpy()
        array([1, 3, 2, 0])
        """
    def astype(self, dtype: DTypeLike, order: str = 'K', casting: str = 'unsafe', subok: _bool = True, copy: _bool = True) -> Tensor:
        """A new array cast to a dtype by the rule `casting`; with `copy=False` itself where it has that.

        Raises DTypeError where the rule does not allow the cast.

        >>> jf.asarray([1.5, -2.5]).astype("int32").numpy()
        array([ 1, -2], dtype=int32)
        """
    @property
    def base(self) -> Tensor:
        """The tensor whose memory it shows; None where it has its own."""
    def block_until_ready(self) -> Tensor:
        """Computes the value and waits until the device is done with it; gives the tensor itself.

        Raises what computing it did wrong.

        >>> (jf.asarray([1.0, 2.0]) + 1).block_until_ready()
        Tensor(shape=(2,), dtype=float64, device=cpu, [2., 3.])
        """
    def choose(self, *choices: Any, out: _Out = None, mode: str = 'raise') -> Tensor:
        """`jf.choose`: for every element the one at its place of the choice with that number. `choices` are
        one sequence of them, or each is an argument.

        >>> jf.asarray([1, 0, 1]).choose([1, 2, 3], [10, 20, 30]).numpy()
        array([10,  2, 30])
        """
    def clip(self, min: ArrayLike | None = None, max: ArrayLike | None = None, out: _Out = None) -> Tensor:
        """The elements limited to `min` and `max`; None is no bound.

        >>> jf.asarray([-5, 2, 9]).clip(0, 5).numpy()
        array([0, 2, 5])
        """
    def compress(self, condition: ArrayLike, axis: _Axis = None, out: _Out = None, *, size: int | None = None, fill_value: ArrayLike = 0) -> Tensor:
        """`jf.compress`: the slices along an axis for which the condition is true.

        >>> jf.asarray([1, 2, 3]).compress([True, False, True]).numpy()
        array([1, 3])
        """
    def conj(self) -> Tensor:
        """The complex conjugates; of real numbers the array itself.

        >>> jf.asarray([1.0, 2j]).conj().numpy()
        array([1.-0.j, 0.-2.j])
        """
    def conjugate(self) -> Tensor:
        """The complex conjugates; of real numbers the array itself.

        >>> jf.asarray([1.0, 2j]).conj().numpy()
        array([1.-0.j, 0.-2.j])
        """
    def copy(self, order: _Order = 'C') -> Tensor:
        """A new array of the same value, which no write to this one changes.

        >>> x = jf.asarray([1, 2])
        >>> x.copy().numpy()
        array([1, 2])
        """
    def cumprod(self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None) -> Tensor:
        """`jf.cumprod` of this array, with its other parameters.

        >>> jf.asarray([1, 2, 3]).cumprod().numpy()
        array([1, 2, 6])
        """
    def cumsum(self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None) -> Tensor:
        """`jf.cumsum` of this array, with its other parameters.

        >>> jf.asarray([1, 2, 3]).cumsum().numpy()
        array([1, 3, 6])
        """
    @property
    def device(self) -> str:
        """The name of the device that holds it: "cpu", "opencl", "cuda:1"."""
    def diagonal(self, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
        """`jf.diagonal` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).diagonal().numpy()
        array([1, 4])
        """
    def dot(self, b: ArrayLike, out: _Out = None) -> Tensor:
        """`jf.dot` of this array and `b`.

        >>> jf.asarray([1, 2]).dot([3, 4]).numpy()
        array(11)
        """
    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, as a NumPy dtype."""
    def fill(self, value: ArrayLike) -> None:
        """Writes one value to all elements. Raises KindError for more than one.

        >>> x = jf.zeros(2)
        >>> x.fill(7)
        >>> x.numpy()
        array([7., 7.])
        """
    @property
    def flags(self) -> Tensor:
        """NumPy's flags: `x.flags.c_contiguous`, `x.flags["F"]`, `x.flags.writeable`. Raises UnsupportedError
        where they are to be changed.

        >>> jf.zeros((2, 3)).T.flags.c_contiguous
        False
        """
    @property
    def flat(self) -> Any:
        """The elements in C order: to iterate over, to index and to write to."""
    def flatten(self, order: str = 'C') -> Tensor:
        """The elements in one axis: a new array.

        >>> jf.asarray([[1, 2], [3, 4]]).flatten("F").numpy()
        array([1, 3, 2, 4])
        """
    @property
    def imag(self) -> Tensor:
        """The imaginary parts of complex numbers, a view to read and write; of real numbers zeros."""
    def item(self, *position: Any) -> Any:
        """The one element, or the one at a position, as a Python number; computed now if it was not yet.

        Raises ArgumentError where there are more elements and no position.

        >>> x = jf.asarray([1, 2])
        >>> x.item(1)
        2
        """
    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
    @property
    def mT(self) -> Tensor:
        """The array with its last two axes swapped: a view. Raises ArgumentError for less than two axes."""
    def max(self, /, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
        """`jf.max` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).max(axis=0).numpy()
        array([3, 4])
        """
    def mean(self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, *, where: ArrayLike = True) -> Tensor:
        """`jf.mean` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).mean(axis=0).numpy()
        array([2., 3.])
        """
    def min(self, /, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
        """`jf.min` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).min(axis=0).numpy()
        array([1, 2])
        """
    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
    @property
    def ndim(self) -> int:
        """The number of axes."""
    def nonzero(self, /, *, size: int | None = None, fill_value: ArrayLike = 0) -> tuple[Tensor, ...]:
        """`jf.nonzero` of this array, with its other parameters.

        >>> jf.asarray(np.array([0, 5, 0, 7])).nonzero()[0].numpy()
        array([1, 3])
        """
    def numpy(self) -> _Array:
        """The value as a read-only ndarray, computed now if it was not yet; of other devices a copy.

        Raises what computing it did wrong.

        >>> (jf.asarray([1.0, 2.0]) + 1).numpy()
        array([2., 3.])
        """
    def partition(self, kth: Any, axis: _Axis = -1, kind: Any = 'introselect', order: _Order = None) -> None:
        """Partitions the array itself along an axis; see `jf.partition`.

        >>> x = jf.asarray([7, 1, 5, 3])
        >>> x.partition(2)
        >>> int(x[2])
        5
        """
    def prod(self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
        """`jf.prod` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).prod(axis=0).numpy()
        array([3, 8])
        """
    def put(self, indices: ArrayLike, values: ArrayLike, mode: str = 'raise') -> None:
        """`jf.put`: writes values to positions of the flat array.

        >>> x = jf.asarray([1, 2, 3])
        >>> x.put([0, 2], [8, 9])
        >>> x.numpy()
        array([8, 2, 9])
        """
    def ravel(self, order: str = 'C') -> Tensor:
        """`jf.ravel` of this array: its elements in one axis, a view where NumPy gives one.

        >>> jf.asarray([[1, 2], [3, 4]]).ravel().numpy()
        array([1, 2, 3, 4])
        """
    @property
    def real(self) -> Tensor:
        """The real parts of complex numbers, a view to read and write; of real numbers the array itself."""
    def repeat(self, /, repeats: ArrayLike, axis: int | None = None) -> Tensor:
        """`jf.repeat` of this array, with its other parameters.

        >>> jf.asarray([1, 2]).repeat([1, 3]).numpy()
        array([1, 2, 2, 2])
        """
    def reshape(self, *shape: _Shape, order: str = 'C', copy: _bool | None = None) -> Tensor:
        """`jf.reshape` of this array, in a shape given as one argument or as several.

        >>> jf.arange(4).reshape(2, -1).numpy()
        array([[0, 1],
               [2, 3]])
        """
    def round(self, decimals: int = 0, out: _Out = None) -> Tensor:
        """The elements rounded to `decimals` decimals, halves to even.

        >>> jf.asarray([0.125, 2.5]).round(2).numpy()
        array([0.12, 2.5 ])
        """
    def searchsorted(self, /, v: ArrayLike, side: str = 'left', sorter: ArrayLike | None = None) -> Tensor:
        """`jf.searchsorted` of this array, with its other parameters.

        >>> jf.asarray(np.array([10, 20, 30])).searchsorted(np.array([5, 20, 35])).numpy()
        array([0, 1, 3])
        """
    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the axes."""
    @property
    def size(self) -> int:
        """The number of elements."""
    def sort(self, axis: _Axis = -1, kind: Any = None, order: _Order = None, *, stable: Any = None, descending: Any = False) -> None:
        """Sorts the array itself along an axis; see `jf.sort`.

        >>> x = jf.asarray([3, 1, 2])
        >>> x.sort()
        >>> x.numpy()
        array([1, 2, 3])
        """
    def squeeze(self, axis: _Axis = None) -> Tensor:
        """The array without axes of extent 1, or without those of `axis`: a view.

        >>> jf.zeros((1, 3, 1)).squeeze().shape
        (3,)
        """
    def std(self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, ddof: ArrayLike = 0, keepdims: _bool = False, *, where: ArrayLike = True, mean: ArrayLike = ..., correction: ArrayLike = ...) -> Tensor:
        """`jf.std` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).std(axis=0).numpy()
        array([1., 1.])
        """
    @property
    def strides(self) -> tuple[int, ...]:
        """NumPy's strides, in bytes. They distinguish views from copies, and are not a device's memory
        layout.
        """
    def sum(self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
        """`jf.sum` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).sum(axis=0).numpy()
        array([4, 6])
        """
    def swapaxes(self, axis1: _Axis, axis2: _Axis) -> Tensor:
        """The array with two axes swapped: a view.

        >>> jf.zeros((2, 3, 4)).swapaxes(0, 2).shape
        (4, 3, 2)
        """
    def take(self, /, indices: ArrayLike, axis: _Axis = None, out: _Out = None, mode: str = 'raise') -> Tensor:
        """`jf.take` of this array, with its other parameters.

        >>> jf.asarray(np.array([10, 20, 30])).take([2, 0]).numpy()
        array([30, 10])
        """
    def to(self, *target: Any, device: Any = None, dtype: DTypeLike | None = None, copy: _bool = False, non_blocking: _bool = False) -> Tensor:
        """The array on a device, in a dtype, or both, as PyTorch writes it: `x.to("opencl")`,
        `x.to(jf.float32)`, `x.to("opencl", jf.float32)`, `x.to(other)` for another array's device and dtype.

        The array itself where it has that device and dtype and `copy` is not set. It never waits. A device is
        named as in `device=`. Raises the errors of `to_device` and `astype`, ArgumentError for a repeated
        argument.

        >>> jf.asarray([1.0, 2.0]).to(jf.float32).dtype
        dtype('float32')
        """
    def to_device(self, device: Any, /, *, stream: Any = None, copy: _bool | None = None) -> Tensor:
        """The tensor itself where it is on that device already and `copy` is not set; else a copy there.

        Writes to either never show in the other. Raises BackendError where the device is not there,
        ArgumentError where `copy=False` and one is needed.

        >>> jf.asarray([1.0]).to_device("cpu").device
        'cpu'
        """
    def tobytes(self, order: _Order = 'C') -> bytes:
        """The elements as bytes; computed now if they were not yet.

        >>> jf.asarray(np.array([1, 2], dtype="uint8")).tobytes()
        b'\\x01\\x02'
        """
    def tofile(self, file: Any, sep: str = '', format: str = '%s') -> None:
        """Writes the values to a file, given open or by its name, in C order: as bytes, or with `sep` as text
        of that `format`. Raises what `numpy.ndarray.tofile` raises.

        >>> import tempfile
        >>> with tempfile.TemporaryFile() as file:
        ...     jf.asarray([1.0, 2.0]).tofile(file)
        ...     file.tell()
        16
        """
    def tolist(self) -> Any:
        """The elements as Python numbers in nested lists; computed now if they were not yet.

        >>> jf.asarray([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
    def trace(self, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None, out: _Out = None) -> Tensor:
        """`jf.trace` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).trace().numpy()
        array(5)
        """
    def transpose(self, *axes: Any) -> Tensor:
        """The array with its axes reversed, or in the order given as one argument or as several: a view.

        >>> jf.zeros((2, 3, 4)).transpose(2, 0, 1).shape
        (4, 2, 3)
        """
    def var(self, /, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, ddof: ArrayLike = 0, keepdims: _bool = False, *, where: ArrayLike = True, mean: ArrayLike = ..., correction: ArrayLike = ...) -> Tensor:
        """`jf.var` of this array, with its other parameters.

        >>> jf.asarray([[1, 2], [3, 4]]).var(axis=0).numpy()
        array([1., 1.])
        """
    def view(self, dtype: DTypeLike | None = ..., type: Any = None) -> Tensor:
        """The same bytes as another dtype, whose last axis grows or shrinks where the sizes differ.

        Raises ArgumentError where that requires a copy.

        >>> jf.asarray(np.float32([1.0])).view("int32").numpy()
        array([1065353216], dtype=int32)
        """

_P = ParamSpec("_P")
_Q = ParamSpec("_Q")
_R = TypeVar("_R")
_S = TypeVar("_S")

class JittedFunction(Generic[_P, _R]):
    """A compiled function. Call it like the function that it wraps."""
    __wrapped__: Callable[_P, _R]
    __name__: str
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(
        self: JittedFunction[Concatenate[_S, _Q], _R], instance: _S, owner: type | None = None
    ) -> JittedFunction[_Q, _R]: ...
    def explain(self, *args: _P.args, **kwargs: _P.kwargs) -> Any:
        """How a call with these arguments is compiled: graph, kernels with reasons, plan, source,
        assembly.

        >>> jf.jit(lambda x: x.sum()).explain(np.ones(100)).kernels
        (<kernel 0 sum>,)
        """
    def program(self, *args: _P.args, **kwargs: _P.kwargs) -> Any:
        """The program that a call with these arguments runs; traced if it was not yet, and not run.

        >>> jf.jit(lambda x: x + 1).program(np.ones(100)).device.name
        'cpu'
        """
    def stats(self) -> dict[str, int | float]:
        """What this function did so far.

        `traces` made and `signatures` known; `kernels` in its programs and how many of them were `compiled`
        for it, the others were found in the cache; `seconds` spent on tracing and compiling; calls answered
        natively, and `python_calls` that were not (first calls, and what the native entry does not take),
        `interpreted` of them by Python running the function as it was written ([cuts](docs/cuts.md)).

        >>> doubled = jf.jit(lambda x: x * 2)
        >>> doubled(np.ones(2))
        array([2., 2.])
        >>> doubled.stats()["traces"]
        1
        """
    def clear(self) -> None:
        """Forgets all programs of this function: the next call traces it again.

        >>> doubled = jf.jit(lambda x: x * 2)
        >>> doubled(np.ones(2))
        array([2., 2.])
        >>> doubled.clear()
        >>> doubled.stats()["signatures"]
        0
        """

@overload
def jit(
    function: Callable[_P, _R],
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate: int | str | Sequence[int | str] | None = None,
    fastmath: _bool = False,
    device: str | None = None,
) -> JittedFunction[_P, _R]:
    """Compiles a NumPy function: `@jf.jit`, or `@jf.jit(static_argnames="n")`.

    Arguments are ndarrays, Tensors, numbers, and nested tuples, lists, dicts, named tuples and dataclasses of
    them; others count as constants. Numbers are read at each call; one that a size, an axis or a branch of
    the function depends on is static: the function is traced for each of its values. Those listed in
    `static_argnums` or `static_argnames` (`"n"`, or a part such as `"config.layers"`) always are. The fields
    of a dataclass are arguments of their own; one declared with `field(metadata={"static": True})` is static.
    Of other objects, `self` of a method too, the attributes that the function reads are watched, and it is
    traced again when one is bound to something else. Attributes, and items of dicts and lists, that it stores
    to are stored when it has run.

    Arguments in `donate`, by name or position, are given away: a Tensor cannot be used afterwards, and the
    memory of an ndarray may be overwritten, and hold the result.

    It runs on the device of the first Tensor among the arguments, and on the CPU where there is none. With
    `device="opencl"` everything is moved there first; ndarrays still come back as ndarrays.

    What is jitted again keeps the choices that are not made anew.

    >>> import numpy as np
    >>> @jf.jit
    ... def scaled(x, factor):
    ...     return np.sqrt(x) * factor
    >>> scaled(np.array([1.0, 4.0]), 10.0)
    array([10., 20.])
    """
@overload
def jit(
    function: None = None,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate: int | str | Sequence[int | str] | None = None,
    fastmath: _bool = False,
    device: str | None = None,
) -> Callable[[Callable[_P, _R]], JittedFunction[_P, _R]]: ...
def clear() -> None:
    """Forgets the programs of all jitted functions, plans, and kernels in memory; those on disk stay.

    Devices drop theirs too. The next calls trace again and find their kernels on disk. Arrays stay valid, and
    so do functions.

    >>> doubled = jf.jit(lambda x: x * 2)
    >>> doubled(np.ones(2))
    array([2., 2.])
    >>> jf.clear()
    >>> doubled.stats()["signatures"]
    0
    """
def compute(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Evaluates several tensors at once, sharing what they have in common, and returns them.

    Raises DTypeError for what is no Tensor.

    >>> x = jf.asarray([1.0, 2.0])
    >>> squares, cubes = jf.compute(x**2, x**3)
    >>> squares
    Tensor(shape=(2,), dtype=float64, device=cpu, [1., 4.])
    """
def abs(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The sizes `|x|`. The least signed integer stays as it is: its size does not fit.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.abs([-1.5, 2.0]).numpy()
    array([1.5, 2. ])
    """
def acos(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The angle from 0 to pi whose cosine is `x`; NaN outside of [-1, 1].

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.acos([1.0, 0.0]).numpy()
    array([0.        , 1.57079633])
    """
def acosh(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The inverse of `cosh`, 0 or more; NaN below 1.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.acosh([1.0, 2.0]).numpy()
    array([0.       , 1.3169579])
    """
def add(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The sums `x1 + x2`. Integers wrap around; of bools it is `x1 | x2`.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.add([1, 2, 3], [10, 20, 30]).numpy()
    array([11, 22, 33])
    """
def all(a: ArrayLike, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, *, where: ArrayLike = True) -> Tensor:
    """Whether every element over axes differs from zero, of those where `where` holds; True of none.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: bool.

    >>> jf.all([[1, 0], [3, 4]], axis=0).numpy()
    array([ True, False])
    """
def allclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: _bool = False) -> Tensor:
    """Whether all elements are equal within tolerances: a lazy bool of no axes.

    It is evaluated where Python asks for a condition. `equal_nan`: NaN equals NaN.

    >>> bool(jf.allclose([1.0, 2.0], [1.0 + 1e-9, 2.0]))
    True
    """
def angle(z: ArrayLike, deg: _bool = False) -> Tensor:
    """The angle to the positive real axis; of real numbers 0, or pi where they are negative.

    Shape: that of `z`. Dtype: float. With `deg` in degrees.

    >>> jf.angle([1.0, -2.0]).numpy()
    array([0.        , 3.14159265])
    """
def any(a: ArrayLike, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, *, where: ArrayLike = True) -> Tensor:
    """Whether any element over axes differs from zero, of those where `where` holds; False of none.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: bool.

    >>> jf.any([[0, 0], [3, 0]], axis=0).numpy()
    array([ True, False])
    """
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Tensor:
    """`arr` with values after its end along an axis; `axis` None takes both flat.

    Raises ShapeError where the other extents differ.

    >>> jf.append([1, 2], [3]).numpy()
    array([1, 2, 3])
    """
def apply_along_axis(func1d: Any, axis: _Axis, arr: ArrayLike, *args: Any, **kwargs: Any) -> Tensor:
    """`func1d(vector, *args, **kwargs)` of each vector along an axis.

    For up to 256 vectors the function is called once for each, and all of its operations are fused. For more
    it is traced once, like the body of a loop, and its operations apply to all vectors: it then cannot read
    values. Its results all have one shape, which takes the place of the axis. Raises ArgumentError where
    there is no vector, TraceError where a trace needs a value.

    >>> jf.apply_along_axis(lambda v: v.sum(), 1, np.array([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([3., 7.])
    """
def apply_over_axes(func: Any, a: ArrayLike, axes: Any) -> Tensor:
    """`func(a, axis)` over one axis after another; the axes stay, with extent 1.

    >>> jf.apply_over_axes(np.sum, np.ones((2, 3)), (0, 1)).numpy()
    array([[6.]])
    """
def arange(start: ArrayLike, stop: ArrayLike | None = None, step: ArrayLike = 1, dtype: DTypeLike | None = None, *, device: Any = None, like: Any = None) -> Tensor:
    """`start`, `start + step`, … up to but without `stop`.

    Dtype: `dtype`, or int64 of integers and float64 of floats. The bounds are known now; one alone is
    `stop`.

    >>> jf.arange(1, 10, 3).numpy()
    array([1, 4, 7])
    """
def argmax(a: ArrayLike, axis: _Axis = None, out: _Out = None, *, keepdims: _bool = False) -> Tensor:
    """The position of the first largest element along an axis (None: in the flat array). NaN counts as
    larger than all; of no elements ArgumentError.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64.

    >>> jf.argmax([[1, 9], [7, 2]], axis=1).numpy()
    array([1, 0])
    """
def argmin(a: ArrayLike, axis: _Axis = None, out: _Out = None, *, keepdims: _bool = False) -> Tensor:
    """The position of the first smallest element along an axis (None: in the flat array). NaN counts as
    smaller than all; of no elements ArgumentError.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64.

    >>> jf.argmin([[1, 9], [7, 2]], axis=1).numpy()
    array([0, 1])
    """
def argpartition(a: ArrayLike, kth: Any, axis: _Axis = -1, kind: Any = 'introselect', order: _Order = None) -> Tensor:
    """The positions in the order of `partition`'s elements.

    >>> import numpy as np
    >>> int(jf.argpartition(np.array([7, 1, 5, 3]), 2)[2])
    2
    """
def argsort(a: ArrayLike, axis: _Axis = -1, kind: Any = None, order: _Order = None, *, stable: Any = None, descending: Any = False) -> Tensor:
    """The positions that sort `a` along an axis, or `a` flat where it is None; see `sort`.

    Equal elements are in their order whatever `kind` and `stable` are. Shape: that of `a`. Dtype: int64.

    >>> import numpy as np
    >>> jf.argsort(np.array([3, 1, 2, 1])).numpy()
    array([1, 3, 2, 0])
    >>> jf.argsort(np.array([3, 1, 2, 1]), descending=True).numpy()
    array([0, 2, 1, 3])
    """
def argwhere(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0) -> Tensor:
    """The positions of the elements that are not zero: a row for each. See `nonzero`.

    >>> jf.argwhere([[0, 5], [7, 0]]).numpy()
    array([[0, 1],
           [1, 0]])
    """
def array(object: ArrayLike, dtype: DTypeLike | None = None, *, copy: _bool | None = True, order: _Order = 'K', subok: _bool = False, ndmin: int = 0, ndmax: int = 64, like: Any = None) -> Tensor:
    """`np.array`: as `asarray`, and always a new array.

    `ndmin`: so many axes at least, new ones first; `ndmax`: ArgumentError for sequences, and for arrays of
    other dtypes, in more of them.

    >>> jf.array([1, 2], ndmin=2).shape
    (1, 2)
    """
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: _bool = False) -> Tensor:
    """Whether shapes and all elements are equal: a lazy bool of no axes.

    It is evaluated where Python asks for a condition. `equal_nan`: NaN equals NaN.

    >>> bool(jf.array_equal([1, 2], [1, 2]))
    True
    """
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """Whether all elements are equal once broadcast; False where shapes do not fit.

    >>> bool(jf.array_equiv([1, 2], [[1, 2], [1, 2]]))
    True
    """
def array_split(ary: ArrayLike, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Parts of an array along an axis, the first ones longer by one where they cannot be equal.

    `indices_or_sections`: how many parts, or the positions between them.

    >>> [part.numpy() for part in jf.array_split([1, 2, 3], 2)]
    [array([1, 2]), array([3])]
    """
def as_strided(x: ArrayLike, shape: _Shape | None = None, strides: Any = None, subok: _bool = False, writeable: _bool = True) -> Tensor:
    """The elements in the memory of `x` by strides in bytes, without a copy; not to be written to.

    Shape: `shape`, that of `x` without it. Raises UnsupportedError for strides that lead out of `x`, that are
    negative or parts of elements, and where the elements of `x` are apart from each other.

    >>> import numpy as np
    >>> jf.as_strided(np.arange(5.0), (2, 3), (16, 8)).numpy()
    array([[0., 1., 2.],
           [2., 3., 4.]])
    """
def asarray(a: ArrayLike, dtype: DTypeLike | None = None, order: _Order = None, *, device: Any = None, copy: _bool | None = None, like: Any = None) -> Tensor:
    """A lazy array of `a`: a number, nested sequence, ndarray or lazy array.

    An ndarray is copied, unless nobody can write to it or `copy=False`: a later write would change a lazy
    result. So is an array of CuPy, Numba or PyTorch in a GPU's memory, where it stays. On a device that
    lacks 64 bits, numbers and sequences become float32 and int32.

    Raises DTypeError for what is no array, ArgumentError where `copy=False` and one is needed.

    >>> jf.asarray([1.0, 2.0], dtype="float32")
    Tensor(shape=(2,), dtype=float32, device=cpu, [1., 2.])
    """
def asarray_chkfinite(a: ArrayLike, dtype: DTypeLike | None = None, order: _Order = None) -> Tensor:
    """A lazy array of `a`, as `asarray` makes it, without NaN and infinities: where there is one, a run that
    needs the values ends with ArgumentError.

    >>> jf.asarray_chkfinite([1.0, 2.0]).numpy()
    array([1., 2.])
    """
def ascontiguousarray(a: ArrayLike, dtype: DTypeLike | None = None, *, like: Any = None) -> Tensor:
    """An array of at least one axis in C order, the last axis varying fastest: `a` itself where it is in that
    order.

    >>> jf.ascontiguousarray(jf.asarray([[1, 2], [3, 4]]).T).strides == (16, 8)
    True
    """
def asfortranarray(a: ArrayLike, dtype: DTypeLike | None = None, *, like: Any = None) -> Tensor:
    """An array in Fortran's order, the first axis varying fastest: `a` itself where it is in that order.

    >>> jf.isfortran(jf.asfortranarray([[1, 2], [3, 4]]))
    True
    """
def asin(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The angle from -pi/2 to pi/2 whose sine is `x`; NaN outside of [-1, 1].

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.asin([0.0, 1.0]).numpy()
    array([0.        , 1.57079633])
    """
def asinh(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The inverse of `sinh`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.asinh([0.0, 1.0]).numpy()
    array([0.        , 0.88137359])
    """
def astype(x: ArrayLike, dtype: DTypeLike, /, *, copy: _bool = True, device: Any = None) -> Tensor:
    """`x` cast to a dtype, by NumPy's unsafe casting.

    Shape: that of `x`; `x` itself where it has the dtype and `copy=False`.

    >>> jf.astype([1.5, -2.5], "int32").numpy()
    array([ 1, -2], dtype=int32)
    """
def atan(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The angle from -pi/2 to pi/2 whose tangent is `x`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.atan([0.0, 1.0]).numpy()
    array([0.        , 0.78539816])
    """
def atan2(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The angle of the point (`x2`, `x1`) from -pi to pi, signs of zeros told apart.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.atan2([1.0, 1.0], [1.0, -1.0]).numpy()
    array([0.78539816, 2.35619449])
    """
def atanh(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The inverse of `tanh`; infinite at -1 and 1, NaN beyond.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.atanh([0.0, 0.5]).numpy()
    array([0.        , 0.54930614])
    """
@overload
def atleast_1d(array: ArrayLike, /) -> Tensor:
    """Arrays with a new first axis where they have none; a tuple for several arrays. Views.

    >>> jf.atleast_1d(5).shape
    (1,)
    """
@overload
def atleast_1d(*arrays: ArrayLike) -> tuple[Tensor, ...]: ...
@overload
def atleast_2d(array: ArrayLike, /) -> Tensor:
    """Arrays with new first axes, so that they have at least two; a tuple for several arrays. Views.

    >>> jf.atleast_2d([1, 2]).shape
    (1, 2)
    """
@overload
def atleast_2d(*arrays: ArrayLike) -> tuple[Tensor, ...]: ...
@overload
def atleast_3d(array: ArrayLike, /) -> Tensor:
    """Arrays with new axes, so that they have at least three.

    A tuple for several arrays.

    >>> jf.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """
@overload
def atleast_3d(*arrays: ArrayLike) -> tuple[Tensor, ...]: ...
def average(a: ArrayLike, axis: _Axis = None, weights: ArrayLike | None = None, returned: _bool = False, *, keepdims: _bool = False) -> Any:
    """The mean over axes of elements times `weights`; with `returned`, the sums of weights too.

    Weights have the shape of `a`, or one axis where `axis` is one. Those that sum to zero give NaN or
    infinity (NumPy raises ZeroDivisionError).

    >>> jf.average([1.0, 2.0, 6.0], weights=[1, 1, 2]).numpy()
    array(3.75)
    """
def bartlett(M: Any) -> Tensor:
    """The Bartlett window, a triangle: 1 in the middle, 0 at both ends.

    `M`: the number of points. Shape: [M], empty below 1. Dtype: float64.

    >>> jf.bartlett(5).numpy()
    array([0. , 0.5, 1. , 0.5, 0. ])
    """
def bincount(x: ArrayLike, /, weights: ArrayLike | None = None, minlength: Any = 0, *, size: int | None = None) -> Tensor:
    """The count of each of 0, 1, 2, … among the integers `x`, or the sum of its `weights`.

    How long the result is, is a shape: `x` is evaluated now, unless its dtype has no more than `minlength`
    values. In a jitted function with `minlength`, where `x` has no value yet, there are that many; Python
    answers calls that have more. Without it there is room for 256, or for as many as `x` has elements, up to
    65,536. With `size` there are so many counts, and an integer in `x` that has none is
    a BoundsError, told when the result is asked for.

    >>> import numpy as np
    >>> jf.bincount(jf.asarray(np.array([1, 3, 1]))).numpy()
    array([0, 2, 0, 1])
    """
def bitwise_and(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The bits set in both, `x1 & x2`.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to, integers or bools: DTypeError for floats.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.bitwise_and([12, 10], 6).numpy()
    array([4, 2])
    """
def bitwise_count(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """How many bits of `|x|` are set.

    Shape: that of `x`. Dtype: uint8.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.bitwise_count([0, 7, 8]).numpy()
    array([0, 3, 1], dtype=uint8)
    """
def bitwise_invert(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Every bit the other way, `~x`; of bools `not x`.

    Shape: that of `x`. Dtype: what the operands promote to, integers or bools: DTypeError for floats.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.bitwise_invert([0, 5]).numpy()
    array([-1, -6])
    """
def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The bits of `x1` moved up by `x2`, `x1 << x2`; what leaves the dtype is lost.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to, integers or bools: DTypeError for floats.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.bitwise_left_shift([1, 3], 2).numpy()
    array([ 4, 12])
    """
def bitwise_or(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The bits set in at least one, `x1 | x2`.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to, integers or bools: DTypeError for floats.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.bitwise_or([12, 10], 6).numpy()
    array([14, 14])
    """
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The bits of `x1` moved down by `x2`, `x1 >> x2`; the sign of signed integers fills in.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to, integers or bools: DTypeError for floats.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.bitwise_right_shift([8, -8], 2).numpy()
    array([ 2, -2])
    """
def bitwise_xor(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The bits set in exactly one, `x1 ^ x2`.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to, integers or bools: DTypeError for floats.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.bitwise_xor([12, 10], 6).numpy()
    array([10, 12])
    """
def blackman(M: Any) -> Tensor:
    """The Blackman window, a sum of three cosines: little leaks to far frequencies.

    `M`: the number of points. Shape: [M], empty below 1. Dtype: float64.

    >>> abs(jf.blackman(3)).numpy().round(2)
    array([0., 1., 0.])
    """
def block(arrays: Any) -> Tensor:
    """One array of nested lists of blocks: the innermost lists along the last axis, and so on outwards.

    Raises ShapeError where blocks do not fit together.

    >>> jf.block([[np.eye(2), np.zeros((2, 1))]]).numpy()
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
def broadcast_arrays(*arrays: ArrayLike, subok: _bool = False) -> tuple[Tensor, ...]:
    """All arrays broadcast to their common shape.

    Views. Raises ShapeError where there is none.

    >>> [x.shape for x in jf.broadcast_arrays(np.zeros((2, 1)), np.zeros(3))]
    [(2, 3), (2, 3)]
    """
def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    """The shape that arrays of these shapes are broadcast to; an integer is a shape of one axis.

    Raises ShapeError where they do not fit.

    >>> jf.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
def broadcast_to(array: ArrayLike, shape: _Shape, subok: _bool = False) -> Tensor:
    """`array` repeated along new axes and those of extent 1; not to be written to.

    A view. Raises ShapeError where that cannot be.

    >>> jf.broadcast_to([1, 2], (2, 2)).numpy()
    array([[1, 2],
           [1, 2]])
    """
def can_cast(from_: Any, to: Any, casting: str = 'safe') -> _bool:
    """Whether NumPy casts a dtype, or that of an array, to another by the rule `casting`.

    >>> jf.can_cast("int32", "float64"), jf.can_cast("int64", "float32")
    (True, False)
    """
def cbrt(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The cube root, with the sign of `x`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.cbrt([8.0, -27.0]).numpy()
    array([ 2., -3.])
    """
def ceil(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The smallest whole number that is not below `x`; integers stay as they are.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.ceil([-1.5, 1.5]).numpy()
    array([-1.,  2.])
    """
def choose(a: ArrayLike, choices: Any, out: _Out = None, mode: str = 'raise') -> Tensor:
    """For every element of `a` the element at its place of the choice with that number, all broadcast.

    >>> import numpy as np
    >>> jf.choose(jf.asarray([1, 0, 1]), ([1, 2, 3], [10, 20, 30])).numpy()
    array([10,  2, 30])
    """
def clip(a: ArrayLike, min: ArrayLike | None = ..., max: ArrayLike | None = ..., out: _Out = None, *, a_min: ArrayLike | None = ..., a_max: ArrayLike | None = ..., where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`a` limited to `min` and `max` (or `a_min` and `a_max`); None, or an omitted one, is no bound.

    Shape: that of all three, broadcast. Dtype: what they promote to.

    >>> jf.clip([-5, 2, 9], 0, 5).numpy()
    array([0, 2, 5])
    """
def column_stack(tup: Sequence[ArrayLike] | Tensor) -> Tensor:
    """Vectors as the columns of a matrix.

    Matrices are taken as they are.

    >>> jf.column_stack(([1, 2], [3, 4])).numpy()
    array([[1, 3],
           [2, 4]])
    """
def common_type(*arrays: ArrayLike) -> type:
    """The float or complex type that all arrays fit in: integers are taken for float64.

    Raises DTypeError for arrays of bools.

    >>> jf.common_type(np.arange(2, dtype="float32"), np.arange(2)).__name__
    'float64'
    """
def compress(condition: ArrayLike, a: ArrayLike, axis: _Axis = None, out: _Out = None, *, size: int | None = None, fill_value: ArrayLike = 0) -> Tensor:
    """The slices of `a` along an axis (None: elements of `a` flat) for which the condition is true.

    With `size` there are so many, and a jitted function is not cut: the first ones, then `fill_value`.

    Raises ShapeError unless the condition has one axis.

    >>> jf.compress([True, False, True], [1, 2, 3]).numpy()
    array([1, 3])
    """
def concat(arrays: Sequence[ArrayLike] | Tensor, /, axis: _Axis = 0, out: _Out = None, *, dtype: DTypeLike | None = None, casting: str = 'same_kind') -> Tensor:
    """Arrays one after another along an axis; `axis` None takes them flat.

    Shape: that of the arrays, whose other extents are equal (else ShapeError), with the sum of extents.
    Dtype: what they promote to, or `dtype`.

    >>> jf.concat([[1, 2], [3]]).numpy()
    array([1, 2, 3])
    """
def conj(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The complex conjugates; of real numbers these, bools become int8.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.conj([1.0, -2.0]).numpy()
    array([ 1., -2.])
    """
def convolve(a: ArrayLike, v: ArrayLike, mode: str = 'full') -> Tensor:
    """As `correlate`, with one of the vectors in reverse order.

    >>> import numpy as np
    >>> jf.convolve(jf.asarray([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.5])).numpy()
    array([0. , 1. , 2.5, 4. , 1.5])
    """
def copy(a: ArrayLike, order: str = 'K', subok: _bool = False) -> Tensor:
    """A new array of the same value, which no write to `a` changes.

    >>> x = jf.asarray([1, 2])
    >>> y = jf.copy(x)
    >>> y[0] = 9
    >>> x.numpy()
    array([1, 2])
    """
def copysign(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The size of `x1` with the sign of `x2`, also of zeros and NaNs.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.copysign([1.0, 2.0], [-1.0, 1.0]).numpy()
    array([-1.,  2.])
    """
def copyto(dst: Any, src: ArrayLike, casting: str = 'same_kind', where: ArrayLike = True) -> None:
    """Writes `src` to `dst` where a mask is true.

    `dst` is a lazy array: otherwise, and for a `src` that does not fit by the rule `casting`, raises
    DTypeError.

    >>> x = jf.zeros(3)
    >>> jf.copyto(x, [1.0, 2.0, 3.0], where=[True, False, True])
    >>> x.numpy()
    array([1., 0., 3.])
    """
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: _bool = True, *, dtype: DTypeLike | None = None) -> Tensor:
    """Correlation coefficients of variables, from -1 to 1, as a matrix.

    >>> jf.corrcoef([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).numpy()
    array([[ 1., -1.],
           [-1.,  1.]])
    """
def correlate(a: ArrayLike, v: ArrayLike, mode: str = 'valid') -> Tensor:
    """Sums of products of `v` and the windows of `a`: only whole ones, or as many as `a` is long, or all. Of
    complex numbers those of `v` are conjugated.

    >>> import numpy as np
    >>> jf.correlate(jf.asarray([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.5])).numpy()
    array([3.5])
    """
def cos(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The cosine of angles in radians; NaN of infinities.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.cos([0.0, np.pi]).numpy()
    array([ 1., -1.])
    """
def cosh(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The hyperbolic cosine, `(exp(x) + exp(-x)) / 2`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.cosh([0.0, 1.0]).numpy()
    array([1.        , 1.54308063])
    """
def count_nonzero(a: ArrayLike, axis: _Axis = None, *, keepdims: _bool = False) -> Tensor:
    """How many elements over axes differ from zero.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64.

    >>> jf.count_nonzero([[1, 0], [3, 4]], axis=0).numpy()
    array([2, 1])
    """
def cov(m: ArrayLike, y: ArrayLike | None = None, rowvar: _bool = True, bias: _bool = False, ddof: int | None = None, fweights: Any = None, aweights: Any = None, *, dtype: DTypeLike | None = None) -> Tensor:
    """The covariances of variables, one a row (`rowvar`) or a column, as a matrix.

    >>> jf.cov([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).numpy()
    array([[ 1., -1.],
           [-1.,  1.]])
    """
def cross(a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor:
    """The vector product of vectors of three components along an axis.

    Shape: that of both, broadcast. A vector of two components has 0 as its third; of two such the product is
    its third component alone, without the axis. Raises ShapeError for other numbers of components. `axisa`,
    `axisb` and `axisc` are the axes of `a`, of `b` and of the result; `axis` is all three.

    >>> jf.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1])
    """
def cumprod(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None) -> Tensor:
    """The products up to each element along an axis (None: of the flat array).

    Shape: that of `a`; for `axis` None one axis.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.cumprod([1, 2, 3]).numpy()
    array([1, 2, 6])
    """
def cumsum(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None) -> Tensor:
    """The sums up to each element along an axis (None: of the flat array).

    Shape: that of `a`; for `axis` None one axis.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.cumsum([1, 2, 3]).numpy()
    array([1, 3, 6])
    """
def cumulative_prod(x: ArrayLike, /, *, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, include_initial: _bool = False) -> Tensor:
    """The products up to each element along an axis, which is needed where there are several. With
    `include_initial` one element more, 1 at the start.

    Shape: that of `x`, or one element more along the axis.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.cumulative_prod([1, 2, 3], include_initial=True).numpy()
    array([1, 1, 2, 6])
    """
def cumulative_sum(x: ArrayLike, /, *, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, include_initial: _bool = False) -> Tensor:
    """The sums up to each element along an axis, which is needed where there are several. With
    `include_initial` one element more, 0 at the start.

    Shape: that of `x`, or one element more along the axis.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.cumulative_sum([1, 2, 3], include_initial=True).numpy()
    array([0, 1, 3, 6])
    """
def deg2rad(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Angles in degrees as radians.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.deg2rad([0.0, 180.0]).numpy()
    array([0.        , 3.14159265])
    """
def delete(arr: ArrayLike, obj: Any, axis: int | None = None) -> Tensor:
    """`arr` without some positions of an axis (None: of all elements in C order).

    `obj`: a position, a slice, positions or a mask, known now. Raises BoundsError for one outside.

    >>> jf.delete([1, 2, 3], 1).numpy()
    array([1, 3])
    """
def diag(v: ArrayLike, k: int = 0) -> Tensor:
    """The diagonal of a matrix; of a vector the matrix that has it as diagonal.

    `k`: how far above (positive) or below the main diagonal.

    >>> jf.diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])
    """
def diag_indices(n: Any, ndim: Any = 2) -> tuple[Tensor, ...]:
    """The positions of the diagonal of an array whose `ndim` extents are `n`: one array for each axis.

    >>> [each.numpy() for each in jf.diag_indices(2)]
    [array([0, 1]), array([0, 1])]
    """
def diag_indices_from(arr: ArrayLike) -> tuple[Tensor, ...]:
    """The positions of the diagonal of an array, all of whose extents are equal: one array for each axis.

    >>> [positions.numpy() for positions in jf.diag_indices_from(np.zeros((2, 2)))]
    [array([0, 1]), array([0, 1])]
    """
def diagflat(v: ArrayLike, k: int = 0) -> Tensor:
    """The matrix that has the elements of `v` as a diagonal.

    >>> jf.diagflat([[1, 2], [3, 4]], k=1).shape
    (5, 5)
    """
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The elements on a diagonal of two axes, along a new last axis; not to be written to.

    Shape: that of `a` without the two axes, and the diagonal's length. `offset`: above (positive) or below.

    >>> jf.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike = ..., append: ArrayLike = ...) -> Tensor:
    """Differences of neighbours along an axis, `n` times; of the array put between `prepend` and `append`.

    Shape: that of `a`, `n` elements less along the axis. Of bools: whether neighbours differ.

    >>> jf.diff([1, 2, 4, 7]).numpy()
    array([1, 2, 3])
    """
def digitize(x: ArrayLike, bins: ArrayLike, right: _bool = False) -> Tensor:
    """The interval of `bins`, which ascend or descend, in which each element lies.

    It is i where bins[i-1] <= x < bins[i]; with `right`, where bins[i-1] < x <= bins[i].

    >>> import numpy as np
    >>> jf.digitize(jf.asarray([0.5, 3.0]), np.array([0.0, 1.0, 2.0])).numpy()
    array([1, 3])
    """
def divide(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The quotients `x1 / x2`; x / 0 is an infinity, 0 / 0 is NaN.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.divide([1, 2, 3], 2).numpy()
    array([0.5, 1. , 1.5])
    """
def divmod(x1: ArrayLike, x2: ArrayLike, out1: Any = None, out2: Any = None, /, *, out: _Out = (None, None), where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> tuple[Tensor, Tensor]:
    """(x1 // x2, x1 % x2): the quotients rounded down, and the remainders, with the sign of `x2`.

    Shape: the operands' shapes broadcast. `out` is a tuple of two arrays, or of None in the place of one.

    >>> quotient, rest = jf.divmod([7, -7], 3)
    >>> quotient.numpy(), rest.numpy()
    (array([ 2, -3]), array([1, 2]))
    """
def dot(a: ArrayLike, b: ArrayLike, out: _Out = None) -> Tensor:
    """Sums over the last axis of `a` and the last but one of `b`: of matrices their product.

    Shape: of x[n, k] and y[k, m], [n, m]; a number times an array is their product. Raises ShapeError where
    the inner extents differ.

    >>> jf.dot([1, 2], [3, 4]).numpy()
    array(11)
    """
def dsplit(ary: ArrayLike, indices_or_sections: Any) -> list[Tensor]:
    """`split` along axis 2. Raises ShapeError for less than three axes.

    >>> [part.shape for part in jf.dsplit(np.zeros((2, 2, 4)), 2)]
    [(2, 2, 2), (2, 2, 2)]
    """
def dstack(tup: Sequence[ArrayLike] | Tensor) -> Tensor:
    """Arrays behind each other along the third axis.

    >>> jf.dstack(([1, 2], [3, 4])).numpy()
    array([[[1, 3],
            [2, 4]]])
    """
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Tensor:
    """Differences of neighbours of the flat array, between `to_begin` and `to_end`, in its dtype.

    Shape: one element less than `ary`, and those of both ends. Raises DTypeError where these do not fit its
    dtype.

    >>> jf.ediff1d([1, 2, 4, 7], to_begin=0).numpy()
    array([0, 1, 2, 3])
    """
def einsum(*operands: Any, out: _Out = None, optimize: Any = False, dtype: DTypeLike | None = None, casting: _Casting = 'safe', order: _Order = 'K') -> Tensor:
    """Sums of products in Einstein's notation: `einsum("bij,bjk->bik", x, y)`.

    Axes are letters, `...` any number of them; an axis that the result lacks is summed over, one that an
    operand has twice is its diagonal. Without `->` the result has the axes that stand once, in order. Also
    as NumPy takes it with lists of ints: `einsum(x, [0, 1], y, [1, 2])`.

    Dtype: what the operands promote to, or `dtype`. Raises ArgumentError for subscripts that do not fit.

    >>> jf.einsum("ij,j->i", [[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43])
    """
def einsum_path(*operands: Any, optimize: Any = 'greedy', einsum_call: _bool = False) -> tuple[Tensor, str]:
    """The best order in which `einsum` contracts these operands, and a text about its cost.

    It needs shapes alone. Raises ArgumentError for subscripts that do not fit.

    >>> jf.einsum_path("ij,jk->ik", np.ones((2, 3)), np.ones((3, 4)))[0]
    ['einsum_path', (0, 1)]
    """
def empty(shape: _Shape, dtype: DTypeLike | None = None, order: _Order = 'C', *, device: Any = None, like: Any = None) -> Tensor:
    """A new array of elements that are to be written before they are read.

    Shape: `shape`. Dtype: `dtype`, by default float64.
    Raises ArgumentError for negative extents.

    >>> jf.empty((2, 3)).shape
    (2, 3)
    """
def empty_like(a: ArrayLike, dtype: DTypeLike | None = None, order: _Order = 'K', subok: _bool = True, shape: _Shape | None = None, *, device: Any = None) -> Tensor:
    """A new array of elements that are to be written before they are read.

    Shape and dtype: those of `a`, unless `shape` or `dtype` name others.

    >>> jf.empty_like(np.ones((2, 3))).shape
    (2, 3)
    """
def equal(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x1 == x2`; NaN equals nothing. Integers are compared exactly, whatever their dtypes.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.equal([1, 2, 3], 2).numpy()
    array([False,  True, False])
    """
def erf(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The error function, 2 / sqrt(pi) times the integral of `exp(-t**2)` from 0 to `x`.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.erf([0.0, 1.0]).numpy()
    array([0.        , 0.84270079])
    """
def erfc(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`1 - erf(x)`, exact to the last places where that is small.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.erfc([0.0, 1.0]).numpy()
    array([1.        , 0.15729921])
    """
def exp(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """e to the power of `x`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.exp([0.0, 1.0]).numpy()
    array([1.        , 2.71828183])
    """
def exp2(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """2 to the power of `x`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.exp2([0.0, 3.0]).numpy()
    array([1., 8.])
    """
def expand_dims(a: ArrayLike, axis: _Axis = 0) -> Tensor:
    """`a` with a new axis of extent 1.

    A view. `axis`: where the new axis, or several, are in the result.

    >>> jf.expand_dims([1, 2], 0).shape
    (1, 2)
    """
def expm1(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`exp(x) - 1`, exact to the last places near 0.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.expm1([0.0, 1.0]).numpy()
    array([0.        , 1.71828183])
    """
def extract(condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0) -> Tensor:
    """The elements of `arr`, flat, for which the condition, flat, is true; see `compress`.

    >>> jf.extract([True, False, True], [1, 2, 3]).numpy()
    array([1, 3])
    """
def eye(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None, order: _Order = 'C', *, device: Any = None, like: Any = None) -> Tensor:
    """Ones on a diagonal, zeros elsewhere.

    Shape: [N, M], by default [N, N]. `k`: how far above (positive) or below the main diagonal. Dtype:
    float64.

    >>> jf.eye(2).numpy()
    array([[1., 0.],
           [0., 1.]])
    """
def fabs(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The sizes `|x|` as floats.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.fabs([-1, 2]).numpy()
    array([1., 2.])
    """
def fill_diagonal(a: ArrayLike, val: ArrayLike, wrap: _bool = False) -> None:
    """Writes a number, or values again from the first where they are too few, to the diagonal of `a`.

    With `wrap`, a matrix of more rows than columns has diagonals below its first one, too.

    `a` is a lazy array. Raises ShapeError for less than two axes, and for more of different extents.

    >>> x = jf.zeros((2, 2))
    >>> jf.fill_diagonal(x, 5)
    >>> x.numpy()
    array([[5., 0.],
           [0., 5.]])
    """
def finfo(dtype: DTypeLike) -> Any:
    """Limits of a float dtype, or of an array's: `bits`, `eps`, `max`, `min`, `smallest_normal`, `dtype`.

    >>> float(jf.finfo("float16").max)
    65504.0
    """
def flatnonzero(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0) -> Tensor:
    """The positions in `a`, taken flat, of the elements that are not zero; see `nonzero`.

    >>> jf.flatnonzero([0, 5, 0, 7]).numpy()
    array([1, 3])
    """
def flip(m: ArrayLike, axis: _Axis = None) -> Tensor:
    """`m` with the order of its elements reversed along axes.

    A view. `axis` None: along all axes.

    >>> jf.flip([1, 2, 3]).numpy()
    array([3, 2, 1])
    """
def fliplr(m: ArrayLike) -> Tensor:
    """`m` with its columns in reverse order.

    A view.

    >>> jf.fliplr([[1, 2], [3, 4]]).numpy()
    array([[2, 1],
           [4, 3]])
    """
def flipud(m: ArrayLike) -> Tensor:
    """`m` with its rows in reverse order.

    A view.

    >>> jf.flipud([[1, 2], [3, 4]]).numpy()
    array([[3, 4],
           [1, 2]])
    """
def float_power(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`x1 ** x2` in float64.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.float_power([1, 2, 3], -1).numpy()
    array([1.        , 0.5       , 0.33333333])
    """
def floor(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The largest whole number that is not above `x`; integers stay as they are.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.floor([-1.5, 1.5]).numpy()
    array([-2.,  1.])
    """
def floor_divide(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`x1 // x2`: the quotients rounded down. Integers: x // 0 is 0.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.floor_divide([7, -7], 2).numpy()
    array([ 3, -4])
    """
def fmax(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The larger of `x1` and `x2`; of a NaN and a number the number.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.fmax([1.0, np.nan], [3.0, 2.0]).numpy()
    array([3., 2.])
    """
def fmin(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The smaller of `x1` and `x2`; of a NaN and a number the number.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.fmin([1.0, np.nan], [3.0, 2.0]).numpy()
    array([1., 2.])
    """
def fmod(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """What division leaves, as C has it: with the sign of `x1`.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.fmod([7, -7], 3).numpy()
    array([ 1, -1])
    """
def frexp(x: ArrayLike, out1: Any = None, out2: Any = None, /, *, out: _Out = (None, None), where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> tuple[Tensor, Tensor]:
    """Fractions of size [1/2, 1) and int32 exponents: `x` is `f * 2**e`.

    Shape: that of `x`, of both. `out` is a tuple of two arrays, or of None in the place of one.

    >>> fraction, exponent = jf.frexp([1.0, 10.0])
    >>> fraction.numpy(), exponent.numpy()
    (array([0.5  , 0.625]), array([1, 4], dtype=int32))
    """
def from_dlpack(x: ArrayLike, /, *, device: Any = None, copy: _bool | None = None) -> Tensor:
    """A lazy array of another library's array, by DLPack; on its device unless another is named.

    It is a copy on the same device, as with `asarray`; with `copy=False` that memory itself, which must not
    be written to any more.

    Raises DTypeError for what has no `__dlpack__`.

    >>> jf.from_dlpack(np.array([1, 2])).numpy()
    array([1, 2])
    """
def frombuffer(buffer: Any, dtype: DTypeLike | None = ..., count: int = -1, offset: int = 0, *, like: Any = None) -> Tensor:
    """The bytes of an object with the buffer protocol, copied, as a vector; those of a lazy array as a view.

    >>> jf.frombuffer(bytes([1, 2, 3]), dtype="uint8").numpy()
    array([1, 2, 3], dtype=uint8)
    """
def fromfunction(function: Any, shape: _Shape, *, dtype: DTypeLike | None = ..., like: Any = None, **kwargs: Any) -> Tensor:
    """`function(i, j, …)` of the positions along each axis, all of them at once.

    `dtype`: of the positions. `kwargs` go to the function.

    >>> jf.fromfunction(lambda i, j: i + j, (2, 2), dtype=int).numpy()
    array([[0, 1],
           [1, 2]])
    """
def fromiter(iter: Any, dtype: DTypeLike, count: int = -1, *, like: Any = None) -> Tensor:
    """The values of an iterable, all or the first `count` of them, as a vector.

    >>> jf.fromiter((n * n for n in range(4)), dtype=float).numpy()
    array([0., 1., 4., 9.])
    """
def full(shape: _Shape, fill_value: ArrayLike, dtype: DTypeLike | None = None, order: _Order = 'C', *, device: Any = None, like: Any = None) -> Tensor:
    """An array of one value.

    Shape: `shape`. Dtype: `dtype`, or that of `fill_value`.

    >>> jf.full((2, 2), 7).numpy()
    array([[7, 7],
           [7, 7]])
    """
def full_like(a: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike | None = None, order: _Order = 'K', subok: _bool = True, shape: _Shape | None = None, *, device: Any = None) -> Tensor:
    """An array of one value in the shape and dtype of `a`.

    `dtype` and `shape` in place of its own.

    >>> jf.full_like([1, 2], 7).numpy()
    array([7, 7])
    """
def gamma(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The gamma function: `(x - 1)!` of whole numbers; NaN of negative ones.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.gamma([1.0, 5.0]).numpy()
    array([ 1., 24.])
    """
def gcd(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The greatest common divisor, which is not negative; gcd(x, 0) is |x|.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to, integers or bools: DTypeError for floats.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.gcd([12, 18], 8).numpy()
    array([4, 2])
    """
def geomspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: _bool = True, dtype: DTypeLike | None = None, axis: int = 0) -> Tensor:
    """`num` numbers from `start` to `stop`, each the same multiple of the one before; the ends are exact.

    Bounds are both positive or both negative; of others known now NumPy's error is raised, others give NaN.
    Shape: [num], or of bounds that are arrays these with a new axis. Dtype: `dtype`, or float64.

    >>> jf.geomspace(1, 1000, num=4).numpy()
    array([   1.,   10.,  100., 1000.])
    """
def gradient(f: ArrayLike, *varargs: ArrayLike, axis: _Axis = None, edge_order: int = 1) -> Any:
    """Derivatives along axes: central differences, of first or second order at the edges.

    `varargs`: the distance of samples for all axes or for each, numbers or their places along the axis.

    Shape and dtype: those of `f`, integers as float64; for several axes a tuple of as many arrays. Raises
    ShapeError for an axis of too few elements.

    >>> jf.gradient([1.0, 2.0, 4.0, 7.0]).numpy()
    array([1. , 1.5, 2.5, 3. ])
    """
def greater(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x1 > x2`; False where either is NaN.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.greater([1, 2, 3], 2).numpy()
    array([False, False,  True])
    """
def greater_equal(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x1 >= x2`; False where either is NaN.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.greater_equal([1, 2, 3], 2).numpy()
    array([False,  True,  True])
    """
def hamming(M: Any) -> Tensor:
    """The Hamming window, a raised cosine with small steps at its ends.

    `M`: the number of points. Shape: [M], empty below 1. Dtype: float64.

    >>> jf.hamming(3).numpy().round(2)
    array([0.08, 1.  , 0.08])
    """
def hanning(M: Any) -> Tensor:
    """The Hann window, a raised cosine: 1 in the middle, 0 at both ends.

    `M`: the number of points. Shape: [M], empty below 1. Dtype: float64.

    >>> jf.hanning(3).numpy()
    array([0., 1., 0.])
    """
def heaviside(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """0 where `x1` is below 0, `x2` where it is 0, 1 above; NaN where `x1` is NaN.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.heaviside([-1.0, 0.0, 2.0], 0.5).numpy()
    array([0. , 0.5, 1. ])
    """
def histogram(a: ArrayLike, bins: ArrayLike = 10, range: Any = None, density: Any = None, weights: ArrayLike | None = None) -> tuple[Tensor, Tensor]:
    """How many elements lie in each interval, or the sums of their `weights`; and the edges.

    An element on an edge counts above it, on the last edge below. With `density`, the sum of counts times
    widths is 1.

    >>> import numpy as np
    >>> counts, edges = jf.histogram(jf.asarray(np.array([1.0, 2.0, 1.0])), bins=[0, 1, 2, 3])
    >>> counts.numpy()
    array([0, 2, 1])
    """
def histogram2d(x: ArrayLike, y: ArrayLike, bins: ArrayLike = 10, range: Any = None, density: Any = None, weights: ArrayLike | None = None) -> tuple[Tensor, Any, Any]:
    """How many points lie in each cell of a plane; and the edges along both axes. See `histogramdd`.

    `x`, `y`: [points]. `bins`: how many along both axes, or the edges of both, or a pair with one of these
    for each. Shape: [bins along x, bins along y].

    >>> counts, xedges, yedges = jf.histogram2d([0.0, 1.0], [0.0, 1.0], bins=2)
    >>> counts.numpy()
    array([[1., 0.],
           [0., 1.]])
    """
def histogram_bin_edges(a: ArrayLike, bins: ArrayLike = 10, range: Any = None, weights: ArrayLike | None = None) -> Tensor:
    """The edges of `bins` intervals of equal size from the smallest element to the largest, or over `range`;
    or those that are given.

    Shape: [bins + 1].

    >>> jf.histogram_bin_edges([0.0, 4.0], bins=4).numpy()
    array([0., 1., 2., 3., 4.])
    """
def histogramdd(sample: Any, bins: ArrayLike = 10, range: Any = None, density: Any = None, weights: ArrayLike | None = None) -> tuple[Tensor, list[Tensor]]:
    """How many points lie in each cell of a grid, or the sums of their `weights`; and the edges along each
    axis.

    `sample`: [points, axes], or a sequence of the coordinates along each axis. `bins`: how many along every
    axis, or for each axis how many or the edges. `range`: for each axis where they begin and end, or None.
    Shape: [bins along the first axis, ...]. Dtype: float64. With `density`, the sum of counts times volumes
    is 1.

    >>> counts, edges = jf.histogramdd(np.array([[0.0, 0.0], [1.0, 0.0]]), bins=(2, 1))
    >>> counts.numpy()
    array([[1.],
           [1.]])
    """
def hsplit(ary: ArrayLike, indices_or_sections: Any) -> list[Tensor]:
    """`split` along axis 1, of vectors along axis 0. Raises ShapeError for less axes.

    >>> [part.numpy() for part in jf.hsplit([1, 2, 3, 4], 2)]
    [array([1, 2]), array([3, 4])]
    """
def hstack(tup: Sequence[ArrayLike] | Tensor, *, dtype: DTypeLike | None = None, casting: str = 'same_kind') -> Tensor:
    """Arrays side by side along axis 1, vectors along axis 0.

    Raises ShapeError where the other extents differ.

    >>> jf.hstack(([1, 2], [3])).numpy()
    array([1, 2, 3])
    """
def hypot(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The root of `x1**2 + x2**2`, without overflow in between.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.hypot([3.0], [4.0]).numpy()
    array([5.])
    """
def i0(x: ArrayLike) -> Tensor:
    """The modified Bessel function of the first kind and order 0.

    By Chebyshev series of it, scaled by its growth, below and above 8 (Abramowitz and Stegun, Handbook of
    Mathematical Functions, 9.6). Shape: that of `x`. Dtype: that of `x`, of integers float64.

    >>> jf.i0([0.0, 1.0]).numpy().round(6)
    array([1.      , 1.266066])
    """
def identity(n: int, dtype: DTypeLike | None = None, *, like: Any = None) -> Tensor:
    """A square matrix of ones on the diagonal, zeros elsewhere.

    Shape: [n, n]. Dtype: `dtype`, or float64.

    >>> jf.identity(2).numpy()
    array([[1., 0.],
           [0., 1.]])
    """
def iinfo(int_type: Any) -> np.iinfo[Any]:
    """Limits of an integer dtype, or of an array's: `bits`, `max`, `min`, `dtype`.

    >>> jf.iinfo("uint8").max
    255
    """
def imag(val: ArrayLike) -> Tensor:
    """The imaginary parts, a view of complex numbers; of real numbers zeros.

    Shape: that of `val`. Dtype: of complex numbers that of a part, else that of `val`.

    >>> jf.imag([1.0, 2j]).numpy()
    array([0., 2.])
    """
def in1d(ar1: Any, ar2: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None) -> Tensor:
    """`isin` of the first array, flat.

    >>> jf.in1d([[1, 2]], [2]).numpy()
    array([False,  True])
    """
def indices(dimensions: _Shape, dtype: DTypeLike | None = ..., sparse: _bool = False) -> Any:
    """The positions along each axis of an array of shape `dimensions`, stacked along a first axis.

    Shape: [rank, *dimensions]; with `sparse` a tuple of arrays that broadcast to `dimensions`.

    >>> rows, columns = jf.indices((2, 2))
    >>> columns.numpy()
    array([[0, 1],
           [0, 1]])
    """
def inner(a: ArrayLike, b: ArrayLike) -> Tensor:
    """Sums of products over the last axes of both.

    Shape: of x[n, k] and y[m, k], [n, m]. Raises ShapeError where the last extents differ.

    >>> jf.inner([[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43])
    """
def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: int | None = None) -> Tensor:
    """`arr` with values before positions of an axis (None: of all elements in C order).

    `obj`: a position, a slice, positions or a mask, known now. Raises BoundsError for one outside.

    >>> jf.insert([1, 2, 3], 1, 9).numpy()
    array([1, 9, 2, 3])
    """
def interp(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: ArrayLike | None = None, right: ArrayLike | None = None, period: ArrayLike | None = None) -> Tensor:
    """The values at `x` of the straight lines through the points (`xp`, `fp`), as float64.

    Shape: that of `x`. `xp` is ascending; before and after it the values are `left` and `right`, by default
    the first and the last of `fp`. With `period` both axes are modulo that, and
    the points stand in any order.

    >>> import numpy as np
    >>> jf.interp(np.array([0.0, 1.5, 9.0]), np.array([1.0, 2.0]), np.array([10.0, 20.0])).numpy()
    array([10., 15., 20.])
    """
def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Tensor:
    """The distinct elements that both arrays have, in their order; with `return_indices`, where each comes
    first in the one and in the other. `assume_unique`: no array has an element twice. See `unique`.

    >>> jf.intersect1d([3, 1, 3], [2, 3, 1]).numpy()
    array([1, 3])
    """
def isclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: _bool = False) -> Tensor:
    """Whether elements are equal within `atol` + `rtol` * |b|.

    Shape: that of both, broadcast. Dtype: bool. `equal_nan`: NaN equals NaN.

    >>> jf.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).numpy()
    array([ True, False])
    """
def iscomplex(x: ArrayLike) -> Tensor:
    """Whether the imaginary part is other than zero.

    Shape: that of `x`. Dtype: bool.

    >>> jf.iscomplex([1.0, 2j]).numpy()
    array([False,  True])
    """
def iscomplexobj(x: ArrayLike) -> _bool:
    """Whether a value has a complex dtype, whatever its imaginary parts are.

    >>> jf.iscomplexobj(1j), jf.iscomplexobj([1.0])
    (True, False)
    """
def isdtype(dtype: DTypeLike, kind: Any) -> _bool:
    """Whether a dtype is of a kind ("bool", "integral", "real floating" …), another dtype, or one of several.

    >>> jf.isdtype("uint8", ("bool", "unsigned integer"))
    True
    """
def isfinite(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x` is neither NaN nor an infinity.

    Shape: that of `x`. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.isfinite([1.0, np.inf, np.nan]).numpy()
    array([ True, False, False])
    """
def isfortran(a: ArrayLike) -> _bool:
    """Whether elements are in Fortran order, the first axis varying fastest, and not in C order.

    That is NumPy's memory order, which may differ from a device's.

    >>> jf.isfortran(jf.asarray([[1, 2], [3, 4]]).T)
    True
    """
def isin(element: ArrayLike, test_elements: ArrayLike, assume_unique: _bool = False, invert: _bool = False, *, kind: Any = None) -> Tensor:
    """Whether each element is one of `test_elements`; with `invert`, whether it is none of them.

    `test_elements` are sorted and searched; a few of a lazy array are each compared with each.

    Shape: that of `element`. Dtype: bool.

    >>> jf.isin([1, 2, 3], [1, 3]).numpy()
    array([ True, False,  True])
    """
def isinf(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x` is an infinity of either sign.

    Shape: that of `x`. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.isinf([1.0, -np.inf, np.nan]).numpy()
    array([False,  True, False])
    """
def isnan(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x` is NaN.

    Shape: that of `x`. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.isnan([1.0, np.inf, np.nan]).numpy()
    array([False, False,  True])
    """
def isneginf(x: ArrayLike, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x` is negative infinity.

    Shape: that of `x`. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.isneginf([np.inf, -np.inf, np.nan]).numpy()
    array([False,  True, False])
    """
def isposinf(x: ArrayLike, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x` is positive infinity.

    Shape: that of `x`. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.isposinf([np.inf, -np.inf, np.nan]).numpy()
    array([ True, False, False])
    """
def isreal(x: ArrayLike) -> Tensor:
    """Whether the imaginary part is zero.

    Shape: that of `x`. Dtype: bool.

    >>> jf.isreal([1.0, 2j]).numpy()
    array([ True, False])
    """
def isrealobj(x: ArrayLike) -> _bool:
    """Whether a value has a dtype that is not complex.

    >>> jf.isrealobj([1.0]), jf.isrealobj(1j)
    (True, False)
    """
def isscalar(element: ArrayLike) -> _bool:
    """Whether a value is a number or a NumPy scalar, and no array.

    >>> jf.isscalar(3.0), jf.isscalar(jf.asarray(3.0))
    (True, False)
    """
def issubdtype(arg1: Any, arg2: Any) -> _bool:
    """Whether a type is another one or below it in NumPy's hierarchy of types.

    >>> jf.issubdtype(np.float32, np.floating)
    True
    """
def iterable(y: ArrayLike) -> _bool:
    """Whether a value can be iterated over: arrays of no axes cannot.

    >>> jf.iterable(jf.asarray([1.0])), jf.iterable(jf.asarray(1.0))
    (True, False)
    """
def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Arrays of positions that together index every combination of the given ones.

    Shape: of n and m positions, [n, 1] and [1, m].

    >>> jf.asarray([[1, 2, 3], [4, 5, 6]])[jf.ix_([0, 1], [0, 2])].numpy()
    array([[1, 3],
           [4, 6]])
    """
def kaiser(M: Any, beta: Any) -> Tensor:
    """The Kaiser window, of Bessel functions: `beta` trades the width of its main lobe for what leaks.

    `M`: the number of points; `beta`: 0 is a rectangle, 5 like `hamming`, 8.6 like `blackman`.
    Shape: [M], empty below 1. Dtype: float64.

    >>> jf.kaiser(3, 5.0).numpy().round(4)
    array([0.0367, 1.    , 0.0367])
    """
def kron(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The Kronecker product: `b` in place of each element of `a`, times that element.

    Shape: the products of extents.

    >>> jf.kron([1, 10], [1, 2]).numpy()
    array([ 1,  2, 10, 20])
    """
def lcm(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The least common multiple, which is not negative; lcm(x, 0) is 0. It wraps around.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to, integers or bools: DTypeError for floats.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.lcm([4, 6], 10).numpy()
    array([20, 30])
    """
def ldexp(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`x1 * 2**x2`, rounded once; `x2` are integers.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.ldexp([1.0, 3.0], [4, -1]).numpy()
    array([16. ,  1.5])
    """
def less(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x1 < x2`; False where either is NaN.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.less([1, 2, 3], 2).numpy()
    array([ True, False, False])
    """
def less_equal(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x1 <= x2`; False where either is NaN.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.less_equal([1, 2, 3], 2).numpy()
    array([ True,  True, False])
    """
def lexsort(keys: Any, axis: _Axis = -1) -> Tensor:
    """The positions that sort by several keys: by the last of `keys` first, equal ones by that before.

    `keys`: arrays of one shape, or an array, whose rows are the keys. Shape: that of a key. Dtype: int64.
    Raises ShapeError for keys of several shapes, DTypeError for none.

    >>> import numpy as np
    >>> jf.lexsort((np.array([1, 0, 2]), np.array([5, 5, 4]))).numpy()
    array([2, 1, 0])
    """
def lgamma(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The natural logarithm of `|gamma(x)|`.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.lgamma([1.0, 5.0]).numpy()
    array([0.        , 3.17805383])
    """
def linspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: _bool = True, retstep: _bool = False, dtype: DTypeLike | None = None, axis: int = 0, *, device: Any = None) -> Tensor:
    """`num` numbers evenly spaced from `start` to `stop`.

    Without `endpoint`, `stop` itself is left out. Shape: [num], or of bounds that are arrays these with a
    new axis. Dtype: `dtype`, or float64.

    >>> jf.linspace(0.0, 1.0, 5).numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
def log(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The natural logarithm; -inf of 0, NaN of negative numbers.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.log([1.0, np.e]).numpy()
    array([0., 1.])
    """
def log10(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The logarithm to base 10; -inf of 0, NaN of negative numbers.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.log10([1.0, 1000.0]).numpy()
    array([0., 3.])
    """
def log1p(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`log(1 + x)`, exact to the last places near 0; -inf of -1, NaN below it.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.log1p([0.0, 1.0]).numpy()
    array([0.        , 0.69314718])
    """
def log2(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The logarithm to base 2; -inf of 0, NaN of negative numbers.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.log2([1.0, 8.0]).numpy()
    array([0., 3.])
    """
def logaddexp(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`log(exp(x1) + exp(x2))`, without overflow in between.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.logaddexp([0.0, 1000.0], [0.0, 1000.0]).numpy()
    array([6.93147181e-01, 1.00069315e+03])
    """
def logaddexp2(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`log2(2**x1 + 2**x2)`, without overflow in between.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.logaddexp2([0.0, 2000.0], [0.0, 2000.0]).numpy()
    array([1.000e+00, 2.001e+03])
    """
def logical_and(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether both are true. A number is true unless it is zero; so is NaN.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.logical_and([True, True], [True, False]).numpy()
    array([ True, False])
    """
def logical_not(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x` is not true. A number is true unless it is zero; so is NaN.

    Shape: that of `x`. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.logical_not([True, False]).numpy()
    array([False,  True])
    """
def logical_or(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether at least one is true. A number is true unless it is zero; so is NaN.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.logical_or([True, False], [False, False]).numpy()
    array([ True, False])
    """
def logical_xor(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether exactly one is true. A number is true unless it is zero; so is NaN.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.logical_xor([True, True], [True, False]).numpy()
    array([False,  True])
    """
def logspace(start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: _bool = True, base: Any = 10.0, dtype: DTypeLike | None = None, axis: int = 0) -> Tensor:
    """`num` numbers from `base ** start` to `base ** stop`, each the same multiple of the one before.

    Without `endpoint`, the last is left out. Shape: [num], or of bounds and bases that are arrays these
    with a new axis. Dtype: `dtype`, or float64.

    >>> jf.logspace(0, 2, 3).numpy()
    array([  1.,  10., 100.])
    """
def mask_indices(n: Any, mask_func: Any, k: Any = 0) -> tuple[Tensor, ...]:
    """The positions that `mask_func(ones, k)` (such as `np.triu`) leaves in an array of shape [n, n].

    >>> [each.numpy() for each in jf.mask_indices(2, np.triu)]
    [array([0, 0, 1]), array([0, 1, 1])]
    """
def matmul(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None, axes: Any = None, axis: _Axis = None, keepdims: _bool = False) -> Tensor:
    """The products of matrices in the last two axes, `x1 @ x2`; a vector is a row on the left, a column on
    the right.

    Shape: of x1[..., n, k] and x2[..., k, m], [..., n, m], the other axes broadcast.

    Dtype: what both promote to; they are cast to `dtype` first. Raises ShapeError where
    the inner extents differ.

    >>> jf.matmul([[1, 2], [3, 4]], [[1, 0], [10, 1]]).numpy()
    array([[21,  2],
           [43,  4]])
    """
def matrix_transpose(x: ArrayLike, /) -> Tensor:
    """`x` with its last two axes swapped.

    A view. Raises ArgumentError for less than two axes.

    >>> jf.matrix_transpose(np.zeros((2, 3, 4))).shape
    (2, 4, 3)
    """
def matvec(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None, axes: Any = None, axis: _Axis = None, keepdims: _bool = False) -> Tensor:
    """Matrices in the last two axes times vectors in the last axis.

    Shape: of x1[..., n, k] and x2[..., k], [..., n], the other axes broadcast.

    Dtype: what both promote to; they are cast to `dtype` first. Raises ShapeError where
    the inner extents differ.

    >>> jf.matvec([[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43])
    """
def max(a: ArrayLike, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
    """The largest element over axes, of those where `where` holds and `initial`; NaN where there is one.
    Of no elements ArgumentError, unless there is an `initial`.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of the array.

    >>> jf.max([[1, 2], [3, 4]], axis=0).numpy()
    array([3, 4])
    """
def maximum(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The larger of `x1` and `x2`; NaN where either is NaN.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.maximum([1, 5, 3], [4, 2, 3]).numpy()
    array([4, 5, 3])
    """
def may_share_memory(a: ArrayLike, b: ArrayLike, /, max_work: Any = None) -> _bool:
    """Whether two arrays may have an element in common; the same as `shares_memory`.

    >>> x = jf.asarray([1, 2, 3, 4])
    >>> jf.may_share_memory(x[:2], x[1:])
    True
    """
def mean(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, *, where: ArrayLike = True) -> Tensor:
    """The arithmetic mean over axes of the elements for which `where` holds; NaN of none.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of floats, float64 of integers and bools; or `dtype`.

    >>> jf.mean([[1, 2], [3, 4]], axis=0).numpy()
    array([2., 3.])
    """
def median(a: ArrayLike, axis: _Axis = None, out: _Out = None, overwrite_input: _bool = False, keepdims: _bool = False) -> Tensor:
    """The middle element over axes, or the mean of the two in the middle; NaN where there is a NaN.

    `overwrite_input` changes nothing; ArgumentError of an array that is read-only. Shape: that of `a` without
    the axes; with `keepdims` their extents are 1. Dtype: that of a mean.

    >>> jf.median([[7, 1, 5], [4, 2, 8]], axis=1).numpy()
    array([5., 4.])
    """
def meshgrid(*xi: ArrayLike, copy: _bool = True, sparse: _bool = False, indexing: str = 'xy') -> Tensor:
    """Coordinate arrays of a grid from the coordinates along each axis.

    Shape: of x[n] and y[m], [m, n]; with `indexing` "ij" [n, m]; with `sparse` what broadcasts to that.

    >>> columns, rows = jf.meshgrid([1, 2, 3], [10, 20])
    >>> rows.numpy()
    array([[10, 10, 10],
           [20, 20, 20]])
    """
def min(a: ArrayLike, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
    """The smallest element over axes, of those where `where` holds and `initial`; NaN where there is one.
    Of no elements ArgumentError, unless there is an `initial`.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of the array.

    >>> jf.min([[1, 2], [3, 4]], axis=0).numpy()
    array([1, 2])
    """
def min_scalar_type(a: ArrayLike) -> np.dtype[Any]:
    """The smallest dtype that holds a number; of arrays with axes their own.

    A number that is not known yet is computed.

    >>> jf.min_scalar_type(300)
    dtype('uint16')
    """
def minimum(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The smaller of `x1` and `x2`; NaN where either is NaN.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.minimum([1, 5, 3], [4, 2, 3]).numpy()
    array([1, 2, 3])
    """
def mintypecode(typechars: Any, typeset: str = 'GDFgdf', default: Any = 'd') -> str:
    """The character of the smallest type of `typeset` to which all the given ones, or those of arrays, can be
    cast.

    >>> jf.mintypecode(["i", "f"])
    'f'
    """
def modf(x: ArrayLike, out1: Any = None, out2: Any = None, /, *, out: _Out = (None, None), where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> tuple[Tensor, Tensor]:
    """The fractional and the whole parts, both with the sign of `x`.

    Shape: that of `x`, of both. `out` is a tuple of two arrays, or of None in the place of one.

    >>> fraction, whole = jf.modf([1.5, -2.25])
    >>> fraction.numpy(), whole.numpy()
    (array([ 0.5 , -0.25]), array([ 1., -2.]))
    """
def moveaxis(a: ArrayLike, source: _Axis, destination: _Axis) -> Tensor:
    """`a` with axes moved to other positions.

    A view. `source` and `destination`: an axis, or as many axes each.

    >>> jf.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
def multiply(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The products `x1 * x2`. Integers wrap around; of bools it is `x1 & x2`.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.multiply([1, 2, 3], 10).numpy()
    array([10, 20, 30])
    """
def nan_to_num(x: ArrayLike, copy: _bool = True, nan: ArrayLike = 0.0, posinf: ArrayLike | None = None, neginf: ArrayLike | None = None) -> Tensor:
    """`x` with NaN and infinities replaced, by default by 0 and the largest numbers of the dtype.

    Shape and dtype: those of `x`. With `copy=False` it is written to `x`.

    >>> jf.nan_to_num([1.0, np.nan, -np.inf], neginf=-9.0).numpy()
    array([ 1.,  0., -9.])
    """
def nanargmax(a: ArrayLike, axis: _Axis = None, out: _Out = None, *, keepdims: _bool = False) -> Tensor:
    """As `argmax`, where a NaN counts as -inf; -1 where all are NaN (NumPy raises ValueError).

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64.

    >>> jf.nanargmax([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([0, 1])
    """
def nanargmin(a: ArrayLike, axis: _Axis = None, out: _Out = None, *, keepdims: _bool = False) -> Tensor:
    """As `argmin`, where a NaN counts as inf; -1 where all are NaN (NumPy raises ValueError).

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64.

    >>> jf.nanargmin([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([0, 0])
    """
def nancumprod(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None) -> Tensor:
    """As `cumprod`, NaN counting as 1.

    Shape: that of `a`; for `axis` None one axis.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.nancumprod([1.0, np.nan, 3.0]).numpy()
    array([1., 1., 3.])
    """
def nancumsum(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None) -> Tensor:
    """As `cumsum`, NaN counting as 0.

    Shape: that of `a`; for `axis` None one axis.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.nancumsum([1.0, np.nan, 3.0]).numpy()
    array([1., 1., 4.])
    """
def nanmax(a: ArrayLike, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
    """The largest element over axes of what is no NaN; NaN where nothing is left.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of the array.

    >>> jf.nanmax([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([1., 4.])
    """
def nanmean(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, *, where: ArrayLike = True) -> Tensor:
    """The mean over axes of what is no NaN; NaN where nothing is left.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of floats, float64 of integers and bools; or `dtype`.

    >>> jf.nanmean([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([1. , 3.5])
    """
def nanmedian(a: ArrayLike, axis: _Axis = None, out: _Out = None, overwrite_input: _bool = False, keepdims: _bool = False) -> Tensor:
    """As `median`, of the elements that are no NaN; NaN where all are.

    >>> import numpy as np
    >>> jf.nanmedian([[7.0, np.nan, 5.0], [4.0, 2.0, 8.0]], axis=1).numpy()
    array([6., 4.])
    """
def nanmin(a: ArrayLike, axis: _Axis = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
    """The smallest element over axes of what is no NaN; NaN where nothing is left.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of the array.

    >>> jf.nanmin([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([1., 3.])
    """
def nanpercentile(a: ArrayLike, q: Any, axis: _Axis = None, out: _Out = None, overwrite_input: _bool = False, method: str = 'linear', keepdims: _bool = False, *, weights: ArrayLike | None = None) -> Tensor:
    """As `nanquantile`, with `q` from 0 to 100.

    >>> import numpy as np
    >>> jf.nanpercentile([1.0, np.nan, 3.0], 100).numpy()
    array(3.)
    """
def nanprod(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
    """As `prod`, NaN counting as 1.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.nanprod([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([ 1., 12.])
    """
def nanquantile(a: ArrayLike, q: Any, axis: _Axis = None, out: _Out = None, overwrite_input: _bool = False, method: str = 'linear', keepdims: _bool = False, *, weights: ArrayLike | None = None) -> Tensor:
    """As `quantile`, of the elements that are no NaN; NaN where all are.

    >>> import numpy as np
    >>> jf.nanquantile([1.0, np.nan, 3.0], 0.5).numpy()
    array(2.)
    """
def nanstd(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, ddof: ArrayLike = 0, keepdims: _bool = False, *, where: ArrayLike = True, mean: ArrayLike = ..., correction: ArrayLike = ...) -> Tensor:
    """The standard deviation over axes of what is no NaN: the root of `nanvar`.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of floats, float64 of integers and bools; or `dtype`.

    >>> jf.nanstd([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([0. , 0.5])
    """
def nansum(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
    """As `sum`, NaN counting as 0.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.nansum([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([1., 7.])
    """
def nanvar(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, ddof: ArrayLike = 0, keepdims: _bool = False, *, where: ArrayLike = True, mean: ArrayLike = ..., correction: ArrayLike = ...) -> Tensor:
    """The variance over axes of what is no NaN; NaN where `ddof` or fewer are left.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of floats, float64 of integers and bools; or `dtype`.

    >>> jf.nanvar([[1.0, np.nan], [3.0, 4.0]], axis=1).numpy()
    array([0.  , 0.25])
    """
def ndim(a: ArrayLike) -> int:
    """The number of axes of an array.

    >>> jf.ndim([[1, 2, 3]])
    2
    """
def negative(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`-x`. Unsigned integers wrap around; bools have none: DTypeError.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.negative([1.0, -2.0]).numpy()
    array([-1.,  2.])
    """
def nextafter(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The next float after `x1` toward `x2`; `x2` where they are equal.

    Shape: the operands' shapes broadcast. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.nextafter(np.float32([1.0]), np.float32([2.0])).numpy()
    array([1.0000001], dtype=float32)
    """
def nonzero(a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0) -> tuple[Tensor, ...]:
    """The positions of the elements that are not zero, in C order: one array for each axis.

    The result's length depends on values: `a` is evaluated now, and a jitted function is cut where it needs
    the number of elements. With `size` there are so many positions: the first ones, and `fill_value` after
    the last.

    >>> import numpy as np
    >>> jf.nonzero(jf.asarray(np.array([0, 5, 0, 7])))[0].numpy()
    array([1, 3])
    >>> jf.nonzero(jf.asarray(np.array([0, 5, 0, 7])), size=3, fill_value=-1)[0].numpy()
    array([ 1,  3, -1])
    """
def not_equal(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether `x1 != x2`; NaN differs from all.

    Shape: the operands' shapes broadcast. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.not_equal([1, 2, 3], 2).numpy()
    array([ True, False,  True])
    """
def ones(shape: _Shape, dtype: DTypeLike | None = None, order: _Order = 'C', *, device: Any = None, like: Any = None) -> Tensor:
    """A new array of ones.

    Shape: `shape`. Dtype: `dtype`, by default float64.
    Raises ArgumentError for negative extents.

    >>> jf.ones((2, 3)).numpy()
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
def ones_like(a: ArrayLike, dtype: DTypeLike | None = None, order: _Order = 'K', subok: _bool = True, shape: _Shape | None = None, *, device: Any = None) -> Tensor:
    """A new array of ones.

    Shape and dtype: those of `a`, unless `shape` or `dtype` name others.

    >>> jf.ones_like(np.ones((2, 3))).numpy()
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
def outer(a: ArrayLike, b: ArrayLike, out: _Out = None) -> Tensor:
    """Every element of `a` times every element of `b`, both taken flat.

    Shape: of n and m elements, [n, m].

    >>> jf.outer([1, 2], [10, 20]).numpy()
    array([[10, 20],
           [20, 40]])
    """
def packbits(a: ArrayLike, /, axis: _Axis = None, bitorder: str = 'big') -> Tensor:
    """Packs eight elements along an axis, zero or not, into the bits of one byte; pads the last one with
    zeros.

    `axis`: by default the array is made a vector. `bitorder`: "big" has the first element in the highest bit.
    Dtype: uint8. Raises DTypeError for floats.

    >>> jf.packbits([1, 0, 0, 0, 0, 0, 1, 1, 1]).numpy()
    array([131, 128], dtype=uint8)
    """
def pad(array: ArrayLike, pad_width: Any, mode: Any = 'constant', **mode_options: Any) -> Tensor:
    """`array` with new elements before and after its axes, in NumPy's modes (but `median`).

    `pad_width`: (before, after) for each axis, one pair or one number for all. `mode`: "constant" (with
    `constant_values`), "edge", "linear_ramp" (with `end_values`), "maximum", "mean", "minimum" (with
    `stat_length`), "reflect", "symmetric" (with `reflect_type`), "wrap", or "empty".

    >>> jf.pad([1, 2], (1, 2), constant_values=9).numpy()
    array([9, 1, 2, 9, 9])
    """
def partition(a: ArrayLike, kth: Any, axis: _Axis = -1, kind: Any = 'introselect', order: _Order = None) -> Tensor:
    """`a` with element `kth` (or each of several) where sorting puts it: smaller ones before, others behind.

    Those before and behind it keep their order; for several positions all elements are sorted. Both are among
    the results that NumPy may give. Shape and dtype: those of `a`. Raises ArgumentError for a position that
    is out of bounds.

    >>> import numpy as np
    >>> int(jf.partition(np.array([7, 1, 5, 3]), 2)[2])
    5
    """
def percentile(a: ArrayLike, q: Any, axis: _Axis = None, out: _Out = None, overwrite_input: _bool = False, method: str = 'linear', keepdims: _bool = False, *, weights: ArrayLike | None = None) -> Tensor:
    """As `quantile`, with `q` from 0 to 100.

    >>> jf.percentile([[1, 9], [3, 5]], 50, axis=0).numpy()
    array([2., 7.])
    """
def permute_dims(a: ArrayLike, axes: Any = None) -> Tensor:
    """`a` with its axes reversed, or in the order given.

    A view. Raises ArgumentError where `axes` are not all axes once.

    >>> jf.permute_dims(np.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
def piecewise(x: ArrayLike, condlist: ArrayLike, funclist: Any, *args: Any, **kw: Any) -> Tensor:
    """A function by cases, in the dtype of `x`. Each of `funclist` is a number or a function, which is called
    on all of `x`, not on the elements of its case alone: it must be elementwise.

    Shape: that of `x`. `funclist` may have one more than `condlist`, for where no condition holds. `args`
    and `kw` go to the functions.

    >>> x = np.array([-2.0, 0.0, 3.0])
    >>> jf.piecewise(x, [x < 0, x >= 0], [lambda x: -x, lambda x: x * 10]).numpy()
    array([ 2.,  0., 30.])
    """
def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike) -> None:
    """Writes values to the places where the mask is true; repeats them where they are too few.

    `arr` is a lazy array: otherwise raises DTypeError. Raises ArgumentError for a mask of another size.

    >>> x = jf.asarray([1, 2, 3])
    >>> jf.place(x, x > 1, [8, 9])
    >>> x.numpy()
    array([1, 8, 9])
    """
def poly(seq_of_zeros: Any) -> Tensor:
    """The polynomial that has these zeros, and 1 before its highest power; of a square matrix the
    characteristic one, whose zeros are the eigenvalues.

    Shape: [n + 1]. Dtype: a float; complex where the zeros are, unless they are pairs of conjugates: the
    values are looked at. Raises ShapeError for other arrays.

    >>> jf.poly([1.0, 2.0]).numpy()
    array([ 1., -3.,  2.])
    """
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The sum of two polynomials. Shape: that of the longer one.

    >>> jf.polyadd([1, 2], [9, 5, 4]).numpy()
    array([9, 6, 6])
    """
def polyder(p: ArrayLike, m: ArrayLike = 1) -> Tensor:
    """The `m`-th derivative of a polynomial. Shape: [n - m], of a constant [0].

    >>> jf.polyder([1, 1, 1, 1]).numpy()
    array([3, 2, 1])
    """
def polydiv(u: Any, v: ArrayLike) -> tuple[Tensor, Tensor]:
    """Quotient and remainder of the division of two polynomials, by long division.

    Zeros before their highest powers, and before that of the remainder, are left out, as NumPy does; how many
    there are is looked up in the values.

    >>> quotient, remainder = jf.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    >>> quotient.numpy(), remainder.numpy()
    (array([1.5 , 1.75]), array([0.25]))
    """
def polyfit(x: ArrayLike, y: ArrayLike, deg: Any, rcond: Any = None, full: _bool = False, w: Any = None, cov: Any = False) -> Tensor:
    """The coefficients of the polynomial of degree `deg` that fits points best, the highest power first.

    `x`: [n]; `y`: [n] or [n, k]. `w`: [n], factors of the distances. Smallest are the squares of these, by
    `linalg.lstsq` with `rcond` of the powers of `x`, each column scaled to length 1. Shape: [deg + 1] or
    [deg + 1, k]. Dtype: float64. With `full` residuals, rank, singular values and `rcond` too; with `cov` the
    covariances of the coefficients, scaled by the residuals unless it is "unscaled".

    >>> jf.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).numpy().round(12)
    array([2., 1.])
    """
def polyint(p: ArrayLike, m: ArrayLike = 1, k: Any = None) -> Tensor:
    """The `m`-th antiderivative of a polynomial. Shape: [n + m]. Dtype: a float.

    `k`: the constants of integration, the first for the first one; one number for all, none for 0.

    >>> jf.polyint([6.0, 2.0], k=3.0).numpy()
    array([3., 2., 3.])
    """
def polymul(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The product of two polynomials.

    Zeros before their highest powers are left out, as NumPy does; how many there are is looked up in their
    values.

    >>> jf.polymul([1, 2, 3], [9, 5, 1]).numpy()
    array([ 9, 23, 38, 17,  3])
    """
def polysub(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The difference of two polynomials. Shape: that of the longer one.

    >>> jf.polysub([2, 10, -2], [3, 10, -4]).numpy()
    array([-1,  0,  2])
    """
def polyval(p: ArrayLike, x: ArrayLike) -> Tensor:
    """The polynomial of coefficients `p`, that of the highest power first, at `x`, by Horner's rule.

    Shape and dtype: those of `x`, with what `p` promotes them to.

    >>> jf.polyval([1.0, 0.0, -1.0], np.array([2.0, 3.0])).numpy()
    array([3., 8.])
    """
def positive(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`+x`: the same numbers. Bools have none: DTypeError.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.positive([1.0, -2.0]).numpy()
    array([ 1., -2.])
    """
def pow(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`x1 ** x2`. Integers to a negative power: ArgumentError; they wrap around.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.pow([1, 2, 3], 2).numpy()
    array([1, 4, 9])
    """
def prod(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
    """The product of elements over axes, `initial` and all for which `where` holds.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.prod([[1, 2], [3, 4]], axis=0).numpy()
    array([3, 8])
    """
def promote_types(type1: Any, type2: Any) -> np.dtype[Any]:
    """The dtype to which both dtypes can be cast without loss of range; see `result_type`.

    >>> jf.promote_types("int8", "uint8")
    dtype('int16')
    """
def ptp(a: ArrayLike, axis: _Axis = None, out: _Out = None, keepdims: _bool = False) -> Tensor:
    """The largest element over axes less the smallest.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of the array.

    >>> jf.ptp([[1, 2], [3, 4]], axis=0).numpy()
    array([2, 2])
    """
def put(a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str = 'raise') -> None:
    """Writes values to positions of `a` taken flat; repeats them where they are too few.

    `a` is a lazy array: otherwise raises DTypeError. `mode`: "raise", "wrap" or "clip" for positions out of
    bounds.

    >>> x = jf.asarray([1, 2, 3])
    >>> jf.put(x, [0, 2], [8, 9])
    >>> x.numpy()
    array([8, 2, 9])
    """
def put_along_axis(arr: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: _Axis) -> None:
    """Writes `values` to the elements that `take_along_axis` reads.

    `arr` is a lazy array: otherwise raises DTypeError.

    >>> x = jf.asarray([[3, 1, 2]])
    >>> jf.put_along_axis(x, np.array([[0]]), 9, axis=1)
    >>> x.numpy()
    array([[9, 1, 2]])
    """
def putmask(a: ArrayLike, mask: ArrayLike, values: ArrayLike) -> None:
    """Writes `a.flat[n] = values[n % len(values)]` for each n where the mask is true.

    `a` is a lazy array: otherwise raises DTypeError. Raises ArgumentError for a mask of another size.

    >>> x = jf.asarray([1, 2, 3])
    >>> jf.putmask(x, x > 1, 0)
    >>> x.numpy()
    array([1, 0, 0])
    """
def quantile(a: ArrayLike, q: Any, axis: _Axis = None, out: _Out = None, overwrite_input: _bool = False, method: str = 'linear', keepdims: _bool = False, *, weights: ArrayLike | None = None) -> Tensor:
    """The elements below which the parts `q` of the elements over axes lie, after a `method` of NumPy's.

    `q`: from 0 to 1, a number or an array. Shape: that of `q`, then that of `a` without the axes. NaN where
    there is a NaN. Raises ArgumentError for an unknown method and for numbers in `q` out of range (of an
    array without a value yet nothing is known), UnsupportedError for `weights`.

    >>> jf.quantile([1.0, 2.0, 3.0, 4.0], [0.5, 1.0]).numpy()
    array([2.5, 4. ])
    """
def rad2deg(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Angles in radians as degrees.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.rad2deg([0.0, np.pi]).numpy()
    array([  0., 180.])
    """
def ravel(a: ArrayLike, order: str = 'C') -> Tensor:
    """The elements of `a` in one axis.

    `order`: "C" (the last axis first), "F" (the first axis first), "A" or "K" (as they lie).

    >>> jf.ravel([[1, 2], [3, 4]], order="F").numpy()
    array([1, 3, 2, 4])
    """
def ravel_multi_index(multi_index: ArrayLike, dims: _Shape, mode: Any = 'raise', order: str = 'C') -> Tensor:
    """The positions in the flat array, from positions on each axis of an array of shape `dims`.

    `mode`, one or one for each axis: "wrap" and "clip" move positions out of bounds into the array. With
    "raise" such a position becomes the number of all elements, which raises at its use.

    >>> import numpy as np
    >>> jf.ravel_multi_index(jf.asarray(np.array([[1, 0], [2, 0]])), (2, 3)).numpy()
    array([5, 0])
    """
def real(val: ArrayLike) -> Tensor:
    """The real parts, a view of complex numbers; real numbers themselves.

    Shape: that of `val`. Dtype: of complex numbers that of a part, else that of `val`.

    >>> jf.real([1.0, 2j]).numpy()
    array([1., 0.])
    """
def real_if_close(a: ArrayLike, tol: Any = 100) -> Tensor:
    """The real parts of complex numbers whose imaginary parts are all below `tol`, else the numbers
    themselves; a `tol` above 1 counts machine epsilons of the dtype.

    Evaluates the imaginary parts. Other arrays do not change.

    >>> jf.real_if_close([2.1 + 4e-14j, 5.2 + 3e-15j], tol=1000).numpy()
    array([2.1, 5.2])
    """
def reciprocal(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`1 / x`. Of integers the quotient without its fraction: 0 but for 1 and -1.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.reciprocal([1.0, 2.0, 4.0]).numpy()
    array([1.  , 0.5 , 0.25])
    """
def remainder(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`x1 % x2`: what `floor_divide` leaves, with the sign of `x2`. Integers: x % 0 is 0.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.remainder([7, -7], 3).numpy()
    array([1, 2])
    """
def repeat(a: ArrayLike, repeats: ArrayLike, axis: int | None = None) -> Tensor:
    """Every element (or slice along an axis) `repeats` times, or as many times as an array of counts says.

    Shape: of x[n] and k repeats, [n * k]; `axis` None takes `a` flat. Raises ArgumentError for negative
    counts.

    >>> jf.repeat([1, 2], [1, 3]).numpy()
    array([1, 2, 2, 2])
    """
def require(a: ArrayLike, dtype: DTypeLike | None = None, requirements: Any = None, *, like: Any = None) -> Tensor:
    """An array that meets requirements: "C" or "F" order, or owned memory ("O"), for which it is copied where
    it does not.

    Elements of lazy arrays are always aligned ("A"). What can be written to ("W") is copied. Raises
    ArgumentError for other words, and where both orders are wanted.

    >>> jf.isfortran(jf.require([[1, 2], [3, 4]], requirements="F"))
    True
    """
def reshape(a: ArrayLike, /, shape: _Shape, order: str = 'C', *, copy: _bool | None = None) -> Tensor:
    """The elements of `a` in another shape; one extent may be -1.

    A view where NumPy gives one. With `copy=True` never; with `copy=False` always: ArgumentError where the
    elements would have to be copied.

    >>> jf.reshape([1, 2, 3, 4], (2, -1)).numpy()
    array([[1, 2],
           [3, 4]])
    """
def resize(a: ArrayLike, new_shape: _Shape) -> Tensor:
    """The elements in C order, again from the first where they are too few, in another shape.

    >>> jf.resize([1, 2, 3], (2, 3)).numpy()
    array([[1, 2, 3],
           [1, 2, 3]])
    """
def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """The dtype that arrays, dtypes and Python numbers promote to.

    >>> jf.result_type("int8", "uint8"), jf.result_type("float16", 2.5)
    (dtype('int16'), dtype('float16'))
    """
def rint(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The nearest whole number, halves to even.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.rint([0.5, 1.5, 2.6]).numpy()
    array([0., 2., 3.])
    """
def roll(a: ArrayLike, shift: Any, axis: _Axis = None) -> Tensor:
    """Elements shifted cyclically along axes.

    Shape: that of `a`; `axis` None shifts the flat array. `shift` and `axis` may be tuples, of one length.

    >>> jf.roll([1, 2, 3, 4], 1).numpy()
    array([4, 1, 2, 3])
    """
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Tensor:
    """`a` with one axis moved to before the axis `start`.

    A view. Raises AxisError's like, BoundsError, for an axis that is not there.

    >>> jf.rollaxis(np.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
def roots(p: ArrayLike) -> Tensor:
    """The zeros of a polynomial: eigenvalues of its companion matrix.

    (R. A. Horn, C. R. Johnson, Matrix Analysis, 1985, section 3.3.) Shape: [degree]. Dtype: that of
    `linalg.eigvals`, which like the number of zeros before the highest power and at the end is looked up in
    the values. Raises ShapeError for more than one axis.

    >>> jf.roots([1.0, -3.0, 2.0]).numpy()
    array([2., 1.])
    """
def rot90(m: ArrayLike, k: int = 1, axes: Any = ...) -> Tensor:
    """`m` rotated by `k` quarter turns in the plane of two axes.

    A view; `axes` are rotated from the first towards the second.

    >>> jf.rot90([[1, 2], [3, 4]]).numpy()
    array([[2, 4],
           [1, 3]])
    """
def round(a: ArrayLike, decimals: int = 0, out: _Out = None) -> Tensor:
    """`a` rounded to `decimals` decimals, halves to even; -1 rounds to tens.

    Shape and dtype: those of `a`.

    >>> jf.round([0.125, 2.5, -1.675], 2).numpy()
    array([ 0.12,  2.5 , -1.68])
    """
def searchsorted(a: ArrayLike, v: ArrayLike, side: str = 'left', sorter: ArrayLike | None = None) -> Tensor:
    """Where the elements of `v` would go in the sorted array `a`: before equal ones, or with "right" behind.

    Shape: that of `v`. `sorter`: positions that sort `a`. NaN comes after every number.

    >>> import numpy as np
    >>> jf.searchsorted(np.array([10, 20, 30]), np.array([5, 20, 35])).numpy()
    array([0, 1, 3])
    """
def select(condlist: ArrayLike, choicelist: ArrayLike, default: ArrayLike = 0) -> Tensor:
    """Of each element the first choice whose condition holds, else `default`.

    Shape: that of all, broadcast. Dtype: what choices and `default` promote to. Raises ArgumentError where
    there are not as many choices as conditions.

    >>> x = jf.asarray([-2, 0, 3])
    >>> jf.select([x < 0, x > 0], [-1, x * 10]).numpy()
    array([-1,  0, 30])
    """
def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Tensor:
    """The distinct elements of the first array that the second has not, in their order; with `assume_unique`
    as they come. See `unique`.

    >>> jf.setdiff1d([3, 1, 2, 3], [2]).numpy()
    array([1, 3])
    """
def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Tensor:
    """The distinct elements that only one of the arrays has, in their order. See `unique`.

    >>> jf.setxor1d([3, 1], [2, 3]).numpy()
    array([1, 2])
    """
def shape(a: ArrayLike) -> tuple[int, ...]:
    """The extents of an array, or of what NumPy takes as one.

    >>> jf.shape([[1, 2, 3]])
    (1, 3)
    """
def shares_memory(a: ArrayLike, b: ArrayLike, /, max_work: Any = None) -> _bool:
    """Whether two arrays have an element in common, so that a write to one may change the other.

    Lazy arrays share memory where they are views of one array, and with an ndarray where they are views of
    its memory.

    >>> x = jf.asarray([1, 2, 3, 4])
    >>> jf.shares_memory(x[:2], x[1:]), jf.shares_memory(x[::2], x[1::2])
    (True, False)
    """
def sign(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """-1, 0 or 1, as `x` is negative, zero or positive; NaN stays NaN. Bools have none: DTypeError.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.sign([-2.5, 0.0, 4.0]).numpy()
    array([-1.,  0.,  1.])
    """
def signbit(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """Whether the sign is set, that of zeros and NaNs too.

    Shape: that of `x`. Dtype: bool.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.signbit([-0.0, 0.0, 1.0]).numpy()
    array([ True, False, False])
    """
def sin(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The sine of angles in radians; NaN of infinities.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.sin([0.0, np.pi / 2]).numpy()
    array([0., 1.])
    """
def sinc(x: ArrayLike, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`sin(pi * x) / (pi * x)`, and 1 at 0.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.sinc([0.0, 0.5]).numpy()
    array([1.        , 0.63661977])
    """
def sinh(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The hyperbolic sine, `(exp(x) - exp(-x)) / 2`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.sinh([0.0, 1.0]).numpy()
    array([0.        , 1.17520119])
    """
def size(a: ArrayLike, axis: _Axis = None) -> int:
    """The number of elements of an array, in all or along an axis or several.

    Raises AxisError for an axis that it lacks.

    >>> jf.size([[1, 2, 3]]), jf.size([[1, 2, 3]], 1)
    (3, 3)
    """
def sliding_window_view(x: ArrayLike, window_shape: _Shape, axis: _Axis = None, *, subok: _bool = False, writeable: _bool = False) -> Tensor:
    """Every window of `window_shape` along the axes, its elements along new last axes; without a copy.

    Shape: for x[n] and a window of w, [n - w + 1, w]. A reduction over the last axes reads `x` in place.

    >>> import numpy as np
    >>> jf.sliding_window_view(np.arange(4.0), 3).sum(axis=-1).numpy()
    array([3., 6.])
    """
def sort(a: ArrayLike, axis: _Axis = -1, kind: Any = None, order: _Order = None, *, stable: Any = None, descending: Any = False) -> Tensor:
    """The elements in their order along an axis; `axis` None sorts `a` flat. NaN is the last. Complex numbers
    are in the order of their real parts, then of their imaginary parts.

    With `stable`, or `kind` "stable", 0.0 and -0.0, which are equal, stay in their order, which takes
    longer; no other `kind` matters. `descending` is the order reversed: NaN is the first, equal elements
    stay in their order.

    Shape and dtype: those of `a`, or of `a` flat. Short rows are sorted by counting, longer ones by digits (a
    radix sort), on devices of many lanes by merging. Raises ArgumentError for a kind that is none of NumPy's,
    AxisError.

    >>> import numpy as np
    >>> jf.sort(np.array([3.0, np.nan, 1.0])).numpy()
    array([ 1.,  3., nan])
    >>> jf.sort(np.array([[1, 3, 2]]), descending=True).numpy()
    array([[3, 2, 1]])
    """
def sort_complex(a: ArrayLike) -> Tensor:
    """The elements in their order along the last axis, as complex numbers: complex64 of integers of 16 bits
    and less, complex128 of other real numbers.

    >>> import numpy as np
    >>> jf.sort_complex(np.array([5, 3])).numpy()
    array([3.+0.j, 5.+0.j])
    """
def spacing(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The distance to the next float of larger size, with the sign of `x`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.spacing([1.0]).numpy()
    array([2.22044605e-16])
    """
def split(ary: ArrayLike, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Equal parts of an array along an axis, or the parts between the positions given.

    Views. Raises ArgumentError where a number of parts does not divide the extent.

    >>> [part.numpy() for part in jf.split([1, 2, 3, 4], 2)]
    [array([1, 2]), array([3, 4])]
    """
def sqrt(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The square root; NaN of negative numbers.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.sqrt([4.0, 9.0]).numpy()
    array([2., 3.])
    """
def square(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`x * x`. Integers wrap around; bools become int8.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.square([1, 2, 3]).numpy()
    array([1, 4, 9])
    """
def squeeze(a: ArrayLike, axis: _Axis = None) -> Tensor:
    """`a` without axes of extent 1.

    A view. `axis`: which (None: all of them); ArgumentError for one of another extent.

    >>> jf.squeeze(np.zeros((1, 3, 1))).shape
    (3,)
    """
def stack(arrays: Sequence[ArrayLike] | Tensor, axis: _Axis = 0, out: _Out = None, *, dtype: DTypeLike | None = None, casting: str = 'same_kind') -> Tensor:
    """Arrays of one shape side by side along a new axis.

    Raises ShapeError where shapes differ. Dtype: what they promote to, or `dtype`.

    >>> jf.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]])
    """
def std(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, ddof: ArrayLike = 0, keepdims: _bool = False, *, where: ArrayLike = True, mean: ArrayLike = ..., correction: ArrayLike = ...) -> Tensor:
    """The standard deviation over axes: the root of `var`, which has the same parameters.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of floats, float64 of integers and bools; or `dtype`.

    >>> jf.std([[1, 2], [3, 4]], axis=0).numpy()
    array([1., 1.])
    """
def subtract(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The differences `x1 - x2`. Integers wrap around; bools have none: DTypeError.

    Shape: the operands' shapes broadcast. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.subtract([10, 20, 30], [1, 2, 3]).numpy()
    array([ 9, 18, 27])
    """
def sum(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, keepdims: _bool = False, initial: ArrayLike = ..., where: ArrayLike = True) -> Tensor:
    """The sum of elements over axes, `initial` and all for which `where` holds.

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`.

    >>> jf.sum([[1, 2], [3, 4]], axis=0).numpy()
    array([4, 6])
    """
def swapaxes(a: ArrayLike, axis1: _Axis, axis2: _Axis) -> Tensor:
    """`a` with two axes swapped.

    A view.

    >>> jf.swapaxes(np.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
def take(a: ArrayLike, indices: ArrayLike, axis: _Axis = None, out: _Out = None, mode: str = 'raise') -> Tensor:
    """The elements (or, along an axis, slices) at positions; `axis` None takes `a` flat.

    Shape: for a[n, m] and indices[k] along axis 0, [k, m]. A position out of bounds raises IndexError; with
    mode "wrap" it is taken modulo the extent, with "clip" it is the nearest one.

    >>> import numpy as np
    >>> jf.take(np.array([10, 20, 30]), [2, 0]).numpy()
    array([30, 10])
    """
def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: _Axis = -1) -> Tensor:
    """For every element of `indices` (as of argsort) the element at that position along `axis`.

    Shape: that of `indices`, which has the axes of `arr`, broadcast against them but for `axis`.

    >>> x = np.array([[3, 1, 2]])
    >>> jf.take_along_axis(x, np.argsort(x), axis=1).numpy()
    array([[1, 2, 3]])
    """
def tan(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The tangent of angles in radians; NaN of infinities.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.tan([0.0, 1.0]).numpy()
    array([0.        , 1.55740772])
    """
def tanh(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The hyperbolic tangent, `sinh(x) / cosh(x)`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.tanh([0.0, 1.0]).numpy()
    array([0.        , 0.76159416])
    """
def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2) -> Tensor:
    """Sums of products over the last `axes` axes of `a` and the first of `b`, or over pairs of axes.

    Shape: the axes of `a` that are left, then those of `b`. Raises ShapeError where the extents of a pair
    differ.

    >>> jf.tensordot(np.ones((2, 3, 4)), np.ones((3, 4, 5))).shape
    (2, 5)
    """
def tile(A: ArrayLike, reps: Any) -> Tensor:
    """`A` set side by side so many times along each axis.

    `reps`: a number for each axis, for new ones first.

    >>> jf.tile([1, 2], (2, 2)).numpy()
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
def top_k(x: ArrayLike, /, k: Any, *, axis: _Axis = -1, largest: Any = True) -> tuple[Tensor, Tensor]:
    """The `k` largest elements along an axis, the largest first, and their positions; or the smallest.

    Of equal ones the first come first. NaN is larger than every number. Shapes: that of `x` with `k` along
    the axis; dtypes: that of `x`, int64. Raises ArgumentError for more than there are.

    >>> import numpy as np
    >>> values, positions = jf.top_k(np.array([1, 9, 3, 9]), 2)
    >>> values.numpy(), positions.numpy()
    (array([9, 9]), array([1, 3]))
    """
def trace(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None, out: _Out = None) -> Tensor:
    """The sum along a diagonal.

    Shape: that of `a` without the two axes. Dtype: as of `sum`.

    >>> jf.trace([[1, 2], [3, 4]]).numpy()
    array(5)
    """
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Tensor:
    """The integral along an axis by the trapezoidal rule, of samples at `x` or `dx` apart.

    Shape: that of `y` without the axis. Dtype: float.

    >>> jf.trapezoid([1.0, 2.0, 3.0], dx=2.0).numpy()
    array(8.)
    """
def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = ..., *, like: Any = None) -> Tensor:
    """Ones at and below a diagonal, zeros above.

    Shape: [N, M], by default [N, N]. `k`: how far above (positive) or below the main diagonal.

    >>> jf.tri(2, 3).numpy()
    array([[1., 0., 0.],
           [1., 1., 0.]])
    """
def tril(m: ArrayLike, k: int = 0) -> Tensor:
    """`m` with zeros above a diagonal.

    Shape and dtype: those of `m`. `k`: how far above (positive) or below the main diagonal.

    >>> jf.tril([[1, 2], [3, 4]]).numpy()
    array([[1, 0],
           [3, 4]])
    """
def tril_indices(n: Any, k: Any = 0, m: ArrayLike | None = None) -> tuple[Tensor, ...]:
    """The positions at and below the `k`-th diagonal of an array of shape [n, m]: rows and columns.

    >>> [each.numpy() for each in jf.tril_indices(2)]
    [array([0, 1, 1]), array([0, 0, 1])]
    """
def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Tensor, ...]:
    """The positions of the lower triangle of a matrix.

    `k`: how far above (positive) or below the main diagonal.

    >>> [positions.numpy() for positions in jf.tril_indices_from(np.zeros((2, 2)))]
    [array([0, 1, 1]), array([0, 0, 1])]
    """
def trim_zeros(filt: Any, trim: str = 'fb', axis: _Axis = None) -> Tensor:
    """An array without the zeros at its front ("f"), at its back ("b"), or at both ends, along all axes or
    those of `axis`: the smallest block that has all other elements.

    The result's length depends on values, which are evaluated.

    >>> jf.trim_zeros([0, 0, 1, 2, 0]).numpy()
    array([1, 2])
    """
def triu(m: ArrayLike, k: int = 0) -> Tensor:
    """`m` with zeros below a diagonal.

    Shape and dtype: those of `m`. `k`: how far above (positive) or below the main diagonal.

    >>> jf.triu([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [0, 4]])
    """
def triu_indices(n: Any, k: Any = 0, m: ArrayLike | None = None) -> tuple[Tensor, ...]:
    """The positions at and above the `k`-th diagonal of an array of shape [n, m]: rows and columns.

    >>> [each.numpy() for each in jf.triu_indices(2)]
    [array([0, 0, 1]), array([0, 1, 1])]
    """
def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Tensor, ...]:
    """The positions of the upper triangle of a matrix.

    `k`: how far above (positive) or below the main diagonal.

    >>> [positions.numpy() for positions in jf.triu_indices_from(np.zeros((2, 2)))]
    [array([0, 0, 1]), array([0, 1, 1])]
    """
def trunc(x: ArrayLike, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`x` without its fraction; integers stay as they are.

    Shape: that of `x`. Dtype: what the operands promote to.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.trunc([-1.5, 1.5]).numpy()
    array([-1.,  1.])
    """
def union1d(ar1: Any, ar2: Any) -> Tensor:
    """The distinct elements of two arrays together, in their order. See `unique`.

    >>> jf.union1d([3, 1], [2, 3]).numpy()
    array([1, 2, 3])
    """
def unique(ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False, axis: _Axis = None, *, equal_nan: Any = True, sorted: Any = True) -> Tensor:
    """The distinct elements of `ar` in their order, or its distinct slices along an axis.

    With them, for each flag that is set: where each comes first (`return_index`), which of them each element
    is (`return_inverse`, in the shape of `ar`), how often each comes (`return_counts`). Every NaN is one
    element, unless `equal_nan` is False; slices with a NaN are all distinct.
    `sorted` changes nothing. How many there are follows from values: they are evaluated now, and a jitted
    function is cut where it asks for their number.

    >>> import numpy as np
    >>> values, counts = jf.unique(np.array([3, 1, 3, 2]), return_counts=True)
    >>> values.numpy(), counts.numpy()
    (array([1, 2, 3]), array([1, 1, 2]))
    """
def unique_all(x: ArrayLike) -> tuple[Tensor, Any, Any, Any]:
    """The distinct elements, where each comes first, which one each element is, and how often each comes, as
    the array API has it: every NaN is an element of its own. See `unique`.

    >>> import numpy as np
    >>> jf.unique_all(np.array([3, 1, 3])).indices.numpy()
    array([1, 0])
    """
def unique_counts(x: ArrayLike) -> tuple[Tensor, Tensor]:
    """The distinct elements and how often each comes; every NaN is an element of its own. See `unique`.

    >>> import numpy as np
    >>> jf.unique_counts(np.array([3, 1, 3])).counts.numpy()
    array([1, 2])
    """
def unique_inverse(x: ArrayLike) -> tuple[Tensor, Tensor]:
    """The distinct elements and which one each element is; every NaN is an element of its own. See `unique`.

    >>> import numpy as np
    >>> jf.unique_inverse(np.array([3, 1, 3])).inverse_indices.numpy()
    array([1, 0, 1])
    """
def unique_values(x: ArrayLike) -> Tensor:
    """The distinct elements; every NaN is an element of its own. See `unique`.

    >>> import numpy as np
    >>> jf.unique_values(np.array([3, 1, 3])).numpy()
    array([1, 3])
    """
def unpackbits(a: ArrayLike, /, axis: _Axis = None, count: Any = None, bitorder: str = 'big') -> Tensor:
    """The bits of bytes along an axis, each as 0 or 1.

    `axis`: by default the array is made a vector. `count`: the number of bits; missing ones are 0, a negative
    number omits as many at the end. Dtype: uint8, as that of `a`.

    >>> jf.unpackbits(np.array([131], np.uint8)).numpy()
    array([1, 0, 0, 0, 0, 0, 1, 1], dtype=uint8)
    """
def unravel_index(indices: ArrayLike, shape: _Shape, order: str = 'C') -> tuple[Tensor, ...]:
    """The positions on each axis of an array of `shape`, from positions in the flat array.

    Bounds of computed positions are checked at their use: positions out of bounds exceed the first axis.

    >>> import numpy as np
    >>> jf.unravel_index(jf.asarray(np.array([5, 3])), (2, 3))[1].numpy()
    array([2, 0])
    """
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The parts of `x` along an axis: views, and of one axis the elements, as iterating gives them.

    >>> [row.numpy() for row in jf.unstack(np.array([[1, 2], [3, 4]]))]
    [array([1, 2]), array([3, 4])]
    """
def unwrap(p: ArrayLike, discont: Any = None, axis: int = -1, *, period: ArrayLike = 6.283185307179586) -> Tensor:
    """`p` with jumps from `discont` (half a `period`) on made smaller by whole periods.

    >>> jf.unwrap([0.0, 3.0, 6.5]).numpy()
    array([0.        , 3.        , 0.21681469])
    """
def vander(x: ArrayLike, N: Any = None, increasing: _bool = False) -> Tensor:
    """Powers of `x`, one column for each: the highest first, or with `increasing` the 0th.

    `N`: the number of columns, by default as many as `x` has elements. Shape: [len(x), N]. Dtype: that of
    `x` with int64, as NumPy has it: float64 of float32.

    >>> jf.vander([1, 2, 3]).numpy()
    array([[1, 1, 1],
           [4, 2, 1],
           [9, 3, 1]])
    """
def var(a: ArrayLike, axis: _Axis = None, dtype: DTypeLike | None = None, out: _Out = None, ddof: ArrayLike = 0, keepdims: _bool = False, *, where: ArrayLike = True, mean: ArrayLike = ..., correction: ArrayLike = ...) -> Tensor:
    """The variance over axes: squared distances from the mean (`mean`, where it is known), summed and
    divided by their number less `ddof` (or `correction`, by the array API's name).

    Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1.
    Dtype: that of floats, float64 of integers and bools; or `dtype`.

    >>> jf.var([[1, 2], [3, 4]], axis=0).numpy()
    array([1., 1.])
    """
def vdot(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The sum of the products of all elements.

    Shape: none. Raises ShapeError where the numbers of elements differ.

    >>> jf.vdot([[1, 2]], [[3, 4]]).numpy()
    array(11)
    """
def vecdot(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, axis: int = -1, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None, axes: Any = None, keepdims: _bool = False) -> Tensor:
    """Inner products of the vectors along an axis of both.

    Shape: that of both, broadcast, without the axis.

    >>> jf.vecdot([[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43])
    """
def vecmat(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None, axes: Any = None, axis: _Axis = None, keepdims: _bool = False) -> Tensor:
    """Vectors in the last axis times matrices in the last two axes.

    Shape: of x1[..., k] and x2[..., k, m], [..., m], the other axes broadcast.

    Dtype: what both promote to; they are cast to `dtype` first. Raises ShapeError where
    the inner extents differ.

    >>> jf.vecmat([1, 10], [[1, 2], [3, 4]]).numpy()
    array([31, 42])
    """
def vsplit(ary: ArrayLike, indices_or_sections: Any) -> list[Tensor]:
    """`split` along axis 0. Raises ShapeError for less than two axes.

    >>> [part.numpy() for part in jf.vsplit([[1, 2], [3, 4]], 2)]
    [array([[1, 2]]), array([[3, 4]])]
    """
def vstack(tup: Sequence[ArrayLike] | Tensor, *, dtype: DTypeLike | None = None, casting: str = 'same_kind') -> Tensor:
    """Rows on top of each other.

    Vectors are rows. Raises ShapeError where the other extents differ.

    >>> jf.vstack(([1, 2], [3, 4])).numpy()
    array([[1, 2],
           [3, 4]])
    """
@overload
def where(condition: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike = 0) -> tuple[Tensor, ...]:
    """Elements of `x` where the condition is true, else of `y`; with the condition alone, the positions where
    it is true: see `nonzero` for `size` and `fill_value`.

    Shape: that of all three, broadcast. Dtype: what `x` and `y` promote to. Raises ArgumentError where one
    of `x` and `y` is given without the other.

    >>> jf.where([True, False, True], [1, 2, 3], 0).numpy()
    array([1, 0, 3])
    """
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /) -> Tensor: ...
def zeros(shape: _Shape, dtype: DTypeLike | None = None, order: _Order = 'C', *, device: Any = None, like: Any = None) -> Tensor:
    """A new array of zeros.

    Shape: `shape`. Dtype: `dtype`, by default float64.
    Raises ArgumentError for negative extents.

    >>> jf.zeros((2, 3)).numpy()
    array([[0., 0., 0.],
           [0., 0., 0.]])
    """
def zeros_like(a: ArrayLike, dtype: DTypeLike | None = None, order: _Order = 'K', subok: _bool = True, shape: _Shape | None = None, *, device: Any = None) -> Tensor:
    """A new array of zeros.

    Shape and dtype: those of `a`, unless `shape` or `dtype` name others.

    >>> jf.zeros_like(np.ones((2, 3))).numpy()
    array([[0., 0., 0.],
           [0., 0., 0.]])
    """
absolute = abs
arccos = acos
arccosh = acosh
asanyarray = asarray
arcsin = asin
arcsinh = asinh
arctan = atan
arctan2 = atan2
arctanh = atanh
invert = bitwise_invert
bitwise_not = bitwise_invert
left_shift = bitwise_left_shift
right_shift = bitwise_right_shift
concatenate = concat
conjugate = conj
radians = deg2rad
true_divide = divide
amax = max
amin = min
transpose = permute_dims
power = pow
degrees = rad2deg
mod = remainder
around = round
fix = trunc
row_stack = vstack

__version__: str
bfloat16: np.dtype[Any]
pi: float
e: float
inf: float
nan: float
newaxis: None
__array_api_version__: str
bool: type[np.bool]
int8: type[np.int8]
int16: type[np.int16]
int32: type[np.int32]
int64: type[np.int64]
uint8: type[np.uint8]
uint16: type[np.uint16]
uint32: type[np.uint32]
uint64: type[np.uint64]
float16: type[np.float16]
float32: type[np.float32]
float64: type[np.float64]
complex64: type[np.complex64]
complex128: type[np.complex128]
