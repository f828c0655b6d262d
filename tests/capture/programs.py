"""Programs with loops and conditions, as people write them; `PROGRAMS` has arguments for each."""

from __future__ import annotations

import math

import numpy as np

from tests.capture.linear_algebra import (
    cholesky,
    conjugate_gradient,
    floyd_warshall,
    gauss_seidel,
    heat,
    kalman,
    lu,
    matrix_product,
    power_iteration,
    tridiagonal,
    two_buffers,
    two_buffers_until,
)


def edit_distance(s, t):
    rows, columns = len(s), len(t)
    table = np.zeros((rows + 1, columns + 1), dtype=np.int64)
    for i in range(rows + 1):
        table[i, 0] = i
    for j in range(columns + 1):
        table[0, j] = j
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            cost = 0 if s[i - 1] == t[j - 1] else 1
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + cost)
    return table[rows, columns]


def escape_time(re, im, limit):
    x, y = 0.0, 0.0
    count = 0
    while x * x + y * y <= 4.0 and count < limit:
        x, y = x * x - y * y + re, 2.0 * x * y + im
        count += 1
    return count


def mandelbrot(xs, ys, limit):
    out = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for row in range(len(ys)):
        for column in range(len(xs)):
            re, im = xs[column], ys[row]
            x = y = 0.0
            for step in range(limit):
                if x * x + y * y > 4.0:
                    break
                x, y = x * x - y * y + re, 2 * x * y + im
                out[row, column] = step + 1
    return out


def bisection(low, high, tolerance):
    def value(x):
        return x**3 - x - 2

    while high - low > tolerance:
        middle = (low + high) / 2
        if value(low) * value(middle) <= 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def newton(x, tolerance):
    guess = x / 2.0
    turns = 0
    while True:
        following = 0.5 * (guess + x / guess)
        turns += 1
        if abs(following - guess) < tolerance:
            break
        guess = following
    return following, turns


def life(board, turns):
    rows, columns = board.shape
    for _ in range(turns):
        following = np.zeros_like(board)
        for i in range(rows):
            for j in range(columns):
                around = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            around += board[(i + di) % rows, (j + dj) % columns]
                if (board[i, j] == 1 and around in (2, 3)) or (board[i, j] == 0 and around == 3):
                    following[i, j] = 1
        board = following
    return board


def insertion_sort(values):
    for i in range(1, len(values)):
        key = values[i]
        j = i - 1
        while j >= 0 and values[j] > key:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = key


