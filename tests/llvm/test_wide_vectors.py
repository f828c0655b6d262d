"""Code for AVX-512 gives NumPy's results on processors with AVX2, too."""

from __future__ import annotations

import pytest

from jitframe.runtime.cpu.kernels.target import processor_level
from tests.cache.faults import run_child

pytestmark = pytest.mark.more  # a process of its own, which compiles sorts of four dtypes


@pytest.mark.skipif(
    processor_level() not in ("avx2", "avx512"), reason="LLVM splits vectors into those of AVX2"
)
def test_results_are_numpys():
    run_child("from tests.llvm.wide_vectors import main; main()")
