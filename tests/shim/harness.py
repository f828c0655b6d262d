"""Running generated CUDA C++, HIP C++ and MSL on this processor: compiled as C++20 by clang, a thread a lane.

>>> program = Program("metal", [source, other])
>>> program.run(source, arrays, launch_block(source, 0, 5, indices, scalars), 5)

What this shows: that the source is C++ of the right names and types, what it computes, and (`Sanitized`) that
no lane touches what another writes without a barrier between. It cannot show what a vendor's compiler does.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from jitframe.codegen.c_family import Source

HERE = Path(__file__).parent
_FILES = tuple(HERE / name for name in ("lanes.hpp", "lanes.cpp", "main.cpp", "cuda.hpp", "msl/metal_stdlib"))
_FLAGS = ("-std=c++20", "-O1", "-ffp-contract=off", "-pthread", "-w")


@dataclass(frozen=True)
class Shim:
    """How one language's sources are made to compile."""

    include: str
    tail: str
    """The arguments after the buffers, of a kernel in `namespace`."""
    flags: tuple[str, ...] = ()
    static_shared: bool = False
    """Declarations of shared arrays are spelled like pointers to them: they become static here."""


_CUDA = Shim("cuda.hpp", "*static_cast<const {namespace}::launch_t *>(block)")
_METAL_TAIL = (
    ", uint3{{lanes_group(), 0, 0}}, uint3{{lanes_count(), 1, 1}}"
    ", lanes_lane() / lanes::SUBGROUP, lanes::subgroup_lane(), lanes::SUBGROUP"
)
_METAL = Shim("msl/metal_stdlib", _CUDA.tail + _METAL_TAIL, static_shared=True)
SHIMS = {
    "cuda": _CUDA,
    "hip": replace(_CUDA, flags=("-DLANES_SUBGROUP=64",)),  # as wide as AMD's data center GPUs have them
    "hip, 32 lanes": _CUDA,
    "metal": _METAL,
    "metal, SIMD-groups": _METAL,
}

_KEPT_SECONDS = 3 * 24 * 3600
_MEETING = re.compile(r"barrier\(|__syncthreads|simd_|__shfl")
"""What makes lanes wait for each other."""


class ShimError(AssertionError):
    """The source did not compile, or its lanes parted ways at a barrier."""


@cache
def compiler() -> str:
    """The newest clang++ from 15 on (which has _Float16 here); empty where there is none."""
    names = [f"clang++-{version}" for version in range(30, 14, -1)] + ["clang++"]
    for name in names:
        path = shutil.which(name)
        if path is None:
            continue
        told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
        found = re.search(r"clang version (\d+)", told)
        if found and int(found[1]) >= 15:
            return path
    return ""


def missing() -> str:
    """Why nothing can be compiled; empty where it can."""
    return "" if compiler() else "no clang++ from version 15 on (apt-get install clang-15)"


def translation_unit(language: str, sources: Sequence[Source], texts: Sequence[str] = ()) -> str:
    """All kernels as one C++ file, each in its own namespace and with its own entry point.

    `texts` stand for the sources' own texts, where a test has changed them.
    """
    shim = SHIMS[language]
    lines = [f'#include "{shim.include}"']
    for number, (source, text) in enumerate(
        zip(sources, texts or [each.text for each in sources], strict=True)
    ):
        if shim.static_shared:
            text = re.sub(r"^  threadgroup (?=.*\];$)", "  static ", text, flags=re.MULTILINE)
        namespace, own = f"kernel{number}", f"{source.entry}_{number}"
        buffers = "".join(f"lanes::Buffer{{buffers[{each}]}}, " for each in range(len(source.buffers)))
        lines += [
            f"#define {source.entry} {own}",
            f"namespace {namespace} {{",
            text,
            "static void shim(void **buffers, const void *block) {",
            f"  {own}({buffers}{shim.tail.format(namespace=namespace)});",
            "}",
            f"}}  // namespace {namespace}",
            f"#undef {source.entry}",
        ]
    entries = ", ".join(f"kernel{number}::shim" for number in range(len(sources)))
    lines.append('extern "C" void (*const shim_kernels[])(void **, const void *);')
    lines.append(f"void (*const shim_kernels[])(void **, const void *) = {{{entries}}};")
    return "\n".join(lines) + "\n"


@cache
def _folder() -> Path:
    """Where programs are kept; what nobody has asked for in days is removed."""
    folder = Path(tempfile.gettempdir()) / f"jitframe-shim-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    for each in folder.iterdir():
        with suppress(OSError):
            if each.stat().st_mtime < time.time() - _KEPT_SECONDS and each.is_file():
                each.unlink()
    return folder


