"""A nest of loops over scalars, elements and short rows is one kernel, which does what the loops mean."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.nodes import instructions_of
from jitframe.codegen.kernel.text import kernel_text
from tests.interrupts import run_and_interrupt
from tests.jit.nests import INTEGERS, NESTS, cholesky, eliminate, recursive_filter
from tests.jit.same import check
from tests.lower.programs import ready_of


def nests_of(function, *arguments):
    return list(ready_of(function, *copy.deepcopy(arguments)).template.lowered.nests.values())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", NESTS)
def test_floats(name, dtype):
    function, arguments = NESTS[name]
    given = arguments(dtype)
    check(function, *given)
    assert nests_of(function, *given) == [""]


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_and_scalars(name):
    function, given = INTEGERS[name]
    check(function, *given)
    assert nests_of(function, *given) == [""]


@pytest.mark.parametrize("name", NESTS)
def test_no_bit_differs(name):
    """But in sums of rows, whose order is that of any sum."""
    if name in ("row sums", "kalman"):
        pytest.skip("it has sums of rows")
    function, arguments = NESTS[name]
    given = arguments(np.float64)
    for ours, meant in zip(
        _leaves(jf.jit(function)(*copy.deepcopy(given))),
        _leaves(function(*copy.deepcopy(given))),
        strict=True,
    ):
        np.testing.assert_array_equal(ours, meant)


def _leaves(found):
    return found if isinstance(found, tuple) else (found,)


def test_nothing_runs_where_there_is_nothing():
    """Neither an iteration, nor what would be out of bounds in one."""
    check(recursive_filter, np.zeros(1))

    def far_away(x, n, k):
        def step(i, x):
            x[i] = x[k] + x[i + k]
            return x

        return jf.fori_loop(0, n, step, x)

    check(far_away, np.arange(5.0), 0, 1000)
    check(
        lambda x: jf.while_loop(
            lambda s: s[0] < 0, lambda s: (s[0] + x[100 + s[1]], s[1] + 1), (np.float64(1), 0)
        ),
        np.ones(3),
    )
    check(
        lambda x, i: jf.fori_loop(0, 2, lambda k, s: jf.cond(i < 3, lambda: x[i], lambda: s), np.float64(0)),
        np.ones(3),
        7,
    )


@pytest.mark.parametrize("position", [5, -6])
def test_what_is_out_of_bounds_is_an_error(position):
    def read(x, i):
        return jf.fori_loop(0, 3, lambda k, s: s + x[i], 0.0)

    def write(x, i):
        def step(k, x):
            x[i] = k
            return x

        return jf.fori_loop(0, 3, step, x)

    for function in (read, write):
        assert nests_of(function, np.ones(5), 0) == [""]
        with pytest.raises(IndexError, match=f"index {position} is out of bounds for axis 0 with size 5"):
            jf.jit(function)(np.ones(5), position)


def test_positions_count_from_the_end_where_they_are_negative():
    def step(i, x):
        x[-1 - i] = x[-i] + x[i - 3]
        return x

    check(lambda x: jf.fori_loop(0, 4, step, x), np.arange(5.0))


def test_arguments_stay_as_they_are():
    x = np.arange(9.0)
    jf.jit(NESTS["insertion sort"][0])(x)
    np.testing.assert_array_equal(x, np.arange(9.0))


def test_many_iterations_are_several_launches():
    """A kernel ends after so many, and goes on where it was."""

    def logistic(n):
        return jf.fori_loop(0, n, lambda i, x: 3.7 * x * (1 - x), 0.3)

    x, n = 0.3, (1 << 18) + 5
    for _ in range(n):
        x = 3.7 * x * (1 - x)
    assert jf.jit(logistic)(n) == x
    assert jf.jit(lambda n: jf.while_loop(lambda s: s < n, lambda s: s + 1, 0))(n) == n


def test_whole_arrays_stay_steps_of_a_plan():
    def stencil(u):
        def step(_, u):
            u[1:-1] = (u[2:] + u[:-2]) / 2
            return u

        return jf.fori_loop(0, 3, step, u)

    def mixed(u):
        """The loop inside is a nest of its own."""

        def step(_, u):
            u = u * 2

            def element(i, u):
                u[i] = u[i - 1] + 1
                return u

            return jf.fori_loop(0, 3, element, u)

        return jf.fori_loop(0, 3, step, u)

    check(stencil, np.arange(5000.0))
    check(mixed, np.arange(5000.0))
    (reason,) = nests_of(stencil, np.arange(5000.0))
    assert reason == "an iteration computes more than 64 elements of arrays"
    assert sorted(nests_of(mixed, np.arange(5000.0))) == [
        "",
        "an iteration computes more than 4096 elements of arrays",
    ]


def test_an_explanation_says_that_it_is_one_kernel():
    text = str(jf.jit(cholesky).explain(np.eye(3)))
    assert "kernel 0 loop_nest, the loop with all that is in it, by one thread" in text
    text = str(jf.jit(lambda x: jf.fori_loop(0, 3, lambda i, x: x[::-1] * 2, x)).explain(np.ones(5000)))
    assert "loop, around what stands below it (an iteration computes more than 64 elements of arrays)" in text


def test_an_endless_loop_is_interrupted():
    endless = jf.jit(lambda x: jf.while_loop(lambda s: s > 0, lambda s: s + 0 * s, x))
    assert endless(-1.0) == -1
    with pytest.raises(KeyboardInterrupt):
        run_and_interrupt(lambda: endless(1.0))


def kinds_of(function, *arguments):
    """The kinds of loops in a nest's kernel."""
    kernel = ready_of(function, *copy.deepcopy(arguments)).template.lowered.plan.kernels[-1]
    return [each.attributes["kind"] for each in instructions_of(kernel) if each.op.name == "for"]


