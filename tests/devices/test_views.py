"""Views of Tensors on a device: written through by lazy operations and by jitted functions."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import jitframe as jf
from tests.tensor.test_views import WRITABLE, check_jitted, look, outcome
from tests.trace.test_cells import VIEWS, programs

FEW = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],
)


@FEW
@given(program=programs, first=st.sampled_from(WRITABLE), second=st.sampled_from(WRITABLE))
def test_random_programs_equal_numpy(device: str, program, first, second) -> None:
    memory = np.arange(24.0, dtype=np.float32).reshape(4, 6)
    tensor = jf.asarray(memory, device=device)
    expected = outcome(program, VIEWS[first](memory), VIEWS[second](memory))
    found = outcome(program, VIEWS[first](tensor), VIEWS[second](tensor), look)
    assert (found is None) == (expected is None)
    for mine, its in zip(found or (), expected or (), strict=True):
        np.testing.assert_array_equal(mine, its)
    np.testing.assert_array_equal(tensor.numpy(), memory)


@FEW
@given(program=programs, first=st.sampled_from(WRITABLE))
def test_jitted_random_programs_equal_numpy(device: str, program, first) -> None:
    check_jitted(program, first, device)


def test_a_result_of_another_device_is_written_through_a_view(device: str) -> None:
    x = jf.asarray(np.zeros((2, 3), np.float32), device=device)
    row = x[1]
    np.add(jf.asarray(np.ones(3, np.float32)), 1, out=row)
    assert x.tolist() == [[0, 0, 0], [2, 2, 2]]
