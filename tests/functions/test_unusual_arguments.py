"""Calls with arguments that few programs give: what NumPy makes of them."""

from __future__ import annotations

import pytest

from tests.functions import crawl, crawl_programs
from tests.functions.unusual_calls import CALLS, JITTED

UNUSUAL = (
    "np.full_like(A((3,), 'i4'), ((0,),))",
    "np.full_like(A((3,), '?'), 1 + 2j, np.int32)",
    "np.linalg.tensorsolve(A((0,), 'f4'), A((0,), 'f4'))",
    "np.linalg.multi_dot([A((), 'f8'), 1.5])",
    "np.linalg.multi_dot(iter([1, 2]))",
    "np.linalg.lstsq(A((2, 3), 'f8'), A((2, 3), 'f8'), rcond=(0,))",
    "np.broadcast_shapes(A((0,), 'i8'))",
    "np.broadcast_shapes((2, A((), 'i8')), 3)",
    "np.concatenate([A((3,), 'f8')], 0, np.zeros((2, 3)))",
    "np.concatenate({1: 2}, None)",
    "np.concatenate([1, 2], np.array([0, 1]))",
    "np.histogramdd([-1, 0], bins=3)",
    "np.histogram(A((3,), 'f8'), ())",
    "np.corrcoef(A((2, 0), 'u1'), A((2, 3), 'u1'), rowvar=0)",
    "np.frombuffer(A((3,), 'i8'), None, 1, 2)",
    "np.frombuffer(A((3,), 'i8'), 'i4', -1, 2)",
    "np.frombuffer(A((3,), 'i8'), '?', 25)",
    "np.digitize(A((3,), 'f8'), A((), 'f8'))",
    "np.digitize(A((3,), 'c8'), [0, 1])",
    "np.indices((2, 3), bool)",
    "np.indices(np.array(1))",
    "np.insert(A((3,), 'f8'), 1.5, 0)",
    "np.insert(A((2, 0), '?'), slice(1, 3), A((2, 0), 'f8'), None)",
    "np.fill_diagonal(A((2, 0), 'i4'), float('inf'))",
    "np.put(A((3,), 'i4'), [], float('nan'))",
    "np.choose(A((2, 3), 'i4'), {0, 1}, mode='clip')",
    "np.choose(1, [A((), 'f8'), 1.5], out=A((2, 3), 'f8'))",
    "np.logaddexp.at([A((3,), 'f8'), 1.0], 0, A((), 'f4'))",
    "np.logaddexp.at(A((3,), 'i4'), (1,), A((1,), 'f8'))",
    "np.add.at(A((3,), 'i4'), 1, 1.5)",
    "np.add.at(A((3,), 'i4'), np.float32, 1)",
    "np.logical_and.accumulate(A((3,), 'f8'), dtype='f4')",
    "np.logical_or.reduce(A((3,), 'f8'), dtype='f4')",
    "np.bitwise_not(-3, A((3,), 'f8'), dtype=np.int32)",
    "np.absolute(2**62, A((3,), 'f8'), dtype='f4')",
    "np.frexp(A((3,), 'f8'), out=...)",
    "np.diff(A((), 'f8'), n=0, prepend=A((), 'i4'))",
    "np.diff(A((2, 3), 'f8'), 0, 7)",
    "np.diff(A((), 'f8'), [None], append=1)",
    "np.bincount(A((0,), 'i8'), A((3,), 'f8'), 2)",
    "np.gradient(A((2, 3), 'i8'), (0, 1))",
    "np.gradient(A((), '?'), 1.0)",
    "np.gradient(A((3, 3), 'f8'), edge_order=-1)",
    "np.arange(1, 0, -(2**70), np.int32)",
    "np.kaiser(0, np.datetime64('2000-01-01'))",
    "np.kaiser(3, 1 + 2j)",
    "np.fft.fftn(A((2, 3), 'f8'), iter([1, 2]))",
    "np.fft.fftn(A((2, 3), 'f8'), 3)",
    "np.fft.fft2(A((2, 3), 'f8'), axes=3)",
    "np.fft.irfft(A((3,), 'f4'), 1, 0, None, A((3,), 'f8'))",
    "np.fft.rfftfreq(0, np.int64(1))",
    "np.fft.rfftfreq(0, 1)",
    "np.isin(A((3,), 'i4'), A((3,), 'i8'), kind=[None])",
    "np.einsum(b'i->i', A((3,), 'u1'))",
    "np.einsum(A((1,), 'i8'), (1.5,))",
    "np.fromiter(A((2,), '?'), None)",
    "np.append(A((), 'f4'), 1, np.dtype('i4'))",
    "np.lib.stride_tricks.as_strided(A((2, 3), 'f8'), (3,))",
    "np.fft.fftfreq(np.int64(1), 0)",
    "np.fft.fftfreq(True)",
    "np.absolute(5, dtype=bool)",
    "np.arccosh(-(2**70), A((), 'f8'), dtype='f4')",
    "np.insert(A((2, 0), 'f8'), 1 + 2j, A((2, 0), 'f8'), 0)",
    "np.maximum.reduceat(A((3, 3), 'f8'), A((2,), 'i8'), [A((2, 3), 'f8'), A((3,), 'f8')])",
    "np.maximum.reduce(A((2, 3), 'i8'), None, np.int32, None, initial=A((), 'f8'))",
    "np.array(A((2, 3), 'i8'), ndmax=1)",
    "np.array(A((2, 3), 'i8'), bool, ndmax=1)",
    "np.convolve(A((3,), 'f4'), A((3,), '?'))",
    "np.convolve(A((3,), 'f2'), A((2,), '?'), 'same')",
    "np.concatenate([A((), 'u1'), 1, 2], None, dtype='u1')",
    "np.arange(2**64, -1)",
    "np.einsum_path(A((1,), 'i4'), (A((3,), 'f8'), A((1,), 'f8')))",
    "np.isin(A((2, 0), 'f4'), A((2, 0), 'f8'), True, ())",
    "np.histogram2d(A((0,), 'i4'), A((0,), '?'), A((), 'i8'))",
    "np.linalg.matrix_rank(A((2, 0), 'u1'), [])",
    "np.linalg.matrix_rank(A((2, 0), 'f4'), [[1.0, 2.0], [3.0, 4.0]])",
    "np.linalg.pinv(A((2, 1, 3), 'f8'), 1 + 2j)",
    "np.linalg.matrix_rank(A((3, 3), 'i4'), 1 + 2j)",
    "np.histogram(A((3,), 'f8'), 3, np.ones(2, 'c8'))",
    "np.insert(A((1,), 'i8'), [0, 1], ((0,),))",
    "np.insert(A((2, 0), '?'), np.empty(2, object), 1)",
    "np.isclose(1 + 2j, A((2, 3), '?'), 3, 2)",
    "np.einsum_path(A((1,), 'u1'), A((3, 3), 'f8'))",
    "np.fft.irfftn(0)",
    "np.geomspace(float('nan'), -1, 4)",
    "np.geomspace(-2.0, A((), 'f8') - 16, 4)",
    "np.meshgrid(indexing=A((3,), 'i8'))",
    "np.linalg.norm(A((4, 2, 3), 'i4'), np.array([0, 1]))",
    "np.apply_over_axes((lambda *a: a[0]), A((0,), '?'), 2)",
    "np.insert(A((2, 3), 'f8'), -1, ((0,),))",
    "np.insert(A((2, 3), 'f8'), 1, A((2,), 'f8'), 1)",
    "np.logaddexp2.reduce(A((2, 3), 'u1'), None, 'f4', initial=1 + 2j)",
    "np.arange(2, 2, float('nan'))",
    "np.fmax.reduce(A((2, 3), 'i4'), -1, 'i8', initial=float('inf'))",
    "np.logaddexp2.reduce(A((2, 0), 'i4'), 0, float, None, True, None, A((1,), '?'))",
    "np.corrcoef(A((2, 0), 'i8'), rowvar=0, dtype=[0])",
    "np.corrcoef(None, A((3,), 'f8'))",
    "np.eye(2**62, 0, 3, bool)",
    "np.around(A((2, 3), 'i4'), 2**31)",
    "np.array(A((3,), 'f8'), ndmax=A((3,), 'i8'))",
    "np.logaddexp.reduce(A((1,), 'c8'))",
    "np.logspace(0, -1, 1, base=np.ones(2, 'c8'), axis=-1)",
    "np.logspace(3, 2, 5, base=1 + 2j)",
    "np.logspace(A((3,), 'f4'), 2, 5, base=np.float64(3))",
    "np.insert(A((2, 0), 'u1'), slice(1, 3), 'f4', 1)",
    "np.insert(A((0,), 'f4'), slice(1, 3), np.array([0, 1]))",
    "np.multiply(A((4, 2, 3), 'f8'), 1 + 2j, dtype=np.int32, casting='unsafe')",
    "np.less_equal.reduce(A((3, 3), 'u1'), 0, bool, initial=2**64)",
    "np.histogram(A((3,), 'f8'), range=(2**62, 2**62))",
    "np.histogram(A((3,), 'f8'), 8, (1.0, 1.0 + 2.0**-50))",
    "np.fmax.reduce(A((2, 0), 'i8'), 0, 'i8', initial=b'x')",
    "np.linalg.tensordot(A((3, 3), 'i4'), A((3, 3), 'f4'), axes=[A((2, 3), 'f8'), A((3,), 'f8')])",
)
"""Calls with arguments that few programs give: NumPy's results, and its errors."""


@pytest.mark.parametrize("call", [*UNUSUAL, *CALLS])
def test_unusual_arguments(call: str) -> None:
    assert [crawl.told(call, traced) for traced in (False, True)] == ["", ""]


@pytest.mark.parametrize("call", JITTED)
def test_arguments_in_jitted_functions(call: str) -> None:
    assert crawl_programs.judged(call).what == ""


@pytest.mark.parametrize("form", ["nested", "named"])
def test_functions_that_call_each_other_and_arguments_by_name(form: str) -> None:
    assert crawl_programs.judged(JITTED[-5], form=form).what == ""
