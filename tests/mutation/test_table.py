"""The table of mutations names places that there are; `python -m tests.mutation` breaks them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.mutation.__main__ import chosen_by
from tests.mutation.table import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.name)
def test_what_is_broken_stands_there_once(mutation: Mutation) -> None:
    text = (ROOT / mutation.path).read_text()
    assert text.count(mutation.before) == 1 and mutation.before != mutation.after
    assert all((ROOT / path).exists() for path in mutation.tests.split())


def test_parts_are_all() -> None:
    parts = [chosen_by([f"{part}/3"]) for part in (1, 2, 3)]
    assert sorted(itertools.chain(*parts)) == sorted(MUTATIONS) and all(map(len, parts))
    assert [each.name for each in chosen_by(["overlap"])] == ["arguments that overlap and are not noticed"]


def test_there_are_enough_and_each_has_a_name() -> None:
    assert len({each.name for each in MUTATIONS}) == len(MUTATIONS) >= 39
