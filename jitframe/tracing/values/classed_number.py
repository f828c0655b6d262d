"""A number whose class values decide: Python's or NumPy's, an int or a float.

`best = 0.0` beside `best = x[i]` is a float on one way and a NumPy scalar on the other. The program computes
the number in a dtype that holds all of them, and which of its classes it has. An operation is traced for each
class: where the results differ in their class alone, it is computed once.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from ...api.calls import operand
from ...api.frame import innermost_frame
from ...arrays.promotion import NUMBERS, Weak, promote
from ...errors import TraceError
from ...functions.operands import as_node, cast, strong
from ...ir import ops
from ...ir.node import Node
from ...ir.record import record
from ...ir.types import BOOL, F64, DType
from .cells import Cell
from .concrete import known_value
from .python_numbers import BEYOND, both, either, look_at
from .traced import ARRAY, NUMBER, SCALAR, TRACED, TracedArray

MOST_WAYS = 6
"""The most combinations of classes for which an operation is traced."""
EXACT = {64: 1 << 53, 32: 1 << 24, 16: 1 << 11}
"""The greatest integer up to which floats of so many bits hold all."""
_SAME_IN_FLOATS = frozenset(("add", "sub", "abs", "pos"))
"""Operators whose results for integers are those for equal floats, also in the sign of a zero."""


class NumberClass(metaclass=record):
    """A class of numbers: a dtype, and whether it is Python's or NumPy's."""

    dtype: DType
    kind: int

    @property
    def name(self) -> str:
        return self.dtype.kind if self.kind == NUMBER else self.dtype.numpy_name


class ClassedNumber(TracedArray):
    """A number of one of several classes, by a traced number; its dtype and kind are those in which the
    program computes it."""

    __slots__ = ("_classes", "_tag")

    def __init__(self, tag: TracedArray, value: TracedArray, classes: tuple[NumberClass, ...]) -> None:
        super().__init__(value._cell, value._path, value._kind)
        self._tag = tag
        self._classes = classes

    @property
    def _common(self) -> TracedArray:
        """Returns the number in the common class."""
        return TracedArray(self._cell, self._path, self._kind)

    def _decided(self, purpose: str) -> TracedArray:
        """Returns the number in the class that it has in this call."""
        return of_class(self, int(self._tag._concrete(purpose)))

    def _python_value(self, purpose: str = "a key of a dict or set") -> Any:
        return self._decided(purpose)._python_value(purpose)

    def _text(self, text_of: Callable[[Any], str], purpose: str) -> str:
        frame: Any = innermost_frame()
        if frame is not None and (frame.root.quotes or frame.enclosing):
            frame.root.quoted += 1
            return self._shown()
        return self._decided(purpose)._text(text_of, purpose)

    def _shown(self) -> str:
        return f"{TRACED}({' or '.join(each.name for each in self._classes)})"

    def deconstruct(self) -> tuple[tuple[Any, ...], list[Any]]:
        """Returns the dtypes of its classes, each with whether it is Python's, and a result's members."""
        names = tuple([(each.dtype.numpy_name, each.kind == NUMBER) for each in self._classes])
        return names, [self._tag, TracedArray(self._cell, self._path, NUMBER)]

    def __round__(self, digits: Any = None) -> Any:
        return lifted(round.__name__, round if digits is None else lambda x: round(x, digits), (self,))

    __hash__ = TracedArray.__hash__


def of_class(value: ClassedNumber, place: int, as_float: bool = False) -> TracedArray:
    """Returns the number in one of its classes; `as_float`: one of Python's in the common dtype, whose value
    is equal."""
    its = value._classes[place]
    if its.dtype is value._dtype or (as_float and its.kind == NUMBER):
        return TracedArray(value._cell, value._path, its.kind)
    frame: Any = innermost_frame()
    graph = frame.begin()
    common = operand(frame, graph, value._common)
    node = cast(graph, common.node if isinstance(common, Weak) else strong(graph, common), its.dtype)
    if its.dtype.is_integer and value._dtype.is_float and node not in frame.root.ranges.known:
        most = EXACT[value._dtype.bits]
        frame.root.ranges.known[node] = -most, most
    return TracedArray(Cell(frame, node), None, its.kind)


def classed(tag: Any, value: TracedArray, classes: tuple[NumberClass, ...]) -> TracedArray:
    """Returns a number by the number of its class, which may be known."""
    known = tag
    if isinstance(tag, TracedArray):
        frame = tag._cell.frame
        known = known_value(frame, tag._node(frame.graph))
    made = ClassedNumber(tag, value, classes)
    return made if known is None else of_class(made, int(known))


def one_or_other(condition: Any, value: Any, other: Any) -> Any:
    """Returns one of two scalars, each in its class."""
    frame: Any = innermost_frame()
    both_: list[Any] = [value, other]
    its = [_class_of(frame, each) for each in both_]
    assert its[0] is not None and its[1] is not None, both_
    of_each = [
        each._classes if type(each) is ClassedNumber else (one,) for each, one in zip(both_, its, strict=True)
    ]
    known = tuple(dict.fromkeys((*of_each[0], *of_each[1])))
    dtype = _holding(frame, [each.dtype for each in its])  # type: ignore[union-attr]
    for each, one in zip(both_, its[::-1], strict=True):
        if one.dtype.is_float and each.__class__ in NUMBERS and _is_held(each, one.dtype):  # type: ignore[union-attr]
            dtype = one.dtype  # type: ignore[union-attr]
    graph = frame.begin()
    nodes = [_held(frame, each, dtype) for each in both_]
    test = _node(frame, condition)
    node = nodes[0] if nodes[0] is nodes[1] else graph.make(ops.select, test, *nodes)
    kind = NUMBER if all(each.kind == NUMBER for each in known) else SCALAR
    made = TracedArray(Cell(frame, node), None, kind)
    if len(known) == 1:
        return made
    tags = [tag_among(each, one, known) for each, one in zip(both_, its, strict=True)]  # type: ignore[arg-type]
    numbers = [_node(frame, each) for each in tags]
    return classed(_number(frame, graph.make(ops.select, test, *numbers)), made, known)


def _holding(frame: Any, dtypes: Sequence[DType]) -> DType:
    """Returns a dtype that holds the numbers of all."""
    found = functools.reduce(promote, dtypes)
    narrow: DType = frame.device.narrows.get(found, found)
    return narrow


def _held(frame: Any, value: Any, dtype: DType) -> Node:
    if value.__class__ in NUMBERS:
        plain: Any = value
        return as_node(frame.begin(), plain, dtype)
    return exactly(frame, _node(frame, value), dtype)


def _is_held(value: Any, dtype: DType) -> bool:
    """Whether a float's dtype holds a Python number exactly."""
    with numpy.errstate(all="ignore"):
        return bool(float(numpy.asarray(value, dtype.numpy_name)) == value or value != value)


