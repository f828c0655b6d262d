"""Solvers and simulations that collect arrays in lists whose length values decide."""

from __future__ import annotations

import numpy as np

Y = np.array([1.0, 0.5])
A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
STEPS = np.random.default_rng(2).standard_normal((300, 2))


def oscillator(t, y):
    return np.array([y[1], -y[0] - 0.1 * y[1] + np.cos(t)])


def euler(y, end):
    t = 0
    ts, ys = [t], [y]
    while t < end:
        y = y + 0.1 * oscillator(t, y)
        t = t + 0.1
        ts.append(t)
        ys.append(y)
    return np.array(ts), np.array(ys)


def runge_kutta(y, end):
    def f(t, y):
        return np.array([y[1], -np.sin(y[0])])

    t, h, ys = 0.0, 0.1, []
    while t < end:
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
        ys.append(y)
    return np.stack(ys, axis=-1), ys[-1]


def adaptive(y, end):
    t, h, ts, ys = 0.0, 0.1, [0.0], [y]
    while t < end:
        h = min(h, end - t)
        k1 = oscillator(t, y)
        k2 = oscillator(t + h, y + h * k1)
        error = np.abs(h / 2 * (k2 - k1)).max()
        if error <= 1e-3:
            t = t + h
            y = y + h / 2 * (k1 + k2)
            ts.append(t)
            ys.append(y)
        h = h * min(2.0, max(0.3, 0.9 * (1e-3 / (error + 1e-12)) ** 0.5))
    return np.array(ts), np.vstack(ys).T


def two_steps(y, end):
    ts, ys = [0.0, 0.1], [y, y + 0.1 * oscillator(0.0, y)]
    while ts[-1] < end:
        slope = 1.5 * oscillator(ts[-1], ys[-1]) - 0.5 * oscillator(ts[-2], ys[-2])
        ys.append(ys[-1] + 0.1 * slope)
        ts.append(ts[-1] + 0.1)
    return ts, ys


def until_it_falls(y, end):
    y, ys = y.copy(), [y.copy()]
    for _ in range(200):
        y += 0.1 * oscillator(0.0, y)
        ys.append(y.copy())
        if y[0] < -end / 20:
            break
    return np.array(ys), len(ys)


def pairs(y, end):
    t, history = 0.0, [(0.0, y)]
    while t < end:
        y = y * 0.9
        t += 0.5
        history.append((t, y))
    return history


def matrices(y, end):
    a, q, found = A, 0, []
    while np.abs(np.tril(a, -1)).max() > 1 / end**4:
        q = np.linalg.inv(a)
        a = a * 0.5
        found.append(q)
    return np.array(found), np.concatenate(found), np.hstack([len(found)])


def whole_numbers_first(y, end):
    x = np.array([1, 2])
    path, i = [x], 0
    while i < end:
        x = x - 0.1 * x
        path.append(x)
        i += 1
    return np.array(path)


def in_a_dict_of_lists(y, end):
    history = {"x": [y.copy()], "f": [0.0]}
    for _ in range(300):
        y = y - 0.01 * y
        history["x"].append(y.copy())
        history["f"].append(y @ y)
        if y @ y < 1 / end:
            break
    return np.array(history["x"]), np.array(history["f"])


class Walk:
    def __init__(self, place):
        self.place, self.places = place, [place]

    def step(self, by):
        self.place = self.place + by
        self.places.append(self.place)


def walked(y, end):
    walk, i = Walk(np.zeros(2)), 0
    while np.hypot(walk.place[0], walk.place[1]) < end:
        walk.step(STEPS[i])
        i += 1
    return np.array(walk.places), np.array([each[0] for each in walk.places])


def slices_and_loops(y, end):
    ys, t = [], 0.0
    while t < end:
        y = y * 0.95
        ys.append(y)
        t += 0.3
    total = np.zeros(2)
    for each in ys:
        total += each
    return ys[1:-1], total, np.mean(ys, axis=0)


def taken_away(y, end):
    stack, total = [y], 0.0
    while stack:
        x = stack.pop()
        total += x[0]
        if x[0] > 1 / end:
            stack.append(x * 0.4)
            stack.append(x * 0.3)
    return total


def replaced(y, end):
    ys, t = [y, y * 2], 0.0
    while t < end:
        ys.append(ys[-1] * 0.9)
        ys[-2] = ys[0] + 1
        t += 1.0
    return np.array(ys)


def columns(y, end):
    t, ts, ys = 0.0, [], []
    while t < end:
        ts.append(t)
        ys.append(y)
        t, y = t + 0.1, y + 0.1 * oscillator(t, y)
    ys = np.array(ys)
    return ts, ys[:, 0], ys[:, 1], ys.max(axis=0)


def lists_of_one_length(y, end):
    t, i, history, ends = 0.0, 0, [], [[0.0, 1.0, 2.0]]
    while t < end:
        x = t * t
        history.append([i, t, x])
        ends.append([t, x, x])
        t += 0.5
        i += 1
    return np.array(history), np.array(ends)[:, 1], history[-1]


