"""Captured places name the user's line, also below NumPy and in functions of many lines."""

from __future__ import annotations

import numpy as np

from jitframe.tracing.environment import user_code
from jitframe.tracing.environment.user_code import line_of, lines_where, place
from tests.trace.fake_mapper import marked_line


def captures():
    here = place()
    there = place()  # here
    return here, there


def test_line_is_the_running_one():
    first, second = (line_of(captured) for captured in captures())
    assert (first.line, second.line) == (marked_line(captures) - 1, marked_line(captures))
    assert (second.file, second.function) == (__file__, "captures")


def test_frames_of_numpy_are_passed_over():
    class Array:
        def __array_function__(self, function, types, arguments, keywords):
            return place_seen_from_machinery()

    def calls():
        return np.linalg.norm(Array())  # here

    def place_seen_from_machinery():
        # The protocol method is the test's own, so it runs under a name of jitframe's.
        names = {"__name__": "jitframe.fake", "place": user_code.place}
        return eval("(lambda: place())()", names)

    line = line_of(calls())
    assert (line.file, line.function.rpartition(".")[2]) == (__file__, "place_seen_from_machinery")


def test_method_of_an_array_class_in_jitframe_is_passed_over():
    names = {"__name__": "jitframe.fake", "place": user_code.place}
    exec("class Array:\n def __array_function__(self, *_): return place()", names)
    array = names["Array"]()

    def calls():
        return np.concatenate([array])  # here

    assert line_of(calls()).line == marked_line(calls)


def test_lines_of_stores_are_found_in_nested_code():
    def outer():
        def inner():
            global stored
            stored = 1  # here

        return inner

    (line,) = lines_where(outer.__code__, user_code.dis.opmap["STORE_GLOBAL"], "stored")
    assert line.line == marked_line(outer)
