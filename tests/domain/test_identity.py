"""Names that last: always by the rules, never one that is taken."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from curator.domain.anchoring import anchors, renamed, text_hash
from curator.domain.document import Chunk, Page, ParsedDocument, Row, Table
from curator.domain.identity import CASE_ID, SOURCE_ID_LENGTH, case_id, fold_id, mint, slug, source_id_error

outside = st.text(st.characters(blacklist_categories=["Cs"]), max_size=150)


@given(outside, st.integers(4, 60), st.booleans())
def test_a_slug_is_always_part_of_a_source_id(text: str, limit: int, dots: bool) -> None:
    name = slug(text, limit=limit, dots=dots)
    assert source_id_error(f"{name}:{name}") == ""
    assert 0 < len(name) <= limit
    assert slug(name, limit=limit, dots=dots) == name


def test_slugs_stay_readable_in_any_script() -> None:
    assert slug("UN R107 — 10 Series (rev. 2)") == "un-r107-10-series-rev-2"
    assert slug("제7조 과태료") == "제7조-과태료"
    assert slug("Article 5.3.1.", dots=True) == "article-5.3.1"
    assert slug("../../etc/passwd") == "etc-passwd"
    assert slug("a long heading that goes on and on", limit=20) == "a-long-heading-that"
    assert slug("😀") == "x"


@given(outside, outside, outside, st.integers(0, 30))
def test_minted_ids_are_valid_short_enough_and_never_taken(document: str, table: str, key: str, count: int) -> None:
    container = f"{slug(document, limit=60)}.{slug(table)}"
    taken: set[str] = set()
    for _ in range(count + 1):
        name = mint(container, slug(key, limit=90), taken)
        assert source_id_error(name) == ""
        assert name not in taken
        taken.add(name)


@given(st.text("a.b-", max_size=200), st.text("a.b-", max_size=200))
def test_minting_cuts_whatever_it_is_given(container: str, key: str) -> None:
    assert len(mint("c" + container, key, {"c:x"})) <= SOURCE_ID_LENGTH


@given(outside, st.integers())
def test_case_ids_say_only_the_domain(domain: str, seed: int) -> None:
    draw = random.Random(seed)
    first = case_id(domain, draw.randrange)
    assert CASE_ID.fullmatch(first)
    again = random.Random(seed)
    second = case_id(domain, again.randrange, {first})
    assert second != first
    assert CASE_ID.fullmatch(second)


def test_case_ids_of_domains_people_use() -> None:
    assert case_id("School health", lambda n: 0) == "school-health-000000"
    assert case_id("감염병", lambda n: 31) == "case-zzzzzz"
    assert case_id("2024 rules", lambda n: 1) == "case-111111"


def test_why_a_source_id_is_refused() -> None:
    for bad in (
        "",
        "a",
        "no-colon",
        "a:b:c",
        "a:",
        ":b",
        "A:b",
        "a:b c",
        "a:b/c",
        "a:\u202eb",
        "a:" + "b" * 119,
        "e\u0301a:b",
    ):
        assert source_id_error(bad), bad
    assert source_id_error("지침.표-2:수두") == ""


def parsed(name: str, key: str) -> ParsedDocument:
    row = Row(id=f"{name}.exclusion:{key}", page=1, cells=("a", "b"), text="t", box=(0, 50, 10, 60))
    return ParsedDocument(
        file="f.pdf",
        sha256="0" * 64,
        page_count=1,
        pages=(Page(index=1, label="iv", chars=9),),
        chunks=(
            Chunk(id=f"{name}:article-7", page=1, page_end=1, text="Article seven", box=(0, 10, 10, 20)),
            Chunk(id=f"{name}:article-8", page=1, page_end=1, text="Article\nSEVEN", box=(0, 90, 10, 99)),
        ),
        tables=(Table(id=f"{name}.exclusion", title="T", pages=(1,), header=("x", "y"), rows=(row,)),),
    )


def test_a_renamed_document_renames_all_its_ids_and_nothing_else() -> None:
    done = renamed(parsed("reg", "measles"), "reg", "emission-2024")
    assert [c.id for c in done.chunks] == ["emission-2024:article-7", "emission-2024:article-8"]
    assert done.tables[0].id == "emission-2024.exclusion"
    assert done.tables[0].rows[0].id == "emission-2024.exclusion:measles"
    assert renamed(parsed("regulation", "m"), "reg", "x").chunks[0].id == "regulation:article-7"


def test_a_long_new_name_never_gives_an_id_that_is_too_long() -> None:
    done = renamed(parsed("x", "m" * 90), "x", slug("n" * 48))
    assert all(source_id_error(a.source_id) == "" for a in anchors(done))


def test_anchors_stand_in_reading_order_with_their_neighbors() -> None:
    first, row, last = anchors(parsed("reg", "measles"))
    assert [a.ordinal for a in (first, row, last)] == [1, 2, 3]
    assert row.quote == "a | b"
    assert (row.table_title, row.key_cell, row.page_label) == ("T", "a", "iv")
    assert (row.prefix, row.suffix) == ("Article seven", "Article\nSEVEN")
    assert (first.copies, first.copy_index, last.copy_index) == (2, 1, 2)
    assert first.text_hash == last.text_hash == text_hash("article seven")


@given(outside)
def test_ids_fold_once(text: str) -> None:
    assert fold_id(fold_id(text)) == fold_id(text)
