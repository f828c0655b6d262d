"""Programs on matrices and grids, by their elements and by rows."""

from __future__ import annotations

import numpy as np


def cholesky(a):
    n = a.shape[0]
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(j):
                total += lower[i, k] * lower[j, k]
            if i == j:
                lower[i, j] = np.sqrt(a[i, i] - total)
            else:
                lower[i, j] = (a[i, j] - total) / lower[j, j]
    return lower


def gauss_seidel(a, b, tolerance):
    n = len(b)
    x = np.zeros_like(b)
    for turn in range(200):
        largest = 0.0
        for i in range(n):
            total = b[i]
            for j in range(n):
                if j != i:
                    total -= a[i, j] * x[j]
            new = total / a[i, i]
            largest = max(largest, abs(new - x[i]))
            x[i] = new
        if largest < tolerance:
            return x, turn
    return x, -1


def floyd_warshall(distance):
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through
    return distance


def kalman(measured, noise, drift):
    estimate, variance = 0.0, 1.0
    out = np.empty(len(measured))
    for t in range(len(measured)):
        variance += drift
        gain = variance / (variance + noise)
        estimate = estimate + gain * (measured[t] - estimate)
        variance = (1 - gain) * variance
        out[t] = estimate
    return out


def tridiagonal(a, b, c, d):
    n = len(d)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    x = np.zeros(n)
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return x


def heat(u, rate, n):
    for _ in range(n):
        following = u.copy()
        following[1:-1] = u[1:-1] + rate * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = following
    return u


def power_iteration(a, v, tolerance):
    value = 0.0
    for _ in range(500):
        w = a @ v
        v = w / np.sqrt((w * w).sum())
        new = v @ a @ v
        if abs(new - value) < tolerance:
            value = new
            break
        value = new
    return value


def conjugate_gradient(a, b, tolerance):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    old = r @ r
    turns = 0
    while old > tolerance and turns < 100:
        q = a @ p
        alpha = old / (p @ q)
        x += alpha * p
        r -= alpha * q
        new = r @ r
        p = r + (new / old) * p
        old = new
        turns += 1
    return x, turns


def lu(a):
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :] if False else 0
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def matrix_product(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    return out


def two_buffers(u, n):
    """Writes to the array that it is given, too."""
    following = u.copy()
    for _ in range(n):
        following[1:-1] = 0.5 * u[1:-1] + 0.25 * (u[2:] + u[:-2])
        u, following = following, u
    return u


def two_buffers_until(u, tolerance):
    u = u.copy()
    following = u.copy()
    while True:
        following[1:-1] = 0.5 * u[1:-1] + 0.25 * (u[2:] + u[:-2])
        u, following = following, u
        if np.abs(u - following).max() < tolerance:
            return u
