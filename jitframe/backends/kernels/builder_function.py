"""Functions of custom kernels: built once, and called with values and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...codegen.kernel.builder import KernelBuilder as InstructionBuilder
from ...codegen.kernel.nodes import Access, Buffer, Function, Space, Value
from ...codegen.kernel.verify import told
from ...errors import ArgumentError, DTypeError
from ...ir.types import INDEX
from .expressions import Expression, Memory, dtype_of

if TYPE_CHECKING:
    from .builder import KernelBuilder

_ACCESSES: tuple[Access, ...] = ("in", "out", "inout")
_SPACES: tuple[Space, ...] = ("global", "shared", "private")


class BuilderFunction:
    """A function of `KernelBuilder.function`: calling it in the kernel builds a call.

    Its first call builds it; each call returns its results: one value, a tuple, or None.
    """

    def __init__(self, build: KernelBuilder, body: Callable[..., Any], parameters: Sequence[Any]) -> None:
        name = body.__name__ if body.__name__.isidentifier() and body.__name__.isascii() else "function"
        self.build = build
        self.name = build.scopes.unused(name)
        self.parameters = tuple(self._parameter(parameter) for parameter in parameters)
        self._body = body
        self._several = False
        self._written: Function | None = None

    def __repr__(self) -> str:
        return f"<function {self.name}({', '.join(map(told, self.parameters))}) of kernel {self.build.name}>"

    def __call__(self, *arguments: Any) -> Any:
        if len(arguments) != len(self.parameters):
            raise ArgumentError(f"{self!r} takes {len(self.parameters)} arguments, not {len(arguments)}")
        operands = [self._operand(*pair) for pair in zip(arguments, self.parameters, strict=True)]
        expressions = tuple(
            Expression(self.build, value) for value in self.build.ir.call(self._function(), operands)
        )
        return expressions if self._several else expressions[0] if expressions else None

    def _parameter(self, spelled: Any) -> Value:
        """Parses a parameter: "float32" is a value, "in float32" and "inout shared int32" are memory."""
        words = spelled.split() if isinstance(spelled, str) else [spelled]
        if len(words) == 1:
            return Value(dtype_of(words[0]))
        access = next((each for each in _ACCESSES if each == words[0]), None)
        space = next((each for each in _SPACES if [each] == (words[1:-1] or ["global"])), None)
        if access is None or space is None:
            raise ArgumentError(
                f'function {self.name}: {spelled!r} is no parameter: a value is "float32", memory is '
                '"in float32" or "inout shared int32"'
            )
        dtype = dtype_of(words[-1])
        if dtype is INDEX:
            raise DTypeError(f"function {self.name}: memory holds int32 or int64, not index")
        return Buffer(dtype, space, access)

    def _operand(self, given: Any, parameter: Value) -> Value:
        if not isinstance(parameter, Buffer):
            return self.build.operand(given, parameter.dtype)
        if not isinstance(given, Memory):
            raise DTypeError(f"{self!r}: a {type(given).__name__} where {told(parameter)} is needed")
        buffer = self.build.memory(given)
        if (buffer.dtype, buffer.space) != (parameter.dtype, parameter.space) or (
            buffer.access not in ("inout", parameter.access)
        ):
            raise ArgumentError(f"{self!r}: {given.name} is {told(buffer)}, not {told(parameter)}")
        return buffer

    def _function(self) -> Function:
        """Returns the function, built at its first call."""
        if self._written is None:
            with self.build.scopes.function(self.name) as ir:
                self._written = ir.function(self.name, self.parameters, self._results)
            self.build.scopes.functions.append(self._written)
        return self._written

    def _results(self, *values: Value) -> list[Value]:
        shown = [
            Memory(self.build, value, f"parameter {number}") if isinstance(value, Buffer)
            else Expression(self.build, value)
            for number, value in enumerate(values)
        ]  # fmt: skip
        given = self._body(*shown)
        self._several = isinstance(given, (tuple, list))
        results = given if isinstance(given, (tuple, list)) else () if given is None else (given,)
        if any(isinstance(result, Memory) for result in results):
            raise DTypeError(f"{self!r} returns memory: it returns values, and writes to memory it is given")
        return [self.build.value(result) for result in results]


class Scopes:
    """The scopes of a kernel: its body and its functions, each with a builder of its own."""

    def __init__(self, kernel: str) -> None:
        self.kernel = kernel
        self.body = self.ir = InstructionBuilder(kernel)
        self.functions: list[Function] = []
        """The finished functions, each before its callers."""
        self._writing: list[str] = []
        self._names: set[str] = set()

    def unused(self, name: str) -> str:
        """Returns the name, with a number where another function has it."""
        found, number = name, 1
        while found in self._names:
            number += 1
            found = f"{name}_{number}"
        self._names.add(found)
        return found

    @contextmanager
    def function(self, name: str) -> Iterator[InstructionBuilder]:
        """Builds a function. Raises ArgumentError inside itself."""
        if name in self._writing:
            way = " -> ".join([*self._writing[self._writing.index(name) :], name])
            raise ArgumentError(
                f"kernel {self.kernel}: function {name} calls itself ({way}): kernels have no recursion; "
                "write a loop"
            )
        outer, self.ir = self.ir, InstructionBuilder(name)
        self._writing.append(name)
        try:
            yield self.ir
        finally:
            self._writing.pop()
            self.ir = outer

    @property
    def in_function(self) -> bool:
        return self.ir is not self.body

    def called(self, ir: InstructionBuilder) -> str:
        """Returns the name of the body or of a function, in words."""
        return f"kernel {self.kernel}" if ir is self.body else f"function {ir.name}"
