"""Rules of movement ops, casts, reductions, updates: chains become one op, what does nothing goes. Exact.

Sizes are compared and moved, never computed with: two are equal when they are the same number of the
structure. A slice of a slice therefore stays, and reshapes compose only where how their axes go together
says how.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..node import Node
from ..rewrite import Rewriter
from ..structure import ReshapeGroup, Size, reshape_groups
from ..types import BOOL, DType


def permute(rewriter: Rewriter, node: Node) -> Node | None:
    """permute in order -> x; permute of permute -> one; permute of broadcast -> broadcast of permute."""
    (axes,), (source,) = node.attributes, node.inputs
    if axes == tuple(range(len(axes))):
        return source
    if source.op is ops.permute:
        inner = source.attribute("axes")
        return rewriter.make(ops.permute, source.inputs[0], attributes=(tuple(inner[axis] for axis in axes),))
    if source.op is ops.broadcast:
        kept = source.attribute("axes")
        places = [position for position, axis in enumerate(axes) if axis in kept]
        order = tuple(kept.index(axes[position]) for position in places)
        moved = rewriter.make(ops.permute, source.inputs[0], attributes=(order,))
        return rewriter.broadcast(moved, node.shape, places)
    return None


def broadcast(rewriter: Rewriter, node: Node) -> Node | None:
    """broadcast to the same shape -> x; broadcast of broadcast -> one."""
    (source,) = node.inputs
    if source.shape == node.shape:
        return source
    if source.op is ops.broadcast:
        outer, inner = node.attribute("axes"), source.attribute("axes")
        return rewriter.broadcast(source.inputs[0], node.shape, [outer[axis] for axis in inner])
    return None


def slice_(rewriter: Rewriter, node: Node) -> Node | None:
    """slice that takes everything -> x; slice of what a broadcast repeats -> broadcast."""
    starts, steps, shape = node.attributes
    (source,) = node.inputs
    whole = [takes_all(*each) for each in zip(starts, steps, shape, source.shape, strict=True)]
    if all(whole):
        return source
    if source.op is ops.broadcast and all(whole[axis] for axis in source.attribute("axes")):
        return rewriter.broadcast(source.inputs[0], shape, source.attribute("axes"))
    return None


def takes_all(start: int, step: int, extent: int, whole: int) -> bool:
    """Whether a window takes a whole axis; a start that is a size may differ from 0 at the next call."""
    if isinstance(start, Size) or isinstance(step, Size):
        return False
    return start == 0 and step == 1 and extent == whole


def wrap(rewriter: Rewriter, node: Node) -> Node | None:
    """wrap of what a broadcast repeats -> broadcast."""
    starts, shape = node.attributes
    (source,) = node.inputs
    whole = [
        takes_all(start, 1, *extents) for start, *extents in zip(starts, shape, source.shape, strict=True)
    ]
    if source.op is ops.broadcast and all(whole[axis] for axis in source.attribute("axes")):
        return rewriter.broadcast(source.inputs[0], shape, source.attribute("axes"))
    return None


def reshape(rewriter: Rewriter, node: Node) -> Node | None:
    """reshape to the same shape -> x; of a reshape -> one; of a broadcast -> broadcast of reshape."""
    (source,) = node.inputs
    if source.shape == node.shape:
        return source
    if source.op is ops.broadcast:
        return _reshaped_broadcast(rewriter, node, source)
    if source.op is not ops.reshape:
        return None
    (base,) = source.inputs
    if base.shape == node.shape:
        return base
    composed = compose_groups(
        reshape_groups(base.shape, source.shape), reshape_groups(source.shape, node.shape)
    )
    joined = [
        reshape_group for group in composed for reshape_group in _kept_apart(group, base.shape, node.shape)
    ]
    if not _is_reshape_of(joined, base.shape, node.shape):
        return None
    return rewriter.make(ops.reshape, base, attributes=node.attributes)


def _is_reshape_of(groups: Sequence[ReshapeGroup], source: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether the reshape is made of these groups for every size, not by chance of the sizes at hand."""
    return sorted(groups, key=_places) == sorted(reshape_groups(source, target), key=_places)


def _kept_apart(
    group: ReshapeGroup, source: tuple[int, ...], target: tuple[int, ...]
) -> Sequence[ReshapeGroup]:
    """The group, or one for each axis where axes that were joined are split into the same ones."""
    if [source[axis] for axis in group.sources] != [target[axis] for axis in group.targets]:
        return (group,)
    pairs = zip(group.sources, group.targets, strict=True)
    return [ReshapeGroup((before,), (after,), True) for before, after in pairs]


def _places(group: ReshapeGroup) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return group.sources, group.targets


def compose_groups(inner: Sequence[ReshapeGroup], outer: Sequence[ReshapeGroup]) -> list[ReshapeGroup]:
    """How the axes before two reshapes go together with those after them."""
    result: list[ReshapeGroup] = []
    first, second = list(inner), list(outer)
    while first or second:
        if first and not first[0].targets:
            result.append(first.pop(0))
        elif second and not second[0].sources:
            result.append(second.pop(0))
        else:
            result.append(_joined(first, second))
    return result


