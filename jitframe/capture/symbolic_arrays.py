"""Arrays with symbolic sizes: `x[:i]` in a loop over i, `values[rows[i] : rows[i + 1]]`.

An operation on such an array is an inner loop over its extents. Elementwise functions are lazy functions of
its elements; a reduction, a product or an assignment is the loop that computes the elements
(`symbolic_loops`). NumPy's decisions about shapes use the known relations of sizes (`symbolic_sizes`): where
these do not suffice, the loop is not captured.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import numpy

from .. import api
from ..api.calls import call
from ..api.frame import LazyValue, SymbolicExtents
from ..api.indexing.selection import as_item, axes_taken
from ..api.namespace import lookup
from ..arrays.indexing import expanded, slice_of
from ..arrays.promotion import NUMBERS
from ..errors import AliasError, ArgumentError, BoundsError, ShapeError, TraceError
from ..functions.operands import check_output
from ..ir.types import BOOL, DType
from ..tracing.environment.user_code import class_where_asked
from ..tracing.values.traced import ARRAY, TracedArray
from ..tracing.values.traced_frame import current_trace
from .symbolic_loops import for_each, put_aside, store
from .symbolic_parts import Applied, Part, Place, applied, is_same_place
from .symbolic_sizes import (
    Size,
    at_most,
    from_the_end,
    is_same,
    maximum,
    minimum,
    minus,
    plus,
    range_of,
    steps_between,
)

WHOLE = slice(None)


class SymbolicArray(SymbolicExtents):
    """An array with symbolic sizes: a view of an array of the trace, or a function of others."""

    __hash__ = None  # type: ignore[assignment]
    __class__ = property(class_where_asked)

    def __init__(self, value: Part | Applied, extents: Sequence[Size]) -> None:
        self.value = value
        self.shape = tuple(extents)
        self.shares = False
        """Whether it is computed and has a view, or is such a view: it is read only then."""

    @property
    def dtype(self) -> numpy.dtype[Any]:
        return numpy.dtype(self.value.dtype.numpy_name)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> Size:
        found: Size = 1
        for each in self.shape:
            if isinstance(found, int) and isinstance(each, int):
                found = found * each
            else:
                found = each if found.__class__ is int and found == 1 else found * each
        return found

    @property
    def T(self) -> SymbolicArray:
        return self.permuted(tuple(range(self.ndim))[::-1])

    def length(self) -> Size:
        """Returns the result of `len`."""
        return self.shape[0]

    def element(self, positions: Sequence[Size]) -> Any:
        return self.value.element(positions)

    def cut(self, cuts: Sequence[Place], extents: Sequence[Size]) -> SymbolicArray:
        return self._shown(self.value.cut(cuts), extents)

    @property
    def is_memory(self) -> bool:
        """Whether it is a view of an array, not computed."""
        return isinstance(self.value, Part) and self.value.read is None

    def _shown(self, value: Part | Applied, extents: Sequence[Size]) -> SymbolicArray:
        array = SymbolicArray(value, extents)
        self.shares = array.shares = not self.is_memory
        return array

    def permuted(self, axes: Sequence[int]) -> SymbolicArray:
        cuts = [Place(0, axes.index(axis)) for axis in range(self.ndim)]
        return self.cut(cuts, [self.shape[axis] for axis in axes])

    def flipped(self, axes: Sequence[int]) -> SymbolicArray:
        index = tuple([slice(None, None, -1) if axis in axes else WHOLE for axis in range(self.ndim)])
        array: SymbolicArray = self[index]
        return array

    # Indexing

    def __getitem__(self, index: Any) -> Any:
        if _looks_up(index):
            return self._looked_up(index)
        cuts, extents, certain = self._cut_by(index)
        value = self.value.cut(cuts)
        if isinstance(value, Part) and not certain:
            value = Part(value.array, value.places, False, value.read)
        return self._shown(value, extents) if extents else value.element(())

    def __setitem__(self, index: Any, value: Any) -> None:
        if _looks_up(index):
            self._store_at(index, value)
            return
        cuts, extents, certain = self._cut_by(index)
        if not isinstance(self.value, Part) or not self.is_memory:
            raise TraceError("elements of what is computed of a slice are written to; work on a copy")
        target = self.value.cut(cuts)
        if not certain:
            target = Part(target.array, target.places, False)
        SymbolicArray(target, extents).assign(value)

    def _arrays_of(self, index: Any) -> tuple[Part, list[Any], tuple[Size, ...]]:
        """Returns, for an index of arrays on all axes, the array, the positions as parts and scalars, and
        their extents."""
        items = [as_symbolic(each) for each in (index if index.__class__ is tuple else (index,))]
        part = self.value
        dtypes = [each.value.dtype for each in items if isinstance(each, SymbolicArray)]
        whole = isinstance(part, Part) and all(
            each.axis == axis and each.step == 1 and each.offset.__class__ is int and each.offset == 0
            for axis, each in enumerate(part.places)
        )
        if not whole or len(items) != self.ndim or not all(dtype.is_integer for dtype in dtypes):
            raise TraceError(
                "a slice of positions stands beside other items of an index, or looks up a slice"
            )
        assert isinstance(part, Part)
        extents = broadcast([each.shape for each in items if isinstance(each, SymbolicArray)])
        parts = [spread(each, extents).value if isinstance(each, SymbolicArray) else each for each in items]
        return Part(part.array, part.places, False, part.read), parts, extents

    def _looked_up(self, index: Any) -> SymbolicArray:
        part, positions, extents = self._arrays_of(index)
        now = part.now()
        return SymbolicArray(applied(lambda *at: now.at(at), positions, (now,)), extents)

    def _store_at(self, index: Any, value: Any) -> None:
        part, positions, extents = self._arrays_of(index)
        given = as_symbolic(value)
        if isinstance(given, SymbolicArray):
            given = put_aside(extents, spread(given, extents).value)

        def put(at: tuple[Size, ...]) -> None:
            places = [
                position.element(at) if isinstance(position, (Part, Applied)) else position
                for position in positions
            ]
            part.array[tuple(places)] = given.element(at) if isinstance(given, Part) else given

        for_each(extents, put, in_any_order=False)

    def _cut_by(self, index: Any) -> tuple[list[Place], list[Size], bool]:
        """Returns the map from its axes to those of an index's result, and whether each position is in
        range."""
        items = [as_item(item) for item in (index if index.__class__ is tuple else (index,))]
        cuts: list[Place] = []
        extents: list[Size] = []
        certain = True
        for item in expanded(items, self.ndim, axes_taken):
            if item is None:
                extents.append(1)
                continue
            extent = self.shape[len(cuts)]
            if item.__class__ is slice:
                first, step, count = sliced(item, extent)
                cuts.append(Place(first, len(extents), step))
                extents.append(count)
            else:
                position, is_certain = self._position(item, len(cuts), extent)
                cuts.append(Place(position))
                certain = certain and is_certain
        return cuts, extents, certain

    def _position(self, item: Any, axis: int, extent: Size) -> tuple[Size, bool]:
        """Returns a position, and whether it is certainly not negative and within the axis."""
        if isinstance(item, (numpy.ndarray, TracedArray)) and (item.shape or not _is_integer(item)):
            raise TraceError("a slice of a length that is not known is indexed with an array")
        position: Size = item
        least, _ = range_of(position)
        if least >= 0 and _is_below(position, extent):
            return position, True
        if isinstance(extent, int):
            if isinstance(position, int):
                if not -extent <= position < extent:
                    raise BoundsError(f"index {position} is out of bounds for axis {axis} with size {extent}")
                return position % extent, True
            return position, False  # the array of the trace is looked at there
        found = from_the_end(position, extent)
        inside = (found >= 0) & (found < extent)
        error = IndexError(f"an index is out of bounds for axis {axis} of a slice")
        current_trace().root.hooks.raise_unless(inside, error)
        return maximum(minimum(found, minus(extent, 1)), 0), True

    def __iter__(self) -> Iterator[Any]:
        raise self._refused("an iteration")

    def __len__(self) -> int:
        raise self._refused("its length")

    def __bool__(self) -> bool:
        raise self._refused("a condition")

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise self._refused("a function that needs all of it")

    def __float__(self) -> NoReturn:
        raise self._refused("float()")

    __int__ = __index__ = __complex__ = __float__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from .symbolic_functions import METHODS  # it is made of this module

        method = METHODS.get(name)
        if method is not None:
            return lambda *arguments, **options: method(self, *arguments, **options)
        if hasattr(numpy.ndarray, name):
            raise self._refused(f".{name}")
        raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")

    def _refused(self, purpose: str) -> TraceError:
        return TraceError(f"a slice has a length that is known when the loop runs alone; {purpose} needs it")

    # Writing

    def assign(self, value: Any) -> None:
        """Stores a value, broadcast, in the array that it is a view of."""
        assert isinstance(self.value, Part)
        target = self.value
        if target.array._read_only:
            raise AliasError("assignment destination is read-only")
        shown = value.value if isinstance(value, SymbolicArray) and value.ndim == self.ndim else None
        if isinstance(shown, Part) and shown.read is None and is_same_place(shown, target):
            return  # as `x[:i] += y` ends: what is assigned is there already
        given = as_symbolic(value)
        if isinstance(given, SymbolicArray):
            extra = given.ndim - self.ndim
            if extra > 0 and all(each.__class__ is int and each == 1 for each in given.shape[:extra]):
                given = given[(0,) * extra]
        if isinstance(given, SymbolicArray):
            given = spread(given, self.shape).value
        store(target, self.shape, given)

    def stored_in(self, target: TracedArray, function: Callable[..., Any]) -> TracedArray:
        """`target = function(target, self)` in the same array."""
        result = elementwise(lambda x, y: call(function, (x, y)), target, self)
        check_output(result.value.dtype, (), target._dtype, ())
        view_of(target).assign(result)
        return target

    def called(self, function: Any, arguments: Any, options: Any) -> Any:
        if isinstance(function, numpy.ufunc):
            return _ufunc(function, arguments, **options)
        from .symbolic_functions import FUNCTIONS  # as above

        own = FUNCTIONS.get(function)
        if own is None:
            raise self._refused(f"np.{getattr(function, '__name__', function)}")
        return own(*arguments, **options)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from .symbolic_functions import REDUCTIONS, UFUNCS  # as above

        if method == "__call__":
            return _ufunc(ufunc, inputs, **options)
        own = UFUNCS.get((ufunc, method))
        if method == "reduce" and ufunc in REDUCTIONS:
            return REDUCTIONS[ufunc](*inputs, **{"axis": 0, **options})
        if own is None or options:
            raise self._refused(f"np.{ufunc.__name__}.{method}")
        return own(*inputs)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return self.called(function, arguments, options)


def _ufunc(ufunc: numpy.ufunc, inputs: Sequence[Any], out: Any = None, **options: Any) -> Any:
    """Applies an elementwise function, or a product."""
    from .symbolic_functions import UFUNCS  # it is made of this module

    function, own = lookup(ufunc), UFUNCS.get((ufunc, "__call__"))
    target = out[0] if isinstance(out, tuple) else out
    if own is None and function is not None and ufunc.nout == 1 and not ufunc.signature:
        own = functools.partial(elementwise, function)
    if own is None or options or not (target is None or isinstance(target, SymbolicArray)):
        raise TraceError(f"np.{ufunc.__name__} of a slice of a length that is not known")
    result = own(*inputs)
    if target is None:
        return result
    check_output(result.value.dtype, (), target.value.dtype, ())
    if target.is_memory:
        target.assign(result)
    elif target.shares:
        raise TraceError("what is computed of a slice, and seen by two names, is written to; work on a copy")
    else:
        target.value = spread(elementwise(_cast_to(target.value.dtype), result), target.shape).value
    return target


def _operators() -> None:
    """Python's operators, as ufuncs."""
    for name, ufunc in _OPERATORS.items():

        def forward(self: Any, other: Any, ufunc: Any = ufunc) -> Any:
            return _ufunc(ufunc, (self, other))

        def reflected(self: Any, other: Any, ufunc: Any = ufunc) -> Any:
            return _ufunc(ufunc, (other, self))

        def in_place(self: Any, other: Any, ufunc: Any = ufunc) -> Any:
            return _ufunc(ufunc, (self, other), self)

        setattr(SymbolicArray, f"__{name}__", forward)
        if name not in _COMPARISONS:
            setattr(SymbolicArray, f"__r{name}__", reflected)
            setattr(SymbolicArray, f"__i{name}__", in_place)
    for name, ufunc in {"neg": numpy.negative, "pos": numpy.positive, "abs": numpy.absolute,
                        "invert": numpy.invert}.items():  # fmt: skip
        setattr(SymbolicArray, f"__{name}__", lambda self, ufunc=ufunc: _ufunc(ufunc, (self,)))


