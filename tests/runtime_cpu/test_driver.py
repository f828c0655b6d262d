"""The CPU's driver: the contract of all drivers, at each SIMD level and number of threads, and its errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import ArgumentError, BackendError
from jitframe.runtime.cpu import driver as cpu
from jitframe.runtime.cpu.driver import CpuDriver
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.runtime.cpu.facts import caches
from jitframe.runtime.cpu.kernels.target import processor_level
from jitframe.runtime.cpu.machine_code.levels import LEVELS
from jitframe.runtime.cpu.native_library import tables
from jitframe.runtime.driver import Cache
from tests.c_family.kernels import workgroup_sum
from tests.plan.plans import AXPY
from tests.runtime_gpu.driver_contract import CONTRACT
from tests.runtime_gpu.products import check_products
from tests.runtime_gpu.subject import Law, Subject, float_bits, get, put, random_floats, run, slots

LEVEL = processor_level()
HERE = LEVELS[: LEVELS.index(LEVEL) + 1] if LEVEL in LEVELS else ()


def opened(**options: Any) -> CpuDriver:
    (facts,) = cpu.enumerate()
    return CpuDriver(facts, **options)


@pytest.fixture
def driver() -> CpuDriver:
    return opened()


@pytest.fixture(scope="module", params=[{}, {"threads": 1}, *({"simd": each} for each in HERE)], ids=str)
def subject(request: pytest.FixtureRequest) -> Subject:
    return Subject(opened(**request.param))


@pytest.mark.parametrize("law", CONTRACT, ids=lambda law: law.__name__)
def test_contract_with_memory_of_its_own(law: Law) -> None:
    law(Subject(cpu.open(0)))


@pytest.mark.parametrize("law", CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, subject: Subject) -> None:
    law(subject)


def test_products_by_the_library(driver: CpuDriver) -> None:
    check_products(driver)
    check_products(opened(threads=1))


def test_memory_begins_at_the_alignment_that_is_told(driver: CpuDriver) -> None:
    for nbytes in (0, 1, 63, 4097, 1 << 20):
        assert driver.allocate(nbytes).address % driver.facts.alignment == 0


# SIMD and threads ------------------------------------------------------------------------------------
@pytest.mark.skipif(not HERE, reason="this architecture has no levels")
def test_facts_are_those_of_the_level_and_threads() -> None:
    for level, vector_bytes in (("off", 16), ("sse2", 16), ("avx2", 32), ("avx512", 64)):
        if level in (*HERE, "off"):
            facts = opened(simd=level, threads=1).facts
            assert (facts.vector_bytes, facts.units, facts.fma) == (vector_bytes, 1, vector_bytes > 16)
            assert dict(facts.more)["threads"] == 1
    whole = opened().facts
    assert whole == cpu.enumerate()[0]
    assert opened(threads=1000).facts.units == whole.units, "there are no more than the settings allow"


@pytest.mark.skipif("avx2" not in HERE, reason="a processor without AVX2")
def test_kernels_are_compiled_for_the_level() -> None:
    kernel = parse_kernel(AXPY)
    assert "<4 x float>" in opened(simd="sse2").source(kernel)
    assert "<8 x float>" in opened(simd="avx2").source(kernel)
    assert opened(simd="sse2").compile(kernel).address != opened(simd="avx2").compile(kernel).address


@pytest.mark.parametrize("threads", [1, 2])
def test_a_launch_has_as_many_threads_as_were_given(threads: int) -> None:
    driver = opened(threads=threads)
    x = random_floats(1 << 16)
    there, out = put(driver, x), driver.allocate(x.nbytes)
    handle = driver.compile(parse_kernel(AXPY))
    before = runtime().statistics()
    for _ in range(5):
        driver.launch(handle, [(there, 0), (out, 0)], slots(x.size, 1024, float_bits(3), 0), 64)
    after = runtime().statistics()
    np.testing.assert_array_equal(get(driver, (out, 0), x), x * 3)
    shared = after["shared_launches"] - before["shared_launches"]
    assert shared == (0 if threads == 1 or runtime().threads == 1 else 5)


def test_switches_that_do_not_fit() -> None:
    with pytest.raises(ArgumentError, match=r"simd='neon'; it can be off, sse2, avx2, avx512"):
        opened(simd="neon")
    for threads in (0, -1, 1025):
        with pytest.raises(ArgumentError, match=f"threads={threads}: a launch has from 1 to 1024"):
            opened(threads=threads)


# Errors ----------------------------------------------------------------------------------------------
def test_memory_that_was_freed_is_not_touched(driver: CpuDriver) -> None:
    gone, there = put(driver, random_floats(100)), put(driver, random_floats(100))
    handle = driver.compile(parse_kernel(AXPY))
    driver.free(gone)
    live = driver.statistics().live
    driver.free(gone)
    assert driver.statistics().live == live
    for use in (
        lambda: driver.read((gone, 0), 4),
        lambda: driver.upload((gone, 0), memoryview(b"1234")),
        lambda: driver.download((gone, 0), memoryview(bytearray(4))),
        lambda: driver.copy((there, 0), (gone, 0), 4),
        lambda: driver.launch(handle, [(gone, 0), (there, 0)], slots(100, 100, 0, 0), 1),
    ):
        with pytest.raises(BackendError, match="memory of 400 bytes was freed and is used again"):
            use()


def test_ranges_stay_within_their_memory(driver: CpuDriver) -> None:
    there, other = put(driver, random_floats(25)), driver.allocate(1000)
    for offset, nbytes in ((0, 101), (100, 1), (97, 4), (-1, 4)):
        for use in (
            lambda offset=offset, nbytes=nbytes: driver.read((there, offset), nbytes),
            lambda offset=offset, nbytes=nbytes: driver.upload((there, offset), memoryview(bytes(nbytes))),
            lambda offset=offset, nbytes=nbytes: driver.copy((other, 0), (there, offset), nbytes),
            lambda offset=offset, nbytes=nbytes: driver.copy((there, offset), (other, 0), nbytes),
        ):
            with pytest.raises(BackendError) as caught:
                use()
            assert caught.value.message == (
                f"bytes {offset} to {offset + nbytes} of 100 bytes of memory: they are not all there"
            )


def test_a_launch_has_the_kernels_arguments(driver: CpuDriver) -> None:
    there = put(driver, random_floats(100))
    handle = driver.compile(parse_kernel(AXPY))
    for buffers, values in (([(there, 0)], slots(1, 1, 0, 0)), ([(there, 0)] * 2, slots(1, 1, 0))):
        with pytest.raises(BackendError) as caught:
            driver.launch(handle, buffers, values, 1)
        assert caught.value.message == (
            f"kernel axpy takes 2 buffers and 4 values, not {len(buffers)} and {len(values) // 8}"
        )
    driver.launch(handle, [], b"", 0)


def test_kernels_with_barriers_by_several_threads(driver: CpuDriver) -> None:
    """Shared memory is each workgroup's own."""
    for extent in (64, 6401):
        groups = -(-extent // 64)
        arrays = [random_floats(extent), np.zeros(groups, np.float32)]
        run(Subject(driver), workgroup_sum(), arrays, slots(extent), groups, skipped=3)


def test_encoded_launches_are_bounded(driver: CpuDriver) -> None:
    x = random_floats(3000)
    there, out = put(driver, x), put(driver, np.zeros_like(x))
    handle = driver.compile(parse_kernel(AXPY))
    for groups in range(1, 600):
        driver.launch(handle, [(there, 0), (out, 0)], slots(groups, 1, float_bits(1), 0), groups)
    assert len(driver._programs) <= 256
    np.testing.assert_array_equal(get(driver, (out, 0), x)[:599], x[:599])


# Facts -----------------------------------------------------------------------------------------------
def test_caches_are_read_from_the_system(tmp_path: Path) -> None:
    rows = [
        ("Data", "1", "48K", "64", "0"),
        ("Instruction", "1", "32K", "64", "0"),
        ("Unified", "3", "104M", "64", "0-1,4,6-7"),
        ("Unified", "2", "2048K", "64", "0,4"),
        ("Unified", "4", "", "64", "0"),
    ]
    for number, row in enumerate(rows):
        folder = tmp_path / "cpu0" / "cache" / f"index{number}"
        folder.mkdir(parents=True)
        names = ("type", "level", "size", "coherency_line_size", "shared_cpu_list")
        for name, text in zip(names, row, strict=True):
            (folder / name).write_text(text + "\n")
    assert caches(tmp_path) == (
        Cache(1, 48 << 10, 64, 1), Cache(2, 2 << 20, 64, 2), Cache(3, 104 << 20, 64, 5),
    )  # fmt: skip
    assert caches(tmp_path / "none") == ()


@pytest.mark.parametrize(
    ("told", "mebibytes"), [("106496K", 16), ("24576K", 12), ("4096K", 8), ("", 8), (None, 8)]
)
def test_what_streams_follows_from_the_last_cache(
    told: str | None, mebibytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = tmp_path / "size"
    if told is not None:
        size.write_text(told + "\n")
    monkeypatch.setattr(tables, "_LAST_CACHE", str(size))
    assert tables.stream_bytes() == mebibytes << 20
