"""Random programs of Python's control flow, as source text, from a seed: loops in loops, conditions, `while`,
`break`, `continue`, early `return`, numbers and arrays that are carried, elements and slices written to.

All values are small whole numbers, so that every device has Python's results exactly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.errors import JitframeError

SIZE = 5
DEEPEST = 3
_DEVICE_DTYPES = {"cpu": ("float64", "int64"), "opencl": ("float64", "int64"), "webgpu": ("float32", "int32")}


class Maker:
    """Writes one program: `def program(x, k)` with an array of floats and one of integers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.integers = ["a", "b"]
        self.floats = ["s", "t"]
        self.counters: list[str] = []
        self.loops = 0
        self.count = 0

    def text(self) -> str:
        self.lines = ["def program(x, k):"]
        for line in ("a = 1", "b = int(k[0])", "s = 0.0", "t = float(x[1])", "u = x * 2", "v = u"):
            self._line(1, line)
        self._block(1, 0, self.random.randint(3, 6))
        self._line(1, "return a, b, s, t, u, v")
        return "\n".join(self.lines) + "\n"

    def _line(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def _pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def _index(self) -> str:
        if self.counters and self.random.random() < 0.6:
            return f"{self._pick(*self.counters)} % {SIZE}"
        return self._pick(f"a % {SIZE}", f"b % {SIZE}", "0", "-1", str(self.random.randrange(SIZE)))

    def _integer(self) -> str:
        simple = self._pick(*self.integers, *self.counters, str(self.random.randint(-3, 4)), "int(k[1])")
        if self.random.random() < 0.5:
            return simple
        other = self._pick(*self.integers, *self.counters, str(self.random.randint(1, 5)))
        return self._pick(
            f"({simple} + {other}) % 11", f"({simple} - {other}) % 7", f"{simple} * {other} % 13",
            f"max({simple}, {other}) % 17", f"abs({simple}) % 5",
            f"({simple} if {self._test()} else {other}) % 9",
        )  # fmt: skip

    def _float(self) -> str:
        simple = self._pick(*self.floats, f"x[{self._index()}]", f"u[{self._index()}]", f"v[{self._index()}]")
        if self.random.random() < 0.4:
            return f"{simple} % 19"
        other = self._pick(*self.floats, f"x[{self._index()}]", "2.0", "-1.0", "u.sum()", "x.max()")
        return self._pick(
            f"({simple} + {other}) % 23", f"({simple} - {other}) % 17", f"min({simple}, {other}) % 9",
            f"({simple} if {self._test()} else {other}) % 13",
        )  # fmt: skip

    def _test(self) -> str:
        simple = self._pick(
            f"{self._pick(*self.integers, *self.counters)} % 3 == {self.random.randrange(3)}",
            f"{self._pick(*self.floats)} > {self.random.randint(0, 9)}",
            f"x[{self._index()}] < u[{self._index()}]", f"u[{self._index()}] > 4", "u.sum() > 20",
        )  # fmt: skip
        roll = self.random.random()
        if roll < 0.7:
            return simple
        other = f"{self._pick(*self.integers)} < {self.random.randint(0, 6)}"
        return f"not {simple}" if roll < 0.78 else f"{simple} {self._pick('and', 'or')} {other}"

    def _block(self, depth: int, inside: int, count: int) -> None:
        for _ in range(count):
            self._statement(depth, inside)

    def _statement(self, depth: int, inside: int) -> None:
        """`inside`: how many loops it is in."""
        self.count += 1
        roll = self.random.random()
        nested = depth <= DEEPEST and self.count < 24
        if roll < 0.2 and nested:
            self._condition(depth, inside)
        elif roll < 0.42 and nested:
            self._loop(depth, inside)
        elif roll < 0.47 and inside:
            self._line(depth, f"if {self._test()}:")
            self._line(depth + 1, self._pick("break", "continue", "break", "return a, b, s, t, u, v"))
        elif roll < 0.6:
            self._line(depth, f"{self._pick(*self.integers)} = {self._integer()}")
        elif roll < 0.74:
            self._line(depth, f"{self._pick(*self.floats)} = {self._float()}")
        elif roll < 0.88:
            self._line(depth, f"{self._pick('u', 'u', 'x', 'v')}[{self._index()}] = {self._float()}")
        else:
            self._whole(depth)

    def _whole(self, depth: int) -> None:
        begin = self.random.randrange(SIZE - 1)
        end = self.random.randint(begin + 1, SIZE)
        self._line(
            depth,
            self._pick(
                f"u[{begin}:{end}] = x[{begin}:{end}] + {self._pick(*self.floats)}",
                f"u[{begin}:{end}] = u[{begin}:{end}] % 7", "u = (u + x) % 29", "u[...] = u[::-1] % 31",
                "x[1:] = (x[1:] + x[:-1]) % 15", "u[u > 5] = 1", "v = u.copy()",
                "u = np.where(u > x, u, x) % 21",
            ),
        )  # fmt: skip

    def _condition(self, depth: int, inside: int) -> None:
        self._line(depth, f"if {self._test()}:")
        self._block(depth + 1, inside, self.random.randint(1, 2))
        if self.random.random() < 0.3:
            self._line(depth, f"elif {self._test()}:")
            self._block(depth + 1, inside, 1)
        if self.random.random() < 0.5:
            self._line(depth, "else:")
            self._block(depth + 1, inside, self.random.randint(1, 2))

    def _loop(self, depth: int, inside: int) -> None:
        self.loops += 1
        name = f"i{self.loops}"
        kind = self.random.random()
        if kind < 0.6:
            bounds = self._pick(
                "3", "4", "int(k[0])", "int(k[1])", f"1, {SIZE}", f"{SIZE - 1}, -1, -1", "0, 6, 2", "len(x)",
                "1", "0",
                *[f"{each} % 4" for each in self.counters],
            )  # fmt: skip
            self._line(depth, f"for {name} in range({bounds}):")
            self.counters.append(name)
            self._block(depth + 1, inside + 1, self.random.randint(1, 3))
            self.counters.pop()
        elif kind < 0.75:
            self._line(depth, f"for {name}, e{name} in enumerate({self._pick('x', 'u.copy()')}):")
            self.counters.append(name)
            self._line(depth + 1, f"s = (s + e{name}) % 27")
            self._block(depth + 1, inside + 1, self.random.randint(1, 2))
            self.counters.pop()
        else:
            self._line(depth, f"{name} = 0")
            test = self._pick(f"{name} < 4", f"{name} < 5 and ({self._test()})", "True")
            self._line(depth, f"while {test}:")
            self._line(depth + 1, f"{name} += 1")
            if test == "True":
                self._line(depth + 1, f"if {name} > 3 or {self._test()}:")
                self._line(depth + 2, "break")
            self._block(depth + 1, inside + 1, self.random.randint(1, 2))
        if self.random.random() < 0.15:
            self._line(depth, "else:")
            self._block(depth + 1, inside, 1)


def arguments(seed: int, device: str) -> tuple[np.ndarray, np.ndarray]:
    made = np.random.default_rng(seed)
    floats, integers = _DEVICE_DTYPES[device]
    return made.integers(0, 12, SIZE).astype(floats), made.integers(0, 5, 2).astype(integers)


def function_of(text: str, seed: int) -> Callable[..., Any]:
    """The function, with its source where it can be read."""
    import linecache

    file = f"<control {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), names)
    return names["program"]


def difference(text: str, seed: int, device: str, calls: Sequence[int] = (0, 1, 0)) -> str:
    """What a program does otherwise under `jit`; "" where it does the same. Nothing is left to Python."""
    function = function_of(text, seed)
    jitted = jf.jit(function) if device == "cpu" else jf.jit(function, device=device)
    for call in calls:
        mine, its = arguments(seed + call, device), arguments(seed + call, device)
        with np.errstate(all="ignore"):
            expected = function(*its)
        try:
            found = jitted(*mine)
        except JitframeError as error:
            return f"{type(error).__name__}: {error.message}"
        for name, one, other in zip((*"abstuv", "x", "k"), (*found, *mine), (*expected, *its), strict=True):
            if np.asarray(one).dtype.kind != np.asarray(other).dtype.kind or not np.array_equal(one, other):
                return f"call {call}: {name} is {one!r}, not {other!r}"
    return ""
