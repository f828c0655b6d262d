"""Signals and forks at any moment of work that goes on behind the program: nothing hangs or is lost.

Each program runs in a process of its own, with an alarm that ends it (and its children) where it hangs.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.foundations.chains import CHAIN

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="signals and forks of this kind are POSIX's")

START = """
import json, os, random, signal, sys, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # 3.12 warns about threads in a process that forks
signal.alarm(ALARM)
import numpy as np, jitframe as jf
x = np.linspace(0.1, 1, 100, dtype=np.float32)
"""
CHECK = """
def check(number):
    assert np.allclose(jf.jit(chain(number))(x), chain(number)(x), rtol=1e-4, atol=1e-5), number

def child(work):
    '''The exit status of a forked process that does some work, 0 where it did.'''
    pid = os.fork()
    if pid == 0:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(ALARM)
        try:
            work()
        except BaseException:
            import traceback
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    return pid

def status(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, in_process: Any) -> str:
    """A cache folder with the native runtime's image and the kernels of operations."""
    folder = str(tmp_path_factory.mktemp("kernels"))
    in_process("import numpy as np, jitframe as jf; jf.jit(lambda x: x + 1)(np.ones(3)); print(0)",
               JITFRAME_CACHE_DIR=folder)  # fmt: skip
    return folder


@pytest.fixture
def run(prepared: str, in_process: Any) -> Any:
    def run_program(text: str, alarm: int = 60, **environment: str) -> Any:
        given = {"JITFRAME_CACHE_DIR": prepared, "JITFRAME_NUM_THREADS": "2", **environment}
        start = (START + CHAIN + CHECK).replace("ALARM", str(alarm))
        return in_process(start + text, timeout=alarm + 60, **given)

    return run_program


NOTED = """
from jitframe.base import background
begun, start = [], background.start_new_thread
def interrupted(*given):
    if begun:
        return start(*given)
    begun.append(1)
    raise KeyboardInterrupt
task = None
background.start_new_thread = interrupted
try:
    background.begin(lambda: 7)
except KeyboardInterrupt:
    stats = jf.cache.stats()
    check(1)
    code = status(child(lambda: (jf.cache.stats(), check(2))))
    print(json.dumps([len(begun), code]))
"""


def test_work_that_an_interrupt_kept_from_starting_is_done_by_who_waits_for_it(run):
    """So are statistics, a fork, and the end of the process."""
    assert run(NOTED) == [1, 0]


OBTAINED = """
from jitframe.cache.service import KernelCache
obtained, interrupted = KernelCache._load_or_compile, []
def interrupt(self, *given):
    if not interrupted:
        interrupted.append(1)
        raise KeyboardInterrupt
    return obtained(self, *given)
KernelCache._load_or_compile = interrupt
from jitframe.cache import lookup_or_compile, CompiledParts
def look_up():
    return lookup_or_compile("text", "target", None, lambda: CompiledParts(b"image", "source"))
# At the n-th return of a function that is written in C, which is where handlers of signals run.
left = 0
def event(frame, kind, what):
    global left
    if kind == "c_return":
        left -= 1
        if left == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt
ended = 0
for number in range(1, 200):
    left = number
    KernelCache._load_or_compile = obtained
    jf.cache.kernel_cache().memory.clear()
    sys.setprofile(event)
    try:
        lookup_or_compile(f"text {number}", "target", None, lambda: CompiledParts(b"image", "source"))
    except KeyboardInterrupt:
        ended += 1
    sys.setprofile(None)
    found = []
    thread = threading.Thread(target=lambda: found.append(
        lookup_or_compile(f"text {number}", "target", None, lambda: CompiledParts(b"image", "source"))))
    thread.start()
    thread.join()
    assert found == [b"image"]
print(json.dumps(ended))
"""


def test_a_kernel_whose_compilation_was_interrupted_is_compiled_again(run):
    """By the thread that was interrupted, and by others; wherever that was."""
    assert run(OBTAINED, JITFRAME_CACHE="off") > 20


