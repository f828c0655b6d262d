"""Objects of libraries that functions are given: what is done to them is done at each call."""

from __future__ import annotations

import sysconfig
import textwrap
import threading
import types
import warnings

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


def test_what_other_threads_have_done_is_not_taken_back():
    """An event that is set while a function which waits for it is traced stays set."""
    traced, answered = threading.Event(), threading.Event()

    def waiting(x):
        traced.set()
        assert answered.wait(20)
        return x + 1

    def answer():
        assert traced.wait(20)
        answered.set()

    thread = threading.Thread(target=answer)
    thread.start()
    assert jf.jit(waiting)(np.ones(2)).tolist() == [2.0, 2.0]
    thread.join()
    assert answered.is_set()


def test_what_a_library_warns_of_in_the_functions_name(strict):
    """`warnings` notes it in a global of the function, which is no store of the function's."""
    deprecated = types.ModuleType("deprecated_for_a_test")
    source = """
import warnings

def halved(x):
    warnings.warn("halved is old", DeprecationWarning, stacklevel=2)
    return x / 2
"""
    exec(
        compile(source, sysconfig.get_path("purelib") + "/deprecated_for_a_test.py", "exec"), vars(deprecated)
    )

    def function(x):
        return deprecated.halved(x) + 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        assert jf.jit(function)(np.ones(2)).tolist() == [1.5, 1.5]


class Missing:
    """The placeholder of a module that is not installed: it raises what its import has raised."""

    def __init__(self, error):
        self.error = error

    def __getattribute__(self, name):
        if name == "__class__":
            return type(None)
        raise super().__getattribute__("error")


missing = Missing(ImportError("no such module"))


def test_placeholders_of_missing_modules_raise_only_where_they_are_used():
    class Shape:
        def __init__(self):
            self.points, self.tools = np.ones(3), [Missing(ImportError("no tools"))]

        def shifted(self, by):
            return self.points + by if by.size else missing.shift(self)

    np.testing.assert_array_equal(jf.jit(Shape.shifted)(Shape(), np.ones(3)), np.full(3, 2.0))
    with pytest.raises(ImportError, match="no such module"):
        jf.jit(Shape.shifted)(Shape(), np.ones(0))
