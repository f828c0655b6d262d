"""Kernel text and LLVM IR of five programs, reviewed in diffs; JITFRAME_UPDATE_SNAPSHOTS=1 writes them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.plan.nodes import Plan
from jitframe.runtime.cpu.kernels.compiled_kernels import llvm_text
from jitframe.runtime.cpu.machine_code.levels import Target

from .programs import floats, heat, nearest, plan_of, plus, softmax, squared_differences

FOLDER = Path(__file__).parent / "snapshots"
# One triple on every machine: the text names it.
TARGET = Target("x86_64-unknown-linux-gnu", "x86-64-v3", "+avx2,+fma,+f16c,+bmi,+bmi2", "avx2")
PROGRAMS = {
    "plus": lambda: plan_of(plus, floats(30, 20), floats(30, 20)),
    "softmax": lambda: plan_of(softmax, floats(30, 200)),
    "nearest": lambda: plan_of(nearest, floats(30, 3), floats(200, 3)),
    "heat": lambda: plan_of(heat, floats(30, 200)),
    "squared_differences": lambda: plan_of(squared_differences, floats(100_000), floats(100_000)),
}


def kernels_of(plan: Plan) -> str:
    return "\n".join(map(kernel_text, plan.kernels))


def source_of(plan: Plan) -> str:
    return "\n".join(llvm_text(kernel, TARGET) for kernel in plan.kernels)


LEVELS = {"kernel": kernels_of, "ll": source_of}


@pytest.mark.parametrize("suffix", list(LEVELS))
@pytest.mark.parametrize("name", list(PROGRAMS))
def test_text_is_as_reviewed(name: str, suffix: str) -> None:
    path = FOLDER / f"{name}.{suffix}"
    text = LEVELS[suffix](PROGRAMS[name]())
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.exists(), f"{path.name} is missing; set JITFRAME_UPDATE_SNAPSHOTS=1 and review it"
    assert text == path.read_text()


def test_every_snapshot_is_of_a_program() -> None:
    expected = {f"{name}.{suffix}" for name in PROGRAMS for suffix in LEVELS}
    assert {path.name for path in FOLDER.iterdir()} == expected
