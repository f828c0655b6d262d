"""Functions of `jf.nn` against NumPy and SciPy: on devices, in all float dtypes, lazily, jitted, in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.conformance.devices import require
from tests.nn.references import ACTIVATIONS, LAYERS, LOSSES, NORMS, SOFTMAX, TABLES, Case

DEVICES = ("cpu", "opencl", "webgpu")
TOLERANCES = {"float16": 4e-3, "float32": 4e-6, "float64": 1e-11}
FAMILIES: dict[str, tuple[list[Case], tuple[int, ...]]] = {
    "activations": (ACTIVATIONS, (6, 8)),
    "softmax": (SOFTMAX, (6, 8)),
    "norms": (NORMS, (2, 4, 8)),
    "losses": (LOSSES, (6, 8)),
    "layers": (LAYERS, (2, 4, 8)),
}


def drawn(dtype: str, *shape: int) -> np.ndarray:
    return (np.random.default_rng(3).normal(size=shape) * 2).astype(dtype)


def assert_all_close(cases: list[Case], found: Any, x: np.ndarray, tolerance: float) -> None:
    for (name, _, reference), ours in zip(cases, found, strict=True):
        wanted = np.asarray(reference(x.astype("f8")))
        assert ours.shape == wanted.shape, name
        assert ours.dtype == x.dtype or ours.dtype.kind == "i", name
        scale = np.maximum(1, abs(np.where(np.isfinite(wanted), wanted, 0)).max(initial=0))
        np.testing.assert_allclose(
            np.asarray(ours, "f8"), wanted, rtol=tolerance, atol=tolerance * scale, err_msg=name
        )


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("family", FAMILIES)
def test_they_are_numpys_and_scipys(family: str, name: str, dtype: str) -> None:
    """A family is one program: seconds where a device's compiler takes them."""
    target = require(name)
    target.require(dtype)
    cases, shape = FAMILIES[family]
    x = drawn(dtype, *shape)
    found = jf.jit(lambda x: [call(x) for _, call, _ in cases], device=target.device.name)(x)
    assert_all_close(cases, found, x, TOLERANCES[dtype])


@pytest.mark.parametrize("family", FAMILIES)
def test_lazily_and_where_strides_are_odd(family: str) -> None:
    cases, shape = FAMILIES[family]
    whole = drawn("float32", *shape[:-1], shape[-1] * 2)
    x = whole[..., ::2]
    lazy = [call(jf.asarray(x)) for _, call, _ in cases]
    assert_all_close(cases, [each.numpy() for each in lazy], x, 4e-6)
    assert_all_close(cases, [np.asarray(call(x)) for _, call, _ in cases], x, 4e-6)
    jitted = jf.jit(lambda x: [call(x) for _, call, _ in cases])
    assert_all_close(cases, jitted(x), x, 4e-6)
    turned = np.asfortranarray(x)
    assert_all_close(cases, jitted(turned), turned, 4e-6)


def test_integers_are_floats_and_empty_arrays_empty() -> None:
    for name in (
        "sigmoid",
        "silu",
        "gelu",
        "relu",
        "softplus",
        "softmax",
        "log_softmax",
        "rms_norm",
        "layer_norm",
    ):
        function = getattr(jf.nn, name)
        x = np.array([[1, 2, 3], [0, 5, -1]])
        np.testing.assert_array_equal(function(x).numpy(), function(x.astype(float)).numpy(), name)
        for shape in ((0,), (3, 0), (0, 3)):
            assert function(np.ones(shape, "f4")).numpy().shape == shape
    assert jf.nn.logsumexp(np.ones((2, 0))).tolist() == [-np.inf, -np.inf]
    assert jf.nn.cross_entropy(np.ones((0, 3)), np.ones(0, int), reduction="sum").numpy() == 0


