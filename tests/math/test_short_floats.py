"""f16 and bf16: every argument, computed in f32 and rounded once."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .compiled import UNARY, Variant, compiled, levels, variants
from .test_specials import bits

pytestmark = pytest.mark.skipif(not levels(), reason="vector levels are x86-64's")

SHORT = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("dtype", SHORT)
@pytest.mark.parametrize("name", UNARY)
def test_every_argument(name: str, dtype: str, variant: Variant) -> None:
    x = np.arange(1 << 16, dtype=np.uint16).view(SHORT[dtype])
    got = compiled(name, dtype, variant)(x)
    with np.errstate(all="ignore"):
        want = compiled(name, "f32", variant)(x.astype(np.float32)).astype(SHORT[dtype])
        assert (bits(got.astype(np.float32)) == bits(want.astype(np.float32))).all()
