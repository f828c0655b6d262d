"""`jf.onnx.load`: calls, what models say of themselves, errors, other devices, models in jitted functions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from tests.conformance.devices import require

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
rng = np.random.default_rng(4)
WEIGHT = rng.normal(size=(6, 3, 3, 3)).astype("f4")
BIAS = rng.normal(size=6).astype("f4")
MATRIX = rng.normal(size=(6 * 4, 5)).astype("f4")


def info(name: str, kind: int, shape: Any) -> Any:
    return helper.make_tensor_value_info(name, kind, shape)


def model_of(
    nodes: Any, inputs: Any, outputs: Any, constants: Any = (), opset: int = 17, **options: Any
) -> Any:
    stored = [numpy_helper.from_array(np.asarray(array), name) for name, array in dict(constants).items()]
    graph = helper.make_graph(nodes, "example", inputs, outputs, stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], **options)


def net() -> Any:
    """A small image classifier, whose last shape is computed in the graph as exporters write it."""
    node = helper.make_node
    nodes = [
        node("Conv", ["image", "weight", "bias"], ["c"], "conv", pads=[1, 1, 1, 1]),
        node("Relu", ["c"], ["r"]),
        node("AveragePool", ["r"], ["p"], kernel_shape=[4, 4], strides=[4, 4]),
        node("Shape", ["p"], ["shape"]),
        node("Gather", ["shape", "zero"], ["rows"], axis=0),
        node("Unsqueeze", ["rows", "axis"], ["rows1"]),
        node("Concat", ["rows1", "rest"], ["wanted"], axis=0),
        node("Reshape", ["p", "wanted"], ["flat"]),
        node("Gemm", ["flat", "matrix"], ["logits"], "gemm"),
        node("Softmax", ["logits"], ["scores"], axis=-1),
    ]
    constants = {
        "weight": WEIGHT, "bias": BIAS, "matrix": MATRIX, "zero": np.array(0), "axis": np.array([0]),
        "rest": np.array([-1]),
    }  # fmt: skip
    inputs = [info("image", FLOAT, ["batch", 3, 8, 8])]
    return model_of(nodes, inputs, [info("scores", FLOAT, ["batch", 5])], constants, producer_name="tests")


def by_numpy(image: np.ndarray) -> np.ndarray:
    padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    found = np.einsum("nchwij,ocij->nohw", windows, WEIGHT) + BIAS[:, None, None]
    pooled = np.maximum(found, 0).reshape(len(image), 6, 2, 4, 2, 4).mean(axis=(3, 5))
    logits = pooled.reshape(len(image), -1) @ MATRIX
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def images(count: int) -> np.ndarray:
    return np.random.default_rng(count).normal(size=(count, 3, 8, 8)).astype("f4")


def test_a_model_is_a_compiled_function(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx.save(net(), path)
    for given in (path, str(path), path.read_bytes(), net()):
        model = jf.onnx.load(given)
        for count in (2, 3, 2):
            x = images(count)
            found = model(x)
            assert isinstance(found, np.ndarray) and found.dtype == np.float32
            np.testing.assert_allclose(found, by_numpy(x), rtol=2e-5, atol=1e-6)
        np.testing.assert_array_equal(model(image=images(2)), model(images(2)))
        stats = model.stats()
        assert (stats["traces"], stats["signatures"]) == (2, 2)  # one program, traced for two sizes


def test_it_says_what_it_takes_and_is() -> None:
    model = jf.onnx.load(net())
    assert [(each.name, each.dtype, each.shape) for each in model.inputs] == [
        ("image", np.dtype("f4"), ("batch", 3, 8, 8))
    ]
    assert [(each.name, each.shape) for each in model.outputs] == [("scores", ("batch", 5))]
    assert model.opsets == {"": 17} and model.metadata["producer_name"] == "tests"
    assert repr(model) == "<ONNX model example(image: float32[batch, 3, 8, 8]) -> scores: float32[batch, 5]>"
    explained = model.explain(images(2))
    assert len(explained.kernels) == 3 and "max_sum_div" in str(explained) and "matrix" in str(explained)
    assert model.program(images(2)).device.name == "cpu"
    model.clear()
    assert model.stats()["signatures"] == 0


def test_tensors_and_other_inputs_of_jit() -> None:
    model = jf.onnx.load(net())
    x = images(4)
    lazily = model(jf.asarray(x))
    assert isinstance(lazily, jf.Tensor)
    np.testing.assert_allclose(lazily.numpy(), by_numpy(x), rtol=2e-5, atol=1e-6)
    strided = np.ascontiguousarray(x.transpose(1, 2, 3, 0)).transpose(3, 0, 1, 2)
    np.testing.assert_allclose(model(strided), by_numpy(x), rtol=2e-5, atol=1e-6)
    assert model(images(0)).shape == (0, 5)
    x[0, 0, 0, 0] = np.nan
    assert np.isnan(model(x)[0]).all() and np.isfinite(model(x)[1:]).all()


def test_inside_a_jitted_function_it_is_part_of_that() -> None:
    model = jf.onnx.load(net())

    @jf.jit
    def best(image: Any) -> Any:
        return np.argmax(model(image * np.float32(2)), axis=-1), model(image=image)

    x = images(3)
    for _ in range(3):
        place, scores = best(x)
        np.testing.assert_array_equal(place, by_numpy(x * 2).argmax(-1))
        np.testing.assert_allclose(scores, by_numpy(x), rtol=2e-5, atol=1e-6)
    assert best.stats()["traces"] == 1 and model.stats()["traces"] == 0


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_on_devices(name: str) -> None:
    """The weights are moved once; what is given as ndarrays comes back so."""
    target = require(name)
    model = jf.onnx.load(net(), device=target.device.name)
    x = images(2)
    for _ in range(2):
        found = model(x)
        assert isinstance(found, np.ndarray)
        np.testing.assert_allclose(found, by_numpy(x), rtol=2e-5, atol=1e-6)
    chosen = jf.onnx.load(net())(jf.asarray(x, device=target.device.name))
    assert chosen.device == target.device.name
    np.testing.assert_allclose(chosen.numpy(), by_numpy(x), rtol=2e-5, atol=1e-6)


def test_what_follows_from_constants_is_computed_once() -> None:
    node = helper.make_node
    nodes = [
        node("DequantizeLinear", ["q", "scale"], ["w"]),
        node("Transpose", ["w"], ["wt"]),
        node("MatMul", ["x", "wt"], ["y"]),
    ]
    q = rng.integers(-127, 127, (40, 30)).astype("i1")
    given = model_of(
        nodes,
        [info("x", FLOAT, ["n", 30])],
        [info("y", FLOAT, ["n", 40])],
        {"q": q, "scale": np.float32(0.5)},
    )
    model = jf.onnx.load(given)
    x = rng.normal(size=(3, 30)).astype("f4")
    np.testing.assert_allclose(model(x), x @ (q.astype("f4") * 0.5).T, rtol=1e-5, atol=1e-3)
    assert "int8" not in str(model.explain(x).graph)


def test_functions_of_the_model_and_branches() -> None:
    node = helper.make_node
    scaled = helper.make_function(
        "own", "Scaled", ["a"], ["b"],
        [node("Constant", [], ["f"]), node("Mul", ["a", "f"], ["b"])],
        [helper.make_opsetid("", 17)], ["factor"],
    )  # fmt: skip
    reference = onnx.AttributeProto(
        name="value_float", ref_attr_name="factor", type=onnx.AttributeProto.FLOAT
    )
    scaled.node[0].attribute.append(reference)

    def branch(name: str, factor: float) -> Any:
        inner = node("Scaled", ["x"], [name], domain="own", factor=factor)
        return helper.make_graph([inner], name, [], [info(name, FLOAT, None)])

    nodes = [
        node("ReduceSum", ["x"], ["sum"], keepdims=0),
        node("Greater", ["sum", "zero"], ["positive"]),
        node("If", ["positive"], ["y"], then_branch=branch("p", 2.0), else_branch=branch("m", -3.0)),
    ]
    graph = helper.make_graph(
        nodes, "g", [info("x", FLOAT, ["n"])], [info("y", FLOAT, ["n"])],
        [numpy_helper.from_array(np.float32(0), "zero")],
    )  # fmt: skip
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    model = jf.onnx.load(helper.make_model(graph, opset_imports=imports, functions=[scaled]))
    for x in (np.ones(3, "f4"), -np.ones(3, "f4"), np.ones(3, "f4")):
        np.testing.assert_array_equal(model(x), x * (2 if x.sum() > 0 else -3))


def test_an_operator_of_ones_own() -> None:
    @jf.onnx.operator("Pulled", domain="test.example")
    def pulled(x: Any, amount: jf.onnx.Known, *, side: str = "left") -> Any:
        assert isinstance(amount, np.ndarray)
        return np.roll(x, -int(amount.item()) if side == "left" else int(amount.item()))

    nodes = [helper.make_node("Pulled", ["x", "by"], ["y"], domain="test.example", side="right")]
    given = model_of(nodes, [info("x", FLOAT, ["n"])], [info("y", FLOAT, ["n"])], {"by": np.array(1)})
    given.opset_import.append(helper.make_opsetid("test.example", 1))
    np.testing.assert_array_equal(jf.onnx.load(given)(np.arange(4, dtype="f4")), [3, 0, 1, 2])


def test_all_that_is_not_supported_is_said_at_once() -> None:
    node = helper.make_node
    nodes = [
        node("Foo", ["x"], ["a"], "first", domain="com.example"),
        node("Foo", ["a"], ["b"], "second", domain="com.example"),
        node("Bar", ["b"], ["y"], "third", domain="com.example"),
        node("Relu", ["x"], ["z"], "fourth", slope=2.0),
    ]
    given = model_of(nodes, [info("x", FLOAT, [1])], [info("y", FLOAT, [1])])
    given.opset_import.append(helper.make_opsetid("com.example", 1))
    with pytest.raises(UnsupportedError) as error:
        jf.onnx.load(given)
    message = error.value.message
    assert message == (
        "jf.onnx.load: the model has what is not supported: the operator com.example.Foo of opset 1 (nodes "
        "first, second); the operator com.example.Bar of opset 1 (node third); the attribute slope of Relu "
        "(node fourth); export it with other operators or another opset, or write a function for the "
        "operator with jf.onnx.operator(name)"
    )
    assert isinstance(error.value, NotImplementedError) and error.value.line.function.startswith("test_all")


def test_wrong_calls_say_what_fits() -> None:
    model = jf.onnx.load(net())
    with pytest.raises(ArgumentError, match=r"takes image: float32\[batch, 3, 8, 8\]; given were 0"):
        model()
    with pytest.raises(ArgumentError, match="look at \\['picture'\\]"):
        model(picture=images(1))
    with pytest.raises(
        DTypeError, match=r"was given as float64\[1, 3, 8, 8\]; cast it: x.astype\('float32'\)"
    ):
        model(images(1).astype("f8"))
    with pytest.raises(ShapeError, match=r"was given in the shape \[1, 3, 8, 9\]"):
        model(np.zeros((1, 3, 8, 9), "f4"))
    two = model_of(
        [helper.make_node("Concat", ["x", "y"], ["z"], axis=1)],
        [info("x", FLOAT, ["n", 2]), info("y", FLOAT, ["n", 3])], [info("z", FLOAT, ["n", 5])],
    )  # fmt: skip
    with pytest.raises(ShapeError, match="where other inputs have {'n': 1}"):
        jf.onnx.load(two)(np.zeros((1, 2), "f4"), np.zeros((2, 3), "f4"))
    with pytest.raises(ArgumentError, match="is no ONNX model"):
        jf.onnx.load(b"no model at all")
    with pytest.raises(ArgumentError, match="takes a path, bytes or an onnx.ModelProto, not a int"):
        jf.onnx.load(3)
    with pytest.raises(FileNotFoundError):
        jf.onnx.load("nowhere.onnx")


def test_an_error_of_a_node_names_it() -> None:
    given = model_of(
        [helper.make_node("MatMul", ["x", "y"], ["z"], "product")],
        [info("x", FLOAT, None), info("y", FLOAT, None)], [info("z", FLOAT, None)],
    )  # fmt: skip
    with pytest.raises(ShapeError, match=r"in the node 'product' MatMul: matmul"):
        jf.onnx.load(given)(np.zeros((2, 3), "f4"), np.zeros((2, 3), "f4"))


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(jf.onnx.OnnxMissingError, match=r'pip install "jitframe\[onnx\]"') as error:
        jf.onnx.load("net.onnx")
    assert isinstance(error.value, ImportError)
