"""Explanations as text for a terminal of 100 columns: graph, groups with reasons, plan, kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..codegen.plan.libraries import FUNCTIONS
from ..codegen.plan.nodes import (
    Alloc,
    BufferRef,
    Callback,
    Cond,
    ConstantScalar,
    Copy,
    Faults,
    Free,
    Launch,
    LibraryCall,
    Loop,
    LoopIndex,
    Plan,
    ScalarRef,
    While,
    Zero,
)
from ..errors import SourceLine
from ..ir.node import Node, Region, topological
from .kernels import ExplainedKernel
from .parts import Compiled, GroupNote, Subject
from .spelling import (
    Spelling,
    bytes_text,
    clipped,
    counted,
    is_inline,
    line_text,
    time_text,
    type_of,
)

WIDTH = 100
FIRST_LINES, LAST_LINES = 60, 15
"""The numbers of lines that are printed of a part longer than both together."""
_FORMULA_WIDTH = 44
SLOW_NS = 1_000_000_000
"""Of a program that took longer to compile, explanations say what took so long."""


def table(rows: Iterable[Sequence[str]], indent: str = "  ", gap: str = "   ") -> list[str]:
    """Rows in aligned columns, truncated at WIDTH."""
    rows = [list(row) for row in rows]
    count = max(map(len, rows), default=0)
    widths = [max((len(row[k]) for row in rows if k < len(row) - 1), default=0) for k in range(count)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append(clipped((indent + gap.join(cells)).rstrip(), WIDTH))
    return lines


def shortened(lines: Sequence[str]) -> list[str]:
    """A part as printed: of a long one the beginning and the end."""
    left_out = len(lines) - FIRST_LINES - LAST_LINES
    if left_out <= 1:
        return list(lines)
    told = f"  … {left_out} lines more, which `text()` has"
    return [*lines[:FIRST_LINES], told, *lines[-LAST_LINES:]]


class Names:
    """The names of the values of a compiled graph: %0, %1, ... and inside a region of %4: %4.0, %4.1, ..."""

    def __init__(self, compiled: Compiled, subject: Subject) -> None:
        self.names: dict[Node, str] = {}
        self.rows: list[tuple[Node, int]] = []
        """Every named node with its depth, in the order of the graph; a region follows its node."""
        self.spelling = Spelling(self.names, subject.inputs, compiled.scalars)
        self._body(compiled.outputs, "", 0)

    def _body(self, outputs: Sequence[Node], prefix: str, depth: int) -> None:
        count = 0
        for node in topological(outputs):
            if is_inline(node) and node not in outputs:
                continue
            if node not in self.names:
                self.names[node] = f"%{prefix}{count}"
                self.rows.append((node, depth))
            count += 1
            for letter, region in zip(("", "e"), regions_of(node), strict=False):
                inner = f"{prefix}{count - 1}{letter}."
                self._name_arguments(node, region)
                self._body((*region.parameters, *region.results), inner, depth + 1)

    def _name_arguments(self, node: Node, region: Region) -> None:
        """Names the parameters of a region: the loop's index, carried values, and values from outside."""
        names = ["index"] if node.op.bounds else []
        if node.op.carries:
            names += [f"carried {number}" for number in range(len(regions_of(node)[0].results))]
        operands = node.inputs[len(node.inputs) - (len(region.parameters) - len(names)) :]
        names += map(self.spelling.operand, operands)
        self.spelling.arguments.update(zip(region.parameters, names, strict=True))


def regions_of(node: Node) -> list[Region]:
    return [value for value in node.attributes if isinstance(value, Region)]


def title_lines(subject: Subject, kernels: int, moved: int, cost_ns: int) -> list[str]:
    if not kernels and not cost_ns:
        facts = subject.note or "nothing to compute"
    else:
        facts = f"{counted(kernels, 'kernel')}, moves {bytes_text(moved)}, about {time_text(cost_ns)} of work"
    if len(subject.title) + len(facts) + 2 > WIDTH:
        return [clipped(subject.title, WIDTH), facts.rjust(WIDTH), "─" * WIDTH]
    return [subject.title + facts.rjust(WIDTH - len(subject.title)), "─" * WIDTH]


def slow_lines(subject: Subject) -> list[list[str]]:
    """Returns what a slow compilation took, and the reason where it is known."""
    ready = subject.ready
    planned, coded = (0, 0) if ready is None else ready.template.took_ns
    if ready is None or planned + coded < SLOW_NS:
        return []
    count = counted(len(topological(subject.outputs)), "node")
    times = f"plan of {count} {time_text(planned)}, machine code {time_text(coded)}"
    advice = ["Unrolled loops are compiled once for each iteration."] if subject.unrolled_loops else []
    return [[f"compiled in {time_text(planned + coded)} of processor time: {times}", *advice]]


