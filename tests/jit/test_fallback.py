"""Calls that Python answers: what would be cut and is short, and what comes to too much for a trace."""

from __future__ import annotations

import heapq
import itertools
import time
import warnings

import numpy as np
import pytest
import scipy.ndimage

import jitframe as jf
from jitframe.errors import FallbackWarning, TraceError, UnsupportedError
from jitframe.tracing import fallback
from jitframe.tracing.fallback import Race, uses_jitframe
from tests.jit.same import assert_same
from tests.work import calls

X = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])


def shortest_paths(w, start):
    distance = [np.inf] * len(w)
    distance[start] = 0
    heap = [(0, start)]
    while heap:
        d, u = heapq.heappop(heap)
        for v in range(len(w)):
            if w[u, v] != np.inf and d + w[u, v] < distance[v]:
                distance[v] = d + w[u, v]
                heapq.heappush(heap, (distance[v], v))
    return np.array(distance)


@pytest.fixture
def python_is_quick(monkeypatch):
    """Python's runs take no time, however busy the machine is."""
    monkeypatch.setattr(fallback.time, "perf_counter_ns", lambda: 0)


def test_what_is_short_stays_with_python(python_is_quick):
    w = np.where(np.random.default_rng(0).random((8, 8)) < 0.4, 1.0, np.inf)
    jitted = jf.jit(shortest_paths)
    for _ in range(4):
        assert_same(jitted(w, 0), shortest_paths(w, 0))
    stats = jitted.stats()
    assert stats["interpreted"] == 4 and stats["traces"] == 1
    assert jitted.program(w, 0).segments  # what it would be


def test_writes_and_exceptions_are_pythons(python_is_quick):
    def function(x, limit):
        while x.max() > limit:
            if x.size < 3:
                raise ValueError("too few", x.size)
            x[0] = -1
            x = x[1:]
        return x

    jitted = jf.jit(function)
    for limit in (5.0, 5.0, 2.5, -2.0):
        mine, its = X.copy(), X.copy()
        outcomes = []
        for f, given in ((jitted, mine), (function, its)):
            try:
                outcomes.append(f(given, limit))
            except ValueError as error:
                outcomes.append(error.args)
        assert_same(*outcomes)
        assert_same(mine, its)
    assert jitted.stats()["interpreted"] == 4


def test_signatures_are_not_traced_after_some(python_is_quick):
    jitted = jf.jit(lambda x: [str(float(v)) for v in x if v > 2])
    for size in range(1, 7):
        for _ in range(2):
            assert len(jitted(X[:size].copy())) == (X[:size] > 2).sum()
    assert jitted.stats()["traces"] == fallback.UNTRACED


def test_strict_settings_and_functions_that_speak_of_jitframe_are_cut():
    def function(x):
        return jf.sqrt(x[x > 2])

    jitted = jf.jit(function)
    assert type(jitted(X)) is np.ndarray and jitted.stats()["interpreted"] == 0
    plain = jf.jit(lambda x: np.flatnonzero(x > 2))
    before = jf.settings.configure(strict=True)
    try:
        assert_same(plain(X), np.flatnonzero(X > 2))
    finally:
        jf.settings.restore(before)
    assert plain.stats()["interpreted"] == 0
    assert_same(plain(X), np.flatnonzero(X > 2))  # compiled now
    assert plain.stats()["interpreted"] == 0


def test_an_explanation_before_the_first_call_leaves_the_choice_to_it(python_is_quick):
    w = np.where(np.random.default_rng(0).random((8, 8)) < 0.4, 1.0, np.inf)
    counts = []
    for explained in (False, True):
        jitted = jf.jit(shortest_paths)
        if explained:
            assert jitted.explain(w, 0).before  # what it is when it is cut
        for _ in range(4):
            assert_same(jitted(w, 0), shortest_paths(w, 0))
        counts.append(jitted.stats()["interpreted"])
    assert counts == [4, 4]
    plain = jf.jit(lambda x: x * 2)
    plain.explain(X)
    assert_same(plain(X), X * 2)
    assert plain.stats()["interpreted"] == 0


def helper(x):
    return jf.sum(x)


class Scale:
    def __call__(self, x):
        return jf.sum(x)


def test_what_speaks_of_jitframe():
    scale = Scale()
    assert not uses_jitframe(lambda x: np.sum(x))
    assert not uses_jitframe(jf.jit(lambda x: np.sum(x)))
    assert uses_jitframe(lambda x: jf.sum(x))
    assert uses_jitframe(lambda x: [jf.sum(v) for v in x])
    assert uses_jitframe(lambda x: helper(x))
    assert uses_jitframe(lambda x: scale(x))
    assert uses_jitframe(lambda x, f=helper: f(x))
    assert uses_jitframe(scale.__call__)