def test_extreme_values() -> None:
    x = np.array([[1e4, -1e4, 0.0], [np.inf, 0.0, 1.0], [np.nan, 0.0, 1.0], [-np.inf, -np.inf, -np.inf]])
    assert jf.nn.softmax(x)[0].tolist() == [1, 0, 0]
    assert jf.nn.logsumexp(x).numpy()[[0, 1, 3]].tolist() == [1e4, np.inf, -np.inf]
    assert np.isnan(jf.nn.softmax(x).numpy()[1:]).any(-1).all()
    assert jf.nn.log_softmax(x)[0].tolist() == [0, -2e4, -1e4]
    assert jf.nn.sigmoid(x)[0].tolist() == [1, 0, 0.5] and np.isnan(jf.nn.relu(x).numpy()[2, 0])
    assert jf.nn.softplus(x)[0].tolist() == [1e4, 0, np.log(2)]
    assert float(jf.nn.cross_entropy(np.array([[0.0, 1e4]]), [0])) == 1e4


def test_results_are_written_in_place() -> None:
    """Of ndarrays and their views, of Tensors, and of what a jitted function is given."""
    x = drawn("float32", 6, 8)
    cases = [
        (jf.nn.softmax, ()), (jf.nn.log_softmax, ()), (jf.nn.rms_norm, ()), (jf.nn.layer_norm, ()),
        (jf.nn.gelu, ()), (jf.nn.silu, ()), (jf.nn.linear, (drawn("float32", 8, 8),)),
    ]  # fmt: skip
    for function, rest in cases:
        wanted = np.asarray(function(x[1::2], *rest))
        given = x.copy()
        assert function(given[1::2], *rest, out=given[1::2]) is not None
        np.testing.assert_array_equal(given[1::2], wanted)
        np.testing.assert_array_equal(given[::2], x[::2])
        tensor = jf.asarray(x[1::2])
        assert function(tensor, *rest, out=tensor) is tensor
        np.testing.assert_array_equal(tensor.numpy(), wanted)

        def written(x: Any, function: Any = function, rest: Any = rest) -> None:
            function(x[1::2], *rest, out=x[1::2])

        given = x.copy()
        jf.jit(written)(given)
        np.testing.assert_allclose(given[1::2], wanted, rtol=1e-6)
        np.testing.assert_array_equal(given[::2], x[::2])
    with pytest.raises(jf.errors.ShapeError, match=r"out= has the shape \(8,6\), and the result \(6,8\)"):
        jf.nn.softmax(x, out=np.empty((8, 6), "f4"))
    with pytest.raises(jf.errors.DTypeError, match="cannot cast the result from float32 to the int64"):
        jf.nn.relu(x, out=np.empty((6, 8), int))


def test_rows_are_one_kernel() -> None:
    x = jf.asarray(drawn("float32", 64, 256))
    labels = np.arange(64)
    for made in (
        jf.nn.softmax(x), jf.nn.log_softmax(x), jf.nn.layer_norm(x), jf.nn.rms_norm(x),
        jf.nn.cross_entropy(x, labels, reduction="none"), jf.nn.softmax(jf.nn.gelu(x) * 2, where=x > 0),
    ):  # fmt: skip
        assert len(jf.explain(made).kernels) == 1


