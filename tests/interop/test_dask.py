"""Dask: Tensors as blocks, and the optimization that compiles the work on each block."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import FallbackWarning
from tests.functions.compare import interpreted

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
blocks = pytest.importorskip("jitframe.interop.dask")

X = np.arange(48.0).reshape(8, 6) + 1


@pytest.fixture(autouse=True)
def in_this_thread() -> Iterator[None]:
    with dask.config.set(scheduler="sync"):
        yield


def chained(x: Any) -> Any:
    """Elementwise work with constants, casts, a view, a condition and a reduction at the end."""
    y = da.sqrt(x) * 2 + da.sin(x) - x[::-1]
    z = (y.astype("float32") ** 2).clip(0, 5)
    return da.where(z > 1, z, -z).sum(axis=0)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "chained": chained,
    "transposed": lambda x: (x @ x.T * 2 + 1).T - 1,
    "mean": lambda x: (da.exp(-x) + 1).mean(axis=1),
    "std": lambda x: ((x - x.mean(axis=0)) / x.std(axis=0)).max(),
    "several": lambda x: da.concatenate([da.log(x) + 1, da.log1p(x) * 2]),
    "unknown between": lambda x: da.map_blocks(np.cumsum, da.sqrt(x) + 1, axis=1, dtype=x.dtype) * 2 - 1,
    "unknown first": lambda x: x.map_blocks(lambda block: block.copy(order="F")) * 2 - 1,
    "integers": lambda x: (x.astype("int32") % 5 << 1) | 1,
    "masks": lambda x: da.where((x > 3) & ~(x > 30), x, 0),
    "reshaped": lambda x: (x.reshape(-1) * 2 + 1).rechunk(7) - 3,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_blocks_are_compiled(name: str) -> None:
    program = PROGRAMS[name]
    array = da.from_array(X, chunks=(3, 4))
    wanted = program(array).compute()
    with dask.config.set(array_optimize=blocks.optimize):
        found = program(array).compute()
        assert type(found) is type(wanted) and found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-5 if found.dtype == "float32" else 1e-12)


def block_tasks(array: Any) -> list[Any]:
    graph = blocks.optimize(array.__dask_graph__(), array.__dask_keys__())
    return [task.func for task in graph.values() if isinstance(getattr(task, "func", None), blocks.Block)]


def test_one_jitted_function_for_all_blocks() -> None:
    array = da.from_array(X, chunks=(4, 3))
    made = block_tasks(da.sqrt(array) * 2 + 1)
    assert len(made) == 4 and len({block.steps for block in made}) == 1
    (fused,) = made[0].steps
    assert [call.function for call in fused.calls] == [np.sqrt, operator.mul, operator.add]
    blocks._jitted.cache_clear()
    with dask.config.set(array_optimize=blocks.optimize):
        (da.sqrt(array) * 2 + 1).compute()
        (da.sqrt(array + 1) * 2 + 1).compute()
    assert blocks._jitted.cache_info().misses == 2
    stats = blocks._jitted(fused.calls, fused.results, 1).stats()
    assert stats["traces"] == 1 and stats["kernels"] == 1, "one kernel for the whole chain, for every block"


def test_what_is_not_known_splits_the_work() -> None:
    array = da.from_array(X, chunks=(4, 3))
    looked_at: list[Any] = []

    def seen(block: Any) -> Any:
        looked_at.append(type(block))
        return block

    (first, *_) = block_tasks((da.map_blocks(seen, da.sqrt(array) + 1, dtype=X.dtype) * 2) - 1)
    kinds = [type(step).__name__ for step in first.steps]
    assert kinds == ["Fused", "tuple", "Fused"]
    assert not block_tasks(da.sqrt(array)), "one call alone is NumPy's"


def test_what_jitframe_lacks_is_left_to_numpy() -> None:
    array = da.from_array(X.astype("datetime64[s]"), chunks=(4, 3))
    wanted = ((array + np.timedelta64(1, "s")) - np.timedelta64(3, "s")).compute()
    warned = pytest.warns(FallbackWarning, match="a block of Dask's is left to NumPy: .*arrays of datetime64")
    with dask.config.set(array_optimize=blocks.optimize), warned:
        found = ((array + np.timedelta64(1, "s")) - np.timedelta64(3, "s")).compute()
    np.testing.assert_array_equal(found, wanted)
    with dask.config.set(array_optimize=blocks.optimize), pytest.raises(TypeError):
        (da.from_array(X, chunks=4).astype("int64") * 2 << np.float64(1)).compute()


def test_tensors_as_blocks() -> None:
    tensors = da.from_array(jf.asarray(X), chunks=(3, 4))
    plain = da.from_array(X, chunks=(3, 4))
    assert type(tensors._meta) is jf.Tensor
    programs: dict[str, Callable[[Any], Any]] = {
        **PROGRAMS,
        "slices": lambda x: x[1:5, ::2], "concatenate": lambda x: da.concatenate([x, x + 1]),
        "stack": lambda x: da.stack([x, x]), "rechunk": lambda x: x.rechunk(5) + 1,
        "percentile": lambda x: da.percentile(x.reshape(-1), 50), "cumsum": lambda x: x.cumsum(axis=0),
        "tensordot": lambda x: da.tensordot(x, x.T, axes=1), "median": lambda x: da.median(x, axis=0),
        "einsum": lambda x: da.einsum("ij,kj->ik", x, x), "take": lambda x: x[[0, 3, 1]],
        "topk": lambda x: da.topk(x, 2), "pad": lambda x: da.pad(x, 1), "masked": lambda x: x[x > 5].sum(),
        "overlap": lambda x: da.overlap.overlap(x, 1, boundary="reflect"),
    }  # fmt: skip
    del programs["unknown first"]  # order="F" of a Tensor's copy
    for optimization in (None, blocks.optimize):
        with dask.config.set({} if optimization is None else {"array_optimize": optimization}):
            for name, program in programs.items():
                with interpreted() if optimization is None else nullcontext():
                    found = program(tensors).compute()
                    assert type(found) is jf.Tensor, name
                    values = found.numpy()
                np.testing.assert_allclose(values, program(plain).compute(), rtol=1e-5, err_msg=name)


def test_operators_of_tensors_and_dask() -> None:
    array, tensor = da.from_array(X, chunks=4), jf.asarray(X)
    for made in (tensor + array, array + tensor, tensor < array, tensor == array, array * tensor):
        assert isinstance(made, da.Array)
    np.testing.assert_array_equal(np.asarray((tensor - array).compute()), X * 0)


@pytest.mark.slow  # starts processes
@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_schedulers(scheduler: str) -> None:
    array = da.from_array(X, chunks=(3, 4))
    wanted = chained(array).compute()
    with dask.config.set(array_optimize=blocks.optimize, scheduler=scheduler, num_workers=2):
        np.testing.assert_allclose(chained(array).compute(), wanted, rtol=1e-5)


@pytest.mark.slow  # two workers of their own
def test_distributed_workers() -> None:
    distributed = pytest.importorskip("distributed")
    array = da.from_array(X, chunks=(3, 4))
    wanted = chained(array).compute()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ports and of forks
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
            ) as cluster,
            distributed.Client(cluster),
            dask.config.set(array_optimize=blocks.optimize, scheduler=None),
        ):
            np.testing.assert_allclose(chained(array).compute(), wanted, rtol=1e-5)
