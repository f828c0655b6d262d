"""The verifier's rules of control flow: barriers that all lanes reach, and divisions in lanes loops."""

from __future__ import annotations

from collections.abc import Iterator

from .exits import contains, leaves_alone, mask_exits
from .nodes import Block, Instruction, Kernel, constant_number, walk
from .variance import WORKGROUP_LANE, Variance

Fault = tuple[Instruction, str]
_Path = tuple[tuple[Block, int], ...]
"""Nested blocks from the kernel's body inwards, with a position in each."""


def flow_fault(kernel: Kernel) -> Fault | None:
    """Returns the first misplaced instruction, and why; None where there is none."""
    variance = Variance(kernel)
    left = False
    for instruction, path in _paths(kernel.body):
        name = instruction.op.name
        message = ""
        if name == "barrier" and variance.control[instruction] & WORKGROUP_LANE:
            message = _parting(instruction, path, variance)
        elif name == "exit":
            left = left or leaves_alone(instruction, variance)
        elif name in ("for", "while"):
            # A later iteration's barrier comes after an earlier iteration's exit.
            inside = (each for block in instruction.blocks for each in walk(block))
            left = left or any(leaves_alone(each, variance) for each in inside)
            if name == "while" and left and contains(instruction, "barrier"):
                message = "a while with a barrier, where lanes may all have left by exit: nobody would end it"
        elif name in ("quotient", "remainder"):
            message = _division(instruction, variance)
        elif "stream" in instruction.attributes and variance.of(instruction.operands[-1]) & ~WORKGROUP_LANE:
            message = "a stream flag that differs between iterations of a lanes loop"
        if message:
            return instruction, message
    return _met_by_those_that_left(kernel) if left else None


def _met_by_those_that_left(kernel: Kernel) -> Fault | None:
    """Exited lanes must reach every barrier, so the conditions on the way must be known to them."""
    masked = mask_exits(kernel)
    variance = Variance(masked)
    barriers = (
        [instruction for instruction in walk(one.body) if instruction.op.name == "barrier"]
        for one in (kernel, masked)
    )
    for own, met in zip(*barriers, strict=True):
        if variance.control[met] & WORKGROUP_LANE:
            return own, (
                f"the way to barrier {own.attributes['id']} depends on what lanes that left by exit do not "
                "know: compute and load it before the exit"
            )
    return None


def _division(instruction: Instruction, variance: Variance) -> str:
    dividend, divisor = instruction.operands
    if constant_number(divisor) is not None:
        return ""
    if not (variance.of(dividend) | variance.of(divisor)) & ~WORKGROUP_LANE:
        return ""
    message = f"{instruction.op.name} by a run-time value, different in each iteration of a lanes loop"
    return f"{message}: it cannot be vectorised; split the axis"


# Barriers that some lanes miss -----------------------------------------------------------------------
def _parting(barrier: Instruction, path: _Path, variance: Variance) -> str:
    """The message for a barrier that not all lanes reach, with the barrier that the other lanes are at."""
    own = barrier.attributes["id"]
    parted = next(
        level
        for level, (block, place) in enumerate(path[1:])
        if variance.control[block.instructions[place]] & WORKGROUP_LANE
    )
    block, place = path[parted]
    owner, taken = block.instructions[place], path[parted + 1][0]
    message = f"barrier {own} under control flow that varies by lane"
    for other in owner.blocks if owner.op.name == "if" else ():
        if other is not taken and (opposite := _barriers(other.instructions)):
            if opposite[0] == own:
                return f"{message}: it stands in both branches; let one behind them serve all lanes"
            return f"{message}: other lanes wait at barrier {opposite[0]}"
    for block, place in reversed(path[: parted + 1]):
        if following := _barriers(block.instructions[place + 1 :]):
            return f"{message}: other lanes go on to barrier {following[0]}"
    return f"{message}: other lanes do not come to it"


def _barriers(instructions: list[Instruction]) -> list[int]:
    """The ids of barriers in order, of nested blocks too."""
    return [
        instruction.attributes["id"]
        for instruction in walk(Block((), instructions))
        if instruction.op.name == "barrier"
    ]


def _paths(block: Block, above: _Path = ()) -> Iterator[tuple[Instruction, _Path]]:
    """Yields every instruction in program order, with its path."""
    for place, instruction in enumerate(block.instructions):
        path = (*above, (block, place))
        yield instruction, path
        for inner in instruction.blocks:
            yield from _paths(inner, path)
