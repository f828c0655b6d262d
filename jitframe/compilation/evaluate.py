"""Evaluates graphs: finds or makes the plan of the structure, binds it, runs it.

A *template* serves every graph of one structure whose sizes satisfy its guards. Binding substitutes the
sizes; a bound plan is kept for the next call with the same sizes.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy

from ..arrays.layout import run_time_strides
from ..base.background import on_own_thread
from ..base.locks import ReentrantLock
from ..cache.service import kernel_cache
from ..codegen.lower.machine import PROCESSOR, Machine
from ..codegen.plan.bind import OutOfBounds, PlanTemplate, scalar_bits
from ..codegen.plan.kinds import REGIONS, regions
from ..codegen.plan.nodes import Launch, Loop, Plan, ScalarRef, Step
from ..codegen.plan.peak import largest_buffer
from ..ir.expr import Expr
from ..ir.expr import evaluate as evaluate_expr
from ..ir.node import Graph, Node, Region, topological
from ..ir.record import fresh, mutable, record, replace
from ..ir.structure import Structure, find_structure
from ..ir.symbolize import symbolize
from ..ir.types import DType
from ..runtime import profiler_hook
from ..runtime.cpu.execution.encode import Program as NativeProgram
from ..runtime.cpu.execution.runtime import Buffer, runtime
from ..runtime.cpu.kernels.compiled_kernels import expect_misses, kernel_codes
from ..runtime.cpu.kernels.target import host_machine
from ..runtime.device import CPU, Block, Device, DeviceArray
from ..settings import settings
from .errors_of_runs import Lines, error_of
from .stored_plans import StoredPlan, keep_plan, keep_plan_at_exit, plan_key, stored_plans

if TYPE_CHECKING:
    from ..codegen.lower.program import Program as LoweredProgram
    from ..ir.passes import Verify

BOUND_KEPT = 64
"""The most bound plans of a template; the least recently used one is dropped first."""
STRUCTURES_KEPT = 4096
"""The most structures with plans; the least recently used one is dropped first, but its kernels stay
loaded."""
VERIFY: Verify | None = None
"""Checks the graph after every pass; the tests set it to `ir.verify.verify_graph`."""
GIL_RELEASE_NS = 20_000
"""Plans with a longer estimated time release the interpreter's lock."""
_NEVER = 1 << 62

Guards = tuple[tuple[Expr, bool], ...]
"""Conditions on the sizes, and whether they held."""


class Binding(metaclass=mutable):
    """A plan bound to sizes, and its native form once it has run."""

    plan: Plan
    program: NativeProgram | None = None
    largest_bytes: int = 0
    """The size of its largest buffer, on devices other than the host."""


class Template(metaclass=mutable):
    """The plan of one structure for sizes that pass `guards`."""

    plan: PlanTemplate
    guards: Guards
    addresses: list[int]
    """The addresses of the kernels' code, on the processor."""
    fastmath: bool
    faults: tuple[tuple[int, int], ...]
    """See `lower.program.Program`."""
    made: LoweredProgram | _Request
    """The lowered program, or the request to lower it for a plan from the disk."""
    bindings: OrderedDict[tuple[int, ...], Binding] = fresh(factory=OrderedDict)
    took_ns: tuple[int, int] = (0, 0)
    """The processor time of the plan and of its machine code, where this process made them."""

    @property
    def lowered(self) -> LoweredProgram:
        """The lowered program, with the kernels and their reasons."""
        made = self.made
        if isinstance(made, _Request):
            made, _ = on_own_thread(made.lower)
            self.made = made
        return made

    @property
    def kernel_count(self) -> int:
        return len(self.addresses if isinstance(self.made, _Request) else self.made.plan.kernels)

    def fits(self, sizes: Sequence[int]) -> bool:
        return _fits(self.guards, sizes)

    def binding(self, sizes: tuple[int, ...], device: Device) -> Binding:
        """The plan bound to sizes. Several threads may make it at once; one of theirs is kept."""
        found = self.bindings.get(sizes)
        if found is None:
            made = Binding(self.plan.bind(sizes, facts(device)))
            if not device.is_host:
                made.largest_bytes = largest_buffer(made.plan)
            found = self.bindings.setdefault(sizes, made)
        with suppress(KeyError):  # another thread had room to make
            self.bindings.move_to_end(sizes)
            while len(self.bindings) > BOUND_KEPT:
                self.bindings.popitem(last=False)
        return found


def _fits(guards: Guards, sizes: Sequence[int]) -> bool:
    return all(bool(evaluate_expr(condition, sizes)) is holds for condition, holds in guards)


