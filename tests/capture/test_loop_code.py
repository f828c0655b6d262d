"""What compiled loops do besides what the program says: nothing that can be told from their code."""

from __future__ import annotations

import copy
import heapq
import importlib
import re
import sys

import numpy as np
import pytest

import jitframe as jf


def explained(function, *arguments):
    """The explanation of a program, which gives what Python gives."""
    jitted = jf.jit(function)
    for _ in range(2):
        mine, its = copy.deepcopy(arguments), copy.deepcopy(arguments)
        np.testing.assert_array_equal(jitted(*mine), function(*its))
        for ours, meant in zip(mine, its, strict=True):
            np.testing.assert_array_equal(ours, meant)
    return jitted.explain(*copy.deepcopy(arguments))


def loops_text(explanation):
    """The kernels of loops as text."""
    return "\n".join(each.source("kernel") for each in explanation.kernels if "nest" in each.name)


def table(a, b):
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            rows[i][j] = max(rows[i - 1][j], rows[i][j - 1], rows[i - 1][j - 1] + (a[i - 1] == b[j - 1]))
    return rows[len(a)][len(b)]


def inside_of_a_slice(x):
    inner = x[1:-1, 1:-1]
    for i in range(1, len(inner)):
        for j in range(inner.shape[1]):
            inner[i][j] = inner[i - 1][j] * 0.5 + i
    return x


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(table, (np.arange(90) % 7, np.arange(80) % 5)), (inside_of_a_slice, (np.ones((70, 80)),))],
)
def test_elements_of_rows_are_written_alone(function, arguments):
    """No row is read, changed and written back for one of its elements."""
    assert "for lanes" not in loops_text(explained(function, *arguments))


def fixed_places(x):
    state = np.zeros(3)
    for v in x:
        state[0] = state[0] * 0.5 + v
        state[1] = max(state[1], state[0])
        state[-1] += v
    return state


def test_a_fixed_place_is_written_by_one_store():
    assert "for lanes" not in loops_text(explained(fixed_places, np.arange(500.0) % 17))


def filled(image, y, x, colour):
    old = image[y, x]
    stack = [(y, x)]
    while stack:
        y, x = stack.pop()
        if 0 <= y < image.shape[0] and 0 <= x < image.shape[1] and image[y, x] == old:
            image[y, x] = colour + 12345
            stack.append((y + 1, x))
            stack.append((y - 1, x))
            stack.append((y, x + 1))
            stack.append((y, x - 1))
    return image


IMAGE = (np.random.default_rng(3).random((40, 40)) < 0.3).astype(np.int64)
IMAGE[0, 0] = 0


def neighbours_above(x):
    out = np.zeros(len(x), dtype=int)
    for i in range(1, len(x) - 1):
        found = [each for each in [x[i - 1], x[i], x[i + 1]] if each > 0.5]
        if i % 3 == 0:
            found.append(x[i])
        for each in found:
            out[i] += each > 0.7
        out[i] += 10 * len(found)
    return out


def test_a_list_of_an_iteration_costs_what_is_put_into_it():
    """The room for its items is scratch, which nothing fills or copies."""
    explanation = explained(neighbours_above, np.random.default_rng(3).random(200))
    assert len(explanation.kernels) <= 3


def test_a_loop_over_a_stack_is_in_the_program_once():
    """The first iteration is not beside the others, and the counter of the stack is in no array."""
    explanation = explained(filled, IMAGE, 0, 0, 7)
    assert str(explanation.graph).count("12345") == 1
    assert "for lanes" not in loops_text(explanation)


def collected(x):
    stack = []
    total = 0.0
    for v in x:
        while stack and stack[-1] > v:
            total += stack.pop()
        stack.append(v)
    return total + len(stack)


def smallest_first(x):
    heap = [0.0]
    total = 0.0
    for v in x:
        heapq.heappush(heap, v)
        if len(heap) > 20:
            total = total * 0.5 + heapq.heappop(heap)
    return total


@pytest.mark.parametrize("function", [collected, smallest_first])
def test_positions_in_lists_are_not_looked_at(function):
    explanation = explained(function, np.random.default_rng(5).random(600))
    assert "list index" not in str(explanation)
    assert loops_text(explanation).count("atomic") == 1  # that of x


def borders(x):
    for i in range(len(x)):
        x[i, 0] = 0
        x[i, -1] = x[i, 1] * 2


def steps(x, n):
    for _ in range(n[0]):
        for i in range(1, len(x)):
            x[i] += x[i - 1] * 0.5
    for i in range(len(x) - 2, -1, -1):
        x[i] -= x[i + 1]


def read_before(x):
    first = x.sum()
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return first


def read_after(x, y):
    for i in range(1, len(x)):
        x[i] += x[i - 1] + y[i]
    y += x
    return x * 2


def read_twice(x):
    before = x * 2
    for i in range(1, len(x)):
        x[i] += x[i - 1] + before[i]
    return before


