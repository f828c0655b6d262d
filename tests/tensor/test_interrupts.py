"""Exceptions and calls between any two instructions of building and evaluating lazy programs."""

from __future__ import annotations

import signal
import warnings
from functools import partial

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.namespace import FUNCTIONS
from jitframe.backends.operations import arguments
from jitframe.errors import JitframeError, ShapeError
from jitframe.runtime.device import CPU
from jitframe.tensors import lazy, steps
from tests.interrupts import Interrupt, places, strike, struck, with_call

BUILDING = ("/lazy.py", "/tensor.py", "/shared.py", "/frame.py", "/steps.py", "/computing.py", "/ir/node.py")


def program(module, a, b, s):
    """Inputs of several sizes, numbers, a view that is written to, an operator in place."""
    x = a * s + b
    x[1:3] = 7.0
    part = x[2:]
    x += a
    return module.where(part > s, part, b[2:].sum()), x


class Inputs:
    def __init__(self, size: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.a, self.b, self.s = random.random(size), random.random(size), float(random.random())

    def check(self) -> None:
        """The lazy program gives what NumPy gives."""
        wanted = program(np, self.a.copy(), self.b.copy(), self.s)
        for ours, theirs in zip(self.run(), wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-14)

    def run(self):
        made = program(jf, jf.asarray(self.a), jf.asarray(self.b), self.s)
        return [each.numpy() for each in made]


def warm() -> None:
    """What runs from now on takes the same way each time."""
    for _ in range(3):
        Inputs(10, 0).check()
        Inputs(7, 0).check()


@pytest.mark.parametrize("stride", [19, pytest.param(1, marks=pytest.mark.slow)])
def test_an_exception_at_any_instruction_leaves_later_programs_right(stride):
    """Each program is traced instruction by instruction: two seconds, and forty for all of them."""
    warm()
    for number in places(Inputs(10, 1).run, *BUILDING)[::stride]:
        assert struck(Inputs(10, number).run, number, *BUILDING)
        Inputs(7, number).check()  # of fewer elements: an array too many would be read beyond its end
        Inputs(10, number).check()


@pytest.mark.parametrize("stride", [37, pytest.param(2, marks=pytest.mark.slow)])
def test_an_exception_in_a_program_that_nobody_built_before(stride):
    """It leaves nothing behind that programs share: two seconds, as above."""
    warm()

    def first():
        steps.forget_steps()
        lazy.start_graph()
        Inputs(10, 1).run()

    first()
    for number in places(first, "/lazy.py")[::stride]:
        struck(first, number, "/lazy.py")
        for size in (7, 10, 7):
            Inputs(size, number).check()


def test_an_exception_while_a_tensor_is_written_to():
    """The tensor, its view and its base are as before or as after, and agree with each other: a second."""
    old, new = np.arange(6.0), np.array([0.0, 9, 9, 9, 4, 5])

    def made():
        base = jf.asarray(old)
        view = base[1:4]
        rows = base.reshape(2, 3)
        return base, view, rows

    def write(view):
        view[...] = 9.0

    for number in places(partial(write, made()[1]))[::5]:
        base, view, rows = made()
        if number % 2:
            rows.numpy(), view.numpy()
        struck(partial(write, view), number)
        values = base.numpy()
        assert values.tolist() in (old.tolist(), new.tolist())
        np.testing.assert_array_equal(view.numpy(), values[1:4])
        np.testing.assert_array_equal(rows.numpy(), values.reshape(2, 3))
        view[:] = 5.0
        np.testing.assert_array_equal(base.numpy()[1:4], [5.0] * 3)
        np.testing.assert_array_equal(rows.numpy().ravel()[1:4], [5.0] * 3)


def test_an_exception_while_a_computed_position_is_found():
    """The view stays one: what is written to it later shows in its base. A second, as above."""

    def made():
        base = jf.asarray(np.zeros((3, 2)))
        row = base[jf.asarray(np.array([0, 2, 1])).argmax()]
        return base, row

    def write(row):
        row[...] = 1.0

    for number in places(partial(write, made()[1]), "/shared.py", "/tensor.py")[::3]:
        base, row = made()
        struck(partial(write, row), number, "/shared.py", "/tensor.py")
        row[...] = 2.0
        assert base.numpy().tolist() == [[0, 0], [2, 2], [0, 0]]


@pytest.mark.parametrize("stride", [23, pytest.param(2, marks=pytest.mark.slow)])
def test_a_call_at_any_instruction_is_a_program_of_its_own(stride):
    """As a signal handler, a destructor or a debugger makes it: two seconds, as above."""
    warm()
    kept = []

    def call():
        inputs = Inputs(6, len(kept))
        inputs.check()
        matrix = jf.asarray(np.ones((2, 3))).T + 1
        kept.append((matrix, jf.asarray(inputs.a) * 3 + inputs.s, inputs.a * 3 + inputs.s))

    call()
    for number in places(Inputs(10, 1).run, *BUILDING)[::stride]:
        inputs = Inputs(10, number)
        found = with_call(inputs.run, number, call, *BUILDING)
        for ours, theirs in zip(found, program(np, inputs.a.copy(), inputs.b, inputs.s), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-14)
        for matrix, ours, theirs in kept:
            assert matrix.strides == (np.ones((2, 3)).T + 1).strides
            np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-14)
        kept.clear()
        inputs.check()


