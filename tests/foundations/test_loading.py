"""Modules are loaded when they are needed: none by the import, few by a decoration, the rest by lowering."""

from __future__ import annotations

from typing import Any

import pytest

PROGRAM = """
import json, sys
import numpy as np

def loaded():
    return sorted(name for name in sys.modules if name.partition(".")[0] in ("jitframe", "llvmlite"))

found = {}
import jitframe as jf
found["import"] = loaded()

@jf.jit
def chain(a, b, c, d):
    return np.sqrt(a * a + b * b) * np.sin(c) + d * 2 - a / 3

found["decorated"] = loaded()
arguments = [np.random.rand(1000).astype(np.float32) for _ in range(4)]  # its generator is watched
chain(*arguments)
found["called"] = loaded()
for _ in range(16):
    chain(*arguments)
found["called again"] = loaded()
for _ in range(2):
    chain(*arguments)
found["called often"] = loaded()
print(json.dumps(found))
"""
UNASKED = (
    "jitframe.functions.creation", "jitframe.functions.division", "jitframe.functions.joining",
    "jitframe.functions.movement", "jitframe.api.creation.constructors", "jitframe.api.elementwise.division",
    "jitframe.api.movement", "jitframe.runtime.memory.interchange", "jitframe.runtime.queues.ordering",
    "jitframe.cache.inventory", "jitframe.explanation", "jitframe.profiling", "jitframe.backends",
)  # fmt: skip
"""What a call of elementwise functions on the processor has no use for."""
WRITING = ("jitframe.cache.entry", "jitframe.cache.ledger", "jitframe.codegen.kernel.text")
LOWERING = ("jitframe.codegen.lower.program", "jitframe.ir.passes", "jitframe.codegen.llvm", "llvmlite")
UNMET = ("jitframe.codegen.lower.loops", "jitframe.codegen.math.gamma", "jitframe.cache.sweep")
"""What lowering loads for loops and functions that a chain does not have, and what empties a full cache."""
NEAR_ALL = 185
"""Modules of jitframe's after a warm call: 181 when this was written, packages among them."""


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory, in_process: Any) -> list[dict[str, list[str]]]:
    """A cold process, one that keeps its plans, and a warm one."""
    folder = str(tmp_path_factory.mktemp("loading"))
    return [in_process(PROGRAM, JITFRAME_CACHE_DIR=folder) for _ in range(3)]


def with_prefix(names: list[str], prefixes: tuple[str, ...]) -> list[str]:
    return [name for name in names if name.startswith(prefixes)]


LOADERS = (
    "api", "api.numpy_names", "api.scalar_types", "base", "base.background", "base.collector", "base.forks",
    "base.importing", "base.locks", "base.version",
)  # fmt: skip


def test_what_runs_op_by_op_lowers_nothing_itself(in_process):
    program = """
import json, sys
import jitframe.compilation.pending
print(json.dumps([name for name in sys.modules if name.startswith("jitframe.")]))
"""
    assert with_prefix(in_process(program), LOWERING) == []


def test_the_import_loads_what_loads_the_rest(processes):
    for each in processes:
        assert each["import"] == ["jitframe", *[f"jitframe.{name}" for name in LOADERS]]


def test_a_decoration_loads_what_a_warm_call_needs(processes):
    warm = processes[-1]
    assert warm["called"] == warm["decorated"]
    assert len(warm["called"]) <= NEAR_ALL


def test_a_warm_call_loads_nothing_that_writes_or_lowers(processes):
    cold, _, warm = processes
    for names in (WRITING, LOWERING):
        assert with_prefix(cold["called"], names)
        assert with_prefix(warm["called"], names) == []


def test_the_native_entry_waits_for_a_script_that_calls_often(processes):
    for each in processes:
        assert each["called again"] == each["called"]
        added = set(each["called often"]) - set(each["called"])
        assert "jitframe.tracing.native.variants" in added and len(added) <= 10


def test_no_call_loads_what_it_does_not_use(processes):
    for each in processes:
        unasked = (
            [name for name in UNASKED if name != "jitframe.ir.index"]
            if each is not processes[-1]
            else UNASKED
        )
        assert with_prefix(each["called"], tuple(unasked)) == []


def test_lowering_loads_nothing_for_what_a_graph_does_not_have(processes):
    assert with_prefix(processes[0]["called"], UNMET) == []


PATCHED = """
import json
import numpy as np
import jitframe as jf

jf.settings.configure(strict=True)
np.sqrt = lambda x: x + 1
print(json.dumps(jf.jit(lambda x: np.sqrt(x) * 2)(np.full(3, 4.0)).tolist()))
"""


def test_a_name_of_numpy_that_a_program_bound_anew_is_not_numpys(in_process):
    """Also where that was before the table of NumPy's functions was loaded."""
    assert in_process(PATCHED) == [10, 10, 10]


FIRST = """
import json
import numpy as np
import jitframe as jf

print(json.dumps(EXPRESSION))
"""


@pytest.mark.parametrize(
    "expression",
    [
        "jf.ones(3).numpy().tolist()",
        "jf.asarray(np.ones(3)).numpy().tolist()",
        "jf.linalg.matrix_power(np.eye(3), 2).sum(axis=0).numpy().tolist()",
        "jf.fori_loop(0, 3, lambda i, x: x + 1, jf.zeros(3) - 2).numpy().tolist()",
        "jf.sqrt(np.ones(3)).numpy().tolist()",
    ],
)
def test_any_name_may_be_the_first(in_process, expression):
    assert in_process(FIRST.replace("EXPRESSION", expression)) == [1.0, 1.0, 1.0]


def test_every_public_name_is_there():
    import jitframe as jf

    assert {"jit", "Tensor", "sqrt", "pow", "float32", "linalg", "errors"} <= set(jf.__all__) <= set(dir(jf))
    for name in jf.__all__:
        assert getattr(jf, name, jf) is not jf, name
    with pytest.raises(AttributeError, match="module 'jitframe' has no attribute 'squareroot'"):
        _ = jf.squareroot
