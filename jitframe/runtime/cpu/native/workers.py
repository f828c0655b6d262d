"""Worker threads: they and the caller claim chunks of workgroups from one ticket.

A ticket is (launch number << 32 | next chunk), taken by compare-and-exchange, so a late thread can never
claim from a launch whose fields it has not read. The caller waits only for claimed chunks. Claims have many
chunks at first and fewer towards the end, so that threads end together though one began late or is slower
(guided self-scheduling, C. D. Polychronopoulos and D. J. Kuck, 1987).
"""

from ....codegen.native.language import (
    address,
    atomic_add,
    atomic_compare_exchange,
    atomic_exchange,
    atomic_load,
    atomic_store,
    export,
    fence,
    i32,
    i64,
    local,
    pause,
    ptr,
)
from .state import KERNEL, STATE

SPINS = 2000
CHUNKS_PER_THREAD = 64
MOST_CLAIMED = 8
"""The most chunks of one claim: between claims the caller checks for signals."""
CHUNK_MASK = 0xFFFFFFFF
CLOSED = 0xFFFFFFFF

SOON_NS = 50_000
"""Workers that are woken for a launch so soon after another one will still spin when the next one comes."""
WORTH_WAKING_NS = 60_000
"""The least remaining work of one thread for which waking another one saves time."""
LOOK_NS = 8_000
"""The time after which the rest of a launch is estimated: its first chunk may find its data far away."""

PARK_NONE = 0
PARK_FUTEX = 1
PARK_CONDITION = 2
PARK_ADDRESS = 3

FUTEX_WAIT_PRIVATE = 128
FUTEX_WAKE_PRIVATE = 129
EVERYONE = 0x7FFFFFFF
SET_WORDS = 16
"""Words of the C library's set of processors, 64 processors each."""


def park(seen: i32) -> None:
    """Sleeps while the epoch is still `seen`."""
    system = STATE.system
    workers = STATE.workers
    if system.parking == PARK_FUTEX:
        word = address(workers.epoch)
        system.syscall(system.futex_number, word, FUTEX_WAIT_PRIVATE, i64(seen), None, None, 0)
    elif system.parking == PARK_CONDITION:
        system.pthread_mutex_lock(workers.mutex)
        while atomic_load(workers.epoch) == seen:
            system.pthread_cond_wait(workers.condition, workers.mutex)
        system.pthread_mutex_unlock(workers.mutex)
    elif system.parking == PARK_ADDRESS:
        expected = local(i32)
        expected[0] = seen
        system.WaitOnAddress(address(workers.epoch), expected, 4, -1)


def unpark() -> None:
    """Wakes the sleepers, after the epoch has moved."""
    system = STATE.system
    workers = STATE.workers
    if system.parking == PARK_FUTEX:
        system.syscall(
            system.futex_number, address(workers.epoch), FUTEX_WAKE_PRIVATE, EVERYONE, None, None, 0
        )
    elif system.parking == PARK_CONDITION:
        system.pthread_mutex_lock(workers.mutex)
        system.pthread_cond_broadcast(workers.condition)
        system.pthread_mutex_unlock(workers.mutex)
    elif system.parking == PARK_ADDRESS:
        system.WakeByAddressAll(address(workers.epoch))


def note_caller() -> None:
    """Records the thread that is about to create or to wake workers, and its processor."""
    system = STATE.system
    if system.sched_getcpu and system.gettid:
        atomic_store(STATE.workers.caller, system.gettid())
        atomic_store(STATE.workers.processor, system.sched_getcpu())


def read_clock(clock: i64) -> i64:
    """Returns nanoseconds of one of the system's clocks; 0 where there is none."""
    system = STATE.system
    if not system.clock_gettime:
        return 0
    time = local(i64, 2)
    system.clock_gettime(i32(clock), time)
    return time[0] * 1_000_000_000 + time[1]


@export
def wake_if_worth() -> None:
    """Wakes the sleeping workers where, by the progress so far, enough work remains."""
    workers = STATE.workers
    elapsed = read_clock(STATE.system.fine_clock) - workers.held_ns
    if elapsed < LOOK_NS:
        return
    atomic_store(workers.held_ns, 0)
    done = atomic_load(workers.ticket) & CHUNK_MASK
    left = atomic_load(workers.chunks) - done
    if elapsed * left > WORTH_WAKING_NS * done:
        note_caller()
        unpark()


