"""Programs that must fail, with their whole messages and the user's line."""

from __future__ import annotations

import pytest

from jitframe.errors import JitframeError
from tests.errors.must_fail import PROGRAMS, error_of, expected_of


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_program_fails_as_it_says(program):
    expected = expected_of(program)
    error = error_of(program)
    assert isinstance(error, JitframeError), repr(error)
    assert (type(error).__name__, error.message) == (expected.kind, expected.message)
    message, place = str(error).split("\n")
    assert message == expected.message
    assert place.startswith(f"  at {program}:{expected.line}, in ")
