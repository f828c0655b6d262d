"""Recurrent layers: time is one native loop, before which the products of all inputs are made at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ...tracing.loops.control_flow import scan
from ..registry import operator
from ..values import dtype_of, lazy, positions
from .activations import elu, hard_sigmoid, leaky_relu, relu, sigmoid, softplus, softsign, thresholded_relu

Function = Callable[[Any], Any]
_DEFAULTS = {"LeakyRelu": 0.01, "ThresholdedRelu": 1.0, "HardSigmoid": 0.2, "Elu": 1.0}


def _activation(name: str, alpha: float | None, beta: float | None, clip: float | None) -> Function:
    first = _DEFAULTS.get(name, 1.0) if alpha is None else alpha
    second = 0.5 if beta is None else beta
    known: dict[str, Function] = {
        "Relu": relu,
        "Tanh": np.tanh,
        "Sigmoid": sigmoid,
        "Affine": lambda x: x * dtype_of(x).type(first) + dtype_of(x).type(0.0 if beta is None else beta),
        "LeakyRelu": lambda x: leaky_relu(x, alpha=first),
        "ThresholdedRelu": lambda x: thresholded_relu(x, alpha=first),
        "ScaledTanh": lambda x: dtype_of(x).type(first) * np.tanh(x * dtype_of(x).type(beta or 1.0)),
        "HardSigmoid": lambda x: hard_sigmoid(x, alpha=first, beta=second),
        "Elu": lambda x: elu(x, alpha=first),
        "Softsign": softsign,
        "Softplus": softplus,
    }
    by_case = {each.lower(): function for each, function in known.items()}
    function = by_case.get(name.lower())
    if function is None:
        raise UnsupportedError(f"the activation {name} is not one of {', '.join(known)}")
    if clip is None:
        return function
    return lambda x: function(np.clip(x, dtype_of(x).type(-clip), dtype_of(x).type(clip)))


class _Layer:
    """The inputs and attributes that all three kinds of layers have."""

    def __init__(
        self, gates: int, usual: Sequence[str], inputs: Sequence[Any], options: dict[str, Any]
    ) -> None:
        x, weights, state_weights, bias, lengths = inputs
        self.first = bool(options.get("layout", 0))
        self.x = np.swapaxes(lazy(x), 0, 1) if self.first else lazy(x)
        self.weights, self.state_weights, self.bias = lazy(weights), lazy(state_weights), bias
        self.lengths = lengths
        self.gates, self.units = gates, int(state_weights.shape[-1])
        self.ways = int(weights.shape[0])
        self.backward = [options.get("direction", "forward") == "reverse", True][: self.ways]
        names = options.get("activations") or tuple(usual) * self.ways
        alphas, betas = (list(options.get(f"activation_{each}") or ()) for each in ("alpha", "beta"))
        self.functions = [
            _activation(
                name,
                alphas[place] if place < len(alphas) else None,
                betas[place] if place < len(betas) else None,
                options.get("clip"),
            )
            for place, name in enumerate(names)
        ]
        self.each = len(self.functions) // self.ways

    def state(self, given: Any, way: int) -> Any:
        batch = self.x.shape[1]
        if given is None:
            return lazy(np.zeros((batch, self.units), dtype_of(self.x)))
        return lazy(given)[:, way] if self.first else lazy(given)[way]

    def run(self, way: int, states: tuple[Any, ...], cell: Callable[..., tuple[Any, ...]]) -> Any:
        """The outputs of one direction [time, batch, units], and its states at the end.

        `cell(functions, given, weights, bias, *states)`: the products of the input with their biases, the
        weights of the state, their biases, and the states.
        """
        rows = self.gates * self.units
        functions = self.functions[way * self.each : (way + 1) * self.each]
        given = np.matmul(self.x, np.transpose(self.weights[way]))
        inner = None
        if self.bias is not None:
            given, inner = given + lazy(self.bias)[way, :rows], lazy(self.bias)[way, rows:]
        weights = self.state_weights
        lengths = None if self.lengths is None else np.reshape(lazy(self.lengths), (-1, 1))
        zero = dtype_of(self.x).type(0)

        def step(carried: Any, iteration: Any) -> Any:
            now, products = iteration
            # A view in the step: one that were made before the loop would be written, to be read there.
            matrix = np.transpose(weights[way])
            made = cell(functions, products, matrix, inner, *carried)
            output = made[0]
            if lengths is not None:
                there = now < lengths
                made = tuple(np.where(there, new, old) for new, old in zip(made, carried))
                output = np.where(there, output, zero)
            return made, output

        iterations = (lazy(positions(self.x.shape[0])), given)
        after, outputs = scan(step, states, iterations, reverse=self.backward[way])
        return outputs, after

    def outputs(self, found: list[Any], node: Any) -> tuple[Any, ...]:
        """Those of all directions, as the layout has them."""
        outputs = np.stack([each for each, _ in found], axis=1)
        ends = [
            np.stack([states[place] for _, states in found], axis=1 if self.first else 0)
            for place in range(len(found[0][1]))
        ]
        if self.first:
            outputs = np.transpose(outputs, (2, 0, 1, 3))
        return (outputs, *ends)[: len(node.outputs)]


def _parts(x: Any, count: int) -> list[Any]:
    extent = x.shape[-1] // count
    return [x[..., place * extent : (place + 1) * extent] for place in range(count)]


@operator("RNN")
def rnn(
    x: Any, weights: Any, state_weights: Any, bias: Any = None, lengths: Any = None, hidden: Any = None, *,
    node: Any, **options: Any,
) -> Any:  # fmt: skip
    layer = _Layer(1, ("Tanh",), (x, weights, state_weights, bias, lengths), options)

    def cell(functions: Any, given: Any, matrix: Any, inner: Any, before: Any) -> tuple[Any, ...]:
        total = given + np.matmul(before, matrix)
        return (functions[0](total if inner is None else total + inner),)

    found = [layer.run(way, (layer.state(hidden, way),), cell) for way in range(layer.ways)]
    return layer.outputs(found, node)


@operator("LSTM")
def lstm(
    x: Any, weights: Any, state_weights: Any, bias: Any = None, lengths: Any = None, hidden: Any = None,
    memory: Any = None, peepholes: Any = None, *, node: Any, input_forget: int = 0, **options: Any,
) -> Any:  # fmt: skip
    """Gates of input, output and forgetting, then the candidate."""
    usual = ("Sigmoid", "Tanh", "Tanh")
    layer = _Layer(4, usual, (x, weights, state_weights, bias, lengths), options)

    def cell_of(way: int) -> Callable[..., tuple[Any, ...]]:
        holes = None if peepholes is None else _parts(lazy(peepholes)[way], 3)

        def cell(
            functions: Any, given: Any, matrix: Any, inner: Any, before: Any, state: Any
        ) -> tuple[Any, ...]:
            total = given + np.matmul(before, matrix)
            taken, shown, left, new = _parts(total if inner is None else total + inner, 4)
            gate, candidate, output = functions
            if holes is not None:
                taken, left = taken + holes[0] * state, left + holes[2] * state
            opened = gate(taken)
            kept = dtype_of(opened).type(1) - opened if input_forget else gate(left)
            now = kept * state + opened * candidate(new)
            shown = shown if holes is None else shown + holes[1] * now
            return gate(shown) * output(now), now

        return cell

    found = [
        layer.run(way, (layer.state(hidden, way), layer.state(memory, way)), cell_of(way))
        for way in range(layer.ways)
    ]
    return layer.outputs(found, node)


@operator("GRU")
def gru(
    x: Any, weights: Any, state_weights: Any, bias: Any = None, lengths: Any = None, hidden: Any = None, *,
    node: Any, linear_before_reset: int = 0, **options: Any,
) -> Any:  # fmt: skip
    """Gates of update and reset, then the candidate."""
    layer = _Layer(3, ("Sigmoid", "Tanh"), (x, weights, state_weights, bias, lengths), options)
    units = layer.units

    def cell(functions: Any, given: Any, matrix: Any, inner: Any, before: Any) -> tuple[Any, ...]:
        gate, candidate = functions
        own = np.matmul(before, matrix[:, : 2 * units])
        own = own if inner is None else own + inner[: 2 * units]
        update, reset = (gate(each) for each in _parts(given[..., : 2 * units] + own, 2))
        last = matrix[:, 2 * units :]
        product = np.matmul(before if linear_before_reset else reset * before, last)
        product = product if inner is None else product + inner[2 * units :]
        new = candidate(given[..., 2 * units :] + (reset * product if linear_before_reset else product))
        return ((dtype_of(new).type(1) - update) * new + update * before,)

    found = [layer.run(way, (layer.state(hidden, way),), cell) for way in range(layer.ways)]
    return layer.outputs(found, node)
