"""Passages in another system's chunks: what is found, and what is only alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from curator.domain.alignment import Placement
from curator.matching.aligning.aligner import Aligner, Chunk
from curator.matching.aligning.bare import bare, cleaned, mapped
from curator.matching.aligning.choosing import choose
from curator.matching.aligning.passages import passages_of

TITLE, HEADER = "Table 2: Exclusion periods", ["Illness", "Period > Exclusion", "Note"]
ROWS = {
    "measles": ["Measles", "At least 4 days after the onset of the rash[^1]", "report"],
    "mumps": ["Mumps", "5 days after the swelling began", "report"],
    "scabies": ["Scabies", "Until the first treatment", "-"],
}
LEAVES = ["Illness", "Exclusion", "Note"]
RECORDS = (
    "The operator shall keep the records for five years. A copy lies at the place of use. Records that concern an "
    "accident shall not be destroyed before 10 years have passed, unless the authority has agreed in writing."
)


def cite(quote: str, source: str = "guide:c1", **more: Any) -> dict[str, Any]:
    return {
        "sourceId": source, "role": "required", "group": source, "quote": quote, "documentId": "guide",
        "documentVersion": "", "page": 0, "sectionPath": [], "tableTitle": "", "tableHeader": [], "tableCells": [],
    } | more  # fmt: skip


def row(key: str, title: str = TITLE, **more: Any) -> dict[str, Any]:
    cells = ROWS[key]
    return cite(
        " | ".join(cells), f"guide.t2:{key}", tableTitle=title, tableHeader=HEADER, tableCells=cells, **more
    )  # fmt: skip


def placed(evidence: dict[str, Any], chunks: Sequence[Any], text: str = "") -> Placement:
    """Where one evidence lies; chunks: texts, or text, document and page."""
    case = {"id": "case-1", "documents": [{"documentId": "guide", "title": ""}], "evidence": [evidence]}
    sources = {evidence["sourceId"]: {"text": text or evidence["quote"]}}
    aligner = Aligner(passages_of([case], sources))
    for number, chunk in enumerate(chunks, 1):
        said = chunk if isinstance(chunk, tuple) else (chunk,)
        aligner.feed(Chunk(number, f"c{number}", *said))
    (found,) = choose(aligner)
    return found


def chunks_of(found: Placement) -> list[tuple[str, ...]]:
    return [a.chunks for a in found.alternatives]


def markdown() -> str:
    lines = [" | ".join(LEAVES), "---|---|---", *(" | ".join(c) for c in ROWS.values())]
    return f"## {TITLE}\n\n" + "\n".join(f"| {line} |" for line in lines).replace("[^1]", "")


def html() -> str:
    body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in cells)}</tr>\n" for cells in ROWS.values())
    head = "".join(f"<th>{h}</th>" for h in LEAVES)
    return f"<table><caption>{TITLE}</caption>\n<tr>{head}</tr>\n{body}</table>".replace("[^1]", "<sup>1</sup>")


def named() -> str:
    return f"{TITLE}\n" + "\n".join(
        "; ".join(f"{h}: {c}" for h, c in zip(LEAVES, cells, strict=True)) for cells in ROWS.values()
    )


def comma_separated() -> str:
    return "\n".join([TITLE, ",".join(LEAVES), *(",".join(f'"{c}"' for c in cells) for cells in ROWS.values())])


def lines() -> str:
    return "\n".join([TITLE, "  ".join(LEAVES), *("   ".join(c) for c in ROWS.values())])


def records() -> str:
    import json

    return TITLE + "\n" + json.dumps([dict(zip(LEAVES, cells, strict=True)) for cells in ROWS.values()])


@pytest.mark.parametrize("made", [markdown, html, named, comma_separated, lines, records])
@pytest.mark.parametrize("key", ["measles", "mumps"])
def test_a_row_is_found_however_the_table_is_written(made: Any, key: str) -> None:
    found = placed(row(key), ["Something else about schools and their heads.", made()])
    assert (found.found, chunks_of(found)) == ("whole", [("c2",)])


def test_a_row_without_title_and_header_is_torn_and_the_chunk_before_restores_it() -> None:
    first, second = lines().rsplit("\n", 2)[0], "\n".join("   ".join(ROWS[k]) for k in ("mumps", "scabies"))
    found = placed(row("mumps"), [first, second])
    assert (found.found, chunks_of(found)) == ("torn", [("c2",)])
    assert found.alternatives[0].lost == ("title", "header")
    assert found.alternatives[0].restored_by == ("c1",)


CREW = [
    "Sail training ship",
    "18 persons without trainees",
    "every 6 months and after each ocean passage",
    "Port office",
]
TUG = ["Tug with towing gear", "5 persons of whom 1 is an engineer", "every 12 months", "Port office"]
SHIP = ["Class of vessel", "Crew", "Inspection interval", "Responsible"]


def ships(how: str) -> str:
    rows = [SHIP, TUG, CREW, ["Pilot boat", "2 persons", "every 9 months", "Pilot station"]]
    table = {
        "markdown": "\n".join("| " + " | ".join(r) + " |" for r in rows),
        "plain": "\n".join("  ".join(r) for r in rows),
        "html": "<table>" + "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in r)}</tr>" for r in rows) + "</table>",
        "named": "\n".join("; ".join(f"{h}: {c}" for h, c in zip(SHIP, r, strict=True)) for r in rows[1:]),
    }
    return f"Table 3: Crew by class\n{table[how]}\nMasters keep the papers on board and show them to an officer."


@pytest.mark.parametrize("how", ["markdown", "plain", "html", "named"])
def test_a_row_that_is_cut_anywhere_needs_all_its_parts_and_is_never_taken_for_another(how: str) -> None:
    evidence = cite(
        " | ".join(CREW), "guide.t3:sail", tableTitle="Table 3: Crew by class", tableHeader=SHIP, tableCells=CREW
    )
    for size in range(70, 260, 17):
        for text, is_there in ((ships(how), True), (ships(how).replace("18 persons", "19 persons"), False)):
            cut = [text[at : at + size] for at in range(0, len(text), size)]
            found = placed(evidence, cut)
            assert (found.found != "missing") is is_there, (size, found.why)
            for alternative in found.alternatives:
                joined = bare("".join(cut[int(name[1:]) - 1] for name in alternative.chunks))
                assert all(bare(cell) in joined for cell in CREW), size


def test_a_row_in_two_chunks_by_overlap_has_two_alternatives() -> None:
    body = lines().split("\n")
    found = placed(row("mumps"), ["\n".join(body[:4]), "\n".join([TITLE, body[1], *body[3:]])])
    assert chunks_of(found) == [("c1",), ("c2",)]


@pytest.mark.parametrize(
    "near",
    [
        lines().replace("5 days", "7 days"),
        lines().replace("Mumps", "German mumps"),
        lines().replace("Table 2: Exclusion periods", "Table 3: Periods in residential homes"),
        lines().replace("5 days", "15 days"),
        lines().replace("5 days", "5 weeks"),
    ],
)
def test_a_row_that_is_only_alike_is_not_taken(near: str) -> None:
    found = placed(row("mumps"), [near])
    assert (found.found, chunks_of(found)) == ("missing", [])
    assert found.near == ("c1",)
    assert found.why


def test_a_merged_first_cell_stands_above_its_first_row_alone() -> None:
    levels = (
        "Table 6. Reporting\nLevel  Who  Whom\nOrange\nTeacher  Nurse and head teacher\nHead teacher  Health office"
    )
    cells = ["Orange", "Head teacher", "Health office"]
    evidence = cite(
        " | ".join(cells), tableTitle="Table 6. Reporting", tableHeader=["Level", "Who", "Whom"], tableCells=cells
    )
    assert placed(evidence, [levels]).found == "whole"
    assert placed(evidence, [levels.replace("Orange", "Yellow")]).found == "missing"


def test_a_row_that_names_another_table_is_no_caption_of_it() -> None:
    cells = ["Table 4, measles", "4 days", "see there"]
    made = "Table 9. Changes\nWhere  Was  Note\nTable 4, mumps   9 days   dropped\n" + "   ".join(cells)
    evidence = cite(
        " | ".join(cells), tableTitle="Table 9. Changes", tableHeader=["Where", "Was", "Note"], tableCells=cells
    )
    assert placed(evidence, [made]).found == "whole"


@pytest.mark.parametrize(
    "noisy",
    [
        RECORDS.replace("destroyed", "de-\nstroyed").replace("accident", "acci-\ndent"),
        RECORDS.replace("records for", "recordsfor").replace(" A copy", "A copy"),
        RECORDS.replace("accident", "accident¹").replace("years.", "years.2"),
        RECORDS.replace("place of use", "place of use[3]").replace("agreed", "agreed4"),
        RECORDS.replace("five", "ﬁve").replace("of", "oﬀ"[:1] + "f"),
        RECORDS.replace(" ", "\n"),
        RECORDS.upper(),
        "Guide to records\nPage 3\n" + RECORDS.replace(" Records that", "\n14\n\nRecords that"),
    ],
)
def test_what_extraction_does_to_a_text_makes_no_difference(noisy: str) -> None:
    found = placed(cite(RECORDS), ["Another text of the guide.", f"Before it.\n{noisy}\nAfter it."])
    assert (found.found, chunks_of(found)) == ("whole", [("c2",)]), found.why


@pytest.mark.parametrize(
    "near",
    [
        RECORDS.replace("five years", "six years"),
        RECORDS.replace("10 years", "100 years"),
        RECORDS.replace("10 years", "1.0 years"),
        RECORDS.replace("10 years", "10 months"),
        RECORDS.replace("shall not be", "shall be"),
        RECORDS.replace("unless", "if"),
        RECORDS.replace("shall keep", "may keep"),
        RECORDS.replace("The operator", "The inspector"),
        RECORDS.replace("agreed in writing", "agreed"),
        RECORDS.replace("A copy lies at the place of use.", ""),
    ],
)
def test_a_near_copy_is_not_taken(near: str) -> None:
    found = placed(cite(RECORDS), [near])
    assert (found.found, chunks_of(found)) == ("missing", [])
    assert found.why


def test_a_text_that_is_cut_needs_all_its_parts_in_order() -> None:
    cut = RECORDS.index("Records that") + 30
    parts = [RECORDS[:60], RECORDS[60:cut], RECORDS[cut:]]
    found = placed(cite(RECORDS), ["Before.", *parts, "After."])
    assert (found.found, chunks_of(found)) == ("split", [("c2", "c3", "c4")])
    assert placed(cite(RECORDS), parts[:2]).found == "missing"


def test_a_last_word_in_the_next_chunk_is_needed_too() -> None:
    found = placed(cite(RECORDS), [RECORDS[:-8], RECORDS[-8:] + " Something else follows it."])
    assert (found.found, chunks_of(found)) == ("split", [("c1", "c2")])


def test_chunks_that_overlap_give_alternatives_and_no_parts() -> None:
    quote = "A copy lies at the place of use."
    found = placed(cite(quote), [RECORDS[:90], RECORDS[40:]], RECORDS)
    assert (found.found, chunks_of(found)) == ("whole", [("c1",), ("c2",)])
    assert found.how == "exact"


def test_a_copy_in_another_document_is_not_taken() -> None:
    found = placed(cite(RECORDS), [(RECORDS, "guide-2019"), (RECORDS, "docs/Guide.pdf"), (RECORDS, "other")])
    assert chunks_of(found) == [("c2",)]
    only = placed(cite(RECORDS), [(RECORDS, "guide-2019"), ("Another text.", "guide")])
    assert only.found == "whole", "no chunk that may hold something is known to be of the document"


def test_boilerplate_is_told_apart_by_page_and_by_what_stands_around() -> None:
    said = "This provision applies without prejudice to further obligations."
    around = f"The landlord repairs the roof. {said} The tenant informs the landlord at once."
    pages = placed(cite(said, page=7), [(said, "guide", 2), (said, "guide", 7), (said, "guide", 12)])
    assert chunks_of(pages) == [("c2",)]
    other = f"The carrier seals the wagon. {said} The inspector counts the seals."
    found = placed(cite(said), [other, around, other], around)
    assert chunks_of(found) == [("c2",)]
    unknown = placed(cite(said), [other] + ["Something else."] * 5 + [other.replace("seals", "locks")])
    assert unknown.found == "missing"
    assert "nothing tells which" in unknown.why


def test_nothing_alike_says_so() -> None:
    found = placed(cite(RECORDS), ["Milk is kept below 7 °C."])
    assert (found.found, found.why) == ("missing", "no chunk has anything like it")


def test_other_scripts() -> None:
    text = "의식이 없거나 숨을 쉬지 못하는 학생을 발견한 사람은 학교장의 허락을 기다리지 않고 바로 119에 신고한다."
    assert placed(cite(text), [text.replace(" ", "\n")]).found == "whole"
    assert placed(cite(text), [text.replace("119", "112")]).found == "missing"
    assert placed(cite(text), [text.replace("기다리지 않고", "기다리고")]).found == "missing"
    han = "隔离期为出疹后至少四天。超过规定时间的，应当立即报告公共卫生部门，不得拖延。"
    assert placed(cite(han), [f"前文。{han}后文。"]).found == "whole"
    assert placed(cite(han), [han.replace("四天", "五天")]).found == "missing"


@pytest.mark.parametrize(
    "text", ["Ünïcödé ﬁne ½ m² Straße", "İstanbul 5¹ &amp; <b>x</b>", "日本語の表 １２", "", "\ud7ff"]
)
def test_the_bare_form_and_the_way_back_agree(text: str) -> None:
    made = mapped(text)
    assert made.bare == bare(text)
    assert len(made.places) == len(made.bare)
    assert all(made.text[p].casefold()[:1] or True for p in made.places)
    assert made.text == cleaned(text)
