"""Drawing from logits, and dropout: what needs a generator of `jf.random`, and what chooses the likeliest."""

from __future__ import annotations

import math
from typing import Any

from ...arrays.indexing import normalize_axis
from ...base.arguments import count, shown
from ...errors import ArgumentError, DTypeError
from ..elementwise import arithmetic, transcendental
from ..random.random_stream import Stream
from ..reductions import argmax, cumsum
from ..reductions import min as smallest
from ..registry import public
from ..sorting.sorts import sort
from .operands import finished, real, widened
from .softmax import softmax

_where = arithmetic.where
_log, _log1p = transcendental.UFUNCS["log"], transcendental.UFUNCS["log1p"]


def _generator(function: str, rng: Any) -> Any:
    if not isinstance(rng, Stream):
        raise DTypeError(
            f"{function}: rng is {shown(rng)}, and takes a generator, as of jf.random.default_rng(1)"
        )
    return rng


def _share(function: str, name: str, value: Any) -> float:
    if not 0 <= value <= 1:
        raise ArgumentError(f"{function}: {name} lies between 0 and 1, and {value!r} was given")
    return float(value)


@public("elementwise", name="nn.dropout", sample=lambda s: (s.x, 0.0))
def dropout(x: Any, p: float = 0.5, rng: Any = None, *, training: bool = True, out: Any = None) -> Any:
    """Zeros in the place of elements with the probability `p`; what is kept is divided by `1 - p`.

    `rng`: a generator of `jf.random`; it may be left out where nothing is drawn, for `p` of 0 or without
    `training`. Shape: that of `x`. Dtype: that of floats, else the device's usual float. Raises ArgumentError
    for a `p` beyond 0 and 1.

    >>> x = jf.nn.dropout(jf.ones(1000), 0.2, jf.random.default_rng(1))
    >>> np.unique(x.numpy())
    array([0.  , 1.25])
    """
    array, share = real("dropout", x), _share("dropout", "p", p)
    if not training or not share:
        return finished(array, array, out)
    draws = _generator("dropout", rng).random(tuple(array.shape), dtype="float32")
    kept = 0.0 if share == 1 else widened(array) / (1.0 - share)
    return finished(_where(draws >= share, kept, 0.0), array, out)


@public("movement", name="nn.keep_top_k", sample=lambda s: (s.x, 2))
def keep_top_k(logits: Any, k: int, *, axis: int = -1) -> Any:
    """Logits with -inf in the place of all that are smaller than the `k`-th largest along an axis.

    Shape and dtype: those of `logits`. Elements that equal the `k`-th largest are all kept. `k` is held to
    the extent. Raises ArgumentError for a `k` of 0.

    >>> jf.nn.keep_top_k([1.0, 9.0, 5.0], 2).numpy()
    array([-inf,   9.,   5.])
    """
    array = real("keep_top_k", logits, "logits")
    at = normalize_axis(axis, array.ndim)
    number = min(count(k, "keep_top_k: k"), array.shape[at])
    if not number:
        raise ArgumentError(f"keep_top_k: k={k!r} of logits, {shown(array)}, keeps nothing")
    least = sort(array, axis=at, descending=True)[(*(slice(None),) * at, slice(number - 1, number))]
    return _where(array >= least, array, -math.inf)


@public("movement", name="nn.keep_top_p", sample=lambda s: (s.x, 0.5))
def keep_top_p(logits: Any, p: float, *, axis: int = -1) -> Any:
    """Logits with -inf in the place of all but the likeliest, as few as have the probability `p` together
    (Holtzman and others 2019).

    Shape and dtype: those of `logits`. The likeliest is always kept, and so are those that equal the last one
    kept. Raises ArgumentError for a `p` beyond 0 and 1.

    >>> jf.nn.keep_top_p(np.log([0.5, 0.4, 0.1]), 0.6).numpy().round(1)
    array([-0.7, -0.9, -inf])
    """
    array, share = real("keep_top_p", logits, "logits"), _share("keep_top_p", "p", p)
    at = normalize_axis(axis, array.ndim)
    ordered = sort(array, axis=at, descending=True)
    shares = softmax(widened(ordered), axis=at)
    before = cumsum(shares, axis=at) - shares
    largest = ordered[(*(slice(None),) * at, slice(None, 1))]
    least = smallest(_where(before < share, ordered, largest), axis=at, keepdims=True)
    return _where(array >= least, array, -math.inf)


@public("reduction", name="nn.sample", sample=lambda s: (s.x, None, 0.0))
def sample(
    logits: Any,
    rng: Any = None,
    temperature: float = 1.0,
    *,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Any:
    """Positions on the last axis, drawn with the probabilities `softmax(logits / temperature)`.

    `logits`: [..., classes]; `rng`: a generator of `jf.random`. `temperature` 0 takes the likeliest, and
    draws nothing. `top_k` and `top_p` draw among the likeliest alone, see `keep_top_k` and `keep_top_p`.
    Shape: that of `logits` without the last axis. Dtype: that of `argmax`.

    The largest of logits with noise of Gumbel's distribution (Gumbel 1954): no probabilities are made.

    >>> int(jf.nn.sample([0.0, 5.0, 1.0], temperature=0.0))
    1
    >>> int(jf.nn.sample([0.0, 100.0, 1.0], jf.random.default_rng(1)))
    1
    """
    array = real("sample", logits, "logits")
    if not temperature >= 0:
        raise ArgumentError(f"sample: temperature must not be negative, and {temperature!r} was given")
    if temperature == 0:
        return argmax(array, axis=-1)
    wide = widened(array)
    if temperature != 1:
        wide = wide / temperature
    if top_k is not None:
        wide = keep_top_k(wide, top_k)
    if top_p is not None:
        wide = keep_top_p(wide, top_p)
    draws = _generator("sample", rng).random(tuple(array.shape), dtype="float32")
    # Draws are multiples of 2**-24, and may be 0: a quarter of one keeps the logarithms finite.
    noise = -_log(2.0**-26 - _log1p(-draws))
    return argmax(wide + noise, axis=-1)
