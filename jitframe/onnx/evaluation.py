"""Evaluates graphs: each node by the function of its operator, in a trace or on arrays at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from ..api.frame import LazyValue
from ..errors import ArgumentError, DTypeError, JitframeError
from .records import Graph, Node, graphs_of, make_graph, names_read
from .registry import Operator, find
from .values import is_known, to_known

LITERAL = 64
"""Constants of up to so many elements are known to all operators: shapes are computed of them."""
Weight = Callable[[numpy.ndarray], Any]
"""What stands for a constant in the present trace."""


def evaluate(
    graph: Graph, inputs: Sequence[Any], weight: Weight, enclosing: Mapping[str, Any] | None = None
) -> list[Any]:
    """The outputs of a graph. `around`: values of the graph that it is in."""
    scope: dict[str, Any] = {**(enclosing or {}), **graph.constants}
    scope.update((each.name, value) for each, value in zip(graph.inputs, inputs))
    for node, dead in zip(graph.nodes, graph.dead):
        made = _node(node, scope, weight)
        scope.update(zip(node.outputs, made))
        for name in dead:
            scope.pop(name, None)
    return [scope.get(output.name) for output in graph.outputs]  # a function may leave some out


def _node(node: Node, scope: dict[str, Any], weight: Weight) -> Sequence[Any]:
    values = [scope[name] if name else None for name in node.inputs]
    try:
        body = node.body if node.expand is None else node.expand(values)
        if body is not None:
            values += [None] * (len(body.inputs) - len(values))
            return evaluate(body, values, weight)
        operator = find(node.op, node.domain, node.opset)
        assert operator is not None, node
        return _called(operator, node, values, scope, weight)
    except JitframeError as error:
        if not getattr(error, "of_node", False):
            error.begin(f"in {node}: ")
            error.of_node = True  # type: ignore[attr-defined]
        raise
    except TypeError as error:
        raise DTypeError(f"in {node}: {error}") from error
    except (ValueError, IndexError, KeyError, ZeroDivisionError) as error:
        raise ArgumentError(f"in {node}: {error}") from error


def _called(
    found: Operator, node: Node, values: list[Any], scope: dict[str, Any], weight: Weight
) -> Sequence[Any]:
    options = dict(node.attributes)
    if "node" in found.wants:
        options["node"] = node
    if "run" in found.wants:
        options["run"] = lambda graph, *given: evaluate(graph, given, weight, scope)
    if found.most is not None:
        while len(values) > found.most and values[-1] is None:
            values.pop()
    known = found.known
    for place, value in enumerate(values):
        if value is None:
            continue
        if known and known[min(place, len(known) - 1)]:
            values[place] = to_known(value)
        elif isinstance(value, numpy.ndarray) and value.size > LITERAL:
            values[place] = weight(value)
    with numpy.errstate(all="ignore"):  # compiled code warns of nothing either
        made = found.function(*values, **options)
    return made if isinstance(made, tuple) else (made,)


def folded(graph: Graph) -> Graph:
    """The same graph with what follows from constants alone computed, and constants that nothing reads left
    out."""
    constants, nodes = dict(graph.constants), []
    for node in graph.nodes:
        if not _is_constant(node, constants):
            nodes.append(node)
            continue
        made = _node(node, constants, lambda array: array)
        if not all(_is_array(each) for each in made):
            nodes.append(node)
            continue
        constants.update((name, _array(each)) for name, each in zip(node.outputs, made))
    read = {output.name for output in graph.outputs}.union(*map(names_read, nodes))
    kept = {name: array for name, array in constants.items() if name in read}
    return make_graph(graph.name, graph.inputs, graph.outputs, nodes, kept)


def _is_constant(node: Node, constants: Mapping[str, Any]) -> bool:
    return all(name in constants for name in names_read(node)) and not _is_random(node)


def _is_random(node: Node) -> bool:
    if node.expand is not None:
        return True  # what it is made of is not known yet
    if node.body is not None:
        return any(map(_is_random, node.body.nodes))
    operator = find(node.op, node.domain, node.opset)
    inner = (each for graph in graphs_of(node) for each in graph.nodes)
    return (operator is not None and operator.is_random) or any(map(_is_random, inner))


def _is_array(value: Any) -> bool:
    return isinstance(value, (numpy.ndarray, numpy.generic, LazyValue, bool, int, float))


def _array(value: Any) -> numpy.ndarray:
    if is_known(value):
        return numpy.asarray(value)
    return numpy.asarray(value._concrete("a constant of the model", lasting=True))
