"""The state of one function's translation: its text so far, its locals, and what it needs of the module."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from .types import Array, NativeType, Pointer, Struct, describe
from .values import Literal, Operand, Place, Value, converts, literal_as, literal_default


class NativeError(TypeError):
    """A native source that cannot be translated: which function, which line, what is wrong."""

    def __init__(self, where: str, line: int, problem: str) -> None:
        super().__init__(f"{where}, line {line}: {problem}")
        self.where = where
        self.line = line
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Signature:
    """A native function's symbol and types."""

    symbol: str
    parameters: tuple[tuple[str, NativeType], ...]
    result: NativeType | None


@dataclass
class ModuleScope:
    """The state that the functions of one image share."""

    architecture: str
    signatures: dict[Callable[..., Any], Signature]
    strings: dict[bytes, str] = field(default_factory=dict)
    globals: dict[str, type[Struct]] = field(default_factory=dict)
    intrinsics: set[str] = field(default_factory=set)

    def string(self, text: bytes) -> str:
        return self.strings.setdefault(text, f"@.string.{len(self.strings)}")


class FunctionScope:
    """Emits instructions into basic blocks and knows the names in reach."""

    def __init__(self, module: ModuleScope, signature: Signature, namespace: dict[str, Any]) -> None:
        self.module = module
        self.signature = signature
        self.namespace = namespace
        self.locals: dict[str, Place] = {}
        self.loops: list[tuple[str, str]] = []
        self.entry: list[str] = []
        self.lines: list[str] = []
        self.terminated = False
        self._registers = 0
        self._labels = 0

    def fail(self, node: ast.AST, problem: str) -> NoReturn:
        raise NativeError(self.signature.symbol, getattr(node, "lineno", 0), problem)

    def register(self) -> str:
        self._registers += 1
        return f"%.{self._registers}"

    def label(self, hint: str) -> str:
        self._labels += 1
        return f".{hint}{self._labels}"

    def emit(self, text: str) -> None:
        if not self.terminated:
            self.lines.append(f"  {text}")

    def assign(self, text: str, kind: NativeType) -> Value:
        register = self.register()
        self.emit(f"{register} = {text}")
        return Value(register, kind)

    def start(self, label: str) -> None:
        """Open a block; a block that is still open falls through into it."""
        if not self.terminated:
            self.emit(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.terminated = False

    def finish(self, text: str) -> None:
        self.emit(text)
        self.terminated = True

    def stack(self, llvm_type: str, zero: bool = True, alignment: int = 8) -> str:
        """An alloca in the entry block, so that a loop does not grow the stack."""
        register = self.register()
        self.entry.append(f"  {register} = alloca {llvm_type}, align {alignment}")
        if zero:
            self.entry.append(f"  store {llvm_type} zeroinitializer, ptr {register}, align {alignment}")
        return register

    def load(self, place: Place) -> Value:
        """The value at a place; a struct's or array's value is its address."""
        if place.inline:
            return Value(
                place.address, Pointer(place.kind.element) if isinstance(place.kind, Array) else place.kind
            )
        return self.assign(
            f"load {place.kind.llvm}, ptr {place.address}, align {place.kind.nbytes or 1}", place.kind
        )

    def store(self, place: Place, value: Value) -> None:
        self.emit(f"store {value.kind.llvm} {value.text}, ptr {place.address}, align {place.kind.nbytes}")

    def convert(self, node: ast.AST, operand: Operand, kind: NativeType, what: str) -> Value:
        """The operand as that type, by the implicit rules, or an error naming what it was for."""
        if isinstance(operand, Literal):
            constant = literal_as(operand, kind)
            if constant is None:
                self.fail(node, f"{what} is {describe(kind)}; the literal {operand.number!r} does not fit")
            return constant
        if not converts(operand.kind, kind):
            self.fail(
                node,
                f"{what} is {describe(kind)}, not {describe(operand.kind)}; cast it: {describe(kind)}(...)",
            )
        return Value(operand.text, kind)

    def settle(self, node: ast.AST, operand: Operand) -> Value:
        """The operand with its default type if it is a literal."""
        if isinstance(operand, Value):
            return operand
        constant = literal_default(operand)
        if constant is None:
            self.fail(node, f"the literal {operand.number!r} fits no type")
        return constant
