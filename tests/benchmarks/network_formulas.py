"""Layers of neural networks in plain NumPy: what the peers' results are compared with, in float64."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .formulas import erf, layer_norm, softmax

HEADS = 8
ENCODER_HEADS = 12
ENCODER_LAYER = 12
"""Arrays that are the weights of one layer of the encoder."""
GROUP = 64
"""Integers of 4 bits that share a scale."""


def product(a, b):
    return a @ b


def _attended(query, key, value, hidden=0.0):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1]) + hidden
    return softmax(scores) @ value


def attention(query, key, value):
    """[heads, tokens, depth] each."""
    return _attended(query, key, value)


def causal_attention(query, key, value):
    tokens = query.shape[-2]
    return _attended(query, key, value, np.triu(np.full((tokens, tokens), -np.inf), 1))


def _convolved(x, weight, bias, stride):
    """Zeros around keep the size; fewer channels of the weight than of x are groups."""
    reach = (weight.shape[-1] - 1) // 2
    padded = np.pad(x, [(0, 0), (0, 0), (reach, reach), (reach, reach)])
    windows = sliding_window_view(padded, weight.shape[2:], axis=(2, 3))[:, :, ::stride, ::stride]
    batch, _, height, width, *places = windows.shape
    groups = x.shape[1] // weight.shape[1]
    windows = windows.reshape(batch, groups, -1, height, width, *places)
    weights = weight.reshape(groups, -1, *weight.shape[1:])
    made = np.einsum("bgihwkl,goikl->bgohw", windows, weights, optimize=True)
    return made.reshape(batch, -1, height, width) + bias[:, None, None]


def convolution(x, weight, bias):
    """x: [batch, channels, height, width]."""
    return _convolved(x, weight, bias, 1)


def convolution_of_stride_2(x, weight, bias):
    return _convolved(x, weight, bias, 2)


def channels_last_convolution(x, weight, bias):
    """x: [batch, height, width, channels], and so is the result."""
    return np.moveaxis(_convolved(np.moveaxis(x, -1, 1), weight, bias, 1), 1, -1)


def rms_norm(x, gain):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-6) * gain


def cross_entropy(logits, labels):
    shifted = logits - np.max(logits, axis=-1, keepdims=True)
    logarithms = shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))
    return -np.mean(logarithms[np.arange(len(labels)), labels])


def _gelu(x):
    return x * 0.5 * (1 + erf(x / np.sqrt(2.0)))


def _in_heads(x, heads):
    """[..., heads, tokens, depth] of [..., tokens, heads * depth]."""
    return np.swapaxes(x.reshape(*x.shape[:-1], heads, -1), -2, -3)


def _joined(x):
    swapped = np.swapaxes(x, -2, -3)
    return swapped.reshape(*swapped.shape[:-2], -1)


def transformer_block(x, gain1, shift1, attend, attend_bias, out, out_bias, gain2, shift2, up, up_bias, down,
                      down_bias):  # fmt: skip
    """Norms come first; weights are [outputs, inputs]."""
    query, key, value = np.split(layer_norm(x, gain1, shift1) @ attend.T + attend_bias, 3, axis=-1)
    found = _attended(*(_in_heads(each, HEADS) for each in (query, key, value)))
    x = x + _joined(found) @ out.T + out_bias
    return x + _gelu(layer_norm(x, gain2, shift2) @ up.T + up_bias) @ down.T + down_bias


def encoder(x, mask, *weights):
    """Layers of BERT over x: [batch, tokens, width]; mask says what a token is; weights [outputs, inputs]."""
    hidden = np.where(mask, 0.0, -1e9)[:, None, None, :]
    for first in range(0, len(weights), ENCODER_LAYER):
        layer = weights[first : first + ENCODER_LAYER]
        attend, attend_bias, out, out_bias, gain1, shift1, *perceptron, gain2, shift2 = layer
        up, up_bias, down, down_bias = perceptron
        query, key, value = np.split(x @ attend.T + attend_bias, 3, axis=-1)
        found = _attended(*(_in_heads(each, ENCODER_HEADS) for each in (query, key, value)), hidden)
        x = layer_norm(x + _joined(found) @ out.T + out_bias, gain1, shift1)
        x = layer_norm(x + _gelu(x @ up.T + up_bias) @ down.T + down_bias, gain2, shift2)
    return x


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(x, w_x, w_h, b_x, b_h):
    """x: [time, batch, inputs]; the outputs of all steps, gates in PyTorch's order."""
    state = memory = np.zeros((x.shape[1], w_h.shape[1]), x.dtype)
    outputs = []
    for step in x:
        gates = step @ w_x.T + state @ w_h.T + b_x + b_h
        enter, forget, candidate, leave = np.split(gates, 4, axis=-1)
        memory = _sigmoid(forget) * memory + _sigmoid(enter) * np.tanh(candidate)
        state = _sigmoid(leave) * np.tanh(memory)
        outputs.append(state)
    return np.stack(outputs)


def int4_product(x, packed, scale):
    """A vector times weights [rows, inputs] of 4 bits, two in a byte, a scale for each GROUP of them."""
    nibbles = np.stack([packed & 15, packed >> 4], axis=-1).reshape(len(packed), -1).astype(np.int8)
    signed = nibbles - 16 * (nibbles > 7)
    return (signed * np.repeat(scale, GROUP, axis=-1)) @ x
