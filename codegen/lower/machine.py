"""`Machine`: what lowering knows of the device that kernels are written for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.record import record, replace
from ..kernel import REDUCTION_LANES

if TYPE_CHECKING:
    from ...ir.passes.stages import Limits

TEAM = REDUCTION_LANES
"""Lanes that reduce together: one for each accumulator of a reduction."""
MOST_LANES = 256
"""Larger workgroups leave the compiler too few registers for each lane of a product."""
MANY_WRITERS = 4096
"""Enough that what they write hardly delays those that look on, and few enough to run side by side."""
SCRATCH_ELEMENTS = 4096
"""Positions of rows whose costly values stay in scratch: their results may then go past the caches, which
memory that is written twice cannot."""
LEAST_BUFFERS = 4
"""What a select over three arrays takes."""


class Machine(metaclass=record):
    """The default is a processor: long tiles, products by a library, any number of buffers."""

    tile: int = 16384
    """Elements of a workgroup's part of a map, about."""
    library_products: bool = True
    """Matrix products of floats are library steps; else kernels."""
    wide_products: bool = False
    """Registers are so wide and many that kernels of large products of floats are as fast as a library."""
    is_host: bool = True
    """It is the processor that the program runs on: libraries are called where values lie."""
    most_buffers: int | None = None
    """Buffers of one kernel; None: any number."""
    lanes: int = 1
    """Lanes of a workgroup that kernels with shared memory are written for; 1: no such kernels."""
    shared_bytes: int = 0
    """Shared memory of a workgroup."""
    fma: bool = False
    """Products use fused multiply-add, which rounds once."""
    shuffles: bool = False
    """The lanes of a team exchange values without memory."""
    streams: bool = True
    """Stores may go past the caches."""
    wide_faults: bool = True
    """Positions out of bounds are noted with 64 bits; else with 32, which every device has atomics of."""
    lanes_hold_loops: bool = True
    """Lanes loops are spread over lanes whatever is in them; else only those without loops inside."""
    atomics: frozenset[str] = frozenset(("i32", "u32"))
    """Dtypes whose elements are combined in one step of the memory, where that pays."""
    table_atomics: frozenset[str] = frozenset(("i32", "u32", "i64", "u64"))
    """Dtypes that workgroups add in tables of their own first, and then in one step of the memory."""
    writers: int = 1
    """Lanes among which places are dealt out that are written in order; 1: one lane is as fast as many, as
    in software on a processor."""
    scan_loops: bool = True
    """There are scan loops; else scans are spelled out."""
    tiles: bool = True
    """A workgroup's tiles come one after another, and what it writes for itself stays in its cache."""
    rules: tuple[Callable[[Any], Any], ...] = ()
    """Schedules of others: each is given a `GroupWriter` and gives the `Schedule` that writes its kernel, or
    None. The first that gives one is taken in place of jitframe's own."""

    @property
    def limits(self) -> Limits:
        """What passes over the graph have to know."""
        from ...ir.passes.stages import Limits  # a device is looked at before anything is lowered

        alone = self.lanes == 1
        small = self.library_products and alone
        return Limits(
            self.most_buffers, self.library_products, small, kernel_products=True,
            packed_products=alone and self.lanes_hold_loops, large_products=self.wide_products,
            one_row_at_a_time=alone, tiles=self.tiles,
            scratch_elements=SCRATCH_ELEMENTS if alone and self.streams else 0,
        )  # fmt: skip


PROCESSOR = Machine()


def processor_for(most_buffers: int, library_products: bool, fma: bool = False) -> Machine:
    """The machine that a device with vector registers in a few threads is, whose own compiler fills them.

    It makes vectors of loops without loops inside, and knows no scans. Raises as `machine_for`.
    """
    _check_buffers(most_buffers)
    return replace(
        PROCESSOR,
        library_products=library_products,
        is_host=False,
        most_buffers=most_buffers,
        fma=fma,
        table_atomics=PROCESSOR.atomics,
        streams=False,
        wide_faults=False,
        lanes_hold_loops=False,
        scan_loops=False,
        tiles=False,
    )


def _check_buffers(most: int) -> None:
    if most < LEAST_BUFFERS:
        raise ValueError(f"kernels of {most} buffers cannot hold every operation: {LEAST_BUFFERS} are needed")


def machine_for(
    most_threads: int,
    shared_bytes: int,
    most_buffers: int,
    library_products: bool,
    fma: bool = False,
    subgroup_lanes: int = 0,
    atomics: frozenset[str] = PROCESSOR.atomics,
    writers: int = MANY_WRITERS,
) -> Machine:
    """The machine that a device with these limits is.

    `fma` and `subgroup_lanes` are those of its language (see `Dialect`): whether there is a multiply-add that
    rounds once, and how many consecutive lanes are sure to exchange values by shuffles. `atomics` and
    `writers` are those of the machine.
    A device that cannot run a team of lanes side by side, or has too little shared memory for one, runs
    kernels of one lane. Raises ValueError where a kernel may have fewer than LEAST_BUFFERS buffers.
    """
    _check_buffers(most_buffers)
    lanes = 1
    if most_threads >= TEAM and shared_bytes >= 8192:
        lanes = TEAM
        while lanes * 2 <= min(most_threads, MOST_LANES):
            lanes *= 2
    return Machine(
        tile=2048 if lanes > 1 else PROCESSOR.tile,
        library_products=library_products,
        is_host=False,
        most_buffers=most_buffers,
        lanes=lanes,
        shared_bytes=shared_bytes,
        fma=fma,
        shuffles=subgroup_lanes >= TEAM,
        atomics=atomics,
        writers=writers,
        streams=False,
        wide_faults=False,
        scan_loops=False,
        tiles=False,
    )
