"""Programs with slices whose lengths a loop decides: `x[:i]`, `values[rows[i] : rows[i + 1]]`."""

from __future__ import annotations

import numpy as np

N = 60
RANDOM = np.random.default_rng(7)
X = RANDOM.random(N)
A = RANDOM.random((N, N)) + N * np.eye(N)
SYMMETRIC = A @ A.T
CASES = []


def case(*arguments):
    """Lists a function with its arguments."""

    def listed(function):
        CASES.append((function, arguments))
        return function

    return listed


@case(np.tril(A), np.zeros(N), X)
def forward_substitution(low, x, b):
    for i in range(len(x)):
        x[i] = (b[i] - low[i, :i] @ x[:i]) / low[i, i]


@case(0.4 * X / X.sum())  # the matrix of these is diagonally dominant: rounding does not grow
def levinson_durbin(r):
    y = np.empty_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


@case(A, X)
def lu_and_solve(a, b):
    x, y = np.zeros_like(b), np.zeros_like(b)
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]
    for i in range(a.shape[0]):
        y[i] = b[i] - a[i, :i] @ y[:i]
    for i in range(a.shape[0] - 1, -1, -1):
        x[i] = (y[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x, y


@case(SYMMETRIC)
def cholesky(a):
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])


@case(A)
def outer_products(a):
    for k in range(len(a) - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


@case(A)
def broadcast_products(a):
    for k in range(len(a) - 1):
        factor = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k:] -= factor[:, None] * a[k, k:]
        a[k + 1 :, k] = factor


@case(1.5, 1.2, np.ones((N, N)), A[:, ::-1], A)
def symm(alpha, beta, c, a, b):
    temp = np.empty((c.shape[1],), dtype=c.dtype)
    c *= beta
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[:i, j] += alpha * b[i, j] * a[i, :i]
            temp[j] = b[:i, j] @ a[i, :i]
        c[i, :] += alpha * b[i, :] * a[i, i] + alpha * temp


@case(1.5, 1.2, np.ones((N, N)), A)
def syrk(alpha, beta, c, a):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]


