"""Which devices there are: `jf.devices()` and `jitframe devices`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import jitframe as jf
from jitframe.backends.listing import table
from jitframe.cli import app
from jitframe.ir.types import DTYPES
from jitframe.runtime.discovery import registry


def test_every_backend_is_listed_with_devices_or_a_reason() -> None:
    found = jf.devices()
    assert found[0].name == "cpu"
    assert found[0].available
    assert found[0].total_bytes > 0
    assert found[0].dtypes == tuple(dtype.numpy_name for dtype in DTYPES)
    for entry in registry.backends():
        rows = [each for each in found if each.name.partition(":")[0] == entry.name]
        assert rows, entry.name
        for row in rows:
            if row.available:
                facts = registry.device(row.name).facts
                assert (row.title, row.api, row.kind) == (facts.title, facts.api, facts.kind)
                assert "float32" in row.dtypes
            else:
                assert len(rows) == 1
                assert len(row.problem) > 20
    narrow = next(each for each in found if each.name == "interpreter:1")
    assert narrow.dtypes == ("bool", "int32", "uint8", "float32")


def test_the_list_prints_as_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    lines = repr(jf.devices()).splitlines()
    assert lines[0].split() == ["device", "name", "kind", "free", "memory", "through", "driver", "dtypes"]
    assert lines[1].startswith(("cpu ", "cpu * "))
    (row,) = [line for line in lines if line.startswith("interpreter:1")]
    expected = "interpreter:1 narrow interpreter other ? 1.0 GiB Python bool int32 uint8 float32"
    assert row.split() == expected.split()
    there = [each for each in jf.devices() if each.available]
    assert sum(f"{each.name} * " in line for each in there for line in lines) == 1
    assert lines[1 + len(there)].startswith("* is recommended: ")
    absent = [each for each in jf.devices() if not each.available]
    assert lines[2 + len(there) :] == [f"{each.name}: {each.problem}" for each in absent]


@pytest.mark.parametrize("width", [72, 80, 120])
def test_the_table_fits_its_terminal(width: int) -> None:
    found = jf.devices()
    text = table(found, width)
    assert max(map(len, text.splitlines())) <= width
    words = text.split()
    for each in found:
        assert each.name in words or f"{each.name}:" in words
        assert not each.available or set(each.api.split()) <= {word.strip(";") for word in words}
        assert set(each.problem.split()) <= set(words)


def test_the_command_line_lists_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = CliRunner()
    printed = runner.invoke(app, ["devices"])
    assert printed.exit_code == 0
    told = runner.invoke(app, ["devices", "--json"])
    rows = json.loads(told.stdout)
    found = jf.devices()
    assert [row["name"] for row in rows] == [each.name for each in found]
    for row, device in zip(rows, found, strict=True):
        assert row["available"] is device.available
        assert device.name in printed.stdout
        if not device.available:
            assert row["problem"] == device.problem
            assert f"{device.name}: {device.problem}" in " ".join(printed.stdout.split())
    assert [row["name"] for row in rows if row["recommended"]] == [jf.backends.recommended()]
    assert rows[0]["simd"] == dict(found[0].more)["simd"]
