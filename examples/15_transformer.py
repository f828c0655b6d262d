"""A decoder-only transformer in the manner of Mistral, which writes token after token.

RMS norm, rotary positions, grouped queries in a sliding window, SwiGLU, a cache of keys and values, sampling.
Its weights are random, by a seed, so what it writes means nothing; all else is as in a model of that kind.

    python examples/15_transformer.py [--device opencl] [--layers 8] [--tokens 64]
"""

import argparse
import time
from dataclasses import dataclass

import numpy as np

import jitframe as jf


@dataclass(frozen=True)
class Shape:
    vocabulary: int = 4096
    width: int = 256
    hidden: int = 688
    layers: int = 4
    heads: int = 8
    key_heads: int = 2
    window: int = 96
    capacity: int = 256

    @property
    def depth(self):
        return self.width // self.heads


def draw_weights(shape, seed=0):
    rng = np.random.default_rng(seed)

    def matrix(rows, columns):
        return (rng.standard_normal((rows, columns)) / np.sqrt(columns)).astype(np.float32)

    def layer():
        keys = shape.key_heads * shape.depth
        return {
            "norm_1": 1 + 0.1 * rng.standard_normal(shape.width).astype(np.float32),
            "query": matrix(shape.width, shape.width), "key": matrix(keys, shape.width),
            "value": matrix(keys, shape.width), "result": matrix(shape.width, shape.width),
            "norm_2": 1 + 0.1 * rng.standard_normal(shape.width).astype(np.float32),
            "gate": matrix(shape.hidden, shape.width), "up": matrix(shape.hidden, shape.width),
            "down": matrix(shape.width, shape.hidden),
        }  # fmt: skip

    return {
        "tokens": matrix(shape.vocabulary, shape.width),
        "layers": [layer() for _ in range(shape.layers)],
        "norm": np.ones(shape.width, np.float32),
        "logits": matrix(shape.vocabulary, shape.width) * np.float32(4),
    }


def in_heads(x, depth):
    """[tokens, heads * depth] -> [heads, tokens, depth]"""
    return x.reshape(x.shape[0], x.shape[1] // depth, depth).transpose(1, 0, 2)


def run_layer(x, weights, cache, tables, offset, shape):
    """One layer for tokens from position `offset` on; writes their keys and values to the cache."""
    seen = jf.nn.rms_norm(x, weights["norm_1"])
    q, k, v = (in_heads(jf.nn.linear(seen, weights[name]), shape.depth) for name in ("query", "key", "value"))
    q, k = (jf.nn.rotary(each, *tables, offset=offset) for each in (q, k))
    keys = jf.nn.write_to_cache(cache[0], k, offset)
    values = jf.nn.write_to_cache(cache[1], v, offset)
    found = jf.nn.scaled_dot_product_attention(
        q, keys, values, causal=True, window=shape.window, offset=offset
    )
    x = x + jf.nn.linear(found.transpose(1, 0, 2).reshape(x.shape[0], shape.width), weights["result"])
    seen = jf.nn.rms_norm(x, weights["norm_2"])
    gated = jf.nn.swiglu(jf.nn.linear(seen, weights["gate"]), jf.nn.linear(seen, weights["up"]))
    return x + jf.nn.linear(gated, weights["down"])


def run_model(tokens, weights, cache, tables, offset, shape):
    """The logits of what follows the last token."""
    x = jf.nn.embedding(tokens, weights["tokens"])
    for number, layer in enumerate(weights["layers"]):
        x = run_layer(x, layer, cache[number], tables, offset, shape)
    return jf.nn.linear(jf.nn.rms_norm(x[-1], weights["norm"]), weights["logits"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--tokens", type=int, default=48)
    options = parser.parse_args()
    shape = Shape(layers=options.layers)
    weights = draw_weights(shape)
    tables = tuple(table.numpy() for table in jf.nn.rotary_tables(shape.capacity, shape.depth, device="cpu"))
    cache = np.zeros((shape.layers, 2, shape.key_heads, shape.capacity, shape.depth), np.float32)
    prompt = np.random.default_rng(1).integers(0, shape.vocabulary, 32).astype(np.int32)

    step = jf.jit(
        lambda tokens, weights, cache, tables, offset: run_model(
            tokens, weights, cache, tables, offset, shape
        ),
        device=options.device,
    )
    draw = jf.jit(
        lambda logits, rng: jf.nn.sample(logits, rng, 0.8, top_k=40, top_p=0.95), device=options.device
    )
    rng = jf.random.default_rng(2)

    backend = jf.backends.get(options.device)
    estimate = jf.estimate_memory(step, prompt, weights, cache, tables, np.int32(0))[options.device]
    # Of arguments that are ndarrays, other devices than the processor have copies.
    needed = estimate.peak_bytes + (0 if options.device == "cpu" else estimate.input_bytes)
    start = time.perf_counter()
    logits = step(prompt, weights, cache, tables, np.int32(0))
    prompted = time.perf_counter() - start
    peak = backend.statistics().peak_bytes

    written = [int(draw(logits, rng))]
    for position in range(len(prompt), len(prompt) + options.tokens):
        if position == len(prompt) + 2:
            start = time.perf_counter()  # the first steps of one token traced and compiled
        token = np.array(written[-1:], np.int32)
        logits = step(token, weights, cache, tables, np.int32(position))
        written.append(int(draw(logits, rng)))
    seconds = time.perf_counter() - start

    sizes = [each.size for layer in weights["layers"] for each in layer.values()]
    parameters = sum(sizes) + weights["tokens"].size + weights["logits"].size
    print(f"{parameters / 1e6:.1f} million parameters on {options.device}")
    print(f"the prompt of {len(prompt)} tokens, traced and compiled: {prompted:.2f} s")
    print(f"tokens per second: {(options.tokens - 2) / seconds:.0f}")
    print(f"traces: {step.stats()['traces']} for {options.tokens + 1} calls")
    print(f"memory that the prompt takes: estimated {needed:,} bytes, measured {peak:,}")
    print("the estimate is what was measured:", needed == peak)
    print("written:", *written[:12], "...")


if __name__ == "__main__":
    main()
