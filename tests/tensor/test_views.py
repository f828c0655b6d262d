"""Views of Tensors: what is written to one shows in the others, as with NumPy's."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import jitframe as jf
from jitframe.errors import AliasError, ArgumentError, TraceError
from tests.trace.test_cells import BASES, VIEWS, execute, programs

WRITABLE = sorted(set(VIEWS) - {"read-only"})
QUICK = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],  # each smaller program would be compiled
)


def outcome(program, a, b, look=None):
    """Every array and number of a program as an ndarray; None where it is refused."""
    try:
        arrays, scalars = execute(program, a, b, look)
    except ValueError:
        return None
    return [np.asarray(each) for each in (*arrays, *scalars)]


def look(arrays):
    """Asks for the value of every other array: it is known then, and has to be forgotten by writes."""
    for each in arrays[::2]:
        np.asarray(each)


@pytest.mark.more
@pytest.mark.parametrize("looks", [False, True], ids=["at the end", "between"])
@pytest.mark.parametrize("base", BASES)
@QUICK
@given(program=programs, first=st.sampled_from(WRITABLE), second=st.sampled_from(WRITABLE))
def test_random_programs_equal_numpy(base, looks, program, first, second):
    memory = BASES[base]()
    tensor = jf.asarray(BASES[base]())
    if base == "fortran":  # a Tensor of an ndarray lies in C order
        memory = np.ascontiguousarray(memory)
    expected = outcome(program, VIEWS[first](memory), VIEWS[second](memory))
    found = outcome(program, VIEWS[first](tensor), VIEWS[second](tensor), look if looks else None)
    assert (found is None) == (expected is None)
    for mine, its in zip(found or (), expected or (), strict=True):
        assert mine.dtype == its.dtype and mine.shape == its.shape
        np.testing.assert_array_equal(mine, its)
    np.testing.assert_array_equal(tensor.numpy(), memory)


def check_jitted(program, first, device):
    """One argument; what is returned shares its memory where NumPy's does: a write afterwards shows it."""

    def function(a):
        arrays, scalars = execute(program, a, a)
        return arrays[1:], scalars

    memory = np.arange(24.0, dtype=np.float32).reshape(4, 6)
    tensor = jf.asarray(memory, device=device)
    a, x = VIEWS[first](memory), VIEWS[first](tensor)
    try:
        expected = function(a)
    except ValueError:
        with pytest.raises(ValueError):
            jf.jit(function)(x)
        return
    found = jf.jit(function)(x)
    for mine, its in zip(found[0], expected[0], strict=True):
        np.testing.assert_array_equal(mine.numpy(), its)
        if its.flags.writeable:
            its += 1
            mine += 1
    assert (found[0][0] is x) == (expected[0][0] is a)
    for mine, its in zip((*found[0], *found[1], tensor, x), (*expected[0], *expected[1], memory, a)):
        np.testing.assert_array_equal(np.asarray(mine), its)


@pytest.mark.more
@QUICK
@given(program=programs, first=st.sampled_from(WRITABLE))
def test_jitted_random_programs_equal_numpy(program, first):
    check_jitted(program, first, "cpu")


def test_a_write_through_a_view_of_a_view():
    x = jf.asarray(np.zeros((4, 5)))
    x[1:][x[1:] == 0] = 1
    x.T[0] = 2
    x.reshape(-1)[3] = 3
    for row in x:
        row -= row[0]
    part = x[1:3]
    column = part[:, 2]
    column[...] = 9
    expected = np.zeros((4, 5))
    expected[1:] = 1
    expected[:, 0] = 2
    expected[0, 3] = 3
    expected -= expected[:, :1].copy()
    expected[1:3, 2] = 9
    np.testing.assert_array_equal(x.numpy(), expected)
    assert column.base is x and part.base is x and x.base is None
    assert column.tolist() == [9, 9] and column.strides == expected[1:3, 2].strides


def test_bytes_seen_as_another_dtype():
    x = jf.asarray(np.array([1.0, -2.0], np.float32))
    bits = x.view(np.uint32)
    bits ^= np.uint32(1 << 31)
    assert x.tolist() == [-1, 2]


def test_copies_share_nothing():
    x = jf.asarray(np.arange(6.0).reshape(2, 3))
    copies = [x.copy(), x[[0]], x.T.reshape(-1), x[x > 1], x + 0, x.flatten(), x[::1].copy(), x.T.ravel()]
    before = [each.tolist() for each in copies]
    for each in copies:
        each[...] = -1
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert before == [[[0, 1, 2], [3, 4, 5]], [[0, 1, 2]], [0, 3, 1, 4, 2, 5], [2, 3, 4, 5],
                      [[0, 1, 2], [3, 4, 5]], [0, 1, 2, 3, 4, 5], [[0, 1, 2], [3, 4, 5]],
                      [0, 3, 1, 4, 2, 5]]  # fmt: skip


def test_scalars_do_not_change_in_place():
    x = jf.asarray(np.arange(3.0))
    total = best = x.sum()
    total += 5
    first = x[0]
    x[0] = 9
    first += 1
    assert float(best) == 3 and float(total) == 8 and float(first) == 1 and x.tolist() == [9, 1, 2]
    shown = x[0, ...]
    shown += 1
    assert x.tolist() == [10, 1, 2]


