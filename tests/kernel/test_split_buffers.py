"""Kernels with their buffers cut into pieces do what they did with whole ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.split_buffers import split_buffers
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from tests.c_family.kernels import awkward, several_outputs, softmax, transpose, workgroup_sum

from .strategies import EXTENT, arguments, kernels

PIECE_BYTES = 64

COUNT = """\
kernel count, workgroup 1
  buffers @0: in u8, @1: inout u32
  indices %0
  %1: index = constant 0
  %2: index = constant 1
  %3: u32 = constant 1
  for lanes %4 from %1 to %0 step %2:
    %5: u8 = load @0[%4]
    %6: index = cast %5
    %7: u32 = atomic @1[%6], %3 {kind='add', order='relaxed', scope='device'}
"""


def run_in_pieces(
    kernel: Kernel,
    arrays: Sequence[Any],
    indices: Sequence[int],
    scalars: Sequence[Any],
    groups: int,
    piece_bytes: int = PIECE_BYTES,
) -> None:
    """Run the kernel on copies of the arrays, whole and cut."""
    whole, parts = [array.copy() for array in arrays], [array.copy() for array in arrays]
    interpret(kernel, whole, indices, scalars, range(groups))
    counts = [max(-(-array.nbytes // piece_bytes), 1) for array in parts]
    cut = split_buffers(kernel, counts, piece_bytes)
    verify(cut, allow_fma=True)
    firsts, others = [], []
    for array in parts:
        extent = piece_bytes // array.itemsize
        pieces = [array[start : start + extent] for start in range(0, max(array.size, 1), extent)]
        firsts.append(pieces[0])
        others += pieces[1:]
    interpret(cut, [*firsts, *others], indices, scalars, range(groups))
    for expected, found in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(found.view(np.uint8), expected.view(np.uint8))


def test_kernels_of_every_kind() -> None:
    generator = np.random.default_rng(0)
    kernel, indices, groups = softmax(3, 17)
    x = generator.normal(size=51).astype(np.float32)
    run_in_pieces(kernel, [x, np.zeros_like(x)], indices, [], groups)
    x = awkward(generator, 103)
    outputs = [np.zeros(103, dtype) for dtype in (np.float32, np.bool_, np.int32, np.uint8)]
    run_in_pieces(several_outputs(), [x, *outputs], [50, 103], [1.5, -4], 3)
    x = awkward(generator, 18 * 20)
    run_in_pieces(transpose(), [x, np.zeros_like(x)], [18, 20, 2], [], 4, piece_bytes=256)
    run_in_pieces(workgroup_sum(), [x, np.zeros(6, np.float32)], [360], [], 6, piece_bytes=1024)


def test_atomics_find_their_piece() -> None:
    levels = np.random.default_rng(1).integers(0, 256, 1000).astype(np.uint8)
    run_in_pieces(parse_kernel(COUNT), [levels, np.zeros(256, np.uint32)], [1000], [], 1)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(kernels(), st.integers(0, 9))
def test_random_kernels(kernel: Kernel, seed: int) -> None:
    arrays, scalars = arguments(kernel, seed)
    run_in_pieces(kernel, arrays, [EXTENT], scalars, 1, piece_bytes=8)


def test_only_what_is_cut_changes() -> None:
    kernel = parse_kernel(COUNT)
    assert kernel_text(split_buffers(kernel, (1, 1), PIECE_BYTES)) == kernel_text(kernel)
    text = kernel_text(split_buffers(kernel, (3, 1), PIECE_BYTES))
    assert "buffers @0: in u8, @1: inout u32, @2: in u8, @3: in u8\n" in text
    assert text.count("load @") == 3 and text.count("atomic @") == 1


@pytest.mark.parametrize("counts", [(1,), (1, 1, 1)])
def test_every_buffer_has_its_count(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"zip\(\)"):
        split_buffers(parse_kernel(COUNT), counts, PIECE_BYTES)
