"""`jitframe explain`: how a call of a function is compiled, without running it."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy
import typer

from ..errors import ArgumentError
from ..tracing.jit import JittedFunction, jit
from .output import print_json

Level = Literal["graph", "kernel", "source", "asm"]
_ARRAY = re.compile(r"(?P<dtype>[a-z]+\d*)\[(?P<shape>[\d,\s]*)\]")
_SHORT = {
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
    "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64",
}  # fmt: skip


def explain(
    function: Annotated[
        str, typer.Argument(help="module:function or file.py:function, jitted or not.", metavar="FUNCTION")
    ],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            help="What it is called with: arrays as float32[1000,3] or f32[1000,3], numbers and other Python "
            "literals as they are, name=… by keyword. Put -- before negative numbers.",
            metavar="ARGUMENT",
        ),
    ] = None,
    level: Annotated[
        Level | None, typer.Option(help="Print this text of every kernel instead of the overview.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show how a call is compiled: graph, kernels with reasons, plan. Compiles, and runs nothing.

    jitframe explain model.py:softmax "f32[4096,1024]"
    """
    jitted = _find(function)
    positional, named = _arguments(arguments or [])
    _check_call(jitted, positional, named)
    explanation = jitted.explain(*positional, **named)
    if json:
        levels = (level,) if level is not None else ("graph", "kernel", "source")
        print_json(
            {
                "graph": explanation.graph,
                "plan": explanation.plan,
                "kernels": [
                    {"name": kernel.name, **{each: kernel.source(each) for each in levels}}
                    for kernel in explanation.kernels
                ],
            }
        )
        return
    if level is None:
        sys.stdout.write(f"{explanation}\n")
        return
    for kernel in explanation.kernels:
        sys.stdout.write(f"{kernel.source(level).rstrip()}\n")


def _find(target: str) -> Any:
    """Resolves `module:function` to a jitted function."""
    module_name, separator, path = target.rpartition(":")
    if not separator or not module_name or not path:
        raise ArgumentError(f"explain: {target!r} names no function; write module:function")
    found: Any = _module(module_name)
    for name in path.split("."):
        if not hasattr(found, name):
            there = (
                [each for each in vars(found) if not each.startswith("_")]
                if hasattr(found, "__dict__")
                else []
            )
            offered = ", ".join(sorted(there)) or "no public names"
            raise ArgumentError(f"explain: {module_name} has no {path!r}; it has {offered}")
        found = getattr(found, name)
    if not callable(found):
        raise ArgumentError(f"explain: {target} is a {type(found).__name__}, not a function")
    return found if isinstance(found, JittedFunction) else jit(found)


def _check_call(jitted: Any, positional: list[Any], named: dict[str, Any]) -> None:
    """Raises if the arguments do not match the function's parameters."""
    signature = inspect.signature(jitted)
    try:
        signature.bind(*positional, **named)
    except TypeError as error:
        raise ArgumentError(
            f"explain: {jitted.__name__}{signature} does not take what is given: {error}; write "
            'the arguments after the function: arrays as "f32[1000,3]", numbers as they are, or name=…'
        ) from None


def _module(name: str) -> Any:
    """An imported module, or a file run as one, found from the working directory as `python -m` does."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    if not name.endswith(".py"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not (name == error.name or name.startswith(error.name + ".")):
                raise
            raise ArgumentError(
                f"explain: no module {name!r} in {os.getcwd()} or what is installed"
            ) from None
    path = Path(name)
    if not path.is_file():
        raise ArgumentError(f"explain: no file {name!r} in {os.getcwd()}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.parent.resolve()))
    spec.loader.exec_module(module)
    return module


def _arguments(texts: list[str]) -> tuple[list[Any], dict[str, Any]]:
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if separator and name.isidentifier():
            named[name] = _argument(value)
        else:
            positional.append(_argument(text))
    return positional, named


def _argument(text: str) -> Any:
    """An array of a dtype and shape with undefined elements, or a Python literal."""
    array = _ARRAY.fullmatch(text.strip())
    if array is not None:
        shape = tuple(int(extent) for extent in array["shape"].split(",") if extent.strip())
        try:
            return numpy.empty(shape, _SHORT.get(array["dtype"], array["dtype"]))
        except TypeError:
            raise ArgumentError(f"explain: {array['dtype']!r} in {text!r} is no dtype") from None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise ArgumentError(
            f"explain: {text!r} is neither an array like f32[1000,3] nor a Python literal"
        ) from None
