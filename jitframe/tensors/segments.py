"""Segments of lazy programs, ready to run on other values: the recording of one evaluation for the next
program of the same steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..arrays.layout import is_aligned, run_time_strides
from ..base.locks import new_reentrant_lock
from ..codegen.plan.bind import OutOfBounds, scalar_bits
from ..compilation import evaluate
from ..compilation.errors_of_runs import error_of
from ..compilation.evaluate import GIL_RELEASE_NS, Ready, run_on
from ..ir.node import Node
from ..ir.types import F32, F64, DType
from ..runtime import profiler_hook
from ..runtime.cpu.entry.arguments import Argument, ArrayArgument, FloatArgument, IntArgument
from ..runtime.cpu.entry.callables import entry_add_variant, make_entry
from ..runtime.cpu.entry.variant import OutputArgument, OutputArray, Variant, tuple_of
from ..runtime.device import Device, DeviceArray
from .lazy import LazyGraph
from .steps import first_step, note_steps
from .transfers import Value, announce_host_calls

if TYPE_CHECKING:
    from ..compilation.pending import Pending

MOST_VARIANTS = 8
"""The most layouts of its inputs for which a segment runs natively."""
_WORD = (1 << 64) - 1
_lock = new_reentrant_lock()
"""Held while an entry is told of another variant."""


class Part:
    """The computation of some nodes of a lazy graph from known values."""

    def __init__(
        self,
        graph: LazyGraph,
        nodes: Sequence[Node],
        known: Mapping[Node, Any],
        places: Mapping[Node, int],
        overwritten: Mapping[Node, Node],
    ) -> None:
        """`known`: values of nodes; `places`: their indices among the values that `run` is given.
        `overwritten`: for some of the nodes, the known one whose memory they take."""
        program = LazyGraph(graph.device, first_step(graph.device, of_parts=True))
        copies = program.take(graph, nodes, known)
        self._arrays = [0] * len(program.arrays)
        """The indices of the program's arrays among the values."""
        self._scalars = [0] * len(program.scalar_values)
        """The indices of the program's scalars among the graph's."""
        for node, copy in copies.items():
            if copy.op.source == "array":
                self._arrays[copy.attribute("index")] = (
                    places[node] if node in places else node.attribute("index")
                )
            elif copy.op.source == "scalar":
                self._scalars[copy.attribute("index")] = node.attribute("index")
        self._takes_all = self._arrays == list(range(len(self._arrays)))
        """Whether it is given all values, in order, where the counts agree."""
        self._program = _program(
            program,
            tuple([copies[node] for node in nodes]),
            tuple([(nodes.index(node), copies[known]) for node, known in overwritten.items()]),
        )

    def run(self, values: Sequence[Value], scalars: Sequence[Any]) -> Sequence[Value]:
        """The nodes' values, given those of the graph's arrays, of known nodes, and of its numbers."""
        arguments: Sequence[Any] = values
        if not self._takes_all or len(values) != len(self._arrays):
            arguments = [values[place] for place in self._arrays]
        if self._scalars:
            arguments = [*arguments, *[scalars[index] for index in self._scalars]]
        return self._program.run(arguments)

    def native(self) -> tuple[Any, tuple[int, ...], tuple[int, ...], bool] | None:
        """Returns the native entry, the indices of its arrays and of its scalars among the values and among
        the graph's, and whether it has several results; None where there is no entry."""
        entry, several = self._program.entry, len(self._program.outputs) > 1
        return None if entry is None else (entry, tuple(self._arrays), tuple(self._scalars), several)


Writes = tuple[tuple[int, Node], ...]
"""Outputs, by position, and the parameters whose memory they take."""


def _program(graph: LazyGraph, outputs: tuple[Node, ...], writes: Writes) -> Program:
    """Returns the program of a graph with these outputs, which equal segments share."""
    step = graph.step
    runs = step.runs = step.runs or {}
    program: Program | None = runs.get((outputs, writes))
    if program is None:
        program = runs.setdefault((outputs, writes), Program(graph.device, graph.nodes, outputs, writes))
        note_steps(8)
    return program


