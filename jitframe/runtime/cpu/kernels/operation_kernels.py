"""Precompiled kernels of single operations on contiguous arrays: they run a graph op by op while its own
kernels are compiled.

They are one image in the kernel cache's folder, for the processor and the version of the code generator.
"""

from __future__ import annotations

import time
from functools import cache

from ....cache.entry import new_entry
from ....cache.generator import generator_version, sources_stamp
from ....cache.key import CacheKey, make_key
from ....cache.service import kernel_cache
from ....codegen.plan.nodes import Launch, LoopIndex
from ....errors import BackendError
from ....ir import ops
from ....ir.expr import Expr, evaluate
from ....ir.node import Graph, Node
from ....ir.record import record
from ....ir.symbolize import symbolize
from ....ir.types import BY_NAME
from ..machine_code.compile import compile_text
from ..machine_code.image import FLAT, Image, ImageError, load, package
from ..machine_code.parallel_map import parallel_map
from ..native_library.tables import thread_count
from .compiled_kernels import MOST_COMPILING, llvm_text, target_text
from .target import host_target

NAME = "single_operations"
FILL = "fill"
"""The operation that repeats a scalar."""
SPREAD = "spread"
"""The operation that repeats the one element of an array."""

_FLOATS, _INTEGERS = ("f32", "f64"), ("i32", "i64")
_DTYPES = ("bool", *_INTEGERS, *_FLOATS)
_UNARY = (
    "abs acos asin atan ceil cos erf exp expm1 floor log log10 log1p log2 neg rint sin sqrt tan tanh trunc"
)
_BINARY = "add atan2 div hypot maximum minimum mul pow sub"
_COMPARISONS = "eq ge gt le lt ne"
_ALIGNMENT = 64
Operation = tuple[str, tuple[str, ...], str]
"""Name of the op, dtypes of its inputs, dtype of its output."""


def operation_name(op: str, inputs: tuple[str, ...], output: str) -> str:
    """Returns the name of an operation, given dtypes' names in and out."""
    return f"{op} {' '.join(inputs)} > {output}"


def _names() -> list[Operation]:
    found: list[Operation] = []
    for dtype in _FLOATS:
        found += [(op, (dtype,), dtype) for op in _UNARY.split()]
        found += [(op, (dtype, dtype), dtype) for op in _BINARY.split()]
    for dtype in _INTEGERS:
        found += [(op, (dtype,), dtype) for op in ("abs", "neg")]
        found += [(op, (dtype, dtype), dtype) for op in ("add", "maximum", "minimum", "mul", "sub")]
    found += [(op, ("bool", "bool"), "bool") for op in ("and", "or", "xor")] + [("not", ("bool",), "bool")]
    for dtype in (*_INTEGERS, *_FLOATS):
        found += [(op, (dtype, dtype), "bool") for op in _COMPARISONS.split()]
        found.append(("select", ("bool", dtype, dtype), dtype))
        found += [("cast", (source,), dtype) for source in _DTYPES if source != dtype]
    for dtype in _DTYPES:
        found += [(FILL, (), dtype), (SPREAD, (dtype,), dtype)]
    return found


class OperationKernel(metaclass=record):
    """The code of one operation on `n` elements."""

    address: int
    slots: str
    """Its launch arguments, a letter each: the number of an input, `o`utput, `n`, a `s`calar's bits,
    `z`ero."""
    group: int
    """Elements of a workgroup."""


@cache
def operation_kernels() -> dict[str, OperationKernel] | None:
    """Returns the kernels by `operation_name`; None where no process has stored them yet."""
    disk = kernel_cache().disk
    key = _key()
    found = disk.get(key.digest()) if disk is not None and key is not None else None
    if found is None:
        return None
    try:
        loaded = load(Image.from_bytes(found[0]))
    except (ImageError, BackendError):  # what needs memory for code says so
        return None
    kernels = {}
    for symbol, address in loaded.symbols.items():
        name, slots, group = symbol.split("|")
        kernels[name] = OperationKernel(address, slots, int(group))
    return kernels


def _key() -> CacheKey | None:
    """None where files cannot identify the versions of the kernels' sources."""
    if not sources_stamp():
        return None
    names = ", ".join([operation_name(*each) for each in _names()])
    return make_key(f"{sources_stamp()} {names}", generator_version(), target_text(host_target()), None)


def make_operation_kernels() -> None:
    """Compiles all of them and stores them for later processes, unless another process has."""
    disk, key = kernel_cache().disk, _key()
    if disk is None or key is None or disk.has(key.digest()):
        return

    began_ns, start_ns = time.time_ns(), time.perf_counter_ns()
    code = bytearray()
    symbols: dict[str, int] = {}
    for image in parallel_map(_compiled, _names(), min(thread_count(), MOST_COMPILING)):
        if image.kind != FLAT:  # each would be loaded by LLVM
            return
        code += bytes(-len(code) % _ALIGNMENT)
        symbols |= {name: len(code) + position for name, position in image.symbols.items()}
        code += image.code
    made = Image(FLAT, bytes(code), symbols).to_bytes()
    spent_ns = time.perf_counter_ns() - start_ns
    disk.put(new_entry(key, NAME, "", spent_ns, made, {"kernel": key.kernel}, began_ns))


def _compiled(operation: Operation) -> Image:
    """The kernel of one operation; its symbol is name, slots and elements of a workgroup."""
    from ....codegen.lower.program import (
        lower_program,  # 15 ms, which a first call that runs op by op has not
    )

    op, inputs, output = operation
    _, outputs = symbolize((_graph(operation),))
    scalars = [BY_NAME[output]] if op == FILL else []
    plan = lower_program(
        outputs, 1, len(inputs), scalars, lambda condition: bool(evaluate(condition, [2]))
    ).plan
    (kernel,) = plan.kernels
    (launch,) = [step for step in plan.steps if isinstance(step, Launch)]

    def value(expr: Expr | LoopIndex, size: int) -> int:
        assert isinstance(expr, Expr)
        return evaluate(expr, [size], {"device.stream_bytes": 1 << 62, "device.threads": 1})

    slots = "".join(["o" if ref.buffer == len(inputs) else str(ref.buffer) for ref in launch.buffers])
    slots += "".join([_INDICES[value(index, 1), value(index, 7)] for index in launch.indices])
    slots += "s" * len(launch.scalars)
    group = (1 << 30) // value(launch.groups, 1 << 30)
    assert (value(launch.groups, group), value(launch.groups, group + 1)) == (1, 2), operation
    image = package(compile_text(llvm_text(kernel, host_target()), host_target()))
    symbol = f"{operation_name(*operation)}|{slots}|{group}"
    return Image(image.kind, image.code, {symbol: image.symbols[kernel.name]} if image.kind == FLAT else {})


_INDICES = {(0, 0): "z", (1, 7): "n"}
"""The meaning of an index, by its values for one and seven elements."""


def _graph(operation: Operation) -> Node:
    op, inputs, output = operation
    graph, shape = Graph(), (2,)
    if op == FILL:
        return graph.make(ops.broadcast, graph.scalar(0, BY_NAME[output]), attributes=(shape, ()))
    if op == SPREAD:
        return graph.make(ops.broadcast, graph.parameter(0, (), BY_NAME[output]), attributes=(shape, ()))
    nodes = [graph.parameter(number, shape, BY_NAME[dtype]) for number, dtype in enumerate(inputs)]
    return graph.make(ops.OPS[op], *nodes, attributes=(BY_NAME[output],) if op == "cast" else ())
