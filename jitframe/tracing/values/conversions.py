"""Conversions of traced values to Python's numbers: `float(x)`, `int(x[i])`, `x.item()`."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy

from ...api.calls import operand
from ...api.frame import Frame, LazyValue, frame_of
from ...arrays.promotion import Weak
from ...errors import ArgumentError, DTypeError
from ...functions import elementwise
from ...functions.operands import as_node
from ...ir.node import Node
from ...ir.types import BOOL, C128, F64, I64, U64, DType

DTYPES: dict[str, DType] = {"bool": BOOL, "int": I64, "uint": I64, "float": F64, "complex": C128}
"""The dtypes of Python's numbers, by the kind of the converted value."""


ONE_ELEMENT_IS_A_NUMBER = numpy.lib.NumpyVersion(numpy.__version__) < "2.4.0"
"""Whether NumPy takes arrays of one element and some axes for numbers."""


def scalar_node(frame: Frame, value: LazyValue) -> Node:
    """Returns the node of a value that is to become a Python number."""
    if value.shape and not (value.size == 1 and ONE_ELEMENT_IS_A_NUMBER):
        raise DTypeError("only 0-dimensional arrays can be converted to Python scalars")
    if value.shape:
        value = value.reshape(())
    given = operand(frame, frame.begin(), value)
    node = given.node if isinstance(given, Weak) else given
    assert isinstance(node, Node)
    return node


def converted(value: LazyValue, dtype: DType) -> Any:
    """Converts a value to the Python number of a dtype."""
    frame: Any = frame_of((value,))
    graph = frame.begin()
    node = scalar_node(frame, value)
    may_be_beyond = node.dtype.is_float or node.dtype is U64
    if dtype is I64 and node.dtype.is_float:
        node = elementwise.trunc(graph, node)
    made = frame.wrap(graph, Weak(as_node(graph, node, dtype)))
    return frame.whole_number(value, made) if dtype is I64 and may_be_beyond else made


def truth(value: LazyValue) -> Any:
    """`bool(value)`: of the only element, whatever its axes are."""
    return converted(value.reshape(()), BOOL) if value.size == 1 else bool(value)


def item_of(array: Any, position: Sequence[Any]) -> Any:
    """`array.item(*position)`."""
    if len(position) == 1 and isinstance(position[0], tuple):
        (position,) = position
    if not position:
        if array.size != 1:
            raise ArgumentError("can only convert an array of size 1 to a Python scalar")
        chosen = array.reshape(())
    elif len(position) == array.ndim:
        chosen = array[tuple([_place(each) for each in position])]
    elif len(position) == 1:
        chosen = array.reshape(-1)[_place(position[0])]
    else:
        raise ArgumentError("incorrect number of indices for array")
    known = chosen._known()
    return converted(chosen, DTYPES[chosen._dtype.kind]) if known is None else known.item()


def _place(index: Any) -> Any:
    if not isinstance(index, LazyValue) and index.__class__ is not bool:
        return operator.index(index)
    if getattr(index, "shape", ()) or not (isinstance(index, LazyValue) and index._dtype.is_integer):
        raise DTypeError("an integer is required")
    return index
