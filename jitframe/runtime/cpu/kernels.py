"""From a kernel to callable code on this processor: expand, generate, compile, cache, load."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING

from ...cache.generator import generator_version, installed_version, sources_stamp
from ...cache.key import make_key
from ...cache.service import CompiledParts, kernel_cache
from .image import Image, load, package
from .levels import Target
from .stored_image import use_cache
from .target import host_target

if TYPE_CHECKING:
    from ...codegen.kernel.nodes import Kernel

use_cache()
_addresses: dict[bytes, int] = {}
"""Where the code of a kernel is loaded, by its key's digest."""
_lock = threading.Lock()


@functools.cache
def llvmlite_version() -> str:
    return installed_version("llvmlite")


def look_at_files() -> None:
    """A millisecond of looking at files that the first call would otherwise wait for."""
    generator_version()
    sources_stamp()
    llvmlite_version()


def target_text(target: Target) -> str:
    """All that the machine code of a kernel depends on outside its text."""
    return f"{target.triple} {target.cpu} {target.features} llvmlite-{llvmlite_version()}"


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
    return kernel_code(kernel, origin, fastmath, target)[0]


def kernel_code(
    kernel: Kernel, origin: str, fastmath: bool, target: Target | None = None
) -> tuple[int, bytes]:
    """`kernel_address`, and the digest of the key that `known_code` finds it by."""
    from ...codegen.kernel.text import kernel_text  # needed by plans that are not on disk

    if target is None:
        target = host_target()
    text = kernel_text(kernel)
    key = make_key(text, generator_version(), target_text(target), kernel_options(fastmath))
    key_digest = key.digest()
    address = _addresses.get(key_digest)
    if address is None:
        image = kernel_cache().obtain(
            key, key_digest, text, lambda: _compile(kernel, target, fastmath), origin, kernel.name
        )
        address = _loaded(key_digest, image, kernel.name)
    return address, key_digest


def known_code(name: str, key_digest: bytes) -> int | None:
    """The address of a kernel's code by the digest of its key; None where it would have to be compiled."""
    address = _addresses.get(key_digest)
    if address is None:
        image = kernel_cache().fetch(key_digest)
        if image is not None:
            address = _loaded(key_digest, image, name)
    return address


def _loaded(key_digest: bytes, image: bytes, name: str) -> int:
    with _lock:
        address = _addresses.get(key_digest)
        if address is None:
            address = _addresses[key_digest] = load(Image.from_bytes(image)).address(name)
    return address


def llvm_text(kernel: Kernel, target: Target, fastmath: bool = False) -> str:
    """The LLVM IR of a kernel for a target."""
    from ...codegen.llvm import generate, vector_target
    from ...codegen.math.expand import MathFeatures, expand_math

    vector = vector_target(target.simd, target.triple)
    features = MathFeatures(
        fma=vector.has_fma, wide=True, tables=vector.has_permutations and vector.has_scaling
    )
    return generate(expand_math(kernel, features), vector, fastmath)


def _compile(kernel: Kernel, target: Target, fastmath: bool) -> CompiledParts:
    from .compile import compile_text

    source = llvm_text(kernel, target, fastmath)
    return CompiledParts(package(compile_text(source, target)).to_bytes(), source)


def loaded_kernels() -> tuple[tuple[str, str, bool], ...]:
    """Text, instruction set and `fastmath` of the kernels whose code is loaded."""
    return tuple(_addresses)


def forget() -> None:
    """Look every kernel up in the cache again; loaded code stays where it is."""
    with _lock:
        _addresses.clear()
