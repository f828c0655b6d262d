"""NumPy's random generators inside jitted functions: NumPy's numbers, bit for bit, and its state after."""

import copy
import dataclasses
import random
import statistics

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import DTypeError, TraceError, UnsupportedError

ELEMENTWISE = {
    "beta": (2.0, 3.0), "binomial": (10, 0.3), "chisquare": (2.0,), "exponential": (2.0,), "f": (2.0, 3.0),
    "gamma": (2.0, 3.0), "geometric": (0.3,), "gumbel": (1.0, 2.0), "hypergeometric": (5, 6, 4),
    "laplace": (1.0, 2.0), "logistic": (1.0, 2.0), "lognormal": (0.5, 0.25), "logseries": (0.3,),
    "negative_binomial": (5, 0.3), "noncentral_chisquare": (2.0, 1.0), "noncentral_f": (2.0, 3.0, 1.0),
    "normal": (1.0, 2.0), "pareto": (3.0,), "poisson": (4.0,), "power": (3.0,), "rayleigh": (2.0,),
    "standard_gamma": (2.0,), "standard_t": (3.0,), "triangular": (0.0, 0.5, 1.0), "uniform": (-1.0, 2.0),
    "vonmises": (0.5, 2.0), "wald": (1.0, 2.0), "weibull": (2.0,), "zipf": (3.0,),
    "standard_normal": (), "standard_exponential": (), "standard_cauchy": (), "random": (),
}  # fmt: skip
GENERATORS = {
    "Generator": lambda: np.random.default_rng(5),
    "RandomState": lambda: np.random.RandomState(5),
    "MT19937": lambda: np.random.Generator(np.random.MT19937(5)),
}


def state(generator):
    found = generator.get_state(legacy=False) if hasattr(generator, "get_state") else None
    return repr(generator.bit_generator.state if found is None else found)


def check_same(ours, theirs):
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            check_same(mine, other)
        return
    assert type(ours) is type(theirs), (type(ours), type(theirs))
    if isinstance(theirs, np.ndarray):
        assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


def check_calls(function, make, *arguments, calls=2, **options):
    """Calls of the jitted function and of the plain one give the same, and leave their generators alike."""
    jitted = jf.jit(function, **options)
    ours, theirs = make(), make()
    for _ in range(calls):
        check_same(jitted(ours, *copy.deepcopy(arguments)), function(theirs, *copy.deepcopy(arguments)))
        assert state(ours) == state(theirs)
    return jitted


@pytest.mark.parametrize("kind", GENERATORS)
def test_methods_that_draw_each_element(kind):
    """All of them, with and without a size: a second, for the plans of as many results."""

    def draw(generator):
        made = []
        for name, parameters in ELEMENTWISE.items():
            method = getattr(generator, name)
            made += [method(*parameters), method(*parameters, size=3), method(*parameters, size=(2, 0, 3))]
            made.append(method(*parameters, size=()))
        return tuple(made)

    check_calls(draw, GENERATORS[kind])


def test_dtypes_and_bounds_of_integers():
    def draw(rng):
        made = [rng.integers(5), rng.integers(2, 5, endpoint=True), rng.integers(10, size=(2, 2))]
        for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, bool):
            made += [rng.integers(0, 2, size=5, dtype=dtype), rng.integers(0, 2, dtype=dtype)]
        made += [rng.integers([1, 5, 9], 20), rng.integers(np.array([[1], [2]]), [3, 4, 5])]
        made += [rng.random(3, dtype=np.float32), rng.standard_normal(size=3, dtype="f4")]
        made += [rng.standard_exponential(3, method="inv"), rng.standard_gamma(2.0, 3, dtype=np.float32)]
        return tuple(made)

    check_calls(draw, GENERATORS["Generator"])

    def legacy(state):
        made = [state.randint(5), state.randint(2, 9, 4), state.randint(9, dtype=np.int32), state.tomaxint()]
        made += [state.rand(), state.randn(), state.rand(2, 3), state.randn(4), state.random_sample(3)]
        made += [state.randint(0, 200, 3, dtype=np.uint8), state.standard_normal((2, 2))]
        return tuple(made)

    check_calls(legacy, GENERATORS["RandomState"])


