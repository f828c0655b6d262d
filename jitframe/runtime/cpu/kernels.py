"""From a kernel to callable code on this processor: expand, generate, compile, cache, load."""

from __future__ import annotations

import functools
import threading

from ...cache.generator import generator_version, installed_version
from ...cache.service import CompiledParts, kernel_cache
from ...codegen.kernel.nodes import Kernel
from ...codegen.kernel.text import kernel_text
from .image import Image, load, package
from .levels import Target
from .stored_image import use_cache
from .target import host_target

use_cache()
_addresses: dict[tuple[str, str, bool], int] = {}
_lock = threading.Lock()


@functools.cache
def _llvmlite_version() -> str:
    return installed_version("llvmlite")


# A millisecond of looking at files that the first call would otherwise wait for.
generator_version()
_llvmlite_version()


def target_text(target: Target) -> str:
    """All that the machine code of a kernel depends on outside its text."""
    return f"{target.triple} {target.cpu} {target.features} llvmlite-{_llvmlite_version()}"


def kernel_options(fastmath: bool) -> dict[str, object] | None:
    """What else than its text and the target decides a kernel's code."""
    return {"fastmath": True} if fastmath else None


def kernel_address(
    kernel: Kernel, origin: str = "", fastmath: bool = False, target: Target | None = None
) -> int:
    """The address of a kernel's code: loaded already, from the cache, or compiled now.

    `fastmath`: products may be contracted with sums, divisions become products with a reciprocal, and the
    sign of zero does not matter. `target`: one that this processor runs; `host_target` unless given.
    """
    if target is None:
        target = host_target()
    text = kernel_text(kernel)
    key = (text, target.simd, fastmath)
    address = _addresses.get(key)
    if address is None:
        image = kernel_cache().lookup_or_compile(
            text,
            target_text(target),
            kernel_options(fastmath),
            lambda: _compile(kernel, target, fastmath),
            origin,
            name=kernel.name,
        )
        with _lock:
            address = _addresses.get(key)
            if address is None:
                address = _addresses[key] = load(Image.from_bytes(image)).address(kernel.name)
    return address


def llvm_text(kernel: Kernel, target: Target, fastmath: bool = False) -> str:
    """The LLVM IR of a kernel for a target."""
    from ...codegen.llvm import generate, vector_target
    from ...codegen.math.expand import MathFeatures, expand_math

    vector = vector_target(target.simd, target.triple)
    return generate(expand_math(kernel, MathFeatures(fma=vector.has_fma, wide=True)), vector, fastmath)


def _compile(kernel: Kernel, target: Target, fastmath: bool) -> CompiledParts:
    from .compile import compile_text

    source = llvm_text(kernel, target, fastmath)
    return CompiledParts(package(compile_text(source, target)).to_bytes(), source)


def forget() -> None:
    """Look every kernel up in the cache again; loaded code stays where it is."""
    with _lock:
        _addresses.clear()
