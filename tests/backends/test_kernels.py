"""Writing kernels by hand: what the builder makes, and what it refuses, each with its message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import (
    ArgumentError,
    BackendError,
    CompileError,
    DTypeError,
    JitframeError,
    UnsupportedError,
)

from ..kernel import calling
from .written import NAMES, axpy, get, group_sums, halves, halves_of, put, transpose

KernelBuilder = jf.backends.KernelBuilder


def test_equal_kernels_are_equal() -> None:
    assert axpy() == axpy() and hash(axpy()) == hash(axpy()) and axpy() != group_sums()
    assert repr(transpose()).endswith("rows: index, columns: index), workgroups of 8 x 4>")
    assert "store @1" in axpy().text


def test_the_interpreter_runs_what_devices_run() -> None:
    xs, ys = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    axpy().interpret([xs, ys], [2.0, 100], grid=2)
    np.testing.assert_array_equal(ys, 2 * xs + 1)
    matrix = np.arange(15, dtype=np.float32)
    turned = np.zeros(15, np.float32)
    transpose().interpret([matrix, turned], [3, 5], grid=(1, 1))
    np.testing.assert_array_equal(turned.reshape(5, 3), matrix.reshape(3, 5).T)


def test_the_interpreter_finds_what_no_device_tells() -> None:
    with pytest.raises(CompileError, match="100"):
        axpy().interpret([np.zeros(100, np.float32)] * 2, [1.0, 128], grid=2)
    build = KernelBuilder("race", workgroup=4)
    out = build.buffer("int32", "out", "out")
    out[0] = build.lane().cast("int32")
    with pytest.raises(CompileError, match="race"):
        build.finish().interpret([np.zeros(4, np.int32)])


def numbers(count: int) -> np.ndarray:
    return np.random.default_rng(count).integers(-90, 90, count).astype(np.int32)


@pytest.mark.parametrize("n", [0, 5, 16])
def test_branches_and_exits(n: int) -> None:
    found = numbers(16)
    halves().interpret([found], [n], grid=2)
    np.testing.assert_array_equal(found, halves_of(numbers(16), n))


@pytest.mark.parametrize("name", NAMES)
def test_branches_and_exits_on_devices(name: str) -> None:
    with jf.backends.create(name) as backend:
        program = backend.compile(halves())
        for n in (0, 5, 16):
            held = put(backend, numbers(16))
            backend.execute(program, [held], {"n": n}, jf.backends.LaunchConfig(grid=2))
            np.testing.assert_array_equal(get(backend, held, numbers(16)), halves_of(numbers(16), n))


@pytest.mark.parametrize("kernel", calling.KERNELS)
@pytest.mark.parametrize("name", NAMES)
def test_functions_on_devices(name: str, kernel: str) -> None:
    function = calling.KERNELS[kernel]()
    with jf.backends.create(name) as backend:
        program = backend.compile(function)
        for n in calling.COUNTS:
            (due,) = calling.arrays()
            function.interpret([due], [n], grid=2)
            held = put(backend, *calling.arrays())
            backend.execute(program, [held], {"n": n}, jf.backends.LaunchConfig(grid=2))
            np.testing.assert_array_equal(get(backend, held, due), due)


def test_functions_are_written_once_and_called_by_their_names() -> None:
    build = KernelBuilder("named", workgroup=8)
    x = build.buffer("int32", "inout", "x")

    def twice(add: int) -> Any:
        @build.function("int32")
        def change(value: Any) -> Any:
            return value + add

        return change

    first, second = twice(1), twice(2)
    unused = build.function("int32")(lambda value: value)
    x[build.position()] = first(first(second(x[build.position()])))
    text = build.finish().text
    assert [line for line in text.splitlines() if "function" in line] == [
        "  function change_2(%0: i32):",
        "  function change(%3: i32):",
    ]
    assert text.count("call change(") == 2 and text.count("call change_2(") == 1
    assert repr(unused) == "<function function(i32) of kernel named>"
    assert "inout shared f32" in repr(build.function("inout shared float32")(lambda memory: None))


def test_memory_of_functions_counts_against_limits() -> None:
    build = KernelBuilder("hungry", workgroup=8)
    x = build.buffer("int32", "inout", "x")

    @build.function("int32")
    def keep(value: Any) -> Any:
        memory = build.private("int32", 100_000)
        memory[0] = value
        return memory[0]

    x[build.position()] = keep(x[build.position()])
    with (
        jf.backends.create("webgpu") as backend,
        pytest.raises(BackendError, match="bytes of private arrays"),
    ):
        backend.compile(build.finish())


def test_barriers_are_called_by_numbers() -> None:
    build = KernelBuilder("ids", workgroup=8)
    for each in (None, 7, None, 2, None):
        build.barrier(each)
    text = build.finish().text
    assert [line.split()[1] for line in text.splitlines() if "barrier" in line] == ["0", "7", "8", "2", "9"]


def test_every_operator() -> None:
    build = KernelBuilder("operators")
    x, y = build.buffer("int32", "in", "x"), build.buffer("int32", "out", "y")
    a, b = x[0], x[1]
    f = a.cast("float32")
    results = [
        a + b, a - b, a * b, a // b, a % b, a & b, a | b, a ^ b, a << 1, a >> 1, -a, abs(-a), ~a, 7 - a,
        2 * a, 1 + a, 100 // a, 100 % a, 6 & a, 6 | a, 6 ^ a,
        *(build.select(test, 1, build.constant(0, "int32")) for test in (a < b, a <= b, a > b, a >= b)),
        build.select(a == b, 1, build.constant(0, "int32")),
        build.select(a != b, a, b), (1 / f + f / 2).cast("int32"), build.op("sqrt", f * f).cast("int32"),
        build.minimum(a, b), build.maximum(a, 3), f.bitcast("int32"),
    ]  # fmt: skip
    for number, each in enumerate(results):
        y[number] = each
    given, found = np.array([13, 5], np.int32), np.zeros(len(results), np.int32)
    with jf.backends.create("cpu") as backend:
        backend.execute(backend.compile(build.finish()), [given, found])
    p, q = 13, 5
    wanted = [
        p + q, p - q, p * q, p // q, p % q, p & q, p | q, p ^ q, p << 1, p >> 1, -p, p, ~p, 7 - p, 2 * p,
        1 + p, 100 // p, 100 % p, 6 & p, 6 | p, 6 ^ p, 0, 0, 1, 1, 0, p, 6, 13, 5, 13,
        np.float32(13).view(np.int32),
    ]  # fmt: skip
    np.testing.assert_array_equal(found, wanted)


def _branch(build: Any) -> None:
    if build.position() < 3:
        raise AssertionError


def _divergent(build: Any) -> None:
    with build.when(build.lane() < 3):
        build.barrier()
    build.finish()


def _parted(build: Any) -> None:
    with build.when(build.lane() < 3):
        build.barrier(5)
    with build.otherwise():
        build.barrier(6)
    build.finish()


def _late_else(build: Any) -> None:
    with build.when(build.lane() < 3):
        build.exit()
    build.fence()
    with build.otherwise():
        pass


def _recursive(build: Any) -> None:
    @build.function("int32")
    def down(x: Any) -> Any:
        return around(x - 1)

    @build.function("int32")
    def around(x: Any) -> Any:
        return down(x)

    around(build.constant(3, "int32"))


def _call(build: Any, *arguments: Any, takes: tuple[Any, ...] = ("int32",)) -> Any:
    return build.function(*takes)(lambda *given: given[0])(*arguments)


def _captured(build: Any) -> None:
    outside = build.constant(1, "int32")
    build.function("int32")(lambda x: x + outside)(outside)


def _escaped(build: Any) -> None:
    kept: list[Any] = []
    build.function("int32")(lambda x: kept.append(x + 1))(build.constant(1, "int32"))
    kept[0].cast("float32")


def _captured_memory(build: Any) -> None:
    x = build.buffer("int32", "in", "x")
    build.function("int32")(lambda v: x[0] + v)(build.constant(1, "int32"))


def _shared_inside(build: Any) -> None:
    build.function("int32")(lambda v: build.shared("int32", 4)[0])(build.constant(1, "int32"))


def _axes_inside(build: Any) -> None:
    turned = KernelBuilder("turned", workgroup=(2, 2))
    turned.function("int32")(lambda v: turned.position(1))(turned.constant(1, "int32"))


def _late(build: Any) -> None:
    turned = KernelBuilder("turned", workgroup=(2, 2))
    turned.position(1)
    turned.uniform("index", "n")


@pytest.mark.parametrize(
    ("write", "kind", "message"),
    [
        (_branch, JitframeError, "Python cannot branch on it; write `with build.when"),
        (lambda b: b.position() + b.constant(1.0, "float32"), DTypeError, "float32 where index is needed"),
        (lambda b: b.position() + 0.5, DTypeError, "0.5 is no constant of index"),
        (lambda b: b.position() + "1", DTypeError, "a str is no value of a kernel"),
        (lambda b: b.buffer("float32", "in", "x").__setitem__(0, 1.0), ArgumentError, "declared 'in' and is"),
        (lambda b: b.buffer("float32", "out", "x")[0], ArgumentError, "declared 'out' and is read"),
        (lambda b: b.buffer("float32", "read", "x"), ArgumentError, "access 'read' of a buffer is none of"),
        (lambda b: b.buffer("index"), DTypeError, "memory holds int32 or int64"),
        (lambda b: b.uniform("quad"), DTypeError, "'quad' is no dtype of kernels; they have bool"),
        (lambda b: (b.uniform("int32", "n"), b.uniform("int32", "n")), ArgumentError, "'n' already"),
        (lambda b: b.shared("float32", 4)[4], ArgumentError, "position 4 of shared, which has 4 elements"),
        (lambda b: b.shared("float32", 0), ArgumentError, "has a fixed number of elements, not 0"),
        (lambda b: list(b.shared("float32", 4)), DTypeError, "is read by positions"),
        (lambda b: b.op("expp", b.position()), UnsupportedError, "kernel operation 'expp'; there are abs"),
        (lambda b: b.op("exp", b.position()), DTypeError, "exp does not take index; cast first"),
        (lambda b: b.op("add", 1, 2), DTypeError, "add of plain numbers"),
        (lambda b: b.op("add", b.position()), ArgumentError, "add takes 2 operands, not 1"),
        (lambda b: b.position(1), ArgumentError, "has 1 axes, no axis 1"),
        (lambda b: b.position().bitcast("float32"), DTypeError, "index and float32 differ in size"),
        (lambda b: b.position() + KernelBuilder("b").position(), ArgumentError, "belongs to another kernel"),
        (lambda b: b.carry(0, 2, b.constant(0, "int32"), lambda i, x: (x, x)), DTypeError, "a tuple is no"),
        (_divergent, CompileError, "barrier 0 under control flow that varies by lane: other lanes do not"),
        (_parted, CompileError, "barrier 5 .* varies by lane: other lanes wait at barrier 6"),
        (_recursive, ArgumentError, r"function around calls itself \(around -> down -> around\): kernels"),
        (_captured, ArgumentError, "function function: <int32 in kernel kernel> is of kernel kernel; hand"),
        (_escaped, ArgumentError, "kernel kernel: <int32 in kernel kernel> is of function function; hand"),
        (_captured_memory, ArgumentError, "function function: <global memory x .* is of kernel kernel; hand"),
        (_shared_inside, ArgumentError, "shared memory shared is made outside of its functions"),
        (_axes_inside, ArgumentError, "position.. of a kernel of several axes stand outside of its function"),
        (lambda b: _call(b), ArgumentError, "function function.i32. of kernel kernel> takes 1 arg"),
        (lambda b: _call(b, b.lane()), DTypeError, "index where int32 is needed"),
        (lambda b: _call(b, 1, takes=("in int32",)), DTypeError, "a int where a buffer .in global i32. is"),
        (lambda b: _call(b, b.shared("int32", 4), takes=("in int32",)), ArgumentError,
         "shared is a buffer .inout shared i32., not a buffer .in global i32."),
        (lambda b: _call(b, b.shared("int32", 4), takes=("in shared int32",)), DTypeError, "returns memory"),
        (lambda b: _call(b, 1, takes=("for int32",)), ArgumentError, "'for int32' is no parameter"),
        (lambda b: _call(b, 1, takes=("in index",)), DTypeError, "memory holds int32 or int64, not index"),
        (lambda b: _call(b, 1, takes=("quad",)), DTypeError, "'quad' is no dtype of kernels"),
        (_late_else, ArgumentError, r"otherwise\(\) stands right behind a `with build.when"),
        (lambda b: b.barrier(-1), ArgumentError, "a barrier's id is a whole number from 0, not -1"),
        (lambda b: b.branch(b.lane() < 3, lambda: b.lane(), lambda: (1, 2)), DTypeError, "a tuple is no"),
        (lambda b: b.branch(b.lane() < 3, lambda: (b.lane(),), lambda: (1, 2)), ArgumentError,
         "branch hands on 1 values, not 2"),
        (lambda b: b.branch(b.lane() < 3, lambda: None, lambda: None), DTypeError, "give None a dtype"),
        (_late, ArgumentError, "declare n before the first group"),
        (lambda b: KernelBuilder("2x"), ArgumentError, "'2x' is no name for a kernel"),
        (lambda b: KernelBuilder("x", workgroup=0), ArgumentError, "a workgroup of 0 has no lanes"),
        (lambda b: KernelBuilder("x", workgroup=(1, 2, 3, 4)), ArgumentError, "workgroup has one to three"),
    ],
)  # fmt: skip
def test_what_is_refused(write: Callable[[Any], Any], kind: type[JitframeError], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        write(KernelBuilder("kernel", workgroup=8))
    assert caught.value.line is not None and caught.value.line.file == __file__
