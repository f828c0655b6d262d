"""Libraries that work on any namespace of the array API."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf

X = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.slow  # each imports its library anew and runs some hundred small programs
@pytest.mark.parametrize(
    ("program", "module", "least"), [("scikit_learn", "sklearn", 40), ("scipy", "scipy", 150)]
)
def test_a_library_on_tensors(program: str, module: str, least: int) -> None:
    """Every function of the list gives on Tensors what it gives on ndarrays."""
    pytest.importorskip(module)
    file = Path(__file__).with_name(f"{program}_program.py")
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run((sys.executable, file), capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert not done.stdout, done.stdout
    assert int(done.stderr.split()[-2]) >= least


def test_compat() -> None:
    compat = pytest.importorskip("array_api_compat")
    x = jf.asarray(X)
    assert compat.array_namespace(x) is jf and compat.array_namespace(x, x + 1) is jf
    assert compat.is_array_api_obj(x) and not compat.is_numpy_array(x) and compat.is_writeable_array(x)
    assert compat.device(x) == "cpu" and compat.to_device(x, "cpu") is x and compat.size(x) == 24
    with pytest.raises(TypeError, match="Multiple namespaces"):
        compat.array_namespace(x, X)


def test_extra() -> None:
    extra = pytest.importorskip("array_api_extra")
    x, row = jf.asarray(X), jf.asarray(X[0])
    np.testing.assert_array_equal(extra.at(x, 0).set(5.0, copy=True).numpy()[0], np.full((3, 4), 5.0))
    np.testing.assert_array_equal(x.numpy(), X)
    np.testing.assert_allclose(extra.cov(row).numpy(), np.cov(X[0]))
    np.testing.assert_array_equal(extra.kron(row, row).numpy(), np.kron(X[0], X[0]))
    np.testing.assert_array_equal(extra.pad(x, 1).numpy(), np.pad(X, 1))
    np.testing.assert_array_equal(extra.one_hot(jf.asarray([1, 0]), 3).numpy(), [[0, 1, 0], [1, 0, 0]])
    np.testing.assert_array_equal(extra.setdiff1d(row, row + 8).numpy(), np.setdiff1d(X[0], X[0] + 8))
    chosen = extra.apply_where(x > 3, x, lambda a: a + 1, lambda a: a - 1)
    np.testing.assert_array_equal(chosen.numpy(), np.where(X > 3, X + 1, X - 1))
    assert int(extra.nunique(x)) == 24


def test_einops() -> None:
    einops = pytest.importorskip("einops")
    import jitframe.interop.einops  # noqa: F401

    programs = {
        "rearrange": lambda x: einops.rearrange(x, "a b c -> c (a b)"),
        "reduce": lambda x: einops.reduce(x, "a (b1 b2) c -> b1 c", "mean", b2=3),
        "repeat": lambda x: einops.repeat(x, "a b c -> a r b c", r=2),
        "einsum": lambda x: einops.einsum(x, x, "a b c, a b d -> c d"),
        "pack": lambda x: einops.pack([x, x[:, :, 0]], "a b *")[0],
        "list": lambda x: einops.rearrange([x, x * 2], "n a b c -> a n b c"),
    }
    for name, program in programs.items():
        wanted = program(X)
        np.testing.assert_allclose(program(jf.asarray(X)).numpy(), wanted, err_msg=name)
        np.testing.assert_allclose(jf.jit(program)(X), wanted, err_msg=name)


def test_opt_einsum() -> None:
    opt_einsum = pytest.importorskip("opt_einsum")
    first, second = np.ones((4, 2)), np.arange(10.0).reshape(2, 5)

    def program(x: Any, y: Any, z: Any) -> Any:
        return opt_einsum.contract("abc,cd,de->abe", x, y, z)

    wanted = np.einsum("abc,cd,de->abe", X, first, second)
    np.testing.assert_allclose(program(*map(jf.asarray, (X, first, second))).numpy(), wanted)
    np.testing.assert_allclose(jf.jit(program)(X, first, second), wanted)
