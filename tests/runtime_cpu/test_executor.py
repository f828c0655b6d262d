"""Plans run by the native executor: every kind of step, what is refused, and what is given back."""

from __future__ import annotations

import gc
import struct

import numpy as np
import pytest

from jitframe.codegen.plan.nodes import Cond, Free, Loop, While
from jitframe.ir.record import replace
from jitframe.runtime.cpu.execution.encode import encode
from jitframe.runtime.cpu.libraries.blas import Blas
from jitframe.runtime.cpu.native_library.library import permanent_memory
from tests.interrupts import places, struck
from tests.plan.bound import At, alloc, axis, bound_plan, copy, counter, gemm, launch, load, scalar
from tests.runtime_cpu.sample_kernels import add_scalar_slots
from tests.threads import at_once

NAMES = ("add_scalar", "saxpy", "count_groups", "write_value", "less_than")
ADD, SAXPY, COUNT, WRITE, LESS = range(5)


@pytest.fixture
def execute(runtime, kernels):
    """Encode and run a plan of the sample kernels; nothing but its outputs may stay allocated."""

    def run(steps, inputs=(), scalars=(), buffers=1, outputs=(), release_gil=True):
        plan = bound_plan(NAMES, buffers, len(inputs), len(scalars), tuple(steps), tuple(outputs))
        program = runtime.encode(plan, [kernels.address(name) for name in NAMES])
        return runtime.run(program, [array.ctypes.data for array in inputs], scalars, release_gil)

    gc.collect()
    before = runtime.statistics()
    yield run
    gc.collect()
    after = runtime.statistics()
    assert (after["live_bytes"], after["faults"]) == (before["live_bytes"], before["faults"])


def f32_bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


