"""Kernels whose lanes leave by `exit`, some at once and some later, with and without barriers after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.ir.types import I32

LANES = 8
Array = np.ndarray[Any, Any]


class Lanes(KernelBuilder):
    """A kernel of LANES lanes with one number n, that reads and changes the element of each lane."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.out = self.buffer(I32, "inout")
        self.n = self.index()
        self.shared = self.allocate(I32, LANES, "shared")
        self.lane = self.lane_id()
        self.place = self.add(self.mul(self.group_id(), self.constant(LANES)), self.lane)

    def reset(self) -> None:
        """What lanes leave behind that never gave anything."""
        self.store(self.shared, self.lane, self.number(0))
        self.barrier(2)

    def number(self, value: int) -> Value:
        return self.constant(value, I32)

    def held(self) -> Value:
        return self.load(self.out, self.place)

    def keep(self, value: Value) -> None:
        self.store(self.out, self.place, value)

    def leave_when(self, condition: Value) -> None:
        with self.when(condition):
            self.exit()

    def exchanged(self, value: Value, distance: int = 1) -> Value:
        """The value of a lane further on, through shared memory; of one that left, what it had there."""
        self.store(self.shared, self.lane, value)
        self.barrier(0)
        far = self.add(self.lane, self.constant(distance))
        other = self.load(self.shared, self.emit("remainder", (far, self.constant(LANES))))
        self.barrier(1)
        return other


def ragged() -> Kernel:
    """The usual bound of a grid, as an early exit; no barrier."""
    build = Lanes("ragged")
    build.leave_when(build.emit("ge", (build.place, build.n)))
    build.keep(build.add(build.held(), build.number(5)))
    return build.finish(LANES)


def summed() -> Kernel:
    """Lanes from n on leave, the others add up what they hold, by halves."""
    build = Lanes("summed")
    build.store(build.shared, build.lane, build.number(0))
    build.leave_when(build.emit("ge", (build.lane, build.n)))
    build.store(build.shared, build.lane, build.held())
    for number, half in enumerate((4, 2, 1)):
        build.barrier(number)
        with build.when(build.emit("lt", (build.lane, build.constant(half)))):
            other = build.load(build.shared, build.add(build.lane, build.constant(half)))
            build.store(build.shared, build.lane, build.add(build.load(build.shared, build.lane), other))
    with build.when(build.emit("eq", (build.lane, build.constant(0)))):
        build.keep(build.load(build.shared, build.lane))
    return build.finish(LANES)


def one_by_one() -> Kernel:
    """In each round of a loop with barriers one lane leaves, and a value is handed on."""
    build = Lanes("one_by_one")
    build.reset()

    def round_(i: Value, value: Value) -> list[Value]:
        value = build.exchanged(value)
        build.leave_when(build.emit("eq", (i, build.lane)))
        build.keep(value)
        return [build.add(value, build.cast(i, I32))]

    (last,) = build.carry(build.constant(0), build.n, [build.held()], round_)
    build.keep(build.emit("neg", (last,)))
    return build.finish(LANES)


def divided() -> Kernel:
    """Positions are divided by what each lane holds; lanes that hold 0 have left."""
    build = Lanes("divided")
    build.reset()
    held = build.held()
    build.leave_when(build.emit("le", (held, build.number(0))))
    quotient = build.emit("quotient", (build.add(build.n, build.lane), build.cast(held, build.n.dtype)))
    build.keep(build.exchanged(build.cast(quotient, I32), 3))
    return build.finish(LANES)


def searching() -> Kernel:
    """Lanes leave in a while and in a branch that yields, then the others exchange what they have."""
    build = Lanes("searching")
    build.reset()
    held = build.held()

    def step(count: Value) -> list[Value]:
        build.leave_when(build.emit("eq", (count, build.number(5))))
        return [build.add(count, build.number(1))]

    (count,) = build.repeat_while([build.number(0)], lambda x: build.emit("lt", (x, held)), step)

    def odd() -> list[Value]:
        build.leave_when(build.emit("gt", (build.lane, build.n)))
        return [build.add(count, build.number(100))]

    parity = build.emit("eq", (build.emit("and", (held, build.number(1))), build.number(1)))
    (value,) = build.branch(parity, odd, lambda: [count])
    build.keep(build.exchanged(value, 2))
    return build.finish(LANES)


def together() -> Kernel:
    """All lanes of some workgroups leave at once, before barriers and in a loop with barriers."""
    build = Lanes("together")
    build.reset()
    build.leave_when(build.emit("ge", (build.group_id(), build.n)))
    number = build.constant(2)

    def round_(i: Value, value: Value) -> list[Value]:
        build.leave_when(build.emit("eq", (build.add(i, build.group_id()), number)))
        return [build.exchanged(build.add(value, build.number(1)))]

    (last,) = build.carry(build.constant(0), build.constant(4), [build.exchanged(build.held())], round_)
    build.keep(last)
    return build.finish(LANES)


