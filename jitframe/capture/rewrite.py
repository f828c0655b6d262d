"""Rewrites a function's syntax tree: calls of hooks replace its control flow.

    if c: A                 def then(): nonlocal ...; A
    else: B          ->     def orelse(): nonlocal ...; B
                            hooks.if_(c, then, orelse, stored, live)

The bodies are functions over the variables of the function around them, so a hook can run one as Python does,
or several times and under a region of the graph, and reads and writes the variables through their cells.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

from ..tracing.environment.handlers import swallowed
from .assigned import note_assigned
from .codes import HOOKS
from .displays import growing, hook, makes_list
from .exits import CannotCapture, lower_exits
from .liveness import children, note_live_names, stored_in, walk
from .matches import lower_matches

MADE = "<made "
"""The prefix of the names of functions made of blocks."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SUSPENDS = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


def rewrite(function: ast.FunctionDef) -> None:
    """Rewrites a function in place, with the functions in it. Raises CannotCapture."""
    own = list(own_nodes(function.body))
    if any(isinstance(node, (*_FUNCTIONS, ast.ClassDef)) for node in own):
        _rewrite_nested(function.body)
    if any(isinstance(node, _SUSPENDS) for node in own):
        raise CannotCapture("a generator or coroutine")
    if any(isinstance(node, ast.Match) for node in own):
        lower_matches(function, HOOKS)
    lower_exits(function)
    writer = _Writer(function)
    note_assigned(function, HOOKS, writer.parameters)
    note_live_names(function)
    function.body = writer.block(function.body)
    if writer.bound:
        # Names that only the blocks bind are variables of this function all the same.
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in sorted(writer.bound)]
        never = ast.If(ast.Constant(False), [ast.Assign(targets, ast.Constant(None))], [])
        function.body.insert(0, ast.copy_location(never, function.body[0]))


def has_control_flow(tree: ast.AST) -> bool:
    """Whether a function contains anything that a hook replaces."""
    kinds = (
        ast.If,
        ast.For,
        ast.While,
        ast.Assert,
        ast.Match,
        ast.IfExp,
        ast.BoolOp,
        ast.Compare,
        ast.Not,
        ast.comprehension,
        ast.Try,
    )
    return any(isinstance(node, kinds) or makes_list(node) for node in walk(tree))


def own_nodes(body: Iterable[ast.AST]) -> Iterable[ast.AST]:
    """The nodes of statements, without those of nested functions and classes."""
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            pending += children(node)


