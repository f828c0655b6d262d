"""Random programs that keep what arrays held, write over them, and reduce both: what is read before a write
and what after it have to be told apart wherever kernels are fused.

Values are small whole numbers, so that every order of a sum gives the same.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.errors import FallbackWarning

SHAPES = ((5, 7), (40, 3), (60, 130), (7,), (3, 4, 5), (1, 9), (20_000,), (2, 5000))
_REDUCTIONS = ("sum", "max", "min", "any")


class Maker:
    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.shape = self.choose.choice(SHAPES)
        self.known = ["a", "b"]

    def text(self) -> str:
        lines = [self._line() for _ in range(self.choose.randint(3, 7))]
        kept = self.known[2:] or ["a"]
        results = [*self.choose.sample(kept, min(len(kept), 2)), self._bounded()]
        return "\n    ".join(["def program(a, b):", *lines, f"return {', '.join(results)}\n"])

    def _line(self) -> str:
        choose, target = self.choose, self.choose.choice("ab")
        kind = choose.choice(("keep", "keep", "keep", "shift", "chosen", "whole", "part"))
        if kind == "keep":
            value = choose.choice((f"{target}.copy()", self._bounded(), self._reduced(target)))
            self.known.append(f"v{len(self.known)}")
            return f"{self.known[-1]} = {value}"
        if kind == "shift":
            return f"{target} += {choose.choice(('1', self._bounded()))}"
        if kind == "chosen":
            return f"{target}[{target} > 1] = -{choose.choice('012')}"
        if kind == "whole":
            return f"{target}[...] = {self._bounded()}"
        return f"{target}[1:] = {target}[:-1] - 1"

    def _bounded(self) -> str:
        return f"np.clip({self._expression()}, -4, 4)"

    def _reduced(self, name: str) -> str:
        axis = self.choose.choice((None, *range(len(self.shape))))
        where = "axis=None" if axis is None else f"{axis}, keepdims=True"
        return f"np.clip(np.{self.choose.choice(_REDUCTIONS)}({name}, {where}), -4, 4)"

    def _expression(self, depth: int = 0) -> str:
        choose, name = self.choose, self.choose.choice(self.known)
        if depth == 3:
            return name
        kind = choose.choice(("name", "reduced", "absolute", "where", "operator", "operator", "rolled"))
        if kind == "reduced":
            return self._reduced(choose.choice("ab"))
        if kind == "absolute":
            return f"np.abs({self._expression(depth + 1)})"
        if kind == "where":
            return f"np.where({name} > 1, {self._expression(depth + 1)}, {self._expression(depth + 1)})"
        if kind == "operator":
            return f"({self._expression(depth + 1)} {choose.choice('+-*')} {self._expression(depth + 1)})"
        return f"np.roll({name}, 1)" if kind == "rolled" else name


def difference(seed: int, device: str) -> str:
    """Returns what is not as NumPy has it, with the program, or nothing."""
    maker = Maker(seed)
    text, names = maker.text(), dict[str, Any](np=np)
    exec(compile(text, f"<overwritten {seed}>", "exec"), names)
    rng = np.random.default_rng(seed)
    dtype = rng.choice(["float32", "int32"] if device == "webgpu" else ["float64", "int64", "int32"])
    arrays = [rng.integers(-3, 4, maker.shape).astype(dtype) for _ in range(2)]
    given = [array.copy() for array in arrays]
    wanted = (*names["program"](*arrays), *arrays)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        found = (*jf.jit(names["program"], device=device)(*given), *given)
    for number, (ours, numpys) in enumerate(zip(found, wanted, strict=True)):
        if not np.array_equal(ours, numpys):
            return f"result {number} of {maker.shape} {dtype}\n{text}"
    return ""
