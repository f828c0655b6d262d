"""A function composed of others is that function, and in jitframe its definition is its one place."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.api.namespace import FUNCTIONS
from tools.make_index import PATH as INDEX

ROOT = Path(jf.__file__).parent


def standardized(x: Any, axis: int = -1, eps: float = 1e-6) -> Any:
    """x without its mean along an axis, in units of its deviation there."""
    centered = x - jf.mean(x, axis=axis, keepdims=True)
    return centered / jf.sqrt(jf.mean(centered * centered, axis=axis, keepdims=True) + eps)


def test_it_is_one_kernel_under_jit_and_lazily() -> None:
    x = np.random.default_rng(0).random((50, 300))
    wanted = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-6)
    jitted = jf.jit(standardized)
    np.testing.assert_allclose(jitted(x), wanted)
    lazy = standardized(jf.asarray(x))
    assert len(jf.explain(lazy).kernels) == len(jitted.explain(x).kernels) == 1
    np.testing.assert_allclose(lazy.numpy(), wanted)


# Asked of a process that has one more module in `jitframe.api`, and the index made with it.
MAKE = """
import sys
from jitframe import api

api.__path__.append(sys.argv[1])
from tools.make_index import make

print(make())
"""
DOUBLING = """
from typing import Any

from ..movement import as_lazy
from ..registry import public


@public("elementwise", name="family.double")
def double(x: Any) -> Any:
    return as_lazy(x) * 2
"""
PROGRAM = """
import sys, types
import numpy as np
import jitframe as jf
from jitframe import api

folder, text = sys.argv[1:]
api.__path__.append(folder)
index = sys.modules["jitframe.api.index"] = types.ModuleType("jitframe.api.index")
index.__package__ = "jitframe.api"
exec(text, vars(index))

x = np.array([[1.0, 3.0], [5.0, 5.5]])
wanted = (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)
assert {"standardized"} <= {*jf.__all__} & {*dir(jf)}
for found in (jf.standardized(x), jf.asarray(x).standardized(), jf.linalg.standardized(x)):
    np.testing.assert_allclose(found.numpy(), wanted)
np.testing.assert_allclose(jf.jit(lambda x: jf.standardized(x) + x.standardized(axis=-1))(x), 2 * wanted)
assert "array([-1.,  1.])" in jf.Tensor.standardized.__doc__
with jf.backends.create("cpu") as backend:
    assert backend.supports("standardized", "float64")
    assert "standardized" in backend.operation_families["reduction"]
    np.testing.assert_allclose(backend.ops.standardized(x).numpy(), wanted)
    assert backend.supports("family.double", "float32")
    assert backend.operation_families["family"] == backend.operation_families["family.doubling"]
(double,) = api.namespace.functions_in("family").values()
np.testing.assert_allclose(double(x).numpy(), 2 * x)
print("all is there")
"""


def test_its_definition_makes_it_all_that_a_function_is(tmp_path: Path) -> None:
    """Two processes of a second or two: each has a package of its own to add a module to."""
    source = Path(__file__).with_name("standardizing.py")
    (tmp_path / source.name).write_bytes(source.read_bytes())
    (tmp_path / "family").mkdir()
    (tmp_path / "family" / "__init__.py").write_text('"""A namespace of its own, as a folder."""\n')
    (tmp_path / "family" / "doubling.py").write_text(DOUBLING)
    text = told_by(MAKE, str(tmp_path))
    assert '    "standardized": ("reduction", "standardizing", ("standardized",)),' in text.splitlines()
    assert '    "family.double": ("elementwise", "family.doubling", ("family.double",)),' in text.splitlines()
    assert told_by(PROGRAM, str(tmp_path), text) == "all is there\n"


def told_by(program: str, *arguments: str) -> str:
    command = (sys.executable, "-c", program, *arguments)
    told = subprocess.run(command, cwd=ROOT.parent, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return told.stdout


SHARED = frozenset((
    "angle", "append", "array", "astype", "bartlett", "blackman", "block", "choose", "clip", "convolve",
    "copy", "correlate", "dot", "full", "hamming", "hanning", "imag", "indices", "insert", "interp",
    "kaiser", "median", "ndim", "outer", "pad", "place", "real", "reshape", "select", "shape", "size",
    "sort", "stack", "where",
))  # fmt: skip
"""Names that are words for other things, too: attributes, parameters, methods of ufuncs, modes, windows,
instructions."""


def composed() -> dict[str, str]:
    """The functions that are defined as such, not made of records, with their modules."""
    found = {}
    for name, function in FUNCTIONS.items():
        own = inspect.unwrap(function.declared.function)
        if own.__code__.co_name == own.__name__ and own.__qualname__ == own.__name__:
            found[name] = function.module
    return found


def test_no_other_file_names_it() -> None:
    """No other source has its name as text, neither by itself nor among words that are such names, but where
    functions on nodes say in errors who they are, and where ONNX has operators of the same names. (Code that
    calls the function is another thing.)"""
    modules = {name: module for name, module in composed().items() if name not in SHARED}
    assert len(modules) > 150 and modules["rot90"] == "arranging.rearranging"
    found = []
    for path in (*ROOT.rglob("*.py"), *(ROOT.parent / "tools").glob("*.py")):
        inside = path.relative_to(ROOT.parent).parts
        if path == INDEX or {"ir", "codegen", "functions", "onnx"} & {*inside}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            words = (
                node.value.split() if isinstance(node, ast.Constant) and isinstance(node.value, str) else ()
            )
            if {*words} <= FUNCTIONS.keys():
                found += [
                    f"{'/'.join(inside)}:{node.lineno}: {word}"  # type: ignore[attr-defined]
                    for word in words
                    if word in modules and "/".join(inside[1:]) != f"api/{modules[word].replace('.', '/')}.py"
                ]
    assert found == []
