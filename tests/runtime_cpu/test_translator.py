"""Every construct of the native language against what Python makes of the same source, and its errors."""

from __future__ import annotations

import ctypes
import itertools
import math
import struct
import sys

import pytest

from jitframe.codegen.native.module import NativeSource, translate
from jitframe.codegen.native.scope import NativeError
from jitframe.codegen.native.types import Array, Function, Struct, boolean, f32, f64, i8, i32, i64, ptr
from jitframe.runtime.cpu.machine_code.levels import is_x86_64
from tests.runtime_cpu import native_samples
from tests.runtime_cpu.support import load_functions

INTEGERS = [0, 1, -1, 2, -2, 3, 5, -7, 8, 63, 64, 100, -100, 12345, -(1 << 40), (1 << 62) + 3]
FLOATS = [0.0, -0.0, 1.5, -2.25, 1e300, math.inf, math.nan]
KINDS = {
    i8: ctypes.c_int8,
    i32: ctypes.c_int32,
    i64: ctypes.c_int64,
    f32: ctypes.c_float,
    f64: ctypes.c_double,
}


@pytest.fixture(scope="module")
def image():
    return load_functions(native_samples.ALL, vars(native_samples))


def native(image, function):
    types = list(function.__annotations__.items())
    parameters = [KINDS[kind] for name, kind in types if name != "return"]
    result = KINDS.get(function.__annotations__["return"])
    return ctypes.CFUNCTYPE(result, *parameters)(image.address(function.__name__))


def define(text, namespace):
    exec(compile(text, "sample", "exec", dont_inherit=True), namespace)
    return namespace


def same(left, right):
    if isinstance(right, float):
        return struct.pack("<d", left) == struct.pack("<d", right) or (math.isnan(left) and math.isnan(right))
    return left == right


@pytest.mark.parametrize("function", native_samples.BINARY, ids=lambda function: function.__name__)
def test_integer_functions_equal_python(image, function):
    run = native(image, function)
    for a, b in itertools.product(INTEGERS, repeat=2):
        try:
            expected = i64(function(a, b))
        except (ZeroDivisionError, ValueError, OverflowError):
            continue
        assert run(a, b) == expected, (a, b)


@pytest.mark.parametrize("function", native_samples.FLOATING, ids=lambda function: function.__name__)
def test_float_functions_equal_python(image, function):
    run = native(image, function)
    for a, b in itertools.product(FLOATS, repeat=2):
        try:
            expected = function(a, b)
        except ZeroDivisionError:
            continue
        assert same(run(a, b), expected), (a, b)


@pytest.mark.parametrize("function", native_samples.LOOPS, ids=lambda function: function.__name__)
def test_loops_equal_python(image, function):
    run = native(image, function)
    for n in range(-2, 20):
        assert run(n) == function(n), n


def test_casts_wrap_and_round(image):
    for value in INTEGERS:
        assert native(image, native_samples.narrow)(value) == native_samples.narrow(value)
    assert native(image, native_samples.through_f32)(0.1) == ctypes.c_float(0.1).value
    assert native(image, native_samples.truncate)(-2.9) == -2


def test_struct_layout_is_that_of_c(image):
    class Same(ctypes.Structure):
        _fields_ = [
            ("a", ctypes.c_int8),
            ("b", ctypes.c_int32),
            ("c", ctypes.c_int64),
            ("d", ctypes.c_float),
            ("e", ctypes.c_int32 * 3),
            ("f", ctypes.c_void_p),
        ]

    assert ctypes.sizeof(Same) == native_samples.Mixed.size()
    for name, _ in Same._fields_:
        assert getattr(Same, name).offset == native_samples.Mixed.offset(name)
    value = Same(a=-3, b=70000, c=1 << 40, d=0.5, e=(1, 2, 3), f=None)
    run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(image.address("read_mixed"))
    assert run(ctypes.addressof(value)) == -3 + 70000 + (1 << 40) + 2 * 0.5 + 6 + 1
    assert (value.b, list(value.e)) == (70001, [1, 9, 3])


def test_memory_on_the_stack_and_nested_structs(image):
    assert native(image, native_samples.stack_memory)(10) == sum(i * i for i in range(8)) + 5 + 16


def test_calls_through_pointers(image):
    callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(lambda value: value * 3)
    run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(image.address("call_back"))
    assert run(ctypes.cast(callback, ctypes.c_void_p), 14) == 42
    assert native(image, native_samples.call_by_name)(5) == 5 * 5 + 1


def test_atomics(image):
    word = ctypes.c_int64(10)
    run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(image.address("atomics"))
    # add gives 10, exchange 15, the first compare-exchange succeeds (1), the second does not (0), load 99
    assert run(ctypes.addressof(word)) == 10 + 100 * 15 + 10_000 * 1 + 0 + 1_000_000 * 99
    assert word.value == 98


def test_bits_and_strings(image):
    assert native(image, native_samples.float_bits)(1.0) == 0x3FF0000000000000
    assert native(image, native_samples.single_bits)(1.0) == 0x3F800000
    address = ctypes.CFUNCTYPE(ctypes.c_void_p)(image.address("text"))()
    assert ctypes.string_at(address) == "été".encode()


def test_processor_instructions_run(image):
    registers = (ctypes.c_uint32 * 4)()
    run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(image.address("processor"))
    assert run(ctypes.addressof(registers)) == 1
    if is_x86_64():
        assert registers[0] >= 1
        assert bytes(registers)[4:8] + bytes(registers)[12:16] + bytes(registers)[8:12] in (
            b"AuthenticAMD", b"GenuineIntel", b"HygonGenuine", b"CentaurHauls"
        )  # fmt: skip


