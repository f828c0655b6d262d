"""The LLVM text of a few kernels, reviewed in diffs. Set JITFRAME_UPDATE_SNAPSHOTS=1 to write them anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.ir.types import F16, F32, I32

from .llvm_harness import text_of
from .test_lanes import fused, long_chain, strided
from .test_lanes_branches import branches
from .test_reductions import reduction

FOLDER = Path(__file__).parent / "snapshots"


def short_floats() -> Kernel:
    build = KernelBuilder("short_floats")
    x, out, extent = build.buffer(F16, "in"), build.buffer(I32, "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        value = build.load(x, i)
        whole = build.cast(build.emit("floor", (build.add(value, value),)), I32)
        build.store(out, i, build.emit("floordiv", (whole, build.constant(3, I32))))
    return build.finish()


KERNELS: dict[str, Callable[[], Kernel]] = {
    "fused": lambda: fused(F32),
    "total": lambda: reduction(F32, "add", 0.0),
    "strided": lambda: strided(F32, "parameter"),
    "branches": branches,
    "short_floats": short_floats,
}


@pytest.mark.parametrize("level", ["sse2", "avx512"])
@pytest.mark.parametrize("name", list(KERNELS))
def test_text_is_as_reviewed(name: str, level: str) -> None:
    path = FOLDER / f"{name}.{level}.ll"
    text = text_of(KERNELS[name](), level)
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.exists(), f"{path.name} is missing; set JITFRAME_UPDATE_SNAPSHOTS=1 and review it"
    assert text == path.read_text()


def test_every_snapshot_is_of_a_kernel() -> None:
    expected = {f"{name}.{level}.ll" for name in KERNELS for level in ("sse2", "avx512")}
    assert {path.name for path in FOLDER.iterdir()} == expected


@pytest.mark.parametrize(("level", "lanes"), [("sse2", (4, 4)), ("avx2", (8, 8)), ("avx512", (16, 32))])
def test_long_formulas_have_two_registers_of_each_value(level: str, lanes: tuple[int, int]) -> None:
    for length, width in zip((20, 60), lanes, strict=True):
        text = text_of(long_chain(F32, False, length), level)
        assert f"fsub <{width} x float>" in text
        assert f"fsub <{2 * width} x float>" not in text
