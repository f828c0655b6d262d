"""A profile of what ran inside a `with` block, on every device.

>>> import numpy as np, jitframe as jf
>>> @jf.jit
... def shifted(x):
...     return x * 2 + 1
>>> x = np.ones(100_000, np.float32)
>>> with jf.profile() as p:
...     _ = shifted(x)
>>> [(each.name, each.count, each.operations, each.nbytes) for each in p.kernels]
[('add', 1, 200000, 800000)]
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from typing import Any

from ..base.boundary import guarded
from ..base.locks import new_reentrant_lock
from ..errors import JitframeError
from ..ir.record import mutable
from ..runtime import profiler_hook
from ..runtime.device import named
from ..runtime.discovery import measured
from ..tracing.forgetting import forget_variants
from .report import table, trace
from .watching import Launch, Span, Watcher

_lock = new_reentrant_lock()


class KernelStatistics(metaclass=mutable):
    """All launches of one name on one device."""

    name: str
    kind: str
    """"kernel", "library", "copy" or "program" (source or a binary)."""
    device: str
    count: int
    seconds: float
    """On the device."""
    operations: int | None
    """On floats, of all launches; None where that is not known (programs that others wrote)."""
    nbytes: int | None
    """Bytes that had to move, each buffer at most once each way; None where that is not known."""
    exact: bool
    """Whether these are exact: loop bounds and branches that are computed on the device are estimated."""
    peak_bandwidth: float | None = None
    """The device's measured bytes a second; None where it was not measured (`backend.measure()`)."""
    peak_arithmetic: float | None = None
    """Its measured operations a second, in float32."""

    @property
    def bandwidth(self) -> float | None:
        """Bytes a second."""
        return None if self.nbytes is None or not self.seconds else self.nbytes / self.seconds

    @property
    def arithmetic(self) -> float | None:
        """Operations a second."""
        return None if self.operations is None or not self.seconds else self.operations / self.seconds

    @property
    def peak_share(self) -> float | None:
        """The share of the device's measured peak that is reached: of its bandwidth or its arithmetic rate,
        whichever is nearer; None where they were not measured."""
        shares = [
            reached / peak
            for reached, peak in (
                (self.bandwidth, self.peak_bandwidth),
                (self.arithmetic, self.peak_arithmetic),
            )
            if reached is not None and peak
        ]
        return max(shares, default=None)


class Profile:
    """What ran between its beginning and its end; made by `jf.profile`."""

    def __init__(self) -> None:
        self._watcher = Watcher()
        self.begin = self.end = 0.0
        """Seconds of `time.perf_counter`."""
        self._is_done = False

    def __enter__(self) -> Profile:
        if self._is_done or self.begin:
            raise JitframeError("a profile is taken once; make another one with jf.profile()")
        with _lock:
            if profiler_hook.active is not None:
                raise JitframeError("a profile is being taken already; end it first")
            profiler_hook.active = self._watcher
        forget_variants()  # calls that the native entry answers bypass watchers
        self.begin = time.perf_counter()
        return self

    def __exit__(self, *error: Any) -> None:
        profiler_hook.active = None
        self.end = time.perf_counter()
        self._watcher.settle()
        self._is_done = True

    def __repr__(self) -> str:
        if not self._is_done:
            return "<profile, not ended>"
        return f"<profile of {len(self.launches)} launches, {1e3 * (self.end - self.begin):.1f} ms>"

    def __str__(self) -> str:
        return self.table() if self._is_done else repr(self)

    @property
    def launches(self) -> Sequence[Launch]:
        """Every launch, product and copy, in the order in which they were asked for."""
        return tuple(self._watcher.launches)

    @property
    def spans(self) -> Sequence[Span]:
        """What the host did: plans, compilations, waiting."""
        return tuple(self._watcher.spans)

    @property
    def compilations(self) -> list[KernelStatistics]:
        """What first launches waited for before they ran, by device and name, the longest first: drivers that
        compile only then. It is no part of `kernels`. Raises JitframeError before the end of the block.
        """
        self._check()
        found: dict[tuple[str, str], KernelStatistics] = {}
        for launch in self._watcher.launches:
            if launch.compile_seconds:
                row = found.setdefault(
                    (launch.device, launch.name),
                    KernelStatistics(launch.name, "compilation", launch.device, 0, 0.0, None, None, True),
                )
                row.count += 1
                row.seconds += launch.compile_seconds
        return sorted(found.values(), key=lambda row: -row.seconds)

    @property
    def kernels(self) -> list[KernelStatistics]:
        """Launches by device and name, the longest first. Raises JitframeError before the end of the
        block."""
        self._check()
        found: dict[tuple[str, str, str], KernelStatistics] = {}
        for launch in self._watcher.launches:
            key = launch.device, launch.kind, launch.name
            row = found.get(key)
            if row is None:
                peaks = _peaks(launch.device)
                row = found[key] = KernelStatistics(
                    launch.name, launch.kind, launch.device, 0, 0.0, 0, 0, True, *peaks
                )
            row.count += 1
            row.seconds += launch.seconds
            if launch.work is None or row.operations is None or row.nbytes is None:
                row.operations = row.nbytes = None
                continue
            operations, nbytes, exact = launch.work()
            row.operations += operations
            row.nbytes += nbytes
            row.exact &= exact
        return sorted(found.values(), key=lambda row: -row.seconds)

    def table(self) -> str:
        """The kernels as a table for the terminal: times, rates, and the share of the device's peak.

        Raises JitframeError before the end of the block.
        """
        return table(self.kernels, self.end - self.begin, self.compilations)

    def trace(self) -> dict[str, Any]:
        """The profile in the Trace Event Format of Chrome and Perfetto (ui.perfetto.dev opens it): a process
        for the host with its threads, and one for each device.

        Raises JitframeError before the end of the block.
        """
        self._check()
        return trace(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `trace()` to a JSON file. Raises OSError where that fails."""
        text = json.dumps(self.trace(), separators=(",", ":"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _check(self) -> None:
        if not self._is_done:
            raise JitframeError("the profile has not ended: ask for it after its `with` block")


@guarded
def profile() -> Profile:
    """Watches all that runs on all devices inside a `with` block, of all threads.

    Times are the device's own where it has events (the host's around each launch on the CPU), operations
    and bytes are counted in the kernels. Watched plans run step by step, and jitted functions pass their
    native entry by: the calls themselves take longer, the kernels do not. Nothing is watched, and nothing is
    paid, outside such a block.

    Raises JitframeError inside another profile.

    >>> with jf.profile() as taken:
    ...     _ = (jf.ones(1000) + 1).numpy()
    >>> len(taken.launches)
    1
    """
    return Profile()


def _peaks(device: str) -> tuple[float | None, float | None]:
    known = measured.known(named(device).facts)
    return (None, None) if known is None else (known.bandwidth, known.arithmetic.get("float32"))
