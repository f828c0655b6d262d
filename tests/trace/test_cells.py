"""Aliasing and mutation: random programs of views, writes and returns on overlapping arrays equal NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import jitframe as jf
from jitframe.errors import AliasError
from tests.jit.interpreted import interpreted as interpreted

instructions = st.tuples(
    st.sampled_from(
        (
            "slice", "step", "reverse", "transpose", "reshape", "ravel", "index", "newaxis",
            "broadcast", "compute",
            "compute_two", "copy", "scalar", "set_number", "set_part", "add_in_place", "multiply_row",
            "assign",
            "assign_shifted", "set_scalar", "out",
        )
    ),
    *(st.integers(0, 40) for _ in range(4)),
)  # fmt: skip
programs = st.lists(instructions, min_size=1, max_size=12).map(tuple)


def part_of(array, first, second):
    """A slice on each axis, from numbers."""
    index = []
    for axis, extent in enumerate(array.shape):
        start = (first + axis * second) % (extent + 1)
        stop = start + (second + axis) % (extent + 1)
        index.append(slice(start, stop))
    return tuple(index)


def factors(size, number):
    """A shape of `size` elements."""
    divisors = [each for each in range(1, size + 1) if size % each == 0] or [0]
    first = divisors[number % len(divisors)]
    return (first, size // first if first else 0)


def execute(program, a, b, look=None):
    """Runs a program on two arrays, traced or not; everything it made is returned. `look` is given all arrays
    after each step."""
    arrays = [a, b]
    scalars = [1.5]
    for name, p, q, r, s in program:
        x = arrays[p % len(arrays)]
        y = arrays[q % len(arrays)]
        if name == "slice":
            arrays.append(x[part_of(x, r, s)])
        elif name == "step" and x.ndim:
            arrays.append(x[r % 2 :: 1 + s % 3])
        elif name == "reverse" and x.ndim:
            arrays.append(x[:: -1 - s % 2])
        elif name == "transpose":
            arrays.append(x.T)
        elif name == "reshape" and x.size:
            arrays.append(x.reshape(factors(x.size, r)))
        elif name == "ravel":
            arrays.append(x.ravel())
        elif name == "index" and x.ndim > 1 and x.shape[0]:
            arrays.append(x[r % x.shape[0]])
        elif name == "newaxis" and x.ndim < 4:
            arrays.append(x[:, None] if x.ndim else x[None])
        elif name == "broadcast" and x.ndim < 3:
            arrays.append(np.broadcast_to(x, (2, *x.shape)))
        elif name == "compute":
            arrays.append(x * 2 + scalars[q % len(scalars)])
        elif name == "compute_two" and x.shape == y.shape:
            arrays.append(x - y)
        elif name == "copy":
            arrays.append(x.copy())
        elif name == "scalar" and x.size:
            scalars.append(x[tuple(r % extent for extent in x.shape)])
        elif name == "set_number":
            x[...] = r
        elif name == "set_part":
            x[part_of(x, r, s)] = q
        elif name == "add_in_place":
            x += r
        elif name == "multiply_row" and x.ndim and x.shape[0]:
            x[r % x.shape[0]] *= 3
        elif name == "assign" and x.shape == y.shape:
            x[...] = y
        elif name == "assign_shifted" and x.ndim and x.shape[0]:
            x[1:] = x[:-1]
        elif name == "set_scalar" and x.size:
            x[tuple(r % extent for extent in x.shape)] = scalars[s % len(scalars)]
        elif name == "out" and x.shape == y.shape:
            np.add(x, y, out=x)
        if len(arrays) > 7:
            del arrays[2]
        if look is not None:
            look(arrays)
    return arrays, scalars


BASES = {
    "matrix": lambda: np.arange(24.0).reshape(4, 6),
    "fortran": lambda: np.asfortranarray(np.arange(20.0).reshape(4, 5)),
    "vector": lambda: np.arange(17.0),
    "cube": lambda: np.arange(24.0).reshape(2, 3, 4),
}
VIEWS = {
    "all": lambda x: x,
    "again": lambda x: x[...],
    "tail": lambda x: x[1:],
    "head": lambda x: x[:-1],
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1],
    "even": lambda x: x[::2],
    "odd": lambda x: x[1::2],
    "last axis": lambda x: x[..., 1:-1],
    "mirrored": lambda x: x[..., ::-1],
    "first": lambda x: x[:1],
    "flat": lambda x: x.reshape(-1),
    "row": lambda x: x[0] if x.ndim > 1 else x[:3],
    "read-only": lambda x: read_only(x),
    "other": lambda x: x.copy(),
}


def read_only(array):
    shown = array.view()
    shown.flags.writeable = False
    return shown


def arrays_of(base, first, second):
    memory = BASES[base]()
    return memory, VIEWS[first](memory), VIEWS[second](memory)


def outcome(function, a, b):
    try:
        return function(a, b)
    except AliasError as error:
        return error
    except ValueError as error:
        return error


def sharing(arrays):
    return [[np.shares_memory(x, y) for x in arrays] for y in arrays]


def check_program(program, base, first, second):
    memory, a, b = arrays_of(base, first, second)
    plain_memory, plain_a, plain_b = arrays_of(base, first, second)

    def function(a, b):
        return execute(program, a, b)

    expected = outcome(function, plain_a, plain_b)
    found = outcome(jf.jit(function), a, b)
    if isinstance(found, AliasError) and "overlap in memory" in found.message:
        # Only a view that no grid fits may be refused.
        assert "flat" in (first, second), found
        return
    if isinstance(expected, ValueError):
        assert isinstance(found, ValueError), found
        # NumPy stops midway, a jitted function before it writes anything.
        return
    assert not isinstance(found, ValueError), found
    np.testing.assert_array_equal(memory, plain_memory)
    np.testing.assert_array_equal(a, plain_a)
    np.testing.assert_array_equal(b, plain_b)
    for mine, its in zip(found[0], expected[0], strict=True):
        assert type(mine) is type(its) and mine.dtype == its.dtype and mine.shape == its.shape
        np.testing.assert_array_equal(mine, its)
    for mine, its in zip(found[1], expected[1], strict=True):
        assert type(mine) is type(its) and mine == its
    assert sharing([a, b, *found[0]]) == sharing([plain_a, plain_b, *expected[0]])
    assert [x is a for x in found[0]] == [x is plain_a for x in expected[0]]


def random_programs(examples):
    """So many programs for each base."""

    def decorated(test):
        drawn = given(
            program=programs, first=st.sampled_from(sorted(VIEWS)), second=st.sampled_from(sorted(VIEWS))
        )
        checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
        limits = settings(max_examples=examples, deadline=None, suppress_health_check=checks)
        return pytest.mark.parametrize("base", BASES)(limits(drawn(test)))

    return decorated


@random_programs(100)
def test_random_programs_equal_numpy(interpreted, strict, base, program, first, second):
    check_program(program, base, first, second)


@pytest.mark.more
@random_programs(400)
def test_many_random_programs_equal_numpy(interpreted, strict, base, program, first, second):
    """A sweep: the first set tries a quarter."""
    check_program(program, base, first, second)


def test_interpreted_programs_use_no_plan_that_was_made_before(request):
    def function(x):
        return x * 3 + 1

    x = np.arange(7.0)
    expected = jf.jit(function)(x)
    request.getfixturevalue("interpreted")
    again = jf.jit(function)
    np.testing.assert_array_equal(again(x), expected)
    assert again.stats()["kernels"] == 0


@pytest.mark.parametrize("base", BASES)
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.generate],  # each smaller program would be compiled
)
@given(program=programs, first=st.sampled_from(sorted(VIEWS)), second=st.sampled_from(sorted(VIEWS)))
def test_compiled_random_programs_equal_numpy(strict, base, program, first, second):
    check_program(program, base, first, second)


def test_overlap_is_part_of_the_signature():
    def function(x, y):
        x += y
        return x.sum()

    jitted = jf.jit(function)
    pairs = (("all", "other"), ("all", "all"), ("tail", "head"), ("all", "reversed"), ("head", "tail"))
    for first, second in pairs:
        for _ in range(2):
            _, a, b = arrays_of("vector", first, second)
            _, plain_a, plain_b = arrays_of("vector", first, second)
            if a.shape == b.shape:
                assert jitted(a, b) == function(plain_a, plain_b)
                np.testing.assert_array_equal(a, plain_a)
                np.testing.assert_array_equal(b, plain_b)
    # No overlap; the same array; one shifted either way; reversed.
    assert jitted.stats()["traces"] <= 10


def test_a_write_that_is_undone_is_seen_by_what_overlaps():
    def function(x, y):
        before = x.copy()
        x[...] = 5
        seen = y + 1
        x[...] = before
        return seen

    jitted = jf.jit(function)
    x = np.zeros(3)
    for _ in range(2):
        assert jitted(x, np.zeros(3)).tolist() == [1, 1, 1]
        assert jitted(x, x).tolist() == [6, 6, 6]
    assert x.tolist() == [0, 0, 0]


def test_arrays_of_one_memory_without_common_elements_need_no_copy():
    @jf.jit
    def function(even, odd):
        even += odd
        odd *= 2

    memory = np.arange(10.0)
    function(memory[::2], memory[1::2])
    np.testing.assert_array_equal(memory, [1, 2, 5, 6, 9, 10, 13, 14, 17, 18])


def test_bytes_of_another_dtype_are_refused_only_where_they_meet(strict):
    @jf.jit
    def function(x, y):
        x += 1
        return y + 1

    memory = np.zeros(8)
    with pytest.raises(AliasError, match="overlap in memory"):
        function(memory, memory.view(np.int64))
    function(memory[:4], memory.view(np.int64)[4:])
    assert memory.tolist() == [1, 1, 1, 1, 0, 0, 0, 0]


def test_strides_of_results_are_numpys():
    def function(x, y):
        return x + 1, x.T * 2, x + y, x.T + y.T, np.copy(x), x.copy(), x.astype(np.float32), np.zeros_like(x)

    for x, y in (
        (np.asfortranarray(np.ones((3, 4))), np.ones((3, 4))), (np.asfortranarray(np.ones((3, 4))),) * 2,
        (np.ones((2, 3, 4)).transpose(1, 2, 0), np.ones((3, 4, 1))),
    ):  # fmt: skip
        expected, found = function(x, y)[:7], jf.jit(function)(x, y)[:7]
        assert [each.strides for each in found] == [each.strides for each in expected]
