"""How much memory a bound plan holds at a time, found by going through its steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .bound import (
    BoundAlloc,
    BoundCond,
    BoundFaults,
    BoundFree,
    BoundGemm,
    BoundLoop,
    BoundPlan,
    BoundStep,
    BoundWhile,
)

_Held = dict[int, int]
"""Bytes by buffer."""
_TURNS = 4
"""Turns of a loop after which its swaps have brought every buffer to every place that matters."""


def estimate_peak_bytes(
    bound: BoundPlan, block: Callable[[int], int] = int, keeps_faults: bool = False
) -> int:
    """The most memory a bound plan holds at one time, inputs not counted, outputs counted.

    `block`: bytes of the block that serves a request. `keeps_faults`: whether the memory where positions out
    of bounds are noted outlives the run. Of an if, the side that needs more is taken.
    """
    return _Walk(block, keeps_faults).peak(bound.steps, {})


def has_products(steps: Sequence[BoundStep]) -> bool:
    """Whether a library multiplies matrices somewhere."""
    return any(
        isinstance(step, BoundGemm) or any(has_products(inner) for inner in _inner(step)) for step in steps
    )


def _inner(step: BoundStep) -> tuple[tuple[BoundStep, ...], ...]:
    if isinstance(step, BoundLoop):
        return (step.body,)
    if isinstance(step, BoundWhile):
        return step.condition, step.body
    if isinstance(step, BoundCond):
        return step.then, step.orelse
    return ()


class _Walk:
    def __init__(self, block: Callable[[int], int], keeps_faults: bool) -> None:
        self.block = block
        self.keeps_faults = keeps_faults
        self.kept: set[int] = set()
        """Buffers that are somebody else's once the run ends."""

    def peak(self, steps: Sequence[BoundStep], held: _Held) -> int:
        """The peak of steps that start with the buffers `held`, which they update."""
        peak = sum(held.values())
        for step in steps:
            if isinstance(step, BoundAlloc):
                held[step.buffer] = self.block(step.nbytes)
                peak = max(peak, sum(held.values()))
            elif isinstance(step, BoundFree):
                if step.buffer not in self.kept:
                    held.pop(step.buffer, None)
            elif isinstance(step, BoundFaults):
                if self.keeps_faults:
                    self.kept.add(step.buffer)
            elif isinstance(step, BoundLoop):
                peak = max(peak, self._turns((step.body,), step.swaps, held))
            elif isinstance(step, BoundWhile):
                peak = max(peak, self.peak(step.condition, held))
                peak = max(peak, self._turns((step.body, step.condition), step.swaps, held))
            elif isinstance(step, BoundCond):
                other = dict(held)
                peak = max(peak, self.peak(step.then, held), self.peak(step.orelse, other))
                if sum(other.values()) > sum(held.values()):
                    held.clear()
                    held.update(other)
        return peak

    def _turns(
        self, parts: Sequence[Sequence[BoundStep]], swaps: Sequence[tuple[int, int]], held: _Held
    ) -> int:
        """The peak of a loop's turns: until one changes nothing."""
        peak = 0
        for _ in range(_TURNS):
            before = dict(held)
            first, *rest = parts
            peak = max(peak, self.peak(first, held))
            for one, other in swaps:
                sizes = held.pop(one, None), held.pop(other, None)
                held.update({name: size for name, size in zip((other, one), sizes) if size is not None})
            for part in rest:
                peak = max(peak, self.peak(part, held))
            if held == before:
                break
        return peak
