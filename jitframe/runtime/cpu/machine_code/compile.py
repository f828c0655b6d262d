"""Compiles LLVM IR text to object code, to assembly, or (as a fallback) to memory; functions that `llvm`
lacks use llvmlite's binding, which nothing else imports.

LLVM runs on threads of jitframe's own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ....base.background import on_own_thread
from ....base.locks import ReentrantLock
from ....errors import CompileError
from .llvm import check_room, code_generator, not_loaded

if TYPE_CHECKING:
    from .levels import Target

_lock = ReentrantLock()
"""Held by threads of jitframe's own: no fork finds it held."""
_binding: Any = None
_machines: dict[Target, Any] = {}
_engines: list[Any] = []


def binding() -> Any:
    """Returns llvmlite's binding with this machine's own target ready; imported on first use."""
    global _binding
    with _lock:
        if _binding is None:
            check_room(0)
            try:
                import llvmlite.binding as llvm
            except (OSError, MemoryError) as problem:
                raise not_loaded(problem) from problem

            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            llvm.initialize_native_asmparser()
            _binding = llvm
        return _binding


def host_description() -> tuple[str, str, str]:
    """Returns triple, processor name and feature string of this machine, as LLVM sees them."""

    def describe() -> tuple[str, str, str]:
        llvm = binding()
        return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()

    return on_own_thread(describe)


def _machine(target: Target) -> Any:
    if target not in _machines:
        found = _llvm_target(target.triple)
        # With pic and the small model every reference is relative to the instruction: code can lie anywhere.
        _machines[target] = found.create_target_machine(
            cpu=target.cpu, features=target.features, opt=target.optimization_level, reloc="pic",
            codemodel="small", jit=False,
        )  # fmt: skip
    return _machines[target]


def _llvm_target(triple: str) -> Any:
    llvm = binding()
    try:
        return llvm.Target.from_triple(triple)
    except RuntimeError:  # of another architecture: making all of them ready takes a millisecond
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        return llvm.Target.from_triple(triple)


@cache
def _data_layout(machine: Any) -> str:
    return str(machine.target_data)


def _parsed(llvm_ir: str, target: Target, optimize: bool) -> tuple[Any, Any]:
    llvm = binding()
    machine = _machine(target)
    try:
        module = llvm.parse_assembly(llvm_ir)
        module.triple = target.triple
        module.data_layout = _data_layout(machine)
        module.verify()
    except RuntimeError as error:
        raise _refused(error, llvm_ir) from error
    if optimize:
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        # The IR has explicit vectors; the runtime's loops gain nothing from vectorization.
        options.loop_vectorization = options.slp_vectorization = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
    return module, machine


def _refused(error: RuntimeError, llvm_ir: str) -> CompileError:
    numbered = "\n".join(f"{number:5} {line}" for number, line in enumerate(llvm_ir.splitlines(), 1))
    return CompileError(f"LLVM refused this module: {error}\n{numbered}", device="cpu")


def compile_text(llvm_ir: str, target: Target, optimize: bool = False) -> bytes:
    """The object file of a module; `optimize` runs LLVM's pipeline first (kernels are emitted as they are).

    Raises CompileError where LLVM cannot parse or verify the text, OutOfMemoryError where the process may not
    have the addresses that it takes.
    """
    return on_own_thread(lambda: _compiled(llvm_ir, target, optimize))


def _compiled(llvm_ir: str, target: Target, optimize: bool) -> bytes:
    check_room(len(llvm_ir))
    if not optimize:
        generator = code_generator()
        if generator is not None and generator.makes(target):
            try:
                return generator.object_code(llvm_ir, target)
            except RuntimeError as error:
                raise _refused(error, llvm_ir) from error
    with _lock:
        module, machine = _parsed(llvm_ir, target, optimize)
        return bytes(machine.emit_object(module))


def assembly(llvm_ir: str, target: Target, optimize: bool = False) -> str:
    """Returns the assembly text of a module. Each call parses anew, because emitting changes a module."""

    def write() -> str:
        with _lock:
            module, machine = _parsed(llvm_ir, target, optimize)
            return str(machine.emit_assembly(module))

    return on_own_thread(write)


def load_object(object_bytes: bytes) -> Any:
    """Let LLVM's MCJIT load an object of this machine's own format; gives symbol -> address.

    Each object has an engine of its own, since two may define one name, and keeps it until the process ends.
    """
    return on_own_thread(lambda: _load(object_bytes))


def _load(object_bytes: bytes) -> Any:
    llvm = binding()
    with _lock:
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(object_bytes))
        engine.finalize_object()
        _engines.append(engine)
        return engine.get_function_address
