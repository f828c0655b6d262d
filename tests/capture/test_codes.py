"""Rewritten code is kept on disk, and found there by processes whose functions are the same."""

from __future__ import annotations

import importlib.util
import linecache
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.cache.folder import PLAN_SUFFIX
from jitframe.cache.service import kernel_cache
from jitframe.capture import codes
from jitframe.settings import configure, restore, settings

TEXT = """
def count(values, limit):
    found = 0
    for value in values:
        if value > limit:
            found += {step}
    return found
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of functions that are rewritten, with a cache folder of this test's own."""
    names: list[str] = []
    make = codes._made

    def counting(code: Any) -> codes.Captured:
        names.append(code.co_name)
        return make(code)

    monkeypatch.setattr(codes, "_made", counting)
    before = settings()
    configure(cache_dir=str(tmp_path / "cache"))
    yield names
    restore(before)


def loaded(folder: Path, step: int = 1) -> Callable[..., Any]:
    """The function of a file, as a new process has it."""
    file = folder / "counting.py"
    file.write_text(TEXT.format(step=step))
    codes._known.clear()
    linecache.clearcache()
    found = importlib.util.spec_from_file_location("counting", file)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    function: Callable[..., Any] = module.count
    return function


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "cache" / "v1").glob(f"*{PLAN_SUFFIX}"))


def test_a_later_process_finds_it(tmp_path: Path, made: list[str]) -> None:
    first = codes.captured_code(loaded(tmp_path).__code__)
    assert made == ["count"] and first.code is not None
    again = codes.captured_code(loaded(tmp_path).__code__)
    assert made == ["count"] and again == first
    assert again.code.co_filename == str(tmp_path / "counting.py")
    assert list(again.code.co_positions()) == list(first.code.co_positions())
    values = np.arange(200.0)
    assert jf.jit(loaded(tmp_path))(values, 90.0) == 109
    assert made == ["count"]


def test_another_text_is_rewritten_anew(tmp_path: Path, made: list[str]) -> None:
    codes.captured_code(loaded(tmp_path).__code__)
    codes.captured_code(loaded(tmp_path, step=2).__code__)
    assert made == ["count", "count"]
    assert jf.jit(loaded(tmp_path, step=2))(np.arange(200.0), 90.0) == 218


def test_a_text_that_was_changed_after_the_import_is_not_taken_for_the_code(
    tmp_path: Path, made: list[str]
) -> None:
    code = loaded(tmp_path).__code__
    (tmp_path / "counting.py").write_text(TEXT.format(step=3))
    codes.captured_code(code)  # of another text than it was compiled from
    codes.captured_code(loaded(tmp_path).__code__)
    assert made == ["count", "count"]


@pytest.mark.parametrize("damage", [b"", b"not marshalled", b"\xff"], ids=["cut", "text", "byte"])
def test_a_damaged_file_is_replaced(tmp_path: Path, made: list[str], damage: bytes) -> None:
    codes.captured_code(loaded(tmp_path).__code__)
    (file,) = kept(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(damage and whole[: -len(damage)] + damage)
    codes.captured_code(loaded(tmp_path).__code__)
    assert made == ["count", "count"]
    codes.captured_code(loaded(tmp_path).__code__)
    assert made == ["count", "count"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jf.errors.CacheWarning)
        kernel_cache().warn_once()


def test_why_a_function_stays_as_it_is_is_kept_too(tmp_path: Path, made: list[str]) -> None:
    text = "def items(n):\n    for i in range(n):\n        yield i\n"
    file = tmp_path / "items.py"
    file.write_text(text)
    for _ in range(2):
        codes._known.clear()
        given: dict[str, Any] = {}
        exec(compile(text, str(file), "exec"), given)
        assert codes.captured_code(given["items"].__code__) == (None, "a generator or coroutine")
    assert made == ["items"]


def test_code_of_no_file_is_not_kept(tmp_path: Path, made: list[str]) -> None:
    name = "<a cell of a notebook>"
    text = TEXT.format(step=1)
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    for _ in range(2):
        codes._known.clear()
        given: dict[str, Any] = {}
        exec(compile(text, name, "exec"), given)
        assert codes.captured_code(given["count"].__code__).code is not None
    assert made == ["count", "count"] and not kept(tmp_path)