class Family(metaclass=mutable):
    """The plans of one structure, under different guards."""

    templates: list[Template] = fresh(factory=list)
    """The newest first."""
    lock: ReentrantLock = fresh(factory=ReentrantLock)
    """Held while a thread of jitframe's own makes a plan: so no fork finds it held."""

    def template(self, sizes: Sequence[int]) -> Template | None:
        """The plan for sizes, where there is one."""
        return next((each for each in tuple(self.templates) if each.fits(sizes)), None)


class Ready(metaclass=record):
    """A program bound to sizes, with the indices of its scalars in the graph."""

    template: Template
    binding: Binding
    scalars: tuple[int, ...]
    """Indices of the graph's scalars, in the program's order."""
    sizes: tuple[int, ...]
    """The structure's sizes, then the run-time strides."""
    device: Device = CPU
    roots: tuple[Node, ...] = ()
    """The requested outputs."""
    compiled: int = 0
    """The number of kernels that were compiled for it, on the processor."""

    @property
    def bound(self) -> Plan:
        return self.binding.plan


_families: OrderedDict[Hashable, Family] = OrderedDict()
at_forget: list[Callable[[], None]] = []
"""Functions that drop cached objects that refer to plans."""


def forget() -> None:
    """Drops all plans; programs with one continue."""
    _families.clear()
    for call in at_forget:
        call()


def kernels_compiled() -> int:
    """The number of kernels that this process has compiled, without those from a cache."""
    return int(kernel_cache().statistics.snapshot()["compiled"])


def facts(device: Device = CPU) -> dict[str, int]:
    """Returns the facts of the device that plans may use."""
    if not device.is_host:
        threads = device.facts.units if device.facts.execution == "simd" else 1
        return {"device.stream_bytes": _NEVER, "device.threads": threads}
    return {"device.stream_bytes": runtime().stream_bytes, "device.threads": runtime().threads}


def prepare(
    outputs: Sequence[Node],
    strides: Sequence[Sequence[int]],
    origin: str = "",
    writes: Sequence[tuple[int, Node]] = (),
    fastmath: bool = False,
    device: Device = CPU,
) -> Ready:
    """The bound plan of a graph of len(strides) parameters, for the kernels of `device`.

    `strides[index]` are the strides in elements of the `s` axes of that parameter's layout. `writes`:
    outputs, by position, that go to the memory of a parameter of the same shape and dtype; they are no
    outputs of the plan.
    """
    ready = _prepare(outputs, strides, origin, writes, fastmath, device)
    assert ready is not None
    return ready


def prepare_known(
    outputs: Sequence[Node], strides: Sequence[Sequence[int]], writes: Sequence[tuple[int, Node]] = ()
) -> Ready | None:
    """`prepare` for the processor; None where there is no plan yet and one would have to be made."""
    return _prepare(outputs, strides, "", writes, False, CPU, make=False)


def _machine(device: Device) -> Machine:
    """Returns the machine of plans: that of the host, unless another was set."""
    return host_machine() if device.is_host and device.machine is PROCESSOR else device.machine


def _prepare(
    outputs: Sequence[Node],
    strides: Sequence[Sequence[int]],
    origin: str,
    writes: Sequence[tuple[int, Node]],
    fastmath: bool,
    device: Device,
    make: bool = True,
) -> Ready | None:
    roots = (*outputs, *(parameter for _, parameter in writes))
    structure = find_structure(roots)
    sizes = (*structure.sizes, *(stride for index in structure.parameters for stride in strides[index]))
    inputs = len(strides)
    positions = tuple(position for position, _ in writes)
    machine = _machine(device)
    level = settings().optimization_level
    family = _family((structure.key, inputs, positions, fastmath, machine, device.is_host, level))
    compiled = 0
    template = family.template(sizes)
    if template is None:
        request = _Request(roots, sizes, structure, inputs, positions, machine, device.is_host)
        # Verification needs the passes to run, and external schedule rules are part of no stored plan's key.
        passing = VERIFY or machine.rules or not device.is_host
        key = None if passing else plan_key(structure.key, inputs, positions, fastmath)
        template = None if key is None else _stored_template(request, key, fastmath)
        if template is not None:
            family.templates.insert(0, template)
        elif not make:
            return None
        else:
            template, compiled = on_own_thread(lambda: _made_template(family, request, key, origin, fastmath))
            kernel_cache().warn_once()
    binding = template.binding(sizes, device)
    if not device.is_host:
        device.check_size(binding.largest_bytes, "a result")
    return Ready(template, binding, structure.scalars, sizes, device, roots, compiled)


