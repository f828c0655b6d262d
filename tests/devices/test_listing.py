"""Which devices there are: `jf.devices()` and `jitframe devices`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import jitframe as jf
from jitframe.cli import app
from jitframe.ir.types import DTYPES
from jitframe.runtime import registry


def test_every_backend_is_listed_with_devices_or_a_reason() -> None:
    found = jf.devices()
    assert found[0].name == "cpu"
    assert found[0].available
    assert found[0].memory_bytes > 0
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


def test_the_list_prints_as_a_table() -> None:
    lines = repr(jf.devices()).splitlines()
    assert lines[0].split() == ["device", "through", "kind", "memory", "dtypes"]
    assert lines[1].startswith("cpu ")
    (row,) = [line for line in lines if line.startswith("interpreter:1")]
    expected = "interpreter:1 narrow interpreter Python other 1.0 GiB bool int32 uint8 float32"
    assert row.split() == expected.split()
    assert all(
        line.startswith("no ") and ": " in line
        for line in lines[1 + len([d for d in jf.devices() if d.available]) :]
    )


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
            assert f"{device.name}: not available. {device.problem}" in printed.stdout
    assert rows[0]["simd"] == dict(found[0].more)["simd"]
