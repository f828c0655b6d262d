"""Plans on disk, so that a process that finds its kernels there need not lower anything.

A plan is stored under a digest of its structure's text, of all other inputs of lowering, and of the versions
of the sources that make plans and kernels. It refers to its kernels by the digests of their keys. A process
that compiled one of its kernels writes it at exit, so that the compiling call does not wait; where no process
did, one that finds all of its kernels on disk writes it at once.
"""

from __future__ import annotations

import marshal
import sys
from collections import deque
from collections.abc import Hashable

from ..base.background import at_end
from ..cache.digest import digest
from ..cache.generator import sources_stamp
from ..cache.service import kernel_cache
from ..codegen.plan.nodes import Plan
from ..codegen.plan.stored import PackedError, packed, unpacked
from ..ir.expr import Expr
from ..ir.record import record
from ..ir.structure import structure_text
from ..runtime.cpu.kernels.compiled_kernels import known_code, target_text
from ..runtime.cpu.kernels.target import host_target

KEPT = 8
"""The most plans of one structure, which differ in their guards, the newest first."""


KEPT_AT_EXIT = 1000
"""The most plans, the latest ones, that a process writes at exit: some 0.2 s."""
_at_exit: deque[tuple[bytes, StoredPlan]] = deque(maxlen=KEPT_AT_EXIT)


class StoredPlan(metaclass=record):
    """A plan without its kernels' texts."""

    plan: Plan
    guards: tuple[tuple[Expr, bool], ...]
    kernels: tuple[tuple[str, bytes], ...]
    """The name of each kernel, and the digest of its key."""
    faults: tuple[tuple[int, int], ...]
    """See `lower.program.Program`."""

    def addresses(self) -> list[int] | None:
        """Returns the addresses of its kernels' code; None where the cache has lost one."""
        found: list[int] = []
        for name, key_digest in self.kernels:
            address = known_code(name, key_digest)
            if address is None:
                return None
            found.append(address)
        return found


def plan_key(structure: Hashable, *others: Hashable) -> bytes | None:
    """Returns the key of a structure's plans on this processor; `others`: all other inputs of lowering. None
    where plans are not stored."""
    if kernel_cache().disk is None or not sources_stamp():
        return None
    text = structure_text((structure, *others))
    if text is None:
        return None
    sources = f"{sources_stamp()} {sys.hexversion} {marshal.version}"
    parts = (text, sources, target_text(host_target()))
    return digest(*[part.encode() for part in parts])


def stored_plans(key: bytes) -> list[StoredPlan]:
    """The stored plans of a structure."""
    disk = kernel_cache().disk
    data = disk.get_plan(key) if disk is not None else None
    if data is None:
        return []
    try:
        # Marshalled data is plain values, checked against damage like the machine code next to it.
        return [StoredPlan(*unpacked(each)) for each in marshal.loads(data)]
    except (PackedError, ValueError, EOFError, TypeError):
        return []


def keep_plan(key: bytes, made: StoredPlan) -> None:
    """Stores a plan along with those for other guards."""
    disk = kernel_cache().disk
    if disk is not None:
        others = [stored_plan for stored_plan in stored_plans(key) if stored_plan.guards != made.guards]
        plans = [made, *others][:KEPT]
        rows = tuple([packed((plan.plan, plan.guards, plan.kernels, plan.faults)) for plan in plans])
        disk.put_plan(key, marshal.dumps(rows))


def keep_plan_at_exit(key: bytes, made: StoredPlan) -> None:
    """Calls `keep_plan` at exit, if the cache has the kernels then."""
    _at_exit.append((key, made))


def _keep_waiting() -> None:
    disk = kernel_cache().disk
    while _at_exit:
        key, stored_plan = _at_exit.popleft()
        if disk is not None and all(disk.has(key_digest) for _, key_digest in stored_plan.kernels):
            keep_plan(key, stored_plan)


at_end(_keep_waiting)