def at_computed_rows(x, k):
    row = x[k[0]]
    row += 1
    part = x[k[1], 1:]
    part *= 10
    old = x[k[2]]
    deep = old[1:][::-1]
    x[...] = x + 100
    x[k[0]] -= 5
    x[0, 0] = -1
    deep[0] = 7
    return x, old, row, part, deep, x[k[0], k[1]]


def test_rows_at_computed_positions_are_views():
    memory, positions = np.arange(12.0).reshape(3, 4), np.array([0, 2, 1])
    found = at_computed_rows(jf.asarray(memory), jf.asarray(positions))
    for mine, its in zip(found, at_computed_rows(memory, positions), strict=True):
        np.testing.assert_array_equal(mine.numpy(), its)
    assert found[1].base is found[0]


def test_read_only_views():
    x = jf.asarray(np.arange(3.0))
    wide = jf.broadcast_to(x, (2, 3))
    for write in (lambda: wide.__setitem__(0, 1), lambda: wide.fill(0), lambda: wide.__iadd__(1)):
        with pytest.raises(AliasError, match="read-only"):
            write()

    @jf.jit
    def function(y):
        y[0] = 1

    with pytest.raises(AliasError, match="read-only"):
        function(wide)


def test_a_jitted_function_writes_through_a_view():
    @jf.jit
    def function(part):
        part += 1

    x = jf.asarray(np.zeros((3, 4)))
    other = x[:, 1]
    function(x[1:, ::2])
    assert x.tolist() == [[0, 0, 0, 0], [1, 0, 1, 0], [1, 0, 1, 0]]
    function(other)
    assert x[:, 1].tolist() == other.tolist() == [1, 1, 1]


def test_arguments_that_share_memory():
    @jf.jit
    def function(x, y):
        x += 1
        return y * 1

    x = jf.asarray(np.zeros(4))
    for first, second in ((x, x), (x[1:], x[:-1]), (x, x[:1])):
        with pytest.raises(AliasError) as caught:
            function(first, second)
        assert caught.value.message == (
            "'x' is written to, and shows the same memory as 'y': a write to one would have to show in the "
            "other. Pass a copy of one, x.copy(), or the whole array, and write to slices of it inside the "
            "function"
        )
    assert x.tolist() == [0, 0, 0, 0]
    assert function(x[1:], x[:-1].copy()).tolist() == [0, 0, 0] and x.tolist() == [0, 1, 1, 1]
    assert jf.jit(lambda x, y: x + y)(x, x[:1]).tolist() == [0, 1, 1, 1]


def test_a_tensor_that_a_function_reads_is_not_written_while_it_is_traced():
    seen = jf.zeros(3)

    @jf.jit
    def function(x):
        seen[0] = 5
        return x + seen

    with pytest.raises(TraceError, match="function writes to a jf.Tensor float64.3. that it was not given"):
        function(np.ones(3))
    assert seen.tolist() == [0, 0, 0]


def test_donated_memory_has_no_views():
    @jf.jit(donate="x")
    def function(x):
        x += 1
        return x

    x = jf.asarray(np.zeros(3))
    part = x[1:]
    assert function(x).tolist() == [1, 1, 1]
    for gone in (x, part):
        with pytest.raises(ArgumentError, match="given away"):
            gone + 1


def test_many_views_are_not_kept():
    x = jf.asarray(np.arange(1000.0))
    for position in range(1000):
        x[position : position + 1]
    assert len(x._views) < 300
    part = x[1:]
    gone = weakref.ref(part)
    del part
    gc.collect()
    assert gone() is None


def test_a_view_keeps_its_base():
    part = jf.asarray(np.arange(4.0))[1:]
    assert part.base.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "uint8", "bool", "complex128"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_what_is_written_to_known_arrays_is_numpys(dtype, order):
    """Numbers and known tensors, into arrays whose value is known and which views and programs hold."""
    plain = np.asarray(np.arange(24).reshape(4, 6) % 7, dtype, order)
    x = jf.asarray(plain)
    before, row, doubled = x.copy(), x[1], x + x
    kept = plain.copy()
    numbers = (1, True) if dtype != "bool" else (True, False)
    for place, value in enumerate((*numbers, *((2.75, 300.5) if plain.dtype.kind in "fc" else ()))):
        for array in (x, plain):
            array[place, place + 1] = value
            array[2, 1:4] = value
            array[-1] = array[0]
            array[..., 5] = value
    np.testing.assert_array_equal(x.numpy(), plain)
    np.testing.assert_array_equal(row.numpy(), plain[1])
    np.testing.assert_array_equal(before.numpy(), kept)
    np.testing.assert_array_equal(doubled.numpy(), kept + kept)
    assert x.numpy().dtype == plain.dtype


def test_writes_to_known_arrays_raise_as_others_do():
    x = jf.asarray(np.zeros((2, 3), np.uint8))
    with pytest.raises(OverflowError):
        x[0, 0] = 300
    with pytest.raises(IndexError):
        x[2, 0] = 1
    x[0, 1] = 7.9
    y = jf.asarray(np.arange(3.0))
    with pytest.raises(ValueError):
        x[:, :2] = y
    assert x.numpy().tolist() == [[0, 7, 0], [0, 0, 0]]


def test_a_loop_that_stores_and_looks_at_elements_makes_no_program_of_each():
    x = jf.asarray(np.zeros((8, 8)))
    x.numpy()
    for i in range(8):
        for j in range(8):
            x[i, j] = float(i * j)
            if x[i, j] > 3:
                x[j, i] = 1.0
            assert x._pending is None
