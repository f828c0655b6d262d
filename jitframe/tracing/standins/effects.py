"""Effects of a trace: ordered calls of host functions at run time.

Each call is a node that takes a token from the one before; the token is part of the state of loops and
branches, and an output of the program. After an exception no function is called.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...api.calls import operand
from ...api.frame import STATE, LazyValue, innermost_frame
from ...arrays.promotion import Weak, from_numpy
from ...errors import DTypeError, ShapeError, TraceError, UnsupportedError
from ...functions.complex_numbers import as_reals, of_reals
from ...functions.operands import broadcast_shapes, strong
from ...ir import ops
from ...ir.node import Node
from ...ir.ops.callbacks import HostFunction
from ...ir.types import BOOL, I32, PART_OF, DType
from ..arguments.trees import Tree, flatten, unflatten
from ..lists.row_values import deconstruct, is_one_of
from ..values.cells import Cell
from ..values.concrete import as_array
from ..values.traced import ARRAY, NUMBER, SCALAR, TracedArray
from ..values.traced_frame import TraceFrame
from .library_functions import reports

MOST_ARRAYS = 60
"""The most arguments and results of one call, a limit of the native code."""
_ATOMS = (str, bytes, bool, int, float, complex, type(None))


def _of_several(value: Any) -> tuple[Any, list[Any]] | None:
    """Returns the form and the members of one of several constants, or of a number of one of several classes;
    None of other values."""
    return deconstruct(value) if is_one_of(value) or hasattr(type(value), "_classes") else None


class Effects:
    """The calls of host functions in one trace, as a place of its state."""

    hidden = True
    name = "what was called"

    def __init__(self, root: TraceFrame) -> None:
        self.root = root
        self.token: Any = 0
        """The number of calls so far."""
        self.functions: list[HostFunction] = []
        self.handles: set[int] = set()
        """The scalars of the trace with the handles of the called functions."""

    def get(self) -> Any:
        return self.token

    def set(self, value: Any) -> None:
        self.token = value

    def node(self) -> Node | None:
        """The token as an output of the program; None where nothing is called."""
        return self.token._node(self.root.graph) if isinstance(self.token, TracedArray) else None

    def call(
        self, function: Callable[..., Any], given: Any, specs: Any, what: str, only: Node | None = None
    ) -> Any:
        """Calls `function(given)` when the program runs: `given` is nested tuples, lists and dicts of traced
        values and other objects. Returns the results, of the shapes and dtypes of `specs`; `only`: the
        condition of the call."""
        frame = innermost_frame()
        assert isinstance(frame, TraceFrame)
        if not all(region.captures for region in frame.regions):
            raise TraceError(
                f"{what} inside {frame.name}, whose body calls nothing of the host; write a Python loop or "
                "condition, which is compiled as well"
            )
        leaves: list[Any] = []
        tree = flatten(given, leaves, apart=_of_several)
        leaves = [*map(as_array, leaves)]
        traced = [number for number, leaf in enumerate(leaves) if isinstance(leaf, LazyValue)]
        wanted: list[Any] = []
        result_tree = flatten(() if specs is None else as_array(specs), wanted)
        shapes, dtypes = zip(*map(spec_of, wanted), strict=True) if wanted else ((), ())
        if len(traced) + len(wanted) > MOST_ARRAYS:
            raise UnsupportedError(
                f"{what} of {len(traced) + len(wanted)} arrays; it takes {MOST_ARRAYS} at most: put them "
                "together"
            )
        leaves = [leaf if isinstance(leaf, LazyValue) else source_of(frame, leaf) for leaf in leaves]
        inputs, kinds = self._operands(frame, [leaves[number] for number in traced])
        host = _Host(function, tree, leaves, traced, kinds, result_tree, shapes, dtypes, what)
        made = self._node(frame, host, inputs, only)
        graph = frame.begin()
        self.token = self._wrapped(frame, graph.make(ops.item, made, attributes=(0,)), NUMBER)
        values = []
        for number, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True)):
            node = graph.make(ops.item, made, attributes=(number + 1,))
            node = of_reals(graph, node) if dtype.is_complex else node
            values.append(self._wrapped(frame, node, ARRAY if shape else SCALAR))
        return None if specs is None else unflatten(result_tree, values)

    def _wrapped(self, frame: TraceFrame, node: Node, kind: int) -> TracedArray:
        frame.note(node)
        return TracedArray(Cell(frame, node), None, kind)

    def _operands(self, frame: TraceFrame, values: Sequence[Any]) -> tuple[list[Node], list[_Kind]]:
        graph = frame.begin()
        nodes, kinds = [], []
        for value in values:
            given = operand(frame, graph, value)
            node = given.node if isinstance(given, Weak) else strong(graph, given)
            kind = value._kind if isinstance(value, TracedArray) else ARRAY
            kinds.append(_Kind(kind, node.dtype))
            nodes.append(graph.make(ops.copy, as_reals(graph, node) if node.dtype.is_complex else node))
        return nodes, kinds

    def _node(self, frame: TraceFrame, host: _Host, inputs: Sequence[Node], only: Node | None) -> Node:
        graph = frame.begin()
        before = operand(frame, graph, self.token)
        token = before.node if isinstance(before, Weak) else strong(graph, before)
        active = graph.constant(True, BOOL) if only is None else only
        if self.root.hooks is not None:
            active = self.root.hooks.checks.unless_raised(frame, active)
        results = [_stored(shape, dtype) for shape, dtype in zip(host.shapes, host.dtypes, strict=True)]
        function = HostFunction(
            host,
            [(node.shape, node.dtype.numpy_name) for node in inputs],
            [(shape, dtype.numpy_name) for shape, dtype in results],
            token.dtype.numpy_name,
        )
        self.functions.append(function)
        scalars = graph.scalar_values  # no constant, as the plan would hold only for it
        scalars.append(function.handle)
        handle = graph.scalar(len(scalars) - 1, I32)
        self.handles.add(len(scalars) - 1)
        return graph.make(
            ops.callback, handle, active, token, *inputs,
            attributes=(tuple([shape for shape, _ in results]), " ".join(dtype.name for _, dtype in results)),
        )  # fmt: skip


class _Kind:
    """The kind of object that NumPy would have in a value's place."""

    def __init__(self, kind: int, dtype: DType) -> None:
        self.kind = kind
        self.dtype = dtype

    def of(self, array: numpy.ndarray) -> Any:
        if self.dtype.is_complex:
            array = array.view(self.dtype.numpy_name)[..., 0]
        if self.kind == ARRAY:
            return array
        return array.item() if self.kind == NUMBER else array[()]


