"""The buffer pool: size classes, alignment, reuse, bounds, threads, and the child of a fork."""

from __future__ import annotations

import ctypes
import gc
import itertools
import os
import random

import pytest

from tests.threads import at_once


@pytest.fixture
def pool(runtime):
    """Two functions of the native pool, and a runtime with nothing kept."""
    gc.collect()
    runtime.trim()
    limit = runtime.statistics()["kept_limit"]
    yield runtime
    runtime.set_kept_limit(limit)
    assert runtime.statistics()["faults"] == 0


def native(runtime, name):
    return runtime.library.function(name, ctypes.c_int64, ctypes.c_int64)


def give_back(runtime, address):
    runtime.library.function("pool_give", None, ctypes.c_void_p)(address)


def test_classes_are_exact_and_at_most_an_eighth_apart(runtime):
    number, nbytes = native(runtime, "size_class"), native(runtime, "class_bytes")
    sizes = [nbytes(k) for k in range(300)]
    assert sizes[:10] == [64, 128, 192, 256, 320, 384, 448, 512, 576, 640]
    for smaller, larger in itertools.pairwise(sizes):
        assert smaller < larger and (larger <= 512 or larger * 8 <= smaller * 9)
        assert larger % 64 == 0
    for k, size in enumerate(sizes):
        assert number(size) == k
        assert number(size + 1) == k + 1
    assert number(0) == number(1) == 0


@pytest.mark.parametrize("nbytes", [0, 1, 63, 64, 65, 4096, 100_000, 4 << 20, (4 << 20) + 1, 37_000_001])
def test_buffers_are_aligned_and_writable_to_their_end(pool, nbytes):
    buffer = pool.allocate(nbytes)
    assert buffer.address % 64 == 0
    ctypes.memset(buffer.address, 7, nbytes)
    assert ctypes.string_at(buffer.address, nbytes) == b"\7" * nbytes


@pytest.mark.parametrize("nbytes", [70_000, 5 << 20])
def test_large_buffers_have_places_of_their_own_before_that_of_another(pool, nbytes):
    words = ctypes.c_int64
    take = pool.library.function("pool_take_aligned_with", words, words, words)
    nbytes = native(pool, "class_bytes")(native(pool, "size_class")(nbytes))  # all of its class
    addresses = []
    for place in (0, 1, 15, 16, 20, 32, 48, 63):
        other = (1 << 40) + 512 + place
        address = take(nbytes, other)
        assert address % 64 == (place // 16 * 16 if nbytes >= 4 << 20 else 0)
        assert 256 <= (other - address) % 4096 < 2048 + 64  # somewhat before it in a page
        ctypes.memset(address, 7, nbytes)
        assert ctypes.string_at(address, nbytes) == b"\7" * nbytes
        give_back(pool, address)
        addresses.append(address)
    assert max(addresses) - min(addresses) < 4096  # the same memory
    assert len({address % 4096 // 64 for address in addresses}) == 8  # in eight places of a page
    small = take(1000, 16)
    assert small % 64 == 0
    give_back(pool, small)


def test_a_returned_buffer_is_the_next_one_of_its_class(pool):
    address = pool.allocate(50_000).address
    before = pool.statistics()
    again = pool.allocate(49_200)
    after = pool.statistics()
    assert again.address == address
    assert (after["hits"] - before["hits"], after["misses"] - before["misses"]) == (1, 0)
    assert before["kept_bytes"] - after["kept_bytes"] == after["live_bytes"] - before["live_bytes"] == 53_248


def test_live_buffers_never_overlap(pool):
    generator = random.Random(1)
    live = {}
    for round_number in range(3000):
        if live and generator.random() < 0.5:
            live.pop(generator.choice(list(live)))
            continue
        nbytes = generator.choice([1, 70, 500, 1000, 5000, 70_000])
        buffer = pool.allocate(nbytes)
        ctypes.memset(buffer.address, round_number % 256, nbytes)
        live[round_number] = buffer
        ranges = sorted((known.address, known.address + known.nbytes) for known in live.values())
        assert all(first[1] <= second[0] for first, second in itertools.pairwise(ranges))
    for number, buffer in live.items():
        assert set(ctypes.string_at(buffer.address, buffer.nbytes)) == {number % 256}


def test_kept_bytes_are_bounded_and_can_be_given_back(pool):
    pool.set_kept_limit(1 << 20)
    held = [pool.allocate(200_000) for _ in range(20)]
    big = pool.allocate(3 << 20)
    del held, big
    assert 0 < pool.statistics()["kept_bytes"] <= 1 << 20
    pool.trim(300_000)
    assert pool.statistics()["kept_bytes"] <= 300_000
    pool.trim()
    assert pool.statistics()["kept_bytes"] == 0


def test_a_request_that_cannot_be_met_is_a_memory_error(pool):
    before = pool.statistics()["live_bytes"]
    for nbytes in (-1, 1 << 45, 1 << 60):
        with pytest.raises(MemoryError, match=f"cannot allocate {nbytes} bytes"):
            pool.allocate(nbytes)
    assert pool.statistics()["live_bytes"] == before


def test_a_second_return_of_one_buffer_is_counted_and_harmless(in_subprocess):
    out = in_subprocess("""
        import ctypes
        give = runtime.library.function("pool_give", None, ctypes.c_void_p)
        address = runtime.library.function("pool_take", ctypes.c_void_p, ctypes.c_int64)(1000)
        give(address)
        give(address)
        first, second = runtime.allocate(1000), runtime.allocate(1000)
        print(runtime.statistics()["faults"], first.address != second.address)
    """)
    assert out.split() == ["1", "True"]


def test_many_threads_take_and_give(pool):
    def work(seed):
        generator = random.Random(seed)
        live = []
        for _ in range(2000):
            if len(live) > 20 or (live and generator.random() < 0.5):
                buffer, mark = live.pop(generator.randrange(len(live)))
                assert ctypes.string_at(buffer.address, buffer.nbytes) == bytes([mark]) * buffer.nbytes
            else:
                buffer = pool.allocate(generator.choice([10, 100, 900, 3000]))
                mark = generator.randrange(256)
                ctypes.memset(buffer.address, mark, buffer.nbytes)
                live.append((buffer, mark))

    before = pool.statistics()["live_bytes"]
    at_once(work, 6)
    assert pool.statistics()["live_bytes"] == before


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps"), reason="asks Linux about huge pages")
def test_large_buffers_ask_for_huge_pages(pool):
    buffer = pool.allocate(16 << 20)
    inside = False
    with open("/proc/self/smaps") as maps:
        for line in maps:
            if "-" in line.split()[0]:
                start, end = (int(part, 16) for part in line.split()[0].split("-"))
                inside = start <= buffer.address < end
            elif inside and line.startswith("VmFlags"):
                assert "hg" in line.split()
                return
    raise AssertionError("the buffer is in no mapping")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_child_of_a_fork_has_a_pool_of_its_own(in_subprocess):
    out = in_subprocess("""
        import ctypes, os
        held = runtime.allocate(5000)
        ctypes.memset(held.address, 3, 5000)
        kept = runtime.allocate(7000).address
        child = os.fork()
        if child == 0:
            fresh = runtime.allocate(7000)
            ok = runtime.statistics()["kept_bytes"] == 0 and fresh.address != kept
            ok = ok and ctypes.string_at(held.address, 5000) == bytes([3]) * 5000
            address = held.address
            del held
            ok = ok and runtime.allocate(5000).address == address
            os._exit(0 if ok else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), runtime.allocate(7000).address == kept)
    """)
    assert out.split() == ["0", "True"]
