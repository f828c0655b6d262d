"""The entry in Python: what the native one does, on any interpreter, by calls of the runtime."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ...codegen.plan.bind import OutOfBounds
from .layout import read_word
from .native.entry import MOST_ARRAYS
from .runtime import runtime
from .variant import (
    ABSENT,
    ArrayArgument,
    FloatArgument,
    Guard,
    IntArgument,
    OutputArgument,
    OutputArray,
    OutputConstant,
    OutputSame,
    Variant,
    WordGuard,
    byte_range,
)


class PythonEntry:
    """Calls the most recently used variant that matches, else the slow callable."""

    def __init__(self, slow: Callable[..., Any]) -> None:
        self._slow = slow
        self._variants: list[Variant] = []
        self._calls = [0, 0]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            for position, variant in enumerate(self._variants):
                matched = match(variant, args)
                if matched is not None:
                    if position:
                        self._variants.insert(0, self._variants.pop(position))
                    self._calls[0] += 1
                    return _run(variant, args, *matched)
        self._calls[1] += 1
        return self._slow(*args, **kwargs)


def match(variant: Variant, args: tuple[Any, ...]) -> tuple[list[np.ndarray], list[int]] | None:
    """The program's input arrays and scalar bits, or None where the variant does not take this call."""
    if len(args) != len(variant.arguments):
        return None
    arrays: list[np.ndarray] = []
    scalars = [0] * variant.program.scalars
    for argument, value in zip(variant.arguments, args, strict=True):
        if isinstance(argument, ArrayArgument):
            if not _array_matches(argument, value):
                return None
            arrays.append(value)
        elif isinstance(argument, FloatArgument):
            if type(value) is not float:
                return None
            scalars[argument.scalar] = _float_bits(value, argument.dtype)
        elif isinstance(argument, IntArgument):
            least, most = argument.range
            if type(value) is not int or not least <= value <= most:
                return None
            floating = argument.dtype in ("f32", "f64")
            scalars[argument.scalar] = _float_bits(float(value), argument.dtype) if floating else value
        elif value is not argument.value:
            return None
    arrays += variant.hidden
    if not all(map(_array_matches, variant.hidden_arguments, variant.hidden)):
        return None
    if not all(_holds(guard) for guard in variant.guards):
        return None
    if variant.writes and _overlap(variant, arrays):
        return None
    return arrays, scalars


def _array_matches(argument: ArrayArgument, value: Any) -> bool:
    return (
        type(value) is np.ndarray
        and value.dtype == argument.dtype
        and value.shape == argument.shape
        and value.strides == argument.strides
        and value.flags.aligned
        and (value.flags.writeable or not argument.written)
    )


def _float_bits(value: float, dtype: str) -> int:
    if dtype == "f64":
        return int.from_bytes(struct.pack("<d", value), "little")
    with np.errstate(over="ignore"):
        return int(np.float32(value).view(np.uint32))


def _holds(guard: Guard | WordGuard) -> bool:
    if isinstance(guard, WordGuard):
        return read_word(guard.address) == guard.word
    if guard.cell is None:
        assert guard.mapping is not None
        return guard.mapping.get(guard.key, ABSENT) is guard.expected
    try:
        return guard.cell.cell_contents is guard.expected
    except ValueError:
        return guard.expected is ABSENT


def _overlap(variant: Variant, arrays: list[np.ndarray]) -> bool:
    if len(arrays) > MOST_ARRAYS:
        return True
    written = [argument.written for argument in variant.arguments if isinstance(argument, ArrayArgument)]
    written += [False] * len(variant.hidden)
    ranges = []
    for array in arrays:
        data = array.__array_interface__["data"][0]
        low, beyond = byte_range(array.shape, array.strides, array.itemsize)
        ranges.append((data + low, data + beyond))
    return any(
        (written[first] or written[second])
        and ranges[first][0] < ranges[second][1]
        and ranges[second][0] < ranges[first][1]
        for first in range(len(ranges))
        for second in range(first)
    )


def _run(variant: Variant, args: tuple[Any, ...], arrays: list[np.ndarray], scalars: list[int]) -> Any:
    addresses = [array.__array_interface__["data"][0] for array in arrays]
    try:
        buffers = iter(runtime().run(variant.program, addresses, scalars, variant.release_gil))
    except OutOfBounds as fault:
        return variant.report(fault.word, fault.spelled)
    results: list[Any] = []
    for output in variant.outputs:
        if isinstance(output, OutputArgument):
            results.append(args[output.index])
        elif isinstance(output, OutputConstant):
            results.append(output.value)
        elif isinstance(output, OutputSame):
            results.append(results[output.index])
        elif isinstance(output, OutputArray):
            results.append(next(buffers).into_ndarray(output.dtype, output.shape, output.strides))
        else:
            results.append(next(buffers).ndarray(output.dtype, ())[()])
    return results[0] if variant.single else tuple(results)
