"""What graphs become, and kernels of workgroups, give the interpreter's bits in CUDA C++, HIP C++ and MSL."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from jitframe.codegen.c_family import Source, generate, launch_block

from ..c_family.test_devices import same_bits
from .cases import Case, cases, long_sum
from .harness import Program, Sanitized, ShimError, check_address_spaces, missing
from .languages import DIALECTS

REFUSED = {"metal": {"double-div"}, "metal, SIMD-groups": {"double-div"}}
"""Metal has no f64."""

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@cache
def spelled(language: str) -> tuple[tuple[Case, Source], ...]:
    """The launches that a language can run."""
    pairs = [(case, case.source(DIALECTS[language])) for case in cases()]
    assert {case.name for case, source in pairs if source is None} == REFUSED.get(language, set())
    return tuple((case, source) for case, source in pairs if source is not None)


def test_rows_are_reduced_by_shuffles_where_that_is_asked_for() -> None:
    shuffling = {case.name for case, source in spelled("metal, SIMD-groups") if "simd_shuffle" in source.text}
    assert {name.partition("-shuffled-")[0] for name in shuffling} >= {"norm", "sum", "softmax-64"}
    alone = {case.name for case, source in spelled("metal") if "simd_shuffle" in source.text}
    assert alone == {name for name in shuffling if "-shuffled-" in name}  # as shuffles stand in the kernels


@pytest.mark.parametrize("language", list(DIALECTS))
def test_values(language: str) -> None:
    check_values(language, spelled(language))


@pytest.mark.parametrize("language", list(DIALECTS))
def test_no_lane_touches_what_another_is_writing(language: str) -> None:
    check_races(language, spelled(language))


@pytest.mark.slow
@pytest.mark.parametrize("language", list(DIALECTS))
def test_a_sum_in_two_stages(language: str) -> None:
    pairs = [(case, generate(case.kernel, DIALECTS[language], threads=case.threads)) for case in long_sum()]
    check_values(language, pairs)
    check_races(language, pairs)


def check_values(language: str, pairs: Sequence[tuple[Case, Source]]) -> None:
    program = Program(language, [source for _, source in pairs])
    for case, source in pairs:
        arrays = [array.copy() for array in case.before]
        program.run(source, arrays, block(case, source), case.groups)
        for got, due in zip(arrays, case.after, strict=True):
            try:
                same_bits(got, due)
            except AssertionError as error:
                raise AssertionError(f"{language}, {case.name}: {error}") from error


def check_races(language: str, pairs: Sequence[tuple[Case, Source]]) -> None:
    program = Sanitized(language, [source for _, source in pairs])
    for number, (case, source) in enumerate(pairs):
        after, report = program.run(number, source.threads, case.before, block(case, source), case.groups)
        assert not report, f"{language}, {case.name}:\n{report[:3000]}"
        for got, due in zip(after, case.after, strict=True):
            same_bits(got, due)


@pytest.mark.parametrize(
    ("name", "spare"), [("transpose", 0), ("halves", 1), ("softmax-64", 4), ("memory", 5)]
)
def test_a_barrier_that_is_missing_is_noticed(name: str, spare: int) -> None:
    """Each barrier in turn is taken out of the MSL: lanes race, but for a few barriers that are spare."""
    case, source = next(pair for pair in spelled("metal") if pair[0].name == name)
    texts = list(without_a_barrier(source.text))
    program = Sanitized("metal", [source] * len(texts), texts)
    unnoticed = []
    for number, text in enumerate(texts):
        _, report = program.run(number, source.threads, case.before, block(case, source), case.groups)
        if "data race" not in report:
            unnoticed.append(changed_line(source.text, text))
    assert len(unnoticed) < len(texts)
    assert len(unnoticed) <= spare, f"{name}: no race without the barriers in lines {unnoticed}"


def test_lanes_that_part_ways_are_told() -> None:
    """A barrier that some lanes pass by."""
    case, source = next(pair for pair in spelled("metal") if pair[0].name == "halves")
    barrier = "  threadgroup_barrier("
    text = source.text.replace(barrier, "  if (lane < 3) threadgroup_barrier(", 1)
    assert text != source.text
    program = Program("metal", [source], [text])
    arrays = [array.copy() for array in case.before]
    with pytest.raises(ShimError, match="jf_sum: lanes part ways at the barrier in line"):
        program.run(source, arrays, block(case, source), case.groups)


def test_address_spaces_of_msl() -> None:
    """Pointers to device, constant and threadgroup memory are never mixed up, as far as clang sees."""
    check_address_spaces([source for _, source in spelled("metal")])


def test_mixed_address_spaces_are_noticed() -> None:
    _, source = next(pair for pair in spelled("metal") if pair[0].name == "halves")
    wrong = source.text.replace("  const long lane", "  device float *other = shared1;\n  const long lane")
    assert wrong != source.text
    with pytest.raises(ShimError, match="cannot initialize a variable of type .device float"):
        check_address_spaces([source], [wrong])


def block(case: Case, source: Source) -> bytes:
    return launch_block(source, 0, case.groups, case.indices, case.words)


def without_a_barrier(text: str) -> Sequence[str]:
    lines = text.splitlines()
    places = [place for place, line in enumerate(lines) if "threadgroup_barrier(" in line]
    return ["\n".join([*lines[:place], "", *lines[place + 1 :]]) + "\n" for place in places]


def changed_line(text: str, other: str) -> int:
    pairs = zip(text.splitlines(), other.splitlines(), strict=True)
    return next(number for number, (x, y) in enumerate(pairs, 1) if x != y)
