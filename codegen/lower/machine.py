"""What lowering knows of the device that kernels are written for."""

from __future__ import annotations

from ...ir.record import record


@record
class Machine:
    """The default is a processor: long tiles, products by a library, any number of buffers."""

    tile: int = 16384
    """Elements of a workgroup's part, about."""
    library_products: bool = True
    """Matrix products are library steps; else kernels."""
    most_buffers: int | None = None
    """Buffers of one kernel; None: any number."""
    lanes: int = 1
    """Lanes of a workgroup that kernels with shared memory are written for; 1: no such kernels."""
    shared_bytes: int = 0
    """Shared memory of a workgroup."""


PROCESSOR = Machine()
