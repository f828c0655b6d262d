"""Kernels that measure a device, through the protocol of all drivers.

Every probe starts small and grows until it takes long enough to be timed, or its time is over, so that slow
and busy devices are measured in seconds too. Times are the host's, around synchronous work; the best of
several runs counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from ..codegen.kernel.builder import KernelBuilder
from ..codegen.kernel.nodes import Kernel, Value
from ..codegen.plan.bind import scalar_bits
from ..ir.record import mutable
from ..ir.types import F32, F64, I32, INDEX, DType
from ..runtime.driver import DeviceFacts, Driver

_TIMED_S = 0.005
"""A run of this duration is timed precisely."""
_ENOUGH_S = 0.1
"""A run of this duration is not repeated."""
_GROWTH = 4
_RUNS = 4
_MOST_BYTES = 1 << 28
_CHAINS = 8
"""Independent multiply-adds of one lane: enough to occupy two units of four cycles."""
_LINE_BYTES = 64
_FEW_TURNS = 60_000
_CHASED = 1 << 14
"""Loads of a chase before it grows: each run continues where no other has been."""
_MOST_ROUNDS = 1 << 30
"""The most that indices of 32 bits count."""


class Budget:
    """Limits the time of measurements."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    @property
    def left_s(self) -> float:
        return max(self._end - time.perf_counter(), 0.0)

    def share(self, parts: int) -> Budget:
        """Returns the share of one of so many equal parts in the remaining time."""
        return Budget(self.left_s / parts)

    def best(self, run: Callable[[], float], runs: int, first: float) -> float:
        """Returns the shortest of several runs: the first one's given time, and as many more as there is time
        for."""
        found = first
        for _ in range(runs):
            if first >= _ENOUGH_S or self.left_s < first:
                break
            found = min(found, run())
        return found


class _Probe(metaclass=mutable):
    """A kernel and its memory."""

    driver: Driver
    handle: Any
    memory: list[Any]
    ran: bool = False

    def run(self, groups: int, *values: int) -> float:
        """Returns the seconds of one launch; the first launch, in which drivers finish compiling, is not
        timed."""
        views = [(memory, 0) for memory in self.memory]
        packed = b"".join((value & (1 << 64) - 1).to_bytes(8, "little") for value in values)
        if not self.ran:
            self.driver.launch(self.handle, views, packed, 1)
            self.ran = True
        self.driver.synchronize()
        start = time.perf_counter()
        self.driver.launch(self.handle, views, packed, groups)
        self.driver.synchronize()
        return time.perf_counter() - start

    def free(self) -> None:
        for memory in self.memory:
            self.driver.free(memory)


def _probe(driver: Driver, kernel: Kernel, *contents: int | numpy.ndarray) -> _Probe:
    """Makes a probe with memory for each of its buffers: so many zeros, or the contents of an array."""
    memory: list[Any] = []
    probe = _Probe(driver, None, memory)
    try:
        for each in contents:
            memory.append(driver.allocate(each if isinstance(each, int) else each.nbytes))
        probe.handle = driver.compile(kernel)
        for expected, each in zip(memory, contents, strict=True):
            if isinstance(each, int):
                _clear(driver, expected, each)
            else:
                driver.upload((expected, 0), each.view(numpy.uint8).data)
    except BaseException:
        probe.free()
        raise
    return probe


def _clear(driver: Driver, memory: Any, nbytes: int) -> None:
    zeros = memoryview(bytes(min(nbytes, 1 << 22)))
    for start in range(0, nbytes, len(zeros) or 1):
        driver.upload((memory, start), zeros[: nbytes - start])


