"""Generators of jf.random in jitted functions: what lazy ones draw, in loops and conditions, in programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BackendError

stats = pytest.importorskip("scipy.stats")
COUNT = 100_000


@pytest.fixture(params=["cpu", "opencl", "webgpu"])
def device(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    try:
        jf.zeros(1, device=name).numpy()
    except BackendError as missing:
        pytest.skip(str(missing))
    return name


def draw_several(x: Any, rng: Any) -> Any:
    y = x + rng.normal(size=3)
    return y, rng.random((2, 2)), rng.integers(0, 10, 4), y * rng.exponential(2.0), rng.spawn(2)[1].random(2)


captured = jf.random.default_rng(21)


def test_jitted_functions_draw_what_lazy_ones_do() -> None:
    jitted = jf.jit(draw_several)
    x = np.ones(3)
    ours, theirs = jf.random.default_rng(2), jf.random.default_rng(2)
    for _ in range(3):
        for mine, other in zip(jitted(x, ours), draw_several(x, theirs), strict=True):
            np.testing.assert_allclose(mine, np.asarray(other), rtol=1e-14)
        assert ours.number == theirs.number
    assert jitted.stats()["traces"] == 1
    jitted(x, jf.random.default_rng(5))
    assert jitted.stats()["traces"] == 1

    twin = jf.random.Generator(captured.key, captured.number)
    holder = {"rngs": [captured]}
    reads = jf.jit(lambda x: (x + captured.random(2), holder["rngs"][0].random(2), captured))
    for _ in range(2):
        first, second, same = reads(np.zeros(2))
        np.testing.assert_array_equal(first, twin.random(2).numpy())
        np.testing.assert_array_equal(second, twin.random(2).numpy())
        assert same is captured


def test_orders_in_jitted_functions() -> None:
    """K-means begins with points chosen without replacement; shuffles go through the memory of arguments."""

    @jf.jit(static_argnames="k")
    def clustered(points: Any, k: int, rng: Any) -> Any:
        centres = points[rng.choice(points.shape[0], k, replace=False)]
        for _ in range(10):
            nearest = np.argmin(((points[:, None] - centres) ** 2).sum(axis=2), axis=1)
            chosen = nearest[:, None] == np.arange(k)
            centres = (chosen.T.astype(float) @ points) / np.maximum(chosen.sum(axis=0), 1)[:, None]
        return centres

    points = np.random.default_rng(0).normal(size=(200, 2)) * 0.1
    points[100:] += 3
    centres = clustered(points, 2, jf.random.default_rng(4))
    np.testing.assert_allclose(np.sort(centres[:, 0]), [0, 3], atol=0.1)

    @jf.jit
    def shuffled(x: Any, rng: Any) -> Any:
        rng.shuffle(x)
        return rng.permutation(5)

    x, y = np.arange(10), np.arange(10)
    ours, theirs = jf.random.default_rng(3), jf.random.default_rng(3)
    order = shuffled(x, ours)
    theirs.shuffle(y)
    np.testing.assert_array_equal(x, y)
    np.testing.assert_array_equal(order, theirs.permutation(5).numpy())


def test_made_inside() -> None:
    @jf.jit
    def f(seed: Any, x: Any) -> Any:
        rng = jf.random.default_rng(seed)
        assert isinstance(rng, jf.random.Generator)
        return rng.random(3) + x, jf.random.default_rng(4).normal(size=2)

    for _ in range(60):  # until the native entry answers
        f(7, 0.0)
    for seed in (7, (1 << 33) + 5):
        first, second = f(seed, 0.0)
        np.testing.assert_array_equal(first, jf.random.default_rng(seed).random(3).numpy())
        np.testing.assert_allclose(second, jf.random.default_rng(4).normal(size=2).numpy(), rtol=1e-14)
    first, _ = f(np.int32(9), 0.0)
    np.testing.assert_array_equal(first, jf.random.default_rng(9).random(3).numpy())
    assert f.stats()["native_calls"] > 0


def test_loops_and_conditions(device: str) -> None:
    """Each turn draws others, however many there are; nested ones too. Some seconds where a driver's compiler
    is slow: these are a dozen kernels."""

    def body(rng: Any) -> Any:
        def step(turn: Any, rows: Any) -> Any:
            row = rng.random(2, dtype="float32")
            for_each = jf.fori_loop(0, 2, lambda k, total: total + rng.random(dtype="float32"), np.float32(0))
            rows[turn] = jf.concat([row, for_each[None], rng.random(1, dtype="float32")])
            return rows

        return step

    @jf.jit(device=device)
    def loop(rng: Any, count: Any) -> Any:
        return jf.fori_loop(0, count, body(rng), np.zeros((8, 4), np.float32)), rng.random(2, dtype="float32")

    @jf.jit(device=device)
    def until(rng: Any) -> Any:
        return jf.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + rng.random(dtype="float32"), s[1] + 1),
                             (np.float32(0), 0))  # fmt: skip

    @jf.jit(device=device)
    def either(x: Any, rng: Any) -> Any:
        return jf.cond(
            x[0] > 0, lambda y: y + rng.random(2, dtype="float32"), lambda y: y - rng.random(2, "float32"), x
        )

    rng, other = jf.random.default_rng(1), jf.random.default_rng(1)
    rows, after = loop(rng, 8)
    assert len(np.unique(rows)) == 32 and rng.number == 2
    fewer, same = loop(other, 3)
    np.testing.assert_array_equal(fewer[:3], rows[:3])  # by the turn, whatever the count
    np.testing.assert_array_equal(after, same)
    again, _ = loop(rng, 8)
    assert not np.isin(again, rows).any()
    if device != "cpu":
        on_host, _ = jf.jit(loop.__wrapped__)(jf.random.default_rng(1), 8)
        np.testing.assert_array_equal(rows, on_host)

    total, turns = until(jf.random.default_rng(2))
    assert 5 <= total < 6 and 7 <= turns <= 15
    assert until(jf.random.default_rng(3))[0] != total

    up = either(np.ones(2, np.float32), jf.random.default_rng(2)) - 1
    down = -1 - either(-np.ones(2, np.float32), jf.random.default_rng(2))
    assert (up >= 0).all() and (down >= 0).all() and not np.isin(up, down).any()

    @jf.jit(device=device)
    def seeded(n: Any) -> Any:
        def step(turn: Any, total: Any) -> Any:
            return total + jf.random.default_rng(turn).random(dtype="float32")

        return jf.fori_loop(0, n, step, np.float32(0))

    wanted = sum(jf.random.default_rng(k).random(dtype="float32").item() for k in range(4))
    np.testing.assert_allclose(seeded(4), wanted, rtol=1e-6)


def test_programs() -> None:
    """As people write them."""

    @jf.jit(static_argnames="n")
    def pi(n: int, rng: Any) -> Any:
        return 4 * np.mean(rng.random(n) ** 2 + rng.random(n) ** 2 <= 1)

    assert abs(pi(COUNT, jf.random.default_rng(1)) - np.pi) < 0.02

    @jf.jit(static_argnames="n")
    def call_price(spot: float, strike: float, sigma: float, years: float, n: int, rng: Any) -> Any:
        z = rng.standard_normal(n)
        ends = spot * np.exp(-0.5 * sigma**2 * years + sigma * np.sqrt(years) * z)
        return np.maximum(ends - strike, 0).mean()

    d = (np.log(100 / 105) + 0.02) / 0.2
    exact = 100 * stats.norm.cdf(d) - 105 * stats.norm.cdf(d - 0.2)
    assert abs(call_price(100.0, 105.0, 0.2, 1.0, COUNT, jf.random.default_rng(2)) - exact) < 0.15

    @jf.jit
    def metropolis(rng: Any, steps: Any) -> Any:
        def step(_: Any, state: Any) -> Any:
            x, total = state
            moved = x + rng.uniform(-2.5, 2.5)
            accepted = rng.random() < np.exp(0.5 * (x * x - moved * moved))
            x = np.where(accepted, moved, x)
            return x, total + x * x

        return jf.fori_loop(0, steps, step, (0.0, 0.0))[1] / steps

    assert abs(metropolis(jf.random.default_rng(3), 20_000) - 1) < 0.1

    @jf.jit
    def dropout(x: Any, rng: Any) -> Any:
        return np.where(rng.bernoulli(0.8, x.shape), x / 0.8, 0)

    assert abs(dropout(np.ones((100, 100)), jf.random.default_rng(4)).mean() - 1) < 0.03

    @jf.jit(static_argnames="k")
    def projected(x: Any, k: int, rng: Any) -> Any:
        return x @ rng.normal(0.0, 1 / np.sqrt(k), (x.shape[1], k))

    x = np.random.default_rng(0).normal(size=(5, 300))
    ratio = np.linalg.norm(projected(x, 200, jf.random.default_rng(5)), axis=1) / np.linalg.norm(x, axis=1)
    assert (abs(ratio - 1) < 0.25).all()

    @jf.jit
    def bootstrap(data: Any, rng: Any) -> Any:
        return rng.choice(data, (500, data.shape[0])).mean(axis=1).std()

    data = np.random.default_rng(1).normal(size=400)
    assert abs(bootstrap(data, jf.random.default_rng(6)) / (data.std() / 20) - 1) < 0.15


def test_loops_and_conditions_of_python() -> None:
    """Those that are captured: each turn draws others, each arm its own."""

    @jf.jit
    def annealed(rng: Any, steps: Any, heat: Any) -> Any:
        x, best = 3.0, 3.0
        for step in range(steps):
            moved = x + rng.normal(0.0, 0.5)
            gain = moved * moved - x * x
            if gain < 0 or rng.random() < np.exp(-gain / (heat * 0.999**step)):
                x = moved
            if abs(x) < abs(best):
                best = x
        return best

    found = annealed(jf.random.default_rng(2), 3000, 1.0)
    assert abs(found) < 0.1
    assert annealed(jf.random.default_rng(3), 3000, 1.0) != found

    @jf.jit
    def arms(x: Any, rng: Any) -> Any:
        rows = np.zeros((6, 2))
        for turn in range(6):
            if x[turn] > 0:
                rows[turn] = rng.random(2)
            else:
                rows[turn] = -rng.random(2)
        return rows

    x = np.array([1.0, -1, 1, -1, 1, 1])
    rows = arms(x, jf.random.default_rng(1))
    assert len(np.unique(abs(rows))) == 12
    np.testing.assert_array_equal(np.sign(rows[:, 0]), x)

    @jf.jit
    def until(x: Any, rng: Any) -> Any:
        while x < 4:
            x = x + rng.random()
        return x

    ends = [until(1.0, jf.random.default_rng(seed)) for seed in range(5)]
    assert all(4 <= end < 5 for end in ends) and len(set(ends)) == 5

    @jf.jit
    def first(rng: Any) -> Any:
        for turn in range(1000):
            if rng.random() > 0.95:
                return turn
        return -1

    found = [first(jf.random.default_rng(seed)) for seed in range(8)]
    assert len(set(found)) > 4 and min(found) >= 0

    @jf.jit
    def nested(rng: Any) -> Any:
        rows, row = np.zeros((4, 3)), 0
        while row < 4:
            column = 0
            while column < 3:
                rows[row, column] = rng.random()
                column += 1
            row += 1
        return rows

    assert len(np.unique(nested(jf.random.default_rng(1)))) == 12
