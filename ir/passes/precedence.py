"""Precedence: the order that reads and writes put between stages, while stages are joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .stages import Stage


class Precedence:
    """The transitive dependences between stages, maintained while groups of stages are merged.

    A set of stages is an integer, a bit for each. `needs`: the stages that each one reads or must follow.
    """

    def __init__(self, needs: Mapping[Stage, Sequence[Stage]]) -> None:
        self.needs = needs
        self._stages = tuple(needs)
        bits = {stage: 1 << position for position, stage in enumerate(needs)}
        self._first: dict[Stage, Stage] = dict(zip(needs, needs, strict=True))
        """The stage that stands for the step that each is of."""
        self._members = bits
        """The stages of each step."""
        self._needed = {stage: _union([bits[need] for need in needs[stage]]) for stage in needs}
        """What the stages of each step need."""
        self._above: dict[Stage, int] = {}
        """Everything that a step waits for, itself included, of those that were asked for."""

    def _all_above(self, step: Stage) -> int:
        """Everything that a step waits for, itself included."""
        known = self._above.get(step)
        return self._find_above(step) if known is None else known

    def _find_above(self, step: Stage) -> int:
        pending, opened = [step], set[Stage]()
        while step not in self._above:
            current = pending[-1]
            needs = [self._first[need] for need in self.needs[current]]
            missing = [need for need in needs if need not in self._above]
            if missing:
                assert current not in opened, "stages depend on each other"
                opened.add(current)
                pending.extend(missing)
                continue
            self._above[current] = self._members[current] | _union([self._above[need] for need in needs])
            pending.pop()
        return self._above[step]

    def between(self, stages: Iterable[Stage]) -> bool:
        """Whether something else has to run after one of some steps and before another; `stages`: all that
        they have."""
        steps = {self._first[stage] for stage in stages}
        inside = _union([self._members[step] for step in steps])
        outside = _union([self._needed[step] for step in steps]) & ~inside
        while outside:
            need = self._first[self._stages[outside.bit_length() - 1]]
            if self._all_above(need) & inside:
                return True
            outside &= ~self._members[need]
        return False

    def join(self, stages: Sequence[Stage]) -> None:
        """From here on, these stages are one step, with all that were one with any of them."""
        steps = {self._first[stage] for stage in stages}
        above = _union([self._all_above(step) for step in steps])
        members = _union([self._members[step] for step in steps])
        needed = _union([self._needed[step] for step in steps])
        for step in steps:
            del self._above[step]
        first = stages[0]
        self._first.update(dict.fromkeys(stages, first))
        self._above[first], self._members[first], self._needed[first] = above, members, needed
        for step, known in self._above.items():
            if known & members:
                self._above[step] = known | above


def _union(sets: Iterable[int]) -> int:
    together = 0
    for each in sets:
        together |= each
    return together
