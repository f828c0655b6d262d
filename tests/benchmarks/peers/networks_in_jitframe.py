"""The layers of `networks` by `jf.nn`, with weights as arguments; the encoder from its ONNX model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jitframe as jf

from .. import formulas
from ..network_formulas import GROUP, product
from .spelled_networks import Layers, networks_of


def attention(query, key, value):
    return jf.nn.scaled_dot_product_attention(query, key, value)


def causal_attention(query, key, value):
    return jf.nn.scaled_dot_product_attention(query, key, value, causal=True)


def _convolved(x, weight, bias, stride):
    groups = x.shape[1] // weight.shape[1]
    reach = (weight.shape[-1] - 1) // 2
    return jf.nn.conv2d(x, weight, bias, stride=stride, padding=reach, groups=groups)


def convolution(x, weight, bias):
    return _convolved(x, weight, bias, 1)


def convolution_of_stride_2(x, weight, bias):
    return _convolved(x, weight, bias, 2)


def channels_last_convolution(x, weight, bias):
    return _convolved(x.transpose(0, 3, 1, 2), weight, bias, 1).transpose(0, 2, 3, 1)


def rms_norm(x, gain):
    return jf.nn.rms_norm(x, gain)


def cross_entropy(logits, labels):
    return jf.nn.cross_entropy(logits, labels)


def lstm(x, w_x, w_h, b_x, b_h):
    return jf.nn.lstm(x, [(w_x, w_h, b_x, b_h)])[0]


def int4_product(x, packed, scale):
    return jf.quant.linear(x, packed, scale, bits=4, group_size=GROUP)


def _attended(query, key, value, mask):
    return jf.nn.scaled_dot_product_attention(query, key, value, mask=mask)


OWN = (attention, causal_attention, convolution, convolution_of_stride_2, channels_last_convolution, rms_norm,
       cross_entropy, lstm, int4_product, product, formulas.softmax, formulas.layer_norm, formulas.mlp,
       formulas.dense_gelu)  # fmt: skip
SPELLINGS: dict[str, Callable[..., Any]] = {
    **{function.__name__: function for function in OWN},
    **networks_of(Layers(jf.nn.linear, jf.nn.layer_norm, jf.nn.gelu, _attended)),
}


def from_onnx(*weights: Any) -> Callable[..., Any]:
    """The encoder as users have one: a file, loaded."""
    from .onnx_models import encoder

    return jf.onnx.load(encoder(*weights))


BUILT = {"encoder": from_onnx}