def scaled_from(x, k, first):
    """Every element takes one that may be among those that change."""

    def step(i, x):
        x[i] = x[i] * 2 + x[k]
        return x

    return jf.fori_loop(first, x.shape[0], step, x)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8])
def test_independent_iterations_run_in_vectors(dtype):
    x = (np.arange(77) % 13).astype(dtype)
    for k in (0, 2, 3, 40, 76, -1, -77):
        check(scaled_from, x, k, 3)
    assert kinds_of(scaled_from, x, 0, 3).count("lanes") == 1
    jitted = jf.jit(eliminate)
    for n in (1, 15, 16, 17, 40):
        a = np.random.default_rng(n).random((n, n)) + 5 * np.eye(n)
        np.testing.assert_array_equal(jitted(a.copy()), eliminate(a.copy()))
    assert "lanes" in kinds_of(eliminate, np.eye(5))


@pytest.mark.parametrize("name", ["gauss seidel", "recursive filter", "insertion sort"])
def test_iterations_that_need_each_other_run_in_order(name):
    function, arguments = NESTS[name]
    assert "lanes" not in kinds_of(function, *arguments(np.float64))


@pytest.mark.parametrize("distance", [-3, -1, 1, 2])
def test_what_an_earlier_iteration_wrote_is_read(distance):
    def follow(x, n):
        def step(i, x):
            x[i] = x[i - distance] * 0.5 + x[i]
            return x

        return jf.fori_loop(0, n, step, x)

    def twice(x, n):
        """Of two writes in an iteration the last one is read by the next."""

        def step(i, x):
            x[i] = x[i - distance] + 1
            x[i + 1] = x[i] * 0.5
            return x

        return jf.fori_loop(3, n, step, x)

    for n in (0, 1, 20, 25):
        check(follow, np.arange(40.0), n)
        check(twice, np.arange(40.0), n)


def counted_modulo(x, turns):
    for i in range(turns):
        x[i * 2 % 5] = x[i * 2 % 5] + 1
    return x


def at_a_number_that_changes(x, turns):
    j = 0
    for i in range(turns):
        x[(i + j) % 5] = x[(i + j) % 5] * 2
        j = 7 - j
    return x


def beside_what_changes(x, turns):
    y = np.zeros(turns + 5)
    for i in range(turns):
        y[i + i % 2] = y[i + i % 2] + x[i % 5]
    return y


def at_looked_up_positions(x, turns):
    order = np.array([3, 0, 4, 1])
    for i in range(turns):
        x[order[i % 4]] = x[order[i % 4]] + i
    return x


@pytest.mark.parametrize(
    "function", [counted_modulo, at_a_number_that_changes, beside_what_changes, at_looked_up_positions]
)
def test_positions_that_move_by_more_than_the_counter(function):
    for turns in (0, 1, 3, 8, 700):
        check(function, np.arange(5.0), turns)


def test_positions_that_a_number_bounds():
    def ring(x, n, size):
        def step(i, state):
            x, s = state
            x[(i * 7) % size] = x[(i * 3) & 7] + 1
            return x, s + x[(i + 5) % size]

        return jf.fori_loop(0, n, step, (x, x[0] * 0))

    for size in (1, 5, 9):
        check(ring, np.arange(9.0), 30, size)
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 9"):
        jf.jit(ring)(np.arange(9.0), 20, 10)


def shortest(d):
    """Floyd-Warshall, with the write in a branch."""
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
    return d


def shifted_if(d, n):
    """What a branch writes lies beyond what is read, off the array in the last iteration of too many."""
    for j in range(n):
        if d[0, j] > 0.5:
            d[1, j - 2] = d[0, j]
            d[0, j + 1] += 1.0
    return d


