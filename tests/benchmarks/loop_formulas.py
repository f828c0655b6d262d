"""Programs with loops over elements, as people write them; jitframe and Numba compile these very objects.

Array programs that loops surround are here as well, and those whose reductions are short.
"""

from __future__ import annotations

import numpy as np


def cholesky(a):
    """The lower factor of a positive definite matrix, by rows."""
    n = a.shape[0]
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            if i == j:
                lower[i, i] = np.sqrt(total)
            else:
                lower[i, j] = total / lower[j, j]
    return lower


def lu(a):
    """Both factors in one matrix, without pivots."""
    a = a.copy()
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def forward_substitution(lower, b):
    n = b.shape[0]
    x = np.zeros(n)
    for i in range(n):
        total = b[i]
        for j in range(i):
            total -= lower[i, j] * x[j]
        x[i] = total / lower[i, i]
    return x


def gauss_seidel(u, sweeps):
    """Sweeps over the inside of a plate; each element takes those before it as they are by then."""
    u = u.copy()
    rows, columns = u.shape
    for _ in range(sweeps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


def floyd_warshall(distance):
    """The shortest path between every two nodes."""
    distance = distance.copy()
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through
    return distance


def edit_distance(s, t):
    rows, columns = len(s), len(t)
    table = np.zeros((rows + 1, columns + 1), dtype=np.int64)
    for i in range(rows + 1):
        table[i, 0] = i
    for j in range(columns + 1):
        table[0, j] = j
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            cost = 0 if s[i - 1] == t[j - 1] else 1
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + cost)
    return table


def folding(bases):
    """The most pairs of bases between every two positions (Nussinov and others, 1978)."""
    n = len(bases)
    table = np.zeros((n, n), dtype=np.int64)
    for i in range(n - 2, -1, -1):
        for j in range(i + 1, n):
            best = max(table[i + 1, j], table[i, j - 1])
            pair = 1 if bases[i] + bases[j] == 3 else 0
            best = max(best, table[i + 1, j - 1] + pair)
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
    return table


def sparse_product(values, columns, starts, x):
    """A matrix in compressed rows times a vector."""
    rows = starts.shape[0] - 1
    out = np.zeros(rows)
    for i in range(rows):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        out[i] = total
    return out


def recursive_filter(image, a):
    """Along each row, then along each column."""
    rows, columns = image.shape
    out = np.empty((rows, columns))
    for i in range(rows):
        out[i, 0] = image[i, 0]
        for j in range(1, columns):
            out[i, j] = (1 - a) * image[i, j] + a * out[i, j - 1]
    for j in range(columns):
        for i in range(1, rows):
            out[i, j] = (1 - a) * out[i, j] + a * out[i - 1, j]
    return out


def bodies(position, velocity, mass, step, steps):
    """Gravity of bodies on each other by leapfrog steps; positions and velocities: (3, bodies)."""
    x, y, z = position[0].copy(), position[1].copy(), position[2].copy()
    u, v, w = velocity[0].copy(), velocity[1].copy(), velocity[2].copy()
    n = len(mass)
    for _ in range(steps):
        dx, dy, dz = x - x.reshape(n, 1), y - y.reshape(n, 1), z - z.reshape(n, 1)
        inverse = (dx * dx + dy * dy + dz * dz + 0.01) ** -1.5
        u += step * np.dot(dx * inverse, mass)
        v += step * np.dot(dy * inverse, mass)
        w += step * np.dot(dz * inverse, mass)
        x += step * u
        y += step * v
        z += step * w
    return x, y, z


def jacobi_1d(a, steps):
    a, b = a.copy(), a.copy()
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return a


