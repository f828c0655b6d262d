"""Slices between positions that values decide: views of open length, which cut nothing."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

X = np.array([3.0, 1.0, 4.0, 1.5, 5.0, 9.0])
M = np.outer(X, [1.0, -2.0, 0.5, 3.0]) + np.arange(4.0)
Q = np.array([0, 3, 5, 1, 4, 2])


def low_rank(x, m, k):
    u, s, v = np.linalg.svd(m, full_matrices=False)
    rank = int((s > 1e-9).sum())
    return (u[:, :rank] * s[:rank]) @ v[:rank], s[:rank]


def sorted_below(x, m, k):
    ordered = np.sort(x)
    place = np.searchsorted(ordered, k + 0.5)
    return ordered[:place], ordered[place:], ordered[:place].mean(), len(ordered[place:])


def bounds_of_all_kinds(x, m, k):
    return (
        x[:k], x[k:], x[-k:], x[:-k], x[1:k], x[k : k + 2], x[k:2], x[k:][1:], x[k:][:-1], x[:k][::-1],
        x[k:][::-1], x[: k + 3][::2], x[None, k:], m[k:, 1], m[1, k:], m[..., :k], m[k:, ::-1][:, 1:],
    )  # fmt: skip


def computed_with(x, m, k):
    head, tail = x[:k], x[k:]
    return (
        head * 2 + 1, tail.sum(), (tail - tail.mean()) @ tail, np.dot(m[:k].T, head), m[:, :k] @ m[:k, :2],
        np.concatenate((tail, head)), np.cumsum(head), np.where(tail > 3, tail, 0), np.diff(tail),
        head[head > 2], tail.shape, np.linalg.norm(tail), np.append(head, 1.0), np.zeros(k) + head,
    )  # fmt: skip


def written(x, m, k):
    x[:k] = 0
    x[k:] += 1
    m[k:, 1:] *= m[:k, :1].sum()
    m[:k] = m[0]
    m[1, :k] = np.arange(4.0)[:k]
    head = x[k:]
    head -= 1
    head[0] = 7
    head[-1:] = 8
    x[5] = 2
    np.negative(head, out=head)
    head[head < -3] = 5
    return x, m, head.sum(), head


def shifted(x, m, k):
    x[1:k] = x[: k - 1]
    x[k:] = x[k:][::-1]
    return x


def seen_by_a_loop(x, m, k):
    total = 0.0
    for v in x[:k]:
        total = total * 0.5 + v
        x[1] = total
    return total, x


KEPT = [low_rank, sorted_below, bounds_of_all_kinds, computed_with, written, shifted]


def counted(function):
    def called(x, m, q, least):
        return function(x, m, int((q > least).sum()))

    return called


@pytest.mark.parametrize("function", [*KEPT, seen_by_a_loop], ids=lambda each: each.__name__)
def test_it_is_numpys(function, strict):
    program = counted(function)
    jitted = jf.jit(program)
    for least in (2, 3, 1):
        given, expected = (copy.deepcopy((X, M, Q, least)) for _ in range(2))
        assert_same(jitted(*given), program(*expected))
        assert_same(given[:2], expected[:2])


@pytest.mark.parametrize("function", [sorted_below, written, shifted], ids=lambda each: each.__name__)
def test_nothing_is_cut(function, strict):
    assert not jf.jit(counted(function)).explain(*copy.deepcopy((X, M, Q, 2))).before


@pytest.mark.parametrize("least", [-1, 4, 9])
def test_of_all_or_none_it_is_numpys(least, strict):
    def parts(x, q):
        k = int((q > least).sum())
        return x[:k], x[k:], x[k:].sum(), x[:k] * 2, x[k:][::-1], x[-k:], x[k : k + 1]

    assert_same(jf.jit(parts)(X, Q), parts(X, Q))


def test_a_result_is_a_view_of_the_argument(strict):
    def parts(x, q):
        k = int((q > 2).sum())
        return x[:k], x[k:][::-1], x[:k].copy()

    x = X.copy()
    head, tail, copied = jf.jit(parts)(x, Q)
    assert np.shares_memory(head, x) and np.shares_memory(tail, x) and not np.shares_memory(copied, x)


def test_a_view_is_of_what_is_written_later(strict):
    def later(x, q):
        k = int((q > 2).sum())
        head, back, tail = x[:k], x[:k][::-1], x[k:]
        x[:] = x * 2
        x[0] = 11
        return head.sum(), back[-1], tail.max(), head[0]

    assert_same(jf.jit(later)(X.copy(), Q), later(X.copy(), Q))


def test_positions_outside_are_pythons(strict):
    def outside(x, q):
        return x[: int((q > 2).sum())][3]

    with pytest.raises(IndexError):
        jf.jit(outside)(X, Q)


def test_out_may_be_what_a_mask_has_chosen(strict):
    def negated(x):
        v = x[x > 2]
        np.negative(v, out=v)
        np.add(v, 1, v)
        return v

    assert_same(jf.jit(negated)(X), negated(X))


def test_a_ravelled_slice_is_a_view(strict):
    def ravelled(x, q):
        head = x[: int((q > 2).sum())]
        flat = head.ravel()
        head[0] = 7
        return flat.sum()

    assert_same(jf.jit(ravelled)(X.copy(), Q), ravelled(X.copy(), Q))