@pytest.mark.parametrize("release_gil", [True, False])
@pytest.mark.parametrize("n", [1, 5, 64, 1000, 100_003])
def test_a_launch_with_a_scalar(execute, n, release_gil):
    x = np.arange(n, dtype="f4")
    steps = [alloc(1, 4 * n), launch(ADD, add_scalar_slots(n, 64), -(-n // 64))]
    (out,) = execute(steps, [x], [f32_bits(2.5)], 2, [1], release_gil)
    assert out.nbytes == 4 * n
    np.testing.assert_array_equal(out.ndarray("f4", (n,)), x + np.float32(2.5))


@pytest.mark.parametrize("place", [0, 16, 48])
def test_large_memory_lies_in_cache_lines_where_an_input_does(execute, place):
    n = 2_000_000
    room = np.zeros(4 * n + 128, "u1")
    x = room[(place - room.ctypes.data) % 64 :][: 4 * n].view("f4")
    x[:] = 1
    steps = [alloc(2, 4 * n, beside=1), launch(ADD, add_scalar_slots(n, 64, 1, 2), -(-n // 64))]
    (out,) = execute(steps, [room, x], [f32_bits(2.5)], 3, [2])
    assert out.address % 64 == place
    np.testing.assert_array_equal(out.ndarray("f4", (n,)), np.full(n, 3.5, "f4"))


def test_temporaries_are_freed_and_offsets_count(execute, runtime):
    x = np.arange(12, dtype="f4")
    steps = [
        alloc(1, 48),
        launch(ADD, (At(0), At(1), 12, 12, scalar(0)), 1),
        alloc(2, 32),
        launch(SAXPY, (At(1, 16), At(0, 8), At(2), 8, scalar(1)), 1),
        Free(1),
    ]
    (out,) = execute(steps, [x], [f32_bits(1), f32_bits(3)], 3, [2])
    np.testing.assert_array_equal(out.ndarray("f4", (8,)), 3 * (x[4:] + 1) + x[2:10])


def test_outputs_come_in_their_order(execute):
    x = np.arange(4, dtype="f4")
    steps = [
        alloc(2, 16),
        alloc(1, 16),
        launch(ADD, (At(0), At(1), 4, 4, scalar(0)), 1),
        copy(At(2), At(0), 16),
    ]
    copied, added = execute(steps, [x], [f32_bits(9)], 3, [2, 1])
    np.testing.assert_array_equal(copied.ndarray("f4", (4,)), x)
    np.testing.assert_array_equal(added.ndarray("f4", (4,)), x + 9)


def test_a_copy_may_overlap_itself(execute):
    x = np.arange(10, dtype="i8")
    execute([copy(At(0, 16), At(0), 64)], [x])
    np.testing.assert_array_equal(x, [0, 1, 0, 1, 2, 3, 4, 5, 6, 7])


def test_a_loop_swaps_its_buffers(execute):
    x = np.zeros(3, dtype="f4")
    step = launch(ADD, (At(1), At(2), 3, 3, scalar(0)), 1)
    for count in range(5):
        steps = [
            alloc(1, 12),
            alloc(2, 12),
            copy(At(1), At(0), 12),
            Loop(0, count, (step,), ((1, 2),)),
        ]
        (out,) = execute(steps, [x], [f32_bits(1)], 3, [1])
        assert out.ndarray("f4", (3,)).tolist() == [count] * 3


def test_loop_bounds_and_indices_are_read_at_each_run(execute):
    """A slot cannot hold outer * 4 + inner, so each nesting level writes through an index of its own."""
    rows = np.full(8, -1, "i8")
    columns = np.full(8, -1, "i8")
    inner = Loop(
        counter(),
        scalar(0),
        (
            launch(WRITE, (At(0), counter(1), counter(0)), 1),
            launch(WRITE, (At(1), counter(0), counter(1)), 1),
        ),
    )
    execute([Loop(1, scalar(0), (inner,))], [rows, columns], [6], 2)
    expected_rows, expected_columns = np.full(8, -1), np.full(8, -1)
    for outer in range(1, 6):
        for index in range(outer, 6):
            expected_rows[outer], expected_columns[index] = index, outer
    np.testing.assert_array_equal(rows, expected_rows)
    np.testing.assert_array_equal(columns, expected_columns)


def test_loop_bounds_are_read_from_memory(execute):
    bounds, seen = np.array([7, 3, 6]), np.full(8, -1, "i8")
    body = (launch(WRITE, (At(1), counter(), counter()), 1),)
    execute([Loop(load(At(0, 8)), load(At(0, 16)), body)], [bounds, seen], (), 2)
    assert seen.tolist() == [-1, -1, -1, 3, 4, 5, -1, -1]
    with pytest.raises(ValueError, match="a loop bound of 4 bytes"):
        execute([Loop(load(At(0), 4), 2, ())], [bounds])


@pytest.mark.parametrize("limit", [0, 1, 5, 200])
def test_a_while_swaps_its_buffers_and_ends_with_its_condition(execute, limit):
    """Ones are added while two floats, whose bits are compared as one integer, are below the limit."""
    x = np.zeros(2, "f4")
    bits = f32_bits(limit) | f32_bits(limit) << 32
    test = launch(LESS, (At(1), At(3), bits), 1)
    step = launch(ADD, (At(1), At(2), 2, 2, scalar(0)), 1)
    steps = [
        alloc(1, 8),
        alloc(2, 8),
        alloc(3, 1),
        copy(At(1), At(0), 8),
        While(At(3), (test,), (alloc(4, 64), step, Free(4)), ((1, 2),)),
    ]
    (out,) = execute(steps, [x], [f32_bits(1)], 5, [1])
    assert out.ndarray("f4", (2,)).tolist() == [limit, limit]


def test_negative_loop_bounds(execute):
    seen = np.zeros(1, "i8")
    body = (launch(WRITE, (At(0), 0, counter()), 1),)
    execute([Loop(-5, ((1 << 64) - 2), body)], [seen])
    assert seen[0] == -3
    execute([Loop(4, 4, body)], [seen])
    assert seen[0] == -3


@pytest.mark.parametrize(("value", "expected"), [(3, 100), (50, 200)])
def test_cond_takes_one_branch(execute, value, expected):
    x, out = np.array([value]), np.zeros(1, "i8")
    steps = [
        alloc(2, 1),
        launch(LESS, (At(0), At(2), 10), 1),
        Cond(
            At(2),
            (launch(WRITE, (At(1), 0, 100), 1),),
            (alloc(3, 8), launch(WRITE, (At(1), 0, 200), 1)),
        ),
    ]
    execute(steps, [x, out], buffers=4)
    assert out[0] == expected


def test_cond_inside_a_loop_inside_a_cond(execute):
    seen, flag = np.array([0]), np.ones(1, "?")
    inner = Cond(
        At(2),
        (launch(WRITE, (At(0), 0, counter()), 1),),
        (),
    )
    check = launch(LESS, (At(0), At(2), 4), 1)
    steps = [
        alloc(2, 1),
        Cond(At(1), (Loop(0, 9, (check, inner)),)),
    ]
    execute(steps, [seen, flag], buffers=3)
    assert seen[0] == 4


def test_a_frame_larger_than_the_stack_block(execute):
    """600 buffers: the frame comes out of the pool."""
    x = np.arange(2, dtype="f4")
    steps = [alloc(number, 8) for number in range(1, 600)]
    for number in range(1, 600):
        slots = (At(number - 1), At(number), 2, 2, scalar(0))
        steps.append(launch(ADD, slots, 1))
    (out,) = execute(steps, [x], [f32_bits(1)], 600, [599])
    assert out.ndarray("f4", (2,)).tolist() == [599, 600]


GEMM_CASES = [
    (dtype, ta, tb, m, n, k)
    for dtype in ("f32", "f64")
    for ta in (False, True)
    for tb in (False, True)
    for m, n, k in ((3, 4, 5), (1, 7, 2), (33, 17, 65), (4, 3, 0), (0, 3, 2), (2, 0, 2))
]


@pytest.mark.parametrize("use_library", [True, False])
@pytest.mark.parametrize(("dtype", "ta", "tb", "m", "n", "k"), GEMM_CASES)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_gemm(runtime, use_library, dtype, ta, tb, m, n, k):
    scalar = np.dtype({"f32": "f4", "f64": "f8"}[dtype])
    generator = np.random.default_rng(3)
    a = generator.standard_normal((k, m) if ta else (m, k)).astype(scalar)
    b = generator.standard_normal((n, k) if tb else (k, n)).astype(scalar)
    c = np.full((m, n + 2), 7, scalar)
    product = gemm(
        dtype,
        ta,
        tb,
        m,
        n,
        k,
        At(0),
        max(a.shape[1], 1),
        At(1),
        max(b.shape[1], 1),
        At(2),
        n + 2,
    )
    flag = permanent_memory(64)
    blas = Blas(flag, use_library)
    program = encode(bound_plan((), 3, 3, 0, (product,), ()), [], blas, flag)
    assert program.calls_python == (blas.library is None)
    for release_gil in (True, False):
        c[:] = 7
        runtime.run(program, [array.ctypes.data for array in (a, b, c)], (), release_gil)
        expected = (a.T if ta else a) @ (b.T if tb else b)
        np.testing.assert_allclose(c[:, :n], expected, rtol=1e-4, atol=1e-4)
        assert (c[:, n:] == 7).all()


@pytest.mark.parametrize("use_library", [True, False])
@pytest.mark.parametrize("extent", [3, 80])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_batches_of_products(runtime, use_library, extent):
    """Two axes, one of which repeats an operand and one of which walks backwards; c has gaps."""
    generator = np.random.default_rng(4)
    a, b = (generator.standard_normal((4, extent, extent)) for _ in range(2))
    c = np.full((3, 4, extent, extent + 1), 7.0)
    size = extent * extent
    axes = (axis(3, 0, -size, 4 * size + 4 * extent), axis(4, size, 0, size + extent))
    slots = (At(0), extent, At(1, 8 * 3 * size), extent, At(2), extent + 1)
    flag = permanent_memory(64)
    blas = Blas(flag, use_library)  # programs call what it made
    for count in (4, 0):
        batch = (axes[0], replace(axes[1], count=count))
        product = gemm("f64", False, True, extent, extent, extent, *slots, batch)
        program = encode(bound_plan((), 3, 3, 0, (product,), ()), [], blas, flag)
        c[:] = 7
        runtime.run(program, [array.ctypes.data for array in (a, b, c)], (), True)
        expected = a[None, :count] @ b[3:0:-1, None].swapaxes(-1, -2)
        np.testing.assert_allclose(c[:, :count, :, :extent], expected, rtol=1e-10, atol=1e-10)
        assert (c[:, count:] == 7).all() and (c[..., extent] == 7).all()


def test_numpys_own_blas_is_found_and_keeps_its_threads(runtime):
    assert runtime.blas.library is not None, "NumPy's wheels carry OpenBLAS"
    import ctypes

    library = ctypes.CDLL(runtime.blas.library)
    assert library.scipy_openblas_get_num_threads64_() >= 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_failed_library_call_ends_the_run(runtime, monkeypatch):
    product = gemm("f32", False, False, 2, 2, 2, At(0), 2, At(0), 2, At(1), 2)
    flag = permanent_memory(64)
    plan = bound_plan((), 2, 1, 0, (alloc(1, 16), product), (1,))
    blas = Blas(flag, use_library=False)  # it owns the function that the program calls
    program = encode(plan, [], blas, flag)
    x = np.ones((2, 2), "f4")
    before = runtime.statistics()["live_bytes"]
    with monkeypatch.context() as patch:
        patch.setattr(np, "matmul", None)
        with pytest.raises(RuntimeError, match="a library call in the plan failed"):
            runtime.run(program, [x.ctypes.data])
    assert runtime.statistics()["live_bytes"] == before
    assert runtime.run(program, [x.ctypes.data])[0].ndarray("f4", (2, 2)).tolist() == [[2, 2], [2, 2]]


def test_no_memory_gives_everything_back(execute, runtime):
    x = np.zeros(1, "f4")
    steps = [alloc(1, 1000), alloc(2, 1 << 60)]
    with pytest.raises(MemoryError):
        execute(steps, [x], buffers=3, outputs=[1])


def test_an_output_that_no_branch_allocated_is_an_error(execute):
    flag = np.zeros(1, "?")
    with pytest.raises(RuntimeError, match="the plan did not allocate an output"):
        execute([Cond(At(0), (alloc(1, 8),))], [flag], buffers=2, outputs=[1])


def test_a_program_is_reentrant(execute, runtime, kernels):
    n = 5000
    plan = bound_plan(NAMES, 2, 1, 1, (alloc(1, 4 * n), launch(ADD, add_scalar_slots(n, 100), 50)), (1,))
    program = runtime.encode(plan, [kernels.address(name) for name in NAMES])
    x = np.arange(n, dtype="f4")

    def work(value):
        for _ in range(100):
            (out,) = runtime.run(program, [x.ctypes.data], [f32_bits(value)])
            np.testing.assert_array_equal(out.ndarray("f4", (n,)), x + np.float32(value))

    at_once(work, 4)
    assert program.runs == 400


REFUSED = {
    "buffer 5 is no buffer: 1 inputs, 2 buffers": [launch(WRITE, (At(5),), 1)],
    "buffer 0 is not a buffer that the plan owns: 1 inputs, 2 buffers": [alloc(0, 8)],
    "buffer 0 is not a buffer that the plan owns: 1 inputs, 2 buffers ": [Free(0)],
    "buffer 0 is not a buffer that the plan owns: 1 inputs, 2 buffers  ": [Loop(0, 1, (), ((0, 1),))],
    "scalar 1 of 1": [launch(WRITE, (scalar(1),), 1)],
    "loop index 0 inside 0 loops": [launch(WRITE, (counter(),), 1)],
    "loop index 1 inside 1 loops": [Loop(0, 1, (launch(WRITE, (counter(1),), 1),))],
    "kernel 9 of 5": [launch(9, (), 1)],
    "alloc of -8 bytes": [alloc(1, -8)],
    f"{1 << 65} does not fit into 8 bytes": [launch(WRITE, ((1 << 65),), 1)],
    "no gemm of f16": [gemm("f16", False, False, 1, 1, 1, At(0), 1, At(0), 1, At(0), 1)],
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_plan_that_breaks_a_rule_is_refused(runtime, kernels, message):
    plan = bound_plan(NAMES, 2, 1, 1, tuple(REFUSED[message]), ())
    with pytest.raises(ValueError) as caught:
        runtime.encode(plan, [kernels.address(name) for name in NAMES])
    assert str(caught.value) == message.rstrip()


def test_a_buffer_is_one_output_at_most(runtime):
    plan = bound_plan((), 1, 0, 0, (alloc(0, 8),), (0, 0))
    with pytest.raises(ValueError, match="name a buffer twice"):
        runtime.encode(plan, [])


def test_a_run_needs_the_programs_inputs(runtime):
    program = runtime.encode(bound_plan((), 1, 1, 1, (), ()), [])
    with pytest.raises(ValueError, match="takes 1 inputs and 1 scalars, not 0 and 2"):
        runtime.run(program, [], [1, 2])


def test_an_exception_at_any_instruction_loses_no_memory(runtime, kernels):
    """Of a run, of its outputs handed over to arrays or given up, and of memory that is asked for alone."""
    steps = [alloc(1, 64), alloc(2, 4000), copy(At(1), At(0), 64), copy(At(2), At(0), 64)]
    plan = bound_plan(NAMES, 3, 1, 0, tuple(steps), (1, 2))
    program = runtime.encode(plan, [kernels.address(name) for name in NAMES])
    given = np.ones(16)

    def work():
        first, second = runtime.run(program, [given.ctypes.data])
        array = first.into_ndarray("f8", (8,))
        view = second.ndarray("f8", (500,))
        buffer = runtime.allocate(1000)
        buffer.give_back()
        return array, view, runtime.allocate(5000)

    work()
    gc.collect()
    before = runtime.statistics()
    numbers = places(work, "/cpu/execution/runtime.py")
    assert len(numbers) > 100
    for number in numbers:
        assert struck(work, number, "/cpu/execution/runtime.py")
        after = runtime.statistics()
        assert after["live_bytes"] == before["live_bytes"] and after["faults"] == 0
