"""The whole way by keys alone: ingest, read, mark, fill in, save, submit, approve, release, verify."""

from __future__ import annotations

from pathlib import Path

from curator.services import cases
from tests.tui.conftest import app_of, opened, press, screen, settled, table_pdf, until


async def test_from_a_pdf_to_a_released_suite(root: Path, tmp_path: Path) -> None:
    pdf = table_pdf(tmp_path / "second.pdf", "Second guideline", pages=3)
    async with opened(root) as pilot:
        app = app_of(pilot)
        await press(pilot, "f2", "i", f"'{pdf}'", "enter", "'school-health'", "enter", "enter")
        await until(pilot, lambda: "a new revision of Exclusion of pupils" in screen(pilot))  # it is much like it
        await press(pilot, "o")
        await until(pilot, lambda: "second.pdf: new, 3 pages" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: "This guideline says" in screen(pilot))
        await press(pilot, "t")
        await until(pilot, lambda: ":varicella" in screen(pilot))
        await press(pilot, "c", "'How long with varicella?'", "enter", "e")
        await until(pilot, lambda: "●req" in screen(pilot))
        await press(pilot, "p", "enter", "enter")
        await until(pilot, lambda: "●req¶" in screen(pilot))
        await press(pilot, "f5")
        await settled(pilot)
        assert "2 missing: no reference answer · no risk stated" in screen(pilot)
        await press(pilot, "k", "enter", "'Until crusted, 5 days.'", "ctrl+s")
        await until(pilot, lambda: "saved ✓" in screen(pilot))
        await press(pilot, "f9")
        await until(pilot, lambda: "→ in review" in screen(pilot))
        sheet = app.desk.sheet
        assert sheet is not None
        assert sheet.record is not None
        record = sheet.record
        assert record.status == "in_review"
        case = record.case
    assert case.risk == "low"
    assert case.turns == ("How long with varicella?",)
    assert case.reference_answer == "Until crusted, 5 days."
    assert case.domain == "school-health"
    assert [e.role for e in case.evidence] == ["required"]
    assert case.evidence[0].table_header == ("Disease", "Exclusion", "Notify")
    assert case.key_provisions[0].source_id == case.evidence[0].source_id
    assert [d.document_id for d in case.documents] == ["second"]

    async with opened(root, "ben") as pilot:
        await until(pilot, lambda: "waits for a review" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: "by ana" in screen(pilot))
        await press(pilot, "a")
        await until(pilot, lambda: "How bad is a wrong answer" in screen(pilot))
        await press(pilot, "m")
        await until(pilot, lambda: "✓ approved" in screen(pilot))
        ctx = app_of(pilot).ctx
        assert ctx is not None
        assert cases.get(ctx, case.id).status == "approved"

    async with opened(root, "ana") as pilot:
        await press(pilot, "f8")
        await until(pilot, lambda: "1 approved cases are taken" in screen(pilot))
        await press(pilot, "r")
        await until(pilot, lambda: "the next release would be 1.0.0" in screen(pilot))
        assert not (root / "exports" / "health").exists()
        await press(pilot, "y")
        await until(pilot, lambda: "✓ released 1.0.0" in screen(pilot))
        await press(pilot, "v")
        await until(pilot, lambda: "every file is whole" in screen(pilot))
    assert case.id in (root / "exports" / "health" / "1.0.0" / "dev.jsonl").read_text("utf-8")

    (root / "exports" / "health" / "1.0.0" / "dev.jsonl").write_text("{}\n", "utf-8")
    async with opened(root, "ana") as pilot:
        await press(pilot, "f8")
        await until(pilot, lambda: "1.0.0" in screen(pilot))
        await press(pilot, "v")
        await until(pilot, lambda: "1.0.0: problems" in screen(pilot))
        assert "dev.jsonl" in screen(pilot)
