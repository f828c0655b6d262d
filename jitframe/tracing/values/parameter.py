"""The inputs of a traced program: the array of each parameter, and the layout in which kernels read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...arrays.layout import Strides, in_c_order, is_aligned, layout_of, run_time_strides
from ...ir.node import Node, Shape
from ...ir.record import mutable
from ...runtime.device import Device, DeviceArray
from .cells import Cell

if TYPE_CHECKING:
    from ...tensors.tensor import Tensor
    from ...tensors.transfers import Value


class Parameter(metaclass=mutable):
    """An input of the traced program: an argument, an array that the function reads, or one made while
    tracing."""

    array: Value
    """The array it was traced with."""
    strides: tuple[int, ...]
    """Strides of the axes whose letter in the layout is `s`, in elements."""
    cell: Cell
    node: Node
    """The content at the call."""
    leaf: int | None = None
    """The argument's number among the leaves of a call."""
    made: bool = False
    """Whether the trace itself made the array, which nobody else sees."""
    tensor: Tensor | None = None
    """The Tensor whose value it is."""
    region: bool = False
    """Whether it is memory with several arrays as views."""
    drawn: bool = False
    """Whether it holds a draw from a random generator at each call."""
    carried: int | None = None
    """The place of the carried value from an earlier segment."""


def input_layout(array: Value, device: Device) -> tuple[str | None, Strides | None, Shape]:
    """The layout in which kernels read an input, NumPy's strides of the array (None for C order), and those
    strides of the layout that are known at run time only. A device has its inputs in C order."""
    if isinstance(array, DeviceArray):
        return None, None, ()
    read = array if is_aligned(array) else array.copy()
    whole = tuple(stride // read.itemsize for stride in read.strides)
    strides = None if in_c_order(read.shape, whole) else whole
    if not device.is_host:
        return None, strides, ()
    layout = layout_of(read)
    return layout, strides, run_time_strides(read, layout)