def never(y, end):
    ys = [y]
    while y[0] > 1000:
        y = y * 0.5
        ys.append(y)
    return np.array(ys)


ITEMS = [
    euler, runge_kutta, adaptive, two_steps, until_it_falls, pairs, matrices, whole_numbers_first,
    in_a_dict_of_lists, walked, slices_and_loops, taken_away, replaced, columns, lists_of_one_length, never,
]  # fmt: skip


def changed_afterwards(y, end):
    y, ys, t = y.copy(), [], 0.0
    while t < end:
        ys.append(y)
        y += 1.0
        t += 1.0
    return np.array(ys)


def changed_before(y, end):
    y, ys, t = y.copy(), [], 0.0
    while t < end:
        y[0] = t
        ys.append(y)
        t += 1.0
    return ys


def changed_behind_the_loop(y, end):
    ys, t = [], 0.0
    while t < end:
        y = y + 1
        ys.append(y)
        t += 1.0
    y[0] = -1
    return np.array(ys)


def changed_in_the_list(y, end):
    ys, t = [y.copy()], 0.0
    while t < end:
        ys.append(ys[-1] * 2)
        ys[-2][0] = t
        t += 1.0
    return np.array(ys)


def changed_by_a_view(y, end):
    y, ys, t = y.copy(), [], 0.0
    view = y[:1]
    while t < end:
        ys.append(y)
        view += 1
        t += 1.0
    return np.array(ys)


def changed_under_another_name(y, end):
    old, new, ys, t = y.copy(), y.copy(), [], 0.0
    while t < end:
        new[:] = old * 0.5
        ys.append(old)
        old, new = new, old
        t += 1.0
    return np.array(ys)


def changed_where_values_decide(y, end):
    y, ys, t = y.copy(), [], 0.0
    while t < end:
        if t > 2:
            y = y * 2
        ys.append(y)
        if t > 4:
            y[1] = 0
        t += 1.0
    return np.array(ys)


def changed_before_it_grows(y, end):
    first = y.copy()
    ys, t = [first], 0.0
    while t < end:
        ys.append(first * t)
        t += 1.0
    first[0] = 7
    return np.array(ys), ys


def the_argument_itself(y, end):
    ys, t = [y], 0.0
    while t < end:
        y = y * 2
        ys.append(y)
        t += 1.0
    ys[0][0] = 5
    return np.array(ys)


def a_row_of_one(y, end):
    rows, ys, t = np.zeros((50, 2)), [], 0.0
    i = 0
    while t < end:
        row = rows[i]
        row[:] = t
        ys.append(row)
        rows[0, 0] -= 1
        i += 1
        t += 1.0
    return np.array(ys)


def an_item_is_changed(y, end):
    ys, t = [y.copy()], 0.0
    while t < end:
        ys.append(ys[-1] + 1)
        t += 1.0
    last = ys[-1]
    last *= 0
    return ys


def lists_that_get_longer(y, end):
    rows, t = [[0.0, 0.0]], 0.0
    while t < end:
        rows.append([t, 1.0])
        t += 1.0
    if end > 5:
        rows[0].append(2.0)
        return [len(each) for each in rows]
    return np.array(rows)


def lists_that_change(y, end):
    row, rows, t = [0.0, 0.0], [], 0.0
    while t < end:
        row[0] = t
        rows.append(row)
        rows.append([t, 1.0])
        rows[-1][1] = 3.0
        t += 1.0
    return np.array(rows)


def lists_of_whole_numbers(y, end):
    rows, t = [[1, 2]], 0.0
    while t < end:
        rows.append([3, 4])
        if t > 4:
            rows[-1][1] = 0.5
        t += 1.0
    return np.array(rows)


def changed_in_a_tuple(y, end):
    y, history, t = y.copy(), [], 0.0
    while t < end:
        history.append((t, y))
        np.add(y, 1.0, out=y)
        t += 1.0
    return history


def changed_in_an_inner_loop(y, end):
    y, ys, t = y.copy(), [], 0.0
    while t < end:
        for _ in range(3):
            y[0] += 1.0
        ys.append(y)
        t += 1.0
    return ys


def changed_as_one_or_another(y, end):
    ys, t = [], 0.0
    while t < end:
        ys.append(y)
        y = y if t > 2 else y * 2
        y[0] += 1.0
        t += 1.0
    return ys


def several_shapes(y, end):
    ys, t = [y], 0.0
    while t < end:
        ys.append(np.zeros(3) + t)
        t += 1.0
    return ys


CHANGED = [
    changed_afterwards, changed_before, changed_behind_the_loop, changed_in_the_list, changed_by_a_view,
    changed_under_another_name, changed_where_values_decide, changed_before_it_grows, the_argument_itself,
    a_row_of_one, an_item_is_changed, lists_that_get_longer, lists_that_change,
    changed_in_a_tuple, changed_in_an_inner_loop, changed_as_one_or_another,
]  # fmt: skip

TYPES = [lists_of_whole_numbers, several_shapes]