def graph_lines(compiled: Compiled, subject: Subject, names: Names) -> list[str]:
    """Every value: its name, type, formula and the user's line."""
    traced = len(topological(subject.outputs))
    kept = len(topological(compiled.outputs))
    lines = [f"graph  {counted(kept, 'node')}" + (f", {traced} as traced" if traced != kept else "")]
    rows = []
    for node, depth in names.rows:
        formula = clipped(names.spelling.expression(node), _FORMULA_WIDTH)
        row = ["  " * depth + names.names[node], type_of(node), formula]
        where = compiled.lines.get(node)
        rows.append(row + ([_lines_text(where)] if where else []))
    results = ", ".join(map(names.spelling.operand, compiled.outputs))
    return lines + table(rows) + [clipped(f"  return {results}", WIDTH)]


def _lines_text(lines: Sequence[SourceLine]) -> str:
    rest = f"  (and {counted(len(lines) - 1, 'more line')})" if len(lines) > 1 else ""
    return line_text(lines[0]) + rest


def group_lines(groups: Sequence[GroupNote], kernels: Sequence[ExplainedKernel], names: Names) -> list[str]:
    """Which values share a loop nest, and why each stored value is stored."""
    lines = [f"groups  {len(groups)}"]
    for group in groups:
        indent = "  " * (group.depth + 1)
        lines.append(clipped(indent + _group_heading(group, kernels), WIDTH))
        rows = []
        for stage in {note.node: note for note in group.stages}.values():
            formula = clipped(names.spelling.expression(stage.node), _FORMULA_WIDTH)
            rows.append([names.spelling.operand(stage.node), formula, stage.place])
        lines += table(rows, indent + "  ")
    return lines


def _group_heading(group: GroupNote, kernels: Sequence[ExplainedKernel]) -> str:
    if group.kind == "product":
        return "matrix product, by the library"
    if group.kind == "custom":
        return " and ".join(f"kernel {number} {kernels[number].name}, as written" for number in group.kernels)
    if group.kind == "steps":
        return " and ".join(f"kernel {number} {kernels[number].name}" for number in group.kernels)
    if group.kind == "nest":
        number, *combining = group.kernels
        shared = any(launch.workgroups > 1 for launch in kernels[number].launches)
        several = "work items" if kernels[number]._kernel.workgroup > 1 else "threads"
        by = f"whose iterations {several} share" if shared else "by one thread"
        combined = "".join(f"; kernel {each} combines what they accumulate" for each in combining)
        return f"kernel {number} {kernels[number].name}, the loop with all that is in it, {by}{combined}"
    if group.kind == "control":
        op = group.stages[0].node.op
        why = f" ({group.no_nest})" if group.no_nest else ""
        return f"{op.name}, " + ("by the library" if op.library else f"around what stands below it{why}")
    loops = f"loops over {' x '.join(map(str, group.parallel))}" if group.parallel else ""
    reduced = f"reduces {' x '.join(map(str, group.reduced))}" if group.reduced else ""
    if any(note.node.op.family == "scan" for note in group.stages):
        reduced = reduced.replace("reduces", "scans") + (" in blocks" if group.blocked else "")
    elif group.blocked:
        reduced += " in blocks, then their results"
    unrolled = f"{' x '.join(map(str, group.unrolled))} side by side" if group.unrolled else ""
    named = " and ".join(f"{number} {kernels[number].name}" for number in group.kernels)
    return f"kernel {', '.join(part for part in (named, loops, unrolled, reduced) if part)}"