@pytest.mark.parametrize(
    ("function", "arguments", "copies"),
    [
        (borders, (np.random.default_rng(1).random((90, 50)),), 0),
        (steps, (np.random.default_rng(1).random(90), np.array([3])), 0),
        (read_after, (np.random.default_rng(1).random(90), np.ones(90)), 0),
        (read_before, (np.random.default_rng(1).random(90),), None),
        (read_twice, (np.random.default_rng(1).random(90),), None),
        (borders, (np.random.default_rng(1).random((90, 50)).T,), None),
        (borders, (np.random.default_rng(1).random((90, 50))[::2, 3:],), None),
    ],
)
def test_loops_run_in_the_memory_of_arguments(function, arguments, copies):
    """`copies`: how many the plan has; None: it needs some."""

    jitted = jf.jit(function)
    for _ in range(3):
        # Copies would be in C order: views of a copy of the memory are as the arguments are.
        mine = [copied_layout(each) for each in arguments]
        its = [copied_layout(each) for each in arguments]
        returned, meant = jitted(*mine), function(*its)
        for ours, theirs in zip([*mine, returned], [*its, meant], strict=True):
            if theirs is not None:
                np.testing.assert_allclose(ours, theirs, rtol=1e-15)
    if copies is not None:
        assert str(jitted.explain(*map(copied_layout, arguments)).plan).count(" copy ") == copies


def copied_layout(array):
    whole = array if array.base is None else array.base
    memory = whole.copy()
    start = (array.ctypes.data - whole.ctypes.data) // array.itemsize
    return np.lib.stride_tricks.as_strided(memory.ravel()[start:], array.shape, array.strides)


def test_a_buffer_that_ends_with_a_loop_becomes_its_state():
    def function(x):
        y = np.cumsum(x)
        for i in range(2, len(y)):
            y[i] += y[i - 2] * 0.5
        for i in range(2, len(y)):
            y[i] -= y[i - 1]
        return y

    assert " copy " not in str(explained(function, np.arange(80.0) % 3).plan)


def nearest(weights):
    count = len(weights)
    best, done = np.full(count, 9.0), np.zeros(count, dtype=bool)
    order = np.zeros(count, dtype=int)
    for k in range(count):
        at = -1
        for v in range(count):
            if not done[v] and (at < 0 or best[v] < best[at]):
                at = v
        done[at] = True
        order[k] = at
        for v in range(count):
            best[v] = min(best[v], weights[at, v])
    return order


def bisected(x, wanted):
    places = np.zeros(len(wanted), dtype=int)
    for k in range(len(wanted)):
        low, high = 0, len(x)
        while low < high:
            middle = (low + high) // 2
            if x[middle] < wanted[k]:
                low = middle + 1
            else:
                high = middle
        places[k] = low
    return places


def selections_of_integers(text):
    """The selections among positions that counters and carried values are."""
    return re.findall(r"i64 = select %\d+, %\d+, %\d+\n\s+yield", text)


def test_a_place_that_is_replaced_now_and_then_is_a_branch():
    """Each iteration would wait for the read at the place of the one before; a search in halves replaces
    what its next step reads by what follows from it, and stays without branches."""
    explanation = explained(nearest, np.random.default_rng(4).random((80, 80)))
    assert not selections_of_integers(loops_text(explanation))
    x = np.sort(np.random.default_rng(4).random(90))
    assert " select " in loops_text(explained(bisected, x, x[::2] + 0.001))


def test_what_both_arms_change_or_leave_is_changed_in_place():
    """No arm copies an array of which it writes a few elements, where nothing needs what was there."""

    def function(x, flag):
        y = np.zeros(4096)
        y[3] = x[0]
        kept = np.zeros(4096)
        kept[5] = x[1]
        z = kept
        if flag[0] > 0:
            y[int(flag[1])] = x[2]
            z[2] += kept[5]
            w = kept * 2.0
        else:
            y[7:9] = x[3]
            w = kept + y
        return y, z, w

    x = np.arange(1.0, 9.0)
    jitted = jf.jit(function)
    for flag in ([1, 3], [-1, 4], [2, 4095]):
        given = np.array(flag)
        for ours, meant in zip(jitted(x, given), function(x, given), strict=True):
            np.testing.assert_array_equal(ours, meant)

    def alone(x, flag):
        y = np.zeros(1 << 16)
        y[3] = x[0]
        if flag[0] > 0:
            y[int(flag[1])] = x[2]
        return y

    jitted = jf.jit(alone)
    for flag in ([1, 3], [-1, 4]):
        np.testing.assert_array_equal(jitted(x, np.array(flag)), alone(x, np.array(flag)))
    explained = jitted.explain(x, np.array(flag))
    moved = sum(launch.bytes_moved for kernel in explained.kernels for launch in kernel.launches)
    assert " if " in str(explained.plan) and moved < 1.1 * 8 * (1 << 16), moved


LONG = """
def iterations(x):
    for i in range(1, len(x)):
        v = x[i - 1]
{}        x[i] = v
    return x
"""


@pytest.mark.parametrize(("operations", "copies"), [(20, 2), (300, 1)])
def test_a_long_iteration_is_written_once(operations, copies, tmp_path, monkeypatch):
    """Beside its operations the checks of its positions are few; a short one is written without them, too."""
    (tmp_path / "iterations_of.py").write_text(LONG.format("        v = v * 0.5 + x[i]\n" * operations))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "iterations_of", raising=False)
    function = importlib.import_module("iterations_of").iterations
    text = loops_text(explained(function, np.arange(50.0)))
    assert len(re.findall("f64 = mul", text)) == copies * operations
