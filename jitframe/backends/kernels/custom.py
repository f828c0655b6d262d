"""Custom kernels as array functions: nodes of the graph, launches of the plan, on every backend.

>>> import jitframe as jf
>>> build = jf.backends.KernelBuilder("axpy", workgroup=64)
>>> a, n = build.uniform("float32", "a"), build.uniform("index", "n")
>>> x, y = build.buffer("float32", "in", "x"), build.buffer("float32", "inout", "y")
>>> i = build.position()
>>> with build.when(i < n):
...     y[i] = a * x[i] + y[i]
>>> axpy = jf.custom_kernel(build.finish())
>>> @jf.jit
... def shifted(x, y):
...     return axpy(0.5, x, y) - 1
>>> import numpy as np
>>> shifted(np.arange(4, dtype=np.float32), np.ones(4, np.float32))
array([0. , 0.5, 1. , 1.5], dtype=float32)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...api.calls import operand
from ...api.frame import frame_of
from ...arrays.promotion import Operand, Weak
from ...base.boundary import guarded
from ...codegen.kernel.interpret import interpret
from ...codegen.kernel.nodes import Kernel
from ...codegen.kernel.rewrite import load_scalars
from ...errors import ArgumentError, DTypeError, ShapeError
from ...functions.operands import as_node
from ...ir import ops
from ...ir.node import Graph, Node, Shape
from ...ir.types import INDEX, DType
from .expressions import dtype_name
from .function import KernelFunction, Parameter, three

Shapes = Callable[..., Any]


class GraphKernel:
    """A custom kernel for the graph and its lowering (see `ir.ops.control.Custom`)."""

    def __init__(self, function: KernelFunction) -> None:
        self.function = function
        self.name = function.name
        buffers = [parameter for parameter in function.parameters if parameter.is_buffer]
        self.accesses = tuple(buffer.access for buffer in buffers)
        self.arrays = tuple(buffer.dtype for buffer in buffers if buffer.access != "out")
        self.results = tuple(buffer.dtype for buffer in buffers if buffer.access != "in")
        rest = [parameter.dtype for parameter in function.parameters if not parameter.is_buffer]
        self.scalars = tuple(dtype for dtype in rest if dtype is not INDEX)
        self._hash = hash(function)
        self._kernels: dict[tuple[bool, ...], Kernel] = {}

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, GraphKernel) and self.function == other.function)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return self.name

    def kernel_with(self, loaded: tuple[bool, ...]) -> Kernel:
        """Returns the kernel, with some of its scalars as one more buffer each, from which it loads them."""
        found = self._kernels.get(loaded)
        if found is None:
            kernel = self.function.kernel
            found = self._kernels[loaded] = load_scalars(kernel, loaded) if any(loaded) else kernel
        return found

    def split(self, slots: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
        """Returns workgroups along each axis, and the kernel's indices: its own sizes, then the grid's."""
        rank = self.function.rank
        grid, sizes = slots[:rank], slots[rank:]
        return grid, (*sizes, *self.function.grid_indices(grid))

    def reference(
        self, inputs: Sequence[Any], shapes: Sequence[Shape], slots: Sequence[int]
    ) -> list[numpy.ndarray]:
        """Returns the results, by the interpreter of kernels."""
        given, buffers = iter(inputs), []
        results: list[numpy.ndarray] = []
        for access in self.accesses:
            array = None if access == "out" else numpy.array(next(given))
            if access != "in":
                dtype = self.results[len(results)].numpy_name
                extents = tuple(map(int, shapes[len(results)]))
                array = numpy.zeros(extents, dtype) if array is None else array
                results.append(array)
            assert array is not None
            buffers.append(array.reshape(-1))
        grid, indices = self.split([int(slot) for slot in slots])
        interpret(
            self.function.kernel, buffers, indices, [each[()] for each in given], range(math.prod(grid))
        )
        return results


@guarded
def custom_kernel(
    kernel: KernelFunction | Callable[..., KernelFunction],
    *,
    shapes: Shapes | None = None,
    sizes: Shapes | None = None,
    grid: Shapes | None = None,
) -> Callable[..., Any]:
    """Makes an array function that is one launch of a kernel, for Tensors and inside jitted functions.

    Its arguments are the kernel's parameters in their declared order, without output buffers and sizes: an
    array for each buffer, of exactly its dtype, and a number for each uniform. Its results are the written
    buffers, in order: an "inout" buffer is a modified copy of its argument; elements of an "out" buffer that
    the kernel does not write are undefined. Buffers hold their array in C order.

    The rules are functions of the arguments' shapes, a tuple for each array: `shapes` gives the shape of the
    "out" buffer, or a tuple of shapes where there are several; without it they have the shape of the first
    array. `sizes` gives the kernel's uniforms of dtype "index", in order; without it each is the number of
    elements of the first result. `grid` gives the workgroups along each axis; without it one lane is launched
    for each element of the first result.

    For several dtypes pass a function instead of a kernel: it takes the dtypes' names of the array arguments
    (`"float32"`, ...), and returns the kernel for them; it is called once for each combination.

    A new shape compiles nothing: sizes and grid are arguments of the launch. Raises ArgumentError for rules
    that do not fit the kernel, when it is called ShapeError and DTypeError for arguments that do not, and
    BackendError for a workgroup that the device does not run.

    >>> build = jf.backends.KernelBuilder("halves", workgroup=64)
    >>> n = build.uniform("index", "n")
    >>> x, y = build.buffer("float32", "in", "x"), build.buffer("float32", "out", "y")
    >>> i = build.position()
    >>> with build.when(i < n):
    ...     y[i] = x[i] * 0.5
    >>> halves = jf.custom_kernel(build.finish())
    >>> halves(np.float32([2.0, 6.0])).numpy()
    array([1., 3.], dtype=float32)
    """
    rules = _Rules(kernel, shapes, sizes, grid)

    def run(*arguments: Any) -> Any:
        return rules.call(arguments)

    run.__name__ = run.__qualname__ = getattr(kernel, "name", getattr(kernel, "__name__", "custom_kernel"))
    run.__doc__ = f"One launch of {kernel!r}."
    return run


class _Rules:
    def __init__(
        self,
        kernel: KernelFunction | Callable[..., KernelFunction],
        shapes: Shapes | None,
        sizes: Shapes | None,
        grid: Shapes | None,
    ) -> None:
        if not isinstance(kernel, KernelFunction) and not callable(kernel):
            raise ArgumentError(
                "custom_kernel takes a kernel that KernelBuilder finished, or a function of "
                "dtypes that makes "
                f"one, not a {type(kernel).__name__}"
            )
        self.kernel = kernel
        self.shapes, self.sizes, self.grid = shapes, sizes, grid
        self.made: dict[tuple[str, ...], GraphKernel] = {}
        if isinstance(kernel, KernelFunction):
            self.made[()] = self._checked(kernel)

    def _checked(self, kernel: KernelFunction) -> GraphKernel:
        graph_kernel = GraphKernel(kernel)
        if not graph_kernel.results:
            raise ArgumentError(f"{kernel!r} writes no buffer: it has no result")
        if not graph_kernel.arrays and self.shapes is None:
            raise ArgumentError(f"{kernel!r} reads no array: shapes= must say what shape it makes")
        if kernel.rank > 1 and self.grid is None:
            raise ArgumentError(
                f"{kernel!r} has a grid of {kernel.rank} axes: grid= must say how large it is"
            )
        return graph_kernel

    def call(self, arguments: Sequence[Any]) -> Any:
        frame = frame_of(arguments)
        graph = frame.begin()
        operands = [operand(frame, graph, argument) for argument in arguments]
        lazy_values = frame.wrap_all(graph, self._nodes(graph, operands, frame.device))
        return lazy_values[0] if len(lazy_values) == 1 else lazy_values

    def _nodes(self, graph: Graph, operands: Sequence[Operand], device: Any) -> list[Node]:
        graph_kernel = self._kernel(operands)
        function = graph_kernel.function
        due = [each for each in function.parameters if each.dtype is not INDEX and each.access != "out"]
        if len(operands) != len(due):
            named = ", ".join(map(str, due))
            raise ArgumentError(f"{function.name} takes {len(due)} arguments ({named}), not {len(operands)}")
        function.check_limits(device.name, device.facts)
        arrays: list[Node] = []
        scalars: list[Node] = []
        for parameter, given in zip(due, operands, strict=True):
            (arrays if parameter.is_buffer else scalars).append(_node(graph, function, parameter, given))
        extents = [tuple(map(int, array.shape)) for array in arrays]
        shapes = self._result_shapes(graph_kernel, extents)
        slots = (*self._groups(function, extents, shapes), *self._sizes(function, extents, shapes))
        node = graph.make(ops.custom, *arrays, *scalars, attributes=(graph_kernel, shapes, slots))
        return [graph.make(ops.item, node, attributes=(position,)) for position in range(len(shapes))]

    def _kernel(self, operands: Sequence[Operand]) -> GraphKernel:
        if isinstance(self.kernel, KernelFunction):
            return self.made[()]
        key = tuple(dtype_name(each.dtype) for each in operands if isinstance(each, Node) and each.shape)
        graph_kernel = self.made.get(key)
        if graph_kernel is None:
            kernel = self.kernel(*key)
            if not isinstance(kernel, KernelFunction):
                raise ArgumentError(
                    f"custom_kernel: the function gave a {type(kernel).__name__} for "
                    f"{', '.join(key)}, and no "
                    "finished kernel"
                )
            graph_kernel = self.made[key] = self._checked(kernel)
        return graph_kernel

    def _result_shapes(self, made: GraphKernel, given: list[Shape]) -> tuple[Shape, ...]:
        """Returns the shapes of all results: those of "inout" buffers are their arrays'."""
        outs = made.accesses.count("out")
        named: list[Any] = [given[0]] * outs if self.shapes is None and given else []
        if self.shapes is not None:
            found = self.shapes(*given)
            named = (
                [found] if outs == 1 and not (found and isinstance(found[0], (tuple, list))) else list(found)
            )
        if len(named) != outs:
            raise ArgumentError(f"{made.name} writes {outs} buffers, and shapes= gives {len(named)} shapes")
        for shape in named:
            if not all(isinstance(extent, int) and extent >= 0 for extent in shape):
                raise ShapeError(f"{made.name}: shapes= gives {shape!r}, which is no shape")
        fresh, arrays = iter(named), iter(given)
        shapes = []
        for access in made.accesses:
            array = next(arrays) if access != "out" else ()
            if access != "in":
                shapes.append(tuple(next(fresh)) if access == "out" else array)
        return tuple(shapes)

    def _groups(self, function: KernelFunction, given: list[Shape], shapes: tuple[Shape, ...]) -> Shape:
        if self.grid is None:
            return (-(-math.prod(shapes[0]) // function.workgroup[0]),)
        found = self.grid(*given)
        extents = three(found, f"{function.name}: grid=")
        if any(extent != 1 for extent in extents[function.rank :]):
            raise ArgumentError(
                f"{function.name} has a grid of {function.rank} axes, and grid= gives {found!r}"
            )
        return extents[: function.rank]

    def _sizes(self, function: KernelFunction, given: list[Shape], shapes: tuple[Shape, ...]) -> Shape:
        due = [parameter.name for parameter in function.parameters if parameter.dtype is INDEX]
        if self.sizes is None:
            return (math.prod(shapes[0]),) * len(due)
        found = self.sizes(*given)
        slots = (found,) if isinstance(found, int) else tuple(found)
        if len(slots) != len(due) or not all(isinstance(slot, int) for slot in slots):
            raise ArgumentError(f"{function.name} has the sizes {due}, and sizes= gives {found!r}")
        return slots


def _node(graph: Graph, function: KernelFunction, parameter: Parameter, given: Operand) -> Node:
    """Returns an argument as a node of exactly the declared dtype."""
    wanted = parameter.dtype
    if not isinstance(given, Node):
        if parameter.is_buffer:
            raise DTypeError(f"{function.name}: {parameter} takes an array, not a number")
        _check_number(function, parameter, given)
        return as_node(graph, given, wanted)
    if given.dtype is not wanted:
        raise DTypeError(
            f"{function.name}: {parameter} is given {given.dtype.numpy_name}; kernels convert nothing: "
            f".astype({wanted.numpy_name!r})"
        )
    if not parameter.is_buffer and given.shape:
        raise ShapeError(f"{function.name}: {parameter} takes one number, not shape {tuple(given.shape)}")
    return given


def _check_number(function: KernelFunction, parameter: Parameter, given: Any) -> None:
    dtype: DType | None = given.node.dtype if isinstance(given, Weak) else None
    is_float = isinstance(given, float) if dtype is None else dtype.is_float
    if is_float and not parameter.dtype.is_float:
        raise DTypeError(f"{function.name}: {parameter} is given a float")