@case(1.5, A, A[::-1])
def trmm(alpha, a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    b *= alpha


@case(A)
def covariance(data):
    cov = np.zeros((N, N))
    data = data - data.mean(axis=0)
    for i in range(N):
        cov[i:, i] = cov[i, i:] = data[:, i] @ data[:, i:] / (N - 1.0)
    return cov


@case(np.array([0, 3, 3, 7, 10] * 16 + [12]).cumsum() % 60, np.arange(60)[::-1].copy(), X, X[::-1])
def sparse_product(rows, columns, values, x):
    y = np.empty(len(rows) - 1)
    for i in range(len(rows) - 1):
        cols = columns[rows[i] : rows[i + 1]]
        vals = values[rows[i] : rows[i + 1]]
        y[i] = vals @ x[cols]
    return y


@case(A, X)
def with_pivots(a, b):
    order = np.arange(N)
    for k in range(N - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            order[[k, p]] = order[[p, k]]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return order, b[order]


@case(X)
def reductions(x):
    out = np.zeros((N, 9))
    for i in range(1, N):
        part = x[:i]
        out[i, 0], out[i, 1] = part.sum(), np.mean(part)
        out[i, 2], out[i, 3] = part.max(), np.min(part)
        out[i, 4], out[i, 5] = np.prod(part + 0.5), np.linalg.norm(part)
        out[i, 6], out[i, 7] = np.argmin(part), (part > 0.5).any()
        out[i, 8] = np.all(part < 0.9) + len(part) + part.shape[0] + part.size
    return out


@case((X * 100).astype(np.int32))
def of_integers(x):
    total, most = 0, np.zeros(N, np.int32)
    for i in range(1, N):
        total += x[:i].sum() + np.dot(x[:i], x[:i]) + x[i:].astype(np.int64).max()
        most[i] = x[: i + 1].max() - x[i // 2 : i + 1].min()
    return total, most


@case((X * 64).round().astype(np.float32))
def of_single_floats(x):
    y = np.zeros_like(x)
    for i in range(N):
        y[i] = x[i:].sum() * np.float32(2) + (x[:i] * 0.5).sum()
    return y


@case(np.tile(X, 5))
def shorter_at_the_end(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i : i + 3].sum()
    return total


@case(np.tile(X, 5))
def of_a_length_that_changes(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i : 2 * i].sum()
    return total


@case(X)
def from_the_other_end(x):
    total = 0.0
    for i in range(N):
        total += x[i - 2 : i + 1].sum() + x[: i - 5].sum() + x[-i:].sum()
    return total


@case(X)
def backward(x):
    total = np.zeros(N)
    for i in range(N):
        total[i] = (x[i::-1] * x[: i + 1]).sum() + (x[:i][::-1] * x[:i]).sum() + x[i : i // 2 : -2].sum()
    return total


@case(X)
def elements_of_slices(x):
    total = np.zeros(N)
    for i in range(5, N):
        part = x[2:i]
        total[i] = part[0] + part[-1] + part[i // 2 - 2] + part[1:3].sum()
        for j in range(len(part)):
            total[i] += part[j] * j
        for v in part:
            total[i] += v
    return total


@case(X)
def what_is_written_later(x):
    total = np.zeros(N)
    for i in range(1, N):
        twice, shown = x[:i] * 2, x[:i]
        x[0] = x[0] + i
        total[i] = twice.sum() + shown.sum()
        twice += 1
        total[i] += twice.sum()
        shown[0] = 0.5
    return total


@case(X)
def onto_itself(x):
    for i in range(1, N):
        x[1 : i + 1] = x[:i] + 0.25
        x[:i] = x[:i][::-1]
        x[i:] = x[i]


@case(A)
def rows_and_columns(a):
    for i in range(1, N):
        a[i, :i] = a[:i, i]
        a[:i, i] = 0
        a[i:, i - 1] = i
        a[: i // 2, :] += 1.0
        a[:, i] -= 0.5
    return a


@case(A)
def sums_along_axes(a):
    out = np.zeros((N, N))
    for i in range(1, N):
        out[i, :i] = a[:i, :i].sum(axis=0)
        out[:i, i] = a[:i, i:].max(axis=1)
        out[i, i] = a[:i, i:].sum()
    return out


@case(A, X)
def products(a, x):
    out = np.zeros((N, N))
    for i in range(1, N):
        out[i, :i] = a[:i, :i] @ x[:i]
        out[i, i:] = x[:i] @ a[:i, i:]
        out[i, i] += (a[:3, :i] @ a[:i, :2]).sum() + np.vdot(x[:i], x[:i])
    return out


@case(X)
def functions(x):
    out = np.zeros(N)
    for i in range(N):
        part = np.exp(-x[:i]) + np.where(x[:i] > 0.5, x[:i], np.sqrt(x[:i]))
        out[i] = np.maximum(part, 0.7).sum() + np.clip(x[i:], 0.2, 0.3).sum() + abs(x[:i] - 0.5).sum()
        out[:i] += np.zeros_like(x[:i]) + x[:i].copy()
    return out


@case(X)
def while_loops(x):
    k, total = 0, 0.0
    while k < len(x) and x[: k + 1].sum() < 20:
        k += 1
        total += x[:k].sum()
    return k, total


@case(A)
def back_substitution_of_rows(a):
    y = a.copy()
    for i in range(N - 1, -1, -1):
        y[i] = (y[i] - a[i, i + 1 :] @ y[i + 1 :]) / a[i, i]
    return y


@case(X)
def in_branches(x):
    out = np.zeros(N)
    for i in range(N):
        if x[i] > 0.5:
            out[:i] += x[:i]
        else:
            out[i:] -= x[i:].sum()
    return out


@case(X)
def read_before_an_inner_loop(x):
    total = 0.0
    for i in range(1, N):
        twice, shown = x[:i] * 2, x[:i]
        for j in range(i):
            x[j] += 0.125 * twice.sum() / N - shown.sum() / N
            total += twice[0] + shown[j]
        x[:i] = twice - x[:i]
    return total


@case(X + 1j * X[::-1])
def of_complex_numbers(x):
    out = np.zeros(N, complex)
    for i in range(1, N):
        out[i] = x[:i].sum() + np.vdot(x[:i], x[:i]) + x[:i] @ x[:i] + np.mean(x[i:] * 2)
        out[:i] += x[:i].conj()
    return out


@case(X.astype(np.float16))
def of_half_floats(x):
    out = np.zeros(N, np.float32)
    for i in range(1, N):
        out[i] = x[:i].max() + np.abs(-x[:i]).min()
    return out


@case(X > 0.5)
def of_bools(x):
    total = 0
    for i in range(1, N):
        total += x[:i].sum() + np.count_nonzero(x[i:]) + (x[:i] & x[:i]).any() - (~x[i:]).all()
    return total
