"""NVRTC and hiprtc, where they are installed: no GPU and no driver is needed to compile."""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_size_t, c_void_p
from functools import cache
from pathlib import Path

from jitframe.codegen.c_family import Source

ROOT = Path(__file__).parents[2]
_FOLDERS = (
    "/usr/local/cuda/lib64",
    "/usr/lib/x86_64-linux-gnu",
    r"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\*\bin",
)
_NAMES = ("libnvrtc.so.1?", "libnvrtc.so.1?.*", "nvrtc64_1?0_0.dll")


def in_one_file(sources: Sequence[Source]) -> str:
    """Kernels as one file, each in a namespace and with a name of its own: its entry and its number."""
    parts = []
    for number, source in enumerate(sources):
        text = re.sub(rf"\b{source.entry}\b", f"{source.entry}_{number}", source.text)
        parts.append(f"namespace kernel{number} {{\n{text}}}\n")
    return "".join(parts)


# CUDA ------------------------------------------------------------------------------------------------
@cache
def nvrtc() -> ctypes.CDLL | None:
    """NVIDIA's compiler, out of its wheel or a toolkit."""
    folders = list(_FOLDERS)
    found = importlib.util.find_spec("nvidia")
    for root in (found.submodule_search_locations or ()) if found else ():
        folders += [
            os.path.join(root, package, part) for package in ("cuda_nvrtc", "cu13") for part in ("lib", "bin")
        ]
    for folder in reversed(folders):
        for name in _NAMES:
            for path in sorted(glob.glob(os.path.join(folder, name))):
                try:
                    return ctypes.CDLL(path)
                except OSError:
                    continue
    return None


class Rejected(AssertionError):
    """The compiler's log."""


def compile_cuda(text: str, options: Sequence[str], output: str = "CUBIN") -> tuple[bytes, str]:
    """The cubin or "PTX" of a source, and what the compiler said."""
    library, program = nvrtc(), c_void_p()
    assert library is not None
    assert library.nvrtcCreateProgram(byref(program), text.encode(), b"kernels.cu", 0, None, None) == 0
    try:
        words = [option.encode() for option in options]
        failed = library.nvrtcCompileProgram(program, len(words), (c_char_p * len(words))(*words))
        log = _sized(library, "nvrtcGetProgramLog", program).decode()
        if failed:
            raise Rejected(log)
        return _sized(library, f"nvrtcGet{output}", program), log
    finally:
        library.nvrtcDestroyProgram(byref(program))


def _sized(library: ctypes.CDLL, function: str, program: c_void_p) -> bytes:
    size = c_size_t()
    assert getattr(library, f"{function}Size")(program, byref(size)) == 0
    content = ctypes.create_string_buffer(size.value)
    assert getattr(library, function)(program, content) == 0
    return content.raw


# HIP -------------------------------------------------------------------------------------------------
@cache
def hip_missing() -> str:
    """Why nothing can be compiled; empty where it can."""
    done = _child("import jitframe.runtime.drivers.hip as hip; print(hip.compiler().path)", "")
    if done.returncode == 0:
        return ""
    return "no hiprtc (apt-get install libamdhip64-dev libhiprtc-builtins5 rocm-device-libs)"


def compile_hip(text: str, options: Sequence[str], target: str) -> bytes:
    """A code object. In a process of its own: hiprtc ends it for an architecture that it does not know."""
    done = _child(_COMPILE, json.dumps([text, list(options), target]))
    if done.returncode:
        raise Rejected(f"{target}: {done.stderr[-4000:]}")
    return bytes.fromhex(done.stdout.split()[-1])


_COMPILE = """
import json, sys
from jitframe.runtime.drivers.hip import compile_hip
text, options, target = json.loads(sys.stdin.read())
print(compile_hip(text, "kernels.hip", options, target).hex())
"""


def _child(program: str, given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], input=given, capture_output=True, text=True, cwd=ROOT, check=False
    )
