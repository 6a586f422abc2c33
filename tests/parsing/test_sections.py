"""Sections and chunks: what is a heading, what is a mere mention, and what can be cited under which id."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from curator.domain.document import ParsedDocument
from curator.domain.identity import source_id_error
from curator.parsing import parse_json
from curator.parsing.numbering import caption_number, read_label

Read = Callable[..., ParsedDocument]
FILLER = "The provisions are applied to every vehicle that is placed on the market, whatever its fuel. "


def _regulation(sheet):
    paper = sheet("Emission Regulation", footer=True)
    paper.head("Regulation on Emissions", 20)
    paper.head("Contents", 12)
    for title, page in (
        ("Article 1 Scope", 2),
        ("Article 2 Definitions", 2),
        ("Article 7 Penalties", 3),
        ("Annex I Limits", 4),
    ):
        paper.para(f"{title} {'.' * 60} {page}")
    paper.add_page()
    paper.head("Article 1")
    paper.head("Scope", 11)
    paper.para(
        "This Regulation applies to vehicles. As said in\nArticle 7 of the Clean Air Act, the authority may act."
    )
    paper.head("Article 2 Definitions")
    paper.para("For the purposes of this Regulation:")
    for n, word in enumerate(("vehicle", "type", "authority"), 1):
        paper.para(f"{n}. '{word}' means what the annex says. " + FILLER * 5)
    paper.add_page()
    paper.head("Article 7 Penalties")
    paper.para("1. A manufacturer is liable to penalties up to $10 million.")
    paper.para("2. Within this ceiling the penalty is set by grade.")
    paper.add_page()
    for annex, title in (("Annex I", "Limits"), ("Annex II", "Tests")):
        paper.head(f"{annex} {title}")
        paper.head("1. Scope of this Annex", 11)
        paper.para(f"1.1. The limits of {annex} apply to new types that are approved after the first of March.")
        paper.para("1.2. They are rounded to one digit.")
        paper.head("2. Values", 11)
        paper.para("2.1. The values stand in the table.")
    return paper


def test_articles_annexes_and_decimals(read: Read, sheet) -> None:
    document = read(_regulation(sheet), "reg-2019-1156.pdf")
    paths = [" / ".join(section.path) for section in document.sections if section.title != "Contents"]
    assert paths == [
        "Article 1 Scope",
        "Article 2 Definitions",
        "Article 7 Penalties",
        "Annex I Limits",
        "Annex I Limits / 1. Scope of this Annex",
        "Annex I Limits / 1. Scope of this Annex / 1.1.",
        "Annex I Limits / 1. Scope of this Annex / 1.2. They are rounded to one digit.",
        "Annex I Limits / 2. Values",
        "Annex I Limits / 2. Values / 2.1. The values stand in the table.",
        "Annex II Tests",
        "Annex II Tests / 1. Scope of this Annex",
        "Annex II Tests / 1. Scope of this Annex / 1.1.",
        "Annex II Tests / 1. Scope of this Annex / 1.2. They are rounded to one digit.",
        "Annex II Tests / 2. Values",
        "Annex II Tests / 2. Values / 2.1. The values stand in the table.",
    ]
    assert document.title == "Regulation on Emissions"
    assert all(section.path[-1] == section.title for section in document.sections)
    assert {section.label for section in document.sections} >= {"Article 7", "Annex I", "1.1"}


def test_ids_come_from_the_structure(read: Read, sheet) -> None:
    document = read(_regulation(sheet), "reg-2019-1156.pdf")
    chunks = {chunk.id: chunk for chunk in document.chunks}
    assert chunks["reg-2019-1156:article-7"].text.startswith("Article 7 Penalties\n1. A manufacturer is liable")
    assert chunks["reg-2019-1156:article-2.p2"].text.startswith("2. 'type' means")
    assert (
        chunks["reg-2019-1156:annex-i.1.1"].text
        == "1.1. The limits of Annex I apply to new types that are approved after the first of March."
    )
    assert chunks["reg-2019-1156:annex-ii.1.1"].section_path[0] == "Annex II Tests"
    assert not [source_id_error(name) for name in chunks if source_id_error(name)]
    assert len(chunks) == len(document.chunks)


def test_every_line_lies_in_exactly_one_chunk(read: Read, sheet) -> None:
    document = read(_regulation(sheet))
    left = "".join("".join(page.text.split()) for page in document.pages)
    for line in (line for chunk in document.chunks for line in chunk.text.split("\n")):
        bare = "".join(line.split())
        assert bare in left
        left = left.replace(bare, "|", 1)
    for section in document.sections:
        left = left.replace("".join(section.title.split()), "|", 1)
    assert set(left) == {"|"}


def test_an_inserted_article_renames_no_other(read: Read, sheet) -> None:
    def ids(*articles: int) -> set[str]:
        paper = sheet()
        for n in articles:
            paper.head(f"Article {n} Title of number {n}")
            paper.para(f"Rule number {n} is that the nurse decides.")
        return {chunk.id for chunk in read(paper, "law.pdf").chunks}

    assert ids(1, 2, 3, 4) - ids(1, 2, 4) == {"law:article-3"}


def test_the_same_file_gives_the_same_bytes(read: Read, sheet) -> None:
    data = bytes(_regulation(sheet).output())
    first, second = parse_json(read(data)), parse_json(read(data))
    assert first == second
    assert list(json.loads(first))[:8] == [
        "file",
        "sha256",
        "pageCount",
        "pages",
        "sections",
        "chunks",
        "tables",
        "warnings",
    ]
    assert first.endswith("\n")
    assert first.count("\n") == 1


def test_the_outline_decides_where_there_is_one(read: Read, sheet) -> None:
    paper = sheet()
    for chapter in ("Prevention", "Exclusion", "Reporting"):
        paper.start_section(chapter)
        paper.para(chapter)
        paper.start_section(f"Rules of {chapter.lower()}", level=1)
        paper.para(f"Rules of {chapter.lower()}")
        paper.para("The school nurse decides on this on the same day, and tells the parents.")
    document = read(paper)
    assert [section.path for section in document.sections][:2] == [
        ("Prevention",),
        ("Prevention", "Rules of prevention"),
    ]
    assert len(document.sections) == 6


def test_headings_by_looks(read: Read, sheet) -> None:
    paper = sheet()
    paper.head("School Health", 20)
    for chapter in ("Prevention", "Exclusion"):
        paper.head(chapter, 15)
        for section in ("Hand hygiene", "Rooms"):
            paper.head(section, 11)
            paper.para(f"About {section.lower()} in {chapter.lower()}. " + FILLER)
    document = read(paper)
    assert document.title == "School Health"
    assert [section.path for section in document.sections] == [
        ("Prevention",), ("Prevention", "Hand hygiene"), ("Prevention", "Rooms"),
        ("Exclusion",), ("Exclusion", "Hand hygiene"), ("Exclusion", "Rooms"),
    ]  # fmt: skip
    assert [chunk.id.split(":")[1] for chunk in document.chunks][-4:] == [
        "hand-hygiene",
        "rooms",
        "hand-hygiene-2",
        "rooms-2",
    ]


def test_items_stay_with_the_sentence_that_introduces_them(read: Read, sheet) -> None:
    paper = sheet()
    paper.head("School Health", 20)
    paper.head("Exclusion")
    paper.para("Pupils stay at home when one of these is met:")
    paper.para("(a) they have a fever;")
    paper.para("(b) they have a rash.")
    for n in range(6):
        paper.para(f"Paragraph {n}. " + FILLER * 3)
    document = read(paper)
    first = document.chunks[1]
    assert first.id.endswith(":exclusion.p1")
    assert first.text.split("\n")[1:] == [
        "Pupils stay at home when one of these is met:",
        "(a) they have a fever;",
        "(b) they have a rash.",
    ]
    assert document.chunks[2].id.endswith(":exclusion.p2")


@pytest.mark.parametrize(
    ("text", "label", "key"),
    [
        ("Article 7. Penalties", "Article 7", "article-7"),
        ("ARTICLE VII Penalties", "Article VII", "article-vii"),
        ("§ 5 Fristen", "§ 5", "section-5"),
        ("Annex 3 - Appendix", "Annex 3", "annex-3"),
        ("제7조(등교 중지)", "제7조", "제7조"),
        ("제 2 장 예방", "제2장", "제2장"),
        ("第三条 経過措置", "第三条", "第三条"),
        ("5.3.1. The vehicle", "5.3.1", "5.3.1"),
        ("H.2 Varicella", "H.2", "h.2"),
        ("The article 7 of", None, None),
        ("2026 was a year", None, None),
    ],
)
def test_labels(text: str, label: str | None, key: str | None) -> None:
    found = read_label(text)
    assert (found.text if found else None, found.key if found else None) == (label, key)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Table 4. Exclusion periods", "4"),
        ("Table II.10. Modes", "II.10"),
        ("표 1. 등교 중지 기간", "1"),
        ("Tables of values", None),
    ],
)
def test_captions(text: str, number: str | None) -> None:
    assert caption_number(text) == number