@pytest.mark.parametrize("kind", ["Generator", "RandomState"])
def test_choices_and_orders(kind):
    def draw(generator, x, square, weights):
        made = [generator.choice(5), generator.choice(5, 3), generator.choice(x, (2, 2))]
        made += [
            generator.choice(7, 3, replace=False),
            generator.choice(x, 4, p=weights),
            generator.choice(x),
        ]
        made += [generator.choice([-1, 1], size=5), generator.choice(x, 3, True, weights / weights.sum())]
        made += [generator.permutation(6), generator.permutation(x), generator.permutation(square)]
        generator.shuffle(x)
        generator.shuffle(square)
        generator.shuffle(square[:0])
        return (*made, x, square)

    rng = np.random.default_rng(1)
    x, square = rng.normal(size=6), rng.normal(size=(4, 3))
    weights = rng.random(6)
    check_calls(draw, GENERATORS[kind], x, square, weights / weights.sum())
    check_calls(draw, GENERATORS[kind], x.astype("f4"), square.astype("i1"), weights / weights.sum())


def test_axes_of_orders():
    def draw(rng, square):
        made = [rng.choice(square, 3, axis=1), rng.choice(square, 3, replace=False, shuffle=False)]
        made += [rng.permutation(square, axis=1), rng.permuted(square), rng.permuted(square, axis=1)]
        rng.shuffle(square, axis=1)
        return (*made, square)

    check_calls(draw, GENERATORS["Generator"], np.arange(20.0).reshape(4, 5))


@pytest.mark.parametrize("kind", ["Generator", "RandomState"])
def test_vectors(kind):
    def draw(generator, mean, cov):
        made = [
            generator.multivariate_normal(mean, cov),
            generator.multivariate_normal(mean, cov, size=(2, 3)),
        ]
        made += [generator.multivariate_normal([mean[0], 1.0], cov * 2, 4)]
        made += [generator.multinomial(10, [0.25, 0.75]), generator.multinomial(10, [0.25, 0.75], size=3)]
        return (*made, generator.dirichlet([1.0, 2.0, 3.0]), generator.dirichlet(mean, 2))

    check_calls(draw, GENERATORS[kind], np.array([1.0, 2.0]), np.array([[2.0, 0.5], [0.5, 1.0]]))

    def several(rng, counts):
        return rng.multinomial(counts, [0.25, 0.75]), rng.multivariate_hypergeometric([3, 4], 5, size=2)

    if kind == "Generator":
        check_calls(several, GENERATORS[kind], np.array([3, 4]))


def test_parameters_that_the_call_decides():
    """Arguments, parts of them, what is computed of them, and what was drawn before."""

    def draw(rng, x, mu, sigma, count):
        a = rng.normal(mu, sigma, size=4)
        b = rng.normal(x, abs(x) + 1)
        c = rng.normal(a[0] * 2, sigma * sigma, size=(2, 2))
        d = rng.poisson(x[1:] ** 2)
        e = rng.integers(0, count, size=3)
        x += 1
        f = rng.uniform(x.min(), x.max())
        return a, b, c, d, e, f, rng.binomial(count, f - np.floor(f)), x

    x = np.array([0.5, 2.0, -1.0])
    jitted = check_calls(draw, GENERATORS["Generator"], x, 0.25, 0.5, 9)
    check_same(
        jitted(np.random.default_rng(7), x.copy(), 3.5, 0.125, 4),
        draw(np.random.default_rng(7), x, 3.5, 0.125, 4),
    )
    assert jitted.stats()["traces"] == 1


