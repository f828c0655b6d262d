"""AArch64 objects call nothing, refer to themselves only by distances, and work in NEON vectors.

LLVM's AArch64 backend emits them on whatever machine this is; they are read here, and run nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.lower.machine import PROCESSOR
from jitframe.codegen.math.expand import ARITY
from jitframe.codegen.native.module import NativeSource, translate
from jitframe.ir.types import BF16, BOOL, DTYPES, F16, F32, F64, I32, I64, INDEX, U8, DType
from jitframe.runtime.cpu.kernels.compiled_kernels import llvm_text
from jitframe.runtime.cpu.machine_code.compile import assembly, compile_text
from jitframe.runtime.cpu.machine_code.image import OBJECT, ImageError, flatten, package
from jitframe.runtime.cpu.machine_code.levels import Target
from jitframe.runtime.cpu.native_library import native_sources
from tests.lower.machines import lower
from tests.lower.programs import lanes_loops, plan_of
from tests.lower.random_graphs import INTEGERS, NARROW, Maker
from tests.lower.test_no_size import PROGRAMS

from . import test_lanes, test_reductions, test_scans, test_windows, test_workgroups
from .aarch64 import (
    GENERIC,
    MULTIPLY_ADD,
    TARGETS,
    assembly_of,
    assert_alone,
    hot_loops,
    needs_backend,
    object_of,
)
from .test_objects import chain, fill, operations, uses_arrays
from .test_operations import COMPARISONS, UNARY, elementwise
from .test_random_kernels import Author
from .test_snapshots import branches, short_floats

pytestmark = needs_backend

OTHERS = [name for name in TARGETS if name != "generic"]
SAMPLED = (BOOL, F16, BF16, F32, F64, I32)
dtypes = pytest.mark.parametrize(
    "dtype",
    [pytest.param(each, marks=[] if each in SAMPLED else pytest.mark.slow) for each in DTYPES],
    ids=str,
)
every_target = pytest.mark.parametrize(
    "cpu", ["generic", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)


def arithmetic(dtype: DType) -> list[tuple[str, Kernel]]:
    """Every arithmetic operation, rounding, shift and comparison of a dtype."""
    found = [(n, elementwise(n, [dtype] * (1 if n in UNARY else 2), dtype)) for n in operations(dtype)]
    found += [(name, elementwise(name, [dtype, dtype], BOOL)) for name in COMPARISONS]
    found.append(("select", elementwise("select", [BOOL, dtype, dtype], dtype)))
    if dtype.is_float:
        found.append(("fma", elementwise("fma", [dtype] * 3, dtype)))
    return found


def casts(source: DType) -> list[tuple[str, Kernel]]:
    return [(f"to {to}", elementwise("cast", [source], to, {"dtype": to})) for to in DTYPES]


@every_target
@dtypes
def test_operations_and_casts_link_nothing(cpu: str, dtype: DType) -> None:
    for name, kernel in (*arithmetic(dtype), *casts(dtype)):
        assert_alone(object_of(kernel, TARGETS[cpu]), f"{name} of {dtype}")


@every_target
@pytest.mark.parametrize("dtype", [F32, F64, I32], ids=str)
def test_maps_are_whole_vectors(cpu: str, dtype: DType) -> None:
    """A loop of vectors that takes no lane apart, and at most one of single elements: the remainder."""
    maps = [(n, k) for n, k in arithmetic(dtype) if n not in COMPARISONS and n not in ("select", "fmod")]
    maps += [(n, k) for n, k in casts(dtype) if n in {f"to {to}" for to in (F32, F64, I32) if to != dtype}]
    for name, kernel in maps:
        loops = hot_loops(assembly_of(kernel, TARGETS[cpu]))
        vectors = [loop for loop in loops if loop.is_vector and not loop.extractions]
        assert len(vectors) >= 1, f"{name} of {dtype} has no loop of vectors"
        assert sum(loop.stores_elements for loop in loops) <= 1, f"{name} of {dtype}"


@every_target
@pytest.mark.parametrize(
    "dtype", [F32, F64, *(pytest.param(d, marks=pytest.mark.slow) for d in (F16, BF16))], ids=str
)
@pytest.mark.parametrize("name", [*ARITY, "fmod"])
def test_math_functions_link_nothing_and_are_vectors(cpu: str, name: str, dtype: DType) -> None:
    kernel = elementwise(name, [dtype] * ARITY.get(name, 2), dtype)
    assert_alone(object_of(kernel, TARGETS[cpu]), f"{name} of {dtype}")
    if dtype in (F32, F64):
        # The way of hard arguments, lane by lane, and the remainder are loops of their own.
        assert any(
            loop.is_vector and loop.vectors >= 8 for loop in hot_loops(assembly_of(kernel, TARGETS[cpu]))
        )


@every_target
@pytest.mark.parametrize("name", list(PROGRAMS))
def test_programs_link_nothing_and_have_a_vector_loop_for_each_loop_of_lanes(cpu: str, name: str) -> None:
    function, arguments = PROGRAMS[name]
    for kernel in plan_of(function, *arguments(79, 83)).kernels:
        assert_alone(object_of(kernel, TARGETS[cpu]), name)
        busy = [loop for loop in lanes_loops(kernel) if loop.operations]
        vectors = [loop for loop in hot_loops(assembly_of(kernel, TARGETS[cpu])) if loop.is_vector]
        assert len(vectors) >= len(busy) > 0, name


def check_random_graphs(seeds: range, target: Target) -> None:
    """Among their kernels: maps, rows, columns, scans, gathers, scatters, windows, and updates in place."""
    for seed in seeds:
        options = ({}, {"dtypes": INTEGERS}, {"dtypes": NARROW}, {"exact": False})[seed % 4]
        made = Maker(seed, **options).make()  # type: ignore[arg-type]
        for kernel in lower(made.outputs, made.strides, PROCESSOR)[0].kernels:
            assert_alone(object_of(kernel, target), f"seed {seed}: {kernel.name}")


def test_random_graphs_link_nothing() -> None:
    check_random_graphs(range(16), GENERIC)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", list(TARGETS))
def test_many_random_graphs_link_nothing(cpu: str) -> None:
    check_random_graphs(range(16, 216), TARGETS[cpu])


@pytest.mark.slow
@pytest.mark.parametrize("cpu", list(TARGETS))
def test_random_kernels_link_nothing(cpu: str) -> None:
    for seed in range(60):
        assert_alone(object_of(Author(seed).kernel(), TARGETS[cpu]), f"seed {seed}")


def histogram(kind: str, dtype: DType) -> Kernel:
    """bins[i % 7] op= x[i] for the lanes whose flag is set."""
    build = KernelBuilder("histogram")
    x, flags = build.buffer(dtype, "in"), build.buffer(BOOL, "in")
    bins, extent = build.buffer(dtype, "inout"), build.index()
    with (
        build.loop(build.constant(0), extent, kind="lanes") as (i,),
        build.when(build.load(flags, i)),
    ):
        place = build.emit("floormod", (build.cast(i, I64), build.constant(7, I64)))
        build.atomic(kind, bins, build.cast(place, INDEX), build.load(x, i))
    return build.finish()


KERNELS: dict[str, Callable[[], Kernel]] = {
    **{
        f"reduce {n} {d}": partial(test_reductions.reduction, d, n, v) for n, d, v, _ in test_reductions.CASES
    },
    **{f"scan {n} {d}": partial(test_scans.scan, d, n, v) for n, d, v, _ in test_scans.CASES},
    **{f"atomic {n} {d}": partial(histogram, n, d) for n, d, _ in test_lanes.ATOMICS},
    **{f"strided {steps}": partial(test_lanes.strided, F32, steps) for steps in ("2", "-1", "parameter")},
    **{f"window {d}": partial(test_windows.components, d, 3, (0, 1, 2)) for d in (F32, F64, U8)},
    **{f"fill {d}": partial(fill, d) for d in (F32, F64)},
    "tree sum": partial(test_workgroups.tree_sum, 64),
    "grow": partial(test_workgroups.grow_until, 64),
    "arrays": uses_arrays,
    "branches": branches,
    "short floats": short_floats,
}


@every_target
def test_loops_of_every_form_link_nothing(cpu: str) -> None:
    for name, make in KERNELS.items():
        assert_alone(object_of(make(), TARGETS[cpu]), name)


@every_target
@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_products_and_sums_round_each_for_itself(cpu: str, dtype: DType) -> None:
    """LLVM may only fuse what asks for it."""
    plain = chain(dtype, stream=False)
    assert "llvm.fma." not in llvm_text(plain, GENERIC)
    assert not MULTIPLY_ADD.search(assembly_of(plain, TARGETS[cpu]))
    assert MULTIPLY_ADD.search(assembly_of(elementwise("fma", [dtype] * 3, dtype), TARGETS[cpu]))
    fast = llvm_text(plain, GENERIC, fastmath=True)
    assert MULTIPLY_ADD.search(assembly(fast, TARGETS[cpu]))


def test_streaming_stores_are_non_temporal_and_fenced() -> None:
    text = assembly_of(chain(F32, stream=True))
    assert "\tstnp\t" in text and "\tdmb\tish" in text
    assert "\tstnp\t" not in assembly_of(chain(F32, stream=False))


def test_objects_go_to_the_loader_of_llvm() -> None:
    """Flat images are of x86-64: other objects are kept whole."""
    data = object_of(chain(F64, stream=False))
    with pytest.raises(ImageError, match="not a relocatable x86-64 object"):
        flatten(data)
    image = package(data)
    assert (image.kind, image.code) == (OBJECT, data)


def test_a_call_of_a_library_is_seen() -> None:
    """The reader of objects finds what the tests above say is not there."""
    text = "define double @f(double %x) {\n  %y = call double @llvm.exp.f64(double %x)\n  ret double %y\n}\n"
    text += "declare double @llvm.exp.f64(double)\n"
    with pytest.raises(AssertionError, match="calls .*exp"):
        assert_alone(compile_text(text, GENERIC), "f")
    address = "@g = global ptr @h\n@h = global i8 0\ndefine ptr @f() {\n  ret ptr @h\n}\n"
    with pytest.raises(AssertionError, match="relocations of types"):
        assert_alone(compile_text(address, GENERIC), "f")


def test_a_loop_of_scalars_is_seen() -> None:
    """A loop that is no loop of lanes has no vectors, and the counts above would say so."""
    build = KernelBuilder("serial")
    x, out, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    with build.loop(build.constant(0), extent) as (i,):
        build.store(out, i, build.mul(build.load(x, i), build.load(x, i)))
    loops = hot_loops(assembly_of(build.finish()))
    assert not any(loop.is_vector for loop in loops) and any(loop.stores_elements for loop in loops)


@every_target
def test_the_native_runtime_links_nothing(cpu: str) -> None:
    sources = [
        NativeSource(module.__name__, native_sources.source_text(module), vars(module))
        for module in native_sources.SOURCES
    ]
    text = translate(sources, GENERIC.triple)
    assert "llvm.x86" not in text and " asm " not in text
    target = TARGETS[cpu]
    found = assert_alone(compile_text(text, target, optimize=True), "the runtime")
    assert found.relocations
    if cpu == "generic":  # what `baseline_target` asks for
        code = assembly(text, target, optimize=True)
        # There are no such registers to read: zeros.
        for symbol, body in (("read_cpuid", "stp\txzr, xzr"), ("read_xcr0", "mov\tx0, xzr")):
            assert re.search(rf"^{symbol}:[^.]*?\t{re.escape(body)}", code, re.MULTILINE)
        # Waking relies on it: an acquiring load stays behind an earlier releasing store. ldapr would not.
        assert "\tldar\t" in code and "\tldapr\t" not in code
        assert re.search(r"^\tisb$", code, re.MULTILINE)  # waiting spins
