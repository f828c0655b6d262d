"""Writing one LLVM function: typed operands, shared pure instructions, hoisting by construction."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...ir.record import fresh, mutable, record
from .spelling import suffix, vector

Lines = list[Any]
"""Text lines and nested lists of lines, flattened at the end."""


class Operand(metaclass=record):
    """An SSA name or literal. `width` 1 is a scalar, the same for all lanes; `depth` is its scope."""

    text: str
    type: str
    width: int = 1
    depth: int = 0
    literal: int | None = None
    """Known integer value, for index arithmetic."""

    @property
    def spelled(self) -> str:
        return f"{vector(self.type, self.width)} {self.text}"


def integer(value: int, type_: str = "i64") -> Operand:
    return Operand(str(value), type_, literal=value)


class Scope(metaclass=mutable):
    """A loop body (with a preheader to hoist into) or a branch (which holds its instructions)."""

    depth: int
    preheader: Lines | None
    partial: bool = False
    """Whether it is one of several bodies of a loop: some body runs, but perhaps not this one."""
    certain: bool = True
    """Whether the body runs whenever the preheader does."""
    made: list[str] = fresh(factory=list)
    """The texts that become invisible at the end of this scope."""


class Writer:
    """Appends instructions to the current block.

    A pure instruction goes to the outermost loop preheader where its operands exist, but never out of a
    branch, and equal ones visible from here are made once.
    """

    def __init__(self) -> None:
        self.out: Lines = []
        self.allocations: Lines = []
        self.constants: dict[str, str] = {}
        self.scopes = [Scope(0, None)]
        self._known: dict[str, Operand] = {}
        """Instructions that certainly ran before the current place, by text."""
        self._sums: dict[str, tuple[Operand, Operand]] = {}
        """The operands of sums, by name."""
        self.block = "entry"
        self._floors = [0]
        self._names = 0
        self._labels = 0
        self.out.append(self.allocations)

    # Names and text ----------------------------------------------------------------------------------
    @property
    def depth(self) -> int:
        return len(self.scopes) - 1

    def name(self) -> str:
        self._names += 1
        return f"%v{self._names}"

    def label(self, hint: str) -> str:
        self._labels += 1
        return f"{hint}{self._labels}"

    def line(self, text: str) -> None:
        self.out.append("  " + text)

    def place(self) -> Lines:
        """Reserves a place for lines that are written later."""
        spot: Lines = []
        self.out.append(spot)
        return spot

    def start(self, label: str) -> None:
        self.out.append(label + ":")
        self.block = label

    def jump(self, label: str) -> None:
        self.line(f"br label %{label}")

    def branch(self, condition: Operand, then: str, orelse: str) -> None:
        self.line(f"br i1 {condition.text}, label %{then}, label %{orelse}")

    # Scopes ------------------------------------------------------------------------------------------
    def enter_loop(self, preheader: Lines, partial: bool = False, certain: bool = True) -> None:
        self.scopes.append(Scope(len(self.scopes), preheader, partial, certain))

    def enter_branch(self) -> None:
        self.scopes.append(Scope(len(self.scopes), None))
        self._floors.append(self.depth)

    def leave(self) -> None:
        scope = self.scopes.pop()
        for text in scope.made:
            del self._known[text]
        if self._floors[-1] == scope.depth:
            self._floors.pop()

    def forget_since(self, count: int) -> None:
        """Stops sharing the pure instructions of this scope after the first so many: not all paths to later
        code pass them."""
        made = self.scopes[-1].made
        for text in made[count:]:
            del self._known[text]
        del made[count:]

    # Instructions ------------------------------------------------------------------------------------
    def pure(
        self, text: str, type_: str, width: int, operands: Iterable[Operand], through_branches: bool = False
    ) -> Operand:
        """Writes a pure instruction, shared and hoisted. `through_branches`: cheap enough to leave a
        branch."""
        if (found := self._known.get(text)) is not None:
            return found
        depth = 0 if through_branches else self._floors[-1]
        for operand in operands:
            if operand.depth > depth:
                depth = operand.depth
        return self._at(depth, text, type_, width)

    def _at(self, depth: int, text: str, type_: str, width: int) -> Operand:
        scopes = self.scopes
        here = len(scopes) - 1
        while depth < here and scopes[depth + 1].preheader is None:
            depth += 1
        operand = self._known[text] = Operand(self.name(), type_, width, depth)
        line = f"  {operand.text} = {text}"
        if depth == here:
            scopes[here].made.append(text)
            self.out.append(line)
            return operand
        inner = scopes[depth + 1]
        assert inner.preheader is not None
        inner.made.append(text)
        inner.preheader.append(line)
        return operand

    def invariant_load(self, text: str, type_: str, operands: Iterable[Operand], width: int = 1) -> Operand:
        """Loads from memory that nothing writes: hoisted out of the innermost loop where that certainly runs
        its body."""
        if (found := self._known.get(text)) is not None:
            return found
        depth = max([self._sure_depth(), *(operand.depth for operand in operands)])
        return self._at(depth, text, type_, width)

    def may_run_in_vain(self, *operands: Operand) -> bool:
        """Whether a pure instruction here is hoisted to where it may run without this code."""
        return max([self._floors[-1], *(operand.depth for operand in operands)]) < self._sure_depth()

    def _sure_depth(self) -> int:
        """Returns the outermost loop depth from which this point is certainly reached: at least that around
        the innermost loop, whose preheader runs only if its body does."""
        depth = self.depth
        while depth > 0 and self.scopes[depth].preheader is not None and self.scopes[depth].certain:
            depth -= 1
            if not self.scopes[depth + 1].partial:
                break
        return depth

    def effect(self, text: str, type_: str, width: int = 1) -> Operand:
        """Writes an instruction that is neither moved nor shared."""
        operand = Operand(self.name(), type_, width, self.depth)
        self.line(f"{operand.text} = {text}")
        return operand

    def apply(self, template: str, *operands: Operand, result: str | None = None) -> Operand:
        """Writes a pure instruction over operands brought to one width.

        In the template {0}, {1} are names, {T} the type of operand 0, {R} the result's, {S} and {Z} their
        intrinsic suffixes.
        """
        width = operands[0].width
        for operand in operands:
            if operand.width != width:
                width = max([each.width for each in operands])
                operands = tuple([self.splat(each, width) for each in operands])
                break
        own = operands[0].type
        kind = result or own
        text = template.format(
            *[operand.text for operand in operands],
            T=vector(own, width),
            R=vector(kind, width),
            S=suffix(own, width),
            Z=suffix(kind, width),
        )
        return self.pure(text, kind, width, operands)

    def binary(self, op: str, x: Operand, y: Operand) -> Operand:
        return self.apply(op + " {T} {0}, {1}", x, y)

    def compare(self, test: str, x: Operand, y: Operand) -> Operand:
        return self.apply(test + " {T} {0}, {1}", x, y, result="i1")

    def convert(self, op: str, x: Operand, type_: str) -> Operand:
        return self.apply(op + " {T} {0} to {R}", x, result=type_)

    def splat(self, operand: Operand, width: int) -> Operand:
        """Returns a uniform value in every lane of a vector."""
        if operand.width == width:
            return operand
        assert operand.width == 1, f"a vector of {operand.width} used as one of {width}"
        if not operand.text.startswith("%"):
            text = f"splat ({operand.type} {operand.text})"
            return Operand(text, operand.type, width, operand.depth)
        spelled = vector(operand.type, width)
        lane = self.pure(
            f"insertelement {spelled} poison, {operand.spelled}, i64 0", operand.type, width, (operand,), True
        )
        return self.pure(
            f"shufflevector {spelled} {lane.text}, {spelled} poison, <{width} x i32> zeroinitializer",
            operand.type,
            width,
            (lane,),
            True,
        )

    def shuffle(self, operand: Operand, lanes: Sequence[int]) -> Operand:
        """Returns the chosen lanes of one vector; a single lane becomes a scalar."""
        if len(lanes) == 1:
            return self.pure(f"extractelement {operand.spelled}, i64 {lanes[0]}", operand.type, 1, (operand,))
        picks = ", ".join(f"i32 {lane}" for lane in lanes)
        return self.pure(
            f"shufflevector {operand.spelled}, {vector(operand.type, operand.width)} poison, "
            f"<{len(lanes)} x i32> <{picks}>",
            operand.type,
            len(lanes),
            (operand,),
        )

    def widened(self, operand: Operand, width: int) -> Operand:
        """Returns the operand in the first lanes of a vector; a scalar in all."""
        if operand.width in (1, width):
            return self.splat(operand, width)
        return self.shuffle(operand, [lane % operand.width for lane in range(width)])

    def by_halves(self, function: Callable[..., Operand], *operands: Operand) -> Operand:
        """Applies `function` to both halves of vectors, and joins the results; of scalars, both get the
        whole."""
        width = max([operand.width for operand in operands])
        half = width // 2
        low, high = (
            function(*(x if x.width == 1 else self.shuffle(x, range(first, first + half)) for x in operands))
            for first in (0, half)
        )
        picks = ", ".join(f"i32 {lane}" for lane in range(width))
        text = f"shufflevector {low.spelled}, {high.spelled}, <{width} x i32> <{picks}>"
        return self.pure(text, low.type, width, (low, high))

    def iota(self, width: int, type_: str = "i64", step: int = 1) -> Operand:
        """Returns the constant vector <0, step, 2 step, ...>."""
        return Operand("<" + ", ".join(f"{type_} {lane * step}" for lane in range(width)) + ">", type_, width)

    def select(self, condition: Operand, then: Operand, orelse: Operand) -> Operand:
        if then == orelse:
            return then
        width = max(then.width, orelse.width, condition.width)
        then, orelse = self.splat(then, width), self.splat(orelse, width)
        condition = self.splat(condition, width)
        return self.pure(
            f"select {condition.spelled}, {then.spelled}, {orelse.spelled}",
            then.type,
            width,
            (condition, then, orelse),
        )

    # Scalar index arithmetic -------------------------------------------------------------------------
    def add(self, x: Operand, y: Operand) -> Operand:
        operand = self._index("add", x, y, lambda a, b: a + b, 0)
        if operand is not x and operand is not y and operand.literal is None:
            self._sums[operand.text] = x, y
        return operand

    def element(self, base: Operand, type_: str, position: Operand) -> Operand:
        """Returns the address of an element. The loop-invariant part of its position moves the base before
        the loop, which then adds up nothing."""
        start, bounds = base, " inbounds"
        if position.text in self._sums:
            base, position = self._moved(base, type_, position)
        if position.literal == 0:
            return base
        if base is not start:
            bounds = ""  # the moved base may be outside of the array
        text = f"getelementptr{bounds} {type_}, ptr {base.text}, i64 {position.text}"
        return self.pure(text, "ptr", 1, (base, position))

    def _moved(self, base: Operand, type_: str, position: Operand) -> tuple[Operand, Operand]:
        loop = position.depth
        while loop > 0 and self.scopes[loop].preheader is None:
            loop -= 1
        outer, inner, pending, opened = [], [], [position], set[str]()
        while pending:
            term = pending.pop()
            if term.depth < loop and term.literal is None:
                outer.append(term)
            elif term.text in self._sums and term.text not in opened:
                opened.add(term.text)
                pending += reversed(self._sums[term.text])
            else:
                inner.append(term)
        if not outer:
            return base, position
        for term in sorted(outer, key=lambda term: term.depth):
            text = f"getelementptr {type_}, ptr {base.text}, i64 {term.text}"
            base = self.pure(text, "ptr", 1, (base, term), True)
        return base, functools.reduce(self.add, inner, integer(0))

    def sub(self, x: Operand, y: Operand) -> Operand:
        if y.literal == 0:
            return x
        if x.literal is not None and y.literal is not None:
            return integer(x.literal - y.literal)
        return self.binary("sub", x, y)

    def mul(self, x: Operand, y: Operand) -> Operand:
        if x.literal == 0 or y.literal == 0:
            return integer(0)
        return self._index("mul", x, y, lambda a, b: a * b, 1)

    def _index(self, op: str, x: Operand, y: Operand, fold: Callable[[int, int], int], unit: int) -> Operand:
        if x.literal is not None and y.literal is not None:
            return integer(fold(x.literal, y.literal))
        if x.literal == unit:
            return y
        if y.literal == unit:
            return x
        return self.binary(op, x, y)

    def advance(self, counter: Operand, step: Operand) -> Operand:
        """Returns counter + step, in a form that LLVM's loop strength reduction does not see through.

        That pass takes up to a third of a compilation and gains nothing here: addresses are written as a base
        and an index, in the processor's form. A rotation by 0 vanishes when instructions are selected.
        """
        total = self.effect(f"add i64 {counter.text}, {step.text}", "i64")
        return self.effect(f"call i64 @llvm.fshl.i64(i64 {total.text}, i64 {total.text}, i64 0)", "i64")

    # Phis --------------------------------------------------------------------------------------------
    def phi(self, spot: Lines, type_: str, width: int, entry: tuple[Operand, str]) -> Phi:
        """Adds a phi in the block whose phis stand at `spot`; its other edge is given later."""
        operand = Operand(self.name(), type_, width, self.depth)
        return Phi(operand, spot, [(entry[0].text, entry[1])])

    def merge(self, *edges: tuple[Operand, str]) -> Operand:
        """Adds a complete phi at the start of the current block."""
        first = edges[0][0]
        pairs = ", ".join(f"[{operand.text}, %{label}]" for operand, label in edges)
        return self.effect(f"phi {vector(first.type, first.width)} {pairs}", first.type, first.width)

    def text(self) -> list[str]:
        """All lines, in order."""
        lines: list[str] = []
        pending: list[Any] = [iter(self.out)]
        while pending:
            for item in pending[-1]:
                if isinstance(item, list):
                    pending.append(iter(item))
                    break
                lines.append(item)
            else:
                pending.pop()
        return lines


class Phi(metaclass=mutable):
    """A loop's phi, closed by `close` when the value of the back edge is known."""

    operand: Operand
    spot: Lines
    edges: list[tuple[str, str]]

    def close(self, value: Operand, label: str) -> None:
        assert (value.type, value.width) == (self.operand.type, self.operand.width), (value, self.operand)
        pairs = ", ".join(f"[{text}, %{at}]" for text, at in (*self.edges, (value.text, label)))
        self.spot.append(f"  {self.operand.text} = phi {vector(value.type, value.width)} {pairs}")