def test_made_inside():
    """The same numbers at each call, as a seed inside of a function gives; of an argument, that one's."""

    def draw(_, seed, words):
        a = np.random.default_rng(3).random(2)
        b = np.random.default_rng(seed).random(2)
        c = np.random.Generator(np.random.PCG64(seed + 1)).random(2)
        d = np.random.RandomState(seed).rand(2)
        e = np.random.default_rng(words).random()
        f = np.random.default_rng([1, seed]).random()
        g = np.random.Generator(np.random.Philox(np.random.SeedSequence(seed))).normal()
        first, second = np.random.default_rng(seed).spawn(2)
        return a, b, c, d, e, f, g, second.random(2), first.random()

    jitted = check_calls(draw, GENERATORS["Generator"], 11, np.array([5, 6]))
    check_same(jitted(None, 12, np.array([5, 7])), draw(None, 12, np.array([5, 7])))

    @jf.jit
    def unseeded():
        return np.random.default_rng().random(4)

    assert not np.array_equal(unseeded(), unseeded())


def test_the_global_state():
    def draw(x):
        np.random.seed(4)
        made = [np.random.rand(2), np.random.randn(), np.random.randint(5, size=3), np.random.random(2)]
        made += [np.random.normal(1.0, 2.0, 3), np.random.uniform(size=2), np.random.choice(x, 2)]
        np.random.shuffle(x)
        return (*made, np.random.permutation(x), np.random.sample(2), x)

    def unseeded(x):
        return x + np.random.standard_normal(3)

    kept = np.random.get_state()
    try:
        ours = [jf.jit(draw)(np.arange(3.0)), jf.jit(unseeded)(np.ones(3)), np.random.rand()]
        theirs = [draw(np.arange(3.0)), unseeded(np.ones(3)), np.random.rand()]
    finally:
        np.random.set_state(kept)
    check_same(ours, theirs)


captured = np.random.default_rng(8)
normal = captured.normal


@dataclasses.dataclass
class Walk:
    place: float
    rng: np.random.Generator


class Model:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.rngs = {"noise": np.random.default_rng(seed + 1)}

    def step(self, x):
        return x + self.rng.normal(size=2) * self.rngs["noise"].random(2)


def test_where_generators_come_from():
    """Globals and their methods, attributes, containers, closures, records, and the same one twice."""
    theirs = copy.deepcopy(captured)
    inner = np.random.default_rng(9)

    @jf.jit
    def f(x, several, walk, twice):
        y = x + captured.normal(size=2) + normal(size=2) + inner.random(2)
        return (
            y,
            several[0].random(),
            walk.rng.random() + walk.place,
            several[1]["a"].random(),
            twice.random(),
        )

    for _ in range(2):
        a, b = np.random.default_rng(1), np.random.default_rng(2)
        ours = f(np.ones(2), (a, {"a": b}), Walk(1.0, np.random.default_rng(3)), a)
        other = np.random.default_rng(9)
        x = np.ones(2) + theirs.normal(size=2) + theirs.normal(size=2)
        if _ == 0:
            np.testing.assert_array_equal(ours[0], x + other.random(2))
        a, b = np.random.default_rng(1), np.random.default_rng(2)
        check_same(ours[1:], (a.random(), np.random.default_rng(3).random() + 1.0, b.random(), a.random()))
    assert f.stats()["traces"] == 1  # another generator is not another trace
    assert state(captured) == state(theirs)

    model, other = Model(4), Model(4)
    step = jf.jit(Model.step)
    for _ in range(3):
        check_same(step(model, np.ones(2)), Model.step(other, np.ones(2)))
    model.rng = np.random.default_rng(40)  # bound to another one: watched
    other.rng = np.random.default_rng(40)
    check_same(step(model, np.ones(2)), Model.step(other, np.ones(2)))


