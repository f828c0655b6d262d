"""The declaration of a function of a library that plans may call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.expr import Expr
from ...ir.record import record
from ...ir.types import DType
from .nodes import BufferRef, LibraryCall

Workspace = dict[str, Expr]
"""Parts of it by name, in words of 8 bytes."""


class LibraryFunction(metaclass=record):
    """One function. All operands and results are of the call's dtype."""

    name: str
    library: str
    """The library's field, for explanations."""
    title: str
    """What messages call it: "a matrix product"."""
    operands: tuple[str, ...]
    results: tuple[str, ...]
    options: tuple[str, ...]
    """Numbers that are structure: flags, kinds."""
    sizes: tuple[str, ...]
    dtypes: tuple[DType, ...]
    formula: Callable[[LibraryCall, Callable[[BufferRef], str]], str]
    """(call, text of a place in memory) -> how explanations write it."""
    shape: Callable[[tuple[int, ...]], str]
    """(sizes) -> how explanations write the size of one call."""
    flops: Callable[[tuple[Any, ...]], Any]
    """Of one call, from its sizes, which may be expressions."""
    elements: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    """How many elements of each operand and then result one call touches, from its sizes."""
    shapes: Callable[[tuple[int, ...]], tuple[tuple[int, ...], ...]] | None = None
    """Of one call's operands and then results, from its sizes, where they are contiguous."""
    workspace: Callable[[tuple[Expr, ...]], Workspace] | None = None
    """What one call uses besides, from its sizes."""
    reference: Callable[..., Any] | None = None
    """One call or a stack of them by NumPy, where that has a function for it."""
    on_host: bool = False
    """Whether the processor calls it whatever the device, on copies of operands and results."""
