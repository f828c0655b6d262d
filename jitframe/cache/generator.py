"""The version of the code generator: a digest of the sources that turn kernel text into a binary.

A hand-kept version number would serve stale kernels to whoever forgets to raise it; hashing some twenty files
costs a third of a millisecond, once per process.
"""

from __future__ import annotations

import functools
import os
import sys

from .digest import digest

CPU_SOURCES = (
    "codegen/llvm", "codegen/math", "runtime/cpu/compile.py", "runtime/cpu/llvm.py", "runtime/cpu/image.py",
)  # fmt: skip


_versions: dict[tuple[str, ...], str] = {}


def generator_version(*sources: str) -> str:
    """`<jitframe's version>+<digest>` of source files and folders (not deeper ones), given below the package.

    Without arguments: the CPU's. A frozen application without sources gets the version alone.
    """
    known = _versions.get(sources)
    if known is not None:
        return known
    package = sys.modules[__name__.partition(".")[0]]
    release = str(getattr(package, "__version__", "0"))
    root = os.path.dirname(package.__file__ or "")
    parts: list[bytes] = []
    for source in sources or CPU_SOURCES:
        path = os.path.join(root, *source.split("/"))
        for name in sorted(os.listdir(path)) if os.path.isdir(path) else [""]:
            if name and not name.endswith(".py"):
                continue
            parts += (f"{source}/{name}".encode(), _content(os.path.join(path, name) if name else path))
    _versions[sources] = f"{release}+{digest(*parts).hex()[:12]}" if any(parts[1::2]) else release
    return _versions[sources]


def learn_version(version: str) -> None:
    """The CPU's `generator_version` as it was found when the files looked as they do now."""
    _versions.setdefault((), version)


STAMPED_SOURCES = (
    "__init__.py", "ir", "ir/ops", "ir/passes", "codegen/kernel", "codegen/lower", "codegen/plan",
    "cache/key.py", "runtime/cpu/kernels.py", "evaluate.py", "stored_plans.py", *CPU_SOURCES,
    "codegen/native", "runtime/cpu/native", "runtime/cpu/native_sources.py",
)  # fmt: skip
"""What makes plans and finds their kernels, what makes the kernels' code, and the native runtime's own."""


@functools.cache
def sources_stamp() -> str:
    """What changes whenever a file of `STAMPED_SOURCES` may have: sizes, times and numbers of the files.

    Reading the files would cost a warm start four times as much as looking at them. Empty for an application
    without sources.
    """
    package = sys.modules[__name__.partition(".")[0]]
    root = os.path.dirname(package.__file__ or "")
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
        return ""
    return digest(repr(looks).encode()).hex()


def installed_version(distribution: str) -> str:
    """A package's version from the name of its metadata folder, without importing it or importlib.metadata.

    Used in target strings (the compiler is part of what decides a binary). Empty where it is not found.
    """
    package = distribution.replace("-", "_").lower()
    prefix = f"{package}-"
    # Its metadata lies beside it: long listings of other folders take half a millisecond.
    beside = [folder for folder in sys.path if os.path.isdir(os.path.join(folder, package))]
    for folder in (*beside, *sys.path):
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith(".dist-info") and name.lower().startswith(prefix):
                return name[len(prefix) : -len(".dist-info")]
    return ""


def _content(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""
