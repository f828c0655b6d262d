"""The layers of networks: what jitframe, JAX and the ONNX models make of them is what NumPy makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.benchmarks import formulas, network_formulas, networks
from tests.benchmarks.case import Case, in_float64, network_of, uniform
from tests.benchmarks.cases import select
from tests.benchmarks.peers import base, load


def image(*shape: int) -> np.ndarray:
    return uniform(*shape, low=-1)


def heads() -> tuple[np.ndarray, ...]:
    return image(3, 17, 8), image(3, 17, 8) + 1, image(3, 17, 8)


SMALL: dict[str, tuple[Any, ...]] = {
    "attention": heads(),
    "causal_attention": heads(),
    "convolution": (image(2, 6, 9, 7), image(5, 6, 3, 3), image(5)),
    "convolution_of_stride_2": (image(1, 6, 9, 8), image(6, 1, 3, 3), image(6)),
    "channels_last_convolution": (image(1, 9, 7, 6), image(6, 1, 3, 3), image(6)),
    "mlp": network_of(4, 12, 8, 8, 3),
    "dense_gelu": (image(4, 6), image(6, 5), image(5)),
    "product": (image(4, 6), image(6, 5)),
    "transformer_block": networks.block_arguments(6, 32, 64),
    "encoder": networks.encoder_arguments(2, 6, depth=2, width=48),
    "layer_norm": (image(4, 32), image(32) + 1, image(32)),
    "rms_norm": (image(4, 32), image(32) + 1),
    "softmax": (image(4, 32),),
    "cross_entropy": (image(4, 32), np.array([3, 0, 31, 3])),
    "lstm": networks.lstm_arguments(5, 3, 8),
    "int4_product": networks.int4_arguments(6, 128),
}


def formula(name: str) -> Callable[..., Any]:
    return getattr(network_formulas, name, None) or getattr(formulas, name)


def wanted(name: str) -> np.ndarray:
    if formulas.erf is None and name in ("transformer_block", "encoder"):
        pytest.skip("SciPy's erf is not installed")
    return np.asarray(formula(name)(*in_float64(SMALL[name])))


def case_of(name: str) -> Case:
    """With as many weights as the small arguments have; the encoder's depth is less than the table's."""
    case = next(case for case in networks.CASES if case.formula == name)
    return replace(case, weights=len(SMALL[name]) - 2) if name == "encoder" else case


def test_every_layer_of_the_table_is_compared() -> None:
    assert {case.formula for case in networks.CASES} == set(SMALL)


def test_rows_of_both_tables_have_names_of_their_own() -> None:
    for case in networks.CASES:
        assert select(case.name) == (case,)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("peer", ["jitframe", pytest.param("jax", marks=pytest.mark.more)])
def test_a_peers_layer_is_the_formula(peer: str, name: str) -> None:
    pytest.importorskip(peer)
    if name == "encoder":
        pytest.importorskip("onnx")
    prepared = base.prepare(load(peer), case_of(name), SMALL[name])
    assert prepared is not None
    made = prepared.call(*prepared.arguments)
    np.testing.assert_allclose(prepared.peer.fetch(made), wanted(name), rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize("name", sorted(SMALL.keys() - {"channels_last_convolution", "int4_product"}))
def test_an_onnx_model_is_the_formula(name: str) -> None:
    """The last is of an operator of onnxruntime's own."""
    onnx = pytest.importorskip("onnx")
    from tests.benchmarks.peers.onnx_models import MODELS

    inputs = len(SMALL[name]) - case_of(name).weights
    model = MODELS[name](*SMALL[name][inputs:])
    onnx.checker.check_model(model)
    found = jf.onnx.load(model)(*SMALL[name][:inputs])
    np.testing.assert_allclose(found, wanted(name), rtol=1e-4, atol=2e-5)


def test_weights_are_prepared_once_and_only_where_a_case_has_some() -> None:
    made: list[int] = []

    def build(*weights: Any) -> Callable[..., Any]:
        made.append(len(weights))
        return lambda *inputs: inputs

    peer = base.Peer("x", "1", {"mlp": max}, built={"mlp": build, "attention": build})
    of_arrays, of_networks, without = (select(name)[0] for name in ("mlp", "mlp64", "attend1"))
    plain = base.prepare(peer, of_arrays, (1, 2, 3))
    assert plain is not None and plain.call is max and not made
    prepared = base.prepare(peer, of_networks, tuple(range(7)))
    assert prepared is not None and prepared.call(*prepared.arguments) == (0,) and made == [6]
    prepared = base.prepare(peer, without, (1, 2, 3))
    assert prepared is not None and prepared.arguments == (1, 2, 3) and made == [6, 0]