_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
_OPERATORS = {
    "add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply, "truediv": numpy.true_divide,
    "floordiv": numpy.floor_divide, "mod": numpy.remainder, "pow": numpy.power, "matmul": numpy.matmul,
    "and": numpy.bitwise_and, "or": numpy.bitwise_or, "xor": numpy.bitwise_xor, "lshift": numpy.left_shift,
    "rshift": numpy.right_shift, "lt": numpy.less, "le": numpy.less_equal, "gt": numpy.greater,
    "ge": numpy.greater_equal, "eq": numpy.equal, "ne": numpy.not_equal,
}  # fmt: skip
_operators()


def _looks_up(index: Any) -> bool:
    """Whether an index has arrays with symbolic sizes."""
    items = index if index.__class__ is tuple else (index,)
    return any(isinstance(each, SymbolicArray) for each in items)


def view_of(array: TracedArray) -> SymbolicArray:
    """Returns an array of the trace as one with symbolic sizes."""
    places = tuple([Place(0, axis) for axis in range(len(array.shape))])
    return SymbolicArray(Part(array, places), array.shape)


def as_symbolic(value: Any) -> Any:
    """Returns the present content of an array as one with symbolic sizes; scalars unchanged."""
    if isinstance(value, SymbolicArray):
        return SymbolicArray(value.value.now(), value.shape)
    if value.__class__ in NUMBERS or isinstance(value, numpy.generic):
        return value
    if isinstance(value, (SymbolicExtents, type)):
        raise TraceError("a slice of a length that is not known meets another kind of array")
    array = api.movement.as_lazy(value)
    if not isinstance(array, TracedArray):
        raise TraceError("a slice of a length that is not known meets an array from elsewhere")
    if not array.shape:
        return array.copy() if array._kind == ARRAY else array
    found = view_of(array)
    return SymbolicArray(found.value.now(), found.shape)


