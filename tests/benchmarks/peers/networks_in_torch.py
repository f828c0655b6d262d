"""The layers of `networks` by PyTorch's own functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

from ..network_formulas import GROUP, product
from .spelled_networks import Layers, networks_of


def attention(query, key, value):
    return functional.scaled_dot_product_attention(query, key, value)


def causal_attention(query, key, value):
    return functional.scaled_dot_product_attention(query, key, value, is_causal=True)


def _convolved(x, weight, bias, stride):
    groups = x.shape[1] // weight.shape[1]
    reach = (weight.shape[-1] - 1) // 2
    return functional.conv2d(x, weight, bias, stride=stride, padding=reach, groups=groups)


def convolution(x, weight, bias):
    return _convolved(x, weight, bias, 1)


def convolution_of_stride_2(x, weight, bias):
    return _convolved(x, weight, bias, 2)


def channels_last_convolution(x, weight, bias):
    return _convolved(x.permute(0, 3, 1, 2), weight, bias, 1).permute(0, 2, 3, 1)


def rms_norm(x, gain):
    return functional.rms_norm(x, x.shape[-1:], gain, eps=1e-6)


def cross_entropy(logits, labels):
    return functional.cross_entropy(logits, labels)


def lstm(x, w_x, w_h, b_x, b_h):
    start = x.new_zeros(1, x.shape[1], w_h.shape[1])
    return torch.lstm(x, (start, start), (w_x, w_h, b_x, b_h), True, 1, 0.0, False, False, False)[0]


def int4_product(x, packed, scale):
    low, high = packed & 15, packed >> 4
    nibbles = torch.stack([low, high], dim=-1).reshape(len(packed), -1, GROUP).to(torch.float32)
    signed = torch.where(nibbles > 7, nibbles - 16, nibbles)
    return torch.mv((signed * scale[:, :, None]).reshape(len(packed), -1), x)


def _normed(x, gain, shift):
    return functional.layer_norm(x, x.shape[-1:], gain, shift)


def _attended(query, key, value, mask):
    return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


OWN = (attention, causal_attention, convolution, convolution_of_stride_2, channels_last_convolution, rms_norm,
       cross_entropy, lstm, int4_product, product)  # fmt: skip
SPELLINGS: dict[str, Callable[..., Any]] = {
    **{function.__name__: function for function in OWN},
    **networks_of(Layers(functional.linear, _normed, functional.gelu, _attended)),
}
