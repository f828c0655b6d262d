"""Functions that need values which follow from arrays are cut there: programs as people write them."""

import threading
import warnings

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BoundsError
from jitframe.tracing.fallback import Races
from tests.jit.same import assert_same


@pytest.fixture(autouse=True)
def no_calls_by_python(monkeypatch):
    """Short functions are cut here as well, which Python would answer."""
    monkeypatch.setattr(Races, "may_answer", lambda *_: False)


RNG = np.random.default_rng(3)
DATA = [RNG.normal(size=size) for size in (40, 40, 41, 7, 300)]


def selected_histogram(x):
    chosen = x[x > 0]
    return np.histogram(chosen, 5), np.bincount((chosen * 2).astype(int))


def without_outliers(x):
    while True:
        kept = x[np.abs(x - x.mean()) <= 2 * x.std()]
        if kept.size == x.size:
            return kept, kept.mean(), kept.std()
        x = kept


def iterated_root(x):
    value = np.abs(x) + 1.0
    error, steps = 1.0, 0
    while error > 1e-6:
        new = 0.5 * (value + (np.abs(x) + 2) / value)
        error = np.max(np.abs(new - value))
        value = new
        steps += 1
    return value, steps


def adaptive_steps(x):
    time, step, taken = 0.0, 0.1, []
    while time < 1.0:
        slope = -x * (1 + time)
        if np.abs(slope).max() * step > 0.3:
            step /= 2
            continue
        x = x + step * slope
        time += step
        taken.append(time)
        step = min(step * 1.5, 0.2)
    return x, np.array(taken)


def suppressed(x):
    """Non-maximum suppression of boxes on a line."""
    starts, scores = np.abs(x) * 10, x**2
    left = np.ones(len(x), dtype=bool)
    found = []
    while left.any() and len(found) < 6:
        best = int(np.argmax(np.where(left, scores, -1.0)))
        found.append(best)
        left = left & (np.abs(starts - starts[best]) > 2.0)
    return found, starts[np.array(found)]


def connected_runs(x):
    above = x > 0
    edges = np.flatnonzero(above[1:] != above[:-1]) + 1
    bounds = np.concatenate([np.array([0]), edges, np.array([len(x)])])
    return edges, bounds[1:] - bounds[:-1]


def positions(x):
    rows = x[:6].reshape(2, 3)
    return np.nonzero(x > 0), np.argwhere(rows > 0), np.where(x > 0.5)[0], np.flatnonzero(x < 0)


