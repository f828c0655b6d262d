"""The buffer pool: 64-byte aligned blocks in size classes at most 12.5 % apart, cached for later requests."""

from ....codegen.native.language import (
    Struct,
    atomic_exchange,
    atomic_load,
    atomic_store,
    export,
    i32,
    i64,
    leading_zeros,
    offset,
    pause,
    ptr,
    sizeof,
)
from .state import RELEASE, STATE

SMALL_STEP = 64
SMALL_LIMIT = 512
SMALL_CLASSES = 8
PLACE_STEP = 16
LARGE_BYTES = 64 << 10
PAGE = 4096
PLACES = 8
PLACE_DISTANCE = 256
LARGEST = 1 << 46
HUGE_BYTES = 4 << 20
HUGE_ALIGNMENT = 2 << 20
READ_WRITE = 3
ALIVE = 0x6A66626C6F636B31
KEPT = 0x6A66626C6F636B30


class Block(Struct):
    """The header in the 64 bytes before the cache line in which a buffer begins."""

    raw: ptr
    mapped_bytes: i64
    capacity: i64
    size_class: i64
    following: ptr
    mark: i64
    requested: i64
    release: i64


@export
def size_class(nbytes: i64) -> i64:
    """Classes 0 to 7 are multiples of 64 bytes; above, each doubling has eight."""
    if nbytes <= SMALL_STEP:
        return 0
    if nbytes <= SMALL_LIMIT:
        return (nbytes - 1) // SMALL_STEP
    top = 63 - leading_zeros(nbytes - 1)
    return SMALL_CLASSES + (top - 9) * 8 + ((nbytes - 1 - (1 << top)) >> (top - 3))


@export
def class_bytes(number: i64) -> i64:
    """Returns the largest request that a class serves."""
    if number < SMALL_CLASSES:
        return (number + 1) * SMALL_STEP
    top = 9 + (number - SMALL_CLASSES) // 8
    part = (number - SMALL_CLASSES) % 8
    return (1 << top) + ((part + 1) << (top - 3))


def lock_pool() -> None:
    pool = STATE.pool
    attempts = 0
    while atomic_exchange(pool.lock, 1) != 0:
        while atomic_load(pool.lock) != 0:
            pause()
            attempts += 1
            # The holder may have lost its processor: let it run.
            if attempts % 1024 == 0 and STATE.system.sched_yield:
                STATE.system.sched_yield()


def unlock_pool() -> None:
    atomic_store(STATE.pool.lock, 0)


def room_for(capacity: i64) -> i64:
    """Returns the bytes of a block: header and buffer, and the possible offset of large ones in a page."""
    if capacity < LARGE_BYTES:
        return capacity + 2 * SMALL_STEP
    return capacity + 2 * SMALL_STEP + PAGE


