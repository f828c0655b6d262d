"""How much work waits behind the program: a bound, nothing in a forked child, little at the end of a process.

Each program runs in a process of its own, where a plan takes some hundredths of a second.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.foundations.chains import CHAIN

START = """
import json, os, sys, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # 3.12 warns about threads in a process that forks
import numpy as np, jitframe as jf
from jitframe.base import background
from jitframe.compilation import evaluate
x = np.linspace(0.1, 1, 100, dtype=np.float32)
jf.jit(lambda x: x + 1)(x)
background.wait_for_all()
made, prepare = [], evaluate.prepare
def slow(*given, **options):
    time.sleep(0.04)
    ready = prepare(*given, **options)
    made.append(ready)
    return ready
evaluate.prepare = slow
evaluate.stored_plans = lambda key: []
"""
CHECK = """
def check(jitted, number):
    assert np.allclose(jitted(x), chain(number)(x), rtol=1e-4, atol=1e-5), number
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, in_process: Any) -> Any:
    environment = {
        "JITFRAME_CACHE_DIR": str(tmp_path_factory.mktemp("kernels")), "JITFRAME_NUM_THREADS": "2",
        "JITFRAME_COMPILE_IN_BACKGROUND": "on",
    }  # fmt: skip
    in_process(
        "import numpy as np, jitframe as jf; jf.jit(lambda x: x + 1)(np.ones(3)); print(0)", **environment
    )

    def run_program(text: str, *arguments: str) -> Any:
        return in_process(START + CHAIN + CHECK + text, *arguments, **environment)

    return run_program


BOUND = """
import threading
all_called = threading.Event()
def after_all_calls(*given, **options):
    all_called.wait()
    return slow(*given, **options)
evaluate.prepare = after_all_calls  # no plan is finished, and makes room, while functions are called
functions = [jf.jit(chain(number)) for number in range(100, 160)]
waited = []
for number, each in enumerate(functions, 100):
    check(each, number)
    waited.append(len(background._tasks))
all_called.set()
background.wait_for_all()
done = len(made)
counted = functions[-1].stats()["kernels"]  # not begun: made by who asks
print(json.dumps([max(waited), background.BACKLOG, done, counted, len(made) - done]))
"""


def test_hundreds_of_first_calls_keep_a_bounded_backlog(run: Any) -> None:
    """They are answered op by op. Statistics wait for the backlog alone, a function's own for its kernels."""
    most, bound, done, counted, made_here = run(BOUND)
    assert most == done == bound
    assert counted == made_here == 1


ASKED = """
functions = [jf.jit(chain(number)) for number in range(100, 130)]
def pending():
    return [p.pending for each in functions for found in each._jit.programs.values() for p in found]
calls = 0
for number, each in enumerate(functions, 100):
    check(each, number)
waiting = sum(each is not None and each._task is None for each in pending())
limit = time.monotonic() + 60
while any(each is not None and not each.is_done for each in pending()) and time.monotonic() < limit:
    for number, each in enumerate(functions, 100):
        check(each, number)
    calls += 1
print(json.dumps([waiting > 0, sum(each is not None and not each.is_done for each in pending()), calls > 0]))
"""


def test_what_is_called_again_is_compiled_behind_the_program(run: Any) -> None:
    """Also where its first call found too much waiting."""
    assert run(ASKED) == [True, 0, True]


CHILD = """
import threading
forks = threading.Event()
os.register_at_fork(before=forks.set)  # before the fork waits
def until_the_fork(*given, **options):
    forks.wait()
    return slow(*given, **options)
evaluate.prepare = until_the_fork
functions = [jf.jit(chain(number)) for number in range(100, 112)]
for number, each in enumerate(functions, 100):
    check(each, number)
pid = os.fork()
if pid == 0:
    before = len(made)
    jf.cache.stats()
    of_the_parent = len(made) - before
    check(functions[-1], 111)
    asked = len(background._tasks)
    jf.cache.stats()
    again = len(made) - before
    check(functions[-1], 111)
    check(functions[3], 103)
    kernels = functions[5].stats()["kernels"]
    open(sys.argv[1], "w").write(json.dumps([before, of_the_parent, asked, again, kernels]))
    os._exit(0)
print(json.dumps(os.waitpid(pid, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks are POSIX's")
def test_a_forked_child_has_none_of_its_parents_tasks(run: Any, tmp_path: Path) -> None:
    """It makes what it calls, behind its own calls; the fork waits for one plan, not for twelve: for a few
    where the system lets it begin late."""
    assert run(CHILD, str(tmp_path / "child")) == 0
    before, of_the_parent, asked, again, kernels = json.loads((tmp_path / "child").read_text())
    assert 1 <= before < 12
    assert (of_the_parent, asked, again, kernels) == (0, 1, 1, 1)


END = """
import threading
waits, now, wait = threading.Event(), [0.0], background.Task.wait
background.monotonic = lambda: now[0]
def noted(task):
    waits.set()
    wait(task)
background.Task.wait = noted
def note(number):
    waits.wait()  # until the end waits for the oldest task
    if number:  # 0.2 s each, from when the limit of the end is known
        while background._limit == float("inf"):
            time.sleep(0.001)
        now[0] += 0.2
    with open(sys.argv[1], "a") as file:
        file.write(f"{number} ")
for number in range(background.BACKLOG):
    assert background.begin(lambda number=number: note(number))
assert background.begin(lambda: note(99)) is None
print(0)
"""


def test_the_end_of_a_process_drops_what_it_has_no_time_for(run: Any, tmp_path: Path) -> None:
    """What is being done is done to its end, the oldest task always. By a clock of the test's own: half a
    second is over in the middle of the third task after the oldest."""
    run(END, str(tmp_path / "done"))
    assert (tmp_path / "done").read_text() == "0 1 2 3 "


LATER = """
import atexit
def later():
    '''What runs after the end of jitframe's own work is answered too.'''
    last = jf.jit(chain(150))
    check(last, 150)
    check(last, 150)
    with open(sys.argv[1], "w") as file:
        file.write(str(last.stats()["kernels"]))
atexit.unregister(background._end)
atexit.register(later)
atexit.register(background._end)
print(0)
"""


def test_a_first_call_after_the_end_begins_nothing(run: Any, tmp_path: Path) -> None:
    run(LATER, str(tmp_path / "done"))
    assert (tmp_path / "done").read_text() == "1"
