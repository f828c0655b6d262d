"""Runs a graph op by op, with precompiled kernels of single operations, to answer a first call while the
graph's own kernels are compiled.

It supports elementwise operations on contiguous arrays, with the bits of the compiled kernels. Every
operation passes over memory, so it is for arrays that fit the caches, more or less.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..codegen.plan.nodes import (
    Alloc,
    BufferRef,
    ConstantScalar,
    Free,
    Launch,
    Plan,
    PlanBuffer,
    Scalar,
    ScalarRef,
    Step,
)
from ..ir.index import is_number
from ..ir.node import Node, is_contiguous, topological
from ..ir.types import U8, DType
from ..runtime.cpu.execution.encode import Program as NativeProgram
from ..runtime.cpu.execution.runtime import Buffer, runtime
from ..runtime.cpu.kernels.operation_kernels import (
    FILL,
    SPREAD,
    OperationKernel,
    operation_kernels,
    operation_name,
)
from .evaluate import GIL_RELEASE_NS

MOST_BYTES = 64 << 20
"""The most bytes moved by the passes of all operations: some 5 ms, where compiling takes 30."""
BYTES_PER_NS = 8
"""The bandwidth of a thread in cached memory."""
COSTS_PER_NS = 16
"""The additions of a thread in that time."""


class OpByOp:
    """A graph bound to its sizes, ready to run."""

    def __init__(self, plan: Plan, addresses: list[int], scalars: list[int]) -> None:
        self._program: NativeProgram = runtime().encode(plan, addresses)
        self._scalars = scalars
        """Indices of the graph's scalars, in the program's order."""
        self._release = plan.cost_ns > GIL_RELEASE_NS

    def run(self, addresses: Sequence[int], bits: Sequence[int]) -> list[Buffer]:
        """The outputs' buffers, over the parameters' addresses and the bits of the graph's scalars."""
        scalars = [bits[index] for index in self._scalars]
        return runtime().run(self._program, addresses, scalars, self._release)


def op_by_op(outputs: Sequence[Node], inputs: int) -> OpByOp | None:
    """Returns the op-by-op form of a graph with so many parameters; None where it has other operations, or
    moves too much."""
    kernels = operation_kernels()
    if kernels is None or len(set(outputs)) < len(outputs):
        return None
    writer = _Writer(kernels, inputs, outputs)
    try:
        return writer.write()
    except _Refused:
        return None


class _Refused(Exception):
    """The graph has no op-by-op form."""


class _Writer:
    def __init__(self, kernels: dict[str, OperationKernel], inputs: int, outputs: Sequence[Node]) -> None:
        self.kernels = kernels
        self.inputs = inputs
        self.buffers = [PlanBuffer(U8, 0)] * inputs
        """The caller's buffers, whose sizes are not used, then one for each value."""
        self.outputs = outputs
        self.order = topological(outputs)
        self.place: dict[Node, int] = {}
        """The buffer of each value."""
        self.steps: list[Step] = []
        self.addresses: dict[int, int] = {}
        """The addresses of the kernels' code, by their numbers in the plan."""
        self.scalars: dict[int, int] = {}
        """The graph's scalars that are used, and their numbers in the plan."""
        self.scalar_dtypes: list[DType] = []
        self.moved = self.cost = 0

    def write(self) -> OpByOp:
        last = {source: node for node in self.order for source in node.inputs}
        for node in self.order:
            if node.op.source == "array":
                if not is_contiguous(node):
                    raise _Refused
                self.place[node] = node.attribute("index")
            elif node.op.family == "elementwise":
                self._apply(node.op.name, node, node.inputs)
            elif node.op.repeats and not node.inputs[0].shape:
                self._repeat(node, node.inputs[0])
            elif not is_number(node):
                raise _Refused
            self._free([each for each in dict.fromkeys(node.inputs) if last[each] is node])
        if any(self.place.get(node, -1) < self.inputs for node in self.outputs):
            raise _Refused
        cost_ns = self.moved // BYTES_PER_NS + self.cost // COSTS_PER_NS
        numbers = tuple([self.place[node] for node in self.outputs])
        buffers, dtypes = tuple(self.buffers), tuple(self.scalar_dtypes)
        plan = Plan(0, (), self.inputs, dtypes, buffers, tuple(self.steps), numbers, cost_ns)
        return OpByOp(plan, list(self.addresses), list(self.scalars))

    def _free(self, sources: Sequence[Node]) -> None:
        for source in sources:
            if self.place.get(source, -1) >= self.inputs and source not in self.outputs:
                self.steps.append(Free(self.place[source]))

    def _repeat(self, node: Node, source: Node) -> None:
        if is_number(source):
            self._launch(FILL, node, (), self._scalar(source))
        else:
            self._launch(SPREAD, node, (source,))

    def _apply(self, op: str, node: Node, sources: Sequence[Node]) -> None:
        if all(source.op.source == "constant" for source in sources):
            raise _Refused  # compiled, it is a constant computed by NumPy
        for source in dict.fromkeys(sources):
            if source not in self.place:  # a number among numbers
                self._launch(FILL, source, (), self._scalar(source))
        self._launch(op, node, sources)

    def _scalar(self, node: Node) -> Scalar:
        if node.op.source == "constant":
            return ConstantScalar(node.attributes[0].value, node.dtype)
        number = self.scalars.setdefault(node.attribute("index"), len(self.scalars))
        if number == len(self.scalar_dtypes):
            self.scalar_dtypes.append(node.dtype)
        return ScalarRef(number)

    def _launch(self, op: str, node: Node, sources: Sequence[Node], *scalars: Scalar) -> None:
        """Computes the value of a node, in memory of its own."""
        names = tuple([source.dtype.name for source in sources])
        kernel = self.kernels.get(operation_name(op, names, node.dtype.name))
        size, itemsize = node.size, node.dtype.itemsize
        if kernel is None or size == 0:
            raise _Refused
        self.moved += size * (itemsize + sum([source.dtype.itemsize for source in sources]))
        self.cost += size * node.op.cost
        if self.moved > MOST_BYTES:
            raise _Refused
        target = self.place[node] = len(self.buffers)
        self.buffers.append(PlanBuffer(node.dtype, size))
        # The operand of each parameter: a number, "o" for the result, "n" or "z" for a size, "s" for a
        # scalar.
        numbers = [
            target if slot == "o" else self.place[sources[int(slot)]]
            for slot in kernel.slots
            if slot == "o" or slot.isdigit()
        ]
        refs = tuple([BufferRef(number, 0) for number in numbers])
        indices = tuple([{"n": size, "z": 0}[slot] for slot in kernel.slots if slot in "nz"])
        kernel_number = self.addresses.setdefault(kernel.address, len(self.addresses))
        groups = -(-size // kernel.group)
        self.steps += Alloc(target), Launch(kernel_number, refs, indices, scalars, groups)
