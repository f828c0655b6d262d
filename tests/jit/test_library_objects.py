"""Objects of libraries that functions are given: what is done to them is done at each call."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import FallbackWarning, TraceError


def test_they_are_changed_at_each_call(strict):
    wrapper = textwrap.TextWrapper(width=10)

    def function(wrapper, x):
        wrapper.width = x * 2
        wrapper.initial_indent = "-"
        return x + 1

    jitted = jf.jit(function)
    with pytest.raises(TraceError, match="changes 'wrapper', an object of a library"):
        jitted(wrapper, 3)
    assert wrapper.width == 10 and wrapper.initial_indent == ""
    jf.settings.configure(strict=False)
    with pytest.warns(FallbackWarning, match="an object of a library"):
        assert jitted(wrapper, 3) == 4
    for x in (4, 5):
        assert jitted(wrapper, x) == x + 1
        assert wrapper.width == x * 2 and wrapper.initial_indent == "-"


def test_a_trace_that_is_left_leaves_them_as_they_were():
    wrapper = textwrap.TextWrapper(width=10)

    @jf.jit
    def function(wrapper, x):
        wrapper.width += 1
        wrapper.values = x * 2
        return {id(wrapper): float(x[0])}[id(wrapper)] and sorted({int(v) for v in x})

    for turn in range(3):
        assert function(wrapper, np.arange(1.0, 4.0)) == [1, 2, 3]
        assert wrapper.width == 11 + turn and type(wrapper.values) is np.ndarray
