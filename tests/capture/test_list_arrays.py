"""Lists with loads and stores at positions that values decide: arrays in compiled loops, and lists as Python
makes them, their items of Python's types."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.capture import counted_programs, list_aliases, list_programs, queue_programs
from tests.capture.list_programs import K

KEPT = [*list_programs.KEPT, *counted_programs.KEPT, *queue_programs.KEPT]
OTHERS = [*list_aliases.OTHERS, *counted_programs.OTHERS, *queue_programs.OTHERS]


def called(function, arguments):
    """What a call gives and leaves in its arguments, or raises."""
    given = copy.deepcopy(arguments)
    try:
        return repr((function(*given), given))
    except KeyError:  # whose text is the key
        return "KeyError"
    except (IndexError, ValueError) as error:
        return str(error).partition("\n")[0]


def compared(function, arguments):
    jitted = jf.jit(function)
    for _ in range(3):
        assert called(jitted, arguments) == called(function, arguments)
    return jitted


def named(cases):
    return [each.__name__ for each, _ in cases]


@pytest.mark.parametrize(("function", "arguments"), KEPT, ids=named(KEPT))
def test_kept(function, arguments):
    """The program is one, without cuts. Compiling takes up to half a second."""
    assert not compared(function, arguments).program(*copy.deepcopy(arguments)).segments


@pytest.mark.parametrize(("function", "arguments"), OTHERS, ids=named(OTHERS))
def test_never_wrong(function, arguments):
    """What aliases, changes its length or its types is as in Python, kept or not."""
    compared(function, arguments)


def test_a_position_outside():
    def stored(k):
        counts = [0] * 8
        for i in k:
            counts[i + 1] = 1
        return counts

    with pytest.raises(IndexError, match="list assignment index out of range"):
        jf.jit(stored)(K)


def test_no_other_index():
    def function(x):
        counts = [0] * 8
        for v in x:
            counts[v] += 1
        return counts

    with pytest.raises(TypeError):
        jf.jit(function)(np.arange(100.0) % 8)


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_a_device(device):
    """Devices run the same loops. Compiling takes a second there."""
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device}")

    def function(k):
        counts = [0] * 8
        for i in k:
            counts[i] += 1
        return np.array(counts)

    k = K.astype(np.int32)
    found = jf.jit(function)(jf.asarray(k, device=device))
    np.testing.assert_array_equal(found.numpy(), function(k))
