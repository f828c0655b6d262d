"""Programs that people write with complex numbers."""

from __future__ import annotations

import cmath

import numpy as np
import pytest

import jitframe as jf
from jitframe.compilation.evaluate import kernels_compiled
from tests.complex.compared import assert_close, check, drawn


@pytest.mark.parametrize("number", [1 + 2j, np.complex64(1 - 2j)])
def test_numbers_of_which_one_part_is_needed(number, strict) -> None:
    x = np.arange(3.0)
    for function in (
        lambda x, c, d: x + c.real,
        lambda x, c, d: x * d + c.real,
        lambda x, c, d: x + c.imag,
        lambda x, c, d: (x + c).real - d,
        lambda x, c, d: jf.fori_loop(0, 3, lambda i, total: total + x[i] * c.real, d),
    ):
        assert_close(jf.jit(function)(x, number, 3.0), function(x, number, 3.0))


def test_mandelbrot_by_masked_arrays() -> None:
    def mandelbrot(x, y, limit):
        c = x[None, :] + 1j * y[:, None]
        z = np.zeros_like(c)
        counts = np.zeros(c.shape, np.int64)
        for _ in range(limit):
            alive = np.abs(z) <= 2
            z = np.where(alive, z * z + c, z)
            counts += alive
        return counts

    x, y = np.linspace(-2, 1, 24), np.linspace(-1.2, 1.2, 18)
    assert_close(jf.jit(mandelbrot, static_argnums=2)(x, y, 20), mandelbrot(x, y, 20))

    @jf.jit
    def in_a_loop(x, y, limit):
        c = x[None, :] + 1j * y[:, None]

        def turn(_, carried):
            z, counts = carried
            alive = abs(z) <= 2
            return np.where(alive, z * z + c, z), counts + alive

        return jf.fori_loop(0, limit, turn, (np.zeros_like(c), np.zeros(c.shape, np.int64)))[1]

    assert_close(in_a_loop(x, y, 20), mandelbrot(x, y, 20))


def test_discrete_fourier_transform_by_a_matrix() -> None:
    def transform(x):
        n = x.shape[0]
        k = np.arange(n)
        return np.exp(-2j * np.pi * k[:, None] * k / n) @ x

    x = drawn("complex128", 31)
    assert_close(jf.jit(transform)(x), np.fft.fft(x), ulp=200)
    check(transform, x, ulp=200)
    check(transform, x.real.copy(), ulp=200)


def test_phasors_of_a_circuit() -> None:
    def currents(voltage, resistance, inductance, capacitance, frequency):
        omega = 2 * np.pi * frequency
        impedance = resistance + 1j * omega * inductance + 1 / (1j * omega * capacitance)
        current = voltage / impedance
        return np.abs(current), np.angle(current, deg=True), (voltage * current.conj()).real

    check(currents, 230.0, 10.0, 0.1, 1e-5, np.linspace(20, 400, 50), ulp=64)


def test_state_vector_of_three_qubits() -> None:
    def circuit(angle):
        hadamard = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
        phase = np.diag(np.array([1.0, 1j]))
        turn = np.array(
            [[np.cos(angle / 2), -1j * np.sin(angle / 2)], [-1j * np.sin(angle / 2), np.cos(angle / 2)]]
        )
        state = np.zeros((2, 2, 2), complex)
        state[0, 0, 0] = 1
        state = np.einsum("ia,abc->ibc", hadamard, state)
        state = np.einsum("ib,abc->aic", turn, state)
        state = np.tensordot(state, phase @ hadamard, axes=((2,), (1,)))
        state = np.where(np.arange(2)[:, None, None] == 1, state[:, ::-1], state)
        return state, np.abs(state) ** 2, np.vdot(state, state)

    check(circuit, 0.7, lazily=False)


