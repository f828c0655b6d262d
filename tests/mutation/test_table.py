"""The table of mutations names places that there are; `python -m tests.mutation` breaks them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation.table import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.name)
def test_what_is_broken_stands_there_once(mutation: Mutation) -> None:
    text = (ROOT / mutation.path).read_text()
    assert text.count(mutation.before) == 1 and mutation.before != mutation.after
    assert all((ROOT / path).exists() for path in mutation.tests.split())


def test_there_are_enough_and_each_has_a_name() -> None:
    assert len({each.name for each in MUTATIONS}) == len(MUTATIONS) >= 20
