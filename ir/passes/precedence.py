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
        self._first: dict[Stage, Stage] = {}
        """The stage that stands for each joined one."""
        self._above: dict[Stage, int] = {}
        """Everything that a step waits for, itself included, of those that were asked for."""

    def _all_above(self, stage: Stage) -> int:
        """Everything that a stage waits for, itself and what is one step with it included."""
        stage = self._first.get(stage, stage)
        known = self._above.get(stage)
        return self._find_above(stage) if known is None else known

    def _find_above(self, stage: Stage) -> int:
        pending, opened = [stage], set[Stage]()
        while stage not in self._above:
            current = pending[-1]
            needs = [self._first.get(need, need) for need in self.needs[current]]
            missing = [need for need in needs if need not in self._above]
            if missing:
                assert current not in opened, "stages depend on each other"
                opened.add(current)
                pending.extend(missing)
                continue
            above = self._bit[current]
            for need in needs:
                above |= self._above[need]
            self._above[current] = above
            pending.pop()
        return self._above[stage]

    def between(self, first: Iterable[Stage], second: Iterable[Stage]) -> bool:
        """Whether some stage outside has to run after one of two steps and before the other."""
        inside = {*first, *second}
        outside = {need for stage in inside for need in self.needs[stage]} - inside
        bits = self._bits(inside) if outside else 0
        return any(self._all_above(need) & bits for need in outside)

    def join(self, stages: Iterable[Stage]) -> None:
        """From here on, these stages are one step."""
        stages = tuple(stages)
        bits, above = self._bits(stages), 0
        for stage in stages:
            above |= self._all_above(stage)
        for stage in stages:
            self._above.pop(self._first.get(stage, stage), None)
            self._first[stage] = stages[0]
        self._above[stages[0]] = above
        for step, known in self._above.items():
            if known & bits:
                self._above[step] = known | above

    def _bits(self, stages: Iterable[Stage]) -> int:
        bits = 0
        for stage in stages:
            bits |= self._bit[stage]
        return bits
