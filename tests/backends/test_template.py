"""The template of a backend: short, and held to the contract of drivers; tests/conformance runs on it too."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.conformance.devices import TEMPLATE, template_backend
from tests.runtime_gpu.driver_contract import CONTRACT
from tests.runtime_gpu.subject import Law, Subject


@pytest.fixture(scope="module")
def template() -> Any:
    return template_backend()


@pytest.fixture(scope="module")
def subject(template: Any) -> Subject:
    return Subject(template.open(0))


def test_it_is_short() -> None:
    assert len(TEMPLATE.read_text(encoding="utf-8").splitlines()) < 200


@pytest.mark.parametrize("law", CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, subject: Subject) -> None:
    law(subject)


def test_it_serves_as_any_other(template: Any) -> None:
    backend = jf.backends.get("template")
    assert backend.capabilities.dtypes == jf.backends.get("cpu").capabilities.dtypes
    assert backend.supports("matmul", "float64") and backend.supports("cumsum", "int8")
    x = np.arange(6, dtype=np.float32)
    assert backend.ops.multiply(x, x).tolist() == [0, 1, 4, 9, 16, 25]
    assert jf.jit(lambda x: x.sum(), device="template")(x) == 15
    with backend.buffer(4) as buffer:
        buffer.write(b"abcd")
        assert buffer.read() == b"abcd"


def test_it_runs_as_a_program() -> None:
    done = subprocess.run([sys.executable, str(TEMPLATE)], capture_output=True, text=True, check=True)
    assert done.stdout == "computed there: True [1.0, 2.0, 5.0, 10.0, 17.0, 26.0]\n"
