"""The languages that the shim runs, as the devices that the tests of generated sources take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jitframe.codegen.c_family import Dialect, Source
from jitframe.codegen.c_family.cuda import CUDA
from jitframe.codegen.c_family.hip import HIP
from jitframe.codegen.c_family.metal import METAL, METAL_3_2, with_simd_groups

from ..c_family.devices import Device
from .harness import Program, missing

DIALECTS: dict[str, Dialect] = {
    "cuda": CUDA,
    "hip": HIP,
    "metal": METAL,
    "metal, SIMD-groups": with_simd_groups(METAL),
}


def _device(language: str, dialect: Dialect) -> Device:
    def run(source: Source, arrays: Sequence[np.ndarray], block: bytes, groups: int) -> None:
        Program(language, [source]).run(source, arrays, block, groups)

    return Device(dialect, run, missing())


DEVICES = {name: _device(name, dialect) for name, dialect in DIALECTS.items()} | {
    "hip, 32 lanes": _device("hip, 32 lanes", HIP),
    "metal 3.2": _device("metal", METAL_3_2),
}
