"""A kernel builder for loop nests with loop-invariant code motion and common subexpression elimination."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Block, Buffer, Instruction, Value
from ...kernel.ops import KERNEL_OPS, PURE
from ...kernel.scopes import Scopes

_HOISTED = PURE - {"lane_id"}


class LoopBuilder(KernelBuilder):
    """A kernel builder that puts pure instructions into the outermost open block where they can stand."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.levels: dict[Value, int] = {}
        self.memos: Scopes[Value] = Scopes()
        self.recall = self.memos.get
        """Returns the value that was remembered by a key, where it is still visible; else None."""
        self._floors = [0]
        """The level of the innermost conditional block, which loads must not leave."""
        self._confined = [0]
        """The level of the innermost block that no instruction leaves, see `confine`."""

    @property
    def depth(self) -> int:
        return len(self._blocks) - 1

    def emit(
        self, name: str, operands: Sequence[Value] = (), attributes: dict[str, Any] | None = None
    ) -> Value:
        op = KERNEL_OPS[name]
        hoisted_load = name == "load" and isinstance(operands[0], Buffer) and operands[0].access == "in"
        if not (name in _HOISTED or hoisted_load):
            value = super().emit(name, operands, attributes)
            self.levels[value] = self.depth
            return value
        operands = tuple(operands)
        attributes = attributes or {}
        key = (name, operands, repr(attributes) if attributes else "")
        known = self._known.get(key)
        if known is not None:
            return known
        levels = self.levels
        level = max(self._confined[-1], self._floors[-1] if hoisted_load else 0)
        for operand in operands:
            known_at = levels.get(operand, 0)
            if known_at > level:
                level = known_at
        instruction = Instruction(
            op, operands, (self._result_type(op.rule, operands, attributes),), attributes
        )
        self._append(instruction, level)
        value = instruction.results[0]
        self._known.add(key, value, level)
        return value

    def remember(self, key: Hashable, value: Value, floor: int = 0) -> None:
        self.memos.put(key, value, max(self.levels.get(value, 0), floor))

    @property
    def floor(self) -> int:
        """The level of the innermost block that may not run."""
        return self._floors[-1]

    def rarely(
        self,
        condition: Value,
        fill: Callable[[], Sequence[Value]],
        otherwise: Sequence[Value] = (),
        used: Sequence[Value] = (),
    ) -> tuple[Value, ...]:
        """Writes a rarely taken `if condition:` in the outermost possible block. Returns the results of
        `fill`, or `otherwise`; `used`: operands of `fill` that the condition does not depend on."""
        level = max(self.floor, *(self.levels.get(value, 0) for value in (condition, *otherwise, *used)))
        blocks = self._block((), fill), self._block((), lambda: otherwise)
        types = tuple([value.dtype for value in otherwise])
        branch = Instruction(KERNEL_OPS["if"], (condition,), types, {"rare": True}, blocks)
        self._append(branch, level)
        return branch.results

    def emit_here(
        self, name: str, operands: Sequence[Value] = (), attributes: dict[str, Any] | None = None
    ) -> Value:
        """Emits an instruction in the open block."""
        value = super().emit(name, operands, attributes)
        self.levels[value] = max(self.levels.get(value, 0), self.depth)
        return value

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """Writes `if condition:`, which loads do not leave."""
        with super().when(condition):
            self.enclose()
            yield

    def in_steps(self, lower: Value, upper: Value, count: int) -> tuple[Value, Value]:
        """Returns a step of so many, and the end of the whole steps from `lower` on."""
        step = self.constant(count)
        return step, lower + (upper - lower) // step * step

    def enclose(self) -> None:
        """Keeps loads in the open block, as in those of `when`."""
        self._floors[-1] = self.depth

    def confine(self) -> None:
        """Keeps all instructions in the open block, which few lanes enter."""
        self.enclose()
        self._confined[-1] = self.depth

    def choose(self, condition: Value, then: Callable[[], Value], otherwise: Value) -> Value:
        """Returns `then()` where the condition is true, whose loads stay there; else `otherwise`."""

        def fill() -> Sequence[Value]:
            self.enclose()
            return (then(),)

        (value,) = self.branch(condition, fill, lambda: (otherwise,))
        return value

    def _enter(self, block: Block) -> None:
        super()._enter(block)
        self.memos.enter()
        self._floors.append(self._floors[-1])
        self._confined.append(self._confined[-1])
        for parameter in block.parameters:
            self.levels[parameter] = self.depth

    def _leave(self) -> None:
        super()._leave()
        self.memos.leave()
        self._floors.pop()
        self._confined.pop()

    def _append(self, instruction: Instruction, level: int = -1) -> None:
        super()._append(instruction, level)
        for value in instruction.results:
            self.levels[value] = self.depth if level < 0 else level
