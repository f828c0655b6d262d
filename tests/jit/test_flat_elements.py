"""`x.flat[k]`, `x.ravel()[k]` and loops over `x.flat`, also of rows: elements as they are when read."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import check


def counted_in_layers(layers, out):
    for layer in layers:
        for k in range(layer.size):
            target = int(layer.flat[k]) % out.size
            if target != k:
                out.flat[target] += 1
    return out


def added_to_layers(layers, out):
    for i in range(len(layers)):
        layer = layers[i]
        for k in range(layer.size):
            layer.flat[k] += i * out.flat[k]
    return layers


def shifted_into_the_next_layer(layers, out):
    for i in range(1, len(layers)):
        before, here = layers[i - 1].ravel(), layers[i].reshape(-1)
        for k in range(1, here.size):
            if here[k] > before[k - 1]:
                here[k] = before[k - 1] + 1
    return layers, out


def copied_before_it_changes(layers, out):
    total = 0.0
    for i in range(len(layers)):
        old = layers[i].flatten()
        for k in range(old.size):
            layers[i, 0, 0] += old[k]
            total += old[k] * (layers[i] * 2).ravel()[k]
    return total, layers, out


def accumulated_in_one_layer(layers, out):
    layer = layers[1]
    for k in range(1, layer.size):
        layer.flat[k] += layer.flat[k - 1]
    return layers, out


def summed(layers, out):
    total = 0.0
    for i, layer in enumerate(layers):
        for value in layer.flat:
            total += value * i
    return total, out


FUNCTIONS = (
    counted_in_layers,
    added_to_layers,
    shifted_into_the_next_layer,
    accumulated_in_one_layer,
    summed,
)


@pytest.mark.parametrize("function", [*FUNCTIONS, copied_before_it_changes], ids=lambda each: each.__name__)
def test_it_is_numpys(function):
    for shape in [(3, 4, 5), (3, 1, 5), (2, 4, 1)]:
        layers = np.random.default_rng(0).integers(0, 9, shape) * 1.0
        check(function, layers, np.zeros(shape[1:]))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_an_iteration_touches_no_layer(function):
    """Of as many elements as make loops steps of their own, where an iteration computes whole arrays."""
    explained = jf.jit(function).explain(np.ones((4, 60, 100)), np.zeros((60, 100)))
    assert "an iteration computes more than" not in str(explained)


def accumulated(x):
    for k, value in enumerate(x.flat):
        if k < x.size - 1:
            x.flat[k + 1] += value
    return x


def accumulated_across(x):
    for k, value in enumerate(x.T.flat):
        if k < x.size - 1:
            x.T.flat[k + 1] += value
    return x


def read_after_a_write(x):
    items = iter(x.flat)
    x[0, 0] = 50
    return next(items), [2 * value for value in x.flat]


@pytest.mark.parametrize("function", [accumulated, accumulated_across, read_after_a_write])
def test_a_loop_sees_what_it_has_written(function):
    check(function, np.arange(12.0).reshape(3, 4))


@pytest.mark.parametrize("function", [accumulated, accumulated_across])
def test_long_loops_over_elements_are_compiled(function, strict):
    check(function, np.arange(3000.0).reshape(60, 50) % 7)


def test_tensors_iterate_over_what_they_are():
    x = np.arange(12.0).reshape(3, 4)
    tensor = jf.asarray(x)
    np.testing.assert_array_equal(accumulated_across(tensor).numpy(), accumulated_across(x.copy()))


def test_one_element_takes_one_number():
    def function(x, k, value):
        x.flat[k] = value
        return x

    check(function, np.zeros((2, 3)), 4, 7)
    check(function, np.zeros((2, 3)), [4, 1], [7, 8, 9])
    for value in ([7, 8], np.array([7.0]), []):
        with pytest.raises(ValueError, match="Error setting single item of array"):
            jf.jit(function)(np.zeros((2, 3)), 4, value)
