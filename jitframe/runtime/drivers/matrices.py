"""Scripts of linear algebra (`codegen.plan.scripts`) on a device: moves and failure checks are kernels,
routines are those of its library.

A step runs for its whole stack at once: each move is one launch, each routine a call for each matrix.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any

from ...codegen.kernel.builder import KernelBuilder
from ...codegen.kernel.nodes import Kernel, Value
from ...codegen.plan.bind import scalar_bits
from ...codegen.plan.libraries import FUNCTIONS
from ...codegen.plan.nodes import LibraryCall
from ...codegen.plan.scripts import LOWER, UPPER, Script
from ...ir.record import record
from ...ir.types import I32, U32, DType
from ..executor import View

TILE = 2048
"""Elements of a workgroup."""
ALIGNMENT = 256
_KEPT = {0: 0, UPPER: -1, LOWER: 1}
"""Times how far an element is below the diagonal: not negative where a triangle keeps it."""
_WORD = (1 << 64) - 1


class Stacked(metaclass=record):
    """The numbers of each call of a step: the first one's address, and the stride in bytes."""

    view: View
    apart: int

    def address(self, call: int) -> int:
        memory, offset = self.view
        found: int = memory.address + offset + call * self.apart
        return found


class DeviceScript(Script):
    """The calls of one step; its workspace exists within `with`."""

    def __init__(
        self, driver: Any, step: LibraryCall, operands: Sequence[View], results: Sequence[View]
    ) -> None:
        """`results`: the last one is the word of faults."""
        super().__init__(step)
        *made, self._fault = results
        self.driver, self.dtype = driver, step.dtype
        self.count = math.prod([axis.count for axis in step.batch])
        self.element_bytes = self.part_bytes * (1 + self.is_complex)
        elements = FUNCTIONS[step.function].elements(step.sizes)
        places = [
            Stacked(view, count * self.part_bytes)
            for view, count in zip((*operands, *made), elements, strict=True)
        ]
        self.operands, self.results = places[: len(operands)], places[len(operands) :]
        self.work: dict[str, Stacked] = {}
        self._taken: list[Any] = []
        self._scratch: dict[int, int] = {}
        """Addresses by size."""

    def __enter__(self) -> DeviceScript:
        begins, total = {}, 0
        for name, words in self.rooms.items():
            begins[name] = total
            total += -(-8 * words * self.count // ALIGNMENT) * ALIGNMENT
        memory = self._take(total)
        self.work = {name: Stacked((memory, begin), 8 * self.rooms[name]) for name, begin in begins.items()}
        return self

    def __exit__(self, *_: object) -> None:
        while self._taken:
            self.driver.free(self._taken.pop())

    def scratch(self, nbytes: int) -> int:
        """Returns the address of memory for one routine, which the next one may reuse: they run in order."""
        if nbytes not in self._scratch:
            self._scratch[nbytes] = self._take(nbytes).address
        return self._scratch[nbytes]

    def _take(self, nbytes: int) -> Any:
        self._taken.append(self.driver.allocate(max(nbytes, 1)))
        return self._taken[-1]

    # The interface of scripts -------------------------------------------------------------------------
    def move(
        self,
        source: Stacked,
        target: Stacked,
        rows: int,
        columns: int,
        apart: tuple[int, int],
        there: tuple[int, int],
        triangle: int = 0,
    ) -> None:
        parts, kept = 1 + self.is_complex, _KEPT[triangle]
        if there[1] < there[0]:  # what is written lies side by side
            rows, columns, kept = columns, rows, -kept
            apart, there = (apart[1], apart[0]), (there[1], there[0])
        matrices = source.apart // self.part_bytes, target.apart // self.part_bytes
        strides = [parts * stride for stride in (*apart, *there)]
        total = self.count * rows * columns * parts
        values = total, parts, rows, columns, *matrices, *strides, kept
        launch(self.driver, moving(self.dtype), (source.view, target.view), values, total)

    def routine(self, name: str, *arguments: Stacked | int | str) -> None:
        given = (*arguments, self.work["info"])
        for call in range(self.count):
            spelled = [each.address(call) if isinstance(each, Stacked) else each for each in given]
            self.call(name, *spelled)

    @abstractmethod
    def call(self, name: str, *arguments: int | str) -> None:
        """Calls a routine with addresses, the last one that of its status."""

    def check(self) -> None:
        info = self.work["info"]
        launch(self.driver, noting(), (info.view, self._fault), (self.count, info.apart // 4), self.count)

    def parity(self, pivots: Stacked, target: Stacked, count: int) -> None:
        values = self.count, count, pivots.apart // 4, target.apart // self.part_bytes
        launch(self.driver, counting(self.dtype), (pivots.view, target.view), values, self.count)

    def to_float(self, integer: Stacked, target: Stacked) -> None:
        raise NotImplementedError("ranks stay on the processor, as least squares do")


def launch(driver: Any, kernel: Kernel, buffers: Sequence[View], values: Sequence[int], total: int) -> None:
    """Launches a kernel of this module over so many elements."""
    packed = b"".join((value & _WORD).to_bytes(8, "little") for value in values)
    driver.launch(driver.compile(kernel), buffers, packed, -(-total // TILE))


def scale(driver: Any, view: View, dtype: DType, factor: float, total: int) -> None:
    """Scales contiguous elements."""
    launch(driver, scaling(dtype), (view,), (total, scalar_bits(factor, dtype)), total)


# Kernels -----------------------------------------------------------------------------------------------
def tile(build: KernelBuilder, total: Value) -> tuple[Value, Value]:
    """Returns the range of positions of a workgroup."""
    first = build.group_id() * TILE
    return first, build.minimum(first + TILE, total)


@cache
def moving(dtype: DType) -> Kernel:
    """Copies matrices of a stack from one layout to another."""
    build = KernelBuilder(f"move_matrices_{dtype.name}")
    source, target = build.buffer(dtype, "in"), build.buffer(dtype, "inout")
    total, parts, rows, columns = (build.index() for _ in range(4))
    from_matrix, to_matrix = build.index(), build.index()
    from_row, from_column, to_row, to_column, kept = (build.index() for _ in range(5))
    with build.loop(*tile(build, total), kind="lanes") as (i,):
        rest, part = divmod(i, parts)
        rest, row = divmod(rest, rows)
        matrix, column = divmod(rest, columns)
        value = build.load(source, matrix * from_matrix + row * from_row + column * from_column + part)
        inside = (row - column) * kept >= 0
        there = matrix * to_matrix + row * to_row + column * to_column + part
        build.store(target, there, build.select(inside, value, 0))
    return build.finish()


@cache
def noting() -> Kernel:
    """Records the failures of routines in a word, which is 0 where there is none."""
    build = KernelBuilder("note_failures")
    said, word = build.buffer(U32, "in"), build.buffer(U32, "inout")
    total, apart = build.index(), build.index()
    with build.loop(*tile(build, total), kind="lanes") as (i,):
        build.atomic("max", word, build.constant(0), build.load(said, i * apart))
    return build.finish()


@cache
def counting(dtype: DType) -> Kernel:
    """Computes 1 or -1 for the row exchanges of each matrix: an unmoved row has its own number, from 1 on."""
    build = KernelBuilder(f"count_exchanges_{dtype.name}")
    pivots, signs = build.buffer(I32, "in"), build.buffer(dtype, "inout")
    total, extent, apart, there = (build.index() for _ in range(4))
    one, other = build.constant(1, dtype), build.constant(-1, dtype)
    with build.loop(*tile(build, total), kind="lanes") as (i,):

        def step(row: Value, sign: Value) -> list[Value]:
            stays = build.cast(build.load(pivots, i * apart + row), row.dtype).equals(row + 1)
            return [sign * build.select(stays, one, other)]

        (sign,) = build.carry(0, extent, [one], step)
        build.store(signs, i * there, sign)
    return build.finish()


@cache
def scaling(dtype: DType) -> Kernel:
    build = KernelBuilder(f"scale_{dtype.name}")
    values, total, factor = build.buffer(dtype, "inout"), build.index(), build.scalar(dtype)
    with build.loop(*tile(build, total), kind="lanes") as (i,):
        build.store(values, i, build.load(values, i) * factor)
    return build.finish()
