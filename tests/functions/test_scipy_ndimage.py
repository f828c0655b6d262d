"""Filters of scipy.ndimage in jitted functions: compiled where they are sums of products, else SciPy's."""

import numpy as np
import pytest

import jitframe as jf

ndimage = pytest.importorskip("scipy.ndimage")

X = np.random.default_rng(3).random((9, 11)) * 10
WEIGHTS = np.random.default_rng(4).random((3, 4))
NEIGHBOURS = [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
MODES = ("reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant")
FILTERS = {
    "correlate": lambda x, mode: ndimage.correlate(x, WEIGHTS, mode=mode, cval=2.5),
    "convolve": lambda x, mode: ndimage.convolve(x, WEIGHTS, mode=mode, origin=(1, -1)),
    "correlate1d": lambda x, mode: ndimage.correlate1d(x, [1.0, 2, 0.5, 4], axis=0, mode=mode, origin=-1),
    "convolve1d": lambda x, mode: ndimage.convolve1d(x, [1.0, 2, 0.5, 4], mode=mode, cval=1.5, origin=1),
    "gaussian_filter": lambda x, mode: ndimage.gaussian_filter(x, 1.3, mode=mode, cval=1.0),
    "gaussian_filter, slope": lambda x, mode: ndimage.gaussian_filter(x, (1.3, 0), order=(1, 0), mode=mode),
    "gaussian_filter1d": lambda x, mode: ndimage.gaussian_filter1d(x, 2, 0, 2, mode=mode, truncate=3),
    "gaussian_filter, radius": lambda x, mode: ndimage.gaussian_filter(x, 2.0, mode=mode, radius=3),
}
OF_INTEGERS_TOO = {
    "neighbours": lambda x, mode: ndimage.convolve(x, NEIGHBOURS, mode=mode, cval=2),
    "uniform_filter": lambda x, mode: ndimage.uniform_filter(x, (3, 4), mode=mode, origin=(0, 1)),
    "uniform_filter1d": lambda x, mode: ndimage.uniform_filter1d(x, 5, axis=0, mode=mode),
    "sobel": lambda x, mode: ndimage.sobel(x, axis=0, mode=mode),
    "prewitt": lambda x, mode: ndimage.prewitt(x, mode=mode),
    "laplace": lambda x, mode: ndimage.laplace(x, mode=mode, cval=3),
}


@pytest.mark.parametrize("in_all_modes", [False, pytest.param(True, marks=pytest.mark.more)])
@pytest.mark.parametrize("name", [*FILTERS, *OF_INTEGERS_TOO])
def test_ndimage_has_them(name, in_all_modes, strict):
    """In each mode, of windows wider than the array too, without a cut; in the fast set of narrower dtypes in
    two modes, as each is a program of its own."""
    program = (FILTERS | OF_INTEGERS_TOO)[name]
    narrow = [X.astype(np.float32)]
    if name in OF_INTEGERS_TOO:
        narrow += [X.astype(np.int64) - 5, X.astype(np.int32)]
    jitted = jf.jit(program)
    for mode in MODES:
        some = narrow if in_all_modes or mode in ("mirror", "constant") else ()
        for x in (X, X[:2, :3].copy(), X[:1, :2].copy(), *some):
            found, wanted = jitted(x, mode), program(x, mode)
            assert found.dtype == wanted.dtype
            limit = 1e-6 if wanted.dtype == np.float32 else 1e-10
            np.testing.assert_allclose(found, wanted, limit, limit, err_msg=f"{mode} {x.dtype} {x.shape}")
    assert "cut" not in str(jitted.explain(X, mode))


def test_another_dtype_of_the_result(strict):
    whole = X.astype(np.int64)
    for kind in (float, np.float64, "float32", np.dtype("float32")):
        program = lambda x, kind=kind: ndimage.convolve(x, WEIGHTS, output=kind)  # noqa: E731
        found, wanted = jf.jit(program)(whole), program(whole)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, 1e-6)


def test_weights_that_are_computed(strict):
    program = lambda x, w: ndimage.convolve(x, w * 2, mode="wrap") + ndimage.convolve1d(x, w[0])  # noqa: E731
    np.testing.assert_allclose(jf.jit(program)(X, WEIGHTS), program(X, WEIGHTS), 1e-12)


def test_a_loop_with_a_filter_is_one_program(strict):
    def heated(x, steps):
        for _ in range(steps):
            x = x + 0.1 * ndimage.laplace(x, mode="nearest")
        return x

    jitted = jf.jit(heated)
    for steps in (3, 40):
        np.testing.assert_allclose(jitted(X, steps), heated(X, steps), 1e-12)


def test_what_scipy_computes(strict):
    """Where rounding decides, and what is no sum of products."""
    whole = X.astype(np.int64)
    for program in (
        lambda x: ndimage.gaussian_filter(x, 1.0) * 2,
        lambda x: ndimage.convolve(x.astype(np.uint8), NEIGHBOURS),
        lambda x: ndimage.median_filter(x, 3) * 2,
        lambda x: ndimage.uniform_filter(x.astype(bool), 3),
        lambda x: ndimage.sobel(x.astype(float), mode=["wrap", "nearest"]),
    ):
        np.testing.assert_array_equal(jf.jit(program)(whole), program(whole))
    with pytest.raises(ValueError, match="origin"):
        jf.jit(lambda x: ndimage.correlate(x, WEIGHTS, origin=5))(X)
