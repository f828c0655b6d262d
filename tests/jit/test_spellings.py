"""Ways to write things that NumPy programs use: each means, jitted and of Tensors, what it means in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError, UnsupportedError
from tests.conformance.devices import require
from tests.functions.compare import tensors
from tests.jit.same import assert_same, check

A = np.random.default_rng(0).normal(size=(4, 5)).astype(np.float32)
V = np.array([3.0, -1.5, 2.5, 0.25, -7.0], np.float32)
K = np.array([2, 0, 3], np.int32)


def both(function, *arguments):
    check(function, *arguments)
    expected = function(*arguments)
    found = function(*tensors(arguments))
    expected, found = (each if isinstance(each, tuple) else (each,) for each in (expected, found))
    assert_same([np.asarray(each) for each in found], [np.asarray(each) for each in expected])


def test_numbers_in_products_are_arrays():
    for function in (np.dot, np.inner, np.outer, np.kron, np.vdot):
        for number in (2, 2.5, True):
            x = V[:1] if function is np.vdot else V
            both(lambda v, f=function, n=number: f(v, n), x)
            both(lambda v, f=function, n=number: f(n, v), x)


def test_numbers_in_lists_are_not_weak():
    both(lambda v: np.array([[v[0], 1], [2, v[1]]]), V)
    both(lambda v: np.asarray([1.0, v[0]]), V)
    both(lambda v: np.array([v[0], v[1]]), V)
    both(lambda v: np.array([v, [1, 2, 3, 4, 5]]), V)
    both(lambda k: np.array([k[0], True]), K)


def test_powers_of_whole_numbers(strict):
    both(lambda k: k[0] * 2 ** np.arange(5), K)
    both(lambda k: (k[:, None] * 3) ** np.arange(1, 4)[::-1], K)
    both(lambda k: 2 ** (np.indices((2, 3))[1] * 2 + 1) * k, K)
    both(lambda k: 2 ** (k % 4) + (-2) ** (k & 3) + 2 ** (k.astype(np.uint8)).astype(np.int64), K)
    x = jf.asarray(K)
    assert (2**x).tolist() == [4, 1, 8] and (x ** np.array([0, 1, 2])).tolist() == [1, 0, 9]
    for refused in (lambda k: 2**k, lambda k: 2 ** (np.arange(3) - 1) * k, lambda k: 2 ** (k % -4)):
        with pytest.raises(UnsupportedError, match="as exponents of integers may hold negative ones"):
            jf.jit(refused)(K)
    with pytest.raises(UnsupportedError, match="may hold negative ones"):
        2 ** (x - 1)


def test_column_major_order():
    for shape in ((5, 4), (2, -1), (-1,), (2, 2, 5), (4, 5)):
        both(lambda a, s=shape: a.reshape(s, order="F"), A)
        both(lambda a, s=shape: np.reshape(a[:, ::-1].T, s, order="F") + 1, A)
    both(lambda a: (a.ravel(order="F"), a.T.ravel("F"), a.flatten("F"), np.ravel(a, "F"), a.T.ravel("A")), A)
    both(lambda a: (a.reshape(20, order="A"), a.T.reshape(20, order="A"), a[::2].reshape(10, order="A")), A)

    def written(a):
        a.T.reshape(-1, order="F")[3] = 9
        a.reshape(-1, order="F")[4] = 8  # of a copy
        return a

    both(written, A.copy())
    for order in ("K", "x"):
        with pytest.raises((ArgumentError, UnsupportedError), match="order"):
            jf.asarray(A).T.ravel(order=order)


def test_where_flat_positions_lie():
    both(lambda a: np.unravel_index(np.argmax(a), a.shape), A)
    both(lambda k: np.unravel_index(k, (2, 3)), K)
    both(lambda k: np.unravel_index(k, (2, 3, 4), order="F"), K)
    both(lambda a: a[np.unravel_index(a.argmin(), a.shape)], A)
    with pytest.raises(DTypeError, match="only int indices permitted"):
        np.unravel_index(jf.asarray(V), (2, 3))


def test_flat_positions_of_places():
    both(lambda a: np.ravel_multi_index(np.unravel_index(np.argmax(a), a.shape), a.shape), A)
    both(lambda k: np.ravel_multi_index((k % 2, k % 3), (2, 3)), K)
    both(lambda k: np.ravel_multi_index((k - 3, k, 1), (2, 3, 4), mode="wrap", order="F"), K)
    both(lambda k: np.ravel_multi_index((k - 3, k), (2, 3), mode=("clip", "wrap")), K)
    outside = jf.asarray(np.array([[1, 0], [0, 3]]))
    assert np.ravel_multi_index(outside, (2, 3)).tolist() == [3, 6]
    with pytest.raises(IndexError):
        np.take(jf.asarray(np.zeros(6)), np.ravel_multi_index(outside, (2, 3))).numpy()
    with pytest.raises(DTypeError, match="only int indices permitted"):
        np.ravel_multi_index((jf.asarray(V), 0), (2, 3))


def test_reductions_to_one_value_are_scalars():
    both(lambda v: (np.median(v), np.percentile(v, 30), np.quantile(v, 0.3), np.nanmedian(v)), V)
    made = jf.jit(lambda v: (np.median(v), np.nanpercentile(v, 30), np.percentile(v, [1, 2])))(V)
    assert [type(each) for each in made] == [np.float32, np.float32, np.ndarray]


def test_iterables_of_values():
    both(lambda v: (np.fromiter((e * 2 for e in v), float), np.fromiter(iter(v), np.float32, 3)), V)
    with pytest.raises(ValueError, match="iterator too short"):
        jf.jit(lambda v: np.fromiter(iter(v), float, 99))(V)


def test_brackets_that_join(strict):
    check(lambda v, a: (np.r_[v, v], np.r_[0, v], np.r_[v[::-1], 1.5, v], np.r_[v, 1:4, 0:1:3j]), V, A)
    check(lambda v, a: (np.c_[v, v], np.c_[a.T, v], np.c_[v, np.arange(5)]), V, A)
    with pytest.raises(UnsupportedError, match=r"np.r_..1,2,0., ...."):
        jf.jit(lambda v: np.r_["1,2,0", v])(V)


def test_rounded_to_a_python_number():
    check(lambda a: (round(a[0, 0]), round(a[0, 0], 2), round(a[1, 1] * 10) + 1), A)
    x = jf.asarray(V)
    assert round(x[2]) == 2 and type(round(x[2])) is int and float(round(x[3], 1)) == np.float32(0.2)
    with pytest.raises(DTypeError, match="doesn't define __round__ method; write np.round"):
        round(x)


def test_ranges_as_positions():
    both(lambda a: (a[range(2)], a[:, range(4, 0, -2)], a[range(2), range(1, 3)], a[range(0)]), A)


def test_logarithms_of_sums():
    for function in (np.logaddexp, np.logaddexp2):
        both(lambda a, f=function: (f.reduce(a), f.reduce(a * 100, axis=1, keepdims=True)), A)
        both(lambda a, f=function: f.reduce(np.array([-np.inf, -np.inf])) + f.reduce(a, axis=None), A)


def test_what_cannot_be_deleted():
    with pytest.raises(ArgumentError, match="cannot delete array elements; np.delete"):
        del jf.asarray(V)[0]


def test_whether_an_array_can_be_gone_through():
    assert jf.jit(lambda v: np.iterable(v))(V) is True
    assert np.iterable(jf.asarray(V)) and not np.iterable(jf.asarray(V)[0])


class Counter:
    def __init__(self):
        self.counts = np.zeros(5)

    @jf.jit
    def add(self, x):
        self.counts += x
        self.counts *= 2
        return self.counts.sum()

    @jf.jit
    def replace(self, x):
        self.counts = self.counts + x


def test_an_array_of_an_object_is_written_in_place():
    counter = Counter()
    held = counter.counts
    for expected in (2.0, 6.0, 14.0):
        assert counter.add(np.ones(5)) == 5 * expected
        assert counter.counts is held and held.tolist() == [expected] * 5
    counter.replace(np.ones(5))
    assert counter.counts.tolist() == [15.0] * 5 and held.tolist() == [14.0] * 5


def test_default_dtypes_of_positions_and_triangles_are_the_devices():
    name = require("webgpu").device.name
    x = np.array([2.0], np.float32)
    assert_same(jf.jit(lambda x: np.tri(3) * x, device=name)(x), np.tri(3, dtype=np.float32) * 2)
    assert_same(jf.jit(lambda x: np.indices((2, 2)) * x, device=name)(x), np.indices((2, 2), np.float32) * 2)


def test_methods_of_ufuncs_kept_under_a_name():
    largest, added, table, add_at = np.maximum.reduce, np.add.accumulate, np.multiply.outer, np.add.at

    def function(v, k):
        counts = np.zeros(5)
        add_at(counts, k, v[:3])
        return largest([v, -v]), added(v), table(v, v[:2]), counts

    both(function, V, K)


def test_a_tuple_is_an_index_for_each_axis_in_ufunc_at():
    def function(k, v):
        table, stack = np.zeros((5, 5)), np.zeros((4, 5, 6))
        np.add.at(table, (k, k[::-1]), 1)
        np.add.at(table, [k, k[::-1]], 1)  # rows
        np.add.at(stack, (slice(None), [k[0], k[1]], 2), v[0])
        np.maximum.at(stack, (slice(1, 3), k[:, None], k), v[:3])
        np.subtract.at(stack, (..., k), 2.0)
        return table, stack

    both(function, K, V)


def test_what_says_whether_arrays_are_equal_is_a_bool():
    def function(v, a):
        return np.allclose(v, v + 1e-9), np.array_equal(v, a), np.array_equiv(v, v), np.allclose(v, 0) + 1

    check(function, V, A)


def test_the_shape_of_an_array_is_set():
    def function(a):
        made, doubled = np.zeros((4, 5)), a * 2
        row = made[0]
        made.shape = 10, -1
        made[0, 1] = 7  # which the view sees
        doubled.shape = a.size
        doubled[1] += 1
        return made, row, doubled

    check(function, A)


@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_the_shape_of_an_argument_is_pythons_to_set(strict):
    def function(a):
        a.shape = -1
        a[0] = 9

    jitted, given = jf.jit(function), A.copy()
    with pytest.raises(UnsupportedError, match=r"the shape of the argument 'a' is set, .*reshape"):
        jitted(given)
    jf.settings.configure(strict=False)
    jitted(given)
    assert given.shape == (20,) and given[0] == 9


def test_a_type_of_numbers_is_equal_to_its_dtype():
    def told(x):
        kinds = (np.float32, np.float64, float, int, np.int64, bool)
        return x * sum(2**k for k, kind in enumerate(kinds) if kind == x.dtype or x.dtype.type == kind)

    def chosen(x):
        if x.dtype not in (np.float32, np.float64):
            raise TypeError("real numbers are expected")
        return x * 2 if x.dtype in [float, np.int32] else x * 3

    for dtype in (np.float32, np.float64, np.int64, bool):
        check(told, V.astype(dtype))
    for dtype in (np.float32, np.float64):
        check(chosen, V.astype(dtype))


def test_methods_read_from_their_class(strict):
    largest = np.ndarray.max
    for function in (
        lambda a: np.ndarray.sum(a, axis=1),
        lambda a: largest(a) + np.float32.sum(a[0, 0]),
        lambda a: list(map(np.ndarray.flatten, a.reshape(2, 2, 5))),
        lambda a: np.ndarray.__add__(a, 1),
        lambda a: sorted([a, a * 2, -a], key=np.ndarray.sum),
        lambda a: (np.ndarray.sort(a), a),
        lambda a: [float.is_integer(float(each)) for each in a[0]],
        lambda a: np.ndarray.copy(a[a > 0]),
        lambda a: (np.ndarray.sum is np.ndarray.sum, np.ndarray.sum == largest, largest.__name__),
    ):
        check(function, A)


def test_an_element_takes_no_array_with_axes(strict):
    """NumPy 2.4 has it so; a bool takes the truth of one element."""

    def at(index, value):
        def function(v, i, k):
            v[index(i)] = value(v, k)
            return v

        return function

    for value in (
        lambda v, k: np.ones(1),
        lambda v, k: v[k : k + 1] * 2,
        lambda v, k: [3.0],
        lambda v, k: v[:0],
    ):
        for index in (lambda i: 1, lambda i: i, lambda i: np.int64(0), lambda i: (i,), lambda i: np.array(0)):
            function = at(index, value)
            for call in (jf.jit(function), lambda *given: function(jf.asarray(given[0]), *given[1:])):  # noqa: B023
                with pytest.raises(ValueError, match="setting an array element with a sequence"):
                    call(V.copy(), 2, 1)
    for index in (lambda i: (i, ...), lambda i: (None, 0), lambda i: slice(0, 1), lambda i: np.array([0])):
        function = at(index, lambda v, k: v[k : k + 1])
        check(function, V.copy(), 2, 1)
        assert function(jf.asarray(V), 2, 1).tolist() == function(V.copy(), 2, 1).tolist()
    check(at(lambda i: i, lambda v, k: [True]), V > 0, 2, 1)
    check(at(lambda i: 1, lambda v, k: v[k] * 2), V.copy(), 2, 1)
