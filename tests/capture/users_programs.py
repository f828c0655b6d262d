"""Programs as users write them: complete ones, unchanged, as they stand in scientific Python code.

`CASES` has arguments for each. Some are compiled whole, some are cut, some answered by Python.
"""

# ruff: noqa: B007, E731
from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

R = np.random.default_rng(0)
CASES = []


def case(*arguments):
    """Lists a function with its arguments."""

    def listed(function):
        CASES.append((function, arguments))
        return function

    return listed


_CLUSTERS = np.concatenate([R.normal(0, 1, (20, 2)), R.normal(4, 1, (20, 2))])
_LABELS = np.repeat([0, 1], 20)
_EDGES = np.where(R.random((8, 8)) < 0.4, R.integers(1, 10, (8, 8)), 0).astype(float)
_WEIGHTS = np.where(_EDGES > 0, _EDGES, np.inf)
_MATRIX = R.random((5, 5))
_SYMMETRIC = _MATRIX @ _MATRIX.T + np.eye(5)


@case(np.array([3, 4, 5, 2]), np.array([10, 40, 30, 20]), 10)
def knapsack(weights, values, capacity):
    n = len(weights)
    dp = np.zeros((n + 1, capacity + 1), dtype=int)
    for i in range(1, n + 1):
        for w in range(capacity + 1):
            if weights[i - 1] <= w:
                dp[i][w] = max(dp[i - 1][w], dp[i - 1][w - weights[i - 1]] + values[i - 1])
            else:
                dp[i][w] = dp[i - 1][w]
    return dp[n][capacity]


@case(np.array([1, 2, 5]), 11)
def coin_change(coins, amount):
    ways = np.full(amount + 1, np.inf)
    ways[0] = 0
    for c in coins:
        for a in range(c, amount + 1):
            ways[a] = min(ways[a], ways[a - c] + 1)
    return int(ways[amount]) if ways[amount] != np.inf else -1


@case(R.integers(0, 100, 16))
def merge_sort(a):
    if a.size <= 1:
        return a
    mid = a.size // 2
    left, right = merge_sort(a[:mid]), merge_sort(a[mid:])
    out = np.empty_like(a)
    i = j = 0
    for k in range(a.size):
        if j >= right.size or (i < left.size and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


@case(_WEIGHTS, 0)
def dijkstra_dense(w, source):
    n = len(w)
    dist = np.full(n, np.inf)
    dist[source] = 0
    visited = np.zeros(n, bool)
    for _ in range(n):
        u = -1
        best = np.inf
        for v in range(n):
            if not visited[v] and dist[v] < best:
                best = dist[v]
                u = v
        if u == -1:
            break
        visited[u] = True
        for v in range(n):
            if w[u, v] < np.inf and dist[u] + w[u, v] < dist[v]:
                dist[v] = dist[u] + w[u, v]
    return dist


@case(_EDGES, 0)
def bfs_order(adj, start):
    n = adj.shape[0]
    visited = [False] * n
    order = []
    queue = deque([start])
    visited[start] = True
    while queue:
        u = queue.popleft()
        order.append(u)
        for v in range(n):
            if adj[u, v] > 0 and not visited[v]:
                visited[v] = True
                queue.append(v)
    return order


@case(np.array([2, 7, 11, 15]), 9)
def two_sum(nums, target):
    seen = {}
    for i, v in enumerate(nums):
        if target - v in seen:
            return seen[target - v], i
        seen[v] = i
    return None


@case(np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]), np.array([1.0, 2, 3]))
def gauss_seidel(a, b):
    n = len(b)
    x = np.zeros(n)
    for it in range(200):
        x_old = x.copy()
        for i in range(n):
            s = 0.0
            for j in range(n):
                if j != i:
                    s += a[i, j] * x[j]
            x[i] = (b[i] - s) / a[i, i]
        if np.allclose(x, x_old, atol=1e-10):
            break
    return x


