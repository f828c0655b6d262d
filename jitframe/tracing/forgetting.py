"""Clearing all jitted functions at once: their programs, or the variants that answer their calls natively."""

from __future__ import annotations

from ..base.background import wait_for_all
from ..base.boundary import guarded
from ..cache.service import kernel_cache
from ..compilation import evaluate
from ..runtime.cpu.entry.callables import entry_clear
from ..runtime.cpu.kernels.compiled_kernels import forget
from ..runtime.handling import forget_kernels
from .jit import every
from .programs.program import NO_VARIANTS, VARIANTS_PER_PROGRAM


@guarded
def clear() -> None:
    """Forgets the programs of all jitted functions, plans, and kernels in memory; those on disk stay.

    Devices drop theirs too. The next calls trace again and find their kernels on disk. Arrays stay valid, and
    so do functions.

    >>> doubled = jf.jit(lambda x: x * 2)
    >>> doubled(np.ones(2))
    array([2., 2.])
    >>> jf.clear()
    >>> doubled.stats()["signatures"]
    0
    """

    wait_for_all()
    for each in every():
        each.clear()
    evaluate.forget()
    forget()
    forget_kernels()
    kernel_cache().memory.clear()


def forget_variants() -> None:
    """Clears the native entries: the next calls run in Python."""
    for each in every():
        with each._lock:
            if each.entry is not None:
                entry_clear(each.entry)
            for programs in tuple(each.programs.values()):
                for program in programs:
                    if program.variants_left != NO_VARIANTS:
                        program.variants_left = VARIANTS_PER_PROGRAM