def test_too_many_branches_are_pythons():
    def order(adjacent, start):
        visited, found, queue = {complex(start)}, [], [start]
        while queue:
            u = queue.pop(0)
            found.append(u)
            for v in range(len(adjacent)):
                if adjacent[u, v] and complex(v) not in visited:
                    visited.add(complex(v))
                    queue.append(v)
        return found

    adjacent = np.random.default_rng(1).random((30, 30)) < 0.2
    jitted = jf.jit(order)
    expected = order(adjacent, 0)
    # The trace ends early, after 30,000 calls of functions.
    assert calls(lambda: [jitted(adjacent, 0) for _ in range(3)]) < 200_000
    assert jitted(adjacent, 0) == expected
    assert jitted.stats()["interpreted"] == 4


def test_the_faster_way_is_kept(monkeypatch):
    """By a clock of the test's own: what Python takes in ns, what cut calls take in turn. One of three that
    waits decides nothing; of many the average counts."""
    slow, mixed, waited = [9_000_000], [1_000_000, 30_000_000], [99, 60_000_000, *[1_000_000] * 60]
    for python, cuts, wins in (
        (5_000_000, [1_000_000], False),
        (5_000_000, slow, True),
        (5_000_000, waited, False),
        (5_000_000, mixed, True),
        (1000, [0], True),
    ):
        now = [0]
        monkeypatch.setattr(fallback.time, "perf_counter_ns", lambda now=now: now[0])

        def takes(ns, now=now):
            now[0] += ns

        race = Race("", False)
        for _ in range(fallback.RUNS):
            race.by_python(takes, (python,), {})
        for _, cut in zip(range(60), itertools.cycle(cuts), strict=False):
            if not race.is_over:
                race.cut(lambda cut=cut: takes(cut))
        assert race.is_over is wins


def kept_of(x, options, *, scale=1.0):
    """A few numbers that values choose, by a keyword and a dict."""
    return x[x > options["limit"]].tolist(), scale, np.geterr()["divide"], 1 / np.zeros(1)[0]


def test_what_python_has_won_is_its_own_at_a_glance(python_is_quick):
    jitted = jf.jit(kept_of)
    for _ in range(4):
        jitted(X, {"limit": 2}, scale=2.0)
    quick = jitted._jit.races.quick
    assert fallback.quick_key((X, {"limit": 2}), {"scale": 2.0}) in quick
    assert fallback.quick_key((X, {"limit": 2})) not in quick
    assert fallback.quick_key((jf.asarray(X), {"limit": 2}), {"scale": 2.0}) is None
    assert fallback.quick_key(({1, "a"}, np.random.default_rng(1))) == (set, np.random.Generator)
    assert fallback.quick_key(({jf.jit},)) is None and fallback.quick_key((lambda x=jf: x,)) is None
    assert fallback.quick_key((noisy, np.sin, abs)) == (noisy.__code__, np.sin, abs)
    assert fallback.quick_key(([0.5] * 300,)) == fallback.quick_key(([[0.5] * 10] * 30,)) == (list,)
    before = jitted.stats()["interpreted"]
    for errors in ("warn", "raise"):  # NumPy warns of nothing in it, and is afterwards as it was
        with np.errstate(divide=errors):
            kept, scale, divide, infinite = jitted(X + 1, {"limit": 4.5}, scale=3.0)
            assert (kept, scale, divide, infinite) == ([5.0, 10.0], 3.0, "ignore", np.inf)
            assert np.geterr()["divide"] == errors
    assert jitted.stats()["interpreted"] == before + 2
    with pytest.raises(KeyError):
        jitted(X, {"other": 2}, scale=2.0)


def noisy(x, scale):
    return x + np.random.rand(*x.shape) * scale


def telling(x):
    print("largest", x.max())
    if x[0] > 1e9:
        warnings.warn("large", stacklevel=2)
    return x[0] + 1


def test_short_calls_that_print_or_may_warn_are_pythons(capsys, python_is_quick):
    jitted = jf.jit(telling)
    for number in range(60):
        assert jitted(X) == telling(X)
        if number == 30:
            jitted.explain(X)  # which waits for what is made in the background
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 120 and len(set(told)) == 1
    assert jitted.stats()["interpreted"] > 20


