"""Graph rewriting: laws as data, rules as functions, and the engine that applies both to a fixed point.

>>> X = Variable("x")
>>> laws = LawTable((Law(of(ops.mul, X, 1), X),))          # x * 1 -> x
>>> (x,) = rewrite(graph, outputs, laws, rules={})

A law is told apart from the others by the first part of its pattern that is not a variable, so a node is only
compared with laws that can fit it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from . import ops
from .node import Attributes, Graph, Node, Op, Region, topological
from .record import record
from .types import Bits, Kind

Number = bool | int | float


class Variable(metaclass=record):
    """Matches any node; the same variable matches the same node."""

    name: str


class Pattern(metaclass=record):
    """A pattern of an elementwise op and its operands' patterns. A number matches itself, broadcast to the
    required shape."""

    op: Op
    arguments: tuple[Term, ...]


Term = Variable | Pattern | Number


def of(op: Op, *arguments: Term) -> Pattern:
    return Pattern(op, arguments)


class Law(metaclass=record):
    """before -> after, exact for dtypes of these kinds (those of the last operand of `before`)."""

    before: Pattern
    after: Term
    kinds: frozenset[Kind] | None = None
    """None: all kinds that the op takes."""

    def __str__(self) -> str:
        kinds = "" if self.kinds is None else f" ({', '.join(sorted(self.kinds))})"
        return f"{spell(self.before)} -> {spell(self.after)}{kinds}"

    def admits(self, kind: Kind) -> bool:
        return kind in (self.before.op.kinds if self.kinds is None else self.kinds)


def spell(term: Term) -> str:
    if isinstance(term, Variable):
        return term.name
    if isinstance(term, Pattern):
        return f"{term.op.name}({', '.join(map(spell, term.arguments))})"
    return repr(term)


Bindings = dict[Variable, Node]
Rule = Callable[["Rewriter", Node], Node | None]
"""A node of the new graph (its inputs are rewritten) to an equal one made by the rewriter, or None."""
_CONSTANT, _REPEATED = "constant", "repeated"
_Anchored = dict[tuple[int, Op | str], list[tuple[Law, tuple[Term, ...]]]]
"""The laws of one op by the form of one of its operands: the operand's index, and its op, a constant, or the
operand before it; each with its operands."""


class LawTable:
    """Laws by the form of the nodes that they match."""

    def __init__(self, laws: Iterable[Law]) -> None:
        self._of: dict[Op, list[Law]] = {}
        for law in laws:
            self._of.setdefault(law.before.op, []).append(law)
        self._by_anchor: dict[Op, _Anchored] = {}
        """Laws of the ops that have occurred: a graph has few of those with laws."""

    def _anchored(self, op: Op) -> _Anchored:
        found: _Anchored = {}
        for law in self._of.get(op, ()):
            arguments = law.before.arguments
            either = (arguments, arguments[::-1]) if op.commutative else (arguments,)
            for each in dict.fromkeys(either):
                found.setdefault(_anchor(each), []).append((law, each))
        return found

    def apply(self, rewriter: Rewriter, node: Node) -> Node | None:
        """Rewrites a node by the first law that matches."""
        op, inputs = node.op, node.inputs
        table = self._by_anchor.get(op)
        if table is None:
            table = self._by_anchor[op] = self._anchored(op)
        if not table:
            return None
        for position, source in enumerate(inputs):
            base = source.inputs[0] if source.op.repeats else source
            found = table.get((position, _CONSTANT if base.op.source == "constant" else source.op))
            made = self._first(found, rewriter, node) if found else None
            if made is not None:
                return made
        if len(inputs) > 1 and inputs[-1] is inputs[-2]:
            found = table.get((len(inputs) - 1, _REPEATED))
            return self._first(found, rewriter, node) if found else None
        return None

    def _first(
        self, candidates: Sequence[tuple[Law, tuple[Term, ...]]], rewriter: Rewriter, node: Node
    ) -> Node | None:
        kind = node.inputs[-1].dtype.kind
        for law, arguments in candidates:
            bound: Bindings = {}
            if law.admits(kind) and all(
                _matches(term, source, bound) for term, source in zip(arguments, node.inputs, strict=True)
            ):
                return _build(law.after, rewriter, node, bound)
        return None


def _anchor(arguments: tuple[Term, ...]) -> tuple[int, Op | str]:
    for position, term in enumerate(arguments):
        if isinstance(term, Pattern):
            return position, term.op
        if not isinstance(term, Variable):
            return position, _CONSTANT
    assert arguments[-1] == arguments[-2], "a law needs something to be told apart by"
    return len(arguments) - 1, _REPEATED


def _matches(term: Term, node: Node, bound: Bindings) -> bool:
    if isinstance(term, Variable):
        return bound.setdefault(term, node) is node
    if isinstance(term, Pattern):
        return node.op is term.op and all(
            _matches(inner, source, bound) for inner, source in zip(term.arguments, node.inputs, strict=True)
        )
    value = constant_value(node)
    if value is None or value != term:
        return False
    # 0 is 0.0 and not -0.0.
    return value != 0 or math.copysign(1.0, value) == math.copysign(1.0, term)


def _build(term: Term, rewriter: Rewriter, like: Node, bound: Bindings) -> Node:
    if isinstance(term, Variable):
        return bound[term]
    if isinstance(term, Pattern):
        # The operands are of one dtype: that of the variables, or of the result where there are none.
        operand = next(iter(bound.values()), like)
        return rewriter.make(term.op, *(_build(inner, rewriter, operand, bound) for inner in term.arguments))
    return rewriter.filled(term, like)


def constant_value(node: Node) -> Number | None:
    """Returns the number of a constant, or of a broadcast of one."""
    if node.op.repeats:
        (node,) = node.inputs
    if node.op.source != "constant":
        return None
    bits: Bits = node.attributes[0]
    return bits.value


class Rewriter:
    """Makes nodes of a new graph in normal form: no law or rule changes them any more."""

    def __init__(self, graph: Graph, laws: LawTable, rules: Mapping[Op, Sequence[Rule]]) -> None:
        self.graph = graph
        self.laws = laws
        self.rules = rules
        self._final: dict[Node, Node] = {}

    def make(self, op: Op, *inputs: Node, attributes: Attributes = ()) -> Node:
        """Makes a node and rewrites it; the inputs were made by this rewriter."""
        return self.final(self.graph.make(op, *inputs, attributes=attributes))

    def final(self, first: Node) -> Node:
        """Rewrites a node of the new graph."""
        known = self._final.get(first)
        if known is not None:
            return known
        node = first
        while True:
            changed = self._changed(node)
            if changed is None or changed is node:
                break
            assert changed.dtype is first.dtype and changed.shape == first.shape, (first, changed)
            node = changed
        self._final[first] = self._final[node] = node
        return node

    def _changed(self, node: Node) -> Node | None:
        for rule in self.rules.get(node.op, ()):
            changed = rule(self, node)
            if changed is not None:
                return changed
        return self.laws.apply(self, node)

    def filled(self, value: Number, like: Node) -> Node:
        """Makes a constant of the shape and dtype of a node."""
        constant = self.graph.constant(value, like.dtype)
        return self.broadcast(constant, like.shape, ()) if like.shape else constant

    def broadcast(self, node: Node, shape: Sequence[int], axes: Sequence[int]) -> Node:
        return self.make(ops.broadcast, node, attributes=(tuple(shape), tuple(axes)))


def rewrite(
    graph: Graph, outputs: Iterable[Node], laws: LawTable, rules: Mapping[Op, Sequence[Rule]]
) -> tuple[Node, ...]:
    """Rewrites the outputs into `graph`, regions included, with every node in normal form."""
    outputs = tuple(outputs)
    rewriter = Rewriter(graph, laws, rules)
    made: dict[Node, Node] = {}
    for node in topological(outputs):
        attributes = node.attributes
        if any(value.__class__ is Region for value in attributes):
            attributes = tuple(
                rewrite_region(graph, value, laws, rules) if isinstance(value, Region) else value
                for value in attributes
            )
        inputs = tuple([made[source] for source in node.inputs])
        made[node] = rewriter.final(graph.like(node, inputs, attributes))
    return tuple(made[node] for node in outputs)


def rewrite_region(
    parent: Graph, region: Region, laws: LawTable, rules: Mapping[Op, Sequence[Rule]]
) -> Region:
    inner = Graph(parent)
    nodes = rewrite(inner, (*region.parameters, *region.results), laws, rules)
    count = len(region.parameters)
    return Region(inner, nodes[:count], nodes[count:])
