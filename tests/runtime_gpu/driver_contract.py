"""What every driver must do, as laws over the driver of one device: `CONTRACT`, for each backend's own tests;
with what those of C-like languages must do besides, `C_CONTRACT`.

@pytest.mark.parametrize("law", CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, subject: Subject) -> None:
    law(subject)
"""

from __future__ import annotations

import gc
import itertools
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.c_family import Source, UnsupportedKernel
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.plan.bind import PlanCheckError, PlanTemplate, scalar_bits
from jitframe.codegen.plan.nodes import Plan
from jitframe.codegen.plan.parse import parse_plan
from jitframe.errors import BackendError, CompileError
from jitframe.ir.record import replace
from jitframe.ir.types import BY_NAME, F32, I64
from jitframe.runtime.driver import Driver
from jitframe.runtime.drivers import sources
from jitframe.runtime.executor import PlanDriver, View, execute
from tests.c_family.kernels import TILE, awkward, several_outputs, softmax, transpose, workgroup_sum
from tests.lower.random_graphs import Maker
from tests.plan.plans import AXPY, EVERYTHING
from tests.plan.test_lowered import lowered, memory
from tests.threads import at_once

from .subject import (
    Law,
    Meant,
    Subject,
    as_bytes,
    float_bits,
    get,
    numbers,
    put,
    random_floats,
    run,
    same,
    slots,
)


# Memory ----------------------------------------------------------------------------------------------
def facts_are_sane(subject: Subject) -> None:
    facts = subject.driver.facts
    assert facts.title and facts.api and facts.version
    assert {"f32", "i32", "u32", "bool"} <= facts.dtypes <= BY_NAME.keys()
    if subject.dialect is not None:
        assert facts.dtypes <= subject.dialect.types.keys()
    assert facts.atomics <= facts.dtypes and facts.streams >= 1
    assert facts.alignment >= 16 and facts.alignment & (facts.alignment - 1) == 0
    assert [cache.level for cache in facts.caches] == sorted({cache.level for cache in facts.caches})
    assert all(cache.nbytes > 0 and cache.units >= 1 for cache in facts.caches)
    assert facts.largest_buffer >= 1 << 27 and facts.most_threads >= 128
    assert facts.most_buffers >= 8 and facts.shared_bytes >= 16384 and facts.units >= 1


def nothing_is_moved_where_there_is_nothing(subject: Subject) -> None:
    driver = subject.driver
    empty, other = driver.allocate(0), driver.allocate(0)
    driver.upload((empty, 0), memoryview(b""))
    driver.download((empty, 0), memoryview(bytearray()))
    driver.copy((other, 0), (empty, 0), 0)
    assert driver.read((empty, 0), 0) == b""
    driver.free(empty)
    driver.free(other)
    driver.synchronize()


def bytes_come_back_from_any_place(subject: Subject) -> None:
    driver = subject.driver
    for size, offset in itertools.product((1, 2, 3, 5, 64, 4097, 100_001), (0, 1, 2, 4, 7, 256, 1001)):
        wanted = numbers(offset + size + 3, seed=1)
        there = put(driver, wanted)
        part = numbers(size, seed=2)
        driver.upload((there, offset), as_bytes(part))
        wanted[offset : offset + size] = part
        np.testing.assert_array_equal(get(driver, (there, 0), wanted), wanted)
        assert driver.read((there, offset + size - 1), 3) == wanted[offset + size - 1 :][:3].tobytes()
        np.testing.assert_array_equal(get(driver, (there, offset), part), part)
        driver.free(there)


def what_was_uploaded_may_change_at_once(subject: Subject) -> None:
    driver = subject.driver
    for size in (100, 100_000, 4_000_000):
        data = numbers(size)
        wanted = data.copy()
        there = put(driver, data)
        data[:] = 0
        np.testing.assert_array_equal(get(driver, (there, 0), wanted), wanted)
        driver.free(there)


def copies_go_from_any_place_to_any_place(subject: Subject) -> None:
    driver = subject.driver
    source, target = numbers(3000, seed=3), numbers(3000, seed=4)
    here, there = put(driver, source), put(driver, target)
    for size, start, to in itertools.product((1, 3, 4, 1000), (0, 1, 4, 513), (0, 2, 4, 1027)):
        driver.copy((there, to), (here, start), size)
        target[to : to + size] = source[start : start + size]
        np.testing.assert_array_equal(get(driver, (there, 0), target), target)
    driver.copy((here, 2000), (here, 7), 900)
    source[2000:2900] = source[7:907]
    np.testing.assert_array_equal(get(driver, (here, 0), source), source)
    driver.free(here)
    driver.free(there)


