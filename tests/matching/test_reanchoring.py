"""Verdicts: what is the same is the same, what says something else never is, and an insertion renumbers nobody."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.domain.anchoring import anchors
from curator.domain.critical import critical, differs, kinds
from curator.domain.document import Anchor, Chunk, ParsedDocument, Row, Table
from curator.domain.revision import form_of
from curator.matching.reanchoring import judge, reanchored
from curator.matching.word_difference import difference, requoted

# Pairs that say something else, in several languages; each is put into the same long sentence on both sides.
MEANINGS = [
    ("within 5 days", "within 6 days"),
    ("within 5 days", "within 5 weeks"),
    ("within five days", "within six days"),
    ("5 to 10 mm", "10 to 5 mm"),
    ("up to 10 million euro", "up to 100 million euro"),
    ("at least 0.5 mg/l", "at least 5 mg/l"),
    ("of 5 mW", "of 5 MW"),
    ("of 10 m²", "of 10 m³"),
    ("of €10", "of $10"),
    ("at −5 °C", "at 5 °C"),
    ("500[^1] mm", "500[^2] mm"),
    ("on 1 May 2026", "on 1 June 2026"),
    ("shall report", "shall not report"),
    ("shall report", "may report"),
    ("must report", "should report"),
    ("is lawful", "is unlawful"),
    ("with consent", "without consent"),
    ("more than the limit", "less than the limit"),
    ("the officer or the nurse", "the officer and the nurse"),
    ("under paragraph (a)", "under paragraph (b)"),
    ("of Annex IV", "of Annex VI"),
    ("category M1", "category N1"),
    ("Class 1 5 times", "Class 15 times"),
    ("don't open", "do open"),
    ("binnen fünf Werktagen", "binnen sechs Werktagen"),
    ("ist zulässig", "ist unzulässig"),
    ("darf nicht fahren", "darf fahren"),
    ("hat kein Recht", "hat ein Recht"),
    ("muss melden", "kann melden"),
    ("il doit informer", "il peut informer"),
    ("dans un délai de deux mois", "dans un délai de trois mois"),
    ("n'est pas admis", "est admis"),
    ("debe presentar", "puede presentar"),
    ("sin autorización", "con autorización"),
    ("5일 이내에", "6일 이내에"),
    ("5일 이내에", "5주 이내에"),
    ("두 달 동안", "세 달 동안"),
    ("제출하여야 한다", "제출할 수 있다"),
    ("할 수 있다", "할 수 없다"),
    ("제출하지 않아야", "제출하여야"),
    ("30歳以上の者", "30歳以下の者"),
    ("提出しなければならない", "提出することができる"),
    ("認められる", "認められない"),
    ("应当提交", "可以提交"),
    ("不得使用", "使用"),
    ("三年以内", "五年以内"),
]
AROUND = st.lists(
    st.sampled_from(
        [
            "agency",
            "vehicle",
            "operator",
            "register",
            "notice",
            "school",
            "table",
            "office",
            "annex",
            "person",
            "기관",
            "학교",
            "機関",
            "学校",
        ]
    ),
    min_size=0,
    max_size=60,
).map(" ".join)
SENTENCES = st.lists(
    st.text("abcdefghijklmnopqrstuvwxyz ", min_size=20, max_size=80).filter(lambda t: len(t.split()) > 2),
    min_size=3,
    max_size=12,
    unique_by=lambda t: "".join(t.split()),
)


def parsed(texts: Sequence[str], tables: Sequence[Table] = (), title: str = "Article 7 Penalties") -> ParsedDocument:
    chunks = tuple(
        Chunk(id=f"d:p{n}", page=n, page_end=n, section_path=(title,), text=text) for n, text in enumerate(texts, 1)
    )
    return ParsedDocument(file="d.pdf", sha256="0" * 64, page_count=len(texts), chunks=chunks, tables=tuple(tables))


def of(texts: Sequence[str], **more: object) -> tuple[Anchor, ...]:
    return anchors(parsed(texts, **more))  # type: ignore[arg-type]


def table(rows: Sequence[tuple[str, ...]], **changes: object) -> Table:
    values = {
        "id": "d.table-2", "title": "Table 2. Exclusion", "pages": (1,), "header": ("Disease", "Away > Days"),
        "footnotes": ("[^1] From the first day.",),
    } | changes  # fmt: skip
    made = tuple(Row(id=f"d.table-2:r{n}", page=1, cells=r, text=" | ".join(r)) for n, r in enumerate(rows))
    return Table.model_validate({**values, "rows": made})


ROWS = (("Measles", "4"), ("Mumps", "5"), ("Varicella", "until dry"))


def verdict(old: Table, new: Table, row: int = 0) -> str:
    return reanchored(of([], tables=[old]), of([], tables=[new]))[f"d.table-2:r{row}"].verdict


@pytest.mark.parametrize(
    ("one", "two", "verdict"),
    [("in paragraphs 5.1.1. and 3.2", "in paragraphs 5.1 .1. and 3.2", "SAME"),
     ("under No. 129, shall be tested", "under N o. 129 , shall be tested", "SAME"),
     ("a force of 60 N", "a force of 6 0 N", "CHANGED"),
     ("a force of 0.5 N", "a force of 0. 5 N", "CHANGED"),
     ("a force of 60 N", "a force of 66 N", "CHANGED")],
)  # fmt: skip
def test_signs_that_another_reader_spaces_otherwise(one: str, two: str, verdict: str) -> None:
    old, new = (of(["First of all.", f"The belt is held {t} by the test bench.", "At last."]) for t in (one, two))
    assert reanchored(old, new, same_bytes=True)["d:p2"].verdict == verdict
    assert reanchored(old, new)["d:p2"].verdict != "SAME"  # in an amended file somebody looks


def test_rows_of_a_table_that_is_read_from_its_other_side_keep_their_ids() -> None:
    old = table(rows=ROWS)
    sides = {"header": old.header[::-1]}
    turned = table(rows=tuple(row[::-1] for row in ROWS)).model_copy(update=sides)
    found = reanchored(of([], tables=[old]), of([], tables=[turned]), same_bytes=True)
    assert [f.verdict for f in found.values()] == ["SAME"] * 3
    other = turned.model_copy(update={"header": old.header})  # under the other labels they say something else
    found = reanchored(of([], tables=[old]), of([], tables=[other]), same_bytes=True)
    assert "SAME" not in [f.verdict for f in found.values()]


@pytest.mark.parametrize(("one", "two"), MEANINGS)
@settings(max_examples=12)
@given(before=AROUND, after=AROUND)
def test_what_says_something_else_is_never_the_same_however_alike(one: str, two: str, before: str, after: str) -> None:
    for a, b in ((one, two), (two, one)):
        old, new = (of(["First of all.", f"{before} {t} {after}", "At last."]) for t in (a, b))
        found = reanchored(old, new)["d:p2"]
        assert found.verdict in ("CHANGED", "AMBIGUOUS", "LOST")
        assert reanchored(old, new, same_bytes=True)["d:p2"].verdict != "SAME"
        assert judge(old[1], new[1]).difference == "meaning"


@pytest.mark.parametrize(("one", "two"), MEANINGS)
def test_nor_in_a_cell_a_header_or_a_note(one: str, two: str) -> None:
    rows = (("Measles", one), *ROWS[1:])
    other = (("Measles", two), *ROWS[1:])
    assert verdict(table(rows), table(other)) == "CHANGED"
    assert verdict(table(ROWS, footnotes=(one,)), table(ROWS, footnotes=(two,))) == "CHANGED"
    assert verdict(table(ROWS, header=("Disease", one)), table(ROWS, header=("Disease", two))) == "CHANGED"


@given(texts=SENTENCES)
def test_a_document_is_the_same_as_itself(texts: list[str]) -> None:
    found = reanchored(of(texts), of(texts))
    assert {f.verdict for f in found.values()} == {"SAME"}
    assert all(f.target == name for name, f in found.items())


@given(texts=SENTENCES, place=st.integers(0, 12), wrap=st.booleans())
def test_an_insertion_changes_no_verdict_and_a_line_break_is_none(texts: list[str], place: int, wrap: bool) -> None:
    place = min(place, len(texts))
    new = [*texts[:place], "Quite another provision, number 4711, is put in here.", *texts[place:]]
    if wrap:
        new = [t.replace(" ", "\n") for t in new]
    found = reanchored(of(texts), of(new))
    assert {f.verdict for f in found.values()} == {"SAME"}
    for n, name in enumerate(found):
        assert found[name].target == f"d:p{n + 1 + (n >= place)}"


@given(texts=SENTENCES, copies=st.integers(2, 4), change=st.integers(-1, 1))
def test_copies_are_never_taken_for_sure(texts: list[str], copies: int, change: int) -> None:
    old = [t for text in texts for t in (text, "Reserved for later use.")][: 2 * copies]
    new = [*old, *["Reserved for later use."] * change] if change >= 0 else old[:-2]
    found = reanchored(of(old), of(new))
    verdicts = {found[f"d:p{n}"].verdict for n, t in enumerate(old, 1) if t.startswith("Reserved")}
    assert verdicts <= ({"SAME_KTH"} if not change else {"AMBIGUOUS"})


@given(texts=SENTENCES, gone=st.integers(0, 11))
def test_what_is_gone_is_lost_and_takes_no_neighbor(texts: list[str], gone: int) -> None:
    gone = min(gone, len(texts) - 1)
    found = reanchored(of(texts), of([t for n, t in enumerate(texts) if n != gone]))
    assert found[f"d:p{gone + 1}"].target == ""
    assert found[f"d:p{gone + 1}"].verdict == "LOST"
    assert all(f.verdict in ("SAME", "MOVED_SIMILAR") for n, f in enumerate(found.values()) if n != gone)


def test_a_number_of_the_section_is_form_and_a_number_in_the_text_is_not() -> None:
    old = of(["a", "5.3.1. The gap is at most 12 mm wide on both sides.", "b"])
    same = of(["a", "5.4.1. The gap is at most 12 mm wide on both sides.", "b"])
    other = of(["a", "5.4.1. The gap is at most 13 mm wide on both sides.", "b"])
    found = reanchored(old, same)["d:p2"]
    assert (found.verdict, found.difference) == ("MOVED_SIMILAR", "numbering")
    assert reanchored(old, other)["d:p2"].verdict == "CHANGED"
    assert form_of("3. Woche nach der Impfung", "4. Woche nach der Impfung") == "wording"
    assert form_of("1. Mai 2026 tritt es in Kraft", "2. Mai 2026 tritt es in Kraft") == "wording"


def test_a_section_renumbered_is_the_same_and_one_of_another_title_is_not() -> None:
    texts = ["The operator keeps the records.", "They are shown on request.", "A copy is free."]
    assert {f.verdict for f in reanchored(of(texts), of(texts, title="Article 8 Penalties")).values()} == {"SAME"}
    moved = reanchored(of(texts), of(texts, title="Article 7 Repeal")).values()
    assert {(f.verdict, f.difference) for f in moved} == {("MOVED_SIMILAR", "place")}


def test_a_row_is_the_same_only_when_all_around_it_is() -> None:
    old = table(ROWS)
    assert verdict(old, table((("Impetigo", "1"), *ROWS)).model_copy()) != ""
    for change in ({"title": "Table 3. Quarantine"}, {"header": ("Disease", "Away > Hours")},
                   {"footnotes": ("[^1] From the second day.",)}, {"footnotes": ()}):  # fmt: skip
        assert verdict(old, table(ROWS, **change)) != "SAME", change
    assert verdict(old, table(ROWS, title="Table 3. Exclusion")) == "MOVED_SIMILAR"
    assert verdict(old, table((("Measles", "4"), ("Mumps", "6"), ROWS[2]))) == "SAME"


def test_rows_are_found_by_their_key_when_every_cell_changed() -> None:
    new = table((("Varicella", "6 days"), ("Measles", "3 weeks after the rash")))
    found = reanchored(of([], tables=[table(ROWS)]), of([], tables=[new]))
    assert {n: (f.verdict, f.target) for n, f in found.items()} == {
        "d.table-2:r0": ("CHANGED", "d.table-2:r1"),
        "d.table-2:r1": ("LOST", ""),
        "d.table-2:r2": ("CHANGED", "d.table-2:r0"),
    }


def test_two_rows_of_one_key_and_an_empty_key_are_kept_apart() -> None:
    rows = (("Manufacturer", "reports"), ("Manufacturer", "repairs"), ("", "informs"))
    old = of([], tables=[table(rows)])
    assert {f.verdict for f in reanchored(old, old).values()} == {"SAME"}
    twice = of([], tables=[table((("Manufacturer", "reports"), ("Manufacturer", "reports")))])
    assert {f.verdict for f in reanchored(twice, twice).values()} == {"SAME_KTH"}


def test_words_that_differ_read_the_same_on_both_sides() -> None:
    old, new = "A late report costs up to 10 million euro.", "A late report now costs 12 million euro."
    pieces = difference(old, new)
    assert "".join(p.text for p in pieces if p.kind != "gone").split() == new.split()
    assert "".join(p.text for p in pieces if p.kind != "new").split() == old.split()
    assert "12 million" in requoted("costs up to 10 million", new)
    assert requoted("costs up to 10 million", new) in new
    assert requoted("nothing of the kind anywhere", "x") == ""


@given(old=st.text(max_size=60), new=st.text(max_size=60))
def test_differences_of_any_texts_lose_no_word(old: str, new: str) -> None:
    pieces = difference(old, new)
    assert "".join("".join(p.text for p in pieces if p.kind != "gone").split()) == "".join(new.split())
    critical(old)
    assert differs(old, old) is False


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        ("for 5 days", "for 6 days", ("number",)),
        ("5 mg", "5 g", ("unit",)),
        ("48 hours", "2 days", ("number", "unit")),
        ("3 May 2026", "3 June 2026", ("date",)),
        ("must not go", "must go", ("negation",)),
        ("lawful", "unlawful", ("negation",)),
        ("shall", "may", ("modal",)),
        ("zwei Tage", "drei Tage", ("number",)),
        ("more than 5", "less than 5", ("comparison",)),
        ("5일 이내", "6일 이내", ("number",)),
    ],
)
def test_it_is_said_in_what_the_meaning_differs(one: str, two: str, said: tuple[str, ...]) -> None:
    assert kinds(one, two) == kinds(two, one) == said
