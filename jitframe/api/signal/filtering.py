"""Digital filters: recursive ones as one native loop, others as convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy

from ...base.arguments import integer, word
from ...errors import ArgumentError, ShapeError, UnsupportedError
from ...functions.recursive_filters import sections
from ...ir.node import Graph, Node
from .. import reductions
from ..arranging.rearranging import pad
from ..calls import call
from ..creation.constructors import full
from ..movement import broadcast_to, concat, flip, moveaxis, stack
from ..registry import public
from .convolution import convolve
from .signals import as_last, axis_of, extended, fitting, floats, known, on_device_of, put_back, signal

_flipped = flip


def _coefficients(function: str, name: str, values: Any, like: Any) -> Any:
    array = floats(values) if like is None else on_device_of(values, like)
    if array.ndim > 1 or not array.size:
        raise ShapeError(
            f"{function}: {name} is a vector of coefficients, one at least, not of the shape "
            f"{tuple(array.shape)}"
        )
    return array.reshape(-1)


def _normalized(function: str, b: Any, a: Any, like: Any = None) -> tuple[Any, Any, int]:
    """Both divided by a[0], and how many coefficients the longer one has."""
    ahead, back = _coefficients(function, "b", b, like), _coefficients(function, "a", a, like)
    return ahead / back[0], back / back[0], max(ahead.shape[0], back.shape[0])


def _lengthened(x: Any, length: int) -> list[Any]:
    """The coefficients, and zeros."""
    found = [x[position] for position in range(x.shape[0])]
    return [*found, *([x[0] * 0] * (length - len(found)))]


def _run(x: Any, rows: Sequence[tuple[Sequence[Any], Sequence[Any]]], state: Sequence[Any]) -> Any:
    """`sections` along the last axis; gives what is filtered, and the delays."""
    values = [x, *state, *(each for b, a in rows for each in (*b, *a))]
    lengths = [len(b) for b, _ in rows]

    def made(graph: Graph, *nodes: Any) -> tuple[Node, ...]:
        dtype = nodes[0].dtype
        source, delays, coefficients = nodes[0], nodes[1 : 1 + len(state)], iter(nodes[1 + len(state) :])
        assert all(node.dtype is dtype for node in nodes), nodes
        ahead, back = [], []
        for length in lengths:
            ahead.append([next(coefficients) for _ in range(length)])
            back.append([next(coefficients) for _ in range(length)])
        return sections(graph, ahead, back, source, delays)

    return call(made, values)


def _in_one_dtype(*arrays: Any) -> list[Any]:
    """In the dtype that all of them have together."""
    total = sum(
        (array.reshape(-1)[:1].sum() * 0 for array in arrays[1:]), arrays[0].reshape(-1)[:1].sum() * 0
    )
    return [array.astype(total.dtype) for array in arrays]


def _recursive(
    x: Any, rows: Sequence[tuple[Any, Any]], lengths: Sequence[int], state: Any
) -> tuple[Any, Any]:
    """Filters the last axis of `x`; `state` has the delays first, or is None."""
    single = x.size == x.shape[-1]
    first = x.reshape(-1) if single else moveaxis(x, -1, 0)
    count = sum(length - 1 for length in lengths)
    shape = () if single else x.shape[:-1]
    if state is None:
        delays = [full(shape, 0, x.dtype, device=x.device)] * count
    else:
        delays = [state[position].reshape(shape) for position in range(count)]
    given = [(_lengthened(b, length), _lengthened(a, length)) for (b, a), length in zip(rows, lengths)]
    made, *after = _run(first, given, delays)
    result = made.reshape(x.shape) if single else moveaxis(made, 0, -1)
    last = stack([each.reshape(x.shape[:-1]) for each in after]) if after else None
    return result, last


def _expected(function: str, zi: Any, shape: tuple[int, ...], like: Any) -> Any:
    """The delays at the start, broadcast to `shape`. Raises ShapeError."""
    state = on_device_of(zi, like)
    fits = state.ndim == len(shape) and all(
        given in (1, wanted) for given, wanted in zip(state.shape, shape, strict=True)
    )
    if not fits:
        raise ShapeError(f"{function}: zi has the shape {shape}, not {tuple(state.shape)}")
    return state


@public("product", name="signal.lfilter", sample=lambda s: (s.v, s.v, s.x))
def lfilter(b: Any, a: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """Filters a signal along an axis by a rational transfer function: numerator `b`, denominator `a`.

    a[0] y[n] = b[0] x[n] + … + b[M] x[n - M] - a[1] y[n - 1] - … - a[N] y[n - N]. `b`, `a`: vectors; `x`: an
    array with one axis at least; `zi`: the delays at the start, as `lfilter_zi` has them, with max(M, N) of
    them along `axis`. Shape: that of `x`; with `zi`, a pair of it and of the delays at the end. Dtype: float
    or complex. Raises ShapeError for other shapes.

    A denominator of one coefficient is a convolution; others are one native loop (transposed direct form II).

    >>> jf.signal.lfilter([1.0], [1.0, -0.5], [1.0, 0.0, 0.0]).numpy()
    array([1.  , 0.5 , 0.25])
    """
    array = signal("lfilter", x)
    place = axis_of("lfilter", array, axis)
    ahead, back, length = _normalized("lfilter", b, a, array)
    state = None
    if zi is not None:
        shape = list(array.shape)
        shape[place] = length - 1
        state = as_last(_expected("lfilter", zi, tuple(shape), array), place)
        array, ahead, back, state = _in_one_dtype(array, ahead, back, state)
    else:
        array, ahead, back = _in_one_dtype(array, ahead, back)
    last = as_last(array, place)
    if back.shape[0] == 1:
        made, after = _as_convolution(last, ahead, length, state)
    else:
        delays = None if state is None else moveaxis(_spread(state, last, length - 1), -1, 0)
        made, after = _recursive(last, [(ahead, back)], [length], delays)
        after = None if after is None else moveaxis(after, 0, -1)
    result = put_back(made, place)
    return result if zi is None else (result, put_back(after, place))


def _spread(state: Any, last: Any, count: int) -> Any:
    return broadcast_to(state, (*last.shape[:-1], count))


def _as_convolution(x: Any, b: Any, length: int, state: Any) -> tuple[Any, Any]:
    """Along the last axis, without recursion."""
    taps = b.reshape((*(1,) * (x.ndim - 1), -1))
    full = convolve(x, taps, "full", "direct")
    count = x.shape[-1]
    if state is None:
        return full[..., :count], None
    if not length - 1:
        return full, state
    begun = full[..., : length - 1] + state
    whole = concat((begun, full[..., length - 1 :]), axis=-1)
    return whole[..., :count], whole[..., count:]


def _steady(b: Any, a: Any) -> Any:
    """The delays of normalized coefficients of one length, when input and output stay at 1 and their gain:
    each is the sum of b[j] - gain a[j] over the j behind it."""
    gain = b.sum() / a.sum()
    rest = flip(b[1:] - gain * a[1:])
    return flip(rest.cumsum(axis=0))


@public("product", name="signal.lfilter_zi", sample=lambda s: (s.v, s.v))
def lfilter_zi(b: Any, a: Any) -> Any:
    """The delays of `lfilter` that stand for a signal which was 1 all the time before.

    Shape: [max(len(a), len(b)) - 1]. Dtype: float.

    >>> jf.signal.lfilter_zi([1.0], [1.0, -0.5]).numpy()
    array([1.])
    """
    ahead, back, length = _normalized("lfilter_zi", b, a)
    ahead, back = (_with_zeros(each, length) for each in (ahead, back))
    return _steady(ahead, back)


def _with_zeros(x: Any, length: int) -> Any:
    return pad(x, (0, length - x.shape[0])) if length > x.shape[0] else x


_PADDINGS = ("odd", "even", "constant")


def _edge(function: str, x: Any, padtype: Any, padlen: Any, default: int) -> tuple[int, str | None]:
    """Returns the number of elements that extend each end, and their kind."""
    if padtype is not None:
        word(padtype, f"{function}: padtype", _PADDINGS)
    count = 0 if padtype is None else default if padlen is None else integer(padlen, f"{function}: padlen")
    if count < 0 or count >= max(x.shape[-1], 1):
        raise ArgumentError(
            f"{function}: the signal has {x.shape[-1]} elements along the axis, and must have more than "
            "padlen, "
            f"which is {count}; give a smaller padlen"
        )
    return count, padtype


@public("product", name="signal.filtfilt", sample=lambda s: (s.v, s.v, s.x, -1, None))
def filtfilt(
    b: Any, a: Any, x: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None, method: str = "pad",
    irlen: Any = None,
) -> Any:  # fmt: skip
    """Filters a signal forward and then backward, so that its phase stays.

    `padtype`: what is put at both ends first: "odd" turns the signal about its end, "even" mirrors it,
    "constant" repeats the end, None nothing; `padlen`: how many elements, by default 3 max(len(a), len(b)).
    `method`: "pad" (F. Gustafsson's "gust" is not supported). Shape: that of `x`. Raises ArgumentError where
    the signal is not longer than `padlen`.

    >>> jf.signal.filtfilt([0.5, 0.5], [1.0], [0.0, 0.0, 4.0, 0.0, 0.0], padlen=2).numpy()
    array([0., 1., 2., 1., 0.])
    """
    if method != "pad":
        word(method, "filtfilt: method", ("pad", "gust"))
        raise UnsupportedError("filtfilt: method 'gust' is not supported; 'pad' is")
    array = signal("filtfilt", x)
    place = axis_of("filtfilt", array, axis)
    ahead, back, length = _normalized("filtfilt", b, a, array)
    array, ahead, back = _in_one_dtype(array, ahead, back)
    last = as_last(array, place)
    count, kind = _edge("filtfilt", last, padtype, padlen, 3 * length)
    whole = extended(last, count, kind)
    zi = _steady(*(_with_zeros(each, length) for each in (ahead, back)))

    def passed(y: Any) -> Any:
        return lfilter(ahead, back, y, -1, zi * y[..., :1])[0] if length > 1 else ahead[0] * y

    made = _flipped(passed(_flipped(passed(whole), -1)), -1)
    return put_back(made[..., count : count + last.shape[-1]] if count else made, place)


def _sections_of(function: str, sos: Any, like: Any = None) -> Any:
    array = floats(sos) if like is None else on_device_of(sos, like)
    if array.ndim != 2 or array.shape[1] != 6 or not array.shape[0]:
        raise ShapeError(f"{function}: sos has the shape (sections, 6), not {tuple(array.shape)}")
    return array


@public("product", name="signal.sosfilt", sample=lambda s: (s.array(1, 6), s.x))
def sosfilt(sos: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """Filters a signal along an axis by sections of second order, one after the other, in one native loop.

    `sos`: [sections, 6], each row b[0], b[1], b[2], 1, a[1], a[2]; `zi`: the delays at the start, of the
    shape (sections, …, 2, …) with the axes of `x` and 2 along `axis`. Shape: that of `x`; with `zi`, a pair
    of it and of the delays at the end. Raises ShapeError for other shapes. That each a[0] is 1 is not
    checked, for it may be computed: rows are divided by it.

    >>> jf.signal.sosfilt([[1.0, 0.0, 0.0, 1.0, -0.5, 0.0]], [1.0, 0.0, 0.0]).numpy()
    array([1.  , 0.5 , 0.25])
    """
    array = signal("sosfilt", x)
    rows = _sections_of("sosfilt", sos, array)
    place = axis_of("sosfilt", array, axis)
    count = rows.shape[0]
    state = None
    if zi is not None:
        shape = [count, *array.shape]
        shape[place + 1] = 2
        state = as_last(_expected("sosfilt", zi, tuple(shape), array), place + 1)
        array, rows, state = _in_one_dtype(array, rows, state)
    else:
        array, rows = _in_one_dtype(array, rows)
    last = as_last(array, place)
    delays = None
    if state is not None:
        state = broadcast_to(state, (count, *last.shape[:-1], 2))
        delays = moveaxis(state, -1, 1).reshape((2 * count, *last.shape[:-1]))
    given = [(rows[s, :3] / rows[s, 3], rows[s, 3:] / rows[s, 3]) for s in range(count)]
    made, after = _recursive(last, given, [3] * count, delays)
    result = put_back(made, place)
    if zi is None:
        return result
    after = moveaxis(after.reshape((count, 2, *last.shape[:-1])), 1, -1)
    return result, put_back(after, place + 1)


@public("product", name="signal.sosfilt_zi", sample=lambda s: (s.array(1, 6),))
def sosfilt_zi(sos: Any) -> Any:
    """The delays of `sosfilt` that stand for a signal which was 1 all the time before.

    Shape: [sections, 2]. Dtype: float.

    >>> jf.signal.sosfilt_zi([[1.0, 0.0, 0.0, 1.0, -0.5, 0.0]]).numpy()
    array([[1., 0.]])
    """
    rows = _sections_of("sosfilt_zi", sos)
    scale, found = 1.0, []
    for s in range(rows.shape[0]):
        b, a = rows[s, :3] / rows[s, 3], rows[s, 3:] / rows[s, 3]
        found.append(_steady(b, a) * scale)
        scale = scale * (b.sum() / a.sum())
    return stack(found)


@public("product", name="signal.sosfiltfilt", sample=lambda s: (s.array(1, 6), s.x, -1, None))
def sosfiltfilt(sos: Any, x: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    """`sosfilt` forward and then backward, so that the signal's phase stays.

    `padtype`, `padlen`: as of `filtfilt`; by default 3 elements for each coefficient of the filter as a
    whole, as SciPy has it, where `sos` is known when the function is called. Shape: that of `x`.

    >>> jf.signal.sosfiltfilt([[1.0, 0.0, 0.0, 1.0, 0.0, 0.0]], [1.0, 2.0, 3.0], padlen=0).numpy()
    array([1., 2., 3.])
    """
    array = signal("sosfiltfilt", x)
    rows = _sections_of("sosfiltfilt", sos, array)
    place = axis_of("sosfiltfilt", array, axis)
    array, rows = _in_one_dtype(array, rows)
    last = as_last(array, place)
    default = 0 if padlen is not None or padtype is None else _default_padding(sos, rows)
    count, kind = _edge("sosfiltfilt", last, padtype, padlen, default)
    whole = extended(last, count, kind)
    zi = sosfilt_zi(rows).reshape((rows.shape[0], *(1,) * (last.ndim - 1), 2))

    def passed(y: Any) -> Any:
        return sosfilt(rows, y, -1, zi * y[..., :1])[0]

    made = _flipped(passed(_flipped(passed(whole), -1)), -1)
    return put_back(made[..., count : count + last.shape[-1]] if count else made, place)


def _default_padding(sos: Any, rows: Any) -> int:
    known_sections = known("sosfiltfilt", "sos (or padlen)", sos)
    trivial = min((known_sections[:, 2] == 0).sum(), (known_sections[:, 5] == 0).sum())
    return 3 * int(2 * rows.shape[0] + 1 - trivial)


def _blocks(bp: Any, extent: int) -> list[int]:
    """Returns the bounds of the segments."""
    given = [integer(each, "detrend: a breakpoint") for each in (bp if hasattr(bp, "__len__") else (bp,))]
    bounds = sorted({0, extent, *given})
    if bounds[0] < 0 or bounds[-1] > extent:
        raise ArgumentError(f"detrend: breakpoints are between 0 and {extent}, and {bp!r} was given")
    return bounds


@public("product", name="signal.detrend")
def detrend(
    data: Any, axis: int = -1, type: str = "linear", bp: Any = 0, overwrite_data: bool = False
) -> Any:
    """Without its mean ("constant"), or the straight line of least squares ("linear"), along an axis.

    `bp`: positions between which lines are fitted each by itself. `overwrite_data` changes nothing. Shape:
    that of `data`. Dtype: float or complex. Raises ArgumentError for breakpoints outside of the axis.

    >>> jf.signal.detrend([1.0, 2.0, 4.0], type="constant").numpy().round(3)
    array([-1.333, -0.333,  1.667])
    """
    array = signal("detrend", data, "data")
    place = axis_of("detrend", array, axis)
    kind = word(type, "detrend: type", ("linear", "constant", "l", "c"))
    if kind[0] == "c":
        return array - reductions.mean(array, axis=place, keepdims=True)
    last = as_last(array, place)
    bounds = _blocks(bp, last.shape[-1])
    segments = [_without_line(last[..., lower:upper]) for lower, upper in pairwise(bounds)]
    return put_back(concat(segments, axis=-1) if len(segments) > 1 else segments[0], place)


def _without_line(x: Any) -> Any:
    count = x.shape[-1]
    centered = x - reductions.mean(x, axis=-1, keepdims=True)
    places = numpy.arange(count) - (count - 1) / 2
    length = float((places * places).sum())
    if not length:
        return centered
    times = fitting(places, x)
    slope = (centered * times).sum(axis=-1, keepdims=True) / length
    return centered - slope * times
