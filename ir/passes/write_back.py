"""Writing results into the memory of parameters: directly where nothing still needs what was there.

An update of a parameter (`u[1:-1] = …`), or a chain of updates, writes its windows in place, and so do loops
that a parameter is carried through; any other result is stored over the parameter if it reads it at no other
position. Where neither is possible the result goes to
memory of its own first, and is copied at the end. Exact.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence

from .. import ops
from ..expr import ONE, ZERO, Expr, equal, less, lift, maximum, minimum
from ..index import Dim, Dims, Position, folds, index_nodes, looked_up
from ..node import Graph, Node, is_contiguous, topological, users_of
from ..structure import Size
from .groups import WritePlan, memory_root
from .stages import Decide, reads

SHIFTED = "the argument it is written to is read at other positions"
BEFORE = "it is computed before the argument it is written to changes"
_NO_LOOPS = ("scan", "contract", "update", "control", "item")
"""Families whose nodes are computed before what reads them, not in its loops."""


def plan_writes(
    graph: Graph, outputs: Sequence[Node], writes: Mapping[int, Node], decide: Decide
) -> WritePlan:
    """Decide how each output `position` reaches the memory of the parameter `writes[position]`."""
    plan = WritePlan(tuple(outputs))
    result = list(outputs)
    users = users_of(topological(result))
    for position, parameter in writes.items():
        output = result[position]
        carried = _carried(output, parameter, users, result)
        if carried is not None:
            plan.targets[output] = parameter
            plan.taken |= carried
            continue
        chain = _chain(output, parameter, users, frozenset(result))
        ancestors = set(topological([output]))
        # Two arguments that each need what the other held could wait for each other.
        alone = not any(other in ancestors for other in writes.values() if other is not parameter)
        if not is_contiguous(parameter) and _needs_c_order(output, ancestors, users):
            alone = False
        if alone and chain is not None and not _conflicts(chain, parameter, users):
            _write_windows(plan, chain, parameter, users, decide)
        elif (
            alone and _can_be_stored(output, parameter, decide) and not _conflicts([output], parameter, users)
        ):
            plan.memory_of[output] = plan.targets[output] = parameter
        else:
            plan.keep[output] = BEFORE
            copy = graph.make(ops.copy, output)
            users[output].append(copy)
            users[copy] = []
            result[position] = copy
            plan.memory_of[copy] = plan.targets[copy] = parameter
    plan.outputs = tuple(result)
    return plan


def _carried(
    output: Node, parameter: Node, users: Mapping[Node, Sequence[Node]], outputs: Collection[Node]
) -> set[Node] | None:
    """What the loops start from that a parameter is carried through until it is the output, where nothing
    else needs that; None where there is anything else between."""
    nodes: set[Node] = set()
    node = output
    while node is not parameter:
        if node.op.family != "item" or not node.inputs[0].op.carries:
            return None
        loop = node.inputs[0]
        node = loop.inputs[loop.op.bounds + node.attribute("position")]
        if users[node] != [loop] or node in outputs:
            return None
        nodes.add(node)
    return nodes if nodes and is_contiguous(parameter) else None


def _needs_c_order(output: Node, ancestors: set[Node], nodes: Iterable[Node]) -> bool:
    """Whether the output, or an update on the way to it, is reshaped in memory or read by a control step: a
    reshape is another name for its memory, and a loop starts from a copy of it."""
    return any(
        source is output or (source in ancestors and source.op.family == "update")
        for node in nodes
        if node.op.family == "control" or not folds(node)
        for source in node.inputs
    )


def _chain(
    output: Node, parameter: Node, users: Mapping[Node, Sequence[Node]], outputs: Collection[Node]
) -> list[Node] | None:
    """The updates from the parameter to the output, first one first; None where there is anything else
    between."""
    chain = [output]
    while chain[-1].op.family == "update":
        update = chain[-1]
        base, *operands = update.inputs
        if any(_is_memory_of(operand, parameter) or operand is base for operand in operands):
            return None
        if base is parameter:
            return chain[::-1]
        if base in outputs or not _made_of(base, update, users, outputs):
            return None
        chain.append(base)
    return None


def _is_memory_of(node: Node, parameter: Node) -> bool:
    """Whether a node is the parameter, or another name for its memory."""
    return node is parameter or (not folds(node) and memory_root(node) is parameter)


def _made_of(
    base: Node, update: Node, users: Mapping[Node, Sequence[Node]], outputs: Collection[Node]
) -> set[Node]:
    """Returns a base and all that is computed from it for its update: what that writes, and where. Nothing
    where anything else needs the base."""
    pending, nodes = [base], {base}
    while pending:
        node = pending.pop()
        if node in outputs or not users[node]:
            return set()  # a way from the base that does not end in the update
        fresh = [user for user in users[node] if user is not update and user not in nodes]
        nodes.update(fresh)
        pending.extend(fresh)
    return nodes


def _conflicts(chain: list[Node], parameter: Node, users: Mapping[Node, Sequence[Node]]) -> bool:
    """Whether some value needs both the old and the new value of the parameter."""
    before = _needing([parameter], users, frozenset(chain))
    return not before.isdisjoint(_needing(chain, users).difference(chain))


def _needing(
    nodes: Iterable[Node], users: Mapping[Node, Sequence[Node]], without: Collection[Node] = ()
) -> set[Node]:
    """Nodes, and all that is computed from them, but for what comes by way of some others."""
    found = set(nodes)
    pending = list(found)
    while pending:
        fresh = [user for user in users.get(pending.pop(), ()) if user not in found and user not in without]
        found.update(fresh)
        pending.extend(fresh)
    return found


def _write_windows(
    plan: WritePlan, chain: list[Node], parameter: Node, users: Mapping[Node, Sequence[Node]], decide: Decide
) -> None:
    before = _needing([parameter], users, frozenset(chain))
    base = parameter
    for update in chain:
        value, indices = update.inputs[1], index_nodes(update)
        if not reads_apart(update, decide):
            plan.keep[value] = SHIFTED
        for index in indices:
            if base in topological([index]):
                plan.keep[index] = SHIFTED
        if base is not parameter:
            # What later updates of a chain write is computed before the first one writes.
            plan.keep.update((operand, BEFORE) for operand in update.inputs[1:] if operand in before)
        plan.memory_of[update] = base
        plan.targets[update] = parameter
        base = update


def follows_in_memory(
    update: Node, users: Mapping[Node, Sequence[Node]], outputs: Collection[Node], decide: Decide
) -> bool:
    """Whether an update of an update, no output, may write into the memory of that one: nothing else needs
    what that held, and what is written reads none of it but what is at its own place, or is not written."""
    base, *operands = update.inputs
    if users[base] == [update]:
        return True
    nodes = set[Node]() if base in operands else _made_of(base, update, users, outputs)
    return bool(nodes) and nodes.isdisjoint(index_nodes(update)) and reads_apart(update, decide, made=nodes)


def reads_apart(
    update: Node, decide: Decide, before: Container[Node] = (), made: Collection[Node] | None = None
) -> bool:
    """Whether no element that an update writes is read for another one of its elements.

    Values of `before` are known by then. `made`: all that the written value takes of the base, where that is
    known.
    """
    base, value = update.inputs[:2]
    own = tuple(Dim(axis) for axis in range(len(value.shape)))
    if index_nodes(update):
        _, at = looked_up(update, own)
        return _is_of_its_own(update, base, own, at, decide, before, made)
    starts, steps = update.attributes
    at = tuple(
        Dim(axis, lift(start), lift(step))
        for axis, (start, step) in enumerate(zip(starts, steps, strict=True))
    )
    return _reads_only(value, base, own, at, decide, before, made)


def _reads_only(
    value: Node, base: Node, own: Dims, at: Dims, decide: Decide, before: Container[Node] = (),
    made: Collection[Node] | None = None,
) -> bool:  # fmt: skip
    """Whether an expression looks at `base` at the given position alone, or where no element has it."""
    if not folds(value) or value.op.family in _NO_LOOPS:
        return base not in topological([value])
    extents = tuple(lift(extent) for extent in value.shape)
    for node, maps in reads(value, own, _Boundary(base, before), value is not base).items():
        if memory_root(node) is base and (
            node is not base
            or not all(
                _same(dims, at, decide, extents) or _are_apart(dims, at, extents, decide) for dims in maps
            )
        ):
            return False
    return all(map(folds, made)) if made is not None else not _reshapes(value, base)


def _is_of_its_own(
    scatter: Node, base: Node, own: Dims, at: Dims, decide: Decide, before: Container[Node],
    made: Collection[Node] | None,
) -> bool:  # fmt: skip
    """Whether no element that a scatter writes is read for another one of its elements."""
    value, indices = scatter.inputs[1], index_nodes(scatter)
    if not indices[0].shape:
        return _reads_lines(value, base, own, at, decide, before)
    if scatter.attribute("unique"):
        return _reads_only(value, base, own, at, decide, before, made)
    return base not in topological([value])


def _reads_lines(
    value: Node, base: Node, own: Dims, at: Dims, decide: Decide, before: Container[Node]
) -> bool:
    """Whether an expression reads `base` at any one place along the axes that are indexed, and along the
    others at the element's own position: for each element another line, so nothing else is written there."""
    if not folds(value) or value.op.family in _NO_LOOPS:
        return base not in topological([value])
    for node, maps in reads(value, own, _Boundary(base, before), value is not base).items():
        if memory_root(node) is not base:
            continue
        if node is not base:
            return False
        for dims in maps:
            for dim, target in zip(dims, at, strict=True):
                if target.axis.__class__ is not Position:
                    if not _same((dim,), (target,), decide):
                        return False
                elif any(axis.__class__ is not Position or axis.dims for axis, _ in dim.terms):
                    return False
    return not _reshapes(value, base)


