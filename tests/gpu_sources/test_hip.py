"""HIP sources compile to code objects for two generations of GPUs; a square root is the nearest float."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from jitframe.codegen.c_family import CUDA, HIP

from ..shim.harness import compiler as cpp_compiler
from .compilers import compile_hip, hip_missing, in_one_file
from .kernels import kernels, source

TARGETS = [
    pytest.param("gfx90a", 64),
    pytest.param("gfx1030", 32),
    pytest.param("gfx90a", 32, marks=pytest.mark.slow),
    pytest.param("gfx1030", 64, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("target", "index_bits"), TARGETS)
def test_all_kernels_become_code_objects(target: str, index_bits: int) -> None:
    if hip_missing():
        pytest.skip(hip_missing())
    sources = [source(name, HIP, index_bits) for name in kernels()]
    code = compile_hip(in_one_file(sources), HIP.options, target)
    assert code[:4] == b"\x7fELF"
    for number, each in enumerate(sources):
        assert f"{each.entry}_{number}.kd".encode() in code, "each has its kernel descriptor"


def test_hip_is_cuda_but_for_a_few_fields() -> None:
    fields = [field for field in CUDA.__dataclass_fields__ if getattr(CUDA, field) != getattr(HIP, field)]
    assert len(fields) <= 14, fields


# Square roots ----------------------------------------------------------------------------------------
_HOST = """
#include <cstring>
#include <cmath>
#define __device__
#define __forceinline__ inline
static int wrong_by;
static float rough(float x) {{
  float root = std::sqrt(x);
  if (wrong_by && root > 0 && root < INFINITY) root = std::nextafter(root, wrong_by > 0 ? INFINITY : 0.0f);
  return root;
}}
static double rough(double x) {{
  double root = std::sqrt(x);
  if (wrong_by && root > 0 && root < INFINITY) root = std::nextafter(root, wrong_by > 0 ? INFINITY : 0.0);
  return root;
}}
#define sqrt rough
{body}
template <class T> static void all(const T *x, T *y, long long n) {{
  for (long long i = 0; i < n; ++i) y[i] = rounded_sqrt(x[i]);
}}
extern "C" void roots_f32(int by, const float *x, float *y, long long n) {{ wrong_by = by; all(x, y, n); }}
extern "C" void roots_f64(int by, const double *x, double *y, long long n) {{ wrong_by = by; all(x, y, n); }}
"""


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """HIP's own square root on this processor, over one that errs by an ulp, as the hardware's may."""
    if not cpp_compiler():
        pytest.skip("no clang++ (apt-get install clang-15)")
    folder: Path = tmp_path_factory.mktemp("roots")
    body = "\n".join((*HIP.header, *HIP.own["rounded_sqrt"]))
    (folder / "roots.cpp").write_text(_HOST.format(body=body))
    command = [cpp_compiler(), "-std=c++17", "-O2", "-ffp-contract=off", "-mfma", "-fPIC", "-shared"]
    subprocess.run([*command, "roots.cpp", "-o", "roots.so"], cwd=folder, check=True, capture_output=True)
    return ctypes.CDLL(str(folder / "roots.so"))


@pytest.mark.parametrize("by", [-1, 0, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_root_that_errs_by_an_ulp_becomes_the_nearest(roots: ctypes.CDLL, dtype: type, by: int) -> None:
    bits = np.dtype(dtype).itemsize * 8
    unsigned = np.dtype(f"u{bits // 8}")
    random = np.random.default_rng(9)
    anything = random.integers(0, 1 << (bits - 1), 300_000, unsigned, endpoint=True).view(dtype)
    # Squares of floats and of middles between them, where the choice is closest; subnormals; what is special.
    whole = random.integers(1 << (bits // 2 - 6), 1 << (bits // 2 - 4), 100_000).astype(dtype)
    near = np.concatenate([np.nextafter(whole * whole, to) for to in (dtype(0), dtype(np.inf))])
    tiny = random.integers(1, 1 << 20, 1000).astype(unsigned).view(dtype)
    special = np.array([0.0, -0.0, np.inf, np.nan, -1.0, 1.0, 4.0, np.finfo(dtype).max], dtype)
    x = np.concatenate([anything, whole * whole, near, tiny, special])
    y = np.empty_like(x)
    getattr(roots, f"roots_f{bits}")(by, x.ctypes.data_as(ctypes.c_void_p), y.ctypes.data_as(ctypes.c_void_p),
                                     ctypes.c_longlong(len(x)))  # fmt: skip
    with np.errstate(invalid="ignore"):
        wanted = np.sqrt(x)
    nan = np.isnan(wanted)
    np.testing.assert_array_equal(np.isnan(y), nan)
    np.testing.assert_array_equal(y[~nan].view(unsigned), wanted[~nan].view(unsigned))