def _family(key: Hashable) -> Family:
    # Without a lock: a signal handler that interrupts its holder would deadlock.
    family = _families.get(key)
    if family is None:
        family = _families.setdefault(key, Family())
    with suppress(KeyError):  # another thread had room to make
        _families.move_to_end(key)
        if len(_families) > STRUCTURES_KEPT:
            _families.popitem(last=False)
    return family


def _made_template(
    family: Family, request: _Request, key: bytes | None, origin: str, fastmath: bool
) -> tuple[Template, int]:
    """Returns the plan, and the number of kernels compiled for it: 0 where another thread made it
    meanwhile."""
    with family.lock:
        template = family.template(request.sizes)
        if template is not None:
            return template, 0
        made, compiled = _lowered_template(request, key, origin, fastmath)
        family.templates.insert(0, made)
        return made, compiled


class _Request(metaclass=record):
    """A request to lower. The last len(positions) roots are the parameters to which the outputs at those
    positions are written."""

    roots: tuple[Node, ...]
    sizes: tuple[int, ...]
    structure: Structure
    """The structure, whose sizes come first."""
    inputs: int
    positions: tuple[int, ...]
    machine: Machine
    is_native: bool
    """Whether native code runs the plan, rather than a driver, which compiles its kernels itself."""

    def lower(self) -> tuple[LoweredProgram, Guards]:
        # A process that finds its plans on disk needs neither.
        from ..codegen.lower.program import lower_program
        from ..ir.passes import run_passes  # 37 ms, where a plan has to be made
        from ..ir.passes.element_loops import sink_complex_loops
        from ..ir.passes.split_complex import split_complex

        guards: dict[Expr, bool] = {}

        def decide(condition: Expr) -> bool:
            holds = guards.get(condition)
            if holds is None:
                holds = guards[condition] = bool(evaluate_expr(condition, self.sizes))
            return holds

        _structure, symbolic = symbolize(self.roots, self.structure)
        given = dict(enumerate_scalars(symbolic))  # imaginary parts among them that nothing needs
        symbolic = split_complex(Graph(), sink_complex_loops(symbolic))
        if VERIFY is not None:
            VERIFY(symbolic, "split_complex")
        outputs = symbolic[: len(self.roots) - len(self.positions)]
        writes = dict(zip(self.positions, symbolic[len(outputs) :], strict=True))
        final = run_passes(outputs, decide, VERIFY, self.machine.limits)
        scalars = [given[index] for index in range(len(given))]
        count = len(self.structure.sizes)
        lowered = lower_program(
            final, count, self.inputs, scalars, decide, _layouts_of(symbolic), writes, self.machine
        )
        return lowered, tuple(guards.items())


def _stored_template(request: _Request, key: bytes, fastmath: bool) -> Template | None:
    """Returns the plan from the disk, if its kernels are there too."""
    for stored_plan in stored_plans(key):
        if _fits(stored_plan.guards, request.sizes):
            addresses = stored_plan.addresses()
            if addresses is not None:
                plan = PlanTemplate(stored_plan.plan)
                return Template(plan, stored_plan.guards, addresses, fastmath, stored_plan.faults, request)
    return None


def _lowered_template(
    request: _Request, key: bytes | None, origin: str, fastmath: bool
) -> tuple[Template, int]:
    """Lowers the plan; returns it with the number of kernels compiled for it."""
    if not request.is_native:
        lowered, guards = request.lower()
        return Template(PlanTemplate(lowered.plan), guards, [], fastmath, lowered.faults, lowered), 0
    expect_misses()
    begin = time.process_time_ns()
    lowered, guards = request.lower()
    planned = time.process_time_ns()
    code, compiled = kernel_codes(lowered.plan.kernels, origin, fastmath)
    took_ns = planned - begin, time.process_time_ns() - planned
    if key is not None:
        names = [kernel.name for kernel in lowered.plan.kernels]
        kernels = tuple([(name, key_digest) for name, (_, key_digest) in zip(names, code, strict=True)])
        stored = StoredPlan(replace(lowered.plan, kernels=()), guards, kernels, lowered.faults)
        keep = keep_plan_at_exit if compiled else keep_plan
        keep(key, stored)
    addresses = [address for address, _ in code]
    plan = PlanTemplate(lowered.plan)
    template = Template(plan, guards, addresses, fastmath, lowered.faults, lowered, took_ns=took_ns)
    return template, compiled


def _layouts_of(outputs: Sequence[Node]) -> dict[int, str]:
    """The layout of every parameter, by index: passes may leave some unused."""
    return {
        node.attribute("index"): node.attribute("layout")
        for node in topological(outputs)
        if node.op.source == "array"
    }


