"""`try` as conditions, for exceptions that can be predicted from the operands.

    try:                                   if hooks.divides_by_zero(a, b): raise to the handler
        x = a / b                          else: x = a / b
    except ZeroDivisionError:      ->      if <caught 1>: A
        A

Before each simple statement it is asked whether it would raise: divide by zero, ask for a position or a key
that is not there. The function's own `raise` goes to its handler. Both are exits, as `break` is (see
`exits`). A `try` around anything else that may raise what its handlers catch stays as it is.
"""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy

from ..tracing.environment.handlers import flags_of_try
from .codes import HOOKS
from .displays import hook
from .liveness import children, walk

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_IN_PART = (*_COMPREHENSIONS, ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)
"""Expressions that may be evaluated only in part."""
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise)
_STATEMENTS = (*_SIMPLE, ast.If, ast.For, ast.While, ast.Pass, ast.Break, ast.Continue)
_PURE = frozenset({"len", "abs", "min", "max", "range", "enumerate", "bool", "int", "float"})
_METHODS = frozenset({"append", "add", "get", "discard", "clear", "setdefault"})
_DIVIDES = (ast.Div, ast.FloorDiv, ast.Mod)
_CAUGHT_HERE = (ZeroDivisionError, IndexError, KeyError, ValueError, OverflowError)

_Risk = tuple[type[Exception], ast.expr]
"""An exception, and the expression of its condition."""


class _Unknown(Exception):
    """A `try` that cannot be rewritten and stays as it is."""


def lower_tries(function: ast.FunctionDef) -> None:
    """Rewrites the body of a function, in place, innermost `try` first."""
    if any(isinstance(node, ast.Try) for node in walk(function)):
        _Tries().visit_body(function)


class _Tries(ast.NodeTransformer):
    def __init__(self) -> None:
        self.numbers = itertools.count(1)

    def visit_body(self, function: ast.FunctionDef) -> None:
        function.body = [made for statement in function.body for made in self._made(statement)]

    def _made(self, node: ast.stmt) -> list[ast.stmt]:
        made = self.visit(node)
        return made if isinstance(made, list) else [made]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef  # type: ignore[assignment]

    def visit_Try(self, node: ast.Try) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if not node.handlers:
            return node
        try:
            statements = _Try(node, self.numbers).lowered()
        except _Unknown:
            return node
        if not node.finalbody:
            return statements
        return ast.copy_location(ast.Try(statements, [], [], node.finalbody), node)


class _Try:
    """One `try` with handlers."""

    def __init__(self, node: ast.Try, numbers: Iterator[int]) -> None:
        self.node = node
        last = node.body[-1]
        begin = flags_of_try(node.body[0].lineno, last.end_lineno or last.lineno)
        self.flags = [f"{begin}{next(numbers)}>" for _ in node.handlers]
        self.names = [_names(handler) for handler in node.handlers]

    def lowered(self) -> list[ast.stmt]:
        node = self.node
        body = self._block(deepcopy(node.body))
        nodes = [each for each in _statements(body) if getattr(each, "caught", None) in self.flags]
        raised = {each.caught for each in nodes}  # type: ignore[attr-defined]
        own = {each.names for each in nodes if hasattr(each, "names")}
        if not raised or not all(_is_known(names, own) for names in self.names):
            raise _Unknown
        made = ast.copy_location(ast.Try(body, [], node.orelse, []), node)
        made.flags = tuple(self.flags)  # type: ignore[attr-defined]
        types = [handler.type for handler in node.handlers]
        made.kinds = [deepcopy(expression) for expression in types if expression is not None]  # type: ignore[attr-defined]
        handled: list[ast.stmt] = [
            ast.copy_location(
                ast.If(ast.copy_location(ast.Name(flag, ast.Load()), handler), handler.body, []), handler
            )
            for flag, handler in zip(self.flags, node.handlers, strict=True)
        ]
        begin = [
            ast.copy_location(ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(False)), node)
            for flag in self.flags
        ]
        return [*begin, made, *handled]

    def _handler(self, kind: str) -> str | None:
        """The flag of the handler that catches an exception; None where no handler does."""
        error = getattr(builtins, kind, None)
        for flag, names in zip(self.flags, self.names, strict=True):
            for name in names:
                known = getattr(builtins, name, None)
                if name == kind:
                    return flag
                if not isinstance(known, type) or not isinstance(error, type):
                    raise _Unknown
                if issubclass(error, known):
                    return flag
        return None

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [self._statement(statement) for statement in body]

    def _statement(self, node: ast.stmt) -> ast.stmt:
        if hasattr(node, "caught"):  # to a handler inside
            return node
        if isinstance(node, ast.Try) and hasattr(node, "flags"):
            node.body, node.orelse = self._block(node.body), self._block(node.orelse)
            return node
        if not isinstance(node, _STATEMENTS):
            raise _Unknown
        if isinstance(node, ast.Raise):
            return self._raise(node)
        if isinstance(node, ast.While):
            if self._risks([node.test]):
                raise _Unknown
            node.body, node.orelse = self._block(node.body), self._block(node.orelse)
            return node
        if isinstance(node, (ast.If, ast.For)):
            first = [node.test] if isinstance(node, ast.If) else [node.iter, node.target]
            risks = self._risks(first)
            node.body, node.orelse = self._block(node.body), self._block(node.orelse)
            return self._guarded(node, risks)
        return self._guarded(node, self._risks(_in_order(node)))

    def _raise(self, node: ast.Raise) -> ast.stmt:
        name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        known = node.cause is None or (isinstance(node.cause, ast.Constant) and node.cause.value is None)
        if not isinstance(name, ast.Name) or not known:
            raise _Unknown
        risks = self._risks(node.exc.args if isinstance(node.exc, ast.Call) else [])
        flag = self._handler(name.id)
        if flag is None:
            raise _Unknown
        return self._guarded(_exit(flag, node, name.id), risks)

    def _guarded(self, node: ast.stmt, risks: Sequence[_Risk]) -> ast.stmt:
        statement = node
        for kind, test in reversed(risks):
            flag = self._handler(kind.__name__)
            if flag is not None:
                statement = ast.copy_location(ast.If(test, [_exit(flag, node)], [statement]), node)
        return statement

    def _risks(self, parts: Iterable[ast.expr]) -> list[_Risk]:
        """The exceptions that evaluating some expressions may raise, in order."""
        found: list[_Risk] = []
        called = False
        for part in parts:
            for node in _evaluated(part):
                risks = list(_risks_of(node))
                if any(self._handler(kind.__name__) for kind in _raised_late(node)):
                    raise _Unknown
                if isinstance(node, ast.Call):
                    called = self._look_at_call(node) or called
                elif isinstance(node, _IN_PART) and any(
                    list(_risks_of(each)) or isinstance(each, ast.Call) for each in walk(node)
                ):
                    raise _Unknown
                if risks and called:
                    raise _Unknown
                found += risks
        return found

    def _look_at_call(self, node: ast.Call) -> bool:
        """Whether a call has a side effect."""
        function = node.func
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise _Unknown
        of = function.value if isinstance(function, ast.Attribute) else None
        if isinstance(of, ast.Name) and of.id == HOOKS:
            return False
        if isinstance(function, ast.Name) and function.id in _PURE:
            return False
        if isinstance(function, ast.Attribute) and function.attr in _METHODS:
            return True
        raise _Unknown


