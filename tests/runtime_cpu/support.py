"""Kernels and native functions compiled for the tests of the native CPU runtime."""

from __future__ import annotations

import inspect
import pathlib
import textwrap
from collections.abc import Callable

from jitframe.codegen.native.module import NativeSource, translate
from jitframe.runtime.cpu.compile import compile_text
from jitframe.runtime.cpu.image import LoadedImage, load, package
from jitframe.runtime.cpu.levels import baseline_target

ROOT = pathlib.Path(__file__).parents[2]


def compile_functions(functions: list[Callable], namespace: dict) -> bytes:
    """The object file of native functions given as Python ones."""
    text = "\n".join(textwrap.dedent(inspect.getsource(function)) for function in functions)
    target = baseline_target()
    source = NativeSource("sample", text, namespace)
    return compile_text(translate([source], target.triple), target, optimize=True)


def load_functions(functions: list[Callable], namespace: dict) -> LoadedImage:
    return load(package(compile_functions(functions, namespace)))