def enumerate_scalars(outputs: Sequence[Node]) -> Iterator[tuple[int, DType]]:
    """Returns index and dtype of every run-time scalar, in regions too."""
    return _scalars(topological(outputs))


def _scalars(nodes: Sequence[Node]) -> Iterator[tuple[int, DType]]:
    for node in nodes:
        if node.op.source == "scalar":
            yield node.attribute("index"), node.dtype
        elif node.op.family == "control":
            for region in node.attributes:
                if isinstance(region, Region):
                    yield from enumerate_scalars(region.results)


def with_scalars(bound: Plan, values: dict[int, int], names: dict[int, int]) -> Plan:
    """The plan with some scalars fixed: `values` gives bits, `names` the new index of those left open."""

    def fixed(each: Any) -> Any:
        if not isinstance(each, ScalarRef):
            return each
        return values[each.index] if each.index in values else ScalarRef(names[each.index])

    def step(each: Step) -> Step:
        if isinstance(each, Launch):
            return replace(each, scalars=tuple(map(fixed, each.scalars)))
        changed: dict[str, Any] = {
            name: tuple(map(step, region)) for name, region in zip(REGIONS[type(each)], regions(each))
        }
        if isinstance(each, Loop):
            changed |= {"lower": fixed(each.lower), "upper": fixed(each.upper)}
        return replace(each, **changed) if changed else each

    left = {new: bound.scalars[old] for old, new in names.items()}
    scalars = tuple([left[new] for new in sorted(left)])
    return replace(bound, steps=tuple(map(step, bound.steps)), scalars=scalars)


def run(ready: Ready, addresses: Sequence[int], scalar_bits: Sequence[int]) -> list[Buffer]:
    """Runs over the parameters' addresses and the bits of the graph's scalars; returns the outputs' buffers.

    Raises OutOfBounds, which `error_of` converts.
    """
    native, binding = runtime(), ready.binding
    scalars = [scalar_bits[index] for index in ready.scalars]
    if profiler_hook.active is not None:
        template = ready.template
        plan = replace(binding.plan, kernels=template.lowered.plan.kernels)  # one from the disk has none
        return profiler_hook.active.on_processor(
            plan, template.addresses, addresses, _input_bytes(ready), scalars
        )
    if binding.program is None:
        binding.program = native.encode(binding.plan, ready.template.addresses)
    return native.run(binding.program, addresses, scalars, binding.plan.cost_ns > GIL_RELEASE_NS)


def _input_bytes(ready: Ready) -> list[int]:
    """Returns the bytes of each input that the kernels may access."""
    return [buffer.nbytes for buffer in ready.bound.buffers[: ready.bound.inputs]]


def run_on(
    device: Device,
    ready: Ready,
    inputs: Sequence[DeviceArray],
    scalar_bits: Sequence[int],
    line: Lines | None = None,
) -> list[Block]:
    """Runs on a device other than the host, asynchronously; returns the outputs' memory. Faults are raised by
    a later synchronization."""
    scalars = [scalar_bits[index] for index in ready.scalars]
    return device.run(ready.bound, inputs, scalars, lambda fault: error_of(ready, fault, line))


def compute(
    graph: Graph, outputs: Sequence[Node], arrays: Sequence[numpy.ndarray], line: Lines | None = None
) -> list[numpy.ndarray]:
    """Returns the outputs' values as new ndarrays; `arrays`: the graph's parameters by index."""
    strides = [run_time_strides(array, node_layout) for array, node_layout in _layouts(outputs, arrays)]
    ready = prepare(outputs, strides)
    bits = _scalar_bits(graph, outputs)
    try:
        buffers = run(ready, [array.ctypes.data for array in arrays], bits)
    except OutOfBounds as fault:
        raise error_of(ready, fault, line) from None
    return [
        buffer.into_ndarray(node.dtype.numpy_name, tuple(map(int, node.shape)))
        for buffer, node in zip(buffers, outputs, strict=True)
    ]


def _layouts(outputs: Sequence[Node], arrays: Sequence[numpy.ndarray]) -> list[tuple[numpy.ndarray, str]]:
    """Each array with the layout letters that the graph's parameter has; unused ones with none."""
    letters = [""] * len(arrays)
    for node in topological(outputs):
        if node.op.source == "array":
            letters[node.attribute("index")] = node.attribute("layout")
    return list(zip(arrays, letters, strict=True))


def _scalar_bits(graph: Graph, outputs: Sequence[Node]) -> list[int]:
    """The bits of the graph's scalars by index; 0 for those that the outputs do not use."""
    bits = [0] * len(graph.scalar_values)
    for index, dtype in enumerate_scalars(outputs):
        bits[index] = scalar_bits(graph.scalar_values[index], dtype)
    return bits
