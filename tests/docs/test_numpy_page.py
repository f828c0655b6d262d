"""docs/numpy.md: NumPy's public functions, the attributes of ndarray, and whether jitframe has them."""

from __future__ import annotations

import os
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.namespace import BY_NUMPY

VERSION = ".".join(np.__version__.split(".")[:2])
PAGE = Path(__file__).parents[2] / "docs" / "numpy.md"
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, np.ufunc, type(np.sum))
NAMESPACES = {"numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft}

NEVER = {
    "files and text: read and write ndarrays": (
        "fromfile fromregex fromstring genfromtxt load loadtxt save savetxt savez savez_compressed tofile "
        "dump dumps"
    ),
    "printing: of `np.asarray(x)`": (
        "array2string array_repr array_str base_repr binary_repr format_float_positional "
        "format_float_scientific get_printoptions set_printoptions printoptions typename"
    ),
    "dates and strings: no device computes with them": (
        "busday_count busday_offset datetime_as_string datetime_data is_busday isnat"
    ),
    "NumPy's own state: its settings, builds and error modes are not jitframe's": (
        "get_include getbufsize geterr geterrcall info nested_iters setbufsize seterr seterrcall show_config "
        "show_runtime"
    ),
    "objects and matrices: arrays of Python objects and `numpy.matrix` are not compiled": (
        "asmatrix bmat frompyfunc"
    ),
    "memory: how an array lies in memory is jitframe's own affair": (
        "byteswap ctypes data getfield setfield setflags resize"
    ),
}
"""Names that jitframe will not have, by the reason."""


def names(module: Any) -> list[str]:
    return [
        name
        for name in dir(module)
        if not name.startswith("_") and isinstance(getattr(module, name), FUNCTIONS)
    ]


def has(module: Any, name: str) -> bool:
    ours = jf
    for part in module.__name__.split(".")[1:]:
        ours = getattr(ours, part, None)
    return getattr(module, name) in BY_NUMPY or hasattr(ours, name)


def methods() -> list[str]:
    return [name for name in dir(np.ndarray) if not name.startswith("_")]


def page() -> str:
    never = {name: reason for reason, listed in NEVER.items() for name in listed.split()}
    lines = [
        "# NumPy's names",
        "",
        "Every public function of `numpy`, `numpy.linalg` and `numpy.fft`, and every attribute of `ndarray`:",
        "what a jitted function and a Tensor take, what they do not take yet, and what they never will.",
        f"Written by `tests/docs/test_numpy_page.py` with NumPy {VERSION}. Inside a jitted function, a",
        "function of NumPy's that is given no traced value is NumPy's own, whatever it is.",
        "",
    ]
    found = {
        title: [(name, has(module, name)) for name in names(module)] for title, module in NAMESPACES.items()
    }
    found["numpy.ndarray"] = [(name, hasattr(jf.Tensor, name)) for name in methods()]
    lines += ["| of | supported | not yet | never |", "|---|---|---|---|"]
    for title, each in found.items():
        counts = [
            sum(there for _, there in each),
            sum(not there and name not in never for name, there in each),
            sum(not there and name in never for name, there in each),
        ]
        lines.append(f"| `{title}` | {counts[0]} | {counts[1]} | {counts[2]} |")
    for title, each in found.items():
        lines += ["", f"## {title}", "", "Supported: " + listed(name for name, there in each if there) + "."]
        missing = [name for name, there in each if not there and name not in never]
        if missing:
            lines += ["", "Not yet: " + listed(missing) + "."]
        for reason, group in NEVER.items():
            left_out = [name for name, there in each if not there and name in group.split()]
            if left_out:
                lines += ["", f"Never ({reason}): " + listed(left_out) + "."]
    return "\n".join([*lines, ""])


def listed(each: Any) -> str:
    return ", ".join(f"`{name}`" for name in each)


def test_the_page_tells_what_there_is() -> None:
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        PAGE.write_text(page(), encoding="utf-8")
    if f"with NumPy {VERSION}." not in PAGE.read_text(encoding="utf-8"):
        pytest.skip("the page is of another NumPy")
    assert PAGE.read_text(encoding="utf-8") == page(), "run with JITFRAME_UPDATE_SNAPSHOTS=1"