SAYS = [
    (
        lambda x: jf.nn.rms_norm(x, np.ones(3)),
        "ShapeError",
        "rms_norm: weight has the shape (3,), and x, float32[6, 8], takes (8,): an element for each "
        "position on axis 1",
    ),
    (
        lambda x: jf.nn.softmax(x, where=np.ones((2, 8), bool)),
        "ShapeError",
        "softmax: where is bool[2, 8], and does not broadcast to x, float32[6, 8]",
    ),
    (
        lambda x: jf.nn.softmax(x, where=np.ones(8)),
        "DTypeError",
        "softmax: where is float64[8], and it takes bools; write where != 0",
    ),
    (
        lambda x: jf.nn.softmax(x * 1j),
        "DTypeError",
        "softmax: x is complex64[6, 8], and it takes real numbers; give its .real or abs()",
    ),
    (lambda x: jf.nn.softmax(x, 2), "AxisError", "axis 2 is out of bounds for array of dimension 2"),
    (lambda x: jf.nn.softmax(x, (0, -2)), "ArgumentError", "softmax: axis=(0, -2) names an axis twice"),
    (
        lambda x: jf.nn.linear(x, np.ones((8, 3))),
        "ShapeError",
        "linear: x is float32[6, 8], and weight float64[8, 3]: they take [..., inputs] and [outputs, "
        "inputs]; transpose weight?",
    ),
    (
        lambda x: jf.nn.linear(x, np.ones((3, 8)), np.ones(2)),
        "ShapeError",
        "linear: bias has the shape (2,), and x, float64[6, 3], takes (3,): an element for each "
        "position on axis 1",
    ),
    (
        lambda x: jf.nn.group_norm(x, 3),
        "ShapeError",
        "group_norm: groups=3 does not divide the channels of x, float32[6, 8]",
    ),
    (
        lambda x: jf.nn.instance_norm(x),
        "ShapeError",
        "instance_norm: x is float32[6, 8], and takes [batch, channels, positions, ...]",
    ),
    (
        lambda x: jf.nn.batch_norm(x, np.ones(8)),
        "ArgumentError",
        "batch_norm: mean and var go together; give both, or neither",
    ),
    (
        lambda x: jf.nn.embedding([0.5], x),
        "DTypeError",
        "embedding: indices is float64[1], and it takes integers; write .astype(int)",
    ),
    (
        lambda x: jf.nn.embedding([0], x[0]),
        "ShapeError",
        "embedding: table is float32[8], and takes [rows, width]",
    ),
    (
        lambda x: jf.nn.swiglu(x[:, :3]),
        "ShapeError",
        "swiglu: gate is float32[6, 3], and axis -1 has an odd extent; it holds gate and up",
    ),
    (
        lambda x: jf.nn.swiglu(x, x.T),
        "ShapeError",
        "swiglu: gate is float32[6, 8], and up float32[8, 6]: their shapes must be equal",
    ),
    (
        lambda x: jf.nn.cross_entropy(x, np.zeros(8, int)),
        "ShapeError",
        "cross_entropy: target is int64[8], and float32[6, 8] with classes on one axis takes the shape (6,)",
    ),
    (
        lambda x: jf.nn.cross_entropy(x, np.zeros(6, bool)),
        "DTypeError",
        "cross_entropy: target is bool[6], and takes integers, the numbers of classes",
    ),
    (
        lambda x: jf.nn.mse_loss(x, x[0]),
        "ShapeError",
        "mse_loss: target is float32[8], and x, float32[6, 8], takes the shape (6,8)",
    ),
    (
        lambda x: jf.nn.mse_loss(x, x, reduction="all"),
        "ArgumentError",
        "mse_loss: reduction must be one of 'mean', 'sum', or 'none'",
    ),
    (
        lambda x: jf.nn.mean_pool(x, np.ones(8, bool)),
        "ShapeError",
        "mean_pool: mask is bool[8], and x, float32[6, 8], with positions on axis -2, takes the shape (6,)",
    ),
    (
        lambda x: jf.nn.keep_top_p(x, 1.5),
        "ArgumentError",
        "keep_top_p: p lies between 0 and 1, and 1.5 was given",
    ),
    (
        lambda x: jf.nn.sample(x),
        "DTypeError",
        "sample: rng is None, and takes a generator, as of jf.random.default_rng(1)",
    ),
    (
        lambda x: jf.nn.sample(x, temperature=-1),
        "ArgumentError",
        "sample: temperature must not be negative, and -1 was given",
    ),
    (
        lambda x: jf.nn.rotary(x, *jf.nn.rotary_tables(5, 8)),
        "ArgumentError",
        "rotary: 6 tokens from position 0 on go beyond the 5 of the tables",
    ),
    (
        lambda x: jf.nn.rotary(x, *jf.nn.rotary_tables(9, 4)),
        "ShapeError",
        "rotary: x is float32[6, 8], with tables float32[9, 2] and float32[9, 2]: they take [..., "
        "tokens, width] and [positions, width / 2]",
    ),
    (
        lambda x: jf.nn.gelu(x, approximate="fast"),
        "ArgumentError",
        "gelu: approximate must be 'erf' or 'tanh'",
    ),
]


