"""Translation of the intrinsics: addresses, stack memory, atomics, processor instructions, bit tricks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .types import (
    Pointer,
    boolean,
    describe,
    element_size,
    f32,
    f64,
    i32,
    i64,
    is_native_type,
    is_pointer,
    is_struct,
    ptr,
)
from .values import Literal, Operand, Place, Value, integer

if TYPE_CHECKING:
    from .expressions import Expressions

Rule = Callable[["Expressions", ast.Call], "Operand | None"]
INTRINSIC_RULES: dict[str, Rule] = {}


def intrinsic(*counts: int) -> Callable[[Rule], Rule]:
    """Register a rule under its function's name, for calls with so many arguments."""

    def register(rule: Rule) -> Rule:
        name = rule.__name__.lstrip("_")

        def checked(expressions: Expressions, node: ast.Call) -> Operand | None:
            if len(node.args) not in counts:
                wanted = " or ".join(map(str, counts))
                expressions.scope.fail(node, f"{name} takes {wanted} arguments, {len(node.args)} given")
            return rule(expressions, node)

        INTRINSIC_RULES[name] = checked
        return rule

    return register


def _atomic_place(expressions: Expressions, node: ast.expr) -> Place:
    place = expressions.place(node)
    if place.inline:
        expressions.scope.fail(node, "an atomic operation needs a scalar or pointer in memory")
    return place


@intrinsic(1)
def _address(expressions: Expressions, node: ast.Call) -> Operand:
    place = expressions.place(node.args[0])
    if place.inline:
        return expressions.scope.load(place)
    return Value(place.address, Pointer(place.kind))


@intrinsic(2)
def _offset(expressions: Expressions, node: ast.Call) -> Operand:
    base = expressions.value(node.args[0])
    if not is_pointer(base.kind):
        expressions.scope.fail(node, f"offset moves a pointer, not {describe(base.kind)}")
    distance = expressions.typed(node.args[1], i64, "the offset")
    return expressions.scope.assign(f"getelementptr i8, ptr {base.text}, i64 {distance.text}", ptr)


def _type_argument(expressions: Expressions, node: ast.expr) -> Any:
    kind = expressions.constant_or_none(node)
    if not is_native_type(kind):
        expressions.scope.fail(node, f"{ast.unparse(node)} is not a type")
    return kind


@intrinsic(1, 2)
def _local(expressions: Expressions, node: ast.Call) -> Operand:
    kind = _type_argument(expressions, node.args[0])
    length = expressions.constant_or_none(node.args[1]) if len(node.args) == 2 else 1
    if not isinstance(length, int) or length < 1:
        expressions.scope.fail(node, "the length of local memory is a positive constant")
    address = expressions.scope.stack(f"[{element_size(kind) * length} x i8]", zero=False, alignment=16)
    return Value(address, kind if is_struct(kind) else Pointer(kind))


@intrinsic(1)
def _sizeof(expressions: Expressions, node: ast.Call) -> Operand:
    return Literal(element_size(_type_argument(expressions, node.args[0])))


@intrinsic(1)
def _atomic_load(expressions: Expressions, node: ast.Call) -> Operand:
    place = _atomic_place(expressions, node.args[0])
    text = f"load atomic {place.kind.llvm}, ptr {place.address} acquire, align {place.kind.nbytes}"
    return expressions.scope.assign(text, place.kind)


@intrinsic(2)
def _atomic_store(expressions: Expressions, node: ast.Call) -> None:
    place = _atomic_place(expressions, node.args[0])
    value = expressions.typed(node.args[1], place.kind, "the stored value")
    text = (
        f"store atomic {place.kind.llvm} {value.text}, ptr {place.address} release, align {place.kind.nbytes}"
    )
    expressions.scope.emit(text)


def _read_modify_write(expressions: Expressions, node: ast.Call, operation: str) -> Operand:
    place = _atomic_place(expressions, node.args[0])
    if operation == "add" and not integer(place.kind):
        expressions.scope.fail(node, f"atomic_add needs an integer, not {describe(place.kind)}")
    value = expressions.typed(node.args[1], place.kind, "the operand")
    text = f"atomicrmw {operation} ptr {place.address}, {place.kind.llvm} {value.text} seq_cst"
    return expressions.scope.assign(text, place.kind)


@intrinsic(2)
def _atomic_add(expressions: Expressions, node: ast.Call) -> Operand:
    return _read_modify_write(expressions, node, "add")


@intrinsic(2)
def _atomic_exchange(expressions: Expressions, node: ast.Call) -> Operand:
    return _read_modify_write(expressions, node, "xchg")


@intrinsic(3)
def _atomic_compare_exchange(expressions: Expressions, node: ast.Call) -> Operand:
    place = _atomic_place(expressions, node.args[0])
    expected = expressions.typed(node.args[1], place.kind, "the expected value")
    desired = expressions.typed(node.args[2], place.kind, "the desired value")
    llvm = place.kind.llvm
    text = f"cmpxchg ptr {place.address}, {llvm} {expected.text}, {llvm} {desired.text} seq_cst seq_cst"
    pair = expressions.scope.assign(text, boolean)
    return expressions.scope.assign(f"extractvalue {{ {llvm}, i1 }} {pair.text}, 1", boolean)


