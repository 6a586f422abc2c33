"""A changed file becomes a revision: ids stay, cases wait where anything but the place changed, and are decided."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.domain.case import Case
from curator.errors import Conflict, InputError, UsageError
from curator.services import cases, checking, documents, reconfirm, release, review, undo
from curator.services.doctor import examine
from curator.services.ingest import Facts, Ingested, ingest
from curator.services.renaming import rename
from curator.services.revisions import Answer
from curator.services.search import search
from tests.services.desk import ARTICLE, ARTICLES, MEASLES, MUMPS, ROWS, SIBLING, Desk, write_pdf

AMENDED = tuple((title, text.replace("up to 10 million", "up to 12 million")) for title, text in ARTICLES)
REWORDED = tuple((title, text.replace("is lodged within", "is to be lodged within")) for title, text in ARTICLES)
Revise = Callable[..., Ingested]


@pytest.fixture
def revise(desk: Desk, tmp_path: Path) -> Revise:
    count = 0

    def ingested(by: str = "ada", **content: Any) -> Ingested:
        nonlocal count
        count += 1
        folder = tmp_path / f"revision-{count}"
        folder.mkdir()
        path = write_pdf(folder / "regulation.pdf", **content)
        (result,) = ingest(desk.by(by), [path], Facts(revision_of="regulation"))
        assert result.outcome == "changed", result
        return result

    return ingested


def ids(desk: Desk) -> list[str]:
    return [s.id for s in documents.sources_on(desk.ada, "regulation")]


def test_an_inserted_article_and_row_renumber_nobody(desk: Desk, revise: Revise) -> None:
    before = ids(desk)
    more = (
        ARTICLES[0],
        ("Article 6a. Forms", "The form is set by the Agency and published on its site."),
        *ARTICLES[1:],
    )
    result = revise(articles=more, rows=(*ROWS[:2], ("Scabies", "1"), *ROWS[2:]))
    assert result.verdicts == {"SAME": len(before)}
    assert [i for i in ids(desk) if i in before] == before
    assert len(ids(desk)) == len(before) + 2
    assert reconfirm.waiting(desk.ada) == ()
    found = documents.get(desk.ada, "regulation")
    assert (found.revision.label, found.version, found.rows) == ("2", 2, 4)
    assert examine(desk.ada, full=True).problems == ()


def test_a_case_on_the_same_text_keeps_its_approval_and_gets_the_new_place(desk: Desk, revise: Revise) -> None:
    record = desk.approved(source=MEASLES)
    revise(rows=(ROWS[0], ("Impetigo", "1"), *ROWS[1:]))
    now = cases.get(desk.ada, record.case.id)
    assert (now.status, now.flags, now.content_hash) == ("approved", (), record.content_hash)
    assert {e.document_version for e in now.case.evidence} == {"2"} == {d.document_version for d in now.case.documents}
    assert now.case.evidence[0].document_sha256 == documents.get(desk.ada, "regulation").revision.sha256
    assert not [p for p in checking.check(desk.ada, now.case) if p.severity == "error"]


def test_a_changed_number_waits_whatever_the_likeness_and_one_decision_serves_all_cases(
    desk: Desk, revise: Revise
) -> None:
    one = desk.approved()
    two = desk.submitted("And a false one?")
    other = desk.approved("How long to appeal?", SIBLING)
    result = revise(articles=AMENDED)
    assert result.stale == 2
    (wait,) = reconfirm.waiting(desk.ada)
    assert (wait.source_id, wait.verdict, wait.difference, wait.cases) == (ARTICLE, "CHANGED", "meaning", 2)
    assert cases.get(desk.ada, one.case.id).flags == ("stale",)
    assert cases.get(desk.ada, other.case.id).flags == ()
    shown = reconfirm.look(desk.ada, ARTICLE)
    assert [p.text.strip() for p in shown.pieces if p.kind != "both"] == ["10", "12"]
    assert (shown.old_revision, "10 million" in shown.old.text) == ("1", True)
    assert shown.new is not None
    assert "12 million" in shown.new.text

    done = reconfirm.accept(desk.ben, [ARTICLE])
    assert (done.sources, sorted(done.cases), done.stale) == ((ARTICLE,), sorted([one.case.id, two.case.id]), ())
    now = cases.get(desk.ada, one.case.id)
    assert (now.status, now.flags) == ("approved", ())  # ben is not the author: he stands behind it
    assert "12 million" in now.case.evidence[0].quote
    assert cases.get(desk.ada, two.case.id).status == "in_review"
    assert reconfirm.waiting(desk.ada) == ()
    assert documents.source(desk.ada, ARTICLE).anchor.text == shown.new.text
    assert documents.source(desk.ada, wait.target).id == ARTICLE  # the id that the text had meanwhile
    assert not [p for p in checking.check(desk.ada, now.case) if p.severity == "error"]
    assert examine(desk.ada, full=True).problems == ()


def test_the_author_cannot_approve_by_accepting(desk: Desk, revise: Revise) -> None:
    record = desk.approved()
    revise(articles=AMENDED)
    done = reconfirm.accept(desk.ada, [ARTICLE])
    assert done.in_review == (record.case.id,)
    assert cases.get(desk.ada, record.case.id).status == "in_review"


def test_a_decision_is_undone_and_redone_whole(desk: Desk, revise: Revise) -> None:
    record = desk.approved()
    target = revise(articles=AMENDED) and reconfirm.waiting(desk.ada)[0].target
    stale = cases.get(desk.ada, record.case.id)
    reconfirm.accept(desk.ben, [ARTICLE])
    confirmed = cases.get(desk.ada, record.case.id)
    for _ in range(2):
        turned = undo.undo(desk.ben)
        assert turned is not None
        assert (turned.verb, turned.names) == ("reconfirmed", (ARTICLE,))
        now = cases.get(desk.ada, record.case.id)
        assert (now.case, now.status, now.flags) == (stale.case, "approved", ("stale",))
        assert [w.source_id for w in reconfirm.waiting(desk.ada)] == [ARTICLE]
        assert documents.source(desk.ada, target).id == target
        with pytest.raises(InputError, match="not in the current revision"):
            documents.source(desk.ada, ARTICLE)
        undo.redo(desk.ben)
        again = cases.get(desk.ada, record.case.id)
        assert (again.case, again.status, again.flags) == (confirmed.case, "approved", ())
        assert documents.source(desk.ada, target).id == ARTICLE
    assert examine(desk.ada, full=True).problems == ()


def test_a_decision_that_another_built_on_is_not_undone(desk: Desk, revise: Revise) -> None:
    record = desk.approved()
    revise(articles=AMENDED)
    reconfirm.accept(desk.ben, [ARTICLE])
    now = cases.get(desk.carla, record.case.id)
    cases.save(desk.carla, now.case.model_copy(update={"notes": "hers"}), now.version)
    with pytest.raises(Conflict, match="carla edited"):
        undo.undo(desk.ben)
    assert reconfirm.waiting(desk.ada) == ()


def test_a_source_that_no_case_cites_is_decided_and_undone_too(desk: Desk, revise: Revise) -> None:
    revise(articles=REWORDED)
    (wait,) = reconfirm.waiting(desk.ada)
    assert (wait.source_id, wait.verdict, wait.cases) == (SIBLING, "MOVED_SIMILAR", 0)
    reconfirm.accept(desk.ada, [SIBLING])
    turned = undo.undo(desk.ada)
    assert turned is not None
    assert (turned.record, turned.names) == (None, (SIBLING,))
    assert [w.source_id for w in reconfirm.waiting(desk.ada)] == [SIBLING]


def test_a_changed_cell_is_found_by_its_key_and_a_lost_row_is_listed(desk: Desk, revise: Revise) -> None:
    kept = desk.approved("Mumps?", MUMPS)
    gone = desk.approved("Measles?", MEASLES)
    revise(rows=(ROWS[0], ("Mumps", "7"), ROWS[3]))
    found = {w.source_id: w for w in reconfirm.waiting(desk.ada)}
    assert {n: w.verdict for n, w in found.items()} == {MUMPS: "CHANGED", MEASLES: "LOST"}
    assert found[MEASLES].target == ""
    with pytest.raises(UsageError, match="choose"):
        reconfirm.accept(desk.ben, [MEASLES])
    done = reconfirm.drop(desk.ben, [MEASLES], "no longer listed")
    assert done.stale == (gone.case.id,)
    back = cases.get(desk.ada, gone.case.id)
    assert (back.status, back.flags) == ("changes_requested", ("stale",))
    edited = cases.without_evidence(back.case, back.case.evidence[0])
    edited = cases.with_evidence(desk.ada, edited, "regulation.table-2:varicella")
    assert cases.save(desk.ada, edited, back.version).flags == ()
    assert cases.get(desk.ada, kept.case.id).flags == ("stale",)
    assert [w.source_id for w in reconfirm.waiting(desk.ada)] == [MUMPS]


def test_a_lost_id_is_never_given_again(desk: Desk, revise: Revise) -> None:
    revise(rows=(ROWS[0], *ROWS[2:]))
    reconfirm.drop(desk.ada, [MEASLES])
    revise(rows=(ROWS[0], ("Measles", "14"), *ROWS[2:]))
    assert MEASLES not in ids(desk)
    assert f"{MEASLES}-2" in ids(desk)


def test_what_waits_is_looked_for_again_in_the_next_revision(desk: Desk, revise: Revise) -> None:
    record = desk.approved()
    revise(articles=AMENDED)
    again = tuple((title, text.replace("12 million", "15 million")) for title, text in AMENDED)
    revise(articles=again)
    waits = {w.source_id: w for w in reconfirm.waiting(desk.ada)}
    assert waits[ARTICLE].verdict == "CHANGED"
    shown = reconfirm.look(desk.ada, ARTICLE)
    assert (shown.old_revision, [p.text.strip() for p in shown.pieces if p.kind == "new"]) == ("1", ["15"])
    revise(articles=(*ARTICLES, ("Article 9. Entry", "It enters into force on the day after its publication.")))
    assert cases.get(desk.ada, record.case.id).flags == ()  # the text is back, and with it the source
    assert documents.source(desk.ada, ARTICLE).revision == "4"


def test_another_source_is_chosen_and_cited_from_then_on(desk: Desk, revise: Revise) -> None:
    record = desk.approved(source=ARTICLE)
    revise(articles=(ARTICLES[0], ARTICLES[2]))
    assert [w.verdict for w in reconfirm.waiting(desk.ada)] == ["LOST"]
    with pytest.raises(UsageError, match="is a row"):
        reconfirm.choose(desk.ben, ARTICLE, MEASLES)
    reconfirm.choose(desk.ben, ARTICLE, SIBLING)
    now = cases.get(desk.ada, record.case.id)
    assert (now.case.expected_source_ids, now.flags) == ((SIBLING,), ())
    assert not [p for p in checking.check(desk.ada, now.case) if p.severity == "error"]
    undo.undo(desk.ben)
    now = cases.get(desk.ada, record.case.id)
    assert (now.case.expected_source_ids, now.flags) == ((ARTICLE,), ("stale",))


def test_a_new_text_that_is_chosen_takes_the_old_id(desk: Desk, revise: Revise) -> None:
    record = desk.approved()
    other = (
        "Article 7. Sanctions",
        "Whoever is behind pays 3 percent of turnover, doubled on repetition, to the fund.",
    )
    revise(articles=(ARTICLES[0], other, ARTICLES[2]))
    (wait,) = reconfirm.waiting(desk.ada)
    assert wait.verdict in ("LOST", "CHANGED")
    fresh = next(s.id for s in documents.sources_on(desk.ada, "regulation") if "turnover" in s.anchor.text)
    assert fresh == f"{ARTICLE}-2"
    beside = reconfirm.look(desk.ada, ARTICLE, fresh)
    assert beside.new is not None
    assert (beside.wait.target, beside.wait.difference) == (fresh, "meaning")
    reconfirm.choose(desk.ben, ARTICLE, fresh)
    assert documents.source(desk.ada, fresh).id == ARTICLE
    now = cases.get(desk.ada, record.case.id)
    assert (now.flags, now.case.expected_source_ids, "turnover" in now.case.evidence[0].quote) == ((), (ARTICLE,), True)
    undo.undo(desk.ben)
    assert documents.source(desk.ada, fresh).id == fresh
    assert cases.get(desk.ada, record.case.id).flags == ("stale",)


def test_form_alone_is_accepted_at_once_and_no_approval_is_lost(desk: Desk, revise: Revise) -> None:
    record = desk.approved("How long to appeal?", SIBLING)
    revise(articles=tuple((title, text.replace("regional", "re-gional")) for title, text in ARTICLES))
    (wait,) = reconfirm.waiting(desk.ada, differences=("hyphenation",))
    assert wait.source_id == SIBLING
    done = reconfirm.accept_all(desk.ada)
    assert done.sources == (SIBLING,)
    now = cases.get(desk.ada, record.case.id)
    assert (now.status, now.content_hash, now.flags) == ("approved", record.content_hash, ())
    assert undo.undo(desk.ada) is not None
    assert cases.get(desk.ada, record.case.id).flags == ("stale",)
    with pytest.raises(UsageError, match="one by one"):
        reconfirm.accept_all(desk.ada, differences=("meaning",))


def silence(desk: Desk, question: str) -> str:
    body = {
        "expectedBehavior": "refuse", "refusalReason": "not_in_sources", "referenceAnswer": "The rules do not say.",
    }  # fmt: skip
    record = desk.submitted(question, source="", **body)
    return review.approve(desk.ben, record.case.id).case.id


def test_a_refusal_for_silence_is_searched_again_in_what_is_new(desk: Desk, revise: Revise) -> None:
    asked = silence(desk, "How many days is a child with scabies away from school?")
    quiet = silence(desk, "Who pays for the interpreter at a hearing?")
    revise(rows=(*ROWS, ("Scabies", "1")))
    (hit,) = reconfirm.refusals(desk.ada)
    assert (hit.case_id, hit.source_id) == (asked, "regulation.table-2:scabies")
    assert cases.get(desk.ada, asked).flags == ("stale",)
    now = cases.get(desk.ada, quiet)
    assert (now.flags, now.case.documents[0].document_version) == ((), "2")
    reconfirm.keep(desk.ben, [asked])
    now = cases.get(desk.ada, asked)
    assert (now.flags, now.status, now.case.documents[0].document_version) == ((), "approved", "2")
    undo.undo(desk.ben)
    assert cases.get(desk.ada, asked).flags == ("stale",)
    record = cases.get(desk.ada, asked)
    answered = cases.with_evidence(desk.ada, record.case, hit.source_id).model_copy(
        update={"expected_behavior": "answer", "refusal_reason": ""}
    )
    assert cases.save(desk.ada, answered, record.version).flags == ()
    assert reconfirm.refusals(desk.ada) == ()


def test_a_stale_case_is_left_out_of_a_release_and_comes_back(desk: Desk, revise: Revise) -> None:
    names = {desk.approved(f"What does a late report cost, {n}?", source).case.id
             for n, source in enumerate((ARTICLE, SIBLING, MEASLES, MUMPS))}  # fmt: skip
    first = release.release(desk.carla, "rules")
    assert first.cases == len(names)
    revise(articles=AMENDED)
    second = release.release(desk.carla, "rules")
    stale = {n for n in names if cases.get(desk.ada, n).flags}
    assert (second.cases, len(stale)) == (3, 1)
    assert second.version != first.version
    reconfirm.accept(desk.ben, [ARTICLE])
    assert release.release(desk.carla, "rules").cases == len(names)


def test_a_changed_file_under_its_name_is_offered_and_one_alike_too(desk: Desk, tmp_path: Path) -> None:
    changed = write_pdf(tmp_path / "regulation.pdf", articles=AMENDED)
    offers = []

    def says(what: Any) -> Callable[..., Answer]:
        return lambda offered: offers.append(offered) or Answer(what)

    (refused,) = ingest(desk.ada, [changed], confirm=says("leave"))
    assert refused.outcome == "rejected"
    assert "--revision-of regulation" in refused.reason
    (dry,) = ingest(desk.ada, [changed], confirm=says("revision"), dry_run=True)
    assert (dry.outcome, dry.verdicts["CHANGED"]) == ("changed", 1)
    assert documents.get(desk.ada, "regulation").revision.label == "1"
    alike = tmp_path / "amended-2026.pdf"
    alike.write_bytes(changed.read_bytes())
    (taken,) = ingest(desk.ada, [alike], Facts(revision="2026"), confirm=says("revision"))
    assert (taken.outcome, taken.document_id, taken.revision) == ("changed", "regulation", "2026")
    assert [(o.by_name, o.document_id) for o in offers] == [(True, "regulation")] * 2 + [(False, "regulation")]
    assert all(0.5 < o.likeness < 1 and o.is_sure for o in offers), offers
    (same,) = ingest(desk.ada, [changed], confirm=says("revision"))
    assert same.outcome == "same"


def test_one_that_is_only_alike_becomes_a_document_of_its_own_when_nobody_confirms(desk: Desk, tmp_path: Path) -> None:
    (taken,) = ingest(desk.ada, [write_pdf(tmp_path / "other-name.pdf", articles=AMENDED)])
    assert (taken.outcome, taken.document_id) == ("new", "other-name")
    assert taken.offer is not None
    assert taken.offer.document_id == "regulation"


def test_what_cannot_be_a_revision_is_told(desk: Desk, tmp_path: Path) -> None:
    changed = write_pdf(tmp_path / "regulation.pdf", articles=AMENDED)
    with pytest.raises(InputError, match="no document nowhere"):
        ingest(desk.ada, [changed], Facts(revision_of="nowhere"))
    with pytest.raises(UsageError, match="--id or --revision-of"):
        ingest(desk.ada, [changed], Facts(revision_of="regulation", document_id="x"))
    (taken,) = ingest(desk.ada, [changed], Facts(revision_of="regulation", revision="1"))
    assert taken.outcome == "rejected"
    assert "has a revision" in taken.reason
    assert documents.get(desk.ada, "regulation").revision.label == "1"


def test_search_finds_the_new_text_under_the_name_that_it_has_at_the_time(desk: Desk, revise: Revise) -> None:
    def found(text: str) -> list[str]:
        return [h.source_id for h in search(desk.ada, text, semantic=False).hits if text.split()[0] in h.text]

    assert found("10 million")[0] == ARTICLE
    revise(articles=AMENDED)
    (target,) = (w.target for w in reconfirm.waiting(desk.ada))
    assert found("12 million")[0] == target
    reconfirm.accept(desk.ada, [ARTICLE])
    assert found("12 million")[0] == ARTICLE
    rename(desk.ada, ARTICLE, "regulation:penalties")
    assert found("12 million")[0] == "regulation:penalties"
    undo.undo(desk.ada)
    assert found("12 million")[0] == ARTICLE


def test_renamed_sources_and_documents_are_found_under_every_name(desk: Desk, revise: Revise) -> None:
    record = desk.approved()
    rename(desk.ada, ARTICLE, "regulation:Penalties")
    rename(desk.ada, "regulation", "rules-2026")
    assert documents.source(desk.ada, ARTICLE).id == "regulation:penalties"
    assert documents.get(desk.ada, "regulation").id == "rules-2026"
    assert [s.id for s in documents.sources_on(desk.ada, "regulation")] == [
        s.id for s in documents.sources_on(desk.ada, "rules-2026")
    ]
    assert checking.check(desk.ada, record.case) == ()
    with pytest.raises(Conflict, match="another source"):
        rename(desk.ada, MUMPS, ARTICLE)
    for bad in ("no colon", "a:b:c", "up/../x:y"):
        with pytest.raises(UsageError):
            rename(desk.ada, MUMPS, bad)
    (result,) = [revise(articles=AMENDED)]
    assert (result.document_id, result.stale) == ("rules-2026", 1)
    reconfirm.accept(desk.ben, ["regulation:penalties"])
    now = cases.get(desk.ada, record.case.id)
    assert (now.flags, now.case.evidence[0].source_id) == ((), ARTICLE)
    assert release.release(desk.carla, "rules").cases == 1
    assert undo.undo(desk.ada) is None or documents.get(desk.ada, "rules-2026")
    assert examine(desk.ada, full=True).problems == ()


def test_a_name_goes_back_and_forth(desk: Desk) -> None:
    for _ in range(2):
        rename(desk.ada, MUMPS, "regulation.table-2:parotitis")
        rename(desk.ada, "regulation.table-2:parotitis", MUMPS)
    rename(desk.ada, "regulation", "rules")
    undo.undo(desk.ada)
    assert documents.get(desk.ada, "rules").id == "regulation"
    undo.redo(desk.ada)
    assert documents.get(desk.ada, "regulation").id == "rules"
    assert documents.source(desk.ada, "regulation.table-2:parotitis").id == MUMPS


def test_only_who_may_write_decides(desk: Desk, revise: Revise) -> None:
    revise(articles=AMENDED)
    for who in ("", "dan"):
        with pytest.raises(UsageError):
            reconfirm.accept(desk.by(who), [ARTICLE])
    for wrong in ("regulation:article-6", "regulation:nothing"):
        with pytest.raises(InputError):
            reconfirm.accept(desk.ada, [wrong])
    assert Case.model_fields  # nothing was changed
    assert [w.source_id for w in reconfirm.waiting(desk.ada)] == [ARTICLE]