def test_generators_go_through():
    rng = np.random.default_rng(1)

    @jf.jit
    def f(x, rng):
        assert isinstance(rng, np.random.Generator) and not isinstance(rng, np.random.RandomState)
        return x + rng.random(), rng, captured

    for _ in range(40):  # variants of the native entry are offered in between
        _, given, held = f(np.ones(2), rng)
        assert given is rng and held is captured

    @jf.jit
    def unused(x, rng):
        return x * 2, rng

    for _ in range(40):
        other = np.random.default_rng(2)
        assert unused(np.ones(2), other)[1] is other


def test_loops():
    def steps(rng, x):
        def body(i, value):
            def inner(j, inside):
                return inside + rng.integers(10, size=2) * (j - i)

            value = value * 0.5 + rng.normal(size=2) * rng.random()
            return jf.fori_loop(1, 3, inner, value) - rng.exponential(x.sum(), 2)

        return jf.fori_loop(2, 7, body, x)

    def plain(rng, x):
        value = x
        for i in range(2, 7):
            value = value * 0.5 + rng.normal(size=2) * rng.random()
            for j in range(1, 3):
                value = value + rng.integers(10, size=2) * (j - i)
            value = value - rng.exponential(x.sum(), 2)
        return value

    jitted = jf.jit(steps)
    ours, theirs = np.random.default_rng(1), np.random.default_rng(1)
    for _ in range(2):
        x = np.array([1.0, 2.0])
        np.testing.assert_allclose(jitted(ours, x), plain(theirs, x), rtol=1e-14)
        assert state(ours) == state(theirs)

    @jf.jit
    def walk(rng, start):
        def step(place, _):
            place = place + rng.choice([-1, 1])
            return place, place

        return jf.scan(step, start, None, length=20)[1]

    steps = np.random.default_rng(3)
    path = np.cumsum([steps.choice([-1, 1]) for _ in range(20)])
    np.testing.assert_array_equal(walk(np.random.default_rng(3), 0), path)

    @jf.jit
    def none(rng, x):
        return jf.fori_loop(0, 0, lambda i, x: x + rng.random(2), x)

    np.testing.assert_array_equal(none(np.random.default_rng(3), np.ones(2)), np.ones(2))


def test_what_is_refused(strict):
    rng = np.random.default_rng(1)

    def refused(function, error, words):
        before = state(rng)
        with pytest.raises(error, match=words):
            jf.jit(function)(np.ones(3))
        assert state(rng) == before

    before = state(rng)
    jf.jit(lambda x: f"{rng.random():.3f}").explain(np.ones(3))  # which draws for the trace alone
    assert state(rng) == before
    refused(lambda x: rng.random(3, out=x), UnsupportedError, "out=")
    refused(lambda x: rng.bit_generator, UnsupportedError, "Generator.bit_generator inside")
    refused(lambda x: rng.bytes(3), UnsupportedError, "Generator.bytes inside")
    refused(lambda x: rng.normal(sizes=3), DTypeError, r"normal\(\) .*'sizes'")
    refused(lambda x: rng.shuffle([1, 2, 3]), UnsupportedError, "shuffle of a list")
    refused(lambda x: np.random.default_rng(1), TraceError, "returns a Generator that it made")
    refused(lambda x: jf.fori_loop(0, 3, lambda i, y: y + rng.normal(i), x), TraceError, "loc . scale")
    refused(lambda x: jf.cond(x[0] > 0, lambda y: y + rng.random(3), lambda y: y, x), TraceError, "draw")
    refused(lambda x: rng.unknown(3), AttributeError, "unknown")
    refused(lambda x: jf.fori_loop(0, 3, lambda i, y: y + rng.normal(y.sum()), x), TraceError, "loc . scale")
    refused(lambda x: rng.normal(0.0, -1.0, 3), ValueError, "scale < 0")