@case(_SYMMETRIC)
def power_iteration(a):
    v = np.ones(a.shape[0])
    lam_prev = 0
    for i in range(1000):
        w = np.dot(a, v)
        v = w / np.linalg.norm(w)
        lam = v.T @ a @ v
        error = np.abs(lam - lam_prev) / lam
        if error <= 1e-12 or i >= 999:
            break
        lam_prev = lam
    return lam, v


@case(R.random((6, 2)), R.random((6, 2)) * 0.01, R.random(6), 0.01, 20)
def nbody(pos, vel, mass, dt, steps):
    n = len(mass)
    for _ in range(steps):
        acc = np.zeros_like(pos)
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = pos[j] - pos[i]
                    r = np.sqrt(d[0] ** 2 + d[1] ** 2 + 0.01)
                    acc[i] += mass[j] * d / r**3
        vel += acc * dt
        pos += vel * dt
    ke = 0.5 * np.sum(mass * np.sum(vel**2, axis=1))
    return pos, ke


@case(np.zeros((20, 20)), 1e-4)
def laplace(u, tol):
    u = u.copy()
    u[0, :] = 1
    err = 1.0
    it = 0
    while err > tol:
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2])
        err = np.sqrt(np.sum((u - old) ** 2) / np.sum(old**2))
        it += 1
    return u, it


@case(np.array([[-1.2, 1.0], [0.0, 1.5], [1.0, -1.0]]))
def nelder_mead(simplex):
    f = lambda p: (1 - p[0]) ** 2 + 10 * (p[1] - p[0] ** 2) ** 2
    sim = simplex.copy()
    fs = np.array([f(p) for p in sim])
    for it in range(60):
        order = np.argsort(fs)
        sim, fs = sim[order], fs[order]
        if abs(fs[-1] - fs[0]) < 1e-10:
            break
        centroid = sim[:-1].mean(axis=0)
        xr = centroid + (centroid - sim[-1])
        fr = f(xr)
        if fs[0] <= fr < fs[-2]:
            sim[-1], fs[-1] = xr, fr
        elif fr < fs[0]:
            xe = centroid + 2 * (centroid - sim[-1])
            fe = f(xe)
            if fe < fr:
                sim[-1], fs[-1] = xe, fe
            else:
                sim[-1], fs[-1] = xr, fr
        else:
            xc = centroid + 0.5 * (sim[-1] - centroid)
            fc = f(xc)
            if fc < fs[-1]:
                sim[-1], fs[-1] = xc, fc
            else:
                for i in range(1, len(sim)):
                    sim[i] = sim[0] + 0.5 * (sim[i] - sim[0])
                    fs[i] = f(sim[i])
    return sim[0], fs[0]


@dataclass
class Particle:
    pos: np.ndarray
    vel: np.ndarray
    mass: float = 1.0

    def step(self, dt):
        self.vel = self.vel - self.pos * dt / self.mass
        self.pos = self.pos + self.vel * dt

    @property
    def energy(self):
        return 0.5 * self.mass * (self.vel @ self.vel) + 0.5 * (self.pos @ self.pos)


@case(np.array([1.0, 0]), np.array([0.0, 1]), 0.01)
def oscillate(pos, vel, dt):
    p = Particle(pos, vel, mass=2.0)
    energies = []
    for _ in range(20):
        p.step(dt)
        energies.append(p.energy)
    return np.array(energies), p.pos


class PID:
    def __init__(self, kp, ki, kd):
        self.kp, self.ki, self.kd = kp, ki, kd
        self.integral = 0.0
        self.prev = None

    def __call__(self, error, dt):
        self.integral += error * dt
        d = 0.0 if self.prev is None else (error - self.prev) / dt
        self.prev = error
        return self.kp * error + self.ki * self.integral + self.kd * d


@case(5.0, 0.05, 20)
def pid_control(target, dt, steps):
    pid = PID(1.2, 0.5, 0.05)
    x = v = 0.0
    log = []
    for _ in range(steps):
        u = pid(target - x, dt)
        u = max(-10.0, min(10.0, u))
        v += (u - 0.5 * v) * dt
        x += v * dt
        log.append(x)
    return np.array(log)


