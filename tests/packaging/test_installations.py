"""The wheel as it may be installed: without sources, in an archive, in a folder that is read only, frozen, by
optimizing interpreters, without `site`, on each Python. Environments are made, so all of it is slow."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest

from jitframe.cache.generator import generator_version
from tests.packaging.conftest import python_of, run

pytestmark = pytest.mark.slow
PROGRAM = '''
"""Traces, compiles, explains and fails; says where jitframe was and which generator it has."""

import os, sys


def main():
    import numpy as np, jitframe as jf

    @jf.jit
    def scaled(x, y):
        return np.sqrt(x * x + y) / (1 + np.sum(x, axis=-1, keepdims=True))

    x = np.linspace(0, 1, 12).reshape(3, 4)
    expected = np.sqrt(x * x + 2.0) / (1 + np.sum(x, axis=-1, keepdims=True))
    for _ in range(500):
        np.testing.assert_allclose(scaled(x, 2.0), expected)
        if scaled.stats()["native_calls"]:  # what is compiled behind is waited for
            break
    else:
        raise SystemExit("no native calls")
    product = jf.exp(jf.asarray(x, device="cpu")) @ jf.asarray(x.T, device="cpu")
    np.testing.assert_allclose(product.numpy(), np.exp(x) @ x.T)
    if "kernel" not in str(scaled.explain(x, 2.0)):
        raise SystemExit("nothing explained")
    try:
        jf.jit(lambda x: x.reshape(5))(x)
    except jf.errors.ShapeError as error:
        if "program.py" not in str(error):
            raise
    else:
        raise SystemExit("no error")
    from jitframe.cache.generator import generator_version, sources_stamp

    print("ok", jf.__file__, generator_version(), bool(sources_stamp()))


if __name__ == "__main__":
    main()
'''
VERSIONS = ("3.11", "3.12", "3.13")
DROP_BOUND, OVERRIDES_PERMISSIONS = 24, 1  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("program") / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def answers(command: list[str], cache: Path, **variables: str) -> list[list[str]]:
    """What the program says with an empty cache and with a warm one."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JITFRAME"))}
    environment = clean | variables | {"JITFRAME_CACHE_DIR": str(cache)}
    found = [
        run(command, env=environment, cwd=cache.parent, preexec_fn=_as_anybody).split() for _ in range(2)
    ]
    assert [each[0] for each in found] == ["ok", "ok"]
    return found


def _as_anybody() -> None:
    """Root is told by permissions what it may not write, as others are."""
    if sys.platform == "linux" and os.getuid() == 0:
        ctypes.CDLL(None).prctl(DROP_BOUND, OVERRIDES_PERMISSIONS, 0, 0, 0)


def unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def without_sources(wheel: Path, folder: Path, python: str) -> Path:
    unpacked(wheel, folder)
    run([python, "-m", "compileall", "-q", "-b", str(folder)])
    for source in folder.rglob("*.py"):
        source.unlink()
    return folder


def archived(wheel: Path, folder: Path, python: str) -> Path:
    return Path(shutil.copy(wheel, folder.with_suffix(".zip")))


def archived_without_sources(wheel: Path, folder: Path, python: str) -> Path:
    without_sources(wheel, folder, python)
    return Path(shutil.make_archive(str(folder), "zip", folder))


def read_only(wheel: Path, folder: Path, python: str) -> Path:
    unpacked(wheel, folder)
    for each in (folder, *folder.rglob("*")):
        each.chmod(0o555 if each.is_dir() else 0o444)
    return folder


FORMS: dict[str, Callable[[Path, Path, str], Path]] = {
    "without_sources": without_sources,
    "archive": archived,
    "archive_without_sources": archived_without_sources,
    "read_only": read_only,
}


def dependencies() -> str:
    return str(Path(numpy.__file__).parents[1])


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter that sees no jitframe by itself."""
    folder = tmp_path_factory.mktemp("bare")
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
    return str(python_of(folder))


@pytest.mark.parametrize("flags", [(), ("-OO",)], ids=["plain", "OO"])
@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_installation(
    form: str, flags: tuple[str, ...], wheel: Path, bare: str, program: Path, tmp_path: Path
) -> None:
    place = FORMS[form](wheel, tmp_path / "place", bare)
    path = os.pathsep.join((str(place), dependencies()))
    found = answers([bare, "-W", "error", *flags, str(program)], tmp_path / "cache", PYTHONPATH=path)
    for _, file, version, stamped in found:
        assert file.startswith(str(place))
        # The key of kernels is the same in each form: a cache serves all of them.
        assert version == generator_version() and stamped == "True"


@pytest.mark.parametrize("flags", [("-O",), ("-OO",), ("-I",), ("-E", "-s")], ids=" ".join)
def test_an_interpreter_with_flags(
    flags: tuple[str, ...], environment: Path, program: Path, tmp_path: Path
) -> None:
    answers([str(python_of(environment)), "-W", "error", *flags, str(program)], tmp_path / "cache")


def test_without_site(wheel: Path, bare: str, program: Path, tmp_path: Path) -> None:
    """Folders are put on the path by hand."""
    folders = [str(unpacked(wheel, tmp_path / "place")), dependencies(), str(program.parent)]
    code = f"import sys; sys.path[:0] = {folders!r}; import program; program.main()"
    answers([bare, "-I", "-S", "-W", "error", "-c", code], tmp_path / "cache")


def test_frozen(environment: Path, program: Path, tmp_path: Path) -> None:
    """By PyInstaller, which finds jitframe's hook by itself."""
    pytest.importorskip("PyInstaller")
    freeze = [str(python_of(environment)), "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    for module in ("scipy", "skimage", "matplotlib", "torch", "jax", "PIL", "pyopencl", "wgpu", "pytest"):
        freeze += ["--exclude-module", module]
    run([*freeze, "--distpath", str(tmp_path / "made"), str(program)], cwd=tmp_path)
    [[_, file, version, stamped], _] = answers(
        [str(tmp_path / "made" / "program" / "program")], tmp_path / "cache"
    )
    assert file.startswith(str(tmp_path / "made")) and "+" in version and stamped == "True"


def interpreter(version: str) -> str:
    """A Python of this version: on the path, or kept by pyenv. Skips where there is none."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for each in (shutil.which(f"python{version}"), *map(str, kept)):
        if each is None:
            continue
        asked = [each, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() == version:
            return each
    pytest.skip(f"there is no Python {version}")


@pytest.fixture(scope="session", params=VERSIONS)
def other_python(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """An environment of each version with jitframe's dependencies and itself, from the package index."""
    folder = tmp_path_factory.mktemp(f"python{request.param}")
    run([interpreter(request.param), "-m", "venv", str(folder)])
    install = [str(python_of(folder)), "-m", "pip", "install", "--quiet", "--no-compile", str(wheel)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the dependencies for Python {request.param} cannot be installed: {done.stderr[-200:]}")
    return folder


@pytest.mark.parametrize("flags", [(), ("-OO",)], ids=["plain", "OO"])
def test_each_python(other_python: Path, flags: tuple[str, ...], program: Path, tmp_path: Path) -> None:
    answers([str(python_of(other_python)), "-W", "error", *flags, str(program)], tmp_path / "cache")


def test_each_python_without_sources(other_python: Path, wheel: Path, program: Path, tmp_path: Path) -> None:
    python = str(python_of(other_python))
    place = without_sources(wheel, tmp_path / "place", python)
    [[_, file, *_], _] = answers([python, str(program)], tmp_path / "cache", PYTHONPATH=str(place))
    assert file.startswith(str(place))
