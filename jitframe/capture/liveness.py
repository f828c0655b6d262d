"""Liveness analysis: the names read after each statement. Only live names become the state of loops and
branches.

Backward over a function whose exits are lowered. Every `if` and loop gets a field `live_after`, and a loop
`live_head`: names that are read by a further iteration or after it. Names that nested functions read count as
read everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

Names = frozenset[str]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LEAVES = frozenset((ast.Name, ast.Constant))
"""Nodes with none below them, but for contexts."""


def children(node: ast.AST) -> list[ast.AST]:
    """Returns the child nodes of a node, like `ast.iter_child_nodes`, without contexts (`ast.Load`)."""
    nodes: list[ast.AST] = []
    if node.__class__ in _LEAVES:  # most nodes, and a captured function is traversed a dozen times
        return nodes
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            nodes += [each for each in value if isinstance(each, ast.AST)]
        elif name != "ctx" and isinstance(value, ast.AST):
            nodes.append(value)
    return nodes


def walk(node: ast.AST) -> list[ast.AST]:
    """Returns a node and its descendants, like `ast.walk`."""
    nodes = [node]
    for each in nodes:
        if each.__class__ not in _LEAVES:
            nodes += children(each)
    return nodes


def note_live_names(function: ast.FunctionDef) -> None:
    """Annotates all statements of a function with these fields."""
    shared = {
        name for node in walk(function) if isinstance(node, (ast.Nonlocal, ast.Global)) for name in node.names
    }
    _Liveness(read_in_nested(function) | shared).block(function.body, frozenset())


def stored_in(statements: Iterable[ast.AST]) -> set[str]:
    """The names that statements bind in their own scope."""
    found: set[str] = set()
    pending: list[ast.AST] = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                found.add(node.id)
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            pending += node.decorator_list
            continue
        elif isinstance(node, ast.Lambda):
            continue
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            # Its targets are its own, what `:=` binds is not.
            found |= {each.target.id for each in walk(node) if isinstance(each, ast.NamedExpr)}
            continue
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(name.asname or name.name).partition(".")[0] for name in node.names}
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
        pending += children(node)
    return found


def _loads(node: ast.AST) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def read_in_nested(function: ast.FunctionDef) -> Names:
    """The names that nested functions, classes and generators read."""
    found: set[str] = set()
    for node in walk(function):
        if node is not function and isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.GeneratorExp)):
            found |= _loads(node)
    return frozenset(found)


class _Liveness:
    def __init__(self, always: Names) -> None:
        self.always = always
        self._read: dict[ast.AST, set[str]] = {}
        """The names read in nodes: those of loops are visited several times."""

    def _loads(self, node: ast.AST | None) -> set[str]:
        if node is None:
            return set()
        found = self._read.get(node)
        if found is None:
            found = self._read[node] = _loads(node)
        return found

    def block(self, body: Sequence[ast.stmt], after: Names) -> Names:
        for statement in reversed(body):
            after = self.statement(statement, after | self.always)
        return after

    def statement(self, node: ast.stmt, after: Names) -> Names:
        if isinstance(node, ast.If):
            node.live_after = after  # type: ignore[attr-defined]
            return self.block(node.body, after) | self.block(node.orelse, after) | self._loads(node.test)
        if isinstance(node, (ast.For, ast.While)):
            return self._loop(node, after)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            inner = self.block(node.body, after)
            return inner.union(*(self._loads(item) for item in node.items))
        if isinstance(node, (ast.Try, ast.TryStar)):
            whole = after | self._loads(node)
            for body in (
                node.body,
                node.orelse,
                node.finalbody,
                *(handler.body for handler in node.handlers),
            ):
                self.block(body, whole)
            return whole
        if isinstance(node, ast.Match):
            found = after | self._loads(node.subject)
            for case in node.cases:
                found |= self.block(case.body, after) | self._loads(case.guard) | self._loads(case.pattern)
            return found
        if isinstance(node, ast.Return):
            return self.always | self._loads(node.value)
        read = self._loads(node)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read = read | {node.target.id}
        killed = set()
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            killed = stored_in(targets) if getattr(node, "value", None) is not None else set()
        return (after - killed) | read

    def _loop(self, node: ast.For | ast.While, after: Names) -> Names:
        node.live_after = after  # type: ignore[union-attr]
        before = frozenset(self._loads(node.test)) if isinstance(node, ast.While) else frozenset()
        before |= frozenset(node.stops)  # type: ignore[union-attr]
        killed = stored_in([node.target]) if isinstance(node, ast.For) else set()
        head = after | before
        for _ in range(2):
            head = after | before | (self.block(node.body, head) - killed)
        node.live_head = head  # type: ignore[union-attr]
        return head | self._loads(node.iter) if isinstance(node, ast.For) else head
