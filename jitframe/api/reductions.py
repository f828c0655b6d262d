"""Reductions of arrays over axes, and scans along them."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy

from ..arrays.promotion import cast_error, from_numpy, promote
from ..base.arguments import flag, is_sequence, shown
from ..errors import ArgumentError, KindError, UnsupportedError
from ..functions import averages, nan_reductions, scans, searching
from ..functions import reductions as nodes
from ..functions.operands import as_node, strong
from ..ir.types import DType
from . import registry
from .calls import call, unary
from .frame import LazyValue
from .signature import check_reduction, optional_dtype, single_output

if TYPE_CHECKING:
    from typing import Unpack

    from .registry import Said

Public = Callable[..., Any]
_NONE = numpy._NoValue

_EXACT = "int64 of bools and signed integers, uint64 of unsigned ones, that of floats; or `dtype`"
_FLOATING = "that of floats, float64 of integers and bools; or `dtype`"
_SAME = "that of the array"
_OVER_AXES = "Shape: that of `a` without the axes (None: without any); with `keepdims` their extents are 1."


# Each makes the public functions of one list of parameters. --------------------------------------------
def sums(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False,
        initial: Any = _NONE, where: Any = True,
    ) -> Any:  # fmt: skip
        if initial is None:
            nodes.check_identity(numpy.shape(a), axis, name, None, None if where is True else where)
        given = {"axis": axis, "dtype": dtype, "keepdims": keepdims, "initial": initial, "where": where}
        return _reduced(function, name, a, out, given)

    return _described(public, name, _OVER_AXES, *about, **said)


def extremes(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = _NONE,
        where: Any = True,
    ) -> Any:  # fmt: skip
        given = {"axis": axis, "keepdims": keepdims, "initial": initial, "where": where}
        return _reduced(function, name, a, out, given)

    return _described(public, name, _OVER_AXES, *about, **said)


def _ranges(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
        return _reduced(function, name, a, out, {"axis": axis, "keepdims": keepdims})

    return _described(public, name, _OVER_AXES, *about, **said)


def _means(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *,
        where: Any = True,
    ) -> Any:  # fmt: skip
        _check_counted(name, where)
        given = {"axis": axis, "dtype": dtype, "keepdims": keepdims, "where": where}
        return _reduced(function, name, a, out, given)

    return _described(public, name, _OVER_AXES, *about, **said)


def _check_counted(name: str, where: Any) -> None:
    """Raises KindError for arrays that cannot be summed, as the elements where `where` is true are
    counted."""
    if where.__class__ is bool or isinstance(where, LazyValue) or name.startswith("nan"):
        return  # those that leave NaN out count by their own masks
    if numpy.asarray(where).dtype.kind in "mMSUV":
        raise KindError(f"{name}: where= is of bools, not {shown(where)}")


def _spreads(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False,
        *, where: Any = True, mean: Any = _NONE, correction: Any = _NONE,
    ) -> Any:  # fmt: skip
        if correction is not _NONE:
            if ddof:
                raise ArgumentError("ddof and correction can't be provided simultaneously.")
            ddof = correction
        _check_counted(name, where)
        if is_sequence(ddof) or not isinstance(ddof, (Real, numpy.generic, numpy.ndarray, LazyValue)):
            raise KindError(f"{name}: ddof is one number, not {shown(ddof)}")
        given = {"axis": axis, "dtype": dtype, "ddof": ddof, "keepdims": keepdims, "where": where}
        return _reduced(function, name, a, out, {**given, "mean": mean})

    return _described(public, name, _OVER_AXES, *about, **said)


def _truths(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
        return _reduced(function, name, a, out, {"axis": axis, "keepdims": keepdims, "where": where})

    return _described(public, name, _OVER_AXES, *about, **said)


def _counts(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
        return _reduced(function, name, a, None, {"axis": axis, "keepdims": keepdims})

    return _described(public, name, _OVER_AXES, *about, **said)


def _positions(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    """Makes a reduction to positions, which need an exact dtype in `out=`."""

    def public(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        dtype = getattr(out, "dtype", None)
        if dtype is not None and numpy.dtype(dtype).kind == "f":
            raise cast_error(dtype, "int64", "safe", f": the out= of {name}")
        return _reduced(function, name, a, out, {"axis": axis, "keepdims": keepdims})

    return _described(public, name, _OVER_AXES, *about, **said)


def _scans(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return _reduced(function, name, a, out, {"axis": axis, "dtype": dtype})

    return _described(public, name, "Shape: that of `a`; for `axis` None one axis.", *about, **said)


def _cumulative(function: Callable[..., Any], name: str, *about: str, **said: Unpack[Said]) -> Public:
    def public(
        x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: Any = False
    ) -> Any:
        if include_initial and out is Ellipsis:
            raise KindError(f"{name}: with include_initial out= is an array to write to, not Ellipsis")
        given = {"axis": axis, "dtype": dtype, "include_initial": include_initial}
        return _reduced(function, name, x, out, given)

    return _described(public, name, "Shape: that of `x`, or one element more along the axis.", *about, **said)


def _described(
    function: Public,
    name: str,
    shape: str,
    dtype: str = "",
    summary: str = "",
    given: str = "",
    shown: str = "",
    **said: Unpack[Said],
) -> Public:
    """Gives the function its name and docstring: `given` are arguments of an example, `shown` its result.

    A function with a docstring is public, and the registry records what is `said`.
    """
    function.__name__ = function.__qualname__ = name
    if not summary:
        return function
    example = f">>> jf.{name}({given}).numpy()\n{shown}\n"
    function.__doc__ = f"{summary}\n\n{shape}\nDtype: {dtype}.\n\n{example}"
    return registry.public("reduction", **said)(function)


def _reduced(function: Callable[..., Any], name: str, x: Any, out: Any, given: dict[str, Any]) -> Any:
    """Computes a reduction on nodes, with NumPy's arguments."""
    kinds = tuple(map(type, given.values()))
    if out is None and _COMPARED.issuperset(kinds):
        asked = (function, *given.values(), *kinds)  # True is equal to 1
        known = _requests.get(asked)
        if known is None:
            known = _request(function, _bound(given))
            if len(_requests) >= _REQUESTS_KEPT:
                _requests.clear()
            if _COMPARED.issuperset(map(type, known[1])):  # not what was made an array of
                _requests[asked] = known
        reduced, values, _, key = known
        return call(reduced, (x, *values), key=key) if values else unary(reduced, x, key)
    bound = _bound(given)
    out = None if out is _NONE else single_output(out, name)
    if out is not None and name in _IN_OUTPUT:
        x = _in_output(name, x, out, bound)
    reduced, values, dtype, key = _request(function, bound)
    return call(reduced, (x, *values), out=out, dtype=dtype, key=key, whole=True)


