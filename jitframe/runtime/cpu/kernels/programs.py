"""User programs in LLVM IR, or images of them: compiled, loaded, and run over a grid."""

from __future__ import annotations

from collections.abc import Sequence

from ....codegen.plan.nodes import BufferRef, Launch, Plan, PlanBuffer
from ....errors import CompileError
from ....ir.record import record
from ....ir.types import U8
from ...drivers.source_programs import Argument, Grid, built_program, rejected
from ..execution.runtime import runtime
from ..machine_code.compile import compile_text
from ..machine_code.image import OBJECT, Image, ImageError, load, package
from ..machine_code.levels import Target
from .compiled_kernels import target_text


class SourceHandle(metaclass=record):
    """A loaded program."""

    entry: str
    address: int
    image: bytes


def compile_program(program: str | bytes, entry: str, target: Target) -> SourceHandle:
    """Raises CompileError for text that LLVM refuses, invalid images, and missing entries."""
    try:
        image = Image.from_bytes(program if isinstance(program, bytes) else _compiled(program, entry, target))
        if image.kind == OBJECT:
            loaded = load(image)
            if entry not in loaded.symbols:
                raise ImageError(f"it has no function {entry}")
            return SourceHandle(entry, loaded.address(entry), image.to_bytes())
        if entry not in image.symbols:
            raise ImageError(f"it has no function {entry}; it has {', '.join(image.symbols) or 'none'}")
        return SourceHandle(entry, load(image).address(entry), image.to_bytes())
    except ImageError as problem:
        raise rejected("cpu", entry, program, problem) from problem
    except CompileError as problem:
        problem.context["entry"] = entry
        raise


def _compiled(text: str, entry: str, target: Target) -> bytes:
    def build() -> bytes:
        return package(compile_text(text, target, optimize=True)).to_bytes()

    return built_program(text, entry, target_text(target), {}, build)


def run_program(
    handle: SourceHandle, arguments: Sequence[Argument], grid: Grid, workgroup: Grid, threads: int
) -> None:
    """Runs it over all workgroups, on at most so many threads."""
    slots: list[BufferRef | int] = []
    addresses: list[int] = []
    for argument in arguments:
        if isinstance(argument, bytes):
            words = range(0, len(argument), 8)
            slots += [int.from_bytes(argument[at : at + 8], "little") for at in words]
        else:
            memory, offset = argument
            slots.append(BufferRef(len(addresses), offset))
            addresses.append(memory.address)
    slots += (*grid, *workgroup)
    launch = Launch(0, (), tuple(slots), (), grid[0] * grid[1] * grid[2])
    memory = (PlanBuffer(U8, 0),) * len(addresses)
    plan = Plan(0, (None,), len(addresses), (), memory, (launch,), ())  # type: ignore[arg-type]
    runtime().run(runtime().encode(plan, [handle.address], threads), addresses)
