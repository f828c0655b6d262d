"""Networks that packages carry, on a photograph, beside onnxruntime; and the example that reads text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.examples.loading import module_of

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "read_text.py"


@pytest.fixture(scope="module")
def read_text() -> Any:
    return module_of(EXAMPLE, "read_text_example")


@pytest.mark.slow
def test_a_page_is_read(read_text: Any) -> None:
    """Seconds: two networks of some hundred kernels."""
    folder = read_text.find_models()
    if folder is None:
        pytest.skip(f"{read_text.PACKAGE} is not installed")
    pytest.importorskip("onnx")
    detector, recognizer = (
        jf.onnx.load(folder / name) for name in (read_text.DETECTOR, read_text.RECOGNIZER)
    )
    characters = ["", *recognizer.metadata["character"].splitlines(), " "]
    image = read_text.load_photograph(None)
    lines = list(read_text.find_lines(detector, image))
    found = " ".join(read_text.read_line(recognizer, characters, line) for line in lines)
    words = ["Let", "us", "first", "determine", "markers", "of", "the", "coins", "and", "the"]
    assert sum(word in found for word in words) >= 9 and "histogram of grey values" in found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "shape"), [("DETECTOR", (1, 3, 320, 640)), ("RECOGNIZER", (2, 3, 48, 160))])
def test_they_are_onnxruntimes(read_text: Any, name: str, shape: tuple[int, ...]) -> None:
    folder = read_text.find_models()
    if folder is None:
        pytest.skip(f"{read_text.PACKAGE} is not installed")
    runtime = pytest.importorskip("onnxruntime")
    path = folder / getattr(read_text, name)
    image = read_text.load_photograph(None)
    x = np.repeat(np.asarray(read_text.resized(image, *shape[2:])), shape[0], axis=0)
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    wanted = session.run(None, {session.get_inputs()[0].name: x})[0]
    found = jf.onnx.load(path)(x)
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=2e-4)


@pytest.mark.more
def test_without_the_models_the_command_says_what_to_install(read_text: Any) -> None:
    if read_text.find_models() is not None:
        pytest.skip("the models are installed")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(EXAMPLE.parents[1]), *sys.path])}
    told = subprocess.run(
        [sys.executable, str(EXAMPLE)], capture_output=True, text=True, env=environment, check=False
    )
    assert told.returncode == 2 and "pip install --no-deps rapidocr-onnxruntime" in told.stderr