def test_short_calls_that_draw_are_pythons(monkeypatch):
    """By a clock of the test's own, on which compiled calls take 40 us and Python's 5."""
    now = [0]
    monkeypatch.setattr(fallback.time, "perf_counter_ns", lambda: now[0])
    jitted, by_python = jf.jit(noisy), []

    def watched(race, function, args, kwargs, run=Race.by_python):
        by_python.append(race.reason)
        now[0] += 5_000
        result = run(race, function, args, kwargs)
        return result

    monkeypatch.setattr(Race, "by_python", watched)
    np.random.seed(3)
    expected = [noisy(X, 0.5) for _ in range(60)]
    np.random.seed(3)
    for number, each in enumerate(expected):
        assert_same(jitted(X, 0.5), each, tolerance=1e-14)
        if number == 30:
            jitted.explain(X, 0.5)  # which waits for what is made in the background
    assert "random numbers" in by_python[0] and len(by_python) == fallback.RUNS
    assert jitted.stats()["interpreted"] > 20  # the others at a glance


def test_values_that_are_always_new_are_left_to_python(monkeypatch):
    now = [0]
    monkeypatch.setattr(fallback.time, "perf_counter_ns", lambda: now[0])

    def takes(ns):
        now[0] += ns

    race = Race("", False)
    for _ in range(fallback.RUNS):
        race.by_python(takes, (2_000_000,), {})
    for ns in (9_000_000, *[1_000_000] * 20):
        race.cut(lambda ns=ns: takes(ns))
    assert not race.is_over
    for _ in range(100):
        race.cut(lambda: takes(20_000_000))
    assert race.is_over


@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")  # given where Python took long enough
def test_a_call_that_fails_to_be_cut_is_pythons(monkeypatch):
    monkeypatch.setattr(fallback, "LEAST_CUTS", 0)
    kept = []

    def function(x):
        if x.sum() > 0:
            kept.insert(0, x.size)  # which a trace refuses
        return [v for v in x if v > 2]

    jitted = jf.jit(function)
    for _ in range(4):
        assert len(jitted(X)) == 3
    assert kept == [6] * 4
    with pytest.raises(TraceError, match="made outside"):
        jitted.program(X)


def solved(matrix, b, diagonal, turns):
    x = np.zeros_like(b)
    for _ in range(turns):
        x = x + (b - matrix @ x) / diagonal
    return x


class Solver:
    def __init__(self, matrix, scale=1.0):
        self.matrix, self.scale = matrix, scale

    def residual(self, x, b):
        return (b - self.matrix @ x) * self.scale


def test_what_objects_of_other_libraries_compute_is_pythons():
    """Arrays that a SciPy matrix gives come from where a trace sees no changes."""
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_array(np.diag(X) + 0.25)
    b = X[::-1].copy()
    jitted, residual = jf.jit(solved), jf.jit(Solver.residual)
    for _ in range(3):
        assert_same(jitted(matrix, b, X, 20), solved(matrix, b, X, 20))
        assert_same(residual(Solver(matrix), X, b), b - matrix @ X)
    assert jitted.stats()["interpreted"] == 3
    with pytest.raises(TraceError, match=r"came from matrix, and changes to it could not be seen\. Pass it"):
        jitted(matrix, jf.asarray(b), X, 20)


def test_objects_that_hold_something_of_jitframes():
    assert not uses_jitframe(Solver(X, [1, {"a": 2.0}, [0.0] * 2000]))
    for held in (
        jf.asarray(X),
        [jf.asarray(X)],
        {"a": (jf.asarray(X),)},
        Solver(jf.asarray(X)),
        [(0,)] * (fallback.MOST_ITEMS + 1),
    ):
        assert uses_jitframe(Solver(X, held))


class Walker:
    """State in an attribute and in a list from which items are taken."""

    def __init__(self):
        self.place, self.seen = np.zeros(2), [0.0]

    def step(self, speed, dt):
        self.place = self.place + speed * dt
        self.seen.pop()
        self.seen.append(float(self.place[0]))
        return self.place * 2


def test_lists_that_shrink_are_pythons():
    mine, its, jitted = Walker(), Walker(), jf.jit(Walker.step)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for dt in (0.5, 0.25, 2.0):
            assert_same(jitted(mine, X[:2], dt), its.step(X[:2], dt))
    assert "runs as plain Python, which is right but not compiled: a list made outside" in str(
        said[0].message
    )
    assert len(said) == 1 and said[0].filename == __file__
    assert_same(mine.place, its.place)
    assert mine.seen == its.seen
    for _ in range(2):
        assert_same(jitted(Walker(), X[:2], 1.0), X[:2] * 2)  # of another object, untraced
    assert jitted.stats()["traces"] == 1 and jitted.stats()["interpreted"] == 5


