"""The draws of a traced program from NumPy's random generators: a list of steps that every call runs.

NumPy draws in the order of the program, and the drawn numbers are inputs of the call. So the numbers are
NumPy's own, and so is the final state of a generator. The arguments of a step may depend on the call and on
earlier draws: then that part of the graph is computed first.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...arrays.layout import is_aligned
from ...arrays.promotion import check_fits, from_numpy
from ...codegen.plan.bind import OutOfBounds
from ...compilation import evaluate
from ...compilation.errors_of_runs import error_of
from ...errors import ArgumentError, DTypeError, NumberError
from ...ir.node import Node
from ...runtime.device import DeviceArray
from ..arguments.bit_generators import bit_generator_of, restorer
from ..environment.user_code import line_of
from ..values.draws import Argument, Computed, Draw, External, Made, Repeated, Source, Step, all_draws, key_of
from ..values.traced import ARRAY, NUMBER
from .inputs import NOTHING

if TYPE_CHECKING:
    from ..arguments.signature import Call
    from .program import Program


class Draws:
    """The draws of one program."""

    def __init__(self, steps: Sequence[Step], fastmath: bool, of_segment: bool) -> None:
        """`of_segment`: whether the call goes on after them, and may be answered otherwise."""
        self.steps = tuple(steps)
        self.of_segment = of_segment
        self._fastmath = fastmath
        self._stages: dict[tuple[Node, ...], evaluate.Ready] = {}
        """The plans for the arguments of steps."""

    def fill(self, program: Program, call: Call, arrays: list[Any]) -> None:
        """Performs all steps, and replaces the arrays that are None by the drawn ones."""
        run = _Run(self, program, call, arrays)
        run.steps(self.steps, ())
        for number, array in enumerate(arrays):
            if array is None:  # of a region that was traced again
                arrays[number] = NOTHING

    def stage(self, program: Program, nodes: tuple[Node, ...]) -> evaluate.Ready:
        """Returns the plan that computes these nodes from the program's inputs."""
        found = self._stages.get(nodes)
        if found is None:
            found = evaluate.prepare(nodes, program.strides, fastmath=self._fastmath, device=program.device)
            self._stages[nodes] = found
        return found


