"""Control flow: counted loops in one form (guarded, with a preheader to hoist into, tested at the end), and
branches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .writer import Operand, Writer

Body = Callable[..., Sequence[Operand]]


def counted(
    w: Writer,
    first: Operand,
    limit: Operand,
    step: Operand,
    body: Body,
    carried: Sequence[Operand] = (),
    partial: bool = False,
) -> tuple[Operand, list[Operand]]:
    """Writes `body(k, *carried)` for k = first, first + step, ... below limit.

    Returns the first k that was not run, and the carried values.
    """
    before, enter, head, after = w.block, w.label("enter"), w.label("loop"), w.label("after")
    w.branch(w.compare("icmp slt", first, limit), enter, after)
    w.start(enter)
    w.enter_loop(w.place(), partial=partial)
    w.jump(head)
    w.start(head)
    spot = w.place()
    counter = w.phi(spot, "i64", 1, (first, enter))
    phis = [w.phi(spot, value.type, value.width, (value, enter)) for value in carried]
    yielded = body(counter.operand, *(phi.operand for phi in phis))
    following = [w.splat(value, phi.operand.width) for value, phi in zip(yielded, phis, strict=True)]
    forward = w.advance(counter.operand, step)
    again = w.compare("icmp slt", forward, limit)
    end = w.block
    counter.close(forward, end)
    for phi, value in zip(phis, following, strict=True):
        phi.close(value, end)
    w.branch(again, head, after)
    w.leave()
    w.start(after)
    merged = [w.merge((old, before), (new, end)) for old, new in zip(carried, following, strict=True)]
    return w.merge((first, before), (forward, end)), merged


def guarded(
    w: Writer,
    condition: Operand,
    body: Body,
    otherwise: Sequence[Operand] | None,
    hint: str = "part",
    hoists: bool = False,
) -> list[Operand]:
    """Writes `body()` under a condition. Returns its results, or `otherwise`; None: undefined. With `hoists`
    it is one of several bodies of a loop, whose instructions are hoisted before the loop."""
    before, some, after = w.block, w.label(hint), w.label("after")
    w.branch(condition, some, after)
    w.start(some)
    if hoists:
        w.enter_loop(w.place(), partial=True)
    else:
        w.enter_branch()
    operands = body()
    if otherwise is not None:
        operands = [w.splat(value, old.width) for value, old in zip(operands, otherwise, strict=True)]
    w.leave()
    end = w.block
    w.jump(after)
    w.start(after)
    if otherwise is None:
        otherwise = [Operand("zeroinitializer", value.type, value.width) for value in operands]
    return [w.merge((value, end), (other, before)) for value, other in zip(operands, otherwise, strict=True)]


def either(
    w: Writer,
    condition: Operand,
    then: Body,
    orelse: Body,
    hints: tuple[str, str, str] = ("then", "else", "after"),
) -> list[Operand]:
    """Writes `then()` or `orelse()`, each in a branch of its own; returns the results."""
    *labels, after = [w.label(hint) for hint in hints]
    w.branch(condition, *labels)
    ends: list[tuple[Sequence[Operand], str]] = []
    for label, body in zip(labels, (then, orelse), strict=True):
        w.start(label)
        w.enter_branch()
        operands = body()
        w.leave()
        ends.append((operands, w.block))
        w.jump(after)
    w.start(after)
    (first, first_end), (second, second_end) = ends
    return [w.merge((x, first_end), (y, second_end)) for x, y in zip(first, second, strict=True)]
