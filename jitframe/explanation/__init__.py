"""`explain`: how a value is computed, from the graph over kernels with reasons down to assembly."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..api.frame import LazyValue
from ..arrays.layout import run_time_strides
from ..base.boundary import guarded
from ..codegen.kernel.scalars import storage_dtype
from ..codegen.plan.kinds import all_steps
from ..codegen.plan.libraries import touched_elements
from ..codegen.plan.nodes import Launch, LibraryCall
from ..codegen.plan.peak import estimate_peak_bytes
from ..compilation.evaluate import enumerate_scalars, prepare
from ..errors import ArgumentError, DTypeError
from ..ir.node import topological
from ..tensors.lazy import LazyGraph
from ..tensors.tensor import Tensor
from ..tracing.environment.user_code import line_of
from ..tracing.values.concrete import LeftToPython, told
from .kernels import LEVELS, ExplainedKernel, LaunchNote
from .parts import Compiled, GroupNote, Subject
from .spelling import type_of
from .text import (
    Names,
    PlanLines,
    graph_lines,
    group_lines,
    kernel_lines,
    regions_of,
    shortened,
    slow_lines,
    title_lines,
)

if TYPE_CHECKING:
    import networkx

    from ..tracing.programs.program import Program

__all__ = ["LEVELS", "ExplainedKernel", "Explanation", "explain", "explain_call"]


MOST_CUTS = 6
"""The maximum number of programs before cuts that are printed."""
TRACED_CUTS = 64
PATIENCE_NS = 2_000_000_000
"""How long cuts of calls that Python answers are analysed."""


class Explanation:
    """How a program is computed. Printing it shows everything but the kernels' texts, of long programs the
    beginning and the end of each part; `text` shows all, and kernels' texts at the levels that it is given.

    >>> x = jf.asarray(np.ones(1000, np.float32))
    >>> e = jf.explain(jf.exp(x) / jf.sum(jf.exp(x)))
    >>> print(e.graph)
    graph  5 nodes
      %0   f32[1000]   input 0
      %1   f32[1000]   exp(%0)
      %2   f32[]       sum(%1, axis=0)
      %3   f32[1000]   %1 / %2
      return %3
    >>> [kernel.name for kernel in e.kernels]
    ['sum_div']
    >>> assembly = e.text("kernel", "asm")
    """

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self.kernels: tuple[ExplainedKernel, ...] = ()
        self.groups: tuple[GroupNote, ...] = ()
        """Values that share a loop nest, in the order they run."""
        self.bytes_moved = 0
        """Bytes transferred if every launch touches each of its buffers once."""
        self.cost_ns = 0
        """Estimated time on one core; loops and conds count once."""
        self.peak_bytes = 0
        """Peak memory beside the inputs, results included."""
        self.before: tuple[Explanation, ...] = ()
        """Of a jitted function that is cut where its Python code needs a value: what is computed up to each
        cut, in order; this is of what comes after the last one."""
        self.by_python = ""
        """Why Python answers such calls of a jitted function, running it as it was written, and what that
        takes; "" where compiled code does. What else is shown is how they would be compiled."""
        self._compiled: Compiled | None = None
        if subject.ready is not None:
            self._take(subject, Compiled(subject, subject.ready))

    def _take(self, subject: Subject, compiled: Compiled) -> None:
        assert subject.ready is not None
        self._compiled = compiled
        self._names = Names(compiled, subject)
        self.groups = compiled.groups
        self.peak_bytes = estimate_peak_bytes(subject.ready.bound)
        launches: list[list[LaunchNote]] = [[] for _ in compiled.plan.kernels]
        for step in all_steps(subject.ready.bound.steps):
            if isinstance(step, Launch):
                note = LaunchNote(step.groups, step.bytes_moved, step.cost_ns)
                launches[step.kernel].append(note)
                self.bytes_moved += note.bytes_moved
                self.cost_ns += note.cost_ns
            elif isinstance(step, LibraryCall):
                self.bytes_moved += touched_elements(step) * step.dtype.itemsize
                self.cost_ns += step.cost_ns
        self.kernels = tuple(
            ExplainedKernel(
                *(number, kernel, compiled, tuple(launches[number])),
                *(subject.ready.template.fastmath, subject.ready.device),
            )
            for number, kernel in enumerate(compiled.plan.kernels)
        )

    @property
    def graph(self) -> str:
        """Every value that is computed: its name, type, formula, and the user's line where it is known."""
        return _joined(graph_lines(self._compiled, self._subject, self._names) if self._compiled else [])

    @property
    def plan(self) -> str:
        """What runs in which order, in which memory, with the sizes of this call."""
        if self._compiled is None:
            return ""
        return _joined(PlanLines(self._compiled, self._subject, self._names, self.peak_bytes).lines)

    @property
    def reasons(self) -> dict[str, str]:
        """Why each value that goes to memory does, by its name in `graph`."""
        notes = (note for group in self.groups for note in group.stages if note.reason)
        return {self._names.spelling.operand(note.node): note.reason for note in notes}

    def text(self, *levels: str) -> str:
        """All there is, with kernels' texts at these levels: `graph`, `kernel`, `source`, `asm`."""
        unknown = [level for level in levels if level not in LEVELS]
        if unknown:
            known = ", ".join(map(repr, LEVELS))
            raise ArgumentError(f"no level is called {unknown[0]!r}; the levels are {known}")
        earlier = [explanation.text(*levels) for explanation in self.before]
        return "\n\n".join([*self._python(), *earlier, *map(_joined, self._sections(levels))])

    def __str__(self) -> str:
        earlier = list(map(str, self.before))
        if len(earlier) > MOST_CUTS:
            earlier[1:-1] = [f"… {len(earlier) - 2} programs between cuts, in `before`"]
        sections = [_joined(shortened(lines)) for lines in self._sections(())]
        return "\n\n".join([*self._python(), *earlier, *sections])

    def _python(self) -> list[str]:
        return [f"Python answers such calls {self.by_python}"] if self.by_python else []

    def _sections(self, levels: Sequence[str]) -> list[list[str]]:
        title = title_lines(self._subject, len(self.kernels), self.bytes_moved, self.cost_ns)
        if self._compiled is None:
            return [title[:-1]]
        unrolled = [f"{place} is unrolled: {why}" for place, why in self._subject.unrolled_loops.items()]
        return [
            *(title, *([unrolled] if unrolled else []), *slow_lines(self._subject)),
            *(self.graph.splitlines(), group_lines(self.groups, self.kernels, self._names)),
            *(self.plan.splitlines(), kernel_lines(self.kernels, levels)),
        ]

    def __repr__(self) -> str:
        return f"<explanation of {self._subject.title}: {len(self.kernels)} kernels>"

    def to_networkx(self) -> networkx.MultiDiGraph:
        """The graph for analysis and drawing: a node for each value, an edge for each use of it.

        Nodes have `op`, `dtype`, `shape`, `formula`, `lines`, and `kernels`, the numbers of those that
        compute the value; edges have `operand`, the position.
        """
        import networkx

        made = networkx.MultiDiGraph(title=self._subject.title)
        if self._compiled is None:
            return made
        kernels = {note.node: group.kernels for group in self.groups for note in group.stages}
        for node, _ in self._names.rows:
            made.add_node(
                self._names.names[node],
                op=node.op.name,
                dtype=node.dtype.name,
                shape=tuple(map(int, node.shape)),
                formula=self._names.spelling.expression(node),
                lines=tuple(map(str, self._compiled.lines.get(node, ()))),
                kernels=kernels.get(node, ()),
            )
        for node, _ in self._names.rows:
            for operand, source in enumerate(node.inputs):
                while source not in self._names.names and source.inputs:
                    (source,) = source.inputs  # a repeated value, computed where it is used
                if source in self._names.names:
                    made.add_edge(self._names.names[source], self._names.names[node], operand=operand)
            for region in regions_of(node):
                for position, result in enumerate(region.results):
                    if result in self._names.names:
                        made.add_edge(self._names.names[result], self._names.names[node], operand=position)
        return made


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)


