"""Rotary position embeddings: pairs of elements, turned by angles that grow with the position (Su and others
2021)."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.promotion import from_numpy
from ...base.arguments import count, shown
from ...errors import ArgumentError, ShapeError
from ..creation.constructors import asarray
from ..creation.ranges import arange
from ..frame import LazyValue
from ..indexing.reading import take
from ..movement import concat, reshape, stack
from ..registry import public
from .operands import finished, integers, real, widened


@public("creation", name="nn.rotary_tables", sample=lambda s: (3, 2))
def rotary_tables(
    positions: int, width: int, *, base: float = 10000.0, dtype: Any = "float32", device: Any = None
) -> tuple[Any, Any]:
    """The cosines and sines of `rotary`: of position `p` and pair `i` those of `p * base**(-2 * i / width)`.

    `width`: of a head, even. Two arrays [positions, width / 2], computed in float64 on the host. Raises
    ArgumentError for an odd width.

    >>> cosines, sines = jf.nn.rotary_tables(2, 4)
    >>> sines.numpy().round(2)
    array([[0.  , 0.  ],
           [0.84, 0.01]], dtype=float32)
    """
    length, whole = count(positions, "rotary_tables: positions"), count(width, "rotary_tables: width")
    if whole % 2:
        raise ArgumentError(f"rotary_tables: width must be even, and {whole} was given")
    angles = numpy.arange(length)[:, None] * base ** (-2 * numpy.arange(whole // 2) / max(whole, 1))
    wanted = from_numpy(dtype).numpy_name
    tables = (function(angles).astype(wanted) for function in (numpy.cos, numpy.sin))
    cosines, sines = (asarray(table, device=device) for table in tables)
    return cosines, sines


@public("elementwise", name="nn.rotary", sample=lambda s: (s.array(3, 2), s.array(3, 1), s.array(3, 1)))
def rotary(
    x: Any, cosines: Any, sines: Any, *, offset: Any = 0, positions: Any = None, interleaved: bool = False,
    out: Any = None,
) -> Any:  # fmt: skip
    """`x` with pairs of its last axis turned by the angles of their positions.

    `x`: [..., tokens, width]; `cosines`, `sines`: [most positions, width / 2], of `rotary_tables`. Token
    `t` has the position `offset + t`, where `offset` (an integer, or an array of one) is how many tokens
    are in a cache before these; or, with `positions`, integers [tokens], each its own. The pairs are
    element `i` of both halves, or, `interleaved`, neighbours. Shape and dtype: those of `x`. Raises
    ShapeError where tables do not fit, ArgumentError or IndexError for positions beyond the tables.

    >>> cosines, sines = jf.nn.rotary_tables(8, 2, base=1.0)
    >>> jf.nn.rotary([[1.0, 0.0]], cosines, sines, offset=1).numpy().round(2)
    array([[0.54, 0.84]])
    """
    array, tables = real("rotary", x), [real("rotary", each, "a table") for each in (cosines, sines)]
    wide = widened(array)
    half, rest = divmod(array.shape[-1], 2) if array.ndim >= 2 else (0, 1)
    if rest or any(table.ndim != 2 or table.shape != (tables[0].shape[0], half) for table in tables):
        raise ShapeError(
            f"rotary: x is {shown(array)}, with tables {shown(tables[0])} and {shown(tables[1])}: they take "
            "[..., tokens, width] and [positions, width / 2]"
        )
    cosines, sines = (_rows(table, array.shape[-2], offset, positions) for table in tables)
    cosines, sines = (widened(each) for each in (cosines, sines))
    if interleaved:
        pairs = reshape(wide, (*array.shape[:-1], half, 2))
        first, second = pairs[..., 0], pairs[..., 1]
        rotated = stack([first * cosines - second * sines, second * cosines + first * sines], axis=-1)
        return finished(reshape(rotated, array.shape), array, out)
    first, second = wide[..., :half], wide[..., half:]
    rotated = concat([first * cosines - second * sines, second * cosines + first * sines], axis=-1)
    return finished(rotated, array, out)


def _rows(table: Any, tokens: int, offset: Any, positions: Any) -> Any:
    if positions is not None:
        at = integers("rotary", positions, "positions")
        if tuple(at.shape) != (tokens,):
            raise ShapeError(f"rotary: positions is {shown(at)}, and x has {tokens} tokens")
        return take(table, at, axis=0)
    if isinstance(offset, LazyValue):
        return take(
            table,
            arange(tokens, device=offset._frame.device.name) + integers("rotary", offset, "offset"),
            axis=0,
        )
    start = count(offset, "rotary: offset")
    if start + tokens > table.shape[0]:
        raise ArgumentError(
            f"rotary: {tokens} tokens from position {start} on go beyond the {table.shape[0]} of the tables"
        )
    return table[start : start + tokens]
