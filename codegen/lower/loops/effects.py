"""The order of a region's effects, and the updates in place.

A graph is ordered by its dependences alone, and an update returns a new array. In a kernel all versions of an
array share one memory: an update may overwrite the version before it if all other reads of that one can come
first. A read that depends on the update, through other nodes, is computed before it, or else the update
writes to a copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....ir.expr import ZERO, Expr, lift, product, total
from ....ir.index import folds, index_nodes
from ....ir.node import Node, Region, topological, users_of
from ....ir.passes.cost import is_unrolled
from ....ir.passes.stages import Decide
from ....ir.passes.write_back import reads_apart
from ....ir.record import record
from .control_flow import ControlFlow, control_flow_of, version_of


class NoNest(Exception):
    """A region that cannot be a loop's body in a kernel; the message says why."""


class Effects(metaclass=record):
    """The effects of a region, in order."""

    order: tuple[Node, ...]
    """Reads of elements, reductions, stored values, updates and control nodes."""
    stored: frozenset[Node]
    """Arrays that are materialized in memory of their own."""
    in_place: frozenset[tuple[Node, int]]
    """Updates, and results of control nodes by position, in the memory of the version before."""
    elements: Expr
    """The number of elements of arrays that are computed or moved, inner loops excluded."""
    room: Expr
    """The elements of arrays that start uninitialized and are filled by inner loops."""


def effects_of(
    region: Region, homes: Sequence[Node | None], writable: frozenset[Node], decide: Decide
) -> Effects:
    """Returns the effects of a region that may write to the memory of some of its parameters.

    Raises NoNest. `homes`: for each result that is an array, the parameter whose memory it has at the end.
    """
    nodes = topological((*region.parameters, *region.results))
    for node in nodes:
        if node.op.family in ("scan", "contract") or (node.op.family == "control" and not node.op.nested):
            raise NoNest(f"{node.op.title or node.op.name} is a step of its own")
    stored = _first_stored(nodes, region.results)
    while True:
        planning = _Planning(nodes, region.results, writable, stored, decide)
        more = planning.run()
        if not more:
            return planning.effects(homes)
        stored = stored | more


def _first_stored(nodes: Sequence[Node], results: Sequence[Node]) -> frozenset[Node]:
    """Returns the nodes that are stored in any order."""
    users = users_of(nodes)
    stored: set[Node] = set()

    def keep(node: Node) -> None:
        """Adds a node to store, unless it is in memory or is another name of stored memory."""
        while node.op.copies or not folds(node):
            (node,) = node.inputs
        if node.shape and version_of(node) is None:
            stored.add(node)

    for node in results:
        keep(node)
    for node in nodes:
        if node.op.family == "control":
            for operand in node.inputs:
                keep(operand)
        elif not folds(node):
            keep(node.inputs[0])
        elif node.shape and node.op.family == "reduce" and not is_unrolled(node):
            stored.add(node)
        elif node.shape and node.op.family == "elementwise" and not node.op.copies:
            read = users[node]
            if len(read) > 1 or any(user.op.repeats for user in read):
                stored.add(node)
    return frozenset(stored)