def chosen_rows(x):
    rows = x[: len(x) // 3 * 3].reshape(-1, 3)
    mask = rows.sum(axis=1) > 0
    return rows[mask], rows[mask, 1], rows[mask][:, ::-1], np.compress(mask, rows, axis=0)


def extracted(x):
    return np.extract(x > 0, x), np.concatenate([x[x > 0], x[x < 0]]), [*x[x > 1.5]]


def repeated(x):
    counts = (np.abs(x) * 2).astype(int)
    return np.repeat(x, counts), np.repeat(np.arange(len(x)), counts % 3)


def sized_by_a_sum(x):
    size = int(np.abs(x).sum())
    half = size // 2
    return np.zeros(size) + x[0], np.arange(half), np.ones((2, half)).sum(axis=0)


def reported(x):
    if not np.all(np.isfinite(x)):
        raise ValueError("not finite")
    level = "high" if float(x.max()) > 2.0 else "low"
    return level, f"{x.min():.2f}", x.argmax().item(), x[:3].tolist()


def branches_of_other_shapes(x):
    return x[::2] if x.sum() > 0 else np.stack([x, -x])


def written_back(x):
    total = x.sum()
    x[x > 1] = 1.0
    if total > 0:
        x[0] = total
    view = x[1:3]
    view += len(x[x < 0])
    return view, x


def assigned_by_position(x):
    y = np.zeros(len(x))
    values = np.arange(int((x > 0).sum())) * 1.0
    y[x > 0] = values
    y[x < -1] = x[x < -1] * 2
    return y


def counted_in_python(x):
    names = {0: "few", 1: "some", 2: "many"}
    return names[min(int(np.sum(x > 1)), 2)], {int(x.argmin()): x.min()}


def quantile_by_hand(x):
    order = np.zeros(len(x), dtype=int)
    for place in range(3):
        order[place] = np.argmin(np.where(np.isin(np.arange(len(x)), order[:place]), np.inf, x))
    return order[:3], x[int(order[1])]


def grown(x):
    found = []
    for value in x[:6]:
        if value > 0:
            found.append(value * 2)
        elif value < -1:
            break
    return np.array(found), len(found)


def lists_that_grow(x):
    found = []
    while np.abs(x[0]) < 100:
        found.append(x[0])
        x = x * 2
    return np.array(found)


def arrays_that_grow(x):
    for _ in range(int(x.argmax()) % 4):
        x = np.append(x, x[0])
    return x


def name_of_one_way(x):
    if x.sum() > 0:
        y = x * 2
        return y[y > 1]
    y = x[:2]
    return y + 1


def guarded_position(x):
    place = int(x.argmax()) + 1
    if place < len(x) and x[place] > 0:
        return x[place:]
    return x[:place]


PROGRAMS = [
    lists_that_grow, arrays_that_grow, name_of_one_way, guarded_position,
    selected_histogram, without_outliers, iterated_root, adaptive_steps, suppressed, connected_runs,
    positions, chosen_rows, extracted, repeated, sized_by_a_sum, reported, branches_of_other_shapes,
    written_back,    assigned_by_position, counted_in_python, quantile_by_hand, grown,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS)
def test_programs_that_need_values(function):
    jitted = jf.jit(function)
    for data in (*DATA, -DATA[0], DATA[0]):
        given, plain = data.copy(), data.copy()
        assert_same(jitted(given), function(plain), tolerance=1e-12)
        assert_same(given, plain, tolerance=1e-12)


def test_new_counts_compile_nothing():
    def function(x, y):
        chosen = x[x > 0]
        chosen = chosen * 2 + y.mean()
        return chosen - chosen.sum(), np.flatnonzero(x > 0)

    jitted = jf.jit(function)
    many = [RNG.normal(size=50) for _ in range(12)]
    for data in many[:2]:
        assert_same(jitted(data, data), function(data, data), tolerance=1e-12)
    before = jitted.stats()["compiled"]
    for data in many[2:]:
        assert_same(jitted(data, data), function(data, data), tolerance=1e-12)
    assert jitted.stats()["compiled"] == before


def test_values_that_were_met_take_no_trace():
    def function(x):
        return x * 2 if x.sum() > 0 else x[x < -1]

    jitted = jf.jit(function)
    for data in (DATA[0], np.abs(DATA[0]), np.abs(DATA[1]), -np.abs(DATA[0])):
        jitted(data)
    before = jitted.stats()["traces"]
    for data in (np.abs(DATA[1]) + 1, -np.abs(DATA[0]), DATA[0]) * 3:
        assert_same(jitted(data), function(data))
    assert jitted.stats()["traces"] == before


def test_a_new_value_computes_nothing_twice():
    def function(x, n):
        total = np.exp(x).sum()
        return np.zeros(int(total) % 7 + n) + total

    jitted = jf.jit(function)
    for data in DATA[:2]:
        for n in (1, 2):
            assert_same(jitted(data, n), function(data, n), tolerance=1e-12)


def test_scalars_of_calls_are_read_anew():
    def function(x, scale, offset):
        return (x * scale)[x > 0] + offset if (x * scale).sum() > offset else x - offset

    jitted = jf.jit(function)
    for scale in (0.5, 1.5, -2.5):
        for offset in (0.25, 3.25):
            assert_same(jitted(DATA[0], scale, offset), function(DATA[0], scale, offset), tolerance=1e-12)


def test_errors_name_the_line_of_the_user():
    def function(x, place):
        if x.sum() > 0:
            return x[place[x > 0]] + x[place].sum()  # here
        return x

    x, place = np.ones(4), np.array([0, 1, 2, 9])
    with pytest.raises(BoundsError, match="index 9 is out of bounds") as caught:
        jf.jit(function)(x, place)
    assert caught.value.line is not None and caught.value.line.function.endswith("function")


def test_an_error_before_a_cut_names_its_line():
    def function(x, place):
        found = x[place]  # here
        return found if found.sum() > 0 else x

    with pytest.raises(BoundsError, match="index 9 is out of bounds") as caught:
        jf.jit(function)(np.ones(4), np.array([0, 9]))
    assert caught.value.line.line == function.__code__.co_firstlineno + 1


def test_the_users_own_error_is_raised_each_time():
    def function(x):
        if x.min() < 0:
            raise ValueError("negative")
        return np.sqrt(x)

    jitted = jf.jit(function)
    for _ in range(2):
        with pytest.raises(ValueError, match="negative"):
            jitted(np.array([1.0, -1.0]))
    assert_same(jitted(np.array([4.0])), np.array([2.0]))


def test_arguments_that_overlap():
    def function(x, y):
        x[...] = x * 2
        if y.sum() > 10:
            y += 1
        return x + y

    jitted = jf.jit(function)
    for scale in (1.0, 0.1, 1.0):
        given, plain = np.arange(6.0) * scale, np.arange(6.0) * scale
        assert_same(jitted(given[:4], given[2:]), function(plain[:4], plain[2:]))
        assert_same(given, plain)
        first, second = np.arange(4.0) * scale, np.arange(4.0) + 1
        assert_same(jitted(first, second), function(np.arange(4.0) * scale, np.arange(4.0) + 1))


def test_an_argument_is_returned_itself():
    def function(x):
        return x if x.sum() > 0 else x[None]

    jitted = jf.jit(function)
    x = np.ones(3)
    assert jitted(x) is x
    y = -x
    assert np.shares_memory(jitted(y), y)


SCALE = 2.0


def test_changes_outside_are_seen(monkeypatch):
    def function(x):
        big = x * SCALE
        return big[big > 1] + SCALE if big.max() > 1 else big

    jitted = jf.jit(function)
    x = np.array([0.25, 0.75, 1.0])
    assert_same(jitted(x), function(x))
    monkeypatch.setitem(globals(), "SCALE", 0.5)
    assert_same(jitted(x), function(x))
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert_same(jitted(x), function(x))


def test_tensors():
    def function(x):
        return x[x > 0] * 2 if x.sum() > 0 else -x

    jitted = jf.jit(function)
    for data in DATA[:2]:
        for sign in (1, -1):
            made = jitted(jf.asarray(sign * data))
            assert isinstance(made, jf.Tensor)
            assert_same(made.numpy(), function(sign * data))


def test_threads():
    def function(x):
        return x[x > 0] * 2

    jitted = jf.jit(function)
    many = [RNG.normal(size=30) for _ in range(8)]
    found = {}

    def work(number):
        found[number] = [jitted(data) for data in many]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for results in found.values():
        for result, data in zip(results, many, strict=True):
            assert_same(result, function(data))


def test_methods_of_what_a_mask_chooses():
    def function(x):
        chosen = x[x > 0]
        doubled = chosen * 2
        doubled += 1
        first = doubled[0]
        doubled[0] = 7
        return chosen.cumsum(), doubled, first, doubled.sum(), doubled.reshape(1, -1), chosen.mean(axis=0)

    for data in DATA[:3]:
        assert_same(jf.jit(function)(data), function(data), tolerance=1e-12)


def test_empty_selections():
    def function(x):
        chosen = x[x > 100]
        return chosen, chosen * 2, len(chosen), np.nonzero(x > 100), np.repeat(x, np.zeros(len(x), int))

    for data in DATA[:2]:
        assert_same(jf.jit(function)(data), function(data))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64"])
def test_dtypes(dtype):
    def function(x):
        chosen = x[x > 0]
        return chosen, x.max().item(), np.nonzero(x), np.repeat(x, (x > 0).astype(int))

    for data in (np.arange(-3, 6), np.zeros(4), np.ones(3)):
        given = data.astype(dtype)
        assert_same(jf.jit(function)(given), function(given))


def test_strided_and_read_only_arguments():
    def function(x):
        return x[x > 0] if x.sum() > 0 else x.T

    whole = RNG.normal(size=(6, 8))
    for data in (whole[::2, ::-1], whole.T, np.broadcast_to(whole[0], (3, 8)), -np.abs(whole[:, 1:4])):
        assert_same(jf.jit(function)(data), function(data))


def test_no_warning_of_many_counts():
    jitted = jf.jit(lambda x: x[x > 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for size in range(70):
            assert len(jitted(np.where(np.arange(80) < size, 1.0, -1.0))) == size


def test_random_numbers_after_a_cut():
    def function(x, rng):
        chosen = x[x > 0]
        return chosen + rng.random(int(np.sum(x > 0))), rng.normal(size=len(chosen))

    jitted = jf.jit(function)
    ours, theirs = np.random.default_rng(1), np.random.default_rng(1)
    for data in (*DATA[:3], DATA[0]):
        assert_same(jitted(data, ours), function(data, theirs), tolerance=1e-12)


def test_explanations_show_the_cuts():
    def function(x):
        y = np.exp(x)
        if y.sum() > 3:  # here
            y = np.tile(y, int(y[1]))
        return y * 2

    explained = jf.jit(function).explain(np.arange(5.0))
    assert len(explained.before) == 2
    line = function.__code__.co_firstlineno + 2
    assert f"test_cuts.py:{line}, for" in str(explained).partition("\n")[0]  # titles are one line
    assert "after 2 cuts" in str(explained)
