"""Cuts of a trace: Python code needs a value that depends on arrays, so it is computed, and the trace goes
on.

The graph stays whole: computed nodes are known by the places of their values, which are inputs of later
computations. The value decides what the function does next, so the trace holds for that value alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...api.frame import innermost_frame
from ...errors import JitframeError, TraceError, user_line
from ...ir.node import Graph, Node
from ...ir.record import replace
from ...ir.structure import find_structure
from ..arguments.value_key import Same
from ..values.cells import Cell
from ..values.concrete import leave, leave_late
from ..values.draws import Computed, External, Repeated, Source, all_draws, key_of
from ..values.draws import Step as Drawing
from ..values.parameter import Parameter
from ..values.traced_frame import TraceFrame
from .inputs import Input
from .program import Program
from .results import Results
from .segments import Segment, Step, advanced, value_key

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ..arguments.overlap import Pattern
    from ..arguments.shared_generators import SharedGenerators
    from ..arguments.signature import Call

_SMALL_BYTES = 1024


class Cuts:
    """The cuts of one trace, and the values that it has computed in its call."""

    def __init__(
        self,
        frame: TraceFrame,
        call: Call,
        inputs: Callable[[], list[Input]],
        pattern: Pattern,
        watched: frozenset[int],
        hidden: Sequence[numpy.ndarray],
        fastmath: bool,
    ) -> None:
        self.frame = frame
        self.call = call
        self.segments: list[Segment] = []
        self.met: list[Hashable] = []
        """The keys of the values met at the cuts."""
        self.places: dict[Node, int] = {}
        """The places of the nodes whose values are carried."""
        self._inputs = inputs
        self._limit = frame.limit
        self._fixed = pattern, watched, hidden, fastmath
        self._before: list[Step] = call.steps
        """The segments that the call had computed before it turned out that it has to be traced."""
        self.shared: SharedGenerators | None = None
        """The shared generators, which only segments may draw from."""
        self._drawn = 0
        """The number of the trace's draws that segments have done."""
        call.steps, call.carried = [], []

    def value(self, node: Node, purpose: str) -> numpy.ndarray:
        """Returns the value of a node in this call, which is read-only; the rest of the trace holds for that
        value."""
        frame = self.frame
        call = self.call
        leave_late(frame)
        if len(self.segments) >= call.most_cuts or time.perf_counter_ns() > call.deadline_ns:
            leave(frame, f"{purpose} needs a value", always=False)
        if self.shared is not None:
            self.shared.check(frame.name)
        try:
            step = self._advance(self._segment(node, purpose))
        except JitframeError as error:
            if error.is_of_python:  # Exceptions of earlier lines, which no handler around this line catches.
                leave(frame, error.message, always=False)
            raise
        finally:
            if self.shared is not None:
                self.shared.renew()
        self.segments.append(step.segment)
        call.has_called |= bool(frame.effects is not None and frame.effects.functions)
        self.met.append(value_key(step.value))
        value = step.value.view()
        value.flags.writeable = False
        frame.known[node] = value
        frame.unknown.clear()
        frame.limit = len(frame.graph) + self._limit
        return value

    def _segment(self, node: Node, purpose: str) -> Segment:
        frame, call = self.frame, self.call
        held = dict.fromkeys(cell.node for cell in frame.live_cells())
        live = [each for each in (*held, *_seen_by_regions()) if each is not node]
        begin = len(call.carried)
        if node in self.places:  # Host functions called meanwhile are called later.
            segment = Segment(None, None, self.places[node], purpose, user_line())
        else:
            called = None if frame.effects is None else frame.effects.node()
            if called is None or called in self.places:
                wanted = [node]
            else:
                wanted = [node, called]  # Host functions called so far are called here.
            outputs = [*wanted, *_needed_later(wanted, live, self.places)]
            steps = frame.draws[self._drawn :] if self._needs_draws(outputs) else []
            if steps:
                self._drawn = len(frame.draws)
                kept = _reached([*wanted, *live], _parameters_of(frame, steps))
                outputs += [each for each in kept if each not in outputs]
            program, key = self._program(outputs, steps)
            self.places.update((output, begin + number) for number, output in enumerate(outputs))
            segment = Segment(program, key, begin, purpose, user_line())
        kept = _reached([node, *live], self.places)
        gone = [each for each in self.places if each not in kept]
        segment.dropped = tuple([self.places.pop(each) for each in gone])
        return segment

    def has_drawn(self, number: int) -> bool:
        """Whether a segment makes the draw of a parameter."""
        return any(draw.parameter == number for draw in all_draws(self.frame.draws[: self._drawn]))

    def _needs_draws(self, outputs: Sequence[Node]) -> bool:
        """Whether nodes depend on drawn numbers, and are not carried."""
        drawn = {
            parameter.node
            for parameter in self.frame.parameters
            if parameter.drawn and parameter.node not in self.places
        }
        return bool(drawn) and bool(_reached(outputs, {*drawn, *self.places}) & drawn)

    def _program(self, outputs: list[Node], steps: Sequence[Drawing]) -> tuple[Program, Hashable]:
        """Returns the program that draws, and computes nodes from the inputs of the trace and from carried
        values."""
        frame = self.frame
        drawn_here = _parameters_of(frame, steps)
        given = self._inputs()
        graph, made = Graph(), dict[Node, Node]()
        graph.scalar_values = frame.graph.scalar_values
        parameters: list[Parameter] = []
        inputs: list[Input] = []

        def leaf(node: Node) -> Node | None:
            place = self.places.get(node)
            if place is None and node.op.source != "array":
                return None
            layout = None if place is not None else node.attribute("layout")
            new = graph.parameter(len(parameters), node.shape, node.dtype, layout)
            if place is not None:
                parameters.append(_carried(frame, new, self.call, place))
                inputs.append(Input(carried=place))
            else:
                index = node.attribute("index")
                old = frame.parameters[index]
                if old.drawn and node not in drawn_here:
                    raise TraceError(
                        f"{frame.name} needs a value that follows from random numbers which it has drawn of "
                        "a jf.random.Generator; draw them outside and pass them, or draw after that value is "
                        "needed"
                    )
                parameters.append(replace(old, node=new))
                inputs.append(given[index])
            return new

        given_to_draws = _computed_for(steps)
        _copy([*outputs, *drawn_here, *given_to_draws], graph, made, leaf)
        roots = [made[node] for node in outputs]
        draws = _moved(frame, steps, made)
        lines = {new: frame.lines[old] for old, new in made.items() if old in frame.lines}
        pattern, watched, hidden, fastmath = self._fixed
        program = Program(
            frame, Results(outputs=roots), self.call, pattern, inputs, watched, hidden, fastmath,
            parameters, lines, draws,
        )  # fmt: skip
        structure = find_structure([*roots, *(made[node] for node in given_to_draws)])
        # A trace for other values makes the same calls up to here, by another handle.
        handles = frozenset() if frame.effects is None else frame.effects.handles
        scalars = tuple(
            [
                "called" if index in handles else program.scalars.get(index, program.known_bits(index))
                for index in structure.scalars
            ]
        )
        sources = tuple(map(_source_key, inputs))
        key = structure.key, structure.sizes, sources, scalars, tuple(program.strides)
        return program, (*key, *map(_step_key, draws))

    def _advance(self, segment: Segment) -> Step:
        """Computes a segment, unless the call has done so before it was traced."""
        call, number = self.call, len(self.segments)
        if number < len(self._before):
            step = self._before[number]
            same = step.segment
            if (same.key, same.wanted, same.dropped) == (segment.key, segment.wanted, segment.dropped):
                call.carried += step.values
                same.drop(call, step.values)
                call.steps.append(step)
                return step
            self._compute_again()
        return advanced(segment, call)

    def _compute_again(self) -> None:
        """Computes the segments of this trace again, without other segments that the call has computed."""
        call = self.call
        self._before = []
        call.undo_draws()
        done = [step.segment for step in call.steps]
        call.steps, call.carried = [], []
        for each in done:
            advanced(each, call)

    def finish(self, outputs: list[Node]) -> list[Node]:
        """Returns the outputs of the trace, computed from carried values, which become further inputs of its
        frame."""
        frame, graph = self.frame, self.frame.graph
        if len(self.segments) < len(self._before):
            self._compute_again()
        if not self.segments:
            return outputs

        def leaf(node: Node) -> Node | None:
            place = self.places.get(node)
            if place is None:
                return node if not node.inputs else None
            new = graph.parameter(len(frame.parameters), node.shape, node.dtype)
            frame.parameters.append(_carried(frame, new, self.call, place))
            return new

        made = dict[Node, Node]()
        steps = frame.draws[self._drawn :]
        _copy([*outputs, *_computed_for(steps)], graph, made, leaf)
        frame.draws = _moved(frame, steps, made)
        for old, new in made.items():
            if new is not old and old in frame.lines:
                frame.lines.setdefault(new, frame.lines[old])
        return [made[node] for node in outputs]


