"""Programs with lists that grow and shrink as values decide: stacks, queues, what was found."""

from __future__ import annotations

import numpy as np

_rng = np.random.default_rng(2)
K = _rng.integers(0, 8, 100)
X = _rng.random(100) * 5
LINKS = (_rng.random((40, 40)) < 0.1).astype(int)
GRID = (_rng.random((8, 8)) < 0.8).astype(int)
WEIGHTS, VALUES = _rng.integers(1, 10, 12), _rng.integers(1, 50, 12)


def knapsack(weights, values, cap):
    n = len(weights)
    t = [[0] * (cap + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for w in range(cap + 1):
            if weights[i - 1] <= w:
                t[i][w] = max(t[i - 1][w], t[i - 1][w - weights[i - 1]] + values[i - 1])
            else:
                t[i][w] = t[i - 1][w]
    chosen = []
    w = cap
    for i in range(n, 0, -1):
        if t[i][w] != t[i - 1][w]:
            chosen.append(i - 1)
            w -= weights[i - 1]
    return t[n][cap], chosen


def filtered(x):
    out = []
    for v in x:
        if v > 2:
            out.append(v)
    return out


def a_path(n):
    k, path = n[0], [n[0]]
    while k != 1:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        path.append(k)
    return path


def depth_first(adj, s):
    n = len(adj)
    seen = [False] * n
    order = []
    stack = [s]
    while stack:
        u = stack.pop()
        if seen[u]:
            continue
        seen[u] = True
        order.append(u)
        for v in range(n):
            if adj[u, v] and not seen[v]:
                stack.append(v)
    return order


def popempty(x):
    s = [1.0]
    for v in x:
        if v > 2:
            s.pop()
    return s


def outside(x):
    s = []
    for v in x:
        if v > 4.9:
            s.append(v)
    return s[5000]


def many(n):
    out = []
    i = 0
    while i < n[0]:
        out.append(i)
        i += 1
    return out


def first_in_first_out(adj, s):
    n = len(adj)
    seen = [False] * n
    seen[s] = True
    queue = [s]
    order = []
    while queue:
        u = queue.pop(0)
        order.append(u)
        for v in range(n):
            if adj[u, v] and not seen[v]:
                seen[v] = True
                queue.append(v)
    return order


def two_lists(x):
    small, large = [], []
    for v in x:
        if v < 2:
            small.append(v)
        else:
            large.append(v)
    return small, large


def into_other(x):
    a = []
    b = []
    for v in x:
        if v > 2:
            a.append(v)
        elif a:
            b.append(a.pop())
    return a, b


def in_closure(x):
    found = []

    def note(v):
        if v > 2:
            found.append(v)

    for v in x:
        note(v)
    return found


def pairs(x):
    pairs = []
    for i in range(len(x)):
        for j in range(i):
            if x[i] - x[j] > 4.8:
                pairs.append(i * 1000 + j)
    return pairs


def reverse_polish(codes, vals):
    st = []
    for c, v in zip(codes, vals):
        if c == 0:
            st.append(v)
        elif len(st) >= 2:
            b = st.pop()
            a = st.pop()
            if c == 1:
                st.append(a + b)
            elif c == 2:
                st.append(a - b)
            else:
                st.append(a * b)
    return st


def brackets(codes):
    st = []
    for c in codes:
        if c < 3:
            st.append(c)
        else:
            if not st:
                return False
            if st.pop() != c - 3:
                return False
    return not st


def flood_fill(g, r, c):
    h, w = g.shape
    seen = [[False] * w for _ in range(h)]
    st = [r * w + c]
    n = 0
    while st:
        p = st.pop()
        i, j = p // w, p % w
        if i < 0 or j < 0 or i >= h or j >= w or seen[i][j] or g[i, j] == 0:
            continue
        seen[i][j] = True
        n += 1
        if i + 1 < h:
            st.append((i + 1) * w + j)
        if i > 0:
            st.append((i - 1) * w + j)
        if j + 1 < w:
            st.append(i * w + j + 1)
        if j > 0:
            st.append(i * w + j - 1)
    return n, seen


def raises_in_loop(x):
    st = []
    for v in x:
        if v < 0.1:
            raise ValueError(f"bad {v}")
        if v > 2:
            st.append(v)
    return st


def filtered_array(x):
    out = []
    for v in x:
        if v > 2:
            out.append(v * 2)
    return np.array(out)


def a_stack(x):
    stack = []
    for v in x:
        while stack and stack[-1] > v:
            stack.pop()
        stack.append(v)
    return np.array(stack)


def positions(x):
    found = []
    for i in range(len(x)):
        if x[i] > 3:
            found.append(i)
    return found, len(found), sum(found)


def never(x):
    out = []
    for v in x:
        if v > 1000:
            out.append(v)
    return out, len(out), bool(out)


def mixedapp(x):
    out = [0]
    for v in x:
        if v > 2:
            out.append(v)
    return out


def alias_counted(x):
    out = []
    other = out
    pair = (out, other)
    for v in x:
        if v > 2:
            pair[0].append(v)
    other.append(9.0)
    return out, other, len(out)


def rebound(x):
    out = []
    for v in x:
        if v > 4.5:
            out = []
        if v > 2:
            out.append(v)
    return out


def items(x):
    out = [0.0]
    for v in x:
        if v > 2:
            out.append(out[-1] + v)
            out[0] = v
        if len(out) > 5 and out[2] > v:
            out[1] += 1
    return out, out[-1], out[1:3], max(out)


def clears(x):
    run = []
    best = 0
    for v in x:
        if v > 1:
            run.append(v)
        else:
            best = max(best, len(run))
            run.clear()
    return best


def copies(x):
    cur = []
    best = []
    for v in x:
        if v > 1:
            cur.append(v)
        else:
            if len(cur) > len(best):
                best = cur[:]
            cur = []
    return best


def while_both(x):
    i, j = 0, 0
    merged = []
    a, b = x[:100], x[100:]
    while i < len(a) and j < len(b):
        if a[i] < b[j]:
            merged.append(a[i])
            i += 1
        else:
            merged.append(b[j])
            j += 1
    while i < len(a):
        merged.append(a[i])
        i += 1
    while j < len(b):
        merged.append(b[j])
        j += 1
    return np.array(merged)


def minheap(x):
    h = []
    for v in x:
        h.append(v)
        i = len(h) - 1
        while i > 0 and h[(i - 1) // 2] > h[i]:
            h[i], h[(i - 1) // 2] = h[(i - 1) // 2], h[i]
            i = (i - 1) // 2
    return h


def ret_twice(x):
    out = []
    for v in x:
        if v > 2:
            out.append(v)
    n = len(out)
    m = 0.0
    for v in out:
        m += v
    return m / n if n else 0.0


def bfsq(adj, s):
    n = len(adj)
    seen = [False] * n
    seen[s] = True
    queue = [s]
    for u in queue:
        for v in range(n):
            if adj[u, v] and not seen[v]:
                seen[v] = True
                queue.append(v)
    return queue


def arg_list(out, x):
    for v in x:
        if v > 2:
            out.append(v)
    return len(out)


def iterator_changes(k):
    a = [0] * 8
    s = 0
    for v in a:
        a[k[0]] = 7
        a[k[1]] = 5
        s = s * 10 + v
    return s, a


def next_greater(x):
    found, waiting = [-1] * len(x), []
    for i in range(len(x)):
        while waiting and x[waiting[-1]] < x[i]:
            found[waiting.pop()] = i
        waiting.append(i)
    return found


def cleared(x):
    run, longest, total = [], 0, 0.0
    for v in x:
        if v > 2:
            run.append(v)
            total += run[-1]
        else:
            longest = max(longest, len(run))
            run.clear()
    return longest, total


def flushed(x):
    run, total = [], 0.0
    for v in x:
        run.append(v)
        if len(run) == 4:
            total += run[0] * run[3]
            run.clear()
    return total, run


def moving_window(x):
    window, firsts = [], np.zeros(len(x))
    for i in range(len(x)):
        window.append(x[i])
        if len(window) > 3:
            window.pop(0)
        firsts[i] = window[0]
    return firsts


def sliced_with_steps(x, n):
    """Slices with steps, also from the end, as far as the list goes."""
    out = []
    for v in x:
        if v > 0:
            out.append(float(v))
    return (
        out[::-1], out[::2], out[1::3], out[-2::-2], out[n:1:-1], out[-n:100:2],
        out[100::-3], out[:-4:-1], out[:2:-1], out[n::2], out[::-1][:n],
    )  # fmt: skip


def reversed_in_place(x):
    places, doubled = [], []
    for i, v in enumerate(x):
        if v > 0:
            places.append((i, float(v)))
            doubled.append(2 * i)
    places.reverse()
    doubled.reverse()
    return places, doubled


KEPT = [
    (sliced_with_steps, (X, 5)),
    (sliced_with_steps, (X[:2], 5)),
    (sliced_with_steps, (-np.abs(X[:9]), 2)),
    (reversed_in_place, (X,)),
    (reversed_in_place, (X[:1],)),
    (next_greater, (X,)),
    (cleared, (X,)),
    (flushed, (X,)),
    (moving_window, (X,)),
    (knapsack, (WEIGHTS, VALUES, 40)),
    (filtered, (X,)),
    (a_path, (np.array([7]),)),
    (depth_first, (LINKS, 2)),
    (popempty, (X,)),
    (outside, (X,)),
    (many, (np.array([5000]),)),
    (many, (np.array([70000]),)),
    (first_in_first_out, (LINKS, 2)),
    (two_lists, (X,)),
    (into_other, (X,)),
    (in_closure, (X,)),
    (pairs, (X[:30],)),
    (reverse_polish, (K, X)),
    (brackets, (K % 6,)),
    (flood_fill, (GRID, 2, 3)),
    (raises_in_loop, (X + 0.2,)),
]
OTHERS = [
    (filtered_array, (X,)),
    (a_stack, (X,)),
    (positions, (X,)),
    (never, (X,)),
    (mixedapp, (X,)),
    (alias_counted, (X,)),
    (rebound, (X,)),
    (items, (X,)),
    (clears, (X,)),
    (copies, (X,)),
    (while_both, (X,)),
    (minheap, (X[:20],)),
    (ret_twice, (X,)),
    (bfsq, (LINKS[:20, :20], 2)),
    (arg_list, ([1.0], X)),
    (iterator_changes, (K,)),
]
