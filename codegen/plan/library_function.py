"""The declaration of a library function that plans may call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.expr import Expr
from ...ir.record import record
from ...ir.types import DType
from .nodes import BufferRef, LibraryCall

Workspace = dict[str, Expr]
"""The sections of the workspace by name, in words of 8 bytes."""


class LibraryFunction(metaclass=record):
    """One function. All operands and results are of the call's dtype."""

    name: str
    library: str
    """The library's field, for explanations."""
    title: str
    """Its name in messages: "a matrix product"."""
    operands: tuple[str, ...]
    results: tuple[str, ...]
    options: tuple[str, ...]
    """Numbers that are structure: flags, kinds."""
    sizes: tuple[str, ...]
    dtypes: tuple[DType, ...]
    formula: Callable[[LibraryCall, Callable[[BufferRef], str]], str]
    """(call, text of a memory reference) -> its formula in explanations."""
    shape: Callable[[tuple[int, ...]], str]
    """(sizes) -> the size of one call in explanations."""
    flops: Callable[[tuple[Any, ...]], Any]
    """The operations of one call, from its sizes, which may be expressions."""
    elements: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    """The elements of each operand and then result that one call touches, from its sizes."""
    shapes: Callable[[tuple[int, ...]], tuple[tuple[int, ...], ...]] | None = None
    """The shapes of one call's operands and then results, from its sizes, where they are contiguous."""
    workspace: Callable[[tuple[Expr, ...]], Workspace] | None = None
    """The workspace of one call, from its sizes."""
    reference: Callable[..., Any] | None = None
    """One call or a stack of them by NumPy, where that has a function for it."""
    on_host: bool = False
    """Whether it runs on the processor whatever the device, on copies of operands and results."""