def elementwise(function: Callable[..., Any], *operands: Any) -> SymbolicArray:
    """Makes an elementwise function of arrays, which are broadcast."""
    given = [as_symbolic(operand) for operand in operands]
    extents = broadcast([each.shape for each in given if isinstance(each, SymbolicArray)])
    parts = [spread(each, extents).value if isinstance(each, SymbolicArray) else each for each in given]
    return SymbolicArray(applied(function, parts), extents)


def broadcast(shapes: Sequence[tuple[Size, ...]]) -> tuple[Size, ...]:
    """Returns the broadcast extents of several shapes."""
    rank = max(map(len, shapes))
    result: list[Size] = [1] * rank
    for shape in shapes:
        for axis, extent in enumerate(shape, rank - len(shape)):
            if is_one(extent) or (not is_one(result[axis]) and is_same(result[axis], extent)):
                continue
            if not is_one(result[axis]):
                raise _unlike(result[axis], extent)
            result[axis] = extent
    return tuple(result)


def spread(array: SymbolicArray, extents: Sequence[Size]) -> SymbolicArray:
    """Broadcasts an array to extents, which it must fit."""
    offset = len(extents) - array.ndim
    if offset < 0:
        raise ShapeError("an array of more dimensions is broadcast to one of fewer")
    cuts = []
    for axis, extent in enumerate(array.shape, offset):
        if is_one(extent) and not is_one(extents[axis]):
            cuts.append(Place(0))
        elif is_same(extent, extents[axis]):
            cuts.append(Place(0, axis))
        else:
            raise _unlike(extent, extents[axis])
    return array.cut(cuts, extents)


