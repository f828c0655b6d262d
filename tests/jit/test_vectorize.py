"""`jf.vectorize`: functions of scalars as functions of arrays, against NumPy's loop over elements."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import AliasError, ArgumentError, DTypeError, ShapeError, TraceError, UnsupportedError
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import topological
from tests.jit import element_functions as functions
from tests.jit.element_functions import FUNCTIONS, ON_STACKS
from tests.jit.same import assert_same


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def compare(found, expected, tolerance=2e-5, dtypes=True):
    for ours, theirs in zip(as_tuple(found), as_tuple(expected), strict=True):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert ours.shape == theirs.shape and (not dtypes or ours.dtype == theirs.dtype)
        np.testing.assert_allclose(ours, theirs, tolerance, 1e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    """On ndarrays, on Tensors, lazily, and inside a jitted function."""
    function, arguments = FUNCTIONS[name]
    vectorized = jf.vectorize(function)
    for dtype in (np.float32, np.float64):
        given = arguments(dtype)
        expected = np.vectorize(function)(*given)
        compare(vectorized(*given), expected)
        compare(jf.jit(lambda *x: vectorized(*x))(*given), expected)
        lazy = as_tuple(vectorized(*map(jf.asarray, given)))
        assert all(isinstance(each, jf.Tensor) and each._value is None for each in lazy)
        compare(tuple(each.numpy() for each in lazy), expected)


@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "int16", "uint16", "uint32", "uint64", "float16"])
def test_dtypes(name):
    """Elements are NumPy's scalars, which keep their dtype."""

    def doubled(x, n):
        while n:
            x = x + x
            n = n & 0
        return x

    x, n = np.arange(-3, 9).astype(name), np.ones(12, np.int8)
    found = jf.vectorize(doubled)(x, n)
    assert found.dtype == name
    np.testing.assert_array_equal(found, x + x)


def test_complex_numbers():
    z = np.random.default_rng(0).normal(size=(20, 2)).view(complex)[:, 0]
    for dtype in (np.complex64, np.complex128):
        given = z.astype(dtype), dtype(0.3 + 0.2j)
        found = jf.vectorize(functions.iterated)(*given)
        compare(found, tuple(np.asarray(each) for each in np.vectorize(functions.iterated)(*given)), 1e-2)


def test_nans_and_infinities():
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 2.5])

    def least(x):
        n = 0
        while x > 1 and n < 5:
            x, n = x / 2, n + 1
        return x, n

    with np.errstate(invalid="ignore"):
        assert_same(jf.vectorize(least)(x), tuple(np.vectorize(least)(x)))


def test_numbers_lists_and_empty_arrays():
    nested = jf.vectorize(functions.nested)
    assert nested(1.5, 4) == functions.nested(1.5, 4)
    compare(nested([1.5, 2.5], [[3], [4]]), np.vectorize(functions.nested)([1.5, 2.5], [[3], [4]]))
    assert nested(np.zeros((0, 3)), 2).shape == (0, 3)


def test_out_and_where():
    """Elements that are not wanted are not computed: this loop would never end for zero."""

    @jf.vectorize
    def halvings(x):
        n = 0
        while x % 2 == 0:
            x, n = x // 2, n + 1
        return n

    x = np.array([8, 0, 12, 7, 0])
    out = np.full(5, -1)
    assert halvings(x, out=out, where=x != 0) is out
    assert out.tolist() == [3, -1, 2, 0, -1]
    lazy = jf.asarray(np.full(5, -1))
    halvings(jf.asarray(x), out=lazy, where=jf.asarray(x != 0))
    assert lazy.numpy().tolist() == out.tolist()

    @jf.jit
    def inside(x, out):
        halvings(x, out=out, where=x != 0)
        return out * 2

    assert inside(x, np.full(5, -1)).tolist() == [6, -2, 4, 0, -2]
    pair = np.zeros(3), np.zeros((2, 3))
    jf.vectorize(functions.apart)(np.arange(3.0), 1.0, out=(pair[0], pair[1]))
    compare(pair, (np.abs(np.arange(3.0) - 1), np.maximum(np.arange(3.0), 1) + np.zeros((2, 1))))
    with pytest.raises(UnsupportedError, match="where= without out="):
        halvings(x, where=x != 0)
    with pytest.raises(ShapeError, match="non-broadcastable output"):
        halvings(x + 3 - x, out=np.zeros(4, int))
    with pytest.raises(DTypeError, match="cannot cast"):
        jf.vectorize(functions.sine)(np.ones(2), out=np.zeros(2, int))
    with pytest.raises(AliasError, match="read-only"):
        halvings(x + 3 - x, out=np.broadcast_to(0, 5))


