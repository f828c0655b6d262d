"""The interpreter of graphs: evaluates every node by its op's NumPy reference, in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

from .node import Node

Array = Any


def evaluate(outputs: Iterable[Node], given: Mapping[Node, Array]) -> list[Array]:
    """Returns the values of the outputs; `given` has those of parameters and scalars as ndarrays."""
    outputs = tuple(outputs)
    values: dict[Node, Array] = dict(given)
    complete(outputs, values)
    return [values[node] for node in outputs]


def complete(outputs: Iterable[Node], values: MutableMapping[Node, Array]) -> None:
    """Adds the values of the outputs, and of the nodes that they need, to the given ones."""
    pending = list(outputs)
    while pending:
        node = pending[-1]
        missing = [] if node in values else [source for source in node.inputs if source not in values]
        if missing:
            pending += missing
            continue
        pending.pop()
        if node not in values:
            inputs = [values[source] for source in node.inputs]
            values[node] = node.op.reference(inputs, node.attributes, node)
