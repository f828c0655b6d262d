"""What a `return` inside of a loop computes, computed behind the loop.

    while True:                             while True:
        x.append(...)                           x.append(...)
        if c:                        ->         if c: leave the loop to <return 1>
            return np.array(x)              return np.array(x)

Nothing runs between the two places, so the value is the same; and the loop neither computes it nor carries
it. What calls functions, slices or iterates is moved, and what returns whole variables, where all variables
in it have a value before the loop or count its iterations. A `return` in a `try` or `with` of the loop stays.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence

from .liveness import stored_in, walk

_LOOPS = (ast.For, ast.While)
_LATE = (ast.Call, ast.Slice, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def move_returns(function: ast.FunctionDef) -> None:
    """Rewrites the body of a function, in place."""
    nodes = walk(function)
    if not any(isinstance(node, _LOOPS) for node in nodes) or any(
        isinstance(node, (ast.Yield, ast.YieldFrom)) for node in nodes
    ):
        return
    arguments = {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}
    _Moved(stored_in(function.body) | arguments).block(function.body, arguments)


class _Moved:
    def __init__(self, own: set[str]) -> None:
        self.own = own
        """The function's own variables."""
        self.numbers = itertools.count(1)

    def block(self, body: list[ast.stmt], known: set[str]) -> None:
        """Rewrites the outermost loops of a block. `known`: the variables that statements before may have
        bound."""
        known, made = set(known), list[ast.stmt]()
        for statement in body:
            if isinstance(statement, _LOOPS):
                made += self._loop(statement, known)
            else:
                for inner in _blocks(statement):
                    self.block(inner, known)
                made.append(statement)
            known |= stored_in([statement])
        body[:] = made

    def _loop(self, loop: ast.For | ast.While, known: set[str]) -> list[ast.stmt]:
        found = [
            (place, each, f"<return {next(self.numbers)}>")
            for place, each in _returns(loop)
            if self._is_late(each.value, known, _counters(loop))
        ]
        if not found:
            return [loop]
        for (block, position), node, flag in found:
            leave = ast.copy_location(ast.Raise(None, None), node)
            leave.caught = flag  # type: ignore[attr-defined]
            block[position] = leave
        flags = [flag for _, _, flag in found]
        begin = [
            ast.copy_location(ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(False)), loop)
            for flag in flags
        ]
        inside = ast.copy_location(ast.Try([loop], [], [], []), loop)
        inside.flags, inside.kinds = tuple(flags), ()  # type: ignore[attr-defined]
        behind: list[ast.stmt] = []
        if _is_endless(loop):
            *found, (_, last, _) = found
            behind = [last]
        for _, node, flag in reversed(found):
            test = ast.copy_location(ast.Name(flag, ast.Load()), node)
            behind = [ast.copy_location(ast.If(test, [node], behind), node)]
        return [*begin, inside, *behind]

    def _is_late(self, value: ast.expr | None, known: set[str], counters: set[str]) -> bool:
        """Whether an expression is computed behind the loop."""
        if value is None:
            return False
        nodes = walk(value)
        names = [node for node in nodes if isinstance(node, ast.Name)]
        bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        if (
            any(isinstance(node, (ast.NamedExpr, ast.Await)) for node in nodes)
            or not self.own.intersection(node.id for node in names) <= known | counters | bound
        ):
            return False
        members = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
        whole = {each.id for each in members if isinstance(each, ast.Name)}
        return bool(whole & self.own & known) or any(isinstance(node, _LATE) for node in nodes)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Returns the blocks of a statement that is no loop."""
    if isinstance(statement, (ast.If, ast.With, ast.Try, ast.TryStar)):
        for name in ("body", "orelse", "finalbody"):
            yield getattr(statement, name, [])
    if isinstance(statement, (ast.Try, ast.TryStar)):
        for handler in statement.handlers:
            yield handler.body
    if isinstance(statement, ast.Match):
        for case in statement.cases:
            yield case.body


def _returns(loop: ast.For | ast.While) -> list[tuple[tuple[list[ast.stmt], int], ast.Return]]:
    """Returns the `return` statements of a loop's body outside of `try` and `with`, with their places."""
    found = []
    pending: list[list[ast.stmt]] = [loop.body]
    for block in pending:
        for position, statement in enumerate(block):
            if isinstance(statement, ast.Return):
                found.append(((block, position), statement))
            elif isinstance(statement, _LOOPS):
                pending += [statement.body, statement.orelse]
            elif isinstance(statement, (ast.If, ast.Match)):
                pending += _blocks(statement)
    return found


def _counters(loop: ast.For | ast.While) -> set[str]:
    """Returns the variables that count the iterations of a loop."""
    if not (isinstance(loop, ast.For) and isinstance(loop.iter, ast.Call)):
        return set()
    named = loop.iter.func.id if isinstance(loop.iter.func, ast.Name) else ""
    target: ast.expr = loop.target
    if named == "enumerate" and isinstance(target, ast.Tuple):
        target = target.elts[0]
    elif named != "range":
        return set()
    return {target.id} if isinstance(target, ast.Name) else set()


def _is_endless(loop: ast.For | ast.While) -> bool:
    """Whether only what was moved ends a loop."""
    if not (isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant) and loop.test.value):
        return False
    return not _leaves(loop.body, True)


def _leaves(body: Sequence[ast.stmt], is_own: bool) -> bool:
    """Whether a block has a `break` of the loop, or a `return`."""
    for statement in body:
        if isinstance(statement, ast.Return) or (is_own and isinstance(statement, ast.Break)):
            return True
        if isinstance(statement, _LOOPS):
            found = _leaves(statement.body, False) or _leaves(statement.orelse, is_own)
        else:
            found = any(_leaves(block, is_own) for block in _blocks(statement))
        if found:
            return True
    return False
