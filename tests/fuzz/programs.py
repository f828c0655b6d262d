"""Random NumPy programs as source text, from a seed: statements that NumPy runs here and now, so that each is
valid, its values are known, and none grows out of hand.

What is *exact* has NumPy's bits in jitframe too; the rest may differ by rounding. Only exact values go where
a small change would make a large one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import jitframe as jf
from tests.foundations.layouts import LAYOUTS, broadcast, laid_out, same_layout
from tests.fuzz.families import RECIPES
from tests.fuzz.recipes import assignment

EXTENTS = (0, 1, 2, 3, 4, 5, 7, 16, 17, 33, 64)
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
LARGEST = {"float16": 200.0, "float32": 1e5, "float64": 1e5}
"""Magnitudes beyond which a rounded value is not used: what follows would only enlarge the difference."""
MOST_ELEMENTS = 6000


class Impossible(Exception):
    """No name of the program fits."""


@dataclass
class Known:
    """A name of the program with NumPy's value, which later statements may write to."""

    name: str
    value: np.ndarray
    exact: bool


@dataclass
class Program:
    """`def program(a0, ...)` with its arguments. Each line of `results` is exact or rounded."""

    seed: int
    arguments: list[np.ndarray]
    lines: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    exact: dict[str, bool] = field(default_factory=dict)
    """Whether a result, or an argument that was written, has NumPy's bits."""
    coarsest: str = "float64"
    """The least precise float dtype that occurs: what rounding may differ by."""
    functions: list[str] = field(default_factory=list)
    """The recipes of its lines."""

    @property
    def text(self) -> str:
        names = ", ".join(f"a{number}" for number in range(len(self.arguments)))
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"def program({names}):\n{body}    return {', '.join(self.results)},\n"

    def function(self) -> Callable[..., Any]:
        scope: dict[str, Any] = {"np": np, "jf": jf}
        exec(compile(self.text, f"<program {self.seed}>", "exec"), scope)
        function: Callable[..., Any] = scope["program"]
        return function


class Draw:
    """Picks what one statement says; remembers which names it used."""

    def __init__(self, rng: random.Random, known: Sequence[Known]) -> None:
        self.random = rng
        self.known = known
        self.used: set[str] = set()
        self.only_exact = False

    def choice(self, options: Sequence[str]) -> str:
        return self.random.choice(options)

    def _pick(self, fits: Callable[[np.ndarray], bool], like: str | None = None) -> str:
        found = [
            each
            for each in self.known
            if fits(each.value)
            and (each.exact or not self.only_exact)
            and (like is None or broadcast(each.value.shape, self._value(like).shape) is not None)
        ]
        if not found:
            raise Impossible
        name = self.random.choice(found).name
        self.used.add(name)
        return name

    def _value(self, name: str) -> np.ndarray:
        return next(each.value for each in self.known if each.name == name)

    def dtype(self, name: str) -> str:
        return self._value(name).dtype.name

    def any(self, like: str | None = None) -> str:
        return self._pick(lambda value: True, like)

    def number(self, like: str | None = None) -> str:
        return self._pick(lambda value: value.dtype != bool, like)

    def floating(self, like: str | None = None) -> str:
        return self._pick(lambda value: value.dtype.kind == "f", like)

    def integer(self, like: str | None = None) -> str:
        return self._pick(lambda value: value.dtype.kind in "iu", like)

    def shaped(self, axes: int) -> str:
        """With so many axes at least, none of them empty."""
        return self._pick(lambda value: value.ndim >= axes and value.size > 0)

    def vector(self) -> str:
        return self._pick(lambda value: value.ndim == 1)

    def number_vector(self) -> str:
        return self._pick(lambda value: value.ndim == 1 and value.dtype != bool)

    def floating_vector(self) -> str:
        return self._pick(lambda value: value.ndim == 1 and value.dtype.kind == "f" and value.size > 1)

    def matrix(self) -> str:
        return self._pick(lambda value: value.ndim == 2 and value.dtype != bool and value.size > 0)

    def like(self, name: str) -> str:
        """Of the same shape."""
        shape = self._value(name).shape
        return self._pick(lambda value: value.shape == shape)

    def pair(self, pick: Callable[..., str]) -> tuple[str, str]:
        """Two that broadcast."""
        first = pick()
        return first, pick(first)

    def exact(self, pick: Callable[..., str], like: str | None = None) -> str:
        before, self.only_exact = self.only_exact, True
        try:
            return pick(like)
        finally:
            self.only_exact = before

    def axis(self, name: str) -> str:
        axes = self._value(name).ndim
        several = [str(tuple(range(axes)))] if axes > 1 else []
        return self.choice(["None", *several, *map(str, range(-axes, axes))])

    def one_axis(self, name: str, none: bool = True) -> str:
        axes = self._value(name).ndim
        return self.choice([*(["None"] if none or not axes else []), *map(str, range(-axes, axes))])

    def kept(self) -> str:
        return self.choice(["", ", keepdims=True"])

    def slices(self, name: str) -> str:
        value = self._value(name)
        parts = [
            self.choice([":", "::2", "::-1", "1:", ":-1", "-1", "0", ":3", f"{extent // 2}:", "1:0:-1"])
            for extent in value.shape[: self.random.randint(1, value.ndim)]
        ]
        return ", ".join(parts) + ("," if len(parts) == 1 else "")

    def reshaped(self, name: str) -> str:
        """In another shape: all of it, or a part whose last axis is split in pairs."""
        shape = self.choice(["-1", f"{name}.shape[0], -1", f"1, *{name}.shape", ""])
        if shape:
            return f"{name}.reshape({shape})"
        first = self.choice(["0", "1"])
        part = f"{name}[..., {first} : {first} + ({name}.shape[-1] - {first}) // 2 * 2]"
        return f"{part}.reshape(*{name}.shape[:-1], -1, 2)"


