"""Numbers in sources are exact: read back, they have the bits that were meant."""

from __future__ import annotations

import re
import struct

import numpy as np
import pytest

from jitframe.codegen.c_family import OPENCL, WGSL, Dialect
from jitframe.codegen.c_family.literals import literal
from jitframe.ir.types import BOOL, F32, F64, I8, I32, I64, INDEX, U32, DType


def read(text: str) -> float:
    """A float literal or the bits in one, as a compiler reads it."""
    bits = re.search(r"0x([0-9a-f]{8}|[0-9a-f]{16})(u|uL)\)", text)
    if bits:
        word = bytes.fromhex(bits[1])
        return struct.unpack(">f" if len(word) == 4 else ">d", word)[0]
    number = re.fullmatch(r"\(?(-?)(.*?)f?\)?", text)
    assert number
    value = float.fromhex(number[2]) if number[2].startswith("0x") else float(number[2])
    return -value if number[1] else value


@pytest.mark.parametrize(("dialect", "dtype"), [(OPENCL, F32), (OPENCL, F64), (WGSL, F32)])
def test_floats(dialect: Dialect, dtype: DType) -> None:
    size = dtype.itemsize
    random = np.random.default_rng(8).integers(0, 256, (2000, size), np.uint8).view(f"f{size}").ravel()
    special = [0.0, -0.0, 0.1, -1.5, 1e-45, 5e-324, 3.4e38, np.inf, -np.inf, np.nan, 1048575.5, 2.0**60]
    values = np.concatenate([random[~np.isnan(random)], np.array(special, dtype.numpy_name)])
    for value in values:
        text = literal(dialect, dtype, float(value), 32)
        again = np.dtype(dtype.numpy_name).type(read(text))
        assert again.tobytes() == value.tobytes() or (np.isnan(again) and np.isnan(value)), text


def test_spellings() -> None:
    spelled = [
        literal(dialect, dtype, value, bits)
        for dialect, bits in ((OPENCL, 64), (WGSL, 32))
        for dtype, value in ((F32, 0.5), (F32, -0.1), (I32, -(1 << 31)), (U32, 7), (BOOL, True), (INDEX, -3))
    ]
    assert spelled == [
        *("0.5f", "(-0x1.99999ap-4f)", "(-2147483647 - 1)", "7u", "true", "(-3L)"),
        *("0.5f", "(-0x1.99999ap-4f)", "i32(-2147483648)", "7u", "true", "(-3i)"),
    ]
    assert literal(OPENCL, I64, -(1 << 63), 64) == "(-9223372036854775807L - 1)"
    assert literal(OPENCL, I8, -128, 64) == "((char)-128)"
    assert literal(WGSL, I8, -128, 32) == "(-128i)"
