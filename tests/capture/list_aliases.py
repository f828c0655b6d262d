"""Functions whose lists alias, change their lengths, or hold items of several types."""

from __future__ import annotations

import numpy as np

from tests.capture.list_programs import K, X


def shared_rows(k):
    t = [[0] * 8] * 4
    for i in k:
        t[i % 4][i] += 1
    return t


def ints_in_floats(k, x):
    a = [0.0] * 12
    for i, v in zip(k, x):
        if v > 0.5:
            a[i] = 3
        else:
            a[i] += 1.5
    return a


def read_back(k):
    a = [0] * 8
    b = [0.5] * 8
    for j, i in enumerate(k):
        b[i] = a[i]
        a[i] = j
    return a, b


def unknown_type(k, x):
    a = [0] * 8
    for i in k:
        a[i] = a[7 - i] + 1
        if x[i] > 0.5:
            a[i] = 0.5
    return a


def none_items(k):
    prev = [None] * 8
    for j, i in enumerate(k):
        prev[i] = j
    return prev


def append_in_loop(k):
    a = [0] * 8
    for i in k:
        a[i] += 1
        a.append(i)
    return a


def slices(k):
    a = [0] * 8
    for i in k:
        a[i] += 1
    b = a[:]
    c = a.copy()
    d = list(a)
    for i in k:
        a[i] -= 1
    return a, b, c, d, a[1:4], a[::-1], a == b, a != b


def either(k, x):
    a = [0.0] * 8
    b = [1.0] * 8
    c = a if x[0] > 0.5 else b
    y = c[k[0]]
    a[k[0]] = 5.0
    return y, a, b


def either_write(k, x):
    a = [0.0] * 8
    b = [1.0] * 8
    c = a if x[0] > 0.5 else b
    c[k[0]] = 5.0
    return a, b, c


def member(k):
    a = [0] * 8
    c = 0
    for i in k:
        if i in a:
            c += 1
        a[i] = int(i)
    return c


def caught(k):
    a = [0] * 4
    c = 0
    for i in k:
        try:
            a[i] += 1
        except IndexError:
            c += 1
    return a, c


def deletes(k):
    a = [0] * 8
    for i in k:
        a[i] += 1
    del a[0]
    a.pop()
    a[1:3] = [9, 9, 9]
    return a


def rowreplace(k):
    t = [[0] * 8 for _ in range(4)]
    for i in k:
        t[i % 4][i] += 1
    t[1] = [5] * 8
    t[1][3] = 4
    return t


def tolist(x):
    a = x.tolist()
    for i in range(len(a)):
        a[i] = a[i] * 2
    return a


def ret_item(k):
    a = [0] * 8
    for i in k:
        a[i] += 1
    return a[0], a[-1], a[k[0]]


def array_of_several_types(k, x):
    a = [0] * 6
    for i in range(len(k)):
        a[i % 6] += x[i]
        a[k[i] % 6] = 2
    return np.array(a)


def rows_of_several_types(x):
    rows = [[1, 2], [3, 4]]
    for i in range(4):
        if x[i] > 0.5:
            rows.append([5, 6])
        rows[-1][1] = 0.5
    return rows


def the_last_row_of_another_type(x):
    rows = [[0, 0]]
    for v in x:
        if v > 0.5:
            rows.append([1, 2])
    rows[-1][1] = 0.5
    return rows


OTHERS = [
    (rows_of_several_types, (X,)),
    (the_last_row_of_another_type, (X,)),
    (array_of_several_types, (K, X)),
    (shared_rows, (K,)),
    (ints_in_floats, (K, X)),
    (read_back, (K,)),
    (unknown_type, (K, X)),
    (none_items, (K,)),
    (append_in_loop, (K,)),
    (slices, (K,)),
    (either, (K, X)),
    (either_write, (K, X)),
    (member, (K,)),
    (caught, (K,)),
    (deletes, (K,)),
    (rowreplace, (K,)),
    (tolist, (X,)),
    (ret_item, (K,)),
]
