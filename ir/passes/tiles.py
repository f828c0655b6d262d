"""Temporal blocking: an array and the stencils that read it, computed tile by tile in one pass over memory.

A blur is computed row by row and used at several rows around; a step of a simulation reads what the step
before made one element to each side. Where such an array is large and nobody else needs it, both loops run
tile by tile: first the part of the array that a tile of the results looks at, into memory that stays in the
cache, then the tile. What neighbouring tiles both look at, the margin, is computed for each of them, by the
same operations from the same elements. Exact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from ..expr import ONE, ZERO, Expr, equal, less, lift, maximum, minimum, product
from ..index import Dims, Maps, is_run_time
from ..node import Node
from .groups import Group, Reach
from .precedence import Precedence
from .stages import Decide, Stage

REASON = "it is read at neighbouring positions, tile by tile"
TILES = {1: (16384,), 2: (64, 1024), 3: (16, 16, 256)}
"""Extents of a tile of the results by rank, where the array has as many: some 256 KB of f32, an eighth of a
second cache; long in the direction in which elements lie side by side."""
LARGE = 1 << 20
"""Elements from which an array is worth it: smaller ones, written by one loop and read by the next, stay in
the caches."""
MOST_MARGIN = 4
"""A margin is less than one part in so many of a tile's extent, counted on both sides."""
LONGEST_REACH = 1 << 14
"""Characters of an expression that says how far an array is looked at: it grows several times with each array
on the way to the results. That of a fifth step is longer."""
MOST_STAGES = 16
"""Of one kernel: compiling it takes as long as compiling them one by one, but nobody waits for a part."""


def tile_extents(extents: Sequence[Expr]) -> tuple[Expr, ...]:
    """The extents of a tile of an array: those of TILES, but where rows are shorter, more of them."""
    most = TILES.get(len(extents), TILES[3])
    left = product(most)
    tile: list[Expr] = []
    for place, extent in enumerate(reversed(extents)):
        if place < len(most) - 1:
            room = lift(most[-1 - place])
        else:
            room = maximum(left, 1) if place < len(most) else ONE
        tile.append(minimum(maximum(extent, 1), room))
        left = left // tile[-1]
    return tuple(reversed(tile))


