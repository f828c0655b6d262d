"""The shared libraries of AMD's GPUs: where they are looked for, what was found, and why nothing was."""

from __future__ import annotations

import ctypes
import glob
import os
import sys
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_int
from functools import cache
from typing import Any

from ...errors import BackendUnavailableError

WINDOWS = sys.platform == "win32"
RUNTIME = ("amdhip64*.dll",) if WINDOWS else ("libamdhip64.so", "libamdhip64.so.*")
COMPILER = ("hiprtc0*.dll",) if WINDOWS else ("libhiprtc.so", "libhiprtc.so.*")
PRODUCTS = ("rocblas.dll",) if WINDOWS else ("librocblas.so", "librocblas.so.*")
_ROOTS = [os.environ.get(name, "") for name in ("ROCM_PATH", "HIP_PATH")]
FOLDERS = (
    # An empty or relative one would have libraries of the working folder loaded.
    *(os.path.join(root, "bin" if WINDOWS else "lib") for root in _ROOTS if os.path.isabs(root)),
    *((r"C:\Windows\System32",) if WINDOWS else ("/opt/rocm/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64")),
)
INSTALL = "install AMD's ROCm (on Debian or Ubuntu libamdhip64-dev with rocm-device-libs), or set ROCM_PATH"
_DRIVER = "/dev/kfd"


class HipError(Exception):
    """A status other than success."""

    def __init__(self, function: str, status: int, text: str) -> None:
        super().__init__(f"{function}: {text} ({status})")
        self.status = status


class Library:
    """A shared library whose functions return a status: `library("hipMalloc", ...)` raises HipError."""

    def __init__(self, path: str, describe: str = "") -> None:
        self.path = path
        self.loaded = ctypes.CDLL(path)
        self._describe = describe

    def has(self, function: str) -> bool:
        return hasattr(self.loaded, function)

    def __call__(self, function: str, *arguments: Any) -> None:
        status = getattr(self.loaded, function)(*arguments)
        if status:
            raise HipError(function, status, self._text(status))

    def _text(self, status: int) -> str:
        if not self._describe:
            return "status"
        describe = getattr(self.loaded, self._describe)
        describe.restype = c_char_p
        return (describe(status) or b"").decode()


def find(patterns: Sequence[str]) -> list[str]:
    """Where a library may be: what the system's loader knows by its plain name, then files."""
    paths = [patterns[0]] if "*" not in patterns[0] else []
    for folder in FOLDERS:
        for pattern in patterns:
            paths += sorted(glob.glob(os.path.join(folder, pattern)), reverse=True)
    return paths


def _load(patterns: Sequence[str], describe: str) -> Library | None:
    for path in find(patterns):
        try:
            return Library(path, describe)
        except OSError:
            continue
    return None


@cache
def runtime() -> Library:
    """The HIP runtime. Raises BackendError where it is not installed."""
    library = _load(RUNTIME, "hipGetErrorString")
    if library is None:
        raise BackendUnavailableError(_lack(RUNTIME))
    return library


@cache
def compiler() -> Library:
    """hiprtc, which up to HIP 5 is a part of the runtime's library."""
    if not WINDOWS and runtime().has("hiprtcCreateProgram"):
        return Library(runtime().path, "hiprtcGetErrorString")
    library = _load(COMPILER, "hiprtcGetErrorString")
    if library is None:
        raise BackendUnavailableError(f"{_lack(COMPILER)}; the HIP runtime {_runtime_version()} is here")
    return library


def _lack(patterns: Sequence[str]) -> str:
    """Why a library is not loaded: where it was looked for, and what is wrong with files that are there."""
    said = []
    for path in find(patterns):
        if os.path.isabs(path):
            try:
                ctypes.CDLL(path)
            except OSError as problem:
                said.append(f"{path} cannot be loaded ({problem})")
    places = f"by the system's loader and in {', '.join(FOLDERS) or 'no folder'}"
    here = "; ".join(said) or "which is not found here"
    looked = f"looked for {', '.join(patterns)} {places}"
    return f"hip needs the library {patterns[0]}, {here} ({looked}): {INSTALL}"


def _runtime_version() -> str:
    """Such as "5.2.21153"; "of an unknown version" where it does not tell without a GPU."""
    version = c_int()
    try:
        runtime()("hipRuntimeGetVersion", byref(version))
    except HipError:
        return "of an unknown version"
    return release_of(version.value)


def no_gpu() -> str:
    """Why there is none, with what was found of HIP."""
    found = f"the HIP runtime {_runtime_version()} ({runtime().path}) is here"
    try:
        found += f" with hiprtc {compiler_version()}"
    except (BackendUnavailableError, HipError):
        found += " without hiprtc"
    needed = "it needs one with the amdgpu driver"
    if not WINDOWS and not os.path.exists(_DRIVER):
        needed += f", and {_DRIVER}, which that driver makes, is not here"
    return f"no AMD GPU can be used here: {found}, and finds no GPU; {needed} (see rocminfo)"


@cache
def rocblas() -> Library | None:
    """The library of matrix products, where there is one."""
    return _load(PRODUCTS, "")


def compiler_version() -> str:
    """hiprtc's and that of HIP. Raises BackendUnavailableError where it is not installed."""
    major, minor = c_int(), c_int()
    compiler()("hiprtcVersion", byref(major), byref(minor))
    return f"{major.value}.{minor.value} of HIP {_runtime_version()}"


def release_of(version: int) -> str:
    """A version of HIP as people write it."""
    return f"{version // 10_000_000}.{version // 100_000 % 100}.{version % 100_000}"
