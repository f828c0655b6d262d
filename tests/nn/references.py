"""What functions of `jf.nn` compute, by NumPy and SciPy in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as special

import jitframe as jf

Array = Any
Case = tuple[str, Callable[..., Any], Callable[..., Any]]
"""A name, the call of ours and the reference, both of the same arrays."""


def standard(x: Array, axis: Any, eps: float) -> Array:
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps)


def silu(x: Array) -> Array:
    return x * special.expit(x)


def gelu(x: Array) -> Array:
    return x * special.ndtr(x)


def gelu_by_tanh(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def softplus(x: Array) -> Array:
    return np.logaddexp(0, x)


ACTIVATIONS: list[Case] = [
    ("sigmoid", jf.nn.sigmoid, special.expit),
    ("silu", jf.nn.silu, silu),
    ("gelu", jf.nn.gelu, gelu),
    ("gelu by tanh", lambda x: jf.nn.gelu(x, approximate="tanh"), gelu_by_tanh),
    ("relu", jf.nn.relu, lambda x: np.maximum(x, 0)),
    ("relu6", jf.nn.relu6, lambda x: np.clip(x, 0, 6)),
    ("leaky_relu", lambda x: jf.nn.leaky_relu(x, 0.2), lambda x: np.where(x > 0, x, 0.2 * x)),
    ("elu", lambda x: jf.nn.elu(x, 1.5), lambda x: np.where(x > 0, x, 1.5 * np.expm1(x))),
    (
        "selu",
        jf.nn.selu,
        lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    ),
    ("hardsigmoid", jf.nn.hardsigmoid, lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    ("hardswish", jf.nn.hardswish, lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    ("softplus", jf.nn.softplus, softplus),
    ("softplus of beta", lambda x: jf.nn.softplus(x, 2.0), lambda x: softplus(2 * x) / 2),
    ("softsign", jf.nn.softsign, lambda x: x / (1 + abs(x))),
    ("mish", jf.nn.mish, lambda x: x * np.tanh(softplus(x))),
    ("swiglu", lambda x: jf.nn.swiglu(x), lambda x: silu(x[..., :4]) * x[..., 4:]),
    ("swiglu of two", lambda x: jf.nn.swiglu(x, x[::-1]), lambda x: silu(x) * x[::-1]),
    ("geglu", lambda x: jf.nn.geglu(x, axis=0), lambda x: gelu(x[:3]) * x[3:]),
    (
        "geglu by tanh",
        lambda x: jf.nn.geglu(x, x[::-1], approximate="tanh"),
        lambda x: gelu_by_tanh(x) * x[::-1],
    ),
]
"""Of an array [6, 8]."""

SOFTMAX: list[Case] = [
    ("softmax", jf.nn.softmax, lambda x: special.softmax(x, -1)),
    ("softmax of rows", lambda x: jf.nn.softmax(x, 0), lambda x: special.softmax(x, 0)),
    ("softmax of all", lambda x: jf.nn.softmax(x, (0, 1)), special.softmax),
    ("masked", lambda x: jf.nn.softmax(x, where=x > 0), lambda x: masked_softmax(x, x > 0)),
    ("masked rows", lambda x: jf.nn.softmax(x, 0, where=x > 3), lambda x: masked_softmax(x.T, x.T > 3).T),
    ("log_softmax", jf.nn.log_softmax, lambda x: special.log_softmax(x, -1)),
    ("log_softmax of rows", lambda x: jf.nn.log_softmax(x, 0), lambda x: special.log_softmax(x, 0)),
    (
        "masked log_softmax",
        lambda x: jf.nn.log_softmax(x, where=x > 0),
        lambda x: logarithm(masked_softmax(x, x > 0)),
    ),
    ("logsumexp", jf.nn.logsumexp, lambda x: special.logsumexp(x, -1)),
    ("logsumexp of all", lambda x: jf.nn.logsumexp(x, None), special.logsumexp),
    (
        "logsumexp kept",
        lambda x: jf.nn.logsumexp(x, 0, keepdims=True),
        lambda x: special.logsumexp(x, 0, keepdims=True),
    ),
    (
        "masked logsumexp",
        lambda x: jf.nn.logsumexp(x, where=x > 3),
        lambda x: logarithm(np.where(x > 3, np.exp(x), 0).sum(-1)),
    ),
]


def logarithm(x: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.log(x)


def masked_softmax(x: Array, mask: Array) -> Array:
    powers = np.where(mask, np.exp(x - x.max()), 0)
    return powers / np.maximum(powers.sum(-1, keepdims=True), 1e-300)


def scale(x: Array) -> Array:
    """Weights that are made of the array itself: those of its last axis."""
    return x.reshape(-1, x.shape[-1])[0] + 2


def channels(x: Array) -> Array:
    return x[0].reshape(x.shape[1], -1)[:, 0] * 0.5 + 1


NORMS: list[Case] = [
    (
        "rms_norm",
        lambda x: jf.nn.rms_norm(x, scale(x)),
        lambda x: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale(x),
    ),
    (
        "layer_norm",
        lambda x: jf.nn.layer_norm(x, scale(x), scale(x) * 2),
        lambda x: standard(x, -1, 1e-5) * scale(x) + scale(x) * 2,
    ),
    (
        "layer_norm of two axes",
        lambda x: jf.nn.layer_norm(x, x[0], axis=(1, 2), eps=0.1),
        lambda x: standard(x, (1, 2), 0.1) * x[0],
    ),
    (
        "batch_norm",
        lambda x: jf.nn.batch_norm(x, weight=channels(x), bias=channels(x)),
        lambda x: standard(x, (0, 2), 1e-5) * channels(x)[:, None] + channels(x)[:, None],
    ),
    (
        "batch_norm as trained",
        lambda x: jf.nn.batch_norm(x, channels(x), channels(x) ** 2, eps=0.5),
        lambda x: (x - channels(x)[:, None]) / np.sqrt(channels(x)[:, None] ** 2 + 0.5),
    ),
    (
        "group_norm",
        lambda x: jf.nn.group_norm(x, 2, channels(x)),
        lambda x: standard(x.reshape(2, 2, 2, 8), (2, 3), 1e-5).reshape(2, 4, 8) * channels(x)[:, None],
    ),
    (
        "instance_norm",
        lambda x: jf.nn.instance_norm(x, bias=channels(x)),
        lambda x: standard(x, 2, 1e-5) + channels(x)[:, None],
    ),
]
"""Of an array [2, 4, 8]."""

LABELS = np.array([1, 7, 0, 3, 7, 2], "i4")
SHARES = special.softmax(np.arange(48.0).reshape(6, 8) % 5, -1).astype("f4")
LOGS = np.log(SHARES)


def chosen(x: Array) -> Array:
    return -special.log_softmax(x, -1)[np.arange(6), LABELS]


def huber(d: Array, delta: float) -> Array:
    return np.where(abs(d) < delta, d * d / 2, delta * (abs(d) - delta / 2))


def like(values: Array, x: Array) -> Array:
    return values.astype(x.dtype)


LOSSES: list[Case] = [
    ("cross_entropy", lambda x: jf.nn.cross_entropy(x, LABELS), lambda x: chosen(x).mean()),
    ("of columns", lambda x: jf.nn.cross_entropy(x.T, LABELS, axis=0, reduction="none"), chosen),
    (
        "weighted",
        lambda x: jf.nn.cross_entropy(x, LABELS, weight=like(np.arange(8.0), x)),
        lambda x: (chosen(x) * LABELS).sum() / LABELS.sum(),
    ),
    (
        "ignoring",
        lambda x: jf.nn.cross_entropy(x, LABELS, ignore_index=7),
        lambda x: chosen(x)[LABELS != 7].mean(),
    ),
    (
        "smoothed",
        lambda x: jf.nn.cross_entropy(x, LABELS, label_smoothing=0.2, reduction="sum"),
        lambda x: (0.8 * chosen(x) - 0.2 * special.log_softmax(x, -1).mean(-1)).sum(),
    ),
    (
        "of probabilities",
        lambda x: jf.nn.cross_entropy(x, like(SHARES, x), reduction="none"),
        lambda x: -(SHARES * special.log_softmax(x, -1)).sum(-1),
    ),
    ("nll_loss", lambda x: jf.nn.nll_loss(jf.nn.log_softmax(x), LABELS), lambda x: chosen(x).mean()),
    (
        "nll_loss ignoring",
        lambda x: jf.nn.nll_loss(jf.nn.log_softmax(x), LABELS, ignore_index=0, weight=like(np.ones(8), x)),
        lambda x: chosen(x)[LABELS != 0].mean(),
    ),
    ("mse_loss", lambda x: jf.nn.mse_loss(x, x[::-1]), lambda x: ((x - x[::-1]) ** 2).mean()),
    ("l1_loss", lambda x: jf.nn.l1_loss(x, x[::-1], reduction="sum"), lambda x: abs(x - x[::-1]).sum()),
    (
        "huber_loss",
        lambda x: jf.nn.huber_loss(x, x[::-1], delta=0.7, reduction="none"),
        lambda x: huber(x - x[::-1], 0.7),
    ),
    (
        "binary_cross_entropy",
        lambda x: jf.nn.binary_cross_entropy(jf.nn.sigmoid(x), like(SHARES, x)),
        lambda x: (softplus(x) - SHARES * x).mean(),
    ),
    (
        "with logits",
        lambda x: jf.nn.binary_cross_entropy_with_logits(x, like(SHARES, x), reduction="none"),
        lambda x: softplus(x) - SHARES * x,
    ),
    (
        "with logits, weighted",
        lambda x: jf.nn.binary_cross_entropy_with_logits(x, like(SHARES, x), positive_weight=3.0),
        lambda x: (softplus(-x) * 3 * SHARES + softplus(x) * (1 - SHARES.astype("f8"))).mean(),
    ),
    (
        "kl_div",
        lambda x: jf.nn.kl_div(jf.nn.log_softmax(x), like(SHARES, x), reduction="none"),
        lambda x: special.rel_entr(SHARES, special.softmax(x, -1)),
    ),
    (
        "kl_div of logarithms",
        lambda x: jf.nn.kl_div(jf.nn.log_softmax(x), like(LOGS, x), log_target=True),
        lambda x: special.rel_entr(np.exp(LOGS.astype("f8")), special.softmax(x, -1)).mean(),
    ),
    (
        "cosine_similarity",
        lambda x: jf.nn.cosine_similarity(x, x[::-1]),
        lambda x: (x * x[::-1]).sum(-1) / np.linalg.norm(x, axis=-1) / np.linalg.norm(x[::-1], axis=-1),
    ),
]
"""Of an array [6, 8]."""

ROWS = np.array([[2, 0], [5, 2]], "i4")
HELD = np.array([[True, False, True, True], [False, False, False, False]])


ANGLES = np.arange(9)[:, None] * 100.0 ** (-np.arange(4) / 4)
TABLES = np.cos(ANGLES).astype("f4"), np.sin(ANGLES).astype("f4")


def rotated(x: Array, offset: int, interleaved: bool) -> Array:
    half = x.shape[-1] // 2
    places = slice(offset, offset + x.shape[-2])
    turn = TABLES[0][places] + 1j * TABLES[1][places]
    if interleaved:
        made = (x[..., ::2] + 1j * x[..., 1::2]) * turn
        return np.stack([made.real, made.imag], -1).reshape(x.shape)
    made = (x[..., :half] + 1j * x[..., half:]) * turn
    return np.concatenate([made.real, made.imag], -1)


LAYERS: list[Case] = [
    ("linear", lambda x: jf.nn.linear(x, x[0], x[1, :, 0]), lambda x: x @ x[0].T + x[1, :, 0]),
    ("embedding", lambda x: jf.nn.embedding(ROWS, x.reshape(-1, 8)), lambda x: x.reshape(-1, 8)[ROWS]),
    ("one_hot", lambda x: jf.nn.one_hot(ROWS, 5, dtype=x.dtype), lambda x: ROWS[..., None] == np.arange(5)),
    (
        "one_hot first",
        lambda x: jf.nn.one_hot(ROWS, 5, axis=0, dtype=x.dtype),
        lambda x: np.arange(5)[:, None, None] == ROWS,
    ),
    ("mean_pool", jf.nn.mean_pool, lambda x: x.mean(-2)),
    (
        "masked mean_pool",
        lambda x: jf.nn.mean_pool(x, HELD),
        lambda x: np.where(HELD[..., None], x, 0).sum(1) / np.maximum(HELD.sum(1), 1)[:, None],
    ),
    ("max_pool", lambda x: jf.nn.max_pool(x, axis=0), lambda x: x.max(0)),
    (
        "masked max_pool",
        lambda x: jf.nn.max_pool(x, HELD),
        lambda x: np.where(HELD[..., None], x, -np.inf).max(1),
    ),
    ("rotary", lambda x: jf.nn.rotary(x, *TABLES), lambda x: rotated(x, 0, False)),
    ("rotary later", lambda x: jf.nn.rotary(x, *TABLES, offset=5), lambda x: rotated(x, 5, False)),
    (
        "rotary of neighbours",
        lambda x: jf.nn.rotary(x, *TABLES, positions=[3, 4, 5, 6], interleaved=True),
        lambda x: rotated(x, 3, True),
    ),
    (
        "keep_top_k",
        lambda x: jf.nn.keep_top_k(x, 3),
        lambda x: np.where(x >= np.sort(x)[..., -3:-2], x, -np.inf),
    ),
    ("keep_top_p", lambda x: jf.nn.keep_top_p(x, 0.5), lambda x: top_p(x, 0.5)),
    ("likeliest", lambda x: jf.nn.sample(x, temperature=0), lambda x: x.argmax(-1)),
    ("no dropout", lambda x: jf.nn.dropout(x, 0.5, training=False), lambda x: x),
]
"""Of an array [2, 4, 8]."""


def top(x: Array, k: int) -> Array:
    return np.where(x >= np.sort(x)[..., -k, None], x, -np.inf)


def top_p(x: Array, p: float) -> Array:
    ordered = -np.sort(-x)
    shares = special.softmax(ordered, -1)
    count = (np.cumsum(shares, -1) - shares < p).sum(-1, keepdims=True)
    return np.where(x >= np.take_along_axis(ordered, count - 1, -1), x, -np.inf)