def _rewrite_nested(body: Sequence[ast.AST]) -> None:
    """Rewrites the functions and methods defined in statements."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            try:
                rewrite(node)
            except CannotCapture:
                pass
        elif not isinstance(node, ast.AsyncFunctionDef):
            _rewrite_nested(children(node))


class _Writer:
    """Rewrites the blocks of one function."""

    def __init__(self, function: ast.FunctionDef) -> None:
        arguments = function.args
        self.parameters = [
            each.arg
            for each in (
                *arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg,
                arguments.kwarg,
            )
            if each is not None
        ]  # fmt: skip
        declared = [node for node in own_nodes(function.body) if isinstance(node, (ast.Global, ast.Nonlocal))]
        self.globals = {name for each in declared if isinstance(each, ast.Global) for name in each.names}
        self.free = {name for each in declared if isinstance(each, ast.Nonlocal) for name in each.names}
        self.bound: set[str] = set()
        self.stored: set[str] = set()
        """The names bound by the statements written since it was last cleared."""
        self.count = 0
        self.tries = 0
        self.expressions = _Expressions(self)

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [made for statement in body for made in self.statement(statement)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, ast.While):
            return self._while(node)
        if isinstance(node, ast.For):
            return self._for(node)
        if isinstance(node, ast.Assert):
            return self._assert(node)
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            self.stored |= stored_in([node])
            node.decorator_list = [self.expressions.visit(expression) for expression in node.decorator_list]
            return [node]
        if isinstance(node, (ast.Try, ast.TryStar)):
            self.tries += 1
            node.body = self.block(node.body)
            self.tries -= 1
            node.orelse, node.finalbody = self.block(node.orelse), self.block(node.finalbody)
            for handler in node.handlers:
                self.stored |= stored_in([] if handler.type is None else [handler.type])
                self.stored |= {handler.name} if handler.name else set()
                handler.body = self.block(handler.body) or [ast.Pass()]
            return [node]
        if isinstance(node, ast.With):
            may_swallow = any(swallowed(item.context_expr) != frozenset() for item in node.items)
            self.stored |= stored_in(node.items)
            node.items = [self.expressions.visit(item) for item in node.items]
            self.tries += may_swallow
            node.body = self.block(node.body) or [ast.Pass()]
            self.tries -= may_swallow
            return [node]
        if isinstance(node, ast.Match):
            self.stored |= stored_in([node.subject])
            node.subject = self.expressions.visit(node.subject)
            for case in node.cases:
                self.stored |= stored_in([case.pattern] if case.guard is None else [case.pattern, case.guard])
                case.guard = None if case.guard is None else self.expressions.test(case.guard)
                case.body = self.block(case.body) or [ast.Pass()]
            return [node]
        self.stored |= stored_in([node])
        if isinstance(node, ast.AugAssign) and _may_be_entry(node):
            return self._entry(node)
        made: ast.stmt = self.expressions.visit(node)
        if isinstance(made, (ast.Assign, ast.AnnAssign, ast.Return)) and made.value is not None:
            made.value = growing(made.value)
        return [made]

    def _entry(self, node: ast.AugAssign) -> list[ast.stmt]:
        """`d[key] += x`: one hook where `d` is a traced dict, the statement itself elsewhere."""
        target: Any = node.target
        old = "<old>"
        how, value = ast.Constant(type(node.op).__name__), self.expressions.visit(deepcopy(node.value))
        changed = hook(node, "in_place", [how, _load(old), value])
        only = ast.arguments([], [ast.arg(old)], None, [], [], None, [])
        change = ast.copy_location(ast.Lambda(only, changed), node)
        container = ast.copy_location(_load(target.value.id), node)
        key = self.expressions.visit(deepcopy(target.slice))
        test = hook(node, "is_dict", [container])
        made: Any = ast.If(test, [self._call(node, "update_item", container, key, change)], [])
        made.orelse = [self.expressions.visit(node)]
        return [ast.copy_location(made, node)]

    def _assert(self, node: ast.Assert) -> list[ast.stmt]:
        if not __debug__:
            return []
        self.stored |= stored_in([node])
        arguments = [] if node.msg is None else [_lambda(self.expressions.visit(node.msg))]
        return [
            self._call(
                node, "assert_", self.expressions.test(node.test), *arguments, ast.Constant(self.tries > 0)
            )
        ]

    def _if(self, node: ast.If) -> list[ast.stmt]:
        if hasattr(node, "kinds"):  # the body of a `try` (see `handled`)
            self.tries += 1
            body, _ = self._function(node, "try", node.body)
            self.tries -= 1
            return [body, self._call(node, "handled", _load(body.name), *node.kinds)]
        if isinstance(node.test, ast.Constant):
            self.stored |= stored_in([node])
            return self.block(node.body if node.test.value else node.orelse)
        then, stored = self._function(node, "then", node.body)
        orelse, more = self._function(node, "else", node.orelse) if node.orelse else (None, set[str]())
        stored = (stored | more) - self.globals
        self.stored |= stored_in([node.test])
        call = self._call(
            node, "if_", self.expressions.test(node.test), _load(then.name),
            ast.Constant(None) if orelse is None else _load(orelse.name),
            _names(stored), _names(stored & node.live_after), ast.Constant(self.tries > 0),  # type: ignore[attr-defined]
        )  # fmt: skip
        return [each for each in (then, orelse, call) if each is not None]

    def _while(self, node: ast.While) -> list[ast.stmt]:
        tested = self.expressions.test(node.test)
        result = ast.copy_location(ast.Return(tested), node.test)
        test, before = self._function(node, "test", [result], done=True)
        body, stored = self._function(node, "body", node.body)
        return [
            test,
            body,
            self._call(
                node, "while_", _load(test.name), _load(body.name), *self._state(node, before | stored)
            ),
        ]

    def _for(self, node: ast.For) -> list[ast.stmt]:
        item = "<item>"
        begin = ast.copy_location(ast.Assign([node.target], _load(item)), node.target)
        body, stored = self._function(node, "body", [begin, *node.body], item)
        self.stored |= stored_in([node.iter])
        iterable = self.expressions.visit(node.iter)
        return [body, self._call(node, "for_", iterable, _load(body.name), *self._state(node, stored))]

    def _state(self, node: ast.For | ast.While, stored: set[str]) -> list[ast.expr]:
        stored = stored - self.globals
        live = stored & node.live_head  # type: ignore[union-attr]
        return [_names(stored), _names(live), _names(node.stops), ast.Constant(self.tries > 0)]  # type: ignore[union-attr]

    def _function(
        self, node: ast.stmt, what: str, body: Sequence[ast.stmt], *parameters: str, done: bool = False
    ) -> tuple[ast.FunctionDef, set[str]]:
        """Returns a function made of a block, and the names that the block binds."""
        self.count += 1
        name = f"{MADE}{what} {self.count}>"
        around, self.stored = self.stored, stored_in(body) if done else set()
        statements = list(body) if done else self.block(body)
        stored = self.stored
        self.stored = around | stored
        first: list[ast.stmt] = []
        if stored & self.globals:
            first.append(ast.Global(sorted(stored & self.globals)))
        if stored - self.globals:
            first.append(ast.Nonlocal(sorted(stored - self.globals)))
            self.bound |= stored - self.globals - self.free - set(self.parameters)
        arguments = ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, [])
        function = ast.FunctionDef(name, arguments, [*first, *statements] or [ast.Pass()], [])
        return ast.copy_location(function, node), stored

    def _call(self, node: ast.stmt, name: str, *arguments: ast.expr) -> ast.stmt:
        call = hook(node, name, arguments)
        return ast.copy_location(ast.Expr(call), call)


_DIVISIONS = {ast.Mod: "%", ast.FloorDiv: "//"}
_KEEPS = ("append", "setdefault", "get")
"""Methods that may store, or return, a list among their arguments."""
_FOLDED = (ast.Add, ast.Sub, ast.Mult, ast.Pow, ast.LShift)


class _Expressions(ast.NodeTransformer):
    """Replaces operators that need a truth value by calls of hooks."""

    def __init__(self, writer: _Writer) -> None:
        self.writer = writer

    def test(self, node: ast.expr) -> ast.expr:
        """An expression in a boolean context."""
        if isinstance(node, ast.BoolOp) and _is_lazy(node.values[1:]):
            name = "test_and" if isinstance(node.op, ast.And) else "test_or"
            return hook(
                node,
                name,
                [self.test(node.values[0]), *(_lambda(self.test(value)) for value in node.values[1:])],
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return hook(node, "not_", [self.test(node.operand)])
        return self.visit(node)  # type: ignore[no-any-return]

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if not _is_lazy(node.values[1:]):
            return node
        first, *others = [self.visit(value) for value in node.values]
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return hook(node, name, [first, *map(_lambda, others)])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return self.test(node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        made = self.generic_visit(node)
        operator = _DIVISIONS.get(type(node.op))
        if operator == "%" and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            return hook(node, "formatted", [node.left, node.right])
        if operator is None or not _is_literal(node.right):
            return made  # type: ignore[return-value]
        return hook(node, "divided", [ast.Constant(operator), node.left, node.right])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        made = self.generic_visit(node)
        if isinstance(node.target, ast.Name) and type(node.op) in _DIVISIONS and _is_literal(node.value):
            target = ast.copy_location(_load(node.target.id), node.target)
            node.value = hook(node.value, "divisor", [target, node.value])
        return made  # type: ignore[return-value]

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        if not _is_lazy([node.body, node.orelse]):
            return node
        arms = [_lambda(growing(self.visit(expression))) for expression in (node.body, node.orelse)]
        return hook(node, "choose", [self.test(node.test), *arms])

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        operators = [_OPERATORS[type(each)] for each in node.ops]
        if len(operators) == 1 and not _asks_a_hook(operators[0], node.left, node.comparators[0]):
            return self.generic_visit(node)  # type: ignore[return-value]
        if not _is_lazy(node.comparators[1:]):
            return node
        arguments = [self.visit(node.left)]
        for number, (operator, comparator) in enumerate(zip(operators, node.comparators, strict=True)):
            value = self.visit(comparator)
            arguments += [ast.Constant(operator), _lambda(value) if number else value]
        return hook(node, "compare", arguments)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        made = self.generic_visit(node)
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        is_plain = any(isinstance(expression, (ast.Slice, ast.Starred)) for expression in index)
        if not isinstance(node.ctx, ast.Load) or is_plain or all(map(_is_number, index)):
            return made  # type: ignore[return-value]
        return hook(node, "item", [node.value, node.slice])

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._collected(node, "collected")

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        return self._of_list(node, node.elt, "collected_set")

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node.key)
        return self._of_list(node, pair, "collected_dict")

    def _of_list(self, node: ast.SetComp | ast.DictComp, element: ast.expr, hook_: str) -> ast.expr:
        """A comprehension, made from the list comprehension of the same items."""
        if not _is_lazy([node]) or any(generator.is_async for generator in node.generators):
            return self.generic_visit(node)  # type: ignore[return-value]
        return self._collected(ast.copy_location(ast.ListComp(element, node.generators), node), hook_)

    def _collected(self, node: ast.ListComp | ast.GeneratorExp, hook_: str) -> ast.expr:
        """A comprehension by its first `for`: a function of one item returns the list of its
        contributions."""
        first = node.generators[0]
        if not _is_lazy([node]) or any(generator.is_async for generator in node.generators):
            return self.generic_visit(node)  # type: ignore[return-value]
        iterable = self.visit(first.iter)
        item = "<item>"
        only: ast.expr = ast.Tuple([_load(item)], ast.Load())
        tests = [self.test(expression) for expression in first.ifs]
        begin = ast.comprehension(first.target, only, tests, 0)
        element: ast.expr = node.elt
        generators = [begin]
        if len(node.generators) > 1:
            inner = ast.copy_location(ast.ListComp(node.elt, node.generators[1:]), node)
            element = _load("<each>")
            each = ast.comprehension(ast.Name("<each>", ast.Store()), self.visit(inner), [], 0)
            generators.append(each)
        else:
            element = growing(self.visit(element))
            if tests:
                begin.ifs = []
                element = hook(node, "when", [*map(_lambda, tests), _lambda(element)])
        made = ast.copy_location(ast.ListComp(element, generators), node)
        arguments = ast.arguments([], [ast.arg(item)], None, [], [], None, [])
        return hook(node, hook_, [iterable, ast.copy_location(ast.Lambda(arguments, made), node)])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) and not node.keywords:
            node.func = self.visit(node.func)
            collected = self._collected(node.args[0], "generated")
            if isinstance(node.func, ast.Name) and isinstance(collected, ast.Call):
                return hook(node, "reduced", [node.func, *collected.args])
            node.args = [collected]
            return node
        made = self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPS:
            node.args = [growing(argument) for argument in node.args]
        name, first = node.func, self.writer.parameters[:1]
        if isinstance(name, ast.Name) and name.id == "super" and not node.args and first:
            node.args = [
                ast.copy_location(_load("__class__"), node),
                ast.copy_location(_load(first[0]), node),
            ]
        return made  # type: ignore[return-value]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


def _may_be_entry(node: ast.AugAssign) -> bool:
    """Whether a statement changes an item of a variable by a value whose evaluation cannot change the
    variable."""
    target = node.target
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return False
    inside = [*walk(target.slice), *walk(node.value)]
    changes = any(isinstance(each, (ast.Call, ast.Await, ast.Yield)) for each in walk(node.value))
    return not changes and not any(isinstance(each, (ast.Slice, ast.NamedExpr)) for each in inside)


def _asks_a_hook(operator: str, first: ast.expr, other: ast.expr) -> bool:
    """Whether a comparison may be more than an operation on values: a comparison of tuples is."""
    constants = [expression.value for expression in (first, other) if isinstance(expression, ast.Constant)]
    if operator in ("is", "is not"):
        return all(constant is None or isinstance(constant, bool) for constant in constants)
    return operator in ("in", "not in") or not constants


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression is an integer literal, or a power or sum of such."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _FOLDED) and _is_literal(node.left) and _is_literal(node.right)
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and _is_number(node.operand))


def _is_lazy(operands: Sequence[ast.expr]) -> bool:
    """Whether operands can be moved into functions of their own: a name that `:=` binds there would become
    local to them."""
    return not any(
        isinstance(node, (ast.NamedExpr, *_SUSPENDS)) for operand in operands for node in walk(operand)
    )


def _lambda(value: ast.expr) -> ast.expr:
    arguments = ast.arguments([], [], None, [], [], None, [])
    return ast.copy_location(ast.Lambda(arguments, value), value)


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _names(names: Iterable[str]) -> ast.expr:
    constant: Any = tuple(sorted(names))
    return ast.Constant(constant)
