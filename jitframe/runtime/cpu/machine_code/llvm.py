"""LLVM's code generator, called in llvmlite's shared library and without llvmlite's Python modules.

Those take longer to import than a kernel takes to compile, and let one thread at a time into LLVM. Here each
compilation has a context and a target machine of its own, as LLVM requires of threads, and the long calls run
without the GIL.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_void_p
from functools import cache
from typing import TYPE_CHECKING, Any

from ....base.background import address_room, start
from ....errors import BackendError, BackendUnavailableError, OutOfMemoryError

if TYPE_CHECKING:
    from .levels import Target

KNOWN = ("0.45.", "0.46.", "0.47.", "0.48.", "0.49.", "0.50.")
"""The versions of llvmlite whose functions have the parameters used here."""

_OUT = POINTER(c_void_p)
_LONG: dict[str, tuple[Any, ...]] = {
    "ParseAssembly": (c_void_p, c_void_p, c_char_p, _OUT),
    "TargetMachineEmitToMemory": (c_void_p, c_void_p, c_void_p, c_int, _OUT),
}
"""Functions called without the GIL: the types of the result and of the parameters, by name."""
_BRIEF: dict[str, tuple[Any, ...]] = {
    "InitializeNativeTarget": (None,),
    "InitializeNativeAsmPrinter": (None,),
    "InitializeNativeAsmParser": (None,),
    "GetTargetFromTriple": (c_void_p, c_char_p, _OUT),
    "CreateTargetMachine": (
        c_void_p, c_void_p, c_char_p, c_char_p, c_char_p, c_int, c_char_p, c_char_p, c_int, c_int, c_char_p,
    ),
    "CreateTargetMachineData": (c_void_p, c_void_p),
    "CopyStringRepOfTargetData": (None, c_void_p, _OUT),
    "DisposeTargetData": (None, c_void_p),
    "ContextCreate": (c_void_p,),
    "ContextDispose": (None, c_void_p),
    "SetTarget": (None, c_void_p, c_char_p),
    "SetDataLayout": (None, c_void_p, c_char_p),
    "VerifyModule": (c_int, c_void_p, _OUT),
    "DisposeModule": (None, c_void_p),
    "GetBufferStart": (c_void_p, c_void_p),
    "GetBufferSize": (c_size_t, c_void_p),
    "DisposeMemoryBuffer": (None, c_void_p),
    "DisposeString": (None, c_void_p),
}  # fmt: skip


_WORKING_BYTES = 16 << 20
_BYTES_PER_IR_BYTE = 32
"""Twice the most memory that LLVM was observed to use: 2.4 MB for a text of 174 kB."""


class CodeGenerator:
    """Compiles LLVM IR to objects for targets of this machine's architecture, on any number of threads."""

    def __init__(self, path: str) -> None:
        check_room(0)
        try:
            libraries = (ctypes.CDLL(path), _LONG), (ctypes.PyDLL(path), _BRIEF)
        except OSError as problem:
            raise not_loaded(problem) from problem
        for library, table in libraries:
            for name, (result, *parameters) in table.items():
                function = getattr(library, f"LLVMPY_{name}")
                function.restype, function.argtypes = result, parameters
                setattr(self, f"_{name}", function)
        self._InitializeNativeTarget()
        self._InitializeNativeAsmPrinter()
        self._InitializeNativeAsmParser()
        self._idle: dict[Target, list[tuple[int, bytes]]] = {}
        """Unused target machines, with their data layouts."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def makes(self, target: Target) -> bool:
        """Whether the target's architecture is initialized, as this machine's is."""
        message = c_void_p()
        found = self._GetTargetFromTriple(target.triple.encode(), message)
        self._taken(message)
        return bool(found)

    def object_code(self, llvm_ir: str, target: Target) -> bytes:
        """The object file of a module as it stands, without LLVM's optimisation pipeline.

        Raises RuntimeError with LLVM's words for a text that it cannot parse or verify.
        """
        idle = self._idle.setdefault(target, [])
        try:
            machine = idle.pop()
        except IndexError:
            machine = self._machine(target)
        context = self._ContextCreate()
        try:
            return self._emitted(llvm_ir, target, context, *machine)
        finally:
            self._ContextDispose(context)
            idle.append(machine)

    def _emitted(self, llvm_ir: str, target: Target, context: int, machine: int, layout: bytes) -> bytes:
        message = c_void_p()
        module = self._ParseAssembly(context, llvm_ir.encode(), message)
        if not module:
            raise RuntimeError(f"LLVM IR parsing error\n{self._taken(message)}")
        try:
            self._SetTarget(module, target.triple.encode())
            self._SetDataLayout(module, layout)
            if self._VerifyModule(module, message):
                raise RuntimeError(self._taken(message))
            self._taken(message)
            buffer = self._TargetMachineEmitToMemory(machine, module, 1, message)
            if not buffer:
                raise RuntimeError(self._taken(message))
            try:
                return ctypes.string_at(self._GetBufferStart(buffer), self._GetBufferSize(buffer))
            finally:
                self._DisposeMemoryBuffer(buffer)
        finally:
            self._DisposeModule(module)

    def _machine(self, target: Target) -> tuple[int, bytes]:
        message = c_void_p()
        found = self._GetTargetFromTriple(target.triple.encode(), message)
        # With pic and the small model every reference is relative to the instruction: code can lie anywhere.
        machine = self._CreateTargetMachine(
            found, target.triple.encode(), target.cpu.encode(), target.features.encode(),
            target.optimization_level, b"pic", b"small", 0, 0, b"",
        )  # fmt: skip
        data = self._CreateTargetMachineData(machine)
        self._CopyStringRepOfTargetData(data, message)
        self._DisposeTargetData(data)
        return machine, self._taken(message).encode()

    def _taken(self, message: c_void_p) -> str:
        """Takes over a text of LLVM's, and frees it there."""
        if not message.value:
            return ""
        text = ctypes.string_at(message.value).decode(errors="replace")
        self._DisposeString(message)
        message.value = None
        return text


