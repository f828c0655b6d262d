"""Attention against NumPy: grouped heads, masks, windows, offsets, strides; and caches for decoding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.conformance.devices import require

attend = jf.nn.scaled_dot_product_attention


def reference(
    q: Any, keys: Any, values: Any, mask: Any = None, bias: Any = None, scale: Any = None,
    causal: bool = False, window: int | None = None, offset: int | None = None,
) -> Any:  # fmt: skip
    """In float64, with the scores in memory."""
    q, keys, values = (np.asarray(each, "f8") for each in (q, keys, values))
    if q.ndim > 2:
        keys, values = (np.repeat(each, q.shape[-3] // keys.shape[-3], -3) for each in (keys, values))
    scores = q @ keys.swapaxes(-1, -2) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    scores = scores if bias is None else scores + bias
    queries, number = scores.shape[-2:]
    seen = np.ones((queries, number), bool) if mask is None else mask
    if causal:
        first = number - queries if offset is None else offset
        place = first + np.arange(queries)[:, None] - np.arange(number)
        seen = seen & (place >= 0) & (place < (window or number + first + queries))
    scores = np.where(seen, scores, -np.inf)
    top = scores.max(-1, keepdims=True, initial=-np.inf)
    powers = np.exp(scores - np.where(top == -np.inf, 0, top))
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ values


def drawn(*shape: int, dtype: str = "f4", seed: int = 0) -> np.ndarray:
    return np.random.default_rng((seed, *shape)).normal(size=shape).astype(dtype)


def operands(
    batch: int, heads: int, shared: int, queries: int, number: int, depth: int, width: int,
    dtype: str = "f4",
) -> list[np.ndarray]:  # fmt: skip
    return [
        drawn(batch, heads * shared, queries, depth, dtype=dtype),
        drawn(batch, heads, number, depth, dtype=dtype, seed=1),
        drawn(batch, heads, number, width, dtype=dtype, seed=2),
    ]


SHAPES = [
    (2, 2, 2, 70, 700, 16, 20),
    (1, 1, 1, 130, 40, 8, 37),
    (1, 1, 1, 3, 9, 3, 2),
    (2, 1, 3, 1, 130, 8, 8),
    (1, 2, 1, 65, 64, 4, 4),
]
OPTIONS: list[dict[str, Any]] = [
    {}, {"causal": True}, {"causal": True, "window": 5, "scale": 0.2}, {"causal": True, "offset": 2},
    {"mask": True}, {"bias": True}, {"mask": True, "bias": True, "causal": True},
]  # fmt: skip


def with_arrays(options: dict[str, Any], q: np.ndarray, keys: np.ndarray) -> dict[str, Any]:
    """The options, with a mask that one axis of heads has, and a bias of each head."""
    made = dict(options)
    scores = (q.shape[-2], keys.shape[-2])
    if "mask" in options:
        made["mask"] = drawn(q.shape[0], 1, *scores) > -0.5
        made["mask"][..., 0, :] = False
    if "bias" in options:
        made["bias"] = drawn(q.shape[1], 1, scores[1], dtype=str(q.dtype))
    return made


@pytest.mark.parametrize("name", ["cpu", "opencl", "webgpu"])
def test_attention_is_numpys(name: str) -> None:
    """Seconds on devices: a kernel for each kind of mask and number of queries."""
    device = require(name).device.name
    for shape in SHAPES if name == "cpu" else SHAPES[:2]:
        q, keys, values = operands(*shape)
        for options in OPTIONS:
            given = with_arrays(options, q, keys)
            found = attend(
                *(jf.asarray(each, device=device) for each in (q, keys, values)),
                **{
                    key: jf.asarray(value, device=device) if isinstance(value, np.ndarray) else value
                    for key, value in given.items()
                },
            )
            wanted = reference(q, keys, values, **given)
            np.testing.assert_allclose(
                found.numpy(), wanted, rtol=1e-5, atol=3e-6, err_msg=str((shape, options))
            )


@pytest.mark.parametrize(("dtype", "tolerance"), [("f2", 3e-3), ("f8", 1e-12)])
def test_other_dtypes_inside_jit(dtype: str, tolerance: float) -> None:
    q, keys, values = operands(1, 2, 2, 40, 150, 8, 8, dtype)
    found = jf.jit(lambda q, k, v: attend(q, k, v, causal=True))(q, keys, values)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, reference(q, keys, values, causal=True), rtol=tolerance, atol=tolerance)


def test_it_reads_operands_where_they_lie() -> None:
    """Heads that are axes of one product, in another order: no copies, one kernel of keys, one of queries."""
    x = drawn(2, 50, 3 * 4 * 8)

    def program(x: Any) -> Any:
        q, keys, values = x.reshape(2, 50, 3, 4, 8).transpose(2, 0, 3, 1, 4)
        return attend(q, keys, values)

    apart = x.reshape(2, 50, 3, 4, 8).transpose(2, 0, 3, 1, 4)
    np.testing.assert_allclose(jf.jit(program)(x), reference(*apart), rtol=1e-5, atol=2e-6)
    assert len(jf.jit(program).explain(x).kernels) == 2
    one = drawn(30, 6)
    np.testing.assert_allclose(attend(one, one, one).numpy(), reference(one, one, one), rtol=1e-5, atol=2e-6)
    turned = np.asfortranarray(one)[:, ::2]
    found = attend(turned, turned, turned, mask=np.eye(30, dtype=bool))
    np.testing.assert_allclose(found.numpy(), turned, rtol=1e-6)


def test_scores_are_never_in_memory() -> None:
    """What the plan takes beside its operands is far below what the scores would take."""
    q, keys, values = operands(1, 1, 1, 2048, 2048, 8, 8)
    jitted = jf.jit(lambda q, k, v: attend(q, k, v, causal=True))
    estimate = jf.estimate_memory(jitted, q, keys, values)
    assert estimate["cpu"].peak_bytes < 1 << 20 < 4 * 2048 * 2048


def test_sizes_and_positions_compile_nothing() -> None:
    calls = jf.jit(lambda q, k, v, offset: attend(q, k, v, causal=True, offset=offset))
    compiled = []
    for number, offset in ((200, 3), (333, 150), (1000, 77)):
        q, keys, values = operands(1, 2, 1, 20, number, 8, 8)
        found = calls(q, keys, values, offset)
        wanted = reference(q, keys, values, causal=True, offset=offset)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=2e-6)
        compiled.append(calls.explain(q, keys, values, offset).kernels)
    assert [each.source("kernel") for each in compiled[0]] == [each.source("kernel") for each in compiled[2]]


def test_empty_ones_and_extremes() -> None:
    q, keys, values = operands(1, 1, 1, 9, 0, 4, 3)
    assert attend(q, keys, values).numpy().tolist() == np.zeros((1, 1, 9, 3)).tolist()
    assert attend(q[:, :, :0], q, q).shape == (1, 1, 0, 4)
    large = q * 1e4
    found, wanted = attend(large, large, q).numpy(), reference(large, large, q)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    q[0, 0, 3, 1] = np.nan
    found = attend(q, np.ones((1, 1, 5, 4), "f4"), np.ones((1, 1, 5, 2), "f4")).numpy()
    assert np.isnan(found[0, 0, 3]).all() and (found[0, 0, :3] == 1).all()


def test_in_place_and_fused_with_what_is_around() -> None:
    q, keys, values = operands(1, 2, 1, 12, 12, 4, 4)
    wanted = reference(q * 2, keys, values) + 1
    found = (attend(jf.asarray(q) * 2, keys, values) + 1).numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=2e-6)
    given = q.copy()
    attend(given, keys, values, out=given)
    np.testing.assert_allclose(given, reference(q, keys, values), rtol=1e-5, atol=2e-6)


SAYS = [
    (
        lambda q: attend(q, q[0], q),
        "ShapeError",
        "query is float32[2, 4, 5, 6], key is float32[4, 5, 6]",
    ),
    (
        lambda q: attend(q, q[:, :3], q[:, :3]),
        "ShapeError",
        "where the key heads divide the heads",
    ),
    (
        lambda q: attend(q, q, q.astype("f8")),
        "DTypeError",
        "value is float64[2, 4, 5, 6]; they have one dtype",
    ),
    (
        lambda q: attend(q, q, q, mask=np.ones((5, 4), bool)),
        "ShapeError",
        "mask is bool[5, 4], and does not broadcast to the scores, (2,4,5,5)",
    ),
    (
        lambda q: attend(q, q, q, mask=np.ones((5, 5))),
        "DTypeError",
        "mask is float64[5, 5], and it takes bools",
    ),
    (
        lambda q: attend(q, q, q, bias=np.ones((5, 5), bool)),
        "DTypeError",
        "bias is bool[5, 5], and it takes floats",
    ),
    (
        lambda q: attend(q, q, q, window=3),
        "ArgumentError",
        "window= goes with causal=True",
    ),
    (
        lambda q: attend(q, q, q, causal=True, offset=-1),
        "ArgumentError",
        "offset must not be negative",
    ),
    (
        lambda q: jf.nn.write_to_cache(q, q[0], 0),
        "ShapeError",
        "they take [..., tokens, depth] and [..., capacity, depth]",
    ),
    (
        lambda q: jf.nn.write_to_cache(q, q, 1),
        "BoundsError",
        "5 tokens from position 1 on go beyond the 5 of cache",
    ),
]


@pytest.mark.parametrize("number", range(len(SAYS)))
def test_errors_name_what_was_given(number: int) -> None:
    function, kind, said = SAYS[number]
    for q in (drawn(2, 4, 5, 6), jf.asarray(drawn(2, 4, 5, 6))):
        with pytest.raises(getattr(jf.errors, kind)) as raised:
            function(q)
        assert said in str(raised.value)


def test_decoding_with_a_cache_gives_what_all_tokens_at_once_give() -> None:
    """A jitted step for one token after another, which writes to its caches and is traced once."""
    tokens, capacity = 12, 32
    q, keys, values = operands(1, 2, 2, tokens, tokens, 8, 8)
    wanted = reference(q, keys, values, causal=True)

    def step(q: Any, k: Any, v: Any, cache: Any, offset: Any) -> Any:
        jf.nn.write_to_cache(cache[0], k, offset)
        jf.nn.write_to_cache(cache[1], v, offset)
        return attend(q, cache[0], cache[1], causal=True, offset=offset)

    jitted, cache = jf.jit(step), np.full((2, 1, 2, capacity, 8), np.nan, "f4")
    found = [jitted(q[:, :, :5], keys[:, :, :5], values[:, :, :5], cache, np.int64(0))]
    for t in range(5, tokens):
        one = slice(t, t + 1)
        found.append(jitted(q[:, :, one], keys[:, :, one], values[:, :, one], cache, np.int64(t)))
    np.testing.assert_allclose(np.concatenate(found, 2), wanted, rtol=1e-5, atol=2e-6)
    assert jitted.stats()["traces"] == 2
    tensor = jf.zeros((3, 2), dtype="float32")
    jf.nn.write_to_cache(tensor, [[1.0, 2.0]], 1)
    assert tensor.tolist() == [[0, 0], [1, 2], [0, 0]]


@pytest.mark.parametrize("device", ["cpu", "opencl", "webgpu"])
def test_a_vectorized_function_attends_in_all_rows_at_once(device: str) -> None:
    """Rows with masks of their own, and at positions of their own: one attention, no loop."""
    name = require(device).device.name
    q, keys, values = operands(5, 2, 2, 6, 7, 3, 4)
    masks, offsets = drawn(5, 6, 7) > -1, np.arange(5, dtype=np.int32)

    @jf.vectorize(signature="(h,t,d),(k,s,d),(k,s,e),(t,s),()->(h,t,e)")
    def attended(q: Any, keys: Any, values: Any, mask: Any, offset: Any) -> Any:
        return attend(q, keys, values, mask=mask, causal=True, offset=offset)

    program = jf.jit(lambda *given: attended(*given), device=name)
    found = program(q, keys, values, masks, offsets)
    for row in range(5):
        wanted = reference(q[row], keys[row], values[row], masks[row], causal=True, offset=int(offsets[row]))
        np.testing.assert_allclose(found[row], wanted, atol=2e-6)
    text = str(program.explain(q, keys, values, masks, offsets))
    assert "attention(" in text and "for index in" not in text
