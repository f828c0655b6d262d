"""What a random program of control flow does under `jit`, beside what Python does, and its shortest form."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.errors import JitframeError
from tests.fuzz.control import COLUMNS, NAMES, ROWS, SIZE

_DTYPES = {"cpu": ("float64", "int64"), "opencl": ("float64", "int64"), "webgpu": ("float32", "int32")}
"""Of floats and integers."""


def arguments(seed: int, device: str) -> tuple[np.ndarray, ...]:
    made = np.random.default_rng(seed)
    floats, integers = _DTYPES[device]
    return (
        made.integers(0, 12, SIZE).astype(floats), made.integers(0, 5, 2).astype(integers),
        made.integers(0, 9, (ROWS, COLUMNS)).astype(floats), made.integers(0, 9, SIZE).astype(np.uint8),
        made.integers(0, 7, SIZE).astype(np.float32),
    )  # fmt: skip


class _Counted(ast.NodeTransformer):
    """Counts the iterations of all loops."""

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node, (ast.For, ast.While)):
            node.body.insert(0, ast.parse("turns[0] += 1").body[0])
        return node


class Compared:
    """A program, to be run by Python and under `jit`."""

    def __init__(self, text: str, name: str, device: str) -> None:
        self.device = device
        self.turns = [0]
        """Iterations of loops so far, in a list."""
        file = f"<control {name}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        self.function = _function(text, file)
        self.counted = _function(_Counted().visit(ast.parse(text)), file, turns=self.turns)
        self.jitted = jf.jit(self.function) if device == "cpu" else jf.jit(self.function, device=device)

    def difference(self, seed: int, calls: Sequence[int] = (0, 1, 0)) -> str:
        """What it does otherwise under `jit`; "" where it does the same. Nothing is left to Python."""
        for call in calls:
            found = self._of_call(seed + call)
            if found:
                return f"call {call}: {found}"
        return ""

    def _of_call(self, seed: int) -> str:
        mine, its = arguments(seed, self.device), arguments(seed, self.device)
        expected = None
        try:
            with np.errstate(all="ignore"):
                expected = self.counted(*its)
        except (AssertionError, ValueError, IndexError, ZeroDivisionError, OverflowError) as error:
            raised = error
        try:
            found = self.jitted(*mine)
        except JitframeError as error:
            if expected is None and isinstance(error, type(raised)):
                return ""
            return f"{type(error).__name__}: {error.message}"
        except (AssertionError, ValueError, ZeroDivisionError) as error:
            if expected is None and type(error) is type(raised):
                return ""
            return f"raises {error!r}"
        if expected is None:
            return f"raises no {raised!r}"
        pairs = zip((*NAMES, *"xkmwq"), (*found, *mine), (*expected, *its), strict=True)
        for name, one, other in pairs:
            same_kind = np.asarray(one).dtype.kind == np.asarray(other).dtype.kind
            if not same_kind or not np.array_equal(one, other):
                return f"{name} is {one!r}, not {other!r}"
        return ""


def _function(code: str | ast.AST, file: str, **names: Any) -> Callable[..., Any]:
    names.update(np=np, __name__=__name__)
    if isinstance(code, ast.AST):
        ast.fix_missing_locations(code)
    exec(compile(code, file, "exec"), names)  # type: ignore[arg-type]
    found: Callable[..., Any] = names["program"]
    return found


def shortest(text: str, seed: int, device: str) -> str:
    """A program without what it goes wrong without: statements, one at a time, as long as that helps."""

    def wrong(candidate: str) -> str:
        try:
            found = Compared(candidate, str(seed), device).difference(seed)
        except Exception:  # of Python, too: then it is another program
            return ""
        return found.partition(":")[2].split()[0] if found else ""

    kind = wrong(text)
    smaller = True
    while smaller and kind:
        smaller = False
        for candidate in shorter(text):
            if wrong(candidate) == kind:
                text, smaller = candidate, True
                break
    return text


def shorter(text: str, of_module: bool = False) -> Generator[str, bool | None]:
    """The program without one statement, or with what is in it in its place; True is sent to keep it so."""
    tree = ast.parse(text)
    fields = [
        (name, getattr(node, name))
        for node in ast.walk(tree)
        for name in ("body", "orelse")
        if isinstance(getattr(node, name, None), list) and (of_module or not isinstance(node, ast.Module))
    ]
    for name, block in fields:
        for place in reversed(range(len(block))):
            statement, before = block[place], list(block)
            if isinstance(statement, (ast.Return, ast.Pass)):
                continue
            whole = isinstance(statement, (ast.FunctionDef, ast.ClassDef))
            inner = [] if whole else [getattr(statement, "body", [])]
            for instead in ([], *inner):
                block[place : place + 1] = instead
                if not block and name == "body":
                    block.append(ast.Pass())
                if (yield ast.unparse(tree) + "\n"):
                    break
                block[:] = before
