"""The programs of the roofline: each as a graph and in NumPy, and what it has to move or compute."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jitframe.functions import elementwise, movement, products, reductions
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node

Build = Callable[..., Node]


@dataclass(frozen=True)
class Case:
    """One program on float32 arrays of `shapes`. Its rate is bytes, or operations where it has them."""

    name: str
    shapes: tuple[tuple[int, ...], ...]
    build: Build
    numpy: Callable[..., np.ndarray]
    moved_bytes: int
    """What has to be read and written once."""
    operations: int = 0
    reach: float = 0.0
    """The share of the device's copy rate, or of the library's rate, that is to be reached."""
    generated: bool = False
    """Whether a product is to be a kernel of ours although the device has a library."""

    @property
    def title(self) -> str:
        return f"{self.name} {' '.join('x'.join(map(str, shape)) for shape in self.shapes[:1])}"

    def arrays(self) -> list[np.ndarray]:
        random = np.random.default_rng(len(self.name))
        return [random.random(shape, np.float32) - np.float32(0.5) for shape in self.shapes]


def chain(graph: Graph, x: Node, y: Node) -> Node:
    """sqrt(|x * y + x|) - y: five operations, three arrays."""
    total = elementwise.add(graph, elementwise.multiply(graph, x, y), x)
    return elementwise.subtract(graph, elementwise.sqrt(graph, elementwise.absolute(graph, total)), y)


def softmax(graph: Graph, x: Node) -> Node:
    shifted = elementwise.subtract(graph, x, reductions.max_(graph, x, -1, keepdims=True))
    exponential = elementwise.exp(graph, shifted)
    return elementwise.divide(graph, exponential, reductions.sum(graph, exponential, -1, keepdims=True))


def layer_norm(graph: Graph, x: Node) -> Node:
    centred = elementwise.subtract(graph, x, reductions.mean(graph, x, -1, keepdims=True))
    square = reductions.mean(graph, elementwise.multiply(graph, centred, centred), -1, keepdims=True)
    return elementwise.divide(graph, centred, elementwise.sqrt(graph, elementwise.add(graph, square, 1e-5)))


def transposed(graph: Graph, x: Node) -> Node:
    return graph.make(ops.copy, movement.transpose(x.shape).apply(graph, x))


def sum_over(axis: int | None) -> Build:
    return lambda graph, x: reductions.sum(graph, x, axis)


def _softmax(x: np.ndarray) -> np.ndarray:
    exponential = np.exp(x - x.max(-1, keepdims=True))
    return exponential / exponential.sum(-1, keepdims=True)


def _layer_norm(x: np.ndarray) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(1e-5))


def cases(array_bytes: int, matrix: int) -> list[Case]:
    """Cases on arrays of about `array_bytes`, and products of square matrices of `matrix` rows."""
    elements = array_bytes // 4
    side = 1 << (int(math.log2(elements)) // 2)
    flat, square = (elements,), (side, side)
    rows = [shape for width in (1024, 16384) if (shape := (elements // width, width))[0] > 0]
    if (4096, 1024) not in rows and elements >= 4096 * 1024:
        rows.insert(0, (4096, 1024))
    operations, matrix_bytes = 2 * matrix**3, 3 * 4 * matrix**2
    both = ((matrix, matrix),) * 2
    return [
        Case("five operations", (flat, flat), chain, _chain, _bytes(flat) * 3, reach=0.9),
        *(Case("softmax", (shape,), softmax, _softmax, 2 * _bytes(shape), reach=0.8) for shape in rows),
        *(
            Case("layer norm", (shape,), layer_norm, _layer_norm, 2 * _bytes(shape), reach=0.8)
            for shape in rows
        ),
        Case("sum of all", (flat,), sum_over(None), lambda x: x.sum(), _bytes(flat), reach=0.85),
        Case("sum of rows", (square,), sum_over(1), lambda x: x.sum(1), _bytes(square), reach=0.85),
        Case("sum of columns", (square,), sum_over(0), lambda x: x.sum(0), _bytes(square), reach=0.85),
        Case("transpose", (square,), transposed, lambda x: x.T, 2 * _bytes(square)),
        Case("product", both, products.matmul, np.matmul, matrix_bytes, operations),
        Case(
            "product, generated",
            both,
            products.matmul,
            np.matmul,
            matrix_bytes,
            operations,
            0.5,
            generated=True,
        ),
    ]


def _chain(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.sqrt(np.abs(x * y + x)) - y


def _bytes(shape: Sequence[int]) -> int:
    return 4 * math.prod(shape)


def check(case: Case, ours: np.ndarray, arrays: Sequence[np.ndarray]) -> None:
    """A rate counts only where the values are right."""
    true = np.asarray(case.numpy(*arrays))
    scale = float(np.abs(true).max(initial=0)) + (math.sqrt(arrays[0].size) if "sum" in case.name else 0)
    np.testing.assert_allclose(ours, true, rtol=1e-4, atol=1e-4 * scale, err_msg=case.title)