def test_a_call_that_fails_within_an_operation():
    """Neither the operation nor the next one notices."""
    warm()

    def call():
        with pytest.raises(ShapeError):
            jf.asarray(np.ones(4)) + jf.asarray(np.ones(3))

    for number in places(Inputs(10, 1).run, "/lazy.py", "/tensor.py")[::20]:
        with_call(Inputs(10, number).run, number, call, "/lazy.py", "/tensor.py")
        Inputs(10, number).check()


def test_a_call_while_a_part_gets_its_native_entry():
    """Neither waits for the other's lock. A second, as above."""
    modules = ("/parts.py", "/repeats.py", "/cache/memory.py", "/cache/statistics.py")

    def evaluate(size):
        for _ in range(3):
            x = jf.asarray(np.arange(float(size)))
            np.testing.assert_array_equal((x * 3 + 1).numpy(), np.arange(float(size)) * 3 + 1)

    def first():
        steps.forget_steps()
        lazy.start_graph()
        evaluate(5)

    evaluate(5)
    for number in places(first, *modules)[::6]:
        with_call(first, number, partial(evaluate, 4), *modules)


def test_every_operation_says_when_it_is_built():
    """Else the next one would begin a graph of its own, and fuse with nothing before it."""
    graph, left = lazy.start_graph(), []

    def check(name, operation):
        nonlocal graph
        if lazy.current_graph() is not graph:
            graph = lazy.start_graph()
        try:
            operation()
        except JitframeError:
            graph = lazy.start_graph()
        # What is sized by values has it evaluated, and goes on in another graph.
        if graph.building and lazy.current_graph() is graph:
            left.append(name)
            graph = lazy.start_graph()

    for name, function in FUNCTIONS.items():
        if function.kind == "dtype":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given = arguments(name, CPU, np.dtype("float64"))
            check(name, lambda function=function, given=given: function.call(*given))
    x = jf.asarray(np.arange(12.0).reshape(3, 4))
    rows, mask = jf.asarray(np.array([0, 2])), x > 3
    for name, operation in {
        "element": lambda: x[1, 2],
        "view": lambda: x[1:],
        "gather": lambda: x[rows],
        "assign": lambda: x.__setitem__(slice(1, 2), x[:1] + 1),
        "scatter": lambda: x.__setitem__(rows, 2.0),
        "masked": lambda: x.__setitem__(mask, 3.0),
        "in place": lambda: x.__iadd__(x[0] * 2),
        "through a view": lambda: x.T.__setitem__(0, 1.0),
        "out": lambda: np.add(x, 1.0, out=x),
        "out, an ndarray": lambda: np.add(x, 1.0, out=np.zeros((3, 4))),
        "several results": lambda: divmod(x, 2.0),
        "numbers": lambda: jf.sqrt(2.0),
        "kernel": lambda: x.copy(),
    }.items():
        check(name, operation)
    assert left == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this platform")
def test_a_storm_of_timers():
    """Ten thousand exceptions at moments that nobody chose: half a minute."""
    warm()
    random = np.random.default_rng(0)
    before = signal.signal(signal.SIGALRM, lambda *_: strike())
    struck_often = 0
    try:
        for number in range(10_000):
            try:
                signal.setitimer(signal.ITIMER_REAL, random.random() * 6e-4)
                while True:
                    Inputs(10, number).run()
            except Interrupt:
                struck_often += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            Inputs(7 if number % 2 else 10, number).check()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert struck_often == 10_000
