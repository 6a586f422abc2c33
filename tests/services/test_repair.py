"""Tables are repaired: visible at once, undone and redone whole, kept when the file comes again."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF

from curator.domain.case import Case
from curator.domain.repair import Apart, CellFix, Drop, HeaderRows, Join, LabelFix, Repair, Split, TitleFix
from curator.errors import Conflict, InputError, UsageError
from curator.services import cases, documents, reconfirm, undo
from curator.services.doctor import examine
from curator.services.ingest import Facts, ingest
from curator.services.repair import dismiss, listed, repair
from curator.services.repair_pages import part_of, read_again, read_region
from curator.services.search import search
from tests.services.desk import ARTICLES, MEASLES, MUMPS, ROWS, Desk, write_pdf

VARICELLA = "regulation.table-2:varicella"
TABLE = "regulation.table-2"


def anchors(desk: Desk) -> list[object]:
    return [s.anchor for s in documents.sources_on(desk.ada, "regulation")]


def rows(desk: Desk) -> dict[str, tuple[str, ...]]:
    return {s.id: s.anchor.cells for s in documents.rows(desk.ada, "regulation")}


@pytest.mark.parametrize(
    ("wanted", "after"),
    [
        (CellFix(row=MUMPS, column=1, text="15"), {MEASLES: ("Measles", "4"), MUMPS: ("Mumps", "15"),
                                                   VARICELLA: ("Varicella", "6")}),
        (Join(row=MEASLES, other=MUMPS), {MEASLES: ("Measles Mumps", "4 5"), VARICELLA: ("Varicella", "6")}),
        (Split(row=MEASLES, first=("Measles", "4"), second=("Rubella", "")),
         {MEASLES: ("Measles", "4"), f"{TABLE}:rubella": ("Rubella", ""), MUMPS: ("Mumps", "5"),
          VARICELLA: ("Varicella", "6")}),
        (HeaderRows(table=TABLE, rows=2), {MUMPS: ("Mumps", "5"), VARICELLA: ("Varicella", "6")}),
        (HeaderRows(table=MUMPS, rows=0), {f"{TABLE}:disease": ("Disease", "Days away"), MEASLES: ("Measles", "4"),
                                           MUMPS: ("Mumps", "5"), VARICELLA: ("Varicella", "6")}),
        (Drop(table=TABLE), {}),
    ],
    ids=lambda v: getattr(v, "kind", ""),
)  # fmt: skip
def test_a_repair_is_seen_at_once_and_taken_back_whole(
    desk: Desk, wanted: Repair, after: dict[str, tuple[str, ...]]
) -> None:
    before = anchors(desk)
    done = repair(desk.ada, "regulation", wanted)
    assert rows(desk) == after
    assert examine(desk.ada).problems == ()
    made = anchors(desk)
    assert [a.ordinal for a in made] == list(range(1, len(made) + 1))  # type: ignore[attr-defined]
    assert [r.number for r in listed(desk.ada)] == [done.number]
    for _ in range(2):
        turned = undo.undo(desk.ada)
        assert turned is not None
        assert (turned.verb, turned.names) == ("repaired", ("regulation",))
        assert anchors(desk) == before
        assert listed(desk.ada) == ()
        assert undo.redo(desk.ada) is not None
        assert anchors(desk) == made
    assert examine(desk.ada).problems == ()


def test_search_finds_what_a_cell_says_now(desk: Desk) -> None:
    assert search(desk.ada, "Scarlatina", semantic=False).hits == ()
    repair(desk.ada, "regulation", CellFix(row=MUMPS, column=0, text="Scarlatina"))
    (hit,) = search(desk.ada, "Scarlatina", semantic=False).hits
    assert (hit.source_id, "Days away: 5" in hit.text) == (MUMPS, True)
    undo.undo(desk.ada)
    assert search(desk.ada, "Scarlatina", semantic=False).hits == ()


def test_labels_and_titles_stand_in_the_text_of_every_row(desk: Desk) -> None:
    repair(desk.ada, "regulation", LabelFix(table=TABLE, column=1, text="School days away"))
    repair(desk.ada, "regulation", TitleFix(table=MUMPS, text="Table 2. Exclusion from class"))
    texts = [s.anchor.text for s in documents.rows(desk.ada, "regulation")]
    assert all("School days away: " in t and t.startswith("Table 2. Exclusion from class") for t in texts)


def test_the_case_on_a_repaired_row_waits_and_is_reconfirmed_by_one_key(desk: Desk) -> None:
    one = desk.approved("How long for measles?", MEASLES)
    other = desk.approved("How long for mumps?", MUMPS)
    done = repair(desk.ada, "regulation", CellFix(row=MEASLES, column=1, text="14"))
    assert done.stale == (one.case.id,)
    assert cases.get(desk.ada, one.case.id).flags == ("stale",)
    assert cases.get(desk.ada, other.case.id).flags == ()
    (wait,) = reconfirm.waiting(desk.ada)
    assert (wait.source_id, wait.verdict, wait.difference, wait.cases) == (MEASLES, "CHANGED", "meaning", 1)
    shown = reconfirm.look(desk.ada, MEASLES)
    assert (shown.old.cells, shown.new and shown.new.cells) == (("Measles", "4"), ("Measles", "14"))
    assert shown.old_revision == f"1 before repair {done.number}"

    undo.undo(desk.ada)
    assert (cases.get(desk.ada, one.case.id).flags, reconfirm.waiting(desk.ada)) == ((), ())
    undo.redo(desk.ada)
    assert cases.get(desk.ada, one.case.id).flags == ("stale",)

    told = reconfirm.accept(desk.ben, [MEASLES])
    assert (told.cases, told.stale) == ((one.case.id,), ())
    now = cases.get(desk.ada, one.case.id)
    assert (now.status, now.flags, now.case.evidence[0].table_cells) == ("approved", (), ("Measles", "14"))
    assert reconfirm.waiting(desk.ada) == ()
    with pytest.raises(Conflict, match=r"re-confirmed since then"):
        undo.undo(desk.ada)
    assert undo.undo(desk.ben) is not None
    assert undo.undo(desk.ada) is not None
    assert cases.get(desk.ada, one.case.id).flags == ()
    assert examine(desk.ada).problems == ()


def test_a_case_cited_anew_is_no_longer_stale(desk: Desk) -> None:
    record = desk.case("How long for measles?", MEASLES)
    repair(desk.ada, "regulation", CellFix(row=MEASLES, column=1, text="14"))
    stale = cases.get(desk.ada, record.case.id)
    assert stale.flags == ("stale",)
    again = cases.with_evidence(desk.ada, stale.case.model_copy(update={"evidence": ()}), MEASLES)
    saved = cases.save(desk.ada, again, stale.version)
    assert (saved.flags, saved.case.evidence[0].table_cells) == ((), ("Measles", "14"))


def test_a_joined_row_stays_under_both_ids_and_a_dropped_one_makes_its_case_wait(desk: Desk) -> None:
    record = desk.approved("How long for mumps?", MUMPS)
    repair(desk.ada, "regulation", Join(row=MEASLES, other=MUMPS))
    assert documents.source(desk.ada, MUMPS).id == MEASLES
    assert cases.get(desk.ada, record.case.id).flags == ("stale",)
    reconfirm.accept(desk.ben, [MEASLES])
    now = cases.get(desk.ada, record.case.id)
    assert (now.flags, now.case.evidence[0].table_cells) == ((), ("Measles Mumps", "4 5"))
    repair(desk.ada, "regulation", Drop(table=TABLE))
    assert cases.get(desk.ada, record.case.id).flags == ("stale",)
    (text,) = [s for s in documents.sources_on(desk.ada, "regulation") if s.id == "regulation:table-2.text"]
    assert text.anchor.text == "Disease Days away\nMeasles Mumps 4 5\nVaricella 6"
    assert [w.source_id for w in reconfirm.waiting(desk.ada)] == [MEASLES]


def test_nothing_is_stored_when_a_repair_makes_no_sense(desk: Desk) -> None:
    before = anchors(desk)
    bad: list[tuple[Repair, type[Exception]]] = [
        (CellFix(row=MUMPS, column=2, text="x"), UsageError),
        (CellFix(row=MUMPS, column=1, text=" 5 "), UsageError),
        (CellFix(row=f"{TABLE}:none", column=0, text="x"), InputError),
        (Join(row=MUMPS, other=MEASLES), UsageError),
        (HeaderRows(table=TABLE, rows=4), UsageError),
        (Split(row=MUMPS, first=("Mumps", "5"), second=("", "")), UsageError),
        (Apart(row=MUMPS), UsageError),
    ]
    for wanted, error in bad:
        with pytest.raises(error):
            repair(desk.ada, "regulation", wanted)
    assert anchors(desk) == before
    assert listed(desk.ada) == ()


def test_what_was_changed_again_by_another_is_not_undone(desk: Desk) -> None:
    repair(desk.ada, "regulation", CellFix(row=MUMPS, column=1, text="15"))
    repair(desk.ben, "regulation", CellFix(row=MUMPS, column=1, text="25"))
    with pytest.raises(Conflict, match=r"changed again"):
        undo.undo(desk.ada)
    assert rows(desk)[MUMPS] == ("Mumps", "25")
    repair(desk.ben, "regulation", CellFix(row=VARICELLA, column=1, text="16"))
    repair(desk.ada, "regulation", CellFix(row=MEASLES, column=1, text="14"))
    undo.undo(desk.ben)  # another row of the same table
    assert rows(desk) == {MEASLES: ("Measles", "14"), MUMPS: ("Mumps", "25"), VARICELLA: ("Varicella", "6")}


@pytest.fixture
def revise(desk: Desk, tmp_path: Path) -> Callable[..., object]:
    def ingested(**content: object) -> object:
        (tmp_path / "revision").mkdir(exist_ok=True)
        path = write_pdf(tmp_path / "revision" / "regulation.pdf", **content)  # type: ignore[arg-type]
        (result,) = ingest(desk.ada, [path], Facts(revision_of="regulation"))
        return result

    return ingested


def test_repairs_are_kept_when_the_file_comes_again(desk: Desk) -> None:
    repair(desk.ada, "regulation", CellFix(row=MUMPS, column=1, text="15"))
    made = anchors(desk)
    (result,) = ingest(desk.ada, [desk.root / "datasets" / "regulation.pdf"])
    assert (result.outcome, anchors(desk)) == ("same", made)


def test_repairs_are_made_again_in_the_next_revision(desk: Desk, revise: Callable[..., object]) -> None:
    record = desk.approved("How long for mumps?", MUMPS)
    repair(desk.ada, "regulation", CellFix(row=MUMPS, column=1, text="15"))
    repair(desk.ada, "regulation", Split(row=MEASLES, first=("Measles", "4"), second=("Rubella", "7")))
    reconfirm.accept(desk.ben, [MUMPS])
    made = rows(desk)
    result = revise(articles=(("Article 5. Scope", "These rules hold for all schools of the region."), *ARTICLES))
    assert (result.repairs, result.repairs_waiting, set(result.verdicts)) == (2, 0, {"SAME"})  # type: ignore[attr-defined]
    assert rows(desk) == made
    assert cases.get(desk.ada, record.case.id).flags == ()
    assert [r.state for r in listed(desk.ada)] == ["done", "done"]
    with pytest.raises(Conflict, match=r"newer revision"):
        undo.undo(desk.ada)
    assert examine(desk.ada).problems == ()


def test_a_repair_whose_row_changed_waits_and_is_dismissed(desk: Desk, revise: Callable[..., object]) -> None:
    repair(desk.ada, "regulation", CellFix(row=MUMPS, column=1, text="15"))
    result = revise(rows=(ROWS[0], ROWS[1], ("Mumps", "8"), ROWS[3]))
    assert (result.repairs, result.repairs_waiting) == (0, 1)  # type: ignore[attr-defined]
    (waits,) = listed(desk.ada, states=("waiting",))
    assert waits.repair == CellFix(row=MUMPS, column=1, text="15")
    assert [(w.source_id, w.verdict) for w in reconfirm.waiting(desk.ada)] == [(MUMPS, "CHANGED")]
    assert dismiss(desk.ada, [waits.number]) == (waits.number,)
    assert listed(desk.ada) == ()
    with pytest.raises(InputError, match=r"does not wait"):
        dismiss(desk.ada, [waits.number])


def test_a_case_that_waits_for_a_repair_still_waits_in_the_next_revision(
    desk: Desk, revise: Callable[..., object]
) -> None:
    record = desk.approved("How long for mumps?", MUMPS)
    repair(desk.ada, "regulation", CellFix(row=MUMPS, column=1, text="15"))
    revise(articles=(("Article 5. Scope", "These rules hold for all schools of the region."), *ARTICLES))
    assert rows(desk)[MUMPS] == ("Mumps", "15")
    assert cases.get(desk.ada, record.case.id).flags == ("stale",)
    assert reconfirm.waiting(desk.ada)[0].source_id == MUMPS
    reconfirm.accept(desk.ben, [MUMPS])
    now: Case = cases.get(desk.ada, record.case.id).case
    assert now.evidence[0].table_cells == ("Mumps", "15")
    assert examine(desk.ada).problems == ()


def list_pdf(path: Path) -> Path:
    """A page on which a list of words stands in two columns that no line and no number gives away."""
    pdf = FPDF()
    pdf.set_creation_date(datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC))
    pdf.add_page()
    pdf.set_font("Helvetica", "B", size=14)
    pdf.cell(0, 10, "Article 1. Offices", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Helvetica", size=11)
    for left, right in (("Region", "Office"), ("North", "Tallinn"), ("South", "Valga"), ("East", "Narva")):
        pdf.cell(60, 6, left)
        pdf.cell(60, 6, right, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(10)
    pdf.set_font("Helvetica", "B", size=14)
    pdf.cell(0, 10, "Article 2. Hours", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Helvetica", size=11)
    pdf.multi_cell(0, 6, "The offices are open on working days from nine to five and closed at all other times.")
    path.write_bytes(bytes(pdf.output()))
    return path


def test_a_text_is_marked_as_a_table_and_that_is_taken_back(desk: Desk) -> None:
    path = list_pdf(desk.root / "datasets" / "offices.pdf")
    ingest(desk.ada, [path])
    before = [s.anchor for s in documents.sources_on(desk.ada, "offices")]
    assert [(a.kind, a.source_id) for a in before] == [("chunk", "offices:article-1"), ("chunk", "offices:article-2")]
    done = repair(desk.ada, "offices", read_region(desk.ada, ["offices:article-1"]))
    offices = dict.fromkeys((("North", "Tallinn"), ("South", "Valga"), ("East", "Narva")), ("Region", "Office"))
    assert {s.anchor.cells: s.anchor.table_header for s in documents.rows(desk.ada, "offices")} == offices
    assert len(done.new) == 3
    assert documents.rows(desk.ada, "offices")[0].anchor.section_path == before[0].section_path
    assert documents.source(desk.ada, "offices:article-1").anchor.text == "Article 1. Offices"
    assert documents.source(desk.ada, "offices:article-2").anchor.text == before[1].text
    undo.undo(desk.ada)
    assert [s.anchor for s in documents.sources_on(desk.ada, "offices")] == before
    with pytest.raises(InputError, match=r"no columns"):
        read_region(desk.ada, ["offices:article-2"])


def test_a_page_read_again_keeps_the_ids_of_rows_that_are_the_same(desk: Desk) -> None:
    record = desk.approved("How long for mumps?", MUMPS)
    before = anchors(desk)
    repair(desk.ada, "regulation", CellFix(row=MUMPS, column=1, text="15"))
    repair(desk.ada, "regulation", Join(row=MEASLES, other=MUMPS))
    wanted = read_again(desk.ada, "regulation", 2, "curator")
    done = repair(desk.ada, "regulation", wanted)
    assert rows(desk)[VARICELLA] == ("Varicella", "6")
    assert sorted(rows(desk).values()) == [("Measles", "4"), ("Mumps", "5"), ("Varicella", "6")]
    assert done.gone == (MEASLES,)  # "Measles Mumps" is no row of the page
    for _ in range(3):
        undo.undo(desk.ada)
    assert anchors(desk) == before
    assert cases.get(desk.ada, record.case.id).flags == ()
    with pytest.raises(UsageError, match="nothing changes"):
        repair(desk.ada, "regulation", read_again(desk.ada, "regulation", 2, "curator"))


def test_the_file_of_a_page_is_found_or_asked_for(desk: Desk, tmp_path: Path) -> None:
    elsewhere = tmp_path / "moved.pdf"
    (desk.root / "datasets" / "regulation.pdf").rename(elsewhere)
    assert len(read_again(desk.ada, "regulation", 2, "curator").tables) == 1  # a copy was kept
    (kept,) = (desk.root / ".curator" / "files").iterdir()
    kept.unlink()
    with pytest.raises(InputError, match=r"not in the folder"):
        read_again(desk.ada, "regulation", 2, "curator")
    assert len(read_again(desk.ada, "regulation", 2, "curator", elsewhere).tables) == 1
    other = write_pdf(tmp_path / "other.pdf", rows=ROWS[:3])
    with pytest.raises(InputError, match=r"is not the file of regulation"):
        read_again(desk.ada, "regulation", 2, "curator", other)


def test_one_of_the_tables_of_a_page_read_again_leaves_the_others_as_they_are(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "two.pdf"
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=11)
    for number in (1, 2):
        pdf.multi_cell(0, 8, f"Table {number}. Limits", new_x="LMARGIN", new_y="NEXT")
        with pdf.table(width=120, align="LEFT") as table:
            for cells in (("Class", "Limit"), (f"Class {number}", f"{number}0 mg"), (f"Other {number}", "5 mg")):
                table.row(cells)
        pdf.ln(12)
    pdf.output(str(path))
    ingest(desk.ada, [path])
    for number in (1, 2):
        repair(desk.ada, "two", CellFix(row=f"two.table-{number}:other-{number}", column=1, text="7 mg"))
    wanted = read_again(desk.ada, "two", 1, "curator", path)
    part = part_of(desk.ada, "two", wanted, [1])
    assert (len(wanted.tables), part.gone) == (2, ("two.table-2",))
    done = repair(desk.ada, "two", part)
    assert (done.changed, done.gone, done.new) == (("two.table-2:other-2",), (), ())
    assert [s.anchor.cells[1] for s in documents.rows(desk.ada, "two")] == ["10 mg", "7 mg", "20 mg", "5 mg"]
    with pytest.raises(UsageError, match=r"no table 3"):
        part_of(desk.ada, "two", wanted, [2])