class Tiler:
    """Puts groups together whose arrays may live in tiles."""

    def __init__(
        self,
        group_of: dict[Stage, Group],
        inputs: Mapping[Stage, Mapping[Node, Maps]],
        array_of: Callable[[Node], Node],
        fixed: Collection[Node],
        precedence: Precedence,
        decide: Decide,
    ) -> None:
        """`fixed`: arrays that have to be in memory at the end."""
        self.group_of = group_of
        self.place = {stage: place for place, stage in enumerate(group_of)}
        self.inputs = inputs
        self.array_of = array_of
        self.fixed = fixed
        self.precedence = precedence
        self.decide = decide
        self.writers: dict[Node, list[Stage]] = {}
        self.readers: dict[Node, list[Stage]] = {}
        for stage in group_of:
            self.writers.setdefault(array_of(stage.node), []).append(stage)
            for node in inputs[stage]:
                self.readers.setdefault(array_of(node), []).append(stage)

    def run(self) -> None:
        """From the last array to the first: what joins its user, its own producers may follow."""
        for array in reversed(self.writers):
            self._join(array)

    def _join(self, array: Node) -> None:
        makers = dict.fromkeys(self.group_of[stage] for stage in self.writers[array])
        nodes = {self.array_of(stage.node) for maker in makers for stage in maker.stages}
        reading = {self.group_of[stage] for each in nodes for stage in self.readers.get(each, ())}
        count = sum(len(group.stages) for group in (*makers, *reading))
        if not reading or not reading.isdisjoint(makers) or count > MOST_STAGES:
            return
        own = sorted([stage for maker in makers for stage in maker.stages], key=self.place.__getitem__)
        arrays = dict.fromkeys(self.array_of(stage.node) for stage in own)
        readers = [stage for each in arrays for stage in self.readers.get(each, ())]
        users = sorted(reading, key=lambda group: min(map(self.place.__getitem__, group.stages)))
        stages = [*own, *(stage for user in users for stage in user.stages)]
        if any(each in self.fixed or each.op.source == "array" for each in arrays):
            return
        if any(stage not in own for each in arrays for stage in self.writers[each]):
            return
        scratch = {stage.node: self.array_of(stage.node) for stage in own}
        for user in users:
            scratch.update(user.scratch)
        if not self._are_maps(stages) or not self._are_apart(stages, scratch):
            return
        written = {stage.node for stage in own}
        looks = [(stage, look) for stage in readers for each in arrays for look in self._maps(stage, each)]
        if not all(node in written and self._is_shifted(dims, stage) for stage, (node, dims) in looks):
            return
        if not self._in_order(stages) or self.precedence.between(stages):
            return
        reaches = self._reaches(stages, scratch)
        if any(len(margin.text) > LONGEST_REACH for array in arrays for margin in reaches[array].margins):
            return
        results = [reach for reach in reaches if reach not in scratch.values()]
        if not (all(self._pays(each, reaches[each]) for each in arrays) and self._are_alike(results)):
            return
        widest = max(users, key=lambda user: (bool(user.scratch), user.windowed, len(user.stages)))
        joined = Group(stages, widest.parallel, [], scratch=scratch, reaches=reaches)
        self.precedence.join(stages)
        for stage in stages:
            self.group_of[stage] = joined

    def _in_order(self, stages: Sequence[Stage]) -> bool:
        """Whether each of the stages comes after those that it depends on."""
        place = {stage: position for position, stage in enumerate(stages)}
        needs = self.precedence.needs
        return all(place.get(need, -1) < place[stage] for stage in stages for need in needs[stage])

    def _are_maps(self, stages: Sequence[Stage]) -> bool:
        """Whether all that stages do is to write elements of one kind of space, at positions known before."""
        return all(
            stage.kind == "store"
            and stage.scatter is None
            and not stage.component
            and not self.group_of[stage].unrolled
            and len(stage.axes) == len(stages[0].axes) > 0
            and (stage.window is None or all(step == 1 for step in stage.window.steps))
            and not any(is_run_time(dims) for maps in self.inputs[stage].values() for dims in maps)
            for stage in stages
        )

    def _are_apart(self, stages: Sequence[Stage], scratch: Mapping[Node, Node]) -> bool:
        """Whether nobody reads the results of stages among them."""
        results = {self.array_of(stage.node) for stage in stages if stage.node not in scratch}
        read = {self.array_of(node) for stage in stages for node in self.inputs[stage]}
        return read.isdisjoint(results)

    def _are_alike(self, arrays: Sequence[Node]) -> bool:
        """Whether arrays have the same extents now."""
        shapes = [tuple(map(lift, array.shape)) for array in arrays]
        return all(len(shape) == len(shapes[0]) for shape in shapes) and all(
            x is y or self.decide(equal(x, y))
            for shape in dict.fromkeys(shapes)
            for x, y in zip(shapes[0], shape, strict=True)
        )

    def _maps(self, stage: Stage, array: Node) -> Iterable[tuple[Node, Dims]]:
        """Where a stage looks at an array, under which name."""
        return (
            (node, dims)
            for node, maps in self.inputs[stage].items()
            if self.array_of(node) is array
            for dims in maps
        )

    @staticmethod
    def _is_shifted(dims: Dims, stage: Stage) -> bool:
        """Whether an index map stays at a distance from where the stage is."""
        return len(dims) == len(stage.axes) and all(
            dim.axis == axis and dim.step is ONE and not dim.more
            for dim, axis in zip(dims, stage.axes, strict=True)
        )

    def _reaches(self, stages: Sequence[Stage], scratch: Mapping[Node, Node]) -> dict[Node, Reach]:
        """Of every array of a group, by what reads it: from the results backwards."""
        rank = len(stages[0].axes)
        reaches: dict[Node, Reach] = {}
        for array in dict.fromkeys(scratch.get(stage.node, stage.node) for stage in reversed(stages)):
            if array not in scratch.values():
                reaches[array] = Reach((ZERO,) * rank, (ZERO,) * rank)
                continue
            found: list[tuple[Reach, Dims, tuple[Expr, ...]]] = []
            for stage in stages:
                starts = (ZERO,) * rank if stage.window is None else tuple(map(lift, stage.window.starts))
                own_reach = reaches.get(scratch.get(stage.node, stage.node))
                for _, dims in self._maps(stage, array):
                    assert own_reach is not None
                    found.append((own_reach, dims, starts))
            lower, upper = [], []
            for axis in range(rank):
                shifts = [
                    (reach, dims[axis].start if starts[axis] is ZERO else dims[axis].start - starts[axis])
                    for reach, dims, starts in found
                ]
                lower.append(_fold(minimum, [reach.lower[axis] + shift for reach, shift in shifts]))
                upper.append(_fold(maximum, [reach.upper[axis] + shift for reach, shift in shifts]))
            reaches[array] = Reach(tuple(lower), tuple(upper))
        return reaches

    def _pays(self, array: Node, reach: Reach) -> bool:
        """Whether the array is large, and its margins are narrow."""
        if not self.decide(less(LARGE - 1, product(map(lift, array.shape)))):
            return False
        most = TILES.get(len(array.shape), TILES[3])
        rest = (1,) * (len(array.shape) - len(most))
        return all(
            self.decide(less(margin * MOST_MARGIN, extent + 1))
            for margin, extent in zip(reach.margins, (*rest, *most), strict=True)
        )


def _fold(kind: Callable[[Expr, Expr], Expr], parts: Iterable[Expr]) -> Expr:
    first, *rest = dict.fromkeys(parts)
    for part in rest:
        first = kind(first, part)
    return first
