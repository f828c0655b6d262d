"""What the WebGPU driver must do beside the contract of all drivers: laws for any device that it drives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import BackendError
from tests.c_family.kernels import awkward, several_outputs
from tests.plan.plans import AXPY

from .subject import Law, Subject, as_bytes, float_bits, get, numbers, put, random_floats, run, slots

_BOTH = """\
kernel both, workgroup 1
  buffers @0: out f32, @1: out f32
  indices %0
  %1: index = constant 0
  %2: index = constant 1
  %3: f32 = constant 1.0
  for lanes %4 from %1 to %0 step %2:
    store @0[%4] = %3
    store @1[%4] = %3
"""


def one_memory_may_be_read_and_written(subject: Subject) -> None:
    """The API forbids one buffer in both uses: views of it are copied, wherever they begin."""
    driver: Any = subject.driver
    handle = driver.compile(parse_kernel(AXPY))
    for read, written in ((1024, 0), (0, 1024), (1028, 4), (4, 1028), (2052, 256)):
        x = random_floats(1000)
        wanted = x.copy()
        wanted[written // 4 :][:200] = x[read // 4 :][:200] * 3 + 1
        memory = put(driver, x)
        values = slots(200, 64, float_bits(3), float_bits(1))
        driver.launch(handle, [(memory, read), (memory, written)], values, 4)
        np.testing.assert_array_equal(get(driver, (memory, 0), x), wanted)
        driver.free(memory)


def one_memory_written_twice_is_an_error(subject: Subject) -> None:
    driver: Any = subject.driver
    x = random_floats(1000)
    memory, live = put(driver, x), driver.statistics().live
    with pytest.raises(BackendError) as caught:
        driver.launch(driver.compile(parse_kernel(_BOTH)), [(memory, 0), (memory, 2048)], slots(10), 1)
    assert driver.facts.title in caught.value.message and "jf_both" in caught.value.message
    assert caught.value.message.endswith("through two buffers, which this device forbids; give it a copy")
    np.testing.assert_array_equal(get(driver, (memory, 0), x), x)
    assert driver.statistics().live == live
    driver.free(memory)


def large_memory_is_bound_in_pieces(subject: Subject) -> None:
    driver: Any = subject.driver
    whole = driver._bindings.largest_bytes
    x = awkward(np.random.default_rng(4), 203)
    arrays = [x, *(np.zeros(203, dtype) for dtype in (np.float32, np.bool_, np.int32, np.uint8))]
    values = slots(50, 203, float_bits(1.5), 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver._bindings, "largest_bytes", 512)
        run(subject, several_outputs(), arrays, values, 5)  # 2 + 2 + 1 + 2 + 1
        run(subject, several_outputs(), arrays, values, 5, skipped=64)
    assert driver._bindings.largest_bytes == whole >= 1 << 27


def too_many_pieces_are_an_error(subject: Subject) -> None:
    driver: Any = subject.driver
    handle = driver.compile(parse_kernel(AXPY))
    x = random_floats(driver.facts.most_buffers * 64)
    here, there = put(driver, x), driver.allocate(x.nbytes)
    values = slots(x.size, x.size, float_bits(1), float_bits(0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver._bindings, "largest_bytes", 256)
        with pytest.raises(BackendError) as caught:
            driver.launch(handle, [(here, 0), (there, 0)], values, 1)
    name, most = f"{driver.facts.title} ({driver.facts.api})", driver.facts.most_buffers
    assert caught.value.message == (
        f"{name} binds {most} buffers of 256 bytes at most to a kernel, and jf_axpy needs {2 * most}: its "
        f"largest array has {x.nbytes:,} bytes; work on parts, or choose another device"
    )
    driver.free(here)
    driver.free(there)


def an_array_beyond_one_binding(subject: Subject) -> None:
    """The real thing: a few bytes more than are bound at once."""
    driver: Any = subject.driver
    size = driver._bindings.largest_bytes + 4000
    if size > driver.facts.largest_buffer:
        pytest.skip("one binding holds the largest buffer")
    memory = driver.allocate(size)
    edge = driver._bindings.largest_bytes - 4000
    part = random_floats(2000)
    driver.upload((memory, edge), as_bytes(part))
    there = driver.allocate(size)
    tile = 1 << 14
    values = slots(size // 4, tile, float_bits(2), float_bits(1))
    groups = -(-size // 4 // tile)
    driver.launch(driver.compile(parse_kernel(AXPY)), [(memory, 0), (there, 0)], values, groups)
    np.testing.assert_array_equal(get(driver, (there, edge), part), part * 2 + 1)
    driver.free(memory)
    driver.free(there)
    driver.trim()


def many_launches_keep_their_arguments(subject: Subject) -> None:
    """More than are submitted together, and more than one block of arguments holds."""
    driver: Any = subject.driver
    handle = driver.compile(parse_kernel(AXPY))
    x = np.zeros(10, np.float32)
    here, there = put(driver, x), put(driver, x)
    wanted = x
    for number in range(301):
        values = slots(10, 10, float_bits(0.5), float_bits(number))
        driver.launch(handle, [(here, 0), (there, 0)], values, 1)
        wanted = wanted * np.float32(0.5) + np.float32(number)
        here, there = there, here
    np.testing.assert_array_equal(get(driver, (here, 0), x), wanted)
    driver.free(here)
    driver.free(there)


def an_upload_waits_for_what_uses_the_memory(subject: Subject) -> None:
    driver: Any = subject.driver
    handle = driver.compile(parse_kernel(AXPY))
    x, y = random_floats(5000, seed=1), random_floats(5000, seed=2)
    here, first, second = put(driver, x), driver.allocate(x.nbytes), driver.allocate(x.nbytes)
    values = slots(x.size, 1000, float_bits(2), float_bits(0))
    driver.launch(handle, [(here, 0), (first, 0)], values, 5)
    driver.upload((here, 0), as_bytes(y))
    driver.launch(handle, [(here, 0), (second, 0)], values, 5)
    np.testing.assert_array_equal(get(driver, (first, 0), x), x * 2)
    np.testing.assert_array_equal(get(driver, (second, 0), x), y * 2)
    for memory in (here, first, second):
        driver.free(memory)


def long_copies_between_odd_places(subject: Subject) -> None:
    driver: Any = subject.driver
    data, other = numbers(100_003, seed=5), numbers(100_003, seed=6)
    here, there = put(driver, data), put(driver, other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jitframe.runtime.memory.transfer._MOVED_BYTES", 1 << 14)  # several launches
        for start, to, size in ((1, 2, 99_999), (3, 3, 99_998), (0, 1, 100_000), (5, 6, 2), (2, 0, 99_001)):
            driver.copy((there, to), (here, start), size)
            other[to : to + size] = data[start : start + size]
            np.testing.assert_array_equal(get(driver, (there, 0), other), other)
    driver.free(here)
    driver.free(there)


def large_transfers_come_in_parts(subject: Subject) -> None:
    driver: Any = subject.driver
    data = numbers((9 << 20) + 3, seed=7)
    memory = put(driver, data)
    np.testing.assert_array_equal(get(driver, (memory, 0), data), data)
    np.testing.assert_array_equal(get(driver, (memory, 5), data[5:]), data[5:])
    driver.free(memory)


def an_index_beyond_32_bits_is_an_error(subject: Subject) -> None:
    driver: Any = subject.driver
    memory = driver.allocate(4)
    with pytest.raises(BackendError) as caught:
        driver.launch(
            driver.compile(parse_kernel(AXPY)), [(memory, 0), (memory, 0)], slots(1 << 31, 1, 0, 0), 1
        )
    assert caught.value.message == (
        f"{driver.facts.title}: jf_axpy: 2147483648 is beyond this device's 32-bit indices; work on smaller "
        "parts, or choose another device"
    )
    driver.free(memory)


LAWS: tuple[Law, ...] = (
    one_memory_may_be_read_and_written,
    one_memory_written_twice_is_an_error,
    large_memory_is_bound_in_pieces,
    too_many_pieces_are_an_error,
    an_array_beyond_one_binding,
    many_launches_keep_their_arguments,
    an_upload_waits_for_what_uses_the_memory,
    long_copies_between_odd_places,
    large_transfers_come_in_parts,
    an_index_beyond_32_bits_is_an_error,
)
