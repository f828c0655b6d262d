"""Runs the public test suite of the Python array API standard against jitframe.

    python tools/array_api_tests.py                       # clones the suite at the commit below
    python tools/array_api_tests.py --suite FOLDER        # a checkout with its submodule, used as it is
    python tools/array_api_tests.py --module numpy        # NumPy, for comparison

It needs the packages `hypothesis`, `pytest`, `pytest-json-report` and `ndindex`. What is known to differ is
in `tools/array_api_expected_failures.txt`, each with its reason; everything else must pass. Arguments that
are not known here go to pytest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = "https://github.com/data-apis/array-api-tests"
COMMIT = "55fcc60"
"""Of the suite, with the specification that its submodule names."""
EXPECTED = Path(__file__).with_name("array_api_expected_failures.txt")
VERSIONS = ("2024.12", "2025.12")


def suite(folder: Path) -> Path:
    """The suite in a folder, cloned there if it is not."""
    if not folder.exists():
        subprocess.run(("git", "clone", "--quiet", SOURCE, str(folder)), check=True)
        subprocess.run(("git", "checkout", "--quiet", COMMIT), cwd=folder, check=True)
        subprocess.run(("git", "submodule", "--quiet", "update", "--init"), cwd=folder, check=True)
    return folder


def expected_failures(version: str) -> list[str]:
    """The tests that may fail under a version; lines that begin with another version are left out."""
    lines = (line.partition("#")[0].strip() for line in EXPECTED.read_text(encoding="utf-8").splitlines())
    found = []
    for line in filter(None, lines):
        first, _, rest = line.partition(" ")
        if first not in VERSIONS:
            found.append(line)
        elif first == version:
            found.append(rest.strip())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--suite", type=Path, default=Path(tempfile.gettempdir()) / "array-api-tests")
    parser.add_argument("--version", choices=VERSIONS, default=VERSIONS[-1])
    parser.add_argument("--max-examples", type=int, default=10)
    parser.add_argument("--module", default="jitframe")
    options, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        skips = Path(folder) / "skips.txt"
        listed = expected_failures(options.version) if options.module == "jitframe" else []
        skips.write_text("\n".join(listed), encoding="utf-8")
        command = [
            sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--hypothesis-disable-deadline",
            f"--max-examples={options.max_examples}", f"--skips-file={skips}", "array_api_tests", *rest,
        ]  # fmt: skip
        environment = {
            **os.environ,
            "ARRAY_API_TESTS_MODULE": options.module,
            "ARRAY_API_TESTS_VERSION": options.version,
        }
        return subprocess.run(command, cwd=suite(options.suite), env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