class _Host:
    """A user's function that is given its arguments rebuilt, and whose results are checked."""

    def __init__(
        self, function: Callable[..., Any], tree: Tree, leaves: Sequence[Any], traced: Sequence[int],
        kinds: Sequence[_Kind], result_tree: Tree, shapes: Sequence[Any], dtypes: Sequence[DType], what: str,
    ) -> None:  # fmt: skip
        self.function = function
        self.tree = tree
        self.constants = [None if number in traced else leaf for number, leaf in enumerate(leaves)]
        self.places = list(zip(traced, kinds, strict=True))
        self.result_tree = result_tree
        self.shapes, self.dtypes = shapes, dtypes
        self.what = what

    def __call__(self, *arrays: numpy.ndarray) -> list[numpy.ndarray]:
        leaves = list(self.constants)
        for (place, kind), array in zip(self.places, arrays, strict=True):
            leaves[place] = kind.of(array)
        frames, STATE.frames = STATE.frames, ()  # between cuts a trace is under way
        try:
            returned = self.function(unflatten(self.tree, leaves))
        finally:
            STATE.frames = frames
        found = checked_results(returned, self.result_tree, self.shapes, self.dtypes, self.what)
        return [
            numpy.stack((each.real, each.imag), axis=-1) if each.dtype.kind == "c" else each for each in found
        ]


LEAST_ELEMENTS = 1 << 14
"""The least elements of the result of another library's ufunc that the program calls: for fewer, the call
takes longer than the function."""