class Maker:
    """Makes the program of a seed."""

    def __init__(self, seed: int, dtypes: Sequence[str], writes: bool) -> None:
        self.random = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.dtypes = dtypes
        self.writes = writes
        self.program = Program(seed, [])
        self.known: list[Known] = []
        self.scope: dict[str, Any] = {"np": np, "jf": jf}

    def make(self) -> Program:
        for _ in range(self.random.randint(1, 3)):
            self._argument()
        wanted, tries = self.random.randint(2, 12), 0
        while len(self.program.lines) < wanted and tries < 100:
            tries += 1
            try:
                self._assign() if self.random.random() < 0.12 else self._bind()
            except Impossible:
                continue
        candidates = self.known[-5:]
        picked = self.random.sample(candidates, min(len(candidates), self.random.randint(1, 3)))
        self.program.results = [each.name for each in picked]
        self.program.exact = {each.name: each.exact for each in self.known}
        seen = {each.value.dtype.name for each in self.known}
        text = "\n".join(self.program.lines)
        seen |= {name for name in FLOATS if name in text}
        self.program.coarsest = next(name for name in (*FLOATS, "float64") if name in seen | {"float64"})
        return self.program

    def _argument(self) -> None:
        shape = tuple(self.random.choice(EXTENTS) for _ in range(self.random.randint(0, 3)))
        if int(np.prod(shape)) > 3000:
            shape = shape[:2]
        dtype = self.random.choice(self.dtypes)
        doubled = tuple(2 * extent for extent in shape)
        values = self.rng.integers(0, 2 if dtype == "bool" else 9, doubled)
        whole = np.asarray(values + (self.rng.standard_normal(doubled) if dtype in FLOATS else 0)).astype(
            dtype
        )
        array = laid_out(whole, shape, self.random.choice(["plain", *LAYOUTS]))
        name = f"a{len(self.program.arguments)}"
        self.program.arguments.append(array)
        self._know(name, same_layout(array), True)

    def _know(self, name: str, value: np.ndarray, exact: bool) -> None:
        self.known.append(Known(name, value, exact))
        self.scope[name] = value

    def _bind(self) -> None:
        """A new name for what a recipe says."""
        kind = self.random.choice(list(RECIPES))
        draw = Draw(self.random, self.known)
        said = RECIPES[kind](draw)
        if said is None:
            raise Impossible
        expression, rounding = said
        with refusals():
            value = np.asarray(eval(expression, self.scope))
        before = all(each.exact for each in self.known if each.name in draw.used)
        if (rounding == "exact" and not before) or not self._is_tame(value):
            raise Impossible
        name = f"v{len(self.program.lines)}"
        self.program.lines.append(f"{name} = {expression}")
        self.program.functions.append(kind)
        self._know(name, value, before and (rounding != "smooth" or value.dtype.kind in "iub"))

    def _is_tame(self, value: np.ndarray) -> bool:
        if value.size > MOST_ELEMENTS or value.ndim > 5 or value.dtype.name not in self.dtypes:
            return False
        if value.dtype.name not in FLOATS or not value.size:
            return True
        return bool(np.isfinite(value).all()) and float(np.abs(value).max()) <= LARGEST[value.dtype.name]

    def _assign(self) -> None:
        """Writes to a copy, or to an argument where the program may."""
        source = Draw(self.random, self.known).shaped(1)
        target, copied = next(each for each in self.known if each.name == source), ""
        if not (self.writes and source.startswith("a")):
            name = f"v{len(self.program.lines)}"
            copied = f"{name} = {source}.copy()"
            target = Known(name, target.value.copy(), target.exact)
        draw = Draw(self.random, [*self.known, target] if copied else self.known)
        statement, jumps = assignment(draw, target.name)
        exact = all(each.exact for each in draw.known if each.name in draw.used)
        # Tried on a copy first: what NumPy refuses may be half done.
        tried = self.scope | {target.name: target.value.copy()}
        with refusals():
            exec(statement, tried)
        if (jumps and not exact) or not self._is_tame(tried[target.name]):
            raise Impossible
        if copied:
            self.program.lines.append(copied)
            self._know(target.name, target.value, target.exact)
        with refusals():
            exec(statement, self.scope)
        self.program.lines.append(statement)
        self.program.functions.append("(assign)")
        if not exact:
            for each in self.known:
                each.exact = each.exact and not np.may_share_memory(each.value, target.value)


@contextmanager
def refusals() -> Iterator[None]:
    """What NumPy refuses is no statement."""
    try:
        with np.errstate(all="ignore"):
            yield
    except (ValueError, IndexError, TypeError, ArithmeticError) as problem:
        raise Impossible from problem
