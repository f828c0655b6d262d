"""One vector math function as a compiled kernel, at a level of vector instructions, called on arrays."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Literal

import llvmlite.binding as llvm
import numpy as np

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.llvm import generate, vector_target
from jitframe.codegen.math import ARITY, MathFeatures, expand_math
from jitframe.ir.types import BY_NAME

UNARY = tuple(name for name, arity in ARITY.items() if arity == 1)
BINARY = tuple(name for name, arity in ARITY.items() if arity == 2)
FORMS = (
    *((name, dtype, True) for name in ARITY for dtype in ("f32", "f64")),
    ("pow", "f32", False),
)
"""Function, dtype and the feature `wide`: each as it is where f64 is native, and where it differs without."""

_LEVELS = {
    "sse2": ("x86-64", ("sse2",)),
    "avx2": ("x86-64-v3", ("avx2", "fma", "f16c")),
    "avx512": ("x86-64-v4", ("avx512f", "avx512bw", "avx512vl", "avx512dq")),
}


@cache
def levels() -> tuple[str, ...]:
    """The levels this machine runs, narrowest first; empty where it is no x86-64."""
    if not llvm.get_process_triple().startswith("x86_64"):
        return ()
    features = llvm.get_host_cpu_features()
    return tuple(name for name, (_, needs) in _LEVELS.items() if all(features.get(n) for n in needs))


Variant = Literal["tables", "fma", "split"]
"""Forms of a function: by tables (AVX-512), with fma, without."""


def features_of(variant: Variant, wide: bool = True) -> MathFeatures:
    return MathFeatures(fma=variant != "split", wide=wide, tables=variant == "tables")


@cache
def variants() -> tuple[Variant, ...]:
    """The variants this machine runs."""
    needs: dict[Variant, str] = {"tables": "avx512", "fma": "avx2", "split": "sse2"}
    return tuple(variant for variant, level in needs.items() if level in levels())


@cache
def has_tables(name: str, dtype: str) -> bool:
    """Whether a function has a form of its own for targets with tables."""
    own, other = (
        kernel_text(expand_math(function_kernel(name, dtype), features_of(v))) for v in ("tables", "fma")
    )
    return own != other


def level_for(variant: Variant) -> str:
    """The widest level for a variant."""
    return "sse2" if variant == "split" else levels()[-1]


def function_kernel(name: str, dtype: str) -> Kernel:
    """out[i] = name(x[i], ...)."""
    build = KernelBuilder(f"math_{name}")
    sources = [build.buffer(BY_NAME[dtype], "in") for _ in range(ARITY[name])]
    target = build.buffer(BY_NAME[dtype], "out")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(target, i, build.emit(name, [build.load(source, i) for source in sources]))
    return build.finish()


class CompiledFunction:
    """`name` of a dtype: call it with as many arrays as it has arguments."""

    def __init__(self, name: str, dtype: str, features: MathFeatures, level: str) -> None:
        kernel = expand_math(function_kernel(name, dtype), features)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
            cpu=_LEVELS[level][0], opt=2, reloc="pic", codemodel="small"
        )
        module = llvm.parse_assembly(generate(kernel, vector_target(level, llvm.get_process_triple())))
        module.verify()
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
        self._call = prototype(self._engine.get_function_address(kernel.name))

    def __call__(self, *arguments: np.ndarray) -> np.ndarray:
        out = np.empty_like(arguments[0])
        self.fill(out, *arguments)
        return out

    def fill(self, out: np.ndarray, *arguments: np.ndarray) -> None:
        slots = np.array([*(x.ctypes.data for x in arguments), out.ctypes.data, out.size], np.int64)
        self._call(slots.ctypes.data, 0, 1)


@cache
def compiled(
    name: str, dtype: str, variant: Variant, level: str | None = None, wide: bool = True
) -> CompiledFunction:
    """The function at `level`, or at the widest level for the variant."""
    if variant == "tables" and not has_tables(name, dtype):
        return compiled(name, dtype, "fma", level or level_for(variant), wide)
    return CompiledFunction(name, dtype, features_of(variant, wide), level or level_for(variant))
