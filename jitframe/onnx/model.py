"""`Model`: an ONNX model as a compiled function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ..api.frame import LazyValue
from ..arrays.promotion import check_fits, from_numpy
from ..base.boundary import guarded
from ..errors import ArgumentError, DTypeError, ShapeError
from ..runtime.device import named
from ..tensors.tensor import Tensor
from ..tracing.jit import jit
from ..tracing.values.traced_frame import current_trace
from . import operators as _operators  # noqa: F401  they declare themselves
from .evaluation import evaluate, folded
from .packing import from_panels, packed, packed_weights
from .reading import Source, read
from .records import Graph, Value, constants_of

if TYPE_CHECKING:
    from ..tracing.programs.program import Program


class Model:
    """An ONNX model, compiled: call it with its inputs, in order or by name.

    One output is given as an array, several as a tuple in the order of `outputs`.
    """

    def __init__(self, source: Source, device: str | None = None) -> None:
        computation = Computation(packed(folded(source.graph)))

        def model(*inputs: Any) -> Any:
            return computation(*inputs)

        model.__name__ = model.__qualname__ = source.graph.name or "model"
        self._computation = computation
        self._jitted = jit(model, device=device)
        self._device = device
        self.opsets = source.opsets
        """The versions of operator sets by domain; "" is ONNX itself."""
        self.metadata = source.metadata
        """What the file says of itself: its own entries, and who made it."""

    @property
    def inputs(self) -> tuple[Value, ...]:
        """Names, dtypes and shapes of the inputs; extents are integers, names, or None."""
        return self._computation.graph.inputs

    @property
    def outputs(self) -> tuple[Value, ...]:
        """The same of the outputs."""
        return self._computation.graph.outputs

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self._given(args, kwargs)
        made = self._jitted(*given)
        return self._computation.widened(made) if self._narrows(given) else made

    def _given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments in order; integers that the device lacks in those that stand for them."""
        given = self._computation.bind(args, kwargs)
        narrows = self._narrows(given)
        return [_narrowed(each, narrows) for each in given] if narrows else given

    def _narrows(self, given: list[Any]) -> Any:
        tensor = next((each for each in given if isinstance(each, LazyValue)), None)
        name = self._device or (None if tensor is None else tensor._frame.device.name)
        return None if name is None else named(name).narrows

    def explain(self, *args: Any, **kwargs: Any) -> Any:
        """How a call with these arguments is compiled: graph, kernels with reasons, plan, source."""
        return self._jitted.explain(*self._given(args, kwargs))

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """The program that a call with these arguments runs, not run."""
        found: Program = self._jitted.program(*self._given(args, kwargs))
        return found

    def stats(self) -> dict[str, int | float]:
        """What the compiled function did so far; see `JittedFunction.stats`."""
        found: dict[str, int | float] = self._jitted.stats()
        return found

    def clear(self) -> None:
        """Forgets what was compiled."""
        self._jitted.clear()

    def _in_a_trace(self) -> Any:
        computation = self._computation
        inside = computation._in_a_trace()
        return lambda *args, **kwargs: inside(*computation.bind(args, kwargs))

    def __repr__(self) -> str:
        given, made = (", ".join(map(str, each)) for each in (self.inputs, self.outputs))
        return f"<ONNX model {self._jitted.__name__}({given}) -> {made}>"


