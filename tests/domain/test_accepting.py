"""What a key provision is offered to accept, and how its source is cited."""

from __future__ import annotations

from typing import Literal

import pytest

from curator.domain.accepting import Candidate, accept_phrases, candidates
from curator.domain.citing import citation
from curator.domain.document import Anchor, Source


def source(
    kind: Literal["chunk", "row"], text: str, sections: tuple[str, ...] = (), cells: tuple[str, ...] = ()
) -> Source:
    at = Anchor(source_id="act:p1", kind=kind, ordinal=1, page=49, page_end=49, text=text, quote="", text_hash="",
                section_path=sections, cells=cells)  # fmt: skip
    return Source(id=at.source_id, kind=kind, document_id="act", anchor=at)


def chunk(text: str, *sections: str) -> Source:
    return source("chunk", text, sections)


def row(*cells: str) -> Source:
    return source("row", " | ".join(cells), cells=cells)


def ticked(one: Source, quote: str = "") -> list[str]:
    return [c.phrase for c in candidates(one, quote) if c.ticked]


def offered(one: Source) -> list[str]:
    return [c.phrase for c in candidates(one)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The provider keeps records for 10 years.", ["10 years"]),
        ("It costs EUR 35,000,000 or 7 % of turnover.", ["EUR 35,000,000", "7 %"]),
        ("It applies from 2 August 2026.", ["2 August 2026"]),
        ("At most 10,000 persons take part.", ["10,000"]),
        ("See page 12; there are 24 schools.", []),
    ],
)
def test_values_are_ticked(text: str, values: list[str]) -> None:
    assert ticked(chunk(text)) == values
    assert accept_phrases(chunk(text)) == values


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("164. The Commission decides within 5 days.", "164"),
        ("7.3 Exclusion lasts 5 days.", "7.3"),
        ("7.3.1 Exclusion lasts 5 days, see 7.3.2 too.", "7.3"),
        ("Exclusion[^77] lasts 5 days.", "77"),
        ("Exclusion77 lasts 5 days.", "77"),
        ("The pupil is excluded.77 It lasts 5 days.", "77"),
        ("Under paragraph 164 it lasts 5 days.", "164"),
        ("Under Article 20 it lasts 5 days.", "20"),
    ],
)
def test_numbers_that_order_a_text_are_not_offered(text: str, never: str) -> None:
    assert never not in offered(chunk(text))
    assert ticked(chunk(text)) == ["5 days"]


def test_a_value_at_the_beginning_is_no_number_of_a_section() -> None:
    assert ticked(chunk("1.5 days are enough.")) == ["1.5 days"]
    assert ticked(chunk("5 days are enough.")) == ["5 days"]


def test_a_cited_place_is_offered_whole() -> None:
    found = candidates(chunk("The duties of Article 20(1) and paragraph 3 of Annex IV apply to Providers."))
    assert Candidate("Article 20(1)", "citation") in found
    assert Candidate("paragraph 3", "citation") in found
    assert Candidate("Annex IV", "citation") in found
    assert not {"Article", "Annex", "Annex IV apply", "20", "20(1)"} & {c.phrase for c in found}


def test_a_bare_number_is_offered_and_not_ticked() -> None:
    assert Candidate("24", "number") in candidates(chunk("There are 24 schools."))


def test_a_cell_that_is_a_number_counts() -> None:
    assert ticked(row("Measles", "4", "21 days[^2]")) == ["4", "21 days"]
    assert ticked(row("Scabies", "after treatment")) == ["after treatment"]


def test_what_is_selected_comes_first() -> None:
    one = chunk("It lasts 5 days; for staff 10 days.")
    assert ticked(one, "for staff 10 days") == ["10 days"]


def test_a_citation_ends_without_a_colon() -> None:
    assert citation(chunk("text", "Article 6", "it is replaced as follows:")) == "it is replaced as follows, p. 49"
    assert citation(chunk("text", ":")) == "p. 49"
    assert citation(chunk("text", "Artikel 6")) == "Artikel 6, p. 49"


def test_a_word_that_begins_a_sentence_is_no_name() -> None:
    text = "110. There is no time limit in the GDPR. The EDPB recommends it.\n5 Each door of the Commission opens."
    names = [c.phrase for c in candidates(chunk(text)) if c.kind == "name"]
    assert names == ["GDPR", "EDPB", "Commission"]


def test_a_number_that_only_names_is_not_ticked() -> None:
    one = row("Bennett", "MN", "55110", "100.00", "7")
    at = one.anchor.model_copy(update={"table_header": ("Name", "State", "Zip", "Amount", "Phone no.")})
    assert ticked(one.model_copy(update={"anchor": at})) == ["100.00"]


def test_a_dash_in_a_cell_is_not_offered() -> None:
    source = row("Herpes zoster", "Until lesions have crusted", "Not excluded", "–")
    assert accept_phrases(source) == ["Not excluded"]
    assert "–" not in [c.phrase for c in candidates(source)]
