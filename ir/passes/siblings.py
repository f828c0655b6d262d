"""Horizontal fusion: groups join though neither reads what the other makes, or make parts of one array."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from ..expr import Expr
from ..node import Node
from .groups import Group, follows, writes_alone
from .joining import Joining
from .stages import Stage, comes_after
from .tiles import Tiler

MOST_TOGETHER = 32
"""Stages joined as siblings at most: a processor goes through few places of memory at once."""
NEAREST = 4 * MOST_TOGETHER
"""Groups over equal spaces, those after it, that a group is compared with at most."""


def fuse_siblings(joining: Joining) -> None:
    """Independent groups over equal spaces that read a common input, or have no space, become one."""
    groups = [group for group in dict.fromkeys(joining.group_of.values()) if _may_have_siblings(group)]
    read = {group: {node for stage in group.stages for node in joining.inputs[stage]} for group in groups}
    gone: set[Group] = set()
    extents = joining.fusion.extents
    alike: dict[tuple[Expr, ...], list[Group]] = {}
    """By the extents of their parallel axes, which siblings have in common; in order."""
    for group in reversed(groups):
        alike.setdefault(tuple([extents[axis] for axis in group.parallel]), []).append(group)
    for first in groups:
        others = alike[tuple([extents[axis] for axis in first.parallel])]
        others.pop()  # itself
        if first in gone:
            continue
        for second in islice(reversed(others), NEAREST):
            if read[first].isdisjoint(read[second]) and not (first.is_scalar or second.is_scalar):
                continue
            if second in gone or len(first.stages) + len(second.stages) > MOST_TOGETHER:
                continue
            own, axes = (*second.parallel, *second.reduced), (*first.parallel, *first.reduced)
            unrolled = [
                (x, y)
                for x, y in zip(second.unrolled, first.unrolled, strict=False)
                if joining.fusion.extents[x] is joining.fusion.extents[y]
            ]
            renamed = dict([*zip(own, axes, strict=False), *unrolled])
            if _are_siblings(joining, first, second, renamed) and not joining.between(second, first):
                joining.merge(second, first, renamed)
                read[first] |= read[second]
                gone.add(second)


def _may_have_siblings(group: Group) -> bool:
    return all(stage.fusible and stage.kind not in ("product", "scan") for stage in group.stages)


def _are_siblings(joining: Joining, first: Group, second: Group, renamed: dict[int, int]) -> bool:
    extents = joining.fusion.extents
    if first.blocked != second.blocked:
        return False
    alone = not (first.parallel or second.parallel) and (first.is_scalar or second.is_scalar)
    loops = [[[extents[a] for a in axes] for axes in (g.parallel, g.reduced)] for g in (first, second)]
    if not (alone or loops[0] == loops[1]) or not joining.fits(first, second):
        return False
    if not (follows(first, second, joining.needs) or follows(second, first, joining.needs)):
        return True
    return _overwrite_own_elements(joining, first, second, renamed)


def _overwrite_own_elements(joining: Joining, first: Group, second: Group, renamed: dict[int, int]) -> bool:
    """Whether one group has to follow the other only as it overwrites elements that the other reads at the
    same positions: what a loop makes of an element is computed before any of it is stored."""
    stages = (*first.stages, *second.stages)
    plain = all(writes_alone(group, stage) for group in (first, second) for stage in group.stages)
    if not plain or any(stage.window is not None for stage in stages):
        return False
    inside = set(stages)
    takes = any(maker in inside for stage in stages for maker in joining.made_by(stage))
    return not takes and joining.agree(second, first, renamed)


def fuse_concatenated(joining: Joining, stages: Iterable[Stage]) -> None:
    """Parts of a new array, one beyond the other over equal spaces, become one group."""
    for part in stages:
        base = joining.array_of(part.node)
        if len(part.after) != 1 or base.op.family != "update" or base.inputs[0].op.source != "undefined":
            continue
        (last,) = part.after
        own, target = joining.group_of[part], joining.group_of[last]
        both = (*own.stages, *target.stages)
        if own is target or len(both) > MOST_TOGETHER or not comes_after(part, last, joining.decide):
            continue
        if writes_alone(own, part) and writes_alone(target, last):
            apart = {maker for stage in both for maker in joining.made_by(stage)}.isdisjoint(both)
        else:
            rows = _writes_rows(own, part) and _writes_rows(target, last)
            apart = rows and _sum_alike(joining, own, target)
        if apart and joining.fits(own, target) and not joining.between(own, target):
            renamed = dict(zip((*part.axes, *own.reduced), (*last.axes, *target.reduced), strict=True))
            joining.merge(own, target, renamed)


def _writes_rows(group: Group, stage: Stage) -> bool:
    """Whether a group writes what it reduces rows to, over the space of a stage."""
    return bool(group.reduced) and not group.unrolled and set(group.parallel) == set(stage.axes)


def _sum_alike(joining: Joining, own: Group, target: Group) -> bool:
    """Whether groups reduce rows of one length and of common inputs, and read nothing of each other's."""
    groups, extents = (own, target), joining.fusion.extents
    lengths = [[extents[axis] for axis in group.reduced] for group in groups]
    plain = all(
        each.kind in ("reduce", "store") and each.scatter is None for group in groups for each in group.stages
    )
    if lengths[0] != lengths[1] or own.blocked or target.blocked or not plain:
        return False
    read = [{node for stage in group.stages for node in joining.inputs[stage]} for group in groups]
    makers = [{maker for stage in group.stages for maker in joining.made_by(stage)} for group in groups]
    apart = makers[0].isdisjoint(target.stages) and makers[1].isdisjoint(own.stages)
    return apart and not read[0].isdisjoint(read[1])


def fuse_window_updates(joining: Joining, stages: Iterable[Stage]) -> None:
    """An update and the array it starts from: in one pass where nothing else shares their loops."""
    for part in stages:
        if part.window is None or len(part.after) != 1 or any(step != 1 for step in part.window.steps):
            continue
        (whole,) = part.after
        own, target = joining.group_of[part], joining.group_of[whole]
        if whole.node is not part.node or len(own.stages) + len(target.stages) != 2 or not whole.axes:
            continue
        if joining.fits(own, target) and not joining.between(own, target):
            joined = Group([whole, part], list(whole.axes), [], windowed=True)
            joining.precedence.join(joined.stages)
            joining.group_of[whole] = joining.group_of[part] = joined


def fuse_tiles(joining: Joining, outputs: Iterable[Node]) -> None:
    """Arrays that are read at neighbouring positions alone: in tiles, with what reads them."""
    reads = (pair for found in joining.inputs.values() for pair in found.items())
    if joining.limits.tiles and any(len(maps) > 1 and node.op.source != "array" for node, maps in reads):
        fixed = {joining.array_of(node) for node in outputs}
        Tiler(
            joining.group_of, joining.inputs, joining.array_of, fixed, joining.precedence, joining.decide
        ).run()
