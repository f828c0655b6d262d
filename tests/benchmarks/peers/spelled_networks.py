"""The networks that several peers spell alike, of layers that each of them has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..network_formulas import ENCODER_HEADS, ENCODER_LAYER, HEADS


@dataclass(frozen=True)
class Layers:
    linear: Callable[..., Any]
    """x, weight[outputs, inputs], bias."""
    layer_norm: Callable[..., Any]
    gelu: Callable[..., Any]
    attention: Callable[..., Any]
    """query, key, value, and a mask of bools or None."""


def _in_heads(x, heads):
    return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads).swapaxes(-2, -3)


def _joined(x):
    swapped = x.swapaxes(-2, -3)
    return swapped.reshape(*swapped.shape[:-2], swapped.shape[-2] * swapped.shape[-1])


def networks_of(layers: Layers) -> dict[str, Callable[..., Any]]:
    """Formula name -> function of arrays of a library."""

    def attended(x, attend, attend_bias, out, out_bias, heads, mask=None):
        made, width = layers.linear(x, attend, attend_bias), x.shape[-1]
        parts = [_in_heads(made[..., n * width : (n + 1) * width], heads) for n in range(3)]
        return layers.linear(_joined(layers.attention(*parts, mask)), out, out_bias)

    def transformer_block(
        x, gain1, shift1, attend, attend_bias, out, out_bias, gain2, shift2, up, up_bias, down, down_bias
    ):
        normed = layers.layer_norm(x, gain1, shift1)
        x = x + attended(normed, attend, attend_bias, out, out_bias, HEADS)
        hidden = layers.gelu(layers.linear(layers.layer_norm(x, gain2, shift2), up, up_bias))
        return x + layers.linear(hidden, down, down_bias)

    def encoder(x, mask, *weights):
        seen = (mask != 0)[:, None, None, :]
        for first in range(0, len(weights), ENCODER_LAYER):
            layer = weights[first : first + ENCODER_LAYER]
            *attend, gain1, shift1, up, up_bias, down, down_bias, gain2, shift2 = layer
            found = attended(x, *attend, ENCODER_HEADS, seen)
            x = layers.layer_norm(x + found, gain1, shift1)
            hidden = layers.gelu(layers.linear(x, up, up_bias))
            x = layers.layer_norm(x + layers.linear(hidden, down, down_bias), gain2, shift2)
        return x

    return {function.__name__: function for function in (transformer_block, encoder)}