@cache
def code_generator() -> CodeGenerator | None:
    """Returns this process's generator; None where llvmlite has an unknown version or location."""
    path = _library()
    return CodeGenerator(path) if path is not None else None


def _library() -> str | None:
    import llvmlite

    if not llvmlite.__version__.startswith(KNOWN):
        return None
    name = {"win32": "llvmlite.dll", "darwin": "libllvmlite.dylib"}.get(sys.platform, "libllvmlite.so")
    path = os.path.join(llvmlite.__path__[0], "binding", name)
    return path if os.path.isfile(path) else None


def check_room(ir_bytes: int) -> None:
    """Raises OutOfMemoryError where the process may not have the addresses (RLIMIT_AS) that LLVM needs for a
    text of so many bytes, or for itself where it is not loaded: LLVM would end the process."""
    room = address_room()
    if room is None:
        return
    needed = _WORKING_BYTES + _BYTES_PER_IR_BYTE * ir_bytes
    path = _library()
    if path is not None and not _is_mapped(path):
        needed += os.path.getsize(path)
    if room < needed:
        raise _no_addresses(needed, room)


def not_loaded(problem: OSError | MemoryError) -> BackendError:
    """Returns the error for LLVM's library that could not be loaded."""
    room, path = address_room(), _library()
    if room is not None and path is not None:
        return _no_addresses(os.path.getsize(path) + _WORKING_BYTES, room)
    return BackendUnavailableError(
        f"LLVM, which compiles for cpu, cannot be loaded: {problem}",
        device="cpu",
        suggestions=("install llvmlite again (pip install --force-reinstall llvmlite)",),
    )


def _no_addresses(needed: int, room: int) -> OutOfMemoryError:
    return OutOfMemoryError(
        f"compiling for cpu takes some {needed:,} bytes of addresses, and {room:,} are left to this process",
        device="cpu",
        context={"asked_bytes": needed, "free_bytes": room},
        suggestions=(
            "raise its limit (ulimit -v, RLIMIT_AS)",
            "run the program once without it: kernels that the cache has need no compiler",
        ),
    ).for_good()


def _is_mapped(path: str) -> bool:
    name = os.path.basename(path)
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            return any(name in line for line in maps)
    except OSError:
        return False


@cache
def load_in_background() -> None:
    """Loads the library in the background, on a thread without the GIL, which ctypes would keep.

    Code that needs it meanwhile waits in the system's loader.
    """
    path = _library()
    if path is None or not sys.platform.startswith("linux") or code_generator.cache_info().currsize:
        return
    try:
        check_room(0)
    except OutOfMemoryError:  # which whoever needs it is told
        return
    open_library = ctypes.CDLL(None).dlopen
    open_library.argtypes, open_library.restype = (c_char_p, c_int), c_void_p
    name = os.fsencode(path)
    start(lambda: open_library(name, os.RTLD_NOW))  # where it fails, `code_generator` says so