def is_one(extent: Size) -> bool:
    return extent.__class__ is int and extent == 1


def _unlike(x: Size, y: Size) -> Exception:
    if isinstance(x, int) and isinstance(y, int):
        return ShapeError(f"operands could not be broadcast together: extents {x} and {y}")
    return TraceError("slices whose lengths may differ are used together in a loop")


def _is_integer(value: Any) -> bool:
    return bool(value._dtype.is_integer if isinstance(value, LazyValue) else value.dtype.kind in "iu")


def _is_below(position: Size, extent: Size) -> bool:
    return at_most(plus(position, 1), extent)


def _cast_to(dtype: DType) -> Callable[[Any], Any]:
    return lambda value: api.creation.constructors.astype(value, dtype.numpy_name)


def sliced(item: slice, extent: Size) -> tuple[Size, int, Size]:
    """Returns (start, step, count) of a slice of an axis, like `slice.indices`."""
    step = 1 if item.step is None else item.step
    if step.__class__ is not int:
        raise TraceError("the step of a slice is known when the loop runs alone")
    if step == 0:
        raise ArgumentError("slice step cannot be zero")
    bounds = (item.start, item.stop, extent)
    if all(bound is None or not isinstance(bound, TracedArray) for bound in bounds):
        assert isinstance(extent, int)
        return slice_of(item, extent)
    if step > 0:
        first = 0 if item.start is None else _within(item.start, extent, 0, extent)
        last = extent if item.stop is None else _within(item.stop, extent, 0, extent)
        return first, step, steps_between(first, last, step)
    highest = minus(extent, 1)
    first = highest if item.start is None else _within(item.start, extent, -1, highest)
    last = -1 if item.stop is None else _within(item.stop, extent, -1, highest)
    return first, step, steps_between(last, first, -step)


def _within(bound: Any, extent: Size, low: Size, high: Size) -> Size:
    """Clamps a bound of a slice to the axis."""
    if not isinstance(bound, TracedArray):
        bound = bound.__index__()
    elif bound.shape or not bound._dtype.is_integer or bound._dtype is BOOL:
        raise TraceError("slice indices must be integers or None or have an __index__ method")
    return maximum(minimum(from_the_end(bound, extent), high), low)
