"""`Machine`: the properties of a device that lowering uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.record import record, replace
from ..kernel import REDUCTION_LANES

if TYPE_CHECKING:
    from ...ir.passes.stages import Limits

TEAM = REDUCTION_LANES
"""Lanes that reduce together: one for each accumulator of a reduction."""
SHORT_ROW = 16
"""The most elements of a row that one lane reduces alone, a power of two."""
MOST_LANES = 256
"""Larger workgroups leave the compiler too few registers for each lane of a product."""
MANY_WRITERS = 4096
"""Enough that their writes hardly delay the readers, and few enough to run concurrently."""
SCRATCH_ELEMENTS = 4096
"""Positions of rows whose costly values stay in scratch memory: their results may then be streamed, which
memory that is written twice cannot."""
LEAST_BUFFERS = 4
"""The buffers of a select over three arrays."""


class Machine(metaclass=record):
    """The default is a processor: long tiles, products by a library, any number of buffers."""

    tile: int = 16384
    """The approximate number of elements of a workgroup's tile of a map."""
    library_products: bool = True
    """Whether matrix products of floats are library steps; else kernels."""
    fast_products: bool = False
    """Whether kernels of large float products are as fast as a library: they fill the registers."""
    vector_registers: int = 32
    """A product has two of them for each row of its sums."""
    vectors_fill_lines: bool = False
    """Whether a vector is a line of the cache, which is then read once however lines displace each other."""
    append_bits: int = 0
    """Bits of the vectors that loops append chosen elements from; 0: these are taken one at a time."""
    exact_appends: bool = False
    """Whether vectors are appended as fast where nothing is written behind the chosen elements."""
    is_host: bool = True
    """Whether it is the processor that the program runs on: libraries are called in place."""
    most_buffers: int | None = None
    """Buffers of one kernel; None: any number."""
    lanes: int = 1
    """Lanes of a workgroup for kernels with shared memory; 1: no such kernels."""
    shared_bytes: int = 0
    """Shared memory of a workgroup."""
    fast_shared: bool = True
    """Whether that is faster than other memory, barriers included; not on software devices."""
    fma: bool = False
    """Whether products use fused multiply-add, which rounds once."""
    shuffles: bool = False
    """Whether the lanes of a team exchange values without memory."""
    streams: bool = True
    """Whether there are streaming stores."""
    wide_faults: bool = True
    """Whether positions out of bounds are recorded in 64 bits; else in 32, for which every device has
    atomics."""
    lanes_hold_loops: bool = True
    """Whether all lanes loops are spread over lanes; else only those without inner loops."""
    atomics: frozenset[str] = frozenset(("i32", "u32"))
    """Dtypes with atomics that pay."""
    table_atomics: frozenset[str] = frozenset(("i32", "u32", "i64", "u64"))
    """Dtypes that workgroups add in tables of their own first, and then by atomics."""
    writers: int = 1
    """Lanes among which the places of ordered writes are divided; 1: one lane is as fast as many, as on
    software devices."""
    most_iterations: int | None = None
    """Iterations that the loops of a lane may make in one kernel, all together; None: any number."""
    scan_loops: bool = True
    """Whether there are scan loops; else scans are written as other loops."""
    tiles: bool = True
    """Whether a workgroup's tiles run one after another, so that its scratch memory stays in the cache."""
    rules: tuple[Callable[[Any], Any], ...] = ()
    """External schedules: each is given a `GroupWriter` and returns the `Schedule` that writes its kernel, or
    None. The first one that returns a schedule replaces jitframe's own."""

    @property
    def limits(self) -> Limits:
        """The limits for graph passes."""
        from ...ir.passes.stages import Limits  # a device is examined before anything is lowered

        alone = self.lanes == 1
        small = self.library_products and alone
        return Limits(
            self.most_buffers, self.library_products, small, lane_products=not alone, kernel_products=True,
            packed_products=alone and self.lanes_hold_loops, large_products=self.fast_products,
            one_row_at_a_time=alone, tiles=self.tiles,
            scratch_elements=SCRATCH_ELEMENTS if alone and self.streams else 0,
        )  # fmt: skip


PROCESSOR = Machine()


def processor_for(most_buffers: int, library_products: bool, fma: bool = False) -> Machine:
    """Returns the machine of a device that has vector registers in a few threads, whose own compiler
    vectorizes loops without inner loops, and has no scans.

    Raises like `machine_for`.
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
    most_iterations: int | None = None,
    fast_shared: bool = True,
) -> Machine:
    """Returns the machine of a device with these limits.

    `fma` and `subgroup_lanes` are those of its language (see `Dialect`): whether there is a multiply-add that
    rounds once, and how many consecutive lanes certainly exchange values by shuffles. `atomics`, `writers`,
    `most_iterations` and `fast_shared` are those of the machine. A device that cannot run a team of lanes, or
    has too little shared memory for one, runs kernels of one lane. Raises ValueError where a kernel may have
    fewer than LEAST_BUFFERS buffers.
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
        fast_shared=fast_shared,
        fma=fma,
        shuffles=subgroup_lanes >= TEAM,
        atomics=atomics,
        writers=writers,
        most_iterations=most_iterations,
        streams=False,
        wide_faults=False,
        scan_loops=False,
        tiles=False,
    )