def _bound(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the given arguments, parsed."""
    bound = {each: value for each, value in given.items() if value is not _NONE}
    check_reduction(bound)
    if "keepdims" in bound:
        bound["keepdims"] = flag(bound["keepdims"], "keepdims")
    if "dtype" in bound:
        bound["dtype"] = optional_dtype(bound["dtype"])
    return bound


def _request(function: Callable[..., Any], bound: dict[str, Any]) -> _Request:
    """Returns the arguments of `call`: the function, values beside the array, the dtype, the key."""
    # These may be arrays of the program, too.
    given_values = {each: bound.pop(each, unset) for each, unset in _UNSET.items()}
    values = {each: value for each, value in given_values.items() if value is not _UNSET[each]}

    def reduced(graph: Any, operand: Any, *more: Any) -> Any:
        return function(graph, operand, **bound, **dict(zip(values, more, strict=True)))

    key = (function, *bound.items()) if _is_plain(bound) else None
    return reduced, tuple(values.values()), bound.get("dtype"), key


_Request = tuple[Callable[..., Any], tuple[Any, ...], DType | None, Any]
_requests: dict[tuple[Any, ...], _Request] = {}
_REQUESTS_KEPT = 1024
_COMPARED = frozenset((int, bool, type(None), type(_NONE)))
"""Types of arguments that are compared by type and value, as most calls have them."""
_IN_OUTPUT = frozenset((
    "sum", "prod", "mean", "cumsum", "cumprod", "max", "min", "ptp", "nansum", "nanprod", "nanmean",
    "nancumsum", "nancumprod", "nanmax", "nanmin",
))  # fmt: skip
"""Reductions that compute in the promoted dtype of the array and of `out=`."""
_EXTREMES = frozenset(("max", "min", "ptp", "nanmax", "nanmin"))
"""Reductions that compare wrapped numbers where `out=` does not hold all: NumPy's do after each buffer."""


def _in_output(name: str, x: Any, out: Any, bound: dict[str, Any]) -> Any:
    """Returns the array to reduce, where the result goes to `out`."""
    dtype = getattr(out, "dtype", None)
    if bound.get("dtype") is not None or not isinstance(dtype, numpy.dtype):
        return x
    if not isinstance(x, LazyValue):
        x = call(strong, (x,))
    target = from_numpy(dtype)
    computed = promote(target, x._dtype)
    if name in _EXTREMES and x._dtype.is_integer and target.is_integer and computed is not target:
        raise UnsupportedError(
            f"{name}: out= is of {dtype}, which does not hold all numbers of {x._dtype.numpy_name}: NumPy's "
            f"result depends on its buffers where one does not fit; assign the result to out[...]"
        )
    if computed is x._dtype or not (computed.is_inexact or name == "ptp"):
        return x
    return call(lambda graph, node: as_node(graph, node, computed), (x,))


_UNSET = {"where": True, "initial": None, "mean": None}
_PLAIN = frozenset((int, bool, type(None), DType))


def _is_plain(bound: dict[str, Any]) -> bool:
    """Whether arguments can be compared by value: axes, flags and dtypes."""
    for value in bound.values():
        if value.__class__ not in _PLAIN and not (
            value.__class__ is tuple and _PLAIN.issuperset(map(type, value))
        ):
            return False
    return True


sum = sums(
    nodes.sum, "sum", _EXACT,
    "The sum of elements over axes, `initial` and all for which `where` holds.",
    "[[1, 2], [3, 4]], axis=0", "array([4, 6])",
    method=True,
)  # fmt: skip
prod = sums(
    nodes.prod, "prod", _EXACT,
    "The product of elements over axes, `initial` and all for which `where` holds.",
    "[[1, 2], [3, 4]], axis=0", "array([3, 8])",
    method=True,
)  # fmt: skip
mean = _means(
    nodes.mean, "mean", _FLOATING,
    "The arithmetic mean over axes of the elements for which `where` holds; NaN of none.",
    "[[1, 2], [3, 4]], axis=0", "array([2., 3.])",
    method=True,
)  # fmt: skip
var = _spreads(
    nodes.var, "var", _FLOATING,
    "The variance over axes: squared distances from the mean (`mean`, where it is known), summed and\n"
    "divided by their number less `ddof` (or `correction`, by the array API's name).",
    "[[1, 2], [3, 4]], axis=0", "array([1., 1.])",
    method=True,
)  # fmt: skip
std = _spreads(
    nodes.std, "std", _FLOATING,
    "The standard deviation over axes: the root of `var`, which has the same parameters.",
    "[[1, 2], [3, 4]], axis=0", "array([1., 1.])",
    method=True,
)  # fmt: skip
max = extremes(
    nodes.max_, "max", _SAME,
    "The largest element over axes, of those where `where` holds and `initial`; NaN where there is one.\n"
    "Of no elements ArgumentError, unless there is an `initial`.",
    "[[1, 2], [3, 4]], axis=0", "array([3, 4])",
    numpy=("max", "amax"), method=True,
)  # fmt: skip
min = extremes(
    nodes.min_, "min", _SAME,
    "The smallest element over axes, of those where `where` holds and `initial`; NaN where there is one.\n"
    "Of no elements ArgumentError, unless there is an `initial`.",
    "[[1, 2], [3, 4]], axis=0", "array([1, 2])",
    numpy=("min", "amin"), method=True,
)  # fmt: skip
ptp = _ranges(
    nodes.ptp, "ptp", _SAME,
    "The largest element over axes less the smallest.",
    "[[1, 2], [3, 4]], axis=0", "array([2, 2])",
)  # fmt: skip
all = _truths(
    nodes.all_, "all", "bool",
    "Whether every element over axes differs from zero, of those where `where` holds; True of none.",
    "[[1, 0], [3, 4]], axis=0", "array([ True, False])",
    method=True,
)  # fmt: skip
any = _truths(
    nodes.any_, "any", "bool",
    "Whether any element over axes differs from zero, of those where `where` holds; False of none.",
    "[[0, 0], [3, 0]], axis=0", "array([ True, False])",
    method=True,
)  # fmt: skip
count_nonzero = _counts(
    nodes.count_nonzero, "count_nonzero", "int64",
    "How many elements over axes differ from zero.",
    "[[1, 0], [3, 4]], axis=0", "array([2, 1])",
)  # fmt: skip
argmax = _positions(
    searching.argmax, "argmax", "int64",
    "The position of the first largest element along an axis (None: in the flat array). NaN counts as\n"
    "larger than all; of no elements ArgumentError.",
    "[[1, 9], [7, 2]], axis=1", "array([1, 0])",
    method=True,
)  # fmt: skip
argmin = _positions(
    searching.argmin, "argmin", "int64",
    "The position of the first smallest element along an axis (None: in the flat array). NaN counts as\n"
    "smaller than all; of no elements ArgumentError.",
    "[[1, 9], [7, 2]], axis=1", "array([0, 1])",
    method=True,
)  # fmt: skip
nanargmax = _positions(
    searching.nanargmax, "nanargmax", "int64",
    "As `argmax`, where a NaN counts as -inf; -1 where all are NaN (NumPy raises ValueError).",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([0, 1])",
)  # fmt: skip
nanargmin = _positions(
    searching.nanargmin, "nanargmin", "int64",
    "As `argmin`, where a NaN counts as inf; -1 where all are NaN (NumPy raises ValueError).",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([0, 0])",
)  # fmt: skip
cumsum = _scans(
    scans.cumsum, "cumsum", _EXACT,
    "The sums up to each element along an axis (None: of the flat array).",
    "[1, 2, 3]", "array([1, 3, 6])",
    method=True,
)  # fmt: skip
cumprod = _scans(
    scans.cumprod, "cumprod", _EXACT,
    "The products up to each element along an axis (None: of the flat array).",
    "[1, 2, 3]", "array([1, 2, 6])",
    method=True,
)  # fmt: skip
nancumsum = _scans(
    scans.nancumsum, "nancumsum", _EXACT,
    "As `cumsum`, NaN counting as 0.",
    "[1.0, np.nan, 3.0]", "array([1., 1., 4.])",
)  # fmt: skip
nancumprod = _scans(
    scans.nancumprod, "nancumprod", _EXACT,
    "As `cumprod`, NaN counting as 1.",
    "[1.0, np.nan, 3.0]", "array([1., 1., 3.])",
)  # fmt: skip
cumulative_sum = _cumulative(
    scans.cumulative_sum, "cumulative_sum", _EXACT,
    "The sums up to each element along an axis, which is needed where there are several. With\n"
    "`include_initial` one element more, 0 at the start.",
    "[1, 2, 3], include_initial=True", "array([0, 1, 3, 6])",
    sample=lambda s: (s.v,),
)  # fmt: skip
cumulative_prod = _cumulative(
    scans.cumulative_prod, "cumulative_prod", _EXACT,
    "The products up to each element along an axis, which is needed where there are several. With\n"
    "`include_initial` one element more, 1 at the start.",
    "[1, 2, 3], include_initial=True", "array([1, 1, 2, 6])",
    sample=lambda s: (s.v,),
)  # fmt: skip
nansum = sums(
    nan_reductions.nansum, "nansum", _EXACT,
    "As `sum`, NaN counting as 0.",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([1., 7.])",
)  # fmt: skip
nanprod = sums(
    nan_reductions.nanprod, "nanprod", _EXACT,
    "As `prod`, NaN counting as 1.",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([ 1., 12.])",
)  # fmt: skip
nanmean = _means(
    nan_reductions.nanmean, "nanmean", _FLOATING,
    "The mean over axes of what is no NaN; NaN where nothing is left.",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([1. , 3.5])",
)  # fmt: skip
nanvar = _spreads(
    nan_reductions.nanvar, "nanvar", _FLOATING,
    "The variance over axes of what is no NaN; NaN where `ddof` or fewer are left.",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([0.  , 0.25])",
)  # fmt: skip
nanstd = _spreads(
    nan_reductions.nanstd, "nanstd", _FLOATING,
    "The standard deviation over axes of what is no NaN: the root of `nanvar`.",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([0. , 0.5])",
)  # fmt: skip
nanmax = extremes(
    nan_reductions.nanmax, "nanmax", _SAME,
    "The largest element over axes of what is no NaN; NaN where nothing is left.",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([1., 4.])",
)  # fmt: skip
nanmin = extremes(
    nan_reductions.nanmin, "nanmin", _SAME,
    "The smallest element over axes of what is no NaN; NaN where nothing is left.",
    "[[1.0, np.nan], [3.0, 4.0]], axis=1", "array([1., 3.])",
)  # fmt: skip


@registry.public("reduction")
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False
) -> registry.Varied:
    """The mean over axes of elements times `weights`; with `returned`, the sums of weights too.

    Weights have the shape of `a`, or one axis where `axis` is one. Those that sum to zero give NaN or
    infinity (NumPy raises ZeroDivisionError).

    >>> jf.average([1.0, 2.0, 6.0], weights=[1, 1, 2]).numpy()
    array(3.75)
    """
    keepdims = keepdims is not numpy._NoValue and flag(keepdims, "keepdims")

    def averaged(graph: Any, x: Any, *more: Any) -> Any:
        weights = more[0] if more else None
        both = averages.average(graph, x, weights, axis=axis, keepdims=keepdims)
        return both if returned else both[0]

    return call(averaged, (a,) if weights is None else (a, weights))
