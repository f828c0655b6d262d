"""Attention, which never stores its scores, and a cache of keys and values for decoding."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...base.arguments import count, shown
from ...errors import ArgumentError, BoundsError, DTypeError, KindError, ShapeError
from ...functions import attention as nodes
from ...functions.operands import broadcasts, shape_text
from ...ir.types import BOOL
from ..calls import call
from ..creation.ranges import arange
from ..elementwise import arithmetic
from ..frame import LazyValue
from ..movement import as_lazy, broadcast_to, reshape
from ..registry import public
from .operands import finished, in_dtype, integers, real

_where = arithmetic.where


@public(
    "product", name="nn.scaled_dot_product_attention",
    sample=lambda s: (s.array(2, 3, 4), s.array(2, 3, 4), s.array(2, 3, 4)),
)  # fmt: skip
def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, *, mask: Any = None, bias: Any = None, scale: float | None = None,
    causal: bool = False, window: int | None = None, offset: Any = None, out: Any = None,
) -> Any:  # fmt: skip
    """`softmax(query @ key.T * scale + bias) @ value`, for each head, without the scores in memory.

    `query`: [..., heads, queries, depth]; `key`: [..., key heads, keys, depth]; `value`: [..., key heads,
    keys, width], where the key heads divide the heads (grouped queries): neighbouring heads share them.
    Without axes in front there is one head. Shape: [..., heads, queries, width]. Dtype: the one that all
    three have; halves are computed in float32.

    `mask`: bools, where a query sees a key; `bias`: floats that are added to scores. Both broadcast to
    [..., heads, queries, keys], and stay as small as they are. `causal`: a query sees no later keys; query
    `t` has the position `offset + t`, where `offset` is an integer, or an array of one; by default the last
    query has the position of the last key. `window`: how many keys it sees then, itself included. `scale`:
    by default 1 / sqrt(depth). A query that sees no key has zeros.

    Raises ShapeError and DTypeError where operands do not fit, with all of them.

    By an online softmax over blocks of keys (Milakov, Gimelshein 2018; Dao and others 2022).

    >>> x = jf.asarray([[1.0, 0.0], [0.0, 1.0]])
    >>> jf.nn.scaled_dot_product_attention(x, x, x, causal=True).numpy().round(3)
    array([[1.  , 0.  ],
           [0.33, 0.67]])
    """
    q, keys, values = _operands(query, key, value)
    heads = q.shape[-3] if q.ndim > 2 else 1
    key_heads = keys.shape[-3] if q.ndim > 2 else 1
    batch = math.prod(q.shape[:-3])
    queries, depth = q.shape[-2:]
    number, width = values.shape[-2:]
    shared = heads // key_heads if key_heads else 1
    first, reach = _window(causal, window, offset, number - queries)
    scaled = 1 / math.sqrt(max(depth, 1)) if scale is None else scale
    if numpy.ndim(scaled):
        raise KindError(f"scaled_dot_product_attention: scale is {shown(as_lazy(scaled))}, not one number")
    scores = (*q.shape[:-1], number)
    seen = _seen(mask, bias, q, scores)
    operands = [
        reshape(q, (batch, key_heads, shared, queries, depth)),
        reshape(keys, (batch, key_heads, number, depth)),
        reshape(values, (batch, key_heads, number, width)),
        scaled,
        first,
    ]
    if seen is not None:
        operands.append(_in_heads(seen, scores, (batch, key_heads, shared, queries, number)))

    def attend(graph: Any, *given: Any) -> Any:
        q, keys, values, scale, *rest = given
        start = rest.pop(0) if first is not None else None
        return nodes.attention(graph, q, keys, values, scale, start, reach, *rest)

    made = call(attend, [operand for operand in operands if operand is not None])
    return finished(reshape(made, (*q.shape[:-1], width)), q, out)


def _operands(query: Any, key: Any, value: Any) -> tuple[Any, Any, Any]:
    names = ("query", "key", "value")
    given = [
        real("scaled_dot_product_attention", each, name)
        for each, name in zip((query, key, value), names, strict=True)
    ]
    q, keys, values = given
    said = ", ".join(f"{name} is {shown(each)}" for name, each in zip(names, given, strict=True))
    if len({each._dtype for each in given}) > 1:
        raise DTypeError(
            f"scaled_dot_product_attention: {said}; they have one dtype: cast them with .astype()"
        )
    fits = q.ndim == keys.ndim == values.ndim >= 2
    fits = fits and q.shape[:-3] == keys.shape[:-3] == values.shape[:-3] and keys.shape[-1] == q.shape[-1]
    fits = fits and keys.shape[:-1] == values.shape[:-1]
    if fits and q.ndim > 2 and q.shape[-3] != keys.shape[-3]:
        fits = keys.shape[-3] != 0 and q.shape[-3] % keys.shape[-3] == 0
    if not fits:
        raise ShapeError(
            f"scaled_dot_product_attention: {said}; they take [..., heads, queries, depth], [..., key heads, "
            "keys, depth] and [..., key heads, keys, width], where the key heads divide the heads"
        )
    return q, keys, values


def _window(causal: bool, window: Any, offset: Any, usual: int) -> tuple[Any, int | None]:
    """The position of the first query (None: all keys are seen), and the width of the window."""
    if not causal:
        if window is not None or offset is not None:
            name = "window" if window is not None else "offset"
            raise ArgumentError(f"scaled_dot_product_attention: {name}= goes with causal=True")
        return None, None
    width = None
    if window is not None:
        width = count(window, "scaled_dot_product_attention: window", nodes.ALL)
    if offset is None:
        return usual, width
    if isinstance(offset, LazyValue):
        if offset.ndim:
            raise ShapeError(
                f"scaled_dot_product_attention: offset is {shown(offset)}, and takes one integer"
            )
        return integers("scaled_dot_product_attention", offset, "offset"), width
    return count(offset, "scaled_dot_product_attention: offset", nodes.ALL), width


def _seen(mask: Any, bias: Any, q: Any, scores: tuple[int, ...]) -> Any:
    """Returns the bias of scores, or the mask of scores; None: neither, everywhere."""
    found = None
    for given, name in ((mask, "mask"), (bias, "bias")):
        if given is None:
            continue
        array = as_lazy(given)
        if (array._dtype is BOOL) != (name == "mask") or not (array._dtype is BOOL or array._dtype.is_float):
            takes = "bools, floats are a bias" if name == "mask" else "floats, bools are a mask"
            raise DTypeError(f"scaled_dot_product_attention: {name} is {shown(array)}, and it takes {takes}")
        if not broadcasts(array.shape, scores):
            raise ShapeError(
                f"scaled_dot_product_attention: {name} is {shown(array)}, and does not broadcast to the "
                f"scores, {shape_text(scores)}"
            )
        if name == "mask":
            found = array
        else:
            array = in_dtype(array, q._dtype)
            found = array if found is None else _where(found, array, -math.inf)
    return found


def _in_heads(seen: Any, scores: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """A mask of the scores as one of heads of keys and what shares them: broadcast as it was, never in
    memory.
    """
    batch, key_heads, shared, queries, number = shape
    whole = reshape(seen, (*(1,) * (len(scores) - seen.ndim), *seen.shape))
    outer = whole.shape[:-3]
    if any(extent > 1 for extent in outer):
        whole = broadcast_to(whole, (*scores[:-3], *whole.shape[-3:]))
        outer = (batch,)
    heads = whole.shape[-3] if whole.ndim > 2 else 1
    split = (key_heads, shared) if heads != 1 else (1, 1)
    apart = reshape(whole, (math.prod(outer), *split, *whole.shape[-2:]))
    return broadcast_to(apart, (batch, key_heads, shared, queries, number))


@public(
    "movement", name="nn.write_to_cache", sample=lambda s: (s.array(3, 2), s.array(1, 2), 1)
)  # fmt: skip
def write_to_cache(cache: Any, rows: Any, offset: Any) -> Any:
    """Writes keys or values of new tokens to a cache that has room for more, and gives the cache.

    `cache`: [..., capacity, depth], an array of jitframe or an argument of a jitted function, which is
    written in place; an ndarray elsewhere, too. `rows`: [..., tokens, depth], of the same dtype, for the
    tokens from position `offset` on: an integer, or an array of one, so that the next token traces and
    compiles nothing. The cache is attended to whole, with `scaled_dot_product_attention(..., causal=True,
    offset=offset)`, which reads what is written alone. Raises ShapeError where rows do not fit, IndexError
    for tokens beyond the capacity.

    >>> cache = jf.zeros((3, 1))
    >>> jf.nn.write_to_cache(cache, [[5.0]], 1).tolist()
    [[0.0], [5.0], [0.0]]
    """
    target = cache if isinstance(cache, (LazyValue, numpy.ndarray)) else as_lazy(cache)
    new = as_lazy(rows)
    shape = tuple(target.shape)
    fits = len(shape) == new.ndim >= 2 and new.shape == (*shape[:-2], new.shape[-2], shape[-1])
    if not fits:
        raise ShapeError(
            f"write_to_cache: rows is {shown(new)}, and cache {shown(target)}: they take "
            "[..., tokens, depth] and [..., capacity, depth]"
        )
    tokens = new.shape[-2]
    if isinstance(offset, LazyValue):
        first = integers("write_to_cache", offset, "offset")
        at: Any = arange(tokens, device=first._frame.device.name) + first
    else:
        start = count(offset, "write_to_cache: offset")
        if start + tokens > shape[-2]:
            raise BoundsError(
                f"write_to_cache: {tokens} tokens from position {start} on go beyond the {shape[-2]} "
                f"of cache, {shown(target)}"
            )
        at = slice(start, start + tokens)
    target[..., at, :] = new if isinstance(target, LazyValue) else new.numpy()
    return target
