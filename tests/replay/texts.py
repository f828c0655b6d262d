"""What is generated for one program: plans with their kernels, and each kernel in each language.

The only module of the replay that knows jitframe's internal names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jitframe as jf
from jitframe.codegen.c_family import CUDA, HIP, METAL, OPENCL, WGSL, UnsupportedKernel, generate
from jitframe.codegen.c_family.threads import choose_threads
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.plan.text import plan_text
from jitframe.compilation import evaluate
from jitframe.errors import JitframeError
from jitframe.ir.verify import verify_graph
from jitframe.runtime.cpu.kernels.compiled_kernels import llvm_text
from jitframe.runtime.cpu.machine_code.levels import LEVELS, level_target
from tests.gpu_sources.kernels import _GPU, LANES

DIALECTS = {"cu": CUDA, "hip": HIP, "cl": OPENCL, "metal": METAL, "wgsl": WGSL}


def generate_only() -> None:
    """From here on graphs are lowered and verified in this process, and nothing is compiled."""
    evaluate.VERIFY = verify_graph  # plans kept on disk are passed over, too
    evaluate.kernel_codes = lambda kernels, origin, fastmath: ([(0, b"")] * len(kernels), 0)


def texts_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of (level, text): `plan`, `sse2.ll` and so on for the processor, `gpu.plan`, `cu` and so on for a
    GPU. Of what is refused the error's text, without the user's line."""
    try:
        program = jf.jit(function).program(*arguments)
    except JitframeError as refused:
        yield "refused", refused.message
        return
    ready = program.ready
    if ready is None:
        yield "plan", "nothing to compute\n"
        return
    plan = ready.template.lowered.plan
    yield "plan", plan_text(plan)
    for level in LEVELS:
        yield f"{level}.ll", "\n".join(llvm_text(kernel, level_target(level)) for kernel in plan.kernels)
    try:
        on_gpu = evaluate.prepare(program.outputs, program.strides, device=_GPU).template.lowered.plan
    except JitframeError as refused:
        yield "gpu.plan", refused.message
        return
    yield "gpu.plan", plan_text(on_gpu)
    for kernel in on_gpu.kernels:
        yield from sources_of(kernel)


def sources_of(kernel: Kernel) -> Iterator[tuple[str, str]]:
    """A kernel in every C-like language that has what it needs."""
    threads = choose_threads(kernel, LANES)
    for suffix, dialect in DIALECTS.items():
        try:
            yield suffix, generate(kernel, dialect, threads=threads).text
        except UnsupportedKernel as lacking:
            yield suffix, f"unsupported: {lacking}\n"


def texts_of_kernel(kernel: Kernel) -> Iterator[tuple[str, str]]:
    """A kernel's own text, and its sources."""
    yield "kernel", kernel_text(kernel)
    yield from sources_of(kernel)
