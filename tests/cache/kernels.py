"""Kernels for the cache's tests: the image is derived from the text, so that a wrong one is seen at once."""

from __future__ import annotations

import hashlib
from pathlib import Path

from jitframe.cache.key import make_key
from jitframe.cache.service import CompiledParts, KernelCache
from jitframe.settings import Settings

TARGET = "x86_64-linux avx2"
GENERATOR = "test-1"


def kernel_text(number: int) -> str:
    lines = [f"  %{row} = load f32 %input{row % 7}[i + {number}]" for row in range(40)]
    return f"kernel k{number}(%out: f32*)\n" + "\n".join(lines) + "\n"


def image_of(text: str, target: str = TARGET, image_bytes: int = 5000) -> bytes:
    """The one right image of a kernel: bytes that depend on the text and the target."""
    return hashlib.shake_128(f"{target}\n{text}".encode()).digest(image_bytes)


class Compiler:
    """Compiles kernels and counts how often it had to."""

    def __init__(self, cache: KernelCache) -> None:
        self.cache = cache
        self.compiled = 0

    def image(self, text: str, target: str = TARGET, **keywords: str) -> bytes:
        def compile() -> CompiledParts:
            self.compiled += 1
            return CompiledParts(image_of(text, target), f"define void @kernel() ; {text}")

        return self.cache.lookup_or_compile(text, target, {}, compile, generator=GENERATOR, **keywords)


def fresh_cache(folder: Path, **settings: object) -> KernelCache:
    """A cache as a new process would have it."""
    return KernelCache(Settings(**{"cache_dir": str(folder), **settings}))


def fresh_compiler(folder: Path, **settings: object) -> Compiler:
    return Compiler(fresh_cache(folder, **settings))


def entry_file(folder: Path, text: str, target: str = TARGET) -> Path:
    """Where the kernel of a text is kept."""
    return folder / "v1" / f"{make_key(text, GENERATOR, target).digest().hex()}.kernel"
