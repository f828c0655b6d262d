"""Lists that loops append to: kept loops, whose items are rows of arrays, and lists as Python makes them."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from jitframe.ir.node import topological
from tests.capture.growing_programs import KEPT, OTHERS, X
from tests.capture.test_users_programs import same


def named(cases):
    return [each.__name__ for each, _ in cases]


def compared(function, arguments):
    jitted = jf.jit(function)
    for _ in range(3):
        mine, its = copy.deepcopy(arguments), copy.deepcopy(arguments)
        same(jitted(*mine), function(*its))
        same(list(mine), list(its))
    return jitted


@pytest.mark.parametrize(("function", "arguments"), KEPT, ids=named(KEPT))
def test_kept(function, arguments):
    """The program has loops, no cuts, and no more nodes than the text has operations. Compiling takes up to a
    second."""
    program = compared(function, arguments).program(*copy.deepcopy(arguments))
    assert not program.segments
    nodes = topological(program.outputs)
    given = [each for each in program.inputs if each.leaf is not None]
    assert any(node.op.name in ("loop", "while") for node in nodes) or not given  # else it is a constant
    assert len(nodes) < 300


@pytest.mark.parametrize(("function", "arguments"), OTHERS, ids=named(OTHERS))
def test_never_wrong(function, arguments):
    """What aliases, shrinks, or depends on values is as in Python, kept or not. Compiling takes up to a
    second."""
    compared(function, arguments)


def test_an_item_that_is_not_there():
    def function(x):
        out = [0.0]
        for i in range(300):
            out.append(out[i + 1] + x[i])
        return out

    with pytest.raises(IndexError, match="list index out of range"):
        jf.jit(function)(X)


def test_no_item_of_an_empty_list():
    def function(x):
        out = []
        for v in x:
            out.append(out[-1] + v)
        return out

    with pytest.raises(IndexError):
        jf.jit(function)(X)


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_a_device(device):
    """Devices run the same loops. Compiling takes a second there."""
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device}")

    def function(x):
        out = [x[0]]
        for v in x:
            out.append(out[-1] * 0.5 + v)
        return np.array(out)

    given = X.astype(np.float32)
    found = jf.jit(function, device=device)(given)
    np.testing.assert_allclose(found, function(given), rtol=1e-4, atol=1e-5)


def test_tensors():
    """A list of results in Tensors."""

    def function(x):
        out = []
        for v in x:
            out.append(v * 2)
        return out

    found = jf.jit(function)(jf.asarray(X))
    assert isinstance(found, list)
    np.testing.assert_array_equal([float(each) for each in found[:5]], X[:5] * 2)