@intrinsic(0)
def _fence(expressions: Expressions, node: ast.Call) -> None:
    expressions.scope.emit("fence seq_cst")


# By architecture: the LLVM intrinsic and its arguments. Inline assembly would need a parser for each.
PAUSE = {"x86_64": ("llvm.x86.sse2.pause", ""), "aarch64": ("llvm.aarch64.isb", "i32 15")}
SFENCE = {"x86_64": ("llvm.x86.sse.sfence", "")}


def _instruction(expressions: Expressions, table: dict[str, tuple[str, str]]) -> None:
    module = expressions.scope.module
    if module.architecture in table:
        name, argument = table[module.architecture]
        module.intrinsics.add(f"declare void @{name}({argument.split(' ')[0]})")
        expressions.scope.emit(f"call void @{name}({argument})")


@intrinsic(0)
def _pause(expressions: Expressions, node: ast.Call) -> None:
    _instruction(expressions, PAUSE)


@intrinsic(0)
def _sfence(expressions: Expressions, node: ast.Call) -> None:
    _instruction(expressions, SFENCE)


@intrinsic(3)
def _cpuid(expressions: Expressions, node: ast.Call) -> None:
    scope = expressions.scope
    leaf = expressions.typed(node.args[0], i32, "the leaf")
    subleaf = expressions.typed(node.args[1], i32, "the subleaf")
    registers = expressions.typed(node.args[2], Pointer(i32), "the result")
    four = "{ i32, i32, i32, i32 }"
    result = Value("zeroinitializer", i32)
    if scope.module.architecture == "x86_64":
        operands = f"i32 {leaf.text}, i32 {subleaf.text}"
        constraints = '"={ax},={bx},={cx},={dx},{ax},{cx}"'
        result = scope.assign(f'call {four} asm sideeffect "cpuid", {constraints}({operands})', i32)
    for position in range(4):
        part = scope.assign(f"extractvalue {four} {result.text}, {position}", i32)
        target = scope.assign(f"getelementptr i32, ptr {registers.text}, i64 {position}", ptr)
        scope.emit(f"store i32 {part.text}, ptr {target.text}, align 4")


@intrinsic(0)
def _xgetbv(expressions: Expressions, node: ast.Call) -> Operand:
    scope = expressions.scope
    if scope.module.architecture != "x86_64":
        return Literal(0)
    text = 'call { i32, i32 } asm sideeffect "xgetbv", "={ax},={dx},{cx}"(i32 0)'
    pair = scope.assign(text, i32)
    low = scope.assign(f"extractvalue {{ i32, i32 }} {pair.text}, 0", i32)
    return scope.assign(f"zext i32 {low.text} to i64", i64)


@intrinsic(3)
def _select(expressions: Expressions, node: ast.Call) -> Operand:
    condition = expressions.condition(node.args[0])
    yes, no = expressions._pair(node, node.args[1], node.args[2])
    llvm = yes.kind.llvm
    return expressions.scope.assign(f"select i1 {condition}, {llvm} {yes.text}, {llvm} {no.text}", yes.kind)


def _integers(expressions: Expressions, node: ast.Call) -> tuple[Value, Value]:
    left, right = expressions._pair(node, node.args[0], node.args[1])
    if not integer(left.kind):
        expressions.scope.fail(node, f"{ast.unparse(node.func)} needs integers, not {describe(left.kind)}")
    return left, right


@intrinsic(2)
def _shift_right_unsigned(expressions: Expressions, node: ast.Call) -> Operand:
    left, right = _integers(expressions, node)
    return expressions.scope.assign(f"lshr {left.kind.llvm} {left.text}, {right.text}", left.kind)


@intrinsic(2)
def _unsigned_less(expressions: Expressions, node: ast.Call) -> Operand:
    left, right = _integers(expressions, node)
    return expressions.scope.assign(f"icmp ult {left.kind.llvm} {left.text}, {right.text}", boolean)


@intrinsic(1)
def _leading_zeros(expressions: Expressions, node: ast.Call) -> Operand:
    value = expressions.typed(node.args[0], i64, "the argument")
    expressions.scope.module.intrinsics.add("declare i64 @llvm.ctlz.i64(i64, i1)")
    return expressions.scope.assign(f"call i64 @llvm.ctlz.i64(i64 {value.text}, i1 false)", i64)


def _bits(expressions: Expressions, node: ast.Call, source: Any, target: Any) -> Operand:
    value = expressions.typed(node.args[0], source, "the argument")
    return expressions.scope.assign(f"bitcast {source.llvm} {value.text} to {target.llvm}", target)


@intrinsic(1)
def _bits_of_f32(expressions: Expressions, node: ast.Call) -> Operand:
    return _bits(expressions, node, f32, i32)


@intrinsic(1)
def _bits_of_f64(expressions: Expressions, node: ast.Call) -> Operand:
    return _bits(expressions, node, f64, i64)


__all__ = ["INTRINSIC_RULES"]