def tag_among(value: Any, its: NumberClass, classes: Sequence[NumberClass]) -> Any:
    """Returns the number of a value's class among others; `its`: the class of one that has one only."""
    if type(value) is not ClassedNumber:
        return classes.index(its)
    return _renumbered(value._tag, [classes.index(each) for each in value._classes])


def _renumbered(tag: TracedArray, places: Sequence[int]) -> Any:
    """Returns another number for each number of a class."""
    if list(places) == list(range(len(places))):
        return tag
    if len(set(places)) == 1:
        return places[0]
    frame: Any = innermost_frame()
    return _number(frame, _chosen(frame, tag, [_node(frame, place) for place in places]))


def _chosen(frame: Any, tag: TracedArray, nodes: Sequence[Node]) -> Node:
    """Returns the node of the class's number."""
    found = nodes[-1]
    for place in reversed(range(len(nodes) - 1)):
        if nodes[place] is not found:
            holds = _node(frame, _is(frame, tag, place))
            found = frame.begin().make(ops.select, holds, nodes[place], found)
    return found


def _is(frame: Any, tag: TracedArray, place: int) -> TracedArray:
    """Whether a class's number is this one."""
    node = _node(frame, tag)
    graph = frame.begin()
    return _number(frame, graph.make(ops.eq, node, graph.constant(place, node.dtype)))


def _number(frame: Any, node: Node) -> TracedArray:
    return TracedArray(Cell(frame, node), None, NUMBER)


# Operations


