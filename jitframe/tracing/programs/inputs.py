"""The inputs of a program: where the arrays of its parameters and the values of its scalars come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...arrays.promotion import limits_of
from ...codegen.plan.bind import scalar_bits
from ...ir.node import Node, Region, topological
from ...ir.record import record
from ...ir.types import DType
from ..arguments.signature import Call
from ..values.parameter import Parameter
from ..values.traced_frame import TraceFrame

if TYPE_CHECKING:
    from ...tensors.transfers import Value

NOTHING = numpy.zeros(1, numpy.int32)
"""The placeholder of inputs that a program does not read."""


class Input(metaclass=record):
    """The source of a parameter's array: a leaf of the call, a fixed array, or a region of overlapping
    ones."""

    leaf: int | None = None
    array: Value | None = None
    region: int | None = None
    fixed: bool = False
    """Whether the array was made by the trace and never changes."""
    drawn: bool = False
    """Whether a random generator gives it at each call."""
    carried: int | None = None
    """The place of a value that an earlier segment of the call has computed."""


class Scalar(metaclass=record):
    """An open scalar of the graph: its leaf, and the integers that it may be."""

    leaf: int
    dtype: DType
    holders: tuple[DType, ...]
    """The integer dtypes that the program casts it to, which must hold its value."""

    part: str = ""
    """"real" or "imag": the attribute of a complex leaf; "": the leaf itself."""

    def of(self, leaf: Any) -> Any:
        """Its value in a call."""
        return getattr(leaf, self.part) if self.part else leaf

    @property
    def limits(self) -> tuple[int, int]:
        """The bounds that all of its dtypes hold."""
        ranges = [limits_of(dtype) for dtype in self.holders or (self.dtype,) if dtype.is_integer]
        return max(low for low, _ in ranges), min(high for _, high in ranges)


def bits_of(value: Any, dtype: DType) -> int:
    """Returns the bits of a scalar's slot."""
    if dtype.is_float:
        return scalar_bits(value, dtype)
    return int(value)


def memory_of(call: Call, hidden: Sequence[numpy.ndarray]) -> tuple[list[numpy.ndarray], dict[int, int]]:
    """Returns the arrays of a call whose memory the user sees, and their numbers by leaf."""
    arrays: list[numpy.ndarray] = []
    by_leaf: dict[int, int] = {}
    for number, leaf in enumerate(call.leaves):
        if isinstance(leaf, numpy.ndarray):
            by_leaf[number] = len(arrays)
            arrays.append(leaf)
    return arrays + list(hidden), by_leaf


def may_be_one(arrays: Sequence[numpy.ndarray]) -> bool:
    """Whether two of the arrays are alike, so that they may be one object in another call."""
    return len({(array.shape, array.strides, array.dtype) for array in arrays}) < len(arrays)


def are_one(arrays: Sequence[numpy.ndarray]) -> bool:
    """Whether two of the arrays are the same object."""
    return len({id(array) for array in arrays}) < len(arrays)


def hidden_array(parameter: Parameter) -> numpy.ndarray | None:
    """Returns the user's array of a parameter that the function reads without being passed it; None of
    others."""
    array = parameter.array
    if parameter.made or parameter.drawn or parameter.region or parameter.leaf is not None:
        return None
    return array if isinstance(array, numpy.ndarray) and parameter.tensor is None else None


def all_nodes(frame: TraceFrame) -> Iterable[Node]:
    """Returns all nodes of a trace: integers that do not fit are refused in unused ones as well."""
    return (node for graph in frame.graphs for node in set(graph._interned.values()))


def with_regions(outputs: Iterable[Node]) -> Iterator[Node]:
    """Returns every node that the outputs depend on, in nested regions too."""
    for node in topological(outputs):
        yield node
        if node.op.family == "control":
            for region in node.attributes:
                if isinstance(region, Region):
                    yield from with_regions(region.results)


def find_scalars(frame: TraceFrame, nodes: Iterable[Node]) -> tuple[dict[int, Scalar], list[int]]:
    """Returns the scalars that calls pass, and the bits of the other scalars."""
    dtypes: dict[int, DType] = {}
    holders: dict[int, dict[DType, None]] = {}
    for node in nodes:
        if node.op.source == "scalar":
            index, dtype = node.attributes
            dtypes[index] = dtype
            continue
        for source in node.inputs:
            if source.op.source == "scalar":
                holder = node.dtype if node.op.converts and node.dtype.is_integer else source.dtype
                if holder.is_integer:
                    holders.setdefault(source.attributes[0], {})[holder] = None
    complex_leaves = {frame.scalars[index] for index in frame.imaginary}
    scalars = {
        index: Scalar(
            leaf,
            dtypes[index],
            _holders(dtypes[index], holders.get(index, ())),
            "" if leaf not in complex_leaves else "imag" if index in frame.imaginary else "real",
        )
        for index, leaf in frame.scalars.items()
        if index in dtypes
    }
    bits = [0] * len(frame.graph.scalar_values)
    for index, dtype in dtypes.items():
        if index not in scalars:
            bits[index] = bits_of(frame.graph.scalar_values[index], dtype)
    return scalars, bits


def _holders(dtype: DType, casts: Iterable[DType]) -> tuple[DType, ...]:
    """Returns the dtypes that must hold an argument's value: its own only where it is cast to no other."""
    found = tuple(casts)
    return found if found or not dtype.is_integer else (dtype,)