def cavity_flow(u, v, p, steps, dt, dx, dy, rho, nu):
    """Flow below a moving lid: momentum by upwind differences, pressure by 50 iterations in each step."""
    u, v, p = u.copy(), v.copy(), p.copy()
    b = np.zeros_like(p)
    for _ in range(steps):
        du = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
        dv = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
        cross = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
        b[1:-1, 1:-1] = rho * ((du + dv) / dt - du**2 - 2 * cross - dv**2)
        for _ in range(50):
            q = p.copy()
            p[1:-1, 1:-1] = ((q[1:-1, 2:] + q[1:-1, :-2]) * dy**2 + (q[2:, 1:-1] + q[:-2, 1:-1]) * dx**2) / (
                2 * (dx**2 + dy**2)
            ) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0.0
        old_u, old_v = u.copy(), v.copy()
        u[1:-1, 1:-1] = (
            old_u[1:-1, 1:-1]
            - old_u[1:-1, 1:-1] * dt / dx * (old_u[1:-1, 1:-1] - old_u[1:-1, :-2])
            - old_v[1:-1, 1:-1] * dt / dy * (old_u[1:-1, 1:-1] - old_u[:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * dt / dx**2 * (old_u[1:-1, 2:] - 2 * old_u[1:-1, 1:-1] + old_u[1:-1, :-2])
            + nu * dt / dy**2 * (old_u[2:, 1:-1] - 2 * old_u[1:-1, 1:-1] + old_u[:-2, 1:-1])
        )
        v[1:-1, 1:-1] = (
            old_v[1:-1, 1:-1]
            - old_u[1:-1, 1:-1] * dt / dx * (old_v[1:-1, 1:-1] - old_v[1:-1, :-2])
            - old_v[1:-1, 1:-1] * dt / dy * (old_v[1:-1, 1:-1] - old_v[:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu * dt / dx**2 * (old_v[1:-1, 2:] - 2 * old_v[1:-1, 1:-1] + old_v[1:-1, :-2])
            + nu * dt / dy**2 * (old_v[2:, 1:-1] - 2 * old_v[1:-1, 1:-1] + old_v[:-2, 1:-1])
        )
        u[0, :] = 0.0
        u[:, 0] = 0.0
        u[:, -1] = 0.0
        u[-1, :] = 1.0
        v[0, :] = 0.0
        v[-1, :] = 0.0
        v[:, 0] = 0.0
        v[:, -1] = 0.0
    return u, v, p


def escape_time(re, im):
    """Iterations of z * z + c until z has left the circle of radius 2, at most 200: a function of numbers."""
    x = y = 0.0
    count = 0
    while count < 200 and x * x + y * y <= 4.0:
        x, y = x * x - y * y + re, 2.0 * x * y + im
        count += 1
    return count


def escape_masked(re, im):
    """The same for whole arrays, where iterations go on for those that are still inside."""
    x, y = np.zeros_like(re), np.zeros_like(re)
    count = np.zeros(re.shape, dtype=np.int64)
    for _ in range(200):
        inside = x * x + y * y <= 4.0
        x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, 2.0 * x * y + im, y)
        count += inside
    return count


def crc(data, table):
    value = 0xFFFFFFFF
    for i in range(len(data)):
        value = int(table[(value ^ int(data[i])) & 255]) ^ (value >> 8)
    return value ^ 0xFFFFFFFF


def kalman(measured, transition, observation, noise, spread):
    """Positions and velocities in a plane from measured positions: four states, two measurements."""
    steps = measured.shape[0]
    out = np.zeros((steps, 4))
    x, p = np.zeros(4), np.eye(4)
    for k in range(steps):
        x = transition @ x
        p = transition @ p @ transition.T + noise
        s = observation @ p @ observation.T + spread
        gain = p @ observation.T @ np.linalg.inv(s)
        x = x + gain @ (measured[k] - observation @ x)
        p = (np.eye(4) - gain @ observation) @ p
        out[k] = x
    return out


def logistic_map(rate, x, turns):
    total = 0.0
    for _ in range(turns):
        x = rate * x * (1.0 - x)
        total += x
    return total


def squared_distances(points, others):
    """Between every two of them, along an axis of three."""
    return np.sum((points[:, None, :] - others[None, :, :]) ** 2, axis=-1)


def to_gray(image, weights):
    return image @ weights


def rms_norm(x, gain):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-6) * gain


def ten_heat_steps(u):
    for _ in range(10):
        following = u.copy()
        following[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
        u = following
    return u


def tensor_increment(x):
    """A jitted function of a Tensor."""
    return x + 1


def lazy_expression(x, y):
    """Two operations on Tensors, built and evaluated."""
    return x * 2 + y


OF_ELEMENTS = (
    "cholesky", "lu", "forward_substitution", "gauss_seidel", "floyd_warshall", "edit_distance", "folding",
    "sparse_product", "recursive_filter", "crc", "kalman", "logistic_map",
)  # fmt: skip
AROUND_ARRAYS = ("bodies", "jacobi_1d", "cavity_flow")
LOOPS = (*OF_ELEMENTS, *AROUND_ARRAYS, "escape_time", "escape_masked")
OF_ARRAYS = ("squared_distances", "to_gray", "rms_norm", "ten_heat_steps")
"""Names: loops over elements, which take Python minutes, loops around arrays, both, and arrays alone."""
