"""A layer of BERT in the operators that exporters write, beside the example's layer in `jf.nn`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import jitframe as jf
from tests.conformance.devices import require
from tests.examples.loading import module_of

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "minilm.py"
HEADS, WIDTH, HIDDEN = 4, 32, 64


def example() -> Any:
    return module_of(EXAMPLE, "minilm_beside_onnx")


def drawn() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(8)
    shapes = {
        "attend": (3 * WIDTH, WIDTH), "result": (WIDTH, WIDTH), "up": (HIDDEN, WIDTH),
        "down": (WIDTH, HIDDEN), "norm_1": (WIDTH,), "norm_2": (WIDTH,),
    }  # fmt: skip
    return {
        name: tuple(rng.normal(0.2, 0.4, each).astype("f4") for each in (shape, shape[:1]))
        for name, shape in shapes.items()
    }


class _Writer:
    """Nodes, each of whose results has a name of its own."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, np.ndarray] = {}

    def constant(self, value: Any, dtype: str = "f4") -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(value, dtype)
        return name

    def __call__(self, op: str, *inputs: str, **attributes: Any) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], f"node_{name}", **attributes))
        return name

    def linear(self, x: str, pair: Any) -> str:
        product = self("MatMul", x, self.constant(pair[0].T))
        return self("Add", product, self.constant(pair[1]))

    def norm(self, x: str, pair: Any) -> str:
        apart = self("Sub", x, self("ReduceMean", x, axes=[-1]))
        spread = self("ReduceMean", self("Pow", apart, self.constant(2.0)), axes=[-1])
        made = self("Div", apart, self("Sqrt", self("Add", spread, self.constant(1e-12))))
        return self("Add", self("Mul", made, self.constant(pair[0])), self.constant(pair[1]))

    def gelu(self, x: str) -> str:
        grown = self("Erf", self("Div", x, self.constant(np.sqrt(2))))
        half = self("Mul", x, self("Add", grown, self.constant(1.0)))
        return self("Mul", half, self.constant(0.5))

    def shape(self, x: str, *last: int) -> str:
        """[batch, tokens, *last], computed in the graph."""
        first = [
            self("Unsqueeze", self("Gather", self("Shape", x), self.constant(n, "i8"), axis=0),
                 self.constant([0], "i8"))
            for n in (0, 1)
        ]  # fmt: skip
        return self("Concat", *first, self.constant(last, "i8"), axis=0)


def exported(weights: dict[str, Any]) -> Any:
    write, depth = _Writer(), WIDTH // HEADS
    whole = write.shape("x", WIDTH)

    def part(number: int) -> str:
        rows = slice(number * WIDTH, (number + 1) * WIDTH)
        made = write.linear("x", [each[rows] for each in weights["attend"]])
        return write("Transpose", write("Reshape", made, write.shape("x", HEADS, depth)), perm=[0, 2, 1, 3])

    query, key, value = map(part, range(3))
    scores = write("MatMul", query, write("Transpose", key, perm=[0, 1, 3, 2]))
    scores = write("Div", scores, write.constant(np.sqrt(depth)))
    masked = write("Sub", write.constant(1.0), write("Cast", "mask", to=TensorProto.FLOAT))
    wide = write("Unsqueeze", write("Mul", masked, write.constant(-1e9)), write.constant([1, 2], "i8"))
    found = write("MatMul", write("Softmax", write("Add", scores, wide), axis=-1), value)
    found = write("Reshape", write("Transpose", found, perm=[0, 2, 1, 3]), whole)
    x = write.norm(write("Add", "x", write.linear(found, weights["result"])), weights["norm_1"])
    found = write.linear(write.gelu(write.linear(x, weights["up"])), weights["down"])
    write.norm(write("Add", x, found), weights["norm_2"])
    last = write.nodes[-1].output[0]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        write.nodes,
        "layer",
        [info("x", TensorProto.FLOAT, ["b", "t", WIDTH]), info("mask", TensorProto.INT64, ["b", "t"])],
        [info(last, TensorProto.FLOAT, ["b", "t", WIDTH])],
        [numpy_helper.from_array(array, name) for name, array in write.constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])


@pytest.mark.parametrize("name", ["cpu", "opencl", "webgpu"])
def test_a_layer_of_bert(name: str) -> None:
    """Masks are int64, as exporters have them, also where the device has 32 bits alone."""
    device, weights = require(name).device.name, drawn()
    model = jf.onnx.load(exported(weights), device=device)
    for batch, tokens in ((2, 9), (1, 5)):
        x = np.random.default_rng(tokens).normal(size=(batch, tokens, WIDTH)).astype("f4")
        mask = np.arange(tokens) < np.array([[tokens], [3]])[:batch]
        wanted = np.asarray(example().run_layer(jf.asarray(x), jf.asarray(mask), weights, HEADS))
        np.testing.assert_allclose(model(x, mask.astype("i8")), wanted, rtol=2e-4, atol=2e-5)
    assert model.stats()["traces"] == 2
