"""Coverage on a real workspace: counted as a release would, live, without telling what may not be seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator.domain.size_panel import Assumptions
from curator.errors import Conflict, InputError, UsageError
from curator.exporting.coverage_html import coverage_html
from curator.exporting.coverage_markdown import coverage_markdown
from curator.services import cases, privacy
from curator.services.coverage import Board, coverage, strata_of
from curator.services.failure_import import import_log
from curator.services.obstacles import Refused
from curator.services.quotas import preset as preset_of
from curator.services.quotas import preview, write
from curator.services.reference import reference, warnings
from curator.services.release import release
from curator.services.reproduce import reproduce
from curator.services.results import read_results
from curator.services.selection import placed, policy
from curator.store import placing
from tests.services.desk import ARTICLE, MEASLES, MUMPS, SETTINGS, SIBLING, Desk

QUOTAS = """
[[suites.rules.quotas]]
where = { domain = "*", lengthStratum = "2x" }
minimum = 2  # the regulation is twice as long as usual

[[suites.rules.quotas]]
where = { expectedBehavior = "refuse" }
minimum = 0.25
unit = "share"
"""


def refusal(desk: Desk, question: str = "Who wins the cup?") -> None:
    desk.approved(question, "", expectedBehavior="refuse", refusalReason="out_of_scope", referenceAnswer="")


def test_cells_margins_and_quotas_are_those_of_a_release(desk: Desk) -> None:
    desk.write_settings(SETTINGS + QUOTAS)
    desk.approved(source=ARTICLE)
    desk.case("Within how many days is an appeal lodged?", SIBLING)
    report = coverage(desk.ada, "rules")
    (row,) = report.grid.rows
    cell = next(c for c in report.grid.cells[0] if c.column == "2x")
    assert (row.value, row.count, row.coming) == ("rules", 1, 1)
    assert (cell.count, cell.coming, cell.need, cell.state, cell.glyph) == (1, 1, 2, "gap", "!")
    assert (report.cases, report.coming, report.grid.total.count) == (1, 1, 1)
    assert [(a.quota.name, a.missing) for a in report.quotas] == [
        ("domain=rules × lengthStratum=2x", 1),
        ("expectedBehavior=refuse", 1),
    ]
    by_name = {d.name: {m.value: m.count for m in d.values if m.count} for d in report.dimensions}
    assert by_name["sectionPosition"] == {"early": 1}
    assert by_name["conversation"] == {"single": 1}
    assert all(d.how for d in report.dimensions)


def test_a_gap_names_the_pages_that_would_fill_it(desk: Desk) -> None:
    desk.write_settings(SETTINGS + QUOTAS + '\n[[suites.rules.quotas]]\nwhere = {lengthStratum = "10x"}\nminimum = 1\n')
    desk.approved(source=ARTICLE)
    gap, share, long = board_of(desk).work("rules")
    assert gap.words == "domain rules × length 2x: has 1, needs 2"
    (place,) = gap.places
    assert (place.document_id, place.first_page, place.last_page, place.cases) == ("regulation", 2, 2, 0)
    assert gap.step.startswith("approve 1 more case, such as on regulation pp. 2-2")
    assert "must be refused" in share.step
    assert "has 0.0%, needs 25.0%" in share.words
    assert long.step == "ingest a document of 10 pages or more first: none is here that fits"
    assert long.places == ()


def board_of(desk: Desk) -> Board:
    board = Board(desk.ada)
    board.refresh()
    return board


def test_the_board_follows_every_change_and_reads_only_what_changed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write_settings(SETTINGS + QUOTAS)
    first = desk.approved(source=ARTICLE)
    board = board_of(desk)
    assert board.refresh() is False
    assert board.version == 1
    read: list[Any] = []
    whole = placing.placed
    monkeypatch.setattr(placing, "placed", lambda tx, only=None: read.append(only) or whole(tx, only))
    desk.approved("Within how many days is an appeal lodged?", SIBLING)
    refusal(desk)
    assert board.refresh() is True
    assert read
    assert all(first.case.id not in only for only in read), "what did not change is not read again"
    assert board.work("rules") == ()
    record = cases.get(desk.ada, first.case.id)
    cases.save(desk.ada, record.case.model_copy(update={"domain": "fees"}), record.version)
    assert board.refresh() is True
    assert [c.id for c in board.cell("rules", {"domain": "fees"})] == [first.case.id]
    fresh = board_of(desk)
    assert fresh.cases == board.cases
    assert fresh.grid("rules", "domain", "risk") == board.grid("rules", "domain", "risk")
    before = board.version
    desk.write_settings(SETTINGS + QUOTAS.replace("minimum = 2 ", "minimum = 9 "))
    board.ctx = desk.ada
    assert board.refresh() is True
    assert (board.version, board.work("rules")[0].missing) == (before + 1, 8)


def test_the_short_reading_counts_as_the_whole_case_does(desk: Desk) -> None:
    """Also a case with more evidence than is read by its paths."""
    many = cases.get(desk.ada, desk.approved(source=ARTICLE).case.id).case
    for source in (SIBLING, MEASLES, MUMPS):
        many = cases.with_evidence(desk.ada, many, source, role="supporting")
    reordered = many.model_copy(update={"evidence": many.evidence[1:] + many.evidence[:1], "tags": ("a", "b")})
    saved = cases.new(desk.ada, reordered.model_copy(update={"id": "", "turns": ("What is it?", "And how much?")}))
    with desk.ada.db.read() as tx:
        short = {c.id: c for c in placing.placed(tx)}[saved.case.id]
        some = {c.id: c for c in placing.placed(tx, [saved.case.id])}
        assert len(placed(tx, reference(desk.ada))) == 1
    assert some == {short.id: short}
    from curator.domain.strata import placing_line

    whole, quick = placing_line(saved.case, 1), placing_line(short, 1)
    same = ("turns", "tags")
    assert {k: v for k, v in whole.items() if k not in same} == {k: v for k, v in quick.items() if k not in same}
    assert (len(quick["turns"]), list(quick["tags"])) == (2, ["a", "b"])


def test_who_may_have_to_label_a_case_is_not_told_its_answer(desk: Desk) -> None:
    name = desk.submitted(source=ARTICLE, risk="high", consequence="a fine").case.id
    own = {s.dimension: s.value for s in strata_of(desk.ada, name)}
    theirs = {s.dimension: s.value for s in strata_of(desk.ben, name)}
    assert (own["risk"], own["expectedBehavior"]) == ("high", "answer")
    assert theirs["risk"] == theirs["expectedBehavior"] == theirs["sectionPosition"] == "hidden"
    assert theirs["domain"] == "rules"
    board = Board(desk.ben)
    board.refresh()
    assert [m.value for m in board.grid("", "risk").rows if m.coming] == ["hidden"]
    assert board.cell("", {"risk": "high"}) == ()


def test_failures_that_fit_a_gap_are_named_by_id(desk: Desk) -> None:
    desk.write_settings(
        SETTINGS + '\n[[suites.full.quotas]]\nwhere = { route = "handoff", conversation = "single" }\nminimum = 2\n'
    )
    log = desk.root / "log.csv"
    log.write_text("question,route,feedback\nWho decides on appeals?,lookup,\nWho treats burns?,handoff,thumbs down\n")
    import_log(desk.ada, log, names=False, accept_residual_names=True)
    assert board_of(desk).work("full")[-1].failures == (), "what is in quarantine stays out"
    for name in ("f1", "f2"):
        seen = privacy.review(desk.ada, name)
        privacy.confirm(desk.ada, name, seen.hash, [s.key for s in seen.spots])
    (found,) = board_of(desk).work("full")[-1].failures
    assert found.failure_id == "f2"
    assert found.reasons[:2] == ("route handoff", "single")
    assert found.reasons[-1] == "asked once"


def test_results_of_a_run_replace_the_assumption(desk: Desk, tmp_path: Path) -> None:
    names = [desk.approved(f"What does report number {n} cost?", s).case.id for n, s in ((1, ARTICLE), (2, MEASLES))]
    file = tmp_path / "run.csv"
    file.write_text(f"caseId,passed\n{names[0]},true\n{names[1]},no\n")
    results = read_results(file)
    (whole, *_) = coverage(desk.ada, by=["domain"], given=Assumptions(correlation=0, fixed=True), results=results).sizes
    assert (whole.n, whole.measured, whole.rate, whole.change) == (2, 2, 0.5, None)
    assert "50% of 2 were right" in whole.sentence
    for text, said in (("caseId,passed\nx,true\n", "line 2"), ("a,b\n", "no result"), ("[]", "no result")):
        file.write_text(text)
        with pytest.raises(InputError, match=said):
            read_results(file)


def test_what_makes_no_sense_is_refused(desk: Desk) -> None:
    for by, said in ((["size"], "no dimension"), ([], "one or two"), (["risk", "risk"], "one or two")):
        with pytest.raises(UsageError, match=said):
            coverage(desk.ada, by=by)
    with pytest.raises(UsageError, match="no suite"):
        coverage(desk.ada, "none")


@pytest.mark.parametrize(
    ("lengths", "said"),
    [
        ("median = 0", "no reference median"),
        ("median = 8", "has no date"),
        ('median = 8\nas_of = "2020-01-01"', "days ago"),
        ('median = 8\nas_of = "last week"', "is no date"),
        ('profile = "datasets/lengths.csv"\nas_of = "2026-02-01"', "1 of its 2 documents are here"),
    ],
)
def test_a_median_that_cannot_be_trusted_is_a_warning(desk: Desk, lengths: str, said: str) -> None:
    (desk.root / "datasets" / "lengths.csv").write_text("document,pages\nregulation.pdf,8\nMemo,3\n")
    desk.write_settings(SETTINGS.replace("median = 1", lengths))
    found = coverage(desk.ada).warnings
    assert any(said in w for w in found), found


def test_a_median_with_a_date_is_none(desk: Desk) -> None:
    desk.write_settings(SETTINGS.replace("median = 1", 'median = 8\nas_of = "2026-02-01"'))
    assert warnings(desk.ada, []) == ()


def test_quotas_are_written_with_every_comment_kept(desk: Desk) -> None:
    desk.write_settings("# ours\n" + SETTINGS + QUOTAS + "\n# the end\n[checks]\n")
    own = preview(desk.carla, "rules").quotas
    assert [a.quota.name for a in own] == ["domain=rules × lengthStratum=2x", "expectedBehavior=refuse"]
    before = (desk.root / "curator.toml").read_text()
    kept = [q for q in preset_of("regulated") if q.where.get("lengthStratum") != "5x"]
    write(desk.carla, "rules", [policy(desk.carla, "rules").quotas[0], *kept])
    text = (desk.root / "curator.toml").read_text()
    for comment in ("# ours", "# the regulation is twice as long as usual", "# the end"):
        assert comment in text
    assert text.count("0.25") == 1, "the share of the holdout; the old quota is gone"
    assert before.count("[[suites.full.quotas]]") == text.count("[[suites.full.quotas]]") == 1
    desk.write_settings(text)
    assert {q.name for q in policy(desk.carla, "rules").quotas} == {
        "domain=* × lengthStratum=2x", "all cases", "domain=* × lengthStratum=10x", "expectedBehavior=refuse",
        "route=* × risk=critical",
    }  # fmt: skip
    with pytest.raises(UsageError, match="may not set quotas"):
        write(desk.ada, "rules", [])
    (desk.root / "curator.toml").write_text(text + "\n# typed meanwhile\n[failures]\nquarantine_days = 3\n")
    with pytest.raises(Conflict, match="changed since"):
        write(desk.carla, "rules", [])
    (desk.root / "curator.toml").write_text(text)
    write(desk.carla, "rules", [])
    desk.write_settings((desk.root / "curator.toml").read_text())
    assert policy(desk.carla, "rules").quotas == ()


@pytest.mark.parametrize(
    "suite",
    [
        "[suites.other]\ndescription = 'x' # mine\n",
        "[suites.other]\nquotas = [ { minimum = 30 }, { minimum = 0.2, unit = 'share', where = { risk = 'low' } } ]\n",
        "[suites]\nother = { description = 'x' }\n",
    ],
)
def test_quotas_are_written_in_whatever_form_the_suite_has(desk: Desk, suite: str) -> None:
    head = SETTINGS[: SETTINGS.index("[suites.rules]")]
    desk.write_settings(head + suite + "\n[checks]\n# last\n")
    write(desk.carla, "other", preset_of("regulated"))
    text = (desk.root / "curator.toml").read_text()
    desk.write_settings(text)
    assert sorted(q.name for q in policy(desk.carla, "other").quotas) == sorted(q.name for q in preset_of("regulated"))
    assert "# last" in text
    assert ("# mine" in suite) == ("# mine" in text)


def test_a_form_that_cannot_be_written_is_left_alone(desk: Desk) -> None:
    text = SETTINGS[: SETTINGS.index("[suites.rules]")] + "[suites]\nother.description = 'x'\n"
    desk.write_settings(text)
    with pytest.raises(InputError, match="cannot be changed here"):
        write(desk.carla, "other", preset_of("smoke"))
    assert (desk.root / "curator.toml").read_text() == text


def test_a_star_stands_for_documents_and_for_routes_that_are_critical(desk: Desk) -> None:
    desk.write_settings(SETTINGS + '\n[[risk.floor]]\nroute = "handoff"\nrisk = "critical"\n')
    names = [a.quota.name for a in preview(desk.ada, "rules", preset_of("regulated")).quotas]
    assert "domain=rules × lengthStratum=10x" in names
    assert "route=handoff × risk=critical" in names


def test_a_cell_counts_as_the_screen_lists_it(desk: Desk) -> None:
    names = {
        desk.approved(f"What does {word} cost?", source).case.id
        for word, source in (("delay", ARTICLE), ("rash", MEASLES))
    }
    board = board_of(desk)
    grid = board.grid("rules", "sectionPosition", "expectedBehavior")
    listed = {
        c.id
        for line in grid.cells
        for cell in line
        if cell.count
        for c in board.cell("rules", {"sectionPosition": cell.row, "expectedBehavior": cell.column})
    }
    assert listed == names
    assert sum(cell.count for line in grid.cells for cell in line) == 2


def test_lengths_are_drawn_by_band(desk: Desk) -> None:
    (desk.root / "datasets" / "lengths.csv").write_text("document,pages\nA,1\nB,2\nC,3\nD,30\n")
    desk.write_settings(SETTINGS.replace("median = 1", 'profile = "datasets/lengths.csv"\nas_of = "2026-02-01"'))
    desk.approved(source=ARTICLE)
    found = board_of(desk).histogram("rules")
    assert found.median == 2.5
    assert sum(b.production for b in found.bars) == 4
    assert [(b.band, b.documents, b.cases) for b in found.bars if b.documents] == [("base", 1, 1)]
    assert [b.band for b in found.bars if b.production and b.low >= 25] == ["10x"]


def test_a_release_puts_the_star_out_and_can_be_made_again(desk: Desk) -> None:
    desk.write_settings(SETTINGS + QUOTAS)
    desk.approved(source=ARTICLE)
    with pytest.raises(Refused, match="2 gaps: domain rules × length 2x: has 1, needs 2 and 1 more") as caught:
        release(desk.carla, "rules")
    assert [o.step.split(",")[0] for o in caught.value.obstacles] == [
        "approve 1 more case", "approve 1 more case that must be refused"
    ]  # fmt: skip
    made = release(desk.carla, "rules", waive="a first draft")
    manifest = Path(made.folder) / "manifest.json"
    assert [q["where"] for q in json.loads(manifest.read_text())["policy"]["quotas"]] == [
        {"domain": "rules", "lengthStratum": "2x"}, {"expectedBehavior": "refuse"}
    ]  # fmt: skip
    assert reproduce(desk.carla, manifest).different == ()


def test_what_a_file_says_is_obeyed_by_nothing(desk: Desk) -> None:
    desk.approved(source=ARTICLE, domain="law\u202e[/x]\x1b[2J<b>", route="[@click=app.quit]r[/]")
    report = coverage(desk.ada, by=["domain", "route"])
    page = coverage_html(report).decode()
    assert "<b>[/" not in page
    assert "&lt;b&gt;" in page
    assert not {"\u202e", "\x1b"} & set(page + coverage_markdown(report))
