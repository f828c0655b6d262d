"""Runs what is generated for AVX-512 on a processor with AVX2: LLVM splits the vectors in halves, and writes
out compressing stores. `python -m tests.llvm.wide_vectors` fails where results are not NumPy's.

Instructions that LLVM cannot write out (permutations from two registers, exponents apart) are left out, as
are the formulas that have them.
"""

from __future__ import annotations

import numpy as np

from jitframe.codegen.llvm import target
from jitframe.ir.record import replace
from jitframe.runtime.cpu.machine_code import levels

LENGTHS = (1, 17, 64, 255, 1000, 4097, 65_537, 200_003)
DTYPES = ("i4", "u8", "f4", "f8")


def pretend() -> None:
    """Makes this process take its processor for one with AVX-512. Call it before anything is computed."""
    levels._PROCESSORS["avx512"] = levels._PROCESSORS["avx2"]
    levels.detect_level = lambda image: "avx512"
    target.LEVELS["avx512"] = replace(target.LEVELS["avx512"], has_scaling=False, attributes=())


def inputs(dtype: str, rng: np.random.Generator) -> list[np.ndarray]:
    """Random numbers, few different ones, sorted ones, and some that are not finite."""
    found = []
    for length in LENGTHS:
        values = rng.standard_normal(length) * 1e4
        found += [
            values,
            rng.integers(0, 7, length),
            np.sort(values),
            np.where(values < -1e4, np.inf, values),
        ]
    with np.errstate(all="ignore"):
        made = [each.astype(dtype) for each in found]
    for each in made[3::4]:
        if dtype[0] == "f":
            each[rng.integers(0, len(each), 3)] = np.nan
    return made


def main() -> None:
    pretend()
    import jitframe as jf
    from jitframe.runtime.cpu.kernels.target import host_machine

    assert host_machine().exact_appends and host_machine().append_bits == 512
    rng = np.random.default_rng(0)
    sort, argsort = jf.jit(lambda x: np.sort(x)), jf.jit(lambda x: np.argsort(x))
    stable, chosen = jf.jit(lambda x: np.argsort(x, kind="stable")), jf.jit(lambda x: x[x > x[0]])
    middle = jf.jit(lambda x: np.partition(x, len(x) // 3)[len(x) // 3])
    for dtype in DTYPES:
        for x in inputs(dtype, rng):
            expected = np.sort(x)
            np.testing.assert_array_equal(sort(x), expected)
            np.testing.assert_array_equal(x[argsort(x)], expected)
            np.testing.assert_array_equal(stable(x), np.argsort(x, kind="stable"))
            np.testing.assert_array_equal(chosen(x), x[x > x[0]])
            np.testing.assert_array_equal(middle(x), expected[len(x) // 3])
    product = jf.jit(lambda a, b, c: a @ b + c)
    for rows, inner, columns in ((64, 784, 512), (128, 200, 130), (1, 512, 512), (300, 64, 16)):
        a, b, c = (rng.random(shape, np.float32) for shape in ((rows, inner), (inner, columns), (columns,)))
        np.testing.assert_allclose(product(a, b, c), a @ b + c, rtol=2e-5)
    image, weights = rng.random((2, 8, 19, 23), np.float32), rng.random((16, 8, 3, 3), np.float32)
    found = np.asarray(jf.nn.conv2d(jf.asarray(image), jf.asarray(weights), padding=1))
    padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    np.testing.assert_allclose(found, np.einsum("bchwij,ocij->bohw", windows, weights), rtol=2e-5)
    queries, keys, values = (rng.standard_normal((2, 130, 40)).astype(np.float32) for _ in range(3))
    scores = np.exp(queries @ keys.swapaxes(1, 2) / np.sqrt(np.float32(40)))
    expected = scores / scores.sum(axis=2, keepdims=True) @ values
    attended = np.asarray(jf.nn.scaled_dot_product_attention(*map(jf.asarray, (queries, keys, values))))
    np.testing.assert_allclose(attended, expected, rtol=1e-4, atol=1e-6)


if __name__ == "__main__":
    main()
