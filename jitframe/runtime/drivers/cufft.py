"""Fourier transforms by cuFFT, through CuPy's bindings of it: those that no kernels are written for.

cuFFT scales nothing, and reads what a spectrum of reals has in imaginary parts that are 0: the operand of a
transform to reals is copied without them, as it may be overwritten too.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from ...codegen.kernel.builder import KernelBuilder
from ...codegen.kernel.nodes import Kernel
from ...codegen.plan.libraries import FUNCTIONS as DECLARED
from ...codegen.plan.nodes import LibraryCall
from ...ir.ops.fourier import GATHERED, KINDS
from ...ir.ops.linear_algebra import PARTS
from ...ir.types import DType
from ..executor import View
from .matrices import launch, scale, tile

_KINDS = {kind.op.name: kind for kind in KINDS}
FUNCTIONS = frozenset(_KINDS)
_MOST_PLANS = 8
"""Plans have memory of their own."""
_FORWARD, _INVERSE = -1, 1


class _Layout(NamedTuple):
    """What a plan is made for: its numbers are cuFFT's, in elements, real or complex ones."""

    stream: int
    points: int
    given: int
    made: int
    """Elements along the axis."""
    together: int
    """Transforms that lie side by side; 1 where they are rows."""
    batch: int
    type: str


class Plans:
    """The plans of one device, those used last."""

    def __init__(self, interface: Any) -> None:
        self._interface = interface
        self._known: OrderedDict[_Layout, Any] = OrderedDict()

    def run(self, library: Any, layout: _Layout, source: int, target: int, direction: int) -> None:
        """The transforms of one plan, on the stream that is used now."""
        with self._interface._stream:
            plan = self._known.pop(layout, None) or self._made(library, layout)
            self._known[layout] = plan
            if len(self._known) > _MOST_PLANS:
                self._interface.synchronize()  # it may be under way
                self._known.popitem(last=False)
            plan.fft(_at(source), _at(target), direction)

    def _made(self, library: Any, layout: _Layout) -> Any:
        rows = layout.together == 1
        apart = (1, layout.given, 1, layout.made) if rows else (layout.together, 1, layout.together, 1)
        in_stride, in_distance, out_stride, out_distance = apart
        return library.PlanNd(
            (layout.points,), (layout.given,), in_stride, in_distance, (layout.made,), out_stride,
            out_distance, getattr(library, f"CUFFT_{layout.type}"), layout.batch, "C", -1, layout.made,
        )  # fmt: skip


def _at(address: int) -> Any:
    """What a plan asks of an array."""
    return SimpleNamespace(data=SimpleNamespace(ptr=address))


def transform_by_cufft(
    driver: Any, step: LibraryCall, operands: Sequence[View], results: Sequence[View]
) -> None:
    function, kind = DECLARED[step.function], _KINDS[step.function]
    sizes = dict(zip(function.sizes, step.sizes, strict=True))
    letters = [core.replace(GATHERED, "").replace(PARTS, "")[0] for core in
               (*kind.calls.operands, *kind.calls.results)]  # fmt: skip
    given, made = (sizes[letter] for letter in letters)
    rows, together = sizes[GATHERED], sizes["k"] if kind.columns else 1
    to_reals = kind.parity is not None
    points = made if to_reals else given
    types = "Z2Z" if not (kind.of_reals or to_reals) else "D2Z" if kind.of_reals else "Z2D"
    if step.dtype.itemsize == 4:
        types = types.replace("Z", "C").replace("D", "R")
    by_rows = together == 1
    layout = _Layout(
        driver.interface.stream_address, points, given, made, together, rows if by_rows else together, types
    )
    element = step.dtype.itemsize
    apart = [
        extent * together * element * (1 if real else 2)
        for extent, real in ((given, kind.of_reals), (made, to_reals))
    ]
    library = driver.interface.library_of("cufft")
    taken = None
    try:
        if to_reals:
            total = rows * given * together * 2
            taken = driver.allocate(total * element)
            whole = 0 if points % 2 else given - 1
            values = total, given, together, whole
            launch(driver, clearing(step.dtype), (operands[0], (taken, 0)), values, total)
        source, target = _address((taken, 0) if to_reals else operands[0]), _address(results[0])
        for call in range(1 if by_rows else rows):
            direction = _INVERSE if kind.backward else _FORWARD
            there = source + call * apart[0], target + call * apart[1]
            driver.interface.plans.run(library, layout, *there, direction)
    finally:
        if taken is not None:
            driver.free(taken)
    factor = kind.scale(points)
    if factor != 1:
        scale(driver, results[0], step.dtype, factor, rows * made * together * (1 if to_reals else 2))


def _address(view: View) -> int:
    memory, offset = view
    found: int = memory.address + offset
    return found


@cache
def clearing(dtype: DType) -> Kernel:
    """Spectra of reals, without the imaginary parts of what is real in them: number 0 along the axis, and
    `whole`."""
    build = KernelBuilder(f"clear_imaginary_{dtype.name}")
    source, target = build.buffer(dtype, "in"), build.buffer(dtype, "inout")
    total, extent, together, whole = (build.index() for _ in range(4))
    with build.loop(*tile(build, total), kind="lanes") as (i,):
        element, part = divmod(i, 2)
        k = (element // together) % extent
        is_real = k.equals(0) | k.equals(whole)
        build.store(target, i, build.select(part.equals(1) & is_real, 0, build.load(source, i)))
    return build.finish()
