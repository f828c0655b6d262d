"""Random bodies of element reads and writes, versions of arrays kept and mixed, give what they mean."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.lower.programs import ready_of

SIZE = 4


class Body:
    """A body whose statements are drawn beforehand: it does the same whenever it runs, traced or not."""

    def __init__(self, seed: int, depth: int = 0) -> None:
        draw = random.Random(seed)
        self.swap = draw.random() < 0.2
        self.steps: list[tuple[Any, ...]] = []
        for _ in range(draw.randint(2, 6)):
            regions = ("cond", "loop", "while") if depth < 2 else ()
            kind = draw.choice(("read", "write", "write", "add", "copy", "row", *regions))
            numbers = [draw.randint(-SIZE, SIZE - 1) for _ in range(3)]
            inner = Body(draw.randint(0, 1 << 30), depth + 1) if kind in regions else None
            self.steps.append(
                (kind, draw.randrange(8), draw.randrange(8), numbers, draw.random() < 0.5, inner)
            )

    def __call__(self, i: Any, state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        """`state`: two matrices and a number; versions of both matrices are kept along the way."""
        x, y, s = state
        versions = [x, y]
        for kind, first, second, (p, q, r), flag, inner in self.steps:
            source, other = versions[first % len(versions)], versions[second % len(versions)]
            at = (p + i) % SIZE if flag else p
            if kind == "read":
                s = s + source[at, q] * 0.5 - other[r, at]
            elif kind == "write":
                made = source.copy()
                made[at, q] = s + other[r, at] * 0.25
                versions.append(made)
            elif kind == "add":
                made = source.copy()
                made[at, q] += other[at, r]
                versions.append(made)
            elif kind == "copy":
                made = source.copy()
                made[:, at] = other[at, :] * 0.5
                versions.append(made)
            elif kind == "row":
                made = source.copy()
                made[at, 1:] = made[at, :-1] + other[r, 1:] * s
                versions.append(made)
            elif kind == "cond":
                made, _, s = jf.cond(
                    source[at, q] > other[q, r],
                    lambda a, b, t, inner=inner: inner(i, (a, b, t)),
                    lambda a, b, t: (a, b, t + 1),
                    source, other, s,
                )  # fmt: skip
                versions.append(made)
            elif kind == "loop":
                made, _, s = jf.fori_loop(0, 2 + flag, inner, (source, other, s))
                versions.append(made)
            else:
                _, (made, _, s) = jf.while_loop(
                    lambda c: c[0] < 2 + (c[1][0][0, 0] > 1),
                    lambda c, inner=inner: (c[0] + 1, inner(c[0], c[1])),
                    (0, (source, other, s)),
                )  # fmt: skip
                versions.append(made)
        x, y = versions[-1] * 0.5, versions[len(versions) // 2]
        if not self.swap:
            x = versions[-1]
        return (y, x, s * 0.25) if self.swap else (x, y, s * 0.25)


@pytest.mark.parametrize("first", range(0, 24, 8))
def test_random_bodies(first: int) -> None:
    """Each is a kernel of its own, which LLVM compiles: two seconds."""
    for seed in range(first, first + 8):
        body = Body(seed)

        def function(x: Any, y: Any, s: Any, n: Any, body: Body = body) -> Any:
            return jf.fori_loop(0, n, body, (x, y, s))

        values = np.random.default_rng(seed)
        given = (values.random((SIZE, SIZE)), values.random((SIZE, SIZE)), np.float64(0.5), 3)
        with np.errstate(all="ignore"):
            meant = function(*copy.deepcopy(given))
        nests = ready_of(function, *copy.deepcopy(given)).template.lowered.nests
        assert list(nests.values()) == [""], seed
        found = jf.jit(function)(*copy.deepcopy(given))
        for ours, its in zip(found, meant, strict=True):
            np.testing.assert_array_equal(ours, its, err_msg=f"seed {seed}")