class Program:
    """The computation that segments of the same nodes share."""

    def __init__(
        self, device: Device, nodes: Sequence[Node], outputs: tuple[Node, ...], writes: Writes
    ) -> None:
        self.device = device
        self.outputs = outputs
        self.writes = writes
        self.layouts = [node.attribute("layout") for node in nodes if node.op.source == "array"]
        self.dtypes: list[DType] = [node.dtype for node in nodes if node.op.source == "scalar"]
        self._ready: tuple[list[tuple[int, ...]], Ready] | None = None
        """The strides of arrays of the last preparation, and its result."""
        self._pending: tuple[list[tuple[int, ...]], Pending] | None = None
        """The same, while the plan is compiled in the background."""
        self.entry: Any = None
        self._variants = 0

    def run(self, arguments: Sequence[Any]) -> Sequence[Value]:
        """The outputs' values, given those of the arrays and then of the numbers."""
        entry = self.entry
        if entry is None or profiler_hook.active is not None:
            if self._ready is None or not self.device.is_host or profiler_hook.active is not None:
                return self._compute(arguments)[0]
            from .native import answer_natively  # of use from the first program on that is run again

            answer_natively()
            entry = self.entry = make_entry("part", self._run_slowly)  # what is computed again is worth one
        made = entry(*arguments)
        return made if len(self.outputs) > 1 else (made,)

    def _run_slowly(self, *arguments: Any) -> Any:
        """The entry's fallback for unknown layouts of arrays, or unknown numbers."""
        made, ready = self._compute(arguments)
        with _lock:
            variant = None
            if isinstance(ready, Ready) and self._variants < MOST_VARIANTS:
                variant = self._variant(ready, arguments)
            if variant is not None:
                self._variants += 1
                entry_add_variant(self.entry, variant)
        return tuple(made) if len(made) > 1 else made[0]

    def _compute(self, arguments: Sequence[Any]) -> tuple[list[Any], Ready | Pending]:
        """Returns the values, with the plan that computed them."""
        count = len(self.layouts)
        arrays, scalars = arguments[:count], arguments[count:]
        bits = [scalar_bits(value, dtype) for value, dtype in zip(scalars, self.dtypes, strict=True)]
        ready = self._prepared(arrays)
        written = dict(self.writes)
        kinds = [
            (numpy.dtype(node.dtype.numpy_name), node.shape)
            for position, node in enumerate(self.outputs)
            if position not in written
        ]
        addresses = [array.ctypes.data for array in arrays] if self.device.is_host else []
        if not isinstance(ready, Ready):
            assert ready.meanwhile is not None, "Python answers no lazy program"
            buffers = ready.meanwhile.run(addresses, bits)
        elif not self.device.is_host:
            announce_host_calls(ready.bound, self.device)
            blocks = run_on(self.device, ready, arrays, bits)
            made = zip(blocks, kinds, strict=True)
            return [DeviceArray(block, shape, dtype) for block, (dtype, shape) in made], ready
        else:
            try:
                buffers = evaluate.run(ready, addresses, bits)
            except OutOfBounds as fault:
                raise error_of(ready, fault) from None
        found = zip(buffers, kinds, strict=True)
        fresh = [buffer.into_ndarray(dtype, shape) for buffer, (dtype, shape) in found]
        for position, parameter in self.writes:
            fresh.insert(position, arrays[parameter.attribute("index")])
        return fresh, ready

    def _prepared(self, arrays: Sequence[Any]) -> Ready | Pending:
        strides = [
            run_time_strides(array, layout) for array, layout in zip(arrays, self.layouts, strict=True)
        ]
        known, pending = self._ready, self._pending  # objects that another thread may replace at any time
        if known is not None and known[0] == strides:
            return known[1]
        if pending is None or pending[0] != strides:
            ready = self._begun(strides)
        elif pending[1].is_done or profiler_hook.active is not None:
            ready = pending[1].wait()
        else:
            return pending[1]
        if isinstance(ready, Ready):
            self._ready, self._pending = (strides, ready), None
        else:
            self._pending = strides, ready
        return ready

    def _begun(self, strides: list[tuple[int, ...]]) -> Ready | Pending:
        """Returns the plan, or the computation op by op until it exists."""

        def make() -> Ready:
            return evaluate.prepare(self.outputs, strides, writes=self.writes, device=self.device)

        if not self.device.is_host or self.writes:
            return make()
        known = evaluate.prepare_known(self.outputs, strides)
        if known is not None:
            return known
        from ..compilation.pending import make_in_background  # needed where there is no plan yet

        return make_in_background(make, self.outputs, len(strides)) or make()

    def _variant(self, ready: Ready, arguments: Sequence[Any]) -> Variant | None:
        """Returns the native variant of such a call; None where there is none."""
        program = ready.binding.program
        if program is None or program.calls_python:
            return None
        count = len(self.layouts)
        written = {position: parameter.attribute("index") for position, parameter in self.writes}
        accepted: list[Argument] = []
        for index, array in enumerate(arguments[:count]):
            if not is_aligned(array):
                return None
            is_written = index in written.values()
            accepted.append(ArrayArgument(array.dtype, array.shape, array.strides, is_written))
        for index, dtype in enumerate(self.dtypes):
            place = ready.scalars.index(index)
            if dtype is F32 or dtype is F64:
                accepted.append(FloatArgument(place, dtype.name))
            elif dtype.is_integer:
                accepted.append(IntArgument(place, dtype.name))
            else:
                return None

        def report(word: int, spelled: int) -> object:
            raise error_of(ready, OutOfBounds(word, spelled & _WORD))

        outputs = tuple(
            [
                OutputArgument(written[position])
                if position in written
                else OutputArray(numpy.dtype(node.dtype.numpy_name), node.shape)
                for position, node in enumerate(self.outputs)
            ]
        )
        form = tuple_of(len(outputs)) if len(outputs) > 1 else None
        releases = ready.bound.cost_ns > GIL_RELEASE_NS
        return Variant(tuple(accepted), program, outputs, (), (), form, releases, report)
