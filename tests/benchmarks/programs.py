"""Ordinary array programs whose Python loops look at values: with NumPy, over lazy Tensors, and jitted.

`python -m tests.benchmarks.programs [names] [--markdown docs/performance.md]`
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import jitframe as jf

from . import threads
from .table import Page, quantity

SECONDS = 0.6
"""How long each way is measured, in all rounds together."""
ROUNDS = 12
PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = {}
"""By their titles: functions of a namespace and arrays, and what makes these."""


def program(title: str, make: Callable[[], tuple[Any, ...]]) -> Callable[[Any], Any]:
    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[title] = function, make
        return function

    return add


def random(*shape: int, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).random(shape)


def integers(low: int, high: int, count: int) -> np.ndarray:
    return np.random.default_rng(low + count).integers(low, high, count)


def positive(size: int, more: float) -> np.ndarray:
    """A positive definite matrix."""
    a = random(size, size)
    return a @ a.T + more * np.eye(size)


@program("gradient descent until the step is small, 200 x 8", lambda: (random(200, 8), random(200)))
def gradient_descent(np: Any, x: Any, y: Any) -> Any:
    w = np.zeros(8)
    for _ in range(100):
        gradient = x.T @ (x @ w - y) / 200
        w = w - 0.3 * gradient
        if float(np.sqrt(np.sum(gradient**2))) < 1e-4:
            break
    return w


@program("logistic regression, 1000 x 20, loss at each step", lambda: (random(1000, 20), random(1000)))
def logistic_regression(np: Any, x: Any, y: Any) -> Any:
    w, before = np.zeros(20), 1e9
    for _ in range(40):
        p = 1 / (1 + np.exp(-(x @ w)))
        loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
        w = w - 0.5 * (x.T @ (p - y)) / 1000
        if abs(before - loss) < 1e-9:
            break
        before = loss
    return w


@program("k-means of 2000 points, 5 centers", lambda: (random(2000, 2),))
def k_means(np: Any, points: Any) -> Any:
    centers = points[:5]
    for _ in range(15):
        distances = np.sum((points[:, None, :] - centers[None, :, :]) ** 2, axis=2)
        nearest = np.argmin(distances, axis=1)
        moved = np.stack([np.mean(points[nearest == k], axis=0) for k in range(5)])
        if float(np.max(np.abs(moved - centers))) < 1e-6:
            break
        centers = moved
    return centers


@program("power iteration, 50 x 50", lambda: (random(50, 50),))
def power_iteration(np: Any, a: Any) -> Any:
    v, before = np.ones(50), 0.0
    for _ in range(100):
        w = a @ v
        value = float(np.sqrt(np.sum(w * w)))
        v = w / value
        if abs(value - before) < 1e-12:
            break
        before = value
    return v


@program("QR iteration, 6 x 6", lambda: ((lambda a: a + a.T)(random(6, 6)),))
def qr_iteration(np: Any, a: Any) -> Any:
    for _ in range(30):
        q, r = np.linalg.qr(a)
        a = r @ q
        if float(np.sum(np.abs(np.tril(a, -1)))) < 1e-9:
            break
    return np.diag(a)


@program("heat equation, 1000 points, 200 steps", lambda: (random(1000),))
def heat(np: Any, u: Any) -> Any:
    for _ in range(200):
        inner = u[1:-1] + 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = np.concatenate([u[:1], inner, u[-1:]])
    return u


@program("heat equation in place, 1000 points, 200 steps", lambda: (random(1000),))
def heat_in_place(np: Any, u: Any) -> Any:
    u = u.copy()
    for _ in range(200):
        u[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


@program("Jacobi on 64 x 64 until it changes little", lambda: (random(64, 64),))
def jacobi(np: Any, u: Any) -> Any:
    u = u.copy()
    for _ in range(60):
        inner = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        change = np.max(np.abs(inner - u[1:-1, 1:-1]))
        u[1:-1, 1:-1] = inner
        if change < 1e-6:
            break
    return u


@program(
    "Monte Carlo of an option, 100 000 paths", lambda: (np.random.default_rng(1).normal(size=(10, 100000)),)
)
def monte_carlo(np: Any, noise: Any) -> Any:
    total = 0.0
    for k in range(10):
        price = 100 * np.exp(0.01 + 0.2 * noise[k])
        total += float(np.mean(np.maximum(price - 100, 0)))
    return total / 10


@program("random walks in batches until the error is small", lambda: (random(200, 500),))
def batches(np: Any, draws: Any) -> Any:
    total = square = 0.0
    for k in range(200):
        sample = draws[k] * 2 - 1
        total += float(np.sum(sample))
        square += float(np.sum(sample**2))
        if k > 2 and (square / (500 * (k + 1))) / (500 * (k + 1)) < 1e-7:
            break
    return total / square


@program("two oscillators by Runge-Kutta, 300 steps", lambda: (np.array([1.0, 0.0, 0.5, 0.2]),))
def runge_kutta(np: Any, y: Any) -> Any:
    m = np.asarray([[0.0, 1.0, 0.0, 0.0], [-2.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, -2.0, 0.0]])
    for _ in range(300):
        a = m @ y
        b = m @ (y + 0.005 * a)
        c = m @ (y + 0.005 * b)
        d = m @ (y + 0.01 * c)
        y = y + 0.01 / 6 * (a + 2 * b + 2 * c + d)
    return y


@program("n bodies, 20 of them, 50 steps", lambda: (random(20, 3), random(20, 3, seed=3) * 0.1))
def bodies(np: Any, x: Any, v: Any) -> Any:
    for _ in range(50):
        between = x[None, :, :] - x[:, None, :]
        distance = np.sum(between**2, axis=2) + 0.01
        v = v + 0.001 * np.sum(between / distance[:, :, None] ** 1.5, axis=1)
        x = x + 0.001 * v
    return x


@program("Gram-Schmidt by columns, 20 x 20", lambda: (random(20, 20),))
def gram_schmidt(np: Any, a: Any) -> Any:
    q = np.zeros((20, 20))
    for j in range(20):
        v = a[:, j]
        for i in range(j):
            v = v - np.sum(q[:, i] * a[:, j]) * q[:, i]
        q[:, j] = v / np.sqrt(np.sum(v * v))
    return q


@program("Gaussian elimination by rows, 30 x 30", lambda: (random(30, 30) + 30 * np.eye(30), random(30)))
def elimination(np: Any, a: Any, b: Any) -> Any:
    a, b = a.copy(), b.copy()
    n = 30
    for k in range(n - 1):
        factors = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k:] -= factors[:, None] * a[k, k:]
        b[k + 1 :] -= factors * b[k]
    x = np.zeros(n)
    for k in range(n - 1, -1, -1):
        x[k] = (b[k] - np.sum(a[k, k + 1 :] * x[k + 1 :])) / a[k, k]
    return x


@program("Cholesky by columns, 40 x 40", lambda: (positive(40, 40),))
def cholesky(np: Any, a: Any) -> Any:
    l = np.zeros((40, 40))
    for j in range(40):
        d = np.sqrt(a[j, j] - np.sum(l[j, :j] ** 2))
        l[j, j] = d
        l[j + 1 :, j] = (a[j + 1 :, j] - l[j + 1 :, :j] @ l[j, :j]) / d
    return l


@program(
    "edit distance by rows, 60 x 400",
    lambda: (np.random.default_rng(2).integers(0, 4, 60), np.random.default_rng(3).integers(0, 4, 400)),
)
def edit_distance(np: Any, s: Any, t: Any) -> Any:
    steps = np.arange(401)
    row = steps
    for i in range(60):
        best = np.minimum(row[1:] + 1, row[:-1] + (t != s[i]))
        best = np.concatenate([row[:1] + 1, best])
        row = np.minimum.accumulate(best - steps) + steps if hasattr(np.minimum, "accumulate") else best
    return row


@program(
    "knapsack by rows, 50 things, capacity 1000",
    lambda: (np.random.default_rng(2).integers(1, 60, 50), random(50)),
)
def knapsack(np: Any, weights: Any, values: Any) -> Any:
    best = np.zeros(1001)
    for w, v in zip([int(each) for each in weights], [float(each) for each in values]):
        best[w:] = np.maximum(best[w:], best[:-w] + v)
    return best


@program("moving average, windows of growing size", lambda: (random(400),))
def growing_windows(np: Any, x: Any) -> Any:
    found = []
    for k in range(1, 400):
        found.append(float(np.mean(x[:k])))
    return np.asarray(found)


@program("moving window of 50, its deviation", lambda: (random(600),))
def moving_window(np: Any, x: Any) -> Any:
    found = []
    for k in range(50, 600):
        window = x[k - 50 : k]
        found.append(float(np.max(window) - np.min(window)))
    return np.asarray(found)


@program("sieve of primes to 20 000", lambda: (np.ones(20000),))
def sieve(np: Any, x: Any) -> Any:
    prime = x > 0
    prime[:2] = False
    for k in range(2, 142):
        if prime[k]:
            prime[k * k :: k] = False
    return np.sum(prime)


@program("selection sort of 100", lambda: (random(100),))
def selection_sort(np: Any, x: Any) -> Any:
    x = x.copy()
    for i in range(99):
        j = i + int(np.argmin(x[i:]))
        small = float(x[j])
        x[j] = x[i]
        x[i] = small
    return x


@program("image: blur and edges, 256 x 256, 10 passes", lambda: (random(256, 256),))
def image(np: Any, x: Any) -> Any:
    for _ in range(10):
        p = np.pad(x, 1, mode="edge")
        x = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + 4 * x) / 8
        gx, gy = x[:, 2:] - x[:, :-2], x[2:, :] - x[:-2, :]
        if float(np.mean(np.abs(gx))) + float(np.mean(np.abs(gy))) < 1e-3:
            break
    return x


@program(
    "Mandelbrot set, 200 x 200, 30 steps", lambda: (np.linspace(-2, 1, 200), np.linspace(-1.5, 1.5, 200))
)
def mandelbrot(np: Any, re: Any, im: Any) -> Any:
    cx, cy = re[None, :], im[:, None]
    zx, zy, count = cx * 0 + cy * 0, cx * 0 + cy * 0, cx * 0 + cy * 0
    for _ in range(30):
        zx, zy = zx * zx - zy * zy + cx, 2 * zx * zy + cy
        inside = zx * zx + zy * zy < 4
        count = count + inside
        zx, zy = np.where(inside, zx, 2.0), np.where(inside, zy, 2.0)
    return count


@program("game of life, 64 x 64, 40 steps", lambda: ((random(64, 64) > 0.6).astype(int),))
def life(np: Any, grid: Any) -> Any:
    for _ in range(40):
        n = sum(np.roll(np.roll(grid, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        grid = ((n == 3) | ((grid == 1) & (n == 2))).astype(int)
        if int(np.sum(grid)) == 0:
            break
    return grid


@program("page rank, 100 pages", lambda: ((lambda a: a / a.sum(axis=0))((random(100, 100) > 0.9) + 0.01),))
def page_rank(np: Any, links: Any) -> Any:
    rank = np.ones(100) / 100
    for _ in range(60):
        new = 0.15 / 100 + 0.85 * (links @ rank)
        if float(np.sum(np.abs(new - rank))) < 1e-10:
            break
        rank = new
    return rank


@program(
    "conjugate gradients, 100 unknowns",
    lambda: ((lambda a: a @ a.T + 10 * np.eye(100))(random(100, 100)), random(100)),
)
def conjugate_gradients(np: Any, a: Any, b: Any) -> Any:
    x = np.zeros(100)
    r = b - a @ x
    p, rr = r, np.sum(r * r)
    for _ in range(50):
        ap = a @ p
        step = rr / np.sum(p * ap)
        x, r = x + step * p, r - step * ap
        new = np.sum(r * r)
        if float(new) < 1e-12:
            break
        p, rr = r + (new / rr) * p, new
    return x


@program("Newton's method on 10 000 roots", lambda: (random(10000) + 1,))
def newton(np: Any, a: Any) -> Any:
    x = a
    for _ in range(20):
        step = (x * x * x - a) / (3 * x * x)
        x = x - step
        if float(np.max(np.abs(step))) < 1e-12:
            break
    return x


@program("adding columns to a table, 300 x 1..60", lambda: (random(300, 60),))
def growing_table(np: Any, x: Any) -> Any:
    table = x[:, :1]
    for k in range(1, 60):
        table = np.concatenate([table, x[:, k : k + 1] - np.mean(table, axis=1, keepdims=True)], axis=1)
    return table


@program("deflation: points left out one after another", lambda: (random(200, 3),))
def leaving_out(np: Any, x: Any) -> Any:
    order = []
    while x.shape[0] > 100:
        center = np.mean(x, axis=0)
        far = int(np.argmax(np.sum((x - center) ** 2, axis=1)))
        order.append(far)
        x = np.concatenate([x[:far], x[far + 1 :]])
    return np.asarray(order)


@program("a large polynomial, 1 000 000 values", lambda: (random(1000000),))
def polynomial(np: Any, x: Any) -> Any:
    y = x * 0
    for c in (1.5, -0.25, 3.25, -4.5, 0.75, 2.25):
        y = y * x + c
    return y


def ways(title: str) -> dict[str, Callable[[], Any]]:
    """How the program is run: with NumPy, as a jitted function of ndarrays, and over Tensors."""
    function, make = PROGRAMS[title]
    arrays = make()
    tensors = tuple([jf.asarray(each) for each in arrays])

    def plain(*given: Any) -> Any:
        return function(np, *given)

    jitted = jf.jit(plain)
    return {
        "NumPy": lambda: function(np, *arrays),
        "jit": lambda: jitted(*arrays),
        "lazy": lambda: np.asarray(function(jf, *tensors)),
    }


def measure(title: str, wanted: set[str]) -> dict[str, float]:
    """Least seconds of each way, in turn, after several untimed runs; and those of its first run over
    Tensors. A result that is not NumPy's raises."""
    all_ways = {name: run for name, run in ways(title).items() if name in wanted}
    expected = np.asarray(ways(title)["NumPy"]())
    found: dict[str, float] = {}
    for name, run in all_ways.items():
        begin = time.perf_counter()
        np.testing.assert_allclose(np.asarray(run()), expected, 1e-8, 1e-10, err_msg=f"{title}: {name}")
        found[f"{name}, first"] = time.perf_counter() - begin
        for _ in range(6):
            run()
        time.sleep(0.1)
        np.testing.assert_allclose(np.asarray(run()), expected, 1e-8, 1e-10, err_msg=f"{title}: {name}")
        found[name] = float("inf")
    for _ in range(ROUNDS):
        for name, run in all_ways.items():
            end = time.perf_counter() + SECONDS / ROUNDS
            while True:
                begin = time.perf_counter()
                run()
                now = time.perf_counter()
                found[name] = min(found[name], now - begin)
                if now > end:
                    break
    return found


def rows(measured: dict[str, dict[str, float]]) -> str:
    """The table of the page."""
    lines = [
        "| program | NumPy | jit | lazy | first run |",
        "|---|---|---|---|---|",
    ]
    columns = ("NumPy", "jit", "lazy", "lazy, first")
    for title, times in measured.items():
        cells = [quantity(times[name], "seconds") for name in columns]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.programs", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of titles; default: all")
    parser.add_argument("--ways", default="NumPy,jit,lazy", help="separated by commas")
    page = partial(Page, name="programs")
    parser.add_argument("--markdown", type=page, help="replace the table between the markers of this file")
    options = parser.parse_args()
    threads.limit()
    measured = {}
    for title in PROGRAMS:
        if options.names and not any(name in title for name in options.names):
            continue
        try:
            measured[title] = times = measure(title, set(options.ways.split(",")))
        except Exception as error:  # the others are measured all the same
            print(f"{title}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            continue
        said = ", ".join(f"{name} {quantity(value, 'seconds')}" for name, value in times.items())
        print(f"{title}: {said}", file=sys.stderr, flush=True)
    if options.markdown:
        options.markdown.put(rows(measured))


if __name__ == "__main__":
    main()
