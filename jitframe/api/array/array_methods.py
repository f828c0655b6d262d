"""The attributes and methods that arrays share with ndarray."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy

from ... import api
from ...arrays.layout import contiguous_strides
from ...arrays.promotion import cast_error, from_numpy
from ...arrays.views import View
from ...base.arguments import is_sequence, order_of, shown
from ...base.boundary import guarded
from ...errors import ArgumentError, DTypeError, KindError, UnsupportedError
from ...functions.complex_numbers import conjugate, imag, real
from ...ir.types import PART_OF, DType
from ..calls import call
from ..frame import LazyValue
from ..namespace import FUNCTIONS
from ..registry import Varied
from .operators import FunctionMethods

if TYPE_CHECKING:
    from .flags import Flags

_DTYPES: dict[str, numpy.dtype[Any]] = {}


class ArrayMethods(FunctionMethods, LazyValue):
    """NumPy's attributes and methods, implemented by the hooks of `LazyValue` and public functions."""

    __slots__ = ()

    if TYPE_CHECKING:
        _read_only: bool
        _path: View | None

        def __setitem__(self, index: Any, value: Any) -> None: ...

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The dtype, as a NumPy dtype."""
        name = self._dtype.numpy_name
        found = _DTYPES.get(name)
        if found is None:
            found = _DTYPES[name] = numpy.dtype(name)
        return found

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self._dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """NumPy's strides, in bytes. They distinguish views from copies, and are not a device's memory
        layout."""
        self._check_order()
        known = self._strides
        if known is None:
            return contiguous_strides(self.shape, self.itemsize)
        return tuple(stride * self.itemsize for stride in known)

    @property
    def _is_writable(self) -> bool:
        """Whether NumPy lets such an array be written to."""
        return not self._read_only and (self._path is None or self._path.writable)

    @property
    def flags(self) -> Flags:
        """NumPy's flags: `x.flags.c_contiguous`, `x.flags["F"]`, `x.flags.writeable`. Raises UnsupportedError
        where they are to be changed.

        >>> jf.zeros((2, 3)).T.flags.c_contiguous
        False
        """
        from .flags import Flags  # few programs ask for them

        return Flags(self.shape, self.strides, self.dtype, self._is_writable)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self._dtype.itemsize

    @property
    def device(self) -> str:
        """The name of the device that holds it: "cpu", "opencl", "cuda:1"."""
        return self._frame.device.name

    @property
    def T(self) -> Any:
        """The array with its axes reversed: a view."""
        return api.movement.transpose(self)

    @property
    def mT(self) -> Any:
        """The array with its last two axes swapped: a view. Raises ArgumentError for less than two axes."""
        return api.movement.matrix_transpose(self)

    # Methods

    @guarded
    def item(self, *position: Any) -> Varied:
        """The one element, or the one at a position, as a Python number; computed now if it was not yet.

        Raises ArgumentError where there are more elements and no position.

        >>> x = jf.asarray([1, 2])
        >>> x.item(1)
        2
        """
        if not position and self.size != 1:
            raise ArgumentError("can only convert an array of size 1 to a Python scalar")
        return self._concrete(".item()").item(*position)

    @guarded
    def tolist(self) -> Varied:
        """The elements as Python numbers in nested lists; computed now if they were not yet.

        >>> jf.asarray([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return self._concrete(".tolist()").tolist()

    @guarded
    def tobytes(self, order: Any = "C") -> bytes:
        """The elements as bytes; computed now if they were not yet.

        >>> jf.asarray(np.array([1, 2], dtype="uint8")).tobytes()
        b'\\x01\\x02'
        """
        if order_of(order) != "C":
            return api.movement.ravel(self, order)._concrete(".tobytes()").tobytes()
        return self._concrete(".tobytes()").tobytes()

    @guarded
    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """A new array cast to a dtype by the rule `casting`; with `copy=False` itself where it has that.

        Raises DTypeError where the rule does not allow the cast.

        >>> jf.asarray([1.5, -2.5]).astype("int32").numpy()
        array([ 1, -2], dtype=int32)
        """
        name = from_numpy(dtype).numpy_name
        if casting != "unsafe" and not numpy.can_cast(self.dtype, name, casting):  # type: ignore[arg-type]
            raise cast_error(self.dtype, name, casting)
        return FUNCTIONS["astype"].call(self, dtype, copy=copy)._in_order(order)

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

        The array itself where it has that device and dtype and `copy` is not set. It never waits. A device is
        named as in `device=`. Raises the errors of `to_device` and `astype`, ArgumentError for a repeated
        argument.

        >>> jf.asarray([1.0, 2.0]).to(jf.float32).dtype
        dtype('float32')
        """
        return api.creation.constructors.converted(self, target, device, dtype, copy)

    @guarded
    def view(self, dtype: Any = numpy._NoValue, type: Any = None) -> Any:
        """The same bytes as another dtype, whose last axis grows or shrinks where the sizes differ.

        Raises ArgumentError where that requires a copy.

        >>> jf.asarray(np.float32([1.0])).view("int32").numpy()
        array([1065353216], dtype=int32)
        """
        if dtype is numpy._NoValue and type is None:
            return self._view(View.of(self.shape))
        if type is not None:
            raise UnsupportedError("view: the argument type= is not supported; there are no subclasses here")
        target = from_numpy(dtype)
        self._frame.check(target)
        return self._view(self._reinterpreted(target))

    def _reinterpreted(self, target: DType) -> View:
        """Returns the view of the same bytes as another dtype; complex numbers are two reals in between."""
        from ...arrays.complex_views import as_complexes, as_reals  # 3 ms, for views of another dtype
        from ...arrays.reinterpret import reinterpreted

        path = View.of(self.shape)
        source, strides = self._dtype, self._strides
        if target is source:
            return path
        start = contiguous_strides(self.shape) if strides is None else strides
        is_apart = not start or (start[-1] != 1 and self.shape[-1] != 1)
        if is_apart and source.is_complex != target.is_complex and source.itemsize == target.itemsize:
            raise UnsupportedError(
                "view: complex numbers of no axis, or apart from each other in memory, as others of their "
                "size; write x.copy().reshape(-1).view(...)"
            )
        if source.is_complex:
            path = path.then(as_reals(path.shape, strides, source))
            source = PART_OF[source]
            strides = None if strides is None else path.strides(start)
        part = PART_OF.get(target, target)
        if part is not source:
            path = path.then(reinterpreted(path.shape, strides, source, part))
            strides = None if strides is None else path.strides(start)
        if target.is_complex:
            path = path.then(as_complexes(path.shape, strides, part))
        return path

    @guarded
    def copy(self, order: Any = "C") -> Any:
        """A new array of the same value, which no write to this one changes.

        >>> x = jf.asarray([1, 2])
        >>> x.copy().numpy()
        array([1, 2])
        """
        return api.movement.duplicate(self, order)

    def __copy__(self) -> Any:
        return api.movement.duplicate(self)

    def __deepcopy__(self, _memory: Any) -> Any:
        return api.movement.duplicate(self)

    @guarded
    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        """`jf.reshape` of this array, in a shape given as one argument or as several.

        >>> jf.arange(4).reshape(2, -1).numpy()
        array([[0, 1],
               [2, 3]])
        """
        return api.movement.reshape(self, shape[0] if len(shape) == 1 else shape, order, copy=copy)

    @guarded
    def ravel(self, order: str = "C") -> Any:
        """`jf.ravel` of this array: its elements in one axis, a view where NumPy gives one.

        >>> jf.asarray([[1, 2], [3, 4]]).ravel().numpy()
        array([1, 2, 3, 4])
        """
        return api.movement.ravel(self, order)

    @guarded
    def flatten(self, order: str = "C") -> Any:
        """The elements in one axis: a new array.

        >>> jf.asarray([[1, 2], [3, 4]]).flatten("F").numpy()
        array([1, 3, 2, 4])
        """
        return api.movement.duplicate(api.movement.ravel(self, order))

    @guarded
    def transpose(self, *axes: Any) -> Any:
        """The array with its axes reversed, or in the order given as one argument or as several: a view.

        >>> jf.zeros((2, 3, 4)).transpose(2, 0, 1).shape
        (4, 2, 3)
        """
        if len(axes) == 1 and (is_sequence(axes[0]) or not hasattr(axes[0], "__index__")):
            return api.movement.transpose(self, axes[0])
        return api.movement.transpose(self, axes or None)

    @guarded
    def swapaxes(self, axis1: Any, axis2: Any) -> Any:
        """The array with two axes swapped: a view.

        >>> jf.zeros((2, 3, 4)).swapaxes(0, 2).shape
        (4, 3, 2)
        """
        return api.movement.swapaxes(self, axis1, axis2)

    @guarded
    def squeeze(self, axis: Any = None) -> Any:
        """The array without axes of extent 1, or without those of `axis`: a view.

        >>> jf.zeros((1, 3, 1)).squeeze().shape
        (3,)
        """
        return api.movement.squeeze(self, axis)

    @guarded
    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Any:
        """The elements limited to `min` and `max`; None is no bound.

        >>> jf.asarray([-5, 2, 9]).clip(0, 5).numpy()
        array([0, 2, 5])
        """
        return api.elementwise.arithmetic.clip(self, min, max, out=out)

    @guarded
    def round(self, decimals: int = 0, out: Any = None) -> Any:
        """The elements rounded to `decimals` decimals, halves to even.

        >>> jf.asarray([0.125, 2.5]).round(2).numpy()
        array([0.12, 2.5 ])
        """
        return api.elementwise.arithmetic.round(self, decimals, out=out)

    @guarded
    def dot(self, b: Any, out: Any = None) -> Any:
        """`jf.dot` of this array and `b`.

        >>> jf.asarray([1, 2]).dot([3, 4]).numpy()
        array(11)
        """
        return api.linear_algebra.products.dot(self, b, out=out)

    @guarded
    def fill(self, value: Any) -> None:
        """Writes one value to all elements. Raises KindError for more than one.

        >>> x = jf.zeros(2)
        >>> x.fill(7)
        >>> x.numpy()
        array([7., 7.])
        """
        if isinstance(value, (list, tuple)) or (hasattr(value, "__array__") and numpy.shape(value) != ()):
            raise KindError(
                f"fill takes one value, not {shown(value)}: setting an array element with a sequence"
            )
        self[...] = value

    @guarded
    def choose(self, *choices: Any, out: Any = None, mode: str = "raise") -> Any:
        """`jf.choose`: for every element the one at its place of the choice with that number. `choices` are
        one sequence of them, or each is an argument.

        >>> jf.asarray([1, 0, 1]).choose([1, 2, 3], [10, 20, 30]).numpy()
        array([10,  2, 30])
        """
        given = choices[0] if len(choices) == 1 else choices
        return api.indexing.reading.choose(self, given, out, mode)

    @guarded
    def compress(
        self,
        condition: Any,
        axis: Any = None,
        out: Any = None,
        *,
        size: int | None = None,
        fill_value: Any = 0,
    ) -> Any:
        """`jf.compress`: the slices along an axis for which the condition is true.

        >>> jf.asarray([1, 2, 3]).compress([True, False, True]).numpy()
        array([1, 3])
        """
        return api.indexing.reading.compress(condition, self, axis, out, size=size, fill_value=fill_value)

    @guarded
    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        """`jf.put`: writes values to positions of the flat array.

        >>> x = jf.asarray([1, 2, 3])
        >>> x.put([0, 2], [8, 9])
        >>> x.numpy()
        array([8, 2, 9])
        """
        api.indexing.writing.put(self, indices, values, mode)

    @guarded
    def sort(
        self,
        axis: Any = -1,
        kind: Any = None,
        order: Any = None,
        *,
        stable: Any = None,
        descending: Any = False,
    ) -> None:
        """Sorts the array itself along an axis; see `jf.sort`.

        >>> x = jf.asarray([3, 1, 2])
        >>> x.sort()
        >>> x.numpy()
        array([1, 2, 3])
        """
        api.sorting.sorts.sort_in_place(self, axis, kind, order, stable, descending)

    @guarded
    def partition(self, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> None:
        """Partitions the array itself along an axis; see `jf.partition`.

        >>> x = jf.asarray([7, 1, 5, 3])
        >>> x.partition(2)
        >>> int(x[2])
        5
        """
        api.sorting.sorts.partition_in_place(self, kth, axis, kind, order)

    @guarded
    def conj(self) -> Any:
        """The complex conjugates; of real numbers the array itself.

        >>> jf.asarray([1.0, 2j]).conj().numpy()
        array([1.-0.j, 0.-2.j])
        """
        return call(conjugate, (self,)) if self._dtype.is_complex else self

    conjugate = conj

    @property
    def real(self) -> Any:
        """The real parts of complex numbers, a view to read and write; of real numbers the array itself."""
        return self._part("real") if self._dtype.is_complex else self

    @real.setter
    def real(self, value: Any) -> None:
        self.real[...] = value

    @property
    def imag(self) -> Any:
        """The imaginary parts of complex numbers, a view to read and write; of real numbers zeros."""
        return self._part("imag") if self._dtype.is_complex else api.creation.constructors.zeros_like(self)

    @imag.setter
    def imag(self, value: Any) -> None:
        if not self._dtype.is_complex:
            raise DTypeError("array does not have imaginary part to set")
        self.imag[...] = value

    def _part(self, name: Literal["real", "imag"]) -> Any:
        if self._is_one_number:
            return call(real if name == "real" else imag, (self,))
        from ...arrays.complex_views import Part

        return self._view(View.of(self.shape).then(Part(name, self._dtype)))

    @property
    def flat(self) -> Any:
        """The elements in C order: to iterate over, to index and to write to."""
        from .flat import Flat  # few programs want it

        return Flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        self.flat[:] = value
