"""Constant weights of products, packed when a model is loaded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

import jitframe as jf
from jitframe.onnx.packing import DOMAIN, from_panels, in_panels
from tests.conformance.devices import require
from tests.onnx.test_load import info, model_of

rng = np.random.default_rng(5)
INNER, COLUMNS = 130, 160


def weights(dtype: Any = np.float32, *shape: int) -> np.ndarray:
    return rng.normal(size=shape or (INNER, COLUMNS)).astype(dtype)


def products(model: Any) -> list[str]:
    return [node.domain for node in model._computation.graph.nodes if node.op in ("MatMul", "Gemm")]


def test_panels_are_the_matrix() -> None:
    matrix = weights()
    panels = in_panels(matrix)
    assert panels.shape == (COLUMNS // 32, INNER, 32)
    assert np.array_equal(from_panels(panels), matrix)
    assert np.array_equal(panels[2, 7], matrix[7, 64:96])
    partial = weights(np.float32, INNER, 250)
    panels = in_panels(partial)
    assert np.array_equal(from_panels(panels)[:, :250], partial)
    assert panels.shape == (8, INNER, 32) and not panels[7, :, 26:].any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rows", [(1,), (7,), (40,), (2, 1, 24), (0,)])
@pytest.mark.parametrize("columns", [COLUMNS, 250])
def test_products_with_packed_weights(dtype: Any, rows: tuple[int, ...], columns: int) -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    matrix, bias = weights(dtype, INNER, columns), weights(dtype, columns)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Add", ["p", "b"], ["y"])]
    axes = [f"n{axis}" for axis in range(len(rows))]
    model = jf.onnx.load(
        model_of(nodes, [info("x", kind, [*axes, INNER])], [info("y", kind, [*axes, columns])],
                 {"w": matrix, "b": bias})
    )  # fmt: skip
    assert products(model) == [DOMAIN]
    x = rng.normal(size=(*rows, INNER)).astype(dtype)
    wide = x.astype(np.float64) @ matrix.astype(np.float64) + bias
    np.testing.assert_allclose(model(x), wide, rtol=0, atol=1e-4 if dtype is np.float32 else 1e-12)


@pytest.mark.parametrize(
    "options", [{}, {"transB": 1}, {"transA": 1, "transB": 1, "alpha": 0.5, "beta": 2.0}]
)
@pytest.mark.parametrize("columns", [COLUMNS, 250])
def test_gemm_with_packed_weights(options: dict[str, Any], columns: int) -> None:
    matrix, bias = weights(np.float32, INNER, columns), weights(np.float32, columns)
    x = rng.normal(size=(19, INNER)).astype("f4")
    given = np.ascontiguousarray(x.T) if "transA" in options else x
    nodes = [helper.make_node("Gemm", ["x", "w", "b"], ["y"], **options)]
    stored = np.ascontiguousarray(matrix.T) if "transB" in options else matrix
    shape = info("x", TensorProto.FLOAT, given.shape)
    model = jf.onnx.load(
        model_of(nodes, [shape], [info("y", TensorProto.FLOAT, [19, columns])], {"w": stored, "b": bias})
    )
    assert products(model) == [DOMAIN]
    expected = x @ matrix * options.get("alpha", 1) + bias * options.get("beta", 1)
    np.testing.assert_allclose(model(given), expected, rtol=1e-4, atol=1e-4)


def test_the_kernel_reads_the_weights_in_place() -> None:
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    x = rng.normal(size=(40, INNER)).astype("f4")

    def made(columns: int) -> Any:
        shapes = [info("x", TensorProto.FLOAT, [40, INNER])], [info("y", TensorProto.FLOAT, [40, columns])]
        return jf.onnx.load(model_of([node], *shapes, {"w": weights(np.float32, INNER, columns)}))

    in_place, packs = made(COLUMNS).explain(x), made(COLUMNS + 1).explain(x)
    assert len(in_place.kernels) == len(packs.kernels) == 1
    allocated = [each.kernels[0].source("kernel").count("allocate") for each in (in_place, packs)]
    assert allocated[0] == allocated[1] - 1


@pytest.mark.parametrize(
    ("nodes", "columns"),
    [
        ([("MatMul", ["x", "w"], "y")], COLUMNS + 1),
        ([("MatMul", ["x", "w"], "p"), ("Add", ["p", "w"], "y")], COLUMNS),
        ([("MatMul", ["v", "w"], "p"), ("MatMul", ["x", "p"], "y")], COLUMNS),
    ],
    ids=["columns that fill a strip badly", "also read as an array", "made of constants"],
)
def test_what_is_not_packed(nodes: Any, columns: int) -> None:
    matrix = weights(np.float32, INNER, columns)
    x = rng.normal(size=(INNER, INNER)).astype("f4")
    made = [helper.make_node(op, given, [name]) for op, given, name in nodes]
    shapes = [info("x", TensorProto.FLOAT, x.shape)], [info("y", TensorProto.FLOAT, matrix.shape)]
    model = jf.onnx.load(model_of(made, *shapes, {"w": matrix, "v": np.eye(INNER, dtype="f4")}))
    added = matrix if len(nodes) == 2 and nodes[1][0] == "Add" else 0
    np.testing.assert_allclose(model(x), x @ matrix + added, rtol=1e-4, atol=1e-4)
    assert (DOMAIN in products(model)) == (nodes[-1][1] == ["x", "p"])


@pytest.mark.parametrize("columns", [COLUMNS, 250])
@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_devices_are_given_the_matrix(name: str, columns: int) -> None:
    target = require(name)
    matrix = weights(np.float32, INNER, columns)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    shapes = [info("x", TensorProto.FLOAT, ["n", INNER])], [info("y", TensorProto.FLOAT, ["n", columns])]
    model = jf.onnx.load(model_of(nodes, *shapes, {"w": matrix}), device=target.device.name)
    x = rng.normal(size=(20, INNER)).astype("f4")
    np.testing.assert_allclose(model(x), x @ matrix, rtol=1e-3, atol=1e-3)
    assert len(model.explain(x).kernels) == 1
