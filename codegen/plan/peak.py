"""The peak memory of a bound plan, by simulation of its steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .kinds import all_steps
from .nodes import Alloc, Cond, Faults, Free, LibraryCall, Loop, Plan, Step, While

_Live = dict[int, int]
"""Bytes by buffer."""
_ITERATIONS = 4
"""Iterations of a loop after which its swaps have moved every buffer to every place that matters."""


def estimate_peak_bytes(bound: Plan, block: Callable[[int], int] = int, keeps_faults: bool = False) -> int:
    """Returns the most memory that a bound plan holds at one time, inputs excluded, outputs included.

    `block`: bytes of the block that serves a request. `keeps_faults`: whether the memory for recorded faults
    outlives the run. Of a cond, the arm that needs more counts.
    """
    return _Walk(bound, block, keeps_faults).peak(bound.steps, {})


def largest_buffer(bound: Plan) -> int:
    """Returns the bytes of the largest memory that a bound plan allocates."""
    steps = (step for step in all_steps(bound.steps) if isinstance(step, Alloc))
    return max((bound.buffers[step.buffer].nbytes for step in steps), default=0)


def has_library_calls(steps: tuple[Step, ...]) -> bool:
    """Whether some step calls a library."""
    return any(isinstance(step, LibraryCall) for step in all_steps(steps))


class _Walk:
    def __init__(self, plan: Plan, block: Callable[[int], int], keeps_faults: bool) -> None:
        self.plan = plan
        self.block = block
        self.keeps_faults = keeps_faults
        self.kept: set[int] = set()
        """Buffers that outlive the run."""

    def peak(self, steps: Sequence[Step], live: _Live) -> int:
        """Returns the peak of steps that start with the live buffers, which they update."""
        peak = sum(live.values())
        for step in steps:
            if isinstance(step, Alloc):
                live[step.buffer] = self.block(self.plan.buffers[step.buffer].nbytes)
                peak = max(peak, sum(live.values()))
            elif isinstance(step, Free):
                if step.buffer not in self.kept:
                    live.pop(step.buffer, None)
            elif isinstance(step, Faults):
                if self.keeps_faults:
                    self.kept.add(step.buffer)
            elif isinstance(step, Loop):
                peak = max(peak, self._turns((step.body,), step.swaps, live))
            elif isinstance(step, While):
                peak = max(peak, self.peak(step.condition, live))
                peak = max(peak, self._turns((step.body, step.condition), step.swaps, live))
            elif isinstance(step, Cond):
                other = dict(live)
                peak = max(peak, self.peak(step.then, live), self.peak(step.orelse, other))
                if sum(other.values()) > sum(live.values()):
                    live.clear()
                    live.update(other)
        return peak

    def _turns(self, parts: Sequence[Sequence[Step]], swaps: Sequence[tuple[int, int]], live: _Live) -> int:
        """Returns the peak of a loop's iterations, until the live buffers do not change."""
        peak = 0
        for _ in range(_ITERATIONS):
            before = dict(live)
            first, *rest = parts
            peak = max(peak, self.peak(first, live))
            for one, other in swaps:
                sizes = live.pop(one, None), live.pop(other, None)
                live.update({name: size for name, size in zip((other, one), sizes) if size is not None})
            for part in rest:
                peak = max(peak, self.peak(part, live))
            if live == before:
                break
        return peak
