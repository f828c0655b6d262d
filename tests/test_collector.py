"""Python's garbage collector around imports and first traces: paused, then as it was, with nothing frozen."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from jitframe.base.collector import without_collections


@pytest.fixture(autouse=True)
def enabled() -> Iterator[None]:
    gc.unfreeze()  # what all tests share (`conftest.py`)
    gc.enable()
    yield
    gc.freeze()
    gc.enable()


class Cycle:
    def __init__(self) -> None:
        self.own = self


@pytest.mark.parametrize("live_on", [False, True])
def test_it_pauses_and_goes_on(live_on: bool) -> None:
    before = [each["collections"] for each in gc.get_stats()]

    def work() -> list[list[None]]:
        assert not gc.isenabled()
        kept: list[list[None]] = [[] for _ in range(100_000)]
        assert [each["collections"] for each in gc.get_stats()] == before
        return kept

    kept = without_collections(work, live_on)
    assert gc.isenabled() and gc.get_freeze_count() == 0 and len(kept) == 100_000


@pytest.mark.parametrize("live_on", [False, True])
def test_an_error_leaves_it_on(live_on: bool) -> None:
    with pytest.raises(ZeroDivisionError):
        without_collections(lambda: 1 / 0, live_on)
    assert gc.isenabled()


@pytest.mark.parametrize("live_on", [False, True])
def test_where_it_is_off_it_stays_off(live_on: bool) -> None:
    gc.disable()
    assert not without_collections(gc.isenabled, live_on)
    assert not gc.isenabled()


def test_what_lives_on_is_not_searched_at_once() -> None:
    gc.collect()
    before = gc.get_stats()[0]["collections"]
    kept = without_collections(lambda: [[] for _ in range(100_000)], live_on=True)
    more = [[] for _ in range(10)]
    assert gc.get_stats()[0]["collections"] == before and kept and more


def test_garbage_made_meanwhile_is_still_found() -> None:
    gone = without_collections(lambda: weakref.ref(Cycle()), live_on=True)
    gc.collect()
    assert gone() is None


def test_what_the_program_froze_stays_frozen() -> None:
    gc.freeze()
    count = gc.get_freeze_count()
    assert count > 0
    without_collections(lambda: None, live_on=True)
    assert gc.get_freeze_count() >= count - 100  # less what has gone meanwhile


def test_it_is_paused_until_the_last_thread_is_done() -> None:
    entered, left = threading.Event(), threading.Event()
    seen: list[bool] = []

    def other() -> None:
        entered.set()
        assert left.wait(60)
        seen.append(gc.isenabled())

    thread = threading.Thread(target=without_collections, args=(other,))

    def first() -> None:
        thread.start()
        assert entered.wait(60)

    without_collections(first)
    left.set()
    thread.join()
    assert seen == [False] and gc.isenabled()
