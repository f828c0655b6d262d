"""Recurrent layers against loops in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError, ShapeError
from jitframe.runtime.cpu.kernels.target import host_machine
from tests.conformance.devices import require

RNG = np.random.default_rng(8)
nn = jf.nn
GATES = {"rnn": 1, "lstm": 4, "gru": 3}
TIME, BATCH, INPUTS, UNITS = 6, 3, 5, 4


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def step(kind: str, x: np.ndarray, h: np.ndarray, c: np.ndarray, each: Any) -> tuple[np.ndarray, np.ndarray]:
    w_x, w_h, b_x, b_h = each
    a, b = x @ w_x.T + b_x, h @ w_h.T + b_h
    if kind == "rnn":
        return np.tanh(a + b), c
    if kind == "gru":
        (r, z, n), (s, y, m) = np.split(a, 3, -1), np.split(b, 3, -1)
        r, z = sigmoid(r + s), sigmoid(z + y)
        return (1 - z) * np.tanh(n + r * m) + z * h, c
    i, f, g, o = np.split(a + b, 4, -1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def reference(
    kind: str, x: np.ndarray, weights: Any, h: np.ndarray, c: np.ndarray, lengths: Any, ways: int
) -> Any:
    h, c = h.copy(), c.copy()
    for layer in range(len(weights) // ways):
        found = np.zeros((*x.shape[:2], ways * UNITS))
        for way in range(ways):
            k = layer * ways + way
            for row in range(x.shape[1]):
                times = range(lengths[row])
                for t in reversed(times) if way else times:
                    new = step(kind, x[t, row], h[k, row], c[k, row], weights[k])
                    h[k, row], c[k, row] = new
                    found[t, row, way * UNITS : (way + 1) * UNITS] = h[k, row]
        x = found
    return x, h, c


def weights_of(kind: str, layers: int, ways: int) -> list[tuple[np.ndarray, ...]]:
    rows = GATES[kind] * UNITS
    return [
        tuple(
            0.5 * RNG.normal(size=size)
            for size in ((rows, INPUTS if k < ways else ways * UNITS), (rows, UNITS), (rows,), (rows,))
        )
        for k in range(layers * ways)
    ]


def flat(found: Any) -> list[np.ndarray]:
    outputs, state = found
    return [np.asarray(each) for each in (outputs, *(state if isinstance(state, tuple) else (state,)))]


@pytest.mark.parametrize("kind", GATES)
@pytest.mark.parametrize(
    ("layers", "ways", "bounded"), [(1, 1, False), (2, 2, True), (2, 1, False), (1, 2, True)]
)
def test_layers(kind: str, layers: int, ways: int, bounded: bool) -> None:
    """Stacks in both directions take a second or two to compile."""
    weights = weights_of(kind, layers, ways)
    x = RNG.normal(size=(TIME, BATCH, INPUTS))
    h, c = RNG.normal(size=(2, layers * ways, BATCH, UNITS))
    lengths = np.array([6, 2, 4]) if bounded else np.full(BATCH, TIME)
    outputs, after, memory = reference(kind, x, weights, h, c, lengths, ways)
    expected = [outputs, after, memory] if kind == "lstm" else [outputs, after]
    state = (h, c) if kind == "lstm" else h
    options = {"bidirectional": ways == 2, "lengths": lengths if bounded else None}
    function = getattr(nn, kind)
    for ours, wanted in zip(flat(function(jf.asarray(x), weights, state, **options)), expected, strict=True):
        np.testing.assert_allclose(ours, wanted, atol=1e-12)
    jitted = jf.jit(lambda x, weights, state: function(x, weights, state, batch_first=True, **options))
    found = flat(jitted(x.swapaxes(0, 1).copy(), weights, state))
    np.testing.assert_allclose(found[0], outputs.swapaxes(0, 1), atol=1e-12)
    np.testing.assert_allclose(found[1], after, atol=1e-12)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_many_rows_are_multiplied_in_the_steps(kind: str) -> None:
    """Both directions, and a result that is needed whole as well."""
    units, inputs, steps, batch = 96, 90, 4, 17
    rows = GATES[kind] * units
    weights = [
        tuple(0.2 * RNG.normal(size=size) for size in ((rows, inputs), (rows, units), (rows,), (rows,)))
        for _ in range(2)
    ]
    x = RNG.normal(size=(steps, batch, inputs))
    expected = np.zeros((steps, batch, 2 * units))
    for way in range(2):
        h = c = np.zeros((batch, units))
        for t in reversed(range(steps)) if way else range(steps):
            h, c = step(kind, x[t], h, c, weights[way])
            expected[t, :, way * units : (way + 1) * units] = h
    layer = jf.jit(lambda x, weights: getattr(nn, kind)(x, weights, bidirectional=True)[0])
    np.testing.assert_allclose(layer(x, weights), expected, atol=1e-12)
    few = jf.jit(lambda x, weights: getattr(nn, kind)(x[:, :3], weights, bidirectional=True)[0])
    np.testing.assert_allclose(few(x, weights), expected[:, :3], atol=1e-12)
    if host_machine().fast_products:
        kernels = layer.explain(x, weights).kernels
        assert sum(len(each.launches) for each in kernels if each.name == "panel_dot") == 4


@pytest.mark.skipif(not host_machine().fast_products, reason="this processor's registers are narrower")
@pytest.mark.parametrize(("batch", "units", "in_steps"), [(20, 32, True), (20, 132, False), (130, 132, True)])
def test_weights_that_a_few_rows_would_read_again_are_multiplied_before(
    batch: int, units: int, in_steps: bool
) -> None:
    """Products of all steps read large weights once; steps of many rows make theirs, as with small ones."""
    sizes = (4 * units, 128), (4 * units, units)
    weights = [tuple(0.2 * RNG.normal(size=size) for size in sizes)]
    x = RNG.normal(size=(3, batch, 128))
    layer = jf.jit(lambda x, weights: nn.lstm(x, weights)[0])
    h = c = np.zeros((batch, units))
    for t, found in enumerate(layer(x, weights)):
        h, c = step("lstm", x[t], h, c, (*weights[0], 0, 0))
        np.testing.assert_allclose(found, h, atol=1e-12)
    kernels = layer.explain(x, weights).kernels
    before = [each.name for each in kernels if each.name.startswith("packed_dot")]
    assert len(before) == (0 if in_steps else 1), before


def test_a_product_that_others_read_is_made_once() -> None:
    x, w = RNG.normal(size=(5, 20, 64)), RNG.normal(size=(256, 64))

    @jf.jit
    def both(x: Any, w: Any) -> Any:
        products = (x.reshape(100, 64) @ w.T).reshape(5, 20, 256)
        total = np.zeros((20, 256))
        for t in range(5):
            total = total * 0.5 + products[t]
        return total, products

    total, products = both(x, w)
    true, wanted = x @ w.T, np.zeros((20, 256))
    for each in true:
        wanted = wanted * 0.5 + each
    np.testing.assert_allclose(total, wanted, atol=1e-11)
    np.testing.assert_allclose(products, true, atol=1e-11)


def test_without_biases_states_or_steps() -> None:
    for kind, count in GATES.items():
        ((w_x, w_h, *_),) = weights_of(kind, 1, 1)
        zeros = np.zeros(count * UNITS)
        x = RNG.normal(size=(TIME, BATCH, INPUTS)).astype("f4")
        none = np.zeros((1, BATCH, UNITS))
        expected, *_ = reference(kind, x, [(w_x, w_h, zeros, zeros)], none, none, [TIME] * BATCH, 1)
        found = getattr(nn, kind)(x, [(w_x.astype("f4"), w_h.astype("f4"))])[0]
        assert found.dtype == np.float32
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-5)
        empty, state = getattr(nn, kind)(x[:0], [(w_x, w_h)])
        assert empty.shape == (0, BATCH, UNITS)
        assert not np.asarray(state[0] if kind == "lstm" else state).any()


def test_relu() -> None:
    w_x, w_h = RNG.normal(size=(UNITS, INPUTS)), 0.1 * RNG.normal(size=(UNITS, UNITS))
    x, h = RNG.normal(size=(2, BATCH, INPUTS)), np.zeros((BATCH, UNITS))
    for t in range(2):
        h = np.maximum(x[t] @ w_x.T + h @ w_h.T, 0)
    np.testing.assert_allclose(nn.rnn(x, [(w_x, w_h)], nonlinearity="relu")[1].numpy()[0], h, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    """Slow: devices compile a dozen kernels."""
    name = require(device).device.name
    x, lengths = RNG.normal(size=(TIME, BATCH, INPUTS)), np.array([6, 2, 4], np.int32)
    none = np.zeros((2, BATCH, UNITS))
    for kind in GATES:
        weights = weights_of(kind, 1, 2)
        expected, *_ = reference(kind, x, weights, none, none, lengths, 2)
        small = [tuple(np.float32(one) for one in each) for each in weights]
        program = jf.jit(
            lambda x, w, n, kind=kind: getattr(nn, kind)(x, w, lengths=n, bidirectional=True)[0], device=name
        )
        np.testing.assert_allclose(program(np.float32(x), small, lengths), expected, atol=1e-5)


def test_what_does_not_fit_is_said() -> None:
    weights, x = weights_of("lstm", 1, 1), RNG.normal(size=(TIME, BATCH, INPUTS))
    for call, kind, message in (
        (
            lambda: nn.lstm(x[0], weights),
            ShapeError,
            "lstm: x is [time, batch, inputs], and has the shape (3, 5)",
        ),
        (lambda: nn.lstm(x, []), ArgumentError, "weights is a list with (w_x, w_h) or"),
        (lambda: nn.lstm(x, weights, bidirectional=True), ArgumentError, "for each layer and direction"),
        (lambda: nn.gru(x, weights), ShapeError, "gru: w_x of layer 0 is (12, 5), and has the shape (16, 5)"),
        (lambda: nn.lstm(x, weights, np.zeros(3)), ArgumentError, "state is a pair of h and c"),
        (lambda: nn.lstm(x, weights, (x, x)), ShapeError, "a state is [layers and directions, batch, units]"),
        (lambda: nn.lstm(x, weights, lengths=[1, 2]), ShapeError, "an integer for each of the 3 rows"),
        (lambda: nn.lstm(x * 1j, weights), DTypeError, "are real, not complex128"),
        (lambda: nn.rnn(x, weights, nonlinearity="x"), ArgumentError, "nonlinearity must be"),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert message in str(caught.value)