def binary_search(values, wanted):
    low, high = 0, len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] == wanted:
            return middle
        elif values[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def moving_average(values, width, limit):
    out = np.zeros(len(values))
    for i in range(len(values)):
        if i < width - 1:
            continue
        total = 0.0
        for k in range(width):
            total += values[i - k]
        if total > limit:
            break
        out[i] = total / width
    return out


def running_max(values):
    best = values[0]
    where = 0
    for i, value in enumerate(values):
        if value > best:
            best = value
            where = i
    return best, where


def sieve(prime):
    n = len(prime) - 1
    prime[0] = prime[1] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            for k in range(i * i, n + 1, i):
                prime[k] = False
        i += 1
    return prime


def logistic(rate, x, n):
    for _ in range(n):
        x = rate * x * (1 - x)
    return x


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def greatest_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def clipped(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x


def grade(score):
    if score >= 90:
        result = 4
    elif score >= 80:
        result = 3
    elif score >= 70:
        result = 2
    else:
        result = 0
    return result


def quadrant(x, y):
    return 1 if x > 0 and y > 0 else 2 if x <= 0 < y else 3 if not (x > 0 or y > 0) else 4


def simpson(low, high, n):
    step = (high - low) / n
    total = math.exp(low) + math.exp(high)
    for i in range(1, n):
        total += (4 if i % 2 else 2) * math.exp(low + i * step)
    return total * step / 3


def trapezoid_rows(values):
    total = 0.0
    for row in values:
        for value in row:
            if value < 0:
                continue
            total += value
    return total


def first_negative(values):
    for i in range(len(values)):
        if values[i] < 0:
            return i
    else:
        return len(values)


def bubble(values):
    n = len(values)
    swapped = True
    while swapped:
        swapped = False
        for i in range(n - 1):
            if values[i] > values[i + 1]:
                values[i], values[i + 1] = values[i + 1], values[i]
                swapped = True
        n -= 1
    return values


def count_up(n, step):
    total = 0
    for i in range(10, n, step):
        total = total * 3 + i
    for i in range(n, -5, -2):
        total += i
    return total


class Walker:
    def __init__(self, x, y):
        self.x, self.y, self.steps = x, y, 0

    def move(self, dx):
        if self.x + dx > 3:
            self.x = 0.0
            self.y += 1
        else:
            self.x += dx
        self.steps += 1


def walk(moves):
    walker = Walker(0.0, 0)
    for move in moves:
        walker.move(move)
    return walker.x, walker.y, walker.steps


def histogram(values, counts):
    bins = len(counts)
    low, high = values.min(), values.max()
    for value in values:
        place = int((value - low) / (high - low) * bins)
        if place == bins:
            place -= 1
        counts[place] += 1
    return counts


def nested_helper(values, limit):
    total = 0.0

    def add(value):
        nonlocal total
        if value > limit:
            return False
        total += value
        return True

    for i in range(len(values)):
        if not add(values[i]):
            break
    return total


def first_above(table, limit):
    found = (-1, -1)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            if table[i, j] > limit:
                found = (i, j)
                break
        else:
            continue
        break
    return found


def scaled_rows(table, n):
    for i in range(n):
        row = table[i]
        row[0] = -1
        row *= 2
    return table


def in_a_list(values, n):
    pair = [0.0, 0.0]
    for i in range(n):
        pair[0] += values[i]
        pair[1] = pair[0] * 2
    return pair[0], pair[1]


def differences(values):
    last = None
    total = 0.0
    for value in values:
        if last is not None:
            total += abs(value - last)
        last = value
    return total


_R = np.random.default_rng(7)
_M = _R.normal(size=(12, 12))
_SPD = _M @ _M.T + 12 * np.eye(12)
_DISTANCE = _R.uniform(1, 9, size=(9, 9))

PROGRAMS = [
    (cholesky, (_SPD,)),
    (edit_distance, (_R.integers(0, 4, 9), _R.integers(0, 4, 11))),
    (escape_time, (-0.5, 0.6, 50)),
    (escape_time, (1.5, 0.6, 50)),
    (mandelbrot, (np.linspace(-2, 1, 7), np.linspace(-1, 1, 5), 20)),
    (bisection, (1.0, 2.0, 1e-9)),
    (newton, (2.0, 1e-12)),
    (gauss_seidel, (_SPD, _M[0], 1e-9)),
    (life, (_R.integers(0, 2, (6, 7)), 4)),
    (insertion_sort, (_R.normal(size=20),)),
    (binary_search, (np.arange(0, 300, 3), 51)),
    (binary_search, (np.arange(0, 300, 3), 52)),
    (moving_average, (np.arange(30.0), 4, 60.0)),
    (running_max, (_R.normal(size=40),)),
    (sieve, (np.ones(61, bool),)),
    (floyd_warshall, (_DISTANCE,)),
    (kalman, (_R.normal(size=300), 0.1, 1e-3)),
    (logistic, (3.7, 0.4, 100)),
    (collatz, (27,)),
    (collatz, (1,)),
    (greatest_divisor, (1071, 462)),
    (clipped, (0.5, 1.0, 2.0)),
    (clipped, (2.5, 1.0, 2.0)),
    (clipped, (1.5, 1.0, 2.0)),
    *((grade, (score,)) for score in (95, 85, 75, 5)),
    *((quadrant, point) for point in ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))),
    (simpson, (0.0, 1.0, 40)),
    (trapezoid_rows, (_M,)),
    (first_negative, (np.array([3.0, 2.0, -1.0, 5.0]),)),
    (first_negative, (np.array([3.0, 2.0]),)),
    (tridiagonal, (_R.uniform(1, 2, 9), _R.uniform(5, 6, 10), _R.uniform(1, 2, 9), _R.normal(size=10))),
    (heat, (_R.normal(size=30), 0.1, 50)),
    (power_iteration, (_SPD, np.ones(12), 1e-10)),
    (conjugate_gradient, (_SPD, _M[0], 1e-16)),
    (lu, (_SPD,)),
    (bubble, (_R.normal(size=12),)),
    (matrix_product, (_M[:7], _M[:, :9])),
    (count_up, (40, 3)),
    (walk, (_R.uniform(0, 1, 40),)),
    (histogram, (_R.normal(size=60), np.zeros(8, np.int64))),
    *((two_buffers, (np.arange(8.0) ** 2, n)) for n in (0, 3, 4)),
    (two_buffers_until, (np.arange(8.0) ** 2, 1e-3)),
    *((first_above, (np.arange(12.0).reshape(3, 4), limit)) for limit in (6.0, 60.0)),
    (scaled_rows, (_M[:5], 3)),
    (in_a_list, (_M[0], 7)),
    (differences, (_M[0],)),
    (nested_helper, (_R.uniform(0, 1, 30), 0.97)),
]
