"""Functions found in the text of their files."""

from __future__ import annotations

import argparse
import ast
import collections
import enum
import importlib
import linecache
import textwrap
import types

import pytest

from jitframe.capture.exits import CannotCapture
from jitframe.capture.source import _find, _own_function, _owner, _tree_of

MODULES = (argparse, ast, collections, enum, textwrap, types)
ODD = '''
def plain(x):
    """A text that begins
at the left edge."""
    return x

@str
@(lambda f:
f)
def decorated(
    x,
):  # the end of its head is at the left edge
    y = [
x]
# a comment
    return y
class Outer:
    class Inner:
        def method(self):
            def inner(): return self
            return inner
    if True:
        def last(self): return 1
'''


def codes_in(code):
    yield from (code for _ in range(code.co_name.isidentifier() and code.co_name != "<module>"))
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes_in(each)


def functions_of(text, file):
    """The code of each function of a text and where the whole tree has it."""
    tree = _tree_of(file)
    for code in codes_in(compile(text, file, "exec")):
        try:
            node, owner = _find(tree, code)
        except CannotCapture:
            continue  # a class body, for one
        if isinstance(node, ast.FunctionDef):
            yield code, node, owner


def check(text, file):
    found = list(functions_of(text, file))
    own = [_own_function(code) for code, _, _ in found]
    for (code, node, owner), function in zip(found, own, strict=True):
        if function is not None:
            assert ast.dump(function, include_attributes=True) == ast.dump(node, include_attributes=True)
            assert _owner(code) == owner
    return len(found), sum(function is not None for function in own)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_parsed_alone_they_are_as_in_the_whole_file(module):
    loader = importlib.util.find_spec(module.__name__).loader
    functions, alone = check(loader.get_source(module.__name__), module.__file__)
    assert functions > 10 and alone >= 0.97 * functions


def test_ends_that_are_hard_to_find(monkeypatch):
    monkeypatch.setitem(linecache.cache, "odd.py", (len(ODD), None, ODD.splitlines(True), "odd.py"))
    assert check(ODD, "odd.py") == (5, 5)