@guarded
def explain(*tensors: Tensor | Sequence[Tensor]) -> Explanation:
    """How tensors would be computed together; nothing runs, kernels are compiled (or found in the cache).

    >>> x = jf.asarray(np.ones((4, 5)))
    >>> jf.explain(x.sum(axis=1)).kernels
    (<kernel 0 sum>,)
    """
    flat: list[Tensor] = []
    for each in tensors:
        flat.extend(each if isinstance(each, list | tuple) else [each])  # type: ignore[list-item]
    for tensor in flat:
        if not isinstance(tensor, Tensor):
            kind = "a value of a trace" if isinstance(tensor, LazyValue) else f"a {type(tensor).__name__}"
            raise DTypeError(
                f"explain takes tensors, not {kind}; for a jitted function: f.explain(*arguments)"
            )
        tensor._refresh()
    title = ", ".join(f"{tensor._dtype.name}{list(tensor.shape)}" for tensor in flat) or "no tensors"
    pending = [each._pending for each in flat if each._value is None and each._pending is not None]
    if not pending:
        return Explanation(Subject(title, (), None, note="computed already: nothing is left to do"))
    device = pending[0][0].device
    if any(graph.device is not device for graph, _ in pending):
        raise DTypeError("explain takes tensors of one device; ask for those of each device apart")
    program = LazyGraph(device)
    outputs = tuple(dict.fromkeys(program.take(graph, [node])[node] for graph, node in pending))
    inputs = [node for node in topological(outputs) if node.op.source == "array"]
    letters = {node.attribute("index"): node.attribute("layout") for node in inputs}
    # Where arrays are not ndarrays, no axis has such a letter.
    strides = [run_time_strides(array, letters.get(index, "")) for index, array in enumerate(program.arrays)]
    scalars = {index: repr(value) for index, value in enumerate(program.scalar_values)}
    return Explanation(Subject(title, outputs, prepare(outputs, strides, device=device), scalars=scalars))


