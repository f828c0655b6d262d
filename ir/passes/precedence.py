"""What has to run before what: the order that reads put between stages, while stages are joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .stages import Stage


class Precedence:
    """The stages that each stage comes after, kept up to date as groups of stages become one step.

    A set of stages is an integer, a bit for each. `needs`: the stages that each one reads or must follow.
    """

    def __init__(self, needs: Mapping[Stage, Sequence[Stage]]) -> None:
        self.needs = needs
        self._bit = {stage: 1 << position for position, stage in enumerate(needs)}
        self._above: dict[Stage, int] = {}
        """Everything that a stage waits for, itself and what is one step with it included."""
        for stage in needs:
            self._close(stage)

    def _close(self, stage: Stage) -> None:
        """Needs mostly come first among the stages, but not all."""
        pending, opened = [stage], set[Stage]()
        while pending:
            current = pending[-1]
            if current in self._above:
                pending.pop()
                continue
            missing = [need for need in self.needs[current] if need not in self._above]
            if missing:
                assert current not in opened, "stages depend on each other"
                opened.add(current)
                pending.extend(missing)
                continue
            above = self._bit[current]
            for need in self.needs[current]:
                above |= self._above[need]
            self._above[current] = above
            pending.pop()

    def between(self, first: Iterable[Stage], second: Iterable[Stage]) -> bool:
        """Whether some stage outside has to run after one of two steps and before the other."""
        inside = {*first, *second}
        bits = self._bits(inside)
        outside = {need for stage in inside for need in self.needs[stage]} - inside
        return any(self._above[need] & bits for need in outside)

    def join(self, stages: Iterable[Stage]) -> None:
        """From here on, these stages are one step."""
        stages = tuple(stages)
        bits, above = self._bits(stages), 0
        for stage in stages:
            above |= self._above[stage]
        for stage, known in self._above.items():
            if known & bits:
                self._above[stage] = known | above

    def _bits(self, stages: Iterable[Stage]) -> int:
        bits = 0
        for stage in stages:
            bits |= self._bit[stage]
        return bits