def freed_memory_is_used_again(subject: Subject) -> None:
    driver = subject.driver
    driver.trim()
    before = driver.statistics()
    for _ in range(50):
        held = [driver.allocate(100_000) for _ in range(3)]
        for each in held:
            driver.free(each)
    after = driver.statistics()
    assert after.live == before.live
    assert after.allocations - before.allocations == 3
    assert after.reuses - before.reuses == 147
    assert after.pooled >= 300_000
    assert after.peak >= before.live + 300_000
    driver.trim()
    assert driver.statistics().pooled == 0


def memory_may_be_freed_while_work_is_pending(subject: Subject) -> None:
    driver = subject.driver
    handle = driver.compile(parse_kernel(AXPY))
    size, tile = 300_000, 1000
    x = random_floats(size)
    here, there = put(driver, x), driver.allocate(x.nbytes)
    for _ in range(20):
        driver.launch(handle, [(here, 0), (there, 0)], slots(size, tile, float_bits(2), 0), size // tile)
    driver.free(here)
    again = put(driver, np.zeros_like(x))
    np.testing.assert_array_equal(get(driver, (there, 0), x), x * 2)
    driver.free(again)
    driver.free(there)


def too_much_memory_is_a_clear_error(subject: Subject) -> None:
    """And an error that leaves all memory usable. Memory is asked for and not touched."""
    driver, facts = subject.driver, subject.driver.facts
    gc.collect()  # as the processor's pool does when it lacks memory
    driver.trim()
    live = driver.statistics().live
    with pytest.raises(BackendError) as caught:
        driver.allocate(facts.largest_buffer + 1)
    assert facts.title in str(caught.value) and "another device" in str(caught.value)
    if facts.memory_bytes:
        held: list[Any] = []
        with pytest.raises(BackendError) as caught:
            hold_everything(driver, held)
        assert facts.title in str(caught.value)
        assert "no memory for" in str(caught.value) and "another device" in str(caught.value)
        for each in held:
            driver.free(each)
        driver.trim()
    assert driver.statistics().live == live
    x = random_floats(1000)
    there = put(driver, x)
    np.testing.assert_array_equal(get(driver, (there, 0), x), x)
    driver.free(there)


def hold_everything(driver: Driver, held: list[Any]) -> None:
    facts = driver.facts
    for _ in range(facts.memory_bytes // facts.largest_buffer + 2):
        held.append(driver.allocate(facts.largest_buffer))


# Kernels ---------------------------------------------------------------------------------------------
def a_handle_is_kept(subject: Subject) -> None:
    driver = subject.driver
    assert driver.compile(parse_kernel(AXPY)) is driver.compile(parse_kernel(AXPY))


def softmax_of_the_graph(subject: Subject) -> None:
    for shape, skipped in (((5, 37), 0), ((3, 1), 1), ((2, 300), 7)):
        kernel, indices, groups = softmax(*shape)
        x = np.random.default_rng(1).normal(0, 4, shape).astype(np.float32).ravel()
        # exp's polynomial divides nowhere, the softmax does
        run(subject, kernel, [x, np.zeros_like(x)], slots(*indices), groups, skipped)


def several_outputs_and_scalars(subject: Subject) -> None:
    extent, tile = 203, 50
    for limit, skipped in itertools.product((3, 0, -4), (0, 1, 64)):
        x = awkward(np.random.default_rng(4), extent)
        arrays = [x, np.zeros(extent, np.float32), np.zeros(extent, bool), np.zeros(extent, np.int32)]
        arrays.append(np.zeros(extent, np.uint8))
        values = slots(tile, extent, float_bits(1.5), limit & 0xFFFFFFFF)
        run(subject, several_outputs(), arrays, values, 5, skipped)


def workgroups_meet_at_barriers(subject: Subject) -> None:
    for rows, columns in ((1, 1), (TILE, TILE), (37, 50)):
        x = awkward(np.random.default_rng(2), rows * columns)
        across, down = -(-columns // TILE), -(-rows // TILE)
        run(subject, transpose(), [x, np.zeros_like(x)], slots(rows, columns, across), across * down)
    for extent, skipped in ((64, 0), (1000, 3)):
        groups = -(-extent // 64)
        arrays = [random_floats(extent), np.zeros(groups, np.float32)]
        run(subject, workgroup_sum(), arrays, slots(extent), groups, skipped)


def two_views_of_one_memory(subject: Subject) -> None:
    driver = subject.driver
    kernel = parse_kernel(_ADD)
    x = random_floats(1000)
    here, there = put(driver, x), driver.allocate(x.nbytes)
    handle = driver.compile(kernel)
    driver.launch(handle, [(here, 0), (here, 4), (there, 0)], slots(999), 1)
    np.testing.assert_array_equal(get(driver, (there, 0), x)[:999], x[:-1] + x[1:])
    driver.free(here)
    driver.free(there)


_ADD = """\
kernel add, workgroup 1
  buffers @0: in f32, @1: in f32, @2: out f32
  indices %0
  %1: index = constant 0
  %2: index = constant 1
  for lanes %3 from %1 to %0 step %2:
    %4: f32 = load @0[%3]
    %5: f32 = load @1[%3]
    %6: f32 = add %4, %5
    store @2[%3] = %6
"""


def more_workgroups_than_an_axis_may_have(subject: Subject) -> None:
    driver, groups = subject.driver, 70_001
    x = random_floats(groups * 2 - 1)
    here, there = put(driver, x), driver.allocate(x.nbytes)
    values = slots(x.size, 2, float_bits(0.5), float_bits(0))
    driver.launch(driver.compile(parse_kernel(AXPY)), [(here, 0), (there, 0)], values, groups)
    np.testing.assert_array_equal(get(driver, (there, 0), x), x * np.float32(0.5))
    driver.free(here)
    driver.free(there)


def a_rejected_kernel_is_shown_with_its_log(subject: Subject) -> None:
    driver = subject.driver
    spell = sources.generate

    def broken(*arguments: Any, **options: Any) -> Source:
        source = spell(*arguments, **options)
        return replace(source, text=source.text.rstrip()[:-1] + "  undeclared_name = 1;\n}\n")

    kernel = parse_kernel(AXPY.replace("axpy", "axpy_rejected"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "generate", broken)
        with pytest.raises(CompileError) as caught:
            driver.compile(kernel)
    message = str(caught.value)
    assert driver.facts.title in message
    assert "axpy_rejected; choose another device, or another version of its driver:" in message
    lines = [line for line in message.splitlines() if line.endswith("  undeclared_name = 1;")]
    assert lines and lines[0].split()[0].isdecimal(), "the source has line numbers"
    assert message.count("undeclared_name") > len(lines), "the compiler's log is there"
    driver.compile(kernel)


# Plans -----------------------------------------------------------------------------------------------
def plan_of_every_step() -> Plan:
    """Loops, an if, checks, copies, callbacks; no library product, which a device need not have."""
    text = EVERYTHING.replace(
        "  call gemm f32 @5 = (@1, @1; 0, 1; s1, s1, s2, s2, s2, s1) batch 1 by [0, (s1 * s2), 7] cost s1\n",
        "  copy @5 = @1 elements (s1 * s1)\n",
    )
    return PlanTemplate(parse_plan(text)).bind([10, 3, 5], {"device.threads": 4})


def plans_run_step_by_step(subject: Subject) -> None:
    """One run goes to its end, one stops at a check; either gives back what it allocated."""
    if "i64" not in subject.driver.facts.dtypes:
        pytest.skip("the plan counts in int64, which this device lacks")
    driver = subject.driver
    live = driver.statistics().live
    y = random_floats(15)
    for shift, stops in ((0, False), (-10, True)):
        x = np.random.default_rng(0).random(10, np.float32) + np.float32(shift)
        given = [put(driver, x), put(driver, y)]
        outputs, seen = run_every_step(driver, given, stops)
        meant = Meant(subject)
        expected, expected_seen = run_every_step(meant, [np.array(as_bytes(a)) for a in (x, y)], stops)
        assert seen == expected_seen
        for there, each in zip(outputs, expected, strict=True):
            assert driver.read((there, 4), 12) == bytes(each[4:16])
        for there in (*given, *outputs):
            driver.free(there)
    assert driver.statistics().live == live


def run_every_step(driver: PlanDriver, given: list[Any], stops: bool) -> tuple[list[Any], list[bytes]]:
    """The outputs, and the floats that its callbacks saw."""
    seen: list[bytes] = []

    def observe(run: Any, operands: list[View], results: list[View]) -> None:
        seen.extend(driver.read(view, 4) for view in (*results, *operands))

    scalars = [scalar_bits(2.0, F32), scalar_bits(4, I64)]
    bound = plan_of_every_step()
    if not stops:
        return execute(bound, driver, given, scalars, {"observe": observe}), seen
    with pytest.raises(PlanCheckError):
        execute(bound, driver, given, scalars, {"observe": observe})
    return [], seen


def random_graphs_mean_what_is_meant(subject: Subject) -> None:
    """Plans that graphs are lowered to, on the device and interpreted."""
    driver, ran = subject.driver, 0
    for seed in range(100):
        made = Maker(seed).make()
        backwards = any(stride < 0 for array in made.arrays for stride in array.strides)
        if backwards or sum(array.size for array in made.arrays) > 1000:
            continue
        plan, sizes, scalars = lowered(made)
        bits = {node.attributes[0]: scalar_bits(value, node.dtype) for node, value in made.scalars}
        given = [bits[index] for index in scalars]
        bound = PlanTemplate(plan).bind(sizes, {"device.stream_bytes": 1 << 12, "device.threads": 2})
        inputs = [memory(array) for array in made.arrays]
        there = [put(driver, each) for each in inputs]
        try:
            outputs = execute(bound, driver, there, given)
        except UnsupportedKernel:
            outputs = []
        else:
            ran += 1
        wanted = execute(bound, Meant(subject), [each.copy() for each in inputs], given)
        for found, each, node in zip(outputs, wanted, made.outputs, strict=False):
            dtype = node.dtype.numpy_name
            same(get(driver, (found, 0), each).view(dtype), each.view(dtype), subject.ulp)
            driver.free(found)
        for each in there:
            driver.free(each)
        if ran == 6:
            return
    assert ran >= 2


# Order -----------------------------------------------------------------------------------------------
def time_passes_between_marks(subject: Subject) -> None:
    driver = subject.driver
    handle = driver.compile(parse_kernel(AXPY))
    x = random_floats(1 << 18)
    here, there = put(driver, x), driver.allocate(x.nbytes)
    values = slots(x.size, 1024, float_bits(2), 0)
    first = driver.mark()
    for _ in range(5):
        driver.launch(handle, [(here, 0), (there, 0)], values, x.size // 1024)
    middle = driver.mark()
    driver.copy((here, 0), (there, 0), x.nbytes)
    last = driver.mark()
    whole = driver.elapsed(first, last)
    assert 0 < driver.elapsed(first, middle) <= whole < 10
    driver.free(here)
    driver.free(there)
    driver.synchronize()


def threads_share_a_driver(subject: Subject) -> None:
    """Each thread's launches have its own arguments."""
    driver = subject.driver
    handle = driver.compile(parse_kernel(AXPY))

    def work(number: int) -> None:
        x = random_floats(4000 + number, seed=number)
        for turn in range(60):
            here, there = put(driver, x), driver.allocate(x.nbytes)
            values = slots(x.size, 100, float_bits(number + 1), float_bits(turn))
            driver.launch(handle, [(here, 0), (there, 0)], values, -(-x.size // 100))
            wanted = x * np.float32(number + 1) + np.float32(turn)
            np.testing.assert_array_equal(get(driver, (there, 0), x), wanted)
            driver.free(here)
            driver.free(there)

    at_once(work, 3)


CONTRACT: tuple[Law, ...] = (
    facts_are_sane,
    nothing_is_moved_where_there_is_nothing,
    bytes_come_back_from_any_place,
    what_was_uploaded_may_change_at_once,
    copies_go_from_any_place_to_any_place,
    freed_memory_is_used_again,
    memory_may_be_freed_while_work_is_pending,
    too_much_memory_is_a_clear_error,
    a_handle_is_kept,
    softmax_of_the_graph,
    several_outputs_and_scalars,
    workgroups_meet_at_barriers,
    two_views_of_one_memory,
    more_workgroups_than_an_axis_may_have,
    plans_run_step_by_step,
    random_graphs_mean_what_is_meant,
    time_passes_between_marks,
    threads_share_a_driver,
)

C_CONTRACT: tuple[Law, ...] = (*CONTRACT, a_rejected_kernel_is_shown_with_its_log)
