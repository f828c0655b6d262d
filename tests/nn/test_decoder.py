"""The transformer of the examples, layer by layer against NumPy, at once and token after token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.conformance.devices import require
from tests.examples.loading import module_of
from tests.nn.test_attention import reference

PATH = Path(__file__).resolve().parents[2] / "examples" / "15_transformer.py"


@pytest.fixture(scope="module")
def example() -> Any:
    return module_of(PATH, "transformer_example")


def norm(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * weight


def rotated(x: np.ndarray) -> np.ndarray:
    half = x.shape[-1] // 2
    turn = np.exp(1j * np.arange(x.shape[-2])[:, None] * 10000.0 ** (-np.arange(half) / half))
    made = (x[..., :half] + 1j * x[..., half:]) * turn
    return np.concatenate([made.real, made.imag], -1)


def layers_by_numpy(example: Any, tokens: np.ndarray, weights: Any, shape: Any) -> list[np.ndarray]:
    """What each layer gives, in float64, then the logits after each token."""
    x = weights["tokens"][tokens].astype("f8")
    found = [x]
    for layer in weights["layers"]:
        seen = norm(x, layer["norm_1"])
        q, k, v = (example.in_heads(seen @ layer[name].T, shape.depth) for name in ("query", "key", "value"))
        heads = reference(rotated(q), rotated(k), v, causal=True, window=shape.window)
        x = x + heads.transpose(1, 0, 2).reshape(x.shape) @ layer["result"].T
        seen = norm(x, layer["norm_2"])
        gate = seen @ layer["gate"].T
        x = x + (gate / (1 + np.exp(-gate)) * (seen @ layer["up"].T)) @ layer["down"].T
        found.append(x)
    return [*found, norm(x, weights["norm"]) @ weights["logits"].T]


@pytest.mark.parametrize("name", ["cpu", "opencl"])
def test_layers_are_numpys_and_so_are_tokens_one_by_one(example: Any, name: str) -> None:
    """Seconds: a device compiles two programs of two layers."""
    device = require(name).device.name
    shape = example.Shape(
        vocabulary=50, width=32, hidden=40, layers=2, heads=4, key_heads=2, window=7, capacity=24
    )
    weights = example.draw_weights(shape, seed=3)
    tokens = np.random.default_rng(4).integers(0, 50, 20).astype("i4")
    tables = tuple(each.numpy() for each in jf.nn.rotary_tables(24, shape.depth, device="cpu"))
    wanted = layers_by_numpy(example, tokens, weights, shape)
    cache = np.zeros((2, 2, 2, 24, shape.depth), "f4")

    def by_layers(tokens: Any, weights: Any, cache: Any, tables: Any) -> Any:
        x = jf.nn.embedding(tokens, weights["tokens"])
        found = [x]
        for number, layer in enumerate(weights["layers"]):
            x = example.run_layer(x, layer, cache[number], tables, 0, shape)
            found.append(x)
        return found

    found = jf.jit(by_layers, device=device)(tokens, weights, cache, tables)
    for number, (ours, theirs) in enumerate(zip(found, wanted, strict=False)):
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-5, err_msg=f"layer {number}")

    model = jf.jit(lambda *given: example.run_model(*given, shape), device=device)
    step = np.zeros_like(cache)
    logits = [model(tokens[:9], weights, step, tables, np.int32(0))]
    for position in range(9, 20 if name == "cpu" else 12):
        logits.append(model(tokens[position : position + 1], weights, step, tables, np.int32(position)))
    np.testing.assert_allclose(logits, wanted[-1][8 : 8 + len(logits)], rtol=1e-4, atol=1e-4)
    assert model.stats()["traces"] == 2
