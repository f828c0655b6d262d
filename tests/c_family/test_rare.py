"""Loops by one lane with branches that hardly any iteration takes: right where some do, else free of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from jitframe.codegen.c_family import OPENCL, generate
from jitframe.codegen.c_family.rare import PIECE
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Buffer, Kernel, Value
from jitframe.ir.types import F32, I32, U32

from .devices import Device
from .test_devices import device, meant, on_device, same_bits

__all__ = ["device"]

Body = Callable[[KernelBuilder, Value, Buffer, Buffer, Buffer], Value]
"""Writes what is stored to y for a counter, with x and y of f32; what it notes goes to an element of u32."""


def one(body: Body) -> Kernel:
    build = KernelBuilder("rare")
    x, y, noted = build.buffer(F32, "in"), build.buffer(F32, "inout"), build.buffer(U32, "inout")
    lower, upper = build.index(), build.index()
    with build.loop(lower, upper, kind="lanes") as (i,):
        build.store(y, i, body(build, i, x, y, noted))
    return build.finish()


def sine(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, noted: Buffer) -> Value:
    return build.emit("sin", (build.load(x, i),))


def two(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, noted: Buffer) -> Value:
    """Two branches, the second one's condition beside the first."""
    value = build.load(x, i)
    half = build.mul(value, build.constant(0.5, F32))
    for limit in (1e9, 2e9):
        (half,) = build.branch(
            build.emit("gt", (value, build.constant(limit, F32))),
            lambda half=half: (build.sub(half, build.constant(7.0, F32)),),  # type: ignore[misc]
            lambda half=half: (half,),  # type: ignore[misc]
            rare=True,
        )
    return half


def noting(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, noted: Buffer) -> Value:
    value = build.load(x, i)

    def note() -> tuple[Value, ...]:
        build.atomic("max", noted, build.constant(0), build.cast(build.cast(i, I32), U32))
        return ()

    build.branch(build.emit("gt", (value, build.constant(1e9, F32))), note, lambda: (), rare=True)
    return build.add(value, build.load(y, i))


def of_what_is_written(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, noted: Buffer) -> Value:
    """Its condition reads what the loop writes: it is not computed beforehand."""
    value = build.load(y, i)
    (result,) = build.branch(
        build.emit("gt", (value, build.constant(1e9, F32))),
        lambda: (build.load(x, i),),
        lambda: (value,),
        rare=True,
    )
    return result


BODIES: list[Body] = [sine, two, noting, of_what_is_written]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("huge", [(), (3,), (PIECE - 1, PIECE), (700,), range(PIECE, 2 * PIECE)], ids=str)
def test_whoever_branches(device: Device, body: Body, huge: tuple[int, ...]) -> None:
    x = np.linspace(-90, 90, 3 * PIECE, dtype=np.float32)
    x[list(huge)] = 3e9
    arrays = [x, x[::-1].copy(), np.zeros(1, np.uint32)]
    for lower, upper in ((0, x.size), (5, x.size - 9), (PIECE, PIECE + 1), (7, 7)):
        given = (arrays, [lower, upper])
        actual = on_device(device, one(body), *given, threads=1)
        for got, due in zip(actual, meant(device, one(body), *given), strict=True):
            same_bits(got, due)


@pytest.mark.parametrize("body", [sine, two, noting])
def test_pieces_without_branches(body: Body) -> None:
    """The second of three loops over a piece is free of the branches."""
    _outer, _conditions, free, whole = generate(one(body), OPENCL, threads=1).text.split("for (")[-4:]
    assert "if (" not in free and "if (" in whole


def test_conditions_that_cannot_be_known_before() -> None:
    assert generate(one(of_what_is_written), OPENCL, threads=1).text.count("for (") == 1
