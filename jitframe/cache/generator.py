"""The version of the code generator: a digest of the sources that turn kernel text into a binary.

A hand-kept version number would serve stale kernels to whoever forgets to raise it; hashing some seventy
files costs a millisecond or two, once per process.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Iterable
from types import ModuleType

from .digest import digest

KERNEL_SOURCES = tuple(
    f"codegen/kernel/{name}.py"
    for name in ("builder", "exits", "nodes", "ops", "rewrite", "scopes", "variance")
)
"""The sources that rewrite a kernel after its text was looked up."""
CPU_SOURCES = (
    *KERNEL_SOURCES,
    "codegen/llvm", "codegen/math",
    *(f"runtime/cpu/machine_code/{name}.py" for name in ("compile", "llvm", "image")),
)  # fmt: skip


_versions: dict[tuple[str, ...], str] = {}
Noted = dict[str, str]


def generator_version(*sources: str) -> str:
    """`<jitframe's version>+<digest>` of source files and folders (not deeper ones), given below the package.

    Without arguments: the CPU's. What neither has sources nor was built into a wheel gets the version alone.
    """
    known = _versions.get(sources)
    if known is not None:
        return known
    release = str(getattr(_package(), "__version__", "0"))
    found = source_digests(*(sources or CPU_SOURCES))
    _versions[sources] = f"{release}+{digest(repr(found).encode()).hex()[:12]}" if found else release
    return _versions[sources]


def source_digests(*sources: str) -> list[tuple[str, str]]:
    """The path below the package and the content digest of each of these files.

    Where the files are not there (byte-compiled only, in an archive, frozen) the wheel's build has noted
    them. Empty where it did not either.
    """
    root = os.path.dirname(_package().__file__ or "")
    found: list[tuple[str, str]] = []
    try:
        for source in sources:
            path = os.path.join(root, *source.split("/"))
            names = [source] if source.endswith(".py") else _sources_in(source, os.listdir(path))
            for name in names:
                with open(os.path.join(root, *name.split("/")), "rb", buffering=0) as file:
                    found.append((name, digest(file.read()).hex()))
    except OSError:
        found = []
    if found:
        return found
    noted = noted_at_build("DIGESTS")
    return [
        (name, noted[name])
        for source in sources
        for name in ([source] if source in noted else _sources_in(source, _names_in(source, noted)))
    ]


def _sources_in(folder: str, names: Iterable[str]) -> list[str]:
    return [f"{folder}/{name}" for name in sorted(names) if name.endswith(".py")]


def _names_in(folder: str, noted: Noted) -> list[str]:
    return [name.rpartition("/")[2] for name in noted if name.rpartition("/")[0] == folder]


def noted_at_build(name: str) -> Noted:
    """`DIGESTS` of all sources, or `TEXTS` of the native ones, by path, as recorded in a wheel: its build
    wrote the module `jitframe.built_digests` or `built_texts`, which a checkout does not have."""
    try:
        module = importlib.import_module(f"{_package().__name__}.built_{name.lower()}")
    except ImportError:
        return {}
    found: Noted = getattr(module, name)
    return found


def _package() -> ModuleType:
    return sys.modules[__name__.partition(".")[0]]


def learn_version(version: str) -> None:
    """Sets the CPU's `generator_version`, found earlier for unchanged files."""
    _versions.setdefault((), version)


STAMPED_SOURCES = (
    "__init__.py", "capture", "tracing/environment/handlers.py", "ir", "ir/ops", "ir/passes",
    "codegen/kernel", "codegen/lower",
    "codegen/lower/attention", "codegen/lower/fft", "codegen/lower/loops", "codegen/lower/maps",
    "codegen/lower/matrices", "codegen/lower/products", "codegen/lower/reductions", "codegen/lower/scans",
    "codegen/lower/scatter", "codegen/lower/sorting", "codegen/lower/writing", "codegen/plan",
    "cache/key.py", "runtime/cpu/kernels/compiled_kernels.py", "compilation/evaluate.py",
    "compilation/stored_plans.py", *CPU_SOURCES,
    "codegen/native", "runtime/cpu/native", "runtime/cpu/native_library/native_sources.py",
)  # fmt: skip
"""The sources that rewrite control flow, make plans, find their kernels and generate their code, and the
native runtime's."""


@functools.cache
def sources_stamp() -> str:
    """A stamp that changes whenever one of `STAMPED_SOURCES` may have changed: sizes, times and inode numbers
    of the files.

    Reading the files would cost a warm start four times as much as looking at them. Where they are not
    there, what the wheel's build noted of them, which stays; empty where it did not either.
    """
    root = os.path.dirname(_package().__file__ or "")
    looks: list[object] = []
    try:
        for source in STAMPED_SOURCES:
            path = os.path.join(root, *source.split("/"))
            if source.endswith(".py"):
                found = [("", os.stat(path))]
            else:
                with os.scandir(path) as files:
                    found = sorted([(file.name, file.stat()) for file in files if file.name.endswith(".py")])
            looks.append(source)
            for name, status in found:
                looks += name, status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns
    except OSError:
        looks = list(source_digests(*STAMPED_SOURCES))
    return digest(repr(looks).encode()).hex() if looks else ""


def installed_version(distribution: str) -> str:
    """A package's version from the name of its metadata folder, without importing it or importlib.metadata.

    Used in target strings (the compiler is part of what decides a binary). Empty where it is not found.
    """
    package = distribution.replace("-", "_").lower()
    prefix = f"{package}-"
    # Its metadata is beside it: long listings of other folders take half a millisecond.
    installed = [folder for folder in sys.path if os.path.isdir(os.path.join(folder, package))]
    for folder in (*installed, *sys.path):
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info") and name.lower().startswith(prefix):
                return name[len(prefix) : -len(".dist-info")]
    return ""