def of_libraries(x):
    return scipy.ndimage.uniform_filter1d(x, 3), x.ctypes.data > 0, time.time() > 0


@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_what_libraries_do_is_pythons(strict):
    jitted = jf.jit(of_libraries)
    with pytest.raises(UnsupportedError, match="ndarray.ctypes"):
        jitted(X)
    jf.settings.configure(strict=False)
    for _ in range(3):
        assert_same(jitted(X), of_libraries(X))
    assert jf.jit(lambda x: np.array([x[0], "a"], object)[1])(X) == "a"
    assert jf.jit(lambda x: x * 2)(np.array([1, None, "b"], object)[:1]).tolist() == [2]


@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_python_raises_what_it_finds_wrong():
    """Both the trace and Python refuse."""
    kept = {}

    def function(x):
        kept[x.size] = 1
        raise KeyError("no such thing")

    with pytest.raises(KeyError, match="no such thing") as raised:
        jf.jit(function)(X)
    assert raised.value.__context__ is None and kept == {6: 1}


def test_an_object_that_holds_tensors_is_not_left_to_python():
    walker = Walker()
    walker.place = jf.zeros(2)
    assert not uses_jitframe(Walker()) and uses_jitframe(walker) and uses_jitframe([[walker]])
    with pytest.raises(TraceError, match="a list made outside"):
        jf.jit(Walker.step)(walker, X[:2], 1.0)


def raising(x):
    if x[0] > 2:
        raise ValueError(f"{x[0]} is above 2, by {x[0] - 2!r}", x[1])
    return x * 2


def asserting(x):
    assert x[0] <= 2, f"x begins with {x[0]}"
    return x * 2


def raising_at_once(x):
    raise ValueError(f"never {x[0]}", x[1])


def test_exceptions_hold_the_values_that_there_are():
    for function in (raising, asserting, raising_at_once):
        jitted = jf.jit(function)
        for x in (X, X[1:], X + 1):
            outcomes = []
            for f in (function, jitted):
                try:
                    outcomes.append(f(x).tolist())
                except (ValueError, AssertionError) as error:
                    outcomes.append((type(error), repr(error.args)))
            assert outcomes[0] == outcomes[1]
    assert jf.jit(raising)(X[1:]).tolist() == (X[1:] * 2).tolist()


def texts(x):
    return str(x[0]), f"{x.sum()} and {x[:2]}", f"{x[1]:g}", x[0].is_integer(), x[3].as_integer_ratio()


def test_texts_of_values():
    jitted = jf.jit(texts)
    for x in (X, X, X * 2):
        assert jitted(x) == texts(x)


def text_in_a_branch(x):
    if x[0] > 2:
        key = f"{x[0]}"
    else:
        key = "small"
    return {"3.0": x, "small": -x}[key]


@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_a_text_in_a_branch():
    jitted = jf.jit(text_in_a_branch)
    for x in (X, X[1:], X):
        assert_same(jitted(x), text_in_a_branch(x))


def of_lists(clusters, x):
    labels = np.zeros(len(x), int)
    for number, cluster in enumerate(clusters):
        labels[cluster] = number
        for position in cluster:
            x[position] += number
    return labels


def test_very_many_numbers_are_pythons():
    clusters = [list(range(start, 600, 3)) for start in range(3)]
    jitted = jf.jit(of_lists)
    mine, its = np.zeros(600), np.zeros(600)
    with pytest.warns(FallbackWarning, match=r"600 numbers are given in lists .* pass arrays of them"):
        assert_same(jitted(clusters, mine), of_lists(clusters, its))
    for _ in range(2):
        assert_same(jitted(clusters, mine), of_lists(clusters, its))
    assert_same(mine, its)
    assert jitted.stats()["traces"] == 0 and jitted.stats()["interpreted"] == 3
    assert_same(jitted([[0, 1], [2]], np.zeros(3)), of_lists([[0, 1], [2]], np.zeros(3)))
    assert jitted.stats()["interpreted"] == 3


def test_what_is_refused_behind_a_cut_is_pythons_with_a_warning() -> None:
    """A function that would be cut runs as Python first; what its trace refuses shows when it is cut."""

    def function(x):
        count = int((x > 0.5).sum())
        chosen = x[:count]
        begin = time.time()
        return chosen.sum() + sum(range(200_000)) + (begin < 0)

    jitted = jf.jit(function)
    x = np.linspace(0, 1, 50)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(6):
            assert jitted(x) == function(x)
    assert [each.category for each in seen] == [FallbackWarning]
    assert jitted.stats()["interpreted"] == 6