def block_in(raw: ptr, mapped_bytes: i64, release: i64) -> Block:
    if not raw:
        return Block(None)
    block = Block(ptr((i64(raw) + SMALL_STEP - 1) // SMALL_STEP * SMALL_STEP))
    block.raw = raw
    block.mapped_bytes = mapped_bytes
    block.release = release
    return block


def map_block(capacity: i64) -> Block:
    """Maps a block at a huge page's start, and requests huge pages."""
    system = STATE.system
    nbytes = (room_for(capacity) + system.page_size - 1) // system.page_size * system.page_size
    start = i64(system.mmap(None, nbytes + HUGE_ALIGNMENT, READ_WRITE, i32(system.map_flags), -1, 0))
    if start == -1:
        return Block(None)
    aligned = (start + HUGE_ALIGNMENT - 1) // HUGE_ALIGNMENT * HUGE_ALIGNMENT
    if aligned != start:
        system.munmap(ptr(start), aligned - start)
    tail = start + HUGE_ALIGNMENT - aligned
    if tail != 0:
        system.munmap(ptr(aligned + nbytes), tail)
    if system.madvise and system.huge_page_advice >= 0:
        system.madvise(ptr(aligned), nbytes, i32(system.huge_page_advice))
    return block_in(ptr(aligned), nbytes, 0)


def new_block(capacity: i64) -> Block:
    pool = STATE.pool
    if pool.allocate:
        return block_in(pool.allocate(room_for(capacity)), 0, i64(ptr(pool.release)))
    if capacity >= HUGE_BYTES and STATE.system.mmap:
        return map_block(capacity)
    return block_in(STATE.python.PyMem_RawMalloc(room_for(capacity)), 0, 0)


def placed(block: Block, other: i64, turn: i64) -> Block:
    """Returns the block, moved to where its large buffer begins.

    A load waits for earlier stores to the same offset of any page, so the buffer begins somewhat before the
    offset of `other` in its page. Consecutive buffers begin at different offsets, as the first cache holds
    few lines of each offset.
    """
    first = (i64(block.raw) + SMALL_STEP - 1) // SMALL_STEP * SMALL_STEP + SMALL_STEP
    place = other // SMALL_STEP * SMALL_STEP - (turn % PLACES + 1) * PLACE_DISTANCE
    begin = first + (place - first) % PAGE - SMALL_STEP
    STATE.system.memmove(ptr(begin), block, sizeof(Block))
    return Block(ptr(begin))


def release_block(block: Block) -> None:
    block.mark = 0
    if block.release != 0:
        RELEASE(ptr(block.release))(block.raw)
    elif block.mapped_bytes != 0:
        STATE.system.munmap(block.raw, block.mapped_bytes)
    else:
        STATE.python.PyMem_RawFree(block.raw)


@export
def pool_trim(target: i64) -> None:
    """Releases cached blocks to the system, class by class in turn, until at most `target` bytes are
    cached."""
    pool = STATE.pool
    while True:
        victim = Block(None)
        lock_pool()
        if pool.kept_bytes > target:
            for _ in range(400):
                pool.sweep = 0 if pool.sweep >= 399 else pool.sweep + 1
                victim = Block(pool.lists[pool.sweep])
                if victim:
                    pool.lists[pool.sweep] = victim.following
                    pool.kept_bytes -= victim.capacity
                    break
        unlock_pool()
        if not victim:
            return
        release_block(victim)


def refuse(nbytes: i64) -> None:
    pool = STATE.pool
    pool.refused = nbytes
    pool.refused_live = pool.live_bytes
    pool.refused_buffers = pool.live_buffers
    pool.refused_for_room = 0


@export
def pool_take(nbytes: i64) -> ptr:
    """Returns a buffer of at least so many bytes, with undefined content; null where there is no memory, or a
    limit forbids it."""
    return pool_take_aligned_with(nbytes, 0)


@export
def pool_take_aligned_with(nbytes: i64, other: i64) -> ptr:
    """Does the same, with the offset of `other` in its cache line, to 16 bytes, where the buffer is
    mapped."""
    return take(nbytes, other, 1)


def take(nbytes: i64, other: i64, asking: i64) -> ptr:
    """`asking`: the request is refused where Python must be asked first."""
    if nbytes < 0 or nbytes > LARGEST:
        refuse(nbytes)
        return None
    pool = STATE.pool
    number = size_class(nbytes)
    capacity = class_bytes(number)
    lock_pool()
    live = pool.live_bytes + capacity
    if live > pool.limit_bytes or pool.live_buffers >= pool.limit_buffers:
        refuse(nbytes)
        unlock_pool()
        return None
    block = Block(pool.lists[number])
    if not block and asking != 0 and capacity > pool.unasked_bytes and not pool.allocate:
        refuse(nbytes)
        pool.refused_for_room = 1
        pool.wanted_bytes += capacity
        unlock_pool()
        return None
    if block:
        pool.lists[number] = block.following
        pool.kept_bytes -= capacity
        pool.hits += 1
    else:
        pool.misses += 1
        pool.taken_bytes += capacity
        pool.unasked_bytes -= capacity
    if live > pool.pressure_bytes and pool.live_bytes <= pool.pressure_bytes:
        pool.crossings += 1
    pool.live_bytes = live
    pool.live_buffers += 1
    pool.requested_bytes += nbytes
    if live > pool.peak_bytes:
        pool.peak_bytes = live
    if capacity >= LARGE_BYTES:
        pool.placed += 1
    turn = pool.placed
    room = pool.limit_bytes - live
    crowded = pool.kept_bytes > room
    unlock_pool()
    if not block:
        if crowded:
            pool_trim(room)
        block = new_block(capacity)
        if not block:
            pool_trim(0)
            block = new_block(capacity)
        if not block:
            lock_pool()
            pool.live_bytes -= capacity
            pool.live_buffers -= 1
            pool.requested_bytes -= nbytes
            pool.misses -= 1
            refuse(nbytes)
            unlock_pool()
            return None
        block.capacity = capacity
        block.size_class = number
    if capacity >= LARGE_BYTES:
        block = placed(block, other, turn)
    block.mark = ALIVE
    block.requested = nbytes
    if block.mapped_bytes == 0:
        return offset(block, SMALL_STEP)
    return offset(block, SMALL_STEP + other % SMALL_STEP // PLACE_STEP * PLACE_STEP)


def block_of(buffer: ptr) -> Block:
    return Block(offset(buffer, -SMALL_STEP - i64(buffer) % SMALL_STEP))


def make_room() -> i32:
    """Lets Python free all unused memory; not zero where that raised. Called with the GIL held."""
    python = STATE.python
    if python.make_room:
        result = python.PyObject_Vectorcall(python.make_room, None, 0, None)
        if not result:
            return 1
        python.Py_DecRef(result)
    return 0


@export
def pool_give(buffer: ptr) -> None:
    """Frees a buffer. Counts a pointer that is no live buffer of ours, and leaves it alone."""
    if not buffer:
        return
    pool = STATE.pool
    block = block_of(buffer)
    lock_pool()
    if block.mark != ALIVE:
        pool.faults += 1
        unlock_pool()
        return
    block.mark = KEPT
    capacity = block.capacity
    pool.live_bytes -= capacity
    pool.live_buffers -= 1
    keep = capacity <= pool.kept_limit
    if keep:
        block.following = pool.lists[block.size_class]
        pool.lists[block.size_class] = block
        pool.kept_bytes += capacity
    full = pool.kept_bytes > pool.kept_limit
    unlock_pool()
    if not keep:
        release_block(block)
    elif full:
        pool_trim(pool.kept_limit)


@export
def pool_after_fork() -> None:
    """Empties the pool of a child process: another thread may have held the lock, or been inside a list."""
    pool = STATE.pool
    for number in range(400):
        pool.lists[number] = None
    pool.kept_bytes = 0
    atomic_store(pool.lock, 0)


@export
def handler_malloc(context: ptr, nbytes: i64) -> ptr:
    """NumPy's allocator interface (NEP 49): an array that owns a pool buffer can be resized and freed.

    NumPy requests once, and Python is not asked."""
    return take(nbytes, 0, 0)


@export
def handler_calloc(context: ptr, count: i64, nbytes: i64) -> ptr:
    if count != 0 and nbytes > LARGEST // count:
        return None
    buffer = take(count * nbytes, 0, 0)
    if buffer:
        STATE.system.memset(buffer, 0, count * nbytes)
    return buffer


@export
def handler_realloc(context: ptr, buffer: ptr, nbytes: i64) -> ptr:
    if not buffer:
        return take(nbytes, 0, 0)
    block = block_of(buffer)
    if nbytes <= block.capacity:
        return buffer
    larger = take(nbytes, 0, 0)
    if larger:
        STATE.system.memmove(larger, buffer, block.capacity)
        pool_give(buffer)
    return larger


@export
def handler_free(context: ptr, buffer: ptr, nbytes: i64) -> None:
    pool_give(buffer)