def _build(name: str, text: str, arguments: Sequence[str]) -> Path:
    """The file that the compiler makes of `text` and `arguments`, from the folder of those made before."""
    digest = hashlib.sha256(repr((compiler(), _FLAGS, text, arguments)).encode())
    for file in _FILES:
        digest.update(file.read_bytes())
    folder = _folder()
    target = folder / f"{name}-{digest.hexdigest()[:20]}"
    if target.exists():
        os.utime(target)
        return target
    with tempfile.TemporaryDirectory(dir=folder) as work:
        file, made = Path(work) / "generated.cpp", Path(work) / "made"
        file.write_text(text)
        command = [
            compiler(),
            *_FLAGS,
            f"-I{HERE}",
            f"-I{HERE / 'msl'}",
            str(file),
            *arguments,
            "-o",
            str(made),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ShimError(f"{name} does not compile as C++:\n{done.stderr[:4000]}")
        made.rename(target)
    return target


class Program:
    """Kernels of one language, compiled together."""

    def __init__(self, language: str, sources: Sequence[Source], texts: Sequence[str] = ()) -> None:
        self._number = {source.text: number for number, source in enumerate(sources)}
        flags = ["-fPIC", "-shared", *SHIMS[language].flags]
        lanes = _build("lanes", '#include "lanes.cpp"\n', flags)
        # The kernels name the machinery they need, as programs of two languages have different ones. The C
        # library is there already; conversions of 16-bit floats are libgcc's.
        flags += [str(lanes), "-nostdlib", "-lgcc"]
        path = _build(language.split(",")[0], translation_unit(language, sources, texts), flags)
        self._lanes = ctypes.CDLL(str(lanes))
        self._kernels = (ctypes.c_void_p * len(sources)).in_dll(ctypes.CDLL(str(path)), "shim_kernels")

    def run(self, source: Source, arrays: Sequence[np.ndarray], block: bytes, groups: int) -> None:
        """Run workgroups 0..groups-1, in place."""
        buffers = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        kernel = ctypes.c_void_p(self._kernels[self._number[source.text]])
        together = source.threads > 1 and _MEETING.search(source.text)
        run = self._lanes.lanes_run if together else self._lanes.lanes_run_alone
        fault = run(source.threads, groups, kernel, buffers, block)
        if fault:
            raise ShimError(f"{source.entry}: lanes part ways at the barrier in line {fault}")


class Sanitized:
    """Kernels of one language as a program of its own under ThreadSanitizer."""

    def __init__(self, language: str, sources: Sequence[Source], texts: Sequence[str] = ()) -> None:
        flags = [*SHIMS[language].flags, "-g", "-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile"]
        lanes = _build("lanes-tsan", '#include "lanes.cpp"\n#include "main.cpp"\n', [*flags, "-c"])
        extra = [*flags, str(lanes)]
        self._program = _build(f"{language}-tsan", translation_unit(language, sources, texts), extra)

    def run(
        self, number: int, threads: int, arrays: Sequence[np.ndarray], block: bytes, groups: int
    ) -> tuple[list[np.ndarray], str]:
        """The arrays after a run of kernel `number`, and what ThreadSanitizer has to say."""
        with tempfile.TemporaryDirectory() as work:
            files = [Path(work) / str(place) for place in range(len(arrays) + 1)]
            for file, data in zip(files, [block, *(array.tobytes() for array in arrays)], strict=True):
                file.write_bytes(data)
            command = [str(self._program), str(number), str(threads), str(groups), *map(str, files)]
            done = _sanitized(command)
            if "unexpected memory mapping" in done.stderr:  # addresses are more random than it can take
                done = _sanitized(["setarch", "--addr-no-randomize", *command])
            if done.returncode not in (0, 66):
                raise ShimError(f"kernel {number} ended with {done.returncode}:\n{done.stderr[:4000]}")
            after = [
                np.frombuffer(file.read_bytes(), array.dtype)
                for file, array in zip(files[1:], arrays, strict=True)
            ]
        return after, done.stderr


def _sanitized(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    options = {"TSAN_OPTIONS": "exitcode=66 report_thread_leaks=0"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | options)


def check_address_spaces(sources: Sequence[Source], texts: Sequence[str] = ()) -> None:
    """Compile MSL with pointers that keep their address spaces; raises ShimError where they are mixed up."""
    shim = SHIMS["metal"]
    lines = [f'#include "{shim.include}"']
    for number, text in enumerate(texts or [source.text for source in sources]):
        text = re.sub(r"^  threadgroup (?=.*\];$)", "  static threadgroup ", text, flags=re.MULTILINE)
        lines += [f"namespace kernel{number} {{", text, "}"]
    _build("metal-spaces", "\n".join(lines) + "\n", ["-DADDRESS_SPACES", "-c"])
