"""The user's `try` and `with` statements by line, read from the source, and the exceptions that they catch.

The exceptions of a program are raised after it has run. Where a handler of the function catches one, Python
answers the call (see `fallback`), or the trace checks the value at once.
"""

from __future__ import annotations

import ast
import builtins
import functools
import linecache
import sys
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any

import numpy

from ...ir.index import looks_at_positions
from ...ir.node import Node, Region, topological
from .user_code import UserCode

Names = frozenset[str] | None
"""The exceptions that a handler catches, by the last part of each name; None: all."""
_Try = tuple[int, int, Names]
_USER_CODE = UserCode()
RAISED = (ZeroDivisionError, ValueError, OverflowError, IndexError, numpy.linalg.LinAlgError)
"""The exceptions that a program may raise at run time."""
_ERRORS: dict[str, type[Exception] | None] = {
    "index": IndexError, "linear algebra": numpy.linalg.LinAlgError, "argument": ValueError,
    "zero": ZeroDivisionError, "domain": ValueError, "overflow": OverflowError, "beyond": None,
}  # fmt: skip
"""The exceptions of Python and NumPy, by kind of fault."""
_KEEPS_NOTHING = frozenset({"errstate", "printoptions", "open", "closing", "nullcontext", "catch_warnings"})
"""Context managers that catch no exception."""
_KEEPS_THESE = frozenset({"suppress", "raises", "assertRaises"})
"""Context managers that catch the exceptions among their arguments."""
KEPT = 64
"""The most files whose statements are cached."""


@functools.lru_cache(maxsize=1024)
def has_handlers(code: CodeType) -> bool:
    """Whether a function, or one inside it, has a `try` or a `with`."""
    if code.co_exceptiontable:
        return True
    return any(isinstance(each, CodeType) and has_handlers(each) for each in code.co_consts)


class Handlers:
    """The handlers of the code that a trace runs; exceptions in them are watched meanwhile."""

    def __init__(self) -> None:
        self.are_there = False
        self._is_running = False
        self._end: Callable[[], None] | None = None

    def add(self, code: CodeType) -> None:
        if not self.are_there and has_handlers(code):
            self.are_there = True
            self._watch()

    def enter(self) -> None:
        """Marks the start of the traced code."""
        self._is_running = True
        self._watch()

    def leave(self) -> None:
        self._is_running = False
        if self._end is not None:
            self._end()
            self._end = None

    def _watch(self) -> None:
        if self._is_running and self.are_there:
            from .caught import watch_exceptions  # few functions have handlers

            self._end = watch_exceptions()


def catches(
    outputs: Iterable[Node], caught: Mapping[Node, Collection[type[Exception]]], noted: Container[Node]
) -> set[str]:
    """Returns the kinds of faults that the user's handlers catch, among those that a program may record.
    `caught`: the exceptions caught around each node's line; `noted`: nodes whose line is known."""
    found: set[str] = set()
    if not caught:
        return found
    order = topological(outputs)
    lines = _noted_users(order, noted)
    for node in order:
        for attribute in node.attributes:
            if isinstance(attribute, Region):
                found |= catches(attribute.results, caught, noted)
        if node.op.fault is None or (node.op.index_arrays and not looks_at_positions(node)):
            continue
        kind, _ = node.op.fault(node, 0, 0)
        if _ERRORS[kind] in caught.get(lines.get(node, node), ()):
            found.add(kind)
    return found


def _noted_users(order: Sequence[Node], noted: Container[Node]) -> dict[Node, Node]:
    """Returns, by node, the first one that is noted among the node and what is made of it: a function of
    several nodes has its line at its result. `order` has inputs before users."""
    first: dict[Node, int] = {}
    for place, node in reversed(tuple(enumerate(order))):
        if node in noted:
            first[node] = place
        if node in first:
            for source in node.inputs:
                first[source] = min(first[node], first.get(source, first[node]))
    return {node: order[place] for node, place in first.items()}


def idle(nodes: Sequence[Node], used: Iterable[Node]) -> list[Node]:
    """Returns the nodes that no used node is computed from, the last one of each chain."""
    reached = set(topological(tuple(used))) if nodes else set()
    found: list[Node] = []
    for node in reversed(nodes):
        if node not in reached:
            found.append(node)
            reached.update(topological((node,)))
    return found


def caught_among(errors: Iterable[type[Exception]]) -> set[type[Exception]]:
    """Returns the exceptions among `errors` that the user's handlers around the current line catch."""
    open_, found = set(errors), set[type[Exception]]()
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and open_:
        if type(frame.f_globals) is not dict:  # traced code runs over views of its globals
            if frame.f_code.co_exceptiontable:
                found |= {error for error in open_ if _catches(frame, error)}
                open_ -= found
        elif _USER_CODE.code(frame.f_code, frame.f_globals.get("__name__")):
            break  # who calls the jitted function
        frame = frame.f_back
    return found


def _catches(frame: FrameType, error: type[Exception]) -> bool:
    line, code = frame.f_lineno, frame.f_code
    flags = [each for each in (*code.co_varnames, *code.co_cellvars, *code.co_freevars) if each[0] == "<"]
    return any(
        first <= line <= last
        and _is_among(error, names)
        and not any(flag.startswith(flags_of_try(first, last)) for flag in flags)
        for first, last, names in _tries_of(frame.f_code.co_filename, frame.f_globals)
    )


def flags_of_try(first: int, last: int) -> str:
    """Returns the prefix of the variables that represent the handlers of a `try` around some lines, after its
    rewriting as conditions."""
    return f"<caught {first}-{last} "


_known: dict[str, tuple[list[str], tuple[_Try, ...]]] = {}


def _tries_of(file: str, names: dict[str, Any]) -> tuple[_Try, ...]:
    lines = linecache.getlines(file, names)
    known = _known.get(file)
    if known is None or known[0] != lines:
        if len(_known) >= KEPT:
            _known.clear()
        known = _known[file] = lines, tuple(_tries("".join(lines)))
    return known[1]


def _is_among(error: type[Exception], names: Names) -> bool:
    """Whether a handler of these names catches an exception; unknown names may be any class."""
    if names is None:
        return True
    for name in names:
        known = getattr(builtins, name, None)
        if not isinstance(known, type) or issubclass(error, known):
            return True
    return False


def swallowed(manager: ast.expr) -> Names:
    """Returns the exceptions that a context manager may catch: its arguments, or all."""
    if not isinstance(manager, ast.Call):
        return None
    name = _last_name(manager.func)
    if name in _KEEPS_NOTHING:
        return frozenset()
    return frozenset(map(_last_name, manager.args)) if name in _KEEPS_THESE else None


def _tries(source: str) -> list[_Try]:
    """Returns the first and the last line in each `try` and `with` of a file."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    found: list[_Try] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Try, ast.TryStar)):
            first, last = node.body[0], node.body[-1]
            for handler in node.handlers:
                found.append((first.lineno, last.end_lineno or last.lineno, _names(handler.type)))
        elif isinstance(node, ast.With):
            first, last = node.body[0], node.body[-1]
            for item in node.items:
                found.append((first.lineno, last.end_lineno or last.lineno, swallowed(item.context_expr)))
    return found


def _names(kind: ast.expr | None) -> Names:
    if kind is None:
        return None
    return frozenset(map(_last_name, kind.elts if isinstance(kind, ast.Tuple) else (kind,)))


def _last_name(node: Any) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