class _Planning:
    """An attempt to order the effects with a set of stored nodes."""

    def __init__(
        self,
        nodes: Sequence[Node],
        results: Sequence[Node],
        writable: frozenset[Node],
        stored: frozenset[Node],
        decide: Decide,
    ) -> None:
        self.nodes, self.results, self.writable, self.stored = nodes, results, writable, stored
        self.decide = decide
        self.statements = [node for node in nodes if self._is_statement(node)]
        self.place = {node: place for place, node in enumerate(self.statements)}
        self.readers: dict[Node, list[Node]] = {}
        """The statements that read each version."""
        self.after: dict[Node, set[Node]] = {}
        """The statements that each one must follow."""
        self.following: dict[Node, list[Node]] = {}
        """Those that must follow each one."""
        self.in_place: set[tuple[Node, int]] = set()
        self.more: set[Node] = set()
        for node in self.statements:
            self._look_at(node)
        self.kept = {version for result in results if result.shape and (version := self._version(result))}
        """The versions that must exist at the end."""

    def run(self) -> frozenset[Node]:
        """Decides which updates are in place; returns the nodes that must be stored for that, after which the
        attempt is repeated."""
        taken: set[Node] = set()
        for node in self.statements:
            for position, base in self._changes(node):
                version = self._version(base)
                if version is not None and self._overwrites(node, version, taken):
                    self.in_place.add((node, position))
                    taken.add(version)
                if self.more:
                    return frozenset(self.more)
        return frozenset()

    def effects(self, homes: Sequence[Node | None]) -> Effects:
        empty = [node for node in self.statements if node.op.source == "undefined"]
        elements = [self._elements(node) for node in self.statements if node.op.source != "undefined"]
        for result, home in zip(self.results, homes, strict=True):
            if result.shape and self._memory_of(result) is not home:
                elements.append(_count(result))
        order, in_place = tuple(self._sorted()), frozenset(self.in_place)
        return Effects(order, self.stored, in_place, total(elements), total(map(_count, empty)))

    def _memory_of(self, node: Node) -> Node | None:
        """Returns the version whose memory a node has."""
        version = self._version(node)
        while version is not None:
            if (version, 0) in self.in_place and version.op.family == "update":
                version = self._version(version.inputs[0])
            elif version.op.family == "item":
                position = version.attribute("position")
                if (version.inputs[0], position) not in self.in_place:
                    break
                flow = control_flow_of(version.inputs[0])
                source = flow.taken[position]
                assert source is not None
                version = self._version(flow.operands[source])
            else:
                break
        return version

    # Statements and versions --------------------------------------------------------------------------
    def _is_statement(self, node: Node) -> bool:
        if node.op.family in ("update", "control") or node in self.stored:
            return True
        reads = node.op.family in ("gather", "reduce") or (node.op.family == "movement" and node.inputs)
        return bool(not node.shape and reads and node.inputs[0].shape)

    def _version(self, node: Node) -> Node | None:
        return version_of(node, self.stored)

    def _look_at(self, statement: Node) -> None:
        needs: set[Node] = set()
        reads: set[Node] = set()
        for node in self._reached(statement.inputs):
            if node.op.family == "item":
                needs.add(node.inputs[0])
            elif node in self.place:
                needs.add(node)
            if node.shape and (version := self._version(node)) is not None:
                reads.add(version)
        self.after[statement] = set()
        self._follow(statement, needs)
        for version in reads:
            self.readers.setdefault(version, []).append(statement)

    def _follow(self, statement: Node, others: Iterable[Node]) -> None:
        """Lets a statement come after others."""
        self.after[statement].update(others)
        for node in others:
            self.following.setdefault(node, []).append(statement)

    def _reached(self, roots: Iterable[Node]) -> list[Node]:
        """Returns the leaves of the expression that a statement computes."""
        pending, seen, nodes = list(roots), set[Node](), []
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            if node in self.place or node.op.family == "item" or node.op.source == "array":
                nodes.append(node)
                if node.op.family == "item" and node.shape:
                    # An unchanged result lies in the operand's memory.
                    flow = control_flow_of(node.inputs[0])
                    same = flow.unchanged[node.attribute("position")]
                    if same is not None:
                        pending.append(flow.operands[same])
            else:
                pending.extend(node.inputs)
        return nodes

    def _changes(self, node: Node) -> list[tuple[int, Node]]:
        """Returns the results of a statement that could have the memory of another array, and that array."""
        if node.op.family == "update":
            return [(0, node.inputs[0])]
        if node.op.family == "control":
            flow = control_flow_of(node)
            return [(k, flow.operands[j]) for k, j in enumerate(flow.taken) if j is not None]
        return []

    # Updates in place ---------------------------------------------------------------------------------
    def _overwrites(self, node: Node, version: Node, taken: set[Node]) -> bool:
        """Whether a statement may overwrite a version; the readers of that version then come before it."""
        if version in taken or version in self.kept or not self._is_own(version):
            return False
        if not self._reads_itself_well(node, version):
            return False
        readers = [each for each in self.readers.get(version, ()) if each is not node]
        later = self._followers(node) if readers else ()
        for reader in readers:
            if reader in later:
                between = self._computed_from(reader, version)
                self.more.update(between)
                return False
        self._follow(node, readers)
        return True

    def _is_own(self, version: Node) -> bool:
        return version.op.source != "array" or version in self.writable

    def _reads_itself_well(self, node: Node, version: Node) -> bool:
        """Whether a statement's own reads of the version come before it is overwritten."""
        if node.op.family == "control":
            flow = control_flow_of(node)
            return self._names(flow, version) == 1
        value, indices = node.inputs[1], index_nodes(node)
        for index in indices:
            if index.shape and version in self._versions_below(index):
                self.more.add(index)
        if (
            value.shape
            and version in self._versions_below(value)
            and not reads_apart(node, self.decide, self.place)
        ):
            if self._version(value) is not None:
                return False  # an array in the same memory under another name
            self.more.add(value)
        return True

    def _names(self, flow: ControlFlow, version: Node) -> int:
        """The number of a control node's operands in the memory of a version."""
        return sum(bool(operand.shape) and self._version(operand) is version for operand in flow.operands)

    def _versions_below(self, node: Node) -> set[Node]:
        found = (self._version(each) for each in self._reached([node]) if each.shape)
        return {version for version in found if version is not None}

    def _computed_from(self, statement: Node, version: Node) -> set[Node]:
        """Returns the nodes of a statement's expression that depend directly on a version: stored, they can
        be computed before."""
        pending, seen, nodes = list(statement.inputs), set[Node](), set[Node]()
        while pending:
            node = pending.pop()
            if node in seen or node in self.place or self._version(node) is not None:
                continue
            seen.add(node)
            if node.shape and any(self._version(each) is version for each in node.inputs if each.shape):
                nodes.add(node)
            pending.extend(node.inputs)
        return nodes

    def _followers(self, node: Node) -> set[Node]:
        """Returns the statements that must follow a node."""
        nodes: set[Node] = set()
        pending = [node]
        while pending:
            for each in self.following.get(pending.pop(), ()):
                if each not in nodes:
                    nodes.add(each)
                    pending.append(each)
        return nodes

    # Order --------------------------------------------------------------------------------------------
    def _sorted(self) -> list[Node]:
        """Sorts statements in the order of the graph, except where one must follow another."""
        order: dict[Node, None] = {}
        for first in self.statements:
            pending = [first]
            while pending:
                node = pending[-1]
                missing = [each for each in self.after[node] if each not in order]
                if node in order or not missing:
                    order[node] = None
                    pending.pop()
                else:
                    pending.append(min(missing, key=self.place.__getitem__))
        return list(order)

    def _copied(self, base: Node) -> Expr:
        return ZERO if base.op.source == "undefined" else _count(base)

    def _elements(self, node: Node) -> Expr:
        if node.op.family == "control":
            flow, moved = control_flow_of(node), ZERO
            for position, source in enumerate(flow.taken):
                if source is not None and (node, position) not in self.in_place:
                    moved = moved + self._copied(flow.operands[source])
            return moved
        if node.op.family == "update":
            base, value = node.inputs[:2]
            return _count(value) + (ZERO if (node, 0) in self.in_place else self._copied(base))
        if node.op.family == "reduce" and not is_unrolled(node):
            return _count(node.inputs[0])
        return _count(node)


def _count(node: Node) -> Expr:
    return product(map(lift, node.shape)) if node.shape else ZERO