def _parameters_of(frame: TraceFrame, steps: Iterable[Drawing]) -> dict[Node, None]:
    """Returns the parameters of the draws."""
    numbers = [draw.parameter for draw in all_draws(steps) if draw.parameter is not None]
    return {frame.parameters[number].node: None for number in numbers}


def _computed_for(steps: Iterable[Drawing]) -> list[Node]:
    """Returns the nodes that the draws depend on."""
    sources = (source for draw in all_draws(steps) for source in draw.sources())
    return [source.node for source in sources if isinstance(source, Computed)]


def _moved(frame: TraceFrame, steps: Iterable[Drawing], made: dict[Node, Node]) -> list[Drawing]:
    """Returns the steps for a program whose graph is a copy."""

    def source(given: Source) -> Source:
        return Computed(made[given.node], given.kind) if isinstance(given, Computed) else given

    found: list[Drawing] = []
    for step in steps:
        if isinstance(step, Repeated):
            found.append(Repeated(step.count, tuple(_moved(frame, step.steps, made))))
            continue
        place = step.parameter
        if place is not None:
            node = frame.parameters[place].node
            place = made.get(node, node).attribute("index")
        arguments = tuple(map(source, step.arguments))
        options = tuple([(name, source(given)) for name, given in step.options])
        found.append(replace(step, arguments=arguments, options=options, parameter=place))
    return found


