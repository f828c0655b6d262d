"""The layers of `networks` as ONNX models, with their weights as constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from ..network_formulas import ENCODER_HEADS, ENCODER_LAYER, GROUP, HEADS

OPSET = 23
MICROSOFT = "com.microsoft"
DTYPES = {"x": TensorProto.FLOAT, "mask": TensorProto.INT64, "labels": TensorProto.INT64}


class Writer:
    """Nodes, each of whose first results has a name of its own."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, np.ndarray] = {}

    def constant(self, value: Any, dtype: Any = None) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = np.ascontiguousarray(np.asarray(value, dtype))
        return name

    def __call__(self, op: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], name, domain=domain, **attributes))
        return name

    def linear(self, x: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """weight: [outputs, inputs]."""
        return self("Add", self("MatMul", x, self.constant(weight.T)), self.constant(bias))

    def norm(self, x: str, gain: np.ndarray, shift: np.ndarray) -> str:
        return self("LayerNormalization", x, self.constant(gain), self.constant(shift), axis=-1, epsilon=1e-5)

    def model(self, inputs: dict[str, int], output: str, rank: int | None) -> Any:
        """inputs: name -> rank, of which every extent is free."""

        def described(name: str, dtype: int, rank: int | None) -> Any:
            shape = None if rank is None else [f"{name}{axis}" for axis in range(rank)]
            return helper.make_tensor_value_info(name, dtype, shape)

        graph = helper.make_graph(
            self.nodes,
            "network",
            [described(name, DTYPES.get(name, TensorProto.FLOAT), rank) for name, rank in inputs.items()],
            [described(output, TensorProto.FLOAT, rank)],
            [numpy_helper.from_array(array, name) for name, array in self.constants.items()],
        )
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=domains, ir_version=10)


def _attention(causal: int) -> Any:
    write = Writer()
    queries = {name: write("Unsqueeze", name, write.constant([0], np.int64)) for name in ("q", "k", "v")}
    found = write("Attention", *queries.values(), is_causal=causal)
    made = write("Squeeze", found, write.constant([0], np.int64))
    return write.model({"q": 3, "k": 3, "v": 3}, made, 3)


def attention() -> Any:
    return _attention(0)


def causal_attention() -> Any:
    return _attention(1)


def _convolution(weight: np.ndarray, bias: np.ndarray, stride: int) -> Any:
    write, reach = Writer(), (weight.shape[-1] - 1) // 2
    # Depthwise, as all the grouped ones are here.
    groups = len(weight) if weight.shape[1] == 1 else 1
    made = write(
        "Conv", "x", write.constant(weight), write.constant(bias), strides=[stride] * 2, pads=[reach] * 4,
        group=groups,
    )  # fmt: skip
    return write.model({"x": 4}, made, 4)


def convolution(weight: np.ndarray, bias: np.ndarray) -> Any:
    return _convolution(weight, bias, 1)


def convolution_of_stride_2(weight: np.ndarray, bias: np.ndarray) -> Any:
    return _convolution(weight, bias, 2)


def mlp(*weights: np.ndarray) -> Any:
    write, x = Writer(), "x"
    for first in range(0, len(weights), 2):
        x = write("Relu", x) if first else x
        x = write("Gemm", x, *map(write.constant, weights[first : first + 2]))
    return write.model({"x": 2}, write("Softmax", x, axis=-1), 2)


def dense_gelu(weight: np.ndarray, bias: np.ndarray) -> Any:
    write = Writer()
    made = write("Gemm", "x", write.constant(weight), write.constant(bias))
    return write.model({"x": 2}, write("Gelu", made, approximate="tanh"), 2)


def product() -> Any:
    write = Writer()
    return write.model({"x": 2, "y": 2}, write("MatMul", "x", "y"), 2)


def softmax() -> Any:
    write = Writer()
    return write.model({"x": 2}, write("Softmax", "x", axis=-1), 2)


def layer_norm(gain: np.ndarray, shift: np.ndarray) -> Any:
    write = Writer()
    return write.model({"x": 2}, write.norm("x", gain, shift), 2)


def rms_norm(gain: np.ndarray) -> Any:
    write = Writer()
    made = write("RMSNormalization", "x", write.constant(gain), axis=-1, epsilon=1e-6)
    return write.model({"x": 2}, made, 2)


def cross_entropy() -> Any:
    write = Writer()
    return write.model({"x": 2, "labels": 1}, write("SoftmaxCrossEntropyLoss", "x", "labels"), 0)


