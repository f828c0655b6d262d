"""Rewriting kernels: re-emission with substitution, and counting what a kernel does.

>>> def halve(instruction, build, operands):            # x / 2 -> x * 0.5, exact
...     if instruction.op.name == "div" and constant_number(operands[1]) == 2.0:
...         return (build.mul(operands[0], build.constant(0.5, operands[0].dtype)),)
>>> halved = clone(kernel, halve)
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field

from ...ir.types import INDEX
from .builder import KernelBuilder
from .nodes import Block, Function, Instruction, Kernel, Value

Replace = Callable[[Instruction, KernelBuilder, tuple[Value, ...]], Sequence[Value] | None]
"""A function of an instruction and its operands in the new kernel, which returns its new results, or None to
repeat it.

Instructions that it emits into the builder are not visited again.
"""
_COUNTED_RULES = ("same", "compare", "select", "shift", "shuffle")


def clone(kernel: Kernel, replace: Replace, called: Container[str] = ()) -> Kernel:
    """Emits the kernel again; equal pure instructions become one.

    Functions are inlined, except those whose names are in `called`.
    """
    build = KernelBuilder(kernel.name)
    emission = Emission(build, replace, kernel.functions, called)
    emission.parameters(kernel)
    emission.block(kernel.body)
    functions = [
        _alone(function, kernel, replace, called) for function in kernel.functions if function.name in called
    ]
    return build.finish(kernel.workgroup, functions)


def _alone(function: Function, kernel: Kernel, replace: Replace, called: Container[str]) -> Function:
    build = KernelBuilder(function.name)
    emission = Emission(build, replace, kernel.functions, called)
    emission.mapped.update((parameter, parameter) for parameter in function.parameters)
    return build.function(function.name, function.parameters, lambda *_: emission.block(function.body))


def inline_calls(kernel: Kernel, called: Container[str] = ()) -> Kernel:
    """Inlines a kernel's functions, exact, except those whose names are `called`. Returns the kernel itself
    where there are no others."""
    if all(function.name in called for function in kernel.functions):
        return kernel
    return clone(kernel, unchanged, called=called)


def load_scalars(kernel: Kernel, loaded: Sequence[bool]) -> Kernel:
    """Replaces some scalars of a kernel by one more buffer each, after the others, from which they are
    loaded; exact."""
    build = KernelBuilder(kernel.name)
    emission = Emission(build, unchanged, kernel.functions)
    for buffer in kernel.buffers:
        emission.mapped[buffer] = build.buffer(buffer.dtype, buffer.access)
    for index in kernel.indices:
        emission.mapped[index] = build.index()
    for scalar, is_loaded in zip(kernel.scalars, loaded, strict=True):
        emission.mapped[scalar] = (
            build.load(build.buffer(scalar.dtype, "in"), 0) if is_loaded else build.scalar(scalar.dtype)
        )
    emission.block(kernel.body)
    return build.finish(kernel.workgroup)


class Emission:
    """One re-emission: the values of the old kernel by those of the new one."""

    def __init__(
        self,
        build: KernelBuilder,
        replace: Replace,
        functions: Sequence[Function] = (),
        called: Container[str] = (),
    ) -> None:
        self.build = build
        self.replace = replace
        self.functions = {function.name: function for function in functions if function.name not in called}
        """The functions to inline."""
        self.mapped: dict[Value, Value] = {}

    def parameters(self, kernel: Kernel) -> None:
        """Declares a kernel's own parameters."""
        for buffer in kernel.buffers:
            self.mapped[buffer] = self.build.buffer(buffer.dtype, buffer.access)
        for index in kernel.indices:
            self.mapped[index] = self.build.index()
        for scalar in kernel.scalars:
            self.mapped[scalar] = self.build.scalar(scalar.dtype)

    def block(self, block: Block) -> tuple[Value, ...]:
        """Emits a block's instructions except its end; returns the yielded values."""
        for instruction in block.instructions:
            if instruction.op.name in ("yield", "return"):
                return tuple(self.mapped[v] for v in instruction.operands)
            self.instruction(instruction)
        return ()

    def instruction(self, instruction: Instruction) -> None:
        operands = tuple(self.mapped[v] for v in instruction.operands)
        function = self.functions.get(instruction.attributes.get("function", ""))
        results: Sequence[Value] | None
        if function is not None:
            results = self.filler(function.body)(*operands)
        else:
            results = self.replace(instruction, self.build, operands)
        if results is None:
            fills = [self.filler(inner) for inner in instruction.blocks]
            results = self.build.repeat(instruction, operands, fills)
        self.mapped.update(zip(instruction.results, results, strict=True))

    def filler(self, block: Block) -> Callable[..., tuple[Value, ...]]:
        def fill(*parameters: Value) -> tuple[Value, ...]:
            self.mapped.update(zip(block.parameters, parameters, strict=True))
            return self.block(block)

        return fill


def unchanged(instruction: Instruction, build: KernelBuilder, operands: tuple[Value, ...]) -> None:
    """The `Replace` that repeats every instruction."""


@dataclass(slots=True)
class OperationCounts:
    """Counts of what one run of a block does, its ifs included (both sides) but not its loops.

    `path` names the loops around it, outermost first: kind and number in order of appearance.
    """

    path: tuple[str, ...]
    loads: int = 0
    stores: int = 0
    operations: dict[str, int] = field(default_factory=dict)
    """Arithmetic, comparison, selection, math and casts of elements, by name."""
    index_operations: int = 0
    """The same of positions."""


def operation_counts(kernel: Kernel) -> tuple[OperationCounts, ...]:
    """One record for the kernel's top and one for each loop, in order of appearance."""
    counts = [OperationCounts(())]
    _count(kernel.body, counts[0], counts)
    return tuple(counts)


def _count(block: Block, here: OperationCounts, counts: list[OperationCounts]) -> None:
    for instruction in block.instructions:
        op = instruction.op
        inside = here
        if op.name in ("for", "while"):
            kind = instruction.attributes.get("kind", "while")
            inside = OperationCounts((*here.path, f"{kind} {len(counts) - 1}"))
            counts.append(inside)
        elif op.name == "load":
            here.loads += 1
        elif op.name == "store":
            here.stores += 1
        elif op.rule in _COUNTED_RULES or op.name in ("cast", "bitcast"):
            if instruction.operands[-1].dtype is INDEX:
                here.index_operations += 1
            else:
                here.operations[op.name] = here.operations.get(op.name, 0) + 1
        for inner in instruction.blocks:
            _count(inner, inside, counts)
