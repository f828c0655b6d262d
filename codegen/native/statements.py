"""Translation of statements: assignments, branches, loops, returns."""

from __future__ import annotations

import ast
from typing import Any

from .expressions import Expressions
from .scope import FunctionScope
from .types import NativeType, describe, i64, is_native_type
from .values import Place, Value


class Statements:
    """Translates one function body."""

    def __init__(self, scope: FunctionScope) -> None:
        self.scope = scope
        self.expressions = Expressions(scope)

    def function(self, body: list[ast.stmt]) -> list[str]:
        """The lines between the braces of the LLVM function."""
        for name, kind in self.scope.signature.parameters:
            place = self._declare(name, kind)
            self.scope.emit(f"store {kind.llvm} %{name}, ptr {place.address}, align {kind.nbytes or 1}")
        self.block(body)
        if not self.scope.terminated:
            if self.scope.signature.result is not None:
                self.scope.fail(body[-1], "the function may end without returning a value")
            self.scope.finish("ret void")
        return [".entry:", *self.scope.entry, "  br label %.body", ".body:", *self.scope.lines]

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if self.scope.terminated:
                self.scope.fail(statement, "this statement is never reached")
            method = getattr(self, f"_{type(statement).__name__}", None)
            if method is None:
                self.scope.fail(statement, f"{type(statement).__name__} is not in the native language")
            method(statement)

    def _declare(self, name: str, kind: NativeType) -> Place:
        place = Place(self.scope.stack(kind.llvm), kind)
        self.scope.locals[name] = place
        return place

    def _assign_name(self, node: ast.expr, name: str, value_node: ast.expr) -> None:
        place = self.scope.locals.get(name)
        if place is None:
            value = self.expressions.value(value_node)
            self._store_local(self._declare(name, value.kind), value)
            return
        value = self.expressions.typed(value_node, place.kind, f"the local {name!r}")
        self._store_local(place, value)

    def _store_local(self, place: Place, value: Value) -> None:
        self.scope.emit(
            f"store {place.kind.llvm} {value.text}, ptr {place.address}, align {place.kind.nbytes or 1}"
        )

    def _store(self, target: ast.expr, place: Place, value: Value) -> None:
        if place.inline:
            self.scope.fail(target, "a whole struct or array cannot be assigned")
        self.scope.store(place, value)

    def _Assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            self.scope.fail(node, "assign to one target at a time")
        target = node.targets[0]
        if isinstance(target, ast.Name):
            self._assign_name(node.value, target.id, node.value)
            return
        if not isinstance(target, (ast.Attribute, ast.Subscript)):
            self.scope.fail(target, "assign to a name, a field or an element")
        place = self.expressions.place(target)
        self._store(target, place, self.expressions.typed(node.value, place.kind, ast.unparse(target)))

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if not isinstance(node.target, ast.Name):
            self.scope.fail(node, "only a local can be annotated")
        kind = self._annotation(node.annotation)
        if node.target.id in self.scope.locals:
            self.scope.fail(node, f"{node.target.id!r} already has a type")
        if node.value is None:
            self._declare(node.target.id, kind)
            return
        value = self.expressions.typed(node.value, kind, f"the local {node.target.id!r}")
        self._store_local(self._declare(node.target.id, kind), value)

    def _annotation(self, node: ast.expr) -> Any:
        kind = self.expressions.constant_or_none(node)
        if not is_native_type(kind):
            self.scope.fail(node, f"{ast.unparse(node)} is not a type")
        return kind

    def _AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id not in self.scope.locals:
            self.scope.fail(node, f"{node.target.id!r} is used before it has a value")
        place = self.expressions.place(node.target)
        current = self.scope.load(place)
        operand = self.expressions.typed(node.value, current.kind, ast.unparse(node.target))
        result = self.expressions.binary(node, type(node.op), current, operand)
        self._store(node.target, place, result)

    def _Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return
        if not isinstance(node.value, ast.Call):
            self.scope.fail(node, "an expression statement must be a call")
        self.expressions.call(node.value)

    def _Pass(self, node: ast.Pass) -> None:
        return

    def _Return(self, node: ast.Return) -> None:
        result = self.scope.signature.result
        if node.value is None or result is None:
            if node.value is not None or result is not None:
                self.scope.fail(node, f"the function returns {describe(result)}")
            self.scope.finish("ret void")
            return
        value = self.expressions.typed(node.value, result, "the result")
        self.scope.finish(f"ret {result.llvm} {value.text}")

    def _If(self, node: ast.If) -> None:
        yes, no, done = (self.scope.label(hint) for hint in ("then", "else", "endif"))
        condition = self.expressions.condition(node.test)
        self.scope.finish(f"br i1 {condition}, label %{yes}, label %{no}")
        self.scope.start(yes)
        self.block(node.body)
        leaves = self.scope.terminated
        if not leaves:
            self.scope.finish(f"br label %{done}")
        self.scope.start(no)
        self.block(node.orelse)
        if leaves and self.scope.terminated:
            return
        self.scope.start(done)

    def _While(self, node: ast.While) -> None:
        if node.orelse:
            self.scope.fail(node, "a loop has no else")
        test, body, done = (self.scope.label(hint) for hint in ("while", "do", "endwhile"))
        self.scope.start(test)
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        if endless:
            self.scope.finish(f"br label %{body}")
        else:
            self.scope.finish(f"br i1 {self.expressions.condition(node.test)}, label %{body}, label %{done}")
        self.scope.start(body)
        self._loop(node.body, test, done)
        if not self.scope.terminated:
            self.scope.finish(f"br label %{test}")
        if endless and not any(isinstance(inner, ast.Break) for inner in ast.walk(node)):
            self.scope.terminated = True
            return
        self.scope.start(done)

    def _loop(self, body: list[ast.stmt], again: str, done: str) -> None:
        self.scope.loops.append((again, done))
        self.block(body)
        self.scope.loops.pop()

    def _For(self, node: ast.For) -> None:
        """`for name in range(...)`: the bounds are evaluated once, as in Python."""
        call = node.iter
        ranged = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not ranged or not isinstance(node.target, ast.Name) or node.orelse:
            self.scope.fail(node, "only `for name in range(...)` without else is in the native language")
        assert isinstance(call, ast.Call)
        start, stop, step = self._range(call)
        counter = Place(self.scope.stack("i64"), i64)
        self._store_local(counter, start)
        test, body, again, done = (self.scope.label(hint) for hint in ("for", "do", "next", "endfor"))
        self.scope.start(test)
        current = self.scope.load(counter)
        compare = "slt" if step > 0 else "sgt"
        inside = self.scope.assign(f"icmp {compare} i64 {current.text}, {stop.text}", i64)
        self.scope.finish(f"br i1 {inside.text}, label %{body}, label %{done}")
        self.scope.start(body)
        place = self.scope.locals.get(node.target.id) or self._declare(node.target.id, i64)
        if place.kind is not i64:
            self.scope.fail(
                node, f"the loop counter {node.target.id!r} is {describe(place.kind)}, it must be i64"
            )
        self._store_local(place, current)
        self._loop(node.body, again, done)
        self.scope.start(again)
        following = self.scope.assign(f"add i64 {current.text}, {step}", i64)
        self._store_local(counter, following)
        self.scope.finish(f"br label %{test}")
        self.scope.start(done)

    def _range(self, call: ast.Call) -> tuple[Value, Value, int]:
        if not 1 <= len(call.args) <= 3:
            self.scope.fail(call, "range takes one to three arguments")
        bounds = [self.expressions.typed(argument, i64, "a bound of range") for argument in call.args[:2]]
        step = 1
        if len(call.args) == 3:
            written = self.expressions.typed(call.args[2], i64, "the step of range").text
            if not written.lstrip("-").isdigit() or int(written) == 0:
                self.scope.fail(call, "the step of range is a constant, not zero")
            step = int(written)
        start = Value("0", i64) if len(bounds) == 1 else bounds[0]
        return start, bounds[-1], step

    def _Break(self, node: ast.Break) -> None:
        self.scope.finish(f"br label %{self.scope.loops[-1][1]}")

    def _Continue(self, node: ast.Continue) -> None:
        self.scope.finish(f"br label %{self.scope.loops[-1][0]}")