def _same(first: Dims, second: Dims, decide: Decide, extents: Sequence[Expr] = ()) -> bool:
    """Whether two index maps are one now; where numbers happen to be equal, the plan is for that case.
    `extents`: of the loop axes; an axis of one element is a fixed position, as where a reshape has dropped
    it."""
    return all(
        x.more == y.more
        and (x.start is y.start or decide(equal(x.start, y.start)))
        and (
            (x.step is y.step or decide(equal(x.step, y.step)))
            if x.axis == y.axis
            else _is_one_element(x, y, decide, extents)
        )
        for x, y in zip(first, second, strict=True)
    )


def _is_one_element(x: Dim, y: Dim, decide: Decide, extents: Sequence[Expr]) -> bool:
    """Whether the axes of two dimensions have one element, as far as they have an axis."""
    axes = [dim.axis for dim in (x, y) if dim.axis is not None]
    return (
        bool(extents)
        and not x.more
        and all(isinstance(axis, int) and decide(equal(extents[axis], ONE)) for axis in axes)
    )


def _are_apart(first: Dims, second: Dims, extents: Sequence[Expr], decide: Decide) -> bool:
    """Whether two index maps share no element: along an axis, one ends before the other begins, or steps over
    all that the other takes."""
    for x, y in zip(first, second, strict=True):
        if x == y:
            continue
        one, other = _span(x, extents), _span(y, extents)
        if one is None or other is None:
            continue
        if decide(less(one[1], other[0])) or decide(less(other[1], one[0])):
            return True
        if len(x.terms) == len(y.terms) == 1 and decide(equal(x.step, y.step)):
            between = x.start - y.start
            if not decide(equal(between // x.step * x.step, between)):
                return True
    return False


def _span(dim: Dim, extents: Sequence[Expr]) -> tuple[Expr, Expr] | None:
    """The first and the last position that a dimension takes; None where that is known at run time only."""
    low = high = dim.start
    for axis, step in dim.terms:
        if not isinstance(axis, int):
            return None
        reach = step * (extents[axis] - 1)
        low, high = low + minimum(reach, ZERO), high + maximum(reach, ZERO)
    return low, high


class _Boundary:
    """The reads of an expression: its base, and everything that has a loop nest of its own."""

    def __init__(self, base: Node, before: Container[Node] = ()) -> None:
        self.base = base
        self.before = before

    def __contains__(self, node: object) -> bool:
        if not isinstance(node, Node) or node is self.base:
            return node is self.base
        if node in self.before:
            return True
        if node.op.family == "reduce":
            return any(isinstance(node.inputs[0].shape[axis], Size) for axis in node.attribute("axes"))
        return node.op.family in _NO_LOOPS or not folds(node)


def _can_be_stored(output: Node, parameter: Node, decide: Decide) -> bool:
    """Whether an output's own loop may write over the parameter."""
    if output.op.family not in ("elementwise", "movement", "gather") or (not folds(output)):
        return False
    own = tuple(Dim(axis) for axis in range(len(output.shape)))
    return output is not parameter and _reads_only(output, parameter, own, own, decide)


def _reshapes(value: Node, base: Node) -> bool:
    """Whether a general reshape of the base, another name for its memory, is part of an expression."""
    made_of_base = {base}
    for node in topological([value]):
        if node is base or not made_of_base.isdisjoint(node.inputs):
            made_of_base.add(node)
            if not folds(node):
                return True
    return False
