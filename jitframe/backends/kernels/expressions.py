"""Values and memory of custom kernels: Python's operators build the instructions.

Operands of one operation have one dtype; a Python number takes that of the other operand. There is no
implicit conversion: write `x.cast("float32")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ...codegen.kernel.nodes import Buffer, Value
from ...errors import ArgumentError, DTypeError, JitframeError
from ...ir.types import BOOL, BY_NUMPY_NAME, INDEX, DType

if TYPE_CHECKING:
    from .builder import KernelBuilder

Number = bool | int | float


class Expression:
    """A value of each lane: of a dtype, or a position ("index"), which counts elements in 32 or 64 bits."""

    __slots__ = ("build", "scope", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, build: KernelBuilder, value: Value) -> None:
        self.build = build
        self.scope = build.ir
        """The kernel's body or the function of the value."""
        self.value = value

    @property
    def dtype(self) -> str:
        """Its dtype's name, or "index"."""
        return dtype_name(self.value.dtype)

    def __repr__(self) -> str:
        return f"<{self.dtype} in kernel {self.build.name}>"

    def __bool__(self) -> bool:
        raise JitframeError(
            f"kernel {self.build.name}: a value of the kernel is known only when it runs, so Python cannot "
            "branch on it; write `with build.when(condition):` or build.select(condition, x, y), and & | ~ "
            "for and, or, not"
        )

    def cast(self, dtype: Any) -> Expression:
        """Converts the value as NumPy does."""
        return Expression(self.build, self.build.ir.cast(self.build.value(self), dtype_of(dtype)))

    def bitcast(self, dtype: Any) -> Expression:
        """Reinterprets the bits as another dtype of the same size."""
        wanted = dtype_of(dtype)
        if wanted.itemsize != self.value.dtype.itemsize:
            raise DTypeError(f"bitcast: {self.dtype} and {dtype_name(wanted)} differ in size")
        return Expression(self.build, self.build.ir.bitcast(self.build.value(self), wanted))

    def _with(self, name: str, other: Any, swapped: bool = False) -> Expression:
        pair = (other, self) if swapped else (self, other)
        return self.build.op(name, *pair)

    def __add__(self, other: Any) -> Expression:
        return self._with("add", other)

    def __radd__(self, other: Any) -> Expression:
        return self._with("add", other, True)

    def __sub__(self, other: Any) -> Expression:
        return self._with("sub", other)

    def __rsub__(self, other: Any) -> Expression:
        return self._with("sub", other, True)

    def __mul__(self, other: Any) -> Expression:
        return self._with("mul", other)

    def __rmul__(self, other: Any) -> Expression:
        return self._with("mul", other, True)

    def __truediv__(self, other: Any) -> Expression:
        return self._with("div", other)

    def __rtruediv__(self, other: Any) -> Expression:
        return self._with("div", other, True)

    def __floordiv__(self, other: Any) -> Expression:
        return self._with(self._whole("quotient", "floordiv"), other)

    def __rfloordiv__(self, other: Any) -> Expression:
        return self._with(self._whole("quotient", "floordiv"), other, True)

    def __mod__(self, other: Any) -> Expression:
        return self._with(self._whole("remainder", "floormod"), other)

    def __rmod__(self, other: Any) -> Expression:
        return self._with(self._whole("remainder", "floormod"), other, True)

    def _whole(self, of_index: str, of_integer: str) -> str:
        return of_index if self.value.dtype is INDEX else of_integer

    def __and__(self, other: Any) -> Expression:
        return self._with("and", other)

    def __rand__(self, other: Any) -> Expression:
        return self._with("and", other, True)

    def __or__(self, other: Any) -> Expression:
        return self._with("or", other)

    def __ror__(self, other: Any) -> Expression:
        return self._with("or", other, True)

    def __xor__(self, other: Any) -> Expression:
        return self._with("xor", other)

    def __rxor__(self, other: Any) -> Expression:
        return self._with("xor", other, True)

    def __lshift__(self, other: Any) -> Expression:
        return self._with("shift_left", other)

    def __rshift__(self, other: Any) -> Expression:
        return self._with("shift_right", other)

    def __invert__(self) -> Expression:
        return self.build.op("not", self)

    def __neg__(self) -> Expression:
        return self.build.op("neg", self)

    def __abs__(self) -> Expression:
        return self.build.op("abs", self)

    def __lt__(self, other: Any) -> Expression:
        return self._with("lt", other)

    def __le__(self, other: Any) -> Expression:
        return self._with("le", other)

    def __gt__(self, other: Any) -> Expression:
        return self._with("gt", other)

    def __ge__(self, other: Any) -> Expression:
        return self._with("ge", other)

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return self._with("eq", other)

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return self._with("ne", other)


class Memory:
    """Elements in global, shared or private memory: `memory[i]` loads, `memory[i] = x` stores."""

    __slots__ = ("buffer", "build", "name", "scope", "size")
    __hash__ = object.__hash__

    def __init__(self, build: KernelBuilder, buffer: Buffer, name: str, size: int | None = None) -> None:
        self.build = build
        self.scope = build.ir
        self.buffer = buffer
        self.name = name
        self.size = size
        """The number of elements, of shared and private memory."""

    @property
    def dtype(self) -> str:
        return dtype_name(self.buffer.dtype)

    def __repr__(self) -> str:
        return f"<{self.buffer.space} memory {self.name} of {self.dtype} in kernel {self.build.name}>"

    def __getitem__(self, position: Any) -> Expression:
        self._check(self.buffer.access == "out", "read", "in", position)
        at = self.build.operand(position, INDEX)
        return Expression(self.build, self.build.ir.load(self.build.memory(self), at))

    def __setitem__(self, position: Any, value: Any) -> None:
        self._check(self.buffer.access == "in", "written", "out", position)
        at = self.build.operand(position, INDEX)
        self.build.ir.store(self.build.memory(self), at, self.build.operand(value, self.buffer.dtype))

    def __iter__(self) -> Any:
        raise DTypeError(f"{self!r} is read by positions: write a loop with build.loop(0, n)")

    def _check(self, refused: bool, what: str, access: str, position: Any) -> None:
        if refused:
            raise ArgumentError(
                f"kernel {self.build.name}: buffer {self.name} is declared {self.buffer.access!r} and is "
                f"{what}; declare it {access!r} or 'inout'"
            )
        if self.size is not None and type(position) is int and not 0 <= position < self.size:
            raise ArgumentError(
                f"kernel {self.build.name}: position {position} of {self.name}, which has {self.size} "
                "elements"
            )


def dtype_of(dtype: Any) -> DType:
    """Returns a dtype from its name ("float32", "index"), from NumPy's, or from jitframe's. Raises
    DTypeError."""
    if isinstance(dtype, DType):
        return dtype
    if isinstance(dtype, str) and dtype == "index":
        return INDEX
    if isinstance(dtype, str) and dtype in BY_NUMPY_NAME:
        return BY_NUMPY_NAME[dtype]

    try:
        return BY_NUMPY_NAME[numpy.dtype(dtype).name]
    except (TypeError, KeyError):
        known = ", ".join(BY_NUMPY_NAME)
        raise DTypeError(f"{dtype!r} is no dtype of kernels; they have {known}, and index") from None


def dtype_name(dtype: DType) -> str:
    return "index" if dtype is INDEX else "bool" if dtype is BOOL else dtype.numpy_name
