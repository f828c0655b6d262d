"""Programs with lists whose items are read and changed at positions that values decide."""

from __future__ import annotations

import numpy as np

INF = float("inf")
_rng = np.random.default_rng(1)
K = _rng.integers(0, 8, 200)
X = _rng.random(200)
W = _rng.random((8, 8))
ROADS = _rng.integers(0, 20, (30, 30)) * (_rng.random((30, 30)) < 0.3) * 1.0
LINKS = (_rng.random((50, 50)) < 0.05).astype(int)
PAIRS = _rng.integers(0, 50, (60, 2)).tolist()
GRID = _rng.integers(0, 2, (8, 8)).tolist()


def dijkstra(w, src):
    n = len(w)
    dist = [INF] * n
    done = [False] * n
    prev = [-1] * n
    dist[src] = 0
    for _ in range(n):
        u = -1
        best = INF
        for v in range(n):
            if not done[v] and dist[v] < best:
                best = dist[v]
                u = v
        if u == -1:
            break
        done[u] = True
        for v in range(n):
            if w[u, v] > 0 and dist[u] + w[u, v] < dist[v]:
                dist[v] = dist[u] + w[u, v]
                prev[v] = u
    return dist, prev


def breadth_first(adj, start):
    n = len(adj)
    dist = [-1] * n
    dist[start] = 0
    queue = [0] * n
    head, tail = 0, 1
    queue[0] = start
    while head < tail:
        u = queue[head]
        head += 1
        for v in range(n):
            if adj[u, v] and dist[v] < 0:
                dist[v] = dist[u] + 1
                queue[tail] = v
                tail += 1
    return dist


def union_find(edges, n):
    parent = list(range(n))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    count = n
    for a, b in edges:
        ra, rb = find(a), find(b)
        if ra != rb:
            parent[ra] = rb
            count -= 1
    return count, parent


