"""Errors carry the user's own file and line, once, and are the builtin that they should be."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from jitframe import errors
from jitframe.errors import JitframeError, ShapeError, SourceLine, user_line, with_user_line

MESSAGE = "matmul: inner extents differ: f32[128, 64] @ f32[32, 8]; transpose one of them?"


def line_here() -> int:
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def caller_in(module: str, file: str) -> Callable[[], SourceLine | None]:
    """A function of a module that calls `user_line`."""
    namespace = {"__name__": module, "user_line": user_line}
    exec(compile("def call():\n    return user_line()\n", file, "exec"), namespace)
    call: Callable[[], SourceLine | None] = namespace["call"]
    return call


def test_the_message_ends_with_the_users_line() -> None:
    with pytest.raises(ShapeError) as raised:
        raise ShapeError(MESSAGE)
    line = raised.tb.tb_lineno
    assert str(raised.value) == (
        f"{MESSAGE}\n  at {__file__}:{line}, in test_the_message_ends_with_the_users_line"
    )
    assert raised.value.message == MESSAGE
    assert raised.value.line == SourceLine(__file__, line, "test_the_message_ends_with_the_users_line")


@pytest.mark.parametrize("module", ["jitframe", "jitframe.tracing.jit", "numpy.core", "functools"])
def test_machinery_is_passed_over(module: str) -> None:
    call = caller_in(module, "/lib/module.py")
    found, line = call(), line_here()
    assert found == SourceLine(__file__, line, "test_machinery_is_passed_over")


def test_a_module_that_only_sounds_like_machinery_is_the_users() -> None:
    assert caller_in("numpyro.models", "/home/ann/models.py")() == SourceLine(
        "/home/ann/models.py", 2, "call"
    )


def test_another_place_can_be_named() -> None:
    place = SourceLine("model.py", 7, "loss")
    assert str(ShapeError("wrong", line=place)) == "wrong\n  at model.py:7, in loss"
    assert with_user_line("wrong", place) == "wrong\n  at model.py:7, in loss"


def test_no_user_line_is_no_second_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "user_line", lambda: None)
    assert str(ShapeError("wrong")) == "wrong"
    assert ShapeError("wrong").line is None


@pytest.mark.parametrize("duplicate", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_survives_copying_with_its_first_place(duplicate) -> None:
    error = ShapeError("wrong", line=SourceLine("model.py", 7, "loss"))
    again = duplicate(error)
    assert type(again) is ShapeError
    assert str(again) == str(error)
    assert (again.message, again.line) == (error.message, error.line)


@pytest.mark.parametrize(
    ("name", "builtin"),
    [
        ("ShapeError", ValueError),
        ("AxisError", IndexError),
        ("AxisError", ValueError),
        ("AxisError", np.exceptions.AxisError),
        ("BoundsError", IndexError),
        ("DTypeError", TypeError),
        ("TraceError", TypeError),
        ("AliasError", ValueError),
        ("BackendError", RuntimeError),
        ("CompileError", RuntimeError),
        ("UnsupportedError", NotImplementedError),
        ("SettingError", ValueError),
        ("CacheError", RuntimeError),
        ("CacheWarning", UserWarning),
        ("FallbackWarning", UserWarning),
    ],
)
def test_each_is_the_builtin_too(name: str, builtin: type[Exception]) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, builtin)
    assert issubclass(kind, errors.JitframeWarning if issubclass(kind, Warning) else JitframeError)
    assert kind.__doc__
