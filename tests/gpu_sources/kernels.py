"""What GPU compilers are shown: graphs as a GPU runs them, each operation on each dtype, lanes together.

Built when first asked for; nothing runs here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from jitframe.codegen.c_family import CUDA, Dialect, Source, generate
from jitframe.codegen.c_family.threads import choose_threads
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.ops import ARITHMETIC, COMPARISONS, MATH
from jitframe.codegen.plan.nodes import Launch
from jitframe.compilation.evaluate import prepare
from jitframe.functions import division, elementwise, products, reductions
from jitframe.functions.linear_algebra import library_call
from jitframe.functions.operands import cast
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.ops import fourier
from jitframe.ir.types import BOOL, BY_NUMPY_NAME, DTYPES, F16, F32, F64, I32, I64, U8, U32, U64, DType
from jitframe.runtime.device import Device
from jitframe.runtime.drivers.streams import gpu_facts
from tests.backends.written import halves
from tests.c_family import test_operations as operations
from tests.c_family import test_workgroups as workgroups
from tests.c_family.kernels import KERNELS
from tests.kernel import calling, leaving

LANES = 256
_FACTS = gpu_facts(CUDA, 1, 0, title="a GPU", api="", version="", most_threads=1024, shared_bytes=48 << 10)
_GPU = Device("gpu", _FACTS, lambda: None)  # type: ignore[arg-type, return-value]
Build = Callable[..., Sequence[Node]]


def graph_kernels(build: Build, *arguments: tuple[str, tuple[int, ...]]) -> list[Kernel]:
    """The kernels of a graph of parameters, given as dtypes and shapes, in the order of their launches."""
    graph = Graph()
    given = [
        graph.parameter(number, shape, BY_NUMPY_NAME[dtype])
        for number, (dtype, shape) in enumerate(arguments)
    ]
    bound = prepare(build(graph, *given), [()] * len(given), device=_GPU).bound
    assert any(isinstance(step, Launch) for step in bound.steps) or bound.kernels
    return list(bound.kernels)


# Graphs ----------------------------------------------------------------------------------------------
def _chain(graph: Graph, x: Node, y: Node) -> list[Node]:
    hot = elementwise.exp(graph, elementwise.negative(graph, elementwise.square(graph, x)))
    bent = elementwise.tanh(
        graph, elementwise.add(graph, hot, elementwise.log(graph, elementwise.absolute(graph, y)))
    )
    return [elementwise.divide(graph, bent, elementwise.sqrt(graph, elementwise.add(graph, y, 2.0)))]


def _short(graph: Graph, x: Node, y: Node) -> list[Node]:
    return [elementwise.add(graph, elementwise.multiply(graph, x, 2.0), y)]


def _waves(graph: Graph, x: Node) -> list[Node]:
    return [elementwise.multiply(graph, elementwise.sin(graph, x), elementwise.cos(graph, x))]


def _powers(graph: Graph, x: Node, y: Node) -> list[Node]:
    return [division.power(graph, x, y)]


def _softmax(graph: Graph, x: Node) -> list[Node]:
    shifted = elementwise.subtract(graph, x, reductions.max_(graph, x, axis=-1, keepdims=True))
    powers = elementwise.exp(graph, shifted)
    return [elementwise.divide(graph, powers, reductions.sum(graph, powers, axis=-1, keepdims=True))]


def _layer_norm(graph: Graph, x: Node, scale: Node) -> list[Node]:
    centred = elementwise.subtract(graph, x, reductions.mean(graph, x, axis=-1, keepdims=True))
    spread = reductions.mean(graph, elementwise.square(graph, centred), axis=-1, keepdims=True)
    root = elementwise.sqrt(graph, elementwise.add(graph, spread, 1e-5))
    return [elementwise.multiply(graph, elementwise.divide(graph, centred, root), scale)]


def _total(graph: Graph, x: Node) -> list[Node]:
    return [reductions.sum(graph, x)]


def _columns(graph: Graph, x: Node) -> list[Node]:
    return [reductions.mean(graph, x, axis=0)]


def _largest(graph: Graph, x: Node) -> list[Node]:
    return [reductions.max_(graph, x, axis=-1)]


def _transposed(graph: Graph, x: Node) -> list[Node]:
    return [elementwise.add(graph, graph.make(ops.permute, x, attributes=((1, 0),)), 1.0)]


def _part(graph: Graph, x: Node, row: Node) -> list[Node]:
    return [elementwise.multiply(graph, x, row)]


def _mixture(
    graph: Graph, whole: Node, wide: Node, double: Node, flag: Node, byte: Node, half: Node
) -> list[Node]:
    chosen = elementwise.where(graph, flag, cast(graph, whole, F64), double)
    return [
        elementwise.add(graph, chosen, cast(graph, wide, F64)),
        elementwise.logical_and(graph, flag, elementwise.greater(graph, wide, cast(graph, byte, I64))),
        elementwise.bitwise_xor(graph, byte, cast(graph, whole, U8)),
        elementwise.multiply(graph, half, cast(graph, byte, F16)),
    ]


def _transform(kind: str, n: int) -> Build:
    """Of pairs of floats, or of floats, along the last axis."""
    kinds = {"fft": fourier.fft, "rfft": fourier.rfft, "irfft": fourier.irfft_even}[kind]
    op = kinds["backward", False].op
    fresh = {"fft": (), "rfft": (n // 2 + 1, 2), "irfft": (n,)}[kind]

    def build(graph: Graph, x: Node) -> list[Node]:
        return list(library_call(graph, op, (x,), fresh))

    return build


def _product(graph: Graph, x: Node, y: Node) -> list[Node]:
    return [elementwise.exp(graph, products.matmul(graph, x, y))]


def _scattered(kind: str) -> Build:
    def build(graph: Graph, base: Node, value: Node, index: Node) -> list[Node]:
        attributes = ((0,), 0, kind, (False,), (0,), False, 0)
        return [graph.make(ops.scatter, base, value, index, attributes=attributes)]

    return build


GRAPHS: dict[str, tuple[Build, tuple[tuple[str, tuple[int, ...]], ...]]] = {
    "chain": (_chain, (("float32", (1000,)), ("float32", (1000,)))),
    "chain_f64": (_chain, (("float64", (1000,)), ("float64", (1000,)))),
    "chain_f16": (_chain, (("float16", (1000,)), ("float16", (1000,)))),
    "short": (_short, (("float32", (1000,)), ("float32", (1000,)))),
    "short_f64": (_short, (("float64", (1000,)), ("float64", (1000,)))),
    "short_f16": (_short, (("float16", (1000,)), ("float16", (1000,)))),
    "waves": (_waves, (("float32", (1000,)),)),
    "waves_f64": (_waves, (("float64", (1000,)),)),
    "powers": (_powers, (("float32", (1000,)), ("float32", (1000,)))),
    "softmax": (_softmax, (("float32", (64, 300)),)),
    "softmax_f64": (_softmax, (("float64", (64, 300)),)),
    "layer_norm": (_layer_norm, (("float32", (64, 300)), ("float32", (300,)))),
    "total": (_total, (("float32", (3_000_000,)),)),
    "total_i64": (_total, (("int64", (3_000_000,)),)),
    "columns": (_columns, (("float32", (400, 300)),)),
    "largest": (_largest, (("int32", (64, 300)),)),
    "transposed": (_transposed, (("float32", (300, 400)),)),
    "row": (_part, (("float32", (300, 400)), ("float32", (400,)))),
    "mixture": (
        _mixture,
        tuple((dtype, (1000,)) for dtype in ("int32", "int64", "float64", "bool", "uint8", "float16")),
    ),
    "added": (_scattered("add"), (("float32", (50, 3)), ("float32", (3000, 3)), ("int32", (3000,)))),
    "counted": (_scattered("add"), (("int64", (50,)), ("int64", (3000,)), ("int32", (3000,)))),
    "assigned": (_scattered("set"), (("float16", (50, 3)), ("float16", (3000, 3)), ("int32", (3000,)))),
    "sorted": (_scattered("add"), (("float32", (9000,)), ("float32", (90000,)), ("int64", (90000,)))),
    "sorted_rows": (_scattered("mul"), (("float64", (50, 3)), ("float64", (9000, 3)), ("int32", (9000,)))),
    "transform": (_transform("fft", 1000), (("float32", (40, 1000, 2)),)),
    "transform_f64": (_transform("fft", 360), (("float64", (40, 360, 2)),)),
    "transform_long": (_transform("fft", 1 << 18), (("float32", (2, 1 << 18, 2)),)),
    "transform_prime": (_transform("fft", 97), (("float32", (40, 97, 2)),)),
    "transform_reals": (_transform("rfft", 4096), (("float64", (40, 4096)),)),
    "transform_to_reals": (_transform("irfft", 30), (("float32", (40, 16, 2)),)),
    "product": (_product, (("float32", (128, 96)), ("float32", (96, 128)))),
    "large_product": (_product, (("float32", (1100, 96)), ("float32", (96, 1100)))),
}


# Kernels ---------------------------------------------------------------------------------------------
def _counted(dtype: DType, scope: str, order: str) -> Kernel:
    """All atomics that a dtype has."""
    build = KernelBuilder(f"count_{dtype.name}_{scope}_{order}")
    total, x = build.buffer(dtype, "inout"), build.buffer(dtype, "in")
    value = build.load(x, build.lane_id())
    kinds = ["add", "min", "max", "exchange"] + ["and", "or", "xor"] * dtype.is_integer
    for number, kind in enumerate(kinds):
        build.atomic(kind, total, build.constant(number), value, scope, order)
    return build.finish(64)


def _fenced() -> Kernel:
    build = KernelBuilder("fenced")
    x = build.buffer(F32, "inout")
    for scope in ("thread", "workgroup", "device", "system"):
        build.store(x, build.lane_id(), build.constant(1.0, F32))
        build.fence(scope)
    return build.finish(64)


def _shuffled(dtype: DType) -> Kernel:
    build = KernelBuilder(f"shuffled_{dtype.name}")
    x, y = build.buffer(dtype, "in"), build.buffer(dtype, "out")
    lane = build.lane_id()
    moved = build.shuffle_down(build.load(x, lane), build.constant(3))
    for number, kind in enumerate(("add", "min", "max")):
        at = build.add(lane, build.constant(48 * number))
        build.store(y, at, build.subgroup_reduce(kind, moved))
    return build.finish(48)


def _spelled(dtype: DType) -> list[Kernel]:
    """Each operation on a dtype."""
    letter = operations.KIND_LETTER[dtype.kind]
    arithmetic = [op for op in ARITHMETIC.values() if letter in op.kinds]
    found = [
        operations.all_at_once(arithmetic, dtype, dtype),
        operations.all_at_once(list(COMPARISONS.values()), dtype, BOOL),
    ]
    targets = [("cast", target) for target in DTYPES]
    targets += [("bitcast", target) for target in DTYPES if target.bits == dtype.bits]
    found += [
        operations.conversions(dtype, targets[start : start + 7]) for start in range(0, len(targets), 7)
    ]
    return found


def _rounded(dtype: DType) -> Kernel:
    """x * y + x, less x / y, and the root of that; one fused multiply-add."""
    build = KernelBuilder(f"rounded_{dtype.name}")
    source, target = build.buffer(dtype, "in"), build.buffer(dtype, "out")
    lane = build.lane_id()
    x, y = build.load(source, lane), build.load(source, build.add(lane, build.constant(64)))
    total = build.add(build.mul(x, y), x)
    rest = build.sub(total, build.emit("div", (x, y)))
    build.store(target, lane, build.emit("sqrt", (rest,)))
    build.store(target, build.add(lane, build.constant(64)), build.emit("fma", (x, y, rest)))
    return build.finish(64)


@cache
def kernels() -> dict[str, Kernel]:
    found: dict[str, Kernel] = {name: build() for name, build in KERNELS.items()}
    for name, (build, arguments) in GRAPHS.items():
        for number, kernel in enumerate(graph_kernels(build, *arguments)):
            found[f"{name}-{number}"] = kernel
    found["private_array"] = workgroups.private_array()
    found["through_memory"] = workgroups.through_memory()
    found["skipped_loop"] = workgroups.skipped_loop()
    found |= {f"exit_{name}": build() for name, build in leaving.KERNELS.items()}
    found |= {f"calls_{name}": build().kernel for name, build in calling.KERNELS.items()}
    found["calls_formulas"] = calling.formulas().kernel
    found["branches"] = halves().kernel
    for dtype in DTYPES:
        for number, kernel in enumerate(_spelled(dtype)):
            found[f"operations_{dtype.name}-{number}"] = kernel
    for dtype in (F32, F64):
        found[f"rounded_{dtype.name}"] = _rounded(dtype)
    for dtype in (F32, F64, U32, U64):
        for op in MATH.values():
            if operations.KIND_LETTER[dtype.kind] in op.kinds:
                found[f"{op.name}_{dtype.name}"] = operations.all_at_once([op], dtype, dtype)
    for dtype in (I32, U32, F32, I64, U64, F64):
        found[f"atomics_{dtype.name}"] = _counted(dtype, "device", "relaxed")
        found[f"shuffled_{dtype.name}"] = _shuffled(dtype)
    for scope in ("workgroup", "system"):
        found[f"atomics_{scope}"] = _counted(U32, scope, "sequential")
    found["fenced"] = _fenced()
    return found


def source(name: str, dialect: Dialect, index_bits: int) -> Source:
    kernel = kernels()[name]
    return generate(kernel, dialect, threads=choose_threads(kernel, LANES), index_bits=index_bits)
