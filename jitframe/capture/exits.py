"""`return`, `break` and `continue` as assignments to flags, so that every block runs to its end.

The statements after one that may set a flag are put under a condition that none is set; where an arm of an
`if` always leaves the block, they move into the other arm instead.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .codes import VALUE
from .handled import lower_tries
from .late_returns import move_returns
from .liveness import children, walk

DONE = "<done>"
"""The flag that the function has returned."""

_LOOPS = (ast.For, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class CannotCapture(Exception):
    """A function that this rewriting cannot handle."""


def lower_exits(function: ast.FunctionDef) -> None:
    """Rewrites the body of a function, in place. Loops get a field `stops`: the flags that end them."""
    move_returns(function)
    lower_tries(function)
    body = function.body
    if not _exits_inside(body):
        for node in walk(function):
            if isinstance(node, _LOOPS):
                node.stops = ()  # type: ignore[union-attr]
        return
    if not _always_exits(body):
        body = [*body, ast.copy_location(ast.Return(None), body[-1])]
    statements, _ = _Exits().block(body, None)
    first, last = function.body[0], function.body[-1]
    function.body = [
        _assign(DONE, ast.Constant(False), first),
        *statements,
        ast.copy_location(ast.Return(_load(VALUE)), last),
    ]


def _exits_inside(body: Sequence[ast.stmt]) -> bool:
    """Whether anything but the last statement leaves a block before its end, or a loop has an `else`."""
    pending: list[ast.AST] = [*body[:-1], *([] if isinstance(body[-1], ast.Return) else [body[-1]])]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Return, ast.Break, ast.Continue)) or _flag_caught(node) is not None:
            return True
        if isinstance(node, _LOOPS) and node.orelse:
            return True
        if not isinstance(node, _SCOPES):
            pending += children(node)
    return False


def _always_exits(body: Sequence[ast.stmt]) -> bool:
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return _always_exits(last.body) and _always_exits(last.orelse)
    if isinstance(last, (ast.With, ast.AsyncWith)):
        return _always_exits(last.body)
    if isinstance(last, _LOOPS):
        endless = (
            isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
        )
        return (endless or _always_exits(last.orelse)) and not _breaks(last.body)
    return isinstance(last, (ast.Return, ast.Break, ast.Continue)) or _flag_caught(last) is not None


def _flag_caught(node: ast.AST) -> str | None:
    """The flag of the handler that a `raise` goes to (see `handled`)."""
    return getattr(node, "caught", None)


def _breaks(body: Sequence[ast.stmt]) -> bool:
    """Whether a `break` ends the loop whose body this is."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, _LOOPS):
            pending += node.orelse
        elif not isinstance(node, _SCOPES):
            pending += children(node)
    return False


