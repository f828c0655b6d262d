"""Library functions that plans may call: their operands, options and sizes.

A function is declared here; `jitframe.runtime.libraries` maps it to each device's implementation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...ir.expr import const
from ...ir.ops.fourier import KINDS
from ...ir.types import F32, F64
from .library_function import LibraryFunction as LibraryFunction
from .linear_algebra import LINEAR_ALGEBRA, declared
from .nodes import BufferRef, LibraryCall


def _gemm_formula(call: LibraryCall, place: Callable[[BufferRef], str]) -> str:
    a, b = (
        place(ref) + (".T" if transposed else "")
        for ref, transposed in zip(call.operands, call.options, strict=True)
    )
    return f"{place(call.results[0])} = {a} @ {b}"


def _gemm_elements(sizes: tuple[int, ...]) -> tuple[int, ...]:
    m, n, k = sizes[:3]
    return m * k, k * n, m * n


GEMM = LibraryFunction(
    # c[m, n] = op(a)[m, k] @ op(b)[k, n], row-major, leading dimensions in elements.
    "gemm",
    library="BLAS",
    title="a matrix product",
    operands=("a", "b"),
    results=("c",),
    options=("transpose_a", "transpose_b"),
    sizes=("m", "n", "k", "lda", "ldb", "ldc"),
    dtypes=(F32, F64),
    formula=_gemm_formula,
    shape=lambda sizes: f"{sizes[0]} x {sizes[2]} x {sizes[1]}",
    flops=lambda sizes: 2 * sizes[0] * sizes[1] * sizes[2],
    elements=_gemm_elements,
)

_FLOPS_OF_A_TRANSFORMED_ELEMENT = 50
"""Of a row of some thousand elements: 5 log2 n."""


def _fourier_flops(columns: bool, count: Any, points: Any, *rest: Any) -> Any:
    return count * points * (rest[0] if columns else 1) * _FLOPS_OF_A_TRANSFORMED_ELEMENT


# By NumPy's pocketfft on the processor, for every device, where no kernels are written for them.
FOURIER: tuple[LibraryFunction, ...] = tuple(
    declared(kind.op, partial(_fourier_flops, kind.columns), lambda *_: {}, library="FFT", calls=kind.calls)
    for kind in KINDS
)


FUNCTIONS: dict[str, LibraryFunction] = {
    function.name: function for function in (GEMM, *LINEAR_ALGEBRA, *FOURIER)
}


def problem_of(call: LibraryCall) -> str:
    """Returns the violation of a call's declaration; empty where there is none."""
    function = FUNCTIONS.get(call.function)
    if function is None:
        return f"no library function is called {call.function}"
    if call.dtype not in function.dtypes:
        return f"no {function.name} of {call.dtype.name}"
    for what in ("operands", "results", "options", "sizes"):
        wanted, given = getattr(function, what), getattr(call, what)
        if len(given) != len(wanted):
            return f"{function.name} takes {len(wanted)} {what} ({', '.join(wanted)}), not {len(given)}"
    for axis in call.batch:
        if len(axis.strides) != len(call.operands) + len(call.results):
            return f"a batch axis of {function.name} has {len(axis.strides)} strides"
    written = {ref.buffer for ref in (*call.results, *call.workspace)}
    if not written.isdisjoint(ref.buffer for ref in call.operands):
        return f"a {function.name} writes what it reads"
    return ""


def workspace_words(call: LibraryCall) -> dict[str, int]:
    """Returns the workspace of one bound call, in words of 8 bytes."""
    workspace = FUNCTIONS[call.function].workspace
    if workspace is None:
        return {}
    found = {name: words.value for name, words in workspace(tuple(map(const, call.sizes))).items()}
    assert None not in found.values(), found
    return found  # type: ignore[return-value]


def touched_elements(call: LibraryCall) -> int:
    """Returns the elements of memory that a bound call reads and writes, those that a batch reuses counted
    once."""
    total = 0
    for place, count in enumerate(FUNCTIONS[call.function].elements(call.sizes)):
        for axis in call.batch:
            count *= axis.count if axis.strides[place] else 1
        total += count
    return total


def flops(call: LibraryCall) -> int:
    """Returns the operations of a bound call, its batch included."""
    count: int = FUNCTIONS[call.function].flops(call.sizes)
    for axis in call.batch:
        count *= axis.count
    return count
