"""Programs that must fail: every rule of the verifier, with its whole message (`rejected.txt`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Instruction, Kernel, Value
from jitframe.codegen.kernel.ops import KERNEL_OPS, KernelOp
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.verify import KernelError, verify
from jitframe.ir.types import BOOL, F32, INDEX


def rejected() -> list[tuple[str, str, str]]:
    """(name, kernel, message) of each section of the file: `=== name`, the kernel, `---`, the message."""
    sections = (Path(__file__).parent / "rejected.txt").read_text().split("=== ")[1:]
    parted = [section.partition("\n") for section in sections]
    return [(name, *body.split("---\n")) for name, _, body in parted]


@pytest.mark.parametrize(("name", "text", "message"), rejected(), ids=lambda part: part.splitlines()[0])
def test_rejected(name: str, text: str, message: str) -> None:
    with pytest.raises(KernelError) as caught:
        verify(parse_kernel(text))
    assert str(caught.value) == message.rstrip("\n")


def foreign_operand() -> Kernel:
    build = KernelBuilder("k")
    build.emit("neg", (Value(F32),))
    return build.finish()


def twice_in_place() -> Kernel:
    build = KernelBuilder("k")
    build.emit("neg", (build.scalar(F32),))
    kernel = build.finish()
    kernel.body.instructions *= 2
    return kernel


def foreign_instruction() -> Kernel:
    build = KernelBuilder("k")
    kernel = build.finish()
    kernel.body.instructions.append(Instruction(KernelOp("dance", "effect", 0), ()))
    return kernel


def constant_of_another_type() -> Kernel:
    build = KernelBuilder("k")
    build.emit("constant", (), {"dtype": F32, "value": 1})
    return build.finish()


def missing_value() -> Kernel:
    build = KernelBuilder("k")
    build.emit("constant", (), {"dtype": F32})
    return build.finish()


def scalar_index() -> Kernel:
    build = KernelBuilder("k")
    build.scalar(INDEX)
    return build.finish()


def index_of_another_dtype() -> Kernel:
    kernel = KernelBuilder("k").finish()
    kernel.indices = (Value(BOOL),)
    return kernel


def block_of_another_shape() -> Kernel:
    build = KernelBuilder("k")
    condition = build.scalar(BOOL)
    with build.when(condition):
        pass
    kernel = build.finish()
    kernel.body.instructions[-1].blocks[0].parameters = (Value(F32),)
    return kernel


def barrier_without_id() -> Kernel:
    kernel = KernelBuilder("k").finish()
    kernel.body.instructions.append(Instruction(KERNEL_OPS["barrier"], ()))
    return kernel


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (foreign_operand, "an operand is not defined above"),
        (twice_in_place, "a value is defined twice"),
        (foreign_instruction, "dance is not in the instruction set"),
        (constant_of_another_type, "a constant of f32 is a Python float, not 1"),
        (missing_value, "a constant of f32 is a Python float, not None"),
        (scalar_index, "a scalar parameter of dtype index: indices stand apart"),
        (index_of_another_dtype, "an index parameter of dtype bool"),
        (block_of_another_shape, "a block of if takes (f32) where () is due"),
        (barrier_without_id, "a barrier's id is a number from 0, not None"),
    ],
)
def test_rejected_without_text(make: Callable[[], Kernel], message: str) -> None:
    with pytest.raises(KernelError) as caught:
        verify(make())
    assert str(caught.value).splitlines()[0] == f"kernel k: {message}"


ACCEPTED = {
    "a barrier under uniform control flow": """\
kernel k, workgroup 64
  buffers @0: in f32
  indices %0, %1
  @1: f32 = allocate shared 64
  %2: index = constant 0
  %3: index = constant 1
  %4: index = lane_id
  for serial %5 from %2 to %0 step %3:
    %6: f32 = load @0[%5]
    store @1[%4] = %6
    barrier 0
    %7: f32 = load @1[%2]
    %8: bool = gt %7, %6
    if %8:
      barrier 1
""",
    "remainder by a run-time value of a value that is equal in all iterations": """\
kernel k, workgroup 1
  buffers @0: out f32
  indices %0, %1
  scalars %2: f32
  %3: index = constant 1
  for serial %4 from %3 to %0 step %3:
    for lanes %5 from %3 to %0 step %3:
      %6: index = remainder %4, %1
      store @0[%5] = %2
""",
    "remainder of the iteration by a constant": """\
kernel k, workgroup 1
  buffers @0: out f32
  indices %0
  scalars %1: f32
  %2: index = constant 4
  for lanes %3 from %2 to %0 step %2:
    %4: index = remainder %3, %2
    store @0[%4] = %1
""",
    "quotient by a run-time value of what a lanes loop reduced": """\
kernel k, workgroup 1
  indices %0
  %1: index = constant 1
  %2: index = for lanes %3 from %1 to %0 step %1 reduce %1:
    yield %3
  combine %4: index, %5: index:
    %6: index = maximum %4, %5
    yield %6
  %7: index = quotient %2, %0
""",
    "an exit of every lane before a barrier": """\
kernel k, workgroup 64
  indices %0, %1
  %2: bool = ge %0, %1
  if %2:
    exit
  barrier 0
""",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    verify(parse_kernel(ACCEPTED[name]))


def test_fma_is_accepted_where_it_was_asked_for() -> None:
    build = KernelBuilder("k")
    x = build.scalar(F32)
    build.emit("fma", (x, x, x))
    verify(build.finish(), allow_fma=True)
