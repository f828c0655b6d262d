"""The jitted callable: signatures, native calls, sizes, threads, methods, Tensors."""

from __future__ import annotations

import functools
import gc
import inspect
import threading
import weakref
from typing import NamedTuple

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError
from tests.jit.same import assert_same, check
from tests.threads import at_once


def chain(a, b, c, d):
    return np.sqrt(np.abs(a * b + c)) + np.sin(d) * a - b / (c * c + 1)


def arrays(count, size, dtype=np.float32):
    generator = np.random.default_rng(size)
    return [generator.random(size).astype(dtype) for _ in range(count)]


def test_third_call_is_native():
    jitted = jf.jit(chain)
    for _ in range(5):
        given = arrays(4, 100)
        assert_same(jitted(*given), chain(*given), 1e-6)
    stats = jitted.stats()
    assert stats.pop("seconds") > 0 and stats.pop("compiled") <= stats.pop("kernels") == 1
    assert stats == {
        "traces": 1, "signatures": 1, "native_calls": 3, "python_calls": 2, "interpreted": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda x: x + 1, arrays(1, 16)),
        (lambda x, t: x * t, [arrays(1, 16)[0], 2.5]),
        (lambda x, n: x * n, [arrays(1, 16)[0], 3]),
        (lambda x, flag: np.where(flag, x, -x), [arrays(1, 16)[0], True]),
        (lambda x, name: x + len(name), [arrays(1, 16)[0], "four"]),
        (lambda x: (x + 1, x * 2), arrays(1, 16)),
        (lambda x: (x, x * 2), arrays(1, 16)),
        (lambda x: x.sum(), arrays(1, 16)),
        (lambda x: (x * 2).reshape(4, 4).T + 1, arrays(1, 16)),
        (lambda x, axis=None: x.max(axis=axis), arrays(1, 16)),
    ],
    ids=["array", "float", "int", "bool", "static", "tuple", "argument", "scalar", "fortran", "default"],
)
def test_native_calls_give_what_the_first_gave(function, arguments):
    jitted = jf.jit(function)
    first = jitted(*arguments)
    second = jitted(*arguments)
    third = jitted(*arguments)
    for each in (first, second, third):
        assert_same(each, function(*arguments))
    assert jitted.stats()["native_calls"] == 1
    if isinstance(first, np.ndarray):
        assert first.strides == second.strides == function(*arguments).strides
        assert second.flags.owndata and second.flags.writeable


def test_numbers_are_read_at_each_call():
    jitted = jf.jit(lambda x, t, n: x * t + n)
    x = np.ones(4)
    for t, n in ((1.5, 2), (-3.0, 7), (0.0, -(2**30))):
        assert_same(jitted(x, t, n), x * t + n)
    assert jitted.stats()["traces"] == 1
    for n in (2**31, -(2**40)):  # of which a program knows less
        assert_same(jitted(x, 2.0, n), x * 2.0 + n)
    assert jitted.stats()["traces"] == 2


def test_booleans_are_read_at_each_call():
    jitted = jf.jit(lambda x, flag: np.where(flag, x, -x))
    x = np.ones(4)
    for flag in (True, False, True, False):
        assert_same(jitted(x, flag), x if flag else -x)
    assert jitted.stats()["traces"] == 1


