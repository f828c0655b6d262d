"""Recurrent layers: simple ones, long short-term memory, gated units; several layers, in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.arguments import flag, is_sequence, word
from ...errors import ArgumentError, DTypeError, ShapeError
from ...functions import recurrent
from ...functions.recurrent import Cell
from ...ir.node import Graph, Node
from ..calls import call
from ..creation.constructors import full
from ..movement import as_lazy, concat, stack, swapaxes
from ..registry import public

_GATES = {"rnn": 1, "lstm": 4, "gru": 3}


class _Layers:
    """The arguments of a stack of layers, read."""

    def __init__(
        self, function: str, x: Any, weights: Any, states: Sequence[Any], lengths: Any, bidirectional: Any,
        batch_first: Any,
    ) -> None:  # fmt: skip
        self.function, self.gates = function, _GATES[function]
        self.first = flag(batch_first, f"{function}: batch_first")
        self.ways = 2 if flag(bidirectional, f"{function}: bidirectional") else 1
        array = as_lazy(x)
        if array.ndim != 3:
            axes = "batch, time" if self.first else "time, batch"
            raise ShapeError(f"{function}: x is [{axes}, inputs], and has the shape {tuple(array.shape)}")
        array = swapaxes(array, 0, 1) if self.first else array
        given = [tuple(map(as_lazy, weight)) for weight in weights] if is_sequence(weights) else []
        if not given or len(given) % self.ways or any(len(each) not in (2, 4) for each in given):
            raise ArgumentError(
                f"{function}: weights is a list with (w_x, w_h) or (w_x, w_h, b_x, b_h) for each layer"
                f"{' and direction' if self.ways == 2 else ''}"
            )
        total = array.reshape(-1)[:1].sum() * 0.0
        for each in given:
            for one in each:
                total = total + one.reshape(-1)[:1].sum() * 0
        dtype = total.dtype
        if dtype.kind == "c":
            raise DTypeError(f"{function}: x, weights and states are real, not {dtype}")
        self.x = array.astype(dtype)
        self.weights = [tuple(one.astype(dtype) for one in each) for each in given]
        self.units = given[0][1].shape[-1]
        self._check(array.shape[2])
        batch, count = array.shape[1], len(given)
        shape = (count, batch, self.units)
        self.states = []
        for state in states:
            if state is None:
                self.states.append(full(shape, 0, dtype, device=array.device))
                continue
            known = as_lazy(state)
            if tuple(known.shape) != shape:
                raise ShapeError(
                    f"{function}: a state is [layers and directions, batch, units], {shape}, not "
                    f"{tuple(known.shape)}"
                )
            self.states.append(known.astype(dtype))
        self.lengths = None if lengths is None else as_lazy(lengths)
        if self.lengths is not None and (
            tuple(self.lengths.shape) != (batch,) or self.lengths.dtype.kind not in "iu"
        ):
            raise ShapeError(
                f"{function}: lengths has an integer for each of the {batch} rows of the batch, not "
                f"{self.lengths.dtype}{list(self.lengths.shape)}"
            )

    def _check(self, inputs: int) -> None:
        for number, weight in enumerate(self.weights):
            wide = inputs if number < self.ways else self.units * self.ways
            rows = self.gates * self.units
            wanted = ((rows, wide), (rows, self.units), (rows,), (rows,))
            for name, one, shape in zip(("w_x", "w_h", "b_x", "b_h"), weight, wanted, strict=False):
                if tuple(one.shape) != shape:
                    raise ShapeError(
                        f"{self.function}: {name} of layer {number // self.ways} is {shape}, and has the "
                        "shape "
                        f"{tuple(one.shape)}"
                    )

    def run(self, cell: Cell, inside: bool) -> tuple[Any, ...]:
        """The outputs, and the states at the end. `inside`: the cell adds the bias of the state itself."""
        x, after = self.x, []
        for number, weight in enumerate(self.weights):
            if number % self.ways == 0:
                source, outputs = x, []
            bias = list(weight[2:])
            if bias and not inside:
                bias = [bias[0] + bias[1]]
            values = [source, *weight[:2], *bias, *(state[number] for state in self.states)]
            values += [] if self.lengths is None else [self.lengths]
            sizes = len(bias), self.lengths is not None, number % self.ways == 1

            def made(graph: Graph, *nodes: Node, sizes: tuple[int, bool, bool] = sizes) -> tuple[Node, ...]:
                biases, bounded, backward = sizes
                x, *rest = nodes
                known = rest.pop() if bounded else None
                weights, bias, state = rest[:2], rest[2 : 2 + biases], rest[2 + biases :]
                return recurrent.direction(graph, cell, x, weights, state, bias, known, backward)

            output, *states = call(made, values)
            outputs.append(output)
            after.append(states)
            if number % self.ways == self.ways - 1:
                x = outputs[0] if self.ways == 1 else concat(outputs, axis=-1)
        ends = [stack([each[place] for each in after]) for place in range(len(self.states))]
        return (swapaxes(x, 0, 1) if self.first else x), *ends


@public("product", name="nn.rnn", sample=lambda s: (s.array(2, 1, 3), [(s.x, s.x)]))
def rnn(
    x: Any, weights: Any, state: Any = None, *, nonlinearity: str = "tanh", lengths: Any = None,
    bidirectional: bool = False, batch_first: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """Simple recurrent layers: h[t] = tanh(w_x x[t] + b_x + w_h h[t - 1] + b_h).

    `x`: [time, batch, inputs], with `batch_first` [batch, time, inputs]; `weights`: for each layer, with
    `bidirectional` for each layer forward and backward, (w_x, w_h) or (w_x, w_h, b_x, b_h) of the shapes
    [units, inputs], [units, units], [units], [units]; `state`: [layers and directions, batch, units], by
    default 0; `lengths`: how many steps each row of the batch has: beyond them outputs are 0, and states
    stay; `nonlinearity`: "tanh" or "relu". Gives the outputs of the last layer [time, batch, units], both
    directions side by side, and the states at the end. Raises ShapeError and ArgumentError for what does not
    fit.

    >>> weights = [(np.ones((1, 2)), np.ones((1, 1)))]
    >>> outputs, state = jf.nn.rnn(np.ones((3, 1, 2)), weights, nonlinearity="relu")
    >>> outputs.numpy().ravel(), state.numpy().ravel()
    (array([2., 4., 6.]), array([6.]))
    """
    kind = word(nonlinearity, "rnn: nonlinearity", ("tanh", "relu"))
    layers = _Layers("rnn", x, weights, (state,), lengths, bidirectional, batch_first)
    cell = recurrent.simple_cell(recurrent.tanh if kind == "tanh" else recurrent.relu)
    found, after = layers.run(cell, inside=False)
    return found, after


@public("product", name="nn.lstm", sample=lambda s: (s.array(2, 1, 2), [(s.array(4, 2), s.array(4, 1))]))
def lstm(
    x: Any, weights: Any, state: Any = None, *, lengths: Any = None, bidirectional: bool = False,
    batch_first: bool = False,
) -> tuple[Any, tuple[Any, Any]]:  # fmt: skip
    """Layers of long short-term memory.

    i, f, g, o = the four parts of w_x x[t] + b_x + w_h h[t - 1] + b_h; c[t] = sigmoid(f) c[t - 1] +
    sigmoid(i) tanh(g); h[t] = sigmoid(o) tanh(c[t]). `weights`: as of `nn.rnn`, with 4 units rows; `state`: a
    pair of h and c. All else as of `nn.rnn`. Gives the outputs, and the pair of states at the end.

    >>> w_x, w_h = np.zeros((4, 2)), np.zeros((4, 1))
    >>> jf.nn.lstm(np.ones((3, 1, 2)), [(w_x, w_h)])[0].numpy().ravel()
    array([0., 0., 0.])
    """
    if state is not None and (not is_sequence(state) or len(state) != 2):
        raise ArgumentError("lstm: state is a pair of h and c, each [layers and directions, batch, units]")
    layers = _Layers("lstm", x, weights, state or (None, None), lengths, bidirectional, batch_first)
    found, hidden, memory = layers.run(recurrent.long_short_cell, inside=False)
    return found, (hidden, memory)


@public("product", name="nn.gru", sample=lambda s: (s.array(2, 1, 2), [(s.array(3, 2), s.array(3, 1))]))
def gru(
    x: Any, weights: Any, state: Any = None, *, lengths: Any = None, bidirectional: bool = False,
    batch_first: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """Layers of gated recurrent units.

    With the three parts r, z, n of a = w_x x[t] + b_x and of b = w_h h[t - 1] + b_h: r = sigmoid(a_r + b_r),
    z = sigmoid(a_z + b_z), n = tanh(a_n + r b_n), h[t] = (1 - z) n + z h[t - 1]. `weights`: as of `nn.rnn`,
    with 3 units rows. All else as of `nn.rnn`.

    >>> w_x, w_h = np.zeros((3, 2)), np.zeros((3, 1))
    >>> jf.nn.gru(np.ones((2, 1, 2)), [(w_x, w_h)], np.ones((1, 1, 1)))[0].numpy().ravel()
    array([0.5 , 0.25])
    """
    layers = _Layers("gru", x, weights, (state,), lengths, bidirectional, batch_first)
    found, after = layers.run(recurrent.gated_cell, inside=True)
    return found, after
