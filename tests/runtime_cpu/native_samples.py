"""Functions that mean the same to Python and to the native translator."""

from jitframe.codegen.native.language import (
    Array,
    Function,
    Struct,
    address,
    atomic_add,
    atomic_compare_exchange,
    atomic_exchange,
    atomic_load,
    atomic_store,
    bits_of_f32,
    bits_of_f64,
    cpuid,
    export,
    f32,
    f64,
    fence,
    i8,
    i32,
    i64,
    leading_zeros,
    local,
    offset,
    pause,
    ptr,
    select,
    sfence,
    sizeof,
)

FACTOR = 7
TIMES = Function(i64, i64)


class Pair(Struct):
    a: i64
    b: i32


class Mixed(Struct):
    a: i8
    b: i32
    c: i64
    d: f32
    e: Array(i32, 3)
    f: ptr


class Outer(Struct):
    first: Pair
    pairs: Array(Pair, 3)


@export
def add(a: i64, b: i64) -> i64:
    return a + b * FACTOR - (a ^ 3)


@export
def floor_divide(a: i64, b: i64) -> i64:
    return a // b


@export
def modulo(a: i64, b: i64) -> i64:
    return a % b


@export
def divide_by_constants(a: i64, b: i64) -> i64:
    return a // 8 + b % 16 + a // 7 - b % 5 + a // -3


@export
def shifts(a: i64, b: i64) -> i64:
    return (a >> 3) + (b << 2) + (a & b | 9)


@export
def shift_by(a: i64, b: i64) -> i64:
    return a >> (b & 31)


@export
def unary(a: i64, b: i64) -> i64:
    return -a + ~b + -FACTOR


@export
def compare(a: i64, b: i64) -> i64:
    result = 0
    if a < b:
        result += 1
    if a <= b:
        result += 2
    if a > b:
        result += 4
    if a >= b:
        result += 8
    if a == b:
        result += 16
    elif a != b and not a < b:
        result += 32
    else:
        result += 64
    return result


@export
def logic(a: i64, b: i64) -> i64:
    if (a > 0 and b > 0) or (a < -5 and not b):
        return 1
    if a or b:
        return 2
    return 3


@export
def guarded(a: i64, b: i64) -> i64:
    """The right side must not run where the left decides."""
    if b != 0 and a // b > 1:
        return 1
    return 0 if b == 0 or a % b == 0 else 5


@export
def conditional(a: i64, b: i64) -> i64:
    small = a if a < b else b
    return small + select(a == b, 1, 2) + (10 if a > 0 else -10)


@export
def wrap(a: i64, b: i64) -> i64:
    return a * b + (a << 1)


@export
def zeros_above(a: i64, b: i64) -> i64:
    return leading_zeros(a) * 100 + leading_zeros(b)


@export
def greatest_divisor(a: i64, b: i64) -> i64:
    while b:
        rest = a % b
        a = b
        b = rest
    return a


@export
def nested_calls(a: i64, b: i64) -> i64:
    return add(add(a, 1), greatest_divisor(a, 6)) + b


BINARY = [
    add, floor_divide, modulo, divide_by_constants, shifts, shift_by, unary, compare, logic, guarded,
    conditional, wrap, zeros_above, greatest_divisor, nested_calls,
]  # fmt: skip


@export
def arithmetic(x: f64, y: f64) -> f64:
    return (x + y) * 2.0 - x * 0.1


@export
def quotient(x: f64, y: f64) -> f64:
    return x / y


@export
def order(x: f64, y: f64) -> f64:
    if x < y:
        return 1.0
    if x != y:
        return -1.0 if x == x else 7.5
    return -x


FLOATING = [arithmetic, quotient, order]


@export
def triangle(n: i64) -> i64:
    total = 0
    for i in range(n):
        total += i
    return total


@export
def skipping(n: i64) -> i64:
    total = 0
    for i in range(2, n * 3, 2):
        if i % 3 == 0:
            continue
        if total > 100:
            break
        total = total * 2 + i
    return total


@export
def down(n: i64) -> i64:
    total = 1
    for i in range(n, -3, -2):
        total = total * 3 + i
        n = 50
        i = 1000
    return total + n


@export
def nested(n: i64) -> i64:
    total = 0
    for i in range(n):
        for j in range(i):
            if j == 3:
                break
            k = 0
            while True:
                k += 1
                if k > j:
                    break
                if k == 2:
                    continue
                total += k
    return total


@export
def fibonacci(n: i64) -> i64:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


LOOPS = [triangle, skipping, down, nested, fibonacci]


@export
def narrow(a: i64) -> i64:
    return i64(i8(a)) + i64(i32(a)) * 2


@export
def through_f32(x: f64) -> f64:
    return f64(f32(x))


@export
def truncate(x: f64) -> i64:
    return i64(x)


@export
def read_mixed(mixed: Mixed) -> i64:
    total = i64(mixed.a) + i64(mixed.b) + mixed.c + i64(mixed.d * 2.0)
    for i in range(3):
        total += i64(mixed.e[i])
    mixed.b += 1
    mixed.e[1] = 9
    return total + (1 if mixed.f is None else 0)


@export
def stack_memory(n: i64) -> i64:
    numbers = local(i64, 8)
    outer = local(Outer)
    for i in range(8):
        numbers[i] = i * i
    outer.pairs[2].a = 5
    outer.first.b = 2
    second = Pair(offset(outer, Outer_pairs + 2 * 16))
    total = second.a
    for i in range(8):
        total += numbers[i]
    return total + sizeof(Pair) if address(outer.pairs[2]) == second else 0


Outer_pairs = Outer.offset("pairs")


@export
def call_back(function: ptr, value: i64) -> i64:
    return TIMES(function)(value) if function else 0


def square_plus_one(value: i64) -> i64:
    return value * value + 1


@export
def call_by_name(value: i64) -> i64:
    function = square_plus_one
    return function(value)


@export
def atomics(word: ptr[i64]) -> i64:
    result = atomic_add(word[0], 5)
    result += 100 * atomic_exchange(word[0], 20)
    if atomic_compare_exchange(word[0], 20, 99):
        result += 10_000
    if atomic_compare_exchange(word[0], 20, 5):
        result += 100_000
    fence()
    result += 1_000_000 * atomic_load(word[0])
    atomic_store(word[0], 98)
    return result


@export
def float_bits(x: f64) -> i64:
    return bits_of_f64(x)


@export
def single_bits(x: f32) -> i32:
    return bits_of_f32(x)


@export
def text() -> ptr:
    return "été"


@export
def processor(registers: ptr[i32]) -> i64:
    pause()
    sfence()
    cpuid(0, 0, registers)
    return 1


ALL = [
    *BINARY, *FLOATING, *LOOPS, narrow, through_f32, truncate, read_mixed, stack_memory, call_back,
    square_plus_one, call_by_name, atomics, float_bits, single_bits, text, processor,
]  # fmt: skip