class Computation:
    """The computation of a model, over its inputs in order."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._weights = {id(array): (name, array) for name, array in constants_of(graph)}
        self._packed = packed_weights(graph)
        self._there: dict[tuple[int, str], Any] = {}
        """Constants on devices, by identity and device."""

    def __call__(self, *inputs: Any) -> Any:
        """The outputs at once, as ndarrays where the inputs are."""
        made = evaluate(self.graph, inputs, lambda array: array)
        if not any(isinstance(each, LazyValue) for each in inputs):
            made = [_plain(each) for each in made]
        return _returned(made)

    def _in_a_trace(self) -> Any:
        return self._traced

    def _traced(self, *inputs: Any) -> Any:
        stand_ins: dict[int, Any] = {}

        def weight(array: numpy.ndarray) -> Any:
            name, stored = self._weights.get(id(array), ("", None))
            if stored is not array:
                return array  # made in the trace
            found = stand_ins.get(id(array))
            if found is None:
                found = stand_ins[id(array)] = self._weight(name, array)
            return found

        return _returned(evaluate(self.graph, inputs, weight))

    def _weight(self, name: str, array: numpy.ndarray) -> Any:
        """What a constant is in the present trace: an input that every call gets, on the trace's device."""
        frame = current_trace()
        root, device = frame.root, frame.device
        if device.is_host:
            return root.hidden(name, array)
        key = id(array), device.name
        there = self._there.get(key)
        if there is None:
            columns = self._packed.get(id(array))
            array = array if columns is None else from_panels(array)[:, :columns]
            there = Tensor._of(device.upload(_narrowed(array, device.narrows)))  # it outlives the trace
            self._there[key] = there
        node: Any = root.adopt(root.graph, there)
        return root.wrap(root.graph, node)

    def widened(self, made: Any) -> Any:
        """Outputs of a device without 64 bits: ndarrays get the dtypes that the model says."""
        values = made if isinstance(made, tuple) else (made,)
        found = [
            value.astype(output.dtype)
            if isinstance(value, numpy.ndarray) and output.dtype is not None
            else value
            for output, value in zip(self.graph.outputs, values)
        ]
        return _returned(found)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The inputs of a call, in order. Raises ArgumentError, DTypeError or ShapeError for what does not
        fit."""
        inputs = self.graph.inputs
        names = [value.name for value in inputs]
        given = dict(zip(names, args))
        unknown = [name for name in kwargs if name not in names]
        twice = [name for name in kwargs if name in given]
        if len(args) > len(inputs) or unknown or twice or len(given) + len(kwargs) < len(inputs):
            wrong = unknown or twice or [each for each in names if each not in given and each not in kwargs]
            raise ArgumentError(
                f"the model takes {', '.join(map(str, inputs))}; given were {len(args)} in order and "
                f"{sorted(kwargs)} by name{f'; look at {wrong}' if wrong else ''}"
            )
        given.update(kwargs)
        extents: dict[str, int] = {}
        return [_checked(value, given[value.name], extents) for value in inputs]


def _checked(wanted: Value, value: Any, extents: dict[str, int]) -> Any:
    if wanted.dtype is None:
        return value
    if not isinstance(value, (numpy.ndarray, LazyValue)):
        value = numpy.asarray(value, None if isinstance(value, numpy.generic) else wanted.dtype)
    there = numpy.dtype(value._dtype.numpy_name) if isinstance(value, LazyValue) else value.dtype
    if there != wanted.dtype and not (isinstance(value, LazyValue) and _narrow(there, wanted.dtype)):
        raise DTypeError(
            f"the input {wanted} was given as {there}{list(value.shape)}; cast it: "
            f"x.astype({str(wanted.dtype)!r})"
        )
    if wanted.shape is None:
        return value
    fits = len(wanted.shape) == len(value.shape)
    for extent, there in zip(wanted.shape, value.shape):
        if isinstance(extent, str):
            fits = fits and extents.setdefault(extent, there) == there
        else:
            fits = fits and extent in (None, there)
    if not fits:
        known = {name: n for name, n in extents.items() if name in wanted.shape}
        raise ShapeError(
            f"the input {wanted} was given in the shape {list(value.shape)}"
            f"{f', where other inputs have {known}' if known else ''}"
        )
    return value


def _narrowed(value: Any, narrows: Any) -> Any:
    """An ndarray of integers in the dtype that stands for its own on a device. Raises NumberError where that
    does not hold them."""
    if not isinstance(value, numpy.ndarray) or value.dtype.kind not in "iu":
        return value
    dtype = from_numpy(value.dtype)
    narrow = narrows.get(dtype, dtype)
    if narrow is dtype:
        return value
    if value.size:
        check_fits(value.min().item(), narrow)
        check_fits(value.max().item(), narrow)
    return value.astype(narrow.numpy_name)


def _narrow(there: Any, wanted: numpy.dtype) -> bool:
    """Whether a dtype stands for one of 64 bits, as on devices without."""
    dtype = numpy.dtype(there)
    return dtype.kind == wanted.kind and wanted.itemsize == 8 and dtype.itemsize == 4


def _plain(value: Any) -> Any:
    return value.numpy() if isinstance(value, LazyValue) and hasattr(value, "numpy") else value


def _returned(made: list[Any]) -> Any:
    return made[0] if len(made) == 1 else tuple(made)


@guarded
def load(model: Any, *, device: str | None = None) -> Model:
    """An ONNX model as a function that is compiled for the shapes and device of its arguments.

    `model`: the path of a file, its bytes, or an `onnx.ModelProto`; the package `onnx` reads it
    (`pip install "jitframe[onnx]"`). The result is called with the model's inputs, in order or by name:
    ndarrays, or Tensors, on whose device it runs. `device="opencl"` moves everything there, as of `jit`. What
    follows from constants alone is computed here, once; shapes that are computed in the graph are known while
    it is traced. Inside a jitted function the model becomes part of that function. Raises UnsupportedError
    for a model with operators that are not supported, naming them all; OnnxMissingError, an ImportError,
    without the package; ArgumentError for what is no model.

    >>> import onnx, onnx.helper as helper
    >>> x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n"]) for name in "xy")
    >>> graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "example", [x], [y])
    >>> model = jf.onnx.load(helper.make_model(graph))
    >>> model(np.array([-1, 2], np.float32))
    array([0., 2.], dtype=float32)
    >>> model.inputs[0].shape
    ('n',)
    """
    return Model(read(model), device)