def test_programs():
    """As people write them."""

    def pi(n, seed):
        rng = np.random.default_rng(seed)
        x, y = rng.random(n), rng.random(n)
        return 4 * np.mean(x * x + y * y <= 1)

    def bootstrap(data, rng):
        means = np.array([rng.choice(data, size=data.shape[0]).mean() for _ in range(10)])
        return (
            np.percentile(means, [5, 95])
            if hasattr(jf, "percentile")
            else np.array([means.min(), means.max()])
        )

    def kmeans(points, k, rng):
        centres = points[rng.choice(points.shape[0], size=k, replace=False)]
        distances = ((points[:, None, :] - centres[None]) ** 2).sum(axis=2)
        return np.argmin(distances, axis=1)

    def dropout(x, rate, rng):
        return x * (rng.random(x.shape) >= rate) / (1 - rate)

    def gradient_descent(x, y, w, rng):
        for _ in range(3):
            batch = rng.integers(0, x.shape[0], size=4)
            error = x[batch] @ w - y[batch]
            w = w - 0.1 * x[batch].T @ error
        return w

    rng = np.random.default_rng(0)
    data, weights = rng.normal(size=(20, 3)), rng.normal(size=3)
    assert jf.jit(pi, static_argnames="n")(100, 3) == pi(100, 3)
    for function, arguments in (
        (bootstrap, (data[:, 0].copy(),)), (dropout, (data, 0.25)),
        (gradient_descent, (data, data @ weights, weights)),
    ):  # fmt: skip
        ours = jf.jit(function)(*arguments, np.random.default_rng(1))
        np.testing.assert_allclose(ours, function(*arguments, np.random.default_rng(1)), rtol=1e-12)
    chosen = jf.jit(kmeans, static_argnames="k")(data, 3, np.random.default_rng(1))
    np.testing.assert_array_equal(chosen, kmeans(data, 3, np.random.default_rng(1)))


@pytest.mark.parametrize("index", [9, [1, 9]])
def test_a_position_outside_of_what_a_draw_is_asked_for(index: int | list[int]) -> None:
    """What a draw needs is computed before it: a position there is looked at as well."""

    @jf.jit
    def drawn(generator: np.random.Generator, x: np.ndarray, index: np.ndarray) -> np.ndarray:
        return generator.normal(x[index], 1.0)

    x, known = np.arange(4.0), np.zeros_like(index)
    assert np.array_equal(
        drawn(np.random.default_rng(3), x, known), np.random.default_rng(3).normal(x[known])
    )
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 4"):
        drawn(np.random.default_rng(3), x, np.array(index))


INSTALLED = """
import random
import numpy as np

def shuffled(x):
    order = np.arange(len(x))
    np.random.shuffle(order)
    return x[order]

def jittered(x):
    return x + random.random()
"""


@pytest.mark.parametrize("called", ["shuffled", "jittered"])
def test_functions_of_packages_draw_at_each_call(called, tmp_path, monkeypatch):
    """Functions of installed packages are not traced: what they draw is no part of the program."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / f"package_that_draws_{called}.py").write_text(INSTALLED)
    monkeypatch.syspath_prepend(str(folder))
    drawing = getattr(__import__(f"package_that_draws_{called}"), called)
    x = np.arange(20.0)

    def program(x):
        return drawing(x) + np.random.normal(size=20), x.sum() > 1 and np.random.rand()

    def seed():
        np.random.seed(4)
        random.seed(4)

    jitted = jf.jit(program)
    for _ in range(4):
        seed()
        wanted = program(x)
        left = np.random.rand(), random.random()
        seed()
        found = jitted(x)
        assert (np.random.rand(), random.random()) == left
        np.testing.assert_array_equal(found[0], wanted[0])
        assert found[1] == wanted[1]


def test_draws_of_packages_are_refused(strict):
    random.seed(4)
    first = random.random()
    random.seed(4)
    with pytest.raises(TraceError, match="a function that draws random numbers and is not traced"):
        jf.jit(lambda x: x + statistics.NormalDist().samples(3)[0])(np.arange(20.0))
    assert random.random() == first  # what the trace had drawn is drawn by nobody
