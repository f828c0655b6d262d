"""What all tests share: a folder for their kernels, removed afterwards, and which examples Hypothesis tries.

The same examples in every run, so that a change is to blame for what a run finds;
`--hypothesis-profile=explore` (in `make test-all`) looks for new ones.
"""

from __future__ import annotations

import faulthandler
import gc
import importlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest
from hypothesis import settings

from tests.sets import UNOPTIMIZED, in_second_set, is_listed

HERE = Path(__file__).parent
_FOLDER = pytest.StashKey[str]()
_FAULTS = pytest.StashKey[IO[str]]()

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("fixed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Before anything reads jitframe's settings, as what folders configure does; workers and child processes
    inherit the variable."""
    if not hasattr(config, "workerinput"):
        # Machines that run tests may be busy.
        os.environ.setdefault("JITFRAME_PROBE_SECONDS", "120")
        # What is tested are compiled kernels; tests of what runs before those ask for it.
        os.environ.setdefault("JITFRAME_COMPILE_IN_BACKGROUND", "off")
        config.stash[_FOLDER] = os.environ["JITFRAME_CACHE_DIR"] = tempfile.mkdtemp(prefix="jitframe-tests-")
    gc.set_threshold(20_000, 20, 100)  # few collections beside the one of each file
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Background jobs of a shell ignore it: loops that tests interrupt would never end.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where a worker dies, its stacks are in a file, which stands at the end of the run's output: among
    thousands of dots nobody finds them."""
    worker = getattr(session.config, "workerinput", {}).get("workerid")
    if worker is not None:
        faults = (Path(os.environ["JITFRAME_CACHE_DIR"]) / f"faults-{worker}.txt").open("w")
        session.config.stash[_FAULTS] = faults
        faulthandler.enable(faults)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    folder = config.stash.get(_FOLDER, None)
    for path in sorted(Path(folder).glob("faults-*.txt")) if folder is not None else ():
        if text := path.read_text():
            terminalreporter.section(f"fatal faults in {path.stem[7:]}")
            terminalreporter.write(text)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The first set imports no file of which the second one has all tests."""
    if not config.getoption("markexpr").startswith("not more") or HERE not in collection_path.parents:
        return None
    return is_listed(collection_path.relative_to(HERE).as_posix()) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if in_second_set(item):
            item.add_marker(pytest.mark.more)


@pytest.fixture
def strict() -> Iterator[None]:
    """Settings under which Python answers nothing that a trace refuses."""
    import jitframe as jf  # not where all tests are collected

    before = jf.settings.configure(strict=True)
    yield
    jf.settings.restore(before)


@pytest.fixture(autouse=True, scope="session")
def variants_from_the_second_call() -> None:
    """In this process, whichever tests come first; a process has a number of calls without them."""
    importlib.import_module("jitframe.tracing.dispatch").CALLS_WITHOUT_VARIANTS = 0


@pytest.fixture(autouse=True, scope="module")
def level_of_kernels(request: pytest.FixtureRequest) -> None:
    """The level at which LLVM compiles a file's kernels, unless the environment names one for all."""
    if "JITFRAME_OPTIMIZATION_LEVEL" in os.environ:
        return
    import jitframe as jf  # not where all tests are collected
    from jitframe.compilation import evaluate

    is_unoptimized = request.path.relative_to(HERE).as_posix().startswith(UNOPTIMIZED)
    level = 0 if is_unoptimized else jf.settings.Settings().optimization_level
    if jf.settings.settings().optimization_level != level:
        jf.settings.configure(optimization_level=level)
        evaluate.forget()


@pytest.fixture(autouse=True, scope="module")
def few_objects_to_search() -> None:
    """Twenty thousand tests and what they leave are many objects: collections of garbage, which some tests
    ask for again and again, look at those of one file alone."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    if (faults := config.stash.get(_FAULTS, None)) is not None:
        faulthandler.disable()
        faults.close()
    _remove_kernels(config)


def _remove_kernels(config: pytest.Config) -> None:
    """Removes the kernels, many at once: there are thousands, and file systems that tell the disk of each
    take milliseconds for it."""
    folder = config.stash.get(_FOLDER, None)
    if folder is not None:
        with ThreadPoolExecutor(16) as pool:
            for inside in [inside for inside, _, _ in os.walk(folder)]:
                pool.submit(shutil.rmtree, inside, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
