"""Random NumPy functions as source text: elementwise, slices, reductions, where, reshape, assignment.

A program is a list of statements over named arrays whose shapes are known while it is made, so that every
one is valid NumPy. Values stay moderate, and integers are kept apart from division by zero warnings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.foundations.layouts import LAYOUTS, broadcast, laid_out

EXTENTS = [1, 2, 3, 5, 7, 16, 17, 33]
STATEMENTS = ["elementwise", "elementwise", "where", "reduce", "move", "slice_", "assign", "make"]
DTYPES = ["bool", "uint8", "int32", "int64", "float32", "float64"]


@dataclass(frozen=True)
class Known:
    """A name of the program and what it is bound to."""

    name: str
    shape: tuple[int, ...]
    dtype: str


@dataclass
class Program:
    """The text of a function `program(...)`, and its arguments."""

    arguments: list[np.ndarray]
    lines: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        names = ", ".join(f"a{number}" for number in range(len(self.arguments)))
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"def program({names}):\n{body}    return {', '.join(self.results)},\n"

    def function(self) -> Callable[..., Any]:
        scope: dict[str, Any] = {"np": np}
        exec(compile(self.text, "<random program>", "exec"), scope)
        function: Callable[..., Any] = scope["program"]
        return function


class Maker:
    """Draws one program."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], writes: bool) -> None:
        self.draw = draw
        self.writes = writes
        self.program = Program([])
        self.known: list[Known] = []
        self.written: set[str] = set()
        self.fails = False

    def pick(self, choices: list[Any]) -> Any:
        return self.draw(st.sampled_from(choices))

    def argument(self) -> None:
        shape = tuple(self.draw(st.lists(st.sampled_from(EXTENTS), min_size=0, max_size=3)))
        if int(np.prod(shape)) > 2000:
            shape = shape[:2]
        dtype = self.pick(DTYPES)
        random = np.random.default_rng(self.draw(st.integers(0, 1000)))
        doubled = tuple(2 * extent for extent in shape)
        values = random.integers(0, 2 if dtype == "bool" else 9, doubled).astype(dtype)
        if dtype.startswith("float"):
            values += random.standard_normal(doubled).astype(dtype)
        array = laid_out(values, shape, self.pick(list(LAYOUTS)))
        self.known.append(Known(f"a{len(self.program.arguments)}", shape, dtype))
        self.program.arguments.append(array)

    def bind(self, expression: str) -> None:
        """A new name for an expression; its shape and dtype are what NumPy makes of it."""
        name = f"v{len(self.program.lines)}"
        self.program.lines.append(f"{name} = {expression}")
        scope: dict[str, Any] = {"np": np}
        for known in self.known:
            scope[known.name] = np.ones(known.shape, known.dtype)
        try:
            with np.errstate(all="ignore"):
                value = np.asarray(eval(expression, scope))
        except (IndexError, ValueError):
            # NumPy refuses it (an index of an empty axis): jitframe must too.
            self.fails = True
            return
        if value.size <= 4000 and value.dtype.name in DTYPES:
            self.known.append(Known(name, value.shape, value.dtype.name))
        else:
            self.program.lines.pop()

    def statement(self) -> None:
        getattr(self, self.pick(STATEMENTS))()

    def fitting(self, x: Known) -> Known | None:
        fits = [each for each in self.known if broadcast(each.shape, x.shape) is not None]
        return self.pick(fits) if fits else None

    def elementwise(self) -> None:
        x: Known = self.pick(self.known)
        if self.draw(st.booleans()):
            unary = (
                ["np.abs({})", "np.floor({})", "np.square({})"]
                if x.dtype != "bool"
                else ["~{}", "np.logical_not({})"]
            )
            if x.dtype.startswith("float"):
                unary += [
                    "np.sqrt(np.abs({}))",
                    "-{}",
                    "np.isnan({})",
                    "np.minimum({}, 2.5)",
                    "np.clip({}, -1, 3)",
                ]
            self.bind(self.pick(unary).format(x.name))
            return
        y = self.fitting(x)
        right = y.name if y is not None else self.pick(["2", "3", "-1"])
        names = {x.dtype, y.dtype if y is not None else x.dtype}
        operators = ["<", ">=", "==", "!="]
        if "bool" not in names and not (right == "-1" and "uint8" in names):
            operators += ["+", "-", "*", "+", "*"]
            operators += (
                ["/"]
                if names <= {"float32", "float64"}
                else ["&", "|"]
                if names <= {"int32", "int64"}
                else []
            )
        elif names == {"bool"} and y is not None:
            operators += ["&", "|", "^"]
        elif right == "-1":
            operators, right = ["+", "*"], "1"
        self.bind(f"{x.name} {self.pick(operators)} {right}")

    def where(self) -> None:
        x: Known = self.pick(self.known)
        y = self.fitting(x)
        if y is not None:
            self.bind(f"np.where({x.name} > {self.pick(['1', '0', '3'])}, {x.name}, {y.name})")

    def reduce(self) -> None:
        x: Known = self.pick(self.known)
        axis = self.pick([None, *range(-len(x.shape), len(x.shape))])
        name = self.pick(["sum", "max", "min", "mean", "any", "all"])
        dtype = ", dtype=np.int64" if x.dtype == "uint8" and name == "sum" else ""
        kept = ", keepdims=True" if self.draw(st.booleans()) else ""
        self.bind(f"np.{name}({x.name}, axis={axis}{dtype}{kept})")

    def move(self) -> None:
        x: Known = self.pick(self.known)
        moves = [
            "{}.T",
            "{}.reshape(-1)",
            "np.broadcast_to({0}, (2, *{0}.shape))",
            "{}.copy()",
            "{}.astype(np.float32)",
        ]
        if x.shape:
            moves += ["{}[None]", "np.expand_dims({}, -1)", "np.flip({})", "np.concatenate([{0}, {0}])"]
            moves += [
                "np.stack([{0}, {0}], axis=1)",
                "{0}.reshape({0}.shape[0], -1)",
                "np.roll({}, 1, axis=0)",
            ]
        self.bind(self.pick(moves).format(x.name))

    def slice_(self) -> None:
        x: Known = self.pick(self.known)
        if x.shape:
            self.bind(f"{x.name}[{self.index(x)}]")

    def index(self, x: Known) -> str:
        parts = [
            self.pick([":", "::2", "::-1", "1:", ":-1", "-1", "0", "0:0", ":3", f"{extent // 2}:", "1:0:-1"])
            for extent in x.shape[: self.draw(st.integers(1, len(x.shape)))]
        ]
        return ", ".join(parts) + ("" if len(parts) > 1 else ",")

    def make(self) -> None:
        x: Known = self.pick(self.known)
        self.bind(
            self.pick(["np.zeros_like({})", "np.full({}.shape, 2.5)", "np.arange({}.size)"]).format(x.name)
        )

    def assign(self) -> None:
        """Write through an index: to a copy, or to an argument where the program may."""
        x: Known = self.pick(self.known)
        if not (self.writes and x.name.startswith("a")):
            self.bind(f"{x.name}.copy()")
            x = self.known[-1]
        if self.fails or not x.shape or x.name in self.written:
            return
        self.written.add(x.name)
        value = {"bool": "True", "uint8": "3"}.get(x.dtype, "7")
        operator = self.pick(["=", "+="]) if x.dtype != "bool" else "="
        self.program.lines.append(f"{x.name}[{self.index(x)}] {operator} {value}")


@st.composite
def programs(draw: Callable[[st.SearchStrategy[Any]], Any], writes: bool) -> Program:
    """A program of up to twelve statements; with `writes` it may assign to its one to three arguments."""
    maker = Maker(draw, writes)
    for _ in range(draw(st.integers(1, 3))):
        maker.argument()
    for _ in range(draw(st.integers(2, 12))):
        if not maker.fails:
            maker.statement()
    made = [known.name for known in maker.known]
    maker.program.results = draw(st.lists(st.sampled_from(made[-4:]), min_size=1, max_size=3))
    return maker.program