class _Exits:
    def __init__(self) -> None:
        self.loops = 0

    def block(self, body: Sequence[ast.stmt], loop: int | None) -> tuple[list[ast.stmt], set[str]]:
        """Returns the rewritten statements, and the flags that they may have set."""
        statements: list[ast.stmt] = []
        flags: set[str] = set()
        for position, statement in enumerate(body):
            rest = body[position + 1 :]
            if isinstance(statement, ast.Return):
                value = statement.value or ast.copy_location(ast.Constant(None), statement)
                statements += [_assign(VALUE, value, statement), _assign(DONE, ast.Constant(True), statement)]
                return statements, flags | {DONE}
            if (caught := _flag_caught(statement)) is not None:
                statements.append(_assign(caught, ast.Constant(True), statement))
                return statements, flags | {caught}
            if isinstance(statement, (ast.Break, ast.Continue)):
                flag = f"<{'break' if isinstance(statement, ast.Break) else 'skip'} {loop}>"
                statements.append(_assign(flag, ast.Constant(True), statement))
                return statements, flags | {flag}
            if isinstance(statement, ast.If) and rest:
                ends = _always_exits(statement.body), _always_exits(statement.orelse)
                if any(ends):
                    both = (
                        (statement.body, [*statement.orelse, *rest])
                        if ends[0]
                        else ([*statement.body, *rest], statement.orelse)
                    )
                    moved = ast.copy_location(ast.If(statement.test, *both), statement)
                    found = self.statement(moved, loop, statements)
                    return statements, flags | found
            found = self.statement(statement, loop, statements)
            flags |= found
            if found and rest:
                inner, more = self.block(rest, loop)
                statements.append(_guarded(found, inner, rest[0]))
                return statements, flags | more
        return statements, flags

    def statement(self, statement: ast.stmt, loop: int | None, made: list[ast.stmt]) -> set[str]:
        if isinstance(statement, _LOOPS):
            return self._loop(statement, loop, made)
        flags: set[str] = set()
        if isinstance(statement, ast.If):
            statement.body, flags = self._inner(statement.body, loop)
            if statement.orelse:
                statement.orelse, more = self._inner(statement.orelse, loop)
                flags = flags | more
        elif isinstance(statement, ast.Try) and hasattr(statement, "flags"):
            return self._handled(statement, loop, made)
        elif isinstance(statement, (ast.Try, ast.TryStar)):
            flags = self._try(statement, loop)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            statement.body, flags = self._inner(statement.body, loop)
        elif isinstance(statement, ast.Match):
            for case in statement.cases:
                case.body, more = self._inner(case.body, loop)
                flags |= more
        made.append(statement)
        return flags

    def _inner(self, body: Sequence[ast.stmt], loop: int | None) -> tuple[list[ast.stmt], set[str]]:
        statements, flags = self.block(body, loop)
        return statements, flags

    def _loop(self, statement: ast.For | ast.While, outer: int | None, made: list[ast.stmt]) -> set[str]:
        self.loops += 1
        number = self.loops
        body, flags = self.block(statement.body, number)
        leave, skip = f"<break {number}>", f"<skip {number}>"
        if skip in flags:
            body = [_assign(skip, ast.Constant(False), statement), *body]
        stops = [flag for flag in sorted(flags) if flag not in (skip, leave)]
        stops = [*([leave] if leave in flags else []), *stops]
        if leave in flags:
            made.append(_assign(leave, ast.Constant(False), statement))
        orelse, statement.orelse = statement.orelse, []
        statement.body = body
        statement.stops = tuple(stops)  # type: ignore[union-attr]
        made.append(statement)
        outside = flags - {leave, skip}
        if orelse:
            inner, more = self.block(orelse, outer)
            made.append(_guarded(set(stops), inner, orelse[0]) if stops else _block(inner, orelse[0]))
            outside |= more
        return outside

    def _handled(self, statement: ast.Try, loop: int | None, made: list[ast.stmt]) -> set[str]:
        """Returns the rewritten statements of a `try` whose handlers have flags."""
        inner, flags = self.block(statement.body, loop)
        body = _block(inner, statement)
        if statement.kinds:  # type: ignore[attr-defined]
            body.kinds = statement.kinds  # type: ignore[attr-defined]
        made.append(body)
        if statement.orelse:
            inner, more = self.block(statement.orelse, loop)
            made.append(_guarded(flags, inner, statement.orelse[0]))
            flags = flags | more
        return flags.difference(statement.flags)  # type: ignore[attr-defined]

    def _try(self, statement: ast.Try | ast.TryStar, loop: int | None) -> set[str]:
        statement.body, flags = self._inner(statement.body, loop)
        if statement.orelse:
            inner, more = self._inner(statement.orelse, loop)
            statement.orelse = [_guarded(flags, inner, statement.orelse[0])] if flags else inner
            flags = flags | more
        for handler in statement.handlers:
            handler.body, more = self._inner(handler.body, loop)
            flags = flags | more
        if statement.finalbody:
            statement.finalbody, more = self._inner(statement.finalbody, loop)
            if more:
                raise CannotCapture("return, break or continue in a finally")
        return flags


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr, like: ast.stmt) -> ast.stmt:
    node = ast.Assign([ast.Name(name, ast.Store())], value)
    ast.copy_location(value, like) if isinstance(value, ast.Constant) else None
    return ast.copy_location(node, like)


def _guarded(flags: set[str], body: list[ast.stmt], like: ast.stmt) -> ast.stmt:
    """The statements where none of the flags is set."""
    names = [_load(flag) for flag in sorted(flags)]
    test = names[0] if len(names) == 1 else ast.BoolOp(ast.Or(), names)
    made = ast.If(ast.UnaryOp(ast.Not(), test), body, [])
    ast.copy_location(made, like)
    for node in walk(made.test):
        ast.copy_location(node, like)
    return made


def _block(body: list[ast.stmt], like: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.If(ast.copy_location(ast.Constant(True), like), body, []), like)
