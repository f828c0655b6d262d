"""Transforms of columns as rows, by transposition: of few columns, of long ones, and of those of reals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....ir.expr import ONE, Expr, ceil_div, const, mul
from ..writing.writer import Memory as Placed
from ..written_kernel import WrittenKernel
from .columns import scratch_of

if TYPE_CHECKING:
    from . import Transform

HEIGHT, WIDTH = 64, 16
"""The blocks that are transposed: their rows and columns in the result."""


def transform_transposed(
    transforms: Sequence[Transform], write: Callable[[Sequence[Transform]], None]
) -> None:
    """Transforms columns; `write` transforms rows."""
    (transform,) = transforms
    assert transform.source is not None and transform.result is not None
    rows, columns, source, result = transform.rows, transform.columns, transform.source, transform.result
    count = mul(rows, columns)
    (points, parts), (made_points, made_parts) = transform.extents
    transform.source = scratch_of(transform, transform.dtype, mul(count, const(points * parts)))
    _transpose(transform, source, transform.source, (const(points), columns), parts)
    transform.result = scratch_of(transform, transform.dtype, mul(count, const(made_points * made_parts)))
    transform.rows, transform.columns = count, ONE
    write([transform])
    made, transform.rows = transform.result, rows
    _transpose(transform, made, result, (columns, const(made_points)), made_parts)


def _transpose(
    transform: Transform, source: Placed, target: Placed, extents: tuple[Expr, Expr], parts: int
) -> None:
    """Writes the transposes of so many matrices as the transform has rows; `parts`: adjacent elements that
    stay together."""
    kernel = WrittenKernel(transform.lowering, transform.scope, f"transpose_{parts}")
    build = kernel.build
    source_buffer, target_buffer = kernel.buffer(source, "in"), kernel.buffer(target, "out")
    down, across = map(kernel.index, extents)
    bands: Expr = ceil_div(extents[1], HEIGHT)
    matrix, band = divmod(build.group_id(), kernel.index(bands))
    start = matrix * (down * across) * parts
    first = band * HEIGHT
    last = build.minimum(first + HEIGHT, across)
    with build.loop(0, down, WIDTH) as (begin,):
        end = build.minimum(begin + WIDTH, down)
        with build.loop(first, last) as (column,), build.loop(begin, end, kind="lanes") as (row,):
            read, written = (start + place * parts for place in (row * across + column, column * down + row))
            values = [build.load(source_buffer, read + part) for part in range(parts)]
            for part, value in enumerate(values):
                build.store(target_buffer, written + part, value)
    size: Expr = mul(extents[0], extents[1])
    kernel.launch(mul(transform.rows, bands), mul(transform.rows, size))