def test_transfer_function() -> None:
    def response(poles, zeros, frequency):
        s = 2j * np.pi * frequency
        gain = np.prod(s[:, None] - zeros, axis=1) / np.prod(s[:, None] - poles, axis=1)
        return 20 * np.log10(np.abs(gain)), np.unwrap(np.angle(gain))

    check(response, np.array([-1 + 2j, -1 - 2j, -5]), np.array([-0.5 + 0j]), np.linspace(0, 5, 40), ulp=64)


def test_modulated_signal() -> None:
    def modulate(bits, time, carrier):
        symbols = (2 * bits[0] - 1 + 1j * (2 * bits[1] - 1)) / np.sqrt(2)
        wave = np.repeat(symbols, 8) * np.exp(2j * np.pi * carrier * time)
        back = (wave * np.exp(-2j * np.pi * carrier * time)).reshape(-1, 8).mean(axis=1)
        return wave.real, back.real > 0, back.imag > 0

    bits = np.random.default_rng(0).integers(0, 2, (2, 16))
    check(modulate, bits, np.arange(128) / 128, 17.0, ulp=64)


def test_roots_of_unity() -> None:
    def roots(n):
        w = np.exp(2j * np.pi * np.arange(n) / n)
        return w, w**n, 1 + w.sum(), np.cumprod(np.full(n, w[1]))

    for n in (3, 8):
        found = jf.jit(roots, static_argnums=0)(n)
        assert_close(found, roots(n), ulp=32)
        assert abs(found[2] - 1) < 1e-14


def test_newton_iteration_until_it_settles() -> None:
    @jf.jit
    def newton(z):
        def step(z):
            return z - (z**3 - 1) / (3 * z**2)

        return jf.while_loop(lambda z: np.max(abs(z**3 - 1)) > 1e-12, step, z)

    z = newton(np.array([1 + 1j, -1 + 0.5j, -0.2 - 1j]))
    np.testing.assert_allclose(z**3, 1, atol=1e-11)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_loops_and_conditions(dtype: str) -> None:
    @jf.jit
    def program(x, z, n):
        def turn(i, carried):
            x, z = carried
            return x * z + i, z * z

        def close(x):
            return x.conj()

        def far(x):
            return x * 2j

        x, z = jf.fori_loop(0, n, turn, (x, z))
        return jf.cond(abs(x[0]) < 10, close, far, x), z

    x, z = drawn(dtype, 5), drawn(dtype, 2)[0] / 4
    wanted_x, wanted_z = x, z
    for i in range(3):
        wanted_x, wanted_z = wanted_x * wanted_z + i, wanted_z * wanted_z
    wanted = wanted_x.conj() if abs(wanted_x[0]) < 10 else wanted_x * 2j
    found, last = program(x, z, 3)
    assert_close(found, wanted.astype(dtype), ulp=64)
    assert_close(last, np.asarray(wanted_z, dtype)[()], ulp=64)


def test_cmath_inside() -> None:
    def program(x, z):
        return x * cmath.exp(1j) + z

    check(program, drawn("complex128", 3), 2 - 1j)


def test_a_new_size_does_not_compile() -> None:
    @jf.jit
    def program(x, y):
        return x * y + 1j, x.sum(), (x @ y[:, None])

    for count in (7, 900):
        x, y = drawn("complex128", count), drawn("complex128", count, seed=1)
        assert_close(program(x, y), (x * y + 1j, x.sum(), x @ y[:, None]), ulp=200)
    before = kernels_compiled()
    for count in (20, 31, 1000):
        x, y = drawn("complex128", count), drawn("complex128", count, seed=1)
        assert_close(program(x, y), (x * y + 1j, x.sum(), x @ y[:, None]), ulp=200)
    assert kernels_compiled() == before


def test_a_number_that_decides_becomes_static() -> None:
    @jf.jit
    def escapes_after(c, limit):
        z, turns = 0j, 0
        while abs(z) < 2 and turns < limit:
            z, turns = z * z + c, turns + 1
        return turns

    assert [int(escapes_after(c, 50)) for c in (0.1 + 0.1j, 1 + 1j, np.complex128(-2 + 0.5j))] == [50, 2, 1]
