"""The methods of NumPy's random generators in a trace: each returns results of known shapes, and records the
step that every call runs.

The sizes of draws are known while tracing. All other arguments of a method may be traced values (see
`draws`).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ... import api
from ...api.calls import operand
from ...api.frame import LazyValue, current_frame, holds_lazy
from ...arrays.promotion import Weak, from_numpy
from ...base.arguments import check_size
from ...errors import DTypeError, TraceError, UnsupportedError
from ...functions.operands import strong
from ...ir.node import Node, topological
from ..environment.user_code import place
from ..values.cells import Cell
from ..values.concrete import is_stand_in
from ..values.draws import Argument, Computed, Draw, External, Made, Source
from ..values.traced import ARRAY, NUMBER, SCALAR, TracedArray
from ..values.traced_frame import TraceFrame
from .python_builtins import stood_for
from .streams import many

_FLOATS = frozenset(
    str.split(
        "beta chisquare exponential f gamma gumbel laplace logistic lognormal noncentral_chisquare "
        "noncentral_f normal pareto power random random_sample rayleigh standard_cauchy "
        "standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises wald "
        "weibull"
    )
)
_INTEGERS = frozenset(
    str.split(
        "binomial geometric hypergeometric integers logseries negative_binomial poisson randint tomaxint zipf"
    )
)
"""Methods that draw each element separately, with broadcast parameters."""
_NO_PARAMETERS = frozenset(("size", "dtype", "method", "endpoint"))


def trace_frame() -> TraceFrame:
    frame = current_frame()
    if not isinstance(frame, TraceFrame):
        raise TraceError("a random generator of a trace is used outside of it; make one there")
    return frame


# Arguments of steps


def _source(frame: TraceFrame, value: Any) -> Source:
    """Returns the source of a step's argument: a traced value or an object."""
    if is_stand_in(value) and hasattr(value, "_source"):
        source: Source = value._source
        return source
    value = stood_for(value)
    value = getattr(value, "__jitframe_original__", value)  # a class
    if isinstance(value, (list, tuple)) and holds_lazy(value):
        value = api.creation.constructors.asarray(value)
    if not isinstance(value, LazyValue):
        return External(list(value) if isinstance(value, list) else value)
    if isinstance(value, TracedArray):
        known = value._known()
        if known is not None:
            item = known.copy() if value._kind == ARRAY else known.item() if value._is_number else known[()]
            return External(item)
    graph = frame.begin()
    given = operand(frame, graph, value)
    node = given.node if isinstance(given, Weak) else given
    if not isinstance(node, Node):
        node = strong(graph, node)
    kind = value._kind if isinstance(value, TracedArray) else ARRAY
    for outer in reversed(frame.enclosing):
        node, frame = _in_enclosing(frame, outer, node), outer
    if node.op.source == "scalar" and node.attribute("index") in frame.root.scalars:
        return Argument(frame.root.scalars[node.attribute("index")])
    return Computed(node, kind)


def _in_enclosing(region: TraceFrame, outer: TraceFrame, node: Node) -> Node:
    """Returns the node of the enclosing graph for a loop-invariant node of a region."""
    known = {inside: each for each, inside in region.invariants.items()}
    for each in topological((node,)):
        if each in known:
            continue
        if each.op.source == "array":
            raise TraceError(
                f"random numbers are drawn in {region.name} with a parameter that is computed there; draw "
                "standard ones and scale them: loc + scale * rng.standard_normal()"
            )
        inputs = [known[source] for source in each.inputs]
        known[each] = outer.graph.make(each.op, *inputs, attributes=each.attributes)
    return known[node]


def new_slots(frame: TraceFrame, count: int) -> tuple[int, ...]:
    root = frame.root
    root.slots += count
    return tuple(range(root.slots - count, root.slots))


def note(
    frame: TraceFrame,
    call: Callable[..., Any],
    arguments: Sequence[Any],
    options: dict[str, Any],
    parameter: int | None = None,
    shape: tuple[int, ...] = (),
    dtype: numpy.dtype | None = None,
    slots: tuple[int, ...] = (),
) -> None:
    """Records one step."""
    for region in frame.regions:
        if region.iterations is None:
            raise TraceError(
                f"random numbers are drawn in {region.name}, which runs as often as its values decide; draw "
                "before it, or write jf.fori_loop with bounds that are known while tracing; "
                "jf.random.default_rng(seed) draws anywhere"
            )
    sources = tuple([_source(frame, argument) for argument in arguments])
    named = tuple([(name, _source(frame, each)) for name, each in options.items()])
    if frame.root.number_streams:
        from .streams.stream import leave_to_numpy  # as in `drawn`

        leave_to_numpy(frame, sources)
    frame.draws.append(Draw(call, sources, named, place(), parameter, shape, dtype, slots))


