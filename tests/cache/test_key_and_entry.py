"""Keys name kernels exactly; entries survive the trip through their file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitframe.cache.entry import Entry, decode, encode, new_entry, read_header
from jitframe.cache.frame import EntryError, assemble, header_bytes_needed, read_image
from jitframe.cache.key import CacheKey, make_key

TEXT = st.text(st.characters(), max_size=60)  # lone surrogates too: file names may hold them
KEYS = st.builds(
    CacheKey,
    kernel=TEXT,
    generator=TEXT,
    target=TEXT,
    options=st.dictionaries(TEXT, TEXT, max_size=3).map(lambda options: tuple(sorted(options.items()))),
)


def make_entry(**changes: object) -> Entry:
    parts: dict[str, object] = {
        "key": make_key("kernel k", "1", "cpu", {"fastmath": True}),
        "name": "softmax",
        "origin": "/home/ann/model.py:31",
        "compile_ns": 7_000_000,
        "image": b"\x90" * 100,
        "texts": {"kernel": "kernel k", "source": "define void @k() " * 200},
        "created_ns": 1_700_000_000_000_000_000,
    }
    return new_entry(**(parts | changes))  # type: ignore[arg-type]


@given(KEYS, KEYS)
def test_equal_digests_mean_equal_keys(one: CacheKey, other: CacheKey) -> None:
    assert (one.digest() == other.digest()) == (one == other)
    assert (one.differing(other) == ()) == (one == other)


def test_fields_do_not_run_together() -> None:
    assert CacheKey("ab", "c", "d").digest() != CacheKey("a", "bc", "d").digest()
    assert CacheKey("a", "b", "c", (("o", "1"),)).digest() != CacheKey("a", "b", "co1").digest()


def test_option_order_is_no_part_of_the_key() -> None:
    assert make_key("t", "1", "cpu", {"a": 1, "b": 2}) == make_key("t", "1", "cpu", {"b": 2, "a": 1})


def test_differing_names_each_field_and_option() -> None:
    here = make_key("one", "1", "avx2", {"fastmath": True, "unroll": 4})
    there = make_key("one", "2", "avx512", {"fastmath": False})
    assert here.differing(there) == (
        ("generator", "1", "2"),
        ("target", "avx2", "avx512"),
        ("option fastmath", "True", "False"),
        ("option unroll", "4", "(none)"),
    )


@given(
    key=KEYS, name=TEXT, origin=TEXT, image=st.binary(max_size=300),
    compile_ns=st.integers(0, 2**50),
    texts=st.dictionaries(st.sampled_from(["kernel", "source", "asm"]), TEXT.map(lambda text: text * 40)),
)  # fmt: skip
def test_an_entry_survives_its_file(
    key: CacheKey, name: str, origin: str, image: bytes, compile_ns: int, texts: dict[str, str]
) -> None:
    entry = new_entry(key, name, origin, compile_ns, image, texts, 5)
    data = encode(entry)
    assert decode(data) == entry
    assert read_header(data[: header_bytes_needed(data)]) == entry.header
    assert read_image(data, key.digest()) == (image, compile_ns)


def test_long_texts_are_compressed_and_the_key_is_in_the_clear() -> None:
    data = encode(make_entry())
    assert len(data) < 1000
    for shown in (
        b"softmax",
        b"/home/ann/model.py:31",
        b'"fastmath": "True"',
        b'"target": "cpu"',
        b'"generator": "1"',
    ):
        assert shown in data


def test_another_kernels_entry_is_refused() -> None:
    with pytest.raises(EntryError, match="^it holds another kernel than its name says$"):
        read_image(encode(make_entry()), make_key("another", "1", "cpu").digest())


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (b"", "JSONDecodeError"),
        (b"\xff\xfe", "JSONDecodeError|UnicodeDecodeError"),
        (b"[]", "TypeError"),
        (b"{}", "KeyError: 'key'"),
        (b"[" * 100_000, "RecursionError|JSONDecodeError"),
        (
            b'{"key": {"kernel": 1, "generator": "", "target": "", "options": {}}, "texts": []}',
            "1 is no text",
        ),
        (
            b'{"key": {"kernel": "", "generator": "", "target": "", "options": {}}, "texts": [], "name": "",'
            b' "origin": "", "created_ns": 0, "compile_ns": -1, "image_bytes": 0}',
            "-1 is no count",
        ),
    ],
)
def test_a_whole_file_with_a_strange_header_is_refused(header: bytes, reason: str) -> None:
    with pytest.raises(EntryError, match=reason):
        decode(assemble(header, b"", [], 0, bytes(16)))


def test_a_header_of_another_kernel_is_refused() -> None:
    data = encode(make_entry())
    head_end = header_bytes_needed(data)
    header, body = data[head_end - _header_length(data) : head_end], data[head_end:]
    another = make_key("another", "1", "cpu").digest()
    for key_digest, compile_ns in ((another, 7_000_000), (make_entry().header.key.digest(), 1)):
        with pytest.raises(EntryError, match="^its header and its prefix differ$"):
            decode(assemble(header, body[:100], [body[100:]], compile_ns, key_digest))


def test_a_text_that_unpacks_to_more_than_it_says_is_refused() -> None:
    entry = make_entry(texts={"kernel": "x" * 5000})
    lying = encode(entry).replace(b'"bytes": 5000', b'"bytes": 4000')
    head_end = header_bytes_needed(lying)
    stored = lying[head_end + 100 :]
    rebuilt = assemble(
        lying[head_end - _header_length(lying) : head_end],
        entry.image,
        [stored],
        7_000_000,
        entry.header.key.digest(),
    )
    with pytest.raises(EntryError, match="^a text has another length than it says$"):
        decode(rebuilt)


def _header_length(data: bytes) -> int:
    return int.from_bytes(data[12:16], "little")