def _attended(write: Writer, x: str, weights: Any, heads: int, mask: str = "", lead: int = 0) -> str:
    """x: [tokens, width], or with a batch before these (lead 1)."""
    attend, attend_bias, out, out_bias = weights
    width, swapped = len(out), [0, 2, 1, 3] if lead else [1, 0, 2]

    def part(number: int, order: list[int]) -> str:
        rows = slice(number * width, (number + 1) * width)
        made = write.linear(x, attend[rows], attend_bias[rows])
        apart = write("Reshape", made, write.constant([0] * (lead + 1) + [heads, width // heads], np.int64))
        return write("Transpose", apart, perm=order)

    query, value = part(0, swapped), part(2, swapped)
    key = part(1, [0, 2, 3, 1] if lead else [1, 2, 0])
    scores = write("Mul", write("MatMul", query, key), write.constant((heads / width) ** 0.5, np.float32))
    scores = write("Add", scores, mask) if mask else scores
    found = write("Transpose", write("MatMul", write("Softmax", scores, axis=-1), value), perm=swapped)
    joined = write("Reshape", found, write.constant([0] * (lead + 1) + [width], np.int64))
    return write.linear(joined, out, out_bias)


def transformer_block(*weights: np.ndarray) -> Any:
    gain1, shift1, *attend, gain2, shift2, up, up_bias, down, down_bias = weights
    write = Writer()
    x = write("Add", "x", _attended(write, write.norm("x", gain1, shift1), attend, HEADS))
    hidden = write("Gelu", write.linear(write.norm(x, gain2, shift2), up, up_bias))
    return write.model({"x": 2}, write("Add", x, write.linear(hidden, down, down_bias)), 2)


def encoder(*weights: np.ndarray) -> Any:
    write, x = Writer(), "x"
    seen = write("Sub", write.constant(1.0, np.float32), write("Cast", "mask", to=TensorProto.FLOAT))
    hidden = write("Mul", seen, write.constant(-1e9, np.float32))
    mask = write("Unsqueeze", hidden, write.constant([1, 2], np.int64))
    for first in range(0, len(weights), ENCODER_LAYER):
        layer = weights[first : first + ENCODER_LAYER]
        *attend, gain1, shift1, up, up_bias, down, down_bias, gain2, shift2 = layer
        found = _attended(write, x, attend, ENCODER_HEADS, mask, 1)
        x = write.norm(write("Add", x, found), gain1, shift1)
        made = write.linear(write("Gelu", write.linear(x, up, up_bias)), down, down_bias)
        x = write.norm(write("Add", x, made), gain2, shift2)
    return write.model({"x": 3, "mask": 2}, x, 3)


def lstm(w_x: np.ndarray, w_h: np.ndarray, b_x: np.ndarray, b_h: np.ndarray) -> Any:
    def ordered(array: np.ndarray) -> np.ndarray:
        """ONNX has the gates as input, output, forget, candidate."""
        enter, forget, candidate, leave = np.split(array, 4)
        return np.concatenate([enter, leave, forget, candidate])

    write = Writer()
    both = np.concatenate([ordered(b_x), ordered(b_h)])
    given = [write.constant(each[None]) for each in (ordered(w_x), ordered(w_h), both)]
    made = write("LSTM", "x", *given, hidden_size=w_h.shape[1])
    return write.model({"x": 3}, write("Squeeze", made, write.constant([1], np.int64)), 3)


def int4_product(packed: np.ndarray, scale: np.ndarray) -> Any:
    """onnxruntime's integers are 0 to 15, of which 8 is zero."""
    write, (rows, groups) = Writer(), scale.shape
    blocks = (packed ^ 0x88).reshape(rows, groups, GROUP // 2)
    wide = write("Unsqueeze", "x", write.constant([0], np.int64))
    made = write(
        "MatMulNBits", wide, write.constant(blocks), write.constant(scale.ravel()), domain=MICROSOFT, bits=4,
        block_size=GROUP, K=groups * GROUP, N=rows,
    )  # fmt: skip
    return write.model({"x": 1}, write("Squeeze", made, write.constant([0], np.int64)), 1)


FUNCTIONS = (attention, causal_attention, convolution, convolution_of_stride_2, mlp, dense_gelu, product,
             softmax, layer_norm, rms_norm, cross_entropy, transformer_block, encoder, lstm,
             int4_product)  # fmt: skip
MODELS: dict[str, Callable[..., Any]] = {function.__name__: function for function in FUNCTIONS}
"""Formula name -> function of the weights that makes the model."""
