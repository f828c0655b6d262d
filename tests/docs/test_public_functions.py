"""Every public function and method shows its parameters, says what it does, and has an example that runs."""

from __future__ import annotations

import doctest
import inspect
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.docs.test_docstrings import FLAGS
from tools.make_stubs import namespaces


def public_functions() -> dict[str, Any]:
    """The functions of `jf`, its namespaces and `jf.random`, by the names that a program calls them by."""
    found = {f"jf.{name}": getattr(jf, name) for name in jf.__all__}
    for namespace in namespaces():
        module = getattr(jf, namespace)
        found |= {f"jf.{namespace}.{name}": getattr(module, name) for name in module.__all__}
    found["jf.random.default_rng"] = jf.random.default_rng
    for kind in (jf.Tensor, jf.JittedFunction, jf.random.Generator):
        for name in dir(kind):
            if not name.startswith("_"):
                found[f"jf.{kind.__name__}.{name}"] = inspect.getattr_static(kind, name)
    return {name: each for name, each in found.items() if callable(each) and not isinstance(each, type)}


FUNCTIONS = public_functions()
_UNSHOWN = ("clear", "kernel_cache", "lookup_or_compile")
"""Of the cache: what empties the folder of all tests, and what the compiler itself calls."""
OF_MODULES = {
    f"{module.__name__.replace('jitframe', 'jf')}.{name}": getattr(module, name)
    for module in (jf.backends, jf.cache)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name)) and name not in _UNSHOWN
}
ANY_NUMBER = {
    "args", "arrays", "arrays_and_dtypes", "kw", "mode_options", "named_specs", "specs", "tensors", "varargs",
    "axes", "choices", "kwargs", "position", "shape", "target", "xi",
}  # fmt: skip
"""What functions take any number of; all other parameters stand by themselves."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_stand_by_themselves(name: str) -> None:
    """Each has a name, as NumPy's and the array API's have; `*` and `**` are for any number of arrays."""
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        if name in ("jf.einsum", "jf.einsum_path", "jf.cond") and parameter.name == "operands":
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            assert parameter.name in ANY_NUMBER, f"{name}: {parameter}"


@pytest.mark.parametrize("name", [*FUNCTIONS, *OF_MODULES])
def test_the_docstring_says_what_it_does_and_its_example_runs(name: str) -> None:
    text = inspect.getdoc({**FUNCTIONS, **OF_MODULES}[name])
    assert text, f"{name} has no docstring"
    test = doctest.DocTestParser().get_doctest(text, {"jf": jf, "np": np}, name, None, None)
    assert test.examples, f"{name} has no example"
    report: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


def test_attributes_say_what_they_are() -> None:
    attributes = [name for name in dir(jf.Tensor) if isinstance(getattr(jf.Tensor, name, None), property)]
    assert {"T", "dtype", "shape"} <= set(attributes)
    without = [name for name in attributes if name[0] != "_" and not getattr(jf.Tensor, name).__doc__]
    assert without == []


def test_methods_have_the_parameters_of_their_functions() -> None:
    for name in ("sum", "take", "cumsum", "nonzero"):
        theirs = [*inspect.signature(getattr(jf, name)).parameters.values()]
        ours = [*inspect.signature(getattr(jf.Tensor, name)).parameters.values()]
        assert ours[0].name == "self" and ours[1:] == theirs[1:]
        assert [*inspect.signature(getattr(jf.ones(3), name)).parameters.values()] == theirs[1:]
