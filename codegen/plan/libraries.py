"""Functions of libraries that plans may call: what their operands, options and sizes are.

A function is declared here; `jitframe.runtime.libraries` has what each device calls for it.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ir.record import record
from ...ir.types import F32, F64, DType
from .nodes import BufferRef, LibraryCall


class LibraryFunction(metaclass=record):
    """One function. All operands and results are of the call's dtype."""

    name: str
    library: str
    """The library's field, for explanations."""
    title: str
    """What messages call it: "a matrix product"."""
    operands: tuple[str, ...]
    results: tuple[str, ...]
    options: tuple[str, ...]
    """Numbers that are structure: flags, kinds."""
    sizes: tuple[str, ...]
    dtypes: tuple[DType, ...]
    formula: Callable[[LibraryCall, Callable[[BufferRef], str]], str]
    """(call, text of a place in memory) -> how explanations write it."""
    shape: Callable[[tuple[int, ...]], str]
    """(sizes) -> how explanations write the size of one call."""
    flops: Callable[[tuple[int, ...]], int]
    """Of one call, from its sizes."""
    elements: Callable[[tuple[int, ...]], tuple[int, ...]]
    """How many elements of each operand and then result one call touches, from its sizes."""


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

FUNCTIONS: dict[str, LibraryFunction] = {function.name: function for function in (GEMM,)}


def problem_of(call: LibraryCall) -> str:
    """What is wrong with a call by its declaration; empty where nothing is."""
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


def touched_elements(call: LibraryCall) -> int:
    """Elements of memory that a bound call reads and writes, those that a batch uses again once."""
    total = 0
    for place, count in enumerate(FUNCTIONS[call.function].elements(call.sizes)):
        for axis in call.batch:
            count *= axis.count if axis.strides[place] else 1
        total += count
    return total


def flops(call: LibraryCall) -> int:
    """Of a bound call, its batch included."""
    count = FUNCTIONS[call.function].flops(call.sizes)
    for axis in call.batch:
        count *= axis.count
    return count