def test_positions_in_branches_are_asked_for_once_where_they_are_read_outside():
    rng = np.random.default_rng(3)
    for n in (1, 2, 17):
        check(shortest, rng.random((n, n)))
    check(shortest, np.where(rng.random((9, 9)) > 0.6, np.nan, rng.random((9, 9))))
    (nest,) = ready_of(shortest, rng.random((5, 5))).template.lowered.plan.kernels
    unchecked = kernel_text(nest).split("else:")[0].rsplit("for serial", 1)[1]
    assert "store" in unchecked and "if " in unchecked and "atomic" not in unchecked
    # The others are checked, where they are reached.
    for n in (0, 3, 8):
        check(shifted_if, rng.random((2, 9)), n)
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 1 with size 9"):
        jf.jit(shifted_if)(np.ones((2, 9)), 9)
    found, wanted = np.zeros((2, 9)), np.zeros((2, 9))
    found[0, :8] = wanted[0, :8] = 1.0
    np.testing.assert_array_equal(jf.jit(shifted_if)(found, 8), shifted_if(wanted, 8))


def rows_of(a, b):
    """A product of matrices by elements: a row is an iteration."""

    def row(i, c):
        def column(j, c):
            c[i, j] = jf.fori_loop(0, b.shape[0], lambda k, s: s + a[i, k] * b[k, j], c[i, j])
            return c

        return jf.fori_loop(0, b.shape[1], column, c)

    return jf.fori_loop(0, a.shape[0], row, np.zeros((a.shape[0], b.shape[1]), a.dtype))


def escape_times(x, most):
    def point(i, counts):
        def step(state):
            z, count = state
            return z * z + x[i], count + 1

        counts[i] = jf.while_loop(lambda s: (s[0] < 2) & (s[1] < most), step, (x[i] * 0, 0))[1]
        return counts

    return jf.fori_loop(0, x.shape[0], point, np.zeros(x.shape[0], np.int64))


def moved(x, first, last, distance):
    """Positions that may count from the end, where two iterations have one."""

    def step(i, y):
        y[i + distance] = y[i + distance] * 2 + x[i]
        return y

    return jf.fori_loop(first, last, step, np.zeros_like(x))


def added_at(x, kernel):
    """Iterations that add to places of others."""

    def step(i, y):
        def tap(k, y):
            y[i + k] += x[i] * kernel[k]
            return y

        return jf.fori_loop(0, kernel.shape[0], tap, y)

    return jf.fori_loop(0, x.shape[0], step, np.zeros(x.shape[0] + kernel.shape[0], x.dtype))


def squares_by_way_of_scratch(x):
    def step(i, y):
        part = jf.fori_loop(0, 3, lambda k, p: _with(p, k, x[i] * k), np.zeros(3, x.dtype))
        y[i] = part[0] + part[2]
        return y

    return jf.fori_loop(0, x.shape[0], step, x * 0)


def _with(x, i, value):
    x[i] = value
    return x


def is_shared(function, *arguments):
    heading = str(jf.jit(function).explain(*copy.deepcopy(arguments)))
    assert "the loop with all that is in it, " in heading
    return "whose iterations threads share" in heading


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_threads_share_independent_iterations(dtype):
    values = np.random.default_rng(0)
    for n in (1, 5, 70):
        a, b = values.random((n, 5)).astype(dtype), values.random((5, 6)).astype(dtype)
        np.testing.assert_array_equal(jf.jit(rows_of)(a, b), rows_of(a, b))
        x = values.random(n).astype(dtype)
        check(escape_times, x, 50)
    assert is_shared(rows_of, a, b) and is_shared(escape_times, x, 50)
    sparse, given = NESTS["sparse times vector"]
    assert is_shared(sparse, *given(dtype))
    for bounds in ((0, 40, 0), (0, 35, 5), (5, 40, -5), (0, 40, -5), (-40, 40, 0), (30, 3, 0)):
        check(moved, values.random(40).astype(dtype), *bounds)
    assert is_shared(moved, values.random(40), 0, 40, 0)
    with pytest.raises(IndexError, match="index 40 is out of bounds"):
        jf.jit(moved)(np.ones(40), 0, 40, 1)


def test_iterations_that_are_not_independent_have_one_thread():
    x = np.arange(1.0, 30.0)
    check(added_at, x, x[:4])
    assert not is_shared(added_at, x, x[:4])
    for name in ("recursive filter", "gauss seidel", "insertion sort", "row sums", "old and new"):
        function, arguments = NESTS[name]
        assert not is_shared(function, *arguments(np.float64)), name


def test_threads_have_arrays_of_their_own():
    x = np.arange(1.0, 200.0)
    check(squares_by_way_of_scratch, x)
    assert is_shared(squares_by_way_of_scratch, x)


def test_a_loop_that_runs_off_an_array_ends():
    """In Python it raises; what is read in the place of what is not there could go on for ever."""

    def find(x, value):
        return jf.while_loop(lambda i: x[i] != value, lambda i: i + 1, 0)

    def find_in_each(x, value):
        return jf.fori_loop(
            0, 3, lambda k, s: s + jf.while_loop(lambda i: x[i] != value, lambda i: i + 1, k), 0
        )

    x = np.arange(1.0, 8.0)
    check(find, x, 5.0)
    check(find_in_each, x, 5.0)
    for function in (find, find_in_each):
        with pytest.raises(IndexError, match="out of bounds for axis 0 with size 7"):
            jf.jit(function)(x, -1.0)