def lifted(name: str, function: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Returns the result of an operation, traced for each class."""
    tags: list[TracedArray] = []
    for each in values:
        if type(each) is ClassedNumber and not any(each._tag is tag for tag in tags):
            tags.append(each._tag)
    counts = [next(len(v._classes) for v in values if getattr(v, "_tag", None) is tag) for tag in tags]
    ways = list(itertools.product(*map(range, counts)))
    if len(ways) > MOST_WAYS or any(_is_complex(each) for each in values):
        return function(*(each._common if type(each) is ClassedNumber else each for each in values))
    made = [_result(name, function, values, tags, way) for way in ways]
    return _merged(tags, counts, made)


def _is_complex(value: Any) -> bool:
    return isinstance(value, complex) or (isinstance(value, TracedArray) and value._dtype.is_complex)


def _result(
    name: str, function: Callable[..., Any], values: Sequence[Any], tags: Sequence[TracedArray],
    way: Sequence[int],
) -> Any:  # fmt: skip
    """Returns the result for one combination of classes."""
    frame: Any = innermost_frame()
    beside_float = any(_is_strong_float(each) for each in values)

    def given(as_float: bool) -> Iterator[Any]:
        for each in values:
            if type(each) is not ClassedNumber:
                yield each
            else:
                place = next(k for tag, k in zip(tags, way, strict=True) if tag is each._tag)
                yield of_class(each, place, as_float)

    assumed = frame.root.assumed
    before = len(assumed)
    assumed += [functools.partial(_is, tag=tag, place=place) for tag, place in zip(tags, way, strict=True)]
    try:
        if beside_float:
            return function(*given(True))
        looked = len(frame.looked)
        made = function(*given(False))
        if not any(type(each) is ClassedNumber and _is_narrowed(each, way, tags) for each in values):
            return made
        return _in_common_dtype(frame, name, made, looked, lambda: function(*given(True)))
    finally:
        del assumed[before:]


def _is_strong_float(value: Any) -> bool:
    """Whether it is NumPy's float, or an array of floats: beside it Python's numbers have its dtype."""
    if type(value) is ClassedNumber:
        return False
    dtype = getattr(value, "dtype", None)
    is_number = isinstance(value, TracedArray) and value._kind == NUMBER
    return dtype is not None and not is_number and getattr(dtype, "kind", "") in "fc"


def _is_narrowed(value: ClassedNumber, way: Sequence[int], tags: Sequence[TracedArray]) -> bool:
    place = next(k for tag, k in zip(tags, way, strict=True) if tag is value._tag)
    its = value._classes[place]
    return its.kind == NUMBER and value._dtype is F64 and not its.dtype.is_float


def _in_common_dtype(frame: Any, name: str, made: Any, looked: int, compute: Callable[[], Any]) -> Any:
    """Returns a result for integers as that for equal floats, which is computed for another class in any
    case; the one that was made where it may differ."""
    if not isinstance(made, TracedArray) or made._shape or len(frame.looked) > looked:
        return made
    if made._dtype.is_integer:
        node = _node(frame, made)
        low, high = frame.root.ranges.of(frame, node)
        if name not in _SAME_IN_FLOATS or max(-low, high) > EXACT[64]:
            return made
        return _Integer(compute(), made._dtype)
    if made._kind != NUMBER:
        return made
    other = compute()
    return other if len(frame.looked) == looked else made


class _Integer:
    """An integer that is computed as a float."""

    def __init__(self, value: TracedArray, dtype: DType) -> None:
        self.value = value
        self.dtype = dtype


def _node(frame: Any, value: Any) -> Node:
    graph = frame.begin()
    given = operand(frame, graph, value)
    return given.node if isinstance(given, Weak) else strong(graph, given)


def _merged(tags: Sequence[TracedArray], counts: Sequence[int], results: Sequence[Any]) -> Any:
    """Returns the result of the classes' numbers."""
    first = results[0]
    if all(each is first for each in results):
        return first
    if all(isinstance(each, tuple) and len(each) == len(first) for each in results):
        return tuple([_merged(tags, counts, each) for each in zip(*results, strict=True)])
    frame: Any = innermost_frame()
    classes = [_class_of(frame, each) for each in results]
    if any(each is None for each in classes):
        raise TraceError("an operation gives other objects for each class of a number, as values decide")
    nodes = [_node(frame, each.value if type(each) is _Integer else each) for each in results]
    bases = [_unchecked(node) for node in nodes]
    if any(each.kind == ARRAY for each in classes):  # type: ignore[union-attr]
        if len(set(zip(bases, classes, strict=True))) > 1:
            raise TraceError(
                "a number whose class values decide is combined with an array, which would be of another "
                "dtype for each; write float(x) or np.float64(x) first"
            )
        return first
    pairs = zip(tags[1:], counts[1:], strict=True)
    number = functools.reduce(lambda x, pair: x * pair[1] + pair[0], pairs, tags[0])
    known = list(dict.fromkeys(classes))
    value = _selected(frame, number, classes, nodes, bases)
    kind = NUMBER if all(each.kind == NUMBER for each in known) else known[-1].kind  # type: ignore[union-attr]
    if len(known) == 1:
        return TracedArray(Cell(frame, value), None, kind)
    tag = _renumbered(number, [known.index(each) for each in classes])
    return classed(tag, TracedArray(Cell(frame, value), None, kind), tuple(known))  # type: ignore[arg-type]


def _class_of(frame: Any, value: Any) -> NumberClass | None:
    if type(value) is _Integer:
        return NumberClass(value.dtype, NUMBER)
    if isinstance(value, TracedArray):
        return NumberClass(value._dtype, value._kind)
    if value.__class__ not in NUMBERS and not isinstance(value, numpy.generic):
        return None
    return NumberClass(_node(frame, value).dtype, NUMBER if value.__class__ in NUMBERS else SCALAR)


def _unchecked(node: Node) -> Node:
    """Returns a number without its checks."""
    while node.op.fault is not None and len(node.inputs) == 2 and node.inputs[1].dtype is BOOL:
        node = node.inputs[0]
    return node


def _selected(
    frame: Any, number: TracedArray, classes: Sequence[Any], nodes: Sequence[Node], bases: Sequence[Node]
) -> Node:
    """Returns the number for each class, in a dtype that holds all."""
    if all(each is bases[0] for each in bases):
        return max(nodes, key=lambda node: node is not bases[0])
    dtype = _holding(frame, [node.dtype for node in nodes])
    held = []
    for place, node in enumerate(nodes):
        its = _is(frame, number, place)
        held.append(exactly(frame, node, dtype, functools.partial(_node, frame, its)))
    return _chosen(frame, number, held)


def exactly(frame: Any, node: Node, dtype: DType, holds: Callable[[], Node] | None = None) -> Node:
    """Returns a node in another dtype. An integer that floats do not hold is left to Python, where a
    condition holds."""
    if node.dtype.is_integer and dtype.is_float and not node.shape:
        most = EXACT[dtype.bits]
        low, high = frame.root.ranges.of(frame, node)
        if low < -most or high > most:
            graph = frame.begin()
            above, below = (graph.constant(each, node.dtype) for each in (most, max(-most, low)))
            bad = either(graph, graph.make(ops.gt, node, above), graph.make(ops.lt, node, below))
            bad = bad if holds is None else both(graph, bad, holds())
            node = look_at(frame, node, bad, BEYOND, "a float, as values decide, may not hold an integer")
    return cast(frame.begin(), node, dtype)


def _operator(name: str) -> Callable[..., Any]:
    is_reflected = name.startswith("__r") and f"__{name[3:]}" in _BINARY and name not in _BINARY
    stem = name[3:-2] if is_reflected else name[2:-2]
    function = divmod if stem == divmod.__name__ else getattr(operator, stem + "_" * (stem in ("and", "or")))

    def method(self: ClassedNumber, *others: Any) -> Any:
        if any(not isinstance(each, TracedArray) and each.__class__ not in NUMBERS for each in others):
            return getattr(TracedArray, name)(self, *others)
        return lifted(stem, function, (*others, self) if is_reflected else (self, *others))

    return method


_BINARY = (
    "__add__", "__sub__", "__mul__", "__truediv__", "__floordiv__", "__mod__", "__pow__", "__divmod__",
    "__and__", "__or__", "__xor__", "__lshift__", "__rshift__",
)  # fmt: skip
_OTHERS = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__neg__", "__pos__", "__abs__", "__invert__",
)  # fmt: skip
for _name in (*_BINARY, *(f"__r{each[2:]}" for each in _BINARY), *_OTHERS):
    setattr(ClassedNumber, _name, _operator(_name))
for _name in _BINARY:
    if _name != "__divmod__":
        setattr(ClassedNumber, f"__i{_name[2:]}", getattr(ClassedNumber, _name))
