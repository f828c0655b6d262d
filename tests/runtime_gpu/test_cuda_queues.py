"""Streams of the CUDA driver on a stand-in for CuPy (see `fake_cupy`), which works as late as CUDA may."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jitframe.codegen.c_family import CUDA
from jitframe.runtime.drivers import cuda
from jitframe.runtime.drivers.streams import StreamDriver
from jitframe.runtime.queues import ordering
from tests.backends.memory_laws import backend_of
from tests.backends.queue_laws import LAWS, Law, any_order

from . import fake_cupy
from .launches import Spellings
from .products import check_products
from .test_cuda_driver import forget


@pytest.fixture(scope="module")
def fake() -> Iterator[StreamDriver]:
    """On the stand-in, in CuPy's place."""
    spellings = Spellings(CUDA)
    with pytest.MonkeyPatch.context() as patch, spellings.watched():
        forget()
        fake_cupy.install(patch, spellings)
        yield cuda.open(0)
    forget()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_queues(law: Law, fake: StreamDriver) -> None:
    law(backend_of(fake, "cuda"))


def test_the_stand_in_shows_an_order_that_is_wrong(
    fake: StreamDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ordering.OrderingDriver, "follow", lambda self, point: None)

    def every_seed() -> None:
        for seed in range(8):
            any_order(backend_of(fake, "cuda"), seed, with_tensors=False)

    with pytest.raises(AssertionError):
        every_seed()


def test_nothing_is_recorded_while_several_streams_are_open(fake: StreamDriver) -> None:
    backend = backend_of(fake, "cuda")
    backend.initialize()
    assert backend.device._runs.replays is not None
    with backend.stream() as stream:
        stream.copy(bytes(4), backend.alloc(4)).wait()
        assert stream.has_queue and backend.device._runs.replays is None
    assert backend.device._runs.replays is not None


def test_a_closed_stream_is_used_again_once_its_memory_is_free(fake: StreamDriver) -> None:
    """CuPy would give the new one's work memory that the first stream still uses."""
    queue = fake.open_queue()
    fake.select_queue(queue)
    memory = fake.allocate(1000)
    fake.select_queue(None)
    fake.close_queue(queue)
    spare = len(fake.interface._spare)
    assert queue not in [fake.open_queue() for _ in range(spare)]
    fake.free(memory)
    assert fake.open_queue() is queue
    for each in fake.interface._streams[1:]:
        fake.close_queue(each)


def test_products_on_another_stream(fake: StreamDriver) -> None:
    """Each has a handle of cuBLAS, with a workspace of its own."""
    queue = fake.open_queue()
    fake.select_queue(queue)
    try:
        check_products(fake)
    finally:
        fake.select_queue(None)
        fake.close_queue(queue)
    assert ("cublas", queue.ptr) in fake.interface._handles