@pytest.mark.parametrize("number", range(len(SAYS)))
def test_errors_name_shapes_and_dtypes(number: int) -> None:
    call, kind, message = SAYS[number]
    for x in (drawn("float32", 6, 8), jf.asarray(drawn("float32", 6, 8))):
        with pytest.raises(getattr(jf.errors, kind)) as raised:
            call(x)
        assert str(raised.value).startswith(message)


def test_labels_and_indices_out_of_bounds() -> None:
    x = drawn("float32", 3, 4)
    for labels in ([0, 1, 4], [0, -1, 2]):
        with pytest.raises(IndexError):
            float(jf.nn.cross_entropy(x, labels))
    with pytest.raises(IndexError):
        jf.nn.embedding([3], x).numpy()
    assert jf.nn.embedding([-1], x).numpy().tolist() == x[-1:].tolist()


def test_tables_of_rotary() -> None:
    for found, wanted in zip(jf.nn.rotary_tables(9, 8, base=100.0), TABLES, strict=True):
        np.testing.assert_array_equal(found.numpy(), wanted)


def test_dropout_keeps_shares() -> None:
    x = np.ones((100, 1000), "f4")
    first, same = (jf.nn.dropout(x, 0.25, jf.random.default_rng(5)).numpy() for _ in range(2))
    np.testing.assert_array_equal(first, same)
    assert sorted({*first.ravel().tolist()}) == [0, np.float32(1) / np.float32(0.75)]
    assert abs((first == 0).mean() - 0.25) < 0.01
    assert not jf.nn.dropout(x, 1.0, jf.random.default_rng(5)).numpy().any()
    rng = jf.random.default_rng(5)
    jitted = jf.jit(lambda x, rng: jf.nn.dropout(x, 0.25, rng))
    np.testing.assert_array_equal(jitted(x, rng), first)
    assert (jitted(x, rng) != first).any()


def test_samples_have_the_probabilities_of_logits() -> None:
    shares = np.array([0.5, 0.3, 0.15, 0.05])
    logits = np.broadcast_to(np.log(shares), (20000, 4))
    rng = jf.random.default_rng(2)

    def counted(**options: Any) -> np.ndarray:
        return np.bincount(jf.nn.sample(logits, rng, **options).numpy(), minlength=4) / 20000

    np.testing.assert_allclose(counted(), shares, atol=0.015)
    np.testing.assert_allclose(counted(temperature=0.5), shares**2 / (shares**2).sum(), atol=0.015)
    np.testing.assert_allclose(counted(top_k=2), [0.625, 0.375, 0, 0], atol=0.015)
    np.testing.assert_allclose(counted(top_p=0.9), np.array([50, 30, 15, 0]) / 95, atol=0.015)
    assert counted(temperature=0).tolist() == [1, 0, 0, 0]


def test_they_stand_among_operations() -> None:
    with jf.backends.create("cpu") as backend:
        assert {"nn.softmax", "nn.linear", "nn.cross_entropy"} <= {*backend.operation_families["nn"]}
        for name in backend.operation_families["nn"]:
            assert backend.supports(name, "float32"), name


def test_products_are_written_to_arrays() -> None:
    a, b = drawn("float32", 5, 6), drawn("float32", 6, 4)
    for function, x, y in ((jf.matmul, a, b), (jf.matvec, a, b[:, 0]), (jf.vecmat, b[:, 0], b)):
        wanted = np.asarray(function(x, y))
        whole = np.zeros((*wanted.shape, 2), "f4")
        function(x, y, out=whole[..., 1])
        np.testing.assert_array_equal(whole[..., 1], wanted)
        assert not whole[..., 0].any()
