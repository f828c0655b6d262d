"""A library call with two results in one file: the function's declaration, its provider, and the op that is
lowered to it.

The library is NumPy's `frexp`, called by the native executor through an adapter.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.calls import call
from jitframe.codegen.plan.libraries import FUNCTIONS, LibraryFunction
from jitframe.codegen.plan.nodes import BufferRef, LibraryCall
from jitframe.ir import ops
from jitframe.ir.expr import lift, product
from jitframe.ir.node import Inferred, Node, Op
from jitframe.ir.structure import Axes, Ranks, Structural
from jitframe.ir.types import BOOL, F64
from jitframe.runtime.cpu.libraries import blas

FREXP = LibraryFunction(
    "frexp",
    library="NumPy",
    title="a splitting of floats",
    operands=("x",),
    results=("fraction", "exponent"),
    options=(),
    sizes=("count",),
    dtypes=(F64,),
    formula=lambda step, place: f"{', '.join(map(place, step.results))} = frexp({place(step.operands[0])})",
    shape=lambda sizes: str(sizes[0]),
    flops=lambda sizes: sizes[0],
    elements=lambda sizes: (sizes[0],) * 3,
)
_CALLS: list[int] = []


@ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64))
def _adapter(words: Any, addresses: Any) -> None:
    count = words[0]
    x, fraction, exponent = (
        np.frombuffer((ctypes.c_double * count).from_address(addresses[place])) for place in range(3)
    )
    fraction[:], exponent[:] = np.frexp(x)
    _CALLS.append(count)


def _provider(_blas: blas.Blas, step: LibraryCall) -> blas.EncodedCall:
    address = ctypes.cast(_adapter, ctypes.c_void_p).value
    assert address is not None
    return blas.EncodedCall(address, [step.sizes[0]], shared=False, through_python=True)


def _lower(lowering: Any, node: Node, scope: Any) -> None:
    (x,) = node.inputs
    source, extents = scope.memories[x], tuple(map(lift, x.shape))
    made = [lowering.allocate(extents, F64, scope) for _ in range(2)]
    results = tuple(BufferRef(each.buffer) for each in made)
    operands = (BufferRef(source.buffer, source.offset),)
    count = product(extents)
    scope.steps.append(LibraryCall("frexp", F64, operands, results, (), (count,), cost_ns=count))
    scope.tuples[node] = made


def _structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    axes.results[node] = [sources[0], sources[0]]
    return (), ()


def _results(node: Node) -> list[Inferred]:
    return [(node.inputs[0].shape, F64)] * 2


SPLIT = ops.register(
    Op(
        "split_floats",
        "control",
        lambda _inputs, _attributes: ((), BOOL),
        lambda inputs, _attributes, _node: [each.astype("f8") for each in np.frexp(inputs[0])],
        structure=_structure,
        results=_results,
        memory_operands=lambda node: node.inputs,
        lower=_lower,
    )
)


def split_floats(x: Any) -> tuple[Any, Any]:
    """The public function: fractions and exponents."""

    def made(graph: Any, x: Node) -> list[Node]:
        node = graph.make(SPLIT, x)
        return [graph.make(ops.item, node, attributes=(place,)) for place in range(2)]

    found: tuple[Any, Any] = call(made, (x,))
    return found


@pytest.fixture(autouse=True)
def _declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, "frexp", FREXP)
    monkeypatch.setitem(blas.PROVIDERS, "frexp", _provider)
    _CALLS.clear()


def test_two_results_of_one_call_fuse_with_what_follows() -> None:
    x = np.random.default_rng(0).random((30, 40)) * 100

    @jf.jit
    def program(x: Any) -> Any:
        fraction, exponent = split_floats(x * 2)
        return np.exp(fraction) + exponent

    fraction, exponent = np.frexp(x * 2)
    for _ in range(3):
        np.testing.assert_allclose(program(x), np.exp(fraction) + exponent)
    assert _CALLS == [1200] * 3
    explained = program.explain(x)
    assert len(explained.kernels) == 2 and "frexp(" in explained.plan and "NumPy" in explained.plan
    np.testing.assert_allclose(program(x[:5]), np.exp(fraction[:5]) + exponent[:5])


def test_lazily() -> None:
    x = np.random.default_rng(0).random(100)
    fraction, exponent = split_floats(jf.asarray(x))
    wanted = np.frexp(x)
    np.testing.assert_array_equal(fraction.numpy(), wanted[0])
    np.testing.assert_array_equal(exponent.numpy(), wanted[1])
