"""Calls of host functions in the middle of a program, in its order.

callback(handle, active, token, *arrays) -> token', *results. The handle is the number of a `HostFunction` of
this process, so that one plan serves all functions. The token goes from call to call, through loops and
branches, which keeps their order; a call that is not active gives zeros.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..node import Attributes, Given, Inferred, Node, Op, Shape
from ..structure import Axes, Ranks, Structural
from ..symbolize import Symbols
from ..types import BOOL, BY_NAME, I32, I64

Array = Any

_numbers = itertools.count(1)
_functions: weakref.WeakValueDictionary[int, HostFunction] = weakref.WeakValueDictionary()


class HostFunction:
    """A function of the host, with its operands and results: (shape, name of NumPy's dtype) each."""

    def __init__(
        self,
        function: Callable[..., Sequence[Array]],
        operands: Sequence[tuple[Shape, str]],
        results: Sequence[tuple[Shape, str]],
        token: str,
    ) -> None:
        """`token`: the name of its dtype."""
        self.function = function
        self.operands = [(shape, numpy.dtype(name)) for shape, name in operands]
        self.results = [(shape, numpy.dtype(name)) for shape, name in results]
        self.token = numpy.dtype(token)
        self.handle = next(_numbers)
        _functions[self.handle] = self

    def call(self, active: bool, token: int, memories: Sequence[Any]) -> list[Array]:
        """Returns the next token and the results; `memories`: the bytes of the operands, which are copied."""
        after = numpy.asarray(token + active, self.token)
        if not active:
            return [after, *[numpy.zeros(shape, dtype) for shape, dtype in self.results]]
        arrays = [
            numpy.frombuffer(memory, dtype, count=int(numpy.prod(shape))).reshape(shape).copy()
            if 0 not in shape
            else numpy.zeros(shape, dtype)
            for memory, (shape, dtype) in zip(memories, self.operands, strict=True)
        ]
        return [after, *self.function(*arrays)]


def host_function(handle: int) -> HostFunction:
    """Returns the function of a handle, which some program that may call it keeps alive."""
    return _functions[handle]


def _infer(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    handle, active, token, *_ = inputs
    shapes, dtypes = attributes
    assert isinstance(shapes, tuple) and isinstance(dtypes, str), attributes
    assert handle.dtype is I32 and active.dtype is BOOL and token.dtype in (I32, I64), inputs
    assert all(node.shape == () for node in inputs[:3]), inputs
    assert len(shapes) == len(dtypes.split()), attributes
    return (), BOOL


def _results(node: Node) -> list[Inferred]:
    made: Any = zip(node.attribute("shapes"), node.attribute("dtypes").split(), strict=True)
    return [((), node.inputs[2].dtype), *[(shape, BY_NAME[name]) for shape, name in made]]


def _structure(axes: Axes, node: Node, _sources: Ranks) -> Structural:
    shapes, dtypes = node.attributes
    made = [tuple([axes.number(extent) for extent in shape]) for shape in shapes]
    axes.results[node] = [(), *made]
    return (tuple(map(len, made)), dtypes), ()


def _sized(node: Node, _shape: Shape, symbols: Symbols) -> Attributes:
    sizes = symbols.node_sizes
    shapes: Any = node.attribute("shapes")
    return tuple([tuple([next(sizes) for _ in shape]) for shape in shapes]), node.attribute("dtypes")


def _value(inputs: list[Array], _attributes: Given, _node: Node) -> list[Array]:
    handle, active, token, *arrays = inputs
    return host_function(int(handle)).call(
        bool(active), int(token), [numpy.ascontiguousarray(array) for array in arrays]
    )


callback = Op(
    "callback",
    "control",
    _infer,
    _value,
    ("shapes", "dtypes"),
    _structure,
    _sized,
    results=_results,
    title="call of a host function",
    memory_operands=lambda node: node.inputs,
)

OPS = (callback,)
