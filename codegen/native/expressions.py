"""Translation of expressions: places, arithmetic, comparisons, and calls."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from .intrinsics import INTRINSIC_RULES
from .language import INTRINSICS, Global
from .scope import FunctionScope, Signature
from .types import (
    Array,
    Function,
    NativeType,
    Pointer,
    Scalar,
    boolean,
    describe,
    i64,
    is_native_type,
    is_pointer,
    is_struct,
    ptr,
)
from .values import Literal, Operand, Place, Value, element_of, floating, integer

INTEGER_INSTRUCTIONS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
CONSTANT_FUNCTIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Div: operator.truediv,
}  # fmt: skip
FLOAT_INSTRUCTIONS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
INTEGER_COMPARISONS = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "slt",
    ast.LtE: "sle",
    ast.Gt: "sgt",
    ast.GtE: "sge",
}
FLOAT_COMPARISONS = {
    ast.Eq: "oeq",
    ast.NotEq: "une",
    ast.Lt: "olt",
    ast.LtE: "ole",
    ast.Gt: "ogt",
    ast.GtE: "oge",
}
POINTER_COMPARISONS = {ast.Eq: "eq", ast.NotEq: "ne", ast.Is: "eq", ast.IsNot: "ne"}


class Expressions:
    """Turns expression trees into operands, emitting into a scope."""

    def __init__(self, scope: FunctionScope) -> None:
        self.scope = scope

    def constant(self, node: ast.expr) -> Any:
        """The compile-time Python object a name, attribute or literal means; a KeyError where it is none."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id in self.scope.locals:
                raise KeyError(node.id)
            builtins = {"range": range}
            if node.id not in self.scope.namespace and node.id not in builtins:
                self.scope.fail(node, f"unknown name {node.id!r}")
            return self.scope.namespace.get(node.id, builtins.get(node.id))
        if isinstance(node, ast.Subscript):
            base = self.constant(node.value)
            if not isinstance(base, Pointer):
                raise KeyError
            return base[self.constant(node.slice)]
        if isinstance(node, ast.Attribute):
            base = self.constant(node.value)
            if isinstance(base, Global):
                raise KeyError(node.attr)
            if not hasattr(base, node.attr):
                self.scope.fail(node, f"{base!r} has no attribute {node.attr!r}")
            return getattr(base, node.attr)
        raise KeyError

    def constant_or_none(self, node: ast.expr) -> Any:
        try:
            return self.constant(node)
        except KeyError:
            return None

    def value(self, node: ast.expr) -> Value:
        return self.scope.settle(node, self.operand(node))

    def typed(self, node: ast.expr, kind: NativeType, what: str) -> Value:
        return self.scope.convert(node, self.operand(node), kind, what)

    def operand(self, node: ast.expr) -> Operand:
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            self.scope.fail(node, f"{type(node).__name__} is not in the native language")
        operand: Operand = method(node)
        return operand

    def condition(self, node: ast.expr) -> str:
        """The node as an i1: a comparison, or a number or pointer compared with zero."""
        operand = self.operand(node)
        value = self.scope.settle(node, operand)
        if value.kind is boolean:
            return value.text
        if is_pointer(value.kind):
            return self.scope.assign(f"icmp ne ptr {value.text}, null", boolean).text
        compare, zero = ("fcmp une", "0.0") if floating(value.kind) else ("icmp ne", "0")
        return self.scope.assign(f"{compare} {value.kind.llvm} {value.text}, {zero}", boolean).text

    def place(self, node: ast.expr) -> Place:
        """The memory an attribute, element or local stands for."""
        if isinstance(node, ast.Name) and node.id in self.scope.locals:
            return self.scope.locals[node.id]
        if isinstance(node, ast.Attribute):
            return self._field(node)
        if isinstance(node, ast.Subscript):
            return self._element(node)
        self.scope.fail(node, "a field, an element or a local is needed here")

    def _field(self, node: ast.Attribute) -> Place:
        base = self.value(node.value)
        if not is_struct(base.kind):
            self.scope.fail(node, f"{describe(base.kind)} has no field {node.attr!r}")
        fields = base.kind.fields()  # type: ignore[union-attr]
        if node.attr not in fields:
            self.scope.fail(
                node, f"{describe(base.kind)} has no field {node.attr!r}; it has {', '.join(fields)}"
            )
        position, kind = fields[node.attr]
        return Place(
            self._move(base.text, str(position)), kind, inline=isinstance(kind, Array) or is_struct(kind)
        )

    def _element(self, node: ast.Subscript) -> Place:
        base = self.value(node.value)
        element = element_of(base.kind)
        if element is None:
            self.scope.fail(node, f"{describe(base.kind)} cannot be indexed; cast it to ptr[type]")
        index = self.typed(node.slice, i64, "an index")
        llvm = f"[{element.size()} x i8]" if is_struct(element) else element.llvm
        text = f"getelementptr inbounds {llvm}, ptr {base.text}, i64 {index.text}"
        address = self.scope.assign(text, ptr).text
        return Place(address, element, inline=is_struct(element))

    def _move(self, address: str, nbytes: str) -> str:
        if nbytes == "0":
            return address
        return self.scope.assign(f"getelementptr inbounds i8, ptr {address}, i64 {nbytes}", ptr).text

    def _Constant(self, node: ast.Constant) -> Operand:
        return self._python_value(node, node.value)

    def _python_value(self, node: ast.expr, value: Any) -> Operand:
        if isinstance(value, (bytes, str)):
            text = value.encode() if isinstance(value, str) else value
            return Value(self.scope.module.string(text), Pointer())
        if value is None or isinstance(value, (int, float)):
            return Literal(value)
        if isinstance(value, Global):
            self.scope.module.globals[value.symbol] = value.struct
            return self.scope.assign(
                f"load ptr, ptr @{value.symbol}, align 8, !invariant.load !0", value.struct
            )
        signature = self._signature(value)
        if signature is not None:
            kind = Function(signature.result, *(kind for _, kind in signature.parameters))
            return Value(f"@{signature.symbol}", kind)
        self.scope.fail(node, f"{value!r} is not a native value")

    def _signature(self, value: Any) -> Signature | None:
        return self.scope.module.signatures.get(value) if callable(value) else None

    def _Name(self, node: ast.Name) -> Operand:
        if node.id in self.scope.locals:
            return self.scope.load(self.scope.locals[node.id])
        return self._python_value(node, self.constant(node))

    def _Attribute(self, node: ast.Attribute) -> Operand:
        try:
            constant = self.constant(node)
        except KeyError:
            return self.scope.load(self._field(node))
        return self._python_value(node, constant)

    def _Subscript(self, node: ast.Subscript) -> Operand:
        return self.scope.load(self._element(node))

    def _pair(self, node: ast.expr, left: ast.expr, right: ast.expr) -> tuple[Value, Value]:
        """Both operands at one type: a literal takes the type of the other side."""
        return self._joined(node, self.operand(left), self.operand(right))

    def _joined(self, node: ast.expr, first: Operand, second: Operand) -> tuple[Value, Value]:
        if isinstance(first, Literal) and isinstance(second, Value):
            return self.scope.convert(node, first, second.kind, "the other operand"), second
        settled = self.scope.settle(node, first)
        if isinstance(second, Value) and is_pointer(settled.kind) and is_pointer(second.kind):
            return settled, second
        return settled, self.scope.convert(node, second, settled.kind, "the other operand")

    def _BinOp(self, node: ast.BinOp) -> Operand:
        first, second = self.operand(node.left), self.operand(node.right)
        if isinstance(first, Literal) and isinstance(second, Literal):
            return self._fold(node, first, second)
        left, right = self._joined(node, first, second)
        return self.binary(node, type(node.op), left, right)

    def _fold(self, node: ast.BinOp, left: Literal, right: Literal) -> Operand:
        """Constants combine as in Python, and stay free to take any type that they fit."""
        function = CONSTANT_FUNCTIONS.get(type(node.op))
        if function is None or left.number is None or right.number is None:
            self.scope.fail(node, f"{type(node.op).__name__} of two literals is not in the native language")
        try:
            return Literal(function(left.number, right.number))
        except (ArithmeticError, ValueError, TypeError) as error:
            self.scope.fail(node, f"{ast.unparse(node)}: {error}")

    def binary(self, node: ast.AST, operation: type[ast.operator], left: Value, right: Value) -> Value:
        kind = left.kind
        if floating(kind) and operation in FLOAT_INSTRUCTIONS:
            return self.scope.assign(
                f"{FLOAT_INSTRUCTIONS[operation]} {kind.llvm} {left.text}, {right.text}", kind
            )
        bitwise = operation in (ast.BitAnd, ast.BitOr, ast.BitXor)
        if integer(kind) or (kind is boolean and bitwise):
            if operation in INTEGER_INSTRUCTIONS:
                text = f"{INTEGER_INSTRUCTIONS[operation]} {kind.llvm} {left.text}, {right.text}"
                return self.scope.assign(text, kind)
            if operation is ast.FloorDiv:
                return self._floor_divide(left, right)
            if operation is ast.Mod:
                return self._modulo(left, right)
        self.scope.fail(node, f"{operation.__name__} is not defined on {describe(kind)}")

    def _floor_divide(self, left: Value, right: Value) -> Value:
        kind, shift = left.kind, power_of_two(right.text)
        if shift is not None:
            return self.scope.assign(f"ashr {kind.llvm} {left.text}, {shift}", kind)
        quotient = self.scope.assign(f"sdiv {kind.llvm} {left.text}, {right.text}", kind)
        remainder = self.scope.assign(f"srem {kind.llvm} {left.text}, {right.text}", kind)
        wrong = self._signs_differ(remainder, right)
        correction = self.scope.assign(f"sext i1 {wrong} to {kind.llvm}", kind)
        return self.scope.assign(f"add {kind.llvm} {quotient.text}, {correction.text}", kind)

    def _modulo(self, left: Value, right: Value) -> Value:
        kind, shift = left.kind, power_of_two(right.text)
        if shift is not None:
            return self.scope.assign(f"and {kind.llvm} {left.text}, {(1 << shift) - 1}", kind)
        remainder = self.scope.assign(f"srem {kind.llvm} {left.text}, {right.text}", kind)
        wrong = self._signs_differ(remainder, right)
        correction = self.scope.assign(f"select i1 {wrong}, {kind.llvm} {right.text}, {kind.llvm} 0", kind)
        return self.scope.assign(f"add {kind.llvm} {remainder.text}, {correction.text}", kind)

    def _signs_differ(self, remainder: Value, divisor: Value) -> str:
        llvm = remainder.kind.llvm
        mixed = self.scope.assign(f"xor {llvm} {remainder.text}, {divisor.text}", remainder.kind)
        negative = self.scope.assign(f"icmp slt {llvm} {mixed.text}, 0", boolean)
        nonzero = self.scope.assign(f"icmp ne {llvm} {remainder.text}, 0", boolean)
        return self.scope.assign(f"and i1 {negative.text}, {nonzero.text}", boolean).text

    def _UnaryOp(self, node: ast.UnaryOp) -> Operand:
        if isinstance(node.op, ast.Not):
            return self.scope.assign(f"xor i1 {self.condition(node.operand)}, true", boolean)
        operand = self.operand(node.operand)
        if isinstance(operand, Literal) and isinstance(operand.number, (int, float)):
            if isinstance(node.op, ast.USub):
                return Literal(-operand.number)
            if isinstance(node.op, ast.Invert) and isinstance(operand.number, int):
                return Literal(~operand.number)
        value = self.scope.settle(node, operand)
        if isinstance(node.op, ast.USub) and integer(value.kind):
            return self.scope.assign(f"sub {value.kind.llvm} 0, {value.text}", value.kind)
        if isinstance(node.op, ast.USub) and floating(value.kind):
            return self.scope.assign(f"fneg {value.kind.llvm} {value.text}", value.kind)
        if isinstance(node.op, ast.Invert) and integer(value.kind):
            return self.scope.assign(f"xor {value.kind.llvm} {value.text}, -1", value.kind)
        self.scope.fail(node, f"{type(node.op).__name__} is not defined on {describe(value.kind)}")

    def _BoolOp(self, node: ast.BoolOp) -> Operand:
        """`and`, `or` of conditions, evaluated as far as needed; the result is a boolean."""
        result = Place(self.scope.stack("i1", alignment=1), boolean)
        done, stop = self.scope.label("known"), isinstance(node.op, ast.Or)
        for position, part in enumerate(node.values):
            condition = self.condition(part)
            self.scope.emit(f"store i1 {condition}, ptr {result.address}, align 1")
            if position + 1 < len(node.values):
                more = self.scope.label("more")
                yes, no = (done, more) if stop else (more, done)
                self.scope.finish(f"br i1 {condition}, label %{yes}, label %{no}")
                self.scope.start(more)
        self.scope.start(done)
        return self.scope.assign(f"load i1, ptr {result.address}, align 1", boolean)

    def _Compare(self, node: ast.Compare) -> Operand:
        if len(node.ops) != 1:
            self.scope.fail(node, "write a chained comparison as two joined by `and`")
        operation = type(node.ops[0])
        left, right = self._pair(node, node.left, node.comparators[0])
        tables: tuple[tuple[bool, dict[Any, str], str], ...] = (
            (is_pointer(left.kind), POINTER_COMPARISONS, "icmp"),
            (floating(left.kind), FLOAT_COMPARISONS, "fcmp"),
            (not is_pointer(left.kind) and not floating(left.kind), INTEGER_COMPARISONS, "icmp"),
        )
        for applies, table, instruction in tables:
            if applies and operation in table:
                text = f"{instruction} {table[operation]} {left.kind.llvm} {left.text}, {right.text}"
                return self.scope.assign(text, boolean)
        self.scope.fail(node, f"{operation.__name__} is not defined on {describe(left.kind)}")

    def _IfExp(self, node: ast.IfExp) -> Operand:
        yes, no, done = (self.scope.label(hint) for hint in ("yes", "no", "joined"))
        self.scope.finish(f"br i1 {self.condition(node.test)}, label %{yes}, label %{no}")
        self.scope.start(yes)
        first = self.value(node.body)
        result = Place(self.scope.stack(first.kind.llvm), first.kind)
        self.scope.emit(f"store {first.kind.llvm} {first.text}, ptr {result.address}, align 8")
        self.scope.finish(f"br label %{done}")
        self.scope.start(no)
        second = self.typed(node.orelse, first.kind, "the other branch")
        self.scope.emit(f"store {first.kind.llvm} {second.text}, ptr {result.address}, align 8")
        self.scope.start(done)
        return self.scope.assign(f"load {first.kind.llvm}, ptr {result.address}, align 8", first.kind)

    def _Call(self, node: ast.Call) -> Operand:
        """A cast, an intrinsic, a native function, or a call through a function pointer."""
        result = self.call(node)
        if result is None:
            self.scope.fail(node, "this call gives no value")
        return result

    def call(self, node: ast.Call) -> Operand | None:
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            self.scope.fail(node, "only positional arguments can be passed")
        try:
            callee = self.constant(node.func)
        except KeyError:
            return self._call_pointer(node, self.value(node.func))
        if is_native_type(callee):
            return self._cast(node, callee)
        if callable(callee) and id(callee) in INTRINSICS:
            rule = INTRINSIC_RULES[INTRINSICS[id(callee)]]
            return rule(self, node)
        signature = self._signature(callee)
        if signature is None:
            self.scope.fail(node, f"{ast.unparse(node.func)} is neither a native function nor a type")
        return self._emit_call(
            node, f"@{signature.symbol}", signature.result, tuple(k for _, k in signature.parameters)
        )

    def _call_pointer(self, node: ast.Call, callee: Value) -> Operand | None:
        if not isinstance(callee.kind, Function):
            self.scope.fail(node, f"{describe(callee.kind)} cannot be called; cast it to a Function type")
        return self._emit_call(node, callee.text, callee.kind.result, callee.kind.parameters)

    def _emit_call(
        self, node: ast.Call, callee: str, result: NativeType | None, parameters: tuple[NativeType, ...]
    ) -> Operand | None:
        if len(node.args) != len(parameters):
            self.scope.fail(
                node, f"{ast.unparse(node.func)} takes {len(parameters)} arguments, {len(node.args)} given"
            )
        arguments = []
        for number, (argument, kind) in enumerate(zip(node.args, parameters, strict=True)):
            value = self.typed(argument, kind, f"argument {number} of {ast.unparse(node.func)}")
            arguments.append(f"{kind.llvm} {value.text}")
        text = f"call {'void' if result is None else result.llvm} {callee}({', '.join(arguments)})"
        if result is None:
            self.scope.emit(text)
            return None
        return self.scope.assign(text, result)

    def _cast(self, node: ast.Call, kind: NativeType) -> Operand:
        if len(node.args) != 1:
            self.scope.fail(node, f"a cast to {describe(kind)} takes one argument")
        operand = self.operand(node.args[0])
        if isinstance(operand, Literal) and not (is_pointer(kind) and operand.number is not None):
            return self.scope.convert(node, operand, kind, "the cast")
        value = self.scope.settle(node, operand)
        instruction = cast_instruction(value.kind, kind)
        if instruction is None:
            self.scope.fail(node, f"no cast from {describe(value.kind)} to {describe(kind)}")
        if instruction == "":
            return Value(value.text, kind)
        return self.scope.assign(f"{instruction} {value.kind.llvm} {value.text} to {kind.llvm}", kind)


def power_of_two(text: str) -> int | None:
    """log2 of a constant operand that is a positive power of two."""
    if not text.isdigit() or text == "0" or int(text) & (int(text) - 1):
        return None
    return int(text).bit_length() - 1


def cast_instruction(source: NativeType, target: NativeType) -> str | None:
    """The LLVM instruction of a cast, "" where the bits stay as they are, None where there is none."""
    if is_pointer(source) and is_pointer(target):
        return ""
    if is_pointer(source) or is_pointer(target):
        if target is i64:
            return "ptrtoint"
        return "inttoptr" if source is i64 else None
    assert isinstance(source, Scalar) and isinstance(target, Scalar)
    if source is target:
        return ""
    if target is boolean:
        return None
    if source is boolean:
        return "uitofp" if target.floating else "zext"
    if source.floating and target.floating:
        return "fpext" if target.nbytes > source.nbytes else "fptrunc"
    if source.floating:
        return "fptosi"
    if target.floating:
        return "sitofp"
    return "sext" if target.nbytes > source.nbytes else "trunc"