def test_one_kernel_with_its_neighbours():
    """The function, what it is given, both of its results and what is made of them: one loop nest."""
    apart = jf.vectorize(functions.apart)

    def program(x, y):
        distance, larger = apart(x * 2, y + 1)
        return distance * larger - x

    x, y = np.random.default_rng(1).normal(size=(2, 100))
    kernels = jf.jit(program).explain(x, y).kernels
    assert len(kernels) == 1
    compare(jf.jit(program)(x, y), program(x, y))
    escape = jf.vectorize(functions.escape_time)
    assert len(jf.jit(lambda x, y: (escape(x, y) * 2).sum()).explain(x, y).kernels) == 1


def test_each_element_leaves_its_loop_alone():
    """In the interpreter of graphs, too."""
    program = jf.vectorize(functions.greatest_divisor)._jitted.program(np.arange(1, 9), np.arange(8))
    arrays = [node for node in topological(program.outputs) if node.op.source == "array"]
    given = [np.arange(1, 9), np.arange(8)]
    (found,) = evaluate(program.outputs, dict(zip(arrays, given, strict=True)))
    assert found.tolist() == np.gcd(*given).tolist()


def test_otypes_excluded_and_keywords():
    @jf.vectorize(otypes="fi", excluded=["weights", 2])
    def rated(x, *, scale=1.0, weights=()):
        total = 0.0
        for weight in weights:
            total = total * x + weight
        return total * scale, total

    found = rated(np.arange(3.0), scale=np.array([[1.0], [2.0]]), weights=(1.0, 2.0))
    assert [each.dtype.name for each in found] == ["float32", "int32"]
    np.testing.assert_array_equal(found[0], (np.arange(3.0) + 2) * [[1], [2]])
    lazy = rated(jf.asarray(np.arange(3.0)), weights=(1.0, 2.0))
    np.testing.assert_array_equal(lazy[1], np.arange(3) + 2)
    limited = jf.vectorize(lambda x, n: x if n > 2 else -x, excluded={1, "n"})
    assert [limited(jf.asarray([1.0]), n).numpy().tolist() for n in (2, 3)] == [[-1.0], [1.0]]
    with pytest.raises(ShapeError, match="otypes has 1 dtypes"):
        jf.vectorize(functions.apart, otypes="d")(np.ones(2), 1.0)
    with pytest.raises(ArgumentError, match="not excluded"):
        limited(n=3)


FACTOR = 3.0


def test_what_a_function_reads_from_outside():
    """Names are read anew: numbers and functions that change, lazily and not."""
    global FACTOR
    scaled = jf.vectorize(lambda x: x * FACTOR if x > 0 else x)
    x = np.array([-1.0, 2.0])
    for FACTOR in (3.0, 4.0):
        expected = [-1.0, 2 * FACTOR]
        assert scaled(x).tolist() == scaled(jf.asarray(x)).numpy().tolist() == expected


def test_exceptions():
    payments = jf.vectorize(functions.payments)
    compare(payments([0.1, 0.2], 3), np.vectorize(functions.payments)([0.1, 0.2], 3))
    for given in (np.array([0.1, -0.2]), jf.asarray([0.1, -0.2])):
        with pytest.raises(ValueError, match="a negative rate"):
            payments(given, 3)
    with pytest.raises(ValueError, match="a negative rate"):
        jf.jit(lambda x: payments(x, 3) + 1)(np.array([0.1, -0.2]))
    assert payments(np.zeros(0), 3).shape == (0,)


def test_what_cannot_be(strict):
    x = np.ones(3)
    with pytest.raises(ShapeError, match="could not be broadcast together with shapes"):
        jf.vectorize(functions.apart)(x, np.ones(4))
    with pytest.raises(ShapeError, match=r"returns an array of shape \(2,\) for an element; give signature="):
        jf.vectorize(lambda x: np.array([x, x]))(x)
    with pytest.raises(TraceError, match="returns holds a NoneType"):
        jf.vectorize(lambda x: None)(x)
    with pytest.raises(TraceError, match="returns a list"):
        jf.vectorize(lambda x: [x, x])(x)
    with pytest.raises(DTypeError, match="is no function; dtypes follow from the arguments"):
        jf.vectorize(["float64(float64)"])
    with pytest.raises(DTypeError, match="pyfunc is a function"):
        jf.vectorize(3)
    with pytest.raises(TraceError, match="the control flow of .* stays as it is: the variable 'n' cannot be"):
        jf.vectorize(_changing)(x > 0)
    with pytest.raises(TraceError, match="random numbers are drawn"):
        jf.vectorize(lambda x: x + np.random.random())(x)


