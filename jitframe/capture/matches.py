"""`match` statements as chains of `if`: patterns of values, alternatives, captures and sequences of a fixed
length.

    match s:                           <subject 1> = s
        case 0 | 1: A         ->       if <subject 1> == 0 or <subject 1> == 1: A
        case (x, y) if x > y: B        else:
                                           <matches 2> = False
                                           if <hooks>.is_sequence(<subject 1>, 2):
                                               x, y = <subject 1>; <matches 2> = x > y
                                           if <matches 2>: B

Other patterns stay as they are, with their statement.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence


def lower_matches(function: ast.FunctionDef, hooks: str) -> None:
    """Lowers the `match` statements of a function in place; nested functions are lowered on their own."""
    lowering = _Matches(hooks)
    function.body = [statement for node in function.body for statement in lowering.statements(node)]


class _Unsupported(Exception):
    """A pattern that cannot be lowered."""


class _Pattern:
    """A lowered pattern: the tests of the subject, and the names bound where they hold."""

    def __init__(self) -> None:
        self.tests: list[ast.expr] = []
        self.bound: list[tuple[str, ast.expr]] = []


class _Matches(ast.NodeTransformer):
    def __init__(self, hooks: str) -> None:
        self.hooks = hooks
        self.count = 0

    def statements(self, node: ast.stmt) -> list[ast.stmt]:
        made = self.visit(node)
        return made if isinstance(made, list) else [made]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        self.generic_visit(node)
        subject = self._name("subject")
        try:
            patterns = [self._pattern(case.pattern, _load(subject)) for case in node.cases]
        except _Unsupported:
            return [node]
        rest: list[ast.stmt] = []
        for case, pattern in zip(reversed(node.cases), reversed(patterns), strict=True):
            rest = self._case(case, pattern, rest)
        first: ast.stmt = ast.Assign([ast.Name(subject, ast.Store())], node.subject)
        statements = [ast.copy_location(first, node), *rest]
        for statement in statements:
            ast.fix_missing_locations(statement)
        return statements

    def _name(self, what: str) -> str:
        self.count += 1
        return f"<{what} {self.count}>"

    def _case(self, case: ast.match_case, pattern: _Pattern, rest: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of a case and of the later ones."""
        at = case.pattern
        binds = [
            ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), at)
            for name, value in pattern.bound
        ]
        test = _all(pattern.tests)
        if case.guard is None:
            body: list[ast.stmt] = [*binds, *case.body]
            return body if test is None else [_if(at, test, body, rest)]
        if test is None:
            return [*binds, _if(at, case.guard, case.body, rest)]
        if not binds:
            return [_if(at, ast.BoolOp(ast.And(), [test, case.guard]), case.body, rest)]
        matches = self._name("matches")
        begin = ast.Assign([ast.Name(matches, ast.Store())], ast.Constant(False))
        guard = ast.Assign([ast.Name(matches, ast.Store())], case.guard)
        inner = _if(at, test, [*binds, ast.copy_location(guard, at)], [])
        return [ast.copy_location(begin, at), inner, _if(at, _load(matches), case.body, rest)]

    def _pattern(self, node: ast.pattern, subject: ast.expr) -> _Pattern:
        pattern = _Pattern()
        self._add(pattern, node, subject)
        return pattern

    def _add(self, found: _Pattern, node: ast.pattern, subject: ast.expr) -> None:
        if isinstance(node, ast.MatchValue):
            found.tests.append(ast.Compare(subject, [ast.Eq()], [node.value]))
        elif isinstance(node, ast.MatchSingleton):
            found.tests.append(self._hook("is_", subject, ast.Constant(node.value)))
        elif isinstance(node, ast.MatchAs):
            if node.pattern is not None:
                self._add(found, node.pattern, subject)
            if node.name is not None:
                found.bound.append((node.name, subject))
        elif isinstance(node, ast.MatchOr):
            self._add_alternatives(found, node, subject)
        elif isinstance(node, ast.MatchSequence):
            count = ast.Constant(len(node.patterns))
            found.tests.append(self._hook("is_sequence", subject, count))
            for number, pattern in enumerate(node.patterns):
                self._add(found, pattern, ast.Subscript(subject, ast.Constant(number), ast.Load()))
        else:
            raise _Unsupported

    def _hook(self, name: str, *arguments: ast.expr) -> ast.expr:
        return ast.Call(ast.Attribute(_load(self.hooks), name, ast.Load()), list(arguments), [])

    def _add_alternatives(self, found: _Pattern, node: ast.MatchOr, subject: ast.expr) -> None:
        parts = [self._pattern(pattern, subject) for pattern in node.patterns]
        if any(part.bound for part in parts):
            raise _Unsupported
        tests = [_all(part.tests) for part in parts]
        if all(test is not None for test in tests):  # else one of them matches everything
            found.tests.append(ast.BoolOp(ast.Or(), tests))  # type: ignore[arg-type]


def _all(tests: Sequence[ast.expr]) -> ast.expr | None:
    if not tests:
        return None
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), list(tests))


def _if(at: ast.AST, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> ast.stmt:
    ast.copy_location(test, at)
    return ast.copy_location(ast.If(test, list(body), list(orelse)), at)


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())