class PlanLines:
    """The plan with this call's sizes."""

    def __init__(self, compiled: Compiled, subject: Subject, names: Names, peak_bytes: int) -> None:
        self.compiled = compiled
        self.plan: Plan = compiled.plan
        self.value = compiled.sizes.value
        self.buffers = {number: f"b{number}" for number in range(len(self.plan.buffers))}
        for index in range(self.plan.inputs):
            self.buffers[index] = subject.inputs.get(index, f"input {index}")
        self.holds: dict[int, str] = {}
        for node, number in compiled.lowered.buffers_of.items():
            name = names.names.get(compiled.known(node))
            if name is not None:
                self.holds[number] = name
        rows: list[list[str]] = []
        self._steps(self.plan.steps, "", rows)
        written = {compiled.lowered.buffers_of[node] for node in compiled.lowered.outputs}
        results = ", ".join(
            [self.buffers[number] for number in self.plan.outputs]
            + [
                f"{self.buffers[number]} (in place)"
                for number in sorted(written)
                if number < self.plan.inputs
            ]
        )
        self.lines = [f"plan  {counted(len(rows), 'step')}, {bytes_text(peak_bytes)} beside the inputs"]
        self.lines += [*table(rows), f"  return {results}"]

    def _steps(self, steps: Iterable[Any], indent: str, rows: list[list[str]]) -> None:
        for step in steps:
            word, *cells = _STEPS[type(step)](self, step)
            rows.append([indent + word, *cells])
            if isinstance(step, Loop):
                self._steps(step.body, indent + "  ", rows)
            elif isinstance(step, While):
                self._steps(step.condition, indent + "  ", rows)
                rows.append([indent + "do"])
                self._steps(step.body, indent + "  ", rows)
            elif isinstance(step, Cond):
                self._steps(step.then, indent + "  ", rows)
                if step.orelse:
                    rows.append([indent + "else"])
                    self._steps(step.orelse, indent + "  ", rows)

    def ref(self, ref: BufferRef) -> str:
        offset = self.value(ref.offset)
        return self.buffers[ref.buffer] + (f"[{offset}:]" if offset else "")

    def alloc(self, step: Alloc) -> list[str]:
        buffer = self.plan.buffers[step.buffer]
        elements = self.value(buffer.elements)
        held = f"for {self.holds[step.buffer]}" if step.buffer in self.holds else "scratch"
        size = bytes_text(elements * buffer.dtype.itemsize)
        return ["alloc", f"{self.buffers[step.buffer]}: {buffer.dtype.name}[{elements}]", size, held]

    def free(self, step: Free) -> list[str]:
        return ["free", self.buffers[step.buffer]]

    def launch(self, step: Launch) -> list[str]:
        kernel = f"{step.kernel} {self.plan.kernels[step.kernel].name}"
        groups = counted(self.value(step.groups), "workgroup")
        on = ", ".join(map(self.ref, step.buffers))
        work = f"{bytes_text(self.value(step.bytes_moved))}, {time_text(self.value(step.cost_ns))}"
        return ["launch", kernel, work, f"{groups} on {on}"]

    def library_call(self, step: LibraryCall) -> list[str]:
        function = FUNCTIONS[step.function]
        count = "".join(f"{self.value(axis.count)} x " for axis in step.batch)
        sizes = function.shape(tuple(map(self.value, step.sizes)))
        shape = f"{count}({sizes})" if count else sizes
        work = time_text(self.value(step.cost_ns))
        return [
            step.function,
            function.formula(step, self.ref),
            work,
            f"{step.dtype.name} {shape}, {function.library}",
        ]

    def copy(self, step: Copy) -> list[str]:
        return [
            "copy",
            f"{self.ref(step.target)} = {self.ref(step.source)}",
            counted(self.value(step.elements), "element"),
        ]

    def number(self, value: Any) -> str:
        if isinstance(value, ScalarRef):
            return self.compiled.scalars.get(value.index, f"scalar {value.index}")
        if isinstance(value, ConstantScalar):
            return repr(value.value)
        if isinstance(value, BufferRef):
            return f"what {self.ref(value)} holds"
        return "index" if isinstance(value, LoopIndex) else str(self.value(value))

    def loop(self, step: Loop) -> list[str]:
        swaps = ", ".join(f"{self.buffers[x]} and {self.buffers[y]}" for x, y in step.swaps)
        return [
            "loop",
            f"{self.number(step.lower)} to {self.number(step.upper)}",
            "",
            f"then swap {swaps}" if swaps else "",
        ]

    def while_(self, step: While) -> list[str]:
        swaps = ", ".join(f"{self.buffers[x]} and {self.buffers[y]}" for x, y in step.swaps)
        return ["while", self.ref(step.predicate), "", f"then swap {swaps}" if swaps else ""]

    def cond(self, step: Cond) -> list[str]:
        return ["if", self.ref(step.predicate)]

    def callback(self, step: Callback) -> list[str]:
        reads, writes = (", ".join(map(self.ref, refs)) for refs in (step.operands, step.results))
        return [
            "call",
            step.name,
            "",
            f"by Python, of {reads or 'nothing'}" + (f" into {writes}" if writes else ""),
        ]

    def zero(self, step: Zero) -> list[str]:
        return ["zero", self.ref(step.target), counted(self.value(step.elements), "element")]

    def faults(self, step: Faults) -> list[str]:
        count = self.value(self.plan.buffers[step.buffer].elements)
        return ["check", self.buffers[step.buffer], counted(count, "word"), "nothing was noted"]


_STEPS: dict[type, Callable[[PlanLines, Any], list[str]]] = {
    Alloc: PlanLines.alloc, Free: PlanLines.free, Launch: PlanLines.launch,
    LibraryCall: PlanLines.library_call,
    Copy: PlanLines.copy, Loop: PlanLines.loop, While: PlanLines.while_, Cond: PlanLines.cond,
    Zero: PlanLines.zero, Faults: PlanLines.faults, Callback: PlanLines.callback,
}  # fmt: skip


def kernel_lines(kernels: Sequence[ExplainedKernel], levels: Sequence[str]) -> list[str]:
    """A line for each distinct kernel; below it its texts at the requested levels."""
    same: dict[str, list[ExplainedKernel]] = {}
    for kernel in kernels:
        same.setdefault(kernel.key or str(kernel.number), []).append(kernel)
    lines = [f"kernels  {len(kernels)}" + (f", {len(same)} different" if len(same) < len(kernels) else "")]
    rows = []
    for group in same.values():
        first, times = group[0], f", {len(group)} times" if len(group) > 1 else ""
        row = [f"{first.number} {first.name}", first.inner_loop, first.origin + _key_text(first) + times]
        rows.append(row)
    lines += table(rows)
    for kernel, *_ in same.values():
        for level in levels:
            lines += [
                "",
                f"── {kernel.number} {kernel.name}, {level} ".ljust(WIDTH, "─"),
                kernel.source(level).rstrip("\n"),
            ]
    return lines


def _key_text(kernel: ExplainedKernel) -> str:
    return f", key {kernel.key[:12]}" if kernel.key else ""
