"""Errors of runs: faults that kernels have recorded, as exceptions at the user's line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..codegen.plan.bind import OutOfBounds
from ..errors import (
    ArgumentError,
    BoundsError,
    JitframeError,
    LinAlgError,
    NumberError,
    SourceLine,
    ZeroError,
)
from ..ir.index import index_nodes
from ..ir.node import Node, topological
from ..ir.symbolize import sites

if TYPE_CHECKING:
    from .evaluate import Ready

Lines = Callable[[Node], SourceLine | None]
"""Returns the user's line of a node."""


ERRORS: dict[str, type[JitframeError]] = {
    "index": BoundsError,
    "linear algebra": LinAlgError,
    "argument": ArgumentError,
    "zero": ZeroError,
    "domain": ArgumentError,
    "overflow": NumberError,
    "beyond": NumberError,
}
"""The exceptions of faults, by the kinds of `Op.fault`."""
OF_PYTHON = frozenset(("zero", "domain", "overflow", "beyond"))
"""The kinds of faults of Python's numbers."""


def error_of(ready: Ready, fault: OutOfBounds, line: Lines | None = None) -> JitframeError:
    """Returns NumPy's error for a recorded fault."""
    site, number = ready.template.faults[fault.word]
    node = sites(ready.roots)[site]
    assert node.op.fault is not None, node
    kind, message = node.op.fault(node, number, fault.spelled)
    source_line = None
    if line is not None:
        candidates = (node, *index_nodes(node)[number : number + 1], *made_of(ready.roots, node))
        source_line = next((place for place in map(line, candidates) if place is not None), None)
    error = ERRORS[kind](message, line=source_line)
    error.is_of_python = kind in OF_PYTHON
    return error


def made_of(roots: Sequence[Node], node: Node) -> Iterator[Node]:
    """Yields a node, and its users up to the roots: a function of several nodes has its line at its
    result."""
    yield node
    needed = {node}
    for each in topological(roots):
        if not needed.isdisjoint(each.inputs):
            needed.add(each)
            yield each