def result_of_ufunc(name: str, ufunc: numpy.ufunc, arguments: tuple[Any, ...]) -> Any:
    """Returns the result of another library's ufunc, called at run time; NotImplemented where Python answers
    better."""
    frame = innermost_frame()
    given = [as_array(argument) for argument in arguments]
    if not isinstance(frame, TraceFrame) or ufunc.signature is not None or len(given) != ufunc.nin:
        return NotImplemented
    shape = broadcast_shapes(*[tuple(numpy.shape(each)) for each in given])
    if math.prod(shape) < LEAST_ELEMENTS:
        return NotImplemented
    dtypes = ufunc.resolve_dtypes((*map(_asked_dtype, given), *[None] * ufunc.nout))[ufunc.nin :]
    results = [numpy.broadcast_to(numpy.empty((), dtype), shape) for dtype in dtypes]
    specs = results[0] if len(results) == 1 else tuple(results)
    return effects_of(frame).call(lambda each: ufunc(*each), tuple(given), specs, name)


def _asked_dtype(value: Any) -> Any:
    """Returns the argument of `resolve_dtypes`: Python's type of its numbers, which are weak."""
    if isinstance(value, TracedArray):
        return type(value) if value._kind == NUMBER else numpy.dtype(value.dtype)
    return value.__class__ if value.__class__ in (int, float, complex) else numpy.asarray(value).dtype


def checked_results(
    returned: Any, tree: Tree, shapes: Sequence[Any], dtypes: Sequence[DType], what: str
) -> list[numpy.ndarray]:
    """Returns a function's results as arrays of the declared shapes and dtypes."""
    leaves: list[Any] = []
    if not shapes:
        return []
    if flatten(returned, leaves) != tree:
        raise DTypeError(f"{what}: the function returned {returned!r}, which is not built as what was said")
    arrays = []
    for number, (leaf, shape, dtype) in enumerate(zip(leaves, shapes, dtypes, strict=True)):
        array = numpy.asarray(leaf)
        said = f"{dtype.numpy_name}{list(shape)}"
        found = f"{what}: result {number} is {array.dtype}{list(array.shape)}, and {said} was said"
        if array.shape != tuple(shape):
            raise ShapeError(found)
        exact = leaf.__class__ in (bool, int, float, complex)
        if not numpy.can_cast(array.dtype, dtype.numpy_name, "unsafe" if exact else "same_kind"):
            raise DTypeError(found)
        arrays.append(numpy.ascontiguousarray(array, dtype.numpy_name).reshape(shape))
    return arrays


def spec_of(value: Any) -> tuple[tuple[int, ...], DType]:
    """Returns the shape and dtype of an array's description."""
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if shape is None or dtype is None:
        raise DTypeError(
            f"callback: what the function gives is said by jf.ArraySpec(shape, dtype), or tuples, lists and "
            f"dicts of them, not by {value!r}"
        )
    shape = (shape,) if isinstance(shape, int) else tuple(map(int, shape))
    return shape, from_numpy(numpy.dtype(getattr(dtype, "numpy_name", dtype)))


def _stored(shape: Any, dtype: DType) -> tuple[tuple[int, ...], DType]:
    return ((*shape, 2), PART_OF[dtype]) if dtype.is_complex else (tuple(shape), dtype)


def source_of(frame: TraceFrame, thing: Any) -> Any:
    """Returns the user's own object in place of a trace's stand-in; also of functions of libraries."""
    thing = getattr(thing, "_original", thing) if type(thing).__name__ == "LibraryFunction" else thing
    thing = getattr(thing, "__jitframe_original__", thing)
    copied = frame.root.copied
    return thing if copied is None or thing.__class__ in _ATOMS else copied.source_of(thing)


def effects_of(frame: TraceFrame) -> Effects:
    """Returns the effects of the whole trace."""
    root = frame.root
    effects: Effects | None = root.effects
    if effects is None:
        effects = root.effects = Effects(root)
    return effects


# Warnings and lines of logs


class Reporter:
    """The stand-in for a function that warns or logs: it is called when the program runs, in the program's
    order."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any, **options: Any) -> None:
        frame = innermost_frame()
        if not isinstance(frame, TraceFrame):
            self._function(*arguments, **options)
            return
        name = self._function.__name__
        effects_of(frame).call(self._report, (arguments, options), (), name)

    def _report(self, given: Any) -> None:
        arguments, options = given
        self._function(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


class LoggerView:
    """The stand-in for a logger, which logs when the program runs."""

    def __init__(self, logger: Any) -> None:
        self._logger = logger

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._logger, name)
        return Reporter(found) if reports(found) else found