def _joined(first: list[ReshapeGroup], second: list[ReshapeGroup]) -> ReshapeGroup:
    """Take groups off both lists until they end at the same axis in between."""
    x, y = first.pop(0), second.pop(0)
    sources, targets, same = x.sources, y.targets, x.same and y.same
    while x.targets[-1] != y.sources[-1]:
        same = False
        if x.targets[-1] < y.sources[-1]:
            taken = first.pop(0)
            sources += taken.sources
            x = taken if taken.targets else x
        else:
            taken = second.pop(0)
            targets += taken.targets
            y = taken if taken.sources else y
    return ReshapeGroup(sources, targets, same)


def _reshaped_broadcast(rewriter: Rewriter, node: Node, source: Node) -> Node | None:
    """broadcast(reshape(x)): possible where no group of axes mixes repeated ones with others."""
    (base,) = source.inputs
    kept = source.attribute("axes")
    axes: list[int] = []
    wanted: list[ReshapeGroup] = []
    for group in reshape_groups(source.shape, node.shape):
        if not any(axis in kept for axis in group.sources):
            continue
        if not all(axis in kept for axis in group.sources):
            return None
        places = tuple(range(len(axes), len(axes) + len(group.targets)))
        wanted.append(ReshapeGroup(tuple(map(kept.index, group.sources)), places, group.same))
        axes.extend(group.targets)
    shape = tuple(node.shape[axis] for axis in axes)
    if shape != base.shape and not _is_reshape_of(wanted, base.shape, shape):
        return None
    moved = rewriter.make(ops.reshape, base, attributes=(shape,))
    return rewriter.broadcast(moved, node.shape, axes)


def copy(_rewriter: Rewriter, node: Node) -> Node:
    """copy of x -> x: memory of its own is given where a step or an output needs it."""
    return node.inputs[0]


def update(_rewriter: Rewriter, node: Node) -> Node | None:
    """update of everything -> the new value."""
    starts, steps = node.attributes
    base, value = node.inputs
    windows = zip(starts, steps, value.shape, base.shape, strict=True)
    return value if all(takes_all(*window) for window in windows) else None


def reduce(rewriter: Rewriter, node: Node) -> Node | None:
    """reduce of permute -> reduce, where neither axes kept nor axes reduced change their order;
    reduce of the same reduce -> one, where neither rounding nor the sign of zero can tell."""
    kind, axes = node.attributes
    (source,) = node.inputs
    if source.op is ops.permute:
        order = source.attribute("axes")
        gone = [axis for position, axis in enumerate(order) if position in axes]
        rest = [axis for position, axis in enumerate(order) if position not in axes]
        if gone == sorted(gone) and rest == sorted(rest):
            return rewriter.make(ops.reduce, source.inputs[0], attributes=(kind, tuple(gone)))
    if source.op is ops.reduce and source.attribute("kind") == kind and not node.dtype.is_float:
        inner = source.attribute("axes")
        rank = len(source.inputs[0].shape)
        outer = [axis for axis in range(rank) if axis not in inner]
        gone = sorted((*inner, *(outer[axis] for axis in axes)))
        return rewriter.make(ops.reduce, source.inputs[0], attributes=(kind, tuple(gone)))
    return None


def cast(rewriter: Rewriter, node: Node) -> Node | None:
    """cast to the same dtype -> x; of a cast -> one, where the first loses nothing that the second needs."""
    (source,) = node.inputs
    if source.dtype is node.dtype:
        return source
    if source.op is ops.cast and _casts_as_one(source.inputs[0].dtype, source.dtype, node.dtype):
        return rewriter.make(ops.cast, source.inputs[0], attributes=(node.dtype,))
    return None


def bitcast(rewriter: Rewriter, node: Node) -> Node | None:
    """bitcast to the same dtype -> x; bitcast of bitcast -> one."""
    (source,) = node.inputs
    if source.dtype is node.dtype:
        return source
    if source.op is ops.bitcast:
        return rewriter.make(ops.bitcast, source.inputs[0], attributes=(node.dtype,))
    return None


def _casts_as_one(first: DType, middle: DType, last: DType) -> bool:
    if first.is_integer and middle.is_integer and last.is_integer:
        return last.bits <= middle.bits or _holds(middle, first)  # integers wrap around
    if not _holds(middle, first):
        return False
    # A float that an integer dtype cannot hold converts differently than an integer wraps.
    return not (middle.is_float and last.is_integer) or (not first.is_float and _holds(last, first))


_DIGITS = {16: 11, 32: 24, 64: 53}


def _holds(wide: DType, narrow: DType) -> bool:
    """Whether every value of `narrow` is one of `wide`."""
    if wide is narrow or narrow is BOOL:
        return True
    if wide is BOOL:
        return False
    if wide.is_float:
        if narrow.is_float:
            return wide.bits > narrow.bits and wide.bits >= 32
        return wide.name != "bf16" and narrow.bits <= _DIGITS[wide.bits]
    if narrow.is_float:
        return False
    if wide.kind == narrow.kind:
        return wide.bits >= narrow.bits
    return wide.is_signed and wide.bits > narrow.bits
