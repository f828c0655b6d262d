"""Weights of products, packed when a model is loaded, in the order in which the processor reads them.

A product packs its right operand at every call, which a few rows do not pay for; constants are packed once.
Devices are given the matrices as they were.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..codegen.lower.products.packed_products import LINE_BYTES
from ..ir.record import replace
from .operators.products import scaled_sum
from .records import Graph, Node, make_graph, names_read
from .registry import operator

DOMAIN = "jitframe.packed"
"""Of operators whose second input is such a constant."""
LEAST = 1 << 14
"""Elements of a matrix from which packing it once is worth its operator."""
MOST_FILLED = 8
"""A column may be multiplied in vain for so many that are wanted."""


def packed(graph: Graph) -> Graph:
    """The same graph with constants that are nothing but right operands of products in panels."""
    readers: dict[str, list[Node]] = {}
    for node in graph.nodes:
        for name in names_read(node):
            readers.setdefault(name, []).append(node)
    outputs = {output.name for output in graph.outputs}
    constants = dict(graph.constants)
    replaced: dict[Node, Node] = {}
    for name, array in graph.constants.items():
        forms = {_transposes(node, name) for node in readers.get(name, ())}
        if name in outputs or len(forms) != 1 or None in forms:
            continue
        matrix = array.T if forms == {True} else array
        if _fits(matrix):
            constants[name] = in_panels(matrix)
            for node in readers[name]:
                options = {key: value for key, value in node.attributes.items() if key != "transB"}
                options["columns"] = matrix.shape[1]
                replaced[node] = replace(node, domain=DOMAIN, attributes=options)
    nodes = [replaced.get(node, node) for node in graph.nodes]
    return make_graph(graph.name, graph.inputs, graph.outputs, nodes, constants)


def in_panels(matrix: np.ndarray) -> np.ndarray:
    """[strips, inner, columns of a strip] of [inner, columns]; zeros fill the last strip."""
    inner, columns = matrix.shape
    width = LINE_BYTES // matrix.itemsize
    panels = np.zeros((-(-columns // width), inner, width), matrix.dtype)
    for strip, panel in enumerate(panels):
        part = matrix[:, strip * width : (strip + 1) * width]
        panel[:, : part.shape[1]] = part
    return panels


def from_panels(panels: Any) -> Any:
    """The matrix with what fills the last strip, as a view while tracing."""
    return panels.transpose((1, 0, 2)).reshape((panels.shape[1], panels.shape[0] * panels.shape[2]))


def packed_weights(graph: Graph) -> dict[int, int]:
    """The constants in panels, by identity: how many columns they have."""
    packed = [node for node in graph.nodes if node.domain == DOMAIN]
    return {id(graph.constants[node.inputs[1]]): node.attributes["columns"] for node in packed}


def _transposes(node: Node, name: str) -> bool | None:
    """Whether a product reads its right operand, the constant, transposed; None where it is no such."""
    if node.domain or node.op not in ("MatMul", "Gemm") or node.inputs.count(name) != 1:
        return None
    return bool(node.attributes.get("transB", 0)) if node.inputs[1] == name else None


def _fits(matrix: np.ndarray) -> bool:
    if matrix.ndim != 2 or matrix.dtype not in (np.float32, np.float64) or matrix.size < LEAST:
        return False
    columns: int = matrix.shape[1]
    filled = -columns % (LINE_BYTES // matrix.itemsize)
    return filled * MOST_FILLED <= columns


@operator("MatMul", domain=DOMAIN)
def matmul_packed(x: Any, panels: Any, *, columns: int) -> Any:
    if panels.ndim == 2:
        return np.matmul(x, panels)
    strips, inner, width = panels.shape
    if math.prod(x.shape[:-1]) == 1 and x.shape[-1] == inner:  # each element of the matrix is read once
        made = (x.reshape((inner, 1)) * panels).sum(axis=1).reshape((*x.shape[:-1], strips * width))
    else:
        made = np.matmul(x, from_panels(panels))
    return made if columns == strips * width else made[..., :columns]


@operator("Gemm", domain=DOMAIN)
def gemm_packed(
    x: Any, panels: Any, z: Any = None, *, columns: int, alpha: float = 1.0, beta: float = 1.0,
    transA: int = 0, broadcast: int = 0,
) -> Any:  # fmt: skip
    made = matmul_packed(np.transpose(x) if transA else x, panels, columns=columns)
    return scaled_sum(made, z, alpha, beta)
