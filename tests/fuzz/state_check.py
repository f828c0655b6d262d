"""What a random program with Python state does under `jit`, beside what Python does.

A difference is of a "value", of what is raised ("raises"), or of a "type" alone: an equal number of another
type, as is documented for numbers that branches and loops give.
"""

from __future__ import annotations

import ast
import linecache
import types
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

import jitframe as jf
from tests.fuzz.control_check import shorter
from tests.fuzz.state import GLOBALS

CALLS = (0, 1, 2, 2)
_KINDS = (np.generic, int, float, bool, str, type(None))


class Compared:
    """A program, to be run by Python and under `jit`, each with objects and classes of its own."""

    def __init__(self, text: str, name: str) -> None:
        file = f"<state {name}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        code = compile(text, file, "exec")
        self.mine, self.its = _module(code), _module(code)
        self.jitted = jf.jit(self.mine["program"])

    def difference(self) -> tuple[str, str]:
        """What kind of difference there is, and which; ("", "") where it does the same."""
        for call in CALLS:
            kind, found = self._of_call(call)
            if kind:
                return kind, f"call {call}: {found}"
            if kind is None:
                break
        return "", ""

    def _of_call(self, call: int) -> tuple[str | None, str]:
        given = []
        for names in (self.mine, self.its):
            try:
                if call:
                    names["change"](call)
                given.append(names["arguments"](call))
            except Exception:
                return None, ""
        with np.errstate(all="ignore"):
            expected, raised = _outcome(self.its["program"], given[1])
        found, error = _outcome(self.jitted, given[0])
        if type(raised).__name__ != type(error).__name__:
            if not _is_kind_of(error, raised):
                return "raises", f"raises {error!r}, not {raised!r}"
        elif type(raised).__name__ == "Refusal" and str(raised) != str(error):
            return "raises", f"raises {error!r}, not {raised!r}"
        if raised is not None:
            return None, ""  # what was written by then may be another (see the documentation)
        one = _after(found, given[0], self.mine)
        other = _after(expected, given[1], self.its)
        for left, right in zip(one, other):
            if left[1:] != right[1:]:
                kind = "type" if _same_value(left[2], right[2]) else "value"
                return kind, f"{left[0]} is {left[1:]}, not {right[1:]}"
        return ("", "") if len(one) == len(other) else ("value", "more or less is there")


def _is_kind_of(error: BaseException | None, raised: BaseException | None) -> bool:
    """An error of jitframe's may stand for one of Python's."""
    return error is not None and raised is not None and isinstance(error, type(raised))


def _module(code: types.CodeType) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": __name__}
    exec(code, names)
    return names


def _after(results: Any, given: tuple[Any, ...], names: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """Results, each by itself (an object that two of them are may be two equal ones), and the state of
    arguments, globals, functions and classes."""
    base, derived = names["Base"], names["Derived"]
    state = {name: names[name] for name in GLOBALS}
    kept = [names["keep"].__defaults__, base.scale, derived.scale, base.shared]
    found = [told for number, each in enumerate(results) for told in described(each, f"result {number}")]
    return found + described((given, state, kept), "state")


def _outcome(function: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    try:
        return function(*given), None
    except Exception as error:
        return None, error.with_traceback(None)


def _same_value(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:
        return False


def described(thing: Any, name: str) -> list[tuple[str, str, Any]]:
    """All that can be reached: where, of what type, its value; objects met again by their number."""
    found: list[tuple[str, str, Any]] = []
    met: dict[int, int] = {}
    pending: list[tuple[str, Any]] = [(name, thing)]
    while pending:
        where, each = pending.pop()
        kind = type(each).__name__
        if isinstance(each, np.ndarray) and each.dtype != object:
            found.append(
                (where, f"{kind} {each.dtype} {each.shape}", np.nan_to_num(each, nan=-77.5).tolist())
            )
            continue
        if isinstance(each, _KINDS):
            plain = each.item() if isinstance(each, np.generic) else each
            found.append((where, kind, "nan" if plain != plain else plain))
            continue
        if not isinstance(each, tuple):
            if id(each) in met:
                found.append((where, kind, ("again", met[id(each)])))
                continue
            met[id(each)] = len(met)
        inner: dict[Any, Any] = {}
        if isinstance(each, list | tuple):
            inner = dict(enumerate(each))
        elif isinstance(each, dict):
            inner = each
        elif not isinstance(each, type | types.FunctionType | types.MethodType):
            inner = getattr(each, "__dict__", {})
        found.append((where, kind, [str(key) for key in inner]))
        pending += [(f"{where}.{key}", value) for key, value in inner.items()]
    return found


def shortest(text: str) -> str:
    """A program without what it differs without."""

    def kind_of(candidate: str) -> str:
        try:
            ast.parse(candidate)
            return Compared(candidate, "short").difference()[0]
        except Exception:  # then it is another program
            return ""

    kind, smaller = kind_of(text), True
    while smaller and kind:
        smaller = False
        for candidates in (shorter(text, of_module=True), _simpler(text)):
            candidate: str | None = next(candidates, None)
            while candidate is not None:
                is_kept = len(candidate) < len(text) and kind_of(candidate) == kind
                if is_kept:
                    text, smaller = candidate, True
                try:
                    candidate = candidates.send(is_kept)
                except StopIteration:
                    break
    return text


def _simpler(text: str) -> Generator[str, bool | None]:
    """With one expression less: fewer results, one operand of two."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
            for each in list(node.elts):
                if len(node.elts) > 1:
                    before = node.elts
                    node.elts = [other for other in before if other is not each]
                    if not (yield ast.unparse(tree) + "\n"):
                        node.elts = before
        for name, value in list(ast.iter_fields(node)):
            if isinstance(value, ast.BinOp | ast.BoolOp | ast.IfExp | ast.NamedExpr | ast.UnaryOp):
                for inner in [each for each in ast.iter_child_nodes(value) if isinstance(each, ast.expr)]:
                    setattr(node, name, inner)
                    if (yield ast.unparse(tree) + "\n"):
                        break
                    setattr(node, name, value)