def _step_key(step: Drawing) -> Hashable:
    """Returns a key that is equal for draws with equal results; each computed argument has a key of its
    own."""
    if isinstance(step, Repeated):
        return (step.count, *map(_step_key, step.steps))
    given = [*((None, argument) for argument in step.arguments), *step.options]
    return (
        step.call, step.parameter, step.shape, step.dtype, step.slots,
        *((name, _value_key(source)) for name, source in given),
    )  # fmt: skip


def _value_key(source: Source) -> Hashable:
    if isinstance(source, Computed):
        return Computed, source.kind
    value = source.value if isinstance(source, External) else None
    if isinstance(value, numpy.ndarray):
        return value_key(value)
    plain = isinstance(value, (bool, int, float, str, tuple, numpy.generic, numpy.dtype, type))
    return (type(value), repr(value)) if plain else key_of(source)


def _source_key(source: Input) -> Hashable:
    """Returns a key that is equal for inputs that are the same array; small arrays made by traces are
    compared by content."""
    array: object = source.array
    if source.fixed and isinstance(array, numpy.ndarray) and array.nbytes <= _SMALL_BYTES:
        array = value_key(array)
    elif array is not None:
        array = Same(array)
    return source.leaf, array, source.region, source.carried


def _carried(frame: TraceFrame, node: Node, call: Call, place: int) -> Parameter:
    """Returns a parameter for a carried value, which lies in C order."""
    value = call.carried[place]
    assert value is not None
    return Parameter(value, (), Cell(frame, node), node, made=True, carried=place)


def _seen_by_regions() -> list[Node]:
    """Returns the values that the loop traced now, if any, has taken from the enclosing trace."""
    current: Any = innermost_frame()
    if not current.enclosing:
        return []
    outermost = (*current.enclosing, current)[1]
    return [outer for _, outer in outermost.given]


def _copy(
    outputs: Iterable[Node], graph: Graph, made: dict[Node, Node], leaf: Callable[[Node], Node | None]
) -> None:
    """Copies the computation of the outputs into a graph; `leaf` returns the replacement of a node."""
    pending = list(outputs)
    while pending:
        node = pending[-1]
        if node in made:
            pending.pop()
            continue
        found = leaf(node)
        if found is None:
            missing = [source for source in node.inputs if source not in made]
            if missing:
                pending.extend(missing)
                continue
            found = graph.like(node, tuple([made[source] for source in node.inputs]), node.attributes)
        pending.pop()
        made[node] = found


def _needed_later(wanted: Sequence[Node], live: Iterable[Node], known: Collection[Node]) -> list[Node]:
    """Returns the nodes among those computed for `wanted` that live nodes need, too, and that are worth
    keeping."""
    needed = set(wanted)
    pending = list(wanted)
    while pending:
        for source in pending.pop().inputs:
            if source not in needed and source not in known:
                needed.add(source)
                pending.append(source)
    found: dict[Node, None] = {}
    seen: set[Node] = set()
    pending = list(live)
    while pending:
        node = pending.pop()
        if node in seen or node in known:
            continue
        seen.add(node)
        # A loop runs once, so its results are kept.
        of_loop = any(source.op.results is not None and source in needed for source in node.inputs)
        if node in needed or of_loop:
            if node not in wanted and _is_work(node, known):
                found[node] = None
            continue
        pending.extend(node.inputs)
    return list(found)


def _is_work(node: Node, known: Collection[Node]) -> bool:
    """Whether a node is costly: neither a view nor free."""
    while node.op.family == "movement" and node.inputs and node not in known:
        node = node.inputs[0]
    return bool(node.inputs) and node not in known


def _reached(live: Iterable[Node], known: Collection[Node]) -> set[Node]:
    """Returns the known nodes that the live nodes are, or depend on."""
    nodes: set[Node] = set()
    seen: set[Node] = set()
    pending = list(live)
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if node in known:
            nodes.add(node)
        else:
            pending.extend(node.inputs)
    return nodes
