"""Several kernels compiled at once: the same code and errors as one after another, LLVM called directly."""

from __future__ import annotations

import gc
import os
import sys
import threading
import weakref

import numpy as np
import pytest

import jitframe as jf
from jitframe.base import background
from jitframe.errors import CompileError
from jitframe.runtime.cpu.kernels.target import host_target
from jitframe.runtime.cpu.machine_code import compile as compiler
from jitframe.runtime.cpu.machine_code import llvm
from jitframe.runtime.cpu.machine_code.levels import Target
from jitframe.runtime.cpu.machine_code.parallel_map import parallel_map

PROGRAM = """
import json, sys
import numpy as np, jitframe as jf
from jitframe.runtime.cpu.machine_code import parallel_map

@jf.jit
def steps(x):
    for step in range(4):
        x = np.cumsum(np.tanh(x) * (step + 0.5), axis=step % 2)
        x = x / (1 + np.max(np.abs(x), axis=0))
    return x

helpers, start = [], parallel_map.start
parallel_map.start = lambda *given: helpers.append(1) or start(*given)
x = np.linspace(-1, 1, 600, dtype=np.float32).reshape(20, 30)
result = steps(x)
np.testing.assert_allclose(result, steps.__wrapped__(x), rtol=1e-4, atol=1e-6)
print(json.dumps({
    "bits": result.tobytes().hex(), "compiled": steps.stats()["compiled"], "helpers": len(helpers),
    "binding": "llvmlite.binding" in sys.modules,
}))
"""


def test_many_threads_make_what_one_makes(in_process, tmp_path):
    found = {}
    for count in ("1", "4"):
        folder = tmp_path / count
        environment = {"JITFRAME_CACHE_DIR": str(folder), "JITFRAME_NUM_THREADS": count}
        in_process("import jitframe as jf; jf.jit(lambda x: x); print(0)", **environment)
        found[count] = in_process(PROGRAM, **environment)
        assert not found[count]["binding"], "a kernel is compiled without importing llvmlite's binding"
    alone, together = found.values()
    assert together["compiled"] == alone["compiled"] >= 4
    assert (alone["helpers"], together["helpers"]) == (0, 3)
    assert together["bits"] == alone["bits"]
    one, four = (sorted(os.listdir(next((tmp_path / count).glob("v*")))) for count in found)
    assert [name for name in one if "." in name] == [name for name in four if "." in name]


def test_results_keep_the_items_order():
    meeting = threading.Barrier(3)

    def work(number: int) -> int:
        meeting.wait(100)  # passed only where three threads are at work
        return number * 10

    assert parallel_map(work, range(6), 3) == [0, 10, 20, 30, 40, 50]
    assert parallel_map(work, [], 3) == []


def test_the_first_items_error_is_raised():
    begun = []
    both = threading.Barrier(2)

    def work(number: int) -> int:
        begun.append(number)
        both.wait(100)
        raise CompileError(f"item {number}")

    with pytest.raises(CompileError, match="^item 0"):
        parallel_map(work, range(50), 2)
    assert sorted(begun) == [0, 1], "nothing is begun after an error"


def test_an_error_that_was_handled_keeps_nothing_alive():
    """What its traceback leads to, such as the memory of a caller, is not held until the collector comes."""

    class Held:
        pass

    def fail() -> weakref.ref[Held]:
        held = Held()
        with pytest.raises(ZeroDivisionError):
            parallel_map(lambda item: 1 / item, [0], 1)
        return weakref.ref(held)

    gc.disable()
    try:
        assert fail()() is None
    finally:
        gc.enable()


def test_where_the_system_gives_no_threads_the_caller_does_it_all(monkeypatch):
    def refuse(*given):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(background, "start_new_thread", refuse)
    assert parallel_map(lambda number: number + 1, range(5), 4) == [1, 2, 3, 4, 5]
    assert jf.jit(lambda x: np.cumsum(x) * 3 - 1)(np.ones(3))[-1] == 8.0


COLD = """
import json, os
import numpy as np, jitframe as jf
from jitframe.runtime.cpu.machine_code import llvm

begun, start = [], llvm.start
llvm.start = lambda *given: begun.append(1) or start(*given)

def is_loaded():
    with open("/proc/self/maps") as maps:
        return any("libllvmlite" in line for line in maps)

double = jf.jit(lambda x: x * 2)
before = is_loaded()
if os.environ["FORKS"] == "yes":
    llvm.load_in_background()
    while not is_loaded():
        pass  # it is mapped first, and takes milliseconds from then on
    child = os.fork()
    if not child:
        os._exit(0 if jf.jit(lambda x: x * 3)(3.0) == 9.0 else 1)
    assert os.waitpid(child, 0)[1] == 0, "the child has the whole library"
assert double(3.0) == 6.0 and double.stats()["compiled"] == 1
print(json.dumps({"before": before, "after": is_loaded(), "begun": len(begun)}))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="loaded by the thread that needs it")
@pytest.mark.parametrize(("count", "forks", "begun"), [("1", "no", 0), ("2", "no", 1), ("2", "yes", 1)])
def test_the_library_is_loaded_beside_the_generator(in_process, tmp_path, count, forks, begun):
    """On a thread where there may be several; a fork waits for it."""
    environment = {"JITFRAME_CACHE_DIR": str(tmp_path), "JITFRAME_NUM_THREADS": count, "FORKS": forks}
    in_process("import jitframe as jf; jf.jit(lambda x: x); print(0)", **environment)
    assert in_process(COLD, **environment) == {"before": False, "after": True, "begun": begun}


TEXT = """
define double @sum(double %x, double %y) {
  %z = fadd double %x, %y
  ret double %z
}
"""


def test_the_library_itself_makes_what_llvmlites_binding_makes(monkeypatch):
    generator = llvm.code_generator()
    assert generator is not None, f"add this version to {llvm.__name__}.KNOWN once its functions are compared"
    direct = compiler.compile_text(TEXT, host_target())
    assert generator.object_code(TEXT, host_target()) == direct
    monkeypatch.setattr(llvm, "code_generator", lambda: None)
    assert compiler.compile_text(TEXT, host_target()) == direct


def test_a_version_that_is_not_known_is_not_called(monkeypatch):
    monkeypatch.setattr(llvm, "KNOWN", ("0.1.",))
    assert llvm.code_generator.__wrapped__() is None


def test_targets_that_are_not_ready_go_to_the_binding():
    generator = llvm.code_generator()
    assert generator is not None
    assert generator.makes(host_target())
    assert not generator.makes(Target("nothing-unknown-unknown", "", "", "native"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("define i32 @f() { ret i32 %y }", "use of undefined value '%y'"),
        (
            "define i32 @f() {\na:\n br label %b\nb:\n %x = phi i32 [1, %a], [2, %b]\n ret i32 %x\n}",
            "PHINode should have one entry for each predecessor",
        ),
    ],
)
def test_what_llvm_refuses_is_shown_with_its_text(text, words):
    with pytest.raises(CompileError, match=words) as caught:
        compiler.compile_text(text, host_target())
    assert "    1 define i32 @f() {" in str(caught.value)
    assert jf.jit(lambda x: x + 1)(1.0) == 2.0, "what was refused leaves LLVM as it was"
