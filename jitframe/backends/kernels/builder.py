"""Custom kernels, written once for every backend: a builder with loops, barriers and shared memory.

>>> import jitframe as jf
>>> build = jf.backends.KernelBuilder("axpy", workgroup=64)
>>> a, n = build.uniform("float32", "a"), build.uniform("index", "n")
>>> x, y = build.buffer("float32", "in", "x"), build.buffer("float32", "inout", "y")
>>> i = build.position()
>>> with build.when(i < n):
...     y[i] = a * x[i] + y[i]
>>> build.finish()
<kernel axpy(a: float32, n: index, x: in float32, y: inout float32), workgroups of 64>
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from ...codegen.kernel.builder import KernelBuilder as InstructionBuilder
from ...codegen.kernel.nodes import Access, Buffer, Value
from ...codegen.kernel.ops import ARITHMETIC, COMPARISONS, KERNEL_OPS, MATH
from ...codegen.kernel.verify import KIND_LETTER, KernelError, verify
from ...errors import ArgumentError, CompileError, DTypeError, UnsupportedError
from ...ir.types import BOOL, INDEX, DType
from .builder_function import BuilderFunction, Scopes
from .expressions import Expression, Memory, dtype_name, dtype_of
from .function import Extents, KernelFunction, Parameter, three

Scope = Literal["thread", "workgroup", "device", "system"]
_ACCESSES = ("in", "out", "inout")
_OPERATIONS = frozenset({*ARITHMETIC, *COMPARISONS, *MATH, "select"}) - {"fma"}


class KernelBuilder:
    """Builds one kernel: `workgroup` lanes (one to three extents, one for each axis of the grid) run it.

    Between barriers lanes run in any order, workgroups always. Devices do not check positions against a
    buffer's bounds; `KernelFunction.interpret` does. Raises ArgumentError for an invalid name or workgroup.
    """

    def __init__(self, name: str, workgroup: Extents = 1) -> None:
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
            raise ArgumentError(f"{name!r} is no name for a kernel: letters, digits and _ make one")
        self.name = name
        self.workgroup = three(workgroup, "workgroup")
        if 0 in self.workgroup:
            raise ArgumentError(f"kernel {name}: a workgroup of {workgroup} has no lanes")
        self.rank = 1 if isinstance(workgroup, int) else len(workgroup)
        self.scopes = Scopes(name)
        self._parameters: list[Parameter] = []
        self._grid: list[Value] = []
        self._sealed = False
        self._depth = 0

    @property
    def ir(self) -> InstructionBuilder:
        """The builder of instructions."""
        return self.scopes.ir

    # Parameters -----------------------------------------------------------------------------------------
    def buffer(self, dtype: Any, access: Access = "inout", name: str = "") -> Memory:
        """Declares a buffer in device memory: "in" is read, "out" is written, "inout" both."""
        if access not in _ACCESSES:
            raise ArgumentError(f"kernel {self.name}: access {access!r} of a buffer is none of {_ACCESSES}")
        found = dtype_of(dtype)
        if found is INDEX:
            raise DTypeError(f"kernel {self.name}: memory holds int32 or int64; cast what is loaded to index")
        label = self._declare(name or f"buffer{len(self._parameters)}", found, access)
        return Memory(self, self.ir.buffer(found, access), label)

    def uniform(self, dtype: Any, name: str = "") -> Expression:
        """Declares a number that each launch is given; a size or a position is of dtype "index"."""
        found = dtype_of(dtype)
        self._declare(name or f"uniform{len(self._parameters)}", found, "")
        return Expression(self, self.ir.index() if found is INDEX else self.ir.scalar(found))

    def _declare(self, name: str, dtype: DType, access: str) -> str:
        self._outside(f"{name} is declared")
        if self._sealed:
            raise ArgumentError(
                f"kernel {self.name}: declare {name} before the first group(), lane() or position() of a "
                "kernel with several axes"
            )
        if any(parameter.name == name for parameter in self._parameters):
            raise ArgumentError(f"kernel {self.name} has a parameter {name!r} already")
        self._parameters.append(Parameter(name, dtype, access))
        return name

    # Where a lane is ------------------------------------------------------------------------------------
    def group(self, axis: int = 0) -> Expression:
        """Returns the workgroup's number along an axis of the grid."""
        self._check_axis(axis)
        number = self.ir.group_id()
        if self.rank == 1:
            return Expression(self, number)
        self._outside("group() and position() of a kernel of several axes stand")
        if not self._sealed:
            self._sealed = True  # the grid's extents come after all that the kernel's own callers give
            self._grid = [self.ir.index() for _ in range(self.rank - 1)]
        return Expression(self, self._digit(number, self._grid, axis))

    def lane(self, axis: int = 0) -> Expression:
        """Returns the lane's number in its workgroup along an axis."""
        self._check_axis(axis)
        extents = [self.ir.constant(extent) for extent in self.workgroup[: self.rank - 1]]
        return Expression(self, self._digit(self.ir.lane_id(), extents, axis))

    def position(self, axis: int = 0) -> Expression:
        """Returns `group(axis) * workgroup[axis] + lane(axis)`: the lane's number in the whole grid."""
        return self.group(axis) * self.workgroup[axis] + self.lane(axis)

    def _check_axis(self, axis: int) -> None:
        if not isinstance(axis, int) or not 0 <= axis < self.rank:
            raise ArgumentError(
                f"kernel {self.name} has {self.rank} axes, no axis {axis!r}: give workgroup= as many extents"
            )

    def _digit(self, number: Value, extents: Sequence[Value], axis: int) -> Value:
        """Returns one coordinate of a linear number; axis 0 varies fastest."""
        for extent in extents[:axis]:
            number = self.ir.emit("quotient", (number, extent))
        return number if axis == self.rank - 1 else self.ir.emit("remainder", (number, extents[axis]))

    # Memory and order -----------------------------------------------------------------------------------
    def shared(self, dtype: Any, size: int, name: str = "shared") -> Memory:
        """Allocates elements that the lanes of a workgroup share; undefined until they are written."""
        return self._local(dtype, size, name, "shared")

    def private(self, dtype: Any, size: int = 1, name: str = "private") -> Memory:
        """Allocates elements of each lane's own; undefined until they are written."""
        return self._local(dtype, size, name, "private")

    def _local(self, dtype: Any, size: int, name: str, space: Literal["shared", "private"]) -> Memory:
        if not isinstance(size, int) or size < 1:
            raise ArgumentError(f"kernel {self.name}: {name} has a fixed number of elements, not {size!r}")
        if space == "shared":
            self._outside(f"shared memory {name} is made")
        return Memory(self, self.ir.allocate(dtype_of(dtype), size, space), name, size)

    def barrier(self, id: int | None = None) -> None:
        """A barrier: all lanes of the workgroup arrive here, and see each other's writes, before any
        continues.

        Lanes that left by `exit` count as arrived. `id` names it in messages, by default with a number that
        no earlier barrier has. All lanes must reach it: `finish` refuses one that only some lanes reach, and
        names the barrier of the others.
        """
        if id is not None and (type(id) is not int or id < 0):
            raise ArgumentError(f"kernel {self.name}: a barrier's id is a whole number from 0, not {id!r}")
        self.ir.barrier(id)

    def fence(self, scope: Scope = "device") -> None:
        """A fence: within `scope`, the lane's earlier writes are visible before its later ones."""
        self.ir.fence(scope)

    def atomic(self, kind: str, memory: Memory, position: Any, value: Any) -> Expression:
        """Replaces an element by `kind(element, value)` atomically and returns its old value. Kinds are
        "add", "min", "max", "and", "or", "xor", "exchange", as far as the device has them for the dtype."""
        changed_in = self.memory(memory)
        at, changed = self.operand(position, INDEX), self.operand(value, changed_in.dtype)
        return Expression(self, self.ir.atomic(kind, changed_in, at, changed))

    # Control --------------------------------------------------------------------------------------------
    @contextmanager
    def when(self, condition: Expression) -> Iterator[None]:
        """The block's instructions run on the lanes where a condition holds; those of an immediately
        following `otherwise` on the others.

        >>> build = KernelBuilder("clip", workgroup=64)
        >>> x = build.buffer("float32", "inout", "x")
        >>> i = build.position()
        >>> with build.when(x[i] < 0):
        ...     x[i] = 0
        >>> with build.otherwise():
        ...     with build.when(x[i] > 1):
        ...         x[i] = 1
        """
        with self.ir.when(self.operand(condition, BOOL)):
            yield

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """The block's instructions run on the lanes that the preceding `when` excluded. Raises ArgumentError
        where there is none right before it."""
        block = self.ir.otherwise()
        if block is None:
            raise ArgumentError(
                f"kernel {self.name}: otherwise() stands right behind a `with build.when(condition):`, in "
                "the same block, and once"
            )
        with block:
            yield

    def branch(self, condition: Expression, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """Returns `then()` on lanes where a condition holds, `otherwise()` on the others; each lane runs one
        of them.

        Both return one value, or several in a tuple, of the same dtypes; a plain number of `otherwise` takes
        the other's dtype. Raises ArgumentError and DTypeError for other results.

        >>> build = KernelBuilder("root", workgroup=64)
        >>> x = build.buffer("float32", "inout", "x")
        >>> value = x[build.position()]
        >>> x[build.position()] = build.branch(value > 0, lambda: build.op("sqrt", value), lambda: 0)
        """
        self._check_functions("branch", then, otherwise)
        first: list[Expression] = []
        several = False

        def taken() -> list[Value]:
            nonlocal several
            given = then()
            several = isinstance(given, (tuple, list))
            first.extend(self._expression(each) for each in (given if several else (given,)))
            return [expression.value for expression in first]

        def other() -> list[Value]:
            given = otherwise()
            return self._following(
                given if several else (given,), [expression.value for expression in first], "branch"
            )

        expressions = [
            Expression(self, value) for value in self.ir.branch(self.operand(condition, BOOL), taken, other)
        ]
        return tuple(expressions) if several else expressions[0]

    @contextmanager
    def loop(
        self, lower: Any, upper: Any, step: Any = 1, kind: Literal["serial", "lanes"] = "serial"
    ) -> Iterator[Expression]:
        """`for i in range(lower, upper, step)`, sequentially; "lanes": in any order, in parallel."""
        first, last, steps = (self.operand(each, INDEX) for each in (lower, upper, step))
        with self.ir.loop(first, last, steps, kind=kind) as (i,):
            yield Expression(self, i)

    def carry(
        self,
        lower: Any,
        upper: Any,
        initial: Any,
        body: Callable[..., Any],
        step: Any = 1,
    ) -> Any:
        """A loop with loop-carried values: `body(i, *values)` returns the next ones; the loop returns the
        last ones.

        `initial`: one value, or several in a tuple; the result has the same form.
        """
        self._check_functions("carry", body)
        several = isinstance(initial, (tuple, list))
        first = [self._expression(each) for each in (initial if several else (initial,))]

        def run(i: Value, *carried: Value) -> list[Value]:
            made = body(Expression(self, i), *(Expression(self, value) for value in carried))
            return self._following(made if several else (made,), carried, "carry")

        bounds = [self.operand(each, INDEX) for each in (lower, upper, step)]
        last = self.ir.carry(bounds[0], bounds[1], [expression.value for expression in first], run, bounds[2])
        expressions = tuple(Expression(self, value) for value in last)
        return expressions if several else expressions[0]

    def repeat_while(
        self, initial: Sequence[Any], condition: Callable[..., Expression], body: Callable[..., Sequence[Any]]
    ) -> tuple[Expression, ...]:
        """While `condition(*values)` holds, replaces the values by `body(*values)`; returns the last ones."""
        self._check_functions("repeat_while", condition, body)
        if not isinstance(initial, (tuple, list)):
            raise DTypeError(f"kernel {self.name}: repeat_while hands on a tuple of values, not {initial!r}")
        first = [self._expression(each).value for each in initial]

        def shown(values: Sequence[Value]) -> list[Expression]:
            return [Expression(self, value) for value in values]

        def follow(*values: Value) -> list[Value]:
            return self._following(body(*shown(values)), values, "repeat_while")

        last = self.ir.repeat_while(first, lambda *v: self.operand(condition(*shown(v)), BOOL), follow)
        return tuple(shown(last))

    def _check_functions(self, what: str, *given: Any) -> None:
        for each in given:
            if not callable(each):
                raise DTypeError(
                    f"kernel {self.name}: {what} takes functions, which write what runs; not {each!r}"
                )

    def _following(self, given: Any, before: Sequence[Value], what: str) -> list[Value]:
        """Returns the next loop-carried values, in the dtypes of those before."""
        found = len(given) if isinstance(given, (tuple, list)) else 1
        if found != len(before) or not isinstance(given, (tuple, list)):
            raise ArgumentError(f"kernel {self.name}: {what} hands on {len(before)} values, not {found}")
        return [self.operand(each, value.dtype) for each, value in zip(given, before, strict=True)]

    def exit(self) -> None:
        """Ends the lane. At a later barrier it counts as arrived; the condition must not depend on what the
        other lanes load after it, nor stand in a `repeat_while`."""
        self.ir.exit()

    def function(self, *parameters: Any) -> Callable[[Callable[..., Any]], BuilderFunction]:
        """Makes a Python function a function of the kernel: a decorator, whose arguments declare the
        parameters.

        "float32" is a value, "in float32", "out ..." and "inout ..." are buffers, "inout shared int32" and
        "inout private int32" memory of those kinds. It returns one value, several in a tuple, or None. It is
        compiled once, at its first call, and can use its parameters alone, `lane()`, and the `group()` and
        `position()` of a kernel of one axis; `exit` in it ends the lane. Without this decorator, a Python
        function is inlined wherever it is called. Raises ArgumentError for recursion.

        >>> build = KernelBuilder("spread", workgroup=64)
        >>> x = build.buffer("float32", "inout", "x")
        >>> @build.function("float32", "float32")
        ... def bounds(a, b):
        ...     return build.minimum(a, b), build.maximum(a, b)
        >>> low, high = bounds(x[0], x[build.position()])
        >>> x[build.position()] = high - low
        """
        return lambda body: BuilderFunction(self, body, parameters)

    def _outside(self, what: str) -> None:
        if self.scopes.in_function:
            raise ArgumentError(
                f"kernel {self.name}: {what} outside of its functions; give it to "
                f"{self.scopes.called(self.ir)} as a parameter"
            )

    # Operations -----------------------------------------------------------------------------------------
    def constant(self, value: bool | float, dtype: Any) -> Expression:
        """Returns a constant of a dtype. Raises DTypeError where it does not fit."""
        try:
            return Expression(self, self.ir.constant(value, dtype_of(dtype)))
        except ValueError as problem:
            raise DTypeError(f"kernel {self.name}: {problem}") from None

    def op(self, name: str, *operands: Any) -> Expression:
        """Applies an operation of the kernel instruction set by its name: "exp", "minimum", "shift_left",
        "select".

        Numbers among the operands take the others' dtype. Raises UnsupportedError for an unknown name,
        DTypeError for operands that do not fit.
        """
        if name not in _OPERATIONS:
            raise UnsupportedError(f"kernel operation {name!r}; there are {', '.join(sorted(_OPERATIONS))}")
        op = KERNEL_OPS[name]
        if op.arity is not None and len(operands) != op.arity:
            raise ArgumentError(f"kernel {self.name}: {name} takes {op.arity} operands, not {len(operands)}")
        chosen, *rest = operands if op.rule == "select" else (None, *operands)
        dtype = next((each.value.dtype for each in rest if isinstance(each, Expression)), None)
        if dtype is None:
            raise DTypeError(f"kernel {self.name}: {name} of plain numbers: make one with build.constant()")
        if KIND_LETTER[dtype.kind] not in op.kinds:
            raise DTypeError(f"kernel {self.name}: {name} does not take {dtype_name(dtype)}; cast first")
        values = [self.operand(each, dtype) for each in rest]
        if op.rule == "select":
            values.insert(0, self.operand(chosen, BOOL))
        return Expression(self, self.ir.emit(name, values))

    def select(self, condition: Expression, x: Any, y: Any) -> Expression:
        """Selects x where the condition holds, else y; both are computed."""
        return self.op("select", condition, x, y)

    def minimum(self, x: Any, y: Any) -> Expression:
        """Returns the smaller one; NaN where one is."""
        return self.op("minimum", x, y)

    def maximum(self, x: Any, y: Any) -> Expression:
        """Returns the larger one; NaN where one is."""
        return self.op("maximum", x, y)

    def operand(self, value: Any, dtype: DType) -> Value:
        """Returns a value of a dtype, from an expression of it or a plain number. Raises DTypeError."""
        if isinstance(value, Expression):
            self._check_scope(value)
            if value.value.dtype is not dtype:
                wanted = dtype_name(dtype)
                raise DTypeError(
                    f"kernel {self.name}: {value.dtype} where {wanted} is needed; write .cast({wanted!r})"
                )
            return value.value
        if isinstance(value, (bool, int, float)):
            return self.constant(value, dtype).value
        raise DTypeError(f"kernel {self.name}: a {type(value).__name__} is no value of a kernel")

    def value(self, value: Any) -> Value:
        """Returns the IR value of an expression that is valid here. Raises ArgumentError and DTypeError."""
        return self._expression(value).value

    def memory(self, memory: Memory) -> Buffer:
        """Returns the buffer of memory that is valid here. Raises ArgumentError and DTypeError."""
        if not isinstance(memory, Memory):
            raise DTypeError(
                f"kernel {self.name}: {memory!r} is no memory, as buffer, shared and private give"
            )
        self._check_scope(memory)
        return memory.buffer

    def _check_scope(self, given: Expression | Memory) -> None:
        if given.build is not self:
            raise ArgumentError(f"kernel {self.name}: {given!r} belongs to another kernel")
        if given.scope is not self.ir:
            raise ArgumentError(
                f"{self.scopes.called(self.ir)}: {given!r} is of {self.scopes.called(given.scope)}; hand it "
                "on as a parameter, or as a result"
            )

    def _expression(self, value: Any) -> Expression:
        if not isinstance(value, Expression):
            raise DTypeError(f"kernel {self.name}: give {value!r} a dtype with build.constant(value, dtype)")
        self._check_scope(value)
        return value

    # The end --------------------------------------------------------------------------------------------
    def finish(self) -> KernelFunction:
        """Returns the kernel. Raises CompileError, with the printed kernel, where it breaks a rule."""
        if self.rank > 1 and not self._sealed:
            self.group()
        kernel = self.ir.finish(math.prod(self.workgroup), self.scopes.functions)
        try:
            verify(kernel)
        except KernelError as problem:
            raise CompileError(str(problem)) from None
        return KernelFunction(kernel, tuple(self._parameters), self.workgroup, self.rank)