@case(_CLUSTERS, np.where(_LABELS == 0, -1, 1))
def perceptron(x, y):
    w = np.zeros(x.shape[1] + 1)
    for epoch in range(50):
        errors = 0
        for xi, target in zip(x, y):
            update = 0.1 * (target - (1 if xi @ w[1:] + w[0] >= 0.0 else -1))
            w[1:] += update * xi
            w[0] += update
            errors += int(update != 0.0)
        if errors == 0:
            break
    return w, epoch


@case(_CLUSTERS[::4], _LABELS[::4])
def decision_stump(x, y):
    best = (None, None, np.inf)
    for f in range(x.shape[1]):
        for t in np.unique(x[:, f]):
            left, right = y[x[:, f] <= t], y[x[:, f] > t]
            if len(left) == 0 or len(right) == 0:
                continue
            gini = lambda s: 1 - sum((np.sum(s == c) / len(s)) ** 2 for c in (0, 1))
            score = (len(left) * gini(left) + len(right) * gini(right)) / len(y)
            if score < best[2]:
                best = (f, t, score)
    return best


@case((R.random((12, 12)) * 255).astype(np.uint8))
def otsu(img):
    hist = np.bincount(img.ravel(), minlength=256)
    total = img.size
    s = np.dot(np.arange(256), hist)
    sb = wb = 0
    best, thr = 0.0, 0
    for i in range(256):
        wb += hist[i]
        if wb == 0:
            continue
        wf = total - wb
        if wf == 0:
            break
        sb += i * hist[i]
        mb, mf = sb / wb, (s - sb) / wf
        between = wb * wf * (mb - mf) ** 2
        if between > best:
            best, thr = between, i
    return thr, img > thr


@case(R.integers(0, 4, 20), R.integers(0, 4, 15))
def smith_waterman(a, b):
    H = np.zeros((len(a) + 1, len(b) + 1))
    best, pos = 0, (0, 0)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            match = H[i - 1, j - 1] + (3 if a[i - 1] == b[j - 1] else -3)
            H[i, j] = max(match, H[i - 1, j] - 2, H[i, j - 1] - 2, 0)
            if H[i, j] >= best:
                best, pos = H[i, j], (i, j)
    return H, best, pos


@case(R.random((15, 2)))
def convex_hull(points):
    pts = points[np.lexsort((points[:, 1], points[:, 0]))]

    def cross(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    def half(ps):
        h = []
        for p in ps:
            while len(h) >= 2 and cross(h[-2], h[-1], p) <= 0:
                h.pop()
            h.append(p)
        return h

    lower, upper = half(pts), half(pts[::-1])
    return np.array(lower[:-1] + upper[:-1])


@case(R.random((4, 4, 2)))
def value_iteration(rew):
    n = rew.shape[0]
    V = np.zeros((n, n))
    while True:
        delta = 0
        for i in range(n):
            for j in range(n):
                v = V[i, j]
                best = -np.inf
                for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    ni, nj = min(max(i + di, 0), n - 1), min(max(j + dj, 0), n - 1)
                    best = max(best, rew[i, j, 0] + 0.9 * V[ni, nj])
                V[i, j] = best
                delta = max(delta, abs(v - V[i, j]))
        if delta < 1e-3:
            break
    return V


@case(np.array([[2, 2, 4, 0], [0, 2, 0, 2], [4, 4, 4, 4], [0, 0, 0, 2]]))
def slide_2048(board):
    score = 0
    new = np.zeros_like(board)
    for r in range(4):
        row = [v for v in board[r] if v != 0]
        merged = []
        i = 0
        while i < len(row):
            if i + 1 < len(row) and row[i] == row[i + 1]:
                merged.append(row[i] * 2)
                score += row[i] * 2
                i += 2
            else:
                merged.append(row[i])
                i += 1
        new[r, : len(merged)] = merged
    return new, score