def longest_increasing(x):
    n = len(x)
    best = [1] * n
    for i in range(n):
        for j in range(i):
            if x[j] < x[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
    return max(best)


def fewest_coins(values, amount):
    dp = [0] + [amount + 1] * amount
    for s in range(1, amount + 1):
        for c in values:
            if c <= s:
                dp[s] = min(dp[s], dp[s - c] + 1)
    return dp[amount] if dp[amount] <= amount else -1


def edit_distance(a, b):
    m = len(b)
    prev = list(range(m + 1))
    for i in range(1, len(a) + 1):
        cur = [i] + [0] * m
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                cur[j] = prev[j - 1]
            else:
                cur[j] = 1 + min(prev[j], cur[j - 1], prev[j - 1])
        prev = cur
    return prev[m]


def queens(n):
    def place(row, cols, d1, d2):
        pass

    cols = [0] * n
    count = 0
    row = 0
    cols[0] = -1
    while row >= 0:
        cols[row] += 1
        ok = cols[row] < n
        if not ok:
            row -= 1
            continue
        good = True
        for r in range(row):
            if cols[r] == cols[row] or abs(cols[r] - cols[row]) == row - r:
                good = False
                break
        if good:
            if row == n - 1:
                count += 1
            else:
                row += 1
                cols[row] = -1
    return count


def game_of_life(g, steps):
    h = len(g)
    w = len(g[0])
    for _ in range(steps):
        new = [[0] * w for _ in range(h)]
        for i in range(h):
            for j in range(w):
                s = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di or dj:
                            s += g[(i + di) % h][(j + dj) % w]
                new[i][j] = 1 if s == 3 or (s == 2 and g[i][j]) else 0
        g = new
    return g


def swapped_lists(x):
    a = [0.0] * 10
    b = [1.0] * 10
    for v in x:
        k = int(v) % 10
        b[k] = a[k] + v
        a, b = b, a
    return a, b


class Box:
    def __init__(self):
        self.items = [0] * 8
        self.n = 0

    def put(self, i):
        self.items[i] += 1
        self.n += 1


def aliased_inside(k):
    a = [0] * 8
    b = a
    t = (a, b)
    for i in k:
        t[0][i] += 1
        if b[i] > 3:
            a[i] = 0
    return a, b


def table_rows(k):
    t = [[0] * 8 for _ in range(8)]
    row = t[2]
    for i in k:
        t[i][7 - i] += 1
        row[i] += 10
    return t, row


def floats_in_ints(k, x):
    a = [0] * 8
    for i, v in zip(k, x):
        if v > 0.5:
            a[i] = float(v)
    return a


def bools(k):
    seen = [False] * 10
    dup = 0
    for i in k:
        if seen[i]:
            dup += 1
        seen[i] = True
    return seen, dup


def bool_int(k):
    seen = [0] * 10
    for i in k:
        seen[i] = True
    return seen


def append_after(k):
    a = [0] * 8
    for i in k:
        a[i] += 1
    a.append(5)
    a.insert(0, 7)
    return a, a[2:4], len(a), sum(a), max(a), sorted([1, 2])


def while_stack(k):
    stack = [0] * 250
    top = 0
    total = 0
    for v in k:
        while top > 0 and stack[top - 1] > v:
            top -= 1
            total += stack[top]
        stack[top] = int(v)
        top += 1
    return total, top, stack[:5]


def in_branch(k, x):
    a = [0.0] * 8
    if x[0] > 0.5:
        a[k[0]] = 2.5
    else:
        a[k[1]] = 1.5
    return a


def made_in_branch(k, x):
    if x[0] > 0.5:
        a = [0.0] * 8
        a[k[0]] = 2.5
    else:
        a = [1.0] * 8
    return a


def closure(k):
    counts = [0] * 8

    def add(i):
        counts[i] += 1

    for i in k:
        add(i)
    return counts


def objects(k):
    b = Box()
    for i in k:
        b.put(i)
    return b.items, b.n


def dicts(k):
    d = {"a": [0] * 8, "b": [0.0] * 8}
    for i in k:
        d["a"][i] += 1
        d["b"][i] += 0.5
    return d


def neg_out(k):
    a = [0] * 4
    for i in k:
        a[-1 - i] += 1
    return a


def floyd(w):
    n = len(w)
    d = [[float(w[i, j]) for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d


def lcs(a, b):
    n, m = len(a), len(b)
    t = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            if a[i] == b[j]:
                t[i + 1][j + 1] = t[i][j] + 1
            else:
                t[i + 1][j + 1] = max(t[i][j + 1], t[i + 1][j])
    i, j = n, m
    length = 0
    while i > 0 and j > 0:
        if t[i][j] == t[i - 1][j]:
            i -= 1
        elif t[i][j] == t[i][j - 1]:
            j -= 1
        else:
            length += 1
            i -= 1
            j -= 1
    return length, t[n][m]


def bubble(x):
    a = list(x)
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def list_in_loop(k):
    out = 0
    for i in k:
        c = [0] * 8
        c[i] = 3
        c[7 - i] += 1
        out += c[i]
    return out


def rows_for(k):
    t = [[0] * 8 for _ in range(6)]
    for i in k:
        for row in t:
            row[i] += 1
    s = 0
    for r in t:
        for v in r:
            s += v
    return t, s


def big(k):
    a = [2**62] * 8
    for i in k:
        a[i] += 2**60
    return a


def iter_while_write(k):
    a = [1] * 8
    s = 0
    for i in k[:20]:
        a[i] += 1
        for v in a:
            s += v * i
    return s


KEPT = [
    (dijkstra, (ROADS, 3)),
    (breadth_first, (LINKS, 2)),
    (union_find, (PAIRS, 50)),
    (longest_increasing, (X[:100],)),
    (fewest_coins, ([1, 2, 5, 10], 60)),
    (edit_distance, (K[:40], K[50:90])),
    (queens, (5,)),
    (game_of_life, (GRID, 3)),
    (swapped_lists, (X * 10,)),
    (aliased_inside, (K,)),
    (table_rows, (K,)),
    (floats_in_ints, (K, X)),
    (bools, (K,)),
    (bool_int, (K,)),
    (append_after, (K,)),
    (while_stack, (K,)),
    (in_branch, (K, X)),
    (made_in_branch, (K, X)),
    (closure, (K,)),
    (objects, (K,)),
    (dicts, (K,)),
    (neg_out, (K,)),
    (floyd, (W,)),
    (lcs, (K[:30], K[50:80])),
    (bubble, (X[:20],)),
    (list_in_loop, (K,)),
    (rows_for, (K,)),
    (big, (K,)),
    (iter_while_write, (K,)),
]