def stand_aside() -> None:
    """Leaves the caller's processor, where the caller may use others.

    A system may wake a worker there though another processor is idle: on virtual machines those that sleep do
    not look idle. The two would then take turns until the system's balancing sees them, milliseconds later,
    and again at each wake. A worker that avoids one processor alone does not disturb other processes'
    workers, and the caller may be moved anywhere.
    """
    system = STATE.system
    workers = STATE.workers
    if not (system.sched_getcpu and system.gettid and system.sched_getaffinity and system.sched_setaffinity):
        return
    here = i64(system.sched_getcpu())
    if here < 0 or here >= 64 * SET_WORDS or here != i64(atomic_load(workers.processor)):
        return
    allowed = local(i64, SET_WORDS)
    if system.sched_getaffinity(atomic_load(workers.caller), 8 * SET_WORDS, allowed) != 0:
        return
    allowed[here // 64] &= ~(1 << here % 64)
    for word in range(SET_WORDS):
        if allowed[word] != 0:
            system.sched_setaffinity(0, 8 * SET_WORDS, allowed)
            return


@export
def claim_and_run(worker: i32) -> i32:
    """Runs some chunks of the shared launch; returns 0 where none is left for this worker (-1 is the
    caller)."""
    workers = STATE.workers
    ticket = atomic_load(workers.ticket)
    number = ticket & CHUNK_MASK
    kernel = atomic_load(workers.kernel)
    slots = atomic_load(workers.slots)
    groups = atomic_load(workers.groups)
    chunk = atomic_load(workers.chunk)
    left = atomic_load(workers.chunks) - number
    admitted = atomic_load(workers.admitted)
    if left <= 0 or i64(worker) >= admitted:
        return 0
    claimed = left // (2 * (admitted + 1))
    if claimed > MOST_CLAIMED:
        claimed = MOST_CLAIMED
    if atomic_load(workers.held_ns) != 0:
        claimed = 1
    if claimed < 1:
        claimed = 1
    if not atomic_compare_exchange(workers.ticket, ticket, ticket + claimed):
        pause()
        return 1
    begin = number * chunk
    end = begin + claimed * chunk
    kernel(slots, begin, groups if end > groups else end)
    atomic_add(workers.finished, claimed)
    return 1


@export
def worker_main(argument: ptr) -> ptr:
    """The main loop of a worker: spins for a while after each launch, then sleeps until the next."""
    workers = STATE.workers
    number = i32(i64(argument))
    stand_aside()
    # A worker born late has missed no launch: the caller never waits for it.
    seen = atomic_load(workers.epoch)
    while claim_and_run(number) != 0:
        pass
    while True:
        spins = 0
        while spins < SPINS and atomic_load(workers.epoch) == seen:
            pause()
            spins += 1
        if atomic_load(workers.epoch) == seen:
            atomic_add(workers.sleepers, 1)
            park(seen)
            atomic_add(workers.sleepers, -1)
            stand_aside()
            continue
        seen = atomic_load(workers.epoch)
        while claim_and_run(number) != 0:
            pass


def start_workers() -> None:
    """Creates the missing threads, with every signal blocked in them."""
    workers = STATE.workers
    system = STATE.system
    if not system.pthread_create:
        return
    old_signals = local(i64, 16)
    if system.pthread_sigmask:
        system.pthread_sigmask(i32(system.signals_set), workers.signals, old_signals)
    while workers.started < workers.wanted:
        thread = local(i64)
        if system.pthread_create(thread, None, ptr(worker_main), ptr(i64(workers.started))) != 0:
            workers.wanted = workers.started
            break
        system.pthread_detach(thread[0])
        workers.started += 1
    if system.pthread_sigmask:
        system.pthread_sigmask(i32(system.signals_set), old_signals, None)


@export
def share(kernel: KERNEL, slots: ptr, groups: i64, threads: i64, short: i64) -> i64:
    """Offers a launch to the workers; returns the number of its chunks, or 0 where they serve another caller.

    At most `threads` run it, the caller included. Sleeping workers are not woken at once for a short one,
    where `short` is not 0, unless it soon follows another one: see `wake_if_worth`.
    """
    workers = STATE.workers
    admitted = i64(workers.limit)
    if admitted >= threads:
        admitted = threads - 1
    if admitted <= 0 or not atomic_compare_exchange(workers.busy, 0, 1):
        workers.lone_launches += 1
        return 0
    held = 0
    if workers.started < workers.wanted:
        note_caller()
        start_workers()
    elif atomic_load(workers.sleepers) > 0:
        if short != 0:
            held = read_clock(STATE.system.fine_clock)
            if held - workers.ended_ns < SOON_NS:
                held = 0
        if held == 0:
            note_caller()
    launch = (atomic_load(workers.ticket) >> 32) + 1
    chunk_count = (admitted + 1) * CHUNKS_PER_THREAD
    chunk = groups // chunk_count
    if chunk < 1:
        chunk = 1
    chunks = (groups + chunk - 1) // chunk
    # Closed first: a ticket of the launch before must not be claimable against the new fields.
    atomic_store(workers.ticket, launch << 32 | CLOSED)
    fence()
    atomic_store(workers.finished, 0)
    atomic_store(workers.kernel, kernel)
    atomic_store(workers.slots, slots)
    atomic_store(workers.groups, groups)
    atomic_store(workers.chunk, chunk)
    atomic_store(workers.chunks, chunks)
    atomic_store(workers.admitted, admitted)
    atomic_store(workers.held_ns, held)
    atomic_store(workers.ticket, launch << 32)
    atomic_add(workers.epoch, 1)
    workers.shared_launches += 1
    if held == 0 and atomic_load(workers.sleepers) > 0:
        unpark()
    return chunks


@export
def finish_share() -> None:
    """Stops claims, waits for claimed chunks, and lets the next caller share."""
    workers = STATE.workers
    closed = atomic_load(workers.ticket) | CLOSED
    ticket = atomic_exchange(workers.ticket, closed)
    claimed = ticket & CHUNK_MASK
    spins = 0
    while atomic_load(workers.finished) < claimed:
        pause()
        spins += 1
        if spins % SPINS == 0 and STATE.system.sched_yield:
            STATE.system.sched_yield()
    atomic_store(workers.held_ns, 0)
    workers.ended_ns = read_clock(STATE.system.fine_clock)
    atomic_store(workers.busy, 0)


@export
def workers_after_fork() -> None:
    """Resets the workers of a child process, which has none; its first launch that can use them creates
    them."""
    workers = STATE.workers
    # A launch that another thread had open is not the child's to finish.
    atomic_store(workers.ticket, (((atomic_load(workers.ticket) >> 32) + 1) << 32) | CLOSED)
    atomic_store(workers.started, 0)
    atomic_store(workers.sleepers, 0)
    atomic_store(workers.held_ns, 0)
    atomic_store(workers.busy, 0)
