"""The CUDA C++, HIP C++, OpenCL C, MSL and WGSL of a few kernels, reviewed in diffs.

JITFRAME_UPDATE_SNAPSHOTS=1 writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jitframe.codegen.c_family import CUDA, HIP, METAL, OPENCL, WGSL, Dialect, generate

from .kernels import KERNELS, softmax

FOLDER = Path(__file__).parent / "snapshots"
SUFFIXES = {"cl": OPENCL, "cu": CUDA, "hip": HIP, "metal": METAL, "wgsl": WGSL}
CASES = {
    f"{name}.{suffix}": (name, dialect, 64) for name in KERNELS for suffix, dialect in SUFFIXES.items()
} | {f"softmax_{threads}.wgsl": ("softmax", WGSL, threads) for threads in (1, 32)}


@pytest.mark.parametrize("file", list(CASES))
def test_text_is_as_reviewed(file: str) -> None:
    name, dialect, threads = CASES[file]
    text = text_of(name, dialect, threads)
    path = FOLDER / file
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.exists(), f"{path.name} is missing; set JITFRAME_UPDATE_SNAPSHOTS=1 and review it"
    assert text == path.read_text()


def text_of(name: str, dialect: Dialect, threads: int) -> str:
    return generate(KERNELS[name](), dialect, threads=threads).text


def test_every_snapshot_is_of_a_kernel() -> None:
    assert {path.name for path in FOLDER.iterdir()} == CASES.keys()


def test_no_size_of_the_graph_stands_in_a_source() -> None:
    for dialect in SUFFIXES.values():
        texts = {generate(softmax(*shape)[0], dialect, threads=32).text for shape in ((5, 37), (3, 300))}
        assert len(texts) == 1
