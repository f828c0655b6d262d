"""Random numbers that are drawn before a cut: returned as they are, and drawn once."""

from __future__ import annotations

import numpy as np

import jitframe as jf
from jitframe.tracing.programs.segments import SegmentTree


def drawn_and_returned(rng):
    drawn = rng.random(3)
    count = int(rng.random() * 6)
    return np.ones(count), drawn


def returned_by_one_branch(rng, x):
    first, second = rng.random(4), rng.random(3)
    count = int(first[0] * 6)
    if count % 3 == 0:
        return np.ones(count) * x.sum(), second
    if count % 3 == 1:
        return np.zeros(count + 1) + second[0] * first[1], x[:count] * 2
    return x[count:] + first[2], rng.random(2)


def shared(x):
    drawn = np.random.rand(4)
    count = int(drawn[0] * 6)
    if count % 3 == 0:
        return np.ones(count) * x.sum(), np.random.rand(2)
    return x[count:] + drawn[2], drawn


def test_numbers_drawn_before_a_cut_are_returned(strict) -> None:
    x = np.arange(8.0)
    for function, arguments in ((drawn_and_returned, ()), (returned_by_one_branch, (x,))):
        jitted, own, others = jf.jit(function), np.random.default_rng(3), np.random.default_rng(3)
        for _ in range(20):
            for found, wanted in zip(jitted(own, *arguments), function(others, *arguments), strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-14)
            assert own.bit_generator.state == others.bit_generator.state


def test_numbers_of_the_shared_generator_drawn_before_a_cut_are_returned(strict) -> None:
    jitted, x = jf.jit(shared), np.arange(8.0)
    for seed in range(20):
        np.random.seed(seed)
        wanted, position = shared(x), np.random.get_state()[2]
        np.random.seed(seed)
        for found, each in zip(jitted(x), wanted, strict=True):
            np.testing.assert_allclose(found, each, rtol=1e-14)
        assert np.random.get_state()[2] == position


def test_draws_of_a_program_that_does_not_serve_a_call_are_undone(strict) -> None:
    """Of several programs for a signature, each computes its segments until it meets a new value."""
    jitted, generator = jf.jit(drawn_and_returned), np.random.default_rng(3)
    jitted(generator)
    dispatcher = jitted._jit
    call = dispatcher.bind((generator,), {})
    (known,) = dispatcher.programs.values()
    (tree,) = [each for each in known if isinstance(each, SegmentTree)]
    tree.serving(call)
    once = generator.bit_generator.state
    tree.serving(call)
    assert generator.bit_generator.state == once
    call.undo_draws()
    assert generator.bit_generator.state != once
