"""docs/fences.md: its tables are made from the dialects. JITFRAME_UPDATE_SNAPSHOTS=1 writes them anew."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from jitframe.codegen import c_family
from jitframe.codegen.c_family import Dialect, UnsupportedKernel, generate
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.verify_effects import ATOMIC_ORDERS, FENCE_SCOPES
from jitframe.ir.types import F32, I32, I64, DType

PAGE = Path(__file__).parents[2] / "docs" / "fences.md"
SCOPES = FENCE_SCOPES[1:]


def all_dialects() -> dict[str, Dialect]:
    """Every dialect that a module of the package holds, by the name of its language."""
    found: dict[str, Dialect] = {}
    for info in pkgutil.iter_modules(c_family.__path__):
        module = importlib.import_module(f"{c_family.__name__}.{info.name}")
        found |= {value.name: value for value in vars(module).values() if isinstance(value, Dialect)}
    return dict(sorted(found.items()))


DIALECTS = all_dialects()


def fenced(scope: str) -> Kernel:
    build = KernelBuilder("fenced")
    build.fence(scope)
    return build.finish(64)


def added(dtype: DType, order: str, scope: str) -> Kernel:
    build = KernelBuilder("added")
    x = build.buffer(dtype, "inout")
    one = build.constant(1.0 if dtype.is_float else 1, dtype)
    build.atomic("add", x, build.constant(0), one, scope=scope, order=order)
    return build.finish(64)


def spelled(kernel: Kernel, dialect: Dialect) -> str | None:
    """What the kernel does in a language, line by line; None where it is refused."""
    try:
        text = generate(kernel, dialect).text
    except UnsupportedKernel:
        return None
    return text


def fence_cell(dialect: Dialect, scope: str) -> str:
    text = dialect.fences.get(scope)
    if text is None:
        assert spelled(fenced(scope), dialect) is None, f"{dialect.name} has a fence of {scope}"
        return "refused"
    source = spelled(fenced(scope), dialect)
    assert source is not None, f"{dialect.name} has no fence of {scope}"
    if not text:
        return "nothing"
    found = dialect.barrier if text == "BARRIER" else text
    assert found in source
    cell = "`" + found.replace("|", "\\|") + "`"
    return cell + (" (a barrier: all lanes must pass)" if text == "BARRIER" else "")


def order_cell(dialect: Dialect, order: str) -> str:
    scopes = [scope for scope in SCOPES if spelled(added(I32, order, scope), dialect) is not None]
    if not scopes:
        return "refused"
    how = "" if order in dialect.orders else " (by fences)"
    return ", ".join(scopes) + how


def width_cell(dialect: Dialect, dtype: DType) -> str:
    if spelled(added(dtype, "relaxed", "device"), dialect) is None:
        return "refused"
    at_once = dialect.float_atomics.get(dtype.name) if dtype.is_float else dialect.atomics64
    return "yes" if at_once and "add" in at_once else "by compare-and-swap"


def table(head: Sequence[str], cell: Callable[[Dialect, str], str]) -> str:
    rows = [["language", *head], ["---"] * (len(head) + 1)]
    rows += [[name, *(cell(dialect, word) for word in head)] for name, dialect in DIALECTS.items()]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def page() -> str:
    widths = {"64-bit add": I64, "f32 add": F32}
    parts = {
        "fences": table(FENCE_SCOPES, fence_cell),
        "orders": table(ATOMIC_ORDERS, order_cell),
        "widths": table(list(widths), lambda dialect, word: width_cell(dialect, widths[word])),
    }
    return TEXT.format(**parts)


TEXT = """# Fences and atomics in each language

This page lists the fences and atomics of kernels in each device's language. A kernel's `fence` has a scope:
the lanes between which it orders memory. `thread` orders nothing, `workgroup` and `device` are
acquire-release, `system` is sequentially consistent. Each language uses the nearest fence that is no weaker;
a missing one is an error, never weakened. A kernel of one lane that several hardware lanes run has barriers
before and after a fence: the order holds for the accesses of all of them. A fence that is a barrier in a
language is refused where some lanes have left by `exit`.

{fences}

OpenCL C is version 1.2 here, where a fence orders a work-item's own accesses only. OpenCL 3.0 has some orders
and scopes as features: the table shows the dialect of a device that has all but the system scope, and
`opencl_dialect` makes the one of a device from what it tells of itself.

## Orders of atomics

The scopes in which an atomic may have an order. Where a language has no word for one, the order is made of
fences around a relaxed atomic: one before a release, one after an acquire, sequentially consistent ones on
both sides.

{orders}

## What atomics work on

32-bit integers everywhere, in global and in shared memory. Minima and maxima of floats keep NaN, and are done
by compare-and-swap. In WGSL, elements of 8 and 16 bits of buffers too, by compare-and-swap of their word;
elsewhere they are refused, as their neighbours in the word may be written without an atomic. OpenCL has
64-bit atomics by extension.

{widths}
"""


def test_the_page_is_that_of_the_dialects() -> None:
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        PAGE.write_text(page())
    assert PAGE.exists(), f"{PAGE} is missing: JITFRAME_UPDATE_SNAPSHOTS=1 writes it"
    assert PAGE.read_text() == page(), "JITFRAME_UPDATE_SNAPSHOTS=1 writes docs/fences.md anew"


@pytest.mark.parametrize("name", list(DIALECTS))
def test_no_fence_is_weaker_than_its_scope(name: str) -> None:
    """A language that has a wider scope and not a narrower one would have to use the wider."""
    have = [scope in DIALECTS[name].fences for scope in FENCE_SCOPES]
    assert have == sorted(have, reverse=True) and have[0]