def _changing(n):
    while n:
        n = n >> n
    return n


def test_numpys_own_in_a_jitted_function():
    """`np.vectorize` and `np.frompyfunc`, called inside and outside of it."""
    collatz, x = np.vectorize(functions.collatz), np.arange(1, 30)
    larger = np.frompyfunc(lambda a, b: a if a > b else b, 2, 1)

    def program(x):
        inside = np.vectorize(lambda n: n * 2 if n > 3 else n)(x)
        made = np.frompyfunc(functions.greatest_divisor, 2, 1)(x, 12)
        return collatz(x) + inside, larger(x, 5), made

    jitted = jf.jit(program)
    for ours, theirs in zip(jitted(x), program(x), strict=True):
        assert ours.tolist() == theirs.tolist()
    assert len(jitted.explain(x).kernels) == 1


def test_methods_and_names():
    class Model:
        @jf.vectorize
        def clipped(self, x):
            """Of one number."""
            return x if x < 2 else x * 0 + 2

        clipped.excluded = frozenset((0,))

    assert Model().clipped(np.array([1.0, 5.0])).tolist() == [1.0, 2.0]
    assert Model.clipped.__doc__ == "Of one number." and Model.clipped.__name__ == "clipped"
    assert repr(jf.vectorize(functions.sine)) == "<vectorized sine>"
    assert jf.vectorize(functions.sine, doc="series").__doc__ == "series"


@pytest.mark.parametrize("name", ON_STACKS)
def test_arrays_of_elements(name):
    function, signature, arguments = ON_STACKS[name]
    vectorized = jf.vectorize(function, signature=signature)
    for dtype in (np.float32, np.float64):
        given = arguments(dtype)
        expected = np.vectorize(function, signature=signature)(*given)
        compare(vectorized(*given), expected, 1e-4, dtypes=name != "option_price")
        compare(vectorized(*map(jf.asarray, given)), expected, 1e-4, dtypes=False)
        compare(jf.jit(lambda *x: vectorized(*x))(*given), expected, 1e-4, dtypes=False)


def test_functions_of_arrays_without_loops_are_operations_on_stacks():
    correlation = jf.vectorize(functions.correlation, signature="(n),(n)->()")
    x, y = np.random.default_rng(2).normal(size=(2, 40, 30))
    explained = str(correlation.explain(x, y))
    assert "the loop with all" not in explained and "around what stands below" not in explained
    assert correlation(np.zeros((0, 4)), np.zeros(4)).shape == (0,)


def test_masks_and_exceptions_of_arrays():
    @jf.vectorize(signature="(n)->()")
    def last_sign(x):
        i = len(x) - 1
        while x[i] == 0:
            i -= 1
        if x[i] < 0:
            raise ArithmeticError("below")
        return x[i]

    x = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    out = np.full(4, -1.0)
    assert last_sign(x[[0, 3]]).tolist() == [2.0, 3.0]
    last_sign(x, out=out, where=np.array([True, False, False, True]))
    assert out.tolist() == [2.0, -1.0, -1.0, 3.0]
    with pytest.raises(ArithmeticError, match="below"):
        last_sign(x[[0, 2]])


def test_signatures_that_do_not_fit():
    x = np.ones((2, 3))
    for text in ("n->()", "(n)", "(n)->", 3):
        with pytest.raises(ArgumentError, match="signature= is of the form"):
            jf.vectorize(functions.product, signature=text)
    product = jf.vectorize(functions.product, signature="(m,n),(n)->(m)")
    with pytest.raises(ShapeError, match="inconsistent size for core dimension 'n': 2 vs 3"):
        product(x, np.ones(2))
    with pytest.raises(ShapeError, match=r"argument 0 has the shape \(3,\), and the signature asks for 2"):
        product(x[0], np.ones(3))
    with pytest.raises(DTypeError, match="takes 2 arrays by its signature"):
        product(x)
    with pytest.raises(ShapeError, match=r"of shape \(2,\), where its signature .* says \(n\)"):
        jf.vectorize(functions.product, signature="(m,n),(n)->(n)")(x, np.ones(3))
    with pytest.raises(ShapeError, match="returns 1 values, and its signature .* says 2"):
        jf.vectorize(functions.product, signature="(m,n),(n)->(m),()")(x, np.ones(3))
