"""Variables that may have no value where they are read: each gets a flag that says whether it has one.

    if c: y = 1             <set y> = False
    return y         ->     if c: y = 1; <set y> = True
                            return hooks.given("y", <set y>, y)

so that conditions and loops carry such a variable as they do others, whatever it holds on the ways without a
value. Forward over a function whose exits are lowered. A `for` is taken to run: where it may not, its
variables are `Unsure` afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .codes import flag_of
from .liveness import read_in_nested, stored_in, walk

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OTHERS = (ast.Try, ast.TryStar, ast.AsyncWith, ast.Match)


def note_assigned(function: ast.FunctionDef, hooks: str, parameters: Sequence[str]) -> None:
    """Adds the flags of a function, in place; none where handlers may see what reading raises."""
    if any(isinstance(node, _OTHERS) for node in walk(function)):
        return
    found = _Doubts(stored_in(function.body) - set(parameters))
    found.block(function.body, set())
    names = found.names - read_in_nested(function) - _stored_otherwise(function)
    if names:
        writer = _Flags(names, hooks)
        first = function.body[0]
        begin = [_assign(name, False, first) for name in sorted(names)]
        function.body = [*begin, *writer.block(function.body)]


def _stored_otherwise(function: ast.FunctionDef) -> set[str]:
    """Names that this function or a nested one binds by other means than assignments and loops."""
    plain: set[int] = set()
    for node in walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, _SIMPLE):
            plain |= {id(name) for target in targets if target is not None for name in walk(target)}
    found: set[str] = set()
    for node in walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in plain:
            found.add(node.id)
    return found


class _Doubts:
    """Definite-assignment analysis: finds the names that may be unbound where they are read."""

    def __init__(self, own: set[str]) -> None:
        self.own = own
        self.names: set[str] = set()

    def block(self, body: Sequence[ast.stmt], known: set[str]) -> set[str]:
        """The names that are definitely assigned after statements; `known`: those before."""
        for statement in body:
            known = self.statement(statement, known)
        return known

    def statement(self, node: ast.stmt, known: set[str]) -> set[str]:
        if isinstance(node, ast.If):
            self._read(node.test, known)
            if isinstance(node.test, ast.Constant) and node.test.value:
                return self.block(node.body, known)
            arms = [self.block(arm, known) for arm in (node.body, node.orelse)]
            ends = [bool(arm) and isinstance(arm[-1], ast.Raise) for arm in (node.body, node.orelse)]
            if any(ends):
                return arms[0] if ends[1] else arms[1]
            return arms[0] & arms[1]
        if isinstance(node, ast.While):
            self._read(node.test, known)
            after = self.block(node.body, known)
            return after if isinstance(node.test, ast.Constant) else known
        if isinstance(node, ast.For):
            self._read(node.iter, known)
            return self.block(node.body, known | stored_in([node.target]))
        if isinstance(node, ast.With):
            for item in node.items:
                self._read(item, known)
            return self.block(node.body, known | stored_in(node.items))
        if isinstance(node, _SCOPES):
            return known | {node.name}
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._doubt(node.target.id, known)
        self._read(node, known)
        return known | stored_in([node])

    def _read(self, node: ast.AST, known: set[str]) -> None:
        for each in walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                self._doubt(each.id, known)

    def _doubt(self, name: str, known: set[str]) -> None:
        if name in self.own and name not in known and not name.startswith("<"):
            self.names.add(name)


class _Flags(ast.NodeTransformer):
    """Inserts a flag assignment wherever a variable is bound, and a check of the flag wherever it is read."""

    def __init__(self, names: set[str], hooks: str) -> None:
        self.names = names
        self.hooks = hooks

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [made for statement in body for made in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, _SCOPES):
            return [node]
        if isinstance(node, ast.With):
            node.items = [self.visit(item) for item in node.items]
            node.body = self.block(node.body)
            return [node]
        if isinstance(node, (ast.If, ast.While, ast.For)):
            if isinstance(node, ast.For):
                node.iter = self.visit(node.iter)
                first = [_assign(name, True, node) for name in self._bound(node.target)]
                node.body = [*first, *self.block(node.body)]
            else:
                node.test = self.visit(node.test)
                node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return [node]
        before: list[ast.stmt] = []
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            if name in self.names:
                read = self.visit_Name(ast.copy_location(ast.Name(name, ast.Load()), node))
                before.append(ast.copy_location(ast.Expr(read), node))
        statement: ast.stmt = self.visit(node)
        return [*before, statement, *(_assign(name, True, node) for name in self._bound(node))]

    def _bound(self, node: ast.AST) -> list[str]:
        if isinstance(node, ast.AnnAssign) and node.value is None:
            return []
        return sorted(stored_in([node]) & self.names)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names or not isinstance(node.ctx, ast.Load):
            return node
        hook = ast.Attribute(ast.Name(self.hooks, ast.Load()), "given", ast.Load())
        flag = ast.Name(flag_of(node.id), ast.Load())
        call = ast.Call(hook, [ast.Constant(node.id), flag, node], [])
        return ast.copy_location(call, node)


def _assign(name: str, value: bool, at: ast.stmt) -> ast.stmt:
    node = ast.Assign([ast.Name(flag_of(name), ast.Store())], ast.Constant(value))
    return ast.copy_location(node, at)