def _is_known(names: Sequence[str], own: set[str]) -> bool:
    """Whether every source of the exceptions that a handler catches is known. `own`: the exceptions that the
    function raises explicitly."""
    return all(name in own or getattr(builtins, name, None) in _CAUGHT_HERE for name in names)


def _exit(flag: str, like: ast.stmt, name: str = "") -> ast.stmt:
    """The jump to a handler. `name`: the exception raised."""
    node = ast.copy_location(ast.Raise(None, None), like)
    node.caught = flag  # type: ignore[attr-defined]
    if name:
        node.names = name  # type: ignore[attr-defined]
    return node


def _names(handler: ast.ExceptHandler) -> list[str]:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [kind.id for kind in kinds if isinstance(kind, ast.Name)]
    inside = any(isinstance(node, ast.Raise) and node.exc is None for node in _statements(handler.body))
    if handler.name or len(names) < len(kinds) or inside:
        raise _Unknown
    return names


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in body:
        yield node
        if not isinstance(node, _SCOPES):
            yield from _statements(children(node))


def _in_order(node: ast.stmt) -> list[ast.expr]:
    """The expressions of a simple statement as Python evaluates them."""
    if isinstance(node, ast.Assign):
        return [node.value, *node.targets]
    if isinstance(node, ast.AugAssign):
        target = deepcopy(node.target)
        target.ctx = ast.Load()
        result = ast.copy_location(ast.BinOp(target, node.op, node.value), node)
        return [result]
    if isinstance(node, ast.AnnAssign):
        return [*([] if node.value is None else [node.value]), node.target]
    value = getattr(node, "value", None)
    return [] if value is None else [value]


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The subexpressions of an expression, operands before the operation that uses them."""
    if not isinstance(node, (*_SCOPES, *_COMPREHENSIONS)):
        for each in children(node):
            yield from _evaluated(each)
    yield node


def _risks_of(node: ast.AST) -> Iterator[_Risk]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, _DIVIDES):
        if not (isinstance(node.right, ast.Constant) and node.right.value):
            operands = [deepcopy(node.left), deepcopy(node.right)]
            yield ZeroDivisionError, hook(node, "divides_by_zero", operands)
    elif isinstance(node, ast.Subscript):
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(expression, (ast.Slice, ast.Starred)) for expression in index):
            raise _Unknown
        container, key = deepcopy(node.value), deepcopy(node.slice)
        if isinstance(node.ctx, ast.Load):
            yield KeyError, hook(node, "lacks_key", [container, key])
        yield IndexError, hook(node, "lacks_position", [deepcopy(container), deepcopy(key)])
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("int", "float"):
        for kind in (ValueError, OverflowError):
            arguments: list[ast.expr] = [
                ast.Constant(kind.__name__),
                deepcopy(node.func),
                *deepcopy(node.args),
            ]
            yield kind, hook(node, "does_not_convert", arguments)


def _raised_late(node: ast.AST) -> Sequence[type[Exception]]:
    """The exceptions that only the running program can detect."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return ZeroDivisionError, OverflowError
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.LShift, ast.RShift)):
        return (ValueError,)
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if is_call and node.func.id in ("min", "max") and len(node.args) == 1:  # type: ignore[attr-defined]
        return (ValueError,)
    return ()
