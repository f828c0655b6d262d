"""The program of one trace: its plan, the inputs that it reads, and the results that it returns and
writes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...api.frame import is_tensor
from ...arrays.layout import is_aligned
from ...arrays.promotion import check_fits
from ...codegen.plan.bind import OutOfBounds
from ...compilation import evaluate
from ...compilation.errors_of_runs import error_of
from ...errors import AliasError, JitframeError, SourceLine, TraceError
from ...ir.node import Graph, Node
from ...runtime import profiler_hook
from ...runtime.cpu.execution.runtime import Buffer
from ...runtime.device import DeviceArray
from ..arguments.signature import Call, Static, kind_of_leaf
from ..environment.guards import Guard, check
from ..environment.user_code import Place, line_of
from ..values.parameter import Parameter
from ..values.traced import TRACED, TracedArray
from ..values.traced_frame import TraceFrame
from .inputs import (
    NOTHING,
    Input,
    all_nodes,
    are_one,
    bits_of,
    find_scalars,
    hidden_array,
    may_be_one,
    memory_of,
    with_regions,
)  # fmt: skip
from .returned import FromHost

if TYPE_CHECKING:
    from ...compilation.pending import Pending
    from ...tensors.tensor import Tensor
    from ...tensors.transfers import Value
    from ..arguments.overlap import Pattern
    from ..values.draws import Step
    from .drawing import Draws
    from .results import Results
    from .segments import Segment


NO_VARIANTS = -1
"""Of programs whose calls the native entry cannot answer."""
VARIANTS_PER_PROGRAM = 4
"""Calls that differ in objects compared by identity share a program; the native entry answers so many of
them."""


class Program:
    """The program of a jitted function for one signature."""

    def __init__(
        self, frame: TraceFrame, results: Results, call: Call, pattern: Pattern, inputs: list[Input],
        watched: frozenset[int], hidden: Sequence[numpy.ndarray], fastmath: bool,
        parameters: list[Parameter] | None = None, lines: dict[Node, list[Place]] | None = None,
        draws: Sequence[Step] | None = None,
    ) -> None:  # fmt: skip
        """`parameters`, `lines` and `draws`: of a segment, which has a graph of its own."""
        self.name = frame.name
        self.device = frame.device
        self.results = results
        self.pattern = pattern
        self.inputs = inputs
        self.guards: tuple[Guard, ...] = frame.copied.reads.guards
        self.lines: dict[Node, list[Place]] = frame.lines if lines is None else lines
        self.unrolled_loops = frame.unrolled_loops
        self.left = frame.left
        nodes = all_nodes(frame) if parameters is None else with_regions(results.outputs)
        parameters = frame.parameters if parameters is None else parameters
        # Those of an earlier trace come first: the pattern counts on their numbers.
        own = [hidden_array(each) for each in parameters]
        read = {id(array): array for array in (*hidden, *own) if array is not None}
        self.hidden = [(array, kind_of_leaf(array)) for array in read.values()]
        """Arrays that are read but not given, with the properties that the trace depends on."""
        self.tensors = [
            (p.tensor, p.tensor._value) for p in parameters if p.tensor is not None and p.leaf is None
        ]
        self.written = frozenset(results.touched)
        self.watched = watched | self._written_memory(call)
        """Numbers (see `memory_of`) of the arrays whose overlap with others matters: this trace or an earlier
        one wrote to them."""
        self.strides = [p.strides for p in parameters]
        self.names = [p.cell.name for p in parameters]
        self.draws: Draws | None = None
        """The draws from random generators."""
        steps = frame.draws if draws is None else draws
        if steps:
            from .drawing import Draws  # few programs draw

            self.draws = Draws(steps, fastmath, of_segment=lines is not None)
        self.scalars, self._bits = find_scalars(frame, nodes)
        self.kept_inputs: dict[int, DeviceArray] = {}
        """Fixed inputs in the device's memory, by parameter."""
        self.calls = None if frame.effects is None else frame.effects.node()
        """The count of its calls of host functions."""
        self.variants_left = VARIANTS_PER_PROGRAM
        """The number of further variants of the native entry for it."""
        self.is_distinct = False
        """Whether no two arrays of a call may be one: the function compares arrays by identity."""
        self.is_raced = False
        """Whether it was compared with Python."""
        # Statics and objects are compared by identity: they must live as long as the comparison.
        self.kept = [leaf for leaf, kind in zip(call.leaves, call.kinds) if isinstance(kind, Static)]
        self.outputs: tuple[Node, ...] = tuple(results.outputs)
        self.segments: tuple[Segment, ...] = ()
        """The segments that calls compute before it, with the keys of the values met."""
        self.met: tuple[Hashable, ...] = ()
        # On the host the last outputs go to the memory of arguments, elsewhere they are copied there.
        written = results.writes if self.device.is_host else ()
        writes = [(output, parameters[number].node) for number, output in written]
        self.pending: Pending | None = None
        """The plan while it is compiled in the background."""
        self.compiled_before = 0
        """The number of kernels that were compiled for earlier traces of the same call."""
        graph = frame.graph if call.python_answers and lines is None and not call.has_called else None
        self._ready = self._prepared(writes, fastmath, graph) if self.outputs else None

    def _prepared(
        self, writes: Sequence[tuple[int, Node]], fastmath: bool, graph: Graph | None
    ) -> evaluate.Ready | None:
        """Returns the plan; None where it is compiled in the background; behind Python, given a `graph`."""

        def make() -> evaluate.Ready:
            return evaluate.prepare(self.outputs, self.strides, self._origin(), writes, fastmath, self.device)

        if fastmath or not self.device.is_host or (writes and graph is None):
            return make()
        known = evaluate.prepare_known(self.outputs, self.strides, writes)
        if known is not None:
            return known
        from .meanwhile import make_behind  # needed where there is no plan yet

        self.pending = make_behind(make, self.outputs, None if writes else len(self.strides), graph)
        return make() if self.pending is None else None

    @property
    def ready(self) -> evaluate.Ready | None:
        """The plan, after its background compilation; None where there is nothing to compute."""
        pending = self.pending
        if pending is not None:
            self._ready = pending.wait()
            self.pending = None
        return self._ready

    @property
    def compiled(self) -> int:
        """The number of kernels that were compiled for this program."""
        ready = self.ready
        return self.compiled_before + (0 if ready is None else ready.compiled)

    def _origin(self) -> str:
        for output in self.outputs:
            places = self.lines.get(output)
            if places:
                code, _ = places[0]
                return f"{code.co_filename}:{code.co_firstlineno}"
        return ""

    # Guards

    def holds(self, call: Call) -> bool:
        """Whether all that the trace read besides its arguments is unchanged."""
        if check(self.guards) is not None:
            return False
        if any(kind_of_leaf(array) != kind for array, kind in self.hidden):
            return False
        if any(tensor._value is not value for tensor, value in self.tensors):
            return False
        if self.results.stores:
            from ..environment.outside_state import may_store  # few functions store outside

            if not may_store(self.results.stores, self.results.read, call):
                return False
        if self.is_distinct and are_one(self._arrays(call)):
            return False
        try:
            return self.overlaps(call) == self.pattern
        except AliasError:
            if self.results.donated:
                return False
            raise

    def serving(self, call: Call) -> Program | None:
        """Returns the program that answers a call: itself, where its guards hold."""
        return self if self.holds(call) else None

    def overlaps(self, call: Call) -> Pattern:
        """Returns the overlap of the call's arrays that matters to this program."""
        if not self.watched:
            return ()
        from ..arguments.overlap import find_pattern  # most programs write to no array

        return find_pattern(self._arrays(call), self.watched, lambda number: self._memory_name(call, number))

    def _arrays(self, call: Call) -> list[numpy.ndarray]:
        """The arrays of a call, and those that are read but not given."""
        arrays, _ = memory_of(call, [array for array, _ in self.hidden])
        return arrays

    def keep_distinct(self, call: Call) -> None:
        """Refuses two arrays that are one, in this call and in later ones."""
        arrays = self._arrays(call)
        if are_one(arrays):
            raise TraceError(
                "two arrays are one object, and the function may compare them by `is`: arguments are told "
                "apart by their places in a trace; compare what makes them differ, or pass a flag"
            )
        if may_be_one(arrays):
            self.is_distinct = True
            self.variants_left = NO_VARIANTS

    def _memory_name(self, call: Call, number: int) -> str:
        """The name of an array of `memory_of` in messages."""
        names = [
            name
            for name, leaf in zip(call.names, call.leaves, strict=True)
            if isinstance(leaf, numpy.ndarray)
        ]
        return names[number] if number < len(names) else "an array that the function reads"

    def input_name(self, call: Call, parameter: int) -> str:
        """The name of a parameter's array in messages."""
        leaf = self.inputs[parameter].leaf
        return self.names[parameter] or "y" if leaf is None else call.names[leaf]

    def _written_memory(self, call: Call) -> frozenset[int]:
        if not self.written:
            return frozenset()
        arrays, by_leaf = memory_of(call, [array for array, _ in self.hidden])
        written: set[int] = set()
        for number in self.written:
            source = self.inputs[number]
            if source.region is not None:
                written.update(member for member, _ in self.pattern[source.region].members)
            elif source.leaf is not None:
                written.update({by_leaf[source.leaf]} if source.leaf in by_leaf else ())
            else:
                written.update(n for n, array in enumerate(arrays) if array is source.array)
        return frozenset(written)

    @property
    def can_be_repeated(self) -> bool:
        """Whether a call has no effect but its results."""
        return not self.written and self.draws is None and self.calls is None

    def says_little(self, error: Exception) -> bool:
        """Whether an exception of a run should come from Python instead: the program's has the message of a
        branch's trace, lacks the values that it names, or comes before stores that Python makes first."""
        if self.results.failed is None or not self.device.is_host:
            return False
        if isinstance(error, JitframeError) or self.results.stores:
            return True
        return any(isinstance(each, TracedArray) or f"{TRACED}(" in str(each) for each in error.args)

    # Running

    def arrays(self, call: Call) -> list[Any]:
        """Returns the arrays of the parameters in a call: ndarrays, and the values of Tensors on this
        device."""
        found: list[Any] = []
        memory: list[numpy.ndarray] | None = None
        for source in self.inputs:
            if source.leaf is not None:
                leaf = call.leaves[source.leaf]
                found.append(self._value(call, leaf) if is_tensor(leaf) else leaf)
            elif source.region is not None:
                if memory is None:
                    memory = memory_of(call, [array for array, _ in self.hidden])[0]
                found.append(self.pattern[source.region].array(memory))
            elif source.carried is not None:
                found.append(call.carried[source.carried])
            elif source.drawn and self.draws is None:
                found.append(NOTHING)  # it was drawn in front of a cut, and is carried where it is needed
            else:
                found.append(source.array)
        if self.draws is not None:
            self.draws.fill(self, call, found)
        return found

    def _value(self, call: Call, tensor: Tensor) -> Value:
        from ...tensors.transfers import moved, moved_unasked  # ndarrays are where they are

        value = tensor._evaluated()
        if call.asked:
            return moved(value, self.device)
        return moved_unasked(value, self.device, f"y.to_device({self.device.name!r})")

    def known_bits(self, index: int) -> int:
        """Returns the bits of a scalar that is not an argument."""
        return self._bits[index]

    def scalar_bits(self, call: Call) -> list[int]:
        """Returns the bits of the graph's scalars in a call. Raises NumberError for an integer that does not
        fit."""
        if not self.scalars:
            return self._bits
        bits = self._bits.copy()
        for index, scalar in self.scalars.items():
            value = scalar.of(call.leaves[scalar.leaf])
            for dtype in scalar.holders:
                check_fits(int(value), dtype)
            bits[index] = bits_of(value, scalar.dtype)
        return bits

    def run(self, call: Call) -> Any:
        """Runs the program for a call: computes, writes back, and makes the results."""
        if self.results.settles:
            from .tensors import check_shared  # few programs write to Tensors

            check_shared(call, self.inputs, self.results, [tensor for tensor, _ in self.tensors])
        if not self.device.is_host:
            from .device_run import run_on_device  # many programs never leave the processor

            result = run_on_device(self, call)
            if call.donated:
                from .tensors import give_away  # few functions are given memory

                give_away(call)
            return result
        arrays = self.arrays(call)
        if call.donated:
            from .tensors import give_away, own_memory  # as above

            give_away(call)
            for parameter, _ in self.results.donated:
                leaf = self.inputs[parameter].leaf
                if leaf is not None and is_tensor(call.leaves[leaf]):
                    arrays[parameter] = own_memory(arrays, parameter)
        buffers: list[Buffer] = []
        if self.outputs:
            buffers, read = self._on_host(call, arrays)
            for parameter, _ in self.results.writes:
                if read[parameter] is not arrays[parameter]:
                    numpy.copyto(arrays[parameter], read[parameter])
        for parameter, output in self.results.settles:
            node = self.outputs[output]
            self.settle(call, parameter, buffers[output].ndarray(node.dtype.numpy_name, node.shape))
        return FromHost(self, call, arrays, buffers).result()

    def values(self, call: Call) -> list[Value]:
        """Returns the values of the outputs, for a program that returns and writes nothing."""
        arrays = self.arrays(call)
        if not self.device.is_host:
            from .device_run import outputs_on_device  # as in `run`

            return list(outputs_on_device(self, call, arrays))
        buffers, _ = self._on_host(call, arrays)
        pairs = zip(buffers, self.outputs, strict=True)
        return [buffer.into_ndarray(node.dtype.numpy_name, node.shape) for buffer, node in pairs]

    def _on_host(
        self, call: Call, arrays: Sequence[numpy.ndarray]
    ) -> tuple[list[Buffer], list[numpy.ndarray]]:
        """Returns the outputs computed on the host, and the arrays that it read and wrote: aligned ones,
        copies otherwise."""
        read = [array if is_aligned(array) else array.copy() for array in arrays]
        addresses = [array.__array_interface__["data"][0] for array in read]
        try:
            return self._computed(addresses, self.scalar_bits(call)), read
        except OutOfBounds as fault:
            raise self.error_of(fault) from None

    def _computed(self, addresses: Sequence[int], bits: Sequence[int]) -> list[Buffer]:
        pending = self.pending
        meanwhile = None if pending is None or profiler_hook.active is not None else pending.meanwhile
        if pending is not None and meanwhile is not None and not pending.is_done:
            pending.ask()
            return meanwhile.run(addresses, bits)
        ready = self.ready
        assert ready is not None
        return evaluate.run(ready, addresses, bits)

    def error_of(self, fault: OutOfBounds) -> JitframeError:
        """Returns the error of a fault that a run has recorded, at the user's line."""
        assert self.ready is not None
        error = error_of(self.ready, fault, self.line)
        error.is_of_python = error.is_of_python or self.results.has_handlers
        return error

    def line(self, node: Node) -> SourceLine | None:
        """Returns the user's line at which a node was made."""
        places = self.lines.get(node)
        return line_of(places[0]) if places else None

    def report(self, word: int, spelled: int) -> None:
        """Raises the error that a native run has recorded; returns where Python answers the call."""
        error = self.error_of(OutOfBounds(word, spelled & (1 << 64) - 1))
        if not (error.is_of_python and self.can_be_repeated):
            raise error

    def settle(self, call: Call, parameter: int, value: Value) -> None:
        """Stores the new value of a Tensor that was written to, on its own device."""
        leaf = self.inputs[parameter].leaf
        assert leaf is not None
        if leaf in call.donated:
            return
        from ...tensors.transfers import moved, moved_unasked  # see `_value`

        tensor = call.leaves[leaf]
        home = tensor._frame.device
        instead = f"y.to_device({self.device.name!r}), and pass that"
        tensor._replace(moved(value, home) if call.asked else moved_unasked(value, home, instead))