SWEEP = """
from jitframe.compilation import evaluate
from jitframe.cache.service import kernel_cache
from jitframe.runtime.cpu.kernels import compiled_kernels
import gc
left = 0
def event(frame, kind, what):
    global left
    if kind in ("c_return", "call"):
        left -= 1
        if left == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt
check(0)
ended = 0
for step in range(STEPS):
    number, left = 1 + step % 40, 1 + step * STRIDE
    jf.clear()
    function = jf.jit(chain(number))
    sys.setprofile(event)
    try:
        function(x)
    except KeyboardInterrupt:
        ended += 1
    sys.setprofile(None)
    assert gc.isenabled()
    assert np.allclose(function(x), chain(number)(x), rtol=1e-4, atol=1e-5)
    assert jf.cache.stats()["faults"] == 0
print(json.dumps(ended))
"""


@pytest.mark.parametrize("background", ["on", "off"])
@pytest.mark.parametrize(
    ("steps", "stride"), [(60, 41), pytest.param(3000, 1, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_an_interrupt_at_any_moment_of_a_first_call_leaves_the_next_one_right(run, background, steps, stride):
    """Sixty compilations, or a few thousand."""
    text = SWEEP.replace("STEPS", str(steps)).replace("STRIDE", str(stride))
    cache = "off" if background == "off" else "on"
    ended = run(text, 600, JITFRAME_COMPILE_IN_BACKGROUND=background, JITFRAME_CACHE=cache)
    assert ended > steps // 4


ASKED = """
left = 0
def event(frame, kind, what):
    global left
    if kind in ("c_return", "call"):
        left -= 1
        if left == 0:
            sys.setprofile(None)
            check(100 + step)  # begins work on a thread of jitframe's own, and waits for it
            jf.cache.stats()
for number in range(8):
    check(number)
jf.cache.stats()
asked = 0
for step in range(STEPS):
    left = 1 + step * STRIDE
    jf.clear()
    function = jf.jit(chain(step % 8))
    sys.setprofile(event)
    found = function(x)
    sys.setprofile(None)
    asked += left <= 0
    assert np.allclose(found, chain(step % 8)(x), rtol=1e-4, atol=1e-5)
print(json.dumps(asked))
"""


@pytest.mark.parametrize("background", ["on", "off"])
@pytest.mark.parametrize(
    ("steps", "stride"), [(120, 29), pytest.param(3500, 1, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_a_handler_at_any_moment_of_a_first_call_may_wait_for_another_one(run, background, steps, stride):
    """The interrupted call, whose kernels the cache has, holds no lock that a thread of jitframe's own needs.
    A hundred compilations, or a few thousand."""
    text = ASKED.replace("STEPS", str(steps)).replace("STRIDE", str(stride))
    asked = run(text, 600 if stride == 1 else 100, JITFRAME_COMPILE_IN_BACKGROUND=background)
    assert asked > steps // 4


DURING_FORK = """
from jitframe.base import background
check(0)
class Alarm(Exception):
    pass
def ring(*_):
    raise Alarm
signal.signal(signal.SIGALRM, ring)
ended, codes, parent = 0, [], os.getpid()
for _ in range(10):
    begun = threading.Event()
    background.begin(lambda: (begun.set(), time.sleep(0.1)))
    begun.wait()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.03)
        if child(lambda: (check(1), jf.cache.stats(), status(child(lambda: check(2))) and 1 / 0)):
            while True:
                time.sleep(0.001)
    except Alarm:
        ended += 1
    codes.append(os.waitstatus_to_exitcode(os.wait()[1]))
signal.signal(signal.SIGALRM, signal.SIG_DFL)
print(json.dumps([ended, codes]))
"""


def test_a_signal_while_a_fork_waits_is_delivered_after_it(run):
    """And the child forks and ends as ever. Ten forks wait for a tenth of a second each."""
    assert run(DURING_FORK) == [10, [0] * 10]


IMPORTS = """
names = list(sys.modules)
thread = threading.Thread(target=lambda: check(int(sys.argv[1])))
thread.start()
codes, delay = [], 0.001
while thread.is_alive():
    time.sleep(delay)
    codes.append(status(child(lambda: check(int(sys.argv[1])))))
    delay *= 1.5
thread.join()
print(json.dumps(codes))
"""


@pytest.mark.parametrize("background", ["on", "off"])
def test_a_fork_during_the_imports_of_another_threads_first_call(run, tmp_path, background):
    """No byte code is kept, so importing takes long: seconds, each child doing it anew."""
    environment = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": str(tmp_path / "none")}
    text = IMPORTS.replace("int(sys.argv[1])", "12345" if background == "on" else "23456")
    codes = run(text, 120, JITFRAME_COMPILE_IN_BACKGROUND=background, **environment)
    assert codes and set(codes) == {0}


STORM = """
import collections
from jitframe.runtime.cpu.kernels.compiled_kernels import forget
class Struck(Exception):
    pass
sent = struck = forks = calls_made = missing = 0
codes = collections.Counter()
is_armed = False
def strike(*_):
    global is_armed
    if is_armed:
        is_armed = False
        raise Struck
signal.signal(signal.SIGUSR1, strike)
signal.alarm(0)
def reap(most):
    '''Wait until so many children are left at most.'''
    global missing
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        while forks - missing - codes.total() > most:
            try:
                codes[os.waitstatus_to_exitcode(os.wait()[1])] += 1
            except ChildProcessError:  # the interrupt came before the fork
                missing = forks - codes.total()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
main, seed, go, stop = threading.get_ident(), random.Random(7), threading.Event(), threading.Event()
limit = time.monotonic() + SECONDS
def signals():
    global sent
    go.wait()
    while not stop.is_set():
        time.sleep(seed.random() * 0.003)
        sent += 1
        signal.pthread_kill(main, signal.SIGUSR1)
def calls():
    number = 1
    while not stop.is_set():
        number += 2
        check(number % 5000)
check(0)
threads = [threading.Thread(target=signals), threading.Thread(target=calls)]
for each in threads:
    each.start()
while True:
    try:
        go.set()
        while time.monotonic() < limit or not (forks and struck):
            is_armed = True
            reap(7)
            calls_made += 1
            number = calls_made * 2 % 5000
            if calls_made % 4 == 0:
                forks += 1
                child(lambda: (check(number), check(number + 1), jf.cache.stats()))
            else:
                check(number)
            if calls_made % 16 == 0:
                jf.clear()
        break
    except Struck:
        struck += 1
is_armed = False
stop.set()
for each in threads:
    each.join()
reap(0)
import gc
assert gc.isenabled()
check(4321)
jf.cache.stats()
print(json.dumps([forks, sent, struck, sorted(codes.items())]))
"""


@pytest.mark.parametrize("background", ["on", "off"])
@pytest.mark.parametrize("seconds", [3, pytest.param(180, marks=pytest.mark.slow)])
def test_a_storm_of_signals_and_forks_finds_nothing(run, background, seconds):
    """A few hundred of them in three seconds, many thousands in minutes."""
    text = STORM.replace("SECONDS", str(seconds))
    forks, sent, struck, codes = run(text, seconds + 60, JITFRAME_COMPILE_IN_BACKGROUND=background)
    assert forks and struck and [code for code, _ in codes] == [0], (forks, sent, struck, codes)


DAEMONS = """
def work(number):
    while True:
        number += 3
        check(number % 100_000)
for number in range(3):
    threading.Thread(target=work, args=(number,), daemon=True).start()
time.sleep(0.5)
print(json.dumps(0))
"""


@pytest.mark.parametrize("background", ["on", "off"])
def test_daemon_threads_that_keep_making_first_calls_do_not_keep_the_process(run, background):
    """Half a second of them, and what they began."""
    assert run(DAEMONS, 60, JITFRAME_COMPILE_IN_BACKGROUND=background) == 0


STACKS = """
threading.stack_size(64 << 10)
found = []
def long(x):
    for step in range(200):
        x = np.sin(x) * (step % 7) + np.exp(-x * x) / (1 + step % 5)
    return x
def work():
    assert np.allclose(jf.jit(long)(x), long(x), rtol=1e-3)
    assert np.allclose(jf.jit(lambda x: np.cumsum(np.tanh(x)))(x), np.cumsum(np.tanh(x)), rtol=1e-4)
    y = jf.asarray(x)
    for _ in range(DEPTH):
        y = y + 1
    found.append(float(y[0] - x[0]))
    found.append(len(jf.explain(y * 2).kernels) > 0)
    found.append(jf.jit(lambda x: x + 3).explain(x).kernels[0].source("asm") != "")
for each in [threading.Thread(target=work)]:
    each.start()
    each.join()
print(json.dumps([found, threading.stack_size()]))
"""


@pytest.mark.parametrize("depth", [2000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_a_thread_with_a_small_stack_compiles(run, depth):
    assert run(STACKS.replace("DEPTH", str(depth)), 300) == [[float(depth), True, True], 64 << 10]


WEBGPU = """
try:
    there = jf.asarray(x, device="webgpu")
except jf.errors.BackendError:
    print("null")
    raise SystemExit
class Struck(Exception):
    pass
def strike(*_):
    raise Struck
sys.unraisablehook = lambda _: None  # what strikes a finalizer is Python's to show
double = jf.jit(lambda t: t * 2 + 1)
wanted, seed = x * 2 + 1, random.Random(3)
def work():
    # not array_equal: what strikes inside it is swallowed there, and it says False
    assert (double(there).numpy() == wanted).all()
    assert ((jf.asarray(x, device="webgpu") * 2 + 1).numpy() == wanted).all()
work()
signal.signal(signal.SIGALRM, strike)
struck, limit = 0, time.monotonic() + 2
while time.monotonic() < limit or struck <= 5:
    try:
        signal.setitimer(signal.ITIMER_REAL, 1e-5 + seed.random() * 0.01)
        work()
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Struck:
        struck += 1
signal.signal(signal.SIGALRM, signal.SIG_IGN)
work()
print(json.dumps(struck))
"""


def test_interrupts_of_webgpu_work_end_no_process(run):
    """Two seconds of them: one in the middle of a call was a panic of the driver's library."""
    struck = run(WEBGPU, 60)
    if struck is None:
        pytest.skip("no WebGPU here")
    assert struck > 5


MAIN_THREAD = """
import json, signal, sys
import numpy as np, jitframe as jf
signal.alarm(60)
x = np.linspace(0, 1, 10, dtype=np.float32)
jf.jit(lambda x: x + 1)(x)
try:
    jf.asarray(x, device="webgpu")
except jf.errors.BackendError:
    pass
import _thread, threading
print(json.dumps(threading.main_thread().ident == _thread.get_ident()))
"""


def test_the_main_thread_stays_the_main_one(in_process):
    """Python's `threading`, first imported by a thread that stays, kept the process from ending."""
    assert in_process(MAIN_THREAD)


ERRANDS = """
from jitframe.base import background
from jitframe.runtime.drivers.sole_thread import sole_thread
sole = sole_thread("nothing")
def end():
    raise SystemExit(3)
try:
    sole.call(end)
except SystemExit as problem:
    code = problem.code
asked = lambda: sole.call(background.in_background)
whose = [asked(), background.on_own_thread(asked)]
print(json.dumps([code, sole.call(int), whose]))
"""


def test_a_sole_thread_stands_in_for_who_asks_it(run):
    """What ends that one does not end it, and it waits for no fork that waits for that one."""
    assert run(ERRANDS) == [3, 0, [False, True]]