def test_python_numbers_are_weak_and_numpy_scalars_are_not():
    x = np.ones(3, np.float32)
    check(lambda x, t: x * t, x, 2.5)
    check(lambda x, t: x * t, x, np.float64(2.5))
    check(lambda x, t: x * t, x, np.float32(2.5))
    check(lambda x, n: x + n, np.arange(3, dtype=np.uint8), 200)
    check(lambda t, n: (t * 2, n // 2, t > n), 2.5, 7)


def test_integers_that_do_not_fit_raise_as_in_numpy():
    jitted = jf.jit(lambda x, n: x + n)
    x = np.zeros(3, np.uint8)
    assert_same(jitted(x, 3), x + 3)
    assert_same(jitted(x, 255), x + 255)
    for number in (256, -1):
        with pytest.raises(OverflowError, match=f"Python integer {number} out of bounds for uint8"):
            jitted(x, number)
    assert jf.jit(lambda n: n + 1)(2**63) == 2**63 + 1  # by Python


def test_a_new_size_compiles_nothing():
    jitted = jf.jit(chain)
    jitted(*arrays(4, 100))
    before = jf.cache.stats()["compiled"]
    for size in (101, 1000, 4097, 64, 33):
        given = arrays(4, size)
        assert_same(jitted(*given), chain(*given), 1e-6)
    assert jitted.stats()["traces"] == 6
    assert jf.cache.stats()["compiled"] == before


def test_keywords_defaults_and_positions_are_one_signature():
    def function(x, /, y, *, z=2.0):
        return x * y + z

    jitted = jf.jit(function)
    x, y = arrays(2, 5)
    assert_same(jitted(x, y), function(x, y))
    assert_same(jitted(x, y=y), function(x, y=y))
    assert jitted.stats()["traces"] == 1
    assert_same(jitted(x, y, z=3.0), function(x, y, z=3.0))
    assert_same(jitted(x, z=4.0, y=y), function(x, y, z=4.0))
    assert jitted.stats()["traces"] == 2


def test_missing_arguments_are_pythons_errors():
    def function(x, y):
        return x + y

    with pytest.raises(TypeError, match=r"function\(\) missing 1 required positional argument: 'y'"):
        jf.jit(function)(np.ones(3))
    with pytest.raises(TypeError, match=r"function\(\) got an unexpected keyword argument 'z'"):
        jf.jit(function)(np.ones(3), 2, z=1)


def test_static_arguments():
    def repeated(x, n, how="add"):
        for _ in range(n):
            x = x + 1 if how == "add" else x * 2
        return x

    jitted = jf.jit(repeated, static_argnames=("n", "how"))
    x = np.ones(3)
    for n, how in ((2, "add"), (2, "double"), (3, "add"), (2, "add")):
        assert_same(jitted(x, n, how), repeated(x, n, how))
        assert_same(jitted(x, n=n, how=how), repeated(x, n, how))
    assert jitted.stats()["traces"] == 3
    by_number = jf.jit(repeated, static_argnums=(1, -1))
    assert_same(by_number(x, 2, "double"), x * 4)
    assert_same(jf.jit(static_argnums=1)(repeated)(x, 3), x + 3)


def test_static_arguments_that_are_equal_but_differ():
    jitted = jf.jit(lambda x, n: x * n / 3, static_argnames="n")
    x = np.array([7])
    assert_same(
        [jitted(x, n) for n in (2, 2.0, True, 0.0, -0.0)], [x * n / 3 for n in (2, 2.0, True, 0.0, -0.0)]
    )
    assert jitted.stats()["traces"] == 5


class Point(NamedTuple):
    x: np.ndarray
    y: np.ndarray


def test_nested_arguments_and_results():
    def function(parameters, points, pair):
        first, (second, factor) = pair
        moved = [Point(p.x + parameters["shift"], p.y * parameters["scale"][0]) for p in points]
        return {"moved": moved, "sum": first + second * factor, "none": None}

    x = np.arange(3.0)
    check(function, {"shift": 1.5, "scale": [x]}, [Point(x, x + 1), Point(x * 2, x)], (x, (x, 2)))


def test_functions_and_objects_as_arguments():
    def apply(function, x):
        return function(x) + 1

    jitted = jf.jit(apply)
    x = np.ones(3)
    assert_same(jitted(np.sin, x), np.sin(x) + 1)
    assert_same(jitted(np.cos, x), np.cos(x) + 1)
    double = functools.partial(np.multiply, 2)
    assert_same(jitted(double, x), x * 2 + 1)

    class Scale:
        def __init__(self, factor):
            self.factor = factor

        def __call__(self, x):
            return x * self.factor

    scale = Scale(3.0)
    assert_same(jitted(scale, x), x * 3 + 1)
    scale.factor = 4.0
    assert_same(jitted(scale, x), x * 4 + 1)


class Model:
    def __init__(self, weight):
        self.weight = weight

    @jf.jit
    def predict(self, x):
        return x * self.weight

    @staticmethod
    @jf.jit
    def double(x):
        return x * 2

    @classmethod
    @jf.jit
    def name(cls, x):
        return x, cls.__name__


def test_methods():
    x = np.ones(3)
    two, three = Model(2.0), Model(np.full(3, 3.0))
    for _ in range(4):
        assert_same(two.predict(x), x * 2)
        assert_same(three.predict(x), x * 3)
        assert_same(Model.double(x), x * 2)
    assert Model.name(x)[1] == "Model"
    two.weight = 5.0
    assert_same(two.predict(x), x * 5)
    assert Model.predict.stats()["native_calls"] >= 3
    assert Model.predict(two, x)[0] == 5


def test_metadata_is_the_functions():
    def documented(x, y=1):
        """What it does."""
        return x

    documented.mark = "kept"
    jitted = jf.jit(documented)
    assert (jitted.__name__, jitted.__doc__, jitted.__module__) == ("documented", "What it does.", __name__)
    assert jitted.__wrapped__ is documented and jitted.mark == "kept"
    assert str(inspect.signature(jitted)) == "(x, y=1)"
    assert jf.jit(jitted).__wrapped__ is documented
    assert isinstance(jitted, jf.JittedFunction) and repr(jitted) == "<jitted documented>"


def test_what_is_jitted_again_keeps_what_was_chosen():
    def powers(x, n, out=None):
        return np.stack([x**k for k in range(n)])

    x = np.arange(3.0)
    again = jf.jit(jf.jit(powers, static_argnums=1, fastmath=True))
    np.testing.assert_array_equal(again(x, 3), powers(x, 3))
    named = jf.jit(jf.jit(powers, static_argnums=2), static_argnames="n")
    np.testing.assert_array_equal(named(x, 2), powers(x, 2))
    given = jf.asarray(np.ones(4))
    jf.jit(jf.jit(lambda t: t + 1, donate=0))(given)
    with pytest.raises(ArgumentError, match="given away"):
        given + 1


def test_jitted_functions_call_each_other():
    inner = jf.jit(lambda x: x * 2)
    outer = jf.jit(lambda x: inner(x) + inner(x + 1))
    x = np.ones(3)
    assert_same(outer(x), x * 2 + (x + 1) * 2)
    assert inner.stats()["traces"] == 0
    mapped = jf.jit(lambda x: functools.reduce(lambda a, b: a + b, map(inner, [x, x])))
    assert_same(mapped(x), x * 4)


def test_fresh_results_each_call():
    jitted = jf.jit(lambda x: (x + 1, np.zeros(3), np.arange(3)))
    x = np.ones(3)
    first, second = jitted(x), jitted(x)
    for one, other in zip(first, second, strict=True):
        assert not np.shares_memory(one, other)
        one[...] = 9
    assert_same(jitted(x), (x + 1, np.zeros(3), np.arange(3)))


def test_views_of_arguments_are_returned_as_views():
    def function(x):
        return x, x[1:], x[::-1], x.T

    x = np.arange(4.0)
    same, tail, mirrored, transposed = jf.jit(function)(x)
    assert same is x and np.shares_memory(tail, x) and np.shares_memory(mirrored, x) and transposed is not x
    x[3] = 9
    assert tail[2] == mirrored[0] == 9


def test_results_that_alias_each_other():
    def function(x):
        y = x * 2
        return y, y[1:], y

    y, tail, again = jf.jit(function)(np.arange(4.0))
    assert again is y and np.shares_memory(y, tail)
    tail[0] = -1
    assert y[1] == -1


def test_written_argument_of_any_layout():
    def function(x):
        x[1:] = x[:-1] * 2
        return x.sum()

    for layout in (
        lambda: np.arange(12.0).reshape(3, 4), lambda: np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        lambda: np.arange(24.0).reshape(3, 8)[:, ::2], lambda: np.arange(12.0).reshape(3, 4)[::-1],
    ):  # fmt: skip
        mine, its = layout(), layout()
        jitted = jf.jit(function)
        for _ in range(2):
            assert_same(jitted(mine), function(its))
        np.testing.assert_array_equal(mine, its)


def test_unaligned_and_foreign_memory():
    raw = np.zeros(4 * 8 + 1, np.uint8)
    x = raw[1:].view(np.float64)
    x[...] = [1, 2, 3, 4]
    assert not x.flags.aligned
    jitted = jf.jit(lambda x: x * 2)
    assert_same(jitted(x), np.array([2.0, 4.0, 6.0, 8.0]))
    fields = np.zeros(3, [("a", "f4"), ("b", "f8")])
    fields["b"] = [1, 2, 3]
    assert_same(jitted(fields["b"]), np.array([2.0, 4.0, 6.0]))

    @jf.jit
    def write(x):
        x += 1

    write(x)
    write(fields["b"])
    assert x.tolist() == [2, 3, 4, 5] and fields["b"].tolist() == [2, 3, 4]


def test_empty_and_rank_zero_arrays():
    check(lambda x: (x * 2, x.sum(), x[1:]), np.zeros((0, 3)))
    check(lambda x: (x * 2, x[...], x[()]), np.array(3.0))

    def write(x):
        x[...] = x + 1
        x += 1

    check(write, np.array(3.0))


def test_tensors_in_tensors_out():
    def function(x, y):
        z = x + y
        part = z[1:]
        part[0] = 100
        return z, part, z.sum()

    x = jf.asarray(np.arange(3.0))
    z, part, total = jf.jit(function)(x, np.ones(3))
    assert all(isinstance(each, jf.Tensor) for each in (z, part, total))
    assert z.numpy().tolist() == [1, 100, 3] and part.numpy().tolist() == [100, 3] and float(total) == 104
    part[1] = 7
    assert part.base is z and z.numpy().tolist() == [1, 100, 7]


def test_tensor_arguments_are_written_like_tensors():
    @jf.jit
    def function(x):
        x[0] = 7
        return x * 2

    x = jf.asarray(np.arange(3.0))
    other = x[:]
    assert function(x).numpy().tolist() == [14, 2, 4]
    assert x.numpy().tolist() == other.numpy().tolist() == [7, 1, 2]


def test_closed_over_tensor():
    offset = jf.asarray(np.arange(3.0))
    jitted = jf.jit(lambda x: x + offset)
    assert_same(jitted(np.ones(3)), np.array([1.0, 2.0, 3.0]))
    offset[0] = 10
    assert_same(jitted(np.ones(3)), np.array([11.0, 2.0, 3.0]))


def test_threads_trace_and_run_at_once():
    jitted = jf.jit(chain)

    def work(seed):
        for size in range(10, 30):
            given = arrays(4, size + seed % 3)
            assert_same(jitted(*given), chain(*given), 1e-6)

    at_once(work, 8)
    assert jitted.stats()["signatures"] == 22


def test_traces_in_threads_do_not_see_each_other():
    started, checked = threading.Event(), threading.Event()
    outcome = []

    def pause(x):
        started.set()
        assert checked.wait(100)
        return x

    holder = threading.Thread(target=lambda: outcome.append(jf.jit(pause)(np.ones(2))))
    holder.start()
    assert started.wait(100)
    assert_same(jf.jit(lambda x: np.zeros(2) + x)(np.ones(2)), np.ones(2))
    assert isinstance(jf.zeros(2), jf.Tensor)
    checked.set()
    holder.join()
    assert_same(outcome, [np.ones(2)])


def test_an_error_leaves_nothing_behind():
    @jf.jit
    def function(x, fail):
        if fail:
            raise KeyError("the user's own")
        x += 1
        return x

    x = np.zeros(2)
    with pytest.raises(KeyError, match="the user's own"):
        function(x, True)
    assert x.tolist() == [0, 0]
    assert isinstance(jf.zeros(2), jf.Tensor)
    assert function(x, False) is x and x.tolist() == [1, 1]


def test_a_jitted_function_can_be_collected():
    def make():
        table = np.ones(3)
        jitted = jf.jit(lambda x: x + table)
        jitted(np.ones(3))
        jitted(np.ones(3))
        return weakref.ref(table)

    reference = make()
    gc.collect()
    assert reference() is None


def test_arguments_are_not_kept_alive():
    jitted = jf.jit(lambda x, n: x * n, static_argnames="n")
    x = np.ones(3)
    reference = weakref.ref(x)
    jitted(x, 2)
    jitted(x, 2)
    del x
    gc.collect()
    assert reference() is None


def test_fastmath_is_kept():
    assert jf.jit(chain, fastmath=True)._jit.fastmath is True
    assert jf.jit(chain)._jit.fastmath is False


def test_fastmath_is_another_kernel_and_nearly_the_same_result() -> None:
    def curve(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.exp(np.sin(x) * y + x) / y + np.log(y) * np.tanh(x)

    x, y = np.linspace(-3, 3, 1000, dtype=np.float32), np.linspace(0.5, 2, 1000, dtype=np.float32)
    exact, fast = jf.jit(curve), jf.jit(curve, fastmath=True)
    before = jf.cache.stats()["misses"] + jf.cache.stats()["disk_hits"]
    np.testing.assert_allclose(fast(x, y), exact(x, y), rtol=2e-6)
    np.testing.assert_allclose(exact(x, y), curve(x, y), rtol=2e-6)
    assert jf.cache.stats()["misses"] + jf.cache.stats()["disk_hits"] == before + 2


def test_short_axes_have_plans_of_their_own():
    """What was compiled for long axes first computes short ones as well, but slower by far."""

    def nearest(points, others):
        return np.min(np.sum((points[:, None, :] - others[None, :, :]) ** 2, axis=-1), axis=1)

    jitted = jf.jit(nearest)
    for columns, kernels in ((17, 2), (20, 2), (3, 1), (1, 2), (16, 1)):
        points, others = np.random.default_rng(columns).random((2, 50, columns), np.float32)
        assert_same(jitted(points, others), nearest(points, others), 1e-6)
        assert len(jitted.explain(points, others).kernels) == kernels, columns