BAD = {
    "def f(a: i64) -> i64:\n    return b": "f, line 2: unknown name 'b'",
    "def f(a: i64) -> i64:\n    return [a]": "f, line 2: List is not in the native language",
    "def f(a: i64, b: i32) -> i64:\n    return a + b": (
        "f, line 2: the other operand is i64, not i32; cast it: i64(...)"
    ),
    "def f(a: i64) -> i32:\n    return a": "f, line 2: the result is i32, not i64; cast it: i32(...)",
    "def f(a: i64) -> i8:\n    return 300": "f, line 2: the result is i8; the literal 300 does not fit",
    "def f(a: i64) -> i64:\n    if a:\n        return 1": "f, line 2: the function may end without returning a value",  # noqa: E501
    "def f(a: i64) -> i64:\n    return a\n    return a": "f, line 3: this statement is never reached",
    "def f(a: i64) -> i64:\n    b = 1\n    b = 2.0\n    return b": (
        "f, line 3: the local 'b' is i64; the literal 2.0 does not fit"
    ),
    "def f(a: ptr) -> i64:\n    return a[0]": "f, line 2: ptr cannot be indexed; cast it to ptr[type]",
    "def f(a: Pair) -> i64:\n    return a.c": "f, line 2: Pair has no field 'c'; it has a, b",
    "def f(a: i64) -> i64:\n    return a.c": "f, line 2: i64 has no field 'c'",
    "def f(a: i64) -> i64:\n    return f(a, a)": "f, line 2: f takes 1 arguments, 2 given",
    "def f(a: i64) -> i64:\n    return len(a)": "f, line 2: unknown name 'len'",
    "def f(a: i64) -> i64:\n    return 0 < a < 5": "f, line 2: write a chained comparison as two joined by `and`",  # noqa: E501
    "def f(a: i64) -> i64:\n    for i in [1]:\n        pass\n    return a": (
        "f, line 2: only `for name in range(...)` without else is in the native language"
    ),
    "def f(a: i64) -> i64:\n    for i in range(0, 9, a):\n        pass\n    return a": (
        "f, line 2: the step of range is a constant, not zero"
    ),
    "def f(a: i64) -> i64:\n    c += 1\n    return a": "f, line 2: 'c' is used before it has a value",
    "def f(a) -> i64:\n    return 1": "f, line 1: parameter 'a' needs a native type",
    "def f(a: i64):\n    return": "f, line 1: the result needs a native type, or None",
    "def f(a: i64 = 3) -> i64:\n    return a": "f, line 1: a native function has plain positional parameters only",  # noqa: E501
    "def f(a: f64) -> f64:\n    return a % 2.0": "f, line 2: Mod is not defined on f64",
    "def f(a: i64) -> i64:\n    return a / 2": "f, line 2: Div is not defined on i64",
    "def f(a: i64) -> i64:\n    return atomic_add(a)": "f, line 2: atomic_add takes 2 arguments, 1 given",
    "def f(a: i64) -> i64:\n    p = local(i64, a)\n    return p[0]": "f, line 2: the length of local memory is a positive constant",  # noqa: E501
    "def f(a: i64) -> f32:\n    return f32(ptr(a))": "f, line 2: no cast from ptr to f32",
    "def f(a: i64) -> i64:\n    return a(1)": "f, line 2: i64 cannot be called; cast it to a Function type",
    "@staticmethod\ndef f(a: i64) -> i64:\n    return a": (
        "f, line 2: the only decorator of a native function is `export`"
    ),
    "def f(a: i64) -> i64:\n    b, c = a, a\n    return b": "f, line 2: assign to a name, a field or an element",  # noqa: E501
    "def f(a: i64) -> i64:\n    with a:\n        return 1": "f, line 2: With is not in the native language",
    "def f(a: i64) -> i64:\n    x = 1 // 0\n    return x": "f, line 2: 1 // 0: integer division or modulo by zero",  # noqa: E501
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_program_outside_the_language_is_named(text):
    namespace = define("from jitframe.codegen.native.language import *\n" + text, {**vars(native_samples)})
    with pytest.raises(NativeError) as caught:
        translate([NativeSource("bad", text, namespace)], "x86_64-unknown-linux-gnu")
    expected = BAD[text]
    if text.startswith("def f(a: i64) -> i64:\n    x = 1 // 0") and sys.version_info >= (3, 14):
        expected = "f, line 2: 1 // 0: division by zero"
    assert str(caught.value) == expected


def test_two_functions_of_one_name_are_refused():
    text = "def f(a: i64) -> i64:\n    return a\n"
    first, second = define(text, {"i64": i64}), define(text, {"i64": i64})
    with pytest.raises(NativeError, match="f, line 1: two native functions have this name"):
        translate(
            [NativeSource("a", text, first), NativeSource("b", text, second)], "x86_64-unknown-linux-gnu"
        )


def test_types_are_equal_by_value_and_describe_themselves():
    assert ptr[i64] == ptr[i64] and hash(ptr[i64]) == hash(ptr[i64]) and ptr[i64] != ptr[i32] and ptr != i64
    assert str(Function(None, ptr[f32], i64)) == "function(ptr[f32], i64) -> None"
    assert Array(i64, 3) == Array(i64, 3)


@pytest.mark.parametrize(
    ("annotation", "problem"),
    [
        (boolean, "boolean cannot be a struct field; use ptr, a scalar, an Array or a struct"),
        ("i64", "Wrong.field: struct fields need evaluated annotations"),
    ],
)
def test_a_field_without_a_layout_is_refused(annotation, problem):
    with pytest.raises(TypeError, match=problem):
        type("Wrong", (Struct,), {"__annotations__": {"field": annotation}})
