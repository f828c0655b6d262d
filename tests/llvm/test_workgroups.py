"""Workgroups of several lanes: split at barriers, equal to the interpreter, which runs lane by lane."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.llvm import UnsupportedKernel, generate, vector_target
from jitframe.ir.types import F32, I32

from .llvm_harness import LEVELS, Compiled, same_bits


def tree_sum(workgroup: int) -> Kernel:
    """Sum of a tile through shared memory: a serial loop over halves, with a barrier in it."""
    build = KernelBuilder("tree_sum")
    x, out, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    lane, zero = build.lane_id(), build.constant(0)
    shared = build.allocate(F32, workgroup, "shared")
    at = build.add(build.mul(build.group_id(), build.constant(workgroup)), lane)
    inside = build.emit("lt", (at, extent))
    build.store(shared, lane, build.load(x, at, inside))
    build.barrier(0)

    def halve(level: Value, half: Value) -> list[Value]:
        with build.when(build.emit("lt", (lane, half))):
            total = build.add(build.load(shared, lane), build.load(shared, build.add(lane, half)))
            build.store(shared, lane, total)
        build.barrier(1)
        return [build.emit("quotient", (half, build.constant(2)))]

    levels = build.constant(workgroup.bit_length() - 1)
    build.carry(zero, levels, [build.constant(workgroup // 2)], halve)
    with build.when(build.emit("eq", (lane, zero))):
        build.store(out, build.group_id(), build.load(shared, zero))
    return build.finish(workgroup)


def rotate(workgroup: int) -> Kernel:
    """Two carried values change places at each step, after a barrier; a private array keeps their sum."""
    build = KernelBuilder("rotate")
    x, out, rounds = build.buffer(I32, "in"), build.buffer(I32, "out"), build.index()
    lane = build.lane_id()
    shared = build.allocate(I32, workgroup, "shared")
    private = build.allocate(I32, 3)
    place = build.add(build.mul(build.group_id(), build.constant(workgroup)), lane)
    start = build.load(x, place)
    build.store(private, build.constant(1), start)

    def body(i: Value, a: Value, b: Value) -> list[Value]:
        build.store(shared, lane, a)
        build.barrier(0)
        following = build.emit("remainder", (build.add(lane, build.constant(1)), build.constant(workgroup)))
        other = build.load(shared, following)
        build.barrier(1)
        total = build.add(build.load(private, build.constant(1)), other)
        build.store(private, build.constant(1), total)
        return [build.add(b, build.cast(i, I32)), other]

    first, _ = build.carry(build.constant(0), rounds, [start, build.constant(5, I32)], body)
    build.store(out, place, build.add(first, build.load(private, build.constant(1))))
    return build.finish(workgroup)


def grow_until(workgroup: int) -> Kernel:
    """A while loop whose condition is read from shared memory, and a uniform branch around a barrier."""
    build = KernelBuilder("grow_until")
    x, out, limit = build.buffer(I32, "in"), build.buffer(I32, "out"), build.index()
    lane, one = build.lane_id(), build.constant(1, I32)
    shared = build.allocate(I32, workgroup, "shared")
    place = build.add(build.mul(build.group_id(), build.constant(workgroup)), lane)
    build.store(shared, lane, build.load(x, place))
    build.barrier(0)
    bound = build.cast(limit, I32)

    def body(count: Value) -> list[Value]:
        grown = build.add(build.load(shared, lane), build.add(count, one))
        build.barrier(1)
        build.store(shared, lane, grown)
        build.barrier(2)
        return [build.add(count, one)]

    (count,) = build.repeat_while([one], lambda n: build.emit("lt", (n, bound)), body)

    def mirror() -> list[Value]:
        last = build.constant(workgroup - 1)
        build.barrier(3)
        return [build.load(shared, build.sub(last, lane))]

    even = build.emit("eq", (build.emit("floormod", (count, build.constant(2, I32))), build.constant(0, I32)))
    (value,) = build.branch(even, mirror, lambda: [build.load(shared, lane)])
    with build.when(build.emit("gt", (limit, build.constant(9)))):
        build.exit()
    build.store(out, place, build.add(value, count))
    return build.finish(workgroup)


KERNELS: dict[str, Callable[[int], Kernel]] = {
    "tree_sum": tree_sum,
    "rotate": rotate,
    "grow_until": grow_until,
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("workgroup", [2, 8, 64])
@pytest.mark.parametrize("name", list(KERNELS))
def test_workgroups_equal_the_interpreter(level: str, workgroup: int, name: str) -> None:
    kernel = KERNELS[name](workgroup)
    verify(kernel)
    compiled = Compiled(kernel, level)
    for number in (0, 1, 5, 8, 11) if name != "tree_sum" else (3 * workgroup, 3 * workgroup - 1):
        x = np.random.default_rng(number).integers(0, 50, 3 * workgroup)
        x = x.astype(kernel.buffers[0].dtype.numpy_name)
        expected, out = np.zeros_like(x), np.zeros_like(x)
        interpret(kernel, [x, expected], [number], [], range(3))
        compiled([x, out], [number], groups=(0, 3))
        assert same_bits(out, expected), number


def test_an_odd_workgroup_runs_lane_by_lane() -> None:
    kernel = rotate(5)
    x = np.arange(10, dtype=np.int32)
    expected, out = np.zeros_like(x), np.zeros_like(x)
    interpret(kernel, [x, expected], [4], [], range(2))
    Compiled(kernel, LEVELS[-1])([x, out], [4], groups=(0, 2))
    assert same_bits(out, expected)


def must_fail(fill: Callable[[KernelBuilder], Any]) -> str:
    build = KernelBuilder("refused")
    fill(build)
    with pytest.raises(UnsupportedKernel) as raised:
        generate(build.finish(8), vector_target("avx2"))
    return str(raised.value)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("with_store", [False, True])
def test_lanes_divide_only_where_they_may(level: str, with_store: bool) -> None:
    """Processors trap where a divisor is 0: lanes that rest have one, in short branches too."""
    build = KernelBuilder("divided")
    x, out = build.buffer(I32, "in"), build.buffer(I32, "inout")
    lane = build.lane_id()
    divisor = build.cast(build.load(x, lane), lane.dtype)

    def quotient() -> list[Value]:
        made = build.emit("quotient", (build.constant(100), divisor))
        if with_store:
            build.store(out, lane, build.cast(made, I32))
        return [made]

    whole = build.emit("gt", (divisor, build.constant(0)))
    (made,) = build.branch(whole, quotient, lambda: [build.constant(0)])
    build.store(out, lane, build.cast(made, I32))
    x_, result = np.arange(8, dtype=np.int32) % 3, np.zeros(8, np.int32)
    Compiled(build.finish(8), level)([x_, result])
    assert result.tolist() == [0, 100, 50, 0, 100, 50, 0, 100]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("workgroup", [1, 8])
@pytest.mark.parametrize("kind", ["while", "for", "nested"])
def test_loops_that_nobody_enters_divide_nothing(level: str, workgroup: int, kind: str) -> None:
    """What is the same in all rounds of a loop is computed before it, though its divisor may be 0 there."""
    build = KernelBuilder("rounds")
    out, n = build.buffer(I32, "out"), build.index()
    zero = build.constant(0)

    def grown(*values: Value) -> list[Value]:
        return [build.add(values[-1], build.emit("quotient", (build.constant(100), n)))]

    if kind == "while":
        (made,) = build.repeat_while([zero], lambda value: build.emit("lt", (value, n)), grown)
    elif kind == "for":
        (made,) = build.carry(zero, n, [zero], grown)
    else:
        (made,) = build.carry(
            zero, build.constant(3), [zero], lambda _, value: build.carry(zero, n, [value], grown)
        )
    build.store(out, build.lane_id(), build.cast(made, I32))
    compiled, result = Compiled(build.finish(workgroup), level), np.ones(workgroup, np.int32)
    for count, due in ((0, 0), (30, {"while": 30, "for": 90, "nested": 270}[kind])):
        compiled([result], [count])
        assert (result == due).all()


def test_subgroup_instructions_are_refused() -> None:
    def fill(build: KernelBuilder) -> None:
        out = build.buffer(I32, "out")
        lane = build.lane_id()
        build.store(out, lane, build.subgroup_reduce("add", build.cast(lane, I32)))

    assert must_fail(fill) == "refused: no LLVM form of subgroup_reduce; expand it first"


@pytest.mark.parametrize("level", LEVELS)
def test_lane_id_in_a_loop_varies(level: str) -> None:
    """What a loop carries starts the same in all lanes and differs after its first step."""
    build = KernelBuilder("numbered")
    out, rounds = build.buffer(I32, "out"), build.index()

    def body(_: Value, value: Value) -> list[Value]:
        return [build.add(value, build.cast(build.lane_id(), I32))]

    (total,) = build.carry(build.constant(0), rounds, [build.constant(0, I32)], body)
    build.store(out, build.lane_id(), total)
    compiled, result = Compiled(build.finish(64), level), np.zeros(64, np.int32)
    for count in (0, 1, 5):
        compiled([result], [count])
        assert (result == count * np.arange(64)).all()
