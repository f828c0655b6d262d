"""The one shape of a counted loop: guarded, with a preheader to hoist into, tested at the bottom; and of what
runs once or not at all beside one."""

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
    """Run `body(k, *carried)` for k = first, first + step, ... below limit.

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


def run_if(w: Writer, condition: Operand, body: Body, otherwise: Sequence[Operand] = ()) -> list[Operand]:
    """Run `body()` where the condition holds, as one of several bodies of a loop. Gives what it yields, or
    `otherwise`."""
    before, some, after = w.block, w.label("part"), w.label("after")
    w.branch(condition, some, after)
    w.start(some)
    w.enter_loop(w.place(), partial=True)
    made = [w.splat(value, old.width) for value, old in zip(body(), otherwise, strict=False)]
    end = w.block
    w.jump(after)
    w.leave()
    w.start(after)
    return [w.merge((old, before), (new, end)) for old, new in zip(otherwise, made, strict=True)]