# Bandwidth -------------------------------------------------------------------------------------------
def bandwidth(driver: Driver, budget: Budget) -> float:
    """Measures bytes per second of y = a * x + b over arrays that no cache holds, where the device has the
    memory."""
    tile = 16384 if driver.facts.execution == "simd" else 2048
    kernel, sizes = _scaled(tile), list(_sizes(driver.facts))
    for number, nbytes in enumerate(sizes):
        probe = _probe(driver, kernel, nbytes, nbytes)
        try:
            extent = nbytes // 4
            arguments = -(-extent // tile), extent, scalar_bits(0.5, F32), scalar_bits(1.0, F32)
            seconds = budget.best(lambda: probe.run(*arguments), 2, probe.run(*arguments))  # noqa: B023
            grown = seconds * sizes[number + 1] / nbytes if number + 1 < len(sizes) else math.inf
            # A longer one has its own memory to fill, which takes about as long.
            if seconds >= _ENOUGH_S or 3 * grown > budget.left_s:
                found = 2 * nbytes / budget.best(lambda: probe.run(*arguments), _RUNS, seconds)  # noqa: B023
                break
        finally:
            probe.free()
    driver.trim()
    return found


def _sizes(facts: DeviceFacts) -> Iterator[int]:
    """Returns sizes of an array in bytes: the last two are four times the largest cache, where there is
    memory for that."""
    cached = max((cache.nbytes for cache in facts.caches), default=0)
    most = min(max(2 * cached, 1 << 26), _MOST_BYTES, facts.largest_buffer)
    if facts.memory_bytes:
        most = min(most, facts.memory_bytes // 8)
    nbytes = 1 << 14
    while nbytes < most:
        yield nbytes
        nbytes *= 16
    yield most // 4 * 4


def _scaled(tile: int) -> Kernel:
    """Writes the kernel y[i] = a * x[i] + b, with `tile` elements for each workgroup."""
    build = KernelBuilder("probe_bandwidth")
    x, y, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    a, b = build.scalar(F32), build.scalar(F32)
    first = build.mul(build.group_id(), build.constant(tile))
    end = build.emit("minimum", (build.add(first, build.constant(tile)), extent))
    with build.loop(first, end, kind="lanes") as (i,):
        build.store(y, i, build.add(build.mul(build.load(x, i), a), b))
    return build.finish()


# Arithmetic ------------------------------------------------------------------------------------------
def arithmetic(driver: Driver, budget: Budget) -> dict[str, float]:
    """Measures operations per second by dtype."""
    dtypes = [dtype for dtype in (F32, F64) if dtype.name in driver.facts.dtypes]
    elements = 1 << min(driver.facts.most_threads, 256).bit_length() - 1
    # Some compilers make vectors of a loop, some of the lanes of a workgroup.
    cases = [(dtype, lanes) for dtype in dtypes for lanes in {1, elements}]
    found = {dtype.numpy_name: 0.0 for dtype in dtypes}
    for number, (dtype, lanes) in enumerate(cases):
        rate = _arithmetic(driver, dtype, elements, lanes, budget.share(len(cases) - number))
        found[dtype.numpy_name] = max(found[dtype.numpy_name], rate)
    return found


def _arithmetic(driver: Driver, dtype: DType, elements: int, lanes: int, budget: Budget) -> float:
    most_groups = 1 << 14
    most_rounds = 64 if _ends_loops(driver) else 4096
    kernel = _chains(dtype, elements, driver.facts.fma, lanes)
    probe = _probe(driver, kernel, most_groups * elements * dtype.itemsize)
    try:

        def run() -> float:
            scalars = scalar_bits(0.999, dtype), scalar_bits(0.001, dtype)
            return probe.run(groups, rounds, *scalars)

        # A few groups fill the device's units at once; more rounds come first, as they take no memory.
        rounds, groups = 1, 1
        seconds = run()
        while seconds < _TIMED_S and (rounds < most_rounds or groups < most_groups):
            if rounds < most_rounds:
                rounds = min(rounds * _GROWTH, most_rounds)
            else:
                groups = min(groups * _GROWTH, most_groups)
            seconds = run()
        wide = max(groups, min(8 * driver.facts.units, most_groups))
        if wide > groups:
            groups = wide
            seconds = run()
        seconds = budget.best(run, _RUNS, seconds)
        return 2.0 * _CHAINS * rounds * elements * groups / seconds
    finally:
        probe.free()


def _chains(dtype: DType, elements: int, fma: bool, workgroup: int) -> Kernel:
    """Writes a kernel that computes c = c * a + b `_CHAINS` times for every element, in `rounds` rounds; by
    as many lanes, or by one."""
    build = KernelBuilder("probe_arithmetic")
    y, rounds = build.buffer(dtype, "out"), build.index()
    a, b = build.scalar(dtype), build.scalar(dtype)
    first = build.mul(build.group_id(), build.constant(elements))

    def step(_: Value, *chains: Value) -> list[Value]:
        if fma:
            return [build.emit("fma", (chain, a, b)) for chain in chains]
        return [build.add(build.mul(chain, a), b) for chain in chains]

    def element(place: Value) -> None:
        seed = build.cast(build.cast(place, I32), dtype)
        starts = [build.add(seed, build.constant(float(number), dtype)) for number in range(_CHAINS)]
        total, *rest = build.carry(build.constant(0), rounds, starts, step)
        for value in rest:
            total = build.add(total, value)
        build.store(y, build.add(first, place), total)

    if workgroup > 1:
        element(build.lane_id())
        return build.finish(workgroup)
    with build.loop(build.constant(0), build.constant(elements), kind="lanes") as (i,):
        element(i)
    return build.finish()


# One launch, one unit --------------------------------------------------------------------------------
def launch_seconds(driver: Driver, budget: Budget) -> float:
    """Measures the seconds from the request to the completion of the smallest launch."""
    probe = _probe(driver, _scaled(16), 64, 64)

    def run() -> float:
        return probe.run(1, 16, 0, 0)

    try:
        return budget.best(run, 20, run())
    finally:
        probe.free()


def _ends_loops(driver: Driver) -> bool:
    """Whether the device ends loops of a lane with more than _FEW_TURNS iterations."""
    return getattr(driver, "ends_loops", False)


def levels(driver: Driver, budget: Budget) -> list[tuple[str, int, float, float]]:
    """Measures name, working set, latency and bandwidth of one unit, for each cache and the memory.

    A working set takes half of its cache, which leaves space for other data.
    """
    facts = driver.facts
    sets = [(f"L{cache.level}", cache.nbytes // 2) for cache in facts.caches]
    largest = max((cache.nbytes for cache in facts.caches), default=0)
    sets.append(("memory", max(4 * largest, 1 << 25)))
    room = min(facts.largest_buffer, facts.memory_bytes // 8 or _MOST_BYTES, _MOST_BYTES)
    if _ends_loops(driver):
        room = min(room, _FEW_TURNS // 2 * _LINE_BYTES)
    found = []
    for number, (name, wanted) in enumerate(sets):
        nbytes, probes = max(min(wanted, room) // 256 * 256, 256), 2 * (len(sets) - number)
        latency = _latency(driver, nbytes, budget.share(probes))
        found.append((name, nbytes, latency, _unit_bandwidth(driver, nbytes, budget.share(probes - 1))))
    driver.trim()
    return found


def _latency(driver: Driver, nbytes: int, budget: Budget) -> float:
    """Measures the seconds of a load whose address depends on the load before: a cycle through all lines, in
    random order."""
    stride, count = _LINE_BYTES // 4, max(nbytes // _LINE_BYTES, 2)
    order = numpy.random.default_rng(0).permutation(count).astype(numpy.int32)
    table = numpy.zeros(count * stride, numpy.int32)
    table[order * stride] = numpy.roll(order, -1) * stride
    probe = _probe(driver, _chase(), table, 4)
    turn = 0

    def run(rounds: int) -> float:
        """Starts where the previous run ended, on lines that have left the cache if it is too small."""
        nonlocal turn
        seconds = probe.run(1, rounds, int(order[turn % count]) * stride)
        turn += rounds
        return seconds

    try:
        first = min(count, _CHASED)
        most = _FEW_TURNS // first if _ends_loops(driver) else 1 << 20
        return _per_round(run, most, first, budget)
    finally:
        probe.free()


def _chase() -> Kernel:
    build = KernelBuilder("probe_latency")
    table, out, rounds = build.buffer(I32, "in"), build.buffer(I32, "out"), build.index()
    start, zero = build.index(), build.constant(0)

    def step(_: Value, at: Value) -> list[Value]:
        return [build.cast(build.load(table, at), INDEX)]

    (last,) = build.carry(zero, rounds, [start], step)
    build.store(out, zero, build.cast(last, I32))
    return build.finish()


def _unit_bandwidth(driver: Driver, nbytes: int, budget: Budget) -> float:
    """Measures bytes per second that one workgroup reads and writes, over a working set of two arrays."""
    extent = max(nbytes // 8, 1)
    probe = _probe(driver, _repeated(), 4 * extent, 4 * extent)
    try:
        # One lane may have all the work.
        most = max(_FEW_TURNS // extent, 1) if _ends_loops(driver) else 1 << 20
        return 8 * extent / _per_round(lambda rounds: probe.run(1, extent, rounds), most, 1, budget)
    finally:
        probe.free()


def _repeated() -> Kernel:
    """Writes the kernel y = x + the round's number, for one workgroup and `rounds` rounds."""
    build = KernelBuilder("probe_unit_bandwidth")
    x, y, extent, rounds = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index(), build.index()
    zero = build.constant(0)
    with build.loop(zero, rounds) as (number,):
        added = build.cast(build.cast(number, I32), F32)
        with build.loop(zero, extent, kind="lanes") as (i,):
            build.store(y, i, build.add(build.load(x, i), added))
    return build.finish()


def _per_round(run: Callable[[int], float], most: int, first: int, budget: Budget) -> float:
    """Returns the seconds of one more round, without those of the launch itself."""
    rounds, seconds = first, run(first)
    while seconds < _TIMED_S and rounds < min(most * first, _MOST_ROUNDS):
        rounds = min(rounds * _GROWTH, most * first, _MOST_ROUNDS)
        seconds = run(rounds)
    if seconds >= _ENOUGH_S or rounds < 2:
        return seconds / rounds
    whole = budget.share(2).best(lambda: run(rounds), 2, seconds)
    half = budget.best(lambda: run(rounds // 2), 2, run(rounds // 2))
    taken = whole - half
    return taken / (rounds - rounds // 2) if taken > 0 else whole / rounds