def drawn(
    frame: TraceFrame,
    call: Callable[..., Any],
    arguments: Sequence[Any],
    options: dict[str, Any],
    shape: Sequence[int],
    dtype: Any,
    kind: int = ARRAY,
    asked: bool = False,
) -> TracedArray:
    """Returns the draw of a step, of this shape and dtype. `asked`: whether the user named the dtype."""
    root = frame.root
    if frame.enclosing or root.number_streams:
        from .streams.stream import stream_of  # many functions draw before loops alone

        owner = arguments[0]
        stream = stream_of(frame, owner._source, owner._kind, owner._bits)
        given = {**options, **dict(zip(("extent", "count"), arguments[1:], strict=False))}
        made = None if stream is None else stream.drawn(call.__name__, given, tuple(shape), dtype, kind)
        if made is not None:
            return made  # type: ignore[no-any-return]
    wanted = from_numpy(numpy.dtype(dtype))
    if not asked:
        wanted = root.device.fitting(wanted)
    loops = [each for each in (*frame.enclosing, frame) if each.iterations is not None]
    counts = tuple([max(loop.iterations[0], 1) for loop in loops if loop.iterations is not None])
    whole = (*counts, *map(int, shape))
    check_size(whole, wanted.itemsize, "random numbers")
    number = root.drawn(whole, wanted)
    note(frame, call, arguments, options, number, whole, numpy.dtype(wanted.numpy_name))
    node = root.parameters[number].node
    if not loops:
        root.note(node)
        return TracedArray(Cell(root, node), None, kind)
    stacked = TracedArray(Cell(root, node))
    array: TracedArray = stacked[
        tuple([loop.iterations[1]() for loop in loops if loop.iterations is not None])
    ]
    made = array.copy() if array.shape else array
    made._kind = kind
    return made


# Draws by kind of method


def _size(size: Any) -> tuple[int, ...]:
    if size is None:
        return ()
    if isinstance(size, (tuple, list)):
        return tuple(map(operator.index, size))
    return (operator.index(size),)


def _shape_of(value: Any) -> tuple[int, ...]:
    if isinstance(value, LazyValue):
        return value.shape
    if isinstance(value, (list, tuple)) and holds_lazy(value):
        return tuple(api.creation.constructors.asarray(value).shape)
    return numpy.shape(value)


@functools.cache
def method(name: str) -> Callable[..., Any]:
    def call(generator: Any, *arguments: Any, **options: Any) -> Any:
        made = None if arguments else many.drawn(name, generator, options)
        return getattr(generator, name)(*arguments, **options) if made is None else made

    call.__name__ = name
    return call


