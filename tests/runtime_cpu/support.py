"""Kernels and native functions compiled, and small helpers, the tests of the native CPU runtime."""

from __future__ import annotations

import inspect
import pathlib
import textwrap
from collections.abc import Callable

import numpy as np

from jitframe.codegen.native.module import NativeSource, translate
from jitframe.runtime.cpu.entry.arguments import ArrayArgument
from jitframe.runtime.cpu.machine_code.compile import compile_text
from jitframe.runtime.cpu.machine_code.image import LoadedImage, load, package
from jitframe.runtime.cpu.machine_code.levels import baseline_target

ROOT = pathlib.Path(__file__).parents[2]


def compile_functions(functions: list[Callable], namespace: dict) -> bytes:
    """The object file of native functions given as Python ones."""
    text = "\n".join(textwrap.dedent(inspect.getsource(function)) for function in functions)
    target = baseline_target()
    source = NativeSource("sample", text, namespace)
    return compile_text(translate([source], target.triple), target, optimize=True)


def load_functions(functions: list[Callable], namespace: dict) -> LoadedImage:
    return load(package(compile_functions(functions, namespace)))


def slow(*args, **kwargs):
    return "slow", args, kwargs


def is_slow(result) -> bool:
    return type(result) is tuple and len(result) == 3 and type(result[0]) is str and result[0] == "slow"


def described(array: np.ndarray, written: bool = False) -> ArrayArgument:
    return ArrayArgument(array.dtype, array.shape, array.strides, written)
