"""Every numbered example runs in a process of its own, with an empty cache, and prints what it promises."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PROMISED: dict[str, tuple[str, ...]] = {
    "01_quickstart.py": (
        "ndarray float32 (1000001,)",
        "equal to NumPy: True",
        "kernels: 1",
        "compiled again for another size: 0",
    ),
    "02_lazy_tensors.py": (
        "kernels: 1",
        "[[0.09  0.245 0.665]\n [0.333 0.333 0.333]]",
        "every row sums to one: True",
        "largest: 0.665",
    ),
    "03_stencil_in_place.py": (
        "mean temperature: 11.54",
        "hot edge kept: True",
        "loop and single steps agree: True",
    ),
    "04_loops_on_values.py": (
        "steps of the loop: 17",
        "roots agree with NumPy's: True",
        "average at the ends of the half waves: [ 1.    -0.8    0.82  -0.818]",
        "largest jump: 2.0 -> 0.5",
    ),
    "05_image_filter.py": (
        "levels before: [ 25 225] after: 12",
        "every pixel counted: True",
        "mean grey kept: 125 -> 125",
        "as plain NumPy has it: True",
    ),
    "06_every_device.py": (
        "cpu (cpu): computed on cpu, differs by at most 0e+00",
        "the processor is among them: True",
        "all agree: True",
    ),
    "07_the_cache.py": (
        "first call: 1 compiled\nthe same again: 0 compiled\n",
        "another size: 0 compiled\nanother dtype: 1 compiled\n",
        "sqrt, 07_the_cache.py:",
        "sqrt: first time: the cache held no kernel like it",
        "of the same line",
        "every file whole: True",
    ),
    "10_choose_a_device.py": (
        "auto takes a device that is here: True",
        "it has room for 64 MiB: True",
        "cpu is here: ",
        "first of the program's order: cpu",
        "computed there: [3.0, 12.0]",
    ),
    "11_one_function_everywhere.py": (
        "cpu (cpu, ",
        "backends: cpu",
        "all agree: True",
    ),
    "08_raw_bytes.py": (
        "round trip: host -> cpu ->",
        "the same bytes: True",
        "moved within one buffer: True",
        "written through a part: jit!",
        "in the pool: 3000 bytes of 65536",
        "all given back: True",
    ),
    "09_tensors_between_devices.py": (
        "on cpu: rows have mean 0.000 and deviation 1.000",
        "as on the CPU alone: True",
        "too little: True",
        "enough: (500, 400)",
    ),
    "14_dask.py": (
        "2,097,152 points in 4 chunks",
        "Dask with NumPy\n  10005.644666 km",
        "Dask with jitframe\n  10005.644666 km",
    ),
    "12_profile.py": (
        "of peak",
        "every device is in it: True",
        "launches of each kernel: [3]",
        "rows of the trace: True",
    ),
    "13_kernel_by_hand.py": (
        "<kernel largest(x: in float32, largest: out float32, n: index), workgroups of 64>",
        "the interpreter agrees: True",
        "every backend agrees: True",
        "inside a jitted function: True",
    ),
    "15_transformer.py": (
        "4.9 million parameters on cpu",
        "traces: 2 for 49 calls",
        "the estimate is what was measured: True",
    ),
}


def run(script: Path, cache: Path) -> str:
    """What the script prints; fails with its error output when it fails or warns."""
    environment = os.environ | {
        "JITFRAME_CACHE_DIR": str(cache),
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "PYTHONWARNINGS": "error",
    }
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment, cwd=cache, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_numbered_example_is_listed() -> None:
    assert sorted(PROMISED) == sorted(path.name for path in EXAMPLES.glob("[0-9]*.py"))


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_example_prints_what_it_promises(name: str, tmp_path: Path) -> None:
    printed = run(EXAMPLES / name, tmp_path)
    for promise in PROMISED[name]:
        assert promise in printed


def test_example_prints_the_same_from_a_warm_cache(tmp_path: Path) -> None:
    script = EXAMPLES / "01_quickstart.py"
    assert run(script, tmp_path) == run(script, tmp_path)
