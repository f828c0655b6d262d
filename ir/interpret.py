"""The meaning of a graph: every node by its op's NumPy reference, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .node import Node, topological

Array = Any


def evaluate(outputs: Iterable[Node], given: Mapping[Node, Array]) -> list[Array]:
    """Values of the outputs, where `given` holds those of parameters and scalars as ndarrays."""
    outputs = tuple(outputs)
    values: dict[Node, Array] = dict(given)
    for node in topological(outputs):
        if node not in values:
            inputs = [values[source] for source in node.inputs]
            values[node] = node.op.reference(inputs, node.attributes, node)
    return [values[node] for node in outputs]
