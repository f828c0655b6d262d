"""Compiled kernels of this processor: expansion, generation, compilation, cache, loading."""

from __future__ import annotations

import functools
import importlib
import time
from typing import TYPE_CHECKING

from ....cache.generator import generator_version, installed_version, sources_stamp
from ....cache.key import CacheKey, make_key
from ....cache.service import CompiledParts, kernel_cache
from ..machine_code.image import Image, load, package
from ..machine_code.levels import Target, baseline_target
from ..native_library.library import image_store
from ..native_library.tables import thread_count
from .target import host_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....codegen.kernel.nodes import Kernel

RUNTIME = "native_runtime"
"""The cache's name of the native runtime."""
_addresses: dict[bytes, int] = {}
"""The addresses of kernels' code, by the digests of their keys."""
MOST_COMPILING = 8
"""Threads that compile concurrently. LLVM's text, which needs the GIL, takes a fifth of LLVM's own time: more
threads would wait for it."""


@functools.cache
def llvmlite_version() -> str:
    """Returns the version from the metadata, or where that is missing, as in frozen applications, from the
    package."""
    return installed_version("llvmlite") or str(importlib.import_module("llvmlite").__version__)


def look_at_files() -> None:
    """Reads file stamps, a millisecond for which the first call would otherwise wait."""
    generator_version()
    sources_stamp()
    llvmlite_version()


def target_text(target: Target) -> str:
    """Returns everything that the machine code of a kernel depends on outside its text."""
    return f"{processor_text(target)} llvmlite-{llvmlite_version()}"


def processor_text(target: Target) -> str:
    """Returns the part of it that describes the processor."""
    return f"{target.triple} {target.cpu} {target.features} O{target.optimization_level}"


def kernel_options(fastmath: bool) -> dict[str, object] | None:
    """Returns the options that a kernel's code depends on besides its text and target."""
    return {"fastmath": True} if fastmath else None


def kernel_address(kernel: Kernel, target: Target | None = None) -> int:
    """The address of a kernel's code: loaded already, from the cache, or compiled now. `target`: one that
    this processor runs; `host_target` unless given."""
    ((address, _),), _ = kernel_codes([kernel], "", False, target)
    return address


def kernel_codes(
    kernels: Sequence[Kernel], origin: str, fastmath: bool, target: Target | None = None
) -> tuple[list[tuple[int, bytes]], int]:
    """For each kernel `kernel_address` and the digest of the key that `known_code` finds it by; and how many
    were compiled. `fastmath`: products may be contracted with sums, divisions become products with a
    reciprocal, and the sign of zero does not matter.

    Those that have to be compiled are so on several threads, where the process may use as many.
    """
    from ....codegen.kernel.text import kernel_text  # needed by plans that are not on disk
    from ..machine_code.parallel_map import parallel_map

    aim = target if target is not None else host_target()
    addresses: dict[bytes, int] = {}
    missing: dict[bytes, tuple[Kernel, str, CacheKey]] = {}
    digests: list[bytes] = []
    for kernel in kernels:
        text = kernel_text(kernel)
        key = make_key(text, generator_version(), target_text(aim), kernel_options(fastmath))
        key_digest = key.digest()
        digests.append(key_digest)
        if key_digest in addresses or key_digest in missing:
            continue
        address = known_code(kernel.name, key_digest)
        if address is None:
            missing[key_digest] = kernel, text, key
        else:
            addresses[key_digest] = address

    if missing:
        expect_misses()
    cache = kernel_cache()
    compiled: list[bytes] = []

    def made(key_digest: bytes) -> int:
        kernel, text, key = missing[key_digest]

        def compile() -> CompiledParts:
            parts = _compile(kernel, aim, fastmath)
            compiled.append(key_digest)
            return parts

        image = cache.obtain(key, key_digest, text, compile, origin, kernel.name)
        return _loaded(key_digest, image, kernel.name)

    addresses.update(zip(missing, parallel_map(made, list(missing), min(thread_count(), MOST_COMPILING))))
    cache.warn_once()
    return [(addresses[key_digest], key_digest) for key_digest in digests], len(compiled)


def expect_misses() -> None:
    """Loads LLVM in the background, as kernels are about to be compiled."""
    if thread_count() > 1:
        from ..machine_code.llvm import load_in_background  # needed where something is compiled

        load_in_background()


def known_code(name: str, key_digest: bytes) -> int | None:
    """Returns the address of a kernel's code by the digest of its key; None where it would have to be
    compiled."""
    address = _addresses.get(key_digest)
    if address is None:
        image = kernel_cache().fetch(key_digest)
        if image is not None:
            address = _loaded(key_digest, image, name)
    return address


def _loaded(key_digest: bytes, image: bytes, name: str) -> int:
    # Without a lock: a signal handler that interrupts its holder would deadlock. Two threads that load one
    # kernel keep the code of one, and the other stays unused.
    address = _addresses.get(key_digest)
    if address is None:
        address = _addresses.setdefault(key_digest, load(Image.from_bytes(image)).address(name))
    return address


def llvm_text(kernel: Kernel, target: Target, fastmath: bool = False) -> str:
    """Returns the LLVM IR of a kernel for a target."""
    from ....codegen.llvm import generate, vector_target
    from ....codegen.math.called import expand_with_calls
    from ....codegen.math.formats import MathFeatures

    vector = vector_target(target.simd, target.triple)
    features = MathFeatures(
        fma=vector.has_fma, wide=True, tables=vector.has_permutations and vector.has_scaling
    )
    return generate(expand_with_calls(kernel, features), vector, fastmath)


def _compile(kernel: Kernel, target: Target, fastmath: bool) -> CompiledParts:
    from ..machine_code.compile import compile_text

    source = llvm_text(kernel, target, fastmath)
    return CompiledParts(package(compile_text(source, target)).to_bytes(), source)


def loaded_count() -> int:
    """Returns the number of loaded kernels."""
    return len(_addresses)


def forget() -> None:
    """Makes the next look-ups use the cache again; loaded code stays in memory."""
    _addresses.clear()


# The native runtime's own image, which only the first process builds


def _image_key(key: str) -> CacheKey:
    return make_key(key, "", processor_text(baseline_target()), None)


def _stored_image(key: str) -> bytes | None:
    disk = kernel_cache().disk
    found = disk.get(_image_key(key).digest()) if disk is not None else None
    return None if found is None else found[0]


def _store_image(key: str, data: bytes) -> None:
    disk = kernel_cache().disk
    if disk is not None:
        from ....cache.entry import new_entry  # only the process that compiles needs it

        entry = new_entry(_image_key(key), RUNTIME, "", 0, data, {"kernel": key}, time.time_ns())
        disk.put(entry)


image_store.get, image_store.put = _stored_image, _store_image
