"""Random well-typed graphs with inputs, for comparing what is compiled with what is meant."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from jitframe.arrays.layout import layout_of, run_time_strides
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Op
from jitframe.ir.types import (
    BOOL,
    BY_NUMPY_NAME,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    DType,
)

EXTENTS = (0, 1, 2, 3, 4, 5, 7, 16, 17, 33, 64, 100)
UNARY = {
    "float": (ops.neg, ops.abs, ops.sqrt, ops.floor, ops.ceil, ops.trunc, ops.rint),
    "int": (ops.neg, ops.abs, ops.bitwise_not),
    "uint": (ops.bitwise_not,),
    "bool": (ops.bitwise_not,),
}
BINARY = {
    "float": (ops.add, ops.sub, ops.mul, ops.div, ops.minimum, ops.maximum, ops.copysign),
    "int": (ops.add, ops.sub, ops.mul, ops.floordiv, ops.floormod, ops.minimum, ops.maximum, ops.bitwise_and),
    "uint": (
        ops.add,
        ops.sub,
        ops.mul,
        ops.floordiv,
        ops.floormod,
        ops.minimum,
        ops.maximum,
        ops.bitwise_xor,
    ),
    "bool": (ops.bitwise_and, ops.bitwise_or, ops.bitwise_xor),
}
COMPARE = (ops.eq, ops.ne, ops.lt, ops.le, ops.gt, ops.ge)


@dataclass
class RandomGraph:
    graph: Graph
    outputs: list[Node]
    parameters: list[Node]
    arrays: list[np.ndarray]
    strides: list[tuple[int, ...]]
    """Run-time strides in elements, as `evaluate.prepare` wants them."""
    scalars: list[tuple[Node, object]]


def random_array(rng: np.random.Generator, shape: tuple[int, ...], dtype: DType) -> np.ndarray:
    if dtype is BOOL:
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.is_float:
        values = rng.normal(size=shape) * 10
        special = rng.choice([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e-40], size=shape)
        return np.where(rng.random(shape) < 0.05, special, values).astype(dtype.numpy_name)
    info = np.iinfo(dtype.numpy_name)
    values = rng.integers(-20, 20, shape)
    limits = np.array([info.min, info.max, 0], dtype.numpy_name)
    return np.where(rng.random(shape) < 0.05, rng.choice(limits, size=shape), values.astype(dtype.numpy_name))


DTYPES = (F32, F32, F64, I32, I64, U8, BOOL)
INTEGERS = (I8, I16, I32, I64, U8, U16, U32, U64, BOOL)
NARROW = (F16, F16, F32, I8, I16, U16, I32, BOOL)
"""Without unsigned integers of 32 bits and more: what NumPy makes them of a NaN varies."""


class Maker:
    """Makes one random graph from a seed: of some dtypes, without some ops, with parameters seen through
    strides or all contiguous."""

    def __init__(
        self,
        seed: int,
        exact: bool = True,
        dtypes: tuple[DType, ...] = DTYPES,
        without: tuple[Op, ...] = (),
        strided: bool = True,
    ) -> None:
        self.random = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.graph = Graph()
        self.dtypes = dtypes
        self.without = without
        self.views = strided
        self.arrays: list[np.ndarray] = []
        self.parameters: list[Node] = []
        self.strides: list[tuple[int, ...]] = []
        self.pool: list[Node] = []
        self.exact = exact
        self.extents = self.random.sample(EXTENTS, 3)

    def make(self) -> RandomGraph:
        for _ in range(self.random.randint(1, 3)):
            self.pool.append(self.parameter())
        for _ in range(self.random.randint(2, 14)):
            node = self.step()
            if node is not None and node.size <= 20000:
                self.pool.append(node)
        candidates = self.pool[-4:]
        outputs = list(dict.fromkeys(self.random.choices(candidates, k=self.random.randint(1, 3))))
        scalars = [
            (node, value)
            for index, value in enumerate(self.graph.scalar_values)
            for node in self.graph._interned.values()
            if node.op.name == "scalar" and node.attributes[0] == index
        ]
        return RandomGraph(
            self.graph, outputs, self.parameters, self.arrays, self.strides, list(dict.fromkeys(scalars))
        )

    def shape(self) -> tuple[int, ...]:
        return tuple(self.random.choice(self.extents) for _ in range(self.random.randint(0, 3)))

    def parameter(self) -> Node:
        dtype = self.random.choice(self.dtypes)
        shape = self.shape()
        array = random_array(self.rng, shape, dtype)
        if self.views and shape and self.random.random() < 0.4:
            array = self.strided(array)
        layout = layout_of(array)
        node = self.graph.parameter(len(self.arrays), array.shape, BY_NUMPY_NAME[str(array.dtype)], layout)
        self.arrays.append(array)
        self.parameters.append(node)
        self.strides.append(run_time_strides(array, layout))
        return node

    def strided(self, array: np.ndarray) -> np.ndarray:
        kind = self.random.choice(("transpose", "step", "reverse", "broadcast"))
        if kind == "transpose":
            return array.T
        axis = self.random.randrange(array.ndim)
        index: list[object] = [slice(None)] * array.ndim
        if kind == "broadcast":
            index[axis] = slice(0, 1)
            return np.broadcast_to(array[tuple(index)], array.shape) if array.shape[axis] else array
        index[axis] = slice(None, None, 2 if kind == "step" else -1)
        return array[tuple(index)]

    def step(self) -> Node | None:
        kinds = (
            "unary", "binary", "binary", "binary", "number", "compare", "select", "cast", "reduce", "reduce",
            "find", "scan", "permute", "slice", "slice", "wrap", "reshape", "broadcast", "update", "update",
            "iota", "copy", "windows", "gather", "scatter", "part",
        )  # fmt: skip
        return getattr(self, "make_" + self.random.choice(kinds))(self.random.choice(self.pool))

    def partner(self, node: Node, dtype: DType | None = None) -> Node:
        """A node of the same shape and dtype: one of the pool, or one broadcast or cast to fit."""
        dtype = dtype or node.dtype
        fitting = [each for each in self.pool if each.shape == node.shape]
        if fitting and self.random.random() < 0.8:
            return self.cast(self.random.choice(fitting), dtype)
        value = self.graph.number(self.random.choice((0, 1, 2, 3, 5, 7)), dtype)
        if self.random.random() < 0.5:
            for axis, extent in enumerate(node.shape):
                rows = [each for each in self.pool if each.shape == (extent,)]
                if rows:
                    row = self.cast(self.random.choice(rows), dtype)
                    return self.graph.make(ops.broadcast, row, attributes=(node.shape, (axis,)))
        return self.graph.make(ops.broadcast, value, attributes=(node.shape, ()))

    def cast(self, node: Node, dtype: DType) -> Node:
        return node if node.dtype is dtype else self.graph.make(ops.cast, node, attributes=(dtype,))

    def one_of(self, several: tuple[Op, ...]) -> Op:
        return self.random.choice([op for op in several if op not in self.without])

    def dtype_of(self, *several: DType) -> DType:
        return self.random.choice([dtype for dtype in several if dtype in self.dtypes])

    def make_unary(self, node: Node) -> Node:
        return self.graph.make(self.one_of(UNARY[node.dtype.kind]), node)

    def make_binary(self, node: Node) -> Node:
        return self.graph.make(self.one_of(BINARY[node.dtype.kind]), node, self.partner(node))

    def make_number(self, node: Node) -> Node:
        number = self.graph.number(self.random.choice((1, 2, 3, 11)), node.dtype)
        spread = self.graph.make(ops.broadcast, number, attributes=(node.shape, ()))
        return self.graph.make(self.one_of(BINARY[node.dtype.kind]), node, spread)

    def make_compare(self, node: Node) -> Node:
        return self.graph.make(self.random.choice(COMPARE), node, self.partner(node))

    def make_select(self, node: Node) -> Node:
        return self.graph.make(ops.select, self.partner(node, BOOL), node, self.partner(node))

    def make_cast(self, node: Node) -> Node | None:
        if node.dtype.is_float:
            return self.cast(node, self.dtype_of(F32, F64))
        return self.cast(node, self.dtype_of(F32, F64, I32, I64, U8, BOOL, I8, I16, U16, U32, U64, F16))

    def make_copy(self, node: Node) -> Node:
        return self.graph.make(ops.copy, node)

    def make_reduce(self, node: Node) -> Node | None:
        axes = tuple(axis for axis in range(len(node.shape)) if self.random.random() < 0.6)
        if not axes:
            return None
        if node.dtype is BOOL:
            kind = self.random.choice(("any", "all"))
        elif node.dtype.is_float and self.exact:
            kind = self.random.choice(("max", "min"))
        else:
            kind = self.random.choice(("sum", "max", "min", "prod"))
        return self.graph.make(ops.reduce, node, attributes=(kind, axes))

    def make_find(self, node: Node) -> Node | None:
        axes = tuple(axis for axis in range(len(node.shape)) if self.random.random() < 0.6)
        sortable = node.dtype.is_integer or (self.exact and node.dtype in (F32, F64))
        if not axes or not sortable or 0 in node.shape:
            return None
        kind, dtype = self.random.choice(("argmax", "argmin")), self.dtype_of(I64, I32)
        return self.graph.make(ops.find, node, attributes=(kind, axes, dtype))

    def make_scan(self, node: Node) -> Node | None:
        if not node.shape or (node.dtype.is_float and self.exact):
            return None
        kind = self.random.choice(("max", "min") if node.dtype is BOOL else ("sum", "max", "min"))
        axis = self.random.randrange(len(node.shape))
        return self.graph.make(ops.scan, node, attributes=(kind, axis))

    def positions(self, node: Node) -> tuple[tuple[Node, ...], tuple[object, ...]] | None:
        """Positions on some axes of a node, from other values, and the attributes that say which."""
        if 0 in node.shape or not node.shape:
            return None
        axes = tuple(axis for axis in range(len(node.shape)) if self.random.random() < 0.5) or (0,)
        whole = [each for each in self.pool if each.dtype.kind in ("int", "uint") and each.size <= 300]
        counted = self.graph.make(
            ops.iota, attributes=((self.random.choice(self.extents),), 0, self.dtype_of(I32, I64))
        )
        like = self.random.choice([*whole, counted])
        indices = []
        for axis in axes:
            same = [each for each in (*whole, counted) if each.shape == like.shape]
            index = self.cast(self.random.choice(same), self.dtype_of(I32, I64))
            for op, bound in ((ops.maximum, -node.shape[axis]), (ops.minimum, node.shape[axis] - 1)):
                number = self.graph.number(bound, index.dtype, common=False)
                index = self.graph.make(
                    op, index, self.graph.make(ops.broadcast, number, attributes=(index.shape, ()))
                )
            indices.append(index)
        position = self.random.randint(0, len(node.shape) - len(axes))
        return tuple(indices), (axes, position, (False,) * len(axes), axes)

    def make_gather(self, node: Node) -> Node | None:
        found = self.positions(node)
        if found is None:
            return None
        return self.graph.make(ops.gather, node, *found[0], attributes=(*found[1], 0))

    def make_scatter(self, node: Node) -> Node | None:
        found = self.positions(node)
        if found is None:
            return None
        indices, (axes, position, known, labels) = found
        value = self.graph.make(ops.gather, node, *indices, attributes=(*found[1], 0))
        if self.random.random() < 0.8 and node.dtype is not BOOL:
            value = self.make_number(value)
        several = ("add", "minimum", "maximum", "and", "or", "xor")
        combiners = [kind for kind in several if node.dtype.kind in ops.COMBINERS[kind][1]]
        kind = self.random.choice(("set", "set", *combiners))
        unique = not indices[0].shape
        attributes = (axes, position, kind, known, labels, unique, 0)
        return self.graph.make(ops.scatter, node, value, *indices, attributes=attributes)

    def make_permute(self, node: Node) -> Node:
        axes = list(range(len(node.shape)))
        self.random.shuffle(axes)
        return self.graph.make(ops.permute, node, attributes=(tuple(axes),))

    def make_slice(self, node: Node) -> Node | None:
        if 0 in node.shape:
            return None
        starts, steps, shape = [], [], []
        for extent in node.shape:
            start, step, count = self.window(extent)
            starts.append(start)
            steps.append(step)
            shape.append(count)
        return self.graph.make(ops.slice_, node, attributes=(tuple(starts), tuple(steps), tuple(shape)))

    def make_wrap(self, node: Node) -> Node | None:
        if 0 in node.shape:
            return None
        starts, shape = [], []
        for extent in node.shape:
            start = self.random.choice((0, self.random.randrange(extent)))
            starts.append(start)
            shape.append(self.random.choice((extent, extent, self.random.randint(1, 2 * extent - start))))
        return self.graph.make(ops.wrap, node, attributes=(tuple(starts), tuple(shape)))

    def window(self, extent: int) -> tuple[int, int, int]:
        if self.random.random() < 0.3:
            return 0, 1, extent
        step = self.random.choice((1, 1, 1, 2, -1, -2, 3))
        low = self.random.randrange(extent)
        count = (extent - 1 - low) // abs(step) + 1
        count = self.random.randint(max(1, count - 2), count)
        return (low, step, count) if step > 0 else (low + (count - 1) * -step, step, count)

    def make_windows(self, node: Node) -> Node | None:
        """Sliding windows of one axis, or the diagonal of two of equal extents."""
        rank = len(node.shape)
        if not 0 < rank < 3:
            return None
        if rank == 2 and node.shape[0] == node.shape[1]:
            return self.graph.make(ops.window, node, attributes=(node.shape[:1], ((0,), (0,))))
        axis = self.random.randrange(rank)
        extent = node.shape[axis]
        if not extent:
            return None
        width = self.random.randint(1, min(extent, 6))
        shape = [*node.shape, width]
        shape[axis] = extent - width + 1
        axes = tuple((each, rank) if each == axis else (each,) for each in range(rank))
        return self.graph.make(ops.window, node, attributes=(tuple(shape), axes))

    def make_part(self, node: Node) -> Node | None:
        """Neighbouring elements of a parameter, an axis of which is split."""
        longest = [each for each in self.parameters if each.shape and max(each.shape) > 3]
        if not longest:
            return None
        node = self.random.choice(longest)
        axis = node.shape.index(max(node.shape))
        inner = self.random.randint(2, 3)
        outer = self.random.randint(1, node.shape[axis] // inner)
        starts, shape = [0] * len(node.shape), list(node.shape)
        starts[axis] = self.random.randint(0, node.shape[axis] - outer * inner)
        shape[axis] = outer * inner
        ones = (1,) * len(shape)
        part = self.graph.make(ops.slice_, node, attributes=(tuple(starts), ones, tuple(shape)))
        shape[axis : axis + 1] = [outer, inner]
        return self.graph.make(ops.reshape, part, attributes=(tuple(shape),))

    def make_reshape(self, node: Node) -> Node:
        shape = list(node.shape)
        choice = self.random.random()
        if choice < 0.3:
            shape.insert(self.random.randint(0, len(shape)), 1)
        elif choice < 0.5 and 1 in shape:
            shape.remove(1)
        elif choice < 0.8:
            shape = [node.size]
        elif shape and shape[0] % 2 == 0:
            shape = [2, shape[0] // 2, *shape[1:]]
        return self.graph.make(ops.reshape, node, attributes=(tuple(shape),))

    def make_broadcast(self, node: Node) -> Node | None:
        if len(node.shape) > 2:
            return None
        shape, axes = list(node.shape), list(range(len(node.shape)))
        position = self.random.randint(0, len(shape))
        shape.insert(position, self.random.choice(self.extents))
        axes = [axis + (axis >= position) for axis in axes]
        return self.graph.make(ops.broadcast, node, attributes=(tuple(shape), tuple(axes)))

    def make_update(self, node: Node) -> Node | None:
        window = self.make_slice(node)
        if window is None:
            return None
        starts, steps, _shape = window.attributes
        value = self.partner(self.graph.make(ops.slice_, node, attributes=window.attributes))
        return self.graph.make(ops.update, node, value, attributes=(starts, steps))

    def make_iota(self, node: Node) -> Node | None:
        if not node.shape:
            return None
        axis = self.random.randrange(len(node.shape))
        dtype = self.dtype_of(I64, F32, I32)
        return self.graph.make(ops.iota, attributes=(node.shape, axis, dtype))