def _elementwise(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    size = given.get("size")
    parameters = [value for key, value in given.items() if key not in _NO_PARAMETERS and value is not None]
    shapes = [_shape_of(value) for value in parameters]
    shape = numpy.broadcast_shapes(*shapes) if size is None else _size(size)
    default = numpy.int64 if name in _INTEGERS else numpy.float64
    dtype = given.get("dtype", default)
    asked = dtype not in (default, int)
    if size is not None or shape:
        kind = ARRAY
    elif name in ("integers", "randint") and dtype not in (bool, int):
        kind = SCALAR
    else:
        kind = NUMBER
    return drawn(frame, method(name), (owner,), _given(given, size), shape, dtype, kind, asked)


def _given(given: dict[str, Any], size: Any) -> dict[str, Any]:
    return given if size is None else {**given, "size": _size(size)}


def _spread(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    """`rand(2, 3)` and `randn(2, 3)`."""
    size = given["size"]
    kind = NUMBER if size is None else ARRAY
    raw = "random_sample" if name == "rand" else "standard_normal"
    return drawn(frame, method(raw), (owner,), _given({}, size), _size(size), float, kind)


def _several(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    """Draws vectors."""
    first, second = list(given.values())[:2]
    outer: tuple[int, ...] = ()
    if name == "multinomial":
        *leading, extent = _shape_of(second)
        outer = numpy.broadcast_shapes(_shape_of(first), tuple(leading))
    else:
        (extent,) = _shape_of(first)
    dtype = numpy.int64 if name in ("multinomial", "multivariate_hypergeometric") else numpy.float64
    size = given["size"]
    shape = (*(outer if size is None else _size(size)), extent)
    return drawn(frame, method(name), (owner,), _given(given, size), shape, dtype)


def _choice(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    values, axis, size = given.pop("a"), given.pop("axis", 0), given["size"]
    shape = _shape_of(values)
    extent = shape[axis] if shape else values
    kind = NUMBER if size is None else ARRAY
    chosen = drawn(frame, method(name), (owner, extent), _given(given, size), _size(size), numpy.int64, kind)
    if not shape:
        return chosen
    found = api.indexing.reading.take(api.creation.constructors.asarray(values), chosen, axis)
    if size is None and not found.shape:
        found._kind = SCALAR
    return found


def _permutation(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    values, axis = given["x"], given.get("axis", 0)
    shape = _shape_of(values)
    if not shape:
        count = operator.index(values)
        return drawn(frame, method(name), (owner, count), {}, (count,), numpy.int64)
    extent = shape[axis]
    arguments = (owner, extent, min(len(shape), 2))
    chosen = drawn(frame, permuted_places, arguments, {}, (extent,), numpy.int64)
    return api.indexing.reading.take(api.creation.constructors.asarray(values), chosen, axis)


def _shuffle(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> None:
    values, axis = given["x"], given.get("axis", 0)
    if not isinstance(values, TracedArray):
        raise UnsupportedError(
            f"shuffle of a {type(values).__name__} inside a jitted function, where its order has no value "
            "yet; make it an array: rng.permutation(np.array(x))"
        )
    if not values.shape or (values.size == 0 and values.ndim > 1):
        if not values.shape:
            raise DTypeError("shuffle of an array without axes; it takes one with at least one")
        return
    extent = values.shape[axis]
    arguments = (owner, extent, min(values.ndim, 2))
    chosen = drawn(frame, shuffled_places, arguments, {}, (extent,), numpy.int64)
    values[...] = api.indexing.reading.take(values, chosen, axis)


def _permuted(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    """Permutes each row, or all elements, in an order of their own."""
    values = api.creation.constructors.asarray(given["x"])
    axis = given["axis"]
    shape = tuple(values.shape)
    chosen = drawn(frame, permuted_rows, (owner, shape, axis), {}, shape, numpy.int64)
    if axis is None:
        return api.indexing.reading.take(values, chosen)
    return api.indexing.reading.take_along_axis(values, chosen, axis)


def _spawn(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    count = operator.index(given["n_children"])
    slots = new_slots(frame, count)
    note(frame, method(name), (owner, count), {}, slots=slots)
    return [type(owner)(owner._kind, Made(slot), owner._bits) for slot in slots]


def _seed(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> None:
    note(frame, method(name), (owner, given["seed"]), {})


_METHODS: dict[str, Callable[..., Any]] = {
    "rand": _spread, "randn": _spread, "choice": _choice, "permutation": _permutation, "shuffle": _shuffle,
    "permuted": _permuted, "spawn": _spawn, "seed": _seed,
    "multivariate_normal": _several, "multinomial": _several, "dirichlet": _several,
    "multivariate_hypergeometric": _several,
}  # fmt: skip


def method_of(name: str) -> Callable[..., Any] | None:
    """Returns the implementation of a method; None where it cannot be used in a trace."""
    return _elementwise if name in _FLOATS or name in _INTEGERS else _METHODS.get(name)


# Permutations, drawn as NumPy draws them for an array of one axis or of more, whatever its elements.


def _places(extent: int, rank: int) -> numpy.ndarray:
    places = numpy.arange(extent)
    return places if rank == 1 else places.reshape(-1, 1)


def shuffled_places(generator: Any, extent: int, rank: int) -> numpy.ndarray:
    """Returns the source position of each element after `shuffle`."""
    places = _places(extent, rank)
    generator.shuffle(places)
    return places.reshape(-1)


def permuted_places(generator: Any, extent: int, rank: int) -> numpy.ndarray:
    """Returns the source position of each element after `permutation`."""
    permuted: numpy.ndarray = generator.permutation(_places(extent, rank))
    return permuted.reshape(-1)


def permuted_rows(generator: Any, shape: tuple[int, ...], axis: int | None) -> numpy.ndarray:
    """Returns the source position of each element after `permuted`, along the axis."""
    if axis is None:
        permuted: numpy.ndarray = generator.permuted(
            numpy.arange(numpy.prod(shape, dtype=int)).reshape(shape)
        )
        return permuted
    along = [1] * len(shape)
    along[axis] = shape[axis]
    places = numpy.broadcast_to(numpy.arange(shape[axis]).reshape(along), shape)
    permuted = generator.permuted(places, axis=axis)
    return permuted
