"""Queues, heaps and tables under random operations: what Python gives, or its error, at every input."""

from __future__ import annotations

import bisect
import heapq
from collections import deque

import numpy as np
import pytest

import jitframe as jf

ITEMS = ((2, 0.5), (3, 1.5), (5, 2.5), (7, 3.5))


def a_deque(operations, numbers):
    d = deque()
    total = 0
    for operation, v in zip(operations, numbers):
        if operation < 3:
            d.append((v, total % 7))
        elif operation < 5:
            d.appendleft((-v, 1))
        elif operation == 5:
            total = total * 31 % 10007 + d.popleft()[0]
        elif operation == 6:
            x, y = d.pop()
            total = total * 29 % 10007 + x * y
        elif operation == 7:
            total += 3 * d[v % 5 - 2][0]
        elif operation == 8:
            d[-1] = (v, 5)
        elif v == 3:
            d.clear()
    return total, len(d)


def a_window(operations, numbers):
    d = deque([(0, 0)], maxlen=4)
    total = 0
    for operation, v in zip(operations, numbers):
        if operation < 4:
            d.append((v, 1))
        elif operation < 7:
            d.appendleft((v, 2))
        elif operation == 7:
            total = total * 31 % 10007 + d.popleft()[0]
        else:
            for x, y in d:
                total += x * y
    return total, len(d)


def a_heap(operations, numbers):
    heap = []
    total = 0
    for i, (operation, v) in enumerate(zip(operations, numbers)):
        if operation < 5:
            heapq.heappush(heap, (v, -i))
        elif operation < 7:
            total = total * 31 % 10007 + heapq.heappop(heap)[1]
        elif operation == 7:
            total += heapq.heappushpop(heap, (v, i))[1]
        elif operation == 8:
            total += heapq.heapreplace(heap, (v, i))[0]
        elif heap:
            total += heap[0][0]
    return total, len(heap)


def a_stack(operations, numbers):
    stack = [1.5]
    total = 0.0
    for operation, v in zip(operations, numbers):
        if operation < 5:
            stack.append(v * 0.5)
        elif operation == 5:
            stack.pop()
        elif operation == 6:
            total += stack.pop(0)
        elif operation == 7:
            stack[v - 3] = total
        else:
            total += max(stack) + sum(stack) + (v in stack) + bisect.bisect(stack, v)
    return total, len(stack)


def a_table(operations, numbers):
    prices = {4: 1.5, 1: 2.5, 7: -1.0, 0: 4.0, 2: 0.25, 3: 8.0}
    total = 0.0
    for operation, v in zip(operations, numbers):
        n, f = ITEMS[v - 4]
        total += n * f + prices[operation % 8]
    return total


def compared(operations, numbers):
    best, total = (0, (0, 0)), 0
    for i in range(1, len(numbers)):
        here = (numbers[i] % 3, (operations[i] % 2, i % 4))
        if here > best or (here[0], 1) == (best[0], i % 2):
            best = here
        total = total * 2 % 997 + (here[1] <= best[1]) + 3 * (here != (1, (1, i % 4)))
    return int(best[0]), int(total)


def answer(function, *arguments):
    try:
        return function(*arguments)
    except (IndexError, ValueError) as error:
        return str(error).partition("\n")[0]
    except KeyError:  # whose text is the key
        return "KeyError"


@pytest.mark.parametrize("function", [a_deque, a_window, a_heap, a_stack, a_table, compared])
def test_random_operations(function):
    """One program answers all inputs: many items, few, none, and operations that fail midway. Compiling
    takes a second."""
    jitted = jf.jit(function)
    rng = np.random.default_rng(7)
    errors = 0
    for trial in range(60):
        operations = rng.integers(0, (10, 7, 10)[trial % 3], 64)
        numbers = rng.integers(0, (9, 6)[trial % 2], 64)
        if trial % 4:
            operations[: 8 * (trial % 4)] = trial % 3  # few fail at once
        if function is a_table:
            operations, numbers = operations % (8 if trial % 2 else 5), numbers % (9 if trial % 5 == 1 else 8)
        expected = answer(function, operations, numbers)
        errors += isinstance(expected, str)
        assert answer(jitted, operations, numbers) == expected, trial
    assert errors < 60
    assert not jitted.program(np.zeros(64, np.int64) + (function is a_table), np.ones(64, np.int64)).segments
