"""The rows of neural networks: layers and small networks, with weights that peers may prepare once."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import formulas
from . import network_formulas as layers
from .case import Case, Reach, network_of, uniform

PEERS = ("jitframe", "limit", "jax", "torch", "torch.compile", "onnxruntime")
REMARK = "`limit`: streaming-store triad of as many bytes as the weights have"
OTHERS = ("jax", "torch", "torch.compile", "onnxruntime")


def _of_the_best(factor: float) -> tuple[Reach, ...]:
    return (Reach(f"{factor:g} of the fastest peer", OTHERS, factor),)


def _sized(seed: int, *shape: int, inputs: int) -> np.ndarray:
    """Weights that keep values near 1."""
    reach = (3 / inputs) ** 0.5
    return uniform(*shape, low=-reach, high=reach, seed=seed)


def _heads(*shape: int) -> tuple[np.ndarray, ...]:
    return tuple(uniform(*shape, low=-2, high=2, seed=seed) for seed in range(3))


def _filters(count: int, channels: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    weight = _sized(1, count, channels, size, size, inputs=channels * size * size)
    return weight, uniform(count, low=-0.1, high=0.1, seed=2)


def _convolution(
    name: str, shape: tuple[int, ...], count: int, size: int, *, stride: int = 1, depthwise: bool = False
) -> Case:
    batch, channels, *space = shape
    images = f"{batch} x " if batch > 1 else ""
    kind = f"depthwise {size} x {size}" if depthwise else f"{count} of {size} x {size}"
    return Case(
        name,
        f"{images}{channels} x {space[0]} x {space[1]}, {kind}{', stride 2' if stride == 2 else ''}",
        layers.convolution if stride == 1 else layers.convolution_of_stride_2,
        lambda: (uniform(*shape, low=-1), *_filters(count, 1 if depthwise else channels, size)),
        _of_the_best(1.0),
        relative_tolerance=1e-4,
        absolute_tolerance=2e-5,
        weights=2,
    )


def _channels_last(name: str, height: int, channels: int, size: int) -> Case:
    return Case(
        name,
        f"{height} x {height} x {channels} with channels last, depthwise {size} x {size}",
        layers.channels_last_convolution,
        lambda: (uniform(1, height, height, channels, low=-1), *_filters(channels, 1, size)),
        _of_the_best(1.0),
        relative_tolerance=1e-4,
        absolute_tolerance=2e-5,
        weights=2,
    )


def _linear(seed: int, outputs: int, inputs: int) -> tuple[np.ndarray, np.ndarray]:
    return _sized(seed, outputs, inputs, inputs=inputs), uniform(outputs, low=-0.1, high=0.1, seed=seed + 1)


def _norm(seed: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    return uniform(width, low=0.5, high=1.5, seed=seed), uniform(width, low=-0.1, high=0.1, seed=seed + 1)


def block_arguments(tokens: int, width: int, hidden: int) -> tuple[np.ndarray, ...]:
    weights = [
        *_norm(1, width), *_linear(3, 3 * width, width), *_linear(5, width, width), *_norm(7, width),
        *_linear(9, hidden, width), *_linear(11, width, hidden),
    ]  # fmt: skip
    return uniform(tokens, width, low=-1), *weights


def encoder_arguments(batch: int, tokens: int, depth: int = 6, width: int = 384) -> tuple[np.ndarray, ...]:
    """Sentences of different lengths."""
    mask = np.arange(tokens) < np.linspace(tokens, tokens / 2, batch)[:, None]
    weights: list[np.ndarray] = []
    for layer in range(depth):
        seed = 100 * (layer + 1)
        weights += [*_linear(seed, 3 * width, width), *_linear(seed + 2, width, width)]
        weights += _norm(seed + 4, width)
        weights += [*_linear(seed + 6, 4 * width, width), *_linear(seed + 8, width, 4 * width)]
        weights += _norm(seed + 10, width)
    return uniform(batch, tokens, width, low=-1), mask.astype(np.int64), *weights


def lstm_arguments(steps: int, batch: int, units: int) -> tuple[np.ndarray, ...]:
    (w_x, b_x), (w_h, b_h) = _linear(1, 4 * units, units), _linear(3, 4 * units, units)
    return uniform(steps, batch, units, low=-1), w_x, w_h, b_x, b_h


def int4_arguments(rows: int, inputs: int) -> tuple[np.ndarray, ...]:
    packed = np.random.default_rng(1).integers(0, 256, (rows, inputs // 2)).astype(np.uint8)
    return uniform(inputs, low=-1), packed, uniform(rows, inputs // layers.GROUP, low=1e-3, high=1e-2, seed=2)


def _row(name: str, title: str, function: Any, arguments: Any, factor: float, **more: Any) -> Case:
    tolerances = {"relative_tolerance": 1e-4, "absolute_tolerance": 2e-5}
    return Case(name, title, function, arguments, _of_the_best(factor), **(tolerances | more))


CASES: tuple[Case, ...] = (
    _row("attend1", "attention, 1 head, 1,024 tokens, depth 64", layers.attention,
         lambda: _heads(1, 1024, 64), 0.9),
    _row("attend8", "attention, 8 heads", layers.attention, lambda: _heads(8, 1024, 64), 0.9),
    _row("attend-causal", "the same, causal", layers.causal_attention, lambda: _heads(8, 1024, 64), 0.9),
    _convolution("conv", (8, 32, 56, 56), 64, 3),
    # layers of ResNet-18
    _convolution("resnet-7x7", (1, 3, 224, 224), 64, 7, stride=2),
    _convolution("resnet-56", (1, 64, 56, 56), 64, 3),
    _convolution("resnet-28", (1, 128, 28, 28), 128, 3),
    _convolution("resnet-14", (1, 256, 14, 14), 256, 3),
    _convolution("resnet-7", (1, 512, 7, 7), 512, 3),
    _convolution("resnet-half", (1, 64, 56, 56), 128, 3, stride=2),
    # layers of MobileNet
    _convolution("mobile-112", (1, 32, 112, 112), 32, 3, depthwise=True),
    _convolution("mobile-half", (1, 96, 112, 112), 96, 3, stride=2, depthwise=True),
    _convolution("mobile-14", (1, 384, 14, 14), 384, 3, depthwise=True),
    _convolution("mobile-7", (1, 960, 7, 7), 960, 3, depthwise=True),
    _convolution("mobile-wide", (1, 24, 56, 56), 144, 1),
    _convolution("mobile-narrow", (1, 576, 14, 14), 96, 1),
    _convolution("mobile-last", (1, 160, 7, 7), 960, 1),
    _channels_last("last-56", 56, 128, 3),
    _channels_last("last-7", 7, 960, 3),
    _row("mlp64", "network 784-512-512-10 with relu and softmax, batch of 64", formulas.mlp,
         lambda: network_of(64, 784, 512, 512, 10), 0.95, weights=6),
    _row("gelu256", "256 x 256 x 256 matmul + bias + gelu", formulas.dense_gelu,
         lambda: (uniform(256, 256, low=-1), _sized(1, 256, 256, inputs=256), uniform(256, seed=2)), 0.95,
         weights=2),
    _row("product1024", "1024 x 1024 x 1024 product", layers.product,
         lambda: (uniform(1024, 1024, low=-1), _sized(1, 1024, 1024, inputs=1024)), 0.85),
    _row("block", "transformer block, 128 tokens of 512, 8 heads, gelu of 2,048", layers.transformer_block,
         lambda: block_arguments(128, 512, 2048), 0.8, weights=12),
    _row("sentence", "an encoder as MiniLM, one sentence of 24 tokens", layers.encoder,
         lambda: encoder_arguments(1, 24), 1.0, weights=72, absolute_tolerance=1e-4),
    _row("sentences", "the same, 32 sentences of 64 tokens", layers.encoder,
         lambda: encoder_arguments(32, 64), 1.0, weights=72, absolute_tolerance=1e-4),
    _row("layernorm-rows", "layer norm, 4096 rows of 1024", formulas.layer_norm,
         lambda: (uniform(4096, 1024, low=-4, high=4), *_norm(1, 1024)), 0.7, weights=2),
    _row("rmsnorm-rows", "RMS norm", layers.rms_norm,
         lambda: (uniform(4096, 1024, low=-4, high=4), _norm(1, 1024)[0]), 0.7, weights=1),
    _row("softmax-rows", "softmax", formulas.softmax, lambda: (uniform(4096, 1024, low=-4, high=4),), 0.7),
    _row("crossentropy", "cross entropy", layers.cross_entropy,
         lambda: (uniform(4096, 1024, low=-4, high=4), np.random.default_rng(1).integers(0, 1024, 4096)),
         0.7),
    _row("lstm", "LSTM, 128 steps, batch of 16, 256 units", layers.lstm, lambda: lstm_arguments(128, 16, 256),
         0.8, weights=4),
    Case(
        "int4", "4096 x 4096 of int4 in groups of 64, times a vector", layers.int4_product,
        lambda: int4_arguments(4096, 4096),
        (Reach("1.5 of the memory's time for as many bytes", ("limit",), 1.5),),
        relative_tolerance=1e-3, absolute_tolerance=1e-3, weights=2,
    ),
)  # fmt: skip