def explain_call(
    jitted: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
) -> Explanation:
    """How a jitted function computes a call with these arguments; traced if it was not yet, and not run."""
    jit = jitted._jit
    call = jit.bind(tuple(args), dict(kwargs or {}))
    by_python = jit.races.told(call)
    if by_python:
        call.may_leave, call.most_cuts = True, TRACED_CUTS
        call.deadline_ns = time.perf_counter_ns() + PATIENCE_NS
    if jit.races.may_answer(call):
        call.traced_until_ns = time.thread_time_ns() + PATIENCE_NS
    try:
        program = jit.inspected(call)
    except LeftToPython as left:
        explanation = Explanation(Subject(f"{jit.signature.name}()", (), None, note="not compiled"))
        by_python = by_python or f"(not run yet): {left.reason}"
    except Exception as error:
        if not jit.races.decides(call, error):
            raise
        explanation = Explanation(Subject(f"{jit.signature.name}()", (), None, note="not compiled"))
        by_python = f"(no trace): {told(error)}"
    else:
        explanation = _explained_cuts(program, call.names)
    explanation.by_python = by_python
    return explanation


def _explained_cuts(program: Program, leaves: Sequence[str]) -> Explanation:
    """Explains a program of a jitted function, with those before its cuts."""
    before: list[Explanation] = []
    for number, segment in enumerate(program.segments, 1):
        place = "" if segment.line is None else f" at {segment.line}"
        cut = f"up to cut {number}{place}, for {segment.purpose}"
        if segment.program is None:
            known = Subject(f"{program.name}, {cut}", (), None, note="its value was computed before")
            before.append(Explanation(known))
        else:
            before.append(_explained(segment.program, leaves, cut))
    if not before:
        return _explained(program, leaves)
    explanation = _explained(program, leaves, f"after {len(before)} {'cut' if len(before) == 1 else 'cuts'}")
    explanation.before = tuple(before)
    return explanation


def _explained(program: Program, leaves: Sequence[str], which: str = "") -> Explanation:
    """Explains one program of a jitted function, the one of index `which` if there are several."""
    names = {index: _input_name(source, leaves) for index, source in enumerate(program.inputs)}
    inputs = [node for node in topological(program.outputs) if node.op.source == "array"]
    types = {node.attribute("index"): type_of(node) for node in inputs}
    shown = ", ".join(f"{names[index]}: {types[index]}" for index in sorted(types))
    lines = {node: tuple(map(line_of, places)) for node, places in program.lines.items()}
    title = f"{program.name}({shown})" + (f", {which}" if which else "")
    if program.ready is None:
        returned = "what it was given" if program.draws is None else "what it was given and random numbers"
        return Explanation(Subject(title, (), None, note=f"nothing to compute: it returns {returned}"))
    scalars = _scalar_names(program, leaves)
    subject = Subject(
        title, program.outputs, program.ready, names, scalars, lines, unrolled_loops=program.unrolled_loops
    )
    return Explanation(subject)


def _input_name(source: Any, leaves: Sequence[str]) -> str:
    if source.leaf is not None:
        return str(leaves[source.leaf])
    if source.carried is not None:
        return f"carried {source.carried}"
    if source.drawn:
        return "random numbers"
    return "an array it reads" if source.region is None else "arguments that overlap"


def _scalar_names(program: Any, leaves: Sequence[str]) -> dict[int, str]:
    """The names of scalar arguments, and the values of other scalars."""
    found = {}
    for index, dtype in enumerate_scalars(program.outputs):
        if index in program.scalars:
            found[index] = leaves[program.scalars[index].leaf]
        else:
            bits = numpy.uint64(program.known_bits(index) & (1 << 64) - 1)
            value = numpy.frombuffer(bits.tobytes(), storage_dtype(dtype), 1)[0]
            found[index] = str(value)
    return found
