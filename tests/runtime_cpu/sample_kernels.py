"""Small kernels in the native language, with the launch ABI: slots, first workgroup, end of them."""

from jitframe.codegen.native.language import (
    address,
    atomic_add,
    atomic_load,
    export,
    f32,
    i8,
    i32,
    i64,
    pause,
    ptr,
)
from tests.plan.bound import At, scalar


@export
def add_scalar(slots: ptr[i64], begin: i64, end: i64) -> None:
    """slots: x, y, n, tile, s: y = x + s over f32."""
    x = ptr[f32](ptr(slots[0]))
    y = ptr[f32](ptr(slots[1]))
    s = ptr[f32](address(slots[4]))[0]
    last = end * slots[3]
    if last > slots[2]:
        last = slots[2]
    for i in range(begin * slots[3], last):
        y[i] = x[i] + s


@export
def saxpy(slots: ptr[i64], begin: i64, end: i64) -> None:
    """slots: x, y, out, n, a: out = a * x + y over f32, one workgroup."""
    x = ptr[f32](ptr(slots[0]))
    y = ptr[f32](ptr(slots[1]))
    out = ptr[f32](ptr(slots[2]))
    a = ptr[f32](address(slots[4]))[0]
    for i in range(slots[3]):
        out[i] = a * x[i] + y[i]


@export
def count_groups(slots: ptr[i64], begin: i64, end: i64) -> None:
    """slots: counts, work: add 1 to the counter of each group, after some spinning."""
    counts = ptr[i32](ptr(slots[0]))
    for group in range(begin, end):
        for _ in range(slots[1]):
            atomic_add(counts[group], 0)
        atomic_add(counts[group], 1)


@export
def meet(slots: ptr[i64], begin: i64, end: i64) -> None:
    """slots: counts, threads, spins: wait until so many threads were in here at once, or so long.

    counts[0] is how many are in here; counts[k] says how often one came to k - 1 others.
    """
    counts = ptr[i64](ptr(slots[0]))
    here = atomic_add(counts[0], 1) + 1
    atomic_add(counts[here], 1)
    spins = 0
    while spins < slots[2] and atomic_load(counts[slots[1]]) == 0:
        pause()
        spins += 1
    atomic_add(counts[0], -1)


@export
def write_value(slots: ptr[i64], begin: i64, end: i64) -> None:
    """slots: out, index, value: out[index] = value over i64."""
    ptr[i64](ptr(slots[0]))[slots[1]] = slots[2]


@export
def less_than(slots: ptr[i64], begin: i64, end: i64) -> None:
    """slots: x, out, limit: out = x[0] < limit, one byte."""
    ptr[i8](ptr(slots[1]))[0] = i8(1) if ptr[i64](ptr(slots[0]))[0] < slots[2] else i8(0)


ALL = [add_scalar, saxpy, count_groups, meet, write_value, less_than]


def add_scalar_slots(n: int, tile: int, x: int = 0, y: int = 1) -> tuple:
    return (At(x), At(y), n, tile, scalar(0))