class _Run:
    """The draws of one call."""

    def __init__(self, draws: Draws, program: Program, call: Call, arrays: list[Any]) -> None:
        self.draws = draws
        self.program = program
        self.call = call
        self.arrays = arrays
        self.made = call.made
        self.owners: dict[int, Any] = {}
        """The function's access to a bit generator, by identity."""
        self.known: dict[Node, numpy.ndarray] = {}
        """Computed values: loop-invariant nodes have the same value at each iteration."""

    def steps(self, steps: Sequence[Step], iterations: tuple[int, ...]) -> None:
        for step in steps:
            if not isinstance(step, Repeated):
                self.draw(step, self.bound(step), iterations)
                continue
            self.allocate(step)
            if _makes_objects(step):
                for iteration in range(step.count):
                    self.steps(step.steps, (*iterations, iteration))
            else:
                self.repeat(step, iterations)

    def repeat(self, loop: Repeated, iterations: tuple[int, ...]) -> None:
        """Performs the steps of a loop at each iteration."""
        if not loop.count:
            return
        if self.all_at_once(loop, iterations):
            return
        bound = [(step, None if isinstance(step, Repeated) else self.bound(step)) for step in loop.steps]
        for iteration in range(loop.count):
            now = (*iterations, iteration)
            for step, call in bound:
                if isinstance(step, Repeated):
                    self.repeat(step, now)
                else:
                    self.draw(step, call, now)  # type: ignore[arg-type]

    def all_at_once(self, loop: Repeated, iterations: tuple[int, ...]) -> bool:
        """Performs all draws of a loop in one call, where NumPy draws the same numbers so: draws of one
        method whose numbers follow each other."""
        first = loop.steps[0]
        steps = [each for each in loop.steps if isinstance(each, Draw) and each.call.__name__ in _IN_A_ROW]
        alone = len(steps) == 1 and isinstance(first, Draw)
        if len(steps) < len(loop.steps) or not (alone or all(_is_uniform(each) for each in steps)):
            return False
        values = [self.values(step) for step in steps]
        owners = [value[step.arguments[0]] for step, value in zip(steps, values, strict=True)]
        options = {name: values[0][source] for name, source in steps[0].options}
        options.pop("size", None)
        plain = all(
            name == "dtype" or each is None or type(each) in (int, float) for name, each in options.items()
        )
        shapes = [step.shape[len(iterations) + 1 :] for step in steps]
        if any(owner is not owners[0] for owner in owners) or not plain or len(steps[0].arguments) > 1:
            return False
        sizes = [math.prod(shape) for shape in shapes]
        size = (loop.count, sum(sizes))
        drawn = self.called(steps[0], functools.partial(steps[0].call, owners[0], **options, size=size))
        begin = 0
        for step, shape, count in zip(steps, shapes, sizes, strict=True):
            assert step.parameter is not None
            part = drawn[:, begin : begin + count].reshape(loop.count, *shape)
            self.arrays[step.parameter][iterations] = part
            begin += count
        return True

    def bound(self, step: Draw) -> Callable[[], Any]:
        """Returns the call of a step with its arguments."""
        values = self.values(step)
        arguments = [values[source] for source in step.arguments]
        if step.arguments:
            self.note_owner(step.arguments[0], arguments[0])
        return functools.partial(
            step.call, *arguments, **{name: values[source] for name, source in step.options}
        )

    def note_owner(self, source: Source, generator: Any) -> None:
        """Checks that a generator whose words are in the program is drawn from by one name only, and records
        its state where that may have to be restored."""
        found = bit_generator_of(generator)
        if found is None:
            return
        if self.program.results.words and self.owners.setdefault(id(found), key_of(source)) != key_of(source):
            raise ArgumentError(
                f"{self.program.name} draws from one bit generator by two names, in an order that its values "
                "decide; give it generators of their own, for instance by rng.spawn(2)"
            )
        if self.draws.of_segment and not isinstance(source, Made) and id(found) not in self.call.drawn:
            self.call.drawn[id(found)] = restorer(generator)

    def draw(self, step: Draw, call: Callable[[], Any], iterations: tuple[int, ...]) -> None:
        result = self.called(step, call)
        if step.slots:
            several = result if isinstance(result, (list, tuple)) else (result,)
            self.made.update(zip(step.slots, several, strict=True))
        if step.parameter is None:
            return
        if iterations and type(result) is float and len(step.shape) == len(iterations):
            self.arrays[step.parameter][iterations] = result
            return
        expected = step.shape[len(iterations) :]
        drawn = _fitted(numpy.asarray(result), step.dtype)
        assert drawn.shape == expected, (step, drawn.shape)
        if not iterations:
            self.arrays[step.parameter] = drawn
            return
        self.arrays[step.parameter][iterations] = drawn

    def called(self, step: Draw, call: Callable[[], Any]) -> Any:
        """Calls NumPy for a step; its errors name the user's line."""
        try:
            return call()
        except (ValueError, TypeError, OverflowError) as error:
            line = None if step.place is None else line_of(step.place)
            kind = next(kind for kind in _ERRORS if isinstance(error, kind.__mro__[2]))
            raise kind(str(error), line=line) from None

    def allocate(self, loop: Repeated) -> None:
        """Allocates the arrays for a loop's stacked results."""
        for step in loop.steps:
            if isinstance(step, Repeated):
                self.allocate(step)
            elif step.parameter is not None and self.arrays[step.parameter] is None:
                self.arrays[step.parameter] = numpy.empty(step.shape, step.dtype)

    def values(self, step: Draw) -> dict[Source, Any]:
        """Returns the values of a step's arguments, by source."""
        found: dict[Source, Any] = {}
        waiting: list[Computed] = []
        for source in step.sources():
            if isinstance(source, External):
                found[source] = source.value
            elif isinstance(source, Argument):
                found[source] = self.call.leaves[source.leaf]
            elif isinstance(source, Made):
                found[source] = self.made[source.slot]
            elif source.node.op.source == "array":
                array = self.arrays[source.node.attribute("index")]
                array = array.download() if isinstance(array, DeviceArray) else array
                found[source] = _as_kind(array, source.kind)
            else:
                waiting.append(source)
        nodes = tuple(dict.fromkeys(each.node for each in waiting if each.node not in self.known))
        if nodes:
            self.known.update(zip(nodes, self.computed(nodes), strict=True))
        found.update({each: _as_kind(self.known[each.node], each.kind) for each in waiting})
        return found

    def computed(self, nodes: tuple[Node, ...]) -> list[numpy.ndarray]:
        program, call = self.program, self.call
        ready = self.draws.stage(program, nodes)
        arrays = [NOTHING if array is None else array for array in self.arrays]
        bits = program.scalar_bits(call)
        if not program.device.is_host:
            from .device_run import computed_on_device  # most programs never leave the processor

            return computed_on_device(program, call, ready, nodes, arrays, bits)
        read = [array if is_aligned(array) else array.copy() for array in arrays]
        try:
            buffers = evaluate.run(ready, [array.ctypes.data for array in read], bits)
        except OutOfBounds as fault:
            raise error_of(ready, fault, program.line) from None
        return [
            buffer.into_ndarray(node.dtype.numpy_name, tuple(map(int, node.shape)))
            for buffer, node in zip(buffers, nodes, strict=True)
        ]


_UNIFORM = frozenset(("random", "random_sample"))
_IN_A_ROW = _UNIFORM | {"standard_normal", "normal", "uniform", "exponential", "standard_exponential"}
"""Methods that draw the same numbers one by one and many at once."""


def _is_uniform(step: Draw) -> bool:
    return step.call.__name__ in _UNIFORM and step.dtype == numpy.float64


def _makes_objects(loop: Repeated) -> bool:
    """Whether a loop makes generators, which may be arguments of its other steps."""
    return any(draw.slots for draw in all_draws(loop.steps))


_ERRORS = (ArgumentError, DTypeError, NumberError)


def _fitted(drawn: numpy.ndarray, dtype: numpy.dtype | None) -> numpy.ndarray:
    """Returns drawn numbers in C order, in the dtype that a device without 64 bits has for theirs."""
    if drawn.dtype.kind in "iu" and drawn.dtype != dtype and drawn.size:
        check_fits(drawn.min().item(), from_numpy(dtype))
        check_fits(drawn.max().item(), from_numpy(dtype))
    return numpy.ascontiguousarray(drawn, dtype).reshape(drawn.shape)


def _as_kind(array: numpy.ndarray, kind: int) -> Any:
    if kind == ARRAY:
        return array
    return array.item() if kind == NUMBER else array[()]