KERNELS: dict[str, Callable[[], Kernel]] = {
    each.__name__: each for each in (ragged, summed, one_by_one, divided, searching, together)
}
COUNTS = (0, 3, 8, 13)
"""What n is."""


def arrays(seed: int = 0) -> list[Array]:
    """For three workgroups."""
    return [np.random.default_rng(seed).integers(-2, 9, 3 * LANES).astype(np.int32)]


class _Random:
    """Writes a random kernel; barriers stand where all lanes come, as far as they have not left."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.build = Lanes("random")

    def count(self, most: int) -> int:
        return int(self.draw(st.integers(0, most)))

    def kernel(self) -> Kernel:
        build = self.build
        build.reset()
        build.keep(self.statements(build.held(), [build.n], True, 3))
        return build.finish(LANES)

    def statements(self, value: Value, uniform: list[Value], together: bool, depth: int) -> Value:
        forms = [self.change, self.change, self.leave]
        if together:
            forms += [self.exchange, self.exchange]
        if depth:
            forms += [self.branch, self.loop, self.repeat_while]
            forms += [self.branch_of_all, self.loop_of_all] if together else []
        for _ in range(1 + self.count(3)):
            value = self.draw(st.sampled_from(forms))(value, uniform, together, depth)
        return value

    def varying(self, value: Value) -> Value:
        build, name = self.build, self.draw(st.sampled_from(["lt", "ge", "eq"]))
        if self.count(1):
            return build.emit(name, (value, build.number(self.count(12))))
        return build.emit(name, (build.lane, build.constant(self.count(LANES))))

    def change(self, value: Value, *_: Any) -> Value:
        build = self.build
        value = build.emit("floormod", (build.add(value, build.held()), build.number(11)))
        value = build.add(value, build.number(self.count(3)))
        build.keep(value)
        return value

    def leave(self, value: Value, uniform: list[Value], *_: Any) -> Value:
        build = self.build
        of_all = build.emit("lt", (uniform[-1], build.constant(self.count(2))))
        build.leave_when(of_all if self.count(3) == 0 else self.varying(value))
        return value

    def exchange(self, value: Value, *_: Any) -> Value:
        return self.build.exchanged(value, 1 + self.count(LANES - 2))

    def branch(self, value: Value, uniform: list[Value], together: bool, depth: int) -> Value:
        return self.either(self.varying(value), value, uniform, False, depth)

    def branch_of_all(self, value: Value, uniform: list[Value], together: bool, depth: int) -> Value:
        condition = self.build.emit("gt", (uniform[-1], self.build.constant(self.count(3))))
        return self.either(condition, value, uniform, True, depth)

    def either(
        self, condition: Value, value: Value, uniform: list[Value], together: bool, depth: int
    ) -> Value:
        def block() -> list[Value]:
            return [self.statements(value, uniform, together, depth - 1)]

        return self.build.branch(condition, block, block if self.count(1) else lambda: [value])[0]

    def loop(self, value: Value, uniform: list[Value], together: bool, depth: int) -> Value:
        bound = self.build.emit("remainder", (self.build.lane, self.build.constant(3)))
        return self.repeated(bound, value, uniform, False, depth)

    def loop_of_all(self, value: Value, uniform: list[Value], together: bool, depth: int) -> Value:
        bound = self.build.emit("minimum", (uniform[-1], self.build.constant(1 + self.count(2))))
        return self.repeated(bound, value, uniform, True, depth)

    def repeated(self, bound: Value, value: Value, uniform: list[Value], together: bool, depth: int) -> Value:
        def body(i: Value, carried: Value) -> list[Value]:
            counters = [*uniform, i] if together else uniform
            return [self.statements(carried, counters, together, depth - 1)]

        return self.build.carry(self.build.constant(0), bound, [value], body)[0]

    def repeat_while(self, value: Value, uniform: list[Value], together: bool, depth: int) -> Value:
        build = self.build
        least = build.emit("floormod", (value, build.number(4)))

        def body(count: Value, carried: Value) -> list[Value]:
            following = build.add(count, build.number(1))
            return [following, self.statements(carried, uniform, False, depth - 1)]

        first = [build.number(0), value]
        return build.repeat_while(first, lambda count, _: build.emit("lt", (count, least)), body)[1]


@st.composite
def leaving_kernels(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Kernel:
    """A random kernel like those above."""
    return _Random(draw).kernel()
