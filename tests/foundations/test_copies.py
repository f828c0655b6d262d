"""Jitted functions whose copy of jitframe somebody took out of `sys.modules`, each in a process: a second."""

from __future__ import annotations

import pytest

PROGRAM = """
    import json, sys
    import numpy as np, jitframe as jf

    f = jf.jit(lambda x, s: np.sqrt(x) * s + np.zeros(3))
    g = jf.jit(lambda x: x[1:].sum() + np.linalg.norm(x), device="cpu")
    taken, first = sys.argv[1:]
    if first == "called":
        f(np.ones(3), 2.0)
    names = [name for name in sys.modules if name.partition(".")[0] == "jitframe"]
    for name in names:
        if taken == "all" or name.endswith(taken):
            del sys.modules[name]
"""
OLD = """
    found = [f(np.ones(3), 2.0), f(np.ones((2, 3)), 3.0), g(np.arange(4.0)), f(np.ones((1, 1, 3)), 2)]
    found += [(jf.asarray([1.0, 2.0]) * 2).numpy(), f(jf.asarray([1.0, 4.0, 9.0]), 2.0).numpy()]
    assert str(f.explain(np.ones((4, 3)), 3.0)).startswith("<lambda>")
    print(json.dumps([np.asarray(each).tolist() for each in found]))
"""
NEW = """
    import jitframe as new
    assert new is not jf
    found = [f(np.ones(3), 2.0), f(np.ones((2, 3)), 3.0), g(np.arange(4.0)), f(np.ones((1, 1, 3)), 2)]
    found += [(new.asarray([1.0, 2.0]) * 2).numpy(), f(new.asarray([1.0, 4.0, 9.0]), 2.0).numpy()]
    found.append(new.jit(lambda x: f(x, 3.0) + 1)(np.ones(3)))
    assert str(f.explain(np.ones((4, 3)), 3.0)).startswith("<lambda>")
    assert f.program(np.ones(3), 2.0).name == "<lambda>"
    for number in range(40):
        assert f(np.ones(3), number).tolist() == [number] * 3
    print(json.dumps([np.asarray(each).tolist() for each in found]))
"""
FOUND = [[2.0] * 3, [[3.0] * 3] * 2, 6 + 14**0.5, [[[2.0] * 3]], [2.0, 4.0], [2.0, 4.0, 6.0]]


@pytest.mark.parametrize(("taken", "first"), [("all", "new"), (".frame", "called")])
def test_modules_that_are_missing_are_put_back(in_process, taken, first):
    """Functions that were called before and new ones, with structures that they have not seen."""
    assert in_process(PROGRAM + OLD, taken, first) == FOUND


def test_functions_of_a_copy_that_was_replaced_are_jitted_by_the_new_one(in_process):
    """And take that one's Tensors."""
    assert in_process(PROGRAM + NEW, "all", "called") == [*FOUND, [4.0] * 3]
