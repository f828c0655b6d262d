"""The layers of `networks` by jax.numpy and jax.nn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ..network_formulas import GROUP, product
from .spelled_networks import Layers, networks_of


def _in_tokens(query, key, value, mask=None, causal=False):
    """JAX's attention takes [batch, tokens, heads, depth]."""
    q, k, v = (jnp.swapaxes(each, -2, -3) for each in (query, key, value))
    found = jax.nn.dot_product_attention(q, k, v, mask=mask, is_causal=causal)
    return jnp.swapaxes(found, -2, -3)


def attention(query, key, value):
    return _in_tokens(query, key, value)


def causal_attention(query, key, value):
    return _in_tokens(query, key, value, causal=True)


def _convolved(x, weight, bias, stride, layout):
    channel = layout.index("C")
    groups = x.shape[channel] // weight.shape[1]
    reach = (weight.shape[-1] - 1) // 2
    made = jax.lax.conv_general_dilated(
        x, weight, (stride, stride), [(reach, reach)] * 2, dimension_numbers=(layout, "OIHW", layout),
        feature_group_count=groups,
    )  # fmt: skip
    return made + (bias if channel == 3 else bias[:, None, None])


def convolution(x, weight, bias):
    return _convolved(x, weight, bias, 1, "NCHW")


def convolution_of_stride_2(x, weight, bias):
    return _convolved(x, weight, bias, 2, "NCHW")


def channels_last_convolution(x, weight, bias):
    return _convolved(x, weight, bias, 1, "NHWC")


def rms_norm(x, gain):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * gain


def cross_entropy(logits, labels):
    logarithms = jax.nn.log_softmax(logits, axis=-1)
    return -jnp.mean(jnp.take_along_axis(logarithms, labels[:, None], axis=-1))


def lstm(x, w_x, w_h, b_x, b_h):
    def step(carried, inputs):
        state, memory = carried
        enter, forget, candidate, leave = jnp.split(inputs + state @ w_h.T, 4, axis=-1)
        memory = jax.nn.sigmoid(forget) * memory + jax.nn.sigmoid(enter) * jnp.tanh(candidate)
        state = jax.nn.sigmoid(leave) * jnp.tanh(memory)
        return (state, memory), state

    start = jnp.zeros((x.shape[1], w_h.shape[1]), x.dtype)
    return jax.lax.scan(step, (start, start), x @ w_x.T + (b_x + b_h))[1]


def int4_product(x, packed, scale):
    nibbles = jnp.stack([packed & 15, packed >> 4], axis=-1).reshape(len(packed), -1, GROUP)
    signed = (nibbles.astype(jnp.int8) ^ 8) - 8
    return (signed * scale[:, :, None]).reshape(len(packed), -1) @ x


def _linear(x, weight, bias):
    return x @ weight.T + bias


def _normed(x, gain, shift):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(jnp.var(x, axis=-1, keepdims=True) + 1e-5) * gain + shift


def _gelu(x):
    return jax.nn.gelu(x, approximate=False)


OWN = (attention, causal_attention, convolution, convolution_of_stride_2, channels_last_convolution, rms_norm,
       cross_entropy, lstm, int4_product, product)  # fmt: skip
SPELLINGS: dict[str, Callable[..., Any]] = {
    **{function.__name__: function for function in OWN},
    **networks_of(Layers(_linear, _normed, _gelu, _in_tokens)),
}
