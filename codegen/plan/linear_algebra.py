"""The functions of linear algebra that plans may call: LAPACK's, as NumPy calls them, on stacks of matrices.

Operands and results are contiguous, with the core axes of the op's signature; a call's sizes are its letters.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ...ir import ops
from ...ir.expr import ONE
from ...ir.node import Op
from ...ir.types import F32, F64
from .library_function import LibraryFunction, Workspace
from .nodes import BufferRef, LibraryCall


def _shapes(op: Op) -> Callable[[tuple[Any, ...]], tuple[tuple[Any, ...], ...]]:
    """The core shape of each operand and then result of one call, from the letters' sizes."""
    cores = op.library

    def shapes(sizes: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
        extents = dict(zip(cores.letters, sizes, strict=True))
        return tuple(tuple(extents[letter] for letter in core) for core in (*cores.operands, *cores.results))

    return shapes


def _elements(op: Op) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """How many elements each operand and then result of one call has."""
    shapes = _shapes(op)
    return lambda sizes: tuple(prod(shape) for shape in shapes(sizes))


def _formula(op: Op) -> Callable[[LibraryCall, Callable[[BufferRef], str]], str]:
    def formula(call: LibraryCall, place: Callable[[BufferRef], str]) -> str:
        results, operands = (", ".join(map(place, refs)) for refs in (call.results, call.operands))
        return f"{results} = {op.name}({operands})"

    return formula


def _declared(
    op: Op, flops: Callable[..., Any], workspace: Callable[..., Workspace], title: str = ""
) -> LibraryFunction:
    """`flops` and `workspace` take the sizes, one argument for each letter; the workspace has a word more,
    in which LAPACK says what happened."""
    cores = op.library
    return LibraryFunction(
        op.name,
        library="LAPACK",
        title=f"a {title or op.title or op.name}",
        operands=tuple(f"operand {number}" for number in range(len(cores.operands))),
        results=tuple(f"result {number}" for number in range(len(cores.results))),
        options=(),
        sizes=tuple(cores.letters),
        dtypes=(F32, F64),
        formula=_formula(op),
        shape=lambda sizes: " x ".join(map(str, sizes)),
        flops=lambda sizes: flops(*sizes),
        elements=_elements(op),
        workspace=lambda sizes: {"info": ONE, **workspace(*sizes)},
        shapes=_shapes(op),
        reference=cores.reference,
        on_host=True,
    )


LINEAR_ALGEBRA = (
    _declared(
        ops.solve,
        lambda n, m: n * n * n * 2 // 3 + n * n * m * 2,
        lambda n, m: {"a": n * n, "x": n * m, "pivots": n},
    ),
    _declared(ops.lu, lambda n: n * n * n * 2 // 3, lambda n: {"a": n * n, "pivots": n}),
)
